//! `gridwright export`: a solution as tables, pictures, calendars or a report.

use std::path::{Path, PathBuf};

use gridwright_core::letterhead::Letterhead;
use gridwright_core::planning::opening::Pair;
use gridwright_core::planning::{ExportOptions, ExportOrigin, ReadSolution, opening};
use gridwright_core::problem::OptionScope;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::{Error, Result};

use super::{Exit, outputs, text};
use crate::arguments::Export;

/// Writes a solution in other formats.
///
/// # Errors
/// Faults of the input, or the first target that cannot be written.
pub(super) fn run(arguments: &Export) -> anyhow::Result<Exit> {
    let pair = opening::open_pair(&arguments.pair.instance, &arguments.pair.solution, arguments.pair.counted_from)?;
    let solution = &arguments.pair.solution;
    let exact = pair.solution.exact(solution)?;
    check_options(arguments, &pair)?;
    let other = arguments.compare.as_deref().map(|path| another(arguments, &pair, path)).transpose()?;
    let before = other.as_ref().map(|(found, path)| Ok::<_, Error>((found.exact(path)?, *path))).transpose()?;
    let mut inputs = gridwright_core::registry::input_files(&arguments.pair.instance.source);
    inputs.push(solution.clone());
    inputs.extend(arguments.compare.iter().chain(&arguments.logo).cloned());
    let origin = ExportOrigin::File(pair.result.as_ref());
    let targets = Outputs::of_user(inputs, arguments.overwrites);
    outputs::check(&*pair.instance, origin, &arguments.to, &[], &targets)?;
    let letterhead = letterhead(arguments)?;
    let verdict = pair.judge(solution)?.verdict;
    pair.solution.remarks.iter().for_each(|remark| text::note(&remark.text));
    let options = ExportOptions {
        result: pair.result.as_ref(),
        before,
        options: Some(&arguments.options.0),
        letterhead: &letterhead,
    };
    // Nothing is written unless every target can be.
    let encode = |target: &PathBuf| {
        let ending = outputs::ending_of(&*pair.instance, target);
        pair.instance.export_bytes(exact, solution, ending, &options)
    };
    let contents = arguments.to.iter().map(encode).collect::<Result<Vec<_>>>()?;
    for (target, content) in arguments.to.iter().zip(contents) {
        targets.write(target, &content)?;
        text::answer(&format!("{}\n", target.display()));
    }
    let Some(stamp) = outputs::stamp(&*pair.instance, &verdict.violations) else { return Ok(Exit::Done) };
    text::error(&format!("{}: {stamp}", solution.display()));
    Ok(Exit::Infeasible)
}

/// Makes sure that every option has an effect on one of the targets.
fn check_options(arguments: &Export, pair: &Pair) -> Result<()> {
    let (instance, endings) = (&pair.instance, pair.instance.export_endings());
    let is = |target: &Path, ending: &str| outputs::ending_of(&**instance, target) == ending;
    opening::check_options(&arguments.options.0, instance.problem(), instance.name())?;
    for option in instance.problem().options() {
        let (OptionScope::Export { endings }, Some(_)) = (option.scope, arguments.options.0.text(option.name)) else {
            continue;
        };
        if let Some(target) = arguments.to.iter().find(|target| !endings.iter().any(|ending| is(target, ending))) {
            let what = format!(
                "--{} goes with {} only; write other files with a command of their own",
                option.name,
                endings.join(", ")
            );
            return Err(Error::file(target, what));
        }
    }
    let has_letterhead = arguments.institution.is_some() || arguments.logo.is_some();
    let is_document = |target: &PathBuf| {
        let ending = outputs::ending_of(&**instance, target);
        DOCUMENTS.iter().any(|end| ending.ends_with(end))
    };
    if has_letterhead && !arguments.to.iter().any(is_document) {
        let what = "--institution and --logo stand in printed documents only; write one with --to plan.pdf";
        return Err(Error::Usage(what.to_owned()));
    }
    let Some(other) = &arguments.compare else { return Ok(()) };
    if !endings.contains(&REPORT) {
        let name = instance.name();
        let what = format!("--compare: there is no report of {name} to compare in; use “gridwright compare”");
        return Err(Error::Usage(what));
    }
    if !arguments.to.iter().any(|target| is(target, REPORT)) {
        let what = "it is compared with in a report only; write one with --to report.pdf, or use “gridwright compare”";
        return Err(Error::file(other, what));
    }
    Ok(())
}

/// The ending of the format that compares two solutions.
const REPORT: &str = "report.pdf";

/// The ends of the endings of printed documents, and of archives of them.
const DOCUMENTS: [&str; 2] = ["pdf", "documents.zip"];

/// The letterhead of the project, with what was given instead.
fn letterhead(arguments: &Export) -> Result<Letterhead> {
    let mut letterhead = opening::letterhead(&arguments.pair.instance.source)?;
    if let Some(name) = &arguments.institution {
        letterhead = letterhead.with_institution(name);
    }
    if let Some(path) = &arguments.logo {
        letterhead.logo = Some(Letterhead::read_logo(path)?);
    }
    Ok(letterhead)
}

fn another<'a>(arguments: &Export, pair: &Pair, path: &'a Path) -> Result<(ReadSolution, &'a Path)> {
    Ok((opening::read_another(&*pair.instance, path, arguments.pair.counted_from)?, path))
}
