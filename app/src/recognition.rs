//! The instance that a result belongs to: where it lies, and whether its data are those of the result.

use std::path::Path;

use gridwright_solver::problem::Problem;
use gridwright_solver::result::RunResult;
use gridwright_solver::{Error, Result};

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
    let stated = &gridwright_solver::source::path(&result.instance.source);
    let beside = path.parent().zip(stated.file_name()).map(|(folder, name)| folder.join(name));
    match beside {
        Some(beside) if !stated.exists() && beside.exists() => {
            gridwright_solver::source::of(&beside).unwrap_or_else(|| result.instance.source.clone())
        }
        _ => result.instance.source.clone(),
    }
}
