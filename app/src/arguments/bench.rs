//! `gridwright bench`.

use clap::{Args, ValueEnum};

use super::values::{seconds, threads};

/// `gridwright bench`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Bench {
    /// The problem whose searches are measured
    #[arg(value_enum, value_name = "PROBLEM")]
    pub problem: BenchProblem,
    /// What to measure
    #[arg(long, value_enum, default_value = "stages")]
    pub suite: Suite,
    /// Instances instead of the suite's own: files or sample:NAME; may be repeated
    #[arg(long = "instance", value_name = "INSTANCE")]
    pub instances: Vec<String>,
    /// Populations for “stages”; may be repeated
    #[arg(long = "population", value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub populations: Vec<u32>,
    /// Generations of each measurement of “stages”
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub generations: u32,
    /// Seconds of each run of “speed” and “annealing”
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub seconds: f64,
    /// Seeds 1 to N of each instance
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,
    /// Threads of “annealing” and “evolution”; 0 takes all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// Print one JSON object instead of Markdown
    #[arg(long)]
    pub json: bool,
}

/// Problems whose searches can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BenchProblem {
    /// Examination timetables.
    Timetabling,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Suite {
    /// Milliseconds per stage of a generation: one thread, all threads
    Stages,
    /// Steps and proposals of annealing per second: one thread, all threads
    Speed,
    /// Costs that annealing reaches in --seconds on the 13 Toronto instances
    Annealing,
    /// What solving around five exams moved by hand does, with --seconds before and after
    Around,
    /// Costs that the evolutionary algorithm reaches with the published settings
    Evolution,
    /// Milliseconds per stage of a generation: CPU and every CUDA device, all variants
    EvolutionStages,
}
