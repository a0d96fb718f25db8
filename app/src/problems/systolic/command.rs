//! Binary problems on the command line.

use std::collections::BTreeMap;
use std::path::Path;

use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult, Verdict};
use gridwright_core::search::{Algorithms, Budget, Control, Progress};
use gridwright_core::{Error, Result};
use gridwright_systolic::check::{self, belongs, check};
use gridwright_systolic::formats::solution;
use gridwright_systolic::formats::{self, LoadOptions};
use gridwright_systolic::problem;
use gridwright_systolic::run::{self, Algorithm, BestBits as Bits, Settings};
use gridwright_systolic::{Instance, Kind, Weight, export, stored};
use serde_json::json;

use super::state::SystolicViews;
use super::{bench, generate};
use super::{comparison_text, facts, results};
use crate::arguments::instance::{InstanceArguments, check_options};
use crate::arguments::request::SolveRequest;
use crate::command::problem::{
    Compared, ExportOptions, ExportOrigin, Fact, Identity, Judged, OpenInstance, ProgressReport, ReadSolution, Remark,
};
use crate::command::text;
use crate::problem::{Collection, Line, ProblemUi, Sample, ShippedPlan};
use gridwright_systolic::library;

/// The binary problems that ship, and those of the paper that are made from their names.
const SAMPLES: [Sample; 6] = [
    ("sample:backpack", "Backpack", "8 items, to learn with"),
    ("sample:release", "Release", "requirements of a program for libraries"),
    ("onemax:100", "OneMax 100", "100 bits, to learn with"),
    ("knapsack:100-1000", "Knapsack 100-1000", "100 items, of the paper"),
    ("mmdp:300", "Deceptive 300", "300 bits, of the paper"),
    ("knapsack:1000-1000", "Knapsack 1000-1000", "1000 items, of the paper"),
];

/// The instances of the paper, made from their names when they are opened.
fn of_paper() -> Vec<Line> {
    let line = |source: String| {
        let (kind, rest) = source.split_once(':')?;
        let (name, facts) = match (kind, rest.split_once('-')) {
            ("knapsack", Some((items, range))) => {
                (format!("Knapsack {rest}"), format!("{items} items, profits and weights up to {range}"))
            }
            ("mmdp", _) => (format!("Deceptive {rest}"), format!("{rest} bits in blocks of six")),
            _ => return None,
        };
        Some(Line { source: source.clone(), name, facts })
    };
    library::paper_names().filter_map(line).collect()
}

/// Plans of campaigns.
const CAMPAIGNS: [ShippedPlan; 2] = [
    ShippedPlan {
        name: "systolic-errors",
        question: "Errors of seven searches, beside Pedemonte and others, 2015",
        text: include_str!("../../../../datasets/campaigns/papers/systolic-errors.ron"),
    },
    ShippedPlan {
        name: "systolic-times",
        question: "Times of six searches, beside Pedemonte and others, 2015",
        text: include_str!("../../../../datasets/campaigns/papers/systolic-times.ron"),
    },
];

/// Binary problems: registration of command line, documents, samples and generators.
pub static UI: ProblemUi = ProblemUi {
    card: Some(super::card::CARD),
    terms: &super::terms::TERMS,
    lessons: &super::guided::LESSONS,
    samples: &SAMPLES,
    endings: &["csv", "tsv", "txt", "kp", "nrp", "ron"],
    collection: Some(Collection { heading: "All of the paper", lines: of_paper }),
    generators: &generate::GENERATORS,
    campaigns: &CAMPAIGNS,
    bench: bench::run,
    ..ProblemUi::of::<SystolicViews>(Systolic::boxed)
};

/// An opened binary problem.
pub struct Systolic {
    instance: Instance,
    capacity: Option<u64>,
}

impl Systolic {
    fn boxed(arguments: &InstanceArguments) -> Result<Box<dyn OpenInstance>> {
        Ok(Box::new(Self::open(arguments)?))
    }

