//! Pictures of a schedule: Gantt charts with rows of machines or of jobs.
//!
//! A job has the same colour in every picture; the colours remain distinguishable with red-green colour blindness and
//! leave red to lateness. [`layout`] computes the positions of the bars, for pictures and for the window.

mod chart;
pub mod clock;
mod head;
pub mod layout;

use gridwright_core::scene::palette::{self, Palette};
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::{Area, Colour, Scene};

use super::{Instance, Schedule};
use chart::Chart;
use layout::{Flag, GanttLayout, PathRows};

pub use layout::{GanttRows, GanttSection};

/// Largest number of rows in a picture; omitted rows are mentioned in it.
const MAX_ROWS: usize = 2_000;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GanttOptions {
    /// Meaning of the rows.
    pub rows: GanttRows,
    /// True for a dark background.
    pub dark: bool,
    /// Size in points, such as that of a sheet of paper; `None` for the natural size.
    pub page: Option<(f32, f32)>,
    /// Section to be drawn, without the figures above the chart; `None` for the whole chart.
    pub view: Option<GanttSection>,
    /// True to outline a critical path.
    pub critical_path: bool,
    /// True to flag due dates and mark late jobs, if there are due dates.
    pub due_dates: bool,
}

impl Default for GanttOptions {
    fn default() -> Self {
        let (rows, dark, page, view) = (GanttRows::default(), false, None, None);
        Self { rows, dark, page, view, critical_path: true, due_dates: true }
    }
}

/// Colour of a job by its index, the same in every picture and in the window.
pub fn job_colour(job: usize) -> Colour {
    palette::category(job)
}

/// Draws the chart of a schedule, which may be partial.
pub(crate) fn gantt(instance: &Instance, schedule: &Schedule, options: &GanttOptions) -> Scene {
    let facts = ChartContext::new(instance, schedule, options);
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

/// Data shared by all parts of a chart.
struct ChartContext<'a> {
    layout: GanttLayout<'a>,
    view: GanttSection,
    path: PathRows,
    /// Due dates in ascending order; empty if none are drawn.
    flags: Vec<Flag>,
    palette: Palette,
}

impl<'a> ChartContext<'a> {
    fn new(instance: &'a Instance, schedule: &'a Schedule, options: &GanttOptions) -> Self {
        let layout = GanttLayout::new(instance, schedule, options.rows);
        let mut view = options.view.clone().unwrap_or_else(|| layout.whole());
        view.rows.end = view.rows.end.min(layout.row_count()).min(view.rows.start.saturating_add(MAX_ROWS));
        view.rows.start = view.rows.start.min(view.rows.end);
        // An empty time range would have no scale.
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
            GanttRows::Machines => "machines",
            GanttRows::Jobs => "jobs",
        };
        format!("{}: schedule by {rows}", self.layout.instance.name)
    }

    /// Natural width: enough for most job names inside their bars, within limits.
    fn free_width(&self) -> f32 {
        const ROOM: f64 = 24.0;
        let span = self.view.time.end - self.view.time.start;
        (span / usual_time(self.layout.instance) * ROOM).clamp(1_000.0, 2_600.0) as f32
    }
}

/// Median of the non-zero processing times; 1 if all are 0.
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
