//! Chart of gain against cost: the exact frontier as stairs, and the points found, full where they lie on the frontier and
//! open where they do not.

use std::rc::Rc;

use egui::{Align2, Painter, Pos2, Rect, Sense, Stroke, Ui, vec2};
use egui_plot::{Line, PlotPoints, Points};

use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::canvas::{Canvas, Outcome};
use gridwright_window::widgets::chart::{self, Axis, Plane, Ticks};
use gridwright_window::widgets::nodes::Part;
use gridwright_window::widgets::painting::{keys, stepped};

/// A point that was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FrontPoint {
    /// Name in a few letters.
    pub name: String,
    pub cost: f64,
    pub(crate) gain: f64,
    /// True if no point has at least the gain for less, or more for the cost.
    pub is_best: bool,
}

/// Content of the chart.
pub(crate) struct Frontier<'a> {
    /// Exact frontier as (cost, gain), ascending in both.
    pub exact: &'a [[f64; 2]],
    /// Points found by searches.
    pub found: &'a [FrontPoint],
    /// Name of the cost.
    pub cost: &'a str,
    /// Name of the gain.
    pub(crate) gain: &'a str,
    /// Formats a cost.
    pub(crate) cost_words: &'a dyn Fn(f64) -> String,
    /// Formats a gain.
    pub(crate) gain_words: &'a dyn Fn(f64) -> String,
    /// Text in place of an empty chart.
    pub nothing: &'a str,
}

/// Greatest distance in points from a point at which the pointer takes it.
const REACH: f32 = 12.0;

/// Shows stairs and points in all the room there is; `selected` is ringed.
pub fn show(ui: &mut Ui, frontier: &Frontier<'_>, selected: Option<usize>) -> Outcome {
    let palette = palette(ui.visuals());
    let summary = || format!("{} against {}: {} points found", frontier.gain, frontier.cost, frontier.found.len());
    let canvas = Canvas::new(ui, Sense::click(), summary);
    let painter = canvas.painter(ui);
    let plane = axes(ui, frontier, canvas.full.shrink(space::S), palette);
    let value = |index: usize| [frontier.found[index].cost, frontier.found[index].gain];
    let nearest = |to: Pos2| plane.nearest(frontier.found.len(), value, REACH, to);
    let (hovered, clicked) = canvas.pointed(nearest);
    let pressed = keys(ui, &canvas.response);
    let next = stepped(selected, pressed.right - pressed.down, frontier.found.len()).map(Some);
    if frontier.exact.is_empty() && frontier.found.is_empty() {
        let at = canvas.full.center();
        painter.text(at, Align2::CENTER_CENTER, frontier.nothing, theme::font(text::BODY), palette.weak);
    }
    points(&painter, frontier, &plane, (selected, hovered), palette);
    let part = |index: usize| Part {
        key: index as u64,
        rect: Rect::from_center_size(plane.place(value(index)), vec2(14.0, 14.0)),
        name: describe(frontier, index),
        selected: selected == Some(index),
    };
    let cursor = selected.filter(|index| *index < frontier.found.len() && canvas.response.has_focus());
    let parts = || (0..frontier.found.len()).map(part).collect();
    let pressed = canvas.finish(ui, || cursor.map(|index| describe(frontier, index)), parts);
    if let Some(index) = hovered {
        canvas.tooltip(describe(frontier, index).replace(": ", "\n").replace(", ", "\n"));
    }
    let picked = pressed.map(|key| Some(key as usize)).or(next).or(clicked);
    Outcome { response: canvas.response, hovered, picked }
}

/// «0.3: cost 1 080, value 47, the best there is».
fn describe(frontier: &Frontier<'_>, index: usize) -> String {
    let Some(found) = frontier.found.get(index) else { return String::new() };
    let (cost, gain) = ((frontier.cost_words)(found.cost), (frontier.gain_words)(found.gain));
    let what = if found.is_best { "the best there is" } else { "better ones exist" };
    let names = (frontier.cost.to_lowercase(), frontier.gain.to_lowercase());
    format!("{}: {} {cost}, {} {gain}, {what}", found.name, names.0, names.1)
}

/// Draws axes, and as stairs the greatest gain for each cost, into `rect`.
fn axes<'a>(ui: &mut Ui, frontier: &Frontier<'a>, rect: Rect, palette: &Palette) -> Plane {
    let found = frontier.found.iter().map(|found| [found.cost, found.gain]);
    let fold = |most: [f64; 2], point: [f64; 2]| [most[0].max(point[0]), most[1].max(point[1])];
    let most = frontier.exact.iter().copied().chain(found).fold([0.0; 2], fold);
    let shown = !(frontier.exact.is_empty() && frontier.found.is_empty());
    let axis = |name, most: f64, gap, words: &'a dyn Fn(f64) -> String| Axis {
        name,
        range: [0.0, if most > 0.0 { most * 1.05 } else { 1.0 }],
        ticks: if shown { Ticks::Round } else { Ticks::None },
        gap,
        words: Rc::new(words),
    };
    let x = axis(frontier.cost, most[0], 84.0, frontier.cost_words);
    let y = axis(frontier.gain, most[1], 40.0, frontier.gain_words);
    let corners = |pair: &[[f64; 2]]| [pair[0], [pair[1][0], pair[0][1]]];
    let stairs: Vec<[f64; 2]> =
        frontier.exact.windows(2).flat_map(corners).chain(frontier.exact.last().copied()).collect();
    let stairs = Line::new("stairs", PlotPoints::from(stairs)).color(palette.bar).width(1.5).allow_hover(false);
    let few = if frontier.exact.len() <= 400 { frontier.exact } else { &[] };
    let corners = Points::new("corners", few.to_vec()).color(palette.bar).radius(2.0).allow_hover(false);
    chart::plane(ui, "frontier", rect, [x, y], move |plot| {
        plot.line(stairs);
        plot.points(corners);
    })
}

fn points(
    painter: &Painter, frontier: &Frontier<'_>, plane: &Plane, (selected, hovered): (Option<usize>, Option<usize>),
    palette: &Palette,
) {
    let mut taken: Vec<Rect> = Vec::new();
    for (index, found) in frontier.found.iter().enumerate() {
        let at = plane.place([found.cost, found.gain]);
        painter.circle_filled(at, 7.0, palette.surface);
        if found.is_best {
            painter.circle_filled(at, 5.5, palette.accent);
        } else {
            // Open: seen without its colour.
            painter.circle_stroke(at, 4.5, Stroke::new(2.0, palette.bad));
        }
        let ring = match (selected == Some(index), hovered == Some(index)) {
            (true, _) => Some(Stroke::new(2.5, palette.accent)),
            (_, true) => Some(Stroke::new(1.5, palette.text)),
            _ => None,
        };
        if let Some(ring) = ring {
            painter.circle_stroke(at, 9.5, ring);
        }
        let galley = painter.layout_no_wrap(found.name.clone(), theme::font(text::SMALL), palette.text);
        let place = Rect::from_min_size(at + vec2(9.0, 4.0), galley.size());
        if taken.iter().all(|other| !other.intersects(place)) {
            taken.push(place);
            painter.galley(place.min, galley, palette.text);
        }
    }
}
