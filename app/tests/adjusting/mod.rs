//! Changing a timetable by hand as a person does, driven by what the window tells screen readers.

use std::sync::Arc;
use std::time::Duration;

use chrono::{NaiveDate, NaiveTime};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_timetabling::{Exam, Instance, InstanceParts, Period, Relation, RelationKind, Timetable, UNPLACED};
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::methods::*;
use gridwright_timetabling_views::state::{Shown, View};
use gridwright_window::window::App;

mod active_rules;
mod equal_data;
mod failing;
mod making_room;
mod projects;
mod two_windows;
use crate::entering::scenes::palette;
use crate::support;
use support::person::{
    at_home, document, drag, enter, file, key, keys, names, period, pin_to, press, press_like, settle, shows, wait,
    window,
};

/// Six exams, five students, periods with so many seats, two a day.
///
/// A1 shares two students with B2, one with C3 and one with F6; B2 one with C3 and one with D4; C3 one with E5.
pub fn six_exams(periods: u32, seats: Option<u32>) -> InstanceParts {
    let exam = |code: &str| Exam { code: code.to_owned(), title: format!("Course {code}"), ..Exam::default() };
    let day = |period: u32| NaiveDate::from_ymd_opt(2027, 6, 1 + period / 2);
    InstanceParts {
        name: "six".to_owned(),
        exams: ["A1", "B2", "C3", "D4", "E5", "F6"].map(exam).to_vec(),
        students: vec![vec![0, 1, 2], vec![0, 1], vec![1, 3], vec![2, 4], vec![0, 5]],
        periods: (0..periods).map(|period| Period { date: day(period), seats, ..Period::default() }).collect(),
        file_hash: "51x".to_owned(),
        ..InstanceParts::default()
    }
}

fn instance(seats: Option<u32>) -> Instance {
    Instance::build(six_exams(8, seats)).unwrap()
}

/// A1 in period 1, B2 in 3, C3 in 5, D4 in 7, E5 in 8, F6 in 6.
const PLAN: [u16; 6] = [0, 2, 4, 6, 7, 5];

fn six(home: &tempfile::TempDir) -> Harness<'static, App> {
    window(support::planned(instance(None), Timetable::of(PLAN.to_vec()), home.path()))
}

/// The same with an exam selected.
pub fn with_selected(home: &tempfile::TempDir, exam: &str) -> Harness<'static, App> {
    let mut harness = six(home);
    select(&mut harness, exam);
    harness
}

#[track_caller]
pub fn select(harness: &mut Harness<'_, App>, exam: &str) {
    press_like(harness, &format!("Exam {exam}, period "));
    harness.get_by_label(&format!("Exam {exam}"));
}

/// Selects the exam with this index by the search, which needs no timetable.
fn find(harness: &mut Harness<'_, App>, exam: usize) {
    let code = document(harness).instance.exams[exam].code.clone();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_steps(3);
    harness.get_by_role(egui::Role::TextInput).focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text(code));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
}

/// Where A1 stands now, counted from 1.
fn place(harness: &Harness<'_, App>) -> Option<usize> {
    document(harness).picture().unwrap().timetable.period_of(0).map(|period| period + 1)
}

fn pin(harness: &Harness<'_, App>) -> Option<usize> {
    document(harness).rules().pin_of(0).map(|period| period + 1)
}

fn cell(harness: &Harness<'_, App>, exam: &str) -> egui::Rect {
    harness.get_by_label_contains(&format!("Exam {exam}, period ")).rect()
}

fn undo(harness: &mut Harness<'_, App>) {
    keys(harness, Modifiers::COMMAND, Key::Z);
}

fn redo(harness: &mut Harness<'_, App>) {
    keys(harness, Modifiers::COMMAND, Key::Y);
}

pub fn undo_name<'a>(harness: &'a Harness<'_, App>) -> &'a str {
    document(harness).undo_names().0.unwrap_or_default()
}

#[track_caller]
fn idle(harness: &mut Harness<'_, App>) {
    settle(harness);
    let delay = harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
    assert_eq!(delay, Duration::MAX);
}

