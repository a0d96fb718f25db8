//! Checked runs, pictures and exports of problems that need nothing but the solution.

use std::path::Path;
use std::sync::Arc;

use gridwright_core::Result;
use gridwright_core::export::Writing;
use gridwright_core::export::formats::Format;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::planning::{ExportOptions, Planning};
use gridwright_core::result::{RunResult, Violation};
use gridwright_core::run_status::RunStatus;

use super::kind::{CheckedRun, DocumentKind, Drawn, ExportedSolution, Instance, Refusal, Solution};
use super::{Document, Run};

/// Violations that a tooltip lists.
const LISTED: usize = 12;

/// Solution of a listed run, and nothing else but its cost.
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

impl<K, S> CheckedRun<K> for Checked<S>
where
    K: DocumentKind<Checked = Self>,
    K::Problem: Planning<Solution = S>,
    S: Default + Send + Sync + 'static,
{
    fn validate(instance: &Instance<K>, result: RunResult) -> Option<Run<K>> {
        let decoded = <K::Problem>::decode(instance, &result.solution);
        let (solution, unknown) = decoded.map_or_else(|why| (S::default(), Some(why)), |solution| (solution, None));
        let verdict = <K::Problem>::verify(instance, &Default::default(), &solution, Some(&result)).ok()?.verdict;
        let lines = || Violation::lines(&verdict.violations, LISTED).join("\n");
        let status = RunStatus::of(&result.verdict, verdict.feasible, verdict.cost, lines, unknown);
        Some(Run::<K>::new(result, status, Self { solution: Arc::new(solution), cost: verdict.cost }))
    }

    fn cost(&self) -> f64 {
        self.cost
    }

    fn solution(_document: &Document<K>, run: &Run<K>) -> Option<Arc<S>> {
        (run.status == RunStatus::Valid).then(|| Arc::clone(&run.solution))
    }
}

impl<K, S> Drawn<K> for Arc<S>
where
    K: DocumentKind,
    K::Problem: Planning<Solution = S>,
    S: Send + Sync + 'static,
{
    fn of(_document: &Document<K>, solution: Self) -> Self {
        solution
    }

    fn solution(&self) -> &Self {
        self
    }
}

/// Instance and solution of an export, with the letterhead.
pub struct SolutionExport<K: DocumentKind> {
    instance: Arc<Instance<K>>,
    solution: Arc<Solution<K>>,
    letterhead: Letterhead,
}

impl<K: DocumentKind<Exported = Self>> ExportedSolution<K> for SolutionExport<K> {
    fn of(document: &Document<K>, _format: &Format) -> std::result::Result<Self, Refusal> {
        let picture = document.picture().ok_or("Solve first; there is nothing to export yet")?;
        let (instance, solution) = (Arc::clone(&document.instance), Arc::clone(K::Picture::solution(picture)));
        Ok(Self { instance, solution, letterhead: document.letterhead().clone() })
    }

    fn bytes(&self, ending: &str, _writing: &Writing) -> Result<Vec<u8>> {
        let options = ExportOptions { letterhead: &self.letterhead, result: None, before: None, options: None };
        <K::Problem>::export(&self.instance, &self.solution, Path::new(""), ending, &options)
    }
}
