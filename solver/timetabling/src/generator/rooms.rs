//! Rooms, examiners and arrangements of a generated session.

use std::collections::BTreeSet;

use super::{Choices, Purpose};
use crate::{Arrangement, ExtraTime, Instance, Objective, ObjectiveKind, Person, Resources, Room};
use gridwright_core::random::{happens, index, threshold};

/// Relative sizes of the rooms, the largest first: as the sizes of the exams of one period.
const SIZES: [u32; 40] = [
    100, 92, 82, 73, 64, 56, 49, 43, 37, 32, 28, 24, 21, 18, 15, 13, 11, 9, 8, 7, 6, 5, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2,
];

/// Share of the seats of all periods that the students need, in per cent; the fullest week needs at least as many.
const NEEDED: u64 = 85;

/// Share of the exams that are larger than every room, in per cent.
const TOO_LARGE: usize = 5;

/// Longest exam in minutes: with extra time it fits into every period.
const LONGEST: u32 = 144;

/// Rooms that an exam may use beyond the fewest that hold it.
const SPARE_ROOMS: usize = 3;

/// Exams of one examiner.
const OF_EXAMINER: usize = 3;

/// Adds 40 rooms, examiners, extra time for 4 % of the students and the office objective; one exam in twenty is larger than
/// every room and may be split.
pub(super) fn equip(instance: &mut Instance, choices: Choices) {
    let mut sizes: Vec<u32> = instance.exams.iter().map(|exam| exam.enrolment).collect();
    sizes.sort_unstable_by_key(|&size| std::cmp::Reverse(size));
    let largest = sizes[sizes.len() * TOO_LARGE / 100].max(10);
    let periods = instance.period_count().max(1) as u64;
    let seats = (instance.enrolments() as u64 * 100).div_ceil(NEEDED * periods);
    let room_seats = room_seats(seats, largest);
    let room = |(number, seats): (usize, u32)| Room {
        code: format!("R{:02}", number + 1),
        seats,
        building: ["Main building", "Science", "Law", "Annexe"][number % 4].to_owned(),
        features: if number % 5 == 4 { BTreeSet::from(["computers".to_owned()]) } else { BTreeSet::new() },
        penalty: if number % 10 == 9 { 10 } else { 0 },
        ..Room::default()
    };
    let rooms: Vec<Room> = room_seats.iter().copied().enumerate().map(room).collect();
    let computers = rooms.iter().filter(|room| !room.features.is_empty()).map(|room| room.seats).max().unwrap_or(0);
    for (number, exam) in instance.exams.iter_mut().enumerate() {
        exam.duration = exam.duration.map(|minutes| minutes.min(LONGEST));
        if exam.enrolment > largest {
            exam.needs.most_rooms = (fewest_rooms(&room_seats, exam.enrolment) + SPARE_ROOMS) as u16;
        }
        let word = choices.words(Purpose::Room, number, 0)[0];
        if exam.enrolment <= computers && happens(word, threshold(0.03)) {
            exam.needs.features.insert("computers".to_owned());
        }
    }
    for period in &mut instance.periods {
        period.seats = None;
    }
    let arranged =
        |&student: &u32| happens(choices.words(Purpose::Arrangement, student as usize, 0)[0], threshold(0.04));
    let arrangement = |student: u32| Arrangement {
        student,
        extra: ExtraTime::Percent(25),
        own_room: happens(choices.words(Purpose::Arrangement, student as usize, 0)[1], threshold(0.02)),
    };
    instance.resources = Resources {
        arrangements: (0..instance.students.len() as u32).filter(arranged).map(arrangement).collect(),
        people: examiners(instance, choices),
        rooms,
        ..Resources::default()
    };
    instance.objective = Objective::of(ObjectiveKind::Office);
}

