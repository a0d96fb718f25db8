//! Statistics of a timetable beside its cost: clashes, exams in a row and per day, loads of periods, gaps.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::costs::PairCosts;
use super::late_enrolments::LateEnrolments;
use super::{Instance, Timetable};
pub(crate) use gridwright_core::numbers::grouped;

/// Number of periods at the end of the session that are reported as the last ones.
pub const LAST_PERIODS: usize = 3;

/// Load of one period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PeriodLoad {
    /// Number of exams in the period.
    pub exams: u32,
    /// Sum of the enrolments of these exams: the seats needed.
    pub students: u32,
}

/// Statistics of a timetable for one student.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StudentCounts {
    /// Number of this student's exams that have a period.
    pub exams: u16,
    /// Number of pairs of these exams in the same period.
    pub clashes: u32,
    /// Raw cost of pairs of exams: Σ over pairs of these exams of W[t][u].
    pub cost: u32,
    /// True if two of the exams are in adjacent periods; with dates, on the same day.
    pub in_a_row: bool,
    /// Number of exams on the student's fullest day; `None` if a period has no date.
    pub most_a_day: Option<u16>,
}

impl StudentCounts {
    /// Computes the statistics from the ascending periods of one student's exams; `days[p]` identifies the day of
    /// period p, `on_days` is a scratch buffer.
    fn of(sits: &[usize], costs: &PairCosts, days: Option<&[usize]>, on_days: &mut Vec<usize>) -> Self {
        let mut counts = Self { exams: sits.len() as u16, ..Self::default() };
        for (at, &first) in sits.iter().enumerate() {
            for &second in &sits[at + 1..] {
                counts.clashes += u32::from(first == second);
                counts.cost += costs.cost(first, second) as u32;
                counts.in_a_row |= second - first == 1 && days.is_none_or(|days| days[first] == days[second]);
            }
        }
        counts.most_a_day = days.map(|days| {
            on_days.clear();
            on_days.extend(sits.iter().map(|&period| days[period]));
            on_days.sort_unstable();
            on_days.chunk_by(|a, b| a == b).map(<[usize]>::len).max().unwrap_or(0) as u16
        });
        counts
    }
}

/// Statistics of a timetable for students, staff and rooms.
///
/// An exam whose period is missing or beyond the session counts as unplaced and contributes to nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimetableStatistics {
    /// Number of exams without a period.
    pub unplaced: u32,
    /// Number of clashes: Σ c_ij over pairs of exams in the same period.
    pub clashes: u64,
    /// Number of students with at least one clash.
    pub students_with_clash: u32,
    /// Number of students with two exams in adjacent periods; with dates, on the same day.
    pub students_in_a_row: u32,
    /// Number of students whose fullest day has exactly two exams; `None` if a period has no date.
    pub students_two_a_day: Option<u32>,
    /// Number of students with three or more exams on one day; `None` if a period has no date.
    pub students_three_a_day: Option<u32>,
    /// Number of exams in the last [`LAST_PERIODS`] periods.
    pub exams_at_the_end: u32,
    /// Number of periods whose exams need more seats than the period has; `None` if no period has a number of seats.
    pub overfull_periods: Option<u32>,
    /// Number of late enrolments that would clash, of a million; `None` if nobody can enrol late.
    #[serde(default)]
    pub late_clashes: Option<u32>,
    /// Load of each period.
    pub(crate) loads: Vec<PeriodLoad>,
    /// `gaps[d]`: number of times that a student's next exam is d periods after the previous one; `gaps[0]` are
    /// clashes.
    pub gaps: Vec<u64>,
}

impl TimetableStatistics {
    /// Computes the statistics of a timetable.
    pub fn of(instance: &Instance, timetable: &Timetable) -> Self {
        Self::count(instance, timetable, &mut |_| {})
    }

    /// Computes the statistics of a timetable, in all and for each student in the order of the instance.
    pub fn with_students(instance: &Instance, timetable: &Timetable) -> (Self, Vec<StudentCounts>) {
        let mut students = Vec::with_capacity(instance.students.len());
        let counts = Self::count(instance, timetable, &mut |student| students.push(student));
        (counts, students)
    }

