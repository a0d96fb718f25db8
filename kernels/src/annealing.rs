//! Typed launches of `annealing.cu`: annealing with Kempe chains for examination timetabling.

mod layout;

pub use layout::{Layout, Tuning};

use crate::demands::DemandArrays;
use crate::machine::{Array, Launch, Machine, Module};
use crate::{CudaError, Demands, Element};

/// Temperatures in a leg.
pub const RUNGS: usize = 16;

/// Threads of a block that copies a chain.
const COPY_BLOCK: u32 = 256;

/// What does not change during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of periods.
    pub periods: u32,
    /// Chains of every component.
    pub chains: u32,
    /// The seed.
    pub seed: u64,
    /// Threshold of the control word below which a step is a Kempe chain.
    pub kempe: u64,
    /// Threshold below which it is, otherwise, an exchange of periods.
    pub exchange: u64,
}

/// A connected part of the conflict graph; exams are numbered from 0 in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Component {
    /// Neighbours of exam e: `neighbours[offsets[e]..offsets[e + 1]]`; exams + 1 numbers.
    pub offsets: Vec<u32>,
    /// Exam in the lower half, shared students in the upper half of each word.
    pub neighbours: Vec<u32>,
    /// Moves of one exam that a step proposes, a multiple of 32.
    pub proposals: u32,
    /// Kempe chains or exchanges that a step proposes, at most 16.
    pub alternatives: u32,
}

impl Component {
    /// Number of exams.
    pub fn exams(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    /// 32-bit words of a set of its exams.
    fn words(&self) -> u32 {
        self.exams().div_ceil(32)
    }

    /// 32-bit words of a row with a byte for every exam.
    fn row(&self) -> u32 {
        self.exams().div_ceil(4)
    }

    /// A set of exams for every exam.
    fn adjacency(&self) -> Vec<u32> {
        let words = self.words() as usize;
        let mut adjacency = vec![0; self.exams() as usize * words];
        for (exam, ends) in self.offsets.windows(2).enumerate() {
            for &neighbour in &self.neighbours[ends[0] as usize..ends[1] as usize] {
                let other = (neighbour & 0xffff) as usize;
                adjacency[exam * words + other / 32] |= 1 << (other % 32);
            }
        }
        adjacency
    }
}

/// The problem as the kernels read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// The components.
    pub components: Vec<Component>,
    /// What is demanded beyond «no clashes», exams in the order of the components but numbered within them; `None`: nothing.
    pub demands: Option<Demands>,
}

impl Graph {
    /// The largest component.
    fn largest(&self) -> Component {
        self.components.iter().max_by_key(|component| component.exams()).cloned().unwrap_or_default()
    }
}

/// The steps of a component that are walked at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// The first one.
    pub from: u64,
    /// The one after the last.
    pub until: u64,
    /// First step of the leg.
    pub leg_begin: u64,
    /// Steps at one temperature, at least 1.
    pub rung_length: u64,
}

/// What is known of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// What its timetable costs.
    pub cost: i64,
    /// What the best that it has visited costs.
    pub best_cost: i64,
    /// Moves that it has evaluated.
    pub evaluations: u64,
}

/// The chains on a machine and everything that their kernels need. Chain c of component k is number k·chains + c.
#[derive(Debug)]
pub struct Chains {
    shape: Shape,
    layout: Layout,
    rows: Vec<u32>,
    exams: Vec<u32>,
    components: Array<u32>,
    stretches: Array<u64>,
    offsets: Array<u32>,
    neighbours: Array<u32>,
    adjacency: Array<u32>,
    levels: Array<u32>,
    demands: Option<DemandArrays>,
    places: Array<u32>,
    bests: Array<u32>,
    records: Array<u64>,
    pairs: Array<u32>,
    tables: Array<u32>,
}

