//! Annealing on a device with the trajectory of [`super::cpu`]: one block per chain, one launch per segment of a stage.
//!
//! After every epoch the host reads the state of all chains. If the device is lost, the CPU continues from the last
//! epoch: it repeats what was under way, so the result does not depend on the failure.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gridwright_kernels::annealing::{ChainRecord, Chains, Layout, TEMPERATURE_LEVELS, Tuning};
use gridwright_kernels::{CudaError, DeviceRuntime, Limits, Module};

use super::board::Cell;
use super::chains::{Best, ChainView};
use super::cpu::{ChainState, CpuAnnealing};
use super::device_tables::{graph, shape};
use super::stages::{Segment, Stages, resampled};
use super::{AnnealingParameters, Schedule};
use crate::backend::continued_on_cpu;
use crate::search::{Control, Epochs, Snapshot};
use crate::timetabling::Timetable;
use crate::timetabling::model::Model;
use crate::{Error, Result};

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
    device: Option<OnDevice<M>>,
    cpu: Option<CpuAnnealing<C>>,
    control: Control,
    stages: Stages,
    /// Costs and counters of the chains at the end of the last epoch.
    records: Vec<ChainRecord>,
    places: Vec<Vec<u16>>,
    bests: Vec<Vec<u16>>,
    best: Best,
    notes: Vec<String>,
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
pub fn capacity_within(model: &Model, schedule: &Schedule, limits: &Limits) -> Result<u32> {
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
            device: Some(OnDevice { runtime, chains, part }),
            cpu: None,
            control: Control::new(),
            stages,
            records,
            bests: places.clone(),
            places,
            best,
            notes: Vec::new(),
        })
    }

    /// Sets the handle that pauses and interrupts an epoch after the device was lost.
    pub fn with_control(mut self, control: Control) -> Self {
        self.control = control;
        self
    }

    /// Layout of a chain over a block; `None` after the device was lost.
    pub fn layout(&self) -> Option<Layout> {
        self.device.as_ref().map(|device| device.chains.layout())
    }

    /// Returns `true` after the run has moved to the CPU.
    pub fn on_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    fn walk(&mut self, steps: u32) -> Result<()> {
        let Some(OnDevice { runtime, chains, part }) = &mut self.device else { return Ok(()) };
        let schedule = Arc::clone(self.stages.schedule());
        let mut records = self.records.clone();
        self.stages.advance(steps, |segment| {
            let began = Instant::now();
            walk(runtime, chains, &schedule, segment, *part, &records)?;
            records = chains.read_records(runtime)?;
            let launches = chains.count().div_ceil(*part);
            if began.elapsed() > LONG * launches {
                // Fewer than the device runs concurrently would leave a part of it idle.
                *part = (*part / 2).max(chains.layout().at_once).min(chains.count());
            }
            Ok(())
        })?;
        let [places, bests] = chains.read_places(runtime)?;
        (self.records, self.places, self.bests) = (records, places, bests);
        let views = views(&self.records, &self.places, &self.bests);
        self.best.collect(&schedule.components, &views);
        Ok(())
    }

    /// Abandons the device: the CPU continues from the end of the last epoch, where the schedule was at `stages`.
    fn leave_device(&mut self, mut stages: Stages, why: &Error) {
        self.device = None;
        self.notes.push(continued_on_cpu(why, "step", stages.step()));
        // Keep the stage lengths that were decided on the device, so that the trajectory is the same.
        stages.decide(self.stages.lengths());
        let state = |((record, place), best): ((&ChainRecord, &Vec<u16>), &Vec<u16>)| ChainState {
            place: place.clone(),
            best: best.clone(),
            best_cost: record.best_cost,
            evaluations: record.evaluations,
        };
        let states = self.records.iter().zip(&self.places).zip(&self.bests).map(state).collect();
        let (best, threads) = (self.best.clone(), Arc::clone(&self.threads));
        let cpu = CpuAnnealing::resume(stages, &self.model, states, best, self.seed, threads);
        self.cpu = Some(cpu.with_control(self.control.clone()));
    }
}

/// Resamples if that is due and advances all chains by a segment.
fn walk<M: DeviceRuntime>(
    runtime: &mut M, chains: &Chains, schedule: &Schedule, segment: &Segment, part: u32, records: &[ChainRecord],
) -> std::result::Result<(), CudaError> {
    if segment.resamples {
        let per = records.len() / schedule.components.len().max(1);
        let pairs = |(component, records): (usize, &[ChainRecord])| {
            let costs: Vec<i64> = records.iter().map(|record| record.cost).collect();
            let number = move |chain: usize| (component * per + chain) as u32;
            resampled(&costs).into_iter().map(move |(from, to)| (number(from), number(to)))
        };
        let pairs: Vec<(u32, u32)> = records.chunks(per.max(1)).enumerate().flat_map(pairs).collect();
        chains.continue_from(runtime, &pairs)?;
    }
    let mut temperatures = [0; TEMPERATURE_LEVELS];
    temperatures.copy_from_slice(
        &schedule.temperatures[segment.stage * TEMPERATURE_LEVELS..(segment.stage + 1) * TEMPERATURE_LEVELS],
    );
    chains.advance(runtime, &segment.steps, &temperatures, part)
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

impl<C: Cell, M: DeviceRuntime> Epochs for DeviceAnnealing<C, M> {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        if self.cpu.is_none() {
            let before = self.stages.clone();
            match self.walk(steps) {
                Ok(()) => return Ok(()),
                Err(why) => self.leave_device(before, &why),
            }
        }
        self.cpu.as_mut().map_or(Ok(()), |cpu| cpu.advance(steps))
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        if let Some(cpu) = &mut self.cpu {
            return cpu.snapshot();
        }
        let began = Instant::now();
        let snapshot = self.best.snapshot(&self.stages, &views(&self.records, &self.places, &self.bests));
        self.stages.spend(began.elapsed().as_secs_f64());
        Ok(snapshot)
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn stages(&self) -> Option<Vec<u64>> {
        self.cpu.as_ref().map_or_else(|| Some(self.stages.lengths().to_vec()), CpuAnnealing::stages)
    }
}
