//! Typed launches of `annealing.cu`: simulated annealing with Kempe chains for examination timetabling, one block per chain.

mod layout;

pub use layout::{Layout, Tuning};

use std::sync::Arc;

use crate::demands::DemandArrays;
use crate::launch::{Division, Launch, Rows};
use crate::runtime::{Array, DeviceRuntime, Module};
use crate::structs::{StructLayout, kernel_struct};
use crate::{CudaError, Demands, Element as _};

/// Temperature levels of a stage.
pub const TEMPERATURE_LEVELS: usize = 16;

/// Threads of a block that copies a chain.
const COPY_BLOCK: u32 = 256;

/// Structs that cross to the kernels.
pub(crate) const STRUCTS: &[StructLayout] =
    &[Settings::LAYOUT, ComponentRow::LAYOUT, StepRange::LAYOUT, ChainRecord::LAYOUT];

/// Constants that the kernels declare, too.
pub(crate) const CONSTANTS: &[(&str, u64)] = &[("TEMPERATURE_LEVELS", TEMPERATURE_LEVELS as u64)];

/// Parameters of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of periods.
    pub periods: u32,
    /// Number of chains of every component.
    pub chains: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Threshold of a step's control word below which the step proposes Kempe chains, ⌊p·2³²⌋.
    pub kempe: u64,
    /// Threshold below which a step that proposes no Kempe chains proposes exchanges of two periods; at least `kempe`.
    pub exchange: u64,
}

/// Connected component of the conflict graph, with exams numbered from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Component {
    /// Offsets into [`Self::neighbours`], exams + 1 numbers: exam e has `neighbours[offsets[e]..offsets[e + 1]]`.
    pub offsets: Vec<u32>,
    /// Neighbouring exam in the lower 16 bits, number of shared students in the upper ones.
    pub neighbours: Vec<u32>,
    /// Moves of single exams that a step proposes, a multiple of 32.
    pub proposals: u32,
    /// Kempe chains or exchanges that a step proposes, at most 16.
    pub alternatives: u32,
}

impl Component {
    /// Number of exams.
    pub fn exams(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    /// 32-bit words of a set of exams.
    fn words(&self) -> u32 {
        self.exams().div_ceil(32)
    }

    /// 32-bit words of a row with one byte per exam.
    fn row(&self) -> u32 {
        self.exams().div_ceil(4)
    }

    /// Adjacency matrix as bit sets: exams × [`Self::words`].
    fn adjacency(&self) -> Vec<u32> {
        let words = self.words() as usize;
        let mut adjacency = vec![0; self.exams() as usize * words];
        for (exam, ends) in self.offsets.windows(2).enumerate() {
            for &neighbour in &self.neighbours[ends[0] as usize..ends[1] as usize] {
                let neighbour = (neighbour & 0xffff) as usize;
                adjacency[exam * words + neighbour / 32] |= 1 << (neighbour % 32);
            }
        }
        adjacency
    }
}

/// Conflict graph and rules as the kernels read them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// Connected components.
    pub components: Vec<Component>,
    /// Rules, seats and prices, exam by exam in the order of the components and numbered within them; `None` if there are none.
    pub demands: Option<Demands>,
}

impl Graph {
    /// Component with the most exams.
    fn largest(&self) -> Component {
        self.components.iter().max_by_key(|component| component.exams()).cloned().unwrap_or_default()
    }
}

kernel_struct! {
    /// Steps of a component in a launch.
    #[derive(Eq)]
    pub struct StepRange = "StepRange" {
        /// First step.
        pub from: u64,
        /// End of the range, exclusive.
        pub until: u64,
        /// First step of the stage.
        pub stage_begin: u64,
        /// Number of steps at one temperature level, at least 1.
        pub level_steps: u64,
    }
}

kernel_struct! {
    /// State of a chain between launches.
    #[derive(Eq)]
    pub struct ChainRecord = "ChainRecord" {
        /// Cost of the present timetable.
        pub cost: i64,
        /// Cost of the best timetable so far.
        pub best_cost: i64,
        /// Number of moves evaluated so far.
        pub evaluations: u64,
    }
}

kernel_struct! {
    /// Parameters that all chains of a launch share.
    struct Settings = "Settings" {
        key: u64,
        kempe: u64,
        exchange: u64,
        periods: u32,
        chains: u32,
        temperatures: [u32; TEMPERATURE_LEVELS],
    }
}

kernel_struct! {
    /// Sizes of a component and the beginnings of its rows in the tables of all components.
    struct ComponentRow = "Component" {
        exams: u32,
        words: u32,
        row: u32,
        first_exam: u32,
        first_adjacent: u32,
        first_place: u32,
        proposals: u32,
        alternatives: u32,
    }
}

