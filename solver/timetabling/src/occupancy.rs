//! Rooms of a timetable as documents show them: the sittings of each exam with their rooms and ends, and the use of each
//! room by period.

use std::collections::HashMap;
use std::ops::Range;

use chrono::NaiveTime;

use super::counts::placed;
use super::{ExtraTime, Instance, Room, Seats, Sitting, Timetable};
use gridwright_core::text::order::list_key;

/// Sittings of a timetable with rooms.
pub(crate) struct Occupancy<'a> {
    instance: &'a Instance,
    timetable: &'a Timetable,
    sittings: Vec<Sitting>,
    /// Sittings of exam e: `first[e]..first[e + 1]`.
    first: Vec<usize>,
    /// Sitting of each student who is apart from the others of an exam, by student and exam.
    apart: HashMap<(usize, u16), usize>,
    /// Extra time of students.
    extra: HashMap<usize, ExtraTime>,
}

/// Use of a room by one sitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoomUse {
    /// Period.
    pub period: usize,
    /// Index of the room.
    pub room: usize,
    /// Index of the sitting.
    pub sitting: usize,
    /// Students of the sitting in the room.
    pub students: u32,
    /// Seats of the room that no sitting of the period takes; negative if the room is overfull.
    pub free: i64,
}

/// Codes of the rooms of each exam, those of students with extra time included: «H1, H2»; empty if the timetable has no rooms.
pub fn rooms_of_exams(instance: &Instance, timetable: &Timetable) -> Vec<String> {
    let Some(occupancy) = Occupancy::of(instance, timetable) else { return Vec::new() };
    (0..instance.exam_count()).map(|exam| occupancy.room_codes(occupancy.of_exam(exam)).join(", ")).collect()
}

impl<'a> Occupancy<'a> {
    /// Sittings of a timetable; `None` if it has no rooms.
    pub(crate) fn of(instance: &'a Instance, timetable: &'a Timetable) -> Option<Self> {
        if !instance.has_rooms() || timetable.rooms.is_empty() {
            return None;
        }
        let (sittings, apart) = instance.sittings_with_students();
        let first = (0..=instance.exam_count()).map(|exam| sittings.partition_point(|sitting| sitting.exam < exam));
        let first = first.collect();
        let of_students = instance.resources.arrangements.iter();
        let extra = of_students.map(|arrangement| (arrangement.student as usize, arrangement.extra)).collect();
        Some(Self { instance, timetable, sittings, first, apart, extra })
    }

    /// Sittings of an exam.
    pub(crate) fn of_exam(&self, exam: usize) -> Range<usize> {
        self.first[exam]..self.first[exam + 1]
    }

    /// Sitting of a student in an exam that the student sits.
    pub(crate) fn of_student(&self, student: usize, exam: usize) -> usize {
        self.apart.get(&(student, exam as u16)).copied().unwrap_or(self.first[exam])
    }

    /// A sitting.
    pub(crate) fn sitting(&self, sitting: usize) -> &Sitting {
        &self.sittings[sitting]
    }

    /// Number of sittings.
    pub(crate) fn sittings(&self) -> usize {
        self.sittings.len()
    }

    /// The timetable.
    pub(crate) fn timetable(&self) -> &'a Timetable {
        self.timetable
    }

    /// Rooms of an exam that everyone may read about, by code: those of the students who are not apart.
    pub(crate) fn public_rooms(&self, exam: usize) -> Vec<&'a str> {
        self.room_codes(self.of_exam(exam).filter(|&sitting| self.is_public(sitting)))
    }

    /// Codes of the rooms of sittings, each once, in the order of lists.
    fn room_codes(&self, sittings: impl Iterator<Item = usize>) -> Vec<&'a str> {
        let mut codes: Vec<&str> = sittings.flat_map(|at| self.rooms(at)).map(|(room, _)| room.code.as_str()).collect();
        codes.sort_by_cached_key(|code| list_key(code));
        codes.dedup();
        codes
    }

    /// Returns `true` if everyone may read about the rooms of a sitting: those of students with extra time or alone in a room
    /// are confidential.
    pub(crate) fn is_public(&self, sitting: usize) -> bool {
        let Sitting { extra, is_alone, .. } = self.sittings[sitting];
        extra == 0 && !is_alone
    }

    /// Indices of the rooms of a sitting with the students in them.
    pub(crate) fn room_indices(&self, sitting: usize) -> impl Iterator<Item = (usize, u32)> + use<'a> {
        let rooms = self.instance.resources.rooms.len();
        let seats: &[Seats] = self.timetable.rooms.get(sitting).map_or(&[], Vec::as_slice);
        let known = seats.iter().filter(move |seats| usize::from(seats.room) < rooms);
        known.map(|seats| (usize::from(seats.room), seats.students))
    }

    /// Rooms of a sitting with the students in them.
    pub(crate) fn rooms(&self, sitting: usize) -> impl Iterator<Item = (&'a Room, u32)> + use<'a> {
        let rooms = &self.instance.resources.rooms;
        self.room_indices(sitting).map(|(room, students)| (&rooms[room], students))
    }

    /// Rooms of a sitting with the students in them: «H1 (120), H2 (30)».
    pub(crate) fn words(&self, sitting: usize) -> String {
        self.rooms(sitting).map(|(room, students)| format!("{} ({students})", room.code)).collect::<Vec<_>>().join(", ")
    }

    /// End of a sitting in a period, with its extra time, and the number of midnights before it.
    pub(crate) fn end(&self, sitting: usize, period: usize) -> Option<(NaiveTime, u32)> {
        let Sitting { exam, extra, .. } = self.sittings[sitting];
        self.instance.end_with(exam, period, extra)
    }

    /// Minutes of extra time of a student in an exam.
    pub(crate) fn extra_of(&self, student: usize, exam: usize) -> u32 {
        self.extra.get(&student).map_or(0, |extra| extra.minutes(self.instance.nominal_minutes(exam)))
    }

    /// End of an exam for a student, with his or her extra time, and the number of midnights before it.
    pub(crate) fn end_for(&self, student: usize, exam: usize, period: usize) -> Option<(NaiveTime, u32)> {
        self.instance.end_with(exam, period, self.extra_of(student, exam))
    }

    /// All uses of rooms, by period, room and sitting.
    pub(crate) fn uses(&self) -> Vec<RoomUse> {
        let mut uses = Vec::new();
        for (sitting, seats) in self.timetable.rooms.iter().enumerate().take(self.sittings.len()) {
            let Some(period) = placed(self.instance, self.timetable, self.sittings[sitting].exam) else { continue };
            let known = seats.iter().filter(|seats| usize::from(seats.room) < self.instance.resources.rooms.len());
            uses.extend(known.map(|seats| RoomUse {
                period,
                room: seats.room.into(),
                sitting,
                students: seats.students,
                free: 0,
            }));
        }
        uses.sort_by_key(|of| (of.period, of.room, of.sitting));
        for together in uses.chunk_by_mut(|one, other| (one.period, one.room) == (other.period, other.room)) {
            let taken: i64 = together.iter().map(|of| i64::from(of.students)).sum();
            let free = i64::from(self.instance.resources.rooms[together[0].room].seats) - taken;
            together.iter_mut().for_each(|of| of.free = free);
        }
        uses
    }
}

