//! Exams that make room for one that is dragged, or moved in another way, to where they are.

use egui::{Key, Modifiers};

use super::{cell, idle, place, redo, undo, undo_name, with_selected};
use crate::support::person::{Window, at_home, document, key, keys, press, press_like, settle, shows, wait};

/// Drags A1 over the place of B2 and waits until the window says what B2 would do.
fn hold(harness: &mut Window) -> egui::Pos2 {
    let (from, to) = (cell(harness, "A1").center(), cell(harness, "B2").center());
    harness.hover_at(from);
    harness.run_steps(2);
    harness.drag_at(from);
    harness.run_steps(2);
    harness.hover_at(from + (to - from) * 0.5);
    harness.run_steps(2);
    harness.hover_at(to);
    harness.run_steps(2);
    wait(harness, "room", |harness| shows(harness, "Dropped here, 1 other exam moves: B2 to period "));
    to
}

/// Returns `true` if the timetable that is shown has no clash.
fn is_whole(harness: &Window) -> bool {
    document(harness).picture().unwrap().cost.clashes == 0
}

#[test]
fn a_drop_onto_others_takes_their_moves_along_as_one_change() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    for view in [Key::Num1, Key::Num2] {
        keys(&mut harness, Modifiers::COMMAND, view);
        let to = hold(&mut harness);
        assert_eq!((place(&harness), document(&harness).draft()), (Some(1), None), "nothing is done before the drop");
        harness.drop_at(to);
        harness.run_steps(3);
        assert_eq!((place(&harness), is_whole(&harness)), (Some(3), true));
        assert_eq!(undo_name(&harness), "make room for A1 in period 3");
        assert!(shows(&harness, "Edited from Run 1: 2 exams moved") && shows(&harness, "A1 is in period 3 now"));
        undo(&mut harness);
        assert_eq!(place(&harness), Some(1));
        redo(&mut harness);
        assert_eq!((place(&harness), is_whole(&harness)), (Some(3), true));
        undo(&mut harness);
        // Escape leaves everything as it was.
        let to = hold(&mut harness);
        key(&mut harness, Key::Escape);
        harness.drop_at(to);
        settle(&mut harness);
        assert_eq!(place(&harness), Some(1));
    }
}

#[test]
fn the_question_about_a_clash_offers_to_make_room() {
    let mut harness = at_home(|home| with_selected(home, "A1"));
    press_like(&mut harness, "Move to period 3: ");
    wait(&mut harness, "room", |harness| shows(harness, "1 other exam moves: B2 to period "));
    idle(&mut harness);
    press(&mut harness, "Make room");
    assert_eq!((place(&harness), is_whole(&harness)), (Some(3), true));
    assert!(!shows(&harness, "Move A1 to period 3?"));
}
