//! The Gantt chart.

use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright::problems::flowshop::widgets::gantt::Selection;
use gridwright_solver::flowshop::drawing::GanttRows;

use super::support::{Gantt, canvas, taillard, workshop};

fn shop(rows: GanttRows) -> Harness<'static, Gantt> {
    canvas(vec2(900.0, 420.0), false, Gantt::new(workshop(), rows), Gantt::ui)
}

fn value(harness: &Harness<'_, Gantt>) -> String {
    harness.get_by_label_contains("Gantt chart").accesskit_node().value().unwrap_or_default()
}

#[test]
fn operations_are_named_and_can_be_pressed() {
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        let mut shop = shop(rows);
        shop.get_by_label_contains("Chair on Drill, 52 to 59, takes 7, position 3 of 8, due at 50, late by 22").click();
        shop.run();
        assert_eq!(shop.state().selection(), Some((2, Some(2))));
        shop.get_by_label_contains("Desk on Saw, 14 to 26, takes 12").click_accesskit();
        shop.run();
        assert_eq!(shop.state().selection(), Some((1, Some(0))), "without a pointer, too");
    }
}

#[test]
fn arrows_walk_from_operation_to_operation() {
    let mut shop = shop(GanttRows::Machines);
    shop.get_by_label("Gantt chart by machine: 8 jobs on 4 machines, makespan 145").focus();
    shop.run();
    let press = |shop: &mut Harness<'_, Gantt>, key| {
        shop.key_press(key);
        shop.run();
        shop.state().selection()
    };
    assert_eq!(press(&mut shop, Key::ArrowDown), Some((0, Some(0))), "the first operation of all");
    assert_eq!(press(&mut shop, Key::ArrowRight), Some((1, Some(0))));
    assert_eq!(press(&mut shop, Key::ArrowDown), Some((1, Some(1))), "the same job on the next machine");
    assert!(value(&shop).contains("ends at max(26, 20) + 15 = 41. Desk comes from Saw at 26; Mill waits 6 for it."));
    assert_eq!(press(&mut shop, Key::End), Some((7, Some(1))));
    assert_eq!(press(&mut shop, Key::ArrowRight), Some((7, Some(1))), "the last stays");
    assert_eq!(press(&mut shop, Key::Home), Some((0, Some(1))));
    press(&mut shop, Key::Enter);
    assert_eq!(shop.state().entered, 1);
}

#[test]
fn keys_fit_the_selected_job_and_everything() {
    let mut large = canvas(vec2(900.0, 420.0), false, Gantt::new(taillard("ta051"), GanttRows::Machines), Gantt::ui);
    large.get_by_label_contains("Gantt chart").focus();
    large.run();
    large.key_press(Key::Plus);
    large.run();
    assert!(!large.state().view.is_fitted());
    large.key_press(Key::Num0);
    large.run();
    assert!(large.state().view.is_fitted());
    for key in [Key::ArrowRight, Key::ArrowRight, Key::F] {
        large.key_press(key);
        large.run();
    }
    let (job, _) = large.state().selection().unwrap();
    let schedule = &large.state().schedule;
    let position = schedule.order.iter().position(|&other| usize::from(other) == job).unwrap();
    assert_eq!(position, 1);
    let time = large.state().view.time().unwrap();
    let (from, to) = (f64::from(schedule.start(position, 0)), f64::from(schedule.done(position)));
    assert!(time.start <= from && time.end >= to && time.end - time.start < 1.5 * (to - from), "{time:?}");
}

#[test]
fn the_wheel_zooms_and_dragging_moves() {
    let mut shop = shop(GanttRows::Machines);
    let bar = shop.get_by_label_contains("Chair on Drill, ").rect();
    shop.hover_at(bar.center());
    shop.run();
    for _ in 0..3 {
        shop.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, 120.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: Modifiers::NONE,
        });
        shop.run();
    }
    let closer = shop.get_by_label_contains("Chair on Drill, ").rect();
    assert!(closer.width() > 2.0 * bar.width(), "{bar:?} {closer:?}");
    assert!((closer.center().x - bar.center().x).abs() < 2.0, "around the pointer: {bar:?} {closer:?}");
    shop.drag_at(closer.center());
    shop.run_steps(2);
    shop.hover_at(closer.center() + vec2(40.0, 0.0));
    shop.run_steps(2);
    shop.drop_at(closer.center() + vec2(40.0, 0.0));
    shop.run();
    let moved = shop.get_by_label_contains("Chair on Drill, ").rect();
    assert!((moved.center().x - closer.center().x - 40.0).abs() < 2.0, "{closer:?} {moved:?}");
    assert_eq!(shop.state().selected, None, "a drag is no click");
}

#[test]
fn rows_of_jobs_grow_with_time() {
    let mut large = canvas(vec2(900.0, 420.0), false, Gantt::new(taillard("ta051"), GanttRows::Jobs), Gantt::ui);
    // Of so many operations those of the selected job are named first.
    large.state_mut().selected = Some(Selection { job: 20, machine: None });
    large.run();
    let bar = |large: &Harness<'_, Gantt>| large.get_by_label_contains("J21 on M10, ").rect();
    let before = bar(&large);
    assert!(before.height() < 8.0, "{before:?}");
    large.hover_at(before.center());
    large.run();
    for _ in 0..4 {
        large.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, 120.0),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: Modifiers::NONE,
        });
        large.run();
    }
    let after = bar(&large);
    assert!(after.height() > 2.0 * before.height() && after.width() > 2.0 * before.width(), "{before:?} {after:?}");
    assert!((after.center() - before.center()).length() < 4.0, "around the pointer: {before:?} {after:?}");
}

#[test]
fn buttons_and_double_clicks_fit() {
    let mut shop = shop(GanttRows::Machines);
    let press = |shop: &mut Harness<'_, Gantt>, name: &str| {
        shop.get_by_label(name).click();
        shop.run();
    };
    press(&mut shop, "Zoom in");
    assert!(!shop.state().view.is_fitted());
    press(&mut shop, "Fit the whole schedule");
    assert!(shop.state().view.is_fitted());
    shop.get_by_label_contains("Bed frame on Saw, ").click();
    shop.run();
    press(&mut shop, "Fit the selected job");
    let time = shop.state().view.time().unwrap();
    assert!(time.contains(&31.0) && time.contains(&86.0) && !time.contains(&14.0), "{time:?}");
    let at = shop.get_by_label_contains("Bed frame on Saw, ").rect().center();
    shop.hover_at(at);
    shop.run();
    // Both clicks within a frame: a frame of the harness takes a quarter of a second.
    let button = egui::PointerButton::Primary;
    for pressed in [true, false, true, false] {
        let click = egui::Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE };
        shop.input_mut().events.push(click);
    }
    shop.run();
    assert!(shop.state().view.is_fitted());
}

#[test]
fn a_click_beside_everything_selects_nothing() {
    let mut shop = shop(GanttRows::Jobs);
    let click = |shop: &mut Harness<'_, Gantt>, at: egui::Pos2| {
        shop.hover_at(at);
        shop.run();
        shop.drag_at(at);
        shop.drop_at(at);
        shop.run();
        shop.state().selection()
    };
    let bar = shop.get_by_label_contains("Wardrobe on Saw, ").rect();
    assert_eq!(click(&mut shop, bar.center()), Some((4, Some(0))));
    assert_eq!(click(&mut shop, egui::pos2(bar.left() - 20.0, bar.center().y)), None, "before the job begins");
    assert_eq!(click(&mut shop, egui::pos2(40.0, bar.center().y)), Some((4, None)), "its name");
}
