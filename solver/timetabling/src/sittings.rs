//! Sittings of a session: groups of students who write one exam together.

mod keys;
mod matching;

use std::collections::HashMap;

use super::{ExtraTimePlace, Instance, Period, Relation, RelationKind, Room, Seats};

pub(super) use matching::SittingKey;

/// For each sitting of an exam the codes of its rooms with the students in them.
pub(super) type CodedRooms = Vec<Vec<(String, u32)>>;

/// Room in a list for [`Instance::seated`] that the session no longer has.
pub(super) const LOST_ROOM: u16 = u16::MAX;

/// Students who write one exam together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sitting {
    /// Index of the exam.
    pub exam: usize,
    /// Number of seats that it needs.
    pub students: u32,
    /// Minutes of extra time of all its students; 0 if some of them have none.
    pub extra: u32,
    /// True if no other exam may be in the room.
    pub own_room: bool,
    /// True if no other sitting may be in the room, not even one of the same exam.
    pub is_alone: bool,
}

impl Instance {
    /// Returns `true` if the session plans rooms.
    pub fn has_rooms(&self) -> bool {
        !self.resources.rooms.is_empty()
    }

    /// Returns `true` if there are periods and all of them have a date.
    pub fn is_dated(&self) -> bool {
        !self.periods.is_empty() && self.periods.iter().all(|period| period.date.is_some())
    }

    /// Returns `true` unless the exam of a sitting is pinned to other rooms; a sitting that has to be alone or in a common room may
    /// be in any.
    pub(crate) fn allows_room(&self, sitting: &Sitting, room: u16) -> bool {
        sitting.is_alone || self.is_in_common_room(sitting) || self.rules.allows_room(sitting.exam, room)
    }

    /// Returns `true` if a room has what the exam of a sitting demands, whatever the number of seats.
    pub(crate) fn suits(&self, sitting: &Sitting, room: u16) -> bool {
        let needs = &self.exams[sitting.exam].needs;
        self.resources.rooms.get(usize::from(room)).is_some_and(|data| match self.is_in_common_room(sitting) {
            true => data.extra_time && needs.features.is_subset(&data.features),
            false => self.admits_exam(sitting.exam, data),
        })
    }

    /// Returns `true` if a room has what an exam demands for its students without extra time.
    pub(crate) fn admits_exam(&self, exam: usize, room: &Room) -> bool {
        let is_kept = self.resources.extra_time == ExtraTimePlace::CommonRoom && room.extra_time;
        !is_kept && self.exams[exam].needs.admit(room)
    }

    /// Returns `true` if the students of a sitting have extra time and sit in a common room.
    pub(crate) fn is_in_common_room(&self, sitting: &Sitting) -> bool {
        self.resources.extra_time == ExtraTimePlace::CommonRoom && sitting.extra > 0 && !sitting.is_alone
    }

    /// Returns `true` if a sitting may be in a room by the demands of its exam and its pin, whatever the number of seats.
    pub(crate) fn admits(&self, sitting: &Sitting, room: u16) -> bool {
        self.suits(sitting, room) && self.allows_room(sitting, room)
    }

    /// All sittings, ordered by exam: first the students who are not apart, then those with the same extra time by ascending
    /// time, then the students in rooms of their own. An exam has at least one sitting.
    pub fn sittings(&self) -> Vec<Sitting> {
        self.sittings_with_students().0
    }

    /// All sittings, and that of each student who is apart from the others of an exam.
    pub(super) fn sittings_with_students(&self) -> (Vec<Sitting>, HashMap<(usize, u16), usize>) {
        let mut apart: Vec<Vec<(bool, u32, usize)>> = vec![Vec::new(); self.exams.len()];
        for arrangement in &self.resources.arrangements {
            let student = arrangement.student as usize;
            let Some(is_alone) = self.resources.is_alone(arrangement).filter(|_| student < self.students.len()) else {
                continue;
            };
            for &exam in self.students.exams_of(student) {
                let extra = arrangement.extra.minutes(self.nominal_minutes(exam.into()));
                apart[usize::from(exam)].push((is_alone, extra, student));
            }
        }
        let mut sittings = Vec::with_capacity(self.exams.len());
        let mut of_students = HashMap::new();
        for (exam, mut arranged) in apart.into_iter().enumerate() {
            let data = &self.exams[exam];
            let own_room = data.needs.own_room;
            // Seats are reserved in rooms; the seats of a period are for its students.
            let seats = data.needs.seats.filter(|_| self.has_rooms()).unwrap_or(data.enrolment);
            let others = seats.saturating_sub(arranged.len() as u32);
            if others > 0 || arranged.is_empty() {
                sittings.push(Sitting { exam, students: others, extra: 0, own_room, is_alone: false });
            }
            arranged.sort_unstable();
            for group in arranged.chunk_by(|one, other| !one.0 && (one.0, one.1) == (other.0, other.1)) {
                let (is_alone, extra, _) = group[0];
                let own_room = own_room || is_alone;
                of_students.extend(group.iter().map(|&(.., student)| ((student, exam as u16), sittings.len())));
                sittings.push(Sitting { exam, students: group.len() as u32, extra, own_room, is_alone });
            }
        }
        (sittings, of_students)
    }

