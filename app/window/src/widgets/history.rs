//! Line charts of quantities over the steps of a run, below each other, with the selected step in all of them.
//!
//! At most two points a pixel are painted: the lowest and the highest value of the steps that share the pixel.

use std::rc::Rc;

use egui::{Align2, Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, pos2, vec2};
use gridwright_core::numbers::grouped;
use gridwright_core::scene::axis::whole_ticks;

use crate::theme::{self, Palette, palette, space, text};
use crate::widgets::canvas::Canvas;
use crate::widgets::chart::{self, Axis, Plane, Ticks};
use crate::widgets::legend;
use crate::widgets::painting::{focus_ring, keys};

/// A quantity.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Name.
    pub name: &'a str,
    /// Colour.
    pub colour: Color32,
    /// Value at each step from the first on; NaN where there is none.
    pub values: &'a [f32],
    /// True for a dashed line, which can be distinguished without colours.
    pub dashed: bool,
}

/// One chart.
pub struct Panel<'a> {
    /// Quantity with its unit.
    pub title: &'a str,
    /// The lines.
    pub lines: &'a [Line<'a>],
    /// Known value and its name.
    pub reference: Option<(f64, &'a str)>,
    /// True if the scale begins at zero.
    pub from_zero: bool,
    /// Share of the height, relative to the weights of the other charts.
    pub weight: f32,
    /// A value in words.
    pub words: &'a dyn Fn(f64) -> String,
}

/// Content of the widget.
pub struct History<'a> {
    /// The charts, from top to bottom.
    pub panels: &'a [Panel<'a>],
    /// The number of the first step.
    pub first: u64,
    /// Noun for a step, such as «Iteration».
    pub unit: &'a str,
    /// The step that is looked at.
    pub at: Option<u64>,
    /// Events with their steps.
    pub events: &'a [crate::widgets::playback::Event],
    /// Text in place of empty charts.
    pub nothing: &'a str,
}

/// Input of a person in this frame.
pub struct Outcome {
    /// Response of the whole widget.
    pub response: Response,
    /// The step under the pointer.
    pub hovered: Option<u64>,
    /// The step to look at from now on.
    pub picked: Option<u64>,
}

const HEAD: f32 = 24.0;
const FOOT: f32 = 30.0;
const BETWEEN: f32 = 10.0;

/// Steps along all charts.
#[derive(Debug, Clone, Copy)]
struct Steps {
    first: u64,
    count: usize,
    left: f32,
    width: f32,
}

impl Steps {
    fn x(&self, index: usize) -> f32 {
        self.left + index as f32 * self.width / self.count.saturating_sub(1).max(1) as f32
    }

    fn at(&self, step: u64) -> f32 {
        self.x(step.saturating_sub(self.first) as usize)
    }

    fn hit(&self, x: f32) -> Option<u64> {
        let share = (x - self.left) / self.width.max(1.0);
        let index = (share * self.count.saturating_sub(1) as f32).round();
        let inside = self.count > 0 && (-0.02..=1.02).contains(&share);
        inside.then(|| self.first + (index.max(0.0) as u64).min(self.count as u64 - 1))
    }
}

/// Shows charts in all the room there is.
pub fn show(ui: &mut Ui, history: &History<'_>) -> Outcome {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || summary(history));
    let (full, response) = (canvas.full, &canvas.response);
    let lines = || history.panels.iter().flat_map(|panel| panel.lines);
    let count = lines().map(|line| line.values.len()).max().unwrap_or(0);
    let painter = canvas.painter(ui);
    if count == 0 {
        let font = theme::font(text::BODY);
        painter.text(full.center(), Align2::CENTER_CENTER, history.nothing, font, palette.weak);
        focus_ring(ui, response, full);
        return Outcome { response: canvas.response, hovered: None, picked: None };
    }
    let planes: Vec<Plane> =
        history.panels.iter().zip(areas(history, full)).map(|(panel, rect)| axes(ui, panel, rect)).collect();
    let left = planes.iter().map(|plane| plane.area.left()).fold(full.left(), f32::max);
    let right = planes.iter().map(|plane| plane.area.right()).fold(left + 16.0, f32::max);
    let steps = Steps { first: history.first, count, left, width: right - left };
    let hovered = response.hover_pos().and_then(|position| steps.hit(position.x));
    let mut picked = None;
    if let Some(position) = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged()) {
        response.request_focus();
        picked = steps.hit(position.x);
    }
    picked = walked(ui, response, history, &steps).or(picked);
    let at = picked.or(history.at);
    for (panel, plane) in history.panels.iter().zip(&planes) {
        paint(&painter, panel, plane, &steps, (history, at, hovered), palette);
        heading(ui, &painter, panel, plane.area);
    }
    axis(&painter, history, full, &steps, at, palette);
    canvas.finish(ui, || at.map(|at| words(history, at)), Vec::new);
    if let Some(at) = hovered {
        canvas.tooltip(words(history, at).replace(": ", "\n").replace("; ", "\n"));
    }
    Outcome { response: canvas.response, hovered, picked }
}

