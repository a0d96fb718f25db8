//! All cells of all streams as one texture: for each row a line of colours and a line of marks.

use egui::{Color32, ColorImage, Ui};

use super::layout::Layout;
use super::{GridPlayback, Mark, View, shade};
use gridwright_window::theme::Palette;

/// Inputs of the texture; an equal key allows the texture to be used again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    pub revision: u64,
    dark: bool,
    layout: Layout,
}

/// Colours of shades: as many as a byte tells apart.
const STEPS: usize = 255;

/// Renews the texture if its key has changed.
pub(super) fn renew(ui: &Ui, grid_playback: &GridPlayback<'_>, view: &mut View, layout: &Layout, palette: &Palette) {
    let key = Key { revision: grid_playback.revision, dark: ui.visuals().dark_mode, layout: layout.clone() };
    if view.texture.key() == Some(&key) {
        return;
    }
    let (size, shades, marks) = texels(grid_playback, layout);
    let ramp: Vec<Color32> = (0..=STEPS).map(|step| shade(palette, step as f32 / STEPS as f32)).collect();
    let colour = |shade: f32, mark: Mark| match (mark, shade.is_nan()) {
        (Mark::Reached, _) => palette.good,
        (_, true) => palette.blocked,
        _ => ramp[(shade.clamp(0.0, 1.0) * STEPS as f32) as usize],
    };
    let below = |mark: Mark| match mark {
        Mark::Nothing => palette.surface,
        Mark::Changed => palette.text,
        Mark::Reached => palette.good,
    };
    let mut pixels = Vec::with_capacity(2 * shades.len());
    for (shades, marks) in shades.chunks(size[0]).zip(marks.chunks(size[0])) {
        pixels.extend(shades.iter().zip(marks).map(|(&shade, &mark)| colour(shade, mark)));
        pixels.extend(marks.iter().map(|&mark| below(mark)));
    }
    view.texture.set(ui, "grid playback", key, ColorImage::new([size[0], 2 * size[1]], pixels));
}

/// Returns `true` if a texel is one cell, `false` if it is a pixel that several share.
pub(super) fn is_whole(layout: &Layout) -> bool {
    layout.columns.item * layout.pixels >= 1.0
}

/// Shades and marks of the texels, line by line, and how many there are in both directions.
pub(super) fn texels(grid_playback: &GridPlayback<'_>, layout: &Layout) -> ([usize; 2], Vec<f32>, Vec<Mark>) {
    let columns = layout.columns.visible();
    let scaled = layout.columns.item * layout.pixels;
    let whole = is_whole(layout);
    let width = if whole { columns.len() } else { (layout.bodies[0].width() * layout.pixels).round() as usize }.max(1);
    let texel = |column: usize| match whole {
        true => column - columns.start,
        false => (column as f32 * scaled - layout.columns.offset * layout.pixels).max(0.0) as usize,
    };
    let across: Vec<usize> = columns.clone().map(|column| texel(column).min(width - 1)).collect();
    let height = (grid_playback.streams.len() * grid_playback.rows).max(1);
    let (mut shades, mut marks) = (vec![f32::NAN; width * height], vec![Mark::Nothing; width * height]);
    for (line, stream, row) in lines(grid_playback) {
        let cells = row * grid_playback.columns + columns.start..row * grid_playback.columns + columns.end;
        let given = stream.shades.get(cells.clone()).unwrap_or_default();
        for (&x, &shade) in across.iter().zip(given) {
            let slot = &mut shades[line * width + x];
            // The maximum of a number and none is the number.
            *slot = slot.max(shade);
        }
        for (&x, &mark) in across.iter().zip(stream.marks.get(cells).unwrap_or_default()) {
            let slot = &mut marks[line * width + x];
            *slot = mark.max(*slot);
        }
    }
    ([width, height], shades, marks)
}

/// Every row of every stream with its line in the texture.
fn lines<'a>(grid_playback: &'a GridPlayback<'_>) -> impl Iterator<Item = (usize, &'a super::Stream<'a>, usize)> {
    let rows = grid_playback.rows;
    let of = move |(index, stream): (usize, &'a super::Stream<'a>)| {
        (0..rows).map(move |row| (index * rows + row, stream, row))
    };
    grid_playback.streams.iter().enumerate().flat_map(of)
}
