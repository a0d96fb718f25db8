//! Duties of invigilators as tables and workbook. All of them are for the office and for the invigilators, none is public.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};

use super::heads::DUTIES;
use crate::invigilation::check::{Fault, check};
use crate::invigilators::{Duty, Invigilator, Post};
use crate::occupancy::Occupancy;
use crate::publication::When;
use crate::{Instance, Timetable, words};
use gridwright_core::Result;
use gridwright_core::data::NameIndex;
use gridwright_core::text::language::Language;
use gridwright_core::text::order::list_key;
use gridwright_core::text::table::for_people;
use gridwright_core::workbook::{self, Book, Style, Value, Written, count, text};

/// A duty with everything that documents say about it.
pub(super) struct Line<'a> {
    /// The duty.
    pub duty: &'a Duty,
    /// The person; `None` if the session does not have the code.
    pub person: Option<&'a Invigilator>,
    /// Period; `None` if the session has none at the time of the duty.
    pub period: Option<usize>,
    /// Building of the room or chief; empty if there is none.
    pub building: String,
    /// Codes of the exams in the room.
    pub exams: Vec<&'a str>,
    /// Students in the room.
    pub students: u32,
}

impl Line<'_> {
    /// Name of the person or, without one, the code.
    pub fn name(&self) -> &str {
        self.person.map_or(self.duty.invigilator.as_str(), Invigilator::label)
    }

    /// Code of the room; empty for other posts.
    pub fn room(&self) -> &str {
        if let Post::Room(room) = &self.duty.post { room } else { "" }
    }

    /// Start and end: «09:00–11:00».
    pub fn times(&self, language: Language) -> String {
        let When { period, start, end, .. } = &self.duty.when;
        let time = |time: &chrono::NaiveTime| time.format("%H:%M").to_string();
        match (start.as_ref().map(time), end.as_ref().map(time)) {
            (Some(start), Some(end)) => format!("{start}–{end}"),
            (Some(start), None) => start,
            _ => words::PERIOD.with(language, &[&period.to_string()]),
        }
    }
}

/// The duties of a session on a timetable, by period and post.
pub(super) fn lines<'a>(instance: &'a Instance, timetable: &'a Timetable) -> Vec<Line<'a>> {
    let people = NameIndex::of(instance.resources.invigilators.iter().map(|person| &person.code));
    let mut used: HashMap<(usize, usize), (u32, BTreeSet<usize>)> = HashMap::new();
    if let Some(occupancy) = Occupancy::of(instance, timetable) {
        for of in occupancy.uses() {
            let entry = used.entry((of.period, of.room)).or_default();
            entry.0 = entry.0.saturating_add(of.students);
            entry.1.insert(occupancy.sitting(of.sitting).exam);
        }
    }
    let line = |duty: &'a Duty| {
        let period = instance.period_of(&duty.when);
        let room = if let Post::Room(room) = &duty.post { instance.resources.room_index(room) } else { None };
        let use_of_room = period.zip(room).and_then(|place| used.get(&place));
        let exams = use_of_room
            .map_or_else(Vec::new, |(_, exams)| exams.iter().map(|&exam| instance.exams[exam].code.as_str()).collect());
        let building = match &duty.post {
            Post::Chief(building) => building.clone(),
            Post::Room(_) | Post::Reserve => {
                room.map_or_else(String::new, |room| instance.resources.rooms[room].building.clone())
            }
        };
        let person = people.get(&duty.invigilator).map(|person| &instance.resources.invigilators[person]);
        Line { duty, person, period, building, exams, students: use_of_room.map_or(0, |of| of.0) }
    };
    let mut lines: Vec<Line> = instance.duties.iter().map(line).collect();
    lines.sort_by_cached_key(|line| {
        let rank = match line.duty.post {
            Post::Chief(_) => 0,
            Post::Room(_) => 1,
            Post::Reserve => 2,
        };
        let place = list_key(if rank == 1 { line.room() } else { &line.building });
        (line.period.unwrap_or(usize::MAX), rank, place, list_key(line.name()))
    });
    lines
}

/// Duties of each person in the order of time, the people by name.
pub(super) fn by_person<'l, 'a>(lines: &'l [Line<'a>]) -> Vec<Vec<&'l Line<'a>>> {
    let mut people: BTreeMap<_, Vec<&Line>> = BTreeMap::new();
    for line in lines {
        people.entry((list_key(line.name()), &line.duty.invigilator)).or_default().push(line);
    }
    people.into_values().collect()
}

/// Formats one line per duty, by period and post.
pub(super) fn table(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let time = |time: Option<chrono::NaiveTime>| time.map(|time| time.format("%H:%M").to_string()).unwrap_or_default();
    let cells = |line: &Line| {
        let When { period, date, start, end } = &line.duty.when;
        let (name, email) =
            line.person.map_or_else(Default::default, |person| (person.name.clone(), person.email.clone()));
        vec![
            line.duty.invigilator.clone(),
            name,
            email,
            line.duty.post.word().to_owned(),
            period.to_string(),
            date.map(|date| date.to_string()).unwrap_or_default(),
            time(*start),
            time(*end),
            line.room().to_owned(),
            line.building.clone(),
            line.exams.join("; "),
        ]
    };
    let lines = lines(instance, timetable);
    for_people(&DUTIES, lines.iter().map(cells))
}

