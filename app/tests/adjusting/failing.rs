//! Saving where it fails: full disks, and files that another window has changed.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, ViewportEvent, ViewportId};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_core::files::fault::{Fault, Guard, arm};
use gridwright_core::project::Project;
use gridwright_timetabling::Timetable;
use gridwright_timetabling::project::SessionDemands;
use gridwright_timetabling_views::methods::*;
use gridwright_window::window::App;

use super::{PLAN, find, instance, select, six, undo};
use crate::support::person::{document, enter, file, pin_to, press, shows, wait, window};
use crate::support::planned;

/// Lets every write below a folder fail as on a full disk.
fn full(folder: &Path) -> Guard {
    arm(Fault { folder: folder.to_path_buf(), call: 0, lasting: true, kind: ErrorKind::StorageFull })
}

fn save_as(harness: &mut Harness<'_, App>, path: &Path) {
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    harness.run_steps(3);
    enter(harness, "Path of the project", &path.display().to_string());
    press(harness, if path.exists() { "Replace" } else { "Save" });
}

/// Number of pins in a project file.
fn pins(path: &Path) -> usize {
    Project::load(path).map_or(0, |project| SessionDemands::in_project(&project).unwrap().rules.pins.len())
}

/// The window is asked to close; returns `true` if it refuses.
fn stays_open(harness: &mut Harness<'_, App>) -> bool {
    harness.input_mut().viewports.entry(ViewportId::ROOT).or_default().events.push(ViewportEvent::Close);
    harness.step();
    let commands = &harness.output().viewport_output[&ViewportId::ROOT].commands;
    let refuses = commands.contains(&egui::ViewportCommand::CancelClose);
    harness.run_steps(3);
    refuses
}

#[test]
fn a_project_is_saved_on_another_disk_than_the_full_one_of_the_program() {
    let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut harness = six(&home);
    select(&mut harness, "A1");
    let _full = full(home.path());
    let path = elsewhere.path().join("mine.gridwright");
    save_as(&mut harness, &path);
    wait(&mut harness, "the notice", |harness| shows(harness, "The project was saved"));
    press(&mut harness, "Pin to period 1");
    wait(&mut harness, "the change in the file", |_| pins(&path) == 1);
    assert!(!stays_open(&mut harness), "everything is in the person's file");
}

#[test]
fn a_window_with_work_that_cannot_be_saved_closes_only_when_told() {
    let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut harness = six(&home);
    select(&mut harness, "A1");
    let guard = full(home.path());
    press(&mut harness, "Pin to period 1");
    wait(&mut harness, "the message", |harness| shows(harness, "The project could not be saved"));
    assert!(shows(&harness, "the disk is full"));
    assert!(stays_open(&mut harness));
    assert!(shows(&harness, "Your work could not be saved"));
    // Another document does not take its place either.
    press(&mut harness, "Stay");
    assert!(!shows(&harness, "Your work could not be saved") && document(&harness).rules().pin_of(0) == Some(0));
    assert!(stays_open(&mut harness));
    press(&mut harness, "Save as…");
    let path = elsewhere.path().join("rescued.gridwright");
    enter(&mut harness, "Path of the project", &path.display().to_string());
    press(&mut harness, "Save");
    wait(&mut harness, "the file", |_| pins(&path) == 1);
    wait(&mut harness, "the end of the question", |harness| !shows(harness, "Your work could not be saved"));
    assert!(!stays_open(&mut harness));
    drop(guard);
    // Once there is room again, the program's own copy is written with the next change.
    undo(&mut harness);
    wait(&mut harness, "the change", |harness| !harness.state().has_changed());
    assert!(!stays_open(&mut harness));
}

#[test]
fn a_run_that_cannot_be_kept_among_the_others_is_kept_elsewhere() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = file(home.path(), "sample:school");
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.3);
    harness.run_steps(2);
    let guard = full(home.path());
    press(&mut harness, "Solve");
    wait(&mut harness, "the end", |harness| !document(harness).is_solving());
    harness.run_steps(3);
    drop(guard);
    let path = document(&harness).run(1).and_then(|run| run.path.clone()).unwrap();
    assert!(!path.starts_with(home.path()));
    let told = format!("The run was kept in {} instead", path.display());
    assert!(harness.state().notices().iter().any(|notice| notice.text.contains(&told)), "{told}");
    gridwright_core::registry::load_result(&path).unwrap();
    std::fs::remove_file(path).unwrap();
}

/// Two windows with one project; in the first one an exam was pinned, in the second one another.
fn contested(home: &Path) -> (Harness<'static, App>, PathBuf) {
    let path = home.join("ours.gridwright");
    let mut first = file(home, "sample:school");
    save_as(&mut first, &path);
    wait(&mut first, "the notice", |harness| shows(harness, "The project was saved"));
    let mut second = file(home, &path.display().to_string());
    find(&mut first, 0);
    pin_to(&mut first, 4);
    wait(&mut first, "the file", |_| pins(&path) == 1);
    find(&mut second, 1);
    pin_to(&mut second, 3);
    wait(&mut second, "the question", |harness| shows(harness, "has changed the project"));
    assert_eq!(pins(&path), 1, "the first window's pin is in the file");
    (second, path)
}

/// Exams that are pinned in a project file.
fn pinned(path: &Path) -> Vec<String> {
    let project = Project::load(path).unwrap();
    SessionDemands::in_project(&project).unwrap().rules.pins.into_iter().map(|(exam, _)| exam).collect()
}

