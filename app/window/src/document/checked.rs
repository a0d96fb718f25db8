//! Runs of problems that list nothing of a run but its solution and its cost.

use std::sync::Arc;

use gridwright_core::planning::Planning as _;
use gridwright_core::result::{RunResult, Violation};
use gridwright_core::run_status::RunStatus;

use super::Run;
use super::kind::{DocumentKind, Instance, Solution};

/// Violations that a tooltip lists.
const LISTED: usize = 12;

/// Solution of a listed run.
#[derive(Debug)]
pub struct Checked<S> {
    /// The solution.
    pub solution: Arc<S>,
    /// Cost by the checker.
    pub cost: f64,
}

impl<S> Clone for Checked<S> {
    fn clone(&self) -> Self {
        Self { solution: Arc::clone(&self.solution), cost: self.cost }
    }
}

/// Implements [`DocumentKind::validate`]; `None` if the checker cannot check the solution at all.
pub fn validate<K>(instance: &Instance<K>, result: RunResult) -> Option<Run<K>>
where
    K: DocumentKind<Checked = Checked<Solution<K>>>,
    Solution<K>: Default,
{
    let decoded = <K::Problem>::decode(instance, &result.solution);
    let (solution, unknown) =
        decoded.map_or_else(|why| (Solution::<K>::default(), Some(why)), |solution| (solution, None));
    let verdict = <K::Problem>::verify(instance, &Default::default(), &solution, Some(&result)).ok()?.verdict;
    let lines = || Violation::lines(&verdict.violations, LISTED).join("\n");
    let status = RunStatus::of(&result.verdict, verdict.feasible, verdict.cost, lines, unknown);
    Some(Run::<K>::new(result, status, Checked { solution: Arc::new(solution), cost: verdict.cost }))
}
