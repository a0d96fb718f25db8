//! Typed launches of `systolic.cu` (systolic genetic search) and `baselines.cu` (the algorithms it is compared with), for one run or many at once.

mod baselines;
mod layout;

pub use baselines::{Baselines, Record, Rule};
pub use layout::{Layout, Tuning};

use crate::CudaError;
use crate::launch::Launch;
use crate::runtime::{Array, DeviceRuntime, Module};
use crate::structs::{StructLayout, kernel_struct};

/// Largest number of rows of a grid.
const MOST_ROWS: u32 = 16;

/// Largest number of blocks of six bits whose total worth is below 2³² millionths.
const MOST_BLOCKS: u32 = 4_294;

/// Distance between the flags of two blocks in 32-bit words: a cache line each.
const FLAG_STEP: usize = 32;

/// Memory in bytes for the flags of all blocks that run at once on any device.
const FLAGS_BYTES: u64 = 4 << 20;

/// Threads of a block that makes random solutions.
const START_BLOCK: u32 = 128;

kernel_struct! {
    /// Parameters of a binary problem.
    struct Shape = "Shape" {
        capacity: u64,
        all_values: u64,
        all_costs: u64,
        bits: u32,
        rows: u32,
        words: u32,
        flavour: u32,
        kind: u32,
        tenths: u32,
    }
}

/// Structs that cross to the kernels of `systolic.cu`.
pub(crate) const STRUCTS: &[StructLayout] = &[Shape::LAYOUT];

/// Constants that the kernels of `systolic.cu` declare, too.
pub(crate) const CONSTANTS: &[(&str, u64)] = &[("MOST_ROWS", MOST_ROWS as u64), ("FLAG_STEP", FLAG_STEP as u64)];

/// Structs that cross to the kernels of `baselines.cu`.
pub(crate) const BASELINE_STRUCTS: &[StructLayout] = &[Shape::LAYOUT, baselines::Rules::LAYOUT];

/// Constants that the kernels of `baselines.cu` declare, too.
pub(crate) const BASELINE_CONSTANTS: &[(&str, u64)] = baselines::CONSTANTS;

/// Objective of a binary problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// 0/1 knapsack; items have a profit and a weight.
    Knapsack {
        /// Largest total weight.
        capacity: u32,
    },
    /// Next release problem; items have a value and a cost.
    NextRelease {
        /// Sum of all values.
        all_values: u32,
        /// Sum of all costs; 10 · `all_values` · `all_costs` < 2⁶⁴.
        all_costs: u32,
        /// Weight of the value that is left out, in tenths.
        tenths: u32,
    },
    /// Massively multimodal deceptive problem, blocks of six bits.
    Deceptive,
}

/// Flow of the solutions through the grid, numbered as in `systolic_grid.cuh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Torus: horizontal solutions move right, vertical ones down.
    Torus,
    /// Torus whose horizontal and vertical streams are exchanged.
    Exchange,
    /// Vertical solutions continue in the next column.
    Vertical,
    /// Vertical solutions continue in the next column, horizontal ones in the next row.
    Both,
}

/// Problem and grid as the kernels read them.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Objective of a binary problem.
    pub worth: Worth,
    /// Number of bits of a solution, at most 65,535.
    pub bits: u32,
    /// Number of rows of the grid, 1 to 16.
    pub rows: u32,
    /// Operation of each cell, rows × bits, row-major: first bit + last bit · 2¹⁶ + flipped bit · 2³².
    pub cells: &'a [u64],
    /// Items: first number · 2³² + second number; each of the two sums is below 2³². Empty for the deceptive problem.
    pub items: &'a [u64],
}

