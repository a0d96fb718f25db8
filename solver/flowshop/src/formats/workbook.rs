//! Sheets of workbooks that hold a table of jobs, and set-ups in a sheet of their own.

use std::path::{Path, PathBuf};

use super::{LoadOptions, csv, parse, setups};
use crate::Instance;
use gridwright_core::text::lines::{file_name, listed};
use gridwright_core::text::sheets::sheets;
use gridwright_core::text::{Source, stem};
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
    sheets.retain(|(path, text)| csv::has_header(Source { path, text }));
    Ok(sheets)
}

/// Loads the only sheet of jobs, or the one whose number among them the options state, with the set-ups of another sheet.
///
/// # Errors
/// [`Error::File`] if there is none, or several without a number; otherwise as [`parse`] and [`setups::read`].
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
    let mut instance = parse(Source { path: sheet, text }, &LoadOptions { number: None, ..*options })?;
    let of_setups: Vec<_> = sheets(path, &bytes)?.into_iter().filter(|(_, text)| setups::begins(text)).collect();
    match of_setups.as_slice() {
        [] => {}
        [(sheet, text)] => {
            setups::read(Source { path: sheet, text }, &mut instance)?;
            instance = instance.validated()?;
        }
        [_, (second, _), ..] => {
            let what = format!("{} is a second sheet of set-ups; keep one only", file_name(second));
            return Err(Error::file(path, what));
        }
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
