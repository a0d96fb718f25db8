//! Limits of students as the searches see them: windows, sets of periods with the largest number of exams that a student may
//! have in them.
//!
//! Windows of one exam and distances between exams forbid pairs of periods to exams that share students; larger windows are
//! counted (`seating/limits.rs`). The checker counts from dates and times and does not use the windows.

use super::model::PeriodSet;
use super::{Instance, Period, StudentLimits, Timetable, counts};
use gridwright_core::numbers::counted;

/// Set of periods in which a student may have a number of exams at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// The periods.
    pub(crate) periods: PeriodSet,
    /// Largest number of exams; at least 1.
    pub(crate) most: u32,
}

impl StudentLimits {
    /// Windows of the periods of an instance that are larger than their number of exams, none within another one that is as
    /// strict.
    pub(crate) fn windows(&self, instance: &Instance) -> Vec<Window> {
        let periods = instance.period_count();
        let days = counts::days(instance);
        let mut windows = Vec::new();
        let mut add = |most: u32, is_in: &dyn Fn(usize) -> bool| {
            let mut set = PeriodSet::below(periods);
            set.retain(is_in);
            if most > 0 && set.len() > most as usize {
                windows.push(Window { periods: set, most });
            }
        };
        if let Some(firsts) = &days {
            let dates: Vec<i64> = instance.periods.iter().map(day_number).collect();
            for first in (0..periods).filter(|&period| firsts[period] == period) {
                add(self.a_day, &|period| firsts[period] == first);
                let span = dates[first]..dates[first] + i64::from(self.days);
                add(self.in_days, &|period| span.contains(&dates[period]));
                let span = dates[first]..dates[first] + i64::from(self.days_apart);
                add(1, &|period| span.contains(&dates[period]));
            }
        }
        let length = self.in_a_row as usize + 1;
        for first in (0..periods).filter(|&first| self.in_a_row > 0 && first + length <= periods) {
            let run = first..first + length;
            if days.as_ref().is_none_or(|days| run.clone().all(|period| days[period] == days[first])) {
                add(self.in_a_row, &|period| run.contains(&period));
            }
        }
        let all = windows.clone();
        let mut at = 0;
        windows.retain(|window| {
            at += 1;
            let is_covered = |(number, other): (usize, &Window)| {
                let is_within = window.periods.iter().all(|period| other.periods.contains(period));
                number + 1 != at && is_within && other.most <= window.most && (other != window || number + 1 < at)
            };
            !all.iter().enumerate().any(is_covered)
        });
        windows
    }

    /// For each period of an exam the periods in which another exam of one of its students may be; `None` if no two periods
    /// exclude each other.
    pub(crate) fn pairs(&self, instance: &Instance, windows: &[Window]) -> Option<Vec<PeriodSet>> {
        let periods = instance.period_count();
        let times: Option<Vec<(i64, i64)>> = instance.periods.iter().map(times).collect();
        let is_near = |t: usize, u: usize| {
            let times = times.as_ref().filter(|_| self.minutes_apart > 0);
            times.is_some_and(|all| (all[u].0 - all[t].1).max(all[t].0 - all[u].1) < i64::from(self.minutes_apart))
        };
        let single = || windows.iter().filter(|window| window.most == 1);
        if single().next().is_none() && self.minutes_apart == 0 {
            return None;
        }
        let row = |t: usize| {
            let mut set = PeriodSet::below(periods);
            set.retain(|u| {
                let shares = |window: &Window| window.periods.contains(t) && window.periods.contains(u);
                t != u && !is_near(t, u) && !single().any(shares)
            });
            set
        };
        Some((0..periods).map(row).collect())
    }
}

/// Days of the date of a period since a fixed day; 0 without a date.
fn day_number(period: &Period) -> i64 {
    period.date.map_or(0, |date| (date - chrono::NaiveDate::default()).num_days())
}

/// Start and end of a period in minutes since a fixed day; `None` without a date and times.
fn times(period: &Period) -> Option<(i64, i64)> {
    period.date?;
    let start = day_number(period) * 24 * 60 + (period.start? - chrono::NaiveTime::MIN).num_minutes();
    Some((start, start + i64::from(period.minutes()?)))
}

/// Limits of an instance prepared for questions about single exams.
pub(crate) struct Limited {
    windows: Vec<Window>,
    pairs: Option<Vec<PeriodSet>>,
}

