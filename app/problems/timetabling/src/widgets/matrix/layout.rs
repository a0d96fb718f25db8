//! Geometry of a grid: places of cells and labels, hit tests.

use std::ops::Range;

use egui::emath::GuiRounding;
use egui::{Pos2, Rect, pos2};

use gridwright_window::widgets::viewport::Grid;

/// Places of cells and labels on the screen, in points.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Cells, row labels and column labels.
    pub(super) full: Rect,
    /// Room for cells.
    pub(crate) area: Rect,
    grid: Grid,
    /// Pixels per point.
    pub(super) pixels: f32,
}

impl Layout {
    /// The cells of `grid` with their labels in `full`.
    pub(super) fn new(full: Rect, grid: Grid, pixels: f32) -> Self {
        Self { full, area: grid.area(), grid, pixels }
    }

    /// Height of a row.
    pub fn row_height(&self) -> f32 {
        self.grid.down.item
    }

    /// Width of a column.
    pub fn column_width(&self) -> f32 {
        self.grid.across.item
    }

    /// Number of rows, visible or not.
    pub fn rows(&self) -> usize {
        self.grid.down.count
    }

    /// Number of columns, visible or not.
    pub fn columns(&self) -> usize {
        self.grid.across.count
    }

    /// The left edge of a column.
    pub(super) fn x(&self, column: usize) -> f32 {
        self.grid.across.at(column).round_to_pixels(self.pixels)
    }

    /// The upper edge of a row.
    pub(super) fn y(&self, row: usize) -> f32 {
        self.grid.down.at(row).round_to_pixels(self.pixels)
    }

    /// The rows of which something is visible.
    pub fn visible_rows(&self) -> Range<usize> {
        self.grid.down.visible()
    }

    /// The columns of which something is visible.
    pub fn visible_columns(&self) -> Range<usize> {
        self.grid.across.visible()
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

    /// The row at a point; a label belongs to its row; `None` above and below the rows.
    pub fn row_at(&self, position: Pos2) -> Option<usize> {
        self.grid.down.hit(position.y).filter(|_| self.full.x_range().contains(position.x))
    }

    /// The column at a point; a label belongs to its column; `None` beside the columns.
    pub fn column_at(&self, position: Pos2) -> Option<usize> {
        self.grid.across.hit(position.x).filter(|_| self.full.y_range().contains(position.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;
    use gridwright_window::widgets::viewport::Span;

    #[test]
    fn hits_are_the_cells_that_are_painted() {
        let full = Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 300.0));
        let across = Span { start: 86.0, length: 324.0, item: 20.0, offset: 0.0, count: 10 };
        let down = Span { start: 48.0, length: 272.0, item: 7.0, offset: 35.0, count: 200 };
        let layout = Layout::new(full, Grid { across, down }, 1.0);
        let area = layout.area;
        for (row, column) in [(5, 0), (11, 3), (30, 9)] {
            let centre = layout.cell(row, column).center();
            assert_eq!((layout.row_at(centre), layout.column_at(centre)), (Some(row), Some(column)));
        }
        let at = |x: f32, y: f32| (layout.row_at(pos2(x, y)), layout.column_at(pos2(x, y)));
        assert_eq!(at(12.0, area.top() + 1.0), (Some(5), None), "the gutter belongs to its row");
        assert_eq!(at(area.left() + 5.0, 21.0), (None, Some(0)), "the header belongs to its column");
        assert_eq!(layout.row_at(pos2(5.0, 60.0)), None, "outside");
    }
}
