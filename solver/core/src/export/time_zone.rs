//! Time zones of plans: names of the IANA database, and their definition in calendar files (RFC 5545, section 3.6.5).

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone as _};
use chrono_tz::{OffsetComponents, OffsetName, TZ_VARIANTS, Tz};
use serde::{Deserialize, Serialize};

/// Days before the first day in which the last change of the clocks is looked for.
const DAYS_BEFORE: i64 = 400;

/// Time zone by its name in the IANA database, such as `Europe/Berlin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeZone(Tz);

/// Change of the clocks of a zone.
struct Change {
    /// Moment in UTC.
    at: NaiveDateTime,
    before: <Tz as chrono::TimeZone>::Offset,
    after: <Tz as chrono::TimeZone>::Offset,
}

impl TimeZone {
    /// Zones of a continent or an ocean, and UTC, in the order of their names.
    pub fn all() -> impl Iterator<Item = Self> {
        const AREAS: [&str; 10] = [
            "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
        ];
        let is_listed =
            |name: &str| name == "UTC" || name.split_once('/').is_some_and(|(area, _)| AREAS.contains(&area));
        TZ_VARIANTS.iter().copied().filter(move |zone| is_listed(zone.name())).map(Self)
    }

    /// Zone of this computer; `None` if it is unknown.
    pub fn of_computer() -> Option<Self> {
        iana_time_zone::get_timezone().ok()?.parse().ok()
    }

    /// Name in the IANA database.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The moment in UTC of a local time: the first one where clocks are set back, by the offset before where they skip the time.
    pub fn utc(self, local: NaiveDateTime) -> NaiveDateTime {
        let skipped = || local - self.0.offset_from_utc_datetime(&(local - TimeDelta::days(1))).fix();
        self.0.from_local_datetime(&local).earliest().map_or_else(skipped, |moment| moment.naive_utc())
    }

    /// Returns `true` if the local time of a moment in UTC stands for an earlier moment, too, because the clocks were set back.
    pub fn is_repeated(self, utc: NaiveDateTime) -> bool {
        let local = self.0.from_utc_datetime(&utc).naive_local();
        self.utc(local) != utc
    }

    /// Formats the component VTIMEZONE for local times from `first` to `last`, both days included.
    ///
    /// Every change of the clocks in this time is listed by its date, so that no rule of recurrence is needed.
    pub fn component(self, first: NaiveDate, last: NaiveDate) -> String {
        let changes = self.changes(midnight(first, -DAYS_BEFORE), midnight(last, 2));
        let start = midnight(first, -1);
        let current = changes.iter().rposition(|change| change.at <= start);
        let mut text = format!("BEGIN:VTIMEZONE\r\nTZID:{self}\r\n");
        if current.is_none() {
            let offset = self.0.offset_from_utc_datetime(&start);
            observance(
                &mut text,
                &Change { at: DateTime::UNIX_EPOCH.naive_utc() - offset.fix(), before: offset, after: offset },
            );
        }
        changes[current.unwrap_or(0)..].iter().for_each(|change| observance(&mut text, change));
        text.push_str("END:VTIMEZONE\r\n");
        text
    }

    /// Changes of the clocks between two moments in UTC, in the order of time; at most one a day.
    fn changes(self, from: NaiveDateTime, to: NaiveDateTime) -> Vec<Change> {
        let offset = |at: NaiveDateTime| self.0.offset_from_utc_datetime(&at);
        let (mut changes, mut day) = (Vec::new(), from);
        while day < to {
            let next = day + TimeDelta::days(1);
            let before = offset(day);
            if !is_equal(&before, &offset(next)) {
                // The first second of the new offset lies in (low, high].
                let (mut low, mut high) = (0, TimeDelta::days(1).num_seconds());
                while high - low > 1 {
                    let middle = (low + high) / 2;
                    let same = is_equal(&before, &offset(day + TimeDelta::seconds(middle)));
                    *(if same { &mut low } else { &mut high }) = middle;
                }
                let at = day + TimeDelta::seconds(high);
                changes.push(Change { at, before, after: offset(at) });
            }
            day = next;
        }
        changes
    }
}

/// Midnight of the day that is `days` after `date`; `date` itself beyond the dates that can be counted.
fn midnight(date: NaiveDate, days: i64) -> NaiveDateTime {
    date.checked_add_signed(TimeDelta::days(days)).unwrap_or(date).and_time(NaiveTime::MIN)
}

fn is_equal(first: &<Tz as chrono::TimeZone>::Offset, second: &<Tz as chrono::TimeZone>::Offset) -> bool {
    first.fix() == second.fix() && first.abbreviation() == second.abbreviation()
}

