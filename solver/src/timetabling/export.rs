//! A timetable as files for people and other programs.
//!
//! Whatever is written has passed the checker: a timetable that does not fit its instance is refused, and one with
//! clashes or without a period for every exam carries a mark that says so wherever a person would look.

mod calendar;
mod document;
mod spreadsheet;
mod tables;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use chrono::{DateTime, Utc};

use super::drawing::{GridOptions, Sort, grid_of, timetable_grid};
use super::formats::solution::write_solution;
use super::report::{self, Background};
use super::{Instance, Timetable, check};
use crate::scene::{Scene, png, svg::to_svg};
use crate::{Error, Result, files};

/// What can be exported: the ending of the file and what it holds. An ending of two parts says by what a table goes:
/// `plan.students.csv` or just `students.csv`.
pub const FORMATS: [(&str, &str); 11] = [
    ("csv", "Table of exams with their periods, for any program"),
    ("periods.csv", "Table of periods with their exams, in the order of the session"),
    ("students.csv", "Table of students with their exams, in the order of the session"),
    ("xlsx", "Workbook by exam, by period and by student, for Excel and LibreOffice"),
    ("ics", "Calendar with one event per exam; the periods need dates"),
    ("students.zip", "Calendars of all students, one file each; the periods need dates"),
    ("pdf", "Document to print: overview, then a page per day with a list per period"),
    ("report.pdf", "Report to print: figures, load, run, check; with another timetable also what moved"),
    ("svg", "Grid of exams and periods as a drawing"),
    ("png", "Grid of exams and periods as a picture"),
    ("sol", "Solution file: exam and period, counted from 0"),
];

/// Pixels per point of exported pictures, where they do not become too large.
const PICTURE_SCALE: f32 = 2.0;

/// What an export may take into account beyond the instance and the timetable.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wishes<'a> {
    /// Where the timetable is from and what it is compared with: for the report.
    pub background: Background<'a>,
    /// The code of the one student whose calendar is wanted; `None`: the calendar of the whole session.
    pub student: Option<&'a str>,
    /// The rows of a picture of the grid; `None`: all exams, most conflicts first.
    pub rows: Option<Rows<'a>>,
}

/// Which exams a picture of the grid shows.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// The exams from the top.
    pub exams: &'a [usize],
    /// By what they are sorted.
    pub sort: Sort,
}

/// Whether a table lies here that no export has written: perhaps the very one that an instance was made from.
///
/// Only the ending `.csv` is looked at: instances come from no other file that is exported to.
pub fn is_foreign_table(path: &Path) -> bool {
    /// More than the longest head has.
    const HEAD: u64 = 400;
    let table = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let Some(file) = std::fs::File::open(path).ok().filter(|_| table && path.is_file()) else { return false };
    let mut line = Vec::new();
    // What cannot be read is no table that anything was made from; writing will say what is wrong with it.
    let read = BufReader::new(file.take(HEAD)).read_until(b'\n', &mut line);
    read.is_ok() && !tables::is_head(String::from_utf8_lossy(&line).trim_start_matches('\u{feff}'))
}

/// The format of a file by its ending, the longest one that fits; `None` where it has none that is known.
pub fn format_of(path: &Path) -> Option<&'static str> {
    files::known_ending(path, FORMATS.iter().map(|format| format.0))
}

/// Whether a format can only be written where all periods that are used have dates.
pub fn needs_dates(ending: &str) -> bool {
    matches!(ending, "ics" | "students.zip")
}

/// Writes a timetable in the format that the file's ending names. A file that was there is replaced only when the new
/// one is complete.
///
/// # Errors
/// [`Error::Usage`] where the ending is unknown, the timetable does not fit the instance or the format needs dates that
/// are not there: then nothing is written. [`Error::File`] where the file cannot be written.
pub fn export(instance: &Instance, timetable: &Timetable, path: &Path) -> Result<()> {
    export_with(instance, timetable, path, &Wishes::default())
}

/// As [`export`], with more to take into account.
///
/// # Errors
/// As for [`export`], and where no student has the code that is asked for.
pub fn export_with(instance: &Instance, timetable: &Timetable, path: &Path, wishes: &Wishes<'_>) -> Result<()> {
    let ending = format_of(path).map_or_else(
        || path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default(),
        str::to_owned,
    );
    files::write(path, &export_bytes_with(instance, timetable, &ending, wishes, Utc::now())?)
}

/// What [`export`] writes.
///
/// # Errors
/// [`Error::Usage`] as for [`export`].
pub fn export_bytes(instance: &Instance, timetable: &Timetable, ending: &str) -> Result<Vec<u8>> {
    export_bytes_with(instance, timetable, ending, &Wishes::default(), Utc::now())
}

/// As [`export_with`] into memory, with the time that calendars, workbooks and reports carry as their own: the same time
/// gives the same bytes.
///
/// # Errors
/// [`Error::Usage`] as for [`export_with`].
pub fn export_bytes_with(
    instance: &Instance,
    timetable: &Timetable,
    ending: &str,
    wishes: &Wishes<'_>,
    now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    if !FORMATS.iter().any(|format| format.0 == ending) {
        let known: Vec<String> = FORMATS.iter().map(|(ending, what)| format!("  .{ending}  {what}")).collect();
        let what =
            if ending.is_empty() { "a file name without an ending".to_owned() } else { format!("“.{ending}”") };
        return Err(Error::Usage(format!("{what} cannot be exported to; use one of\n{}", known.join("\n"))));
    }
    let verdict = check::belongs(instance, timetable)?;
    if wishes.student.is_some() && ending != "ics" {
        return Err(Error::Usage(format!("one student alone has a calendar (.ics), and no “.{ending}”")));
    }
    match ending {
        "csv" => tables::by_exam(instance, timetable),
        "periods.csv" => tables::by_period(instance, timetable),
        "students.csv" => tables::by_student(instance, timetable),
        "xlsx" => spreadsheet::workbook(instance, timetable, &verdict, now),
        "ics" => match wishes.student {
            None => calendar::session(instance, timetable, now).map(String::into_bytes),
            Some(code) => calendar::of_student(instance, timetable, code, now).map(String::into_bytes),
        },
        "students.zip" => calendar::of_all_students(instance, timetable, now),
        "pdf" => document::document(instance, timetable),
        "report.pdf" => report::report(instance, timetable, &verdict, &wishes.background, now),
        "svg" => Ok(to_svg(&grid(instance, timetable, wishes)).into_bytes()),
        "png" => {
            let scene = grid(instance, timetable, wishes);
            png::to_png(&scene, png::largest_scale(&scene, PICTURE_SCALE))
        }
        _ => Ok(write_solution(instance, timetable).into_bytes()),
    }
}

/// The grid with the rows that are wished for.
fn grid(instance: &Instance, timetable: &Timetable, wishes: &Wishes<'_>) -> Scene {
    let Some(rows) = wishes.rows else { return timetable_grid(instance, timetable, &GridOptions::default()) };
    grid_of(instance, timetable, rows.exams, &GridOptions { sort: rows.sort, ..GridOptions::default() })
}

#[cfg(test)]
mod tests;
