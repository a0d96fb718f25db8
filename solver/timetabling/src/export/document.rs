//! Printable document of a timetable for the notice board: a cover with all exams, then the exams of each period; with dates,
//! each day begins a new page. It tells neither cost nor extra time.

use std::ops::Range;

use chrono::{NaiveDate, NaiveTime};

use crate::counts::grouped;
use crate::drawing::{Audience, ColumnsOptions, Palette, period_columns};
use crate::occupancy::Occupancy;
use crate::{Instance, Timetable, words};
use gridwright_core::Result;
use gridwright_core::export::stamp::Stamp;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::scene::fonts::{elide, text_width, wrapped};
use gridwright_core::scene::paper::{self, A4_ACROSS as PAGE, MARGIN};
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::scene::{Anchor, Scene};
use gridwright_core::text::language::Language;
use gridwright_core::text::order::list_key;

use super::sheets;
use super::tables::end_of;

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
    let language = letterhead.language;
    // Leave the foot of the page to the page number.
    let page = Some((PAGE.0, PAGE.1 - paper::FOOT - letterhead.height()));
    let mut cover = period_columns(
        instance,
        timetable,
        &ColumnsOptions { dark: false, page, audience: Audience::Everyone(language) },
    );
    cover.height = PAGE.1 - letterhead.height();
    cover.title = words::TIMETABLE_OF.with(language, &[&instance.name]);
    letterhead.above(&mut cover);
    let occupancy = Occupancy::of(instance, timetable);
    let by_period = timetable.by_period(instance.period_count());
    let mut lists = Lists::new(Session { instance, occupancy: occupancy.as_ref(), language }, &by_period, cover);
    let unplaced: Vec<usize> = timetable.unplaced_exams();
    if !unplaced.is_empty() {
        lists.add_block(words::WITHOUT_PERIOD.of(language), &unplaced, true);
    }
    for (date, periods) in days(instance) {
        let filled: Vec<usize> = periods.filter(|&period| !by_period[period].is_empty()).collect();
        if filled.is_empty() {
            continue;
        }
        lists.begin_day(date, filled.iter().flat_map(|&period| &by_period[period]).copied());
        for period in filled {
            lists.period = Some(period);
            lists.add_block(&period_title(instance, period, language), &by_period[period], false);
        }
    }
    let Lists { mut pages, mut bookmarks, .. } = lists;
    if let Some(stamp) = stamp {
        let sheets = stamp.sheets(&instance.name);
        if !sheets.is_empty() {
            bookmarks.push(Bookmark { text: "Violations".to_owned(), page: pages.len() });
        }
        pages.extend(sheets);
        stamp.mark(&mut pages);
    }
    sheets::number(&mut pages, letterhead, &instance.name, true);
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
fn period_title(instance: &Instance, period: usize, language: Language) -> String {
    let data = &instance.periods[period];
    let time = |time: NaiveTime| time.format("%H:%M").to_string();
    let times = match (data.start, data.end) {
        (Some(start), Some(end)) => format!(" · {}–{}", time(start), time(end)),
        (Some(start), None) => format!(" · {}", time(start)),
        _ => String::new(),
    };
    words::period(period, language) + &times
}

/// Exam in a list; nothing of it is cut, so that it may take several lines.
struct Entry {
    /// Lines of the code.
    code: Vec<String>,
    /// Lines of the title.
    title: Vec<String>,
    /// Lines of the end, if it is not that of the period, and of the rooms or the number of students.
    facts: Vec<String>,
    /// True if the facts stand beside the title, at the right.
    is_beside: bool,
}

impl Entry {
    fn lines(&self) -> usize {
        let rest = if self.is_beside { 1 } else { self.title.len() + self.facts.len() };
        self.code.len().max(rest)
    }
}

/// Exams of one block as they are drawn.
struct Block {
    entries: Vec<Entry>,
    /// Width of the codes in points.
    code: f32,
}

