//! A solve of a timetable from the press of a button to the run that is listed: started, kept, checked.

use std::sync::Arc;

use gridwright_solver::Result;
use gridwright_solver::result::{InstanceReference, RunResult, Solution, Verdict};
use gridwright_solver::search::{Control, Progress, StopReason};
use gridwright_solver::timetabling::counts::OfficerCounts;
use gridwright_solver::timetabling::run::{Settings, demands, timetable_of, with_demands};
use gridwright_solver::timetabling::{Instance, Period, Timetable, check};

use crate::runs::{self, Unfinished};
use crate::session::{Kept, Session};
use crate::store::Store;
use crate::widgets::notice::Notice;

pub use crate::runs::Standing;

/// What solves; tests put another one in its place.
pub type Solver = Arc<
    dyn Fn(&Instance, &Settings, &Control, &mut dyn FnMut(&Progress<Timetable>)) -> Result<RunResult> + Send + Sync,
>;

/// A finished run.
pub type Run = runs::Run<Found>;

/// How a solve ended.
pub type Ended = runs::Ended<Found>;

/// What a run found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its timetable in terms of the instance.
    pub timetable: Arc<Timetable>,
    /// Number of periods that it was solved for.
    pub periods: usize,
    /// Proximity cost by the checker, not divided.
    pub raw: u64,
    /// What an examination officer reads beside the cost.
    pub counts: Arc<OfficerCounts>,
    /// The periods by which it was counted.
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

/// Takes a result into the list: finds its exams in the instance and lets the checker judge it anew.
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
    let counts = Arc::new(OfficerCounts::of(instance, &timetable));
    let found = Found {
        timetable: Arc::new(timetable),
        periods: instance.period_count(),
        raw: verdict.raw,
        counts,
        calendar: instance.periods.clone(),
    };
    Run::new(result, standing, found)
}

/// What is solved.
#[derive(Debug, Clone)]
pub struct Order {
    /// The instance, with its number of periods.
    pub instance: Arc<Instance>,
    /// Where it comes from: a path or `sample:…`.
    pub source: String,
    /// How.
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
/// Where the system gives no thread, as the person is told.
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

/// A result from what is known of a run that did not come to its own end.
pub fn interrupted(order: &Order, kept: &Kept<Timetable>, stop_reason: StopReason) -> RunResult {
    let instance = &order.instance;
    let snapshot = &kept.progress.snapshot;
    let verdict = check::check(instance, &snapshot.best);
    let rows = instance.exams.iter().enumerate();
    let solution =
        rows.map(|(exam, data)| (data.code.clone(), snapshot.best.period_of(exam).map(|period| period as u16)));
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
        solution: Solution::Timetable(solution.collect()),
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
