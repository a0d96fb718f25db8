//! Campaigns: instances × algorithms × parameters × seeds, run, kept as rows and reported.
//!
//! * [`plan`] reads a plan and expands it into runs ([`RunSpec`]); every mistake in it has its line and column.
//! * [`folder`] keeps one row per finished run (`runs.csv`) and the improvements of its search (`curve.csv`).
//! * [`execution`] performs the runs that have no row yet. Runs with a limit of steps share the cores; those with a time limit
//!   run alone. [`expectation`] estimates the time of those that are left.
//! * [`published`] reads the printed figures that a plan carries; [`measured`] reads those of `gridwright bench`.
//! * [`report`] makes tables, tests and figures of the rows.
//! * [`script`] writes job scripts for schedulers; [`exchange`] writes files for other programs.
//!
//! This crate knows no problem: instances are opened through the registry.

mod exchange;
pub mod execution;
pub mod expectation;
pub mod folder;
pub mod measured;
pub mod plan;
pub mod published;
pub mod report;
pub mod row;
pub mod script;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;

use gridwright_core::Result;
use gridwright_core::files::hash;
use gridwright_core::planning::{InstanceSource, OpenInstance, SolveRequest, opening};
use gridwright_core::problem::{OptionScope, Overrides};
use gridwright_core::search::Budget;

/// One run of a campaign.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSpec {
    /// Identifier of the problem.
    pub problem: String,
    /// Name of the instance.
    pub instance: String,
    /// Source of the instance as the plan names it.
    pub source: String,
    /// Source with which the instance is opened.
    pub opened_as: String,
    /// SHA-256 of the files of the instance, or of its source and options if it is generated.
    pub digest: String,
    /// Options of the problem by name.
    pub options: Overrides,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Name of the algorithm in reports, with the values of those parameters that the plan varies.
    pub label: String,
    /// Name of the algorithm's entry in the plan: its label without the values of parameters that vary.
    pub entry: String,
    /// Parameters that the plan sets, by name.
    pub parameters: BTreeMap<String, String>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Budget of the run; `None`: the usual one of the algorithm.
    pub budget: Option<Budget>,
    /// Displayed cost at which the run stops.
    pub target: Option<f64>,
    /// Steps without improvement after which the run stops.
    pub stall: Option<u64>,
    /// Reference point of hypervolumes, one value for each objective; empty for that of the normalised front.
    pub reference: Vec<u64>,
    /// `cpu`, `cuda:N`, or several devices, of which the run takes one.
    pub backend: String,
    /// Threads of the CPU.
    pub threads: usize,
    /// True if the run shares the machine with no other one because its seconds are compared.
    pub alone: bool,
}

/// Version of the program, which is part of the key of a run.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Commit that the program was built from, if the build said so.
pub(crate) const COMMIT: &str = match option_env!("GRIDWRIGHT_COMMIT") {
    Some(commit) => commit,
    None => "",
};

/// A backend in words, with the threads of the CPU where they are several: «cpu, 2 threads».
pub fn backend_name(backend: &str, threads: usize) -> String {
    if threads == 1 { backend.to_owned() } else { format!("{backend}, {threads} threads") }
}

/// Budget of a limit in the words of [`RunSpec::limit`]; `None` for the usual limit.
pub(crate) fn budget_of(limit: &str) -> Option<Budget> {
    let budget = limit.split(',').next()?;
    let (number, unit) = budget.split_once(' ')?;
    match unit {
        "step" | "steps" => number.parse().ok().map(Budget::Steps),
        "evaluation" | "evaluations" => number.parse().ok().map(Budget::Evaluations),
        "s" => number.parse().ok().map(Budget::Seconds),
        _ => None,
    }
}

impl RunSpec {
    /// True if one of the patterns, in which `*` and `?` stand for other characters, is the name or the source of the
    /// instance.
    pub fn is_on(&self, patterns: &[String]) -> bool {
        let is_meant = |pattern: &String| {
            [&self.instance, &self.source].into_iter().any(|name| pattern == name || values::matches(pattern, name))
        };
        patterns.iter().any(is_meant)
    }

