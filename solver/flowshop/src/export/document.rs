//! A schedule as a document to print: the whole chart on the first sheet and, where its bars are too short to be
//! labelled there, legible sections on further sheets; then the table of jobs.
//!
//! A section is a time range with rows of machines, and a group of consecutive jobs with rows of jobs.

use super::spreadsheet::late;
use crate::drawing::layout::GanttLayout;
use crate::drawing::{GanttOptions, GanttRows, GanttSection, gantt, usual_time};
use crate::{Instance, Schedule};
use gridwright_core::Result;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::numbers::grouped;
use gridwright_core::scene::Scene;
use gridwright_core::scene::axis::round_step;
use gridwright_core::scene::fonts::elide;
use gridwright_core::scene::paper::{self, A4_ACROSS, FOOT};
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::scene::sheet_table::{LINES, SIZE, SheetColumn, SheetRow, table_sheets};

/// Approximate width in points of a sheet's plot.
const WIDTH: f64 = 640.0;
/// Width in points that a bar of median length needs for its job's name.
const LEGIBLE: f64 = 19.0;
/// Rows per sheet: machines, and jobs with their due dates.
const MACHINES: usize = 30;
const JOBS: usize = 24;
/// Largest number of sheets; longer schedules get larger sections.
const MOST: usize = 60;

/// Largest number of rows in the table of jobs.
const LISTED: usize = MOST * LINES;

/// Renders the document as PDF.
///
/// # Errors
/// See [`pages_to_pdf`].
pub(crate) fn document(
    instance: &Instance, schedule: &Schedule, options: &GanttOptions, letterhead: &Letterhead,
) -> Result<Vec<u8>> {
    let (pages, bookmarks) = pages(instance, schedule, options, letterhead);
    pages_to_pdf(&pages, &bookmarks)
}

/// Sheets and bookmarks of the document.
pub(super) fn pages(
    instance: &Instance, schedule: &Schedule, options: &GanttOptions, letterhead: &Letterhead,
) -> (Vec<Scene>, Vec<Bookmark>) {
    let sheet = |view: Option<GanttSection>| {
        let above = if view.is_none() { letterhead.height() } else { 0.0 };
        // The foot of the sheet is left to the page number.
        let page = Some((A4_ACROSS.0, A4_ACROSS.1 - FOOT - above));
        let mut scene = gantt(instance, schedule, &GanttOptions { page, view, ..options.clone() });
        scene.height = A4_ACROSS.1 - above;
        scene
    };
    let mut first = sheet(None);
    letterhead.above(&mut first);
    let mut pages = vec![first];
    let mut bookmarks = vec![Bookmark { text: "Overview".to_owned(), page: 0 }];
    for view in parts(&GanttLayout::new(instance, schedule, options.rows)) {
        bookmarks.push(Bookmark { text: name(&view, options.rows), page: pages.len() });
        pages.push(sheet(Some(view)));
    }
    let jobs = jobs(instance, schedule);
    bookmarks.extend((!jobs.is_empty()).then(|| Bookmark { text: "Jobs".to_owned(), page: pages.len() }));
    pages.extend(jobs);
    paper::number_pages(&mut pages, &letterhead.titled(&instance.name));
    (pages, bookmarks)
}

/// Right edges of the columns of times in the table of jobs, in points: of numbers, and of dates with times of day.
const NUMBERS: [f32; 4] = [400.0, 480.0, 560.0, 640.0];
const DATES: [f32; 4] = [420.0, 530.0, 640.0, 750.0];

