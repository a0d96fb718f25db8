//! Pan and zoom of painted pictures: one implementation of wheel, pinch, drag, double click and “bring into view”.
//!
//! An [`Axis`] remembers how far a person has zoomed and scrolled along one direction; [`Axis::navigate`] takes the input
//! of a frame and yields a [`Span`], which says where items lie and which one lies at a place by arithmetic alone. Two
//! spans are a [`Grid`]. [`wheel`] is for pictures with scales of their own, such as time. Invariants: what is under the
//! pointer stays there while zooming; nothing outside of the picture is shown where the picture fills its room.

use std::ops::Range;

use egui::{Pos2, Rect, Response, Ui, Vec2, pos2};

use super::controls::icon_button;
use super::icons::Icon;

/// Input of wheel and touchpad over a canvas in this frame.
#[derive(Debug, Clone, Copy)]
pub struct Wheel {
    /// The place of the pointer, which keeps its content while zooming.
    pub at: Pos2,
    /// Factor by which the wheel enlarges.
    pub factor: f32,
    /// Factor of a pinch, or of the wheel with Ctrl.
    pub pinch: f32,
    /// Scrolled distance in points.
    pub scroll: Vec2,
}

impl Wheel {
    /// Factor by which wheel and pinch together enlarge.
    pub fn zoom(&self) -> f32 {
        self.factor * self.pinch
    }
}

/// Returns the input of wheel and touchpad while the pointer is over a canvas; `None` if there is none.
pub fn wheel(ui: &Ui, canvas: &Response) -> Option<Wheel> {
    let at = canvas.hover_pos()?;
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    Some(Wheel { at, factor: (scroll.y / 240.0).exp(), pinch, scroll })
}

/// Zoom and scroll position along one direction of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Axis {
    /// Length of an item in points; `None` while all items fit.
    item: Option<f32>,
    /// Length of an item in points when the picture was shown last.
    shown: f32,
    /// Points of the picture before the visible part.
    offset: f32,
    reveal: Option<usize>,
}

/// Room for the items of an axis and the limits of their lengths, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// Start of the visible part.
    pub start: f32,
    /// Length of the visible part.
    pub length: f32,
    /// Number of items.
    pub count: usize,
    /// Length of an item while all items fit; see [`Room::fitting`].
    pub fitted: f32,
    /// Greatest length of an item.
    pub largest: f32,
    /// True if items lie below each other, false if they lie side by side.
    pub down: bool,
}

impl Room {
    /// Greatest length of an item, at most `most`, with which `count` items fit into `length` points.
    pub fn fitting(length: f32, count: usize, most: f32) -> f32 {
        (length / count.max(1) as f32).min(most)
    }

    fn limited(&self, item: f32) -> f32 {
        item.clamp(self.fitted, self.largest.max(self.fitted))
    }

    fn along(&self, by: Vec2) -> f32 {
        if self.down { by.y } else { by.x }
    }
}

impl Axis {
    /// Shows all items.
    pub fn fit(&mut self) {
        *self = Self { shown: self.shown, ..Self::default() };
    }

    /// True if all items are shown.
    pub fn is_fitted(&self) -> bool {
        self.item.is_none()
    }

    /// Length of an item in points; `None` while all items fit.
    pub fn item(&self) -> Option<f32> {
        self.item
    }

    /// Sets the length of an item; the limits of the room bind it when the picture is shown.
    pub fn set_item(&mut self, item: Option<f32>) {
        self.item = item.filter(|item| item.is_finite() && *item > 0.0);
    }

