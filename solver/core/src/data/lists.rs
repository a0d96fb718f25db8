//! Cells that hold a list: `computers; ramp`, `H1, H2`, `3-5; 2026-06-01 09:00`.

use std::fmt;

use chrono::{NaiveDate, NaiveTime};

use super::written_time;
use crate::text::lines::{number, quoted};
use crate::text::values::{self, DateOrder};

/// A code without the number or text of a reason behind it: `A` of `A/1`, `E3` loses its 3, `X (fire)` its brackets.
pub fn without_reason(code: &str) -> &str {
    let end = code.find(|letter: char| letter.is_ascii_digit() || "/(:,;-–".contains(letter)).unwrap_or(code.len());
    let (before, _) = code.split_at(end);
    if before.trim().is_empty() { code } else { before.trim_end() }
}

/// Items of a list, which are separated by semicolons or, without any, by commas; blank ones are left out.
pub fn items(text: &str) -> impl Iterator<Item = &str> {
    let separator = if text.contains(';') { ';' } else { ',' };
    text.split(separator).map(str::trim).filter(|item| !item.is_empty())
}

/// The list as datasets hold it: separated by semicolons.
pub fn joined<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    let mut text = String::new();
    for item in items {
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(item.as_ref());
    }
    text
}

/// Row of a table that has an order and dates, such as a period of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Number of the row, from 1.
    Number(u32),
    /// Date, with the time of day at which the row begins; without a time all rows of the date are meant.
    Date(NaiveDate, Option<NaiveTime>),
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Date(date, None) => write!(f, "{}", date.format("%Y-%m-%d")),
            Self::Date(date, Some(time)) => write!(f, "{} {}", date.format("%Y-%m-%d"), written_time(*time)),
        }
    }
}

/// Reads a list of numbers from 1, ranges of them such as `3-5`, and dates with or without a time of day.
///
/// # Errors
/// A sentence about the first item that is none of these.
pub fn moments(text: &str, dates: DateOrder) -> Result<Vec<Moment>, String> {
    /// Largest number.
    const MOST: u32 = 9_999;
    let mut found = Vec::new();
    for item in items(text) {
        let whole = |text: &str| number(text.trim(), MOST).ok().filter(|&number| number > 0);
        let range = || {
            let (first, last) = item.split_once(['-', '–'])?;
            whole(first).zip(whole(last)).filter(|(first, last)| first <= last)
        };
        if let Some((first, last)) = whole(item).map(|number| (number, number)).or_else(range) {
            found.extend((first..=last).map(Moment::Number));
        } else if let Ok(date) = values::date(item, dates) {
            let is_time = |text: &str| text.contains([':', 'h']) || text.ends_with('m');
            let ends = [item.rsplit_once(['T', ' ']), item.split_once(['T', ' '])].into_iter().flatten();
            let time = ends.map(|(_, end)| end).filter(|end| is_time(end)).find_map(|end| values::time(end).ok());
            found.push(Moment::Date(date, time));
        } else {
            let what = "is neither a number from 1 nor a date; write 3 or 2026-06-01 or 2026-06-01 09:00, or remove the row if all \
                        periods are meant";
            return Err(format!("{} {what}", quoted(item)));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_separated_by_semicolons_or_commas() {
        assert_eq!(items("H1, H2,,").collect::<Vec<_>>(), ["H1", "H2"]);
        assert_eq!(items("Weiß, Anna; Roth, Jan").collect::<Vec<_>>(), ["Weiß, Anna", "Roth, Jan"]);
        assert_eq!(joined(items(" a,b ")), "a; b");
        assert_eq!(items(" ").count(), 0);
    }

    #[test]
    fn moments_are_numbers_ranges_and_dates() {
        let written =
            |text: &str| moments(text, DateOrder::DayFirst).map(|found| joined(found.iter().map(Moment::to_string)));
        for (text, expected) in [
            ("3", "3"),
            ("2, 4-6", "2; 4; 5; 6"),
            ("1.6.2026", "2026-06-01"),
            ("2026-06-01T09:00; 7", "2026-06-01 09:00; 7"),
            ("Mon 1.6.2026 14:30, 2 June 2026", "2026-06-01 14:30; 2026-06-02"),
            ("", ""),
        ] {
            assert_eq!(written(text).as_deref(), Ok(expected), "{text}");
        }
        for wrong in ["0", "soon", "6-4", "1; never", "31.2.2026"] {
            assert!(written(wrong).unwrap_err().contains("neither a number"), "{wrong}");
        }
    }
}
