//! Rooms of a timetable as documents show them: the sittings of each exam with their rooms and ends, and the use of each
//! room by period.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use chrono::NaiveTime;

use super::counts::placed;
use super::{Instance, Room, Seats, Sitting, Timetable};

/// Sittings of a timetable with rooms.
pub(crate) struct Occupancy<'a> {
    instance: &'a Instance,
    timetable: &'a Timetable,
    sittings: Vec<Sitting>,
    /// Sittings of exam e: `first[e]..first[e + 1]`.
    first: Vec<usize>,
    /// Sitting of each student with an arrangement, by student and exam.
    arranged: HashMap<(usize, u16), usize>,
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

impl<'a> Occupancy<'a> {
    /// Sittings of a timetable; `None` if it has no rooms.
    pub(crate) fn of(instance: &'a Instance, timetable: &'a Timetable) -> Option<Self> {
        if !instance.has_rooms() || timetable.rooms.is_empty() {
            return None;
        }
        let sittings = instance.sittings();
        let first = (0..=instance.exam_count()).map(|exam| sittings.partition_point(|sitting| sitting.exam < exam));
        let first = first.collect();
        let mut occupancy = Self { instance, timetable, sittings, first, arranged: HashMap::new() };
        occupancy.arrange();
        Some(occupancy)
    }

    /// Finds the sittings of the students with an arrangement, which follow that of the other students in the order of
    /// [`Instance::sittings`].
    fn arrange(&mut self) {
        let mut of_exams: BTreeMap<u16, Vec<(bool, u32, usize)>> = BTreeMap::new();
        for arrangement in &self.instance.resources.arrangements {
            let student = arrangement.student as usize;
            if student >= self.instance.students.len() {
                continue;
            }
            for &exam in self.instance.students.exams_of(student) {
                let extra = arrangement.extra.minutes(self.instance.nominal_minutes(exam.into()));
                of_exams.entry(exam).or_default().push((arrangement.own_room, extra, student));
            }
        }
        for (exam, mut students) in of_exams {
            students.sort_unstable();
            let together =
                |one: &(bool, u32, usize), other: &(bool, u32, usize)| !one.0 && (one.0, one.1) == (other.0, other.1);
            let groups: Vec<_> = students.chunk_by(together).collect();
            let end = self.of_exam(usize::from(exam)).end;
            for (sitting, group) in (end.saturating_sub(groups.len())..end).zip(groups) {
                self.arranged.extend(group.iter().map(|&(.., student)| ((student, exam), sitting)));
            }
        }
    }

    /// Sittings of an exam.
    pub(crate) fn of_exam(&self, exam: usize) -> Range<usize> {
        self.first[exam]..self.first[exam + 1]
    }

    /// Sitting of a student in an exam that the student sits.
    pub(crate) fn of_student(&self, student: usize, exam: usize) -> usize {
        self.arranged.get(&(student, exam as u16)).copied().unwrap_or(self.first[exam])
    }

    /// A sitting.
    pub(crate) fn sitting(&self, sitting: usize) -> &Sitting {
        &self.sittings[sitting]
    }

    /// Largest number of sittings in one period.
    pub(crate) fn most_sittings(&self) -> usize {
        let mut counts = vec![0; self.instance.period_count()];
        for sitting in &self.sittings {
            if let Some(period) = placed(self.instance, self.timetable, sitting.exam) {
                counts[period] += 1;
            }
        }
        counts.into_iter().max().unwrap_or(0)
    }

    /// Rooms of a sitting with the students in them.
    pub(crate) fn rooms(&self, sitting: usize) -> impl Iterator<Item = (&'a Room, u32)> + use<'a> {
        let rooms = &self.instance.resources.rooms;
        let seats: &[Seats] = self.timetable.rooms.get(sitting).map_or(&[], Vec::as_slice);
        seats.iter().filter_map(|seats| Some((rooms.get(usize::from(seats.room))?, seats.students)))
    }

    /// Codes of the rooms of a sitting: «H1, H2».
    pub(crate) fn codes(&self, sitting: usize) -> String {
        self.rooms(sitting).map(|(room, _)| room.code.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Rooms of a sitting with the students in them: «H1 (120), H2 (30)».
    pub(crate) fn words(&self, sitting: usize) -> String {
        self.rooms(sitting).map(|(room, students)| format!("{} ({students})", room.code)).collect::<Vec<_>>().join(", ")
    }

    /// Rooms of all sittings of an exam: «H1 (120), H2 (30); R5 (3)».
    pub(crate) fn words_of_exam(&self, exam: usize) -> String {
        self.of_exam(exam)
            .map(|sitting| self.words(sitting))
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("; ")
    }

    /// End of a sitting in a period, with its extra time, and the number of midnights before it.
    pub(crate) fn end(&self, sitting: usize, period: usize) -> Option<(NaiveTime, u32)> {
        let Sitting { exam, extra, .. } = self.sittings[sitting];
        self.instance.end_with(exam, period, extra)
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
    use crate::{Arrangement, Exam, ExtraTime, InstanceParts, Period, Resources};

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
                ..Resources::default()
            },
            ..InstanceParts::default()
        })
        .unwrap();
        let seats = |room, students| vec![Seats { room, students }];
        let rooms = vec![seats(0, 2), seats(1, 1), seats(2, 1), seats(0, 2)];
        (instance, Timetable { periods: vec![0, 0], rooms })
    }

    #[test]
    fn students_find_their_sittings_and_rooms_their_free_seats() {
        let (instance, timetable) = seated();
        assert!(Occupancy::of(&instance, &Timetable::of(vec![0, 0])).is_none());
        let occupancy = Occupancy::of(&instance, &timetable).unwrap();
        let sittings: Vec<usize> = (0..4).map(|student| occupancy.of_student(student, 0)).collect();
        assert_eq!(sittings, [0, 1, 0, 2]);
        assert_eq!(occupancy.of_student(5, 1), 3);
        assert_eq!(occupancy.words_of_exam(0), "H1 (2); R5 (1); R6 (1)");
        // 90 minutes and 23 or 45 more.
        let ends: Vec<String> = (0..3).map(|sitting| occupancy.end(sitting, 0).unwrap().0.to_string()).collect();
        assert_eq!(ends, ["10:30:00", "10:53:00", "11:15:00"]);
        let uses: Vec<_> = occupancy.uses().iter().map(|of| (of.room, of.sitting, of.students, of.free)).collect();
        assert_eq!(uses, [(0, 0, 2, 1), (0, 3, 2, 1), (1, 1, 1, 1), (2, 2, 1, 0)]);
    }
}
