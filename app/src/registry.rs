//! The list of problems in the program: what the command line adds to each problem of the solver's registry.

use std::sync::OnceLock;

use gridwright_solver::problem::Problem;
use gridwright_solver::search::report::Report;
use gridwright_solver::{Error, Result};

use crate::arguments::{Bench, InstanceArguments};
use crate::command::generate::Generator;
use crate::command::problem::OpenInstance;
use crate::problems::{facility, flowshop, systolic, timetabling};

/// A measurement that `gridwright bench PROBLEM --suite NAME` makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suite {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for the help text.
    pub help: &'static str,
}

/// A problem as the program offers it.
pub trait ProblemUi: Sync {
    /// The problem.
    fn problem(&self) -> &'static dyn Problem;

    /// Opens an instance for the command line.
    ///
    /// # Errors
    /// Faults of the file, by line; options that the problem does not have.
    fn open(&self, arguments: &InstanceArguments) -> Result<Box<dyn OpenInstance>>;

    /// The generators of instances.
    fn generators(&self) -> &'static [Generator] {
        &[]
    }

    /// The suites of measurements; the first one is the default.
    fn suites(&self) -> &'static [Suite] {
        &[]
    }

    /// Measures the searches.
    ///
    /// # Errors
    /// Instances that cannot be opened, searches that break off, options that do not belong together.
    fn bench(&self, _arguments: &Bench) -> anyhow::Result<Vec<Report>> {
        anyhow::bail!("nothing is measured of {}", self.problem().nouns().instances)
    }
}

static SHIPPED: [&dyn ProblemUi; 4] = [
    &timetabling::command::TimetablingUi,
    &flowshop::command::FlowShopUi,
    &facility::command::FacilityUi,
    &systolic::command::SystolicUi,
];

static ADDED: OnceLock<Vec<&'static dyn ProblemUi>> = OnceLock::new();

/// Adds problems here and to the solver's registry, before either is first used; for tests of the interface.
///
/// # Panics
/// If problems were added before.
pub fn add(problems: Vec<&'static dyn ProblemUi>) {
    gridwright_solver::registry::add(problems.iter().map(|problem| problem.problem()).collect());
    assert!(ADDED.set(problems).is_ok(), "problems are added once, at the start of the program");
}

/// All problems, in the order in which lists show them.
pub fn problems() -> impl Iterator<Item = &'static dyn ProblemUi> {
    SHIPPED.into_iter().chain(ADDED.get().into_iter().flatten().copied())
}

/// The entry of a problem in this registry.
///
/// # Errors
/// [`Error::Usage`] if the problem is in the solver's registry only.
pub fn ui_of(problem: &dyn Problem) -> Result<&'static dyn ProblemUi> {
    let found = problems().find(|ui| ui.problem().id() == problem.id());
    found.ok_or_else(|| Error::Usage(format!("the problem “{}” has no place on the command line", problem.id())))
}

/// The generators of all problems.
pub fn generators() -> impl Iterator<Item = Generator> {
    problems().flat_map(|problem| problem.generators()).copied()
}
