//! Rooms, people and arrangements as rows of tables, and back.

use std::collections::{BTreeSet, HashMap};

use super::specs::{OF_ARRANGEMENTS, OF_EXAMINERS, OF_EXAMS, OF_PEOPLE, OF_ROOMS};
use super::{mark, number};
use crate::resources::{Arrangement, ExtraTime, Person, Resources, Room, RoomNeeds};
use crate::{Exam, Instance, Period};
use gridwright_core::data::lists::{self, Moment};
use gridwright_core::data::{DateOrder, Reader, Row, RowReader, Rows};
use gridwright_core::text::lines::{counted, listed, quoted};

/// A number; empty for 0.
fn positive(value: u32) -> String {
    number(Some(value).filter(|&value| value > 0))
}

/// Periods as a list: dates where all periods of a day are meant, dates with the start where that identifies the period,
/// otherwise numbers from 1.
fn moments(periods: &[Period], chosen: &BTreeSet<u16>) -> String {
    let mut written: Vec<String> = Vec::new();
    for &index in chosen {
        let Some(period) = periods.get(usize::from(index)) else {
            written.push((u32::from(index) + 1).to_string());
            continue;
        };
        let of_day = || (0_u16..).zip(periods).filter(|(_, other)| other.date == period.date);
        let is_unique = of_day().filter(|(_, other)| other.start == period.start).count() == 1;
        let is_whole = of_day().all(|(other, _)| chosen.contains(&other));
        let moment = match (period.date, period.start) {
            (Some(date), _) if is_whole => Moment::Date(date, None),
            (Some(date), Some(start)) if is_unique => Moment::Date(date, Some(start)),
            _ => Moment::Number(u32::from(index) + 1),
        };
        written.push(moment.to_string());
    }
    written.dedup();
    lists::joined(written)
}

/// Cells of an exam behind its duration.
pub(crate) fn needs_cells(exam: &Exam) -> [String; 5] {
    let needs = &exam.needs;
    [
        mark(needs.own_room),
        positive(needs.most_rooms.into()),
        lists::joined(&needs.features),
        lists::joined(&needs.rooms),
        number(needs.seats),
    ]
}

/// Rows of the tables of rooms, people, examiners and arrangements.
pub(super) fn rows_of(instance: &Instance) -> [Rows; 4] {
    let Resources { rooms, people, arrangements } = &instance.resources;
    let room = |room: &Room| {
        let closed = moments(&instance.periods, &room.unavailable);
        let (seats, features) = (room.seats.to_string(), lists::joined(&room.features));
        Row::of([
            room.code.clone(),
            seats,
            room.building.clone(),
            features,
            positive(room.penalty),
            mark(room.single),
            closed,
        ])
    };
    let person = |person: &Person| Row::of([person.name.clone(), moments(&instance.periods, &person.unavailable)]);
    let examiner = |person: &Person| -> Vec<Row> {
        let exams = person.exams.iter().filter_map(|&exam| instance.exams.get(usize::from(exam)));
        exams.map(|exam| Row::of([&person.name, &exam.code])).collect()
    };
    let arrangement = |arrangement: &Arrangement| {
        let (minutes, percent) = match arrangement.extra {
            ExtraTime::Minutes(minutes) => (positive(minutes), String::new()),
            ExtraTime::Percent(percent) => (String::new(), percent.to_string()),
        };
        Row::of([instance.students.code(arrangement.student as usize), minutes, percent, mark(arrangement.own_room)])
    };
    [
        rooms.iter().map(room).collect(),
        people.iter().map(person).collect(),
        people.iter().flat_map(examiner).collect(),
        arrangements.iter().map(arrangement).collect(),
    ]
}

fn small<T: TryFrom<u64> + Default>(row: RowReader, column: usize) -> T {
    row.whole(column).and_then(|value| T::try_from(value).ok()).unwrap_or_default()
}

fn set(text: &str) -> BTreeSet<String> {
    lists::items(text).map(str::to_owned).collect()
}

/// Demands of the exam in a row.
pub(crate) fn needs_of(reader: &Reader, row: RowReader) -> RoomNeeds {
    /// Column of the demands.
    const FIRST: usize = 3;
    RoomNeeds {
        own_room: row.is_marked(FIRST),
        most_rooms: small(row, FIRST + 1),
        features: set(row.text(FIRST + 2)),
        rooms: reader.listed(OF_ROOMS, row.text(FIRST + 3)).into_iter().map(str::to_owned).collect(),
        seats: row.whole(FIRST + 4).and_then(|seats| u32::try_from(seats).ok()),
    }
}

/// Reads rooms, people and arrangements; remarks about rows without an effect go to `warnings`.
pub(crate) fn resources_of(
    reader: &mut Reader, periods: &[Period], students: &[String], warnings: &mut Vec<String>,
) -> Resources {
    let rooms = rooms_of(reader, periods, warnings);
    let people = people_of(reader, periods, warnings);
    let arrangements = arrangements_of(reader, students, warnings);
    Resources { rooms, people, arrangements }
}

