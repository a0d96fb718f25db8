//! View of what a solution holds: the items in the backpack, or the blocks of a deceptive problem on its function.

use std::sync::Arc;

use egui::{Align, Layout, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use egui_extras::{Column, TableBuilder};
use gridwright_core::numbers::{aligned, compact, grouped};
use gridwright_systolic::Kind;
use gridwright_systolic::check::BLOCK;

use super::Document;
use super::operators::bit_name;
use super::view_state::ItemOrder;
use crate::widgets::blocks::{self, Blocks};
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::controls::{badge, placeholder, primary, right, segmented};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::window::command::Command;

/// Shows what the shown solution holds, or why there is nothing to show.
pub fn show(ui: &mut Ui, document: &mut Document, commands: &mut Vec<Command>) {
    let instance = Arc::clone(&document.instance);
    if !matches!(instance.kind, Kind::Knapsack { .. } | Kind::Deceptive { .. }) {
        let text = "Knapsacks have items in them, and deceptive problems have blocks. What is taken of this problem stands in \
                    the view Bits.";
        placeholder(ui, Icon::Cells, "No contents here", text, |_| {});
        return;
    }
    let Some(bits) = bits(document) else {
        let text = "Solve first: then the items or blocks of the solution are shown here.";
        placeholder(ui, Icon::Cells, "No solution yet", text, |ui| {
            let solve = primary(ui, Icon::Play, "Solve now", document.ready().is_ok());
            if solve.on_hover_text(Command::Solve.tooltip(ui.ctx())).clicked() {
                commands.push(Command::Solve);
            }
        });
        return;
    };
    match &instance.kind {
        Kind::Knapsack { profits, weights, capacity } => {
            knapsack(ui, document, &Knapsack::of(profits, weights, *capacity, &bits));
        }
        _ => deceptive(ui, document, &bits),
    }
}

/// The bits of the shown run, or the best of the run that goes on.
fn bits(document: &Document) -> Option<Arc<Vec<bool>>> {
    if document.shown == Shown::Live {
        let checkpoint = document.live.as_ref()?.checkpoint.as_ref()?;
        return Some(Arc::new(checkpoint.progress.snapshot.best.bits.clone()));
    }
    let run = document.shown_run().filter(|run| !matches!(run.status, RunStatus::Wrong(_)))?;
    (run.bits.len() == document.instance.bits()).then(|| Arc::clone(&run.bits))
}

/// An item of a knapsack.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Item {
    bit: usize,
    profit: u64,
    weight: u64,
    is_taken: bool,
}

impl Item {
    /// Profit per unit of weight; infinite for an item without weight.
    fn worth(&self) -> f64 {
        if self.weight == 0 { f64::INFINITY } else { self.profit as f64 / self.weight as f64 }
    }
}

/// Items with their sums.
struct Knapsack {
    items: Vec<Item>,
    capacity: u64,
    profit: u64,
    weight: u64,
    /// Least profit per weight of an item that is taken.
    least: f64,
}

impl Knapsack {
    /// All items, those of the greatest profit per weight first; equals keep the order of the file.
    fn of(profits: &[u64], weights: &[u64], capacity: u64, bits: &[bool]) -> Self {
        let item = |(bit, (&profit, &weight)): (usize, (&u64, &u64))| Item {
            bit,
            profit,
            weight,
            is_taken: bits.get(bit).copied().unwrap_or(false),
        };
        let mut items: Vec<Item> = profits.iter().zip(weights).enumerate().map(item).collect();
        items.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
        let taken = || items.iter().filter(|item| item.is_taken);
        let (profit, weight) = (taken().map(|item| item.profit).sum(), taken().map(|item| item.weight).sum());
        let least = taken().map(Item::worth).fold(f64::INFINITY, f64::min);
        Self { capacity, profit, weight, least, items }
    }

    /// Returns `true` if an item was left although one that is worth less for its weight was taken.
    fn is_missed(&self, item: &Item) -> bool {
        !item.is_taken && item.worth() > self.least
    }
}

