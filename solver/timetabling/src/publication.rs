//! Published versions of a timetable, and what has changed since.
//!
//! A version is a copy of everything that people were told: times and rooms of the exams, and who sits where. Exams, rooms,
//! students and examiners are named by their codes, so that a version outlives every change of the data.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use super::invigilators::Duty;
use super::words;
use gridwright_core::data::{FormerNames, is_same_name, key};
use gridwright_core::text::language::Language;
use gridwright_core::text::order::list_key;

/// Words in place of a room for a student for whom no room has a seat.
pub(crate) const NO_SEAT: &str = words::NO_SEAT.of(Language::English);

/// Words in place of something confidential.
pub(crate) const OWN_LETTER: &str = words::OWN_LETTER.of(Language::English);

/// A published version of a timetable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// Number of the version, counted from 1.
    pub version: u32,
    /// Time of publication.
    pub at: DateTime<Utc>,
    /// Exams with a place.
    pub exams: Vec<PublishedExam>,
    /// Codes of the rooms that students were told.
    pub rooms: Vec<String>,
    /// Students with the exams that they sit.
    pub students: Vec<PublishedStudent>,
    /// Duties of invigilators.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub duties: Vec<Duty>,
}

impl Publication {
    /// The version with the present codes of exams and rooms and names of examiners: people know them by what they sit and where.
    #[must_use]
    pub fn renamed(mut self, names: &FormerNames) -> Self {
        for exam in &mut self.exams {
            names.update("exams", &mut exam.code);
            exam.rooms.iter_mut().for_each(|room| names.update("rooms", room));
            exam.examiners.iter_mut().for_each(|person| names.update("people", person));
        }
        self.rooms.iter_mut().for_each(|room| names.update("rooms", room));
        self.duties.iter_mut().for_each(|duty| duty.rename(names));
        self
    }
}

/// An exam of a published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedExam {
    /// Code.
    pub code: String,
    /// Title, or empty.
    pub title: String,
    /// When the exam takes place.
    pub when: When,
    /// Rooms that everyone may read about, by code.
    pub rooms: Vec<String>,
    /// Examiners.
    pub examiners: Vec<String>,
}

/// When an exam takes place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// Period, counted from 1.
    pub period: u16,
    /// Date, where the period has one.
    #[serde(default, deserialize_with = "gridwright_core::text::values::stored_date")]
    pub date: Option<NaiveDate>,
    /// Time of the beginning, where the period has one.
    pub start: Option<NaiveTime>,
    /// End without extra time, where it is known.
    pub end: Option<NaiveTime>,
}

/// A student of a published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedStudent {
    /// Code.
    pub code: String,
    /// The exams.
    pub exams: Vec<PublishedSeat>,
}

/// An exam of a student in a published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedSeat {
    /// Position of the exam among those of the version.
    pub exam: u32,
    /// Position of the room among those of the version; `None` without rooms, and for a student without a seat.
    pub room: Option<u16>,
    /// End of the exam for this student, where extra time makes it another than for most.
    #[serde(default)]
    pub end: Option<NaiveTime>,
    /// Label of the seat, such as `B7`; `None` in rooms without a plan of their seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
}

/// Kind of the persons or things that a change concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Affected {
    /// The exam itself, for everyone.
    Exam,
    /// A student.
    Student,
    /// An examiner.
    Examiner,
    /// A room.
    Room,
}

impl Affected {
    /// Word of tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exam => "exam",
            Self::Student => "student",
            Self::Examiner => "examiner",
            Self::Room => "room",
        }
    }
}

/// Time and rooms of an exam for someone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointment {
    /// When.
    pub when: When,
    /// Rooms, joined with commas, or [`NO_SEAT`]; empty without rooms.
    pub rooms: String,
    /// Label of the seat; empty without one, and for everyone but the student.
    pub seat: String,
    /// End for most, without extra time.
    pub(crate) usual_end: Option<NaiveTime>,
    /// True if everyone may read about the rooms; rooms of those who are apart are confidential.
    pub is_public: bool,
}

/// Kind of a difference between two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The exam is new.
    New,
    /// The exam is cancelled.
    Cancelled,
    /// It begins at the same time and ends at another one.
    OtherEnd,
    /// The time is another one.
    OtherTime,
    /// The room is another one.
    OtherRoom,
    /// The seat in the room is another one.
    OtherSeat,
    /// Time and room are other ones.
    OtherTimeAndRoom,
}

impl ChangeKind {
    /// The kind in a language: «other time and room».
    pub fn words(self, language: Language) -> &'static str {
        let text = match self {
            Self::New => words::NEW,
            Self::Cancelled => words::CANCELLED,
            Self::OtherEnd => words::OTHER_END,
            Self::OtherTime => words::OTHER_TIME,
            Self::OtherRoom => words::OTHER_ROOM,
            Self::OtherSeat => words::OTHER_SEAT,
            Self::OtherTimeAndRoom => words::OTHER_TIME_AND_ROOM,
        };
        text.of(language)
    }
}

/// A difference between two versions for someone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Kind of those whom it concerns.
    pub affected: Affected,
    /// Code of the student or room, name of the examiner; empty for an exam.
    pub who: String,
    /// Code of the exam.
    pub exam: String,
    /// Title of the exam, or empty.
    pub title: String,
    /// As it was published; `None` if it is new.
    pub before: Option<Appointment>,
    /// As it is now; `None` if it is cancelled.
    pub now: Option<Appointment>,
}

