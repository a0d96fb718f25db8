//! Typed launches of `makespan.cu`: makespan and total completion time of given job permutations of a flow shop.

mod layout;

pub use layout::{Layout, MOST_MACHINES, Tuning};

use crate::CudaError;
use crate::launch::Launch;
use crate::runtime::{Array, DeviceRuntime, Module};

/// Permutation flow shop as the kernels read it.
#[derive(Debug, Clone, Copy)]
pub struct Shop<'a> {
    /// Number of machines m, at least 1.
    pub machines: u32,
    /// Processing times, jobs × machines, row-major.
    pub times: &'a [u32],
    /// Release date of each job. Their maximum plus all processing times is below 2³².
    pub releases: &'a [u32],
}

impl Shop<'_> {
    /// Number of jobs n.
    pub fn jobs(&self) -> u32 {
        self.releases.len() as u32
    }
}

/// Objective values of a permutation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Value {
    /// Completion time of the last job.
    pub makespan: u32,
    /// Sum of the completion times of all jobs.
    pub flow_time: u64,
}

/// Flow shop, permutations and their values in device memory.
#[derive(Debug)]
pub struct Evaluator {
    jobs: u32,
    machines: u32,
    has_releases: bool,
    capacity: u32,
    /// Number of permutations that have been written.
    written: u32,
    shared_per_block: usize,
    layout: Layout,
    /// Processing times in rows of [`Layout::row`] numbers.
    padded: Array<u32>,
    /// Processing times in rows of `machines` numbers.
    times: Array<u32>,
    releases: Array<u32>,
    /// Permutations, two bytes per position.
    orders: Array<u8>,
    makespans: Array<u32>,
    sums: Array<u64>,
}

impl Evaluator {
    /// Device memory in bytes that the shop needs, and that each permutation needs.
    pub fn bytes(shop: &Shop<'_>) -> (u64, u64) {
        let (jobs, machines) = (u64::from(shop.jobs()), u64::from(shop.machines));
        let padded = machines.next_multiple_of(32).max(64) * 2;
        (4 * jobs * (padded + machines + 1), 2 * jobs + 12)
    }

    /// Reserves memory for `capacity` permutations and writes the tables.
    ///
    /// # Errors
    /// [`CudaError::TooManyMachines`]; [`CudaError::Orders`] if the shop has no jobs, or tables that are not jobs × machines;
    /// [`CudaError::OutOfMemory`] before anything is reserved; errors of the runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, shop: &Shop<'_>, capacity: u32, tuning: Tuning,
    ) -> Result<Self, CudaError> {
        let (jobs, machines, capacity) = (shop.jobs(), shop.machines, capacity.max(1));
        let expected = u64::from(jobs) * u64::from(machines);
        if expected == 0 || jobs > u32::from(u16::MAX) || shop.times.len() as u64 != expected {
            let found = shop.times.len();
            return Err(CudaError::Orders(format!("{found} processing times for {jobs} jobs on {machines} machines")));
        }
        runtime.prepare(Module::Makespan)?;
        let limits = runtime.limits()?;
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
            padded: Array::upload(runtime, &padded)?,
            times: Array::upload(runtime, shop.times)?,
            releases: Array::upload(runtime, shop.releases)?,
            orders: Array::reserve(runtime, 2 * jobs as usize * capacity as usize)?,
            makespans: Array::reserve(runtime, capacity as usize)?,
            sums: Array::reserve(runtime, capacity as usize)?,
        })
    }

    /// Kernel, block and shared memory of the evaluation.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of permutations that fit.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Replaces the permutations; `orders` holds them one after another.
    ///
    /// # Errors
    /// [`CudaError::Orders`] if one is incomplete, if there are more than [`Self::capacity`], or if a job does not exist; as
    /// [`DeviceRuntime::write`].
    pub fn write(&mut self, runtime: &mut dyn DeviceRuntime, orders: &[u16]) -> Result<(), CudaError> {
        let (jobs, length) = (self.jobs as usize, orders.len());
        if !length.is_multiple_of(jobs) || length / jobs > self.capacity as usize {
            let room = self.capacity;
            return Err(CudaError::Orders(format!("{length} positions, {jobs} jobs in each order, room for {room}")));
        }
        if let Some(job) = orders.iter().find(|&&job| u32::from(job) >= self.jobs) {
            return Err(CudaError::Orders(format!("job {job} in an order of jobs 0 to {}", jobs - 1)));
        }
        // A write that fails leaves nothing to compute.
        self.written = 0;
        let bytes: Vec<u8> = orders.iter().flat_map(|job| job.to_le_bytes()).collect();
        runtime.write(self.orders.memory, &bytes)?;
        self.written = (length / jobs) as u32;
        Ok(())
    }

    /// Evaluates all written permutations, many at once.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn evaluate(&self, runtime: &mut dyn DeviceRuntime) -> Result<(), CudaError> {
        if self.written == 0 {
            return Ok(());
        }
        let Layout { kernel, block, shared_bytes, .. } = self.layout;
        let launch = Launch::new(Module::Makespan, kernel, [self.layout.blocks(self.written), 1], block, shared_bytes);
        let launch = launch.array(&self.padded).array(&self.releases).array(&self.orders);
        let launch = launch.array(&self.makespans).array(&self.sums).number(self.jobs);
        let launch = launch.number((self.machines - 1) / self.layout.per_lane).number(self.written);
        runtime.launch(&launch.number(u32::from(self.has_releases)))
    }

    /// Evaluates all written permutations in the published form: a block of `processors` threads per permutation with a barrier after every
    /// anti-diagonal. Each permutation is evaluated `repeats` times, so that the time of the launch does not dominate.
    ///
    /// # Errors
    /// [`CudaError::Processors`] unless `processors` is 1 … min(m, 1,024); [`CudaError::SharedMemory`] if two numbers per machine do not fit;
    /// as [`DeviceRuntime::launch`].
    pub fn sweep(&self, runtime: &mut dyn DeviceRuntime, processors: u32, repeats: u32) -> Result<(), CudaError> {
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
        runtime.launch(&launch.number(self.jobs).number(self.machines).number(repeats.max(1)))
    }

    /// Waits for all launches and reads the values of all written permutations, which [`Self::evaluate`] or [`Self::sweep`] has computed.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<Value>, CudaError> {
        if self.written == 0 {
            return Ok(Vec::new());
        }
        let makespans = self.makespans.read(runtime, self.written as usize)?;
        let sums = self.sums.read(runtime, self.written as usize)?;
        Ok(makespans.into_iter().zip(sums).map(|(makespan, flow_time)| Value { makespan, flow_time }).collect())
    }
}
