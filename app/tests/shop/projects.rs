//! Flow shops as projects: saved, reopened, what survives a program that dies.

use egui::{Key, Modifiers};
use gridwright_core::data::Tables;
use gridwright_flowshop::{Instance, formats};
use gridwright_flowshop_views::View;
use gridwright_window::data_view::edits;
use gridwright_window::runs::{RunStatus, Shown};

use super::{keys, order, shop, shop_mut, solved};
use crate::support::person::{enter, file, press, press_like, settle, shows, wait};

#[test]
fn a_project_reopens_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press_like(&mut window, "Position 2: ");
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    keys(&mut window, Modifiers::COMMAND, Key::Num4);
    let (made, selected) = (order(&window), shop(&window).selected.map(|selection| selection.job));
    keys(&mut window, Modifiers::COMMAND, Key::S);
    assert!(shows(&window, "the order that is being edited, all runs"));
    let path = home.path().join("mine").join("shop");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    let path = path.with_extension("gridwright");
    assert!(path.is_file());
    // A change after that reaches the file by itself, and a run, too.
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let later = order(&window);
    assert_ne!(later, made);
    settle(&mut window);
    window.state_mut().close();
    drop(window);
    // Another computer: nothing but the file.
    let other = tempfile::tempdir().unwrap();
    let copy = other.path().join("shop.gridwright");
    std::fs::copy(&path, &copy).unwrap();
    let mut window = file(other.path(), copy.to_str().unwrap());
    assert_eq!((order(&window), shop(&window).shown), (later, Shown::Draft));
    assert_eq!((shop(&window).selected.map(|selection| selection.job), shop(&window).view), (selected, View::Lateness));
    assert_eq!((shop(&window).runs.len(), shop(&window).project_file()), (1, Some(copy.as_path())));
    assert_eq!(shop(&window).run(1).unwrap().value, 132, "and its runs were checked anew");
    press(&mut window, "Discard");
    assert_eq!((shop(&window).shown, shop(&window).draft()), (Shown::Run(1), None));
    settle(&mut window);
    window.state_mut().close();
    let project = gridwright_core::project::Project::load(&copy).unwrap();
    assert_eq!((project.draft, project.runs.len()), (None, 1), "what is given up is given up in the file");
}

#[test]
fn edits_survive_a_program_that_dies() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press_like(&mut window, "Position 1: ");
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let made = order(&window);
    settle(&mut window);
    gridwright_window::window::wait_for_saves();
    // It is not closed: it is no longer there.
    drop(window);
    let mut window = file(home.path(), "sample:workshop");
    assert_eq!((order(&window), shop(&window).shown), (made, Shown::Draft));
    assert!(shows(&window, "Edited from run 1: 1 job moved"));
    press(&mut window, "Discard");
    settle(&mut window);
    gridwright_window::window::wait_for_saves();
    drop(window);
    let window = file(home.path(), "sample:workshop");
    assert_eq!((shop(&window).shown, shop(&window).draft()), (Shown::Run(1), None), "and what was given up stays so");
}

#[test]
fn newer_changes_than_the_file_are_offered() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    press_like(&mut window, "Position 1: ");
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let old = order(&window);
    keys(&mut window, Modifiers::COMMAND, Key::S);
    let path = home.path().join("shop.gridwright");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    settle(&mut window);
    gridwright_window::window::wait_for_saves();
    let before = std::fs::read(&path).unwrap();
    press(&mut window, "Edit");
    press(&mut window, "Move one position later");
    let new = order(&window);
    settle(&mut window);
    gridwright_window::window::wait_for_saves();
    drop(window);
    // The program died before it wrote the file, but after it wrote its own copy.
    std::fs::write(&path, before).unwrap();
    for take in [false, true] {
        let store = home.path().join("projects");
        let own = std::fs::read_dir(&store).unwrap().flatten().map(|entry| entry.path());
        // The copy of the project, not that of the sample that it was made from.
        let is_of_project = |path: &std::path::PathBuf| path.display().to_string().contains("project-");
        let own: Vec<_> = own.filter(is_of_project).collect();
        let kept = (std::fs::read(&own[0]).unwrap(), std::fs::read(&path).unwrap());
        let mut window = file(home.path(), path.to_str().unwrap());
        assert!(shows(&window, "Newer changes from "));
        assert_eq!(order(&window), old, "until then it is as the file says");
        press(&mut window, if take { "Use them" } else { "Keep the file" });
        assert_eq!(order(&window), if take { new.clone() } else { old.clone() });
        if take {
            keys(&mut window, Modifiers::COMMAND, Key::Z);
            assert_eq!(order(&window), old, "using them is taken back");
        }
        settle(&mut window);
        gridwright_window::window::wait_for_saves();
        drop(window);
        std::fs::write(&own[0], kept.0).unwrap();
        std::fs::write(&path, kept.1).unwrap();
    }
}

