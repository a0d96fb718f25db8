//! Import of tables of any form: sheets of files, workbooks or the clipboard, whose columns a person assigns.
//!
//! A file becomes one or more [`Sheet`]s; a [`Mapping`], guessed and then corrected by the person, assigns a sheet to a table of
//! the problem and its columns to the table's; [`run`] makes a [`Dataset`] of all of them and reports every line and value that
//! cannot be used. Nothing is left out or taken for something else without a [`Problem`] or a count that says so.

mod filling;
mod mapping;
mod numbers;
mod opening;
mod remembered;
mod sheet;
mod texts;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Dataset, TableSpec, ValueKind};
use crate::text::lines::counted;

pub use crate::text::decoding::Encoding;
pub use crate::text::lines::Effect;
pub use mapping::{Layout, Mapping};
pub use opening::{has_required_table, not_used, open_beside, open_tables, open_tables_and_leave};
pub use remembered::{SheetReading, read_as_before};
pub use sheet::{DELIMITERS, Sheet};

/// Largest number of problems that are kept; further ones are only counted.
const MOST_PROBLEMS: usize = 200_000;

/// Treatment of lines and values that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BadLines {
    /// The import is refused while there are any.
    #[default]
    Stop,
    /// They are left out and listed in the report.
    LeaveOut,
}

/// Treatment of names that the table which they refer to lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownNames {
    /// The line is invalid.
    #[default]
    AreWrong,
    /// A name that differs from a single one of the table in punctuation, accents and case only is taken for this one; other
    /// lines are invalid.
    AreMeant,
    /// A row with the name alone is added to the table.
    AreAdded,
    /// As [`Self::AreMeant`] for names with a single similar one, as [`Self::AreAdded`] for others.
    AreMeantOrAdded,
}

impl UnknownNames {
    /// Returns `true` if a single similar name is meant.
    fn are_meant(self) -> bool {
        matches!(self, Self::AreMeant | Self::AreMeantOrAdded)
    }

    /// Returns `true` if a name for which no other one stands is added.
    fn are_added(self) -> bool {
        matches!(self, Self::AreAdded | Self::AreMeantOrAdded)
    }
}

/// Treatment of unknown names by the table that lacks them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnknownPolicy {
    /// Treatment for tables without one of their own.
    usual: UnknownNames,
    /// Tables and their own treatment.
    own: BTreeMap<usize, UnknownNames>,
}

impl From<UnknownNames> for UnknownPolicy {
    fn from(usual: UnknownNames) -> Self {
        Self { usual, own: BTreeMap::new() }
    }
}

impl UnknownPolicy {
    /// Treatment of names that the table with this index lacks.
    pub fn of(&self, table: usize) -> UnknownNames {
        self.own.get(&table).copied().unwrap_or(self.usual)
    }

    /// Sets the treatment of names that the table with this index lacks.
    pub fn set(&mut self, table: usize, unknown: UnknownNames) {
        self.own.insert(table, unknown);
    }
}

/// Names of the lines that a table lacks, compared without regard to case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnknownCount {
    /// Number of different names.
    pub names: usize,
    /// Number of those that differ from a single name of the table in punctuation, accents and case only.
    pub similar: usize,
}

/// Sheet with the meaning of its columns.
#[derive(Debug, Clone)]
pub struct Mapped {
    /// Table of text.
    pub sheet: Arc<Sheet>,
    /// Meaning of its columns.
    pub mapping: Mapping,
}

impl Mapped {
    /// Names of the columns of a sheet that are not used.
    pub fn unused_columns(&self, specs: &[TableSpec]) -> Vec<String> {
        let texts = self.text_columns(specs);
        let names = self.free_columns().into_iter();
        names.filter(|(at, _)| texts.iter().all(|(text, _)| text != at)).map(|(_, name)| name).collect()
    }

    /// Texts of a column below the header.
    fn texts_of(&self, column: usize) -> Vec<String> {
        let mut texts = Vec::new();
        let first = self.mapping.header.map_or(0, |row| row + 1);
        self.sheet.walk_from(first, |_, record| {
            texts.extend(record.get(column).map(|cell| crate::text::table::content(cell).to_owned()));
        });
        texts
    }

    /// Column of the remarks of an excerpt; `None` if the sheet is the whole table.
    pub(crate) fn remarks_column(&self, specs: &[TableSpec]) -> Option<usize> {
        let wanted = specs[self.mapping.table?].excerpt?;
        let free = self.free_columns().into_iter();
        free.filter(|(_, name)| name.trim().eq_ignore_ascii_case(wanted)).map(|(at, _)| at).next()
    }

    /// Columns of the sheet without a meaning in its table, and their names.
    fn free_columns(&self) -> Vec<(usize, String)> {
        let Mapping { header, columns, listed, .. } = &self.mapping;
        let is_used = |at: usize| columns.contains(&Some(at)) || listed.contains(&at);
        let names = self.sheet.names(*header).into_iter().enumerate();
        names.filter(|(at, _)| !is_used(*at)).collect()
    }
}

/// Sheets to import and treatment of their errors.
#[derive(Debug, Clone)]
pub struct Request {
    /// Name of the instance.
    pub name: String,
    /// Sheets; those without a table are not read.
    pub sheets: Vec<Mapped>,
    /// Rows of the forms, and of tables without a sheet.
    pub base: Dataset,
    /// Treatment of invalid lines.
    pub bad_lines: BadLines,
    /// Treatment of unknown names.
    pub unknown: UnknownPolicy,
}

