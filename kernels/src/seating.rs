//! Typed launches of `seating.cu`: annealing of examination sessions with rooms, one block per chain.

mod layout;

pub use layout::{Layout, Memory, Tuning};

use std::mem::offset_of;

use crate::CudaError;
use crate::annealing::{ChainRecord, StepRange, TEMPERATURE_LEVELS, sorted};
use crate::launch::{Division, Launch, Rows};
use crate::runtime::{Array, DeviceRuntime, Element as _, Module};
use crate::structs::{StructLayout, kernel_struct};

/// Number of 32-bit words of a set of periods.
pub const SET_WORDS: usize = 8;

/// Number of [`Session::levels`].
pub const LEVELS: usize = 1_024;

/// Room of a sitting that has none.
pub const NO_ROOM: u16 = u16::MAX;
/// Room of a sitting that is split over several.
pub const SPLIT: u16 = u16::MAX - 1;

/// Bit of [`Sitting::kind`]: no other sitting may be in the room, but those related by [`OF_ONE_EXAM`].
pub const OWN_ROOM: u32 = 1 << 31;
/// Bit of [`Sitting::kind`]: the sitting may be split over several rooms.
pub const MAY_SPLIT: u32 = 1 << 30;
/// Bit of [`Sitting::kind`]: it is related to other sittings by their rooms.
pub const TIED_ROOM: u32 = 1 << 29;
/// Bit of [`Sitting::kind`]: it has a room in the reference timetable.
pub const HAS_HOME: u32 = 1 << 28;

/// Kind of a relation in [`Session::room_related`]: both sittings must be in one room.
pub const TOGETHER: u32 = 1;
/// Kind of a relation in [`Session::room_related`]: the sittings are of one exam and may share a room that holds one exam.
pub const OF_ONE_EXAM: u32 = 2;

/// Bit of [`Cell::capacity`]: the room cannot be used in the period.
pub const CLOSED: u32 = 1 << 31;
/// Bit of [`Cell::capacity`]: the room holds one exam at a time.
pub const SINGLE: u32 = 1 << 30;
/// Largest number of seats of a room.
pub const SEATS: u32 = SINGLE - 1;

/// A sitting in [`Cell::count`], and one that needs a room of its own.
const ONE_SITTING: u32 = 1;
const OWN_SITTING: u32 = 1 << 16 | 1;

/// Kempe chains of a step.
const CHAINS: u32 = 8;
/// 32-bit words of the proposals and trials of single moves.
const SINGLES: u32 = 3_072;

/// Threads of a block that copies a chain.
const COPY_BLOCK: u32 = 256;

/// Structs that cross to the kernels.
pub(crate) const STRUCTS: &[StructLayout] = &[
    Settings::LAYOUT,
    Sitting::LAYOUT,
    Details::LAYOUT,
    Part::LAYOUT,
    Cell::LAYOUT,
    StepRange::LAYOUT,
    ChainRecord::LAYOUT,
];

/// Constants that the kernels declare, too.
pub(crate) const CONSTANTS: &[(&str, u64)] = &[
    ("TEMPERATURE_LEVELS", TEMPERATURE_LEVELS as u64),
    ("SET_WORDS", SET_WORDS as u64),
    ("LEVELS", LEVELS as u64),
    ("NO_ROOM", NO_ROOM as u64),
    ("SPLIT", SPLIT as u64),
    ("OWN_ROOM", OWN_ROOM as u64),
    ("MAY_SPLIT", MAY_SPLIT as u64),
    ("TIED_ROOM", TIED_ROOM as u64),
    ("HAS_HOME", HAS_HOME as u64),
    ("TOGETHER", TOGETHER as u64),
    ("OF_ONE_EXAM", OF_ONE_EXAM as u64),
    ("CLOSED", CLOSED as u64),
    ("SINGLE", SINGLE as u64),
    ("SEATS", SEATS as u64),
    ("ONE_SITTING", ONE_SITTING as u64),
    ("OWN_SITTING", OWN_SITTING as u64),
    ("CHAINS", CHAINS as u64),
    ("SINGLES", SINGLES as u64),
];

/// Sizes of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of periods.
    pub periods: u32,
    /// Number of sittings.
    pub sittings: u32,
    /// Number of rooms.
    pub rooms: u32,
    /// Number of classes of durations.
    pub durations: u32,
    /// Number of rooms in [`Session::choices`].
    pub choices: u32,
    /// Number of parts that all sittings that may be split have room for.
    pub parts: u32,
    /// True if in every timetable near(e, t) is from 0 to 65,535, s(e, t) is below 32,768, 32 bits hold the sum of |Δ| of near and of what
    /// other rooms save over all nodes, and [`Session::levels`] and the costs of pairs of periods are at most 65,535.
    pub is_narrow: bool,
}

