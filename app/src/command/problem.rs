//! What the command line needs of a problem. A further problem implements [`Problem`] beside [`super::timetabling`]
//! and takes its place in [`open`]; the commands themselves know no problem.

use std::path::{Path, PathBuf};

use gridwright_solver::result::{RunResult, Solution, Verdict};
use gridwright_solver::search::Control;
use gridwright_solver::{Error, Result};

use super::timetabling::Timetabling;
use crate::arguments::{InstanceArguments, Order, PairArguments};

/// One fact about an instance: for people and for scripts.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The key in JSON.
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

/// A solution that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The solution.
    pub solution: Solution,
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

    /// The best cost known, as people read it.
    fn best_known(&self) -> Option<f64>;

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
    fn verify(&self, solution: &Solution, path: &Path, result: Option<&RunResult>) -> Result<Verdict>;

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

/// Beginnings of the names of instances that the program makes itself.
const NAMED: [&str; 1] = ["sample:"];

/// Whether this names an instance that the program makes itself, rather than a file.
pub fn is_named(source: &str) -> bool {
    NAMED.iter().any(|beginning| source.starts_with(beginning))
}

/// The same source from any folder: files by their absolute path.
///
/// # Errors
/// There is no current folder.
pub fn absolute(source: &str) -> Result<String> {
    if is_named(source) {
        return Ok(source.to_owned());
    }
    let path = PathBuf::from(source);
    let absolute = std::path::absolute(&path)
        .map_err(|error| Error::file(&path, format!("the folder it is in cannot be found ({error})")))?;
    Ok(absolute.to_string_lossy().into_owned())
}

/// Opens an instance of whatever problem it belongs to.
///
/// # Errors
/// What is wrong with the file, by line where it has any.
pub fn open(instance: &InstanceArguments) -> Result<Box<dyn Problem>> {
    Ok(Box::new(Timetabling::open(&instance.source, instance.periods)?))
}

/// Opens the instance that a result was made of, with what was said beyond the file then, unless it is said now.
///
/// # Errors
/// As [`open`], and where the result belongs to a problem that this version does not know.
pub fn open_for(result: &RunResult, at: &Path, instance: &InstanceArguments) -> Result<Box<dyn Problem>> {
    if result.problem != super::timetabling::KIND {
        let what = format!("it is a result of the problem “{}”, which this version does not know", result.problem);
        return Err(Error::file(at, what));
    }
    let said = result.instance.options.get("periods").and_then(|count| count.parse().ok());
    open(&InstanceArguments { source: instance.source.clone(), periods: instance.periods.or(said) })
}

/// An instance and a solution for it, from whatever kind of file.
pub struct Pair {
    /// The instance.
    pub problem: Box<dyn Problem>,
    /// The solution.
    pub found: Found,
    /// The run that made it, where the file says.
    pub result: Option<RunResult>,
}

/// Opens an instance and a solution for it; a result of a run is a solution, too.
///
/// # Errors
/// What is wrong with either file.
pub fn open_pair(arguments: &PairArguments) -> Result<Pair> {
    let PairArguments { instance, solution, counted_from } = arguments;
    if !is_result(solution) {
        let problem = open(instance)?;
        let found = problem.read_solution(solution, *counted_from)?;
        return Ok(Pair { problem, found, result: None });
    }
    let result = RunResult::load(solution)?;
    let problem = open_for(&result, solution, instance)?;
    let found = found_in(&result, &*problem);
    Ok(Pair { problem, found, result: Some(result) })
}

/// Reads another solution for an instance that is open, be it a solution file or the result of a run.
///
/// # Errors
/// What is wrong with the file.
pub fn read_another(problem: &dyn Problem, path: &Path, counted_from: Option<u16>) -> Result<Found> {
    if is_result(path) {
        let result = RunResult::load(path)?;
        if result.problem != problem.kind() {
            let what = format!("it is a result of the problem “{}”; name one of {}", result.problem, problem.kind());
            return Err(Error::file(path, what));
        }
        Ok(found_in(&result, problem))
    } else {
        problem.read_solution(path, counted_from)
    }
}

fn found_in(result: &RunResult, problem: &dyn Problem) -> Found {
    let mut remarks = Vec::new();
    let same = result.instance.hash == problem.file_hash();
    if !same {
        let text = format!("the result was made of other data than {} holds now", problem.name());
        remarks.push(Remark { key: "same_instance", value: same.into(), text });
    }
    Found { solution: result.solution.clone(), remarks }
}

/// The files that belong to an instance and must not be overwritten: the one that is named, and those that are read with
/// it because they lie beside it.
pub fn files_of(source: &str) -> Vec<PathBuf> {
    if is_named(source) {
        return Vec::new();
    }
    let path = PathBuf::from(source);
    let folder = if path.is_dir() { path.clone() } else { path.parent().map(Path::to_path_buf).unwrap_or_default() };
    let beside = ["enrolments.csv", "exams.csv", "periods.csv"].map(|name| folder.join(name));
    let twins = ["stu", "crs"].map(|ending| path.with_extension(ending));
    std::iter::once(path).chain(beside).chain(twins).collect()
}

fn is_result(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_get_absolute_and_names_stay() {
        assert_eq!(absolute("sample:school").unwrap(), "sample:school");
        let path = absolute("folder/a.stu").unwrap();
        assert!(Path::new(&path).is_absolute() && path.ends_with("a.stu"), "{path}");
    }
}
