//! The hybrid evolutionary algorithm on a device, with the numbers of [`super::cpu`].
//!
//! By default one kernel makes a whole generation, and several generations are launched before the host looks: at most
//! some 20 ms of work. Their records (smallest, mean and largest cost, digest, best chromosome) lie in a ring, from which
//! the epochs are then served one by one. The published stages, kernel by kernel, run where another evaluation or
//! two-pass reproduction is chosen.
//!
//! Now and then, so rarely that it costs little, the population is copied to the host. If the device is lost, the CPU
//! goes on from there: it repeats the generations since, checks the digest, and the run continues with the same numbers.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gridwright_kernels::evolution::{Generation, Layout, Population, Record, SLOTS, Sum, Tuning, Worker};
use gridwright_kernels::{CudaError, Machine};

use super::cpu::{CpuEvolution, Stages};
use super::device_tables::{graph, shape};
use super::digest::state_digest;
use super::{Evaluator, EvolutionParameters, Reproduction, Tables, initial};
use crate::random::Philox;
use crate::search::{Epochs, Snapshot};
use crate::timetabling::model::Model;
use crate::timetabling::{Instance, Timetable};
use crate::{Error, Result};

/// The result of what a device does.
type DeviceResult<T> = std::result::Result<T, CudaError>;

/// Work that is launched before the host looks.
const BATCH: Duration = Duration::from_millis(20);

/// A generation that takes longer than this is launched in parts: a desktop's GPU also draws its screen.
const LONG: Duration = Duration::from_millis(40);

/// Individuals in a launch while the device's speed is not known.
const FIRST_PART: u32 = 2_048;

/// The population is copied to the host when the device has worked this many times as long as a copy takes.
const COPY_SHARE: u32 = 30;

/// The published stages, kernel by kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Staged {
    /// How costs are summed.
    pub sum: Sum,
    /// Who sums.
    pub worker: Worker,
    /// Whether selection and crossover are two kernels.
    pub in_two: bool,
}

/// How the device is used; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeviceOptions {
    /// Lanes and blocks.
    pub tuning: Tuning,
    /// The published stages instead of one kernel per generation; `None`: as the parameters say.
    pub staged: Option<Staged>,
    /// Wait after every stage and add up the seconds.
    pub timed: bool,
    /// Never launch more than this many generations ahead; 0: as many as fit into 20 ms.
    pub ahead: u32,
}

/// What is known of a generation that the device has finished.
#[derive(Debug)]
struct Finished {
    record: Record,
    /// The best chromosome, where it is better than all before.
    best: Option<Arc<Timetable>>,
}

/// A population on the host, from which the CPU could go on.
#[derive(Debug)]
struct Copied {
    generation: u32,
    rows: Vec<u8>,
    best: Arc<Timetable>,
    best_cost: u32,
}

/// The device and what lies on it.
#[derive(Debug)]
struct OnDevice<M> {
    machine: M,
    population: Population,
}

/// The evolutionary algorithm on a device.
#[derive(Debug)]
pub struct DeviceEvolution<M: Machine> {
    parameters: EvolutionParameters,
    model: Model,
    tables: Tables,
    seed: u64,
    threads: Arc<rayon::ThreadPool>,
    options: DeviceOptions,
    staged: Option<Staged>,
    device: Option<OnDevice<M>>,
    /// Goes on where the device was lost.
    cpu: Option<CpuEvolution>,
    generation: u32,
    record: Record,
    best: Arc<Timetable>,
    best_cost: u32,
    finished: VecDeque<Finished>,
    copied: Copied,
    /// Room for the next copy.
    spare: Vec<u8>,
    /// Device time since the last copy, and how long that took.
    since_copy: Duration,
    copy_took: Duration,
    part: u32,
    ahead: u32,
    stages: Stages,
    device_seconds: f64,
    notes: Vec<String>,
}

fn device_error(error: CudaError) -> Error {
    Error::Device(error.to_string())
}

