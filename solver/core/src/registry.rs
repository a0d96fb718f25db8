//! The list of problems, and what is asked of all of them at once.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::problem::{DETECTION_BYTES, Detection, Problem, SAMPLE};
use crate::project::{self, Project};
use crate::result::{Encoded, RunResult};
use crate::text::ending;
use crate::{Error, Result, files};

static PROBLEMS: OnceLock<Vec<&'static dyn Problem>> = OnceLock::new();

/// States the problems that there are, in the order in which lists show them, before anything is asked of the registry. The
/// first one opens sources that no problem recognises. Later calls change nothing.
///
/// # Panics
/// If other problems were registered before, and one of these was not.
pub fn register(problems: &[&'static dyn Problem]) {
    let known = PROBLEMS.get_or_init(|| problems.to_vec());
    let is_known = |id: &str| known.iter().any(|problem| problem.id() == id);
    assert!(
        problems.iter().all(|problem| is_known(problem.id())),
        "problems are registered once, at the start of the program"
    );
}

/// All problems, in the order in which lists show them.
pub fn problems() -> impl Iterator<Item = &'static dyn Problem> {
    PROBLEMS.get().into_iter().flatten().copied()
}

/// The problem with this identifier; `None` if no problem has it.
pub fn by_id(id: &str) -> Option<&'static dyn Problem> {
    problems().find(|problem| problem.id() == id)
}

/// True if a source names an instance that the program makes itself, rather than a file.
pub fn is_generated(source: &str) -> bool {
    source.starts_with(SAMPLE)
        || problems().any(|problem| problem.profile().prefixes.iter().any(|prefix| source.starts_with(prefix)))
}

/// A source that is valid in any folder: files by their absolute path.
///
/// # Errors
/// There is no current folder.
pub fn absolute(source: &str) -> Result<String> {
    if is_generated(source) {
        return Ok(source.to_owned());
    }
    let path = crate::source::path(source);
    let absolute = std::path::absolute(&path)
        .map_err(|error| Error::file(&path, format!("the folder it is in cannot be found ({error})")))?;
    crate::source::of(&absolute).ok_or_else(|| {
        Error::file(&path, "a result cannot name this path, for it is not Unicode; rename the file or its folder")
    })
}

/// The source that is meant by a name without its prefix: `taillard:ta054` for `ta054`. `None` if there is a file of that
/// name, or no such instance.
pub fn completed(source: &str) -> Option<String> {
    let source = source.trim();
    let samples = problems().flat_map(|problem| problem.profile().samples).map(|name| format!("{SAMPLE}{name}"));
    let generated = problems().flat_map(|problem| problem.generated());
    let mut all = samples.chain(generated);
    let name = all.find(|name| name.split_once(':').is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(source)))?;
    (!crate::source::path(source).exists()).then_some(name)
}

/// The problem that claims a source with the greatest certainty; of several, the first in the list. `None` if no problem
/// recognises it.
pub fn detect(source: &str) -> Option<(&'static dyn Problem, Detection)> {
    if let Some(name) = source.strip_prefix(SAMPLE) {
        let owner = problems().find(|problem| problem.profile().samples.contains(&name.trim()));
        return owner.map(|problem| (problem, Detection::Certain));
    }
    claims(source).into_iter().reduce(|best, claim| if claim.1 > best.1 { claim } else { best })
}

/// The problems that a source other than a sample may belong to, in the order of the list; only its own for a project.
pub(crate) fn claims(source: &str) -> Vec<(&'static dyn Problem, Detection)> {
    let start = beginning(&crate::source::path(source));
    if let Some(problem) = project::problem_of(&crate::source::path(source), &start).and_then(|id| by_id(&id)) {
        return vec![(problem, Detection::Exclusive)];
    }
    let claims = problems().map(|problem| (problem, problem.detect(source, &start)));
    claims.filter(|claim| claim.1 > Detection::No).collect()
}

/// The problems that recognise the content of a file by itself, whatever its ending says.
pub(crate) fn claims_of_content(path: &Path) -> Vec<&'static dyn Problem> {
    let (start, nameless) = (beginning(path), path.with_extension(""));
    let Some(source) = crate::source::of(&nameless) else { return Vec::new() };
    problems().filter(|problem| problem.detect(&source, &start) >= Detection::Likely).collect()
}

/// The problem that certainly owns a source; `None` if the source is certain for no problem.
pub(crate) fn recognized(source: &str) -> Option<&'static dyn Problem> {
    detect(source).filter(|claim| claim.1 >= Detection::Certain).map(|claim| claim.0)
}

