//! A population as rows of genes: one texture in which every gene has the colour of its value, with a mark before each row.
//!
//! Where several rows or genes share a pixel, one of them is shown, and the picture says so; enlarging shows all.

use egui::{Align2, Color32, ColorImage, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use gridwright_core::numbers::grouped;

use crate::theme::{self, Palette, palette, text};
use crate::widgets::canvas::Canvas;
use crate::widgets::painting::{keys, stepped, truncated};
use crate::widgets::texture::{CachedTexture, GridKey, is_whole, paint_grid};
use crate::widgets::viewport::{Axes, Grid, Room, Span};

/// Content of the widget.
pub struct Genes<'a> {
    /// Number of rows.
    pub rows: usize,
    /// Number of genes of a row.
    pub columns: usize,
    /// Colour of a gene of a row.
    pub colour: &'a dyn Fn(usize, usize) -> Color32,
    /// Colour of the mark before a row.
    pub mark: &'a dyn Fn(usize) -> Color32,
    /// Text in a gene of a row, where there is room.
    pub text: &'a dyn Fn(usize, usize) -> (String, Color32),
    /// Name of a column.
    pub label: &'a dyn Fn(usize) -> String,
    /// Noun for several rows, such as «individuals».
    pub noun: &'a str,
    /// Changes whenever colours do.
    pub revision: u64,
    /// A gene of a row in words.
    pub describe: &'a dyn Fn(usize, usize) -> String,
    /// Describes all rows.
    pub summary: &'a str,
}

/// Where a person has zoomed to, and the texture that was painted last.
#[derive(Debug, Default, Clone)]
pub struct View {
    /// Zoom and scroll position.
    pub axes: Axes,
    column: Option<usize>,
    texture: CachedTexture<GridKey>,
}

/// Input of a person in this frame.
pub struct Outcome {
    /// Response of the whole widget.
    pub response: egui::Response,
    /// The row to select from now on; `None` within for a click outside all items.
    pub picked: Option<Option<usize>>,
    /// The row that was clicked, or chosen by Enter.
    pub opened: Option<usize>,
}

/// Room left of the rows for their numbers and marks.
const GUTTER: f32 = 48.0;
const MARK: f32 = 8.0;
/// Room above the rows for the name of a column.
const HEAD: f32 = 18.0;
/// Room below the rows for a remark.
const FOOT: f32 = 18.0;

/// Lower than this, the rows need all the room.
const LOW: f32 = 130.0;

/// Shows rows in all the room there is; `selected` is a row.
pub fn show(ui: &mut Ui, genes: &Genes<'_>, view: &mut View, selected: Option<usize>) -> Outcome {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || genes.summary.to_owned());
    let (full, response) = (canvas.full, &canvas.response);
    let (head, foot) = if full.height() >= LOW { (HEAD, FOOT) } else { (4.0, 4.0) };
    let min = full.min + vec2(GUTTER, head);
    let area = Rect::from_min_max(min, (full.max - vec2(8.0, foot)).max(min + vec2(16.0, 8.0)));
    let room = |start, length, count, largest, down| Room {
        start,
        length,
        count,
        fitted: Room::fitting(length, count, 24.0),
        largest,
        down,
    };
    let across = view.axes.across.navigate(ui, response, room(area.left(), area.width(), genes.columns, 32.0, false));
    let down = view.axes.down.navigate(ui, response, room(area.top(), area.height(), genes.rows, 24.0, true));
    let grid = Grid { across, down };
    // The mark belongs to its row.
    let beside = area.left() - MARK - 3.0..=area.left();
    let hit = |at: Pos2| grid.hit(if beside.contains(&at.x) { pos2(area.left() + 0.1, at.y) } else { at });
    let (hovered, clicked) = canvas.pointed(hit);
    if let Some(cell) = clicked {
        view.column = cell.map(|(_, column)| column);
    }
    let mut picked = clicked.map(|cell| cell.map(|(row, _)| row));
    let pressed = keys(ui, response);
    pressed.zoom_by(ui, |factor| view.axes.zoom(factor));
    if let Some(row) = stepped(selected, pressed.down, genes.rows) {
        view.axes.down.reveal(row);
        picked = Some(Some(row));
    }
    if let Some(column) = stepped(view.column, pressed.right, genes.columns) {
        view.axes.across.reveal(column);
        view.column = Some(column);
    }
    let opened = clicked.flatten().map(|(row, _)| row).or(selected.filter(|_| pressed.enter));
    let painter = canvas.painter(ui);
    renew(ui, genes, view, &grid);
    paint(&painter, genes, view, &grid, palette);
    let looked_at = hovered.or(selected.zip(view.column.or(Some(0))));
    frame(&painter, genes, full, &grid, (selected, looked_at), palette);
    let cursor = selected.filter(|row| *row < genes.rows);
    canvas.finish(ui, || cursor.map(|row| (genes.describe)(row, view.column.unwrap_or(0))), Vec::new);
    if let Some((row, column)) = hovered {
        canvas.tooltip((genes.describe)(row, column));
    }
    Outcome { response: canvas.response, picked, opened }
}

