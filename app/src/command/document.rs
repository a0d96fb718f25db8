//! The command line of a problem as it follows from its documents; problems with options of their own implement
//! [`OpenInstance`] instead.

use std::path::Path;
use std::sync::Arc;

use gridwright_core::replay::{self, ReplayReport};
use gridwright_core::result::{Encoded, RunResult, Verdict, Violation};
use gridwright_core::search::run::{self, Task};
use gridwright_core::search::{Algorithms, Budget, Control, Progress};
use gridwright_core::{Error, Result};

use super::problem::{ExportOptions, Fact, Identity, Judged, OpenInstance, ProgressReport};
use crate::arguments::{InstanceArguments, SolveRequest};
use crate::document::{self, DocumentKind, Run, Settings};
use crate::runs::RunStatus;

/// A problem whose command line has no options of its own; exports need the instance and a solution.
pub trait CommandKind:
    DocumentKind<
        Goal = (),
        Checked = Checked<<Self as DocumentKind>::Solution>,
        Exported = (Arc<<Self as DocumentKind>::Instance>, Arc<<Self as DocumentKind>::Solution>),
    >
{
    /// Warnings of the reader of an instance.
    fn warnings(_instance: &Self::Instance) -> &[String] {
        &[]
    }
    /// Sizes, bounds and the like.
    fn facts(instance: &Self::Instance) -> Vec<Fact>;
    /// One solve of an instance.
    fn task(instance: &Self::Instance, algorithm: Self::Algorithm) -> impl Task<Solution = Self::Best>;
    /// Finds the items of a stored solution, which may be incomplete.
    ///
    /// # Errors
    /// A sentence if the value is no solution of the instance.
    fn decode(instance: &Self::Instance, solution: &Encoded) -> std::result::Result<Self::Solution, String>;
    /// The independent check.
    fn check(instance: &Self::Instance, solution: &Self::Solution) -> Verdict;
}

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

/// Implements [`DocumentKind::solve`].
///
/// # Errors
/// As [`run::solve`].
pub fn solve<K: CommandKind>(
    request: &document::SolveRequest<K>, control: &Control, observer: &mut dyn FnMut(&Progress<K::Best>),
) -> Result<RunResult> {
    let task = K::task(&request.instance, request.settings.algorithm.clone());
    run::solve(&task, &request.settings, control.into(), observer)
}

/// Implements [`DocumentKind::validate`].
pub fn validate<K: CommandKind>(instance: &K::Instance, result: RunResult) -> Option<Run<K>>
where
    K::Solution: Default,
{
    let decoded = K::decode(instance, &result.solution);
    let (solution, unknown) = decoded.map_or_else(|why| (K::Solution::default(), Some(why)), |found| (found, None));
    let verdict = K::check(instance, &solution);
    let lines = || Violation::lines(&verdict.violations, LISTED).join("\n");
    let status = RunStatus::of(&result.verdict, verdict.feasible, verdict.cost, lines, unknown);
    Some(Run::<K>::new(result, status, Checked { solution: Arc::new(solution), cost: verdict.cost }))
}

/// Violations that a tooltip lists.
const LISTED: usize = 12;

/// Opens an instance for the command line.
///
/// # Errors
/// As [`DocumentKind::open_instance`]; an option of another problem.
pub fn open_instance<K: CommandKind>(arguments: &InstanceArguments) -> Result<Box<dyn OpenInstance>> {
    arguments.check_for(K::PROBLEM)?;
    let instance = Arc::new(K::open_instance(&arguments.source, &arguments.overrides)?);
    Ok(Box::new(Opened::<K> { instance, source: arguments.source.clone() }))
}

/// An instance of a problem `K`.
struct Opened<K: DocumentKind> {
    instance: Arc<K::Instance>,
    source: String,
}

/// Passes the progress of a search on as the cost of its best solution.
fn reporting<'a, S>(
    instance: &'a dyn OpenInstance, observer: &'a mut dyn FnMut(&ProgressReport<'_>),
) -> impl FnMut(&Progress<S>) + 'a {
    move |progress| {
        let best = || instance.shown_text(instance.shown(progress.snapshot.best_cost));
        observer(&ProgressReport::new(progress, &best));
    }
}

impl<K: CommandKind> Opened<K> {
    fn settings(&self, request: &SolveRequest) -> Result<Settings<K>> {
        let usual = |algorithm: &K::Algorithm| algorithm.descriptor().budget.unwrap_or(Budget::Seconds(30.0));
        request.settings(K::Algorithm::default(), (), usual)
    }

    fn decoded(&self, solution: &Encoded, path: &Path) -> Result<K::Solution> {
        K::decode(&self.instance, solution).map_err(|what| Error::file(path, what))
    }
}

impl<K: CommandKind> OpenInstance for Opened<K> {
    fn identity(&self) -> Identity<'_> {
        let (name, file_hash) = (K::name(&self.instance), K::hash(&self.instance));
        Identity { problem: K::PROBLEM, name, file_hash, warnings: K::warnings(&self.instance) }
    }

    fn facts(&self) -> Vec<Fact> {
        K::facts(&self.instance)
    }

    fn in_short(&self) -> String {
        K::facts_line(&self.instance)
    }

    fn check_request(&self, request: &SolveRequest) -> Result<()> {
        self.settings(request).map(drop)
    }

    fn step_noun(&self, algorithm: &str) -> &'static str {
        let named = K::Algorithm::ALL.iter().find(|descriptor| descriptor.name == algorithm);
        named.or(K::Algorithm::ALL.first()).map_or("steps", |descriptor| descriptor.steps)
    }

    fn export_endings(&self) -> Vec<&'static str> {
        K::FORMATS.iter().map(|format| format.ending).collect()
    }

    fn solve(
        &self, request: &SolveRequest, control: &Control, observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<RunResult> {
        let (instance, source) = (Arc::clone(&self.instance), self.source.clone());
        let request = document::SolveRequest::<K> {
            instance,
            source,
            key: String::new(),
            settings: self.settings(request)?,
            start: None,
        };
        K::solve(&request, control, &mut reporting(self, observer))
    }

    fn replay(
        &self, result: &RunResult, backend: &str, threads: usize, control: &Control,
        observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<ReplayReport> {
        replay::check_data(result, self.name(), self.identity().file_hash)?;
        let algorithm = K::Algorithm::of_result(&result.algorithm, &result.parameters)?;
        let task = K::task(&self.instance, algorithm);
        run::replay(&task, result, (backend, threads), control.into(), &mut reporting(self, observer))
    }

    fn verify(&self, solution: &Encoded, path: &Path, _result: Option<&RunResult>) -> Result<Judged> {
        let verdict = K::check(&self.instance, &self.decoded(solution, path)?);
        Ok(Judged { verdict, figures: Vec::new() })
    }

    fn export_bytes(
        &self, solution: &Encoded, path: &Path, ending: &str, _options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        K::export_bytes(&(Arc::clone(&self.instance), Arc::new(self.decoded(solution, path)?)), ending)
    }
}