/// Solves around the changes, until there are so many runs.
fn solve_around(harness: &mut Harness<'_, App>, runs: usize) {
    key(harness, Key::F6);
    solve_from_dialog(harness, runs);
}

/// Presses the dialog's button, which is the last of that name, and waits for so many runs.
fn solve_from_dialog(harness: &mut Harness<'_, App>, runs: usize) {
    let mut solve = harness.get_all_by_label("Solve").collect::<Vec<_>>();
    solve.pop().unwrap().click();
    drop(solve);
    harness.run_steps(3);
    wait(harness, "the end", |harness| !document(harness).is_solving() && document(harness).runs.len() == runs);
    harness.run_steps(3);
}

#[test]
fn every_period_says_what_it_would_do() {
    let harness = at_home(|home| with_selected(home, "A1"));
    // Now: B2 two away 2·8, C3 four 2, F6 five 1: 19; in period 8: 2·1 + 4 + 8 = 14; five students.
    for words in [
        "Move to period 1: it is here",
        "Move to period 2: worse by 3.8000 per student",
        "Move to period 3: clashes with B2, 2 students",
        "Move to period 5: clashes with C3, 1 student",
        "Move to period 8: better by 1.0000 per student",
        "Period 8 (−1.0000)",
        "Period 7 (+1.8000)",
        "Period 2 (+3.8000)",
    ] {
        harness.get_by_label(words);
    }
    assert_eq!(names(&harness, "Move to period ").len(), 8);
}

#[test]
fn an_exam_is_moved_by_clicks_keys_and_drags_and_each_is_taken_back() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    type Way = (&'static str, fn(&mut Harness<'_, App>), usize);
    let ways: [Way; 8] = [
        ("strip", |harness| press_like(harness, "Move to period 2: "), 2),
        ("alternative", |harness| press(harness, "Period 8 (−1.0000)"), 8),
        (
            "click beside it in the grid",
            |harness| {
                let (row, column) = (cell(harness, "A1"), cell(harness, "D4"));
                let at = egui::pos2(column.center().x, row.center().y);
                harness.hover_at(at);
                harness.drag_at(at);
                harness.drop_at(at);
                harness.run_steps(3);
            },
            7,
        ),
        (
            "enter at the cursor",
            |harness| {
                harness.get_by_label_contains("Timetable grid, 6 exams").focus();
                harness.run_steps(2);
                // The cursor stands where the grid was clicked last.
                for _ in 0..8 {
                    harness.key_press(Key::ArrowLeft);
                    harness.run_steps(1);
                }
                harness.key_press(Key::ArrowRight);
                harness.run_steps(2);
                key(harness, Key::Enter);
            },
            2,
        ),
        (
            "drag in the grid",
            |harness| {
                let (from, to) = (cell(harness, "A1").center(), cell(harness, "E5").center());
                drag(harness, from, to);
            },
            8,
        ),
        (
            "a period later",
            |harness| {
                keys(harness, Modifiers::ALT, Key::ArrowRight);
            },
            2,
        ),
        (
            "the best period",
            |harness| {
                keys(harness, Modifiers::ALT, Key::ArrowDown);
            },
            8,
        ),
        (
            "drag of a chip",
            |harness| {
                keys(harness, Modifiers::COMMAND, Key::Num2);
                let (from, to) = (cell(harness, "A1").center(), cell(harness, "D4").center());
                drag(harness, from, to);
            },
            7,
        ),
    ];
    for (name, way, to) in ways {
        way(&mut harness);
        assert_eq!(place(&harness), Some(to), "{name}");
        assert_eq!((document(&harness).shown, document(&harness).selected), (Shown::Draft, Some(0)), "{name}");
        assert_eq!(undo_name(&harness), format!("move A1 to period {to}"), "{name}");
        assert!(shows(&harness, "Edited from Run 1: 1 exam moved"), "{name}");
        idle(&mut harness);
        undo(&mut harness);
        assert_eq!((place(&harness), document(&harness).shown), (Some(1), Shown::Run(1)), "{name} is taken back");
        redo(&mut harness);
        assert_eq!((place(&harness), document(&harness).shown), (Some(to), Shown::Draft), "{name} is made again");
        undo(&mut harness);
    }
    assert!(harness.state().notices().is_empty(), "{:?}", harness.state().notices());
}