fn knapsack(ui: &mut Ui, document: &mut Document, knapsack: &Knapsack) {
    let palette = palette(ui.visuals());
    let taken = knapsack.items.iter().filter(|item| item.is_taken).count();
    let missed = knapsack.items.iter().filter(|item| knapsack.is_missed(item)).count();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let choices = [
            ("By profit per weight", "The items that bring most for their weight first", true),
            ("As in the file", "Items in the order of the file", true),
        ];
        let orders = [ItemOrder::Worth, ItemOrder::File];
        let chosen = orders.iter().position(|order| *order == document.item_order);
        if let Some(order) = segmented(ui, &choices, chosen).and_then(|choice| orders.get(choice)) {
            document.item_order = *order;
        }
        let count = format!("{} of {} items taken", grouped(taken as i64), grouped(knapsack.items.len() as i64));
        ui.label(theme::bold(format!("{count}, profit {}", grouped(knapsack.profit as i64))));
        if missed > 0 {
            let words =
                format!("{} left though worth more for the weight than one that is taken", grouped(missed as i64));
            ui.label(theme::small(words).color(palette.warn));
        }
    });
    weight_bar(ui, knapsack);
    ui.add_space(space::S);
    let mut items = knapsack.items.clone();
    if document.item_order == ItemOrder::File {
        items.sort_by_key(|item| item.bit);
    }
    table(ui, document, knapsack, &items);
}

/// Draws the weight used against the capacity.
fn weight_bar(ui: &mut Ui, knapsack: &Knapsack) {
    let palette = palette(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let share = 100.0 * knapsack.weight as f64 / knapsack.capacity.max(1) as f64;
    let is_over = knapsack.weight > knapsack.capacity;
    let (weight, capacity) = (grouped(knapsack.weight as i64), grouped(knapsack.capacity as i64));
    let words = match knapsack.weight.checked_sub(knapsack.capacity) {
        Some(over) if over > 0 => format!("Weight {weight} of {capacity}: {} too much", grouped(over as i64)),
        _ => format!("Weight {weight} of {capacity} ({share:.1} %)"),
    };
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &words));
    let most = knapsack.weight.max(knapsack.capacity).max(1) as f32;
    let x = |weight: u64| rect.left() + rect.width() * (weight as f32 / most);
    let colour = if is_over { palette.bad } else { palette.accent };
    ui.painter().rect_filled(rect, 4.0, palette.raised);
    let used = Rect::from_min_max(rect.min, pos2(x(knapsack.weight), rect.bottom()));
    ui.painter().rect_filled(used, 4.0, colour.gamma_multiply(0.35));
    ui.painter().rect_stroke(rect, 4.0, Stroke::new(1.0, palette.border_strong), StrokeKind::Inside);
    ui.painter().vline(x(knapsack.capacity).min(rect.right() - 1.0), rect.y_range(), Stroke::new(2.0, colour));
    let galley = ui.painter().layout_no_wrap(words, theme::bold_font(theme::text::BODY), palette.text);
    ui.painter().galley(pos2(rect.left() + space::M, rect.center().y - galley.size().y / 2.0), galley, palette.text);
    response.on_hover_text("The weight of the items that are taken; the line is the capacity");
}

fn table(ui: &mut Ui, document: &Document, knapsack: &Knapsack, items: &[Item]) {
    let palette = palette(ui.visuals());
    let best = items.iter().map(Item::worth).filter(|worth| worth.is_finite()).fold(0.0, f64::max);
    ui.spacing_mut().item_spacing.x = space::M;
    let builder = TableBuilder::new(ui).id_salt("items").cell_layout(Layout::left_to_right(Align::Center));
    let builder = builder.auto_shrink(false).striped(true).column(Column::remainder().at_least(110.0).clip(true));
    let builder = builder.column(Column::exact(72.0)).column(Column::exact(72.0)).column(Column::exact(150.0));
    let table = builder.column(Column::exact(96.0)).header(24.0, |mut header| {
        for (name, is_number) in
            [("Item", false), ("Profit", true), ("Weight", true), ("Profit per weight", false), ("Taken", false)]
        {
            header.col(|ui| {
                let words = theme::small(name).color(palette.weak);
                match is_number {
                    true => ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(words)).inner,
                    false => ui.label(words),
                };
            });
        }
    });
    table.body(|body| {
        body.rows(size::ROW, items.len(), |mut line| {
            let Some(item) = items.get(line.index()) else { return };
            let ink = if item.is_taken { palette.text } else { palette.weak };
            line.col(|ui| {
                ui.add(egui::Label::new(RichText::new(bit_name(document, item.bit)).color(ink)).truncate());
            });
            line.col(|ui| right(ui, &grouped(item.profit as i64), ink));
            line.col(|ui| right(ui, &grouped(item.weight as i64), ink));
            line.col(|ui| worth_bar(ui, item, best));
            line.col(|ui| match (item.is_taken, knapsack.is_missed(item)) {
                (true, _) => {
                    badge(ui, Some(Icon::Check), "taken", palette.good);
                }
                (_, true) => {
                    badge(ui, None, "left", palette.warn).on_hover_text(
                        "It brings more for its weight than an item that is taken; perhaps it does not fit beside the others",
                    );
                }
                _ => {
                    ui.label(theme::small("no").color(palette.faint));
                }
            });
        });
    });
}

