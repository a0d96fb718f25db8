//! Painting of cells, labels, trails and outlines.

use egui::{Align2, Color32, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use gridwright_core::numbers::grouped;
use gridwright_core::scene::axis::whole_ticks;

use super::layout::{GUTTER, HEAD, Layout};
use super::{Cell, GridPlayback, Mark, Trail, View, arrows, texture};
use gridwright_window::theme::{self, Palette, text};
use gridwright_window::widgets::painting::truncated;

/// The selected cell, and the stream and the cell under the pointer.
pub(super) type Attention = (Option<Cell>, Option<(usize, Cell)>);

/// At most this many cells of a trail are painted, the latest.
const TRAIL: usize = 600;

/// All cells: two rectangles for each row, in a mesh for each stream over one texture.
pub(super) fn cells(painter: &Painter, view: &View, layout: &Layout) {
    let Some(texture_id) = view.texture.id() else { return };
    let lines = (layout.bodies.len() * layout.rows * 2).max(1) as f32;
    for (stream, body) in layout.bodies.iter().enumerate() {
        let mut mesh = Mesh::with_texture(texture_id);
        let x = if texture::is_whole(layout) {
            let (visible, shift) = (layout.columns.visible(), layout.shift(stream));
            layout.columns.at(visible.start) + shift..=layout.columns.at(visible.end) + shift
        } else {
            body.left()..=body.right()
        };
        for row in 0..layout.rows {
            let top = body.top() + row as f32 * layout.row;
            let line = (2 * (stream * layout.rows + row)) as f32;
            let mut put = |y: std::ops::RangeInclusive<f32>, line: f32| {
                let uv = Rect::from_min_max(pos2(0.0, line / lines), pos2(1.0, (line + 1.0) / lines));
                mesh.add_rect_with_uv(Rect::from_x_y_ranges(x.clone(), y), uv, Color32::WHITE);
            };
            put(top..=top + layout.colour, line);
            put(top + layout.colour..=top + layout.colour + layout.mark, line + 1.0);
        }
        painter.with_clip_rect(body.intersect(painter.clip_rect())).add(Shape::mesh(mesh));
    }
}

/// Lines between cells, figures, names, numbers, arrows, outlines.
pub(super) fn decorate(
    painter: &Painter, grid_playback: &GridPlayback<'_>, layout: &Layout, attention: Attention, palette: &Palette,
) {
    for (index, stream) in grid_playback.streams.iter().enumerate() {
        let body = layout.bodies[index];
        let inside = painter.with_clip_rect(body.expand(2.0).intersect(painter.clip_rect()));
        if layout.columns.item >= 7.0 {
            let thin = Stroke::new(1.0 / layout.pixels, palette.surface);
            for column in layout.columns.visible() {
                inside.vline(layout.columns.at(column) + layout.shift(index), body.y_range(), thin);
            }
        }
        if layout.columns.item >= 30.0 && layout.colour >= 13.0 {
            figures(&inside, grid_playback, layout, index, palette);
        }
        painter.rect_stroke(body.expand(0.5), 0.0, Stroke::new(1.0, palette.border), StrokeKind::Outside);
        head(painter, stream, layout, index, palette);
        numbers(painter, layout, index, attention, palette);
        if let Some(flow) = stream.flow {
            arrows::paint(painter, flow, layout, index, palette);
        }
        for trail in grid_playback.trails.iter().filter(|trail| trail.stream == index) {
            way(&inside, layout, trail, palette);
        }
        outlines(&inside, layout, index, attention, palette);
    }
}

fn head(painter: &Painter, stream: &super::Stream<'_>, layout: &Layout, index: usize, palette: &Palette) {
    let frame = layout.frames[index];
    let at = pos2(frame.left() + GUTTER, frame.top() + HEAD / 2.0);
    let font = theme::bold_font(text::BODY);
    let name = painter.layout_no_wrap(stream.name.to_owned(), font, palette.text);
    let width = name.size().x;
    painter.galley(at - vec2(0.0, name.size().y / 2.0), name, palette.text);
    let room = frame.right() - at.x - width - 12.0;
    let caption = truncated(painter, stream.caption, theme::font(text::SMALL), palette.weak, room);
    painter.galley(at + vec2(width + 10.0, 0.5 - caption.size().y / 2.0), caption, palette.weak);
}

/// The numbers of rows at the left, those of columns below.
fn numbers(painter: &Painter, layout: &Layout, index: usize, attention: Attention, palette: &Palette) {
    let body = layout.bodies[index];
    let font = theme::font(text::TINY);
    let looked_at = attention.1.filter(|(stream, _)| *stream == index).map(|(_, cell)| cell).or(attention.0);
    let every = (13.0 / layout.row).ceil().max(1.0) as usize;
    for row in 0..layout.rows {
        let lone = looked_at.is_some_and(|cell| cell.row == row);
        let hidden = looked_at.is_some_and(|cell| cell.row.abs_diff(row) < every) && !lone;
        if (row % every != 0 && !lone) || hidden {
            continue;
        }
        let y = body.top() + row as f32 * layout.row + (layout.colour + layout.mark) / 2.0;
        let (font, ink) =
            if lone { (theme::bold_font(text::TINY), palette.text) } else { (font.clone(), palette.weak) };
        painter.text(pos2(body.left() - 20.0, y), Align2::RIGHT_CENTER, (row + 1).to_string(), font, ink);
    }
    if !layout.numbered[index] {
        return;
    }
    let span = layout.columns;
    let (first, last) = (span.offset / span.item, (span.offset + body.width()) / span.item);
    let y = body.bottom() + layout.edge + 6.0;
    let mut taken = looked_at.map(|cell| span.middle(cell.column) + layout.shift(index));
    if let Some(cell) = looked_at.filter(|cell| span.visible().contains(&cell.column)) {
        let x = taken.unwrap_or_default();
        let words = grouped(cell.column as i64 + 1);
        painter.text(pos2(x, y), Align2::CENTER_CENTER, words, theme::bold_font(text::TINY), palette.text);
    } else {
        taken = None;
    }
    let least = f64::from(34.0 / span.item);
    for tick in std::iter::once(1).chain(whole_ticks(f64::from(first), f64::from(last), least).filter(|tick| *tick > 0))
    {
        let x = span.at(tick as usize) - span.item / 2.0 + layout.shift(index);
        let crowded = tick == 1 && least > 1.0 && (first > 0.0 || f64::from(34.0 / span.item) > 40.0);
        if x < body.left() - 1.0 || x > body.right() + 1.0 || crowded || taken.is_some_and(|at| (at - x).abs() < 26.0) {
            continue;
        }
        painter.text(pos2(x, y), Align2::CENTER_CENTER, grouped(tick as i64), font.clone(), palette.weak);
    }
}

/// Writes the texts of cells that are large enough.
fn figures(painter: &Painter, grid_playback: &GridPlayback<'_>, layout: &Layout, index: usize, palette: &Palette) {
    let stream = &grid_playback.streams[index];
    for row in 0..layout.rows {
        for column in layout.columns.visible() {
            let at = row * grid_playback.columns + column;
            let (Some(&shade), mark) = (stream.shades.get(at), stream.marks.get(at)) else { continue };
            let ink = match mark {
                Some(Mark::Reached) => palette.surface,
                _ if shade.is_nan() => palette.weak,
                _ => palette.on_cost(shade.clamp(0.0, 1.0)),
            };
            let cell = Cell { row, column };
            let rect = layout.cell(index, cell);
            let words = (grid_playback.figure)(index, cell);
            let galley = truncated(painter, words, theme::font(text::TINY), ink, rect.width() - 3.0);
            let middle = pos2(rect.center().x, rect.top() + layout.colour / 2.0);
            painter.galley(middle - galley.size() / 2.0, galley, ink);
        }
    }
}

fn outlines(painter: &Painter, layout: &Layout, index: usize, (selected, hovered): Attention, palette: &Palette) {
    let rect = |cell| {
        let rect = layout.cell(index, cell);
        // A column of less than a few points still has to be found.
        Rect::from_center_size(rect.center(), rect.size().max(vec2(4.0, 4.0)))
    };
    if let Some((_, cell)) = hovered {
        painter.rect_stroke(rect(cell), 1.0, Stroke::new(1.0, palette.text), StrokeKind::Outside);
    }
    if let Some(cell) = selected {
        painter.rect_stroke(rect(cell), 1.0, Stroke::new(4.0, palette.surface), StrokeKind::Outside);
        painter.rect_stroke(rect(cell), 1.0, Stroke::new(2.0, palette.accent), StrokeKind::Outside);
    }
}

/// Paints a trail as a line through the middles of its cells, broken where it leaves at one end and
/// enters at the other.
fn way(painter: &Painter, layout: &Layout, trail: &Trail<'_>, palette: &Palette) {
    let latest = &trail.cells[trail.cells.len().saturating_sub(TRAIL)..];
    let middle = |cell: Cell| layout.cell(trail.stream, cell).center();
    let mut parts: Vec<Vec<egui::Pos2>> = Vec::new();
    let mut before: Option<Cell> = None;
    for &cell in latest {
        let near = |from: Cell| from.row.abs_diff(cell.row) + from.column.abs_diff(cell.column) <= 1;
        match parts.last_mut().filter(|_| before.is_some_and(near)) {
            Some(part) => part.push(middle(cell)),
            None => parts.push(vec![middle(cell)]),
        }
        before = Some(cell);
    }
    for (width, colour) in [(4.0, palette.surface), (2.0, palette.accent)] {
        for part in &parts {
            match part[..] {
                [lone] => {
                    painter.circle_filled(lone, width / 2.0 + 0.5, colour);
                }
                _ => {
                    painter.add(Shape::line(part.clone(), Stroke::new(width, colour)));
                }
            }
        }
    }
    if let Some(&last) = latest.last() {
        let at = middle(last);
        painter.circle_filled(at, 5.5, palette.surface);
        painter.circle_filled(at, 4.0, palette.accent);
    }
}

/// A cell with this mark, for a legend.
pub(super) fn sample(painter: &Painter, rect: Rect, mark: Mark, palette: &Palette) {
    let split = rect.bottom() - 4.0;
    let (above, below) = match mark {
        Mark::Nothing => (palette.cost(0.35), palette.surface),
        Mark::Changed => (palette.cost(0.35), palette.text),
        Mark::Reached => (palette.good, palette.good),
    };
    painter.rect_filled(rect.with_max_y(split), 0.0, above);
    painter.rect_filled(rect.with_min_y(split), 0.0, below);
}
