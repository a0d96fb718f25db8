//! Parsers of dates, times of day and durations as people write them.

use chrono::{Datelike, NaiveDate, NaiveTime, Weekday};

use crate::text::lines::{Read, number, quoted};

/// Meaning of dates such as `06/05/2026`; with points the day always comes first, with a leading year the order is
/// clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum DateOrder {
    /// Day first: the sixth of May.
    #[default]
    DayFirst,
    /// Month first: June the fifth.
    MonthFirst,
}

/// Prefixes of the names of the months in English, German, French and Greek, without accents.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ιαν"],
    &["feb", "fev", "φεβ"],
    &["mar", "mrz", "μαρ"],
    &["apr", "avr", "απρ"],
    &["may", "mai", "μαι"],
    &["jun", "juin", "ιουν"],
    &["jul", "juil", "ιουλ"],
    &["aug", "aou", "αυγ"],
    &["sep", "σεπ"],
    &["oct", "okt", "οκτ"],
    &["nov", "νοε"],
    &["dec", "dez", "δεκ"],
];

/// Names of the weekdays from Monday, short and long, in English, German, French, Spanish, Italian and Greek, without accents.
const WEEKDAYS: [&str; 7] = [
    "mo mon monday montag lun lundi lunes lunedi δευ δευτερα",
    "tu tue tues tuesday di die dienstag mar mardi martes martedi τρι τριτη",
    "we wed wednesday mi mit mittwoch mer mercredi mie miercoles mercoledi τετ τεταρτη",
    "th thu thur thurs thursday do don donnerstag jeu jeudi jue jueves gio giovedi πεμ πεμπτη",
    "fr fri friday freitag ven vendredi vie viernes venerdi παρ παρασκευη",
    "sa sat saturday sam samstag sonnabend samedi sab sabado sabato σαβ σαββατο",
    "su sun sunday so son sonntag dim dimanche dom domingo domenica κυρ κυριακη",
];

/// Weekday of this name, such as `Mon`, `Tuesdays`, `Mittwoch` or `jeu.`; `None` for other texts.
pub fn weekday(text: &str) -> Option<Weekday> {
    let name = crate::text::columns::plain(text);
    let of = |name: &str| WEEKDAYS.iter().position(|names| names.split(' ').any(|known| known == name));
    let found = of(&name).or_else(|| name.strip_suffix('s').filter(|name| name.len() > 3).and_then(of))?;
    Weekday::try_from(u8::try_from(found).ok()?).ok()
}

/// Numbers between separators; `None` unless there are exactly `N` and none has more digits than `longest`.
fn parts_of<const N: usize>(text: &str, separator: char, longest: [usize; N]) -> Option<[u32; N]> {
    let mut values = [0; N];
    let mut pieces = text.split(separator);
    for (value, longest) in values.iter_mut().zip(longest) {
        let piece = pieces.next()?.trim();
        *value = Some(piece).filter(|piece| piece.len() <= longest).and_then(|piece| number(piece, 9999).ok())?;
    }
    pieces.next().is_none().then_some(values)
}

/// Parses a date such as `2026-06-01`, `01.06.2026`, `1/6/26`, `20260601`, `Mon 1 June 2026` or `2026-06-01 00:00`.
///
/// # Errors
/// Description of the error and of the expected notation.
pub fn date(text: &str, order: DateOrder) -> Read<NaiveDate> {
    let wrong = || format!("{} is no date; write 2026-06-01, or day, month, year as 01.06.2026", quoted(text));
    date_and_time(text, order).map(|(date, _)| date).ok_or_else(wrong)
}

/// Parses a date as [`date`], with the time of day behind it if there is one; spreadsheets append midnight.
pub fn date_and_time(text: &str, order: DateOrder) -> Option<(NaiveDate, Option<NaiveTime>)> {
    let text = without_weekday(text.trim());
    let timed = || {
        let (day, rest) = text.split_once(['T', ' '])?;
        Some((plain_date(day, order)?, Some(time(rest).ok()?)))
    };
    plain_date(text, order).map(|date| (date, None)).or_else(timed)
}