/// Pairs (from, to) in the order of `to`.
pub(crate) fn sorted(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable_by_key(|&(_, to)| to);
    pairs
}

/// Chains and tables in device memory. Chain c of component k has the number k·chains + c.
#[derive(Debug)]
pub struct Chains {
    shape: Shape,
    layout: Layout,
    rows: Vec<u32>,
    exams: Vec<u32>,
    /// Work of the chains before each chain.
    work: Arc<[u64]>,
    /// Byte at which the timetable of each chain begins in [`Self::places`], and the end of the last one.
    begins: Arc<[usize]>,
    components: Array<ComponentRow>,
    ranges: Array<StepRange>,
    offsets: Array<u32>,
    neighbours: Array<u32>,
    adjacency: Array<u32>,
    levels: Array<u32>,
    demands: Option<DemandArrays>,
    places: Array<u32>,
    bests: Array<u32>,
    records: Array<ChainRecord>,
    pairs: Array<u32>,
    tables: Array<u32>,
}

impl Chains {
    /// Device memory that a run needs, in bytes.
    pub fn bytes(shape: &Shape, graph: &Graph, layout: &Layout) -> u64 {
        let per_component = |component: &Component| {
            let (exams, chains) = (u64::from(component.exams()), u64::from(shape.chains));
            let tables = exams * u64::from(component.words()) + component.neighbours.len() as u64 + exams + 17;
            4 * tables + chains * (8 * u64::from(component.row()) + 24 + 8 + 4 * u64::from(layout.table_words))
        };
        let demands = graph.demands.as_ref().map_or(0, |demands| 4 * demands.numbers() as u64);
        graph.components.iter().map(per_component).sum::<u64>() + demands + 4 * 1_024
    }