    fn count(instance: &Instance, timetable: &Timetable, visit: &mut dyn FnMut(StudentCounts)) -> Self {
        let periods = instance.period_count();
        let placed: Vec<Option<usize>> =
            (0..instance.exam_count()).map(|exam| placed(instance, timetable, exam)).collect();
        let mut counts = Self { loads: vec![PeriodLoad::default(); periods], ..Self::default() };
        for (exam, period) in instance.exams.iter().zip(&placed) {
            match period {
                Some(period) => {
                    counts.loads[*period].exams += 1;
                    counts.loads[*period].students += exam.enrolment;
                }
                None => counts.unplaced += 1,
            }
        }
        counts.exams_at_the_end = counts.loads.iter().rev().take(LAST_PERIODS).map(|load| load.exams).sum();
        if instance.periods.iter().any(|period| period.seats.is_some()) {
            let overfull = |(load, seats): (&PeriodLoad, Option<u32>)| seats.is_some_and(|seats| load.students > seats);
            let seats = instance.periods.iter().map(|period| period.seats);
            counts.overfull_periods =
                Some(counts.loads.iter().zip(seats).filter(|&pair| overfull(pair)).count() as u32);
        }
        let risk = LateEnrolments::of(instance).risk(timetable);
        counts.late_clashes = risk.map(|risk| (1e6 * risk.clashing).round() as u32);
        counts.count_students(instance, &placed, visit);
        counts
    }

    fn count_students(&mut self, instance: &Instance, placed: &[Option<usize>], visit: &mut dyn FnMut(StudentCounts)) {
        let (days, costs) = (days(instance), instance.pair_costs());
        self.gaps = vec![0; self.loads.len()];
        let (mut two, mut three) = (0, 0);
        let (mut sits, mut on_days) = (Vec::new(), Vec::new());
        for exams in instance.students.iter() {
            sits.clear();
            sits.extend(exams.iter().filter_map(|&exam| placed[usize::from(exam)]));
            sits.sort_unstable();
            for pair in sits.windows(2) {
                self.gaps[pair[1] - pair[0]] += 1;
            }
            let student = StudentCounts::of(&sits, &costs, days.as_deref(), &mut on_days);
            self.clashes += u64::from(student.clashes);
            self.students_with_clash += u32::from(student.clashes > 0);
            self.students_in_a_row += u32::from(student.in_a_row);
            two += u32::from(student.most_a_day == Some(2));
            three += u32::from(student.most_a_day.is_some_and(|most| most > 2));
            visit(student);
        }
        (self.students_two_a_day, self.students_three_a_day) = (days.as_ref().map(|_| two), days.map(|_| three));
    }

    /// Period with the most students (the first of several) and their number; `None` if no student's exam is placed.
    pub fn largest_period(&self) -> Option<(usize, u32)> {
        let largest = self.loads.iter().map(|load| load.students).max().filter(|&students| students > 0)?;
        self.loads.iter().position(|load| load.students == largest).map(|period| (period, largest))
    }

    /// Returns `true` if every exam is placed and no student has a clash. Rules are not considered.
    pub fn is_feasible(&self) -> bool {
        self.unplaced == 0 && self.clashes == 0
    }
}

/// Groups consecutive periods of the same day; a single group if some period has no date.
pub fn day_groups(instance: &Instance) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    let days = days(instance);
    for period in 0..instance.period_count() {
        let same = days.as_ref().is_none_or(|days| period == 0 || days[period] == days[period - 1]);
        match groups.last_mut() {
            Some(group) if same => group.end = period + 1,
            _ => groups.push(period..period + 1),
        }
    }
    groups
}

/// Period of `exam` if it is placed within the session.
pub fn placed(instance: &Instance, timetable: &Timetable, exam: usize) -> Option<usize> {
    timetable.period_of(exam).filter(|&period| period < instance.period_count())
}

