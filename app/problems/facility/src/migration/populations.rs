//! Populations of both islands before and after a migration, as bars sorted by cost, with arrows from the copied layouts to
//! those whose places they take.

use egui::{Align2, Color32, Mesh, Painter, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use gridwright_core::numbers::{grouped, significant};
use gridwright_facility::journal::{Fate, IslandChange, MigrationDetail, Standing};

use super::percent;
use super::recording::mean;
use crate::plan::cost_words;
use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::canvas::Canvas;
use gridwright_window::widgets::nodes::Part;
use gridwright_window::widgets::painting::truncated;

/// Room above the bars for the heading of a column.
const HEAD: f32 = 50.0;
/// Room between the populations before, for the arrows; between before and after; and between the populations after.
const GAPS: [f32; 3] = [44.0, 40.0, 20.0];
/// Greatest height of a bar in points.
const BAR: f32 = 20.0;
/// Height of a bar from which its cost stands beside it.
const WRITTEN: f32 = 13.0;
/// Room for the cost beside a bar.
const COST: f32 = 62.0;
/// Greatest number of arrows.
const ARROWS: usize = 60;

/// A population and its place on the screen.
struct Column<'a> {
    change: &'a IslandChange,
    /// 0 before the migration, 1 after it.
    which: usize,
    area: Rect,
    row: f32,
}

impl Column<'_> {
    fn population(&self) -> &[Standing] {
        &self.change.populations[self.which]
    }

    /// Place of the individual with this rank; at least two points high where `is_marked`.
    fn bar(&self, rank: usize, is_marked: bool) -> Rect {
        let top = self.area.top() + self.row * rank as f32;
        let gap = if self.row >= 4.0 { 1.0 } else { 0.0 };
        let height = if is_marked { (self.row - gap).max(2.0) } else { self.row - gap };
        Rect::from_x_y_ranges(self.area.x_range(), top..=top + height)
    }

    /// Describes the individual with this rank.
    fn describe(&self, rank: usize) -> String {
        let Some(standing) = self.population().get(rank) else { return String::new() };
        let when = ["before", "after"][self.which];
        let limits = match standing.score.is_feasible() {
            true => "within all limits".to_owned(),
            false if standing.penalty > 0.0 => format!("breaks limits, counted as {}", cost_words(total(standing))),
            false => "breaks limits".to_owned(),
        };
        let fate = match (standing.fate, self.which) {
            (Fate::Stays, _) => "",
            (Fate::Copied, _) => ", copied to the other island",
            (Fate::Replaced, _) => ", replaced by a migrant",
            (Fate::Arrived, _) => ", a migrant that has arrived",
            (Fate::ReplacedFromElsewhere, _) => ", replaced by a migrant of another island",
            (Fate::ArrivedFromElsewhere, _) => ", a migrant of another island",
        };
        format!(
            "Island {} {when}, rank {} of {}: cost {}, {limits}{fate}",
            self.change.island + 1,
            grouped(rank as i64 + 1),
            grouped(self.population().len() as i64),
            cost_words(standing.score.cost)
        )
    }
}

/// Cost by which individuals are compared.
fn total(standing: &Standing) -> f64 {
    standing.score.cost + standing.penalty
}

/// Colour of an individual.
fn colour(fate: Fate, palette: &Palette) -> Color32 {
    match fate {
        Fate::Stays => palette.bar,
        Fate::Copied | Fate::Arrived => palette.accent,
        Fate::Replaced => palette.clash,
        Fate::ArrivedFromElsewhere => palette.accent.gamma_multiply(0.45),
        Fate::ReplacedFromElsewhere => palette.clash.gamma_multiply(0.45),
    }
}

/// Draws what the colours stand for.
pub fn legend(ui: &mut Ui, detail: &MigrationDetail) {
    let palette = palette(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::XS, 0.0);
        ui.spacing_mut().interact_size.y = 0.0;
        let mut entry = |fate: Fate, words: String| {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, colour(fate, palette));
            ui.label(theme::small(words).color(palette.weak));
            ui.add_space(space::S);
        };
        entry(Fate::Copied, format!("copied to island {}", detail.target.island + 1));
        entry(Fate::Replaced, "replaced".to_owned());
        if let Some(behind) = detail.behind {
            entry(Fate::ArrivedFromElsewhere, format!("from island {}", behind + 1));
        }
        let words = "Bars: cost, the best at the top; pale ends: broken limits";
        ui.label(theme::small(words).color(palette.weak));
    });
}

/// Draws the populations in all the room there is; returns `true` if they have the focus.
pub fn show(ui: &mut Ui, detail: &MigrationDetail) -> bool {
    let palette = palette(ui.visuals());
    let [from, to] = [&detail.source, &detail.target];
    let canvas = Canvas::new(ui, Sense::click(), || {
        format!("Populations of islands {} and {}, before and after", from.island + 1, to.island + 1)
    });
    let painter = canvas.painter(ui);
    let full = canvas.full;
    let width = ((full.width() - GAPS.iter().sum::<f32>()) / 4.0).max(24.0);
    let mut left = full.left();
    let mut columns = Vec::new();
    for (index, (change, which)) in [(from, 0), (to, 0), (from, 1), (to, 1)].into_iter().enumerate() {
        let most = change.populations[0].len().max(1) as f32;
        let row = ((full.height() - HEAD - 4.0) / most).min(BAR);
        let area = Rect::from_min_size(pos2(left, full.top() + HEAD), vec2(width, row * most));
        columns.push(Column { change, which, area, row });
        left += width + GAPS.get(index).copied().unwrap_or(0.0);
    }
    let range = range(detail);
    for column in &columns {
        heading(&painter, column, palette);
        bars(&painter, column, range, palette);
    }
    arrows(&painter, [&columns[0], &columns[1]], detail.copies.len(), palette);
    let middle = (columns[1].area.right() + columns[2].area.left()) / 2.0;
    let at = pos2(middle, columns[0].area.center().y.min(full.center().y));
    painter.arrow(at - vec2(10.0, 0.0), vec2(20.0, 0.0), Stroke::new(2.0, palette.weak));
    let (hovered, _) = canvas.pointed(|at| {
        let column = columns.iter().find(|column| column.area.contains(at))?;
        let rank = ((at.y - column.area.top()) / column.row) as usize;
        (rank < column.population().len()).then_some((column, rank))
    });
    if let Some((column, rank)) = hovered {
        painter.rect_stroke(column.bar(rank, true), 0.0, Stroke::new(1.5, palette.text), StrokeKind::Outside);
        canvas.tooltip(column.describe(rank));
    }
    canvas.finish(ui, || None, || parts(&columns));
    canvas.response.has_focus()
}

