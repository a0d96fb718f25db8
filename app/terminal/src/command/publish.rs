//! `gridwright publish`: a version of a solution in a project, and what has changed since the version before.

use std::path::{Path, PathBuf};

use gridwright_core::files::{Stamp, Written};
use gridwright_core::planning::opening::{self, InstanceSource, Pair};
use gridwright_core::planning::{ExportOptions, ExportOrigin};
use gridwright_core::project::Project;
use gridwright_core::store::Store;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::{Error, Result, registry, source};
use serde_json::{Map, Value};

use super::{Exit, outputs, text};
use crate::arguments::Publish;

/// Publishes a solution, and writes the project with the version. Where a solution that violates something is not asked for, nothing is
/// written. Exports come first, so that a version is frozen only when they are there.
///
/// # Errors
/// Faults of the files; a project that another program has changed meanwhile; a problem whose solutions have no versions.
pub(super) fn run(arguments: &Publish) -> anyhow::Result<Exit> {
    let path = &arguments.project;
    let mut known = Stamp::of(path);
    let mut project = registry::load_project(path)?;
    let (pair, name) = pair(arguments, &project)?;
    let from = arguments.plan.as_ref().unwrap_or(path);
    let solution = pair.solution.exact(from)?;
    pair.solution.remarks.iter().for_each(|remark| text::note(&remark.text));
    let targets = targets(arguments);
    let origin = ExportOrigin::File(pair.result.as_ref());
    outputs::check(&*pair.instance, origin, &arguments.to, arguments.output.as_slice(), &targets)?;
    let published = pair.instance.publish(solution, from, project.demands.as_ref())?;
    let violations = pair.judge(from)?.verdict.violations;
    let stamp = outputs::stamp(&*pair.instance, &violations);
    if let Some(stamp) = &stamp {
        text::error(&format!("{}: {stamp}", from.display()));
    }
    let is_refused = stamp.is_some() && !arguments.with_violations;
    let is_written = published.is_changed && !arguments.dry_run && !is_refused;
    if !arguments.dry_run && !is_refused {
        export(arguments, &pair, &project, &targets)?;
    }
    let target = arguments.output.as_ref().unwrap_or(path);
    if is_written {
        project.demands = Some(published.demands);
        freeze(arguments, &project, target, &mut known, &targets)?;
    }
    if arguments.json {
        let mut object = Map::new();
        object.insert("problem".to_owned(), pair.instance.problem().id().into());
        object.insert("name".to_owned(), pair.instance.name().into());
        object.insert("is_written".to_owned(), is_written.into());
        object.insert("violations".to_owned(), violations.len().into());
        object.extend(published.json);
        text::answer(&text::json(&Value::Object(object)));
    } else {
        let version = published.version;
        let head = match () {
            () if is_written => format!("Version {version} of {}, from {name}, is published\n", pair.instance.name()),
            () if !published.is_changed => format!("Version {} stays\n", version - 1),
            () => format!("Version {version} of {}, from {name}, would be published\n", pair.instance.name()),
        };
        text::answer(&(head + &published.text));
        let written = arguments.to.iter().chain([target].into_iter().filter(|_| is_written));
        if !arguments.dry_run && !is_refused {
            written.for_each(|file| text::answer(&format!("{}\n", file.display())));
        }
    }
    if is_refused {
        text::error("nothing was published; correct the violations, or add --with-violations");
        return Ok(Exit::Infeasible);
    }
    Ok(Exit::Done)
}

/// The instance of the project with the solution to publish, and the name of the latter.
fn pair(arguments: &Publish, project: &Project) -> Result<(Pair, String)> {
    let path = &arguments.project;
    let source = source::of(path).ok_or_else(|| Error::file(path, "its name is not Unicode; rename it"))?;
    let source = InstanceSource::of(source);
    if let Some(plan) = &arguments.plan {
        return Ok((opening::open_pair(&source, plan, None)?, plan.display().to_string()));
    }
    let instance = opening::open(&source)?;
    let (solution, name, result) = opening::solution_in(project, path, &*instance)?;
    let result = result.cloned();
    Ok((Pair { instance, solution, result }, name))
}

/// Outputs beside the project.
fn targets(arguments: &Publish) -> Outputs {
    let inputs: Vec<PathBuf> = std::iter::once(&arguments.project).chain(&arguments.plan).cloned().collect();
    Outputs::of_user(inputs, arguments.overwrites)
}

/// Writes the exports, none unless all can be encoded.
fn export(arguments: &Publish, pair: &Pair, project: &Project, targets: &Outputs) -> Result<()> {
    let from = arguments.plan.as_ref().unwrap_or(&arguments.project);
    let options =
        ExportOptions { result: pair.result.as_ref(), before: None, options: None, letterhead: &project.letterhead };
    let encode = |target: &PathBuf| {
        let ending = outputs::ending_of(&*pair.instance, target);
        pair.instance.export_bytes(&pair.solution.solution, from, ending, &options)
    };
    let contents = arguments.to.iter().map(encode).collect::<Result<Vec<_>>>()?;
    arguments.to.iter().zip(contents).try_for_each(|(target, content)| targets.write(target, &content))
}

/// Writes the project with the version: over the file that was read, unless another program has changed it, or to another file.
fn freeze(
    arguments: &Publish, project: &Project, target: &Path, known: &mut Option<Stamp>, targets: &Outputs,
) -> Result<()> {
    if arguments.output.is_some() {
        return targets.write(target, &project.to_bytes(target)?);
    }
    match project.save_if_unchanged(target, known, &Store::of_user().locks())? {
        Written::Replaced => Ok(()),
        Written::ChangedElsewhere => Err(Error::file(
            target,
            "another program has changed it meanwhile; nothing was published, publish once more",
        )),
    }
}
