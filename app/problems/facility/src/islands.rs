//! The islands of a run: the best cost of each over time, and who migrated where.

use std::collections::BTreeSet;

use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::numbers::grouped;
use gridwright_facility::{Migration, Orientation};

use super::Document;
use super::history::{IslandHistory, Moment};
use super::migration::{self, Mode};
use super::plan::cost_words;
use gridwright_window::runs::Shown;
use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::focus_ring;

/// Shows the islands of the run that is shown.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let number = match document.shown {
        Shown::Run(number) => Some(number),
        Shown::Live => Some(document.next_number()),
        _ => None,
    };
    migration::take_history(document);
    let can_pick = migration::is_recordable(document);
    if can_pick {
        migration::toolbar(ui, document);
        if document.islands.mode == Mode::Migration {
            return migration::show(ui, document);
        }
    }
    let history = number.and_then(|number| document.histories.get(&number)).filter(|history| !history.is_empty());
    let Some(history) = history else { return migration::offer(ui, document) };
    if let Some(picked) = show_history(ui, history, can_pick) {
        migration::pick(document, picked);
    }
}

/// Shows what is known of the islands of a run; returns the migration whose mark was clicked, if `can_pick`.
pub fn show_history(ui: &mut Ui, history: &IslandHistory, can_pick: bool) -> Option<Migration> {
    let palette = palette(ui.visuals());
    let count = |orientation| history.last.iter().filter(|island| island.orientation == orientation).count();
    let (vertical, horizontal) = (count(Orientation::Vertical), count(Orientation::Horizontal));
    ui.horizontal_wrapped(|ui| {
        let words = format!(
            "{} islands, {vertical} with vertical bays and {horizontal} with horizontal ones · {} migrations · best {}",
            history.last.len(),
            grouped(history.count as i64),
            history.leader().map_or_else(String::new, |island| cost_words(history.last[island].best.cost)),
        );
        ui.label(theme::small(words).color(palette.weak));
        legend(ui, history.range);
    });
    canvas(ui, history, can_pick)
}

/// Draws the colour scale from the best cost to the highest that is told apart.
fn legend(ui: &mut Ui, [low, high]: [f64; 2]) {
    let palette = palette(ui.visuals());
    ui.add_space(space::M);
    ui.label(theme::small(cost_words(low)).color(palette.weak));
    let (rect, response) = ui.allocate_exact_size(vec2(96.0, 10.0), Sense::hover());
    let mut mesh = Mesh::default();
    for step in 0..48 {
        let x = |step: usize| rect.left() + rect.width() * step as f32 / 48.0;
        mesh.add_colored_rect(
            Rect::from_x_y_ranges(x(step)..=x(step + 1), rect.y_range()),
            shade(step as f32 / 47.0, palette),
        );
    }
    ui.painter().add(Shape::mesh(mesh));
    response.on_hover_text("The best cost of an island; the best of all is at the left");
    ui.label(theme::small(format!("{} and more", cost_words(high))).color(palette.weak));
}

/// The colour of a cost, 0 for the best.
fn shade(share: f32, palette: &Palette) -> Color32 {
    palette.cost(share.clamp(0.0, 1.0).sqrt())
}

/// Positions of the parts of the drawing.
struct Frame {
    full: Rect,
    /// The strips.
    area: Rect,
    /// The ring at the left; none where there is no room.
    ring: Option<Rect>,
    row: f32,
    steps: [u64; 2],
}

/// Room before the strips for numbers, and after them for costs.
const NUMBERS: f32 = 44.0;
const COSTS: f32 = 76.0;
/// Room above for the steps.
const HEAD: f32 = 20.0;
/// Width in points above which there is a ring beside the strips.
const WIDE: f32 = 620.0;

impl Frame {
    fn new(full: Rect, history: &IslandHistory) -> Self {
        let side = (full.width() * 0.3).min(full.height()).min(300.0);
        let ring = (full.width() >= WIDE && full.height() >= 160.0)
            .then(|| Rect::from_min_size(full.min, vec2(side, side)).shrink(space::S));
        let left = full.left() + ring.map_or(0.0, |_| side) + NUMBERS;
        let room = Rect::from_min_max(pos2(left, full.top() + HEAD), pos2(full.right() - COSTS, full.bottom() - 4.0));
        let row = (room.height() / history.last.len().max(1) as f32).min(26.0);
        let area = room.with_max_y(room.top() + row * history.last.len() as f32);
        let step = |moment: Option<&Moment>| moment.map_or(0, |moment| moment.step);
        let steps = [step(history.moments.first()), step(history.moments.last())];
        Self { full, area, ring, row, steps }
    }

