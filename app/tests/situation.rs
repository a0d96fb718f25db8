//! Commands that are possible in each situation of the window, and their keys.

use egui::{Key, Modifiers};
use gridwright_core::problem::Overrides;
use gridwright_core::store::{State, Store};
use gridwright_window::document::ProblemView;
use gridwright_window::registry;
use gridwright_window::window::Situation;
use gridwright_window::window::command::{Command, Group};
use gridwright_window::window::keys::by_keys;
use gridwright_window::window::situation::{NO_INSTANCE, OTHER_PROBLEM};

use crate::support;

/// The first sample of every problem.
fn documents() -> Vec<Box<dyn ProblemView>> {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    registry::problems().map(|problem| support::opened(problem.samples[0].0, &store)).collect()
}

fn now<'a>(open: Option<&'a dyn ProblemView>, state: &'a State) -> Situation<'a> {
    Situation {
        open,
        state,
        hidden: &[],
        marked: &[],
        picking: false,
        lessons: &[],
        is_guided: false,
        studies: true,
        is_presenting: false,
        campaigns: None,
    }
}

#[test]
fn no_two_commands_have_the_same_keys() {
    let state = State::default();
    for document in documents() {
        let mut seen = Vec::new();
        for (keys, command) in by_keys(&now(Some(&*document), &state)) {
            assert!(!seen.contains(&keys), "{}: {command:?}", document.problem().id());
            seen.push(keys);
        }
    }
}

#[test]
fn every_format_that_a_command_writes_is_offered() {
    for document in documents() {
        let open = document.problem().descriptor().open;
        let mut written = open(document.source(), &Overrides::default()).unwrap().export_endings();
        let mut offered: Vec<&str> = document.formats().iter().map(|format| format.ending).collect();
        written.sort_unstable();
        offered.sort_unstable();
        assert_eq!(offered, written, "{}", document.problem().id());
    }
}

#[test]
fn the_table_is_complete() {
    let state = State::default();
    for document in documents() {
        let all = now(Some(&*document), &state).commands();
        for command in &all {
            let entry = command.entry();
            assert!(!entry.text.is_empty() && !entry.help.is_empty(), "{command:?}");
            assert!(!entry.text.ends_with('.') && !entry.help.ends_with('.'), "{command:?}: labels have no full stop");
            assert_eq!(all.iter().filter(|other| *other == command).count(), 1, "{command:?} is offered twice");
        }
        let groups: Vec<Group> = all.iter().map(|command| command.entry().group).collect();
        assert!(groups.is_sorted(), "the commands of a menu stand together: {groups:?}");
    }
}

#[test]
fn keys_with_more_modifiers_come_first() {
    let state = State::default();
    let keys = by_keys(&now(None, &state));
    let place = |wanted: Modifiers| keys.iter().position(|(k, _)| k.logical_key == Key::P && k.modifiers == wanted);
    assert!(place(Modifiers::COMMAND.plus(Modifiers::SHIFT)) < place(Modifiers::COMMAND));
}

#[test]
fn without_an_instance_the_reason_is_told() {
    let state = State::default();
    let now = now(None, &state);
    assert_eq!(now.possible(&Command::Solve), Err(NO_INSTANCE));
    assert_eq!(now.possible(&Command::Export(0)), Err(NO_INSTANCE));
    assert_eq!(now.possible(&Command::Open), Ok(()));
    assert_eq!(Situation { picking: true, ..now }.possible(&Command::Open), Err("A file dialog is open"));
}

#[test]
fn a_command_of_another_problem_is_refused() {
    let state = State::default();
    let documents = documents();
    for document in &documents {
        for other in documents.iter().filter(|other| other.problem().id() != document.problem().id()) {
            for command in other.commands() {
                let refused = now(Some(&**document), &state).possible(&Command::Problem(*command));
                assert_eq!(refused, Err(OTHER_PROBLEM), "{command:?}");
            }
        }
    }
}

#[test]
fn files_of_every_problem_can_be_chosen() {
    gridwright::register();
    let all = gridwright_window::window::openable();
    for ending in ["stu", "exam", "txt", "csv", "xlsx", "xls", "ods", "json", "kp", "nrp", "gridwright", "ron", "sol"] {
        assert_eq!(all.iter().filter(|other| **other == ending).count(), 1, "{ending}");
    }
}
