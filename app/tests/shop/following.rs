//! Jobs that follow one which is dragged, or was moved.

use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use gridwright_flowshop::run::holding::{Held, Rearranged, rearranged};
use gridwright_flowshop_views::methods::*;

use super::{order, shop, solved};
use crate::support::person::{Window, at_home, key, keys, let_go, names, press, settle, shows, wait};

/// A move of one job that others follow: the positions from and to, and the order in which they do.
fn followed(window: &Window) -> ([usize; 2], Rearranged) {
    let (document, order) = (shop(window), order(window));
    let places = (0..order.len()).flat_map(|from| (0..order.len()).map(move |to| [from, to]));
    let answer = |[from, to]: [usize; 2]| {
        let held = Held { job: order[from].into(), position: to };
        rearranged(&document.instance, &order, document.objective(), held, 1, &|| false)
    };
    let mut answers = places.filter_map(|place| Some((place, answer(place)?)));
    answers.find(|(_, found)| !found.moved.is_empty()).expect("some jobs follow another one")
}

/// Drags a job over another position; returns where the pointer is.
fn hold(window: &mut Window, [from, to]: [usize; 2]) -> Pos2 {
    let chip = |position: usize| {
        let name = names(window, &format!("Position {}: ", position + 1)).remove(0);
        window.get_by_label(&name).rect()
    };
    let (start, there) = (chip(from).center(), chip(to));
    let end = if to > from { there.right_center() - vec2(3.0, 0.0) } else { there.left_center() + vec2(3.0, 0.0) };
    window.hover_at(start);
    window.run_steps(2);
    window.drag_at(start);
    window.run_steps(2);
    for share in [0.5, 1.0] {
        window.hover_at(start + (end - start) * share);
        window.run_steps(2);
    }
    end
}

/// The hint beside the pointer tells what others would do; Shift takes them along as one change, Escape leaves everything.
#[test]
fn a_drop_with_shift_takes_others_along_as_one_change() {
    let mut window = at_home(|home| solved(home.path()));
    let before = order(&window);
    let (place, found) = followed(&window);
    let words = found.words(&shop(&window).instance, shop(&window).objective());
    let at = hold(&mut window, place);
    wait(&mut window, "the others", |window| shows(window, &format!("With Shift, {words}")));
    assert_eq!((order(&window), shop(&window).draft()), (before.clone(), None), "nothing is done before the drop");
    let_go(&mut window, at, Modifiers::SHIFT);
    assert_eq!(order(&window), found.order);
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!((order(&window), shop(&window).draft()), (before.clone(), None));
    keys(&mut window, Modifiers::COMMAND, Key::Y);
    assert_eq!(order(&window), found.order);
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    let at = hold(&mut window, place);
    key(&mut window, Key::Escape);
    let_go(&mut window, at, Modifiers::SHIFT);
    settle(&mut window);
    assert_eq!(order(&window), before);
}

/// A plain drop moves one job; the inspector then offers what others would do, as a change of its own.
#[test]
fn after_a_plain_drop_others_may_still_follow() {
    let mut window = at_home(|home| solved(home.path()));
    let before = order(&window);
    let (place, found) = followed(&window);
    let alone = shop(&window).instance.rules.moved(&before, place);
    let at = hold(&mut window, place);
    let_go(&mut window, at, Modifiers::NONE);
    assert_eq!(order(&window), alone);
    wait(&mut window, "the offer", |window| shows(window, "If they follow, "));
    press(&mut window, "Let others follow");
    assert_eq!(order(&window), found.order);
    assert!(!shows(&window, "If they follow, "));
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(order(&window), alone);
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!((order(&window), shop(&window).draft()), (before, None));
}