impl Problem<'_> {
    /// Number of 64-bit words of a solution; a word of the deceptive problem holds 60 bits.
    pub fn words(&self) -> u32 {
        self.bits.div_ceil(if self.worth == Worth::Deceptive { 60 } else { 64 })
    }

    /// Number of solutions of a run, two per cell.
    pub fn solutions(&self) -> u32 {
        2 * self.bits * self.rows
    }

    /// Parameters as the kernels read them.
    fn shape(&self, flow: Flow) -> Shape {
        let (kind, [capacity, all_values, all_costs], tenths) = match self.worth {
            Worth::Knapsack { capacity } => (0, [capacity, 0, 0], 0),
            Worth::NextRelease { all_values, all_costs, tenths } => (1, [0, all_values, all_costs], tenths),
            Worth::Deceptive => (2, [0; 3], 0),
        };
        Shape {
            capacity: capacity.into(),
            all_values: all_values.into(),
            all_costs: all_costs.into(),
            bits: self.bits,
            rows: self.rows,
            words: self.words(),
            flavour: flow as u32,
            kind,
            tenths,
        }
    }

    /// Checks sizes and sums.
    ///
    /// # Errors
    /// [`CudaError::Grid`] if the kernels cannot represent the problem.
    fn check(&self) -> Result<(), CudaError> {
        let blocks = self.worth == Worth::Deceptive;
        let sums = [32, 0].map(|shift| self.items.iter().map(|item| u64::from((item >> shift) as u32)).sum::<u64>());
        let product = match self.worth {
            Worth::NextRelease { all_values, all_costs, tenths } => {
                10 * u128::from(all_values) * u128::from(all_costs) <= u128::from(u64::MAX)
                    && tenths <= 10
                    && sums == [u64::from(all_values), u64::from(all_costs)]
            }
            Worth::Knapsack { capacity } => {
                u128::from(capacity) * u128::from(sums[1]) + u128::from(sums[0]) <= i64::MAX as u128
            }
            // The worth in millionths has to stay below 2³².
            Worth::Deceptive => self.bits.is_multiple_of(6) && self.bits / 6 <= MOST_BLOCKS,
        };
        let within = |cell: &u64| {
            let [first, last, flipped] = [cell & 0xffff, cell >> 16 & 0xffff, cell >> 32];
            first <= last && last < u64::from(self.bits) && flipped < u64::from(self.bits)
        };
        let items = if blocks { 0 } else { self.bits as usize };
        if !(1..=MOST_ROWS).contains(&self.rows) || self.bits == 0 || self.bits > u32::from(u16::MAX) {
            return Err(CudaError::Grid(format!("{} bits in {} rows", self.bits, self.rows)));
        }
        if self.items.len() != items || self.cells.len() as u64 != u64::from(self.bits) * u64::from(self.rows) {
            let (items, cells) = (self.items.len(), self.cells.len());
            return Err(CudaError::Grid(format!("{items} items and {cells} cells for {} bits", self.bits)));
        }
        if sums.iter().any(|&sum| sum > u64::from(u32::MAX)) || !product || !self.cells.iter().all(within) {
            return Err(CudaError::Grid("numbers beyond 32 bits, or products beyond 63".to_owned()));
        }
        Ok(())
    }
}

/// Solutions of all runs, run by run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solutions {
    /// Packed bits, [`Problem::words`] words per solution.
    pub words: Vec<u64>,
    /// Sums of each solution: first · 2³² + second.
    pub sums: Vec<u64>,
    /// Iteration in which each solution was made, counted from 1; 0: at the start.
    pub since: Vec<u32>,
}

/// First solutions of all runs that the host has made, run by run and solution by solution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FirstPopulations {
    /// Packed bits, [`Problem::words`] words per solution.
    pub words: Vec<u64>,
    /// Sums over the words 0 … w − 1 for w = 1, 2, …, one less than the words of a solution: first · 2³² + second.
    pub before: Vec<u64>,
    /// Sums of each solution: first · 2³² + second.
    pub sums: Vec<u64>,
}

/// Runs of systolic genetic search in device memory.
#[derive(Debug)]
pub struct Grids {
    shape: Shape,
    runs: u32,
    solutions: u32,
    each: u32,
    blocks_of_six: bool,
    layout: Layout,
    /// Number of synchronisations that every block of a run has passed so far.
    met: u32,
    cells: Array<u64>,
    items: Array<u64>,
    words: Array<u64>,
    /// Prefix sums of each solution over its words, without the first.
    before: Array<u64>,
    sums: Array<u64>,
    since: Array<u32>,
    flags: Array<u32>,
    numbers: Array<u32>,
    gathered: Array<u64>,
}

