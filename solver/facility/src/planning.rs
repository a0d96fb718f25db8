//! Layout problems as everything that knows no problem asks for them: opening, runs, checks, exports, comparison.

use std::collections::BTreeMap;
use std::path::Path;

use gridwright_core::data::FormerNames;
use gridwright_core::export::formats::Format;
use gridwright_core::numbers::{counted, quantity};
use gridwright_core::planning::{
    Compared, Decision, ExportOptions, Fact, Judged, Planning, ReadSolution, Remark, Settings, USUAL_BUDGET,
};
use gridwright_core::problem::{Overrides, Problem};
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::scene::fonts;
use gridwright_core::search::run::Judgement;
use gridwright_core::search::{Algorithms as _, Budget, Control, Progress, Snapshot};
use gridwright_core::{Error, Result};
use serde_json::json;

use crate::check::{self, check};
use crate::formats::{self, LoadOptions, solution};
use crate::problem::Facility;
use crate::run::{self, Algorithm};
use crate::stored::Demands;
use crate::{
    BestLayout, Instance, Layout, Orientation, Unit, carrying, comparison, comparison_text, decisions, export, facts,
    hold_option, library, stored,
};

/// Maximum number of violations that are printed for an infeasible layout.
const LISTED: usize = 12;

/// The instance with the rules that a run was to obey.
fn with_rules_of(instance: &Instance, result: Option<&RunResult>) -> Result<Instance> {
    let mut instance = instance.clone();
    if let Some((rules, _)) = result.map(run::demands_of) {
        rules.check(&instance)?;
        instance.rules = rules;
    }
    Ok(instance)
}

/// The checker's verdict on a layout with further figures.
fn judged(instance: &Instance, layout: &Layout, verdict: check::Verdict) -> Judged {
    let figures = facts::of_layout(instance, layout, &verdict);
    Judged { verdict: verdict.into(), figures }
}

impl Planning for Facility {
    type Instance = Instance;
    type Solution = Layout;
    type Algorithm = Algorithm;
    type Goal = Option<Orientation>;
    type Best = BestLayout;

    const PROBLEM: &'static dyn Problem = &Facility;
    const FORMATS: &'static [Format] = &export::FORMATS;
    const HAS_DECISIONS: bool = true;

    fn open(source: &str, options: &Overrides) -> Result<Instance> {
        formats::open(source, &LoadOptions::of(options)?)
    }

    fn identity(instance: &Instance) -> (&str, &str) {
        (&instance.name, &instance.hash)
    }

    fn warnings(instance: &Instance) -> Vec<String> {
        let names = instance.departments.iter().map(|department| department.name.as_str());
        instance.warnings.iter().cloned().chain(fonts::undrawn(names)).collect()
    }

    fn stored_options(_instance: &Instance, options: &Overrides) -> BTreeMap<String, String> {
        // Options that cannot be read were refused when the instance was opened.
        let LoadOptions { plant, aspect, distance } = LoadOptions::of(options).unwrap_or_default();
        let plant = plant.map(|plant| ("plant".to_owned(), plant.to_string()));
        let aspect = aspect.map(|aspect| ("aspect".to_owned(), aspect.to_string()));
        let distance = distance.map(|distance| ("distance".to_owned(), distance.name().to_owned()));
        plant.into_iter().chain(aspect).chain(distance).collect()
    }

    fn summary(instance: &Instance) -> String {
        let [width, height] = [instance.width, instance.height].map(quantity);
        let pairs = facts::pairs(instance);
        let unit = instance.unit.map_or("", Unit::symbol);
        let plant = format!("{width} × {height} {unit}");
        format!("{}, {pairs}, {}", counted(instance.len(), "department"), plant.trim_end())
    }

    fn facts(instance: &Instance, _goal: &Self::Goal) -> Vec<Fact> {
        facts::of_instance(instance)
    }