/// Distance between the columns of an entry in points.
const GAP: f32 = 9.0;

/// Session whose exams are listed.
#[derive(Clone, Copy)]
struct Session<'a> {
    instance: &'a Instance,
    occupancy: Option<&'a Occupancy<'a>>,
    language: Language,
}

impl Session<'_> {
    /// Breaks the lines of these exams, which are in one period or have none, for a column of this width.
    fn block(&self, exams: &[usize], period: Option<usize>, width: f32, scale: f32) -> Block {
        let mut exams = exams.to_vec();
        exams.sort_by_cached_key(|&exam| list_key(&self.instance.exams[exam].code));
        let size = SIZE * scale;
        let widths = exams.iter().map(|&exam| text_width(&self.instance.exams[exam].code, size, true));
        let code = widths.fold(0.0, f32::max).min(width * 0.45);
        let rest = width - code - GAP;
        let entry = |&exam: &usize| {
            let (data, facts) = (&self.instance.exams[exam], self.facts(exam, period));
            let is_beside = text_width(&data.title, size, false) + GAP + text_width(&facts, size, false) <= rest;
            let broken = |text: &str| match text {
                "" => Vec::new(),
                text => wrapped(text, size, false, rest),
            };
            let code = wrapped(&data.code, size, true, code);
            Entry { code, title: broken(&data.title), facts: broken(&facts), is_beside }
        };
        Block { entries: exams.iter().map(entry).collect(), code }
    }

    /// End of an exam if it differs from that of its period, and its rooms or, without rooms, its number of students:
    /// «until 10:30 · H1, H2». Extra time is confidential: rooms of students who are apart are not listed.
    fn facts(&self, exam: usize, period: Option<usize>) -> String {
        let end = end_of(self.instance, None, Some(exam), None, period);
        let own = period.and(end).filter(|_| end != period.and_then(|period| self.instance.periods[period].end));
        let own =
            own.map_or_else(String::new, |end| words::UNTIL.with(self.language, &[&end.format("%H:%M").to_string()]));
        let place = match self.occupancy {
            Some(occupancy) => occupancy.public_rooms(exam).join(", "),
            None => grouped(u64::from(self.instance.exams[exam].enrolment)),
        };
        [own, place].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}

fn column_width(columns: usize) -> f32 {
    (PAGE.0 - 2.0 * MARGIN - (columns - 1) as f32 * COLUMN_GAP) / columns as f32
}

/// Number of columns per page, whether each period of a day has its own column, and the font scale: the largest scale
/// at which every day fits on its page with its periods side by side. If none does, or there are no days: `most`
/// columns at normal size, periods below each other.
fn room(session: Session<'_>, by_period: &[Vec<usize>], most: usize) -> (usize, bool, f32) {
    let dated = session.instance.is_dated();
    let periods = days(session.instance).into_iter().map(|(_, periods)| periods.len()).max().unwrap_or(0);
    let columns = periods.max(2);
    let fits = |scale: &f32| {
        by_period.iter().enumerate().all(|(period, exams)| {
            let block = session.block(exams, Some(period), column_width(columns), *scale);
            let lines: usize = block.entries.iter().map(Entry::lines).sum();
            (HEAD + lines as f32 * LINE) * scale <= BOTTOM - TOP
        })
    };
    if !dated || periods > most {
        return (most, false, 1.0);
    }
    [2.6, 2.2, 1.9, 1.6, 1.4, 1.2, 1.0]
        .into_iter()
        .find(fits)
        .map_or((most, false, 1.0), |scale| (columns, true, scale))
}

/// Heading of the lists of a page.
struct Day {
    title: String,
    facts: String,
}