impl Staged {
    /// The stages that the parameters ask for; `None`: one kernel per generation.
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

impl<M: Machine> DeviceEvolution<M> {
    /// Makes the initial population on the host, moves it to the device and evaluates it there.
    ///
    /// # Errors
    /// As [`Tables::new`]; [`Error::Device`] where the device cannot hold or run it.
    pub fn new(
        instance: &Instance,
        parameters: &EvolutionParameters,
        seed: u64,
        threads: Arc<rayon::ThreadPool>,
        mut machine: M,
        options: DeviceOptions,
    ) -> Result<Self> {
        let model = parameters.model(instance);
        let tables = Tables::new(&instance.name, &model, parameters)?;
        let graph = graph(&tables)?;
        let shape = shape(&tables, parameters, seed);
        let population = Population::new(&mut machine, shape, &graph, options.tuning).map_err(device_error)?;
        let genes = initial::population(&model, parameters, Philox::new(seed), &threads);
        let copied = Copied {
            generation: 0,
            rows: padded(&genes, tables.exams),
            best: Arc::new(Timetable::unplaced(tables.exams)),
            best_cost: u32::MAX,
        };
        let mut search = Self {
            // The published stages know clashes and proximity; what else is demanded, the whole generation knows.
            staged: options.staged.or_else(|| Staged::of(parameters)).filter(|_| tables.restrictions.is_none()),
            parameters: parameters.clone(),
            seed,
            threads,
            options,
            device: Some(OnDevice { machine, population }),
            cpu: None,
            generation: 0,
            record: Record { best: u64::MAX, sum: 0, digest: 0, worst: 0 },
            best: Arc::clone(&copied.best),
            best_cost: u32::MAX,
            finished: VecDeque::new(),
            copied,
            spare: Vec::new(),
            since_copy: Duration::ZERO,
            copy_took: Duration::ZERO,
            part: FIRST_PART,
            ahead: 1,
            stages: Stages::default(),
            device_seconds: 0.0,
            notes: Vec::new(),
            model,
            tables,
        };
        search.evaluate_first(&genes).map_err(device_error)?;
        Ok(search)
    }

    /// What happened that a person should know.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Seconds spent in each stage; only where `timed` was asked for.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// Seconds in which the device worked or copied.
    pub fn device_seconds(&self) -> f64 {
        self.device_seconds
    }

    /// How chromosomes are laid out over a block; `None` once the device is lost.
    pub fn layout(&self) -> Option<Layout> {
        self.device.as_ref().map(|device| device.population.layout())
    }

    /// Whether the run has gone over to the CPU.
    pub fn on_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    fn evaluate_first(&mut self, genes: &[u8]) -> DeviceResult<()> {
        let Some(OnDevice { machine, population }) = &mut self.device else { return Ok(()) };
        population.write_genes(machine, genes)?;
        population.clear_records(machine, 1)?;
        match self.staged {
            None => {
                let (part, number) = (FIRST_PART, 0);
                let as_they_are = Generation { number, slot: 0, keep: None, reproduce: false, descend: false, part };
                population.generation(machine, as_they_are)?;
            }
            Some(staged) => {
                population.evaluate(machine, staged.sum, staged.worker)?;
                population.summarise(machine, 0)?;
            }
        }
        population.keep_best(machine, 0)?;
        let finished = self.collect(1)?;
        for finished in finished {
            self.take(finished);
        }
        self.copied.best = Arc::clone(&self.best);
        self.copied.best_cost = self.best_cost;
        Ok(())
    }

    /// Launches `count` generations and waits for their records.
    fn run_batch(&mut self, count: u32) -> DeviceResult<()> {
        let began = Instant::now();
        let (first, part, descend) = (self.generation, self.part, self.parameters.descent);
        let Some(OnDevice { machine, population }) = &mut self.device else { return Ok(()) };
        population.clear_records(machine, count)?;
        match self.staged {
            None => {
                for slot in 0..count {
                    let (number, keep) = (first + slot, slot.checked_sub(1));
                    let whole = Generation { number, slot, keep, reproduce: true, descend, part };
                    population.generation(machine, whole)?;
                }
                population.keep_best(machine, count - 1)?;
            }
            Some(staged) => {
                for slot in 0..count {
                    self.staged_generation(staged, first + slot, slot)?;
                }
            }
        }
        let finished = self.collect(count)?;
        self.finished.extend(finished);
        self.pace(began.elapsed(), count);
        self.copy_now_and_then(first + count)
    }

    /// One generation in the published stages.
    fn staged_generation(&mut self, staged: Staged, number: u32, slot: u32) -> DeviceResult<()> {
        let (timed, descend) = (self.options.timed, self.parameters.descent);
        let Some(OnDevice { machine, population }) = &mut self.device else { return Ok(()) };
        let mut clock = Instant::now();
        let mut lap = |machine: &mut M| -> DeviceResult<f64> {
            if timed {
                machine.wait()?;
            }
            Ok(std::mem::replace(&mut clock, Instant::now()).elapsed().as_secs_f64())
        };
        lap(machine)?;
        population.reproduce(machine, number, staged.in_two)?;
        self.stages.reproduction += lap(machine)?;
        population.mutate(machine, number)?;
        self.stages.mutation += lap(machine)?;
        if descend {
            population.descend(machine)?;
        }
        self.stages.descent += lap(machine)?;
        population.evaluate(machine, staged.sum, staged.worker)?;
        self.stages.evaluation += lap(machine)?;
        population.summarise(machine, slot)?;
        population.keep_best(machine, slot)
    }

