//! Projects: saved, reopened, damaged; and what survives a program that dies.

use std::time::Duration;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use gridwright_core::project::Project;
use gridwright_timetabling::project::SessionDemands;
use gridwright_timetabling_views::state::{Shown, View};

use super::{find, idle, pin, place, select, six, with_selected};
use crate::support::person::{
    document, enter, file, key, keys, period, pin_to, press, press_like, settle, shows, wait,
};

#[test]
fn a_project_comes_back_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut harness = file(home.path(), "sample:school");
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.3);
    harness.run_steps(2);
    press(&mut harness, "Solve");
    wait(&mut harness, "the end", |harness| !document(harness).is_solving() && document(harness).runs.len() == 1);
    harness.run_steps(3);
    let code = document(&harness).instance.exams[0].code.clone();
    select(&mut harness, &code);
    press_like(&mut harness, "Pin to ");
    keys(&mut harness, Modifiers::ALT, Key::ArrowDown);
    if document(&harness).draft().is_none() {
        let second = format!("Move to {}: ", period(&harness, 2));
        press_like(&mut harness, &second);
        if shows(&harness, "Move anyway") {
            press(&mut harness, "Move anyway");
        }
    }
    assert!(document(&harness).draft().is_some());
    keys(&mut harness, Modifiers::COMMAND, Key::Num2);
    keys(&mut harness, Modifiers::COMMAND, Key::S);
    let path = folder.path().join("mine");
    enter(&mut harness, "Path of the project", &path.display().to_string());
    press(&mut harness, "Save");
    wait(&mut harness, "the notice", |harness| shows(harness, "The project was saved"));
    let path = path.with_extension("gridwright");
    assert!(path.is_file());
    let (work, runs) = (document(&harness).to_project(), document(&harness).runs.len());
    assert_eq!((runs, Project::load(&path).unwrap().runs.len()), (1, 1));
    // A run that ends later gets into the file without being asked for.
    press(&mut harness, "Solve");
    wait(&mut harness, "the end", |harness| !document(harness).is_solving() && document(harness).runs.len() == 2);
    wait(&mut harness, "the file", |_| Project::load(&path).is_ok_and(|project| project.runs.len() == 2));
    press(&mut harness, "Show");
    settle(&mut harness);
    harness.state_mut().close();
    drop(harness);

    let written = std::fs::read(&path).unwrap();
    let other = tempfile::tempdir().unwrap();
    let again = file(other.path(), &path.display().to_string());
    let document = document(&again);
    let mut now = document.to_project();
    now.instance = work.instance.clone();
    assert_eq!(now, work, "calendar, rules, draft and view");
    assert_eq!((document.runs.len(), document.shown, document.view), (2, Shown::Draft, View::Periods));
    assert_eq!(document.project_file(), Some(path.as_path()));
    drop(again);
    gridwright_window::window::wait_for_saves();
    assert_eq!(std::fs::read(&path).unwrap(), written, "opening it writes nothing into it");
    // The next start goes on with the project.
    let state = gridwright_core::store::Store::at(home.path()).load_state().unwrap();
    assert_eq!(state.recent.first().map(|recent| recent.source.as_str()), path.to_str());

    // A damaged project says why, and what is open stays.
    std::fs::write(&path, "(format: 1, program").unwrap();
    let whole = folder.path().join("whole.gridwright");
    std::fs::write(&whole, written).unwrap();
    let mut harness = file(home.path(), whole.to_str().unwrap());
    enter(&mut harness, "Path of a file to open", &path.display().to_string());
    harness.get_by_label("Path of a file to open").focus();
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    wait(&mut harness, "the message", |harness| shows(harness, "mine.gridwright could not be opened"));
    assert!(shows(&harness, "this is not a project of gridwright"));
    press(&mut harness, "Back");
    assert!(super::support::person::document(&harness).draft().is_some(), "what was open is as it was");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "(format: 1, program", "nothing was overwritten");
}

#[test]
fn an_existing_project_is_not_replaced_by_the_enter_key() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = six(&home);
    let path = home.path().join("there.gridwright");
    std::fs::write(&path, "someone's work").unwrap();
    keys(&mut harness, Modifiers::COMMAND, Key::S);
    enter(&mut harness, "Path of the project", &path.display().to_string());
    assert!(shows(&harness, "saving replaces it"));
    harness.get_by_label("Path of the project").focus();
    harness.run_steps(2);
    key(&mut harness, Key::Enter);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "someone's work");
    idle(&mut harness);
}

