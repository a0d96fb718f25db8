use proptest::prelude::*;

use super::*;
use crate::{Exam, InstanceParts, Period, UNPLACED};

fn instance(students: Vec<Vec<u16>>, exams: usize, periods: usize) -> Instance {
    let exams = (0..exams).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
    let periods = vec![Period::default(); periods];
    Instance::build(InstanceParts { exams, students, periods, ..InstanceParts::default() }).unwrap()
}

fn timetable(periods: &[u16]) -> Timetable {
    Timetable::of(periods.to_vec())
}

/// Four students: a sits E0 E1, b sits E0 E2, c sits E1 E2, d sits E2 alone.
fn four() -> Instance {
    instance(vec![vec![0, 1], vec![0, 2], vec![1, 2], vec![2]], 3, 8)
}

#[test]
fn who_gains_and_who_loses_is_as_by_hand() {
    // Before, periods 0, 1, 3: a pays 16, b 4 (three apart), c 8. After, 0, 2, 3: a 8, b 4, c 16.
    let comparison = Comparison::of(&four(), &timetable(&[0, 1, 3]), &timetable(&[0, 2, 3])).unwrap();
    assert_eq!(comparison.moved, [Move { exam: 1, from: Some(1), to: Some(2) }]);
    let costs: Vec<[u64; 2]> = comparison.students.iter().map(|pair| pair.map(|cost| cost.proximity)).collect();
    assert_eq!(costs, [[16, 8], [4, 4], [8, 16], [0, 0]]);
    assert_eq!(comparison.tally(), Tally { better: 1, worse: 1, equal: 2 });
    assert_eq!((comparison.gainers(), comparison.losers()), (&[0_usize][..], &[2_usize][..]));
    // E0: with E1 16 → 8, with E2 4 → 4; E1: 16 + 8 both times; E2: 4 + 8 → 4 + 16.
    assert_eq!(comparison.shares, [[20, 12], [24, 24], [12, 20]]);
    let counted: Vec<(i64, i64, u64)> =
        comparison.histogram().iter().filter(|c| c.students > 0).map(|c| (c.from, c.to, c.students)).collect();
    assert_eq!(counted, [(-15, -8, 1), (8, 15, 1)]);
}

#[test]
fn figures_stand_side_by_side_with_what_is_better() {
    // Three apart instead of one: a pays 4 instead of 16, so 28 − 12 = 16 in all; 16 / 4 students = 4.
    let instance = four();
    let comparison = Comparison::of(&instance, &timetable(&[0, 1, 3]), &timetable(&[0, 3, 7])).unwrap();
    let rows = comparison.rows(&instance);
    let cost = rows.iter().find(|row| row.key == "cost_display").unwrap();
    // Before 28 / 4 = 7. After: a 4, b 0 (seven apart), c 2 (four apart): 6 / 4 = 1.5.
    assert_eq!(cost.texts, ["7.0000", "1.5000"]);
    assert_eq!((cost.change.as_str(), cost.trend), ("−5.5000", Ordering::Less));
    let row = rows.iter().find(|row| row.key == "students_in_a_row").unwrap();
    assert_eq!(
        (row.texts.clone(), row.change.as_str(), row.trend),
        (["1", "0"].map(str::to_owned), "−1", Ordering::Less)
    );
    let clash = rows.iter().find(|row| row.key == "students_with_clash").unwrap();
    assert_eq!((clash.change.as_str(), clash.trend), ("", Ordering::Equal));
}

#[test]
fn a_clash_is_no_gain() {
    // a's exams one apart cost 16, in one period nothing; but a cannot sit both.
    let comparison = Comparison::of(&four(), &timetable(&[0, 1, 7]), &timetable(&[0, 0, 7])).unwrap();
    assert_eq!(comparison.change(0), -16);
    assert_eq!((comparison.gainers(), comparison.losers()), (&[][..], &[0_usize][..]));
    // Nor is an exam without a period.
    let comparison = Comparison::of(&four(), &timetable(&[0, 1, 7]), &timetable(&[0, UNPLACED, 7])).unwrap();
    assert_eq!(comparison.moved, [Move { exam: 1, from: Some(1), to: None }]);
    // c misses it like a, who at least saves 16.
    assert_eq!(comparison.losers(), [2, 0]);
}

