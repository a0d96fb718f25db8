//! Typed launches of `rivals.cu`: the genetic algorithms and random search, one run or many side by side.

use super::{Flow, Problem, Solutions, Worth};
use crate::CudaError;
use crate::machine::{Array, Launch, Machine, Module};

/// Lanes that work on a pair of children.
const LANES: u32 = 8;

/// Threads of a block that makes individuals or children, and of one that looks for the best of them.
const BLOCK: u32 = 128;
const JUDGES: u32 = 1_024;

/// Random solutions that a block looks at.
const SPAN: u64 = 2_048;

/// Most blocks of a run for random solutions.
const MOST_SPANS: u64 = 4_096;

/// Most bits of a child that are flipped.
const MOST_FLIPS: usize = 256;

/// What is done in an iteration.
#[derive(Debug, Clone, Copy)]
pub enum Rule<'a> {
    /// A generation of a genetic algorithm.
    Genetic {
        /// Whether a child has to be better than whom it replaces.
        elitist: bool,
        /// ⌊p·2³²⌋ for a crossover with probability p.
        crossover: u64,
        /// k bits of a child are flipped where a random word is at least as large as k of these; rising.
        flips: &'a [u32],
    },
    /// Random solutions, as many as there are in a population.
    Random {
        /// The least weight of item 128·k and all behind it, for k = 0, 1, …; read for knapsacks only.
        lightest: &'a [u32],
    },
}

/// The best solution so far of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// Packed bits.
    pub words: Vec<u64>,
    /// Two sums: first · 2³² + second.
    pub sums: u64,
    /// The iteration, counted from 1, in which it was made; 0: at the start.
    pub since: u32,
}

/// A generation of all runs.
#[derive(Debug)]
struct Population {
    words: Array<u64>,
    sums: Array<u64>,
    since: Array<u32>,
}

impl Population {
    fn reserve(machine: &mut dyn Machine, count: usize, words: usize) -> Result<Self, CudaError> {
        Ok(Self {
            words: Array::reserve(machine, count * words)?,
            sums: Array::reserve(machine, count)?,
            since: Array::reserve(machine, count)?,
        })
    }
}

/// What a rule needs on the machine.
#[derive(Debug)]
enum Tables {
    Genetic {
        rules: Vec<u8>,
        limits: Array<u32>,
        /// The population, and what its children are written to.
        generations: [Population; 2],
    },
    Random {
        lightest: Array<u32>,
        found_sums: Array<u64>,
        found_numbers: Array<u64>,
    },
}

/// Runs on a machine.
#[derive(Debug)]
pub struct Rivals {
    shape: Vec<u8>,
    runs: u32,
    solutions: u32,
    each: u32,
    blocks_of_six: bool,
    seed: u64,
    items: Array<u64>,
    tables: Tables,
    records: Population,
}

impl Rivals {
    /// Bytes of the machine's memory that the problem needs, and that each run needs.
    pub fn bytes(problem: &Problem<'_>, rule: &Rule<'_>) -> (u64, u64) {
        let (solutions, words) = (u64::from(problem.solutions()), u64::from(problem.words()));
        let each = match rule {
            Rule::Genetic { .. } => 2 * solutions * (8 * words + 12),
            Rule::Random { .. } => 16 * Self::spans(solutions, u64::from(u32::MAX)),
        };
        (8 * problem.items.len() as u64 + 4 * MOST_FLIPS as u64, each + 8 * words + 12)
    }

    /// Blocks for so many iterations of random solutions.
    fn spans(solutions: u64, iterations: u64) -> u64 {
        (solutions * iterations).div_ceil(SPAN).min(MOST_SPANS.max(solutions.div_ceil(SPAN)))
    }

