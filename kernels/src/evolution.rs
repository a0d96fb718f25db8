//! Typed launches of `evolution.cu`: the hybrid evolutionary algorithm for examination timetabling.

mod layout;
mod tables;

pub use layout::{Layout, Tuning};
pub use tables::{Graph, Shape};

use crate::demands::DemandArrays;
use crate::machine::{Array, Launch, Machine, Module};
use crate::{CudaError, Demands};

/// Lanes of a warp.
const WARP: usize = 32;

/// Threads of a block in kernels that work on chromosomes or words one by one.
const PLAIN_BLOCK: u32 = 256;

/// Threads of a block that evaluates exam by exam; more exams take more blocks.
const EXAM_BLOCK: u32 = 512;

/// Generations whose records and best chromosomes a batch can hold.
pub const SLOTS: u32 = 64;

/// No generation whose best chromosome is to be kept.
const NOTHING: u32 = u32::MAX;

/// How `evaluate` sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// Full conflict matrix, each pair twice.
    Full,
    /// Compressed sparse rows, each pair twice.
    Sparse,
    /// The halves of the rows with larger numbers.
    HalfSparse,
}

/// Who sums in `evaluate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worker {
    /// One thread per chromosome.
    Chromosome,
    /// One thread per exam, then a sum over the block; more than 512 exams take more blocks and an atomic sum.
    Exam,
}

/// What a generation leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The smallest (cost << 32) | individual.
    pub best: u64,
    /// Sum of all costs.
    pub sum: u64,
    /// Sum of the digests of all words.
    pub digest: u64,
    /// The largest cost.
    pub worst: u64,
}

/// A record in which nothing has been noted.
const EMPTY_RECORD: [u64; 4] = [u64::MAX, 0, 0, 0];

/// One fused generation: which, and where its record goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation {
    /// Its number, from which its random words are addressed.
    pub number: u32,
    /// Where its record goes, below [`SLOTS`].
    pub slot: u32,
    /// The slot of the generation before, whose best chromosome is copied on the way.
    pub keep: Option<u32>,
    /// Whether children are made; otherwise the chromosomes are taken as they are.
    pub reproduce: bool,
    /// Whether every child descends.
    pub descend: bool,
    /// Individuals per launch, even; fewer make shorter launches.
    pub part: u32,
}

/// A population on a machine and everything that its kernels need.
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
    records: Array<u64>,
    bests: Array<u32>,
    matings: Array<u32>,
    sums: Array<u64>,
}

impl Population {
    /// Bytes of the machine's memory that a run needs.
    pub fn bytes(shape: &Shape, graph: &Graph) -> u64 {
        let (exams, words, population) = (u64::from(shape.exams), shape.words() as u64, u64::from(shape.population));
        let tables = 4 * (2 * exams + 2 * graph.neighbours.len() as u64 + graph.matrix.len() as u64 + 40);
        let tables = tables + 4 * graph.demands.as_ref().map_or(0, Demands::numbers) as u64;
        let populations = population * (2 * 4 * words + 2 * 4 + 6 + 8) + 8;
        tables + populations + u64::from(SLOTS) * (32 + 4 * words)
    }

    /// Reserves everything and writes the tables.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`] before anything is reserved where the memory does not suffice,
    /// [`CudaError::SharedMemory`], and what the machine reports.
    pub fn new(machine: &mut dyn Machine, shape: Shape, graph: &Graph, tuning: Tuning) -> Result<Self, CudaError> {
        let shape = shape.restricted(graph.demands.is_some());
        machine.prepare(Module::Evolution)?;
        let limits = machine.limits()?;
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
        let demands = graph.demands.as_ref().map(|demands| DemandArrays::upload(machine, demands)).transpose()?;
        let matrix = if graph.matrix.is_empty() { None } else { Some(Array::upload(machine, &graph.matrix)?) };
        Ok(Self {
            shape,
            layout,
            offsets: Array::upload(machine, &offsets)?,
            later: Array::upload(machine, &graph.later)?,
            neighbours: Array::upload(machine, &neighbours)?,
            edges: Array::upload(machine, &edges)?,
            edge_count: edges.len() as u32,
            matrix,
            demands,
            genes: [Array::reserve(machine, population * words)?, Array::reserve(machine, population * words)?],
            costs: [Array::reserve(machine, population)?, Array::reserve(machine, population)?],
            records: Array::reserve(machine, SLOTS as usize * EMPTY_RECORD.len())?,
            bests: Array::reserve(machine, SLOTS as usize * words)?,
            matings: Array::reserve(machine, population.div_ceil(2) * 3)?,
            sums: Array::upload(machine, &vec![0; population])?,
        })
    }

