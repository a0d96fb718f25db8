//! Jobs that have started: they stand first in every order, and only what remains of their work is planned.
//!
//! Time 0 of a plan is now. A job has started if it has a start, a progress above 0, or remaining work. Such jobs are ordered by their
//! starts, those without a start first, then by falling progress, then as in the table. The work that is done belongs to the first machines
//! of the job: with W_j the work of job j and progress f per cent, ⌊W_j · f / 100⌋, or W_j minus the remaining work. An operation with some
//! work done goes on without a set-up; a machine that is done with a job is set up for it.

use std::sync::Arc;

use gridwright_core::text::lines::quoted;

use super::Instance;

/// Progress of a job when the plan starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Start of the job in time units from the start of the plan; `None` if it is not stated.
    pub started: Option<u32>,
    /// Part of the work that is done, in per cent.
    pub percent: Option<u32>,
    /// Work that remains on all machines together, in time units.
    pub remaining: Option<u32>,
}

impl Progress {
    /// Returns `true` if the job has started.
    pub fn has_begun(&self) -> bool {
        self.started.is_some() || self.percent.is_some_and(|percent| percent > 0) || self.remaining.is_some()
    }
}

/// Jobs that have started, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrozenJobs {
    /// Job indices, which stand first in every order.
    pub order: Arc<[u16]>,
    /// Work that is done, row-major, jobs × machines; empty if none is.
    pub done: Arc<[u32]>,
}

impl FrozenJobs {
    /// Work of a job that is done on a machine.
    pub(crate) fn done(&self, index: usize) -> u32 {
        self.done.get(index).copied().unwrap_or(0)
    }
}

/// Takes the work that is done from the processing times of an instance, whose jobs' progress is new.
///
/// # Errors
/// A sentence about a job whose progress contradicts itself, or that is complete.
pub(crate) fn freeze(instance: &mut Instance) -> Result<(), String> {
    restore(instance);
    let machines = instance.machines.len();
    let mut order: Vec<usize> =
        (0..instance.jobs.len()).filter(|&job| instance.jobs[job].progress.has_begun()).collect();
    if order.is_empty() || instance.times.len() != instance.jobs.len() * machines {
        return Ok(());
    }
    let mut all_done = vec![0; instance.times.len()];
    let mut shares = vec![0; instance.jobs.len()];
    let mut skips = instance.skips.to_vec();
    skips.resize(instance.times.len(), false);
    for &job in &order {
        let (name, progress) = (quoted(&instance.jobs[job].name), instance.jobs[job].progress);
        let cells = job * machines..(job + 1) * machines;
        let work: u64 = instance.times[cells.clone()].iter().map(|&time| u64::from(time)).sum();
        let done = match (progress.percent, progress.remaining.map(u64::from)) {
            (Some(_), Some(_)) => {
                return Err(format!("job {name} has a progress and remaining work; keep one of both"));
            }
            (_, Some(left)) if left > work => {
                return Err(format!(
                    "{left} of the work of job {name} remain, which takes {work} in all; correct one of both"
                ));
            }
            (_, Some(left)) => work - left,
            (percent, None) => work * u64::from(percent.unwrap_or(0).min(100)) / 100,
        };
        if done >= work {
            return Err(format!("job {name} is complete; delete it, or correct its progress"));
        }
        shares[job] = done * 1_000_000 / work;
        let mut left = done as u32;
        for cell in cells {
            let here = left.min(instance.times[cell]);
            left -= here;
            all_done[cell] = here;
            instance.times[cell] -= here;
            skips[cell] |= here > 0 && instance.times[cell] == 0;
        }
        // A job that has started is released.
        instance.jobs[job].release = progress.started.unwrap_or(0);
    }
    order.sort_by_key(|&job| {
        let started = instance.jobs[job].progress.started.unwrap_or(0);
        (started, std::cmp::Reverse(shares[job]), job)
    });
    let order: Vec<u16> = order.into_iter().map(|job| job as u16).collect();
    instance.frozen = FrozenJobs { order: order.into(), done: all_done.into() };
    instance.skips = skips.into();
    Ok(())
}

/// Gives all operations their whole processing times again.
fn restore(instance: &mut Instance) {
    let frozen = std::mem::take(&mut instance.frozen);
    if frozen.done.len() != instance.times.len() {
        return;
    }
    let mut skips = instance.skips.to_vec();
    for (cell, &done) in frozen.done.iter().enumerate() {
        instance.times[cell] += done;
        if let Some(skips) = skips.get_mut(cell).filter(|_| done > 0) {
            *skips = false;
        }
    }
    instance.skips = skips.into();
}

/// Job that each machine is set up for when the plan starts: the last started job that it is done with; `None` if there is none.
pub(crate) fn set_up_for(instance: &Instance) -> Vec<Option<u16>> {
    let machines = instance.machines.len();
    let is_complete = |job: u16, machine: usize| {
        let cell = usize::from(job) * machines + machine;
        instance.frozen.done(cell) > 0 && instance.times[cell] == 0
    };
    let of = |machine: usize| instance.frozen.order.iter().copied().rfind(|&job| is_complete(job, machine));
    (0..machines).map(of).collect()
}

/// Puts the jobs that have started first, in their order.
pub fn first(instance: &Instance, order: &[u16]) -> Vec<u16> {
    let frozen = &instance.frozen.order;
    let others = order.iter().copied().filter(|job| !frozen.contains(job));
    frozen.iter().copied().chain(others).collect()
}
