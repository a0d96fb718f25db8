//! Examination timetabling on the command line.

use std::path::Path;

use chrono::Utc;
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult, Violation};
use gridwright_core::search::{Budget, Control, Progress};
use gridwright_core::{Error, Result, numbers, registry};
use gridwright_timetabling::formats::solution::{SolutionOptions, read_solution_with};
use gridwright_timetabling::formats::{self, LoadOptions};
use gridwright_timetabling::problem;
use gridwright_timetabling::report::Background;
use gridwright_timetabling::run::{self, Algorithm, Settings};
use gridwright_timetabling::{
    Instance, Objective, Rules, Timetable, around, check, comparison, export, instance, stored,
};
use serde_json::json;

use super::state::TimetablingViews;
use super::{bench, comparison_text, facts, generate};
use crate::arguments::instance::{InstanceArguments, check_options};
use crate::arguments::request::SolveRequest;
use crate::command::problem::{
    Compared, ExportOptions, ExportOrigin, Fact, Identity, Judged, OpenInstance, ProgressReport, ReadSolution, Remark,
};
use crate::command::text;
use crate::problem::{ProblemUi, Sample, ShippedPlan};

/// Default time limit of annealing, in seconds: long enough for a good plan, short enough to wait for.
const DEFAULT_SECONDS: f64 = 30.0;

/// Default number of generations of the evolutionary algorithm, as published.
const DEFAULT_GENERATIONS: u64 = 200;

/// Violations of one kind of the timetable to stay close to that are listed.
const LISTED: usize = 20;

/// The sessions that ship: source, name, sizes.
const SAMPLES: [Sample; 4] = [
    ("sample:school", "School", "40 exams, 400 students"),
    ("sample:faculty", "Faculty", "200 exams, 3\u{2009}000 students"),
    ("sample:university", "University", "600 exams, 20\u{2009}000 students"),
    ("sample:campus", "Campus with rooms", "600 exams, 20\u{2009}000 students"),
];

/// Plans of campaigns.
const CAMPAIGNS: [ShippedPlan; 3] = [
    ShippedPlan {
        name: "exams-annealing",
        question: "Costs of annealing after a minute on the sets of Toronto",
        text: include_str!("../../../../datasets/campaigns/exams-annealing.ron"),
    },
    ShippedPlan {
        name: "exams-costs",
        question: "Costs of evolution, beside those of Kolonias and others, 2014",
        text: include_str!("../../../../datasets/campaigns/papers/exams-costs.ron"),
    },
    ShippedPlan {
        name: "exams-times",
        question: "Times of evolution, beside those of Kolonias and others, 2014",
        text: include_str!("../../../../datasets/campaigns/papers/exams-times.ron"),
    },
];

/// Examination timetables: registration of command line, documents, samples and generators.
pub static UI: ProblemUi = ProblemUi {
    card: Some(super::card::CARD),
    terms: &super::terms::TERMS,
    lessons: &super::guided::LESSONS,
    samples: &SAMPLES,
    endings: &["stu", "crs", "csv", "tsv", "exam", "sol"],
    generators: &generate::GENERATORS,
    campaigns: &CAMPAIGNS,
    suites: &bench::SUITES,
    bench: bench::run,
    ..ProblemUi::of::<TimetablingViews>(Timetabling::boxed)
};

/// An opened examination session.
pub struct Timetabling {
    instance: Instance,
    remarks: Vec<String>,
}

impl Timetabling {
    fn boxed(arguments: &InstanceArguments) -> Result<Box<dyn OpenInstance>> {
        Ok(Box::new(Self::open(arguments)?))
    }

    /// Opens a file or a sample, with the overrides of the command line.
    ///
    /// # Errors
    /// Error with the line number if a file is malformed; error if an option belongs to another problem.
    pub fn open(arguments: &InstanceArguments) -> Result<Self> {
        let InstanceArguments { source, overrides } = arguments;
        arguments.check_for(&problem::Timetabling)?;
        let mut instance = formats::open(source, &LoadOptions { periods: overrides.value("periods")? })?;
        if let Some(text) = overrides.text("minimise") {
            instance.objective = Objective::parse(text, &instance.objective).map_err(Error::Usage)?;
            instance.objective.check(&instance).map_err(Error::Usage)?;
        }
        Ok(Self { remarks: instance.remarks(), instance })
    }

    fn check_complete(&self) -> Result<()> {
        if self.instance.period_count() > 0 {
            return Ok(());
        }
        let name = &self.instance.name;
        Err(Error::Usage(format!("{name}: its files do not say how many periods there are; say it with --periods N")))
    }

    /// The timetable of a solution that names all exams by their codes.
    fn timetable(&self, solution: &Encoded, path: &Path) -> Result<Timetable> {
        stored::decode_complete(&self.instance, solution).map_err(|what| Error::file(path, what))
    }

