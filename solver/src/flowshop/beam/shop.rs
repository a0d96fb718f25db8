//! An instance as beams read it.

use crate::flowshop::{Instance, Objective};

/// Jobs that are looked at side by side.
pub(super) const LANES: usize = 16;

/// Processing times, [`LANES`] jobs side by side.
#[derive(Debug, Clone)]
pub struct Shop {
    objective: Objective,
    jobs: usize,
    machines: usize,
    mean: f64,
    /// Those of block b on machine i at b·machines + i; jobs that there are not take no time.
    times: Vec<[i32; LANES]>,
}

impl Shop {
    /// What beams need of an instance.
    ///
    /// # Errors
    /// Why there cannot be any.
    pub fn of(instance: &Instance, objective: Objective) -> Result<Self, String> {
        let (jobs, machines) = (instance.job_count(), instance.machine_count());
        if !matches!(objective, Objective::Makespan | Objective::FlowTime) {
            return Err(format!("beam search minimises the makespan or the flow time, not {objective}"));
        }
        if jobs == 0 || machines == 0 {
            return Err("there are no jobs".to_owned());
        }
        if instance.jobs.iter().any(|job| job.release > 0) {
            return Err("beam search does not know jobs that are released later".to_owned());
        }
        let total: u64 = instance.times.iter().map(|&time| u64::from(time)).sum();
        // What all machines wait together is counted, too.
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

    /// What is minimised.
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

    /// Blocks of [`LANES`] jobs.
    pub(super) fn blocks(&self) -> usize {
        self.jobs.div_ceil(LANES)
    }

    /// Times of the jobs of a block, by machine.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> &[[i32; LANES]] {
        &self.times[block * self.machines..][..self.machines]
    }

    /// How long a job takes on a machine.
    #[inline(always)]
    pub(super) fn time(&self, job: usize, machine: usize) -> i32 {
        self.times[job / LANES * self.machines + machine][job % LANES]
    }

    /// What a machine that always waits counts at emphasis 1 before a job is placed, in time.
    pub(super) fn unit(&self) -> f64 {
        let ratio = self.machines as f64 / self.jobs as f64;
        75.0 * self.mean * ratio * ratio
    }
}
