//! Annealing on a device with the trajectory of [`super::cpu`]: one block per chain, one launch per segment of a stage.
//!
//! After every epoch the host reads the state of all chains. If the device is lost, the CPU continues from the last
//! epoch: it repeats what was under way, so the result does not depend on the failure.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gridwright_kernels::annealing::{ChainRecord, Chains, Layout, TEMPERATURE_LEVELS, Tuning};
use gridwright_kernels::{CudaError, DeviceRuntime, Limits, Module};

use super::board::Cell;
use super::chains::{Best, ChainView};
use super::cpu::{ChainState, CpuAnnealing};
use super::device_tables::{graph, shape};
use super::stages::{Stages, StepRange, resampled};
use super::{AnnealingParameters, Schedule};
use crate::Timetable;
use crate::model::Model;
use gridwright_core::search::failover::DeviceEpochs;
use gridwright_core::search::{Control, Snapshot};
use gridwright_core::{Error, Result};

/// Longest launch; longer ones are split, because a desktop's GPU also draws the screen.
const LONG: Duration = Duration::from_millis(50);

/// The device and the chains on it.
#[derive(Debug)]
struct OnDevice<M> {
    runtime: M,
    chains: Chains,
    /// Number of chains per launch.
    part: u32,
}

/// Annealing on a device; `C` is the cell type of the CPU search that takes over if the device is lost.
#[derive(Debug)]
pub struct DeviceAnnealing<C, M: DeviceRuntime> {
    model: Model,
    seed: u64,
    threads: Arc<rayon::ThreadPool>,
    device: OnDevice<M>,
    stages: Stages,
    /// Costs and counters of the chains at the end of the last epoch.
    records: Vec<ChainRecord>,
    places: Vec<Vec<u16>>,
    bests: Vec<Vec<u16>>,
    best: Best,
    cpu: PhantomData<fn() -> C>,
}

/// Number of chains per component that a device runs concurrently.
///
/// # Errors
/// [`Error::Device`] if the device cannot hold a single chain.
pub fn capacity<M: DeviceRuntime>(model: &Model, parameters: &AnnealingParameters, runtime: &mut M) -> Result<u32> {
    runtime.prepare(Module::Annealing)?;
    let limits = runtime.limits()?;
    capacity_within(model, &Schedule::new(model, parameters), &limits)
}

/// As [`capacity`], for a device with the given limits.
///
/// # Errors
/// As [`capacity`].
pub(crate) fn capacity_within(model: &Model, schedule: &Schedule, limits: &Limits) -> Result<u32> {
    let graph = graph(model, schedule)?;
    let layout = Layout::for_all(limits, &graph, schedule.periods as u32)?;
    // Small components take fewer steps and free their blocks early: weight by exams.
    let exams = schedule.components.iter().map(|component| component.exams.len());
    let (largest, all) = (exams.clone().max().unwrap_or(1), exams.sum::<usize>().max(1));
    Ok(((layout.at_once as usize * largest / all) as u32).max(1))
}

impl<C: Cell, M: DeviceRuntime> DeviceAnnealing<C, M> {
    /// Starts one chain per component from each conflict-free timetable in `starts`.
    ///
    /// # Errors
    /// [`Error::Device`] if the device cannot hold the tables or run the kernels.
    pub fn new(
        stages: Stages, model: &Model, starts: &[Timetable], seed: u64, threads: Arc<rayon::ThreadPool>,
        mut runtime: M, tuning: Tuning,
    ) -> Result<Self> {
        let schedule = Arc::clone(stages.schedule());
        let graph = graph(model, &schedule)?;
        let shape = shape(&schedule, starts.len(), seed);
        let levels = schedule.acceptance.levels();
        let chains = Chains::new(&mut runtime, shape, &graph, levels, tuning)?;
        // The costs of the starts come from the CPU implementation.
        let first = CpuAnnealing::<C>::new(stages.clone(), model, starts, seed, Arc::clone(&threads));
        let views = first.views();
        let costs: Vec<i64> = views.iter().map(|view| view.cost).collect();
        let places: Vec<Vec<u16>> = views.iter().map(|view| view.place.to_vec()).collect();
        let rows: Vec<Vec<u8>> =
            places.iter().map(|place| place.iter().map(|&period| period as u8).collect()).collect();
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        chains.write(&mut runtime, &rows, &costs)?;
        let records = costs.iter().map(|&cost| ChainRecord { cost, best_cost: cost, evaluations: 0 }).collect();
        let mut best = Best::new(starts[0].clone());
        best.collect(&schedule.components, &views);
        let part = chains.count();
        Ok(Self {
            model: model.clone(),
            seed,
            threads,
            device: OnDevice { runtime, chains, part },
            stages,
            records,
            bests: places.clone(),
            places,
            best,
            cpu: PhantomData,
        })
    }

