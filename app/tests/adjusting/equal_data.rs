//! Runs and rules belong to the document that they were made in; other documents with equal data are offered them.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers};
use gridwright_core::project::Project;
use gridwright_core::store::Store;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::project::SessionDemands;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::editing::Edit;
use gridwright_timetabling_views::methods::*;

use super::undo;
use crate::support::person::{Window, document, enter, file, keys, press, settle, shows, wait};
use crate::support::{constructed, keep_run_of};

/// A session in a folder of its own, always with the same data.
fn session(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name).join("enrolments.csv");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines = ["1,A1", "1,B2", "2,B2", "2,C3", "3,C3", "3,D4", "4,D4", "4,E5"];
    std::fs::write(&path, format!("student,exam\n{}\n", lines.join("\n"))).unwrap();
    let periods: String = (1..=6).map(|day| format!("2026-06-{day:02},09:00,11:00\n")).collect();
    std::fs::write(path.with_file_name("periods.csv"), format!("date,start,end\n{periods}")).unwrap();
    path
}

fn opened(home: &Path, path: &Path) -> Window {
    file(home, path.to_str().unwrap())
}

fn pins(window: &Window) -> usize {
    document(window).rules().pins.len()
}

fn pin(window: &mut Window, exam: usize, period: usize) {
    let document = window.state_mut().document_mut::<TimetablingViews>().unwrap();
    document.apply(vec![Edit::Pin { exam, period: Some(period) }]).unwrap();
    window.run_steps(2);
}

/// Runs and pins in a project's file.
fn saved(path: &Path) -> (usize, usize) {
    let project = Project::load(path).unwrap();
    (project.runs.len(), SessionDemands::in_project(&project).unwrap().rules.pins.len())
}

fn save_as(window: &mut Window, path: &Path) {
    keys(window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    enter(window, "Path of the project", path.to_str().unwrap());
    press(window, "Save");
    wait(window, "the notice", |window| shows(window, "The project was saved"));
    settle(window);
}

fn close(mut window: Window) {
    window.state_mut().close();
    drop(window);
    gridwright_window::window::wait_for_saves();
}

/// A home in which a session of the first folder has a run and a pin.
fn worked_on(folder: &Path, home: &Path) -> PathBuf {
    let first = session(folder, "first");
    let instance = open(first.to_str().unwrap(), &LoadOptions::default()).unwrap();
    keep_run_of(&Store::at(home), first.to_str().unwrap(), &instance, constructed(&instance), 1);
    let mut window = opened(home, &first);
    pin(&mut window, 0, 3);
    settle(&mut window);
    assert_eq!((document(&window).runs.len(), pins(&window)), (1, 1));
    close(window);
    let window = opened(home, &first);
    assert_eq!((document(&window).runs.len(), pins(&window)), (1, 1), "it comes back");
    assert!(!shows(&window, "for equal data"));
    close(window);
    first
}

#[test]
fn a_copy_of_the_data_has_no_runs_and_rules_until_they_are_asked_for() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    worked_on(folder.path(), home.path());
    let second = session(folder.path(), "second");
    let mut window = opened(home.path(), &second);
    assert_eq!((document(&window).runs.len(), pins(&window)), (0, 0));
    assert!(shows(&window, "1 run, rules and edits for equal data in another file"));
    let project = folder.path().join("second.gridwright");
    save_as(&mut window, &project);
    assert_eq!(saved(&project), (0, 0), "nothing of the other file is mailed");
    close(window);

    let mut window = opened(home.path(), &second);
    press(&mut window, "Use them");
    settle(&mut window);
    assert_eq!((document(&window).runs.len(), pins(&window)), (1, 1));
    assert!(!shows(&window, "for equal data"), "it is not offered again");
    undo(&mut window);
    assert_eq!((document(&window).runs.len(), pins(&window)), (1, 0));
    close(window);
    let window = opened(home.path(), &second);
    assert_eq!((document(&window).runs.len(), pins(&window)), (1, 0), "the copies of the runs are its own");
}

#[test]
fn two_projects_of_equal_data_keep_their_own_runs_and_rules() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = worked_on(folder.path(), home.path());
    let [with_run, without] = ["one", "two"].map(|name| folder.path().join(name).with_extension("gridwright"));
    let mut window = opened(home.path(), &first);
    save_as(&mut window, &with_run);
    press(&mut window, "Solve");
    wait(&mut window, "the end", |window| !document(window).is_solving() && document(window).runs.len() == 2);
    settle(&mut window);
    close(window);
    assert_eq!(saved(&with_run), (2, 1));
    let mut window = opened(home.path(), &session(folder.path(), "second"));
    save_as(&mut window, &without);
    close(window);
    let mut window = opened(home.path(), &without);
    assert_eq!((document(&window).runs.len(), pins(&window)), (0, 0));
    pin(&mut window, 1, 1);
    settle(&mut window);
    close(window);
    assert_eq!((saved(&without), saved(&with_run)), ((0, 1), (2, 1)));
    let window = opened(home.path(), &with_run);
    assert_eq!((document(&window).runs.len(), pins(&window)), (2, 1));
    assert!(!shows(&window, "Newer changes from "), "the changes of the other project are its own");
}

#[test]
fn what_was_declined_is_not_offered_again() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    worked_on(folder.path(), home.path());
    let second = session(folder.path(), "second");
    for answer in ["Leave them there", "Close this message"] {
        let path = session(folder.path(), answer);
        let mut window = opened(home.path(), &path);
        press(&mut window, answer);
        settle(&mut window);
        assert!(!shows(&window, "for equal data"), "{answer}");
        close(window);
        let window = opened(home.path(), &path);
        assert!(!shows(&window, "for equal data"), "{answer}: asked once");
        assert_eq!((document(&window).runs.len(), pins(&window)), (0, 0));
        close(window);
    }
    // Another file with equal data is another question.
    assert!(shows(&opened(home.path(), &second), "for equal data"));
    // What has come since is another offer.
    let source = folder.path().join("first").join("enrolments.csv");
    let instance = open(source.to_str().unwrap(), &LoadOptions::default()).unwrap();
    keep_run_of(&Store::at(home.path()), source.to_str().unwrap(), &instance, constructed(&instance), 2);
    let window = opened(home.path(), &folder.path().join("Leave them there").join("enrolments.csv"));
    assert!(shows(&window, "2 runs, rules and edits for equal data"));
    close(window);
}
