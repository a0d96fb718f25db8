//! Where rows and times lie on the screen, and what lies under a point.

use std::ops::Range;

use egui::emath::GuiRounding;
use egui::{Pos2, Rect, pos2};
use gridwright_solver::flowshop::drawing::layout::{self, Rows};

use super::super::matrix::visible;
use super::{Chart, Operation};

/// The part of a row that the bars of a compared schedule take.
const GHOST: f32 = 0.32;

/// Where rows and times of a chart lie on the screen, in points.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Everything.
    pub full: Rect,
    /// Bars alone; ends with the last row where rows leave room.
    pub area: Rect,
    /// Where due dates hang, below the rows; no height where there are none.
    pub(super) foot: Rect,
    /// From when until when, in time units.
    pub time: Range<f64>,
    /// When the whole chart ends.
    pub(super) end: f64,
    pub(super) row_height: f32,
    pub(super) offset: f32,
    pub(super) rows: usize,
    /// Whether a compared schedule has a part of each row.
    pub(super) ghost: bool,
    /// Pixels per point.
    pub(super) pixels: f32,
}

impl Frame {
    /// Points per time unit.
    pub fn scale(&self) -> f64 {
        f64::from(self.area.width()) / (self.time.end - self.time.start)
    }

    /// Where a time lies; what is far outside lies just outside.
    pub fn x(&self, time: f64) -> f32 {
        let at = f64::from(self.area.left()) + (time - self.time.start) * self.scale();
        let beyond = 8.0;
        let at = at.clamp(f64::from(self.area.left()) - beyond, f64::from(self.area.right()) + beyond);
        (at as f32).round_to_pixels(self.pixels)
    }

    /// The upper edge of a row.
    pub fn y(&self, row: usize) -> f32 {
        (self.area.top() - self.offset + row as f32 * self.row_height).round_to_pixels(self.pixels)
    }

    /// The time at a point, without rounding.
    pub fn time_at(&self, x: f32) -> f64 {
        self.time.start + f64::from(x - self.area.left()) / self.scale()
    }

    /// The row at a height, names of rows included.
    pub fn row_at(&self, position: Pos2) -> Option<usize> {
        let inside = self.full.x_range().contains(position.x) && self.area.y_range().contains(position.y);
        let at = (position.y - self.area.top() + self.offset) / self.row_height;
        (inside && at >= 0.0).then_some(at as usize).filter(|&row| row < self.rows)
    }

    /// The rows of which something is visible.
    pub fn visible_rows(&self) -> Range<usize> {
        visible(self.offset, self.area.height(), self.row_height, self.rows)
    }

    /// What is visible, in time units and rows.
    pub fn view(&self) -> layout::View {
        layout::View { time: self.time.clone(), rows: self.visible_rows() }
    }

    /// Operations that together take no longer than this share a bar: a pixel, in time units.
    pub(super) fn finest(&self) -> f64 {
        1.0 / (f64::from(self.pixels) * self.scale())
    }

    /// What a row leaves free above and below its bars.
    fn inset(&self) -> f32 {
        if self.row_height < 4.0 { 0.0 } else { (self.row_height * 0.12).clamp(0.5, 4.0) }
    }

    /// The height of a row between its insets.
    pub(super) fn lane(&self, row: usize) -> (f32, f32) {
        let (top, bottom) = (self.y(row) + self.inset(), self.y(row + 1) - self.inset());
        (top.round_to_pixels(self.pixels), bottom.max(top + 1.0 / self.pixels).round_to_pixels(self.pixels))
    }

    /// Where the bar from one time to another lies, also outside of what is visible; at least a pixel wide.
    pub fn bar(&self, row: usize, start: u32, end: u32) -> Rect {
        let (top, bottom) = self.lane(row);
        let bottom = if self.ghost { bottom - (bottom - top) * GHOST } else { bottom };
        self.span(start, end, top, bottom)
    }

    /// The same for the schedule that it is compared with.
    pub(super) fn ghost_bar(&self, row: usize, start: u32, end: u32) -> Rect {
        let (top, bottom) = self.lane(row);
        let from = bottom - (bottom - top) * GHOST + self.row_height.min(14.0) * 0.1;
        self.span(start, end, from.min(bottom - 1.0 / self.pixels), bottom)
    }

    fn span(&self, start: u32, end: u32, top: f32, bottom: f32) -> Rect {
        let left = self.x(f64::from(start));
        let right = self.x(f64::from(end)).max(left + 1.0 / self.pixels);
        Rect::from_min_max(pos2(left, top), pos2(right, bottom.round_to_pixels(self.pixels)))
    }

    /// Whether a time is in sight.
    pub(super) fn sees(&self, time: u32) -> bool {
        (self.time.start..=self.time.end).contains(&f64::from(time))
    }

    /// The operation at a point.
    pub fn hit(&self, chart: &Chart<'_>, position: Pos2) -> Option<Operation> {
        let row = self.row_at(position).filter(|_| self.area.contains(position))?;
        let piece = chart.layout.at(row, self.time_at(position.x))?;
        chart.operation(piece.row, piece.first)
    }

    /// The row whose name is at a point.
    pub(super) fn name_at(&self, position: Pos2) -> Option<usize> {
        self.row_at(position).filter(|_| position.x < self.area.left())
    }

    /// The job whose name is at a point, in rows of jobs.
    pub(super) fn label_at(&self, chart: &Chart<'_>, position: Pos2) -> Option<usize> {
        let row = self.name_at(position)?;
        (chart.layout.rows == Rows::Jobs).then(|| chart.layout.job(row))
    }
}
