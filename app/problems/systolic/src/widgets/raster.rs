//! Rows of bits as one texture, with the share of ones of every column below.
//!
//! Rows that share a pixel are sampled, columns that share one are averaged: who enlarges sees every bit.

use egui::{Align2, Color32, ColorImage, Mesh, Painter, Rect, Sense, Shape, Stroke, StrokeKind, Ui};
use egui::{pos2, vec2};
use gridwright_core::numbers::grouped;
use gridwright_core::scene::axis::whole_ticks;

use gridwright_window::theme::{self, Palette, palette, text};
use gridwright_window::widgets::canvas::{Canvas, Outcome};
use gridwright_window::widgets::painting::{keys, stepped};
use gridwright_window::widgets::texture::{CachedTexture, GridKey, is_whole, paint_grid};
use gridwright_window::widgets::viewport::{Axes, Grid, Room, Span};

/// Content of the widget.
pub struct Raster<'a> {
    /// Bits of a row.
    pub bits: usize,
    /// The rows one after the other, each in whole words, the first bit the lowest of the first word.
    pub words: &'a [u64],
    /// The share of ones of each bit over all rows, 0…1.
    pub shares: &'a [f32],
    /// Groups of rows from the top: number of rows, name.
    pub groups: &'a [(usize, &'a str)],
    /// Changes whenever bits do.
    pub revision: u64,
    /// A bit of a row in words.
    pub describe: &'a dyn Fn(usize, usize) -> String,
    /// Describes all rows.
    pub summary: &'a str,
}

impl Raster<'_> {
    fn stride(&self) -> usize {
        self.bits.div_ceil(64).max(1)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.words.len() / self.stride()
    }

    fn row(&self, row: usize) -> &[u64] {
        let stride = self.stride();
        self.words.get(row * stride..(row + 1) * stride).unwrap_or_default()
    }
}

/// Where a person has zoomed to, and the texture that was painted last.
#[derive(Debug, Default, Clone)]
pub struct View {
    /// Zoom and scroll position.
    pub axes: Axes,
    bit: Option<usize>,
    texture: CachedTexture<GridKey>,
}

impl View {
    /// Selects a bit and brings it into view.
    pub(crate) fn look_at(&mut self, bit: usize) {
        self.bit = Some(bit);
        self.axes.across.reveal(bit);
    }

    /// Brings a row into view.
    pub(crate) fn reveal(&mut self, row: usize) {
        self.axes.down.reveal(row);
    }
}

const GUTTER: f32 = 64.0;
const HEAD: f32 = 4.0;
const FOOT: f32 = 18.0;
const SHARES: f32 = 76.0;
/// Lower than this, rows need all the room there is.
const ROOMY: f32 = 190.0;

/// Shows rows and, below them, the share of ones; `selected` is a row.
pub fn show(ui: &mut Ui, raster: &Raster<'_>, view: &mut View, selected: Option<usize>) -> Outcome {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || raster.summary.to_owned());
    let (full, response) = (canvas.full, &canvas.response);
    let shares = if full.height() >= ROOMY && !raster.shares.is_empty() { SHARES } else { 0.0 };
    let min = full.min + vec2(GUTTER, HEAD);
    let area = Rect::from_min_max(min, (full.max - vec2(12.0, FOOT + shares)).max(min + vec2(16.0, 8.0)));
    let room = |start, length, count, largest, down| Room {
        start,
        length,
        count,
        fitted: Room::fitting(length, count, 16.0),
        largest,
        down,
    };
    let across = view.axes.across.navigate(ui, response, room(area.left(), area.width(), raster.bits, 32.0, false));
    let down = view.axes.down.navigate(ui, response, room(area.top(), area.height(), raster.rows(), 28.0, true));
    let grid = Grid { across, down };
    let body = grid.body();
    let (hovered, clicked) = canvas.pointed(|position| grid.hit(position));
    if let Some(cell) = clicked {
        view.bit = cell.map(|(_, bit)| bit);
    }
    let mut picked = clicked.map(|cell| cell.map(|(row, _)| row));
    let pressed = keys(ui, response);
    pressed.zoom_by(ui, |factor| view.axes.zoom(factor));
    if let Some(row) = stepped(selected, pressed.down, raster.rows()) {
        view.reveal(row);
        picked = Some(Some(row));
    }
    if let Some(bit) = stepped(view.bit, pressed.right, raster.bits) {
        view.axes.across.reveal(bit);
        view.bit = Some(bit);
    }
    let painter = canvas.painter(ui);
    renew(ui, raster, view, &grid, palette);
    if let Some(texture) = view.texture.id() {
        paint_grid(&painter, texture, &grid, 6.0, palette.surface);
    }
    let looked_at = hovered.or(selected.zip(view.bit.or(Some(0))));
    frame(&painter, raster, body, (&across, &down), (selected, looked_at.map(|(_, bit)| bit)), palette);
    if shares > 0.0 {
        let below =
            Rect::from_min_max(pos2(area.left(), area.bottom() + FOOT), pos2(across.end(), full.bottom() - 4.0));
        frequencies(&painter, raster, below, &across, looked_at.map(|(_, bit)| bit), palette);
    }
    let cursor = selected.filter(|row| *row < raster.rows());
    canvas.finish(ui, || cursor.map(|row| (raster.describe)(row, view.bit.unwrap_or(0))), Vec::new);
    if let Some((row, bit)) = hovered {
        canvas.tooltip((raster.describe)(row, bit));
    }
    Outcome { response: canvas.response, hovered: hovered.map(|(row, _)| row), picked }
}

