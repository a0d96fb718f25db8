//! Typed launches of `front.cu`: complete neighbourhoods of flow shop permutations, evaluated for several objectives at once.
//!
//! An exploration has three launches: prepare (prefixes of each permutation), explore (values of all neighbours, filtered), and sift or choose
//! (neighbours that no archive point dominates, or the best neighbour of each permutation). Here a point *covers* another if it is nowhere
//! worse.

mod layout;
mod stages;

pub use layout::{Layout, Storage, Tuning};
pub use stages::{Sifted, Sifting};

use crate::CudaError;
use crate::runtime::{Array, DeviceRuntime, Module};
use crate::structs::StructLayout;

/// Permutation flow shop as the kernels read it.
#[derive(Debug, Clone, Copy)]
pub struct Shop<'a> {
    /// Number of machines m, at least 1.
    pub machines: u32,
    /// Processing times, jobs × machines, row-major.
    pub times: &'a [u32],
    /// Release date of each job.
    pub releases: &'a [u32],
    /// Due date of each job; `u32::MAX` if there is none.
    pub dues: &'a [u32],
}

impl Shop<'_> {
    /// Number of jobs n.
    pub fn jobs(&self) -> u32 {
        self.releases.len() as u32
    }

    /// Upper bound of all completion times: a critical path visits every job once and changes to the next machine m − 1 times.
    fn longest(&self) -> u64 {
        let each = || {
            self.times.chunks(self.machines.max(1) as usize).map(|row| row.iter().copied().max().unwrap_or(0).into())
        };
        let release = u64::from(self.releases.iter().copied().max().unwrap_or(0));
        release + each().sum::<u64>() + each().max().unwrap_or(0_u64) * u64::from(self.machines)
    }

    /// Returns `true` if all completion times fit into 16 bits.
    fn is_narrow(&self) -> bool {
        self.longest() < u64::from(u16::MAX)
    }

    /// Checks the lengths of the tables and that no sum of completion times exceeds 32 bits.
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

/// Neighbourhood, numbered as in `search/mapping.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbours {
    /// Insertion: one job moves to another position; n(n − 1) neighbours.
    Insertions,
    /// Exchange of two jobs; n(n − 1)/2 neighbours.
    Exchanges,
}

impl Neighbours {
    /// Returns the number of neighbours of a permutation of `jobs` jobs.
    pub fn count(self, jobs: u32) -> u64 {
        let all = u64::from(jobs) * u64::from(jobs.saturating_sub(1));
        if self == Self::Insertions { all } else { all / 2 }
    }
}

/// Use of the neighbours' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Neighbours that neither the archive nor another neighbour covers (Pareto local search).
    Sifted {
        /// True if a neighbour has to dominate its permutation; otherwise the permutation must not cover it.
        dominating: bool,
    },
    /// Neighbour with the smallest weighted sum that is not tabu, or of all if all are tabu (tabu search).
    Best {
        /// Aspiration criterion: a tabu neighbour is admitted if it is better than the best so far.
        aspiration: bool,
    },
    /// All values are kept.
    All,
}

/// Permutation whose neighbourhood is to be explored.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    /// Jobs in their order, length n.
    pub order: &'a [u16],
    /// Reference of the comparison; its variant has to fit the [`Purpose`].
    pub reference: Reference<'a>,
}

/// Reference with which neighbours are compared.
#[derive(Debug, Clone)]
pub enum Reference<'a> {
    /// For [`Purpose::Sifted`]: the permutation's own point; unused objectives are 0.
    Point([u64; 4]),
    /// For [`Purpose::Best`]: weights, incumbent and tabu jobs.
    Sum {
        /// Weights of makespan, flow time, tardiness and number of tardy jobs.
        factors: [u64; 4],
        /// Smallest weighted sum so far.
        best: u64,
        /// True for each job that is tabu; indexed by job, length n.
        stays: &'a [bool],
    },
    /// For [`Purpose::All`]: no reference.
    Nothing,
}

