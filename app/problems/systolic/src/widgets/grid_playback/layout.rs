//! Geometry of streams, rows and columns.

use egui::emath::GuiRounding;
use egui::{Pos2, Rect, Response, Ui, pos2, vec2};

use super::{Cell, GridPlayback, View};
use gridwright_window::widgets::viewport::{Room, Span};

/// Arrangement of the streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arrangement {
    /// Side by side where columns stay wide enough, otherwise above each other.
    #[default]
    Automatic,
    /// Above each other.
    Above,
    /// Side by side.
    Beside,
}

/// Room at the left for the numbers of rows and the arrows that enter.
pub(super) const GUTTER: f32 = 42.0;
/// Room at the right for the arrows that leave.
pub(super) const MARGIN: f32 = 24.0;
/// Room above for the name of a stream.
pub(super) const HEAD: f32 = 24.0;
/// Room above and below the cells for arrows.
const EDGE: f32 = 16.0;
/// Room above and below the cells where nothing flows.
const PLAIN: f32 = 2.0;
/// Room below for the numbers of columns.
pub(super) const FOOT: f32 = 16.0;
/// Between two streams.
const BETWEEN: f32 = 8.0;
/// Rows do not become higher than this.
const TALLEST: f32 = 44.0;
/// Rows do not become lower than this.
const LOWEST: f32 = 3.0;
/// Columns do not become wider than this.
const WIDEST: f32 = 76.0;
/// Columns that fit do not become wider than this.
const FITTED: f32 = 40.0;
/// Streams lie side by side by themselves where columns are at least this wide.
const LEGIBLE: f32 = 13.0;

/// Places of streams, columns and cells on the screen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// The whole of each stream: head, cells, arrows, numbers.
    pub frames: Vec<Rect>,
    /// The visible cells of each stream.
    pub(crate) bodies: Vec<Rect>,
    /// Where columns lie in the first stream.
    pub columns: Span,
    /// Height of a row with its mark and the gap below it, in points.
    pub row: f32,
    /// Height of the coloured part of a row.
    pub colour: f32,
    /// Height of the mark below the coloured part.
    pub mark: f32,
    /// Number of rows.
    pub rows: usize,
    /// Room above and below the cells.
    pub edge: f32,
    /// For each stream, `true` if its columns are numbered below it.
    pub numbered: Vec<bool>,
    /// Pixels per point.
    pub pixels: f32,
}

impl Layout {
    /// Takes wheel and drag, too.
    pub fn new(ui: &Ui, response: &Response, grid_playback: &GridPlayback<'_>, view: &mut View) -> Self {
        let full = response.rect;
        let count = grid_playback.streams.len().max(1);
        let pixels = ui.pixels_per_point();
        let beside = match view.arrangement {
            Arrangement::Above => false,
            Arrangement::Beside => count > 1,
            Arrangement::Automatic => {
                let each = (full.width() - BETWEEN) / count as f32 - GUTTER - MARGIN;
                count > 1 && each >= grid_playback.columns as f32 * LEGIBLE
            }
        };
        let (across, down) = if beside { (count, 1) } else { (1, count) };
        let share = |length: f32, parts: usize| (length - BETWEEN * (parts - 1) as f32) / parts as f32;
        let size = vec2(share(full.width(), across), share(full.height(), down)).max(vec2(96.0, 64.0));
        let edge = if grid_playback.streams.iter().any(|stream| stream.flow.is_some()) { EDGE } else { PLAIN };
        // Of many above each other only the last has numbers: columns are the same in all.
        let numbered: Vec<bool> = (0..count).map(|index| beside || count <= 2 || index + 1 == count).collect();
        let foot = |index: usize| if numbered[index] { FOOT } else { 0.0 };
        let feet: f32 = (0..count).map(foot).sum::<f32>() / down as f32;
        let feet = if beside { FOOT } else { feet };
        let room = (size.y - HEAD - 2.0 * edge - feet) / grid_playback.rows.max(1) as f32;
        let row = ((room.clamp(LOWEST, TALLEST) * pixels).floor() / pixels).max(1.0);
        let gap = if row >= 7.0 { 1.0 } else { 0.0 };
        let mark = (row * 0.2).clamp(1.0, 6.0).round_to_pixels(pixels);
        let height = HEAD + 2.0 * edge + row * grid_playback.rows as f32;
        let frame = |index: usize| {
            let above: f32 = (0..index).map(|other| height + foot(other) + BETWEEN).sum();
            let by = if beside { vec2(index as f32 * (size.x + BETWEEN), 0.0) } else { vec2(0.0, above) };
            Rect::from_min_size(full.min + by, vec2(size.x, height + foot(index)))
        };
        let frames: Vec<Rect> = (0..count).map(|index| frame(index).round_to_pixels(pixels)).collect();
        let room = Room {
            start: frames[0].left() + GUTTER,
            length: size.x - GUTTER - MARGIN,
            count: grid_playback.columns,
            fitted: Room::fitting(size.x - GUTTER - MARGIN, grid_playback.columns, FITTED),
            largest: WIDEST,
            down: false,
        };
        let columns = view.zoom.navigate(ui, response, room);
        let body = |frame: &Rect| {
            let min = frame.min + vec2(GUTTER, HEAD + edge);
            let width = columns.end() - columns.start;
            Rect::from_min_size(min, vec2(width, row * grid_playback.rows as f32)).round_to_pixels(pixels)
        };
        let bodies = frames.iter().map(body).collect();
        Self {
            bodies,
            frames,
            columns,
            row,
            colour: row - mark - gap,
            mark,
            rows: grid_playback.rows,
            edge,
            numbered,
            pixels,
        }
    }

    /// Distance in points from the columns of the first stream to those of this one.
    pub(crate) fn shift(&self, stream: usize) -> f32 {
        self.bodies[stream].left() - self.bodies[0].left()
    }

    /// The colour and the mark of a cell.
    pub fn cell(&self, stream: usize, cell: Cell) -> Rect {
        let left = self.columns.at(cell.column) + self.shift(stream);
        let top = self.bodies[stream].top() + cell.row as f32 * self.row;
        Rect::from_min_size(pos2(left, top), vec2(self.columns.item, self.colour + self.mark))
    }

    /// The stream and the cell at a place; `None` beside the cells.
    pub(crate) fn hit(&self, position: Pos2) -> Option<(usize, Cell)> {
        let stream = self.bodies.iter().position(|body| body.contains(position))?;
        let column = self.columns.hit(position.x - self.shift(stream))?;
        let row = ((position.y - self.bodies[stream].top()) / self.row) as usize;
        (row < self.rows).then_some((stream, Cell { row, column }))
    }
}