#[test]
fn a_drag_is_given_up_by_escape() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    for view in [Key::Num1, Key::Num2] {
        keys(&mut harness, Modifiers::COMMAND, view);
        let (from, to) = (cell(&harness, "A1").center(), cell(&harness, "E5").center());
        harness.hover_at(from);
        harness.run_steps(2);
        harness.drag_at(from);
        harness.run_steps(2);
        harness.hover_at(to);
        harness.run_steps(2);
        harness.key_press(Key::Escape);
        harness.run_steps(2);
        harness.drop_at(to);
        harness.run_steps(3);
        assert_eq!((place(&harness), document(&harness).draft()), (Some(1), None));
        idle(&mut harness);
    }
}

#[test]
fn keys_in_a_field_of_text_belong_to_the_field() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press(&mut harness, "Period 8 (−1.0000)");
    harness.get_by_role_and_label(egui::Role::TextInput, "Other exam").focus();
    harness.run_steps(2);
    undo(&mut harness);
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    harness.key_press(Key::P);
    harness.run_steps(2);
    assert_eq!((place(&harness), pin(&harness)), (Some(8), None), "the timetable stays as it is");
}

#[test]
fn a_clash_is_asked_about_with_the_best_alternatives() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    let question = "Move A1 to period 3?";
    let ask = |harness: &mut Harness<'_, App>| {
        press_like(harness, "Move to period 3: ");
        harness.get_by_label(question);
        idle(harness);
    };
    ask(&mut harness);
    harness.get_by_label("2 students sit B2 there as well");
    press(&mut harness, "Leave it");
    assert!(!shows(&harness, question) && document(&harness).draft().is_none());

    ask(&mut harness);
    key(&mut harness, Key::Escape);
    assert!(!shows(&harness, question) && document(&harness).draft().is_none());

    ask(&mut harness);
    let offered: Vec<_> = harness.get_all_by_label("Period 7 (+1.8000)").collect();
    assert_eq!(offered.len(), 2, "in the inspector and in the question");
    offered[1].click();
    drop(offered);
    harness.run_steps(3);
    assert_eq!((place(&harness), shows(&harness, question)), (Some(7), false));
    undo(&mut harness);

    ask(&mut harness);
    press(&mut harness, "Move anyway");
    assert_eq!(place(&harness), Some(3));
    assert!(shows(&harness, "Edited from Run 1: 1 exam moved, 1 problem"));
    harness
        .get_by_label("Exams A1 (Course A1) and B2 (Course B2) are both in period 3 (Wed 2 Jun) and share 2 students");
    // It can be exported, and the dialog says what the stamp will say.
    keys(&mut harness, Modifiers::COMMAND, Key::E);
    assert!(shows(&harness, "Not feasible: 1 clash. Pictures, PDF files and workbooks say so"));
    press(&mut harness, "Cancel");
    undo(&mut harness);
    assert_eq!((place(&harness), document(&harness).shown), (Some(1), Shown::Run(1)));
}

#[test]
fn a_valid_edited_timetable_is_exported() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = with_selected(&home, "A1");
    press(&mut harness, "Period 8 (−1.0000)");
    keys(&mut harness, Modifiers::COMMAND, Key::E);
    let target = home.path().join("edited.sol");
    press(&mut harness, "Solution file");
    enter(&mut harness, "Path of the export", &target.display().to_string());
    press(&mut harness, "Write file");
    wait(&mut harness, "the notice", |harness| !harness.state().notices().is_empty());
    let text = std::fs::read_to_string(&target).unwrap();
    assert!(text.lines().any(|line| line.split_whitespace().eq(["A1", "7"])), "{text}");
}

