//! Rooms changed by hand: students of one room put into another, here or in another period, and two parts exchanged.
//!
//! A change is made as the person says, whatever speaks against it. [`preview`] tells its consequences as the checker sees
//! them, and [`choices`] which rooms would take the students.

use std::collections::{BTreeSet, HashMap};

use super::check::{Verdict, check};
use super::moves::{Consequence, by_hand};
use super::reseating::Reseating;
use super::{Instance, Seats, Timetable};

/// Students of a sitting who are in one room, or some of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// Number of the sitting in [`Instance::sittings`].
    pub sitting: usize,
    /// Index of the room; `None` for students of the sitting who have no seat.
    pub room: Option<u16>,
    /// Number of students.
    pub students: u32,
}

/// Change of rooms by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RoomMove {
    /// Puts a part into a room, with its exam into a period.
    Put {
        /// The part.
        part: Part,
        /// Index of the room.
        room: u16,
        /// Index of the period.
        period: usize,
    },
    /// Exchanges the places of two whole parts.
    Swap(Part, Part),
}

/// Consequences of a change of rooms by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Sentences of the checker that hold after the change only.
    pub broken: Vec<String>,
    /// Change of the raw cost; negative is an improvement.
    pub change: i64,
    /// True if a pin of what is moved goes along.
    pub moves_pin: bool,
    /// Students more than before whose room has a seat plan without a seat for them.
    pub beyond_plans: u64,
}

impl Preview {
    /// Returns `true` if the change breaks nothing.
    pub fn is_free(&self) -> bool {
        self.broken.is_empty()
    }
}

/// Room in a period as a place for a part of a sitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// True if the room has what the exam needs.
    pub suits: bool,
    /// Seats that the sitting may take there; 0 where the room is closed, unsuitable, or held by others alone.
    pub free: u64,
    /// Raw cost of a part in the room: its penalty, and that of a room that is opened or of different durations.
    pub price: u64,
}

/// Places for a part in all periods and rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    /// Consequences of moving the exam to each period, which include rooms for all of its sittings.
    pub periods: Vec<Consequence>,
    /// Place in room r and period p at p · rooms + r.
    places: Vec<Choice>,
    rooms: usize,
}

impl Choices {
    /// The place of a room in a period.
    pub fn at(&self, room: usize, period: usize) -> Option<Choice> {
        self.places.get(period * self.rooms + room).copied().filter(|_| room < self.rooms)
    }
}

/// Finds the places for a part in all periods and rooms, the others as they are; `None` without a timetable of rooms.
pub fn choices(instance: &Instance, timetable: &Timetable, part: Part) -> Option<Choices> {
    let exam = instance.sittings().get(part.sitting)?.exam;
    let reseating = Reseating::of(instance, timetable, exam)?.by_hand();
    let rooms_in = |period| reseating.rooms_for(part.sitting, part.room, period);
    let places = (0..instance.period_count()).flat_map(rooms_in).collect();
    let rooms = instance.resources.rooms.len();
    Some(Choices { periods: by_hand(instance, timetable, exam), places, rooms })
}

/// Consequences of a change of rooms; `before` is the checker's verdict on `timetable`.
pub fn preview(instance: &Instance, timetable: &Timetable, before: &Verdict, change: RoomMove) -> Preview {
    let mut after = timetable.clone();
    let pins = after.change_rooms(instance, change);
    // A pin goes with what is moved by hand.
    let rules = pins.applied_to(&instance.rules);
    let moves_pin = rules != instance.rules;
    let verdict = match moves_pin {
        false => check(instance, &after),
        true => check(&Instance { rules, ..instance.clone() }, &after),
    };
    let mut known: HashMap<&str, usize> = HashMap::new();
    before.violations.iter().for_each(|violation| *known.entry(violation.text.as_str()).or_default() += 1);
    let is_new = |text: &&str| match known.get_mut(*text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let broken = verdict.violations.iter().map(|violation| violation.text.as_str()).filter(is_new);
    let broken = broken.map(str::to_owned).collect();
    let beyond_plans = beyond_plans(instance, &after).saturating_sub(beyond_plans(instance, timetable));
    Preview { broken, change: verdict.raw as i64 - before.raw as i64, moves_pin, beyond_plans }
}

/// Number of students in rooms whose seat plans have no seat for them.
fn beyond_plans(instance: &Instance, timetable: &Timetable) -> u64 {
    let seats = |room: &super::Room| room.plan().map(|plan| plan.places().len() as u64);
    let seats: Vec<Option<u64>> = instance.resources.rooms.iter().map(seats).collect();
    let mut students: HashMap<(usize, u16), u64> = HashMap::new();
    for (sitting, rooms) in instance.sittings().iter().zip(&timetable.rooms) {
        let Some(period) = timetable.period_of(sitting.exam) else { continue };
        for part in rooms {
            *students.entry((period, part.room)).or_default() += u64::from(part.students);
        }
    }
    let beyond = |(&(_, room), &count): (&(usize, u16), &u64)| {
        seats.get(usize::from(room)).copied().flatten().map_or(0, |seats| count.saturating_sub(seats))
    };
    students.iter().map(beyond).sum()
}

/// Pins of exams that a change by hand takes along: the exams with their periods, and with all of their rooms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MovedPins {
    periods: Vec<(u16, u16)>,
    rooms: Vec<(u16, BTreeSet<u16>)>,
}

