//! Documents in RON whose first field is the version of their format.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Source;
use crate::{Error, Result};

/// Returns `true` if a RON file begins with this field; `start` is its beginning.
pub fn begins_with(start: &[u8], field: &str) -> bool {
    let inner = start.trim_ascii_start().strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
    inner.is_some_and(|inner| inner.starts_with(field.as_bytes()))
}

/// Reads a document; `version` returns its format and the newest one known, `refusal` turns the reason why the text is no
/// such document into a message, `noun` names what is read, such as «layout».
///
/// # Errors
/// [`Error::Line`] if the text is not such a document; [`Error::File`] for a newer version.
pub fn read<T: DeserializeOwned>(
    source: Source, noun: &str, version: impl Fn(&T) -> (u32, u32), refusal: impl Fn(String) -> String,
) -> Result<T> {
    let stored: T = ::ron::from_str(source.text)
        .map_err(|error| Error::line(source.path, error.span.start.line.max(1), refusal(error.code.to_string())))?;
    let (format, newest) = version(&stored);
    if format > newest {
        let what = format!("the {noun} was written by a newer version of gridwright; update the program");
        return Err(Error::file(source.path, what));
    }
    Ok(stored)
}

/// Encodes a document, indented down to `depth`.
///
/// # Errors
/// [`Error::Usage`] if it cannot be encoded.
pub fn write<T: Serialize>(stored: &T, noun: &str, depth: usize) -> Result<String> {
    let style = ::ron::ser::PrettyConfig::new().depth_limit(depth).compact_arrays(true);
    ::ron::ser::to_string_pretty(stored, style)
        .map_err(|error| Error::Usage(format!("the {noun} cannot be written as RON ({error})")))
}