#[test]
fn pins_are_set_by_button_key_and_menu_and_go_along() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press(&mut harness, "Pin to period 1");
    assert_eq!((pin(&harness), undo_name(&harness)), (Some(1), "pin A1 to period 1"));
    // A hand moves it nevertheless, without a question.
    press(&mut harness, "Period 8 (−1.0000)");
    assert_eq!((place(&harness), pin(&harness)), (Some(8), Some(8)));
    idle(&mut harness);
    undo(&mut harness);
    assert_eq!((place(&harness), pin(&harness)), (Some(1), Some(1)));
    harness.get_by_label_contains("Timetable grid, 6 exams").focus();
    harness.run_steps(2);
    key(&mut harness, Key::P);
    assert_eq!((pin(&harness), undo_name(&harness)), (None, "unpin A1"));
    key(&mut harness, Key::P);
    assert_eq!(pin(&harness), Some(1));
    press(&mut harness, "Unpin from period 1");
    harness.get_by_label_contains("Move to period 4: ").click_secondary();
    harness.run_steps(4);
    press(&mut harness, "Pin to period 4");
    assert_eq!((pin(&harness), place(&harness)), (Some(4), Some(1)));
    // Run 1 was found without this rule.
    press(&mut harness, "Back to the whole timetable");
    harness.get_by_label("1 problem by the present data and rules");
    harness.get_by_label("was valid");
    harness.get_by_label("pinned to period 4");
    press(&mut harness, "Unpin A1");
    assert!(!shows(&harness, "by the present data and rules") && pin(&harness).is_none());
    undo(&mut harness);
    redo(&mut harness);
    assert_eq!(pin(&harness), None);
}

#[test]
fn periods_are_forbidden_and_allowed() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    let menu = |harness: &mut Harness<'_, App>, entry: &str| {
        harness.get_by_label_contains("Move to period 8: ").click_secondary();
        harness.run_steps(4);
        press(harness, entry);
    };
    menu(&mut harness, "Forbid period 8 for this exam");
    assert_eq!(undo_name(&harness), "forbid period 8 for A1");
    harness.get_by_label("Move to period 8: period 8 is forbidden for A1");
    harness.get_by_label("not in period 8");
    assert!(harness.query_by_label("Period 8 (−1.0000)").is_none(), "it is no alternative any more");
    press_like(&mut harness, "Move to period 8: ");
    harness.get_by_label("Period 8 is forbidden for A1");
    press(&mut harness, "Leave it");
    menu(&mut harness, "Allow period 8 for this exam");
    assert!(document(&harness).rules().is_empty());
    undo(&mut harness);
    press(&mut harness, "Allow all periods again");
    assert_eq!((document(&harness).rules().is_empty(), undo_name(&harness)), (true, "allow period 8 for A1"));
    idle(&mut harness);
}

#[test]
fn exams_are_related_and_no_longer() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    enter(&mut harness, "Other exam", "course d");
    press(&mut harness, "D4");
    assert_eq!(undo_name(&harness), "relate A1 and D4");
    harness.get_by_label("before D4");
    harness.get_by_label("Move to period 8: A1 must be before D4 (period 7)");
    press(&mut harness, "How they must stand");
    press(&mut harness, "after");
    enter(&mut harness, "Other exam", "f6");
    press(&mut harness, "Add");
    harness.get_by_label("after F6");
    let rules = document(&harness).rules().relations.clone();
    let before = |first, second| Relation::new(RelationKind::Before, first, second);
    assert_eq!(rules.into_iter().collect::<Vec<_>>(), [before(0, 3), before(5, 0)]);
    enter(&mut harness, "Other exam", "Z9");
    harness.get_by_label("There is no other exam Z9");
    press(&mut harness, "No longer demand: before D4");
    assert_eq!(undo_name(&harness), "unrelate A1 and D4");
    undo(&mut harness);
    undo(&mut harness);
    harness.get_by_label("before D4");
    assert!(!shows(&harness, "after F6"));
    idle(&mut harness);
}

#[test]
fn contradictions_are_told_before_any_search() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press(&mut harness, "Pin to period 1");
    select(&mut harness, "B2");
    harness.get_by_label_contains("Move to period 1: ").click_secondary();
    harness.run_steps(4);
    press(&mut harness, "Pin to period 1");
    press(&mut harness, "Back to the whole timetable");
    harness.get_by_label("No timetable can meet all of these");
    assert!(shows(&harness, "exams A1 and B2 are both pinned to period 1 and share 2 students: remove one pin"));
    press(&mut harness, "Clear all rules");
    assert!(!shows(&harness, "No timetable can meet") && undo_name(&harness) == "clear all rules");
    undo(&mut harness);
    assert!(shows(&harness, "No timetable can meet"));
    idle(&mut harness);
}

