//! A solve of a flow shop from the press of a button to the run that is listed: started, kept, checked.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use gridwright_solver::flowshop::check::check;
use gridwright_solver::flowshop::run::{self, Settings};
use gridwright_solver::flowshop::{Instance, Objective, Order as Sequence};
use gridwright_solver::result::{InstanceReference, RunResult, Solution, Verdict};
use gridwright_solver::search::driver::Plan;
use gridwright_solver::search::{Budget, Control, Progress, StopReason};
use gridwright_solver::{Result, backend};

use crate::runs::{self, Standing};
use crate::session::{Kept, Session};
use crate::store::Store;
use crate::widgets::parameters::grouped;

/// What solves; tests put another one in its place.
pub type Solver =
    Arc<dyn Fn(&Instance, &Settings, &Control, &mut dyn FnMut(&Progress<Sequence>)) -> Result<RunResult> + Send + Sync>;

/// A finished run.
pub type Run = runs::Run<Found>;

/// How a solve ended.
pub type Ended = runs::Ended<Found>;

/// What a run found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The order of the jobs, by their places in the instance.
    pub order: Arc<Sequence>,
    /// What was minimised.
    pub objective: Objective,
    /// Its value by the checker.
    pub value: u64,
}

/// What is solved.
#[derive(Debug, Clone)]
pub struct Order {
    /// The instance.
    pub instance: Arc<Instance>,
    /// Where it comes from: a path, `sample:…` or `taillard:…`.
    pub source: String,
    /// How.
    pub settings: Settings,
}

/// The name under which runs of an instance are kept.
pub fn instance_key(instance: &Instance) -> String {
    match instance.hash.as_str() {
        "" => gridwright_solver::files::hash(&[instance.name.as_bytes()]),
        hash => hash.to_owned(),
    }
}

/// The order that a result names, by the jobs' places in the instance.
fn order_of(instance: &Instance, solution: &Solution) -> std::result::Result<Vec<u16>, String> {
    let Solution::Order(names) = solution else {
        return Err(format!("it holds {}, no order of jobs", solution.noun()));
    };
    let places: HashMap<&str, u16> =
        instance.jobs.iter().zip(0..).map(|(job, place)| (job.name.as_str(), place)).collect();
    let place = |name: &String| places.get(name.as_str()).copied().ok_or_else(|| format!("there is no job “{name}”"));
    names.iter().map(place).collect()
}

/// Takes a result into the list: finds its jobs in the instance and lets the checker judge it anew.
pub fn admit(instance: &Instance, result: RunResult) -> Run {
    let objective = run::objective_of(&result);
    let (order, unknown) = match order_of(instance, &result.solution) {
        Ok(order) => (order, objective.as_ref().err().map(ToString::to_string)),
        Err(why) => (Vec::new(), Some(why)),
    };
    let objective = objective.unwrap_or(Objective::Makespan);
    let verdict = check(instance, &order);
    let value = verdict.value(objective).unwrap_or_default();
    const LISTED: usize = 12;
    let lines = || verdict.lines(LISTED).join("\n");
    let standing = Standing::of(&result.verdict, verdict.feasible, value as f64, lines, unknown);
    Run::new(result, standing, Found { order: Arc::new(Sequence(order)), objective, value })
}

impl runs::Order for Order {
    type Solution = Sequence;
    type Found = Found;

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn interrupted(&self, kept: &Kept<Sequence>, why: StopReason) -> RunResult {
        interrupted(self, kept, why)
    }

    fn admit(&self, result: RunResult) -> Run {
        admit(&self.instance, result)
    }
}

/// Starts a solve in a thread of its own.
///
/// # Errors
/// Where the system gives no thread.
pub fn start(
    order: Order,
    solver: Solver,
    store: Store,
    wake: Arc<dyn Fn() + Send + Sync>,
) -> std::io::Result<Session<Sequence, Ended>> {
    let solve = move |order: &Order, control: &Control, observer: &mut dyn FnMut(&Progress<Sequence>)| {
        solver(&order.instance, &order.settings, control, observer)
    };
    runs::start(order, solve, store, wake)
}

/// A result from what is known of a run that did not come to its own end.
pub fn interrupted(order: &Order, kept: &Kept<Sequence>, stop_reason: StopReason) -> RunResult {
    let (instance, settings) = (&order.instance, &order.settings);
    let snapshot = &kept.progress.snapshot;
    let verdict = check(instance, &snapshot.best.0);
    let value = verdict.value(settings.objective).unwrap_or_default();
    let stop = &settings.stop;
    let (steps, seconds) = match stop.budget {
        Budget::Steps(steps) => (Some(steps), None),
        Budget::Seconds(seconds) => (None, Some(seconds)),
    };
    let threads = if settings.threads == 0 { backend::available_threads() } else { settings.threads };
    let names = snapshot.best.0.iter().map(|&job| instance.jobs[usize::from(job)].name.clone());
    RunResult {
        format: gridwright_solver::result::FORMAT,
        program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
        problem: "flowshop".to_owned(),
        instance: InstanceReference {
            name: instance.name.clone(),
            source: order.source.clone(),
            hash: instance.hash.clone(),
            options: BTreeMap::from([("objective".to_owned(), settings.objective.name().to_owned())]),
        },
        algorithm: settings.algorithm.name().to_owned(),
        parameters: settings.algorithm.values(),
        seed: settings.seed,
        backend: "cpu".to_owned(),
        device: "CPU".to_owned(),
        threads,
        plan: Plan { steps, epoch: 1, legs: Vec::new(), seconds, target: stop.target, stall: stop.stall },
        time_limit: seconds,
        stop_reason,
        finished_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64),
        seconds: kept.progress.seconds,
        generations: snapshot.step,
        evaluations: snapshot.evaluations,
        curve: kept.curve.clone(),
        digests: Vec::new(),
        solution: Solution::Order(names.collect()),
        verdict: Verdict {
            feasible: verdict.feasible,
            cost: value as f64,
            cost_display: grouped(value as i64),
            confirmed: value as f64 == snapshot.best_cost,
            violations: verdict.violations,
        },
        notes: vec!["the run did not come to its end; it cannot be replayed".to_owned()],
        demands: None,
    }
}
