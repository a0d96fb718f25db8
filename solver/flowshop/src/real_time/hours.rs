//! Working times and closures as people state them: machine, days, from, to.

use std::fmt::{self, Display, Formatter};

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Weekday};
use gridwright_core::data::{ValueKind, canonical, written_time};
use gridwright_core::text::columns::plain;
use gridwright_core::text::lines::{Read, quoted};
use gridwright_core::text::values::{self, DateOrder};

use super::{MIDNIGHT, next_day};

/// Words for a closure, without case and accents.
const CLOSED: &str = "closed closure break breaks pause maintenance holiday holidays vacation shutdown geschlossen zu wartung feiertag ferien \
                      urlaub stillstand ferme fermeture conge entretien κλειστο διαλειμμα συντηρηση αργια";

/// Words for working time, without case and accents.
const WORK: &str = "work working open shift arbeit offen schicht travail ouvert poste εργασια ανοιχτο βαρδια";

/// Words for all days, without case and accents.
const DAILY: &str = "daily everyday always taglich jedentag immer quotidien touslesjours καθημερινα";

/// Days that a line of working times means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayRange {
    /// Weekdays of every week: bit k is the k-th day from Monday.
    Weekdays(u8),
    /// Dates from the first to the last one, both included.
    Dates(NaiveDate, NaiveDate),
}

/// Meaning of a line of working times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HoursKind {
    /// The machine works.
    #[default]
    Work,
    /// The machine does not work, whatever other lines state.
    Closed,
}

/// One line of working times: a time of day on some days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkingHours {
    /// Index of the machine; `None` for all machines.
    pub machine: Option<usize>,
    /// Days on which the time begins.
    pub days: DayRange,
    /// Beginning.
    pub from: NaiveTime,
    /// End; on the next day if it is not later than `from`.
    pub to: NaiveTime,
    /// Work or closure.
    pub kind: HoursKind,
}

impl DayRange {
    /// All days of the week.
    const EVERY: Self = Self::Weekdays(0x7f);

    /// Returns `true` for days of every week.
    pub(crate) fn is_weekly(self) -> bool {
        matches!(self, Self::Weekdays(_))
    }

    /// Returns `true` if a date is one of the days.
    pub(crate) fn contains(self, date: NaiveDate) -> bool {
        match self {
            Self::Weekdays(days) => days >> date.weekday().num_days_from_monday() & 1 == 1,
            Self::Dates(first, last) => (first..=last).contains(&date),
        }
    }

    /// Reads `Mon–Fri`, `Sat, Sun`, `2026-12-24` or `2026-12-24 – 2027-01-02`; an empty text means every day.
    ///
    /// # Errors
    /// The problem with its remedy.
    pub(crate) fn parse(text: &str) -> Read<Self> {
        let text = text.trim();
        if text.is_empty() || DAILY.split(' ').any(|word| word == plain(text)) {
            return Ok(Self::EVERY);
        }
        let of_sheet = |text: &str| canonical(ValueKind::Date, text, DateOrder::DayFirst);
        let date = |text: &str| values::date(&of_sheet(text), DateOrder::DayFirst).ok();
        let of_pair = |separator| {
            let (first, last) = text.split_once(separator)?;
            date(first).zip(date(last))
        };
        if let Some((first, last)) = ["–", "—", " - ", " to ", " bis "].into_iter().find_map(of_pair) {
            let wrong = || format!("{} ends before it begins; exchange both dates", quoted(text));
            return (first <= last).then_some(Self::Dates(first, last)).ok_or_else(wrong);
        }
        if let Some(day) = date(text) {
            return Ok(Self::Dates(day, day));
        }
        let days = text.split([',', ';', '+', '/']).try_fold(0, |days, part| Some(days | weekdays(part)?));
        days.map(Self::Weekdays).ok_or_else(|| {
            format!("{} are no days; write weekdays such as Mon–Fri, or dates such as 2026-12-24", quoted(text))
        })
    }
}

/// Weekdays of a name or of two names with a dash between them, as in [`DayRange::Weekdays`].
fn weekdays(text: &str) -> Option<u8> {
    let bit = |day: Weekday| day.num_days_from_monday();
    if let Some(day) = values::weekday(text.trim()) {
        return Some(1 << bit(day));
    }
    let pair = |dash| {
        let (first, last) = text.split_once(dash)?;
        values::weekday(first.trim()).zip(values::weekday(last.trim()))
    };
    let (first, last) = ["–", "—", "-", " to ", " bis "].into_iter().find_map(pair)?;
    let count = (bit(last) + 7 - bit(first)) % 7 + 1;
    Some((0..count).fold(0, |days, day| days | 1 << ((bit(first) + day) % 7)))
}