/// Where arrows, page keys, Home and End lead.
fn walked(ui: &Ui, response: &Response, history: &History<'_>, steps: &Steps) -> Option<u64> {
    let pressed = keys(ui, response);
    if !response.has_focus() {
        return None;
    }
    let last = steps.first + steps.count as u64 - 1;
    let key = |key| ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
    if key(egui::Key::Home) {
        return Some(steps.first);
    }
    if key(egui::Key::End) {
        return Some(last);
    }
    let by = (pressed.right + pressed.down) as i64;
    let from = history.at.unwrap_or(steps.first);
    (by != 0).then(|| from.saturating_add_signed(by).clamp(steps.first, last))
}

/// Places of the charts with their y axes.
fn areas(history: &History<'_>, full: Rect) -> Vec<Rect> {
    let weights: f32 = history.panels.iter().map(|panel| panel.weight).sum();
    let gaps = BETWEEN * history.panels.len().saturating_sub(1) as f32;
    let room = (full.height() - FOOT - gaps - HEAD * history.panels.len() as f32).max(16.0);
    let mut top = full.top();
    let area = |panel: &Panel<'_>| {
        let height = room * panel.weight / weights.max(1e-6);
        let min = pos2(full.left() + space::S, top + HEAD);
        top += HEAD + height + BETWEEN;
        Rect::from_min_max(min, pos2((full.right() - space::L).max(min.x + 80.0), min.y + height))
    };
    history.panels.iter().map(area).collect()
}

/// Draws the y axis and the grid of a chart.
fn axes(ui: &mut Ui, panel: &Panel<'_>, rect: Rect) -> Plane {
    let x = Axis { name: "", range: [0.0, 1.0], ticks: Ticks::None, gap: 0.0, words: Rc::new(|_| String::new()) };
    let gap = f64::from((rect.height() / 6.0).max(26.0));
    let y = Axis { name: "", range: range(panel), ticks: Ticks::Round, gap, words: Rc::new(panel.words) };
    chart::plane(ui, panel.title, rect, [x, y], |_| {})
}

/// The lowest and the highest value of a chart, with a little room beyond both.
fn range(panel: &Panel<'_>) -> [f64; 2] {
    let values = panel.lines.iter().flat_map(|line| line.values).filter(|value| value.is_finite());
    let known = panel.reference.map(|(value, _)| value);
    let fold = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
    let [low, high] = values.map(|&value| f64::from(value)).chain(known).fold([f64::INFINITY, f64::NEG_INFINITY], fold);
    if low > high {
        return [0.0, 1.0];
    }
    let low = if panel.from_zero { low.min(0.0) } else { low };
    let room = ((high - low) * 0.06).max(high.abs() * 1e-6).max(1e-9);
    [if panel.from_zero && low == 0.0 { 0.0 } else { low - room }, high + room]
}

type Attention<'a> = (&'a History<'a>, Option<u64>, Option<u64>);

