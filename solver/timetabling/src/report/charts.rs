//! Charts of a report: load per period as bars, convergence as curves.

use crate::Instance;
use crate::counts::{TimetableStatistics, days, grouped};
use crate::drawing::Palette;
use gridwright_core::numbers;
use gridwright_core::scene::axis::{round_step, tick_text};
use gridwright_core::scene::{Anchor, Area, Colour, Scene, Shape};
use gridwright_core::search::CurvePoint;

use super::page::SMALL;

/// Width of the axis labels in points.
const AXIS: f32 = 40.0;
const FOOT: f32 = 26.0;

/// Colour of bars and of the curve of the best cost.
const BLUE: Colour = Colour::hex(0x2457C5);
const PALE: Colour = Colour::hex(0x7FA3D6);

/// Draws students per period as bars, with lines at the seats, if known, and dates under the periods.
pub(crate) fn loads(scene: &mut Scene, area: Area, instance: &Instance, counts: &TimetableStatistics) {
    let palette = Palette::LIGHT;
    let seats = instance.periods.iter().filter_map(|period| period.seats);
    let highest = counts.loads.iter().map(|load| load.students).chain(seats).max().unwrap_or(0).max(1);
    let plot = Area::new(area.x + AXIS, area.y + 6.0, area.width - AXIS, area.height - FOOT - 6.0);
    let top = axis(scene, &plot, [0.0, f64::from(highest)], 1.0);
    let y = |value: f64| plot.bottom() - (value / top) as f32 * plot.height;
    let width = plot.width / counts.loads.len().max(1) as f32;
    let every = (14.0 / width).ceil().max(1.0) as usize;
    for (period, load) in counts.loads.iter().enumerate() {
        let (x, inset) = (plot.x + period as f32 * width, (width * 0.14).min(5.0));
        let seats = instance.periods.get(period).and_then(|period| period.seats);
        let over = seats.is_some_and(|seats| load.students > seats);
        let (colour, end) = (if over { palette.alarm } else { PALE }, y(f64::from(load.students)));
        let bar = Area::new(x + inset, end, width - 2.0 * inset, plot.bottom() - end);
        let what = format!("{}: {} students", instance.period_label(period), grouped(u64::from(load.students)));
        scene.titled_rectangle(bar, 0.0, colour, what);
        if let Some(seats) = seats {
            let at = y(f64::from(seats));
            scene.line((x + 0.5, at), (x + width - 0.5, at), 1.0, palette.muted);
        }
        if period % every == 0 {
            let (at, number) = ((x + width / 2.0, plot.bottom() + 10.0), (period + 1).to_string());
            scene.text(at, 7.0, palette.muted, Anchor::Middle, number);
        }
    }
    day_marks(scene, &plot, instance, width);
}

/// Draws lines between days, and the date under the first period of each day where it fits.
fn day_marks(scene: &mut Scene, plot: &Area, instance: &Instance, width: f32) {
    let Some(days) = days(instance) else { return };
    let palette = Palette::LIGHT;
    let mut free = plot.x;
    for (period, data) in instance.periods.iter().enumerate() {
        if period > 0 && days[period] == days[period - 1] {
            continue;
        }
        let x = plot.x + period as f32 * width;
        scene.line((x, plot.bottom()), (x, plot.bottom() + 22.0), 0.6, palette.bar);
        let Some(text) = data.date.map(|date| date.format("%-d %b").to_string()) else { continue };
        if x >= free {
            scene.text((x + 2.5, plot.bottom() + 21.0), 7.0, palette.muted, Anchor::Start, text);
            free = x + 30.0;
        }
    }
}