impl Sizes {
    /// 32-bit words of a set of nodes.
    pub fn words(&self) -> u32 {
        self.nodes.div_ceil(32)
    }

    /// Length of a row of near(e, t) and s(e, t).
    pub fn stride(&self) -> u32 {
        self.periods.next_multiple_of(4)
    }

    /// Words of the tables of a chain: near(e, t), s(e, t), nodes of the periods, rooms, durations.
    fn tables(&self) -> [u32; 5] {
        let (row, rooms) = (self.nodes * self.stride(), self.periods * self.rooms);
        let words =
            [row, row.div_ceil(2), self.periods * self.words(), rooms * 4, (rooms * self.durations).div_ceil(2)];
        words.map(|words| words.next_multiple_of(4))
    }

    /// Words of the solution of a chain: two periods or rooms in a word, two words for a part.
    fn solution_words(&self) -> u32 {
        self.nodes.div_ceil(2) + self.sittings.div_ceil(2) + 2 * self.parts
    }

    /// Words of all tables of a chain and of the parts that are saved during a move.
    fn table_words(&self) -> u32 {
        (self.tables().iter().sum::<u32>() + 2 * self.parts).next_multiple_of(4)
    }
}

/// Parameters of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of chains.
    pub chains: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Thresholds of the control word, ascending, ⌊p·2³²⌋: Kempe chains, exchanges of periods, swaps, changes of rooms; the rest are shifts.
    pub thresholds: [u64; 4],
    /// Cost of each duration beyond the first in a room and period.
    pub mixed_durations: i64,
    /// Cost of a room that is used in a period.
    pub opened: i64,
    /// Cost of each room beyond the first of a sitting.
    pub part: i64,
    /// Price of a part of a sitting outside of its room of reference.
    pub leaving_room: i64,
}

kernel_struct! {
    /// Parameters that all chains of a launch share.
    struct Settings = "Settings" {
        key: u64,
        kempe: u64,
        exchange: u64,
        swaps: u64,
        changes: u64,
        mixed_durations: i64,
        opened: i64,
        part: i64,
        leaving_room: i64,
        from: u64,
        until: u64,
        stage_begin: u64,
        level_steps: u64,
        nodes: u32,
        words: u32,
        periods: u32,
        stride: u32,
        sittings: u32,
        rooms: u32,
        durations: u32,
        choices: u32,
        one_each: u32,
        parts: u32,
        solution_words: u32,
        table_words: u32,
        shared_tables: u32,
        temperatures: [u32; TEMPERATURE_LEVELS],
        first: u32,
    }
}

kernel_struct! {
    /// Students who sit one exam together: what most moves need of them.
    #[derive(Eq)]
    pub struct Sitting = "Sitting" {
        /// Number of seats that it needs in the lower 16 bits; in the upper ones its rank by descending number of students, then by index.
        pub students_and_rank: u32,
        /// Class of its duration in the lower 16 bits; [`OWN_ROOM`], [`MAY_SPLIT`], [`TIED_ROOM`], [`HAS_HOME`].
        pub kind: u32,
        /// First of the rooms that it may use.
        pub first_choice: u32,
        /// Number of rooms that it may use.
        pub choices: u32,
    }
}

kernel_struct! {
    /// The rest of a sitting.
    #[derive(Eq)]
    pub struct Details = "Details" {
        /// Index of its node.
        pub node: u32,
        /// Largest number of rooms.
        pub most_rooms: u32,
        /// First of as many parts, if the sitting may have two or more rooms.
        pub first_part: u32,
        /// First of the constraints on the rooms of other sittings.
        pub first_related: u32,
        /// Number of these constraints.
        pub related: u32,
        /// Room of the reference timetable, or [`NO_ROOM`].
        pub home: u32,
    }
}

kernel_struct! {
    /// Part of a split sitting; the parts of a sitting end at one without students.
    #[derive(Eq)]
    pub struct Part = "Part" {
        /// Index of the room.
        pub room: u32,
        /// Number of students.
        pub students: u32,
    }
}

kernel_struct! {
    /// State of one room in one period.
    #[derive(Eq)]
    pub struct Cell = "Cell" {
        /// Seats taken.
        pub used: u32,
        /// Number of seats; [`CLOSED`], [`SINGLE`].
        pub capacity: u32,
        /// Number of sittings in the lower 16 bits, of those that need a room of their own in the upper ones.
        pub count: u32,
        /// Number of different durations.
        pub distinct: u32,
    }
}

