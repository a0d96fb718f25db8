use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveTime};
use proptest::prelude::*;

use super::*;
use crate::annealing::AnnealingParameters;
use crate::check::{ViolationKind, check};
use crate::run::{self, Algorithm, Settings};
use crate::{
    Arrangement, Exam, ExtraTime, ExtraTimePlace, Instance, InstanceParts, Objective, ObjectiveKind, Period, Person,
    Reference, Relation, RelationKind, Resources, Room, RoomNeeds, Seats, Weights,
};
use gridwright_core::random::Philox;
use gridwright_core::search::{Budget, Control};

const EXAMS: usize = 24;
const PERIODS: usize = 9;

#[derive(Debug, Clone)]
struct Drawn {
    students: Vec<Vec<u16>>,
    sizes: Vec<(u32, u32, bool, bool)>,
    exams: Vec<(u32, u16, bool, bool)>,
    relations: Vec<(usize, usize, usize)>,
    people: Vec<(BTreeSet<u16>, BTreeSet<u16>)>,
    arrangements: Vec<(u32, u32, bool)>,
    objective: usize,
    penalties: Vec<u32>,
    together: BTreeSet<(u16, u16)>,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let exam = 0_u16..EXAMS as u16;
    (
        (
            proptest::collection::vec(proptest::collection::vec(exam.clone(), 1..5), 1..60),
            proptest::collection::vec((1_u32..40, 0_u32..20, any::<bool>(), any::<bool>()), 0..6),
            proptest::collection::vec(
                (0_u32..4, 0_u16..4, proptest::bool::weighted(0.1), proptest::bool::weighted(0.1)),
                EXAMS,
            ),
            proptest::collection::vec((0_usize..8, 0_usize..EXAMS, 0_usize..EXAMS), 0..6),
        ),
        (
            proptest::collection::vec(
                (
                    proptest::collection::btree_set(exam.clone(), 0..4),
                    proptest::collection::btree_set(0_u16..PERIODS as u16, 0..3),
                ),
                0..4,
            ),
            proptest::collection::vec((0_u32..60, 0_u32..40, proptest::bool::weighted(0.2)), 0..6),
            0_usize..5,
            proptest::collection::vec(0_u32..50, PERIODS),
            proptest::collection::btree_set((exam.clone(), exam), 0..3),
        ),
    )
        .prop_map(
            |((students, sizes, exams, relations), (people, arrangements, objective, penalties, together))| Drawn {
                students,
                sizes,
                exams,
                relations,
                people,
                arrangements,
                objective,
                penalties,
                together,
            },
        )
}

