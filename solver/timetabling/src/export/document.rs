//! Printable document of a timetable: a cover with all exams, then the exams of each period; with dates, each day begins a new
//! page to be pinned up. The last page holds cost and figures, for the office.

use std::ops::Range;

use chrono::{NaiveDate, NaiveTime};

use crate::counts::{TimetableStatistics, grouped};
use crate::drawing::{Audience, ColumnsOptions, Palette, period_columns};
use crate::occupancy::Occupancy;
use crate::{Instance, Timetable};
use gridwright_core::Result;
use gridwright_core::export::stamp::Stamp;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::numbers::counted;
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::paper::{self, A4_ACROSS as PAGE, MARGIN};
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::scene::{Anchor, Scene};

use super::tables::{end_of, sittings_of};

const COLUMN_GAP: f32 = 26.0;
const TOP: f32 = 66.0;
const BOTTOM: f32 = 545.0;
const LINE: f32 = 12.6;
const SIZE: f32 = 8.2;
const HEAD: f32 = 34.0;

/// Writes the document as PDF.
///
/// # Errors
/// As for [`pages_to_pdf`].
pub(super) fn document(
    instance: &Instance, timetable: &Timetable, letterhead: &Letterhead, stamp: Option<&Stamp>,
) -> Result<Vec<u8>> {
    let (pages, bookmarks) = pages(instance, timetable, letterhead, stamp);
    pages_to_pdf(&pages, &bookmarks)
}

/// Pages of the document with their bookmarks.
pub(super) fn pages(
    instance: &Instance, timetable: &Timetable, letterhead: &Letterhead, stamp: Option<&Stamp>,
) -> (Vec<Scene>, Vec<Bookmark>) {
    let counts = TimetableStatistics::of(instance, timetable);
    let overview = |audience: Audience, above: f32| {
        // Leave the foot of the page to the page number.
        let page = Some((PAGE.0, PAGE.1 - paper::FOOT - above));
        let options = ColumnsOptions { dark: false, page, audience };
        let mut scene = period_columns(instance, timetable, &options);
        scene.height = PAGE.1 - above;
        scene.title = format!("{}: examination timetable", instance.name);
        scene
    };
    let mut cover = overview(Audience::Everyone, letterhead.height());
    letterhead.above(&mut cover);
    let occupancy = Occupancy::of(instance, timetable);
    let mut lists = Lists::new(instance, occupancy.as_ref(), &counts, cover);
    let unplaced: Vec<usize> = timetable.unplaced_exams();
    if !unplaced.is_empty() {
        lists.add_block("Without a period", &unplaced, true);
    }
    let by_period = timetable.by_period(instance.period_count());
    for (date, periods) in days(instance) {
        let filled: Vec<usize> = periods.filter(|&period| !by_period[period].is_empty()).collect();
        if filled.is_empty() {
            continue;
        }
        lists.begin_day(date, filled.iter().flat_map(|&period| &by_period[period]).copied());
        for period in filled {
            lists.period = Some(period);
            lists.add_block(&period_title(instance, period), &by_period[period], false);
        }
    }
    let Lists { mut pages, mut bookmarks, .. } = lists;
    bookmarks.push(Bookmark { text: "Figures for the office".to_owned(), page: pages.len() });
    pages.push(overview(Audience::Office, 0.0));
    if let Some(stamp) = stamp {
        bookmarks.push(Bookmark { text: "Violations".to_owned(), page: pages.len() });
        pages.extend(stamp.sheets(&instance.name));
        stamp.mark(&mut pages);
    }
    paper::number_pages(&mut pages, &letterhead.titled(&instance.name));
    (pages, bookmarks)
}

/// Ranges of consecutive periods of the same date; periods without a date form a range, too.
fn days(instance: &Instance) -> Vec<(Option<NaiveDate>, Range<usize>)> {
    let mut days: Vec<(Option<NaiveDate>, Range<usize>)> = Vec::new();
    for (period, data) in instance.periods.iter().enumerate() {
        match days.last_mut() {
            Some((date, periods)) if *date == data.date => periods.end = period + 1,
            _ => days.push((data.date, period..period + 1)),
        }
    }
    days
}

/// Title of a period within its day: «Period 3 · 09:00–12:00».
fn period_title(instance: &Instance, period: usize) -> String {
    let data = &instance.periods[period];
    let time = |time: NaiveTime| time.format("%H:%M").to_string();
    let times = match (data.start, data.end) {
        (Some(start), Some(end)) => format!(" · {}–{}", time(start), time(end)),
        (Some(start), None) => format!(" · {}", time(start)),
        _ => String::new(),
    };
    format!("Period {}{times}", period + 1)
}

