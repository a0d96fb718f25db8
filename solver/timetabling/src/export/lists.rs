//! Lists of rooms as printed documents: sheets for doors, registers for signatures, plans of seats, and lists for packing papers.
//!
//! Sheets for doors are public and tell no extra time. The others are confidential, and say so.

mod seats;

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveTime};

use crate::occupancy::Occupancy;
use crate::who_sits_where::{RoomList, Unseated, WhoSitsWhere, Words};
use crate::{Exam, Instance, Room, Timetable, words};
use gridwright_core::export::stamp::Stamp;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::scene::Scene;
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::text::language::Language;
use gridwright_core::{Error, Result};

use super::sheets::{self, BOTTOM, Column, Sheets, heading, height, row};

/// Kind of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A sheet per room and day for its door.
    Doors,
    /// A register per room and exam for signatures.
    Registers,
    /// A list per period of the papers and further time of each room.
    Packing,
    /// The seats of a room in a period with the students on them.
    Seats,
}

/// Papers beyond those of the students: one for every so many students, at least one.
const STUDENTS_PER_RESERVE: usize = 20;

/// Writes a list as PDF.
///
/// # Errors
/// [`Error::Usage`] if no exam has a room or, for plans of seats, one with a plan.
pub(super) fn document(
    kind: Kind, instance: &Instance, timetable: &Timetable, letterhead: &Letterhead, stamp: Option<&Stamp>,
) -> Result<Vec<u8>> {
    let what = match kind {
        Kind::Seats => "no exam is in a room with a seat plan; enter plans of rooms, such as 12 x 8",
        _ => "no exam has a room; solve with rooms first",
    };
    let (pages, bookmarks) = pages(kind, instance, timetable, letterhead, stamp)
        .ok_or_else(|| Error::Usage(format!("{}: {what}", instance.name)))?;
    pages_to_pdf(&pages, &bookmarks)
}

/// Pages of a list with their bookmarks; `None` if no exam has a room.
pub(super) fn pages(
    kind: Kind, instance: &Instance, timetable: &Timetable, letterhead: &Letterhead, stamp: Option<&Stamp>,
) -> Option<(Vec<Scene>, Vec<Bookmark>)> {
    let occupancy = Occupancy::of(instance, timetable)?;
    let seated = WhoSitsWhere::of(instance, &occupancy);
    let lists = Lists { instance, occupancy: &occupancy, seated: &seated, language: letterhead.language };
    let mut sheets = Sheets::new(letterhead, &instance.name);
    match kind {
        Kind::Doors => lists.doors(&mut sheets),
        Kind::Registers => lists.registers(&mut sheets),
        Kind::Packing => lists.packing(&mut sheets),
        Kind::Seats => lists.seats(&mut sheets),
    }
    let Sheets { mut pages, mut bookmarks, .. } = sheets;
    if pages.is_empty() {
        return None;
    }
    if let Some(stamp) = stamp {
        // The reasons may tell of extra time; a door does not show them.
        if kind != Kind::Doors {
            bookmarks.push(Bookmark { text: "Violations".to_owned(), page: pages.len() });
            pages.extend(stamp.sheets(&instance.name));
        }
        stamp.mark(&mut pages);
    }
    sheets::number(&mut pages, letterhead, &instance.name, kind == Kind::Doors);
    Some((pages, bookmarks))
}

/// Register of the students of a room in a period, or of those of an exam without a seat.
struct Register<'a> {
    period: usize,
    /// Students with their exams; not empty.
    entries: Vec<(usize, usize)>,
    /// Short name of the place.
    short: &'a str,
    /// Long name of the place.
    place: String,
    /// Words for the students among those of their exam.
    range: Option<&'a Words>,
}

/// Lists of one timetable.
struct Lists<'a> {
    instance: &'a Instance,
    occupancy: &'a Occupancy<'a>,
    seated: &'a WhoSitsWhere<'a>,
    language: Language,
}