impl Cell {
    /// State of a room in which `count` sittings are, of which `own` need a room of their own.
    pub fn new(used: u32, capacity: u32, [count, own]: [u32; 2], distinct: u32) -> Self {
        Self { used, capacity, count: count * ONE_SITTING + own * (OWN_SITTING - ONE_SITTING), distinct }
    }
}

/// Tables of a session as the kernels read them.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// Offsets into [`Self::neighbours`], nodes + 1 numbers.
    pub offsets: Vec<u32>,
    /// Neighbouring node in the lower 16 bits, number of shared students in the upper ones.
    pub neighbours: Vec<u32>,
    /// Neighbours of each node as a bit set.
    pub adjacency: Vec<u32>,
    /// W[t][u] at t · stride + u, in two's complement.
    pub pair_costs: Vec<u32>,
    /// Allowed periods of each node, [`SET_WORDS`] words each.
    pub allowed: Vec<u32>,
    /// Offsets into [`Self::related`], nodes + 1 numbers.
    pub related_offsets: Vec<u32>,
    /// Other node in the lower 16 bits, number of the table in the upper ones.
    pub related: Vec<u32>,
    /// For each table and each period of a node: the allowed periods of the other node.
    pub tables: Vec<u32>,
    /// All sittings, ordered by node.
    pub sittings: Vec<Sitting>,
    /// The rest of each sitting.
    pub details: Vec<Details>,
    /// First sitting of each node, nodes + 1 numbers.
    pub first_sitting: Vec<u32>,
    /// Upper bound on what other rooms save for each node when it moves.
    pub most_saved: Vec<u32>,
    /// Sittings by rank.
    pub by_rank: Vec<u32>,
    /// Rooms that the sittings may use.
    pub choices: Vec<u32>,
    /// Other sitting in the lower 16 bits, kind of the relation in the upper ones: [`TOGETHER`], [`OF_ONE_EXAM`], or apart.
    pub room_related: Vec<u32>,
    /// Cost of a sitting in each room.
    pub penalties: Vec<u32>,
    /// −ln u at 1,024 points, in 1/4096.
    pub levels: Vec<u32>,
}

/// Session in device memory.
#[derive(Debug)]
struct SessionArrays {
    /// 1 if every node has one sitting.
    one_each: u32,
    numbers: Vec<Array<u32>>,
    sittings: Array<Sitting>,
    details: Array<Details>,
    later: Vec<Array<u32>>,
}

impl Session {
    /// Arrays of numbers before the sittings, in the order of the kernel's arguments.
    fn before(&self) -> [&[u32]; 8] {
        [
            &self.offsets, &self.neighbours, &self.adjacency, &self.pair_costs, &self.allowed, &self.related_offsets,
            &self.related, &self.tables,
        ]
    }

    /// Arrays of numbers behind the sittings.
    fn after(&self) -> [&[u32]; 7] {
        [
            &self.first_sitting, &self.most_saved, &self.by_rank, &self.choices, &self.room_related, &self.penalties,
            &self.levels,
        ]
    }

    fn bytes(&self) -> u64 {
        let numbers: usize = self.before().iter().chain(&self.after()).map(|array| array.len().max(1)).sum();
        (4 * numbers + (Sitting::BYTES + Details::BYTES) * self.sittings.len()) as u64
    }

    fn upload(&self, runtime: &mut dyn DeviceRuntime) -> Result<SessionArrays, CudaError> {
        let one_each = self.first_sitting.iter().enumerate().all(|(node, &first)| node == first as usize);
        Ok(SessionArrays {
            one_each: u32::from(one_each),
            numbers: self.before().iter().map(|array| Array::upload(runtime, array)).collect::<Result<_, _>>()?,
            sittings: Array::upload(runtime, &self.sittings)?,
            details: Array::upload(runtime, &self.details)?,
            later: self.after().iter().map(|array| Array::upload(runtime, array)).collect::<Result<_, _>>()?,
        })
    }
}

impl SessionArrays {
    fn arguments(&self, launch: Launch) -> Launch {
        let launch = self.numbers.iter().fold(launch, Launch::input);
        self.later.iter().fold(launch.input(&self.sittings).input(&self.details), Launch::input)
    }
}

/// Timetable of a chain: periods of the nodes, rooms of the sittings, parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solution {
    /// Period of each node.
    pub place: Vec<u16>,
    /// Room of each sitting, [`NO_ROOM`] or [`SPLIT`].
    pub room: Vec<u16>,
    /// Parts of the sittings that may be split.
    pub parts: Vec<Part>,
}

