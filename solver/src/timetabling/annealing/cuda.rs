//! Annealing on a device, with the numbers of [`super::cpu`]: a block per chain, one launch per stretch of a leg.
//!
//! After every epoch the host reads where all chains stand. If the device is lost, the CPU goes on from the last epoch:
//! it repeats what was under way and the run continues with the same numbers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gridwright_kernels::annealing::{Chains, Layout, RUNGS, Record, Tuning};
use gridwright_kernels::{CudaError, Limits, Machine, Module};

use super::board::Cell;
use super::chains::{Best, ChainView};
use super::cpu::{ChainState, CpuAnnealing};
use super::device_tables::{graph, shape};
use super::legs::{Legs, Stretch, resampled};
use super::{AnnealingParameters, Schedule};
use crate::search::{Epochs, Snapshot};
use crate::timetabling::Timetable;
use crate::timetabling::model::Model;
use crate::{Error, Result};

/// A launch that takes longer than this is cut into parts: a desktop's GPU also draws its screen.
const LONG: Duration = Duration::from_millis(50);

/// Chains on a device.
#[derive(Debug)]
struct OnDevice<M> {
    machine: M,
    chains: Chains,
    /// Chains in a launch.
    part: u32,
}

/// Annealing on a device; `C` is the cell of the CPU that goes on where the device is lost.
#[derive(Debug)]
pub struct DeviceAnnealing<C, M: Machine> {
    model: Model,
    seed: u64,
    threads: Arc<rayon::ThreadPool>,
    device: Option<OnDevice<M>>,
    cpu: Option<CpuAnnealing<C>>,
    legs: Legs,
    /// Where the chains stood at the end of the last epoch.
    records: Vec<Record>,
    places: Vec<Vec<u16>>,
    bests: Vec<Vec<u16>>,
    best: Best,
    notes: Vec<String>,
}

fn device_error(error: CudaError) -> Error {
    Error::Device(error.to_string())
}

/// How many chains of every component a device walks at once.
///
/// # Errors
/// [`Error::Device`] where it cannot hold even one.
pub fn capacity<M: Machine>(model: &Model, parameters: &AnnealingParameters, machine: &mut M) -> Result<u32> {
    machine.prepare(Module::Annealing).map_err(device_error)?;
    let limits = machine.limits().map_err(device_error)?;
    capacity_within(model, &Schedule::new(model, parameters), &limits)
}

/// The same for a device with these limits.
///
/// # Errors
/// As [`capacity`].
pub fn capacity_within(model: &Model, schedule: &Schedule, limits: &Limits) -> Result<u32> {
    let graph = graph(model, schedule)?;
    let layout = Layout::for_all(limits, &graph, schedule.periods as u32).map_err(device_error)?;
    // A component with few exams takes few steps, and makes room soon.
    let exams = schedule.components.iter().map(|component| component.exams.len());
    let (largest, all) = (exams.clone().max().unwrap_or(1), exams.sum::<usize>().max(1));
    Ok(((layout.at_once as usize * largest / all) as u32).max(1))
}

impl<C: Cell, M: Machine> DeviceAnnealing<C, M> {
    /// Starts from one conflict-free timetable per chain.
    ///
    /// # Errors
    /// [`Error::Device`] where the device cannot hold or run it.
    pub fn new(
        legs: Legs,
        model: &Model,
        starts: &[Timetable],
        seed: u64,
        threads: Arc<rayon::ThreadPool>,
        mut machine: M,
        tuning: Tuning,
    ) -> Result<Self> {
        let schedule = Arc::clone(legs.schedule());
        let graph = graph(model, &schedule)?;
        let shape = shape(&schedule, starts.len(), seed);
        let levels = schedule.acceptance.levels();
        let chains = Chains::new(&mut machine, shape, &graph, levels, tuning).map_err(device_error)?;
        // The reference says what the starts cost.
        let first = CpuAnnealing::<C>::new(legs.clone(), model, starts, seed, Arc::clone(&threads));
        let views = first.views();
        let costs: Vec<i64> = views.iter().map(|view| view.cost).collect();
        let places: Vec<Vec<u16>> = views.iter().map(|view| view.place.to_vec()).collect();
        let rows: Vec<Vec<u8>> =
            places.iter().map(|place| place.iter().map(|&period| period as u8).collect()).collect();
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        chains.write(&mut machine, &rows, &costs).map_err(device_error)?;
        let records = costs.iter().map(|&cost| Record { cost, best_cost: cost, evaluations: 0 }).collect();
        let mut best = Best::new(starts[0].clone());
        best.collect(&schedule.components, &views);
        let part = chains.count();
        Ok(Self {
            model: model.clone(),
            seed,
            threads,
            device: Some(OnDevice { machine, chains, part }),
            cpu: None,
            legs,
            records,
            bests: places.clone(),
            places,
            best,
            notes: Vec::new(),
        })
    }

