//! Flow shops as everything that knows no problem asks for them: opening, runs, checks, exports, comparison.

use std::collections::BTreeMap;
use std::path::Path;

use gridwright_core::data::FormerNames;
use gridwright_core::export::formats::Format;
use gridwright_core::numbers::{counted, quantity};
use gridwright_core::planning::{
    Compared, Decision, ExportOptions, ExportOrigin, Fact, Judged, Measure, MissingData, Planning, ReadSolution,
    Remark, Settings,
};
use gridwright_core::problem::{Overrides, Problem};
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult, StoredFront, Verdict};
use gridwright_core::scene::fonts;
use gridwright_core::search::run::Judgement;
use gridwright_core::search::{Budget, Control, Progress, Snapshot};
use gridwright_core::{Error, Result};
use serde_json::json;

use crate::best::Best;
use crate::check::{self, check};
use crate::formats::solution::{self, SolutionFile, SolutionOptions};
use crate::formats::{self, LoadOptions, Orientation};
use crate::multiobjective::{Goal, stored};
use crate::problem::FlowShop;
use crate::run::{self, Algorithm};
use crate::stored as names;
use crate::{
    Instance, Objective, Order, Schedule, comparison, comparison_text, decisions, export, facts, library, measures,
    rule_options,
};

fn load_options(options: &Overrides) -> Result<LoadOptions> {
    let (orientation, number) = (options.value("orientation")?, options.value("number")?);
    Ok(LoadOptions { orientation, number, plan_start: options.value("plan-start")? })
}

/// The checker's verdict on an order or on the times of a file, with further figures. An objective that needs due dates has
/// them, or the instance would not have been opened.
fn judged(instance: &Instance, objective: Objective, verdict: check::Verdict) -> Judged {
    let figures = facts::of_verdict(instance, objective, &verdict);
    Judged { verdict: verdict.stored(objective), figures }
}

/// The checker's verdict on a front; `order` is the member that is displayed first.
fn judged_front(instance: &Instance, goal: Goal, front: &StoredFront, order: &[u16]) -> Result<Judged> {
    let judged = stored::judge(instance, front)?;
    let figures = facts::of_front(goal, front, &judged, &check(instance, order));
    Ok(Judged { verdict: judged.into(), figures })
}

/// True if the times of a feasible solution file differ from its order's semi-active schedule.
fn waits(instance: &Instance, file: &SolutionFile) -> bool {
    if file.operations.is_empty() || !file.verdict(instance).feasible {
        return false;
    }
    let schedule = Schedule::new(instance, &file.order);
    let mut positions = vec![0; file.order.len()];
    file.order.iter().enumerate().for_each(|(position, &job)| positions[usize::from(job)] = position);
    let earliest = |operation: &check::Operation| {
        schedule.start(positions[usize::from(operation.job)], usize::from(operation.machine))
    };
    file.operations.iter().any(|operation| operation.start != earliest(operation))
}

impl Planning for FlowShop {
    type Instance = Instance;
    type Solution = Order;
    type Algorithm = Algorithm;
    type Goal = Goal;
    type Best = Best;

    const PROBLEM: &'static dyn Problem = &FlowShop;
    const FORMATS: &'static [Format] = &export::FORMATS;
    const HAS_DECISIONS: bool = true;

    fn open(source: &str, options: &Overrides) -> Result<Instance> {
        // A name that is no objective is reported before the file is read.
        options.value::<Goal>("objective")?;
        formats::open(source, &load_options(options)?)
    }

    fn goal(instance: &Instance, options: &Overrides) -> Result<Goal> {
        let goal = options.value("objective")?.unwrap_or(Goal::One(Objective::Makespan));
        if let Goal::Front(objectives) = goal {
            objectives.check(instance)?;
        }
        if goal.first().needs_due_dates() && !instance.has_due_dates() {
            let name = &instance.name;
            let what = format!(
                "{name}: its jobs have no due dates, so nothing can be late; choose --objective makespan or flowtime, \
                 or add due dates (in a table, a column “due date”)"
            );
            return Err(Error::Usage(what));
        }
        Ok(goal)
    }

    fn identity(instance: &Instance) -> (&str, &str) {
        (&instance.name, &instance.hash)
    }

    fn warnings(instance: &Instance) -> Vec<String> {
        let names = instance.jobs.iter().map(|job| &job.name).chain(&instance.machines).map(String::as_str);
        instance.remarks().map(str::to_owned).chain(fonts::undrawn(names)).collect()
    }

    fn stored_options(_instance: &Instance, options: &Overrides) -> BTreeMap<String, String> {
        // Options that cannot be read were refused when the instance was opened.
        let LoadOptions { orientation, number, plan_start } = load_options(options).unwrap_or_default();
        let number = number.map(|number| ("number".to_owned(), number.to_string()));
        let orientation = orientation.map(|rows: Orientation| ("orientation".to_owned(), rows.name().to_owned()));
        let start = plan_start.map(|start| ("plan-start".to_owned(), start.texts().join(" ").trim_end().to_owned()));
        number.into_iter().chain(orientation).chain(start).collect()
    }