/// Number of columns per page, whether each period of a day has its own column, and the font scale: the largest scale
/// at which every day fits on its page with its periods side by side. If none does, or there are no days: `most`
/// columns at normal size, periods below each other.
fn room(
    instance: &Instance, occupancy: Option<&Occupancy<'_>>, counts: &TimetableStatistics, most: usize,
) -> (usize, bool, f32) {
    let dated = instance.periods.iter().all(|period| period.date.is_some());
    let periods = days(instance).into_iter().map(|(_, periods)| periods.len()).max().unwrap_or(0);
    let lines = match occupancy {
        None => counts.loads.iter().map(|load| load.exams as usize).max().unwrap_or(0),
        Some(occupancy) => occupancy.most_sittings(),
    };
    let height = HEAD + lines as f32 * LINE;
    let fits = |scale: &f32| height * scale <= BOTTOM - TOP;
    match [1.6, 1.4, 1.2, 1.0].into_iter().find(fits).filter(|_| dated && periods <= most) {
        Some(scale) => (periods.max(2), true, scale),
        None => (most, false, 1.0),
    }
}

/// Heading of the lists of a page.
struct Day {
    title: String,
    facts: String,
}

/// Layout of blocks of exams that flow through columns and pages.
struct Lists<'a> {
    instance: &'a Instance,
    occupancy: Option<&'a Occupancy<'a>>,
    day: Option<Day>,
    /// Period of the block, if it is that of one.
    period: Option<usize>,
    pages: Vec<Scene>,
    bookmarks: Vec<Bookmark>,
    /// Columns per page: more if there are no titles.
    columns: usize,
    column: usize,
    y: f32,
    /// True if each period of a day has a column of its own.
    apart: bool,
    /// Font scale, at least 1.
    scale: f32,
}

impl<'a> Lists<'a> {
    fn new(
        instance: &'a Instance, occupancy: Option<&'a Occupancy<'a>>, counts: &TimetableStatistics, cover: Scene,
    ) -> Self {
        let bookmarks = vec![Bookmark { text: "Overview".to_owned(), page: 0 }];
        // Treat the cover as full, so that the first block opens a page.
        let titled = instance.exams.iter().any(|exam| !exam.title.is_empty());
        let (columns, apart, scale) = room(instance, occupancy, counts, if titled { 3 } else { 5 });
        let (column, y) = (columns - 1, BOTTOM);
        let pages = vec![cover];
        Self { instance, occupancy, day: None, period: None, pages, bookmarks, columns, column, y, apart, scale }
    }

    fn width(&self) -> f32 {
        (PAGE.0 - 2.0 * MARGIN - (self.columns - 1) as f32 * COLUMN_GAP) / self.columns as f32
    }

    fn left(&self) -> f32 {
        MARGIN + self.column as f32 * (self.width() + COLUMN_GAP)
    }

    /// Moves to the next column or page if `height` points do not fit; returns `true` if it moved.
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

    /// Lets the next block open a page for this day; periods without a date continue the page, unless that is the page
    /// of a day.
    fn begin_day(&mut self, date: Option<NaiveDate>, exams: impl Iterator<Item = usize>) {
        let Some(date) = date else {
            if self.day.take().is_some() {
                (self.column, self.y) = (self.columns - 1, BOTTOM);
            }
            return;
        };
        let title = date.format("%A %-d %B %Y").to_string();
        self.bookmarks.push(Bookmark { text: title.clone(), page: self.pages.len() });
        self.day = Some(Day { title, facts: self.facts(exams) });
        (self.column, self.y) = (self.columns - 1, BOTTOM);
    }

    /// Formats «7 exams · 1,203 students».
    fn facts(&self, exams: impl Iterator<Item = usize>) -> String {
        let sizes = exams.map(|exam| u64::from(self.instance.exams[exam].enrolment));
        let (count, students) = sizes.fold((0_u64, 0), |(count, students), size| (count + 1, students + size));
        format!("{} · {}", counted(count, "exam"), counted(students, "student"))
    }

    fn open_page(&mut self) {
        const BASE: f32 = 42.0;
        let palette = Palette::LIGHT;
        let mut page =
            Scene::new(PAGE.0, PAGE.1, format!("{}: exams by period", self.instance.name), palette.background);
        let name = elide(&self.instance.name, 12.0, true, 300.0);
        let right = PAGE.0 - MARGIN;
        match &self.day {
            Some(day) => {
                page.bold_text((MARGIN, BASE), 14.0, palette.ink, Anchor::Start, day.title.clone());
                let x = MARGIN + text_width(&day.title, 14.0, true) + 12.0;
                page.text((x, BASE), 9.5, palette.muted, Anchor::Start, day.facts.clone());
                page.bold_text((right, BASE), 12.0, palette.muted, Anchor::End, name);
            }
            None => page.bold_text((MARGIN, BASE), 12.0, palette.ink, Anchor::Start, name),
        }
        page.line((MARGIN, 51.0), (right, 51.0), 0.8, palette.line);
        self.pages.push(page);
    }