#[test]
fn changes_of_another_window_are_not_overwritten_without_a_question() {
    let home = tempfile::tempdir().unwrap();
    let (mut second, path) = contested(home.path());
    let code = |window: &Harness<'_, App>, index: usize| document(window).instance.exams[index].code.clone();
    let (first_code, second_code) = (code(&second, 0), code(&second, 1));
    press(&mut second, "Overwrite it");
    wait(&mut second, "the file", |_| pinned(&path) == [second_code.clone()]);
    assert!(!shows(&second, "has changed the project"));

    let home = tempfile::tempdir().unwrap();
    let (mut second, path) = contested(home.path());
    press(&mut second, "Save as…");
    // The name of the contested file is one that is taken.
    assert!(shows(&second, "saving replaces it"));
    let other = home.path().join("mine.gridwright");
    enter(&mut second, "Path of the project", &other.display().to_string());
    press(&mut second, "Save");
    wait(&mut second, "the other file", |_| pins(&other) == 1);
    assert_eq!((pinned(&path), pinned(&other)), (vec![first_code.clone()], vec![second_code.clone()]));

    let home = tempfile::tempdir().unwrap();
    let (mut second, path) = contested(home.path());
    press(&mut second, "Open the file");
    wait(&mut second, "the question", |harness| shows(harness, "Newer changes from "));
    press(&mut second, "Use them");
    wait(&mut second, "the file", |_| pinned(&path) == [second_code.clone()]);
    undo(&mut second);
    wait(&mut second, "the other changes", |_| pinned(&path) == [first_code.clone()]);
}

/// A person pins an exam, saves over a project, unpins it, exports over a table, deletes the run and closes the window, while a
/// file operation fails. Returns the window's last messages.
fn work_through(app: App, elsewhere: &Path) -> Vec<String> {
    let mut harness = window(app);
    select(&mut harness, "A1");
    press(&mut harness, "Pin to period 1");
    save_as(&mut harness, &elsewhere.join("mine.gridwright"));
    gridwright_window::window::wait_for_saves();
    harness.run_steps(3);
    press(&mut harness, "Unpin from period 1");
    gridwright_window::window::wait_for_saves();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::E);
    harness.run_steps(3);
    press(&mut harness, "CSV table");
    enter(&mut harness, "Path of the export", &elsewhere.join("plan.csv").display().to_string());
    press(&mut harness, "Write file");
    const REFUSED: &str = "The file was not written";
    wait(&mut harness, "the export", |harness| {
        let is_told = harness.state().notices().iter().any(|notice| notice.text.contains("plan.csv"));
        is_told || shows(harness, REFUSED)
    });
    let refused = shows(&harness, REFUSED).then(|| REFUSED.to_owned());
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    press(&mut harness, "More about run 1");
    press(&mut harness, "Delete Delete");
    gridwright_window::window::wait_for_saves();
    harness.run_steps(3);
    harness.state_mut().close();
    harness.run_steps(1);
    let notices = harness.state().notices().iter().map(|notice| format!("{}: {}", notice.heading, notice.text));
    notices.chain(refused).collect()
}

/// Kinds of failure, whether they are below the program's own folder, and whether all later operations fail, too.
const FAILURES: [(ErrorKind, bool, bool); 8] = [
    (ErrorKind::StorageFull, false, false),
    (ErrorKind::StorageFull, false, true),
    (ErrorKind::StorageFull, true, false),
    (ErrorKind::StorageFull, true, true),
    (ErrorKind::PermissionDenied, false, false),
    (ErrorKind::NotFound, false, true),
    (ErrorKind::InvalidFilename, false, false),
    (ErrorKind::ReadOnlyFilesystem, true, true),
];

#[test]
fn every_failing_file_operation_of_the_window_is_told_and_loses_nothing() {
    let mut operations = 0;
    for (kind, below_home, lasting) in FAILURES {
        for call in 0.. {
            let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let (project, table) = (elsewhere.path().join("mine.gridwright"), elsewhere.path().join("plan.csv"));
            let instance_of_former = gridwright_core::result::InstanceReference {
                name: "former".to_owned(),
                source: "sample:school".to_owned(),
                hash: String::new(),
                options: Default::default(),
            };
            Project::of("timetabling", instance_of_former).save(&project).unwrap();
            std::fs::write(&table, "former").unwrap();
            let folder = if below_home { home.path() } else { elsewhere.path() }.to_path_buf();
            let app = planned(instance(None), Timetable::of(PLAN.to_vec()), home.path());
            let guard = arm(Fault { folder, call, lasting, kind });
            let messages = work_through(app, elsewhere.path());
            let is_done = guard.calls() <= call;
            drop(guard);
            if is_done {
                break;
            }
            operations += 1;
            let at =
                format!("{kind} of operation {call}, below the home {below_home}, lasting {lasting}: {messages:?}");
            let is_told = |words: &str| messages.iter().any(|text| text.contains(words));
            // The project is the former one or one of this session, and whole.
            let saved = Project::load(&project).unwrap_or_else(|error| panic!("{at}: {error}"));
            assert!(saved.instance.name != "former" || is_told("could not be saved"), "{at}");
            let written = std::fs::read_to_string(&table).unwrap();
            let is_whole = written.starts_with("code,") && written.lines().count() == 7;
            assert!(is_whole || written == "former" && is_told("not written"), "{at}");
            // The run of before is still there: in the trash, or where it was.
            let key = gridwright_core::store::document_key("six", "51x", "planned");
            let count = |folder: &str| {
                let files = std::fs::read_dir(home.path().join(folder).join(&key)).into_iter().flatten().flatten();
                files.filter(|file| file.path().extension().is_some_and(|ending| ending == "ron")).count()
            };
            let [runs, trash] = ["runs", "trash"].map(count);
            assert_eq!(runs + trash, 1, "{at}");
            assert_eq!(runs == 1, is_told("could not be deleted"), "{at}");
            assert!(call < 200, "there is no end");
        }
    }
    println!("{operations} operations failed");
    assert!(operations > 80, "only {operations} operations failed");
}
