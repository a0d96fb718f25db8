//! Limits of students as the searches see them: windows, sets of periods with the largest number of exams that a student may
//! have in them.
//!
//! Windows of one exam and distances between exams forbid pairs of periods to exams that share students; larger windows are
//! counted (`seating/limits.rs`). The checker counts from dates and times and does not use the windows.

use std::collections::BTreeSet;

use super::costs::{Breaks, Days};
use super::model::PeriodSet;
use super::{Instance, StudentLimits, Timetable};
use gridwright_core::numbers::counted;

/// Set of periods in which a student may have a number of exams at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// The periods.
    pub(crate) periods: PeriodSet,
    /// Largest number of exams; at least 1.
    pub(crate) most: u32,
}

impl Window {
    /// Returns `true` if whatever keeps this window keeps the other one, too.
    fn covers(&self, other: &Self) -> bool {
        self.most <= other.most && other.periods.iter().all(|period| self.periods.contains(period))
    }
}

impl StudentLimits {
    /// Windows of the periods of an instance that are larger than their number of exams, none within another one that is as
    /// strict.
    pub(crate) fn windows(&self, instance: &Instance) -> Vec<Window> {
        if self.is_empty() {
            return Vec::new();
        }
        let periods = instance.period_count();
        let Days(days) = Days::of(instance);
        let mut windows = Vec::new();
        let mut add = |most: u32, is_in: &dyn Fn(usize) -> bool| {
            let mut set = PeriodSet::below(periods);
            set.retain(is_in);
            if most > 0 && set.len() > most as usize {
                windows.push(Window { periods: set, most });
            }
        };
        if let Some(days) = &days {
            let dates: BTreeSet<i64> = days.iter().map(|&(_, date)| date).collect();
            for first in dates {
                for (most, days_of_span) in [(self.a_day, 1), (self.in_days, self.days), (1, self.days_apart)] {
                    let span = first..first + i64::from(days_of_span);
                    add(most, &|period| span.contains(&days[period].1));
                }
            }
        }
        let length = self.in_a_row as usize + 1;
        for first in (0..periods).filter(|&first| self.in_a_row > 0 && first + length <= periods) {
            let run = first..first + length;
            if days.as_ref().is_none_or(|days| run.clone().all(|period| days[period].1 == days[first].1)) {
                add(self.in_a_row, &|period| run.contains(&period));
            }
        }
        let mut strictest: Vec<Window> = Vec::new();
        for window in windows {
            if !strictest.iter().any(|other| other.covers(&window)) {
                strictest.retain(|other| !window.covers(other));
                strictest.push(window);
            }
        }
        strictest
    }

    /// For each period of an exam the periods in which another exam of one of its students may be; `None` if no two periods
    /// exclude each other.
    pub(crate) fn pairs(&self, instance: &Instance, windows: &[Window]) -> Option<Vec<PeriodSet>> {
        let single = || windows.iter().filter(|window| window.most == 1);
        if single().next().is_none() && self.minutes_apart == 0 {
            return None;
        }
        let (periods, breaks) = (instance.period_count(), Breaks::of(instance));
        let least = i64::from(self.minutes_apart);
        let is_near = |t: usize, u: usize| least > 0 && breaks.minutes(t, u).is_some_and(|minutes| minutes < least);
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

    /// Those of `students`, who sit an exam, for whom the exam cannot be in `period`, the other exams as they are in a timetable.
    pub(crate) fn students_beyond(
        &self, instance: &Instance, timetable: &Timetable, (exam, students): (usize, &[usize]), period: usize,
    ) -> Vec<usize> {
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
        students.iter().copied().filter(|&student| breaks(instance.students.exams_of(student))).collect()
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
    if limits.minutes_apart > 0 && !Breaks::of(instance).are_known() {
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
