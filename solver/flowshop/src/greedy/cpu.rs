//! Iterated greedy on the CPU: one rayon task per chain.

use std::sync::Arc;

use rayon::prelude::*;

use super::IteratedGreedyParameters;
use super::chain::{Chain, ChainContext};
use super::population::{BestOrder, ChainState, ChainView, Gathering, GreedyInputs, begin};
use crate::{Instance, Objective, Order};
use gridwright_core::search::{ChainTrace, ChainTraces, Control, Epochs, NotedImprovement, Snapshot};
use gridwright_core::{Error, Result};

/// Iterated greedy on the CPU.
#[derive(Debug)]
pub struct CpuGreedy {
    rules: ChainContext,
    chains: Vec<Chain>,
    threads: Arc<rayon::ThreadPool>,
    gathering: Gathering,
    step: u64,
    best: BestOrder,
    improvements: ChainTraces,
}

/// Search cost as traces hold it.
#[inline(always)]
fn traced(cost: u64) -> i64 {
    i64::try_from(cost).unwrap_or(i64::MAX)
}

fn view(chain: &Chain) -> ChainView<'_> {
    ChainView {
        order: &chain.order,
        cost: chain.cost,
        best: &chain.best,
        best_cost: chain.best_cost,
        evaluations: chain.evaluations,
    }
}

impl CpuGreedy {
    /// Before the first step, with `parameters.chains` chains (at least one). All start from `start`, a permutation of
    /// all jobs, or else from the order of NEH.
    pub fn new(
        instance: &Instance, objective: Objective, parameters: &IteratedGreedyParameters, start: Option<&[u16]>,
        seed: u64, threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let (rules, order, cost) = begin(&GreedyInputs { instance, objective, parameters, start, seed });
        let chains =
            (0..parameters.chains.max(1)).map(|chain| Chain::new(&rules.problem, chain, &order, cost)).collect();
        let gathering = Gathering::every(parameters.gathering);
        Self::of(rules, chains, threads, gathering, 0, BestOrder::new(order, cost))
    }

    /// Sets the handle that pauses and cancels a step.
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.rules.control = control;
        self
    }

    /// Restarts all chains at step 0 from `order`, a permutation of all job indices whose cost is `cost`.
    pub(crate) fn restart_from(&mut self, order: &[u16], cost: u64) {
        let chains = 0..self.chains.len() as u32;
        self.chains = chains.map(|chain| Chain::new(&self.rules.problem, chain, order, cost)).collect();
        (self.step, self.best) = (0, BestOrder::new(order.to_vec(), cost));
        self.improvements.begin(vec![traced(cost)]);
    }

    /// Continues a search from the chain states and the best order after `step` steps.
    pub(crate) fn resume(
        rules: ChainContext, gathering: Gathering, states: &[ChainState], step: u64, best: BestOrder,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let chain = |(number, state)| Chain::resume(&rules.problem, number as u32, state);
        let chains = states.iter().enumerate().map(chain).collect();
        Self::of(rules, chains, threads, gathering, step, best)
    }

    fn of(
        rules: ChainContext, chains: Vec<Chain>, threads: Arc<rayon::ThreadPool>, gathering: Gathering, step: u64,
        best: BestOrder,
    ) -> Self {
        let mut search = Self { rules, chains, threads, gathering, step, best, improvements: ChainTraces::default() };
        search.improvements.begin(vec![traced(search.best.cost())]);
        search
    }

    /// Advances all chains to step number `until`, or as far as their traces have room.
    fn walk(&mut self, until: u64) -> Result<()> {
        let Self { rules, chains, threads, improvements, step, .. } = self;
        let (rules, from) = (&*rules, *step);
        let until = until.min(from + u64::from(ChainTraces::most_steps(chains.len())));
        for chain in &mut *chains {
            improvements.prepare(&mut chain.trace, 0, chain.evaluations);
        }
        let run = |chain| pulp::Arch::new().dispatch(ChainSteps { chain, rules, from, until });
        if !threads.install(|| chains.par_iter_mut().map(run).reduce(|| true, |a, b| a && b)) {
            return Err(Error::Cancelled);
        }
        let traces: Vec<&ChainTrace> = chains.iter().map(|chain| &chain.trace).collect();
        let shown = |cost: i64| rules.problem.shown(cost.unsigned_abs()) as f64;
        improvements.merge(&traces, from + 1..=until, |_, step| (step - from) as usize, shown);
        *step = until;
        Ok(())
    }

    /// Lets the worst quarter of the chains continue from the orders of the best quarter.
    fn gather(&mut self) {
        let costs: Vec<u64> = self.chains.iter().map(|chain| chain.cost).collect();
        for (from, to) in Gathering::pairs(&costs) {
            let order = self.chains[from].order.clone();
            (self.chains[to].order, self.chains[to].cost) = (order, costs[from]);
        }
    }
}

