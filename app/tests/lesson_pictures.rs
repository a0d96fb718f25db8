//! Pictures of glossary, guided lessons, contents of solutions and parameters of runs.

use egui::{Key, Modifiers, Rect, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_core::numbers::grouped;
use gridwright_core::store::{State, Store, ThemeChoice};
use gridwright_window::services::Services;
use gridwright_window::window::App;

use crate::pictures::{painted_window, window_of};
use crate::support::person::wait;
use crate::support::picture::Pictures;
use crate::support::{self, Documents as _};

const SMALL: [f32; 2] = [1024.0, 640.0];
const WHOLE: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1024.0, 640.0) };
const LARGE_TEXT: [f32; 2] = [683.0, 427.0];

fn press(harness: &mut Harness<'_, App>, label: &str) {
    let mut nodes = harness.get_all_by_label(label).filter(|node| {
        use egui_kittest::kittest::NodeT;
        node.accesskit_node().role() != egui::Role::Label
    });
    nodes.next().unwrap_or_else(|| panic!("nothing is called {label}")).click();
    drop(nodes);
    harness.run_steps(4);
}

/// A window without a document.
fn empty(size: [f32; 2], dark: bool) -> Harness<'static, App> {
    let home = tempfile::tempdir().unwrap();
    let theme = if dark { ThemeChoice::Dark } else { ThemeChoice::Light };
    Store::at(home.path()).save_state(&State { theme, ..State::default() }).unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let mut harness = painted_window(crate::support::app(services, Store::at(home.path()), None), size, dark);
    harness.run_steps(4);
    harness
}

/// Begins a lesson and does its steps before this one, counted from 1.
fn at_step(harness: &mut Harness<'_, App>, title: &str, step: usize) {
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_steps(2);
    harness.event(egui::Event::Text(format!("lesson {title}")));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    wait(harness, "the lesson", |harness| harness.state().is_open());
    harness.run_steps(4);
    for _ in 1..step {
        if harness.query_by_label("Do it").is_some() {
            press(harness, "Do it");
            wait(harness, "the step", |harness| harness.query_by_label("Step done").is_some());
        }
        press(harness, "Next");
    }
    harness.run_steps(6);
}

#[test]
fn a_step_of_each_lesson_with_its_mark() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        for (title, step, name) in [
            ("From the recurrence", 4, "recurrence"),
            ("Why the torus", 4, "torus"),
            ("Selection pressure", 4, "pressure"),
            ("Tabu search", 8, "tabu"),
            ("Tabu search", 12, "archive"),
        ] {
            let mut harness = empty(SMALL, dark);
            at_step(&mut harness, title, step);
            shots.take(&mut harness, WHOLE, &format!("lesson-{name}-{theme}"));
        }
    }
    let whole = Rect::from_min_size(pos2(0.0, 0.0), LARGE_TEXT.into());
    for (title, step, name) in [("From the recurrence", 4, ""), ("Tabu search", 8, "tabu-")] {
        let mut harness = empty(LARGE_TEXT, false);
        at_step(&mut harness, title, step);
        shots.take(&mut harness, whole, &format!("lesson-{name}large-text-light"));
    }
}

#[test]
fn the_glossary() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let mut harness = empty(SMALL, dark);
        harness.key_press_modifiers(Modifiers::SHIFT, Key::F1);
        harness.run_steps(4);
        press(&mut harness, "Local optimum, ");
        harness.run_steps(4);
        shots.take(&mut harness, WHOLE, &format!("glossary-{}", if dark { "dark" } else { "light" }));
    }
    let mut harness = empty(LARGE_TEXT, false);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F1);
    harness.run_steps(4);
    let whole = Rect::from_min_size(pos2(0.0, 0.0), LARGE_TEXT.into());
    shots.take(&mut harness, whole, "glossary-large-text-light");
}

#[test]
fn what_is_in_the_backpack_and_on_the_deceptive_function() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        for (source, algorithm, name, last) in
            [("knapsack:100-1000", "sgs-t", "knapsack", 700), ("mmdp:300", "random", "deceptive", 2700)]
        {
            let mut harness = window_of(|home| support::recorded_run(source, algorithm, home), SMALL, dark);
            harness.run_steps(4);
            harness.key_press_modifiers(Modifiers::COMMAND, Key::Num8);
            harness.run_steps(6);
            assert!(harness.state().binary().is_some());
            // The last iteration is computed again beside the window.
            let title = format!("Iteration {}", grouped(last));
            wait(&mut harness, &title, |harness| harness.query_by_label(&title).is_some());
            harness.run_steps(3);
            shots.take(&mut harness, WHOLE, &format!("contents-{name}-{theme}"));
        }
    }
}

