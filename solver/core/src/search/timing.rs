//! Timing of repeated calls in benchmarks.

use std::time::Instant;

use crate::Result;

/// Mean seconds of a call, measured over at least `least` seconds after one warm-up call.
///
/// # Errors
/// The first error of `call`.
pub fn mean_seconds(least: f64, mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    call()?;
    let (began, mut calls) = (Instant::now(), 0_u32);
    loop {
        call()?;
        calls += 1;
        let seconds = began.elapsed().as_secs_f64();
        if seconds >= least {
            return Ok(seconds / f64::from(calls));
        }
    }
}