    /// Layout of a chain over a block.
    pub fn layout(&self) -> Layout {
        self.device.chains.layout()
    }
}

/// Chains on a device that advance in steps.
pub(crate) trait DeviceChains {
    /// Solution of a chain.
    type Solution;

    /// Number of chains of all components together.
    fn count(&self) -> u32;

    /// Number of chains that the device runs at once.
    fn at_once(&self) -> u32;

    /// Advances all chains, at most `part` of them in a launch, by the steps of each component.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    fn advance(
        &self, runtime: &mut dyn DeviceRuntime, ranges: &[StepRange], temperatures: &[u32; TEMPERATURE_LEVELS],
        part: u32,
    ) -> std::result::Result<(), CudaError>;

    /// Copies chains over others for resampling; `pairs` holds (from, to).
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    fn continue_from(
        &self, runtime: &mut dyn DeviceRuntime, pairs: &[(u32, u32)],
    ) -> std::result::Result<(), CudaError>;

    /// Waits for all launches and returns the records of all chains.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    fn read_records(&self, runtime: &mut dyn DeviceRuntime) -> std::result::Result<Vec<ChainRecord>, CudaError>;

    /// Returns present and best solutions of all chains.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    fn read_solutions(
        &self, runtime: &mut dyn DeviceRuntime,
    ) -> std::result::Result<[Vec<Self::Solution>; 2], CudaError>;
}

impl DeviceChains for Chains {
    type Solution = Vec<u16>;

    fn count(&self) -> u32 {
        self.count()
    }

    fn at_once(&self) -> u32 {
        self.layout().at_once
    }

    fn advance(
        &self, runtime: &mut dyn DeviceRuntime, ranges: &[StepRange], temperatures: &[u32; TEMPERATURE_LEVELS],
        part: u32,
    ) -> std::result::Result<(), CudaError> {
        self.advance(runtime, ranges, temperatures, part)
    }

    fn continue_from(
        &self, runtime: &mut dyn DeviceRuntime, pairs: &[(u32, u32)],
    ) -> std::result::Result<(), CudaError> {
        self.continue_from(runtime, pairs)
    }

    fn read_records(&self, runtime: &mut dyn DeviceRuntime) -> std::result::Result<Vec<ChainRecord>, CudaError> {
        self.read_records(runtime)
    }

    fn read_solutions(&self, runtime: &mut dyn DeviceRuntime) -> std::result::Result<[Vec<Vec<u16>>; 2], CudaError> {
        self.read_places(runtime)
    }
}

/// Records of all chains, with present and best solutions.
type Advanced<S> = (Vec<ChainRecord>, [Vec<S>; 2]);

