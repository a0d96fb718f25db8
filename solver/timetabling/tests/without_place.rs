//! Exams without a place: rooms of one exam's parts, extra time, what would help, what is left out.

use gridwright_core::search::{Algorithms, Budget, Control, Stop};
use gridwright_timetabling::check::{check, free_places};
use gridwright_timetabling::contradictions::contradictions;
use gridwright_timetabling::run::{Algorithm, Settings, solve, timetable_of};
use gridwright_timetabling::without_place::{Obstacle, left_over, remedies};
use gridwright_timetabling::{
    Arrangement, Exam, ExtraTime, ExtraTimePlace, Instance, InstanceParts, Period, Relation, RelationKind, Resources,
    Room, RoomNeeds, Timetable,
};

fn solved(instance: &Instance) -> Timetable {
    let algorithm = Algorithm::named("annealing").unwrap();
    let stop = Stop::after(Budget::Steps(50));
    let settings = Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 1, seed: 1, stop };
    let result = solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    timetable_of(instance, &result).unwrap()
}

fn exams(count: usize) -> Vec<Exam> {
    (0..count).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect()
}

fn hour(start: u32) -> Period {
    let time = |hour| chrono::NaiveTime::from_hms_opt(hour, 0, 0);
    Period {
        date: chrono::NaiveDate::from_ymd_opt(2027, 2, 1),
        start: time(start),
        end: time(start + 1),
        ..Period::default()
    }
}

fn room(code: &str, seats: u32, single: bool) -> Room {
    Room { code: code.to_owned(), seats, single, ..Room::default() }
}

/// An exam of ten students, one with extra time, in one period.
fn with_arrangement(needs_own_room: bool, student_is_alone: bool, rooms: Vec<Room>) -> Instance {
    let needs = RoomNeeds { own_room: needs_own_room, ..RoomNeeds::default() };
    let extra = ExtraTime::Minutes(15);
    let arrangements = vec![Arrangement { student: 0, extra, own_room: student_is_alone }];
    Instance::build(InstanceParts {
        name: "parts".to_owned(),
        exams: vec![Exam { code: "A".to_owned(), duration: Some(45), needs, ..Exam::default() }],
        students: vec![vec![0]; 10],
        periods: vec![hour(9)],
        resources: Resources { rooms, arrangements, extra_time: ExtraTimePlace::Apart, ..Resources::default() },
        ..InstanceParts::default()
    })
    .unwrap()
}

/// A room for one exam holds all parts of that exam, but not a student who sits alone.
#[test]
fn parts_of_one_exam_share_a_room_that_holds_one_exam() {
    for (own_room, single) in [(true, false), (false, true), (true, true)] {
        let instance = with_arrangement(own_room, false, vec![room("R1", 10, single)]);
        let timetable = solved(&instance);
        assert!(check(&instance, &timetable).feasible, "own {own_room}, single {single}: {timetable:?}");
        let alone = with_arrangement(own_room, true, vec![room("R1", 10, single)]);
        assert_eq!(solved(&alone).unplaced_exams(), [0]);
        let mut together = timetable;
        assert_eq!(alone.sittings().len(), together.rooms.len());
        together.periods = vec![0];
        let text = check(&alone, &together).violations.iter().map(|it| it.text.clone()).collect::<String>();
        assert!(text.contains("a student of exam A needs a room of his or her own"), "{text}");
        let two = with_arrangement(own_room, true, vec![room("R1", 9, single), room("R2", 1, single)]);
        assert!(check(&two, &solved(&two)).feasible);
    }
}

/// Moving by hand gives the parts of an exam one room as well.
#[test]
fn an_exam_that_is_moved_by_hand_keeps_its_parts_together() {
    let instance = with_arrangement(true, false, vec![room("R1", 10, false)]);
    let mut timetable = Timetable::unplaced(1);
    timetable.rooms = vec![Vec::new(); 2];
    timetable.move_exam(&instance, 0, Some(0));
    assert!(check(&instance, &timetable).feasible, "{timetable:?}");
}

/// Two exams never share a room that holds one exam.
#[test]
fn two_exams_do_not_share_a_room_that_holds_one_exam() {
    for (own_room, single) in [(true, false), (false, true)] {
        let mut exams = exams(2);
        exams[1].needs.own_room = own_room;
        let instance = Instance::build(InstanceParts {
            name: "two".to_owned(),
            exams,
            students: vec![vec![0], vec![0], vec![1]],
            periods: vec![hour(9)],
            resources: Resources { rooms: vec![room("R1", 10, single)], ..Resources::default() },
            ..InstanceParts::default()
        })
        .unwrap();
        assert_eq!(solved(&instance).unplaced_exams(), [1]);
    }
}

