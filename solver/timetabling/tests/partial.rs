//! Sessions that cannot hold all exams: nearly all have a place, and the others are few.

use gridwright_core::search::{Algorithms, Budget, Control, Stop, StopReason};
use gridwright_timetabling::check::{ViolationKind, check};
use gridwright_timetabling::contradictions::contradictions;
use gridwright_timetabling::generator::{GeneratorOptions, generate};
use gridwright_timetabling::run::{Algorithm, Settings, replay, solve, timetable_of};
use gridwright_timetabling::{Exam, Instance, InstanceParts, Period, Relation, RelationKind};

fn settings(budget: Budget) -> Settings {
    let algorithm = Algorithm::named("annealing").unwrap();
    Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 2, seed: 7, stop: Stop::after(budget) }
}

/// Exams without a place in a run, after a look at everything else that has to hold.
fn left_out(instance: &Instance, budget: Budget) -> Vec<usize> {
    let result = solve(instance, &settings(budget), &Control::new(), &mut |_| {}).unwrap();
    let timetable = timetable_of(instance, &result).unwrap();
    let verdict = check(instance, &timetable);
    assert!(verdict.violations.iter().all(|found| found.kind == ViolationKind::Unplaced), "{:?}", verdict.violations);
    let left_out = timetable.unplaced_exams();
    assert_eq!(result.stop_reason == StopReason::NoFeasible, !left_out.is_empty());
    for threads in [1, 2] {
        let again = replay(instance, &result, "cpu", threads, &Control::new(), &mut |_| {}).unwrap();
        assert!(again.is_equal(), "{threads} threads: {again:?}");
    }
    left_out
}

/// The session of the trial: 300 exams, of which 19 exclude each other, in 18 periods.
#[test]
fn one_period_too_few_leaves_few_exams_without_a_place() {
    let options =
        GeneratorOptions { exams: 300, students: 5_000, periods: Some(18), seed: 1, ..GeneratorOptions::default() };
    let instance = generate(&options).unwrap();
    assert!(instance.conflicts.greedy_clique().len() > 18);
    let left_out = left_out(&instance, Budget::Steps(2_000));
    assert!((1..=9).contains(&left_out.len()), "{} exams have no place", left_out.len());
}

/// A run that is cancelled while it looks for the exams to leave out keeps what it has found, and is repeated to the bit.
#[test]
fn a_cancelled_search_for_exams_to_leave_out_is_repeated() {
    let options =
        GeneratorOptions { exams: 300, students: 5_000, periods: Some(16), seed: 1, ..GeneratorOptions::default() };
    let instance = generate(&options).unwrap();
    let control = Control::new();
    let canceller = control.clone();
    let later = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(400));
        canceller.cancel();
    });
    let result = solve(&instance, &settings(Budget::Steps(u64::MAX / 2)), &control, &mut |_| {}).unwrap();
    later.join().unwrap();
    assert_eq!(result.stop_reason, StopReason::Cancelled);
    let again = replay(&instance, &result, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
    assert!(again.is_equal(), "{again:?}");
    let verdict = check(&instance, &timetable_of(&instance, &result).unwrap());
    assert!(verdict.violations.iter().all(|found| found.kind == ViolationKind::Unplaced), "{:?}", verdict.violations);
}

/// Sixteen exams in five periods of two days, of which every two rules of all kinds relate the same two exams: where these
/// contradict each other, that is said and one exam is left out; otherwise every exam has a place.
#[test]
fn contradictory_rules_leave_out_one_exam() {
    let students: Vec<Vec<u16>> = (0..16).flat_map(|exam| [vec![exam], vec![exam, (exam + 5) % 16]]).collect();
    let days = [1, 1, 1, 2, 2];
    for (at, first) in RelationKind::ALL.into_iter().enumerate() {
        for second in RelationKind::ALL.into_iter().skip(at) {
            for (one, other) in [(3, 4), (4, 3)] {
                let period =
                    |day: &u32| Period { date: chrono::NaiveDate::from_ymd_opt(2027, 2, *day), ..Period::default() };
                let exam = |number: usize| Exam { code: format!("E{number}"), ..Exam::default() };
                let mut instance = Instance::build(InstanceParts {
                    name: "rules".to_owned(),
                    exams: (0..16).map(exam).collect(),
                    students: students.clone(),
                    periods: days.iter().map(period).collect(),
                    ..InstanceParts::default()
                })
                .unwrap();
                instance.rules.relations.insert(Relation::new(first, 3, 4));
                instance.rules.relations.insert(Relation::new(second, one, other));
                let (named, left_out) = (contradictions(&instance), left_out(&instance, Budget::Steps(100)));
                let case = format!("{first:?} and {second:?} of {one}: {left_out:?}, {named:?}");
                assert!(left_out.len() <= 1 && left_out.len() == named.len(), "{case}");
                assert!(named.iter().all(|why| why.contains("E3") && why.contains("E4")), "{case}");
            }
        }
    }
}

/// Rules of more than two exams that contradict each other: the smallest set of them is named.
#[test]
fn smallest_contradictions_of_many_rules_are_named() {
    use RelationKind::{Before, DifferentDay, DirectlyBefore, SameDay};
    let session = |rules: &[(RelationKind, usize, usize)]| {
        let period = |day: u32| Period { date: chrono::NaiveDate::from_ymd_opt(2027, 2, day), ..Period::default() };
        let mut instance = Instance::build(InstanceParts {
            name: "rules".to_owned(),
            exams: (0..8).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect(),
            students: (0..8).map(|exam| vec![exam]).collect(),
            periods: [1, 1, 1, 2, 2, 2].map(period).to_vec(),
            ..InstanceParts::default()
        })
        .unwrap();
        instance.rules.relations.extend(rules.iter().map(|&(kind, a, b)| Relation::new(kind, a, b)));
        instance
    };
    // Three periods a day hold a chain of three exams, no longer one.
    let chain: Vec<_> = (0..3).map(|exam| (DirectlyBefore, exam, exam + 1)).collect();
    let beside = [(Before, 4, 5), (SameDay, 5, 6), (DifferentDay, 6, 7)];
    assert_eq!(contradictions(&session(&[&chain[..2], &beside].concat())), Vec::<String>::new());
    assert_eq!(
        contradictions(&session(&[&chain[..], &beside].concat())),
        [
            "no timetable satisfies these rules together: exam E0 must be directly before exam E1; exam E1 must be directly before \
             exam E2; exam E2 must be directly before exam E3; remove one of them"
        ]
    );
    assert_eq!(left_out(&session(&[&chain[..], &beside].concat()), Budget::Steps(100)).len(), 1);
    // Two days.
    let days = [(DifferentDay, 0, 1), (DifferentDay, 0, 2), (DifferentDay, 1, 2)];
    let named = contradictions(&session(&[&days[..], &beside].concat()));
    assert_eq!(named.len(), 1);
    assert_eq!(named[0].matches("must not be on the same day as").count(), 3, "{named:?}");
    assert_eq!(left_out(&session(&[&days[..], &beside].concat()), Budget::Steps(100)).len(), 1);
}
