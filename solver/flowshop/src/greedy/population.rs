//! Parts of the search that all backends share: start order, best order, exchange between chains, snapshots.

use std::sync::Arc;

use super::chain::ChainContext;
use super::{IteratedGreedyParameters, Partial};
use crate::insertion::FlowShopProblem;
use crate::neh::neh;
use crate::neighbourhood::setups::SetupLanes;
use crate::{Instance, Objective, Order};
use gridwright_core::random::Philox;
use gridwright_core::search::cooling::{AcceptanceTable, TEMPERATURE_ONE};
use gridwright_core::search::{Control, Snapshot, digest_bytes, digest_words};

/// Inputs from which a search is created.
#[derive(Debug, Clone, Copy)]
pub struct GreedyInputs<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// Objective to be minimised.
    pub objective: Objective,
    /// Parameters; the number of chains is at least one.
    pub parameters: &'a IteratedGreedyParameters,
    /// Start order of all chains, a permutation of all jobs; `None` for the order of NEH.
    pub start: Option<&'a [u16]>,
    /// Seed of all random words.
    pub seed: u64,
}

/// Creates the shared data of the chains, their start order and its search cost.
pub(crate) fn begin(begin: &GreedyInputs<'_>) -> (ChainContext, Vec<u16>, u64) {
    let &GreedyInputs { instance, objective, parameters, start, seed } = begin;
    let parameters = parameters.resolved(instance, objective);
    let problem = FlowShopProblem::new(instance, objective);
    let (order, cost) = match start {
        Some(start) => (start.to_vec(), problem.cost(start)),
        None => kept(instance, &problem, neh(&problem)),
    };
    let temperature = parameters.temperature * problem.mean_time() / 10.0 * TEMPERATURE_ONE;
    let rules = ChainContext {
        philox: Philox::new(seed),
        // At least one job stays in place.
        removed: (parameters.removed as usize).min(problem.jobs().saturating_sub(1)),
        temperature: temperature.round().clamp(0.0, f64::from(u32::MAX)) as u32,
        partial: parameters.partial == Partial::On,
        acceptance: AcceptanceTable::default(),
        control: Control::new(),
        set_up: SetupLanes::new(&problem),
        problem,
    };
    (rules, order, cost)
}

/// An order as the rules want it, with its search cost.
pub(crate) fn kept(instance: &Instance, problem: &FlowShopProblem, (order, cost): (Vec<u16>, u64)) -> (Vec<u16>, u64) {
    let kept = instance.rules.repaired(instance, &order);
    let cost = if kept == order { cost } else { problem.cost(&kept) };
    (kept, cost)
}

/// Checkpoint of a chain between two steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChainState {
    /// Current order.
    pub order: Vec<u16>,
    /// Search cost of `order`.
    pub cost: u64,
    /// Search cost of the chain's best order.
    pub best_cost: u64,
    /// Insertion positions evaluated so far.
    pub evaluations: u64,
}

/// Read access to a chain of any backend.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChainView<'a> {
    /// Current order.
    pub order: &'a [u16],
    /// Search cost of `order`.
    pub cost: u64,
    /// Best order of the chain; empty if it has not been read from the device.
    pub best: &'a [u16],
    /// Search cost of `best`.
    pub best_cost: u64,
    /// Insertion positions evaluated so far.
    pub evaluations: u64,
}

/// Best order of all chains.
#[derive(Debug, Clone)]
pub(crate) struct BestOrder {
    order: Arc<Order>,
    cost: u64,
}

impl BestOrder {
    /// Start order, before the first step.
    pub(crate) fn new(order: Vec<u16>, cost: u64) -> Self {
        Self { order: Arc::new(Order(order)), cost }
    }

    /// Search cost of the best order.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Updates the best order; among equally good chains the one with the smallest number wins.
    pub(crate) fn collect<'a>(&mut self, chains: impl Iterator<Item = ChainView<'a>>) {
        if let Some(best) = chains.min_by_key(|chain| chain.best_cost)
            && best.best_cost < self.cost
        {
            *self = Self::new(best.best.to_vec(), best.best_cost);
        }
    }

    /// Snapshot for observers, with a digest over all chains.
    pub(crate) fn snapshot<'a>(
        &self, problem: &FlowShopProblem, step: u64, chains: impl Iterator<Item = ChainView<'a>>,
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

/// Schedule of the exchange between chains: before steps whose numbers are multiples of an interval, independent of
/// epochs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gathering {
    interval: u64,
}

impl Gathering {
    /// Exchange after every `steps` steps; 0: never.
    pub(crate) fn every(steps: u32) -> Self {
        Self { interval: steps.into() }
    }

    /// Returns `true` if chains exchange orders before this step.
    pub(crate) fn is_due(self, step: u64) -> bool {
        self.interval > 0 && step > 0 && step.is_multiple_of(self.interval)
    }

    /// First step after `step` before which chains exchange orders; `u64::MAX` if there is none.
    pub(crate) fn next(self, step: u64) -> u64 {
        step.checked_div(self.interval).map_or(u64::MAX, |gathered| (gathered + 1) * self.interval)
    }

    /// Pairs (source chain, target chain): the best quarter replaces the worst, the best the worst of all; ties rank by
    /// index. Targets of equal cost are left out.
    pub(crate) fn pairs(costs: &[u64]) -> Vec<(usize, usize)> {
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
