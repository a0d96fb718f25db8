//! The report as a PDF: tables on A4 sheets, then the figures.

use super::tables::Table;
use super::{Part, Report};
use crate::Result;
use crate::scene::fonts::{elide, text_width};
use crate::scene::palette::Palette;
use crate::scene::paper::{A4_ACROSS, FOOT, MARGIN, number_pages};
use crate::scene::pdf::{Bookmark, pages_to_pdf};
use crate::scene::plot::paragraph;
use crate::scene::{Anchor, Scene};

const SIZE: f32 = 8.0;
const LINE: f32 = 13.0;
const WIDEST: f32 = 190.0;

/// Writes the report as a PDF with one bookmark per section.
///
/// # Errors
/// [`crate::Error::Usage`] if the document cannot be encoded.
pub fn write(report: &Report) -> Result<Vec<u8>> {
    let (mut pages, mut bookmarks) = (vec![title(report)], Vec::new());
    for part in &report.sections {
        bookmarks.push(Bookmark { text: part.title.clone(), page: pages.len() });
        pages.extend(part.tables.iter().filter(|table| !table.rows.is_empty()).flat_map(|table| sheets(part, table)));
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

/// A table on as many sheets as it needs.
fn sheets(part: &Part, table: &Table) -> Vec<Scene> {
    let (ink, muted) = (Palette::LIGHT.ink, Palette::LIGHT.muted);
    let texts: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(|cell| cell.shown()).collect()).collect();
    let width = |column: usize| {
        let widest = texts.iter().map(|row| text_width(&row[column], SIZE, false)).fold(0.0, f32::max);
        widest.max(text_width(table.columns[column], SIZE, true)).min(WIDEST) + 12.0
    };
    let widths: Vec<f32> = (0..table.columns.len()).map(width).collect();
    let is_number = |column: usize| table.rows.iter().any(|row| row[column].is_number());
    let mut pages = Vec::new();
    let mut rest = &texts[..];
    while !rest.is_empty() {
        let mut page = sheet(&table.title);
        page.text((MARGIN, 30.0), SIZE, muted, Anchor::Start, part.title.clone());
        page.bold_text((MARGIN, 50.0), 13.0, ink, Anchor::Start, table.title.clone());
        let mut top = 66.0;
        top += paragraph(&mut page, &table.reading, MARGIN, top, A4_ACROSS.0 - 2.0 * MARGIN) + 10.0;
        let fitting = ((A4_ACROSS.1 - MARGIN - FOOT - top) / LINE) as usize;
        let (now, later) = rest.split_at(fitting.saturating_sub(1).clamp(1, rest.len()));
        let heads: Vec<String> = table.columns.iter().map(|&head| head.to_owned()).collect();
        for (number, row) in std::iter::once(&heads).chain(now).enumerate() {
            let mut left = MARGIN;
            for (column, (text, &width)) in row.iter().zip(&widths).enumerate() {
                let text = elide(text, SIZE, number == 0, width - 8.0);
                let (x, anchor) =
                    if is_number(column) { (left + width - 8.0, Anchor::End) } else { (left, Anchor::Start) };
                match number {
                    0 => page.bold_text((x, top), SIZE, ink, anchor, text),
                    _ => page.text((x, top), SIZE, ink, anchor, text),
                }
                left += width;
            }
            let weight = if number == 0 { 1.0 } else { 0.4 };
            page.line((MARGIN, top + 4.0), (left, top + 4.0), weight, Palette::LIGHT.line.mix(muted, 0.3));
            top += LINE;
        }
        pages.push(page);
        rest = later;
    }
    pages
}
