//! Cells of a sheet in any order, and their conversion to comma-separated text.

use super::{MOST_CELLS, MOST_TEXT, Read};
use crate::workbook::{MAX_COLUMNS, MAX_ROWS};

/// Size of the sheets of a workbook that were read so far.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Number of cells between A1 and the last row and column of each sheet.
    cells: usize,
    /// Bytes of text.
    text: usize,
}

/// Cell with content; row and column count from 0.
#[derive(Debug, Clone, Copy)]
struct Cell {
    row: u32,
    column: u32,
    /// Beginning and end of the content in the text of the grid.
    text: (u32, u32),
}

/// Texts that cells refer to by their number.
#[derive(Debug, Default)]
pub(super) struct Strings {
    /// All texts, one after the other.
    text: String,
    /// End of each text.
    ends: Vec<u32>,
}

impl Strings {
    /// Adds a text.
    ///
    /// # Errors
    /// Text that names the limit which the texts exceed.
    pub(super) fn push(&mut self, text: &str) -> Read<()> {
        if self.text.len() + text.len() > MOST_TEXT {
            return Err(too_much_text());
        }
        if self.ends.len() == MOST_CELLS {
            return Err(format!("the workbook has more than {MOST_CELLS} shared texts; save the table as CSV"));
        }
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        Ok(())
    }

    /// The text with this number, from 0.
    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }
}

/// Cells of one sheet.
#[derive(Debug, Default)]
pub(super) struct Grid {
    /// Contents of all cells, one after the other.
    text: String,
    cells: Vec<Cell>,
}

impl Grid {
    /// Adds a cell; rows and columns count from 0. Cells without content are left out.
    ///
    /// # Errors
    /// Text that names the limit which the cell exceeds.
    pub(super) fn put(&mut self, row: u64, column: u64, content: &str) -> Read<()> {
        let content = content.trim();
        if content.is_empty() {
            return Ok(());
        }
        if row > MAX_ROWS as u64 || column >= MAX_COLUMNS as u64 {
            return Err(format!(
                "a cell lies in row {}, column {}, outside of any sheet (at most {} rows and {MAX_COLUMNS} columns); save \
                 the workbook again",
                row.saturating_add(1),
                column.saturating_add(1),
                MAX_ROWS + 1
            ));
        }
        if self.text.len() + content.len() > MOST_TEXT {
            return Err(too_much_text());
        }
        if self.cells.len() == MOST_CELLS {
            return Err(format!("a sheet has more than {MOST_CELLS} cells with content; {DELETE}"));
        }
        let start = self.text.len() as u32;
        self.text.push_str(content);
        self.cells.push(Cell { row: row as u32, column: column as u32, text: (start, self.text.len() as u32) });
        Ok(())
    }

    /// Sheet as comma-separated text with equally many cells in every row; `None` without any cell.
    ///
    /// # Errors
    /// Text that names the limit which the sheets read so far exceed together with this one.
    pub(super) fn into_text(mut self, name: &str, totals: &mut Totals) -> Read<Option<String>> {
        // Of two entries for a cell the later one counts.
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
        let (Some(first), Some(last)) = (self.cells.first().copied(), self.cells.last().copied()) else {
            return Ok(None);
        };
        let (rows, columns) = (last.row + 1, 1 + self.cells.iter().map(|cell| cell.column).max().unwrap_or(0));
        totals.cells = totals.cells.saturating_add(rows as usize * columns as usize);
        totals.text += self.text.len();
        if totals.cells > MOST_CELLS {
            return Err(format!(
                "sheet {} reaches to row {rows}, column {columns}; all sheets together may have {MOST_CELLS} cells; \
                 {DELETE}",
                crate::text::lines::quoted(name)
            ));
        }
        if totals.text > MOST_TEXT {
            return Err(too_much_text());
        }
        let mut writer = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        let mut cells = self.cells.iter().peekable();
        let mut record = Vec::new();
        for row in first.row..rows {
            record.clear();
            record.resize(columns as usize, String::new());
            while let Some(cell) = cells.next_if(|cell| cell.row == row) {
                let content = &self.text[cell.text.0 as usize..cell.text.1 as usize];
                record[cell.column as usize] = content.replace(['\n', '\r'], " ");
            }
            // Writing to memory does not fail.
            let _ = writer.write_record(&record);
        }
        let text = writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        Ok(Some("\n".repeat(first.row as usize) + &text))
    }
}

/// Remedy for sheets that are too large.
const DELETE: &str = "delete the cells that do not belong to the table, or save it as CSV";

pub(super) fn too_much_text() -> String {
    format!("the cells hold more than {} MiB of text; {DELETE}", MOST_TEXT >> 20)
}
