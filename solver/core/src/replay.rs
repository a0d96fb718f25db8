//! Running a result again and comparing the digest of every epoch.

use serde::Serialize;

use crate::result::RunResult;
use crate::search::driver::Plan;
use crate::search::{Control, StopReason};
use crate::{Error, Result};

/// Outcome of a replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayReport {
    /// Epochs compared.
    pub epochs: usize,
    /// The first epoch, counted from 0, whose digest differs.
    pub first_difference: Option<usize>,
    /// True if the costs are equal.
    pub cost_equal: bool,
    /// Duration of the replay in seconds.
    pub seconds: f64,
}

impl ReplayReport {
    /// Compares a result with that of its replay, which took `seconds`.
    pub fn of(result: &RunResult, again: &RunResult, seconds: f64) -> Self {
        let pairs = result.digests.iter().zip(&again.digests);
        let differs = pairs.enumerate().find(|(_, (then, now))| then != now).map(|(epoch, _)| epoch);
        let (then, now) = (result.digests.len(), again.digests.len());
        Self {
            epochs: now,
            first_difference: differs.or((then != now).then_some(then.min(now))),
            cost_equal: again.verdict.cost == result.verdict.cost
                && again.solution == result.solution
                && again.front == result.front,
            seconds,
        }
    }

    /// Returns `true` if the run was repeated to the bit.
    pub fn is_equal(&self) -> bool {
        self.first_difference.is_none() && self.cost_equal
    }
}

/// Plan of the replay of a result: exactly as many steps as were recorded, without other stopping criteria.
pub fn plan_of(result: &RunResult) -> Plan {
    Plan { steps: Some(result.generations), seconds: None, target: None, stall: None, ..result.plan.clone() }
}

/// Checks that a result belongs to the data of the instance with this name and hash.
///
/// # Errors
/// [`Error::Usage`] if the data have changed since, or nothing was searched.
pub fn check_data(result: &RunResult, name: &str, hash: &str) -> Result<()> {
    if result.stop_reason == StopReason::ByHand {
        let what = "this was made by hand, nothing was searched: there is nothing to run again; verify it instead";
        return Err(Error::Usage(what.to_owned()));
    }
    if result.instance.hash.is_empty() || result.instance.hash == hash {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "the result was found for other data than {name}: the files have changed since; solve again, or name the \
         original files with --instance"
    )))
}

/// Checks that a run got as far as its first solution, from which a replay begins.
///
/// # Errors
/// [`Error::Usage`] if it did not, or ended with the program.
pub fn check_searched(result: &RunResult) -> Result<()> {
    if result.digests.is_empty() {
        let what =
            "the run has no digests, because it did not come to its end: there is nothing to compare; solve again";
        return Err(Error::Usage(what.to_owned()));
    }
    Ok(())
}

/// Checks that a number in the result, called `name`, is there and not 0, as it must be once a run has resolved it.
///
/// # Errors
/// [`Error::Usage`] with the name if it is 0.
pub fn check_resolved(name: &str, value: u32) -> Result<()> {
    if value == 0 {
        return Err(Error::Usage(format!(
            "the result does not say its {name}, or says 0; it was damaged or changed by hand, use the original"
        )));
    }
    Ok(())
}

/// Checks that the replay was not stopped.
///
/// # Errors
/// [`Error::Usage`] if it was cancelled.
pub fn check_whole(control: &Control) -> Result<()> {
    if control.is_cancelled() {
        return Err(Error::Usage("the replay was stopped before its end; nothing can be said".to_owned()));
    }
    Ok(())
}
