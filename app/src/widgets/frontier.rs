//! What is gained against what it costs: everything that no other point beats as stairs, and points that were found, with
//! what tells whether they lie on the stairs.

use egui::emath::GuiRounding;
use egui::{Align2, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use gridwright_solver::scene::axis::round_step;

use super::nodes::{self, Part};
use super::painting::{focus_ring, keys, stepped};
use crate::theme::{self, Palette, palette, space, text};

/// A point that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// What it is called, in a few letters.
    pub name: String,
    /// What it costs.
    pub cost: f64,
    /// What it gains.
    pub gain: f64,
    /// Whether it is as good as can be.
    pub is_best: bool,
}

/// What there is to show.
pub struct Frontier<'a> {
    /// Everything that no other point beats, by rising cost and gain.
    pub exact: &'a [[f64; 2]],
    /// What was found.
    pub found: &'a [Found],
    /// What costs are.
    pub cost: &'a str,
    /// What gains are.
    pub gain: &'a str,
    /// A cost in words.
    pub cost_words: &'a dyn Fn(f64) -> String,
    /// A gain in words.
    pub gain_words: &'a dyn Fn(f64) -> String,
    /// What is said where there is nothing to show.
    pub nothing: &'a str,
}

/// What a person did.
pub struct Outcome {
    /// The whole of it.
    pub response: Response,
    /// The found point to select from now on; `None` within for a click beside all.
    pub picked: Option<Option<usize>>,
}

const GUTTER: f32 = 64.0;
const HEAD: f32 = 30.0;
const FOOT: f32 = 40.0;
/// A point this near to the pointer is meant.
const REACH: f32 = 12.0;

/// Where values lie.
struct Frame {
    full: Rect,
    area: Rect,
    most: [f64; 2],
}

impl Frame {
    fn place(&self, [cost, gain]: [f64; 2]) -> Pos2 {
        let share = |value: f64, most: f64, length: f32| (value / most) as f32 * length;
        let (x, y) = (share(cost, self.most[0], self.area.width()), share(gain, self.most[1], self.area.height()));
        self.area.left_bottom() + vec2(x, -y)
    }
}

/// Shows stairs and points in all the room there is; `selected` is ringed.
pub fn show(ui: &mut Ui, frontier: &Frontier<'_>, selected: Option<usize>) -> Outcome {
    let palette = palette(ui.visuals());
    let full = ui.available_rect_before_wrap().round_to_pixels(ui.pixels_per_point());
    let response = ui.allocate_rect(full, Sense::click());
    let summary = format!("{} against {}: {} points found", frontier.gain, frontier.cost, frontier.found.len());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, &summary));
    let min = full.min + vec2(GUTTER, HEAD);
    let area = Rect::from_min_max(min, (full.max - vec2(space::L, FOOT)).max(min + vec2(16.0, 16.0)));
    let found = frontier.found.iter().map(|found| [found.cost, found.gain]);
    let fold = |most: [f64; 2], point: [f64; 2]| [most[0].max(point[0]), most[1].max(point[1])];
    let most = frontier.exact.iter().copied().chain(found).fold([0.0; 2], fold);
    let most = most.map(|most| if most > 0.0 { most * 1.05 } else { 1.0 });
    let frame = Frame { full, area, most };
    let place = |index: usize| frame.place([frontier.found[index].cost, frontier.found[index].gain]);
    let nearest = |position: Pos2| {
        let near = (0..frontier.found.len()).map(|index| (place(index).distance(position), index));
        near.filter(|(away, _)| *away <= REACH).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, index)| index)
    };
    let hovered = response.hover_pos().and_then(nearest);
    let mut picked = response.interact_pointer_pos().filter(|_| response.clicked()).map(|position| {
        response.request_focus();
        nearest(position)
    });
    let pressed = keys(ui, &response);
    picked = stepped(selected, pressed.right - pressed.down, frontier.found.len()).map(Some).or(picked);
    let painter = ui.painter().with_clip_rect(full.intersect(ui.clip_rect()));
    painter.rect_filled(full, 0.0, palette.surface);
    if frontier.exact.is_empty() && frontier.found.is_empty() {
        painter.text(full.center(), Align2::CENTER_CENTER, frontier.nothing, theme::font(text::BODY), palette.weak);
    } else {
        axes(&painter, frontier, &frame, palette);
        stairs(&painter, frontier, &frame, palette);
        points(&painter, frontier, &frame, (selected, hovered), palette);
    }
    focus_ring(ui, &response, full);
    if nodes::wanted(ui, &response) {
        if let Some(index) = selected.filter(|index| *index < frontier.found.len() && response.has_focus()) {
            nodes::describe(ui, &response, describe(frontier, index));
        }
        let part = |index: usize| Part {
            key: index as u64,
            rect: Rect::from_center_size(place(index), vec2(14.0, 14.0)),
            name: describe(frontier, index),
            selected: selected == Some(index),
        };
        let parts: Vec<Part> = (0..frontier.found.len()).map(part).collect();
        picked = nodes::add(ui, &response, &parts).map(|key| Some(key as usize)).or(picked);
    }
    if let Some(index) = hovered {
        response.clone().on_hover_text_at_pointer(describe(frontier, index).replace(": ", "\n").replace(", ", "\n"));
    }
    Outcome { response, picked }
}