#[test]
fn seats_are_minded_or_ignored() {
    let home = tempfile::tempdir().unwrap();
    let plan = Timetable::of(PLAN.to_vec());
    let mut harness = window(support::planned(instance(Some(3)), plan, home.path()));
    select(&mut harness, "A1");
    // A1 has three students, D4 one.
    harness.get_by_label("Move to period 7: period 7 has 3 seats, 4 would be needed");
    press(&mut harness, "Back to the whole timetable");
    press(&mut harness, "Mind seats");
    assert_eq!((document(&harness).rules().ignore_seats, undo_name(&harness)), (true, "ignore seats"));
    select(&mut harness, "A1");
    harness.get_by_label("Move to period 7: worse by 1.8000 per student");
    undo(&mut harness);
    assert!(!document(&harness).rules().ignore_seats);
}

#[test]
fn solving_around_the_changes_keeps_them_and_the_comparison_says_what_moved() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press_like(&mut harness, "Move to period 3: ");
    press(&mut harness, "Move anyway");
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.3);
    harness.run_steps(2);
    press(&mut harness, "Solve around the changes…");
    harness.get_by_label("The exam that I moved");
    harness.get_by_label("Where they clash, other exams make room, whatever that costs.");
    harness.get_by_role_and_label(egui::Role::Slider, "Price of each moved exam");
    idle(&mut harness);
    press(&mut harness, "Cancel");
    assert!(document(&harness).rules().is_empty() && !document(&harness).is_solving());
    solve_around(&mut harness, 2);
    assert_eq!((document(&harness).shown, place(&harness), pin(&harness)), (Shown::Run(2), Some(3), Some(3)));
    assert!(document(&harness).verdict().unwrap().feasible, "{:?}", document(&harness).verdict());
    assert!(!shows(&harness, "Edited from Run 1"), "the run holds the changes now");
    palette(&mut harness, "Show the edits");
    assert!(shows(&harness, "Edited from Run 1: 1 exam moved"), "they can be looked at again");
    press_like(&mut harness, "Run 2: ");
    keys(&mut harness, Modifiers::COMMAND, Key::Num8);
    harness.get_by_label("Exam A1 moved from Tue 1 Jun to Wed 2 Jun");
    assert!(shows(&harness, "Run 1 as it was"));
    // B2 had to make room; whatever else moved saved its price.
    assert!(shows(&harness, "Exam B2 moved from "));
    idle(&mut harness);
}

/// Steps back from the new run lead to the edits of the former one, which the window says.
#[test]
fn undo_after_a_further_run_says_that_it_shows_the_edits_of_the_former_one() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press_like(&mut harness, "Move to period 2: ");
    press_like(&mut harness, "Move to period 7: ");
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.3);
    harness.run_steps(2);
    solve_around(&mut harness, 2);
    let told = "Run 1 with your edits is shown now";
    let mut steps = 0;
    while document(&harness).shown == Shown::Run(2) && steps < 9 {
        assert!(!shows(&harness, told));
        undo(&mut harness);
        steps += 1;
    }
    assert_eq!((document(&harness).shown, shows(&harness, told)), (Shown::Draft, true));
    assert!(shows(&harness, "Run 2 is as it was"));
}

