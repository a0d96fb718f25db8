//! `gridwright update`: a fresh version of the data of a project, whose rules, edits and runs stay.

use std::path::Path;

use gridwright_core::data::Issue;
use gridwright_core::data::update::Update as Differences;
use gridwright_core::planning::updating::{FilesRead, Present, read_files};
use gridwright_core::problem::Problem;
use gridwright_core::project::Project;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::{Error, Result, files, registry};

use super::{Exit, text};
use crate::arguments::Update;

/// Largest number of faults of the fresh data that are listed.
const LISTED: usize = 20;

/// Prints the differences of the files to the data of a project, and writes the project with all of them.
///
/// # Errors
/// Faults of the files; data that the problem cannot read; a target that must not be replaced.
pub(super) fn run(arguments: &Update) -> anyhow::Result<Exit> {
    let path = &arguments.project;
    let mut project = registry::load_project(path)?;
    let Some(problem) = registry::by_id(&project.problem) else {
        return Err(
            Error::file(path, format!("the problem “{}” is unknown; update the program", project.problem)).into()
        );
    };
    let target = arguments.output.as_ref().unwrap_or(path);
    let outputs = outputs(arguments, target);
    if !arguments.dry_run {
        check_target(arguments, target, &outputs)?;
    }
    let update = differences(path, problem, &project, arguments)?;
    update.remarks.iter().for_each(|remark| text::note(&format!("note: {remark}")));
    if update.changes.is_empty() {
        text::answer("The files hold the same data as this project.\n");
        return Ok(Exit::Done);
    }
    let lines = (0..update.changes.len()).map(|index| update.text(index) + "\n");
    text::answer(&lines.collect::<String>());
    let all = vec![true; update.changes.len()];
    let data = update.applied(&all);
    let descriptor = problem.descriptor();
    (descriptor.check_data)(&data).map_err(|issues| unusable(path, problem, &issues))?;
    let remarks = (descriptor.update_project)(&mut project, &data).map_err(|error| of_project(path, &error))?;
    remarks.iter().for_each(|remark| text::note(&format!("note: {remark}")));
    if !arguments.dry_run {
        project.readings.clone_from(&update.readings);
        outputs.write(target, &project.to_bytes(target)?)?;
        text::answer(&format!("{}\n", target.display()));
    }
    Ok(Exit::Done)
}

fn of_project(path: &Path, error: &Error) -> Error {
    Error::file(path, error.to_string())
}

/// Outputs of the command, which may be the project itself only on demand.
fn outputs(arguments: &Update, target: &Path) -> Outputs {
    let mut inputs = arguments.files.clone();
    if !(arguments.overwrites && files::is_same(target, &arguments.project)) {
        inputs.push(arguments.project.clone());
    }
    Outputs::of_user(inputs, arguments.overwrites)
}

fn check_target(arguments: &Update, target: &Path, outputs: &Outputs) -> Result<()> {
    if !arguments.overwrites && files::is_same(target, &arguments.project) {
        let what = "the project itself would be replaced; name another file with --output NEW, or add --overwrite";
        return Err(Error::file(target, what));
    }
    outputs.check(target)
}

fn differences(path: &Path, problem: &dyn Problem, project: &Project, arguments: &Update) -> Result<Differences> {
    let descriptor = problem.descriptor();
    if descriptor.tables.is_empty() {
        return Err(Error::file(path, format!("the data of {} are no tables", problem.nouns().instances)));
    }
    if project.edited.is_some() {
        let what = "its tables hold cells that make no sense; correct them in the window first";
        return Err(Error::file(path, what));
    }
    let data = project.data.as_ref().map(|data| data.dataset(descriptor.tables)).transpose();
    let data = data.map_err(|what| Error::file(path, what))?;
    let Some(data) = data else {
        return Err(Error::file(path, "it does not hold its data; open and save it in the window first"));
    };
    let options = project.instance.options.clone().into_iter().collect();
    let present = Present { data, known: project.readings.clone(), options };
    match read_files(descriptor, &present, &arguments.files)? {
        FilesRead::Compared(update) => Ok(*update),
        FilesRead::Unclear { why, .. } => {
            let remedy = "use File, Update from files… in the window, which asks what the columns mean";
            Err(Error::file(arguments.files.first().map_or(path, |file| file), format!("{why}; {remedy}")))
        }
    }
}

/// Error about updated data that the problem cannot read.
fn unusable(path: &Path, problem: &dyn Problem, issues: &[Issue]) -> Error {
    let tables = problem.descriptor().tables;
    let mut lines: Vec<String> = issues.iter().take(LISTED).map(|issue| issue.text(tables)).collect();
    if issues.len() > LISTED {
        lines.push(format!("… and {} more", text::grouped((issues.len() - LISTED) as u64)));
    }
    Error::file(path, format!("the updated data cannot be used; correct the files:\n{}", lines.join("\n")))
}
