//! The hybrid evolutionary algorithm on a device, with the populations of [`super::cpu`].
//!
//! By default one kernel computes a whole generation, and up to about 20 ms of generations are launched before the host
//! synchronises. Their records (smallest, mean and largest cost, digest, best chromosome) are written to a ring buffer,
//! from which the epochs are then served one by one. The published phases as separate kernels run if another evaluator
//! or two-pass reproduction is chosen.
//!
//! From time to time, rarely enough to cost little, the population is copied to the host as a checkpoint. If the device
//! is lost, the CPU continues from the checkpoint: it repeats the generations since, compares the digest, and the
//! result does not depend on the failure.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gridwright_kernels::evolution::{Generation, Layout, Population, Record, SLOTS, Sum, Tuning, Worker};
use gridwright_kernels::{CudaError, DeviceRuntime};

use super::cpu::{CpuEvolution, PhaseSeconds};
use super::device_tables::{graph, shape};
use super::digest::state_digest;
use super::initial::Origin;
use super::{Evaluator, EvolutionParameters, Reproduction, Tables, initial};
use crate::Timetable;
use crate::model::Model;
use gridwright_core::random::Philox;
use gridwright_core::search::failover::DeviceEpochs;
use gridwright_core::search::{Construction, Control, Epochs, ImprovementLog, NotedImprovement, Snapshot};
use gridwright_core::{Error, Result};

/// Result of a device operation.
type DeviceResult<T> = std::result::Result<T, CudaError>;

/// Target duration of the work launched before the host synchronises.
const BATCH: Duration = Duration::from_millis(20);

/// Longest launch; a longer generation is split, because a desktop's GPU also draws the screen.
const LONG: Duration = Duration::from_millis(40);

/// Individuals per launch while the speed of the device is unknown.
const FIRST_PART: u32 = 2_048;

/// The population is copied to the host after this many times the duration of a copy.
const COPY_SHARE: u32 = 30;

/// Variant of the published algorithm with one kernel per phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseKernels {
    /// Part of the conflict matrix that the evaluation sums.
    pub sum: Sum,
    /// Unit of work of a thread in the evaluation: a chromosome or an exam.
    pub worker: Worker,
    /// True if selection and crossover are two kernels.
    pub in_two: bool,
}

/// Options of the device backend; results do not depend on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeviceOptions {
    /// Lanes per chromosome and chromosomes per block.
    pub tuning: Tuning,
    /// One kernel per phase in this variant; `None`: as the parameters require, by default one kernel per generation.
    pub phase_kernels: Option<PhaseKernels>,
    /// True to synchronise after every phase and measure its time.
    pub timed: bool,
    /// Maximum number of generations launched ahead; 0: as many as fit into 20 ms.
    pub ahead: u32,
}

/// Record of a completed generation that has not been served yet.
#[derive(Debug)]
struct Finished {
    record: Record,
    /// Best chromosome of the generation, if it improves on all before.
    best: Option<Arc<Timetable>>,
}

/// Checkpoint of the population on the host, from which the CPU can continue.
#[derive(Debug)]
struct Copied {
    generation: u32,
    rows: Vec<u8>,
    best: Arc<Timetable>,
    best_cost: u32,
}

/// The device and the population on it.
#[derive(Debug)]
struct OnDevice<M> {
    runtime: M,
    population: Population,
}

/// State of the evolutionary algorithm on a device.
#[derive(Debug)]
pub struct DeviceEvolution<M: DeviceRuntime> {
    parameters: EvolutionParameters,
    model: Model,
    tables: Tables,
    seed: u64,
    threads: Arc<rayon::ThreadPool>,
    options: DeviceOptions,
    phase_kernels: Option<PhaseKernels>,
    device: OnDevice<M>,
    generation: u32,
    record: Record,
    best: Arc<Timetable>,
    best_cost: u32,
    improvements: ImprovementLog,
    finished: VecDeque<Finished>,
    copied: Copied,
    /// Buffer for the next checkpoint.
    spare: Vec<u8>,
    /// Device time since the last checkpoint.
    since_copy: Duration,
    copy_took: Duration,
    part: u32,
    ahead: u32,
    phase_seconds: PhaseSeconds,
    device_seconds: f64,
}

