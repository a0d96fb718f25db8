//! Upright A4 pages that fill from top to bottom: headings, facts, tables, charts.

use crate::scene::fonts::{elide, text_width};
use crate::scene::pdf::Bookmark;
use crate::scene::{Anchor, Area, Colour, Scene};
use crate::timetabling::drawing::Palette;

/// A4 upright, in points.
const PAGE: (f32, f32) = (595.28, 841.89);
/// Left and right edge of what is written.
pub const MARGIN: f32 = 48.0;
/// Width of what is written.
pub const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const TOP: f32 = 70.0;
const BOTTOM: f32 = 786.0;
/// Height of a line of text, and the size of its letters.
const LINE: f32 = 14.0;
/// Size of text.
pub const SIZE: f32 = 9.0;
/// Size of remarks and heads of tables.
pub const SMALL: f32 = 8.0;
/// The ink of what was confirmed; as dark as the warning's.
pub const GOOD: Colour = Colour::hex(0x1B7A3D);

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its head.
    pub head: &'static str,
    /// Its share of the width.
    pub share: f32,
    /// Whether it holds numbers, which stand at its right edge.
    pub right: bool,
}

/// A cell of a table.
#[derive(Debug, Clone)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// Its colour.
    pub colour: Colour,
    /// Semi-bold.
    pub bold: bool,
}

impl Cell {
    /// A cell in plain ink.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), colour: Palette::LIGHT.ink, bold: false }
    }

    /// The same in another colour.
    pub fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// The same in the weight of headings.
    pub fn strong(self) -> Self {
        Self { bold: true, ..self }
    }
}

/// Pages as they fill.
pub struct Pages {
    title: String,
    pages: Vec<Scene>,
    bookmarks: Vec<Bookmark>,
    y: f32,
}

impl Pages {
    /// One empty page of a document with this title.
    pub fn new(title: &str) -> Self {
        let mut pages = Self { title: title.to_owned(), pages: Vec::new(), bookmarks: Vec::new(), y: TOP };
        pages.open();
        // The first page has its title in large letters.
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

    /// Begins another page where `height` does not fit on this one; says whether it did.
    pub fn make_room(&mut self, height: f32) -> bool {
        let full = self.y + height > BOTTOM;
        if full {
            self.open();
        }
        full
    }

    /// The title in large letters, a line under it.
    pub fn title(&mut self, subtitle: &str) {
        let palette = Palette::LIGHT;
        let title = elide(&self.title, 20.0, true, WIDTH);
        let base = self.y + 18.0;
        let page = self.page();
        page.bold_text((MARGIN, base), 20.0, palette.ink, Anchor::Start, title);
        page.text((MARGIN, base + 17.0), SIZE, palette.muted, Anchor::Start, elide(subtitle, SIZE, false, WIDTH));
        self.y = base + 28.0;
    }

    /// A sentence in a coloured frame.
    pub fn banner(&mut self, text: &str, colour: Colour) {
        let y = self.y;
        let page = self.page();
        page.titled_rectangle(Area::new(MARGIN, y, WIDTH, 26.0), 4.0, colour.with_alpha(26), text);
        page.rectangle(MARGIN, y, 4.0, 26.0, colour);
        let words = elide(text, 10.0, true, WIDTH - 26.0);
        page.bold_text((MARGIN + 14.0, y + 16.8), 10.0, colour, Anchor::Start, words);
        self.y += 38.0;
    }

    /// Numbers in large letters with what they mean under them, side by side.
    pub fn tiles(&mut self, tiles: &[(String, String)]) {
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

    /// The heading of a section that needs at least `height` under it.
    pub fn section(&mut self, heading: &str, height: f32) {
        self.make_room(34.0 + height);
        let palette = Palette::LIGHT;
        let y = self.y;
        self.bookmarks.push(Bookmark { text: heading.to_owned(), page: self.pages.len() - 1 });
        let page = self.page();
        page.bold_text((MARGIN, y + 16.0), 11.5, palette.ink, Anchor::Start, elide(heading, 11.5, true, WIDTH));
        page.line((MARGIN, y + 22.0), (MARGIN + WIDTH, y + 22.0), 0.8, palette.bar);
        self.y += 30.0;
    }

    /// A remark in small letters, broken into as many lines as it needs.
    pub fn remark(&mut self, text: &str) {
        for line in wrapped(text, SMALL, WIDTH) {
            self.make_room(LINE);
            let y = self.y + 8.0;
            self.page().text((MARGIN, y), SMALL, Palette::LIGHT.muted, Anchor::Start, line);
            self.y += 11.5;
        }
        self.y += 4.0;
    }

    /// Names and values in two columns of pairs; a value that is too long takes more lines.
    pub fn facts(&mut self, facts: &[(String, String)]) {
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
            for (number, line) in wrapped(value, SIZE, WIDTH - LABEL).into_iter().enumerate() {
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

    /// A table whose head is repeated on every page.
    pub fn table(&mut self, columns: &[Column], rows: &[Vec<Cell>]) {
        self.make_room(3.0 * LINE);
        self.heads(columns);
        for cells in rows {
            if self.make_room(LINE) {
                self.heads(columns);
            }
            let (y, line) = (self.y, Palette::LIGHT.line);
            let page = self.page();
            for (cell, (column, area)) in cells.iter().zip(places(columns)) {
                let text = elide(&cell.text, SIZE, cell.bold, area.width);
                put(page, &area, y + 9.6, column.right, (SIZE, cell.colour, cell.bold), text);
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
        for (column, area) in places(columns) {
            let head = elide(column.head, SMALL, true, area.width);
            put(page, &area, y + 9.8, column.right, (SMALL, palette.muted, true), head);
        }
        self.y += LINE + 1.0;
    }

    /// Room for a chart of this height, which `draw` fills.
    pub fn chart(&mut self, height: f32, draw: impl FnOnce(&mut Scene, Area)) {
        self.make_room(height);
        let area = Area::new(MARGIN, self.y, WIDTH, height);
        draw(self.page(), area);
        self.y += height + 10.0;
    }

    /// The pages with their numbers and a note at the foot of each.
    pub fn finish(mut self, note: &str) -> (Vec<Scene>, Vec<Bookmark>) {
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

/// Where the cells of a row lie, free of the gap between columns.
fn places(columns: &[Column]) -> impl Iterator<Item = (&Column, Area)> {
    const PAD: f32 = 5.0;
    let all: f32 = columns.iter().map(|column| column.share).sum();
    let mut x = MARGIN;
    columns.iter().map(move |column| {
        let width = WIDTH * column.share / all;
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

/// Text in lines that fit into `width`, broken between words; a word that is too long for a line ends with «…».
fn wrapped(text: &str, size: f32, width: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let longer = if lines[last].is_empty() { word.to_owned() } else { format!("{} {word}", lines[last]) };
        if text_width(&longer, size, false) <= width || lines[last].is_empty() {
            lines[last] = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.iter().map(|line| elide(line, size, false, width)).collect()
}
