//! Output to the terminal: lines, tables, numbers as people read them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;

pub use gridwright_core::numbers::{compact, counted, duration, grouped, quantity, rounded};
pub use gridwright_core::text::aligned::table;

/// Returns `true` for characters that must not reach a terminal: control characters, of which escape sequences are made,
/// and marks that reverse the direction of the text after them.
fn is_hidden(letter: char) -> bool {
    let is_direction = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_direction || letter.is_control() && !matches!(letter, '\n' | '\t')
}

/// Text for a terminal: hidden characters of names from files, such as escape sequences, are written as `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_hidden(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// Writes the answer to the standard output.
///
/// A reader that has seen enough (`gridwright info FILE | head -1`) is no error; where the answer cannot be written, the
/// program says so and ends.
pub(crate) fn answer(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(failure) = out.write_all(visible(text).as_bytes()).and_then(|()| out.flush())
        && failure.kind() != std::io::ErrorKind::BrokenPipe
    {
        error(&format!("the answer could not be written ({failure}); send it to another place"));
        std::process::exit(super::Exit::Usage as i32);
    }
}

/// Writes one line about what goes on to the standard error.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(text));
}

/// Writes an error to the standard error; further lines are indented below the first.
pub fn error(text: &str) {
    note(&format!("error: {}", text.trim_end().replace('\n', "\n       ")));
}

/// One JSON value on a line of its own; characters that a terminal must not get are escaped as JSON does.
pub(crate) fn json(value: &serde_json::Value) -> String {
    let mut text = String::new();
    for letter in value.to_string().chars() {
        // All of them lie below U+10000 and occur within strings only.
        if is_hidden(letter) {
            let _ = write!(text, "\\u{:04x}", u32::from(letter));
        } else {
            text.push(letter);
        }
    }
    text + "\n"
}

/// «1 step», «2.5 M steps»: a number with a noun that is given in the plural.
pub(crate) fn effort(number: u64, nouns: &str) -> String {
    let noun = if number == 1 { nouns.strip_suffix('s').unwrap_or(nouns) } else { nouns };
    format!("{} {noun}", compact(number as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_their_number() {
        assert_eq!([effort(1, "steps"), effort(2, "steps")], ["1 step", "2 steps"]);
    }

    #[test]
    fn escape_sequences_are_visible() {
        let name = "Desk\u{1b}]0;title\u{7}\u{9b}2J\r\u{202e}\u{7f}";
        assert_eq!(visible(name), "Desk\\u{1b}]0;title\\u{7}\\u{9b}2J\\r\\u{202e}\\u{7f}");
        assert_eq!(visible("Prüfung\tΑ\n"), "Prüfung\tΑ\n");
        let value = serde_json::json!({ "name": name });
        let line = json(&value);
        assert!(!line.trim_end().contains(is_hidden), "{line}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), value);
    }
}