impl Chains {
    /// Bytes of the machine's memory that a run needs.
    pub fn bytes(shape: &Shape, graph: &Graph, layout: &Layout) -> u64 {
        let per_component = |component: &Component| {
            let (exams, chains) = (u64::from(component.exams()), u64::from(shape.chains));
            let tables = exams * u64::from(component.words()) + component.neighbours.len() as u64 + exams + 17;
            4 * tables + chains * (8 * u64::from(component.row()) + 24 + 8 + 4 * u64::from(layout.table_words))
        };
        let demands = graph.demands.as_ref().map_or(0, |demands| 4 * demands.numbers() as u64);
        graph.components.iter().map(per_component).sum::<u64>() + demands + 4 * 1_024
    }

    /// Reserves everything and writes the tables; `levels` are the 1,024 levels of −ln u.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`] before anything is reserved where the memory does not suffice,
    /// [`CudaError::TooManyExams`], [`CudaError::SharedMemory`], and what the machine reports.
    pub fn new(
        machine: &mut dyn Machine,
        shape: Shape,
        graph: &Graph,
        levels: &[u32],
        tuning: Tuning,
    ) -> Result<Self, CudaError> {
        machine.prepare(Module::Annealing)?;
        let limits = machine.limits()?;
        let count = graph.components.len() as u32 * shape.chains;
        let layout = Layout::for_chains(&limits, graph, &shape, tuning)?;
        let needed = Self::bytes(&shape, graph, &layout);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let (mut offsets, mut neighbours, mut adjacency) = (Vec::new(), Vec::new(), Vec::new());
        let (mut components, mut exams, mut place) = (Vec::new(), 0, 0);
        for component in &graph.components {
            let first_adjacent = adjacency.len() as u32;
            components.extend([component.exams(), component.words(), component.row(), exams, first_adjacent, place]);
            components.extend([component.proposals, component.alternatives]);
            let first = neighbours.len() as u32;
            offsets.extend(component.offsets.iter().map(|offset| first + offset));
            neighbours.extend_from_slice(&component.neighbours);
            adjacency.extend(component.adjacency());
            exams += component.exams();
            place += component.row() * shape.chains;
        }
        let demands = graph.demands.as_ref().map(|demands| DemandArrays::upload(machine, demands)).transpose()?;
        let (count, place) = (count as usize, place as usize);
        Ok(Self {
            shape,
            layout,
            rows: graph.components.iter().map(Component::row).collect(),
            exams: graph.components.iter().map(Component::exams).collect(),
            components: Array::upload(machine, &components)?,
            stretches: Array::reserve(machine, 4 * graph.components.len())?,
            offsets: Array::upload(machine, &offsets)?,
            neighbours: Array::upload(machine, &neighbours)?,
            adjacency: Array::upload(machine, &adjacency)?,
            levels: Array::upload(machine, levels)?,
            demands,
            places: Array::reserve(machine, place)?,
            bests: Array::reserve(machine, place)?,
            records: Array::reserve(machine, 3 * count)?,
            pairs: Array::reserve(machine, 2 * count)?,
            tables: Array::reserve(machine, layout.table_words as usize * count)?,
        })
    }

    /// How a chain is laid out over a block.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of chains, all components together.
    pub fn count(&self) -> u32 {
        self.rows.len() as u32 * self.shape.chains
    }

    /// Writes where the chains stand; what they stand on is their best.
    ///
    /// # Errors
    /// As [`Machine::write`].
    pub fn write(&self, machine: &mut dyn Machine, places: &[&[u8]], costs: &[i64]) -> Result<(), CudaError> {
        let mut rows = Vec::with_capacity(self.places.len * 4);
        for place in places {
            rows.extend_from_slice(place);
            rows.resize(rows.len().next_multiple_of(4), 0);
        }
        machine.write(self.places.memory, &rows)?;
        machine.write(self.bests.memory, &rows)?;
        let records: Vec<u64> = costs.iter().flat_map(|&cost| [cost as u64, cost as u64, 0]).collect();
        self.records.write(machine, &records)
    }