    /// How chromosomes are laid out over a block.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Writes chromosomes, one after the other and without padding.
    ///
    /// # Errors
    /// As [`Machine::write`].
    pub fn write_genes(&self, machine: &mut dyn Machine, genes: &[u8]) -> Result<(), CudaError> {
        let (exams, row) = (self.shape.exams as usize, self.shape.words() * 4);
        let mut padded = vec![0; row * self.shape.population as usize];
        for (padded, chromosome) in padded.chunks_exact_mut(row).zip(genes.chunks_exact(exams)) {
            padded[..exams].copy_from_slice(chromosome);
        }
        machine.write(self.genes[0].memory, &padded)
    }

    /// The chromosomes as the device holds them: padded rows.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_rows(&self, machine: &mut dyn Machine, into: &mut Vec<u8>) -> Result<(), CudaError> {
        into.resize(self.genes[0].len * 4, 0);
        machine.read(self.genes[0].memory, into)
    }

    /// Chromosomes from padded rows, one after the other and without padding.
    pub fn without_padding(&self, rows: &[u8]) -> Vec<u8> {
        let (exams, row) = (self.shape.exams as usize, self.shape.words() * 4);
        let mut genes = Vec::with_capacity(exams * self.shape.population as usize);
        for chromosome in rows.chunks_exact(row) {
            genes.extend_from_slice(&chromosome[..exams]);
        }
        genes
    }

    /// The costs of all individuals.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_costs(&self, machine: &mut dyn Machine) -> Result<Vec<u32>, CudaError> {
        self.costs[0].read(machine, self.costs[0].len)
    }

    /// Empties the records of a batch.
    ///
    /// # Errors
    /// As [`Machine::write`].
    pub fn clear_records(&self, machine: &mut dyn Machine, count: u32) -> Result<(), CudaError> {
        self.records.write(machine, &EMPTY_RECORD.repeat(count.min(SLOTS) as usize))
    }

    /// The first `count` records, once everything before is done.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_records(&self, machine: &mut dyn Machine, count: u32) -> Result<Vec<Record>, CudaError> {
        let numbers = self.records.read(machine, count as usize * EMPTY_RECORD.len())?;
        let record = |row: &[u64]| Record { best: row[0], sum: row[1], digest: row[2], worst: row[3] };
        Ok(numbers.chunks_exact(EMPTY_RECORD.len()).map(record).collect())
    }

    /// The best chromosomes of the first `count` generations of a batch.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_bests(&self, machine: &mut dyn Machine, count: u32) -> Result<Vec<Vec<u8>>, CudaError> {
        let row = self.shape.words() * 4;
        let bytes = self.bests.read_bytes(machine, count as usize * self.shape.words())?;
        Ok(bytes.chunks_exact(row).map(|row| row[..self.shape.exams as usize].to_vec()).collect())
    }

    fn launch(&self, kernel: &'static str, grid: [u32; 2], block: u32, shared: usize) -> Launch {
        Launch::new(Module::Evolution, kernel, grid, block, shared as u32)
    }

    /// A kernel with one thread (or `each` threads) per item.
    fn plain(&self, kernel: &'static str, items: u64, each: u64) -> Launch {
        let blocks = (items * each).div_ceil(u64::from(PLAIN_BLOCK));
        self.launch(kernel, [u32::try_from(blocks).unwrap_or(u32::MAX), 1], PLAIN_BLOCK, 0)
    }

    fn words_in_all(&self) -> u64 {
        u64::from(self.shape.population) * self.shape.words() as u64
    }

    /// Children become parents.
    fn exchange(&mut self) {
        self.genes.swap(0, 1);
        self.costs.swap(0, 1);
    }

    /// One whole generation: selection, crossover, mutation, descent, evaluation, record.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn generation(&mut self, machine: &mut dyn Machine, what: Generation) -> Result<(), CudaError> {
        let steps = u32::from(what.reproduce) | u32::from(what.descend) << 1;
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
                .structure(&self.shape.bytes());
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
            machine.launch(&launch)?;
            first = end;
        }
        self.exchange();
        Ok(())
    }

    /// Copies the best chromosome of the generation in `slot`, which is the current one.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn keep_best(&self, machine: &mut dyn Machine, slot: u32) -> Result<(), CudaError> {
        let launch = self
            .launch("keep_best", [1, 1], PLAIN_BLOCK, 0)
            .array(&self.genes[0])
            .array(&self.records)
            .array(&self.bests)
            .number(slot.min(SLOTS - 1))
            .number(self.shape.words() as u32);
        machine.launch(&launch)
    }

    /// Selection and crossover, in one kernel or in two. Children take the parents' place.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn reproduce(&mut self, machine: &mut dyn Machine, number: u32, in_two: bool) -> Result<(), CudaError> {
        let pairs = u64::from(self.shape.population.div_ceil(2));
        let shape = self.shape.bytes();
        if in_two {
            let select = self.plain("select_parents", pairs, WARP as u64).structure(&shape);
            machine.launch(&select.array(&self.costs[0]).array(&self.matings).number(number))?;
            let cross = self.plain("cross_over", self.words_in_all(), 1).structure(&shape);
            machine.launch(&cross.array(&self.genes[0]).array(&self.matings).array(&self.genes[1]))?;
        } else {
            let both = self.plain("reproduce", pairs, WARP as u64).structure(&shape);
            machine.launch(&both.array(&self.genes[0]).array(&self.costs[0]).array(&self.genes[1]).number(number))?;
        }
        self.exchange();
        Ok(())
    }

    /// Mutation of the current population.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn mutate(&self, machine: &mut dyn Machine, number: u32) -> Result<(), CudaError> {
        let launch = self.plain("mutate", self.words_in_all(), 1).structure(&self.shape.bytes());
        machine.launch(&launch.array(&self.genes[0]).number(number))
    }

    /// Descent of the current population.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn descend(&self, machine: &mut dyn Machine) -> Result<(), CudaError> {
        let blocks = self.shape.population.div_ceil(self.layout.groups());
        let launch = self
            .launch(self.layout.descent(), [blocks, 1], self.layout.block, self.layout.shared_bytes())
            .structure(&self.shape.bytes())
            .array(&self.offsets)
            .array(&self.neighbours)
            .array(&self.genes[0])
            .number(self.layout.group_words);
        machine.launch(&launch)
    }

    /// Evaluation of the current population.
    ///
    /// # Errors
    /// As [`Machine::launch`]; [`CudaError::Launch`] where the full matrix is wanted and was not given.
    pub fn evaluate(&self, machine: &mut dyn Machine, sum: Sum, worker: Worker) -> Result<(), CudaError> {
        let shape = self.shape.bytes();
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
        let launch = launch.structure(&shape);
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
                machine.launch(&if sum == Sum::Full { launch } else { launch.number(twice) })
            }
            Worker::Exam => {
                machine.launch(&launch.array(&self.sums))?;
                let finish = self.plain("finish_costs", u64::from(self.shape.population), 1);
                let finish = finish.array(&self.sums).array(&self.costs[0]).number(self.shape.population);
                machine.launch(&finish.number(twice))
            }
        }
    }

    /// The record of the current population, whose costs are known.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn summarise(&self, machine: &mut dyn Machine, slot: u32) -> Result<(), CudaError> {
        let launch = self.plain("summarise", u64::from(self.shape.population), WARP as u64);
        let launch = launch.structure(&self.shape.bytes()).array(&self.genes[0]).array(&self.costs[0]);
        machine.launch(&launch.array(&self.records).number(slot.min(SLOTS - 1)))
    }
}
