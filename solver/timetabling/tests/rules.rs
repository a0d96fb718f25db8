//! Rules (pins, forbidden periods, relations, seats, reference timetables) are honoured by every search, verified by
//! the checker, and their contradictions are named.

use std::sync::Arc;

use gridwright_core::search::{Algorithms, Budget, Control, Stop, StopReason};
use gridwright_timetabling::contradictions::contradictions;
use gridwright_timetabling::evolution::GeneOrder;
use gridwright_timetabling::model::Model;
use gridwright_timetabling::run::{Algorithm, Settings, reasons, replay, solve, timetable_of, with_demands};
use gridwright_timetabling::{
    Exam, Instance, InstanceParts, Objective, ObjectiveKind, Period, Reference, Relation, RelationKind, Resources,
    Room, StoredRules, Timetable, check, generator,
};
use proptest::prelude::*;

fn instance(students: Vec<Vec<u16>>, exams: usize, periods: usize) -> Instance {
    let exams = (0..exams).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
    let periods = vec![Period::default(); periods];
    Instance::build(InstanceParts { name: "small".to_owned(), exams, students, periods, ..InstanceParts::default() })
        .unwrap()
}

fn settings(algorithm: &str, seed: u64) -> Settings {
    let mut algorithm = Algorithm::named(algorithm).unwrap();
    if let Algorithm::Evolution(parameters) = &mut algorithm {
        (parameters.population, parameters.constructed) = (16, 8);
        parameters.order = if seed.is_multiple_of(2) { GeneOrder::WeightedDegree } else { GeneOrder::File };
    }
    let steps = if algorithm.name() == "annealing" { 4_000 } else { 15 };
    let stop = Stop { budget: Budget::Steps(steps), target: None, stall: None };
    Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 2, seed, stop }
}

/// A complete timetable without clashes that exceeds the seats is reported as infeasible; a case of the random test
/// below.
#[test]
fn too_many_students_in_a_period_are_told() {
    let students = vec![vec![3], vec![3], vec![8], vec![8], vec![8], vec![8], vec![3], vec![8]];
    let rules = (vec![(0, 4), (8, 4)], Vec::new(), vec![(1, 3, 0)], Some(vec![6; 8]), None);
    let instance = demand(instance(students, 14, 8), &rules);
    assert!(contradictions(&instance).is_empty());
    let mut timetable = Timetable::of((0..14).map(|exam| exam % 4).collect());
    for exam in [0, 3, 8] {
        timetable.periods[exam] = 4;
    }
    timetable.periods[1] = 7;
    let notes = reasons(&instance, &timetable);
    assert!(notes.iter().any(|note| note.contains("not met") && note.contains("seats")), "{notes:?}");
}

/// Random rules as numbers that are reduced to the range of the instance: pins, forbidden periods, relations, seats,
/// reference.
type Demanded = (Vec<(u16, u16)>, Vec<(u16, u16)>, Vec<(u8, u16, u16)>, Option<Vec<u32>>, Option<(u32, Vec<u16>)>);

fn demanded() -> impl Strategy<Value = Demanded> {
    let pair = || (0_u16..14, 0_u16..8);
    (
        proptest::collection::vec(pair(), 0..3),
        proptest::collection::vec(pair(), 0..12),
        proptest::collection::vec((0_u8..3, 0_u16..14, 0_u16..14), 0..5),
        proptest::option::of(proptest::collection::vec(6_u32..40, 8)),
        proptest::option::of((0_u32..200, proptest::collection::vec(0_u16..8, 14))),
    )
}

fn demand(mut instance: Instance, demanded: &Demanded) -> Instance {
    let (pins, forbidden, relations, seats, reference) = demanded;
    instance.rules.pins.extend(pins.iter().copied());
    for &(exam, period) in forbidden {
        instance.rules.forbid(usize::from(exam), usize::from(period), true);
    }
    for &(kind, first, second) in relations.iter().filter(|row| row.1 != row.2) {
        let kind = RelationKind::ALL[usize::from(kind)];
        instance.rules.relations.insert(Relation::new(kind, usize::from(first), usize::from(second)));
    }
    if let Some(seats) = seats {
        for (period, &seats) in instance.periods.iter_mut().zip(seats) {
            period.seats = Some(seats);
        }
    }
    instance.rules.reference = reference
        .as_ref()
        .map(|(weight, periods)| Reference { timetable: Timetable::of(periods.clone()), weight: *weight });
    instance
}