    /// Rooms of all sittings from those of each exam, in the order of its sittings. A single room takes the whole sitting,
    /// however many students there were when the timetable was made; students in a [`LOST_ROOM`] have no seat. Empty if no
    /// exam has any.
    pub(super) fn seated(&self, of_exams: Vec<Vec<Vec<Seats>>>) -> Vec<Vec<Seats>> {
        if of_exams.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let mut lists: Vec<_> = of_exams.into_iter().map(Vec::into_iter).collect();
        let next = |sitting: &Sitting| {
            let mut rooms = lists.get_mut(sitting.exam).and_then(Iterator::next).unwrap_or_default();
            if let [single] = &mut rooms[..] {
                single.students = sitting.students;
            }
            rooms.retain(|seats| seats.room != LOST_ROOM);
            rooms
        };
        self.sittings().iter().map(next).collect()
    }

    /// For each exam the rooms of its sittings by codes, with the students in them.
    pub(super) fn coded_rooms(&self, rooms: &[Vec<Seats>]) -> Vec<CodedRooms> {
        let mut of_exams = vec![Vec::new(); self.exams.len()];
        let code = |seats: &Seats| {
            let room = self.resources.rooms.get(usize::from(seats.room));
            (room.map_or_else(String::new, |room| room.code.clone()), seats.students)
        };
        for (sitting, seats) in self.sittings().iter().zip(rooms) {
            of_exams[sitting.exam].push(seats.iter().map(code).collect());
        }
        of_exams
    }

    /// Rooms of all sittings from those of each exam by codes, found by the keys of the sittings where there are some; students in
    /// rooms that the session does not have have no seat.
    pub(super) fn rooms_of_codes(&self, of_exams: Vec<CodedRooms>, keys: &[Vec<SittingKey>]) -> Vec<Vec<Seats>> {
        if !self.has_rooms() {
            return Vec::new();
        }
        let numbers = self.resources.room_codes();
        let room = |code: String| numbers.get(&code).map_or(LOST_ROOM, |number| number as u16);
        let seats = |(code, students): (String, u32)| Seats { room: room(code), students };
        let sitting = |rooms: Vec<(String, u32)>| rooms.into_iter().map(seats).collect();
        let exam = |sittings: CodedRooms| sittings.into_iter().map(sitting).collect();
        let of_exams = of_exams.into_iter().map(exam).collect();
        self.seated(self.by_present_sittings(of_exams, keys))
    }

    /// Minutes of an exam of which extra time is a share: its duration or, without one, the length of the longest period.
    pub(crate) fn nominal_minutes(&self, exam: usize) -> u32 {
        let longest = || self.periods.iter().filter_map(Period::minutes).max().unwrap_or(0);
        self.exams[exam].duration.unwrap_or_else(longest)
    }

    /// Returns `true` if an exam with `extra` minutes of extra time is not longer than a period, or durations are ignored. An
    /// exam without a duration lasts as long as the period, so that extra time does not fit.
    pub(crate) fn has_time_with(&self, exam: usize, extra: u32, period: usize) -> bool {
        let Some(minutes) = self.periods[period].minutes().filter(|_| !self.rules.ignore_durations) else {
            return true;
        };
        self.exams[exam].duration.map_or(extra == 0, |lasts| lasts + extra <= minutes)
    }

    /// Returns `true` if an exam has no duration and extra time, so that it is longer than every period.
    pub(crate) fn is_unlimited(&self, exam: usize, extra: u32) -> bool {
        let has_time = |period: usize| self.has_time_with(exam, extra, period);
        self.exams[exam].duration.is_none() && !(0..self.period_count()).any(has_time)
    }

