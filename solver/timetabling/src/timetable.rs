//! A timetable and the reference computation of its cost.

use serde::{Deserialize, Serialize};

use super::PROXIMITY_WEIGHTS;

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
    /// Rooms of each sitting in the order of [`super::Instance::sittings`]; empty if no rooms are planned.
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
