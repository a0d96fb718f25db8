//! The panel at the right and the messages: what they show when something else is selected, opened or possible.

use std::path::Path;

use egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_core::store::Store;
use gridwright_timetabling::Timetable;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling_views::TimetablingViews;
use gridwright_window::services::Services;
use gridwright_window::theme;
use gridwright_window::window::App;

use crate::support;
use crate::support::person::{self, Window, at_home, enter, keys, press, settle, shows, wait};

const SIZE: [f32; 2] = [1440.0, 680.0];

fn school(home: &Path) -> App {
    let instance = open("sample:school", &LoadOptions::default()).unwrap();
    let timetable = support::constructed(&instance);
    support::planned(instance, timetable, home)
}

fn select(harness: &mut Window, exam: usize) {
    harness.state_mut().document_mut::<TimetablingViews>().unwrap().selected = Some(exam);
    harness.run_steps(3);
}

/// Top of the heading of this exam in the inspector.
fn top(harness: &Window, exam: &str) -> f32 {
    harness.get_by_label(&format!("Exam {exam}")).rect().top()
}

/// Turns the wheel over the inspector.
fn scroll(harness: &mut Window) {
    harness.hover_at(Pos2::new(1300.0, 400.0));
    harness.run_steps(2);
    let delta = egui::vec2(0.0, -200.0);
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(12);
}

#[test]
fn the_inspector_begins_at_the_top_for_every_selection_and_after_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = person::sized(school(home.path()), SIZE, 1.0);
    person::wait_for_document(&mut harness);
    settle(&mut harness);
    let codes: Vec<String> = {
        let exams = &harness.state().document::<TimetablingViews>().unwrap().instance.exams;
        exams.iter().map(|exam| exam.code.clone()).collect()
    };
    select(&mut harness, 3);
    let begins = top(&harness, &codes[3]);
    scroll(&mut harness);
    assert!(top(&harness, &codes[3]) < begins - 100.0, "it can be scrolled");
    select(&mut harness, 5);
    assert_eq!(top(&harness, &codes[5]), begins);
    scroll(&mut harness);
    press(&mut harness, "Periods");
    assert!(top(&harness, &codes[5]) < begins - 100.0, "another view leaves it where it is");
    // The system keeps what the window remembers of its parts.
    let memory = harness.ctx.memory(|memory| memory.data.clone());
    drop(harness);
    let builder = Harness::builder().with_size(SIZE).with_max_steps(60).with_context_setup(move |ctx| {
        theme::install(ctx);
        ctx.memory_mut(|old| old.data = memory);
    });
    let mut harness = builder.build_ui_state(
        |ui, app: &mut App| {
            app.logic(ui.ctx());
            app.ui(ui);
        },
        school(home.path()),
    );
    person::wait_for_document(&mut harness);
    select(&mut harness, 5);
    assert_eq!(top(&harness, &codes[5]), begins);
}

#[test]
fn a_refusal_goes_when_the_command_becomes_possible() {
    let mut harness = at_home(|home| person::window(school(home.path())));
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    assert!(shows(&harness, "Not possible now: Undo"));
    select(&mut harness, 3);
    keys(&mut harness, Modifiers::ALT, Key::ArrowRight);
    if shows(&harness, "Move anyway") {
        press(&mut harness, "Move anyway");
    }
    assert!(harness.state().view().unwrap().undo_names().0.is_some());
    assert!(!shows(&harness, "Not possible now"), "{:?}", harness.state().notices());
}

#[test]
fn messages_are_not_shown_over_another_document() {
    let home = tempfile::tempdir().unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let mut harness =
        person::window(crate::support::app(services, Store::at(home.path()), Some("sample:school".to_owned())));
    keys(&mut harness, Modifiers::COMMAND, Key::E);
    let shown: Vec<_> = harness.state().notices().iter().map(|notice| notice.heading.clone()).collect();
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert!(shown[0].starts_with("Not possible now: Export"), "{shown:?}");
    enter(&mut harness, "Path of a file to open", "sample:workshop");
    harness.get_by_label("Path of a file to open").focus();
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    person::wait(&mut harness, "the flow shop", |harness| {
        harness.state().view().is_some_and(|view| view.name() == "workshop")
    });
    harness.run_steps(3);
    assert!(harness.state().notices().is_empty(), "{:?}", harness.state().notices());
    assert!(!shows(&harness, "Not possible now"));
}

