//! Departments that follow one which is dragged, or was moved.

use egui::{Key, Modifiers, Pos2};
use gridwright_facility::Layout;
use gridwright_facility::run::holding::{Held, Rearranged, rearranged};

use super::{document, layout, place, searched};
use crate::support::person::{Window, at_home, key, keys, let_go, press, settle, shows, wait};

/// Two departments that change places, which others follow: their names, the layout with these alone, and the one in which others follow.
fn followed(window: &Window) -> ([String; 2], Layout, Rearranged) {
    let (instance, before) = (&document(window).instance, layout(window));
    let count = instance.len() as u16;
    let answer = |[one, other]: [u16; 2]| {
        let exchange = |at: u16| match at {
            at if at == one => other,
            at if at == other => one,
            at => at,
        };
        let bays = before.bays.iter().map(|bay| bay.iter().copied().map(exchange).collect()).collect();
        let dropped = Layout { bays, ..before.clone() };
        let held = Held { department: one, dropped: dropped.clone() };
        Some((dropped, rearranged(instance, &before, &held, 1, &|| false)?))
    };
    let pairs =
        (0..count).flat_map(|one| (0..count).map(move |other| [one, other])).filter(|[one, other]| one != other);
    let mut answers = pairs.filter_map(|pair| Some((pair, answer(pair)?)));
    // More than the two that change places.
    let (pair, (dropped, found)) = answers.find(|(_, (_, found))| found.moved.len() > 1).expect("some follow");
    (pair.map(|one| instance.departments[usize::from(one)].name.clone()), dropped, found)
}

/// Drags a department over another one; returns where the pointer is.
fn hold(window: &mut Window, names: &[String; 2]) -> Pos2 {
    let [from, to] = [0, 1].map(|at| place(window, &names[at]).center());
    window.hover_at(from);
    window.run_steps(2);
    window.drag_at(from);
    window.run_steps(2);
    for share in [0.2, 0.6, 1.0] {
        window.hover_at(from + (to - from) * share);
        window.run_steps(2);
    }
    to
}

/// Shift takes others along as one change, Escape leaves everything.
#[test]
fn a_drop_with_shift_takes_others_along_as_one_change() {
    let mut window = at_home(|home| searched(home.path()));
    let before = layout(&window);
    let (names, _, found) = followed(&window);
    let at = hold(&mut window, &names);
    assert_eq!((layout(&window), document(&window).draft()), (before.clone(), None), "nothing is done before the drop");
    let_go(&mut window, at, Modifiers::SHIFT);
    assert_eq!(layout(&window), found.layout);
    assert!(shows(&window, &format!("{} lies elsewhere now", names[0])));
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!((layout(&window), document(&window).draft()), (before.clone(), None));
    keys(&mut window, Modifiers::COMMAND, Key::Y);
    assert_eq!(layout(&window), found.layout);
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    let at = hold(&mut window, &names);
    key(&mut window, Key::Escape);
    let_go(&mut window, at, Modifiers::SHIFT);
    settle(&mut window);
    assert_eq!(layout(&window), before);
}

/// A plain drop moves one department; the inspector then offers what others would do, as a change of its own.
#[test]
fn after_a_plain_drop_others_may_still_follow() {
    let mut window = at_home(|home| searched(home.path()));
    let before = layout(&window);
    let (names, alone, found) = followed(&window);
    let at = hold(&mut window, &names);
    let_go(&mut window, at, Modifiers::NONE);
    assert_eq!(layout(&window), alone);
    wait(&mut window, "the offer", |window| shows(window, "If they follow, "));
    press(&mut window, "Let others follow");
    assert_eq!(layout(&window), found.layout);
    assert!(!shows(&window, "If they follow, "));
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(layout(&window), alone);
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!((layout(&window), document(&window).draft()), (before, None));
}
