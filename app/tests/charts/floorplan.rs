//! Floor plans.

use egui::{Event, Key, Modifiers, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_facility_views::widgets::floorplan::{Moved, Side, Target};

use super::hands::Hands;
use super::support::{Floor, canvas};

fn workshop(upright: bool) -> Harness<'static, Floor> {
    canvas(vec2(760.0, 620.0), false, Floor::workshop(upright), Floor::ui)
}

fn place(floor: &Harness<'_, Floor>, name: &str) -> Rect {
    floor.get_by_label_contains(&format!("{name}, area")).rect()
}

#[test]
fn every_department_has_a_name_that_says_all_of_it() {
    let mut floor = workshop(true);
    floor.get_by_label(
        "Floor plan: 12 departments in 4 vertical bays, 45 × 45, 1 department of a shape that is not allowed",
    );
    let names = ["Milling, area", "not allowed: 1 : 4.4, at most 4"];
    assert!(names.iter().all(|words| floor.query_all_by_label_contains(words).count() == 1));
    assert!(floor.query_all_by_label_contains("locked to its place").count() == 1);
    assert!(floor.query_all_by_label_contains("free floor, bay 4, place 3 of 3").count() == 1);
    floor.click("Welding, area");
    assert_eq!(floor.state().selected, Some(5));
    floor.click_unseen("Sawing, area");
    assert_eq!(floor.state().selected, Some(2), "without a pointer, too");
}

#[test]
fn lengths_are_the_same_along_both_axes() {
    for upright in [true, false] {
        let floor = workshop(upright);
        for room in &floor.state().picture.rooms {
            let rect = place(&floor, &room.name);
            let [across, down] =
                [f64::from(rect.width()) / room.region.width, f64::from(rect.height()) / room.region.height];
            assert!((across / down - 1.0).abs() < 0.05, "{}: {across} {down}", room.name);
        }
    }
}

#[test]
fn arrows_walk_and_with_alt_they_move() {
    let mut floor = workshop(true);
    floor.focus("Floor plan");
    let mut press = |modifiers, key| {
        floor.key_press_modifiers(modifiers, key);
        floor.run();
        floor.state().selected
    };
    assert_eq!(press(Modifiers::NONE, Key::ArrowDown), Some(0), "the first one");
    assert_eq!(press(Modifiers::NONE, Key::ArrowDown), Some(1));
    assert_eq!(press(Modifiers::NONE, Key::End), Some(11));
    assert_eq!(press(Modifiers::NONE, Key::ArrowUp), Some(10));
    assert_eq!(press(Modifiers::ALT, Key::ArrowLeft), Some(10), "it is the caller who moves it");
    assert_eq!(floor.state().nudges, [Side::Left]);
    let value = floor.get_by_label_contains("Floor plan").accesskit_node().value();
    assert!(value.is_some_and(|value| value.starts_with("Shipping, area")));
}

#[test]
fn departments_are_carried_to_another_place() {
    let mut floor = workshop(true);
    let [sawing, turning, welding] = ["Sawing", "Turning", "Welding"].map(|name| place(&floor, name));
    floor.carry(sawing.center(), turning.center_top() + vec2(0.0, 4.0));
    floor.carry(sawing.center(), welding.center());
    floor.carry(sawing.center(), turning.left_center() + vec2(2.0, 0.0));
    let to = |to| Moved { room: 2, to };
    let expected = [Target::Into { bay: 1, place: 0 }, Target::Swap(5), Target::NewBay(1)].map(to);
    assert_eq!(floor.state().moves, expected);
    floor.carry(sawing.center(), sawing.center() + vec2(12.0, 0.0));
    assert_eq!(floor.state().moves.len(), 3, "where it is already");
    // Escape while it is carried: not at all.
    floor.drag_at(sawing.center());
    floor.run_steps(2);
    floor.hover_at(welding.center());
    floor.run_steps(2);
    floor.key_press(Key::Escape);
    floor.run_steps(2);
    floor.drop_at(welding.center());
    floor.run();
    assert_eq!(floor.state().moves.len(), 3);
}

#[test]
fn the_wheel_zooms_around_the_pointer_and_buttons_fit() {
    let mut floor = workshop(false);
    let before = place(&floor, "Welding");
    floor.hover_at(before.center());
    floor.run();
    floor.wheel(120.0, 3);
    let after = place(&floor, "Welding");
    assert!(after.width() > 2.0 * before.width(), "{before:?} {after:?}");
    assert!(after.contains(before.center()), "{before:?} {after:?}");
    floor.click("Fit the whole plan");
    assert_eq!(place(&floor, "Welding"), before);
    let before = place(&floor, "Packing");
    floor.click("Packing, area");
    floor.click("Fit what is selected");
    assert!(!floor.state().view.is_fitted() && place(&floor, "Packing").width() > before.width());
}

#[test]
fn beside_everything_a_drag_moves_the_picture_and_a_click_selects_nothing() {
    let mut floor = workshop(true);
    let welding = place(&floor, "Welding");
    floor.state_mut().selected = Some(5);
    floor.hover_at(welding.center());
    floor.run();
    floor.wheel(240.0, 1);
    let before = place(&floor, "Welding");
    // The other button moves the picture wherever it is pressed.
    let button = egui::PointerButton::Secondary;
    let at = welding.center();
    let press = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE };
    floor.event(press(at, true));
    floor.run_steps(2);
    floor.hover_at(at + vec2(30.0, 20.0));
    floor.run_steps(2);
    floor.event(press(at + vec2(30.0, 20.0), false));
    floor.run();
    let after = place(&floor, "Welding");
    // What lies below the picture is cut.
    assert!((after.min - before.min - vec2(30.0, 20.0)).length() < 3.0, "{before:?} {after:?}");
    assert!(floor.state().moves.is_empty());
    floor.state_mut().view.fit();
    floor.run();
    // The strip that is left over lies at the right.
    let strip = place(&floor, "Shipping").right_center() + vec2(10.0, 0.0);
    floor.click_at(strip);
    assert_eq!(floor.state().selected, None);
}

#[test]
fn a_thousand_departments_are_shown_and_named() {
    let floor = canvas(vec2(500.0, 400.0), true, Floor::invented(1_024, true, 0.01), Floor::ui);
    assert!(floor.query_all_by_label_contains(", area").count() >= 400);
}