    /// Longest extra time of each exam in minutes; empty if the session has no arrangements.
    pub(crate) fn extra_minutes(&self) -> Vec<u32> {
        if self.resources.arrangements.is_empty() {
            return Vec::new();
        }
        let mut extra = vec![0; self.exams.len()];
        for arrangement in &self.resources.arrangements {
            let student = Some(arrangement.student as usize).filter(|&student| student < self.students.len());
            for &exam in student.map_or(&[][..], |student| self.students.exams_of(student)) {
                let minutes = arrangement.extra.minutes(self.nominal_minutes(exam.into()));
                extra[usize::from(exam)] = extra[usize::from(exam)].max(minutes);
            }
        }
        extra
    }

    /// Largest number of rooms for one sitting of each exam: 1 for exams that must be in the same room as another.
    pub fn most_rooms(&self) -> Vec<usize> {
        let mut most: Vec<usize> = self.exams.iter().map(|exam| exam.needs.most_rooms()).collect();
        for relation in self.rules.relations.iter().filter(|relation| relation.kind == RelationKind::SameRoom) {
            for exam in [relation.first, relation.second] {
                most[usize::from(exam)] = 1;
            }
        }
        most
    }

    /// Returns `true` if the session has something that only the search with rooms models: rooms, people, arrangements,
    /// another objective than the published one, limits of students, or relations of days and rooms.
    pub fn is_session(&self) -> bool {
        let beyond = |relation: &Relation| !relation.kind.is_of_periods();
        let has_limits = !self.rules.limits.is_empty();
        !self.resources.is_empty()
            || !self.objective.is_toronto()
            || has_limits
            || self.rules.relations.iter().any(beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arrangement, Exam, ExtraTime, ExtraTimePlace, InstanceParts, Resources};

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
            extra_time: ExtraTimePlace::Apart,
            ..Resources::default()
        };
        // Student 4 sits A only, nobody sits C; 25 % of 90 minutes is 22.5, rounded up 23.
        let students = vec![vec![0, 1], vec![0], vec![0], vec![0], vec![0]];
        let exams = vec![exam("A", 90), exam("B", 60), exam("C", 60)];
        let instance =
            Instance::build(InstanceParts { exams, students, resources, ..InstanceParts::default() }).unwrap();
        let sitting = |exam, students, extra, is_alone| Sitting { exam, students, extra, own_room: is_alone, is_alone };
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
        let placed = |extra_time| {
            let resources = Resources { extra_time, ..instance.resources.clone() };
            Instance { resources, ..instance.clone() }
        };
        let together = placed(ExtraTimePlace::SameRoom);
        let expected = [
            sitting(0, 3, 0, false),
            sitting(0, 1, 0, true),
            sitting(0, 1, 0, true),
            sitting(1, 1, 0, false),
            sitting(2, 0, 0, false),
        ];
        assert_eq!(together.sittings(), expected);
        assert_eq!(together.extra_minutes(), [23, 15, 0], "the others leave earlier");
        let alone: Vec<_> = placed(ExtraTimePlace::OwnRoom).sittings().iter().map(|of| (of.exam, of.extra)).collect();
        assert_eq!(alone, [(0, 0), (0, 0), (0, 0), (0, 23), (0, 23), (1, 15), (2, 0)]);
    }

    /// A late enrolment needs a seat more in the room of the exam; only a split sitting says who sits where.
    #[test]
    fn a_single_room_takes_the_whole_sitting() {
        let exams =
            vec![Exam { code: "A".to_owned(), ..Exam::default() }, Exam { code: "B".to_owned(), ..Exam::default() }];
        let parts = InstanceParts { exams, students: vec![vec![0, 1]; 3], ..InstanceParts::default() };
        let instance = Instance::build(parts).unwrap();
        let seats = |room, students| Seats { room, students };
        let former = vec![vec![vec![seats(4, 2)]], vec![vec![seats(4, 1), seats(5, 1)]]];
        assert_eq!(instance.seated(former), [vec![seats(4, 3)], vec![seats(4, 1), seats(5, 1)]]);
        assert!(instance.seated(vec![Vec::new(); 2]).is_empty());
        // Nobody moves into the other room of a sitting by losing one.
        let lost = vec![vec![vec![seats(LOST_ROOM, 3)]], vec![vec![seats(4, 1), seats(LOST_ROOM, 2)]]];
        assert_eq!(instance.seated(lost), [vec![], vec![seats(4, 1)]]);
    }
}
