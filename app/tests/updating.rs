//! Updates of an open project from fresh files, as a person carries them out.

use std::path::{Path, PathBuf};

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use gridwright_core::store::Store;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_window::document::ProblemView as _;
use gridwright_window::services::Services;

use crate::support::person::{self, Dropped, Window, document, enter, press, press_like, shows, wait};
use crate::support::{self, Documents as _};

fn drop_files(harness: &mut Window, files: &[PathBuf]) {
    for file in files {
        harness.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(file.clone())));
    }
    harness.step();
    wait(harness, "the question", |harness| shows(harness, "Update or open?"));
    press(harness, "Update this project");
}

fn file(folder: &Path, name: &str, content: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// Shows how an export that lacks most enrolments differs from what is open.
pub fn show_differences(harness: &mut Window, folder: &Path) {
    let fresh = file(folder, "enrolments.csv", "student,exam\n1,A1\n2,B2\n6,F6\n");
    drop_files(harness, &[fresh]);
    wait(harness, "the differences", |harness| shows(harness, "lines ticked"));
}

/// A session with a run.
pub fn planned(home: &Path) -> Window {
    let chain = support::chain(4);
    let timetable = support::constructed(&chain);
    person::window(support::planned(chain, timetable, home))
}

/// A session with a run and a pinned exam, E5.
fn pinned(home: &Path) -> Window {
    let mut harness = planned(home);
    harness.state_mut().document_mut::<TimetablingViews>().unwrap().go_to(4);
    harness.run_steps(3);
    press_like(&mut harness, "Pin to period");
    assert_eq!(document(&harness).instance.rules.pins.len(), 1);
    harness
}

#[test]
fn a_fresh_export_updates_the_open_project_as_one_edit() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = pinned(home.path());
    let before = document(&harness).tables();
    // In another order, without E5, with F6 and another title of A1.
    let mut enrolments: Vec<String> = before.tables[0]
        .rows
        .iter()
        .filter(|row| row.cell(1) != "E5")
        .map(|row| row.cells().collect::<Vec<_>>().join(","))
        .collect();
    enrolments.reverse();
    let enrolments = format!("student,exam\n6,F6\n{}\n", enrolments.join("\n"));
    let exams = "code,title\nF6,Course F6\nD4,Course D4\nC3,Course C3\nB2,Course B2\nA1,Course A1 and more\n";
    let files = [file(home.path(), "enrolments.csv", &enrolments), file(home.path(), "exams.csv", exams)];
    drop_files(&mut harness, &files);
    wait(&mut harness, "the differences", |harness| shows(harness, "5 of 5 lines ticked"));
    for words in ["Enrolments: 1 added, 1 removed", "Exams: 1 added, 1 removed, 1 changed"] {
        assert!(shows(&harness, words), "{words}");
    }
    enter(&mut harness, "Filter of the differences", "and more");
    harness.run_steps(3);
    assert!(shows(&harness, "1 of 5") && !shows(&harness, "Tick Exams: added F6"));
    enter(&mut harness, "Filter of the differences", "");
    harness.run_steps(3);

    // A line that another one needs.
    press(&mut harness, "Tick Exams: added F6: Course F6");
    wait(&mut harness, "the contradiction", |harness| {
        shows(harness, "The exam «F6» is not ticked, but the enrolment «6 · F6»")
    });
    press(&mut harness, "Tick what belongs together");
    wait(&mut harness, "all lines", |harness| shows(harness, "5 of 5 lines ticked"));

    // The rule about the exam that goes is named before.
    take_over(&mut harness);
    wait(&mut harness, "what is lost", |harness| shows(harness, "1 rule about exams or periods that are gone: «E5»"));
    assert_eq!(document(&harness).tables().tables, before.tables, "nothing is taken over without a question");
    press(&mut harness, "Take over without these");
    wait(&mut harness, "the new data", |harness| document(harness).instance.exams.iter().any(|exam| exam.code == "F6"));
    let titles: Vec<&str> = document(&harness).instance.exams.iter().map(|exam| exam.title.as_str()).collect();
    assert!(titles.contains(&"Course A1 and more") && titles.len() == 5, "{titles:?}");
    assert_eq!(document(&harness).undo_names().0, Some("update from files"));
    assert_eq!((document(&harness).runs.iter().count(), document(&harness).instance.rules.pins.len()), (1, 0));
    assert!(document(&harness).runs.iter().all(|run| run.earlier.is_some()), "the run is marked");

    let after = document(&harness).tables();
    let open = harness.state_mut().document_mut::<TimetablingViews>().unwrap();
    open.undo().unwrap();
    let undone = open.tables();
    assert_eq!((&undone.tables, &undone.hash, &undone.rest), (&before.tables, &before.hash, &before.rest));
    assert_eq!(open.instance.rules.pins.len(), 1);
    open.redo().unwrap();
    assert_eq!(open.tables().tables, after.tables);

    harness.run_steps(3);
    drop_files(&mut harness, &files);
    let same = "The files hold the same data as this project.";
    wait(&mut harness, "the comparison", |harness| shows(harness, same));
    press(&mut harness, "Cancel");
    assert_eq!(document(&harness).tables().tables, after.tables);
}

