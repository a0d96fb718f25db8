//! Results that no search brought to its end: solutions made by hand.

use std::time::{SystemTime, UNIX_EPOCH};

use super::driver::Plan;
use super::run::{Judgement, Settings, UNFINISHED};
use super::{Algorithms, Budget, CurvePoint, Progress, StopReason};
use crate::backend;
use crate::result::{FORMAT, InstanceReference, RunResult};

/// Name of the algorithm of a solution that a person made.
pub const BY_HAND: &str = "hand";

/// Result of a solution that was judged at a moment of a run on the CPU; it cannot be replayed.
pub fn partial_result<S, A: Algorithms, G>(
    judgement: Judgement, problem: &str, instance: InstanceReference, settings: &Settings<A, G>,
    progress: &Progress<S>, curve: Vec<CurvePoint>, stop_reason: StopReason,
) -> RunResult {
    let Judgement { solution, verdict, mut notes, demands, front } = judgement;
    let Settings { algorithm, threads, seed, stop, .. } = settings;
    let mut plan = Plan { epoch: 1, target: stop.target, stall: stop.stall, ..Plan::default() };
    match stop.budget {
        Budget::Steps(steps) => plan.steps = Some(steps),
        Budget::Evaluations(count) => plan.evaluations = Some(count),
        Budget::Seconds(seconds) => plan.seconds = Some(seconds),
    }
    notes.push(UNFINISHED.to_owned());
    RunResult {
        format: FORMAT,
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
        seconds: progress.seconds,
        generations: progress.snapshot.step,
        evaluations: progress.snapshot.evaluations,
        curve,
        improvements: Vec::new(),
        digests: Vec::new(),
        solution,
        verdict,
        notes,
        device_notes: Vec::new(),
        demands,
        front,
    }
}