impl Change {
    /// Kind of the difference.
    pub fn kind(&self) -> ChangeKind {
        match (&self.before, &self.now) {
            (None, _) => ChangeKind::New,
            (_, None) => ChangeKind::Cancelled,
            (Some(Appointment { when, rooms, .. }), Some(now)) if is_same_name(rooms, &now.rooms) => {
                if *when == now.when {
                    return ChangeKind::OtherSeat;
                }
                let is_end = When { end: None, ..when.clone() } == When { end: None, ..now.when.clone() };
                if is_end { ChangeKind::OtherEnd } else { ChangeKind::OtherTime }
            }
            (Some(before), Some(now)) if before.when == now.when => ChangeKind::OtherRoom,
            _ => ChangeKind::OtherTimeAndRoom,
        }
    }
}

/// Appointment of someone for an exam.
pub(crate) struct Appointed<'a> {
    pub(crate) who: String,
    pub(crate) exam: &'a PublishedExam,
    pub(crate) appointment: Appointment,
}

impl Appointed<'_> {
    /// The appointment as a new one.
    fn change(self, affected: Affected) -> Change {
        let Self { who, exam, appointment } = self;
        let (exam, title) = (exam.code.clone(), exam.title.clone());
        Change { affected, who, exam, title, before: None, now: Some(appointment) }
    }
}

impl Appointment {
    /// Rooms and seat in a language: «H1, seat B7»; empty without rooms.
    pub fn place(&self, language: Language) -> String {
        let rooms = match self.rooms.as_str() {
            NO_SEAT => words::NO_SEAT.of(language),
            OWN_LETTER => words::OWN_LETTER.of(language),
            codes => codes,
        };
        match self.seat.as_str() {
            "" => rooms.to_owned(),
            seat => words::SEAT_IN.with(language, &[rooms, seat]),
        }
    }

    /// Returns `true` if time and rooms are the same, whatever the spelling of the rooms.
    fn is_same(&self, other: &Self) -> bool {
        self.when == other.when && is_same_name(&self.rooms, &other.rooms) && self.seat == other.seat
    }
}

impl Change {
    /// The change without extra time and rooms of those who are apart, which stand in the person's own letter alone.
    pub(crate) fn for_everyone(&self) -> Self {
        let of = |appointment: &Option<Appointment>| {
            appointment.clone().map(|mut appointment| {
                appointment.when.end = appointment.usual_end;
                if !appointment.is_public {
                    OWN_LETTER.clone_into(&mut appointment.rooms);
                    appointment.seat.clear();
                }
                appointment
            })
        };
        Self { before: of(&self.before), now: of(&self.now), ..self.clone() }
    }

    /// Returns `true` if the change is in something confidential alone.
    pub(crate) fn is_confidential(&self) -> bool {
        let everyone = self.for_everyone();
        everyone.before == everyone.now
    }
}

impl Publication {
    /// Appointments of everyone by kind, and by code or name and exam in the form in which spellings are compared.
    pub(crate) fn appointments<'a>(&'a self) -> BTreeMap<(Affected, String, String), Appointed<'a>> {
        let mut all = BTreeMap::new();
        let mut add = |affected: Affected,
                       who: &str,
                       exam: &'a PublishedExam,
                       rooms: String,
                       (end, seat): (Option<NaiveTime>, &str)| {
            let (when, usual_end) = (When { end: end.or(exam.when.end), ..exam.when.clone() }, exam.when.end);
            let is_of_all = !matches!(affected, Affected::Student | Affected::Room);
            let is_public = is_of_all || rooms.is_empty() || rooms == NO_SEAT || exam.rooms.contains(&rooms);
            let appointment = Appointment { when, rooms, seat: seat.to_owned(), usual_end, is_public };
            let appointed = Appointed { who: who.to_owned(), exam, appointment };
            all.insert((affected, key(who), key(&exam.code)), appointed);
        };
        for exam in &self.exams {
            let rooms = exam.rooms.join(", ");
            add(Affected::Exam, "", exam, rooms.clone(), (None, ""));
            for person in &exam.examiners {
                add(Affected::Examiner, person, exam, rooms.clone(), (None, ""));
            }
        }
        let has_rooms = self.students.iter().flat_map(|student| &student.exams).any(|seat| seat.room.is_some());
        let no_seat = if has_rooms { NO_SEAT } else { "" };
        let mut used: BTreeSet<(u16, u32)> = BTreeSet::new();
        for student in &self.students {
            for &PublishedSeat { exam: number, room, end, ref seat } in &student.exams {
                let Some(exam) = self.exams.get(number as usize) else { continue };
                let code = room.and_then(|room| self.rooms.get(usize::from(room))).map_or(no_seat, String::as_str);
                let seat = seat.as_deref().unwrap_or_default();
                add(Affected::Student, &student.code, exam, code.to_owned(), (end, seat));
                used.extend(room.map(|room| (room, number)));
            }
        }
        for (room, number) in used {
            if let (Some(code), Some(exam)) = (self.rooms.get(usize::from(room)), self.exams.get(number as usize)) {
                add(Affected::Room, code, exam, code.clone(), (None, ""));
            }
        }
        all
    }

    /// Differences of a later version, for everyone: exams first, then students, examiners and rooms, each in the order of
    /// codes or names and of exams.
    pub(crate) fn changes_to(&self, now: &Self) -> Vec<Change> {
        let (mut before, after) = (self.appointments(), now.appointments());
        let mut changes = Vec::new();
        for (key, present) in after {
            let former = before.remove(&key).map(|former| former.appointment);
            if !former.as_ref().is_some_and(|former| former.is_same(&present.appointment)) {
                changes.push(Change { before: former, ..present.change(key.0) });
            }
        }
        for ((affected, ..), former) in before {
            let change = former.change(affected);
            changes.push(Change { before: change.now, now: None, ..change });
        }
        changes.sort_by_cached_key(|it| (it.affected, list_key(&it.who), list_key(&it.exam)));
        changes
    }
}