/// Takes over the ticked differences as soon as it is known whether they fit together.
fn take_over(harness: &mut Window) {
    wait(harness, "the check", |harness| !harness.get_by_label("Take over").accesskit_node().is_disabled());
    press(harness, "Take over");
}

#[test]
fn headings_that_a_person_has_named_need_no_second_question() {
    let home = tempfile::tempdir().unwrap();
    let choose = |harness: &mut Window, field: &str, entry: &str| {
        press(harness, field);
        press(harness, entry);
    };
    let source = file(home.path(), "summer.csv", "who;mark;what\ns1;1;MAT\ns1;2;PHY\ns2;1;PHY\n");
    let services = Services { dialogs: false, ..Services::default() };
    let app = support::app(services, Store::at(home.path().join("home")), Some(source.display().to_string()));
    let mut harness = person::sized(app, [1440.0, 900.0], 1.0);
    wait(&mut harness, "the count", |harness| shows(harness, "say which column holds “Student”"));
    press(&mut harness, "2 Columns");
    choose(&mut harness, "Column for Student", "who");
    choose(&mut harness, "Column for Exam", "what");
    wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
    press(&mut harness, "Take over");
    wait(&mut harness, "the instance", |harness| harness.state().session().is_some());
    harness.run_steps(3);

    let fresh = file(home.path(), "autumn.csv", "what;who;mark\nPHY;S2;1\nMAT;s1;1\nPHY;s1;2\nCHE;s1;2\n");
    drop_files(&mut harness, &[fresh]);
    wait(&mut harness, "the differences", |harness| shows(harness, "Enrolments: 1 added"));
    assert!(shows(&harness, "Exams: 1 added"), "an exam follows from its enrolments");
    press(&mut harness, "Cancel");

    // Names of columns need no question, whatever the headings were before.
    let named = file(home.path(), "spring.csv", "student,exam\ns1,MAT\ns1,PHY\ns2,PHY\ns9,PHY\n");
    drop_files(&mut harness, &[named]);
    wait(&mut harness, "the differences", |harness| shows(harness, "Enrolments: 1 added"));
    press(&mut harness, "Cancel");

    let other = file(home.path(), "winter.csv", "wer;was\ns1;MAT\ns1;PHY\n");
    drop_files(&mut harness, &[other]);
    wait(&mut harness, "the import", |harness| shows(harness, "has other columns than the files of before"));
    press(&mut harness, "2 Columns");
    choose(&mut harness, "Column for Student", "wer");
    choose(&mut harness, "Column for Exam", "was");
    wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
    press(&mut harness, "List differences");
    wait(&mut harness, "the differences", |harness| shows(harness, "Enrolments: 1 removed"));
    take_over(&mut harness);
    wait(&mut harness, "the new data", |harness| document(harness).tables().tables[0].rows.len() == 2);
    assert_eq!(document(&harness).undo_names().0, Some("update from files"));
}