fn plain_date(text: &str, order: DateOrder) -> Option<NaiveDate> {
    let year_first = || {
        let separated = ['-', '/', '.'].into_iter().find_map(|separator| parts_of(text, separator, [4, 2, 2]));
        let digits = || {
            let whole = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
            let piece = |from: usize, to: usize| text.get(from..to).and_then(|piece| number(piece, 9999).ok());
            if whole { Some([piece(0, 4)?, piece(4, 6)?, piece(6, 8)?]) } else { None }
        };
        separated.filter(|[year, ..]| *year >= 1900).or_else(digits).map(|[year, month, day]| (year, month, day))
    };
    let year_last = || {
        if let Some([day, month, year]) = parts_of(text, '.', [2, 2, 4]) {
            return Some((year, month, day));
        }
        let [first, second, year] = parts_of(text, '/', [2, 2, 4]).or_else(|| parts_of(text, '-', [2, 2, 4]))?;
        Some(match order {
            DateOrder::DayFirst => (year, second, first),
            DateOrder::MonthFirst => (year, first, second),
        })
    };
    let (year, month, day) = year_first().or_else(year_last).or_else(|| named_month(text))?;
    let year = if year < 100 { 2000 + year } else { year };
    (1900..=9999).contains(&year).then(|| NaiveDate::from_ymd_opt(year as i32, month, day)).flatten()
}

/// Parses `1 June 2026`, `June 1, 2026` or `1. Juni 2026` into (year, month, day).
fn named_month(text: &str) -> Option<(u32, u32, u32)> {
    let pieces: Vec<&str> = text.split([' ', ',', '.', '-']).filter(|piece| !piece.is_empty()).collect();
    let [first, second, year] = pieces.as_slice() else { return None };
    let month = |name: &str| {
        let name = crate::text::columns::plain(name);
        MONTHS.iter().position(|starts| starts.iter().any(|start| name.starts_with(start)))
    };
    let (day, month) = match (month(first), month(second)) {
        (None, Some(month)) => (first, month),
        (Some(month), None) => (second, month),
        _ => return None,
    };
    Some((number(year, 9999).ok()?, month as u32 + 1, number(day, 31).ok()?))
}

/// Words before a single day in English, German, French, Spanish, Italian and Greek, without accents.
const ON: [&str; 9] = ["on", "am", "den", "le", "el", "il", "la", "στισ", "την"];

/// Removes the name of the weekday from `Mon 01.06.2026`, and a word such as `on`. Other words stay: they may mean other days, as
/// `from 01.06.2026` does.
fn without_weekday(text: &str) -> &str {
    let rest = text.trim_start_matches(char::is_alphabetic);
    let rest = rest.trim_start_matches(['.', ',', ' ']);
    if rest.starts_with(|letter: char| letter.is_ascii_digit()) && rest.len() < text.len() {
        let word: String = text.chars().take_while(|letter| letter.is_alphabetic()).collect();
        let word = crate::text::columns::plain(&word);
        if weekday(&word).is_none() && !ON.contains(&word.as_str()) {
            return text;
        }
        // «Mar 1, 2026» begins with a month, not with a weekday.
        let is_month = MONTHS.iter().flat_map(|starts| starts.iter()).any(|start| word.starts_with(start));
        // «Mar» is Tuesday and March: what follows decides, three numbers or two.
        if !is_month || plain_date(rest, DateOrder::DayFirst).is_some() {
            return rest;
        }
    }
    text
}

