//! Chart of signed values, such as the lateness of jobs: a bar above the line for too much, below for what is to spare.

use std::rc::Rc;

use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use gridwright_core::numbers::grouped;

use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::canvas::{Canvas, Outcome};
use gridwright_window::widgets::chart::{self, Axis, Plane, Ticks};
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::{keys, stepped, truncated};

/// Content of the chart.
pub(crate) trait Source {
    /// Number of bars.
    fn count(&self) -> usize;
    /// Value of a bar: above the line where positive, below where negative.
    fn value(&self, bar: usize) -> i64;
    /// Value of a bar with its sign, in words.
    fn change(&self, bar: usize) -> String;
    /// Unit of the axis: how many units of the values it has, and its name, which may be empty.
    fn scale(&self) -> (f64, &'static str);
    /// Name of a bar.
    fn name(&self, bar: usize) -> String;
    /// Describes a bar, for tooltips and assistive technology.
    fn describe(&self, bar: usize) -> String;
    /// Name of positive values.
    fn above(&self) -> &str;
    /// Name of negative values.
    fn below(&self) -> &str;
    /// Name of the line at zero.
    fn line(&self) -> &str;
    /// Describes the whole chart.
    fn summary(&self) -> String;
}

/// Room below the chart for names.
const FOOT: f32 = 22.0;
/// Room above the chart for the name of what goes up.
const HEAD: f32 = 18.0;
/// Room for the values of the bars that reach down furthest.
const VALUES: f32 = 14.0;
/// Bars at least this wide have their names below.
const NAMED: f32 = 30.0;
/// Bars at least this wide have their values at their ends.
const VALUED: f32 = 26.0;

#[derive(Clone, Copy)]
struct Frame {
    full: Rect,
    area: Rect,
    plane: Plane,
    count: usize,
    /// Units of the values in a unit of the axis.
    scale: f64,
}

/// The lowest and the highest value shown: both sides of the line are always seen.
fn range(values: impl Iterator<Item = i64> + Clone) -> [f64; 2] {
    let (high, low) = (values.clone().max().unwrap_or(0).max(0), values.min().unwrap_or(0).min(0));
    let least = ((high - low) / 12).max(1);
    [low.min(-least) as f64, high.max(least) as f64]
}

impl Frame {
    /// Draws the axis and the grid.
    fn new(ui: &mut Ui, source: &dyn Source, full: Rect) -> Self {
        let rect = Rect::from_min_max(full.min + vec2(space::S, HEAD), full.max - vec2(space::S, FOOT + VALUES));
        let count = source.count();
        let across = [0.0, count.max(1) as f64];
        let x = Axis { name: "", range: across, ticks: Ticks::None, gap: 0.0, words: Rc::new(|_| String::new()) };
        let (scale, unit) = source.scale();
        let words = Rc::new(move |value: f64| {
            let number = grouped(value.abs().round() as i64);
            if unit.is_empty() { number } else { format!("{number} {unit}") }
        });
        let range = range((0..count).map(|bar| source.value(bar))).map(|end| end / scale);
        let y = Axis { name: "", range, ticks: Ticks::Whole, gap: 28.0, words };
        let plane = chart::plane(ui, "signed", rect, [x, y], |_| {});
        Self { full, area: plane.area, plane, count, scale }
    }

    fn y(&self, value: i64) -> f32 {
        self.plane.place([0.0, value as f64 / self.scale]).y
    }

    /// Width of a bar with the gaps beside it.
    fn each(&self) -> f32 {
        self.area.width() / self.count.max(1) as f32
    }

    /// Place of a bar over the whole height.
    fn column(&self, bar: usize) -> Rect {
        let left = self.area.left() + bar as f32 * self.each();
        Rect::from_x_y_ranges(left..=left + self.each(), self.area.y_range())
    }

    fn bar(&self, bar: usize, value: i64) -> Rect {
        let column = self.column(bar);
        let inset = if self.each() >= 4.0 { (self.each() * 0.14).clamp(0.5, 8.0) } else { 0.0 };
        let (from, to) = (self.y(value.max(0)), self.y(value.min(0)));
        Rect::from_x_y_ranges(column.left() + inset..=column.right() - inset, from..=to)
    }

