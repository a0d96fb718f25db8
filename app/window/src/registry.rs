//! The list of problems that the window shows: what it adds to each problem of the registry below.

use std::sync::OnceLock;

use gridwright_core::Result;
use gridwright_core::problem::Problem;

use crate::lessons::Lesson;
use crate::problem::{ProblemUi, without_ui};

static PROBLEMS: OnceLock<Vec<&'static ProblemUi>> = OnceLock::new();

/// States the problems that the window shows, in the order in which lists show them, here and in the registry below, before
/// either is first used. Later calls change nothing.
///
/// # Panics
/// If other problems were registered before.
pub fn register(problems: &[&'static ProblemUi]) {
    gridwright_core::registry::register(&problems.iter().map(|problem| problem.problem).collect::<Vec<_>>());
    PROBLEMS.get_or_init(|| problems.to_vec());
}

/// All problems, in the order in which lists show them.
pub fn problems() -> impl Iterator<Item = &'static ProblemUi> {
    PROBLEMS.get().into_iter().flatten().copied()
}

/// The entry of a problem in this registry.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if the problem is in the solver's registry only.
pub fn ui_of(problem: &dyn Problem) -> Result<&'static ProblemUi> {
    problems().find(|ui| ui.problem.id() == problem.id()).ok_or_else(|| without_ui(problem))
}

/// The guided lessons of all problems.
pub fn lessons() -> impl Iterator<Item = &'static Lesson> {
    problems().flat_map(|problem| problem.lessons)
}
