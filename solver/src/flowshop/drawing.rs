//! A schedule as a picture: a Gantt chart with rows of machines or of jobs, and the table of the recurrence for students.
//!
//! A job has one colour wherever it is drawn; colours are chosen so that people who confuse red and green tell
//! neighbours apart, and so that red is left to what is late. [`layout`] says where bars lie, as numbers that the
//! window paints, too.

mod chart;
mod head;
pub mod layout;
mod recurrence;

use crate::scene::palette::{self, Palette};
use crate::scene::paper::MARGIN;
use crate::scene::{Area, Colour, Scene};

use super::{Instance, Schedule};
use chart::Chart;
use layout::{Flag, Layout, PathRows};

pub use layout::{Rows, View};
pub use recurrence::{RecurrenceOptions, recurrence_table};

/// How many rows a picture shows; it says how many it leaves out.
const MAX_ROWS: usize = 2_000;

/// How a chart is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What the rows are.
    pub rows: Rows,
    /// On a dark ground.
    pub dark: bool,
    /// The size in points that the picture must fit into, such as a sheet of paper; `None`: as large as it needs.
    pub page: Option<(f32, f32)>,
    /// The part of the chart that is drawn, without the figures above it; `None`: all of it.
    pub view: Option<View>,
    /// Whether a critical path is outlined.
    pub critical_path: bool,
    /// Whether due dates are flagged and late jobs marked, where there are due dates.
    pub due_dates: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (rows, dark, page, view) = (Rows::default(), false, None, None);
        Self { rows, dark, page, view, critical_path: true, due_dates: true }
    }
}

/// The colour of a job by its place in the instance: the same in every schedule, picture and window.
pub fn job_colour(job: usize) -> Colour {
    palette::category(job)
}

/// Draws the chart of a schedule; jobs may be missing in it.
pub fn gantt(instance: &Instance, schedule: &Schedule, options: &Options) -> Scene {
    let facts = Facts::new(instance, schedule, options);
    let view = facts.view.clone();
    let width = options.page.map_or_else(|| MARGIN * 2.0 + facts.free_width(), |page| page.0);
    let mut scene = Scene::new(width, 0.0, facts.title(), facts.palette.background);
    let top = match options.view {
        None => head::draw_head(&mut scene, &facts, MARGIN),
        Some(_) => head::draw_slim_head(&mut scene, &facts, MARGIN),
    };
    let legend = head::legend(&facts);
    let foot = MARGIN + if legend.is_empty() { 0.0 } else { head::LEGEND_HEIGHT };
    let height = options.page.map(|page| page.1 - top - foot);
    let area = Area::new(MARGIN, top, width - 2.0 * MARGIN, height.unwrap_or(f32::INFINITY));
    let chart = Chart::new(&facts, &view, area);
    let bottom = chart.draw(&mut scene);
    head::draw_legend(&mut scene, &facts, &legend, bottom);
    scene.height = options.page.map_or(bottom + foot, |page| page.1);
    scene
}

/// What every part of a picture needs to know.
struct Facts<'a> {
    layout: Layout<'a>,
    /// What is drawn.
    view: View,
    path: PathRows,
    /// Ascending; empty where none are drawn.
    flags: Vec<Flag>,
    palette: Palette,
}

impl<'a> Facts<'a> {
    fn new(instance: &'a Instance, schedule: &'a Schedule, options: &Options) -> Self {
        let layout = Layout::new(instance, schedule, options.rows);
        let mut view = options.view.clone().unwrap_or_else(|| layout.whole());
        view.rows.end = view.rows.end.min(layout.row_count()).min(view.rows.start.saturating_add(MAX_ROWS));
        view.rows.start = view.rows.start.min(view.rows.end);
        // A picture of no time at all would have no scale.
        view.time.end = view.time.end.max(view.time.start + 1.0);
        Self {
            layout,
            view,
            path: if options.critical_path { layout.critical_path() } else { PathRows::default() },
            flags: if options.due_dates { layout.flags() } else { Vec::new() },
            palette: Palette::of(options.dark),
        }
    }

    fn title(&self) -> String {
        let rows = match self.layout.rows {
            Rows::Machines => "machines",
            Rows::Jobs => "jobs",
        };
        format!("{}: schedule by {rows}", self.layout.instance.name)
    }

    /// As wide as it takes to write the names of most jobs into their bars, within reason.
    fn free_width(&self) -> f32 {
        const ROOM: f64 = 24.0;
        let span = self.view.time.end - self.view.time.start;
        (span / usual_time(self.layout.instance) * ROOM).clamp(1_000.0, 2_600.0) as f32
    }
}

/// The median of the processing times that are not 0; 1 where all are.
pub(super) fn usual_time(instance: &Instance) -> f64 {
    let mut times: Vec<u32> = instance.times.iter().copied().filter(|&time| time > 0).collect();
    if times.is_empty() {
        return 1.0;
    }
    let middle = times.len() / 2;
    let (_, median, _) = times.select_nth_unstable(middle);
    f64::from(*median)
}

#[cfg(test)]
mod tests;
