//! Lines with their numbers, parsing of numbers, and lists of errors in a file.

use std::path::Path;

use crate::{Error, Result};

pub use crate::numbers::counted;

/// Parsed value or an error text; the caller adds the line.
pub type Read<T> = std::result::Result<T, String>;

/// Consequence of an error in a file that is used nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The whole file cannot be used.
    File,
    /// The line is skipped.
    Line,
    /// The line is used without this value.
    Value,
    /// No loss: a repetition or a remark.
    Nothing,
}

impl Effect {
    /// Returns `true` if content of the file is lost.
    pub fn is_loss(self) -> bool {
        self != Self::Nothing
    }
}

/// Error in a line of a file or in the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line number from 1; 0 for the whole file.
    pub line: usize,
    /// Found and expected content, with the remedy.
    pub what: String,
    /// Content that is lost with the error.
    pub effect: Effect,
}

/// Errors of one file. Beyond a limit they are counted only, so that a wrong file does not exhaust memory.
pub struct Problems<'a> {
    path: &'a Path,
    most: usize,
    list: Vec<Problem>,
    /// Number of errors by effect.
    counts: [usize; 4],
}

const MOST_PROBLEMS: usize = 10_000;

impl<'a> Problems<'a> {
    /// Empty list for this file.
    pub fn new(path: &'a Path) -> Self {
        Self::up_to(path, MOST_PROBLEMS)
    }

    /// List that stores at most `most` errors.
    pub fn up_to(path: &'a Path, most: usize) -> Self {
        Self { path, most, list: Vec::new(), counts: [0; 4] }
    }

    fn push(&mut self, line: usize, effect: Effect, what: String) {
        self.counts[effect as usize] += 1;
        if self.list.len() < self.most {
            self.list.push(Problem { line, what, effect });
        }
    }

    /// Adds an error in a line (from 1) that is skipped.
    pub fn line(&mut self, line: usize, what: impl Into<String>) {
        self.push(line, Effect::Line, what.into());
    }

    /// Adds an error in a value of a line.
    pub fn value(&mut self, line: usize, what: impl Into<String>) {
        self.push(line, Effect::Value, what.into());
    }

    /// Adds a remark on a line.
    pub fn note(&mut self, line: usize, what: impl Into<String>) {
        self.push(line, Effect::Nothing, what.into());
    }

    /// Adds an error in the file as a whole.
    pub fn file(&mut self, what: impl Into<String>) {
        self.push(0, Effect::File, what.into());
    }

    /// Returns `true` if nothing is lost.
    pub fn is_empty(&self) -> bool {
        self.losses() == 0
    }

    /// Number of errors that lose content.
    pub fn losses(&self) -> usize {
        self.count(Effect::File) + self.count(Effect::Line) + self.count(Effect::Value)
    }

    /// Number of errors with this effect.
    pub fn count(&self, effect: Effect) -> usize {
        self.counts[effect as usize]
    }

    /// Number of errors that were counted but not stored.
    pub fn beyond(&self) -> usize {
        self.counts.iter().sum::<usize>() - self.list.len()
    }

    /// All stored errors that lose content.
    pub fn into_errors(self) -> Vec<Error> {
        let error = |problem: Problem| match problem.line {
            0 => Error::file(self.path, problem.what),
            line => Error::line(self.path, line, problem.what),
        };
        self.list.into_iter().filter(|problem| problem.effect.is_loss()).map(error).collect()
    }

    /// Returns all errors as one, if any loses content.
    ///
    /// # Errors
    /// The errors of all bad lines.
    pub fn finish(self) -> Result<()> {
        Error::from_lines(self.into_errors())
    }
}

/// Trimmed lines with their numbers from 1; LF, CR LF and, without any LF, CR end a line.
pub fn of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split_terminator(end).enumerate().map(|(at, line)| (at + 1, line.trim()))
}

/// Parses an integer of at most `largest`.
///
/// # Errors
/// A message for anything else.
pub fn number(text: &str, largest: u32) -> Read<u32> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let negative = digits.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && is_number(rest));
        let why = if negative { "is negative" } else { "is not a whole number" };
        return Err(format!("{} {why}", quoted(text)));
    }
    match digits.parse::<u32>() {
        Ok(value) if value <= largest => Ok(value),
        _ => Err(format!("{} is too large; at most {largest} makes sense here", quoted(text))),
    }
}

/// Returns `true` if the text consists of digits only.
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Quotes a piece of a file for a message: in quotation marks, shortened, control characters escaped.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("«{shown}»")
}

/// First items of a list and the number of the others.
pub fn listed<S: AsRef<str>>(items: &[S]) -> String {
    listed_of(items, |item| item.as_ref().to_owned())
}

/// As [`listed`], with the words of an item; those of the others are not made.
pub fn listed_of<T>(items: &[T], words: impl Fn(&T) -> String) -> String {
    const SHOWN: usize = 8;
    let mut text = items.iter().take(SHOWN).map(words).collect::<Vec<_>>().join(", ");
    if items.len() > SHOWN {
        text.push_str(&format!(" and {} more", items.len() - SHOWN));
    }
    text
}

/// File name without its folder.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_on_every_system() {
        for text in ["a \n\nb", "a\r\n\r\n b\r\n", "a\r\rb\r"] {
            assert_eq!(of(text).collect::<Vec<_>>(), [(1, "a"), (2, ""), (3, "b")], "{text:?}");
        }
    }

    #[test]
    fn numbers_say_what_is_wrong_with_them() {
        assert_eq!(number("0042", 100), Ok(42));
        assert!(number("-3", 100).unwrap_err().contains("negative"));
        assert!(number("4294967296", u32::MAX).unwrap_err().contains("too large"));
        assert!(number("101", 100).unwrap_err().contains("at most 100"));
        for text in ["", "+", "1e3", "3.0", "٣"] {
            assert!(number(text, 100).unwrap_err().contains("not a whole number"), "{text:?}");
        }
    }

    #[test]
    fn pieces_of_files_are_harmless_in_messages() {
        assert_eq!(quoted("a\u{1b}[2J"), "«a\\u{1b}[2J»");
        assert!(quoted(&"x".repeat(10_000)).len() < 60);
        assert_eq!(listed(&["a", "b"]), "a, b");
        assert!(listed(&["x"; 10]).ends_with("and 2 more"));
    }
}