    /// Enlarges items by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.item = Some(self.item.unwrap_or(self.shown).max(0.05) * factor);
    }

    /// Scrolls to an item in the next frame if it is out of sight.
    pub fn reveal(&mut self, index: usize) {
        self.reveal = Some(index);
    }

    /// Takes wheel, pinch, drag and double click of this frame; returns where items lie.
    pub fn navigate(&mut self, ui: &Ui, canvas: &Response, room: Room) -> Span {
        self.enter(room);
        if let Some(wheel) = wheel(ui, canvas) {
            if wheel.zoom() != 1.0 {
                self.zoom_at(room, wheel.zoom(), room.along(wheel.at.to_vec2()));
            }
            self.scroll(if room.down { 0.0 } else { wheel.scroll.x });
        }
        if canvas.dragged() {
            self.scroll(room.along(canvas.drag_delta()));
        }
        if canvas.double_clicked() {
            self.fit();
        }
        self.settle(room)
    }

    /// Takes over the room of this frame before [`Axis::zoom_at`] and [`Axis::scroll`]; returns where items lie.
    pub fn enter(&mut self, room: Room) -> Span {
        self.shown = room.limited(self.item.unwrap_or(room.fitted));
        // A length that was asked for before the picture had a size is bound by the size that it has now.
        self.item = self.item.map(|_| self.shown).filter(|item| *item > room.fitted * 1.001);
        Span { start: room.start, length: room.length, item: self.shown, offset: self.offset, count: room.count }
    }

    /// Enlarges items by a factor within the limits of `room`; what lies at the coordinate `at` of the screen stays there.
    pub fn zoom_at(&mut self, room: Room, factor: f32, at: f32) {
        let (before, at) = (self.shown, at - room.start);
        self.shown = room.limited(before * factor);
        self.item = (self.shown > room.fitted * 1.001).then_some(self.shown);
        self.offset = (self.offset + at) * (self.shown / before) - at;
    }

    /// Moves the picture by so many points, to the right or down where positive.
    pub fn scroll(&mut self, by: f32) {
        self.offset -= by;
    }

    /// Reveals what was asked for and keeps the picture inside its room; returns where items lie.
    pub fn settle(&mut self, room: Room) -> Span {
        self.enter(room);
        if let Some(index) = self.reveal.take() {
            let from = index as f32 * self.shown;
            if from < self.offset || from + self.shown > self.offset + room.length {
                self.offset = from - room.length / 2.0;
            }
        }
        self.offset = self.offset.min(room.count as f32 * self.shown - room.length).max(0.0);
        self.enter(room)
    }
}

/// Zoom and scroll position along both directions of a grid.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Axes {
    /// Along the columns.
    pub across: Axis,
    /// Along the rows.
    pub down: Axis,
}

impl Axes {
    /// Shows everything.
    pub fn fit(&mut self) {
        self.across.fit();
        self.down.fit();
    }

    /// True if everything is shown.
    pub fn is_fitted(&self) -> bool {
        self.across.is_fitted() && self.down.is_fitted()
    }

    /// Enlarges by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.across.zoom(factor);
        self.down.zoom(factor);
    }
}

/// Places of the equally long items of an axis, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Start of the visible part.
    pub start: f32,
    /// Length of the visible part.
    pub length: f32,
    /// Length of an item.
    pub item: f32,
    /// Points of the picture before the visible part.
    pub offset: f32,
    /// Number of items.
    pub count: usize,
}

impl Span {
    /// Start of an item, also outside of the visible part.
    pub fn at(&self, index: usize) -> f32 {
        self.start + index as f32 * self.item - self.offset
    }

    /// Middle of an item.
    pub fn middle(&self, index: usize) -> f32 {
        self.at(index) + self.item / 2.0
    }

    /// End of the last visible item.
    pub fn end(&self) -> f32 {
        (self.start + self.length).min(self.at(self.count))
    }

    /// Items of which something is visible.
    pub fn visible(&self) -> Range<usize> {
        visible(self.offset, self.length, self.item, self.count)
    }

    /// The item at a coordinate of the screen, if that is in the visible part.
    pub fn hit(&self, at: f32) -> Option<usize> {
        let along = at - self.start;
        let inside = along >= 0.0 && along < self.length;
        inside.then(|| ((along + self.offset) / self.item.max(1e-6)) as usize).filter(|&index| index < self.count)
    }
}