#[test]
fn exams_that_were_moved_stay_only_if_that_is_worth_it_or_may_go_back() {
    let as_edited = "the timetable of Run 1 as edited";
    for (choice, close_to, name, meaning) in [
        ("Stay if worth it", 3, as_edited, "they leave again"),
        ("May go back", 1, "the timetable of Run 1", "mostly goes back"),
    ] {
        let mut harness = at_home(|home| with_selected(home, "A1"));
        press_like(&mut harness, "Move to period 3: ");
        press(&mut harness, "Move anyway");
        harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.3);
        harness.run_steps(2);
        press(&mut harness, "Solve around the changes…");
        press(&mut harness, choice);
        wait(&mut harness, choice, |harness| shows(harness, meaning));
        press(&mut harness, "Cancel");
        // The choice is made anew each time, so that pins are what one gets who does not look.
        press(&mut harness, "Solve around the changes…");
        wait(&mut harness, choice, |harness| shows(harness, "other exams make room"));
        press(&mut harness, choice);
        solve_from_dialog(&mut harness, 2);
        let rules = document(&harness).rules().clone();
        assert!(rules.pins.is_empty(), "{choice}: {:?}", rules.pins);
        assert_eq!(rules.reference.unwrap().timetable.periods[0] + 1, close_to, "{choice}");
        assert!(document(&harness).verdict().unwrap().feasible, "{choice}: {:?}", document(&harness).verdict());
        harness.get_by_label(&format!("The next run: stays close to {name}"));
    }
}

#[test]
fn what_was_edited_is_discarded_and_brought_back() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press(&mut harness, "Period 8 (−1.0000)");
    press(&mut harness, "Compare with before");
    assert_eq!(document(&harness).view, View::Compare);
    harness.get_by_label("Exam A1 moved from Tue 1 Jun to Fri 4 Jun");
    press(&mut harness, "Discard");
    assert_eq!((document(&harness).draft(), document(&harness).shown), (None, Shown::Run(1)));
    assert_eq!(undo_name(&harness), "discard the edits");
    undo(&mut harness);
    assert_eq!((place(&harness), document(&harness).shown), (Some(8), Shown::Draft));
    idle(&mut harness);
}

#[test]
fn rules_can_be_made_before_the_first_timetable() {
    let mut harness = at_home(|home| file(home.path(), "sample:school"));
    keys(&mut harness, Modifiers::COMMAND, Key::F);
    let code = document(&harness).instance.exams[0].code.clone();
    harness.get_by_role(egui::Role::TextInput).focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text(code.clone()));
    harness.run_steps(2);
    key(&mut harness, Key::Enter);
    harness.get_by_label(&format!("Exam {code}"));
    assert!(document(&harness).picture().is_none(), "nothing was solved yet");
    pin_to(&mut harness, 4);
    assert_eq!(
        (pin(&harness), undo_name(&harness).to_owned()),
        (Some(4), format!("pin {code} to {}", period(&harness, 4)))
    );
    assert_eq!(pin(&harness), Some(4), "{code}");
    let seventh = format!("Pin to {}: ", period(&harness, 7));
    harness.get_by_label_contains(&seventh).click_secondary();
    harness.run_steps(4);
    let forbid = format!("Forbid {} for this exam", period(&harness, 7));
    press(&mut harness, &forbid);
    idle(&mut harness);
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.3);
    harness.run_steps(2);
    press(&mut harness, "Solve");
    wait(&mut harness, "the end", |harness| !document(harness).is_solving() && document(harness).runs.len() == 1);
    harness.run_steps(3);
    assert_eq!(place(&harness), Some(4), "the first search minds it");
}

#[test]
fn a_shorter_session_takes_places_away_and_undo_gives_them_back() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press(&mut harness, "Period 8 (−1.0000)");
    let periods = |harness: &mut Harness<'_, App>, count: f64| {
        harness.get_by_role_and_label(egui::Role::SpinButton, "Number of periods").set_value_accesskit(count);
        harness.run_steps(3);
    };
    periods(&mut harness, 6.0);
    assert_eq!((document(&harness).instance.period_count(), place(&harness)), (6, None));
    assert!(shows(&harness, "Edited from Run 1: 0 exams moved, 3 exams without a period"), "A1, D4 and E5 have none");
    periods(&mut harness, 8.0);
    assert_eq!(
        (document(&harness).instance.period_count(), place(&harness)),
        (8, Some(8)),
        "back before anything else"
    );
    periods(&mut harness, 6.0);
    undo(&mut harness);
    assert_eq!((document(&harness).instance.period_count(), place(&harness)), (8, Some(8)));
    idle(&mut harness);
}

