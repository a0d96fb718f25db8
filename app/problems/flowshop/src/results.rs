//! Results of flow shop runs as the window lists them: orders, fronts and their values by the checker.

use std::sync::Arc;

use gridwright_core::numbers::{counted, grouped};
use gridwright_core::result::{RunResult, StoredFront, Violation};
use gridwright_flowshop::check::check;
use gridwright_flowshop::multiobjective::{Front, Goal, stored};
use gridwright_flowshop::rules::Rules;
use gridwright_flowshop::run;
use gridwright_flowshop::stored as names;
use gridwright_flowshop::{Instance, Objective, Order as Sequence};

use gridwright_window::runs::{Run, RunStatus};

/// Solution of a run with the checker's figures.
#[derive(Debug, Clone)]
pub struct CheckedOrder {
    /// Order of the jobs, by their positions in the instance.
    pub order: Arc<Sequence>,
    /// Objective or objectives that were minimised.
    pub goal: Goal,
    /// Rules for the order under which the run searched.
    pub rules: Rules,
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
    pub(crate) fn of_front(front: &Front) -> Self {
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

/// Lines of violations that a tooltip holds.
const LISTED: usize = 12;

/// Converts a result into a run of the list: finds its jobs in the instance and checks it anew.
pub(crate) fn validate(instance: &Instance, result: RunResult) -> Run<CheckedOrder> {
    let goal = run::goal_of(&result);
    let (order, unknown) = match names::decode(instance, &result.solution) {
        Ok(order) => (order, goal.as_ref().err().map(ToString::to_string)),
        Err(why) => (Vec::new(), Some(why)),
    };
    let goal = goal.unwrap_or(Goal::One(Objective::Makespan));
    let order = Arc::new(Sequence(order));
    if let (Goal::Front(_), Some(front)) = (goal, result.front.clone()) {
        return validate_front(instance, result, goal, order, &front, unknown);
    }
    let rules = names::rules_of(instance, result.demands.as_ref());
    let verdict = check(&Instance { rules: rules.clone(), ..instance.clone() }, &order.0);
    let value = verdict.value(goal.first()).unwrap_or_default();
    let lines = || Violation::lines(&verdict.violations, LISTED).join("\n");
    let status = RunStatus::of(&result.verdict, verdict.feasible, value as f64, lines, unknown);
    let words = grouped(value as i64);
    Run::new(result, status, CheckedOrder { order, goal, rules, value, figure: words.clone(), words, members: None })
}

fn validate_front(
    instance: &Instance, result: RunResult, goal: Goal, order: Arc<Sequence>, front: &StoredFront,
    unknown: Option<String>,
) -> Run<CheckedOrder> {
    let judged = stored::judge(instance, front).map_err(|error| error.to_string());
    let members = Members::of_stored(instance, front);
    let unknown = unknown.or_else(|| judged.as_ref().err().cloned()).or_else(|| members.as_ref().err().cloned());
    let (feasible, value, violations) = match &judged {
        Ok(judged) => (judged.feasible, judged.missing, judged.violations.as_slice()),
        Err(_) => (false, 0, [].as_slice()),
    };
    let lines = || violations.iter().take(LISTED).map(|one| one.text.as_str()).collect::<Vec<_>>().join("\n");
    let status = RunStatus::of(&result.verdict, feasible, value as f64, lines, unknown);
    let (words, figure) = (counted(front.members.len(), "plan"), format!("{:.4}", front.hypervolume));
    Run::new(
        result,
        status,
        CheckedOrder {
            order,
            goal,
            rules: Rules::default(),
            value,
            words,
            figure,
            members: members.ok().map(Arc::new),
        },
    )
}