    fn summary(instance: &Instance) -> String {
        let dated = if instance.has_due_dates() { ", due dates" } else { "" };
        let set_up = if instance.setups.is_some() { ", set-ups" } else { "" };
        let clocked = if instance.has_clocks() { ", working times" } else { "" };
        format!(
            "{}, {}{dated}{set_up}{clocked}",
            counted(instance.job_count(), "job"),
            counted(instance.machine_count(), "machine")
        )
    }

    fn facts(instance: &Instance, goal: &Goal) -> Vec<Fact> {
        facts::of_instance(instance, goal.first())
    }

    fn usual_algorithm(_instance: &Instance, goal: &Goal) -> Algorithm {
        Algorithm::for_goal(*goal)
    }

    fn fitted(_instance: &Instance, mut settings: Settings<Self>) -> Result<Settings<Self>> {
        settings.algorithm.check(settings.goal)?;
        settings.stop.target = settings.stop.target.map(f64::floor);
        Ok(settings)
    }

    fn demanded(instance: &Instance, options: &Overrides) -> Result<Option<(Instance, Vec<String>)>> {
        Ok(rule_options::demanded(instance, options)?.map(|instance| (instance, Vec::new())))
    }

    /// With a held job alone, the order in which others follow it is the result.
    fn requested_budget(options: &Overrides) -> Option<Budget> {
        options.text(rule_options::HOLD).map(|_| Budget::Steps(0))
    }

    fn beginning(
        instance: &Instance, settings: &Settings<Self>, options: &Overrides,
    ) -> Result<Option<(Order, Vec<String>)>> {
        rule_options::beginning(instance, settings, options)
    }

    fn solve(
        instance: &Instance, settings: &Settings<Self>, start: Option<&Order>, control: &Control,
        observer: &mut dyn FnMut(&Progress<Best>),
    ) -> Result<RunResult> {
        match settings.goal {
            Goal::One(_) => {
                let start = start.map(|start| start.0.as_slice());
                let observer = &mut |progress: &Progress<Order>| observer(&Best::of_order(progress));
                run::improve(instance, settings, start, control, observer)
            }
            Goal::Front(_) => {
                run::solve_front(instance, settings, control, &mut |progress| observer(&Best::of_front(progress)))
            }
        }
    }

    fn judge(
        instance: &Instance, settings: &Settings<Self>, start: Option<&Order>, snapshot: &Snapshot<Best>,
    ) -> Judgement {
        let best = &snapshot.best.order.0;
        let front = snapshot.best.front.as_ref().map(|front| stored::stored(instance, front));
        let verdict = match front.as_ref().map(|front| stored::judge(instance, front)) {
            // What observers were told may be that of a smaller front before.
            Some(Ok(judged)) => {
                let confirmed = judged.missing as f64 <= snapshot.best_cost;
                Verdict::from(judged).confirmed(confirmed)
            }
            _ => {
                let verdict = check(instance, best).stored(settings.goal.first());
                let confirmed = verdict.cost == snapshot.best_cost;
                verdict.confirmed(confirmed)
            }
        };
        let demands = names::demands(instance, start.map(|start| start.0.as_slice()));
        Judgement { demands, front, ..Judgement::new(names::encode(instance, best), verdict) }
    }

    fn replay(
        instance: &Instance, result: &RunResult, (backend, threads): (&str, usize), control: &Control,
        observer: &mut dyn FnMut(&Progress<Best>),
    ) -> Result<ReplayReport> {
        let observer = &mut |progress: &Progress<Order>| observer(&Best::of_order(progress));
        run::replay(instance, result, backend, threads, control, observer)
    }

    fn asked(instance: &Instance, result: &RunResult) -> Result<Instance> {
        if instance.rules.is_empty() { run::with_rules_of(instance, Some(result)) } else { Ok(instance.clone()) }
    }

    fn decisions(instance: &Instance, _order: &Order) -> Vec<Decision<Instance>> {
        decisions::of(instance)
    }

    fn moved(_instance: &Instance, [before, after]: [&Order; 2]) -> usize {
        comparison::moves(&before.0, &after.0).len()
    }

    fn best_text(_instance: &Instance, _goal: &Goal, snapshot: &Snapshot<Best>) -> String {
        match &snapshot.best.front {
            Some(front) => format!("{}, hypervolume {:.5}", counted(front.points.len(), "order"), front.hypervolume()),
            None => quantity(snapshot.best_cost),
        }
    }

    fn cost_line(instance: &Instance, goal: &Goal, cost: f64) -> String {
        match goal {
            Goal::One(objective) => format!("{} ({})", quantity(cost), objective.label_in(instance).to_lowercase()),
            Goal::Front(_) => stored::cost_text(cost as u64),
        }
    }

    fn best_known(instance: &Instance, goal: &Goal) -> Option<f64> {
        match goal {
            Goal::One(objective) => instance.best_known.value(*objective).map(|best| best as f64),
            Goal::Front(_) => None,
        }
    }

