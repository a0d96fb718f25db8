//! Export of layouts to files.
//!
//! A layout is written only after the checker has accepted it.

mod document;
mod dxf;
mod spreadsheet;

use std::path::Path;

use super::check::check;
use super::drawing::{self, floor_plan};
use super::formats::solution;
use super::{Instance, Layout};
use crate::scene::{png, svg::to_svg};
use crate::{Error, Result, files};

/// Formats: file ending and content.
pub const FORMATS: [(&str, &str); 8] = [
    ("csv", "Table of departments: bay, place, position, size, aspect, area"),
    ("xlsx", "Workbook of departments, bays and costs by pair, for Excel and LibreOffice"),
    ("ron", "Layout, to be opened again"),
    ("sol", "Departments bay by bay, as text"),
    ("dxf", "Floor plan for drawing programs, to scale: walls, bays, departments, names, flows"),
    ("pdf", "Floor plan to print: with flows, without them, and the table of departments"),
    ("svg", "Floor plan as a drawing"),
    ("png", "Floor plan as a picture"),
];

/// Pixels per point of exported pictures, less for very large ones.
const PICTURE_SCALE: f32 = 2.0;

/// Options of an export.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExportOptions {
    /// Smallest flow that is drawn; `None` draws as many of the largest as a reader can tell apart.
    pub threshold: Option<f64>,
    /// True to draw no flows.
    pub without_flows: bool,
}

impl ExportOptions {
    fn drawing(&self) -> drawing::Options {
        drawing::Options { flows: !self.without_flows, threshold: self.threshold, ..drawing::Options::default() }
    }
}

/// Format of a file by its ending; `None` for an unknown ending.
pub fn format_of(path: &Path) -> Option<&'static str> {
    files::known_ending(path, FORMATS.iter().map(|format| format.0))
}

/// Writes a layout in the format of the file's ending, atomically (temporary file and rename).
///
/// # Errors
/// [`Error::Usage`] if the ending is unknown or the checker rejects the layout (nothing is written); [`Error::File`] if
/// the file cannot be written.
pub fn write(instance: &Instance, layout: &Layout, path: &Path) -> Result<()> {
    write_with(instance, layout, path, &ExportOptions::default())
}

/// Writes as [`write()`] does, with options.
///
/// # Errors
/// As [`write()`].
pub fn write_with(instance: &Instance, layout: &Layout, path: &Path, options: &ExportOptions) -> Result<()> {
    let ending = format_of(path).map_or_else(|| crate::text::ending(path), str::to_owned);
    files::write(path, &bytes_with(instance, layout, &ending, options)?)
}

/// Encodes a layout as [`write()`] does and returns the bytes.
///
/// # Errors
/// [`Error::Usage`] as for [`write()`].
pub fn bytes(instance: &Instance, layout: &Layout, ending: &str) -> Result<Vec<u8>> {
    bytes_with(instance, layout, ending, &ExportOptions::default())
}

/// Encodes a layout as [`write_with`] does and returns the bytes.
///
/// # Errors
/// [`Error::Usage`] as for [`write()`].
pub fn bytes_with(instance: &Instance, layout: &Layout, ending: &str, options: &ExportOptions) -> Result<Vec<u8>> {
    if let Some(violation) = check(instance, layout).violations.first() {
        let name = &instance.name;
        return Err(Error::Usage(format!(
            "the layout does not fit {name}: {}; solve the instance again",
            violation.text
        )));
    }
    let text = match ending {
        "pdf" => return document::document(instance, layout, &options.drawing()),
        "xlsx" => return spreadsheet::workbook(instance, layout),
        "png" => {
            let scene = floor_plan(instance, layout, &options.drawing());
            return png::to_png(&scene, png::largest_scale(&scene, PICTURE_SCALE));
        }
        "svg" => to_svg(&floor_plan(instance, layout, &options.drawing())),
        "dxf" => dxf::write(instance, layout),
        "csv" => solution::write_table_of(instance, layout),
        "ron" => solution::write_ron(instance, layout)?,
        "sol" => solution::write_text(instance, layout)?,
        other => {
            let known: Vec<String> = FORMATS.iter().map(|(ending, _)| format!(".{ending}")).collect();
            let what =
                format!("layouts are not written as .{}; choose one of {}", other.escape_debug(), known.join(", "));
            return Err(Error::Usage(what));
        }
    };
    Ok(text.into_bytes())
}

#[cfg(test)]
mod tests;
