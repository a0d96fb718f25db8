//! The permutation flow shop on the command line.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use gridwright_solver::flowshop::check::{self, check};
use gridwright_solver::flowshop::comparison;
use gridwright_solver::flowshop::formats::solution::{self, SolutionFile, SolutionOptions};
use gridwright_solver::flowshop::formats::{self, LoadOptions, Orientation};
use gridwright_solver::flowshop::multiobjective::{Front, Goal, stored};
use gridwright_solver::flowshop::run::{self, Algorithm, Settings};
use gridwright_solver::flowshop::{Instance, Objective, Order as Sequence, Schedule, export};
use gridwright_solver::result::{RunResult, Solution, StoredFront, Verdict};
use gridwright_solver::search::{Budget, Control, Progress, Stop};
use gridwright_solver::{Error, Result, files};
use serde_json::json;

use super::opening::absolute;
use super::problem::{Compared, Comparison, Fact, Found, Judged, Problem, Pulse, Remark, Wishes};
use super::{flowshop_facts, order_comparison, text};
use crate::arguments::{InstanceArguments, Order};

/// The name of the problem in results and JSON.
pub const KIND: &str = "flowshop";

/// What a search takes where nobody says how long: long enough for a good order, short enough to wait for.
const DEFAULT_SECONDS: f64 = 30.0;

/// An opened flow shop.
pub struct FlowShop {
    instance: Instance,
    source: String,
    /// What is asked for.
    goal: Goal,
    /// The objective, or the first of several.
    objective: Objective,
    number: Option<usize>,
    orientation: Option<Orientation>,
}

impl FlowShop {
    /// Opens a file, a sample or an instance of Taillard's with what a person says beyond it.
    ///
    /// # Errors
    /// What is wrong with the file, by line; options that only sessions have; an objective that needs due dates which
    /// are not there.
    pub fn open(arguments: &InstanceArguments) -> Result<Self> {
        let &InstanceArguments { ref source, periods, objective, number, orientation, .. } = arguments;
        if periods.is_some() {
            let what = format!("--periods is for examination sessions; {source} is a flow shop, leave it out");
            return Err(Error::Usage(what));
        }
        let instance = formats::open(source, &LoadOptions { orientation, number })?;
        let goal = objective.unwrap_or(Goal::One(Objective::Makespan));
        if let Goal::Front(objectives) = goal {
            objectives.check(&instance)?;
        }
        let objective = goal.first();
        if objective.needs_due_dates() && !instance.has_due_dates() {
            let name = &instance.name;
            let what = format!(
                "{name}: its jobs have no due dates, so nothing can be late; choose --objective makespan or flowtime, \
                 or add due dates (in a table, a column “due date”)"
            );
            return Err(Error::Usage(what));
        }
        Ok(Self { instance, source: absolute(source)?, goal, objective, number, orientation })
    }

    /// The order of a solution that names jobs, which may lack jobs or have some twice: that is for the checker to say.
    fn order(&self, solution: &Solution, path: &Path) -> Result<Vec<u16>> {
        let name = &self.instance.name;
        let Solution::Order(jobs) = solution else {
            let noun = solution.noun();
            let what =
                format!("it holds {noun}, no order of the jobs of {name}; name the instance that it was made for");
            return Err(Error::file(path, what));
        };
        let places = self.instance.jobs.iter().enumerate();
        let places: HashMap<&str, u16> = places.map(|(place, job)| (job.name.as_str(), place as u16)).collect();
        let place = |job: &String| {
            places.get(job.as_str()).copied().ok_or_else(|| {
                let what = format!(
                    "it holds an unknown job “{}”, so it is no order for {name}; name the instance that it was made for",
                    job.escape_debug()
                );
                Error::file(path, what)
            })
        };
        jobs.iter().map(place).collect()
    }

    /// An order of all jobs.
    fn whole_order(&self, solution: &Solution, path: &Path) -> Result<Vec<u16>> {
        let order = self.order(solution, path)?;
        match check(&self.instance, &order).violations.first() {
            None => Ok(order),
            Some(violation) => {
                let what = format!("{}; “gridwright verify” lists all that is wrong with it", violation.text);
                Err(Error::file(path, what))
            }
        }
    }

    fn solution(&self, order: &[u16]) -> Solution {
        Solution::Order(order.iter().map(|&job| self.instance.jobs[usize::from(job)].name.clone()).collect())
    }

    fn settings(&self, order: &Order) -> Result<Settings> {
        let mut algorithm = match &order.algorithm {
            Some(name) => Algorithm::named(name)?,
            None => Algorithm::for_goal(self.goal),
        };
        for (name, value) in &order.parameters {
            algorithm.set(name, value)?;
        }
        algorithm.check(self.goal)?;
        let budget = order.budget.unwrap_or(Budget::Seconds(DEFAULT_SECONDS));
        Ok(Settings {
            algorithm,
            objective: self.goal,
            backend: order.backend.clone(),
            threads: order.threads,
            seed: order.seed,
            stop: Stop { budget, target: order.target.map(f64::floor), stall: order.stall },
        })
    }