    /// Formats the best cost so far, or what the best timetable lacks.
    fn best_so_far(&self, progress: &Progress<Timetable>) -> String {
        let cost = progress.snapshot.best.cost(&self.instance);
        match (cost.unplaced, cost.clashes) {
            (0, 0) => self.instance.cost_text(cost.proximity),
            (0, clashes) => format!("{} with a clash", text::plural(clashes as usize, "student")),
            (unplaced, _) => format!("{unplaced} unplaced"),
        }
    }

    /// The session with the timetable of `--around` to stay close to, and what of that timetable no longer holds; `None`
    /// without one.
    fn around(&self, request: &SolveRequest) -> Result<Option<(Instance, Vec<String>)>> {
        let options = &request.options;
        let (price, room_price) = (options.value("price")?, options.value("room-price")?);
        let Some(file) = options.text("around") else {
            if price.is_some() || room_price.is_some() {
                let what = "a price belongs to a timetable to stay close to; name it with --around FILE";
                return Err(Error::Usage(what.to_owned()));
            }
            return Ok(None);
        };
        let path = Path::new(file);
        let (timetable, mut remarks) = self.former(path)?;
        let weight = price.unwrap_or_else(|| around::price_of_a_move(&self.instance, &timetable));
        let room_price = room_price.unwrap_or_else(|| around::price_of_a_room(&self.instance, weight));
        remarks.extend(around::by_kind(&check::check(&self.instance, &timetable), LISTED));
        Ok(Some((self.instance.around(timetable, weight, room_price), remarks)))
    }

    /// The timetable of a file, perhaps of an earlier state of the session, and what does not match.
    fn former(&self, path: &Path) -> Result<(Timetable, Vec<String>)> {
        if !registry::is_result(path) {
            let read = read_solution_with(path, &self.instance, SolutionOptions::default())?;
            return Ok((read.timetable, read.mismatches));
        }
        let result = registry::load_result(path)?;
        let before = run::calendar_of(&result);
        let before = if before.is_empty() { &self.instance.periods } else { &before };
        let timetable = stored::decode_carried(&self.instance, &result.solution, before);
        let timetable =
            timetable.ok_or_else(|| Error::file(path, "it holds no timetable; name a result of a session"))?;
        Ok((timetable, Vec::new()))
    }

    fn settings(&self, request: &SolveRequest) -> Result<Settings> {
        let mut settings = request.settings(Algorithm::default(), (), |algorithm| match algorithm {
            Algorithm::Annealing(_) => Budget::Seconds(DEFAULT_SECONDS),
            Algorithm::Evolution(_) => Budget::Steps(DEFAULT_GENERATIONS),
        })?;
        // Costs are integers; what people read has at most four decimals of them.
        let divisor = if self.instance.objective.is_per_student() { self.instance.divisor } else { 1 };
        settings.stop.target = request.target.map(|shown| (shown * f64::from(divisor)).round());
        Ok(settings)
    }
}

