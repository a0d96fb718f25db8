//! Reading of files as a fresh version of the data of a project, for every problem that has tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ProblemDescriptor;
use crate::data::Dataset;
use crate::data::import::{self, Mapped, Outcome, Request, SheetReading, read_as_before};
use crate::data::update::{FreshData, Update, request};
use crate::problem::Overrides;
use crate::text::lines::{file_name, quoted};
use crate::{Error, Result};

/// Present data of a project, to be updated.
#[derive(Debug, Clone)]
pub struct Present {
    /// The data.
    pub data: Arc<Dataset>,
    /// How the tables of the project were read.
    pub known: Vec<SheetReading>,
    /// Options with which an instance of the project is opened.
    pub options: Overrides,
}

/// Files as they were read for an update.
pub enum FilesRead {
    /// The differences.
    Compared(Box<Update>),
    /// Only a person knows what the columns mean or what to do with lines that cannot be used.
    Unclear {
        /// Sheets of the files, with guessed meanings.
        sheets: Vec<Mapped>,
        /// Sentence without a full stop that says what is unclear.
        why: String,
    },
}

/// Compares data that were read for a request with the present ones.
pub fn compared(problem: &ProblemDescriptor, present: &Arc<Dataset>, request: &Request, outcome: &Outcome) -> Update {
    let fresh = FreshData::of_sheets(problem.tables, request, outcome.data.clone());
    let mut update = Update::of(problem.tables, present, fresh, problem.normal_data);
    update.readings = readings(problem, request);
    update
}

/// How the sheets of a request are read; excerpts say nothing about whole tables.
pub fn readings(problem: &ProblemDescriptor, request: &Request) -> Vec<SheetReading> {
    let whole = request.sheets.iter().filter(|mapped| mapped.remarks_column(problem.tables).is_none());
    whole.map(|mapped| SheetReading::of(mapped, problem.tables)).collect()
}

/// Reads files as a fresh version of the present data: as tables if their columns are known or say what they hold, otherwise as an
/// instance.
///
/// # Errors
/// Faults of the first file that is neither.
pub fn read_files(problem: &ProblemDescriptor, present: &Present, files: &[PathBuf]) -> Result<FilesRead> {
    let read = |file: &PathBuf| read_as_before(file, problem.tables, &present.known);
    // A file that is no table, such as a picture of a matrix, may still be an instance.
    let sheets: Vec<(Mapped, bool)> = files.iter().filter_map(|file| read(file).ok()).flatten().collect();
    let is_table =
        |file: &PathBuf| sheets.iter().any(|(mapped, _)| mapped.sheet.path() == file && mapped.mapping.table.is_some());
    let are_tables = files.iter().all(is_table);
    let unknown = sheets.iter().find(|(_, is_clear)| !is_clear);
    let unknown = unknown.map(|(mapped, _)| {
        format!("{} has other columns than the files of before; say what they hold", quoted(mapped.sheet.name()))
    });
    let sheets: Vec<Mapped> = sheets.into_iter().map(|(mapped, _)| mapped).collect();
    let is_empty = |mapped: &&Mapped| {
        let first = mapped.mapping.header.map_or(0, |header| header + 1);
        mapped.mapping.table.is_some() && mapped.sheet.len() <= first
    };
    if let Some(mapped) = sheets.iter().find(is_empty) {
        let what = "it has no line below the names of its columns, and would remove everything; export it again";
        return Err(Error::file(mapped.sheet.path(), what));
    }
    let mut why = unknown;
    if are_tables && why.is_none() {
        let request = request(problem.tables, &present.data, sheets.clone());
        let outcome = import::run(problem.tables, &request);
        match outcome.obstacle {
            None => {
                let mut update = compared(problem, &present.data, &request, &outcome);
                if update.readings.is_empty() {
                    update.readings.clone_from(&present.known);
                }
                return Ok(FilesRead::Compared(Box::new(update)));
            }
            Some(ref obstacle) => why = Some(format!("{obstacle}{}", told(&request, &outcome))),
        }
    }
    match instance_of(problem, present, files, sheets.is_empty()) {
        Ok(data) => {
            let fresh = FreshData::of_instance(problem.tables, &present.data, data);
            let mut update = Update::of(problem.tables, &present.data, fresh, problem.normal_data);
            update.readings.clone_from(&present.known);
            Ok(FilesRead::Compared(Box::new(update)))
        }
        Err(_) if are_tables || why.is_some() && !sheets.is_empty() => {
            let why = why.unwrap_or_else(|| "say what the columns hold".to_owned());
            Ok(FilesRead::Unclear { sheets, why })
        }
        Err(error) => Err(error),
    }
}

/// The first losses of an import with their places, each behind a semicolon.
fn told(request: &Request, outcome: &Outcome) -> String {
    const TOLD: usize = 3;
    let losses = outcome.problems.iter().filter(|problem| problem.effect.is_loss());
    losses.take(TOLD).map(|problem| format!("; {}", import::problem_line(request, problem))).collect()
}

/// The data of the instance that the files hold together: the one whose reader takes one of them, with the others beside it. Files
/// that were not named are read only where `reads_others`, such as the list of courses beside one of students.
fn instance_of(
    problem: &ProblemDescriptor, present: &Present, files: &[PathBuf], reads_others: bool,
) -> Result<Dataset> {
    let open = |file: &Path| {
        let source = crate::source::of(file);
        let source = source.ok_or_else(|| Error::file(file, "its name is not Unicode; rename it"))?;
        (problem.read_data)(&source, &present.options)
    };
    let mut first = None;
    for file in files {
        match open(file) {
            Ok(data) => {
                let known = crate::source::of(file).map(|source| crate::registry::input_files(&source));
                let is_read = |other: &Path| known.iter().flatten().any(|known| crate::files::is_same(known, other));
                let is_named = |other: &PathBuf| files.iter().any(|file| crate::files::is_same(file, other));
                if let Some(other) = known.iter().flatten().find(|other| !reads_others && !is_named(other)) {
                    let what = format!("{} would be read with it; name both, or a table alone", file_name(other));
                    return Err(Error::file(file, what));
                }
                if let Some(other) = files.iter().find(|other| *other != file && !is_read(other)) {
                    let what = format!("{} does not read it; update from one of them at a time", file_name(file));
                    return Err(Error::file(other, what));
                }
                return Ok(data);
            }
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| Error::Usage("name the files of the fresh data".to_owned())))
}
