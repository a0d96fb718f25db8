//! How instances and solutions are opened: which problem they belong to, what was said beyond the file, which files they
//! are made of.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gridwright_solver::facility::{formats as layout_formats, library as layouts};
use gridwright_solver::flowshop::library;
use gridwright_solver::result::RunResult;
use gridwright_solver::systolic::library as binary;
use gridwright_solver::timetabling::generator;
use gridwright_solver::{Error, Result};

use super::facility::Facility;
use super::flowshop::FlowShop;
use super::problem::{Found, Judged, Problem, Remark};
use super::systolic::Systolic;
use super::timetabling::Timetabling;
use crate::arguments::{InstanceArguments, PairArguments};
use crate::recognition::{self, Look, is_named};

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

/// Opens an instance of whatever problem it belongs to, by its name, its ending and its content.
///
/// # Errors
/// What is wrong with the file, by line where it has any; options that its problem does not have.
pub fn open(instance: &InstanceArguments) -> Result<Box<dyn Problem>> {
    let source = &instance.source;
    check_name(source)?;
    let is_meant_for = |problem| instance.is_meant_for(problem);
    match recognition::look(source) {
        Look::Is(problem) => open_as(problem, instance),
        // What a person says of it tells what it is meant to be.
        Look::MayBeFlowShop | Look::Unknown if is_meant_for(recognition::Problem::FlowShop) => {
            open_as(recognition::Problem::FlowShop, instance)
        }
        Look::MayBeFlowShop | Look::Unknown if is_meant_for(recognition::Problem::Systolic) => {
            open_as(recognition::Problem::Systolic, instance)
        }
        Look::MayBeFlowShop if is_meant_for(recognition::Problem::Timetabling) => {
            open_as(recognition::Problem::Timetabling, instance)
        }
        Look::MayBeLayout => open_as(recognition::Problem::Facility, instance),
        Look::Unknown if is_meant_for(recognition::Problem::Facility) => {
            open_as(recognition::Problem::Facility, instance)
        }
        Look::MayBeFlowShop => open_as(recognition::Problem::FlowShop, instance).map_err(or_a_session),
        Look::Unknown => open_as(recognition::Problem::Timetabling, instance).map_err(|error| match error {
            Error::File { path, what } if path.is_file() => {
                let more =
                    "; a flow shop begins with its numbers of jobs and machines, or is a table with a column “job”; a layout \
                     problem is a table with columns “department” and “area”; a binary problem is a table with the columns \
                     “profit” and “weight”, or “value” and “cost”";
                Error::File { path, what: what + more }
            }
            other => other,
        }),
    }
}

/// Numbers without a header may also be the students of a session, a line each.
fn or_a_session(error: Error) -> Error {
    let more = "; if it is a list of students and their exams, give it the ending .stu";
    let is_table = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    match error {
        Error::File { path, what } if !is_table(&path) => Error::File { path, what: what + more },
        Error::Line { path, line, what } if !is_table(&path) => Error::Line { path, line, what: what + more },
        Error::Lines(mut errors) => {
            let last = errors.pop().map(or_a_session);
            errors.extend(last);
            Error::Lines(errors)
        }
        other => other,
    }
}

fn open_as(problem: recognition::Problem, instance: &InstanceArguments) -> Result<Box<dyn Problem>> {
    let of_binary_problems = [("--capacity", instance.capacity.is_some()), ("--weight", instance.weight.is_some())];
    if let Some((option, _)) = of_binary_problems.into_iter().find(|(_, said)| *said)
        && problem != recognition::Problem::Systolic
    {
        let (source, noun) = (&instance.source, problem.noun());
        return Err(Error::Usage(format!("{option} is for binary problems; {source} is {noun}, leave it out")));
    }
    Ok(match problem {
        recognition::Problem::Timetabling => Box::new(Timetabling::open(instance)?),
        recognition::Problem::FlowShop => Box::new(FlowShop::open(instance)?),
        recognition::Problem::Facility => Box::new(Facility::open(instance)?),
        recognition::Problem::Systolic => Box::new(Systolic::open(instance)?),
    })
}

/// A wrong name is told with the samples of all problems, a name without its beginning with the whole name.
fn check_name(source: &str) -> Result<()> {
    if let Some(name) = recognition::meant(source) {
        let what = format!("there is no file {source:?}; the instance of that name is called {name}");
        return Err(Error::Usage(what));
    }
    let Some(name) = source.strip_prefix("sample:").map(str::trim) else { return Ok(()) };
    let (sessions, shops) = (generator::PRESETS, library::SAMPLES);
    let (plants, bits) = (layouts::SAMPLES, binary::SAMPLES);
    let known = sessions.contains(&name) || shops.contains(&name) || plants.contains(&name) || bits.contains(&name);
    if known {
        return Ok(());
    }
    let what = format!(
        "there is no sample “{}”; known are {} (examination sessions), {} (flow shop), {} (layout problems) and {} (binary \
         problems)",
        name.escape_debug(),
        sessions.join(", "),
        shops.join(", "),
        plants.join(", "),
        bits.join(", ")
    );
    Err(Error::Usage(what))
}