/// Renews the texture if its key has changed.
fn renew(ui: &Ui, raster: &Raster<'_>, view: &mut View, grid: &Grid, palette: &Palette) {
    let key = GridKey::new(ui, raster.revision, *grid);
    if view.texture.key() == Some(&key) {
        return;
    }
    let (size, texels) = texels(raster, &grid.across, &grid.down, ui.pixels_per_point());
    let ink = |share: u8| palette.blocked.lerp_to_gamma(palette.text, f32::from(share) / 255.0);
    let inks: Vec<Color32> = (0..=255).map(ink).collect();
    let image = ColorImage::new(size, texels.iter().map(|&share| inks[usize::from(share)]).collect());
    view.texture.set(ui, "bits", key, image);
}

/// Which items lie at which texels: one for each that is visible, or one for each pixel.
fn placed(span: &Span, pixels: f32) -> (usize, bool) {
    let whole = is_whole(span, pixels);
    let count = if whole { span.visible().len() } else { ((span.end() - span.start) * pixels).ceil() as usize };
    (count.max(1), whole)
}

/// The share of ones of each texel, 0…255, row by row, and how many there are in both directions.
fn texels(raster: &Raster<'_>, across: &Span, down: &Span, pixels: f32) -> ([usize; 2], Vec<u8>) {
    let ((width, whole), (height, every)) = (placed(across, pixels), placed(down, pixels));
    let first = across.visible().start;
    let column = |bit: usize| match whole {
        true => bit - first,
        false => (bit as f32 * across.item * pixels - across.offset * pixels).max(0.0) as usize,
    };
    let columns: Vec<(usize, usize)> = across.visible().map(|bit| (bit, column(bit).min(width - 1))).collect();
    let mut room = vec![0_u32; width];
    columns.iter().for_each(|&(_, at)| room[at] += 1);
    let mut texels = vec![0_u8; width * height];
    let mut ones = vec![0_u32; width];
    for (line, texels) in texels.chunks_mut(width).enumerate() {
        let row = match every {
            true => down.visible().start + line,
            false => (((line as f32 + 0.5) / pixels + down.offset) / down.item.max(1e-6)) as usize,
        };
        let words = raster.row(row.min(raster.rows().saturating_sub(1)));
        ones.fill(0);
        for &(bit, at) in &columns {
            let one = words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1);
            ones[at] += u32::from(one);
        }
        for ((texel, &ones), &of) in texels.iter_mut().zip(&ones).zip(&room) {
            *texel = (255 * ones / of.max(1)) as u8;
        }
    }
    ([width, height], texels)
}

/// Borders, groups, the selected row, the numbers of bits.
fn frame(
    painter: &Painter, raster: &Raster<'_>, body: Rect, (across, down): (&Span, &Span),
    (selected, bit): (Option<usize>, Option<usize>), palette: &Palette,
) {
    painter.rect_stroke(body, 0.0, Stroke::new(1.0, palette.border), StrokeKind::Outside);
    let mut first = 0;
    for (count, name) in raster.groups {
        let (top, bottom) = (down.at(first).max(body.top()), down.at(first + count).min(body.bottom()));
        first += count;
        if bottom - top < 14.0 {
            continue;
        }
        let at = pos2(body.left() - 8.0, (top + bottom) / 2.0);
        painter.text(at, Align2::RIGHT_CENTER, *name, theme::font(text::SMALL), palette.weak);
        let line = Stroke::new(1.0, palette.border_strong);
        painter.hline(body.left() - GUTTER + 8.0..=body.right(), bottom.min(body.bottom()), line);
    }
    let inside = painter.with_clip_rect(body.expand(3.0).intersect(painter.clip_rect()));
    if let Some(row) = selected.filter(|row| down.visible().contains(row)) {
        let (top, height) = (down.at(row), down.item.max(3.0));
        let rect = Rect::from_x_y_ranges(body.x_range(), top..=top + height);
        inside.rect_stroke(rect, 0.0, Stroke::new(1.5, palette.accent), StrokeKind::Outside);
    }
    let y = body.bottom() + FOOT / 2.0;
    let from = across.offset / across.item;
    let to = (across.offset + body.width()) / across.item;
    let shown = bit.filter(|bit| across.visible().contains(bit)).map(|bit| (across.middle(bit), bit));
    if let Some((x, bit)) = shown {
        let words = format!("bit {}", grouped(bit as i64 + 1));
        painter.text(pos2(x, y), Align2::CENTER_CENTER, words, theme::bold_font(text::TINY), palette.text);
    }
    let least = f64::from(40.0 / across.item);
    for tick in whole_ticks(f64::from(from), f64::from(to), least).filter(|tick| *tick > 0) {
        let x = across.at(tick as usize) - across.item / 2.0;
        if shown.is_none_or(|(other, _)| (other - x).abs() > 40.0) {
            let words = grouped(tick as i64);
            painter.text(pos2(x, y), Align2::CENTER_CENTER, words, theme::font(text::TINY), palette.weak);
        }
    }
}

