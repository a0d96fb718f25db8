//! Data that the views need of the timetable that is shown, computed once per timetable.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use gridwright_timetabling::counts::{self, StudentCounts, TimetableStatistics};
use gridwright_timetabling::late_enrolments::{LateEnrolments, Risk};
use gridwright_timetabling::{Cost, Instance, PROXIMITY_WEIGHTS, Timetable, drawing};

/// Facts of an instance that take a moment to count.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Share of ones in the conflict matrix.
    pub density: f64,
    /// The highest number of conflicting exams of one exam.
    pub(crate) highest_degree: usize,
    /// The largest enrolment.
    pub largest_exam: u32,
    /// The most students that two exams share.
    pub(crate) most_shared: u32,
    /// Periods without which there is no timetable: exams of which each shares students with each other.
    pub(crate) least_periods: usize,
    /// Students of each exam.
    pub sitting: Sitting,
}

impl Facts {
    /// Counts them.
    pub fn of(instance: &Instance) -> Self {
        let exams = 0..instance.exam_count();
        let conflicts = &instance.conflicts;
        Self {
            density: conflicts.density(),
            highest_degree: exams.clone().map(|exam| conflicts.degree(exam)).max().unwrap_or(0),
            largest_exam: instance.exams.iter().map(|exam| exam.enrolment).max().unwrap_or(0),
            most_shared: exams.flat_map(|exam| conflicts.of(exam).map(|(_, shared)| shared)).max().unwrap_or(0),
            least_periods: conflicts.greedy_clique().len(),
            sitting: Sitting::of(instance),
        }
    }
}

/// The students of every exam, as one list with offsets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sitting {
    offsets: Vec<usize>,
    students: Vec<u32>,
}

impl Sitting {
    fn of(instance: &Instance) -> Self {
        let mut offsets = vec![0; instance.exam_count() + 1];
        for &exam in &instance.students.exams {
            offsets[usize::from(exam) + 1] += 1;
        }
        for exam in 1..offsets.len() {
            offsets[exam] += offsets[exam - 1];
        }
        let mut next = offsets.clone();
        let mut students = vec![0; instance.students.exams.len()];
        for (student, exams) in instance.students.iter().enumerate() {
            for &exam in exams {
                let at = &mut next[usize::from(exam)];
                students[*at] = student as u32;
                *at += 1;
            }
        }
        Self { offsets, students }
    }

    /// The students of an exam, ascending.
    pub fn students_of(&self, exam: usize) -> &[u32] {
        let range = self.offsets.get(exam).zip(self.offsets.get(exam + 1));
        range.and_then(|(&from, &to)| self.students.get(from..to)).unwrap_or_default()
    }
}

/// Days with their periods; nothing where a period has no date.
pub fn days(instance: &Instance) -> Vec<(Range<usize>, String)> {
    if counts::days(instance).is_none() {
        return Vec::new();
    }
    let name = |group: &Range<usize>| {
        let date = instance.periods.get(group.start).and_then(|period| period.date);
        date.map(|date| date.format("%a %-d %b").to_string()).unwrap_or_default()
    };
    counts::day_groups(instance).into_iter().map(|group| (group.clone(), name(&group))).collect()
}

/// Statistics of a timetable from the point of view of students and officers.
#[derive(Debug, Clone)]
pub struct People {
    /// Statistics that an examination officer reads beside the cost.
    pub counts: TimetableStatistics,
    /// Counts of each student, in the order of the instance.
    pub students: Vec<StudentCounts>,
    /// Risk that a late enrolment clashes; `None` if nobody can enrol late.
    pub risk: Option<Risk>,
}

/// A timetable and what follows from it.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The timetable.
    pub timetable: Arc<Timetable>,
    /// Cost of the timetable.
    pub cost: Cost,
    /// Σ_j c_ij · W[t_i][t_j] of every exam.
    pub shares: Vec<u64>,
    /// The highest of them.
    pub(crate) highest_share: u64,
    /// Students of every exam who have another exam in the same period.
    pub clashes: Vec<u64>,
    /// The exams of every period, ascending.
    pub by_period: Vec<Vec<usize>>,
    /// Students of every period, each counted once per exam.
    pub students: Vec<u64>,
    /// `pairs[d]` = number of pairs of exams of one student that are `d` periods apart, `d` = 0…5.
    pub pairs: [u64; PROXIMITY_WEIGHTS.len()],
    people: OnceLock<Arc<People>>,
}

