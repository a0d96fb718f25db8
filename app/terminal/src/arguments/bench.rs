//! `gridwright bench`.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, FromArgMatches};
use gridwright_core::planning::generators::{CommandOption, Measurement, Measurements};
use gridwright_core::problem::Overrides;
use gridwright_core::registry;

use super::options::{augment, collect};
use super::values::{seconds, threads};

/// `gridwright bench`, as needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Bench {
    /// The problem whose searches are measured.
    pub problem: String,
    /// The measurement.
    pub measurement: Measurement,
    /// True to print one JSON object instead of Markdown.
    pub json: bool,
    /// True to print CSV instead of Markdown.
    pub csv: bool,
}

/// `gridwright bench` as typed, but for the options of problems.
#[derive(Debug, Args)]
struct TypedBench {
    /// The problem whose searches are measured
    #[arg(value_name = "PROBLEM", value_parser = problem_names())]
    problem: String,
    /// Measurements to make; “stages” for timetables, “insertion” for flow shops and “layouts” for layouts where nothing is said
    #[arg(long, value_parser = suite_names())]
    suite: Option<String>,
    /// Instances instead of the suite's own: files or sample:NAME; may be repeated
    #[arg(long = "instance", value_name = "INSTANCE")]
    instances: Vec<String>,
    /// Seconds of each run of “speed” and of binary problems (60 where nothing is said), of layouts (5) and of “insertion” (1)
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    /// Threads of the CPU; 0 takes all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    threads: usize,
    /// Print one JSON object instead of Markdown
    #[arg(long)]
    json: bool,
    /// Print CSV instead of Markdown
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Args for Bench {
    fn augment_args(command: clap::Command) -> clap::Command {
        options().fold(TypedBench::augment_args(command), augment)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Bench {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let TypedBench { problem, suite, instances, seconds, threads, json, csv } =
            TypedBench::from_arg_matches(matches)?;
        let own = measurements().filter(|(id, _)| *id == problem).flat_map(|(_, own)| own.options);
        let options: Overrides = collect(matches, own);
        Ok(Self { problem, measurement: Measurement { suite, instances, seconds, threads, options }, json, csv })
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The measurements of all problems, each with the identifier of its problem.
fn measurements() -> impl Iterator<Item = (&'static str, &'static Measurements)> {
    registry::problems().filter_map(|problem| Some((problem.id(), problem.profile().measurements?)))
}

/// The options of all problems.
fn options() -> impl Iterator<Item = &'static CommandOption> {
    measurements().flat_map(|(_, measurements)| measurements.options)
}

fn problem_names() -> PossibleValuesParser {
    PossibleValuesParser::new(measurements().map(|(id, _)| id))
}

fn suite_names() -> PossibleValuesParser {
    let suites = measurements().flat_map(|(_, measurements)| measurements.suites);
    PossibleValuesParser::new(suites.map(|suite| PossibleValue::new(suite.name).help(suite.help)))
}
