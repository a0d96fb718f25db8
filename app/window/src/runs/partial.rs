//! The result of a run that did not come to its own end.

use std::time::{SystemTime, UNIX_EPOCH};

use gridwright_core::backend;
use gridwright_core::result::{InstanceReference, RunResult};
use gridwright_core::search::driver::Plan;
use gridwright_core::search::run::{Judgement, Settings, UNFINISHED};
use gridwright_core::search::{Algorithms, Budget, StopReason};

use crate::session::Checkpoint;

/// Name of the algorithm of a solution that a person made.
pub const BY_HAND: &str = "hand";

/// Result of a run that broke off at a checkpoint, where its best solution was judged; it cannot be replayed.
pub fn partial_result<S, A: Algorithms, G>(
    judgement: Judgement, problem: &str, instance: InstanceReference, settings: &Settings<A, G>,
    checkpoint: &Checkpoint<S>, stop_reason: StopReason,
) -> RunResult {
    let Judgement { solution, verdict, mut notes, demands, front } = judgement;
    let Settings { algorithm, threads, seed, stop, .. } = settings;
    let mut plan = Plan { epoch: 1, target: stop.target, stall: stop.stall, ..Plan::default() };
    match stop.budget {
        Budget::Steps(steps) => plan.steps = Some(steps),
        Budget::Evaluations(count) => plan.evaluations = Some(count),
        Budget::Seconds(seconds) => plan.seconds = Some(seconds),
    }
    let snapshot = &checkpoint.progress.snapshot;
    notes.push(UNFINISHED.to_owned());
    RunResult {
        format: gridwright_core::result::FORMAT,
        program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
        problem: problem.to_owned(),
        instance,
        algorithm: algorithm.name().to_owned(),
        parameters: algorithm.values(),
        seed: *seed,
        backend: "cpu".to_owned(),
        device: "CPU".to_owned(),
        threads: if *threads == 0 { backend::available_threads() } else { *threads },
        time_limit: plan.seconds,
        plan,
        stop_reason,
        finished_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64),
        seconds: checkpoint.progress.seconds,
        generations: snapshot.step,
        evaluations: snapshot.evaluations,
        curve: checkpoint.curve.clone(),
        digests: Vec::new(),
        solution,
        verdict,
        notes,
        demands,
        front,
    }
}
