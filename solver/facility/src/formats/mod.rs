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
pub(crate) mod ron;
pub mod solution;
pub(crate) mod tables;

use std::path::{Path, PathBuf};

pub use self::options::LoadOptions;
pub(crate) use self::options::PlantSize;
use super::limits::warn_of_limits;
use super::{Instance, library};
use crate::stored::Demands;
use gridwright_core::formats::{Candidate, FileFormat, Write, detect, encode};
use gridwright_core::problem::Detection;
use gridwright_core::project;
use gridwright_core::recognition::is_document;
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

/// Reader of instances.
type Reader = fn(&Path, &LoadOptions) -> Result<Instance>;

/// Formats of instances.
pub(crate) static FORMATS: &[FileFormat<Reader, Write<Instance>>] = &[
    FileFormat {
        endings: &["json"],
        detect: |file| {
            let has = |words: &[&str]| words.iter().all(|word| file.source.text.contains(word));
            let is_like = || has(&["departments"]) || has(&["plant"]) || has(&["area"]);
            let is_json = file.has_ending(&["json"]);
            Detection::certain(is_json && has(&["\"departments\"", "\"area\""])).or_likely(|| is_json && is_like())
        },
        read: load_text,
        write: None,
    },
    FileFormat {
        endings: &["ron"],
        detect: |file| {
            let start = file.source.text.as_bytes();
            Detection::certain(ron::begins(start)).or_likely(|| file.has_ending(&["ron"]) && solution::begins(start))
        },
        read: load_text,
        write: Some((&["ron"], |instance| ron::write(instance).map(Some))),
    },
    FileFormat {
        endings: &sheets::ENDINGS,
        detect: |file| match file.has_ending(&sheets::ENDINGS) {
            true => Detection::certain(tables::is_workbook(file.source.path))
                .or_likely(|| tables::is_unreadable_workbook(file.source.path)),
            false => Detection::No,
        },
        read: load_workbook,
        write: None,
    },
    FileFormat {
        endings: &[],
        detect: |file| match is_foreign(file) {
            true => Detection::No,
            false => Detection::certain(tables::begins(file.source))
                .or_likely(|| is_assignment(file.source.text) || tables::resembles(file.source)),
        },
        read: load_tables,
        write: Some((&["csv"], |instance| tables::write(instance).map(Some))),
    },
];

/// Returns `true` for the ending of a file that holds no tables of a layout problem: of another format, of another problem, or of
/// a document.
fn is_foreign(file: &Candidate<'_>) -> bool {
    is_document(file.source.path)
        || file.has_ending(&["json", "ron", "stu", "crs", "exam"])
        || sheets::is_named_workbook(file.source.path)
}

/// Returns `true` if the folder holds the tables of a layout problem.
pub(crate) fn is_folder(path: &Path) -> bool {
    path.is_dir() && path.join(tables::DEPARTMENTS).is_file()
}

/// Returns how certain a source names or holds a layout problem; [`Detection::Likely`] for an unreadable one, whose errors this
/// reader should report. `start` is the beginning of the file, empty if the source is a name such as `layout:F40`.
pub(crate) fn detection(source: &str, start: &[u8]) -> Detection {
    if let Some(name) = source.strip_prefix(SAMPLE) {
        return Detection::certain(library::SAMPLES.contains(&name.trim()));
    }
    let path = &gridwright_core::source::path(source);
    if source.starts_with(LAYOUT) || is_folder(path) {
        return Detection::Certain;
    }
    let found = detect(FORMATS, path, start, usize::MAX);
    if solution::begins(start) { found.min(Detection::Likely) } else { found }
}

/// Returns `true` if a text is a quadratic assignment problem of QAPLIB: n, then two matrices of n × n numbers.
fn is_assignment(text: &str) -> bool {
    let mut numbers = text.split_whitespace().map(|piece| piece.parse::<f64>().ok());
    let Some(Some(n)) = numbers.next().filter(|n| n.is_some_and(|n| n >= 2.0 && n.fract() == 0.0)) else {
        return false;
    };
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    // Permutations, costs and remarks of solutions are no part of an instance.
    let all: Option<Vec<f64>> = numbers.collect();
    first.is_some_and(|line| line.parse::<f64>().is_ok()) && all.is_some_and(|all| all.len() as f64 == 2.0 * n * n)
}

/// Loads an instance from a file or a folder of tables; the format follows from ending and content.
///
/// # Errors
/// [`Error::File`], [`Error::Line`] or [`Error::Lines`] naming every line that cannot be used.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    if is_folder(path) {
        return load_tables(&path.join(tables::DEPARTMENTS), options);
    }
    if path.is_dir() {
        return Err(Error::file(
            path,
            format!("this is a folder without a {}; name a file in it", tables::DEPARTMENTS),
        ));
    }
    if solution::is_layout(path) {
        return Err(solution::no_instance(path));
    }
    let ending = ending(path);
    let claimed = FORMATS.iter().find(|format| format.endings.contains(&ending.as_str()));
    claimed.map_or(load_tables as fn(&Path, &LoadOptions) -> _, |format| format.read)(path, options)
}

fn load_text(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let bytes = files::read(path)?;
    let hash = files::hash(&[&bytes]);
    let text = files::text(path, bytes)?;
    Ok(Instance { hash, ..parse(Source { path, text: &text }, options)? })
}

fn load_workbook(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let bytes = files::read(path)?;
    let instance = of_file(path, tables::parse_workbook(path, &bytes, options)?, options)?;
    Ok(Instance { hash: files::hash(&[&bytes]), ..instance })
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
    if texts.first().is_some_and(|(_, text)| is_assignment(text)) {
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

/// Writes an instance: one table for `.csv`, everything for `.ron`.
///
/// # Errors
/// [`Error::File`] if the file cannot be written; [`Error::Usage`] for another ending, or if a table cannot hold the
/// instance.
pub fn save(instance: &Instance, path: &Path) -> Result<()> {
    let ending = ending(path);
    let unknown = || {
        let other = ending.escape_debug();
        Error::Usage(format!("a layout problem is written as .csv or .ron, not as .{other}; choose one"))
    };
    let text = encode(FORMATS, instance, &ending)?.ok_or_else(unknown)?;
    files::write(path, text.as_bytes())
}

#[cfg(test)]
mod tests;
