//! Rooms of the timetable to stay close to, given back after a search so that as few people as possible change rooms.
//!
//! Searches price the parts of a sitting outside of its room, not the people: a sitting of 30 that a late student makes too large for
//! its room goes to another room as a whole, for the price of one part. Here each period in which sittings have left the rooms of
//! the reference is seated once more: everyone stays in the room of the reference as far as it has seats, and those who remain
//! take free seats elsewhere. If that does not seat the period, single exams are given their rooms back. A change is kept if fewer
//! people change rooms or equally many at a lower cost, and nothing else is violated.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::check::check;
use super::reseating::Reseating;
use super::versions::published_rooms;
use super::{Instance, Reference, Seats, Sitting, Timetable};

/// Exams of a period that are given their rooms back one by one, at most; bounds the time.
const MOST_EXAMS: usize = 8;

/// The timetable with rooms of the reference given back; `None` if there is no reference with rooms, rooms have no price, or nothing
/// is better.
pub(crate) fn keeping_rooms(instance: &Instance, timetable: &Timetable) -> Option<Timetable> {
    let reference = instance.rules.reference.as_ref().filter(|_| instance.rules.room_price > 0)?;
    let sittings = instance.sittings();
    let has_rooms = |timetable: &Timetable| timetable.rooms.len() == sittings.len();
    if !has_rooms(timetable) || !has_rooms(&reference.timetable) {
        return None;
    }
    let mut keeping = Keeping::of(instance, reference, &sittings, timetable);
    for period in keeping.periods_with_moves() {
        let exams = keeping.kept_exams(period);
        keeping.try_exams(period, &exams);
        for exam in keeping.moved_exams(period).into_iter().take(MOST_EXAMS) {
            keeping.try_exams(period, &[exam]);
        }
    }
    keeping.is_changed.then_some(keeping.timetable)
}

/// Timetable whose rooms are given back.
struct Keeping<'a> {
    instance: &'a Instance,
    reference: &'a Reference,
    sittings: &'a [Sitting],
    timetable: Timetable,
    /// For each exam the number of students whom the published version tells no room; 0 without a version.
    late_students: Vec<i64>,
    /// Number of violations, of people who change rooms, and cost of the timetable.
    value: (usize, u64, u64),
    is_changed: bool,
}

impl<'a> Keeping<'a> {
    fn of(instance: &'a Instance, reference: &'a Reference, sittings: &'a [Sitting], timetable: &Timetable) -> Self {
        let mut late_students = vec![0; instance.exam_count()];
        if instance.published().is_some() {
            late_students = instance.exams.iter().map(|exam| i64::from(exam.enrolment)).collect();
            published_rooms(instance).into_keys().for_each(|(_, exam)| late_students[exam] -= 1);
        }
        let (timetable, value) = (timetable.clone(), (0, 0, 0));
        let mut keeping = Self { instance, reference, sittings, timetable, late_students, value, is_changed: false };
        keeping.value = keeping.value_of(&keeping.timetable);
        keeping
    }

    fn value_of(&self, timetable: &Timetable) -> (usize, u64, u64) {
        let verdict = check(self.instance, timetable);
        (verdict.violations.len(), self.all_moved(timetable), verdict.raw)
    }

    /// Number of students who change rooms in the periods of the reference.
    fn all_moved(&self, timetable: &Timetable) -> u64 {
        (0..self.sittings.len()).map(|sitting| self.people_moved(timetable, sitting)).sum()
    }

    /// Returns `true` if an exam is in the period of the reference.
    fn is_in_period(&self, exam: usize, period: usize) -> bool {
        let of = |timetable: &Timetable| timetable.period_of(exam) == Some(period);
        of(&self.timetable) && of(&self.reference.timetable)
    }

    /// Number of students of a sitting who do not stay in a room of the reference; 0 if the exam has another period.
    fn people_moved(&self, timetable: &Timetable, sitting: usize) -> u64 {
        let exam = self.sittings[sitting].exam;
        let former = &self.reference.timetable.rooms[sitting];
        if former.is_empty() || timetable.period_of(exam) != self.reference.timetable.period_of(exam) {
            return 0;
        }
        let stay = |seats: &Seats| {
            let before = former.iter().filter(|former| former.room == seats.room).map(|former| former.students).sum();
            u64::from(seats.students.min(before))
        };
        let rooms = &timetable.rooms[sitting];
        u64::from(self.sittings[sitting].students).saturating_sub(rooms.iter().map(stay).sum())
    }

    /// Periods in which people of exams that stay in them change rooms.
    fn periods_with_moves(&self) -> BTreeSet<usize> {
        let moved = (0..self.sittings.len()).filter(|&sitting| self.people_moved(&self.timetable, sitting) > 0);
        moved.filter_map(|sitting| self.timetable.period_of(self.sittings[sitting].exam)).collect()
    }

