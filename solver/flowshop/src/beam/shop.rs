//! Instance data of beam search, blocked for SIMD.

use crate::{Instance, Objective};

/// Jobs per block.
pub(super) const LANES: usize = 16;

/// Processing times in blocks of [`LANES`] jobs, with the objective to be minimised.
#[derive(Debug, Clone)]
pub struct Shop {
    objective: Objective,
    jobs: usize,
    machines: usize,
    mean: f64,
    /// Times of block b on machine i at index b·machines + i; padding jobs take no time.
    times: Vec<[i32; LANES]>,
}

impl Shop {
    /// Converts an instance for beam search.
    ///
    /// # Errors
    /// A reason, as a clause for messages, if the objective or the instance is not supported: objectives other than
    /// makespan and flow time, release dates, set-ups, working times, no jobs, or times that overflow.
    pub fn of(instance: &Instance, objective: Objective) -> Result<Self, String> {
        let (jobs, machines) = (instance.job_count(), instance.machine_count());
        if !matches!(objective, Objective::Makespan | Objective::FlowTime) {
            return Err(format!("beam search minimises the makespan or the flow time, not {objective}"));
        }
        if jobs == 0 || machines == 0 {
            return Err("there are no jobs".to_owned());
        }
        if instance.jobs.iter().any(|job| job.release > 0) {
            return Err("beam search does not support release dates".to_owned());
        }
        if let Some(times) = instance.further_times() {
            return Err(format!("beam search does not support {times}"));
        }
        let total: u64 = instance.times.iter().map(|&time| u64::from(time)).sum();
        // The idle time of all machines together has to fit, too.
        if objective == Objective::FlowTime && total * machines as u64 > i32::MAX as u64 {
            return Err("the times are too long for beam search".to_owned());
        }
        let time = |job: usize, machine: usize| {
            if job < jobs { instance.time(job, machine) as i32 } else { 0 }
        };
        let blocks = 0..jobs.div_ceil(LANES);
        let lanes = |block: usize, machine: usize| std::array::from_fn(|lane| time(block * LANES + lane, machine));
        let times: Vec<[i32; LANES]> =
            blocks.flat_map(|block| (0..machines).map(move |machine| lanes(block, machine))).collect();
        Ok(Self { objective, jobs, machines, mean: total as f64 / (jobs * machines) as f64, times })
    }

    /// Objective to be minimised.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// Number of jobs.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Number of machines.
    pub fn machines(&self) -> usize {
        self.machines
    }

    /// Number of blocks of [`LANES`] jobs.
    pub(super) fn blocks(&self) -> usize {
        self.jobs.div_ceil(LANES)
    }

    /// Times of a block's jobs, indexed by machine.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> &[[i32; LANES]] {
        &self.times[block * self.machines..][..self.machines]
    }

    /// Processing time of a job on a machine.
    #[inline(always)]
    pub(super) fn time(&self, job: usize, machine: usize) -> i32 {
        self.times[job / LANES * self.machines + machine][job % LANES]
    }

    /// Guide weight, in time units, of a machine that idles all the time, with emphasis 1 before the first job is
    /// placed.
    pub(super) fn unit(&self) -> f64 {
        let ratio = self.machines as f64 / self.jobs as f64;
        75.0 * self.mean * ratio * ratio
    }
}