/// Individuals that take part, for assistive technology.
fn parts(columns: &[Column<'_>]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        for (rank, standing) in column.population().iter().enumerate() {
            if standing.fate != Fate::Stays {
                let key = ((number as u64) << 32) | rank as u64;
                parts.push(Part { key, rect: column.bar(rank, true), name: column.describe(rank), selected: false });
            }
        }
    }
    parts
}

/// The least cost, and the cost that nineteen in twenty layouts are below: longer bars end at the edge.
fn range(detail: &MigrationDetail) -> [f64; 2] {
    let changes = [&detail.source, &detail.target];
    let all = changes.into_iter().flat_map(|change| change.populations.iter().flatten());
    let mut totals: Vec<f64> = all.map(total).filter(|total| total.is_finite()).collect();
    totals.sort_by(f64::total_cmp);
    let low = totals.first().copied().unwrap_or(0.0);
    let high = totals.get(totals.len() * 19 / 20).copied().unwrap_or(low);
    [low, if high > low { high } else { low + 1.0 }]
}

/// Draws the name of the island, its best and mean cost, and its diversity.
fn heading(painter: &Painter, column: &Column<'_>, palette: &Palette) {
    let change = column.change;
    let best = column.population().first().map_or(0.0, |standing| standing.score.cost);
    let lines = [
        (format!("Island {} {}", change.island + 1, ["before", "after"][column.which]), palette.text),
        (format!("best {} · mean {}", cost_words(best), significant(mean(change, column.which))), palette.weak),
        (format!("diversity {}", percent(change.diversity[column.which])), palette.weak),
    ];
    for (line, (words, colour)) in lines.into_iter().enumerate() {
        let font = if line == 0 { theme::bold_font(text::BODY) } else { theme::font(text::SMALL) };
        let galley = truncated(painter, words, font, colour, column.area.width() + 12.0);
        let top = column.area.top() - HEAD + 15.0 * line as f32;
        painter.galley(pos2(column.area.left(), top), galley, colour);
    }
}

/// Draws the bars, those of individuals that take part above the others.
fn bars(painter: &Painter, column: &Column<'_>, [low, high]: [f64; 2], palette: &Palette) {
    let is_written = column.row >= WRITTEN;
    let room = column.area.width() - if is_written { COST } else { 0.0 };
    let mut mesh = Mesh::default();
    let population = || column.population().iter().enumerate();
    let (others, marked): (Vec<_>, Vec<_>) = population().partition(|(_, standing)| standing.fate == Fate::Stays);
    for (rank, standing) in others.into_iter().chain(marked) {
        let is_marked = standing.fate != Fate::Stays;
        let bar = column.bar(rank, is_marked);
        let end = |cost: f64| {
            let share = ((cost - low) / (high - low)).clamp(0.0, 1.0) as f32;
            bar.left() + room * if cost.is_finite() { 0.12 + 0.88 * share } else { 1.0 }
        };
        let (cost, total) = (end(standing.score.cost), end(total(standing)));
        let colour = colour(standing.fate, palette);
        mesh.add_colored_rect(bar.with_max_x(cost), colour);
        if total > cost {
            mesh.add_colored_rect(bar.with_min_x(cost).with_max_x(total), colour.gamma_multiply(0.4));
        }
        if is_written {
            let ink = if is_marked { palette.text } else { palette.weak };
            let words = cost_words(standing.score.cost);
            let at = pos2(total.max(cost) + 5.0, bar.center().y);
            painter.text(at, Align2::LEFT_CENTER, words, theme::font(text::SMALL), ink);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Draws an arrow from each copied layout to the one whose place it takes.
fn arrows(painter: &Painter, [from, to]: [&Column<'_>; 2], copies: usize, palette: &Palette) {
    let ranks = |column: &Column<'_>, fate: Fate| -> Vec<usize> {
        let marked = column.population().iter().enumerate().filter(|(_, standing)| standing.fate == fate);
        marked.map(|(rank, _)| rank).collect()
    };
    let (sources, targets) = (ranks(from, Fate::Copied), ranks(to, Fate::Replaced));
    let alpha = if copies > 8 { 0.35 } else { 0.8 };
    let stroke = Stroke::new(1.5, palette.accent.gamma_multiply(alpha));
    // The best takes the place of the worst.
    for (source, target) in sources.into_iter().zip(targets.into_iter().rev()).take(ARROWS) {
        let start = pos2(from.area.right() + 2.0, from.bar(source, true).center().y);
        let end = pos2(to.area.left() - 3.0, to.bar(target, true).center().y);
        painter.line_segment([start, end], stroke);
        let direction = (end - start).normalized();
        let side = direction.rot90() * 3.0;
        let back = end - direction * 6.0;
        painter.add(Shape::convex_polygon(vec![end, back + side, back - side], palette.accent, Stroke::NONE));
    }
}
