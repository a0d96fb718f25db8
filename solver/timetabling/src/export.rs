//! Export of a timetable to files for people and other programs.
//!
//! Every export is checked first: a timetable that does not fit its instance is refused, and one that violates something
//! carries a visible stamp.

mod boards;
mod calendar;
mod changes;
mod check_sheets;
mod document;
mod duties;
mod duty_calendar;
mod duty_lists;
pub(crate) mod heads;
mod history;
mod lists;
mod page;
mod sheets;
mod spreadsheet;
mod tables;

use std::path::Path;

use chrono::{DateTime, Utc};
use rayon::prelude::*;

use self::heads::is_exported;
pub(crate) use self::spreadsheet::EXAM_SHEET;
use super::check::ViolationKind;
use super::drawing::{GridOptions, Sort, grid_of, timetable_grid};
use super::formats::solution::write_solution;
use super::invigilators::Duty;
use super::report::{self, Background};
use super::{Instance, TimeZone, Timetable, check, words};
use gridwright_core::export::archive::{self, Archive};
use gridwright_core::export::stamp::{Stamp, stamped};
use gridwright_core::export::{Format, Writing, picture, write};
use gridwright_core::files;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::planning::MissingData;
use gridwright_core::scene::Scene;
use gridwright_core::text::ending;
use gridwright_core::text::language::Language;
use gridwright_core::{Error, Result};

/// All formats, the commonest first.
pub const FORMATS: [Format; 29] = [
    Format { name: "Excel workbook", ending: "xlsx", help: "By exam, period, student; confidential" },
    Format { name: "CSV table", ending: "csv", help: "One line per exam; confidential" },
    Format { name: "CSV by period", ending: "periods.csv", help: "In the order of the session; confidential" },
    Format { name: "CSV by student", ending: "students.csv", help: "One line per student and exam; confidential" },
    Format { name: "CSV by room", ending: SEATING, help: "Rooms by period; needs rooms; confidential" },
    Format { name: "Calendar", ending: "ics", help: "One event per exam; the periods need dates" },
    Format { name: "Calendars of students", ending: "students.zip", help: "One each; needs dates; confidential" },
    Format { name: "Notice board", ending: "pdf", help: "Overview and a page per day; tells no extra time" },
    Format { name: "Notice board by programme", ending: "programmes.pdf", help: "A page each; tells no extra time" },
    Format { name: "Notice board by examiner", ending: "examiners.pdf", help: "A table each; tells no extra time" },
    Format {
        name: "Page for students",
        ending: PAGE,
        help: "One file for the web; opens a student's own exams by the number",
    },
    Format { name: "Sheets for doors", ending: "doors.pdf", help: "A page per room and day; needs rooms" },
    Format { name: "Registers", ending: "registers.pdf", help: "Students of each room, to sign; confidential" },
    Format { name: "Seat plans", ending: "seats.pdf", help: "Who sits on which seat; rooms need plans; confidential" },
    Format { name: "Packing lists", ending: "packing.pdf", help: "Papers and extra time per room; confidential" },
    Format { name: "Duties", ending: "duties.xlsx", help: "By room, by invigilator and loads; confidential" },
    Format { name: "Duties as CSV", ending: "duties.csv", help: "One line per duty, to change; confidential" },
    Format { name: "Own duties", ending: "duties.pdf", help: "A page per invigilator; confidential" },
    Format {
        name: "Rooms with invigilators",
        ending: "invigilators.pdf",
        help: "By day, for the office; confidential",
    },
    Format { name: "Calendars of invigilators", ending: "duties.zip", help: "One each; needs dates; confidential" },
    Format { name: "PDF report", ending: "report.pdf", help: "Figures, load, check, to keep beside the plan" },
    Format { name: "SVG picture", ending: "svg", help: "The grid, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The grid as pixels" },
    Format { name: "Changes", ending: CHANGES, help: "Who is affected since publication; confidential" },
    Format { name: "Changes as PDF", ending: "changes.pdf", help: "By group, then letters; confidential" },
    Format { name: "Changes as workbook", ending: "changes.xlsx", help: "A sheet by group, without extra time" },
    Format {
        name: "Check sheets",
        ending: "check-sheets.zip",
        help: "A workbook per department, to correct and read again",
    },
    Format { name: "Solution file", ending: "sol", help: "Exam and period, counted from 0, as the literature has it" },
    Format { name: "All documents", ending: ALL, help: "Every other format, public and confidential apart" },
];

/// File extension of the table of rooms by period.
pub(crate) const SEATING: &str = "seating.csv";

/// File extension of the table of changes since the published version.
const CHANGES: &str = "changes.csv";

/// File extension of the page for students.
const PAGE: &str = "page.html";

/// File extension of the archive of all documents.
const ALL: &str = "documents.zip";

