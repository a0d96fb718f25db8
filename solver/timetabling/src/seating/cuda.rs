//! Annealing of sessions with rooms on a device with the trajectory of [`super::cpu`]: one block per chain.
//!
//! After every epoch the host reads the state of all chains. If the device is lost, the CPU continues from the last
//! epoch: it repeats what was under way, so the result does not depend on the failure.

use std::sync::Arc;
use std::time::Instant;

use gridwright_kernels::annealing::{ChainRecord, StepRange, TEMPERATURE_LEVELS};
use gridwright_kernels::seating::{Chains, Details, Layout, SPLIT, Session, Sizes, Solution};
pub use gridwright_kernels::seating::{Memory, Tuning};
use gridwright_kernels::{CudaError, DeviceRuntime, Limits, Module};
use rayon::prelude::*;

use super::board::Board;
use super::cpu::{ChainState, ChainSummary, CpuSeating, snapshot};
use super::device_tables::{session, shape, state};
use super::model::SeatingModel;
use crate::annealing::Schedule;
use crate::annealing::board::Cell;
use crate::annealing::cuda::{DeviceChains, advance_on_device};
use crate::annealing::stages::Stages;
use crate::{Seats, Timetable};
use gridwright_core::Result;
use gridwright_core::backend::continued_on_cpu;
use gridwright_core::search::{Control, Epochs, NotedImprovement, Snapshot};

impl DeviceChains for Chains {
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
        ranges.first().map_or(Ok(()), |&range| self.advance(runtime, range, temperatures, part))
    }

    fn continue_from(
        &self, runtime: &mut dyn DeviceRuntime, pairs: &[(u32, u32)],
    ) -> std::result::Result<(), CudaError> {
        self.continue_from(runtime, pairs)
    }

    fn read_records(&self, runtime: &mut dyn DeviceRuntime) -> std::result::Result<Vec<ChainRecord>, CudaError> {
        self.read_records(runtime)
    }
}

/// The device and the chains on it.
#[derive(Debug)]
struct OnDevice<M> {
    runtime: M,
    chains: Chains,
    /// Number of chains per launch.
    part: u32,
}

/// Annealing of a session with rooms on a device; `C` is the cell type of the CPU search that takes over if the device is
/// lost.
#[derive(Debug)]
pub struct DeviceSeating<'a, C, M: DeviceRuntime> {
    model: &'a SeatingModel,
    session: Session,
    seed: u64,
    threads: Arc<rayon::ThreadPool>,
    device: Option<OnDevice<M>>,
    cpu: Option<CpuSeating<'a, C>>,
    control: Control,
    stages: Stages,
    /// Costs and counters, present and best timetables of the chains at the end of the last epoch.
    records: Vec<ChainRecord>,
    present: Vec<Solution>,
    bests: Vec<Solution>,
    best: Arc<Timetable>,
    best_cost: i64,
    notes: Vec<String>,
}

/// Number of chains that a device with the given limits runs at once.
///
/// # Errors
/// [`gridwright_core::Error::Device`] if the device cannot hold a single chain.
pub(crate) fn capacity_within(model: &SeatingModel, schedule: &Schedule, limits: &Limits) -> Result<u32> {
    let (sizes, _) = session(model, schedule)?;
    Ok(Layout::choose(limits, &sizes, Tuning::default())?.at_once)
}

/// As [`capacity_within`], for a device.
///
/// # Errors
/// As [`capacity_within`].
pub fn capacity<M: DeviceRuntime>(model: &SeatingModel, schedule: &Schedule, runtime: &mut M) -> Result<u32> {
    runtime.prepare(Module::Seating)?;
    capacity_within(model, schedule, &runtime.limits()?)
}

/// Device memory of a run with `chains` chains, in bytes.
///
/// # Errors
/// As [`capacity_within`].
pub fn bytes(model: &SeatingModel, schedule: &Schedule, chains: u32) -> Result<u64> {
    let (sizes, session) = session(model, schedule)?;
    Ok(Chains::bytes(chains, &sizes, &session))
}

/// Converts a solution of the device into a timetable of nodes with the rooms of the model's sittings.
fn timetable(model: &SeatingModel, session: &Session, solution: &Solution) -> Timetable {
    let rooms = |(number, (&room, details)): (usize, (&u16, &Details))| match room {
        SPLIT => {
            let first = details.first_part as usize;
            let parts = solution.parts.iter().skip(first).take(details.most_rooms as usize);
            let parts = parts.take_while(|part| part.students > 0);
            parts.map(|part| Seats { room: part.room as u16, students: part.students }).collect()
        }
        room if usize::from(room) < model.rooms => vec![Seats { room, students: model.sittings[number].students }],
        _ => Vec::new(),
    };
    let rooms = solution.room.iter().zip(&session.details).enumerate().map(rooms).collect();
    Timetable { periods: solution.place.clone(), rooms }
}