/// Points of an archive.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// All points.
    pub all: &'a [[u64; 4]],
    /// Points that entered since the previous exploration, including those that have left again; `None` if the archive was emptied in
    /// between.
    pub came: Option<&'a [[u64; 4]]>,
}

impl Known<'_> {
    /// Empty archive.
    pub const NONE: Self = Known { all: &[], came: None };
}

/// Neighbour that neither the archive nor another neighbour covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Number of the neighbour.
    pub number: u32,
    /// Values of the objectives; unused ones are 0.
    pub point: [u64; 4],
}

/// Best neighbour of a permutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Number of the neighbour.
    pub number: u32,
    /// Weighted sum.
    pub sum: u64,
    /// Makespan, flow time, tardiness and number of tardy jobs.
    pub values: [u64; 4],
}

/// 32-bit words of a member's header in the input.
const HEADER: usize = 16;
/// 32-bit words of a candidate: four objectives and a number.
const CANDIDATE: usize = 5;
/// 32-bit words of a choice: weighted sum (two words), number, four values, padding.
const CHOICE: usize = 8;
/// 32-bit words of a result: member, number, four objectives.
const LEFT: usize = 6;

/// Smallest number of results that the first transfer fetches.
const EXPECTED: usize = 256;

/// Archive points per permutation that its neighbours are compared with first.
const NEAREST: usize = 32;

/// Initial capacity for archive points.
const POINTS: usize = 1 << 12;

/// Structs that cross to the kernels.
pub(crate) const STRUCTS: &[StructLayout] = &[stages::Task::LAYOUT];

/// Constants that the kernels declare, too.
pub(crate) const CONSTANTS: &[(&str, u64)] = &[
    ("HEADER", HEADER as u64),
    ("CANDIDATE", CANDIDATE as u64),
    ("CHOICE", CHOICE as u64),
    ("LEFT", LEFT as u64),
    ("NEAREST", NEAREST as u64),
    ("STAYS", stages::STAYS as u64),
];

/// Flow shop in device memory, with arrays for the neighbourhoods of several permutations.
#[derive(Debug)]
pub struct Explorer {
    jobs: u32,
    neighbours: Neighbours,
    purpose: Purpose,
    select: u32,
    layout: Layout,
    narrow: bool,
    capacity: u32,
    /// Number of members that are being explored.
    members: u32,
    /// Number of explorations that have begun.
    explorations: u64,
    /// Number of archive points on the device.
    known: usize,
    /// Number of archive points that came with the present exploration.
    news: usize,
    /// Capacity for archive points.
    room: usize,
    /// Number of results that the next transfer fetches.
    expected: usize,
    /// Number of leading words of `out` that have ever been written.
    written: usize,
    limit: u64,
    arrays: Arrays,
}

/// Arrays in device memory.
#[derive(Debug)]
struct Arrays {
    /// Rows of all jobs: release date, due date, processing times.
    times: Array<u32>,
    /// First neighbours of each warp.
    tasks: Array<u32>,
    input: Array<u32>,
    /// Per member: rows by position, then completion times and sums of all prefixes.
    rows: Array<u32>,
    heads: Array<u32>,
    sums: Array<u32>,
    points: Array<u32>,
    /// Archive points that the neighbours of each member are compared with first.
    nearest: Array<u32>,
    /// Per member: candidates, choices of blocks, or values of all neighbours.
    left: Array<u32>,
    /// Number of candidates of each member.
    counts: Array<u32>,
    /// Results for the host.
    out: Array<u32>,
}

/// Returns the 32-bit words per member of the arrays input, rows, heads, sums, nearest, left, counts and out.
fn words(jobs: u32, neighbours: Neighbours, purpose: Purpose, layout: &Layout, narrow: bool) -> [u64; 8] {
    let (n, wide) = (u64::from(jobs), if narrow { 1 } else { 2 });
    let (segments, room) = (u64::from(layout.segments), u64::from(layout.room()));
    let tables =
        [HEADER as u64 + n, 2 * n * u64::from(layout.width) * wide, n * u64::from(layout.machines) * wide, 4 * n];
    let [input, rows, heads, sums] = tables;
    let (nearest, all) = (4 * NEAREST as u64, neighbours.count(jobs));
    match purpose {
        // One word more for the number of results.
        Purpose::Sifted { .. } => {
            [input, rows, heads, sums, nearest, CANDIDATE as u64 * room, 1, LEFT as u64 * all + 1]
        }
        Purpose::Best { .. } => [input, rows, heads, sums, 1, 2 * CHOICE as u64 * segments, 1, CHOICE as u64],
        Purpose::All => [input, rows, heads, sums, 1, 4 * all, 1, 1],
    }
}