impl PhaseKernels {
    /// The variant that the parameters require; `None`: one kernel per generation.
    fn of(parameters: &EvolutionParameters) -> Option<Self> {
        let (sum, worker) = match parameters.evaluator {
            Evaluator::FullByChromosome => (Sum::Full, Worker::Chromosome),
            Evaluator::FullByExam => (Sum::Full, Worker::Exam),
            Evaluator::Sparse => (Sum::Sparse, Worker::Exam),
            Evaluator::HalfSparse => (Sum::HalfSparse, Worker::Exam),
        };
        let in_two = parameters.reproduction == Reproduction::TwoPasses;
        (sum != Sum::HalfSparse || in_two).then_some(Self { sum, worker, in_two })
    }
}

impl<M: DeviceRuntime> DeviceEvolution<M> {
    /// Creates the initial population on the host, copies it to the device and evaluates it there.
    ///
    /// # Errors
    /// As [`Tables::new`]; [`Error::Device`] if the device cannot hold the population or run the kernels.
    pub fn new<'a>(
        origin: impl Into<Origin<'a>>, parameters: &EvolutionParameters, seed: u64, threads: Arc<rayon::ThreadPool>,
        mut runtime: M, options: DeviceOptions, construction: &Construction,
    ) -> Result<Self> {
        let Origin { instance, first } = origin.into();
        let model = parameters.model(&instance);
        let tables = Tables::new(&instance.name, &model, parameters)?;
        let graph = graph(&tables)?;
        let shape = shape(&tables, parameters, seed);
        let population = Population::new(&mut runtime, shape, &graph, options.tuning)?;
        let genes = initial::population((&model, first), parameters, Philox::new(seed), &threads, construction);
        let copied = Copied {
            generation: 0,
            rows: padded(&genes, tables.exams),
            best: Arc::new(Timetable::unplaced(tables.exams)),
            best_cost: u32::MAX,
        };
        let mut search = Self {
            // The separate kernels know clashes and proximity only; the whole-generation kernel also knows rules.
            phase_kernels: options
                .phase_kernels
                .or_else(|| PhaseKernels::of(parameters))
                .filter(|_| tables.restrictions.is_none()),
            parameters: parameters.clone(),
            seed,
            threads,
            options,
            device: OnDevice { runtime, population },
            generation: 0,
            record: Record { best: u64::MAX, sum: 0, digest: 0, worst: 0 },
            best: Arc::clone(&copied.best),
            best_cost: u32::MAX,
            improvements: ImprovementLog::default(),
            finished: VecDeque::new(),
            copied,
            spare: Vec::new(),
            since_copy: Duration::ZERO,
            copy_took: Duration::ZERO,
            part: FIRST_PART,
            ahead: 1,
            phase_seconds: PhaseSeconds::default(),
            device_seconds: 0.0,
            model,
            tables,
        };
        search.evaluate_first(&genes)?;
        Ok(search)
    }

    /// The model with its nodes in the order of the genes.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Seconds spent in each phase; zero unless [`DeviceOptions::timed`] is set.
    pub(crate) fn phase_seconds(&self) -> PhaseSeconds {
        self.phase_seconds
    }

    /// Seconds in which the device computed or copied.
    pub(crate) fn device_seconds(&self) -> f64 {
        self.device_seconds
    }

    /// Layout of chromosomes over a block.
    pub fn layout(&self) -> Layout {
        self.device.population.layout()
    }

    fn evaluate_first(&mut self, genes: &[u8]) -> DeviceResult<()> {
        let OnDevice { runtime, population } = &mut self.device;
        population.write_genes(runtime, genes)?;
        population.clear_records(runtime, 1)?;
        match self.phase_kernels {
            None => {
                let (part, number) = (FIRST_PART, 0);
                let as_they_are = Generation { number, slot: 0, keep: None, reproduce: false, descend: false, part };
                population.generation(runtime, as_they_are)?;
            }
            Some(phase_kernels) => {
                population.evaluate(runtime, phase_kernels.sum, phase_kernels.worker)?;
                population.summarise(runtime, 0)?;
            }
        }
        population.keep_best(runtime, 0)?;
        let finished = self.collect(1)?;
        for finished in finished {
            self.take(finished);
        }
        self.copied.best = Arc::clone(&self.best);
        self.copied.best_cost = self.best_cost;
        Ok(())
    }

    /// Launches `count` generations, waits for them and queues their records.
    fn run_batch(&mut self, count: u32) -> DeviceResult<()> {
        let began = Instant::now();
        let (first, part, descend) = (self.generation, self.part, self.parameters.descent);
        let OnDevice { runtime, population } = &mut self.device;
        population.clear_records(runtime, count)?;
        match self.phase_kernels {
            None => {
                for slot in 0..count {
                    let (number, keep) = (first + slot, slot.checked_sub(1));
                    let whole = Generation { number, slot, keep, reproduce: true, descend, part };
                    population.generation(runtime, whole)?;
                }
                population.keep_best(runtime, count - 1)?;
            }
            Some(phase_kernels) => {
                for slot in 0..count {
                    self.generation_by_phases(phase_kernels, first + slot, slot)?;
                }
            }
        }
        let finished = self.collect(count)?;
        self.finished.extend(finished);
        self.pace(began.elapsed(), count);
        self.copy_now_and_then(first + count)
    }

    /// Computes one generation with one kernel per phase.
    fn generation_by_phases(&mut self, phase_kernels: PhaseKernels, number: u32, slot: u32) -> DeviceResult<()> {
        let (timed, descend) = (self.options.timed, self.parameters.descent);
        let OnDevice { runtime, population } = &mut self.device;
        let mut clock = Instant::now();
        let mut lap = |runtime: &mut M| -> DeviceResult<f64> {
            if timed {
                runtime.wait()?;
            }
            Ok(std::mem::replace(&mut clock, Instant::now()).elapsed().as_secs_f64())
        };
        lap(runtime)?;
        population.reproduce(runtime, number, phase_kernels.in_two)?;
        self.phase_seconds.reproduction += lap(runtime)?;
        population.mutate(runtime, number)?;
        self.phase_seconds.mutation += lap(runtime)?;
        if descend {
            population.descend(runtime)?;
        }
        self.phase_seconds.descent += lap(runtime)?;
        population.evaluate(runtime, phase_kernels.sum, phase_kernels.worker)?;
        self.phase_seconds.evaluation += lap(runtime)?;
        population.summarise(runtime, slot)?;
        population.keep_best(runtime, slot)
    }

    /// Reads the records of a batch, with the best chromosomes of the generations that improve on all before.
    fn collect(&mut self, count: u32) -> DeviceResult<Vec<Finished>> {
        let OnDevice { runtime, population } = &mut self.device;
        let records = population.read_records(runtime, count)?;
        let mut best_cost = self.best_cost;
        let improves: Vec<bool> = records
            .iter()
            .map(|record| {
                let cost = (record.best >> 32) as u32;
                let improves = cost < best_cost;
                best_cost = best_cost.min(cost);
                improves
            })
            .collect();
        let wanted = improves.iter().rposition(|&improves| improves).map_or(0, |last| last as u32 + 1);
        let bests = if wanted > 0 { population.read_bests(runtime, wanted)? } else { Vec::new() };
        let timetable = |genes: &Vec<u8>| Arc::new(Timetable::of(genes.iter().map(|&gene| u16::from(gene)).collect()));
        let finished = records.into_iter().zip(improves).enumerate();
        Ok(finished
            .map(|(slot, (record, improves))| {
                let best = bests.get(slot).filter(|_| improves).map(timetable);
                Finished { record, best }
            })
            .collect())
    }

    fn take(&mut self, finished: Finished) {
        self.record = finished.record;
        if let Some(best) = finished.best {
            self.best = best;
            self.best_cost = (finished.record.best >> 32) as u32;
            self.improvements.note(self.generation.into(), self.evaluations(), self.best_cost.into());
        }
    }

    /// Number of chromosomes evaluated up to the present generation.
    fn evaluations(&self) -> u64 {
        (u64::from(self.generation) + 1) * u64::from(self.parameters.population)
    }

    /// Adapts the number of generations per batch and of individuals per launch to the measured duration.
    fn pace(&mut self, took: Duration, count: u32) {
        self.since_copy += took;
        self.device_seconds += took.as_secs_f64();
        let per_generation = took / count.max(1);
        let population = f64::from(self.parameters.population);
        self.part = if per_generation > LONG {
            ((population * LONG.as_secs_f64() / per_generation.as_secs_f64()) as u32).max(2)
        } else {
            self.parameters.population
        };
        let fit = (BATCH.as_secs_f64() / per_generation.as_secs_f64().max(1e-6)) as u32;
        let most = if self.options.ahead == 0 { SLOTS } else { self.options.ahead.min(SLOTS) };
        // The first batches include one-time costs: let the number grow gradually.
        self.ahead = fit.clamp(1, most).min(self.ahead.saturating_mul(4));
    }

    fn copy_now_and_then(&mut self, generation: u32) -> DeviceResult<()> {
        if self.since_copy < self.copy_took * COPY_SHARE {
            return Ok(());
        }
        let began = Instant::now();
        let OnDevice { runtime, population } = &mut self.device;
        // Keep the previous checkpoint until this one is complete.
        population.read_rows(runtime, &mut self.spare)?;
        let rows = std::mem::take(&mut self.spare);
        let (mut best, mut best_cost) = (Arc::clone(&self.best), self.best_cost);
        for finished in &self.finished {
            if let Some(better) = &finished.best {
                best = Arc::clone(better);
                best_cost = (finished.record.best >> 32) as u32;
            }
        }
        let before = std::mem::replace(&mut self.copied, Copied { generation, rows, best, best_cost });
        self.spare = before.rows;
        self.copy_took = began.elapsed();
        self.since_copy = Duration::ZERO;
        self.device_seconds += self.copy_took.as_secs_f64();
        Ok(())
    }

    fn digest(&self) -> u64 {
        state_digest(self.record.digest, self.generation, self.best_cost)
    }
}

