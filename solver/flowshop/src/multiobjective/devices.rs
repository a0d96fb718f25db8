//! The devices that explore neighbourhoods together.
//!
//! Each device has a copy of the instance and of the archive's points. The members of an exploration are divided in proportion
//! to the multiprocessors of the devices. What becomes of a member depends on its request alone, so that the numbers depend
//! neither on the number of devices nor on their shares. If a device is lost, the others take over its members.

use std::ops::Range;

use gridwright_kernels::front::{self, Neighbours, Purpose, Tuning};
use gridwright_kernels::{CudaError, DeviceRuntime, Loss};

use crate::{Instance, Objective};
use gridwright_core::Result;
use gridwright_core::backend::DeviceNote;
use gridwright_core::search::pareto::Point;

use super::objectives::Objectives;

pub(super) struct Device<M> {
    id: String,
    /// Share of the work in proportion to those of the others: the number of multiprocessors.
    share: u64,
    pub(super) runtime: M,
    pub(super) explorer: front::Explorer,
    /// Points that arrived in the archive since the device was last told; `None` if it needs the whole archive.
    arrivals: Option<Vec<Point>>,
}

impl<M: DeviceRuntime> Device<M> {
    /// Starts to explore members; `archive` holds the points that may cover their neighbours.
    pub(super) fn explore(
        &mut self, members: &[front::Member<'_>], archive: &[Point],
    ) -> std::result::Result<(), CudaError> {
        let known = front::Known { all: archive, came: self.arrivals.as_deref() };
        self.explorer.explore(&mut self.runtime, members, known)?;
        // The points that arrived are now on the device.
        self.arrivals = Some(Vec::new());
        Ok(())
    }
}

/// Devices that share the members of explorations.
pub(super) struct Devices<M> {
    /// `None` in the place of a device that is lost.
    all: Vec<Option<Device<M>>>,
    /// Losses of devices so far.
    pub(super) notes: Vec<DeviceNote>,
}

impl<M: DeviceRuntime> Devices<M> {
    /// Copies an instance to devices, given with their names, with room for `members` neighbourhoods at once on each, or fewer
    /// if memory is short. There is none if an order has no neighbours.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Device`] if a device cannot hold the instance.
    pub(super) fn new(
        instance: &Instance, objectives: &Objectives, what: (Neighbours, Purpose), members: usize,
        runtimes: Vec<(String, M)>, tuning: Tuning,
    ) -> Result<Self> {
        let mut devices = Self { all: Vec::new(), notes: Vec::new() };
        if instance.job_count() < 2 {
            return Ok(devices);
        }
        let releases: Vec<u32> = instance.jobs.iter().map(|job| job.release).collect();
        let dues: Vec<u32> = instance.jobs.iter().map(|job| job.due.unwrap_or(u32::MAX)).collect();
        let machines = instance.machine_count() as u32;
        let shop = front::Shop { machines, times: &instance.times, releases: &releases, dues: &dues };
        // The index of an objective in a list of values is its discriminant, here and in the kernels.
        let list: Vec<u8> = objectives.as_slice().iter().map(|&objective: &Objective| objective as u8).collect();
        let members = u32::try_from(members).unwrap_or(u32::MAX);
        let mut lost = Vec::new();
        for (id, mut runtime) in runtimes {
            let share = u64::from(runtime.limits()?.multiprocessors.max(1));
            match front::Explorer::new(&mut runtime, &shop, what, &list, members, tuning) {
                Ok(explorer) => devices.all.push(Some(Device { id, share, runtime, explorer, arrivals: None })),
                Err(error) if error.is_loss() => lost.push((id, error)),
                Err(error) => return Err(error.into()),
            }
        }
        for (id, error) in lost {
            if devices.is_empty() {
                return Err(error.into());
            }
            devices.note_loss(id, error);
        }
        Ok(devices)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.present().next().is_none()
    }

