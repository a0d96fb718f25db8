//! Typed launches of `systolic.cu`: systolic genetic search, one run or many side by side; and of `rivals.cu`, what it is compared with.

mod layout;
mod rivals;

pub use layout::{Layout, Tuning};
pub use rivals::{Record, Rivals, Rule};

use crate::CudaError;
use crate::machine::{Array, Launch, Machine, Module};

/// Rows of a grid that the kernels can hold.
const MOST_ROWS: u32 = 16;

/// Blocks of six that are worth less than 2³² millionths.
const MOST_BLOCKS: u32 = 4_294;

/// Numbers between the flags of two blocks.
const FLAG_STEP: usize = 32;

/// Room for the flags of all blocks that can run at once on any device.
const FLAGS_BYTES: u64 = 4 << 20;

/// Threads that make random solutions together.
const START_BLOCK: u32 = 128;

/// What a solution is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// Items with profit and weight.
    Knapsack {
        /// What may be carried.
        capacity: u32,
    },
    /// Items with value and cost.
    NextRelease {
        /// Σ of all values.
        all_values: u32,
        /// Σ of all costs; ten times both sums multiplied are below 2⁶⁴.
        all_costs: u32,
        /// Weight of what is left out, in tenths.
        tenths: u32,
    },
    /// Blocks of six bits.
    Deceptive,
}

/// How solutions flow, in the order of the kernel's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// A torus.
    Torus,
    /// A torus whose streams are exchanged.
    Exchange,
    /// Columns go on in the next column.
    Vertical,
    /// And rows in the next row.
    Both,
}

/// A problem as the kernels read it.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// What a solution is worth.
    pub worth: Worth,
    /// Bits of a solution, at most 65,535.
    pub bits: u32,
    /// Rows of the grid.
    pub rows: u32,
    /// First bit + last bit · 2¹⁶ + flipped bit · 2³² of each cell, row by row.
    pub cells: &'a [u64],
    /// First number · 2³² + second number of each item; all first and all second ones sum up to less than 2³². Empty where
    /// there are none.
    pub items: &'a [u64],
}

impl Problem<'_> {
    /// Words of 64 bits in a solution; those of blocks hold 60.
    pub fn words(&self) -> u32 {
        self.bits.div_ceil(if self.worth == Worth::Deceptive { 60 } else { 64 })
    }

    /// Solutions of a run.
    pub fn solutions(&self) -> u32 {
        2 * self.bits * self.rows
    }

    fn shape(&self, flow: Flow) -> Vec<u8> {
        let (kind, [capacity, all_values, all_costs], tenths) = match self.worth {
            Worth::Knapsack { capacity } => (0, [capacity, 0, 0], 0),
            Worth::NextRelease { all_values, all_costs, tenths } => (1, [0, all_values, all_costs], tenths),
            Worth::Deceptive => (2, [0; 3], 0),
        };
        let mut bytes = Vec::with_capacity(48);
        [capacity, all_values, all_costs]
            .into_iter()
            .for_each(|number| bytes.extend_from_slice(&u64::from(number).to_le_bytes()));
        [self.bits, self.rows, self.words(), flow as u32, kind, tenths]
            .into_iter()
            .for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        bytes
    }

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
            // Millionths below 2³².
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

/// All solutions of all runs, run by run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solutions {
    /// Packed bits.
    pub words: Vec<u64>,
    /// Two sums each: first · 2³² + second.
    pub sums: Vec<u64>,
    /// The iteration, counted from 1, in which each was made; 0: at the start.
    pub since: Vec<u32>,
}

/// Runs on a machine.
#[derive(Debug)]
pub struct Grids {
    shape: Vec<u8>,
    runs: u32,
    solutions: u32,
    each: u32,
    blocks_of_six: bool,
    layout: Layout,
    /// Meetings that every block of a run has come to, so far.
    met: u32,
    cells: Array<u64>,
    items: Array<u64>,
    words: Array<u64>,
    /// What the words before each word but the first add up to.
    before: Array<u64>,
    sums: Array<u64>,
    since: Array<u32>,
    flags: Array<u32>,
    numbers: Array<u32>,
    gathered: Array<u64>,
}

impl Grids {
    /// Bytes of the machine's memory that the problem needs, and that each run needs.
    pub fn bytes(problem: &Problem<'_>) -> (u64, u64) {
        let (solutions, words) = (u64::from(problem.solutions()), u64::from(problem.words()));
        (
            8 * (problem.cells.len() + problem.items.len()) as u64 + FLAGS_BYTES,
            solutions * (16 * words + 4) + 8 * words + 8,
        )
    }

