//! `gridwright invigilate`: people at the rooms of a solution.

use std::path::{Path, PathBuf};

use gridwright_core::files::{Stamp, Written};
use gridwright_core::planning::{AssignedDuties, DutyRequest, ExportOrigin, OpenInstance, opening};
use gridwright_core::project::{Project, is_project};
use gridwright_core::result::Encoded;
use gridwright_core::store::Store;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::{Error, Result, registry, source};
use serde_json::{Map, Value};

use super::{Exit, outputs, text};
use crate::arguments::Invigilate;

/// Project of the instance with the state of its file when it was read.
struct OpenProject {
    path: PathBuf,
    project: Project,
    known: Option<Stamp>,
}

impl OpenProject {
    /// The project that an instance is named by; `None` if it is named otherwise.
    fn of(instance: &str) -> Result<Option<Self>> {
        let path = source::path(instance);
        if !is_project(&path) {
            return Ok(None);
        }
        let known = Stamp::of(&path);
        let project = registry::load_project(&path)?;
        Ok(Some(Self { path, project, known }))
    }

    /// Writes the project with other demands: over the file that was read, unless another program has changed it, or to another file.
    fn save(&mut self, target: &Path, demands: Encoded, targets: &Outputs) -> Result<()> {
        self.project.demands = Some(demands);
        if target != self.path {
            return targets.write(target, &self.project.to_bytes(target)?);
        }
        match self.project.save_if_unchanged(target, &mut self.known, &Store::of_user().locks())? {
            Written::Replaced => Ok(()),
            Written::ChangedElsewhere => {
                Err(Error::file(target, "another program has changed it meanwhile; nothing was kept, assign once more"))
            }
        }
    }
}

/// Assigns, checks or replaces people and writes what is asked for. Where the independent check finds faults that are not asked for,
/// nothing is written.
///
/// # Errors
/// Faults of the files; data that are missing; a project that another program has changed meanwhile.
pub(super) fn run(arguments: &Invigilate) -> anyhow::Result<Exit> {
    let (instance_source, plan) = (&arguments.pair.instance, &arguments.pair.solution);
    let mut project = OpenProject::of(&instance_source.source)?;
    let pair = opening::open_pair(instance_source, plan, arguments.pair.counted_from)?;
    let solution = pair.solution.exact(plan)?;
    let (projects, exports): (Vec<&PathBuf>, Vec<&PathBuf>) =
        arguments.output.iter().partition(|target| is_project(target));
    check_projects(&projects, project.as_ref())?;
    let targets = targets(arguments);
    let is_own = |target: &&PathBuf| project.as_ref().is_some_and(|project| project.path == **target);
    let checked: Vec<PathBuf> = arguments.output.iter().filter(|target| !is_own(target)).cloned().collect();
    outputs::check(&*pair.instance, ExportOrigin::File(None), &[], &checked, &targets)?;
    let endings = exports.iter().map(|target| ending(&*pair.instance, target)).collect::<Result<Vec<_>>>()?;
    let letterhead = opening::letterhead(&instance_source.source)?;
    let assigned = pair.instance.assign_duties(
        solution,
        plan,
        &DutyRequest {
            duties: arguments.duties.as_deref(),
            adjusts: arguments.adjust,
            absent: &arguments.absent,
            demands: project.as_ref().and_then(|project| project.project.demands.as_ref()),
            endings: &endings,
            letterhead: &letterhead,
        },
    )?;
    pair.solution.remarks.iter().for_each(|remark| text::note(&remark.text));
    let is_refused = !assigned.faults.is_empty() && !arguments.with_violations;
    if !is_refused {
        for (target, content) in exports.iter().zip(&assigned.documents) {
            targets.write(target, content)?;
        }
        for target in projects {
            if let Some(project) = &mut project {
                project.save(target, assigned.demands.clone(), &targets)?;
            }
        }
    }
    answer(arguments, &*pair.instance, &assigned, is_refused);
    Ok(if assigned.faults.is_empty() { Exit::Done } else { Exit::Infeasible })
}

/// Outputs beside the inputs, which are never replaced but for the project itself.
fn targets(arguments: &Invigilate) -> Outputs {
    let mut inputs = registry::input_files(&arguments.pair.instance.source);
    inputs.push(arguments.pair.solution.clone());
    inputs.extend(arguments.duties.clone());
    Outputs::of_user(inputs, arguments.overwrites)
}

/// Makes sure that projects are written only where the instance is one.
fn check_projects(targets: &[&PathBuf], project: Option<&OpenProject>) -> Result<()> {
    match targets.first().filter(|_| project.is_none()) {
        Some(target) => {
            let what = "duties are kept in the project of the instance only; name the project as the instance, or write a table";
            Err(Error::file(target, what))
        }
        None => Ok(()),
    }
}

/// Ending of the format of a target, which must be one about duties.
fn ending(instance: &dyn OpenInstance, target: &Path) -> Result<&'static str> {
    const DUTIES: [&str; 2] = ["duties.", "invigilators."];
    let is_of_duties = |ending: &&str| DUTIES.iter().any(|start| ending.starts_with(start));
    Some(outputs::ending_of(instance, target)).filter(|known| is_of_duties(known)).ok_or_else(|| {
        let known: Vec<&str> = instance.export_endings().into_iter().filter(is_of_duties).collect();
        let what = format!("its name tells no format of duties; end it with one of .{}", known.join(", ."));
        Error::file(target, what)
    })
}

/// Tells what was assigned, and the files that were written.
fn answer(arguments: &Invigilate, instance: &dyn OpenInstance, assigned: &AssignedDuties, is_refused: bool) {
    let is_written = !is_refused && !arguments.output.is_empty();
    if arguments.json {
        let mut object = Map::new();
        object.insert("problem".to_owned(), instance.problem().id().into());
        object.insert("name".to_owned(), instance.name().into());
        object.insert("is_written".to_owned(), is_written.into());
        object.extend(assigned.json.clone());
        text::answer(&text::json(&Value::Object(object)));
    } else {
        text::answer(&assigned.text);
        arguments.output.iter().filter(|_| is_written).for_each(|file| text::answer(&format!("{}\n", file.display())));
    }
    if is_refused && !arguments.output.is_empty() {
        let count = text::counted(assigned.faults.len(), "fault");
        text::error(&format!("{count}; nothing was written; correct the data, or add --with-violations"));
    }
}