impl<'a, C: Cell, M: DeviceRuntime> DeviceSeating<'a, C, M> {
    /// Starts one chain from each timetable without violations in `starts`.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Device`] if the device cannot hold the tables or run the kernels.
    pub fn new(
        stages: Stages, model: &'a SeatingModel, starts: &[Timetable], seed: u64, threads: Arc<rayon::ThreadPool>,
        mut runtime: M, tuning: Tuning,
    ) -> Result<Self> {
        let (sizes, session) = session(model, stages.schedule())?;
        let shape = shape(model, stages.schedule(), starts.len(), seed);
        let chains = Chains::new(&mut runtime, shape, sizes, &session, tuning)?;
        let (present, records, best) = begin::<C>(model, &sizes, &session, starts, &threads, &chains, &mut runtime)?;
        let part = chains.count();
        Ok(Self {
            model,
            session,
            seed,
            threads,
            device: Some(OnDevice { runtime, chains, part }),
            cpu: None,
            control: Control::new(),
            stages,
            best_cost: records.get(best).map_or(i64::MAX, |record| record.cost),
            best: Arc::new(starts.get(best).cloned().unwrap_or_default()),
            records,
            bests: present.clone(),
            present,
            notes: Vec::new(),
        })
    }

    /// Sets the handle that pauses and interrupts an epoch after the device was lost.
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.control = control;
        self
    }

    /// Returns `true` after the run has moved to the CPU.
    pub fn on_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    fn walk(&mut self, steps: u32) -> Result<()> {
        let Some(OnDevice { runtime, chains, part }) = &mut self.device else { return Ok(()) };
        let records = advance_on_device(runtime, chains, &mut self.stages, steps, part, self.records.clone())?;
        let [present, bests] = chains.read_solutions(runtime)?;
        (self.records, self.present, self.bests) = (records, present, bests);
        let best = self.records.iter().zip(&self.bests).min_by_key(|(record, _)| record.best_cost);
        if let Some((record, solution)) = best.filter(|(record, _)| record.best_cost < self.best_cost) {
            self.best = Arc::new(timetable(self.model, &self.session, solution));
            self.best_cost = record.best_cost;
        }
        Ok(())
    }

    /// Abandons the device: the CPU continues from the end of the last epoch, where the schedule was at `stages`.
    fn leave_device(&mut self, mut stages: Stages, why: &gridwright_core::Error) {
        self.device = None;
        self.notes.push(continued_on_cpu(why, "step", stages.step()));
        // Keep the stage lengths that were decided on the device, so that the trajectory is the same.
        stages.decide(self.stages.lengths());
        let of = |solution: &Solution| timetable(self.model, &self.session, solution);
        let state = |((record, present), best): ((&ChainRecord, &Solution), &Solution)| ChainState {
            present: of(present),
            best: of(best),
            evaluations: record.evaluations,
        };
        let states: Vec<_> = self.records.iter().zip(&self.present).zip(&self.bests).map(state).collect();
        let (threads, control) = (Arc::clone(&self.threads), self.control.clone());
        self.cpu = Some(CpuSeating::resume(stages, self.model, &states, self.seed, threads, control));
    }
}

/// Solutions, records and the number of the best of some chains.
type Begun = (Vec<Solution>, Vec<ChainRecord>, usize);

/// Writes the first timetables with their tables, which the CPU computes once for every different one.
fn begin<C: Cell>(
    model: &SeatingModel, sizes: &Sizes, session: &Session, starts: &[Timetable], threads: &rayon::ThreadPool,
    chains: &Chains, runtime: &mut dyn DeviceRuntime,
) -> Result<Begun> {
    let mut different: Vec<&Timetable> = Vec::new();
    let number_of = |start| {
        different.iter().position(|&other| other == start).unwrap_or_else(|| {
            different.push(start);
            different.len() - 1
        })
    };
    let numbers: Vec<usize> = starts.iter().map(number_of).collect();
    let of = |start: &&Timetable| {
        let board = Board::<C>::new(model, start);
        (state(model, sizes, session, &board), board.cost())
    };
    let states: Vec<_> = threads.install(|| different.par_iter().map(of).collect());
    let rows: Vec<_> = numbers
        .iter()
        .map(|&number| {
            let ((solution, tables), cost) = &states[number];
            (solution, tables, *cost)
        })
        .collect();
    chains.write(runtime, &rows)?;
    let records = rows.iter().map(|&(.., cost)| ChainRecord { cost, best_cost: cost, evaluations: 0 });
    let records: Vec<ChainRecord> = records.collect();
    let best = (0..records.len()).min_by_key(|&chain| records[chain].cost).unwrap_or(0);
    Ok((rows.iter().map(|(solution, ..)| (*solution).clone()).collect(), records, best))
}

impl<C: Cell, M: DeviceRuntime> Epochs for DeviceSeating<'_, C, M> {
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
        let chains = self.records.iter().zip(&self.present).map(|(record, solution)| ChainSummary {
            place: &solution.place,
            rooms: &solution.room,
            cost: record.cost,
            best_cost: record.best_cost,
            evaluations: record.evaluations,
        });
        let snapshot = snapshot(&self.stages, chains, &self.best, self.best_cost);
        self.stages.spend(began.elapsed().as_secs_f64());
        Ok(snapshot)
    }

    /// The device keeps the best timetable of an epoch, but not its step.
    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.cpu.as_mut().map(CpuSeating::improvements).unwrap_or_default()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn stages(&self) -> Option<Vec<u64>> {
        self.cpu.as_ref().map_or_else(|| Some(self.stages.lengths().to_vec()), CpuSeating::stages)
    }
}
