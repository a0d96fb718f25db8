//! One chain of iterated greedy, and its step.

use super::population::ChainState;
use crate::flowshop::insertion::{Problem, Tables};
use crate::flowshop::neighbourhood::{Neighbourhood, SIDE_BY_SIDE};
use crate::random::{Philox, index};
use crate::search::cooling::AcceptanceTable;

/// Purposes of the random words.
const REMOVED: u32 = 0x40;
const ROUND: u32 = 0x41;
const ACCEPTED: u32 = 0x42;

/// What all chains know.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The instance.
    pub problem: Problem,
    /// Random words.
    pub philox: Philox,
    /// Jobs that a step takes out, fewer than there are.
    pub removed: usize,
    /// In 1/256 of a cost unit.
    pub temperature: u32,
    /// Whether the order without the removed jobs is improved, too.
    pub partial: bool,
    /// Limits of acceptance.
    pub acceptance: AcceptanceTable,
}

/// Where a chain stands.
#[derive(Debug, Clone)]
pub struct Chain {
    individual: u32,
    /// The present order and its cost.
    pub order: Vec<u16>,
    /// What the search minimises.
    pub cost: u64,
    /// The best order so far …
    pub best: Vec<u16>,
    /// … and its cost.
    pub best_cost: u64,
    /// Positions whose cost was computed.
    pub evaluations: u64,
    tables: Tables,
    neighbourhood: Option<Neighbourhood>,
    /// Where each job stands in the trial.
    places: Vec<usize>,
    trial: Vec<u16>,
    out: Vec<u16>,
    round: Vec<u16>,
}

/// Random words of one step of one chain, all for the same purpose: number after number.
struct Draws {
    philox: Philox,
    step: u64,
    individual: u32,
    purpose: u32,
    next: u32,
    words: [u32; 4],
}

impl Draws {
    fn new(rules: &Rules, step: u64, individual: u32, purpose: u32) -> Self {
        // Steps are numbered with 64 bits: the upper half goes into the purpose.
        let purpose = purpose | ((step >> 32) as u32) << 8;
        Self { philox: rules.philox, step, individual, purpose, next: 0, words: [0; 4] }
    }

    /// A number below `n`.
    #[inline(always)]
    fn below(&mut self, n: usize) -> usize {
        if self.next.is_multiple_of(4) {
            self.words = self.philox.words(self.next / 4, self.step as u32, self.individual, self.purpose);
        }
        self.next += 1;
        index(self.words[(self.next - 1) as usize % 4], n as u32) as usize
    }
}

impl Chain {
    /// A chain that begins with an order.
    pub fn new(problem: &Problem, individual: u32, order: &[u16], cost: u64) -> Self {
        Self {
            individual,
            order: order.to_vec(),
            cost,
            best: order.to_vec(),
            best_cost: cost,
            evaluations: 0,
            tables: Tables::new(problem),
            neighbourhood: Neighbourhood::new(problem),
            places: vec![0; order.len()],
            trial: Vec::with_capacity(order.len()),
            out: Vec::new(),
            round: Vec::with_capacity(order.len()),
        }
    }

    /// A chain that goes on from where it or another one stood.
    pub fn resume(problem: &Problem, individual: u32, state: &ChainState) -> Self {
        let mut chain = Self::new(problem, individual, &state.order, state.cost);
        // The best order is asked for only once it is another.
        (chain.best_cost, chain.evaluations) = (state.best_cost, state.evaluations);
        chain
    }

    /// One step, as in the description of the module.
    #[inline(always)]
    pub fn step(&mut self, rules: &Rules, step: u64) {
        let problem = &rules.problem;
        let mut drawn = Draws::new(rules, step, self.individual, REMOVED);
        let mut rounds = Draws::new(rules, step, self.individual, ROUND);
        self.trial.clone_from(&self.order);
        self.out.clear();
        for _ in 0..rules.removed {
            let position = drawn.below(self.trial.len());
            self.out.push(self.trial.remove(position));
        }
        if rules.partial && !self.trial.is_empty() {
            let cost = problem.cost(&self.trial);
            self.improve(problem, cost, &mut rounds);
        }
        // A job alone is not taken out.
        let mut cost = if self.out.is_empty() { self.cost } else { 0 };
        for number in 0..self.out.len() {
            let place = self.tables.insert(problem, &self.trial, self.out[number]);
            self.evaluations += self.trial.len() as u64 + 1;
            self.trial.insert(place.position, self.out[number]);
            cost = place.cost;
        }
        let cost = self.improve(problem, cost, &mut rounds);
        let word = rules.philox.words(0, step as u32, self.individual, ACCEPTED | ((step >> 32) as u32) << 8)[0];
        let worse = cost.saturating_sub(self.cost);
        if i64::try_from(worse).is_ok_and(|worse| worse <= rules.acceptance.limit(rules.temperature, word)) {
            std::mem::swap(&mut self.order, &mut self.trial);
            self.cost = cost;
            if cost < self.best_cost {
                self.best_cost = cost;
                self.best.clone_from(&self.order);
            }
        }
    }

    /// Takes every job of the trial out in random order and puts it where it costs less, if there is such a place, round
    /// by round, until a round finds nothing better; what the trial costs then.
    #[inline(always)]
    fn improve(&mut self, problem: &Problem, mut cost: u64, draws: &mut Draws) -> u64 {
        loop {
            self.round.clone_from(&self.trial);
            for last in (1..self.round.len()).rev() {
                let other = draws.below(last + 1);
                self.round.swap(last, other);
            }
            let before = cost;
            let mut number = 0;
            while number < self.round.len() {
                number += self.look_ahead(problem, number, cost);
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

    /// How many jobs of the round, from `number` on, have no better place, as far as that can be seen at once.
    #[inline(always)]
    fn look_ahead(&mut self, problem: &Problem, number: usize, cost: u64) -> usize {
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
            if worse < jobs.len() {
                break;
            }
        }
        skipped
    }
}
