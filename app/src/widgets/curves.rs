//! A quantity from 0 to 1 against a count, such as the efficiency of p processors against p: for each subject what theory
//! says as a line and what was measured as dots.
//!
//! ```ignore
//! let subject = curves::Subject { name: "ta051".to_owned(), colour, theory: &[[1.0, 1.0], [2.0, 0.97]], measured: &[] };
//! let hovered = curves::show(ui, &curves::Curves { subjects: &[subject], x: "Processors", y: "Efficiency", .. });
//! ```

use egui::emath::GuiRounding;
use egui::{Align2, Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::nodes::{self, Part};
use super::painting::{focus_ring, keys, stepped};
use super::parameters::grouped;
use crate::theme::{self, Palette, palette, space, text};

/// What a line and its dots belong to.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    /// Its name, unique among the subjects.
    pub name: String,
    /// The colour of line and dots.
    pub colour: Color32,
    /// What theory says, by rising count; a line.
    pub theory: &'a [[f64; 2]],
    /// What was measured; dots.
    pub measured: &'a [[f64; 2]],
}

/// What there is to show.
#[derive(Debug, Clone, Copy)]
pub struct Curves<'a> {
    /// The subjects, at most as many as a person can tell apart.
    pub subjects: &'a [Subject<'a>],
    /// What is counted, such as «Processors».
    pub x: &'a str,
    /// What goes from 0 to 1, such as «Efficiency».
    pub y: &'a str,
    /// Whether counts are shown by their logarithm: 1, 2, 4, 8, … are equally far apart.
    pub logarithmic: bool,
    /// What is said where there is nothing to show.
    pub nothing: &'a str,
    /// What lines and dots are, below the chart.
    pub hint: &'a str,
}

/// A measured value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dot {
    /// The place of its subject.
    pub subject: usize,
    /// Its place among what was measured there.
    pub index: usize,
}

/// What a person did.
pub struct Outcome {
    /// The whole of it.
    pub response: Response,
    /// The measured value under the pointer.
    pub hovered: Option<Dot>,
    /// The measured value that was clicked or chosen without a pointer; `None` within for a click beside all.
    pub picked: Option<Option<Dot>>,
}

const HEAD: f32 = 30.0;
const FOOT: f32 = 40.0;
const GUTTER: f32 = 52.0;
/// A dot this near to the pointer is meant.
const REACH: f32 = 10.0;
const RADIUS: f32 = 4.0;

/// Where values lie on the screen.
struct Frame {
    full: Rect,
    area: Rect,
    /// The lowest and the highest count, as they are plotted.
    x: [f64; 2],
    /// The highest value: 1, or more where something is above.
    top: f64,
    logarithmic: bool,
}

impl Frame {
    fn new(curves: &Curves<'_>, full: Rect) -> Self {
        let min = full.min + vec2(GUTTER, HEAD);
        let area = Rect::from_min_max(min, (full.max - vec2(space::L, FOOT)).max(min + vec2(16.0, 16.0)));
        let points = || curves.subjects.iter().flat_map(|subject| subject.theory.iter().chain(subject.measured));
        let counts = points().map(|point| plotted(point[0], curves.logarithmic)).filter(|count| count.is_finite());
        let [low, high] = counts.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)]);
        let room = ((high - low) * 0.03).max(0.02);
        let x = if low <= high { [low - room, high + room] } else { [0.0, 1.0] };
        let top = points().map(|point| point[1]).filter(|value| value.is_finite()).fold(1.0, f64::max);
        Self { full, area, x, top: top * 1.02, logarithmic: curves.logarithmic }
    }

    fn place(&self, point: [f64; 2]) -> Pos2 {
        let across = (plotted(point[0], self.logarithmic) - self.x[0]) / (self.x[1] - self.x[0]);
        let up = point[1] / self.top;
        let (width, height) = (f64::from(self.area.width()), f64::from(self.area.height()));
        self.area.left_bottom() + vec2((across * width) as f32, -(up * height) as f32)
    }
}

