//! Limits of students: searches keep them wherever a timetable can, and the checker counts as they are defined.

use gridwright_core::random::{Philox, index};
use gridwright_core::search::{Algorithms as _, Budget, Control, Stop};
use gridwright_timetabling::check::{ViolationKind, check};
use gridwright_timetabling::run::{Algorithm, Settings, solve, timetable_of};
use gridwright_timetabling::{
    Exam, Instance, InstanceParts, Objective, ObjectiveKind, Period, StudentLimits, Timetable,
};

/// A session of `exams` exams in three periods on each of three days, with a weekend between some, and limits, from random numbers.
fn session(seed: u64) -> Instance {
    let philox = Philox::new(seed);
    let mut next = 0;
    let mut below = |limit: u32| {
        next += 1;
        index(philox.words(next, 0, 0, 0)[0], limit)
    };
    let exams = 3 + below(3) as usize;
    let days: Vec<u32> = match below(3) {
        0 => vec![1, 2, 3],
        1 => vec![4, 5, 8],
        _ => vec![5, 8, 10],
    };
    let time = |hour: u32| chrono::NaiveTime::from_hms_opt(hour, 0, 0);
    let period = |&day: &u32, hour: u32| Period {
        date: chrono::NaiveDate::from_ymd_opt(2027, 2, day),
        start: time(hour),
        end: time(hour + 2),
        ..Period::default()
    };
    let periods: Vec<Period> = days.iter().flat_map(|day| [9, 12, 16].map(|hour| period(day, hour))).collect();
    let students = (0..2 + below(6))
        .map(|_| (0..exams as u16).filter(|_| below(5) < 3).collect::<Vec<u16>>())
        .chain((0..exams as u16).map(|exam| vec![exam]))
        .filter(|exams| !exams.is_empty())
        .collect();
    let mut limits = StudentLimits::default();
    for _ in 0..1 + below(2) {
        match below(5) {
            0 => limits.a_day = 1 + below(2),
            1 => limits.in_a_row = 1 + below(2),
            2 => (limits.in_days, limits.days) = (1 + below(3), 2 + below(4)),
            3 => limits.days_apart = 1 + below(3),
            _ => limits.minutes_apart = 30 + 60 * below(24),
        }
    }
    let mut parts = InstanceParts {
        name: format!("limited {seed}"),
        exams: (0..exams).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect(),
        students,
        periods,
        objective: Objective::of(ObjectiveKind::Office),
        ..InstanceParts::default()
    };
    parts.rules.limits = limits;
    Instance::build(parts).unwrap()
}

/// Returns `true` if the exams of a student in these periods keep the limits, from their definition.
fn keeps(instance: &Instance, sits: &[usize]) -> bool {
    let limits = &instance.rules.limits;
    let data = |at: usize| &instance.periods[at];
    let date = |at: usize| data(at).date.unwrap();
    let start = |at: usize| date(at).and_time(data(at).start.unwrap());
    let end = |at: usize| date(at).and_time(data(at).end.unwrap());
    let within = |first: chrono::NaiveDate, days: u32| {
        sits.iter().filter(|&&at| (0..i64::from(days)).contains(&(date(at) - first).num_days())).count() as u32
    };
    let mut good = sits.iter().all(|&at| limits.a_day == 0 || within(date(at), 1) <= limits.a_day);
    if limits.in_days > 0 {
        good &= sits.iter().all(|&at| within(date(at), limits.days) <= limits.in_days);
    }
    for &one in sits {
        for &other in sits.iter().filter(|&&other| other > one) {
            good &= (date(other) - date(one)).num_days() >= i64::from(limits.days_apart);
            good &= (start(other) - end(one)).num_minutes() >= i64::from(limits.minutes_apart);
        }
    }
    let follows = |one: usize, other: usize| other == one + 1 && date(one) == date(other);
    let rows = sits.chunk_by(|&one, &other| follows(one, other));
    good && (limits.in_a_row == 0 || rows.map(<[usize]>::len).all(|length| length <= limits.in_a_row as usize))
}

/// Returns `true` if a timetable of the first exams has no clash and keeps the limits of every student.
fn is_good(instance: &Instance, periods: &[u16]) -> bool {
    (0..instance.students.len()).all(|student| {
        let exams = instance.students.exams_of(student).iter();
        let mut sits: Vec<usize> =
            exams.filter_map(|&exam| periods.get(usize::from(exam)).map(|&period| usize::from(period))).collect();
        sits.sort_unstable();
        sits.windows(2).all(|pair| pair[0] < pair[1]) && keeps(instance, &sits)
    })
}

/// Returns `true` if a good timetable of all exams begins with these periods of the first ones.
fn exists(instance: &Instance, periods: &mut Vec<u16>) -> bool {
    if !is_good(instance, periods) {
        return false;
    }
    if periods.len() == instance.exam_count() {
        return true;
    }
    (0..instance.period_count() as u16).any(|period| {
        periods.push(period);
        let exists = exists(instance, periods);
        periods.pop();
        exists
    })
}

fn solved(instance: &Instance) -> Timetable {
    let algorithm = Algorithm::named("annealing").unwrap();
    let stop = Stop::after(Budget::Steps(60));
    let settings = Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 1, seed: 1, stop };
    timetable_of(instance, &solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap()).unwrap()
}

#[test]
fn a_search_keeps_the_limits_wherever_a_timetable_can() {
    let (mut possible, mut impossible) = (0, 0);
    for seed in 0..150 {
        let instance = session(seed);
        let broken = check(&instance, &solved(&instance)).violations;
        let is_beyond = broken.iter().any(|violation| violation.kind == ViolationKind::Limit);
        assert!(!is_beyond, "{}: {broken:?}", instance.name);
        let exists = exists(&instance, &mut Vec::new());
        *if exists { &mut possible } else { &mut impossible } += 1;
        assert_eq!(broken.is_empty(), exists, "{} {:?}: {broken:?}", instance.name, instance.rules.limits);
    }
    assert!(possible > 30 && impossible > 30, "{possible} {impossible}");
}

#[test]
fn the_checker_counts_limits_as_they_are_defined() {
    let mut seen = [0; 2];
    for seed in 0..400 {
        let instance = session(seed);
        let philox = Philox::new(seed + 1_000);
        for draw in 0..40 {
            let period =
                |exam: usize| index(philox.words(exam as u32, draw, 0, 0)[0], instance.period_count() as u32) as u16;
            let periods: Vec<u16> = (0..instance.exam_count()).map(period).collect();
            let is_good = is_good(&instance, &periods);
            let verdict = check(&instance, &Timetable::of(periods.clone()));
            assert_eq!(
                verdict.violations.is_empty(),
                is_good,
                "{} {periods:?}: {:?}",
                instance.name,
                verdict.violations
            );
            seen[usize::from(is_good)] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}
