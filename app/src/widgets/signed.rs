//! A bar above or below a line for each of some things, such as how late jobs are: what lies above is too much, what lies
//! below is to spare.

use egui::emath::GuiRounding;
use egui::{
    Align2, Color32, Mesh, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use gridwright_solver::scene::axis::whole_ticks;

use super::nodes::{self, Part};
use super::painting::{focus_ring, keys, stepped, truncated};
use super::parameters::grouped;
use crate::theme::{self, Palette, palette, space, text};

/// What there is to show.
pub trait Source {
    /// How many bars.
    fn count(&self) -> usize;
    /// How far above the line, below where it is negative.
    fn value(&self, bar: usize) -> i64;
    /// Its name.
    fn name(&self, bar: usize) -> String;
    /// A bar in words.
    fn describe(&self, bar: usize) -> String;
    /// What goes up.
    fn above(&self) -> &str;
    /// What goes down.
    fn below(&self) -> &str;
    /// What the line is.
    fn line(&self) -> &str;
    /// All of it in words.
    fn summary(&self) -> String;
}

/// What a person did.
pub struct Outcome {
    /// The whole of it.
    pub response: Response,
    /// The bar that was clicked or gone to; `None` within for a click beside all.
    pub picked: Option<Option<usize>>,
}

const GUTTER: f32 = 60.0;
const FOOT: f32 = 22.0;
const HEAD: f32 = 18.0;
/// Room for the values of the bars that reach down furthest.
const VALUES: f32 = 14.0;
/// Bars at least this wide have their names below.
const NAMED: f32 = 30.0;
/// Bars at least this wide have their values at their ends.
const VALUED: f32 = 26.0;

/// Where bars lie.
#[derive(Debug, Clone, Copy)]
struct Frame {
    full: Rect,
    area: Rect,
    high: i64,
    low: i64,
    count: usize,
}

impl Frame {
    fn new(source: &dyn Source, full: Rect) -> Self {
        let min = full.min + vec2(GUTTER, HEAD);
        let area = Rect::from_min_max(min, (full.max - vec2(space::S, FOOT + VALUES)).max(min + vec2(16.0, 16.0)));
        let values = || (0..source.count()).map(|bar| source.value(bar));
        // Both sides are always seen.
        let (high, low) = (values().max().unwrap_or(0).max(0), values().min().unwrap_or(0).min(0));
        let least = ((high - low) / 12).max(1);
        Self { full, area, high: high.max(least), low: low.min(-least), count: source.count() }
    }

    fn y(&self, value: i64) -> f32 {
        let share = (self.high - value) as f64 / (self.high - self.low) as f64;
        self.area.top() + (share * f64::from(self.area.height())) as f32
    }

    fn each(&self) -> f32 {
        self.area.width() / self.count.max(1) as f32
    }

    /// The place of a bar over the whole height.
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
pub fn show(ui: &mut Ui, source: &dyn Source, selected: Option<usize>) -> Outcome {
    let palette = palette(ui.visuals());
    let full = ui.available_rect_before_wrap().round_to_pixels(ui.pixels_per_point());
    let response = ui.allocate_rect(full, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, source.summary()));
    let frame = Frame::new(source, full);
    let hovered = response.hover_pos().and_then(|position| frame.at(position));
    let mut picked = response.interact_pointer_pos().filter(|_| response.clicked()).map(|position| {
        response.request_focus();
        frame.at(position)
    });
    let pressed = keys(ui, &response);
    picked = stepped(selected, pressed.right + pressed.down, frame.count).map(Some).or(picked);
    let painter = ui.painter().with_clip_rect(full.intersect(ui.clip_rect()));
    painter.rect_filled(full, 0.0, palette.surface);
    axis(&painter, source, &frame, palette);
    bars(&painter, source, &frame, (selected, hovered), palette);
    focus_ring(ui, &response, full);
    if nodes::wanted(ui, &response) {
        if let Some(bar) = selected.filter(|bar| response.has_focus() && *bar < frame.count) {
            nodes::describe(ui, &response, source.describe(bar));
        }
        let part = |bar: usize| Part {
            key: bar as u64,
            rect: frame.column(bar),
            name: source.describe(bar),
            selected: selected == Some(bar),
        };
        let parts: Vec<Part> = (0..frame.count.min(nodes::MOST)).map(part).collect();
        picked = nodes::add(ui, &response, &parts).map(|key| Some(key as usize)).or(picked);
    }
    if let Some(bar) = hovered {
        response.clone().on_hover_text_at_pointer(source.describe(bar));
    }
    Outcome { response, picked }
}

fn axis(painter: &Painter, source: &dyn Source, frame: &Frame, palette: &Palette) {
    let (area, font) = (frame.area, theme::font(text::SMALL));
    let least = (frame.high - frame.low) as f64 / f64::from(area.height()) * 28.0;
    let up = whole_ticks(0.0, frame.high as f64, least).map(|tick| tick as i64);
    let down = whole_ticks(0.0, -frame.low as f64, least).map(|tick| -(tick as i64));
    for tick in up.chain(down.skip(1)) {
        let y = frame.y(tick).round();
        painter.hline(area.x_range(), y, Stroke::new(1.0, palette.border));
        let words = grouped(tick.abs());
        painter.text(pos2(area.left() - space::S, y), Align2::RIGHT_CENTER, words, font.clone(), palette.weak);
    }
    let small = theme::bold_font(text::SMALL);
    let middle = frame.full.left() + space::XS;
    painter.text(pos2(middle, area.top() - 9.0), Align2::LEFT_CENTER, source.above(), small.clone(), palette.bad);
    painter.text(pos2(middle, frame.full.bottom() - 10.0), Align2::LEFT_CENTER, source.below(), small, palette.good);
}

fn bars(
    painter: &Painter,
    source: &dyn Source,
    frame: &Frame,
    attention: (Option<usize>, Option<usize>),
    palette: &Palette,
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
            let sign = if value > 0 { "+" } else { "" };
            let words = format!("{sign}{}", grouped(value).replace('-', "−"));
            painter.text(at, align, words, theme::bold_font(text::TINY), ink(value, palette));
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

    struct Numbers(Vec<i64>);

    impl Source for Numbers {
        fn count(&self) -> usize {
            self.0.len()
        }
        fn value(&self, bar: usize) -> i64 {
            self.0[bar]
        }
        fn name(&self, bar: usize) -> String {
            bar.to_string()
        }
        fn describe(&self, bar: usize) -> String {
            bar.to_string()
        }
        fn above(&self) -> &'static str {
            "late"
        }
        fn below(&self) -> &'static str {
            "early"
        }
        fn line(&self) -> &'static str {
            "due"
        }
        fn summary(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn bars_stand_on_the_line_and_are_met_where_they_lie() {
        let full = Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0));
        let numbers = Numbers(vec![30, -10, 0]);
        let frame = Frame::new(&numbers, full);
        assert!((frame.bar(0, 30).top() - frame.area.top()).abs() < 1e-3);
        assert!((frame.bar(1, -10).bottom() - frame.area.bottom()).abs() < 1e-3);
        assert!((frame.bar(0, 30).bottom() - frame.bar(1, -10).top()).abs() < 1e-3, "they share the line");
        for bar in 0..3 {
            assert_eq!(frame.at(frame.column(bar).center()), Some(bar));
        }
        assert_eq!(frame.at(full.min), None);
        let none = Frame::new(&Numbers(Vec::new()), full);
        assert_eq!(none.at(full.center()), None);
    }

    #[test]
    fn both_sides_are_seen_even_where_nothing_is_late() {
        let full = Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0));
        let frame = Frame::new(&Numbers(vec![-120, -60]), full);
        assert_eq!((frame.high, frame.low), (10, -120));
        let flat = Frame::new(&Numbers(vec![0, 0]), full);
        assert!(flat.high > 0 && flat.low < 0);
    }
}
