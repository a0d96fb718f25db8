//! Where the cells of a grid lie, and which cell lies under a point.

use std::ops::Range;

use egui::emath::GuiRounding;
use egui::{Pos2, Rect, Vec2, pos2};

/// Where the cells of a grid lie on the screen, in points.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Cells, row labels and column labels.
    pub(super) full: Rect,
    /// Cells alone.
    pub(super) area: Rect,
    cell: Vec2,
    rows: usize,
    columns: usize,
    offset: Vec2,
    /// Pixels per point.
    pub(super) pixels: f32,
}

impl Layout {
    /// Cells of this size in `areas` (with and without labels); `counts` are rows and columns.
    pub(super) fn new(areas: (Rect, Rect), cell: Vec2, counts: (usize, usize), offset: Vec2, pixels: f32) -> Self {
        let ((full, area), (rows, columns)) = (areas, counts);
        Self { full, area, cell, rows, columns, offset, pixels }
    }

    /// Height of a row.
    pub fn row_height(&self) -> f32 {
        self.cell.y
    }

    /// Width of a column.
    pub fn column_width(&self) -> f32 {
        self.cell.x
    }

    /// Number of rows, visible or not.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, visible or not.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The left edge of a column.
    pub(super) fn x(&self, column: usize) -> f32 {
        (self.area.left() - self.offset.x + column as f32 * self.cell.x).round_to_pixels(self.pixels)
    }

    /// The upper edge of a row.
    pub(super) fn y(&self, row: usize) -> f32 {
        (self.area.top() - self.offset.y + row as f32 * self.cell.y).round_to_pixels(self.pixels)
    }

    /// The rows of which something is visible.
    pub fn visible_rows(&self) -> Range<usize> {
        visible(self.offset.y, self.area.height(), self.cell.y, self.rows)
    }

    /// The columns of which something is visible.
    pub fn visible_columns(&self) -> Range<usize> {
        visible(self.offset.x, self.area.width(), self.cell.x, self.columns)
    }

    /// Where a cell lies, also outside of what is visible.
    pub fn cell(&self, row: usize, column: usize) -> Rect {
        Rect::from_min_max(pos2(self.x(column), self.y(row)), pos2(self.x(column + 1), self.y(row + 1)))
    }

    /// The cell without the gap to its neighbours.
    pub(super) fn inner(&self, row: usize, column: usize) -> Rect {
        let mut rect = self.cell(row, column);
        let gap = 1.0 / self.pixels;
        if rect.width() > 3.0 {
            rect.max.x -= gap;
        }
        if rect.height() > 3.0 {
            rect.max.y -= gap;
        }
        rect
    }

    /// The row and column of the cell at a point.
    pub fn hit(&self, position: Pos2) -> Option<(usize, usize)> {
        self.row_at(position).zip(self.column_at(position))
    }

    /// The row at a point: a label belongs to its row.
    pub fn row_at(&self, position: Pos2) -> Option<usize> {
        let inside = self.full.contains(position) && position.y >= self.area.top();
        let at = position.y - self.area.top() + self.offset.y;
        inside.then_some((at / self.cell.y) as usize).filter(|&row| row < self.rows)
    }

    /// The column at a point: a label belongs to its column.
    pub fn column_at(&self, position: Pos2) -> Option<usize> {
        let inside = self.full.contains(position) && position.x >= self.area.left();
        let at = position.x - self.area.left() + self.offset.x;
        inside.then_some((at / self.cell.x) as usize).filter(|&column| column < self.columns)
    }
}

/// The items of `step` points each of which something lies within `offset`…`offset + extent`.
pub fn visible(offset: f32, extent: f32, step: f32, count: usize) -> Range<usize> {
    let first = (offset / step).floor().max(0.0) as usize;
    let last = ((offset + extent) / step).ceil().max(0.0) as usize;
    first.min(count)..last.min(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn only_what_is_visible_is_visited() {
        assert_eq!(visible(0.0, 100.0, 10.0, 1000), 0..10);
        assert_eq!(visible(95.0, 100.0, 10.0, 1000), 9..20);
        assert_eq!(visible(0.0, 100.0, 10.0, 4), 0..4);
    }

    #[test]
    fn hits_are_the_cells_that_are_painted() {
        let full = Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 300.0));
        let area = Rect::from_min_max(full.min + vec2(76.0, 28.0), full.max);
        let layout = Layout::new((full, area), vec2(20.0, 7.0), (200, 10), vec2(0.0, 35.0), 1.0);
        for (row, column) in [(5, 0), (11, 3), (30, 9)] {
            assert_eq!(layout.hit(layout.cell(row, column).center()), Some((row, column)));
        }
        let at = |x: f32, y: f32| (layout.row_at(pos2(x, y)), layout.column_at(pos2(x, y)));
        assert_eq!(at(12.0, area.top() + 1.0), (Some(5), None), "the gutter belongs to its row");
        assert_eq!(at(area.left() + 5.0, 21.0), (None, Some(0)), "the header belongs to its column");
        assert_eq!(layout.hit(pos2(5.0, 60.0)), None, "outside");
    }
}