    fn requested_goal(_goal: &Self::Goal, options: &Overrides) -> Self::Goal {
        let bays = options.text("bays");
        Orientation::ALL.into_iter().find(|orientation| bays == Some(orientation.name()))
    }

    fn usual_algorithm(instance: &Instance, _goal: &Self::Goal) -> Algorithm {
        Algorithm::for_instance(instance)
    }

    fn usual_budget(_instance: &Instance, algorithm: &Algorithm) -> Budget {
        match algorithm {
            // As published, the parameters hold the number of generations.
            Algorithm::Genetic(parameters) => Budget::Steps(parameters.generations.into()),
            other => other.descriptor().budget.unwrap_or(USUAL_BUDGET),
        }
    }

    fn fitted(instance: &Instance, settings: Settings<Self>) -> Result<Settings<Self>> {
        settings.algorithm.check(instance)?;
        Ok(settings)
    }

    fn demanded(instance: &Instance, options: &Overrides) -> Result<Option<(Instance, Vec<String>)>> {
        Ok(hold_option::demanded(instance, options)?.map(|instance| (instance, Vec::new())))
    }

    fn requested_budget(options: &Overrides) -> Option<Budget> {
        options.text(hold_option::HOLD).map(|_| Budget::Steps(0))
    }

    fn requested_algorithm(instance: &Instance, options: &Overrides, budget: Option<Budget>) -> Option<Algorithm> {
        hold_option::requested_algorithm(instance, options, budget)
    }

    fn beginning(
        instance: &Instance, settings: &Settings<Self>, options: &Overrides,
    ) -> Result<Option<(Layout, Vec<String>)>> {
        hold_option::beginning(instance, settings, options)
    }

    fn solve(
        instance: &Instance, settings: &Settings<Self>, start: Option<&Layout>, control: &Control,
        observer: &mut dyn FnMut(&Progress<BestLayout>),
    ) -> Result<RunResult> {
        let mut result = run::improve(instance, settings, start, control, observer)?;
        if !result.verdict.feasible {
            // The least violating layout is kept; what is wrong with it belongs to it.
            let violations = &result.verdict.violations;
            let faults = violations.iter().take(LISTED).map(|violation| violation.text.clone());
            let more = violations.len().saturating_sub(LISTED);
            let rest = (more > 0).then(|| format!("… and {}", counted(more, "more violation")));
            let faults: Vec<String> = faults.chain(rest).collect();
            result.notes.extend(faults);
        }
        Ok(result)
    }

    fn judge(
        instance: &Instance, settings: &Settings<Self>, start: Option<&Layout>, snapshot: &Snapshot<BestLayout>,
    ) -> Judgement {
        run::judged(instance, &settings.algorithm, start, Some(&snapshot.best))
    }

    fn replay(
        instance: &Instance, result: &RunResult, (backend, threads): (&str, usize), control: &Control,
        observer: &mut dyn FnMut(&Progress<BestLayout>),
    ) -> Result<ReplayReport> {
        run::replay(instance, result, backend, threads, control, observer)
    }

    fn asked(instance: &Instance, result: &RunResult) -> Result<Instance> {
        if instance.rules.is_empty() { with_rules_of(instance, Some(result)) } else { Ok(instance.clone()) }
    }

    fn decisions(instance: &Instance, _layout: &Layout) -> Vec<Decision<Instance>> {
        decisions::of(instance)
    }

    fn moved(instance: &Instance, layouts: [&Layout; 2]) -> usize {
        decisions::moved(instance, layouts)
    }

    fn best_text(_instance: &Instance, _goal: &Self::Goal, snapshot: &Snapshot<BestLayout>) -> String {
        let cost = quantity(snapshot.best.cost());
        if snapshot.best.score.is_feasible() { cost } else { format!("{cost}, not feasible") }
    }

    fn cost_line(instance: &Instance, _goal: &Self::Goal, cost: f64) -> String {
        let moving = if instance.has_moving_cost() { " + moving" } else { "" };
        format!("{} (flow × {} distance{moving})", quantity(cost), instance.distance.name())
    }