/// Seats of each room, the largest first, with about `total` in all: the first room has `largest`, the others have sizes
/// in proportion to [`SIZES`], and at most as many.
fn room_seats(total: u64, largest: u32) -> Vec<u32> {
    /// Seats of the smallest room.
    const SMALLEST: u32 = 5;
    let scaled = |scale: u32| {
        let size = |(number, &size): (usize, &u32)| {
            let share = (u64::from(size) * u64::from(scale) / 100).clamp(SMALLEST.into(), largest.into()) as u32;
            if number == 0 { largest } else { share }
        };
        SIZES.iter().enumerate().map(size).collect::<Vec<u32>>()
    };
    let sum = |scale: u32| scaled(scale).iter().map(|&seats| u64::from(seats)).sum::<u64>();
    // Every room has the largest size at this scale.
    let (mut low, mut high) = (0, largest.saturating_mul(100));
    while low < high {
        let middle = low + (high - low) / 2;
        if sum(middle) < total { low = middle + 1 } else { high = middle }
    }
    scaled(low)
}

/// Fewest rooms that hold `students`, of rooms with the largest first; all rooms if they do not.
fn fewest_rooms(room_seats: &[u32], students: u32) -> usize {
    let mut seats = 0;
    let is_enough = |&room: &u32| {
        seats += room;
        seats >= students
    };
    room_seats.iter().position(is_enough).map_or(room_seats.len(), |last| last + 1)
}

/// Examiners of three exams in succession each; one in five is absent on one day.
fn examiners(instance: &Instance, choices: Choices) -> Vec<Person> {
    let person = |number: usize| {
        let word = choices.words(Purpose::Examiner, number, 0);
        let first = number * OF_EXAMINER;
        let day = index(word[1], instance.period_count().max(1) as u32) as usize;
        let date = instance.periods.get(day).and_then(|period| period.date);
        let on_day = |&period: &usize| instance.periods[period].date == date;
        let absent = (0..instance.period_count()).filter(on_day).map(|period| period as u16);
        Person {
            name: format!("Examiner {}", number + 1),
            exams: (first..(first + OF_EXAMINER).min(instance.exam_count())).map(|exam| exam as u16).collect(),
            unavailable: if happens(word[0], threshold(0.2)) { absent.collect() } else { BTreeSet::new() },
        }
    };
    (0..instance.exam_count().div_ceil(OF_EXAMINER)).map(person).collect()
}

#[cfg(test)]
mod tests {
    use crate::contradictions::contradictions;
    use crate::generator::{GeneratorOptions, generate};
    use crate::seating::{SeatingModel, construct};
    use gridwright_core::random::Philox;

    /// 600 exams, 20,000 students, 40 rooms, 30 periods.
    #[test]
    fn a_campus_has_a_timetable() {
        for seed in [1, 7, 20] {
            let instance = generate(&GeneratorOptions::preset("campus", seed).unwrap()).unwrap();
            let rooms = &instance.resources.rooms;
            let seats: u64 = rooms.iter().map(|room| u64::from(room.seats)).sum();
            let share = instance.enrolments() as f64 / (30 * seats) as f64;
            assert!((0.845..=0.855).contains(&share), "{share} of all seats are needed");
            let largest = rooms.iter().map(|room| room.seats).max().unwrap();
            let too_large = instance.exams.iter().filter(|exam| exam.enrolment > largest).count();
            assert!((28..=30).contains(&too_large), "{too_large} exams are larger than every room");
            let arranged = instance.resources.arrangements.len() as f64 / instance.students.len() as f64;
            assert!(
                (0.035..=0.045).contains(&arranged) && rooms.len() == 40,
                "{arranged} of all students have extra time"
            );
            assert_eq!(contradictions(&instance), [""; 0]);
            let model = SeatingModel::new(&instance);
            let found = construct::<i16>(&model, None, Philox::new(seed), 0, 2_000, &|| false);
            assert!(
                found.unplaced_exams().is_empty(),
                "seed {seed}: {} exams have no place",
                found.unplaced_exams().len()
            );
        }
    }
}
