//! Opening of instances and solutions: the problem that a source belongs to, and the options given for it.

use std::path::Path;

use crate::letterhead::Letterhead;
use crate::problem::{Detection, OptionScope, OptionSpec, Overrides, Problem, SAMPLE};
use crate::project::{Project, ShownSolution};
use crate::registry::{self, is_generated};
use crate::result::RunResult;
use crate::{Error, Result, project};

use super::{Compared, Judged, MeasureTable, OpenInstance, ReadSolution, Remark, SolveRequest};
use crate::numbers::{COST_DECIMALS, counted, figure};
use crate::recognition::{appended, not_an_instance, with_alternatives};
use crate::text::aligned::table;
use crate::text::notation::unmistakable_numbers;

/// An instance as a person names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InstanceSource {
    /// A file, a folder or the name of a generated instance.
    pub source: String,
    /// Options of its problem.
    pub overrides: Overrides,
}

impl InstanceSource {
    /// A source without options.
    pub fn of(source: impl Into<String>) -> Self {
        Self { source: source.into(), overrides: Overrides::default() }
    }

    /// True if an option was given that only this problem has.
    fn is_meant_for(&self, problem: &dyn Problem) -> bool {
        let mut given = self.overrides.names().filter_map(declared);
        given.any(|(owner, _)| owner.id() == problem.id())
    }
}

/// The problem that declares an option, and the option; `None` if no problem declares it.
pub fn declared(name: &str) -> Option<(&'static dyn Problem, &'static OptionSpec)> {
    let options =
        registry::problems().flat_map(|problem| problem.options().iter().map(move |option| (problem, option)));
    options.into_iter().find(|(_, option)| option.name == name)
}

/// Makes sure that options belong to the problem of an instance, which messages call `name`.
///
/// # Errors
/// [`Error::Usage`] that names the first option of another problem.
pub fn check_options(overrides: &Overrides, problem: &dyn Problem, name: &str) -> Result<()> {
    let is_own = |name: &&str| problem.options().iter().any(|option| option.name == *name);
    let mut given = overrides.names().filter(|name| !is_own(name)).filter_map(declared);
    match given.next() {
        None => Ok(()),
        Some((owner, option)) => {
            let (option, many, noun) = (option.name, owner.nouns().instances, problem.nouns().instance);
            Err(Error::Usage(format!("--{option} is for {many}; {name} is {noun}, leave it out")))
        }
    }
}

/// Checks a request without starting a run; its options must belong to the problem of the instance.
///
/// # Errors
/// [`Error::Usage`] for an option of another problem, and whatever [`OpenInstance::check_request`] refuses.
pub fn check_request(instance: &dyn OpenInstance, request: &SolveRequest) -> Result<()> {
    check_options(&request.options, instance.problem(), instance.name())?;
    instance.check_request(request)
}

/// Opens an instance of whatever problem it belongs to, by its name, its ending and its content.
///
/// # Errors
/// Faults of the file, by line where it has any; options that its problem does not have.
pub fn open(instance: &InstanceSource) -> Result<Box<dyn OpenInstance>> {
    check_name(&instance.source)?;
    if let Some(refused) = not_an_instance(&instance.source) {
        return Err(refused);
    }
    let open_as = |problem: &dyn Problem| {
        open_as(problem, instance).map_err(|error| with_alternatives(error, &instance.source, problem))
    };
    let claim = registry::detect(&instance.source);
    if let Some((problem, Detection::Likely | Detection::Certain | Detection::Exclusive)) = claim {
        return open_as(problem);
    }
    // Options that only one problem has tell which one is meant.
    if let Some(problem) = registry::problems().find(|problem| instance.is_meant_for(*problem)) {
        return open_as(problem);
    }
    match claim {
        Some((problem, _)) => open_as(problem).map_err(|error| with_hint_for_numbers(error, &instance.source, problem)),
        None => open_as(registry::owner(&instance.source)),
    }
}

