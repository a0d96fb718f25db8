//! Update of data from a fresh version of the same tables: the differences, of which a person takes over any subset.
//!
//! Rows are compared by their keys ([`TableSpec::key_columns`]), not by their places: another order is no difference, and neither
//! are case and blanks of a name, of which the present spelling stays. Of several rows with one key equal ones belong
//! together first, the others in their order. Tables and columns that the files lack stay ([`HeldColumn`]).
//!
//! [`Update::of`] finds the differences, [`Update::applied`] makes the data with some of them, and [`Update::contradictions`]
//! names references between lines that are taken and lines that are not. Reading of files: [`FreshData`].

mod applying;
mod fresh;
mod matching;

use std::sync::Arc;

use super::import::SheetReading;
use super::{Dataset, Row, TableSpec};
use crate::numbers::counted;

pub use applying::Contradiction;
pub use fresh::{FreshData, HeldColumn, request};
use matching::TableMatch;

/// Difference between the present and the fresh data. Rows and columns are indices; columns count declared and further ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Row of the fresh table that the present one lacks.
    Added {
        /// Row of the fresh table.
        row: usize,
    },
    /// Row of the present table that the fresh one lacks.
    Removed {
        /// Row of the present table.
        row: usize,
    },
    /// Cell with another value.
    Cell {
        /// Row and column of the present table.
        present: (usize, usize),
        /// Row and column of the fresh table.
        fresh: (usize, usize),
    },
    /// Further column that the present table lacks.
    AddedColumn {
        /// Column of the fresh table.
        column: usize,
    },
    /// Further column that the fresh table lacks.
    RemovedColumn {
        /// Column of the present table.
        column: usize,
    },
    /// Further columns of both tables in another order, which may mean something.
    MovedColumns,
}

/// Difference as a person reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// «Added», «Removed» or «Changed».
    pub kind: &'static str,
    /// Name of the row; of a row without a name the cells that tell it from others.
    pub row: String,
    /// Heading of the column; empty if a whole row or column is meant.
    pub column: String,
    /// Present value.
    pub before: String,
    /// Fresh value.
    pub after: String,
}

/// Numbers of differences in a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Added rows and columns.
    pub added: usize,
    /// Removed rows and columns.
    pub removed: usize,
    /// Changed cells, and orders of columns.
    pub changed: usize,
}

