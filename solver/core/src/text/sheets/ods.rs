//! OpenDocument spreadsheets: tables with repeated rows and cells.

use quick_xml::events::{BytesStart, Event};

use super::dates::Shown;
use super::package::{Package, attribute, push_text};
use super::{Grid, MOST_CELLS, MOST_TEXT, Read};

/// Part that holds all sheets.
pub(super) const CONTENT: &str = "content.xml";

/// Sheet that is being read.
#[derive(Default)]
struct OpenSheet {
    name: String,
    grid: Grid,
    /// Depth of tables: a cell may hold a table of its own, whose cells do not count.
    depth: usize,
    row: u64,
    /// Number of equal rows that the present one stands for.
    rows: u64,
    /// Cells of the present row with content: column, number of equal cells, content.
    cells: Vec<(u64, u64, String)>,
    column: u64,
    cell: OpenCell,
}

/// Cell that is being read.
#[derive(Default)]
struct OpenCell {
    /// Number of equal cells that this one stands for.
    columns: u64,
    /// Value that an attribute states; the text of the cell counts if there is none.
    value: Option<String>,
    text: String,
    is_paragraph: bool,
    /// Depth of comments, whose text does not count.
    comments: usize,
}

/// Reads the sheets in their order and passes each to `take` with its name.
///
/// # Errors
/// Text for a damaged package or a limit, or from `take`.
pub(super) fn read(package: &mut Package, take: &mut dyn FnMut(String, Grid) -> Read<()>) -> Read<()> {
    let mut sheet = OpenSheet::default();
    package.events(CONTENT, |event| match event {
        Event::Start(element) => {
            sheet.begin(element);
            Ok(())
        }
        Event::End(element) => {
            if sheet.end(element.local_name().as_ref())? {
                let sheet = std::mem::take(&mut sheet);
                take(sheet.name, sheet.grid)?;
            }
            Ok(())
        }
        other => {
            let cell = &mut sheet.cell;
            let is_read = cell.is_paragraph && cell.comments == 0;
            if !is_read || push_text(&mut cell.text, other, MOST_TEXT) {
                return Ok(());
            }
            Err(format!("a cell holds more than {} MiB of text; delete it", MOST_TEXT >> 20))
        }
    })
}

impl OpenSheet {
    fn begin(&mut self, element: &BytesStart) {
        let count = |name| attribute(element, name).and_then(|text| text.parse().ok()).unwrap_or(1_u64);
        match element.local_name().as_ref() {
            "table" => {
                self.depth += 1;
                if self.depth == 1 {
                    self.name = attribute(element, "name").unwrap_or_default();
                }
            }
            _ if self.depth != 1 => {}
            "table-row" => {
                (self.rows, self.column) = (count("number-rows-repeated"), 0);
                self.cells.clear();
            }
            "table-cell" | "covered-table-cell" => {
                let columns = count("number-columns-repeated");
                self.cell = OpenCell { columns, value: stated(element), ..OpenCell::default() };
            }
            "annotation" => self.cell.comments += 1,
            "p" => {
                if !self.cell.text.is_empty() {
                    self.cell.text.push(' ');
                }
                self.cell.is_paragraph = true;
            }
            "s" | "tab" | "line-break" => self.cell.text.push(' '),
            _ => {}
        }
    }

    /// Closes an element; `true` at the end of a sheet.
    fn end(&mut self, name: &str) -> Read<bool> {
        match name {
            "table" => {
                self.depth = self.depth.saturating_sub(1);
                return Ok(self.depth == 0);
            }
            _ if self.depth != 1 => {}
            "p" => self.cell.is_paragraph = false,
            "annotation" => self.cell.comments = self.cell.comments.saturating_sub(1),
            "table-cell" | "covered-table-cell" => {
                let cell = std::mem::take(&mut self.cell);
                let content = cell.value.unwrap_or(cell.text);
                if !content.trim().is_empty() {
                    self.cells.push((self.column, cell.columns, content));
                }
                self.column = self.column.saturating_add(cell.columns);
            }
            "table-row" => {
                self.put_rows()?;
                self.row = self.row.saturating_add(self.rows);
            }
            _ => {}
        }
        Ok(false)
    }

    /// Adds the present row as often as it is repeated.
    fn put_rows(&mut self) -> Read<()> {
        let count = self.cells.iter().fold(0_u64, |sum, cell| sum.saturating_add(cell.1)).saturating_mul(self.rows);
        if count > MOST_CELLS as u64 {
            return Err(format!(
                "repeated rows and columns make more than {MOST_CELLS} cells; delete the cells that do not belong to the \
                 table, or save it as CSV"
            ));
        }
        for row in 0..if self.cells.is_empty() { 0 } else { self.rows } {
            for (column, columns, content) in &self.cells {
                for at in 0..*columns {
                    self.grid.put(self.row.saturating_add(row), column.saturating_add(at), content)?;
                }
            }
        }
        Ok(())
    }
}

/// Value that the attributes of a cell state; `None` for texts.
fn stated(element: &BytesStart) -> Option<String> {
    let of = |name| attribute(element, name);
    match of("value-type")?.as_str() {
        kind @ ("float" | "percentage" | "currency") => {
            let (value, shown) = (of("value")?, if kind == "percentage" { Shown::SHARE } else { Shown::default() });
            Some(value.parse::<f64>().map_or(value, |number| shown.number(number, false)))
        }
        "boolean" => Some(if of("boolean-value")? == "true" { "yes" } else { "no" }.to_owned()),
        "date" => of("date-value"),
        "time" => of("time-value"),
        _ => None,
    }
}
