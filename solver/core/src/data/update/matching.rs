//! Rows and columns of two versions of a table that belong together.

use std::collections::{HashMap, HashSet, VecDeque};

use super::super::canonical::key;
use super::super::lists::{joined, references};
use super::super::{DataTable, Dataset, Row, Rows, TableSpec, ValueKind};
use super::Change;
use super::fresh::HeldColumn;

/// Rows and columns of the present and the fresh version of a table that belong together.
#[derive(Debug)]
pub(super) struct TableMatch {
    /// `rows[fresh]` = row of the present table; `None` for an added row.
    pub(super) rows: Vec<Option<usize>>,
    /// `columns[fresh]` = column of the present table; `None` for an added further column.
    pub(super) columns: Vec<Option<usize>>,
}

/// Matches rows by the cells in `columns` (present, fresh), of which `keys` hold the key: equal rows first, then rows with one key
/// in their order.
fn match_rows(
    present: &DataTable, fresh: &DataTable, columns: &[(usize, usize)], keys: &[(usize, usize)],
) -> Vec<Option<usize>> {
    let project = |row: &Row, columns: &[(usize, usize)], is_fresh: bool| {
        let cells: Vec<&str> = row.cells().collect();
        let at = |pair: &(usize, usize)| if is_fresh { pair.1 } else { pair.0 };
        Row::of(columns.iter().map(|pair| cells.get(at(pair)).copied().unwrap_or("")))
    };
    let mut found = vec![None; fresh.rows.len()];
    let mut is_taken = vec![false; present.rows.len()];
    for columns in [columns, keys] {
        let mut open: HashMap<Row, VecDeque<usize>> = HashMap::new();
        for (at, row) in present.rows.iter().enumerate().filter(|(at, _)| !is_taken[*at]) {
            open.entry(project(row, columns, false)).or_default().push_back(at);
        }
        for (at, row) in fresh.rows.iter().enumerate() {
            if found[at].is_none()
                && let Some(row) = open.get_mut(&project(row, columns, true)).and_then(VecDeque::pop_front)
            {
                found[at] = Some(row);
                is_taken[row] = true;
            }
        }
    }
    found
}

impl TableMatch {
    /// Rows and columns that belong together.
    pub(super) fn of(spec: &TableSpec, present: &DataTable, fresh: &DataTable) -> Self {
        let declared = (0..spec.columns.len()).map(Some);
        let further = fresh.further.iter().map(|name| {
            let at = present.further.iter().position(|other| other == name)?;
            Some(spec.columns.len() + at)
        });
        let columns: Vec<Option<usize>> = declared.chain(further).collect();
        let common: Vec<(usize, usize)> =
            columns.iter().enumerate().filter_map(|(fresh, present)| Some(((*present)?, fresh))).collect();
        let keys: Vec<(usize, usize)> = match spec.is_form {
            true => Vec::new(),
            false => spec.key_columns().into_iter().map(|column| (column, column)).collect(),
        };
        Self { rows: match_rows(present, fresh, &common, &keys), columns }
    }

    /// The differences: columns, then rows in the order of the fresh table, then those that are gone.
    pub(super) fn changes(&self, spec: &TableSpec, present: &DataTable, fresh: &DataTable) -> Vec<Change> {
        if present == fresh {
            return Vec::new();
        }
        let mut changes: Vec<Change> = Vec::new();
        let added = self.columns.iter().enumerate().filter(|(_, present)| present.is_none());
        changes.extend(added.map(|(column, _)| Change::AddedColumn { column }));
        let removed = (spec.columns.len()..present.width(spec)).filter(|column| !self.columns.contains(&Some(*column)));
        changes.extend(removed.map(|column| Change::RemovedColumn { column }));
        if !self.columns.iter().flatten().is_sorted() {
            changes.push(Change::MovedColumns);
        }
        for (row, cells) in fresh.rows.iter().enumerate() {
            let Some((at, before)) = self.rows[row].and_then(|at| Some((at, present.rows.get(at)?))) else {
                changes.push(Change::Added { row });
                continue;
            };
            if before == cells && fresh.further == present.further {
                continue;
            }
            let (old, new): (Vec<&str>, Vec<&str>) = (before.cells().collect(), cells.cells().collect());
            for (column, to) in self.columns.iter().enumerate().filter_map(|(column, to)| Some((column, (*to)?))) {
                if old.get(to).unwrap_or(&"") != new.get(column).unwrap_or(&"") {
                    changes.push(Change::Cell { present: (at, to), fresh: (row, column) });
                }
            }
        }
        let kept: HashSet<usize> = self.rows.iter().flatten().copied().collect();
        changes.extend((0..present.rows.len()).filter(|row| !kept.contains(row)).map(|row| Change::Removed { row }));
        changes
    }
}

