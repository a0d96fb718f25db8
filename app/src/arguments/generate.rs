//! `gridwright generate`, one kind per problem.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::values::{density, periods};

/// `gridwright generate`, one kind per problem.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Generate {
    /// An examination session: faculties, programmes, years, core and elective courses, students
    Timetabling(GenerateTimetabling),
    /// A flow shop with times from 1 to 99, as Taillard's are made, and due dates as Liefooghe's
    #[command(name = "flowshop")]
    FlowShop(GenerateFlowShop),
    /// A layout problem: departments, areas and flows in a plant
    Layout(GenerateLayout),
    /// A knapsack, made by the generator of the systolic genetic search's instances
    Knapsack(GenerateKnapsack),
    /// A next release problem: costs of requirements, values that customers see in them
    #[command(name = "nrp")]
    NextRelease(GenerateNextRelease),
    /// The massively multimodal deceptive problem
    #[command(name = "mmdp")]
    Deceptive(GenerateBits),
    /// OneMax: as many ones as possible
    #[command(name = "onemax")]
    OneMax(GenerateBits),
}

/// A knapsack to be made.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct GenerateKnapsack {
    /// Number of items
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true)]
    pub items: usize,
    /// Profits and weights are drawn from 1 to this
    #[arg(long, value_name = "R", default_value_t = 1_000, allow_negative_numbers = true)]
    pub range: u64,
    /// The seed of all random numbers, 1 to 1000; with it grows how many of the items fit (1: few, 500: half of them)
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.csv for a table, NAME.txt for numbers, NAME.ron for a document
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// A next release problem to be made.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct GenerateNextRelease {
    /// Number of customers
    #[arg(long, value_name = "C", default_value_t = 100, allow_negative_numbers = true)]
    pub customers: usize,
    /// Number of requirements
    #[arg(long, value_name = "N", default_value_t = 140, allow_negative_numbers = true)]
    pub requirements: usize,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.csv for a table, NAME.txt for numbers, NAME.ron for a document
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// A problem that only has a size.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct GenerateBits {
    /// Number of bits
    #[arg(long, value_name = "N", default_value_t = 300, allow_negative_numbers = true)]
    pub bits: usize,
    /// NAME.ron
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// A layout problem to be made.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct GenerateLayout {
    /// What it is like
    #[arg(long, value_enum, default_value = "uniform")]
    pub preset: LayoutPreset,
    /// Number of departments
    #[arg(long, value_name = "N", default_value_t = 40, allow_negative_numbers = true)]
    pub departments: usize,
    /// Probability of a flow between two departments of a uniform problem, 0 to 1
    #[arg(long, value_name = "D", default_value_t = 0.2, value_parser = density, allow_negative_numbers = true)]
    pub density: f64,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.csv for one table, NAME.ron for this program's own format
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Layout problems that the generator knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LayoutPreset {
    /// A plant of 45 x 45, areas uniform, a flow from 1 to 10 between two departments with probability --density
    Uniform,
    /// A factory with names, usual areas, and products on their routes
    Plant,
}

/// A flow shop to be made.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct GenerateFlowShop {
    /// Number of jobs
    #[arg(long, value_name = "N", default_value_t = 50, allow_negative_numbers = true)]
    pub jobs: usize,
    /// Number of machines
    #[arg(long, value_name = "M", default_value_t = 10, allow_negative_numbers = true)]
    pub machines: usize,
    /// The seed of all random numbers, 1 to 2147483646
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Give the jobs due dates
    #[arg(long)]
    pub due_dates: bool,
    /// NAME.csv for a table, NAME.txt for numbers
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// A session to be made; what is `None` is the preset's.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct GenerateTimetabling {
    /// The kind of institution, which gives every number that is not named
    #[arg(long, value_enum, default_value = "faculty")]
    pub preset: Preset,
    /// Number of exams
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub exams: Option<usize>,
    /// Number of students
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub students: Option<usize>,
    /// Share of ones in the conflict matrix, 0 to 1, to be approached
    #[arg(long, value_name = "D", value_parser = density, allow_negative_numbers = true)]
    pub density: Option<f64>,
    /// Number of periods
    #[arg(long, value_name = "N", value_parser = periods, allow_negative_numbers = true)]
    pub periods: Option<usize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.stu (with NAME.crs beside it), or a folder for enrolments.csv, exams.csv and periods.csv
    #[arg(long, value_name = "DIR_OR_FILE")]
    pub out: PathBuf,
}

/// Institutions that the generator knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// About 40 exams.
    School,
    /// About 200 exams.
    Faculty,
    /// About 600 exams and 20,000 students.
    University,
}