/// Runs again with another number of rows, and shows both runs.
fn with_three_rows(harness: &mut Harness<'_, App>) {
    harness.run_steps(4);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num9);
    wait(harness, "the fields", |harness| harness.query_by_label("Run again").is_some());
    harness.get_by_role_and_label(egui::Role::SpinButton, "Rows").set_value_accesskit(3.0);
    harness.run_steps(3);
    press(harness, "Run again");
    wait(harness, "both runs", |harness| {
        harness.state().binary().is_some_and(|open| {
            let known = |run: &gridwright_core::result::RunResult| run.generations == 700;
            let results = open.runs.results();
            results.len() == 2 && results.iter().all(|result| known(result) && open.ruling.measured(result).is_some())
        })
    });
    harness.run_steps(6);
}

#[test]
fn a_changed_rule_beside_the_previous_run() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        let open = |home: &std::path::Path| support::recorded_run("knapsack:100-1000", "sgs-t", home);
        let mut harness = window_of(open, SMALL, dark);
        with_three_rows(&mut harness);
        let part = below_the_run(&harness, SMALL);
        shots.take(&mut harness, part, &format!("rule-change-{theme}"));
    }
}

/// The window below the line that says how many seconds a run took.
fn below_the_run(harness: &Harness<'_, App>, size: [f32; 2]) -> Rect {
    let seconds = harness.get_by_label_contains("took ").rect();
    let top = (seconds.bottom() / 2.0).ceil() * 2.0 + 4.0;
    Rect::from_min_max(pos2(0.0, top), pos2(size[0], size[1]))
}

/// An evolution with another probability of a crossover; with large text, too.
#[test]
fn a_changed_probability_beside_the_previous_run() {
    let mut shots = Pictures::default();
    for (size, dark, name) in [(SMALL, true, "dark"), (LARGE_TEXT, false, "large-text-light")] {
        let mut harness = window_of(|home| support::evolved("sample:school", 30, home), size, dark);
        harness.run_steps(4);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Num9);
        wait(&mut harness, "the recording", |harness| harness.query_by_label("Change the rules").is_some());
        press(&mut harness, "Change the rules");
        harness.get_by_role_and_label(egui::Role::SpinButton, "Crossover").set_value_accesskit(0.9);
        harness.run_steps(3);
        press(&mut harness, "Run again");
        wait(&mut harness, "both runs", |harness| {
            harness.state().session().is_some_and(|open| {
                let results = open.runs.results();
                results.len() == 2 && results.iter().all(|result| open.evolution.rules.measured(result).is_some())
            })
        });
        harness.run_steps(8);
        let part = below_the_run(&harness, size);
        shots.take(&mut harness, part, &format!("rule-change-evolution-{name}"));
    }
}

#[test]
fn generations_of_a_genetic_algorithm() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let theme = if dark { "dark" } else { "light" };
        let open = |home: &std::path::Path| support::recorded_run("knapsack:100-1000", "ega", home);
        let mut harness = window_of(open, SMALL, dark);
        let strip = "Position in the run, generation";
        wait(&mut harness, "the recording", |harness| {
            harness.query_by_label("Show evolution").is_some() && harness.query_by_label(strip).is_some()
        });
        press(&mut harness, "Show evolution");
        wait(&mut harness, "the recording", |harness| harness.query_by_label(strip).is_some());
        harness.get_by_label(strip).set_value_accesskit(40.0);
        let settle = |harness: &mut Harness<'_, App>| {
            for _ in 0..3 {
                harness.run_steps(3);
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            harness.run_steps(3);
        };
        settle(&mut harness);
        shots.take(&mut harness, WHOLE, &format!("genetic-population-{theme}"));
        press(&mut harness, "Curves");
        wait(&mut harness, "the bits that are followed", |harness| {
            harness.query_by_label_contains("under selection alone").is_some()
        });
        settle(&mut harness);
        shots.take(&mut harness, WHOLE, &format!("genetic-curves-{theme}"));
        press(&mut harness, "One child");
        settle(&mut harness);
        press(&mut harness, "One step on");
        press(&mut harness, "One step on");
        settle(&mut harness);
        shots.take(&mut harness, WHOLE, &format!("genetic-child-{theme}"));
    }
}
