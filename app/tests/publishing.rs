//! Publishing a timetable in the window: the version, what has changed since, undo, projects.

use egui::{Key, Modifiers};
use gridwright_core::project::Project;
use gridwright_timetabling::project::SessionDemands;
use gridwright_timetabling::publication::Publication;
use gridwright_timetabling_views::state::TimetablingViews;

use crate::rooms;
use crate::support::person::{Window, at_home, document, enter, file, keys, press, settle, shows, wait};

fn select(harness: &mut Window, exam: Option<usize>) {
    harness.state_mut().document_mut::<TimetablingViews>().unwrap().selected = exam;
}

#[test]
fn a_published_timetable_tells_what_has_changed_since() {
    let mut harness = at_home(rooms::open);
    assert!(!shows(&harness, "Published"));
    press(&mut harness, "Edit");
    press(&mut harness, "Publish this timetable");
    wait(&mut harness, "the changes", |harness| shows(harness, "Nothing has changed since."));
    assert!(shows(&harness, "version 1") && shows(&harness, "Version 1 is published"));
    let before = document(&harness).instance.published().cloned().unwrap();
    assert_eq!((before.version, before.exams.len(), before.students.len()), (1, 6, 5));
    // F6 of Eve, who has extra time, in the last period instead of the fourth.
    select(&mut harness, Some(5));
    harness.run_steps(3);
    for _ in 0..2 {
        keys(&mut harness, Modifiers::ALT, Key::ArrowRight);
        if shows(&harness, "Move anyway") {
            press(&mut harness, "Move anyway");
        }
    }
    select(&mut harness, None);
    wait(&mut harness, "the changes", |harness| shows(harness, "Changes concern"));
    assert!(
        shows(&harness, "F6: other time") && shows(&harness, "1 exam, 1 student"),
        "{:?}",
        document(&harness).draft()
    );
    assert!(shows(&harness, "Wed 2 Jun 2027 14:00") && shows(&harness, "Thu 3 Jun 2027 14:00"));
    // The next version follows, and each is one change.
    press(&mut harness, "Edit");
    press(&mut harness, "Publish this timetable");
    wait(&mut harness, "the changes", |harness| shows(harness, "Nothing has changed since."));
    assert_eq!(document(&harness).instance.published().unwrap().version, 2);
    // The first version opens as it was, and is a change of its own.
    let period = |harness: &Window| document(harness).picture().unwrap().timetable.period_of(5);
    assert_eq!(period(&harness), Some(5));
    press(&mut harness, "Version 1");
    wait(&mut harness, "the changes", |harness| shows(harness, "Changes concern"));
    assert_eq!(period(&harness), Some(3));
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    settle(&mut harness);
    assert_eq!(period(&harness), Some(5));
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    settle(&mut harness);
    assert_eq!(document(&harness).instance.published(), Some(&before));
    // A project keeps the version.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.gridwright");
    keys(&mut harness, Modifiers::COMMAND, Key::S);
    enter(&mut harness, "Path of the project", &path.display().to_string());
    press(&mut harness, "Save");
    wait(&mut harness, "the notice", |harness| shows(harness, "The project was saved"));
    let demands = SessionDemands::in_project(&Project::load(&path).unwrap()).unwrap();
    assert_eq!(demands.published, std::slice::from_ref(&before));
    let home = tempfile::tempdir().unwrap();
    let mut again = file(home.path(), &path.display().to_string());
    wait(&mut again, "the changes", |again| shows(again, "Changes concern"));
    assert_eq!(document(&again).instance.published(), Some(&before));
}

/// A version that another program has published in the file stays when changes of before are used beside it.
#[test]
fn using_older_changes_keeps_a_version_that_was_published_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let path = folder.path().join("mine.gridwright");
    let mut harness = file(&home, "sample:school");
    keys(&mut harness, Modifiers::COMMAND, Key::S);
    enter(&mut harness, "Path of the project", &path.display().to_string());
    press(&mut harness, "Save");
    wait(&mut harness, "the notice", |harness| shows(harness, "The project was saved"));
    // Another program publishes; meanwhile an exam is pinned here.
    let mut project = Project::load(&path).unwrap();
    let mut demands = SessionDemands::in_project(&project).unwrap();
    let instance = &document(&harness).instance;
    let timetable = crate::support::constructed(instance);
    demands.published.push(Publication::of(instance, &timetable, 1, chrono::Utc::now()));
    project.demands = Some(gridwright_core::result::Encoded::of(&demands));
    std::fs::write(&path, project.to_bytes(&path).unwrap()).unwrap();
    select(&mut harness, Some(0));
    settle(&mut harness);
    crate::support::person::pin_to(&mut harness, 4);
    wait(&mut harness, "the question", |harness| shows(harness, "Another window or program has changed the project"));
    press(&mut harness, "Open the file");
    wait(&mut harness, "the changes", |harness| shows(harness, "Newer changes from "));
    assert!(shows(&harness, "Another window or program has written the file since they began"));
    press(&mut harness, "Use them");
    settle(&mut harness);
    let session = &document(&harness).instance;
    assert_eq!(session.rules.pins.len(), 1, "the pin is used");
    assert_eq!(session.published().map(|version| version.version), Some(1), "the version stays");
}
