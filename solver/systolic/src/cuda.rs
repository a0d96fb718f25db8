//! CUDA implementation of all searches, with results identical to [`super::packed`], [`super::genetic`] and
//! [`super::random`]: single runs, or many runs in parallel.
//!
//! The host reads all solutions at each snapshot. If the device is lost, the CPU repeats everything since the last
//! snapshot and continues the run with the same numbers.

mod side_by_side;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) use gridwright_kernels::systolic::Tuning;
use gridwright_kernels::systolic::{Baselines, FirstPopulations, Flow, Grids, Problem, Rule, Solutions, Worth};
use gridwright_kernels::{CudaError, DeviceRuntime, Limits};
pub(super) use side_by_side::snapshots;

use super::evaluation::{Evaluation, Sums, Visitor, unpack, with_evaluation};
use super::formats::solution::text_of;
use super::genetic::{Genetic, flip_table};
use super::grid::{Flavour, Grid};
use super::packed::PackedGrid;
use super::random::RandomSearch;
use super::rules::FirstSolutions;
use super::run::Algorithm;
use super::run::batch::BatchRun;
use super::state::{BestBits, Record, State, best_of, snapshot};
use super::{Instance, Kind, Search};
use gridwright_core::backend::MemoryNeed;
use gridwright_core::numbers::counted;
use gridwright_core::random::threshold;
use gridwright_core::search::failover::{DeviceEpochs, FailoverSearch};
use gridwright_core::search::{Control, NotedImprovement, Snapshot};
use gridwright_core::{Error, Result};

/// Kernel launches longer than this are shortened, so that a GPU that also drives a display stays responsive.
const LONG: Duration = Duration::from_millis(40);

/// Kernel launches shorter than this are lengthened.
const SHORT: Duration = Duration::from_millis(15);

/// Iterations of the first launch.
const FIRST: u32 = 16;

/// Largest number of iterations per launch.
const MOST: u32 = 1 << 16;

/// Problem in the form that the kernels read.
#[derive(Debug)]
struct Tables {
    worth: Worth,
    grid: Grid,
    cells: Vec<u64>,
    items: Vec<u64>,
    /// Smallest weight among item 128·k and all later ones.
    lightest: Vec<u32>,
}

