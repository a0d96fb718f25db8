//! The Gantt chart.

use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright::widgets::gantt::Selection;
use gridwright_solver::flowshop::drawing::Rows;

use crate::support::{Gantt, canvas, taillard, workshop};

fn shop(rows: Rows) -> Harness<'static, Gantt> {
    canvas(vec2(900.0, 420.0), false, Gantt::new(workshop(), rows), Gantt::ui)
}

fn value(harness: &Harness<'_, Gantt>) -> String {
    harness.get_by_label_contains("Gantt chart").accesskit_node().value().unwrap_or_default()
}

#[test]
fn operations_are_named_and_can_be_pressed() {
    for rows in [Rows::Machines, Rows::Jobs] {
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
    let mut shop = shop(Rows::Machines);
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
    let mut large = canvas(vec2(900.0, 420.0), false, Gantt::new(taillard("ta051"), Rows::Machines), Gantt::ui);
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
    let mut shop = shop(Rows::Machines);
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
    let mut large = canvas(vec2(900.0, 420.0), false, Gantt::new(taillard("ta051"), Rows::Jobs), Gantt::ui);
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