#[test]
fn editing_while_a_run_goes_on() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    harness.get_by_role_and_label(egui::Role::SpinButton, "Number of periods").set_value_accesskit(9.0);
    harness.run_steps(3);
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(60.0);
    harness.run_steps(2);
    press(&mut harness, "Solve");
    wait(&mut harness, "a first timetable", |harness| {
        document(harness).picture().is_some() && document(harness).shown == Shown::Live
    });
    // The calendar waits for the run, whether by the button or by taking a change back.
    undo(&mut harness);
    assert_eq!(document(&harness).instance.period_count(), 9);
    assert!(harness.state().notices().iter().any(|notice| notice.text.contains("Stop the run first")));
    // A move begins a draft of the best so far; the run goes on beside it.
    let step = |harness: &mut Harness<'_, App>, key| {
        keys(harness, Modifiers::ALT, key);
        if shows(harness, "Move anyway") {
            press(harness, "Move anyway");
        }
    };
    press(&mut harness, "Pause");
    // The best so far gets better until the run has noticed: then all looks tell the same.
    let (seen, equal) = (std::cell::Cell::new(u64::MAX), std::cell::Cell::new(0));
    wait(&mut harness, "the pause", |harness| {
        std::thread::sleep(Duration::from_millis(60));
        let live = document(harness).live.as_ref();
        let step = live.and_then(|live| live.checkpoint.as_ref()).map_or(0, |kept| kept.progress.snapshot.step);
        equal.set(if seen.replace(step) == step { equal.get() + 1 } else { 0 });
        equal.get() == 5
    });
    harness.run_steps(3);
    let before = place(&harness).unwrap();
    let (key, to) = if before < 9 { (Key::ArrowRight, before + 1) } else { (Key::ArrowLeft, before - 1) };
    step(&mut harness, key);
    assert_eq!((document(&harness).shown, place(&harness)), (Shown::Draft, Some(to)));
    assert!(document(&harness).is_solving() && shows(&harness, "Edited from Run 2"));
    press(&mut harness, &format!("Pin to period {to}"));
    press(&mut harness, "Resume");
    press(&mut harness, "Stop");
    wait(&mut harness, "the end", |harness| !document(harness).is_solving());
    harness.run_steps(3);
    assert_eq!((document(&harness).shown, place(&harness), pin(&harness)), (Shown::Draft, Some(to), Some(to)));
    // The run was right by the rules of its time.
    let run = document(&harness).run(2).unwrap();
    assert_eq!(run.status, gridwright_window::runs::RunStatus::Valid);
    assert!(run.result.demands.is_none());
    idle(&mut harness);
}

#[test]
fn the_menu_names_the_change() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press(&mut harness, "Period 8 (−1.0000)");
    press(&mut harness, "Edit");
    assert!(shows(&harness, "Undo: move A1 to period 8"));
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    undo(&mut harness);
    press(&mut harness, "Edit");
    let redo = harness.query_all_by_label_contains("Redo: move A1 to period 8").next().expect("it can be made again");
    assert!(!redo.accesskit_node().is_disabled());
}

/// Six exams on four days, with times; A1 lasts 90 minutes.
fn dated(minutes: u32) -> Instance {
    let mut session = instance(None);
    let time = |hour, minute| NaiveTime::from_hms_opt(hour, minute, 0);
    for (at, period) in session.periods.iter_mut().enumerate() {
        let hour = 9 + 5 * (at as u32 % 2);
        (period.start, period.end) = (time(hour, 0), time(hour + 1, 30));
    }
    session.exams[0].duration = Some(minutes);
    session
}

/// Every exam with the day and the start of its period.
fn places(harness: &Harness<'_, App>) -> Vec<Option<String>> {
    let document = document(harness);
    let timetable = Arc::clone(&document.picture().unwrap().timetable);
    let place = |exam: usize| timetable.period_of(exam).map(|period| document.instance.period_label(period));
    (0..document.instance.exam_count()).map(place).collect()
}