/// Number of broken rules, by an implementation independent of the checker.
fn broken(instance: &Instance, periods: &[u16]) -> usize {
    let rules = &instance.rules;
    let at = |exam: u16| periods[usize::from(exam)];
    let mut broken = rules.pins.iter().filter(|&(&exam, &pin)| at(exam) != pin).count();
    broken += rules.forbidden.iter().filter(|&(&exam, list)| list.contains(&at(exam))).count();
    broken += rules
        .relations
        .iter()
        .filter(|relation| !relation.holds(None, usize::from(at(relation.first)), usize::from(at(relation.second))))
        .count();
    broken += (0..instance.period_count())
        .filter(|&period| {
            let there = (0..periods.len()).filter(|&exam| usize::from(periods[exam]) == period);
            let students: u32 = there.map(|exam| instance.exams[exam].enrolment).sum();
            instance.seat_limit(period).is_some_and(|seats| students > seats)
        })
        .count();
    broken
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// For random instances and rules: a result is feasible exactly if no rule is broken, its cost is the checker's,
    /// contradictory rules are never satisfied, failures are explained, and the run repeats bit for bit.
    #[test]
    fn no_search_returns_a_broken_rule_and_calls_it_feasible(
        students in proptest::collection::vec(proptest::collection::vec(0_u16..14, 0..4), 0..30),
        demanded in demanded(),
        seed in 0_u64..1_000,
    ) {
        let instance = demand(instance(students, 14, 8), &demanded);
        let impossible = contradictions(&instance);
        for algorithm in Algorithm::names() {
            let result = solve(&instance, &settings(algorithm, seed), &Control::default(), &mut |_| {}).unwrap();
            let timetable = timetable_of(&instance, &result).unwrap();
            let verdict = check::check(&instance, &timetable);
            prop_assert!(result.verdict.confirmed, "{algorithm}: {:?}", result.verdict);
            prop_assert_eq!(result.verdict.feasible, verdict.feasible);
            if result.verdict.feasible {
                prop_assert_eq!(broken(&instance, &timetable.periods), 0);
                prop_assert!(timetable.cost(&instance).is_feasible());
                prop_assert!(impossible.is_empty(), "{impossible:?}");
                let objective = instance.objective(&timetable, verdict.raw);
                prop_assert_eq!(objective, verdict.objective);
            } else {
                prop_assert!(!result.notes.is_empty());
                prop_assert!(impossible.iter().all(|text| result.notes.contains(text)));
            }
            let again = replay(&instance, &result, "cpu", 1, &Control::default(), &mut |_| {}).unwrap();
            prop_assert!(again.is_equal(), "{algorithm}: {again:?}");
        }
    }

    /// Rules survive conversion to [`StoredRules`] and back.
    #[test]
    fn stored_rules_come_back(demanded in demanded()) {
        let plain = instance(vec![vec![0, 1]], 14, 8);
        let wanted = demand(plain.clone(), &demanded);
        let text = ron::to_string(&StoredRules::of(&wanted)).unwrap();
        let stored: StoredRules = ron::from_str(&text).unwrap();
        prop_assert_eq!(stored.apply(plain).unwrap(), wanted);
    }

    /// The model allows only what the rules allow, and its objective equals the instance's.
    #[test]
    fn a_model_means_what_the_instance_says(
        students in proptest::collection::vec(proptest::collection::vec(0_u16..14, 0..4), 0..30),
        demanded in demanded(),
        word in 0_u16..8,
    ) {
        let instance = demand(instance(students, 14, 8), &demanded);
        let model = Model::new(&instance);
        let nodes = Arc::new(Timetable::of((0..model.nodes() as u16).map(|node| (node * 3 + word) % 8).collect()));
        let exams = model.expand(&nodes);
        let cost = exams.cost(&instance);
        // Conflicting exams of one node clash in every period.
        if contradictions(&instance).is_empty() {
            prop_assert_eq!(model.objective(&nodes), instance.objective(&exams, cost.proximity));
        }
        if let Some(restrictions) = &model.restrictions {
            let allowed = (0..model.nodes()).all(|node| restrictions.allowed[node].contains(usize::from(nodes.periods[node])));
            let rules = &instance.rules;
            let demanded = (0..14).all(|exam| rules.allows(exam, usize::from(exams.periods[exam])));
            prop_assert!(demanded || !allowed);
        }
    }
}

