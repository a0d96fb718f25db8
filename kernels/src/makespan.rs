//! Typed launches of `makespan.cu`: makespan and sum of completion times of given orders of a permutation flow shop.

mod layout;

pub use layout::{Layout, MOST_MACHINES, Tuning};

use crate::CudaError;
use crate::machine::{Array, Launch, Machine, Module};

/// A permutation flow shop as the kernels read it.
#[derive(Debug, Clone, Copy)]
pub struct Shop<'a> {
    /// m, at least 1.
    pub machines: u32,
    /// Processing times, jobs × machines.
    pub times: &'a [u32],
    /// When each job can start on the first machine; all times with the latest of them sum up to less than 2³².
    pub releases: &'a [u32],
}

impl Shop<'_> {
    /// n.
    pub fn jobs(&self) -> u32 {
        self.releases.len() as u32
    }
}

/// What an order comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Value {
    /// When the last job is done.
    pub makespan: u32,
    /// Sum over all jobs of when they are done.
    pub flow_time: u64,
}

/// A flow shop on a machine, with room for orders and their values.
#[derive(Debug)]
pub struct Evaluator {
    jobs: u32,
    machines: u32,
    has_releases: bool,
    capacity: u32,
    /// Orders that are there: the first ones.
    written: u32,
    shared_per_block: usize,
    layout: Layout,
    /// Rows of [`Layout::row`] numbers.
    padded: Array<u32>,
    /// Rows of `machines` numbers.
    times: Array<u32>,
    releases: Array<u32>,
    /// Two bytes for each job of each order.
    orders: Array<u8>,
    makespans: Array<u32>,
    sums: Array<u64>,
}

impl Evaluator {
    /// Bytes of the machine's memory that the shop needs, and that each order needs.
    pub fn bytes(shop: &Shop<'_>) -> (u64, u64) {
        let (jobs, machines) = (u64::from(shop.jobs()), u64::from(shop.machines));
        let padded = machines.next_multiple_of(32).max(64) * 2;
        (4 * jobs * (padded + machines + 1), 2 * jobs + 12)
    }

    /// Reserves room for `capacity` orders and writes the tables.
    ///
    /// # Errors
    /// [`CudaError::TooManyMachines`]; [`CudaError::Orders`] where the shop has no jobs, or tables that are not jobs × machines;
    /// [`CudaError::OutOfMemory`] before anything is reserved where the memory does not suffice; what the machine reports.
    pub fn new(machine: &mut dyn Machine, shop: &Shop<'_>, capacity: u32, tuning: Tuning) -> Result<Self, CudaError> {
        let (jobs, machines, capacity) = (shop.jobs(), shop.machines, capacity.max(1));
        let expected = u64::from(jobs) * u64::from(machines);
        if expected == 0 || jobs > u32::from(u16::MAX) || shop.times.len() as u64 != expected {
            let found = shop.times.len();
            return Err(CudaError::Orders(format!("{found} processing times for {jobs} jobs on {machines} machines")));
        }
        machine.prepare(Module::Makespan)?;
        let limits = machine.limits()?;
        let layout = Layout::choose(&limits, jobs, machines, capacity, tuning)?;
        let (tables, each) = Self::bytes(shop);
        let needed = tables + each * u64::from(capacity);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let mut padded = vec![0; jobs as usize * layout.row()];
        for (row, times) in padded.chunks_exact_mut(layout.row()).zip(shop.times.chunks_exact(machines as usize)) {
            for (number, &time) in times.iter().enumerate() {
                row[layout.slot(number)] = time;
            }
        }
        Ok(Self {
            jobs,
            machines,
            has_releases: shop.releases.iter().any(|&release| release > 0),
            capacity,
            written: 0,
            shared_per_block: limits.shared_per_block,
            layout,
            padded: Array::upload(machine, &padded)?,
            times: Array::upload(machine, shop.times)?,
            releases: Array::upload(machine, shop.releases)?,
            orders: Array::reserve(machine, 2 * jobs as usize * capacity as usize)?,
            makespans: Array::reserve(machine, capacity as usize)?,
            sums: Array::reserve(machine, capacity as usize)?,
        })
    }

