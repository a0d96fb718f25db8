//! Table of a recurrence while it is computed: known cells, the present cell, and the cells that it depends on.
//!
//! Every cell has a node for assistive technology. The caller scrolls a table that is larger than its room.

use egui::{
    Align2, Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use gridwright_window::theme::{self, Palette, palette, text};
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::truncated;

/// State of a cell in the present step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Look {
    /// Not yet known.
    #[default]
    Empty,
    Known,
    /// Could be computed at the same time as the present cell.
    Beside,
    /// Needed for the present cell, from above.
    Above,
    /// Needed for the present cell, from the left.
    Left,
    /// Computed in this step.
    Now,
    Best,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Text inside.
    pub text: String,
    /// State.
    pub look: Look,
    /// Description for assistive technology; empty: the cell has no node.
    pub words: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub text: String,
    /// Colour of a line below the head.
    pub colour: Option<Color32>,
}

/// Content of the widget.
pub(crate) struct Cells<'a> {
    /// Name of the table for assistive technology.
    pub name: &'a str,
    /// The name of the heads, in the corner.
    pub corner: &'a str,
    /// The columns.
    pub columns: &'a [Head],
    /// The names of the rows.
    pub rows: &'a [String],
    /// True if arrows lead from needed cells to the neighbour that is computed from them.
    pub(crate) arrows: bool,
    /// A row and column to be brought into view.
    pub(crate) reveal: Option<(usize, usize)>,
    /// Content of the cell in a row and column.
    pub cell: &'a dyn Fn(usize, usize) -> Cell,
}

/// Smallest and largest size of a cell.
const WIDTH: (f32, f32) = (36.0, 88.0);
const HEIGHT: (f32, f32) = (22.0, 40.0);
const GAP: f32 = 5.0;
const HEAD: f32 = 24.0;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Frame {
    origin: Pos2,
    names: f32,
    cell: Vec2,
}

impl Frame {
    /// Fits cells into `room` within the limits of their size.
    fn new(origin: Pos2, names: f32, (columns, rows): (usize, usize), room: Vec2) -> Self {
        let width = (room.x - names) / columns.max(1) as f32 - GAP;
        let height = (room.y - HEAD) / rows.max(1) as f32 - GAP;
        let cell = vec2(width.clamp(WIDTH.0, WIDTH.1), height.clamp(HEIGHT.0, HEIGHT.1)).floor();
        Self { origin, names, cell }
    }

    fn size(&self, columns: usize, rows: usize) -> Vec2 {
        vec2(self.names, HEAD) + (self.cell + vec2(GAP, GAP)) * vec2(columns as f32, rows as f32)
    }

    fn rect(&self, row: usize, column: usize) -> Rect {
        let step = self.cell + vec2(GAP, GAP);
        let at = self.origin + vec2(self.names, HEAD) + step * vec2(column as f32, row as f32);
        Rect::from_min_size(at, self.cell)
    }
}

/// The colour of what comes from above, such as from the machine before.
pub(crate) fn above(palette: &Palette) -> Color32 {
    palette.curve(1)
}

/// The colour of what comes from the left, such as from the job before.
pub(crate) fn left(palette: &Palette) -> Color32 {
    palette.curve(2)
}

fn names_width(ui: &Ui, cells: &Cells<'_>) -> f32 {
    let wide = |text: &str| {
        let galley = ui.painter().layout_no_wrap(text.to_owned(), theme::font(text::SMALL), Color32::PLACEHOLDER);
        galley.size().x
    };
    let names = cells.rows.iter().map(String::as_str).chain([cells.corner]);
    names.map(wide).fold(24.0, f32::max).min(132.0) + 10.0
}

/// Shows the table in at most this much room.
pub(crate) fn show(ui: &mut Ui, cells: &Cells<'_>, room: Vec2) -> Response {
    let palette = palette(ui.visuals());
    let (columns, rows) = (cells.columns.len(), cells.rows.len());
    let names = names_width(ui, cells);
    let frame = Frame::new(Pos2::ZERO, names, (columns, rows), room);
    let (rect, response) = ui.allocate_exact_size(frame.size(columns, rows), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, cells.name));
    let frame = Frame { origin: rect.min.round(), ..frame };
    let painter = ui.painter();
    heads(painter, cells, &frame, palette);
    let mut parts = Vec::new();
    let listened = nodes::wanted(ui, &response);
    for row in 0..rows {
        for column in 0..columns {
            let (cell, rect) = ((cells.cell)(row, column), frame.rect(row, column));
            if ui.is_rect_visible(rect.expand(GAP)) {
                paint(painter, &cell, rect, cells.arrows, palette);
            }
            if listened && !cell.words.is_empty() {
                let selected = cell.look == Look::Now;
                parts.push(Part { key: (row * columns + column) as u64, rect, name: cell.words, selected });
            }
        }
    }
    if listened {
        nodes::add(ui, &response, &parts);
    }
    if let Some((row, column)) = cells.reveal {
        ui.scroll_to_rect(frame.rect(row, column).expand(2.0 * GAP), None);
    }
    response
}

