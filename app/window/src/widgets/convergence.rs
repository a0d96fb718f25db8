//! Convergence: best, mean and worst against time or steps, several runs over each other, known values as lines.

use egui::{Color32, Id, Rect, Stroke, Ui, WidgetInfo, pos2, vec2};
use egui_plot::{AxisHints, GridMark, HLine, HoverPosition, Line, LineStyle, Plot, PlotPoint, PlotPoints};
use gridwright_core::numbers::{compact, counted, duration, figure, significant};
use gridwright_core::scene::axis::tick_text;
use gridwright_core::search::CurvePoint;

use super::chart::{self, Ticks};
use super::legend::list;
use crate::theme::{self, palette, text};

pub(crate) struct Curve<'a> {
    /// Name, unique among the curves.
    pub name: String,
    /// Colour.
    pub colour: Color32,
    /// Points, oldest first.
    pub points: &'a [CurvePoint],
    /// True if mean and worst are shown, too, and the line is stronger.
    pub chosen: bool,
}

/// A plotted quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    /// Name with unit.
    pub name: &'static str,
    /// Explanation in a sentence.
    pub help: &'static str,
}

/// A value that is known.
pub struct Reference {
    /// Name.
    pub name: String,
    /// Value on the shown scale.
    pub value: f64,
    /// Source of the value, for the tooltip of its name; empty if there is none to tell.
    pub source: String,
}

/// Options of the chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Against steps instead of seconds.
    pub steps: bool,
    /// Logarithmic instead of linear values.
    pub logarithmic: bool,
}

/// Points of a curve as they are plotted: at most this many.
const POINTS: usize = 600;

/// Relation between shown values and places along the axis of values.
#[derive(Debug, Clone, Copy)]
struct Scale {
    logarithmic: bool,
    /// Place of values that have no logarithm: a decade below the least one that is shown.
    floor: f64,
}

/// Values below have no place of their own on a logarithmic axis.
const LEAST: f64 = 1e-9;

