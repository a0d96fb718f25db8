//! One solve of a flow shop: one objective by [`greedy`], several by [`front`].

mod algorithm;
mod front;
mod greedy;
pub mod holding;
mod memory;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::check::check;
use super::multiobjective::{Front, Goal};
use super::stored::{self, Demands};
use super::{Instance, Objective, Order};
use gridwright_core::replay::{self, ReplayReport};
use gridwright_core::result::RunResult;
use gridwright_core::search::run::{self, Subject};
use gridwright_core::search::{Algorithms, Environment, Improvement, Progress, SearchOutcome, StopReason};
use gridwright_core::{Error, Result};

use front::FrontTask;
use greedy::GreedyTask;

pub use algorithm::Algorithm;
pub use memory::memory_need;

/// Everything that a run depends on beside the instance; `goal` is one objective, or several at once.
pub type Settings = run::Settings<Algorithm, Goal>;

/// Observer of a run; see [`run::Observer`].
type Observer<'a> = run::Observer<'a, Order>;

/// Observer of a search for a front; see [`run::Observer`].
type FrontObserver<'a> = run::Observer<'a, Front>;

/// Operations of a schedule that an epoch computes, roughly: some 40 ms.
const EPOCH_OPERATIONS: u64 = 1 << 25;

/// Rounds of local search that a step does, roughly.
const ROUNDS: u64 = 6;

/// Solves an instance; see [`run::solve`]. Of a front the observer is shown the member that is the best compromise
/// ([`solve_front`] shows the whole front).
///
/// # Errors
/// As [`run::solve`].
pub fn solve<'a>(
    instance: &Instance, settings: &Settings, environment: impl Into<Environment<'a>>, observer: &mut Observer<'_>,
) -> Result<RunResult> {
    if let Goal::Front(_) = settings.goal {
        return solve_front(instance, settings, environment, &mut |progress| observer(&compromise(progress)));
    }
    improve(instance, settings, None, environment, observer)
}

/// Solves an instance for one objective, beginning with an order of all jobs where one is given; the result names the order.
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] if the order is not one of all jobs, or the goal has several objectives.
pub fn improve<'a>(
    instance: &Instance, settings: &Settings, start: Option<&[u16]>, environment: impl Into<Environment<'a>>,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    // An order by hand may stand against a rule; the search begins with the nearest one that does not.
    let repaired = start.map(|start| instance.rules.repaired(instance, start));
    let start = repaired.as_deref();
    if let Some(violation) = start.and_then(|start| check(instance, start).violations.into_iter().next()) {
        let text = violation.text;
        return Err(Error::Usage(format!("the order to begin with is not one of all jobs: {text}")));
    }
    let task = GreedyTask::new(instance, &settings.algorithm, settings.goal, start)?;
    run::solve(&task, settings, environment.into(), observer)
}

/// Solves an instance for several objectives; the observer is shown the whole front.
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] if the goal is one objective.
pub(crate) fn solve_front<'a>(
    instance: &Instance, settings: &Settings, environment: impl Into<Environment<'a>>, observer: &mut FrontObserver<'_>,
) -> Result<RunResult> {
    let task = FrontTask::new(instance, settings.algorithm.clone(), settings.goal)?;
    run::solve(&task, settings, environment.into(), observer)
}

/// Returns the progress of the member that is the best compromise.
fn compromise(progress: &Progress<Front>) -> Progress<Order> {
    progress.map(|front| Order(front.compromise().map(|order| order.to_vec()).unwrap_or_default()))
}

