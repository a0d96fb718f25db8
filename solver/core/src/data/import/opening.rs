//! Opening of a file of tables whose columns say by their names what they hold, without a person.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{BadLines, Mapped, Mapping, Problem, Request, Sheet, UnknownNames, run};
use crate::data::{self, Dataset, Tables};
use crate::text::lines::{counted, quoted};
use crate::text::stem;
use crate::{Error, Result};

/// Largest number of remarks about lines that become warnings of an instance; further ones are counted.
const MOST_REMARKS: usize = 20;

/// Remedy for tables that only a person can assign.
const REMEDY: &str = "open the file in the window, where the import asks what the columns mean and what to leave out";

/// Reads the sheets of a file; those that a table of `T` resembles are assigned to it.
///
/// # Errors
/// As [`Sheet::read`].
fn mapped<T: Tables>(path: &Path) -> Result<Vec<Mapped>> {
    let assigned = |sheet: Sheet| Mapped { mapping: Mapping::guess(&sheet, T::TABLES), sheet: Arc::new(sheet) };
    Ok(Sheet::read(path, T::TABLES, None, None)?.into_iter().map(assigned).collect())
}

/// Returns `true` if a sheet of the file has the columns of a table without which `T` cannot be.
pub fn has_required_table<T: Tables>(path: &Path) -> bool {
    let is_required = |sheet: &Mapped| sheet.mapping.table.is_some_and(|table| T::TABLES[table].is_required);
    mapped::<T>(path).is_ok_and(|sheets| sheets.iter().any(is_required))
}

/// Opens a file of tables, such as a workbook. Lines that repeat others, and sheets that are not used, become warnings, which
/// are returned beside the instance.
///
/// # Errors
/// [`Error::Lines`] for lines and values that cannot be used; [`Error::File`] if a table or a column is missing, or the tables
/// make no instance.
pub fn open_tables<T: Tables>(path: &Path) -> Result<(T, Vec<String>)> {
    let Opened { instance, unused, mut warnings } = open_tables_and_leave(path)?;
    warnings.splice(0..0, unused.iter().map(|sheet| not_used(sheet)));
    Ok((instance, warnings))
}

/// Instance of a file of tables, with the sheets that resemble no table.
#[derive(Debug)]
pub struct Opened<T> {
    /// The instance.
    pub instance: T,
    /// Sheets that resemble no table.
    pub unused: Vec<Arc<Sheet>>,
    /// Lines that repeat others, and columns that are not used.
    pub warnings: Vec<String>,
}

/// Opens a file of tables as [`open_tables`], and leaves the sheets that resemble no table to the caller.
///
/// # Errors
/// As [`open_tables`].
pub fn open_tables_and_leave<T: Tables>(path: &Path) -> Result<Opened<T>> {
    opened(path, mapped::<T>(path)?, T::empty_data(&stem(path)))
}

/// Warning about a sheet that is not used.
pub fn not_used(sheet: &Sheet) -> String {
    format!("the sheet {} is not used", quoted(sheet.name()))
}

/// Opens the instance of `base` with the tables of further files in place of its own; each file has the identifiers of the
/// tables that it may hold. Only columns with exactly a known name are used. Warnings are those of [`open_tables`], but none
/// about tables that the base has already.
///
/// # Errors
/// As [`open_tables`].
pub fn open_beside<T: Tables>(path: &Path, base: Dataset, files: &[(PathBuf, &[&str])]) -> Result<(T, Vec<String>)> {
    let mut sheets = Vec::new();
    for (file, tables) in files {
        for sheet in Sheet::read(file, T::TABLES, None, None)? {
            let among = (0..T::TABLES.len()).filter(|&table| tables.contains(&T::TABLES[table].id));
            let mappings = among.map(|table| Mapping::guess_for(&sheet, T::TABLES, table));
            let best =
                mappings.reduce(|best, next| if next.score(T::TABLES) > best.score(T::TABLES) { next } else { best });
            let mapping = best.map(|mapping| mapping.exact(&sheet, T::TABLES));
            sheets.extend(mapping.map(|mapping| Mapped { mapping, sheet: Arc::new(sheet) }));
        }
    }
    let Opened { instance, unused, mut warnings } = opened(path, sheets, base)?;
    warnings.splice(0..0, unused.iter().map(|sheet| not_used(sheet)));
    Ok((instance, warnings))
}

/// Path for messages: that of a text file, or that of a workbook with the name of the sheet.
fn place(mapped: &Mapped) -> PathBuf {
    let path = mapped.sheet.path();
    if mapped.sheet.encoding().is_some() {
        return path.to_path_buf();
    }
    PathBuf::from(format!("{}:{}", path.display(), mapped.sheet.name()))
}

/// Opens the instance of sheets and base.
fn opened<T: Tables>(path: &Path, sheets: Vec<Mapped>, base: Dataset) -> Result<Opened<T>> {
    let known: Vec<bool> = base.tables.iter().map(|table| !table.rows.is_empty()).collect();
    let (bad_lines, unknown) = (BadLines::Stop, UnknownNames::AreWrong.into());
    let request = Request { name: base.name.clone(), sheets, base, bad_lines, unknown };
    let outcome = run(T::TABLES, &request);
    let wrong: Vec<Error> = outcome
        .problems
        .iter()
        .filter(|problem| problem.effect.is_loss())
        .filter_map(|problem| {
            Some(Error::line(&place(request.sheets.get(problem.sheet)?), problem.line, &problem.what))
        })
        .collect();
    if !wrong.is_empty() {
        return Err(Error::Lines(wrong));
    }
    if let Some(obstacle) = &outcome.obstacle {
        return Err(Error::file(path, format!("{obstacle}; {REMEDY}")));
    }
    let instance = data::open::<T>(&outcome.data).map_err(|error| Error::file(path, format!("{error}; {REMEDY}")))?;
    let unused = request.sheets.iter().filter(|mapped| mapped.mapping.table.is_none());
    let unused = unused.map(|mapped| Arc::clone(&mapped.sheet)).collect();
    let mut warnings = Vec::new();
    let is_new = |mapped: &Mapped| mapped.mapping.table.is_some_and(|table| !known[table]);
    for mapped in request.sheets.iter().filter(|mapped| is_new(mapped)) {
        let columns = mapped.unused_columns(T::TABLES);
        if !columns.is_empty() {
            let sheet = quoted(mapped.sheet.name());
            warnings.push(format!("columns of the sheet {sheet} that are not used: {}", columns.join(", ")));
        }
    }
    let is_remark = |problem: &&Problem| request.sheets.get(problem.sheet).is_some_and(is_new);
    let remarks = outcome.problems.iter().filter(is_remark);
    let total = outcome.more_problems + remarks.clone().count();
    warnings.extend(remarks.take(MOST_REMARKS).map(|problem| super::problem_line(&request, problem)));
    if total > MOST_REMARKS {
        warnings.push(format!("{} more", counted(total - MOST_REMARKS, "remark")));
    }
    Ok(Opened { instance, unused, warnings })
}
