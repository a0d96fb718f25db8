//! Upright pages that are filled from above with texts and tables.

use std::ops::Range;

use crate::drawing::Palette;
use crate::{Instance, words};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::scene::fonts::wrapped;
use gridwright_core::scene::paper::{self, A4_UPRIGHT as PAGE, MARGIN};
use gridwright_core::scene::pdf::Bookmark;
use gridwright_core::scene::{Anchor, Scene};
use gridwright_core::text::language::Language;

/// Lowest base line of the content of a page in points.
pub(super) const BOTTOM: f32 = PAGE.1 - 52.0;

/// Width of the content of a page in points.
pub(super) const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;

/// Distance of base lines in a text, height of letters with accents and depth of descenders by the size of the font.
const LEADING: f32 = 1.3;
const ASCENT: f32 = 1.05;
const DESCENT: f32 = 0.25;

/// Pages that are filled from above.
pub(super) struct Sheets<'a> {
    letterhead: &'a Letterhead,
    name: &'a str,
    pub(super) pages: Vec<Scene>,
    pub(super) bookmarks: Vec<Bookmark>,
    /// Base line of the next line of text in points.
    pub(super) y: f32,
    /// Depth in points below the base line of the last text.
    depth: f32,
}

/// Date of a period in words or, without one, its number.
pub(super) fn day(instance: &Instance, period: usize, language: Language) -> String {
    instance.periods[period].date.map_or_else(|| words::period(period, language), |date| language.long_date(date))
}

/// Numbers pages, whose foot names the session and says whether they are confidential.
pub(super) fn number(pages: &mut [Scene], letterhead: &Letterhead, name: &str, is_public: bool) {
    let language = letterhead.language;
    let foot = words::MADE_WITH.with(language, &[&letterhead.titled(name)]);
    let foot = if is_public { foot } else { words::CONFIDENTIAL.with(language, &[&foot]) };
    paper::number_pages_in(pages, &foot, words::PAGE, language);
}

impl<'a> Sheets<'a> {
    /// No pages yet.
    pub(super) fn new(letterhead: &'a Letterhead, name: &'a str) -> Self {
        Self { letterhead, name, pages: Vec::new(), bookmarks: Vec::new(), y: 0.0, depth: 0.0 }
    }