/// Runs a result again, on `backend` with `threads` threads (0: all); see [`run::replay`].
///
/// # Errors
/// As [`run::replay`]; [`Error::Usage`] if the result belongs to another instance.
pub fn replay<'a>(
    instance: &Instance, result: &RunResult, backend: &str, threads: usize, environment: impl Into<Environment<'a>>,
    observer: &mut Observer<'_>,
) -> Result<ReplayReport> {
    replay::check_data(result, &instance.name, &instance.hash)?;
    let instance = &with_rules_of(instance, Some(result))?;
    let (goal, devices, environment) = (goal_of(result)?, (backend, threads), environment.into());
    let algorithm = Algorithm::of_result(&result.algorithm, &result.parameters)?;
    // Older results of few jobs, and those that were cancelled, are not proven: their runs ended without comparing all orders.
    let is_proven = result.stop_reason == StopReason::Proven;
    match goal {
        Goal::One(_) => {
            let start = start_of(instance, result)?;
            let mut task = GreedyTask::new(instance, &algorithm, goal, start.as_deref())?;
            task.compares_all &= is_proven;
            run::replay(&task, result, devices, environment, observer)
        }
        Goal::Front(_) => {
            let mut task = FrontTask::new(instance, algorithm, goal)?;
            task.compares_all &= is_proven;
            run::replay(&task, result, devices, environment, &mut |progress| observer(&compromise(progress)))
        }
    }
}

/// The instance with the rules for the order under which a result was found, or with its own without a result.
///
/// # Errors
/// [`Error::Usage`] if the rules contradict each other or the instance.
pub fn with_rules_of(instance: &Instance, result: Option<&RunResult>) -> Result<Instance> {
    let mut instance = instance.clone();
    if let Some(result) = result {
        instance.rules = stored::rules_of(&instance, result.demands.as_ref());
        instance.rules.check(&instance)?;
    }
    Ok(instance)
}

/// Starting order of the run of a result.
fn start_of(instance: &Instance, result: &RunResult) -> Result<Option<Vec<u16>>> {
    let Some(Demands::FlowShop { start, .. }) = result.demands.as_ref().and_then(|demands| demands.decode()) else {
        return Ok(None);
    };
    if start.is_empty() {
        return Ok(None);
    }
    match stored::indices(instance, &start).ok().filter(|order| check(instance, order).feasible) {
        Some(order) => Ok(Some(order)),
        None => {
            let name = &instance.name;
            let what = format!("the result began with an order that is none of all jobs of {name}; use the original");
            Err(Error::Usage(what))
        }
    }
}

/// Goal of the run of a result.
///
/// # Errors
/// [`Error::Usage`] if the result names an unknown objective.
pub fn goal_of(result: &RunResult) -> Result<Goal> {
    result.instance.options.get("objective").map_or(Ok(Goal::One(Objective::Makespan)), |name| name.parse())
}

fn subject<'a>(instance: &'a Instance, goal: Goal, algorithm: &'static str) -> Subject<'a> {
    let options = BTreeMap::from([("objective".to_owned(), goal.to_string())]);
    Subject { problem: "flowshop", name: &instance.name, hash: &instance.hash, options, algorithm }
}

/// Returns `true` if the run came to its end: it neither failed nor was stopped before.
fn is_complete(reason: &StopReason) -> bool {
    !matches!(reason, StopReason::Cancelled | StopReason::Failed(_) | StopReason::Interrupted)
}

/// Replaces the best solution at the end of a search by a better one that took no further step.
fn replace_best<S>(outcome: &mut SearchOutcome<S>, best: Arc<S>, cost: f64) {
    let Some(last) = &mut outcome.last else { return };
    (last.best, last.best_cost) = (best, cost);
    if let Some(point) = outcome.curve.last_mut() {
        point.best = cost;
    }
    if outcome.improvements.last().is_none_or(|before| cost < before.cost) {
        let (step, evaluations, seconds) = (last.step, last.evaluations, outcome.seconds);
        outcome.improvements.push(Improvement { step, evaluations, seconds, cost, exact: false });
    }
}

/// Steps of an epoch if a step takes about this many operations.
fn epoch(operations: u64) -> u32 {
    (EPOCH_OPERATIONS / operations.max(1)).clamp(1, 4_096) as u32
}

/// Operations of a round of local search over all positions of all jobs.
fn round(instance: &Instance) -> u64 {
    let (jobs, machines) = (instance.job_count() as u64, instance.machine_count() as u64);
    jobs * jobs * machines
}
