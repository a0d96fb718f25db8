//! Charts with two axes: frame, ticks, names of the axes, curves, marks and legend.

use super::axis::{round_step, tick_text};
use super::fonts::{elide, text_width, wrapped};
use super::palette::{Palette, category};
use super::{Anchor, Area, Colour, Scene, Shape};
use crate::numbers::compact;

/// Font size of ticks, names of axes and legends.
const SIZE: f32 = 9.0;

/// Number of different colours of curves.
const SERIES: usize = 32;

/// An axis: its name with the unit, and the range that is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Name, with the unit.
    pub name: String,
    /// Value at the beginning.
    pub from: f64,
    /// Value at the end; equal to `from` for an axis without a scale.
    pub to: f64,
    /// True for a logarithmic scale; both ends are then above 0.
    pub is_logarithmic: bool,
}

impl Axis {
    /// Linear axis that contains all finite values, with a small margin; from 0 to 1 if there are none.
    pub fn around(name: impl Into<String>, values: impl Iterator<Item = f64>) -> Self {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let margin = if high > low { (high - low) * 0.05 } else { (low.abs() * 0.05).max(0.5) };
        Self { name: name.into(), from: low - margin, to: high + margin, is_logarithmic: false }
    }

    /// Logarithmic axis from the power of ten below the smallest value above 0 to the one above the largest.
    pub fn logarithmic(name: impl Into<String>, values: impl Iterator<Item = f64>) -> Self {
        let positive = values.filter(|value| value.is_finite() && *value > 0.0);
        let (low, high) =
            positive.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (1.0, 10.0) } else { (low, high) };
        let from = 10_f64.powf(low.log10().floor());
        let to = 10_f64.powf(high.log10().ceil()).max(from * 10.0);
        Self { name: name.into(), from, to, is_logarithmic: true }
    }

    /// Position of a value, 0 at the beginning and 1 at the end of the axis; values outside are moved to its ends.
    fn share(&self, value: f64) -> f32 {
        if self.from >= self.to {
            return 0.0;
        }
        let scale = |value: f64| if self.is_logarithmic { value.max(self.from).log10() } else { value };
        let (from, to) = (scale(self.from), scale(self.to));
        (((scale(value) - from) / (to - from)).clamp(0.0, 1.0)) as f32
    }

    /// Ticks with their labels, at most about `most`.
    fn ticks(&self, most: f32) -> Vec<(f64, String)> {
        if self.is_logarithmic {
            let (from, to) = (self.from.log10().round() as i32, self.to.log10().round() as i32);
            let step = (((to - from) as f32 / most.max(1.0)).ceil() as usize).max(1);
            let tick = |power: i32| (10_f64.powi(power), power_text(power));
            return (from..=to).step_by(step).map(tick).collect();
        }
        if self.from >= self.to {
            return Vec::new();
        }
        let step = round_step((self.to - self.from) / f64::from(most.max(1.0)));
        let first = (self.from / step).ceil() as i64;
        let ticks = (first..).map(|number| number as f64 * step).take_while(|tick| *tick <= self.to);
        // Large numbers are shortened where that leaves them different.
        let largest = self.from.abs().max(self.to.abs());
        let text = |tick: f64| match largest >= 1e5 && step >= largest / 50.0 {
            true => compact(tick),
            false => tick_text(tick, step),
        };
        ticks.take(50).map(|tick| (tick, text(tick))).collect()
    }
}

/// A power of ten as a label: 0.01, 1, 100, 10⁶.
fn power_text(power: i32) -> String {
    match power {
        -3..=4 => crate::numbers::figure(10_f64.powi(power), power.min(0).unsigned_abs() as usize),
        _ => {
            let raised = |digit: char| match digit {
                '-' => '⁻',
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                digit => char::from_u32('⁰' as u32 + (digit as u32 - '0' as u32)).unwrap_or(digit),
            };
            format!("10{}", power.to_string().chars().map(raised).collect::<String>())
        }
    }
}

/// Colours of the first curves of a chart, after M. Okabe, K. Ito, «Color Universal Design», 2008, without orange, yellow and
/// black, which are close to vermilion, too faint on paper and like its text.
const CURVES: [u32; 7] = [0x0072B2, 0xD55E00, 0x10A35A, 0xD27FB4, 0x5ABEF5, 0x6A2D9A, 0xB5AC00];

/// Colour of the curve or box with this number before it is fitted to its ground.
fn series(number: usize) -> Colour {
    CURVES.get(number).map_or_else(|| category(number), |&colour| Colour::hex(colour))
}

/// Colour of the curve or box with this number, dark enough for lines on paper.
pub fn series_colour(number: usize) -> Colour {
    if number < CURVES.len() { series(number) } else { series(number).mix(Palette::LIGHT.ink, 0.2) }
}