#[test]
fn contradictions_are_named() {
    let named = |change: &dyn Fn(&mut Instance)| {
        let mut instance = instance(vec![vec![0, 1], vec![0, 1], vec![2, 3]], 5, 4);
        change(&mut instance);
        contradictions(&instance).join("; ")
    };
    let relate = |kind, first, second| {
        move |i: &mut Instance| {
            i.rules.relations.insert(Relation::new(kind, first, second));
        }
    };
    assert_eq!(named(&|_| {}), "");
    assert_eq!(
        named(&|i| i.rules.pins.extend([(0, 2), (1, 2)])),
        "exams E0 and E1 are both pinned to period 3 and share 2 students: remove one pin"
    );
    assert!(named(&|i| i.rules.pins.extend([(0, 9)])).contains("pinned to period 10, but there are only 4"));
    assert!(named(&|i| (0..4).for_each(|period| i.rules.forbid(4, period, true))).contains("forbidden for exam E4"));
    assert!(named(&relate(RelationKind::Same, 0, 1)).contains("E0 and E1 must be in the same period, but share 2"));
    let circle = named(&|i| {
        for (first, second) in [(0, 2), (2, 4), (4, 0)] {
            relate(RelationKind::Before, first, second)(i);
        }
    });
    assert!(circle.contains("E0 before E2 before E4 before E0"), "{circle}");
    let chain = named(&|i| {
        for exam in 0..4 {
            relate(RelationKind::Before, exam, exam + 1)(i);
        }
    });
    assert_eq!(
        chain,
        "no timetable satisfies these rules together: exam E0 must be before exam E1; exam E1 must be before exam E2; exam E2 must be \
         before exam E3; exam E3 must be before exam E4; remove one of them"
    );
    let seats = named(&|i| i.periods.iter_mut().for_each(|period| period.seats = Some(1)));
    assert!(seats.contains("exam E0 needs 2 seats, but no period has more than 1"), "{seats}");
    assert!(seats.contains("6 seats are needed, but all periods together have only 4"), "{seats}");
}

/// Solving around five exams moved by hand and pinned moves few other exams.
#[test]
fn solving_again_stays_close_to_what_was_published() {
    // A few periods more than the minimum, so that the timetable can be changed at all.
    let source = generator::sample("faculty").unwrap().with_periods(24).unwrap();
    let before = solve(&source, &settings_of(20_000), &Control::default(), &mut |_| {}).unwrap();
    assert_eq!(before.stop_reason, StopReason::Budget);
    let published = timetable_of(&source, &before).unwrap();
    let mut instance = source.clone();
    for exam in [3, 17, 40, 77, 120] {
        // A period in which other exams have to move, but as few as possible.
        let there = published.period_of(exam).unwrap();
        let clashes = |period: usize| {
            let others = source.conflicts.of(exam).filter(|&(other, _)| published.period_of(other) == Some(period));
            others.count()
        };
        // The moved exams must not conflict with each other.
        let taken = |period: usize| instance.rules.pins.values().any(|&pin| usize::from(pin) == period);
        let to = (0..source.period_count()).filter(|&to| to != there && clashes(to) > 0 && !taken(to));
        let to = to.min_by_key(|&to| (clashes(to), published.share_at(&source, exam, to).1));
        instance.rules.pins.insert(exam as u16, to.unwrap() as u16);
    }
    instance.rules.reference = Some(Reference { timetable: published, weight: 200 });
    assert_eq!(contradictions(&instance), Vec::<String>::new());
    let after = solve(&instance, &settings_of(20_000), &Control::default(), &mut |_| {}).unwrap();
    assert!(after.verdict.feasible && after.verdict.confirmed, "{:?}", after.verdict);
    let verdict = check::check(&instance, &timetable_of(&instance, &after).unwrap());
    println!("{} moved, cost {} then {}", verdict.moved, before.verdict.cost, after.verdict.cost);
    assert!(verdict.moved >= 5 && verdict.moved as usize <= source.exam_count() / 10, "{} moved", verdict.moved);
    // The increase of the cost depends on the moved exams; a run five times as long finds little improvement, with
    // moved exams at their price.
    let longer = solve(&instance, &settings_of(100_000), &Control::default(), &mut |_| {}).unwrap();
    let moved_then = check::check(&instance, &timetable_of(&instance, &longer).unwrap()).moved;
    let objective = |cost: f64, moved: u32| cost + 200.0 * f64::from(moved);
    let (short, long) = (objective(after.verdict.cost, verdict.moved), objective(longer.verdict.cost, moved_then));
    assert!(short <= long * 1.02, "{short}, and {long} after five times as many steps");
    // The result contains its rules: it replays on an instance without them.
    assert_eq!(with_demands(&source, &after).unwrap().rules, instance.rules);
    assert!(replay(&source, &after, "cpu", 1, &Control::default(), &mut |_| {}).unwrap().is_equal());
}

