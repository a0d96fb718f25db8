//! A first conflict-free timetable: saturation degree with ejections.
//!
//! The exam with the fewest clash-free periods goes first (ties: larger degree, then a random word). Where no period is
//! free, the exam goes to the period whose clashing exams have been thrown out least often, and throws them out.
//!
//! Sources: D. Brélaz, «New methods to color the vertices of a graph», Communications of the ACM 22(4), 1979;
//! M. W. Carter, G. Laporte, S. Y. Lee, Journal of the Operational Research Society 47(3), 1996 (with backtracking).

use crate::random::{Philox, index};

use super::{Conflicts, Timetable, UNPLACED};

/// Purpose of the random words used here.
const PURPOSE: u32 = 0x10;

/// Builds a timetable of `periods` periods; where it does not find a place for everything within `ejections`
/// ejections, the one with the fewest unplaced exams.
pub fn construct(
    conflicts: &Conflicts,
    periods: usize,
    philox: Philox,
    individual: u32,
    ejections: usize,
    cancelled: &dyn Fn() -> bool,
) -> Timetable {
    let mut state = Partial::new(conflicts, periods);
    let mut best = Timetable::unplaced(conflicts.exams());
    let mut best_open = usize::MAX;
    let mut ejected = 0;
    for step in 0_u32.. {
        let open = state.open;
        if open < best_open {
            best_open = open;
            best.periods.copy_from_slice(&state.place);
        }
        if open == 0 || ejected > ejections || (step % 64 == 63 && cancelled()) {
            break;
        }
        let words = philox.words(0, step, individual, PURPOSE);
        let exam = state.most_saturated(conflicts, words[0]);
        match state.free_period(exam, words[1]) {
            Some(period) => state.put(conflicts, exam, period),
            None => ejected += state.eject_into(conflicts, exam, philox, step, individual),
        }
    }
    fill(conflicts, periods, &mut best);
    best
}

/// Places what is still open wherever a period is free: what cannot be placed came first and kept the rest waiting.
fn fill(conflicts: &Conflicts, periods: usize, timetable: &mut Timetable) {
    let mut partial = Partial::new(conflicts, periods);
    for (exam, &period) in timetable.periods.iter().enumerate() {
        if period != UNPLACED {
            partial.put(conflicts, exam, usize::from(period));
        }
    }
    for exam in timetable.unplaced_exams() {
        if let Some(period) = partial.free_period(exam, 0) {
            partial.put(conflicts, exam, period);
        }
    }
    timetable.periods = partial.place;
}

/// A partial timetable without clashes, and what it takes to extend it.
#[derive(Debug)]
pub(super) struct Partial {
    periods: usize,
    /// The period of every exam, or [`UNPLACED`].
    pub(super) place: Vec<u16>,
    /// Conflicting exams in each period, per exam × period.
    clashes: Vec<u32>,
    /// Periods without a clash, per exam.
    free: Vec<u32>,
    /// How many exams an exam has thrown out.
    pub(super) removals: Vec<u64>,
    /// How many exams have no period.
    pub(super) open: usize,
}

impl Partial {
    /// Nothing is placed yet.
    pub(super) fn new(conflicts: &Conflicts, periods: usize) -> Self {
        let exams = conflicts.exams();
        Self {
            periods,
            place: vec![UNPLACED; exams],
            clashes: vec![0; exams * periods],
            free: vec![periods as u32; exams],
            removals: vec![0; exams],
            open: exams,
        }
    }

    /// The unplaced exam with the fewest free periods, then the highest degree, then by a random start.
    fn most_saturated(&self, conflicts: &Conflicts, word: u32) -> usize {
        let exams = self.place.len();
        let start = index(word, exams as u32) as usize;
        (0..exams)
            .map(|offset| (start + offset) % exams)
            .filter(|&exam| self.place[exam] == UNPLACED)
            .min_by_key(|&exam| (self.free[exam], std::cmp::Reverse(conflicts.degree(exam))))
            .unwrap_or(0)
    }

    /// A random one of the clash-free periods.
    pub(super) fn free_period(&self, exam: usize, word: u32) -> Option<usize> {
        let row = &self.clashes[exam * self.periods..(exam + 1) * self.periods];
        let chosen = index(word, self.free[exam]) as usize;
        row.iter().enumerate().filter(|&(_, &clashes)| clashes == 0).nth(chosen).map(|(period, _)| period)
    }

    /// Puts an exam where it throws out the least; returns how many exams it threw out.
    fn eject_into(&mut self, conflicts: &Conflicts, exam: usize, philox: Philox, step: u32, individual: u32) -> usize {
        let mut price = vec![0_u64; self.periods];
        for (other, _) in conflicts.of(exam) {
            if self.place[other] != UNPLACED {
                price[usize::from(self.place[other])] += 1 + self.removals[other];
            }
        }
        let cheapest = (0..self.periods)
            .min_by_key(|&period| (price[period], philox.words(1 + period as u32, step, individual, PURPOSE)[0]))
            .unwrap_or(0);
        self.force(conflicts, exam, cheapest)
    }

    /// Puts an exam into a period, throws out what clashes and counts that as its removals; returns how many.
    pub(super) fn force(&mut self, conflicts: &Conflicts, exam: usize, period: usize) -> usize {
        let thrown: Vec<usize> = conflicts
            .of(exam)
            .map(|(other, _)| other)
            .filter(|&other| usize::from(self.place[other]) == period)
            .collect();
        for &other in &thrown {
            self.take(conflicts, other);
        }
        self.removals[exam] += thrown.len() as u64;
        self.put(conflicts, exam, period);
        thrown.len()
    }

    /// Removals of the exams that an exam would throw out of a period, and how many these are.
    pub(super) fn price(&self, conflicts: &Conflicts, exam: usize, period: usize) -> (u64, usize) {
        let thrown = conflicts.of(exam).filter(|&(other, _)| usize::from(self.place[other]) == period);
        thrown.fold((0, 0), |(removals, count), (other, _)| (removals + self.removals[other], count + 1))
    }

    /// Places an exam where it clashes with nothing.
    pub(super) fn put(&mut self, conflicts: &Conflicts, exam: usize, period: usize) {
        self.place[exam] = period as u16;
        self.open -= 1;
        for (other, _) in conflicts.of(exam) {
            let cell = &mut self.clashes[other * self.periods + period];
            *cell += 1;
            self.free[other] -= u32::from(*cell == 1);
        }
    }

    fn take(&mut self, conflicts: &Conflicts, exam: usize) {
        let period = usize::from(std::mem::replace(&mut self.place[exam], UNPLACED));
        self.open += 1;
        for (other, _) in conflicts.of(exam) {
            let cell = &mut self.clashes[other * self.periods + period];
            *cell -= 1;
            self.free[other] += u32::from(*cell == 0);
        }
    }
}
