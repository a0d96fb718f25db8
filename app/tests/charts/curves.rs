//! Theory as lines, measured values as dots.

use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright::problems::flowshop::widgets::curves::Dot;

use super::support::{Efficiency, canvas};

fn open() -> Harness<'static, Efficiency> {
    canvas(vec2(560.0, 400.0), false, Efficiency::new(true), Efficiency::ui)
}

#[test]
fn dots_say_what_was_measured_and_what_theory_says() {
    let mut picture = open();
    let name = "ta081, processors 16: efficiency 0.72, in theory 0.78";
    picture.get_by_label(name).click();
    picture.run();
    assert_eq!(picture.state().selected, Some(Dot { subject: 1, index: 4 }));
    picture.get_by_label_contains("ta051, processors 2: ").click_accesskit();
    picture.run();
    assert_eq!(picture.state().selected, Some(Dot { subject: 0, index: 1 }), "without a pointer, too");
}

#[test]
fn arrows_go_from_dot_to_dot() {
    let mut picture = open();
    let all = "Efficiency by processors: ta051, ta081, ta111";
    picture.get_by_label(all).focus();
    picture.run();
    for _ in 0..3 {
        picture.key_press(Key::ArrowRight);
        picture.run();
    }
    assert_eq!(picture.state().selected, Some(Dot { subject: 0, index: 2 }));
    let value = picture.get_by_label(all).accesskit_node().value().unwrap_or_default();
    assert!(value.starts_with("ta051, processors 4: efficiency "), "{value}");
}