    fn x(&self, step: u64) -> f32 {
        let [first, last] = self.steps;
        let share = step.saturating_sub(first) as f64 / last.saturating_sub(first).max(1) as f64;
        self.area.left() + self.area.width() * (share as f32).min(1.0)
    }

    fn strip(&self, row: usize) -> Rect {
        let top = self.area.top() + self.row * row as f32;
        let gap = if self.row >= 6.0 { 1.0 } else { 0.0 };
        Rect::from_x_y_ranges(self.area.x_range(), top..=top + self.row - gap)
    }
}

fn canvas(ui: &mut Ui, history: &IslandHistory, can_pick: bool) -> Option<Migration> {
    let palette = palette(ui.visuals());
    let full = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(full, Sense::click());
    let summary = format!("Islands: the best cost of {} islands over {} steps", history.last.len(), history.told);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, &summary));
    let frame = Frame::new(full, history);
    let painter = ui.painter().with_clip_rect(full);
    painter.rect_filled(full, 0.0, palette.surface);
    let order = history.order();
    strips(&painter, history, &frame, &order, palette);
    migrations(&painter, history, &frame, &order, palette);
    names(&painter, history, &frame, &order, palette);
    if let Some(ring) = frame.ring {
        rings(&painter, history, ring, palette);
    }
    focus_ring(ui, &response, full);
    if nodes::wanted(ui, &response) {
        let part = |(row, &island): (usize, &usize)| Part {
            key: island as u64,
            rect: frame.strip(row),
            name: describe(history, island),
            selected: false,
        };
        nodes::add(ui, &response, &order.iter().enumerate().map(part).collect::<Vec<_>>());
    }
    if let Some(at) = response.hover_pos().filter(|at| frame.area.contains(*at)) {
        let row = ((at.y - frame.area.top()) / frame.row) as usize;
        if let Some(&island) = order.get(row) {
            painter.rect_stroke(frame.strip(row), 0.0, Stroke::new(1.5, palette.accent), StrokeKind::Outside);
            let then = history.moments.iter().rev().find(|moment| frame.x(moment.step) <= at.x);
            let then = then.map_or_else(String::new, |moment| {
                format!("\nStep {}: {}", grouped(moment.step as i64), best_words(moment.best[island]))
            });
            let near = near(history, &frame, &order, at).filter(|_| can_pick);
            let migration = near.map_or_else(String::new, |it| {
                let Migration { generation, from, to, .. } = it;
                let generation = grouped(generation as i64);
                format!("\nClick: migration of generation {generation} from island {} to island {}", from + 1, to + 1)
            });
            let clicked = response.clicked();
            response.on_hover_text_at_pointer(format!("{}{then}{migration}", describe(history, island)));
            return near.filter(|_| clicked);
        }
    }
    None
}

/// Distance in points within which a click means a mark.
const NEAR: f32 = 8.0;