/// Heads of the columns of time, place and people.
const TIME: [(&str, f64); 3] = [("Date", 18.0), ("Start", 9.0), ("End", 9.0)];
const PLACE: [(&str, f64); 5] =
    [("Duty", 10.0), ("Room", 12.0), ("Building", 18.0), ("Students", 10.0), ("Exams", 30.0)];
const PERSON: [(&str, f64); 3] = [("Invigilator", 14.0), ("Name", 28.0), ("E-mail", 28.0)];

fn time_cells(when: &When) -> [Value; 3] {
    let time = |time: Option<chrono::NaiveTime>| time.map_or(Value::Blank, Value::Time);
    let number = Value::Text(format!("Period {}", when.period), Style::Plain);
    [when.date.map_or(number, Value::Date), time(when.start), time(when.end)]
}

fn place_cells(line: &Line) -> [Value; 5] {
    let students = if line.students == 0 { Value::Blank } else { count(line.students.into()) };
    let (post, room) = (text(line.duty.post.word()), text(line.room()));
    [post, room, text(&line.building), students, text(line.exams.join(", "))]
}

fn person_cells(line: &Line) -> [Value; 3] {
    let of = |column: fn(&Invigilator) -> &str| text(line.person.map_or("", column));
    [text(&line.duty.invigilator), of(|person| &person.name), of(|person| &person.email)]
}

/// Writes the workbook with the sheets `Summary`, `Rooms` by period, `Invigilators` by person, `Loads`, and `Faults` if there are any.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if the workbook cannot be written.
pub(super) fn workbook(instance: &Instance, timetable: &Timetable, now: DateTime<Utc>) -> Result<Vec<u8>> {
    let lines = lines(instance, timetable);
    let faults = check(instance, timetable, &instance.duties);
    workbook::write(&instance.name, Some(now), |book| {
        let (good, bad) = ("Every post is covered, as checked", "Something is wrong; see the sheet “Faults”");
        let verdict = if faults.is_empty() { good } else { bad };
        let mut summary = book.summary(&format!("Invigilators of {}", instance.name), verdict, faults.is_empty())?;
        let figures = [("Duties", lines.len()), ("Invigilators", instance.resources.invigilators.len())];
        summary.figures(3, figures.map(|(label, number)| (label, count(number as u64))))?;
        let mut rooms = book.table("Rooms", &[&TIME[..], &PLACE, &PERSON].concat(), lines.len())?;
        for (row, line) in (1..).zip(&lines) {
            let cells = time_cells(&line.duty.when).into_iter().chain(place_cells(line)).chain(person_cells(line));
            rooms.row(row, cells)?;
        }
        let mut people = book.table("Invigilators", &[&PERSON[..], &TIME, &PLACE].concat(), lines.len())?;
        for (row, line) in (1..).zip(by_person(&lines).into_iter().flatten()) {
            let cells = person_cells(line).into_iter().chain(time_cells(&line.duty.when)).chain(place_cells(line));
            people.row(row, cells)?;
        }
        loads(book, instance, &lines)?;
        fault_sheet(book, &faults)
    })
}

/// Writes the number of duties of each person.
fn loads(book: &mut Book, instance: &Instance, lines: &[Line<'_>]) -> Written {
    const HEADS: [(&str, f64); 6] = [
        ("Invigilator", 14.0),
        ("Name", 28.0),
        ("Role", 12.0),
        ("Duties", 10.0),
        ("Least duties", 10.0),
        ("Most duties", 10.0),
    ];
    let people = &instance.resources.invigilators;
    let mut sheet = book.table("Loads", &HEADS, people.len())?;
    for (row, person) in (1..).zip(people) {
        let load = lines.iter().filter(|line| line.person.is_some_and(|own| std::ptr::eq(own, person))).count();
        let most = person.most_duties.map_or(Value::Blank, |most| count(most.into()));
        let least = if person.least_duties == 0 { Value::Blank } else { count(person.least_duties.into()) };
        let texts = [text(&person.code), text(&person.name), text(person.role.word())];
        sheet.row(row, texts.into_iter().chain([count(load as u64), least, most]))?;
    }
    Ok(())
}

fn fault_sheet(book: &mut Book, faults: &[Fault]) -> Written {
    if faults.is_empty() {
        return Ok(());
    }
    let mut sheet = book.table("Faults", &[("Kind", 14.0), ("What is wrong", 90.0)], faults.len())?;
    (1..).zip(faults).try_for_each(|(row, fault)| sheet.row(row, [text(fault.kind.key()), text(&fault.text)]))
}
