//! Data with some of the differences, and references between lines that are taken and lines that are not.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::lists::references;
use super::super::{DataTable, Dataset, Row, Rows, TableSpec, ValueKind};
use super::{Change, TableMatch, Update};
use crate::numbers::counted;
use crate::text::lines::quoted;

/// Name that some rows need and that would be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Sentence that names it, with the remedy.
    pub text: String,
    /// Line that adds or removes the row of this name.
    pub line: usize,
}

/// Column of the present table, and row and column of the fresh one.
type ChangedCell = (usize, (usize, usize));

/// Ticked differences of one table.
#[derive(Default)]
struct Ticked {
    added: HashSet<usize>,
    removed: HashSet<usize>,
    /// Changed cells by row of the present table.
    cells: HashMap<usize, Vec<ChangedCell>>,
    added_columns: HashSet<usize>,
    removed_columns: HashSet<usize>,
    is_moved: bool,
}

/// Places items after the one that they follow in another list: `first` are those before all others.
fn inserted<T>(base: impl Iterator<Item = (usize, T)>, mut after: HashMap<Option<usize>, Vec<T>>) -> Vec<T> {
    let mut all = after.remove(&None).unwrap_or_default();
    for (at, item) in base {
        all.push(item);
        all.extend(after.remove(&Some(at)).unwrap_or_default());
    }
    all
}

/// Column of a table that is being made: the column of the present table and that of the fresh one.
type Source = (Option<usize>, Option<usize>);

impl Ticked {
    fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.cells.is_empty()
            && self.added_columns.is_empty()
            && self.removed_columns.is_empty()
            && !self.is_moved
    }

    /// Columns of the new table from left to right.
    fn columns(&self, spec: &TableSpec, present: &DataTable, found: &TableMatch) -> Vec<Source> {
        let declared = spec.columns.len();
        let fresh_of: HashMap<usize, usize> =
            found.columns.iter().enumerate().filter_map(|(fresh, present)| Some(((*present)?, fresh))).collect();
        let own = (declared..present.width(spec)).filter(|column| !self.removed_columns.contains(column));
        let own: Vec<(usize, Source)> =
            own.map(|column| (column, (Some(column), fresh_of.get(&column).copied()))).collect();
        let fresh: Vec<Source> = (declared..found.columns.len())
            .filter(|column| found.columns[*column].is_some() || self.added_columns.contains(column))
            .map(|column| (found.columns[column], Some(column)))
            .collect();
        let mut after: HashMap<Option<usize>, Vec<Source>> = HashMap::new();
        let mut last = None;
        let further = if self.is_moved {
            // The fresh order, with columns that only the present table has after their neighbours.
            for (column, source) in &own {
                match source.1 {
                    Some(fresh) => last = Some(fresh),
                    None => after.entry(last).or_default().push((Some(*column), None)),
                }
            }
            inserted(fresh.into_iter().map(|source| (source.1.unwrap_or(0), source)), after)
        } else {
            for source in fresh {
                match source.0 {
                    Some(column) => last = Some(column),
                    None => after.entry(last).or_default().push(source),
                }
            }
            inserted(own.into_iter(), after)
        };
        (0..declared).map(|column| (Some(column), Some(column))).chain(further).collect()
    }

    /// The present table with the ticked differences.
    fn applied(&self, spec: &TableSpec, present: &DataTable, fresh: &DataTable, found: &TableMatch) -> DataTable {
        if self.is_empty() {
            return present.clone();
        }
        let columns = self.columns(spec, present, found);
        let is_same =
            columns.iter().enumerate().all(|(at, source)| source.0 == Some(at)) && columns.len() == present.width(spec);
        let name = |(own, other): &Source| match (own, other) {
            (Some(column), _) => present.further.get(column - spec.columns.len()),
            (None, Some(column)) => fresh.further.get(column - spec.columns.len()),
            (None, None) => None,
        };
        let further = columns.iter().skip(spec.columns.len()).filter_map(name).cloned().collect();
        let cell_of = |row: Option<&Row>, column: Option<usize>| Some(row?.cell(column?).to_owned());
        let fresh_of: HashMap<usize, usize> =
            found.rows.iter().enumerate().filter_map(|(fresh, present)| Some(((*present)?, fresh))).collect();
        let own = |(at, row): (usize, &Row)| {
            let other = fresh_of.get(&at).and_then(|&row| fresh.rows.get(row));
            let changed = self.cells.get(&at).into_iter().flatten();
            let row = changed.fold(row.clone(), |row, (column, (from, cell))| {
                row.with(*column, fresh.rows.get(*from).map_or("", |row| row.cell(*cell)))
            });
            if is_same {
                return (at, row);
            }
            let cells = columns.iter().map(|(own, fresh)| match own {
                Some(column) => row.cell(*column).to_owned(),
                None => cell_of(other, *fresh).unwrap_or_else(|| spec.default(spec.columns.len()).to_owned()),
            });
            (at, Row::of(cells))
        };
        let mut after: HashMap<Option<usize>, Vec<Row>> = HashMap::new();
        let mut last = None;
        for (at, row) in fresh.rows.iter().enumerate() {
            match found.rows[at] {
                Some(own) => last = Some(own),
                None if self.added.contains(&at) => {
                    let cells = columns.iter().map(|(_, fresh)| {
                        cell_of(Some(row), *fresh).unwrap_or_else(|| spec.default(spec.columns.len()).to_owned())
                    });
                    after.entry(last).or_default().push(Row::of(cells));
                }
                None => {}
            }
        }
        let kept = present.rows.iter().enumerate().filter(|(at, _)| !self.removed.contains(at)).map(own);
        let rows: Rows = inserted(kept, after).into_iter().collect();
        DataTable { further, rows }
    }
}

