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
    /// First date, which is included with all later ones.
    From(NaiveDate),
    /// Last date, which is included with all earlier ones.
    Until(NaiveDate),
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
            Self::From(first) => date >= first,
            Self::Until(last) => date <= last,
            Self::Weekday(weekday, _) => date.weekday() == weekday,
        }
    }

    /// Time of day at which the rows begin, where only those of one time are meant.
    fn time(self) -> Option<NaiveTime> {
        match self {
            Self::Date(_, time) | Self::Weekday(_, time) => time,
            Self::Number(_) | Self::Dates(..) | Self::From(_) | Self::Until(_) => None,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}")?,
            Self::Date(date, _) => write!(f, "{}", date.format("%Y-%m-%d"))?,
            Self::Dates(first, last) => write!(f, "{} to {}", first.format("%Y-%m-%d"), last.format("%Y-%m-%d"))?,
            Self::From(first) => write!(f, "from {}", first.format("%Y-%m-%d"))?,
            Self::Until(last) => write!(f, "until {}", last.format("%Y-%m-%d"))?,
            Self::Weekday(weekday, _) => write!(f, "{weekday}")?,
        }
        self.time().map_or(Ok(()), |time| write!(f, " {}", written_time(time)))
    }
}

/// Words and signs between the two ends of a span of dates or weekdays, longer ones first.
const BETWEEN: [&str; 17] = [
    " until ", " till ", " through ", " to ", " bis ", " jusqu'au ", " au ", " hasta ", " fino al ", " al ", " έως ",
    " μέχρι ", " ως ", " – ", " - ", "–", "-",
];

/// Words before the first day of an open range in English, German, French, Spanish, Italian and Greek.
const FROM: [&str; 28] = [
    "from", "since", "as of", "starting", "starting on", "ab", "ab dem", "seit", "seit dem", "von", "vom",
    "à partir du", "a partir du", "depuis", "depuis le", "dès", "dès le", "du", "desde", "desde el", "a partir del",
    "del", "dal", "a partire dal", "da", "από", "από τις", "από την",
];

/// Words before the last day of an open range in these languages.
const UNTIL: [&str; 21] = [
    "until", "till", "to", "up to", "through", "bis", "bis zum", "bis einschließlich", "jusqu'au", "jusqu’au",
    "jusqu'à", "au", "hasta", "hasta el", "al", "fino al", "fino a", "έως", "μέχρι", "ως", "μέχρι τις",
];

