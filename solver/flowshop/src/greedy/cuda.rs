//! Iterated greedy on a CUDA device, with the same numbers as [`super::cpu`]: one block per chain, many steps per
//! launch.
//!
//! After every epoch the host reads all chain states. If the device is lost, the CPU continues from the last epoch, so
//! that the result does not change.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gridwright_kernels::greedy::{Chains, Cost, Layout, Record, Rules as DeviceRules, Shop, Tuning};
use gridwright_kernels::{CudaError, DeviceRuntime, Limits};

use super::IteratedGreedyParameters;
use super::chain::ChainContext;
use super::cpu::CpuGreedy;
use super::population::{BestOrder, ChainState, ChainView, Gathering, GreedyInputs, begin};
use crate::insertion::{FlowShopProblem, TARDY};
use crate::neighbourhood::is_narrow;
use crate::{Instance, Objective, Order};
use gridwright_core::backend::MemoryNeed;
use gridwright_core::search::failover::{DeviceEpochs, FailoverSearch};
use gridwright_core::search::{Control, Snapshot};
use gridwright_core::{Error, Result};

/// Launches longer than this are shortened, because a desktop GPU also draws the screen.
const LONG: Duration = Duration::from_millis(40);

/// Launches shorter than this are lengthened.
const SHORT: Duration = Duration::from_millis(15);

/// Work units of the first launch, and the limits of any launch.
const FIRST: u32 = 1 << 13;
const LEAST: u32 = 1 << 8;
const MOST: u32 = 1 << 24;

/// Automatic number of chains per multiprocessor: fewer for large instances, whose chains need more steps to converge.
const CHAINS: u32 = 2;
const CHAINS_OF_SMALL: u32 = 4;

/// Largest number of jobs of a small instance.
const SMALL: usize = 50;

/// Operations between two exchanges of the chains if the interval is automatic: some hundred exchanges a minute.
const GATHERED: u64 = 240_000_000;

/// Tables of an instance in the layout of the kernels.
struct Tables<'a> {
    problem: &'a FlowShopProblem,
    dues: Vec<u32>,
    cost: Cost,
}

impl<'a> Tables<'a> {
    fn new(problem: &'a FlowShopProblem) -> Self {
        let cost = match problem.objective {
            Objective::Makespan if problem.is_accelerated() => Cost::Makespan { narrow: is_narrow(problem) },
            Objective::Makespan => Cost::ReleasedMakespan,
            Objective::FlowTime | Objective::Tardiness => Cost::Tardiness { each: 0 },
            Objective::Tardy => Cost::Tardiness { each: TARDY },
        };
        let due = |job: usize| match problem.objective {
            // With due dates of 0 the tardiness is the sum of completion times.
            Objective::Makespan | Objective::FlowTime => 0,
            Objective::Tardiness | Objective::Tardy => problem.due(job as u16),
        };
        Self { problem, dues: (0..problem.jobs()).map(due).collect(), cost }
    }

    fn shop(&self) -> Shop<'_> {
        let Self { problem, dues, cost } = self;
        let machines = problem.machines as u32;
        Shop { machines, times: problem.times(), releases: problem.releases(), dues, cost: *cost }
    }
}

/// Sets the number of chains and the exchange interval if they are automatic.
///
/// # Errors
/// [`gridwright_core::Error::Device`] if the device cannot hold a single chain.
pub fn resolve<M: DeviceRuntime>(
    runtime: &mut M, instance: &Instance, objective: Objective, parameters: &mut IteratedGreedyParameters,
) -> Result<()> {
    if parameters.chains > 0 {
        return Ok(());
    }
    let (problem, limits) = (FlowShopProblem::new(instance, objective), runtime.limits()?);
    resolve_within(&limits, &problem, parameters)
}

/// Implements [`resolve`] for a device with these limits.
fn resolve_within(limits: &Limits, problem: &FlowShopProblem, parameters: &mut IteratedGreedyParameters) -> Result<()> {
    let tables = Tables::new(problem);
    let per_multiprocessor = if problem.jobs() <= SMALL { CHAINS_OF_SMALL } else { CHAINS };
    let wanted = per_multiprocessor * limits.multiprocessors.max(1);
    let layout = Layout::choose(limits, &tables.shop(), wanted, Tuning::default())?;
    parameters.chains = wanted.min(layout.at_once).max(1);
    if parameters.gathering == 0 {
        parameters.gathering = (GATHERED / round(problem)).clamp(10, 5_000) as u32;
    }
    Ok(())
}

