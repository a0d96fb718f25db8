//! Flow shops in real time: start of the plan, time zone, working times, ready times of machines and transport after them.
//!
//! With c_i(t, p) the end of p time units of work that machine i begins at t or as soon as it works afterwards ([`WorkingTime`]), ready_i
//! the time from which machine i can be used and lag_i the time that a job needs from machine i to the next one,
//!
//! ```text
//! ready_{i,k} = c_i(C_{i,π(k−1)}, s_{i,π(k−1),π(k)}),   C_{i,π(0)} = ready_i
//! C_{i,π(k)}  = c_i(max(C_{i−1,π(k)} + lag_{i−1}, ready_{i,k}), p_{i,π(k)}),   C_{0,j} = r_j
//! ```
//!
//! Work of no time is done at once, also outside of the working times, and a job is not transported from a machine that takes no time
//! for it. A job that does not visit machine i is left out of π there: it does not wait for the machine, is not set up for, and goes from
//! the last machine that it visited to the next one. c_i never decreases in t and p, which bounds the end of every order (`expansion`).

mod clocks;
mod expansion;
mod hours;
mod working_time;

use std::str::FromStr;

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone};
use chrono_tz::Tz;
use gridwright_core::Error;
use gridwright_core::text::lines::{Read, quoted};
use gridwright_core::text::values::{self, DateOrder};

pub use clocks::MachineClocks;
pub(crate) use clocks::{OperationTimes, Visits};
pub(crate) use expansion::clocks;
pub use hours::{DayRange, HoursKind, WorkingHours};
pub(crate) use working_time::WorkingTime;

/// Time of day of a plan that begins on a date without one.
const MIDNIGHT: NaiveTime = NaiveTime::MIN;

/// Start of a plan: time 0 of all times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanStart {
    /// Date and time of day.
    pub local: NaiveDateTime,
    /// Time zone, whose clocks may be changed; without one every day has 24 hours.
    pub zone: Option<Tz>,
}

/// Times of one machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MachineTimes {
    /// Time from which the machine can be used, in time units.
    pub ready: u32,
    /// Time that a job needs from this machine to the next one, in time units.
    pub transport: u32,
    /// True if an operation or a set-up that does not end before a break waits until after the break.
    pub(crate) is_uninterrupted: bool,
}

/// Data of a plan in real time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RealTime {
    /// Start of the plan; `None` if times are counted only.
    pub start: Option<PlanStart>,
    /// Working times and closures.
    pub hours: Vec<WorkingHours>,
    /// Times by machine; empty if no machine has any.
    pub machines: Vec<MachineTimes>,
}

impl PlanStart {
    /// Reads a date, a time of day and the name of a time zone; the date may have a time behind it. The place of an error is the index of
    /// the text.
    ///
    /// # Errors
    /// Index of the text and the problem with its remedy.
    pub(crate) fn parse([date, time, zone]: [&str; 3]) -> Result<Self, (usize, String)> {
        let at = |place: usize| move |why: String| (place, why);
        let day = values::date(date, DateOrder::DayFirst).map_err(at(0))?;
        let time = match time.trim() {
            "" => values::time(date).unwrap_or(MIDNIGHT),
            time => values::time(time).map_err(at(1))?,
        };
        let zone = match zone.trim() {
            "" => None,
            zone => Some(zone.parse::<Tz>().map_err(|_| {
                (2, format!("{} is no time zone; write a name such as Europe/Berlin or UTC", quoted(zone)))
            })?),
        };
        let start = Self { local: day.and_time(time), zone };
        start.check().map_err(at(0))?;
        Ok(start)
    }

    /// Refuses a start that the clocks of its zone skip.
    fn check(&self) -> Read<()> {
        match self.zone {
            Some(zone) if zone.from_local_datetime(&self.local).earliest().is_none() => Err(format!(
                "the clocks of {} skip {}; begin an hour later or earlier",
                zone.name(),
                self.local.format("%Y-%m-%d %H:%M")
            )),
            _ => Ok(()),
        }
    }