fn heads(painter: &Painter, cells: &Cells<'_>, frame: &Frame, palette: &Palette) {
    let font = theme::font(text::SMALL);
    let corner = truncated(painter, cells.corner, font.clone(), palette.faint, frame.names - 6.0);
    painter.galley(frame.origin + vec2(0.0, 3.0), corner, palette.faint);
    for (column, head) in cells.columns.iter().enumerate() {
        let rect = frame.rect(0, column);
        let galley = truncated(painter, head.text.as_str(), font.clone(), palette.weak, rect.width());
        painter.galley(pos2(rect.center().x - galley.size().x / 2.0, frame.origin.y + 3.0), galley, palette.weak);
        if let Some(colour) = head.colour {
            let line = Rect::from_min_max(pos2(rect.left(), rect.top() - 5.0), pos2(rect.right(), rect.top() - 2.0));
            painter.rect_filled(line, 1.0, colour);
        }
    }
    for (row, name) in cells.rows.iter().enumerate() {
        let middle = frame.rect(row, 0).center().y;
        let galley = truncated(painter, name.as_str(), font.clone(), palette.weak, frame.names - 6.0);
        painter.galley(pos2(frame.origin.x, middle - galley.size().y / 2.0), galley, palette.weak);
    }
}

fn paint(painter: &Painter, cell: &Cell, rect: Rect, arrows: bool, palette: &Palette) {
    const RADIUS: f32 = 4.0;
    let source = |colour: Color32| (colour.gamma_multiply(0.2), Stroke::new(1.5, colour), palette.text);
    let (fill, stroke, ink) = match cell.look {
        Look::Empty => (palette.blocked, Stroke::NONE, palette.faint),
        Look::Known => (palette.raised, Stroke::new(1.0, palette.border_strong), palette.text),
        Look::Beside => (palette.accent_soft, Stroke::new(1.0, palette.accent.gamma_multiply(0.5)), palette.text),
        Look::Above => source(above(palette)),
        Look::Left => source(left(palette)),
        Look::Now => (palette.accent, Stroke::NONE, palette.on_accent),
        Look::Best => source(palette.good),
    };
    painter.rect_filled(rect, RADIUS, fill);
    painter.rect_stroke(rect, RADIUS, stroke, StrokeKind::Inside);
    let strong = matches!(cell.look, Look::Now | Look::Best);
    let size = if rect.width() < 44.0 { text::SMALL } else { text::BODY };
    let font = if strong { theme::bold_font(size) } else { theme::font(size) };
    if cell.text.is_empty() && cell.look == Look::Empty {
        painter.text(rect.center(), Align2::CENTER_CENTER, "·", font, ink);
    } else {
        let galley = truncated(painter, cell.text.as_str(), font, ink, rect.width() - 4.0);
        painter.galley(rect.center() - galley.size() / 2.0, galley, ink);
    }
    if !arrows {
        return;
    }
    // Which way it is needed, in the gap.
    let (tip, sides) = match cell.look {
        Look::Above => (rect.center_bottom() + vec2(0.0, GAP + 1.0), [vec2(-5.0, -GAP - 1.0), vec2(5.0, -GAP - 1.0)]),
        Look::Left => (rect.right_center() + vec2(GAP + 1.0, 0.0), [vec2(-GAP - 1.0, -5.0), vec2(-GAP - 1.0, 5.0)]),
        _ => return,
    };
    let points = vec![tip, tip + sides[0], tip + sides[1]];
    painter.add(Shape::convex_polygon(points, stroke.color, Stroke::NONE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_fill_their_room_within_reason() {
        let frame = |room: Vec2| Frame::new(Pos2::ZERO, 60.0, (8, 4), room);
        assert_eq!(frame(vec2(60.0 + 8.0 * 65.0, HEAD + 4.0 * 35.0)).cell, vec2(60.0, 30.0));
        assert_eq!(frame(vec2(5_000.0, 5_000.0)).cell, vec2(WIDTH.1, HEIGHT.1), "not larger than is read at a glance");
        assert_eq!(frame(Vec2::ZERO).cell, vec2(WIDTH.0, HEIGHT.0), "and not smaller than its digits");
        let of = frame(Vec2::ZERO);
        let last = of.rect(3, 7);
        assert!((last.max + vec2(GAP, GAP) - of.size(8, 4)).to_vec2().length() < 1e-3, "everything lies inside");
        assert!(of.rect(0, 0).right() < of.rect(0, 1).left());
    }
}
