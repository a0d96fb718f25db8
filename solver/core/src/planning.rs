//! An opened instance as the commands see it, whatever its problem. Each problem implements [`OpenInstance`] in its folder.

pub mod beginning;
pub mod decisions;
pub mod generators;
pub mod measures;
mod opened;
pub mod opening;
mod request;
pub mod updating;

use std::collections::BTreeMap;
use std::path::Path;

use crate::letterhead::Letterhead;
use crate::numbers::{grouped, quantity};
use crate::problem::{Overrides, Problem};
use crate::replay::ReplayReport;
use crate::result::{Encoded, RunResult, Verdict};
use crate::search::{Control, Progress};
use crate::statistics::summary::directed_gap;
use crate::{Error, Result};

pub use decisions::{Consequences, Decision, DecisionName, PresentSolution};
pub use measures::{Measure, MeasureTable, whole};
pub use opened::{
    OUR_BEST, Opened, Planning, ProblemDescriptor, Settings, USUAL_BUDGET, consequences_of, decisions_about,
};
pub use opening::InstanceSource;
pub use request::SolveRequest;

/// One fact about an instance: for people and for scripts.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The key in JSON; empty for facts that only people want.
    pub key: &'static str,
    /// Label for people; empty for facts that only scripts need.
    pub label: &'static str,
    /// The value in JSON.
    pub value: serde_json::Value,
    /// The value as people read it.
    pub text: String,
}

impl Fact {
    /// A fact.
    pub fn new(key: &'static str, label: &'static str, value: serde_json::Value, text: String) -> Self {
        Self { key, label, value, text }
    }

    /// A fact that counts items.
    pub fn count(key: &'static str, label: &'static str, count: usize) -> Self {
        Self::new(key, label, count.into(), grouped(count as u64))
    }
}

/// Where a running search stands.
pub struct ProgressReport<'a> {
    /// Seconds since it began.
    pub seconds: f64,
    /// Share of the budget that is done, 0…1.
    pub share: f64,
    /// Generations or steps done.
    pub step: u64,
    /// Solutions or moves evaluated.
    pub evaluations: u64,
    /// Cost of the best so far; smaller is better.
    pub cost: f64,
    /// The best so far as people read it; worked out only when it is shown.
    pub best: &'a dyn Fn() -> String,
}

impl<'a> ProgressReport<'a> {
    /// Report on the progress of a search; `best` formats the cost of the best solution so far.
    pub fn new<S>(progress: &Progress<S>, best: &'a dyn Fn() -> String) -> Self {
        let (seconds, share, snapshot) = (progress.seconds, progress.share, &progress.snapshot);
        let cost = snapshot.best_cost;
        Self { seconds, share, step: snapshot.step, evaluations: snapshot.evaluations, cost, best }
    }
}

/// Verdict of the independent checker on a solution, with further figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Feasibility, cost and violations.
    pub verdict: Verdict,
    /// Further figures, such as other objectives.
    pub figures: Vec<Fact>,
}

/// A solution that was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadSolution {
    /// The solution.
    pub solution: Encoded,
    /// Verdict on a file that states more than the solution holds, such as the times of operations.
    pub stated: Option<Judged>,
    /// Why the solution is not what the file states, if so: it must not be shown, exported or compared in place of that.
    pub unlike: Option<String>,
    /// Remarks of the reader.
    pub remarks: Vec<Remark>,
}

impl ReadSolution {
    /// The solution of the file at `path`, which must be what the file states.
    ///
    /// # Errors
    /// [`Error::File`] if the solution cannot hold what the file states.
    pub fn exact(&self, path: &Path) -> Result<&Encoded> {
        match &self.unlike {
            Some(why) => Err(Error::file(path, why)),
            None => Ok(&self.solution),
        }
    }
}

/// Remark about a solution that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The key in JSON.
    pub key: &'static str,
    /// The value in JSON.
    pub value: serde_json::Value,
    /// The remark as a sentence.
    pub text: String,
}

