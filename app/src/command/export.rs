//! `gridwright export`: a solution as tables, pictures, calendars or a report.

use std::path::Path;

use gridwright_solver::{Error, Result, files};

use super::opening::Pair;
use super::problem::{Found, Wishes};
use super::{Exit, opening, outputs, text};
use crate::arguments::Export;

/// Writes a solution in other formats.
///
/// # Errors
/// What is wrong with the input, or the first target that cannot be written.
pub fn run(arguments: &Export) -> anyhow::Result<Exit> {
    let pair = opening::open_pair(&arguments.pair)?;
    let solution = &arguments.pair.solution;
    check_wishes(arguments, &pair)?;
    let before = arguments.compare.as_deref().map(|path| another(arguments, &pair, path)).transpose()?;
    let mut inputs = opening::files_of(&arguments.pair.instance.source);
    inputs.push(solution.clone());
    inputs.extend(arguments.compare.clone());
    outputs::check(&*pair.problem, &arguments.to, &[], &inputs)?;
    let verdict = pair.judge(solution)?.verdict;
    if !verdict.feasible {
        let count = text::plural(verdict.violations.len(), "violation");
        let first = verdict.violations.first().map_or("", |violation| violation.text.as_str());
        text::error(&format!(
            "{}: the solution has {count} ({first}) and is not exported as a plan; “gridwright verify” lists them all",
            solution.display()
        ));
        return Ok(Exit::Infeasible);
    }
    pair.found.remarks.iter().for_each(|remark| text::note(&remark.text));
    let wishes = Wishes {
        result: pair.result.as_ref(),
        before: before.as_ref().map(|(found, path)| (&found.solution, *path)),
        student: arguments.student.as_deref(),
        least_flow: arguments.least_flow,
    };
    for target in &arguments.to {
        pair.problem.export(&pair.found.solution, solution, target, &wishes)?;
        text::answer(&format!("{}\n", target.display()));
    }
    Ok(Exit::Done)
}

/// What is asked for must have a place in one of the targets: an option that does nothing is a slip.
fn check_wishes(arguments: &Export, pair: &Pair) -> Result<()> {
    let endings = pair.problem.export_endings();
    let is = |target: &Path, ending| files::known_ending(target, endings.iter().copied()) == Some(ending);
    let foreign = [
        (
            "--compare",
            arguments.compare.is_some(),
            "report.pdf",
            "a report of it to compare in; use “gridwright compare”",
        ),
        ("--student", arguments.student.is_some(), "ics", "a calendar of a student"),
    ];
    for (option, said, ending, what) in foreign {
        if said && !endings.contains(&ending) {
            let name = pair.problem.name();
            return Err(Error::Usage(format!("{option}: {name} is no examination session, so there is no {what}")));
        }
    }
    if arguments.least_flow.is_some() {
        if pair.problem.kind() != "facility" {
            let name = pair.problem.name();
            return Err(Error::Usage(format!(
                "--least-flow: {name} is no layout problem, so there are no flows to draw"
            )));
        }
        if let Some(target) =
            arguments.to.iter().find(|target| !["pdf", "svg", "png"].iter().any(|one| is(target, *one)))
        {
            let what =
                "--least-flow goes with pictures (pdf, svg, png) only; write other files with a command of their own";
            return Err(Error::file(target, what));
        }
    }
    if let Some(other) = &arguments.compare
        && !arguments.to.iter().any(|target| is(target, "report.pdf"))
    {
        let what = "it is compared with in a report only; write one with --to report.pdf, or use “gridwright compare”";
        return Err(Error::file(other, what));
    }
    match arguments.to.iter().find(|target| !is(target, "ics")) {
        Some(target) if arguments.student.is_some() => {
            let what = "--student goes with a calendar (.ics) only; write other files with a command of their own";
            Err(Error::file(target, what))
        }
        _ => Ok(()),
    }
}

fn another<'a>(arguments: &Export, pair: &Pair, path: &'a Path) -> Result<(Found, &'a Path)> {
    Ok((opening::read_another(&*pair.problem, path, arguments.pair.counted_from)?, path))
}
