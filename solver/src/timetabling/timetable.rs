//! A timetable and the reference meaning of its cost.

use serde::{Deserialize, Serialize};

use super::{Conflicts, Instance, PROXIMITY_WEIGHTS};

/// The period of an exam that has none.
pub const UNPLACED: u16 = u16::MAX;

/// One period per exam, or [`UNPLACED`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Timetable {
    /// The period of each exam, in the order of the instance.
    pub periods: Vec<u16>,
}

/// What a timetable costs. Ordered as it should be improved: place all exams, then no clashes, then proximity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cost {
    /// Exams without a period.
    pub unplaced: u32,
    /// Σ c_ij over pairs in the same period: students who would have to be in two places.
    pub clashes: u64,
    /// Σ_{i<j} c_ij · w(|t_i − t_j|), not divided.
    pub proximity: u64,
}

impl Cost {
    /// Whether every exam is placed and nobody has to be in two places.
    pub fn is_feasible(&self) -> bool {
        self.unplaced == 0 && self.clashes == 0
    }
}

impl Timetable {
    /// A timetable in which nothing is placed yet.
    pub fn unplaced(exams: usize) -> Self {
        Self { periods: vec![UNPLACED; exams] }
    }

    /// The period of an exam, if it has one.
    pub fn period_of(&self, exam: usize) -> Option<usize> {
        self.periods.get(exam).filter(|&&period| period != UNPLACED).map(|&period| usize::from(period))
    }

    /// The exams of each of `periods` periods, ascending.
    pub fn by_period(&self, periods: usize) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); periods];
        for (exam, &period) in self.periods.iter().enumerate() {
            if let Some(list) = lists.get_mut(usize::from(period)) {
                list.push(exam);
            }
        }
        lists
    }

    /// Exams without a period, ascending.
    pub fn unplaced_exams(&self) -> Vec<usize> {
        (0..self.periods.len()).filter(|&exam| self.periods[exam] == UNPLACED).collect()
    }

    /// raw = Σ_{i<j} c_ij · w(|t_i − t_j|) over the conflict graph, with clashes and unplaced exams apart.
    pub fn cost(&self, instance: &Instance) -> Cost {
        let mut cost = Cost::default();
        for exam in 0..instance.exam_count() {
            let Some(period) = self.period_of(exam) else {
                cost.unplaced += 1;
                continue;
            };
            for (other, shared) in instance.conflicts.of(exam).skip_while(|&(other, _)| other <= exam) {
                match self.period_of(other).map(|other| period.abs_diff(other)) {
                    Some(0) => cost.clashes += u64::from(shared),
                    Some(distance) => cost.proximity += u64::from(shared) * weight(distance),
                    None => {}
                }
            }
        }
        cost
    }

    /// How much of the proximity cost each exam takes part in: Σ_j c_ij · w(|t_i − t_j|).
    pub fn cost_shares(&self, instance: &Instance) -> Vec<u64> {
        (0..instance.exam_count())
            .map(|exam| match self.period_of(exam) {
                Some(period) => self.share_at(instance, exam, period).1,
                None => 0,
            })
            .collect()
    }

    /// (students who would clash, proximity) of `exam` if it stood at `period`, the others as they are.
    pub fn share_at(&self, instance: &Instance, exam: usize, period: usize) -> (u64, u64) {
        share_at(&instance.conflicts, self, exam, period)
    }
}

/// Students of an exam who would clash in a period, and its Σ_j c_ij · w(|t − t_j|) there.
pub(super) fn share_at(conflicts: &Conflicts, timetable: &Timetable, exam: usize, period: usize) -> (u64, u64) {
    let (mut clashes, mut proximity) = (0, 0);
    for (other, shared) in conflicts.of(exam) {
        match timetable.period_of(other).map(|other| period.abs_diff(other)) {
            Some(0) => clashes += u64::from(shared),
            Some(distance) => proximity += u64::from(shared) * weight(distance),
            None => {}
        }
    }
    (clashes, proximity)
}

/// Cells in front of period 0 in a table over periods, so that a window needs no bounds.
pub(super) const WINDOW_PAD: usize = 5;

/// Width of a window over the periods t−5 … t+10: a whole number of vector registers.
pub(super) const WINDOW: usize = 16;

/// w(|d|) for the cells d = −5 … 10 of a window; w(0) and the last five are 0.
pub(super) const WINDOW_WEIGHTS: [i16; WINDOW] = [1, 2, 4, 8, 16, 0, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0];

/// w(d): 16, 8, 4, 2, 1 for 1…5 periods, otherwise 0.
pub fn weight(distance: usize) -> u64 {
    PROXIMITY_WEIGHTS.get(distance).map_or(0, |&weight| u64::from(weight))
}