impl Display for DayRange {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let name = |day: u8| Weekday::try_from(day).map_or_else(|_| String::new(), |day| day.to_string());
        match *self {
            Self::Dates(first, last) if first == last => write!(formatter, "{first}"),
            Self::Dates(first, last) => write!(formatter, "{first} – {last}"),
            Self::Weekdays(days) => {
                let days: Vec<u8> = (0..7).filter(|day| days >> day & 1 == 1).collect();
                let runs = days.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
                    [first, .., last] => format!("{}–{}", name(*first), name(*last)),
                    [day] => name(*day),
                    [] => String::new(),
                });
                formatter.write_str(&runs.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl HoursKind {
    /// Reads a word for work or for a closure; an empty text means work.
    fn parse(text: &str) -> Read<Self> {
        let is_in = |words: &str| words.split(' ').any(|word| word == plain(text));
        match () {
            () if text.trim().is_empty() || is_in(WORK) => Ok(Self::Work),
            () if is_in(CLOSED) => Ok(Self::Closed),
            () => Err(format!("{} is neither “work” nor “closed”; write one of both", quoted(text.trim()))),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Closed => "closed",
        }
    }
}

impl WorkingHours {
    /// Reads days, from, to and kind of a machine. An empty `from` is the beginning of the day, an empty `to` its end.
    ///
    /// # Errors
    /// Index of the text and the problem with its remedy.
    pub(crate) fn parse(machine: Option<usize>, [days, from, to, kind]: [&str; 4]) -> Result<Self, (usize, String)> {
        let time = |text: &str| match text.trim() {
            "" | "24:00" | "24" => Ok(MIDNIGHT),
            text => values::time(&canonical(ValueKind::Time, text, DateOrder::DayFirst)),
        };
        let at = |place: usize| move |why: String| (place, why);
        let kind = HoursKind::parse(kind).map_err(at(3))?;
        let days = DayRange::parse(days).map_err(at(0))?;
        Ok(Self { machine, days, from: time(from).map_err(at(1))?, to: time(to).map_err(at(2))?, kind })
    }

    /// Texts of days, from, to and kind as [`Self::parse`] reads them.
    pub(crate) fn texts(&self) -> [String; 4] {
        let end = if self.to == MIDNIGHT { "24:00".to_owned() } else { written_time(self.to) };
        [self.days.to_string(), written_time(self.from), end, self.kind.name().to_owned()]
    }

    /// Beginning and end in local time where the line counts on a date.
    pub(crate) fn on(&self, date: NaiveDate) -> Option<(NaiveDateTime, NaiveDateTime)> {
        let end = if self.to <= self.from { next_day(date) } else { date };
        self.days.contains(date).then(|| (date.and_time(self.from), end.and_time(self.to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_people_write_them() {
        for (text, written) in [
            ("Mon-Fri", "Mon–Fri"),
            ("Montag – Freitag", "Mon–Fri"),
            ("Sat, Sun", "Sat–Sun"),
            ("Mo, Mi", "Mon, Wed"),
            ("Fri-Mon", "Mon, Fri–Sun"),
            ("", "Mon–Sun"),
            ("täglich", "Mon–Sun"),
            ("24.12.2026", "2026-12-24"),
            ("2026-12-24 – 2027-01-02", "2026-12-24 – 2027-01-02"),
            ("24.12.2026 - 2.1.2027", "2026-12-24 – 2027-01-02"),
        ] {
            let days = DayRange::parse(text).unwrap();
            assert_eq!(days.to_string(), written, "{text}");
            assert_eq!(DayRange::parse(written), Ok(days), "{text}");
        }
        for text in ["Mon–x", "someday", "2027-01-02 – 2026-12-24", "Mon; never"] {
            assert!(DayRange::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_text_of_a_line_is_checked() {
        let of = |texts| WorkingHours::parse(None, texts);
        let night = of(["Mon", "22:00", "6:00", "shift"]).unwrap();
        assert_eq!(night.texts(), ["Mon", "22:00", "06:00", "work"]);
        let monday = NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
        assert_eq!(
            night.on(monday),
            Some((monday.and_hms_opt(22, 0, 0).unwrap(), next_day(monday).and_hms_opt(6, 0, 0).unwrap()))
        );
        assert_eq!(night.on(next_day(monday)), None);
        assert_eq!(of(["2026-12-24", "", "", "Feiertag"]).unwrap().texts(), ["2026-12-24", "00:00", "24:00", "closed"]);
        let wrong = [["x", "", "", ""], ["Mon", "x", "", ""], ["Mon", "", "x", ""], ["Mon", "", "", "x"]];
        assert_eq!(wrong.map(|texts| of(texts).unwrap_err().0), [0, 1, 2, 3]);
    }
}
