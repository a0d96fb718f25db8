//! Reading of text from outside, independent of any problem: lines, numbers, tables, encodings, and lists of errors.

pub mod aligned;
pub mod cells;
pub mod columns;
pub mod decoding;
pub mod headings;
pub mod language;
pub mod lines;
pub mod notation;
pub mod order;
pub mod ron;
pub mod sheets;
pub mod table;
pub mod times;
pub mod values;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use self::lines::{counted, listed, quoted};
use crate::{Error, files};

/// Text of a file with its path for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// Path.
    pub path: &'a Path,
    /// Content.
    pub text: &'a str,
}

/// Describes names that differ only in capitals, blanks, hyphens and the like, such as «ENG 110» and «eng110»: mostly one thing
/// in two spellings. `noun` is what is named, in the singular. Names without a letter do not count; 1-1 and 11 are different
/// numbers. `None` if there are none.
pub fn look_alikes<'a>(names: impl Iterator<Item = &'a str>, noun: &str) -> Option<String> {
    let mut known: HashMap<String, &str> = HashMap::new();
    let mut pairs = Vec::new();
    for name in names.filter(|name| name.chars().any(char::is_alphabetic)) {
        match known.entry(letters_and_numbers(name)) {
            Entry::Occupied(first) => pairs.push(format!("{} and {}", quoted(first.get()), quoted(name))),
            Entry::Vacant(place) => {
                place.insert(name);
            }
        }
    }
    let (count, verb) = (counted(pairs.len(), "pair"), if pairs.len() == 1 { "differs" } else { "differ" });
    let what = format!("{count} of {noun}s {verb} only in capitals, blanks or punctuation: {}", listed(&pairs));
    (!pairs.is_empty()).then_some(what)
}

/// Letters and digits of a name in lower case, with a hyphen between two numbers.
fn letters_and_numbers(name: &str) -> String {
    let mut kept = String::new();
    let mut is_separated = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() {
            is_separated = true;
            continue;
        }
        if is_separated && letter.is_numeric() && kept.ends_with(char::is_numeric) {
            kept.push('-');
        }
        is_separated = false;
        kept.extend(letter.to_lowercase());
    }
    kept
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
pub fn other_kind(path: &Path, what: &str) -> Error {
    let missing = if path.exists() { None } else { files::read(path).err() };
    missing.unwrap_or_else(|| Error::file(path, what))
}

/// Turns an error about the instance `name` into one about the file that it was read from, which is the better subject.
pub fn about_file(path: &Path, name: &str) -> impl FnOnce(Error) -> Error {
    move |error| match error {
        Error::Usage(what) => Error::file(path, what.strip_prefix(&format!("{name}: ")).unwrap_or(&what)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_two_spellings_look_alike() {
        let names = ["A-18", "B-1-1", "a 18", "B-11", "1-1", "11", "B.1.1", "Ä1", "ä-1"];
        let found = look_alikes(names.into_iter(), "job name").unwrap();
        let pairs = "«A-18» and «a 18», «B-1-1» and «B.1.1», «Ä1» and «ä-1»";
        assert_eq!(found, format!("3 pairs of job names differ only in capitals, blanks or punctuation: {pairs}"));
        assert_eq!(look_alikes(names[..2].iter().copied(), "job name"), None);
    }
}
