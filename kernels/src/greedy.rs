//! Typed launches of `greedy.cu`: iterated greedy for permutation flow shops, one block per chain.

mod layout;

pub use layout::{Layout, MOST_JOBS, MOST_MACHINES, Tuning};

use std::mem::offset_of;

use crate::launch::{Division, Launch, Rows};
use crate::runtime::{Array, DeviceRuntime, Module};
use crate::structs::{StructLayout, kernel_struct};
use crate::{CudaError, Element};

/// Permutation flow shop as the kernels read it.
#[derive(Debug, Clone, Copy)]
pub struct Shop<'a> {
    /// Number of machines m, at least 1.
    pub machines: u32,
    /// Processing times, jobs × machines, row-major.
    pub times: &'a [u32],
    /// Release date of each job.
    pub releases: &'a [u32],
    /// Due date of each job; zeros for total completion time.
    pub dues: &'a [u32],
    /// Objective.
    pub cost: Cost,
}

/// Objective of the chains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Makespan without release dates.
    Makespan {
        /// True if no makespan exceeds 65,534, so that 16 bits suffice.
        narrow: bool,
    },
    /// Makespan with release dates.
    ReleasedMakespan,
    /// Total tardiness plus a fixed cost for each tardy job.
    Tardiness {
        /// Fixed cost of a tardy job, at most 2⁶³ / jobs.
        each: u64,
    },
}

impl Shop<'_> {
    /// Number of jobs n.
    pub fn jobs(&self) -> u32 {
        self.releases.len() as u32
    }

    /// Returns `true` if insertions are evaluated with Taillard's acceleration.
    pub fn is_accelerated(&self) -> bool {
        matches!(self.cost, Cost::Makespan { .. })
    }

    fn check(&self) -> Result<(), CudaError> {
        let (jobs, expected) = (self.jobs(), u64::from(self.jobs()) * u64::from(self.machines));
        let largest = if matches!(self.cost, Cost::Makespan { narrow: true }) { 0xffff } else { u32::MAX };
        let fits = self.times.len() as u64 == expected
            && self.dues.len() == self.releases.len()
            && !self.times.iter().any(|&time| time > largest);
        if expected > 0 && jobs <= u32::from(u16::MAX) && fits {
            return Ok(());
        }
        let found = self.times.len();
        Err(CudaError::Orders(format!("{found} processing times for {jobs} jobs on {} machines", self.machines)))
    }
}

/// Parameters of a step.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Number of jobs that a step removes, fewer than n.
    pub removed: u32,
    /// Applies local search to the partial permutation, too.
    pub partial: bool,
    /// Temperature in 1/256 of a cost unit.
    pub temperature: u32,
    /// −ln u at 1,024 points, in 1/4096.
    pub levels: &'a [u32],
}

/// State of a chain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Record {
    /// Cost of the present permutation.
    pub cost: u64,
    /// Cost of the best permutation.
    pub best_cost: u64,
    /// Number of positions evaluated so far.
    pub evaluations: u64,
    /// Number of finished steps.
    pub step: u64,
    /// True if the next step was interrupted by the end of a launch.
    pub is_under_way: bool,
}

kernel_struct! {
    /// [`Record`] as the kernels keep it, with the state of an interrupted step behind the first four fields.
    struct ChainRecord = "Record" {
        cost: u64,
        best_cost: u64,
        evaluations: u64,
        step: u64,
        trial_cost: u64,
        before: u64,
        stage: u32,
        number: u32,
        length: u32,
        draws: u32,
    }
}

kernel_struct! {
    /// Parameters of a launch.
    struct Settings = "Settings" {
        until: u64,
        tardy: u64,
        key: u64,
        jobs: u32,
        machines: u32,
        removed: u32,
        partial: u32,
        temperature: u32,
        work: u32,
        first: u32,
        makespan: u32,
        released: u32,
        room: u32,
    }
}

/// Structs that cross to the kernels.
pub(crate) const STRUCTS: &[StructLayout] = &[ChainRecord::LAYOUT, Settings::LAYOUT];