/// The share of ones of every bit: from none at the bottom to all at the top.
fn frequencies(
    painter: &Painter, raster: &Raster<'_>, area: Rect, across: &Span, bit: Option<usize>, palette: &Palette,
) {
    let font = theme::font(text::TINY);
    painter.rect_filled(area, 0.0, palette.blocked);
    let y = |share: f32| area.bottom() - share * area.height();
    let inside = painter.with_clip_rect(area.intersect(painter.clip_rect()));
    let mut mesh = Mesh::default();
    let gap = if across.item >= 4.0 { 1.0 } else { 0.0 };
    for bit in across.visible() {
        let share = raster.shares.get(bit).copied().unwrap_or_default();
        let rect = Rect::from_min_max(pos2(across.at(bit), y(share)), pos2(across.at(bit + 1) - gap, area.bottom()));
        // All or none: this bit cannot come back by crossover.
        let settled = share <= 0.0 || share >= 1.0;
        mesh.add_colored_rect(rect, if settled { palette.weak } else { palette.accent });
    }
    inside.add(Shape::mesh(mesh));
    for (share, words) in [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")] {
        painter.hline(area.left() - 4.0..=area.right(), y(share).round(), Stroke::new(1.0, palette.border_strong));
        let at = pos2(area.left() - 8.0, y(share).clamp(area.top() + 4.0, area.bottom() - 4.0));
        painter.text(at, Align2::RIGHT_CENTER, words, font.clone(), palette.weak);
    }
    if let Some(bit) = bit {
        inside.vline(across.middle(bit), area.y_range(), Stroke::new(1.0, palette.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raster(bits: usize, words: &[u64]) -> Raster<'_> {
        let (shares, groups) = (&[][..], &[][..]);
        let describe = &|_, _| String::new();
        Raster { bits, words, shares, groups, revision: 0, describe, summary: "" }
    }

    fn span(item: f32, count: usize) -> Span {
        Span { start: 0.0, length: 100.0, item, offset: 0.0, count }
    }

    #[test]
    fn texels_are_bits_where_there_is_room() {
        // Two rows of 70 bits, two words each: bit 0 and bit 69 of the first, bit 64 of the second.
        let words = [1, 1 << 5, 0, 1];
        let raster = raster(70, &words);
        assert_eq!(raster.rows(), 2);
        let (size, texels) = texels(&raster, &span(1.4, 70), &span(20.0, 2), 1.0);
        assert_eq!(size, [70, 2]);
        let set: Vec<usize> = texels.iter().enumerate().filter(|(_, share)| **share == 255).map(|(at, _)| at).collect();
        assert_eq!(set, [0, 69, 70 + 64]);
    }

    #[test]
    fn bits_that_share_a_pixel_are_averaged_and_rows_sampled() {
        let words: Vec<u64> =
            (0..1_000).map(|row| if row % 2 == 0 { 0x5555_5555_5555_5555 } else { u64::MAX }).collect();
        let raster = raster(64, &words);
        let (size, texels) = texels(&raster, &span(0.25, 64), &span(0.1, 1_000), 1.0);
        assert_eq!(size, [16, 100]);
        assert!(texels.iter().all(|&share| share == 127 || share == 255));
    }

    #[test]
    fn nothing_is_shown_of_no_rows() {
        let (size, texels) = texels(&raster(64, &[]), &span(1.0, 64), &span(1.0, 0), 1.0);
        assert_eq!((size, texels.iter().max()), ([64, 1], Some(&0)));
    }
}
