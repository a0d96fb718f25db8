//! A solve of a layout problem from the press of a button to the run that is listed: started, kept, checked.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use gridwright_solver::facility::check::check;
use gridwright_solver::facility::evaluation::Score;
use gridwright_solver::facility::run::{self, Settings};
use gridwright_solver::facility::{Found as Best, Instance, Layout, Rules};
use gridwright_solver::result::{Demands, InstanceReference, RunResult, Solution, Verdict};
use gridwright_solver::search::StopReason;

use super::plan::{cost_words, is_whole};
use crate::runs::{self, Standing, Unfinished};
use crate::session::Kept;

/// What solves; tests put another one in its place.
pub type Solver = runs::Solver<Order>;

/// The real one.
pub fn solver() -> Solver {
    Arc::new(|order, control, observer| {
        run::improve(&order.instance, &order.settings, order.start.as_deref(), control, observer)
    })
}

/// A finished run.
pub type Run = runs::Run<Found>;

/// How a solve ended.
pub type Ended = runs::Ended<Found>;

/// What a run found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The departments bay by bay, by their places in the instance.
    pub layout: Arc<Layout>,
    /// Whether every department of the instance stands in it once.
    pub is_whole: bool,
    /// The material handling cost by the checker.
    pub cost: f64,
    /// What was demanded.
    pub rules: Rules,
}

/// What is solved.
#[derive(Debug, Clone)]
pub struct Order {
    /// The instance with the rules in force.
    pub instance: Arc<Instance>,
    /// Where it comes from: a path, `sample:…` or `layout:…`.
    pub source: String,
    /// How.
    pub settings: Settings,
    /// The layout to begin with, where it is not made anew.
    pub start: Option<Arc<Layout>>,
}

/// The name under which runs of an instance are kept.
pub fn instance_key(instance: &Instance) -> String {
    runs::instance_key(&instance.name, &instance.hash)
}

/// The layout that a result names, by the departments' places in the instance.
pub(super) fn layout_of(instance: &Instance, solution: &Solution) -> std::result::Result<Layout, String> {
    let Solution::Layout(orientation, bays) = solution else {
        return Err(format!("it holds {}, no layout", solution.noun()));
    };
    let places: HashMap<&str, u16> =
        instance.departments.iter().zip(0..).map(|(department, place)| (department.name.as_str(), place)).collect();
    let place =
        |name: &String| places.get(name.as_str()).copied().ok_or_else(|| format!("there is no department “{name}”"));
    let bays = bays.iter().map(|bay| bay.iter().map(place).collect()).collect::<std::result::Result<_, String>>()?;
    Ok(Layout { orientation: *orientation, bays })
}

/// The rules under which a result was found.
pub fn rules_of(result: &RunResult) -> Rules {
    match &result.demands {
        Some(Demands::Facility { rules, .. }) => rules.clone(),
        _ => Rules::default(),
    }
}

/// Lines of violations that a tooltip holds.
const LISTED: usize = 12;

/// Takes a result into the list: finds its departments in the instance and lets the checker judge it anew, by the rules that
/// were in force then.
pub fn admit(instance: &Instance, result: RunResult) -> Run {
    let rules = rules_of(&result);
    let (layout, unknown) = match layout_of(instance, &result.solution) {
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
    type Solution = Best;
    type Found = Found;

    fn key(&self) -> String {
        instance_key(&self.instance)
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn interrupted(&self, kept: &Kept<Best>, why: StopReason) -> RunResult {
        interrupted(self, kept, why)
    }

    fn admit(&self, result: RunResult) -> Run {
        admit(&self.instance, result)
    }
}

/// A result from what is known of a run that did not come to its own end.
pub fn interrupted(order: &Order, kept: &Kept<Best>, stop_reason: StopReason) -> RunResult {
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
        solution: Solution::Layout(layout.orientation, names(instance, layout)),
        verdict: Verdict {
            feasible: verdict.feasible,
            cost: verdict.cost,
            cost_display: cost_words(verdict.cost),
            // It was counted here and nowhere else.
            confirmed: true,
            violations: verdict.violations,
        },
    };
    let demands = (order.start.is_some() || !instance.rules.is_empty())
        .then(|| Demands::Facility { rules: instance.rules.clone(), start: order.start.as_deref().cloned() });
    RunResult { demands, ..unfinished.result(kept, stop_reason) }
}

/// The names of departments bay by bay.
pub(super) fn names(instance: &Instance, layout: &Layout) -> Vec<Vec<String>> {
    let name =
        |one: &u16| instance.departments.get(usize::from(*one)).map_or_else(String::new, |known| known.name.clone());
    layout.bays.iter().map(|bay| bay.iter().map(name).collect()).collect()
}

/// A layout that a person made, as a run.
pub fn by_hand(order: &Order, made: &Layout) -> RunResult {
    let cost = check(&order.instance, made).cost;
    let score = Score { violation: 0.0, cost };
    let best = Best { layout: made.clone(), score, islands: Vec::new(), migrations: Vec::new(), proven: false };
    let kept = Kept::made(Arc::new(best), cost);
    let result = interrupted(order, &kept, StopReason::ByHand);
    let notes = vec!["the layout was made by hand".to_owned()];
    RunResult { algorithm: "hand".to_owned(), parameters: BTreeMap::new(), notes, ..result }
}