/// Memory that the chains need on a device with these limits, and its free memory.
///
/// # Errors
/// [`gridwright_core::Error::Device`] if the device cannot hold a single chain.
pub fn memory_need(
    instance: &Instance, objective: Objective, parameters: &IteratedGreedyParameters, limits: &Limits,
) -> Result<MemoryNeed> {
    let (problem, mut parameters) = (FlowShopProblem::new(instance, objective), parameters.clone());
    if parameters.chains == 0 {
        resolve_within(limits, &problem, &mut parameters)?;
    }
    let tables = Tables::new(&problem);
    let (shop, chains) = (tables.shop(), parameters.chains.max(1));
    let layout = Layout::choose(limits, &shop, chains, Tuning::default())?;
    Ok(MemoryNeed { needed: Chains::bytes(&shop, &layout, chains), free: limits.free })
}

/// Approximate number of operations of a round of local search.
fn round(problem: &FlowShopProblem) -> u64 {
    let (jobs, machines) = (problem.jobs() as u64, problem.machines as u64);
    (jobs * jobs * machines * if problem.is_accelerated() { 1 } else { jobs / 16 + 1 }).max(1)
}

/// Steps of an epoch of about 50 ms.
pub fn epoch(instance: &Instance, objective: Objective, chains: u32) -> u32 {
    let round = round(&FlowShopProblem::new(instance, objective));
    // More chains than this run one after the other.
    let turns = u64::from((chains / 512).max(1));
    (GATHERED / 8 / (round * turns)).clamp(1, 4_096) as u32
}

/// Device side of the search: chains and the work per launch.
#[derive(Debug)]
struct OnDevice<M> {
    runtime: M,
    chains: Chains,
    /// Work units per launch, adapted to the launch time.
    work: u32,
}

impl<M: DeviceRuntime> OnDevice<M> {
    /// Advances all chains to step number `until`; returns their records.
    fn walk(&mut self, until: u64) -> std::result::Result<Vec<Record>, CudaError> {
        let Self { runtime, chains, work } = self;
        let at_once = chains.layout().at_once.max(1);
        let mut records = Vec::new();
        for first in (0..chains.count()).step_by(at_once as usize) {
            loop {
                let began = Instant::now();
                chains.advance(runtime, first, until, *work)?;
                runtime.wait()?;
                let took = began.elapsed();
                records = chains.read_records(runtime)?;
                let of_launch = records.iter().skip(first as usize).take(at_once as usize);
                let is_done = of_launch.clone().all(|record| record.step >= until && !record.is_under_way);
                if took > LONG {
                    *work = (*work / 2).max(LEAST);
                } else if took < SHORT && !is_done {
                    *work = (*work * 2).min(MOST);
                }
                if is_done {
                    break;
                }
            }
        }
        Ok(records)
    }
}

/// Iterated greedy on a device, with failover to the CPU.
pub(crate) type FailoverGreedy<M> = FailoverSearch<CudaGreedy<M>>;

/// Iterated greedy on a device.
#[derive(Debug)]
pub struct CudaGreedy<M: DeviceRuntime> {
    rules: ChainContext,
    gathering: Gathering,
    threads: Arc<rayon::ThreadPool>,
    device: OnDevice<M>,
    /// Chain states after the last epoch.
    states: Vec<ChainState>,
    step: u64,
    best: BestOrder,
}

impl<M: DeviceRuntime> CudaGreedy<M> {
    /// Creates the chains like [`CpuGreedy::new`]; NEH runs on the host.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Device`] if the device cannot hold or run the chains.
    pub fn new(
        begins: &GreedyInputs<'_>, threads: Arc<rayon::ThreadPool>, mut runtime: M, tuning: Tuning,
    ) -> Result<Self> {
        let &GreedyInputs { instance, objective, parameters, seed, .. } = begins;
        let problem = FlowShopProblem::new(instance, objective);
        let count = parameters.chains.max(1);
        // Refuse what the device cannot hold before NEH takes its time.
        let tables = Tables::new(&problem);
        let limits = runtime.limits()?;
        Layout::choose(&limits, &tables.shop(), count, tuning)?;
        let (rules, order, cost) = begin(begins);
        let device_rules = DeviceRules {
            seed,
            removed: rules.removed as u32,
            partial: rules.partial,
            temperature: rules.temperature,
            levels: rules.acceptance.levels(),
        };
        let chains = Chains::new(&mut runtime, &tables.shop(), &device_rules, count, tuning)?;
        let mut device = OnDevice { runtime, chains, work: FIRST };
        let states = beginning(&order, cost, count as usize);
        write(&mut device, &states, 0)?;
        Ok(Self {
            rules,
            gathering: Gathering::every(parameters.gathering),
            threads,
            device,
            states,
            step: 0,
            best: BestOrder::new(order, cost),
        })
    }

