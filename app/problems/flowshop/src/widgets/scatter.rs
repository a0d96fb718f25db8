//! Scatter plot of multi-objective solutions, two objectives at a time: better points lie further left and further down.
//!
//! A third objective is the colour. A line of stairs joins the points that no other one dominates in the objectives shown.
//! Clicks take the nearest point. Keys, while the picture has the keyboard: left and right go from point to point along
//! the first axis, up and down along the second, Home and End to the ends, Enter is reported.
//!
//! ```ignore
//! ui.horizontal(|ui| scatter::axes(ui, &source, &mut view)); // what is shown against what
//! let outcome = scatter::show(ui, &source, &mut view, selected);
//! if let Some(picked) = outcome.picked {
//!     selected = picked;
//! }
//! ```

mod front;
mod paint;

use egui::{Key, Modifiers, Pos2, Response, Sense, Ui, vec2};
use gridwright_core::numbers::grouped;

pub(crate) use paint::Glyph;
pub use paint::{Frame, Mark};

use self::front::Front;
use gridwright_window::theme::{self, palette, space, text};
use gridwright_window::widgets::canvas::Canvas;
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::keys;

/// Content of the widget; less is better in every objective.
pub trait Source {
    /// Number of objectives, at least two.
    fn objectives(&self) -> usize;
    /// Name of an objective with its unit.
    fn name(&self, objective: usize) -> &str;
    /// Number of points.
    fn count(&self) -> usize;
    /// A value of a point.
    fn value(&self, point: usize, objective: usize) -> f64;
    /// Formats a value.
    fn words(&self, _objective: usize, value: f64) -> String {
        grouped(value.round() as i64)
    }
    /// Returns `true` if a filter leaves this point out: it is grey and not part of the front.
    fn is_excluded(&self, _point: usize) -> bool {
        false
    }
    /// Appearance of a point that is more than a solution among others; `None`: a disc in the colour of its third objective.
    fn mark(&self, _point: usize) -> Option<Mark> {
        None
    }
    /// Remark on a point, in sentence case.
    fn remark(&self, point: usize) -> Option<&str> {
        self.is_excluded(point).then_some("Left out by the filter")
    }
    /// Marks with their names; those at the end are drawn where there is no room for all.
    fn legend(&self) -> &[(&'static str, Mark)] {
        &[]
    }
    /// Name of a point.
    fn label(&self, point: usize) -> String;
    /// Changes when points, values or the filter change.
    fn revision(&self) -> u64;
    /// Describes the whole chart.
    fn summary(&self) -> String;
    /// Text in place of an empty chart.
    fn nothing(&self) -> &str {
        "Solutions appear here while a run goes on"
    }
}

/// Which objectives are shown.
#[derive(Debug, Clone, Default)]
pub struct View {
    axes: Option<Axes>,
    front: Option<(u64, Axes, Front)>,
}

/// Which objective is which axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axes {
    /// From left to right.
    pub x: usize,
    /// Upwards.
    pub y: usize,
    /// As colour; `None`: all points have one.
    pub colour: Option<usize>,
}

impl View {
    /// Which objectives are shown of so many: at first the first two, the third as colour.
    pub fn axes(&self, objectives: usize) -> Axes {
        let usual = Axes { x: 0, y: 1.min(objectives.saturating_sub(1)), colour: (objectives > 2).then_some(2) };
        let known = |axes: &Axes| axes.x.max(axes.y).max(axes.colour.unwrap_or(0)) < objectives;
        self.axes.filter(known).unwrap_or(usual)
    }

    /// Shows these objectives.
    fn set_axes(&mut self, axes: Axes) {
        self.axes = Some(axes);
    }

    /// Points in order, made anew where anything has changed.
    fn front(&mut self, source: &dyn Source) -> (&Front, Axes) {
        let axes = self.axes(source.objectives());
        let (revision, count) = (source.revision(), source.count());
        let known = |(old, of, front): &(u64, Axes, Front)| (*old, *of, front.count()) == (revision, axes, count);
        let kept = self.front.take().filter(known);
        let kept = self.front.insert(kept.unwrap_or_else(|| (revision, axes, Front::of(source, axes))));
        (&kept.2, axes)
    }
}

/// Input of a person in this frame.
pub struct Outcome {
    pub(crate) response: Response,
    /// Where values lie, for what the caller adds.
    pub frame: Frame,
    /// The point to select from now on; `None` within for a click beside all points.
    pub picked: Option<Option<usize>>,
}

/// A point this near to the pointer is meant.
const REACH: f32 = 10.0;

