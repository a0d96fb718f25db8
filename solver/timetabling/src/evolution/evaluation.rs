//! Cost of chromosomes on the CPU: the published evaluators, greedy descent, and the causes of a cost.

use rayon::prelude::*;

use super::{Evaluator, Tables, restricted};
use crate::timetable::{WINDOW, WINDOW_PAD as PAD, WINDOW_WEIGHTS};

/// Evaluates chromosomes: `costs[i]` = cost of `genes[i · exams..(i + 1) · exams]`. The full-matrix evaluators need
/// [`Tables::matrix`].
pub fn evaluate(tables: &Tables, evaluator: Evaluator, genes: &[u8], costs: &mut [u32], threads: &rayon::ThreadPool) {
    threads.install(|| {
        costs.par_iter_mut().zip(genes.par_chunks(tables.exams)).for_each(|(cost, chromosome)| {
            let pairs = pulp::Arch::new().dispatch(Evaluation { tables, chromosome, evaluator });
            *cost = match &tables.restrictions {
                None => pairs,
                Some(restrictions) => restricted::total(tables, restrictions, chromosome, pairs),
            };
        });
    });
}

/// Improves one chromosome by greedy steepest descent: each exam in turn moves to its cheapest period (ties: lowest), the
/// others fixed. Every exam moves at most once.
pub fn descend(tables: &Tables, chromosome: &mut [u8]) {
    match &tables.restrictions {
        None => pulp::Arch::new().dispatch(Descent { tables, chromosome }),
        Some(restrictions) => restricted::descend(tables, restrictions, chromosome),
    }
}

/// Cost of one chromosome by its causes; cost = M · (clashes + missing seats) + P · broken + proximity + price.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CostParts {
    /// Students with two exams in one period, counted once for each pair of exams.
    pub clashes: u64,
    /// Rules that are broken.
    pub broken: u64,
    /// Students beyond the seats of their period.
    pub missing_seats: u64,
    /// Cost of exams that are close to each other, Σ c_ij · W(|t_i − t_j|) over pairs in different periods.
    pub proximity: u64,
    /// Price of exams that were moved away from the reference timetable.
    pub price: u64,
}

impl CostParts {
    /// Splits the cost of a chromosome.
    pub fn of(tables: &Tables, chromosome: &[u8]) -> Self {
        let mut parts = tables.restrictions.as_ref().map_or_else(Self::default, |restrictions| {
            let restricted::Breaches { price, broken, missing_seats } = restricted::breaches(restrictions, chromosome);
            Self { price, broken, missing_seats, ..Self::default() }
        });
        for exam in 0..tables.exams {
            for &(other, shared) in tables.later(exam) {
                match chromosome[exam].abs_diff(chromosome[usize::from(other)]) {
                    0 => parts.clashes += u64::from(shared),
                    distance => {
                        parts.proximity += u64::from(shared) * u64::from(tables.weights[usize::from(distance)]);
                    }
                }
            }
        }
        parts
    }

    /// The cost as the search minimises it, which saturates at 32 bits.
    pub fn total(&self, tables: &Tables) -> u32 {
        let hard = (self.clashes + self.missing_seats) * u64::from(tables.weights[0]) + self.broken * tables.penalty;
        (hard + self.proximity + self.price).min(u64::from(u32::MAX)) as u32
    }

    /// Returns `true` if nothing is violated, so that the timetable can be used.
    pub fn is_feasible(&self) -> bool {
        self.violations() == 0
    }

    /// Students with two exams in one period and students without a seat, plus broken rules.
    pub fn violations(&self) -> u64 {
        self.clashes + self.missing_seats + self.broken
    }
}

/// Greedy steepest descent of one chromosome: each exam in turn moves to its cheapest period (ties: lowest), the others
/// fixed.
///
/// With s(t) = Σ_{j in t} c_ej, accumulated in one pass over the neighbours, period t costs M·s(t) + Σ_{d = 1…5}
/// w(d)·(s(t−d) + s(t+d)).
struct Descent<'a> {
    tables: &'a Tables,
    chromosome: &'a mut [u8],
}

impl pulp::NullaryFnOnce for Descent<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Descent { tables, chromosome } = self;
        let clash = tables.weights[0];
        let mut students = [0_u32; 256 + PAD + WINDOW];
        let used = tables.periods + WINDOW;
        for exam in 0..tables.exams {
            students[..used].fill(0);
            for &(other, shared) in tables.of(exam) {
                students[PAD + usize::from(chromosome[usize::from(other)])] += shared;
            }
            let (mut cheapest, mut lowest) = (0, u32::MAX);
            for period in 0..tables.periods {
                let window = &students[period..period + WINDOW];
                let mut cost = clash * window[PAD];
                for lane in 0..WINDOW {
                    cost += window[lane] * WINDOW_WEIGHTS[lane] as u32;
                }
                if cost < lowest {
                    (cheapest, lowest) = (period, cost);
                }
            }
            chromosome[exam] = cheapest as u8;
        }
    }
}

/// Evaluation of one chromosome, Σ_{i<j} c_ij · W(|t_i − t_j|), by the chosen evaluator.
struct Evaluation<'a> {
    tables: &'a Tables,
    chromosome: &'a [u8],
    evaluator: Evaluator,
}

impl pulp::NullaryFnOnce for Evaluation<'_> {
    type Output = u32;

    #[inline(always)]
    fn call(self) -> u32 {
        let Evaluation { tables, chromosome, evaluator } = self;
        let exams = tables.exams;
        let weight = |a: u8, b: u8| u64::from(tables.weights[usize::from(a.abs_diff(b))]);
        let full_row = |exam: usize| -> u64 {
            let row = &tables.matrix[exam * exams..(exam + 1) * exams];
            let cell = |(&shared, &gene): (&u32, &u8)| u64::from(shared) * weight(chromosome[exam], gene);
            row.iter().zip(chromosome).map(cell).sum()
        };
        let sparse = |exam: usize, neighbours: &[(u16, u32)]| -> u64 {
            let pair = |&(other, shared): &(u16, u32)| {
                u64::from(shared) * weight(chromosome[exam], chromosome[usize::from(other)])
            };
            neighbours.iter().map(pair).sum()
        };
        let sum = match evaluator {
            Evaluator::FullByChromosome => {
                let mut sum = 0;
                for exam in 0..exams {
                    sum += full_row(exam);
                }
                sum / 2
            }
            Evaluator::FullByExam => {
                let mut partial: Vec<u64> = (0..exams).map(full_row).collect();
                // Add by halves, as the block reduction of the kernel does.
                while partial.len() > 1 {
                    let half = partial.len().div_ceil(2);
                    for lane in 0..partial.len() - half {
                        partial[lane] += partial[half + lane];
                    }
                    partial.truncate(half);
                }
                partial.first().copied().unwrap_or(0) / 2
            }
            Evaluator::Sparse => (0..exams).map(|exam| sparse(exam, tables.of(exam))).sum::<u64>() / 2,
            Evaluator::HalfSparse => (0..exams).map(|exam| sparse(exam, tables.later(exam))).sum(),
        };
        sum as u32
    }
}
