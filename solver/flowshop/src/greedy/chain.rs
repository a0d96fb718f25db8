//! One chain of iterated greedy and its step (see [`super`]).

use super::population::ChainState;
use crate::draws::Draws;
use crate::insertion::{FlowShopProblem, Tables};
use crate::neighbourhood::setups::{SetupLanes, SetupNeighbourhood};
use crate::neighbourhood::{MakespanNeighbourhood, SIDE_BY_SIDE};
use gridwright_core::random::Philox;
use gridwright_core::search::cooling::AcceptanceTable;
use gridwright_core::search::{ChainTrace, Control};

/// Purposes of the random words; see [`Philox::words`].
const REMOVED: u32 = 0x40;
const ROUND: u32 = 0x41;
const ACCEPTED: u32 = 0x42;

/// Data shared by all chains of a run.
#[derive(Debug, Clone)]
pub(crate) struct ChainContext {
    /// Instance and objective.
    pub problem: FlowShopProblem,
    pub philox: Philox,
    /// Jobs removed per step; fewer than n.
    pub removed: usize,
    /// Temperature in 1/256 of a cost unit.
    pub temperature: u32,
    /// True if the order without the removed jobs is improved, too.
    pub partial: bool,
    /// Thresholds of the acceptance criterion.
    pub acceptance: AcceptanceTable,
    /// Pauses and cancels the run between parts of a step.
    pub control: Control,
    /// Tables that evaluate sixteen removed jobs at once where there are set-ups; `None` if jobs are evaluated one by one there.
    pub set_up: Option<SetupLanes>,
}

/// State of a chain.
#[derive(Debug, Clone)]
pub(crate) struct Chain {
    individual: u32,
    /// Current order.
    pub order: Vec<u16>,
    /// Search cost of `order`.
    pub cost: u64,
    /// Best order so far.
    pub best: Vec<u16>,
    /// Search cost of `best`.
    pub best_cost: u64,
    /// Insertion positions evaluated so far.
    pub evaluations: u64,
    /// Improvements since the traces of all chains were merged.
    pub trace: ChainTrace,
    tables: Tables,
    neighbourhood: Option<MakespanNeighbourhood>,
    set_up: Option<Box<SetupNeighbourhood>>,
    /// Position of each job in `trial`.
    places: Vec<usize>,
    trial: Vec<u16>,
    out: Vec<u16>,
    round: Vec<u16>,
}

impl Chain {
    /// Chain number `individual`, starting from an order with search cost `cost`.
    pub(crate) fn new(problem: &FlowShopProblem, individual: u32, order: &[u16], cost: u64) -> Self {
        Self {
            individual,
            order: order.to_vec(),
            cost,
            best: order.to_vec(),
            best_cost: cost,
            evaluations: 0,
            trace: ChainTrace::default(),
            tables: Tables::new(problem),
            neighbourhood: MakespanNeighbourhood::new(problem),
            set_up: None,
            places: vec![0; order.len()],
            trial: Vec::with_capacity(order.len()),
            out: Vec::new(),
            round: Vec::with_capacity(order.len()),
        }
    }

    /// Chain number `individual`, continuing from a saved state.
    pub(crate) fn resume(problem: &FlowShopProblem, individual: u32, state: &ChainState) -> Self {
        let mut chain = Self::new(problem, individual, &state.order, state.cost);
        // The best order of all chains is kept by the host; `best` is read only after it has improved.
        (chain.best_cost, chain.evaluations) = (state.best_cost, state.evaluations);
        chain
    }

    /// Performs step number `step` (steps 1 to 5 of [`super`]); returns `false` if it was cancelled before its end.
    #[inline(always)]
    pub(crate) fn step(&mut self, rules: &ChainContext, step: u64) -> bool {
        let problem = &rules.problem;
        let mut drawn = Draws::new(rules.philox, step, self.individual, REMOVED);
        let mut rounds = Draws::new(rules.philox, step, self.individual, ROUND);
        if problem.rules().is_some() {
            self.trial = problem.movable(&self.order);
        } else {
            self.trial.clone_from(&self.order);
        }
        self.out.clear();
        let frozen = problem.frozen().len();
        for _ in 0..rules.removed.min(self.trial.len().saturating_sub(frozen)) {
            let position = frozen + drawn.below(self.trial.len() - frozen);
            self.out.push(self.trial.remove(position));
        }
        if rules.partial && !self.trial.is_empty() {
            let cost = if problem.rules().is_some() {
                problem.cost(&problem.whole(self.trial.clone()))
            } else {
                problem.cost(&self.trial)
            };
            self.improve(rules, cost, &mut rounds);
        }
        // A single job is never removed.
        let mut cost = if self.out.is_empty() { self.cost } else { 0 };
        for number in 0..self.out.len() {
            let place = self.tables.insert(problem, &self.trial, self.out[number]);
            self.evaluations += self.trial.len() as u64 + 1;
            self.trial.insert(place.position, self.out[number]);
            cost = place.cost;
        }
        let cost = self.improve(rules, cost, &mut rounds);
        if rules.control.is_over() {
            return false;
        }
        if problem.rules().is_some() {
            self.trial = problem.whole(std::mem::take(&mut self.trial));
        }
        let word = Draws::new(rules.philox, step, self.individual, ACCEPTED).word();
        let worse = cost.saturating_sub(self.cost);
        if i64::try_from(worse).is_ok_and(|worse| worse <= rules.acceptance.limit(rules.temperature, word)) {
            std::mem::swap(&mut self.order, &mut self.trial);
            self.cost = cost;
            if cost < self.best_cost {
                self.best_cost = cost;
                self.best.clone_from(&self.order);
            }
        }
        true
    }