impl Counts {
    /// The numbers in words, such as «3 added, 1 removed»; empty if there is no difference.
    pub fn text(&self) -> String {
        let words = [(self.added, "added"), (self.removed, "removed"), (self.changed, "changed")];
        let words = words.into_iter().filter(|(count, _)| *count > 0);
        words
            .map(|(count, word)| format!("{} {word}", crate::numbers::grouped(count as u64)))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Differences of fresh data to the present ones.
#[derive(Debug)]
pub struct Update {
    specs: &'static [TableSpec],
    present: Arc<Dataset>,
    fresh: Dataset,
    matches: Vec<TableMatch>,
    /// The differences, by table; each with the index of its table.
    pub changes: Vec<(usize, Change)>,
    /// Remarks for the person, such as tables that the files lack.
    pub remarks: Vec<String>,
    /// How the sheets of the fresh data were read.
    pub readings: Vec<SheetReading>,
}

impl Update {
    /// Compares fresh data with the present ones; `normal` is the form in which the problem itself writes the data that it reads
    /// ([`crate::planning::ProblemDescriptor::normal_data`]).
    pub fn of(
        specs: &'static [TableSpec], present: &Arc<Dataset>, fresh: FreshData,
        normal: impl Fn(&Dataset) -> Option<Dataset>,
    ) -> Self {
        let mut remarks = fresh.remarks(specs, present);
        remarks.extend(fresh.notes);
        let (mut data, respelled) = matching::respelled(specs, present, fresh.data);
        if respelled > 0 {
            let verb = if respelled == 1 { "is" } else { "are" };
            let names = counted(respelled as u64, "name");
            remarks.push(format!("{names} {verb} spelled in another way in the files; the project's spelling stays"));
        }
        let tables = || specs.iter().zip(&present.tables).zip(fresh.held.iter().zip(&fresh.excerpts));
        for (((spec, present), (held, is_excerpt)), table) in tables().zip(&mut data.tables) {
            matching::keep_unheld(spec, present, table, held);
            if *is_excerpt {
                matching::keep_missing(spec, present, table);
            }
            matching::in_present_order(spec, present, table);
        }
        let data = normal(&data).unwrap_or(data);
        let pairs = specs.iter().zip(present.tables.iter().zip(&data.tables));
        let matches: Vec<TableMatch> =
            pairs.map(|(spec, (present, fresh))| TableMatch::of(spec, present, fresh)).collect();
        let all = specs.iter().zip(present.tables.iter().zip(&data.tables)).zip(&matches).enumerate();
        let changes = all.flat_map(|(table, ((spec, (present, fresh)), found))| {
            found.changes(spec, present, fresh).into_iter().map(move |change| (table, change))
        });
        let changes = changes.collect();
        Self { specs, present: Arc::clone(present), fresh: data, matches, changes, remarks, readings: Vec::new() }
    }

    /// Numbers of differences in each table.
    pub fn counts(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.specs.len()];
        for (table, change) in &self.changes {
            let count = &mut counts[*table];
            *match change {
                Change::Added { .. } | Change::AddedColumn { .. } => &mut count.added,
                Change::Removed { .. } | Change::RemovedColumn { .. } => &mut count.removed,
                Change::Cell { .. } | Change::MovedColumns => &mut count.changed,
            } += 1;
        }
        counts
    }

    /// A difference in words; empty if there is no such difference.
    pub fn line(&self, index: usize) -> Line {
        let Some(&(table, change)) = self.changes.get(index) else { return Line::default() };
        let (spec, present, fresh) = (&self.specs[table], &self.present.tables[table], &self.fresh.tables[table]);
        let cell = |row: Option<&Row>, column| row.map_or("", |row| row.cell(column)).to_owned();
        let noun = || spec.further.map_or("", |further| further.noun).to_owned();
        match change {
            Change::Added { row } => {
                let (row, after) = words(spec, fresh.rows.get(row));
                Line { kind: "Added", row, after, ..Line::default() }
            }
            Change::Removed { row } => {
                let (row, before) = words(spec, present.rows.get(row));
                Line { kind: "Removed", row, before, ..Line::default() }
            }
            Change::Cell { present: (row, column), fresh: (other, at) } => Line {
                kind: "Changed",
                row: words(spec, present.rows.get(row)).0,
                column: present.heading(spec, column),
                before: cell(present.rows.get(row), column),
                after: cell(fresh.rows.get(other), at),
            },
            Change::AddedColumn { column } => {
                Line { kind: "Added", row: noun(), after: fresh.heading(spec, column), ..Line::default() }
            }
            Change::RemovedColumn { column } => {
                Line { kind: "Removed", row: noun(), before: present.heading(spec, column), ..Line::default() }
            }
            Change::MovedColumns => Line {
                kind: "Changed",
                row: format!("Order of the {}s", noun()),
                column: String::new(),
                before: present.further.join(", "),
                after: fresh.further.join(", "),
            },
        }
    }

    /// A difference as one line of text: «Exams: changed MAT101, Title: «Algebra» → «Algebra I»».
    pub fn text(&self, index: usize) -> String {
        let Line { kind, row, column, before, after } = self.line(index);
        let title = self.changes.get(index).map_or("", |(table, _)| self.specs[*table].title);
        let place = [row, column].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        let values = match kind {
            "Changed" => format!(": {} → {}", quoted(&before), quoted(&after)),
            _ if before.is_empty() && after.is_empty() => String::new(),
            _ => format!(": {before}{after}"),
        };
        format!("{title}: {} {place}{values}", kind.to_lowercase())
    }
}

/// A value between quotation marks; «nothing» for an empty cell.
fn quoted(value: &str) -> String {
    if value.is_empty() { "nothing".to_owned() } else { crate::text::lines::quoted(value) }
}

/// Name of a row, and its other cells.
fn words(spec: &TableSpec, row: Option<&Row>) -> (String, String) {
    let Some(row) = row.filter(|_| !spec.is_form) else { return Default::default() };
    let keys = spec.key_columns();
    let filled = |is_key: bool| {
        let cells =
            row.cells().enumerate().filter(|(column, cell)| keys.contains(column) == is_key && !cell.is_empty());
        cells.map(|(_, cell)| cell).collect::<Vec<_>>()
    };
    (filled(true).join(" · "), filled(false).join(", "))
}

#[cfg(test)]
mod tests;