    /// The last page.
    pub(super) fn page(&mut self) -> &mut Scene {
        if self.pages.is_empty() {
            self.open();
        }
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    /// Opens an empty page.
    pub(super) fn open(&mut self) {
        let mut page = Scene::new(PAGE.0, PAGE.1, self.name.to_owned(), Palette::LIGHT.background);
        self.letterhead.draw(&mut page, MARGIN, MARGIN - 4.0);
        self.pages.push(page);
        self.y = MARGIN + 14.0 + self.letterhead.height();
        self.depth = 0.0;
    }

    pub(super) fn bookmark(&mut self, text: String) {
        self.bookmarks.push(Bookmark { text, page: self.pages.len() - 1 });
    }

    /// Writes a text in as many lines as it needs, from `left` to the right margin.
    pub(super) fn text(&mut self, left: f32, size: f32, is_bold: bool, text: &str) {
        for line in wrapped(text, size, is_bold, PAGE.0 - MARGIN - left) {
            // Small letters do not touch the descenders of large ones above them.
            self.y += (size * LEADING).max(self.depth + size * ASCENT);
            self.depth = size * DESCENT;
            let at = (left, self.y);
            match is_bold {
                true => self.page().bold_text(at, size, Palette::LIGHT.ink, Anchor::Start, line),
                false => self.page().text(at, size, Palette::LIGHT.ink, Anchor::Start, line),
            }
        }
    }

    pub(super) fn rule(&mut self) {
        self.y += 8.0;
        let y = self.y;
        self.page().line((MARGIN, y), (PAGE.0 - MARGIN, y), 0.8, Palette::LIGHT.line);
    }
}

/// Column of a table: heading, left end in points from the margin, true for numbers.
pub(super) type Column = (&'static str, f32, bool);

/// Size of the text of tables in points.
const SIZE: f32 = 9.5;

/// Draws the headings of a table.
pub(super) fn heading(sheets: &mut Sheets<'_>, columns: &[Column]) {
    sheets.y += 12.0;
    let y = sheets.y;
    for &(title, x, is_number) in columns {
        let anchor = if is_number { Anchor::End } else { Anchor::Start };
        sheets.page().bold_text((MARGIN + x, y), SIZE, Palette::LIGHT.muted, anchor, title);
    }
    sheets.y += 5.0;
    sheets.page().line((MARGIN, y + 5.0), (PAGE.0 - MARGIN, y + 5.0), 0.8, Palette::LIGHT.muted);
}

/// Left and right end of the texts of a column in points from the margin.
fn extent(columns: &[Column], at: usize) -> Range<f32> {
    let (_, x, _) = columns[at];
    let next =
        columns.get(at + 1).map_or(WIDTH, |&(_, next, is_number)| if is_number { next - 46.0 } else { next - 6.0 });
    x..next
}

/// Lines of each cell of a row.
fn broken(columns: &[Column], cells: &[String]) -> Vec<Vec<String>> {
    let cells = cells.iter().enumerate();
    let lines = cells.map(|(at, cell)| {
        let extent = extent(columns, at);
        if columns[at].2 { vec![cell.clone()] } else { wrapped(cell, SIZE, false, extent.end - extent.start) }
    });
    lines.collect()
}

/// Height of a row in points, at least `least`.
pub(super) fn height(columns: &[Column], cells: &[String], least: f32) -> f32 {
    let lines = broken(columns, cells).iter().map(Vec::len).max().unwrap_or(1);
    least.max(least + (lines - 1) as f32 * (SIZE + 2.5))
}

/// Draws a row with a line below.
pub(super) fn row(sheets: &mut Sheets<'_>, columns: &[Column], cells: &[String], least: f32) {
    let palette = Palette::LIGHT;
    let (top, height) = (sheets.y, height(columns, cells, least));
    let base = top + least / 2.0 + SIZE * 0.36;
    for (at, lines) in broken(columns, cells).into_iter().enumerate() {
        let (_, x, is_number) = columns[at];
        let anchor = if is_number { Anchor::End } else { Anchor::Start };
        for (number, line) in lines.into_iter().enumerate() {
            let y = base + number as f32 * (SIZE + 2.5);
            sheets.page().text((MARGIN + x, y), SIZE, palette.ink, anchor, line);
        }
    }
    sheets.y = top + height;
    sheets.page().line((MARGIN, top + height), (PAGE.0 - MARGIN, top + height), 0.4, palette.line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_core::scene::Shape;

    /// The building under the name of a room does not touch its descenders, whatever the sizes.
    #[test]
    fn small_letters_stay_clear_of_the_descenders_above() {
        let letterhead = Letterhead::default();
        let mut sheets = Sheets::new(&letterhead, "session");
        sheets.open();
        let before = sheets.pages[0].shapes.len();
        sheets.text(MARGIN, 40.0, true, "Übungsraum");
        sheets.text(MARGIN, 14.0, false, "Ångström");
        sheets.text(MARGIN, 14.0, false, "next");
        let base = |shape: &Shape| if let Shape::Text { y, .. } = shape { Some(*y) } else { None };
        let bases: Vec<f32> = sheets.pages[0].shapes[before..].iter().filter_map(base).collect();
        // Descenders of the font are 0.24 of its size deep, capitals with marks 0.95 high.
        assert!(bases[1] - bases[0] > 40.0 * 0.24 + 14.0 * 0.95, "{bases:?}");
        assert!((bases[2] - bases[1] - 14.0 * LEADING).abs() < 0.01, "{bases:?}");
    }
}
