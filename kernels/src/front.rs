//! Typed launches of `front.cu`: whole neighbourhoods of orders of a permutation flow shop, for several objectives at once.

mod layout;
mod stages;

pub use layout::{Layout, Storage, Tuning};
pub use stages::{Sifted, Sifting};

use crate::CudaError;
use crate::machine::{Array, Machine, Module};

/// A permutation flow shop as the kernels read it.
#[derive(Debug, Clone, Copy)]
pub struct Shop<'a> {
    /// m, at least 1.
    pub machines: u32,
    /// Processing times, jobs × machines.
    pub times: &'a [u32],
    /// When each job can start on the first machine.
    pub releases: &'a [u32],
    /// When each job is due; the largest number where it is never late.
    pub dues: &'a [u32],
}

impl Shop<'_> {
    /// n.
    pub fn jobs(&self) -> u32 {
        self.releases.len() as u32
    }

    /// No order takes longer: its critical path goes through every job, and to the next machine once for each.
    fn longest(&self) -> u64 {
        let each = || {
            self.times.chunks(self.machines.max(1) as usize).map(|row| row.iter().copied().max().unwrap_or(0).into())
        };
        let release = u64::from(self.releases.iter().copied().max().unwrap_or(0));
        release + each().sum::<u64>() + each().max().unwrap_or(0_u64) * u64::from(self.machines)
    }

    /// Whether times fit into 16 bits.
    fn is_narrow(&self) -> bool {
        self.longest() < u64::from(u16::MAX)
    }

    /// Makes sure that tables belong together and no sum exceeds 32 bits.
    ///
    /// # Errors
    /// [`CudaError::Orders`], [`CudaError::LongTimes`].
    fn check(&self) -> Result<(), CudaError> {
        let (jobs, machines) = (u64::from(self.jobs()), u64::from(self.machines));
        if !(2..=u64::from(u16::MAX)).contains(&jobs) {
            return Err(CudaError::Orders(format!(
                "orders of {jobs} jobs have no neighbours that a device can compute"
            )));
        }
        if machines == 0 || self.times.len() as u64 != jobs * machines || self.dues.len() as u64 != jobs {
            let found = self.times.len();
            return Err(CudaError::Orders(format!("{found} processing times for {jobs} jobs on {machines} machines")));
        }
        let sum = self.longest() * jobs;
        if sum > u64::from(u32::MAX) {
            return Err(CudaError::LongTimes { sum });
        }
        Ok(())
    }
}

/// Which orders are neighbours, as `search/mapping.rs` numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbours {
    /// One job is moved: n(n − 1).
    Insertions,
    /// Two jobs change places: n(n − 1)/2.
    Exchanges,
}

impl Neighbours {
    /// How many an order of so many jobs has.
    pub fn count(self, jobs: u32) -> u64 {
        let all = u64::from(jobs) * u64::from(jobs.saturating_sub(1));
        if self == Self::Insertions { all } else { all / 2 }
    }
}

/// What becomes of the values of neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Those are left that may enter an archive and that neither it nor another neighbour covers.
    Sifted {
        /// Whether a neighbour has to dominate the order itself; otherwise the order must not cover it.
        dominating: bool,
    },
    /// The one with the least weighted sum among those that may be gone to, or of all where none may.
    Best {
        /// Whether one that may not be gone to may be, where it is better than all before.
        aspiration: bool,
    },
    /// All are kept.
    All,
}

/// An order whose neighbourhood is to be explored.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    /// The jobs.
    pub order: &'a [u16],
    /// What is compared with.
    pub against: Against<'a>,
}

/// What neighbours of an order are compared with.
#[derive(Debug, Clone)]
pub enum Against<'a> {
    /// The order's own point, for [`Purpose::Sifted`]; unused objectives are 0.
    Point([u64; 4]),
    /// For [`Purpose::Best`].
    Sum {
        /// What makespan, flow time, tardiness and number of tardy jobs are multiplied with.
        factors: [u64; 4],
        /// The least sum before.
        best: u64,
        /// For each job, by its number, whether it may not be moved.
        stays: &'a [bool],
    },
    /// For [`Purpose::All`].
    Nothing,
}

