//! Iterated greedy on the CPU: a task per chain.

use std::sync::Arc;

use rayon::prelude::*;

use super::IteratedGreedyParameters;
use super::chain::{Chain, Rules};
use crate::Result;
use crate::flowshop::insertion::Problem;
use crate::flowshop::neh::neh;
use crate::flowshop::{Instance, Objective, Order};
use crate::random::Philox;
use crate::search::cooling::{AcceptanceTable, TEMPERATURE_ONE};
use crate::search::{Epochs, Snapshot, digest_bytes, digest_words};

/// Iterated greedy on the CPU.
#[derive(Debug)]
pub struct CpuGreedy {
    rules: Rules,
    chains: Vec<Chain>,
    threads: Arc<rayon::ThreadPool>,
    step: u64,
    best: Arc<Order>,
    best_cost: u64,
}

impl CpuGreedy {
    /// Before the first step; `parameters.chains` is the number of chains, at least one. All begin with `start`, an order of
    /// all jobs, or with the order of NEH.
    pub fn new(
        instance: &Instance,
        objective: Objective,
        parameters: &IteratedGreedyParameters,
        start: Option<&[u16]>,
        seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let problem = Problem::new(instance, objective);
        let (order, cost) = match start {
            Some(start) => (start.to_vec(), problem.cost(start)),
            None => neh(&problem),
        };
        let chains = (0..parameters.chains.max(1)).map(|chain| Chain::new(&problem, chain, &order, cost)).collect();
        let temperature = parameters.temperature * problem.mean_time() / 10.0 * TEMPERATURE_ONE;
        let rules = Rules {
            philox: Philox::new(seed),
            // Where all were taken out, nothing would be left of what was found.
            removed: (parameters.removed as usize).min(problem.jobs().saturating_sub(1)),
            temperature: temperature.round().clamp(0.0, f64::from(u32::MAX)) as u32,
            partial: parameters.partial,
            acceptance: AcceptanceTable::default(),
            problem,
        };
        Self { rules, chains, threads, step: 0, best: Arc::new(Order(order)), best_cost: cost }
    }
}

/// The steps of one chain, compiled for the vector unit that is there.
struct Walk<'a> {
    chain: &'a mut Chain,
    rules: &'a Rules,
    from: u64,
    until: u64,
}

impl pulp::NullaryFnOnce for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for step in self.from..self.until {
            self.chain.step(self.rules, step);
        }
    }
}

impl Epochs for CpuGreedy {
    type Solution = Order;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let (from, until) = (self.step, self.step + u64::from(steps));
        let Self { rules, chains, threads, .. } = self;
        threads.install(|| {
            chains.par_iter_mut().for_each(|chain| pulp::Arch::new().dispatch(Walk { chain, rules, from, until }));
        });
        self.step = until;
        // The first of equally good ones, whichever was found first.
        if let Some(best) = self.chains.iter().min_by_key(|chain| chain.best_cost)
            && best.best_cost < self.best_cost
        {
            self.best_cost = best.best_cost;
            self.best = Arc::new(Order(best.best.clone()));
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Order>> {
        let shown = |cost: u64| self.rules.problem.shown(cost) as f64;
        let costs = || self.chains.iter().map(|chain| shown(chain.cost));
        let mut digest = digest_bytes(self.step, &self.best_cost.to_le_bytes());
        for chain in &self.chains {
            digest = digest_words(digest ^ chain.cost, &chain.order);
        }
        Ok(Snapshot {
            step: self.step,
            evaluations: self.chains.iter().map(|chain| chain.evaluations).sum(),
            best: Arc::clone(&self.best),
            best_cost: shown(self.best_cost),
            mean: costs().sum::<f64>() / self.chains.len() as f64,
            worst: costs().fold(0.0, f64::max),
            digest,
            share: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowshop::library;

    fn pool(threads: usize) -> Arc<rayon::ThreadPool> {
        Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
    }

    fn search(name: &str, objective: Objective, seed: u64, threads: usize) -> CpuGreedy {
        let instance = library::taillard(name).unwrap();
        let parameters = IteratedGreedyParameters { chains: 3, ..IteratedGreedyParameters::default() };
        CpuGreedy::new(&instance, objective, &parameters, None, seed, pool(threads))
    }

    #[test]
    fn any_number_of_threads_and_any_epoch_gives_the_same_path() {
        for objective in Objective::ALL {
            let (mut one, mut many) = (search("ta001", objective, 5, 1), search("ta001", objective, 5, 4));
            for _ in 0..4 {
                one.advance(6).unwrap();
                many.advance(2).unwrap();
                many.advance(4).unwrap();
                assert_eq!(one.snapshot().unwrap().digest, many.snapshot().unwrap().digest, "{objective}");
            }
            let mut other = search("ta001", objective, 6, 1);
            other.advance(24).unwrap();
            assert_ne!(one.snapshot().unwrap().digest, other.snapshot().unwrap().digest);
        }
    }

    #[test]
    fn costs_are_kept_and_get_better() {
        let instance = library::taillard("ta011").unwrap();
        for objective in Objective::ALL {
            let mut search = search("ta011", objective, 1, 2);
            let before = search.snapshot().unwrap().best_cost;
            search.advance(60).unwrap();
            let after = search.snapshot().unwrap();
            let problem = Problem::new(&instance, objective);
            for chain in &search.chains {
                assert_eq!(problem.cost(&chain.order), chain.cost);
                assert_eq!(problem.cost(&chain.best), chain.best_cost);
            }
            assert!(after.best_cost < before, "{objective}: {} after {before}", after.best_cost);
        }
    }

    /// A job alone, two jobs, and more jobs to be removed than there are.
    #[test]
    fn tiny_instances_are_searched() {
        for jobs in [1, 2, 3] {
            let times = (0..jobs * 2).map(|time| time as u32 % 5 + 1).collect();
            let instance = Instance::of_times("tiny", 2, times).unwrap();
            let parameters = IteratedGreedyParameters { chains: 1, removed: 64, ..IteratedGreedyParameters::default() };
            let mut search = CpuGreedy::new(&instance, Objective::Makespan, &parameters, None, 1, pool(1));
            search.advance(5).unwrap();
            assert_eq!(search.snapshot().unwrap().best.0.len(), jobs);
        }
    }
}
