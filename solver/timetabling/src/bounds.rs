//! Lower bound of the cost: the part that no timetable without violations avoids, computed without a search.
//!
//! The cost counts every pair of exams of every student, so that no timetable costs less than the cheapest places of each
//! student's exams, found as if nobody else sat any:
//!
//! ```text
//! cost ≥ Σ_s min { Σ_{t<u ∈ P} W[t][u] : P = different, allowed periods for the exams of s } + Σ_e min_t price[e][t]
//! ```
//!
//! All students would choose the same convenient periods. What a period can hold limits that: with n_t students in period t,
//! at most a_t of them ([`capacity`]), and prices λ_t ≥ 0, the bound is as well
//!
//! ```text
//! cost ≥ Σ_s min { Σ_{t<u ∈ P} W[t][u] + Σ_{t ∈ P} λ_t } − Σ_t λ_t · a_t
//! ```
//!
//! (Lagrangian relaxation of n_t ≤ a_t), which a subgradient method makes as large as it can. The minima are found by dynamic
//! programming over the periods ([`places`]). Rooms, an even load over the days and the price of moved exams count as 0.
//!
//! All sums are integers, so that the bound is the same on every machine. Tests compare with all timetables of small sessions.

mod capacity;
mod places;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Instance;
use super::model::Model;
use gridwright_core::numbers::{counted, grouped, quantity};

use self::places::{Cheapest, SCALE};

/// Highest number of reasons that are stated.
const REASONS: usize = 4;

/// Highest number of steps of the subgradient method.
const STEPS: u64 = 300;
/// Cells of the dynamic programs of all its steps together: a tenth of a second.
const CELLS: u64 = 1 << 26;
/// Number of steps without progress after which the method shortens its steps.
const PATIENCE: u32 = 8;

/// A part of the lower bound with the students or exams that force it; costs are not divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Students with equally many exams whose cheapest places cost the same.
    Students {
        /// Exams of each of them.
        exams: usize,
        /// Number of the students.
        students: u64,
        /// Lowest cost of each of them.
        each: u64,
    },
    /// A limit of the students of one period, which forces students out of their cheapest places.
    Capacity {
        /// Largest number of students whom the limit leaves to a period.
        students: u64,
        /// Cost of the further places.
        cost: u64,
    },
    /// An exam that has a price in each of its periods.
    Exam {
        /// Index of the exam.
        exam: usize,
        /// Lowest price.
        cost: u64,
    },
}

impl Reason {
    /// Cost that is forced.
    pub fn cost(&self) -> u64 {
        match *self {
            Self::Students { students, each, .. } => students * each,
            Self::Capacity { cost, .. } | Self::Exam { cost, .. } => cost,
        }
    }

    /// The reason in words, without its cost.
    fn words(&self, instance: &Instance) -> String {
        match *self {
            Self::Students { exams, students, each } => {
                let students = counted(students, "student");
                format!("{students} with {exams} exams each, at least {} for each", grouped(each))
            }
            Self::Capacity { students, .. } => {
                format!("no period can hold more than {}", counted(students, "student"))
            }
            Self::Exam { exam, .. } => format!("exam {} in any of its periods", instance.exams[exam].code),
        }
    }
}

/// Lower bound of the cost of all timetables without violations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LowerBound {
    /// The bound, not divided.
    pub raw: u64,
    /// Parts of the bound, the most expensive first; their costs add up to the bound.
    pub reasons: Vec<Reason>,
}

impl LowerBound {
    /// Computes the bound; 0 for a session without periods.
    pub fn of(instance: &Instance) -> Self {
        if instance.period_count() == 0 {
            return Self::default();
        }
        let model = Model::new(instance);
        let cheapest = Cheapest::of(instance, &model);
        let alone = cheapest.with_prices(&vec![0; instance.period_count()]);
        let mut reasons = students(&cheapest, &alone.members);
        reasons.extend(exams(instance, &model));
        reasons.extend(priced(instance, &cheapest, &alone));
        reasons.sort_by_key(|reason| Reverse(reason.cost()));
        Self { raw: reasons.iter().map(Reason::cost).sum(), reasons }
    }

    /// The most expensive reasons with their shares of the bound, as sentence parts; those below a
    /// thousandth are left out.
    pub fn texts(&self, instance: &Instance) -> Vec<String> {
        let share = |reason: &Reason| quantity((1_000.0 * reason.cost() as f64 / self.raw as f64).round() / 10.0);
        let text = |reason: &Reason| format!("{} ({} %)", reason.words(instance), share(reason));
        let counts = |reason: &&Reason| 1_000 * reason.cost() >= self.raw;
        self.reasons.iter().take(REASONS).filter(counts).map(text).collect()
    }
}

/// Students by the number of their exams and their lowest cost.
fn students(cheapest: &Cheapest, costs: &[i64]) -> Vec<Reason> {
    let mut classes: BTreeMap<(usize, u64), u64> = BTreeMap::new();
    for (member, &cost) in cheapest.members().zip(costs) {
        *classes.entry((member.exams, (cost / SCALE) as u64)).or_default() += member.students;
    }
    let of = |((exams, each), students)| Reason::Students { exams, students, each };
    classes.into_iter().map(of).filter(|reason| reason.cost() > 0).collect()
}

/// Exams that cost something wherever they are.
fn exams(instance: &Instance, model: &Model) -> Vec<Reason> {
    let (prices, periods) = (instance.period_prices(), instance.period_count());
    if prices.is_empty() {
        return Vec::new();
    }
    let allowed = places::allowed(instance, model);
    let least = |exam: usize| allowed[exam].iter().map(|period| prices[exam * periods + period]).min().unwrap_or(0);
    let of = |exam: usize| Reason::Exam { exam, cost: u64::from(least(exam)) };
    (0..instance.exam_count()).map(of).filter(|reason| reason.cost() > 0).collect()
}

/// Cost that the limits of the periods add to that of students who choose alone; `None` if they add nothing.
fn priced(instance: &Instance, cheapest: &Cheapest, alone: &places::Places) -> Option<Reason> {
    let limits = capacity::limits(instance, &alone.loads)?;
    let (mut best, mut best_prices, mut at) = (alone.value, vec![0; limits.len()], alone.clone());
    let mut length = (cheapest.highest_cost() * SCALE) as f64;
    let (mut prices, mut waiting) = (best_prices.clone(), 0);
    for _ in 0..STEPS.min(CELLS / cheapest.cells().max(1)) {
        let excess: Vec<f64> = at.loads.iter().zip(&limits).map(|(&load, &limit)| (load - limit) as f64).collect();
        let norm = excess.iter().map(|excess| excess * excess).sum::<f64>().sqrt();
        if norm == 0.0 || length < 1.0 {
            break;
        }
        let step = |(price, excess): (&i64, &f64)| (*price as f64 + length * excess / norm).max(0.0) as i64;
        prices = prices.iter().zip(&excess).map(step).collect();
        at = cheapest.with_prices(&prices);
        let value = at.value - prices.iter().zip(&limits).map(|(price, limit)| price * limit).sum::<i64>();
        waiting += 1;
        if value > best {
            (best, best_prices, waiting) = (value, prices.clone(), 0);
        } else if waiting > PATIENCE {
            (length, prices, waiting) = (length * 0.6, best_prices.clone(), 0);
        }
    }
    let cost = ((best - alone.value + SCALE - 1) / SCALE) as u64;
    let students = limits.iter().copied().max().unwrap_or(0) as u64;
    (cost > 0).then_some(Reason::Capacity { students, cost })
}
