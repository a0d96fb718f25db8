//! Rooms, people and arrangements as rows of tables, and back.

use std::collections::{BTreeSet, HashMap};

use super::invigilators::{invigilators_of, rules_of};
use super::specs::{OF_ARRANGEMENTS, OF_EXAMINERS, OF_EXAMS, OF_PEOPLE, OF_ROOMS, OF_STUDENTS};
use super::{mark, number};
use crate::resources::{Absent, Arrangement, Contact, ExtraTime, ExtraTimePlace, Person, Resources, Room, RoomNeeds};
use crate::seat_plan::SeatPlan;
use crate::{Exam, Instance, Period};
use gridwright_core::data::lists::{self, Moment};
use gridwright_core::data::{DateOrder, NameIndex, Reader, Row, RowReader, Rows, key};
use gridwright_core::text::lines::{counted, listed, quoted};

/// A number; empty for 0.
pub(super) fn positive(value: u32) -> String {
    number(Some(value).filter(|&value| value > 0))
}

/// Periods as a list: dates where all periods of a day are meant, dates with the start where that identifies the period,
/// otherwise numbers from 1.
pub(super) fn moments(periods: &[Period], chosen: &BTreeSet<u16>) -> String {
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

/// Rows of the tables of rooms, people, examiners, arrangements and students.
pub(super) fn rows_of(instance: &Instance) -> [Rows; 5] {
    let Resources { rooms, people, arrangements, contacts, absent, .. } = &instance.resources;
    let code = |student: u32| instance.students.code(student as usize);
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
            room.seat_plan.clone(),
            mark(room.extra_time),
        ])
    };
    let person = |person: &Person| Row::of([person.name.clone(), moments(&instance.periods, &person.unavailable)]);
    let examiner = |person: &Person| -> Vec<Row> {
        let exams = person.exams.iter().filter_map(|&exam| instance.exams.get(usize::from(exam)));
        exams.map(|exam| Row::of([&person.name, &exam.code])).collect()
    };
    let arrangement = |code: &str, arrangement: &Arrangement| {
        let (minutes, percent) = match arrangement.extra {
            ExtraTime::Minutes(minutes) => (positive(minutes), String::new()),
            ExtraTime::Percent(percent) => (String::new(), percent.to_string()),
        };
        Row::of([code, &minutes, &percent, &mark(arrangement.own_room)])
    };
    let contact = |code: &str, contact: &Contact| {
        let Contact { name, first_name, programme, email, personal_code, .. } = contact;
        Row::of([code, name, first_name, programme, email, personal_code])
    };
    let arrangements = arrangements.iter().map(|of| arrangement(&code(of.student), of));
    let contacts = contacts.iter().map(|of| contact(&code(of.student), of));
    [
        rooms.iter().map(room).collect(),
        people.iter().map(person).collect(),
        people.iter().flat_map(examiner).collect(),
        arrangements.chain(absent.arrangements.iter().map(|(code, of)| arrangement(code, of))).collect(),
        contacts.chain(absent.contacts.iter().map(|(code, of)| contact(code, of))).collect(),
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
        rooms: {
            let rooms = reader.listed(OF_ROOMS, row.text(FIRST + 3)).into_iter();
            rooms.map(|room| reader.spelled(OF_ROOMS, room).to_owned()).collect()
        },
        seats: row.whole(FIRST + 4).and_then(|seats| u32::try_from(seats).ok()),
    }
}

