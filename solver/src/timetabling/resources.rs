//! Rooms, people and arrangements of a session, and the sittings that follow from them.
//!
//! A sitting is a group of students who write one exam together: all students of the exam but those with an arrangement,
//! those with the same extra time, or one student in a room of their own. All sittings of an exam are in its period; each
//! has rooms of its own.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Instance;

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
    pub fn admit(&self, room: &Room) -> bool {
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
    pub fn room_index(&self, code: &str) -> Option<usize> {
        self.rooms.iter().position(|room| room.code == code)
    }
}

/// Students who write one exam together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sitting {
    /// Index of the exam.
    pub exam: usize,
    /// Number of seats that it needs.
    pub students: u32,
    /// Minutes of extra time.
    pub extra: u32,
    /// True if no other sitting may be in the room.
    pub own_room: bool,
}

impl Instance {
    /// Returns `true` if the session plans rooms.
    pub fn has_rooms(&self) -> bool {
        !self.resources.rooms.is_empty()
    }

    /// All sittings, ordered by exam: first the students without an arrangement, then those with the same extra time by
    /// ascending time, then the students in rooms of their own. An exam has at least one sitting.
    pub fn sittings(&self) -> Vec<Sitting> {
        let mut arranged: Vec<Vec<(bool, u32)>> = vec![Vec::new(); self.exams.len()];
        for arrangement in &self.resources.arrangements {
            let Some(student) = Some(arrangement.student as usize).filter(|&student| student < self.students.len())
            else {
                continue;
            };
            for &exam in self.students.exams_of(student) {
                let duration = self.exams[usize::from(exam)].duration.unwrap_or(0);
                arranged[usize::from(exam)].push((arrangement.own_room, arrangement.extra.minutes(duration)));
            }
        }
        let mut sittings = Vec::with_capacity(self.exams.len());
        for (exam, mut arranged) in arranged.into_iter().enumerate() {
            let data = &self.exams[exam];
            let own_room = data.needs.own_room;
            let seats = data.needs.seats.unwrap_or(data.enrolment);
            let others = seats.saturating_sub(arranged.len() as u32);
            if others > 0 || arranged.is_empty() {
                sittings.push(Sitting { exam, students: others, extra: 0, own_room });
            }
            arranged.sort_unstable();
            for group in arranged.chunk_by(|one, other| !one.0 && one == other) {
                let (alone, extra) = group[0];
                sittings.push(Sitting { exam, students: group.len() as u32, extra, own_room: own_room || alone });
            }
        }
        sittings
    }

    /// Longest extra time of each exam in minutes; empty if the session has no arrangements.
    pub fn extra_minutes(&self) -> Vec<u32> {
        if self.resources.arrangements.is_empty() {
            return Vec::new();
        }
        let mut extra = vec![0; self.exams.len()];
        for sitting in self.sittings() {
            extra[sitting.exam] = extra[sitting.exam].max(sitting.extra);
        }
        extra
    }

    /// Returns `true` if the session has something that only the search with rooms models: rooms, people, arrangements,
    /// another objective than the published one, or relations of days and rooms.
    pub fn is_session(&self) -> bool {
        let beyond = |relation: &super::Relation| !relation.kind.is_of_periods();
        !self.resources.is_empty() || !self.objective.is_toronto() || self.rules.relations.iter().any(beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timetabling::{Exam, InstanceParts};

    #[test]
    fn students_with_the_same_extra_time_sit_together() {
        let exam = |code: &str, duration| Exam { code: code.to_owned(), duration: Some(duration), ..Exam::default() };
        let resources = Resources {
            arrangements: vec![
                Arrangement { student: 0, extra: ExtraTime::Percent(25), own_room: false },
                Arrangement { student: 1, extra: ExtraTime::Minutes(23), own_room: false },
                Arrangement { student: 2, extra: ExtraTime::Minutes(0), own_room: true },
                Arrangement { student: 3, extra: ExtraTime::Minutes(0), own_room: true },
            ],
            ..Resources::default()
        };
        // Student 4 sits A only, nobody sits C; 25 % of 90 minutes is 22.5, rounded up 23.
        let students = vec![vec![0, 1], vec![0], vec![0], vec![0], vec![0]];
        let exams = vec![exam("A", 90), exam("B", 60), exam("C", 60)];
        let instance =
            Instance::build(InstanceParts { exams, students, resources, ..InstanceParts::default() }).unwrap();
        let sitting = |exam, students, extra, own_room| Sitting { exam, students, extra, own_room };
        let expected = [
            sitting(0, 1, 0, false),
            sitting(0, 2, 23, false),
            sitting(0, 1, 0, true),
            sitting(0, 1, 0, true),
            sitting(1, 1, 15, false),
            sitting(2, 0, 0, false),
        ];
        assert_eq!(instance.sittings(), expected);
        assert_eq!(instance.extra_minutes(), [23, 15, 0]);
    }
}
