//! Axes, ticks and grids of charts: `egui_plot` in the manner of this program, without interactions of its own.
//!
//! A chart allocates its canvas, lets [`plane`] draw axes and grid into it and paints its marks with the [`Plane`] that it
//! gets back: selection, keyboard and accessibility are those of the canvas. Invariant: no two ticks of an axis have the
//! same label.

use std::rc::Rc;

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Ui, UiBuilder};
use egui_plot::{AxisHints, GridInput, GridMark, Plot, PlotPoint, PlotTransform, PlotUi};
use gridwright_core::scene::axis::round_step;

use crate::theme::{self, Palette, palette, text};

/// Values of an axis that get a grid line and a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ticks {
    /// Multiples of 1, 2 or 5 times a power of ten.
    Round,
    /// Whole multiples of 1, 2 or 5 times a power of ten, for counts.
    Whole,
    /// Whole numbers of items, such as bars: labels without grid lines.
    Items,
    /// None: the axis takes no room.
    None,
}

/// One axis of a chart.
pub struct Axis<'a> {
    /// Name of the quantity with its unit; empty for an axis without a name.
    pub name: &'a str,
    /// Values at the two ends.
    pub range: [f64; 2],
    /// Values with a grid line.
    pub ticks: Ticks,
    /// Least distance of ticks in points.
    pub gap: f64,
    /// Label of a tick.
    pub words: Rc<dyn Fn(f64) -> String + 'a>,
}

/// Relation between values and places of a chart.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    /// The part of the screen between the axes.
    pub area: Rect,
    transform: PlotTransform,
}

impl Plane {
    /// Place of a point; `point` is the value along x and along y.
    pub fn place(&self, [x, y]: [f64; 2]) -> Pos2 {
        self.transform.position_from_point(&PlotPoint::new(x, y))
    }

    /// The nearest of `count` points within `reach` of a place, `point` giving the values of each; `None` if none is so
    /// near.
    pub fn nearest(&self, count: usize, point: impl Fn(usize) -> [f64; 2], reach: f32, to: Pos2) -> Option<usize> {
        let near = (0..count).map(|index| (self.place(point(index)).distance(to), index));
        near.filter(|(away, _)| *away <= reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, index)| index)
    }
}

/// Width of the labels of a y axis, at least, so that charts above each other begin at the same place.
const GUTTER: f32 = 48.0;

/// A plot without background, whose grid has the colour of borders and which neither scrolls nor zooms.
pub(super) fn still<'a>(plot: Plot<'a>, palette: &Palette) -> Plot<'a> {
    plot.show_background(false)
        .grid_color(palette.border)
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
}

/// Draws axes and grid into `rect` and the items that `draw` adds; `salt` distinguishes the plots of one view.
pub fn plane<'a>(
    ui: &mut Ui, salt: &str, rect: Rect, axes: [Axis<'a>; 2], draw: impl FnOnce(&mut PlotUi<'a>) + 'a,
) -> Plane {
    let palette = palette(ui.visuals());
    let [x, y] = axes.each_ref().map(|axis| axis.range);
    let [across, up] = axes.each_ref().map(|axis| {
        let (ticks, gap, words) = (axis.ticks, axis.gap, Rc::clone(&axis.words));
        move |input: GridInput| marks(ticks, input.bounds, input.base_step_size * gap, &|mark| words(mark.value))
    });
    let lines = axes.each_ref().map(|axis| axis.ticks != Ticks::Items);
    let labelled = axes.each_ref().map(|axis| axis.ticks != Ticks::None);
    let hints = |hints: AxisHints<'a>, axis: Axis<'a>| {
        hints
            .label(theme::bold(axis.name).size(text::SMALL).color(palette.text))
            .formatter(move |mark, _| (axis.words)(mark.value))
            .label_spacing(0.0..=1.0)
            .tick_label_font(theme::font(text::SMALL))
            .tick_label_color(palette.weak)
    };
    let [x_axis, y_axis] = axes;
    let plot = still(Plot::new(salt), palette)
        .custom_x_axes(vec![hints(AxisHints::new_x(), x_axis)])
        .custom_y_axes(vec![hints(AxisHints::new_y(), y_axis).min_thickness(GUTTER)])
        .show_axes(labelled)
        .show_grid(lines)
        .grid_fade(0.0)
        .grid_spacing(1.0..=2.0)
        .x_grid_spacer(across)
        .y_grid_spacer(up)
        .sense(egui::Sense::hover())
        .show_crosshair(false)
        .label_formatter(|_| None);
    let shown = ui.scope_builder(UiBuilder::new().max_rect(rect), move |ui| {
        plot.show(ui, move |plot| {
            plot.set_plot_bounds_x(x[0]..=x[1]);
            plot.set_plot_bounds_y(y[0]..=y[1]);
            draw(plot);
        })
    });
    let transform = shown.inner.transform;
    Plane { area: *transform.frame(), transform }
}

/// Ticks within `bounds`, at least `least` apart and so far apart that no two have the same label; `words` is the label of a
/// tick.
pub(super) fn marks(ticks: Ticks, bounds: (f64, f64), least: f64, words: &dyn Fn(GridMark) -> String) -> Vec<GridMark> {
    let least = match ticks {
        Ticks::Round => least,
        Ticks::Whole | Ticks::Items => least.max(1.0),
        Ticks::None => return Vec::new(),
    };
    let mut step = round_step(least);
    loop {
        // Powers of ten are rounded differently by the systems: a tick at an end of the axis is there on all.
        let (first, last) = ((bounds.0 / step - 1e-9).ceil() as i64, (bounds.1 / step + 1e-9).floor() as i64);
        let mark = |number: i64| GridMark { value: number as f64 * step, step_size: step };
        let marks: Vec<GridMark> = (first..=last.min(first.saturating_add(200))).map(mark).collect();
        if marks.windows(2).all(|pair| words(pair[0]) != words(pair[1])) {
            return marks;
        }
        step = round_step(step * 1.5);
    }
}

/// Paints the colours of shares from 0 at the left to 1 at the right.
pub fn ramp(painter: &Painter, rect: Rect, colour: impl Fn(f32) -> Color32) {
    const STEPS: usize = 48;
    let mut mesh = Mesh::default();
    for step in 0..STEPS {
        let x = |step: usize| rect.left() + rect.width() * step as f32 / STEPS as f32;
        let part = Rect::from_x_y_ranges(x(step)..=x(step + 1), rect.y_range());
        mesh.add_colored_rect(part, colour(step as f32 / (STEPS - 1) as f32));
    }
    painter.add(Shape::mesh(mesh));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_ticks_have_the_same_label() {
        let values = |ticks, least, words: &dyn Fn(f64) -> String| -> Vec<f64> {
            marks(ticks, (0.0, 3.0), least, &|mark| words(mark.value)).iter().map(|mark| mark.value).collect()
        };
        let whole = |value: f64| format!("{value:.0}");
        assert_eq!(values(Ticks::Round, 0.2, &whole), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(values(Ticks::Whole, 0.2, &|value| value.to_string()), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(values(Ticks::Round, 0.9, &|value| value.to_string()), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(values(Ticks::None, 0.9, &whole), [0.0; 0]);
        assert_eq!(marks(Ticks::Round, (-0.3, 0.3), 0.2, &|mark| format!("{:.1}", mark.value)).len(), 3);
    }
}
