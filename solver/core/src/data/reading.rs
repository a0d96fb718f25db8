//! Reading of cells as values, with an issue for each one that makes no sense.

use chrono::{NaiveDate, NaiveTime};

use super::canonical::{NameIndex, is_number};
use super::lists::{moments, references};
use super::{DataTable, Dataset, Row, TableSpec, ValueKind};
use crate::Error;
use crate::text::lines::quoted;
use crate::text::notation::Evidence;
use crate::text::values::{self, DateOrder};

/// Largest number of issues that are collected; a wrong table would fill the memory with them.
const MOST_ISSUES: usize = 10_000;

/// Reason why a cell, a row, a table or the data as a whole cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// Index of the table; `None` if the data as a whole are meant.
    pub table: Option<usize>,
    /// Index of the row; `None` if the table is meant.
    pub row: Option<usize>,
    /// Index of the column over declared and further columns; `None` if the row is meant.
    pub column: Option<usize>,
    /// Found and expected content, with the remedy.
    pub what: String,
}

/// Issue about the data as a whole, for an error of a constructor about the instance of this name.
pub(crate) fn as_whole_issue(name: &str, error: &Error) -> Issue {
    let text = error.to_string();
    let what = text.strip_prefix(&format!("{name}: ")).unwrap_or(&text).to_owned();
    Issue { table: None, row: None, column: None, what }
}

/// Error with the first issues of a dataset.
pub(super) fn error_of(name: &str, specs: &[TableSpec], issues: &[Issue]) -> Error {
    const SHOWN: usize = 5;
    let mut lines: Vec<String> = issues.iter().take(SHOWN).map(|issue| issue.text(specs)).collect();
    if issues.len() > SHOWN {
        lines.push(format!("… and {} more", issues.len() - SHOWN));
    }
    Error::Usage(format!("{name}: {}", lines.join("; ")))
}

impl Issue {
    /// The issue with its place, such as «Jobs, row 3, Due date: “soon” is not a whole number».
    pub fn text(&self, specs: &[TableSpec]) -> String {
        let Some(spec) = self.table.and_then(|table| specs.get(table)) else { return self.what.clone() };
        let row = self.row.filter(|_| !spec.is_form);
        let row = row.map_or_else(String::new, |row| format!(", row {}", row + 1));
        let title = self.column.and_then(|column| spec.columns.get(column)).map(|column| column.title);
        let column = title.map_or_else(String::new, |title| format!(", {title}"));
        format!("{}{row}{column}: {}", spec.title, self.what)
    }
}

/// Reader of a dataset: values of cells, and the issues found so far.
///
/// Construction checks every cell against its column: kinds and ranges, required values, unique names, references. The typed
/// functions of [`RowReader`] therefore return `None` for missing and for wrong values alike.
pub struct Reader<'a> {
    data: &'a Dataset,
    specs: &'static [TableSpec],
    issues: Vec<Issue>,
    /// Rows by name, for tables with a column of names.
    names: Vec<NameIndex<'a>>,
}

/// Row of a [`Reader`].
#[derive(Clone, Copy)]
pub struct RowReader<'a> {
    /// Index of the row.
    pub index: usize,
    row: &'a Row,
    spec: &'static TableSpec,
}

impl<'a> Reader<'a> {
    /// Checks all cells.
    pub fn new(data: &'a Dataset, specs: &'static [TableSpec]) -> Self {
        let mut reader = Self { data, specs, issues: Vec::new(), names: Vec::new() };
        for (at, (spec, table)) in specs.iter().zip(&data.tables).enumerate() {
            let names = reader.names_of(at, spec, table);
            reader.names.push(names);
        }
        for (at, (spec, table)) in specs.iter().zip(&data.tables).enumerate() {
            reader.check_table(at, spec, table);
        }
        reader
    }

