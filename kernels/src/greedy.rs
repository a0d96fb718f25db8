//! Typed launches of `greedy.cu`: chains of iterated greedy for permutation flow shops, a block for each.

mod layout;

pub use layout::{Layout, MOST_JOBS, MOST_MACHINES, Tuning};

use crate::CudaError;
use crate::machine::{Array, Launch, Machine, Module};

/// A permutation flow shop as the kernels read it.
#[derive(Debug, Clone, Copy)]
pub struct Shop<'a> {
    /// m, at least 1.
    pub machines: u32,
    /// Processing times, jobs × machines.
    pub times: &'a [u32],
    /// When each job can start on the first machine.
    pub releases: &'a [u32],
    /// From when on each job is late; zeros where all that counts is when jobs are done.
    pub dues: &'a [u32],
    /// What is minimised.
    pub cost: Cost,
}

/// What chains minimise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// The makespan of jobs that are all there from the beginning; whether every makespan fits into 16 bits.
    Makespan {
        /// Whether none is larger than 65,534.
        narrow: bool,
    },
    /// The makespan where jobs are released late.
    ReleasedMakespan,
    /// The sum of how much later than due jobs are done, and this for each that is.
    Tardiness {
        /// 2⁶³ / jobs at most.
        each: u64,
    },
}

impl Shop<'_> {
    /// n.
    pub fn jobs(&self) -> u32 {
        self.releases.len() as u32
    }

    /// Whether the makespan is computed by Taillard's acceleration.
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

/// What a step does.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// The seed of all random words.
    pub seed: u64,
    /// Jobs that a step takes out, fewer than there are.
    pub removed: u32,
    /// Whether the order without the removed jobs is improved, too.
    pub partial: bool,
    /// In 1/256 of a cost unit.
    pub temperature: u32,
    /// 1,024 levels of −ln u, in 1/4096.
    pub levels: &'a [u32],
}

/// Where a chain stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Record {
    /// The cost of its present order.
    pub cost: u64,
    /// The cost of the best one.
    pub best_cost: u64,
    /// Places that were looked at.
    pub evaluations: u64,
    /// Steps that are done.
    pub step: u64,
    /// Whether the next step has begun: then the chain waits for another launch.
    pub is_under_way: bool,
}

/// 64-bit words of a record on the machine.
const RECORD_WORDS: usize = 8;

/// Levels of −ln u.
const LEVELS: usize = 1_024;

/// Chains on a machine.
#[derive(Debug)]
pub struct Chains {
    jobs: u32,
    count: u32,
    layout: Layout,
    /// The settings of a launch; the first eight bytes and three numbers further on change.
    settings: Settings,
    times: Times,
    releases: Array<u32>,
    dues: Array<u32>,
    levels: Array<u32>,
    rooms: Array<u8>,
    orders: Array<u16>,
    bests: Array<u16>,
    kept: Array<u16>,
    records: Array<u64>,
}

#[derive(Debug, Clone, Copy)]
enum Times {
    Narrow(Array<u16>),
    Wide(Array<u32>),
}

/// As `Settings` in the kernel.
#[derive(Debug, Clone, Copy)]
struct Settings {
    tardy: u64,
    seed: u64,
    jobs: u32,
    machines: u32,
    removed: u32,
    partial: bool,
    temperature: u32,
    makespan: bool,
    released: bool,
    room: u32,
}

impl Settings {
    fn bytes(&self, until: u64, work: u32, first: u32) -> Vec<u8> {
        let mut bytes: Vec<u8> = [until, self.tardy, self.seed].iter().flat_map(|word| word.to_le_bytes()).collect();
        let numbers = [
            self.jobs,
            self.machines,
            self.removed,
            u32::from(self.partial),
            self.temperature,
            work,
            first,
            u32::from(self.makespan),
            u32::from(self.released),
            self.room,
        ];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }
}

impl Chains {
    /// Bytes of the machine's memory that so many chains need in this layout.
    pub fn bytes(shop: &Shop<'_>, layout: &Layout, count: u32) -> u64 {
        let (jobs, count) = (u64::from(shop.jobs()), u64::from(count));
        let tables = 4 * (jobs * (2 * u64::from(layout.row) + 2) + LEVELS as u64);
        let each = 2 * jobs * 4 + 8 * RECORD_WORDS as u64;
        tables + each * count + u64::from(layout.room_bytes) * count.min(layout.at_once.into())
    }

