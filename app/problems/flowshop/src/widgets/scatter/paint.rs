//! Painting of points, stairs and axes.

use std::ops::RangeInclusive;
use std::rc::Rc;

use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, Ui, Vec2, pos2, vec2};

use super::front::Front;
use super::{Axes, Source};
use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::chart::{self, Axis, Plane, Ticks};
use gridwright_window::widgets::legend;

/// Room above the chart for what the colours mean.
const HEAD: f32 = 30.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glyph {
    Disc,
    Ring,
    Cross,
    Square,
}

/// Appearance of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    pub(crate) glyph: Glyph,
    /// Colour.
    pub colour: Color32,
}

impl Mark {
    /// Paints the mark; `size` is the radius of a disc.
    fn paint(self, painter: &Painter, at: Pos2, size: f32) {
        let stroke = Stroke::new(2.0, self.colour);
        match self.glyph {
            Glyph::Disc => _ = painter.circle_filled(at, size, self.colour),
            Glyph::Ring => _ = painter.circle_stroke(at, size + 1.0, stroke),
            Glyph::Square => {
                _ = painter.rect_filled(Rect::from_center_size(at, Vec2::splat(2.0 * size)), 1.0, self.colour)
            }
            Glyph::Cross => {
                for side in [vec2(size, size), vec2(size, -size)] {
                    painter.line_segment([at - side, at + side], stroke);
                }
            }
        }
    }
}

/// Places of values on the screen.
#[derive(Clone, Copy)]
pub struct Frame {
    /// The whole chart.
    pub full: Rect,
    /// The part between the axes.
    pub area: Rect,
    plane: Plane,
}

impl Frame {
    /// Draws background, axes and grid.
    pub(super) fn new(ui: &mut Ui, source: &dyn Source, front: &Front, axes: Axes, full: Rect) -> Self {
        ui.painter().rect_filled(full, 0.0, palette(ui.visuals()).surface);
        let axis = |objective: usize, range: usize, gap: f64| Axis {
            name: source.name(objective),
            range: padded(&front.ranges[range]),
            ticks: if front.count() == 0 { Ticks::None } else { Ticks::Round },
            gap,
            words: Rc::new(move |value| source.words(objective, value)),
        };
        let rect = Rect::from_min_max(full.min + vec2(space::XS, HEAD), full.max - vec2(space::L, space::XS));
        let plane = chart::plane(ui, "scatter", rect, [axis(axes.x, 0, 84.0), axis(axes.y, 1, 38.0)], |_| {});
        Self { full, area: plane.area, plane }
    }

    /// Place of a point with these values.
    pub fn place(&self, x: f64, y: f64) -> Pos2 {
        self.plane.place([x, y])
    }
}

/// The range with some room at its ends, also where all values are equal.
fn padded(range: &RangeInclusive<f64>) -> [f64; 2] {
    let (low, high) = (*range.start(), *range.end());
    let room = ((high - low) * 0.06).max(high.abs() * 1e-3).max(0.5);
    [low - room, high + room]
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
    ui: &Ui, source: &dyn Source, front: &Front, place: (&Frame, Axes), attention: (Option<usize>, Option<usize>),
) {
    let palette = palette(ui.visuals());
    let (frame, axes) = place;
    let painter = ui.painter().with_clip_rect(frame.full.intersect(ui.clip_rect()));
    if front.count() == 0 {
        let (at, heading) = (frame.full.center(), theme::bold_font(text::HEADING));
        painter.text(at - vec2(0.0, 10.0), Align2::CENTER_CENTER, "No solutions yet", heading, palette.text);
        let hint = theme::font(text::BODY);
        painter.text(at + vec2(0.0, 12.0), Align2::CENTER_CENTER, source.nothing(), hint, palette.weak);
        return;
    }
    captions(ui, source, front, frame, axes);
    let inside = painter.with_clip_rect(frame.area.expand(1.0).intersect(painter.clip_rect()));
    let at = |point: usize| frame.place(source.value(point, axes.x), source.value(point, axes.y));
    stairs(&inside, front, frame, &at, palette);
    let size = radius(front.count());
    let grey = palette.faint.gamma_multiply(0.45);
    let draw = |painter: &Painter, point: usize, size: f32, fill: Color32| match source.mark(point) {
        Some(mark) => mark.paint(painter, at(point), size),
        None => _ = painter.circle_filled(at(point), size, fill),
    };
    front.excluded().iter().for_each(|&point| draw(&inside, point, size * 0.75, grey));
    // Unlike the ground in both themes, so that a crowd is seen as well as each of its points.
    let rim = palette.text.gamma_multiply(0.6);
    for &point in front.along() {
        let fill = colour(source, front, axes, point, palette);
        if source.mark(point).is_none() {
            // A disc over a disc is much faster than a circle with an outline.
            inside.circle_filled(at(point), size, rim);
        }
        draw(&inside, point, size - 0.9, fill);
    }
    let (selected, hovered) = attention;
    for (point, stroke) in [(hovered, Stroke::new(1.5, palette.text)), (selected, Stroke::new(2.5, palette.accent))] {
        let Some(point) = point else { continue };
        let fill = if source.is_excluded(point) { grey } else { colour(source, front, axes, point, palette) };
        painter.circle_filled(at(point), size + 4.0, palette.surface);
        draw(&painter, point, size + 0.5, fill);
        painter.circle_stroke(at(point), size + 4.0, stroke);
    }
    if front.excluded().iter().any(|&point| source.mark(point).is_none()) && front.along().is_empty() {
        let words = "The filter leaves out every solution";
        painter.text(frame.area.center(), Align2::CENTER_CENTER, words, theme::bold_font(text::BODY), palette.text);
    }
}

