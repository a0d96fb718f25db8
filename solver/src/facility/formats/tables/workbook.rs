//! Sheets of a workbook (.xlsx) as comma-separated texts for the table readers.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};

use super::{Sheet, charts, rooms};
use crate::facility::Limit;
use crate::text::Source;
use crate::text::lines::Problems;
use crate::{Error, Result};

/// Largest number of cells of a sheet.
const MOST_CELLS: usize = 4_000_000;

/// Returns `true` if the file is a workbook with a sheet of departments.
pub fn is_workbook(path: &Path) -> bool {
    let Ok(bytes) = std::fs::read(path) else { return false };
    let Ok(sheets) = sheets(path, &bytes) else { return false };
    sheets.iter().any(|(path, text)| rooms::has_header(Sheet::of(Source { path, text }).source()))
}

/// Splits sheets into those of a layout problem (departments, flow or rating lists, tables naming departments) and
/// others.
pub(super) fn belonging<'a>(sources: &[Source<'a>]) -> (Vec<Source<'a>>, Vec<Source<'a>>) {
    let sheet = |source: &Source<'a>| Sheet::of(*source);
    let departments = sources.iter().find(|source| rooms::has_header(sheet(source).source()));
    let mut problems = Problems::up_to(Path::new(""), 0);
    let rooms = departments.and_then(|source| rooms::read(&sheet(source), Limit::None, &mut problems).ok());
    let names: Vec<String> =
        rooms.into_iter().flat_map(|rooms| rooms.instance.departments).map(|department| department.name).collect();
    sources.iter().partition(|source| {
        let sheet = sheet(source);
        let has_name = |text: &str| text.split(',').any(|cell| names.iter().any(|name| name == cell.trim_matches('"')));
        rooms::has_header(sheet.source()) || charts::is_list(sheet.source()) || sheet.text.lines().any(has_name)
    })
}

/// Reads all non-empty sheets: path `book.xlsx:Sheet` and cells as comma-separated text, one line per row.
///
/// # Errors
/// [`Error::File`] if the file is not a workbook.
pub fn sheets(path: &Path, bytes: &[u8]) -> Result<Vec<(PathBuf, String)>> {
    let broken = |error: calamine::XlsxError| {
        Error::file(path, format!("the workbook cannot be opened ({error}); save it again as .xlsx, or as CSV"))
    };
    let mut book: Xlsx<_> = open_workbook_from_rs(Cursor::new(bytes)).map_err(broken)?;
    let mut sheets = Vec::new();
    for name in book.sheet_names() {
        let range = book.worksheet_range(&name).map_err(broken)?;
        let (Some((top, left)), (height, width)) = (range.start(), range.get_size()) else { continue };
        if height.saturating_mul(width) > MOST_CELLS {
            return Err(Error::file(
                path,
                format!("sheet {name} has {height} × {width} cells; delete what does not belong to it"),
            ));
        }
        let mut writer = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        for row in range.rows() {
            let mut cells: Vec<String> = vec![String::new(); left as usize];
            cells.extend(row.iter().map(cell));
            // Writing to memory does not fail.
            let _ = writer.write_record(&cells);
        }
        let text = writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let text = "\n".repeat(top as usize) + &text;
        sheets.push((PathBuf::from(format!("{}:{name}", path.display())), text));
    }
    Ok(sheets)
}

fn cell(data: &Data) -> String {
    match data {
        Data::Empty => String::new(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => {
            text.replace(['\n', '\r'], " ").trim().to_owned()
        }
        Data::Float(number) => number.to_string(),
        Data::Int(number) => number.to_string(),
        Data::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        Data::DateTime(date) => date.as_f64().to_string(),
        // An error value is reported by the reader as no number.
        Data::Error(error) => error.to_string(),
    }
}
