//! Histograms of several series above each other over one axis, with the mean of each.

use std::rc::Rc;

use egui::{Align2, Color32, Mesh, Painter, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};
use gridwright_core::numbers::grouped;
use gridwright_core::scene::axis::round_step;

use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::canvas::{Canvas, Outcome};
use gridwright_window::widgets::chart::{self, Axis, Plane, Ticks};
use gridwright_window::widgets::nodes::Part;
use gridwright_window::widgets::painting::{keys, stepped, truncated};

/// Values of one lane.
#[derive(Debug, Clone)]
pub struct Series<'a> {
    /// Name, unique among the series.
    pub name: String,
    /// Colour of the bars.
    pub colour: Color32,
    /// Values, in any order.
    pub values: &'a [u64],
    /// Number of tries, successful or not.
    pub tried: usize,
}

/// Content of the chart.
pub struct Histogram<'a> {
    /// Series from top to bottom.
    pub series: &'a [Series<'a>],
    /// Name of the axis, such as «Iteration of the first optimum».
    pub x: &'a str,
    /// Text for a series without values, such as «did not find it».
    pub missed: &'a str,
    /// Text in place of an empty chart.
    pub nothing: &'a str,
}

/// Room left of the lanes for names.
const GUTTER: f32 = 150.0;
/// Room below the lanes for the axis.
const FOOT: f32 = 38.0;
const TALLEST: f32 = 96.0;
const BETWEEN: f32 = 10.0;
/// About so many bars fit.
const BARS: f64 = 48.0;

/// Bars of equal width from 0.
#[derive(Clone, Copy)]
struct Bins {
    /// The end of the axis.
    top: f64,
    /// Width of a bar.
    step: f64,
}

impl Bins {
    fn of(histogram: &Histogram<'_>) -> Self {
        let values = histogram.series.iter().flat_map(|series| series.values).map(|&value| value as f64);
        let top = values.fold(1.0, f64::max) * 1.04;
        Self { top, step: round_step((top / BARS).max(1.0)).round().max(1.0) }
    }

    /// Number of values in each bar.
    fn counts(self, values: &[u64]) -> Vec<usize> {
        let mut counts = vec![0; (self.top / self.step).ceil() as usize + 1];
        let last = counts.len() - 1;
        values.iter().for_each(|&value| counts[((value as f64 / self.step) as usize).min(last)] += 1);
        counts
    }
}

/// Places of lanes and values.
struct Frame {
    full: Rect,
    area: Rect,
    lane: f32,
    plane: Plane,
    bins: Bins,
}

impl Frame {
    /// Draws the axis and the grid.
    fn new(ui: &mut Ui, histogram: &Histogram<'_>, full: Rect) -> Self {
        let bins = Bins::of(histogram);
        let count = histogram.series.len().max(1) as f32;
        let min = full.min + vec2(GUTTER, space::S);
        let bottom = full.bottom().min(min.y + count * TALLEST + FOOT);
        let rect = Rect::from_min_max(min, pos2(full.right() - space::L, bottom).max(min + vec2(16.0, 16.0)));
        let words = Rc::new(|value: f64| grouped(value as i64));
        let x = Axis { name: histogram.x, range: [0.0, bins.top], ticks: Ticks::Whole, gap: 64.0, words };
        let y = Axis { name: "", range: [0.0, 1.0], ticks: Ticks::None, gap: 0.0, words: Rc::new(|_| String::new()) };
        let plane = chart::plane(ui, "histogram", rect, [x, y], |_| {});
        Self { full, area: plane.area, lane: plane.area.height() / count, plane, bins }
    }

    fn x(&self, value: f64) -> f32 {
        self.plane.place([value, 0.0]).x
    }

    fn lane(&self, index: usize) -> Rect {
        let top = self.area.top() + index as f32 * self.lane;
        Rect::from_x_y_ranges(self.area.x_range(), top..=top + self.lane - BETWEEN)
    }
}

fn mean(values: &[u64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().map(|&value| value as f64).sum::<f64>() / values.len() as f64)
}

/// Shows lanes in all the room there is; `selected` is framed.
pub fn show(ui: &mut Ui, histogram: &Histogram<'_>, selected: Option<usize>) -> Outcome {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click(), || summary(histogram));
    let (full, painter) = (canvas.full, canvas.painter(ui));
    let frame = Frame::new(ui, histogram, full);
    let count = histogram.series.len();
    let hit =
        |y: f32| (0..count).find(|&index| frame.lane(index).expand2(vec2(0.0, BETWEEN / 2.0)).y_range().contains(y));
    let (hovered, clicked) = canvas.pointed(|position| hit(position.y));
    let pressed = keys(ui, &canvas.response);
    let next = stepped(selected, pressed.down + pressed.right, count).map(Some);
    if histogram.series.iter().all(|series| series.tried == 0) {
        // In the middle of the room above the axis.
        let galley = painter.layout(
            histogram.nothing.to_owned(),
            theme::font(text::BODY),
            palette.weak,
            full.width() - space::L,
        );
        let middle = full.center() - vec2(0.0, FOOT / 2.0);
        painter.galley(middle - galley.size() / 2.0, galley, palette.weak);
    } else {
        let counts: Vec<Vec<usize>> = histogram.series.iter().map(|series| frame.bins.counts(series.values)).collect();
        let most = counts.iter().flatten().copied().max().unwrap_or(1).max(1);
        for (index, counts) in counts.iter().enumerate() {
            let attention = (selected == Some(index), hovered == Some(index));
            lane(&painter, histogram, &frame, index, (counts, most), attention, palette);
        }
    }
    let part = |index: usize| Part {
        key: index as u64,
        rect: frame.lane(index).with_min_x(full.left()),
        name: describe(histogram, index),
        selected: selected == Some(index),
    };
    let pressed = canvas.finish(ui, || None, || (0..count).map(part).collect());
    if let Some(index) = hovered {
        canvas.tooltip(describe(histogram, index).replace(": ", "\n"));
    }
    let picked = pressed.map(|key| Some(key as usize)).or(next).or(clicked);
    Outcome { response: canvas.response, hovered, picked }
}