    fn at(&self, position: Pos2) -> Option<usize> {
        let inside = self.area.expand2(vec2(0.0, FOOT + VALUES)).contains(position);
        let bar = ((position.x - self.area.left()) / self.each()) as usize;
        (inside && bar < self.count).then_some(bar)
    }
}

/// Shows the bars in all the room there is.
pub(crate) fn show(ui: &mut Ui, source: &dyn Source, selected: Option<usize>) -> Outcome {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click(), || source.summary());
    let (full, painter) = (canvas.full, canvas.painter(ui));
    let frame = Frame::new(ui, source, full);
    let (hovered, clicked) = canvas.pointed(|position| frame.at(position));
    let pressed = keys(ui, &canvas.response);
    let next = stepped(selected, pressed.right + pressed.down, frame.count).map(Some);
    let (small, left) = (theme::bold_font(text::SMALL), full.left() + space::XS);
    painter.text(pos2(left, full.top() + 9.0), Align2::LEFT_CENTER, source.above(), small.clone(), palette.bad);
    painter.text(pos2(left, full.bottom() - 10.0), Align2::LEFT_CENTER, source.below(), small, palette.good);
    bars(&painter, source, &frame, (selected, hovered), palette);
    let part = |bar: usize| Part {
        key: bar as u64,
        rect: frame.column(bar),
        name: source.describe(bar),
        selected: selected == Some(bar),
    };
    let cursor = selected.filter(|bar| canvas.response.has_focus() && *bar < frame.count);
    let parts = || (0..frame.count.min(nodes::MOST)).map(part).collect();
    let pressed = canvas.finish(ui, || cursor.map(|bar| source.describe(bar)), parts);
    if let Some(bar) = hovered {
        canvas.tooltip(source.describe(bar));
    }
    let picked = pressed.map(|key| Some(key as usize)).or(next).or(clicked);
    Outcome { response: canvas.response, hovered, picked }
}

fn bars(
    painter: &Painter, source: &dyn Source, frame: &Frame, attention: (Option<usize>, Option<usize>), palette: &Palette,
) {
    let (selected, hovered) = attention;
    for bar in [hovered, selected].into_iter().flatten().filter(|bar| *bar < frame.count) {
        painter.rect_filled(frame.column(bar), 0.0, palette.accent_soft);
    }
    let mut mesh = Mesh::default();
    for bar in 0..frame.count {
        let value = source.value(bar);
        mesh.add_colored_rect(frame.bar(bar, value), colour(value, palette));
    }
    painter.add(Shape::mesh(mesh));
    // Where everything would be right on time.
    let line = frame.y(0).round();
    painter.hline(frame.area.x_range(), line, Stroke::new(1.5, palette.text));
    flag(painter, pos2(frame.area.left() + 1.0, line), palette.text);
    let words = painter.layout_no_wrap(source.line().to_owned(), theme::font(text::TINY), palette.text);
    let place = pos2(frame.area.right() - words.size().x - 2.0, line - words.size().y - 2.0);
    let last = frame.count.checked_sub(1).map_or(0, |last| source.value(last));
    if last <= 0 {
        painter.galley(place, words, palette.text);
    }
    let each = frame.each();
    for bar in 0..frame.count {
        let (value, rect) = (source.value(bar), frame.column(bar));
        if each >= VALUED {
            let own = frame.bar(bar, value);
            let (at, align) = match value {
                above if above > 0 => (own.center_top() - vec2(0.0, 2.0), Align2::CENTER_BOTTOM),
                _ => (own.center_bottom() + vec2(0.0, 2.0), Align2::CENTER_TOP),
            };
            let words = source.change(bar);
            let galley = painter.layout_no_wrap(words, theme::bold_font(text::TINY), ink(value, palette));
            // Lengths of time may be longer than the bar is wide.
            if galley.size().x <= each || source.scale().1.is_empty() {
                let place = align.anchor_size(at, galley.size());
                painter.galley(place.min, galley, ink(value, palette));
            }
        }
        if each >= NAMED {
            let name = truncated(painter, source.name(bar), theme::font(text::SMALL), palette.weak, each - 4.0);
            let x = rect.center().x - name.size().x / 2.0;
            painter.galley(pos2(x, frame.full.bottom() - FOOT + 5.0), name, palette.weak);
        }
    }
    if let Some(bar) = selected.filter(|bar| *bar < frame.count) {
        let own = frame.bar(bar, source.value(bar)).expand(1.5);
        painter.rect_stroke(own, 2.0, Stroke::new(2.0, palette.accent), StrokeKind::Outside);
    }
}

/// A small flag that stands on the line.
fn flag(painter: &Painter, at: Pos2, colour: Color32) {
    painter.vline(at.x, at.y - 11.0..=at.y, Stroke::new(1.5, colour));
    let points = vec![at - vec2(0.0, 11.0), at + vec2(8.0, -8.5), at - vec2(0.0, 6.0)];
    painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
}

fn colour(value: i64, palette: &Palette) -> Color32 {
    if value > 0 { palette.bad } else { palette.good.lerp_to_gamma(palette.surface, 0.3) }
}

fn ink(value: i64, palette: &Palette) -> Color32 {
    if value > 0 { palette.bad } else { palette.weak }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_seen_even_where_nothing_is_late() {
        assert_eq!(range([30, -10, 0].into_iter()), [-10.0, 30.0]);
        assert_eq!(range([-120, -60].into_iter()), [-120.0, 10.0]);
        assert_eq!(range([0, 0].into_iter()), [-1.0, 1.0]);
        assert_eq!(range(std::iter::empty()), [-1.0, 1.0]);
    }
}