impl Lists<'_> {
    fn exam(&self, list: &RoomList) -> &Exam {
        &self.instance.exams[self.occupancy.sitting(list.sitting).exam]
    }

    fn room(&self, list: &RoomList) -> &Room {
        &self.instance.resources.rooms[list.room]
    }

    /// Date of a period in words or, without one, its number.
    fn day(&self, period: usize) -> String {
        sheets::day(self.instance, period, self.language)
    }

    /// A number of students and the words for those of a room: «12 students · A–K».
    fn students(&self, count: usize, range: Option<&Words>) -> String {
        let range = range.map(|range| format!(" · {}", range.of(self.language))).unwrap_or_default();
        format!("{}{range}", words::STUDENTS_COUNTED.counted(count as u64, self.language))
    }

    /// Start and end of an exam without extra time: «09:00–11:00».
    fn times(&self, exam: usize, period: usize) -> String {
        let time = |time: NaiveTime| time.format("%H:%M").to_string();
        let end = self.instance.exam_end(exam, period).map(|(end, _)| time(end));
        match (self.instance.periods[period].start.map(time), end) {
            (Some(start), Some(end)) => format!("{start}–{end}"),
            (Some(start), None) => start,
            _ => words::period(period, self.language),
        }
    }

    /// Code and title of an exam.
    fn name(exam: &Exam) -> String {
        [&exam.code, &exam.title].into_iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(" · ")
    }

    /// Extra minutes of a student in an exam, and the end with them: «+30 min, until 11:30».
    fn extra(&self, student: usize, exam: usize, period: usize) -> Option<String> {
        let minutes = self.occupancy.extra_of(student, exam);
        let end = self.occupancy.end_for(student, exam, period);
        let until = end.map(|(end, _)| words::UNTIL.with(self.language, &[&end.format("%H:%M").to_string()]));
        let until = until.map(|until| format!(", {until}")).unwrap_or_default();
        (minutes > 0).then(|| words::PLUS_MINUTES.with(self.language, &[&minutes.to_string()]) + &until)
    }

    fn doors(&self, sheets: &mut Sheets<'_>) {
        let mut doors: BTreeMap<(String, usize, Option<NaiveDate>), Vec<&RoomList>> = BTreeMap::new();
        for list in self.seated.lists() {
            let date = self.instance.periods[list.period].date;
            doors.entry((self.room(list).code.clone(), list.room, date)).or_default().push(list);
        }
        let mut doors: Vec<_> = doors.into_values().collect();
        doors.sort_by_cached_key(|lists| {
            let key = gridwright_core::text::order::list_key(&self.room(lists[0]).code);
            (key, lists[0].room, self.instance.periods[lists[0].period].date)
        });
        for lists in doors {
            self.door(sheets, &lists);
        }
    }

    /// Draws the sheet of a room and day.
    fn door(&self, sheets: &mut Sheets<'_>, lists: &[&RoomList]) {
        let (room, day) = (self.room(lists[0]), self.day(lists[0].period));
        let is_dated = self.instance.periods[lists[0].period].date.is_some();
        let day = if is_dated { day } else { String::new() };
        let head = |sheets: &mut Sheets<'_>| {
            sheets.open();
            sheets.text(MARGIN, 40.0, true, &room.code);
            if !room.building.is_empty() {
                sheets.text(MARGIN, 14.0, false, &room.building);
            }
            if is_dated {
                sheets.text(MARGIN, 20.0, true, &day);
            }
            sheets.rule();
        };
        head(sheets);
        sheets.bookmark(if is_dated { format!("{}: {day}", room.code) } else { room.code.clone() });
        let is_apart = |list: &RoomList| !self.occupancy.is_public(list.sitting);
        for (at, list) in lists.iter().enumerate() {
            // Students of several exams with extra time are one entry.
            let is_told = |before: &&RoomList| before.period == list.period && is_apart(before);
            if is_apart(list) && lists[..at].iter().any(is_told) {
                continue;
            }
            if sheets.y > BOTTOM - 120.0 {
                head(sheets);
            }
            sheets.y += 10.0;
            let exam = self.occupancy.sitting(list.sitting).exam;
            if is_apart(list) {
                // That somebody is apart from the others is confidential.
                sheets.text(MARGIN, 18.0, true, &self.start(list.period));
                sheets.text(MARGIN, 14.0, false, words::RESERVED.of(self.language));
                continue;
            }
            sheets.text(MARGIN, 18.0, true, &self.times(exam, list.period));
            sheets.text(MARGIN, 16.0, false, &Self::name(&self.instance.exams[exam]));
            sheets.text(MARGIN, 14.0, true, &self.students(list.students.len(), list.range.as_ref()));
        }
    }

    /// Start of a period in words: «from 09:00»; its number without one.
    fn start(&self, period: usize) -> String {
        let from = |at: NaiveTime| words::FROM.with(self.language, &[&at.format("%H:%M").to_string()]);
        self.instance.periods[period].start.map_or_else(|| words::period(period, self.language), from)
    }

    fn registers(&self, sheets: &mut Sheets<'_>) {
        // All students of a common room in a period sign one register.
        let is_common = |list: &RoomList| self.instance.is_in_common_room(self.occupancy.sitting(list.sitting));
        let is_one = |list: &RoomList, next: &RoomList| {
            (list.period, list.room) == (next.period, next.room) && is_common(list) && is_common(next)
        };
        for lists in self.seated.lists().chunk_by(is_one) {
            let of = |list: &RoomList| {
                let exam = self.occupancy.sitting(list.sitting).exam;
                list.students.iter().map(move |&student| (student, exam)).collect::<Vec<_>>()
            };
            let entries: Vec<(usize, usize)> = lists.iter().flat_map(of).collect();
            if entries.is_empty() {
                continue;
            }
            let (list, room) = (&lists[0], self.room(&lists[0]));
            let building = if room.building.is_empty() { String::new() } else { format!(" ({})", room.building) };
            let place = words::IN_ROOM.with(self.language, &[&room.code]) + &building;
            let range = list.range.as_ref().filter(|_| lists.len() == 1);
            self.register(sheets, &Register { period: list.period, entries, short: &room.code, place, range });
        }
        for Unseated { period, sitting, students } in self.seated.unseated() {
            let exam = self.occupancy.sitting(*sitting).exam;
            let entries = students.iter().map(|&student| (student, exam)).collect();
            let short = words::NO_SEAT.of(self.language);
            self.register(sheets, &Register { period: *period, entries, short, place: short.to_owned(), range: None });
        }
    }

    /// Draws the register of students in a period.
    fn register(&self, sheets: &mut Sheets<'_>, register: &Register<'_>) {
        /// Height of a line for a signature in points.
        const LINE: f32 = 21.0;
        let Register { period, entries, short, place, range } = register;
        let period = *period;
        let exam = entries[0].1;
        let is_of_one = entries.iter().all(|entry| entry.1 == exam);
        let is_named = entries.iter().any(|&(student, _)| !self.seated.name(student).is_empty());
        let has_extra = entries.iter().any(|&(student, exam)| self.occupancy.extra_of(student, exam) > 0);
        let has_seats = entries.iter().any(|&(student, exam)| self.seated.seat(student, exam).is_some());
        let mut columns: Vec<Column> = vec![("", 22.0, true), (words::STUDENT.of(self.language), 32.0, false)];
        let mut left = 130.0;
        if !is_of_one {
            columns.push((words::EXAM.of(self.language), left, false));
            left += 70.0;
        }
        if has_seats {
            columns.push((words::SEAT.of(self.language), left, false));
            left += 40.0;
        }
        if is_named {
            columns.push((words::NAME.of(self.language), left, false));
            left += if is_of_one { 170.0 } else { 120.0 };
        }
        if has_extra {
            columns.push((words::EXTRA_TIME.of(self.language), left, false));
            left += 110.0;
        }
        columns.push((words::SIGNATURE.of(self.language), left, false));
        let head = |sheets: &mut Sheets<'_>, is_first: bool| {
            sheets.open();
            let name = match is_of_one {
                true => Self::name(&self.instance.exams[exam]),
                false => words::EXTRA_TIME.of(self.language).to_owned(),
            };
            let name = if is_first { name } else { words::CONTINUED.with(self.language, &[&name]) };
            sheets.text(MARGIN, 16.0, true, &name);
            let day = self.day(period);
            let times = if is_of_one { self.times(exam, period) } else { self.start(period) };
            sheets.text(MARGIN, 11.0, false, &format!("{day} · {times} · {place}"));
            sheets.text(MARGIN, 11.0, false, &self.students(entries.len(), *range));
            sheets.y += 8.0;
            heading(sheets, &columns);
        };
        head(sheets, true);
        let what = if is_of_one { &self.instance.exams[exam].code } else { words::EXTRA_TIME.of(self.language) };
        sheets.bookmark(format!("{} · {} · {}", self.day(period), short, what));
        for (number, &(student, exam)) in (1..).zip(entries) {
            if sheets.y + LINE > BOTTOM - 20.0 {
                head(sheets, false);
            }
            let mut cells = vec![number.to_string(), self.instance.students.code(student)];
            if !is_of_one {
                cells.push(self.instance.exams[exam].code.clone());
            }
            if has_seats {
                cells.push(self.seated.seat_label(student, exam));
            }
            if is_named {
                cells.push(self.seated.name(student));
            }
            if has_extra {
                cells.push(self.extra(student, exam, period).unwrap_or_default());
            }
            row(sheets, &columns, &cells, LINE);
        }
        sheets.text(MARGIN, 10.0, false, words::SIGNED.of(self.language));
    }

    fn packing(&self, sheets: &mut Sheets<'_>) {
        for lists in self.seated.lists().chunk_by(|one, other| one.period == other.period) {
            self.packing_of(sheets, lists);
        }
    }

    /// Draws the list of a period.
    fn packing_of(&self, sheets: &mut Sheets<'_>, lists: &[RoomList]) {
        const LINE: f32 = 16.0;
        let columns: [Column; 6] = [
            (words::ROOM.of(self.language), 0.0, false),
            (words::EXAM.of(self.language), 70.0, false),
            (words::STUDENTS.of(self.language), 286.0, true),
            (words::PAPERS.of(self.language), 328.0, true),
            (words::EXTRA_TIME.of(self.language), 340.0, false),
            (words::MATERIAL.of(self.language), 458.0, false),
        ];
        let period = lists[0].period;
        let start = self.instance.periods[period].start;
        let start = start.map_or_else(String::new, |start| format!(" · {}", start.format("%H:%M")));
        let day = match self.instance.periods[period].date {
            Some(_) => format!("{}{start} · {}", self.day(period), words::period(period, self.language)),
            None => words::period(period, self.language) + &start,
        };
        let head = |sheets: &mut Sheets<'_>| {
            sheets.open();
            sheets.text(MARGIN, 16.0, true, &words::PAPERS_OF.with(self.language, &[&day]));
            let reserve = words::RESERVE.with(self.language, &[&STUDENTS_PER_RESERVE.to_string()]);
            sheets.text(MARGIN, 9.0, false, &reserve);
            sheets.y += 8.0;
            heading(sheets, &columns);
        };
        head(sheets);
        sheets.bookmark(day.clone());
        for list in lists.iter().filter(|list| !list.students.is_empty()) {
            let exam = self.exam(list);
            let number = self.occupancy.sitting(list.sitting).exam;
            let mut extra: BTreeMap<String, usize> = BTreeMap::new();
            for &student in &list.students {
                if let Some(words) = self.extra(student, number, period) {
                    *extra.entry(words).or_default() += 1;
                }
            }
            let extra: Vec<String> = extra.into_iter().map(|(words, count)| format!("{count}: {words}")).collect();
            let material: Vec<&str> = exam.needs.features.iter().map(String::as_str).collect();
            let papers = list.students.len() + list.students.len().div_ceil(STUDENTS_PER_RESERVE);
            let cells = [
                self.room(list).code.clone(),
                Self::name(exam),
                list.students.len().to_string(),
                papers.to_string(),
                extra.join("; "),
                material.join(", "),
            ];
            let height = height(&columns, &cells, LINE);
            if sheets.y + height > BOTTOM {
                head(sheets);
            }
            row(sheets, &columns, &cells, LINE);
        }
    }
}