    /// Moment of a local time in seconds on a scale without changes of clocks: the first one where clocks are set back, the end of the
    /// skipped time where they are put forward.
    fn seconds(&self, local: NaiveDateTime) -> i64 {
        let Some(zone) = self.zone else { return local.and_utc().timestamp() };
        let of = |local: NaiveDateTime| zone.from_local_datetime(&local).earliest().map(|moment| moment.timestamp());
        // Skipped times are whole quarters of an hour.
        let quarter = |number: i64| TimeDelta::minutes(15 - local.and_utc().timestamp() / 60 % 15 + 15 * number);
        let after = || (0..96).find_map(|number| of(local + quarter(number)));
        of(local).or_else(after).unwrap_or_else(|| local.and_utc().timestamp())
    }

    /// Seconds from the start of the plan to a local time; negative before it.
    pub(crate) fn seconds_to(&self, local: NaiveDateTime) -> i64 {
        self.seconds(local) - self.seconds(self.local)
    }

    /// Time units of `unit` seconds from the start of the plan to a date ([`is_date`]); negative before the start. A due date without a time
    /// of day is the end of the day and is rounded down, any other date is the beginning of the day and is rounded up.
    pub(crate) fn units_to_date(&self, text: &str, unit: u32, is_due: bool) -> i64 {
        let Ok(date) = values::date(text, DateOrder::DayFirst) else { return 0 };
        let seconds = self.seconds_to(match values::time(text) {
            Ok(time) => date.and_time(time),
            Err(_) if is_due => midnight(next_day(date)),
            Err(_) => midnight(date),
        });
        let unit = i64::from(unit);
        if is_due { seconds.div_euclid(unit) } else { (seconds + unit - 1).div_euclid(unit) }
    }

    /// Local time so many seconds after the start of the plan.
    pub(crate) fn local_after(&self, seconds: i64) -> NaiveDateTime {
        let Some(zone) = self.zone else { return self.local + TimeDelta::seconds(seconds) };
        let moment = chrono::DateTime::from_timestamp(self.seconds(self.local) + seconds, 0).unwrap_or_default();
        moment.with_timezone(&zone).naive_local()
    }

    /// Moment so many seconds after the start of the plan; `None` without a time zone.
    pub(crate) fn utc_after(&self, seconds: i64) -> Option<chrono::DateTime<chrono::Utc>> {
        self.zone.and_then(|_| chrono::DateTime::from_timestamp(self.seconds(self.local) + seconds, 0))
    }

    /// Texts of the start as [`Self::parse`] reads them.
    pub(crate) fn texts(&self) -> [String; 3] {
        let zone = self.zone.map_or_else(String::new, |zone| zone.name().to_owned());
        [self.local.format("%Y-%m-%d").to_string(), gridwright_core::data::written_time(self.local.time()), zone]
    }
}

impl FromStr for PlanStart {
    type Err = Error;

    /// Parses a date with a time of day and the name of a time zone, both optional.
    ///
    /// # Errors
    /// [`Error::Usage`] as [`Self::parse`].
    fn from_str(text: &str) -> Result<Self, Error> {
        let (moment, zone) = match text.trim().rsplit_once(' ') {
            Some((moment, zone)) if zone.chars().any(char::is_alphabetic) => (moment, zone),
            _ => (text, ""),
        };
        let (date, time) = moment.trim().split_once(['T', ' ']).unwrap_or((moment, ""));
        Self::parse([date, time, zone]).map_err(|(_, why)| Error::Usage(why))
    }
}

impl RealTime {
    /// Returns `true` if nothing is stated.
    pub(crate) fn is_empty(&self) -> bool {
        self.start.is_none() && self.hours.is_empty() && self.machines.iter().all(|times| *times == Default::default())
    }

    /// Returns `true` if there are working times, or ready times, transport or interruptions of machines.
    pub(crate) fn has_machine_times(&self) -> bool {
        !self.hours.is_empty() || self.machines.iter().any(|times| *times != MachineTimes::default())
    }

    /// Gives every machine its times, or none where no machine has any.
    pub(crate) fn complete(&mut self, machines: usize) {
        let has_any = self.machines.iter().any(|times| *times != MachineTimes::default());
        self.machines.resize(if has_any { machines } else { 0 }, MachineTimes::default());
        self.hours.retain(|hours| hours.machine.is_none_or(|machine| machine < machines));
    }

