//! Unequal-area facility layout on the command line.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use gridwright_solver::facility::check::{self, check};
use gridwright_solver::facility::comparison;
use gridwright_solver::facility::formats::{self, LoadOptions, solution};
use gridwright_solver::facility::run::{self, Algorithm, Settings};
use gridwright_solver::facility::{Found as Best, Instance, Layout, Orientation, export, library};
use gridwright_solver::numbers::quantity;
use gridwright_solver::result::{Demands, RunResult, Solution, Verdict};
use gridwright_solver::search::{Budget, Control, Progress, Stop};
use gridwright_solver::{Error, Result};
use serde_json::json;

use super::opening::absolute;
use super::problem::{Compared, Comparison, Fact, Found, Judged, Problem, Pulse, Remark, Wishes};
use super::{facility_facts, layout_comparison, text};
use crate::arguments::{Bays, InstanceArguments, LeastFlow, Order};
use crate::recognition;

/// The name of the problem in results and JSON.
pub const KIND: &str = "facility";

/// What a search takes where nobody says how long: long enough for a good layout, short enough to wait for.
const DEFAULT_SECONDS: f64 = 30.0;

/// Longer than this nobody waits for a proof.
const PROOF_SECONDS: f64 = 600.0;

/// How many faults of a layout that is not feasible are told beside it.
const TOLD_FAULTS: usize = 12;

/// An opened layout problem.
pub struct Facility {
    instance: Instance,
    source: String,
    /// What was said beyond the file.
    said: LoadOptions,
}

impl Facility {
    /// Opens a file, a folder of tables, a sample or a generated problem with what a person says beyond it.
    ///
    /// # Errors
    /// What is wrong with the files, by line; options that only other problems have.
    pub fn open(arguments: &InstanceArguments) -> Result<Self> {
        arguments.check_for(recognition::Problem::Facility)?;
        let &InstanceArguments { ref source, plant, aspect, distance, .. } = arguments;
        let said = LoadOptions { plant, aspect, distance };
        let instance = formats::open(source, &said)?;
        Ok(Self { instance, source: absolute(source)?, said })
    }

    /// The layout of a solution that names departments, which may lack some or have some twice: that is for the checker to
    /// say.
    fn layout(&self, solution: &Solution, path: &Path) -> Result<Layout> {
        let name = &self.instance.name;
        let Solution::Layout(orientation, bays) = solution else {
            let noun = solution.noun();
            let what = format!("it holds {noun}, no layout of {name}; name the instance that it was made for");
            return Err(Error::file(path, what));
        };
        let places = self.instance.departments.iter().enumerate();
        let places: HashMap<&str, u16> = places.map(|(at, one)| (one.name.as_str(), at as u16)).collect();
        let place = |department: &String| {
            places.get(department.as_str()).copied().ok_or_else(|| {
                let what = format!(
                    "it holds an unknown department “{}”, so it is no layout of {name}; name the instance that it was made for",
                    department.escape_debug()
                );
                Error::file(path, what)
            })
        };
        let bays = bays.iter().map(|bay| bay.iter().map(place).collect::<Result<Vec<u16>>>());
        Ok(Layout { orientation: *orientation, bays: bays.collect::<Result<_>>()? })
    }

    /// A layout of all departments, whatever their shapes.
    fn whole_layout(&self, solution: &Solution, path: &Path) -> Result<Layout> {
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

    fn solution(&self, layout: &Layout) -> Solution {
        let name = |&one: &u16| self.instance.departments[usize::from(one)].name.clone();
        Solution::Layout(layout.orientation, layout.bays.iter().map(|bay| bay.iter().map(name).collect()).collect())
    }

    fn judged(&self, layout: &Layout, verdict: check::Verdict) -> Judged {
        let figures = facility_facts::of_layout(&self.instance, layout, &verdict);
        let verdict = Verdict {
            feasible: verdict.feasible,
            cost: verdict.cost,
            cost_display: quantity(verdict.cost),
            confirmed: true,
            violations: verdict.violations,
        };
        Judged { verdict, figures }
    }

    /// The instance with the rules that a run was to mind.
    fn demanded(&self, result: Option<&RunResult>) -> Result<Instance> {
        let mut instance = self.instance.clone();
        if let Some(Demands::Facility { rules, .. }) = result.and_then(|result| result.demands.as_ref()) {
            rules.check(&instance)?;
            instance.rules = rules.clone();
        }
        Ok(instance)
    }

    fn settings(&self, order: &Order) -> Result<Settings> {
        let mut algorithm = match &order.algorithm {
            Some(name) => Algorithm::named(name)?,
            None => Algorithm::for_instance(&self.instance),
        };
        for (name, value) in &order.parameters {
            algorithm.set(name, value)?;
        }
        algorithm.check(&self.instance)?;
        let budget = order.budget.unwrap_or(match &algorithm {
            Algorithm::Memetic(_) => Budget::Seconds(DEFAULT_SECONDS),
            Algorithm::Enumeration(_) => Budget::Seconds(PROOF_SECONDS),
            // As published, it says itself how many generations it has.
            Algorithm::Genetic(parameters) => Budget::Steps(parameters.generations.into()),
        });
        let orientation = match order.bays {
            Some(Bays::Vertical) => Some(Orientation::Vertical),
            Some(Bays::Horizontal) => Some(Orientation::Horizontal),
            Some(Bays::Both) | None => None,
        };
        Ok(Settings {
            algorithm,
            orientation,
            backend: order.backend.clone(),
            threads: order.threads,
            seed: order.seed,
            stop: Stop { budget, target: order.target, stall: order.stall },
        })
    }
}

impl Problem for Facility {
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
        let LoadOptions { plant, aspect, distance } = &self.said;
        let plant = plant.map(|plant| ("plant".to_owned(), plant.to_string()));
        let aspect = aspect.map(|aspect| ("aspect".to_owned(), aspect.to_string()));
        let distance = distance.map(|distance| ("distance".to_owned(), distance.name().to_owned()));
        plant.into_iter().chain(aspect).chain(distance).collect()
    }

