//! All searches on a device, with the numbers of [`super::packed`], [`super::genetic`] and [`super::random`]: one run that has the device
//! to itself, or many side by side.
//!
//! The host reads all solutions where a snapshot is taken. If the device is lost, the CPU goes on from the last snapshot: it repeats
//! what was under way, and the run continues with the same numbers.

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use gridwright_kernels::systolic::Tuning;
use gridwright_kernels::systolic::{Flow, Grids, Problem, Rivals, Rule, Solutions, Worth};
use gridwright_kernels::{CudaError, Limits, Machine};

use super::evaluation::{Evaluation, Sums, Visitor, unpack, with_evaluation};
use super::genetic::{Genetic, flip_table};
use super::grid::{Flavour, Grid};
use super::packed::PackedGrid;
use super::random::RandomSearch;
use super::run::batch::BatchRun;
use super::run::{Algorithm, bit_string};
use super::state::{Found, Record, State, best_of, snapshot};
use super::{Instance, Kind, Search};
use crate::backend::MemoryNeed;
use crate::random::threshold;
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
    /// The least weight of item 128·k and all behind it.
    lightest: Vec<u32>,
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
        let mut lightest: Vec<u32> =
            items.chunks(128).map(|items| least(items.iter().map(|&item| item as u32))).collect();
        for part in (1..lightest.len()).rev() {
            lightest[part - 1] = lightest[part - 1].min(lightest[part]);
        }
        Ok(Self { worth, grid, cells: cells.collect(), items, lightest })
    }

    fn problem(&self) -> Problem<'_> {
        let Self { worth, grid, cells, items, .. } = self;
        Problem { worth: *worth, bits: grid.bits as u32, rows: grid.rows as u32, cells, items }
    }
}