    /// Times of a machine.
    pub(crate) fn of_machine(&self, machine: usize) -> MachineTimes {
        self.machines.get(machine).copied().unwrap_or_default()
    }

    /// Indices into `hours` that count for a machine. Weekly working times of its own replace those of all machines.
    pub(crate) fn hours_of(&self, machine: usize) -> Vec<usize> {
        let is_weekly = |hours: &WorkingHours| hours.kind == HoursKind::Work && hours.days.is_weekly();
        let is_own = |hours: &WorkingHours| hours.machine == Some(machine);
        let has_own_week = self.hours.iter().any(|hours| is_own(hours) && is_weekly(hours));
        let counts = |hours: &WorkingHours| match hours.machine {
            Some(other) => other == machine,
            None => !(has_own_week && is_weekly(hours)),
        };
        (0..self.hours.len()).filter(|&at| counts(&self.hours[at])).collect()
    }
}

/// Returns `true` for a date with or without a time of day.
pub(crate) fn is_date(text: &str) -> bool {
    text.trim().parse::<f64>().is_err() && values::date(text, DateOrder::DayFirst).is_ok()
}

/// Midnight at the beginning of a day.
pub(crate) fn midnight(date: NaiveDate) -> NaiveDateTime {
    date.and_time(MIDNIGHT)
}

/// The day after a date; the date itself at the end of the calendar.
pub(crate) fn next_day(date: NaiveDate) -> NaiveDate {
    date.checked_add_days(Days::new(1)).unwrap_or(date)
}

/// Short name of a weekday and the date, such as «Mon 30 Nov».
pub(crate) fn day_text(date: NaiveDate) -> String {
    format!("{} {} {}", date.weekday(), date.day(), date.format("%b"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(texts: [&str; 3]) -> PlanStart {
        PlanStart::parse(texts).unwrap()
    }

    #[test]
    fn a_start_in_the_skipped_hour_is_refused() {
        let skipped = PlanStart::parse(["2027-03-28 02:30", "", "Europe/Berlin"]).unwrap_err();
        assert_eq!(skipped.0, 0);
        assert!(skipped.1.contains("the clocks of Europe/Berlin skip 2027-03-28 02:30"), "{}", skipped.1);
        assert_eq!(start(["2027-03-28 02:30", "", ""]).texts(), ["2027-03-28", "02:30", ""]);
        assert_eq!(start(["28.3.2027", "3:00", "Europe/Berlin"]).texts(), ["2027-03-28", "03:00", "Europe/Berlin"]);
        assert_eq!(PlanStart::parse(["soon", "", ""]).unwrap_err().0, 0);
        assert_eq!(PlanStart::parse(["2027-03-28", "noon", ""]).unwrap_err().0, 1);
        assert!(PlanStart::parse(["2027-03-28", "", "Berlin"]).unwrap_err().1.contains("«Berlin» is no time zone"));
    }

    /// In Berlin 28 March 2027 has 23 hours and 31 October 2027 has 25.
    #[test]
    fn days_have_the_hours_of_their_clocks() {
        let at = |day: u32, month: u32, hour: u32| {
            NaiveDate::from_ymd_opt(2027, month, day).unwrap().and_hms_opt(hour, 0, 0).unwrap()
        };
        let spring = start(["2027-03-28", "0:00", "Europe/Berlin"]);
        assert_eq!([1, 2, 3, 4].map(|hour| spring.seconds_to(at(28, 3, hour)) / 3600), [1, 2, 2, 3]);
        assert_eq!(spring.local_after(2 * 3600), at(28, 3, 3));
        let autumn = start(["2027-10-31", "0:00", "Europe/Berlin"]);
        assert_eq!([2, 3, 4].map(|hour| autumn.seconds_to(at(31, 10, hour)) / 3600), [2, 4, 5]);
        assert_eq!([2, 3, 4].map(|hours| autumn.local_after(hours * 3600)), [2, 2, 3].map(|hour| at(31, 10, hour)));
        let plain = start(["2027-03-28", "", ""]);
        assert_eq!(plain.seconds_to(at(29, 3, 0)), 24 * 3600);
    }
}