impl MovedPins {
    /// The rules with the pins of these exams where the exams are now.
    pub fn applied_to(&self, rules: &super::Rules) -> super::Rules {
        let mut rules = rules.clone();
        for (exam, period) in &self.periods {
            if let Some(pin) = rules.pins.get_mut(exam) {
                *pin = *period;
            }
        }
        for (exam, rooms) in &self.rooms {
            if let Some(pinned) = rules.room_pins.get_mut(exam) {
                pinned.clone_from(rooms);
            }
        }
        rules
    }
}

impl Timetable {
    /// Changes rooms by hand; returns the pins that go with the change. Nothing happens where a part or a room does not
    /// exist, or the timetable plans no rooms.
    pub fn change_rooms(&mut self, instance: &Instance, change: RoomMove) -> MovedPins {
        let mut pins = MovedPins::default();
        match change {
            RoomMove::Put { part, room, period } => self.put(instance, part, (room, period), &mut pins),
            RoomMove::Swap(first, second) => {
                let sittings = instance.sittings();
                let period_of = |timetable: &Self, part: Part| timetable.period_of(sittings.get(part.sitting)?.exam);
                let places = [second, first].map(|part| part.room.zip(period_of(self, part)));
                for (part, place) in [first, second].into_iter().zip(places) {
                    if let Some(place) = place {
                        self.put(instance, part, place, &mut pins);
                    }
                }
            }
        }
        pins
    }

    fn put(&mut self, instance: &Instance, part: Part, (room, period): (u16, usize), pins: &mut MovedPins) {
        let sittings = instance.sittings();
        let Some(sitting) = sittings.get(part.sitting) else { return };
        let Some(rooms) = self.rooms.get(part.sitting).map(|rooms| with_part_in(rooms, part, room)) else { return };
        let exam = sitting.exam;
        if self.period_of(exam) == Some(period) {
            self.rooms[part.sitting] = rooms;
        } else {
            let Some(found) = Reseating::of(instance, self, exam).map(Reseating::by_hand) else { return };
            let (own, seats) = (found.own.clone(), found.seats_beside(period, part.sitting, &rooms));
            self.periods[exam] = period as u16;
            own.zip(seats).for_each(|(number, seats)| self.rooms[number] = seats);
            pins.periods.push((exam as u16, period as u16));
        }
        if !sitting.is_alone {
            pins.rooms.push((exam as u16, self.rooms_to_pin(instance, exam)));
        }
    }

    /// Rooms of all sittings of an exam that share theirs, as a pin of the exam holds them.
    pub fn rooms_to_pin(&self, instance: &Instance, exam: usize) -> BTreeSet<u16> {
        let own = instance.sittings().into_iter().zip(&self.rooms);
        let own = own.filter(|(sitting, _)| sitting.exam == exam && !sitting.is_alone);
        own.flat_map(|(_, rooms)| rooms.iter().map(|seats| seats.room)).collect()
    }
}

