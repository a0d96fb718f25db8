//! Rooms of one exam when it or a part of it is moved by hand, the others as they are.
//!
//! Each sitting keeps its rooms if they have the seats in the new period; otherwise it takes the cheapest free room
//! (penalty and different durations, then the fewest empty seats), otherwise several rooms if the exam may be split, the
//! largest first. A sitting for which there is none stays without a room, which the checker reports.

use std::collections::BTreeSet;
use std::ops::Range;

use super::costs::further_buildings;
use super::room_moves::Choice;
use super::{Instance, Room, Seats, Sitting, Timetable};

/// Use of one room in a period.
#[derive(Debug, Clone, Default)]
struct Use {
    students: u64,
    /// Exams of its sittings.
    exams: BTreeSet<usize>,
    own_room: bool,
    is_alone: bool,
    durations: Vec<Option<u32>>,
}

/// The sittings of one exam and of the others.
pub(crate) struct Reseating<'a> {
    instance: &'a Instance,
    timetable: &'a Timetable,
    sittings: Vec<Sitting>,
    /// Largest number of rooms for one sitting of each exam.
    most_rooms: Vec<usize>,
    /// Sittings of the exam.
    pub(crate) own: Range<usize>,
    /// True if rooms are chosen by hand, where a pin goes with its exam.
    is_by_hand: bool,
}

impl<'a> Reseating<'a> {
    /// Sittings of `exam` and of all others; `None` if the timetable plans no rooms.
    pub(crate) fn of(instance: &'a Instance, timetable: &'a Timetable, exam: usize) -> Option<Self> {
        Self::among(instance, timetable, instance.sittings(), exam)
    }

    /// As [`Reseating::of`], where the sittings of the session are known.
    pub(crate) fn among(
        instance: &'a Instance, timetable: &'a Timetable, sittings: Vec<Sitting>, exam: usize,
    ) -> Option<Self> {
        if !instance.has_rooms() || timetable.rooms.is_empty() {
            return None;
        }
        let first = sittings.partition_point(|sitting| sitting.exam < exam);
        let own = first..sittings.partition_point(|sitting| sitting.exam <= exam);
        (sittings.len() == timetable.rooms.len()).then(|| Self {
            instance,
            timetable,
            sittings,
            own,
            most_rooms: instance.most_rooms(),
            is_by_hand: false,
        })
    }

    /// Chooses rooms by hand, whatever the pin of the exam says.
    pub(crate) fn by_hand(self) -> Self {
        Self { is_by_hand: true, ..self }
    }

    /// Returns `true` if a sitting may be in a room by the demands of its exam and, unless the room is chosen by hand, its pin.
    fn admits(&self, sitting: &Sitting, room: u16) -> bool {
        if self.is_by_hand { self.instance.suits(sitting, room) } else { self.instance.admits(sitting, room) }
    }

    /// Rooms of the exam's sittings in `period`, and what they cost there; a sitting without a free room has none.
    pub(crate) fn seats_in(&self, period: usize) -> (Vec<Vec<Seats>>, u64) {
        self.in_period(period, |uses, sitting| self.choose(uses, sitting, period))
    }

    /// Cost of the exam's present rooms in `period`.
    pub(crate) fn present_cost(&self, period: usize) -> u64 {
        self.in_period(period, |_, sitting| self.timetable.rooms[sitting].clone()).1
    }

    /// Rooms of the exam's sittings in `period`, where the sitting with the number `wanted` has the given rooms whatever
    /// they hold, and the others those that remain.
    pub(crate) fn seats_beside(&self, period: usize, wanted: usize, rooms: &[Seats]) -> Vec<Vec<Seats>> {
        let mut uses = self.uses_of_others(period);
        self.enter(&mut uses, &self.sittings[wanted], rooms);
        let seat = |number: usize| {
            if number == wanted {
                return rooms.to_vec();
            }
            let seats = self.choose(&uses, number, period);
            self.enter(&mut uses, &self.sittings[number], &seats);
            seats
        };
        self.own.clone().map(seat).collect()
    }

