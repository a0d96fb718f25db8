//! Numbers with what they mean, side by side above a picture.

use super::fonts::text_width;
use super::palette::Palette;
use super::{Anchor, Scene};

/// One number with what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    label: String,
    value: String,
    note: String,
    alarm: bool,
}

impl Tile {
    /// A number and what it is called.
    pub fn new(label: &str, value: String) -> Self {
        Self { label: label.to_owned(), value, note: String::new(), alarm: false }
    }

    /// The same with a remark below.
    pub fn note(self, note: String) -> Self {
        Self { note, ..self }
    }

    /// The same as something that must not be.
    pub fn alarm(self, alarm: bool) -> Self {
        Self { alarm, ..self }
    }

    fn width(&self) -> f32 {
        text_width(&self.label, 9.0, false)
            .max(text_width(&self.value, 16.0, true))
            .max(text_width(&self.note, 9.0, false))
    }
}

/// Draws them side by side between two edges, in as many lines as that takes, and returns where they end.
pub fn draw_tiles(scene: &mut Scene, palette: &Palette, tiles: Vec<Tile>, edges: (f32, f32), top: f32) -> f32 {
    const HEIGHT: f32 = 46.0;
    let (left, right) = edges;
    let widths: f32 = tiles.iter().map(Tile::width).sum();
    // Closer together where that spares a second line.
    let gap = ((right - left - widths) / tiles.len().saturating_sub(1).max(1) as f32 - 0.5).clamp(17.0, 30.0);
    let (mut x, mut y) = (left, top);
    for tile in tiles {
        let width = tile.width();
        if x > left && x + width > right {
            (x, y) = (left, y + HEIGHT + 12.0);
        }
        if x > left {
            scene.line((x - gap / 2.0, y + 3.0), (x - gap / 2.0, y + HEIGHT - 4.0), 1.0, palette.line);
        }
        let value = if tile.alarm { palette.alarm } else { palette.ink };
        scene.text((x, y + 10.0), 9.0, palette.muted, Anchor::Start, tile.label);
        scene.bold_text((x, y + 28.0), 16.0, value, Anchor::Start, tile.value);
        scene.text((x, y + 41.0), 9.0, palette.muted, Anchor::Start, tile.note);
        x += width + gap;
    }
    y + HEIGHT + 14.0
}