/// Appends the times that begin with a change; their first moment is written by the clocks before the change.
fn observance(text: &mut String, change: &Change) {
    let kind = if change.after.dst_offset() > TimeDelta::zero() { "DAYLIGHT" } else { "STANDARD" };
    let start = (change.at + change.before.fix()).format("%Y%m%dT%H%M%S");
    let written = |offset: &<Tz as chrono::TimeZone>::Offset| offset.fix().to_string().replace(':', "");
    let name = change.after.abbreviation().map_or_else(String::new, |name| format!("TZNAME:{name}\r\n"));
    // Writing to a string cannot fail.
    _ = write!(
        text,
        "BEGIN:{kind}\r\nDTSTART:{start}\r\nTZOFFSETFROM:{}\r\nTZOFFSETTO:{}\r\n{name}END:{kind}\r\n",
        written(&change.before),
        written(&change.after)
    );
}

impl From<Tz> for TimeZone {
    fn from(zone: Tz) -> Self {
        Self(zone)
    }
}

impl Display for TimeZone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for TimeZone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let zone = text.trim().parse::<Tz>();
        zone.map(Self).map_err(|_| format!("“{text}” is no time zone; write a name such as Europe/Berlin or UTC"))
    }
}

impl TryFrom<String> for TimeZone {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<TimeZone> for String {
    fn from(zone: TimeZone) -> Self {
        zone.name().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(zone: &str, first: (i32, u32, u32), last: (i32, u32, u32)) -> String {
        let day = |(year, month, day)| NaiveDate::from_ymd_opt(year, month, day).unwrap();
        zone.parse::<TimeZone>().unwrap().component(day(first), day(last)).replace("\r\n", "\n")
    }

    #[test]
    fn clocks_that_change_during_a_plan_are_defined_before_and_after() {
        let summer = "BEGIN:DAYLIGHT\nDTSTART:20260329T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nTZNAME:CEST\n\
                      END:DAYLIGHT\n";
        let winter = "BEGIN:STANDARD\nDTSTART:20261025T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nTZNAME:CET\n\
                      END:STANDARD\n";
        let whole = |parts: &[&str]| format!("BEGIN:VTIMEZONE\nTZID:Europe/Berlin\n{}END:VTIMEZONE\n", parts.concat());
        assert_eq!(component("Europe/Berlin", (2026, 6, 1), (2026, 6, 12)), whole(&[summer]));
        assert_eq!(component("Europe/Berlin", (2026, 10, 19), (2026, 10, 30)), whole(&[summer, winter]));
        assert_eq!(component("Europe/Berlin", (2026, 11, 2), (2026, 11, 2)), whole(&[winter]));
    }

    /// In Berlin 2:30 of 25 October 2026 comes twice: at 0:30 and at 1:30 UTC.
    #[test]
    fn the_second_of_two_equal_local_times_is_repeated() {
        let zone: TimeZone = "Europe/Berlin".parse().unwrap();
        let at = |hour| NaiveDate::from_ymd_opt(2026, 10, 25).unwrap().and_hms_opt(hour, 30, 0).unwrap();
        assert_eq!([0, 1, 2].map(|hour| zone.is_repeated(at(hour))), [false, true, false]);
    }

    #[test]
    fn clocks_that_never_change_are_defined_once() {
        let india = component("Asia/Kolkata", (2026, 6, 1), (2026, 6, 12));
        assert_eq!(india.matches("BEGIN:STANDARD").count(), 1, "{india}");
        assert!(india.contains("DTSTART:19700101T000000\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0530\n"), "{india}");
        assert!(!india.contains("DAYLIGHT"), "{india}");
    }

    #[test]
    fn every_zone_is_read_by_its_name_and_defined() {
        let names: Vec<&str> = TimeZone::all().map(TimeZone::name).collect();
        assert!(names.is_sorted() && names.contains(&"Europe/Berlin") && names.contains(&"UTC"), "{names:?}");
        for name in names {
            let text = component(name, (2026, 6, 1), (2027, 2, 12));
            let count = |word: &str| text.matches(word).count();
            assert!(count("BEGIN:STANDARD") + count("BEGIN:DAYLIGHT") >= 1, "{text}");
            assert_eq!(
                text.matches("TZOFFSETTO:").count(),
                count("BEGIN:STANDARD") + count("BEGIN:DAYLIGHT"),
                "{text}"
            );
        }
        assert!("Berlin".parse::<TimeZone>().unwrap_err().contains("Europe/Berlin"));
    }
}
