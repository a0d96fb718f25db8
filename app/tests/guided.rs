//! The guided lessons: each is done step by step by the window, and what a person works on lies aside meanwhile.

use std::path::Path;
use std::time::{Duration, Instant};

use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::Store;
use gridwright_systolic_views::flavours;
use gridwright_window::registry;
use gridwright_window::services::Services;

use crate::support::Documents as _;
use crate::support::person::{Window, at_home, file, key, keys, names, open, press, settle, shows, sized, wait};

const SMALL: [f32; 2] = [1024.0, 640.0];

/// A window of the smallest size in which nothing is open.
fn small(home: &Path) -> Window {
    let services = Services { dialogs: false, ..Services::default() };
    let mut window = sized(crate::support::app(services, Store::at(home), None), SMALL, 1.0);
    window.run_steps(3);
    window
}

/// Begins a lesson from the menu.
fn begin(window: &mut Window, title: &str) {
    press(window, "Help");
    press(window, &format!("Lesson: {title}"));
    wait(window, "the instance of the lesson", |window| window.state().is_open());
    settle(window);
}

/// Does all steps with «Do it» and returns how many there were.
fn go_through(window: &mut Window, count: usize) {
    for step in 1..=count {
        assert!(shows(window, &format!("{step} of {count}")), "step {step} of {count} is not shown");
        let has_action = window.query_by_label("Do it").is_some();
        if has_action {
            press(window, "Do it");
            let begun = Instant::now();
            wait(window, &format!("step {step} to be done"), |window| window.query_by_label("Step done").is_some());
            assert!(begun.elapsed() < Duration::from_secs(30), "step {step} took {:?}", begun.elapsed());
        }
        let text = window.get_by_label_contains(&format!("{step} of {count}")).rect();
        assert!(text.bottom() <= SMALL[1], "the panel is within the window");
        press(window, if step == count { "Finish" } else { "Next" });
    }
    window.run_steps(3);
    assert!(!shows(window, " of {count}") && window.query_by_label("Close the lesson").is_none());
}

#[test]
fn every_lesson_is_gone_through_by_the_window() {
    gridwright::register();
    let lessons: Vec<_> = registry::lessons().collect();
    assert_eq!(lessons.len(), 4);
    for lesson in lessons {
        let home = tempfile::tempdir().unwrap();
        let mut window = small(home.path());
        begin(&mut window, lesson.entry.title);
        go_through(&mut window, lesson.steps.len());
        assert!(!window.state().is_open(), "{}: nothing was open before", lesson.entry.title);
        drop(window);
        gridwright_window::window::wait_for_saves();
        let own = home.path().join("lessons");
        let left = std::fs::read_dir(&own).map(|entries| entries.count()).unwrap_or(0);
        assert_eq!(left, 0, "{}: the runs of a lesson are not kept", lesson.entry.title);
        assert!(!home.path().join("runs").exists(), "{}: and are no runs of the person", lesson.entry.title);
    }
}

#[test]
fn lessons_say_what_they_are() {
    gridwright::register();
    for lesson in registry::lessons() {
        assert!((6..=14).contains(&lesson.steps.len()), "{}", lesson.entry.title);
        for step in lesson.steps {
            let sentences =
                step.text.matches(". ").count() + step.text.matches("? ").count() + step.text.matches(": ").count();
            assert!(step.text.ends_with('.') && sentences <= 4, "{}", step.text);
        }
    }
}

#[test]
fn the_selection_pressure_is_seen_in_the_results() {
    gridwright::register();
    let mut window = at_home(|home| small(home.path()));
    begin(&mut window, "Selection pressure");
    let lesson = registry::lessons().find(|lesson| lesson.entry.id == "selection-pressure").unwrap();
    let mut observed = Vec::new();
    for _ in 1..lesson.steps.len() {
        if window.query_by_label("Do it").is_some() {
            press(&mut window, "Do it");
            wait(&mut window, "the step", |window| window.query_by_label("Step done").is_some());
        }
        observed.push(shows(&window, "With 256 in a tournament "));
        press(&mut window, "Next");
    }
    // What is said about the curves and the results is computed from the runs.
    assert_eq!(observed.iter().filter(|shown| **shown).count(), 1);
    assert!(shows(&window, "Here the run with 2 ended at ") && shows(&window, "so that the low pressure ended better"));
    let runs = &window.state().session().unwrap().runs;
    let cost = |tournament: i64| {
        let wanted = gridwright_core::search::Value::Integer(tournament);
        runs.iter().find(|run| run.result.parameters["tournament"] == wanted).unwrap().result.verdict.cost
    };
    assert!(cost(2) < cost(256), "the sample shows what the lesson says: {} and {}", cost(2), cost(256));
}

