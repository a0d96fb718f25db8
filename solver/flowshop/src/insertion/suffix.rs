//! Lane-parallel recomputation of the schedule behind an inserted job: cost sums of sufficient width, and the remaining
//! jobs laid out position by position.

use crate::real_time::WorkingTime;
use crate::{Instance, Objective};

/// Positions evaluated side by side with Taillard's acceleration.
pub(crate) const LANES: usize = 8;

/// Search cost of one tardy job; the total tardiness is added to it and decides among equal numbers of tardy jobs.
pub(crate) const TARDY: u64 = 1 << 40;

/// Insertion positions evaluated side by side: two blocks of [`LANES`], whose dependency chains overlap in the
/// pipeline.
pub(super) const FOLLOWED: usize = 2 * LANES;

/// Upper bound of the sum over jobs of any order: n times the sum of all times and longest set-ups plus the latest release date, or the
/// time behind the working time `worked` at which all of that is done.
pub(super) fn most_of_a_sum(instance: &Instance, worked: Option<&WorkingTime>) -> u128 {
    let work: u128 = instance.times.iter().map(|&time| u128::from(time)).sum();
    let release = instance.jobs.iter().map(|job| job.release).max().unwrap_or(0);
    let setups = instance.setups.as_ref().map_or(0, |setups| setups.most_in_total());
    // Breaks before the last end of the working time are part of it.
    let breaks = worked.and_then(WorkingTime::last).unwrap_or(0);
    (work + u128::from(release) + u128::from(setups) + u128::from(breaks)) * instance.jobs.len() as u128
}

/// A search cost as the narrowest integer that holds it.
pub(super) trait CostSum: Copy + PartialOrd {
    /// Larger than any sum; adding one more job to it still does not overflow.
    const MOST: Self;
    fn of(cost: u64) -> Self;
    fn value(self) -> u64;
    /// Adds a job that completes at `done`. `counts` is all ones for a real job and 0 for padding, whose due date is
    /// never missed.
    fn with(self, objective: Objective, done: u32, due: u32, counts: u32) -> Self;
}

impl CostSum for u64 {
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

/// Used if `FlowShopProblem::narrow` is true; then tardy jobs are not the objective.
impl CostSum for u32 {
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

/// Processing times and dates of the remaining jobs by position, so that lanes one position apart read neighbouring
/// entries. The last position is followed by padding that takes no time and does not count.
#[derive(Debug, Clone)]
pub(super) struct SuffixTables {
    /// Number of positions per row, padding included.
    pub(super) stride: usize,
    /// Processing times, row-major, machines × positions.
    pub(super) times: Vec<u32>,
    pub(super) release: Vec<u32>,
    pub(super) due: Vec<u32>,
    /// All ones for a job, 0 for padding.
    pub(super) counts: Vec<u32>,
}

/// Entries `position..position + FOLLOWED`.
#[inline(always)]
pub(super) fn lanes(values: &[u32], position: usize) -> [u32; FOLLOWED] {
    let mut lanes = [0; FOLLOWED];
    lanes.copy_from_slice(&values[position..position + FOLLOWED]);
    lanes
}

/// Concatenates two blocks of [`LANES`].
#[inline(always)]
pub(super) fn joined(near: &[u32; LANES], far: &[u32; LANES]) -> [u32; FOLLOWED] {
    let mut lanes = [0; FOLLOWED];
    lanes[..LANES].copy_from_slice(near);
    lanes[LANES..].copy_from_slice(far);
    lanes
}
