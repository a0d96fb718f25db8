//! A layout as files for people and other programs.
//!
//! Whatever is written has passed the checker.

use std::path::Path;

use super::check::check;
use super::formats::solution;
use super::{Instance, Layout};
use crate::{Error, Result, files};

/// What can be exported: the ending of the file and what it holds.
pub const FORMATS: [(&str, &str); 3] = [
    ("csv", "Table of departments: bay, place, position, size, aspect"),
    ("ron", "Layout, to be opened again"),
    ("sol", "Departments bay by bay, as text"),
];

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
    let ending = format_of(path).map_or_else(|| crate::text::ending(path), str::to_owned);
    files::write(path, &bytes(instance, layout, &ending)?)
}

/// What [`write()`] writes.
///
/// # Errors
/// [`Error::Usage`] as for [`write()`].
pub fn bytes(instance: &Instance, layout: &Layout, ending: &str) -> Result<Vec<u8>> {
    if let Some(violation) = check(instance, layout).violations.first() {
        let name = &instance.name;
        return Err(Error::Usage(format!(
            "the layout does not fit {name}: {}; solve the instance again",
            violation.text
        )));
    }
    let text = match ending {
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