    /// Rows by name; empty names and repeated ones become issues.
    fn names_of(&mut self, at: usize, spec: &TableSpec, table: &'a DataTable) -> NameIndex<'a> {
        let mut names = NameIndex::default();
        let Some(column) = spec.name_column() else { return names };
        for (row, cells) in table.rows.iter().enumerate() {
            let name = cells.cell(column);
            if name.is_empty() {
                self.issue(at, Some(row), Some(column), format!("the {} has no name; give it one", spec.noun));
            } else if let Some(first) = names.exact(name) {
                let what = format!("{} is the name of row {}, too; rename one", quoted(name), first + 1);
                self.issue(at, Some(row), Some(column), what);
            } else {
                names.insert(name, row);
            }
        }
        names
    }

    fn check_table(&mut self, at: usize, spec: &TableSpec, table: &DataTable) {
        if spec.is_form && table.rows.len() != 1 {
            self.issue(at, None, None, format!("there are {} rows; there must be one", table.rows.len()));
        }
        let width = table.width(spec);
        let targets: Vec<Option<usize>> = (0..width).map(|column| self.target(spec.kind(column))).collect();
        for (row, cells) in table.rows.iter().enumerate() {
            for (column, cell) in cells.cells().take(width).enumerate() {
                let kind = spec.kind(column);
                let is_required = spec.columns.get(column).is_some_and(|column| column.column.required);
                let wrong = match (cell.is_empty(), targets[column]) {
                    (true, _) if is_required && kind != ValueKind::Name => Some("the value is missing".to_owned()),
                    (true, _) => None,
                    (false, Some(table)) => self.unknown(table, cell, kind).map(|name| {
                        let title = self.specs[table].title;
                        format!("{} is not in the table “{title}”; add it there, or correct it", quoted(name))
                    }),
                    (false, None) => wrong(cell, kind),
                };
                if let Some(what) = wrong {
                    self.issue(at, Some(row), Some(column), what);
                }
            }
        }
    }

    /// First name in a cell that the table which it refers to does not have.
    fn unknown<'c>(&self, table: usize, cell: &'c str, kind: ValueKind) -> Option<&'c str> {
        let names = &self.names[table];
        if names.get(cell).is_some() {
            return None;
        }
        let is_list = matches!(kind, ValueKind::References(_));
        if is_list { references(cell).find(|name| names.get(name).is_none()) } else { Some(cell) }
    }

    /// Index of the table that a column refers to.
    fn target(&self, kind: ValueKind) -> Option<usize> {
        let (ValueKind::Reference(id) | ValueKind::References(id)) = kind else { return None };
        self.specs.iter().position(|spec| spec.id == id).filter(|&table| table < self.names.len())
    }

    /// Adds an issue about a cell, a row (`column` is `None`) or a table (`row` is `None`).
    pub fn issue(&mut self, table: usize, row: Option<usize>, column: Option<usize>, what: impl Into<String>) {
        if self.issues.len() < MOST_ISSUES {
            self.issues.push(Issue { table: Some(table), row, column, what: what.into() });
        }
    }

    /// Rows of a table, by its index.
    pub fn rows(&self, table: usize) -> impl Iterator<Item = RowReader<'a>> + use<'a> {
        let spec = &self.specs[table];
        let rows = self.data.tables.get(table).map(|table| &table.rows);
        rows.into_iter().flat_map(|rows| rows.iter()).enumerate().map(move |(index, row)| RowReader {
            index,
            row,
            spec,
        })
    }

    /// The row of a form; `None` if there is none.
    pub fn form(&self, table: usize) -> Option<RowReader<'a>> {
        self.rows(table).next()
    }

    /// Names of the further columns of a table.
    pub fn further(&self, table: usize) -> &'a [String] {
        self.data.tables.get(table).map_or(&[], |table| &table.further)
    }

    /// Index of the row of this name in a table with a column of names; `None` if there is none.
    pub fn index_of(&self, table: usize, name: &str) -> Option<usize> {
        self.names.get(table)?.get(name)
    }

    /// A name as its row in a table with a column of names spells it; an unknown name stays as it is.
    pub fn spelled(&self, table: usize, name: &'a str) -> &'a str {
        let column = self.specs[table].name_column();
        let row = self.index_of(table, name).and_then(|row| self.data.tables.get(table)?.rows.get(row));
        row.zip(column).map_or(name, |(row, column)| row.cell(column))
    }

    /// Names in a cell that refers to rows of a table: one name with its separators, or a list of names.
    pub fn listed(&self, table: usize, cell: &'a str) -> Vec<&'a str> {
        if self.index_of(table, cell).is_some() { vec![cell] } else { references(cell).collect() }
    }

    /// The instance that `build` makes, if no issue was found; an error of `build` becomes an issue about the whole.
    ///
    /// # Errors
    /// All issues.
    pub fn finish<T>(self, build: impl FnOnce() -> crate::Result<T>) -> Result<T, Vec<Issue>> {
        if !self.issues.is_empty() {
            return Err(self.issues);
        }
        build().map_err(|error| vec![as_whole_issue(&self.data.name, &error)])
    }
}

/// Reason why a cell with content is not a value of this kind.
pub(super) fn wrong(cell: &str, kind: ValueKind) -> Option<String> {
    let range = |least: &str, most: &str| format!("{} is outside of {least} to {most}", quoted(cell));
    match kind {
        ValueKind::Text | ValueKind::Name | ValueKind::Reference(_) | ValueKind::References(_) => None,
        ValueKind::Moments => moments(cell, DateOrder::DayFirst).err(),
        ValueKind::Whole { least, most } => match cell.parse::<u64>() {
            Ok(value) if (least..=most).contains(&value) => None,
            Ok(_) => Some(range(&least.to_string(), &most.to_string())),
            Err(_) => Some(misread(cell).unwrap_or_else(|| match is_number(cell) && !cell.starts_with('-') {
                true => format!("{} is not a whole number; round it, or use a smaller unit everywhere", quoted(cell)),
                false => no_number(cell, "a whole number"),
            })),
        },
        ValueKind::Number { least, most } => misread(cell).or_else(|| match cell.parse::<f64>() {
            Ok(value) if value.is_finite() && (least..=most).contains(&value) => None,
            Ok(value) if value.is_finite() => Some(range(&least.to_string(), &most.to_string())),
            _ => Some(no_number(cell, "a number")),
        }),
        ValueKind::Minutes => values::duration(cell).err(),
        ValueKind::Date => values::date(cell, DateOrder::DayFirst).err(),
        ValueKind::Time => values::time(cell).err(),
        ValueKind::Choice(choices) => {
            let words = || choices.iter().map(|choice| choice.text);
            let is_known = words().any(|word| word == cell);
            (!is_known).then(|| format!("{} is not one of {}", quoted(cell), words().collect::<Vec<_>>().join(", ")))
        }
        ValueKind::Mark => {
            (cell != "yes").then(|| format!("{} is no mark; write yes, or leave it empty", quoted(cell)))
        }
    }
}

/// Message about a text that a reader of numbers must not take for one: it has two readings, or is in hours and minutes.
fn misread(cell: &str) -> Option<String> {
    Evidence::default().doubt(cell).or_else(|| values::in_hours_and_minutes(cell))
}

/// Reason why a cell that should hold a number does not.
fn no_number(cell: &str, wanted: &str) -> String {
    let is_date = values::date(cell, DateOrder::DayFirst).is_ok();
    let (cell, found) = (quoted(cell), if is_date { "is a date and" } else { "is" });
    format!("{cell} {found} not {wanted}")
}

impl<'a> RowReader<'a> {
    /// Text of a cell.
    pub fn text(&self, column: usize) -> &'a str {
        self.row.cell(column)
    }

    /// Whole number in a cell; `None` if the cell is empty or wrong.
    pub fn whole(&self, column: usize) -> Option<u64> {
        self.text(column).parse().ok()
    }

    /// Number in a cell; `None` if the cell is empty or wrong.
    pub fn number(&self, column: usize) -> Option<f64> {
        self.text(column).parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Length of time in minutes; `None` if the cell is empty or wrong.
    pub fn minutes(&self, column: usize) -> Option<u32> {
        values::duration(self.text(column)).ok()
    }

    /// Date in a cell; `None` if the cell is empty or wrong.
    pub fn date(&self, column: usize) -> Option<NaiveDate> {
        values::date(self.text(column), DateOrder::DayFirst).ok()
    }

    /// Time of day in a cell; `None` if the cell is empty or wrong.
    pub fn time(&self, column: usize) -> Option<NaiveTime> {
        values::time(self.text(column)).ok()
    }

    /// True if a cell holds a mark.
    pub fn is_marked(&self, column: usize) -> bool {
        self.text(column) == "yes"
    }

    /// Cells beyond the declared columns.
    pub fn further(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.row.cells().skip(self.spec.columns.len())
    }
}
