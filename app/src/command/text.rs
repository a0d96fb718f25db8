//! What goes to the terminal: lines, tables, numbers as people read them.

use std::fmt::Write as _;
use std::io::Write as _;

use indicatif::{HumanCount, HumanFloatCount};

/// Writes the answer to the standard output.
///
/// A reader that has seen enough (`gridwright info FILE | head -1`) is no error; where the answer cannot be written, the
/// program says so and ends.
pub fn answer(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(failure) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && failure.kind() != std::io::ErrorKind::BrokenPipe
    {
        error(&format!("the answer could not be written ({failure}); send it to another place"));
        std::process::exit(super::Exit::Usage as i32);
    }
}

/// Writes one line about what goes on to the standard error.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes an error to the standard error; further lines of it stand below the first.
pub fn error(text: &str) {
    note(&format!("error: {}", text.trim_end().replace('\n', "\n       ")));
}

/// One JSON value on a line of its own.
pub fn json(value: &serde_json::Value) -> String {
    format!("{value}\n")
}

/// Two columns; an empty name continues the row above.
pub fn table<N: AsRef<str>, T: AsRef<str>>(rows: &[(N, T)]) -> String {
    let width = rows.iter().map(|(name, _)| name.as_ref().chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value) in rows {
        let (name, value) = (name.as_ref(), value.as_ref());
        let gap = " ".repeat(width - name.chars().count());
        let _ = writeln!(text, "{}", format!("{name}{gap}  {value}").trim_end());
    }
    text
}

/// Columns as wide as they need to be: words at the left, the others at the right where the first row is a head.
pub fn columns(rows: &[[String; 4]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let numbers = rows.first().is_some_and(|row| row[0].is_empty());
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let gap = " ".repeat(width - cell.chars().count());
            let right = numbers && (column == 1 || column == 2);
            let cell = if right { format!("{gap}{cell}  ") } else { format!("{cell}{gap}  ") };
            line.push_str(&cell);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// 20,305
pub fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

/// «1 exam», «2 exams».
pub fn plural(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number as u64), if number == 1 { "" } else { "s" })
}

/// 950, 12.3 k, 4.56 M, 1.2 G: three digits say enough of what runs.
pub fn rough(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n >= 1e9 => (n / 1e9, " G"),
        n if n >= 1e6 => (n / 1e6, " M"),
        n if n >= 1e4 => (n / 1e3, " k"),
        n => (n, ""),
    };
    let decimals = if unit.is_empty() || scaled >= 100.0 { 0 } else { 1 };
    format!("{scaled:.decimals$}{unit}")
}

/// 0.4 s, 12 s, 3:05 min, 1:02:00 h
pub fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..10 => format!("{:.1} s", seconds.max(0.0)),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60),
    }
}

/// A number with at most four decimals: 10.0337, 28,325.
pub fn number(value: f64) -> String {
    HumanFloatCount(rounded(value)).to_string()
}

pub use gridwright_solver::numbers::rounded;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(20_305), "20,305");
        assert_eq!([1.0, 9_500.0, 12_345.0, 4_560_000.0, 123e9].map(rough), ["1", "9500", "12.3 k", "4.6 M", "123 G"]);
        assert_eq!([0.42, 12.4, 185.0, 3720.0].map(duration), ["0.4 s", "12 s", "3:05 min", "1:02:00 h"]);
        assert_eq!(number(28_325.0 / 2823.0), "10.0337");
        assert_eq!((plural(1, "exam"), plural(2000, "exam")), ("1 exam".to_owned(), "2,000 exams".to_owned()));
    }

    #[test]
    fn tables_are_aligned() {
        assert_eq!(
            table(&[("name", "a"), ("", "b"), ("enrolments", "")]),
            "name        a\n            b\nenrolments\n"
        );
    }
}
