//! Table of the cost of every pair of departments, and of departments and doors.

use egui::{Label, Rect, Sense, Ui, vec2};
use egui_extras::Column;
use gridwright_core::numbers::{counted, grouped};

use super::Document;
use super::plan::{Pair, cost_words};
use crate::methods::*;
use crate::widgets::floorplan::length;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::right;
use gridwright_window::widgets::table;
use gridwright_window::widgets::table::{SortColumn, SortOrder, TableColumn, TableOutcome, label_row};

/// Column that the table is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum By {
    From,
    To,
    Flow,
    Distance,
    #[default]
    Cost,
}

impl SortColumn for By {
    fn begins_descending(self) -> bool {
        matches!(self, Self::Flow | Self::Distance | Self::Cost)
    }
}

const COLUMNS: [(By, &str, &str, bool); 5] = [
    (By::From, "Department", "One of the two", false),
    (By::To, "and", "The other one, or a door", false),
    (By::Flow, "Flow", "What goes between them, both ways", true),
    (By::Distance, "Distance", "Between their centres, or of a centre from a door", true),
    (By::Cost, "Cost", "Flow × distance", true),
];

/// Sort order and filter of the table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    order: SortOrder<By>,
    /// True to list only pairs of the selected department.
    own: bool,
    /// The rows as sorted last, and what for.
    rows: Vec<Pair>,
    key: Option<(u64, SortOrder<By>, Option<usize>)>,
}

/// Shows the table; a click selects the first department of a pair, or the other one of the selected department.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(plan) = document.plan().cloned() else { return };
    let palette = palette(ui.visuals());
    let mut table = std::mem::take(&mut document.table);
    let all = plan.pairs(&document.instance);
    let total: f64 = all.iter().map(Pair::cost).sum();
    ui.horizontal_wrapped(|ui| {
        let name = document.selected.and_then(|at| document.instance.departments.get(at)).map(|one| one.name.as_str());
        let words = name.map_or("Only of the selected department".to_owned(), |name| format!("Only of {name}"));
        ui.add_enabled(name.is_some(), egui::Checkbox::new(&mut table.own, words));
    });
    let own = document.selected.filter(|_| table.own);
    let key = (plan.picture.revision, table.order, own);
    if table.key != Some(key) {
        table.rows = sorted(all, table.order, own);
        table.key = Some(key);
    }
    let sum: f64 = table.rows.iter().map(Pair::cost).sum();
    let doors = table.rows.iter().filter(|pair| pair.to >= document.instance.len()).count();
    let through = if doors > 0 { format!(" and {} to doors", counted(doors as u64, "flow")) } else { String::new() };
    let words = format!(
        "{} pairs with flow{through} cost {}, {:.1} % of all",
        grouped((table.rows.len() - doors) as i64),
        cost_words(sum),
        100.0 * sum / total.max(1e-12)
    );
    ui.label(theme::small(words).color(palette.weak));
    let dearest = all.first().map_or(1.0, Pair::cost).max(1e-12);
    let outcome = rows(ui, document, &table, total, dearest);
    table.order = outcome.order.unwrap_or(table.order);
    let picked = outcome.row.and_then(|row| table.rows.get(row).copied());
    document.table = table;
    if let Some(pair) = picked {
        let other = document.selected.and_then(|selected| pair.other(selected));
        document.go_to(other.unwrap_or(pair.from));
    }
}

fn sorted(all: &[Pair], order: SortOrder<By>, own: Option<usize>) -> Vec<Pair> {
    let wanted = |pair: &&Pair| own.is_none_or(|department| pair.other(department).is_some());
    let mut rows: Vec<Pair> = all.iter().filter(wanted).copied().collect();
    match order.by {
        By::From => rows.sort_by_key(|pair| pair.from),
        By::To => rows.sort_by_key(|pair| pair.to),
        By::Flow => rows.sort_by(|one, other| other.flow.total_cmp(&one.flow)),
        By::Distance => rows.sort_by(|one, other| other.distance.total_cmp(&one.distance)),
        // `all` is already sorted by cost.
        By::Cost => {}
    }
    if order.is_descending != order.by.begins_descending() {
        rows.reverse();
    }
    rows
}

fn rows(ui: &mut Ui, document: &Document, table: &Table, total: f64, dearest: f64) -> TableOutcome<By> {
    let palette = palette(ui.visuals());
    let width = ((ui.available_width() - 180.0) / 5.0 - 8.0).clamp(56.0, 150.0);
    let size = Column::exact(width).clip(true);
    let column = |(by, name, help, is_number): (By, &'static str, &str, bool)| {
        let column = if is_number { TableColumn::number(name, size) } else { TableColumn::text(name, size) };
        let unit = match by {
            By::Flow => document.flow_unit(),
            By::Distance => format!(", in {}", document.instance.unit_words()),
            _ => String::new(),
        };
        column.sorted(by, format!("{help}{unit}"))
    };
    let share = TableColumn::text("Share of all", Column::remainder().clip(true));
    let columns = COLUMNS.map(column).into_iter().chain([share]).collect();
    ui.spacing_mut().item_spacing.x = space::S;
    let shown = table::Table { id: "pairs", columns, order: table.order, is_striped: true, reveal: None };
    shown.show(ui, table.rows.len(), |row, index| {
        let pair = table.rows[index];
        let touched = document.selected.is_some_and(|department| pair.other(department).is_some());
        row.set_selected(touched);
        let names = [pair.from, pair.to].map(|end| document.instance.end_name(end));
        for name in names {
            row.col(|ui| {
                ui.add(Label::new(name).truncate());
            });
        }
        let figures = [length(pair.flow), length(pair.distance), cost_words(pair.cost())];
        for figure in &figures {
            row.col(|ui| right(ui, figure, palette.text));
        }
        let share = pair.cost() / total.max(1e-12);
        row.col(|ui| share_bar(ui, share, pair.cost() / dearest));
        label_row(row, touched, || {
            let [flow, distance, cost] = &figures;
            let share = 100.0 * share;
            format!("{} and {}: flow {flow}, distance {distance}, cost {cost}, {share:.1} % of all", names[0], names[1])
        });
    })
}

/// A share in percent, and a bar as long as it is compared with the largest.
fn share_bar(ui: &mut Ui, share: f64, of_largest: f64) {
    let palette = palette(ui.visuals());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width().max(60.0), 14.0), Sense::hover());
    let words = format!("{:.1} %", 100.0 * share);
    ui.painter().text(
        rect.left_center() + vec2(44.0, 0.0),
        egui::Align2::RIGHT_CENTER,
        words,
        theme::font(theme::text::SMALL),
        palette.text,
    );
    let room = Rect::from_min_max(rect.min + vec2(54.0, 2.0), rect.max - vec2(8.0, 2.0));
    if room.width() > 4.0 {
        let bar = room.with_max_x(room.left() + room.width() * of_largest as f32);
        ui.painter().rect_filled(bar, 2.0, palette.bar);
    }
}
