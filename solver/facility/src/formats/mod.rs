//! File formats of layout problems and layouts, read and written.
//!
//! * JSON, as instances are collected from papers ([`json`]);
//! * RON, the program's own format: everything including rules, closeness ratings and published values ([`ron`]);
//! * tables: departments, a from-to chart or a list of flows, a closeness chart, in adjacent files or in the sheets of
//!   a workbook ([`tables`]);
//! * layouts as RON, as a table or as text, bay by bay ([`solution`]).
//!
//! Readers report every bad line, not only the first.

pub(crate) mod json;
mod kinds;
mod options;
mod recognition;
pub(crate) mod ron;
pub mod solution;
pub(crate) mod tables;

use std::path::{Path, PathBuf};

pub use self::options::LoadOptions;
pub(crate) use self::options::PlantSize;
pub(crate) use self::recognition::{is_folder, looks_like, resembles};
use super::limits::warn_of_limits;
use super::{Instance, library};
use crate::stored::Demands;
use gridwright_core::project;
use gridwright_core::text::{Source, about_file, decoding, ending, sheets};
use gridwright_core::{Error, Result, files};

/// Prefix of sources that name a sample.
const SAMPLE: &str = "sample:";
/// Prefix of sources that name a generated instance.
const LAYOUT: &str = "layout:";

/// Opens `sample:layout-workshop`, `layout:F40`, a file, a folder of tables, or a project.
///
/// # Errors
/// [`Error::Usage`] for a name that does not exist; otherwise as [`load`].
pub fn open(source: &str, options: &LoadOptions) -> Result<Instance> {
    let named = if let Some(name) = source.strip_prefix(SAMPLE) {
        library::sample(name.trim())?
    } else if let Some(name) = source.strip_prefix(LAYOUT) {
        library::generated(name.trim())?
    } else if project::is_project(&gridwright_core::source::path(source)) {
        return open_project(&gridwright_core::source::path(source), options);
    } else {
        return load(&gridwright_core::source::path(source), options);
    };
    finished(named, options)
}

/// Opens the instance of a project with the project's rules.
fn open_project(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let (project, mut instance) = project::open_instance(path, "facility", |source| open(source, options))?;
    instance.warnings.extend(project::warning_of_change(&project, &instance.hash));
    if let Some(demands) = &project.demands {
        let unreadable = |what| Error::file(path, format!("its rules cannot be read: {what}; use the original"));
        let Demands::Facility { rules, .. } = demands.read().map_err(unreadable)?;
        rules.check(&instance).map_err(|error| Error::file(path, error.to_string()))?;
        instance.rules = rules;
    }
    Ok(instance)
}

/// Loads an instance from a file or a folder of tables; the format follows from ending and content.
///
/// # Errors
/// [`Error::File`], [`Error::Line`] or [`Error::Lines`] naming every line that cannot be used.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    if path.is_dir() {
        return load_tables(&path.join(tables::DEPARTMENTS), options);
    }
    match ending(path).as_str() {
        _ if solution::is_layout(path) => Err(solution::no_instance(path)),
        "json" | "ron" => {
            let bytes = files::read(path)?;
            let hash = files::hash(&[&bytes]);
            let text = files::text(path, bytes)?;
            let mut instance = parse(Source { path, text: &text }, options)?;
            instance.hash = hash;
            Ok(instance)
        }
        _ if sheets::is_named_workbook(path) => {
            let bytes = files::read(path)?;
            let instance = tables::parse_workbook(path, &bytes, options)?;
            let mut instance = of_file(path, instance, options)?;
            instance.hash = files::hash(&[&bytes]);
            Ok(instance)
        }
        _ => load_tables(path, options),
    }
}

/// Reads an instance from JSON or RON text; the caller sets the hash.
///
/// # Errors
/// As [`load`].
pub fn parse(source: Source, options: &LoadOptions) -> Result<Instance> {
    let instance = match ending(source.path).as_str() {
        "ron" => ron::parse(source)?,
        _ => json::parse(source)?,
    };
    of_file(source.path, instance, options)
}

fn load_tables(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let (mut pieces, mut texts, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for file in std::iter::once(path.to_path_buf()).chain(tables::beside(path)) {
        let bytes = files::read(&file)?;
        let text = decoding::text(&file, bytes.clone(), &mut warnings)?;
        texts.push((file, text));
        pieces.push(bytes);
    }
    if texts.first().is_some_and(|(_, text)| recognition::is_assignment(text)) {
        let what = "this is a quadratic assignment problem (QAPLIB): flows between places of one size. A layout problem needs the \
                    area of each department: make a table with the columns department and area, and one for each department";
        return Err(Error::file(path, what));
    }
    let hash = files::hash(&pieces.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let sources: Vec<Source> = texts.iter().map(|(path, text)| Source { path, text }).collect();
    let mut instance = tables::parse(&sources, options)?;
    instance.warnings.splice(0..0, warnings);
    instance = of_file(path, instance, options)?;
    instance.hash = hash;
    Ok(instance)
}

/// Applies the options and validates; errors name the file.
fn of_file(path: &Path, instance: Instance, options: &LoadOptions) -> Result<Instance> {
    let name = instance.name.clone();
    finished(instance, options).map_err(about_file(path, &name))
}

fn finished(mut instance: Instance, options: &LoadOptions) -> Result<Instance> {
    options.apply(&mut instance)?;
    let mut instance = instance.validated()?;
    warn_of_limits(&mut instance);
    Ok(instance)
}

/// Files that are read for a source, or would be if they existed; the named one first.
pub(crate) fn files_of(source: &str) -> Vec<PathBuf> {
    let path = gridwright_core::source::path(source);
    let path = if path.is_dir() { path.join(tables::DEPARTMENTS) } else { path };
    let beside = tables::candidates(&path).into_iter().flatten();
    std::iter::once(path).chain(beside).collect()
}

/// File endings that [`save`] writes.
pub const WRITTEN: [&str; 2] = ["csv", "ron"];

/// Writes an instance: one table for `.csv`, everything for `.ron`.
///
/// # Errors
/// [`Error::File`] if the file cannot be written; [`Error::Usage`] for another ending, or if a table cannot hold the
/// instance.
pub fn save(instance: &Instance, path: &Path) -> Result<()> {
    let text = match ending(path).as_str() {
        "csv" => tables::write(instance)?,
        "ron" => ron::write(instance)?,
        other => {
            let what =
                format!("a layout problem is written as .csv or .ron, not as .{}; choose one", other.escape_debug());
            return Err(Error::Usage(what));
        }
    };
    files::write(path, text.as_bytes())
}

#[cfg(test)]
mod tests;