impl Scale {
    /// The scale of these curves, whose values are multiplied by `factor`, and references.
    fn of(curves: &[Curve<'_>], references: &[Reference], look: Look, factor: f64) -> Self {
        let points = curves.iter().flat_map(|curve| curve.points);
        let shown = points.flat_map(|point| [point.best, point.mean, point.worst]).map(|raw| raw * factor);
        let values = shown.chain(references.iter().map(|reference| reference.value));
        let least = values.filter(|value| *value >= LEAST).fold(f64::INFINITY, f64::min);
        let floor = if least.is_finite() { least.log10().floor() - 1.0 } else { 0.0 };
        Self { logarithmic: look.logarithmic, floor }
    }

    fn place(self, value: f64) -> f64 {
        match self.logarithmic {
            true if value < LEAST => self.floor,
            true => value.log10(),
            false => value,
        }
    }

    fn value(self, place: f64) -> f64 {
        match self.logarithmic {
            true if place <= self.floor => 0.0,
            true => 10_f64.powf(place),
            false => place,
        }
    }

    /// Label of a tick.
    fn words(self, mark: GridMark) -> String {
        if self.logarithmic { figure(self.value(mark.value), 9) } else { tick_text(mark.value, mark.step_size) }
    }

    /// Ticks of the axis.
    fn marks(self, (low, high): (f64, f64)) -> Vec<GridMark> {
        if !self.logarithmic {
            return marks((low, high), 5, &|mark| self.words(mark));
        }
        let zero = (low <= self.floor).then_some(GridMark { value: self.floor, step_size: 1.0 });
        let low = if zero.is_some() { self.floor + 0.5 } else { low };
        zero.into_iter().chain(logarithmic_marks((low, high))).collect()
    }
}

/// Shows curves in all the room there is. `quantity` says what is plotted; `factor` turns the curve's unit
/// into what is shown.
pub(crate) fn show(
    ui: &mut Ui, quantity: Quantity, curves: &[Curve<'_>], references: &[Reference], look: Look, factor: f64,
) {
    let palette = palette(ui.visuals());
    let scale = Scale::of(curves, references, look, factor);
    let value = move |raw: f64| scale.place(raw * factor);
    let x = move |point: &CurvePoint| if look.steps { point.step as f64 } else { point.seconds };
    let places: Vec<f64> = references.iter().map(|reference| scale.place(reference.value)).collect();
    let Some(bounds) = bounds(curves, &places, &x, &value, look) else { return };
    // A point of a curve close to the heading must not keep its help from being shown: the first tooltip wins.
    let heading = ui.scope_id().with("quantity");
    let sources = (0..references.len()).map(|index| reference_id(ui, index));
    let is_on_heading = std::iter::once(heading)
        .chain(sources)
        .any(|id| ui.ctx().read_response(id).is_some_and(|before| before.contains_pointer()));
    let axis_font = theme::font(text::TINY);
    let x_axis = AxisHints::new_x()
        .formatter(move |mark: GridMark, _: &_| x_label(mark.value, look.steps))
        .label_spacing(20.0..=30.0)
        .tick_label_font(axis_font.clone())
        .tick_label_color(palette.weak);
    let y_axis = AxisHints::new_y()
        .formatter(move |mark: GridMark, _: &_| scale.words(mark))
        .label_spacing(8.0..=12.0)
        .tick_label_font(axis_font)
        .tick_label_color(palette.weak)
        .min_thickness(44.0);
    let plot = chart::still(Plot::new(("convergence", look.steps, look.logarithmic)), palette)
        .custom_x_axes(vec![x_axis])
        .custom_y_axes(vec![y_axis])
        .grid_spacing(6.0..=60.0)
        .x_grid_spacer(move |input| marks(input.bounds, 6, &|mark| x_label(mark.value, look.steps)))
        .y_grid_spacer(move |input| scale.marks(input.bounds))
        .cursor_color(palette.faint)
        .label_formatter(move |position: &HoverPosition<'_>| {
            let back = |place: f64| scale.value(place);
            if is_on_heading { None } else { hover_text(position, quantity.name, look, back) }
        });
    let shown = plot.show(ui, |plot| {
        plot.set_plot_bounds_x(bounds.0[0]..=bounds.0[1]);
        plot.set_plot_bounds_y(bounds.1[0]..=bounds.1[1]);
        for (reference, &at) in references.iter().zip(&places) {
            let line = HLine::new(reference.name.clone(), at).stroke(egui::Stroke::new(1.0, palette.weak));
            plot.hline(line.style(LineStyle::dashed_dense()).allow_hover(false));
        }
        for curve in curves.iter().filter(|curve| !curve.chosen).chain(curves.iter().filter(|curve| curve.chosen)) {
            let mut line = |name: &str, of: &dyn Fn(&CurvePoint) -> f64, width: f32, strength: f32| {
                let every = curve.points.len().div_ceil(POINTS).max(1);
                let thinned = curve.points.iter().enumerate();
                let last = curve.points.len().saturating_sub(1);
                let points: Vec<[f64; 2]> = thinned
                    .filter(|(index, _)| index % every == 0 || *index == last)
                    .map(|(_, point)| [x(point), value(of(point))])
                    .collect();
                let colour = curve.colour.gamma_multiply(strength);
                plot.line(
                    Line::new(format!("{}, {name}", curve.name), PlotPoints::from(points)).color(colour).width(width),
                );
            };
            if curve.chosen {
                line("worst", &|point| point.worst, 1.0, 0.3);
                line("mean", &|point| point.mean, 1.0, 0.6);
                line("best", &|point| point.best, 2.2, 1.0);
            } else {
                line("best", &|point| point.best, 1.2, 0.75);
            }
        }
    });
    let heights: Vec<f32> = places.iter().map(|&place| shown.transform.position_from_point_y(place)).collect();
    let frame = *shown.transform.frame();
    reference_labels(ui, frame, references, &heights);
    legend(ui, frame, quantity, heading, curves);
    shown.response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, summary(quantity.name, curves, factor)));
}