/// An exam without a duration lasts as long as its period, so that extra time in minutes or per cent does not fit.
#[test]
fn extra_time_without_a_duration_must_fit_into_the_period() {
    for extra in [ExtraTime::Minutes(30), ExtraTime::Percent(25)] {
        let session = |duration: Option<u32>| {
            let mut exams = exams(2);
            exams.iter_mut().for_each(|exam| exam.duration = duration);
            Instance::build(InstanceParts {
                name: "extra".to_owned(),
                exams,
                students: vec![vec![0], vec![1]],
                periods: vec![hour(9), hour(10)],
                resources: Resources {
                    arrangements: vec![Arrangement { student: 0, extra, own_room: false }],
                    ..Resources::default()
                },
                ..InstanceParts::default()
            })
            .unwrap()
        };
        let open = session(None);
        let named = contradictions(&open);
        assert!(named.iter().any(|why| why.contains("enter the durations of E0")), "{named:?}");
        assert_eq!(solved(&open).unplaced_exams(), [0]);
        let broken = check(&open, &Timetable::of(vec![0, 1])).violations;
        assert_eq!(broken.len(), 1, "{broken:?}");
        assert!(broken[0].text.contains("has no duration"), "{broken:?}");
        let short = session(Some(30));
        assert_eq!(contradictions(&short), Vec::<String>::new());
        assert!(check(&short, &solved(&short)).feasible);
    }
}

/// Sessions in which one exam has no place, and what must be among the changes that help.
fn sessions_with_a_remedy() -> Vec<(Instance, Obstacle, &'static str)> {
    let build = |parts: InstanceParts| Instance::build(InstanceParts { name: "help".to_owned(), ..parts }).unwrap();
    let periods = vec![Period::default(); 2];
    let clique = build(InstanceParts {
        exams: exams(3),
        students: vec![vec![0, 1, 2]],
        periods: periods.clone(),
        ..InstanceParts::default()
    });
    let free = |students: Vec<Vec<u16>>| {
        build(InstanceParts { exams: exams(3), students, periods: periods.clone(), ..InstanceParts::default() })
    };
    let mut pinned = free(vec![vec![0, 1], vec![2]]);
    pinned.rules.pins.extend([(0, 0), (1, 0)]);
    let mut chain = free(vec![vec![0], vec![1], vec![2]]);
    let before = |first, second| Relation::new(RelationKind::Before, first, second);
    chain.rules.relations.extend([before(0, 1), before(1, 2)]);
    let small = build(InstanceParts {
        exams: exams(1),
        students: vec![vec![0]; 30],
        periods,
        resources: Resources { rooms: vec![room("R1", 20, false)], ..Resources::default() },
        ..InstanceParts::default()
    });
    vec![
        (clique, Obstacle::Students, "one period more"),
        (pinned, Obstacle::Calendar, "without the pin of exam E"),
        (chain, Obstacle::Rule, "without the rule that exam E"),
        (small, Obstacle::Rooms, "room R1 20 seats larger"),
    ]
}

/// For each kind of obstacle it is said what keeps the exam out, and a change is named that gives it a place.
#[test]
fn changes_that_would_help_are_named_and_counted() {
    for (instance, obstacle, change) in sessions_with_a_remedy() {
        let timetable = solved(&instance);
        let left = left_over(&instance, &timetable);
        assert_eq!(left.len(), 1, "{change}: {left:?}");
        assert!(left[0].obstacles.contains(&obstacle), "{change}: {left:?}");
        let found = remedies(&instance, &timetable, &left);
        assert!(
            found.iter().any(|remedy| remedy.change.starts_with(change) && remedy.exams == 1),
            "{change}: {found:?}"
        );
    }
}

/// One exam of 100 students excludes three of ten: fewest students leaves out the three, fewest exams the one.
#[test]
fn few_students_or_few_exams_are_left_out_as_the_person_chooses() {
    let mut students: Vec<Vec<u16>> = vec![vec![0]; 97];
    students.extend((1..4).flat_map(|exam| std::iter::once(vec![0, exam]).chain(vec![vec![exam]; 9])));
    let parts = InstanceParts {
        name: "choice".to_owned(),
        exams: exams(4),
        students,
        periods: vec![Period::default()],
        ..InstanceParts::default()
    };
    let mut instance = Instance::build(parts).unwrap();
    assert_eq!(solved(&instance).unplaced_exams(), [1, 2, 3]);
    instance.rules.fewest_exams = true;
    assert_eq!(solved(&instance).unplaced_exams(), [0]);
}

