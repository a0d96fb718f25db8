//! A result from what is known of a run that did not come to its own end.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use gridwright_solver::backend;
use gridwright_solver::result::{Encoded, InstanceReference, RunResult, Verdict};
use gridwright_solver::search::driver::Plan;
use gridwright_solver::search::{Budget, Stop, StopReason, Value};

use crate::session::Kept;

/// Parts of such a result that depend on the problem.
pub struct Unfinished<'a> {
    /// The problem's name in files.
    pub problem: &'static str,
    /// The instance.
    pub instance: InstanceReference,
    /// Name of the algorithm in files.
    pub algorithm: &'a str,
    /// Parameters by name.
    pub parameters: BTreeMap<String, Value>,
    /// Where chance began.
    pub seed: u64,
    /// Threads that were asked for; 0: all of the machine.
    pub threads: usize,
    /// When it was to end.
    pub stop: &'a Stop,
    /// The best so far.
    pub solution: Encoded,
    /// Verdict of the checker.
    pub verdict: Verdict,
}

impl Unfinished<'_> {
    /// The result; it has no demands and no front, and cannot be replayed.
    pub fn result<S>(self, kept: &Kept<S>, stop_reason: StopReason) -> RunResult {
        let (steps, seconds) = match self.stop.budget {
            Budget::Steps(steps) => (Some(steps), None),
            Budget::Seconds(seconds) => (None, Some(seconds)),
        };
        let snapshot = &kept.progress.snapshot;
        RunResult {
            format: gridwright_solver::result::FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            problem: self.problem.to_owned(),
            instance: self.instance,
            algorithm: self.algorithm.to_owned(),
            parameters: self.parameters,
            seed: self.seed,
            backend: "cpu".to_owned(),
            device: "CPU".to_owned(),
            threads: if self.threads == 0 { backend::available_threads() } else { self.threads },
            plan: Plan {
                steps,
                epoch: 1,
                stages: Vec::new(),
                seconds,
                target: self.stop.target,
                stall: self.stop.stall,
            },
            time_limit: seconds,
            stop_reason,
            finished_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64),
            seconds: kept.progress.seconds,
            generations: snapshot.step,
            evaluations: snapshot.evaluations,
            curve: kept.curve.clone(),
            digests: Vec::new(),
            solution: self.solution,
            verdict: self.verdict,
            notes: vec!["the run did not come to its end; it cannot be replayed".to_owned()],
            demands: None,
            front: None,
        }
    }
}