impl Tables {
    fn new(instance: &Instance, grid: Grid) -> Result<Self> {
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
            Kind::Knapsack { profits, .. } => {
                let (weights, capacity) = instance.kind.weights_in_parts();
                whole(profits)?;
                // A capacity above the total weight has no effect.
                let all = whole(&weights)?;
                let capacity = u32::try_from(capacity).unwrap_or(u32::MAX).min(all.max(1));
                (Worth::Knapsack { capacity }, pairs(profits, &weights))
            }
            Kind::NextRelease { costs, values, tenths, .. } => {
                let (all_values, all_costs) = (whole(values)?, whole(costs)?);
                (Worth::NextRelease { all_values, all_costs, tenths: (*tenths).into() }, pairs(values, costs))
            }
            Kind::Deceptive { .. } => (Worth::Deceptive, Vec::new()),
            // OneMax as a knapsack of items with profit 1 and weight 0.
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

/// Sums as the device holds them: first · 2³² + second.
fn packed(sums: Sums) -> u64 {
    (sums[0] as u64) << 32 | sums[1] as u64
}

fn sums_of(packed: &[u64]) -> Vec<Sums> {
    packed.iter().map(|&sums| [(sums >> 32) as i64, (sums & u64::from(u32::MAX)) as i64]).collect()
}

/// The solutions of each of `runs` runs.
fn states(solutions: Solutions, runs: u32) -> Vec<State> {
    let Solutions { words, sums, since } = solutions;
    let runs = runs as usize;
    let part = |all: usize, run: usize| run * (all / runs)..(run + 1) * (all / runs);
    let state = |run: usize| State {
        words: words[part(words.len(), run)].to_vec(),
        sums: sums_of(&sums[part(sums.len(), run)]),
        since: since[part(since.len(), run)].to_vec(),
    };
    (0..runs).map(state).collect()
}

/// Snapshot of a run after an iteration.
fn snapshot_of<E: Evaluation>(
    evaluation: &E, algorithm: &Algorithm, iteration: u64, (state, record): &(State, Option<Record>),
) -> Snapshot<BestBits> {
    let grid = algorithm.grid(evaluation.bits());
    let counts = [iteration, algorithm.iterations(), algorithm.evaluations(evaluation.bits(), iteration)];
    snapshot(evaluation, state, record.as_ref(), counts, (grid, algorithm.flavour()))
}

/// Device data of the search.
#[derive(Debug)]
enum Work {
    Grid(Grids),
    Baseline(Baselines),
}

/// Thresholds of flipped bits of a genetic algorithm; empty for other algorithms.
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

/// Device memory in bytes: for the problem, and per run.
fn bytes(algorithm: &Algorithm, tables: &Tables) -> (u64, u64) {
    match algorithm.flavour() {
        Some(_) => Grids::bytes(&tables.problem()),
        None => Baselines::bytes(&tables.problem(), &rule(algorithm, tables, &[])),
    }
}

/// Estimates the device memory of a run, for a device with these limits.
///
/// # Errors
/// [`Error::Usage`] if the instance cannot be searched.
pub fn memory_need(instance: &Instance, algorithm: &Algorithm, limits: &Limits) -> Result<MemoryNeed> {
    let algorithm = algorithm.clone().resolved_for(instance.bits());
    let (problem, run) = bytes(&algorithm, &Tables::new(instance, algorithm.grid(instance.bits()))?);
    Ok(MemoryNeed { needed: problem + run, free: limits.free })
}

/// First solutions of several runs that the host makes, for rules that the device does not know.
struct FirstOnDevice {
    start: FirstSolutions,
    /// Number of horizontal solutions of a run.
    half: usize,
    /// Seed of the first run.
    seed: u64,
    runs: u32,
}

impl Visitor for FirstOnDevice {
    type Output = FirstPopulations;

    fn visit<E: Evaluation>(self, evaluation: E) -> FirstPopulations {
        let Self { start, half, seed, runs } = self;
        let mut first = FirstPopulations::default();
        for run in 0..u64::from(runs) {
            let state = State::first(&evaluation, start, half, seed.wrapping_add(run), 0..2 * half, None);
            for number in 0..state.count() {
                let mut before: Sums = [0; 2];
                let words = state.solution(number);
                for (word, &bits) in words[..words.len() - 1].iter().enumerate() {
                    let part = evaluation.part(word, bits);
                    before = [before[0] + part[0], before[1] + part[1]];
                    first.before.push(packed(before));
                }
            }
            first.sums.extend(state.sums.iter().copied().map(packed));
            first.words.extend(state.words);
        }
        first
    }
}

/// Runs on a device and the number of iterations per launch.
#[derive(Debug)]
struct OnDevice<M> {
    runtime: M,
    work: Work,
    part: u32,
}

impl<M: DeviceRuntime> OnDevice<M> {
    fn new(
        mut runtime: M, instance: &Instance, tables: &Tables, algorithm: &Algorithm, [seed, runs]: [u64; 2],
        tuning: Tuning,
    ) -> Result<Self> {
        let (runs, problem) = (u32::try_from(runs).unwrap_or(u32::MAX), tables.problem());
        let work = match algorithm {
            Algorithm::Grid(flavour, parameters) => {
                let grids = Grids::new(&mut runtime, &problem, flow(*flavour), runs, tuning)?;
                match parameters.start {
                    FirstSolutions::Random => grids.start(&mut runtime, seed)?,
                    start => {
                        let first = FirstOnDevice { start, half: tables.grid.cells(), seed, runs };
                        grids.place(&mut runtime, &with_evaluation(instance, first)?)?;
                    }
                }
                Work::Grid(grids)
            }
            _ => {
                let flips = flips(algorithm, tables.grid.bits);
                let rule = rule(algorithm, tables, &flips);
                let mut baselines = Baselines::new(&mut runtime, &problem, &rule, runs)?;
                baselines.start(&mut runtime, seed)?;
                Work::Baseline(baselines)
            }
        };
        Ok(Self { runtime, work, part: FIRST })
    }

    /// Launches at most `left` iterations; returns how many were computed.
    fn launch(&mut self, iteration: u64, left: u64) -> std::result::Result<u64, CudaError> {
        let part = u64::from(self.part).min(left) as u32;
        let began = Instant::now();
        match &mut self.work {
            Work::Grid(grids) => grids.advance(&mut self.runtime, iteration as u32, part)?,
            Work::Baseline(baselines) => baselines.advance(&mut self.runtime, iteration as u32, part)?,
        }
        self.runtime.wait()?;
        let took = began.elapsed();
        if took > LONG {
            self.part = (self.part / 2).max(1);
        } else if took < SHORT && part == self.part {
            self.part = (self.part * 2).min(MOST);
        }
        Ok(u64::from(part))
    }

    /// Reads all solutions of each run, and the best so far where the solutions do not contain it.
    fn read<E: Evaluation>(&mut self, evaluation: &E) -> std::result::Result<Vec<(State, Option<Record>)>, CudaError> {
        let baselines = match &self.work {
            Work::Grid(grids) => {
                let states = states(grids.read(&mut self.runtime)?, grids.runs());
                return Ok(states.into_iter().map(|state| (state, None)).collect());
            }
            Work::Baseline(baselines) => baselines,
        };
        let records = records(baselines, evaluation, &mut self.runtime)?;
        let states = states(baselines.read(&mut self.runtime)?, baselines.runs());
        // Random search keeps only its best.
        let kept = |state: State, record: &Record| if state.sums.is_empty() { record.as_state() } else { state };
        Ok(states.into_iter().zip(records).map(|(state, record)| (kept(state, &record), Some(record))).collect())
    }
}

fn records<E: Evaluation>(
    baselines: &Baselines, evaluation: &E, runtime: &mut dyn DeviceRuntime,
) -> std::result::Result<Vec<Record>, CudaError> {
    let record = |record: gridwright_kernels::systolic::Record| {
        let sums = sums_of(&[record.sums])[0];
        Record { key: evaluation.key(sums), sums, since: record.since, words: record.words }
    };
    Ok(baselines.records(runtime)?.into_iter().map(record).collect())
}

/// Search on a device.
struct DeviceSearch<E, M: DeviceRuntime> {
    evaluation: E,
    algorithm: Algorithm,
    seed: u64,
    iteration: u64,
    threads: Option<Arc<rayon::ThreadPool>>,
    device: OnDevice<M>,
    /// Iteration of the last snapshot, and its state and best solution.
    last: (u64, (State, Option<Record>)),
    /// Iteration up to which improvements were told.
    told: u64,
}

/// The cost of the best solution of an epoch that ended with iteration `end` and began after iteration `begin`, and the
/// iteration in which it was first reached; earlier improvements of the epoch are not known.
pub(super) fn noted(
    algorithm: &Algorithm, bits: usize, (cost, since): (f64, u64), [begin, end]: [u64; 2],
) -> NotedImprovement {
    let evaluations = algorithm.evaluations(bits, since);
    NotedImprovement { step: since, evaluations, cost, at: Instant::now(), exact: end <= begin + 1 }
}

impl<E: Evaluation, M: DeviceRuntime> DeviceSearch<E, M> {
    /// As [`Search::reached`].
    fn reached(&mut self) -> Result<(f64, u64)> {
        self.read()?;
        let (evaluation, (state, record)) = (&self.evaluation, &self.last.1);
        if let Some(record) = record {
            return Ok((evaluation.cost(record.sums), record.since.into()));
        }
        let (number, _, since) = best_of(evaluation, &state.sums, &state.since);
        Ok((evaluation.cost(state.sums[number]), since.into()))
    }

    /// Reads the state, which is kept in case the device is lost.
    fn read(&mut self) -> Result<&(State, Option<Record>)> {
        if self.last.0 != self.iteration {
            self.last = (self.iteration, self.device.read(&self.evaluation)?.swap_remove(0));
        }
        Ok(&self.last.1)
    }
}

impl<E: Evaluation, M: DeviceRuntime> DeviceEpochs for DeviceSearch<E, M> {
    type Cpu = Box<dyn Search>;
    const UNIT: &'static str = "iteration";

    fn step(&self) -> u64 {
        self.iteration
    }

    fn advance(&mut self, steps: u32) -> Result<()> {
        let until = self.iteration + u64::from(steps);
        while self.iteration < until {
            self.iteration += self.device.launch(self.iteration, until - self.iteration)?;
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestBits>> {
        self.read()?;
        Ok(snapshot_of(&self.evaluation, &self.algorithm, self.iteration, &self.last.1))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        let epoch = [std::mem::replace(&mut self.told, self.iteration), self.iteration];
        let best = self.reached().ok();
        best.map(|best| noted(&self.algorithm, self.evaluation.bits(), best, epoch)).into_iter().collect()
    }

    /// The CPU repeats the iterations since the last snapshot.
    fn continued(&mut self, _why: &Error, control: &Control) -> Result<(u64, Box<dyn Search>)> {
        let (evaluation, threads, seed) = (self.evaluation.clone(), self.threads.clone(), self.seed);
        let (from, (state, record)) = &self.last;
        let record = || record.clone().unwrap_or_else(|| state.best(&self.evaluation));
        let mut cpu: Box<dyn Search> = match &self.algorithm {
            Algorithm::Grid(flavour, parameters) => {
                Box::new(PackedGrid::resume(evaluation, *flavour, parameters, *from, state, threads))
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
        };
        cpu.set_control(control);
        Ok((*from, cpu))
    }
}

impl<E: Evaluation, M: DeviceRuntime> Search for FailoverSearch<DeviceSearch<E, M>> {
    fn reached(&mut self) -> Result<(f64, u64)> {
        self.ask(DeviceSearch::reached, |cpu| cpu.reached())
    }

    fn state(&mut self) -> Result<State> {
        self.ask(|device| Ok(device.read()?.0.clone()), |cpu| cpu.state())
    }

    fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
    }
}

/// Parameters of a search on a device.
#[derive(Debug)]
pub struct Start<M> {
    /// Algorithm; 0 iterations stand for one per cell.
    pub algorithm: Algorithm,
    /// Seed.
    pub seed: u64,
    /// Threads of the CPU that continues if the device is lost.
    pub threads: Option<Arc<rayon::ThreadPool>>,
    /// Device.
    pub runtime: M,
    /// Kernel configuration of the grid.
    pub tuning: Tuning,
}

impl<M: DeviceRuntime + std::fmt::Debug + 'static> Start<M> {
    /// Starts the search.
    ///
    /// # Errors
    /// [`Error::Device`] if the device lacks memory or fails; [`Error::Usage`] if the instance cannot be searched.
    pub fn search(mut self, instance: &Instance) -> Result<Box<dyn Search>> {
        self.algorithm = self.algorithm.resolved_for(instance.bits());
        let tables = Tables::new(instance, self.algorithm.grid(instance.bits()))?;
        with_evaluation(instance, Visit { start: self, instance, tables })?
    }
}

struct Visit<'a, M> {
    start: Start<M>,
    instance: &'a Instance,
    tables: Tables,
}

impl<M: DeviceRuntime + std::fmt::Debug + 'static> Visitor for Visit<'_, M> {
    type Output = Result<Box<dyn Search>>;

    fn visit<E: Evaluation>(self, evaluation: E) -> Self::Output {
        let Self { start, instance, tables } = self;
        let Start { algorithm, seed, threads, runtime, tuning } = start;
        let mut device = OnDevice::new(runtime, instance, &tables, &algorithm, [seed, 1], tuning)?;
        let first = device.read(&evaluation)?.swap_remove(0);
        let search =
            DeviceSearch { evaluation, algorithm, seed, iteration: 0, threads, device, last: (0, first), told: 0 };
        Ok(Box::new(FailoverSearch::new(search, Control::new())))
    }
}

/// Describes how `runs` runs of the grid are distributed over the device.
///
/// # Errors
/// [`Error::Device`] if the device lacks memory.
pub fn laid_out<M: DeviceRuntime>(instance: &Instance, runtime: &mut M, runs: u64, tuning: Tuning) -> Result<String> {
    let tables = Tables::new(instance, Grid::new(instance.bits()))?;
    let runs = u32::try_from(runs).unwrap_or(u32::MAX);
    let layout = Grids::lay_out(runtime, &tables.problem(), runs, tuning)?;
    let lanes = counted(layout.lanes, "lane");
    let memory = if layout.shared { "shared" } else { "global" };
    Ok(format!("{lanes}, {} × {} threads, {memory} memory", layout.blocks, layout.block))
}

/// Largest number of runs that a device holds at once.
fn at_once<M: DeviceRuntime>(algorithm: &Algorithm, tables: &Tables, runtime: &mut M) -> Result<u64> {
    let free = runtime.limits()?.free;
    let (shared, each) = bytes(algorithm, tables);
    // Half of the free memory is left to other programs.
    let room = ((free / 2).saturating_sub(shared) / each.max(1)).max(1);
    let numbered = u64::from(u32::MAX) / u64::from(tables.problem().solutions());
    Ok(room.min(numbered).min(u64::from(u16::MAX)))
}

/// Computes many runs in parallel, as [`super::run::batch::batch`] without a target; seeds `first … first + count − 1`.
/// `seconds` of a run is the total time divided by the number of runs. A cancelled batch returns the completed runs.
///
/// # Errors
/// [`Error::Device`] if the device lacks memory for one run or is lost.
pub fn batch<M: DeviceRuntime + std::fmt::Debug>(
    instance: &Instance, algorithm: &Algorithm, [first, count]: [u64; 2], runtime: &mut dyn FnMut() -> Result<M>,
    tuning: Tuning, control: &Control,
) -> Result<Vec<BatchRun>> {
    let algorithm = algorithm.clone().resolved_for(instance.bits());
    let tables = Tables::new(instance, algorithm.grid(instance.bits()))?;
    let iterations = algorithm.iterations();
    let mut found = Vec::new();
    let mut next = 0;
    while next < count && !control.is_cancelled() {
        let mut runtime = runtime()?;
        let runs = (count - next).min(at_once(&algorithm, &tables, &mut runtime)?);
        let seed = first.wrapping_add(next);
        let began = Instant::now();
        let mut device = OnDevice::new(runtime, instance, &tables, &algorithm, [seed, runs], tuning)?;
        let mut done = 0;
        while done < iterations {
            control.wait_while_paused();
            if control.is_cancelled() {
                return Ok(found);
            }
            done += device.launch(done, iterations - done)?;
        }
        let seconds = began.elapsed().as_secs_f64() / runs as f64;
        found.extend(with_evaluation(instance, Judge { device: &mut device, seed, iterations, seconds })??);
        next += runs;
    }
    Ok(found)
}

/// Collects the best solution of each run.
struct Judge<'a, M> {
    device: &'a mut OnDevice<M>,
    seed: u64,
    iterations: u64,
    seconds: f64,
}

impl<M: DeviceRuntime> Visitor for Judge<'_, M> {
    type Output = Result<Vec<BatchRun>>;

