//! Typed launches of `baselines.cu`: two genetic algorithms and random search, for one run or many at once.

use super::{Flow, Problem, Shape, Solutions, Worth};
use crate::CudaError;
use crate::launch::Launch;
use crate::runtime::{Array, DeviceRuntime, Module};
use crate::structs::kernel_struct;

/// Lanes per pair of children.
const LANES: u32 = 8;

/// Threads of a block that makes individuals or children.
const BLOCK: u32 = 128;
/// Threads of a block that finds the best individual.
const JUDGES: u32 = 1_024;

/// Number of random solutions per block.
const SPAN: u64 = 2_048;

/// Largest number of blocks of a run for random solutions.
const MOST_SPANS: u64 = 4_096;

/// Largest number of flipped bits of a child.
const MOST_FLIPS: usize = 256;

/// Constants that the kernels declare, too.
pub(super) const CONSTANTS: &[(&str, u64)] = &[("LANES", LANES as u64), ("SPAN", SPAN)];

kernel_struct! {
    /// Parameters of a genetic algorithm.
    pub(super) struct Rules = "Rules" {
        crossover: u64,
        elitist: u32,
        limits: u32,
    }
}

/// Baseline algorithm.
#[derive(Debug, Clone, Copy)]
pub enum Rule<'a> {
    /// Genetic algorithm with binary tournaments and two-point crossover.
    Genetic {
        /// True if a child replaces an individual only if it is better.
        elitist: bool,
        /// Threshold of a crossover, ⌊p·2³²⌋ for probability p.
        crossover: u64,
        /// Ascending limits, at most 256: k bits of a child are flipped if its random word is at least as large as k of them.
        flips: &'a [u32],
    },
    /// Random search with as many solutions per iteration as a population has.
    Random {
        /// `lightest[k]` = smallest weight of the items from 128·k on; used for knapsacks only.
        lightest: &'a [u32],
    },
}

/// Best solution of a run so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// Packed bits, [`Problem::words`] words.
    pub words: Vec<u64>,
    /// Sums: first · 2³² + second.
    pub sums: u64,
    /// Iteration in which the solution was made, counted from 1; 0: at the start.
    pub since: u32,
}

/// Population of all runs in device memory.
#[derive(Debug)]
struct Population {
    words: Array<u64>,
    sums: Array<u64>,
    since: Array<u32>,
}

impl Population {
    fn reserve(runtime: &mut dyn DeviceRuntime, count: usize, words: usize) -> Result<Self, CudaError> {
        Ok(Self {
            words: Array::reserve(runtime, count * words)?,
            sums: Array::reserve(runtime, count)?,
            since: Array::reserve(runtime, count)?,
        })
    }
}

/// Tables of an algorithm in device memory.
#[derive(Debug)]
enum Tables {
    Genetic {
        rules: Rules,
        limits: Array<u32>,
        /// Present population, and the memory of the next one.
        generations: [Population; 2],
    },
    Random {
        lightest: Array<u32>,
        found_sums: Array<u64>,
        found_numbers: Array<u64>,
    },
}

/// Runs of a baseline algorithm in device memory.
#[derive(Debug)]
pub struct Baselines {
    shape: Shape,
    runs: u32,
    solutions: u32,
    each: u32,
    blocks_of_six: bool,
    seed: u64,
    items: Array<u64>,
    tables: Tables,
    records: Population,
}

impl Baselines {
    /// Device memory in bytes that the problem needs, and that each run needs.
    pub fn bytes(problem: &Problem<'_>, rule: &Rule<'_>) -> (u64, u64) {
        let (solutions, words) = (u64::from(problem.solutions()), u64::from(problem.words()));
        let each = match rule {
            Rule::Genetic { .. } => 2 * solutions * (8 * words + 12),
            Rule::Random { .. } => 16 * Self::spans(solutions, u64::from(u32::MAX)),
        };
        (8 * problem.items.len() as u64 + 4 * MOST_FLIPS as u64, each + 8 * words + 12)
    }

    /// Number of blocks for `iterations` iterations of random search.
    fn spans(solutions: u64, iterations: u64) -> u64 {
        (solutions * iterations).div_ceil(SPAN).min(MOST_SPANS.max(solutions.div_ceil(SPAN)))
    }

