//! Construction of a first conflict-free timetable: saturation degree with ejections.
//!
//! The exam with the fewest clash-free periods is placed next (ties: larger degree, then a random word), in a random
//! free period. If it has none, it takes the period with the smallest Σ (1 + removals) over the exams in the way, and
//! ejects them; an exam's removals count the ejections that it has caused. Rules are honoured throughout: exams that
//! violate a precedence or take the needed seats are ejected likewise. With a reference timetable the construction
//! starts from that timetable and repairs it by ejection chains (`repair.rs`).
//!
//! Sources: D. Brélaz, «New methods to color the vertices of a graph», Communications of the ACM 22(4), 1979
//! (saturation degree); M. W. Carter, G. Laporte, S. Y. Lee, «Examination timetabling: algorithmic strategies and
//! applications», Journal of the Operational Research Society 47(3), 1996 (backtracking by ejection).

use gridwright_core::random::{Philox, index};

use super::model::{Model, Restrictions};
use super::timetable::weight;
use super::{Timetable, UNPLACED, repair};

/// Purpose field of the random words of the construction.
const PURPOSE: u32 = 0x10;

/// Added to the blocking count of a forbidden period: larger than any number of exams, so that the period never becomes
/// free.
const NEVER: u32 = 1 << 24;

/// Steps from one question whether the run is over to the next.
pub(super) const QUESTION: u32 = 16;

/// Constructs a timetable of the model's nodes.
///
/// Returns the first complete timetable or, after more than `ejections` ejections or once `is_over`, the one with the
/// fewest unplaced nodes. `individual` selects the random words, so that different individuals give different
/// timetables.
pub fn construct(
    model: &Model, philox: Philox, individual: u32, ejections: usize, is_over: &dyn Fn() -> bool,
) -> Timetable {
    construct_within(model, philox, individual, (ejections, repair::PATIENCE), is_over)
}

/// As [`construct`]; an ejection chain of a repair visits at most `patience` exams.
pub(super) fn construct_within(
    model: &Model, philox: Philox, individual: u32, (ejections, patience): (usize, u32), is_over: &dyn Fn() -> bool,
) -> Timetable {
    let mut state = Partial::new(model);
    let reference = model.restrictions.as_ref().and_then(|restrictions| restrictions.reference.as_ref());
    if let Some(reference) = reference {
        state.settle(reference);
    }
    let mut best = Timetable::unplaced(model.nodes());
    let mut best_open = usize::MAX;
    let mut ejected = 0;
    for step in 0_u32.. {
        let open = state.open;
        if open < best_open {
            best_open = open;
            best.periods.copy_from_slice(&state.place);
        }
        if open == 0 || ejected > ejections || (step % QUESTION == QUESTION - 1 && is_over()) {
            break;
        }
        let words = philox.words(0, step, individual, PURPOSE);
        let exam = state.most_saturated(words[0]);
        // Later attempts begin with another exam and so end otherwise.
        if reference.is_some() && repair::place(&mut state, exam, patience, is_over) {
            continue;
        }
        match state.free_period(exam, words[1]) {
            Some(period) => state.put(exam, period),
            None => ejected += state.eject_into(exam, philox, step, individual),
        }
    }
    fill(model, &mut best);
    best
}

/// Places the remaining exams greedily where a period is free: the construction may have stopped at an exam that cannot
/// be placed while others wait.
fn fill(model: &Model, timetable: &mut Timetable) {
    let mut partial = Partial::new(model);
    for (exam, &period) in timetable.periods.iter().enumerate() {
        if period != UNPLACED {
            partial.put(exam, usize::from(period));
        }
    }
    for exam in timetable.unplaced_exams() {
        if let Some(period) = partial.free_period(exam, 0) {
            partial.put(exam, period);
        }
    }
    timetable.periods = partial.place;
}

/// Partial timetable without clashes and broken rules, with incremental tables of the free periods of each exam.
#[derive(Debug)]
pub(super) struct Partial<'a> {
    model: &'a Model,
    periods: usize,
    /// Period of each exam, or [`UNPLACED`].
    pub(super) place: Vec<u16>,
    /// Blocking count of exam e in period t at e·periods + t: conflicting exams in t and precedences that t violates,
    /// plus [`NEVER`] if t is forbidden.
    clashes: Vec<u32>,
    /// Number of periods with blocking count 0 per exam; seats are not considered.
    free: Vec<u32>,
    /// Number of exams that each exam has ejected.
    pub(super) removals: Vec<u64>,
    /// Students in each period; empty without seat limits.
    load: Vec<u32>,
    /// Number of unplaced exams that have at least one allowed period.
    pub(super) open: usize,
}