/// Tables of a chain that follow from its solution.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    /// near(e, t) at e · stride + t.
    pub near: Vec<i32>,
    /// s(e, t) at e · stride + t.
    pub students: Vec<u16>,
    /// Nodes of each period as bit sets.
    pub members: Vec<u32>,
    /// State of room r in period p at p · rooms + r.
    pub cells: Vec<Cell>,
    /// Sittings of each class of durations d there, at (p · rooms + r) · durations + d.
    pub lasts: Vec<u16>,
}

/// Packs 16-bit numbers in pairs.
fn pairs(numbers: &[u16]) -> Vec<u32> {
    numbers.chunks(2).map(|pair| u32::from(pair[0]) | u32::from(pair.get(1).copied().unwrap_or(0)) << 16).collect()
}

impl Solution {
    fn words(&self) -> Vec<u32> {
        let mut words = pairs(&self.place);
        words.extend(pairs(&self.room));
        words.extend(self.parts.iter().flat_map(|part| [part.room, part.students]));
        words
    }

    fn of(sizes: &Sizes, words: &[u32]) -> Self {
        let numbers = |words: &[u32], count: u32| -> Vec<u16> {
            words.iter().flat_map(|&word| [word as u16, (word >> 16) as u16]).take(count as usize).collect()
        };
        let (place, rest) = words.split_at(sizes.nodes.div_ceil(2) as usize);
        let (room, parts) = rest.split_at(sizes.sittings.div_ceil(2) as usize);
        Self {
            place: numbers(place, sizes.nodes),
            room: numbers(room, sizes.sittings),
            parts: parts.chunks_exact(2).map(|part| Part { room: part[0], students: part[1] }).collect(),
        }
    }
}

impl Tables {
    fn words(&self, sizes: &Sizes) -> Vec<u32> {
        let mut words = Vec::with_capacity(sizes.table_words() as usize);
        words.extend(self.near.iter().map(|&near| near as u32));
        words.resize(words.len().next_multiple_of(4), 0);
        words.extend(pairs(&self.students));
        words.resize(words.len().next_multiple_of(4), 0);
        words.extend(&self.members);
        words.resize(words.len().next_multiple_of(4), 0);
        words.extend(self.cells.iter().flat_map(|cell| [cell.used, cell.capacity, cell.count, cell.distinct]));
        words.extend(pairs(&self.lasts));
        words.resize(sizes.table_words() as usize, 0);
        words
    }
}

/// Chains and tables in device memory.
#[derive(Debug)]
pub struct Chains {
    shape: Shape,
    sizes: Sizes,
    layout: Layout,
    session: SessionArrays,
    solutions: Array<u32>,
    bests: Array<u32>,
    tables: Array<u32>,
    records: Array<ChainRecord>,
    pairs: Array<u32>,
}

impl Chains {
    /// Device memory that a run needs, in bytes.
    pub fn bytes(chains: u32, sizes: &Sizes, session: &Session) -> u64 {
        let words = 2 * u64::from(sizes.solution_words()) + u64::from(sizes.table_words());
        session.bytes() + u64::from(chains) * (4 * words + 24 + 8)
    }

