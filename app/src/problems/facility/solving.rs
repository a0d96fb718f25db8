//! A solve of a layout problem from the press of a button to the run that is listed: started, kept, checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_solver::facility::check::check;
use gridwright_solver::facility::evaluation::Score;
use gridwright_solver::facility::run::{self, Settings};
use gridwright_solver::facility::stored::{self, Demands};
use gridwright_solver::facility::{BestLayout, Instance, Layout, Rules};
use gridwright_solver::result::{Encoded, InstanceReference, RunResult, Verdict};
use gridwright_solver::search::{Algorithms, StopReason};

use super::plan::{cost_words, is_whole};
use crate::runs::{self, Standing, Unfinished};
use crate::session::Kept;

/// Function that solves; tests replace it.
pub type Solver = runs::Solver<Order>;

/// Returns the solver of the program.
pub fn solver() -> Solver {
    Arc::new(|order, control, observer| {
        run::improve(&order.instance, &order.settings, order.start.as_deref(), control, observer)
    })
}

/// A finished run.
pub type Run = runs::Run<Found>;

/// Result of a solve that ended.
pub type Ended = runs::Ended<Found>;

/// Solution of a run.
#[derive(Debug, Clone)]
pub struct Found {
    /// Departments bay by bay, by their positions in the instance.
    pub layout: Arc<Layout>,
    /// True if every department of the instance is in the layout exactly once.
    pub is_whole: bool,
    /// Material handling cost by the checker.
    pub cost: f64,
    /// Rules of the run.
    pub rules: Rules,
}

/// Request to solve an instance.
#[derive(Debug, Clone)]
pub struct Order {
    /// The instance with the rules in force.
    pub instance: Arc<Instance>,
    /// Source of the instance: a path, `sample:…` or `layout:…`.
    pub source: String,
    /// Algorithm and its parameters.
    pub settings: Settings,
    /// Initial layout; `None` for a new one.
    pub start: Option<Arc<Layout>>,
}

/// The name under which runs of an instance are kept.
pub fn instance_key(instance: &Instance) -> String {
    runs::instance_key(&instance.name, &instance.hash)
}

/// The rules under which a result was found.
pub fn rules_of(result: &RunResult) -> Rules {
    run::demands_of(result).0
}

/// Lines of violations that a tooltip holds.
const LISTED: usize = 12;

/// Converts a result into a run of the list: finds its departments in the instance and checks it anew, by the rules of
/// the run.
pub fn admit(instance: &Instance, result: RunResult) -> Run {
    let rules = rules_of(&result);
    let (layout, unknown) = match stored::decode(instance, &result.solution) {
        Ok(layout) => (layout, rules.check(instance).err().map(|error| error.to_string())),
        Err(why) => (Layout::default(), Some(why)),
    };
    let then = Instance { rules, ..instance.clone() };
    let verdict = check(&then, &layout);
    let lines = || verdict.lines(LISTED).join("\n");
    let standing = Standing::of(&result.verdict, verdict.feasible, verdict.cost, lines, unknown);
    let found = Found {
        is_whole: is_whole(instance, &layout),
        cost: verdict.cost,
        rules: then.rules,
        layout: Arc::new(layout),
    };
    Run::new(result, standing, found)
}

impl runs::Order for Order {
    type Solution = BestLayout;
    type Found = Found;

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn interrupted(&self, kept: &Kept<BestLayout>, why: StopReason) -> RunResult {
        interrupted(self, kept, why)
    }

    fn admit(&self, result: RunResult) -> Run {
        admit(&self.instance, result)
    }
}

/// Builds the result of an interrupted run from its last checkpoint.
pub fn interrupted(order: &Order, kept: &Kept<BestLayout>, stop_reason: StopReason) -> RunResult {
    let (instance, settings) = (&order.instance, &order.settings);
    let snapshot = &kept.progress.snapshot;
    let layout = &snapshot.best.layout;
    let verdict = check(instance, layout);
    let unfinished = Unfinished {
        problem: "facility",
        instance: InstanceReference {
            name: instance.name.clone(),
            source: order.source.clone(),
            hash: instance.hash.clone(),
            options: BTreeMap::new(),
        },
        algorithm: settings.algorithm.name(),
        parameters: settings.algorithm.values(),
        seed: settings.seed,
        threads: settings.threads,
        stop: &settings.stop,
        solution: stored::encode(instance, layout),
        verdict: Verdict {
            feasible: verdict.feasible,
            cost: verdict.cost,
            cost_display: cost_words(verdict.cost),
            // It was counted here and nowhere else.
            confirmed: true,
            violations: verdict.violations,
        },
    };
    let demands = (order.start.is_some() || !instance.rules.is_empty()).then(|| {
        Encoded::of(&Demands::Facility { rules: instance.rules.clone(), start: order.start.as_deref().cloned() })
    });
    RunResult { demands, ..unfinished.result(kept, stop_reason) }
}

/// Returns the run of a layout made by hand.
pub fn by_hand(order: &Order, made: &Layout) -> RunResult {
    let cost = check(&order.instance, made).cost;
    let score = Score { violation: 0.0, cost };
    let best = BestLayout { layout: made.clone(), score, islands: Vec::new(), migrations: Vec::new(), proven: false };
    let kept = Kept::made(Arc::new(best), cost);
    let result = interrupted(order, &kept, StopReason::ByHand);
    let notes = vec!["the layout was made by hand".to_owned()];
    RunResult { algorithm: "hand".to_owned(), parameters: BTreeMap::new(), notes, ..result }
}