fn paint(
    painter: &Painter, panel: &Panel<'_>, plane: &Plane, steps: &Steps, (history, at, hovered): Attention<'_>,
    palette: &Palette,
) {
    let area = plane.area;
    let y = |value: f64| plane.place([0.0, value]).y;
    painter.vline(area.left(), area.y_range(), Stroke::new(1.0, palette.border_strong));
    painter.hline(area.x_range(), area.bottom(), Stroke::new(1.0, palette.border_strong));
    for event in history.events {
        painter.vline(steps.at(event.at), area.y_range(), Stroke::new(1.0, palette.good));
    }
    if let Some((value, name)) = panel.reference {
        let at = y(value).round();
        let line = [pos2(area.left(), at), pos2(area.right(), at)];
        painter.extend(Shape::dashed_line(&line, Stroke::new(1.25, palette.good), 5.0, 4.0));
        painter.text(pos2(area.right(), at - 2.0), Align2::RIGHT_BOTTOM, name, theme::font(text::SMALL), palette.good);
    }
    let inside = painter.with_clip_rect(area.expand(2.0).intersect(painter.clip_rect()));
    for line in panel.lines {
        for part in points(line.values, steps, &y) {
            let stroke = Stroke::new(1.75, line.colour);
            if line.dashed {
                inside.extend(Shape::dashed_line(&part, stroke, 4.0, 3.0));
            } else {
                inside.add(Shape::line(part, stroke));
            }
        }
    }
    if let Some(at) = hovered {
        inside.vline(steps.at(at), area.y_range(), Stroke::new(1.0, palette.weak));
    }
    if let Some(at) = at {
        inside.vline(steps.at(at), area.y_range(), Stroke::new(1.5, palette.accent));
        for line in panel.lines {
            let value = line.values.get(at.saturating_sub(steps.first) as usize);
            if let Some(&value) = value.filter(|value| value.is_finite()) {
                let place = pos2(steps.at(at), y(f64::from(value)));
                inside.circle_filled(place, 4.5, palette.surface);
                inside.circle_filled(place, 3.5, line.colour);
            }
        }
    }
}

/// Writes the title at the left and the names of the lines at the right above a chart.
fn heading(ui: &Ui, painter: &Painter, panel: &Panel<'_>, area: Rect) {
    let palette = palette(ui.visuals());
    let (y, left) = (area.top() - HEAD / 2.0, painter.clip_rect().left() + space::S);
    let bold = theme::bold_font(text::SMALL);
    let title = painter.text(pos2(left, y), Align2::LEFT_CENTER, panel.title, bold, palette.text);
    let names: Vec<&str> = panel.lines.iter().map(|line| line.name).collect();
    let sample = |painter: &Painter, index: usize, at: Pos2| {
        let (key, line) = ([at, at + vec2(18.0, 0.0)], &panel.lines[index]);
        let stroke = Stroke::new(2.0, line.colour);
        if line.dashed {
            painter.extend(Shape::dashed_line(&key, stroke, 4.0, 3.0));
        } else {
            painter.line_segment(key, stroke);
        }
    };
    legend::names(ui, panel.title, &names, (title.right() + space::M, area.right(), y), &sample, palette.weak);
}

/// A line as connected points: at most two for each pixel, broken where there is no value.
fn points(values: &[f32], steps: &Steps, y: &dyn Fn(f64) -> f32) -> Vec<Vec<Pos2>> {
    let pixels = (steps.width.ceil() as usize).max(1);
    let mut parts: Vec<Vec<Pos2>> = Vec::new();
    let mut broken = true;
    let mut put = |x: f32, value: f32| {
        let point = pos2(x, y(f64::from(value)));
        match parts.last_mut().filter(|_| !std::mem::take(&mut broken)) {
            Some(part) => part.push(point),
            None => parts.push(vec![point]),
        }
        broken = false;
    };
    let each = values.len().div_ceil(pixels).max(1);
    for (number, chunk) in values.chunks(each).enumerate() {
        let first = number * each;
        let finite = || chunk.iter().enumerate().filter(|(_, value)| value.is_finite());
        let low = finite().min_by(|a, b| a.1.total_cmp(b.1));
        let high = finite().max_by(|a, b| a.1.total_cmp(b.1));
        let (Some((low, &lowest)), Some((high, &highest))) = (low, high) else { continue };
        let mut both = [(low, lowest), (high, highest)];
        both.sort_by_key(|(index, _)| *index);
        put(steps.x(first + both[0].0), both[0].1);
        if both[0].0 != both[1].0 {
            put(steps.x(first + both[1].0), both[1].1);
        }
    }
    parts
}