    /// Reserves room for `runs` runs and writes the tables. The seeds come with [`Self::start`].
    ///
    /// # Errors
    /// [`CudaError::Grid`] where the kernels cannot hold the problem; [`CudaError::OutOfMemory`] before anything is reserved where
    /// the memory does not suffice; what the machine reports.
    pub fn new(
        machine: &mut dyn Machine,
        problem: &Problem<'_>,
        flow: Flow,
        runs: u32,
        tuning: Tuning,
    ) -> Result<Self, CudaError> {
        problem.check()?;
        machine.prepare(Module::Systolic)?;
        let limits = machine.limits()?;
        let (tables, each_run) = Self::bytes(problem);
        let needed = tables + each_run * u64::from(runs);
        let numbered = u64::from(runs) * u64::from(problem.solutions()) <= u64::from(u32::MAX);
        if runs == 0 || runs > u32::from(u16::MAX) || !numbered {
            return Err(CudaError::Grid(format!("{runs} runs side by side")));
        }
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let layout = Self::lay_out(machine, problem, runs, tuning)?;
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
            cells: Array::upload(machine, problem.cells)?,
            items: Array::upload(machine, problem.items)?,
            words: Array::reserve(machine, count * words)?,
            before: Array::reserve(machine, count * (words - 1))?,
            sums: Array::reserve(machine, count)?,
            since: Array::reserve(machine, count)?,
            flags: Array::upload(machine, &vec![0; if meeting { blocks * FLAG_STEP } else { 1 }])?,
            numbers: Array::reserve(machine, runs as usize)?,
            gathered: Array::reserve(machine, runs as usize * words)?,
        })
    }

    /// How so many runs, at least one, would be laid out.
    ///
    /// # Errors
    /// As [`Machine::limits`].
    pub fn lay_out(
        machine: &mut dyn Machine,
        problem: &Problem<'_>,
        runs: u32,
        tuning: Tuning,
    ) -> Result<Layout, CudaError> {
        let limits = machine.limits()?;
        Ok(Layout::choose(&limits, machine.runs_all_blocks_at_once(), problem, runs.max(1), tuning))
    }

    /// Runs side by side.
    pub fn runs(&self) -> u32 {
        self.runs
    }

    /// Solutions of a run.
    pub fn solutions(&self) -> u32 {
        self.solutions
    }

    /// Makes the random solutions that the runs of seeds `seed`, `seed` + 1, … begin with.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn start(&self, machine: &mut dyn Machine, seed: u64) -> Result<(), CudaError> {
        let kernel = if self.blocks_of_six { "start_blocks" } else { "start_items" };
        let grid = [self.solutions.div_ceil(START_BLOCK), self.runs];
        let launch = Launch::new(Module::Systolic, kernel, grid, START_BLOCK, 0).structure(&self.shape);
        let launch = launch.array(&self.items).array(&self.words).array(&self.before);
        let launch = launch.array(&self.sums).array(&self.since);
        machine.launch(&launch.number(seed as u32).number((seed >> 32) as u32))
    }

    /// Goes on by so many iterations, of which `first` are done. What is launched does not wait; iterations that the blocks of
    /// a run cannot do in one launch are launched one by one.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn walk(&mut self, machine: &mut dyn Machine, first: u32, iterations: u32) -> Result<(), CudaError> {
        let Layout { kernel, block, blocks, shared_bytes, near_items, meets, .. } = self.layout;
        let mut done = 0;
        while done < iterations {
            let part = if blocks > 1 && !meets { 1 } else { iterations - done };
            let launch = Launch::new(Module::Systolic, kernel, [blocks, self.runs], block, shared_bytes);
            let launch = if blocks > 1 && meets { launch.all_at_once() } else { launch };
            let launch = launch.structure(&self.shape).array(&self.cells).array(&self.items).array(&self.words);
            let launch = launch.array(&self.before).array(&self.sums).array(&self.since).array(&self.flags);
            let launch = launch.number(self.met).number(near_items.into());
            machine.launch(&launch.number(first.wrapping_add(done)).number(part))?;
            if blocks > 1 {
                self.met = self.met.wrapping_add(part - 1);
            }
            done += part;
        }
        Ok(())
    }

    /// All solutions of all runs, once everything before is done.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read(&self, machine: &mut dyn Machine) -> Result<Solutions, CudaError> {
        let by_word = self.words.read(machine, self.words.len)?;
        let (each, count) = (self.each as usize, self.solutions as usize);
        let mut words = vec![0; by_word.len()];
        for (words, by_word) in words.chunks_mut(each * count).zip(by_word.chunks(each * count)) {
            for (number, row) in by_word.chunks(count).enumerate() {
                words.iter_mut().skip(number).step_by(each).zip(row).for_each(|(word, &bits)| *word = bits);
            }
        }
        let (sums, since) = self.read_sums(machine)?;
        Ok(Solutions { words, sums, since })
    }

    /// Sums of all solutions, and when they were made, without their bits.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_sums(&self, machine: &mut dyn Machine) -> Result<(Vec<u64>, Vec<u32>), CudaError> {
        Ok((self.sums.read(machine, self.sums.len)?, self.since.read(machine, self.since.len)?))
    }

    /// The packed bits of solutions, at most as many as there are runs, by their numbers counted over all runs.
    ///
    /// # Errors
    /// [`CudaError::Grid`] for numbers that are not there; as [`Machine::read`].
    pub fn gather(&self, machine: &mut dyn Machine, numbers: &[u32]) -> Result<Vec<u64>, CudaError> {
        let all = u64::from(self.runs) * u64::from(self.solutions);
        if numbers.len() > self.runs as usize || numbers.iter().any(|&number| u64::from(number) >= all) {
            return Err(CudaError::Grid(format!("{} solutions of {all} are asked for", numbers.len())));
        }
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        self.numbers.write(machine, numbers)?;
        let launch = Launch::new(Module::Systolic, "gather", [numbers.len() as u32, 1], 32, 0);
        let launch = launch.array(&self.words).array(&self.numbers).array(&self.gathered);
        machine.launch(&launch.number(self.solutions).number(self.each))?;
        self.gathered.read(machine, numbers.len() * self.each as usize)
    }
}