    /// The records of a batch, with the best chromosomes of the generations that improve on all before.
    fn collect(&mut self, count: u32) -> DeviceResult<Vec<Finished>> {
        let Some(OnDevice { machine, population }) = &mut self.device else { return Ok(Vec::new()) };
        let records = population.read_records(machine, count)?;
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
        let bests = if wanted > 0 { population.read_bests(machine, wanted)? } else { Vec::new() };
        let timetable =
            |genes: &Vec<u8>| Arc::new(Timetable { periods: genes.iter().map(|&gene| u16::from(gene)).collect() });
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
        }
    }

    /// Chooses how many generations the next batch has, and in how many launches a long one is cut.
    fn pace(&mut self, took: Duration, count: u32) {
        self.since_copy += took;
        self.device_seconds += took.as_secs_f64();
        let each = took / count.max(1);
        let population = f64::from(self.parameters.population);
        self.part = if each > LONG {
            ((population * LONG.as_secs_f64() / each.as_secs_f64()) as u32).max(2)
        } else {
            self.parameters.population
        };
        let fit = (BATCH.as_secs_f64() / each.as_secs_f64().max(1e-6)) as u32;
        let most = if self.options.ahead == 0 { SLOTS } else { self.options.ahead.min(SLOTS) };
        // The first batches are slow for reasons of their own: the number grows by steps.
        self.ahead = fit.clamp(1, most).min(self.ahead.saturating_mul(4));
    }

    fn copy_now_and_then(&mut self, generation: u32) -> DeviceResult<()> {
        if self.since_copy < self.copy_took * COPY_SHARE {
            return Ok(());
        }
        let began = Instant::now();
        let Some(OnDevice { machine, population }) = &mut self.device else { return Ok(()) };
        // The copy before is kept until this one is whole.
        population.read_rows(machine, &mut self.spare)?;
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

    /// Leaves the device: the CPU repeats what it did since the last copy and goes on.
    fn leave_device(&mut self, why: &CudaError) -> Result<()> {
        self.device = None;
        self.finished.clear();
        let (exams, row) = (self.tables.exams, self.tables.exams.div_ceil(4) * 4);
        let rows = self.copied.rows.chunks_exact(row.max(1));
        let mut cpu = CpuEvolution::resume(
            &self.parameters,
            (self.model.clone(), self.tables.clone()),
            self.seed,
            Arc::clone(&self.threads),
            (self.copied.generation, rows.flat_map(|chromosome| &chromosome[..exams]).copied().collect()),
            (Arc::clone(&self.copied.best), self.copied.best_cost),
        );
        cpu.advance(self.generation - self.copied.generation)?;
        if cpu.snapshot()?.digest != self.digest() {
            return Err(Error::Search(format!(
                "{why}. What the CPU repeats from generation {} differs from what the device had found; its memory may \
                 be damaged, use --backend cpu",
                self.copied.generation
            )));
        }
        self.notes
            .push(format!("{why}. From generation {} on the CPU went on, with the same numbers", self.generation));
        self.cpu = Some(cpu);
        Ok(())
    }

    fn digest(&self) -> u64 {
        state_digest(self.record.digest, self.generation, self.best_cost)
    }
}

/// Chromosomes as rows of whole words.
fn padded(genes: &[u8], exams: usize) -> Vec<u8> {
    let row = exams.div_ceil(4) * 4;
    let mut rows = Vec::with_capacity(genes.len() / exams.max(1) * row);
    for chromosome in genes.chunks_exact(exams.max(1)) {
        rows.extend_from_slice(chromosome);
        rows.resize(rows.len().next_multiple_of(4), 0);
    }
    rows
}

impl<M: Machine> Epochs for DeviceEvolution<M> {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let mut left = steps;
        while left > 0 {
            if let Some(cpu) = &mut self.cpu {
                return cpu.advance(left);
            }
            if self.finished.is_empty() {
                // Asked for one generation the device runs ahead; asked for many it runs no further.
                let count = if steps > 1 { self.ahead.min(left) } else { self.ahead };
                if let Err(why) = self.run_batch(count) {
                    self.leave_device(&why)?;
                    continue;
                }
            }
            if let Some(finished) = self.finished.pop_front() {
                self.generation += 1;
                self.take(finished);
                left -= 1;
            }
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        if let Some(cpu) = &mut self.cpu {
            return cpu.snapshot();
        }
        let population = u64::from(self.parameters.population);
        Ok(Snapshot {
            step: u64::from(self.generation),
            evaluations: (u64::from(self.generation) + 1) * population,
            best: Arc::clone(&self.best),
            best_cost: f64::from(self.best_cost),
            mean: self.record.sum as f64 / population as f64,
            worst: self.record.worst as f64,
            digest: self.digest(),
            share: None,
        })
    }
}
