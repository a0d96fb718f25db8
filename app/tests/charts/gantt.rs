//! The Gantt chart.

use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_flowshop::drawing::GanttRows;
use gridwright_flowshop_views::widgets::gantt::Selection;

use super::hands::Hands;
use super::support::{Gantt, canvas, taillard, workshop};

fn shop(rows: GanttRows) -> Harness<'static, Gantt> {
    canvas(vec2(900.0, 420.0), false, Gantt::new(workshop(), rows), Gantt::ui)
}

#[test]
fn operations_are_named_and_can_be_pressed() {
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        let mut shop = shop(rows);
        shop.click("Chair on Drill, 52 to 59, takes 7, position 3 of 8, due at 50, late by 22");
        assert_eq!(shop.state().selection(), Some((2, Some(2))));
        shop.click_unseen("Desk on Saw, 14 to 26, takes 12");
        assert_eq!(shop.state().selection(), Some((1, Some(0))), "without a pointer, too");
    }
}

#[test]
fn arrows_walk_from_operation_to_operation() {
    let mut shop = shop(GanttRows::Machines);
    shop.focus("Gantt chart by machine: 8 jobs on 4 machines, makespan 145");
    let press = |shop: &mut Harness<'_, Gantt>, key| {
        shop.press(key);
        shop.state().selection()
    };
    assert_eq!(press(&mut shop, Key::ArrowDown), Some((0, Some(0))), "the first operation of all");
    assert_eq!(press(&mut shop, Key::ArrowRight), Some((1, Some(0))));
    assert_eq!(press(&mut shop, Key::ArrowDown), Some((1, Some(1))), "the same job on the next machine");
    assert!(
        shop.value("Gantt chart")
            .contains("ends at max(26, 20) + 15 = 41. Desk comes from Saw at 26; Mill waits 6 for it.")
    );
    assert_eq!(press(&mut shop, Key::End), Some((7, Some(1))));
    assert_eq!(press(&mut shop, Key::ArrowRight), Some((7, Some(1))), "the last stays");
    assert_eq!(press(&mut shop, Key::Home), Some((0, Some(1))));
}

#[test]
fn keys_fit_the_selected_job_and_everything() {
    let mut large = canvas(vec2(900.0, 420.0), false, Gantt::new(taillard("ta051"), GanttRows::Machines), Gantt::ui);
    large.focus("Gantt chart");
    large.press(Key::Plus);
    assert!(!large.state().view.is_fitted());
    large.press(Key::Num0);
    assert!(large.state().view.is_fitted());
    for key in [Key::ArrowRight, Key::ArrowRight, Key::F] {
        large.press(key);
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
    shop.wheel(120.0, 3);
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
    large.wheel(120.0, 4);
    let after = bar(&large);
    assert!(after.height() > 2.0 * before.height() && after.width() > 2.0 * before.width(), "{before:?} {after:?}");
    assert!((after.center() - before.center()).length() < 4.0, "around the pointer: {before:?} {after:?}");
}

#[test]
fn buttons_and_double_clicks_fit() {
    let mut shop = shop(GanttRows::Machines);
    shop.click("Zoom in");
    assert!(!shop.state().view.is_fitted());
    shop.click("Fit the whole schedule");
    assert!(shop.state().view.is_fitted());
    shop.click("Bed frame on Saw, ");
    shop.click("Fit the selected job");
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
        shop.click_at(at);
        shop.state().selection()
    };
    let bar = shop.get_by_label_contains("Wardrobe on Saw, ").rect();
    assert_eq!(click(&mut shop, bar.center()), Some((4, Some(0))));
    assert_eq!(click(&mut shop, egui::pos2(bar.left() - 20.0, bar.center().y)), None, "before the job begins");
    assert_eq!(click(&mut shop, egui::pos2(40.0, bar.center().y)), Some((4, None)), "its name");
}