/// Opens the instance that a result was made of, with what was said beyond the file then, unless it is said now.
///
/// # Errors
/// As [`open`], and where the result belongs to another problem than the instance, to another instance of the file, or
/// to a problem that this version does not know.
pub fn open_for(result: &RunResult, at: &Path, instance: &InstanceArguments) -> Result<Box<dyn Problem>> {
    let Some(problem) = recognition::Problem::named(&result.problem) else {
        let what = format!("it is a result of the problem “{}”, which this version does not know", result.problem);
        return Err(Error::file(at, what));
    };
    check_name(&instance.source)?;
    if let Look::Is(other) = recognition::look(&instance.source)
        && other != problem
    {
        let (source, noun) = (&instance.source, other.noun());
        let what = format!(
            "it is a result for {}, but {source} is {noun}; name the instance that it was made of",
            problem.noun()
        );
        return Err(Error::file(at, what));
    }
    open_as(problem, &with_then(result, at, instance)?)
}

/// What a person says of an instance, and where nothing is said now, what was said when the result was made.
fn with_then(result: &RunResult, at: &Path, now: &InstanceArguments) -> Result<InstanceArguments> {
    // What a name stands for needs no word on how it is to be read.
    let of_file = !is_named(&now.source);
    let number = then(result, at, "number")?.filter(|_| of_file);
    let orientation = then(result, at, "orientation")?.filter(|_| of_file);
    let (plant, aspect, distance) =
        (then(result, at, "plant")?, then(result, at, "aspect")?, then(result, at, "distance")?);
    if let (Some(then), Some(said)) = (number, now.number)
        && then != said
    {
        let what = format!("it is a result of flow shop number {then} of its file, not of {said}; leave --number out");
        return Err(Error::file(at, what));
    }
    if now.orientation.is_some() && orientation.is_some() && now.orientation != orientation {
        let what = "it is a result of the file read the other way round; leave --orientation out";
        return Err(Error::file(at, what));
    }
    Ok(InstanceArguments {
        source: now.source.clone(),
        periods: now.periods.or(then(result, at, "periods")?),
        objective: match now.objective {
            None => then(result, at, "objective")?,
            said => said,
        },
        number: now.number.or(number),
        orientation: now.orientation.or(orientation),
        plant: now.plant.or(plant),
        aspect: now.aspect.or(aspect),
        distance: now.distance.or(distance),
        capacity: now.capacity.or(then(result, at, "capacity")?),
        weight: now.weight.or(then(result, at, "weight")?),
    })
}

/// What was said under this name when a result was made.
fn then<T: std::str::FromStr>(result: &RunResult, at: &Path, name: &str) -> Result<Option<T>> {
    let Some(text) = result.instance.options.get(name) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| {
        let what = format!(
            "its {name} “{}” makes no sense; the file was changed by hand, use the original",
            text.escape_debug()
        );
        Error::file(at, what)
    })
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

impl Pair {
    /// The independent check, of all that the file at `path` states.
    ///
    /// # Errors
    /// The solution is one of another instance.
    pub fn judge(&self, path: &Path) -> Result<Judged> {
        match &self.found.stated {
            Some(judged) => Ok(judged.clone()),
            None => self.problem.verify(&self.found.solution, path, self.result.as_ref()),
        }
    }
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
    let (then, now) = (&result.instance.options, problem.said());
    // A file that holds one flow shop holds number 1.
    let number = |said: &BTreeMap<String, String>| said.get("number").cloned().unwrap_or("1".to_owned());
    let equal = |name: &&str| then.get(*name) == now.get(*name);
    let same = result.instance.hash == problem.file_hash()
        && number(then) == number(&now)
        && ["orientation", "plant", "aspect", "distance", "capacity", "weight"].iter().all(equal);
    if !same {
        let text = format!("the result was made of other data than {} holds now", problem.name());
        remarks.push(Remark { key: "same_instance", value: same.into(), text });
    }
    Found { solution: result.solution.clone(), stated: None, remarks }
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
    let tables = layout_formats::files_of(source);
    std::iter::once(path).chain(beside).chain(twins).chain(tables).collect()
}

fn is_result(path: &Path) -> bool {
    let is_ron = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    is_ron && !recognition::is_schedule(path) && !recognition::is_layout(path) && !recognition::is_bits(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_get_absolute_and_names_stay() {
        assert_eq!(absolute("sample:school").unwrap(), "sample:school");
        assert_eq!(absolute("taillard:ta051").unwrap(), "taillard:ta051");
        let path = absolute("folder/a.stu").unwrap();
        assert!(Path::new(&path).is_absolute() && path.ends_with("a.stu"), "{path}");
    }
}