/// Advances all chains by `steps` steps, resamples where that is due, and returns their records with present and best
/// solutions. `part` is the number of chains in a launch, which shrinks while launches take too long. If the device fails,
/// `stages` stay where they are, with the lengths that were decided meanwhile, so that the CPU takes the same trajectory.
///
/// # Errors
/// As [`DeviceRuntime::launch`].
pub(crate) fn advance_on_device<D: DeviceChains>(
    runtime: &mut dyn DeviceRuntime, chains: &D, stages: &mut Stages, steps: u32, part: &mut u32,
    mut records: Vec<ChainRecord>,
) -> Result<Advanced<D::Solution>> {
    let schedule = Arc::clone(stages.schedule());
    let mut advanced = stages.clone();
    let walked = advanced.advance(steps, |segment| {
        let began = Instant::now();
        if segment.resamples {
            chains.continue_from(runtime, &pairs(&records, schedule.components.len()))?;
        }
        let mut temperatures = [0; TEMPERATURE_LEVELS];
        let first = segment.stage * TEMPERATURE_LEVELS;
        temperatures.copy_from_slice(&schedule.temperatures[first..first + TEMPERATURE_LEVELS]);
        chains.advance(runtime, &segment.steps, &temperatures, *part)?;
        records = chains.read_records(runtime)?;
        let launches = chains.count().div_ceil(*part);
        if began.elapsed() > LONG * launches {
            // Fewer than the device runs concurrently would leave a part of it idle.
            *part = (*part / 2).max(chains.at_once()).min(chains.count());
        }
        Ok(())
    });
    match walked.and_then(|()| Ok(chains.read_solutions(runtime)?)) {
        Ok(solutions) => {
            *stages = advanced;
            Ok((records, solutions))
        }
        Err(why) => {
            stages.decide(advanced.lengths());
            Err(why)
        }
    }
}

/// Pairs (from, to) of chains for resampling, component by component.
fn pairs(records: &[ChainRecord], components: usize) -> Vec<(u32, u32)> {
    let per = records.len() / components.max(1);
    let of_component = |(component, records): (usize, &[ChainRecord])| {
        let costs: Vec<i64> = records.iter().map(|record| record.cost).collect();
        let number = move |chain: usize| (component * per + chain) as u32;
        resampled(&costs).into_iter().map(move |(from, to)| (number(from), number(to)))
    };
    records.chunks(per.max(1)).enumerate().flat_map(of_component).collect()
}

fn views<'a>(records: &[ChainRecord], places: &'a [Vec<u16>], bests: &'a [Vec<u16>]) -> Vec<ChainView<'a>> {
    let view = |((record, place), best): ((&ChainRecord, &'a Vec<u16>), &'a Vec<u16>)| ChainView {
        place,
        cost: record.cost,
        best,
        best_cost: record.best_cost,
        evaluations: record.evaluations,
    };
    records.iter().zip(places).zip(bests).map(view).collect()
}

impl<C: Cell, M: DeviceRuntime> DeviceEpochs for DeviceAnnealing<C, M> {
    type Cpu = CpuAnnealing<C>;
    const UNIT: &'static str = "step";

    fn step(&self) -> u64 {
        self.stages.step()
    }

    fn advance(&mut self, steps: u32) -> Result<()> {
        let OnDevice { runtime, chains, part } = &mut self.device;
        (self.records, [self.places, self.bests]) =
            advance_on_device(runtime, chains, &mut self.stages, steps, part, self.records.clone())?;
        let schedule = Arc::clone(self.stages.schedule());
        let views = views(&self.records, &self.places, &self.bests);
        self.best.collect(&schedule.components, &views);
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        let began = Instant::now();
        let snapshot = self.best.snapshot(&self.stages, &views(&self.records, &self.places, &self.bests));
        self.stages.spend(began.elapsed().as_secs_f64());
        Ok(snapshot)
    }

    fn stages(&self) -> Option<Vec<u64>> {
        Some(self.stages.lengths().to_vec())
    }

    fn continued(&mut self, _why: &Error, control: &Control) -> Result<(u64, CpuAnnealing<C>)> {
        let state = |((record, place), best): ((&ChainRecord, &Vec<u16>), &Vec<u16>)| ChainState {
            place: place.clone(),
            best: best.clone(),
            best_cost: record.best_cost,
            evaluations: record.evaluations,
        };
        let states = self.records.iter().zip(&self.places).zip(&self.bests).map(state).collect();
        let (stages, best, threads) = (self.stages.clone(), self.best.clone(), Arc::clone(&self.threads));
        let cpu = CpuAnnealing::resume(stages, &self.model, states, best, self.seed, threads);
        Ok((self.stages.step(), cpu.with_control(control.clone())))
    }
}
