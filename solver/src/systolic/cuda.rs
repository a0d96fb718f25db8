//! The grid on a device, with the numbers of [`super::packed`]: one run that has the device to itself, or many side by side.
//!
//! The host reads all solutions where a snapshot is taken. If the device is lost, the CPU goes on from the last snapshot: it repeats
//! what was under way, and the run continues with the same numbers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gridwright_kernels::systolic::{Flow, Grids, Layout, Problem, Solutions, Tuning, Worth};
use gridwright_kernels::{CudaError, Machine};

use super::evaluation::{Evaluation, Sums, Visitor, unpack, with_evaluation};
use super::grid::{Flavour, Grid};
use super::packed::PackedGrid;
use super::run::batch::BatchRun;
use super::run::bit_string;
use super::state::{Found, State, best_of, snapshot};
use super::{Instance, Kind, Search};
use crate::search::{Control, Epochs, Snapshot};
use crate::{Error, Result};

/// A launch that takes longer than this is cut: a desktop's GPU also draws its screen.
const LONG: Duration = Duration::from_millis(40);

/// A launch that takes less than this is made longer.
const SHORT: Duration = Duration::from_millis(15);

/// Iterations of the first launch.
const FIRST: u32 = 16;

/// Most iterations of a launch.
const MOST: u32 = 1 << 16;

fn device_error(error: CudaError) -> Error {
    Error::Device(error.to_string())
}

/// A problem as a device reads it.
#[derive(Debug)]
struct Tables {
    worth: Worth,
    grid: Grid,
    cells: Vec<u64>,
    items: Vec<u64>,
}

impl Tables {
    fn new(instance: &Instance) -> Result<Self> {
        let grid = Grid::new(instance.bits());
        let cells = grid.all_cells();
        let cells =
            cells.iter().map(|cell| u64::from(cell.first) | u64::from(cell.last) << 16 | u64::from(cell.mutated) << 32);
        let whole = |numbers: &[u64]| -> Result<u32> {
            let sum = numbers.iter().map(|&number| u128::from(number)).sum::<u128>();
            u32::try_from(sum).map_err(|_| {
                Error::Device(format!(
                    "{}: a sum of {sum} is beyond the 32 bits that the device computes with; use --backend cpu",
                    instance.name
                ))
            })
        };
        let (worth, items) = match &instance.kind {
            Kind::Knapsack { profits, weights, capacity } => {
                whole(profits)?;
                // Nothing can be heavier than everything.
                let all = whole(weights)?;
                let capacity = u32::try_from(*capacity).unwrap_or(u32::MAX).min(all.max(1));
                (Worth::Knapsack { capacity }, pairs(profits, weights))
            }
            Kind::NextRelease { costs, values, tenths, .. } => {
                let (all_values, all_costs) = (whole(values)?, whole(costs)?);
                (Worth::NextRelease { all_values, all_costs, tenths: (*tenths).into() }, pairs(values, costs))
            }
            Kind::Deceptive { .. } => (Worth::Deceptive, Vec::new()),
            // A knapsack of ones that weigh nothing.
            Kind::OneMax { bits } => (Worth::Knapsack { capacity: 0 }, vec![1 << 32; *bits]),
        };
        Ok(Self { worth, grid, cells: cells.collect(), items })
    }

    fn problem(&self) -> Problem<'_> {
        let Self { worth, grid, cells, items } = self;
        Problem { worth: *worth, bits: grid.bits as u32, rows: grid.rows as u32, cells, items }
    }
}

fn pairs(first: &[u64], second: &[u64]) -> Vec<u64> {
    first.iter().zip(second).map(|(one, other)| one << 32 | other).collect()
}

fn flow(flavour: Flavour) -> Flow {
    match flavour {
        Flavour::Torus => Flow::Torus,
        Flavour::Exchange => Flow::Exchange,
        Flavour::Vertical => Flow::Vertical,
        Flavour::Both => Flow::Both,
    }
}

fn sums_of(packed: &[u64]) -> Vec<Sums> {
    packed.iter().map(|&sums| [(sums >> 32) as i64, (sums & u64::from(u32::MAX)) as i64]).collect()
}

fn state_of(solutions: Solutions) -> State {
    let Solutions { words, sums, since } = solutions;
    State { words, sums: sums_of(&sums), since }
}

/// Runs on a device, and how many iterations a launch does.
#[derive(Debug)]
struct OnDevice<M> {
    machine: M,
    grids: Grids,
    part: u32,
}

impl<M: Machine> OnDevice<M> {
    fn new(mut machine: M, tables: &Tables, flavour: Flavour, [seed, runs]: [u64; 2], tuning: Tuning) -> Result<Self> {
        let runs = u32::try_from(runs).unwrap_or(u32::MAX);
        let grids = Grids::new(&mut machine, &tables.problem(), flow(flavour), runs, tuning).map_err(device_error)?;
        grids.start(&mut machine, seed).map_err(device_error)?;
        Ok(Self { machine, grids, part: FIRST })
    }

