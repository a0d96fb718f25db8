//! Campaigns: instances × algorithms × parameters × seeds, run, kept as rows and reported.
//!
//! * [`plan`] reads a plan and expands it into runs ([`RunSpec`]); every mistake in it has its line and column.
//! * [`folder`] keeps one row per finished run (`runs.csv`) and the improvements of its search (`curve.csv`).
//! * [`execution`] performs the runs that have no row yet. Runs with a limit of steps share the cores; those with a time limit
//!   run alone. [`expectation`] estimates the time of those that are left.
//! * [`published`] reads the printed figures that a plan carries; [`measured`] those of `gridwright bench` beside the rows.
//! * [`report`] makes tables, tests and figures of the rows.
//! * [`script`] writes job scripts for schedulers; [`exchange`] writes files for other programs.
//!
//! This module knows no problem: whoever starts a campaign opens instances through [`Opener`].

pub mod exchange;
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
use gridwright_core::problem::Overrides;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Budget, Control};

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
pub const COMMIT: &str = match option_env!("GRIDWRIGHT_COMMIT") {
    Some(commit) => commit,
    None => "",
};

/// A backend in words, with the threads of the CPU where they are several: «cpu, 2 threads».
pub fn backend_name(backend: &str, threads: usize) -> String {
    if threads == 1 { backend.to_owned() } else { format!("{backend}, {threads} threads") }
}

impl RunSpec {
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
        hash(&pieces.each_ref().map(|piece| piece.as_bytes()))[..16].to_owned()
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

    /// True if the clock matters to the run, so that it must not share cores with another one.
    pub fn is_timed(&self) -> bool {
        self.alone || !matches!(self.budget, Some(Budget::Steps(_) | Budget::Evaluations(_)))
    }
}

/// State of a search after an improvement, and at its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Improvement {
    /// Generations or steps done.
    pub step: u64,
    /// Solutions or moves evaluated.
    pub evaluations: u64,
    /// Seconds since the run began.
    pub seconds: f64,
    /// Best cost so far; smaller is better.
    pub cost: f64,
}

/// An opened instance as a campaign sees it.
pub trait OpenedInstance {
    /// Identifier of its problem.
    fn problem(&self) -> &'static str;

    /// Name of the instance.
    fn name(&self) -> &str;

    /// SHA-256 of the files of the instance; empty if it is generated.
    fn digest(&self) -> &str;

    /// The cost as people read it.
    fn shown(&self, cost: f64) -> f64;

    /// The best cost known, as people read it.
    fn best_known(&self) -> Option<f64>;

    /// Checks a run as far as that is possible before it begins.
    ///
    /// # Errors
    /// The setting that cannot be used, with the remedy.
    fn check(&self, spec: &RunSpec) -> Result<()>;

    /// Solves the instance; `observer` is called after every epoch.
    ///
    /// # Errors
    /// A setting cannot be used, or the device is not there.
    fn solve(&self, spec: &RunSpec, control: &Control, observer: &mut dyn FnMut(Improvement)) -> Result<RunResult>;

    /// Solves the instance with each of `seeds` in place of the seed of `spec`, side by side on its device, with the results of
    /// [`Self::solve`] except for times; `observer` is called with the index of the seed. `None` if the problem, or a run of
    /// this kind, has no such way: the runs go one by one.
    ///
    /// # Errors
    /// The device was lost or cannot hold the runs; none of them has a result.
    fn solve_seeds(
        &self, _spec: &RunSpec, _seeds: &[u64], _control: &Control, _observer: &mut dyn FnMut(usize, Improvement),
    ) -> Result<Option<Vec<RunResult>>> {
        Ok(None)
    }
}

/// Opens instances of any problem.
pub trait Opener: Sync {
    /// Opens an instance with these options of its problem.
    ///
    /// # Errors
    /// Faults of the file, or an option that the problem does not have.
    fn open(&self, source: &str, options: &Overrides) -> Result<Box<dyn OpenedInstance>>;

    /// True if instances of the problem with this identifier implement [`OpenedInstance::solve_seeds`].
    fn has_side_by_side_runs(&self, _problem: &str) -> bool {
        false
    }
}
