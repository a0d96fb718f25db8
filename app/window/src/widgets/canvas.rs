//! Canvas of a painted view: its room, what the pointer takes on it, and how its painting ends.
//!
//! ```ignore
//! let canvas = Canvas::new(ui, Sense::click(), || "Lateness of 8 jobs".to_owned());
//! let (hovered, clicked) = canvas.pointed(|position| frame.at(position));
//! let painter = canvas.painter(ui);
//! // … paint …
//! let pressed = canvas.finish(ui, selected.map(describe), parts);
//! ```

use egui::emath::GuiRounding;
use egui::{Painter, Pos2, Rect, Response, Sense, Ui, WidgetInfo};

use super::nodes::{self, Part};
use super::painting::focus_ring;
use crate::theme::palette;

/// Input of a person in this frame on a view of items `T`.
pub struct Outcome<T = usize> {
    /// Response of the whole view.
    pub response: Response,
    /// The item under the pointer.
    pub hovered: Option<T>,
    /// The item to select from now on; `None` within for a click outside all items.
    pub picked: Option<Option<T>>,
}

/// Room of a view and the response to it.
pub struct Canvas {
    /// The whole room, in whole pixels.
    pub full: Rect,
    /// Response of the whole view.
    pub response: Response,
}

impl Canvas {
    /// Takes all the room there is; `summary` describes the view to assistive technology.
    pub fn new(ui: &mut Ui, sense: Sense, summary: impl Fn() -> String) -> Self {
        let full = ui.available_rect_before_wrap().round_to_pixels(ui.pixels_per_point());
        let response = ui.allocate_rect(full, sense);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, summary()));
        Self { full, response }
    }

    /// The item under the pointer, and the one clicked in this frame: `None` within for a click outside all items. `at`
    /// finds the item at a position. A click gives the view the keyboard.
    pub fn pointed<T>(&self, at: impl Fn(Pos2) -> Option<T>) -> (Option<T>, Option<Option<T>>) {
        // A click by the keyboard has no place.
        let clicked = self.response.interact_pointer_pos().filter(|_| self.response.clicked()).map(|position| {
            self.response.request_focus();
            at(position)
        });
        (self.response.hover_pos().and_then(at), clicked)
    }

    /// Clears the canvas and returns the painter on it.
    pub fn painter(&self, ui: &Ui) -> Painter {
        let painter = ui.painter().with_clip_rect(self.full.intersect(ui.clip_rect()));
        painter.rect_filled(self.full, 0.0, palette(ui.visuals()).surface);
        painter
    }

    /// Ends the painting of a view with the focus ring. While assistive technology listens, gives it the words of the item
    /// at the keyboard's cursor and the visible parts; returns the key of the part that was pressed by it.
    pub fn finish(
        &self, ui: &Ui, cursor: impl FnOnce() -> Option<String>, parts: impl FnOnce() -> Vec<Part>,
    ) -> Option<u64> {
        focus_ring(ui, &self.response, self.full);
        if !nodes::wanted(ui, &self.response) {
            return None;
        }
        if let Some(words) = cursor() {
            nodes::describe(ui, &self.response, words);
        }
        nodes::add(ui, &self.response, &parts())
    }

    /// Shows text next to the pointer.
    pub fn tooltip(&self, text: impl Into<egui::WidgetText>) {
        self.response.clone().on_hover_text_at_pointer(text);
    }
}
