//! The permutation flow shop on the command line.

use std::collections::BTreeMap;
use std::path::Path;

use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult, StoredFront};
use gridwright_core::search::{Budget, Control, Progress};
use gridwright_core::{Error, Result};
use gridwright_flowshop::check::{self, check};
use gridwright_flowshop::comparison;
use gridwright_flowshop::formats::solution::{self, SolutionFile, SolutionOptions};
use gridwright_flowshop::formats::{self, LoadOptions, Orientation};
use gridwright_flowshop::multiobjective::{Front, Goal, stored};
use gridwright_flowshop::problem;
use gridwright_flowshop::run::{self, Algorithm, Settings};
use gridwright_flowshop::stored as names;
use gridwright_flowshop::{Instance, Objective, Order as Sequence, Schedule, export};
use serde_json::json;

use super::state::FlowShopViews;
use super::{bench, generate};
use super::{comparison_text, facts};
use crate::arguments::instance::{InstanceArguments, check_options};
use crate::arguments::request::SolveRequest;
use crate::command::problem::{
    Compared, ExportOptions, ExportOrigin, Fact, Identity, Judged, OpenInstance, ProgressReport, ReadSolution, Remark,
};
use crate::command::text;
use crate::problem::{Collection, Line, ProblemUi, Sample, ShippedPlan};
use gridwright_flowshop::library;

/// Default time limit of a search, in seconds: long enough for a good order, short enough to wait for.
const DEFAULT_SECONDS: f64 = 30.0;

/// The flow shops that ship.
const SAMPLES: [Sample; 1] = [("sample:workshop", "Workshop", "8 jobs, 4 machines, due dates")];

/// Taillard's instances, made from their seeds when they are opened.
fn taillard() -> Vec<Line> {
    let line = |entry: &library::Entry| Line {
        source: format!("taillard:{}", entry.name),
        name: entry.name.clone(),
        facts: format!("{} jobs, {} machines", entry.jobs, entry.machines),
    };
    library::entries().iter().map(line).collect()
}

/// Plans of campaigns.
const CAMPAIGNS: [ShippedPlan; 4] = [
    ShippedPlan {
        name: "makespan",
        question: "Gaps of iterated greedy on the instances of Taillard",
        text: include_str!("../../../../datasets/campaigns/makespan.ron"),
    },
    ShippedPlan {
        name: "shops-60s",
        question: "Makespan and flow time after a minute of iterated greedy, on one instance of each size",
        text: include_str!("../../../../datasets/campaigns/shops-60s.ron"),
    },
    ShippedPlan {
        name: "makespan-sizes",
        question: "Iterated greedy on one instance of each size, beside Bożejko and others, 2009",
        text: include_str!("../../../../datasets/campaigns/papers/makespan.ron"),
    },
    ShippedPlan {
        name: "multiobjective",
        question: "Fronts of makespan, tardiness and tardy jobs, beside Luong and others, 2011",
        text: include_str!("../../../../datasets/campaigns/papers/multiobjective.ron"),
    },
];

/// Flow shops: registration of command line, documents, samples and generators.
pub static UI: ProblemUi = ProblemUi {
    card: Some(super::card::CARD),
    terms: &super::terms::TERMS,
    lessons: &super::guided::LESSONS,
    samples: &SAMPLES,
    endings: &["csv", "tsv", "txt", "fsp"],
    collection: Some(Collection { heading: "Taillard’s 120", lines: taillard }),
    generators: &generate::GENERATORS,
    campaigns: &CAMPAIGNS,
    suites: &bench::SUITES,
    bench: bench::run,
    ..ProblemUi::of::<FlowShopViews>(FlowShop::boxed)
};

/// An opened flow shop.
pub struct FlowShop {
    instance: Instance,
    /// Objective or objectives to minimise.
    goal: Goal,
    /// The objective, or the first of several.
    objective: Objective,
    number: Option<usize>,
    orientation: Option<Orientation>,
}

impl FlowShop {
    fn boxed(arguments: &InstanceArguments) -> Result<Box<dyn OpenInstance>> {
        Ok(Box::new(Self::open(arguments)?))
    }

    /// Opens a file, a sample or one of Taillard's instances, with the overrides of the command line.
    ///
    /// # Errors
    /// Error with the line number if the file is malformed; error if an option belongs to another problem, or if an
    /// objective needs due dates that the instance lacks.
    pub fn open(arguments: &InstanceArguments) -> Result<Self> {
        let InstanceArguments { source, overrides } = arguments;
        let (number, orientation) = (overrides.value("number")?, overrides.value("orientation")?);
        let objective: Option<Goal> = overrides.value("objective")?;
        arguments.check_for(&problem::FlowShop)?;
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
        Ok(Self { instance, goal, objective, number, orientation })
    }

    /// The order of a solution that names jobs, which may lack jobs or have some twice: that is for the checker to say.
    fn order(&self, solution: &Encoded, path: &Path) -> Result<Vec<u16>> {
        names::decode(&self.instance, solution).map_err(|what| Error::file(path, what))
    }

    /// An order of all jobs.
    fn whole_order(&self, solution: &Encoded, path: &Path) -> Result<Vec<u16>> {
        let order = self.order(solution, path)?;
        match check(&self.instance, &order).violations.first() {
            None => Ok(order),
            Some(violation) => {
                let what = format!("{}; “gridwright verify” lists all that is wrong with it", violation.text);
                Err(Error::file(path, what))
            }
        }
    }

    fn settings(&self, request: &SolveRequest) -> Result<Settings> {
        check_options(&request.options, &problem::FlowShop, &self.instance.name)?;
        let default = Algorithm::for_goal(self.goal);
        let mut settings = request.settings(default, self.goal, |_| Budget::Seconds(DEFAULT_SECONDS))?;
        settings.algorithm.check(self.goal)?;
        settings.stop.target = request.target.map(f64::floor);
        Ok(settings)
    }