    /// True if one of the patterns is the name of the algorithm, its entry in the plan or its name in reports.
    pub fn is_by(&self, patterns: &[String]) -> bool {
        let names = [&self.algorithm, &self.entry, &self.label];
        patterns.iter().any(|pattern| names.into_iter().any(|name| pattern == name || values::matches(pattern, name)))
    }

    /// Backend of the run in words, see [`backend_name`].
    pub fn backend_name(&self) -> String {
        backend_name(&self.backend, self.threads)
    }

    /// Key of the run: 16 hexadecimal digits of a hash of everything that its row depends on.
    pub fn key(&self) -> String {
        let joined = |values: &BTreeMap<String, String>| format!("{values:?}");
        let pieces = [
            self.problem.clone(),
            self.digest.clone(),
            joined(self.options.values()),
            self.algorithm.clone(),
            joined(&self.parameters),
            self.seed.to_string(),
            self.limit(),
            self.backend.clone(),
            self.threads.to_string(),
            format!("{VERSION} {COMMIT}"),
        ];
        let reference = (!self.reference.is_empty()).then(|| format!("{:?}", self.reference));
        let pieces: Vec<String> = pieces.into_iter().chain(reference).collect();
        hash(&pieces.iter().map(|piece| piece.as_bytes()).collect::<Vec<_>>())[..16].to_owned()
    }

    /// The limit in words, such as «200 steps» or «60 s, target 10.5».
    pub fn limit(&self) -> String {
        let budget = match self.budget {
            None => "usual limit".to_owned(),
            Some(Budget::Steps(1)) => "1 step".to_owned(),
            Some(Budget::Steps(steps)) => format!("{steps} steps"),
            Some(Budget::Evaluations(1)) => "1 evaluation".to_owned(),
            Some(Budget::Evaluations(count)) => format!("{count} evaluations"),
            Some(Budget::Seconds(seconds)) => format!("{seconds} s"),
        };
        let target = self.target.map(|target| format!(", target {target}"));
        let stall = self.stall.map(|stall| format!(", stall {stall}"));
        [Some(budget), target, stall].into_iter().flatten().collect()
    }

    /// The run as a problem is asked for it, on this backend.
    fn request(&self, backend: &str) -> SolveRequest {
        SolveRequest {
            algorithm: Some(self.algorithm.clone()),
            backend: backend.to_owned(),
            threads: self.threads,
            seed: self.seed,
            budget: self.budget,
            target: self.target,
            stall: self.stall,
            parameters: self.parameters.clone().into_iter().collect(),
            options: options_with(&self.options, |scope| *scope == OptionScope::Solve),
        }
    }

    /// True if the clock matters to the run, so that it must not share cores with another one.
    pub fn is_timed(&self) -> bool {
        self.alone || !matches!(self.budget, Some(Budget::Steps(_) | Budget::Evaluations(_)))
    }
}

/// Opens an instance with options of its problem; [`open`] in the program, instances of their own in tests.
pub type Opener<'a> = dyn Fn(&str, &Overrides) -> Result<Box<dyn OpenInstance>> + Sync + 'a;

/// Opens an instance of any registered problem.
///
/// # Errors
/// As [`opening::open`].
pub fn open(source: &str, options: &Overrides) -> Result<Box<dyn OpenInstance>> {
    let overrides = options_with(options, |scope| matches!(scope, OptionScope::Instance { .. }));
    opening::open(&InstanceSource { source: source.to_owned(), overrides })
}

fn options_with(options: &Overrides, is_meant: impl Fn(&OptionScope) -> bool) -> Overrides {
    let meant = options
        .values()
        .iter()
        .filter(|(name, _)| opening::declared(name).is_some_and(|(_, option)| is_meant(&option.scope)));
    meant.map(|(name, value)| (name.clone(), value.clone())).collect()
}
