//! Rooms, examiners and arrangements of a generated session.

use std::collections::BTreeSet;

use super::{Choices, Purpose};
use crate::random::{happens, index, threshold};
use crate::timetabling::{Arrangement, ExtraTime, Instance, Objective, ObjectiveKind, Person, Resources, Room};

/// Relative sizes of the rooms, the largest first.
const SIZES: [u32; 40] = [
    90, 70, 60, 50, 45, 40, 36, 34, 32, 30, 28, 26, 25, 24, 23, 22, 21, 20, 20, 19, 18, 18, 17, 16, 16, 15, 14, 14, 13,
    12, 12, 11, 10, 10, 9, 8, 8, 7, 6, 6,
];

/// Share of the seats of all periods that the students need, in per cent.
const NEEDED: u64 = 80;

/// Share of the exams that are larger than every room, in per cent.
const TOO_LARGE: usize = 5;

/// Longest exam in minutes: with extra time it fits into every period.
const LONGEST: u32 = 144;

/// Exams of one examiner.
const OF_EXAMINER: usize = 3;

/// Adds 40 rooms, examiners, extra time for 4 % of the students and the office objective; one exam in twenty is larger than
/// every room and may be split.
pub(super) fn equip(instance: &mut Instance, choices: Choices) {
    let mut sizes: Vec<u32> = instance.exams.iter().map(|exam| exam.enrolment).collect();
    sizes.sort_unstable_by_key(|&size| std::cmp::Reverse(size));
    let largest = sizes[sizes.len() * TOO_LARGE / 100].max(10);
    let periods = instance.period_count().max(1) as u64;
    let seats = (instance.enrolments() as u64 * 100).div_ceil(NEEDED * periods) as u32;
    let others = SIZES[1..].iter().sum::<u32>();
    let scaled = |(number, &size): (usize, &u32)| {
        let share = seats.saturating_sub(largest) * size / others;
        if number == 0 { largest } else { share.clamp(5, largest) }
    };
    let room = |(number, seats): (usize, u32)| Room {
        code: format!("R{:02}", number + 1),
        seats,
        building: ["Main building", "Science", "Law", "Annexe"][number % 4].to_owned(),
        features: if number % 5 == 4 { BTreeSet::from(["computers".to_owned()]) } else { BTreeSet::new() },
        penalty: if number % 10 == 9 { 10 } else { 0 },
        ..Room::default()
    };
    let rooms: Vec<Room> = SIZES.iter().enumerate().map(scaled).enumerate().map(room).collect();
    let computers = rooms.iter().filter(|room| !room.features.is_empty()).map(|room| room.seats).max().unwrap_or(0);
    for (number, exam) in instance.exams.iter_mut().enumerate() {
        exam.duration = exam.duration.map(|minutes| minutes.min(LONGEST));
        if exam.enrolment > largest {
            exam.needs.most_rooms = (exam.enrolment / largest + 3) as u16;
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
    };
    instance.objective = Objective::of(ObjectiveKind::Office);
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