/// Problem found in a line of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Index of the sheet in the request.
    pub sheet: usize,
    /// Line of the sheet, from 1; 0 if the problem concerns the whole sheet.
    pub line: usize,
    /// Heading of the column; empty if the whole line is meant.
    pub column: String,
    /// Content of the cell; empty if the whole line is meant.
    pub value: String,
    /// Description of the problem, with the remedy.
    pub what: String,
    /// Consequence of an import in spite of the problem.
    pub effect: Effect,
}

/// Numbers of used and unused lines of a sheet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCount {
    /// Nonempty lines below the header.
    pub lines: usize,
    /// Lines that are left out because they cannot be used.
    pub left_out: usize,
    /// Values that are left out of lines that are used otherwise.
    pub values_left_out: usize,
    /// Lines that repeat an earlier one, or the header, and totals.
    pub repeats: usize,
    /// Names that are written in another way than where they were first met.
    pub respelled: usize,
    /// Names that were added to their table.
    pub added: usize,
}

/// Result of an import before it is kept.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The data without the unused lines.
    pub data: Dataset,
    /// Line counts of each sheet of the request.
    pub counts: Vec<LineCount>,
    /// Problems, by sheet and line.
    pub problems: Vec<Problem>,
    /// Number of problems that were not kept.
    pub more_problems: usize,
    /// Unknown names by the table that lacks them, however they are treated; tables without any are absent.
    pub unknown: BTreeMap<usize, UnknownCount>,
    /// Reason why the import is refused, with its remedy; `None` if it is possible.
    pub obstacle: Option<String>,
}

impl Outcome {
    /// Number of lines and values that an import would lose.
    pub fn losses(&self) -> usize {
        self.counts.iter().map(|count| count.left_out + count.values_left_out).sum()
    }
}

/// For each table the length of the longest chain of references from it to other tables; tables that refer to each other in a circle
/// have the number of tables.
fn reference_levels(specs: &[TableSpec]) -> Vec<usize> {
    let targets = |spec: &TableSpec| {
        let ids = spec.columns.iter().filter_map(|column| match column.kind {
            ValueKind::Reference(id) | ValueKind::References(id) if id != spec.id => Some(id),
            _ => None,
        });
        ids.filter_map(|id| specs.iter().position(|spec| spec.id == id)).collect::<Vec<usize>>()
    };
    let mut levels = vec![0; specs.len()];
    for _ in specs {
        for (table, spec) in specs.iter().enumerate() {
            let deepest = targets(spec).into_iter().map(|target| levels[target] + 1).max();
            levels[table] = deepest.unwrap_or(0).min(specs.len());
        }
    }
    levels
}

/// Reads all sheets of a request; keeps nothing on disk.
pub fn run(specs: &'static [TableSpec], request: &Request) -> Outcome {
    let mut filling = filling::Filling::new(specs, request);
    let used = || request.sheets.iter().filter_map(|mapped| Some((mapped, mapped.mapping.table?)));
    let missing = used().find_map(|(mapped, table)| mapped.mapping.missing(&specs[table]));
    let lacking = specs.iter().enumerate().find(|(at, spec)| {
        spec.is_required && !used().any(|(_, table)| table == *at) && request.base.tables[*at].rows.is_empty()
    });
    let lacking = lacking.map(|(_, spec)| format!("Choose the sheet that holds the table “{}”", spec.title));
    if let Some(obstacle) = missing.or(lacking) {
        return Outcome { obstacle: Some(obstacle), ..filling.finish() };
    }
    // What dates count from is read first. Of the others, tables whose rows have names come first, each behind those that it refers to.
    let levels = reference_levels(specs);
    let rank = |table: usize| {
        let spec = &specs[table];
        (!spec.is_first, spec.name_column().is_none(), spec.carried.is_some() || levels[table] > 0, levels[table])
    };
    let mut order: Vec<(usize, usize)> =
        request.sheets.iter().enumerate().filter_map(|(at, mapped)| Some((at, mapped.mapping.table?))).collect();
    order.sort_by_key(|&(_, table)| rank(table));
    for (at, table) in order {
        filling.read(at, &request.sheets[at], table);
    }
    let mut outcome = filling.finish();
    let losses = outcome.losses();
    if losses > 0 && request.bad_lines == BadLines::Stop {
        let verb = if losses == 1 { "There is" } else { "There are" };
        outcome.obstacle = Some(format!(
            "{verb} {} that cannot be used; correct the files, or choose to leave them out",
            counted(losses, "line or value").replace("line or values", "lines or values")
        ));
    }
    outcome
}

/// A problem as a line of text: sheet, line, column, value and reason.
pub fn problem_line(request: &Request, problem: &Problem) -> String {
    let sheet = request.sheets.get(problem.sheet).map_or("", |mapped| mapped.sheet.name());
    let mut place = vec![sheet.to_owned()];
    if problem.line > 0 {
        place.push(format!("line {}", problem.line));
    }
    if !problem.column.is_empty() {
        place.push(problem.column.clone());
    }
    format!("{}: {}", place.join(", "), problem.what)
}

/// All problems as a CSV table: sheet, line, column, value, reason.
pub fn problems_csv(request: &Request, outcome: &Outcome) -> String {
    let row = |problem: &Problem| {
        let sheet = request.sheets.get(problem.sheet).map_or("", |mapped| mapped.sheet.name());
        let line = if problem.line > 0 { problem.line.to_string() } else { String::new() };
        vec![sheet.to_owned(), line, problem.column.clone(), problem.value.clone(), problem.what.clone()]
    };
    crate::text::table::write_table(&["sheet", "line", "column", "value", "reason"], outcome.problems.iter().map(row))
}
