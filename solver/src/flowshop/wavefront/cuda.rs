//! The same values on a device: a warp, or a few lanes of one, for each order.

use gridwright_kernels::makespan::{Evaluator, Layout, Shop, Tuning, Value};
use gridwright_kernels::{CudaError, Machine};

use super::{Orders, Values};
use crate::flowshop::Instance;
use crate::{Error, Result};

/// Orders that are computed between two transfers, at most.
const MOST: usize = 1 << 18;

/// Operations of a launch, at most: a desktop's GPU also draws its screen.
const MOST_OPERATIONS: u64 = 1 << 31;

/// A flow shop on a device.
#[derive(Debug)]
pub struct DeviceMakespans<M: Machine> {
    machine: M,
    evaluator: Evaluator,
}

fn device_error(error: CudaError) -> Error {
    Error::Device(error.to_string())
}

fn values(found: Vec<Value>) -> Vec<Values> {
    let of = |Value { makespan, flow_time }| Values { makespan, flow_time };
    found.into_iter().map(of).collect()
}

impl<M: Machine> DeviceMakespans<M> {
    /// Puts a flow shop on a device, with room for `orders` orders if its memory allows; more are computed in parts.
    ///
    /// # Errors
    /// [`Error::Device`] where the device cannot hold it.
    pub fn new(instance: &Instance, mut machine: M, orders: usize, tuning: Tuning) -> Result<Self> {
        let releases: Vec<u32> = instance.jobs.iter().map(|job| job.release).collect();
        let machines = instance.machine_count() as u32;
        let shop = Shop { machines, times: &instance.times, releases: &releases };
        let (tables, each) = Evaluator::bytes(&shop);
        let free = machine.limits().map_err(device_error)?.free;
        // Half of what is free: others use the device, too.
        let room = (free / 2).saturating_sub(tables) / each.max(1);
        let short = MOST_OPERATIONS / instance.times.len().max(1) as u64;
        let capacity = orders.clamp(1, MOST).min(usize::try_from(room.min(short)).unwrap_or(MOST)).max(1);
        let evaluator = Evaluator::new(&mut machine, &shop, capacity as u32, tuning).map_err(device_error)?;
        Ok(Self { machine, evaluator })
    }

    /// How orders are laid out.
    pub fn layout(&self) -> Layout {
        self.evaluator.layout()
    }

    /// Orders that there is room for.
    pub fn capacity(&self) -> usize {
        self.evaluator.capacity() as usize
    }

    /// Writes, computes and reads, in as many parts as are needed.
    ///
    /// # Errors
    /// [`Error::Device`] where the device is lost or the orders are of another flow shop.
    pub fn evaluate(&mut self, orders: &Orders) -> Result<Vec<Values>> {
        let part = self.evaluator.capacity() as usize * orders.jobs().max(1);
        let mut found = Vec::with_capacity(orders.count());
        for part in orders.flat().chunks(part) {
            self.write(part)?;
            self.compute()?;
            found.extend(self.read()?);
        }
        Ok(found)
    }

    /// As [`Self::evaluate`], in the published form: a block of `processors` threads for each order, which meet after every
    /// diagonal.
    ///
    /// # Errors
    /// As [`Self::evaluate`]; [`Error::Device`] for a number of processors that cannot be.
    pub fn sweep(&mut self, orders: &Orders, processors: usize) -> Result<Vec<Values>> {
        let part = self.evaluator.capacity() as usize * orders.jobs().max(1);
        let mut found = Vec::with_capacity(orders.count());
        for part in orders.flat().chunks(part) {
            self.write(part)?;
            self.compute_diagonals(processors, 1)?;
            found.extend(self.read()?);
        }
        Ok(found)
    }

    /// Brings orders to the device; no more than there is room for.
    pub(in crate::flowshop) fn write(&mut self, orders: &[u16]) -> Result<()> {
        self.evaluator.write(&mut self.machine, orders).map_err(device_error)
    }

    /// Computes what is there and waits.
    pub(in crate::flowshop) fn compute(&mut self) -> Result<()> {
        self.evaluator.evaluate(&mut self.machine).map_err(device_error)?;
        self.machine.wait().map_err(device_error)
    }

    /// Computes what is there in the published form, each order `repeats` times, and waits.
    pub(in crate::flowshop) fn compute_diagonals(&mut self, processors: usize, repeats: u32) -> Result<()> {
        let processors = u32::try_from(processors).unwrap_or(u32::MAX);
        self.evaluator.sweep(&mut self.machine, processors, repeats).map_err(device_error)?;
        self.machine.wait().map_err(device_error)
    }

    /// Brings the values of what is there back.
    pub(in crate::flowshop) fn read(&mut self) -> Result<Vec<Values>> {
        self.evaluator.read(&mut self.machine).map(values).map_err(device_error)
    }
}
