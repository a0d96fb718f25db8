//! Rooms, people and arrangements of a session, and the sittings that follow from them.
//!
//! A sitting is a group of students who write one exam together: all students of the exam but those who are apart, those
//! with the same extra time if they are apart, or one student in a room of his or her own. All sittings of an exam are in
//! its period; each has rooms of its own.

use std::collections::{BTreeSet, HashMap};

use gridwright_core::data::NameIndex;
use serde::{Deserialize, Serialize};

use super::invigilators::{InvigilationRules, Invigilator};
use super::seat_plan::SeatPlan;

/// Room in which exams are written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Room {
    /// Code of the room, such as `H1`.
    pub code: String,
    /// Number of seats for exams.
    pub seats: u32,
    /// Penalty for each sitting in the room, times the weight of the objective.
    pub penalty: u32,
    /// Building; empty if the file has none.
    pub building: String,
    /// Features that exams may ask for, such as `computers`.
    pub features: BTreeSet<String>,
    /// True if the room holds one sitting at a time.
    pub single: bool,
    /// Periods in which the room cannot be used.
    pub unavailable: BTreeSet<u16>,
    /// True for a common room of students with extra time; see [`ExtraTimePlace::CommonRoom`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extra_time: bool,
    /// Rows and seats as [`SeatPlan::parse`] reads them; empty if students sit where they like.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub seat_plan: String,
}

impl Resources {
    /// Returns `true` if a room has a plan of its seats.
    pub(crate) fn has_seat_plans(&self) -> bool {
        self.rooms.iter().any(|room| !room.seat_plan.is_empty())
    }
}

impl Room {
    /// Plan of the seats, if there is one.
    pub fn plan(&self) -> Option<SeatPlan> {
        SeatPlan::parse(&self.seat_plan).ok()
    }
}

/// Demands of one exam on its rooms.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomNeeds {
    /// True if no other exam may be in the room.
    pub own_room: bool,
    /// Largest number of rooms for one sitting; 0 stands for 1.
    pub most_rooms: u16,
    /// Features that every room of the exam must have.
    pub features: BTreeSet<String>,
    /// Codes of the rooms that may be used; empty if all may.
    pub rooms: BTreeSet<String>,
    /// Number of seats to reserve in rooms in place of the number of students; without an effect if the session has no rooms.
    pub seats: Option<u32>,
}

impl RoomNeeds {
    /// Largest number of rooms for one sitting, at least 1.
    pub fn most_rooms(&self) -> usize {
        usize::from(self.most_rooms.max(1))
    }

    /// Returns `true` if `room` is among the rooms that may be used and has all features.
    pub(crate) fn admit(&self, room: &Room) -> bool {
        (self.rooms.is_empty() || self.rooms.contains(&room.code)) && self.features.is_subset(&room.features)
    }
}

/// Examiner or lecturer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Person {
    /// Name.
    pub name: String,
    /// Indices of the exams at which the person must be present.
    pub exams: BTreeSet<u16>,
    /// Periods in which the person is absent.
    pub unavailable: BTreeSet<u16>,
}

/// Extra time of a student.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtraTime {
    /// Minutes added to each exam.
    Minutes(u32),
    /// Share of the duration in per cent, rounded up to whole minutes.
    Percent(u32),
}

impl ExtraTime {
    /// Returns `true` if there is no extra time.
    pub fn is_none(self) -> bool {
        matches!(self, Self::Minutes(0) | Self::Percent(0))
    }

    /// Minutes added to an exam of `duration` minutes.
    pub fn minutes(self, duration: u32) -> u32 {
        match self {
            Self::Minutes(minutes) => minutes,
            Self::Percent(percent) => (u64::from(duration) * u64::from(percent)).div_ceil(100) as u32,
        }
    }
}

/// Place of the students with extra time, unless they have a room of their own anyway.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray)]
pub enum ExtraTimePlace {
    /// In the rooms of the exam, which they leave later than the others.
    #[default]
    SameRoom,
    /// With those who have as much extra time, in other rooms than the others as far as the weight of further durations in a room
    /// outweighs the rooms.
    Apart,
    /// Alone in a room.
    OwnRoom,
    /// In rooms that are kept for students with extra time, whatever their exams.
    CommonRoom,
}

