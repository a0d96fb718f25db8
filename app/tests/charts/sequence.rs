//! The order of jobs as chips.

use egui::{Key, Modifiers, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_flowshop_views::widgets::sequence::Moved;

use super::hands::Hands;
use super::support::{Order, canvas, taillard, workshop};

const SIZE: Vec2 = vec2(620.0, 130.0);

fn shop() -> Harness<'static, Order> {
    canvas(SIZE, false, Order::new(workshop()), Order::ui)
}

#[test]
fn chips_are_named_and_can_be_pressed() {
    let mut shop = shop();
    shop.click("Chair, position 3 of 8");
    assert_eq!(shop.state().selected, Some(2));
    shop.click_unseen("Toy box, position 8 of 8");
    assert_eq!(shop.state().selected, Some(7), "without a pointer, too");
}

#[test]
fn a_chip_is_carried_to_the_marker() {
    let carry = |job: &str, before: &str| {
        let mut shop = shop();
        let from = shop.get_by_label_contains(job).rect().center();
        let to = shop.get_by_label_contains(before).rect().left_center();
        shop.carry(from, to);
        (shop.state().moves.clone(), shop.state().names().join(", "))
    };
    let (moves, names) = carry("Chair, ", "Bookshelf, ");
    assert_eq!(moves, [Moved { from: 2, to: 0 }]);
    assert!(names.starts_with("Chair, Bookshelf, Desk, Bed frame"), "{names}");
    let (moves, names) = carry("Bookshelf, ", "Toy box, ");
    assert_eq!(moves, [Moved { from: 0, to: 6 }]);
    assert!(names.ends_with("Picture frame, Bookshelf, Toy box"), "{names}");
}

#[test]
fn escape_ends_a_drag_without_a_move() {
    let mut shop = shop();
    let (from, to) = ("Chair, position", "Wardrobe, position");
    let [from, to] = [from, to].map(|name| shop.get_by_label_contains(name).rect().center());
    shop.drag_at(from);
    shop.run_steps(2);
    shop.hover_at(to);
    shop.run_steps(2);
    shop.key_press(Key::Escape);
    shop.run_steps(2);
    shop.drop_at(to);
    shop.run_steps(2);
    assert!(shop.state().moves.is_empty());
}

#[test]
fn keys_select_and_with_alt_they_move() {
    let mut shop = shop();
    shop.focus("Sequence of 8 jobs");
    let press = |shop: &mut Harness<'_, Order>, modifiers: Modifiers, key: Key| {
        shop.key_press_modifiers(modifiers, key);
        shop.run();
        shop.state().selected
    };
    assert_eq!(press(&mut shop, Modifiers::NONE, Key::ArrowRight), Some(0));
    assert_eq!(press(&mut shop, Modifiers::NONE, Key::End), Some(7));
    assert_eq!(press(&mut shop, Modifiers::NONE, Key::Home), Some(0));
    assert_eq!(press(&mut shop, Modifiers::NONE, Key::ArrowRight), Some(1));
    assert_eq!(press(&mut shop, Modifiers::ALT, Key::ArrowRight), Some(2));
    assert_eq!(shop.state().names()[..3], ["Bookshelf", "Chair", "Desk"]);
    let value = shop.get_by_label("Sequence of 8 jobs").accesskit_node().value();
    assert_eq!(value.as_deref(), Some("Desk, position 3 of 8"));
    assert_eq!(press(&mut shop, Modifiers::ALT, Key::Home), Some(0));
    assert_eq!(shop.state().names()[0], "Desk");
    assert_eq!(press(&mut shop, Modifiers::ALT, Key::ArrowLeft), Some(0), "the first stays");
    let moves = [Moved { from: 1, to: 2 }, Moved { from: 2, to: 0 }];
    assert_eq!(shop.state().moves, moves);
}

#[test]
fn of_many_chips_only_those_in_sight_are_named() {
    let mut large = canvas(SIZE, false, Order::new(taillard("ta111")), Order::ui);
    let named = |large: &Harness<'_, Order>| large.query_all_by_label_contains(" of 500").count();
    assert!((8..80).contains(&named(&large)), "{}", named(&large));
    assert!(large.query_by_label_contains("position 500 of 500").is_none());
    large.focus("Sequence of 500 jobs");
    large.press(Key::End);
    large.get_by_label_contains("position 500 of 500");
    assert!((8..80).contains(&named(&large)));
}
