//! A solve of a flow shop from the press of a button to the run that is listed: started, kept, checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_solver::flowshop::check::check;
use gridwright_solver::flowshop::multiobjective::{Front, Goal, stored};
use gridwright_solver::flowshop::run::{self, Settings};
use gridwright_solver::flowshop::stored::{self as names, Demands};
use gridwright_solver::flowshop::{Instance, Objective, Order as Sequence};
use gridwright_solver::numbers::grouped;
use gridwright_solver::result::{Encoded, InstanceReference, RunResult, StoredFront, Verdict};
use gridwright_solver::search::{Algorithms, Progress, StopReason};

use crate::runs::{self, Standing, Unfinished};
use crate::session::Kept;

/// Function that solves; tests replace it.
pub type Solver = runs::Solver<Order>;

/// The best so far.
#[derive(Debug, Clone)]
pub struct Best {
    /// An order; of a front the one that is the best compromise.
    pub order: Arc<Sequence>,
    /// The whole front, where several objectives are minimised.
    pub front: Option<Arc<Front>>,
}

impl Best {
    fn of_order(progress: &Progress<Sequence>) -> Progress<Self> {
        progress.map(|order| Self { order: Arc::clone(order), front: None })
    }

    fn of_front(progress: &Progress<Front>) -> Progress<Self> {
        progress.map(|front| Self {
            order: Arc::new(Sequence(front.compromise().map(|order| order.to_vec()).unwrap_or_default())),
            front: Some(Arc::clone(front)),
        })
    }
}

/// Returns the solver of the program.
pub fn solver() -> Solver {
    Arc::new(|order, control, observer| {
        let Order { instance, settings, start, .. } = order;
        match settings.goal {
            Goal::One(_) => {
                let start = start.as_ref().map(|start| start.0.as_slice());
                let observer = &mut |progress: &Progress<Sequence>| observer(&Best::of_order(progress));
                run::improve(instance, settings, start, control, observer)
            }
            Goal::Front(_) => {
                run::solve_front(instance, settings, control, &mut |progress| observer(&Best::of_front(progress)))
            }
        }
    })
}

/// A finished run.
pub type Run = runs::Run<Found>;

/// Result of a solve that ended.
pub type Ended = runs::Ended<Found>;

/// Solution of a run.
#[derive(Debug, Clone)]
pub struct Found {
    /// Order of the jobs, by their positions in the instance.
    pub order: Arc<Sequence>,
    /// Objective or objectives that were minimised.
    pub goal: Goal,
    /// Value of the objective by the checker; of a front, the missing part of the whole hypervolume.
    pub value: u64,
    /// Value in words; of a front, the number of plans.
    pub words: String,
    /// Value in the list of runs; of a front, the hypervolume.
    pub figure: String,
    /// All orders and their values, where several objectives were minimised.
    pub members: Option<Arc<Members>>,
}

/// Non-dominated orders with their values by the checker.
#[derive(Debug, Clone, PartialEq)]
pub struct Members {
    /// Objectives that were minimised.
    pub objectives: Vec<Objective>,
    /// The values of each member, ascending.
    pub values: Vec<Vec<u64>>,
    /// `orders[i]` = order of member `i`.
    pub orders: Vec<Arc<Sequence>>,
    /// The normalised hypervolume.
    pub hypervolume: f64,
}

impl Members {
    /// Collects the members of a front that a search has found so far.
    pub fn of_front(front: &Front) -> Self {
        let count = front.objectives.count();
        Self {
            objectives: front.objectives.as_slice().to_vec(),
            values: front.points.iter().map(|point| point[..count].to_vec()).collect(),
            orders: front.orders.iter().map(|order| Arc::new(Sequence(order.to_vec()))).collect(),
            hypervolume: front.hypervolume(),
        }
    }

    /// Reads the members of a front from a result.
    fn of_stored(instance: &Instance, front: &StoredFront) -> std::result::Result<Self, String> {
        let objectives = stored::objectives_of(front).map_err(|error| error.to_string())?;
        let orders = front.members.iter().map(|member| names::decode(instance, &member.solution));
        let orders = orders.map(|order| order.map(|order| Arc::new(Sequence(order))));
        Ok(Self {
            objectives: objectives.as_slice().to_vec(),
            values: front.members.iter().map(|member| member.values.clone()).collect(),
            orders: orders.collect::<std::result::Result<_, String>>()?,
            hypervolume: front.hypervolume,
        })
    }
}

/// Request to solve an instance.
#[derive(Debug, Clone)]
pub struct Order {
    /// The instance.
    pub instance: Arc<Instance>,
    /// Source of the instance: a path, `sample:…` or `taillard:…`.
    pub source: String,
    /// Algorithm and its parameters.
    pub settings: Settings,
    /// Initial order; `None` for a new one.
    pub start: Option<Arc<Sequence>>,
}

/// The name under which runs of an instance are kept.
pub fn instance_key(instance: &Instance) -> String {
    runs::instance_key(&instance.name, &instance.hash)
}