/// Which item lies at each texel: all visible items, or the one in the middle of each pixel.
fn sampled(span: &Span, pixels: f32) -> Vec<usize> {
    if is_whole(span, pixels) {
        return span.visible().collect();
    }
    let count = ((span.end() - span.start) * pixels).ceil().max(1.0) as usize;
    let item = |texel: usize| (((texel as f32 + 0.5) / pixels + span.offset) / span.item.max(1e-6)) as usize;
    (0..count).map(|texel| item(texel).min(span.count.saturating_sub(1))).collect()
}

/// Renews the texture if its key has changed.
fn renew(ui: &Ui, genes: &Genes<'_>, view: &mut View, grid: &Grid) {
    let pixels = ui.pixels_per_point();
    let key = GridKey::new(ui, genes.revision, *grid);
    if view.texture.key() == Some(&key) || genes.rows * genes.columns == 0 {
        return;
    }
    let (columns, rows) = (sampled(&grid.across, pixels), sampled(&grid.down, pixels));
    let colours = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (genes.colour)(row, column)));
    view.texture.set(ui, "genes", key, ColorImage::new([columns.len(), rows.len()], colours.collect()));
}

/// Paints texture, lines between large genes, texts, and the marks.
fn paint(painter: &Painter, genes: &Genes<'_>, view: &View, grid: &Grid, palette: &Palette) {
    let Some(texture) = view.texture.id().filter(|_| genes.rows * genes.columns > 0) else { return };
    let (pixels, body, across, down) = (painter.pixels_per_point(), grid.body(), &grid.across, &grid.down);
    paint_grid(painter, texture, grid, 5.0, palette.surface);
    let inside = painter.with_clip_rect(body.intersect(painter.clip_rect()));
    if across.item >= 18.0 && down.item >= 13.0 {
        for row in down.visible() {
            for column in across.visible() {
                let (words, ink) = (genes.text)(row, column);
                let at = grid.cell(row, column).center();
                inside.text(at, Align2::CENTER_CENTER, words, theme::font(text::TINY), ink);
            }
        }
    }
    let beside = Rect::from_x_y_ranges(body.left() - MARK - 3.0..=body.left() - 3.0, body.y_range());
    let mut mesh = Mesh::default();
    for (texel, row) in sampled(down, pixels).into_iter().enumerate() {
        let (top, height) = match is_whole(down, pixels) {
            true => (down.at(row), down.item),
            false => (body.top() + texel as f32 / pixels, 1.0 / pixels),
        };
        let gap = if height >= 5.0 { 1.0 } else { 0.0 };
        let range = top.max(body.top())..=(top + height - gap).min(body.bottom());
        mesh.add_colored_rect(Rect::from_x_y_ranges(beside.x_range(), range), (genes.mark)(row));
    }
    painter.add(Shape::mesh(mesh));
}

