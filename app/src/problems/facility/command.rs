//! Unequal-area facility layout on the command line.

use std::collections::BTreeMap;
use std::path::Path;

use gridwright_core::numbers::quantity;
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::search::{Budget, Control, Progress};
use gridwright_core::{Error, Result};
use gridwright_facility::check::{self, check};
use gridwright_facility::comparison;
use gridwright_facility::formats::{self, LoadOptions, solution};
use gridwright_facility::problem;
use gridwright_facility::run::{self, Algorithm, Settings};
use gridwright_facility::stored;
use gridwright_facility::{BestLayout, Instance, Layout, Orientation, export, library};
use serde_json::json;

use super::state::FacilityViews;
use super::{bench, generate};
use super::{comparison_text, facts};
use crate::arguments::instance::{InstanceArguments, check_options};
use crate::arguments::request::SolveRequest;
use crate::command::problem::{
    Compared, ExportOptions, Fact, Identity, Judged, OpenInstance, ProgressReport, ReadSolution, Remark,
};
use crate::command::text;
use crate::problem::{ProblemUi, Sample, ShippedPlan};

/// Default time limit of a search, in seconds: long enough for a good layout, short enough to wait for.
const DEFAULT_SECONDS: f64 = 30.0;

/// Default time limit of a proof, in seconds.
const PROOF_SECONDS: f64 = 600.0;

/// Maximum number of violations that are printed for an infeasible layout.
const TOLD_FAULTS: usize = 12;

/// The layout problems that ship, and those that are generated.
const SAMPLES: [Sample; 7] = [
    ("sample:layout-workshop", "Joinery", "12 departments, 24 × 16 m"),
    ("sample:layout-plant", "Plant", "30 departments, 60 × 39 m"),
    ("layout:F40", "F40", "40 departments, 45 × 45"),
    ("layout:F60", "F60", "60 departments, 45 × 45"),
    ("layout:F80", "F80", "80 departments, 45 × 45"),
    ("layout:F100", "F100", "100 departments, 45 × 45"),
    ("layout:F120", "F120", "120 departments, 45 × 45"),
];

/// Plans of campaigns.
const CAMPAIGNS: [ShippedPlan; 1] = [ShippedPlan {
    name: "layouts",
    question: "Island searches with three kinds of seeding, beside Sun and others, 2019",
    text: include_str!("../../../../datasets/campaigns/papers/layouts.ron"),
}];

/// Facility layouts: registration of command line, documents, samples and generators.
pub static UI: ProblemUi = ProblemUi {
    card: Some(super::card::CARD),
    terms: &super::terms::TERMS,
    samples: &SAMPLES,
    endings: &["csv", "tsv", "json", "ron"],
    generators: &generate::GENERATORS,
    campaigns: &CAMPAIGNS,
    suites: &bench::SUITES,
    bench: bench::run,
    ..ProblemUi::of::<FacilityViews>(Facility::boxed)
};

/// An opened layout problem.
pub struct Facility {
    instance: Instance,
    /// Options of the command line that override the file.
    overrides: LoadOptions,
}

impl Facility {
    fn boxed(arguments: &InstanceArguments) -> Result<Box<dyn OpenInstance>> {
        Ok(Box::new(Self::open(arguments)?))
    }

    /// Opens a file, a folder of tables, a sample or a generated problem, with the overrides of the command line.
    ///
    /// # Errors
    /// Error with the line number if a file is malformed; error if an option belongs to another problem.
    pub fn open(arguments: &InstanceArguments) -> Result<Self> {
        arguments.check_for(&problem::Facility)?;
        let InstanceArguments { source, overrides } = arguments;
        let overrides = LoadOptions::of(overrides)?;
        let instance = formats::open(source, &overrides)?;
        Ok(Self { instance, overrides })
    }

    /// The layout of a solution that names departments, which may lack some or have some twice: that is for the checker to
    /// say.
    fn layout(&self, solution: &Encoded, path: &Path) -> Result<Layout> {
        stored::decode(&self.instance, solution).map_err(|what| Error::file(path, what))
    }

    /// A layout of all departments, whatever their shapes.
    fn whole_layout(&self, solution: &Encoded, path: &Path) -> Result<Layout> {
        let layout = self.layout(solution, path)?;
        let is_whole = |kind: &str| !["missing", "twice", "unknown", "empty"].contains(&kind);
        match check(&self.instance, &layout).violations.into_iter().find(|one| !is_whole(&one.kind)) {
            None => Ok(layout),
            Some(violation) => {
                let what = format!("{}; “gridwright verify” lists all that is wrong with it", violation.text);
                Err(Error::file(path, what))
            }
        }
    }

    fn judged(&self, layout: &Layout, verdict: check::Verdict) -> Judged {
        let figures = facts::of_layout(&self.instance, layout, &verdict);
        Judged { verdict: verdict.into(), figures }
    }

    /// The instance with the rules that a run was to mind.
    fn demanded(&self, result: Option<&RunResult>) -> Result<Instance> {
        let mut instance = self.instance.clone();
        if let Some((rules, _)) = result.map(run::demands_of) {
            rules.check(&instance)?;
            instance.rules = rules;
        }
        Ok(instance)
    }

    fn settings(&self, request: &SolveRequest) -> Result<Settings> {
        check_options(&request.options, &problem::Facility, &self.instance.name)?;
        let bays = request.options.text("bays");
        let orientation = Orientation::ALL.into_iter().find(|orientation| bays == Some(orientation.name()));
        let default = Algorithm::for_instance(&self.instance);
        let settings = request.settings(default, orientation, |algorithm| match algorithm {
            Algorithm::Memetic(_) => Budget::Seconds(DEFAULT_SECONDS),
            Algorithm::Enumeration(_) => Budget::Seconds(PROOF_SECONDS),
            // As published, it says itself how many generations it has.
            Algorithm::Genetic(parameters) => Budget::Steps(parameters.generations.into()),
        })?;
        settings.algorithm.check(&self.instance)?;
        Ok(settings)
    }
}

