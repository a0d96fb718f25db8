//! Parts that several painted views share: truncated text, small overlays, a focus ring, the arrow keys.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Galley, Key, Modifiers, Painter, Rect, Response, Stroke, StrokeKind, Ui, vec2};

use super::icons::Icon;
use crate::theme::palette;

/// Overlay of a cell, a chip or a column.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Overlay {
    /// Translucent colour over the inside.
    pub fill: Option<Color32>,
    /// Outline.
    pub stroke: Option<Stroke>,
    /// Small icon in the upper right corner.
    pub icon: Option<(Icon, Color32)>,
}

impl Overlay {
    /// Paints the overlay over `rect`.
    pub fn paint(&self, painter: &Painter, rect: Rect) {
        if let Some(fill) = self.fill {
            painter.rect_filled(rect, 2.0, fill);
        }
        if let Some(stroke) = self.stroke {
            painter.rect_stroke(rect, 2.0, stroke, StrokeKind::Inside);
        }
        if let Some((icon, colour)) = self.icon.filter(|_| rect.height() >= 10.0 && rect.width() >= 14.0) {
            let square = Rect::from_min_size(rect.right_top() + vec2(-10.0, 2.0), vec2(8.0, 8.0));
            icon.paint(painter, square, colour);
        }
    }
}

/// One line of text, cut with an ellipsis where it is wider than `room`.
pub fn truncated(painter: &Painter, text: impl Into<String>, font: FontId, colour: Color32, room: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.into(), font, colour);
    job.wrap = TextWrapping::truncate_at_width(room.max(0.0));
    painter.layout_job(job)
}

/// A name such as «Mon 1 Jun» as long as there is room: without its first word, then its second word alone.
pub fn fitting(painter: &Painter, name: &str, font: FontId, colour: Color32, room: f32) -> Arc<Galley> {
    let short = name.split_once(' ').map_or(name, |(_, rest)| rest);
    let shortest = short.split(' ').next().unwrap_or(short);
    let lay = |text: &str| painter.layout_no_wrap(text.to_owned(), font.clone(), colour);
    let found = [name, short, shortest].into_iter().map(lay).find(|galley| galley.size().x <= room);
    found.unwrap_or_else(|| truncated(painter, "", font.clone(), colour, room))
}

/// A line around a canvas that has the keyboard.
pub fn focus_ring(ui: &Ui, canvas: &Response, rect: Rect) {
    if canvas.has_focus() {
        ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, palette(ui.visuals()).accent), StrokeKind::Inside);
    }
}

/// Keyboard input of a focused canvas in this frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Keys {
    /// Columns to the right.
    pub right: isize,
    /// Rows down.
    pub down: isize,
    /// Factor of zoom; 1 without a key.
    pub zoom: f32,
    /// Enter.
    pub enter: bool,
}

impl Keys {
    /// Zooms by the factor of the keys, if any was pressed, and paints again.
    pub fn zoom_by(&self, ui: &Ui, zoom: impl FnOnce(f32)) {
        if self.zoom != 1.0 {
            zoom(self.zoom);
            ui.ctx().request_repaint();
        }
    }
}

/// Takes arrow keys, page keys, Enter, plus and minus from the input of a focused canvas and keeps the focus there.
pub fn keys(ui: &Ui, canvas: &Response) -> Keys {
    let none = Keys { zoom: 1.0, ..Keys::default() };
    if !canvas.has_focus() {
        return none;
    }
    let filter = egui::EventFilter { vertical_arrows: true, horizontal_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(canvas.id, filter));
    ui.input_mut(|input| {
        let mut pressed = |key| isize::from(input.consume_key(Modifiers::NONE, key));
        let right = pressed(Key::ArrowRight) - pressed(Key::ArrowLeft);
        let down = pressed(Key::ArrowDown) - pressed(Key::ArrowUp);
        let pages = pressed(Key::PageDown) - pressed(Key::PageUp);
        let zoom = pressed(Key::Plus).max(pressed(Key::Equals)) - pressed(Key::Minus);
        let enter = pressed(Key::Enter) > 0;
        Keys { right, down: down + 20 * pages, zoom: 1.25_f32.powi(zoom as i32), enter }
    })
}

/// The next index by `by`, kept within 0…count; the first where nothing was chosen.
pub fn stepped(from: Option<usize>, by: isize, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    (by != 0).then(|| from.map_or(0, |from| from.saturating_add_signed(by).min(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_inside() {
        assert_eq!(stepped(None, 1, 5), Some(0));
        assert_eq!(stepped(Some(3), 20, 5), Some(4));
        assert_eq!(stepped(Some(3), -20, 5), Some(0));
        assert_eq!(stepped(Some(3), 0, 5), None);
        assert_eq!(stepped(None, 1, 0), None);
    }
}
