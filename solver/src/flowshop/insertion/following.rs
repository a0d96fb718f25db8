//! What is needed to compute an order again from many positions on, side by side: sums in as many bits as they need, and the jobs
//! that follow, position by position.

use super::{LANES, Problem, TARDY};
use crate::flowshop::{Instance, Objective};

/// Positions from which on the order is computed again side by side: twice as many, so that one half does not wait for the other.
pub(super) const FOLLOWED: usize = 2 * LANES;

/// What no sum over the jobs of an order exceeds: one job after the other, each alone on all machines.
pub(super) fn most_of_a_sum(instance: &Instance) -> u128 {
    let work: u128 = instance.times.iter().map(|&time| u128::from(time)).sum();
    let release = instance.jobs.iter().map(|job| job.release).max().unwrap_or(0);
    (work + u128::from(release)) * instance.jobs.len() as u128
}

/// A sum over the jobs of an order, in as many bits as it needs.
pub(super) trait Sum: Copy + PartialOrd {
    /// More than any sum, and what is added to it still fits.
    const MOST: Self;
    fn of(cost: u64) -> Self;
    fn value(self) -> u64;
    /// With a further job that counts, or with one that does not: all bits of `counts` are 1, or 0. That is never late.
    fn with(self, objective: Objective, done: u32, due: u32, counts: u32) -> Self;
}

impl Sum for u64 {
    const MOST: Self = u64::MAX / 2;

    #[inline(always)]
    fn of(cost: u64) -> Self {
        cost
    }

    #[inline(always)]
    fn value(self) -> u64 {
        self
    }

    #[inline(always)]
    fn with(self, objective: Objective, done: u32, due: u32, counts: u32) -> Self {
        let late = u64::from(done.saturating_sub(due));
        match objective {
            Objective::Makespan => u64::from(done),
            Objective::FlowTime => self + u64::from(done & counts),
            Objective::Tardiness => self + late,
            Objective::Tardy => self + late + if late > 0 { TARDY } else { 0 },
        }
    }
}

/// Of a [`Problem`] that is narrow.
impl Sum for u32 {
    const MOST: Self = u32::MAX / 2;

    #[inline(always)]
    fn of(cost: u64) -> Self {
        cost as u32
    }

    #[inline(always)]
    fn value(self) -> u64 {
        self.into()
    }

    #[inline(always)]
    fn with(self, objective: Objective, done: u32, due: u32, counts: u32) -> Self {
        match objective {
            Objective::Makespan => done,
            Objective::FlowTime => self + (done & counts),
            Objective::Tardiness | Objective::Tardy => self + done.saturating_sub(due),
        }
    }
}

/// What the jobs of an order need, position by position, so that lanes that are a position apart read what lies side by side. Behind the
/// last position are some that take no time and do not count.
#[derive(Debug, Clone)]
pub(super) struct Behind {
    /// Positions there is room for.
    pub(super) stride: usize,
    /// Processing times, machines × positions.
    pub(super) times: Vec<u32>,
    pub(super) release: Vec<u32>,
    pub(super) due: Vec<u32>,
    /// All bits 1 where there is a job.
    pub(super) counts: Vec<u32>,
}

impl Behind {
    pub(super) fn new(problem: &Problem) -> Self {
        let stride = if problem.accelerated { 0 } else { problem.jobs() + 2 * FOLLOWED };
        let [release, due, counts] = [0, u32::MAX, 0].map(|value| vec![value; stride]);
        Self { stride, times: vec![0; stride * problem.machines], release, due, counts }
    }

    #[inline(always)]
    pub(super) fn fill(&mut self, problem: &Problem, order: &[u16]) {
        let (length, end) = (order.len(), order.len() + FOLLOWED);
        for (position, &job) in order.iter().enumerate() {
            for (times, &time) in self.times.chunks_exact_mut(self.stride).zip(problem.row(job)) {
                times[position] = time;
            }
            self.release[position] = problem.release[usize::from(job)];
            self.due[position] = problem.due[usize::from(job)];
        }
        self.counts[..length].fill(u32::MAX);
        for times in self.times.chunks_exact_mut(self.stride) {
            times[length..end].fill(0);
        }
        self.release[length..end].fill(0);
        self.due[length..end].fill(u32::MAX);
        self.counts[length..end].fill(0);
    }
}

/// What lies side by side from a position on.
#[inline(always)]
pub(super) fn lanes(values: &[u32], position: usize) -> [u32; FOLLOWED] {
    let mut lanes = [0; FOLLOWED];
    lanes.copy_from_slice(&values[position..position + FOLLOWED]);
    lanes
}

/// What is read of two blocks of [`LANES`].
#[inline(always)]
pub(super) fn joined(near: &[u32; LANES], far: &[u32; LANES]) -> [u32; FOLLOWED] {
    let mut lanes = [0; FOLLOWED];
    lanes[..LANES].copy_from_slice(near);
    lanes[LANES..].copy_from_slice(far);
    lanes
}
