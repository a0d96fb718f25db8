//! Benchmarks: rates of evaluation, and shares of time in searches for fronts.

pub(crate) mod insertion;
pub mod neighbourhoods;
pub mod tables;
pub mod wavefront;