    fn add_block(&mut self, title: &str, exams: &[usize], alarm: bool) {
        // Keep a block in one column if it fits; otherwise keep its head with the first line.
        let (head, line) = (HEAD * self.scale, LINE * self.scale);
        let mut entries: Vec<(usize, Option<usize>)> = Vec::new();
        for &exam in exams {
            entries.extend(sittings_of(self.occupancy, exam).into_iter().map(|sitting| (exam, sitting)));
        }
        entries.sort_by(|a, b| self.instance.exams[a.0].code.cmp(&self.instance.exams[b.0].code));
        let whole = entries.len() as f32 * line;
        let fits = head + whole <= BOTTOM - TOP;
        let rest = self.apart && self.y > TOP;
        self.make_room(if rest { BOTTOM } else { head + if fits { whole } else { 3.0 * line } });
        self.bookmarks.push(Bookmark { text: title.to_owned(), page: self.pages.len() - 1 });
        self.head(title, exams, alarm);
        let size = SIZE * self.scale;
        let code =
            exams.iter().map(|&exam| text_width(&self.instance.exams[exam].code, size, true)).fold(0.0, f32::max);
        for (exam, sitting) in entries {
            if self.make_room(line) {
                let title = elide(&format!("{title} (continued)"), 9.5, true, self.width());
                let (x, y) = (self.left(), self.y + 10.0);
                self.page().bold_text((x, y), 9.5, Palette::LIGHT.muted, Anchor::Start, title);
                self.y += 20.0;
            }
            self.line(exam, sitting, code.min(self.width() * 0.45));
        }
        self.y += 12.0;
    }

    fn page(&mut self) -> &mut Scene {
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    fn head(&mut self, title: &str, exams: &[usize], alarm: bool) {
        let palette = Palette::LIGHT;
        let (x, y, width, scale) = (self.left(), self.y, self.width(), self.scale);
        let facts = self.facts(exams.iter().copied());
        let ink = if alarm { palette.alarm } else { palette.ink };
        let title = elide(title, 10.0 * scale, true, width);
        let page = self.page();
        page.bold_text((x, y + 10.0 * scale), 10.0 * scale, ink, Anchor::Start, title);
        page.text((x, y + 22.0 * scale), SIZE * scale, palette.muted, Anchor::Start, facts);
        let rule = y + 27.0 * scale;
        page.line((x, rule), (x + width, rule), 0.8, if alarm { palette.alarm } else { palette.bar });
        self.y += HEAD * scale;
    }

    /// End of an exam or sitting in words if it differs from that of the period: «until 10:30».
    fn own_end(&self, exam: usize, sitting: Option<usize>) -> String {
        let Some(period) = self.period else { return String::new() };
        let end = end_of(self.instance, self.occupancy, Some(exam), sitting, Some(period));
        let own = end.filter(|_| end != self.instance.periods[period].end);
        own.map_or_else(String::new, |end| format!("until {}", end.format("%H:%M")))
    }

    /// Writes the line of an exam or sitting: code, title, its end if it is not that of the period, and its students or, where
    /// the timetable has rooms, the rooms with their students.
    fn line(&mut self, exam: usize, sitting: Option<usize>, code_width: f32) {
        let palette = Palette::LIGHT;
        let (data, x, base, width) = (&self.instance.exams[exam], self.left(), self.y + 6.0 * self.scale, self.width());
        let size = SIZE * self.scale;
        let seated = self.occupancy.zip(sitting);
        let rooms = seated.map(|(occupancy, at)| (occupancy.words(at), occupancy.sitting(at).students));
        let (rooms, count) = rooms.unwrap_or((String::new(), data.enrolment));
        let rooms = if rooms.is_empty() { grouped(u64::from(count)) } else { rooms };
        let students = [self.own_end(exam, sitting), rooms];
        let students = students.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(" · ");
        let students = elide(&students, size, false, (width - code_width - 18.0).max(0.0));
        let room = width - code_width - text_width(&students, size, false) - 18.0;
        let (code, title) = (elide(&data.code, size, true, code_width), elide(&data.title, size, false, room));
        let page = self.page();
        page.bold_text((x, base), size, palette.ink, Anchor::Start, code);
        page.text((x + code_width + 9.0, base), size, palette.ink, Anchor::Start, title);
        page.text((x + width, base), size, palette.muted, Anchor::End, students);
        self.y += LINE * self.scale;
    }
}
