//! `gridwright bench`.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::values::{assignment, seconds, threads};
use crate::registry;

/// `gridwright bench`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Bench {
    /// The problem whose searches are measured
    #[arg(value_name = "PROBLEM", value_parser = problem_names())]
    pub problem: String,
    /// Measurements to make; “stages” for timetables, “insertion” for flow shops and “layouts” for layouts where nothing is said
    #[arg(long, value_parser = suite_names())]
    pub suite: Option<String>,
    /// Instances instead of the suite's own: files or sample:NAME; may be repeated
    #[arg(long = "instance", value_name = "INSTANCE")]
    pub instances: Vec<String>,
    /// Populations for “stages”, “evolution-stages” and “tables”; may be repeated
    #[arg(long = "population", value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub populations: Vec<u32>,
    /// Generations of each measurement of “stages”, “evolution-stages” and “tables”; 20 where nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub generations: Option<u32>,
    /// Seconds of each run of “speed” and of binary problems (60 where nothing is said), of layouts (5) and of “insertion” (1)
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Warps that walk a chain of “insertion” on a device; 0 measures several
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=8))]
    pub warps: u32,
    /// Objective of “insertion”
    #[arg(long, value_name = "OBJECTIVE", default_value = "makespan")]
    pub objective: String,
    /// A parameter of “insertion”; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub parameters: Vec<(String, String)>,
    /// Iterations of each search of “fronts”; the published tables have 10000
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,
    /// Threads of the CPU; 0 takes all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// A search of “fronts”: tabu, pls-dominating, pls; may be repeated, all where none is named
    #[arg(long = "algorithm", value_name = "NAME")]
    pub algorithms: Vec<String>,
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