/// The problem whose reader opens a source in the window: the one that recognises it, the one that a result names, or the
/// first of the list.
pub fn owner(source: &str) -> &'static dyn Problem {
    let path = &crate::source::path(source);
    let claim = detect(source);
    if let Some((problem, Detection::Certain | Detection::Exclusive)) = claim {
        return problem;
    }
    let start = beginning(path);
    let of_solution = problems().find(|problem| problem.is_solution(&start));
    let likely = claim.filter(|claim| claim.1 == Detection::Likely).map(|claim| claim.0);
    let of_result =
        || if ending(path) == "ron" { by_id(&RunResult::load(path).ok()?.problem) } else { claim.map(|claim| claim.0) };
    of_solution
        .or(likely)
        .or_else(of_result)
        .or_else(|| problems().next())
        .expect("problems are registered at the start")
}

/// True if a file holds a solution and neither an instance nor the result of a run.
pub fn is_solution(path: &Path) -> bool {
    solution_owner(path).is_some() || ending(path) == "sol"
}

/// The problem that a solution file shows to belong to; `None` if the file does not show that.
pub(crate) fn solution_owner(path: &Path) -> Option<&'static dyn Problem> {
    let start = beginning(path);
    problems().find(|problem| problem.is_solution(&start))
}

/// True if a file may be the result of a run: RON that is nothing else which is written so.
pub fn is_result(path: &Path) -> bool {
    let start = beginning(path);
    ending(path) == "ron"
        && !problems().any(|problem| problem.is_solution(&start))
        && crate::source::of(path).and_then(|source| detect(&source)).is_none()
}

/// Files that are read for a source and must not be overwritten; none for a generated instance. Of a project these are the
/// project itself and the files of its instance.
pub fn input_files(source: &str) -> Vec<PathBuf> {
    if is_generated(source) {
        return Vec::new();
    }
    let path = &crate::source::path(source);
    let mut files: Vec<PathBuf> = problems().flat_map(|problem| problem.input_files(source)).collect();
    if project::is_project(path)
        && let Ok(project) = load_project(path)
    {
        let named = project::source(&project.instance, path);
        // A project that names a project is refused when it is opened.
        if !project::is_project(Path::new(&named)) {
            files.extend(input_files(&named));
        }
    }
    files.dedup();
    files
}

/// Opens a saved result; its solution is one of its problem.
///
/// # Errors
/// As [`RunResult::load`]; [`Error::File`] if the result contradicts itself. Results of unknown problems are not checked.
pub fn load_result(path: &Path) -> Result<RunResult> {
    let result = RunResult::load(path)?;
    let Some(problem) = by_id(&result.problem) else { return Ok(result) };
    check_solution(problem, &result.solution, path, "result")?;
    if let Some(Err(what)) = result.demands.as_ref().map(|demands| problem.check_demands(demands, true)) {
        return Err(unreadable(path, &what));
    }
    problem.check_result(&result, path)?;
    Ok(result)
}

/// Error for demands of which a part would be lost.
fn unreadable(path: &Path, what: &str) -> Error {
    let what = format!(
        "its rules cannot be read: {what}. It was made by a newer version or changed by hand; update the program, or use the original"
    );
    Error::file(path, what)
}

/// Opens a project, not yet its instance; its solutions are those of its problem.
///
/// # Errors
/// As [`Project::load`]; [`Error::File`] if it holds solutions of another problem, or if demands or tables cannot be read.
pub fn load_project(path: &Path) -> Result<Project> {
    let old = problems().find_map(|problem| problem.load_old_project(path));
    let project = old.unwrap_or_else(|| Project::load(path))?;
    let Some(problem) = by_id(&project.problem) else { return Ok(project) };
    let of_runs = project.runs.iter().filter_map(|run| run.demands.as_ref()).map(|demands| (demands, true));
    for (demands, is_of_run) in project.demands.iter().map(|demands| (demands, false)).chain(of_runs) {
        problem.check_demands(demands, is_of_run).map_err(|what| unreadable(path, &what))?;
    }
    for data in project.data.iter().chain(&project.edited) {
        data.dataset(problem.descriptor().tables).map_err(|what| Error::file(path, what))?;
    }
    let drafts = project.draft.iter().flat_map(|draft| [&draft.solution, &draft.base]);
    for solution in drafts.chain(project.runs.iter().map(|run| &run.solution)) {
        check_solution(problem, solution, path, "project")?;
    }
    Ok(project)
}

/// Checks that a solution in a file, a `noun` of this problem, is one of the problem.
fn check_solution(problem: &dyn Problem, solution: &Encoded, path: &Path, noun: &str) -> Result<()> {
    let check = |problem: &dyn Problem| (problem.profile().check_solution)(solution);
    let Err(why) = check(problem) else { return Ok(()) };
    let what = match problems().find(|problem| check(*problem).is_ok()) {
        Some(other) => format!("it is a {noun} of the problem “{}” and holds {}", problem.id(), other.nouns().solution),
        None => format!("its solution cannot be read: {why}"),
    };
    Err(Error::file(path, format!("{what}; the file was changed by hand, use the original")))
}

/// The first bytes of a file; none if it cannot be read, which whoever opens it reports.
fn beginning(path: &Path) -> Vec<u8> {
    files::beginning(path, DETECTION_BYTES)
}
