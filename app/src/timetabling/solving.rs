//! A solve of a timetable from the press of a button to the run that is listed: started, kept, checked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use gridwright_solver::result::{InstanceReference, RunResult, Solution, Verdict};
use gridwright_solver::search::driver::Plan;
use gridwright_solver::search::{Budget, Control, Progress, StopReason};
use gridwright_solver::timetabling::counts::OfficerCounts;
use gridwright_solver::timetabling::run::{Settings, demands, timetable_of, with_demands};
use gridwright_solver::timetabling::{Instance, Period, Timetable, check};
use gridwright_solver::{Result, backend};

use crate::session::{Job, Kept, Session};
use crate::store::{Running, Store};

/// What solves; tests put another one in its place.
pub type Solver = Arc<
    dyn Fn(&Instance, &Settings, &Control, &mut dyn FnMut(&Progress<Timetable>)) -> Result<RunResult> + Send + Sync,
>;

/// What the checker said when the run was listed.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// A timetable whose cost the checker confirms.
    Valid,
    /// Not a timetable: some exams have no period or clash. The text says which.
    Incomplete(String),
    /// The result contradicts the checker or the instance; it is not shown as a plan.
    Wrong(String),
}

/// A finished run.
#[derive(Debug, Clone)]
pub struct Run {
    /// Its number in the list, from 1.
    pub number: usize,
    /// All that is known of it.
    pub result: Arc<RunResult>,
    /// Its timetable in terms of the instance.
    pub timetable: Arc<Timetable>,
    /// Number of periods that it was solved for.
    pub periods: usize,
    /// Proximity cost by the checker, not divided.
    pub raw: u64,
    /// What the checker says of it now.
    pub standing: Standing,
    /// What an examination officer reads beside the cost.
    pub counts: Arc<OfficerCounts>,
    /// The periods by which it was counted.
    pub calendar: Vec<Period>,
    /// Where it is kept.
    pub path: Option<PathBuf>,
    /// The name that a person gave it; empty where there is none.
    pub name: String,
}

impl Run {
    /// Whether exams that it moved had a price, so that its curve is not of the cost alone.
    pub fn has_price(&self) -> bool {
        self.result.has_price()
    }
}

/// How a solve ended.
#[derive(Debug)]
pub struct Ended {
    /// The run, where anything was found.
    pub run: Option<Run>,
    /// Why it broke off, where it did.
    pub failure: Option<String>,
    /// Why it could not be kept on disk, where it could not.
    pub unkept: Option<String>,
}

/// The name under which runs of an instance are kept.
pub fn instance_key(instance: &Instance) -> String {
    match instance.file_hash.as_str() {
        "" => gridwright_solver::files::hash(&[instance.name.as_bytes()]),
        hash => hash.to_owned(),
    }
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
    let standing = judge(&verdict, &result.verdict, unknown);
    let periods = instance.period_count();
    let counts = Arc::new(OfficerCounts::of(instance, &timetable));
    let (result, timetable) = (Arc::new(result), Arc::new(timetable));
    let calendar = instance.periods.clone();
    Run {
        number: 0,
        result,
        timetable,
        periods,
        raw: verdict.raw,
        standing,
        counts,
        calendar,
        path: None,
        name: String::new(),
    }
}