fn axis(painter: &Painter, history: &History<'_>, full: Rect, steps: &Steps, at: Option<u64>, palette: &Palette) {
    let y = full.bottom() - FOOT / 2.0 - 1.0;
    let last = steps.first + steps.count as u64 - 1;
    let unit = theme::bold_font(text::SMALL);
    let end = painter.text(pos2(full.right() - space::L, y), Align2::RIGHT_CENTER, history.unit, unit, palette.text);
    let shown = at.map(|at| (steps.at(at), grouped(at as i64)));
    if let Some((x, words)) = shown.as_ref().filter(|(x, _)| x + 24.0 < end.left()) {
        painter.text(pos2(*x, y), Align2::CENTER_CENTER, words, theme::bold_font(text::SMALL), palette.accent);
    }
    let least = (last - steps.first) as f64 / f64::from(steps.width) * 72.0;
    for tick in whole_ticks(steps.first as f64, last as f64, least) {
        let x = steps.at(tick);
        let free = x + 24.0 < end.left() && shown.as_ref().is_none_or(|(other, _)| (other - x).abs() > 48.0);
        if free {
            let words = grouped(tick as i64);
            painter.text(pos2(x, y), Align2::CENTER_CENTER, words, theme::font(text::SMALL), palette.weak);
        }
    }
}

/// «Iteration 204: best 5 676; mean 5 200».
fn words(history: &History<'_>, at: u64) -> String {
    let index = at.saturating_sub(history.first) as usize;
    let of = |panel: &Panel<'_>| -> Vec<String> {
        let value = |line: &Line<'_>| {
            let value = line.values.get(index).filter(|value| value.is_finite())?;
            Some(format!("{} {}", line.name, (panel.words)(f64::from(*value))))
        };
        panel.lines.iter().filter_map(value).collect()
    };
    let values: Vec<String> = history.panels.iter().flat_map(of).collect();
    format!("{} {}: {}", history.unit, grouped(at as i64), values.join("; "))
}

/// «Fitness, Distance by iteration».
fn summary(history: &History<'_>) -> String {
    let names: Vec<&str> = history.panels.iter().map(|panel| panel.title).collect();
    format!("{} by {}", names.join(", "), history.unit.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: Steps = Steps { first: 0, count: 10_000, left: 0.0, width: 100.0 };

    #[test]
    fn a_pixel_shows_the_lowest_and_the_highest_of_its_values() {
        let mut values = vec![5.0_f32; 10_000];
        (values[1_234], values[1_250]) = (9.0, 1.0);
        let parts = points(&values, &STEPS, &|value| value as f32);
        assert!(parts.len() == 1 && parts[0].len() <= 200);
        let found = |value: f32| parts[0].iter().any(|point| point.y == value);
        assert!(found(9.0) && found(1.0), "nothing that stands out is lost");
    }

    #[test]
    fn lines_are_not_cut_where_pixels_hold_no_value() {
        let mut values = vec![f32::NAN; 300];
        values[10] = 1.0;
        values[200] = 2.0;
        let steps = Steps { count: 300, ..STEPS };
        let parts = points(&values, &steps, &|value| value as f32);
        assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), 2);
    }

    #[test]
    fn places_and_steps_belong_together() {
        let steps = Steps { first: 40, count: 11, left: 10.0, width: 100.0 };
        assert_eq!((steps.at(40), steps.at(50)), (10.0, 110.0));
        assert_eq!((steps.hit(10.0), steps.hit(61.0), steps.hit(300.0)), (Some(40), Some(45), None));
    }

    #[test]
    fn the_scale_holds_everything() {
        let lines = [Line { name: "", colour: Color32::PLACEHOLDER, values: &[3.0, 7.0], dashed: false }];
        let panel = |reference, from_zero| {
            let of = Panel { title: "", lines: &lines, reference, from_zero, weight: 1.0, words: &|_| String::new() };
            range(&of)
        };
        assert!(panel(None, false)[0] < 3.0 && panel(None, false)[0] > 2.0);
        assert_eq!(panel(None, true)[0], 0.0);
        assert!(panel(Some((12.0, "")), false)[1] > 12.0);
    }
}