/// Parses a time of day such as `09:00`, `9:00:00`, `9.30`, `14h30`, `2:30 pm`, `0900` or `2026-06-01 09:00`.
///
/// # Errors
/// Description of the error and of the expected notation.
pub fn time(text: &str) -> Read<NaiveTime> {
    let wrong = || format!("{} is no time; write 09:00", quoted(text));
    let lower = text.trim().to_lowercase();
    let (lower, is_full) = lower.strip_suffix("uhr").map_or((lower.as_str(), false), |hour| (hour.trim_end(), true));
    let (clock, half) = match lower.replace('.', "").as_str() {
        short if short.ends_with("am") || short.ends_with("πμ") => (without_half(lower), Some(0)),
        short if short.ends_with("pm") || short.ends_with("μμ") => (without_half(lower), Some(12)),
        _ => (lower, None),
    };
    // A date in front belongs to another column; spreadsheets write 1899-12-30 for none.
    let is_day = |day: &str| ['-', '.', '/'].into_iter().any(|separator| day.split(separator).count() == 3);
    let clock = match clock.split_once(['t', ' ']) {
        Some((day, rest)) if is_day(day) => rest.trim(),
        _ => clock,
    };
    // «2 pm» and «14 Uhr» need no minutes.
    let whole = || number(clock, 24).ok().filter(|_| half.is_some() || is_full).map(|hour| [hour, 0, 0]);
    let parts = clock_parts(clock).or_else(whole).ok_or_else(wrong)?;
    let hour = match half {
        None => parts[0],
        Some(shift) if (1..=12).contains(&parts[0]) => parts[0] % 12 + shift,
        Some(_) => return Err(wrong()),
    };
    NaiveTime::from_hms_opt(hour, parts[1], parts[2]).ok_or_else(wrong)
}

/// Removes the half of the day from «2:30 p.m.».
fn without_half(text: &str) -> &str {
    text.trim_end_matches(|letter: char| letter.is_alphabetic() || letter == '.' || letter == ' ')
}

fn clock_parts(text: &str) -> Option<[u32; 3]> {
    let with_seconds = |[hour, minute]: [u32; 2]| [hour, minute, 0];
    if let Some((hour, minute)) = text.split_once('h') {
        let minute = if minute.is_empty() { "0" } else { minute };
        return Some([number(hour.trim(), 24).ok()?, number(minute.trim(), 59).ok()?, 0]);
    }
    if text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some([number(&text[..2], 24).ok()?, number(&text[2..], 59).ok()?, 0]);
    }
    let colon = parts_of(text, ':', [2, 2]).map(with_seconds).or_else(|| parts_of(text, ':', [2, 2, 2]));
    colon.or_else(|| parts_of(text, '.', [2, 2]).map(with_seconds))
}

/// Parses a time of day, or two with a dash between them: `09:00–11:00`.
///
/// # Errors
/// As [`time`].
pub fn times(text: &str) -> Read<(NaiveTime, Option<NaiveTime>)> {
    match time(text) {
        Ok(start) => Ok((start, None)),
        Err(why) => {
            let pair = ['–', '-', '—'].into_iter().find_map(|dash| {
                let (from, to) = text.split_once(dash)?;
                Some((time(from).ok()?, time(to).ok()?))
            });
            pair.map(|(start, end)| (start, Some(end))).ok_or(why)
        }
    }
}

/// Parses a duration into minutes: `90`, `90 min`, `1:30`, `1h30`, `2 h` or `1,5 h`; at most a day.
///
/// # Errors
/// Description of the error.
pub fn duration(text: &str) -> Read<u32> {
    const DAY: u32 = 24 * 60;
    let plain = number(text, DAY);
    if plain.is_ok() {
        return plain;
    }
    let lower = text.trim().to_lowercase();
    let minutes = ["minutes", "minuten", "minute", "mins", "min.", "min", "λεπτά", "'", "′", "m"]
        .into_iter()
        .find_map(|unit| number(lower.strip_suffix(unit)?.trim_end(), DAY).ok());
    let hours_and_minutes = || {
        let [hours, minutes] = parts_of(&lower, ':', [2, 2]).or_else(|| parts_of(&lower, 'h', [2, 2]))?;
        (minutes < 60).then_some(hours * 60 + minutes)
    };
    let hours = || {
        let number = ["hours", "hour", "hrs", "hr", "stunden", "std.", "std", "heures", "ώρες", "h"]
            .into_iter()
            .find_map(|unit| lower.strip_suffix(unit))?;
        let hours: f64 = number.trim_end().replace(',', ".").parse().ok()?;
        let minutes = hours * 60.0;
        ((0.0..=f64::from(DAY)).contains(&minutes) && minutes.fract() == 0.0).then_some(minutes as u32)
    };
    let found = minutes.or_else(hours_and_minutes).or_else(hours).filter(|&minutes| minutes <= DAY);
    if found.is_none() && lower.bytes().all(|byte| byte.is_ascii_digit()) {
        return plain;
    }
    found.ok_or_else(|| format!("{} is no length of time; write 90, 1:30 or 2 h, at most a day", quoted(text.trim())))
}