fn plotted(count: f64, logarithmic: bool) -> f64 {
    if logarithmic { count.max(1e-9).log2() } else { count }
}

/// Shows lines and dots in all the room there is; `selected` is ringed.
pub fn show(ui: &mut Ui, curves: &Curves<'_>, selected: Option<Dot>) -> Outcome {
    let palette = palette(ui.visuals());
    let full = ui.available_rect_before_wrap().round_to_pixels(ui.pixels_per_point());
    let response = ui.allocate_rect(full, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, summary(curves)));
    let frame = Frame::new(curves, full);
    let dots = dots(curves);
    let nearest = |position: Pos2| nearest(curves, &frame, &dots, position);
    let hovered = response.hover_pos().and_then(nearest);
    let mut picked = response.interact_pointer_pos().filter(|_| response.clicked()).map(|position| {
        response.request_focus();
        nearest(position)
    });
    let at = selected.and_then(|selected| dots.iter().position(|dot| *dot == selected));
    let pressed = keys(ui, &response);
    picked = stepped(at, pressed.right - pressed.down, dots.len()).map(|at| Some(dots[at])).or(picked);
    let painter = ui.painter().with_clip_rect(full.intersect(ui.clip_rect()));
    painter.rect_filled(full, 0.0, palette.surface);
    if curves.subjects.iter().all(|subject| subject.theory.is_empty() && subject.measured.is_empty()) {
        let font = theme::font(text::BODY);
        painter.text(full.center(), Align2::CENTER_CENTER, curves.nothing, font, palette.weak);
    } else {
        paint(&painter, curves, &frame, (selected, hovered), palette);
    }
    focus_ring(ui, &response, full);
    if nodes::wanted(ui, &response) {
        if let Some(dot) = selected.filter(|_| response.has_focus()) {
            nodes::describe(ui, &response, describe(curves, dot));
        }
        let part = |(key, &dot): (usize, &Dot)| {
            let rect = Rect::from_center_size(frame.place(value(curves, dot)), vec2(10.0, 10.0));
            Part { key: key as u64, rect, name: describe(curves, dot), selected: selected == Some(dot) }
        };
        let parts: Vec<Part> = dots.iter().enumerate().take(nodes::MOST).map(part).collect();
        let key = nodes::add(ui, &response, &parts);
        picked = key.map(|key| dots.get(key as usize).copied()).or(picked);
    }
    if let Some(dot) = hovered {
        response.clone().on_hover_text_at_pointer(describe(curves, dot).replace(": ", "\n"));
    }
    Outcome { response, hovered, picked }
}

