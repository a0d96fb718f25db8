//! Rooms, people and arrangements of a session, and the sittings that follow from them.
//!
//! A sitting is a group of students who write one exam together: all students of the exam but those with an arrangement,
//! those with the same extra time, or one student in a room of their own. All sittings of an exam are in its period; each
//! has rooms of its own.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

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
    /// Number of seats to reserve in place of the number of students.
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

/// Examiner, lecturer or invigilator.
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
    /// Minutes added to an exam of `duration` minutes.
    pub fn minutes(self, duration: u32) -> u32 {
        match self {
            Self::Minutes(minutes) => minutes,
            Self::Percent(percent) => (u64::from(duration) * u64::from(percent)).div_ceil(100) as u32,
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

/// Rooms, people and arrangements of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resources {
    /// Rooms; empty if the session plans none.
    pub rooms: Vec<Room>,
    /// People who are needed at exams.
    pub people: Vec<Person>,
    /// Arrangements for students.
    pub arrangements: Vec<Arrangement>,
}

impl Resources {
    /// Returns `true` if there is neither a room nor a person nor an arrangement.
    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty() && self.people.is_empty() && self.arrangements.is_empty()
    }

    /// Index of the room with this code; `None` if there is none.
    pub(crate) fn room_index(&self, code: &str) -> Option<usize> {
        self.rooms.iter().position(|room| room.code == code)
    }
}