/// The colour of a point that the filter leaves.
fn colour(source: &dyn Source, front: &Front, axes: Axes, point: usize, palette: &Palette) -> Color32 {
    let Some(objective) = axes.colour else { return palette.accent };
    let range = &front.ranges[2];
    let share = (source.value(point, objective) - range.start()) / (range.end() - range.start()).max(1e-9);
    tone(palette, share as f32)
}

/// Colour of a share of the third objective, without those that are nearly as dark as a dark ground.
fn tone(palette: &Palette, share: f32) -> Color32 {
    palette.cost(if palette.is_dark() { 0.3 + 0.7 * share } else { share })
}

fn stairs_stroke(palette: &Palette) -> Stroke {
    Stroke::new(1.5, palette.accent.gamma_multiply(0.75))
}

/// Paints the line along the non-dominated points and a shade over the dominated region.
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
    inside.add(Shape::line(line, stairs_stroke(palette)));
}

/// Explains the colours above the chart, from the right.
fn captions(ui: &Ui, source: &dyn Source, front: &Front, frame: &Frame, axes: Axes) {
    let (painter, palette) = (ui.painter(), palette(ui.visuals()));
    let (bold, small) = (theme::bold_font(text::SMALL), theme::font(text::SMALL));
    let top = frame.full.top() + HEAD / 2.0;
    let mut right = frame.area.right();
    if let Some(objective) = axes.colour {
        let [low, high] = [front.ranges[2].start(), front.ranges[2].end()].map(|value| source.words(objective, *value));
        let high = painter.text(pos2(right, top), Align2::RIGHT_CENTER, high, small.clone(), palette.weak);
        let bar = Rect::from_center_size(pos2(high.left() - space::XS - 48.0, top), vec2(96.0, 10.0));
        chart::ramp(painter, bar, |share| tone(palette, share));
        painter.rect_stroke(bar, 0.0, Stroke::new(1.0, palette.border_strong), egui::StrokeKind::Outside);
        let at = pos2(bar.left() - space::XS, top);
        let low = painter.text(at, Align2::RIGHT_CENTER, low, small.clone(), palette.weak);
        let at = pos2(low.left() - space::S, top);
        right = painter.text(at, Align2::RIGHT_CENTER, source.name(objective), bold, palette.text).left() - space::L;
    }
    // Without marks there is nothing but points and the line.
    let line = (!source.legend().is_empty()).then_some("Edge of the front");
    let names: Vec<&str> = source.legend().iter().map(|(name, _)| *name).chain(line).collect();
    let key = |painter: &Painter, index: usize, at: Pos2| match source.legend().get(index) {
        Some((_, mark)) => mark.paint(painter, at + vec2(9.0, 0.0), 4.0),
        None => {
            painter.hline(at.x..=at.x + 18.0, at.y, stairs_stroke(palette));
        }
    };
    let place = (frame.area.left(), right, top);
    let right = legend::names(ui, "marks", &names, place, &key, palette.weak);
    let hint = painter.layout_no_wrap("Less is better".to_owned(), small, palette.weak);
    if hint.size().x <= right - frame.area.left() {
        painter.galley(pos2(frame.area.left(), top - hint.size().y / 2.0), hint, palette.weak);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_one_value_have_room() {
        let [low, high] = padded(&(7.0..=7.0));
        assert!(low < 7.0 && high > 7.0);
    }
}