/// Reads rooms, people and arrangements; remarks about rows without an effect go to `warnings`.
pub(crate) fn resources_of(
    reader: &mut Reader, periods: &[Period], students: &[String], warnings: &mut Vec<String>,
) -> Resources {
    let rooms = rooms_of(reader, periods, warnings);
    let people = people_of(reader, periods, warnings);
    let mut absent = Absent::default();
    let arrangements = arrangements_of(reader, students, &mut absent, warnings);
    let contacts = contacts_of(reader, students, &mut absent);
    if !absent.contacts.is_empty() {
        let verb = if absent.contacts.len() == 1 { "sits" } else { "sit" };
        let students = counted(absent.contacts.len(), "student");
        warn(warnings, format!("{students} of the table of students {verb} no exam; the names stay in the table"));
    }
    let invigilators = invigilators_of(reader, periods, warnings);
    let invigilation = rules_of(reader);
    let extra_time = ExtraTimePlace::default();
    Resources { rooms, people, arrangements, contacts, invigilators, invigilation, extra_time, absent }
}

/// Adds a remark that may be known from an earlier reading of the same rows.
fn warn(warnings: &mut Vec<String>, text: String) {
    if !warnings.contains(&text) {
        warnings.push(text);
    }
}

/// Students by code, if a table has rows about them.
fn numbers_of<'a>(reader: &Reader, table: usize, students: &'a [String]) -> NameIndex<'a> {
    let is_any = reader.rows(table).next().is_some();
    NameIndex::of(students.iter().filter(|_| is_any))
}

/// Names of the students who sit an exam or are in the session without one; those of others stay beside them.
fn contacts_of(reader: &Reader, students: &[String], absent: &mut Absent) -> Vec<Contact> {
    let known = numbers_of(reader, OF_STUDENTS, students);
    let mut contacts = Vec::new();
    for row in reader.rows(OF_STUDENTS) {
        let text = |column| row.text(column).to_owned();
        let student = known.get(row.text(0)).map(|student| student as u32);
        let contact = Contact {
            student: student.unwrap_or(u32::MAX),
            name: text(1),
            first_name: text(2),
            programme: text(3),
            email: text(4),
            personal_code: text(5),
        };
        match student {
            Some(_) => contacts.push(contact),
            None => absent.contacts.push((text(0), contact)),
        }
    }
    contacts
}

/// Checks the plan of the seats of a room.
fn seat_plan(reader: &mut Reader, row: RowReader<'_>, warnings: &mut Vec<String>) {
    if row.text(7).is_empty() {
        return;
    }
    match SeatPlan::parse(row.text(7)) {
        Err(what) => reader.issue(OF_ROOMS, Some(row.index), Some(7), what),
        Ok(plan) => {
            let (planned, seats) = (plan.places().len() as u64, u64::from(small::<u32>(row, 1)));
            if planned < seats {
                let [planned, seats] = [planned, seats].map(|count| counted(count as usize, "seat"));
                warnings.push(format!(
                    "The seat plan of room {} has {planned}, the room {seats} for exams; whoever comes last has no seat of his or her own",
                    row.text(0)
                ));
            }
        }
    }
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
            seat_plan: row.text(7).to_owned(),
            extra_time: row.is_marked(8),
        });
        seat_plan(reader, row, warnings);
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

/// Arrangements of the students who sit an exam or are in the session without one; those of others stay beside them.
fn arrangements_of(
    reader: &mut Reader, students: &[String], absent: &mut Absent, warnings: &mut Vec<String>,
) -> Vec<Arrangement> {
    let mut arrangements = Vec::new();
    let mut unknown = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let known = numbers_of(reader, OF_ARRANGEMENTS, students);
    for row in reader.rows(OF_ARRANGEMENTS) {
        let code = row.text(0);
        if row.minutes(1).is_some() && row.whole(2).is_some() {
            let what = "there are minutes and per cent; leave one of them empty";
            reader.issue(OF_ARRANGEMENTS, Some(row.index), Some(2), what);
        }
        if let Some(first) = seen.insert(key(code), row.index) {
            let what = format!("{} stands in row {}, too; keep one of the rows", quoted(code), first + 1);
            reader.issue(OF_ARRANGEMENTS, Some(row.index), Some(0), what);
        }
        let percent = row.whole(2).and_then(|percent| u32::try_from(percent).ok()).map(ExtraTime::Percent);
        let extra = percent.unwrap_or(ExtraTime::Minutes(row.minutes(1).unwrap_or(0)));
        let student = known.get(code).map(|student| student as u32);
        let arrangement = Arrangement { student: student.unwrap_or(u32::MAX), extra, own_room: row.is_marked(3) };
        match student {
            Some(_) => arrangements.push(arrangement),
            None => {
                absent.arrangements.push((code.to_owned(), arrangement));
                unknown.push(code);
            }
        }
    }
    if !unknown.is_empty() {
        let (count, codes) = (counted(unknown.len(), "arrangement"), listed(&unknown));
        let have = if unknown.len() == 1 { "has" } else { "have" };
        warn(warnings, format!("{count} of students who sit no exam {have} no effect: {codes}"));
    }
    arrangements
}

