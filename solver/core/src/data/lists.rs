//! Cells that hold a list: `computers; ramp`, `H1, H2`, `3-5; 2026-06-01 09:00`.

use std::fmt;

use chrono::{Datelike, NaiveDate, NaiveTime, Weekday};

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

/// Names of a list as [`items`], which arrows (`→`, `->`, ` > `) may separate, too.
pub fn references(text: &str) -> impl Iterator<Item = &str> {
    let arrow = ["→", "->", " > "].into_iter().find(|arrow| !text.contains(';') && text.contains(arrow));
    let separator = arrow.unwrap_or(if text.contains(';') { ";" } else { "," });
    text.split(separator).map(str::trim).filter(|name| !name.is_empty())
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

/// Rows of a table that has an order and dates, such as the periods of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Number of the row, from 1.
    Number(u32),
    /// Date, with the time of day at which the row begins; without a time all rows of the date are meant.
    Date(NaiveDate, Option<NaiveTime>),
    /// First and last date, both included.
    Dates(NaiveDate, NaiveDate),
    /// Weekday, with the time of day at which the rows begin; without a time all rows of the weekday are meant.
    Weekday(Weekday, Option<NaiveTime>),
}

impl Moment {
    /// Returns `true` if a row of this date that begins at `start` is meant. Numbers say nothing about dates.
    pub fn holds(self, date: NaiveDate, start: Option<NaiveTime>) -> bool {
        self.is_on(date) && self.time().is_none_or(|time| Some(time) == start)
    }

    /// Returns `true` if rows of this date are meant, perhaps those of one time only.
    pub fn is_on(self, date: NaiveDate) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Date(own, _) => own == date,
            Self::Dates(first, last) => (first..=last).contains(&date),
            Self::Weekday(weekday, _) => date.weekday() == weekday,
        }
    }

    /// Time of day at which the rows begin, where only those of one time are meant.
    fn time(self) -> Option<NaiveTime> {
        match self {
            Self::Date(_, time) | Self::Weekday(_, time) => time,
            Self::Number(_) | Self::Dates(..) => None,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}")?,
            Self::Date(date, _) => write!(f, "{}", date.format("%Y-%m-%d"))?,
            Self::Dates(first, last) => write!(f, "{} to {}", first.format("%Y-%m-%d"), last.format("%Y-%m-%d"))?,
            Self::Weekday(weekday, _) => write!(f, "{weekday}")?,
        }
        self.time().map_or(Ok(()), |time| write!(f, " {}", written_time(time)))
    }
}

/// Words and signs between the two ends of a span of dates or weekdays, longer ones first.
const BETWEEN: [&str; 7] = [" to ", " bis ", " au ", " – ", " - ", "–", "-"];

/// Both ends of a span, wherever a word or sign between them leaves two texts that `read` understands; `read` gets the text of the
/// first end and that of the last.
fn span<T>(item: &str, read: impl Fn(&str, &str) -> Option<(T, T)>) -> Option<(T, T)> {
    BETWEEN.iter().find_map(|between| {
        item.match_indices(between).find_map(|(at, _)| read(item[..at].trim(), item[at + between.len()..].trim()))
    })
}

/// First and last date of a span such as `2026-06-01 to 2026-06-05`, `1.6.2026-5.6.2026` or `1.6.–5.6.2026`.
fn dates_of(item: &str, dates: DateOrder) -> Option<(NaiveDate, NaiveDate)> {
    let is_day = |text: &str| !text.contains(':');
    span(item, |first, last| {
        let end = values::date(last, dates).ok().filter(|_| is_day(last) && is_day(first))?;
        let start = values::date(first, dates).ok().or_else(|| {
            // What the first end lacks is that of the last: year, or month and year.
            let completed = match first.matches('.').count() {
                1 => format!("{first}{}.{}", end.month(), end.year()),
                2 => format!("{first}{}", end.year()),
                _ => return None,
            };
            values::date(&completed, dates).ok().filter(|_| first.ends_with('.'))
        })?;
        Some((start, end))
    })
}

/// Weekdays of a span such as `Mon–Wed` or `Fri to Mon`, in order; a single weekday is a span of one.
fn weekdays_of(item: &str) -> Option<Vec<Weekday>> {
    let single = || values::weekday(item).map(|day| (day, day));
    let (first, last) =
        single().or_else(|| span(item, |first, last| values::weekday(first).zip(values::weekday(last))))?;
    let days = last.days_since(first) as usize + 1;
    Some(std::iter::successors(Some(first), |day| Some(day.succ())).take(days).collect())
}

