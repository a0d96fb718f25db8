//! Gestures and keys of a person on a canvas.

use egui::{Event, Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};

/// Input of a person; every gesture runs until nothing asks for another frame.
pub trait Hands {
    /// Presses a key.
    fn press(&mut self, key: Key);
    /// Clicks the thing of this name, or the one whose name contains it.
    fn click(&mut self, name: &str);
    /// Clicks the thing of this name, or the one whose name contains it through assistive technology, without a pointer.
    fn click_unseen(&mut self, name: &str);
    /// Gives the keyboard to the thing of this name, or the one whose name contains it.
    fn focus(&mut self, name: &str);
    /// Clicks at a place.
    fn click_at(&mut self, at: Pos2);
    /// Drags from one place to another, as slowly as a person.
    fn carry(&mut self, from: Pos2, to: Pos2);
    /// Turns the wheel by so many points, `times` times.
    fn wheel(&mut self, points: f32, times: usize);
    /// Value that assistive technology reads of the thing of this name, or the one whose name contains it; empty without one.
    fn value(&self, name: &str) -> String;
}

/// The thing of this name or, failing that, the one whose name contains it.
#[track_caller]
fn one<'h, S>(harness: &'h Harness<'_, S>, name: &'h str) -> Node<'h> {
    let exact = harness.query_all_by_label(name).next();
    exact.unwrap_or_else(|| harness.get_by_label_contains(name))
}

impl<S> Hands for Harness<'_, S> {
    fn press(&mut self, key: Key) {
        self.key_press(key);
        self.run();
    }

    #[track_caller]
    fn click(&mut self, name: &str) {
        one(self, name).click();
        self.run();
    }

    #[track_caller]
    fn click_unseen(&mut self, name: &str) {
        one(self, name).click_accesskit();
        self.run();
    }

    #[track_caller]
    fn focus(&mut self, name: &str) {
        one(self, name).focus();
        self.run();
    }

    fn click_at(&mut self, at: Pos2) {
        self.hover_at(at);
        self.run_steps(2);
        self.drag_at(at);
        self.drop_at(at);
        self.run();
    }

    fn carry(&mut self, from: Pos2, to: Pos2) {
        self.hover_at(from);
        self.run_steps(2);
        self.drag_at(from);
        self.run_steps(2);
        for share in [0.3, 0.7, 1.0] {
            self.hover_at(from + (to - from) * share);
            self.run_steps(2);
        }
        self.drop_at(to);
        self.run();
    }

    fn wheel(&mut self, points: f32, times: usize) {
        for _ in 0..times {
            self.event(Event::MouseWheel {
                unit: egui::MouseWheelUnit::Point,
                delta: vec2(0.0, points),
                phase: egui::TouchPhase::Move,
                source: egui::MouseWheelSource::Unknown,
                modifiers: Modifiers::NONE,
            });
            self.run();
        }
    }

    #[track_caller]
    fn value(&self, name: &str) -> String {
        one(self, name).accesskit_node().value().unwrap_or_default()
    }
}
