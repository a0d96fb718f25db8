//! One day of a session by the clock.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use super::{instance, open, plan, show_rooms};
use crate::pictures::window_of;
use crate::support;
use crate::support::person::{Window, at_home, document, keys, press, settle, shows};
use crate::support::picture::Pictures;

fn show_day(harness: &mut Window) {
    show_rooms(harness);
    press(harness, "One day");
    settle(harness);
}

#[test]
fn a_day_shows_its_exams_as_long_as_they_last() {
    let mut harness = at_home(open);
    show_day(&mut harness);
    harness.get_by_label("A1 Course A1, 2 students, H1, 09:00 to 10:30");
    let extra = "A1 Course A1, 1 student, S2, 09:00 to 10:30, with extra time to 10:53";
    let bar = harness.get_by_label(extra).rect();
    let plain = harness.get_by_label("A1 Course A1, 2 students, H1, 09:00 to 10:30").rect();
    let share = bar.width() / plain.width();
    assert!((share - 113.0 / 90.0).abs() < 0.03, "113 minutes beside 90: {share}");
    harness.get_by_label(extra).click();
    harness.run();
    assert_eq!(document(&harness).selected, Some(0));
    press(&mut harness, "Day after");
    settle(&mut harness);
    harness.get_by_label("B2 Course B2, 3 students, H1, 09:00 to 10:30");
    assert!(!shows(&harness, "A1 Course A1, 2 students"));
}

/// A search for an exam leads to its day, where all rooms can be seen.
#[test]
fn the_day_of_the_selected_exam_is_shown_and_unused_rooms_on_demand() {
    let mut harness = at_home(open);
    keys(&mut harness, Modifiers::COMMAND, Key::Num3);
    harness.get_by_label("Room T3, period 4, 1 of 2 seats taken: F6 1 (+23 min)").click();
    harness.run();
    press(&mut harness, "One day");
    settle(&mut harness);
    harness.get_by_label("F6 Course F6, 1 student, T3, 14:00 to 15:30, with extra time to 15:53");
    press(&mut harness, "Unused rooms");
    settle(&mut harness);
    keys(&mut harness, Modifiers::NONE, Key::R);
    settle(&mut harness);
    assert!(shows(&harness, "Room of F6"));
}

#[test]
fn days_in_pictures() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let mut harness = window_of(|home| support::planned(instance(), plan(), home), [1100.0, 680.0], dark);
        harness.run();
        show_day(&mut harness);
        let view = egui::Rect { min: egui::pos2(240.0, 120.0), max: egui::pos2(1092.0, 532.0) };
        shots.take(&mut harness, view, if dark { "day-dark" } else { "day-light" });
    }
}