    /// Opens a file, a sample or an instance made from its name, with the overrides of the command line.
    ///
    /// # Errors
    /// Error with the line number if the file is malformed; error if an option belongs to another problem.
    pub fn open(arguments: &InstanceArguments) -> Result<Self> {
        let source = &arguments.source;
        arguments.check_for(&problem::Systolic)?;
        let tenths = arguments.overrides.value::<Weight>("weight")?.map(|weight| weight.0);
        let capacity = arguments.overrides.value("capacity")?;
        let instance = formats::open(source, &LoadOptions { capacity, tenths })?;
        Ok(Self { instance, capacity })
    }

    /// The bits of a solution, one for each of the instance.
    fn bits(&self, solution: &Encoded, path: &Path) -> Result<Vec<bool>> {
        let bits = stored::decode(&self.instance, solution).map_err(|what| Error::file(path, what))?;
        belongs(&self.instance, &bits).map(|_| bits)
    }

    fn settings(&self, request: &SolveRequest) -> Result<Settings> {
        check_options(&request.options, &problem::Systolic, &self.instance.name)?;
        let mut settings = request.settings(Algorithm::default(), (), |algorithm| {
            // As long as the paper, where nobody says how long.
            Budget::Steps(match algorithm.iterations() {
                0 => algorithm.grid(self.instance.bits()).cells() as u64,
                iterations => iterations,
            })
        })?;
        // A target is given as people read it.
        settings.stop.target = request.target.map(|target| self.instance.kind.cost(target));
        Ok(settings)
    }

    fn judged(&self, verdict: check::Verdict) -> Judged {
        let cost = verdict.cost();
        let figures = facts::of_verdict(&self.instance, &verdict);
        let shown = self.shown_text(self.shown(cost));
        Judged { verdict: Verdict::of(cost, verdict.violations).displayed(shown), figures }
    }
}

