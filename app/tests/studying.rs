//! Study mode: who plans sees the plan, who studies sees algorithms, too.

use egui::{Key, Modifiers};
use gridwright_core::search::Algorithms as _;
use gridwright_core::store::Store;
use gridwright_window::services::Services;

use crate::entering::scenes::palette;
use crate::support::person::{Window, keys, press, settle, shows, sized, wait};
use crate::support::{self, Documents as _};

/// Words of the first row that belong to study mode.
const STUDIED: [&str; 3] = ["Algorithm", "Device", "Seed"];

/// A window as the program starts it, with this sample.
fn planner(home: &std::path::Path, source: &str) -> Window {
    let services = Services { dialogs: false, ..Services::default() };
    let mut window =
        sized(support::plain_app(services, Store::at(home), Some(source.to_owned())), [1280.0, 800.0], 1.0);
    wait(&mut window, "the document", |window| window.state().view().is_some());
    settle(&mut window);
    window
}

/// Words of study mode that are on the screen.
fn studied(window: &egui_kittest::Harness<'_, gridwright_window::window::App>) -> Vec<&'static str> {
    let is_shown = |words: &str| {
        use egui_kittest::kittest::Queryable as _;
        window.query_all_by_label(words).next().is_some()
    };
    STUDIED.into_iter().filter(|words| is_shown(words)).collect()
}

#[test]
fn a_planner_sees_the_plan_and_study_mode_is_remembered_by_kind() {
    for (source, view, has_menu) in [
        ("sample:school", "Evolution", true),
        ("sample:layout-workshop", "Islands", true),
        ("sample:workshop", "Step by step", false),
    ] {
        let home = tempfile::tempdir().unwrap();
        let mut window = planner(home.path(), source);
        assert_eq!(studied(&window), [""; 0], "{source}");
        for words in [view, "As published", "Advanced"] {
            assert!(!shows(&window, words), "{source}: {words}");
        }
        assert!(shows(&window, "Preset") && shows(&window, "Time limit"), "{source}");
        press(&mut window, "Study mode");
        settle(&mut window);
        let expected: &[&str] = if has_menu { &STUDIED } else { &STUDIED[1..] };
        assert_eq!(studied(&window), expected, "{source}");
        assert!(shows(&window, view) && shows(&window, "Advanced"), "{source}");
        drop(window);
        let again = planner(home.path(), source);
        assert_eq!(studied(&again), expected, "{source}: remembered");
        drop(again);
        let other = if source == "sample:school" { "sample:layout-workshop" } else { "sample:school" };
        assert_eq!(studied(&planner(home.path(), other)), [""; 0], "{source}: another kind");
    }
}

#[test]
fn grids_and_lessons_are_studied_from_the_start() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(studied(&planner(home.path(), "sample:backpack")), STUDIED);
    let mut window = planner(home.path(), "sample:school");
    assert_eq!(studied(&window), [""; 0]);
    palette(&mut window, "Lesson: Selection pressure");
    wait(&mut window, "the lesson", |window| shows(window, "Close the lesson") && !studied(window).is_empty());
    press(&mut window, "Close the lesson");
    settle(&mut window);
    assert_eq!(studied(&window), [""; 0], "the planner's own document is as before");
}

#[test]
fn a_view_of_algorithms_that_is_opened_has_its_tab() {
    let home = tempfile::tempdir().unwrap();
    let mut window = planner(home.path(), "sample:school");
    palette(&mut window, "Evolution view");
    settle(&mut window);
    assert!(shows(&window, "Evolution"));
    keys(&mut window, Modifiers::COMMAND, Key::Num1);
    settle(&mut window);
    assert!(!shows(&window, "Evolution"), "the tab goes with the view");
}

/// Presses one of the two kinds of layouts.
fn choose_kind(window: &mut Window, name: &str) {
    use egui_kittest::kittest::Queryable as _;
    window.get_by_role_and_label(egui::Role::Button, name).click();
    window.run_steps(3);
}

#[test]
fn a_planner_sees_the_layout_of_the_kind_that_is_chosen_and_says_how_many_departments_move() {
    use egui_kittest::kittest::Queryable as _;
    let home = tempfile::tempdir().unwrap();
    let mut window = planner(home.path(), "sample:layout-workshop");
    assert!(!shows(&window, "Move at most"), "there is no layout yet");
    window.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(2.0);
    window.run_steps(2);
    let solve = |window: &mut Window| {
        let runs = window.state().layouts().unwrap().runs.len();
        press(window, "Solve");
        wait(window, "the end", |window| {
            let layouts = window.state().layouts().unwrap();
            !layouts.is_solving() && layouts.runs.len() == runs + 1
        });
        settle(window);
    };
    let is_free = |window: &Window| window.state().layouts().unwrap().picture().unwrap().layout.is_free();
    solve(&mut window);
    assert!(!is_free(&window));
    choose_kind(&mut window, "Free");
    solve(&mut window);
    assert!(is_free(&window), "the run that was asked for");
    for kind in ["Bays", "Free", "Bays"] {
        choose_kind(&mut window, kind);
        settle(&mut window);
        assert_eq!(is_free(&window), kind == "Free", "{kind}");
    }
    solve(&mut window);
    assert!(!is_free(&window), "a cheaper layout of the other kind is not shown instead");
    window.get_by_role_and_label(egui::Role::SpinButton, "Move at most").set_value_accesskit(2.0);
    window.run_steps(3);
    let settings = &window.state().layouts().unwrap().settings;
    let gridwright_facility::run::Algorithm::Slicing(parameters) = &settings.algorithm else {
        panic!("{}", settings.algorithm.name())
    };
    assert_eq!(parameters.moves, 2);
}