/// Adds to the error of a file of numbers how another problem would read it.
fn with_hint_for_numbers(error: Error, source: &str, problem: &dyn Problem) -> Error {
    let others = registry::problems().filter(|other| other.id() != problem.id());
    let hints: Vec<&str> = others.filter_map(|other| other.profile().hint_for_numbers).collect();
    if hints.is_empty() || source.to_lowercase().ends_with(".csv") {
        return error;
    }
    appended(error, &format!("; {}", hints.join("; ")))
}

fn open_as(problem: &dyn Problem, instance: &InstanceSource) -> Result<Box<dyn OpenInstance>> {
    check_options(&instance.overrides, problem, &instance.source)?;
    (problem.descriptor().open)(&instance.source, &instance.overrides)
}

/// Institution and logo of a project; those of other instances are empty.
///
/// # Errors
/// Faults of the project.
pub fn letterhead(source: &str) -> Result<Letterhead> {
    let path = &crate::source::path(source);
    if project::is_project(path) { Ok(registry::load_project(path)?.letterhead) } else { Ok(Letterhead::default()) }
}

/// Refuses unknown samples and names without their prefix; the error lists or completes them.
fn check_name(source: &str) -> Result<()> {
    if let Some(name) = registry::completed(source) {
        let what = format!("there is no file {source:?}; the instance of that name is called {name}");
        return Err(Error::Usage(what));
    }
    let Some(name) = source.strip_prefix(SAMPLE).map(str::trim) else { return Ok(()) };
    if registry::problems().any(|problem| problem.profile().samples.contains(&name)) {
        return Ok(());
    }
    let known = registry::problems().filter(|problem| !problem.profile().samples.is_empty());
    let known: Vec<String> = known
        .map(|problem| format!("{} ({})", problem.profile().samples.join(", "), problem.nouns().instances))
        .collect();
    let what = format!("there is no sample “{}”; known are {}", name.escape_debug(), known.join(", "));
    Err(Error::Usage(what))
}

/// Opens the instance that a result was made of, with the options of then where none are given now.
///
/// # Errors
/// As [`open`], and if the result belongs to another problem than the instance, to another instance of the file, or to a
/// problem that this version does not know.
pub fn open_for(result: &RunResult, at: &Path, instance: &InstanceSource) -> Result<Box<dyn OpenInstance>> {
    let Some(problem) = registry::by_id(&result.problem) else {
        let what = format!("it is a result of the problem “{}”, which this version does not know", result.problem);
        return Err(Error::file(at, what));
    };
    check_name(&instance.source)?;
    if let Some(other) = registry::recognized(&instance.source)
        && other.id() != problem.id()
    {
        let (source, noun) = (&instance.source, other.nouns().instance);
        let what = format!(
            "it is a result for {}, but {source} is {noun}; name the instance that it was made of",
            problem.nouns().instance
        );
        return Err(Error::file(at, what));
    }
    open_as(problem, &with_options_of(problem, result, at, instance)?)
}

/// The options that are given now, and the result's options where none are.
fn with_options_of(
    problem: &dyn Problem, result: &RunResult, at: &Path, now: &InstanceSource,
) -> Result<InstanceSource> {
    let mut overrides = now.overrides.clone();
    let implied = problem.options_of_result(result);
    for option in problem.options() {
        let OptionScope::Instance { of_files, .. } = option.scope else { continue };
        let implied = || implied.iter().find(|(name, _)| *name == option.name).map(|(_, value)| value);
        let Some(then) = result.instance.options.get(option.name).or_else(implied) else { continue };
        // A generated instance has no file that could be read in several ways.
        if of_files && is_generated(&now.source) {
            continue;
        }
        let name = option.name;
        // Earlier versions stored numbers that a person could mean otherwise.
        let plain = unmistakable_numbers(then);
        let then = if (option.check)(then).is_ok() { then } else { &plain };
        if (option.check)(then).is_err() {
            let what = format!(
                "its {name} “{}” makes no sense; the file was changed by hand, use the original",
                then.escape_debug()
            );
            return Err(Error::file(at, what));
        }
        match overrides.text(name) {
            Some(said) if of_files && said != then => {
                let what =
                    format!("it is a result of the file read with --{name} {then}, not {said}; leave --{name} out");
                return Err(Error::file(at, what));
            }
            Some(_) => {}
            None => overrides.set(name, then.clone()),
        }
    }
    Ok(InstanceSource { source: now.source.clone(), overrides })
}