impl Picture {
    /// Analyses a timetable; linear in the number of conflicting pairs.
    pub fn of(instance: &Instance, timetable: Arc<Timetable>) -> Self {
        let exams = instance.exam_count().min(timetable.periods.len());
        let mut shares = vec![0; instance.exam_count()];
        let mut clashes = vec![0; instance.exam_count()];
        let mut cost = Cost::default();
        let mut pairs = [0; PROXIMITY_WEIGHTS.len()];
        let costs = instance.pair_costs();
        for exam in 0..exams {
            let Some(period) = timetable.period_of(exam) else {
                cost.unplaced += 1;
                continue;
            };
            for (other, shared) in instance.conflicts.of(exam) {
                let Some(place) = timetable.period_of(other) else { continue };
                let distance = period.abs_diff(place);
                let shared = u64::from(shared);
                shares[exam] += costs.cost(period, place) * shared;
                clashes[exam] += if distance == 0 { shared } else { 0 };
                if let Some(pairs) = pairs.get_mut(distance) {
                    *pairs += shared;
                }
            }
        }
        // Every pair was met from both of its ends.
        let pairs = pairs.map(|twice| twice / 2);
        cost.clashes = clashes.iter().sum::<u64>() / 2;
        // Other objectives have components beside pairs of exams.
        cost.proximity = match instance.objective.is_toronto() {
            true => shares.iter().sum::<u64>() / 2,
            false => timetable.cost(instance).proximity,
        };
        let by_period = timetable.by_period(instance.period_count());
        let students = by_period
            .iter()
            .map(|exams| exams.iter().map(|&exam| instance.exams.get(exam).map_or(0, |e| u64::from(e.enrolment))).sum())
            .collect();
        let highest_share = shares.iter().copied().max().unwrap_or(0);
        let people = OnceLock::new();
        Self { timetable, cost, shares, highest_share, clashes, by_period, students, pairs, people }
    }

    /// Returns the statistics for people; computed on the first call.
    pub fn people(&self, instance: &Instance) -> &Arc<People> {
        self.people.get_or_init(|| {
            let (counts, students) = TimetableStatistics::with_students(instance, &self.timetable);
            let risk = LateEnrolments::of(instance).risk(&self.timetable);
            Arc::new(People { counts, students, risk })
        })
    }

    /// Returns the statistics for people if they were computed already.
    pub fn counted_people(&self) -> Option<&Arc<People>> {
        self.people.get()
    }

    /// Returns the strength of an exam's colour, 0…1, by its share of the cost; as in exported pictures.
    pub fn strength(&self, exam: usize) -> f32 {
        drawing::cost_share(self.shares.get(exam).copied().unwrap_or(0), self.highest_share)
    }

    /// The share of the whole cost that an exam takes part in, in per cent; all exams together make 200 %, because every
    /// pair has two ends.
    pub fn percent(&self, exam: usize) -> f64 {
        if self.cost.proximity == 0 { 0.0 } else { self.shares[exam] as f64 * 100.0 / self.cost.proximity as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_timetabling::{Exam, InstanceParts, Period};

    /// Exams a, b, c; two students sit a and b, one sits b and c.
    fn tiny() -> Instance {
        let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
        Instance::build(InstanceParts {
            name: "tiny".to_owned(),
            exams: ["a", "b", "c"].map(exam).to_vec(),
            students: vec![vec![0, 1], vec![0, 1], vec![1, 2]],
            periods: vec![Period::default(); 4],
            ..InstanceParts::default()
        })
        .unwrap()
    }

    #[test]
    fn shares_by_hand() {
        // a and b are 1 apart: 2 · 16 = 32; b and c are 2 apart: 1 · 8 = 8.
        let picture = Picture::of(&tiny(), Arc::new(Timetable::of(vec![0, 1, 3])));
        assert_eq!(picture.shares, [32, 40, 8]);
        assert_eq!(picture.cost, Cost { unplaced: 0, clashes: 0, proximity: 40 });
        assert_eq!(picture.students, [2, 3, 0, 1]);
        assert_eq!(picture.percent(0), 80.0);
        assert_eq!(picture.strength(1), 1.0);
        // Two students have exams 1 apart, one has exams 2 apart.
        assert_eq!(picture.pairs, [0, 2, 1, 0, 0, 0]);
        let facts = Facts::of(&tiny());
        assert_eq!([0, 1, 2].map(|exam| facts.sitting.students_of(exam)), [&[0, 1][..], &[0, 1, 2], &[2]]);
        assert_eq!((facts.most_shared, facts.least_periods, facts.sitting.students_of(3)), (2, 2, &[][..]));
    }
}