    /// Reserves memory and writes the tables; `levels` holds −ln u at 1,024 points, in 1/4096.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`] before anything is reserved, [`CudaError::TooManyExams`], [`CudaError::SharedMemory`], and errors of
    /// the runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, shape: Shape, graph: &Graph, levels: &[u32], tuning: Tuning,
    ) -> Result<Self, CudaError> {
        runtime.prepare(Module::Annealing)?;
        let limits = runtime.limits()?;
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
            components.push(ComponentRow {
                exams: component.exams(),
                words: component.words(),
                row: component.row(),
                first_exam: exams,
                first_adjacent,
                first_place: place,
                proposals: component.proposals,
                alternatives: component.alternatives,
            });
            let first = neighbours.len() as u32;
            offsets.extend(component.offsets.iter().map(|offset| first + offset));
            neighbours.extend_from_slice(&component.neighbours);
            adjacency.extend(component.adjacency());
            exams += component.exams();
            place += component.row() * shape.chains;
        }
        let demands = graph.demands.as_ref().map(|demands| DemandArrays::upload(runtime, demands)).transpose()?;
        let (count, place) = (count as usize, place as usize);
        let rows =
            graph.components.iter().flat_map(|component| (0..shape.chains).map(|_| 4 * component.row() as usize));
        let ends = rows.scan(0, |end, row| {
            *end += row;
            Some(*end)
        });
        let begins = std::iter::once(0).chain(ends).collect();
        // Chains of small components end at once; they fill up what the large ones leave.
        let largest = graph.largest().exams();
        let chains = graph.components.iter().flat_map(|component| (0..shape.chains).map(|_| component.exams()));
        let ends = chains.scan(0, |end, exams| {
            *end += if exams * 16 < largest { 0 } else { u64::from(exams) };
            Some(*end)
        });
        let work = std::iter::once(0).chain(ends).collect();
        Ok(Self {
            shape,
            layout,
            rows: graph.components.iter().map(Component::row).collect(),
            exams: graph.components.iter().map(Component::exams).collect(),
            begins,
            work,
            components: Array::upload(runtime, &components)?,
            ranges: Array::reserve(runtime, graph.components.len())?,
            offsets: Array::upload(runtime, &offsets)?,
            neighbours: Array::upload(runtime, &neighbours)?,
            adjacency: Array::upload(runtime, &adjacency)?,
            levels: Array::upload(runtime, levels)?,
            demands,
            places: Array::reserve(runtime, place)?,
            bests: Array::reserve(runtime, place)?,
            records: Array::reserve(runtime, count)?,
            pairs: Array::reserve(runtime, 2 * count)?,
            tables: Array::reserve(runtime, layout.table_words as usize * count)?,
        })
    }

    /// Kernel, block and shared memory of a chain.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of chains of all components together.
    pub fn count(&self) -> u32 {
        self.rows.len() as u32 * self.shape.chains
    }

    /// Writes the timetable of every chain, which is also its best one, and its cost; `places` holds one byte per exam, chain by chain.
    ///
    /// # Errors
    /// As [`DeviceRuntime::write`].
    pub fn write(&self, runtime: &mut dyn DeviceRuntime, places: &[&[u8]], costs: &[i64]) -> Result<(), CudaError> {
        let mut rows = Vec::with_capacity(self.places.len * 4);
        for place in places {
            rows.extend_from_slice(place);
            rows.resize(rows.len().next_multiple_of(4), 0);
        }
        runtime.write(self.places.memory, &rows)?;
        runtime.write(self.bests.memory, &rows)?;
        let records: Vec<ChainRecord> =
            costs.iter().map(|&cost| ChainRecord { cost, best_cost: cost, evaluations: 0 }).collect();
        self.records.write(runtime, &records)
    }

    /// Waits for all launches and returns the records of all chains.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_records(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<ChainRecord>, CudaError> {
        self.records.read(runtime, self.records.len)
    }

    /// Returns the present timetables of all chains and the best ones, a period per exam.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_places(&self, runtime: &mut dyn DeviceRuntime) -> Result<[Vec<Vec<u16>>; 2], CudaError> {
        let mut read = |array: &Array<u32>| Ok(self.split(&array.read_bytes(runtime, array.len)?));
        Ok([read(&self.places)?, read(&self.bests)?])
    }

    /// Splits padded rows of bytes into periods, chain by chain.
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

    /// Advances all chains, at most `part` of them in a launch. `ranges` holds the steps of each component; temperatures are in 1/256 of a
    /// cost unit.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn advance(
        &self, runtime: &mut dyn DeviceRuntime, ranges: &[StepRange], temperatures: &[u32; TEMPERATURE_LEVELS],
        part: u32,
    ) -> Result<(), CudaError> {
        self.ranges.write(runtime, ranges)?;
        let Shape { periods, chains, seed, kempe, exchange } = self.shape;
        let settings = Settings { key: seed, kempe, exchange, periods, chains, temperatures: *temperatures };
        let (count, mut first) = (self.count(), 0);
        while first < count {
            let end = first.saturating_add(part.max(1)).min(count);
            let launch = self.launch(self.layout.kernel, end - first, self.layout.block(), self.layout.shared_bytes);
            let launch = launch.value(settings);
            let launch = match &self.demands {
                Some(demands) => demands.arguments(launch),
                None => launch,
            };
            let launch = launch
                .input(&self.components)
                .input(&self.ranges)
                .input(&self.offsets)
                .input(&self.neighbours)
                .input(&self.adjacency)
                .input(&self.levels)
                .rows(&self.places, Rows::From(Arc::clone(&self.begins)))
                .rows(&self.bests, Rows::From(Arc::clone(&self.begins)))
                .rows(&self.records, Rows::Even(ChainRecord::BYTES))
                .working(&self.tables)
                .number(self.layout.table_words)
                .first(first);
            let division = Division { work: Some(Arc::clone(&self.work)), ..Division::of(first..end, count) };
            runtime.launch(&launch.divided(division))?;
            first = end;
        }
        Ok(())
    }

    /// Copies chains over others for resampling; `pairs` holds (from, to), and no chain is in two pairs.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn continue_from(&self, runtime: &mut dyn DeviceRuntime, pairs: &[(u32, u32)]) -> Result<(), CudaError> {
        if pairs.is_empty() {
            return Ok(());
        }
        let pairs = sorted(pairs);
        let numbers: Vec<u32> = pairs.iter().flat_map(|&(from, to)| [from, to]).collect();
        self.pairs.write(runtime, &numbers)?;
        let launch = self.launch("continue_from", pairs.len() as u32, COPY_BLOCK, 0).first(0);
        let launch = launch.input(&self.pairs).input(&self.components).number(self.shape.chains);
        let rows = || Rows::From(Arc::clone(&self.begins));
        let launch = launch.brought(&self.places, rows()).rows(&self.bests, rows());
        let launch = launch.brought(&self.records, Rows::Even(ChainRecord::BYTES));
        let division = Division::of(0..pairs.len() as u32, self.count());
        runtime.launch(&launch.divided(Division { work: Some(Arc::clone(&self.work)), pairs: Some(pairs), ..division }))
    }

    fn launch(&self, kernel: &'static str, blocks: u32, block: u32, shared: u32) -> Launch {
        Launch::new(Module::Annealing, kernel, [blocks, 1], block, shared)
    }
}