/// Lines of violations that a tooltip holds.
const LISTED: usize = 12;

/// Converts a result into a run of the list: finds its jobs in the instance and checks it anew.
pub fn admit(instance: &Instance, result: RunResult) -> Run {
    let goal = run::goal_of(&result);
    let (order, unknown) = match names::decode(instance, &result.solution) {
        Ok(order) => (order, goal.as_ref().err().map(ToString::to_string)),
        Err(why) => (Vec::new(), Some(why)),
    };
    let goal = goal.unwrap_or(Goal::One(Objective::Makespan));
    let order = Arc::new(Sequence(order));
    if let (Goal::Front(_), Some(front)) = (goal, result.front.clone()) {
        return admit_front(instance, result, goal, order, &front, unknown);
    }
    let verdict = check(instance, &order.0);
    let value = verdict.value(goal.first()).unwrap_or_default();
    let lines = || verdict.lines(LISTED).join("\n");
    let standing = Standing::of(&result.verdict, verdict.feasible, value as f64, lines, unknown);
    let words = grouped(value as i64);
    Run::new(result, standing, Found { order, goal, value, figure: words.clone(), words, members: None })
}

fn admit_front(
    instance: &Instance,
    result: RunResult,
    goal: Goal,
    order: Arc<Sequence>,
    front: &StoredFront,
    unknown: Option<String>,
) -> Run {
    let judged = stored::judge(instance, front).map_err(|error| error.to_string());
    let members = Members::of_stored(instance, front);
    let unknown = unknown.or_else(|| judged.as_ref().err().cloned()).or_else(|| members.as_ref().err().cloned());
    let (feasible, value, violations) = match &judged {
        Ok(judged) => (judged.feasible, judged.missing, judged.violations.as_slice()),
        Err(_) => (false, 0, [].as_slice()),
    };
    let lines = || violations.iter().take(LISTED).map(|one| one.text.as_str()).collect::<Vec<_>>().join("\n");
    let standing = Standing::of(&result.verdict, feasible, value as f64, lines, unknown);
    let (words, figure) = (plans(front.members.len()), format!("{:.4}", front.hypervolume));
    Run::new(result, standing, Found { order, goal, value, words, figure, members: members.ok().map(Arc::new) })
}

/// «84 plans».
pub fn plans(count: usize) -> String {
    if count == 1 { "1 plan".to_owned() } else { format!("{} plans", grouped(count as i64)) }
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

/// Builds the result of an interrupted run from its last checkpoint.
pub fn interrupted(order: &Order, kept: &Kept<Best>, stop_reason: StopReason) -> RunResult {
    let (instance, settings) = (&order.instance, &order.settings);
    let snapshot = &kept.progress.snapshot;
    let best = &snapshot.best.order.0;
    let front = snapshot.best.front.as_ref().map(|front| stored::stored(instance, front));
    let verdict = match front.as_ref().map(|front| stored::judge(instance, front)) {
        Some(Ok(judged)) => Verdict {
            feasible: judged.feasible,
            cost: judged.missing as f64,
            cost_display: stored::cost_text(judged.missing),
            // What observers were told may be that of a smaller front before.
            confirmed: judged.missing as f64 <= snapshot.best_cost,
            violations: judged.violations,
        },
        _ => {
            let verdict = check(instance, best);
            let value = verdict.value(settings.goal.first()).unwrap_or_default();
            Verdict {
                feasible: verdict.feasible,
                cost: value as f64,
                cost_display: grouped(value as i64),
                confirmed: value as f64 == snapshot.best_cost,
                violations: verdict.violations,
            }
        }
    };
    let unfinished = Unfinished {
        problem: "flowshop",
        instance: InstanceReference {
            name: instance.name.clone(),
            source: order.source.clone(),
            hash: instance.hash.clone(),
            options: BTreeMap::from([("objective".to_owned(), settings.goal.to_string())]),
        },
        algorithm: settings.algorithm.name(),
        parameters: settings.algorithm.values(),
        seed: settings.seed,
        threads: settings.threads,
        stop: &settings.stop,
        solution: names::encode(instance, best),
        verdict,
    };
    let demands =
        order.start.as_ref().map(|start| Encoded::of(&Demands::FlowShop { start: names::names(instance, &start.0) }));
    RunResult { demands, front, ..unfinished.result(kept, stop_reason) }
}

/// Returns the run of an order made by hand.
pub fn by_hand(order: &Order, made: &Arc<Sequence>) -> RunResult {
    let cost = check(&order.instance, &made.0).value(order.settings.goal.first()).unwrap_or_default() as f64;
    let kept = Kept::made(Arc::new(Best { order: Arc::clone(made), front: None }), cost);
    let result = interrupted(order, &kept, StopReason::ByHand);
    let notes = vec!["the order was made by hand".to_owned()];
    RunResult { algorithm: "hand".to_owned(), parameters: BTreeMap::new(), notes, ..result }
}