/// Shows points in all the room there is.
pub fn show(ui: &mut Ui, source: &dyn Source, view: &mut View, selected: Option<usize>) -> Outcome {
    let canvas = Canvas::new(ui, Sense::click(), || source.summary());
    let selected = selected.filter(|&point| point < source.count());
    let (front, axes) = view.front(source);
    let frame = Frame::new(ui, source, front, axes, canvas.full);
    let (hovered, mut picked) = canvas.pointed(|position| nearest(source, &frame, axes, position));
    let pressed = keys(ui, &canvas.response);
    if canvas.response.has_focus() {
        let end = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let (first, last) = (end(Key::Home), end(Key::End));
        let along = if first {
            isize::MIN / 2
        } else if last {
            isize::MAX / 2
        } else {
            pressed.right
        };
        // Up is more.
        let next = front.by_x(selected, along).or_else(|| front.by_y(selected, -pressed.down));
        picked = next.map(Some).or(picked);
    }
    paint::paint(ui, source, front, (&frame, axes), (selected, hovered));
    let cursor = selected.filter(|_| canvas.response.has_focus());
    let parts = || parts(source, front, &frame, axes, selected);
    let key = canvas.finish(ui, || cursor.map(|point| in_words(source, point)), parts);
    picked = key.map(|key| Some(key as usize)).or(picked);
    let response = canvas.response;
    if let Some(point) = hovered {
        response.clone().on_hover_ui_at_pointer(|ui| tooltip(ui, source, axes, point));
    }
    Outcome { response, frame, picked }
}

/// The point that is nearest to a place, of equally near ones one that the filter leaves.
fn nearest(source: &dyn Source, frame: &Frame, axes: Axes, position: Pos2) -> Option<usize> {
    let place = |point: usize| frame.place(source.value(point, axes.x), source.value(point, axes.y));
    let near = (0..source.count()).map(|point| (place(point).distance_sq(position), source.is_excluded(point), point));
    let near = near.filter(|(distance, ..)| *distance <= REACH * REACH);
    near.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(.., point)| point)
}

/// «Run 2, solution 7: Makespan 135, Total tardiness 62».
fn in_words(source: &dyn Source, point: usize) -> String {
    let value = |objective: usize| {
        format!("{} {}", source.name(objective), source.words(objective, source.value(point, objective)))
    };
    let values: Vec<String> = (0..source.objectives()).map(value).collect();
    let remark = source.remark(point).map_or_else(String::new, |remark| format!(", {}", remark.to_lowercase()));
    format!("{}: {}{remark}", source.label(point), values.join(", "))
}

/// The points, for assistive technology: the selected one, those on the stairs, then all others along the first axis.
fn parts(source: &dyn Source, front: &Front, frame: &Frame, axes: Axes, selected: Option<usize>) -> Vec<Part> {
    let part = |point: usize| {
        let at = frame.place(source.value(point, axes.x), source.value(point, axes.y));
        let rect = egui::Rect::from_center_size(at, vec2(10.0, 10.0));
        Part { key: point as u64, rect, name: in_words(source, point), selected: selected == Some(point) }
    };
    front.in_order(selected).take(nodes::MOST).map(part).collect()
}

fn tooltip(ui: &mut Ui, source: &dyn Source, axes: Axes, point: usize) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.y = space::XS;
    ui.label(theme::bold(source.label(point)).size(text::BODY));
    if let Some(remark) = source.remark(point) {
        ui.label(theme::small(remark).color(palette.weak));
    }
    egui::Grid::new("values").num_columns(2).min_row_height(0.0).spacing(vec2(space::L, 3.0)).show(ui, |ui| {
        for objective in 0..source.objectives() {
            let shown = [Some(axes.x), Some(axes.y), axes.colour].contains(&Some(objective));
            let value = source.words(objective, source.value(point, objective));
            ui.label(theme::small(source.name(objective)).color(palette.weak));
            ui.label(if shown { theme::bold(value).size(text::SMALL) } else { theme::small(value) });
            ui.end_row();
        }
    });
}

/// Lets a person choose what is shown against what.
pub fn axes(ui: &mut Ui, source: &dyn Source, view: &mut View) {
    let count = source.objectives();
    let before = view.axes(count);
    let mut axes = before;
    let choice = |ui: &mut Ui, what: &str, chosen: &mut Option<usize>, none: bool| {
        let name = |objective: Option<usize>| objective.map_or("none", |objective| source.name(objective));
        ui.label(theme::small(what).color(palette(ui.visuals()).weak));
        let all = (0..count).map(Some).chain(none.then_some(None));
        Choices::new(what, name(*chosen)).help("The objective along this axis").show(ui, |ui| {
            all.for_each(|objective| {
                ui.selectable_value(chosen, objective, name(objective));
            });
        });
    };
    let (mut x, mut y) = (Some(axes.x), Some(axes.y));
    choice(ui, "Across", &mut x, false);
    choice(ui, "Up", &mut y, false);
    if count > 2 {
        choice(ui, "Colour", &mut axes.colour, true);
    }
    (axes.x, axes.y) = (x.unwrap_or(axes.x), y.unwrap_or(axes.y));
    if axes == before {
        return;
    }
    // What is chosen twice changes places with what was there before.
    if axes.x == axes.y {
        (axes.x, axes.y) = if axes.x == before.x { (before.y, axes.y) } else { (axes.x, before.x) };
    }
    if axes.colour == Some(axes.x) || axes.colour == Some(axes.y) {
        axes.colour = (0..count).find(|objective| ![axes.x, axes.y].contains(objective));
    }
    view.set_axes(axes);
}