    /// Local search on `trial` until a round improves nothing: every job in random order moves to its best position if
    /// that costs less. Returns the final cost, or any cost if the run is cancelled.
    #[inline(always)]
    fn improve(&mut self, rules: &ChainContext, mut cost: u64, draws: &mut Draws) -> u64 {
        let problem = &rules.problem;
        loop {
            self.round.clear();
            self.round.extend_from_slice(self.trial.get(problem.frozen().len()..).unwrap_or_default());
            match &rules.set_up {
                None => draws.shuffle(&mut self.round),
                Some(_) => shuffle_blocks(&mut self.round, problem.jobs(), draws),
            }
            let before = cost;
            let mut number = 0;
            while number < self.round.len() {
                if rules.control.is_interrupted() {
                    return cost;
                }
                number += self.look_ahead(rules, number, cost);
                let Some(&job) = self.round.get(number) else { break };
                number += 1;
                let Some(position) = self.trial.iter().position(|&other| other == job) else { continue };
                self.trial.remove(position);
                let place = self.tables.insert_below(problem, &self.trial, job, cost);
                self.evaluations += self.trial.len() as u64 + 1;
                if place.cost < cost {
                    self.trial.insert(place.position, job);
                    cost = place.cost;
                } else {
                    self.trial.insert(position, job);
                }
            }
            if cost >= before {
                return cost;
            }
        }
    }

    /// Number of consecutive jobs of the round, from `number` on, that have no better position, as far as the
    /// lane-parallel test shows, and any number if the run is interrupted. 0 if the objective has none.
    #[inline(always)]
    fn look_ahead(&mut self, rules: &ChainContext, number: usize, cost: u64) -> usize {
        let problem = &rules.problem;
        if let Some(tables) = &rules.set_up {
            return self.look_ahead_set_up(rules, tables, number, cost);
        }
        let Some(neighbourhood) = &mut self.neighbourhood else { return 0 };
        let mut skipped = 0;
        for (place, &job) in self.trial.iter().enumerate() {
            self.places[usize::from(job)] = place;
        }
        for jobs in self.round[number..].chunks(SIDE_BY_SIDE) {
            let mut positions = [0; SIDE_BY_SIDE];
            for (position, &job) in positions.iter_mut().zip(jobs) {
                *position = self.places[usize::from(job)];
            }
            let best = neighbourhood.best(problem, &self.trial, &positions[..jobs.len()]);
            let worse = best[..jobs.len()].iter().take_while(|&&best| u64::from(best) >= cost).count();
            skipped += worse;
            self.evaluations += (worse * self.trial.len()) as u64;
            if worse < jobs.len() || rules.control.is_over() {
                break;
            }
        }
        skipped
    }

    /// Implements [`Self::look_ahead`] for a round in which the jobs of a block follow each other ([`shuffle_blocks`]).
    #[inline(always)]
    fn look_ahead_set_up(&mut self, rules: &ChainContext, tables: &SetupLanes, number: usize, cost: u64) -> usize {
        let neighbourhood = self.set_up.get_or_insert_with(|| Box::new(SetupNeighbourhood::new(tables)));
        for (place, &job) in self.trial.iter().enumerate() {
            self.places[usize::from(job)] = place;
        }
        let mut skipped = 0;
        let is_of_one_block = |a: &u16, b: &u16| usize::from(*a) / SIDE_BY_SIDE == usize::from(*b) / SIDE_BY_SIDE;
        for jobs in self.round[number..].chunk_by(is_of_one_block) {
            let mut positions = [self.places[usize::from(jobs[0])]; SIDE_BY_SIDE];
            for &job in jobs {
                positions[usize::from(job) % SIDE_BY_SIDE] = self.places[usize::from(job)];
            }
            let best = neighbourhood.best(tables, &self.trial, usize::from(jobs[0]) / SIDE_BY_SIDE, positions);
            let is_worse = |job: &&u16| u64::from(best[usize::from(**job) % SIDE_BY_SIDE]) >= cost;
            let worse = jobs.iter().take_while(is_worse).count();
            skipped += worse;
            self.evaluations += (worse * self.trial.len()) as u64;
            if worse < jobs.len() || rules.control.is_over() {
                break;
            }
        }
        skipped
    }
}

/// Orders the jobs of a round by blocks of [`SIDE_BY_SIDE`] consecutive indices: the blocks at random, and the jobs of each from a random
/// one on.
fn shuffle_blocks(round: &mut [u16], jobs: usize, draws: &mut Draws) {
    let mut blocks: Vec<u16> = (0..jobs.div_ceil(SIDE_BY_SIDE) as u16).collect();
    draws.shuffle(&mut blocks);
    let mut ranks = vec![(0, 0); blocks.len()];
    for (rank, &block) in blocks.iter().enumerate() {
        ranks[usize::from(block)] = (rank, draws.below(SIDE_BY_SIDE));
    }
    round.sort_unstable_by_key(|&job| {
        let (block, lane) = (usize::from(job) / SIDE_BY_SIDE, usize::from(job) % SIDE_BY_SIDE);
        let (rank, first) = ranks[block];
        (rank, (lane + SIDE_BY_SIDE - first) % SIDE_BY_SIDE)
    });
}