impl Explorer {
    /// Reserves memory for the neighbourhoods of `members` permutations, or of as many as half of the free memory holds, and writes the tables.
    /// `objectives` holds the value of each axis of a point: 0 = makespan, 1 = flow time, 2 = tardiness, 3 = number of tardy jobs.
    ///
    /// # Errors
    /// [`CudaError::Orders`] if the tables do not belong to one flow shop, [`CudaError::LongTimes`], [`CudaError::SharedMemory`],
    /// [`CudaError::OutOfMemory`] before anything is reserved if not even one permutation fits; errors of the runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, shop: &Shop<'_>, (neighbours, purpose): (Neighbours, Purpose),
        objectives: &[u8], members: u32, tuning: Tuning,
    ) -> Result<Self, CudaError> {
        shop.check()?;
        let (jobs, narrow) = (shop.jobs(), shop.is_narrow());
        runtime.prepare(Module::Front)?;
        let limits = runtime.limits()?;
        let tasks = layout::tasks(jobs, neighbours);
        let layout = Layout::choose(&limits, jobs, shop.machines, tasks.len() as u32, narrow, tuning)?;
        let words = words(jobs, neighbours, purpose, &layout, narrow);
        let tables = 4 * (tasks.len() + jobs as usize * layout.width as usize + 8 * POINTS) as u64 + (1 << 16);
        let each = 4 * words.iter().sum::<u64>();
        // Half of the free memory, since other programs use the device, too.
        let fit = (limits.free / 2).saturating_sub(tables) / each;
        if fit == 0 {
            return Err(CudaError::OutOfMemory { needed: 2 * (tables + each), free: limits.free });
        }
        let capacity = members.clamp(1, 1 << 12).min(u32::try_from(fit).unwrap_or(u32::MAX));
        let select =
            (0..4).fold(0, |select, axis| select | u32::from(*objectives.get(axis).unwrap_or(&4)) << (8 * axis));
        let mut reserve = |number: usize| {
            Array::<u32>::reserve(runtime, (words[number] * u64::from(capacity)).try_into().unwrap_or(usize::MAX))
        };
        let (rows, heads, sums) = (reserve(1)?, reserve(2)?, reserve(3)?);
        let (nearest, left, counts, out) = (reserve(4)?, reserve(5)?, reserve(6)?, reserve(7)?);
        let (input, points) = reserve_points(runtime, words[0] as usize * capacity as usize, POINTS)?;
        // The first transfer may fetch more than has ever been written.
        let begin = vec![0; out.len.min(1 + EXPECTED * LEFT)];
        out.write(runtime, &begin)?;
        let arrays = Arrays {
            times: Array::upload(runtime, &layout::padded(shop, &layout, narrow))?,
            tasks: Array::upload(runtime, &tasks)?,
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

    /// Kernel, block and shared memory of the exploration.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Largest number of members of an exploration.
    pub fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// Number of members whose neighbourhoods one launch computes; at least one, even if that takes several launches.
    pub fn side_by_side(&self) -> usize {
        let each = self.layout.operations(self.jobs, 1).max(1);
        usize::try_from(self.limit / each).unwrap_or(usize::MAX).clamp(1, self.capacity())
    }
}

/// Reserves the input of an exploration with `points` new archive points, and the memory for the points of the archive.
fn reserve_points(
    runtime: &mut dyn DeviceRuntime, input: usize, points: usize,
) -> Result<(Array<u32>, Array<u32>), CudaError> {
    Ok((Array::reserve(runtime, input + 4 * points)?, Array::reserve(runtime, 4 * points)?))
}
