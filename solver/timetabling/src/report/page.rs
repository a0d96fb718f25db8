//! Portrait A4 pages that are filled from top to bottom with headings, facts, tables and charts.

use crate::drawing::Palette;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::scene::fonts::{elide, text_width, wrapped};
use gridwright_core::scene::pdf::Bookmark;
use gridwright_core::scene::{Anchor, Area, Colour, Scene};

/// Size of a portrait A4 page in points.
const PAGE: (f32, f32) = (595.28, 841.89);
/// Left and right margin in points.
pub(super) const MARGIN: f32 = 48.0;
/// Width of the content in points.
pub(super) const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const TOP: f32 = 70.0;
const BOTTOM: f32 = 786.0;
/// Height of a line of text in points.
const LINE: f32 = 14.0;
/// Font size of text in points.
pub(super) const SIZE: f32 = 9.0;
/// Font size of remarks and table heads in points.
pub(super) const SMALL: f32 = 8.0;
/// Colour of confirmations, as dark as that of warnings.
pub(crate) const GOOD: Colour = Colour::hex(0x1B7A3D);

/// Column of a table: head, width relative to the other columns, true for right-aligned numbers.
pub(super) type Column = (&'static str, f32, bool);

/// Cell of a table.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// Text.
    pub text: String,
    /// Colour of the text.
    pub colour: Colour,
    /// True for semi-bold text.
    pub bold: bool,
}

impl Cell {
    /// Creates a cell in the default colour.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), colour: Palette::LIGHT.ink, bold: false }
    }

    /// Returns the cell in another colour.
    pub(super) fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// Returns the cell in semi-bold.
    pub(crate) fn strong(self) -> Self {
        Self { bold: true, ..self }
    }
}

/// Pages under construction; content is appended at the current height.
pub(crate) struct Pages {
    title: String,
    pages: Vec<Scene>,
    bookmarks: Vec<Bookmark>,
    y: f32,
}

impl Pages {
    /// Starts a document with this title and one empty page.
    pub(super) fn new(title: &str) -> Self {
        let mut pages = Self { title: title.to_owned(), pages: Vec::new(), bookmarks: Vec::new(), y: TOP };
        pages.open();
        // The first page has its title in large letters instead of the head.
        pages.y = MARGIN;
        pages
    }

    fn open(&mut self) {
        let palette = Palette::LIGHT;
        let mut page = Scene::new(PAGE.0, PAGE.1, self.title.clone(), palette.background);
        if !self.pages.is_empty() {
            let title = elide(&self.title, SIZE, true, WIDTH);
            page.bold_text((MARGIN, 44.0), SIZE, palette.muted, Anchor::Start, title);
            page.line((MARGIN, 52.0), (MARGIN + WIDTH, 52.0), 0.8, palette.line);
        }
        self.pages.push(page);
        self.y = TOP;
    }

