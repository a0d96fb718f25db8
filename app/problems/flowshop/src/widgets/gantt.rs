//! A schedule of a flow shop as a Gantt chart, a row per machine or per job.
//!
//! The wheel zooms time around the pointer, in rows of jobs these as well; Shift and the wheel move it, Ctrl and the
//! wheel change the height of rows; over the names of rows the wheel scrolls them. Dragging moves the picture, a double
//! click shows all of it again. Keys, while the chart has the keyboard: arrows go from operation to operation, Home and
//! End to the first and last of the row, plus and minus zoom, `F` fits the selected job, `0` everything, Enter is
//! reported.
//!
//! Where bars lie says [`gridwright_flowshop::drawing::layout`], which exported pictures are drawn from, too;
//! colours are the same as theirs. Only what is visible is visited. How to use it:
//!
//! ```ignore
//! // Held by the caller; facts are made anew when the schedule or what its rows are has changed.
//! let layout = GanttLayout::new(&instance, &schedule, rows);
//! let facts = gantt::Facts::of(&layout);
//! let mut view = gantt::View::default();
//! // Every frame. `selected` names a job and perhaps a machine, both by their places in the instance.
//! let chart = gantt::Chart { ghost: None, critical_path: true, due_dates: true, ..gantt::Chart::new(layout, &facts) };
//! let outcome = gantt::show(ui, &chart, &mut view, selected);
//! if let Some(picked) = outcome.picked {
//!     selected = picked; // None: beside everything
//! }
//! // Selected elsewhere, such as in the sequence:
//! view.reveal(Selection { job, machine: None });
//! // Around it: gantt::legend(ui, &chart), gantt::controls(ui, &mut view, selected.is_some()).
//! ```

mod edges;
mod interaction;
mod layout;
mod paint;
mod words;

use std::ops::Range;

use egui::{Response, Sense, Ui};
use gridwright_flowshop::Schedule;
use gridwright_flowshop::drawing::layout::{Flag, GanttLayout, GanttRows, PathRows};

pub use edges::legend;
pub use layout::Frame;
pub use words::describe;
pub(crate) use words::tooltip;

use gridwright_window::widgets::canvas::Canvas;
use gridwright_window::widgets::controls::icon_button;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::viewport::{Axis, Zoom, zoom_buttons};

/// A job on a machine, both by their places in the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operation {
    /// Job index.
    pub job: usize,
    /// Machine index.
    pub machine: usize,
}

/// A job that is picked out, and perhaps one of its operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selection {
    /// The job by its place in the instance.
    pub job: usize,
    /// The machine of the operation.
    pub machine: Option<usize>,
}

impl From<Operation> for Selection {
    fn from(operation: Operation) -> Self {
        Self { job: operation.job, machine: Some(operation.machine) }
    }
}

/// Derived facts of a schedule, made once for each schedule in O(jobs × machines).
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    path: PathRows,
    /// (position, machine) of the operations of the critical path, ascending.
    critical: Vec<(usize, usize)>,
    /// Ascending by due date; empty where there are none.
    flags: Vec<Flag>,
    /// The part of the time in which each row works, 0…1; of rows of machines only.
    busy: Vec<f64>,
    /// The position of each job of the instance.
    positions: Vec<Option<usize>>,
    /// When the chart ends.
    end: f64,
    /// Letters of the longest name of a row.
    letters: usize,
}

impl Facts {
    /// Computes the facts of a schedule.
    pub fn of(layout: &GanttLayout<'_>) -> Self {
        let rows = 0..layout.row_count();
        let mut positions = vec![None; layout.instance.job_count()];
        for position in 0..layout.schedule.order.len() {
            positions[layout.job(position)] = Some(position);
        }
        Self {
            path: layout.critical_path(),
            critical: layout.schedule.critical_path().operations,
            flags: layout.flags(),
            busy: match layout.rows {
                GanttRows::Machines => rows.clone().map(|row| layout.busy(row)).collect(),
                GanttRows::Jobs => Vec::new(),
            },
            positions,
            end: layout.whole().time.end,
            letters: rows.map(|row| layout.row_name(row).chars().count()).max().unwrap_or(0),
        }
    }

    /// The position of a job, where it is placed.
    pub fn position(&self, job: usize) -> Option<usize> {
        self.positions.get(job).copied().flatten()
    }