impl Update {
    /// The present data with the differences for which `is_ticked` is true. Added rows stand where the fresh tables have them.
    pub fn applied(&self, is_ticked: &[bool]) -> Dataset {
        let mut ticked: Vec<Ticked> = self.specs.iter().map(|_| Ticked::default()).collect();
        for ((table, change), _) in self.changes.iter().zip(is_ticked).filter(|(_, is_ticked)| **is_ticked) {
            let ticked = &mut ticked[*table];
            match *change {
                Change::Added { row } => _ = ticked.added.insert(row),
                Change::Removed { row } => _ = ticked.removed.insert(row),
                Change::Cell { present: (row, column), fresh } => {
                    ticked.cells.entry(row).or_default().push((column, fresh));
                }
                Change::AddedColumn { column } => _ = ticked.added_columns.insert(column),
                Change::RemovedColumn { column } => _ = ticked.removed_columns.insert(column),
                Change::MovedColumns => ticked.is_moved = true,
            }
        }
        let tables = self.specs.iter().zip(&self.present.tables).zip(&self.fresh.tables).zip(&self.matches).zip(ticked);
        let tables =
            tables.map(|((((spec, present), fresh), found), ticked)| ticked.applied(spec, present, fresh, found));
        Dataset { tables: tables.collect(), ..(*self.present).clone() }
    }

    /// Rows of `data`, which [`Self::applied`] made of `is_ticked`, that name a row which a line would add that is not ticked, or
    /// removes that is; one sentence per name.
    pub fn contradictions(&self, data: &Dataset, is_ticked: &[bool]) -> Vec<Contradiction> {
        let mut lines: Vec<HashMap<&str, usize>> = vec![HashMap::new(); self.specs.len()];
        for (line, (table, change)) in self.changes.iter().enumerate() {
            let Some(column) = self.specs[*table].name_column() else { continue };
            let is_ticked = is_ticked.get(line).copied().unwrap_or(false);
            let row = match *change {
                Change::Added { row } if !is_ticked => self.fresh.tables[*table].rows.get(row),
                Change::Removed { row } if is_ticked => self.present.tables[*table].rows.get(row),
                _ => None,
            };
            lines[*table].extend(row.map(|row| (row.cell(column), line)));
        }
        // Number of rows by the line on which they depend and their table.
        let mut needed: BTreeMap<(usize, usize), (usize, String)> = BTreeMap::new();
        for (table, spec) in self.specs.iter().enumerate() {
            for column in 0..spec.columns.len() {
                let (ValueKind::Reference(id) | ValueKind::References(id)) = spec.kind(column) else { continue };
                let Some(lines) = self.specs.iter().position(|spec| spec.id == id).map(|target| &lines[target]) else {
                    continue;
                };
                let is_list = matches!(spec.kind(column), ValueKind::References(_));
                for row in data.tables[table].rows.iter().filter(|_| !lines.is_empty()) {
                    let cell = row.cell(column);
                    let listed = references(cell).filter(|_| is_list && !lines.contains_key(cell));
                    for line in std::iter::once(cell).chain(listed).filter_map(|name| lines.get(name)) {
                        let first = || (0, super::words(spec, Some(row)).0);
                        needed.entry((*line, table)).or_insert_with(first).0 += 1;
                    }
                }
            }
        }
        needed
            .into_iter()
            .map(|((line, table), (count, first))| self.contradiction(line, table, count, &first))
            .collect()
    }

    fn contradiction(&self, line: usize, table: usize, count: usize, first: &str) -> Contradiction {
        let by = match count {
            1 => format!("the {} {}", self.specs[table].noun, quoted(first)),
            _ => format!("{}, such as {}", counted(count as u64, self.specs[table].noun), quoted(first)),
        };
        let (target, name) = (self.changes[line].0, quoted(&self.line(line).row));
        let noun = self.specs[target].noun;
        let text = match self.changes[line].1 {
            Change::Removed { .. } => {
                format!("The {noun} {name} would be removed, but {by} would stay and name it. Tick both, or keep both.")
            }
            _ => format!("The {noun} {name} is not ticked, but {by} would name it. Tick both, or neither."),
        };
        Contradiction { text, line }
    }
}
