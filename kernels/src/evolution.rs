//! Typed launches of `evolution.cu`: the hybrid evolutionary algorithm for examination timetabling.

mod layout;
mod tables;

pub use layout::{Layout, Tuning};
pub use tables::{Graph, Shape};

use crate::demands::DemandArrays;
use crate::launch::Launch;
use crate::runtime::{Array, DeviceRuntime, Module};
use crate::structs::{StructLayout, kernel_struct};
use crate::{CudaError, Demands};

/// Lanes of a warp.
const WARP: usize = 32;

/// Threads of a block in kernels with one thread per chromosome or word.
const PLAIN_BLOCK: u32 = 256;

/// Largest block of the evaluation with one thread per exam; more exams take several blocks.
const EXAM_BLOCK: u32 = 512;

/// Number of generations whose records and best chromosomes a batch holds.
pub const SLOTS: u32 = 64;

/// Marks that no best chromosome is to be kept.
const NOTHING: u32 = u32::MAX;

/// Steps of a launch of the fused generation.
const REPRODUCE: u32 = 1;
const DESCEND: u32 = 2;

/// Matrix over which an evaluation sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// Full conflict matrix; each pair counts twice.
    Full,
    /// Compressed sparse rows; each pair counts twice.
    Sparse,
    /// Upper triangle of the compressed sparse rows; each pair counts once.
    HalfSparse,
}

/// Assignment of threads in an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worker {
    /// One thread per chromosome.
    Chromosome,
    /// One thread per exam, then a sum over the block; more than 512 exams take several blocks and an atomic sum.
    Exam,
}

kernel_struct! {
    /// Statistics of a generation.
    #[derive(Eq)]
    pub struct Record = "Record" {
        /// Smallest (cost << 32) | individual.
        pub best: u64,
        /// Sum of all costs.
        pub sum: u64,
        /// Sum of the digest terms of all words.
        pub digest: u64,
        /// Largest cost.
        pub worst: u64,
    }
}

/// Constants of `evolution.cu` by their names there.
pub(crate) const CONSTANTS: &[(&str, u64)] = &[
    ("REPRODUCE", REPRODUCE as u64),
    ("DESCEND", DESCEND as u64),
    ("NOTHING", NOTHING as u64),
    ("PAD", layout::PAD as u64),
];

/// Record of an empty population.
const EMPTY_RECORD: Record = Record { best: u64::MAX, sum: 0, digest: 0, worst: 0 };

/// Structs that cross to the kernels.
pub(crate) const STRUCTS: &[StructLayout] = &[tables::Parameters::LAYOUT, Record::LAYOUT];

/// Fused generation: its number, steps, and the slot of its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation {
    /// Number of the generation, part of the address of its random words.
    pub number: u32,
    /// Slot of its record, below [`SLOTS`].
    pub slot: u32,
    /// Slot of the previous generation if its best chromosome is to be copied, too.
    pub keep: Option<u32>,
    /// Makes children; otherwise the chromosomes are copied.
    pub reproduce: bool,
    /// Applies the descent to every child.
    pub descend: bool,
    /// Individuals per launch, rounded up to an even number; fewer make shorter launches.
    pub part: u32,
}

/// Population and tables in device memory.
#[derive(Debug)]
pub struct Population {
    shape: Shape,
    layout: Layout,
    offsets: Array<u32>,
    later: Array<u32>,
    neighbours: Array<u32>,
    edges: Array<u64>,
    edge_count: u32,
    matrix: Option<Array<u32>>,
    demands: Option<DemandArrays>,
    genes: [Array<u32>; 2],
    costs: [Array<u32>; 2],
    records: Array<Record>,
    bests: Array<u32>,
    matings: Array<u32>,
    sums: Array<u64>,
}

impl Population {
    /// Device memory that a run needs, in bytes.
    pub fn bytes(shape: &Shape, graph: &Graph) -> u64 {
        let (exams, words, population) = (u64::from(shape.exams), shape.words() as u64, u64::from(shape.population));
        let tables = 4 * (2 * exams + 2 * graph.neighbours.len() as u64 + graph.matrix.len() as u64 + 40);
        let tables = tables + 4 * graph.demands.as_ref().map_or(0, Demands::numbers) as u64;
        let populations = population * (2 * 4 * words + 2 * 4 + 6 + 8) + 8;
        tables + populations + u64::from(SLOTS) * (32 + 4 * words)
    }

