//! Invigilators in the window: assigned, given to others by hand, replaced.

use egui::{Key, Modifiers, Pos2};
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::Store;
use gridwright_timetabling::invigilation::check::{FaultKind, check};
use gridwright_timetabling::invigilators::{Duty, Post};
use gridwright_timetabling::{Instance, Invigilator, Role};
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::editing::Edit;
use gridwright_timetabling_views::methods::*;
use gridwright_window::data_view::edits;
use gridwright_window::document::ProblemView as _;
use gridwright_window::services::Services;

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
    drag_to_anna(&mut harness);
    assert!(shows(&harness, "Anna is absent"));
    press(&mut harness, "Leave it");
    settle(&mut harness);
    assert_eq!(*document(&harness).instance.duties, before);
    drag_to_anna(&mut harness);
    press(&mut harness, "Move anyway");
    settle(&mut harness);
    assert_eq!(faults(&harness), [FaultKind::Absent]);
    assert!(shows(&harness, "1 problem"));
    assert!(undo_name(&harness).ends_with("to Anna"), "{}", undo_name(&harness));
}

/// Anna, who is absent, gets a duty all the same; the adjustment gives it to somebody else, and everybody else stays.
#[test]
fn adjusted_duties_keep_everybody_who_can_stay() {
    let mut harness = at_home(assigned);
    let before = document(&harness).instance.duties.to_vec();
    drag_to_anna(&mut harness);
    press(&mut harness, "Move anyway");
    settle(&mut harness);
    press(&mut harness, "Adjust");
    let told = "11 duties stay as they were, 1 is given anew";
    wait(&mut harness, told, |harness| shows(harness, told));
    settle(&mut harness);
    assert_eq!(undo_name(&harness), "adjust the duties");
    assert_eq!(*document(&harness).instance.duties, before, "only Berta can be there");
    let button = harness.get_by_role_and_label(egui::accesskit::Role::Button, "Adjust");
    assert!(button.accesskit_node().is_disabled(), "there is nothing to adjust");
}

/// Drags the duty of Berta in the first period to Anna.
fn drag_to_anna(harness: &mut Window) {
    let from = cell(harness, "Berta", 1);
    let anna = Pos2::new(from.x, anna_row(harness));
    drag(harness, from, anna);
    settle(harness);
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

/// Codes of an exam, a room and an invigilator are corrected in *Data*: enrolments, the plan of the run, pins, seats and duties
/// stay those of the same exam, room and person, in the project file as well, and undo brings the former codes back.
#[test]
fn what_is_planned_stays_with_rows_whose_codes_are_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = assigned(&folder);
    let open = harness.state_mut().document_mut::<TimetablingViews>().unwrap();
    open.apply(vec![Edit::Pin { exam: 0, period: Some(0) }, Edit::PinRooms { exam: 0, rooms: [0, 1].into() }]).unwrap();
    let state = |harness: &Window| {
        let document = document(harness);
        let instance = &document.instance;
        let duties: Vec<(usize, Post)> =
            instance.duties.iter().map(|duty| (person_of(instance, duty), place(instance, duty))).collect();
        (document.picture().unwrap().timetable.clone(), document.rules().clone(), duties, instance.enrolments())
    };
    press(&mut harness, "Edit");
    press(&mut harness, "Publish this timetable");
    settle(&mut harness);
    let before = state(&harness);
    let steps = [
        ("exams", "A1", "ALG-101"),
        ("rooms", "H1", "Aula"),
        ("invigilators", "berta", "b.meyer"),
        ("exams", "ALG-101", "ALG 1"),
    ];
    for (table, former, present) in steps {
        rename(&mut harness, table, former, present);
        assert_eq!((state(&harness), faults(&harness)), (before.clone(), vec![]), "{former} is {present}");
        assert!(!shows(&harness, "Not everything fits"));
        let instance = &document(&harness).instance;
        let changes = instance.changes_since_publication(&document(&harness).picture().unwrap().timetable).unwrap();
        assert_eq!(changes, [], "nobody is told that an exam is cancelled");
    }
    assert!(document(&harness).instance.duties.iter().any(|duty| duty.invigilator == "b.meyer"));
    let path = folder.path().join("session.gridwright");
    let open = harness.state_mut().document_mut::<TimetablingViews>().unwrap();
    open.set_project_file(path.clone());
    (open.saving(true).unwrap().write)(&Store::at(folder.path())).unwrap();
    let mut again = crate::support::person::open(Services::default(), folder.path(), Some(&path.display().to_string()));
    settle(&mut again);
    assert_eq!(state(&again), before);
    for _ in steps {
        harness.state_mut().document_mut::<TimetablingViews>().unwrap().undo().unwrap();
        settle(&mut harness);
        assert_eq!(state(&harness), before);
    }
    assert_eq!(document(&harness).instance.exams[0].code, "A1");
}

fn rename(harness: &mut Window, table: &str, former: &str, present: &str) {
    let open = harness.state_mut().document_mut::<TimetablingViews>().unwrap();
    let (tables, specs) = (open.tables(), open.table_specs());
    let at = specs.iter().position(|spec| spec.id == table).unwrap();
    let column = specs[at].name_column().unwrap();
    let row = tables.tables[at].rows.iter().position(|row| row.cell(column) == former).unwrap();
    open.change_data(edits::set_cell(&tables, specs, at, row, column, present).unwrap(), None).unwrap();
    assert_eq!(open.data_issues().len(), 0, "{table}");
    settle(harness);
}

/// Index of the person of a duty.
fn person_of(instance: &Instance, duty: &Duty) -> usize {
    instance.resources.invigilators.iter().position(|person| person.code == duty.invigilator).unwrap()
}

/// Post of a duty with the number of its room instead of the code.
fn place(instance: &Instance, duty: &Duty) -> Post {
    match &duty.post {
        Post::Room(code) => {
            Post::Room(instance.resources.rooms.iter().position(|room| room.code == *code).unwrap().to_string())
        }
        other => other.clone(),
    }
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
