//! Theory as lines, measured values as dots.

use egui::{Key, vec2};
use egui_kittest::Harness;
use gridwright_flowshop_views::widgets::curves::Dot;

use super::hands::Hands;
use super::support::{Efficiency, canvas};

fn open() -> Harness<'static, Efficiency> {
    canvas(vec2(560.0, 400.0), false, Efficiency::new(true), Efficiency::ui)
}

#[test]
fn dots_say_what_was_measured_and_what_theory_says() {
    let mut picture = open();
    let name = "ta081, processors 16: efficiency 0.72, in theory 0.78";
    picture.click(name);
    assert_eq!(picture.state().selected, Some(Dot { subject: 1, index: 4 }));
    picture.click_unseen("ta051, processors 2: ");
    assert_eq!(picture.state().selected, Some(Dot { subject: 0, index: 1 }), "without a pointer, too");
}

#[test]
fn arrows_go_from_dot_to_dot() {
    let mut picture = open();
    let all = "Efficiency by processors: ta051, ta081, ta111";
    picture.focus(all);
    for _ in 0..3 {
        picture.press(Key::ArrowRight);
    }
    assert_eq!(picture.state().selected, Some(Dot { subject: 0, index: 2 }));
    let value = picture.value(all);
    assert!(value.starts_with("ta051, processors 4: efficiency "), "{value}");
}