fn rooms_of(reader: &mut Reader, periods: &[Period], warnings: &mut Vec<String>) -> Vec<Room> {
    let mut rooms = Vec::new();
    for row in reader.rows(OF_ROOMS) {
        rooms.push(Room {
            code: row.text(0).to_owned(),
            seats: small(row, 1),
            building: row.text(2).to_owned(),
            features: set(row.text(3)),
            penalty: small(row, 4),
            single: row.is_marked(5),
            unavailable: unavailable(reader, (OF_ROOMS, 6), row, periods, warnings),
        });
    }
    if rooms.len() > usize::from(u16::MAX) {
        reader.issue(OF_ROOMS, None, None, format!("more than {} rooms; that many cannot be handled", u16::MAX));
    }
    let known: BTreeSet<&String> = rooms.iter().flat_map(|room| &room.features).collect();
    for row in reader.rows(OF_EXAMS).filter(|_| !rooms.is_empty()) {
        if let Some(feature) = set(row.text(5)).iter().find(|feature| !known.contains(feature)) {
            let what = format!("no room has {}; add it to a room, or correct it", quoted(feature));
            reader.issue(OF_EXAMS, Some(row.index), Some(5), what);
        }
    }
    rooms
}

fn people_of(reader: &mut Reader, periods: &[Period], warnings: &mut Vec<String>) -> Vec<Person> {
    let mut people = Vec::new();
    for row in reader.rows(OF_PEOPLE) {
        let unavailable = unavailable(reader, (OF_PEOPLE, 1), row, periods, warnings);
        people.push(Person { name: row.text(0).to_owned(), exams: BTreeSet::new(), unavailable });
    }
    for row in reader.rows(OF_EXAMINERS) {
        let person = reader.index_of(OF_PEOPLE, row.text(0)).and_then(|person| people.get_mut(person));
        let exam = reader.index_of(OF_EXAMS, row.text(1)).and_then(|exam| u16::try_from(exam).ok());
        if let (Some(person), Some(exam)) = (person, exam) {
            person.exams.insert(exam);
        }
    }
    people
}

/// Arrangements of the students who sit an exam or are in the session without one.
fn arrangements_of(reader: &mut Reader, students: &[String], warnings: &mut Vec<String>) -> Vec<Arrangement> {
    let mut arrangements = Vec::new();
    let mut unknown = Vec::new();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let is_any = reader.rows(OF_ARRANGEMENTS).next().is_some();
    let known: HashMap<&str, u32> =
        students.iter().filter(|_| is_any).zip(0..).map(|(code, number)| (code.as_str(), number)).collect();
    for row in reader.rows(OF_ARRANGEMENTS) {
        let code = row.text(0);
        if row.minutes(1).is_some() && row.whole(2).is_some() {
            let what = "there are minutes and per cent; leave one of them empty";
            reader.issue(OF_ARRANGEMENTS, Some(row.index), Some(2), what);
        }
        if let Some(first) = seen.insert(code, row.index) {
            let what = format!("{} stands in row {}, too; keep one of the rows", quoted(code), first + 1);
            reader.issue(OF_ARRANGEMENTS, Some(row.index), Some(0), what);
        }
        let percent = row.whole(2).and_then(|percent| u32::try_from(percent).ok()).map(ExtraTime::Percent);
        let extra = percent.unwrap_or(ExtraTime::Minutes(row.minutes(1).unwrap_or(0)));
        match known.get(code) {
            Some(&student) => arrangements.push(Arrangement { student, extra, own_room: row.is_marked(3) }),
            None => unknown.push(code),
        }
    }
    if !unknown.is_empty() {
        let (count, codes) = (counted(unknown.len(), "arrangement"), listed(&unknown));
        warnings.push(format!("{count} of students who sit no exam have no effect: {codes}"));
    }
    arrangements
}

/// Periods in a cell; numbers and times that are no period become issues, days without periods a remark.
fn unavailable(
    reader: &mut Reader, (table, column): (usize, usize), row: RowReader, periods: &[Period],
    warnings: &mut Vec<String>,
) -> BTreeSet<u16> {
    let mut chosen = BTreeSet::new();
    let (mut wrong, mut idle) = (None, Vec::new());
    for moment in lists::moments(row.text(column), DateOrder::DayFirst).unwrap_or_default() {
        match moment {
            // Without periods their number is not known yet.
            Moment::Number(number) if number as usize <= periods.len() || periods.is_empty() => {
                chosen.extend(u16::try_from(number - 1));
            }
            Moment::Number(_) => {
                wrong =
                    wrong.or(Some(format!("{moment} is no period; there are {}", counted(periods.len(), "period"))));
            }
            Moment::Date(date, start) => {
                let of_day = (0_u16..).zip(periods).filter(|(_, period)| period.date == Some(date));
                let of_day: Vec<(u16, &Period)> = of_day.collect();
                let meant = of_day.iter().filter(|(_, period)| start.is_none() || period.start == start);
                let before = chosen.len();
                chosen.extend(meant.clone().map(|(index, _)| *index));
                if of_day.is_empty() {
                    idle.push(moment.to_string());
                } else if chosen.len() == before && meant.count() == 0 {
                    wrong = wrong.or(Some(format!("no period begins at {moment}; write the start of a period")));
                }
            }
        }
    }
    if let Some(what) = wrong {
        reader.issue(table, Some(row.index), Some(column), what);
    }
    if !idle.is_empty() {
        warnings.push(format!("{}: no period is on {}, which has no effect", row.text(0), listed(&idle)));
    }
    chosen
}
