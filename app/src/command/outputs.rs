//! Where results go: looked at before the work begins, so that nothing is lost when it is done.

use std::path::{Path, PathBuf};

use gridwright_solver::{Error, Result, files};

use super::problem::{ExportOrigin, OpenInstance};
use gridwright_solver::registry::is_generated;

/// Checks that every target can be written and overwrites nothing that is read.
///
/// # Errors
/// [`Error::Usage`] or [`Error::File`] that names the first target that cannot be used, and why.
pub fn check(
    problem: &dyn OpenInstance,
    origin: ExportOrigin<'_>,
    exports: &[PathBuf],
    others: &[PathBuf],
    inputs: &[PathBuf],
) -> Result<()> {
    for target in exports {
        check_ending(problem, origin, target)?;
    }
    let mut seen = Vec::new();
    for target in exports.iter().chain(others) {
        check_writable(target)?;
        let place = std::path::absolute(target).unwrap_or_else(|_| target.clone());
        if seen.contains(&place) {
            return Err(Error::file(target, "it is named twice; give every output its own name"));
        }
        if inputs.iter().any(|input| same_file(input, target)) {
            return Err(Error::file(target, "it is read as input and would be overwritten; choose another name"));
        }
        seen.push(place);
    }
    Ok(())
}

fn check_ending(problem: &dyn OpenInstance, origin: ExportOrigin<'_>, target: &Path) -> Result<()> {
    let endings = problem.export_endings();
    if let Some(ending) = files::known_ending(target, endings.iter().copied()) {
        return problem.check_export(ending, origin);
    }
    // Only what this instance and what is asked for can fill.
    let possible: Vec<&str> =
        endings.into_iter().filter(|ending| problem.check_export(ending, origin).is_ok()).collect();
    match target.extension().map(|ending| ending.to_string_lossy().to_lowercase()) {
        Some(ending) => {
            let what = format!("“.{ending}” cannot be written; choose one of {}", possible.join(", "));
            Err(Error::file(target, what))
        }
        None => {
            let what = format!("the name has no ending to tell the format; choose one of {}", possible.join(", "));
            Err(Error::file(target, what))
        }
    }
}

/// Checks that a file could be written: tries the nearest folder that is there, and leaves nothing behind.
///
/// # Errors
/// [`Error::File`] that says why not.
pub fn check_writable(target: &Path) -> Result<()> {
    if target.is_dir() {
        return Err(Error::file(target, "this is a folder; name a file in it"));
    }
    let place = std::path::absolute(target).map_err(|error| Error::file(target, error.to_string()))?;
    let Some(folder) = place.ancestors().skip(1).find(|folder| folder.exists()) else {
        return Err(Error::file(target, "there is no such folder; choose another one"));
    };
    if !folder.is_dir() {
        let what = format!("{} is a file, not a folder; choose another folder", folder.display());
        return Err(Error::file(target, what));
    }
    let trial = folder.join(format!(".gridwright-{}.tmp", std::process::id()));
    let made = std::fs::File::create_new(&trial);
    let made = made.map(drop).and_then(|()| std::fs::remove_file(&trial));
    made.map_err(|error| {
        let what = format!("{} cannot be written to ({error}); choose another folder", folder.display());
        Error::file(target, what)
    })
}

fn same_file(input: &Path, target: &Path) -> bool {
    if input.to_str().is_some_and(is_generated) {
        return false;
    }
    match (input.canonicalize(), target.canonicalize()) {
        (Ok(input), Ok(target)) => input == target,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_cannot_hold_the_file_is_told_before() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "x").unwrap();
        assert!(check_writable(&folder.path().join("new").join("deeper").join("a.pdf")).is_ok());
        assert!(check_writable(folder.path()).unwrap_err().to_string().contains("folder"));
        assert!(check_writable(&file.join("a.pdf")).unwrap_err().to_string().contains("is a file"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }
}