/// Pads chromosomes of `exams` genes to rows of whole 32-bit words.
fn padded(genes: &[u8], exams: usize) -> Vec<u8> {
    let row = exams.div_ceil(4) * 4;
    let mut rows = Vec::with_capacity(genes.len() / exams.max(1) * row);
    for chromosome in genes.chunks_exact(exams.max(1)) {
        rows.extend_from_slice(chromosome);
        rows.resize(rows.len().next_multiple_of(4), 0);
    }
    rows
}

impl<M: DeviceRuntime> DeviceEpochs for DeviceEvolution<M> {
    type Cpu = CpuEvolution;
    const UNIT: &'static str = "generation";

    fn step(&self) -> u64 {
        self.generation.into()
    }

    fn advance(&mut self, steps: u32) -> Result<()> {
        let mut remaining = steps;
        while remaining > 0 {
            if self.finished.is_empty() {
                // Single steps let the device run ahead; a known number of steps is not exceeded.
                let count = if steps > 1 { self.ahead.min(remaining) } else { self.ahead };
                self.run_batch(count)?;
            }
            if let Some(finished) = self.finished.pop_front() {
                self.generation += 1;
                self.take(finished);
                remaining -= 1;
            }
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        let population = u64::from(self.parameters.population);
        Ok(Snapshot {
            step: u64::from(self.generation),
            evaluations: self.evaluations(),
            best: Arc::clone(&self.best),
            best_cost: f64::from(self.best_cost),
            mean: self.record.sum as f64 / population as f64,
            worst: self.record.worst as f64,
            digest: self.digest(),
            share: None,
        })
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }

    /// The CPU repeats the generations since the last checkpoint and compares the digest.
    fn continued(&mut self, why: &Error, control: &Control) -> Result<(u64, CpuEvolution)> {
        let (exams, row) = (self.tables.exams, self.tables.exams.div_ceil(4) * 4);
        let rows = self.copied.rows.chunks_exact(row.max(1));
        let mut cpu = CpuEvolution::resume(
            &self.parameters,
            (self.model.clone(), self.tables.clone()),
            self.seed,
            Arc::clone(&self.threads),
            (self.copied.generation, rows.flat_map(|chromosome| &chromosome[..exams]).copied().collect()),
            (Arc::clone(&self.copied.best), self.copied.best_cost),
        )
        .with_control(control.clone());
        cpu.advance(self.generation - self.copied.generation)?;
        if cpu.snapshot()?.digest != self.digest() {
            return Err(Error::Search(format!(
                "{why}. What the CPU repeats from generation {} differs from what the device had found; its memory may \
                 be damaged, use --backend cpu",
                self.copied.generation
            )));
        }
        Ok((self.generation.into(), cpu))
    }
}
