//! Which instance a command is about, and which solution.

use std::path::PathBuf;

use clap::Args;
use gridwright_solver::flowshop::formats::Orientation;
use gridwright_solver::flowshop::multiobjective::Goal;
use gridwright_solver::systolic::Weight;

use super::values;

/// An instance as a person names it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct InstanceArguments {
    /// The instance: a file of an examination session (.stu with its .crs beside it, .csv, .exam), of a flow shop or of
    /// a binary problem (.csv, .txt), or a name: sample:school, sample:faculty, sample:university, sample:workshop,
    /// sample:backpack, sample:release, taillard:ta001 to taillard:ta120, knapsack:1000-1000, mmdp:300, onemax:100,
    /// nrp:100-140
    #[arg(value_name = "INSTANCE")]
    pub source: String,
    /// Number of periods of a session, instead of the file's or the published one
    #[arg(long, value_name = "N", value_parser = values::periods, allow_negative_numbers = true)]
    pub periods: Option<usize>,
    /// What is to be minimised in a flow shop: makespan (the default), flowtime, tardiness or tardy; several at once with
    /// commas, as in makespan,flowtime; pareto is makespan,flowtime,tardiness
    #[arg(long, value_name = "OBJECTIVE", value_parser = values::goal)]
    pub objective: Option<Goal>,
    /// Which flow shop of a file that holds several, counted from 1
    #[arg(long, value_name = "N", value_parser = values::number, allow_negative_numbers = true)]
    pub number: Option<usize>,
    /// What a row of numbers is in the file of a flow shop: machine-rows (the default) or job-rows
    #[arg(long, value_name = "ORIENTATION", value_parser = values::orientation)]
    pub orientation: Option<Orientation>,
    /// How much fits into a knapsack, instead of what its file says
    #[arg(long, value_name = "W", value_parser = values::capacity, allow_negative_numbers = true)]
    pub capacity: Option<u64>,
    /// Weight of what a release leaves out against what it costs: 0, 0.1 and so on to 1 (0.5 by default)
    #[arg(long, value_name = "W", value_parser = values::weight, allow_negative_numbers = true)]
    pub weight: Option<Weight>,
}

/// An instance and a solution for it.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct PairArguments {
    /// What the solution is for.
    #[command(flatten)]
    pub instance: InstanceArguments,
    /// The solution: .sol, .csv, the schedule of a flow shop or bits as .ron, or a RESULT.ron
    #[arg(value_name = "SOLUTION")]
    pub solution: PathBuf,
    /// What the solution calls the first period or job, 0 or 1, where the file itself leaves it open
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u16).range(0..=1))]
    pub counted_from: Option<u16>,
}
