//! Iterated greedy on a device, with the numbers of [`super::cpu`]: a block for each chain, many steps in a launch.
//!
//! After every epoch the host reads where all chains stand. If the device is lost, the CPU goes on from the last epoch: it repeats
//! what was under way, and the run continues with the same numbers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gridwright_kernels::greedy::{Chains, Cost, Layout, Record, Rules as DeviceRules, Shop, Tuning};
use gridwright_kernels::{CudaError, Limits, Machine};

use super::IteratedGreedyParameters;
use super::chain::Rules;
use super::cpu::CpuGreedy;
use super::population::{Begin, Best, ChainState, ChainView, Gathering, begin};
use crate::backend::MemoryNeed;
use crate::flowshop::insertion::{Problem, TARDY};
use crate::flowshop::neighbourhood::is_narrow;
use crate::flowshop::{Instance, Objective, Order};
use crate::search::{Epochs, Snapshot};
use crate::{Error, Result};

/// A launch that takes longer than this is cut: a desktop's GPU also draws its screen.
const LONG: Duration = Duration::from_millis(40);

/// A launch that takes less than this is made longer.
const SHORT: Duration = Duration::from_millis(15);

/// Units of work of the first launch, and of any.
const FIRST: u32 = 1 << 13;
const LEAST: u32 = 1 << 8;
const MOST: u32 = 1 << 24;

/// Chains of a multiprocessor where the person does not say: few for large instances, whose chains have a long way to go.
const CHAINS: u32 = 2;
const CHAINS_OF_SMALL: u32 = 4;

/// Jobs of a small instance, at most.
const SMALL: usize = 50;

/// Operations of a round between two gatherings where the person does not say: some hundred in a minute.
const GATHERED: u64 = 240_000_000;

fn device_error(error: CudaError) -> Error {
    Error::Device(error.to_string())
}

/// Tables of a problem as the device reads them.
struct Tables<'a> {
    problem: &'a Problem,
    dues: Vec<u32>,
    cost: Cost,
}

