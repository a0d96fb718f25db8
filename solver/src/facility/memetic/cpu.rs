//! Legs of annealing on the CPU: a task per individual.

use std::sync::Arc;

use rayon::prelude::*;

use super::search::{Prepared, Walk};
use super::{MemeticParameters, STEP};
use crate::Result;
use crate::facility::evaluation::{Places, Problem, Score};
use crate::facility::moves::Move;
use crate::facility::population::{Walkers, purposes};
use crate::random::Philox;
use crate::search::cooling::AcceptanceTable;

/// Below this share of feasible layouts violations get dearer, above the other cheaper.
const FEASIBLE: (u32, u32) = (STEP * 2 / 5, STEP * 3 / 5);

/// Bounds of what a unit of violation costs, as fractions of the mean cost of random layouts.
pub const WEIGHTS: (f64, f64) = (1e-3, 1.0);

/// By how much it gets dearer; cheaper by the reciprocal as 64-bit numbers have it.
pub const DEARER: f64 = 1.1;
/// By how much it gets cheaper.
pub const CHEAPER: f64 = 1.0 / DEARER;

/// What a step needs to know beside the individual.
pub struct Rules {
    /// The problem for both orientations.
    pub problems: Arc<[Problem]>,
    /// The orientation of each island.
    pub islands: Vec<usize>,
    /// Individuals of an island.
    pub individuals: usize,
    /// Random words.
    pub philox: Philox,
    /// −ln u.
    pub acceptance: AcceptanceTable,
    /// Mean cost of random layouts.
    pub unit: f64,
}

/// Legs of annealing on the CPU.
pub struct CpuWalk {
    rules: Rules,
    walkers: Walkers,
    threads: Arc<rayon::ThreadPool>,
}

impl CpuWalk {
    /// Before anybody sets out.
    pub fn new(
        prepared: &Prepared,
        parameters: &MemeticParameters,
        islands: Vec<usize>,
        seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let (problems, unit) = (Arc::clone(&prepared.0), prepared.1);
        let rules = Rules {
            problems,
            islands,
            individuals: parameters.individuals as usize,
            philox: Philox::new(seed),
            acceptance: AcceptanceTable::default(),
            unit,
        };
        Self { rules, walkers: Walkers::default(), threads }
    }
}

impl Walk for CpuWalk {
    fn set_out(&mut self, walkers: &Walkers) -> Result<()> {
        self.walkers.clone_from(walkers);
        Ok(())
    }

    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()> {
        let Self { rules, walkers, threads } = self;
        let n = rules.problems[0].len();
        if n < 2 {
            return Ok(());
        }
        let Walkers { genes, scores, best_genes, best, weights } = walkers;
        let individuals = genes.par_chunks_exact_mut(n).zip(best_genes.par_chunks_exact_mut(n));
        let states = scores.par_iter_mut().zip(best).zip(weights);
        threads.install(|| {
            individuals.zip(states).enumerate().for_each(|(number, ((genes, best_genes), ((score, best), weight)))| {
                let walker = Walker { number, genes, score, best_genes, best, weight };
                pulp::Arch::new().dispatch(Leg { rules, walker, first_step, temperatures });
            });
        });
        Ok(())
    }

    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()> {
        walkers.clone_from(&self.walkers);
        Ok(())
    }
}

/// One individual.
struct Walker<'a> {
    number: usize,
    genes: &'a mut [u16],
    score: &'a mut Score,
    best_genes: &'a mut [u16],
    best: &'a mut Score,
    weight: &'a mut f64,
}

/// The steps of one individual, compiled for the vector unit that is there.
struct Leg<'a> {
    rules: &'a Rules,
    walker: Walker<'a>,
    first_step: u64,
    temperatures: &'a [f64],
}

impl pulp::NullaryFnOnce for Leg<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rules, mut walker, first_step, temperatures } = self;
        let problem = &rules.problems[rules.islands[walker.number / rules.individuals]];
        let mut places = problem.places();
        let mut changed = vec![0; walker.genes.len()];
        for (more, &temperature) in temperatures.iter().enumerate() {
            let step = (first_step + more as u64) as u32;
            walker.step(rules, problem, step, temperature, &mut places, &mut changed);
        }
    }
}

/// Proposals whose random words are computed side by side.
const SIDE: usize = 8;

impl Walker<'_> {
    /// [`STEP`] proposals.
    #[inline(always)]
    fn step(
        &mut self,
        rules: &Rules,
        problem: &Problem,
        step: u32,
        temperature: f64,
        places: &mut Places,
        changed: &mut [u16],
    ) {
        let mut feasible = 0;
        let weight = *self.weight;
        let mut worth = self.score.cost + weight * self.score.violation;
        for first in (0..STEP).step_by(SIDE) {
            let words = rules.philox.draws::<SIDE>(first, step, self.number as u32, purposes::PROPOSAL);
            for side in 0..SIDE {
                let change = Move::drawn([words[0][side], words[1][side], words[2][side]], self.genes.len());
                change.apply(self.genes, changed);
                let score = problem.evaluate(changed, places);
                let limit =
                    temperature * f64::from(rules.acceptance.levels()[(words[3][side] >> 22) as usize]) / 4096.0;
                let changed_worth = score.cost + weight * score.violation;
                if changed_worth - worth <= limit {
                    self.genes.copy_from_slice(changed);
                    *self.score = score;
                    worth = changed_worth;
                    if score.is_better(self.best) {
                        *self.best = score;
                        self.best_genes.copy_from_slice(changed);
                    }
                }
                feasible += u32::from(self.score.is_feasible());
            }
        }
        let (few, many) = FEASIBLE;
        if feasible < few {
            *self.weight = (weight * DEARER).min(WEIGHTS.1 * rules.unit);
        } else if feasible > many {
            *self.weight = (weight * CHEAPER).max(WEIGHTS.0 * rules.unit);
        }
    }
}
