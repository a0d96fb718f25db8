//! Binary problems as everything that knows no problem asks for them: opening, runs, checks, exports, comparison.

use std::collections::BTreeMap;
use std::path::Path;

use gridwright_core::export::formats::Format;
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::planning::{
    Compared, ExportOptions, ExportOrigin, Fact, Judged, MissingData, Planning, ReadSolution, Remark, Settings,
};
use gridwright_core::problem::{Overrides, Problem};
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult, Verdict};
use gridwright_core::search::run::Judgement;
use gridwright_core::search::{Algorithms as _, Budget, Control, Progress, Snapshot};
use gridwright_core::{Error, Result};
use serde_json::json;

use crate::check::{Violation, belongs, check};
use crate::formats::{self, LoadOptions, solution};
use crate::problem::Systolic;
use crate::run::{self, Algorithm, BestBits};
use crate::{Instance, Kind, Weight, comparison_text, export, facts, stored};

/// The weight of a next release problem as results store it: its costs depend on the weight, also on the usual one.
fn weight_option(instance: &Instance) -> Option<(String, String)> {
    match instance.kind {
        Kind::NextRelease { tenths, .. } => Some(("weight".to_owned(), Weight(tenths).to_string())),
        _ => None,
    }
}

impl Planning for Systolic {
    type Instance = Instance;
    type Solution = Vec<bool>;
    type Algorithm = Algorithm;
    type Goal = ();
    type Best = BestBits;

    const PROBLEM: &'static dyn Problem = &Systolic;
    const FORMATS: &'static [Format] = &export::FORMATS;

    fn open(source: &str, options: &Overrides) -> Result<Instance> {
        let tenths = options.value::<Weight>("weight")?.map(|weight| weight.0);
        formats::open(source, &LoadOptions { capacity: options.value("capacity")?, tenths })
    }

    fn identity(instance: &Instance) -> (&str, &str) {
        (&instance.name, &instance.hash)
    }

    fn warnings(instance: &Instance) -> Vec<String> {
        instance.warnings.clone()
    }

    fn stored_options(instance: &Instance, options: &Overrides) -> BTreeMap<String, String> {
        // A capacity that cannot be read was refused when the instance was opened.
        let capacity: Option<u64> = options.value("capacity").unwrap_or_default();
        let capacity = capacity.map(|capacity| ("capacity".to_owned(), capacity.to_string()));
        capacity.into_iter().chain(weight_option(instance)).collect()
    }

    fn summary(instance: &Instance) -> String {
        let kind = &instance.kind;
        let bits = counted(instance.bits(), kind.bit_noun());
        let more = match kind {
            Kind::Knapsack { capacity, .. } => format!(", capacity {}", grouped(*capacity)),
            Kind::NextRelease { tenths, .. } => format!(", weight {}", Weight(*tenths)),
            Kind::Deceptive { blocks } => format!(" in {blocks} blocks"),
            Kind::OneMax { .. } => String::new(),
        };
        format!("{}, {bits}{more}", kind.noun())
    }

    fn facts(instance: &Instance, _goal: &()) -> Vec<Fact> {
        facts::of_instance(instance)
    }

    fn usual_budget(instance: &Instance, algorithm: &Algorithm) -> Budget {
        // As long as the paper: one iteration for each cell of the grid.
        Budget::Steps(match algorithm.iterations() {
            0 => algorithm.grid(instance.bits()).cells() as u64,
            iterations => iterations,
        })
    }

    fn fitted(instance: &Instance, mut settings: Settings<Self>) -> Result<Settings<Self>> {
        settings.stop.target = settings.stop.target.map(|fitness| instance.kind.cost(fitness));
        Ok(settings)
    }

    fn solve(
        instance: &Instance, settings: &Settings<Self>, _start: Option<&Vec<bool>>, control: &Control,
        observer: &mut dyn FnMut(&Progress<BestBits>),
    ) -> Result<RunResult> {
        let mut result = run::solve(instance, settings, control, observer)?;
        result.instance.options.extend(weight_option(instance));
        Ok(result)
    }

    fn solve_seeds(
        instance: &Instance, settings: &Settings<Self>, seeds: &[u64], control: &Control,
        observer: &mut dyn FnMut(usize, &Progress<BestBits>),
    ) -> Result<Option<Vec<RunResult>>> {
        run::solve_seeds(instance, settings, seeds, control, observer)
    }