    fn facts(&self) -> Vec<Fact> {
        facility_facts::of_instance(&self.instance)
    }

    fn in_short(&self) -> String {
        let [width, height] = [self.instance.width, self.instance.height].map(text::number);
        let pairs = facility_facts::pairs(self.instance.flow_pairs());
        format!("{} in a plant of {width} × {height}, {pairs}", text::plural(self.instance.len(), "department"))
    }

    fn check_order(&self, order: &Order) -> Result<()> {
        self.settings(order).map(drop)
    }

    fn step_noun(&self, algorithm: &str) -> &'static str {
        if algorithm == "genetic" { "generations" } else { "steps" }
    }

    fn export_endings(&self) -> Vec<&'static str> {
        export::FORMATS.iter().map(|format| format.0).collect()
    }

    fn check_export(&self, _ending: &str) -> Result<()> {
        Ok(())
    }

    fn shown(&self, cost: f64) -> f64 {
        cost
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

    fn solve(&self, order: &Order, control: &Control, observer: &mut dyn FnMut(&Pulse<'_>)) -> Result<RunResult> {
        let settings = self.settings(order)?;
        let mut result = run::solve(&self.instance, &settings, control, &mut |progress| tell(progress, observer))?;
        result.instance.source.clone_from(&self.source);
        result.instance.options.extend(self.said());
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
        &self,
        result: &RunResult,
        backend: &str,
        threads: usize,
        control: &Control,
        observer: &mut dyn FnMut(&Pulse<'_>),
    ) -> Result<Comparison> {
        let told = &mut |progress: &Progress<Best>| tell(progress, observer);
        let report = run::replay(&self.instance, result, backend, threads, control, told)?;
        Ok(Comparison {
            epochs: report.epochs,
            first_difference: report.first_difference,
            cost_equal: report.cost_equal,
            seconds: report.seconds,
        })
    }

    fn read_solution(&self, path: &Path, counted_from: Option<u16>) -> Result<Found> {
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
        Ok(Found { solution: self.solution(&file.layout), stated, remarks })
    }

    fn verify(&self, solution: &Solution, path: &Path, result: Option<&RunResult>) -> Result<Judged> {
        let layout = self.layout(solution, path)?;
        let instance = self.demanded(result).map_err(|error| Error::file(path, error.to_string()))?;
        Ok(self.judged(&layout, check(&instance, &layout)))
    }

    fn export(&self, solution: &Solution, path: &Path, target: &Path, wishes: &Wishes<'_>) -> Result<()> {
        let layout = self.whole_layout(solution, path)?;
        let wishes_of = match wishes.least_flow {
            None => export::Wishes::default(),
            Some(LeastFlow::From(flow)) => export::Wishes { threshold: Some(flow), ..export::Wishes::default() },
            Some(LeastFlow::None) => export::Wishes { without_flows: true, ..export::Wishes::default() },
        };
        export::write_with(&self.demanded(wishes.result)?, &layout, target, &wishes_of)
    }

    fn compare(&self, solutions: [&Solution; 2], paths: [&Path; 2]) -> Result<Compared> {
        let before = self.whole_layout(solutions[0], paths[0])?;
        let after = self.whole_layout(solutions[1], paths[1])?;
        let comparison = comparison::Comparison::of(&self.instance, &before, &after)?;
        Ok(layout_comparison::compared(&self.instance, [&before, &after], &comparison, paths))
    }
}

/// Says where a search stands.
fn tell(progress: &Progress<Best>, observer: &mut dyn FnMut(&Pulse<'_>)) {
    let snapshot = &progress.snapshot;
    let score = snapshot.best.score;
    observer(&Pulse {
        seconds: progress.seconds,
        share: progress.share,
        step: snapshot.step,
        evaluations: snapshot.evaluations,
        best: &|| {
            let cost = quantity(score.cost);
            if score.is_feasible() { cost } else { format!("{cost}, not feasible") }
        },
    });
}
