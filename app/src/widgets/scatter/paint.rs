//! How points and axes are painted.

use std::ops::RangeInclusive;

use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use gridwright_solver::scene::axis::round_step;

use super::front::Front;
use super::{Axes, Source};
use crate::theme::{self, Palette, palette, space, text};
use crate::widgets::painting::truncated;

/// Room above for the name of the axis and the colours.
const HEAD: f32 = 30.0;
/// Room below for numbers and the name of the axis.
const FOOT: f32 = 40.0;

/// Where values lie on the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Everything.
    pub full: Rect,
    /// Points alone.
    pub area: Rect,
    x: RangeInclusive<f64>,
    y: RangeInclusive<f64>,
}

impl Frame {
    pub(super) fn new(ui: &Ui, source: &dyn Source, front: &Front, axes: Axes, full: Rect) -> Self {
        let (x, y) = (padded(&front.ranges[0]), padded(&front.ranges[1]));
        let width = |value: f64| {
            let words = source.words(axes.y, value);
            ui.painter().layout_no_wrap(words, theme::font(text::SMALL), Color32::PLACEHOLDER).size().x
        };
        let gutter = width(*y.start()).max(width(*y.end())).max(20.0) + 2.0 * space::S;
        let min = full.min + vec2(gutter, HEAD);
        let max = (full.max - vec2(space::L, FOOT)).max(min + vec2(16.0, 16.0));
        Self { full, area: Rect::from_min_max(min, max), x, y }
    }

    /// Where a point with these values lies.
    pub fn place(&self, x: f64, y: f64) -> Pos2 {
        let share = |value: f64, range: &RangeInclusive<f64>| (value - range.start()) / (range.end() - range.start());
        let (across, up) = (share(x, &self.x) as f32, share(y, &self.y) as f32);
        pos2(self.area.left() + across * self.area.width(), self.area.bottom() - up * self.area.height())
    }
}

/// The range with some room at its ends; also where all values are the same.
fn padded(range: &RangeInclusive<f64>) -> RangeInclusive<f64> {
    let (low, high) = (*range.start(), *range.end());
    let room = ((high - low) * 0.06).max(high.abs() * 1e-3).max(0.5);
    low - room..=high + room
}

/// Round values within a range, at least `least` apart.
fn ticks(range: &RangeInclusive<f64>, least: f64) -> impl Iterator<Item = f64> {
    let step = round_step(least);
    let (first, last) = ((range.start() / step).ceil() as i64, (range.end() / step).floor() as i64);
    (first..=last.min(first.saturating_add(200))).map(move |number| number as f64 * step)
}

/// Radius of a point: of many points less.
fn radius(count: usize) -> f32 {
    match count {
        0..=300 => 4.5,
        301..=1500 => 3.5,
        _ => 2.5,
    }
}

/// Paints everything; `place` is where and what, `attention` the selected point and the one under the pointer.
pub(super) fn paint(
    ui: &Ui,
    source: &dyn Source,
    front: &Front,
    place: (&Frame, Axes),
    attention: (Option<usize>, Option<usize>),
) {
    let palette = palette(ui.visuals());
    let (frame, axes) = place;
    let painter = ui.painter().with_clip_rect(frame.full.intersect(ui.clip_rect()));
    painter.rect_filled(frame.full, 0.0, palette.surface);
    if front.count() == 0 {
        let (at, heading) = (frame.full.center(), theme::bold_font(text::HEADING));
        painter.text(at - vec2(0.0, 10.0), Align2::CENTER_CENTER, "No solutions yet", heading, palette.text);
        let hint = theme::font(text::BODY);
        painter.text(at + vec2(0.0, 12.0), Align2::CENTER_CENTER, source.nothing(), hint, palette.weak);
        return;
    }
    lines(&painter, source, frame, axes, palette);
    captions(&painter, source, front, frame, axes, palette);
    let inside = painter.with_clip_rect(frame.area.expand(1.0).intersect(painter.clip_rect()));
    let at = |point: usize| frame.place(source.value(point, axes.x), source.value(point, axes.y));
    stairs(&inside, front, frame, &at, palette);
    let size = radius(front.count());
    let grey = palette.faint.gamma_multiply(0.45);
    inside.extend(front.excluded().iter().map(|&point| Shape::circle_filled(at(point), size * 0.75, grey)));
    // Darker than the point in both themes, so that each is seen in a crowd.
    let rim = if ui.visuals().dark_mode { palette.surface } else { palette.text.gamma_multiply(0.6) };
    for &point in front.along() {
        let fill = colour(source, front, axes, point, palette);
        // A disc over a disc is much faster than a circle with an outline.
        inside.circle_filled(at(point), size, rim);
        inside.circle_filled(at(point), size - 0.9, fill);
    }
    let (selected, hovered) = attention;
    for (point, stroke) in [(hovered, Stroke::new(1.5, palette.text)), (selected, Stroke::new(2.5, palette.accent))] {
        let Some(point) = point else { continue };
        let fill = if source.is_excluded(point) { grey } else { colour(source, front, axes, point, palette) };
        painter.circle_filled(at(point), size + 4.0, palette.surface);
        painter.circle_filled(at(point), size + 0.5, fill);
        painter.circle_stroke(at(point), size + 4.0, stroke);
    }
    if front.along().is_empty() {
        let words = "The filter leaves out every solution";
        painter.text(frame.area.center(), Align2::CENTER_CENTER, words, theme::bold_font(text::BODY), palette.text);
    }
}

