//! Where results go: looked at before the work begins, so that nothing is lost when it is done.

use std::path::{Path, PathBuf};

use gridwright_core::export::stamp::Stamp;
use gridwright_core::planning::{ExportOrigin, MeasureTable, OpenInstance};
use gridwright_core::result::Violation;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::text::ending;
use gridwright_core::{Error, Result, files};

use super::text;

/// Checks that every target can be written and replaces nothing that is a person's own.
///
/// # Errors
/// [`Error::Usage`] or [`Error::File`] that names the first target that cannot be used, and why.
pub(crate) fn check(
    problem: &dyn OpenInstance, origin: ExportOrigin<'_>, exports: &[PathBuf], others: &[PathBuf], outputs: &Outputs,
) -> Result<()> {
    for target in exports {
        check_ending(problem, origin, target)?;
    }
    check_targets(exports.iter().chain(others), outputs)
}

/// Checks that targets of any kind can be written and replace nothing that is a person's own.
///
/// # Errors
/// [`Error::Usage`] or [`Error::File`] that names the first target that cannot be used, and why.
pub(crate) fn check_targets<'a>(targets: impl IntoIterator<Item = &'a PathBuf>, outputs: &Outputs) -> Result<()> {
    let mut seen = Vec::new();
    for target in targets {
        outputs.check(target)?;
        let place = std::path::absolute(target).unwrap_or_else(|_| target.clone());
        if seen.contains(&place) {
            return Err(Error::file(target, "it is named twice; give every output its own name"));
        }
        match files::other_names(target) {
            0 => {}
            count => text::note(&format!(
                "{} has {} (hard links), which will keep the former content",
                target.display(),
                text::counted(count as usize, "other name")
            )),
        }
        seen.push(place);
    }
    Ok(())
}

/// Writes a table of figures to targets whose endings say the format, once every one is encoded.
///
/// # Errors
/// An ending of another format, or a target that cannot be written.
pub(crate) fn write_table(table: &MeasureTable, title: &str, targets: &[PathBuf], outputs: &Outputs) -> Result<()> {
    let encode = |target: &PathBuf| {
        let bytes = table.bytes(title, &ending(target));
        bytes.map_err(|error| Error::file(target, error.to_string()))
    };
    let contents = targets.iter().map(encode).collect::<Result<Vec<_>>>()?;
    for (target, content) in targets.iter().zip(contents) {
        outputs.write(target, &content)?;
        text::note(&format!("{} written", target.display()));
    }
    Ok(())
}

/// Text of the stamp on exports with these violations and a hint where they are listed; `None` without violations.
pub(crate) fn stamp(problem: &dyn OpenInstance, violations: &[Violation]) -> Option<String> {
    let stamp = Stamp::of(violations, problem.problem().violation_nouns())?;
    Some(format!(
        "{}; pictures, PDF files and workbooks say so; “gridwright verify” lists all violations",
        stamp.line()
    ))
}

/// Ending of the format in which a target is written; empty for a name without a known one.
pub(crate) fn ending_of(problem: &dyn OpenInstance, target: &Path) -> &'static str {
    files::known_ending(target, problem.export_endings().into_iter()).unwrap_or_default()
}

fn check_ending(problem: &dyn OpenInstance, origin: ExportOrigin<'_>, target: &Path) -> Result<()> {
    let known = ending_of(problem, target);
    if !known.is_empty() {
        return problem.check_export(known, origin);
    }
    // Only what this instance and what is asked for can fill.
    let possible: Vec<&str> =
        problem.export_endings().into_iter().filter(|ending| problem.check_export(ending, origin).is_ok()).collect();
    match ending(target).as_str() {
        "" => {
            let what = format!("the name has no ending to tell the format; choose one of {}", possible.join(", "));
            Err(Error::file(target, what))
        }
        ending => {
            let what = format!("“.{ending}” cannot be written; choose one of {}", possible.join(", "));
            Err(Error::file(target, what))
        }
    }
}