impl Limited {
    /// The limits of an instance; `None` if it has none.
    pub(crate) fn of(instance: &Instance) -> Option<Self> {
        let limits = &instance.rules.limits;
        let windows = limits.windows(instance);
        let pairs = limits.pairs(instance, &windows);
        (!limits.is_empty()).then_some(Self { windows, pairs })
    }

    /// Number of students of an exam for whom it cannot be in `period`, the other exams as they are in a timetable.
    pub(crate) fn students_beyond(
        &self, instance: &Instance, timetable: &Timetable, exam: usize, period: usize,
    ) -> usize {
        let breaks = |exams: &[u16]| {
            let others = exams.iter().map(|&other| usize::from(other)).filter(|&other| other != exam);
            let others: Vec<usize> = others.filter_map(|other| timetable.period_of(other)).collect();
            let is_near = |pairs: &Vec<PeriodSet>| others.iter().any(|&at| at != period && !pairs[period].contains(at));
            let is_full = |window: &Window| {
                let there = others.iter().filter(|&&at| window.periods.contains(at)).count();
                window.periods.contains(period) && there >= window.most as usize
            };
            self.pairs.as_ref().is_some_and(is_near) || self.windows.iter().any(is_full)
        };
        let exams = (0..instance.students.len()).map(|student| instance.students.exams_of(student));
        exams.filter(|exams| exams.contains(&(exam as u16)) && breaks(exams)).count()
    }
}

/// Sentences about students who cannot keep the limits in any timetable, with the exams concerned; at most `named` of them.
pub fn contradictions(instance: &Instance, named: usize) -> Vec<(Vec<usize>, String)> {
    let limits = &instance.rules.limits;
    if limits.is_empty() {
        return Vec::new();
    }
    if limits.needs_dates() && !instance.is_dated() {
        let text = "the limits for students need the dates of all periods: enter them, or remove the limits";
        return vec![(Vec::new(), text.to_owned())];
    }
    if limits.minutes_apart > 0 && instance.periods.iter().any(|period| times(period).is_none()) {
        let text = "the limit of minutes between two exams needs the times of all periods: enter them, or remove it";
        return vec![(Vec::new(), text.to_owned())];
    }
    let most = most_exams(instance);
    let mut beyond: Vec<(usize, usize)> = (0..instance.students.len())
        .map(|student| (instance.students.exams_of(student).len(), student))
        .filter(|&(exams, _)| exams > most)
        .collect();
    beyond.sort_by_key(|&(exams, student)| (std::cmp::Reverse(exams), student));
    let more = beyond.len().saturating_sub(named);
    let mut found: Vec<(Vec<usize>, String)> = beyond
        .iter()
        .take(named)
        .map(|&(exams, student)| {
            let text = format!(
                "student {} has {exams} exams, and the limits leave room for {most} in {}: relax a limit, or add days",
                instance.students.code(student),
                counted(instance.period_count() as u64, "period"),
            );
            (instance.students.exams_of(student).iter().map(|&exam| exam.into()).collect(), text)
        })
        .collect();
    if more > 0 {
        found.push((Vec::new(), format!("and {} more of this kind", counted(more as u64, "student"))));
    }
    found
}

/// Upper bound on the exams that a student can have within the limits: exams are put into the earliest periods that the windows
/// and the distances to other exams allow, which for windows of consecutive periods is as many as possible. Periods that are not
/// in the order of their dates have no bound.
fn most_exams(instance: &Instance) -> usize {
    let limits = &instance.rules.limits;
    if !instance.periods.is_sorted_by_key(|period| (period.date, period.start)) {
        return usize::MAX;
    }
    let windows = limits.windows(instance);
    let pairs = limits.pairs(instance, &windows);
    let mut taken: Vec<usize> = Vec::new();
    for period in 0..instance.period_count() {
        let is_near = |pairs: &Vec<PeriodSet>| taken.iter().any(|&other| !pairs[period].contains(other));
        let is_full = |window: &Window| {
            let there = taken.iter().filter(|&&other| window.periods.contains(other)).count();
            window.periods.contains(period) && there >= window.most as usize
        };
        if !pairs.as_ref().is_some_and(is_near) && !windows.iter().any(is_full) {
            taken.push(period);
        }
    }
    taken.len()
}