impl OpenInstance for Facility {
    fn identity(&self) -> Identity<'_> {
        let Instance { name, hash, warnings, .. } = &self.instance;
        Identity { problem: &problem::Facility, name, file_hash: hash, warnings }
    }

    fn overrides(&self) -> BTreeMap<String, String> {
        let LoadOptions { plant, aspect, distance } = &self.overrides;
        let plant = plant.map(|plant| ("plant".to_owned(), plant.to_string()));
        let aspect = aspect.map(|aspect| ("aspect".to_owned(), aspect.to_string()));
        let distance = distance.map(|distance| ("distance".to_owned(), distance.name().to_owned()));
        plant.into_iter().chain(aspect).chain(distance).collect()
    }

    fn facts(&self) -> Vec<Fact> {
        facts::of_instance(&self.instance)
    }

    fn in_short(&self) -> String {
        let [width, height] = [self.instance.width, self.instance.height].map(text::quantity);
        let pairs = facts::pairs(self.instance.flow_pairs());
        format!("{} in a plant of {width} × {height}, {pairs}", text::plural(self.instance.len(), "department"))
    }

    fn check_request(&self, request: &SolveRequest) -> Result<()> {
        self.settings(request).map(drop)
    }

    fn step_noun(&self, algorithm: &str) -> &'static str {
        if algorithm == "genetic" { "generations" } else { "steps" }
    }

    fn export_endings(&self) -> Vec<&'static str> {
        export::FORMATS.iter().map(|format| format.0).collect()
    }

    fn shown_text(&self, shown: f64) -> String {
        quantity(shown)
    }

    fn cost_line(&self, cost: f64) -> String {
        format!("{} (flow × {} distance)", quantity(cost), self.instance.distance.name())
    }

    fn best_known(&self) -> Option<f64> {
        library::best_known(&self.instance)
    }

    fn solve(
        &self, request: &SolveRequest, control: &Control, observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<RunResult> {
        let settings = self.settings(request)?;
        let mut result = run::solve(&self.instance, &settings, control, &mut |progress| tell(progress, observer))?;
        if !result.verdict.feasible {
            // The least violating layout is kept; what is wrong with it belongs to it.
            let violations = &result.verdict.violations;
            let faults = violations.iter().take(TOLD_FAULTS).map(|violation| violation.text.clone());
            let more = violations.len().saturating_sub(TOLD_FAULTS);
            let rest = (more > 0).then(|| format!("… and {}", text::plural(more, "more violation")));
            let faults: Vec<String> = faults.chain(rest).collect();
            result.notes.extend(faults);
        }
        Ok(result)
    }

    fn replay(
        &self, result: &RunResult, backend: &str, threads: usize, control: &Control,
        observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<ReplayReport> {
        let told = &mut |progress: &Progress<BestLayout>| tell(progress, observer);
        run::replay(&self.instance, result, backend, threads, control, told)
    }

    fn read_solution(&self, path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
        if counted_from.is_some() {
            let what = "departments are named, so nothing is counted; leave --counted-from out";
            return Err(Error::file(path, what));
        }
        let file = solution::read(path, &self.instance)?;
        let mut remarks = Vec::new();
        if !file.is_oriented {
            let text = format!("{} does not say how its bays lie; they are taken as vertical", path.display());
            remarks.push(Remark { key: "orientation_assumed", value: json!("vertical"), text });
        }
        let stated = file.stated_verdict(&self.instance).map(|verdict| self.judged(&file.layout, verdict));
        Ok(ReadSolution { solution: stored::encode(&self.instance, &file.layout), stated, remarks })
    }

    fn verify(&self, solution: &Encoded, path: &Path, result: Option<&RunResult>) -> Result<Judged> {
        let layout = self.layout(solution, path)?;
        let instance = self.demanded(result).map_err(|error| Error::file(path, error.to_string()))?;
        Ok(self.judged(&layout, check(&instance, &layout)))
    }

    fn export_bytes(
        &self, solution: &Encoded, path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        let layout = self.whole_layout(solution, path)?;
        let least = options.options.and_then(|options| options.text("least-flow"));
        let without_flows = least.is_some_and(|least| least.eq_ignore_ascii_case("none"));
        let threshold = least.and_then(|least| least.parse().ok());
        let date = Some(chrono::Local::now().date_naive());
        let letterhead = options.letterhead.clone();
        let drawn = export::ExportOptions { threshold, without_flows, date, letterhead };
        export::bytes(&self.demanded(options.result)?, &layout, ending, &drawn)
    }

    fn compare(&self, solutions: [&Encoded; 2], paths: [&Path; 2]) -> Result<Compared> {
        let before = self.whole_layout(solutions[0], paths[0])?;
        let after = self.whole_layout(solutions[1], paths[1])?;
        let comparison = comparison::Comparison::of(&self.instance, &before, &after)?;
        Ok(comparison_text::compared(&self.instance, [&before, &after], &comparison, paths))
    }
}

/// Says where a search stands.
fn tell(progress: &Progress<BestLayout>, observer: &mut dyn FnMut(&ProgressReport<'_>)) {
    let best = &progress.snapshot.best;
    observer(&ProgressReport::new(progress, &|| {
        let cost = quantity(best.cost());
        if best.score.is_feasible() { cost } else { format!("{cost}, not feasible") }
    }));
}
