//! Documents in RON whose first field is the version of their format, and faults of such texts in plain words.

use ::ron::Error as Code;
use ::ron::error::{Position, SpannedError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Source;
use super::lines::quoted;
use crate::{Error, Result};

/// Fault of a text in RON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Line of the fault, from 1.
    pub line: usize,
    /// Column of the fault, from 1.
    pub column: usize,
    /// The word that cannot be read, and what is allowed in its place.
    pub what: String,
}

impl Fault {
    /// The fault that `error` states about `text`.
    pub fn of(text: &str, error: &SpannedError) -> Self {
        let after = after_blanks(text, offset(text, error.span.start));
        let word = match &error.code {
            Code::NoSuchEnumVariant { found, .. } | Code::NoSuchStructField { found, .. } => Some(found),
            _ => None,
        };
        let start = word.and_then(|word| text[after..].find(word.as_str())).map_or(after, |at| after + at);
        let before = &text[..start];
        Self {
            line: 1 + before.matches('\n').count(),
            column: 1 + before.chars().rev().take_while(|&letter| letter != '\n').count(),
            what: words(&error.code, part(text, start)),
        }
    }
}

/// Byte of a position in a text.
fn offset(text: &str, position: Position) -> usize {
    let before: usize = text.split_inclusive('\n').take(position.line.saturating_sub(1)).map(str::len).sum();
    let letters = text[before..].char_indices().map(|(at, _)| before + at);
    letters.take_while(|&at| !text[before..at].contains('\n')).nth(position.col.saturating_sub(1)).unwrap_or(text.len())
}

/// The first byte from `start` on that is no white space.
fn after_blanks(text: &str, start: usize) -> usize {
    text[start..].find(|letter: char| !letter.is_whitespace()).map_or(text.len(), |at| start + at)
}

/// The value or name around a byte of a text.
fn part(text: &str, at: usize) -> &str {
    let begin = text[..at].rfind(['(', '[', '{', ',', '\n']).map_or(0, |begin| begin + 1);
    let end = text[at..].find([')', ']', '}', ',', '\n']).map_or(text.len(), |end| at + end);
    text[begin..end].trim()
}

