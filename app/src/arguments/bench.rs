//! `gridwright bench`.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::values::{assignment, backend, milliseconds, seconds, threads};
use crate::registry;

/// `gridwright bench`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Bench {
    /// The problem whose searches are measured
    #[arg(value_name = "PROBLEM", value_parser = problem_names())]
    pub problem: String,
    /// What to measure; “stages” for timetables and “greedy” for flow shops where nothing is said
    #[arg(long, value_parser = suite_names())]
    pub suite: Option<String>,
    /// Instances instead of the suite's own: files or sample:NAME; may be repeated
    #[arg(long = "instance", value_name = "INSTANCE")]
    pub instances: Vec<String>,
    /// Populations for “stages”, “evolution-stages” and --tables of timetables; may be repeated
    #[arg(long = "population", value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub populations: Vec<u32>,
    /// Generations of each measurement of “stages”, “evolution-stages” and --tables (20 where nothing is said) and of each run of “evolution” (200)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub generations: Option<u32>,
    /// Seconds of each run of “speed”, “annealing” (60 where nothing is said), “insertion” (1) and “greedy” (then of one instance of each size)
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Milliseconds of each run of “greedy”, for every job and machine
    #[arg(long, value_name = "MS", default_value_t = 45.0, value_parser = milliseconds)]
    pub milliseconds: f64,
    /// Device of “annealing”, “evolution” and “greedy”: auto, cpu, cuda or cuda:N
    #[arg(long, value_name = "BACKEND", default_value = "cpu", value_parser = backend)]
    pub backend: String,
    /// Warps that walk a chain of “insertion” on a device; 0 measures several
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=8))]
    pub warps: u32,
    /// What “greedy” and “insertion” minimise
    #[arg(long, value_name = "OBJECTIVE", default_value = "makespan")]
    pub objective: String,
    /// A parameter of “annealing”, “evolution”, “greedy” and “insertion”, or of the algorithms of binary problems; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub parameters: Vec<(String, String)>,
    /// The tables of a paper. Timetables: every stage of a generation of the evolutionary algorithm, evaluation in all ways, on one core, on all and on every CUDA device, with transfers apart. Binary problems: errors, hits, what differs significantly, times. Flow shops, of the searches for fronts: seconds on one core, on all and on a CUDA device, archive, shares of the time; then
    /// those of “wavefront”
    #[arg(long, conflicts_with = "suite")]
    pub tables: bool,
    /// Iterations of each search of --tables; the published tables have 10000
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,
    /// Seeds 1 to N of each instance
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,
    /// Threads of “annealing”, “evolution”, “greedy”, “insertion” and “wavefront”; 0 takes all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// An algorithm of --tables for binary problems, or for flow shops: tabu, pls-dominating, pls; may be repeated, all where none is named
    #[arg(long = "algorithm", value_name = "NAME")]
    pub algorithms: Vec<String>,
    /// Leave out the runs of --tables for flow shops on one core, which take longest
    #[arg(long)]
    pub no_single_core: bool,
    /// Lanes that a device lets work on a cell of the grid: 1, 2, 4 or 8; may be repeated, chosen where nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub lanes: Vec<u32>,
    /// Blocks that a device lets work on a run of the grid; may be repeated, chosen where nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_535))]
    pub blocks: Vec<u32>,
    /// Keep small grids in a device's global memory, too
    #[arg(long)]
    pub global: bool,
    /// Print one JSON object instead of Markdown
    #[arg(long)]
    pub json: bool,
    /// Print CSV instead of Markdown
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

fn problem_names() -> PossibleValuesParser {
    PossibleValuesParser::new(registry::problems().map(|problem| problem.problem.id()))
}

fn suite_names() -> PossibleValuesParser {
    let suites = registry::problems().flat_map(|problem| problem.suites);
    PossibleValuesParser::new(suites.map(|suite| PossibleValue::new(suite.name).help(suite.help)))
}
