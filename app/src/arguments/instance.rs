//! Which instance a command is about, and which solution.

use std::path::PathBuf;

use clap::Args;
use gridwright_solver::facility::Distance;
use gridwright_solver::facility::formats::PlantSize;
use gridwright_solver::flowshop::formats::Orientation;
use gridwright_solver::flowshop::multiobjective::Goal;
use gridwright_solver::systolic::Weight;
use gridwright_solver::{Error, Result};

use super::values;
use crate::recognition::Problem;

/// An instance as a person names it.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct InstanceArguments {
    /// The instance: a file of an examination session (.stu with its .crs beside it, .csv, .exam), of a flow shop or of
    /// a binary problem (.csv, .txt) or of a layout problem (.json, .ron, .csv, .xlsx), or a name: sample:school,
    /// sample:faculty, sample:university, sample:workshop, sample:layout-workshop, sample:layout-plant, sample:backpack,
    /// sample:release, taillard:ta001 to taillard:ta120, layout:F40, F60, F80, F100, F120, knapsack:1000-1000, mmdp:300,
    /// onemax:100, nrp:100-140
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
    /// The size of the plant of a layout problem, such as 20x30, instead of the file's
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = values::plant)]
    pub plant: Option<PlantSize>,
    /// How many times as long as wide departments of a layout may be, whatever limits the file has
    #[arg(long, value_name = "A", value_parser = values::aspect, allow_negative_numbers = true)]
    pub aspect: Option<f64>,
    /// How distances in a layout are measured, whatever the file says: rectilinear or euclidean
    #[arg(long, value_name = "DISTANCE", value_parser = values::distance)]
    pub distance: Option<Distance>,
    /// How much fits into a knapsack, instead of what its file says
    #[arg(long, value_name = "W", value_parser = values::capacity, allow_negative_numbers = true)]
    pub capacity: Option<u64>,
    /// Weight of what a release leaves out against what it costs: 0, 0.1 and so on to 1 (0.5 by default)
    #[arg(long, value_name = "W", value_parser = values::weight, allow_negative_numbers = true)]
    pub weight: Option<Weight>,
}

impl InstanceArguments {
    /// What is said that only one problem knows: the option and the problem.
    fn particular(&self) -> impl Iterator<Item = (&'static str, Problem)> {
        let options = [
            ("--periods", Problem::Timetabling, self.periods.is_some()),
            ("--objective", Problem::FlowShop, self.objective.is_some()),
            ("--number", Problem::FlowShop, self.number.is_some()),
            ("--orientation", Problem::FlowShop, self.orientation.is_some()),
            ("--plant", Problem::Facility, self.plant.is_some()),
            ("--aspect", Problem::Facility, self.aspect.is_some()),
            ("--distance", Problem::Facility, self.distance.is_some()),
            ("--capacity", Problem::Systolic, self.capacity.is_some()),
            ("--weight", Problem::Systolic, self.weight.is_some()),
        ];
        options.into_iter().filter(|(.., said)| *said).map(|(option, problem, _)| (option, problem))
    }

    /// Whether something is said that only this problem knows.
    pub fn is_meant_for(&self, problem: Problem) -> bool {
        self.particular().any(|(_, of)| of == problem)
    }

    /// Makes sure that nothing is said that this problem does not know.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the first such option.
    pub fn check_for(&self, problem: Problem) -> Result<()> {
        match self.particular().find(|(_, of)| *of != problem) {
            None => Ok(()),
            Some((option, of)) => {
                let (many, source, noun) = (of.plural(), &self.source, problem.noun());
                Err(Error::Usage(format!("{option} is for {many}; {source} is {noun}, leave it out")))
            }
        }
    }
}

/// An instance and a solution for it.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct PairArguments {
    /// What the solution is for.
    #[command(flatten)]
    pub instance: InstanceArguments,
    /// The solution: .sol, .csv, a schedule, a layout or bits as .ron, or a RESULT.ron
    #[arg(value_name = "SOLUTION")]
    pub solution: PathBuf,
    /// What the solution calls the first period or job, 0 or 1, where the file itself leaves it open
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u16).range(0..=1))]
    pub counted_from: Option<u16>,
}
