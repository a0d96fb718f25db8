//! What chains have in common, whatever computes them: how they begin, the best of all, gathering, digests.

use std::sync::Arc;

use super::chain::Rules;
use super::{IteratedGreedyParameters, Partial};
use crate::flowshop::insertion::Problem;
use crate::flowshop::neh::neh;
use crate::flowshop::{Instance, Objective, Order};
use crate::random::Philox;
use crate::search::cooling::{AcceptanceTable, TEMPERATURE_ONE};
use crate::search::{Snapshot, digest_bytes, digest_words};

/// What a search begins with.
#[derive(Debug, Clone, Copy)]
pub struct Begin<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// What is to be minimised.
    pub objective: Objective,
    /// What a person has chosen; the number of chains is at least one.
    pub parameters: &'a IteratedGreedyParameters,
    /// An order of all jobs, with which all chains begin; `None`: the order of NEH.
    pub start: Option<&'a [u16]>,
    /// The seed of all random words.
    pub seed: u64,
}

/// What all chains know, the order that they begin with, and what it costs.
pub fn begin(begin: &Begin<'_>) -> (Rules, Vec<u16>, u64) {
    let &Begin { instance, objective, parameters, start, seed } = begin;
    let parameters = parameters.resolved(instance, objective);
    let problem = Problem::new(instance, objective);
    let (order, cost) = match start {
        Some(start) => (start.to_vec(), problem.cost(start)),
        None => neh(&problem),
    };
    let temperature = parameters.temperature * problem.mean_time() / 10.0 * TEMPERATURE_ONE;
    let rules = Rules {
        philox: Philox::new(seed),
        // Where all were taken out, nothing would be left of what was found.
        removed: (parameters.removed as usize).min(problem.jobs().saturating_sub(1)),
        temperature: temperature.round().clamp(0.0, f64::from(u32::MAX)) as u32,
        partial: parameters.partial == Partial::On,
        acceptance: AcceptanceTable::default(),
        problem,
    };
    (rules, order, cost)
}

/// Where a chain stands between two steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainState {
    /// The present order and its cost.
    pub order: Vec<u16>,
    /// What the search minimises.
    pub cost: u64,
    /// The cost of the best order so far.
    pub best_cost: u64,
    /// Positions whose cost was computed.
    pub evaluations: u64,
}

/// A chain as others see it.
#[derive(Debug, Clone, Copy)]
pub struct ChainView<'a> {
    /// The present order and its cost.
    pub order: &'a [u16],
    /// What the search minimises.
    pub cost: u64,
    /// The best order so far, as far as it is better than the best of all.
    pub best: &'a [u16],
    /// Its cost.
    pub best_cost: u64,
    /// Positions whose cost was computed.
    pub evaluations: u64,
}

/// The best order of all chains.
#[derive(Debug, Clone)]
pub struct Best {
    order: Arc<Order>,
    cost: u64,
}

impl Best {
    /// Before the first step.
    pub fn new(order: Vec<u16>, cost: u64) -> Self {
        Self { order: Arc::new(Order(order)), cost }
    }

    /// Its cost.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Takes note of the chains: the first of equally good ones, whichever was found first.
    pub fn collect<'a>(&mut self, chains: impl Iterator<Item = ChainView<'a>>) {
        if let Some(best) = chains.min_by_key(|chain| chain.best_cost)
            && best.best_cost < self.cost
        {
            *self = Self::new(best.best.to_vec(), best.best_cost);
        }
    }

    /// Where a search stands.
    pub fn snapshot<'a>(
        &self,
        problem: &Problem,
        step: u64,
        chains: impl Iterator<Item = ChainView<'a>>,
    ) -> Snapshot<Order> {
        let shown = |cost: u64| problem.shown(cost) as f64;
        let mut digest = digest_bytes(step, &self.cost.to_le_bytes());
        let (mut count, mut sum, mut worst, mut evaluations) = (0_u32, 0.0, 0.0_f64, 0);
        for chain in chains {
            digest = digest_words(digest ^ chain.cost, chain.order);
            let cost = shown(chain.cost);
            (count, sum, worst, evaluations) =
                (count + 1, sum + cost, worst.max(cost), evaluations + chain.evaluations);
        }
        Snapshot {
            step,
            evaluations,
            best: Arc::clone(&self.order),
            best_cost: shown(self.cost),
            mean: sum / f64::from(count.max(1)),
            worst,
            digest,
            share: None,
        }
    }
}

/// When chains are gathered: before the steps whose numbers are multiples, so that epochs do not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gathering {
    interval: u64,
}

impl Gathering {
    /// After every so many steps; 0: never.
    pub fn every(steps: u32) -> Self {
        Self { interval: steps.into() }
    }

    /// Whether chains are gathered before this step.
    pub fn is_due(self, step: u64) -> bool {
        self.interval > 0 && step > 0 && step.is_multiple_of(self.interval)
    }

    /// The first step after this one before which they are.
    pub fn next(self, step: u64) -> u64 {
        step.checked_div(self.interval).map_or(u64::MAX, |gathered| (gathered + 1) * self.interval)
    }

    /// Which chain hands its order to which: the best quarter to the worst, the best to the worst; of equal ones the first is the better. Those
    /// that cost the same stay.
    pub fn pairs(costs: &[u64]) -> Vec<(usize, usize)> {
        let mut ranked: Vec<usize> = (0..costs.len()).collect();
        ranked.sort_by_key(|&chain| (costs[chain], chain));
        let (best, worst) = (ranked.iter(), ranked.iter().rev());
        let pairs = best.zip(worst).take(costs.len() / 4).map(|(&from, &to)| (from, to));
        pairs.filter(|&(from, to)| costs[from] < costs[to]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_quarter_goes_on_from_the_best() {
        assert_eq!(Gathering::pairs(&[5, 1, 9, 2, 7, 1, 8, 3]), [(1, 2), (5, 6)]);
        assert_eq!(Gathering::pairs(&[4, 4, 4, 4]), []);
        assert_eq!(Gathering::pairs(&[4, 3, 2]), []);
    }

    #[test]
    fn gathering_is_due_at_multiples() {
        let every = Gathering::every(3);
        assert_eq!([0, 1, 2, 3, 4, 6].map(|step| every.is_due(step)), [false, false, false, true, false, true]);
        assert_eq!([0, 2, 3, 4].map(|step| every.next(step)), [3, 3, 6, 6]);
        assert_eq!((Gathering::every(0).next(7), Gathering::every(0).is_due(0)), (u64::MAX, false));
    }
}