    fn judged(&self, verdict: check::Verdict) -> Judged {
        let figures = flowshop_facts::of_verdict(self.objective, &verdict);
        // Where the objective needs due dates, opening has made sure that they are there.
        let cost = verdict.value(self.objective).unwrap_or_default();
        let verdict = Verdict {
            feasible: verdict.feasible,
            cost: cost as f64,
            cost_display: text::count(cost),
            confirmed: true,
            violations: verdict.violations,
        };
        Judged { verdict, figures }
    }

    /// What the checker says of a front, of which `solution` is the order to look at first.
    fn judged_front(&self, front: &StoredFront, solution: &[u16]) -> Result<Judged> {
        let judged = stored::judge(&self.instance, front)?;
        let figures = flowshop_facts::of_front(self.goal, front, &judged, &check(&self.instance, solution));
        let verdict = Verdict {
            feasible: judged.feasible,
            cost: judged.missing as f64,
            cost_display: stored::cost_text(judged.missing),
            confirmed: true,
            violations: judged.violations,
        };
        Ok(Judged { verdict, figures })
    }
}

impl Problem for FlowShop {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &str {
        &self.instance.name
    }

    fn file_hash(&self) -> &str {
        &self.instance.hash
    }

    fn warnings(&self) -> &[String] {
        &self.instance.warnings
    }

    fn said(&self) -> BTreeMap<String, String> {
        let number = self.number.map(|number| ("number".to_owned(), number.to_string()));
        let orientation = self.orientation.map(|rows| ("orientation".to_owned(), rows.name().to_owned()));
        number.into_iter().chain(orientation).collect()
    }

    fn facts(&self) -> Vec<Fact> {
        flowshop_facts::of_instance(&self.instance, self.objective)
    }

    fn in_short(&self) -> String {
        let [jobs, machines] =
            [text::plural(self.instance.job_count(), "job"), text::plural(self.instance.machine_count(), "machine")];
        let dated = if self.instance.has_due_dates() { ", due dates" } else { "" };
        format!("{jobs}, {machines}{dated}")
    }

    fn check_order(&self, order: &Order) -> Result<()> {
        self.settings(order).map(drop)
    }

