//! Limits of students as the searches see them: windows, sets of periods with the largest number of exams that a student may
//! have in them.
//!
//! Windows of one exam and distances between exams forbid pairs of periods to exams that share students; larger windows are
//! counted (`seating/limits.rs`). The checker counts from dates and times and does not use the windows.

use std::collections::BTreeSet;

use super::costs::{Breaks, Days};
use super::model::PeriodSet;
use super::{Instance, StudentLimits, Timetable};
use gridwright_core::numbers::{counted, grouped};

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

    /// Students of an exam, out of `students`, for whom it cannot be in `period`, the other exams as they are in a timetable.
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

/// Sentence about the students who cannot keep the limits in any timetable, with the exams of the first `named` of them.
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
    let StudentsBeyond { most, students } = students_beyond(instance);
    let periods = counted(instance.period_count() as u64, "period");
    let exams_of = |&(student, _): &(usize, usize)| instance.students.exams_of(student).iter();
    let code = |student: usize| instance.students.code(student);
    let text = match students.as_slice() {
        [] => return Vec::new(),
        &[(student, exams)] => {
            format!("student {} has {exams} exams, and the limits leave room for {most} in {periods}", code(student))
        }
        students => {
            let first = students.iter().take(named).map(|&(student, exams)| format!("{} ({exams})", code(student)));
            let first = first.collect::<Vec<_>>().join(", ");
            let more = students.len().saturating_sub(named);
            let more = if more > 0 { format!(" and {} more", grouped(more as i64)) } else { String::new() };
            let all = counted(students.len() as u64, "student");
            format!("{all} have more exams than the {most} that the limits leave room for in {periods}: {first}{more}")
        }
    };
    let exams = students.iter().take(named).flat_map(exams_of).map(|&exam| exam.into()).collect();
    vec![(exams, format!("{text}; relax a limit, or add days"))]
}

/// Students who have more exams than the limits leave room for in any timetable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudentsBeyond {
    /// Upper bound on the exams of a student within the limits.
    pub most: usize,
    /// Student indices with numbers of exams, those with the most exams first.
    pub students: Vec<(usize, usize)>,
}

/// Finds the students who cannot keep the limits in any timetable.
pub fn students_beyond(instance: &Instance) -> StudentsBeyond {
    if instance.rules.limits.is_empty() {
        return StudentsBeyond { most: usize::MAX, students: Vec::new() };
    }
    let most = most_exams(instance);
    let all = (0..instance.students.len()).map(|student| (student, instance.students.exams_of(student).len()));
    let mut students: Vec<(usize, usize)> = all.filter(|&(_, exams)| exams > most).collect();
    students.sort_by_key(|&(student, exams)| (std::cmp::Reverse(exams), student));
    StudentsBeyond { most, students }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exam, InstanceParts, Period};

    #[test]
    fn students_beyond_the_limits_are_one_sentence() {
        let period = |day: u32| Period { date: chrono::NaiveDate::from_ymd_opt(2026, 6, day), ..Period::default() };
        let mut instance = Instance::build(InstanceParts {
            exams: (0..5).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect(),
            students: vec![vec![0, 1, 2], vec![0, 1], vec![1, 2, 3, 4], vec![2, 3, 4], vec![0, 2, 4]],
            periods: [1, 1, 2, 2, 2].map(period).to_vec(),
            ..InstanceParts::default()
        })
        .unwrap();
        assert_eq!(contradictions(&instance, 2), []);
        instance.rules.limits.a_day = 1;
        let text = "4 students have more exams than the 2 that the limits leave room for in 5 periods: 3 (4), 1 (3) and 2 \
                    more; relax a limit, or add days";
        assert_eq!(contradictions(&instance, 2), [(vec![1, 2, 3, 4, 0, 1, 2], text.to_owned())]);
        let all = StudentsBeyond { most: 2, students: vec![(2, 4), (0, 3), (3, 3), (4, 3)] };
        assert_eq!(students_beyond(&instance), all);
        instance.rules.limits.a_day = 0;
        instance.rules.limits.days_apart = 2;
        assert_eq!(students_beyond(&instance).students.len(), 5, "two exams are too many, too");
    }
}
