//! Rules of one component in the form that the moves of annealing query: feasibility and change of prices.

use crate::model::{PeriodSet, Precedence, Restrictions};

/// Rules of one component, exams renumbered from 0.
#[derive(Debug)]
pub(crate) struct ComponentRules {
    periods: usize,
    allowed: Vec<PeriodSet>,
    precedences: Vec<Vec<Precedence>>,
    different: Vec<Vec<u16>>,
    enrolment: Vec<u32>,
    /// Seats of each period; empty without seat limits.
    seats: Vec<u32>,
    /// Prices at exam · periods + period; empty without a reference timetable.
    prices: Vec<u32>,
}

impl ComponentRules {
    /// Extracts the rules of `exams`; `local[e]` is the number of exam e among them.
    pub(super) fn new(restrictions: &Restrictions, exams: &[usize], local: &[u16], periods: usize) -> Self {
        let number = |other: u16| local[usize::from(other)];
        let precedences = |exam: usize| {
            let precedences = restrictions.precedences[exam].iter();
            precedences.map(|precedence| Precedence { other: number(precedence.other), ..*precedence }).collect()
        };
        let prices = |exam: usize| (0..periods).map(move |period| restrictions.price(exam, period));
        Self {
            periods,
            allowed: exams.iter().map(|&exam| restrictions.allowed[exam]).collect(),
            precedences: exams.iter().map(|&exam| precedences(exam)).collect(),
            different: exams
                .iter()
                .map(|&exam| restrictions.different[exam].iter().map(|&other| number(other)).collect())
                .collect(),
            enrolment: exams.iter().map(|&exam| restrictions.enrolment[exam]).collect(),
            seats: restrictions.seats.clone(),
            prices: if restrictions.prices.is_empty() {
                Vec::new()
            } else {
                exams.iter().flat_map(|&exam| prices(exam)).collect()
            },
        }
    }

    /// Students in each period of the timetable `place`; empty without seat limits.
    pub(super) fn load(&self, place: &[u16]) -> Vec<u32> {
        let mut load = vec![0; self.seats.len()];
        for (exam, &period) in place.iter().enumerate() {
            if let Some(load) = load.get_mut(usize::from(period)) {
                *load += self.enrolment[exam];
            }
        }
        load
    }

    /// Returns `true` if periods have prices.
    pub(crate) fn has_prices(&self) -> bool {
        !self.prices.is_empty()
    }

    /// Sum of the prices of the timetable `place`.
    pub(crate) fn prices_of(&self, place: &[u16]) -> i64 {
        place.iter().enumerate().map(|(exam, &period)| self.price(exam, usize::from(period))).sum()
    }

    #[inline(always)]
    fn price(&self, exam: usize, period: usize) -> i64 {
        if self.prices.is_empty() { 0 } else { i64::from(self.prices[exam * self.periods + period]) }
    }

    /// Returns `true` if a rule forbids `exam` the period of another exam with which it shares no student.
    #[inline(always)]
    pub(crate) fn is_different(&self, exam: usize) -> bool {
        !self.different[exam].is_empty()
    }

    /// Exams that have to precede `exam` or to follow it.
    #[inline(always)]
    pub(crate) fn ordered_with(&self, exam: usize) -> impl Iterator<Item = usize> {
        self.precedences[exam].iter().map(|precedence| usize::from(precedence.other))
    }

    /// Change of price if `exam` moved to period `to`; `None` if a rule forbids it. `place[e]` is the period of exam e,
    /// `load[p]` the number of students in period p, empty without seats.
    #[inline(always)]
    pub(super) fn shift(&self, place: &[u16], load: &[u32], exam: usize, to: usize) -> Option<i64> {
        if !self.allowed[exam].contains(to)
            || (!load.is_empty() && load[to] + self.enrolment[exam] > self.seats[to])
            || self.different[exam].iter().any(|&other| usize::from(place[usize::from(other)]) == to)
            || self.precedences[exam]
                .iter()
                .any(|precedence| !precedence.holds(to, usize::from(place[usize::from(precedence.other)])))
        {
            return None;
        }
        Some(self.price(exam, to) - self.price(exam, usize::from(place[exam])))
    }

    /// Change of prices if the exams of `chain` swapped the periods `a` and `b`; `None` if a rule forbids it. `place`
    /// and `load` are as in [`Self::shift`].
    ///
    /// `inside` is the bit set of the chain. Exams that must be in different periods need no check, because such pairs
    /// are edges of the conflict graph and so in the same chain.
    pub(super) fn swap(
        &self, place: &[u16], load: &[u32], (a, b): (usize, usize), chain: &[u16], inside: &[u64],
    ) -> Option<i64> {
        let after = |exam: usize| {
            let here = usize::from(place[exam]);
            let moves = inside[exam / 64] >> (exam % 64) & 1 == 1;
            if !moves {
                here
            } else if here == a {
                b
            } else {
                a
            }
        };
        let mut price = 0;
        let (mut to_a, mut to_b) = (0, 0);
        for &exam in chain {
            let exam = usize::from(exam);
            let there = after(exam);
            let precedences = &self.precedences[exam];
            if !self.allowed[exam].contains(there)
                || precedences.iter().any(|precedence| !precedence.holds(there, after(usize::from(precedence.other))))
            {
                return None;
            }
            if there == a {
                to_a += self.enrolment[exam]
            } else {
                to_b += self.enrolment[exam]
            }
            price += self.price(exam, there) - self.price(exam, usize::from(place[exam]));
        }
        if !load.is_empty() && (load[a] + to_a - to_b > self.seats[a] || load[b] + to_b - to_a > self.seats[b]) {
            return None;
        }
        Some(price)
    }

    /// Updates `load` for a move of `exam`.
    #[inline(always)]
    pub(super) fn transfer(&self, load: &mut [u32], exam: usize, from: usize, to: usize) {
        if !load.is_empty() {
            load[from] -= self.enrolment[exam];
            load[to] += self.enrolment[exam];
        }
    }
}