    /// Reserves memory for `runs` runs and writes the tables; [`Self::start`] sets the seeds.
    ///
    /// # Errors
    /// [`CudaError::Grid`] if the kernels cannot represent the problem; [`CudaError::OutOfMemory`] before anything is reserved; errors of the
    /// runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, problem: &Problem<'_>, rule: &Rule<'_>, runs: u32,
    ) -> Result<Self, CudaError> {
        problem.check()?;
        runtime.prepare(Module::Baselines)?;
        let free = runtime.limits()?.free;
        let (tables, each_run) = Self::bytes(problem, rule);
        let needed = tables + each_run * u64::from(runs);
        let (solutions, words) = (problem.solutions(), problem.words() as usize);
        let numbered = u64::from(runs) * u64::from(solutions) <= u64::from(u32::MAX);
        if runs == 0 || runs > u32::from(u16::MAX) || !numbered {
            return Err(CudaError::Grid(format!("{runs} runs side by side")));
        }
        if needed > free {
            return Err(CudaError::OutOfMemory { needed, free });
        }
        let count = runs as usize * solutions as usize;
        let tables = match *rule {
            Rule::Genetic { elitist, crossover, flips } => {
                if flips.len() > MOST_FLIPS || !flips.is_sorted() {
                    return Err(CudaError::Grid(format!("{} limits for flipped bits", flips.len())));
                }
                let rules = Rules { crossover, elitist: elitist.into(), limits: flips.len() as u32 };
                let limits = Array::upload(runtime, flips)?;
                let mut generation = || Population::reserve(runtime, count, words);
                Tables::Genetic { rules, limits, generations: [generation()?, generation()?] }
            }
            Rule::Random { lightest } => {
                let knapsack = matches!(problem.worth, Worth::Knapsack { .. });
                if knapsack && lightest.len() != problem.bits.div_ceil(128) as usize {
                    return Err(CudaError::Grid(format!("{} least weights", lightest.len())));
                }
                let found = runs as usize * Self::spans(solutions.into(), u32::MAX.into()) as usize;
                Tables::Random {
                    lightest: Array::upload(runtime, lightest)?,
                    found_sums: Array::reserve(runtime, found)?,
                    found_numbers: Array::reserve(runtime, found)?,
                }
            }
        };
        Ok(Self {
            shape: problem.shape(Flow::Torus),
            runs,
            solutions,
            each: problem.words(),
            blocks_of_six: problem.worth == Worth::Deceptive,
            seed: 0,
            items: Array::upload(runtime, problem.items)?,
            tables,
            records: Population::reserve(runtime, runs as usize, words)?,
        })
    }

    /// Number of runs.
    pub fn runs(&self) -> u32 {
        self.runs
    }

    fn name(&self, items: &'static str, blocks: &'static str) -> &'static str {
        if self.blocks_of_six { blocks } else { items }
    }

    fn launch(&self, kernel: &'static str, grid: [u32; 2], block: u32) -> Launch {
        Launch::new(Module::Baselines, kernel, grid, block, 0).value(self.shape)
    }

    fn seeded(&self, launch: Launch) -> Launch {
        launch.number(self.seed as u32).number((self.seed >> 32) as u32)
    }

    /// Makes the first populations of the runs, whose seeds are `seed`, `seed` + 1, …; for random search, the first solution.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn start(&mut self, runtime: &mut dyn DeviceRuntime, seed: u64) -> Result<(), CudaError> {
        self.seed = seed;
        let Tables::Genetic { generations: [first, _], .. } = &self.tables else {
            return self.settle(runtime, 0);
        };
        let kernel = self.name("populate_items", "populate_blocks");
        let launch = self.launch(kernel, [self.solutions.div_ceil(BLOCK), self.runs], BLOCK).array(&self.items);
        let launch = launch.array(&first.words).array(&first.sums).array(&first.since);
        runtime.launch(&self.seeded(launch))?;
        self.judge(runtime, 0)
    }

    /// Updates the best solutions from the present population.
    fn judge(&self, runtime: &mut dyn DeviceRuntime, generation: u32) -> Result<(), CudaError> {
        let Tables::Genetic { generations: [now, _], .. } = &self.tables else { return Ok(()) };
        let launch = self.launch("judge", [self.runs, 1], JUDGES).array(&now.words).array(&now.sums);
        let Population { words, sums, since } = &self.records;
        runtime.launch(&launch.array(words).array(sums).array(since).number(generation))
    }

    /// Updates the best solutions from the best ones of `spans` blocks; with 0 blocks, makes the first solution.
    fn settle(&self, runtime: &mut dyn DeviceRuntime, spans: u32) -> Result<(), CudaError> {
        let Tables::Random { lightest, found_sums, found_numbers } = &self.tables else { return Ok(()) };
        let kernel = self.name("settle_items", "settle_blocks");
        let launch = self.launch(kernel, [self.runs, 1], BLOCK).array(&self.items).array(lightest);
        let Population { words, sums, since } = &self.records;
        let launch = launch.array(found_sums).array(found_numbers).array(words).array(sums).array(since);
        runtime.launch(&self.seeded(launch).number(spans))
    }

    /// Launches `iterations` iterations after the first `first` ones, without waiting for them.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn advance(&mut self, runtime: &mut dyn DeviceRuntime, first: u32, iterations: u32) -> Result<(), CudaError> {
        let mut done = 0;
        while done < iterations {
            done += match &self.tables {
                Tables::Genetic { .. } => self.generation(runtime, first + done + 1)?,
                Tables::Random { .. } => self.random(runtime, first + done, iterations - done)?,
            };
        }
        Ok(())
    }

    fn generation(&mut self, runtime: &mut dyn DeviceRuntime, number: u32) -> Result<u32, CudaError> {
        let Tables::Genetic { rules, limits, generations: [from, to] } = &self.tables else { return Ok(1) };
        let kernel = self.name("mate_items", "mate_blocks");
        let blocks = (self.solutions / 2 * LANES).div_ceil(BLOCK);
        let launch = self.launch(kernel, [blocks, self.runs], BLOCK).value(*rules);
        let launch = launch.array(&self.items).array(limits).array(&from.words).array(&from.sums).array(&from.since);
        let launch = launch.array(&to.words).array(&to.sums).array(&to.since);
        runtime.launch(&self.seeded(launch).number(number))?;
        if let Tables::Genetic { generations, .. } = &mut self.tables {
            generations.swap(0, 1);
        }
        self.judge(runtime, number)?;
        Ok(1)
    }

    fn random(&self, runtime: &mut dyn DeviceRuntime, first: u32, left: u32) -> Result<u32, CudaError> {
        let Tables::Random { lightest, found_sums, found_numbers } = &self.tables else { return Ok(left) };
        let solutions = u64::from(self.solutions);
        let at_once = Self::spans(solutions, left.into()) * SPAN / solutions;
        let iterations = at_once.clamp(1, left.into()) as u32;
        let spans = Self::spans(solutions, iterations.into()) as u32;
        let kernel = self.name("draw_items", "draw_blocks");
        let launch = self.launch(kernel, [spans, self.runs], BLOCK).array(&self.items).array(lightest);
        let launch = self.seeded(launch.array(found_sums).array(found_numbers));
        runtime.launch(&launch.number(first).number(iterations))?;
        self.settle(runtime, spans)?;
        Ok(iterations)
    }

    /// Waits for all launches and reads all individuals of all runs; random search has none.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read(&self, runtime: &mut dyn DeviceRuntime) -> Result<Solutions, CudaError> {
        let Tables::Genetic { generations: [Population { words, sums, since }, _], .. } = &self.tables else {
            return Ok(Solutions::default());
        };
        Ok(Solutions {
            words: words.read(runtime, words.len)?,
            sums: sums.read(runtime, sums.len)?,
            since: since.read(runtime, since.len)?,
        })
    }

    /// Waits for all launches and reads the best solution of each run.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn records(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<Record>, CudaError> {
        let Population { words, sums, since } = &self.records;
        let words = words.read(runtime, words.len)?;
        let (sums, since) = (sums.read(runtime, sums.len)?, since.read(runtime, since.len)?);
        let records = words.chunks(self.each as usize).zip(sums).zip(since);
        Ok(records.map(|((words, sums), since)| Record { words: words.to_vec(), sums, since }).collect())
    }
}