/// Appends the rows of the present table that the file of a fresh table lacks, in their order.
pub(super) fn keep_missing(spec: &TableSpec, present: &DataTable, fresh: &mut DataTable) {
    let keys: Vec<(usize, usize)> = spec.key_columns().into_iter().map(|column| (column, column)).collect();
    let found: HashSet<usize> = match_rows(present, fresh, &keys, &keys).into_iter().flatten().collect();
    let missing = present.rows.iter().enumerate().filter(|(row, _)| !found.contains(row)).map(|(_, row)| row.clone());
    let rows: Rows = fresh.rows.iter().cloned().chain(missing).collect();
    fresh.rows = rows;
}

/// Fills the cells of a fresh table that its file does not hold with those of the present table.
pub(super) fn keep_unheld(spec: &TableSpec, present: &DataTable, fresh: &mut DataTable, held: &[HeldColumn]) {
    let unheld: Vec<usize> = (0..spec.columns.len()).filter(|&column| held[column] != HeldColumn::Yes).collect();
    if unheld.is_empty() {
        return;
    }
    let keys: Vec<(usize, usize)> = match spec.is_form {
        true => Vec::new(),
        false => spec.key_columns().into_iter().filter(|column| !unheld.contains(column)).map(|at| (at, at)).collect(),
    };
    let found = match_rows(present, fresh, &keys, &keys);
    let filled = |(row, at): (&Row, &Option<usize>)| {
        let Some(before) = at.and_then(|at| present.rows.get(at)) else { return row.clone() };
        let keeps = |column: &usize| held[*column] == HeldColumn::No || row.cell(*column).is_empty();
        let cells = unheld.iter().copied().filter(keeps);
        cells.fold(row.clone(), |row, column| row.with(column, before.cell(column)))
    };
    let rows: Rows = fresh.rows.iter().zip(&found).map(filled).collect();
    fresh.rows = rows;
}

/// Brings the named rows of a fresh table into the order of the present ones, with new rows after those that they follow: problems
/// may order the two names of a pair by these rows.
pub(super) fn in_present_order(spec: &TableSpec, present: &DataTable, fresh: &mut DataTable) {
    let Some(column) = spec.name_column() else { return };
    let places: HashMap<&str, usize> =
        present.rows.iter().enumerate().map(|(at, row)| (row.cell(column), at + 1)).collect();
    let mut last = 0;
    let place = |(number, row): (usize, &Row)| match places.get(row.cell(column)) {
        Some(&known) => {
            last = known;
            ((known, 0), row.clone())
        }
        None => ((last, number + 1), row.clone()),
    };
    let mut rows: Vec<((usize, usize), Row)> = fresh.rows.iter().enumerate().map(place).collect();
    if !rows.is_sorted_by_key(|(place, _)| *place) {
        rows.sort_by_key(|(place, _)| *place);
        fresh.rows = rows.into_iter().map(|(_, row)| row).collect();
    }
}

/// Known spellings of some names, by [`key`].
struct Known<'a> {
    names: HashSet<&'a str>,
    by_key: HashMap<String, &'a str>,
}

impl<'a> Known<'a> {
    /// The names that may be taken for others: `fresh` names stand for themselves.
    fn of(present: impl Iterator<Item = &'a str>, fresh: &HashSet<&str>) -> Self {
        let mut known = Self { names: HashSet::new(), by_key: HashMap::new() };
        for name in present {
            known.names.insert(name);
            if !fresh.contains(name) {
                known.by_key.entry(key(name)).or_insert(name);
            }
        }
        known
    }

    /// The present spelling of a name, if it is another one.
    fn other(&self, name: &str) -> Option<&'a str> {
        if self.names.contains(name) { None } else { self.by_key.get(&key(name)).copied() }
    }
}

