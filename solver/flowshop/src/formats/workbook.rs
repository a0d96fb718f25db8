//! Sheets of workbooks that hold a table of jobs, and set-ups, working times and the like in sheets of their own.

use std::path::{Path, PathBuf};

use super::{LoadOptions, by_jobs, csv, finished, parse, sections};
use crate::Instance;
use gridwright_core::text::lines::{file_name, listed};
use gridwright_core::text::sheets::sheets;
use gridwright_core::text::{Source, about_file, stem};
use gridwright_core::{Error, Result, files};

/// Days since 1900 from the year 2000 to 2099, as workbooks store dates.
const DATES: std::ops::Range<u32> = 36_526..73_051;

/// Returns `true` if the file is a workbook with a sheet of jobs.
pub(super) fn has_jobs(path: &Path) -> bool {
    files::read(path).and_then(|bytes| tables(path, &bytes)).is_ok_and(|tables| !tables.is_empty())
}

/// The sheets that begin with the header of a table of jobs.
fn tables(path: &Path, bytes: &[u8]) -> Result<Vec<(PathBuf, String)>> {
    let mut sheets = sheets(path, bytes)?;
    sheets.retain(|(path, text)| sections::kind(text).is_none() && csv::has_header(Source { path, text }));
    Ok(sheets)
}

/// Loads the only sheet of jobs, or the one whose number among them the options state, with the further tables of other sheets.
///
/// # Errors
/// [`Error::File`] if there is none, or several without a number; otherwise as [`parse`] and [`sections::read`].
pub(super) fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let bytes = files::read(path)?;
    let tables = tables(path, &bytes)?;
    let number = options.number.unwrap_or(1);
    let (sheet, text) = match (tables.get(number.wrapping_sub(1)), tables.as_slice()) {
        (_, []) => {
            let what = "no sheet of the workbook begins with a column «job» and columns of machines; name the columns in the \
                        first line of the sheet";
            return Err(Error::file(path, what));
        }
        (Some(sheet), _) if options.number.is_some() || tables.len() == 1 => sheet,
        (_, several) => {
            let names: Vec<String> = several.iter().map(|(sheet, _)| file_name(sheet)).collect();
            let what = format!(
                "the number of sheets with jobs is {}: {}; choose one with its number, or keep one only",
                several.len(),
                listed(&names)
            );
            return Err(Error::file(path, what));
        }
    };
    let sheets = sheets(path, &bytes)?;
    let further = sheets.iter().filter_map(|(path, text)| Some((sections::kind(text)?, Source { path, text })));
    let further: Vec<_> = further.collect();
    let source = Source { path: sheet, text };
    let mut instance = match sections::plan_start(&further)? {
        Some(_) if options.plan_start.is_some() => {
            let what = "the workbook states the start of the plan; leave --plan-start out";
            return Err(Error::file(path, what));
        }
        Some(start) => {
            by_jobs(source, &LoadOptions { number: None, ..*options })?;
            finished(source, csv::parse_from(source, Some(start))?)?
        }
        None => parse(source, &LoadOptions { number: None, ..*options })?,
    };
    if !further.is_empty() {
        sections::read(further, &mut instance)?;
        let name = stem(path);
        instance = instance.validated().map_err(about_file(path, &name))?;
    }
    instance.name = stem(path);
    instance.hash = files::hash(&[&bytes]);
    let due = || instance.jobs.iter().filter_map(|job| job.due);
    if due().next().is_some() && due().all(|due| DATES.contains(&due)) {
        let what = "the due dates look like dates of a calendar, which are counted in days since 1900 here; write them as numbers \
                    in the unit of the processing times";
        instance.warnings.push(what.to_owned());
    }
    Ok(instance)
}
