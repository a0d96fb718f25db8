//! Students with extra time in a common room.

use std::collections::BTreeSet;

use gridwright_core::search::{Algorithms as _, Budget, Control, Stop};
use gridwright_timetabling::check::{ViolationKind, check};
use gridwright_timetabling::contradictions::contradictions;
use gridwright_timetabling::run::{Algorithm, Settings, solve, timetable_of};
use gridwright_timetabling::{
    Arrangement, Exam, ExtraTime, ExtraTimePlace, Instance, InstanceParts, Period, Resources, Room, RoomNeeds,
    Timetable,
};

/// Index of the common room.
const COMMON: u16 = 1;

/// Twelve exams of ten students in three periods, with two students who have extra time in each of four; the exams may be in
/// the hall only, and the common room has `seats`.
fn session(seats: u32, features: &[&str]) -> Instance {
    let exam = |number: usize| Exam {
        code: format!("E{number}"),
        duration: Some(60),
        needs: RoomNeeds {
            rooms: BTreeSet::from(["Hall".to_owned()]),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            ..RoomNeeds::default()
        },
        ..Exam::default()
    };
    let time = |hour: u32| chrono::NaiveTime::from_hms_opt(hour, 0, 0);
    let period = |day: u32| Period {
        date: chrono::NaiveDate::from_ymd_opt(2027, 3, day),
        start: time(9),
        end: time(12),
        ..Period::default()
    };
    let features: BTreeSet<String> = ["computers".to_owned()].into();
    let rooms = vec![
        Room { code: "Hall".to_owned(), seats: 60, features, ..Room::default() },
        Room { code: "Quiet".to_owned(), seats, extra_time: true, ..Room::default() },
    ];
    let arrangement = |student: u32| Arrangement { student, extra: ExtraTime::Percent(25), own_room: false };
    let arrangements = (0..4).flat_map(|exam| [arrangement(10 * exam), arrangement(10 * exam + 1)]).collect();
    Instance::build(InstanceParts {
        exams: (0..12).map(exam).collect(),
        students: (0..12).flat_map(|exam| std::iter::repeat_n(vec![exam], 10)).collect(),
        periods: [1, 2, 3].map(period).to_vec(),
        resources: Resources { rooms, arrangements, extra_time: ExtraTimePlace::CommonRoom, ..Resources::default() },
        ..InstanceParts::default()
    })
    .unwrap()
}

fn solved(instance: &Instance) -> Timetable {
    let algorithm = Algorithm::named("annealing").unwrap();
    let stop = Stop::after(Budget::Steps(200));
    let settings = Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 1, seed: 3, stop };
    timetable_of(instance, &solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap()).unwrap()
}

/// Rooms of the sittings with extra time (`true`) or of the others.
fn rooms(instance: &Instance, timetable: &Timetable, extra: bool) -> BTreeSet<u16> {
    let sittings = instance.sittings().into_iter().zip(&timetable.rooms);
    let chosen = sittings.filter(|(sitting, _)| (sitting.extra > 0) == extra);
    chosen.flat_map(|(_, rooms)| rooms.iter().map(|seats| seats.room)).collect()
}

#[test]
fn students_with_extra_time_of_several_exams_share_the_common_room() {
    let instance = session(4, &[]);
    let timetable = solved(&instance);
    assert_eq!(check(&instance, &timetable).violations, []);
    assert_eq!(rooms(&instance, &timetable, true), [COMMON].into());
    assert_eq!(rooms(&instance, &timetable, false), [0].into());
    // Four exams with two such students each need two periods at least in a room of four seats.
    let with_extra = (0..4).map(|exam| timetable.period_of(exam)).collect::<BTreeSet<_>>();
    assert!(with_extra.len() > 1, "{with_extra:?}");
    for (sitting, room, words) in [(1, 0, "is no common room"), (0, COMMON, "is a common room for extra time")] {
        let mut moved = timetable.clone();
        moved.rooms[sitting][0].room = room;
        let violations = check(&instance, &moved).violations;
        let found = violations.iter().find(|violation| violation.kind == ViolationKind::Features);
        assert!(found.is_some_and(|violation| violation.text.contains(words)), "{violations:?}");
    }
}

#[test]
fn a_common_room_that_cannot_be_used_is_named() {
    let small = contradictions(&session(1, &[]));
    assert!(
        small.iter().any(|text| text
            .starts_with("2 students of exam E0 with extra time need seats in a common room, the largest has 1")),
        "{small:?}"
    );
    let without = contradictions(&session(4, &["computers"]));
    assert!(
        without.iter().any(|text| text.starts_with("no common room for extra time has what exam E0")),
        "{without:?}"
    );
}