/// Spellings of the names of a table.
#[derive(Default)]
struct Spelled {
    /// Present spelling by the fresh one, where they differ.
    renamed: HashMap<String, String>,
    /// Names of the fresh rows in their final spelling, by [`key`].
    by_key: HashMap<String, Vec<String>>,
}

impl Spelled {
    /// The final spelling of a name, if it is another one.
    fn of(&self, name: &str) -> Option<&str> {
        if let Some(name) = self.renamed.get(name) {
            return Some(name);
        }
        let alike = self.by_key.get(&key(name))?;
        if alike.iter().any(|other| other == name) { None } else { alike.first().map(String::as_str) }
    }
}

/// The fresh data with names as the present ones spell them, and the number of names that were spelled in another way.
pub(super) fn respelled(specs: &[TableSpec], present: &Dataset, mut fresh: Dataset) -> (Dataset, usize) {
    let mut spelled: HashMap<&str, Spelled> = HashMap::new();
    let mut count = 0;
    for (table, spec) in specs.iter().enumerate() {
        let Some(column) = spec.name_column() else { continue };
        let names = &mut fresh.tables[table];
        let renamed = renamings(column, &present.tables[table], names);
        count += renamed.len();
        names.rows = names.rows.iter().map(|row| with_name(row, column, renamed.get(row.cell(column)))).collect();
        let mut by_key: HashMap<String, Vec<String>> = HashMap::new();
        for name in names.rows.iter().map(|row| row.cell(column)) {
            by_key.entry(key(name)).or_default().push(name.to_owned());
        }
        spelled.insert(spec.id, Spelled { renamed, by_key });
    }
    for (table, spec) in specs.iter().enumerate() {
        let (before, after) = (&present.tables[table], &mut fresh.tables[table]);
        respell_columns(before, after);
        for column in 0..spec.columns.len() {
            match spec.kind(column) {
                ValueKind::Reference(id) | ValueKind::References(id) => {
                    let Some(names) = spelled.get(id) else { continue };
                    let is_list = matches!(spec.kind(column), ValueKind::References(_));
                    after.rows = after.rows.iter().map(|row| renamed_in(row, column, names, is_list)).collect();
                }
                ValueKind::Text if !spec.is_form && spec.key_columns().contains(&column) => {
                    let own = renamings(column, before, after);
                    count += own.len();
                    after.rows =
                        after.rows.iter().map(|row| with_name(row, column, own.get(row.cell(column)))).collect();
                }
                _ => {}
            }
        }
    }
    (fresh, count)
}

/// Gives further columns the names that the present table has for them.
fn respell_columns(present: &DataTable, fresh: &mut DataTable) {
    let names: HashSet<&str> = fresh.further.iter().map(String::as_str).collect();
    let known = Known::of(present.further.iter().map(String::as_str), &names);
    let others: Vec<Option<&str>> = fresh.further.iter().map(|name| known.other(name)).collect();
    for (name, other) in fresh.further.iter_mut().zip(others) {
        if let Some(other) = other {
            other.clone_into(name);
        }
    }
}

fn with_name(row: &Row, column: usize, name: Option<&String>) -> Row {
    name.map_or_else(|| row.clone(), |name| row.with(column, name))
}

/// Fresh values of a column with the present spelling of each that is spelled in another way.
fn renamings(column: usize, present: &DataTable, fresh: &DataTable) -> HashMap<String, String> {
    let names: HashSet<&str> = fresh.rows.iter().map(|row| row.cell(column)).collect();
    let known = Known::of(present.rows.iter().map(|row| row.cell(column)), &names);
    let mut used = HashSet::new();
    // Two fresh names are not taken for one present name.
    let mut sorted: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    sorted.sort_unstable();
    let mut other = |name: &str| known.other(name).filter(|other| used.insert(*other));
    sorted.into_iter().filter_map(|name| Some((name.to_owned(), other(name)?.to_owned()))).collect()
}

/// The row with the final spelling of the names in a cell.
fn renamed_in(row: &Row, column: usize, names: &Spelled, is_list: bool) -> Row {
    let cell = row.cell(column);
    if let Some(name) = names.of(cell) {
        return row.with(column, name);
    }
    if !is_list || !references(cell).any(|item| names.of(item).is_some()) {
        return row.clone();
    }
    row.with(column, &joined(references(cell).map(|item| names.of(item).unwrap_or(item))))
}
