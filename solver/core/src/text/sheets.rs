//! Sheets of workbooks (.xlsx, .xls, .ods) as comma-separated text for the table readers.
//!
//! A workbook is a ZIP archive of XML parts, which are unpacked and parsed as a stream, or a sequence of records in a compound
//! file; only cells with content are kept.
//! Whatever a file states about its own size is ignored: [`MOST_PACKED`], [`MOST_UNPACKED`], [`MOST_CELLS`] and
//! [`MOST_TEXT`] bound what is read, so that reading needs less than 1 GiB for any file. ECMA-376-1:2016 (Office Open XML),
//! §18.3.1.4 `c` and §18.4.8 `si`; OASIS OpenDocument 1.3, part 3, §9.1 tables.

mod dates;
mod grid;
mod ods;
mod package;
mod xls;
mod xlsx;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quick_xml::events::Event;

use self::grid::{Grid, Totals};
use self::package::Package;
use crate::{Error, Result};

/// Largest size of a workbook file in bytes.
const MOST_PACKED: usize = 64 << 20;

/// Largest size of the unpacked parts that are read from a workbook, in bytes.
const MOST_UNPACKED: u64 = 128 << 20;

/// Largest number of cells of all sheets together, from A1 to the last row and column with content.
const MOST_CELLS: usize = 4_000_000;

/// Largest size of the texts of all cells together, in bytes.
const MOST_TEXT: usize = 64 << 20;

/// Largest number of sheets.
const MOST_SHEETS: usize = 1_000;

/// Parsed value, or the reason why there is none, with the remedy.
type Read<T> = std::result::Result<T, String>;

/// File endings of workbooks. What a workbook is written in follows from its content.
pub const ENDINGS: [&str; 4] = ["xlsx", "xlsm", "xls", "ods"];

/// Returns `true` if the name of a file ends as those of workbooks.
pub fn is_named_workbook(path: &Path) -> bool {
    ENDINGS.contains(&super::ending(path).as_str())
}

/// Returns `true` for the first bytes of a file that may be a workbook.
pub fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(xls::MAGIC)
}

/// Reads all non-empty sheets: path `book.xlsx:Sheet` and cells as comma-separated text, one line per row.
///
/// Line breaks inside a cell become spaces, dates and times are written as `2026-06-01` and `09:00`.
///
/// # Errors
/// [`Error::File`] if the file is not a workbook, or is larger than a limit, which the message names.
pub fn sheets(path: &Path, bytes: &[u8]) -> Result<Vec<(PathBuf, String)>> {
    let sheets = read(bytes).map_err(|what| Error::file(path, what))?;
    Ok(sheets.into_iter().map(|(name, text)| (PathBuf::from(format!("{}:{name}", path.display())), text)).collect())
}

/// Names and texts of the non-empty sheets.
fn read(bytes: &[u8]) -> Read<Vec<(String, String)>> {
    if bytes.len() > MOST_PACKED {
        return Err(format!(
            "the workbook is larger than {} MiB; save the sheets that are needed as a workbook of their own, or as CSV",
            MOST_PACKED >> 20
        ));
    }
    let (mut totals, mut sheets) = (Totals::default(), Vec::new());
    let mut take = |name: String, grid: Grid| {
        if let Some(text) = grid.into_text(&name, &mut totals)? {
            sheets.push((name, text));
        }
        if sheets.len() <= MOST_SHEETS { Ok(()) } else { Err(too_many_sheets()) }
    };
    if bytes.starts_with(xls::MAGIC) {
        xls::read(bytes, &mut take)?;
        return Ok(sheets);
    }
    let mut package = Package::open(bytes)?;
    if package.has(ods::CONTENT) {
        ods::read(&mut package, &mut take)?
    } else {
        xlsx::read(&mut package, &mut take)?
    }
    Ok(sheets)
}

/// Remark in the properties of a workbook (.xlsx); `None` for other contents.
pub(crate) fn remark(bytes: &[u8]) -> Option<String> {
    const PROPERTIES: &str = "docProps/core.xml";
    const LONGEST: usize = 1024;
    if !bytes.starts_with(b"PK\x03\x04") || bytes.len() > MOST_PACKED {
        return None;
    }
    let mut package = Package::open(bytes).ok().filter(|package| package.has(PROPERTIES))?;
    let (mut element, mut texts) = (String::new(), BTreeMap::<String, String>::new());
    let read = package.events(PROPERTIES, |event| {
        match event {
            Event::Start(start) => element = start.local_name().as_ref().to_owned(),
            Event::End(_) => element.clear(),
            other => {
                package::push_text(texts.entry(element.clone()).or_default(), other, LONGEST);
            }
        }
        Ok(())
    });
    texts.remove("description").filter(|_| read.is_ok())
}

fn too_many_sheets() -> String {
    format!("the workbook has more than {MOST_SHEETS} sheets; delete the sheets that are not needed")
}

#[cfg(test)]
mod tests;