fn judge(now: &check::Verdict, then: &Verdict, unknown: Option<String>) -> Standing {
    if let Some(unknown) = unknown {
        return Standing::Wrong(unknown);
    }
    if !then.confirmed {
        return Standing::Wrong("the search reported another cost than the checker found".to_owned());
    }
    if now.feasible != then.feasible {
        let words = |feasible: bool| if feasible { "no violation" } else { "violations" };
        let text = format!("the checker finds {}, the result claims {}", words(now.feasible), words(then.feasible));
        return Standing::Wrong(text);
    }
    if now.feasible && then.cost != now.raw as f64 {
        return Standing::Wrong(format!("the checker counts a cost of {}, the result claims {}", now.raw, then.cost));
    }
    if now.feasible {
        return Standing::Valid;
    }
    const LISTED: usize = 12;
    Standing::Incomplete(now.lines(LISTED).join("\n"))
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

/// Starts a solve in a thread of its own.
///
/// # Errors
/// Where the system gives no thread.
pub fn start(
    order: Order,
    solver: Solver,
    store: Store,
    wake: Arc<dyn Fn() + Send + Sync>,
) -> std::io::Result<Session<Timetable, Ended>> {
    let key = instance_key(&order.instance);
    let running = store.begin(&key).map(Arc::new).map_err(|error| error.to_string());
    let keeper = running.as_ref().ok().cloned();
    let kept_order = order.clone();
    let solve_order = order.clone();
    Session::start(Job {
        name: "solve".to_owned(),
        solve: Box::new(move |control, observer| {
            solver(&solve_order.instance, &solve_order.settings, control, observer).map(Box::new)
        }),
        keep: Box::new(move |kept| {
            if let Some(running) = &keeper {
                // A full disk shows at the end of the run, where the person is told.
                let _ = running.save(&interrupted(&kept_order, kept, StopReason::Interrupted));
            }
        }),
        conclude: Box::new(move |outcome, kept| conclude(&order, outcome, kept, &store, &key, running)),
        wake,
    })
}

fn conclude(
    order: &Order,
    outcome: std::result::Result<Box<RunResult>, String>,
    kept: Option<&Kept<Timetable>>,
    store: &Store,
    key: &str,
    running: std::result::Result<Arc<Running>, String>,
) -> Ended {
    let (result, failure) = match outcome {
        Ok(result) => {
            let failure = match &result.stop_reason {
                StopReason::Failed(why) => Some(why.clone()),
                _ => None,
            };
            (Some(*result), failure)
        }
        Err(why) => (kept.map(|kept| interrupted(order, kept, StopReason::Failed(why.clone()))), Some(why)),
    };
    let Some(mut result) = result else {
        if let Ok(running) = running {
            discard(running);
        }
        return Ended { run: None, failure, unkept: None };
    };
    // The search knows the instance by name only.
    result.instance.source.clone_from(&order.source);
    let stored = store.keep(key, &result);
    let mut run = admit(&order.instance, result);
    let unkept = match stored {
        Ok(path) => {
            run.path = Some(path);
            // Only now: until it is kept as finished, the running file is all there is.
            if let Ok(running) = running {
                discard(running);
            }
            None
        }
        Err(error) => Some(error.to_string()),
    };
    Ended { run: Some(run), failure, unkept }
}

fn discard(running: Arc<Running>) {
    // The keeper has ended, so this is the last owner; were it not, the lock would go with the last one.
    if let Some(running) = Arc::into_inner(running) {
        running.discard();
    }
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
    let parameters = settings.algorithm.values();
    let stop = &settings.stop;
    let (steps, seconds) = match stop.budget {
        Budget::Steps(steps) => (Some(steps), None),
        Budget::Seconds(seconds) => (None, Some(seconds)),
    };
    let threads = if settings.threads == 0 { backend::available_threads() } else { settings.threads };
    RunResult {
        format: gridwright_solver::result::FORMAT,
        program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
        problem: "timetabling".to_owned(),
        instance: InstanceReference {
            name: instance.name.clone(),
            source: order.source.clone(),
            hash: instance.file_hash.clone(),
            options: [("periods".to_owned(), instance.period_count().to_string())].into(),
        },
        algorithm: settings.algorithm.name().to_owned(),
        parameters,
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
        solution: Solution::Timetable(solution.collect()),
        verdict: Verdict {
            feasible: verdict.feasible,
            cost: verdict.raw as f64,
            cost_display: gridwright_solver::numbers::cost(verdict.shown),
            confirmed: !verdict.feasible || verdict.objective as f64 == snapshot.best_cost,
            violations: verdict.violations,
        },
        notes: vec!["the run did not come to its end; it cannot be replayed".to_owned()],
        demands: demands(instance),
        front: None,
    }
}
