//! What the commands take that read an instance or a solution and do not search.

use std::path::PathBuf;

use clap::Args;

use super::instance::{InstanceArguments, PairArguments};
use super::values::{LeastFlow, backend, least_flow, threads};

/// `gridwright info`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Info {
    /// What to look at.
    #[command(flatten)]
    pub instance: InstanceArguments,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright verify`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Verify {
    /// What to check.
    #[command(flatten)]
    pub pair: PairArguments,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright replay`, as needed.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Replay {
    /// A result that “gridwright solve --out” or the window has kept
    #[arg(value_name = "RESULT.ron")]
    pub result: PathBuf,
    /// The instance, where it no longer is where it was
    #[arg(long, value_name = "FILE")]
    pub instance: Option<String>,
    /// What computes: auto, cpu, cuda or cuda:N
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = backend)]
    pub backend: String,
    /// Threads of the CPU; 0 takes all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright export`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Export {
    /// What to write.
    #[command(flatten)]
    pub pair: PairArguments,
    /// Files to write; the ending says the format. Timetables: csv, xlsx, ics, pdf, svg, png, sol; and, as in
    /// plan.students.csv or just students.csv: periods.csv, students.csv, students.zip (a calendar each), report.pdf.
    /// Schedules of a flow shop: csv, xlsx, sol, ron, pdf, svg, png; front.csv is the table of all orders of a front.
    /// Layouts: csv, xlsx, sol, ron, dxf, pdf, svg, png
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub to: Vec<PathBuf>,
    /// Another solution of the instance: report.pdf says what differs from it
    #[arg(long, value_name = "SOLUTION")]
    pub compare: Option<PathBuf>,
    /// The code of the one student whose calendar (.ics) is written
    #[arg(long, value_name = "CODE")]
    pub student: Option<String>,
    /// Pictures of a layout draw what flows at least this much, “none” draws no flows; without it as many of the largest
    /// as can be told apart
    #[arg(long, value_name = "FLOW", value_parser = least_flow)]
    pub least_flow: Option<LeastFlow>,
}

/// `gridwright compare`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Compare {
    /// The instance and the solution before.
    #[command(flatten)]
    pub pair: PairArguments,
    /// The solution after
    #[arg(value_name = "OTHER")]
    pub other: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