    /// Reserves room for `runs` runs and writes the tables. The seeds come with [`Self::start`].
    ///
    /// # Errors
    /// [`CudaError::Grid`] where the kernels cannot hold the problem; [`CudaError::OutOfMemory`] before anything is reserved where
    /// the memory does not suffice; what the machine reports.
    pub fn new(
        machine: &mut dyn Machine,
        problem: &Problem<'_>,
        rule: &Rule<'_>,
        runs: u32,
    ) -> Result<Self, CudaError> {
        problem.check()?;
        machine.prepare(Module::Rivals)?;
        let free = machine.limits()?.free;
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
                let mut rules = crossover.to_le_bytes().to_vec();
                [u32::from(elitist), flips.len() as u32]
                    .into_iter()
                    .for_each(|number| rules.extend_from_slice(&number.to_le_bytes()));
                let limits = Array::upload(machine, flips)?;
                let mut generation = || Population::reserve(machine, count, words);
                Tables::Genetic { rules, limits, generations: [generation()?, generation()?] }
            }
            Rule::Random { lightest } => {
                let knapsack = matches!(problem.worth, Worth::Knapsack { .. });
                if knapsack && lightest.len() != problem.bits.div_ceil(128) as usize {
                    return Err(CudaError::Grid(format!("{} least weights", lightest.len())));
                }
                let found = runs as usize * Self::spans(solutions.into(), u32::MAX.into()) as usize;
                Tables::Random {
                    lightest: Array::upload(machine, lightest)?,
                    found_sums: Array::reserve(machine, found)?,
                    found_numbers: Array::reserve(machine, found)?,
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
            items: Array::upload(machine, problem.items)?,
            tables,
            records: Population::reserve(machine, runs as usize, words)?,
        })
    }

    /// Runs side by side.
    pub fn runs(&self) -> u32 {
        self.runs
    }

    fn name(&self, items: &'static str, blocks: &'static str) -> &'static str {
        if self.blocks_of_six { blocks } else { items }
    }

    fn launch(&self, kernel: &'static str, grid: [u32; 2], block: u32) -> Launch {
        Launch::new(Module::Rivals, kernel, grid, block, 0).structure(&self.shape)
    }

    fn seeded(&self, launch: Launch) -> Launch {
        launch.number(self.seed as u32).number((self.seed >> 32) as u32)
    }

    /// Makes what the runs of seeds `seed`, `seed` + 1, … begin with.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn start(&mut self, machine: &mut dyn Machine, seed: u64) -> Result<(), CudaError> {
        self.seed = seed;
        let Tables::Genetic { generations: [first, _], .. } = &self.tables else {
            return self.settle(machine, 0);
        };
        let kernel = self.name("populate_items", "populate_blocks");
        let launch = self.launch(kernel, [self.solutions.div_ceil(BLOCK), self.runs], BLOCK).array(&self.items);
        let launch = launch.array(&first.words).array(&first.sums).array(&first.since);
        machine.launch(&self.seeded(launch))?;
        self.judge(machine, 0)
    }

    /// Looks for what is better than all before.
    fn judge(&self, machine: &mut dyn Machine, generation: u32) -> Result<(), CudaError> {
        let Tables::Genetic { generations: [now, _], .. } = &self.tables else { return Ok(()) };
        let launch = self.launch("judge", [self.runs, 1], JUDGES).array(&now.words).array(&now.sums);
        let Population { words, sums, since } = &self.records;
        machine.launch(&launch.array(words).array(sums).array(since).number(generation))
    }

    /// The same for what so many blocks have found; without blocks, the first solution.
    fn settle(&self, machine: &mut dyn Machine, spans: u32) -> Result<(), CudaError> {
        let Tables::Random { lightest, found_sums, found_numbers } = &self.tables else { return Ok(()) };
        let kernel = self.name("settle_items", "settle_blocks");
        let launch = self.launch(kernel, [self.runs, 1], BLOCK).array(&self.items).array(lightest);
        let Population { words, sums, since } = &self.records;
        let launch = launch.array(found_sums).array(found_numbers).array(words).array(sums).array(since);
        machine.launch(&self.seeded(launch).number(spans))
    }

    /// Goes on by so many iterations, of which `first` are done. What is launched does not wait.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn walk(&mut self, machine: &mut dyn Machine, first: u32, iterations: u32) -> Result<(), CudaError> {
        let mut done = 0;
        while done < iterations {
            done += match &self.tables {
                Tables::Genetic { .. } => self.generation(machine, first + done + 1)?,
                Tables::Random { .. } => self.random(machine, first + done, iterations - done)?,
            };
        }
        Ok(())
    }

    fn generation(&mut self, machine: &mut dyn Machine, number: u32) -> Result<u32, CudaError> {
        let Tables::Genetic { rules, limits, generations: [from, to] } = &self.tables else { return Ok(1) };
        let kernel = self.name("mate_items", "mate_blocks");
        let blocks = (self.solutions / 2 * LANES).div_ceil(BLOCK);
        let launch = self.launch(kernel, [blocks, self.runs], BLOCK).structure(rules);
        let launch = launch.array(&self.items).array(limits).array(&from.words).array(&from.sums).array(&from.since);
        let launch = launch.array(&to.words).array(&to.sums).array(&to.since);
        machine.launch(&self.seeded(launch).number(number))?;
        if let Tables::Genetic { generations, .. } = &mut self.tables {
            generations.swap(0, 1);
        }
        self.judge(machine, number)?;
        Ok(1)
    }

    fn random(&self, machine: &mut dyn Machine, first: u32, left: u32) -> Result<u32, CudaError> {
        let Tables::Random { lightest, found_sums, found_numbers } = &self.tables else { return Ok(left) };
        let solutions = u64::from(self.solutions);
        let at_once = Self::spans(solutions, left.into()) * SPAN / solutions;
        let iterations = at_once.clamp(1, left.into()) as u32;
        let spans = Self::spans(solutions, iterations.into()) as u32;
        let kernel = self.name("draw_items", "draw_blocks");
        let launch = self.launch(kernel, [spans, self.runs], BLOCK).array(&self.items).array(lightest);
        let launch = self.seeded(launch.array(found_sums).array(found_numbers));
        machine.launch(&launch.number(first).number(iterations))?;
        self.settle(machine, spans)?;
        Ok(iterations)
    }

    /// All individuals of all runs, once everything before is done; of random search none.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read(&self, machine: &mut dyn Machine) -> Result<Solutions, CudaError> {
        let Tables::Genetic { generations: [Population { words, sums, since }, _], .. } = &self.tables else {
            return Ok(Solutions::default());
        };
        Ok(Solutions {
            words: words.read(machine, words.len)?,
            sums: sums.read(machine, sums.len)?,
            since: since.read(machine, since.len)?,
        })
    }

    /// The best so far of each run, once everything before is done.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn records(&self, machine: &mut dyn Machine) -> Result<Vec<Record>, CudaError> {
        let Population { words, sums, since } = &self.records;
        let words = words.read(machine, words.len)?;
        let (sums, since) = (sums.read(machine, sums.len)?, since.read(machine, since.len)?);
        let records = words.chunks(self.each as usize).zip(sums).zip(since);
        Ok(records.map(|((words, sums), since)| Record { words: words.to_vec(), sums, since }).collect())
    }
}