/// Constants of `greedy.cu` by their names there.
pub(crate) const CONSTANTS: &[(&str, u64)] = &[("MOST_WARPS", layout::MOST_WARPS as u64)];

/// Number of points of the table of −ln u.
const LEVELS: usize = 1_024;

/// Chains and tables in device memory.
#[derive(Debug)]
pub struct Chains {
    jobs: u32,
    count: u32,
    layout: Layout,
    /// Parameters; `until`, `work` and `first` are set for each launch.
    settings: Settings,
    times: Times,
    releases: Array<u32>,
    dues: Array<u32>,
    levels: Array<u32>,
    rooms: Array<u8>,
    orders: Array<u16>,
    bests: Array<u16>,
    kept: Array<u16>,
    records: Array<ChainRecord>,
}

#[derive(Debug, Clone, Copy)]
enum Times {
    Narrow(Array<u16>),
    Wide(Array<u32>),
}

impl Chains {
    /// Device memory in bytes that `count` chains need with this layout.
    pub fn bytes(shop: &Shop<'_>, layout: &Layout, count: u32) -> u64 {
        let (jobs, count) = (u64::from(shop.jobs()), u64::from(count));
        let tables = 4 * (jobs * (2 * u64::from(layout.row) + 2) + LEVELS as u64);
        let each = 2 * jobs * 4 + ChainRecord::BYTES as u64;
        tables + each * count + u64::from(layout.room_bytes) * count.min(layout.at_once.into())
    }

