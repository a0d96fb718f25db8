//! Even load over the days: the cost of students beyond the share of each day.
//!
//! share(d) = ⌈enrolments · periods(d) / periods⌉, cost = weight · Σ_d max(0, students(d) − share(d)), where students(d) counts
//! every student once for each of his or her exams on the day. A day with fewer periods has a smaller share.

use super::{Instance, Timetable, counts};

/// Why devices do not search with a price of an uneven load.
pub(crate) const CPU_ONLY: &str = "an even load over the days is weighed by the search on the CPU only; choose the CPU, or set the weight uneven_days to 0";

/// Shares of the days and the price of a student beyond one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DayShares {
    weight: i64,
    /// Index of the day of each period.
    day_of: Vec<u16>,
    /// Share of each day.
    shares: Vec<i64>,
}

impl DayShares {
    /// The shares of a session; `None` if an uneven load costs nothing, or not all periods have dates.
    pub(crate) fn of(instance: &Instance) -> Option<Self> {
        let weight = i64::from(instance.objective.weights.uneven_days);
        let firsts = counts::days(instance).filter(|_| weight > 0)?;
        let mut days = firsts.clone();
        days.sort_unstable();
        days.dedup();
        let day_of: Vec<u16> = firsts.iter().map(|first| days.partition_point(|day| day < first) as u16).collect();
        let all: u64 = instance.exams.iter().map(|exam| u64::from(exam.enrolment)).sum();
        let share = |day: usize| {
            let periods = day_of.iter().filter(|&&of| usize::from(of) == day).count() as u64;
            (all * periods).div_ceil(day_of.len() as u64) as i64
        };
        let shares = (0..days.len()).map(share).collect();
        Some(Self { weight, day_of, shares })
    }

    /// Number of days.
    pub(crate) fn days(&self) -> usize {
        self.shares.len()
    }

    /// Highest saving of a number of students who move.
    pub(crate) fn most_saved(&self, students: i64) -> i64 {
        self.weight * students
    }

    /// Counts students who leave the period `from`, if there is one, and come to the period `to`.
    #[inline(always)]
    pub(crate) fn count(&self, loads: &mut [i64], students: i64, (from, to): (Option<usize>, Option<usize>)) {
        if let Some(from) = from {
            loads[usize::from(self.day_of[from])] -= students;
        }
        if let Some(to) = to {
            loads[usize::from(self.day_of[to])] += students;
        }
    }

    /// Change of the cost if `students`, negative for those who go the other way, leave the period `from`, if there is one, and
    /// come to the period `to`.
    #[inline(always)]
    pub(crate) fn change(&self, loads: &[i64], students: i64, (from, to): (Option<usize>, Option<usize>)) -> i64 {
        let day = |period: Option<usize>| period.map(|period| usize::from(self.day_of[period]));
        let (from, to) = (day(from), day(to));
        if from == to {
            return 0;
        }
        let change = |day: Option<usize>, by: i64| {
            day.map_or(0, |day| self.cost(day, loads[day] + by) - self.cost(day, loads[day]))
        };
        change(from, -students) + change(to, students)
    }

    fn cost(&self, day: usize, students: i64) -> i64 {
        self.weight * (students - self.shares[day]).max(0)
    }

    /// Students of each day of a timetable.
    pub(crate) fn loads(&self, instance: &Instance, timetable: &Timetable) -> Vec<i64> {
        let mut loads = vec![0; self.days()];
        for (exam, data) in instance.exams.iter().enumerate() {
            let period = timetable.period_of(exam).filter(|&period| period < self.day_of.len());
            self.count(&mut loads, i64::from(data.enrolment), (None, period));
        }
        loads
    }

    /// Cost of these students of the days.
    pub(crate) fn total(&self, loads: &[i64]) -> u64 {
        loads.iter().enumerate().map(|(day, &students)| self.cost(day, students) as u64).sum()
    }
}