#[test]
fn edits_survive_a_program_that_dies() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = with_selected(&home, "A1");
    press(&mut harness, "Pin to period 1");
    press(&mut harness, "Period 8 (−1.0000)");
    settle(&mut harness);
    drop(harness);
    // The thread that writes goes on for a moment.
    let store = gridwright_core::store::Store::at(home.path());
    let key = gridwright_core::store::document_key("", "51x", "planned");
    let kept = || store.load_copy(&key, "51x", "planned").unwrap().map(|copy| copy.project);
    let kept = || kept().filter(|project| project.draft.is_some());
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while kept()
        .is_none_or(|project| SessionDemands::in_project(&project).unwrap().rules.pins != [("A1".to_owned(), 7)])
    {
        assert!(std::time::Instant::now() < deadline, "the edits were not kept");
        std::thread::sleep(Duration::from_millis(5));
    }
    let harness = six(&home);
    assert_eq!((place(&harness), pin(&harness), document(&harness).shown), (Some(8), Some(8), Shown::Draft));
}

/// A project in whose file a pin is missing that the program's own copy has, as a kill between the two leaves it.
fn left_behind(home: &tempfile::TempDir) -> std::path::PathBuf {
    let mut harness = file(home.path(), "sample:school");
    let path = home.path().join("mine.gridwright");
    keys(&mut harness, Modifiers::COMMAND, Key::S);
    enter(&mut harness, "Path of the project", &path.display().to_string());
    press(&mut harness, "Save");
    wait(&mut harness, "the notice", |harness| shows(harness, "The project was saved"));
    let before = std::fs::read(&path).unwrap();
    find(&mut harness, 0);
    pin_to(&mut harness, 4);
    wait(&mut harness, "both files", |_| pins(home, &path) == (1, 1));
    harness.state_mut().close();
    drop(harness);
    std::fs::write(&path, before).unwrap();
    path
}

/// The pins in the program's own copy and in the person's file.
fn pins(home: &tempfile::TempDir, path: &std::path::Path) -> (usize, usize) {
    let folder = std::fs::read_dir(home.path().join("projects")).unwrap();
    let own =
        folder.map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some_and(|e| e == "gridwright"));
    let pins =
        |path: &std::path::Path| SessionDemands::in_project(&Project::load(path).unwrap()).unwrap().rules.pins.len();
    (pins(&own.unwrap()), pins(path))
}

#[test]
fn changes_that_did_not_reach_the_file_are_offered_and_used() {
    let home = tempfile::tempdir().unwrap();
    let path = left_behind(&home);
    let mut harness = file(home.path(), &path.display().to_string());
    assert!(shows(&harness, "Newer changes from ") && shows(&harness, "mine.gridwright"));
    // Nothing is decided by a key, and nothing is written before it is.
    harness.key_press(Key::Escape);
    key(&mut harness, Key::F5);
    assert!(shows(&harness, "Newer changes from ") && !document(&harness).is_solving());
    assert_eq!(pin(&harness), None);
    harness.state_mut().close();
    assert_eq!(pins(&home, &path), (1, 0));
    press(&mut harness, "Use them");
    assert_eq!((pin(&harness), document(&harness).undo_names().0), (Some(4), Some("use the newer changes")));
    wait(&mut harness, "both files", |_| pins(&home, &path) == (1, 1));
    super::undo(&mut harness);
    assert_eq!(pin(&harness), None, "the file's state is one step back");
    wait(&mut harness, "both files", |_| pins(&home, &path) == (0, 0));
    harness.state_mut().close();
    drop(harness);
    let again = file(home.path(), &path.display().to_string());
    assert!(!shows(&again, "Newer changes from "), "both say the same");
}

#[test]
fn the_file_is_kept_where_the_person_wants_it() {
    let home = tempfile::tempdir().unwrap();
    let path = left_behind(&home);
    let mut harness = file(home.path(), &path.display().to_string());
    press(&mut harness, "Keep the file");
    assert!(pin(&harness).is_none() && !shows(&harness, "Newer changes from "));
    wait(&mut harness, "both files", |_| pins(&home, &path) == (0, 0));
}

#[test]
fn a_copy_of_a_file_is_as_old_as_what_it_says() {
    let home = tempfile::tempdir().unwrap();
    let path = left_behind(&home);
    let copied = path.with_file_name("copy.gridwright");
    std::fs::rename(&path, &copied).unwrap();
    std::fs::File::open(&copied).unwrap().set_modified(std::time::SystemTime::now()).unwrap();
    let harness = file(home.path(), &copied.display().to_string());
    assert!(shows(&harness, "Newer changes from "));
}