/// Names as alternatives: «a, b or c».
fn alternatives(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

/// The fault in words; `part` is the text at which it was found.
fn words(code: &Code, part: &str) -> String {
    let expected = match code {
        Code::NoSuchEnumVariant { expected, found, .. } | Code::NoSuchStructField { expected, found, .. } => {
            return format!("{} is not known here; write {}", quoted(found), alternatives(expected));
        }
        Code::MissingStructField { field, .. } => return format!("the field {} is missing", quoted(field)),
        Code::DuplicateStructField { field, .. } => return format!("the field {} is there twice", quoted(field)),
        Code::InvalidValueForType { expected, found } => format!("expected {expected}, found {found}"),
        Code::ExpectedDifferentLength { expected, found } => format!("expected {expected}, found {found}"),
        Code::ExpectedDifferentStructName { expected, .. } | Code::ExpectedNamedStructLike(expected) => {
            format!("expected {expected}(…)")
        }
        Code::Message(what) => what.clone(),
        Code::Eof => return "the text ends too early".to_owned(),
        Code::TrailingCharacters => "the text should have ended before".to_owned(),
        Code::IntegerOutOfBounds => "the number is too large or too small".to_owned(),
        Code::ExpectedArray => "expected a list in square brackets".to_owned(),
        Code::ExpectedArrayEnd => "expected «]»".to_owned(),
        Code::ExpectedBoolean => "expected true or false".to_owned(),
        Code::ExpectedComma => "expected a comma before it".to_owned(),
        Code::ExpectedInteger => "expected a whole number".to_owned(),
        Code::ExpectedFloat => "expected a number".to_owned(),
        Code::ExpectedOption => "expected None or Some(…)".to_owned(),
        Code::ExpectedMap => "expected «{»".to_owned(),
        Code::ExpectedMapColon => "expected a colon".to_owned(),
        Code::ExpectedMapEnd => "expected «}»".to_owned(),
        Code::ExpectedStructLike => "expected «(»".to_owned(),
        Code::ExpectedStructLikeEnd | Code::ExpectedOptionEnd => "expected «)»".to_owned(),
        Code::ExpectedString | Code::ExpectedStringEnd => "expected a text in quotation marks".to_owned(),
        Code::ExpectedIdentifier | Code::InvalidIdentifier(_) => "expected a name".to_owned(),
        other => other.to_string(),
    };
    format!("{} cannot be read ({expected})", quoted(part))
}

/// Reads a value.
///
/// # Errors
/// The first fault.
pub fn parse<T: DeserializeOwned>(text: &str) -> std::result::Result<T, Fault> {
    ::ron::from_str(text).map_err(|error| Fault::of(text, &error))
}

/// Returns `true` if a RON file begins with this field; `start` is its beginning.
pub fn begins_with(start: &[u8], field: &str) -> bool {
    let inner = start.trim_ascii_start().strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
    inner.is_some_and(|inner| inner.starts_with(field.as_bytes()))
}

/// The number in the first field of a document, which is the version of its format; `None` without one.
pub fn version(text: &str) -> Option<u32> {
    let (_, value) = text.trim_start().strip_prefix('(')?.split_once(':')?;
    let value = value.trim_start();
    let end = value.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(value.len());
    value[..end].parse().ok()
}

/// Reads a document; `newest` is the newest known version of its format, `refusal` turns the reason why the text is no such
/// document into a message, `noun` names what is read, such as «layout».
///
/// # Errors
/// [`Error::Line`] if the text is not such a document; [`Error::File`] for a newer version, whatever further parts it has.
pub fn read<T: DeserializeOwned>(
    source: Source, noun: &str, newest: u32, refusal: impl Fn(String) -> String,
) -> Result<T> {
    if version(source.text).is_some_and(|version| version > newest) {
        let what = format!("the {noun} was made by a newer version of gridwright; update the program");
        return Err(Error::file(source.path, what));
    }
    parse(source.text).map_err(|fault: Fault| Error::line(source.path, fault.line, refusal(fault.what)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    enum Kind {
        Before,
        After,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Example {
        format: u32,
        kinds: Vec<Kind>,
        #[serde(default)]
        count: u8,
    }

    #[test]
    fn faults_name_line_word_and_what_is_allowed() {
        let fault = |text: &str| parse::<Example>(text).unwrap_err();
        for (text, line, column, what) in [
            (
                "(\n format: 1,\n kinds: [Before,\n  Befor],\n)",
                4,
                3,
                "«Befor» is not known here; write Before or After",
            ),
            ("(format: 1,\n\n  kind: [],)", 3, 3, "«kind» is not known here; write format, kinds or count"),
            (
                "(format: 1, kinds: [], count: 300)",
                1,
                31,
                "«count: 300» cannot be read (the number is too large or too small)",
            ),
            ("(format: 1)", 1, 11, "the field «kinds» is missing"),
            ("(format: 1, kinds: [", 1, 21, "the text ends too early"),
        ] {
            let found = fault(text);
            assert_eq!((found.line, found.what.as_str()), (line, what), "{text}");
            let is_word = what.contains("known");
            assert!(!is_word || found.column == column, "{text}: column {}", found.column);
        }
    }

    #[test]
    fn a_newer_version_is_told_before_its_further_parts() {
        let read = |text: &str| {
            let source = Source { path: std::path::Path::new("a.ron"), text };
            read::<Example>(source, "example", 1, |why| format!("no example ({why})")).map(drop)
        };
        let newer = read("(\n  format: 2,\n colours: 3)").unwrap_err().to_string();
        assert!(newer.contains("newer version"), "{newer}");
        let wrong = read("(format: 1,\n colours: 3)").unwrap_err().to_string();
        assert_eq!(wrong, "a.ron:2: no example («colours» is not known here; write format, kinds or count)");
        assert_eq!(version("(format: x)"), None);
    }
}