    fn visit<E: Evaluation>(self, evaluation: E) -> Self::Output {
        let Self { device: OnDevice { runtime, work, .. }, seed, iterations, seconds } = self;
        let bests = match work {
            Work::Grid(grids) => best_of_runs(grids, &evaluation, runtime),
            Work::Baseline(baselines) => records(baselines, &evaluation, runtime),
        };
        let found = bests?.into_iter().enumerate().map(|(run, best)| BatchRun {
            seed: seed.wrapping_add(run as u64),
            cost: evaluation.cost(best.sums),
            since: best.since.into(),
            iterations,
            seconds,
            bits: text_of(&unpack(&best.words, E::PER_WORD, evaluation.bits())),
        });
        Ok(found.collect())
    }
}

/// Best solution of each grid; only its bits are copied from the device.
fn best_of_runs<E: Evaluation>(
    grids: &Grids, evaluation: &E, runtime: &mut dyn DeviceRuntime,
) -> std::result::Result<Vec<Record>, CudaError> {
    let (sums, since) = grids.read_sums(runtime)?;
    let (sums, each) = (sums_of(&sums), grids.solutions() as usize);
    let runs = sums.chunks(each).zip(since.chunks(each));
    let bests: Vec<_> = runs.map(|(sums, since)| best_of(evaluation, sums, since)).collect();
    let numbers: Vec<u32> = bests.iter().enumerate().map(|(run, (number, ..))| (run * each + number) as u32).collect();
    let words = grids.gather(runtime, &numbers)?;
    let found = words.chunks(evaluation.words()).zip(&numbers).zip(bests).map(|((words, &number), (_, key, since))| {
        Record { key, sums: sums[number as usize], since, words: words.to_vec() }
    });
    Ok(found.collect())
}
