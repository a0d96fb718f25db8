//! Many runs that differ in their seeds, side by side: hit rates and when the optimum was found.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::{Instance, Search};
use gridwright_core::search::{Control, Epochs as _};
use gridwright_core::{Error, Result, backend};

/// Outcome of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BatchRun {
    /// Seed.
    pub seed: u64,
    /// Cost of the best solution.
    pub cost: f64,
    /// Iteration, counted from 1, in which a solution of this cost was first found; 0: at the start.
    pub since: u64,
    /// Iterations done.
    pub iterations: u64,
    /// Seconds of one thread, or of a device divided by the number of parallel runs.
    pub seconds: f64,
    /// The bits of the best solution, as `0` and `1`.
    pub bits: String,
}

impl BatchRun {
    /// Iteration in which a cost was first reached; `None` if it was not.
    pub fn hit(&self, target: f64) -> Option<u64> {
        (self.cost <= target).then_some(self.since)
    }
}

/// Iterations between two checks of [`Control`].
fn pace(instance: &Instance, algorithm: &Algorithm) -> u32 {
    let children = 2 * algorithm.grid(instance.bits()).cells() as u64;
    ((1_u64 << 19) / children.max(1)).clamp(1, 4_096) as u32
}

/// Runs `count` seeds from `first` on, each for all iterations or until `target` is reached. `tell` is called from any
/// thread with every run that ends and the number of runs that have ended.
///
/// Runs are returned in the order of their seeds; a cancelled batch returns those that had ended.
///
/// # Errors
/// As [`Algorithm::search`]; [`Error::Search`] if a run fails.
pub fn batch(
    instance: &Instance, algorithm: &Algorithm, [first, count]: [u64; 2], target: Option<f64>, threads: usize,
    control: &Control, tell: &(dyn Fn(&BatchRun, usize) + Sync),
) -> Result<Vec<BatchRun>> {
    let pool = backend::thread_pool(threads)?;
    let algorithm = algorithm.clone().resolved_for(instance.bits());
    let ended = AtomicUsize::new(0);
    let one = |seed: u64| -> Result<Option<BatchRun>> {
        let run = run(instance, &algorithm, seed, target, control)?;
        if let Some(run) = &run {
            tell(run, ended.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(run)
    };
    let runs: Result<Vec<Option<BatchRun>>> = pool.install(|| {
        (0..count as usize)
            .into_par_iter()
            .with_max_len(1)
            .map(|number| one(first.wrapping_add(number as u64)))
            .collect()
    });
    Ok(runs?.into_iter().flatten().collect())
}

/// One run; `None` where it was cancelled.
fn run(
    instance: &Instance, algorithm: &Algorithm, seed: u64, target: Option<f64>, control: &Control,
) -> Result<Option<BatchRun>> {
    let began = Instant::now();
    let mut search: Box<dyn Search> = algorithm.search(instance, seed, None)?;
    let (all, mut done) = (algorithm.iterations(), 0);
    while done < all {
        if let Some(target) = target
            && search.reached()?.0 <= target
        {
            break;
        }
        control.wait_while_paused();
        if control.is_cancelled() {
            return Ok(None);
        }
        let steps = u64::from(pace(instance, algorithm)).min(all - done) as u32;
        search.advance(steps)?;
        done += u64::from(steps);
    }
    let (cost, since) = search.reached()?;
    let seconds = began.elapsed().as_secs_f64();
    let bits = crate::formats::solution::text_of(&search.snapshot()?.best.bits);
    Ok(Some(BatchRun { seed, cost, since, iterations: done, seconds, bits }))
}

/// Makes sure that what runs of a batch report is what the checker says.
///
/// # Errors
/// [`Error::Search`] that names the first seed for which it is not.
pub fn confirm(instance: &Instance, runs: &[BatchRun]) -> Result<()> {
    for run in runs {
        let bits: Vec<bool> = run.bits.bytes().map(|letter| letter == b'1').collect();
        if !super::verdict(instance, &bits, run.cost).confirmed {
            let what = format!("{}: the result of seed {} does not pass the checker", instance.name, run.seed);
            return Err(Error::Search(what));
        }
    }
    Ok(())
}
