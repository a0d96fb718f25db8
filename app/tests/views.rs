//! The views of a timetable as a person uses them, driven by what they tell screen readers.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_timetabling::{Instance, InstanceParts, Timetable};
use gridwright_timetabling_views::state::View;
use gridwright_window::window::App;

use crate::adjusting::six_exams;
use crate::support;
use crate::support::Documents as _;
use support::person::{Window, at_home, key, keys, window};

/// Six exams on three days of two periods with three seats each.
fn instance() -> Instance {
    let student_codes = ["ann", "bob", "cem", "dora", "eve"].map(str::to_owned).to_vec();
    Instance::build(InstanceParts { student_codes, ..six_exams(6, Some(3)) }).unwrap()
}

/// A1 and F6 clash for eve; the first period needs four seats.
const PLAN: [u16; 6] = [0, 1, 4, 3, 5, 0];

fn open(home: &tempfile::TempDir) -> Window {
    window(support::planned(instance(), Timetable::of(PLAN.to_vec()), home.path()))
}

fn view(harness: &mut Harness<'_, App>, number: Key) {
    harness.key_press_modifiers(Modifiers::COMMAND, number);
    harness.run();
}

fn selected(harness: &Harness<'_, App>) -> Option<usize> {
    harness.state().session().unwrap().selected
}

#[test]
fn cells_and_chips_are_named_and_can_be_pressed() {
    let mut harness = at_home(open);
    for number in [Key::Num1, Key::Num2] {
        view(&mut harness, number);
        harness.get_by_label_contains("Exam C3, period 5, 2 students, cost share ").click();
        harness.run();
        assert_eq!(selected(&harness), Some(2));
        harness.get_by_label("Exam C3");
        harness.get_by_label_contains("Exam E5, period 6, 1 student, cost share ").click_accesskit();
        harness.run();
        assert_eq!(selected(&harness), Some(4), "without a pointer, too");
        harness.get_by_label_contains("Exam A1, period 1, 3 students, cost share ");
        harness.get_by_label("Back to the whole timetable").click();
        harness.run();
    }
}

#[test]
fn arrow_keys_walk_over_grid_and_columns() {
    let mut harness = at_home(open);
    harness.get_by_label_contains("Timetable grid, 6 exams").focus();
    harness.run();
    for key in [Key::ArrowDown, Key::ArrowRight, Key::ArrowRight] {
        harness.key_press(key);
        harness.run();
    }
    // By degree: B2 and A1 share three exams with others; A1 stands first.
    assert_eq!(selected(&harness), Some(0));
    let grid = harness.get_by_label_contains("Timetable grid, 6 exams").accesskit_node().value().unwrap_or_default();
    assert!(grid.contains("To period 2: clashes with B2, 2 students"), "{grid}");
    view(&mut harness, Key::Num2);
    harness.get_by_label_contains("Periods as columns").focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert_eq!(selected(&harness), Some(1), "the next column holds B2");
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert_eq!(selected(&harness), Some(3), "an empty column is passed over");
}

#[test]
fn search_goes_from_one_to_the_next_and_to_students() {
    let mut harness = at_home(open);
    keys(&mut harness, Modifiers::COMMAND, Key::F);
    harness.get_by_label("Find exam or student").type_text("course");
    harness.run_steps(2);
    for expected in [0, 1] {
        key(&mut harness, Key::Enter);
        assert_eq!(selected(&harness), Some(expected));
    }
    harness.get_by_label("2 of 6");
    harness.get_by_label("Find exam or student").set_text_value_accesskit("dora");
    harness.run_steps(2);
    key(&mut harness, Key::Enter);
    assert_eq!(harness.state().session().unwrap().view, View::Students);
    harness.get_by_label("Exams of student dora");
    // Her exams in time: a click selects one.
    let mut chips = harness.get_all_by_label_contains("Exam E5, period 6, 1 student").collect::<Vec<_>>();
    chips.pop().unwrap().click();
    harness.run_steps(3);
    assert_eq!(selected(&harness), Some(4));
}