/// Describes the whole chart.
fn summary(quantity: &str, curves: &[Curve<'_>], scale: f64) -> String {
    let last = |curve: &Curve<'_>| curve.points.last().map(|point| (point.best * scale, point.seconds));
    let parts = curves.iter().filter_map(|curve| {
        last(curve).map(|(best, time)| format!("{} {} after {}", curve.name, value_text(best), duration(time)))
    });
    format!("Convergence, {}: {}", quantity.to_lowercase(), parts.collect::<Vec<_>>().join(", "))
}

/// Identifier of the name of a known value in the chart.
fn reference_id(ui: &Ui, index: usize) -> egui::Id {
    ui.scope_id().with(("reference", index))
}

/// Names of known values at the left end of their lines, where falling curves leave room; above each other where the lines
/// are close.
fn reference_labels(ui: &Ui, frame: Rect, references: &[Reference], heights: &[f32]) {
    let palette = palette(ui.visuals());
    let painter = ui.painter().with_clip_rect(frame);
    let font = theme::font(text::SMALL);
    let mut taken: Vec<Rect> = Vec::new();
    for (index, (reference, &height)) in references.iter().zip(heights).enumerate() {
        let words = format!("{} {}", reference.name, value_text(reference.value));
        let galley = painter.layout_no_wrap(words, font.clone(), palette.weak);
        let size = galley.size() + vec2(8.0, 2.0);
        let at = |top: f32| Rect::from_min_size(pos2(frame.left() + 4.0, top), size);
        let places = [height - size.y - 1.0, height + 1.0, height - 2.0 * size.y - 2.0, height + size.y + 2.0];
        let free = |rect: &Rect| frame.contains_rect(*rect) && taken.iter().all(|other| !other.intersects(*rect));
        let rect = places.map(at).into_iter().find(free).unwrap_or_else(|| at(height - size.y - 1.0));
        painter.rect_filled(rect, 3.0, palette.panel.gamma_multiply(0.85));
        painter.galley(rect.center() - galley.size() / 2.0, galley, palette.weak);
        if !reference.source.is_empty() {
            let name = ui.interact(rect.intersect(frame), reference_id(ui, index), egui::Sense::hover());
            name.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &reference.name));
            name.on_hover_text(format!("{} {}: {}", reference.name, value_text(reference.value), reference.source));
        }
        taken.push(rect);
    }
}

/// Writes the quantity and the names of the runs at the top right, where falling curves leave room; `id` is the heading's. Names
/// that have no room are in a list, which opens on a click.
fn legend(ui: &Ui, frame: Rect, quantity: Quantity, id: Id, curves: &[Curve<'_>]) {
    const STEP: f32 = 13.0;
    let palette = palette(ui.visuals());
    let painter = ui.painter().with_clip_rect(frame);
    let lines = lines(curves);
    let laid = |words: &str| painter.layout_no_wrap(words.to_owned(), theme::font(text::TINY), palette.weak);
    let heading = laid(quantity.name);
    let top = frame.top() + 2.0;
    let room = heading.size() + vec2(12.0, 4.0);
    if room.x > frame.width() - 8.0 || room.y > frame.height() - 4.0 {
        return;
    }
    let rect = Rect::from_min_size(pos2(frame.right() - room.x - 2.0, top), room);
    painter.rect_filled(rect, 4.0, palette.panel.gamma_multiply(0.85));
    painter.galley(pos2(rect.left() + 6.0, top + 3.0), heading, palette.weak);
    let help = ui.interact(rect, id, egui::Sense::hover());
    help.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, quantity.name));
    help.on_hover_text(format!("{}\n{}", quantity.name, quantity.help));
    // A chart that is too low for all of it shows what fits.
    let below = top + STEP + 3.0;
    let fit = ((frame.bottom() - below - 6.0) / STEP).floor().max(0.0) as usize;
    let chosen = lines.iter().filter(|line| line.is_chosen).count();
    let most = chosen + NAMED;
    let named = if lines.len() <= fit.min(most) { lines.len() } else { fit.saturating_sub(1).min(most) };
    let widest = |named: usize| lines[..named].iter().map(|line| laid(&line.name).size().x).fold(0.0, f32::max) + 22.0;
    let named = if frame.width() < widest(named) * 2.5 { 0 } else { named };
    let hidden = lines.len() - named;
    let more = laid(&if named > 0 { format!("and {hidden} more") } else { counted(hidden as u64, "line") });
    let rows = named + usize::from(hidden > 0);
    if lines.is_empty() {
        return;
    }
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    let key = |painter: &egui::Painter, index: usize, at: egui::Pos2| {
        painter.hline(at.x..=at.x + 16.0, at.y, Stroke::new(lines[index].width, lines[index].colour));
    };
    if fit == 0 {
        return list(ui, quantity.name, rect, &names, &key);
    }
    let width = if named > 0 { widest(named).max(more.size().x) } else { more.size().x };
    let size = vec2(width + 12.0, rows as f32 * STEP + 3.0);
    let rect = Rect::from_min_size(pos2(frame.right() - size.x - 2.0, below), size);
    painter.rect_filled(rect, 4.0, palette.panel.gamma_multiply(0.85));
    let row = |index: usize| pos2(rect.left() + 6.0, rect.top() + STEP * (index as f32 + 0.5));
    for (index, name) in names.iter().take(named).enumerate() {
        let galley = laid(name);
        key(&painter, index, row(index));
        painter.galley(row(index) + vec2(22.0, -galley.size().y / 2.0), galley, palette.weak);
    }
    if hidden > 0 {
        let place = Rect::from_center_size(pos2(rect.center().x, row(named).y), vec2(rect.width(), STEP));
        painter.galley(row(named) - vec2(0.0, more.size().y / 2.0), more, palette.weak);
        list(ui, quantity.name, place, &names, &key);
    }
}

