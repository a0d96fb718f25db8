//! One direction of a picture that a person enlarges and drags: how large an item is, and which lies where.

use std::ops::Range;

use egui::{Response, Ui};

/// How far a person has zoomed along one direction, and where to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Zoom {
    /// Length of an item in points; `None`: all fit.
    item: Option<f32>,
    offset: f32,
    reveal: Option<usize>,
}

/// What there is room for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// Where the first item begins.
    pub start: f32,
    /// How many points there are for all.
    pub length: f32,
    /// How many items there are.
    pub count: usize,
    /// The longest that an item becomes when everything fits.
    pub fitted: f32,
    /// The longest that an item becomes.
    pub largest: f32,
    /// Whether items lie below each other, and not side by side.
    pub down: bool,
}

/// Where items lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Where the visible part begins.
    pub start: f32,
    /// How long it is, in points.
    pub length: f32,
    /// Length of an item in points.
    pub item: f32,
    /// How many points of the whole lie before the visible part.
    pub offset: f32,
    /// How many items there are.
    pub count: usize,
}

impl Zoom {
    /// Shows everything.
    pub fn fit(&mut self) {
        *self = Self::default();
    }

    /// Whether everything is shown.
    pub fn is_fitted(&self) -> bool {
        self.item.is_none()
    }

    /// Enlarges by a factor.
    pub fn zoom(&mut self, factor: f32, span: f32) {
        self.item = Some(self.item.unwrap_or(span).max(0.05) * factor);
    }

    /// Brings an item into view.
    pub fn reveal(&mut self, index: usize) {
        self.reveal = Some(index);
    }

    /// Takes wheel, pinch and drag, and keeps the picture inside.
    pub fn navigate(&mut self, ui: &Ui, response: &Response, room: Room) -> Span {
        let Room { start, length, count, largest, down, .. } = room;
        let along = |point: egui::Vec2| if down { point.y } else { point.x };
        let fitted = (length / count.max(1) as f32).min(room.fitted);
        let mut item = self.item.unwrap_or(fitted).clamp(fitted, largest.max(fitted));
        // What was asked for before the picture had a size is measured by the size that it has.
        self.item = self.item.map(|_| item).filter(|item| *item > fitted * 1.001);
        if let Some(position) = response.hover_pos() {
            let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
            let factor = (scroll.y / 240.0).exp() * pinch;
            if factor != 1.0 {
                let zoomed = (item * factor).clamp(fitted, largest.max(fitted));
                let at = along(position.to_vec2()) - start;
                self.offset = (self.offset + at) * (zoomed / item) - at;
                item = zoomed;
                self.item = (item > fitted * 1.001).then_some(item);
            }
            self.offset -= if down { 0.0 } else { scroll.x };
        }
        if response.dragged() {
            self.offset -= along(response.drag_delta());
        }
        if response.double_clicked() {
            self.fit();
            item = fitted;
        }
        if let Some(index) = self.reveal.take() {
            let from = index as f32 * item;
            if from < self.offset || from + item > self.offset + length {
                self.offset = from - length / 2.0;
            }
        }
        self.offset = self.offset.min(count as f32 * item - length).max(0.0);
        Span { start, length, item, offset: self.offset, count }
    }
}

impl Span {
    /// Where an item begins.
    pub fn at(&self, index: usize) -> f32 {
        self.start + index as f32 * self.item - self.offset
    }

    /// Where the middle of an item lies.
    pub fn middle(&self, index: usize) -> f32 {
        self.at(index) + self.item / 2.0
    }

    /// Where the last visible item ends.
    pub fn end(&self) -> f32 {
        (self.start + self.length).min(self.at(self.count))
    }

    /// The items that are visible, those that are cut off included.
    pub fn visible(&self) -> Range<usize> {
        let item = self.item.max(1e-6);
        let first = (self.offset / item) as usize;
        let last = ((self.offset + self.length) / item).ceil() as usize;
        first.min(self.count)..last.min(self.count)
    }

    /// The item at a place.
    pub fn hit(&self, at: f32) -> Option<usize> {
        let along = at - self.start;
        let inside = along >= 0.0 && along < self.length;
        inside.then(|| ((along + self.offset) / self.item.max(1e-6)) as usize).filter(|&index| index < self.count)
    }
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
    fn only_what_is_seen_is_visible() {
        assert_eq!(span(12.0, 77.0).visible(), 6..32);
        assert_eq!(span(3.0, 0.0).visible(), 0..100);
        assert_eq!(span(1.0, 0.0).end(), 140.0);
        assert_eq!(span(30.0, 0.0).end(), 340.0);
    }
}
