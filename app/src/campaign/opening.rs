//! Instances of any problem as campaigns open, check and solve them.

use gridwright_campaign::{Improvement, OpenedInstance, Opener, RunSpec};
use gridwright_core::problem::{OptionScope, Overrides};
use gridwright_core::result::RunResult;
use gridwright_core::search::Control;
use gridwright_core::{Result, registry};

use crate::arguments::{InstanceArguments, SolveRequest, declared};
use crate::command::opening;
use crate::command::problem::{OpenInstance, ProgressReport};

/// Opens instances for campaigns through the registry.
#[derive(Debug, Clone, Copy)]
pub struct Instances;

/// An instance of any problem, as a campaign sees it.
struct Opened(Box<dyn OpenInstance>);

impl Opener for Instances {
    fn open(&self, source: &str, options: &Overrides) -> Result<Box<dyn OpenedInstance>> {
        let overrides = options_with(options, |scope| matches!(scope, OptionScope::Instance { .. }));
        let instance = InstanceArguments { source: source.to_owned(), overrides };
        Ok(Box::new(Opened(opening::open(&instance)?)))
    }

    fn has_side_by_side_runs(&self, problem: &str) -> bool {
        registry::by_id(problem).is_some_and(|problem| problem.has_side_by_side_runs())
    }
}

/// The options whose scope is accepted by `is_meant`.
fn options_with(options: &Overrides, is_meant: impl Fn(&OptionScope) -> bool) -> Overrides {
    let meant =
        options.values().iter().filter(|(name, _)| declared(name).is_some_and(|(_, option)| is_meant(&option.scope)));
    meant.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn request(spec: &RunSpec) -> SolveRequest {
    SolveRequest {
        algorithm: Some(spec.algorithm.clone()),
        backend: spec.backend.clone(),
        threads: spec.threads,
        seed: spec.seed,
        budget: spec.budget,
        target: spec.target,
        stall: spec.stall,
        parameters: spec.parameters.clone().into_iter().collect(),
        options: options_with(&spec.options, |scope| *scope == OptionScope::Solve),
    }
}

fn improvement(report: &ProgressReport<'_>) -> Improvement {
    let ProgressReport { step, evaluations, seconds, cost, .. } = *report;
    Improvement { step, evaluations, seconds, cost }
}

impl OpenedInstance for Opened {
    fn problem(&self) -> &'static str {
        self.0.problem().id()
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn digest(&self) -> &str {
        self.0.identity().file_hash
    }

    fn shown(&self, cost: f64) -> f64 {
        self.0.shown(cost)
    }

    fn best_known(&self) -> Option<f64> {
        self.0.best_known()
    }

    fn check(&self, spec: &RunSpec) -> Result<()> {
        self.0.check_request(&request(spec))
    }

    fn solve(&self, spec: &RunSpec, control: &Control, observer: &mut dyn FnMut(Improvement)) -> Result<RunResult> {
        self.0.solve(&request(spec), control, &mut |report| observer(improvement(report)))
    }

    fn solve_seeds(
        &self, spec: &RunSpec, seeds: &[u64], control: &Control, observer: &mut dyn FnMut(usize, Improvement),
    ) -> Result<Option<Vec<RunResult>>> {
        let told = &mut |index: usize, report: &ProgressReport<'_>| observer(index, improvement(report));
        self.0.solve_seeds(&request(spec), seeds, control, told)
    }
}
