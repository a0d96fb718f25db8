//! Text that comes from outside, read without knowing any problem: lines, numbers, tables, letters of every kind, and
//! the list of what is wrong with it.

pub mod columns;
pub mod decoding;
pub(crate) mod lines;
pub(crate) mod table;

use std::path::Path;

/// The text of a file, and where it comes from for the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// The file.
    pub path: &'a Path,
    /// Its content.
    pub text: &'a str,
}

/// The ending in lower case, without the dot.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The name of a file without folder and ending.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