/// Draws the table of jobs in the order of the schedule; late jobs are in red.
fn jobs(instance: &Instance, schedule: &Schedule) -> Vec<Scene> {
    let has_dates = instance.plan_start().is_some();
    let column = |(title, x, is_number): (&str, f32, bool)| {
        let is_name = ["Position", "Job"].contains(&title);
        // Dates have no unit.
        let title = if is_name || has_dates { title.to_owned() } else { instance.time_heading(title) };
        SheetColumn { title, x, is_number }
    };
    let [starts, done, due, late_by] = if has_dates { DATES } else { NUMBERS };
    let mut columns: Vec<SheetColumn> =
        [("Position", 50.0, true), ("Job", 70.0, false), ("Starts", starts, true), ("Done", done, true)]
            .map(column)
            .into();
    if instance.has_due_dates() {
        columns.extend([("Due", due, true), ("Late by", late_by, true)].map(column));
    }
    let row = |position: usize| {
        let job = &instance.jobs[usize::from(schedule.order[position])];
        let [starts, done] = [schedule.begin(position), schedule.done(position)].map(|time| instance.moment(time));
        let late = late(instance, schedule, position).filter(|&late| late > 0);
        let due = job.due.map_or_else(String::new, |due| instance.due_moment(due));
        let name = elide(&job.name, SIZE, false, 260.0);
        let late_by = late.map_or_else(String::new, |late| instance.span(late));
        SheetRow {
            cells: vec![grouped(position as u64 + 1), name, starts, done, due, late_by],
            is_alarming: late.is_some(),
        }
    };
    let count = schedule.order.len();
    let listed = if count > LISTED { LISTED - 1 } else { count };
    let mut rows: Vec<SheetRow> = (0..listed).map(row).collect();
    if listed < count {
        let more = format!("and {} more, in the workbook", grouped((count - listed) as u64));
        rows.push(SheetRow { cells: vec![String::new(), more], is_alarming: false });
    }
    table_sheets(&instance.name, &format!("{}: jobs", instance.name), &columns, &rows)
}

/// Sections on the sheets after the first; empty if the first sheet is legible.
fn parts(layout: &GanttLayout<'_>) -> Vec<GanttSection> {
    let makespan = f64::from(layout.schedule.makespan());
    let (rows, window) = (layout.row_count(), WIDTH / LEGIBLE * usual_time(layout.instance));
    match layout.rows {
        GanttRows::Machines if makespan > 1.3 * window || rows > 2 * MACHINES => {
            let stacks = rows.div_ceil(MACHINES).clamp(1, MOST);
            let per_stack = rows.div_ceil(stacks).max(1);
            let window = window.max(makespan / (MOST / stacks).max(1) as f64).min(makespan.max(1.0));
            // Sections start at round times, and the last one is not nearly empty.
            let step = round_step(window / 12.0).max(1.0);
            let count = (makespan / window).ceil().max(1.0);
            let window = (makespan / count / step).ceil().max(1.0) * step;
            let time = |at: usize| at as f64 * window..(at + 1) as f64 * window;
            let times = (0..).map(time).take_while(|time| time.start < makespan);
            times
                .flat_map(|time| groups(rows, per_stack).map(move |rows| GanttSection { time: time.clone(), rows }))
                .collect()
        }
        GanttRows::Jobs if rows > JOBS + JOBS / 2 => {
            let per_sheet = JOBS.max(rows.div_ceil(MOST));
            // Sheets of equal height.
            let per_sheet = rows.div_ceil(rows.div_ceil(per_sheet));
            groups(rows, per_sheet).map(|rows| GanttSection { time: shop_time(layout, &rows), rows }).collect()
        }
        _ => Vec::new(),
    }
}

fn groups(rows: usize, size: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..rows).step_by(size).map(move |first| first..(first + size).min(rows))
}

/// Time range, rounded outwards, in which these rows have operations.
fn shop_time(layout: &GanttLayout<'_>, rows: &std::ops::Range<usize>) -> std::ops::Range<f64> {
    let spans = || rows.clone().filter_map(|row| layout.span(row));
    let start = f64::from(spans().map(|span| span.0).min().unwrap_or(0));
    let end = f64::from(spans().map(|span| span.1).max().unwrap_or(0));
    let step = round_step((end - start) / 20.0).max(1.0);
    (start / step).floor() * step..((end / step).ceil() * step).max(start + 1.0)
}

fn name(view: &GanttSection, rows: GanttRows) -> String {
    let [from, to] = [view.time.start, view.time.end].map(|time| grouped(time.round() as u64));
    let [first, last] = [view.rows.start + 1, view.rows.end].map(|row| grouped(row as u64));
    match rows {
        GanttRows::Machines if view.rows.start > 0 => format!("Time {from} to {to}, machines {first} to {last}"),
        GanttRows::Machines => format!("Time {from} to {to}"),
        GanttRows::Jobs => format!("Positions {first} to {last}"),
    }
}