/// The points of an archive.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// All of them.
    pub all: &'a [[u64; 4]],
    /// Those that came since the neighbourhoods before were explored, among them perhaps some that have left again; `None` where
    /// the archive was emptied in between.
    pub came: Option<&'a [[u64; 4]]>,
}

impl Known<'_> {
    /// No points.
    pub const NONE: Self = Known { all: &[], came: None };
}

/// A neighbour that is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Its number.
    pub number: u32,
    /// Its point.
    pub point: [u64; 4],
}

/// The best neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its number.
    pub number: u32,
    /// Its weighted sum.
    pub sum: u64,
    /// Makespan, flow time, tardiness and number of tardy jobs.
    pub values: [u64; 4],
}

/// Words of a member before its order, of a candidate, of a choice, of what is left.
const HEADER: usize = 16;
const CANDIDATE: usize = 5;
const CHOICE: usize = 8;
const LEFT: usize = 6;

/// Candidates that are expected to be left, at the least.
const EXPECTED: usize = 256;

/// Points of the archive that neighbours meet first.
const NEAREST: usize = 32;

/// Points of an archive that there is room for in the beginning.
const POINTS: usize = 1 << 12;

/// A flow shop on a machine, with room for neighbourhoods of some orders.
#[derive(Debug)]
pub struct Explorer {
    jobs: u32,
    neighbours: Neighbours,
    purpose: Purpose,
    select: u32,
    layout: Layout,
    narrow: bool,
    capacity: u32,
    /// Members that are being explored, and how many explorations have begun.
    members: u32,
    explorations: u64,
    /// Points that are on the machine, and those that have come with these members.
    known: usize,
    news: usize,
    /// How many points there is room for.
    room: usize,
    /// Candidates that were left the last time, about.
    expected: usize,
    /// Words of `out` that were written at some time, from the first on.
    written: usize,
    limit: u64,
    arrays: Arrays,
}

/// Tables and room.
#[derive(Debug)]
struct Arrays {
    /// Rows of all jobs, and where the neighbours of each warp begin.
    times: Array<u32>,
    tasks: Array<u32>,
    input: Array<u32>,
    /// Rows, completion times and sums of the prefixes of each member.
    rows: Array<u32>,
    heads: Array<u32>,
    sums: Array<u32>,
    points: Array<u32>,
    /// Points that the neighbours of each member meet first.
    nearest: Array<u32>,
    /// What blocks leave of each member, and how many it is.
    left: Array<u32>,
    counts: Array<u32>,
    /// What goes back.
    out: Array<u32>,
}

/// Words of each array for a member: input, rows, heads, sums, nearest points, what blocks leave, counts, what goes back.
fn words(jobs: u32, neighbours: Neighbours, purpose: Purpose, layout: &Layout, narrow: bool) -> [u64; 8] {
    let (n, wide) = (u64::from(jobs), if narrow { 1 } else { 2 });
    let (segments, room) = (u64::from(layout.segments), u64::from(layout.room()));
    let tables =
        [HEADER as u64 + n, 2 * n * u64::from(layout.width) * wide, n * u64::from(layout.machines) * wide, 4 * n];
    let [input, rows, heads, sums] = tables;
    let (nearest, all) = (4 * NEAREST as u64, neighbours.count(jobs));
    match purpose {
        // One word more says how many go back.
        Purpose::Sifted { .. } => {
            [input, rows, heads, sums, nearest, CANDIDATE as u64 * room, 1, LEFT as u64 * all + 1]
        }
        Purpose::Best { .. } => [input, rows, heads, sums, 1, 2 * CHOICE as u64 * segments, 1, CHOICE as u64],
        Purpose::All => [input, rows, heads, sums, 1, 4 * all, 1, 1],
    }
}