impl<'a> Tables<'a> {
    fn new(problem: &'a Problem) -> Self {
        let cost = match problem.objective {
            Objective::Makespan if problem.is_accelerated() => Cost::Makespan { narrow: is_narrow(problem) },
            Objective::Makespan => Cost::ReleasedMakespan,
            Objective::FlowTime | Objective::Tardiness => Cost::Tardiness { each: 0 },
            Objective::Tardy => Cost::Tardiness { each: TARDY },
        };
        let due = |job: usize| match problem.objective {
            // Late from the beginning: what counts is when jobs are done.
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

/// Chooses what the person left open: the number of chains, and with it how often they are gathered.
///
/// # Errors
/// [`Error::Device`] where the device cannot hold even one chain.
pub fn resolve<M: Machine>(
    machine: &mut M,
    instance: &Instance,
    objective: Objective,
    parameters: &mut IteratedGreedyParameters,
) -> Result<()> {
    if parameters.chains > 0 {
        return Ok(());
    }
    let (problem, limits) = (Problem::new(instance, objective), machine.limits().map_err(device_error)?);
    resolve_within(&limits, &problem, parameters)
}

/// The same for a device with these limits.
fn resolve_within(limits: &Limits, problem: &Problem, parameters: &mut IteratedGreedyParameters) -> Result<()> {
    let tables = Tables::new(problem);
    let each = if problem.jobs() <= SMALL { CHAINS_OF_SMALL } else { CHAINS };
    let wanted = each * limits.multiprocessors.max(1);
    let layout = Layout::choose(limits, &tables.shop(), wanted, Tuning::default()).map_err(device_error)?;
    parameters.chains = wanted.min(layout.at_once).max(1);
    if parameters.gathering == 0 {
        parameters.gathering = (GATHERED / round(problem)).clamp(10, 5_000) as u32;
    }
    Ok(())
}

/// What so many chains need of a device with these limits.
///
/// # Errors
/// [`Error::Device`] where it cannot hold even one chain.
pub fn memory_need(
    instance: &Instance,
    objective: Objective,
    parameters: &IteratedGreedyParameters,
    limits: &Limits,
) -> Result<MemoryNeed> {
    let (problem, mut parameters) = (Problem::new(instance, objective), parameters.clone());
    if parameters.chains == 0 {
        resolve_within(limits, &problem, &mut parameters)?;
    }
    let tables = Tables::new(&problem);
    let (shop, chains) = (tables.shop(), parameters.chains.max(1));
    let layout = Layout::choose(limits, &shop, chains, Tuning::default()).map_err(device_error)?;
    Ok(MemoryNeed { needed: Chains::bytes(&shop, &layout, chains), free: limits.free })
}

/// Operations of a round of local search, about.
fn round(problem: &Problem) -> u64 {
    let (jobs, machines) = (problem.jobs() as u64, problem.machines as u64);
    (jobs * jobs * machines * if problem.is_accelerated() { 1 } else { jobs / 16 + 1 }).max(1)
}

/// Steps of an epoch of some 50 ms, by the size of the instance and the number of chains.
pub fn epoch(instance: &Instance, objective: Objective, chains: u32) -> u32 {
    let round = round(&Problem::new(instance, objective));
    // More chains than this wait for each other.
    let turns = u64::from((chains / 512).max(1));
    (GATHERED / 8 / (round * turns)).clamp(1, 4_096) as u32
}

/// Chains on a device.
#[derive(Debug)]
struct OnDevice<M> {
    machine: M,
    chains: Chains,
    /// Units of work of a launch.
    work: u32,
}

impl<M: Machine> OnDevice<M> {
    /// Lets all chains go on until so many steps are done; where they stand then.
    fn walk(&mut self, until: u64) -> std::result::Result<Vec<Record>, CudaError> {
        let Self { machine, chains, work } = self;
        let at_once = chains.layout().at_once.max(1);
        let mut records = Vec::new();
        for first in (0..chains.count()).step_by(at_once as usize) {
            loop {
                let began = Instant::now();
                chains.walk(machine, first, until, *work)?;
                machine.wait()?;
                let took = began.elapsed();
                records = chains.read_records(machine)?;
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

/// Iterated greedy on a device.
#[derive(Debug)]
pub struct CudaGreedy<M: Machine> {
    rules: Rules,
    gathering: Gathering,
    threads: Arc<rayon::ThreadPool>,
    device: Option<OnDevice<M>>,
    cpu: Option<CpuGreedy>,
    /// Where the chains stood at the end of the last epoch.
    states: Vec<ChainState>,
    step: u64,
    best: Best,
    notes: Vec<String>,
}

impl<M: Machine> CudaGreedy<M> {
    /// As [`CpuGreedy::new`]; NEH is the host's.
    ///
    /// # Errors
    /// [`Error::Device`] where the device cannot hold or run it.
    pub fn new(begins: &Begin<'_>, threads: Arc<rayon::ThreadPool>, mut machine: M, tuning: Tuning) -> Result<Self> {
        let &Begin { instance, objective, parameters, seed, .. } = begins;
        let problem = Problem::new(instance, objective);
        let count = parameters.chains.max(1);
        // What the device cannot do is said before NEH takes its time.
        let tables = Tables::new(&problem);
        let limits = machine.limits().map_err(device_error)?;
        Layout::choose(&limits, &tables.shop(), count, tuning).map_err(device_error)?;
        let (rules, order, cost) = begin(begins);
        let device_rules = DeviceRules {
            seed,
            removed: rules.removed as u32,
            partial: rules.partial,
            temperature: rules.temperature,
            levels: rules.acceptance.levels(),
        };
        let chains = Chains::new(&mut machine, &tables.shop(), &device_rules, count, tuning).map_err(device_error)?;
        let mut device = OnDevice { machine, chains, work: FIRST };
        let states = beginning(&order, cost, count as usize);
        write(&mut device, &states, 0).map_err(device_error)?;
        Ok(Self {
            rules,
            gathering: Gathering::every(parameters.gathering),
            threads,
            device: Some(device),
            cpu: None,
            states,
            step: 0,
            best: Best::new(order, cost),
            notes: Vec::new(),
        })
    }

    /// As [`CpuGreedy::begin_with`].
    pub fn begin_with(&mut self, order: &[u16], cost: u64) {
        self.states = beginning(order, cost, self.states.len());
        (self.step, self.best) = (0, Best::new(order.to_vec(), cost));
        let written = self.device.as_mut().map(|device| write(device, &self.states, 0));
        if let Some(Err(why)) = written {
            self.leave_device(&why);
        } else if let Some(cpu) = &mut self.cpu {
            cpu.begin_with(order, cost);
        }
    }

    /// What happened that a person should know.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How a chain is laid out over a block; `None` once the device is lost.
    pub fn layout(&self) -> Option<Layout> {
        self.device.as_ref().map(|device| device.chains.layout())
    }

    /// Whether the run has gone over to the CPU.
    pub fn on_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    fn walk(&mut self, steps: u32) -> std::result::Result<(), CudaError> {
        let Some(device) = &mut self.device else { return Ok(()) };
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

    /// Leaves the device: the CPU goes on from the end of the last epoch.
    fn leave_device(&mut self, why: &CudaError) {
        self.device = None;
        self.notes
            .push(format!("{why}. After {} steps of the chains the CPU went on, with the same numbers", self.step));
        let (rules, best, threads) = (self.rules.clone(), self.best.clone(), Arc::clone(&self.threads));
        self.cpu = Some(CpuGreedy::resume(rules, self.gathering, &self.states, self.step, best, threads));
    }
}

/// So many chains that begin with an order.
fn beginning(order: &[u16], cost: u64, chains: usize) -> Vec<ChainState> {
    vec![ChainState { order: order.to_vec(), cost, best_cost: cost, evaluations: 0 }; chains]
}

/// Brings all chains to the device. Their best orders are those that they have: the host keeps the best of all.
fn write<M: Machine>(device: &mut OnDevice<M>, states: &[ChainState], step: u64) -> std::result::Result<(), CudaError> {
    let orders: Vec<u16> = states.iter().flat_map(|state| state.order.iter().copied()).collect();
    let record = |state: &ChainState| Record {
        cost: state.cost,
        best_cost: state.best_cost,
        evaluations: state.evaluations,
        step,
        is_under_way: false,
    };
    let records: Vec<Record> = states.iter().map(record).collect();
    device.chains.write(&mut device.machine, &orders, &orders, &records)
}

/// Brings all chains back, and the best order where it is better than the best of all.
fn read<M: Machine>(
    device: &mut OnDevice<M>,
    records: &[Record],
    states: &mut [ChainState],
    best: &mut Best,
) -> std::result::Result<(), CudaError> {
    let OnDevice { machine, chains, .. } = device;
    let orders = chains.read_orders(machine)?;
    let jobs = (orders.len() / states.len().max(1)).max(1);
    for ((state, order), record) in states.iter_mut().zip(orders.chunks_exact(jobs)).zip(records) {
        state.order.copy_from_slice(order);
        (state.cost, state.best_cost, state.evaluations) = (record.cost, record.best_cost, record.evaluations);
    }
    if states.iter().any(|state| state.best_cost < best.cost()) {
        let bests = chains.read_bests(machine)?;
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

impl<M: Machine> Epochs for CudaGreedy<M> {
    type Solution = Order;

    fn advance(&mut self, steps: u32) -> Result<()> {
        if self.cpu.is_none() {
            match self.walk(steps) {
                Ok(()) => return Ok(()),
                Err(why) => self.leave_device(&why),
            }
        }
        self.cpu.as_mut().map_or(Ok(()), |cpu| cpu.advance(steps))
    }

    fn snapshot(&mut self) -> Result<Snapshot<Order>> {
        match &mut self.cpu {
            Some(cpu) => cpu.snapshot(),
            None => {
                let chains = self.states.iter().map(|state| view(state, &[]));
                Ok(self.best.snapshot(&self.rules.problem, self.step, chains))
            }
        }
    }
}