impl OpenInstance for Timetabling {
    fn identity(&self) -> Identity<'_> {
        let Instance { name, file_hash, .. } = &self.instance;
        Identity { problem: &problem::Timetabling, name, file_hash, warnings: &self.remarks }
    }

    fn facts(&self) -> Vec<Fact> {
        facts::of(&self.instance)
    }

    fn in_short(&self) -> String {
        let data = &self.instance;
        let [exams, students, periods] = [
            text::plural(data.exam_count(), "exam"),
            text::plural(data.students.len(), "student"),
            text::plural(data.period_count(), "period"),
        ];
        format!("{exams}, {students}, {periods}")
    }

    fn check_request(&self, request: &SolveRequest) -> Result<()> {
        check_options(&request.options, &problem::Timetabling, &self.instance.name)?;
        self.check_complete()?;
        self.around(request)?;
        self.settings(request).map(drop)
    }

    fn step_noun(&self, algorithm: &str) -> &'static str {
        if algorithm == "evolution" { "generations" } else { "steps" }
    }

    fn export_endings(&self) -> Vec<&'static str> {
        export::FORMATS.iter().map(|format| format.0).collect()
    }

    fn check_export(&self, ending: &str, _origin: ExportOrigin<'_>) -> Result<()> {
        if ending == export::SEATING && !self.instance.has_rooms() {
            let name = &self.instance.name;
            return Err(Error::Usage(format!("{name} plans no rooms; put a table rooms.csv beside its enrolments")));
        }
        let undated = self.instance.periods.iter().position(|period| period.date.is_none());
        let Some(period) = undated.filter(|_| export::needs_dates(ending)) else {
            return Ok(());
        };
        // What the export would say at the end, said before.
        let anywhere = Timetable::of(vec![period as u16; self.instance.exam_count()]);
        export::export_bytes(&self.instance, &anywhere, ending).map(drop)
    }

    fn shown(&self, cost: f64) -> f64 {
        if self.instance.objective.is_per_student() { cost / f64::from(self.instance.divisor) } else { cost }
    }

    fn shown_text(&self, shown: f64) -> String {
        if self.instance.objective.is_per_student() { numbers::cost(shown) } else { text::quantity(shown) }
    }

    fn cost_line(&self, cost: f64) -> String {
        match self.instance.objective.is_per_student() {
            true => format!("{} ({} undivided)", numbers::cost(self.shown(cost)), text::quantity(cost)),
            false => format!("{}, objective {}", text::quantity(cost), self.instance.objective.kind.label()),
        }
    }

    fn best_known(&self) -> Option<f64> {
        instance::best_known(&self.instance.name)
    }

    fn solve(
        &self, request: &SolveRequest, control: &Control, observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<RunResult> {
        self.check_complete()?;
        let settings = self.settings(request)?;
        let (instance, remarks) = self.around(request)?.unwrap_or_else(|| (self.instance.clone(), Vec::new()));
        let mut result = run::solve(&instance, &settings, control, &mut |progress| {
            self.tell(progress, observer);
        })?;
        result.notes.extend(remarks.into_iter().map(|remark| format!("Before: {remark}")));
        Ok(result)
    }

    fn replay(
        &self, result: &RunResult, backend: &str, threads: usize, control: &Control,
        observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<ReplayReport> {
        self.check_complete()?;
        run::replay(&self.instance, result, backend, threads, control, &mut |progress| {
            self.tell(progress, observer);
        })
    }

    fn read_solution(&self, path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
        self.check_complete()?;
        let read = read_solution_with(path, &self.instance, SolutionOptions { counted_from })?;
        let counted = Remark {
            key: "periods_counted_from",
            value: json!(read.counted_from),
            text: format!("periods are counted from {} in {}", read.counted_from, path.display()),
        };
        let differing = Remark { key: "mismatches", value: json!(read.mismatches), text: read.mismatches.join("; ") };
        let differing = Some(differing).filter(|_| !read.mismatches.is_empty());
        let solution = stored::encode(&self.instance, &read.timetable);
        Ok(ReadSolution { solution, stated: None, remarks: [counted].into_iter().chain(differing).collect() })
    }

    fn verify(&self, solution: &Encoded, path: &Path, result: Option<&RunResult>) -> Result<Judged> {
        self.check_complete()?;
        let timetable = self.timetable(solution, path)?;
        let mut verdict = check::check(&self.instance, &timetable);
        let mut changes = Vec::new();
        if let Some(result) = result.filter(|result| result.demands.is_some()) {
            // A file without rules of its own demands nothing but what the run was asked to mind, which may be that seats
            // are ignored; a project's own rules stay.
            let asked = run::with_demands(&self.instance, result)?;
            let then = check::check(&asked, &timetable);
            changes = facts::of_changes(&asked, &then);
            if self.instance.rules.is_empty() {
                let rules = Rules { ignore_durations: false, ..asked.rules };
                verdict = check::check(&Instance { rules, ..self.instance.clone() }, &timetable);
            }
            let new = |violation: &Violation| !verdict.violations.contains(violation);
            let further: Vec<Violation> = then.violations.into_iter().filter(new).collect();
            verdict.feasible &= further.is_empty();
            verdict.violations.extend(further);
        }
        let mut figures = vec![facts::of_components(&self.instance, &verdict.components)];
        figures.extend(changes);
        Ok(Judged { verdict: verdict.into(), figures })
    }

    fn export_bytes(
        &self, solution: &Encoded, path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        let before =
            options.before.map(|(solution, path)| Ok::<_, Error>((name_of(path), self.timetable(solution, path)?)));
        let before: Option<(String, Timetable)> = before.transpose()?;
        let before = before.as_ref().map(|(name, timetable)| (name.as_str(), timetable));
        let background = Background { result: options.result, before };
        let student = options.options.and_then(|options| options.text("student"));
        let letterhead = options.letterhead;
        let options = export::ExportOptions { background, student, rows: None, letterhead };
        export::export_bytes_with(&self.instance, &self.timetable(solution, path)?, ending, &options, Utc::now())
    }

    fn compare(&self, solutions: [&Encoded; 2], paths: [&Path; 2]) -> Result<Compared> {
        self.check_complete()?;
        let before = self.timetable(solutions[0], paths[0])?;
        let after = self.timetable(solutions[1], paths[1])?;
        let comparison = comparison::Comparison::of(&self.instance, &before, &after)?;
        Ok(comparison_text::compared(&self.instance, &comparison, paths))
    }
}

/// Returns the name of a solution in a report: its file name without the folders.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl Timetabling {
    fn tell(&self, progress: &Progress<Timetable>, observer: &mut dyn FnMut(&ProgressReport<'_>)) {
        observer(&ProgressReport::new(progress, &|| self.best_so_far(progress)));
    }
}
