//! Limits that no student may exceed: exams a day, in a row, in several days, and the time between exams.

use serde::{Deserialize, Serialize};

use super::objective::NamedNumber;
use gridwright_core::numbers::counted;

/// Largest value of a limit.
pub const HIGHEST_LIMIT: u32 = 10_000;

/// Limits for every student; 0 is no limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StudentLimits {
    /// Largest number of exams on one day.
    pub a_day: u32,
    /// Largest number of exams in periods that follow each other on one day.
    pub in_a_row: u32,
    /// Largest number of exams in `days` days that follow each other in the calendar.
    pub in_days: u32,
    /// Number of days for `in_days`.
    pub days: u32,
    /// Least number of days from an exam to the next: 1 is the next day.
    pub days_apart: u32,
    /// Least number of minutes from the end of the period of an exam to the start of the period of the next.
    pub minutes_apart: u32,
}

/// A limit as people and the command line name it.
pub type LimitName = NamedNumber<StudentLimits>;

impl LimitName {
    /// All limits, in the order of the fields.
    pub const ALL: [Self; 6] = [
        Self::new("a_day", "Most exams of a student on a day", |limits| &mut limits.a_day),
        Self::new("in_a_row", "Most exams of a student in a row on a day", |limits| &mut limits.in_a_row),
        Self::new("in_days", "Most exams of a student in several days", |limits| &mut limits.in_days),
        Self::new("days", "Number of these days", |limits| &mut limits.days),
        Self::new("days_apart", "Days from an exam to the next, at least", |limits| &mut limits.days_apart),
        Self::new("minutes_apart", "Minutes between two exams, at least", |limits| &mut limits.minutes_apart),
    ];
}

impl StudentLimits {
    /// Returns `true` if there is no limit.
    pub fn is_empty(&self) -> bool {
        let Self { a_day, in_a_row, in_days, days, days_apart, minutes_apart } = *self;
        a_day == 0 && in_a_row == 0 && (in_days == 0 || days == 0) && days_apart == 0 && minutes_apart == 0
    }

    /// The limits as the command line takes them: `a_day=2,days_apart=1`; `none` without any.
    pub fn text(&self) -> String {
        // The number of days belongs to a number of exams.
        let in_days = [self.in_days, self.days];
        let is_said = |name: &str, value: u32| value > 0 && (!name.ends_with("days") || !in_days.contains(&0));
        let named = LimitName::ALL.iter().map(|name| (name.name, name.of(self)));
        let named = named.filter(|&(name, value)| is_said(name, value));
        let named: Vec<String> = named.map(|(name, value)| format!("{name}={value}")).collect();
        if named.is_empty() { "none".to_owned() } else { named.join(",") }
    }

    /// Reads what [`Self::text`] writes.
    ///
    /// # Errors
    /// A sentence that says what is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut limits = Self::default();
        if text.trim() == "none" {
            return Ok(limits);
        }
        let mut given = Vec::new();
        for part in text.split(',').map(str::trim) {
            let Some((name, value)) = part.split_once('=') else {
                return Err("expected none, or limits such as a_day=2,days_apart=1".to_owned());
            };
            let pair = (name.trim(), value.trim());
            LimitName::set(&LimitName::ALL, &mut limits, pair, ("limit", HIGHEST_LIMIT), &mut given)?;
        }
        if (limits.in_days > 0) != (limits.days > 0) {
            return Err("in_days and days belong together: in_days=3,days=5 is 3 exams in 5 days".to_owned());
        }
        Ok(limits)
    }

    /// Each limit with a sentence: «No student has more than 2 exams a day».
    pub fn sentences(&self) -> Vec<(LimitName, String)> {
        let exams = |most: u32| counted(u64::from(most), "exam");
        let [a_day, in_a_row, in_days, _, days_apart, minutes_apart] = LimitName::ALL;
        let mut sentences = Vec::new();
        if self.a_day > 0 {
            sentences.push((a_day, format!("No student has more than {} a day", exams(self.a_day))));
        }
        match self.in_a_row {
            0 => {}
            1 => sentences.push((in_a_row, "No student has two exams in a row on a day".to_owned())),
            most => sentences.push((in_a_row, format!("No student has more than {} in a row on a day", exams(most)))),
        }
        if self.in_days > 0 && self.days > 0 {
            let days = counted(u64::from(self.days), "day");
            sentences.push((in_days, format!("No student has more than {} in {days}", exams(self.in_days))));
        }
        match self.days_apart {
            0 => {}
            1 => sentences.push((days_apart, "Exams of a student are on different days".to_owned())),
            days => sentences.push((days_apart, format!("Exams of a student are at least {days} days apart"))),
        }
        if self.minutes_apart > 0 {
            let minutes = counted(u64::from(self.minutes_apart), "minute");
            sentences.push((minutes_apart, format!("A student has at least {minutes} between two exams")));
        }
        sentences
    }

    /// Returns `true` if a limit needs the dates of periods.
    pub(crate) fn needs_dates(&self) -> bool {
        self.a_day > 0 || (self.in_days > 0 && self.days > 0) || self.days_apart > 0 || self.minutes_apart > 0
    }
}
