//! Annealing of slicing trees as an epoch-wise search.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::chain::{Chain, Climate, Context};
use super::evaluation::Slices;
use super::{STEP, SlicingParameters, tree};
use crate::evaluation::Score;
use crate::islands::BestLayout;
use crate::memetic::{self, Brief, Cycles, WalkerImprovement};
use crate::{Building, Instance, Layout, Rules};
use gridwright_core::random::Philox;
use gridwright_core::search::cooling::AcceptanceTable;
use gridwright_core::search::{
    Construction, Control, Epochs, ImprovementLog, NotedImprovement, Snapshot, digest_bytes, digest_words,
};
use gridwright_core::{Error, Result};

/// Weight of violations at the begin and at the end of a cycle, as fractions of the mean cost of random layouts.
const WEIGHTS: (f64, f64) = (0.01, 0.21);

/// Chains of slicing trees.
pub(crate) struct Slicing {
    instance: Instance,
    context: Context,
    chains: Vec<Chain>,
    parameters: SlicingParameters,
    cycles: Cycles,
    /// Cycles begun so far.
    cycle: u32,
    /// Mean cost of random layouts.
    unit: f64,
    /// Best tree so far with its score.
    best: (Vec<u16>, Score),
    /// Layouts evaluated before the first step.
    before: u64,
    improvements: ImprovementLog,
    /// Best score of which the driver knows.
    noted: Score,
    threads: Arc<rayon::ThreadPool>,
}

/// The instance without obstacles and locks, which bays do not know.
fn open(instance: &Instance) -> Instance {
    let rules = Rules { apart: instance.rules.apart.clone(), ..Rules::default() };
    Instance { rules, building: Building::default(), ..instance.clone() }
}

/// Mean cost of random layouts with bays.
pub(crate) fn unit(instance: &Instance, seed: u64) -> f64 {
    memetic::prepared(&open(instance), seed).1
}

impl Slicing {
    /// Starts the search; `parameters` must be resolved, and [`super::check`] must have accepted the instance. `start` is the
    /// layout that half of the chains begin with; without one a short search for bays finds it.
    ///
    /// # Errors
    /// [`Error::Usage`] if the rectangles of `start` cannot be cut from wall to wall; a failure of the short search.
    pub fn new(
        instance: &Instance, parameters: &SlicingParameters, start: Option<&Layout>, cycles: impl FnOnce() -> Cycles,
        seed: u64, threads: Arc<rayon::ThreadPool>, construction: &Construction,
    ) -> Result<Self> {
        let open = open(instance);
        let (layout, before, unit) = match start {
            Some(start) => (start.clone(), 0, memetic::prepared(&open, seed).1),
            None => {
                let Brief { layout, evaluations, unit, .. } =
                    memetic::brief(&open, parameters.before, None, seed, &threads, construction)?;
                (layout, evaluations, unit)
            }
        };
        let slices = Slices::new(instance);
        let kept = slices.site.as_ref().map_or(&[][..], |site| &site.kept[..]);
        let tokens = tree::of_layout(&layout, kept).ok_or_else(|| {
            let what =
                "the rectangles of the layout to begin with cannot be cut from wall to wall; begin with another layout";
            Error::Usage(what.to_owned())
        })?;
        let (philox, acceptance, control) = (Philox::new(seed), AcceptanceTable::default(), Control::new());
        let context = Context { slices, philox, acceptance, control };
        let best = Chain::new(&context, 0, tokens);
        let mut search = Self {
            instance: instance.clone(),
            context,
            chains: Vec::new(),
            parameters: parameters.clone(),
            // The clock of the cycles starts when the first of them does.
            cycles: cycles(),
            cycle: 0,
            unit,
            best: (best.best_tokens, best.best),
            before,
            improvements: ImprovementLog::default(),
            noted: Score::WORST,
            threads,
        };
        search.begin_cycle();
        search.take_best();
        search.note(WalkerImprovement { step: 0, score: search.best.1, at: Instant::now() });
        Ok(search)
    }