    /// Returns `true` if the operation of the job in this position belongs to the critical path that is drawn.
    pub(crate) fn is_critical(&self, position: usize, machine: usize) -> bool {
        self.critical.binary_search(&(position, machine)).is_ok()
    }
}

/// A second schedule of the instance, drawn as thin outlines below the bars.
#[derive(Debug, Clone, Copy)]
pub struct Ghost<'a> {
    /// The schedule.
    pub schedule: &'a Schedule,
    /// [`Facts::of`] its layout.
    pub facts: &'a Facts,
    /// Name for people, such as «Run 2».
    pub name: &'a str,
}

/// Content of the widget.
#[derive(Debug, Clone, Copy)]
pub struct Chart<'a> {
    /// Where bars lie, in time units and rows.
    pub layout: GanttLayout<'a>,
    /// [`Facts::of`] this layout.
    pub facts: &'a Facts,
    /// Schedule to compare with.
    pub ghost: Option<Ghost<'a>>,
    /// True if the critical path is outlined.
    pub critical_path: bool,
    /// True if due dates are flagged and late jobs marked, where there are due dates.
    pub due_dates: bool,
    /// Unit of the time axis.
    pub unit: &'a str,
}

impl<'a> Chart<'a> {
    /// The chart of a schedule with critical path and due dates, without a comparison.
    pub fn new(layout: GanttLayout<'a>, facts: &'a Facts) -> Self {
        let unit = layout.instance.time_unit();
        Self { layout, facts, ghost: None, critical_path: true, due_dates: true, unit }
    }

    /// When the fitted chart ends: after both schedules, with some room for the last label.
    fn end(&self) -> f64 {
        self.ghost.map_or(0.0, |ghost| ghost.facts.end).max(self.facts.end) * 1.02
    }

    /// A time in words: a number, or date and time of day.
    fn moment(&self, time: u32) -> String {
        self.layout.instance.moment(time)
    }

    fn flags(&self) -> &'a [Flag] {
        if self.due_dates { &self.facts.flags } else { &[] }
    }

    /// The operation in a row and place; nothing where the row has none there.
    fn operation(&self, row: usize, at: usize) -> Option<Operation> {
        if row >= self.layout.row_count() || at >= self.layout.row_length() {
            return None;
        }
        let (position, machine) = self.layout.operation(row, at);
        Some(Operation { job: self.layout.job(position), machine })
    }

    /// Layout of the compared schedule.
    fn ghost_layout(&self) -> Option<GanttLayout<'a>> {
        self.ghost.map(|ghost| GanttLayout::new(self.layout.instance, ghost.schedule, self.layout.rows))
    }
}

/// Where a person has zoomed and dragged to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// From when until when, in time units; `None`: everything.
    time: Option<Range<f64>>,
    rows: Axis,
    reveal: Option<Selection>,
    /// Fit what is selected.
    focus: bool,
    /// Enlarge by this around what is selected, or around the middle.
    factor: Option<f64>,
}

impl View {
    /// Shows everything.
    pub fn fit(&mut self) {
        *self = Self::default();
    }

    /// Shows the selected job from its first operation to its last; everything where none is selected.
    pub fn fit_selection(&mut self) {
        self.focus = true;
    }

    /// True if everything is shown.
    pub fn is_fitted(&self) -> bool {
        self.time.is_none() && self.rows.is_fitted()
    }

    /// From when until when is shown, in time units; `None`: everything.
    pub fn time(&self) -> Option<Range<f64>> {
        self.time.clone()
    }

    /// Enlarges time by a factor, around what is selected where that is in sight.
    pub fn zoom(&mut self, factor: f64) {
        self.factor = Some(self.factor.unwrap_or(1.0) * factor);
    }

    /// Brings a job or an operation into view.
    pub(crate) fn reveal(&mut self, selection: Selection) {
        self.reveal = Some(selection);
    }
}

/// Input of a person in this frame.
pub struct Outcome {
    /// Response of the whole chart.
    pub response: Response,
    /// The selection from now on, by pointer, keyboard or assistive technology; `None` within for a click beside
    /// everything.
    pub picked: Option<Option<Selection>>,
}