    /// Restarts all chains; see [`CpuGreedy::restart_from`].
    pub(super) fn restart_from(&mut self, order: &[u16], cost: u64) -> Result<()> {
        self.states = beginning(order, cost, self.states.len());
        (self.step, self.best) = (0, BestOrder::new(order.to_vec(), cost));
        Ok(write(&mut self.device, &self.states, 0)?)
    }

    /// Thread layout of the kernel.
    pub fn layout(&self) -> Layout {
        self.device.chains.layout()
    }
}

impl<M: DeviceRuntime> DeviceEpochs for CudaGreedy<M> {
    type Cpu = CpuGreedy;
    const UNIT: &'static str = "step";

    fn step(&self) -> u64 {
        self.step
    }

    fn advance(&mut self, steps: u32) -> Result<()> {
        let device = &mut self.device;
        let (mut states, mut best, mut step) = (self.states.clone(), self.best.clone(), self.step);
        let end = step + u64::from(steps);
        while step < end {
            if self.gathering.is_due(step) {
                let costs: Vec<u64> = states.iter().map(|state| state.cost).collect();
                let pairs = Gathering::pairs(&costs);
                for &(from, to) in &pairs {
                    let order = states[from].order.clone();
                    (states[to].order, states[to].cost) = (order, costs[from]);
                }
                if !pairs.is_empty() {
                    write(device, &states, step)?;
                }
            }
            step = self.gathering.next(step).min(end);
            let records = device.walk(step)?;
            read(device, &records, &mut states, &mut best)?;
        }
        (self.states, self.best, self.step) = (states, best, step);
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Order>> {
        let chains = self.states.iter().map(|state| view(state, &[]));
        Ok(self.best.snapshot(&self.rules.problem, self.step, chains))
    }

    fn continued(&mut self, _why: &Error, control: &Control) -> Result<(u64, CpuGreedy)> {
        let rules = ChainContext { control: control.clone(), ..self.rules.clone() };
        let (best, threads) = (self.best.clone(), Arc::clone(&self.threads));
        Ok((self.step, CpuGreedy::resume(rules, self.gathering, &self.states, self.step, best, threads)))
    }
}

fn beginning(order: &[u16], cost: u64, chains: usize) -> Vec<ChainState> {
    vec![ChainState { order: order.to_vec(), cost, best_cost: cost, evaluations: 0 }; chains]
}

/// Copies all chains to the device. Their current orders serve as best orders: the host keeps the best of all chains.
fn write<M: DeviceRuntime>(
    device: &mut OnDevice<M>, states: &[ChainState], step: u64,
) -> std::result::Result<(), CudaError> {
    let orders: Vec<u16> = states.iter().flat_map(|state| state.order.iter().copied()).collect();
    let record = |state: &ChainState| Record {
        cost: state.cost,
        best_cost: state.best_cost,
        evaluations: state.evaluations,
        step,
        is_under_way: false,
    };
    let records: Vec<Record> = states.iter().map(record).collect();
    device.chains.write(&mut device.runtime, &orders, &orders, &records)
}

/// Copies all chains back, and the best orders if one of them beats the best of all chains.
fn read<M: DeviceRuntime>(
    device: &mut OnDevice<M>, records: &[Record], states: &mut [ChainState], best: &mut BestOrder,
) -> std::result::Result<(), CudaError> {
    let OnDevice { runtime, chains, .. } = device;
    let orders = chains.read_orders(runtime)?;
    let jobs = (orders.len() / states.len().max(1)).max(1);
    for ((state, order), record) in states.iter_mut().zip(orders.chunks_exact(jobs)).zip(records) {
        state.order.copy_from_slice(order);
        (state.cost, state.best_cost, state.evaluations) = (record.cost, record.best_cost, record.evaluations);
    }
    if states.iter().any(|state| state.best_cost < best.cost()) {
        let bests = chains.read_bests(runtime)?;
        best.collect(states.iter().zip(bests.chunks_exact(jobs)).map(|(state, best)| view(state, best)));
    }
    Ok(())
}

fn view<'a>(state: &'a ChainState, best: &'a [u16]) -> ChainView<'a> {
    ChainView {
        order: &state.order,
        cost: state.cost,
        best,
        best_cost: state.best_cost,
        evaluations: state.evaluations,
    }
}
