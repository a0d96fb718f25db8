//! The list of problems in the program: what command line and window add to each problem of the solver's registry.

use std::sync::OnceLock;

use gridwright_core::Result;
use gridwright_core::problem::Problem;

use crate::lessons::Lesson;
use crate::problem::{Generator, ProblemUi, without_ui};
use crate::problems::{facility, flowshop, systolic, timetabling};

static SHIPPED: [&ProblemUi; 4] = [&timetabling::UI, &flowshop::UI, &facility::UI, &systolic::UI];

static ADDED: OnceLock<Vec<&'static ProblemUi>> = OnceLock::new();

/// Adds problems here and to the solver's registry, before either is first used; for tests of the interface.
///
/// # Panics
/// If problems were added before.
pub fn add(problems: Vec<&'static ProblemUi>) {
    assert!(ADDED.set(problems).is_ok(), "problems are added once, at the start of the program");
    register();
}

/// States the problems to the registry below; the program does so first of all.
pub fn register() {
    gridwright_core::registry::register(&problems().map(|problem| problem.problem).collect::<Vec<_>>());
}

/// All problems, in the order in which lists show them.
pub fn problems() -> impl Iterator<Item = &'static ProblemUi> {
    SHIPPED.into_iter().chain(ADDED.get().into_iter().flatten().copied())
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

/// The generators of all problems.
pub fn generators() -> impl Iterator<Item = Generator> {
    problems().flat_map(|problem| problem.generators).copied()
}
