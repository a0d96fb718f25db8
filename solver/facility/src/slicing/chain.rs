//! Annealing of one slicing tree.

use std::time::Instant;

use super::STEP;
use super::evaluation::{Slices, Tree};
use super::moves::propose;
use crate::evaluation::{Places, Score};
use crate::memetic::WalkerImprovement;
use crate::population::purposes;
use gridwright_core::random::Philox;
use gridwright_core::search::Control;
use gridwright_core::search::cooling::AcceptanceTable;

/// Data that all chains share.
pub(super) struct Context {
    /// The instance.
    pub(crate) slices: Slices,
    /// Source of random words.
    pub philox: Philox,
    /// Table of −ln u.
    pub acceptance: AcceptanceTable,
    /// Pauses and interrupts a step.
    pub control: Control,
}

/// Temperature of a step and cost of one unit of violation, both in units of cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Climate {
    pub temperature: f64,
    pub weight: f64,
}

/// Tree under annealing.
pub(super) struct Chain {
    /// Number of the chain, from 0.
    number: u32,
    /// The tree.
    pub tree: Tree,
    /// Score of the tree.
    pub score: Score,
    /// Tokens of the best tree of this cycle.
    pub(crate) best_tokens: Vec<u16>,
    /// Score of the best tree of this cycle.
    pub best: Score,
    /// Improvements since they were taken.
    pub improvements: Vec<WalkerImprovement>,
    proposed: Tree,
    places: Places,
}

impl Chain {
    /// Chain at a tree.
    pub(super) fn new(context: &Context, number: u32, tokens: Vec<u16>) -> Self {
        let (mut tree, mut places) = (Tree::of(tokens), context.slices.places());
        let score = context.slices.evaluate(&mut tree, &mut places);
        let (best_tokens, proposed) = (tree.tokens.clone(), tree.clone());
        Self { number, tree, score, best_tokens, best: score, improvements: Vec::new(), proposed, places }
    }

    /// Anneals one step for each climate. The steps are incomplete if the run is interrupted.
    pub(super) fn walk(&mut self, context: &Context, first_step: u64, climates: &[Climate]) {
        pulp::Arch::new().dispatch(Walk { chain: self, context, first_step, climates });
    }
}

/// Steps of one chain, compiled for the vector unit of the processor.
struct Walk<'a> {
    chain: &'a mut Chain,
    context: &'a Context,
    first_step: u64,
    climates: &'a [Climate],
}

impl pulp::NullaryFnOnce for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { chain, context, first_step, climates } = self;
        for (step, climate) in (first_step..).zip(climates) {
            if context.control.is_interrupted() {
                return;
            }
            let before = chain.best;
            chain.step(context, step as u32, *climate);
            if chain.best.is_better(&before) {
                chain.improvements.push(WalkerImprovement { step: step + 1, score: chain.best, at: Instant::now() });
            }
        }
    }
}

/// Number of proposals whose random words are computed together.
const SIDE: usize = 8;

impl Chain {
    #[inline(always)]
    fn step(&mut self, context: &Context, step: u32, Climate { temperature, weight }: Climate) {
        let has_modes = context.slices.site.is_some();
        let mut worth = self.score.cost + weight * self.score.violation;
        for first in (0..STEP).step_by(SIDE) {
            let words = context.philox.draws::<SIDE>(first, step, self.number, purposes::CUTS);
            for side in 0..SIDE {
                let words = [words[0][side], words[1][side], words[2][side], words[3][side]];
                if !propose(&self.tree, words, has_modes, &mut self.proposed.tokens) {
                    continue;
                }
                let score = context.slices.evaluate(&mut self.proposed, &mut self.places);
                let level = context.acceptance.levels()[(words[3] >> 22) as usize];
                let limit = temperature * f64::from(level) / 4096.0;
                let proposed_worth = score.cost + weight * score.violation;
                if proposed_worth - worth <= limit {
                    std::mem::swap(&mut self.tree, &mut self.proposed);
                    (self.score, worth) = (score, proposed_worth);
                    if score.is_better(&self.best) {
                        self.best = score;
                        self.best_tokens.copy_from_slice(&self.tree.tokens);
                    }
                }
            }
        }
    }
}