/// Places of the cells of a regular grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Columns from the left.
    pub across: Span,
    /// Rows from the top.
    pub down: Span,
}

impl Grid {
    /// The visible part of the grid, including room that cells leave empty.
    pub fn area(&self) -> Rect {
        let size = Vec2::new(self.across.length, self.down.length);
        Rect::from_min_size(pos2(self.across.start, self.down.start), size)
    }

    /// The part of [`Grid::area`] with cells.
    pub fn body(&self) -> Rect {
        self.area().with_max_x(self.across.end()).with_max_y(self.down.end())
    }

    /// Place of a cell, also outside of the visible part.
    pub fn cell(&self, row: usize, column: usize) -> Rect {
        let size = Vec2::new(self.across.item, self.down.item);
        Rect::from_min_size(pos2(self.across.at(column), self.down.at(row)), size)
    }

    /// The row and column at a point; `None` outside the cells.
    pub fn hit(&self, position: Pos2) -> Option<(usize, usize)> {
        self.down.hit(position.y).zip(self.across.hit(position.x))
    }
}

/// Items of `step` points each of which something lies within `offset`…`offset + extent`.
pub fn visible(offset: f32, extent: f32, step: f32, count: usize) -> Range<usize> {
    let step = step.max(1e-6);
    let first = (offset / step).floor().max(0.0) as usize;
    let last = ((offset + extent) / step).ceil().max(0.0) as usize;
    first.min(count)..last.min(count)
}

/// A change of the zoom by a button.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Zoom {
    /// Enlarge by this factor; less than 1: make smaller.
    By(f32),
    /// Show everything.
    Fit,
}

/// Draws the buttons that zoom out, zoom in and fit, named so; `step` is the factor of one click, `is_fitted` disables
/// what would change nothing.
pub fn zoom_buttons(ui: &mut Ui, names: [&str; 3], step: f32, is_fitted: bool) -> Option<Zoom> {
    let buttons = [
        (Icon::Minus, Zoom::By(1.0 / step), !is_fitted),
        (Icon::Plus, Zoom::By(step), true),
        (Icon::Fit, Zoom::Fit, !is_fitted),
    ];
    let mut pressed = None;
    for ((icon, zoom, enabled), name) in buttons.into_iter().zip(names) {
        if icon_button(ui, icon, name, enabled).clicked() {
            pressed = Some(zoom);
        }
    }
    pressed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(item: f32, offset: f32) -> Span {
        Span { start: 40.0, length: 300.0, item, offset, count: 100 }
    }

    #[test]
    fn places_and_items_belong_together() {
        for span in [span(3.0, 0.0), span(12.0, 77.0), span(0.5, 0.0)] {
            for index in span.visible() {
                let middle = span.middle(index);
                if (span.start..span.start + span.length).contains(&middle) {
                    assert_eq!(span.hit(middle), Some(index));
                }
            }
            assert_eq!((span.hit(39.0), span.hit(341.0)), (None, None));
        }
        assert_eq!(span(0.5, 0.0).hit(200.0), None, "beside the last item");
    }

    #[test]
    fn cells_are_hit_where_they_lie() {
        let grid = Grid { across: span(12.0, 77.0), down: span(30.0, 0.0) };
        assert_eq!(grid.hit(grid.cell(4, 9).center()), Some((4, 9)));
        assert_eq!(grid.body(), grid.area());
        assert_eq!(grid.hit(pos2(39.0, 60.0)), None);
    }

    #[test]
    fn only_what_is_seen_is_visible() {
        assert_eq!(span(12.0, 77.0).visible(), 6..32);
        assert_eq!(span(3.0, 0.0).visible(), 0..100);
        assert_eq!(span(1.0, 0.0).end(), 140.0);
        assert_eq!(span(30.0, 0.0).end(), 340.0);
        assert_eq!(visible(95.0, 100.0, 10.0, 1000), 9..20);
        assert_eq!(visible(0.0, 100.0, 10.0, 4), 0..4);
    }
}
