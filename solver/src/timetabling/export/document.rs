//! A timetable as a document to print: an overview, then what stands in each period.

use crate::Result;
use crate::scene::fonts::{elide, text_width};
use crate::scene::pdf::{Bookmark, pages_to_pdf_with_bookmarks};
use crate::scene::{Anchor, Scene};
use crate::timetabling::counts::{OfficerCounts, grouped};
use crate::timetabling::drawing::{ColumnsOptions, Palette, period_columns};
use crate::timetabling::{Instance, Timetable};

/// A4 across, in points.
const PAGE: (f32, f32) = (841.89, 595.28);
const MARGIN: f32 = 32.0;
const COLUMN_GAP: f32 = 26.0;
const TOP: f32 = 66.0;
const BOTTOM: f32 = 545.0;
const LINE: f32 = 12.6;
const SIZE: f32 = 8.2;
const HEAD: f32 = 34.0;

/// Writes the document.
///
/// # Errors
/// As for [`pages_to_pdf_with_bookmarks`].
pub fn document(instance: &Instance, timetable: &Timetable) -> Result<Vec<u8>> {
    let (pages, bookmarks) = pages(instance, timetable);
    pages_to_pdf_with_bookmarks(&pages, &bookmarks)
}

/// The pages and what stands where.
pub(super) fn pages(instance: &Instance, timetable: &Timetable) -> (Vec<Scene>, Vec<Bookmark>) {
    let counts = OfficerCounts::of(instance, timetable);
    // A little shorter than the page, to leave the foot to the page number.
    let page = Some((PAGE.0, PAGE.1 - 10.0));
    let mut overview = period_columns(instance, timetable, &ColumnsOptions { dark: false, page });
    overview.height = PAGE.1;
    overview.title = format!("{}: examination timetable", instance.name);
    let mut lists = Lists::new(instance, &counts, overview);
    let unplaced: Vec<usize> = timetable.unplaced_exams();
    if !unplaced.is_empty() {
        lists.add_block("Without a period", &unplaced, true);
    }
    for (period, exams) in timetable.by_period(instance.period_count()).iter().enumerate() {
        if !exams.is_empty() {
            let label = instance.period_label(period);
            let dated = instance.periods.get(period).is_some_and(|period| period.date.is_some());
            let title = if dated { format!("{} · {label}", period + 1) } else { label };
            lists.add_block(&title, exams, false);
        }
    }
    let Lists { mut pages, bookmarks, .. } = lists;
    number_pages(&mut pages, instance);
    (pages, bookmarks)
}

/// Blocks of exams flowing through columns and pages.
struct Lists<'a> {
    instance: &'a Instance,
    warning: Option<String>,
    pages: Vec<Scene>,
    bookmarks: Vec<Bookmark>,
    /// Columns per page: more where there are only codes.
    columns: usize,
    column: usize,
    y: f32,
}

impl<'a> Lists<'a> {
    fn new(instance: &'a Instance, counts: &OfficerCounts, overview: Scene) -> Self {
        let bookmarks = vec![Bookmark { text: "Overview".to_owned(), page: 0 }];
        // As if the overview were full, so that the first block opens a page.
        let columns = if instance.exams.iter().any(|exam| !exam.title.is_empty()) { 3 } else { 5 };
        let (warning, column, y) = (counts.warning(), columns - 1, BOTTOM);
        Self { instance, warning, pages: vec![overview], bookmarks, columns, column, y }
    }

    fn width(&self) -> f32 {
        (PAGE.0 - 2.0 * MARGIN - (self.columns - 1) as f32 * COLUMN_GAP) / self.columns as f32
    }

    fn left(&self) -> f32 {
        MARGIN + self.column as f32 * (self.width() + COLUMN_GAP)
    }

    /// Makes room for `height` in this column or the next.
    fn make_room(&mut self, height: f32) -> bool {
        if self.y + height <= BOTTOM {
            return false;
        }
        self.y = TOP;
        self.column += 1;
        if self.column == self.columns {
            self.column = 0;
            self.open_page();
        }
        true
    }