/// The checker names exams that are left over although a period would take them, and none that nothing takes.
#[test]
fn exams_that_would_still_fit_are_named() {
    for (instance, ..) in sessions_with_a_remedy() {
        let timetable = solved(&instance);
        assert_eq!(free_places(&instance, &timetable), []);
        let placed: Vec<usize> = (0..instance.exam_count()).filter(|&at| timetable.period_of(at).is_some()).collect();
        for exam in placed {
            let mut without = timetable.clone();
            without.move_exam(&instance, exam, None);
            let found = free_places(&instance, &without);
            assert!(found.iter().any(|&(named, _)| named == exam), "{exam} of {timetable:?}: {found:?}");
        }
    }
}

/// A late change takes half of the seats away: half of the exams lose their place, and none of the others moves.
#[test]
fn a_late_change_that_leaves_too_few_seats_moves_no_exam() {
    let session = |rooms: Vec<Room>| {
        Instance::build(InstanceParts {
            name: "late".to_owned(),
            exams: exams(8),
            students: (0..80).map(|student| vec![student / 10]).collect(),
            periods: (9..13).map(hour).collect(),
            resources: Resources { rooms, ..Resources::default() },
            ..InstanceParts::default()
        })
        .unwrap()
    };
    let before = solved(&session(vec![room("R1", 10, false), room("R2", 10, false)]));
    assert!(before.unplaced_exams().is_empty());
    let mut fewer = session(vec![room("R1", 10, false)]);
    // The exams of the room that is gone have no room.
    let mut reference = before.clone();
    reference.rooms.iter_mut().for_each(|rooms| rooms.retain(|seats| seats.room == 0));
    fewer.rules.reference = Some(gridwright_timetabling::Reference { timetable: reference, weight: 1_000 });
    fewer.rules.room_price = 250;
    let after = solved(&fewer);
    assert_eq!(after.unplaced_exams().len(), 4);
    let moved = (0..8).filter(|&exam| after.period_of(exam).is_some_and(|at| before.period_of(exam) != Some(at)));
    assert_eq!(moved.count(), 0, "{before:?} {after:?}");
}

/// A session that has as many periods as there may be gets no further one, and the largest seats do not overflow.
#[test]
fn changes_stay_within_the_limits_of_a_session() {
    let full = Instance::build(InstanceParts {
        name: "full".to_owned(),
        exams: exams(2),
        students: vec![vec![0], vec![1]],
        periods: vec![Period::default(); gridwright_timetabling::MAX_PERIODS],
        resources: Resources { rooms: vec![room("R1", u32::MAX / 8, true)], ..Resources::default() },
        ..InstanceParts::default()
    })
    .unwrap();
    let timetable = Timetable { periods: vec![0, gridwright_timetabling::UNPLACED], rooms: vec![Vec::new(); 2] };
    let left = left_over(&full, &timetable);
    assert_eq!(left.len(), 1);
    let found = remedies(&full, &timetable, &left);
    assert!(found.iter().all(|remedy| remedy.change != "one period more"), "{found:?}");
}

/// Three exams of four students need computers in one period of one room with six seats and computers; a hall is empty.
#[test]
fn rooms_with_what_an_exam_needs_are_named_where_they_have_too_few_seats() {
    let mut all = exams(3);
    for exam in &mut all {
        exam.needs.features.insert("computers".to_owned());
    }
    let mut rooms = vec![room("Hall", 400, false), room("PC1", 6, false)];
    rooms[1].features.insert("computers".to_owned());
    let students = (0..12).map(|student| vec![student / 4]).collect();
    let parts = InstanceParts {
        exams: all,
        students,
        periods: vec![hour(9)],
        resources: Resources { rooms, ..Resources::default() },
        ..InstanceParts::default()
    };
    let mut instance = Instance::build(parts).unwrap();
    let why =
        |instance: &Instance| left_over(instance, &solved(instance)).iter().map(|left| left.why()).collect::<Vec<_>>();
    assert_eq!(why(&instance), vec!["1 period without enough seats in rooms with computers (PC1)"; 2]);
    instance.exams.iter_mut().for_each(|exam| exam.needs = RoomNeeds::default());
    (0..3).for_each(|exam| drop(instance.rules.room_pins.insert(exam, [1].into())));
    assert_eq!(why(&instance), vec!["1 period without enough seats in its rooms (PC1)"; 2]);
}