/// Periods that a list names, with the first item that is no period as a sentence, and days without periods.
struct Chosen {
    periods: BTreeSet<u16>,
    wrong: Option<String>,
    idle: Vec<String>,
}

impl Chosen {
    /// Periods of a list of moments; a list that cannot be read names none.
    fn of(text: &str, periods: &[Period]) -> Self {
        let mut chosen = Self { periods: BTreeSet::new(), wrong: None, idle: Vec::new() };
        for moment in lists::moments(text, DateOrder::DayFirst).unwrap_or_default() {
            let wrong = chosen.add(moment, periods).err();
            chosen.wrong = chosen.wrong.or(wrong);
        }
        chosen
    }

    fn add(&mut self, moment: Moment, periods: &[Period]) -> Result<(), String> {
        if let Moment::Number(number) = moment {
            // Without periods their number is not known yet.
            if number as usize > periods.len() && !periods.is_empty() {
                return Err(format!("{moment} is no period; there are {}", counted(periods.len(), "period")));
            }
            self.periods.extend(u16::try_from(number - 1));
            return Ok(());
        }
        let dated = (0_u16..).zip(periods).filter_map(|(index, period)| Some((index, period.date?, period.start)));
        let of_days: Vec<_> = dated.filter(|(_, date, _)| moment.is_on(*date)).collect();
        let mut meant = of_days.iter().filter(|(_, date, start)| moment.holds(*date, *start)).peekable();
        if of_days.is_empty() {
            self.idle.push(match moment {
                Moment::From(first) => format!("or after {first}"),
                Moment::Until(last) => format!("or before {last}"),
                _ => moment.to_string(),
            });
        } else if meant.peek().is_none() {
            return Err(format!("no period begins at {moment}; write the start of a period"));
        }
        self.periods.extend(meant.map(|(index, ..)| *index));
        Ok(())
    }
}

/// Periods of a list that a person has typed.
///
/// # Errors
/// A sentence about the first item that is no period.
pub(crate) fn periods_of(text: &str, periods: &[Period]) -> Result<BTreeSet<u16>, String> {
    lists::moments(text, DateOrder::DayFirst)?;
    let Chosen { periods, wrong, idle } = Chosen::of(text, periods);
    match (wrong, idle.first()) {
        (Some(wrong), _) => Err(wrong),
        (None, Some(day)) => Err(format!("no period is on {day}; write dates of the session")),
        (None, None) => Ok(periods),
    }
}

/// Periods in a cell; numbers and times that are no period become issues, days without periods a remark.
pub(super) fn unavailable(
    reader: &mut Reader, (table, column): (usize, usize), row: RowReader, periods: &[Period],
    warnings: &mut Vec<String>,
) -> BTreeSet<u16> {
    let Chosen { periods: chosen, wrong, idle } = Chosen::of(row.text(column), periods);
    if let Some(what) = wrong {
        reader.issue(table, Some(row.index), Some(column), what);
    }
    if !idle.is_empty() {
        warnings.push(format!("{}: no period is on {}, which has no effect", row.text(0), listed(&idle)));
    }
    chosen
}
