//! Head of a picture: its title, and tiles with key figures side by side.

use super::fonts::{elide, text_width};
use super::palette::Palette;
use super::{Anchor, Scene};

/// Key figure with label and note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    label: String,
    value: String,
    note: String,
    alarm: bool,
}

impl Tile {
    /// Tile of a figure.
    pub fn new(label: &str, value: String) -> Self {
        Self { label: label.to_owned(), value, note: String::new(), alarm: false }
    }

    /// Sets the note below the figure.
    pub fn note(self, note: String) -> Self {
        Self { note, ..self }
    }

    /// Marks the figure as a violation if `alarm`.
    pub fn alarm(self, alarm: bool) -> Self {
        Self { alarm, ..self }
    }

    fn width(&self) -> f32 {
        text_width(&self.label, 9.0, false)
            .max(text_width(&self.value, 16.0, true))
            .max(text_width(&self.note, 9.0, false))
    }
}

/// Draws a name and a line of facts below it between two edges (x in points); returns the lower end.
pub fn draw_title(
    scene: &mut Scene, palette: &Palette, (name, facts): (&str, &str), (left, right): (f32, f32), top: f32,
) -> f32 {
    let room = right - left;
    scene.bold_text((left, top + 18.0), 20.0, palette.ink, Anchor::Start, elide(name, 20.0, true, room));
    scene.text((left, top + 36.0), 10.5, palette.muted, Anchor::Start, elide(facts, 10.5, false, room));
    top + 52.0
}

/// Draws tiles between two edges (x in points), in several lines if necessary; returns their lower end.
pub fn draw_tiles(scene: &mut Scene, palette: &Palette, tiles: Vec<Tile>, edges: (f32, f32), top: f32) -> f32 {
    const HEIGHT: f32 = 46.0;
    let (left, right) = edges;
    let widths: f32 = tiles.iter().map(Tile::width).sum();
    // Smaller gaps where they avoid a second line.
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