impl Grids {
    /// Device memory in bytes that the problem needs, and that each run needs.
    pub fn bytes(problem: &Problem<'_>) -> (u64, u64) {
        let (solutions, words) = (u64::from(problem.solutions()), u64::from(problem.words()));
        (
            8 * (problem.cells.len() + problem.items.len()) as u64 + FLAGS_BYTES,
            solutions * (16 * words + 4) + 8 * words + 8,
        )
    }

    /// Reserves memory for `runs` runs and writes the tables; [`Self::start`] sets the seeds.
    ///
    /// # Errors
    /// [`CudaError::Grid`] if the kernels cannot represent the problem; [`CudaError::OutOfMemory`] before anything is reserved; errors of the
    /// runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, problem: &Problem<'_>, flow: Flow, runs: u32, tuning: Tuning,
    ) -> Result<Self, CudaError> {
        problem.check()?;
        runtime.prepare(Module::Systolic)?;
        let limits = runtime.limits()?;
        let (tables, each_run) = Self::bytes(problem);
        let needed = tables + each_run * u64::from(runs);
        let numbered = u64::from(runs) * u64::from(problem.solutions()) <= u64::from(u32::MAX);
        if runs == 0 || runs > u32::from(u16::MAX) || !numbered {
            return Err(CudaError::Grid(format!("{runs} runs side by side")));
        }
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let layout = Self::lay_out(runtime, problem, runs, tuning)?;
        let (blocks, meeting) = (runs as usize * layout.blocks as usize, layout.blocks > 1 && layout.meets);
        let (count, words) = (runs as usize * problem.solutions() as usize, problem.words() as usize);
        Ok(Self {
            shape: problem.shape(flow),
            runs,
            solutions: problem.solutions(),
            each: problem.words(),
            blocks_of_six: problem.worth == Worth::Deceptive,
            layout,
            met: 0,
            cells: Array::upload(runtime, problem.cells)?,
            items: Array::upload(runtime, problem.items)?,
            words: Array::reserve(runtime, count * words)?,
            before: Array::reserve(runtime, count * (words - 1))?,
            sums: Array::reserve(runtime, count)?,
            since: Array::reserve(runtime, count)?,
            flags: Array::upload(runtime, &vec![0; if meeting { blocks * FLAG_STEP } else { 1 }])?,
            numbers: Array::reserve(runtime, runs as usize)?,
            gathered: Array::reserve(runtime, runs as usize * words)?,
        })
    }

    /// Chooses kernel, block and blocks per run for `runs` runs (at least one).
    ///
    /// # Errors
    /// As [`DeviceRuntime::limits`].
    pub fn lay_out(
        runtime: &mut dyn DeviceRuntime, problem: &Problem<'_>, runs: u32, tuning: Tuning,
    ) -> Result<Layout, CudaError> {
        let limits = runtime.limits()?;
        Ok(Layout::choose(&limits, runtime.runs_all_blocks_at_once(), problem, runs.max(1), tuning))
    }

    /// Number of runs.
    pub fn runs(&self) -> u32 {
        self.runs
    }

    /// Number of solutions of a run.
    pub fn solutions(&self) -> u32 {
        self.solutions
    }

    /// Makes the random populations of the runs, whose seeds are `seed`, `seed` + 1, ….
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn start(&self, runtime: &mut dyn DeviceRuntime, seed: u64) -> Result<(), CudaError> {
        let kernel = if self.blocks_of_six { "start_blocks" } else { "start_items" };
        let grid = [self.solutions.div_ceil(START_BLOCK), self.runs];
        let launch = Launch::new(Module::Systolic, kernel, grid, START_BLOCK, 0).value(self.shape);
        let launch = launch.array(&self.items).array(&self.words).array(&self.before);
        let launch = launch.array(&self.sums).array(&self.since);
        runtime.launch(&launch.number(seed as u32).number((seed >> 32) as u32))
    }

    /// Writes first solutions that the host has made, in place of the random ones of [`Self::start`].
    ///
    /// # Errors
    /// [`CudaError::Grid`] if these are not all solutions of all runs; as [`DeviceRuntime::write_at`].
    pub fn place(&self, runtime: &mut dyn DeviceRuntime, first: &FirstPopulations) -> Result<(), CudaError> {
        let FirstPopulations { words, before, sums } = first;
        let (count, each) = (self.solutions as usize, self.each as usize);
        let all = count * self.runs as usize;
        if [words.len(), before.len(), sums.len()] != [all * each, all * (each - 1), all] {
            return Err(CudaError::Grid(format!("{} first solutions where there must be {all}", sums.len())));
        }
        self.words.write(runtime, &by_word(words, count, each))?;
        if each > 1 {
            self.before.write(runtime, &by_word(before, count, each - 1))?;
        }
        self.sums.write(runtime, sums)?;
        self.since.write(runtime, &vec![0; all])
    }

    /// Launches `iterations` iterations after the first `first` ones, without waiting for them; one by one if the blocks of a run cannot
    /// synchronise within a launch.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn advance(&mut self, runtime: &mut dyn DeviceRuntime, first: u32, iterations: u32) -> Result<(), CudaError> {
        let Layout { kernel, block, blocks, shared_bytes, near_items, meets, .. } = self.layout;
        let mut done = 0;
        while done < iterations {
            let part = if blocks > 1 && !meets { 1 } else { iterations - done };
            let launch = Launch::new(Module::Systolic, kernel, [blocks, self.runs], block, shared_bytes);
            let launch = if blocks > 1 && meets { launch.all_at_once() } else { launch };
            let launch = launch.value(self.shape).array(&self.cells).array(&self.items).array(&self.words);
            let launch = launch.array(&self.before).array(&self.sums).array(&self.since).array(&self.flags);
            let launch = launch.number(self.met).number(near_items.into());
            runtime.launch(&launch.number(first.wrapping_add(done)).number(part))?;
            if blocks > 1 {
                self.met = self.met.wrapping_add(part - 1);
            }
            done += part;
        }
        Ok(())
    }

    /// Waits for all launches and reads all solutions of all runs.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read(&self, runtime: &mut dyn DeviceRuntime) -> Result<Solutions, CudaError> {
        let by_word = self.words.read(runtime, self.words.len)?;
        let (each, count) = (self.each as usize, self.solutions as usize);
        let mut words = vec![0; by_word.len()];
        for (words, by_word) in words.chunks_mut(each * count).zip(by_word.chunks(each * count)) {
            for (number, row) in by_word.chunks(count).enumerate() {
                words.iter_mut().skip(number).step_by(each).zip(row).for_each(|(word, &bits)| *word = bits);
            }
        }
        let (sums, since) = self.read_sums(runtime)?;
        Ok(Solutions { words, sums, since })
    }

    /// Reads the sums and the iterations of all solutions, without their bits.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_sums(&self, runtime: &mut dyn DeviceRuntime) -> Result<(Vec<u64>, Vec<u32>), CudaError> {
        Ok((self.sums.read(runtime, self.sums.len)?, self.since.read(runtime, self.since.len)?))
    }

    /// Reads the packed bits of at most [`Self::runs`] solutions; `numbers` counts solutions over all runs.
    ///
    /// # Errors
    /// [`CudaError::Grid`] if a number is out of range or there are too many; as [`DeviceRuntime::read`].
    pub fn gather(&self, runtime: &mut dyn DeviceRuntime, numbers: &[u32]) -> Result<Vec<u64>, CudaError> {
        let all = u64::from(self.runs) * u64::from(self.solutions);
        if numbers.len() > self.runs as usize || numbers.iter().any(|&number| u64::from(number) >= all) {
            return Err(CudaError::Grid(format!("{} solutions of {all} are asked for", numbers.len())));
        }
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        self.numbers.write(runtime, numbers)?;
        let launch = Launch::new(Module::Systolic, "gather", [numbers.len() as u32, 1], 32, 0);
        let launch = launch.array(&self.words).array(&self.numbers).array(&self.gathered);
        runtime.launch(&launch.number(self.solutions).number(self.each))?;
        self.gathered.read(runtime, numbers.len() * self.each as usize)
    }
}

/// Reorders words that lie solution by solution, `each` per solution, so that in every run of `count` solutions the first
/// words of all solutions lie side by side, then the second ones, and so on.
fn by_word(words: &[u64], count: usize, each: usize) -> Vec<u64> {
    let of_run = |run: &[u64]| -> Vec<u64> {
        (0..each).flat_map(|word| run.iter().skip(word).step_by(each).copied().collect::<Vec<_>>()).collect()
    };
    words.chunks(count * each).flat_map(of_run).collect()
}
