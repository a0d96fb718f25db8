//! Moves of others if an item is held somewhere: the line beside the pointer, and the offer with its button.

use egui::{Label, Ui};

use super::controls::primary;
use super::icons::Icon;
use crate::live::Others;
use crate::theme::{self, palette, space};

/// Height in points of three lines, so that the buttons below stay where they are when the answer comes.
const HEIGHT: f32 = 48.0;

/// Line about others that follow a dragged item if it is dropped with Shift; `noun` is that of the items, and `words` tells what others do,
/// or is `None` if nothing but the dragged item has to move.
pub fn hint<A>(others: &Others<A>, noun: &str, words: impl Fn(&A) -> Option<String>) -> String {
    match others {
        Others::Resting => format!("Other {noun}s follow only while no run goes on"),
        Others::Wanted => format!("Looking for {noun}s that follow…"),
        Others::Missing => format!("No other {noun}s can follow there"),
        Others::Made(found) => match words(found) {
            Some(words) => format!("With Shift, {words}"),
            None => format!("No other {noun} has to follow"),
        },
    }
}

/// Draws what others would do and a button for it; returns `true` if it was clicked.
pub fn offer(ui: &mut Ui, words: String, is_ready: bool, button: &str, help: &str) -> bool {
    let palette = palette(ui.visuals());
    ui.scope(|ui| {
        ui.set_min_height(HEIGHT);
        ui.add(Label::new(theme::small(words).color(palette.weak)).wrap());
    });
    let clicked = primary(ui, Icon::Check, button, is_ready).on_hover_text(help).clicked();
    ui.add_space(space::S);
    clicked
}
