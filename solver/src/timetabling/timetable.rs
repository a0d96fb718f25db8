//! A timetable and the reference computation of its cost.

use serde::{Deserialize, Serialize};

use super::objective::PairCosts;
use super::{Conflicts, Instance, PROXIMITY_WEIGHTS};

/// Period value of an unplaced exam.
pub const UNPLACED: u16 = u16::MAX;

/// Seats of one sitting in one room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seats {
    /// Index of the room.
    pub room: u16,
    /// Number of students of the sitting in the room.
    pub students: u32,
}

/// Timetable: one period per exam, or [`UNPLACED`], and the rooms of its sittings if the session plans rooms.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Timetable {
    /// Period of each exam from 0, in the order of the instance.
    pub periods: Vec<u16>,
    /// Rooms of each sitting in the order of [`Instance::sittings`]; empty if no rooms are planned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rooms: Vec<Vec<Seats>>,
}

/// Cost of a timetable; ordered lexicographically by unplaced exams, clashes, proximity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cost {
    /// Number of exams without a period.
    pub unplaced: u32,
    /// Number of clashes: Σ c_ij over pairs of exams in the same period.
    pub clashes: u64,
    /// Raw cost of the objective, without clashes; the published one is Σ_{i<j} c_ij · w(|t_i − t_j|).
    pub proximity: u64,
}

impl Cost {
    /// Returns `true` if every exam is placed and there is no clash.
    pub fn is_feasible(&self) -> bool {
        self.unplaced == 0 && self.clashes == 0
    }
}

impl Timetable {
    /// The timetable with these periods and without rooms.
    pub fn of(periods: Vec<u16>) -> Self {
        Self { periods, rooms: Vec::new() }
    }

    /// The timetable in which every exam is unplaced.
    pub fn unplaced(exams: usize) -> Self {
        Self::of(vec![UNPLACED; exams])
    }

    /// Adapts the timetable to a change of the periods: `index_of[p]` is the new index of period p; exams in a removed period
    /// are unplaced.
    pub fn move_periods(&mut self, index_of: &[Option<usize>]) {
        for period in self.periods.iter_mut().filter(|period| **period != UNPLACED) {
            let new = index_of.get(usize::from(*period)).copied().flatten();
            *period = new.map_or(UNPLACED, |new| new as u16);
        }
    }

    /// Period of `exam`, if it is placed.
    pub fn period_of(&self, exam: usize) -> Option<usize> {
        self.periods.get(exam).filter(|&&period| period != UNPLACED).map(|&period| usize::from(period))
    }

    /// Exam indices of each of the first `periods` periods, ascending.
    pub fn by_period(&self, periods: usize) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); periods];
        for (exam, &period) in self.periods.iter().enumerate() {
            if let Some(list) = lists.get_mut(usize::from(period)) {
                list.push(exam);
            }
        }
        lists
    }

    /// Indices of the exams without a period, ascending.
    pub fn unplaced_exams(&self) -> Vec<usize> {
        (0..self.periods.len()).filter(|&exam| self.periods[exam] == UNPLACED).collect()
    }

    /// Computes the cost over the conflict graph: that of the session's objective, raw = Σ_{i<j} c_ij · w(|t_i − t_j|) for
    /// the published one, clashes and unplaced exams.
    pub fn cost(&self, instance: &Instance) -> Cost {
        let mut cost = Cost::default();
        let pairs = instance.pair_costs();
        for exam in 0..instance.exam_count() {
            let Some(period) = self.period_of(exam) else {
                cost.unplaced += 1;
                continue;
            };
            for (other, shared) in instance.conflicts.of(exam).skip_while(|&(other, _)| other <= exam) {
                match self.period_of(other) {
                    Some(other) if other == period => cost.clashes += u64::from(shared),
                    Some(other) => cost.proximity += u64::from(shared) * pairs.cost(period, other),
                    None => {}
                }
            }
        }
        if !instance.objective.is_toronto() {
            let prices = instance.period_prices();
            let periods = instance.period_count();
            let placed = self.periods.iter().take(instance.exam_count()).enumerate();
            let price = |(exam, &period): (usize, &u16)| {
                let inside = usize::from(period) < periods && !prices.is_empty();
                if inside { u64::from(prices[exam * periods + usize::from(period)]) } else { 0 }
            };
            cost.proximity += placed.map(price).sum::<u64>() + instance.room_costs(self);
        }
        cost
    }

    /// Share of each exam in the cost of pairs of exams: Σ_j c_ij · W[t_i][t_j]; the shares add up to twice that cost.
    pub fn cost_shares(&self, instance: &Instance) -> Vec<u64> {
        let pairs = instance.pair_costs();
        (0..instance.exam_count())
            .map(|exam| match self.period_of(exam) {
                Some(period) => share_at(&instance.conflicts, &pairs, self, exam, period).1,
                None => 0,
            })
            .collect()
    }

    /// (clashes, cost of pairs) of `exam` if it were in `period`, the others as they are.
    pub fn share_at(&self, instance: &Instance, exam: usize, period: usize) -> (u64, u64) {
        share_at(&instance.conflicts, &instance.pair_costs(), self, exam, period)
    }
}

/// (clashes, Σ_j c_ij · W[t][t_j]) of `exam` in `period` t, the others as they are.
pub(super) fn share_at(
    conflicts: &Conflicts, pairs: &PairCosts, timetable: &Timetable, exam: usize, period: usize,
) -> (u64, u64) {
    let (mut clashes, mut proximity) = (0, 0);
    for (other, shared) in conflicts.of(exam) {
        match timetable.period_of(other) {
            Some(other) if other == period => clashes += u64::from(shared),
            Some(other) => proximity += u64::from(shared) * pairs.cost(period, other),
            None => {}
        }
    }
    (clashes, proximity)
}

/// Number of padding cells in front of period 0 in a table over periods, so that a window needs no bounds checks.
pub(super) const WINDOW_PAD: usize = 5;

/// Width of a window over the periods t−5 … t+10: a whole number of vector registers.
pub(super) const WINDOW: usize = 16;

/// w(|d|) for the cells d = −5 … 10 of a window; w(0) and the last five are 0.
pub(super) const WINDOW_WEIGHTS: [i16; WINDOW] = [1, 2, 4, 8, 16, 0, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0];

/// w(d): 16, 8, 4, 2, 1 for d = 1…5 periods, otherwise 0.
pub fn weight(distance: usize) -> u64 {
    PROXIMITY_WEIGHTS.get(distance).map_or(0, |&weight| u64::from(weight))
}