    /// Rooms of the exam's sittings in `period`: everyone stays where the present rooms have seats, and those who are left take seats
    /// there or, in as few rooms as possible, elsewhere. A sitting that may not be split takes another room as a whole. `None` if a
    /// sitting finds none.
    pub(crate) fn staying(&self, period: usize) -> Option<Vec<Vec<Seats>>> {
        let mut seats: Vec<Vec<Seats>> = vec![Vec::new(); self.own.len()];
        for at in 0..seats.len() {
            let (sitting, uses) = (&self.sittings[self.own.start + at], self.uses_beside(period, &seats, at));
            let mut missing = u64::from(sitting.students);
            for part in &self.timetable.rooms[self.own.start + at] {
                let students = self.free(&uses, sitting, part.room, period).min(part.students.into()).min(missing);
                missing -= students;
                seats[at].extend((students > 0).then_some(Seats { room: part.room, students: students as u32 }));
            }
        }
        for at in 0..seats.len() {
            let uses = self.uses_beside(period, &seats, at);
            seats[at] = self.completed(&uses, self.own.start + at, period, &seats[at])?;
        }
        Some(seats)
    }

    /// Use of the rooms in a period by all other exams and the own sittings but the one with the index `at`.
    fn uses_beside(&self, period: usize, seats: &[Vec<Seats>], at: usize) -> Vec<Use> {
        let mut uses = self.uses_of_others(period);
        for (index, seats) in seats.iter().enumerate().filter(|(index, _)| *index != at) {
            self.enter(&mut uses, &self.sittings[self.own.start + index], seats);
        }
        uses
    }

    /// The seats of a sitting and further ones until all students have one; `None` if there are too few.
    fn completed(&self, uses: &[Use], number: usize, period: usize, seats: &[Seats]) -> Option<Vec<Seats>> {
        let sitting = &self.sittings[number];
        if sitting.students == 0 {
            return Some(self.timetable.rooms[number].clone());
        }
        let (mut seats, mut is_tried) = (seats.to_vec(), vec![false; uses.len()]);
        let mut missing =
            u64::from(sitting.students) - seats.iter().map(|seats| u64::from(seats.students)).sum::<u64>();
        for part in &mut seats {
            let more = missing.min(self.free(uses, sitting, part.room, period).saturating_sub(part.students.into()));
            part.students += more as u32;
            missing -= more;
            is_tried[usize::from(part.room)] = true;
        }
        while missing > 0 && seats.len() < self.most_rooms[sitting.exam] {
            let free = |room: &u16| self.free(uses, sitting, *room, period).min(missing);
            let rooms = (0..uses.len() as u16).filter(|&room| !is_tried[usize::from(room)] && free(&room) > 0);
            let is_better = |&room: &u16| {
                let left = self.free(uses, sitting, room, period).saturating_sub(missing);
                (std::cmp::Reverse(free(&room)), self.price(uses, sitting, room), left, room)
            };
            let room = rooms.min_by_key(is_better)?;
            seats.push(Seats { room, students: free(&room) as u32 });
            (is_tried[usize::from(room)], missing) = (true, missing - free(&room));
        }
        if missing == 0 {
            return Some(seats);
        }
        Some(self.choose(uses, number, period)).filter(|seats| !seats.is_empty())
    }

    /// For each room the seats that a part of a sitting, now in room `from`, may take in `period`, and what the part costs
    /// there. The other parts and sittings of the exam stay where they are if the exam is in the period.
    pub(crate) fn rooms_for(&self, sitting: usize, from: Option<u16>, period: usize) -> Vec<Choice> {
        let mut uses = self.uses_of_others(period);
        let is_here = self.timetable.period_of(self.sittings[sitting].exam) == Some(period);
        for number in self.own.clone().filter(|_| is_here) {
            let is_part = |seats: &&Seats| number == sitting && from == Some(seats.room);
            let stays: Vec<Seats> =
                self.timetable.rooms[number].iter().filter(|seats| !is_part(seats)).copied().collect();
            self.enter(&mut uses, &self.sittings[number], &stays);
        }
        let of = |room: u16| {
            let data = &self.sittings[sitting];
            let (free, price) = (self.free(&uses, data, room, period), self.price(&uses, data, room));
            Choice { suits: self.admits(data, room), free, price }
        };
        (0..self.instance.resources.rooms.len() as u16).map(of).collect()
    }

    /// Use of the rooms in a period by all other exams.
    fn uses_of_others(&self, period: usize) -> Vec<Use> {
        let mut uses = vec![Use::default(); self.instance.resources.rooms.len()];
        for (number, sitting) in self.sittings.iter().enumerate().filter(|(number, _)| !self.own.contains(number)) {
            if self.timetable.period_of(sitting.exam) == Some(period) {
                self.enter(&mut uses, sitting, &self.timetable.rooms[number]);
            }
        }
        uses
    }

