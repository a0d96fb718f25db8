//! Rules for the order in the window: pinned jobs, and jobs that are not before another one.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use gridwright_flowshop::Objective;
use gridwright_flowshop_views::methods::*;

use super::{drag, order, shop, solve, solved, value};
use crate::support::person::{at_home, enter, file, keys, press, press_like, settle, shows, wait};

#[test]
fn a_pinned_job_stays_where_it_is_until_its_pin_is_removed() {
    let mut window = at_home(|home| solved(home.path()));
    let before = order(&window);
    let name = |window: &super::Window, position: usize| {
        let job = usize::from(order(window)[position]);
        shop(window).instance.jobs[job].name.clone()
    };
    // The last job of the best order, in front of all others.
    let last = name(&window, 7);
    press_like(&mut window, "Position 8: ");
    for _ in 0..7 {
        press(&mut window, "Edit");
        press(&mut window, "Move one position earlier");
    }
    assert_eq!((name(&window, 0), shop(&window).selected_position()), (last.clone(), Some(0)));
    keys(&mut window, Modifiers::NONE, Key::P);
    assert!(shows(&window, &format!("«{last}» in position 1")), "the rule is listed");
    assert!(shows(&window, ", pinned to 1"));
    solve(&mut window);
    assert_eq!(name(&window, 0), last, "the search leaves it there");
    assert!(value(&window, Objective::Makespan) >= 132);
    // Another job passes the pinned one, and the pinned one is told where it would go.
    press_like(&mut window, "Position 2: ");
    press(&mut window, "Edit");
    press(&mut window, "Move one position earlier");
    assert_eq!(name(&window, 0), last, "no job takes its position");
    // The pinned one is not moved by hand, and that is told while it is carried and when it is let go.
    let place = |window: &super::Window, position: usize| {
        window.query_all_by_label_contains(&format!("Position {position}: ")).next().unwrap().rect().center()
    };
    let (from, to, now) = (place(&window, 1), place(&window, 3), order(&window));
    drag(&mut window, from, to + egui::vec2(40.0, 0.0));
    assert_eq!(order(&window), now, "the pinned job stays");
    assert!(shows(&window, "unpin it first, with P or in its menu"));
    press(&mut window, &format!("Remove the rule: «{last}» in position 1"));
    assert!(shop(&window).instance.rules.is_empty());
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(!shop(&window).instance.rules.is_empty(), "undo brings the rule back");
    assert_eq!(before.len(), 8);
}

#[test]
fn the_menu_of_a_job_keeps_it_behind_its_neighbour() {
    let home = tempfile::tempdir().unwrap();
    let mut window = solved(home.path());
    let names: Vec<String> =
        order(&window).iter().map(|&job| shop(&window).instance.jobs[usize::from(job)].name.clone()).collect();
    let place = |window: &super::Window, position: usize| {
        window.query_all_by_label_contains(&format!("Position {position}: ")).next().unwrap().rect().center()
    };
    let at = place(&window, 3);
    window.hover_at(at);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Secondary, Modifiers::NONE);
        window.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        window.run_steps(3);
    }
    assert!(shows(&window, "Pin to position 3"), "the job under the pointer is meant");
    press(&mut window, &format!("Not before {}", names[1]));
    let rule = format!("«{}» not before «{}»", names[2], names[1]);
    assert!(shows(&window, &rule));
    // Against the rule by hand: it is said while the job is carried, and of the order.
    let (from, to) = (place(&window, 3), place(&window, 1));
    drag(&mut window, from, to - egui::vec2(40.0, 0.0));
    assert!(shows(&window, &format!("job {} stands before {}, which a rule forbids", names[2], names[1])));
    press(&mut window, "Improve from here");
    wait(&mut window, "the end", |window| !shop(window).is_solving() && shop(window).runs.len() == 2);
    settle(&mut window);
    let found = order(&window);
    let position =
        |name: &str| found.iter().position(|&job| shop(&window).instance.jobs[usize::from(job)].name == name).unwrap();
    assert!(position(&names[1]) < position(&names[2]), "the search begins with an order that meets the rule");
    keys(&mut window, Modifiers::COMMAND, Key::S);
    let path = home.path().join("shop.gridwright");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    settle(&mut window);
    window.state_mut().close();
    drop(window);
    let other = tempfile::tempdir().unwrap();
    let window = file(other.path(), path.to_str().unwrap());
    assert!(shows(&window, &rule), "the project keeps the rule");
}