/// Borders, numbers of rows, the selected row, the name of a column, and what is left out.
fn frame(
    painter: &Painter, genes: &Genes<'_>, full: Rect, grid: &Grid,
    (selected, looked_at): (Option<usize>, Option<(usize, usize)>), palette: &Palette,
) {
    let (body, across, down) = (grid.body(), &grid.across, &grid.down);
    painter.rect_stroke(body, 0.0, Stroke::new(1.0, palette.border), StrokeKind::Outside);
    let inside = painter.with_clip_rect(body.expand(3.0).intersect(painter.clip_rect()));
    if let Some(row) = selected.filter(|row| down.visible().contains(row)) {
        let rect = Rect::from_x_y_ranges(body.x_range(), down.at(row)..=down.at(row) + down.item.max(3.0));
        inside.rect_stroke(rect, 0.0, Stroke::new(2.0, palette.accent), StrokeKind::Outside);
    }
    let right = body.left() - MARK - 8.0;
    let height = |row: usize| (down.middle(row)).clamp(body.top() + 6.0, (body.bottom() - 6.0).max(body.top() + 6.0));
    let mut taken: Vec<f32> = Vec::new();
    let ends = [down.visible().start, down.visible().end.saturating_sub(1)];
    let first = [selected, looked_at.map(|(row, _)| row)].into_iter().flatten().map(|row| (row, true));
    for (row, is_bold) in first.chain(ends.map(|row| (row, false))).filter(|(row, _)| down.visible().contains(row)) {
        let y = height(row);
        if taken.iter().all(|other| (other - y).abs() >= 11.0) {
            taken.push(y);
            let (font, ink) = match is_bold {
                true => (theme::bold_font(text::TINY), palette.text),
                false => (theme::font(text::TINY), palette.weak),
            };
            painter.text(pos2(right, y), Align2::RIGHT_CENTER, grouped(row as i64 + 1), font, ink);
        }
    }
    if full.height() < LOW {
        return;
    }
    if let Some((_, column)) = looked_at.filter(|(_, column)| across.visible().contains(column)) {
        let words =
            truncated(painter, (genes.label)(column), theme::bold_font(text::SMALL), palette.text, body.width());
        let half = words.size().x / 2.0;
        let x = across.middle(column).clamp(body.left() + half, (body.right() - half).max(body.left() + half));
        painter.galley(pos2(x - half, full.top() + (HEAD - words.size().y) / 2.0), words, palette.text);
        painter.vline(across.middle(column), body.top() - 3.0..=body.top(), Stroke::new(1.0, palette.text));
    }
    let hidden = hidden(genes, grid, painter.pixels_per_point());
    if !hidden.is_empty() {
        let words = truncated(painter, hidden, theme::font(text::SMALL), palette.weak, body.width());
        painter.galley(pos2(body.left(), full.bottom() - FOOT + 3.0), words, palette.weak);
    }
}

/// «4 096 individuals on 400 lines: about one in 10 is shown; enlarge to see all»; empty if all visible ones are.
fn hidden(genes: &Genes<'_>, grid: &Grid, pixels: f32) -> String {
    let (rows, columns) = (grid.down.item * pixels, grid.across.item * pixels);
    let part = |item: f32| match (1.0 / item).round() {
        few if few < 2.0 => "some are left out".to_owned(),
        many => format!("about one in {} is shown", grouped(many as i64)),
    };
    if rows < 1.0 {
        let lines = sampled(&grid.down, pixels).len();
        let (count, noun) = (grouped(genes.rows as i64), genes.noun);
        return format!("{count} {noun} on {lines} lines: {}; enlarge to see all", part(rows));
    }
    if columns < 1.0 { format!("Of the genes, {}; enlarge to see all", part(columns)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(item: f32, count: usize) -> Span {
        Span { start: 0.0, length: 100.0, item, offset: 0.0, count }
    }

    #[test]
    fn every_item_has_a_texel_where_there_is_room() {
        assert_eq!(sampled(&span(2.0, 7), 1.0), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(sampled(&span(0.5, 200), 2.0).len(), 200, "fine screens have more pixels than points");
    }

    #[test]
    fn items_that_share_a_pixel_are_thinned_evenly() {
        let shown = sampled(&span(0.1, 1_000), 1.0);
        assert_eq!((shown.len(), shown[0], shown[99]), (100, 5, 995));
        assert!(shown.windows(2).all(|pair| (9..=11).contains(&(pair[1] - pair[0]))));
        let genes = Genes {
            rows: 1_000,
            columns: 2,
            colour: &|_, _| Color32::PLACEHOLDER,
            mark: &|_| Color32::PLACEHOLDER,
            text: &|_, _| (String::new(), Color32::PLACEHOLDER),
            label: &|_| String::new(),
            noun: "individuals",
            revision: 0,
            describe: &|_, _| String::new(),
            summary: "",
        };
        let words = |down| hidden(&genes, &Grid { across: span(20.0, 2), down }, 1.0);
        let told = words(span(0.1, 1_000));
        assert!(told.contains("on 100 lines") && told.contains("one in 10"), "{told}");
        assert_eq!(words(span(2.0, 1_000)), "");
    }
}
