//! The result of a run that did not come to its own end.

use std::time::{SystemTime, UNIX_EPOCH};

use gridwright_solver::backend;
use gridwright_solver::result::{Encoded, InstanceReference, RunResult, StoredFront, Verdict};
use gridwright_solver::search::driver::Plan;
use gridwright_solver::search::run::Settings;
use gridwright_solver::search::{Algorithms, Budget, StopReason};

use crate::session::Checkpoint;

/// Name of the algorithm of a solution that a person made.
pub const BY_HAND: &str = "hand";

/// The parts of such a result that only the problem knows.
pub struct PartialResult {
    /// The best so far.
    pub solution: Encoded,
    /// Verdict of the checker.
    pub verdict: Verdict,
    /// Demands beyond the data of the instance.
    pub demands: Option<Encoded>,
    /// All solutions of a search with several objectives.
    pub front: Option<StoredFront>,
    /// Messages for the user.
    pub notes: Vec<String>,
}

impl PartialResult {
    /// A solution with its verdict and nothing else.
    pub fn new(solution: Encoded, verdict: Verdict) -> Self {
        Self { solution, verdict, demands: None, front: None, notes: Vec::new() }
    }

    /// The whole result, which cannot be replayed.
    pub fn result<S, A: Algorithms, G>(
        self,
        problem: &str,
        instance: InstanceReference,
        settings: &Settings<A, G>,
        checkpoint: &Checkpoint<S>,
        stop_reason: StopReason,
    ) -> RunResult {
        let Settings { algorithm, threads, seed, stop, .. } = settings;
        let (steps, seconds) = match stop.budget {
            Budget::Steps(steps) => (Some(steps), None),
            Budget::Seconds(seconds) => (None, Some(seconds)),
        };
        let snapshot = &checkpoint.progress.snapshot;
        let mut notes = self.notes;
        notes.push("the run did not come to its end; it cannot be replayed".to_owned());
        RunResult {
            format: gridwright_solver::result::FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            problem: problem.to_owned(),
            instance,
            algorithm: algorithm.name().to_owned(),
            parameters: algorithm.values(),
            seed: *seed,
            backend: "cpu".to_owned(),
            device: "CPU".to_owned(),
            threads: if *threads == 0 { backend::available_threads() } else { *threads },
            plan: Plan {
                steps,
                epoch: 1,
                stages: Vec::new(),
                constructed: None,
                seconds,
                target: stop.target,
                stall: stop.stall,
            },
            time_limit: seconds,
            stop_reason,
            finished_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64),
            seconds: checkpoint.progress.seconds,
            generations: snapshot.step,
            evaluations: snapshot.evaluations,
            curve: checkpoint.curve.clone(),
            digests: Vec::new(),
            solution: self.solution,
            verdict: self.verdict,
            notes,
            demands: self.demands,
            front: self.front,
        }
    }
}
