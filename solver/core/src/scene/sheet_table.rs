//! Tables on sheets of paper.

use super::fonts::elide;
use super::palette::Palette;
use super::paper::{A4_ACROSS, MARGIN};
use super::{Anchor, Scene};

/// Rows per sheet.
pub const LINES: usize = 28;

/// Height of a row in points.
const LINE: f32 = 16.0;

/// Size of the text in points.
pub const SIZE: f32 = 9.5;

/// Column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetColumn {
    /// Heading with its unit.
    pub title: String,
    /// Position in points from the left margin: of the left end of texts, of the right end of numbers.
    pub x: f32,
    /// True for numbers, which are aligned to the right.
    pub is_number: bool,
}

/// Row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    /// Text of each column.
    pub cells: Vec<String>,
    /// True if the row is about something that is wrong.
    pub is_alarming: bool,
}

/// Draws a table on as many sheets (A4, landscape) as it needs; none without rows. `heading` stands above each sheet, `name`
/// names the scenes.
pub fn table_sheets(heading: &str, name: &str, columns: &[SheetColumn], rows: &[SheetRow]) -> Vec<Scene> {
    rows.chunks(LINES).map(|rows| sheet(heading, name, columns, rows)).collect()
}

fn sheet(heading: &str, name: &str, columns: &[SheetColumn], rows: &[SheetRow]) -> Scene {
    let palette = Palette::LIGHT;
    let (width, height) = A4_ACROSS;
    let mut scene = Scene::new(width, height, name.to_owned(), palette.background);
    let heading = elide(heading, 14.0, true, width - 2.0 * MARGIN);
    scene.bold_text((MARGIN, MARGIN + 12.0), 14.0, palette.ink, Anchor::Start, heading);
    let head = MARGIN + 38.0;
    let anchor = |column: &SheetColumn| if column.is_number { Anchor::End } else { Anchor::Start };
    for column in columns {
        scene.bold_text((MARGIN + column.x, head), SIZE, palette.muted, anchor(column), column.title.clone());
    }
    scene.line((MARGIN, head + 5.0), (width - MARGIN, head + 5.0), 0.8, palette.muted);
    for (line, row) in rows.iter().enumerate() {
        let base = head + LINE * (line + 1) as f32 + 2.0;
        if line % 2 == 1 {
            scene.rectangle(MARGIN, base - LINE + 4.0, width - 2.0 * MARGIN, LINE, palette.panel);
        }
        let colour = if row.is_alarming { palette.alarm } else { palette.ink };
        for (column, text) in columns.iter().zip(&row.cells) {
            scene.text((MARGIN + column.x, base), SIZE, colour, anchor(column), text.clone());
        }
    }
    scene
}