    /// What is known of all chains, once everything before is done.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_records(&self, machine: &mut dyn Machine) -> Result<Vec<Record>, CudaError> {
        let numbers = self.records.read(machine, self.records.len)?;
        let record = |row: &[u64]| Record { cost: row[0] as i64, best_cost: row[1] as i64, evaluations: row[2] };
        Ok(numbers.chunks_exact(3).map(record).collect())
    }

    /// Where all chains stand, and the best that they have visited.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_places(&self, machine: &mut dyn Machine) -> Result<[Vec<Vec<u16>>; 2], CudaError> {
        let mut read = |array: &Array<u32>| Ok(self.split(&array.read_bytes(machine, array.len)?));
        Ok([read(&self.places)?, read(&self.bests)?])
    }

    /// Padded rows of bytes as periods, chain by chain.
    fn split(&self, bytes: &[u8]) -> Vec<Vec<u16>> {
        let mut rest = bytes;
        let mut places = Vec::with_capacity(self.count() as usize);
        for (&row, &exams) in self.rows.iter().zip(&self.exams) {
            for _ in 0..self.shape.chains {
                let (own, behind) = rest.split_at((row as usize * 4).min(rest.len()));
                places.push(own.iter().take(exams as usize).map(|&period| u16::from(period)).collect());
                rest = behind;
            }
        }
        places
    }

    /// Lets all chains walk, at most `part` of them in a launch; temperatures are in 1/256 of a cost unit.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn walk(
        &self,
        machine: &mut dyn Machine,
        steps: &[Steps],
        temperatures: &[u32; RUNGS],
        part: u32,
    ) -> Result<(), CudaError> {
        let numbers: Vec<u64> =
            steps.iter().flat_map(|steps| [steps.from, steps.until, steps.leg_begin, steps.rung_length]).collect();
        self.stretches.write(machine, &numbers)?;
        let (count, mut first) = (self.count(), 0);
        while first < count {
            let end = first.saturating_add(part.max(1)).min(count);
            let launch = self.launch(self.layout.kernel, end - first, self.layout.block(), self.layout.shared_bytes);
            let launch = launch.structure(&self.structure(temperatures));
            let launch = match &self.demands {
                Some(demands) => demands.arguments(launch),
                None => launch,
            };
            let launch = launch
                .array(&self.components)
                .array(&self.stretches)
                .array(&self.offsets)
                .array(&self.neighbours)
                .array(&self.adjacency)
                .array(&self.levels)
                .array(&self.places)
                .array(&self.bests)
                .array(&self.records)
                .array(&self.tables)
                .number(self.layout.table_words)
                .number(first);
            machine.launch(&launch)?;
            first = end;
        }
        Ok(())
    }

    /// Chains continue from copies of others; (from, to), where no chain is in two pairs.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn continue_from(&self, machine: &mut dyn Machine, pairs: &[(u32, u32)]) -> Result<(), CudaError> {
        if pairs.is_empty() {
            return Ok(());
        }
        let numbers: Vec<u32> = pairs.iter().flat_map(|&(from, to)| [from, to]).collect();
        self.pairs.write(machine, &numbers)?;
        let launch = self.launch("continue_from", pairs.len() as u32, COPY_BLOCK, 0);
        let launch = launch.array(&self.pairs).array(&self.components).number(self.shape.chains);
        machine.launch(&launch.array(&self.places).array(&self.bests).array(&self.records))
    }

    fn launch(&self, kernel: &'static str, blocks: u32, block: u32, shared: u32) -> Launch {
        Launch::new(Module::Annealing, kernel, [blocks, 1], block, shared)
    }

    /// As `struct Walk` of `annealing.cuh`.
    fn structure(&self, temperatures: &[u32; RUNGS]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(96);
        for number in [self.shape.seed, self.shape.kempe, self.shape.exchange] {
            number.append(&mut bytes);
        }
        for number in [self.shape.periods, self.shape.chains].iter().chain(temperatures) {
            number.append(&mut bytes);
        }
        bytes
    }
}
