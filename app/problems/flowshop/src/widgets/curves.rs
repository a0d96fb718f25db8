//! Chart of a quantity from 0 to 1 against a count, such as the efficiency of p processors against p: for each subject the
//! theoretical values as a line and the measured ones as dots.
//!
//! ```ignore
//! let subject = curves::Subject { name: "ta051".to_owned(), colour, theory: &[[1.0, 1.0], [2.0, 0.97]], measured: &[] };
//! let hovered = curves::show(ui, &curves::Curves { subjects: &[subject], x: "Processors", y: "Efficiency", .. });
//! ```

use std::rc::Rc;

use egui::{Align2, Color32, Painter, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};
use egui_plot::{HLine, Line, PlotPoints};
use gridwright_core::numbers::grouped;

use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::canvas::{Canvas, Outcome};
use gridwright_window::widgets::chart::{self, Axis, Plane, Ticks};
use gridwright_window::widgets::legend;
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::{keys, stepped};

/// Series of one line and its dots, such as an instance.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    /// Name, unique among the subjects.
    pub name: String,
    /// Colour of line and dots.
    pub colour: Color32,
    /// Theoretical points (count, value), ascending by count; drawn as a line.
    pub theory: &'a [[f64; 2]],
    /// Measured points (count, value); drawn as dots.
    pub measured: &'a [[f64; 2]],
}

/// Content of the chart.
#[derive(Debug, Clone, Copy)]
pub struct Curves<'a> {
    /// Subjects, few enough to be told apart by colour.
    pub subjects: &'a [Subject<'a>],
    /// Name of the count, such as «Processors».
    pub x: &'a str,
    /// Name of the quantity from 0 to 1, such as «Efficiency».
    pub y: &'a str,
    /// True if counts are shown by their logarithm: 1, 2, 4, 8, … are equally far apart.
    pub logarithmic: bool,
    /// Text in place of an empty chart.
    pub nothing: &'a str,
    /// Explanation of lines and dots, above the chart.
    pub hint: &'a str,
}

/// A measured value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dot {
    /// Index of its subject.
    pub subject: usize,
    /// Index in the measured points of the subject.
    pub index: usize,
}

/// Room above the chart for the names of the subjects.
const HEAD: f32 = 26.0;
/// Greatest distance in points from a dot at which the pointer takes it.
const REACH: f32 = 10.0;
const RADIUS: f32 = 4.0;

/// Shows lines and dots in all the room there is; `selected` is ringed.
pub fn show(ui: &mut Ui, curves: &Curves<'_>, selected: Option<Dot>) -> Outcome<Dot> {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click(), || summary(curves));
    let (full, painter) = (canvas.full, canvas.painter(ui));
    let plane = axes(ui, curves, full.with_min_y(full.top() + HEAD), palette);
    let dots = dots(curves);
    let nearest = |to: Pos2| plane.nearest(dots.len(), |index| plotted(curves, value(curves, dots[index])), REACH, to);
    let (hovered, clicked) = canvas.pointed(|position| nearest(position).map(|index| dots[index]));
    let at = selected.and_then(|selected| dots.iter().position(|dot| *dot == selected));
    let pressed = keys(ui, &canvas.response);
    let next = stepped(at, pressed.right - pressed.down, dots.len()).map(|at| Some(dots[at]));
    legend(ui, curves, full, palette);
    if is_empty(curves) {
        let font = theme::font(text::BODY);
        painter.text(full.center(), Align2::CENTER_CENTER, curves.nothing, font, palette.weak);
    }
    for &dot in &dots {
        let (at, colour) = (plane.place(plotted(curves, value(curves, dot))), curves.subjects[dot.subject].colour);
        painter.circle_filled(at, RADIUS + 1.5, palette.surface);
        painter.circle_filled(at, RADIUS, colour);
        let ring = match (selected == Some(dot), hovered == Some(dot)) {
            (true, _) => Stroke::new(2.5, palette.accent),
            (_, true) => Stroke::new(1.5, palette.text),
            _ => continue,
        };
        painter.circle_stroke(at, RADIUS + 4.0, ring);
    }
    let part = |(key, &dot): (usize, &Dot)| {
        let rect = Rect::from_center_size(plane.place(plotted(curves, value(curves, dot))), vec2(10.0, 10.0));
        Part { key: key as u64, rect, name: describe(curves, dot), selected: selected == Some(dot) }
    };
    let cursor = selected.filter(|_| canvas.response.has_focus());
    let parts = || dots.iter().enumerate().take(nodes::MOST).map(part).collect();
    let pressed = canvas.finish(ui, || cursor.map(|dot| describe(curves, dot)), parts);
    if let Some(dot) = hovered {
        canvas.tooltip(describe(curves, dot).replace(": ", "\n"));
    }
    let picked = pressed.map(|key| dots.get(key as usize).copied()).or(next).or(clicked);
    Outcome { response: canvas.response, hovered, picked }
}