/// An instance and a solution for it, from whatever kind of file.
pub struct Pair {
    /// The instance.
    pub instance: Box<dyn OpenInstance>,
    /// The solution.
    pub solution: ReadSolution,
    /// The run that made it, if the file says.
    pub result: Option<RunResult>,
}

impl Pair {
    /// The independent check, of all that the file at `path` states.
    ///
    /// # Errors
    /// The solution is one of another instance.
    pub fn judge(&self, path: &Path) -> Result<Judged> {
        self.solution.judged(&*self.instance, path, self.result.as_ref())
    }
}

impl ReadSolution {
    /// Verdict on all that the file at `path` states.
    fn judged(&self, instance: &dyn OpenInstance, path: &Path, result: Option<&RunResult>) -> Result<Judged> {
        self.stated.clone().map_or_else(|| instance.verify(&self.solution, path, result), Ok)
    }
}

/// Compares the solutions of two files, the first as the one before. Where a file states what solutions cannot hold, cost and
/// violations of what is stated are compared.
///
/// # Errors
/// A solution belongs to another instance.
pub fn compare(instance: &dyn OpenInstance, solutions: [&ReadSolution; 2], paths: [&Path; 2]) -> Result<Compared> {
    if solutions.iter().all(|solution| solution.unlike.is_none()) {
        return instance.compare(solutions.map(|solution| &solution.solution), paths);
    }
    let [before, after] = [0, 1].map(|side| solutions[side].judged(instance, paths[side], None));
    let (before, after) = (before?.verdict, after?.verdict);
    let by = after.cost - before.cost;
    let percent = (before.cost != 0.0).then(|| 100.0 * by / before.cost);
    let mut rows: Vec<(&str, String)> = Vec::new();
    let mut json = serde_json::Map::new();
    for (key, label, verdict, path) in [("a", "Before", &before, paths[0]), ("b", "After", &after, paths[1])] {
        let faults = match verdict.violations.len() {
            0 => String::new(),
            count => format!(", {}", counted(count, "violation")),
        };
        rows.push((label, format!("{}: {}{faults}", path.display(), instance.cost_line(verdict.cost))));
        let file = path.to_string_lossy();
        let value = serde_json::json!({ "file": file, "feasible": verdict.feasible, "cost": verdict.cost });
        json.insert(key.to_owned(), value);
    }
    let share = percent.map_or_else(String::new, |percent| format!(" ({} %)", figure(percent, 2)));
    rows.push(("Change", format!("{}{share}", figure(by, COST_DECIMALS))));
    let why = solutions.iter().zip(paths).filter_map(|(solution, path)| Some((solution.unlike.as_ref()?, path)));
    rows.extend(why.map(|(why, path)| ("Only costs", format!("{}: {why}", path.display()))));
    json.extend([("change".to_owned(), by.into()), ("change_percent".to_owned(), percent.into())]);
    Ok(Compared { text: table(&rows), json })
}

/// Table of the figures of several solutions, with differences to the first one.
///
/// # Errors
/// A solution belongs to another instance, or cannot hold what its file states.
pub fn measures(instance: &dyn OpenInstance, solutions: &[&ReadSolution], paths: &[&Path]) -> Result<MeasureTable> {
    let row = |(solution, path): (&&ReadSolution, &&Path)| {
        Ok((path.display().to_string(), instance.measures(solution.exact(path)?, path)?))
    };
    Ok(MeasureTable::new(solutions.iter().zip(paths).map(row).collect::<Result<_>>()?, 0))
}