    fn judge(
        instance: &Instance, _settings: &Settings<Self>, _start: Option<&Vec<bool>>, snapshot: &Snapshot<BestBits>,
    ) -> Judgement {
        run::judged(instance, Some(snapshot), snapshot.step)
    }

    fn replay(
        instance: &Instance, result: &RunResult, (backend, threads): (&str, usize), control: &Control,
        observer: &mut dyn FnMut(&Progress<BestBits>),
    ) -> Result<ReplayReport> {
        run::replay(instance, result, backend, threads, control, observer)
    }

    fn shown(instance: &Instance, cost: f64) -> f64 {
        instance.kind.fitness(cost)
    }

    fn shown_text(instance: &Instance, shown: f64) -> String {
        facts::fitness_text(instance, shown)
    }

    fn cost_line(instance: &Instance, _goal: &(), cost: f64) -> String {
        format!("{} (fitness, the higher the better)", Self::shown_text(instance, Self::shown(instance, cost)))
    }

    fn best_known(instance: &Instance, _goal: &()) -> Option<f64> {
        facts::optimal_fitness(instance)
    }

    fn best_known_source(instance: &Instance, _goal: &()) -> Option<String> {
        facts::optimal_fitness(instance).map(|_| "optimum, calculated by this program".to_owned())
    }

    fn encode(_instance: &Instance, bits: &Vec<bool>) -> Encoded {
        stored::encode(bits)
    }

    fn decode(instance: &Instance, solution: &Encoded) -> std::result::Result<Vec<bool>, String> {
        let bits = stored::decode(instance, solution)?;
        belongs(instance, &bits).map_err(|error| error.to_string())?;
        Ok(bits)
    }

    fn read_solution(instance: &Instance, _goal: &(), path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
        if counted_from.is_some() {
            let what = "bits are counted from 1, so nothing is left open; leave --counted-from out";
            return Err(Error::file(path, what));
        }
        let file = solution::read(path, instance)?;
        let remark = |text: &String| Remark {
            key: "same_instance",
            value: json!(false),
            text: format!("{}: {text}", path.display()),
        };
        let remarks = file.warnings.iter().map(remark).collect();
        Ok(ReadSolution { solution: stored::encode(&file.bits), stated: None, unlike: None, remarks })
    }

    fn verify(instance: &Instance, _goal: &(), bits: &Vec<bool>, result: Option<&RunResult>) -> Result<Judged> {
        let verdict = check(instance, bits);
        let mut figures = facts::of_verdict(instance, &verdict);
        let found = result.and_then(stored::iteration_of_best);
        figures.extend(
            found.map(|since| Fact::new("iteration_of_best", "Found in iteration", since.into(), grouped(since))),
        );
        let cost = verdict.cost();
        let shown = Self::shown_text(instance, Self::shown(instance, cost));
        Ok(Judged { verdict: Verdict::of(cost, Violation::stored(&verdict.violations)).displayed(shown), figures })
    }

    fn check_export(
        instance: &Instance, _goal: &(), ending: &str, origin: ExportOrigin<'_>,
    ) -> std::result::Result<(), MissingData> {
        if ending == export::FRONT && !matches!(instance.kind, Kind::NextRelease { .. }) {
            let (name, noun) = (&instance.name, instance.kind.noun());
            let on_command_line = format!(
                "front.csv is the front of a next release problem, and {name} is a {noun}; give the table of what is taken \
                 another name, such as taken.csv"
            );
            return Err(MissingData { in_window: "Only next release problems have a front", on_command_line });
        }
        if export::run::is_of_run(ending) {
            let named = origin.algorithm().and_then(|name| Algorithm::named(name).ok());
            let usual = matches!(origin, ExportOrigin::Request(_)).then(Algorithm::default);
            return export::run::check(instance, named.or(usual).as_ref(), ending);
        }
        Ok(())
    }

    fn export(
        instance: &Instance, bits: &Vec<bool>, _path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        export::any(instance, bits, options.result, options.letterhead, ending)
    }

    fn compare(
        instance: &Instance, _goal: &(), [before, after]: [&Vec<bool>; 2], paths: [&Path; 2],
    ) -> Result<Compared> {
        Ok(comparison_text::compared(instance, [before, after], paths))
    }
}
