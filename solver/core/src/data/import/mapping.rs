//! Meaning of the columns of a sheet, and guesses about it.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::{DateOrder, TableSpec, ValueKind, Wide};
use super::sheet::{SAMPLE, Sheet, declared};
use crate::data::canonical::{canonical, is_number};
use crate::text::columns::{self, PlainNames};
use crate::text::headings::is_no_item;
use crate::text::notation::Evidence;
use crate::text::table::names_total;
use crate::text::values;

/// Arrangement of a table of pairs, such as student and exam or department and department.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, strum::VariantArray)]
pub enum Layout {
    /// One line per row of the table.
    #[default]
    Rows,
    /// One line per first item; several columns hold the second items.
    Lists,
    /// One line per first item and one column per second item, whose heading is its name. A cell holds a mark, or the value of
    /// the pair if pairs have one.
    Matrix,
}

/// Meaning of the columns of a sheet for a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// Index of the table; `None` if the sheet is not used.
    pub table: Option<usize>,
    /// Row that names the columns, from 0; rows above it are titles. `None`: the first row is data.
    pub header: Option<usize>,
    /// `columns[k]` = column of the sheet that holds declared column k; the column that the table carries for another one follows.
    pub columns: Vec<Option<usize>>,
    /// Columns of the sheet that are further columns of the table, or that hold second items in a wide arrangement.
    pub listed: Vec<usize>,
    /// Arrangement of the table.
    pub layout: Layout,
    /// Meaning of a date such as `06/05/2026`.
    pub dates: DateOrder,
}

impl Mapping {
    /// Guesses header and columns of a sheet for the table that it is most like; a sheet that is like none is not used. Among tables
    /// that the sheet is equally like, those come first whose rows have names that do not repeat, and then those after which the sheet
    /// is called: examiners and their exams are a table of pairs rather than one of exams.
    pub fn guess(sheet: &Sheet, specs: &[TableSpec]) -> Self {
        let guesses = (0..specs.len()).map(|table| Self::guess_for(sheet, specs, table));
        let mut scored: Vec<(usize, Self)> = guesses.map(|mapping| (mapping.score(specs), mapping)).collect();
        let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
        if best == 0 {
            let first = scored.into_iter().next().map_or_else(|| Self::unused(specs), |(_, mapping)| mapping);
            return Self { table: None, ..first };
        }
        scored.retain(|(score, _)| *score == best);
        let is_alone = scored.len() == 1;
        let preference = |mapping: &Self| {
            let spec = mapping.table.map(|table| &specs[table]).filter(|_| !is_alone);
            spec.map(|spec| (!mapping.repeats_names(sheet, spec), is_called_after(sheet, spec)))
        };
        // The last of the greatest in the reverse order is the first one.
        let found = scored.into_iter().map(|(_, mapping)| mapping).rev().max_by_key(preference);
        found.unwrap_or_else(|| Self::unused(specs))
    }

    /// Returns `true` if names of rows, which tell them apart, stand in several rows of the sheet.
    fn repeats_names(&self, sheet: &Sheet, spec: &TableSpec) -> bool {
        let Some(at) = spec.name_column().and_then(|column| self.columns[column]) else { return false };
        let mut seen = HashSet::new();
        rows_below(sheet, self.header, SAMPLE * 10)
            .filter_map(|mut row| (at < row.len()).then(|| row.swap_remove(at)))
            .any(|name| !name.is_empty() && !seen.insert(columns::plain(&name)))
    }

    fn unused(specs: &[TableSpec]) -> Self {
        let columns = vec![None; specs.first().map_or(0, |spec| spec.columns.len())];
        Self {
            table: None,
            header: None,
            columns,
            listed: Vec::new(),
            layout: Layout::Rows,
            dates: DateOrder::DayFirst,
        }
    }