/// A session with rooms, people, arrangements and relations of all kinds.
fn session(drawn: &Drawn) -> Instance {
    let exam = |(number, &(duration, most_rooms, own_room, projector)): (usize, &(u32, u16, bool, bool))| Exam {
        code: format!("E{number}"),
        duration: Some(60 + 30 * duration),
        needs: RoomNeeds {
            own_room,
            most_rooms,
            features: projector.then(|| "projector".to_owned()).into_iter().collect(),
            ..RoomNeeds::default()
        },
        ..Exam::default()
    };
    let room = |(number, &(seats, penalty, has_projector, single)): (usize, &(u32, u32, bool, bool))| Room {
        code: format!("R{number}"),
        seats,
        penalty,
        features: has_projector.then(|| "projector".to_owned()).into_iter().collect(),
        single: single && number % 3 == 0,
        building: ["North", "South"][number / 2 % 2].to_owned(),
        unavailable: if number % 2 == 0 { BTreeSet::new() } else { [number as u16].into() },
        seat_plan: String::new(),
        extra_time: false,
    };
    let period = |(number, &penalty): (usize, &u32)| Period {
        date: NaiveDate::from_ymd_opt(2027, 2, 1 + number as u32 / 3),
        start: NaiveTime::from_hms_opt(8 + 4 * (number as u32 % 3), 0, 0),
        end: NaiveTime::from_hms_opt(8 + 4 * (number as u32 % 3) + 3, 0, 0),
        penalty,
        ..Period::default()
    };
    let students = drawn.students.len() as u32;
    let arrangements = drawn.arrangements.iter().filter(|arrangement| arrangement.0 < students);
    let mut arranged: Vec<Arrangement> = arrangements
        .map(|&(student, minutes, own_room)| Arrangement { student, extra: ExtraTime::Minutes(minutes), own_room })
        .collect();
    arranged.dedup_by_key(|arrangement| arrangement.student);
    arranged.sort_by_key(|arrangement| arrangement.student);
    arranged.dedup_by_key(|arrangement| arrangement.student);
    let objective = match drawn.objective {
        kind @ 0..3 => Objective::of(ObjectiveKind::ALL[kind]),
        _ => Objective {
            kind: ObjectiveKind::Office,
            weights: Weights {
                proximity: 3,
                night: 1,
                spread: 2,
                spread_periods: 3,
                days: 5,
                part: 7,
                building: 13,
                opened: 17,
                short_break: 4,
                break_minutes: 61,
                uneven_days: if drawn.objective == 4 { 6 } else { 0 },
                ..Weights::of(ObjectiveKind::Office)
            },
        },
    };
    let mut rules = crate::Rules::default();
    for &(kind, first, second) in drawn.relations.iter().filter(|relation| relation.1 != relation.2) {
        rules.relations.insert(Relation::new(RelationKind::ALL[kind], first, second));
    }
    for &(first, second) in drawn.together.iter().filter(|(first, second)| first != second) {
        rules.relations.insert(Relation::new(RelationKind::Same, first.into(), second.into()));
    }
    Instance::build(InstanceParts {
        name: "drawn".to_owned(),
        exams: drawn.exams.iter().enumerate().map(exam).collect(),
        students: drawn.students.clone(),
        periods: drawn.penalties.iter().enumerate().map(period).collect(),
        resources: Resources {
            absent: crate::resources::Absent::default(),
            contacts: Vec::new(),
            extra_time: ExtraTimePlace::Apart,
            rooms: drawn.sizes.iter().enumerate().map(room).collect(),
            people: drawn
                .people
                .iter()
                .enumerate()
                .map(|(number, (exams, unavailable))| Person {
                    name: format!("P{number}"),
                    exams: exams.clone(),
                    unavailable: unavailable.clone(),
                })
                .collect(),
            arrangements: arranged,
            ..Resources::default()
        },
        objective,
        rules,
        ..InstanceParts::default()
    })
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// After every move of every neighbourhood the cost is that of the checker, and nothing is violated.
    #[test]
    fn every_move_costs_what_the_checker_says(
        drawn in drawn(),
        moves in proptest::collection::vec((0_u8..5, any::<u16>(), any::<u16>(), prop_oneof![Just(i64::MAX / 4), -50_i64..200]), 1..80),
        seed in any::<u64>(),
        prices in (any::<bool>(), 0_u32..200, 0_u32..200),
    ) {
        let mut instance = session(&drawn);
        let mut model = SeatingModel::of_placeable(&instance);
        let start = construct::<i16>(&model, None, Philox::new(seed), 0, 300, &|| false);
        // What has a place violates nothing, whatever has none.
        let part = check(&instance, &model.expand(&std::sync::Arc::new(start.clone())));
        let others: Vec<_> = part.violations.iter().filter(|violation| violation.kind != ViolationKind::Unplaced).collect();
        prop_assert!(others.is_empty(), "{:?}", others);
        if !start.unplaced_exams().is_empty() {
            return Ok(());
        }
        let searched: BTreeSet<usize> = (0..model.nodes()).flat_map(|node| model.exams_of(node).to_vec()).collect();
        let left_out: Vec<usize> = (0..EXAMS).filter(|exam| !searched.contains(exam)).collect();
        let mut objective = part.objective;
        if let (true, weight, room_price) = prices {
            let reference = Timetable::clone(&model.expand(&std::sync::Arc::new(start.clone())));
            instance.rules.reference = Some(Reference { timetable: reference, weight });
            instance.rules.room_price = room_price;
            model = SeatingModel::of_placeable(&instance);
            // A timetable that still holds is kept as it is.
            for individual in 0..2 {
                let kept = construct::<i16>(&model, Some(&start), Philox::new(seed), individual, 0, &|| false);
                prop_assert_eq!(&kept, &start);
            }
            objective = check(&instance, &model.expand(&std::sync::Arc::new(start.clone()))).objective;
        }
        let mut board = Board::<i16>::new(&model, &start);
        let mut twin = Board::<i32>::new(&model, &start);
        prop_assert_eq!((board.cost(), part.objective), (objective as i64, objective));
        for (kind, one, other, limit) in moves {
            let node = usize::from(one) % model.nodes();
            let (period, second) = (usize::from(other) % model.periods, usize::from(other) % model.nodes());
            let before = board.cost();
            let choice = usize::from(other) % 6;
            let sitting = usize::from(one) % model.sittings.len();
            let made = match kind {
                0 => [board.shift(&model, node, period, limit), twin.shift(&model, node, period, limit)],
                1 => [board.swap(&model, node, second, limit), twin.swap(&model, node, second, limit)],
                2 => [board.kempe(&model, node, period, limit), twin.kempe(&model, node, period, limit)],
                3 => {
                    let a = usize::from(one) % model.periods;
                    if a == period {
                        continue;
                    }
                    [board.exchange(&model, a, period, limit), twin.exchange(&model, a, period, limit)]
                }
                _ => [board.change_room(&model, sitting, choice, limit), twin.change_room(&model, sitting, choice, limit)],
            };
            prop_assert_eq!(made[0], made[1]);
            prop_assert!(board.cost() - before <= limit || !made[0]);
            prop_assert!(made[0] || board.cost() == before);
            let nodes = std::sync::Arc::new(board.timetable(&model));
            prop_assert_eq!(&*nodes, &twin.timetable(&model));
            let verdict = check(&instance, &model.expand(&nodes));
            let broken = verdict.violations.iter().find(|violation| violation.kind != ViolationKind::Unplaced);
            prop_assert!(broken.is_none(), "{:?} {:?}", kind, broken);
            let unplaced = model.expand(&nodes).unplaced_exams();
            prop_assert_eq!(&unplaced, &left_out);
            prop_assert_eq!(board.cost(), verdict.objective as i64);
            prop_assert_eq!(instance.objective(&model.expand(&nodes), model.expand(&nodes).cost(&instance).proximity), verdict.objective);
            prop_assert_eq!(&model.reduce(&model.expand(&nodes)), &*nodes);
            let fresh = Board::<i16>::new(&model, &nodes);
            prop_assert_eq!(fresh.cost(), board.cost());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Exams without a place break nothing and have none: neither in an empty room of a period nor beside others.
    #[test]
    fn as_many_exams_have_a_place_as_fit(drawn in drawn(), seed in any::<u64>()) {
        let instance = session(&drawn);
        let algorithm = Algorithm::Annealing(AnnealingParameters { chains: 1, ..AnnealingParameters::default() });
        let settings = Settings { backend: "cpu".to_owned(), seed, ..Settings::of(algorithm, Budget::Steps(50)) };
        let result = run::solve(&instance, &settings, &Control::new(), &mut |_| ()).unwrap();
        let timetable = run::timetable_of(&instance, &result).unwrap();
        let broken = |timetable: &Timetable| {
            let violations = check(&instance, timetable).violations;
            violations.iter().filter(|violation| violation.kind != ViolationKind::Unplaced).count()
        };
        prop_assert_eq!(broken(&timetable), 0);
        prop_assert_eq!(result.verdict.feasible, timetable.unplaced_exams().is_empty());
        let again = run::replay(&instance, &result, "cpu", 1, &Control::new(), &mut |_| ()).unwrap();
        prop_assert!(again.is_equal(), "{:?}", again);
        let sittings = instance.sittings();
        for exam in timetable.unplaced_exams() {
            let own: Vec<usize> = (0..sittings.len()).filter(|&number| sittings[number].exam == exam).collect();
            let rooms = instance.resources.rooms.len();
            for period in 0..PERIODS {
                let mut with_exam = timetable.clone();
                with_exam.periods[exam] = period as u16;
                // Every single room of every sitting.
                for choice in 0..rooms.pow(own.len() as u32).max(1) {
                    for (at, &number) in own.iter().enumerate().filter(|_| rooms > 0) {
                        let room = (choice / rooms.pow(at as u32) % rooms) as u16;
                        with_exam.rooms[number] = vec![Seats { room, students: sittings[number].students }];
                    }
                    prop_assert!(broken(&with_exam) > 0, "exam {} fits in period {}", exam, period);
                }
            }
        }
    }
}

/// An even load is found, and devices leave it to the CPU with a reason.
#[test]
fn students_are_spread_evenly_over_the_days() {
    // Eight exams of six students, in nine periods of three days: the share of a day is 16 students.
    let students = (0..48).map(|student| vec![student % 8]).collect();
    let mut instance = session(&Drawn { objective: 2, ..plain(students, &[]) });
    instance.objective.weights = Weights { uneven_days: 5, ..Weights::default() };
    let together = Timetable::of([0, 1, 2, 0, 1, 2, 3, 4].into_iter().chain([8; 16]).collect());
    let verdict = check(&instance, &together);
    // 36 students on the first day, 12 on the second.
    assert_eq!((verdict.raw, verdict.components[0].count), (5 * 20, 20));
    assert_eq!(together.cost(&instance).proximity, 100);
    let algorithm = Algorithm::Annealing(AnnealingParameters { chains: 1, ..AnnealingParameters::default() });
    let settings = Settings { backend: "cuda".to_owned(), seed: 1, ..Settings::of(algorithm, Budget::Steps(100)) };
    let result = run::solve(&instance, &settings, &Control::new(), &mut |_| ());
    assert!(result.is_err_and(|error| error.to_string().contains("uneven_days")));
    let settings = Settings { backend: "auto".to_owned(), ..settings };
    let result = run::solve(&instance, &settings, &Control::new(), &mut |_| ()).unwrap();
    // Two days of three exams and one of two.
    assert_eq!(check(&instance, &run::timetable_of(&instance, &result).unwrap()).raw, 5 * 4);
}

/// A session without rules, people and arrangements.
fn plain(students: Vec<Vec<u16>>, sizes: &[u32]) -> Drawn {
    Drawn {
        students,
        sizes: sizes.iter().map(|&seats| (seats, 0, true, false)).collect(),
        exams: vec![(0, 0, false, false); EXAMS],
        relations: Vec::new(),
        people: Vec::new(),
        arrangements: Vec::new(),
        objective: 0,
        penalties: vec![0; PERIODS],
        together: BTreeSet::new(),
    }
}

/// Two exams that must be in one period are ejected once, also if another one lies between them by size.
#[test]
fn exams_that_sit_together_are_ejected_once() {
    let sizes = [10, 4, 7, 21];
    let students = sizes.iter().enumerate().flat_map(|(exam, &size)| vec![vec![exam as u16]; size]).collect();
    let mut instance = session(&Drawn { together: [(0, 1)].into(), ..plain(students, &[21]) });
    for exam in 0..sizes.len() as u16 {
        instance.rules.pins.insert(exam, 0);
    }
    let model = SeatingModel::new(&instance);
    let start = construct::<i16>(&model, None, Philox::new(1), 0, 300, &|| false);
    let timetable = model.expand(&std::sync::Arc::new(start));
    let verdict = check(&instance, &timetable);
    assert!(
        !timetable.unplaced_exams().is_empty()
            && verdict.violations.iter().all(|found| found.kind == ViolationKind::Unplaced)
    );
}

/// An exam that must be in the same room as another has one room; the exams that are in its period do not follow it there.
#[test]
fn exams_of_the_same_room_are_not_split_and_leave_others_alone() {
    let contradictions = |instance: &Instance| -> Vec<String> {
        diagnosis::contradictions(instance).into_iter().map(|found| found.text).collect()
    };
    let number = |kind| RelationKind::ALL.iter().position(|&other| other == kind).unwrap();
    let related = (number(RelationKind::SameRoom), 2, 0);
    // E2 has 10 students and fits the second room only; E0, with E1 in its period, is to be there, too.
    let students: Vec<Vec<u16>> = (0..10).map(|student| if student < 2 { vec![2, 0] } else { vec![2] }).collect();
    let all = |sizes: &[u32]| {
        let mut drawn = Drawn { relations: vec![related], ..plain(students.clone(), sizes) };
        drawn.students.extend([vec![1], vec![1]]);
        drawn.exams[2].1 = 2;
        drawn.together = [(0, 1)].into();
        let mut instance = session(&drawn);
        instance.exams[1].needs.rooms = ["R0".to_owned()].into();
        instance
    };
    for seed in 0..20 {
        let instance = all(&[2, 12]);
        let model = SeatingModel::new(&instance);
        let start = construct::<i16>(&model, None, Philox::new(seed), 0, 300, &|| false);
        let verdict = check(&instance, &model.expand(&std::sync::Arc::new(start)));
        assert!(verdict.feasible, "{:?}", verdict.violations);
    }
    assert_eq!(contradictions(&all(&[2, 12])), [""; 0]);
    assert_eq!(
        contradictions(&all(&[2, 8])),
        [
            "exam E2 needs 10 seats, the largest room that it may use has 8, and it must be in the same room as exam E0: \
             remove that rule or add a larger room"
        ]
    );
    let mut apart = all(&[12, 12]);
    apart.exams[0].needs.rooms = ["R0".to_owned()].into();
    apart.exams[2].needs.rooms = ["R1".to_owned()].into();
    assert_eq!(
        contradictions(&apart),
        [
            "exams E0 and E2 must be in the same room, but no room suits both: remove the rule or correct what they demand"
        ]
    );
}

/// An exam that no room holds takes no place from the others, in whatever order they are placed.
#[test]
fn an_exam_without_a_room_stays_alone_without_a_place() {
    let students = (0..30).map(|student| vec![7, student % 7]).collect();
    let instance = session(&plain(students, &[20, 12]));
    let model = SeatingModel::new(&instance);
    for seed in 0..5 {
        let start = construct::<i16>(&model, None, Philox::new(seed), 0, 300, &|| false);
        let timetable = model.expand(&std::sync::Arc::new(start));
        assert_eq!(timetable.unplaced_exams(), [7]);
        assert!(check(&instance, &timetable).violations.iter().all(|found| found.kind == ViolationKind::Unplaced));
    }
}

/// An exam without a place is left out, and the search improves the timetable of the others.
#[test]
fn the_others_are_improved_where_an_exam_has_no_place() {
    let exams = |student: u16| (0..3).map(move |number| (student * (2 + number) + number) % 9).chain([9]).collect();
    let instance = session(&plain((0..120).map(exams).collect(), &[80, 80]));
    let algorithm = Algorithm::Annealing(AnnealingParameters { chains: 1, ..AnnealingParameters::default() });
    let settings = Settings { backend: "cpu".to_owned(), ..Settings::of(algorithm, Budget::Steps(2_000)) };
    let mut costs = Vec::new();
    let result =
        run::solve(&instance, &settings, &Control::new(), &mut |report| costs.push(report.snapshot.best_cost)).unwrap();
    assert_eq!(run::timetable_of(&instance, &result).unwrap().unplaced_exams(), [9]);
    assert!(result.verdict.violations.iter().all(|found| found.kind == "unplaced"));
    assert!(costs.last() < costs.first(), "{costs:?}");
    let again = run::replay(&instance, &result, "cpu", 1, &Control::new(), &mut |_| ()).unwrap();
    assert!(again.is_equal(), "{again:?}");
}
