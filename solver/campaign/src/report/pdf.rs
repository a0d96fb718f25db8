//! The report as a PDF: tables on A4 sheets, then the figures.

use gridwright_core::Result;
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::palette::Palette;
use gridwright_core::scene::paper::{A4_ACROSS, FOOT, MARGIN, number_pages};
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::scene::plot::paragraph;
use gridwright_core::scene::{Anchor, Scene};

use super::tables::Table;
use super::{Part, Report};

const SIZE: f32 = 8.0;
const LINE: f32 = 13.0;
const WIDEST: f32 = 190.0;

/// Writes the report as a PDF with one bookmark per section.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if the document cannot be encoded.
pub(crate) fn write(report: &Report) -> Result<Vec<u8>> {
    let (mut pages, mut bookmarks) = (vec![title(report)], Vec::new());
    for part in &report.sections {
        bookmarks.push(Bookmark { text: part.title.clone(), page: pages.len() });
        pages.extend(sheets(part));
        pages.extend(part.figures.iter().map(|figure| on_sheet(&figure.scene)));
    }
    number_pages(&mut pages, &report.name);
    pages_to_pdf(&pages, &bookmarks)
}

fn sheet(title: &str) -> Scene {
    Scene::new(A4_ACROSS.0, A4_ACROSS.1, title, Palette::LIGHT.background)
}

fn title(report: &Report) -> Scene {
    let mut page = sheet(&report.name);
    page.bold_text((MARGIN, 60.0), 20.0, Palette::LIGHT.ink, Anchor::Start, report.name.clone());
    let mut top = 90.0;
    for text in report.remarks.iter().chain(report.sections.iter().map(|part| &part.title)) {
        top += paragraph(&mut page, text, MARGIN, top, A4_ACROSS.0 - 2.0 * MARGIN) + 4.0;
    }
    page
}

/// A figure on a sheet that is as high as it needs to be.
fn on_sheet(figure: &Scene) -> Scene {
    let mut page = figure.clone();
    page.width = A4_ACROSS.0;
    page.height = (figure.height + 2.0 * MARGIN).max(A4_ACROSS.1);
    page
}

/// Sheets that tables fill one after the other.
struct Sheets<'a> {
    heading: &'a str,
    pages: Vec<Scene>,
    top: f32,
}

impl Sheets<'_> {
    /// The last sheet; a new one if less than `needed` points are left on it.
    fn with_space(&mut self, needed: f32) -> &mut Scene {
        if self.pages.is_empty() || self.top + needed > A4_ACROSS.1 - MARGIN - FOOT {
            let mut page = sheet(self.heading);
            page.text((MARGIN, 30.0), SIZE, Palette::LIGHT.muted, Anchor::Start, self.heading);
            self.pages.push(page);
            self.top = 52.0;
        }
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    /// Adds a table; its head is repeated on each sheet.
    fn add(&mut self, table: &Table) {
        let texts: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(|cell| cell.shown()).collect()).collect();
        let width = |column: usize| {
            let widest = texts.iter().map(|row| text_width(&row[column], SIZE, false)).fold(0.0, f32::max);
            widest.max(text_width(table.columns[column], SIZE, true)).min(WIDEST) + 12.0
        };
        let columns: Vec<(f32, bool)> = (0..table.columns.len())
            .map(|column| (width(column), table.rows.iter().any(|row| row[column].is_number())))
            .collect();
        self.with_space(60.0 + 2.0 * LINE);
        let top = self.top;
        let page = self.with_space(0.0);
        page.bold_text((MARGIN, top), 12.0, Palette::LIGHT.ink, Anchor::Start, table.title.clone());
        let below = paragraph(page, &table.reading, MARGIN, top + 15.0, A4_ACROSS.0 - 2.0 * MARGIN);
        self.top += 15.0 + below + 8.0;
        let heads: Vec<String> = table.columns.iter().map(|&head| head.to_owned()).collect();
        for (number, row) in texts.iter().enumerate() {
            let before = self.pages.len();
            self.with_space(2.0 * LINE);
            if number == 0 || self.pages.len() > before {
                self.line(&heads, &columns, true);
            }
            self.line(row, &columns, false);
        }
        self.top += 22.0;
    }

    /// Writes one line of a table and a rule below it.
    fn line(&mut self, cells: &[String], columns: &[(f32, bool)], is_head: bool) {
        let (ink, rule, top) = (Palette::LIGHT.ink, Palette::LIGHT.line.mix(Palette::LIGHT.muted, 0.3), self.top);
        let page = self.with_space(0.0);
        let mut left = MARGIN;
        for (text, &(width, is_number)) in cells.iter().zip(columns) {
            let text = elide(text, SIZE, is_head, width - 8.0);
            let (x, anchor) = if is_number { (left + width - 8.0, Anchor::End) } else { (left, Anchor::Start) };
            match is_head {
                true => page.bold_text((x, top), SIZE, ink, anchor, text),
                false => page.text((x, top), SIZE, ink, anchor, text),
            }
            left += width;
        }
        page.line((MARGIN, top + 4.0), (left, top + 4.0), if is_head { 1.0 } else { 0.4 }, rule);
        self.top += LINE;
    }
}

/// The tables of a section.
fn sheets(part: &Part) -> Vec<Scene> {
    let mut sheets = Sheets { heading: &part.title, pages: Vec::new(), top: 0.0 };
    part.tables.iter().for_each(|table| sheets.add(table));
    sheets.pages
}