/// Draws the profit per weight as a bar with its number.
fn worth_bar(ui: &mut Ui, item: &Item, best: f64) {
    let palette = palette(ui.visuals());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    let (words, share) = match item.worth() {
        worth if worth.is_finite() => {
            let decimals = if best < 1e3 { 2 } else { 0 };
            let words = if worth < 1e6 { aligned(worth, decimals) } else { compact(worth) };
            (words, worth / best.max(f64::MIN_POSITIVE))
        }
        _ => ("∞".to_owned(), 1.0),
    };
    let number = 58.0;
    let bar = rect.with_min_x(rect.left() + number);
    let bar = bar.with_max_x(bar.left() + bar.width() * share.clamp(0.0, 1.0) as f32);
    let colour = if item.is_taken { palette.accent } else { palette.border_strong };
    ui.painter().rect_filled(bar, 2.0, colour);
    let ink = if item.is_taken { palette.text } else { palette.weak };
    let galley = ui.painter().layout_no_wrap(words, theme::font(theme::text::BODY), ink);
    let place = pos2(rect.left() + number - space::S - galley.size().x, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(place, galley, ink);
}

fn deceptive(ui: &mut Ui, document: &mut Document, bits: &[bool]) {
    let palette = palette(ui.visuals());
    let values = BLOCK.map(|millionths| millionths as f64 / 1e6);
    let counts = ones_of_blocks(bits);
    let solved = counts[0] + counts[BLOCK.len() - 1];
    let all: usize = counts.iter().sum();
    let words = format!("{} of {} blocks solved", grouped(solved as i64), grouped(all as i64));
    ui.horizontal_wrapped(|ui| {
        ui.label(theme::bold(words));
        let words = format!("{} deceived: three ones look better than two or four", grouped(counts[3] as i64));
        ui.label(theme::small(words).color(if counts[3] > 0 { palette.warn } else { palette.weak }));
    });
    let text = "A disc is as large as many blocks of the solution have this number of ones. A search that climbs step by step \
                comes to rest on the hill in the middle.";
    ui.label(theme::small(text).color(palette.weak));
    let outcome = blocks::show(ui, &Blocks { values: &values, counts: &counts });
    document.canvas_focused |= outcome.response.has_focus();
}

/// Number of blocks of six bits with 0, 1, … 6 ones.
fn ones_of_blocks(bits: &[bool]) -> [usize; BLOCK.len()] {
    let mut counts = [0; BLOCK.len()];
    for block in bits.chunks(BLOCK.len() - 1) {
        counts[block.iter().filter(|bit| **bit).count()] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_sorted_and_missed_ones_are_those_better_than_a_taken_one() {
        let knapsack = Knapsack::of(&[10, 9, 8, 1], &[5, 3, 8, 1], 9, &[true, false, false, true]);
        assert_eq!(knapsack.items.iter().map(|item| item.bit).collect::<Vec<_>>(), [1, 0, 2, 3]);
        assert_eq!((knapsack.profit, knapsack.weight), (11, 6));
        let missed: Vec<usize> =
            knapsack.items.iter().filter(|item| knapsack.is_missed(item)).map(|item| item.bit).collect();
        assert_eq!(missed, [1], "item 2 is worth no more than item 3, which is taken");
    }

    #[test]
    fn blocks_are_counted_by_their_ones() {
        let bits: Vec<bool> = "000000111111111000000011".bytes().map(|letter| letter == b'1').collect();
        assert_eq!(ones_of_blocks(&bits), [1, 0, 1, 1, 0, 0, 1]);
    }
}