/// Every measured value, subject by subject.
fn dots(curves: &Curves<'_>) -> Vec<Dot> {
    let of = |(subject, of): (usize, &Subject<'_>)| (0..of.measured.len()).map(move |index| Dot { subject, index });
    curves.subjects.iter().enumerate().flat_map(of).collect()
}

fn value(curves: &Curves<'_>, dot: Dot) -> [f64; 2] {
    let subject = curves.subjects.get(dot.subject);
    subject.and_then(|subject| subject.measured.get(dot.index)).copied().unwrap_or_default()
}

fn nearest(curves: &Curves<'_>, frame: &Frame, dots: &[Dot], position: Pos2) -> Option<Dot> {
    let away = |dot: &Dot| frame.place(value(curves, *dot)).distance(position);
    let near = dots.iter().filter(|dot| away(dot) <= REACH);
    near.min_by(|a, b| away(a).total_cmp(&away(b))).copied()
}

/// What theory says at a count, between the counts that it was computed for along a straight line.
fn theory(subject: &Subject<'_>, count: f64) -> Option<f64> {
    let after = subject.theory.partition_point(|point| point[0] < count);
    let next = subject.theory.get(after)?;
    if next[0] == count {
        return Some(next[1]);
    }
    let before = subject.theory.get(after.checked_sub(1)?)?;
    Some(before[1] + (next[1] - before[1]) * (count - before[0]) / (next[0] - before[0]))
}

/// «ta051, 8 processors: efficiency 0.83, in theory 0.87».
fn describe(curves: &Curves<'_>, dot: Dot) -> String {
    let Some(subject) = curves.subjects.get(dot.subject) else { return String::new() };
    let [count, measured] = value(curves, dot);
    let (what, of) = (curves.y.to_lowercase(), curves.x.to_lowercase());
    let expected = theory(subject, count).map(|value| format!(", in theory {value:.2}"));
    let count = grouped(count.round() as i64);
    format!("{}, {of} {count}: {what} {measured:.2}{}", subject.name, expected.unwrap_or_default())
}

/// «Efficiency by processors: ta051, ta081».
fn summary(curves: &Curves<'_>) -> String {
    let names: Vec<&str> = curves.subjects.iter().map(|subject| subject.name.as_str()).collect();
    format!("{} by {}: {}", curves.y, curves.x.to_lowercase(), names.join(", "))
}

type Attention = (Option<Dot>, Option<Dot>);

fn paint(painter: &Painter, curves: &Curves<'_>, frame: &Frame, attention: Attention, palette: &Palette) {
    axes(painter, curves, frame, palette);
    legend(painter, curves, frame, palette);
    let inside = painter.with_clip_rect(frame.area.expand(RADIUS + 2.0).intersect(painter.clip_rect()));
    for subject in curves.subjects {
        let line: Vec<Pos2> = subject.theory.iter().map(|&point| frame.place(point)).collect();
        inside.add(Shape::line(line, Stroke::new(1.75, subject.colour)));
    }
    let (selected, hovered) = attention;
    for dot in dots(curves) {
        let (at, colour) = (frame.place(value(curves, dot)), curves.subjects[dot.subject].colour);
        inside.circle_filled(at, RADIUS + 1.5, palette.surface);
        inside.circle_filled(at, RADIUS, colour);
        let ring = match (selected == Some(dot), hovered == Some(dot)) {
            (true, _) => Stroke::new(2.5, palette.accent),
            (_, true) => Stroke::new(1.5, palette.text),
            _ => continue,
        };
        inside.circle_stroke(at, RADIUS + 4.0, ring);
    }
}

/// Counts that are labelled: powers of two, or round numbers.
fn counts(frame: &Frame) -> Vec<f64> {
    if frame.logarithmic {
        let (first, last) = (frame.x[0].ceil() as i32, frame.x[1].floor() as i32);
        return (first.max(0)..=last.min(62)).map(|power| 2_f64.powi(power)).collect();
    }
    let least = (frame.x[1] - frame.x[0]) / f64::from(frame.area.width()) * 48.0;
    let ticks = gridwright_solver::scene::axis::whole_ticks(frame.x[0], frame.x[1], least);
    ticks.map(|tick| tick as f64).collect()
}

fn axes(painter: &Painter, curves: &Curves<'_>, frame: &Frame, palette: &Palette) {
    let (area, font) = (frame.area, theme::font(text::SMALL));
    let line = Stroke::new(1.0, palette.border);
    let mut free = f32::NEG_INFINITY;
    for count in counts(frame) {
        let x = frame.place([count, 0.0]).x.round();
        painter.vline(x, area.top()..=area.bottom() + 4.0, line);
        let galley = painter.layout_no_wrap(grouped(count as i64), font.clone(), palette.weak);
        let left = x - galley.size().x / 2.0;
        if left > free {
            free = left + galley.size().x + 8.0;
            painter.galley(pos2(left, area.bottom() + 6.0), galley, palette.weak);
        }
    }
    let steps = if area.height() < 120.0 { 2 } else { 5 };
    for step in 0..=(frame.top * f64::from(steps)).floor() as i32 {
        let value = f64::from(step) / f64::from(steps);
        let y = frame.place([1.0, value]).y.round();
        // All that there is to gain.
        let strong = if step == steps { palette.border_strong } else { palette.border };
        painter.hline(area.left() - 4.0..=area.right(), y, Stroke::new(1.0, strong));
        let words = format!("{value:.1}");
        painter.text(pos2(area.left() - space::S, y), Align2::RIGHT_CENTER, words, font.clone(), palette.weak);
    }
    let strong = Stroke::new(1.0, palette.border_strong);
    painter.hline(area.left()..=area.right(), area.bottom(), strong);
    painter.vline(area.left(), area.y_range(), strong);
    let bold = theme::bold_font(text::SMALL);
    let below = pos2(area.right(), frame.full.bottom() - 12.0);
    painter.text(below, Align2::RIGHT_CENTER, curves.x, bold.clone(), palette.text);
    let above = pos2(frame.full.left() + space::S, frame.full.top() + HEAD / 2.0);
    painter.text(above, Align2::LEFT_CENTER, curves.y, bold, palette.text);
    let hint = pos2(area.left(), below.y);
    if area.width() > 320.0 {
        painter.text(hint, Align2::LEFT_CENTER, curves.hint, font, palette.weak);
    }
}

/// Which colour is which subject, from the right.
fn legend(painter: &Painter, curves: &Curves<'_>, frame: &Frame, palette: &Palette) {
    let y = frame.full.top() + HEAD / 2.0;
    let mut right = frame.area.right();
    let left = frame.full.left() + 110.0;
    for subject in curves.subjects.iter().rev() {
        let galley = painter.layout_no_wrap(subject.name.clone(), theme::font(text::SMALL), palette.weak);
        let width = galley.size().x + 24.0;
        if right - width < left {
            return;
        }
        painter.galley(pos2(right - galley.size().x, y - galley.size().y / 2.0), galley, palette.weak);
        let key = right - width;
        painter.hline(key..=key + 18.0, y, Stroke::new(1.75, subject.colour));
        painter.circle_filled(pos2(key + 9.0, y), 3.5, subject.colour);
        right -= width + space::L;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theory_is_read_between_its_counts() {
        let subject = Subject {
            name: String::new(),
            colour: Color32::PLACEHOLDER,
            theory: &[[1.0, 1.0], [4.0, 0.7], [8.0, 0.5]],
            measured: &[],
        };
        let near = |count: f64, value: f64| theory(&subject, count).is_some_and(|found| (found - value).abs() < 1e-12);
        assert!(near(1.0, 1.0) && near(2.0, 0.9) && near(6.0, 0.6) && near(8.0, 0.5));
        assert_eq!((theory(&subject, 0.5), theory(&subject, 9.0)), (None, None), "theory says nothing beyond");
    }

    #[test]
    fn powers_of_two_are_equally_far_apart() {
        let subjects = [Subject {
            name: String::new(),
            colour: Color32::PLACEHOLDER,
            theory: &[[1.0, 1.0], [16.0, 0.5]],
            measured: &[],
        }];
        let curves = Curves { subjects: &subjects, x: "p", y: "e", logarithmic: true, nothing: "", hint: "" };
        let frame = Frame::new(&curves, Rect::from_min_size(Pos2::ZERO, vec2(600.0, 400.0)));
        assert_eq!(counts(&frame), [1.0, 2.0, 4.0, 8.0, 16.0]);
        let x = |count: f64| frame.place([count, 0.0]).x;
        assert!((x(4.0) - x(2.0) - (x(16.0) - x(8.0))).abs() < 1e-3);
        let linear = Frame::new(&Curves { logarithmic: false, ..curves }, frame.full);
        assert!(counts(&linear).windows(2).all(|pair| pair[0] < pair[1]) && counts(&linear).len() > 3);
    }
}