fn least(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.min().unwrap_or(0)
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

/// What a device works on.
#[derive(Debug)]
enum Work {
    Grid(Grids),
    Rival(Rivals),
}

/// What a rival does in an iteration, and its limits for flipped bits.
fn flips(algorithm: &Algorithm, bits: usize) -> Vec<u32> {
    match algorithm {
        Algorithm::Generational(parameters) | Algorithm::Elitist(parameters) => flip_table(bits, parameters.mutation),
        Algorithm::Grid(..) | Algorithm::Random(_) => Vec::new(),
    }
}

fn rule<'a>(algorithm: &Algorithm, tables: &'a Tables, flips: &'a [u32]) -> Rule<'a> {
    match algorithm {
        Algorithm::Generational(parameters) | Algorithm::Elitist(parameters) => Rule::Genetic {
            elitist: matches!(algorithm, Algorithm::Elitist(_)),
            crossover: threshold(parameters.crossover),
            flips,
        },
        Algorithm::Grid(..) | Algorithm::Random(_) => Rule::Random { lightest: &tables.lightest },
    }
}

/// Bytes of memory that a problem needs, and that each run needs.
fn bytes(algorithm: &Algorithm, tables: &Tables) -> (u64, u64) {
    match algorithm.flavour() {
        Some(_) => Grids::bytes(&tables.problem()),
        None => Rivals::bytes(&tables.problem(), &rule(algorithm, tables, &[])),
    }
}

/// What a run needs of a device with these limits.
///
/// # Errors
/// [`Error::Usage`] where the instance cannot be searched at all.
pub fn memory_need(instance: &Instance, algorithm: &Algorithm, limits: &Limits) -> Result<MemoryNeed> {
    let algorithm = algorithm.clone().resolved(instance.cells() as u64);
    let (problem, run) = bytes(&algorithm, &Tables::new(instance)?);
    Ok(MemoryNeed { needed: problem + run, free: limits.free })
}

/// Runs on a device, and how many iterations a launch does.
#[derive(Debug)]
struct OnDevice<M> {
    machine: M,
    work: Work,
    part: u32,
}

impl<M: Machine> OnDevice<M> {
    fn new(
        mut machine: M,
        tables: &Tables,
        algorithm: &Algorithm,
        [seed, runs]: [u64; 2],
        tuning: Tuning,
    ) -> Result<Self> {
        let (runs, problem) = (u32::try_from(runs).unwrap_or(u32::MAX), tables.problem());
        let work = match algorithm.flavour() {
            Some(flavour) => {
                let grids = Grids::new(&mut machine, &problem, flow(flavour), runs, tuning).map_err(device_error)?;
                grids.start(&mut machine, seed).map_err(device_error)?;
                Work::Grid(grids)
            }
            None => {
                let flips = flips(algorithm, tables.grid.bits);
                let rule = rule(algorithm, tables, &flips);
                let mut rivals = Rivals::new(&mut machine, &problem, &rule, runs).map_err(device_error)?;
                rivals.start(&mut machine, seed).map_err(device_error)?;
                Work::Rival(rivals)
            }
        };
        Ok(Self { machine, work, part: FIRST })
    }

    /// One launch of at most `left` iterations; how many it did.
    fn launch(&mut self, iteration: u64, left: u64) -> std::result::Result<u64, CudaError> {
        let part = u64::from(self.part).min(left) as u32;
        let began = Instant::now();
        match &mut self.work {
            Work::Grid(grids) => grids.walk(&mut self.machine, iteration as u32, part)?,
            Work::Rival(rivals) => rivals.walk(&mut self.machine, iteration as u32, part)?,
        }
        self.machine.wait()?;
        let took = began.elapsed();
        if took > LONG {
            self.part = (self.part / 2).max(1);
        } else if took < SHORT && part == self.part {
            self.part = (self.part * 2).min(MOST);
        }
        Ok(u64::from(part))
    }

    /// All solutions of a single run, and the best so far where these do not tell it.
    fn read<E: Evaluation>(&mut self, evaluation: &E) -> std::result::Result<(State, Option<Record>), CudaError> {
        let rivals = match &self.work {
            Work::Grid(grids) => return Ok((state_of(grids.read(&mut self.machine)?), None)),
            Work::Rival(rivals) => rivals,
        };
        let record = records(rivals, evaluation, &mut self.machine)?.swap_remove(0);
        let state = state_of(rivals.read(&mut self.machine)?);
        // Random search has nothing but its best.
        let state = if state.sums.is_empty() { record.as_state() } else { state };
        Ok((state, Some(record)))
    }
}

fn records<E: Evaluation>(
    rivals: &Rivals,
    evaluation: &E,
    machine: &mut dyn Machine,
) -> std::result::Result<Vec<Record>, CudaError> {
    let record = |record: gridwright_kernels::systolic::Record| {
        let sums = sums_of(&[record.sums])[0];
        Record { key: evaluation.key(sums), sums, since: record.since, words: record.words }
    };
    Ok(rivals.records(machine)?.into_iter().map(record).collect())
}

/// A search on a device.
struct DeviceSearch<E, M: Machine> {
    evaluation: E,
    algorithm: Algorithm,
    seed: u64,
    iteration: u64,
    threads: Option<Arc<rayon::ThreadPool>>,
    device: Option<OnDevice<M>>,
    cpu: Option<Box<dyn Search>>,
    /// Everything at the last snapshot.
    last: (u64, State, Option<Record>),
    notes: Vec<String>,
}

impl<E: Evaluation, M: Machine> DeviceSearch<E, M> {
    fn walk(&mut self, until: u64) -> std::result::Result<(), CudaError> {
        let Some(device) = &mut self.device else { return Ok(()) };
        while self.iteration < until {
            self.iteration += device.launch(self.iteration, until - self.iteration)?;
        }
        Ok(())
    }

    /// Everything as it is now, kept for the case that the device is lost.
    fn read(&mut self) -> std::result::Result<(), CudaError> {
        if let Some(device) = &mut self.device
            && self.last.0 != self.iteration
        {
            let (state, record) = device.read(&self.evaluation)?;
            self.last = (self.iteration, state, record);
        }
        Ok(())
    }

    /// The same search on the CPU, from the last snapshot on.
    fn on_cpu(&self) -> Box<dyn Search> {
        let (evaluation, threads, seed) = (self.evaluation.clone(), self.threads.clone(), self.seed);
        let (from, state, record) = &self.last;
        let record = || record.clone().unwrap_or_else(|| state.best(&self.evaluation));
        match &self.algorithm {
            Algorithm::Grid(flavour, parameters) => {
                let iterations = parameters.iterations;
                Box::new(PackedGrid::resume(evaluation, *flavour, iterations, *from, state, threads))
            }
            Algorithm::Generational(parameters) | Algorithm::Elitist(parameters) => {
                let elitist = matches!(self.algorithm, Algorithm::Elitist(_));
                let start = Genetic::resume(evaluation, elitist, parameters, seed, state.clone(), threads);
                Box::new(start.after(*from, record()))
            }
            Algorithm::Random(parameters) => {
                let start = RandomSearch::new(evaluation, parameters.iterations, seed, threads);
                Box::new(start.after(*from, record()))
            }
        }
    }

    /// Leaves the device: the CPU goes on from the last snapshot, up to iteration `until`.
    fn leave_device(&mut self, until: u64, why: &CudaError) -> Result<()> {
        self.device = None;
        let from = self.last.0;
        self.notes.push(format!("{why}. From iteration {from} on the CPU went on, with the same numbers"));
        let mut cpu = self.on_cpu();
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

impl<E: Evaluation, M: Machine> Epochs for DeviceSearch<E, M> {
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
        let (state, record) = (self.last.1.clone(), self.last.2.as_ref());
        let population = 2 * Grid::new(self.evaluation.bits()).cells() as u64;
        let evaluations = match self.algorithm {
            Algorithm::Random(_) => 1 + population * self.iteration,
            _ => population * (self.iteration + 1),
        };
        let counts = [self.iteration, self.algorithm.iterations(), evaluations];
        Ok(snapshot(&self.evaluation, state, record, counts, self.algorithm.flavour()))
    }
}

impl<E: Evaluation, M: Machine> Search for DeviceSearch<E, M> {
    fn reached(&mut self) -> Result<(f64, u64)> {
        self.refresh()?;
        if let Some(cpu) = &mut self.cpu {
            return cpu.reached();
        }
        let (_, state, record) = &self.last;
        if let Some(record) = record {
            return Ok((self.evaluation.cost(record.sums), record.since.into()));
        }
        let (number, _, since) = best_of(&self.evaluation, &state.sums, &state.since);
        Ok((self.evaluation.cost(state.sums[number]), since.into()))
    }

    fn state(&mut self) -> Result<State> {
        self.refresh()?;
        match &mut self.cpu {
            Some(cpu) => cpu.state(),
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
    /// What searches; without a number of iterations there is one for each cell.
    pub algorithm: Algorithm,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Threads of the CPU that goes on where the device is lost.
    pub threads: Option<Arc<rayon::ThreadPool>>,
    /// The device.
    pub machine: M,
    /// How the grid is laid out.
    pub tuning: Tuning,
}

impl<M: Machine + std::fmt::Debug + 'static> Start<M> {
    /// The search before its first iteration.
    ///
    /// # Errors
    /// [`Error::Device`] where the device cannot hold or run it; [`Error::Usage`] where the instance cannot be searched at all.
    pub fn search(mut self, instance: &Instance) -> Result<Box<dyn Search>> {
        self.algorithm = self.algorithm.resolved(instance.cells() as u64);
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
        let Start { algorithm, seed, threads, machine, tuning } = start;
        let mut device = OnDevice::new(machine, &tables, &algorithm, [seed, 1], tuning)?;
        let (state, record) = device.read(&evaluation).map_err(device_error)?;
        Ok(Box::new(DeviceSearch {
            evaluation,
            algorithm,
            seed,
            iteration: 0,
            threads,
            device: Some(device),
            cpu: None,
            last: (0, state, record),
            notes: Vec::new(),
        }))
    }
}

/// How so many runs of the grid are laid out over a device, in words.
///
/// # Errors
/// [`Error::Device`] where the device cannot hold the problem.
pub fn laid_out<M: Machine>(instance: &Instance, machine: &mut M, runs: u64, tuning: Tuning) -> Result<String> {
    let (tables, runs) = (Tables::new(instance)?, u32::try_from(runs).unwrap_or(u32::MAX));
    let layout = Grids::lay_out(machine, &tables.problem(), runs, tuning).map_err(device_error)?;
    let lanes = if layout.lanes == 1 { "1 lane".to_owned() } else { format!("{} lanes", layout.lanes) };
    let memory = if layout.shared { "shared" } else { "global" };
    Ok(format!("{lanes}, {} × {} threads, {memory} memory", layout.blocks, layout.block))
}

/// Many runs side by side: as [`super::run::batch::batch`], without a target. `seconds` of a run is its share of the time of all.
///
/// # Errors
/// [`Error::Device`] where the device cannot hold a run, or is lost.
pub fn batch<M: Machine + std::fmt::Debug>(
    instance: &Instance,
    algorithm: &Algorithm,
    [first, count]: [u64; 2],
    machine: &mut dyn FnMut() -> Result<M>,
    tuning: Tuning,
    control: &Control,
) -> Result<Vec<BatchRun>> {
    let tables = Tables::new(instance)?;
    let algorithm = algorithm.clone().resolved(instance.cells() as u64);
    let iterations = algorithm.iterations();
    let mut found = Vec::new();
    let mut next = 0;
    while next < count && !control.is_cancelled() {
        let mut machine = machine()?;
        let free = machine.limits().map_err(device_error)?.free;
        let (shared, each) = bytes(&algorithm, &tables);
        // Half of what is free: others use the device, too.
        let room = ((free / 2).saturating_sub(shared) / each.max(1)).max(1);
        let numbered = u64::from(u32::MAX) / u64::from(tables.problem().solutions());
        let runs = (count - next).min(room).min(numbered).min(u64::from(u16::MAX));
        let seed = first.wrapping_add(next);
        let began = Instant::now();
        let mut device = OnDevice::new(machine, &tables, &algorithm, [seed, runs], tuning)?;
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
        let Self { device: OnDevice { machine, work, .. }, seed, iterations, seconds } = self;
        let bests = match work {
            Work::Grid(grids) => best_of_runs(grids, &evaluation, machine),
            Work::Rival(rivals) => records(rivals, &evaluation, machine),
        };
        let found = bests.map_err(device_error)?.into_iter().enumerate().map(|(run, best)| BatchRun {
            seed: seed.wrapping_add(run as u64),
            cost: evaluation.cost(best.sums),
            since: best.since.into(),
            iterations,
            seconds,
            bits: bit_string(&unpack(&best.words, E::PER_WORD, evaluation.bits())),
        });
        Ok(found.collect())
    }
}

/// The best solution of each grid; only its bits are read.
fn best_of_runs<E: Evaluation>(
    grids: &Grids,
    evaluation: &E,
    machine: &mut dyn Machine,
) -> std::result::Result<Vec<Record>, CudaError> {
    let (sums, since) = grids.read_sums(machine)?;
    let (sums, each) = (sums_of(&sums), grids.solutions() as usize);
    let runs = sums.chunks(each).zip(since.chunks(each));
    let bests: Vec<_> = runs.map(|(sums, since)| best_of(evaluation, sums, since)).collect();
    let numbers: Vec<u32> = bests.iter().enumerate().map(|(run, (number, ..))| (run * each + number) as u32).collect();
    let words = grids.gather(machine, &numbers)?;
    let found = words.chunks(evaluation.words()).zip(&numbers).zip(bests).map(|((words, &number), (_, key, since))| {
        Record { key, sums: sums[number as usize], since, words: words.to_vec() }
    });
    Ok(found.collect())
}
