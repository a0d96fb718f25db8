//! The instance that a result belongs to: where it lies, and whether its data are those of the result.

use std::path::Path;

use crate::problem::{DETECTION_BYTES, Problem};
use crate::result::RunResult;
use crate::text::{decoding, ending, sheets};
use crate::{Error, Result, files};
use crate::{project, registry};

/// Names of the files.
pub const PLAN: &str = "plan.ron";

/// Returns `true` for the ending of a file that no problem reads as an instance: a solution, a project, a picture or a document.
pub fn is_document(path: &Path) -> bool {
    const ENDINGS: [&str; 8] = ["sol", "gridwright", "pdf", "svg", "png", "zip", "ics", "dxf"];
    ENDINGS.contains(&ending(path).as_str())
}

/// Makes sure that a result was found for the data with this hash, in the file that messages call `of`.
///
/// # Errors
/// [`Error::File`] with the remedy.
pub fn result_is_for(result: &RunResult, path: &Path, of: &str, hash: &str) -> Result<()> {
    if result.instance.hash.is_empty() || result.instance.hash == hash {
        return Ok(());
    }
    let what = format!("this result was found for other data than {of}; bring back the original files, or solve again");
    Err(Error::file(path, what))
}

/// Makes sure that a result kept at `path` is of this problem.
///
/// # Errors
/// [`Error::File`] that names the problem of the result and how to open it.
pub fn result_is_of(result: &RunResult, path: &Path, problem: &dyn Problem) -> Result<()> {
    if result.problem == problem.id() {
        return Ok(());
    }
    let (source, noun) = (&result.instance.source, problem.nouns().instance);
    let what = format!(
        "this is a result of the problem “{}” and not of {noun}; it stays where it is. Opened as a file it is shown with \
         {source}",
        result.problem
    );
    Err(Error::file(path, what))
}

/// The source of a result's instance: as it was named, or the file of that name beside the result.
pub fn result_source(path: &Path, result: &RunResult) -> String {
    let stated = &crate::source::path(&result.instance.source);
    let beside = path.parent().zip(stated.file_name()).map(|(folder, name)| folder.join(name));
    match beside {
        Some(beside) if !stated.exists() && beside.exists() => {
            crate::source::of(&beside).unwrap_or_else(|| result.instance.source.clone())
        }
        _ => result.instance.source.clone(),
    }
}

/// True if a file holds a solution that may be one of this problem.
pub fn is_solution_of(path: &Path, problem: &dyn Problem) -> bool {
    registry::is_solution(path) && registry::solution_owner(path).is_none_or(|owner| owner.id() == problem.id())
}

/// Error for a solution, a campaign or a file of a format that a problem knows but does not read where an instance is needed, with
/// the remedy; `None` for everything else.
pub fn not_an_instance(source: &str) -> Option<Error> {
    let path = crate::source::path(source);
    if is_campaign(&path) {
        let (what, command) =
            if path.is_dir() { ("the folder", "campaign report") } else { ("the plan", "campaign run") };
        let what = format!(
            "this is {what} of a campaign and not an instance; open it in the window, or call “gridwright {command}” with it"
        );
        return Some(Error::file(&path, what));
    }
    if !path.is_file() {
        return None;
    }
    let of_project = project::problem_of(&path, &files::beginning(&path, DETECTION_BYTES));
    if let Some(id) = of_project.filter(|id| registry::by_id(id).is_none()) {
        let what = format!(
            "it is a project of the problem “{}”, which this version does not know; update the program, or use the original",
            id.escape_debug()
        );
        return Some(Error::file(&path, what));
    }
    if !registry::is_solution(&path) {
        return foreign(&path);
    }
    let (solution, instance) = registry::solution_owner(&path)
        .map_or(("a solution", "an instance"), |owner| (owner.nouns().solution, owner.nouns().instance));
    let what = format!(
        "this is {solution} and not {instance}; open the instance that it belongs to first, and then this file (in a \
         terminal: gridwright verify INSTANCE SOLUTION)"
    );
    Some(Error::file(&path, what))
}

/// Error for a text file of which a problem can say what it is and how to bring it into a form that is read.
fn foreign(path: &Path) -> Option<Error> {
    if is_document(path) || sheets::is_named_workbook(path) {
        return None;
    }
    let start = files::beginning(path, DETECTION_BYTES);
    let is_whole = start.len() < DETECTION_BYTES;
    let (text, _) = decoding::decode(path, start, None).ok()?;
    let what = registry::problems().find_map(|problem| problem.foreign(&text, is_whole))?;
    Some(Error::file(path, what))
}

/// Adds to an error about a file or a folder that was read as an instance of `problem` how files look of the other problems that could be
/// meant; of all problems, where none recognises the file.
pub fn with_alternatives(error: Error, source: &str, problem: &dyn Problem) -> Error {
    let claims = registry::claims(source);
    let claimed: Vec<&dyn Problem> = claims.iter().map(|claim| claim.0).collect();
    let descriptions = descriptions(&claimed, problem.id());
    if descriptions.is_empty() || !crate::source::path(source).exists() {
        return error;
    }
    let otherwise = if claims.is_empty() { "" } else { "if another problem is meant: " };
    appended(error, &format!("; {otherwise}{descriptions}"))
}

/// How files look of the problems in a list, or of all if the list is empty, but `own`.
fn descriptions(claimed: &[&dyn Problem], own: &str) -> String {
    let is_meant = |other: &&dyn Problem| {
        other.id() != own && (claimed.is_empty() || claimed.iter().any(|claim| claim.id() == other.id()))
    };
    let others = registry::problems().filter(is_meant);
    others.map(|problem| problem.profile().description).collect::<Vec<_>>().join("; ")
}

/// The problem other than `own` that recognises the content of a file, whatever ending the file has.
pub fn owner_of_content(path: &Path, own: &str) -> Option<&'static dyn Problem> {
    registry::claims_of_content(path).into_iter().find(|problem| problem.id() != own)
}

/// Adds to an error about the content of a file how files look of the problems other than `own` that recognise the content; of
/// all others if there is none.
pub fn with_content(error: Error, path: &Path, own: &str) -> Error {
    let claimed: Vec<&dyn Problem> = owner_of_content(path, own).into_iter().collect();
    match descriptions(&claimed, own).as_str() {
        "" => error,
        descriptions => appended(error, &format!("; {descriptions}")),
    }
}

/// Appends a text to the error of a file, or to its last line with an error.
pub fn appended(error: Error, more: &str) -> Error {
    match error {
        Error::File { path, what } => Error::File { path, what: what + more },
        Error::Line { path, line, column, what } => Error::Line { path, line, column, what: what + more },
        Error::Lines(mut errors) => {
            let last = errors.pop().map(|last| appended(last, more));
            errors.extend(last);
            Error::Lines(errors)
        }
        other => other,
    }
}

/// Returns `true` if a file is the plan of a campaign, be it a faulty one.
pub fn is_plan(path: &Path) -> bool {
    if ending(path) != "ron" {
        return false;
    }
    let start = files::beginning(path, DETECTION_BYTES);
    let start = String::from_utf8_lossy(&start);
    ["parts:", "algorithms:"].iter().all(|field| start.contains(field))
}

/// Returns `true` if a path is the folder of a campaign or a plan.
pub fn is_campaign(path: &Path) -> bool {
    if path.is_dir() { path.join(PLAN).is_file() } else { is_plan(path) }
}
