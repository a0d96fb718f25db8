//! A solve of a flow shop from the press of a button to the run that is listed: started, kept, checked.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use gridwright_solver::flowshop::check::check;
use gridwright_solver::flowshop::multiobjective::{Front, Goal, stored};
use gridwright_solver::flowshop::run::{self, Settings};
use gridwright_solver::flowshop::{Instance, Objective, Order as Sequence};
use gridwright_solver::result::{Demands, InstanceReference, RunResult, Solution, StoredFront, Verdict};
use gridwright_solver::search::{Progress, StopReason};

use crate::runs::{self, Standing, Unfinished};
use crate::session::Kept;
use crate::widgets::parameters::grouped;

/// What solves; tests put another one in its place.
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

/// The real one.
pub fn solver() -> Solver {
    Arc::new(|order, control, observer| {
        let Order { instance, settings, start, .. } = order;
        match settings.objective {
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

/// How a solve ended.
pub type Ended = runs::Ended<Found>;

/// What a run found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The order of the jobs, by their places in the instance.
    pub order: Arc<Sequence>,
    /// What was minimised.
    pub goal: Goal,
    /// Its value by the checker; of a front, what it lacks of the whole hypervolume.
    pub value: u64,
    /// The same for people: the value, or how many plans there are.
    pub words: String,
    /// The same in a list of runs: the value, or the hypervolume.
    pub figure: String,
    /// All orders and their values, where several objectives were minimised.
    pub members: Option<Arc<Members>>,
}

/// Orders of which none is better than another in all objectives, with what the checker says of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Members {
    /// What was minimised.
    pub objectives: Vec<Objective>,
    /// The values of each member, ascending.
    pub values: Vec<Vec<u64>>,
    /// Their orders.
    pub orders: Vec<Arc<Sequence>>,
    /// The normalised hypervolume.
    pub hypervolume: f64,
}

impl Members {
    /// What a search has found so far.
    pub fn of_front(front: &Front) -> Self {
        let count = front.objectives.count();
        Self {
            objectives: front.objectives.as_slice().to_vec(),
            values: front.points.iter().map(|point| point[..count].to_vec()).collect(),
            orders: front.orders.iter().map(|order| Arc::new(Sequence(order.to_vec()))).collect(),
            hypervolume: front.hypervolume(),
        }
    }

    /// What a result holds.
    fn of_stored(instance: &Instance, front: &StoredFront) -> std::result::Result<Self, String> {
        let objectives = stored::objectives_of(front).map_err(|error| error.to_string())?;
        let orders = front.members.iter().map(|member| order_of(instance, &member.solution));
        let orders = orders.map(|order| order.map(|order| Arc::new(Sequence(order))));
        Ok(Self {
            objectives: objectives.as_slice().to_vec(),
            values: front.members.iter().map(|member| member.values.clone()).collect(),
            orders: orders.collect::<std::result::Result<_, String>>()?,
            hypervolume: front.hypervolume,
        })
    }
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
    /// The order to begin with, where it is not made anew.
    pub start: Option<Arc<Sequence>>,
}

/// The name under which runs of an instance are kept.
pub fn instance_key(instance: &Instance) -> String {
    runs::instance_key(&instance.name, &instance.hash)
}

/// The order that a result names, by the jobs' places in the instance.
pub(super) fn order_of(instance: &Instance, solution: &Solution) -> std::result::Result<Vec<u16>, String> {
    let Solution::Order(names) = solution else {
        return Err(format!("it holds {}, no order of jobs", solution.noun()));
    };
    let places: HashMap<&str, u16> =
        instance.jobs.iter().zip(0..).map(|(job, place)| (job.name.as_str(), place)).collect();
    let place = |name: &String| places.get(name.as_str()).copied().ok_or_else(|| format!("there is no job “{name}”"));
    names.iter().map(place).collect()
}

/// Lines of violations that a tooltip holds.
const LISTED: usize = 12;

/// Takes a result into the list: finds its jobs in the instance and lets the checker judge it anew.
pub fn admit(instance: &Instance, result: RunResult) -> Run {
    let goal = run::goal_of(&result);
    let (order, unknown) = match order_of(instance, &result.solution) {
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

/// A result from what is known of a run that did not come to its own end.
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
            let value = verdict.value(settings.objective.first()).unwrap_or_default();
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
            options: BTreeMap::from([("objective".to_owned(), settings.objective.to_string())]),
        },
        algorithm: settings.algorithm.name(),
        parameters: settings.algorithm.values(),
        seed: settings.seed,
        threads: settings.threads,
        stop: &settings.stop,
        solution: Solution::Order(names(instance, best)),
        verdict,
    };
    let demands = order.start.as_ref().map(|start| Demands::FlowShop { start: names(instance, &start.0) });
    RunResult { demands, front, ..unfinished.result(kept, stop_reason) }
}

/// The names of jobs in an order.
pub(super) fn names(instance: &Instance, order: &[u16]) -> Vec<String> {
    order.iter().map(|&job| instance.jobs[usize::from(job)].name.clone()).collect()
}

/// An order that a person made, as a run.
pub fn by_hand(order: &Order, made: &Arc<Sequence>) -> RunResult {
    let cost = check(&order.instance, &made.0).value(order.settings.objective.first()).unwrap_or_default() as f64;
    let kept = Kept::made(Arc::new(Best { order: Arc::clone(made), front: None }), cost);
    let result = interrupted(order, &kept, StopReason::ByHand);
    let notes = vec!["the order was made by hand".to_owned()];
    RunResult { algorithm: "hand".to_owned(), parameters: BTreeMap::new(), notes, ..result }
}
