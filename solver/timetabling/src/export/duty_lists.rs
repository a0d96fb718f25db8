//! Printed duties: a page per invigilator, and pages per day with the invigilators of each room. Both are confidential.

use std::sync::Arc;

use chrono::NaiveDate;

use super::duties::{Line, by_person, lines};
use super::sheets::{self, BOTTOM, Column, Sheets, heading, height, row};
use crate::invigilation::check::check;
use crate::invigilation::open::open_posts;
use crate::invigilators::Duty;
use crate::{Instance, Timetable, words};
use gridwright_core::Result;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::scene::Scene;
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::text::language::Language;

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
    let (pages, bookmarks) = pages(kind, instance, timetable, letterhead);
    pages_to_pdf(&pages, &bookmarks)
}

/// Pages of a list with their bookmarks.
pub(super) fn pages(
    kind: Kind, instance: &Instance, timetable: &Timetable, letterhead: &Letterhead,
) -> (Vec<Scene>, Vec<Bookmark>) {
    let language = letterhead.language;
    let whole = with_open_posts(instance, timetable);
    let lines = lines(if kind == Kind::Rooms { &whole } else { instance }, timetable);
    let mut sheets = Sheets::new(letterhead, &instance.name);
    match kind {
        Kind::Own => by_person(&lines).iter().for_each(|lines| own(&mut sheets, lines, language)),
        Kind::Rooms => {
            lines
                .chunk_by(|one, other| one.duty.when.date == other.duty.when.date)
                .for_each(|lines| rooms(&mut sheets, lines, language));
            faults(&mut sheets, instance, timetable);
        }
    }
    if sheets.pages.is_empty() {
        sheets.open();
        sheets.text(MARGIN, 12.0, false, words::NOBODY_ASSIGNED.of(language));
    }
    let Sheets { mut pages, bookmarks, .. } = sheets;
    sheets::number(&mut pages, letterhead, &instance.name, false);
    (pages, bookmarks)
}

fn day(date: Option<NaiveDate>, language: Language) -> String {
    date.map_or_else(|| words::WITHOUT_DATES.of(language).to_owned(), |date| language.long_date(date))
}

/// Draws the list of one invigilator.
fn own(sheets: &mut Sheets<'_>, lines: &[&Line<'_>], language: Language) {
    let columns: [Column; 5] = [
        (words::DATE.of(language), 0.0, false),
        (words::TIME.of(language), 116.0, false),
        (words::DUTY.of(language), 196.0, false),
        (words::BUILDING.of(language), 296.0, false),
        (words::EXAMS.of(language), 396.0, false),
    ];
    let Some(first) = lines.first() else { return };
    let head = |sheets: &mut Sheets<'_>| {
        sheets.open();
        sheets.text(MARGIN, 18.0, true, first.name());
        let number = words::DUTIES_COUNTED.counted(lines.len() as u64, language);
        sheets.text(MARGIN, 11.0, false, &format!("{} · {number}", first.duty.invigilator));
        sheets.y += 8.0;
        heading(sheets, &columns);
    };
    head(sheets);
    sheets.bookmark(first.name().to_owned());
    for line in lines {
        let date = line.duty.when.date.map(|date| language.short_date(date)).unwrap_or_default();
        let (duty, exams) = (line.duty.post.words_in(language), line.exams.join(", "));
        let building = if line.room().is_empty() { String::new() } else { line.building.clone() };
        put(sheets, &columns, &[date, line.times(language), duty, building, exams], head);
    }
}

/// Draws the rooms of one day with their invigilators.
fn rooms(sheets: &mut Sheets<'_>, lines: &[Line<'_>], language: Language) {
    let columns: [Column; 5] = [
        (words::ROOM.of(language), 0.0, false),
        (words::BUILDING.of(language), 90.0, false),
        (words::EXAMS.of(language), 176.0, false),
        (words::STUDENTS.of(language), 318.0, true),
        (words::INVIGILATORS.of(language), 332.0, false),
    ];
    let Some(first) = lines.first() else { return };
    let day = day(first.duty.when.date, language);
    sheets.open();
    sheets.text(MARGIN, 18.0, true, &words::INVIGILATORS_ON.with(language, &[&day]));
    sheets.bookmark(day.clone());
    for lines in lines.chunk_by(|one, other| one.period == other.period) {
        let title = lines[0]
            .duty
            .when
            .start
            .map_or_else(|| lines[0].times(language), |start| start.format("%H:%M").to_string());
        let head = |sheets: &mut Sheets<'_>| {
            if sheets.y + 80.0 > BOTTOM {
                sheets.open();
            }
            sheets.y += 12.0;
            sheets.text(
                MARGIN,
                13.0,
                true,
                &format!("{title} · {}", words::IN_PERIOD.with(language, &[&lines[0].duty.when.period.to_string()])),
            );
            heading(sheets, &columns);
        };
        head(sheets);
        for posted in lines.chunk_by(|one, other| one.duty.post == other.duty.post) {
            let line = &posted[0];
            let place = if line.room().is_empty() { line.duty.post.words_in(language) } else { line.room().to_owned() };
            let building = if line.room().is_empty() { String::new() } else { line.building.clone() };
            let students = if line.students == 0 { String::new() } else { line.students.to_string() };
            let name = |line| match Line::name(line) {
                "" => words::NOBODY_YET.of(language),
                name => name,
            };
            let names: Vec<&str> = posted.iter().map(name).collect();
            let cells = [place, building, line.exams.join(", "), students, names.join("; ")];
            put(sheets, &columns, &cells, head);
        }
    }
}

/// The session with a duty of nobody for each person who is missing at a post.
fn with_open_posts(instance: &Instance, timetable: &Timetable) -> Instance {
    // Where the posts are not known, the list of what is wrong says why.
    let open = open_posts(instance, timetable, &instance.duties).unwrap_or_default();
    let missing = open.into_iter().flat_map(|open| {
        let duty = Duty { invigilator: String::new(), when: open.when, post: open.post };
        std::iter::repeat_n(duty, open.missing)
    });
    let duties = instance.duties.iter().cloned().chain(missing).collect();
    Instance { duties: Arc::new(duties), ..instance.clone() }
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
