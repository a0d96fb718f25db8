//! A layout as files for people and other programs.
//!
//! Whatever is written has passed the checker.

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

/// What can be exported: the ending of the file and what it holds.
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

/// Pixels per point of exported pictures, where they do not become too large.
const PICTURE_SCALE: f32 = 2.0;

/// What an export may take into account beyond the instance and the layout.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wishes {
    /// The least flow that is drawn; `None`: as many of the largest as can be told apart.
    pub threshold: Option<f64>,
    /// Whether flows are left out.
    pub without_flows: bool,
}

impl Wishes {
    fn options(&self) -> drawing::Options {
        drawing::Options { flows: !self.without_flows, threshold: self.threshold, ..drawing::Options::default() }
    }
}

/// The format of a file by its ending; `None` where it has none that is known.
pub fn format_of(path: &Path) -> Option<&'static str> {
    files::known_ending(path, FORMATS.iter().map(|format| format.0))
}

/// Writes a layout in the format that the file's ending names. A file that was there is replaced only when the new one is
/// complete.
///
/// # Errors
/// [`Error::Usage`] where the ending is unknown or the checker finds a fault with the layout: then nothing is written.
/// [`Error::File`] where the file cannot be written.
pub fn write(instance: &Instance, layout: &Layout, path: &Path) -> Result<()> {
    write_with(instance, layout, path, &Wishes::default())
}

/// As [`write()`], with wishes.
///
/// # Errors
/// As for [`write()`].
pub fn write_with(instance: &Instance, layout: &Layout, path: &Path, wishes: &Wishes) -> Result<()> {
    let ending = format_of(path).map_or_else(|| crate::text::ending(path), str::to_owned);
    files::write(path, &bytes_with(instance, layout, &ending, wishes)?)
}

/// What [`write()`] writes.
///
/// # Errors
/// [`Error::Usage`] as for [`write()`].
pub fn bytes(instance: &Instance, layout: &Layout, ending: &str) -> Result<Vec<u8>> {
    bytes_with(instance, layout, ending, &Wishes::default())
}

/// What [`write_with`] writes.
///
/// # Errors
/// [`Error::Usage`] as for [`write()`].
pub fn bytes_with(instance: &Instance, layout: &Layout, ending: &str, wishes: &Wishes) -> Result<Vec<u8>> {
    if let Some(violation) = check(instance, layout).violations.first() {
        let name = &instance.name;
        return Err(Error::Usage(format!(
            "the layout does not fit {name}: {}; solve the instance again",
            violation.text
        )));
    }
    let text = match ending {
        "pdf" => return document::document(instance, layout, &wishes.options()),
        "xlsx" => return spreadsheet::workbook(instance, layout),
        "png" => {
            let scene = floor_plan(instance, layout, &wishes.options());
            return png::to_png(&scene, png::largest_scale(&scene, PICTURE_SCALE));
        }
        "svg" => to_svg(&floor_plan(instance, layout, &wishes.options())),
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