    /// One launch of at most `left` iterations; how many it did.
    fn launch(&mut self, iteration: u64, left: u64) -> std::result::Result<u64, CudaError> {
        let part = u64::from(self.part).min(left) as u32;
        let began = Instant::now();
        self.grids.walk(&mut self.machine, iteration as u32, part)?;
        self.machine.wait()?;
        let took = began.elapsed();
        if took > LONG {
            self.part = (self.part / 2).max(1);
        } else if took < SHORT && part == self.part {
            self.part = (self.part * 2).min(MOST);
        }
        Ok(u64::from(part))
    }
}

/// The grid on a device.
#[derive(Debug)]
pub struct DeviceGrid<E, M: Machine> {
    evaluation: E,
    flavour: Flavour,
    iteration: u64,
    iterations: u64,
    threads: Option<Arc<rayon::ThreadPool>>,
    device: Option<OnDevice<M>>,
    cpu: Option<PackedGrid<E>>,
    /// All solutions at the last snapshot.
    last: (u64, State),
    notes: Vec<String>,
}

impl<E: Evaluation, M: Machine> DeviceGrid<E, M> {
    /// How the run is laid out over the device; `None` once that is lost.
    pub fn layout(&self) -> Option<Layout> {
        self.device.as_ref().map(|device| device.grids.layout())
    }

    fn walk(&mut self, until: u64) -> std::result::Result<(), CudaError> {
        let Some(device) = &mut self.device else { return Ok(()) };
        while self.iteration < until {
            self.iteration += device.launch(self.iteration, until - self.iteration)?;
        }
        Ok(())
    }

    /// All solutions as they are now, kept for the case that the device is lost.
    fn read(&mut self) -> std::result::Result<(), CudaError> {
        if let Some(device) = &mut self.device
            && self.last.0 != self.iteration
        {
            self.last = (self.iteration, state_of(device.grids.read(&mut device.machine)?));
        }
        Ok(())
    }

    /// Leaves the device: the CPU goes on from the last snapshot, up to iteration `until`.
    fn leave_device(&mut self, until: u64, why: &CudaError) -> Result<()> {
        self.device = None;
        let (from, state) = &self.last;
        self.notes.push(format!("{why}. From iteration {from} on the CPU went on, with the same numbers"));
        let (evaluation, threads) = (self.evaluation.clone(), self.threads.clone());
        let mut cpu = PackedGrid::resume(evaluation, self.flavour, self.iterations, *from, state, threads);
        cpu.advance((until - from) as u32)?;
        self.iteration = until;
        self.cpu = Some(cpu);
        Ok(())
    }

    /// Reads, or goes on on the CPU where that fails.
    fn refresh(&mut self) -> Result<()> {
        match self.read() {
            Ok(()) => Ok(()),
            Err(why) => self.leave_device(self.iteration, &why),
        }
    }
}

impl<E: Evaluation, M: Machine> Epochs for DeviceGrid<E, M> {
    type Solution = Found;

    fn advance(&mut self, steps: u32) -> Result<()> {
        if let Some(cpu) = &mut self.cpu {
            self.iteration += u64::from(steps);
            return cpu.advance(steps);
        }
        let until = self.iteration + u64::from(steps);
        match self.walk(until) {
            Ok(()) => Ok(()),
            Err(why) => self.leave_device(until, &why),
        }
    }

    fn snapshot(&mut self) -> Result<Snapshot<Found>> {
        self.refresh()?;
        if let Some(cpu) = &mut self.cpu {
            return cpu.snapshot();
        }
        let state = self.last.1.clone();
        let counts = [self.iteration, self.iterations, state.count() as u64 * (self.iteration + 1)];
        Ok(snapshot(&self.evaluation, state, None, counts, Some(self.flavour)))
    }
}

impl<E: Evaluation, M: Machine> Search for DeviceGrid<E, M> {
    fn reached(&mut self) -> Result<(f64, u64)> {
        self.refresh()?;
        match &mut self.cpu {
            Some(cpu) => cpu.reached(),
            None => {
                let state = &self.last.1;
                let (number, _, since) = best_of(&self.evaluation, &state.sums, &state.since);
                Ok((self.evaluation.cost(state.sums[number]), since.into()))
            }
        }
    }