impl Remark {
    /// Sentences about what a solution and the instance do not have in common.
    pub fn mismatches(sentences: &[String]) -> Self {
        Self { key: "mismatches", value: sentences.into(), text: sentences.join("; ") }
    }
}

/// Differences between two solutions.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// For people, as many lines as it takes.
    pub text: String,
    /// For scripts: keys and values of an object.
    pub json: serde_json::Map<String, serde_json::Value>,
}

/// A solution as the next version of what people were told.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Number of the version, counted from 1.
    pub version: u32,
    /// Demands of the project with the version.
    pub demands: Encoded,
    /// False if the version before says the same to everyone.
    pub is_changed: bool,
    /// For people: what has changed since the version before, and whom that concerns, as many lines as it takes.
    pub text: String,
    /// For scripts: keys and values of an object.
    pub json: serde_json::Map<String, serde_json::Value>,
}

/// Request for duties of people at a solution.
#[derive(Debug, Clone, Copy)]
pub struct DutyRequest<'a> {
    /// File of the duties to begin with; `None`: those of the project where duties are adjusted or late absences are given, and
    /// otherwise none.
    pub duties: Option<&'a Path>,
    /// True if the duties to begin with are adjusted to the solution: everybody stays who can, and the other posts get people.
    pub adjusts: bool,
    /// Late absences, for which others take over, as people write them.
    pub absent: &'a [String],
    /// Demands of the project of the instance; `None` if it is of none.
    pub demands: Option<&'a Encoded>,
    /// Endings of the documents to encode.
    pub endings: &'a [&'static str],
    /// Institution and logo of printed documents.
    pub letterhead: &'a Letterhead,
}

/// Duties of people at a solution.
#[derive(Debug, Clone, PartialEq)]
pub struct AssignedDuties {
    /// Demands of the project with the duties.
    pub demands: Encoded,
    /// Documents in the order of the requested endings.
    pub documents: Vec<Vec<u8>>,
    /// Faults of the duties that the independent check finds, as sentences.
    pub faults: Vec<String>,
    /// For people: figures, what is not covered, and replacements, as many lines as it takes.
    pub text: String,
    /// For scripts: keys and values of an object.
    pub json: serde_json::Map<String, serde_json::Value>,
}

/// Input of an export beyond the solution.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExportOptions<'a> {
    /// The run that made the solution.
    pub result: Option<&'a RunResult>,
    /// Another solution to compare with, and where it is from.
    pub before: Option<(&'a Encoded, &'a Path)>,
    /// Options of the problem; `None`: none were given.
    pub options: Option<&'a Overrides>,
    /// Institution and logo of printed documents.
    pub letterhead: &'a Letterhead,
}

/// Data that an export format needs and that are missing, with the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingData {
    /// Sentence for the window, without a full stop.
    pub in_window: &'static str,
    /// Error text for the command line.
    pub on_command_line: String,
}

impl From<MissingData> for Error {
    fn from(missing: MissingData) -> Self {
        Self::Usage(missing.on_command_line)
    }
}

/// Origin of the solution that an export writes.
#[derive(Debug, Clone, Copy)]
pub enum ExportOrigin<'a> {
    /// A run that is still to be made.
    Request(&'a SolveRequest),
    /// A file: the result of a run, or `None` for a solution without one.
    File(Option<&'a RunResult>),
}

impl ExportOrigin<'_> {
    /// Name of the algorithm; `None` if the problem chooses one, or if there is no run.
    pub fn algorithm(&self) -> Option<&str> {
        match self {
            Self::Request(request) => request.algorithm.as_deref(),
            Self::File(result) => result.map(|result| result.algorithm.as_str()),
        }
    }
}

/// Identity of an opened instance and the warnings of its reader.
#[derive(Clone, Copy)]
pub struct Identity<'a> {
    /// Problem of the instance.
    pub problem: &'static dyn Problem,
    /// Name of the instance.
    pub name: &'a str,
    /// SHA-256 of the files of the instance; empty if it was generated.
    pub file_hash: &'a str,
    /// Warnings of the reader.
    pub warnings: &'a [String],
}

