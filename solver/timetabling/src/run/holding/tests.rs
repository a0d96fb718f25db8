use super::*;
use crate::generator::{GeneratorOptions, generate};
use crate::run::{self, Settings};
use gridwright_core::random::{Philox, index};
use gridwright_core::search::{Budget, Control, Stop};

/// Settings of a short run on one thread.
pub(crate) fn short_run() -> Settings {
    Settings {
        algorithm: Algorithm::Annealing(AnnealingParameters::default()),
        goal: (),
        backend: "cpu".to_owned(),
        threads: 1,
        seed: 1,
        stop: Stop { budget: Budget::Steps(200), target: None, stall: None },
    }
}

/// A generated session with so many exams, and a timetable of a short run.
pub(crate) fn solved(exams: usize, rooms: bool) -> (Instance, Timetable) {
    let periods = rooms.then_some(36);
    let options = GeneratorOptions { exams, students: 12 * exams, rooms, periods, ..GeneratorOptions::default() };
    let instance = generate(&options).unwrap();
    let result = run::solve(&instance, &short_run(), &Control::new(), &mut |_| {}).unwrap();
    let timetable = crate::stored::decode_complete(&instance, &result.solution).unwrap();
    let verdict = check(&instance, &timetable);
    assert!(verdict.feasible, "{:?}", verdict.violations);
    (instance, timetable)
}

/// Wherever an exam is held: nothing is broken, the listed exams and no others have moved, the change of the cost is the checker's,
/// and the same question has the same answer.
#[test]
fn whatever_is_held_nothing_breaks_and_the_answer_is_the_same_again() {
    for (rooms, least) in [(false, 60), (true, 60)] {
        let (instance, timetable) = solved(80, rooms);
        let (random, never) = (Philox::new(7), || false);
        let before = check(&instance, &timetable).raw as i64;
        let mut found = 0;
        for number in 0..100 {
            let words = random.words(number, 0, 0, 0);
            let exam = index(words[0], instance.exam_count() as u32) as usize;
            let held = Held { exam, period: index(words[1], instance.period_count() as u32) as usize };
            let ask = || rearranged(&instance, &timetable, held, (2, 5), &never).unwrap();
            let Some(answer) = ask() else { continue };
            found += 1;
            let now = &answer.timetable;
            assert_eq!(now.period_of(exam), Some(held.period), "rooms {rooms}, {held:?}");
            let verdict = check(&instance, now);
            assert!(verdict.feasible, "rooms {rooms}, {held:?}: {:?}", verdict.violations);
            assert_eq!(answer.change, verdict.raw as i64 - before, "rooms {rooms}, {held:?}");
            let others = (0..instance.exam_count()).filter(|&other| other != exam);
            let moved: Vec<usize> =
                others.filter(|&other| now.period_of(other) != timetable.period_of(other)).collect();
            assert_eq!(answer.moved, moved, "rooms {rooms}, {held:?}");
            assert_eq!(ask().as_ref(), Some(&answer), "rooms {rooms}, {held:?}");
        }
        assert!(found >= least, "rooms {rooms}: {found} of 100 places were found");
    }
}

/// An exam that is held where it is, moves nothing; one without such a place has no answer; a search that is over gives none.
#[test]
fn a_place_that_costs_nothing_moves_nothing() {
    let (instance, timetable) = solved(40, false);
    let here = Held { exam: 3, period: timetable.period_of(3).unwrap() };
    let answer = rearranged(&instance, &timetable, here, (1, 1), &|| false).unwrap().unwrap();
    assert_eq!((&answer.timetable, answer.change), (&timetable, 0));
    assert!(answer.moved.is_empty() && answer.reseated.is_empty());
    let beyond = Held { exam: 3, period: instance.period_count() };
    assert_eq!(rearranged(&instance, &timetable, beyond, (1, 1), &|| false).unwrap(), None);
    let mut forbidden = instance.clone();
    let period = (here.period + 1) % instance.period_count();
    forbidden.rules.forbid(3, period, true);
    assert_eq!(rearranged(&forbidden, &timetable, Held { exam: 3, period }, (2, 1), &|| false).unwrap(), None);
    assert_eq!(rearranged(&instance, &timetable, here, (1, 1), &|| true).unwrap(), None);
}