    fn page(&mut self) -> &mut Scene {
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    /// Begins a new page if `height` points do not fit on the current one; returns `true` if it did.
    pub(crate) fn make_room(&mut self, height: f32) -> bool {
        let full = self.y + height > BOTTOM;
        if full {
            self.open();
        }
        full
    }

    /// Draws institution and logo at the top of the first page.
    pub(super) fn letterhead(&mut self, letterhead: &Letterhead) {
        let y = self.y - 8.0;
        letterhead.draw(self.page(), MARGIN, y);
        self.y += letterhead.height();
    }

    /// Writes the title in large letters with a subtitle.
    pub(super) fn title(&mut self, subtitle: &str) {
        let palette = Palette::LIGHT;
        let title = elide(&self.title, 20.0, true, WIDTH);
        let base = self.y + 18.0;
        let page = self.page();
        page.bold_text((MARGIN, base), 20.0, palette.ink, Anchor::Start, title);
        page.text((MARGIN, base + 17.0), SIZE, palette.muted, Anchor::Start, elide(subtitle, SIZE, false, WIDTH));
        self.y = base + 28.0;
    }

    /// Writes a sentence in a coloured frame.
    pub(super) fn banner(&mut self, text: &str, colour: Colour) {
        let y = self.y;
        let page = self.page();
        page.titled_rectangle(Area::new(MARGIN, y, WIDTH, 26.0), 4.0, colour.with_alpha(26), text);
        page.rectangle(MARGIN, y, 4.0, 26.0, colour);
        let words = elide(text, 10.0, true, WIDTH - 26.0);
        page.bold_text((MARGIN + 14.0, y + 16.8), 10.0, colour, Anchor::Start, words);
        self.y += 38.0;
    }

    /// Writes (number, label) pairs side by side, the numbers in large letters.
    pub(crate) fn tiles(&mut self, tiles: &[(String, String)]) {
        let palette = Palette::LIGHT;
        let width = WIDTH / tiles.len().max(1) as f32;
        let y = self.y;
        let page = self.page();
        for (index, (value, label)) in tiles.iter().enumerate() {
            let x = MARGIN + index as f32 * width;
            if index > 0 {
                page.line((x - 10.0, y + 2.0), (x - 10.0, y + 36.0), 0.8, palette.line);
            }
            let (value, label) = (elide(value, 17.0, true, width - 16.0), elide(label, SMALL, false, width - 14.0));
            page.bold_text((x, y + 16.0), 17.0, palette.ink, Anchor::Start, value);
            page.text((x, y + 31.0), SMALL, palette.muted, Anchor::Start, label);
        }
        self.y += 46.0;
    }

    /// Writes the heading of a section whose beginning needs at least `height` points below it.
    pub(super) fn section(&mut self, heading: &str, height: f32) {
        self.make_room(34.0 + height);
        let palette = Palette::LIGHT;
        let y = self.y;
        self.bookmarks.push(Bookmark { text: heading.to_owned(), page: self.pages.len() - 1 });
        let page = self.page();
        page.bold_text((MARGIN, y + 16.0), 11.5, palette.ink, Anchor::Start, elide(heading, 11.5, true, WIDTH));
        page.line((MARGIN, y + 22.0), (MARGIN + WIDTH, y + 22.0), 0.8, palette.bar);
        self.y += 30.0;
    }

    /// Writes a remark in small letters, wrapped to the width.
    pub(super) fn remark(&mut self, text: &str) {
        for line in wrapped(text, SMALL, false, WIDTH) {
            self.make_room(LINE);
            let y = self.y + 8.0;
            self.page().text((MARGIN, y), SMALL, Palette::LIGHT.muted, Anchor::Start, line);
            self.y += 11.5;
        }
        self.y += 4.0;
    }

    /// Writes (label, value) pairs in two columns; long values are wrapped.
    pub(super) fn facts(&mut self, facts: &[(String, String)]) {
        const LABEL: f32 = 108.0;
        const GAP: f32 = 20.0;
        let palette = Palette::LIGHT;
        let half = (WIDTH - GAP) / 2.0;
        let (narrow, wide): (Vec<_>, Vec<_>) =
            facts.iter().partition(|(_, value)| text_width(value, SIZE, false) <= half - LABEL);
        let rows = narrow.len().div_ceil(2);
        for row in 0..rows {
            self.make_room(LINE);
            let base = self.y + 9.0;
            let page = self.page();
            for (column, index) in [(0.0, row), (1.0, row + rows)] {
                let Some((label, value)) = narrow.get(index) else { continue };
                let x = MARGIN + column * (half + GAP);
                page.text((x, base), SIZE, palette.muted, Anchor::Start, elide(label, SIZE, false, LABEL - 6.0));
                page.text((x + LABEL, base), SIZE, palette.ink, Anchor::Start, value.clone());
            }
            self.y += LINE;
        }
        for (label, value) in wide {
            for (number, line) in wrapped(value, SIZE, false, WIDTH - LABEL).into_iter().enumerate() {
                self.make_room(LINE);
                let base = self.y + 9.0;
                let page = self.page();
                if number == 0 {
                    let label = elide(label, SIZE, false, LABEL - 6.0);
                    page.text((MARGIN, base), SIZE, palette.muted, Anchor::Start, label);
                }
                page.text((MARGIN + LABEL, base), SIZE, palette.ink, Anchor::Start, line);
                self.y += LINE;
            }
        }
        self.y += 6.0;
    }

    /// Writes a table with `rows` of one cell per column; its head is repeated on every page.
    pub(super) fn table(&mut self, columns: &[Column], rows: &[Vec<Cell>]) {
        self.make_room(3.0 * LINE);
        self.heads(columns);
        for cells in rows {
            if self.make_room(LINE) {
                self.heads(columns);
            }
            let (y, line) = (self.y, Palette::LIGHT.line);
            let page = self.page();
            for (cell, ((.., is_number), area)) in cells.iter().zip(places(columns)) {
                let text = elide(&cell.text, SIZE, cell.bold, area.width);
                put(page, &area, y + 9.6, is_number, (SIZE, cell.colour, cell.bold), text);
            }
            page.line((MARGIN, y + LINE - 0.4), (MARGIN + WIDTH, y + LINE - 0.4), 0.4, line);
            self.y += LINE;
        }
        self.y += 8.0;
    }

    fn heads(&mut self, columns: &[Column]) {
        let (y, palette) = (self.y, Palette::LIGHT);
        let page = self.page();
        page.rectangle(MARGIN, y, WIDTH, LINE, palette.stripe);
        for ((head, _, is_number), area) in places(columns) {
            let head = elide(head, SMALL, true, area.width);
            put(page, &area, y + 9.8, is_number, (SMALL, palette.muted, true), head);
        }
        self.y += LINE + 1.0;
    }

    /// Reserves `height` points for a chart and calls `draw` with the page and its area.
    pub(super) fn chart(&mut self, height: f32, draw: impl FnOnce(&mut Scene, Area)) {
        self.make_room(height);
        let area = Area::new(MARGIN, self.y, WIDTH, height);
        draw(self.page(), area);
        self.y += height + 10.0;
    }

    /// Returns the pages, with page numbers and `note` at the foot, and the bookmarks.
    pub(super) fn finish(mut self, note: &str) -> (Vec<Scene>, Vec<Bookmark>) {
        let (count, muted) = (self.pages.len(), Palette::LIGHT.muted);
        for (number, page) in self.pages.iter_mut().enumerate() {
            let base = PAGE.1 - 26.0;
            page.text((MARGIN, base), 7.5, muted, Anchor::Start, elide(note, 7.5, false, WIDTH - 80.0));
            let number = format!("Page {} of {count}", number + 1);
            page.text((MARGIN + WIDTH, base), 7.5, muted, Anchor::End, number);
        }
        (self.pages, self.bookmarks)
    }
}

/// Areas of the cells of a row, without the gaps between columns.
fn places(columns: &[Column]) -> impl Iterator<Item = (Column, Area)> {
    const PAD: f32 = 5.0;
    let all: f32 = columns.iter().map(|column| column.1).sum();
    let mut x = MARGIN;
    columns.iter().map(move |&column| {
        let width = WIDTH * column.1 / all;
        let area = Area::new(x + PAD, 0.0, width - 2.0 * PAD, LINE);
        x += width;
        (column, area)
    })
}

fn put(page: &mut Scene, area: &Area, base: f32, right: bool, look: (f32, Colour, bool), text: String) {
    let (size, colour, bold) = look;
    let (x, anchor) = if right { (area.right(), Anchor::End) } else { (area.x, Anchor::Start) };
    if bold {
        page.bold_text((x, base), size, colour, anchor, text);
    } else {
        page.text((x, base), size, colour, anchor, text);
    }
}