/// An opened instance of some problem.
pub trait OpenInstance {
    /// Identity of the instance and the warnings of its reader.
    fn identity(&self) -> Identity<'_>;

    /// Problem of the instance.
    fn problem(&self) -> &'static dyn Problem {
        self.identity().problem
    }

    /// Name of the instance.
    fn name(&self) -> &str {
        self.identity().name
    }

    /// Options that were given and on which the data depend, by name as results keep them.
    fn overrides(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Its sizes, bounds and the like.
    fn facts(&self) -> Vec<Fact>;

    /// Demands that no solution meets together, a sentence each, as far as they are found without a search.
    fn contradictions(&self) -> Vec<String> {
        Vec::new()
    }

    /// The sizes in one line, such as «81 exams, 2 823 students, 18 periods».
    fn summary(&self) -> String;

    /// Checks a request as far as that is possible before the run.
    ///
    /// # Errors
    /// The setting that cannot be used, or the one that is missing, with the remedy.
    fn check_request(&self, request: &SolveRequest) -> Result<()>;

    /// Noun for the generations or steps of this algorithm; `None`: of the usual one.
    fn step_noun(&self, algorithm: Option<&str>) -> &'static str;

    /// The endings of the formats that [`OpenInstance::export_bytes`] writes.
    fn export_endings(&self) -> Vec<&'static str>;

    /// Checks that the instance and what is asked for hold the data that a format needs.
    ///
    /// # Errors
    /// The missing data, and where to add them.
    fn check_export(&self, _ending: &str, _origin: ExportOrigin<'_>) -> Result<()> {
        Ok(())
    }

    /// A cost as people read it.
    fn shown(&self, cost: f64) -> f64 {
        cost
    }

    /// A displayed cost as text, such as «10.0337» or «1 278».
    fn shown_text(&self, shown: f64) -> String {
        quantity(shown)
    }

    /// A cost with all that belongs to it, such as «10.0337 (28,325 undivided)» or «1,278 (makespan)».
    fn cost_line(&self, cost: f64) -> String {
        self.shown_text(self.shown(cost))
    }

    /// The best cost known, as people read it.
    fn best_known(&self) -> Option<f64> {
        None
    }

    /// Gap of a displayed cost to the best one known in per cent, positive if it is worse.
    fn gap(&self, shown: f64) -> Option<f64> {
        directed_gap(shown, self.best_known()?, self.shown(1.0) - self.shown(0.0))
    }

    /// Source of the best cost known: a publication with its year where that is known, or a calculation.
    fn best_known_source(&self) -> Option<String> {
        None
    }

    /// Why the best cost known is not to be relied on, where it is not.
    fn best_known_warning(&self) -> Option<String> {
        None
    }

    /// The best cost that a solution in `docs/results` has, as people read it.
    fn our_best(&self) -> Option<f64> {
        None
    }

    /// Solves the instance. The command adds the source and [`Self::overrides`] to the result.
    ///
    /// # Errors
    /// A setting cannot be used, or the device is not there.
    fn solve(
        &self, request: &SolveRequest, control: &Control, observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<RunResult>;

    /// Solves the instance with each of `seeds` in place of the requested one, side by side on the device, with the results of
    /// [`Self::solve`] except for times; `observer` is called with the index of the seed. `None` if there is no such way.
    ///
    /// # Errors
    /// As [`Self::solve`]; no run has a result then.
    fn solve_seeds(
        &self, _request: &SolveRequest, _seeds: &[u64], _control: &Control,
        _observer: &mut dyn FnMut(usize, &ProgressReport<'_>),
    ) -> Result<Option<Vec<RunResult>>> {
        Ok(None)
    }

    /// Runs a result again.
    ///
    /// # Errors
    /// The result cannot be run here.
    fn replay(
        &self, result: &RunResult, backend: &str, threads: usize, control: &Control,
        observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<ReplayReport>;

    /// Reads a solution file of this problem; `counted_from` is the number of the first place where files differ in
    /// that (periods from 0 or from 1), `None`: as the file shows it.
    ///
    /// # Errors
    /// The file is missing, is of another kind, or does not fit the instance.
    fn read_solution(&self, path: &Path, _counted_from: Option<u16>) -> Result<ReadSolution> {
        let nouns = self.problem().nouns();
        let what = format!("{} of {} is read from the result of a run (.ron) only", nouns.solution, nouns.instance);
        Err(Error::file(path, what))
    }

    /// The solution of a run that was made of former data, where it does not name the items of the present ones: those that are
    /// there still, and sentences about the others. `None` if it names all of them, or hardly any.
    fn carried(&self, _solution: &Encoded) -> Option<(Encoded, Vec<String>)> {
        None
    }

    /// Makes a solution the next version of what people were told; `demands` are those of the project of the instance.
    ///
    /// # Errors
    /// Solutions of the problem have no versions, or the solution or the demands do not fit the instance.
    fn publish(&self, solution: &Encoded, path: &Path, demands: Option<&Encoded>) -> Result<Published>;

    /// Gives people duties at a solution, or checks or changes the duties that they have.
    ///
    /// # Errors
    /// Solutions of the problem have no duties, data for them are missing, or a document cannot be encoded.
    fn assign_duties(&self, _solution: &Encoded, _path: &Path, _request: &DutyRequest<'_>) -> Result<AssignedDuties> {
        Err(without_duties(self.problem()))
    }

    /// The independent check. `path` names where the solution is from; what `result`, the run that made it, was asked
    /// to mind is checked beside what the instance itself demands.
    ///
    /// # Errors
    /// The solution is one of another instance.
    fn verify(&self, solution: &Encoded, path: &Path, result: Option<&RunResult>) -> Result<Judged>;

    /// Encodes a solution from `path` in the format with this ending, one of [`Self::export_endings`].
    ///
    /// # Errors
    /// The solution is one of another instance, or the format cannot hold it.
    fn export_bytes(
        &self, solution: &Encoded, path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>>;

    /// Compares two solutions, the first as the one before; `paths` name where they are from.
    ///
    /// # Errors
    /// A solution belongs to another instance.
    fn compare(&self, _solutions: [&Encoded; 2], _paths: [&Path; 2]) -> Result<Compared> {
        Err(Error::Usage(format!("solutions of {} cannot be compared", self.problem().nouns().instances)))
    }

    /// Figures of a solution from `path` by which people choose between several.
    ///
    /// # Errors
    /// The solution is one of another instance.
    fn measures(&self, _solution: &Encoded, _path: &Path) -> Result<Vec<Measure>> {
        Err(Error::Usage(format!("solutions of {} cannot be compared", self.problem().nouns().instances)))
    }

    /// Decisions about a solution under the demands of its run, the first of which is to leave everything as it is.
    ///
    /// # Errors
    /// The solution is one of another instance.
    fn decisions(&self, _present: &PresentSolution<'_>) -> Result<Vec<DecisionName>> {
        Ok(Vec::new())
    }

    /// Solves what each decision with one of the keys would demand, from a solution; without keys, the proposed decisions.
    /// `told` is called with the numbers of decisions that are done and of all.
    ///
    /// # Errors
    /// As [`consequences_of`]; an unknown key.
    fn consequences(
        &self, _present: &PresentSolution<'_>, _keys: &[String], _request: &SolveRequest, _control: &Control,
        _told: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Consequences> {
        Ok(Consequences::default())
    }
}

/// The error of a problem whose solutions have no duties of people.
pub(crate) fn without_duties(problem: &dyn Problem) -> Error {
    Error::Usage(format!(
        "solutions of {} have no duties of people; name a solution with duties",
        problem.nouns().instances
    ))
}
