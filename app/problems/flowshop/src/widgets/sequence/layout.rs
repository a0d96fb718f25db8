//! Geometry of chips: all of one size, in rows like words.

use std::ops::Range;

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use gridwright_window::widgets::viewport::visible;

pub(crate) const HEIGHT: f32 = 26.0;
/// Between chips: room for the marker.
const GAP: f32 = 6.0;
const MARGIN: f32 = 8.0;

/// Where chips lie on the screen, in points.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    visible: Rect,
    /// The upper left corner of the first chip.
    origin: Pos2,
    width: f32,
    columns: usize,
    count: usize,
}

impl Layout {
    /// So many chips of this width, as many beside each other as fit.
    pub(super) fn new(full: Rect, width: f32, count: usize) -> Self {
        // The bar of scrolling is at the right.
        let room = full.width() - 2.0 * MARGIN - 6.0;
        let columns = (((room + GAP) / (width + GAP)) as usize).max(1);
        Self { visible: full, origin: full.min + Vec2::splat(MARGIN), width, columns, count }
    }

    /// This layout scrolled so that it begins at `min`, of which `visible` is in sight.
    pub(super) fn at(&self, min: Pos2, visible: Rect) -> Self {
        Self { origin: min + Vec2::splat(MARGIN), visible, ..self.clone() }
    }

    /// The part of the screen in sight.
    pub fn visible(&self) -> Rect {
        self.visible
    }

    /// Number of chips beside each other.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Height of all rows with their margins.
    pub fn height(&self) -> f32 {
        self.count.div_ceil(self.columns) as f32 * (HEIGHT + GAP) - GAP + 2.0 * MARGIN
    }

    /// Where a chip lies, also outside of what is visible.
    pub fn chip(&self, position: usize) -> Rect {
        let place = vec2((position % self.columns) as f32, (position / self.columns) as f32);
        Rect::from_min_size(self.origin + place * vec2(self.width + GAP, HEIGHT + GAP), vec2(self.width, HEIGHT))
    }

    /// The chips of which something is visible.
    pub(crate) fn visible_chips(&self) -> Range<usize> {
        let (from, height) = (self.visible.top() - self.origin.y, self.visible.height());
        let rows = visible(from, height, HEIGHT + GAP, self.count.div_ceil(self.columns));
        rows.start * self.columns..(rows.end * self.columns).min(self.count)
    }

    /// The chip at a point; `None` if there is none.
    pub(crate) fn hit(&self, position: Pos2) -> Option<usize> {
        let (row, column) = self.place(position);
        let position_of = row.max(0.0) as usize * self.columns + column.max(0.0) as usize;
        let inside = row >= 0.0 && column >= 0.0 && (column as usize) < self.columns && position_of < self.count;
        (inside && self.visible.contains(position) && self.chip(position_of).contains(position)).then_some(position_of)
    }

    /// The gap between chips that is nearest to a point: 0 is before the first one.
    pub(crate) fn gap_at(&self, position: Pos2) -> usize {
        let (row, column) = self.place(position);
        let rows = self.count.div_ceil(self.columns).max(1);
        let row = (row.max(0.0) as usize).min(rows - 1);
        let column = (column + 0.5).clamp(0.0, self.columns as f32) as usize;
        (row * self.columns + column).min(self.count)
    }

    /// Rows and columns from the first chip to a point.
    fn place(&self, position: Pos2) -> (f32, f32) {
        let at = position - self.origin;
        ((at.y + GAP / 2.0) / (HEIGHT + GAP), (at.x + GAP / 2.0) / (self.width + GAP))
    }

    /// Where the marker of a gap stands: before the chip in this place, at the end of the row behind its last one.
    pub(super) fn marker(&self, gap: usize, near: Option<Pos2>) -> Rect {
        let behind = gap > 0 && (gap == self.count || (gap.is_multiple_of(self.columns) && self.ends_row(gap, near)));
        let rect = self.chip(if behind { gap - 1 } else { gap });
        let x = if behind { rect.right() + GAP / 2.0 } else { rect.left() - GAP / 2.0 };
        Rect::from_min_max(pos2(x - 1.5, rect.top() - 2.0), pos2(x + 1.5, rect.bottom() + 2.0))
    }

    /// Returns `true` if a gap between two rows is meant at the end of the upper one.
    fn ends_row(&self, gap: usize, near: Option<Pos2>) -> bool {
        near.is_some_and(|near| near.y < self.chip(gap).top() - GAP / 2.0)
    }

    /// Scroll position in points at which a chip is in sight; `None` where it is already.
    pub(super) fn scrolled_to(&self, position: usize, offset: f32, height: f32) -> Option<f32> {
        let top = MARGIN + (position / self.columns) as f32 * (HEIGHT + GAP);
        let seen = top >= offset && top + HEIGHT <= offset + height;
        (!seen).then_some(top - (height - HEIGHT) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        // Four chips of 60 beside each other: 4 · 60 + 3 · 6 ≤ 300 − 22.
        let full = Rect::from_min_size(pos2(20.0, 30.0), vec2(300.0, 100.0));
        Layout::new(full, 60.0, 10)
    }

    #[test]
    fn every_chip_is_hit_where_it_is_painted() {
        let layout = layout();
        assert_eq!(layout.columns(), 4);
        for position in layout.visible_chips().filter(|&p| layout.visible.contains(layout.chip(p).center())) {
            assert_eq!(layout.hit(layout.chip(position).center()), Some(position));
        }
        assert_eq!(layout.hit(layout.chip(0).right_center() + vec2(3.0, 0.0)), None, "gaps are nobody's");
        assert_eq!(layout.hit(layout.chip(11).center()), None, "there are ten");
    }

    #[test]
    fn gaps_lie_between_the_chips_beside_them() {
        let layout = layout();
        let beside = |position: usize, by: f32| layout.gap_at(layout.chip(position).center() + vec2(by, 0.0));
        assert_eq!((beside(0, -20.0), beside(0, 20.0), beside(1, -20.0)), (0, 1, 1));
        assert_eq!((beside(3, 20.0), beside(4, -20.0)), (4, 4), "the end of a row is the beginning of the next");
        assert_eq!(layout.gap_at(pos2(1000.0, 1000.0)), 10, "behind everything");
        assert_eq!(layout.gap_at(pos2(-1000.0, -1000.0)), 0);
    }

    #[test]
    fn only_what_is_visible_is_visited() {
        let full = Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 100.0));
        let layout = Layout::new(full, 60.0, 500);
        let scrolled = layout.at(pos2(0.0, -640.0), full);
        // The first row begins 632 points above, and 632 / 32 = 19.75; 732 / 32 = 22.875.
        assert_eq!(scrolled.visible_chips(), 19 * 4..23 * 4);
        assert_eq!(layout.scrolled_to(0, 0.0, 100.0), None);
        assert!(layout.scrolled_to(300, 0.0, 100.0).is_some_and(|offset| offset > 2000.0));
    }
}