    /// Returns what the devices have computed; if the last of them is lost, `on_cpu` computes it, and the CPU continues from
    /// `number`, which counts `unit`, such as `step`.
    pub(super) fn or_on_cpu<T>(
        &mut self, computed: std::result::Result<T, CudaError>, (unit, number): (&str, u64), on_cpu: impl FnOnce() -> T,
    ) -> T {
        computed.unwrap_or_else(|why| {
            self.all.clear();
            self.notes.push(DeviceNote::cpu_continued(&why, unit, number));
            on_cpu()
        })
    }

    /// The devices that are left, with their numbers.
    pub(super) fn present(&self) -> impl Iterator<Item = (usize, &Device<M>)> {
        self.all.iter().enumerate().filter_map(|(number, device)| Some((number, device.as_ref()?)))
    }

    /// The first device that is left.
    pub(super) fn first_mut(&mut self) -> Option<&mut Device<M>> {
        self.all.iter_mut().flatten().next()
    }

    /// Takes down which points have arrived in the archive; `None` if it is another archive than before.
    pub(super) fn arrived(&mut self, points: Option<&[Point]>) {
        for device in self.all.iter_mut().flatten() {
            match (points, &mut device.arrivals) {
                (Some(points), Some(all)) => all.extend_from_slice(points),
                (None, arrivals) => *arrivals = None,
                // Nothing has been sent to the device yet.
                (Some(_), None) => {}
            }
        }
    }

    /// Largest number of members of a launch of all devices; at least one.
    pub(super) fn side_by_side(&self) -> usize {
        self.largest(|explorer| explorer.side_by_side())
    }

    /// Largest number of members of an exploration of all devices; at least one.
    pub(super) fn capacity(&self) -> usize {
        self.largest(|explorer| explorer.capacity())
    }

    /// Largest number of members of which each device gets at most as many as `of` says.
    fn largest(&self, of: impl Fn(&front::Explorer) -> usize) -> usize {
        let all = self.shares();
        let most = |device: &Device<M>| of(&device.explorer) as u128 * u128::from(all) / u128::from(device.share);
        let most = self.present().map(|(_, device)| most(device)).min().unwrap_or(1);
        usize::try_from(most).unwrap_or(usize::MAX).max(1)
    }

    fn shares(&self) -> u64 {
        self.present().map(|(_, device)| device.share).sum()
    }

    /// Divides `count` members: the numbers of the devices that have a part, with the members of each.
    pub(super) fn divide(&self, count: usize) -> Vec<(usize, Range<usize>)> {
        let all = u128::from(self.shares().max(1));
        let (mut before, mut from) = (0, 0);
        let mut parts = Vec::new();
        for (number, device) in self.present() {
            before += u128::from(device.share);
            let until = (count as u128 * before / all) as usize;
            if until > from {
                parts.push((number, from..until));
            }
            from = until;
        }
        parts
    }

    /// Calls a device. Returns `None` if it is lost while others are left, which then have its members to explore.
    ///
    /// # Errors
    /// The error of the last device that was left, and errors other than that a device is lost.
    pub(super) fn on<T>(
        &mut self, number: usize, call: impl FnOnce(&mut Device<M>) -> std::result::Result<T, CudaError>,
    ) -> std::result::Result<Option<T>, CudaError> {
        let Some(device) = self.all.get_mut(number).and_then(Option::as_mut) else { return Ok(None) };
        let error = match call(device) {
            Ok(answer) => return Ok(Some(answer)),
            Err(error) => error,
        };
        if !error.is_loss() || self.present().count() < 2 {
            return Err(error);
        }
        if let Some(lost) = self.all[number].take() {
            self.note_loss(lost.id, error);
        }
        Ok(None)
    }

    fn note_loss(&mut self, device: String, why: CudaError) {
        let others = self.present().map(|(_, device)| device.id.clone()).collect();
        self.notes.push(Loss { device, why, others }.into());
    }
}
