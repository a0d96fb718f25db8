//! Going through a recording.

use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use super::hands::Hands;
use super::recorded::Recorded;
use super::support::canvas;

fn recording() -> Harness<'static, Recorded> {
    let mut recording = canvas(vec2(1100.0, 560.0), false, Recorded::new(7, 100, 700), Recorded::ui);
    recording.state_mut().player.go_to(0);
    recording.run();
    recording
}

const STRIP: &str = "Position in the run, iteration";

fn press(recording: &mut Harness<'_, Recorded>, label: &str) {
    recording.get_by_label(label).click();
    recording.run_steps(3);
}

#[test]
fn it_plays_pauses_and_steps_both_ways() {
    let mut recording = recording();
    press(&mut recording, "Play");
    recording.run_steps(20);
    let at = recording.state().player.at();
    assert!(at > 3 && at < 700 && recording.state().player.is_playing(), "{at}");
    press(&mut recording, "Pause playing");
    let at = recording.state().player.at();
    recording.run_steps(20);
    assert_eq!(recording.state().player.at(), at, "it stands still");
    press(&mut recording, "One step on");
    press(&mut recording, "One step on");
    press(&mut recording, "One step back");
    assert_eq!(recording.state().player.at(), at + 1);
    press(&mut recording, "To the end");
    assert_eq!(recording.state().player.at(), 700);
    assert!(recording.get_by_label("One step on").accesskit_node().is_disabled());
    press(&mut recording, "To the beginning");
    assert_eq!(recording.state().player.at(), 0);
}

#[test]
fn nothing_is_painted_while_it_stands_still() {
    let mut recording = recording();
    // `run` steps until nobody asks for another frame, and fails where somebody always does.
    recording.run();
    let delay =
        |recording: &Harness<'_, Recorded>| recording.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
    assert_eq!(delay(&recording), std::time::Duration::MAX);
    let frames = recording.state().frames;
    recording.run();
    assert!(recording.state().frames <= frames + 1, "one frame, because it was asked for, and no other");
    press(&mut recording, "Play");
    recording.step();
    let asked = delay(&recording);
    assert!(asked >= std::time::Duration::from_millis(30) && asked < std::time::Duration::from_secs(1), "{asked:?}");
    press(&mut recording, "Pause playing");
    recording.run();
    assert_eq!(delay(&recording), std::time::Duration::MAX);
}

#[test]
fn the_strip_is_scrubbed_by_pointer_keys_and_assistance() {
    let mut recording = recording();
    let strip = recording.get_by_label(STRIP).rect();
    recording.hover_at(strip.center());
    recording.drag_at(strip.center());
    recording.run_steps(2);
    recording.hover_at(strip.center() + vec2(strip.width() / 4.0, 0.0));
    recording.run_steps(2);
    recording.drop_at(strip.center() + vec2(strip.width() / 4.0, 0.0));
    recording.run();
    let at = recording.state().player.at();
    assert!(at.abs_diff(525) <= 5, "{at}");
    recording.press(Key::ArrowRight);
    recording.press(Key::PageDown);
    assert_eq!(recording.state().player.at(), at + 21);
    recording.press(Key::Home);
    assert_eq!(recording.state().player.at(), 0);
    recording.get_by_label(STRIP).set_value_accesskit(123.0);
    recording.run();
    assert_eq!(recording.state().player.at(), 123);
    assert!(recording.query_by_label("Iteration 123").is_some(), "and it says so");
}

#[test]
fn it_stops_where_it_was_told_to() {
    let mut recording = recording();
    press(&mut recording, "Stop playing at");
    press(&mut recording, "First optimum");
    recording.state_mut().player.set_speed(7);
    press(&mut recording, "Play");
    recording.run_steps(60);
    assert_eq!(recording.state().player.at(), 466);
    assert!(!recording.state().player.is_playing());
    assert!(recording.query_by_label("First optimum").is_some(), "and says why");
    press(&mut recording, "Stop playing at");
    press(&mut recording, "Nothing accepted");
    recording.get_by_role_and_label(egui::Role::SpinButton, "Number of steps").set_value_accesskit(50.0);
    recording.run_steps(2);
    press(&mut recording, "Play");
    recording.run_steps(60);
    assert_eq!(recording.state().player.at(), 509, "the next one after 466 that leaves 50 by 51");
}