/// «B: 48 of 50, from 180 to 240, mean 204».
fn describe(histogram: &Histogram<'_>, index: usize) -> String {
    let Some(series) = histogram.series.get(index) else { return String::new() };
    let range = series.values.iter().min().zip(series.values.iter().max());
    let range = range.map_or_else(
        || format!(", {}", histogram.missed),
        |(first, last)| format!(", from {} to {}", grouped(*first as i64), grouped(*last as i64)),
    );
    let number = |value: f64| grouped(value.round() as i64);
    let mean = mean(series.values).map_or_else(String::new, |mean| format!(", mean {}", number(mean)));
    format!("{}: {} of {}{range}{mean}", series.name, series.values.len(), series.tried)
}

/// «Iteration of the first optimum: T, E, V, B».
fn summary(histogram: &Histogram<'_>) -> String {
    let names: Vec<&str> = histogram.series.iter().map(|series| series.name.as_str()).collect();
    format!("{}: {}", histogram.x, names.join(", "))
}

type Counted<'a> = (&'a [usize], usize);

fn lane(
    painter: &Painter, histogram: &Histogram<'_>, frame: &Frame, index: usize, (counts, most): Counted<'_>,
    (selected, hovered): (bool, bool), palette: &Palette,
) {
    let (series, lane) = (&histogram.series[index], frame.lane(index));
    if selected || hovered {
        let ground =
            lane.with_min_x(frame.full.left() + 4.0).with_max_x(frame.full.right() - 4.0).expand2(vec2(0.0, 3.0));
        painter.rect_filled(ground, 4.0, if selected { palette.accent_soft } else { palette.raised_hover });
    }
    let room = GUTTER - space::L - 16.0;
    let at = pos2(frame.full.left() + space::S + 12.0, lane.center().y);
    painter.circle_filled(at - vec2(7.0, 9.0), 4.0, series.colour);
    let name = truncated(painter, series.name.clone(), theme::bold_font(text::BODY), palette.text, room);
    painter.galley(at - vec2(0.0, 17.0), name, palette.text);
    let found = format!("{} of {}", series.values.len(), series.tried);
    painter.text(at + vec2(0.0, 9.0), Align2::LEFT_CENTER, found, theme::font(text::SMALL), palette.weak);
    painter.hline(lane.x_range(), lane.bottom(), Stroke::new(1.0, palette.border_strong));
    if series.values.is_empty() && series.tried > 0 {
        let font = theme::font(text::SMALL);
        painter.text(
            lane.left_center() + vec2(space::M, 0.0),
            Align2::LEFT_CENTER,
            histogram.missed,
            font,
            palette.weak,
        );
    }
    let mut mesh = Mesh::default();
    for (bin, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (left, right) = (frame.x(bin as f64 * frame.bins.step), frame.x((bin + 1) as f64 * frame.bins.step));
        let height = (count as f32 / most as f32 * (lane.height() - 14.0)).max(2.0);
        let bar =
            Rect::from_min_max(pos2(left, lane.bottom() - height), pos2((right - 1.0).max(left + 1.0), lane.bottom()));
        mesh.add_colored_rect(bar, series.colour);
    }
    painter.add(Shape::mesh(mesh));
    if let Some(mean) = mean(series.values) {
        let x = frame.x(mean);
        let line = [pos2(x, lane.top() + 10.0), pos2(x, lane.bottom())];
        painter.line_segment(line, Stroke::new(1.5, palette.text));
        let words = format!("mean {}", grouped(mean.round() as i64));
        words_at(painter, pos2(x, lane.top() + 4.0), words, palette.text, frame);
    }
}

/// Writes a text at the left of a line, or at its right where there is no room.
fn words_at(painter: &Painter, at: egui::Pos2, words: String, ink: Color32, frame: &Frame) {
    let galley = painter.layout_no_wrap(words, theme::font(text::TINY), ink);
    let left = at.x - galley.size().x - 3.0;
    let x = if left < frame.area.left() { at.x + 3.0 } else { left };
    painter.galley(pos2(x, at.y - galley.size().y / 2.0), galley, ink);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: &[u64]) -> Series<'_> {
        Series { name: "B".to_owned(), colour: Color32::PLACEHOLDER, values, tried: 50 }
    }

    fn histogram<'a>(series: &'a [Series<'a>]) -> Histogram<'a> {
        Histogram { series, x: "Iteration", missed: "did not find it", nothing: "" }
    }

    #[test]
    fn every_value_is_counted_once() {
        let values: Vec<u64> = (0..500).map(|index| 150 + index * 7919 % 97).collect();
        let series = [series(&values)];
        let histogram = histogram(&series);
        let counts = Bins::of(&histogram).counts(&values);
        assert_eq!(counts.iter().sum::<usize>(), 500);
        assert!(counts.len() < 80);
    }

    #[test]
    fn a_lane_says_what_it_shows() {
        let lanes = [series(&[180, 220]), series(&[])];
        let histogram = histogram(&lanes);
        assert_eq!(describe(&histogram, 0), "B: 2 of 50, from 180 to 220, mean 200");
        assert_eq!(describe(&histogram, 1), "B: 0 of 50, did not find it");
    }
}
