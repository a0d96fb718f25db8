//! Makespans and sums of completion times of many orders on a CUDA device: a warp, or a few lanes of one, per order.

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::makespan::{Evaluator, Layout, Shop, Tuning, Value};

use super::{OrderValues, Orders};
use crate::Instance;
use gridwright_core::{Error, Result};

/// Largest number of orders per transfer.
const MOST: usize = 1 << 18;

/// Largest number of operations per launch, which bounds the kernel time because a desktop GPU also draws the screen.
const MOST_OPERATIONS: u64 = 1 << 31;

/// Evaluator of orders of one flow shop on a device.
#[derive(Debug)]
pub struct DeviceMakespans<M: DeviceRuntime> {
    runtime: M,
    evaluator: Evaluator,
}

fn values(found: Vec<Value>) -> Vec<OrderValues> {
    let of = |Value { makespan, flow_time }| OrderValues { makespan, flow_time };
    found.into_iter().map(of).collect()
}

impl<M: DeviceRuntime> DeviceMakespans<M> {
    /// Copies a flow shop to a device and allocates room for up to `orders` orders, fewer if memory is short; more
    /// orders are evaluated in parts.
    ///
    /// # Errors
    /// [`Error::Device`] if the device cannot hold the instance.
    pub fn new(instance: &Instance, mut runtime: M, orders: usize, tuning: Tuning) -> Result<Self> {
        let releases: Vec<u32> = instance.jobs.iter().map(|job| job.release).collect();
        let machines = instance.machine_count() as u32;
        let shop = Shop { machines, times: &instance.times, releases: &releases };
        let (tables, per_order) = Evaluator::bytes(&shop);
        let free = runtime.limits()?.free;
        // Half of the free memory: other programs use the device, too.
        let room = (free / 2).saturating_sub(tables) / per_order.max(1);
        let short = MOST_OPERATIONS / instance.times.len().max(1) as u64;
        let capacity = orders.clamp(1, MOST).min(usize::try_from(room.min(short)).unwrap_or(MOST)).max(1);
        let evaluator = Evaluator::new(&mut runtime, &shop, capacity as u32, tuning)?;
        Ok(Self { runtime, evaluator })
    }

    /// Thread layout of the kernel.
    pub fn layout(&self) -> Layout {
        self.evaluator.layout()
    }

    /// Largest number of orders per transfer.
    pub fn capacity(&self) -> usize {
        self.evaluator.capacity() as usize
    }

    /// Evaluates the orders, in as many parts as needed. Entry k of the result belongs to order k.
    ///
    /// # Errors
    /// [`Error::Device`] if the device is lost or the orders belong to another flow shop.
    pub fn evaluate(&mut self, orders: &Orders) -> Result<Vec<OrderValues>> {
        let part = self.evaluator.capacity() as usize * orders.jobs().max(1);
        let mut found = Vec::with_capacity(orders.count());
        for part in orders.flat().chunks(part) {
            self.write(part)?;
            self.compute()?;
            found.extend(self.read()?);
        }
        Ok(found)
    }

    /// Evaluates like [`Self::evaluate`], in the published form: a block of `processors` threads per order,
    /// synchronised after every anti-diagonal.
    ///
    /// # Errors
    /// See [`Self::evaluate`]; [`Error::Device`] for an invalid number of processors.
    pub fn sweep(&mut self, orders: &Orders, processors: usize) -> Result<Vec<OrderValues>> {
        let part = self.evaluator.capacity() as usize * orders.jobs().max(1);
        let mut found = Vec::with_capacity(orders.count());
        for part in orders.flat().chunks(part) {
            self.write(part)?;
            self.compute_diagonals(processors, 1)?;
            found.extend(self.read()?);
        }
        Ok(found)
    }

    /// Copies orders (row-major, at most the capacity) to the device.
    pub(crate) fn write(&mut self, orders: &[u16]) -> Result<()> {
        self.evaluator.write(&mut self.runtime, orders).map_err(Error::from)
    }

    /// Evaluates the orders on the device and waits.
    pub(crate) fn compute(&mut self) -> Result<()> {
        self.evaluator.evaluate(&mut self.runtime)?;
        self.runtime.wait().map_err(Error::from)
    }

    /// Evaluates the orders in the published form, each `repeats` times, and waits.
    pub(crate) fn compute_diagonals(&mut self, processors: usize, repeats: u32) -> Result<()> {
        let processors = u32::try_from(processors).unwrap_or(u32::MAX);
        self.evaluator.sweep(&mut self.runtime, processors, repeats)?;
        self.runtime.wait().map_err(Error::from)
    }

    /// Copies the values of the orders back.
    pub(crate) fn read(&mut self) -> Result<Vec<OrderValues>> {
        self.evaluator.read(&mut self.runtime).map(values).map_err(Error::from)
    }
}