/// «0.3: cost 1 080, value 47, the best there is».
fn describe(frontier: &Frontier<'_>, index: usize) -> String {
    let Some(found) = frontier.found.get(index) else { return String::new() };
    let (cost, gain) = ((frontier.cost_words)(found.cost), (frontier.gain_words)(found.gain));
    let what = if found.is_best { "the best there is" } else { "better ones exist" };
    let names = (frontier.cost.to_lowercase(), frontier.gain.to_lowercase());
    format!("{}: {} {cost}, {} {gain}, {what}", found.name, names.0, names.1)
}

fn axes(painter: &Painter, frontier: &Frontier<'_>, frame: &Frame, palette: &Palette) {
    let (area, font) = (frame.area, theme::font(text::SMALL));
    let line = Stroke::new(1.0, palette.border);
    let step = round_step(frame.most[0] / f64::from(area.width()) * 84.0);
    let mut tick = 0.0;
    while tick <= frame.most[0] {
        let x = frame.place([tick, 0.0]).x.round();
        painter.vline(x, area.top()..=area.bottom() + 4.0, line);
        let words = (frontier.cost_words)(tick);
        painter.text(pos2(x, area.bottom() + 13.0), Align2::CENTER_CENTER, words, font.clone(), palette.weak);
        tick += step;
    }
    let step = round_step(frame.most[1] / f64::from(area.height()) * 40.0);
    let mut tick = 0.0;
    while tick <= frame.most[1] {
        let y = frame.place([0.0, tick]).y.round();
        painter.hline(area.left() - 4.0..=area.right(), y, line);
        let words = (frontier.gain_words)(tick);
        painter.text(pos2(area.left() - space::S, y), Align2::RIGHT_CENTER, words, font.clone(), palette.weak);
        tick += step;
    }
    let strong = Stroke::new(1.0, palette.border_strong);
    painter.hline(area.x_range(), area.bottom(), strong);
    painter.vline(area.left(), area.y_range(), strong);
    let bold = theme::bold_font(text::SMALL);
    let below = pos2(area.right(), frame.full.bottom() - 10.0);
    painter.text(below, Align2::RIGHT_CENTER, frontier.cost, bold.clone(), palette.text);
    let above = pos2(frame.full.left() + space::S, frame.full.top() + HEAD / 2.0);
    painter.text(above, Align2::LEFT_CENTER, frontier.gain, bold, palette.text);
}

/// For each cost the most that can be gained.
fn stairs(painter: &Painter, frontier: &Frontier<'_>, frame: &Frame, palette: &Palette) {
    let mut line: Vec<Pos2> = Vec::with_capacity(2 * frontier.exact.len());
    for &point in frontier.exact {
        let at = frame.place(point);
        if let Some(&before) = line.last() {
            line.push(pos2(at.x, before.y));
        }
        line.push(at);
    }
    painter.add(Shape::line(line, Stroke::new(1.5, palette.bar)));
    if frontier.exact.len() <= 400 {
        for &point in frontier.exact {
            painter.circle_filled(frame.place(point), 2.0, palette.bar);
        }
    }
}

fn points(
    painter: &Painter,
    frontier: &Frontier<'_>,
    frame: &Frame,
    (selected, hovered): (Option<usize>, Option<usize>),
    palette: &Palette,
) {
    let mut taken: Vec<Rect> = Vec::new();
    for (index, found) in frontier.found.iter().enumerate() {
        let at = frame.place([found.cost, found.gain]);
        painter.circle_filled(at, 7.0, palette.surface);
        if found.is_best {
            painter.circle_filled(at, 5.5, palette.accent);
        } else {
            // Open: seen without its colour.
            painter.circle_stroke(at, 4.5, Stroke::new(2.0, palette.bad));
        }
        let ring = match (selected == Some(index), hovered == Some(index)) {
            (true, _) => Some(Stroke::new(2.5, palette.accent)),
            (_, true) => Some(Stroke::new(1.5, palette.text)),
            _ => None,
        };
        if let Some(ring) = ring {
            painter.circle_stroke(at, 9.5, ring);
        }
        let galley = painter.layout_no_wrap(found.name.clone(), theme::font(text::SMALL), palette.text);
        let place = Rect::from_min_size(at + vec2(9.0, 4.0), galley.size());
        if taken.iter().all(|other| !other.intersects(place)) {
            taken.push(place);
            painter.galley(place.min, galley, palette.text);
        }
    }
}