    /// Exams of a period that were in it before; those with most students who came since they were published are first, so that these
    /// students, and not those of other exams in the room, take seats elsewhere.
    fn kept_exams(&self, period: usize) -> Vec<usize> {
        let mut exams: Vec<usize> =
            (0..self.instance.exam_count()).filter(|&exam| self.is_in_period(exam, period)).collect();
        exams.sort_by_key(|&exam| Reverse(self.late_students.get(exam).copied().unwrap_or(0)));
        exams
    }

    /// Exams of a period that were in it before and of which people change rooms, most people first.
    fn moved_exams(&self, period: usize) -> Vec<usize> {
        let people = |exam: usize| -> u64 {
            let own = self.sittings.iter().enumerate().filter(|(_, sitting)| sitting.exam == exam);
            own.map(|(sitting, _)| self.people_moved(&self.timetable, sitting)).sum()
        };
        let mut exams: Vec<(Reverse<u64>, usize)> =
            self.kept_exams(period).into_iter().map(|exam| (Reverse(people(exam)), exam)).collect();
        exams.retain(|(people, _)| people.0 > 0);
        exams.sort_unstable();
        exams.into_iter().map(|(_, exam)| exam).collect()
    }

    /// Gives exams of a period their rooms back and keeps that if it is better.
    fn try_exams(&mut self, period: usize, exams: &[usize]) {
        let Some(timetable) = self.with_former_rooms(period, exams) else { return };
        if self.all_moved(&timetable) > self.value.1 {
            return;
        }
        let value = self.value_of(&timetable);
        if value.0 <= self.value.0 && (value.1, value.2) < (self.value.1, self.value.2) {
            (self.timetable, self.value, self.is_changed) = (timetable, value, true);
        }
    }