/// Opens an instance and a solution for it; a result of a run is a solution, too.
///
/// # Errors
/// Faults of either file.
pub fn open_pair(instance: &InstanceSource, path: &Path, counted_from: Option<u16>) -> Result<Pair> {
    if !registry::is_result(path) {
        let instance = open(instance)?;
        let solution = instance.read_solution(path, counted_from)?;
        return Ok(Pair { instance, solution, result: None });
    }
    let result = registry::load_result(path)?;
    let instance = open_for(&result, path, instance)?;
    let solution = solution_of(&result, &*instance);
    Ok(Pair { instance, solution, result: Some(result) })
}

/// Reads another solution for an instance that is open, be it a solution file or the result of a run.
///
/// # Errors
/// Faults of the file.
pub fn read_another(instance: &dyn OpenInstance, path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
    if !registry::is_result(path) {
        return instance.read_solution(path, counted_from);
    }
    let (result, id) = (registry::load_result(path)?, instance.problem().id());
    if result.problem != id {
        let what = format!("it is a result of the problem “{}”; name one of {id}", result.problem);
        return Err(Error::file(path, what));
    }
    Ok(solution_of(&result, instance))
}

/// The solution that a person works on in a project, its name, and its result where it is that of a run ([`Project::shown`]).
///
/// # Errors
/// [`Error::File`] if the project at `path` has neither.
pub fn solution_in<'a>(
    project: &'a Project, path: &Path, instance: &dyn OpenInstance,
) -> Result<(ReadSolution, String, Option<&'a RunResult>)> {
    match project.shown() {
        Some(ShownSolution::Draft(draft)) => {
            let (solution, mismatches) =
                instance.carried(&draft.solution).unwrap_or_else(|| (draft.solution.clone(), Vec::new()));
            let remarks = Some(Remark::mismatches(&mismatches)).filter(|_| !mismatches.is_empty());
            let remarks = remarks.into_iter().collect();
            Ok((ReadSolution { solution, stated: None, unlike: None, remarks }, "the edits".to_owned(), None))
        }
        Some(ShownSolution::Run(run)) => {
            let is_last = project.runs.last() == Some(run);
            let which = if is_last { "the last run" } else { "the run that is shown" };
            Ok((solution_of(run, instance), format!("{which} ({})", run.algorithm), Some(run)))
        }
        None => {
            let plan = instance.problem().nouns().plan;
            Err(Error::file(path, format!("it holds no {plan} yet; name the file of one, or solve it")))
        }
    }
}

fn solution_of(result: &RunResult, instance: &dyn OpenInstance) -> ReadSolution {
    let (then, now) = (&result.instance.options, Overrides::from_iter(instance.overrides()));
    let mut options = instance.problem().options().iter().filter(|option| option.changes_data());
    let equal_options = options.all(|option| {
        let OptionScope::Instance { default, .. } = option.scope else { return true };
        let texts = [then.get(option.name).map(String::as_str), now.text(option.name)];
        let [then, now] = texts.map(|text| text.or(default).map(unmistakable_numbers));
        then == now
    });
    let (mut solution, mut remarks) = (result.solution.clone(), Vec::new());
    if result.instance.hash != instance.identity().file_hash || !equal_options {
        let text = format!("the result was made of other data than {} holds now", instance.name());
        remarks.push(Remark { key: "same_instance", value: false.into(), text });
        if let Some((carried, mismatches)) = instance.carried(&solution) {
            solution = carried;
            remarks.push(Remark::mismatches(&mismatches));
        }
    }
    ReadSolution { solution, stated: None, unlike: None, remarks }
}
