//! Geometry of a Gantt chart: places of rows and times on the screen, hit tests.

use std::ops::Range;

use egui::emath::GuiRounding;
use egui::{Pos2, Rect, pos2};
use gridwright_flowshop::drawing::layout::{self, GanttRows};

use super::{Chart, Operation};
use gridwright_window::widgets::viewport::Span;

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
    pub(super) rows: Span,
    /// True if a compared schedule takes a part of each row.
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
        self.rows.at(row).round_to_pixels(self.pixels)
    }

    /// The time at a point, without rounding.
    fn time_at(&self, x: f32) -> f64 {
        self.time.start + f64::from(x - self.area.left()) / self.scale()
    }

    /// The row at a height, names of rows included; `None` above and below the rows.
    fn row_at(&self, position: Pos2) -> Option<usize> {
        self.rows.hit(position.y).filter(|_| self.full.x_range().contains(position.x))
    }

    /// The rows of which something is visible.
    pub(crate) fn visible_rows(&self) -> Range<usize> {
        self.rows.visible()
    }

    /// The visible part in time units and rows.
    pub fn view(&self) -> layout::GanttSection {
        layout::GanttSection { time: self.time.clone(), rows: self.visible_rows() }
    }

    /// Operations that together take no longer than this share a bar: a pixel, in time units.
    pub(super) fn finest(&self) -> f64 {
        1.0 / (f64::from(self.pixels) * self.scale())
    }

    /// Room in points that a row leaves free above and below its bars.
    fn inset(&self) -> f32 {
        if self.rows.item < 4.0 { 0.0 } else { (self.rows.item * 0.12).clamp(0.5, 4.0) }
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

    /// Place of a bar of the compared schedule.
    pub(super) fn ghost_bar(&self, row: usize, start: u32, end: u32) -> Rect {
        let (top, bottom) = self.lane(row);
        let from = bottom - (bottom - top) * GHOST + self.rows.item.min(14.0) * 0.1;
        self.span(start, end, from.min(bottom - 1.0 / self.pixels), bottom)
    }

    fn span(&self, start: u32, end: u32, top: f32, bottom: f32) -> Rect {
        let left = self.x(f64::from(start));
        let right = self.x(f64::from(end)).max(left + 1.0 / self.pixels);
        Rect::from_min_max(pos2(left, top), pos2(right, bottom.round_to_pixels(self.pixels)))
    }

    /// Returns `true` if a time is in sight.
    pub(super) fn sees(&self, time: u32) -> bool {
        (self.time.start..=self.time.end).contains(&f64::from(time))
    }

    /// The operation at a point; `None` if there is none.
    pub(crate) fn hit(&self, chart: &Chart<'_>, position: Pos2) -> Option<Operation> {
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
        (chart.layout.rows == GanttRows::Jobs).then(|| chart.layout.job(row))
    }
}
