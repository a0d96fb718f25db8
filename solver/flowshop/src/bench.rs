//! Benchmarks: rates of evaluation, and shares of time in searches for fronts.

pub(crate) mod features;
pub(crate) mod holding;
pub(crate) mod insertion;
pub mod neighbourhoods;
pub mod tables;
pub mod wavefront;

use gridwright_core::Error;

use crate::Instance;

/// «20 × 5»: jobs × machines.
fn size(instance: &Instance) -> String {
    format!("{} × {}", instance.job_count(), instance.machine_count())
}

/// Numbers of threads to measure: one, and all `threads`.
fn thread_counts(threads: usize) -> Vec<usize> {
    let mut counts = vec![1, threads];
    counts.dedup();
    counts
}

/// Error of computations that differ although they must not.
fn fault(instance: &Instance, what: &str) -> Error {
    Error::Search(format!("{}: {what}; this is a fault of the program", instance.name))
}