/// Five students with two exams each pay at least w(2) = 8 in three periods; a timetable in the first two costs twice that.
#[test]
fn the_panel_says_what_no_timetable_avoids_and_how_fragile_one_is() {
    let home = tempfile::tempdir().unwrap();
    let plan = Timetable::of(vec![0, 1, 0, 1, 0]);
    let mut harness = person::sized(support::planned(support::chain(3), plan, home.path()), SIZE, 1.0);
    person::wait_for_document(&mut harness);
    wait(&mut harness, "the bound", |harness| shows(harness, "Cost per student, lower bound"));
    assert!(shows(&harness, "(+100.0 % to bound)") && shows(&harness, "Late enrolments"));
    // Whoever comes late has an exam in the same one of two periods.
    harness.get_by_label("100 of 100 would clash").hover();
    wait(&mut harness, "the exams that cause it", |harness| shows(harness, "Most often with"));
    harness.get_by_label("8.000").hover();
    wait(&mut harness, "the reason", |harness| shows(harness, "5 students with 2 exams each, at least 8 for each"));
}

/// Nothing is looked for before the person asks; then each room in use and each examiner on a day is listed once, the worst first.
#[test]
fn weak_points_are_listed_on_request() {
    let mut harness = at_home(crate::rooms::open);
    // High enough for the whole panel.
    harness.set_size(egui::vec2(1440.0, 1600.0));
    settle(&mut harness);
    assert!(shows(&harness, "What if it fails") && !shows(&harness, "Stop looking"));
    press(&mut harness, "Look for weak points");
    wait(&mut harness, "the list", |harness| shows(harness, "Room H1"));
    settle(&mut harness);
    let found = gridwright_timetabling::run::failing::fragilities;
    let (instance, picture) = (&person::document(&harness).instance, person::document(&harness).picture().unwrap());
    let expected = found(instance, &picture.timetable, &|| false, &|_| ()).unwrap();
    assert!(expected.len() > 3, "{expected:?}");
    let words = gridwright_core::text::sentence_case(&expected[0].failure.words(instance));
    assert!(shows(&harness, &words), "{words}");
}

/// Decisions are listed with ticks and solved from the shown plan; one that is taken over is a single change.
#[test]
fn decisions_are_looked_at_and_one_is_taken_over() {
    let mut harness = at_home(crate::rooms::open);
    harness.set_size(egui::vec2(1440.0, 1600.0));
    settle(&mut harness);
    let periods = person::document(&harness).instance.period_count();
    press(&mut harness, "Run");
    press(&mut harness, "What if…");
    settle(&mut harness);
    assert!(shows(&harness, "Nothing changes until a decision is taken over"));
    press(&mut harness, "None");
    assert!(shows(&harness, "Compute 1 decision"));
    let more = person::names(&harness, "").into_iter().find(|name| name.contains(" as well (")).unwrap();
    press(&mut harness, &more);
    press(&mut harness, "10 s");
    press(&mut harness, "Compute 2 decisions");
    wait(&mut harness, "the progress", |harness| shows(harness, "of 2 decisions"));
    press(&mut harness, "Stop");
    wait(&mut harness, "the table", |harness| shows(harness, "Changes are those from no change."));
    // The buttons are within a small window, too.
    harness.set_size(egui::vec2(1024.0, 640.0));
    settle(&mut harness);
    let bottom = harness.get_by_label("Take over").rect().bottom();
    assert!(bottom < 630.0, "the buttons end at {bottom}");
    harness.set_size(egui::vec2(1440.0, 1600.0));
    settle(&mut harness);
    person::press_like(&mut harness, &format!("{more}: Cost"));
    settle(&mut harness);
    assert!(shows(&harness, "All demands are met.") || shows(&harness, "Not possible: "));
    press(&mut harness, "Take over");
    wait(&mut harness, "the change", |harness| shows(harness, "The decision was taken over"));
    let document = person::document(&harness);
    assert!(document.instance.period_count() > periods && document.draft().is_some());
    assert_eq!(document.undo_names().0, Some(format!("what if: {more}").as_str()));
    person::keys(&mut harness, egui::Modifiers::COMMAND, egui::Key::Z);
    settle(&mut harness);
    let document = person::document(&harness);
    assert!(document.instance.period_count() == periods && document.draft().is_none());
}
