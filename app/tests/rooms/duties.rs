//! Invigilators in the window: assigned, given to others by hand, replaced.

use egui::{Key, Modifiers, Pos2};
use egui_kittest::kittest::Queryable;
use gridwright_timetabling::invigilation::check::{FaultKind, check};
use gridwright_timetabling::{Instance, Invigilator, Role};

use super::{instance, plan};
use crate::adjusting::undo_name;
use crate::pictures::window_of;
use crate::support;
use crate::support::person::{Window, at_home, document, drag, keys, names, press, settle, shows, wait, window};
use crate::support::picture::Pictures;

/// The session with four invigilators: Anna is absent in the first period, Dora has reserve duties only.
fn invigilated() -> Instance {
    let person = |code: &str| Invigilator {
        code: code.to_lowercase(),
        name: code.to_owned(),
        role: Role::Invigilator,
        ..Invigilator::default()
    };
    let mut instance = instance();
    instance.resources.invigilators = ["Anna", "Berta", "Cem", "Dora"].map(person).to_vec();
    instance.resources.invigilators[0].unavailable.insert(0);
    instance.resources.invigilators[3].role = Role::Reserve;
    instance
}

fn assigned(home: &tempfile::TempDir) -> Window {
    let mut harness = window(support::planned(invigilated(), plan(), home.path()));
    press(&mut harness, "Duties");
    settle(&mut harness);
    press(&mut harness, "Assign invigilators");
    wait(&mut harness, "duties", |harness| !document(harness).instance.duties.is_empty());
    settle(&mut harness);
    harness
}

fn faults(harness: &Window) -> Vec<FaultKind> {
    let document = document(harness);
    let timetable = &document.picture().unwrap().timetable;
    check(&document.instance, timetable, &document.instance.duties).into_iter().map(|fault| fault.kind).collect()
}

/// The middle of the cell of a person in a period.
fn cell(harness: &Window, person: &str, period: usize) -> Pos2 {
    let names = names(harness, &format!("{person}, period {period}"));
    harness.get_by_label(&names[0]).rect().center()
}

#[test]
fn invigilators_are_assigned_and_undone() {
    let mut harness = at_home(assigned);
    // H1 and S2 in the first period, one room each in the third, fourth and sixth, two in the fifth, and a reserve in each.
    assert_eq!((document(&harness).instance.duties.len(), faults(&harness)), (12, vec![]));
    assert!(shows(&harness, "Everything is covered"));
    assert_eq!(undo_name(&harness), "assign the invigilators");
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    settle(&mut harness);
    assert!(shows(&harness, "Nobody has a duty yet"));
}

/// Anna is absent in the first period, so that the program asks before she gets a duty there.
#[test]
fn a_duty_is_dragged_to_another_person_and_a_doubtful_one_is_asked_about() {
    let mut harness = at_home(assigned);
    let before = document(&harness).instance.duties.to_vec();
    let from = cell(&harness, "Berta", 1);
    let anna = Pos2::new(from.x, anna_row(&harness));
    drag(&mut harness, from, anna);
    settle(&mut harness);
    assert!(shows(&harness, "Anna is absent"));
    press(&mut harness, "Leave it");
    settle(&mut harness);
    assert_eq!(*document(&harness).instance.duties, before);
    drag(&mut harness, from, anna);
    settle(&mut harness);
    press(&mut harness, "Move anyway");
    settle(&mut harness);
    assert_eq!(faults(&harness), [FaultKind::Absent]);
    assert!(shows(&harness, "1 problem"));
    assert!(undo_name(&harness).ends_with("to Anna"), "{}", undo_name(&harness));
}

fn anna_row(harness: &Window) -> f32 {
    let names = names(harness, "Anna, period");
    harness.get_by_label(&names[0]).rect().center().y
}

#[test]
fn another_person_takes_the_duty_of_an_absent_one() {
    let mut harness = at_home(assigned);
    let before = document(&harness).instance.duties.to_vec();
    let held = names(&harness, "Berta, period 1: ").remove(0);
    harness.get_by_label(&held).click();
    harness.run();
    press(&mut harness, "Replace");
    settle(&mut harness);
    // Nobody else is free in the first period: Anna is absent, Cem is in the other room, Dora has reserve duties only.
    assert!(shows(&harness, "nobody else is free for Berta; on duty as a reserve: Dora"));
    assert_eq!(*document(&harness).instance.duties, before, "nothing is taken away without a replacement");
    let held = names(&harness, "Berta, period 4: ").remove(0);
    harness.get_by_label(&held).click();
    harness.run();
    press(&mut harness, "Replace");
    settle(&mut harness);
    assert!(shows(&harness, "instead of Berta"));
    assert_eq!(faults(&harness), [], "somebody else is there");
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    settle(&mut harness);
    assert_eq!(*document(&harness).instance.duties, before);
    assert!(!shows(&harness, "instead of Berta"), "the sentence goes with the change");
}

#[test]
fn duties_in_pictures() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let mut harness = window_of(|home| support::planned(invigilated(), plan(), home), [1100.0, 680.0], dark);
        harness.run();
        press(&mut harness, "Duties");
        settle(&mut harness);
        press(&mut harness, "Assign invigilators");
        wait(&mut harness, "duties", |harness| !document(harness).instance.duties.is_empty());
        settle(&mut harness);
        let view = egui::Rect { min: egui::pos2(240.0, 120.0), max: egui::pos2(1092.0, 532.0) };
        shots.take(&mut harness, view, if dark { "duties-dark" } else { "duties-light" });
    }
}
