//! What the command line needs of a problem. A further problem implements [`Problem`] beside [`super::timetabling`] and
//! [`super::flowshop`] and takes its place in [`super::opening`]; the commands themselves know no problem.

use std::collections::BTreeMap;
use std::path::Path;

use gridwright_solver::Result;
use gridwright_solver::result::{RunResult, Solution, Verdict};
use gridwright_solver::search::Control;

use crate::arguments::{LeastFlow, Order};

/// One fact about an instance: for people and for scripts.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The key in JSON; empty for facts that only people want.
    pub key: &'static str,
    /// What people call it; empty for facts that only scripts want.
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

    /// How many there are of something.
    pub fn count(key: &'static str, label: &'static str, count: usize) -> Self {
        Self::new(key, label, count.into(), super::text::count(count as u64))
    }
}

/// Where a running search stands.
pub struct Pulse<'a> {
    /// Seconds since it began.
    pub seconds: f64,
    /// Share of the budget that is done, 0…1.
    pub share: f64,
    /// Generations or steps done.
    pub step: u64,
    /// Solutions or moves evaluated.
    pub evaluations: u64,
    /// The best so far as people read it; worked out only when it is shown.
    pub best: &'a dyn Fn() -> String,
}

/// What the independent checker says of a solution, and what else a person asks of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Whether anything is violated, and the cost.
    pub verdict: Verdict,
    /// Further figures, such as other objectives.
    pub figures: Vec<Fact>,
}

/// A solution that was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The solution.
    pub solution: Solution,
    /// What the checker says of it where the file states more than the solution holds, such as the times of operations.
    pub stated: Option<Judged>,
    /// What the reader noticed.
    pub remarks: Vec<Remark>,
}

/// What a person should know of a solution that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The key in JSON.
    pub key: &'static str,
    /// The value in JSON.
    pub value: serde_json::Value,
    /// The same as a sentence.
    pub text: String,
}

/// How a run again compares with the run before.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Epochs that were compared.
    pub epochs: usize,
    /// The first epoch that differs, counted from 0 (the start).
    pub first_difference: Option<usize>,
    /// Whether both ended with the same cost.
    pub cost_equal: bool,
    /// Seconds that the run again took.
    pub seconds: f64,
}

/// How two solutions differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// For people, as many lines as it takes.
    pub text: String,
    /// For scripts: keys and values of an object.
    pub json: serde_json::Map<String, serde_json::Value>,
}

/// What an export may take into account beyond the solution.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wishes<'a> {
    /// The run that made the solution.
    pub result: Option<&'a RunResult>,
    /// Another solution to compare with, and where it is from.
    pub before: Option<(&'a Solution, &'a Path)>,
    /// The one person whose part of the plan is wanted.
    pub student: Option<&'a str>,
    /// Which flows are drawn; `None`: as many as can be told apart.
    pub least_flow: Option<LeastFlow>,
}

/// An opened instance of some problem.
pub trait Problem {
    /// `timetabling`, …
    fn kind(&self) -> &'static str;

    /// The name of the instance.
    fn name(&self) -> &str;

    /// SHA-256 of its files.
    fn file_hash(&self) -> &str;

    /// What its reader noticed.
    fn warnings(&self) -> &[String];

    /// What a person has said beyond the file and its data depend on, by name as results keep it.
    fn said(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Its sizes, bounds and the like.
    fn facts(&self) -> Vec<Fact>;

    /// In one line, such as «81 exams, 2,823 students, 18 periods».
    fn in_short(&self) -> String;

    /// Whether an order can be carried out, as far as can be told before.
    ///
    /// # Errors
    /// What of it cannot be used, or what a person still has to say, and how.
    fn check_order(&self, order: &Order) -> Result<()>;

    /// What a generation or step is called with this algorithm.
    fn step_noun(&self, algorithm: &str) -> &'static str;

    /// The endings of the formats that [`Problem::export`] writes.
    fn export_endings(&self) -> Vec<&'static str>;

    /// Whether the instance holds what a format needs.
    ///
    /// # Errors
    /// What is missing, and where to put it.
    fn check_export(&self, ending: &str) -> Result<()>;

    /// A cost as people read it.
    fn shown(&self, cost: f64) -> f64;

    /// The same as text, such as «10.0337» or «1,278».
    fn shown_text(&self, shown: f64) -> String;

    /// A cost with all that belongs to it, such as «10.0337 (28,325 undivided)» or «1,278 (makespan)».
    fn cost_line(&self, cost: f64) -> String;

    /// The best cost known, as people read it.
    fn best_known(&self) -> Option<f64>;

    /// Why the best cost known is not to be relied on, where it is not.
    fn best_known_doubt(&self) -> Option<String> {
        None
    }

    /// Solves the instance.
    ///
    /// # Errors
    /// What the order asks for cannot be used, or the device is not there.
    fn solve(&self, order: &Order, control: &Control, observer: &mut dyn FnMut(&Pulse<'_>)) -> Result<RunResult>;

    /// Runs a result again.
    ///
    /// # Errors
    /// The result cannot be run here.
    fn replay(
        &self,
        result: &RunResult,
        backend: &str,
        threads: usize,
        control: &Control,
        observer: &mut dyn FnMut(&Pulse<'_>),
    ) -> Result<Comparison>;

    /// Reads a solution file of this problem; `counted_from` is the number of the first place where files differ in
    /// that (periods from 0 or from 1), `None`: as the file shows it.
    ///
    /// # Errors
    /// The file is missing, is of another kind, or does not fit the instance.
    fn read_solution(&self, path: &Path, counted_from: Option<u16>) -> Result<Found>;

    /// The independent check. `path` names where the solution is from; what `result`, the run that made it, was asked
    /// to mind is checked beside what the instance itself demands.
    ///
    /// # Errors
    /// The solution is one of another instance.
    fn verify(&self, solution: &Solution, path: &Path, result: Option<&RunResult>) -> Result<Judged>;

    /// Writes a solution from `path`; the ending of `target` says the format.
    ///
    /// # Errors
    /// The solution is one of another instance, or the file cannot be written.
    fn export(&self, solution: &Solution, path: &Path, target: &Path, wishes: &Wishes<'_>) -> Result<()>;

    /// Compares two solutions, the first as the one before; `paths` name where they are from.
    ///
    /// # Errors
    /// One of them is one of another instance.
    fn compare(&self, solutions: [&Solution; 2], paths: [&Path; 2]) -> Result<Compared>;
}