    /// Guesses header and columns of a sheet for this table.
    pub fn guess_for(sheet: &Sheet, specs: &[TableSpec], table: usize) -> Self {
        Self::guess_below(sheet, specs, table, guess_header(sheet, &specs[table]))
    }

    /// Guesses the columns for a given header row.
    pub fn guess_below(sheet: &Sheet, specs: &[TableSpec], table: usize, header: Option<usize>) -> Self {
        let spec = &specs[table];
        let mut mapping = Self { table: Some(table), header, ..Self::unused(specs) };
        let names = sheet.names(header);
        mapping.columns = match header {
            Some(_) => columns::guess(&names, &declared(spec)),
            None => vec![None; declared(spec).len()],
        };
        let dates = spec.columns.iter().zip(&mapping.columns).filter(|(column, _)| column.holds_dates());
        let dates: Vec<usize> = dates.filter_map(|(_, place)| *place).collect();
        if !dates.is_empty() {
            let rows: Vec<Vec<String>> = rows_below(sheet, header, SAMPLE * 10).collect();
            let cells = dates.iter().flat_map(|at| rows.iter().filter_map(|row| row.get(*at)));
            mapping.dates = values::order_of(cells.map(String::as_str)).unwrap_or_default();
        }
        if let Some(further) = spec.further {
            mapping.listed = mapping.columns_of(sheet, &names, further.kind);
        }
        if spec.wide.is_some() {
            mapping.guess_layout(sheet, specs, table, &names);
        }
        mapping
    }

    /// The mapping without columns whose headings only contain a known name.
    pub(super) fn exact(mut self, sheet: &Sheet, specs: &[TableSpec]) -> Self {
        let Some(spec) = self.table.map(|table| &specs[table]) else { return self };
        let names = sheet.names(self.header);
        let exact = columns::find(names.iter().map(String::as_str), &declared(spec));
        for (column, exact) in self.columns.iter_mut().zip(exact) {
            *column = column.filter(|_| *column == exact);
        }
        self
    }

    /// Unused columns with a heading of whose sampled cells at least half are values of this kind or numbers: what is no value is
    /// reported, and no column is lost for it.
    fn columns_of(&self, sheet: &Sheet, names: &[String], kind: ValueKind) -> Vec<usize> {
        let rows: Vec<Vec<String>> = rows_below(sheet, self.header, SAMPLE).collect();
        let is_free = |at: &usize| !self.columns.contains(&Some(*at)) && !names[*at].starts_with("Column ");
        let holds = |at: &usize| {
            let cells = rows.iter().filter_map(|row| row.get(*at)).filter(|cell| !cell.is_empty());
            let (values, others): (Vec<_>, Vec<_>) = cells.partition(|cell| fits(kind, cell) || is_number(cell));
            !values.is_empty() && values.len() >= others.len()
        };
        (0..names.len()).filter(is_free).filter(holds).filter(|at| !is_no_item(&names[*at])).collect()
    }