    /// How orders are laid out.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Orders that there is room for.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Writes orders, one behind the other, in the place of those before.
    ///
    /// # Errors
    /// [`CudaError::Orders`] where they are not whole, more than there is room for, or name a job that is not there; as
    /// [`Machine::write`].
    pub fn write(&mut self, machine: &mut dyn Machine, orders: &[u16]) -> Result<(), CudaError> {
        let (jobs, length) = (self.jobs as usize, orders.len());
        if !length.is_multiple_of(jobs) || length / jobs > self.capacity as usize {
            let room = self.capacity;
            return Err(CudaError::Orders(format!("{length} positions, {jobs} jobs in each order, room for {room}")));
        }
        if let Some(job) = orders.iter().find(|&&job| u32::from(job) >= self.jobs) {
            return Err(CudaError::Orders(format!("job {job} in an order of jobs 0 to {}", jobs - 1)));
        }
        // Until they are written, nothing may be computed.
        self.written = 0;
        let bytes: Vec<u8> = orders.iter().flat_map(|job| job.to_le_bytes()).collect();
        machine.write(self.orders.memory, &bytes)?;
        self.written = (length / jobs) as u32;
        Ok(())
    }

    /// Computes the orders that were written, many side by side.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn evaluate(&self, machine: &mut dyn Machine) -> Result<(), CudaError> {
        if self.written == 0 {
            return Ok(());
        }
        let Layout { kernel, block, shared_bytes, .. } = self.layout;
        let launch = Launch::new(Module::Makespan, kernel, [self.layout.blocks(self.written), 1], block, shared_bytes);
        let launch = launch.array(&self.padded).array(&self.releases).array(&self.orders);
        let launch = launch.array(&self.makespans).array(&self.sums).number(self.jobs);
        let launch = launch.number((self.machines - 1) / self.layout.per_lane).number(self.written);
        machine.launch(&launch.number(u32::from(self.has_releases)))
    }

    /// Computes the orders that were written in the published form: a block of `processors` threads for each, which meet after
    /// every diagonal; each order `repeats` times, so that more than the launch can be measured.
    ///
    /// # Errors
    /// [`CudaError::Processors`] unless these are 1 … m, and at most 1,024; [`CudaError::SharedMemory`] where two numbers for each
    /// machine do not fit; as [`Machine::launch`].
    pub fn sweep(&self, machine: &mut dyn Machine, processors: u32, repeats: u32) -> Result<(), CudaError> {
        let most = self.machines.min(layout::MOST_THREADS);
        if !(1..=most).contains(&processors) {
            return Err(CudaError::Processors { asked: processors, most });
        }
        let shared = 8 * self.machines;
        if shared as usize > self.shared_per_block {
            return Err(CudaError::SharedMemory { needed: shared as usize, offered: self.shared_per_block });
        }
        if self.written == 0 {
            return Ok(());
        }
        let launch = Launch::new(Module::Makespan, "diagonals", [self.written, 1], processors, shared);
        let launch = launch.array(&self.times).array(&self.releases).array(&self.orders);
        let launch = launch.array(&self.makespans).array(&self.sums);
        machine.launch(&launch.number(self.jobs).number(self.machines).number(repeats.max(1)))
    }

    /// The values of the orders that were written, once everything before is done. They mean something after
    /// [`Self::evaluate`] or [`Self::sweep`].
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read(&self, machine: &mut dyn Machine) -> Result<Vec<Value>, CudaError> {
        if self.written == 0 {
            return Ok(Vec::new());
        }
        let makespans = self.makespans.read(machine, self.written as usize)?;
        let sums = self.sums.read(machine, self.written as usize)?;
        Ok(makespans.into_iter().zip(sums).map(|(makespan, flow_time)| Value { makespan, flow_time }).collect())
    }
}
