//! Table of the cost of every pair of departments.

use egui::{Align, Label, Layout, Rect, RichText, Sense, Ui, WidgetInfo, vec2};
use egui_extras::{Column, TableBuilder};
use gridwright_core::numbers::grouped;

use super::Document;
use super::plan::{Pair, cost_words};
use crate::methods::*;
use crate::widgets::floorplan::length;
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::controls::right;

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

const COLUMNS: [(By, &str, &str, bool); 5] = [
    (By::From, "Department", "One of the two", false),
    (By::To, "and", "The other one", false),
    (By::Flow, "Flow", "What goes between them, both ways", true),
    (By::Distance, "Distance", "Between their centres", true),
    (By::Cost, "Cost", "Flow × distance", true),
];

/// Sort order and filter of the table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    by: By,
    /// True to sort in ascending order; for names, in descending order.
    turned: bool,
    /// True to list only pairs of the selected department.
    own: bool,
    /// The rows as sorted last, and what for.
    rows: Vec<Pair>,
    key: Option<(u64, By, bool, Option<usize>)>,
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
    let key = (plan.picture.revision, table.by, table.turned, own);
    if table.key != Some(key) {
        table.rows = sorted(all, table.by, table.turned, own);
        table.key = Some(key);
    }
    let sum: f64 = table.rows.iter().map(Pair::cost).sum();
    let words = format!(
        "{} pairs with flow cost {}, {:.1} % of all",
        grouped(table.rows.len() as i64),
        cost_words(sum),
        100.0 * sum / total.max(1e-12)
    );
    ui.label(theme::small(words).color(palette.weak));
    let dearest = all.first().map_or(1.0, Pair::cost).max(1e-12);
    let picked = rows(ui, document, &mut table, total, dearest);
    document.table = table;
    if let Some(pair) = picked {
        let other = document.selected.and_then(|selected| pair.other(selected));
        document.go_to(other.unwrap_or(pair.from));
    }
}

fn sorted(all: &[Pair], by: By, turned: bool, own: Option<usize>) -> Vec<Pair> {
    let wanted = |pair: &&Pair| own.is_none_or(|department| pair.other(department).is_some());
    let mut rows: Vec<Pair> = all.iter().filter(wanted).copied().collect();
    match by {
        By::From => rows.sort_by_key(|pair| pair.from),
        By::To => rows.sort_by_key(|pair| pair.to),
        By::Flow => rows.sort_by(|one, other| other.flow.total_cmp(&one.flow)),
        By::Distance => rows.sort_by(|one, other| other.distance.total_cmp(&one.distance)),
        // They stand so already.
        By::Cost => {}
    }
    if turned {
        rows.reverse();
    }
    rows
}

fn rows(ui: &mut Ui, document: &Document, table: &mut Table, total: f64, dearest: f64) -> Option<Pair> {
    let palette = palette(ui.visuals());
    let width = ((ui.available_width() - 180.0) / 5.0 - 8.0).clamp(56.0, 150.0);
    let units = [(By::Flow, document.flow_unit()), (By::Distance, format!(", in {}", document.instance.unit_words()))];
    ui.spacing_mut().item_spacing.x = space::S;
    let mut builder = TableBuilder::new(ui)
        .id_salt("pairs")
        .striped(true)
        .cell_layout(Layout::left_to_right(Align::Center))
        .auto_shrink(false)
        .sense(Sense::click());
    for _ in COLUMNS {
        builder = builder.column(Column::exact(width).clip(true));
    }
    let mut clicked = None;
    let body = builder.column(Column::remainder().clip(true)).header(size::ROW, |mut header| {
        for (by, name, help, to_right) in COLUMNS {
            header.col(|ui| {
                // Numbers begin with the largest.
                let falling = matches!(by, By::Flow | By::Distance | By::Cost) != table.turned;
                let arrow = match (by == table.by, falling) {
                    (false, _) => "",
                    (true, false) => " ↑",
                    (true, true) => " ↓",
                };
                ui.with_layout(Layout::top_down(if to_right { Align::Max } else { Align::Min }), |ui| {
                    let words = RichText::new(format!("{name}{arrow}")).color(palette.weak).size(theme::text::SMALL);
                    let unit = units.iter().find(|(of, _)| *of == by).map_or("", |(_, unit)| unit);
                    let label = ui.add(Label::new(words).sense(Sense::click()));
                    let response = label.on_hover_text(format!("{help}{unit}"));
                    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Sort by {name}")));
                    if response.clicked() {
                        clicked = Some(by);
                    }
                });
            });
        }
        header.col(|ui| {
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.label(RichText::new("Share of all").color(palette.weak).size(theme::text::SMALL));
            });
        });
    });
    let mut picked = None;
    body.body(|body| {
        body.rows(size::ROW, table.rows.len(), |mut row| {
            let pair = table.rows[row.index()];
            let touched = document.selected.is_some_and(|department| pair.other(department).is_some());
            row.set_selected(touched);
            let names = [pair.from, pair.to].map(|at| document.instance.departments[at].name.as_str());
            for name in names {
                row.col(|ui| {
                    ui.add(Label::new(name).truncate());
                });
            }
            row.col(|ui| right(ui, &length(pair.flow), palette.text));
            row.col(|ui| right(ui, &length(pair.distance), palette.text));
            row.col(|ui| right(ui, &cost_words(pair.cost()), palette.text));
            let share = pair.cost() / total.max(1e-12);
            row.col(|ui| share_bar(ui, share, pair.cost() / dearest));
            let response = row.response();
            response.widget_info(|| {
                let words = format!(
                    "{} and {}: flow {}, distance {}, cost {}, {:.1} % of all",
                    names[0],
                    names[1],
                    length(pair.flow),
                    length(pair.distance),
                    cost_words(pair.cost()),
                    100.0 * share
                );
                WidgetInfo::selected(egui::Role::Row, true, touched, words)
            });
            if response.clicked() {
                picked = Some(pair);
            }
        });
    });
    if let Some(by) = clicked {
        (table.by, table.turned) = if by == table.by { (by, !table.turned) } else { (by, false) };
    }
    picked
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