    /// Guesses whether second items are in one column, in several, or name columns of their own.
    fn guess_layout(&mut self, sheet: &Sheet, specs: &[TableSpec], table: usize, names: &[String]) {
        let spec = &specs[table];
        let Some(wide) = spec.wide else { return };
        let column = spec.columns[wide.column].column;
        let is_numbered = |name: &String| {
            let plain = columns::plain(name);
            let stem = plain.trim_end_matches(char::is_numeric);
            stem.len() < plain.len() && column.names().any(|known| columns::plain(known) == stem)
        };
        let numbered: Vec<usize> = (0..names.len()).filter(|&at| is_numbered(&names[at])).collect();
        if wide.value.is_none() && numbered.len() >= 2 {
            (self.layout, self.listed) = (Layout::Lists, numbered);
            self.columns[wide.column] = None;
            return;
        }
        let rows: Vec<Vec<String>> = rows_below(sheet, self.header, SAMPLE).collect();
        let kind = wide.value.map_or(ValueKind::Mark, |value| spec.columns[value].kind);
        let is_square = wide.value.is_some() && self.take_square(wide, kind, names, &rows);
        if is_square || self.columns[wide.column].is_some() || names.len() < 3 {
            return;
        }
        // A matrix names its rows in the first column, perhaps without a heading.
        let first = self.columns[wide.row].unwrap_or(0);
        let holds = |at: &usize| {
            let mut cells = rows.iter().filter_map(|row| row.get(*at)).filter(|cell| !cell.is_empty()).peekable();
            cells.peek().is_some() && cells.all(|cell| matches!(cell.as_str(), "-" | "–") || fits(kind, cell))
        };
        let others = (0..names.len()).filter(|at| *at != first && !names_total(&names[*at]));
        let listed: Vec<usize> = others.filter(holds).collect();
        let is_known = self.columns[wide.row].is_some() || wide.value.is_some() && listed.len() + 1 >= names.len();
        // Widths and heights of rectangles are no amounts between their departments: a heading that names a column names no item.
        let headings = || listed.iter().map(|&at| names[at].as_str());
        let names_columns =
            || specs.iter().any(|spec| columns::find(headings(), &declared(spec)).iter().any(Option::is_some));
        if listed.len() >= 2 && is_known && !(wide.value.is_some() && names_columns()) {
            (self.layout, self.listed) = (Layout::Matrix, listed);
            self.columns.fill(None);
            self.columns[wide.row] = Some(first);
        }
    }

    /// Takes a sheet for a matrix if most of its headings behind the first column name its rows, whatever the names mean otherwise;
    /// returns `true` if so.
    fn take_square(&mut self, wide: Wide, kind: ValueKind, names: &[String], rows: &[Vec<String>]) -> bool {
        let items: HashSet<String> =
            rows.iter().filter_map(|row| row.first()).map(|name| columns::plain(name)).collect();
        let others = (1..names.len()).filter(|at| !names_total(&names[*at]));
        let (listed, strangers): (Vec<usize>, Vec<usize>) =
            others.partition(|at| items.contains(&columns::plain(&names[*at])));
        let cells = rows.iter().flat_map(|row| listed.iter().filter_map(move |at| row.get(*at)));
        let (values, wrong): (Vec<&String>, Vec<&String>) = cells
            .filter(|cell| !matches!(cell.as_str(), "" | "-" | "–" | "—"))
            .partition(|cell| fits(kind, cell) || matches!(kind, ValueKind::Number { .. }) && is_number(cell));
        if listed.len() < 2 || strangers.len() >= listed.len() || values.len() <= wrong.len() {
            return false;
        }
        // Headings without a row, as in a triangle without its last line, are items, too; columns without a heading are none.
        let strangers = strangers.into_iter().filter(|at| !names[*at].starts_with("Column "));
        self.listed = listed.into_iter().chain(strangers).collect();
        self.listed.sort_unstable();
        self.layout = Layout::Matrix;
        self.columns.fill(None);
        self.columns[wide.row] = Some(0);
        true
    }

    /// Resemblance of sheets to the tables of a problem: the sum of their scores.
    pub fn resemblance(sheets: &[Sheet], specs: &[TableSpec]) -> usize {
        sheets.iter().map(|sheet| Self::guess(sheet, specs).score(specs)).sum()
    }

    /// Number of recognised columns; 0 if a required one is missing.
    pub fn score(&self, specs: &[TableSpec]) -> usize {
        let Some(spec) = self.table.map(|table| &specs[table]) else { return 0 };
        if spec.is_form || self.missing(spec).is_some() {
            return 0;
        }
        let found = self.columns.iter().flatten().count();
        let wide = usize::from(self.layout != Layout::Rows);
        if found + wide < 1 + usize::from(spec.columns.len() > 1) {
            0
        } else {
            2 * (found + wide) + usize::from(spec.is_required)
        }
    }

