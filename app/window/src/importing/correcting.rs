//! Single values that a person corrects in the dialog. The file stays as it is; the corrections outlive another reading of it.

use std::path::PathBuf;
use std::sync::Arc;

use gridwright_core::data::import::{Mapped, Sheet};

use super::Dialog;

/// A cell of a sheet, what its file says there, and what is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Correction {
    path: PathBuf,
    sheet: String,
    /// Line of the sheet, from 1.
    line: usize,
    column: usize,
    before: String,
    after: String,
}

/// All corrections of an import.
#[derive(Default)]
pub(super) struct Corrections(Vec<Correction>);

/// The row that begins in this line.
fn row_in(sheet: &Sheet, line: usize) -> Option<usize> {
    sheet.row_of_line(line).filter(|row| sheet.row(*row).0 == line)
}

fn content(sheet: &Sheet, row: usize, column: usize) -> String {
    sheet.row(row).1.get(column).cloned().unwrap_or_default()
}

impl Corrections {
    fn of<'a>(&'a self, sheet: &'a Sheet) -> impl Iterator<Item = &'a Correction> {
        self.0.iter().filter(|correction| correction.path == sheet.path() && correction.sheet == sheet.name())
    }

    /// Number of corrected cells of a sheet.
    pub(super) fn count(&self, sheet: &Sheet) -> usize {
        self.of(sheet).count()
    }

    /// Text that the file has in a corrected cell.
    pub(super) fn before<'a>(&'a self, sheet: &'a Sheet, line: usize, column: usize) -> Option<&'a str> {
        let here = |correction: &&Correction| (correction.line, correction.column) == (line, column);
        self.of(sheet).find(here).map(|correction| correction.before.as_str())
    }

    /// Notes that a cell is to hold `text`; returns the sheet with it.
    fn correct(&mut self, sheet: &Sheet, (row, column): (usize, usize), text: &str) -> Option<Sheet> {
        let line = sheet.row(row).0;
        let present = content(sheet, row, column);
        let before = self.before(sheet, line, column).map_or(present, str::to_owned);
        let (path, name) = (sheet.path().to_path_buf(), sheet.name().to_owned());
        let corrected = sheet.with_cell(row, column, text)?;
        let is_here =
            |other: &Correction| (&other.path, &other.sheet, other.line, other.column) == (&path, &name, line, column);
        self.0.retain(|other| !is_here(other));
        if before != text {
            self.0.push(Correction { path, sheet: name, line, column, before, after: text.to_owned() });
        }
        Some(corrected)
    }

    /// Corrects a sheet that was read again. Returns the places of corrections that no longer fit because the file says
    /// something else there now; these corrections are given up.
    pub(super) fn apply(&mut self, sheet: &mut Sheet) -> Vec<String> {
        let (mut kept, mut given_up) = (Vec::new(), Vec::new());
        for correction in std::mem::take(&mut self.0) {
            let Correction { line, column, before, after, .. } = &correction;
            if correction.path != sheet.path() || correction.sheet != sheet.name() {
                kept.push(correction);
                continue;
            }
            let row = row_in(sheet, *line);
            match row.map(|row| (row, content(sheet, row, *column))) {
                // The file was corrected in the same way.
                Some((_, present)) if present == *after => {}
                Some((row, present)) if present == *before => {
                    if let Some(corrected) = sheet.with_cell(row, *column, after) {
                        *sheet = corrected;
                        kept.push(correction);
                    }
                }
                _ => given_up.push(format!("{}, line {line}: «{after}»", sheet.name())),
            }
        }
        self.0 = kept;
        given_up
    }
}

impl Dialog {
    /// Puts a text into a cell of a sheet, as the person corrected it.
    pub(super) fn correct(&mut self, sheet: usize, cell: (usize, usize), text: &str) {
        let Some(Mapped { sheet, .. }) = self.sheets.get_mut(sheet) else { return };
        if content(sheet, cell.0, cell.1) == text {
            return;
        }
        if let Some(corrected) = self.choices.corrections.correct(sheet, cell, text) {
            *sheet = Arc::new(corrected);
            self.changed();
        }
    }
}