    fn step_noun(&self, _algorithm: &str) -> &'static str {
        "steps"
    }

    fn export_endings(&self) -> Vec<&'static str> {
        export::FORMATS.iter().map(|format| format.0).chain([export::FRONT.0]).collect()
    }

    fn check_export(&self, ending: &str) -> Result<()> {
        if ending == export::FRONT.0
            && let Goal::One(objective) = self.goal
        {
            let what = format!(
                "front.csv is the table of a front, and {objective} is one objective; solve with --objective pareto, or give \
                 the table of operations another name, such as plan.csv"
            );
            return Err(Error::Usage(what));
        }
        Ok(())
    }

    fn shown(&self, cost: f64) -> f64 {
        cost
    }

    fn shown_text(&self, shown: f64) -> String {
        text::number(shown)
    }

    fn cost_line(&self, cost: f64) -> String {
        match self.goal {
            Goal::One(objective) => format!("{} ({})", text::number(cost), objective.label().to_lowercase()),
            Goal::Front(_) => stored::cost_text(cost as u64),
        }
    }

    fn best_known(&self) -> Option<f64> {
        match self.goal {
            Goal::One(objective) => flowshop_facts::best_known(&self.instance, objective).map(|best| best as f64),
            Goal::Front(_) => None,
        }
    }

    fn best_known_doubt(&self) -> Option<String> {
        flowshop_facts::doubt(&self.instance, self.objective)
    }

    fn solve(&self, order: &Order, control: &Control, observer: &mut dyn FnMut(&Pulse<'_>)) -> Result<RunResult> {
        let settings = self.settings(order)?;
        let mut result = match self.goal {
            Goal::One(_) => run::solve(&self.instance, &settings, control, &mut |progress| tell(progress, observer))?,
            Goal::Front(_) => {
                run::solve_front(&self.instance, &settings, control, &mut |progress| tell_front(progress, observer))?
            }
        };
        result.instance.source.clone_from(&self.source);
        result.instance.options.extend(self.said());
        Ok(result)
    }

    fn replay(
        &self,
        result: &RunResult,
        backend: &str,
        threads: usize,
        control: &Control,
        observer: &mut dyn FnMut(&Pulse<'_>),
    ) -> Result<Comparison> {
        let told = &mut |progress: &Progress<Sequence>| tell(progress, observer);
        let report = run::replay(&self.instance, result, backend, threads, control, told)?;
        Ok(Comparison {
            epochs: report.epochs,
            first_difference: report.first_difference,
            cost_equal: report.cost_equal,
            seconds: report.seconds,
        })
    }

    fn read_solution(&self, path: &Path, counted_from: Option<u16>) -> Result<Found> {
        let file = solution::read(path, &self.instance, SolutionOptions { counted_from })?;
        if counted_from.is_some() && file.counted_from.is_none() {
            let what = "its jobs have names, so nothing is counted; leave --counted-from out";
            return Err(Error::file(path, what));
        }
        let mut remarks = Vec::new();
        if let Some(first) = file.counted_from {
            let text = format!("jobs are counted from {first} in {}", path.display());
            remarks.push(Remark { key: "jobs_counted_from", value: json!(first), text });
        }
        if waits(&self.instance, &file) {
            let text = format!(
                "operations wait in {} though they could start; that is judged as it stands there, what is exported or \
                 compared starts as early as it can",
                path.display()
            );
            remarks.push(Remark { key: "earliest_starts", value: json!(false), text });
        }
        if let (Goal::Front(_), false) = (self.goal, file.operations.is_empty()) {
            let what =
                "it states the times of one schedule, no front; name one objective, such as --objective makespan";
            return Err(Error::file(path, what));
        }
        let stated = (!file.operations.is_empty()).then(|| self.judged(file.verdict(&self.instance)));
        Ok(Found { solution: self.solution(&file.order), stated, remarks })
    }

    fn verify(&self, solution: &Solution, path: &Path, result: Option<&RunResult>) -> Result<Judged> {
        let order = self.order(solution, path)?;
        let Goal::Front(objectives) = self.goal else { return Ok(self.judged(check(&self.instance, &order))) };
        let judged = match result.and_then(|result| result.front.as_ref()) {
            Some(front) => self.judged_front(front, &order),
            None => self.judged_front(&stored::single(&self.instance, &objectives, &order), &order),
        };
        judged.map_err(|error| match error {
            Error::Usage(what) => Error::file(path, what),
            other => other,
        })
    }

    fn export(&self, solution: &Solution, path: &Path, target: &Path, wishes: &Wishes<'_>) -> Result<()> {
        if files::known_ending(target, self.export_endings().into_iter()) == Some(export::FRONT.0) {
            let Some(front) = wishes.result.and_then(|result| result.front.as_ref()) else {
                let what = "it holds no front; take the result of a run with --objective pareto";
                return Err(Error::file(path, what));
            };
            return export::write_front(&self.instance, front, target);
        }
        let schedule = Schedule::new(&self.instance, &self.whole_order(solution, path)?);
        export::write(&self.instance, &schedule, target)
    }

    fn compare(&self, solutions: [&Solution; 2], paths: [&Path; 2]) -> Result<Compared> {
        let before = self.whole_order(solutions[0], paths[0])?;
        let after = self.whole_order(solutions[1], paths[1])?;
        let comparison = comparison::Comparison::of(&self.instance, &before, &after)?;
        Ok(order_comparison::compared(&self.instance, self.objective, &comparison, paths))
    }
}

/// Whether a file states times without a fault that are not those of its order when every operation starts at once.
fn waits(instance: &Instance, file: &SolutionFile) -> bool {
    if file.operations.is_empty() || !file.verdict(instance).feasible {
        return false;
    }
    let schedule = Schedule::new(instance, &file.order);
    let mut positions = vec![0; file.order.len()];
    file.order.iter().enumerate().for_each(|(position, &job)| positions[usize::from(job)] = position);
    let earliest = |one: &check::Operation| schedule.start(positions[usize::from(one.job)], usize::from(one.machine));
    file.operations.iter().any(|one| one.start != earliest(one))
}

/// Says where a search for a front stands.
fn tell_front(progress: &Progress<Front>, observer: &mut dyn FnMut(&Pulse<'_>)) {
    let snapshot = &progress.snapshot;
    let front = &snapshot.best;
    observer(&Pulse {
        seconds: progress.seconds,
        share: progress.share,
        step: snapshot.step,
        evaluations: snapshot.evaluations,
        best: &|| format!("{}, hypervolume {:.5}", text::plural(front.points.len(), "order"), front.hypervolume()),
    });
}

/// Says where a search stands; costs of flow shops are whole numbers.
fn tell(progress: &Progress<Sequence>, observer: &mut dyn FnMut(&Pulse<'_>)) {
    let snapshot = &progress.snapshot;
    observer(&Pulse {
        seconds: progress.seconds,
        share: progress.share,
        step: snapshot.step,
        evaluations: snapshot.evaluations,
        best: &|| text::number(snapshot.best_cost),
    });
}
