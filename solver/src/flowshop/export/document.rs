//! A schedule as a document to print: the whole chart on a sheet and, where its bars are too short there to be named, the
//! chart in parts that can be read, sheet by sheet.
//!
//! With rows of machines a part is a stretch of time, with rows of jobs some jobs that follow each other. So a planner
//! pins up the first sheet and hands on the others.

use crate::Result;
use crate::flowshop::drawing::layout::Layout;
use crate::flowshop::drawing::{Options, Rows, View, gantt, usual_time};
use crate::flowshop::{Instance, Schedule};
use crate::numbers::grouped;
use crate::scene::Scene;
use crate::scene::axis::round_step;
use crate::scene::paper::{self, A4_ACROSS, FOOT};
use crate::scene::pdf::{Bookmark, pages_to_pdf_with_bookmarks};

/// Points that the bars of a sheet have side by side, about: the sheet without names and figures at its edges.
const WIDTH: f64 = 640.0;
/// Points that a bar of usual length needs for its job's name.
const LEGIBLE: f64 = 19.0;
/// Machines, and jobs with their due dates, on a sheet.
const MACHINES: usize = 30;
const JOBS: usize = 24;
/// More sheets than this nobody pins up: the parts become larger instead.
const MOST: usize = 60;

/// Writes the document.
///
/// # Errors
/// As for [`pages_to_pdf_with_bookmarks`].
pub fn document(instance: &Instance, schedule: &Schedule, options: &Options) -> Result<Vec<u8>> {
    let (pages, bookmarks) = pages(instance, schedule, options);
    pages_to_pdf_with_bookmarks(&pages, &bookmarks)
}

/// The sheets and what stands where.
pub(super) fn pages(instance: &Instance, schedule: &Schedule, options: &Options) -> (Vec<Scene>, Vec<Bookmark>) {
    let sheet = |view: Option<View>| {
        // A little shorter than the sheet, to leave the foot to the page number.
        let page = Some((A4_ACROSS.0, A4_ACROSS.1 - FOOT));
        let mut scene = gantt(instance, schedule, &Options { page, view, ..options.clone() });
        scene.height = A4_ACROSS.1;
        scene
    };
    let mut pages = vec![sheet(None)];
    let mut bookmarks = vec![Bookmark { text: "Overview".to_owned(), page: 0 }];
    for view in parts(&Layout::new(instance, schedule, options.rows)) {
        bookmarks.push(Bookmark { text: name(&view, options.rows), page: pages.len() });
        pages.push(sheet(Some(view)));
    }
    paper::number_pages(&mut pages, &instance.name);
    (pages, bookmarks)
}

/// What the sheets after the first show; nothing where the first says it all.
fn parts(layout: &Layout<'_>) -> Vec<View> {
    let makespan = f64::from(layout.schedule.makespan());
    let (rows, window) = (layout.row_count(), WIDTH / LEGIBLE * usual_time(layout.instance));
    match layout.rows {
        Rows::Machines if makespan > 1.3 * window || rows > 2 * MACHINES => {
            let stacks = rows.div_ceil(MACHINES).clamp(1, MOST);
            let per_stack = rows.div_ceil(stacks).max(1);
            let window = window.max(makespan / (MOST / stacks).max(1) as f64).min(makespan.max(1.0));
            // Begin at round times, and leave none of the last sheet empty.
            let step = round_step(window / 12.0).max(1.0);
            let count = (makespan / window).ceil().max(1.0);
            let window = (makespan / count / step).ceil().max(1.0) * step;
            let time = |at: usize| at as f64 * window..(at + 1) as f64 * window;
            let times = (0..).map(time).take_while(|time| time.start < makespan);
            times.flat_map(|time| groups(rows, per_stack).map(move |rows| View { time: time.clone(), rows })).collect()
        }
        Rows::Jobs if rows > JOBS + JOBS / 2 => {
            let per_sheet = JOBS.max(rows.div_ceil(MOST));
            // Equal sheets.
            let per_sheet = rows.div_ceil(rows.div_ceil(per_sheet));
            groups(rows, per_sheet).map(|rows| View { time: shop_time(layout, &rows), rows }).collect()
        }
        _ => Vec::new(),
    }
}

fn groups(rows: usize, size: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..rows).step_by(size).map(move |first| first..(first + size).min(rows))
}

/// From when to when these jobs are in the shop, to round times.
fn shop_time(layout: &Layout<'_>, rows: &std::ops::Range<usize>) -> std::ops::Range<f64> {
    let spans = || rows.clone().filter_map(|row| layout.span(row));
    let start = f64::from(spans().map(|span| span.0).min().unwrap_or(0));
    let end = f64::from(spans().map(|span| span.1).max().unwrap_or(0));
    let step = round_step((end - start) / 20.0).max(1.0);
    (start / step).floor() * step..((end / step).ceil() * step).max(start + 1.0)
}

fn name(view: &View, rows: Rows) -> String {
    let [from, to] = [view.time.start, view.time.end].map(|time| grouped(time.round() as u64));
    let [first, last] = [view.rows.start + 1, view.rows.end].map(|row| grouped(row as u64));
    match rows {
        Rows::Machines if view.rows.start > 0 => format!("Time {from} to {to}, machines {first} to {last}"),
        Rows::Machines => format!("Time {from} to {to}"),
        Rows::Jobs => format!("Positions {first} to {last}"),
    }
}