#[test]
fn the_torus_fails_in_its_lesson() {
    gridwright::register();
    let services = || Services { dialogs: false, ..Services::default() };
    let mut window = at_home(|home| open(services(), home.path(), None));
    window.run_steps(3);
    // From the start page.
    press(&mut window, "Why the torus fails");
    wait(&mut window, "the instance of the lesson", |window| window.state().is_open());
    settle(&mut window);
    let lesson = registry::lessons().find(|lesson| lesson.entry.id == "why-the-torus-fails").unwrap();
    for _ in 1..lesson.steps.len() {
        if window.query_by_label("Do it").is_some() {
            press(&mut window, "Do it");
            wait(&mut window, "the step", |window| window.query_by_label("Step done").is_some());
        }
        press(&mut window, "Next");
    }
    let systolic = window.state_mut().document_mut::<gridwright_systolic_views::SystolicViews>().unwrap();
    assert_eq!(flavours::torus_result(systolic), flavours::TorusResult::Failed, "as the lesson says");
    let document = window.state().binary().unwrap();
    let optimum = document.optimum().unwrap().cost;
    let hits: Vec<usize> = document
        .batching
        .lanes()
        .iter()
        .map(|lane| lane.runs.iter().filter(|run| run.cost <= optimum).count())
        .collect();
    assert!(hits[0] <= 2 && hits[1] == 10, "torus and exchange: {hits:?}");
}

#[test]
fn what_is_open_lies_aside_and_comes_back() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "sample:workshop");
    press(&mut window, "Solve");
    wait(&mut window, "the end", |window| {
        let shop = window.state().shop().unwrap();
        !shop.is_solving() && shop.runs.len() == 1
    });
    settle(&mut window);
    press(&mut window, "Help");
    press(&mut window, "Lesson: From the recurrence to insertion");
    wait(&mut window, "the lesson", |window| window.state().shop().is_some());
    settle(&mut window);
    assert_eq!(window.state().shop().unwrap().runs.len(), 0, "the lesson has a document of its own");
    assert!(window.query_by_label("Back").unwrap().accesskit_node().is_disabled());
    // A step is done by the person as well.
    press(&mut window, "Next");
    press(&mut window, "Step by step");
    window.run_steps(3);
    assert!(window.query_by_label("Step done").is_some());
    press(&mut window, "Next");
    press(&mut window, "Back");
    assert!(shows(&window, "2 of ") && window.query_by_label("Step done").is_some(), "what is done stays done");
    press(&mut window, "Close the lesson");
    window.run_steps(3);
    let shop = window.state().shop().unwrap();
    assert_eq!((shop.runs.len(), shop.view), (1, gridwright_flowshop_views::View::Gantt));
    assert!(names(&window, "Run 1").len() == 1 || shows(&window, "Run 1"));
    let recent = Store::at(home.path()).load_state().unwrap_or_default().recent;
    assert!(recent.iter().filter(|recent| recent.source == "sample:workshop").count() <= 1);
    // Another file ends a lesson, too.
    press(&mut window, "Help");
    press(&mut window, "Lesson: Selection pressure");
    wait(&mut window, "the lesson", |window| window.state().session().is_some());
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::P);
    window.event(egui::Event::Text("sample backpack".to_owned()));
    window.run_steps(3);
    key(&mut window, egui::Key::Enter);
    wait(&mut window, "the backpack", |window| window.state().binary().is_some());
    assert!(window.query_by_label("Close the lesson").is_none());
}