fn settings_of(steps: u64) -> Settings {
    let stop = Stop { budget: Budget::Steps(steps), target: None, stall: None };
    Settings { stop, ..settings("annealing", 5) }
}

/// Rooms are stored by their codes, so that pins stay with them when the table of rooms changes.
#[test]
fn pins_to_rooms_are_stored_by_codes() {
    let plain = generator::sample("campus").unwrap();
    let mut pinned = plain.clone();
    pinned.rules.room_pins.insert(3, [0, 2].into());
    let stored = StoredRules::of(&pinned);
    assert_eq!(stored.apply(plain.clone()).unwrap().rules, pinned.rules);
    let mut fewer = plain;
    let gone = fewer.resources.rooms.remove(0).code;
    let why = stored.apply(fewer.clone()).unwrap_err().to_string();
    assert!(why.contains(&format!("room {gone}, which campus does not have")), "{why}");
    let (fitted, lost) = stored.fitted(&fewer);
    assert_eq!((fitted.apply(fewer.clone()).unwrap().rules.room_pins[&3].clone(), lost), ([1].into(), 0));
    fewer.resources.rooms.remove(1);
    assert_eq!(stored.fitted(&fewer).1, 1, "nothing is left of the pin");
}

/// Two exams of three students, and rooms of which the second one costs more and the third one is too small.
#[test]
fn searches_keep_exams_in_the_rooms_to_which_they_are_pinned() {
    let room = |code: &str, seats, penalty| Room { code: code.to_owned(), seats, penalty, ..Room::default() };
    let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
    let instance = Instance::build(InstanceParts {
        exams: ["A", "B"].map(exam).to_vec(),
        students: [0, 0, 0, 1, 1, 1].map(|exam| vec![exam]).to_vec(),
        periods: vec![Period::default(); 3],
        resources: Resources {
            rooms: vec![room("H", 10, 0), room("S", 10, 5), room("T", 2, 0)],
            ..Resources::default()
        },
        objective: Objective::of(ObjectiveKind::Office),
        ..InstanceParts::default()
    })
    .unwrap();
    let pinned = |room: u16| {
        let mut pinned = instance.clone();
        pinned.rules.room_pins.insert(0, [room].into());
        pinned
    };
    let rooms_of_a = |instance: &Instance| {
        let result = solve(instance, &settings("annealing", 1), &Control::default(), &mut |_| {}).unwrap();
        let timetable = timetable_of(instance, &result).unwrap();
        assert!(check::check(instance, &timetable).feasible);
        timetable.rooms_to_pin(instance, 0)
    };
    assert_eq!((rooms_of_a(&instance), rooms_of_a(&pinned(1))), ([0].into(), [1].into()));
    let named = contradictions(&pinned(2)).join("\n");
    assert!(named.contains("it is pinned to rooms: remove that pin"), "{named}");
}