    /// Lengths of the legs that have begun, for the replay.
    pub fn legs(&self) -> &[u64] {
        self.cpu.as_ref().map_or(self.legs.lengths(), CpuAnnealing::legs)
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

    fn walk(&mut self, steps: u32) -> Result<()> {
        let Some(OnDevice { machine, chains, part }) = &mut self.device else { return Ok(()) };
        let schedule = Arc::clone(self.legs.schedule());
        let mut records = self.records.clone();
        self.legs.advance(steps, |stretch| {
            let began = Instant::now();
            walk(machine, chains, &schedule, stretch, *part, &records).map_err(device_error)?;
            records = chains.read_records(machine).map_err(device_error)?;
            let launches = chains.count().div_ceil(*part);
            if began.elapsed() > LONG * launches {
                // Fewer than the device walks at once would leave a part of it idle.
                *part = (*part / 2).max(chains.layout().at_once).min(chains.count());
            }
            Ok(())
        })?;
        let [places, bests] = chains.read_places(machine).map_err(device_error)?;
        (self.records, self.places, self.bests) = (records, places, bests);
        let views = views(&self.records, &self.places, &self.bests);
        self.best.collect(&schedule.components, &views);
        Ok(())
    }

    /// Leaves the device: the CPU goes on from the end of the last epoch, when the legs stood at `legs`.
    fn leave_device(&mut self, mut legs: Legs, why: &Error) {
        self.device = None;
        self.notes.push(format!("{why}. From step {} on the CPU went on, with the same numbers", legs.step()));
        // What the device had decided stays decided, so that the numbers are the same.
        legs.decide(self.legs.lengths());
        let state = |((record, place), best): ((&Record, &Vec<u16>), &Vec<u16>)| ChainState {
            place: place.clone(),
            best: best.clone(),
            best_cost: record.best_cost,
            evaluations: record.evaluations,
        };
        let states = self.records.iter().zip(&self.places).zip(&self.bests).map(state).collect();
        let (best, threads) = (self.best.clone(), Arc::clone(&self.threads));
        self.cpu = Some(CpuAnnealing::resume(legs, &self.model, states, best, self.seed, threads));
    }
}

/// Resamples where that is due and lets all chains walk a stretch.
fn walk<M: Machine>(
    machine: &mut M,
    chains: &Chains,
    schedule: &Schedule,
    stretch: &Stretch,
    part: u32,
    records: &[Record],
) -> std::result::Result<(), CudaError> {
    if stretch.resamples {
        let per = records.len() / schedule.components.len().max(1);
        let pairs = |(component, records): (usize, &[Record])| {
            let costs: Vec<i64> = records.iter().map(|record| record.cost).collect();
            let number = move |chain: usize| (component * per + chain) as u32;
            resampled(&costs).into_iter().map(move |(from, to)| (number(from), number(to)))
        };
        let pairs: Vec<(u32, u32)> = records.chunks(per.max(1)).enumerate().flat_map(pairs).collect();
        chains.continue_from(machine, &pairs)?;
    }
    let mut temperatures = [0; RUNGS];
    temperatures.copy_from_slice(&schedule.temperatures[stretch.leg * RUNGS..(stretch.leg + 1) * RUNGS]);
    chains.walk(machine, &stretch.steps, &temperatures, part)
}

fn views<'a>(records: &[Record], places: &'a [Vec<u16>], bests: &'a [Vec<u16>]) -> Vec<ChainView<'a>> {
    let view = |((record, place), best): ((&Record, &'a Vec<u16>), &'a Vec<u16>)| ChainView {
        place,
        cost: record.cost,
        best,
        best_cost: record.best_cost,
        evaluations: record.evaluations,
    };
    records.iter().zip(places).zip(bests).map(view).collect()
}

impl<C: Cell, M: Machine> Epochs for DeviceAnnealing<C, M> {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        if self.cpu.is_none() {
            let before = self.legs.clone();
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
        let snapshot = self.best.snapshot(&self.legs, &views(&self.records, &self.places, &self.bests));
        self.legs.spend(began.elapsed().as_secs_f64());
        Ok(snapshot)
    }
}
