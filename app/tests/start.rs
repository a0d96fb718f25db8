//! The start page: kinds of plans, the tour, and what was open before.

use std::path::Path;

use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::{Recent, State, Store, ThemeChoice};
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_window::services::Services;

use crate::support::person::{self, Window, at_home, enter, keys, names, press, settle, shows, wait};
use crate::support::picture::Pictures;
use crate::support::{self, Documents as _};

fn start(home: &Path) -> Window {
    person::open(Services { dialogs: false, ..Services::default() }, home, None)
}

/// A window in which the timetable of a school is open.
fn school(home: &Path) -> Window {
    let instance = open("sample:school", &LoadOptions::default()).unwrap();
    let timetable = support::constructed(&instance);
    person::window(support::planned_with(
        Services { exists: std::sync::Arc::new(|_| true), ..Services::default() },
        instance,
        timetable,
        home,
    ))
}

#[test]
fn every_kind_of_plan_has_a_card_that_opens_a_sample() {
    let mut window = at_home(|home| start(home.path()));
    window.get_by_label("What do you plan?");
    for title in ["Examinations", "Production", "Floor layouts", "What to take and what to leave"] {
        assert!(shows(&window, title), "{title}");
    }
    assert!(shows(&window, "Import…") && shows(&window, "New…"));
    press(&mut window, "Open a file…");
    wait(&mut window, "the dialog", |window| shows(window, "Hidden files"));
    window.key_press(egui::Key::Escape);
    wait(&mut window, "the dialog to close", |window| !shows(window, "Hidden files"));
    press(&mut window, "Try “Workshop”");
    wait(&mut window, "the sample", |window| window.state().shop().is_some());
}

#[test]
fn the_cards_are_equally_high_and_each_begins_a_new_plan() {
    let mut window = at_home(|home| start(home.path()));
    for size in [[1440.0, 900.0], [1024.0, 640.0], [960.0, 600.0]] {
        window.set_size(size.into());
        window.run_steps(8);
        let [news, samples] = ["New…", "Try "].map(|label| {
            let nodes = window.query_all_by_label_contains(label);
            nodes.map(|node| node.rect().top()).collect::<Vec<f32>>()
        });
        assert_eq!((news.len(), samples.len()), (4, 4), "{size:?}");
        // Cards in the same row begin at the same height.
        let rows: std::collections::BTreeSet<i32> = news.iter().map(|top| top.round() as i32).collect();
        let columns = if size[0] > 1000.0 && rows.len() == 1 { 4 } else { 2 };
        assert_eq!(rows.len(), 4 / columns, "{size:?}: {news:?}");
        assert_eq!(news, samples, "{size:?}: the buttons of a card stand side by side");
    }
}

#[test]
fn the_tour_is_folded() {
    let mut window = at_home(|home| start(home.path()));
    assert!(!shows(&window, "2. Solve"));
    press(&mut window, "A tour in two minutes");
    window.run_steps(8);
    window.get_by_label("2. Solve");
    window.get_by_label("6. Hand on");
}

#[test]
fn a_plan_that_was_left_is_shown_with_its_best_result_its_date_and_a_picture() {
    let home = tempfile::tempdir().unwrap();
    let mut window = school(home.path());
    let cost = window.state().view().unwrap().best();
    assert!(!cost.is_empty());
    // Another document takes its place.
    enter(&mut window, "Path of a file to open", "sample:workshop");
    window.get_by_label("Path of a file to open").focus();
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    wait(&mut window, "the flow shop", |window| window.state().shop().is_some());
    window.state_mut().close();
    let store = Store::at(home.path());
    let recent = store.load_state().unwrap().recent;
    let left: Vec<_> = recent.iter().map(|recent| (recent.name.as_str(), recent.best.as_str())).collect();
    assert_eq!(left, [("workshop", ""), ("school", cost.as_str())]);
    assert!(recent.iter().all(|recent| recent.left_at > 1_700_000_000));
    let source = &recent[1].source;
    let (width, height, pixels) = store.thumbnail(source).expect("the timetable was drawn");
    assert!(width.max(height) > 100 && pixels.len() == width * height);
    assert!(pixels.iter().any(|pixel| *pixel != pixels[0]), "it shows something");
    assert!(store.thumbnail(&recent[0].source).is_none(), "nothing was solved there");
}

#[test]
fn recent_plans_open_with_a_click() {
    let home = tempfile::tempdir().unwrap();
    let recent = |source: &str, name: &str, best: &str| Recent {
        source: source.to_owned(),
        name: name.to_owned(),
        facts: "8 jobs".to_owned(),
        best: best.to_owned(),
        ..Recent::default()
    };
    let recent = vec![recent("sample:workshop", "workshop", "58"), recent("/nowhere/gone.csv", "gone", "3")];
    Store::at(home.path()).save_state(&State { recent, ..State::default() }).unwrap();
    let mut window = start(home.path());
    wait(&mut window, "the look for files", |window| names(window, "Open gone").is_empty());
    press(&mut window, "Open workshop: 8 jobs · best 58");
    wait(&mut window, "the flow shop", |window| window.state().shop().is_some());
}

#[test]
fn the_library_shows_the_kinds_that_a_person_chose() {
    let home = tempfile::tempdir().unwrap();
    let mut window = start(home.path());
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::Comma);
    for kind in ["Flow shops", "Facility layouts", "Binary problems"] {
        let mut boxes =
            window.get_all_by_label(kind).filter(|node| node.accesskit_node().role() == egui::Role::CheckBox);
        boxes.next().unwrap().click();
        drop(boxes);
        window.run_steps(3);
    }
    let is_disabled = {
        let boxes = window.get_all_by_label("Examination timetables");
        let mut boxes = boxes.filter(|node| node.accesskit_node().role() == egui::Role::CheckBox);
        boxes.next().unwrap().accesskit_node().is_disabled()
    };
    assert!(is_disabled, "one kind stays");
    keys(&mut window, egui::Modifiers::NONE, egui::Key::Escape);
    assert!(!shows(&window, "Flow shops") && !shows(&window, "Production"));
    window.state_mut().close();
    drop(window);
    let window = start(home.path());
    assert!(shows(&window, "Examinations") && !shows(&window, "Floor layouts") && !shows(&window, "Binary problems"));
}

#[test]
fn the_start_page_looks_as_intended() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let mut window = school(home.path());
        window.state_mut().close();
        drop(window);
        let store = Store::at(home.path());
        let mut state = store.load_state().unwrap();
        // The same on every day.
        state.recent.iter_mut().for_each(|recent| recent.left_at = 1_779_969_600);
        state.theme = if dark { ThemeChoice::Dark } else { ThemeChoice::Light };
        store.save_state(&state).unwrap();
        let exists = std::sync::Arc::new(|_: &str| true);
        let services = Services { dialogs: false, exists, ..Services::default() };
        let mut window =
            crate::pictures::painted_window(crate::support::app(services, store, None), [1440.0, 900.0], dark);
        settle(&mut window);
        let middle = window.state().middle();
        shots.take(&mut window, middle, if dark { "start-dark" } else { "start-light" });
    }
}