/// Message about a time of day or a length of time such as `8:30`, `8:30:00` or `1h30` where a plain number is wanted, with the
/// remedy; `None` for other texts.
pub(crate) fn in_hours_and_minutes(text: &str) -> Option<String> {
    let [hours, minutes, seconds] = clock(text)?;
    let minutes = hours * 60 + minutes;
    let (amount, unit) = if seconds == 0 { (minutes, "minutes") } else { (minutes * 60 + seconds, "seconds") };
    let text = quoted(text.trim());
    Some(format!("{text} is in hours and minutes; write all times as numbers in one unit, such as {amount} for {unit}"))
}

/// Hours and minutes of a text such as `1:30`, `1h30` or `1:30:00`; `None` for other texts, and where there are seconds.
pub(crate) fn hours_and_minutes(text: &str) -> Option<[u32; 2]> {
    let [hours, minutes, seconds] = clock(text)?;
    (seconds == 0).then_some([hours, minutes])
}

/// Hours, minutes and seconds of a text such as `1:30`, `1h30` or `1:30:15`; `None` for other texts.
fn clock(text: &str) -> Option<[u32; 3]> {
    let lower = text.trim().to_lowercase();
    let short = || parts_of(&lower, ':', [3, 2]).or_else(|| parts_of(&lower, 'h', [3, 2]));
    let found = parts_of(&lower, ':', [3, 2, 2]).or_else(|| short().map(|[hours, minutes]| [hours, minutes, 0]));
    found.filter(|[_, minutes, seconds]| *minutes < 60 && *seconds < 60)
}

/// Message about a date, a time of day or a length of time where a plain number is wanted, with the remedy; `None` for other texts.
pub fn as_date_or_time(text: &str) -> Option<String> {
    let is_date = || text.trim().parse::<f64>().is_err() && date(text, DateOrder::DayFirst).is_ok();
    let of_date = || {
        format!(
            "{} is a date and no number; write times as numbers in one unit, counted from the start",
            quoted(text.trim())
        )
    };
    in_hours_and_minutes(text).or_else(|| is_date().then(of_date))
}

/// Dates of three numbers without a leading year in some texts, each of which may hold several: «06/05/2026».
fn numeric_dates<'a>(texts: impl Iterator<Item = &'a str>) -> impl Iterator<Item = (&'a str, [u32; 3])> {
    let pieces = texts.flat_map(|text| text.split([' ', ';', ',', 'T']));
    pieces.filter_map(|piece| {
        let parts = parts_of(piece, '/', [2, 2, 4]).or_else(|| parts_of(piece, '-', [2, 2, 4]));
        Some((piece, parts?))
    })
}

/// Order of day and month that the dates show, by a number above 12; `None` if they do not show it.
pub fn order_of<'a>(texts: impl Iterator<Item = &'a str>) -> Option<DateOrder> {
    numeric_dates(texts).find_map(|(_, [first, second, _])| match (first > 12, second > 12) {
        (true, false) => Some(DateOrder::DayFirst),
        (false, true) => Some(DateOrder::MonthFirst),
        _ => None,
    })
}

/// A date with a leading year in place of one whose month comes first; other texts as they are. A time of day stays.
pub fn with_leading_year(text: &str, order: DateOrder) -> String {
    let plain = without_weekday(text.trim());
    let (day, rest) = plain.split_once(' ').map_or((plain, String::new()), |(day, rest)| (day, format!(" {rest}")));
    let is_numeric = order == DateOrder::MonthFirst && numeric_dates(std::iter::once(day)).next().is_some();
    match plain_date(day, order).filter(|_| is_numeric) {
        Some(date) => format!("{date}{rest}"),
        None => text.to_owned(),
    }
}