    /// The timetable with exams of a period in their rooms of the reference, as far as these have seats, and the other exams of the
    /// period in free rooms if theirs are taken; `None` if there are none.
    fn with_former_rooms(&self, period: usize, exams: &[usize]) -> Option<Timetable> {
        let mut timetable = self.timetable.clone();
        let own = self.sittings.iter().enumerate().filter(|(_, sitting)| exams.contains(&sitting.exam));
        for (number, _) in own.filter(|(number, _)| !self.reference.timetable.rooms[*number].is_empty()) {
            timetable.rooms[number].clone_from(&self.reference.timetable.rooms[number]);
        }
        let is_other = |exam: &usize| timetable.period_of(*exam) == Some(period) && !exams.contains(exam);
        let others: Vec<usize> = (0..self.instance.exam_count()).filter(is_other).collect();
        for &exam in exams.iter().chain(&others) {
            let reseating = Reseating::among(self.instance, &timetable, self.sittings.to_vec(), exam)?;
            let seats = reseating.staying(period)?;
            reseating.own.clone().zip(seats).for_each(|(sitting, seats)| timetable.rooms[sitting] = seats);
        }
        Some(timetable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::around::{price_of_a_move, price_of_a_room};
    use crate::publication::Publication;
    use crate::run;
    use crate::run::holding::tests::short_run;
    use crate::stored::{decode_complete, decode_known, encode};
    use crate::{Exam, InstanceParts, Objective, ObjectiveKind, Period, Resources, Room, RoomNeeds};
    use gridwright_core::search::Control;

    /// Exams A and B of so many students, which may have `most_rooms` rooms each, in the first of two periods; rooms with 30, 12, 40
    /// and 15 seats.
    fn session(most_rooms: u16, students: [usize; 2]) -> Instance {
        let exam = |code: &str| Exam {
            code: code.to_owned(),
            duration: Some(60),
            needs: RoomNeeds { most_rooms, ..RoomNeeds::default() },
            ..Exam::default()
        };
        let room = |(code, seats): (&str, u32)| Room { code: code.to_owned(), seats, ..Room::default() };
        let sits = students.iter().enumerate().flat_map(|(exam, &count)| vec![vec![exam as u16]; count]);
        Instance::build(InstanceParts {
            exams: ["A", "B"].map(exam).to_vec(),
            students: sits.collect(),
            periods: vec![Period::default(); 2],
            resources: Resources {
                rooms: [("R1", 30), ("R2", 12), ("R3", 40), ("R4", 15)].map(room).to_vec(),
                ..Resources::default()
            },
            objective: Objective::of(ObjectiveKind::Office),
            ..InstanceParts::default()
        })
        .unwrap()
    }

    fn timetable(rooms: [&[(u16, u32)]; 2]) -> Timetable {
        let seats = |rooms: &[(u16, u32)]| rooms.iter().map(|&(room, students)| Seats { room, students }).collect();
        Timetable { periods: vec![0, 0], rooms: rooms.map(seats).to_vec() }
    }

    /// A session with another student of A, and the timetable of before as its reference, at the usual prices.
    fn late(most_rooms: u16, students: [usize; 2], before: &Timetable) -> Instance {
        let after = session(most_rooms, [students[0] + 1, students[1]]);
        around(&session(most_rooms, students), after, before)
    }

    /// The session `after` with the timetable of `former` as its reference, at the usual prices.
    fn around(former: &Instance, after: Instance, before: &Timetable) -> Instance {
        let reference = decode_known(&after, &encode(former, before)).unwrap();
        let weight = price_of_a_move(&after, &reference);
        let room_price = price_of_a_room(&after, weight);
        after.around(reference, weight, room_price)
    }

    #[test]
    fn a_late_student_in_a_full_room_takes_a_free_seat_elsewhere() {
        let before = timetable([&[(0, 30)], &[(1, 12)]]);
        let session = late(3, [30, 12], &before);
        let kept = keeping_rooms(&session, &timetable([&[(2, 31)], &[(1, 12)]]));
        assert_eq!(kept, Some(timetable([&[(0, 30), (3, 1)], &[(1, 12)]])));
        assert_eq!(keeping_rooms(&session, &kept.unwrap()), None, "nothing is left to do");
        // An exam in one room has to leave it, and rooms without a price may be exchanged.
        let whole = late(1, [30, 12], &before);
        assert_eq!(keeping_rooms(&whole, &timetable([&[(2, 31)], &[(1, 12)]])), None);
        let mut free = session.clone();
        free.rules.room_price = 0;
        assert_eq!(keeping_rooms(&free, &timetable([&[(2, 31)], &[(1, 12)]])), None);
    }

    #[test]
    fn no_group_of_another_exam_leaves_its_room_for_a_late_student() {
        let before = timetable([&[(0, 30)], &[(2, 35)]]);
        let session = late(3, [30, 35], &before);
        let kept = keeping_rooms(&session, &timetable([&[(2, 31)], &[(0, 30), (3, 5)]]));
        let rooms = kept.map(|kept| kept.rooms).unwrap();
        assert_eq!(rooms[1], [Seats { room: 2, students: 35 }]);
        assert_eq!(rooms[0][0], Seats { room: 0, students: 30 });
        assert_eq!(rooms[0][1].students, 1, "{rooms:?}");
    }

    /// In a room that two exams share, a late student of one of them is no reason for the other to move.
    #[test]
    fn the_late_student_and_nobody_else_of_a_shared_room_moves() {
        let (former, before) = (session(3, [20, 10]), timetable([&[(0, 20)], &[(0, 10)]]));
        let mut after = session(3, [20, 11]);
        after.publications = vec![Publication::of(&former, &before, 1, chrono::DateTime::UNIX_EPOCH)].into();
        let session = around(&former, after, &before);
        let rooms = keeping_rooms(&session, &timetable([&[(0, 20)], &[(2, 11)]])).unwrap().rooms;
        assert_eq!(rooms[0], [Seats { room: 0, students: 20 }]);
        assert_eq!((rooms[1][0], rooms[1][1].students), (Seats { room: 0, students: 10 }, 1));
    }

    /// A room that an exam needs as a whole is not given back to another one.
    #[test]
    fn violations_do_not_come_back_with_the_rooms() {
        let before = timetable([&[(0, 30)], &[(2, 12)]]);
        let session = late(1, [30, 12], &before);
        let found = timetable([&[(2, 31)], &[(1, 12)]]);
        let kept = keeping_rooms(&session, &found).unwrap_or(found);
        assert_eq!(kept.rooms[0], [Seats { room: 2, students: 31 }]);
        assert!(check(&session, &kept).feasible, "{:?}", check(&session, &kept).violations);
    }

    #[test]
    fn solving_around_a_timetable_tells_one_student_a_room() {
        let before = timetable([&[(0, 30)], &[(1, 12)]]);
        let session = late(3, [30, 12], &before);
        let result = run::solve(&session, &short_run(), &Control::new(), &mut |_| {}).unwrap();
        assert!(result.verdict.feasible && result.verdict.confirmed, "{:?}", result.verdict);
        let found = decode_complete(&session, &result.solution).unwrap();
        assert_eq!(found.rooms[1], before.rooms[1]);
        let stays = found.rooms[0].iter().find(|seats| seats.room == 0).map(|seats| seats.students);
        assert_eq!(stays, Some(30), "{:?}", found.rooms);
    }
}