impl Explorer {
    /// Reserves room for the neighbourhoods of `members` orders, or of as many as half of the free memory holds, and writes the
    /// tables. `objectives` says which value each axis of a point is (0: makespan, 1: flow time, 2: tardiness, 3: tardy jobs).
    ///
    /// # Errors
    /// [`CudaError::Orders`] for tables that are none of a flow shop, [`CudaError::LongTimes`], [`CudaError::SharedMemory`],
    /// [`CudaError::OutOfMemory`] before anything is reserved where the memory does not suffice for one order; what the machine
    /// reports.
    pub fn new(
        machine: &mut dyn Machine,
        shop: &Shop<'_>,
        (neighbours, purpose): (Neighbours, Purpose),
        objectives: &[u8],
        members: u32,
        tuning: Tuning,
    ) -> Result<Self, CudaError> {
        shop.check()?;
        let (jobs, narrow) = (shop.jobs(), shop.is_narrow());
        machine.prepare(Module::Front)?;
        let limits = machine.limits()?;
        let tasks = layout::tasks(jobs, neighbours);
        let layout = Layout::choose(&limits, jobs, shop.machines, tasks.len() as u32, narrow, tuning)?;
        let words = words(jobs, neighbours, purpose, &layout, narrow);
        let tables = 4 * (tasks.len() + jobs as usize * layout.width as usize + 8 * POINTS) as u64 + (1 << 16);
        let each = 4 * words.iter().sum::<u64>();
        // Half of what is free: others use the device, too.
        let fit = (limits.free / 2).saturating_sub(tables) / each;
        if fit == 0 {
            return Err(CudaError::OutOfMemory { needed: 2 * (tables + each), free: limits.free });
        }
        let capacity = members.clamp(1, 1 << 12).min(u32::try_from(fit).unwrap_or(u32::MAX));
        let select =
            (0..4).fold(0, |select, axis| select | u32::from(*objectives.get(axis).unwrap_or(&4)) << (8 * axis));
        let mut reserve = |number: usize| {
            Array::<u32>::reserve(machine, (words[number] * u64::from(capacity)).try_into().unwrap_or(usize::MAX))
        };
        let (rows, heads, sums) = (reserve(1)?, reserve(2)?, reserve(3)?);
        let (nearest, left, counts, out) = (reserve(4)?, reserve(5)?, reserve(6)?, reserve(7)?);
        let (input, points) = reserve_points(machine, words[0] as usize * capacity as usize, POINTS)?;
        // What is brought back on a guess may be more than was ever left.
        let begin = vec![0; out.len.min(1 + EXPECTED * LEFT)];
        out.write(machine, &begin)?;
        let arrays = Arrays {
            times: Array::upload(machine, &layout::padded(shop, &layout, narrow))?,
            tasks: Array::upload(machine, &tasks)?,
            input,
            rows,
            heads,
            sums,
            points,
            nearest,
            left,
            counts,
            out,
        };
        Ok(Self {
            jobs,
            neighbours,
            purpose,
            select,
            layout,
            narrow,
            capacity,
            members: 0,
            explorations: 0,
            known: 0,
            news: 0,
            room: POINTS,
            expected: EXPECTED,
            written: begin.len(),
            limit: tuning.operations,
            arrays,
        })
    }

    /// How neighbours are dealt out.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Members that there is room for.
    pub fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// Members whose neighbourhoods one launch computes; at least one, though that may take several.
    pub fn side_by_side(&self) -> usize {
        let each = self.layout.operations(self.jobs, 1).max(1);
        usize::try_from(self.limit / each).unwrap_or(usize::MAX).clamp(1, self.capacity())
    }
}

/// Room for what is written before each exploration, and for the points of an archive.
fn reserve_points(
    machine: &mut dyn Machine,
    input: usize,
    points: usize,
) -> Result<(Array<u32>, Array<u32>), CudaError> {
    Ok((Array::reserve(machine, input + 4 * points)?, Array::reserve(machine, 4 * points)?))
}
