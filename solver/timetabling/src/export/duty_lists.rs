//! Printed duties: a page per invigilator, and pages per day with the invigilators of each room. Both are confidential.

use chrono::NaiveDate;

use super::duties::{Line, by_person, lines};
use super::sheets::{BOTTOM, Column, Sheets, confidential, heading, height, row};
use crate::invigilation::check::check;
use crate::{Instance, Timetable};
use gridwright_core::Result;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::numbers::counted_as;
use gridwright_core::scene::paper::{self, MARGIN};
use gridwright_core::scene::pdf::pages_to_pdf;

/// Height of a line of a table in points.
const LINE: f32 = 17.0;

/// Kind of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A page per invigilator.
    Own,
    /// Rooms of each day with their invigilators.
    Rooms,
}

/// Writes a list as PDF.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if the document cannot be written.
pub(super) fn document(
    kind: Kind, instance: &Instance, timetable: &Timetable, letterhead: &Letterhead,
) -> Result<Vec<u8>> {
    let lines = lines(instance, timetable);
    let mut sheets = Sheets::new(letterhead, &instance.name);
    match kind {
        Kind::Own => by_person(&lines).iter().for_each(|lines| own(&mut sheets, lines)),
        Kind::Rooms => {
            lines
                .chunk_by(|one, other| one.duty.when.date == other.duty.when.date)
                .for_each(|lines| rooms(&mut sheets, lines));
            faults(&mut sheets, instance, timetable);
        }
    }
    if sheets.pages.is_empty() {
        sheets.open();
        sheets.text(MARGIN, 12.0, false, "No invigilators are assigned.");
    }
    let Sheets { mut pages, bookmarks, .. } = sheets;
    paper::number_pages(&mut pages, &confidential(&letterhead.titled(&instance.name)));
    pages_to_pdf(&pages, &bookmarks)
}

fn day(date: Option<NaiveDate>) -> String {
    date.map_or_else(|| "Without dates".to_owned(), |date| date.format("%A %-d %B %Y").to_string())
}

/// Draws the list of one invigilator.
fn own(sheets: &mut Sheets<'_>, lines: &[&Line<'_>]) {
    const COLUMNS: [Column; 5] = [
        ("Date", 0.0, false),
        ("Time", 116.0, false),
        ("Duty", 196.0, false),
        ("Building", 296.0, false),
        ("Exams", 396.0, false),
    ];
    let Some(first) = lines.first() else { return };
    let head = |sheets: &mut Sheets<'_>| {
        sheets.open();
        sheets.text(MARGIN, 18.0, true, first.name());
        let number = counted_as(lines.len() as u64, "duty", "duties");
        sheets.text(MARGIN, 11.0, false, &format!("{} · {number}", first.duty.invigilator));
        sheets.y += 8.0;
        heading(sheets, &COLUMNS);
    };
    head(sheets);
    sheets.bookmark(first.name().to_owned());
    for line in lines {
        let date = line.duty.when.date.map(|date| date.format("%a %-d %b %Y").to_string()).unwrap_or_default();
        let (duty, exams) = (line.duty.post.words(), line.exams.join(", "));
        let building = if line.room().is_empty() { String::new() } else { line.building.clone() };
        put(sheets, &COLUMNS, &[date, line.times(), duty, building, exams], head);
    }
}

/// Draws the rooms of one day with their invigilators.
fn rooms(sheets: &mut Sheets<'_>, lines: &[Line<'_>]) {
    const COLUMNS: [Column; 5] = [
        ("Room", 0.0, false),
        ("Building", 90.0, false),
        ("Exams", 176.0, false),
        ("Students", 318.0, true),
        ("Invigilators", 332.0, false),
    ];
    let Some(first) = lines.first() else { return };
    let day = day(first.duty.when.date);
    sheets.open();
    sheets.text(MARGIN, 18.0, true, &format!("Invigilators: {day}"));
    sheets.bookmark(day.clone());
    for lines in lines.chunk_by(|one, other| one.period == other.period) {
        let title =
            lines[0].duty.when.start.map_or_else(|| lines[0].times(), |start| start.format("%H:%M").to_string());
        let head = |sheets: &mut Sheets<'_>| {
            if sheets.y + 80.0 > BOTTOM {
                sheets.open();
            }
            sheets.y += 12.0;
            sheets.text(MARGIN, 13.0, true, &format!("{title} · period {}", lines[0].duty.when.period));
            heading(sheets, &COLUMNS);
        };
        head(sheets);
        for posted in lines.chunk_by(|one, other| one.duty.post == other.duty.post) {
            let line = &posted[0];
            let place = if line.room().is_empty() { line.duty.post.words() } else { line.room().to_owned() };
            let building = if line.room().is_empty() { String::new() } else { line.building.clone() };
            let students = if line.students == 0 { String::new() } else { line.students.to_string() };
            let names: Vec<&str> = posted.iter().map(Line::name).collect();
            let cells = [place, building, line.exams.join(", "), students, names.join("; ")];
            put(sheets, &COLUMNS, &cells, head);
        }
    }
}

/// Draws a row of a table, on a new page with its head if there is no space left.
fn put(sheets: &mut Sheets<'_>, columns: &[Column], cells: &[String], head: impl Fn(&mut Sheets<'_>)) {
    if sheets.y + height(columns, cells, LINE) > BOTTOM {
        head(sheets);
    }
    row(sheets, columns, cells, LINE);
}

/// Draws what the check finds wrong, if there is anything.
fn faults(sheets: &mut Sheets<'_>, instance: &Instance, timetable: &Timetable) {
    let faults = check(instance, timetable, &instance.duties);
    if faults.is_empty() {
        return;
    }
    sheets.open();
    sheets.text(MARGIN, 18.0, true, "What is wrong");
    sheets.bookmark("What is wrong".to_owned());
    sheets.y += 8.0;
    for fault in faults {
        if sheets.y + 40.0 > BOTTOM {
            sheets.open();
        }
        sheets.text(MARGIN, 10.0, false, &fault.text);
    }
}