/// Colour on a dark screen for a colour of a chart, which is made for paper. Colours that charts do not use stay.
pub fn on_dark(colour: Colour) -> Colour {
    let (paper, screen) = (Palette::LIGHT, Palette::DARK);
    let roles = [
        (paper.background, screen.background),
        (paper.panel, screen.panel),
        (paper.stripe, screen.stripe),
        (paper.line, screen.line),
        (paper.ink, screen.ink),
        (paper.muted, screen.muted),
        (paper.bar, screen.bar),
        (paper.alarm, screen.alarm),
        (paper.alarm_edge, screen.alarm_edge),
    ];
    let series = (0..SERIES).map(|number| (series_colour(number), series(number).mix(screen.ink, 0.2)));
    let mut known = roles.into_iter().chain(series);
    let found = known.find(|(paper, _)| paper.with_alpha(colour.alpha) == colour);
    found.map_or(colour, |(_, screen)| screen.with_alpha(colour.alpha))
}

/// A chart in an area of a scene; the area is that of the data, without ticks and names.
pub struct Plot<'a> {
    scene: &'a mut Scene,
    area: Area,
    x: Axis,
    y: Axis,
}

impl<'a> Plot<'a> {
    /// Draws frame, grid, ticks and names of the axes.
    pub fn new(scene: &'a mut Scene, area: Area, title: &str, x: Axis, y: Axis) -> Self {
        let plot = Self { scene, area, x, y };
        plot.draw_axes(title)
    }

    fn draw_axes(mut self, title: &str) -> Self {
        let (area, palette) = (self.area, Palette::LIGHT);
        for (value, label) in self.x.ticks(area.width / 60.0) {
            let x = self.place((value, self.y.from)).0;
            self.scene.line((x, area.y), (x, area.bottom()), 0.5, palette.line);
            self.scene.text((x, area.bottom() + 12.0), SIZE, palette.muted, Anchor::Middle, label);
        }
        for (value, label) in self.y.ticks(area.height / 30.0) {
            let y = self.place((self.x.from, value)).1;
            self.scene.line((area.x, y), (area.right(), y), 0.5, palette.line);
            self.scene.text((area.x - 5.0, y + 3.0), SIZE, palette.muted, Anchor::End, label);
        }
        self.frame(title);
        let name = elide(&self.y.name, SIZE, false, area.height + 40.0);
        self.scene.shapes.push(Shape::Text {
            x: area.x - 50.0,
            y: area.y + area.height / 2.0,
            size: SIZE,
            colour: palette.ink,
            anchor: Anchor::Middle,
            bold: false,
            upright: true,
            text: name,
        });
        let below = (area.x + area.width / 2.0, area.bottom() + 26.0);
        self.scene.text(below, SIZE, palette.ink, Anchor::Middle, self.x.name.clone());
        self
    }

    fn frame(&mut self, title: &str) {
        let (area, muted) = (self.area, Palette::LIGHT.muted);
        self.scene.line((area.x, area.y), (area.x, area.bottom()), 1.0, muted);
        self.scene.line((area.x, area.bottom()), (area.right(), area.bottom()), 1.0, muted);
        let title = elide(title, SIZE + 1.0, true, area.width);
        self.scene.bold_text((area.x, area.y - 6.0), SIZE + 1.0, Palette::LIGHT.ink, Anchor::Start, title);
    }

    /// Place of a value in the scene.
    pub fn place(&self, (x, y): (f64, f64)) -> (f32, f32) {
        let area = self.area;
        (area.x + self.x.share(x) * area.width, area.bottom() - self.y.share(y) * area.height)
    }

    /// Draws a curve through these values.
    pub fn curve(&mut self, values: &[(f64, f64)], width: f32, colour: Colour) {
        let points: Vec<(f32, f32)> =
            values.iter().filter(|value| value.1.is_finite()).map(|&value| self.place(value)).collect();
        if points.len() > 1 {
            self.scene.shapes.push(Shape::Line { points, width, colour });
        }
    }

    /// Draws a curve that keeps each value until the next one.
    pub fn steps(&mut self, values: &[(f64, f64)], width: f32, colour: Colour) {
        let corners = values.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
        let corners: Vec<(f64, f64)> = corners.chain(values.last().copied()).collect();
        self.curve(&corners, width, colour);
    }

    /// Draws a small square with a text that appears when it is pointed at.
    pub fn mark(&mut self, value: (f64, f64), side: f32, colour: Colour, title: impl Into<String>) {
        let (x, y) = self.place(value);
        let area = Area::new(x - side / 2.0, y - side / 2.0, side, side);
        self.scene.titled_rectangle(area, 0.0, colour, title);
    }

