//! Exports: how the formats of all problems are chosen, refused and written.

pub mod archive;
pub mod calendar;
pub mod formats;
pub mod stamp;
pub mod time_zone;
pub mod writing;

use std::path::Path;

pub use formats::Format;
pub use writing::Writing;

use crate::scene::{Scene, pdf, png, svg::to_svg};
use crate::{Error, Result, files, text};

/// Pixels per point of exported pictures, less for very large ones.
const PICTURE_SCALE: f32 = 2.0;

/// Format of a file: the longest ending that its name has; `None` for an unknown one.
pub fn format_of(path: &Path, formats: &[Format]) -> Option<&'static str> {
    files::known_ending(path, formats.iter().map(|format| format.ending))
}

/// Writes a file atomically (temporary file and rename); `encode` gets its format or, where that is unknown, its ending.
///
/// # Errors
/// Errors of `encode`, before anything is written; [`Error::File`] if the file cannot be written.
pub fn write(path: &Path, formats: &[Format], encode: impl FnOnce(&str) -> Result<Vec<u8>>) -> Result<()> {
    files::write(path, &encode(&ending_of(path, formats))?)
}

/// Ending of a file's format or, where that is unknown, of its name.
pub fn ending_of(path: &Path, formats: &[Format]) -> String {
    format_of(path, formats).map_or_else(|| text::ending(path), str::to_owned)
}

/// Encodes a scene as `pdf`, `png` or, for any other ending, SVG.
///
/// # Errors
/// [`Error::Usage`] if the picture is too large.
pub fn picture(scene: &Scene, ending: &str) -> Result<Vec<u8>> {
    match ending {
        "pdf" => pdf::pages_to_pdf(std::slice::from_ref(scene), &[]),
        "png" => png::to_png(scene, png::largest_scale(scene, PICTURE_SCALE)),
        _ => Ok(to_svg(scene).into_bytes()),
    }
}

/// Error for an ending that cannot be written; `nouns` names what is written, such as «layouts». Of the formats, the error offers
/// all others: some of them need more than a solution, such as the table of a front.
pub fn unknown(nouns: &str, formats: &[Format], ending: &str) -> Error {
    let others = formats.iter().filter(|format| format.ending != ending);
    let known: Vec<String> = others.map(|format| format!(".{}", format.ending)).collect();
    let ending = ending.escape_debug();
    Error::Usage(format!("{nouns} are not written as .{ending}; choose one of {}", known.join(", ")))
}

/// Error for a solution that cannot be written because it is not one of the instance; `noun` names what does not fit the instance `name`.
pub fn rejected(noun: &str, name: &str, why: &str) -> Error {
    Error::Usage(format!("the {noun} does not fit {name}: {why}; solve the instance again"))
}