/// Formats in the archive of all documents that everyone may read; the others tell extra time or who is affected.
const PUBLIC: [&str; 8] = ["pdf", "programmes.pdf", "examiners.pdf", "doors.pdf", "ics", PAGE, "svg", "png"];

/// Kinds of violations that documents for everyone count and do not describe.
const CONFIDENTIAL: [ViolationKind; 7] = [
    ViolationKind::Duration,
    ViolationKind::Unseated,
    ViolationKind::Overfull,
    ViolationKind::Closed,
    ViolationKind::Features,
    ViolationKind::OwnRoom,
    ViolationKind::Parts,
];

/// Options of an export.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExportOptions<'a> {
    /// Origin of the timetable and timetable to compare with, for the report.
    pub background: Background<'a>,
    /// Code of the student whose calendar is exported; `None`: the calendar of the whole session.
    pub student: Option<&'a str>,
    /// Duties before an adjustment; those that are no longer are cancelled in calendars.
    pub former_duties: &'a [Duty],
    /// Time zone of calendars; `None`: that of the instance.
    pub time_zone: Option<TimeZone>,
    /// Rows of a picture of the grid; `None`: all exams by descending degree.
    pub rows: Option<Rows<'a>>,
    /// Institution and logo of printed documents, and the language of all that is handed on.
    pub letterhead: &'a Letterhead,
    /// Told how far the export is; `None`: nobody asks.
    pub writing: Option<&'a Writing>,
}

/// Rows of a picture of the grid.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// Exam indices from top to bottom.
    pub exams: &'a [usize],
    /// Order of `exams`.
    pub sort: Sort,
}

/// Returns `true` if `path` is a table that no export has written and that may be the source of an instance.
///
/// Only files `.csv` are examined: other export formats are no source of instances.
pub fn is_foreign_table(path: &Path) -> bool {
    /// Maximum length of a head in bytes.
    const HEAD: usize = 400;
    let is_table = ending(path) == "csv";
    if !is_table || !path.is_file() {
        return false;
    }
    // An unreadable file is no source of an instance; writing will report the error.
    !is_exported(&String::from_utf8_lossy(&files::beginning(path, HEAD)))
}

/// Returns `true` if a file that begins with these bytes is an exported table by exam, by period or of rooms, from which no
/// students can be read.
pub(super) fn begins_timetable(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}');
    is_exported(text) && !text.starts_with("student")
}

/// Format of a file: the longest extension that matches; `None` if there is none.
pub fn format_of(path: &Path) -> Option<&'static str> {
    gridwright_core::export::format_of(path, &FORMATS)
}

/// Returns `true` if the format lists rooms.
fn needs_rooms(ending: &str) -> bool {
    matches!(ending, SEATING | "doors.pdf" | "registers.pdf" | "packing.pdf" | "seats.pdf")
}

/// Returns `true` if the format lists changes since the published version.
fn is_of_changes(ending: &str) -> bool {
    matches!(ending, CHANGES | "changes.pdf" | "changes.xlsx")
}

/// Returns `true` if the format lists duties of invigilators.
fn is_of_duties(ending: &str) -> bool {
    matches!(ending, "duties.xlsx" | "duties.csv" | "duties.pdf" | "duties.zip" | "invigilators.pdf")
}

/// Groups of the notice board that a format writes; `None` for other formats.
fn board_kind(ending: &str) -> Option<boards::Kind> {
    match ending {
        "programmes.pdf" => Some(boards::Kind::Programme),
        "examiners.pdf" => Some(boards::Kind::Examiner),
        _ => None,
    }
}

/// Returns `true` if the format requires a date for every used period.
fn needs_dates(ending: &str) -> bool {
    matches!(ending, "ics" | "students.zip" | "duties.zip")
}