    /// Reserves memory for `count` chains and writes the tables.
    ///
    /// # Errors
    /// [`CudaError::TooManyMachines`] or [`CudaError::TooManyJobs`]; [`CudaError::Orders`] if the tables do not belong to one shop;
    /// [`CudaError::OutOfMemory`] before anything is reserved; errors of the runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, shop: &Shop<'_>, rules: &Rules<'_>, count: u32, tuning: Tuning,
    ) -> Result<Self, CudaError> {
        shop.check()?;
        let (jobs, count) = (shop.jobs(), count.max(1));
        if rules.removed >= jobs.max(2) || rules.levels.len() != LEVELS {
            return Err(CudaError::Orders(format!("{} of {jobs} jobs to be taken out", rules.removed)));
        }
        runtime.prepare(Module::Greedy)?;
        let limits = runtime.limits()?;
        let layout = Layout::choose(&limits, shop, count, tuning)?;
        let needed = Self::bytes(shop, &layout, count);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let rows = rows(shop, &layout);
        let times = if layout.narrow {
            let narrow: Vec<u16> = rows.iter().map(|&time| time as u16).collect();
            Times::Narrow(Array::upload(runtime, &narrow)?)
        } else {
            Times::Wide(Array::upload(runtime, &rows)?)
        };
        let settings = Settings {
            until: 0,
            tardy: if let Cost::Tardiness { each } = shop.cost { each } else { 0 },
            key: rules.seed,
            jobs,
            machines: shop.machines,
            removed: rules.removed,
            partial: rules.partial.into(),
            temperature: rules.temperature,
            work: 0,
            first: 0,
            makespan: u32::from(!matches!(shop.cost, Cost::Tardiness { .. })),
            released: shop.releases.iter().any(|&release| release > 0).into(),
            room: layout.room_bytes,
        };
        let orders = jobs as usize * count as usize;
        let rooms = layout.room_bytes as usize * count.min(layout.at_once) as usize;
        Ok(Self {
            jobs,
            count,
            layout,
            settings,
            times,
            releases: Array::upload(runtime, shop.releases)?,
            dues: Array::upload(runtime, shop.dues)?,
            levels: Array::upload(runtime, rules.levels)?,
            rooms: Array::reserve(runtime, rooms)?,
            orders: Array::reserve(runtime, orders)?,
            bests: Array::reserve(runtime, orders)?,
            kept: Array::reserve(runtime, 2 * orders)?,
            records: Array::reserve(runtime, count as usize)?,
        })
    }

    /// Kernel, block and memory of a chain.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of chains.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Writes the state of all chains, none of which may be under way. `orders` and `bests` hold the permutations one after another.
    ///
    /// # Errors
    /// [`CudaError::Orders`] if a length does not fit the number of chains or a job does not exist; as [`DeviceRuntime::write`].
    pub fn write(
        &self, runtime: &mut dyn DeviceRuntime, orders: &[u16], bests: &[u16], records: &[Record],
    ) -> Result<(), CudaError> {
        let (all, jobs) = (self.jobs as usize * self.count as usize, self.jobs);
        let lengths = [orders.len(), bests.len(), records.len() * jobs as usize];
        if lengths != [all; 3] || orders.iter().chain(bests).any(|&job| u32::from(job) >= jobs) {
            return Err(CudaError::Orders(format!("{} chains of {jobs} jobs, {} positions", self.count, orders.len())));
        }
        let record = |record: &Record| ChainRecord {
            cost: record.cost,
            best_cost: record.best_cost,
            evaluations: record.evaluations,
            step: record.step,
            ..ChainRecord::of(&[0; ChainRecord::BYTES])
        };
        let records: Vec<ChainRecord> = records.iter().map(record).collect();
        self.orders.write(runtime, orders)?;
        self.bests.write(runtime, bests)?;
        self.records.write(runtime, &records)
    }

    /// Advances the chains from `first` on, as many as the device runs at once, until `until` steps are done or a chain has used `work` units:
    /// about as many jobs (makespan) or positions (other objectives) in one lane.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn advance(&self, runtime: &mut dyn DeviceRuntime, first: u32, until: u64, work: u32) -> Result<(), CudaError> {
        let count = self.count.saturating_sub(first).min(self.layout.at_once);
        if count == 0 {
            return Ok(());
        }
        let Layout { kernel, warps, shared_bytes, .. } = self.layout;
        let launch = Launch::new(Module::Greedy, kernel, [count, 1], 32 * warps, shared_bytes);
        let settings = Settings { until, work: work.max(1), first, ..self.settings };
        let launch = launch.value_with_first(settings, offset_of!(Settings, first));
        let launch = match &self.times {
            Times::Narrow(times) => launch.input(times),
            Times::Wide(times) => launch.input(times),
        };
        let launch = launch.input(&self.releases).input(&self.dues).input(&self.levels).working(&self.rooms);
        let orders = || Rows::Even(2 * self.jobs as usize);
        let launch = launch.rows(&self.orders, orders()).rows(&self.bests, orders());
        let launch = launch
            .rows(&self.kept, Rows::Even(4 * self.jobs as usize))
            .rows(&self.records, Rows::Even(ChainRecord::BYTES));
        runtime.launch(&launch.divided(Division::of(first..first + count, self.count)))
    }

    /// Waits for all launches and reads the states of all chains.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_records(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<Record>, CudaError> {
        let record = |record: &ChainRecord| Record {
            cost: record.cost,
            best_cost: record.best_cost,
            evaluations: record.evaluations,
            step: record.step,
            is_under_way: record.stage != 0,
        };
        Ok(self.records.read(runtime, self.count as usize)?.iter().map(record).collect())
    }

    /// Reads the present permutations of all chains, one after another.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_orders(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<u16>, CudaError> {
        self.orders.read(runtime, self.orders.len)
    }

    /// Reads the best permutations of all chains, one after another.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read_bests(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<u16>, CudaError> {
        self.bests.read(runtime, self.bests.len)
    }
}

/// Processing times in rows of [`Layout`]: jobs rows with the machines in order, then jobs rows with the machines reversed, which
/// Taillard's acceleration needs.
fn rows(shop: &Shop<'_>, layout: &Layout) -> Vec<u32> {
    let (jobs, row, machines) = (shop.jobs() as usize, layout.row as usize, shop.machines as usize);
    let mut rows = vec![0; 2 * jobs * row];
    for (job, times) in shop.times.chunks_exact(machines).enumerate() {
        rows[job * row..][..machines].copy_from_slice(times);
        let back = &mut rows[(jobs + job) * row..][..layout.held as usize];
        for (place, &time) in back.iter_mut().rev().zip(times) {
            *place = time;
        }
    }
    rows
}