/// Reads the text behind one of `words`, however it is capitalised; `None` if the item begins with none of them or `read` does not
/// understand what follows.
fn behind<T>(item: &str, words: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<T> {
    words.iter().find_map(|word| {
        let (start, rest) = item.split_at_checked(word.len())?;
        let is_word = start.to_lowercase() == *word && rest.starts_with(char::is_whitespace);
        is_word.then(|| read(rest.trim())).flatten()
    })
}

/// Date without a time of day.
fn day(text: &str, dates: DateOrder) -> Option<NaiveDate> {
    values::date_and_time(text, dates).filter(|(_, time)| time.is_none()).map(|(date, _)| date)
}

/// Dates of an open range such as `from 2026-06-01` or `bis 5.6.2026`.
fn open_range(item: &str, dates: DateOrder) -> Option<Moment> {
    let from = behind(item, &FROM, |rest| day(rest, dates)).map(Moment::From);
    from.or_else(|| behind(item, &UNTIL, |rest| day(rest, dates)).map(Moment::Until))
}

/// Both ends of a span, wherever a word or sign between them leaves two texts that `read` understands; `read` gets the text of the
/// first end and that of the last.
fn span<T>(item: &str, read: impl Fn(&str, &str) -> Option<(T, T)>) -> Option<(T, T)> {
    BETWEEN.iter().find_map(|between| {
        item.match_indices(between).find_map(|(at, _)| read(item[..at].trim(), item[at + between.len()..].trim()))
    })
}

/// First and last date of a span such as `2026-06-01 to 2026-06-05`, `vom 1.6.2026 bis 5.6.2026` or `1.6.–5.6.2026`.
fn dates_of(item: &str, dates: DateOrder) -> Option<(NaiveDate, NaiveDate)> {
    span_of_dates(item, dates).or_else(|| behind(item, &FROM, |rest| span_of_dates(rest, dates)))
}

fn span_of_dates(item: &str, dates: DateOrder) -> Option<(NaiveDate, NaiveDate)> {
    span(item, |first, last| {
        let end = day(last, dates)?;
        let start = day(first, dates).or_else(|| {
            // What the first end lacks is that of the last: year, or month and year.
            let completed = match first.matches('.').count() {
                1 => format!("{first}{}.{}", end.month(), end.year()),
                2 => format!("{first}{}", end.year()),
                _ => return None,
            };
            day(&completed, dates).filter(|_| first.ends_with('.'))
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
    let date = || values::date_and_time(item, dates).map(|(date, time)| Moment::Date(date, time));
    if let Some(moment) = date().or_else(|| open_range(item, dates)) {
        return Ok(vec![moment]);
    }
    match dates_of(item, dates) {
        Some((first, last)) if first <= last => Ok(vec![Moment::Dates(first, last)]),
        Some(_) => Err(format!("{} ends before it begins; write the earlier date first", quoted(item))),
        None => Err(format!(
            "{} is neither a number from 1 nor a date nor a weekday; write 3 or 2026-06-01 or 2026-06-01 09:00 or 2026-06-01 to \
             2026-06-05 or from 2026-06-01 or until 2026-06-05 or Mon, or remove the row if all periods are meant",
            quoted(item)
        )),
    }
}

/// Reads a list of numbers from 1, ranges of them such as `3-5`, dates and weekdays with or without a time of day, spans of
/// dates or weekdays such as `2026-06-01 to 2026-06-05` or `Mon–Wed`, and open ranges such as `from 2026-06-01` or `bis 5.6.2026`.
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
            ("2026-06-01 0900; 2026-06-02 14 Uhr", "2026-06-01 09:00; 2026-06-02 14:00"),
            (
                "from 2026-06-01 to 2026-06-05, vom 1.6. bis 5.6.2026",
                "2026-06-01 to 2026-06-05; 2026-06-01 to 2026-06-05",
            ),
            (
                "du 1 juin 2026 au 5 juin 2026; desde 1/6/2026 hasta 5/6/2026",
                "2026-06-01 to 2026-06-05; 2026-06-01 to 2026-06-05",
            ),
            (
                "dal 1.6.2026 al 5.6.2026; από 1.6.2026 έως 5.6.2026",
                "2026-06-01 to 2026-06-05; 2026-06-01 to 2026-06-05",
            ),
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
    fn open_ranges_are_read_in_six_languages_and_never_as_one_day() {
        let written =
            |text: &str| moments(text, DateOrder::DayFirst).map(|found| joined(found.iter().map(Moment::to_string)));
        for word in FROM.into_iter().chain(["From", "Ab", "AS OF", "À partir du", "Από"]) {
            for day in ["2026-06-03", "3.6.2026", "Mi 3.6.2026", "3 June 2026"] {
                assert_eq!(written(&format!("{word} {day}")).as_deref(), Ok("from 2026-06-03"), "{word} {day}");
            }
        }
        for word in UNTIL.into_iter().chain(["Until", "Bis zum", "Jusqu’au", "Έως"]) {
            for day in ["2026-06-03", "03/06/2026", "mer. 3.6.2026"] {
                assert_eq!(written(&format!("{word} {day}")).as_deref(), Ok("until 2026-06-03"), "{word} {day}");
            }
        }
        assert_eq!(written("from 2026-06-03; until 2026-06-01").as_deref(), Ok("from 2026-06-03; until 2026-06-01"));
        for wrong in [
            "after 2026-06-03", "except 2026-06-03", "from 2026-06-03 14:00", "ab 3.6.", "from Mon", "from 3", "from",
            "bis bald", "2026-06-03 onwards", "nicht 3.6.2026", "–2026-06-03", "2026-06-01 14h30 to 2026-06-03",
        ] {
            assert!(written(wrong).unwrap_err().contains("neither a number"), "{wrong}");
        }
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
        assert_eq!((held("from 2026-06-07"), held("bis 3.6.2026")), (vec![7, 8, 9], vec![1, 2, 3]));
        assert_eq!(held("Mon"), [1, 8]);
        assert_eq!(held("Mon 09:00; Tue 10:00; 2026-06-05"), [1, 5, 8]);
        assert_eq!(held("3"), [0; 0]);
    }
}
