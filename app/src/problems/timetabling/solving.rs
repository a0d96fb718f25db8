//! A solve of a timetable from the press of a button to the run that is listed: started, kept, checked.

use std::sync::Arc;

use gridwright_solver::Result;
use gridwright_solver::result::{InstanceReference, RunResult, Verdict};
use gridwright_solver::search::{Algorithms, Control, Progress, StopReason};
use gridwright_solver::timetabling::counts::TimetableStatistics;
use gridwright_solver::timetabling::run::has_price;
use gridwright_solver::timetabling::run::{Settings, demands, timetable_of, with_demands};
use gridwright_solver::timetabling::stored;
use gridwright_solver::timetabling::{Instance, Period, Timetable, check};

use crate::runs::{self, Unfinished};
use crate::session::{Kept, Session};
use crate::store::Store;
use crate::widgets::notice::Notice;

pub use crate::runs::Standing;

/// Function that solves; tests replace it.
pub type Solver = Arc<
    dyn Fn(&Instance, &Settings, &Control, &mut dyn FnMut(&Progress<Timetable>)) -> Result<RunResult> + Send + Sync,
>;

/// A finished run.
pub type Run = runs::Run<Found>;

/// Result of a solve that ended.
pub type Ended = runs::Ended<Found>;

/// Solution of a run.
#[derive(Debug, Clone)]
pub struct Found {
    /// Timetable in terms of the instance.
    pub timetable: Arc<Timetable>,
    /// Number of periods of the solve.
    pub periods: usize,
    /// Proximity cost by the checker, not divided.
    pub raw: u64,
    /// Statistics that an examination officer reads beside the cost.
    pub counts: Arc<TimetableStatistics>,
    /// Calendar by which the statistics were counted.
    pub calendar: Vec<Period>,
}

/// The name under which runs of an instance are kept.
pub fn instance_key(instance: &Instance) -> String {
    runs::instance_key(&instance.name, &instance.file_hash)
}

/// Number of periods for which a result was computed; the instance's own where the result does not say.
pub fn periods_of(result: &RunResult, instance: &Instance) -> usize {
    let stated = result.instance.options.get("periods").and_then(|text| text.parse().ok());
    stated.unwrap_or_else(|| instance.period_count())
}

/// Converts a result into a run of the list: finds its exams in the instance and checks it anew.
///
/// `instance` has the number of periods that the result was computed for.
pub fn admit(instance: &Instance, result: RunResult) -> Run {
    let (timetable, unknown) = match timetable_of(instance, &result) {
        Ok(timetable) => (timetable, None),
        Err(error) => (Timetable::unplaced(instance.exam_count()), Some(error.to_string())),
    };
    // It is judged by the rules under which it was found; what a person demands now is another matter.
    let (instance, unknown) = match with_demands(instance, &result) {
        Ok(instance) => (instance, unknown),
        Err(error) => (instance.clone(), unknown.or_else(|| Some(error.to_string()))),
    };
    let instance = &instance;
    let verdict = check::check(instance, &timetable);
    const LISTED: usize = 12;
    let lines = || verdict.lines(LISTED).join("\n");
    let standing = Standing::of(&result.verdict, verdict.feasible, verdict.raw as f64, lines, unknown);
    let counts = Arc::new(TimetableStatistics::of(instance, &timetable));
    let found = Found {
        timetable: Arc::new(timetable),
        periods: instance.period_count(),
        raw: verdict.raw,
        counts,
        calendar: instance.periods.clone(),
    };
    let priced = has_price(&result);
    Run { priced, ..Run::new(result, standing, found) }
}

/// Request to solve an instance.
#[derive(Debug, Clone)]
pub struct Order {
    /// The instance, with its number of periods.
    pub instance: Arc<Instance>,
    /// Source of the instance: a path or `sample:…`.
    pub source: String,
    /// Algorithm and its parameters.
    pub settings: Settings,
}

impl runs::Order for Order {
    type Solution = Timetable;
    type Found = Found;

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn interrupted(&self, kept: &Kept<Timetable>, why: StopReason) -> RunResult {
        interrupted(self, kept, why)
    }

    fn admit(&self, result: RunResult) -> Run {
        admit(&self.instance, result)
    }
}

/// Starts a solve in a thread of its own.
///
/// # Errors
/// Error with a notice for the user if the system cannot start a thread.
pub fn start(
    order: Order,
    solver: Solver,
    store: Store,
    wake: Arc<dyn Fn() + Send + Sync>,
) -> std::result::Result<Session<Timetable, Ended>, Notice> {
    let solver: runs::Solver<Order> =
        Arc::new(move |order, control, observer| solver(&order.instance, &order.settings, control, observer));
    runs::start(order, solver, store, wake)
}

/// Builds the result of an interrupted run from its last checkpoint.
pub fn interrupted(order: &Order, kept: &Kept<Timetable>, stop_reason: StopReason) -> RunResult {
    let instance = &order.instance;
    let snapshot = &kept.progress.snapshot;
    let verdict = check::check(instance, &snapshot.best);
    let settings = &order.settings;
    let unfinished = Unfinished {
        problem: "timetabling",
        instance: InstanceReference {
            name: instance.name.clone(),
            source: order.source.clone(),
            hash: instance.file_hash.clone(),
            options: [("periods".to_owned(), instance.period_count().to_string())].into(),
        },
        algorithm: settings.algorithm.name(),
        parameters: settings.algorithm.values(),
        seed: settings.seed,
        threads: settings.threads,
        stop: &settings.stop,
        solution: stored::encode(instance, &snapshot.best),
        verdict: Verdict {
            feasible: verdict.feasible,
            cost: verdict.raw as f64,
            cost_display: gridwright_solver::numbers::cost(verdict.shown),
            confirmed: !verdict.feasible || verdict.objective as f64 == snapshot.best_cost,
            violations: verdict.violations,
        },
    };
    RunResult { demands: demands(instance), ..unfinished.result(kept, stop_reason) }
}
