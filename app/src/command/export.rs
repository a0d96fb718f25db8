//! `gridwright export`: a solution as tables, pictures or calendars.

use std::path::Path;

use super::{Exit, outputs, problem, text};
use crate::arguments::Export;

/// Writes a solution in other formats.
///
/// # Errors
/// What is wrong with the input, or the first target that cannot be written.
pub fn run(arguments: &Export) -> anyhow::Result<Exit> {
    let pair = problem::open_pair(&arguments.pair)?;
    let solution = &arguments.pair.solution;
    let inputs = [Path::new(&arguments.pair.instance.source), solution.as_path()];
    outputs::check(&*pair.problem, &arguments.to, &[], &inputs)?;
    let verdict = pair.problem.verify(&pair.found.solution, solution)?;
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
    for target in &arguments.to {
        pair.problem.export(&pair.found.solution, solution, target)?;
        text::answer(&format!("{}\n", target.display()));
    }
    Ok(Exit::Done)
}
