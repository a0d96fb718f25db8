//! CPU backend of the memetic algorithm: one rayon task per individual.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::search::{AnnealingBackend, Prepared, WalkerImprovement};
use super::{MANY, MemeticParameters, STEP};
use crate::evaluation::{Places, Problem, Score};
use crate::moves::Move;
use crate::population::{Walkers, purposes};
use gridwright_core::random::Philox;
use gridwright_core::search::Control;
use gridwright_core::search::cooling::AcceptanceTable;
use gridwright_core::{Error, Result};

/// Numbers of feasible layouts per step below which the penalty weight rises and above which it falls.
const FEASIBLE: (u32, u32) = (STEP * 2 / 5, STEP * 3 / 5);

/// Bounds of the penalty weight, as fractions of the mean cost of random layouts.
pub(crate) const WEIGHTS: (f64, f64) = (1e-3, 1.0);

/// Factor by which a penalty weight rises.
pub(crate) const DEARER: f64 = 1.1;
/// Factor by which a penalty weight falls.
pub(crate) const CHEAPER: f64 = 1.0 / DEARER;

/// Data of a stage that all individuals share.
struct StageContext {
    /// Evaluation problems, vertical bays first.
    pub problems: Arc<[Problem]>,
    /// Orientation (index into `problems`) of each island.
    pub islands: Vec<usize>,
    /// Individuals per island.
    pub individuals: usize,
    /// Source of random words.
    pub(crate) philox: Philox,
    /// Table of −ln u.
    acceptance: AcceptanceTable,
    /// Mean cost of random layouts.
    pub unit: f64,
    /// Pauses and interrupts a step.
    pub control: Control,
}

/// CPU backend of the memetic algorithm.
pub struct CpuAnnealing {
    context: StageContext,
    walkers: Walkers,
    /// Improvements of each individual since they were asked for.
    improvements: Vec<Vec<WalkerImprovement>>,
    threads: Arc<rayon::ThreadPool>,
}

impl CpuAnnealing {
    /// Backend without individuals; [`AnnealingBackend::set_out`] loads them. `islands` holds the orientation of each
    /// island.
    pub fn new(
        prepared: &Prepared, parameters: &MemeticParameters, islands: Vec<usize>, seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let (problems, unit) = (Arc::clone(&prepared.0), prepared.1);
        let context = StageContext {
            problems,
            islands,
            individuals: parameters.individuals as usize,
            philox: Philox::new(seed),
            acceptance: AcceptanceTable::default(),
            unit,
            control: Control::new(),
        };
        Self { context, walkers: Walkers::default(), improvements: Vec::new(), threads }
    }

    /// Sets the handle that pauses and interrupts a step.
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.context.control = control;
        self
    }
}

impl AnnealingBackend for CpuAnnealing {
    fn set_out(&mut self, walkers: &Walkers) -> Result<()> {
        self.walkers.clone_from(walkers);
        Ok(())
    }

    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()> {
        let Self { context, walkers, improvements, threads } = self;
        let n = context.problems[0].len();
        if n < 2 {
            return Ok(());
        }
        let Walkers { genes, scores, best_genes, best, weights } = walkers;
        let individuals = genes.par_chunks_exact_mut(n).zip(best_genes.par_chunks_exact_mut(n));
        improvements.resize_with(scores.len(), Vec::new);
        let states = scores.par_iter_mut().zip(best).zip(weights).zip(improvements);
        threads.install(|| {
            individuals.zip(states).enumerate().for_each(|(number, ((genes, best_genes), state))| {
                let (((score, best), weight), improvements) = state;
                let walker = Walker { number, genes, score, best_genes, best, weight, improvements };
                pulp::Arch::new().dispatch(Stage { context, walker, first_step, temperatures });
            });
        });
        if context.control.is_over() { Err(Error::Cancelled) } else { Ok(()) }
    }

    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()> {
        walkers.clone_from(&self.walkers);
        Ok(())
    }

    fn improvements(&mut self) -> Option<Vec<WalkerImprovement>> {
        Some(self.improvements.iter_mut().flat_map(std::mem::take).collect())
    }
}

/// Individual under annealing.
struct Walker<'a> {
    number: usize,
    genes: &'a mut [u16],
    score: &'a mut Score,
    best_genes: &'a mut [u16],
    best: &'a mut Score,
    weight: &'a mut f64,
    improvements: &'a mut Vec<WalkerImprovement>,
}

/// Steps of one individual, compiled for the vector unit of the processor. They are incomplete if the run is interrupted.
struct Stage<'a> {
    context: &'a StageContext,
    walker: Walker<'a>,
    first_step: u64,
    temperatures: &'a [f64],
}

impl pulp::NullaryFnOnce for Stage<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { context, mut walker, first_step, temperatures } = self;
        let problem = &context.problems[context.islands[walker.number / context.individuals]];
        let mut places = problem.places();
        let mut changed = vec![0; walker.genes.len()];
        for (more, &temperature) in temperatures.iter().enumerate() {
            if context.control.is_interrupted() {
                return;
            }
            let (step, before) = (first_step + more as u64, *walker.best);
            walker.step(context, problem, step as u32, temperature, &mut places, &mut changed);
            if walker.best.is_better(&before) {
                walker.improvements.push(WalkerImprovement { step: step + 1, score: *walker.best, at: Instant::now() });
            }
        }
    }
}

/// Number of proposals whose random words are computed together.
const SIDE: usize = 8;

impl Walker<'_> {
    /// Anneals one step: [`STEP`] proposals at one temperature, then adapts the penalty weight.
    #[inline(always)]
    fn step(
        &mut self, context: &StageContext, problem: &Problem, step: u32, temperature: f64, places: &mut Places,
        changed: &mut [u16],
    ) {
        let mut feasible = 0;
        let weight = *self.weight;
        let mut worth = self.score.cost + weight * self.score.violation;
        for first in (0..STEP).step_by(SIDE) {
            // A step of a large plant takes tenths of a second.
            if changed.len() > MANY && context.control.is_over() {
                return;
            }
            let words = context.philox.draws::<SIDE>(first, step, self.number as u32, purposes::PROPOSAL);
            for side in 0..SIDE {
                let change = Move::drawn([words[0][side], words[1][side], words[2][side]], self.genes.len());
                change.apply(self.genes, changed);
                let score = problem.evaluate(changed, places);
                let limit =
                    temperature * f64::from(context.acceptance.levels()[(words[3][side] >> 22) as usize]) / 4096.0;
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
            *self.weight = (weight * DEARER).min(WEIGHTS.1 * context.unit);
        } else if feasible > many {
            *self.weight = (weight * CHEAPER).max(WEIGHTS.0 * context.unit);
        }
    }
}
