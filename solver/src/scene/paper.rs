//! Sheets of paper that pictures and lists are printed on.

use super::fonts::elide;
use super::palette::Palette;
use super::{Anchor, Scene};

/// A4 across: width and height in points.
pub const A4_ACROSS: (f32, f32) = (841.89, 595.28);

/// Free space around what is printed, and around pictures.
pub const MARGIN: f32 = 32.0;

/// Below this nothing but the number of the page and what the document is about is printed.
pub const FOOT: f32 = 10.0;

/// Writes what the document is about and «Page 1 of 3» at the foot of each sheet.
pub fn number_pages(pages: &mut [Scene], name: &str) {
    const SIZE: f32 = 7.5;
    let count = pages.len();
    let muted = Palette::LIGHT.muted;
    for (number, page) in pages.iter_mut().enumerate() {
        let base = page.height - 18.0;
        let left = elide(&format!("{name} · made with Gridwright"), SIZE, false, 500.0);
        page.text((MARGIN, base), SIZE, muted, Anchor::Start, left);
        let right = page.width - MARGIN;
        page.text((right, base), SIZE, muted, Anchor::End, format!("Page {} of {count}", number + 1));
    }
}
