//! A timetable as files for people and other programs.
//!
//! Whatever is written has passed the checker: a timetable that does not fit its instance is refused, and one with
//! clashes or without a period for every exam carries a mark that says so wherever a person would look.

mod calendar;
mod document;
mod spreadsheet;

use std::path::Path;

use chrono::{DateTime, Utc};

use super::check::{self, Verdict};
use super::counts;
use super::drawing::{GridOptions, timetable_grid};
use super::formats::solution::write_solution;
use super::{Instance, Period, Timetable};
use crate::scene::{png, svg::to_svg};
use crate::{Error, Result, files};

/// What can be exported: the ending of the file and what it holds.
pub const FORMATS: [(&str, &str); 7] = [
    ("csv", "Table of exams with their periods, for any program"),
    ("xlsx", "Workbook by exam, by period and by student, for Excel and LibreOffice"),
    ("ics", "Calendar with one event per exam; the periods need dates"),
    ("pdf", "Document to print: overview and a list per period"),
    ("svg", "Grid of exams and periods as a drawing"),
    ("png", "Grid of exams and periods as a picture"),
    ("sol", "Solution file: exam and period, counted from 0"),
];

/// Pixels per point of exported pictures, where they do not become too large.
const PICTURE_SCALE: f32 = 2.0;

/// Writes a timetable in the format that the file's ending names. A file that was there is replaced only when the new
/// one is complete.
///
/// # Errors
/// [`Error::Usage`] where the ending is unknown, the timetable does not fit the instance or the format needs dates that
/// are not there: then nothing is written. [`Error::File`] where the file cannot be written.
pub fn export(instance: &Instance, timetable: &Timetable, path: &Path) -> Result<()> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    files::write(path, &export_bytes(instance, timetable, &ending)?)
}

/// What [`export`] writes.
///
/// # Errors
/// [`Error::Usage`] as for [`export`].
pub fn export_bytes(instance: &Instance, timetable: &Timetable, ending: &str) -> Result<Vec<u8>> {
    export_bytes_at(instance, timetable, ending, Utc::now())
}

/// As [`export_bytes`], with the time that calendars and workbooks carry as their own: the same time gives the same bytes.
///
/// # Errors
/// [`Error::Usage`] as for [`export`].
pub fn export_bytes_at(
    instance: &Instance,
    timetable: &Timetable,
    ending: &str,
    now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    if !FORMATS.iter().any(|format| format.0 == ending) {
        let known: Vec<String> = FORMATS.iter().map(|(ending, what)| format!("  .{ending}  {what}")).collect();
        let what =
            if ending.is_empty() { "a file name without an ending".to_owned() } else { format!("“.{ending}”") };
        return Err(Error::Usage(format!("{what} cannot be exported to; use one of\n{}", known.join("\n"))));
    }
    let verdict = checked(instance, timetable)?;
    match ending {
        "csv" => table(instance, timetable),
        "xlsx" => spreadsheet::workbook(instance, timetable, &verdict, now),
        "ics" => calendar::calendar(instance, timetable, now).map(String::into_bytes),
        "pdf" => document::document(instance, timetable),
        "svg" => Ok(to_svg(&timetable_grid(instance, timetable, &GridOptions::default())).into_bytes()),
        "png" => {
            let scene = timetable_grid(instance, timetable, &GridOptions::default());
            png::to_png(&scene, png::largest_scale(&scene, PICTURE_SCALE))
        }
        _ => Ok(write_solution(instance, timetable).into_bytes()),
    }
}

/// The checker's verdict, where the timetable belongs to the instance at all.
fn checked(instance: &Instance, timetable: &Timetable) -> Result<Verdict> {
    let verdict = check::check(instance, timetable);
    let misfit = |kind: &str| kind == "length" || kind == "period";
    match verdict.violations.iter().find(|violation| misfit(&violation.kind)) {
        None => Ok(verdict),
        Some(violation) => Err(Error::Usage(format!(
            "the timetable does not belong to {}: {}; choose the instance that it was made for",
            instance.name, violation.text
        ))),
    }
}

/// The comma-separated table: one line per exam, periods counted from 1, dates as ISO 8601; empty where not known.
fn table(instance: &Instance, timetable: &Timetable) -> Result<Vec<u8>> {
    let failed = |error: &dyn std::fmt::Display| Error::Usage(format!("the table could not be written ({error})"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["code", "title", "enrolment", "period", "date", "start", "end"]).map_err(|e| failed(&e))?;
    for (exam, data) in instance.exams.iter().enumerate() {
        let placed = counts::placed(instance, timetable, exam);
        let none = Period::default();
        let period = placed.and_then(|period| instance.periods.get(period)).unwrap_or(&none);
        let record = [
            data.code.clone(),
            data.title.clone(),
            data.enrolment.to_string(),
            placed.map(|period| (period + 1).to_string()).unwrap_or_default(),
            period.date.map(|date| date.to_string()).unwrap_or_default(),
            period.start.map(|time| time.format("%H:%M").to_string()).unwrap_or_default(),
            period.end.map(|time| time.format("%H:%M").to_string()).unwrap_or_default(),
        ];
        writer.write_record(&record).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))
}

#[cfg(test)]
mod tests;