    fn our_best(instance: &Instance, goal: &Goal) -> Option<f64> {
        let is_known = *goal == Goal::One(Objective::FlowTime) && instance.best_known.flow_time.is_some();
        let row = library::OUR_BEST.iter().find(|row| is_known && row.0 == instance.name);
        row.map(|row| row.1 as f64)
    }

    fn best_known_source(instance: &Instance, goal: &Goal) -> Option<String> {
        match goal {
            Goal::One(objective) => facts::best_known_source(instance, *objective),
            _ => None,
        }
    }

    fn best_known_warning(instance: &Instance, goal: &Goal) -> Option<String> {
        facts::best_known_warning(instance, goal.first())
    }

    fn encode(instance: &Instance, order: &Order) -> Encoded {
        names::encode(instance, &order.0)
    }

    fn renamed(solution: &Encoded, of_rows: &FormerNames) -> Option<Encoded> {
        names::renamed(solution, of_rows)
    }

    fn carry_demands(
        from: &Instance, to: &Instance, demands: &Encoded,
    ) -> std::result::Result<(Encoded, Vec<String>), String> {
        let names::Demands::FlowShop { start, rules } = demands.read()?;
        let rules = rules.resolved(from);
        let (carried, remarks) = names::carried_rules(from, to, &rules, &FormerNames::default());
        let rules = names::NamedRules::of(to, &carried);
        Ok((Encoded::of(&names::Demands::FlowShop { start, rules }), remarks))
    }

    fn decode(instance: &Instance, solution: &Encoded) -> std::result::Result<Order, String> {
        names::decode(instance, solution).map(Order)
    }

    fn check_whole(instance: &Instance, order: &Order) -> std::result::Result<(), String> {
        check(instance, &order.0).violations.into_iter().next().map_or(Ok(()), |violation| Err(violation.text))
    }

    fn read_solution(instance: &Instance, goal: &Goal, path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
        let file = solution::read(path, instance, SolutionOptions { counted_from })?;
        if counted_from.is_some() && file.counted_from.is_none() {
            let what = "its jobs have names, so nothing is counted; leave --counted-from out";
            return Err(Error::file(path, what));
        }
        let mut remarks = Vec::new();
        if let Some(first) = file.counted_from {
            let text = format!("jobs are counted from {first} in {}", path.display());
            remarks.push(Remark { key: "jobs_counted_from", value: json!(first), text });
        }
        if waits(instance, &file) {
            let text = format!(
                "operations wait in {} though they could start; that is judged as it stands there, what is exported or \
                 compared starts as early as it can",
                path.display()
            );
            remarks.push(Remark { key: "earliest_starts", value: json!(false), text });
        }
        if let (Goal::Front(_), false) = (goal, file.operations.is_empty()) {
            let what =
                "it states the times of one schedule, no front; name one objective, such as --objective makespan";
            return Err(Error::file(path, what));
        }
        let stated = (!file.operations.is_empty()).then(|| judged(instance, goal.first(), file.verdict(instance)));
        Ok(ReadSolution { solution: names::encode(instance, &file.order), stated, unlike: None, remarks })
    }

    fn verify(instance: &Instance, goal: &Goal, order: &Order, result: Option<&RunResult>) -> Result<Judged> {
        let Goal::Front(objectives) = goal else {
            let instance = &run::with_rules_of(instance, result)?;
            return Ok(judged(instance, goal.first(), check(instance, &order.0)));
        };
        match result.and_then(|result| result.front.as_ref()) {
            Some(front) => judged_front(instance, *goal, front, &order.0),
            None => judged_front(instance, *goal, &stored::single(instance, objectives, &order.0), &order.0),
        }
    }

    fn check_export(
        instance: &Instance, goal: &Goal, ending: &str, _origin: ExportOrigin<'_>,
    ) -> std::result::Result<(), MissingData> {
        export::check_format(instance, matches!(goal, Goal::Front(_)), goal.first(), ending)
    }

    fn export(
        instance: &Instance, order: &Order, path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        if ending == export::FRONT {
            let Some(front) = options.result.and_then(|result| result.front.as_ref()) else {
                let what = "it holds no front; take the result of a run with --objective pareto";
                return Err(Error::file(path, what));
            };
            return export::front_bytes(instance, front);
        }
        let letterhead = options.letterhead.clone();
        let drawn = export::ExportOptions { letterhead, ..export::ExportOptions::default() };
        export::bytes_with(instance, &Schedule::new(instance, &order.0), ending, &drawn)
    }

    fn compare(instance: &Instance, goal: &Goal, [before, after]: [&Order; 2], paths: [&Path; 2]) -> Result<Compared> {
        let comparison = comparison::Comparison::of(instance, &before.0, &after.0)?;
        Ok(comparison_text::compared(instance, goal.first(), &comparison, paths))
    }

    fn measures(instance: &Instance, goal: &Goal, order: &Order) -> Result<Vec<Measure>> {
        Ok(measures::of_verdict(instance, goal.first(), &check(instance, &order.0)))
    }
}
