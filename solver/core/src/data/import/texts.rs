//! Columns of texts beyond all others, which an import carries along in another table.

use std::collections::HashMap;

use super::{Layout, Mapped};
use crate::data::canonical::is_number;
use crate::data::{Dataset, Row, TableSpec};
use crate::text::columns::plain;
use crate::text::table::is_blank;

/// Texts of the rows of one table.
#[derive(Debug, Default)]
pub(super) struct CarriedTexts {
    /// Headings of the columns, in the order of the sheets.
    headings: Vec<String>,
    /// Name of a row with its texts: column in `headings` and content.
    rows: Vec<(String, Vec<(usize, String)>)>,
}

impl Mapped {
    /// Columns of texts that are carried along, and their headings: those with a heading of their own that no column of the table has,
    /// and of which some cell is no number. Empty if the table carries no texts.
    pub fn text_columns(&self, specs: &[TableSpec]) -> Vec<(usize, String)> {
        let spec = self.mapping.table.map(|table| &specs[table]);
        let Some(spec) = spec.filter(|spec| spec.texts.is_some() && self.mapping.layout == Layout::Rows) else {
            return Vec::new();
        };
        let Some(header) = self.mapping.header else { return Vec::new() };
        let is_named = |at: usize| self.sheet.row(header).1.get(at).is_some_and(|name| !is_blank(name));
        let mut taken: Vec<String> = spec.columns.iter().map(|column| plain(column.title)).collect();
        let mut columns = self.free_columns();
        columns.retain(|(at, name)| {
            let plain = plain(name);
            let is_new = is_named(*at) && !taken.contains(&plain);
            taken.push(plain);
            is_new
        });
        if columns.is_empty() {
            return columns;
        }
        let mut has_text = vec![false; columns.len()];
        self.sheet.walk_from(header + 1, |_, record| {
            for ((at, _), has_text) in columns.iter().zip(&mut has_text) {
                *has_text |= record.get(*at).is_some_and(|cell| !is_blank(cell) && !is_number(cell));
            }
        });
        let mut has_text = has_text.into_iter();
        columns.retain(|_| has_text.next().unwrap_or(false));
        columns
    }
}

impl CarriedTexts {
    /// Keeps the texts of a row: for each of `columns` its content in `cells`.
    pub(super) fn take(&mut self, name: &str, columns: &[(usize, String)], cells: &[&str]) {
        let mut texts = Vec::new();
        for (at, heading) in columns {
            let text = cells.get(*at).map_or("", |cell| cell.trim());
            let known = self.headings.iter().position(|known| known == heading);
            let column = known.unwrap_or_else(|| {
                self.headings.push(heading.clone());
                self.headings.len() - 1
            });
            if !text.is_empty() {
                texts.push((column, text.to_owned()));
            }
        }
        if !texts.is_empty() {
            self.rows.push((name.to_owned(), texts));
        }
    }

    /// Writes the texts into the further columns of a table of these data, beside those that are there.
    pub(super) fn fill(self, specs: &[TableSpec], data: &mut Dataset, id: &str) {
        let Some(at) = specs.iter().position(|spec| spec.id == id).filter(|_| !self.rows.is_empty()) else { return };
        let declared = specs[at].columns.len();
        let table = &mut data.tables[at];
        let places: Vec<usize> = self
            .headings
            .into_iter()
            .map(|heading| {
                let known = table.further.iter().position(|known| plain(known) == plain(&heading));
                declared
                    + known.unwrap_or_else(|| {
                        table.further.push(heading);
                        table.further.len() - 1
                    })
            })
            .collect();
        let width = declared + table.further.len();
        let mut rows: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.cells().map(str::to_owned).collect()).collect();
        rows.iter_mut().for_each(|row| row.resize(width, String::new()));
        let mut known: HashMap<String, usize> = rows.iter().enumerate().map(|(at, row)| (row[0].clone(), at)).collect();
        for (name, texts) in self.rows {
            let at = *known.entry(name.clone()).or_insert_with(|| {
                let mut row = vec![String::new(); width];
                row[0] = name;
                rows.push(row);
                rows.len() - 1
            });
            for (column, text) in texts {
                rows[at][places[column]] = text;
            }
        }
        table.rows = Default::default();
        table.rows.extend(rows.into_iter().map(Row::of));
    }
}