/// Saves a project of two jobs and two machines, in whose table a value is changed; returns its path.
fn edited_project(home: &std::path::Path, data: &std::path::Path) -> std::path::PathBuf {
    std::fs::write(data, "job,Saw,Mill\nDesk,4,2\nChair,1,3\n").unwrap();
    let mut window = file(home, data.to_str().unwrap());
    let tables = shop(&window).tables();
    let last = tables.tables[0].width(&Instance::TABLES[0]) - 1;
    let edit = edits::set_cell(&tables, Instance::TABLES, 0, 1, last, "9").unwrap();
    shop_mut(&mut window).change_data(edit, None).unwrap();
    assert_eq!(shop(&window).instance.times, [4, 2, 1, 9]);
    keys(&mut window, Modifiers::COMMAND, Key::S);
    let path = home.join("plain.gridwright");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    gridwright_window::window::wait_for_saves();
    path
}

#[test]
fn a_project_opens_elsewhere_without_the_files_of_its_data() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("plain.csv");
    let path = edited_project(home.path(), &data);
    let other = tempfile::tempdir().unwrap();
    let copy = other.path().join("copy.gridwright");
    std::fs::rename(&path, &copy).unwrap();
    std::fs::remove_file(&data).unwrap();
    let mut window = file(other.path(), copy.to_str().unwrap());
    assert_eq!(shop(&window).instance.times, [4, 2, 1, 9]);
    assert_eq!(shop(&window).data_changes(), [] as [String; 0]);
    press(&mut window, "Solve");
    wait(&mut window, "a run", |window| !shop(window).runs.is_empty() && !shop(window).is_solving());
    // The command line opens the same file.
    let opened = formats::open(copy.to_str().unwrap(), &formats::LoadOptions::default()).unwrap();
    assert_eq!(opened.times, [4, 2, 1, 9]);
}

#[test]
fn a_changed_file_keeps_its_runs_and_says_what_changed() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("plain.csv");
    std::fs::write(&data, "job,Saw,Mill\nDesk,4,2\nChair,1,3\nShelf,2,2\n").unwrap();
    let mut window = file(home.path(), data.to_str().unwrap());
    press(&mut window, "Solve");
    wait(&mut window, "a run", |window| !shop(window).runs.is_empty() && !shop(window).is_solving());
    settle(&mut window);
    window.state_mut().close();
    gridwright_window::window::wait_for_saves();
    drop(window);
    std::fs::write(&data, "job,Saw,Mill\nDesk,4,2\nChair,1,7\nLamp,1,1\n").unwrap();
    let window = file(home.path(), data.to_str().unwrap());
    assert!(shows(&window, "The file has changed since you worked with it"));
    assert!(shows(&window, "1 job more: «Lamp», 1 job fewer: «Shelf», 1 job changed: «Chair»"));
    let run = shop(&window).run(1).unwrap();
    assert_eq!(run.earlier.as_deref(), Some("1 new job at the end; 1 job left out"));
    assert_eq!(run.status, RunStatus::Valid, "the carried order is a plan of the present data");
    assert_eq!((run.order.0.len(), run.order.0.last()), (3, Some(&2)));
    assert!(!run.is_proven());
}