#[test]
fn nothing_moved_is_empty_and_a_stranger_is_refused() {
    let same = timetable(&[0, 1, 3]);
    let comparison = Comparison::of(&four(), &same, &same).unwrap();
    assert!(comparison.is_empty());
    assert_eq!(comparison.tally(), Tally { better: 0, worse: 0, equal: 4 });
    for stranger in [timetable(&[0, 1]), timetable(&[0, 1, 8])] {
        let error = Comparison::of(&four(), &same, &stranger).unwrap_err().to_string();
        assert!(error.contains("does not belong to"), "{error}");
    }
}

/// Some students, and two timetables with clashes and exams without a period among them.
fn anything() -> impl Strategy<Value = (Vec<Vec<u16>>, Vec<u16>, Vec<u16>)> {
    let students = proptest::collection::vec(proptest::collection::vec(0_u16..12, 0..7), 0..40);
    let plan = || proptest::collection::vec(prop_oneof![12 => 0_u16..9, 1 => Just(UNPLACED)], 12);
    (students, plan(), plan())
}

proptest! {
    #[test]
    fn changes_of_students_add_up_to_the_change_of_the_cost((students, before, after) in anything()) {
        let instance = instance(students, 12, 9);
        let (before, after) = (timetable(&before), timetable(&after));
        let comparison = Comparison::of(&instance, &before, &after).unwrap();
        let sum: i64 = (0..instance.students.len()).map(|student| comparison.change(student)).sum();
        prop_assert_eq!(sum, after.cost(&instance).proximity as i64 - before.cost(&instance).proximity as i64);
        let clashes: [u64; 2] = [0, 1].map(|side| comparison.students.iter().map(|pair| pair[side].clashes).sum());
        prop_assert_eq!(clashes, [before.cost(&instance).clashes, after.cost(&instance).clashes]);
        let changed = comparison.histogram().iter().map(|class| class.students).sum::<u64>();
        let unchanged = (0..instance.students.len()).filter(|&student| comparison.change(student) == 0).count() as u64;
        prop_assert_eq!(changed + unchanged, instance.students.len() as u64);
        let tally = comparison.tally();
        prop_assert_eq!((tally.better, tally.worse), (comparison.gainers().len(), comparison.losers().len()));
        prop_assert_eq!(tally.better + tally.worse + tally.equal, instance.students.len());
    }

    #[test]
    fn exchanging_the_two_turns_every_change_round((students, before, after) in anything()) {
        let instance = instance(students, 12, 9);
        let (before, after) = (timetable(&before), timetable(&after));
        let there = Comparison::of(&instance, &before, &after).unwrap();
        let back = Comparison::of(&instance, &after, &before).unwrap();
        for student in 0..instance.students.len() {
            prop_assert_eq!(there.change(student), -back.change(student));
        }
        prop_assert_eq!(there.gainers(), back.losers());
        let turned: Vec<Move> = back.moved.iter().map(|m| Move { exam: m.exam, from: m.to, to: m.from }).collect();
        prop_assert_eq!(&there.moved, &turned);
        let counts = |comparison: &Comparison| comparison.histogram().iter().map(|c| c.students).collect::<Vec<_>>();
        let mut reversed = counts(&back);
        reversed.reverse();
        prop_assert_eq!(counts(&there), reversed);
        for (a, b) in there.rows(&instance).iter().zip(back.rows(&instance)) {
            prop_assert_eq!(a.trend, b.trend.reverse());
            prop_assert_eq!([&a.texts[0], &a.texts[1]], [&b.texts[1], &b.texts[0]]);
        }
    }
}