impl ExtraTimePlace {
    /// All places, the usual one first.
    pub const ALL: [Self; 4] = gridwright_core::variants();

    /// Words for people: «in the room of the exam».
    pub fn words(self) -> &'static str {
        match self {
            Self::SameRoom => "in the room of the exam",
            Self::Apart => "apart from the others",
            Self::OwnRoom => "alone in a room",
            Self::CommonRoom => "in a common room",
        }
    }

    /// Word on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Self::SameRoom => "same-room",
            Self::Apart => "apart",
            Self::OwnRoom => "own-room",
            Self::CommonRoom => "common-room",
        }
    }
}

/// Arrangement for one student in all of his or her exams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrangement {
    /// Index of the student.
    pub student: u32,
    /// Extra time.
    pub extra: ExtraTime,
    /// True if the student sits alone in a room.
    pub own_room: bool,
}

/// Name and address of a student. Nothing needs them; documents for people show them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contact {
    /// Index of the student.
    pub student: u32,
    /// Surname, or the whole name where first names are not apart.
    pub name: String,
    /// First names; empty if they are part of the name.
    pub first_name: String,
    /// Programme of studies.
    pub programme: String,
    /// E-mail address.
    pub email: String,
    /// Word that opens the student's exams on the page for students; empty where the student's code does.
    pub personal_code: String,
}

impl Contact {
    /// Name as lists show it: «Surname, First names».
    pub(crate) fn full_name(&self) -> String {
        let parts = [&self.name, &self.first_name].into_iter().filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// Name that a list is sorted by first: what stands before a comma, if there is one.
    pub(crate) fn surname(&self) -> &str {
        self.name.split(',').next().unwrap_or_default().trim()
    }
}

/// Rooms, people and arrangements of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resources {
    /// Rooms; empty if the session plans none.
    pub rooms: Vec<Room>,
    /// People who are needed at exams.
    pub people: Vec<Person>,
    /// Arrangements for students.
    pub arrangements: Vec<Arrangement>,
    /// Names and addresses of students, at most one for each.
    pub contacts: Vec<Contact>,
    /// Invigilators; no timetable needs them.
    pub invigilators: Vec<Invigilator>,
    /// Rules for the number of invigilators; `None` if none were entered.
    pub invigilation: Option<InvigilationRules>,
    /// Place of the students with extra time.
    pub extra_time: ExtraTimePlace,
    /// Data about students who are not in the session, at present.
    pub absent: Absent,
}

/// Data about students who are not in the session: they have left it, or have not come yet. Each stands with the student's code, and
/// its index means nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Absent {
    /// Names and addresses.
    pub contacts: Vec<(String, Contact)>,
    /// Arrangements.
    pub arrangements: Vec<(String, Arrangement)>,
}

impl Resources {
    /// Returns `None` if a student sits with the others of an exam, and `true` if alone in a room.
    pub(crate) fn is_alone(&self, arrangement: &Arrangement) -> Option<bool> {
        match self.extra_time {
            _ if arrangement.own_room => Some(true),
            ExtraTimePlace::SameRoom => None,
            ExtraTimePlace::Apart => Some(false),
            ExtraTimePlace::OwnRoom => (!arrangement.extra.is_none()).then_some(true),
            ExtraTimePlace::CommonRoom => (!arrangement.extra.is_none()).then_some(false),
        }
    }

    /// Returns `true` if there is neither a room nor a person nor an arrangement. Names of students and invigilators do not
    /// count, because they change no timetable.
    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty() && self.people.is_empty() && self.arrangements.is_empty()
    }

    /// Names and addresses by student.
    pub(crate) fn contacts_by_student(&self) -> HashMap<usize, &Contact> {
        self.contacts.iter().map(|contact| (contact.student as usize, contact)).collect()
    }

    /// Indices of the rooms by their codes.
    pub(crate) fn room_codes(&self) -> NameIndex<'_> {
        NameIndex::of(self.rooms.iter().map(|room| &room.code))
    }

    /// Index of the room with this code in any spelling; `None` if there is none.
    pub(crate) fn room_index(&self, code: &str) -> Option<usize> {
        let exact = self.rooms.iter().position(|room| room.code == code);
        exact.or_else(|| self.room_codes().get(code))
    }
}
