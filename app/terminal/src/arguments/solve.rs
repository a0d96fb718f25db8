//! `gridwright solve` and `gridwright whatif`: as typed, and as needed.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory};
use gridwright_core::planning::SolveRequest;
use gridwright_core::problem::Overrides;
use gridwright_core::search::Budget;
use gridwright_core::text::ending;

use super::Typed;
use super::instance::{InstanceArguments, PairArguments, SolveOptions};
use super::values::{assignment, backend, cost, seconds, threads};

/// Verbosity of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reporting {
    /// Progress while it works, then a summary.
    Spoken,
    /// One JSON object on the standard output and nothing else there.
    Json,
    /// Errors only.
    Quiet,
}

/// `gridwright solve`, as needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Solve {
    /// The instance to solve.
    pub instance: InstanceArguments,
    /// Settings of the run.
    pub request: SolveRequest,
    /// Where the result goes, where it is to be kept.
    pub out: Option<PathBuf>,
    /// Pictures and tables to write; the ending says the format.
    pub exports: Vec<PathBuf>,
    /// True to replace files that the program did not write.
    pub overwrites: bool,
    /// Verbosity.
    pub(crate) reporting: Reporting,
}

/// `gridwright solve` as typed.
#[derive(Debug, Args)]
pub(super) struct TypedSolve {
    #[command(flatten)]
    instance: InstanceArguments,
    /// The algorithm; a wrong name lists those of the instance's problem
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// Device that computes: auto, cpu, cuda, cuda:N, several as cuda:0,1, or cuda:all
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = backend)]
    backend: String,
    /// Threads of the CPU; 0 takes all. The result does not depend on it when --generations or --evaluations is given
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    threads: usize,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Time limit in seconds (30 where neither this nor --generations is given, but for evolution and binary problems)
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "generations", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Number of generations or steps, whatever time they take (by default 200 for evolution, and one
    /// iteration for each cell of the grid for binary problems)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    generations: Option<u64>,
    /// Stop with the step that has evaluated this many solutions or moves, counted in whole steps; not for annealing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["generations", "seconds"], allow_negative_numbers = true)]
    evaluations: Option<u64>,
    /// Stop as soon as the cost, as it is shown, is at most this; of a binary problem, the fitness at least this
    #[arg(long, value_name = "C", value_parser = cost, allow_negative_numbers = true)]
    target: Option<f64>,
    /// Stop after this many generations or steps without improvement
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    stall: Option<u64>,
    /// A parameter of the algorithm; may be repeated. A wrong name lists them all
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    parameters: Vec<(String, String)>,
    #[command(flatten)]
    options: SolveOptions,
    /// Keep the result in this file; replay, verify, export and the window open it
    #[arg(long, value_name = "RESULT.ron")]
    out: Option<PathBuf>,
    /// Write the plan to this file; may be repeated. The ending says the format, as for “gridwright export”
    #[arg(long = "export", value_name = "FILE")]
    exports: Vec<PathBuf>,
    /// Replace files at --out and --export that this program did not write; files that are read are never replaced
    #[arg(long)]
    overwrite: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

impl TypedSolve {
    /// Converts the typed arguments into those of the command.
    ///
    /// # Errors
    /// The result is to go into a file that is none of results, or a parameter is given twice.
    pub(super) fn needed(self) -> std::result::Result<Solve, clap::Error> {
        if let Some(out) = &self.out
            && ending(out) != "ron"
        {
            let text =
                format!("--out {}: a result is a .ron file; for tables and pictures use --export", out.display());
            return Err(Typed::command().error(ErrorKind::ValueValidation, text));
        }
        let mut names = std::collections::BTreeSet::new();
        if let Some((name, _)) = self.parameters.iter().find(|(name, _)| !names.insert(name)) {
            let text = format!("--set {name}: the parameter is given twice; keep one of them");
            return Err(Typed::command().error(ErrorKind::ValueValidation, text));
        }
        let work = self.generations.map(Budget::Steps).or(self.evaluations.map(Budget::Evaluations));
        let budget = self.seconds.map(Budget::Seconds).or(work);
        Ok(Solve {
            instance: self.instance,
            request: SolveRequest {
                algorithm: self.algorithm,
                backend: self.backend,
                threads: self.threads,
                seed: self.seed,
                budget,
                target: self.target,
                stall: self.stall,
                parameters: self.parameters,
                options: self.options.0,
            },
            out: self.out,
            exports: self.exports,
            overwrites: self.overwrite,
            reporting: match (self.json, self.quiet) {
                (true, _) => Reporting::Json,
                (false, true) => Reporting::Quiet,
                (false, false) => Reporting::Spoken,
            },
        })
    }
}

/// `gridwright whatif`, as needed.
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    /// The instance and the present plan.
    pub pair: PairArguments,
    /// Keys of the decisions; the proposed ones if there are none.
    pub only: Vec<String>,
    /// True to print the decisions and solve nothing.
    pub list: bool,
    /// Settings of the runs; a time limit is that of all runs together.
    pub request: SolveRequest,
    /// Files for the table of all figures.
    pub to: Vec<PathBuf>,
    /// True to replace files that the program did not write.
    pub overwrites: bool,
    /// True to print one JSON object.
    pub json: bool,
}

/// `gridwright whatif` as typed.
#[derive(Debug, Args)]
pub(super) struct TypedWhatIf {
    #[command(flatten)]
    pair: PairArguments,
    /// Decisions by their short names, instead of the proposed ones
    #[arg(long, value_name = "DECISION", num_args = 1.., value_delimiter = ',')]
    only: Vec<String>,
    /// Print all decisions and their short names, and solve nothing
    #[arg(long)]
    list: bool,
    /// Time limit in seconds of all runs together, which get equal shares
    #[arg(long, value_name = "S", value_parser = seconds, default_value_t = 60.0, conflicts_with = "generations", allow_negative_numbers = true)]
    seconds: f64,
    /// Number of generations or steps of each run, whatever time they take
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    generations: Option<u64>,
    /// Device that computes: cpu, where runs go on side by side, or a device as cuda:0, which takes one run after the other
    #[arg(long, value_name = "BACKEND", default_value = "cpu", value_parser = backend)]
    backend: String,
    /// Threads of the CPU, each with a run of its own; 0 takes all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    threads: usize,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Files for the table of all figures and differences, which end with .csv or .xlsx
    #[arg(long, value_name = "FILE", num_args = 1..)]
    to: Vec<PathBuf>,
    /// Replace files that this program did not write; files that are read are never replaced
    #[arg(long)]
    overwrite: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

impl TypedWhatIf {
    /// Converts the typed arguments into those of the command.
    pub(super) fn needed(self) -> WhatIf {
        let request = SolveRequest {
            algorithm: None,
            backend: self.backend,
            threads: self.threads,
            seed: self.seed,
            budget: Some(self.generations.map_or(Budget::Seconds(self.seconds), Budget::Steps)),
            target: None,
            stall: None,
            parameters: Vec::new(),
            options: Overrides::default(),
        };
        let Self { pair, only, list, to, overwrite: overwrites, json, .. } = self;
        WhatIf { pair, only, list, request, to, overwrites, json }
    }
}