    /// Cost of a part of a sitting in a room: its penalty, and that of a room that is opened or of different durations.
    fn price(&self, uses: &[Use], sitting: &Sitting, room: u16) -> u64 {
        let weights = &self.instance.objective.weights;
        let durations = uses.get(usize::from(room)).map_or(&[][..], |state| &state.durations);
        let penalty = self.room(room).map_or(0, |room| room.penalty);
        let of_duration = match durations.is_empty() {
            true => weights.opened,
            false if durations.contains(&self.duration(sitting)) => 0,
            false => weights.mixed_durations,
        };
        u64::from(weights.room) * u64::from(penalty) + u64::from(of_duration)
    }

    /// Seats the exam's sittings one after another as `choose` says.
    fn in_period(&self, period: usize, choose: impl Fn(&[Use], usize) -> Vec<Seats>) -> (Vec<Vec<Seats>>, u64) {
        let mut uses = self.uses_of_others(period);
        let mut cost = 0;
        let seat = |number: usize| {
            let seats = choose(&uses, number);
            cost += self.enter(&mut uses, &self.sittings[number], &seats);
            seats
        };
        (self.own.clone().map(seat).collect(), cost)
    }

    /// Takes seats for a sitting; returns what they cost.
    fn enter(&self, uses: &mut [Use], sitting: &Sitting, seats: &[Seats]) -> u64 {
        let weights = &self.instance.objective.weights;
        let lasts = self.duration(sitting);
        let mut cost = u64::from(weights.part) * seats.len().saturating_sub(1) as u64;
        cost += u64::from(weights.building) * further_buildings(self.instance, seats);
        for part in seats {
            let Some((state, room)) = uses.get_mut(usize::from(part.room)).zip(self.room(part.room)) else { continue };
            cost += u64::from(weights.room) * u64::from(room.penalty);
            state.students += u64::from(part.students);
            state.exams.insert(sitting.exam);
            state.own_room |= sitting.own_room;
            state.is_alone |= sitting.is_alone;
            if !state.durations.contains(&lasts) {
                let is_first = state.durations.is_empty();
                cost += u64::from(if is_first { weights.opened } else { weights.mixed_durations });
                state.durations.push(lasts);
            }
        }
        cost
    }

    fn room(&self, room: u16) -> Option<&'a Room> {
        self.instance.resources.rooms.get(usize::from(room))
    }

    /// Minutes of a sitting with its extra time.
    fn duration(&self, sitting: &Sitting) -> Option<u32> {
        self.instance.exams[sitting.exam].duration.map(|minutes| minutes + sitting.extra)
    }

    fn choose(&self, uses: &[Use], number: usize, period: usize) -> Vec<Seats> {
        let sitting = &self.sittings[number];
        let free = |room: u16| self.free(uses, sitting, room, period);
        let present = &self.timetable.rooms[number];
        let seated: u64 = present.iter().map(|seats| u64::from(seats.students)).sum();
        let fits = |seats: &Seats| u64::from(seats.students) <= free(seats.room);
        if !present.is_empty() && seated == u64::from(sitting.students) && present.iter().all(fits) {
            return present.clone();
        }
        let rooms = 0..self.instance.resources.rooms.len() as u16;
        let price = |room: u16| self.price(uses, sitting, room);
        let suitable = rooms.clone().filter(|&room| free(room) >= u64::from(sitting.students.max(1)));
        if let Some(room) = suitable.min_by_key(|&room| (price(room), free(room), room)) {
            return vec![Seats { room, students: sitting.students }];
        }
        let mut largest: Vec<(u64, u16)> = rooms.map(|room| (free(room), room)).filter(|part| part.0 > 0).collect();
        largest.sort_by_key(|&(free, room)| (std::cmp::Reverse(free), room));
        let mut missing = u64::from(sitting.students);
        let mut parts = Vec::new();
        for (free, room) in largest.into_iter().take(self.most_rooms[sitting.exam]) {
            let students = free.min(missing);
            missing -= students;
            if students > 0 {
                parts.push(Seats { room, students: students as u32 });
            }
        }
        if missing == 0 { parts } else { Vec::new() }
    }

    /// Seats that a sitting may take in a room.
    fn free(&self, uses: &[Use], sitting: &Sitting, room: u16, period: usize) -> u64 {
        let Some((data, state)) = self.room(room).zip(uses.get(usize::from(room))) else { return 0 };
        let holds_one = data.single || state.own_room || sitting.own_room;
        let is_shared = state.is_alone
            || (sitting.is_alone && !state.exams.is_empty())
            || (holds_one && state.exams.iter().any(|&exam| exam != sitting.exam));
        let is_closed = data.unavailable.contains(&(period as u16));
        if is_closed || is_shared || !self.admits(sitting, room) {
            return 0;
        }
        u64::from(data.seats).saturating_sub(state.students)
    }
}