fn is_empty(curves: &Curves<'_>) -> bool {
    curves.subjects.iter().all(|subject| subject.theory.is_empty() && subject.measured.is_empty())
}

/// Draws the axes and the lines of theory into `rect`.
fn axes<'a>(ui: &mut Ui, curves: &Curves<'a>, rect: Rect, palette: &Palette) -> Plane {
    let points = || curves.subjects.iter().flat_map(|subject| subject.theory.iter().chain(subject.measured));
    let counts = points().map(|&point| plotted(curves, point)[0]).filter(|count| count.is_finite());
    let [low, high] = counts.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)]);
    let room = ((high - low) * 0.03).max(0.02);
    let top = points().map(|point| point[1]).filter(|value| value.is_finite()).fold(1.0, f64::max);
    let (logarithmic, shown) = (curves.logarithmic, !is_empty(curves));
    let ticks = |ticks| if shown { ticks } else { Ticks::None };
    let x = Axis {
        name: curves.x,
        range: if low <= high { [low - room, high + room] } else { [0.0, 1.0] },
        ticks: ticks(Ticks::Whole),
        gap: 48.0,
        words: Rc::new(move |at| grouped(if logarithmic { at.exp2() } else { at }.round() as i64)),
    };
    let y = Axis {
        name: curves.y,
        range: [0.0, top * 1.02],
        ticks: ticks(Ticks::Round),
        gap: 24.0,
        words: Rc::new(|value| format!("{value:.1}")),
    };
    let lines: Vec<Line<'_>> = curves
        .subjects
        .iter()
        .map(|subject| {
            let points: Vec<[f64; 2]> = subject.theory.iter().map(|&point| plotted(curves, point)).collect();
            Line::new(subject.name.clone(), PlotPoints::from(points))
                .color(subject.colour)
                .width(1.75)
                .allow_hover(false)
        })
        .collect();
    let most = HLine::new("", 1.0).stroke(Stroke::new(1.0, palette.border_strong)).allow_hover(false);
    chart::plane(ui, "curves", rect, [x, y], move |plot| {
        if shown {
            plot.hline(most);
        }
        lines.into_iter().for_each(|line| plot.line(line));
    })
}

/// The values of a point along the axes: counts by their binary logarithm where the axis is logarithmic.
fn plotted(curves: &Curves<'_>, [count, value]: [f64; 2]) -> [f64; 2] {
    [if curves.logarithmic { count.max(1e-9).log2() } else { count }, value]
}

/// Measured values, subject by subject.
fn dots(curves: &Curves<'_>) -> Vec<Dot> {
    let of = |(subject, of): (usize, &Subject<'_>)| (0..of.measured.len()).map(move |index| Dot { subject, index });
    curves.subjects.iter().enumerate().flat_map(of).collect()
}

fn value(curves: &Curves<'_>, dot: Dot) -> [f64; 2] {
    let subject = curves.subjects.get(dot.subject);
    subject.and_then(|subject| subject.measured.get(dot.index)).copied().unwrap_or_default()
}

/// Theoretical value at a count, linearly interpolated; `None` outside of the computed counts.
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

/// Writes the names of the subjects above the chart, and what lines and dots are where there is room.
fn legend(ui: &Ui, curves: &Curves<'_>, full: Rect, palette: &Palette) {
    let (y, left) = (full.top() + HEAD / 2.0, full.left() + space::S);
    let names: Vec<&str> = curves.subjects.iter().map(|subject| subject.name.as_str()).collect();
    let sample = |painter: &Painter, index: usize, at: Pos2| {
        let colour = curves.subjects[index].colour;
        painter.hline(at.x..=at.x + 18.0, at.y, Stroke::new(1.75, colour));
        painter.circle_filled(at + vec2(9.0, 0.0), 3.5, colour);
    };
    let place = (left, full.right() - space::L, y);
    let right = legend::names(ui, "subjects", &names, place, &sample, palette.weak);
    let painter = ui.painter();
    let hint = painter.layout_no_wrap(curves.hint.to_owned(), theme::font(text::SMALL), palette.weak);
    if left + hint.size().x + space::M <= right {
        painter.galley(pos2(left, y - hint.size().y / 2.0), hint, palette.weak);
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
        let curves = Curves { subjects: &[], x: "p", y: "e", logarithmic: true, nothing: "", hint: "" };
        let x = |count: f64| plotted(&curves, [count, 0.5])[0];
        assert_eq!(x(4.0) - x(2.0), x(16.0) - x(8.0));
        assert_eq!(plotted(&Curves { logarithmic: false, ..curves }, [3.0, 0.5]), [3.0, 0.5]);
    }
}