/// Consecutive steps of one chain; dispatched to the best SIMD instruction set at run time. Returns `false` if the run was
/// cancelled before their end.
struct ChainSteps<'a> {
    chain: &'a mut Chain,
    rules: &'a ChainContext,
    from: u64,
    until: u64,
}

impl pulp::NullaryFnOnce for ChainSteps<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        for step in self.from..self.until {
            if !self.chain.step(self.rules, step) {
                return false;
            }
            let Chain { trace, best_cost, evaluations, .. } = &mut *self.chain;
            trace.end_step(traced(*best_cost), *evaluations);
        }
        true
    }
}

impl Epochs for CpuGreedy {
    type Solution = Order;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let end = self.step + u64::from(steps);
        while self.step < end {
            if self.gathering.is_due(self.step) {
                self.gather();
            }
            let until = self.gathering.next(self.step).min(end);
            while self.step < until {
                self.walk(until)?;
            }
            self.best.collect(self.chains.iter().map(view));
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Order>> {
        Ok(self.best.snapshot(&self.rules.problem, self.step, self.chains.iter().map(view)))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insertion::FlowShopProblem;
    use crate::library;

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
            let (mut single, mut many) = (search("ta001", objective, 5, 1), search("ta001", objective, 5, 4));
            for _ in 0..4 {
                single.advance(6).unwrap();
                many.advance(2).unwrap();
                many.advance(4).unwrap();
                assert_eq!(single.snapshot().unwrap().digest, many.snapshot().unwrap().digest, "{objective}");
            }
            let mut other = search("ta001", objective, 6, 1);
            other.advance(24).unwrap();
            assert_ne!(single.snapshot().unwrap().digest, other.snapshot().unwrap().digest);
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
            let problem = FlowShopProblem::new(&instance, objective);
            for chain in &search.chains {
                assert_eq!(problem.cost(&chain.order), chain.cost);
                assert_eq!(problem.cost(&chain.best), chain.best_cost);
            }
            assert!(after.best_cost < before, "{objective}: {} after {before}", after.best_cost);
        }
    }

    /// Exchanges between chains do not depend on the division into epochs.
    #[test]
    fn gathering_is_a_matter_of_steps() {
        let instance = library::taillard("ta011").unwrap();
        let parameters = IteratedGreedyParameters { chains: 9, gathering: 4, temperature: 5.0, ..Default::default() };
        let search = |parameters: &IteratedGreedyParameters, epochs: &[u32]| {
            let mut search = CpuGreedy::new(&instance, Objective::Makespan, parameters, None, 3, pool(2));
            epochs.iter().for_each(|&steps| search.advance(steps).unwrap());
            let snapshot = search.snapshot().unwrap();
            (snapshot.digest, snapshot.worst)
        };
        let gathered = search(&parameters, &[13]);
        assert_eq!(search(&parameters, &[1, 3, 4, 1, 4]), gathered);
        assert_eq!(search(&parameters, &[4, 4, 4, 1]), gathered);
        let alone = IteratedGreedyParameters { gathering: 0, ..parameters.clone() };
        assert_ne!(search(&alone, &[13]).0, gathered.0);
    }

    /// Instances of one to three jobs, with more jobs to be removed than there are.
    #[test]
    fn tiny_instances_are_searched() {
        for jobs in [1, 2, 3] {
            let times = (0..jobs * 2).map(|time| time as u32 % 5 + 1).collect();
            let instance = Instance::of_times("tiny", 2, times).unwrap();
            let parameters = IteratedGreedyParameters { chains: 1, removed: 64, ..IteratedGreedyParameters::default() };
            let mut search = CpuGreedy::new(&instance, Objective::Makespan, &parameters, None, 1, pool(1));
            search.advance(5).unwrap();
            let found = search.snapshot().unwrap();
            assert_eq!(found.best.0.len(), jobs);
            let problem = FlowShopProblem::new(&instance, Objective::Makespan);
            assert_eq!(found.best_cost, problem.cost(&found.best.0) as f64, "{jobs} jobs");
        }
    }
}