    /// Reserves room for `count` chains and writes the tables.
    ///
    /// # Errors
    /// [`CudaError::TooManyMachines`] or [`CudaError::TooManyJobs`]; [`CudaError::Orders`] where the tables are not those of a shop;
    /// [`CudaError::OutOfMemory`] before anything is reserved where the memory does not suffice; what the machine reports.
    pub fn new(
        machine: &mut dyn Machine,
        shop: &Shop<'_>,
        rules: &Rules<'_>,
        count: u32,
        tuning: Tuning,
    ) -> Result<Self, CudaError> {
        shop.check()?;
        let (jobs, count) = (shop.jobs(), count.max(1));
        if rules.removed >= jobs.max(2) || rules.levels.len() != LEVELS {
            return Err(CudaError::Orders(format!("{} of {jobs} jobs to be taken out", rules.removed)));
        }
        machine.prepare(Module::Greedy)?;
        let limits = machine.limits()?;
        let layout = Layout::choose(&limits, shop, count, tuning)?;
        let needed = Self::bytes(shop, &layout, count);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let rows = rows(shop, &layout);
        let times = if layout.narrow {
            let narrow: Vec<u16> = rows.iter().map(|&time| time as u16).collect();
            Times::Narrow(Array::upload(machine, &narrow)?)
        } else {
            Times::Wide(Array::upload(machine, &rows)?)
        };
        let settings = Settings {
            tardy: if let Cost::Tardiness { each } = shop.cost { each } else { 0 },
            seed: rules.seed,
            jobs,
            machines: shop.machines,
            removed: rules.removed,
            partial: rules.partial,
            temperature: rules.temperature,
            makespan: !matches!(shop.cost, Cost::Tardiness { .. }),
            released: shop.releases.iter().any(|&release| release > 0),
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
            releases: Array::upload(machine, shop.releases)?,
            dues: Array::upload(machine, shop.dues)?,
            levels: Array::upload(machine, rules.levels)?,
            rooms: Array::reserve(machine, rooms)?,
            orders: Array::reserve(machine, orders)?,
            bests: Array::reserve(machine, orders)?,
            kept: Array::reserve(machine, 2 * orders)?,
            records: Array::reserve(machine, count as usize * RECORD_WORDS)?,
        })
    }

    /// How a chain is laid out over a block.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of chains.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Writes where all chains stand: their orders and best orders, one behind the other, and their costs. None may be under way.
    ///
    /// # Errors
    /// [`CudaError::Orders`] where these are not whole orders of all chains, or name a job that is not there; as [`Machine::write`].
    pub fn write(
        &self,
        machine: &mut dyn Machine,
        orders: &[u16],
        bests: &[u16],
        records: &[Record],
    ) -> Result<(), CudaError> {
        let (all, jobs) = (self.jobs as usize * self.count as usize, self.jobs);
        let lengths = [orders.len(), bests.len(), records.len() * jobs as usize];
        if lengths != [all; 3] || orders.iter().chain(bests).any(|&job| u32::from(job) >= jobs) {
            return Err(CudaError::Orders(format!("{} chains of {jobs} jobs, {} positions", self.count, orders.len())));
        }
        let words = |record: &Record| [record.cost, record.best_cost, record.evaluations, record.step, 0, 0, 0, 0];
        let words: Vec<u64> = records.iter().flat_map(words).collect();
        self.orders.write(machine, orders)?;
        self.bests.write(machine, bests)?;
        self.records.write(machine, &words)
    }

    /// Lets the chains from `first` on, as many as the machine walks at once, go on until `until` steps are done, each for at most so many units of
    /// `work`: about as many jobs (makespan) or places (else) in one lane.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn walk(&self, machine: &mut dyn Machine, first: u32, until: u64, work: u32) -> Result<(), CudaError> {
        let count = self.count.saturating_sub(first).min(self.layout.at_once);
        if count == 0 {
            return Ok(());
        }
        let Layout { kernel, warps, shared_bytes, .. } = self.layout;
        let launch = Launch::new(Module::Greedy, kernel, [count, 1], 32 * warps, shared_bytes);
        let launch = launch.structure(&self.settings.bytes(until, work.max(1), first));
        let launch = match &self.times {
            Times::Narrow(times) => launch.array(times),
            Times::Wide(times) => launch.array(times),
        };
        let launch = launch.array(&self.releases).array(&self.dues).array(&self.levels).array(&self.rooms);
        machine.launch(&launch.array(&self.orders).array(&self.bests).array(&self.kept).array(&self.records))
    }

    /// Where all chains stand.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_records(&self, machine: &mut dyn Machine) -> Result<Vec<Record>, CudaError> {
        let words = self.records.read(machine, self.count as usize * RECORD_WORDS)?;
        let record = |words: &[u64]| Record {
            cost: words[0],
            best_cost: words[1],
            evaluations: words[2],
            step: words[3],
            is_under_way: words[6] as u32 != 0,
        };
        Ok(words.chunks_exact(RECORD_WORDS).map(record).collect())
    }

    /// The present orders of all chains, one behind the other.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_orders(&self, machine: &mut dyn Machine) -> Result<Vec<u16>, CudaError> {
        self.orders.read(machine, self.orders.len)
    }

    /// The best orders of all chains.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_bests(&self, machine: &mut dyn Machine) -> Result<Vec<u16>, CudaError> {
        self.bests.read(machine, self.bests.len)
    }
}

/// The times of all jobs in rows of the layout; for the accelerated makespan also with the machines in reverse.
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