/// Layout of blocks of exams that flow through columns and pages.
struct Lists<'a> {
    session: Session<'a>,
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
    fn new(session: Session<'a>, by_period: &[Vec<usize>], cover: Scene) -> Self {
        let bookmarks = vec![Bookmark { text: words::OVERVIEW.of(session.language).to_owned(), page: 0 }];
        // Treat the cover as full, so that the first block opens a page.
        let titled = session.instance.exams.iter().any(|exam| !exam.title.is_empty());
        let (columns, apart, scale) = room(session, by_period, if titled { 3 } else { 5 });
        let (column, y) = (columns - 1, BOTTOM);
        Self { session, day: None, period: None, pages: vec![cover], bookmarks, columns, column, y, apart, scale }
    }

    fn width(&self) -> f32 {
        column_width(self.columns)
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
        let title = self.session.language.long_date(date);
        self.bookmarks.push(Bookmark { text: title.clone(), page: self.pages.len() });
        self.day =
            Some(Day { title, facts: words::EXAMS_COUNTED.counted(exams.count() as u64, self.session.language) });
        (self.column, self.y) = (self.columns - 1, BOTTOM);
    }

    fn open_page(&mut self) {
        const BASE: f32 = 42.0;
        let palette = Palette::LIGHT;
        let mut page = Scene::new(
            PAGE.0,
            PAGE.1,
            words::BY_PERIOD.with(self.session.language, &[&self.session.instance.name]),
            palette.background,
        );
        let name = elide(&self.session.instance.name, 12.0, true, 300.0);
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
        let block = self.session.block(exams, self.period, self.width(), self.scale);
        let whole = block.entries.iter().map(Entry::lines).sum::<usize>() as f32 * line;
        let fits = head + whole <= BOTTOM - TOP;
        let rest = self.apart && self.y > TOP;
        self.make_room(if rest { BOTTOM } else { head + if fits { whole } else { 3.0 * line } });
        self.bookmarks.push(Bookmark { text: title.to_owned(), page: self.pages.len() - 1 });
        self.head(title, exams, alarm);
        for entry in block.entries {
            if self.make_room(line * entry.lines() as f32) {
                let title = elide(&words::CONTINUED.with(self.session.language, &[title]), 9.5, true, self.width());
                let (x, y) = (self.left(), self.y + 10.0);
                self.page().bold_text((x, y), 9.5, Palette::LIGHT.muted, Anchor::Start, title);
                self.y += 20.0;
            }
            self.entry(entry, block.code);
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
        let facts = words::EXAMS_COUNTED.counted(exams.len() as u64, self.session.language);
        let ink = if alarm { palette.alarm } else { palette.ink };
        let title = elide(title, 10.0 * scale, true, width);
        let page = self.page();
        page.bold_text((x, y + 10.0 * scale), 10.0 * scale, ink, Anchor::Start, title);
        page.text((x, y + 22.0 * scale), SIZE * scale, palette.muted, Anchor::Start, facts);
        let rule = y + 27.0 * scale;
        page.line((x, rule), (x + width, rule), 0.8, if alarm { palette.alarm } else { palette.bar });
        self.y += HEAD * scale;
    }

    /// Writes an exam: code, title, and the facts at the right or below the title.
    fn entry(&mut self, entry: Entry, code_width: f32) {
        let palette = Palette::LIGHT;
        let (x, width, line, size) = (self.left(), self.width(), LINE * self.scale, SIZE * self.scale);
        let base = self.y + 6.0 * self.scale;
        self.y += entry.lines() as f32 * line;
        let page = self.page();
        for (number, code) in entry.code.into_iter().enumerate() {
            page.bold_text((x, base + number as f32 * line), size, palette.ink, Anchor::Start, code);
        }
        let below = if entry.is_beside { 0 } else { entry.title.len() };
        for (number, title) in entry.title.into_iter().enumerate() {
            let at = (x + code_width + GAP, base + number as f32 * line);
            page.text(at, size, palette.ink, Anchor::Start, title);
        }
        for (number, facts) in entry.facts.into_iter().enumerate() {
            let at = (x + width, base + (below + number) as f32 * line);
            page.text(at, size, palette.muted, Anchor::End, facts);
        }
    }
}