/// The migration whose mark is nearest to a position; those from the island there before those to it.
fn near(history: &IslandHistory, frame: &Frame, order: &[usize], at: Pos2) -> Option<Migration> {
    let island = *order.get(((at.y - frame.area.top()) / frame.row) as usize)? as u32;
    let marks = history.migrations.iter().filter(|it| it.from == island || it.to == island);
    let far = |it: &Migration| ((frame.x(it.step) - at.x).abs(), it.from != island);
    let near = marks.map(|it| (far(it), *it)).filter(|((distance, _), _)| *distance <= NEAR);
    let nearest = near.min_by(|(one, _), (other, _)| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    nearest.map(|(_, migration)| migration)
}

/// A cost in words, with a remark if it is of a layout that breaks limits.
pub(super) fn best_words([cost, violation]: [f64; 2]) -> String {
    if !cost.is_finite() {
        "nothing yet".to_owned()
    } else if violation > 0.0 {
        format!("{}, breaks limits", cost_words(cost))
    } else {
        cost_words(cost)
    }
}

/// An island in words.
fn describe(history: &IslandHistory, island: usize) -> String {
    let known = &history.last[island];
    let [best, now] = [known.best, known.now].map(|score| best_words([score.cost, score.violation]));
    format!(
        "Island {}, {} bays: best {best}, now {now}, mean {}, {} of {} within all limits",
        island + 1,
        known.orientation.name(),
        cost_words(known.mean),
        known.feasible,
        known.individuals
    )
}

/// The best of each island over time, a strip each; what breaks limits is underlined.
fn strips(painter: &Painter, history: &IslandHistory, frame: &Frame, order: &[usize], palette: &Palette) {
    let [low, high] = history.range;
    let mut mesh = Mesh::default();
    let mut broken = Mesh::default();
    for (row, &island) in order.iter().enumerate() {
        let strip = frame.strip(row);
        let mut index = 0;
        while let Some(moment) = history.moments.get(index) {
            let best = moment.best[island];
            // What stays the same is one rectangle.
            let same = history.moments[index..].iter().take_while(|later| later.best[island] == best).count().max(1);
            let end = history.moments.get(index + same).map_or(frame.area.right(), |next| frame.x(next.step));
            index += same;
            let [cost, violation] = best;
            let part = Rect::from_x_y_ranges(frame.x(moment.step)..=end, strip.y_range());
            if cost.is_finite() {
                mesh.add_colored_rect(part, shade(((cost - low) / (high - low)) as f32, palette));
            }
            if violation > 0.0 {
                let line = part.with_min_y(part.bottom() - (part.height() * 0.25).max(1.0));
                broken.add_colored_rect(line, palette.clash);
            }
        }
    }
    painter.add(Shape::mesh(mesh));
    painter.add(Shape::mesh(broken));
}

/// Draws a mark for each migration, from the strip of its source to that of its target.
fn migrations(painter: &Painter, history: &IslandHistory, frame: &Frame, order: &[usize], palette: &Palette) {
    if frame.row < 9.0 {
        return;
    }
    let mut rows = vec![0; order.len()];
    order.iter().enumerate().for_each(|(row, &island)| rows[island] = row);
    // Several in one pixel look like one.
    let mut seen = BTreeSet::new();
    let mut mesh = Mesh::default();
    for migration in &history.migrations {
        let ends = [migration.from, migration.to].map(|island| rows.get(island as usize).copied());
        let [Some(from), Some(to)] = ends else { continue };
        let x = frame.x(migration.step);
        if !seen.insert((x as i32, from, to)) {
            continue;
        }
        let [from, to] = [from, to].map(|row| frame.strip(row).center().y);
        // From the last of a ring it goes on to the first: an arrow upwards at the end would cross all strips.
        let to = if (to - from).abs() > 1.5 * frame.row { from + frame.row * 0.5 * (to - from).signum() } else { to };
        let colour = palette.text.gamma_multiply(0.5);
        let line = Rect::from_min_max(pos2(x - 0.5, from.min(to)), pos2(x + 0.5, from.max(to)));
        mesh.add_colored_rect(line, colour);
        let by = (frame.row * 0.16).min(3.0) * (to - from).signum();
        let base = mesh.vertices.len() as u32;
        for corner in [pos2(x - 2.5, to - by), pos2(x + 2.5, to - by), pos2(x, to + by)] {
            mesh.colored_vertex(corner, colour);
        }
        mesh.add_triangle(base, base + 1, base + 2);
    }
    painter.add(Shape::mesh(mesh));
}

/// Numbers before the strips, best costs after them, and steps above.
fn names(painter: &Painter, history: &IslandHistory, frame: &Frame, order: &[usize], palette: &Palette) {
    let leader = history.leader();
    let every = (13.0 / frame.row).ceil().max(1.0) as usize;
    for (row, &island) in order.iter().enumerate() {
        let first = leader == Some(island);
        if row % every != 0 && !first {
            continue;
        }
        // The best one is always named; its neighbours give way.
        let near = leader.and_then(|leader| order.iter().position(|&other| other == leader));
        if !first && near.is_some_and(|at| at.abs_diff(row) < every) {
            continue;
        }
        let strip = frame.strip(row);
        let (font, colour) = match first {
            true => (theme::bold_font(text::SMALL), palette.good),
            false => (theme::font(text::SMALL), palette.weak),
        };
        let known = &history.last[island];
        let sign = if known.orientation == Orientation::Vertical { "V" } else { "H" };
        let number = format!("{sign} {}", island + 1);
        painter.text(strip.left_center() - vec2(8.0, 0.0), Align2::RIGHT_CENTER, number, font.clone(), colour);
        let cost = if known.best.is_feasible() { cost_words(known.best.cost) } else { "breaks limits".to_owned() };
        painter.text(strip.right_center() + vec2(8.0, 0.0), Align2::LEFT_CENTER, cost, font, colour);
    }
    let [first, last] = frame.steps;
    let top = frame.full.top() + HEAD / 2.0;
    let font = theme::font(text::TINY);
    let at = |x: f32, align: Align2, words: String| {
        painter.text(pos2(x, top), align, words, font.clone(), palette.weak);
    };
    at(frame.area.left(), Align2::LEFT_CENTER, format!("step {}", grouped(first as i64)));
    at(frame.area.right(), Align2::RIGHT_CENTER, grouped(last as i64));
}

/// The rings along which migrants go: islands as discs in the colour of their best, arrows as thick as many went.
fn rings(painter: &Painter, history: &IslandHistory, rect: Rect, palette: &Palette) {
    let order = history.order();
    let vertical = order.iter().filter(|&&island| history.last[island].orientation == Orientation::Vertical).count();
    let (outer, inner) = order.split_at(vertical);
    let radius = rect.width() / 2.0 - 16.0;
    let both = !outer.is_empty() && !inner.is_empty();
    for (islands, radius) in [(outer, radius), (inner, if both { radius * 0.52 } else { radius })] {
        ring(painter, history, (rect.center(), radius), islands, palette);
    }
    if both {
        let font = theme::font(text::TINY);
        let between = rect.center() - vec2(0.0, radius * 0.76);
        painter.text(between, Align2::CENTER_CENTER, "vertical", font.clone(), palette.weak);
        painter.text(rect.center(), Align2::CENTER_CENTER, "horizontal", font, palette.weak);
    }
}

fn ring(
    painter: &Painter, history: &IslandHistory, (centre, radius): (Pos2, f32), islands: &[usize], palette: &Palette,
) {
    let count = islands.len();
    if count == 0 {
        return;
    }
    let [low, high] = history.range;
    let angle = |place: f32| std::f32::consts::TAU * place / count as f32 - std::f32::consts::FRAC_PI_2;
    let at = |place: f32| centre + radius * vec2(angle(place).cos(), angle(place).sin());
    let disc = (std::f32::consts::PI * radius / count as f32 * 0.62).clamp(2.0, 15.0);
    let mut sent = vec![0_usize; count];
    for migration in &history.migrations {
        if let Some(place) = islands.iter().position(|&island| island == migration.from as usize) {
            sent[place] += 1;
        }
    }
    let most = sent.iter().copied().max().unwrap_or(0).max(1);
    for (place, sent) in sent.iter().enumerate().filter(|_| count > 1) {
        let width = 1.0 + 3.0 * *sent as f32 / most as f32;
        let colour = if *sent > 0 { palette.accent } else { palette.border_strong };
        // Along the ring, as far as the discs leave room.
        let margin = (disc + 3.0) / radius.max(1.0) * count as f32 / std::f32::consts::TAU;
        let points: Vec<Pos2> = (0..=12)
            .map(|step| at(place as f32 + margin + (1.0 - 2.0 * margin).max(0.0) * step as f32 / 12.0))
            .collect();
        if let [.., before, end] = points[..] {
            let direction = (end - before).normalized();
            let side = direction.rot90() * (2.0 + width);
            let back = end - direction * (4.0 + width);
            painter.add(Shape::line(points.clone(), Stroke::new(width, colour)));
            painter.add(Shape::convex_polygon(vec![end, back + side, back - side], colour, Stroke::NONE));
        }
    }
    for (place, &island) in islands.iter().enumerate() {
        let best = history.last[island].best;
        let share = ((best.cost - low) / (high - low)) as f32;
        let fill = if best.cost.is_finite() { shade(share, palette) } else { palette.blocked };
        let (width, colour) = match history.leader() == Some(island) {
            true => (3.0, palette.good),
            false if !best.is_feasible() => (2.0, palette.clash),
            false => (1.0, palette.text.gamma_multiply(0.6)),
        };
        painter.circle(at(place as f32), disc, fill, Stroke::new(width, colour));
        if disc >= 9.0 {
            let ink = if best.cost.is_finite() { palette.on_cost(share.clamp(0.0, 1.0).sqrt()) } else { palette.weak };
            let font = theme::font(text::TINY);
            painter.text(at(place as f32), Align2::CENTER_CENTER, (island + 1).to_string(), font, ink);
        }
    }
}