/// Rows of one item of a list of moments.
fn moments_of(item: &str, dates: DateOrder) -> Result<Vec<Moment>, String> {
    /// Largest number.
    const MOST: u32 = 9_999;
    let is_time = |text: &str| text.contains([':', 'h']) || text.ends_with('m');
    let whole = |text: &str| number(text.trim(), MOST).ok().filter(|&number| number > 0);
    let range = || {
        let (first, last) = item.split_once(['-', '–'])?;
        whole(first).zip(whole(last)).filter(|(first, last)| first <= last)
    };
    if let Some((first, last)) = whole(item).map(|number| (number, number)).or_else(range) {
        return Ok((first..=last).map(Moment::Number).collect());
    }
    let timed = item.rsplit_once(' ').filter(|(_, end)| is_time(end));
    let timed = timed.and_then(|(days, end)| weekdays_of(days).zip(values::time(end).ok()));
    if let Some((days, time)) = weekdays_of(item).map(|days| (days, None)).or(timed.map(|(days, at)| (days, Some(at))))
    {
        return Ok(days.into_iter().map(|day| Moment::Weekday(day, time)).collect());
    }
    if let Ok(date) = values::date(item, dates) {
        let ends = [item.rsplit_once(['T', ' ']), item.split_once(['T', ' '])].into_iter().flatten();
        let time = ends.map(|(_, end)| end).filter(|end| is_time(end)).find_map(|end| values::time(end).ok());
        return Ok(vec![Moment::Date(date, time)]);
    }
    match dates_of(item, dates) {
        Some((first, last)) if first <= last => Ok(vec![Moment::Dates(first, last)]),
        Some(_) => Err(format!("{} ends before it begins; write the earlier date first", quoted(item))),
        None => Err(format!(
            "{} is neither a number from 1 nor a date nor a weekday; write 3 or 2026-06-01 or 2026-06-01 09:00 or 2026-06-01 to \
             2026-06-05 or Mon, or remove the row if all periods are meant",
            quoted(item)
        )),
    }
}

/// Reads a list of numbers from 1, ranges of them such as `3-5`, dates and weekdays with or without a time of day, and spans of
/// dates or weekdays such as `2026-06-01 to 2026-06-05` or `Mon–Wed`.
///
/// # Errors
/// A sentence about the first item that is none of these.
pub fn moments(text: &str, dates: DateOrder) -> Result<Vec<Moment>, String> {
    let mut found = Vec::new();
    for item in items(text) {
        found.extend(moments_of(item, dates)?);
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
        assert_eq!(
            references("Saw > Mill > Saw").chain(references("A→B")).collect::<Vec<_>>(),
            ["Saw", "Mill", "Saw", "A", "B"]
        );
        assert_eq!(references("A -> B; C").collect::<Vec<_>>(), ["A -> B", "C"]);
        // A span is no list of its two ends.
        assert_eq!(items("2026-06-08 → 2026-06-12").count(), 1);
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
            ("2026-06-01 to 2026-06-05", "2026-06-01 to 2026-06-05"),
            ("1.6.2026-5.6.2026; 1.–5.6.2026", "2026-06-01 to 2026-06-05; 2026-06-01 to 2026-06-05"),
            ("2026-06-01-2026-06-05, 29.5. – 5.6.2026", "2026-06-01 to 2026-06-05; 2026-05-29 to 2026-06-05"),
            ("Mo 1. Juni 2026 bis Fr 5. Juni 2026", "2026-06-01 to 2026-06-05"),
            ("Tue 2.6.2026 – Thu 4.6.2026", "2026-06-02 to 2026-06-04"),
            ("Fridays; Mon 9:00", "Fri; Mon 09:00"),
            ("Sat-Mon, Di–Mi 14:30", "Sat; Sun; Mon; Tue 14:30; Wed 14:30"),
            ("", ""),
        ] {
            assert_eq!(written(text).as_deref(), Ok(expected), "{text}");
        }
        for wrong in
            ["0", "soon", "6-4", "1; never", "31.2.2026", "1.6.2026 9:00-12:00", "Mon to soon", "2026-06-01 to"]
        {
            assert!(written(wrong).unwrap_err().contains("neither a number"), "{wrong}");
        }
        assert!(written("2026-06-05 to 2026-06-01").unwrap_err().contains("ends before it begins"));
    }

    #[test]
    fn moments_hold_dates_and_starts() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 6, day).unwrap();
        let nine = NaiveTime::from_hms_opt(9, 0, 0);
        // The first of June 2026 is a Monday.
        let held = |text: &str| {
            let found = moments(text, DateOrder::DayFirst).unwrap();
            (1..=9).filter(|&date| found.iter().any(|moment| moment.holds(day(date), nine))).collect::<Vec<_>>()
        };
        assert_eq!(held("2026-06-02 to 2026-06-04"), [2, 3, 4]);
        assert_eq!(held("Mon"), [1, 8]);
        assert_eq!(held("Mon 09:00; Tue 10:00; 2026-06-05"), [1, 5, 8]);
        assert_eq!(held("3"), [0; 0]);
    }
}
