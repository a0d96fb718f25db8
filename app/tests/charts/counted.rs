//! Lines over steps, rows of bits, and when things came.

use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;

use super::hands::Hands;
use super::recorded::{Hits, Lines, Rows};
use super::support::canvas;

#[test]
fn lines_are_looked_at_step_by_step() {
    let mut lines = canvas(vec2(900.0, 460.0), false, Lines::new(700), Lines::ui);
    let all = "Fitness, Mean Hamming distance, bits by iteration";
    let rect = lines.get_by_label(all).rect();
    lines.click_at(rect.center());
    let at = lines.state().at.unwrap();
    assert!(at.abs_diff(330) < 30, "{at}");
    lines.press(Key::ArrowRight);
    assert_eq!(lines.state().at, Some(at + 1));
    let words = lines.value(all);
    assert!(words.starts_with(&format!("Iteration {}: worst ", at + 1)), "{words}");
    assert!(words.contains("; best 56") && words.contains("; distance "), "{words}");
    lines.press(Key::End);
    assert_eq!(lines.state().at, Some(699));
}

#[test]
fn rows_of_bits_are_chosen_and_read() {
    let mut rows = canvas(vec2(900.0, 460.0), false, Rows::new(1_400, 100), Rows::ui);
    let all = "Bits of all solutions";
    rows.focus(all);
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowRight, Key::ArrowRight, Key::ArrowRight] {
        rows.press(key);
    }
    assert_eq!(rows.state().selected, Some(1));
    let words = rows.value(all);
    assert!(words.starts_with("Solution 2, bit 3: "), "{words}");
    let place = rows.get_by_label(all).rect().center() - vec2(0.0, 60.0);
    rows.click_at(place);
    assert!(rows.state().selected.is_some_and(|row| row > 400 && row < 900));
}

#[test]
fn lanes_say_how_often_and_when() {
    let mut hits = canvas(vec2(900.0, 460.0), false, Hits::new(), Hits::ui);
    hits.get_by_label("Torus: 0 of 50, no run found it");
    hits.click("Both: 50 of 50, from ");
    assert_eq!(hits.state().selected, Some(3));
    hits.press(Key::ArrowUp);
    assert_eq!(hits.state().selected, Some(2));
}