    fn state(&mut self) -> Result<State> {
        self.refresh()?;
        match &mut self.cpu {
            Some(cpu) => Search::state(cpu),
            None => Ok(self.last.1.clone()),
        }
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

/// What a search on a device needs beside the problem.
#[derive(Debug)]
pub struct Start<M> {
    /// How solutions flow.
    pub flavour: Flavour,
    /// Iterations of the whole run.
    pub iterations: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Threads of the CPU that goes on where the device is lost.
    pub threads: Option<Arc<rayon::ThreadPool>>,
    /// The device.
    pub machine: M,
    /// How it is used.
    pub tuning: Tuning,
}

impl<M: Machine + std::fmt::Debug + 'static> Start<M> {
    /// The search before its first iteration.
    ///
    /// # Errors
    /// [`Error::Device`] where the device cannot hold or run it; [`Error::Usage`] where the instance cannot be searched at all.
    pub fn search(self, instance: &Instance) -> Result<Box<dyn Search>> {
        let tables = Tables::new(instance)?;
        with_evaluation(instance, Visit { start: self, tables })?
    }
}

struct Visit<M> {
    start: Start<M>,
    tables: Tables,
}

impl<M: Machine + std::fmt::Debug + 'static> Visitor for Visit<M> {
    type Output = Result<Box<dyn Search>>;

    fn visit<E: Evaluation>(self, evaluation: E) -> Self::Output {
        let Self { start, tables } = self;
        let Start { flavour, iterations, seed, threads, machine, tuning } = start;
        let mut device = OnDevice::new(machine, &tables, flavour, [seed, 1], tuning)?;
        let first = device.grids.read(&mut device.machine).map_err(device_error)?;
        Ok(Box::new(DeviceGrid {
            evaluation,
            flavour,
            iteration: 0,
            iterations,
            threads,
            device: Some(device),
            cpu: None,
            last: (0, state_of(first)),
            notes: Vec::new(),
        }))
    }
}

/// Many runs side by side: as [`super::run::batch::batch`], without a target. `seconds` of a run is its share of the time of all.
///
/// # Errors
/// [`Error::Device`] where the device cannot hold a run, or is lost.
pub fn batch<M: Machine + std::fmt::Debug>(
    instance: &Instance,
    flavour: Flavour,
    iterations: u64,
    [first, count]: [u64; 2],
    machine: &mut dyn FnMut() -> Result<M>,
    tuning: Tuning,
    control: &Control,
) -> Result<Vec<BatchRun>> {
    let tables = Tables::new(instance)?;
    let mut found = Vec::new();
    let mut next = 0;
    while next < count && !control.is_cancelled() {
        let mut machine = machine()?;
        let free = machine.limits().map_err(device_error)?.free;
        let (shared, each) = Grids::bytes(&tables.problem());
        // Half of what is free: others use the device, too.
        let room = ((free / 2).saturating_sub(shared) / each.max(1)).max(1);
        let numbered = u64::from(u32::MAX) / u64::from(tables.problem().solutions());
        let runs = (count - next).min(room).min(numbered).min(u64::from(u16::MAX));
        let seed = first.wrapping_add(next);
        let began = Instant::now();
        let mut device = OnDevice::new(machine, &tables, flavour, [seed, runs], tuning)?;
        let mut done = 0;
        while done < iterations {
            control.wait_while_paused();
            if control.is_cancelled() {
                return Ok(found);
            }
            done += device.launch(done, iterations - done).map_err(device_error)?;
        }
        let seconds = began.elapsed().as_secs_f64() / runs as f64;
        found.extend(with_evaluation(instance, Judge { device: &mut device, seed, iterations, seconds })??);
        next += runs;
    }
    Ok(found)
}

/// Finds the best solution of each run.
struct Judge<'a, M> {
    device: &'a mut OnDevice<M>,
    seed: u64,
    iterations: u64,
    seconds: f64,
}

impl<M: Machine> Visitor for Judge<'_, M> {
    type Output = Result<Vec<BatchRun>>;

    fn visit<E: Evaluation>(self, evaluation: E) -> Self::Output {
        let Self { device: OnDevice { machine, grids, .. }, seed, iterations, seconds } = self;
        let (sums, since) = grids.read_sums(machine).map_err(device_error)?;
        let (sums, each) = (sums_of(&sums), grids.solutions() as usize);
        let runs = sums.chunks(each).zip(since.chunks(each));
        let bests: Vec<_> = runs.map(|(sums, since)| best_of(&evaluation, sums, since)).collect();
        let numbers = bests.iter().enumerate().map(|(run, (number, ..))| (run * each + number) as u32);
        let numbers: Vec<u32> = numbers.collect();
        let words = grids.gather(machine, &numbers).map_err(device_error)?;
        let found = words.chunks(evaluation.words()).enumerate().map(|(run, words)| BatchRun {
            seed: seed.wrapping_add(run as u64),
            cost: evaluation.cost(sums[numbers[run] as usize]),
            since: bests[run].2.into(),
            iterations,
            seconds,
            bits: bit_string(&unpack(words, E::PER_WORD, evaluation.bits())),
        });
        Ok(found.collect())
    }
}