    fn open_page(&mut self) {
        let palette = Palette::LIGHT;
        let mut page =
            Scene::new(PAGE.0, PAGE.1, format!("{}: exams by period", self.instance.name), palette.background);
        let name = elide(&self.instance.name, 12.0, true, 420.0);
        page.bold_text((MARGIN, 42.0), 12.0, palette.ink, Anchor::Start, name);
        if let Some(warning) = &self.warning {
            page.bold_text((PAGE.0 - MARGIN, 42.0), 9.5, palette.alarm, Anchor::End, warning.clone());
        }
        page.line((MARGIN, 51.0), (PAGE.0 - MARGIN, 51.0), 0.8, palette.line);
        self.pages.push(page);
    }

    fn add_block(&mut self, title: &str, exams: &[usize], alarm: bool) {
        // A head never stands alone at the end of a column.
        let together = exams.len().min(3) as f32 * LINE;
        self.make_room(HEAD + together);
        self.bookmarks.push(Bookmark { text: title.to_owned(), page: self.pages.len() - 1 });
        self.head(title, exams, alarm);
        let mut exams = exams.to_vec();
        exams.sort_by(|&a, &b| self.instance.exams[a].code.cmp(&self.instance.exams[b].code));
        let code =
            exams.iter().map(|&exam| text_width(&self.instance.exams[exam].code, SIZE, true)).fold(0.0, f32::max);
        for exam in exams {
            if self.make_room(LINE) {
                let title = elide(&format!("{title} (continued)"), 9.5, true, self.width());
                let (x, y) = (self.left(), self.y + 10.0);
                self.page().bold_text((x, y), 9.5, Palette::LIGHT.muted, Anchor::Start, title);
                self.y += 20.0;
            }
            self.line(exam, code.min(self.width() * 0.45));
        }
        self.y += 12.0;
    }

    fn page(&mut self) -> &mut Scene {
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    fn head(&mut self, title: &str, exams: &[usize], alarm: bool) {
        let palette = Palette::LIGHT;
        let (x, y, width) = (self.left(), self.y, self.width());
        let students: u64 = exams.iter().map(|&exam| u64::from(self.instance.exams[exam].enrolment)).sum();
        let count = exams.len() as u64;
        let facts =
            format!("{} exam{} · {} students", grouped(count), if count == 1 { "" } else { "s" }, grouped(students));
        let ink = if alarm { palette.alarm } else { palette.ink };
        let title = elide(title, 10.0, true, width);
        let page = self.page();
        page.bold_text((x, y + 10.0), 10.0, ink, Anchor::Start, title);
        page.text((x, y + 22.0), SIZE, palette.muted, Anchor::Start, facts);
        page.line((x, y + 27.0), (x + width, y + 27.0), 0.8, if alarm { palette.alarm } else { palette.bar });
        self.y += HEAD;
    }

    /// Code, title, students.
    fn line(&mut self, exam: usize, code_width: f32) {
        let palette = Palette::LIGHT;
        let (data, x, base, width) = (&self.instance.exams[exam], self.left(), self.y + 6.0, self.width());
        let students = grouped(u64::from(data.enrolment));
        let room = width - code_width - text_width(&students, SIZE, false) - 18.0;
        let (code, title) = (elide(&data.code, SIZE, true, code_width), elide(&data.title, SIZE, false, room));
        let page = self.page();
        page.bold_text((x, base), SIZE, palette.ink, Anchor::Start, code);
        page.text((x + code_width + 9.0, base), SIZE, palette.ink, Anchor::Start, title);
        page.text((x + width, base), SIZE, palette.muted, Anchor::End, students);
        self.y += LINE;
    }
}

fn number_pages(pages: &mut [Scene], instance: &Instance) {
    let count = pages.len();
    let muted = Palette::LIGHT.muted;
    for (number, page) in pages.iter_mut().enumerate() {
        let base = PAGE.1 - 18.0;
        let left = elide(&format!("{} · made with Gridwright", instance.name), 7.5, false, 500.0);
        page.text((MARGIN, base), 7.5, muted, Anchor::Start, left);
        page.text((PAGE.0 - MARGIN, base), 7.5, muted, Anchor::End, format!("Page {} of {count}", number + 1));
    }
}