/// Number of curves that are named besides the chosen ones.
const NAMED: usize = 5;

/// A line of the chart in its legend.
struct Named {
    name: String,
    colour: Color32,
    width: f32,
    is_chosen: bool,
}

/// The lines of all curves, those of the chosen ones first.
fn lines(curves: &[Curve<'_>]) -> Vec<Named> {
    let mut lines = Vec::new();
    for curve in curves.iter().filter(|curve| curve.chosen) {
        for (what, width, strength) in [("best", 2.2, 1.0), ("mean", 1.0, 0.6), ("worst", 1.0, 0.3)] {
            let (name, colour) = (format!("{}, {what}", curve.name), curve.colour.gamma_multiply(strength));
            lines.push(Named { name, colour, width, is_chosen: true });
        }
    }
    lines.extend(curves.iter().filter(|curve| !curve.chosen).map(|curve| {
        let colour = curve.colour.gamma_multiply(0.75);
        Named { name: curve.name.clone(), colour, width: 1.2, is_chosen: false }
    }));
    lines
}

/// A value of the quantity: whole numbers, such as makespans, without decimals («7»), others as «10.03».
fn value_text(value: f64) -> String {
    // Values that come back from a logarithmic axis are rounded.
    let is_whole = (value - value.round()).abs() <= 1e-9 * value.abs().max(1.0);
    if is_whole { figure(value, 0) } else { significant(value) }
}

/// About `count` ticks of an axis whose labels are `words`.
fn marks((low, high): (f64, f64), count: usize, words: &dyn Fn(GridMark) -> String) -> Vec<GridMark> {
    chart::marks(Ticks::Round, (low, high), (high - low).max(1e-9) / count as f64, words)
}

/// At most eight ticks of an axis of common logarithms: at 1, 2 and 5 times powers of ten; at powers of ten alone, or at
/// every n-th power, where the range is wide; evenly spaced where it is narrow.
fn logarithmic_marks((low, high): (f64, f64)) -> Vec<GridMark> {
    const MOST: usize = 8;
    let step_size = (high - low) / 4.0;
    let at = |every: usize, factors: &[f64]| -> Vec<GridMark> {
        let powers = (low.floor() as i64..=high.ceil() as i64).filter(|power| power % every as i64 == 0);
        let values = powers.flat_map(|power| factors.iter().map(move |factor| factor.log10() + power as f64));
        let there = values.filter(|value| (low..=high).contains(value));
        there.map(|value| GridMark { value, step_size }).collect()
    };
    let marks = at(1, &[1.0, 2.0, 5.0]);
    if marks.len() > MOST {
        let every = (1..).find(|&every| at(every, &[1.0]).len() <= MOST);
        return at(every.unwrap_or(1), &[1.0]);
    }
    if marks.len() >= 3 {
        return marks;
    }
    let shown = (10_f64.powf(low), 10_f64.powf(high));
    let even = self::marks(shown, 6, &|mark| tick_text(mark.value, mark.step_size)).into_iter();
    even.filter(|mark| mark.value > 0.0).map(|mark| GridMark { value: mark.value.log10(), step_size }).collect()
}

/// The visible part: all of the time; values without the first moments, which would flatten everything else.
fn bounds(
    curves: &[Curve<'_>], references: &[f64], x: &dyn Fn(&CurvePoint) -> f64, value: &dyn Fn(f64) -> f64, look: Look,
) -> Option<([f64; 2], [f64; 2])> {
    let right = curves.iter().filter_map(|curve| curve.points.last()).map(x).fold(0.0, f64::max);
    let left = if look.steps {
        0.0
    } else {
        curves.iter().filter_map(|curve| curve.points.first()).map(x).fold(right, f64::min)
    };
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for curve in curves {
        let skip = (curve.points.len() / 12).min(curve.points.len().saturating_sub(2));
        for (index, point) in curve.points.iter().enumerate() {
            low = low.min(value(point.best));
            if index >= skip {
                high = high.max(value(if curve.chosen { point.mean } else { point.best }));
            }
        }
    }
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    for reference in references {
        (low, high) = (low.min(*reference), high.max(*reference));
    }
    let room = ((high - low) * 0.08).max(low.abs() * 1e-3);
    // A curve that is 0 from the beginning to the end.
    let room = if room == 0.0 { 1.0 } else { room };
    let width = (right - left).max(1e-3);
    Some(([left, left + width * 1.02], [low - room, high + room]))
}

fn hover_text(position: &HoverPosition<'_>, quantity: &str, look: Look, back: impl Fn(f64) -> f64) -> Option<String> {
    let text = |name: &str, point: &PlotPoint| {
        let place = x_label(point.x, look.steps);
        let when = if look.steps { format!("in step {place}") } else { format!("after {place}") };
        format!("{name}\n{quantity} {} {when}", value_text(back(point.y)))
    };
    match position {
        HoverPosition::NearDataPoint { plot_name, position, .. } => Some(text(plot_name, position)),
        HoverPosition::Elsewhere { .. } => None,
    }
}

fn x_label(value: f64, steps: bool) -> String {
    if steps { compact(value) } else { duration(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heading_explains_itself_where_a_curve_is_close_to_it() {
        use egui_kittest::Harness;
        use egui_kittest::kittest::Queryable;
        const QUANTITY: Quantity = Quantity { name: "Cost", help: "What is paid" };
        let point = |step: u64| CurvePoint { seconds: step as f64, step, best: 1.0, mean: 10.0, worst: 10.0 };
        let points: Vec<CurvePoint> = (0..=100).map(point).collect();
        let mut harness = Harness::builder().with_size(vec2(400.0, 120.0)).build_ui(|ui| {
            let curves = [Curve { name: "Run 1".to_owned(), colour: Color32::RED, points: &points, chosen: true }];
            show(ui, QUANTITY, &curves, &[], Look::default(), 1.0);
        });
        harness.get_by_label("Cost").hover();
        harness.run_steps(8);
        assert!(harness.query_by_label_contains("What is paid").is_some());
        // Off the heading the points of the curve are told as before.
        let heading = harness.get_by_label("Cost").rect();
        harness.hover_at(heading.left_center() - vec2(12.0, 0.0));
        harness.run_steps(8);
        assert!(harness.query_by_label_contains("What is paid").is_none());
        assert!(harness.query_by_label_contains("Cost 10 after").is_some());
    }

    #[test]
    fn whole_values_have_no_decimals() {
        for (value, text) in [(7.0, "7"), (0.0, "0"), (157.0, "157"), (10_f64.powf(8_f64.log10()), "8")] {
            assert_eq!(value_text(value), text);
        }
        for (value, text) in [(157.0327, "157.0"), (10.0337, "10.03"), (0.125, "0.125"), (1e-6, "0.000")] {
            assert_eq!(value_text(value), text);
        }
    }

    #[test]
    fn ticks_are_round() {
        let values = |marks: Vec<GridMark>| marks.iter().map(|mark| mark.value).collect::<Vec<_>>();
        let linear = Scale { logarithmic: false, floor: 0.0 };
        assert_eq!(values(linear.marks((12.1, 20.9))), [14.0, 16.0, 18.0, 20.0]);
        assert_eq!(values(logarithmic_marks((-0.7, 7.3))), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(values(logarithmic_marks((-1.0, 13.5))), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        let shown = values(logarithmic_marks((1.05, 1.35))).iter().map(|v| 10_f64.powf(*v).round()).collect::<Vec<_>>();
        assert_eq!(shown, [12.0, 14.0, 16.0, 18.0, 20.0, 22.0]);
    }

    fn words(scale: Scale, bounds: (f64, f64)) -> Vec<String> {
        scale.marks(bounds).into_iter().map(|mark| scale.words(mark)).collect()
    }

    #[test]
    fn no_label_is_repeated() {
        let scale = |logarithmic| Scale { logarithmic, floor: -10.0 };
        assert_eq!(words(scale(false), (-1e-6, 1e-6)), ["−0.000001", "−0.0000005", "0", "0.0000005", "0.000001"]);
        for (low, high) in
            [(0.0_f64, 1e-7_f64), (1000.1, 1001.0), (2237.6, 2239.4), (1e-9, 1.0), (5.0, 5e7), (0.0, 3.0)]
        {
            for (logarithmic, ends) in [(false, (low, high)), (true, (low.max(1e-9).log10(), high.log10()))] {
                let words = words(scale(logarithmic), ends);
                let mut distinct = words.clone();
                distinct.dedup();
                assert!(words.len() > 1 && words == distinct, "{low} to {high}: {words:?}");
            }
        }
    }

    #[test]
    fn zero_has_its_place_below_the_least_value_of_a_logarithmic_axis() {
        let point = |best: f64| CurvePoint { seconds: 0.0, step: 0, best, mean: 400.0, worst: 400.0 };
        let points = [400.0, 3.0, 0.0].map(point);
        let curves = [Curve { name: "a".to_owned(), colour: Color32::RED, points: &points, chosen: true }];
        let look = Look { logarithmic: true, ..Look::default() };
        let scale = Scale::of(&curves, &[], look, 1.0);
        assert_eq!((scale.place(0.0), scale.value(scale.place(0.0))), (-1.0, 0.0));
        let (_, [low, high]) = bounds(&curves, &[], &|p| p.seconds, &|v| scale.place(v), look).unwrap();
        assert_eq!(words(scale, (low, high)), ["0", "1", "10", "100"]);
        // All values are 0.
        let (none, look) = ([point(0.0)], Look { logarithmic: false, ..look });
        let points = none.map(|point| CurvePoint { mean: 0.0, worst: 0.0, ..point });
        let curves = [Curve { name: "a".to_owned(), colour: Color32::RED, points: &points, chosen: true }];
        let (_, ends) = bounds(&curves, &[], &|p| p.seconds, &|v| v, look).unwrap();
        assert_eq!(ends, [-1.0, 1.0]);
    }

    #[test]
    fn the_first_moments_do_not_flatten_the_rest() {
        let point = |index: usize| {
            let best = if index < 3 { 1e6 } else { 100.0 - index as f64 / 10.0 };
            CurvePoint { seconds: index as f64, step: index as u64, best, mean: best, worst: best }
        };
        let points: Vec<CurvePoint> = (0..100).map(point).collect();
        let curves = [Curve { name: "a".to_owned(), colour: Color32::RED, points: &points, chosen: true }];
        let (_, [low, high]) = bounds(&curves, &[], &|p| p.seconds, &|v| v, Look::default()).unwrap();
        assert!(low > 85.0 && low < 90.2 && high < 110.0, "{low} {high}");
    }
}