/// Remark on the dates of a column if none of them shows the order of day and month and one could be read with both exchanged:
/// «06/05/2026». `None` if there is no such date. A text may hold several dates.
pub fn doubtful_order<'a>(texts: impl Iterator<Item = &'a str>, order: DateOrder) -> Option<String> {
    let mut doubtful = None;
    for (piece, [first, second, _]) in numeric_dates(texts) {
        if first > 12 || second > 12 {
            return None;
        }
        doubtful = doubtful.or((first != second).then_some(piece));
    }
    let text = doubtful?;
    let (read, other, first) = match order {
        DateOrder::DayFirst => (order, DateOrder::MonthFirst, "day"),
        DateOrder::MonthFirst => (order, DateOrder::DayFirst, "month"),
    };
    let [read, other] = [read, other].map(|order| date(text, order).ok());
    let text = quoted(text);
    Some(format!(
        "{text} is read as {}, with the {first} first, and no other date shows the order; write {} if that is meant",
        read?, other?
    ))
}

/// Reads a date that a file of the program stores; one outside the years 1900 to 9999 is refused.
///
/// # Errors
/// The error of the deserialiser, which names the date.
pub fn stored_date<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<NaiveDate>, D::Error> {
    use serde::Deserialize;
    let date = Option::<NaiveDate>::deserialize(from)?;
    match date.filter(|date| !(1900..=9999).contains(&date.year())) {
        Some(date) => Err(serde::de::Error::custom(format!("{} is no date of a plan", quoted(&date.to_string())))),
        None => Ok(date),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_with_two_readings_are_told_unless_another_date_shows_the_order() {
        let told = |dates: &[&str], order| doubtful_order(dates.iter().copied(), order);
        let day_first = told(&["2026-06-01", "05/05/2026", "06/05/2026 09:00"], DateOrder::DayFirst).unwrap();
        assert!(day_first.contains("«06/05/2026» is read as 2026-05-06") && day_first.contains("write 2026-06-05"));
        let month_first = told(&["3; 06-05-2026"], DateOrder::MonthFirst).unwrap();
        assert!(month_first.contains("read as 2026-06-05, with the month first"), "{month_first}");
        for dates in [&["06/05/2026", "Tue 13/05/2026"][..], &["06.05.2026", "5/5/26"], &["soon", "1/2", "3-5"]] {
            assert_eq!(told(dates, DateOrder::DayFirst), None, "{dates:?}");
        }
    }

    #[test]
    fn dates_as_people_write_them() {
        let first_of_june = NaiveDate::from_ymd_opt(2026, 6, 1).unwrap();
        for text in [
            "2026-06-01", "2026/6/1", "20260601", "01.06.2026", "1.6.26", "1/6/2026", "Mon 01/06/2026",
            "Montag, 1. Juni 2026", "June 1, 2026", "1 juin 2026", "Δευτέρα 1 Ιουνίου 2026", "2026-06-01T00:00:00",
            "01.06.2026 09:00",
        ] {
            assert_eq!(date(text, DateOrder::DayFirst), Ok(first_of_june), "{text}");
        }
        assert_eq!(date("06/01/2026", DateOrder::MonthFirst), Ok(first_of_june));
        assert_eq!(date("mar. 3 mars 2026", DateOrder::DayFirst), Ok(NaiveDate::from_ymd_opt(2026, 3, 3).unwrap()));
        assert_eq!(date("am 01.06.2026", DateOrder::DayFirst), Ok(first_of_june));
        // Words that are no weekday may mean more than one day.
        for text in ["from 2026-06-01", "ab 1.6.2026", "not 1 June 2026", "until 2026-06-01T09:00"] {
            assert!(date(text, DateOrder::DayFirst).unwrap_err().contains("no date"), "{text}");
        }
        for text in ["", "31.06.2026", "2026-13-01", "06/25/2026", "1", "1234", "46174", "June", "1 Brumaire 2026"] {
            let why = date(text, DateOrder::DayFirst).unwrap_err();
            assert!(why.contains("no date"), "{text}: {why}");
        }
    }

    #[test]
    fn weekdays_have_names_in_six_languages() {
        for (text, expected) in [
            ("Mon", Weekday::Mon),
            ("mardi", Weekday::Tue),
            ("Mittwochs", Weekday::Wed),
            ("jeu.", Weekday::Thu),
            ("Fridays", Weekday::Fri),
            ("sábado", Weekday::Sat),
            ("Κυριακή", Weekday::Sun),
        ] {
            assert_eq!(weekday(text), Some(expected), "{text}");
        }
        for text in ["", "March", "Monday 9", "9", "m"] {
            assert_eq!(weekday(text), None, "{text}");
        }
    }

    #[test]
    fn times_as_people_write_them() {
        let at = |hour, minute| NaiveTime::from_hms_opt(hour, minute, 0).unwrap();
        for text in ["09:30", "9:30:00", "9.30", "9h30", "0930", "9:30 AM", "9.30 Uhr", "9:30 a.m.", "1899-12-30 09:30"]
        {
            assert_eq!(time(text), Ok(at(9, 30)), "{text}");
        }
        assert_eq!((time("2:15 pm"), time("12:00 am"), time("14h")), (Ok(at(14, 15)), Ok(at(0, 0)), Ok(at(14, 0))));
        assert_eq!((time("2 pm"), time("9AM")), (Ok(at(14, 0)), Ok(at(9, 0))));
        assert_eq!(times("09:00–11:30"), Ok((at(9, 0), Some(at(11, 30)))));
        assert_eq!(times("9:00 - 11:30"), Ok((at(9, 0), Some(at(11, 30)))));
        for text in ["", "9", "24:00", "9:60", "13:00 pm", "half past nine", "09:00-"] {
            assert!(times(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_as_people_write_them() {
        for text in ["90", "90 min", "90'", "1:30", "1h30", "1.5 h", "1,5 Stunden", "01:30"] {
            assert_eq!(duration(text), Ok(90), "{text}");
        }
        for text in ["long", "-3", "99999", "1.51 h", "1:75", "25 h", "inf h", "NaN h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn hours_and_minutes_are_told_from_numbers() {
        let why = |text: &str| in_hours_and_minutes(text).unwrap_or_default();
        assert!(
            why("8:30").contains("«8:30» is in hours and minutes; write all times as numbers in one unit, such as 510")
        );
        assert!(why(" 100:00 ").ends_with("such as 6000 for minutes") && why("1H30").ends_with("90 for minutes"));
        assert!(why("08:30:00").ends_with("510 for minutes") && why("0:00:30").ends_with("30 for seconds"));
        for text in ["8", "8.5", "8:75", "8 h", "1:2:3:4", "2026-06-01 08:30", ""] {
            assert_eq!(in_hours_and_minutes(text), None, "{text}");
        }
    }

    #[test]
    fn dates_show_their_order_where_a_day_is_beyond_twelve() {
        assert_eq!(order_of(["01/02/2026", "01/13/2026"].into_iter()), Some(DateOrder::MonthFirst));
        assert_eq!(order_of(["01/02/2026", "Tue 13/01/2026"].into_iter()), Some(DateOrder::DayFirst));
        assert_eq!(order_of(["01/02/2026", "2026-01-13"].into_iter()), None);
        assert_eq!(order_of(["3; 01/13/2026"].into_iter()), Some(DateOrder::MonthFirst));
        let year_first = |text| with_leading_year(text, DateOrder::MonthFirst);
        let texts = ["Mon 6/1/2026 14:00", "01.06.2026", "2026-06-01", "480", "13/06/2026"];
        assert_eq!(texts.map(year_first), ["2026-06-01 14:00", texts[1], texts[2], texts[3], texts[4]]);
        assert_eq!(with_leading_year("06/05/2026", DateOrder::DayFirst), "06/05/2026");
    }
}
