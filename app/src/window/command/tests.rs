use super::keys::by_keys;
use super::possible::NO_INSTANCE;
use super::*;
use crate::store::State;

#[test]
fn no_two_commands_have_the_same_keys() {
    for problem in Problem::ALL {
        let mut seen = Vec::new();
        for (keys, command) in by_keys(problem) {
            assert!(!seen.contains(&keys), "{problem:?}: {command:?}");
            seen.push(keys);
        }
    }
}

#[test]
fn the_table_is_complete() {
    for all in Problem::ALL.map(Command::every) {
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
    let keys = by_keys(Problem::Timetabling);
    let place = |wanted: Modifiers| keys.iter().position(|(k, _)| k.logical_key == Key::P && k.modifiers == wanted);
    assert!(place(COMMAND.plus(Modifiers::SHIFT)) < place(COMMAND));
}

#[test]
fn without_an_instance_the_reason_is_told() {
    let state = State::default();
    let now = Situation { open: None, state: &state, marked: &[], picking: false };
    assert_eq!(Command::Solve.possible(&now), Err(NO_INSTANCE));
    assert_eq!(Command::Export(0).possible(&now), Err(NO_INSTANCE));
    assert_eq!(Command::Open.possible(&now), Ok(()));
    assert_eq!(Command::Open.possible(&Situation { picking: true, ..now }), Err("A file dialog is open"));
}