impl OpenInstance for Systolic {
    fn identity(&self) -> Identity<'_> {
        let Instance { name, hash, warnings, .. } = &self.instance;
        Identity { problem: &problem::Systolic, name, file_hash: hash, warnings }
    }

    fn overrides(&self) -> BTreeMap<String, String> {
        let capacity = self.capacity.map(|capacity| ("capacity".to_owned(), capacity.to_string()));
        // What a release costs depends on the weight, also where it is the usual one.
        let weight = match self.instance.kind {
            Kind::NextRelease { tenths, .. } => Some(("weight".to_owned(), Weight(tenths).to_string())),
            _ => None,
        };
        capacity.into_iter().chain(weight).collect()
    }

    fn facts(&self) -> Vec<Fact> {
        facts::of_instance(&self.instance)
    }

    fn in_short(&self) -> String {
        let kind = &self.instance.kind;
        let bits = text::plural(self.instance.bits(), kind.bit_noun());
        let more = match kind {
            Kind::Knapsack { capacity, .. } => format!(", capacity {}", text::grouped(*capacity)),
            Kind::NextRelease { tenths, .. } => format!(", weight {}", Weight(*tenths)),
            Kind::Deceptive { blocks } => format!(" in {blocks} blocks"),
            Kind::OneMax { .. } => String::new(),
        };
        format!("{}, {bits}{more}", kind.noun())
    }

    fn check_request(&self, request: &SolveRequest) -> Result<()> {
        self.settings(request).map(drop)
    }

    fn step_noun(&self, _algorithm: &str) -> &'static str {
        "iterations"
    }

    fn export_endings(&self) -> Vec<&'static str> {
        let of_solution = export::FORMATS.iter().map(|format| format.0);
        of_solution.chain([export::FRONT.0]).chain(export::run::FORMATS.iter().map(|format| format.0)).collect()
    }

    fn check_export(&self, ending: &str, origin: ExportOrigin<'_>) -> Result<()> {
        if ending == export::FRONT.0 && !matches!(self.instance.kind, Kind::NextRelease { .. }) {
            let (name, noun) = (&self.instance.name, self.instance.kind.noun());
            let what = format!(
                "front.csv is the front of a next release problem, and {name} is a {noun}; give the table of what is taken \
                 another name, such as taken.csv"
            );
            return Err(Error::Usage(what));
        }
        if export::run::FORMATS.iter().any(|format| format.0 == ending) {
            let named = origin.algorithm().map(Algorithm::named).transpose()?;
            let usual = matches!(origin, ExportOrigin::Request(_)).then(Algorithm::default);
            return export::run::check(&self.instance, named.or(usual).as_ref(), ending);
        }
        Ok(())
    }

    fn shown(&self, cost: f64) -> f64 {
        self.instance.kind.fitness(cost)
    }

    fn shown_text(&self, shown: f64) -> String {
        facts::fitness_text(&self.instance, shown)
    }

    fn cost_line(&self, cost: f64) -> String {
        format!("{} (fitness, the higher the better)", self.shown_text(self.shown(cost)))
    }

    /// The figures say how far from the optimum a solution is: a gap would read the wrong way round here.
    fn best_known(&self) -> Option<f64> {
        None
    }

    fn solve(
        &self, request: &SolveRequest, control: &Control, observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<RunResult> {
        let settings = self.settings(request)?;
        let told = &mut |progress: &Progress<Bits>| self.tell(progress, observer);
        run::solve(&self.instance, &settings, control, told)
    }

    fn solve_seeds(
        &self, request: &SolveRequest, seeds: &[u64], control: &Control,
        observer: &mut dyn FnMut(usize, &ProgressReport<'_>),
    ) -> Result<Option<Vec<RunResult>>> {
        let told =
            &mut |index: usize, progress: &Progress<Bits>| self.tell(progress, &mut |report| observer(index, report));
        run::solve_seeds(&self.instance, &self.settings(request)?, seeds, control, told)
    }

    fn replay(
        &self, result: &RunResult, backend: &str, threads: usize, control: &Control,
        observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<ReplayReport> {
        let told = &mut |progress: &Progress<Bits>| self.tell(progress, observer);
        run::replay(&self.instance, result, backend, threads, control, told)
    }

    fn read_solution(&self, path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
        if counted_from.is_some() {
            let what = "bits are counted from 1, so nothing is left open; leave --counted-from out";
            return Err(Error::file(path, what));
        }
        let file = solution::read(path, &self.instance)?;
        let remark = |text: &String| Remark {
            key: "same_instance",
            value: json!(false),
            text: format!("{}: {text}", path.display()),
        };
        let remarks = file.warnings.iter().map(remark).collect();
        Ok(ReadSolution { solution: stored::encode(&file.bits), stated: None, remarks })
    }

    fn verify(&self, solution: &Encoded, path: &Path, result: Option<&RunResult>) -> Result<Judged> {
        let mut judged = self.judged(check(&self.instance, &self.bits(solution, path)?));
        let found = result.and_then(results::since_of);
        judged.figures.extend(
            found.map(|since| Fact::new("iteration_of_best", "Found in iteration", since.into(), text::grouped(since))),
        );
        Ok(judged)
    }

    fn export_bytes(
        &self, solution: &Encoded, path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        let bits = self.bits(solution, path)?;
        export::any(&self.instance, &bits, options.result, options.letterhead, ending)
    }

    fn compare(&self, solutions: [&Encoded; 2], paths: [&Path; 2]) -> Result<Compared> {
        let before = self.bits(solutions[0], paths[0])?;
        let after = self.bits(solutions[1], paths[1])?;
        Ok(comparison_text::compared(&self.instance, [&before, &after], paths))
    }
}

impl Systolic {
    /// Says where a search stands.
    fn tell(&self, progress: &Progress<Bits>, observer: &mut dyn FnMut(&ProgressReport<'_>)) {
        let words = || self.shown_text(self.shown(progress.snapshot.best_cost));
        observer(&ProgressReport::new(progress, &words));
    }
}