    /// Sets the handle that pauses and interrupts a step.
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.context.control = control;
        self
    }

    /// Starts a cycle: even chains at random trees, the others at the best one.
    fn begin_cycle(&mut self) {
        let (philox, cycle) = (self.context.philox, self.cycle);
        let tokens = |chain: u32| match chain % 2 {
            0 => tree::random(philox, cycle, chain, self.context.slices.departments()),
            _ => self.best.0.clone(),
        };
        let chains = (0..self.parameters.chains).map(|chain| Chain::new(&self.context, chain, tokens(chain)));
        self.chains = chains.collect();
        self.cycle += 1;
    }

    /// Updates the best tree; ties keep the earlier one.
    fn take_best(&mut self) {
        for chain in &self.chains {
            if chain.best.is_better(&self.best.1) {
                self.best = (chain.best_tokens.clone(), chain.best);
            }
        }
    }

    fn note(&mut self, WalkerImprovement { step, score, at }: WalkerImprovement) {
        self.noted = score;
        let (evaluations, cost) = (self.evaluations(step), score.told(self.unit));
        self.improvements.push(NotedImprovement { step, evaluations, cost, at, exact: true });
    }

    /// Notes the improvements of the chains in the order of the steps.
    fn note_improvements(&mut self) {
        let mut all: Vec<WalkerImprovement> =
            self.chains.iter_mut().flat_map(|chain| std::mem::take(&mut chain.improvements)).collect();
        all.sort_by_key(|improvement| (improvement.step, improvement.at));
        for of_step in all.chunk_by(|one, other| one.step == other.step) {
            let best = of_step
                .iter()
                .copied()
                .reduce(|one, other| if other.score.is_better(&one.score) { other } else { one });
            if let Some(best) = best.filter(|best| best.score.is_better(&self.noted)) {
                self.note(best);
            }
        }
    }

    /// Score of the best tree.
    pub(super) fn best_score(&self) -> &Score {
        &self.best.1
    }

    /// Number of layouts evaluated so far.
    pub(super) fn evaluations_done(&self) -> u64 {
        self.evaluations(self.cycles.done())
    }

    /// Number of layouts evaluated up to a step.
    fn evaluations(&self, step: u64) -> u64 {
        self.before + step * u64::from(STEP) * self.chains.len() as u64
    }

    /// Climates of the next steps of this cycle, for the chains that began at random trees and for the others.
    fn climates(&self, steps: u64) -> [Vec<Climate>; 2] {
        let shares = self.cycles.shares(steps);
        let SlicingParameters { hot, warm, cold, .. } = self.parameters;
        [hot, warm].map(|first| {
            let climate = |share: &f64| Climate {
                temperature: self.unit * first / 1e3 * libm::pow(cold / first, *share),
                weight: self.unit * (WEIGHTS.0 + (WEIGHTS.1 - WEIGHTS.0) * share),
            };
            shares.iter().map(climate).collect()
        })
    }
}

impl Epochs for Slicing {
    type Solution = BestLayout;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let mut left = u64::from(steps);
        while left > 0 {
            let steps = left.min(self.cycles.left());
            let (climates, first_step) = (self.climates(steps), self.cycles.done());
            // One department has one tree.
            if self.context.slices.len() > 1 {
                let (context, chains) = (&self.context, &mut self.chains);
                self.threads.install(|| {
                    chains.par_iter_mut().enumerate().for_each(|(number, chain)| {
                        chain.walk(context, first_step, &climates[number % 2]);
                    });
                });
            }
            if self.context.control.is_over() {
                return Err(Error::Cancelled);
            }
            let ends = self.cycles.advance(steps);
            self.note_improvements();
            self.take_best();
            if ends != memetic::Ends::Nothing {
                self.begin_cycle();
                self.take_best();
            }
            left -= steps;
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestLayout>> {
        let step = self.cycles.done();
        let mut digest = digest_words(step ^ self.best.1.cost.to_bits(), &self.best.0);
        for chain in &self.chains {
            digest = digest_words(digest, &chain.tree.tokens);
            digest = digest_bytes(digest, &[chain.score.cost, chain.score.violation].map(f64::to_le_bytes).concat());
        }
        let costs: Vec<f64> = self.chains.iter().map(|chain| chain.score.cost).collect();
        let best = (self.context.slices.layout(&self.instance, &self.best.0), self.best.1);
        Ok(super::snapshot([step, self.evaluations(step)], best, self.unit, &costs, digest))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }

    /// Steps of each cycle.
    fn stages(&self) -> Option<Vec<u64>> {
        Some(self.cycles.legs().to_vec())
    }
}
