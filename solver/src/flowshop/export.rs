//! Export of a schedule as files for people and for other programs.
//!
//! Only checked schedules are written: an incomplete order, or times that do not follow from the order, are refused.

mod document;
mod spreadsheet;

use std::path::Path;

use super::check::{Operation, check, check_operations};
use super::drawing::{self, GanttRows};
use super::formats::solution;
use super::multiobjective::stored;
use super::{Instance, Schedule};
use crate::result::StoredFront;
use crate::scene::{png, svg::to_svg};
use crate::{Error, Result, files};

/// Export formats: file ending and description.
pub const FORMATS: [(&str, &str); 7] = [
    ("csv", "Table of operations: job, machine, start, end"),
    ("xlsx", "Workbook by job, by machine and a summary, for Excel and LibreOffice"),
    ("ron", "Schedule with its order and all operations, to be opened again"),
    ("sol", "Order of the jobs, one name a line"),
    ("pdf", "Gantt chart to print: the whole on one sheet, then part by part where it is long"),
    ("svg", "Gantt chart as a drawing"),
    ("png", "Gantt chart as a picture"),
];

/// Export format of a front: file ending and description.
pub const FRONT: (&str, &str) = ("front.csv", "Table of a front: the values and the order of every member");

/// Writes the table of a front atomically: an existing file is replaced only by a complete new one.
///
/// # Errors
/// [`Error::Usage`] if a member does not pass the checker, before anything is written; [`Error::File`] if the file
/// cannot be written.
pub fn write_front(instance: &Instance, front: &StoredFront, path: &Path) -> Result<()> {
    if let Some(violation) = stored::judge(instance, front)?.violations.first() {
        let name = &instance.name;
        return Err(Error::Usage(format!(
            "the front does not fit {name}: {}; solve the instance again",
            violation.text
        )));
    }
    files::write(path, stored::table(front).as_bytes())
}

/// Pixels per point of exported pictures; reduced for very large ones.
const PICTURE_SCALE: f32 = 2.0;

/// Options of an export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Meaning of the rows of a chart.
    pub rows: GanttRows,
}

/// Export format by a file's ending; `None` for unknown endings.
pub fn format_of(path: &Path) -> Option<&'static str> {
    files::known_ending(path, FORMATS.iter().map(|format| format.0))
}

/// Writes a schedule atomically in the format that the file's ending names.
///
/// # Errors
/// [`Error::Usage`] if the ending is unknown or the schedule does not fit the instance, before anything is written;
/// [`Error::File`] if the file cannot be written.
pub fn write(instance: &Instance, schedule: &Schedule, path: &Path) -> Result<()> {
    write_with(instance, schedule, path, &ExportOptions::default())
}

/// Writes a schedule like [`write()`], with options.
///
/// # Errors
/// See [`write()`].
pub fn write_with(instance: &Instance, schedule: &Schedule, path: &Path, options: &ExportOptions) -> Result<()> {
    let ending = format_of(path).map_or_else(|| crate::text::ending(path), str::to_owned);
    files::write(path, &bytes_with(instance, schedule, &ending, options)?)
}

/// Content of the file that [`write()`] writes.
///
/// # Errors
/// [`Error::Usage`], see [`write()`].
pub fn bytes(instance: &Instance, schedule: &Schedule, ending: &str) -> Result<Vec<u8>> {
    bytes_with(instance, schedule, ending, &ExportOptions::default())
}

/// Content of the file that [`write_with`] writes.
///
/// # Errors
/// [`Error::Usage`], see [`write()`].
pub fn bytes_with(instance: &Instance, schedule: &Schedule, ending: &str, options: &ExportOptions) -> Result<Vec<u8>> {
    let operations = checked(instance, schedule)?;
    let options = drawing::GanttOptions { rows: options.rows, ..drawing::GanttOptions::default() };
    let text = match ending {
        "pdf" => return document::document(instance, schedule, &options),
        "xlsx" => return spreadsheet::workbook(instance, schedule),
        "png" => {
            let scene = drawing::gantt(instance, schedule, &options);
            return png::to_png(&scene, png::largest_scale(&scene, PICTURE_SCALE));
        }
        "svg" => to_svg(&drawing::gantt(instance, schedule, &options)),
        "csv" => solution::write_table(instance, &operations),
        "ron" => solution::write_ron(instance, schedule, &operations)?,
        "sol" => solution::write_order(instance, &schedule.order),
        other => {
            let known: Vec<String> = FORMATS.iter().map(|(ending, _)| format!(".{ending}")).collect();
            let what =
                format!("schedules are not written as .{}; choose one of {}", other.escape_debug(), known.join(", "));
            return Err(Error::Usage(what));
        }
    };
    Ok(text.into_bytes())
}

/// Operations of a schedule, position by position, if the checker finds no violation.
fn checked(instance: &Instance, schedule: &Schedule) -> Result<Vec<Operation>> {
    let refused = |why: &str| {
        Error::Usage(format!("the schedule does not fit {}: {why}; solve the instance again", instance.name))
    };
    let verdict = check(instance, &schedule.order);
    if let Some(violation) = verdict.violations.first() {
        return Err(refused(&violation.text));
    }
    if schedule.completions.len() != instance.times.len() {
        return Err(refused("it has another number of machines"));
    }
    let operations: Vec<Operation> = (0..schedule.order.len())
        .flat_map(|position| (0..instance.machine_count()).map(move |machine| (position, machine)))
        .map(|(position, machine)| Operation {
            job: schedule.order[position],
            machine: machine as u16,
            start: schedule.start(position, machine),
            end: schedule.completion(position, machine),
        })
        .collect();
    let stated = check_operations(instance, &operations);
    match stated.violations.first() {
        Some(violation) => Err(refused(&violation.text)),
        None if stated != verdict => Err(refused("its times do not follow from its order")),
        None => Ok(operations),
    }
}

#[cfg(test)]
mod tests;