    fn best_known(instance: &Instance, _goal: &Self::Goal) -> Option<f64> {
        library::best_known(instance)
    }

    fn best_known_source(instance: &Instance, _goal: &Self::Goal) -> Option<String> {
        library::best_known_source(instance)
    }

    /// Slicing trees may cost less.
    fn best_known_warning(_instance: &Instance, _goal: &Self::Goal) -> Option<String> {
        Some("of layouts with bays".to_owned())
    }

    fn our_best(instance: &Instance, _goal: &Self::Goal) -> Option<f64> {
        library::our_best(instance)
    }

    fn encode(instance: &Instance, layout: &Layout) -> Encoded {
        stored::encode(instance, layout)
    }

    fn renamed(solution: &Encoded, names: &FormerNames) -> Option<Encoded> {
        stored::renamed(solution, names)
    }

    fn carry_demands(
        from: &Instance, to: &Instance, demands: &Encoded,
    ) -> std::result::Result<(Encoded, Vec<String>), String> {
        let Demands::Facility { rules, .. } = demands.read()?;
        rules.check(from).map_err(|error| error.to_string())?;
        let (carried, lost) = carrying::rules(from, to, &rules, &FormerNames::default());
        let remarks = carrying::lost_rules(from, to, &rules, lost);
        Ok((Encoded::of(&Demands::Facility { rules: carried, start: None }), remarks))
    }

    fn decode(instance: &Instance, solution: &Encoded) -> std::result::Result<Layout, String> {
        stored::decode(instance, solution)
    }

    /// The shapes of the departments do not matter.
    fn check_whole(instance: &Instance, layout: &Layout) -> std::result::Result<(), String> {
        let fault = check(instance, layout).violations.into_iter().find(|violation| violation.kind.is_incomplete());
        fault.map_or(Ok(()), |violation| Err(violation.text))
    }

    fn read_solution(
        instance: &Instance, _goal: &Self::Goal, path: &Path, counted_from: Option<u16>,
    ) -> Result<ReadSolution> {
        if counted_from.is_some() {
            let what = "departments are named, so nothing is counted; leave --counted-from out";
            return Err(Error::file(path, what));
        }
        let file = solution::read(path, instance)?;
        let remarks = file.remarks().into_iter().map(|(key, words)| {
            let value = if key == "orientation_assumed" { json!("vertical") } else { json!(true) };
            Remark { key, value, text: format!("{} {words}", path.display()) }
        });
        let (solution, remarks) = (stored::encode(instance, &file.layout), remarks.collect());
        Ok(ReadSolution { solution, stated: None, unlike: None, remarks })
    }

    fn verify(instance: &Instance, _goal: &Self::Goal, layout: &Layout, result: Option<&RunResult>) -> Result<Judged> {
        // Errors of the rules name the file of the result.
        let demanded = with_rules_of(instance, result).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(judged(instance, layout, check(&demanded, layout)))
    }

    fn export(
        instance: &Instance, layout: &Layout, _path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        let least = options.options.and_then(|options| options.text("least-flow"));
        let without_flows = least.is_some_and(|least| least.eq_ignore_ascii_case("none"));
        let threshold = least.and_then(|least| least.parse().ok());
        let date = Some(chrono::Local::now().date_naive());
        let letterhead = options.letterhead.clone();
        let drawn = export::ExportOptions { threshold, without_flows, date, letterhead, underlay: None };
        export::bytes(&with_rules_of(instance, options.result)?, layout, ending, &drawn)
    }

    fn compare(
        instance: &Instance, _goal: &Self::Goal, [before, after]: [&Layout; 2], paths: [&Path; 2],
    ) -> Result<Compared> {
        let comparison = comparison::Comparison::of(instance, before, after)?;
        Ok(comparison_text::compared(instance, [before, after], &comparison, paths))
    }
}