/// The colour of a point that the filter leaves.
fn colour(source: &dyn Source, front: &Front, axes: Axes, point: usize, palette: &Palette) -> Color32 {
    let Some(objective) = axes.colour else { return palette.accent };
    let range = &front.ranges[2];
    let share = (source.value(point, objective) - range.start()) / (range.end() - range.start()).max(1e-9);
    palette.cost(share as f32)
}

/// The line along the points that nobody beats, and a shade over what they beat.
fn stairs(inside: &Painter, front: &Front, frame: &Frame, at: &dyn Fn(usize) -> Pos2, palette: &Palette) {
    let Some((&first, &last)) = front.stairs().first().zip(front.stairs().last()) else { return };
    let mut line = vec![pos2(at(first).x, frame.area.top())];
    let mut shade = Mesh::default();
    let ground = palette.accent_soft.gamma_multiply(0.4);
    let places: Vec<Pos2> = front.stairs().iter().map(|&point| at(point)).collect();
    for (index, &place) in places.iter().enumerate() {
        let right = places.get(index + 1).map_or(frame.area.right(), |next| next.x);
        shade.add_colored_rect(Rect::from_min_max(pos2(place.x, frame.area.top()), pos2(right, place.y)), ground);
        line.extend([place, pos2(right, place.y)]);
    }
    debug_assert!(at(last).is_finite());
    inside.add(Shape::mesh(shade));
    inside.add(Shape::line(line, Stroke::new(1.5, palette.accent.gamma_multiply(0.75))));
}

/// Lines and numbers at round values.
fn lines(painter: &Painter, source: &dyn Source, frame: &Frame, axes: Axes, palette: &Palette) {
    let (area, font) = (frame.area, theme::font(text::SMALL));
    let line = Stroke::new(1.0, palette.border);
    let widest = painter.layout_no_wrap(source.words(axes.x, *frame.x.end()), font.clone(), palette.weak).size().x;
    let per_point = |range: &RangeInclusive<f64>, extent: f32| (range.end() - range.start()) / f64::from(extent);
    let across = per_point(&frame.x, area.width()) * f64::from(widest + 28.0);
    for value in ticks(&frame.x, across) {
        let x = frame.place(value, 0.0).x.round();
        painter.vline(x, area.top()..=area.bottom() + 4.0, line);
        let at = pos2(x, area.bottom() + 12.0);
        painter.text(at, Align2::CENTER_CENTER, source.words(axes.x, value), font.clone(), palette.weak);
    }
    for value in ticks(&frame.y, per_point(&frame.y, area.height()) * 38.0) {
        let y = frame.place(0.0, value).y.round();
        painter.hline(area.left() - 4.0..=area.right(), y, line);
        let at = pos2(area.left() - space::S, y);
        painter.text(at, Align2::RIGHT_CENTER, source.words(axes.y, value), font.clone(), palette.weak);
    }
    let strong = Stroke::new(1.0, palette.border_strong);
    painter.hline(area.left()..=area.right(), area.bottom(), strong);
    painter.vline(area.left(), area.y_range(), strong);
}

/// What the axes are, and what the colours mean.
fn captions(painter: &Painter, source: &dyn Source, front: &Front, frame: &Frame, axes: Axes, palette: &Palette) {
    let (bold, small) = (theme::bold_font(text::SMALL), theme::font(text::SMALL));
    let top = frame.full.top() + HEAD / 2.0;
    let left = frame.full.left() + space::S;
    let below = pos2(frame.area.right(), frame.full.bottom() - 12.0);
    let x = painter.text(below, Align2::RIGHT_CENTER, source.name(axes.x), bold.clone(), palette.text);
    let hint = pos2(frame.area.left(), below.y);
    if x.left() - hint.x > 150.0 {
        painter.text(hint, Align2::LEFT_CENTER, "Less is better", small.clone(), palette.weak);
    }
    let mut right = frame.area.right();
    if let Some(objective) = axes.colour {
        let [low, high] = [front.ranges[2].start(), front.ranges[2].end()].map(|value| source.words(objective, *value));
        let high = painter.text(pos2(right, top), Align2::RIGHT_CENTER, high, small.clone(), palette.weak);
        let bar = Rect::from_center_size(pos2(high.left() - space::XS - 48.0, top), vec2(96.0, 10.0));
        let mut mesh = Mesh::default();
        for step in 0..48 {
            let x = |step: usize| bar.left() + bar.width() * step as f32 / 48.0;
            let part = Rect::from_x_y_ranges(x(step)..=x(step + 1), bar.y_range());
            mesh.add_colored_rect(part, palette.cost(step as f32 / 47.0));
        }
        painter.add(Shape::mesh(mesh));
        painter.rect_stroke(bar, 0.0, Stroke::new(1.0, palette.border_strong), egui::StrokeKind::Outside);
        let at = pos2(bar.left() - space::XS, top);
        let low = painter.text(at, Align2::RIGHT_CENTER, low, small, palette.weak);
        let at = pos2(low.left() - space::S, top);
        let name = painter.text(at, Align2::RIGHT_CENTER, source.name(objective), bold.clone(), palette.text);
        right = name.left() - space::L;
    }
    let y = truncated(painter, source.name(axes.y), bold, palette.text, right - left);
    painter.galley(pos2(left, top - y.size().y / 2.0), y, palette.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_one_value_have_room() {
        let range = padded(&(7.0..=7.0));
        assert!(*range.start() < 7.0 && *range.end() > 7.0);
        assert_eq!(ticks(&(3.0..=21.0), 4.0).collect::<Vec<_>>(), [5.0, 10.0, 15.0, 20.0]);
        assert_eq!(ticks(&(-0.3..=0.3), 0.2).count(), 3);
    }
}
