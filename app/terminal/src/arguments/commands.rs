//! Arguments of the commands that read an instance or a solution and do not search.

use std::path::PathBuf;

use clap::Args;

use super::instance::{ExportArguments, InstanceArguments, PairArguments};
use super::values::{backend, threads};

/// `gridwright info`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Info {
    /// The instance.
    #[command(flatten)]
    pub instance: InstanceArguments,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright verify`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Verify {
    /// The instance and the solution to check.
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
    /// Device that computes: auto, cpu, cuda, cuda:N, several as cuda:0,1, or cuda:all
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
    /// The instance and the solution to write.
    #[command(flatten)]
    pub pair: PairArguments,
    /// Files to write; the ending says the format, and a wrong one lists those of the instance's problem
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub to: Vec<PathBuf>,
    /// Replace files that this program did not write; files that are read are never replaced
    #[arg(long = "overwrite")]
    pub overwrites: bool,
    /// Another solution of the instance: report.pdf says what differs from it
    #[arg(long, value_name = "SOLUTION")]
    pub compare: Option<PathBuf>,
    /// Institution named in PDF documents, instead of the project's
    #[arg(long, value_name = "TEXT")]
    pub institution: Option<String>,
    /// Logo in PDF documents, instead of the project's: PNG, JPEG or SVG, at most 1 MiB
    #[arg(long, value_name = "FILE")]
    pub logo: Option<PathBuf>,
    /// Options of the problem.
    #[command(flatten)]
    pub options: ExportArguments,
}

/// `gridwright compare`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Compare {
    /// The instance and the solution before.
    #[command(flatten)]
    pub pair: PairArguments,
    /// The solution after, or several, whose figures are told side by side with differences to the first solution
    #[arg(value_name = "OTHER", required = true, num_args = 1..)]
    pub others: Vec<PathBuf>,
    /// Files for the table of all figures and differences, which end with .csv or .xlsx
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub to: Vec<PathBuf>,
    /// Replace files that this program did not write; files that are read are never replaced
    #[arg(long = "overwrite")]
    pub overwrites: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright update`, as needed.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Update {
    /// The project whose data are updated; rules, edits and runs stay
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    /// Fresh versions of the files that the data came from
    #[arg(value_name = "FILE", required = true, num_args = 1..)]
    pub files: Vec<PathBuf>,
    /// Write the updated project to another file
    #[arg(long, value_name = "NEW")]
    pub output: Option<PathBuf>,
    /// Only print the differences
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Replace the project itself, or an output that this program did not write
    #[arg(long = "overwrite")]
    pub overwrites: bool,
}

/// `gridwright publish`, as needed.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Publish {
    /// The project that keeps the version
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    /// The solution to publish: a solution file or a RESULT.ron; without it the edits of the project or, without edits, its last run
    #[arg(value_name = "PLAN")]
    pub plan: Option<PathBuf>,
    /// Export the solution, too, as “gridwright export” does; changes are those since the version before
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub to: Vec<PathBuf>,
    /// Write the project with the version to another file
    #[arg(long, value_name = "NEW")]
    pub output: Option<PathBuf>,
    /// Only print the changes
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Publish a solution that violates something, too
    #[arg(long)]
    pub(crate) with_violations: bool,
    /// Replace files that this program did not write; files that are read are never replaced
    #[arg(long = "overwrite")]
    pub overwrites: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `gridwright invigilate`, as needed.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Invigilate {
    /// The instance and the solution with rooms.
    #[command(flatten)]
    pub pair: PairArguments,
    /// Files to write: duties.csv, duties.xlsx, duties.pdf, duties.zip or invigilators.pdf at the end of the name, or a project that
    /// keeps the duties
    #[arg(short, long, value_name = "FILE", num_args = 1..)]
    pub output: Vec<PathBuf>,
    /// Begin with the duties of this table (.duties.csv): check them, with --adjust fit them to the solution, or with --absent replace people
    #[arg(long, value_name = "FILE")]
    pub duties: Option<PathBuf>,
    /// Keep the duties of the table or project that are still possible, and find people for the other posts; as few people as possible move
    #[arg(long)]
    pub adjust: bool,
    /// Replace this person, in all periods or in those after “=”, such as “K12=2026-06-01; Fri”; can be repeated
    #[arg(long, value_name = "CODE[=PERIODS]")]
    pub absent: Vec<String>,
    /// Write duties that leave posts open or violate something, too
    #[arg(long)]
    pub(crate) with_violations: bool,
    /// Replace files that this program did not write; files that are read are never replaced, but for the project
    #[arg(long = "overwrite")]
    pub overwrites: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