#[cfg(test)]
pub(super) mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::{Arrangement, Exam, ExtraTimePlace, InstanceParts, Period, Resources};

    /// Exam A with 4 students, one of them with 25 % and one alone with 50 % of extra time; exam B with 2 students. Both are
    /// in the first of two periods: A in H1 and, with extra time, in R5 and R6; B shares H1.
    pub(crate) fn seated() -> (Instance, Timetable) {
        let exam = |code: &str, minutes| Exam { code: code.to_owned(), duration: Some(minutes), ..Exam::default() };
        let room =
            |code: &str, seats| Room { code: code.to_owned(), seats, building: "Main".to_owned(), ..Room::default() };
        let arrangement =
            |student, percent, own_room| Arrangement { student, extra: ExtraTime::Percent(percent), own_room };
        let time = |hour| chrono::NaiveTime::from_hms_opt(hour, 0, 0);
        let period = |hour| Period {
            date: NaiveDate::from_ymd_opt(2026, 6, 1),
            start: time(hour),
            end: time(hour + 3),
            ..Period::default()
        };
        let instance = Instance::build(InstanceParts {
            name: "seated".to_owned(),
            exams: vec![exam("A", 90), exam("B", 60)],
            students: vec![vec![0], vec![0], vec![0], vec![0], vec![1], vec![1]],
            periods: vec![period(9), period(14)],
            resources: Resources {
                rooms: vec![room("H1", 5), room("R5", 2), room("R6", 1)],
                arrangements: vec![arrangement(3, 50, true), arrangement(1, 25, false)],
                extra_time: ExtraTimePlace::Apart,
                ..Resources::default()
            },
            ..InstanceParts::default()
        })
        .unwrap();
        let seats = |room, students| vec![Seats { room, students }];
        let rooms = vec![seats(0, 2), seats(1, 1), seats(2, 1), seats(0, 2)];
        (instance, Timetable { periods: vec![0, 0], rooms })
    }

    /// As [`seated`], with one student of each exam who has extra time in the common room R5.
    pub(crate) fn common_room() -> (Instance, Timetable) {
        let (mut instance, timetable) = seated();
        let arrangement =
            |student, percent| Arrangement { student, extra: ExtraTime::Percent(percent), own_room: false };
        instance.resources.arrangements = vec![arrangement(1, 25), arrangement(4, 50)];
        instance.resources.extra_time = ExtraTimePlace::CommonRoom;
        instance.resources.rooms[1].extra_time = true;
        let seats = |room, students| vec![Seats { room, students }];
        (instance, Timetable { rooms: vec![seats(0, 3), seats(1, 1), seats(0, 1), seats(1, 1)], ..timetable })
    }

    #[test]
    fn students_find_their_sittings_and_rooms_their_free_seats() {
        let (instance, timetable) = seated();
        assert!(Occupancy::of(&instance, &Timetable::of(vec![0, 0])).is_none());
        let occupancy = Occupancy::of(&instance, &timetable).unwrap();
        let sittings: Vec<usize> = (0..4).map(|student| occupancy.of_student(student, 0)).collect();
        assert_eq!(sittings, [0, 1, 0, 2]);
        assert_eq!(occupancy.of_student(5, 1), 3);
        assert_eq!((occupancy.words(1).as_str(), occupancy.public_rooms(0)), ("R5 (1)", vec!["H1"]));
        // 90 minutes and 23 or 45 more.
        let ends: Vec<String> = (0..3).map(|sitting| occupancy.end(sitting, 0).unwrap().0.to_string()).collect();
        assert_eq!(ends, ["10:30:00", "10:53:00", "11:15:00"]);
        let uses: Vec<_> = occupancy.uses().iter().map(|of| (of.room, of.sitting, of.students, of.free)).collect();
        assert_eq!(uses, [(0, 0, 2, 1), (0, 3, 2, 1), (1, 1, 1, 1), (2, 2, 1, 0)]);
    }
}