/// Checks that the timetable, or the instance before there is one, holds the rooms and dates that a format needs.
///
/// # Errors
/// The missing data.
pub fn check(instance: &Instance, timetable: Option<&Timetable>, ending: &str) -> std::result::Result<(), MissingData> {
    let has_rooms = timetable.map_or(instance.has_rooms(), |timetable| !timetable.rooms.is_empty());
    if needs_rooms(ending) && !has_rooms {
        return Err(MissingData {
            in_window: "The timetable has no rooms; enter rooms (view Data) and solve",
            on_command_line: format!("{} plans no rooms; put a table rooms.csv beside its enrolments", instance.name),
        });
    }
    let has_plan =
        |room: u16| instance.resources.rooms.get(usize::from(room)).is_some_and(|room| !room.seat_plan.is_empty());
    let has_seats = match timetable {
        Some(timetable) => timetable.rooms.iter().flatten().any(|part| has_plan(part.room)),
        None => instance.resources.has_seat_plans(),
    };
    if ending == "seats.pdf" && !has_seats {
        return Err(MissingData {
            in_window: "No room that is used has a seat plan; enter one in Data, table Rooms, such as 12 x 8",
            on_command_line: format!(
                "no room that {} uses has a seat plan; give the table of rooms a column “seat plan”, such as 12 x 8",
                instance.name
            ),
        });
    }
    if let Some(kind) = board_kind(ending).filter(|kind| !boards::has_groups(*kind, instance)) {
        let in_window = match kind {
            boards::Kind::Programme => "No student has a programme; enter programmes in Data, table Students",
            boards::Kind::Examiner => "No exam has an examiner; enter examiners in Data, table People",
        };
        return Err(MissingData { in_window, on_command_line: format!("{}: {in_window}", instance.name) });
    }
    if is_of_changes(ending) && instance.published().is_none() {
        return Err(MissingData {
            in_window: "Nothing has been published; publish the timetable first (menu Edit)",
            on_command_line: format!(
                "{} has no published timetable; publish one in the window, or with “gridwright publish”",
                instance.name
            ),
        });
    }
    if is_of_duties(ending) && instance.duties.is_empty() {
        return Err(MissingData {
            in_window: "Nobody has a duty yet; assign invigilators (view Duties)",
            on_command_line: format!(
                "{} has no duties of invigilators; assign them with “gridwright invigilate”, which writes this file, too",
                instance.name
            ),
        });
    }
    let is_used = |period: &usize| timetable.is_none_or(|timetable| timetable.periods.contains(&(*period as u16)));
    let mut undated = (0..instance.period_count()).filter(is_used).filter(|&period| !instance.has_date(period));
    let Some(period) = undated.next().filter(|_| needs_dates(ending)) else { return Ok(()) };
    // The error of the export itself names the first period without a date.
    let anywhere = Timetable::of(vec![period as u16; instance.exam_count()]);
    export_bytes(instance, &anywhere, ending).map(drop).map_err(|error| MissingData {
        in_window: "The periods have no dates; make a calendar first (menu Edit)",
        on_command_line: error.to_string(),
    })
}

/// Writes a timetable in the format of the extension of `path`. An existing file is replaced only by a complete new
/// one.
///
/// # Errors
/// [`Error::Usage`] if the extension is unknown, the timetable does not fit the instance, or dates are missing; then
/// nothing is written. [`Error::File`] if the file cannot be written.
pub fn export(instance: &Instance, timetable: &Timetable, path: &Path) -> Result<()> {
    export_with(instance, timetable, path, &ExportOptions::default())
}

/// As [`export`], with options.
///
/// # Errors
/// As for [`export`]; [`Error::Usage`] if no student has the requested code.
pub(crate) fn export_with(
    instance: &Instance, timetable: &Timetable, path: &Path, options: &ExportOptions<'_>,
) -> Result<()> {
    write(path, &FORMATS, |ending| export_bytes_with(instance, timetable, ending, options, Utc::now()))
}

/// Returns the bytes that [`export`] writes.
///
/// # Errors
/// [`Error::Usage`] as for [`export`].
pub fn export_bytes(instance: &Instance, timetable: &Timetable, ending: &str) -> Result<Vec<u8>> {
    export_bytes_with(instance, timetable, ending, &ExportOptions::default(), Utc::now())
}