#[test]
fn a_day_taken_out_of_the_calendar_moves_no_exam_of_another_day() {
    let mut harness = at_home(|home| window(support::planned(dated(90), Timetable::of(PLAN.to_vec()), home.path())));
    let before = places(&harness);
    select(&mut harness, "E5");
    press_like(&mut harness, "Pin to ");
    // 2 June, with B2 in the morning, is taken out.
    press(&mut harness, "Calendar…");
    press_like(&mut harness, "Wed 2 June 2027, 2 periods");
    assert!(shows(&harness, "Exams keep date and time; exams in the 2 periods that are left out lose their place"));
    press(&mut harness, "Apply");
    assert_eq!(document(&harness).instance.period_count(), 6);
    let mut expected = before.clone();
    expected[1] = None;
    assert_eq!(places(&harness), expected);
    assert!(shows(&harness, "Edited from Run 1: 0 exams moved, 1 exam without a period"));
    let pins = &document(&harness).instance.rules.pins;
    assert_eq!(pins.iter().map(|(&exam, &period)| (exam, period)).collect::<Vec<_>>(), [(4, 5)], "the pin goes along");
    // The run itself is still listed, with the same places.
    assert_eq!(document(&harness).listed().count(), 1);
    assert_eq!(document(&harness).run(1).unwrap().timetable.periods, [0, UNPLACED, 2, 4, 5, 3]);
    undo(&mut harness);
    assert_eq!(places(&harness), before);
}

#[test]
fn a_run_with_an_exam_that_lasts_longer_than_its_period_says_so() {
    let home = tempfile::tempdir().unwrap();
    // As version 0.2.0 kept it: without a word on durations.
    let mut former = dated(90);
    former.exams[0].duration = None;
    let store = gridwright_core::store::Store::at(home.path());
    support::keep(&store, &former, Timetable::of(PLAN.to_vec()), 1);
    let long = dated(150);
    let services = gridwright_window::services::Services { dialogs: false, ..Default::default() };
    let services = services.replace::<TimetablingViews>(|own| own.open = Arc::new(move |_, _| Ok(long.clone())));
    let mut harness = window(crate::support::app(services, store, Some("planned".to_owned())));
    assert!(shows(&harness, "Run 1 by the present data and rules. Not feasible: 1 exam longer than its period"));
    harness.get_by_label("Exam A1 (Course A1) lasts 150 minutes, and period 1 (Tue 1 Jun, 09:00) has only 90");
    assert!(shows(&harness, "No timetable can meet all of these"));
    assert!(shows(&harness, "1 exam lasts longer than every period (the longest has 90 minutes)"));
    keys(&mut harness, Modifiers::COMMAND, Key::E);
    assert!(shows(&harness, "Not feasible: 1 exam longer than its period. Pictures"));
}

#[test]
fn moves_are_offered_with_dates() {
    let mut harness = at_home(|home| window(support::planned(dated(90), Timetable::of(PLAN.to_vec()), home.path())));
    select(&mut harness, "A1");
    press(&mut harness, "Fri 4 Jun, 14:00–15:30 (−1.0000)");
    assert_eq!(undo_name(&harness), "move A1 to Fri 4 Jun, 14:00–15:30");
    assert!(shows(&harness, "Pin to Fri 4 Jun, 14:00"));
}

#[test]
fn a_solution_file_of_the_open_session_becomes_a_run() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = six(&home);
    let path = home.path().join("spring.sol");
    std::fs::write(&path, "A1 7\nB2 2\nC3 4\nD4 6\nE5 99\nG7 1\n").unwrap();
    enter(&mut harness, "Path of a file to open", &path.display().to_string());
    harness.get_by_label("Path of a file to open").focus();
    harness.run_steps(2);
    key(&mut harness, Key::Enter);
    wait(&mut harness, "the run", |harness| document(harness).runs.len() == 2);
    let open = document(&harness);
    assert_eq!((open.shown, open.instance.name.as_str()), (Shown::Run(2), "six"));
    assert_eq!(open.picture().unwrap().timetable.periods[..4], [7, 2, 4, 6]);
    let notice = harness.state().notices().iter().find(|notice| notice.heading.contains("spring")).unwrap();
    assert_eq!(notice.heading, "spring.sol was read as run 2");
    for words in
        ["1 exam of the file is not in six: G7", "has none now: E5", "1 exam is not in the file and has no period: F6"]
    {
        assert!(notice.text.contains(words), "{}", notice.text);
    }
    // A file that is no timetable is opened, or refused, as ever.
    assert!(!document(&harness).is_solving());
}