impl<'a> Partial<'a> {
    /// Creates the empty timetable.
    pub(super) fn new(model: &'a Model) -> Self {
        let (exams, periods) = (model.nodes(), model.periods);
        let mut partial = Self {
            model,
            periods,
            place: vec![UNPLACED; exams],
            clashes: vec![0; exams * periods],
            free: vec![periods as u32; exams],
            removals: vec![0; exams],
            load: Vec::new(),
            open: exams,
        };
        if let Some(restrictions) = &model.restrictions {
            partial.load = vec![0; restrictions.seats.len()];
            for (exam, allowed) in restrictions.allowed.iter().enumerate() {
                partial.free[exam] = allowed.len() as u32;
                partial.open -= usize::from(allowed.is_empty());
                for period in (0..periods).filter(|&period| !allowed.contains(period)) {
                    partial.clashes[exam * periods + period] = NEVER;
                }
            }
        }
        partial
    }

    /// Number of periods.
    pub(super) fn periods(&self) -> usize {
        self.periods
    }

    fn restrictions(&self) -> Option<&'a Restrictions> {
        self.model.restrictions.as_ref()
    }

    /// Returns `true` if the rules allow `exam` at least one period.
    pub(super) fn is_placeable(&self, exam: usize) -> bool {
        self.restrictions().is_none_or(|restrictions| !restrictions.allowed[exam].is_empty())
    }

    /// Places exams in their periods of `reference` wherever nothing is in the way: exams with a single allowed period
    /// first, then by descending degree.
    fn settle(&mut self, reference: &Timetable) {
        let mut order: Vec<usize> = (0..self.place.len()).filter(|&exam| self.is_placeable(exam)).collect();
        // Only sets of one period count: a set that others have reduced to one by now contains the reference period
        // anyway.
        let restrictions = self.restrictions();
        let only =
            |exam: usize| restrictions.map(|r| r.allowed[exam]).filter(|set| set.len() == 1).and_then(|set| set.nth(0));
        order.sort_by_key(|&exam| (only(exam).is_none(), std::cmp::Reverse(self.model.conflicts.degree(exam)), exam));
        for exam in order {
            let Some(period) = only(exam).or(reference.period_of(exam)).filter(|&period| period < self.periods) else {
                continue;
            };
            if self.clashes[exam * self.periods + period] == 0 && self.has_seats(exam, period) {
                self.put(exam, period);
            }
        }
    }

    fn has_seats(&self, exam: usize, period: usize) -> bool {
        match self.restrictions() {
            Some(restrictions) if !self.load.is_empty() => {
                self.load[period].saturating_add(restrictions.enrolment[exam]) <= restrictions.seats[period]
            }
            _ => true,
        }
    }

    /// The unplaced exam with the fewest free periods (ties: highest degree, then the first after a random start).
    fn most_saturated(&self, word: u32) -> usize {
        let exams = self.place.len();
        let start = index(word, exams as u32) as usize;
        (0..exams)
            .map(|offset| (start + offset) % exams)
            .filter(|&exam| self.place[exam] == UNPLACED && self.is_placeable(exam))
            .min_by_key(|&exam| (self.free[exam], std::cmp::Reverse(self.model.conflicts.degree(exam))))
            .unwrap_or(0)
    }

    /// A random period with blocking count 0 and enough seats; `None` if there is none.
    pub(super) fn free_period(&self, exam: usize, word: u32) -> Option<usize> {
        let row = &self.clashes[exam * self.periods..(exam + 1) * self.periods];
        let mut free = row.iter().enumerate().filter(|&(_, &clashes)| clashes == 0).map(|(period, _)| period);
        if self.load.is_empty() {
            return free.nth(index(word, self.free[exam]) as usize);
        }
        let free: Vec<usize> = free.filter(|&period| self.has_seats(exam, period)).collect();
        free.get(index(word, free.len() as u32) as usize).copied()
    }

    /// Proximity cost and price that `exam` would add in `period`, in raw cost units.
    pub(super) fn cost_at(&self, exam: usize, period: usize) -> u64 {
        let near = self.model.conflicts.of(exam).filter_map(|(other, shared)| {
            let place = Some(self.place[other]).filter(|&place| place != UNPLACED)?;
            Some(u64::from(shared) * weight(period.abs_diff(usize::from(place))))
        });
        let price = self.restrictions().map_or(0, |restrictions| restrictions.price(exam, period));
        near.sum::<u64>() + u64::from(price)
    }

    /// Returns `true` if a placed exam is in its period of the reference timetable.
    fn is_home(&self, exam: usize) -> bool {
        let reference = self.restrictions().and_then(|restrictions| restrictions.reference.as_ref());
        reference.is_some_and(|reference| reference.period_of(exam) == Some(usize::from(self.place[exam])))
    }

    /// Places an exam in the period with the cheapest ejections; returns the number of ejected exams.
    fn eject_into(&mut self, exam: usize, philox: Philox, step: u32, individual: u32) -> usize {
        let mut price = vec![0_u64; self.periods];
        if self.restrictions().is_some() {
            for (period, price) in price.iter_mut().enumerate() {
                *price = if self.may_ever(exam, period) {
                    let thrown = self.in_the_way(exam, period);
                    // Prefer to eject exams that have left their reference period already.
                    thrown.iter().map(|&other| 1 + u64::from(self.is_home(other)) + self.removals[other]).sum()
                } else {
                    u64::MAX
                };
            }
        } else {
            for (other, _) in self.model.conflicts.of(exam) {
                if self.place[other] != UNPLACED {
                    price[usize::from(self.place[other])] += 1 + self.removals[other];
                }
            }
        }
        let cheapest = (0..self.periods)
            .min_by_key(|&period| (price[period], philox.words(1 + period as u32, step, individual, PURPOSE)[0]))
            .unwrap_or(0);
        self.force(exam, cheapest)
    }

    /// Returns `true` if the rules allow `exam` in `period`.
    pub(super) fn may_ever(&self, exam: usize, period: usize) -> bool {
        self.clashes[exam * self.periods + period] < NEVER
    }

    /// Exams that have to be ejected before `exam` can be placed in `period`: conflicting ones, those that violate a
    /// precedence, and enough to make room if seats are short.
    pub(super) fn in_the_way(&self, exam: usize, period: usize) -> Vec<usize> {
        let conflicting = self.model.conflicts.of(exam).map(|(other, _)| other);
        let mut thrown: Vec<usize> = conflicting.filter(|&other| usize::from(self.place[other]) == period).collect();
        let Some(restrictions) = self.restrictions() else { return thrown };
        for precedence in &restrictions.precedences[exam] {
            let other = usize::from(precedence.other);
            let place = self.place[other];
            if place != UNPLACED && !precedence.holds(period, usize::from(place)) && !thrown.contains(&other) {
                thrown.push(other);
            }
        }
        if !self.load.is_empty() {
            let leaving: u32 = thrown
                .iter()
                .filter(|&&other| usize::from(self.place[other]) == period)
                .map(|&other| restrictions.enrolment[other])
                .sum();
            let mut load = self.load[period] - leaving + restrictions.enrolment[exam];
            if load > restrictions.seats[period] {
                let there = (0..self.place.len()).filter(|&other| usize::from(self.place[other]) == period);
                let mut there: Vec<usize> = there.filter(|other| !thrown.contains(other)).collect();
                // Fewest removals first, then the largest.
                there.sort_by_key(|&other| {
                    (self.removals[other], std::cmp::Reverse(restrictions.enrolment[other]), other)
                });
                for other in there {
                    if load <= restrictions.seats[period] {
                        break;
                    }
                    load -= restrictions.enrolment[other];
                    thrown.push(other);
                }
            }
        }
        thrown
    }

    /// Places `exam` in `period`, ejects the exams in the way and adds their number to its removals; returns that
    /// number.
    pub(super) fn force(&mut self, exam: usize, period: usize) -> usize {
        let thrown = self.in_the_way(exam, period);
        for &other in &thrown {
            self.take(other);
        }
        self.removals[exam] += thrown.len() as u64;
        self.put(exam, period);
        thrown.len()
    }

    /// Sum of the removals of the exams that placing `exam` in `period` would eject, and the number of these exams.
    pub(super) fn price(&self, exam: usize, period: usize) -> (u64, usize) {
        let thrown = self.in_the_way(exam, period);
        (thrown.iter().map(|&other| self.removals[other]).sum(), thrown.len())
    }

    /// Places an unplaced exam in a free period.
    pub(super) fn put(&mut self, exam: usize, period: usize) {
        self.place[exam] = period as u16;
        self.open -= 1;
        self.change(exam, period, true);
    }

    /// Removes a placed exam from its period.
    pub(super) fn take(&mut self, exam: usize) {
        let period = usize::from(std::mem::replace(&mut self.place[exam], UNPLACED));
        self.open += 1;
        self.change(exam, period, false);
    }

    /// Updates blocking counts and loads after `exam` was placed in (`placed`) or removed from `period`.
    fn change(&mut self, exam: usize, period: usize, placed: bool) {
        let model = self.model;
        for (other, _) in model.conflicts.of(exam) {
            self.block(other, period, placed);
        }
        let Some(restrictions) = &model.restrictions else { return };
        for precedence in &restrictions.precedences[exam] {
            for barred in (0..self.periods).filter(|&barred| !precedence.holds(period, barred)) {
                self.block(usize::from(precedence.other), barred, placed);
            }
        }
        if let Some(load) = self.load.get_mut(period) {
            *load = if placed { *load + restrictions.enrolment[exam] } else { *load - restrictions.enrolment[exam] };
        }
    }

    fn block(&mut self, exam: usize, period: usize, more: bool) {
        let cell = &mut self.clashes[exam * self.periods + period];
        if more {
            *cell += 1;
            self.free[exam] -= u32::from(*cell == 1);
        } else {
            *cell -= 1;
            self.free[exam] += u32::from(*cell == 0);
        }
    }
}
