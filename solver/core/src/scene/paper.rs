//! Sheets of paper for printed pictures and lists.

use super::fonts::{elide, text_width};
use super::palette::Palette;
use super::{Anchor, Scene};
use crate::text::language::{Language, Text};

/// A4 landscape: width and height in points.
pub const A4_ACROSS: (f32, f32) = (841.89, 595.28);

/// A4 portrait: width and height in points.
pub const A4_UPRIGHT: (f32, f32) = (A4_ACROSS.1, A4_ACROSS.0);

/// Margin of sheets and pictures in points.
pub const MARGIN: f32 = 32.0;

/// Height in points of the foot, reserved for the page number and the document's name.
pub const FOOT: f32 = 10.0;

/// Writes the document's name and «Page 1 of 3» at the foot of each sheet.
pub fn number_pages(pages: &mut [Scene], name: &str) {
    number_pages_in(pages, &format!("{name} · made with Gridwright"), Text(["Page {} of {}"; 6]), Language::English);
}

/// As [`number_pages`], with this foot and these words for the page and the number of pages.
pub fn number_pages_in(pages: &mut [Scene], foot: &str, page_of: Text, language: Language) {
    const SIZE: f32 = 7.5;
    let count = pages.len();
    let muted = Palette::LIGHT.muted;
    for (number, page) in pages.iter_mut().enumerate() {
        let base = page.height - 18.0;
        let right = page.width - MARGIN;
        let words = page_of.with(language, &[&(number + 1).to_string(), &count.to_string()]);
        let room = right - MARGIN - text_width(&words, SIZE, false) - 2.0 * SIZE;
        page.text((MARGIN, base), SIZE, muted, Anchor::Start, elide(foot, SIZE, false, room));
        page.text((right, base), SIZE, muted, Anchor::End, words);
    }
}