/// As [`export_with`] into memory. `now` is the time stamp of calendars, workbooks and reports: equal times give equal
/// bytes.
///
/// # Errors
/// [`Error::Usage`] as for [`export_with`].
pub fn export_bytes_with(
    instance: &Instance, timetable: &Timetable, ending: &str, options: &ExportOptions<'_>, now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    if !FORMATS.iter().any(|format| format.ending == ending) {
        let known: Vec<String> =
            FORMATS.iter().map(|format| format!("  .{}  {}", format.ending, format.help)).collect();
        let what =
            if ending.is_empty() { "a file name without an ending".to_owned() } else { format!("“.{ending}”") };
        return Err(Error::Usage(format!("{what} cannot be exported to; use one of\n{}", known.join("\n"))));
    }
    let verdict = check::belongs(instance, timetable)?;
    let language = options.letterhead.language;
    // Violations of rooms and times tell who has extra time or a room alone.
    let is_public = |kind: &str| !CONFIDENTIAL.iter().any(|confidential| confidential.as_ref() == kind);
    let stamp = Stamp::of(&verdict.violations, &check::NOUNS);
    let stamp = stamp.map(|stamp| if PUBLIC.contains(&ending) { stamp.telling(is_public) } else { stamp });
    let is_in_english = matches!(ending, "xlsx" | "svg" | "png") || language == Language::English;
    let stamp = stamp.map(|stamp| match is_in_english {
        true => stamp,
        false => stamp.reworded(words::letters::not_feasible(&verdict.violations, language)),
    });
    let stamp = stamp.as_ref();
    if options.student.is_some() && ending != "ics" {
        return Err(Error::Usage(format!("one student alone has a calendar (.ics), and no “.{ending}”")));
    }
    match ending {
        "csv" => Ok(tables::by_exam(instance, timetable)),
        "periods.csv" => Ok(tables::by_period(instance, timetable)),
        "students.csv" => Ok(tables::by_student(instance, timetable)),
        SEATING => Ok(tables::by_room(instance, timetable)),
        "xlsx" => spreadsheet::workbook(instance, timetable, &verdict, stamp, now),
        "ics" => {
            let sheet = calendar::Sheet::of(instance, timetable, options.time_zone, language, now)?;
            options
                .student
                .map_or_else(|| Ok(sheet.session(stamp)), |code| sheet.of_student(code))
                .map(String::into_bytes)
        }
        "students.zip" => calendar::Sheet::of(instance, timetable, options.time_zone, language, now)?.of_all_students(),
        "check-sheets.zip" => check_sheets::of_departments(instance, now),
        "duties.csv" => Ok(duties::table(instance, timetable)),
        "duties.xlsx" => duties::workbook(instance, timetable, now),
        "duties.zip" => {
            duty_calendar::of_all(instance, timetable, options.time_zone, options.former_duties, language, now)
        }
        "duties.pdf" => duty_lists::document(duty_lists::Kind::Own, instance, timetable, options.letterhead),
        "invigilators.pdf" => duty_lists::document(duty_lists::Kind::Rooms, instance, timetable, options.letterhead),
        "programmes.pdf" => boards::document(boards::Kind::Programme, instance, timetable, options.letterhead, stamp),
        "examiners.pdf" => boards::document(boards::Kind::Examiner, instance, timetable, options.letterhead, stamp),
        PAGE => page::page(instance, timetable, options.time_zone, options.letterhead, stamp, now),
        ending if is_of_changes(ending) => {
            let changes = instance.changes_to_tell(timetable);
            match ending {
                CHANGES => Ok(tables::changes(instance, &changes)),
                "changes.pdf" => changes::document(instance, &changes, options.letterhead, now.date_naive()),
                _ => changes::workbook(instance, &changes, now),
            }
        }
        ALL => all_documents(instance, timetable, options, now),
        "doors.pdf" => lists::document(lists::Kind::Doors, instance, timetable, options.letterhead, stamp),
        "registers.pdf" => lists::document(lists::Kind::Registers, instance, timetable, options.letterhead, stamp),
        "seats.pdf" => lists::document(lists::Kind::Seats, instance, timetable, options.letterhead, stamp),
        "packing.pdf" => lists::document(lists::Kind::Packing, instance, timetable, options.letterhead, stamp),
        "pdf" => document::document(instance, timetable, options.letterhead, stamp),
        "report.pdf" => report::report(instance, timetable, &verdict, &options.background, options.letterhead, now),
        "svg" | "png" => picture(&stamped(grid(instance, timetable, options), stamp), ending),
        _ => Ok(write_solution(instance, timetable).into_bytes()),
    }
}

/// Writes every other format whose data the session has into one archive, with folders for what everyone may read and for what is
/// confidential.
///
/// # Errors
/// As for [`export_bytes_with`].
fn all_documents(
    instance: &Instance, timetable: &Timetable, options: &ExportOptions<'_>, now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    let name = archive::file_name(&instance.name);
    let has_data = |format: &&Format| format.ending != ALL && check(instance, Some(timetable), format.ending).is_ok();
    let written: Vec<&Format> = FORMATS.iter().filter(has_data).collect();
    let nobody = Writing::default();
    let writing = options.writing.unwrap_or(&nobody);
    writing.begin(written.len());
    let of_format = |format: &&Format| {
        writing.check()?;
        let options = ExportOptions { student: None, ..*options };
        let bytes = export_bytes_with(instance, timetable, format.ending, &options, now)?;
        writing.finish_part();
        Ok((format.ending, bytes))
    };
    let mut archive = Archive::new(now);
    // Formats take from milliseconds to most of the time: one by one as cores become free.
    let documents: Vec<_> = written.par_iter().with_max_len(1).map(of_format).collect::<Result<_>>()?;
    for (ending, bytes) in documents {
        let folder = if PUBLIC.contains(&ending) { "public" } else { "confidential" };
        archive.add(&format!("{name}/{folder}/{name}.{ending}"), &bytes)?;
    }
    archive.finish()
}

/// Draws the grid with the requested rows.
fn grid(instance: &Instance, timetable: &Timetable, options: &ExportOptions<'_>) -> Scene {
    let Some(rows) = options.rows else { return timetable_grid(instance, timetable, &GridOptions::default()) };
    grid_of(instance, timetable, rows.exams, &GridOptions { sort: rows.sort, ..GridOptions::default() })
}

#[cfg(test)]
mod tests;