    /// Draws a disc, perhaps with an edge, with a text that appears when it is pointed at.
    pub fn dot(
        &mut self, value: (f64, f64), diameter: f32, fill: Colour, stroke: Option<(f32, Colour)>, title: String,
    ) {
        let (x, y) = self.place(value);
        let radius = diameter / 2.0;
        let (x, y, width, height) = (x - radius, y - radius, diameter, diameter);
        self.scene.shapes.push(Shape::Rectangle { x, y, width, height, radius, fill, stroke, title });
    }

    /// Draws the box of five numbers (smallest, lower quartile, median, upper quartile, largest), centred at `x` in the scene.
    pub fn five_number_box(&mut self, x: f32, width: f32, numbers: [f64; 5], colour: Colour, title: impl Into<String>) {
        let ink = Palette::LIGHT.ink;
        let [low, lower, median, upper, high] = numbers.map(|number| self.place((self.x.from, number)).1);
        for (from, to) in [(low, lower), (upper, high)] {
            self.scene.line((x, from), (x, to), 1.0, ink);
            let end = if from == low { low } else { high };
            self.scene.line((x - width / 4.0, end), (x + width / 4.0, end), 1.0, ink);
        }
        let area = Area::new(x - width / 2.0, upper, width, (lower - upper).max(1.0));
        self.scene.titled_rectangle(area, 0.0, colour, title);
        self.scene.line((x - width / 2.0, median), (x + width / 2.0, median), 2.0, ink);
    }
}

/// Draws a legend from `top` down within `width`, as many lines as needed; returns its height.
pub fn legend(scene: &mut Scene, names: &[String], left: f32, top: f32, width: f32) -> f32 {
    const LINE: f32 = 15.0;
    let (mut x, mut y) = (left, top);
    for (number, name) in names.iter().enumerate() {
        let name = elide(name, SIZE, false, width - 20.0);
        let needed = text_width(&name, SIZE, false) + 30.0;
        if x > left && x + needed > left + width {
            x = left;
            y += LINE;
        }
        scene.rectangle(x, y, 9.0, 9.0, series_colour(number));
        scene.text((x + 14.0, y + 8.0), SIZE, Palette::LIGHT.ink, Anchor::Start, name);
        x += needed;
    }
    if names.is_empty() { 0.0 } else { y - top + LINE }
}

/// Draws a text from the base line `top` down, broken at spaces to fit into `width`; returns its height.
pub fn paragraph(scene: &mut Scene, text: &str, left: f32, top: f32, width: f32) -> f32 {
    const LINE: f32 = 13.0;
    let mut y = top;
    for line in wrapped(text, SIZE + 0.5, false, width) {
        scene.text((left, y), SIZE + 0.5, Palette::LIGHT.muted, Anchor::Start, line);
        y += LINE;
    }
    y - top
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_curves_differ_clearly_on_both_grounds() {
        let distance = |a: Colour, b: Colour| {
            let square = |a: u8, b: u8| (f32::from(a) - f32::from(b)).powi(2);
            (square(a.red, b.red) + square(a.green, b.green) + square(a.blue, b.blue)).sqrt()
        };
        for (first, second) in (0..CURVES.len()).flat_map(|first| (0..first).map(move |second| (first, second))) {
            let [a, b] = [first, second].map(series_colour);
            assert!(distance(a, b) > 79.0, "{first} and {second} on paper");
            assert!(distance(on_dark(a), on_dark(b)) > 60.0, "{first} and {second} on a screen");
        }
        let all: Vec<Colour> = (0..SERIES).map(series_colour).collect();
        assert!(all.iter().enumerate().all(|(at, colour)| !all[..at].contains(colour)));
    }

    #[test]
    fn axes_contain_their_values_and_have_round_ticks() {
        let axis = Axis::around("cost", [3.0, 8.0, f64::INFINITY].into_iter());
        assert!(axis.from < 3.0 && axis.to > 8.0 && axis.to < 9.0);
        assert_eq!(axis.ticks(5.0).iter().map(|tick| tick.1.as_str()).collect::<Vec<_>>(), ["4", "6", "8"]);
        let axis = Axis::logarithmic("steps", [0.0, 20.0, 5_000_000.0].into_iter());
        assert_eq!((axis.from, axis.to), (10.0, 1e7));
        assert_eq!(axis.ticks(9.0).first().unwrap().1, "10");
        assert_eq!(axis.ticks(9.0).last().unwrap().1, "10⁷");
        assert!((axis.share(1e4) - 0.5).abs() < 1e-6);
        assert_eq!((axis.share(0.0), axis.share(1e9)), (0.0, 1.0));
        let single = Axis::around("cost", std::iter::once(5.0));
        assert!(single.from < 5.0 && single.to > 5.0);
        let large = Axis::around("cost", [-18e6, -12e6].into_iter());
        assert_eq!(large.ticks(3.0).first().unwrap().1, "−15.0 M");
        let none = Axis::around("cost", std::iter::empty());
        assert!(none.from < 0.0 && none.to > 1.0);
    }
}
