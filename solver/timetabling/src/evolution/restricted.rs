//! Rules in the evolutionary algorithm: violations are penalties, like clashes.
//!
//! ```text
//! cost = Σ_{i<j} c_ij · W(|t_i − t_j|) + Σ_i price(i, t_i) + P · broken + M · Σ_t max(0, students(t) − seats(t))
//! ```
//!
//! P is M times the enrolment of the largest exam, so that breaking a rule never pays. Costs saturate at 32 bits.

use super::Tables;
use crate::model::Restrictions;
use crate::timetable::{WINDOW, WINDOW_PAD as PAD, WINDOW_WEIGHTS};

/// Violations of a chromosome beyond clashes, and its price.
pub(crate) struct Breaches {
    /// Σ price(i, t_i).
    pub price: u64,
    /// Number of broken rules; a rule between two exams counts once.
    pub broken: u64,
    /// Σ_t max(0, students(t) − seats(t)).
    pub missing_seats: u64,
}

/// Counts the violations of a chromosome beyond clashes.
pub(crate) fn breaches(restrictions: &Restrictions, chromosome: &[u8]) -> Breaches {
    let mut breaches = Breaches { price: 0, broken: 0, missing_seats: 0 };
    for (exam, &gene) in chromosome.iter().enumerate() {
        let period = usize::from(gene);
        breaches.price += u64::from(restrictions.price(exam, period));
        // Each pair is counted at the exam with the smaller number.
        let later = |other: u16| usize::from(other) > exam;
        let different = restrictions.different[exam].iter();
        let precedences = restrictions.precedences[exam].iter().filter(|precedence| later(precedence.other));
        breaches.broken += u64::from(!restrictions.allowed[exam].contains(period))
            + different.filter(|&&other| later(other) && chromosome[usize::from(other)] == gene).count() as u64
            + precedences.filter(|precedence| !precedence.holds(period, place(chromosome, precedence.other))).count()
                as u64;
    }
    for (students, &seats) in load(restrictions, chromosome).iter().zip(&restrictions.seats) {
        breaches.missing_seats += u64::from(students.saturating_sub(seats));
    }
    breaches
}

/// Total cost of a chromosome whose clashes and proximity cost `pairs`.
pub(super) fn total(tables: &Tables, restrictions: &Restrictions, chromosome: &[u8], pairs: u32) -> u32 {
    let Breaches { price, broken, missing_seats } = breaches(restrictions, chromosome);
    let hard = broken * tables.penalty + missing_seats * u64::from(tables.weights[0]);
    (u64::from(pairs) + price + hard).min(u64::from(u32::MAX)) as u32
}

/// Greedy steepest descent under rules: each exam in turn moves to its cheapest period (ties: lowest), the others
/// fixed.
pub(super) fn descend(tables: &Tables, restrictions: &Restrictions, chromosome: &mut [u8]) {
    let mut load = load(restrictions, chromosome);
    let mut students = [0_u64; 256 + PAD + WINDOW];
    let mut broken = [0_u64; 256];
    let clash = u64::from(tables.weights[0]);
    for exam in 0..tables.exams {
        students[..tables.periods + WINDOW].fill(0);
        broken[..tables.periods].fill(0);
        for &(other, shared) in tables.of(exam) {
            students[PAD + place(chromosome, other)] += u64::from(shared);
        }
        for &other in &restrictions.different[exam] {
            broken[place(chromosome, other)] += 1;
        }
        let enrolment = restrictions.enrolment[exam];
        if let Some(here) = load.get_mut(usize::from(chromosome[exam])) {
            *here -= enrolment;
        }
        let (mut cheapest, mut lowest) = (0, u64::MAX);
        for period in 0..tables.periods {
            let window = &students[period..period + WINDOW];
            let near: u64 = window.iter().zip(WINDOW_WEIGHTS).map(|(&cell, weight)| cell * weight as u64).sum();
            let precedences = restrictions.precedences[exam].iter();
            let misplaced = precedences
                .filter(|precedence| !precedence.holds(period, place(chromosome, precedence.other)))
                .count() as u64;
            let count = broken[period] + misplaced + u64::from(!restrictions.allowed[exam].contains(period));
            let crowd = load.get(period).map_or(0, |&load| {
                let excess = |load: u32| u64::from(load.saturating_sub(restrictions.seats[period]));
                excess(load + enrolment) - excess(load)
            });
            let cost = near
                + clash * (window[PAD] + crowd)
                + tables.penalty * count
                + u64::from(restrictions.price(exam, period));
            if cost < lowest {
                (cheapest, lowest) = (period, cost);
            }
        }
        chromosome[exam] = cheapest as u8;
        if let Some(here) = load.get_mut(cheapest) {
            *here += enrolment;
        }
    }
}

fn place(chromosome: &[u8], exam: u16) -> usize {
    usize::from(chromosome[usize::from(exam)])
}

/// Students in each period; empty without seat limits.
fn load(restrictions: &Restrictions, chromosome: &[u8]) -> Vec<u32> {
    let mut load = vec![0; restrictions.seats.len()];
    for (exam, &gene) in chromosome.iter().enumerate() {
        if let Some(load) = load.get_mut(usize::from(gene)) {
            *load += restrictions.enrolment[exam];
        }
    }
    load
}