impl Timetable {
    /// Moves an exam into a period, or takes it out of its period; in a session with rooms its sittings keep their rooms
    /// or get others, as the [module](self) says.
    pub fn move_exam(&mut self, instance: &Instance, exam: usize, period: Option<usize>) {
        let Some(slot) = self.periods.get_mut(exam) else { return };
        *slot = period.map_or(super::UNPLACED, |period| period as u16);
        let found = Reseating::of(instance, self, exam).map(|reseating| {
            let seats = period.map_or_else(|| vec![Vec::new(); reseating.own.len()], |at| reseating.seats_in(at).0);
            (reseating.own.clone(), seats)
        });
        if let Some((own, seats)) = found {
            own.zip(seats).for_each(|(sitting, seats)| self.rooms[sitting] = seats);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{ViolationKind, check};
    use crate::{Exam, InstanceParts, Objective, ObjectiveKind, Period, Resources, RoomNeeds};

    /// Exams A (3 students), B (2), C (4, at most two rooms) without common students; rooms H with 4 seats, S and T with 2,
    /// T with a penalty.
    fn session() -> Instance {
        let exam = |code: &str, most_rooms| Exam {
            code: code.to_owned(),
            duration: Some(60),
            needs: RoomNeeds { most_rooms, ..RoomNeeds::default() },
            ..Exam::default()
        };
        let room = |code: &str, seats, penalty| Room { code: code.to_owned(), seats, penalty, ..Room::default() };
        let rooms = vec![room("H", 4, 0), room("S", 2, 0), room("T", 2, 5)];
        let students = [0, 0, 0, 1, 1, 2, 2, 2, 2].map(|exam| vec![exam]).to_vec();
        Instance::build(InstanceParts {
            exams: vec![exam("A", 1), exam("B", 1), exam("C", 2)],
            students,
            periods: vec![Period::default(); 3],
            resources: Resources { rooms, ..Resources::default() },
            objective: Objective::of(ObjectiveKind::Office),
            ..InstanceParts::default()
        })
        .unwrap()
    }

    fn seats(room: u16, students: u32) -> Seats {
        Seats { room, students }
    }

    #[test]
    fn a_moved_exam_keeps_its_room_or_takes_another_or_none() {
        let instance = session();
        let rooms = vec![vec![seats(0, 3)], vec![seats(1, 2)], vec![seats(0, 4)]];
        let start = Timetable { periods: vec![0, 1, 2], rooms };
        let moved = |exam, period| {
            let mut timetable = start.clone();
            timetable.move_exam(&instance, exam, Some(period));
            timetable
        };
        assert_eq!(moved(0, 1).rooms, start.rooms, "H has the seats there, too");
        assert_eq!(moved(1, 0).rooms[1], [seats(1, 2)]);
        // H is full: the only other rooms have two seats, and A must not be split.
        let unseated = moved(0, 2);
        assert_eq!(unseated.rooms[0], []);
        assert!(
            check(&instance, &unseated).violations.iter().any(|violation| violation.kind == ViolationKind::Unseated)
        );
        // C may be split, S before T as the smaller index of equal sizes.
        assert_eq!(moved(2, 0).rooms[2], [seats(1, 2), seats(2, 2)]);
        let mut out = start.clone();
        out.move_exam(&instance, 1, None);
        assert_eq!((out.period_of(1), out.rooms[1].len()), (None, 0));
        // B has no room yet: S without a penalty comes before T.
        out.move_exam(&instance, 1, Some(0));
        assert_eq!(out.rooms[1], [seats(1, 2)]);
        assert!(check(&instance, &out).feasible);
        let reseating = Reseating::of(&instance, &start, 2).unwrap();
        assert_eq!((reseating.present_cost(2), reseating.seats_in(0).1), (10, 20 + 5 + 2 * 10));
        let mut dear = instance.clone();
        dear.objective.weights.opened = 7;
        let reseating = Reseating::of(&dear, &start, 2).unwrap();
        assert_eq!((reseating.present_cost(2), reseating.seats_in(0).1), (7, 20 + 5 + 2 * 7));
    }
}
