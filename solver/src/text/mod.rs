//! Reading of text from outside, independent of any problem: lines, numbers, tables, encodings, and lists of errors.

pub mod cells;
pub mod columns;
pub mod decoding;
pub mod lines;
pub(crate) mod ron;
pub mod sheets;
pub mod table;
pub mod values;

use std::path::Path;

use crate::{Error, files};

/// Text of a file with its path for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// Path.
    pub path: &'a Path,
    /// Content.
    pub text: &'a str,
}

/// Text with its first letter in upper case.
pub fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// File ending in lower case without the dot; empty if there is none.
pub fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// File name without folder and ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Error for a file of a kind that cannot be used here; a file that does not exist is reported as missing, whatever its
/// ending.
pub(crate) fn other_kind(path: &Path, what: &str) -> Error {
    let missing = if path.exists() { None } else { files::read(path).err() };
    missing.unwrap_or_else(|| Error::file(path, what))
}

/// Turns an error about the instance `name` into one about the file that it was read from, which is the better subject.
pub(crate) fn about_file(path: &Path, name: &str) -> impl FnOnce(Error) -> Error {
    move |error| match error {
        Error::Usage(what) => Error::file(path, what.strip_prefix(&format!("{name}: ")).unwrap_or(&what)),
        other => other,
    }
}