/// Draws the best cost over the seconds of the run, and the mean of the population or chains above it.
pub(super) fn convergence(scene: &mut Scene, area: Area, instance: &Instance, curve: &[CurvePoint]) {
    let palette = Palette::LIGHT;
    let is_per_student = instance.objective.is_per_student();
    let shown = |raw: f64| if is_per_student { raw / f64::from(instance.divisor) } else { raw };
    let plot = Area::new(area.x + AXIS, area.y + 6.0, area.width - AXIS, area.height - FOOT - 6.0);
    let Some(last) = curve.last() else { return };
    // The first moments of a run would flatten the rest.
    let settled = curve.iter().find(|point| point.seconds >= last.seconds * 0.02).unwrap_or(last);
    let low = shown(last.best);
    let high = shown(settled.mean.max(settled.best)).max(low);
    let pad = ((high - low) * 0.08).max(low.abs() * 0.002).max(1e-3);
    let (low, high) = ((low - pad).max(0.0), high + pad);
    let top = axis(scene, &plot, [low, high], 0.0);
    let span = last.seconds.max(1e-9);
    let place = |seconds: f64, cost: f64| {
        let share = ((cost - low) / (top - low)).clamp(0.0, 1.0) as f32;
        (plot.x + (seconds / span) as f32 * plot.width, plot.bottom() - share * plot.height)
    };
    for (colour, width, of) in [
        (PALE, 0.9, (|point: &CurvePoint| point.mean) as fn(&CurvePoint) -> f64),
        (BLUE, 1.4, |point: &CurvePoint| point.best),
    ] {
        let points = thinned(curve, plot.width).map(|point| place(point.seconds, shown(of(point)))).collect();
        scene.shapes.push(Shape::Line { points, width, colour });
    }
    for tick in 0..=4 {
        let seconds = span * f64::from(tick) / 4.0;
        let anchor = match tick {
            0 => Anchor::Start,
            4 => Anchor::End,
            _ => Anchor::Middle,
        };
        let (x, _) = place(seconds, low);
        let text = format!("{} s", tick_text(seconds, span / 4.0));
        scene.text((x, plot.bottom() + 11.0), 7.0, palette.muted, anchor, text);
    }
    let base = plot.bottom() + 23.0;
    scene.rectangle(plot.x, base - 3.2, 12.0, 1.6, BLUE);
    let end = if is_per_student { numbers::cost(shown(last.best)) } else { numbers::quantity(shown(last.best)) };
    let best = format!("best, {end} at the end");
    scene.text((plot.x + 16.0, base), SMALL, palette.muted, Anchor::Start, best);
    scene.rectangle(plot.x + 150.0, base - 3.0, 12.0, 1.2, PALE);
    scene.text((plot.x + 166.0, base), SMALL, palette.muted, Anchor::Start, "mean of what is searched at once");
}

/// Thins a curve to at most two samples per point of width, including the first and the last.
fn thinned(curve: &[CurvePoint], width: f32) -> impl Iterator<Item = &CurvePoint> {
    let every = curve.len().div_ceil((2.0 * width) as usize).max(1);
    curve.iter().enumerate().filter(move |(at, _)| at % every == 0 || *at + 1 == curve.len()).map(|(_, point)| point)
}

/// Draws grid lines with labels at round values from `low` to `high`, at least `least` apart; returns the value at the top of
/// the axis.
fn axis(scene: &mut Scene, plot: &Area, [low, high]: [f64; 2], least: f64) -> f64 {
    let palette = Palette::LIGHT;
    let step = round_step(((high - low) / 4.0).max(least));
    // An axis from 0 ends at a grid line, so that no bar exceeds the last one.
    let top = if low == 0.0 { (high / step).ceil() * step } else { high };
    let mut tick = (low / step).ceil() * step;
    while tick <= top + step * 1e-6 {
        let y = plot.bottom() - ((tick - low) / (top - low)) as f32 * plot.height;
        scene.line((plot.x, y), (plot.right(), y), 0.5, palette.line);
        scene.text((plot.x - 5.0, y + 2.4), 7.0, palette.muted, Anchor::End, tick_text(tick, step));
        tick += step;
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_curve_keeps_its_ends() {
        let point = |at: usize| CurvePoint { seconds: at as f64, step: at as u64, best: 1.0, mean: 1.0, worst: 1.0 };
        for count in [1, 7, 5000] {
            let curve: Vec<CurvePoint> = (0..count).map(point).collect();
            let thin: Vec<f64> = thinned(&curve, 450.0).map(|point| point.seconds).collect();
            assert_eq!((thin.first(), thin.last()), (Some(&0.0), Some(&(count as f64 - 1.0))));
            assert!(thin.len() <= 902, "{}", thin.len());
        }
    }
}