/// The rooms of a sitting after the students of a part are in `room`.
fn with_part_in(rooms: &[Seats], part: Part, room: u16) -> Vec<Seats> {
    let mut rooms = rooms.to_vec();
    if part.room == Some(room) {
        return rooms;
    }
    for seats in rooms.iter_mut().filter(|seats| part.room == Some(seats.room)) {
        seats.students = seats.students.saturating_sub(part.students);
    }
    match rooms.iter_mut().find(|seats| seats.room == room) {
        Some(seats) => seats.students += part.students,
        None => {
            // The new room takes the place of the one that it empties.
            let emptied = rooms.iter().position(|seats| seats.students == 0).unwrap_or(rooms.len());
            rooms.insert(emptied, Seats { room, students: part.students });
        }
    }
    rooms.retain(|seats| seats.students > 0);
    rooms
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::generator::{GeneratorOptions, generate};
    use crate::{Exam, InstanceParts, Objective, ObjectiveKind, Period, Resources, Room, RoomNeeds, Rules};

    /// Exams A (5 students, at most two rooms), B (2) and C (2), which shares a student with A; rooms H with 6 seats, S and T
    /// with 2; three periods.
    fn session() -> Instance {
        let exam = |code: &str, most_rooms| Exam {
            code: code.to_owned(),
            duration: Some(60),
            needs: RoomNeeds { most_rooms, ..RoomNeeds::default() },
            ..Exam::default()
        };
        let room = |code: &str, seats| Room { code: code.to_owned(), seats, ..Room::default() };
        let mut students = vec![vec![0]; 4];
        students.extend([vec![0, 2], vec![1], vec![1], vec![2]]);
        Instance::build(InstanceParts {
            exams: vec![exam("A", 2), exam("B", 1), exam("C", 1)],
            students,
            periods: vec![Period::default(); 3],
            resources: Resources { rooms: vec![room("H", 6), room("S", 2), room("T", 2)], ..Resources::default() },
            objective: Objective::of(ObjectiveKind::Office),
            ..InstanceParts::default()
        })
        .unwrap()
    }

    fn seats(room: u16, students: u32) -> Seats {
        Seats { room, students }
    }

    fn part(sitting: usize, room: u16, students: u32) -> Part {
        Part { sitting, room: Some(room), students }
    }

    /// A in H and B in S in the first period, C in S in the third.
    fn start() -> Timetable {
        Timetable { periods: vec![0, 0, 2], rooms: vec![vec![seats(0, 5)], vec![seats(1, 2)], vec![seats(1, 2)]] }
    }

    fn after(instance: &Instance, change: RoomMove) -> (Timetable, Preview) {
        let (mut timetable, before) = (start(), start());
        timetable.change_rooms(instance, change);
        (timetable, preview(instance, &before, &check(instance, &before), change))
    }

    /// A room may take more students than its seat plan has seats; who gets none is told beforehand, once.
    #[test]
    fn students_beyond_the_seats_of_a_plan_are_counted() {
        let mut instance = session();
        instance.resources.rooms[0].seat_plan = "1 x 4".to_owned();
        // A, five students, in H already; B joins them.
        let put = RoomMove::Put { part: part(1, 1, 2), room: 0, period: 0 };
        assert_eq!(after(&instance, put).1.beyond_plans, 2);
        let alone = RoomMove::Put { part: part(2, 1, 2), room: 0, period: 2 };
        assert_eq!(after(&instance, alone).1.beyond_plans, 0);
        instance.resources.rooms[0].seat_plan.clear();
        assert_eq!(after(&instance, put).1.beyond_plans, 0);
    }

    #[test]
    fn parts_are_put_split_and_joined_as_the_person_says() {
        let instance = session();
        let (moved, told) = after(&instance, RoomMove::Put { part: part(1, 1, 2), room: 2, period: 0 });
        assert_eq!((&moved.rooms[1], told.is_free()), (&vec![seats(2, 2)], true));
        // Two of the five go to T; back again they are one part.
        let split = RoomMove::Put { part: part(0, 0, 2), room: 2, period: 0 };
        let (mut moved, told) = after(&instance, split);
        assert_eq!((&moved.rooms[0], told.is_free()), (&vec![seats(0, 3), seats(2, 2)], true));
        moved.change_rooms(&instance, RoomMove::Put { part: part(0, 2, 2), room: 0, period: 0 });
        assert_eq!(moved, start());
        // All five do not fit into T, and the checker says so.
        let (moved, told) = after(&instance, RoomMove::Put { part: part(0, 0, 5), room: 2, period: 0 });
        assert_eq!((&moved.rooms[0], told.broken.len()), (&vec![seats(2, 5)], 1));
        assert!(told.broken[0].contains("room T has 2 seats, but 5 are needed"), "{told:?}");
    }

    #[test]
    fn a_part_takes_its_exam_to_another_period_and_tells_clashes() {
        let instance = session();
        let (moved, told) = after(&instance, RoomMove::Put { part: part(1, 1, 2), room: 0, period: 1 });
        assert_eq!((moved.period_of(1), &moved.rooms[1], told.is_free()), (Some(1), &vec![seats(0, 2)], true));
        let (_, told) = after(&instance, RoomMove::Put { part: part(0, 0, 5), room: 0, period: 2 });
        assert_eq!(told.broken.len(), 1, "A and C share a student: {told:?}");
    }

    #[test]
    fn parts_exchange_their_places() {
        let instance = session();
        let (moved, told) = after(&instance, RoomMove::Swap(part(1, 1, 2), part(2, 1, 2)));
        assert_eq!((moved.period_of(1), moved.period_of(2)), (Some(2), Some(0)));
        assert_eq!(moved.rooms[1..], [vec![seats(1, 2)], vec![seats(1, 2)]]);
        assert_eq!(told.broken.len(), 1, "C is with A now: {told:?}");
        let (moved, _) = after(&instance, RoomMove::Swap(part(0, 0, 5), part(1, 1, 2)));
        assert_eq!(moved.rooms[..2], [vec![seats(1, 5)], vec![seats(0, 2)]]);
    }

    #[test]
    fn pins_go_with_what_is_moved_by_hand() {
        let rules = Rules { pins: [(1, 0)].into(), room_pins: [(1, [1].into())].into(), ..Rules::default() };
        let instance = Instance { rules, ..session() };
        let change = RoomMove::Put { part: part(1, 1, 2), room: 2, period: 1 };
        let (mut timetable, told) = after(&instance, change);
        assert!(told.is_free() && told.moves_pin, "{told:?}");
        assert!(!after(&session(), change).1.moves_pin, "nothing is pinned");
        let pins = start().change_rooms(&instance, change);
        let rules = pins.applied_to(&instance.rules);
        assert_eq!((rules.pins[&1], &rules.room_pins[&1]), (1, &BTreeSet::from([2])));
        assert_eq!(timetable.rooms_to_pin(&instance, 1), BTreeSet::from([2]));
        // Without the pin's move the checker names it.
        timetable.periods[1] = 0;
        let verdict = check(&instance, &timetable);
        let named = |text: &str| verdict.violations.iter().any(|violation| violation.text.contains(text));
        assert!(named("exam B is pinned to S, but is in room T"), "{verdict:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Rooms that are said to take a part take it by the checker's judgement, all others do not.
        #[test]
        fn a_choice_takes_as_many_as_it_says(seed in 0_u64..1_000, number in 0_usize..1_000) {
            let options = GeneratorOptions { exams: 25, students: 400, seed, rooms: true, ..GeneratorOptions::default() };
            let instance = generate(&options).unwrap();
            let mut timetable = Timetable::unplaced(instance.exam_count());
            timetable.rooms = vec![Vec::new(); instance.sittings().len()];
            for exam in 0..instance.exam_count() {
                timetable.move_exam(&instance, exam, Some((exam * 7 + number) % instance.period_count()));
            }
            let sittings = instance.sittings();
            let seated: Vec<usize> = (0..sittings.len()).filter(|&at| timetable.rooms[at].len() == 1).collect();
            prop_assume!(!seated.is_empty());
            let sitting = seated[number % seated.len()];
            let [Seats { room, students }] = timetable.rooms[sitting][..] else { unreachable!() };
            let part = Part { sitting, room: Some(room), students };
            let here = timetable.period_of(sittings[sitting].exam).unwrap();
            let found = choices(&instance, &timetable, part).unwrap();
            let before = check(&instance, &timetable);
            for target in 0..instance.resources.rooms.len() {
                let change = RoomMove::Put { part, room: target as u16, period: here };
                let told = preview(&instance, &timetable, &before, change);
                let fits = found.at(target, here).unwrap().free >= u64::from(students);
                prop_assert_eq!(fits, told.is_free(), "{} {:?}", target, told);
                let price = |room: usize| found.at(room, here).unwrap().price as i64;
                prop_assert_eq!(told.change, price(target) - price(room.into()));
            }
        }
    }
}
