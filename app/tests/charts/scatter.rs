//! Solutions as points.

use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_flowshop_views::widgets::scatter::Axes;

use super::hands::Hands;
use super::support::{Solutions, canvas};

const POINTS: [[f64; 3]; 5] =
    [[100.0, 50.0, 3.0], [110.0, 30.0, 2.0], [130.0, 10.0, 1.0], [125.0, 40.0, 5.0], [150.0, 9.0, 4.0]];

fn open(points: &[[f64; 3]]) -> Harness<'static, Solutions> {
    canvas(vec2(560.0, 420.0), false, Solutions::new(points.to_vec()), Solutions::ui)
}

#[test]
fn points_are_named_and_the_nearest_is_taken() {
    let mut picture = open(&POINTS);
    let second = picture.get_by_label("Solution 2: Makespan 110, Total tardiness 30, Tardy jobs 2").rect().center();
    for (by, selected) in [(vec2(6.0, 3.0), Some(1)), (vec2(16.0, 3.0), None)] {
        picture.click_at(second + by);
        assert_eq!(picture.state().selected, selected);
    }
    picture.click_unseen("Solution 4");
    assert_eq!(picture.state().selected, Some(3), "without a pointer, too");
}

#[test]
fn arrows_go_along_the_axes() {
    let mut picture = open(&POINTS);
    picture.focus("5 solutions");
    let press = |picture: &mut Harness<'_, Solutions>, key: Key| {
        picture.press(key);
        picture.state().selected.unwrap()
    };
    let along = [Key::ArrowRight; 5].map(|key| press(&mut picture, key));
    assert_eq!(along, [0, 1, 3, 2, 4]);
    assert_eq!(press(&mut picture, Key::Home), 0);
    assert_eq!(press(&mut picture, Key::ArrowDown), 3, "the next lower tardiness");
    let value = picture.get_by_label("5 solutions").accesskit_node().value();
    assert_eq!(value.as_deref(), Some("Solution 4: Makespan 125, Total tardiness 40, Tardy jobs 5"));
}

#[test]
fn axes_are_chosen_and_change_places() {
    let mut picture = open(&POINTS);
    let list = |picture: &Harness<'_, Solutions>, name: &str| {
        let list = picture.get_by_role_and_label(egui::Role::ComboBox, name);
        (list.accesskit_node().value().unwrap_or_default(), list.rect().center())
    };
    let (value, at) = list(&picture, "Across");
    assert_eq!(value, "Makespan");
    picture.click_at(at);
    picture.click("Tardy jobs");
    let axes = |picture: &Harness<'_, Solutions>| picture.state().view.axes(3);
    assert_eq!(axes(&picture), Axes { x: 2, y: 1, colour: Some(0) });
    let (value, at) = list(&picture, "Up");
    assert_eq!(value, "Total tardiness");
    picture.click_at(at);
    let chosen = picture.get_all_by_label("Tardy jobs").last().unwrap().rect().center();
    picture.click_at(chosen);
    assert_eq!(axes(&picture), Axes { x: 1, y: 2, colour: Some(0) });
}

#[test]
fn the_filter_greys_and_steps_pass_over() {
    let mut picture = open(&POINTS);
    picture.state_mut().most = 120.0;
    picture.run();
    picture.get_by_label("Solution 5: Makespan 150, Total tardiness 9, Tardy jobs 4, left out by the filter");
    picture.focus("5 solutions");
    for _ in 0..4 {
        picture.press(Key::ArrowRight);
    }
    assert_eq!(picture.state().selected, Some(1), "the last that the filter leaves");
}

#[test]
fn nothing_to_show_is_no_error() {
    let mut picture = open(&[]);
    picture.focus("0 solutions");
    picture.press(Key::ArrowRight);
    assert_eq!(picture.state().selected, None);
    // All values the same.
    let picture = open(&[[5.0, 5.0, 5.0]; 3]);
    assert_eq!(picture.query_all_by_label_contains("Makespan 5, Total").count(), 3);
}
