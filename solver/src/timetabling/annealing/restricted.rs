//! Rules as the moves of annealing ask for them: may these exams swap places, and what does it cost.

use crate::timetabling::model::{Order, PeriodSet, Restrictions};

/// The rules of one component, exams numbered from 0.
#[derive(Debug)]
pub struct Rules {
    periods: usize,
    allowed: Vec<PeriodSet>,
    orders: Vec<Vec<Order>>,
    different: Vec<Vec<u16>>,
    enrolment: Vec<u32>,
    /// Empty where seats do not matter.
    seats: Vec<u32>,
    /// By exam and period; empty where nothing has a price.
    prices: Vec<u32>,
}

impl Rules {
    /// The rules of `exams`; `local` gives every exam its number among them.
    pub fn new(restrictions: &Restrictions, exams: &[usize], local: &[u16], periods: usize) -> Self {
        let number = |other: u16| local[usize::from(other)];
        let orders = |exam: usize| {
            let orders = restrictions.orders[exam].iter();
            orders.map(|order| Order { other: number(order.other), ..*order }).collect()
        };
        let prices = |exam: usize| (0..periods).map(move |period| restrictions.price(exam, period));
        Self {
            periods,
            allowed: exams.iter().map(|&exam| restrictions.allowed[exam]).collect(),
            orders: exams.iter().map(|&exam| orders(exam)).collect(),
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

    /// Students of every period; empty where seats do not matter.
    pub fn load(&self, place: &[u16]) -> Vec<u32> {
        let mut load = vec![0; self.seats.len()];
        for (exam, &period) in place.iter().enumerate() {
            if let Some(load) = load.get_mut(usize::from(period)) {
                *load += self.enrolment[exam];
            }
        }
        load
    }

    /// Prices of all exams where they stand.
    pub fn prices_of(&self, place: &[u16]) -> i64 {
        place.iter().enumerate().map(|(exam, &period)| self.price(exam, usize::from(period))).sum()
    }

    #[inline(always)]
    fn price(&self, exam: usize, period: usize) -> i64 {
        if self.prices.is_empty() { 0 } else { i64::from(self.prices[exam * self.periods + period]) }
    }

    /// Whether an exam must be elsewhere than another with which it shares no student.
    #[inline(always)]
    pub fn is_different(&self, exam: usize) -> bool {
        !self.different[exam].is_empty()
    }

    /// Whether one exam must be earlier than the other.
    #[inline(always)]
    pub fn is_ordered(&self, exam: usize, other: usize) -> bool {
        self.orders[exam].iter().any(|order| usize::from(order.other) == other)
    }

    /// Change of price if one exam moved, or `None` where a rule forbids it.
    #[inline(always)]
    pub fn shift(&self, place: &[u16], load: &[u32], exam: usize, to: usize) -> Option<i64> {
        if !self.allowed[exam].contains(to)
            || (!load.is_empty() && load[to] + self.enrolment[exam] > self.seats[to])
            || self.different[exam].iter().any(|&other| usize::from(place[usize::from(other)]) == to)
            || self.orders[exam].iter().any(|order| !order.holds(to, usize::from(place[usize::from(order.other)])))
        {
            return None;
        }
        Some(self.price(exam, to) - self.price(exam, usize::from(place[exam])))
    }

    /// Change of prices if the exams of `chain` swapped the two periods, or `None` where a rule forbids it.
    ///
    /// `inside` has one bit per exam that is in the chain. Exams that must be in different periods are connected by
    /// the chain itself.
    pub fn swap(
        &self,
        place: &[u16],
        load: &[u32],
        (a, b): (usize, usize),
        chain: &[u16],
        inside: &[u64],
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
            let orders = &self.orders[exam];
            if !self.allowed[exam].contains(there)
                || orders.iter().any(|order| !order.holds(there, after(usize::from(order.other))))
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

    /// An exam goes from one period to another.
    #[inline(always)]
    pub fn transfer(&self, load: &mut [u32], exam: usize, from: usize, to: usize) {
        if !load.is_empty() {
            load[from] -= self.enrolment[exam];
            load[to] += self.enrolment[exam];
        }
    }
}