    fn judged(&self, verdict: check::Verdict) -> Judged {
        let figures = facts::of_verdict(self.objective, &verdict);
        // Where the objective needs due dates, opening has made sure that they are there.
        Judged { verdict: verdict.stored(self.objective), figures }
    }

    /// Returns the checker's verdict on a front; `solution` is the member that is displayed first.
    fn judged_front(&self, front: &StoredFront, solution: &[u16]) -> Result<Judged> {
        let judged = stored::judge(&self.instance, front)?;
        let figures = facts::of_front(self.goal, front, &judged, &check(&self.instance, solution));
        Ok(Judged { verdict: judged.into(), figures })
    }
}

impl OpenInstance for FlowShop {
    fn identity(&self) -> Identity<'_> {
        let Instance { name, hash, warnings, .. } = &self.instance;
        Identity { problem: &problem::FlowShop, name, file_hash: hash, warnings }
    }

    fn overrides(&self) -> BTreeMap<String, String> {
        let number = self.number.map(|number| ("number".to_owned(), number.to_string()));
        let orientation = self.orientation.map(|rows| ("orientation".to_owned(), rows.name().to_owned()));
        number.into_iter().chain(orientation).collect()
    }

    fn facts(&self) -> Vec<Fact> {
        facts::of_instance(&self.instance, self.objective)
    }

    fn in_short(&self) -> String {
        let [jobs, machines] =
            [text::plural(self.instance.job_count(), "job"), text::plural(self.instance.machine_count(), "machine")];
        let dated = if self.instance.has_due_dates() { ", due dates" } else { "" };
        format!("{jobs}, {machines}{dated}")
    }

    fn check_request(&self, request: &SolveRequest) -> Result<()> {
        self.settings(request).map(drop)
    }

    fn export_endings(&self) -> Vec<&'static str> {
        export::FORMATS.iter().map(|format| format.0).chain([export::FRONT.0]).collect()
    }

    fn check_export(&self, ending: &str, _origin: ExportOrigin<'_>) -> Result<()> {
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

    fn shown_text(&self, shown: f64) -> String {
        text::quantity(shown)
    }

    fn cost_line(&self, cost: f64) -> String {
        match self.goal {
            Goal::One(objective) => format!("{} ({})", text::quantity(cost), objective.label().to_lowercase()),
            Goal::Front(_) => stored::cost_text(cost as u64),
        }
    }

    fn best_known(&self) -> Option<f64> {
        match self.goal {
            Goal::One(objective) => facts::best_known(&self.instance, objective).map(|best| best as f64),
            Goal::Front(_) => None,
        }
    }

    fn best_known_warning(&self) -> Option<String> {
        facts::best_known_warning(&self.instance, self.objective)
    }

    fn solve(
        &self, request: &SolveRequest, control: &Control, observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<RunResult> {
        let settings = self.settings(request)?;
        match self.goal {
            Goal::One(_) => run::solve(&self.instance, &settings, control, &mut |progress| tell(progress, observer)),
            Goal::Front(_) => {
                run::solve_front(&self.instance, &settings, control, &mut |progress| tell_front(progress, observer))
            }
        }
    }

    fn replay(
        &self, result: &RunResult, backend: &str, threads: usize, control: &Control,
        observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<ReplayReport> {
        let told = &mut |progress: &Progress<Sequence>| tell(progress, observer);
        run::replay(&self.instance, result, backend, threads, control, told)
    }

    fn read_solution(&self, path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
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
        Ok(ReadSolution { solution: names::encode(&self.instance, &file.order), stated, remarks })
    }

    fn verify(&self, solution: &Encoded, path: &Path, result: Option<&RunResult>) -> Result<Judged> {
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

    fn export_bytes(
        &self, solution: &Encoded, path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        if ending == export::FRONT.0 {
            let Some(front) = options.result.and_then(|result| result.front.as_ref()) else {
                let what = "it holds no front; take the result of a run with --objective pareto";
                return Err(Error::file(path, what));
            };
            return export::front_bytes(&self.instance, front);
        }
        let schedule = Schedule::new(&self.instance, &self.whole_order(solution, path)?);
        let letterhead = options.letterhead.clone();
        let drawn = export::ExportOptions { letterhead, ..export::ExportOptions::default() };
        export::bytes_with(&self.instance, &schedule, ending, &drawn)
    }

    fn compare(&self, solutions: [&Encoded; 2], paths: [&Path; 2]) -> Result<Compared> {
        let before = self.whole_order(solutions[0], paths[0])?;
        let after = self.whole_order(solutions[1], paths[1])?;
        let comparison = comparison::Comparison::of(&self.instance, &before, &after)?;
        Ok(comparison_text::compared(&self.instance, self.objective, &comparison, paths))
    }
}

/// Returns `true` if the times of a feasible solution file differ from its order's semi-active schedule.
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
fn tell_front(progress: &Progress<Front>, observer: &mut dyn FnMut(&ProgressReport<'_>)) {
    let front = &progress.snapshot.best;
    let words = || format!("{}, hypervolume {:.5}", text::plural(front.points.len(), "order"), front.hypervolume());
    observer(&ProgressReport::new(progress, &words));
}

/// Says where a search stands; costs of flow shops are whole numbers.
fn tell(progress: &Progress<Sequence>, observer: &mut dyn FnMut(&ProgressReport<'_>)) {
    observer(&ProgressReport::new(progress, &|| text::quantity(progress.snapshot.best_cost)));
}