    /// Reserves memory and writes the tables of the session.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`] before anything is reserved, [`CudaError::SharedMemory`], and errors of the runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, shape: Shape, sizes: Sizes, session: &Session, tuning: Tuning,
    ) -> Result<Self, CudaError> {
        runtime.prepare(Module::Seating)?;
        let limits = runtime.limits()?;
        let layout = Layout::choose(&limits, &sizes, tuning)?;
        let needed = Self::bytes(shape.chains, &sizes, session);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let count = shape.chains as usize;
        Ok(Self {
            shape,
            sizes,
            layout,
            session: session.upload(runtime)?,
            solutions: Array::reserve(runtime, count * sizes.solution_words() as usize)?,
            bests: Array::reserve(runtime, count * sizes.solution_words() as usize)?,
            tables: Array::reserve(runtime, count * sizes.table_words() as usize)?,
            records: Array::reserve(runtime, count)?,
            pairs: Array::reserve(runtime, 2 * count)?,
        })
    }

    /// Block and shared memory of a chain.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of chains.
    pub fn count(&self) -> u32 {
        self.shape.chains
    }

    /// Writes the timetable of every chain, which is also its best one, with its tables and its cost.
    ///
    /// # Errors
    /// As [`DeviceRuntime::write`].
    pub fn write(
        &self, runtime: &mut dyn DeviceRuntime, chains: &[(&Solution, &Tables, i64)],
    ) -> Result<(), CudaError> {
        let solutions: Vec<u32> = chains.iter().flat_map(|(solution, ..)| solution.words()).collect();
        self.solutions.write(runtime, &solutions)?;
        self.bests.write(runtime, &solutions)?;
        let tables: Vec<u32> = chains.iter().flat_map(|(_, tables, _)| tables.words(&self.sizes)).collect();
        self.tables.write(runtime, &tables)?;
        let record = |&(.., cost): &(&Solution, &Tables, i64)| ChainRecord { cost, best_cost: cost, evaluations: 0 };
        self.records.write(runtime, &chains.iter().map(record).collect::<Vec<_>>())
    }

    /// Waits for all launches and returns the records of all chains.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_records(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<ChainRecord>, CudaError> {
        self.records.read(runtime, self.records.len)
    }

    /// Returns the present timetables of all chains and the best ones.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_solutions(&self, runtime: &mut dyn DeviceRuntime) -> Result<[Vec<Solution>; 2], CudaError> {
        let words = self.sizes.solution_words() as usize;
        let mut read = |array: &Array<u32>| -> Result<Vec<Solution>, CudaError> {
            let all = array.read(runtime, array.len)?;
            Ok(all.chunks_exact(words.max(1)).map(|words| Solution::of(&self.sizes, words)).collect())
        };
        Ok([read(&self.solutions)?, read(&self.bests)?])
    }

    /// Advances all chains, at most `part` of them in a launch; temperatures are in 1/256 of a cost unit.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn advance(
        &self, runtime: &mut dyn DeviceRuntime, range: StepRange, temperatures: &[u32; TEMPERATURE_LEVELS], part: u32,
    ) -> Result<(), CudaError> {
        let (shape, sizes) = (&self.shape, &self.sizes);
        let [kempe, exchange, swaps, changes] = shape.thresholds;
        let mut settings = Settings {
            key: shape.seed,
            kempe,
            exchange,
            swaps,
            changes,
            mixed_durations: shape.mixed_durations,
            opened: shape.opened,
            part: shape.part,
            leaving_room: shape.leaving_room,
            from: range.from,
            until: range.until,
            stage_begin: range.stage_begin,
            level_steps: range.level_steps,
            nodes: sizes.nodes,
            words: sizes.words(),
            periods: sizes.periods,
            stride: sizes.stride(),
            sittings: sizes.sittings,
            rooms: sizes.rooms,
            durations: sizes.durations,
            choices: sizes.choices,
            one_each: self.session.one_each,
            parts: sizes.parts,
            solution_words: sizes.solution_words(),
            table_words: sizes.table_words(),
            shared_tables: self.layout.shared_tables,
            temperatures: *temperatures,
            first: 0,
        };
        while settings.first < shape.chains {
            let end = settings.first.saturating_add(part.max(1)).min(shape.chains);
            let blocks = [end - settings.first, 1];
            let layout = &self.layout;
            let launch = Launch::new(Module::Seating, layout.kernel, blocks, layout.block(), layout.shared_bytes);
            let launch = self.session.arguments(launch.value_with_first(settings, offset_of!(Settings, first)));
            let words = |words: u32| Rows::Even(4 * words as usize);
            let launch = launch.rows(&self.solutions, words(sizes.solution_words()));
            let launch = launch.rows(&self.bests, words(sizes.solution_words()));
            let launch = launch.rows(&self.tables, words(sizes.table_words()));
            let launch = launch.rows(&self.records, Rows::Even(ChainRecord::BYTES));
            runtime.launch(&launch.divided(Division::of(settings.first..end, shape.chains)))?;
            settings.first = end;
        }
        Ok(())
    }

    /// Copies the timetables of chains over others for resampling; `pairs` holds (from, to), and no chain is in two pairs.
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
        let (solution_words, table_words) = (self.sizes.solution_words(), self.sizes.table_words());
        let launch = Launch::new(Module::Seating, "continue_seating", [pairs.len() as u32, 1], COPY_BLOCK, 0).first(0);
        let launch = launch.input(&self.pairs).number(solution_words).number(table_words);
        let launch = launch.brought(&self.solutions, Rows::Even(4 * solution_words as usize));
        let launch = launch.brought(&self.tables, Rows::Even(4 * table_words as usize));
        let launch = launch.brought(&self.records, Rows::Even(ChainRecord::BYTES));
        let division = Division::of(0..pairs.len() as u32, self.shape.chains);
        runtime.launch(&launch.divided(Division { pairs: Some(pairs), ..division }))
    }
}