/// Day of each period, identified by the first period of the same date; `None` if some period has no date.
pub fn days(instance: &Instance) -> Option<Vec<usize>> {
    let dates: Option<Vec<_>> = instance.periods.iter().map(|period| period.date).collect();
    let dates = dates.filter(|dates| !dates.is_empty())?;
    Some(dates.iter().map(|date| dates.iter().position(|other| other == date).unwrap_or(0)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Exam, InstanceParts, Period, UNPLACED};
    use super::*;
    use chrono::NaiveDate;

    /// Five exams A…E, six students, four periods; two periods a day where `dated`.
    fn instance(dated: bool) -> Instance {
        let students = vec![vec![0, 1], vec![0, 1, 2], vec![1, 2, 3], vec![0, 3], vec![3, 4], vec![4]];
        let day = |period: u32| NaiveDate::from_ymd_opt(2026, 6, 1 + period / 2);
        let period = |p: u32| Period { date: day(p).filter(|_| dated), seats: dated.then_some(4), ..Period::default() };
        let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
        Instance::build(InstanceParts {
            name: "tiny".to_owned(),
            exams: ["A", "B", "C", "D", "E"].map(exam).to_vec(),
            students,
            periods: (0..4).map(period).collect(),
            ..InstanceParts::default()
        })
        .unwrap()
    }

    #[test]
    fn counts_without_dates_are_those_done_by_hand() {
        // Enrolments: A 3, B 3, C 2, D 3, E 2. A is in period 0, B in 1, C in 2, D in 2, E in 3.
        let timetable = Timetable::of(vec![0, 1, 2, 2, 3]);
        let counts = TimetableStatistics::of(&instance(false), &timetable);
        // Student 2 sits C and D in period 2.
        assert_eq!((counts.clashes, counts.students_with_clash), (1, 1));
        // A, B: 0 → 1; A, B, C: 0 → 1 → 2; B, C, D: 1 → 2 → 2; A, D: 0 → 2; D, E: 2 → 3; E alone.
        assert_eq!(counts.students_in_a_row, 4);
        assert_eq!(counts.gaps, [1, 5, 1, 0]);
        assert_eq!((counts.students_two_a_day, counts.students_three_a_day), (None, None));
        let loads: Vec<_> = counts.loads.iter().map(|load| (load.exams, load.students)).collect();
        assert_eq!(loads, [(1, 3), (1, 3), (2, 5), (1, 2)]);
        assert_eq!(counts.largest_period(), Some((2, 5)));
        assert_eq!((counts.exams_at_the_end, counts.unplaced, counts.overfull_periods), (4, 0, None));
    }

    #[test]
    fn days_end_rows_and_bound_what_counts_as_one_day() {
        let timetable = Timetable::of(vec![0, 1, 2, 2, 3]);
        let counts = TimetableStatistics::of(&instance(true), &timetable);
        // Periods 1 and 2 lie on different days, so B, C, D is no row; A, B and A, B, C and D, E are.
        assert_eq!(counts.students_in_a_row, 3);
        // Fullest day: A, B: 2; A, B, C: 2; B, C, D: 2 (C, D); A, D: 1; D, E: 2; E: 1.
        assert_eq!((counts.students_two_a_day, counts.students_three_a_day), (Some(4), Some(0)));
        // Four seats each; period 2 needs five.
        assert_eq!(counts.overfull_periods, Some(1));
        // All on the first day: A, B, C and B, C, D have three exams there, everyone else but E at most two.
        let crowded = Timetable::of(vec![0, 1, 0, 0, 3]);
        let counts = TimetableStatistics::of(&instance(true), &crowded);
        assert_eq!((counts.students_two_a_day, counts.students_three_a_day), (Some(2), Some(2)));
        // A, C of student 1; C, D of student 2; A, D of student 3.
        assert_eq!((counts.clashes, counts.students_with_clash), (3, 3));
    }

    #[test]
    fn each_student_pays_what_the_hand_computes() {
        let timetable = Timetable::of(vec![0, 1, 2, 2, 3]);
        let (counts, students) = TimetableStatistics::with_students(&instance(true), &timetable);
        // A, B: 16. A, B, C: 16 + 8 + 16. B, C, D: 16 + 16 and a clash. A, D: 8. D, E: 16. E: nothing.
        assert_eq!(students.iter().map(|student| student.cost).collect::<Vec<_>>(), [16, 40, 32, 8, 16, 0]);
        assert_eq!(students.iter().map(|student| student.clashes).collect::<Vec<_>>(), [0, 0, 1, 0, 0, 0]);
        let most: Vec<u16> = students.iter().filter_map(|student| student.most_a_day).collect();
        assert_eq!(most, [2, 2, 2, 1, 2, 1]);
        assert_eq!(students.iter().filter(|student| student.in_a_row).count(), 3);
        let total: u64 = students.iter().map(|student| u64::from(student.cost)).sum();
        assert_eq!(total, timetable.cost(&instance(true)).proximity, "students and pairs of exams: the same cost");
        assert_eq!(counts, TimetableStatistics::of(&instance(true), &timetable));
        assert_eq!(day_groups(&instance(true)), [0..2, 2..4]);
        assert_eq!(day_groups(&instance(false)), std::iter::once(0..4).collect::<Vec<_>>());
    }

    #[test]
    fn what_has_no_period_counts_as_unplaced_only() {
        // E beyond the last period, A and B nowhere, and the list ends before D and E.
        for timetable in [vec![UNPLACED, UNPLACED, 1, 2, 4], vec![UNPLACED, UNPLACED, 1, 2]] {
            let counts = TimetableStatistics::of(&instance(false), &Timetable::of(timetable));
            assert_eq!(counts.unplaced, 3);
            assert_eq!(counts.loads.iter().map(|load| load.exams).sum::<u32>(), 2);
            assert_eq!(counts.gaps, [0, 1, 0, 0]);
        }
        let empty = TimetableStatistics::of(&instance(false), &Timetable::unplaced(5));
        assert_eq!(empty.largest_period(), None);
    }

    #[test]
    fn an_instance_without_periods_counts_nothing() {
        let mut bare = instance(false);
        bare.periods.clear();
        let counts = TimetableStatistics::of(&bare, &Timetable::of(vec![0; 5]));
        assert_eq!((counts.unplaced, counts.loads.len(), counts.exams_at_the_end), (5, 0, 0));
        assert!(!counts.is_feasible());
    }
}