    /// Reserves memory and writes the tables.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`] before anything is reserved, [`CudaError::SharedMemory`], and errors of the runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, shape: Shape, graph: &Graph, tuning: Tuning,
    ) -> Result<Self, CudaError> {
        let shape = shape.restricted(graph.demands.is_some());
        runtime.prepare(Module::Evolution)?;
        let limits = runtime.limits()?;
        let needed = Self::bytes(&shape, graph);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let layout = Layout::choose(&shape, &limits, tuning)?;
        let mut offsets = graph.offsets.clone();
        offsets.push(offsets.last().copied().unwrap_or(0));
        let edges = graph.edges();
        let mut neighbours = graph.neighbours.clone();
        neighbours.resize(neighbours.len() + WARP, 0);
        let (words, population) = (shape.words(), shape.population as usize);
        let demands = graph.demands.as_ref().map(|demands| DemandArrays::upload(runtime, demands)).transpose()?;
        let matrix = if graph.matrix.is_empty() { None } else { Some(Array::upload(runtime, &graph.matrix)?) };
        Ok(Self {
            shape,
            layout,
            offsets: Array::upload(runtime, &offsets)?,
            later: Array::upload(runtime, &graph.later)?,
            neighbours: Array::upload(runtime, &neighbours)?,
            edges: Array::upload(runtime, &edges)?,
            edge_count: edges.len() as u32,
            matrix,
            demands,
            genes: [Array::reserve(runtime, population * words)?, Array::reserve(runtime, population * words)?],
            costs: [Array::reserve(runtime, population)?, Array::reserve(runtime, population)?],
            records: Array::reserve(runtime, SLOTS as usize)?,
            bests: Array::reserve(runtime, SLOTS as usize * words)?,
            matings: Array::reserve(runtime, population.div_ceil(2) * 3)?,
            sums: Array::upload(runtime, &vec![0; population])?,
        })
    }

    /// Lanes, block and shared memory of a chromosome.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Writes the population: a byte per exam, chromosome by chromosome without padding.
    ///
    /// # Errors
    /// As [`DeviceRuntime::write`].
    pub fn write_genes(&self, runtime: &mut dyn DeviceRuntime, genes: &[u8]) -> Result<(), CudaError> {
        let (exams, row) = (self.shape.exams as usize, self.shape.words() * 4);
        let mut padded = vec![0; row * self.shape.population as usize];
        for (padded, chromosome) in padded.chunks_exact_mut(row).zip(genes.chunks_exact(exams)) {
            padded[..exams].copy_from_slice(chromosome);
        }
        runtime.write(self.genes[0].memory, &padded)
    }

    /// Reads the population as padded rows of [`Shape::words`] words.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_rows(&self, runtime: &mut dyn DeviceRuntime, into: &mut Vec<u8>) -> Result<(), CudaError> {
        into.resize(self.genes[0].len * 4, 0);
        runtime.read(self.genes[0].memory, into)
    }

    /// Removes the padding of rows that [`Self::read_rows`] returned: a byte per exam, chromosome by chromosome.
    pub fn without_padding(&self, rows: &[u8]) -> Vec<u8> {
        let (exams, row) = (self.shape.exams as usize, self.shape.words() * 4);
        let mut genes = Vec::with_capacity(exams * self.shape.population as usize);
        for chromosome in rows.chunks_exact(row) {
            genes.extend_from_slice(&chromosome[..exams]);
        }
        genes
    }

    /// Clears the first `count` records of a batch.
    ///
    /// # Errors
    /// As [`DeviceRuntime::write`].
    pub fn clear_records(&self, runtime: &mut dyn DeviceRuntime, count: u32) -> Result<(), CudaError> {
        self.records.write(runtime, &vec![EMPTY_RECORD; count.min(SLOTS) as usize])
    }

    /// Waits for all launches and reads the first `count` records.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_records(&self, runtime: &mut dyn DeviceRuntime, count: u32) -> Result<Vec<Record>, CudaError> {
        self.records.read(runtime, count as usize)
    }

    /// Reads the best chromosomes of the first `count` generations of a batch, a byte per exam.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_bests(&self, runtime: &mut dyn DeviceRuntime, count: u32) -> Result<Vec<Vec<u8>>, CudaError> {
        let row = self.shape.words() * 4;
        let bytes = self.bests.read_bytes(runtime, count as usize * self.shape.words())?;
        Ok(bytes.chunks_exact(row).map(|row| row[..self.shape.exams as usize].to_vec()).collect())
    }

    fn launch(&self, kernel: &'static str, grid: [u32; 2], block: u32, shared: usize) -> Launch {
        Launch::new(Module::Evolution, kernel, grid, block, shared as u32)
    }

    /// Returns a launch with `each` threads for each of `items` items.
    fn plain(&self, kernel: &'static str, items: u64, each: u64) -> Launch {
        let blocks = (items * each).div_ceil(u64::from(PLAIN_BLOCK));
        self.launch(kernel, [u32::try_from(blocks).unwrap_or(u32::MAX), 1], PLAIN_BLOCK, 0)
    }

    fn words_in_all(&self) -> u64 {
        u64::from(self.shape.population) * self.shape.words() as u64
    }

    /// Makes the children the parents of the next generation.
    fn exchange(&mut self) {
        self.genes.swap(0, 1);
        self.costs.swap(0, 1);
    }

    /// Runs a fused generation: selection, crossover, mutation, descent, evaluation, record.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn generation(&mut self, runtime: &mut dyn DeviceRuntime, what: Generation) -> Result<(), CudaError> {
        let steps = if what.reproduce { REPRODUCE } else { 0 } | if what.descend { DESCEND } else { 0 };
        let part = what.part.max(2).next_multiple_of(2);
        let mut first = 0;
        while first < self.shape.population {
            let end = first.saturating_add(part).min(self.shape.population);
            let keep = what.keep.filter(|_| first == 0).unwrap_or(NOTHING);
            let blocks = (end - first).div_ceil(self.layout.groups());
            let launch = self
                .launch(
                    self.layout.generation(self.demands.is_some()),
                    [blocks, 1],
                    self.layout.block,
                    self.layout.shared_bytes(),
                )
                .value(self.shape.parameters());
            let launch = match &self.demands {
                Some(demands) => demands.arguments(launch),
                None => launch,
            };
            let launch = launch
                .array(&self.offsets)
                .array(&self.neighbours)
                .array(&self.edges)
                .number(self.edge_count)
                .array(&self.genes[0])
                .array(&self.costs[0])
                .array(&self.genes[1])
                .array(&self.costs[1])
                .array(&self.records)
                .array(&self.bests)
                .number(what.slot.min(SLOTS - 1))
                .number(keep)
                .number(what.number)
                .number(first)
                .number(end)
                .number(steps)
                .number(self.layout.group_words);
            runtime.launch(&launch)?;
            first = end;
        }
        self.exchange();
        Ok(())
    }

    /// Copies the best chromosome of the current generation, whose record is in `slot`.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn keep_best(&self, runtime: &mut dyn DeviceRuntime, slot: u32) -> Result<(), CudaError> {
        let launch = self
            .launch("keep_best", [1, 1], PLAIN_BLOCK, 0)
            .array(&self.genes[0])
            .array(&self.records)
            .array(&self.bests)
            .number(slot.min(SLOTS - 1))
            .number(self.shape.words() as u32);
        runtime.launch(&launch)
    }

    /// Runs selection and crossover, in one kernel or in two; the children become the current population.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn reproduce(&mut self, runtime: &mut dyn DeviceRuntime, number: u32, in_two: bool) -> Result<(), CudaError> {
        let pairs = u64::from(self.shape.population.div_ceil(2));
        let shape = self.shape.parameters();
        if in_two {
            let select = self.plain("select_parents", pairs, WARP as u64).value(shape);
            runtime.launch(&select.array(&self.costs[0]).array(&self.matings).number(number))?;
            let cross = self.plain("cross_over", self.words_in_all(), 1).value(shape);
            runtime.launch(&cross.array(&self.genes[0]).array(&self.matings).array(&self.genes[1]))?;
        } else {
            let both = self.plain("reproduce", pairs, WARP as u64).value(shape);
            runtime.launch(&both.array(&self.genes[0]).array(&self.costs[0]).array(&self.genes[1]).number(number))?;
        }
        self.exchange();
        Ok(())
    }

    /// Runs the mutation of the current population.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn mutate(&self, runtime: &mut dyn DeviceRuntime, number: u32) -> Result<(), CudaError> {
        let launch = self.plain("mutate", self.words_in_all(), 1).value(self.shape.parameters());
        runtime.launch(&launch.array(&self.genes[0]).number(number))
    }

    /// Runs the descent of the current population.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn descend(&self, runtime: &mut dyn DeviceRuntime) -> Result<(), CudaError> {
        let blocks = self.shape.population.div_ceil(self.layout.groups());
        let launch = self
            .launch(self.layout.descent(), [blocks, 1], self.layout.block, self.layout.shared_bytes())
            .value(self.shape.parameters())
            .array(&self.offsets)
            .array(&self.neighbours)
            .array(&self.genes[0])
            .number(self.layout.group_words);
        runtime.launch(&launch)
    }

    /// Evaluates the current population.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`]; [`CudaError::Launch`] if the full matrix is asked for and was not uploaded.
    pub fn evaluate(&self, runtime: &mut dyn DeviceRuntime, sum: Sum, worker: Worker) -> Result<(), CudaError> {
        let shape = self.shape.parameters();
        let kernel = match (sum, worker) {
            (Sum::Full, Worker::Chromosome) => "evaluate_full_by_chromosome",
            (Sum::Full, Worker::Exam) => "evaluate_full_by_exam",
            (_, Worker::Chromosome) => "evaluate_sparse_by_chromosome",
            (_, Worker::Exam) => "evaluate_sparse_by_exam",
        };
        let launch = match worker {
            Worker::Chromosome => self.plain(kernel, u64::from(self.shape.population), 1),
            Worker::Exam => {
                let block = EXAM_BLOCK.min(self.shape.exams.next_multiple_of(WARP as u32));
                self.launch(kernel, [self.shape.population, self.shape.exams.div_ceil(block)], block, 0)
            }
        };
        let launch = launch.value(shape);
        let launch = match (sum, &self.matrix) {
            (Sum::Full, Some(matrix)) => launch.array(matrix),
            (Sum::Full, None) => {
                return Err(CudaError::Launch { kernel, what: "there is no full conflict matrix".to_owned() });
            }
            (Sum::Sparse, _) => launch.array(&self.offsets).array(&self.offsets).array(&self.neighbours),
            (Sum::HalfSparse, _) => launch.array(&self.later).array(&self.offsets).array(&self.neighbours),
        };
        let launch = launch.array(&self.genes[0]);
        let twice = u32::from(sum != Sum::HalfSparse);
        match worker {
            Worker::Chromosome => {
                let launch = launch.array(&self.costs[0]);
                runtime.launch(&if sum == Sum::Full { launch } else { launch.number(twice) })
            }
            Worker::Exam => {
                runtime.launch(&launch.array(&self.sums))?;
                let finish = self.plain("finish_costs", u64::from(self.shape.population), 1);
                let finish = finish.array(&self.sums).array(&self.costs[0]).number(self.shape.population);
                runtime.launch(&finish.number(twice))
            }
        }
    }

    /// Writes the record of the current population, which has been evaluated, to `slot`.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn summarise(&self, runtime: &mut dyn DeviceRuntime, slot: u32) -> Result<(), CudaError> {
        let launch = self.plain("summarise", u64::from(self.shape.population), WARP as u64);
        let launch = launch.value(self.shape.parameters()).array(&self.genes[0]).array(&self.costs[0]);
        runtime.launch(&launch.array(&self.records).number(slot.min(SLOTS - 1)))
    }
}