/// Shows a chart in all the room there is. Of a selected job the bars stay lit and all others recede.
pub fn show(ui: &mut Ui, chart: &Chart<'_>, view: &mut View, selected: Option<Selection>) -> Outcome {
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || words::summary(chart));
    let response = &canvas.response;
    // A job that is not placed has no bars to stay lit.
    let selected = selected.filter(|selection| chart.facts.position(selection.job).is_some());
    let stepped = interaction::keys(ui, response, chart, view, selected);
    let frame = interaction::navigate(ui, response, chart, view, selected);
    let flags = edges::place_flags(ui, chart, &frame);
    let pointer = response.hover_pos();
    let (hovered, clicked) = canvas.pointed(|position| frame.hit(chart, position));
    let flagged = pointer.and_then(|position| edges::flag_at(&flags, position));
    let mut picked = stepped.map(|operation| Some(operation.into()));
    if let Some((operation, position)) = clicked.zip(response.interact_pointer_pos()) {
        let job = |job: usize| Selection { job, machine: None };
        let flag = || edges::flag_at(&flags, position).map(|flag| job(chart.layout.job(flag.position)));
        let name = || frame.label_at(chart, position).map(job);
        picked = Some(operation.map(Selection::from).or_else(flag).or_else(name));
    }
    if response.secondary_clicked() {
        // The menu is that of the job under the pointer.
        picked = hovered.map(|operation| Some(operation.into())).or(picked);
    }
    let looked_at = paint::Attention { selected, hovered, flagged: flagged.map(|flag| flag.position) };
    paint::paint(ui, chart, &frame, looked_at);
    edges::paint(ui, chart, &frame, &flags, looked_at);
    let cursor = selected.and_then(|s| Some(Operation { job: s.job, machine: s.machine? }));
    let cursor = cursor.filter(|_| response.has_focus()).map(|operation| words::in_words(chart, operation));
    if let Some(key) = canvas.finish(ui, || cursor, || parts(chart, &frame, selected)) {
        let machines = chart.layout.instance.machine_count().max(1);
        let (position, machine) = (key as usize / machines, key as usize % machines);
        picked = Some(Some(Selection { job: chart.layout.job(position), machine: Some(machine) }));
    }
    if let Some(operation) = hovered.filter(|_| !response.dragged()) {
        response.clone().on_hover_ui_at_pointer(|ui| tooltip(ui, chart, operation));
    } else if let Some(flag) = flagged.filter(|_| !response.dragged()) {
        canvas.tooltip(words::flag(chart, &flag));
    } else if let Some(row) = pointer.and_then(|position| frame.name_at(position)).filter(|_| !response.dragged()) {
        canvas.tooltip(words::row(chart, row));
    }
    Outcome { response: canvas.response, picked }
}

/// Draws the buttons that zoom and fit; the latter fits the selection if `is_selected`, otherwise everything.
pub fn controls(ui: &mut Ui, view: &mut View, is_selected: bool) {
    let zoom = zoom_buttons(ui, ["Zoom out", "Zoom in", "Fit the whole schedule"], 1.5, view.is_fitted());
    if icon_button(ui, Icon::Search, "Fit the selected job", is_selected).clicked() {
        view.fit_selection();
    }
    match zoom {
        Some(Zoom::By(factor)) => view.zoom(factor.into()),
        Some(Zoom::Fit) => view.fit(),
        None => {}
    }
}

/// The visible operations, for assistive technology: first those of the selected job, then row by row.
fn parts(chart: &Chart<'_>, frame: &Frame, selected: Option<Selection>) -> Vec<Part> {
    let layout = &chart.layout;
    let (mut parts, mut own) = (Vec::new(), Vec::new());
    for piece in layout.visible(&frame.view(), frame.finest()).filter(|piece| piece.is_single()) {
        let (position, machine) = layout.operation(piece.row, piece.first);
        let operation = Operation { job: layout.job(position), machine };
        let of_job = selected.is_some_and(|s| s.job == operation.job);
        if parts.len() >= nodes::MOST && !of_job {
            continue;
        }
        let part = Part {
            key: (position * layout.instance.machine_count() + machine) as u64,
            rect: frame.bar(piece.row, piece.start, piece.end).intersect(frame.area),
            name: words::describe(chart, operation),
            selected: of_job && selected.is_some_and(|s| s.machine.is_none_or(|chosen| chosen == machine)),
        };
        if of_job { own.push(part) } else { parts.push(part) }
    }
    own.append(&mut parts);
    own
}

#[cfg(test)]
mod tests;