#[test]
fn each_count_leads_to_those_whom_it_counts() {
    let mut harness = at_home(open);
    let listed = |harness: &Harness<'_, App>| -> Vec<String> {
        let rows =
            harness.get_all_by_label_contains("Student ").map(|node| node.accesskit_node().label().unwrap_or_default());
        rows.filter(|label| label.contains(", cost "))
            .map(|label| label[8..].split(',').next().unwrap().to_owned())
            .collect()
    };
    harness.get_by_label("With a clash: 1 student").click();
    harness.run();
    assert_eq!(harness.state().session().unwrap().view, View::Students);
    assert_eq!(listed(&harness), ["eve"]);
    // A1 and B2 on the first morning; C3 and E5 on the last day.
    harness.get_by_label("Two exams in a row: 3 students").click();
    harness.run();
    let mut names = listed(&harness);
    names.sort();
    assert_eq!(names, ["ann", "bob", "dora"]);
    harness.get_by_label("Overfull periods: 1").click();
    harness.run();
    assert_eq!(harness.state().session().unwrap().view, View::Load);
    harness.get_by_label_contains("1 overfull period: more students than seats");
    harness.get_by_label("In the last 3 periods: 3 exams").click();
    harness.run();
    harness.get_by_label_contains("Timetable grid, 3 exams by 6 periods");
    harness.get_by_label("Show all exams").click();
    harness.run();
    harness.get_by_label_contains("Timetable grid, 6 exams by 6 periods");
}

#[test]
fn the_conflict_matrix_names_pairs_and_clashes() {
    let mut harness = at_home(open);
    view(&mut harness, Key::Num3);
    harness.get_by_label("Conflict matrix, 6 exams, 6 pairs share students");
    harness.get_by_label("Exams A1 and F6, 1 common student, both in period 1: a clash");
    harness.get_by_label("Exams C3 and E5, 1 common student, periods 5 and 6, 1 apart").click();
    harness.run();
    assert_eq!(selected(&harness), Some(2));
    harness.get_by_label("Exams C3 and E5, 1 common student, periods 5 and 6, 1 apart").click();
    harness.run();
    assert_eq!(selected(&harness), Some(4), "a second click goes on to the other exam");
}

#[test]
fn the_filter_reaches_every_view_of_exams() {
    let mut harness = at_home(open);
    harness.get_by_label("In the last 3 periods: 3 exams").click();
    harness.run();
    // D4, C3 and E5 are left; C3 and E5 share dora.
    view(&mut harness, Key::Num3);
    harness.get_by_label("Conflict matrix, 3 of 6 exams, 1 pair share students");
    harness.get_by_label("3 of 6 exams");
    view(&mut harness, Key::Num2);
    harness.get_by_label("3 of 6 exams");
    let chip = |harness: &Harness<'_, App>, exam: &str| {
        let name = format!("Exam {exam}, period ");
        let node = harness.get_by_label_contains(&name);
        node.accesskit_node().label().unwrap_or_default().ends_with(", left out by the filter")
    };
    let dimmed = ["A1", "B2", "C3", "D4", "E5", "F6"].map(|exam| chip(&harness, exam));
    assert_eq!(dimmed, [true, true, false, false, false, true]);
    harness.get_by_label("Show all exams").click();
    harness.run();
    assert!(!chip(&harness, "A1"));
    // Who looks for an exam that is left out sees it.
    harness.get_by_label("In the last 3 periods: 3 exams").click();
    harness.run();
    view(&mut harness, Key::Num3);
    view(&mut harness, Key::F);
    harness.get_by_label("Find exam or student").type_text("A1");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(selected(&harness), Some(0));
    harness.get_by_label("Conflict matrix, 6 exams, 6 pairs share students");
}