    /// Sentence about a required column that is not assigned; `None` if all are.
    pub fn missing(&self, spec: &TableSpec) -> Option<String> {
        let wide = spec.wide.filter(|_| self.layout != Layout::Rows);
        for (at, column) in spec.columns.iter().enumerate() {
            let is_listed = wide.is_some_and(|wide| wide.column == at || wide.value == Some(at));
            if column.column.required && self.columns.get(at).copied().flatten().is_none() && !is_listed {
                return Some(format!("{}: say which column holds “{}”", spec.title, column.title));
            }
        }
        if (wide.is_some() || spec.further.is_some()) && self.listed.is_empty() {
            let noun = spec.further.map_or("item", |further| further.noun);
            return Some(format!("{}: say which columns are {noun}s", spec.title));
        }
        if self.columns.iter().all(Option::is_none) {
            return Some(format!("{}: say what the columns hold", spec.title));
        }
        None
    }
}

/// Returns `true` if a cell is a value of this kind once it is in canonical form.
fn fits(kind: ValueKind, cell: &str) -> bool {
    // An empty value is one, such as the mark «no».
    let value = canonical(kind, cell, DateOrder::DayFirst);
    // The column decides on a number with two readings.
    let is_decided_later = || matches!(kind, ValueKind::Number { .. }) && Evidence::default().doubt(cell).is_some();
    value.is_empty() || super::super::reading::wrong(&value, kind).is_none() || is_decided_later()
}

/// Returns `true` if the name of a sheet is that of a table or, perhaps in the plural, one of its first column.
fn is_called_after(sheet: &Sheet, spec: &TableSpec) -> bool {
    /// Longest ending of a plural: «Prüfungen».
    const ENDING: usize = 2;
    let called = columns::plain(&crate::text::stem(Path::new(sheet.name())));
    let is_plural = |name: String| {
        let ending = called.strip_prefix(name.as_str());
        ending.is_some_and(|ending| ending.len() <= ENDING && ending.chars().all(char::is_alphabetic))
    };
    let of_first = || spec.columns.first().into_iter().flat_map(|column| column.column.names());
    [spec.id, spec.title].into_iter().any(|name| columns::plain(name) == called)
        || of_first().any(|name| is_plural(columns::plain(name)))
}

/// Cells of the first rows below the header.
fn rows_below(sheet: &Sheet, header: Option<usize>, most: usize) -> impl Iterator<Item = Vec<String>> + '_ {
    let first = header.map_or(0, |row| row + 1);
    (first..sheet.len()).take(most).map(|row| sheet.row(row).1)
}

fn guess_header(sheet: &Sheet, spec: &TableSpec) -> Option<usize> {
    let names = PlainNames::of(&declared(spec));
    let rows = sheet.head();
    let score = |row: &[String]| {
        let found = names.find(row.iter().map(String::as_str));
        let letters = |at: usize| row.get(at).map_or(0, |heading| heading.trim().chars().count());
        // «A» alone names an item rather than a column.
        let is_heading = found.iter().flatten().any(|&at| letters(at) > 1);
        if is_heading { found.iter().flatten().count() } else { 0 }
    };
    let scores = rows.iter().map(|row| score(row)).enumerate();
    let best = scores.max_by_key(|&(at, score)| (score, std::cmp::Reverse(at))).filter(|&(_, score)| score > 0);
    // A header of unknown words has neither gaps nor numbers.
    let unknown = || {
        let is_name = |cell: &String| cell.chars().any(char::is_alphabetic) && !cell.contains(char::is_numeric);
        let is_header = |row: &&Vec<String>| row.len() > 1 && row.iter().skip(1).all(is_name);
        rows.first().filter(is_header).map(|_| 0)
    };
    best.map(|(at, _)| at).or_else(unknown)
}

/// Median of some widths; 0 if there are none.
pub(super) fn median(widths: &[usize]) -> usize {
    let mut sorted = widths.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}
