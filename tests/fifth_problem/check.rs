//! The independent check, from the raw data alone.

use gridwright_core::result::{Verdict, Violation};

use super::instance::{Instance, Job};

/// Times of a job in a sequence, and what its delay costs.
pub struct Times<'a> {
    pub job: &'a Job,
    pub start: u64,
    /// Completion time Cⱼ.
    pub end: u64,
    /// Tardiness Tⱼ = max(0, Cⱼ − dⱼ).
    pub tardiness: u64,
    /// wⱼTⱼ.
    pub cost: u64,
}

/// Times of all jobs in the order of a sequence of known jobs.
pub fn times<'a>(instance: &'a Instance, sequence: &[usize]) -> Vec<Times<'a>> {
    let mut start = 0;
    let times = sequence.iter().map(|&job| &instance.jobs[job]).map(|job| {
        let end = start + job.time;
        let tardiness = end.saturating_sub(job.due);
        Times { job, start: std::mem::replace(&mut start, end), end, tardiness, cost: job.weight * tardiness }
    });
    times.collect()
}

/// Checks that a sequence of known jobs holds each job once, and computes its cost Σ wⱼTⱼ.
pub fn check(instance: &Instance, sequence: &[usize]) -> Verdict {
    let cost: u64 = times(instance, sequence).iter().map(|times| times.cost).sum();
    let mut counts = vec![0; instance.jobs.len()];
    sequence.iter().for_each(|&job| counts[job] += 1);
    let violation = |(job, count): (usize, usize)| {
        let name = &instance.jobs[job].name;
        let kind = if count == 0 { "missing" } else { "repeated" };
        let text = format!("job {name} stands {count} times in the sequence");
        (count != 1).then(|| Violation::new(kind.to_owned(), text))
    };
    Verdict::of(cost as f64, counts.into_iter().enumerate().filter_map(violation).collect())
}
