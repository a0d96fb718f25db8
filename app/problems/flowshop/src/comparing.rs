//! All plans beside each other: a table of plans and objectives, with the differences to one of the plans.

use std::cmp::Ordering;
use std::sync::Arc;

use egui::{Align, Label, Layout, RichText, ScrollArea, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use gridwright_core::planning::measures::verdict;
use gridwright_core::planning::{Measure, MeasureTable};
use gridwright_flowshop::check::check;
use gridwright_flowshop::{Order, measures};

use super::Document;
use crate::methods::*;
use gridwright_window::document::frames;
use gridwright_window::runs::Shown;
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::controls::{button, placeholder};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::table::{SortOrder, label_heading, label_row};

/// Widths in points of the column of names and of a figure; dates with times of day are longer than numbers.
const NAME: f32 = 128.0;
const FIGURE: f32 = 96.0;
const DATED: f32 = 124.0;

/// Height in points of a heading of two lines.
const HEADING: f32 = 36.0;

/// A plan with its figures.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    shown: Shown,
    order: Arc<Order>,
    measures: Vec<Measure>,
}

/// Shows the table; a click on a plan shows the plan.
pub(crate) fn show(ui: &mut Ui, document: &mut Document) {
    refresh(document);
    if document.state.plans.len() < 2 {
        let text = "Solve again with other settings or another objective, or change the order by hand: then all plans stand here \
                    with their makespan, tardiness and other figures.";
        placeholder(ui, Icon::Compare, "There is nothing to compare with yet", text, |_| {});
        return;
    }
    let plans = &document.state.plans;
    let at = reference(document);
    let rows = plans.iter().map(|row| (document.name_of(row.shown), row.measures.clone()));
    let table = MeasureTable::new(rows.collect(), at);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let help = "The plan to which the differences refer; otherwise the plan that is shown";
        frames::compare_with(ui, document, "Compare with…", help, 124.0);
        if button(ui, Icon::Copy, "Copy the table", true).on_hover_text("As CSV, for a spreadsheet").clicked() {
            let csv = table.bytes("", "csv").unwrap_or_default();
            ui.ctx().copy_text(String::from_utf8_lossy(&csv).trim_start_matches('\u{feff}').to_owned());
        }
        let words = format!("Differences to {}", table.rows()[at].0);
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
    });
    let picked = ScrollArea::horizontal().show(ui, |ui| plans_table(ui, document, &table)).inner;
    match picked {
        Some(Shown::Run(number)) => document.show_run(number),
        Some(Shown::Draft) => document.show_draft(),
        _ => {}
    }
}

/// Index of the plan to which the differences refer: the chosen one, otherwise the one that is shown.
fn reference(document: &Document) -> usize {
    let plans = &document.state.plans;
    let wanted = document.ghost.unwrap_or(document.shown);
    // A draft is compared with the plan that it was made from.
    let base = document.draft().filter(|_| document.ghost == Some(Shown::Draft)).map(|draft| &draft.base);
    let of_base = base.and_then(|base| plans.iter().position(|row| row.shown != Shown::Draft && row.order == *base));
    of_base.or_else(|| plans.iter().position(|row| row.shown == wanted)).unwrap_or(0)
}

/// Brings the figures up to date with the runs and the draft; orders that are known are not checked again.
fn refresh(document: &mut Document) {
    let runs = document.runs.iter().rev().map(|run| Shown::Run(run.number));
    let all: Vec<(Shown, Arc<Order>)> = std::iter::once(Shown::Draft)
        .chain(runs)
        .filter_map(|shown| Some((shown, document.solution(shown)?)))
        .collect();
    let mut former = std::mem::take(&mut document.state.plans);
    let objective = document.objective();
    let first = objective.name();
    let rows = all.into_iter().map(|(shown, order)| {
        let is_known =
            |row: &Row| Arc::ptr_eq(&row.order, &order) && row.measures.first().is_some_and(|one| one.key == first);
        let known = former.iter().position(is_known).map(|at| former.swap_remove(at).measures);
        let compute = || measures::of_verdict(&document.instance, objective, &check(&document.instance, &order.0));
        Row { shown, measures: known.unwrap_or_else(compute), order }
    });
    document.state.plans = rows.collect();
}

/// Draws the table and returns the plan that was clicked.
fn plans_table(ui: &mut Ui, document: &Document, table: &MeasureTable) -> Option<Shown> {
    let id = ui.scope_id().with("sorted by");
    // Column 0 is that of the plans, in the order of the list.
    let order: SortOrder<usize> = ui.data(|data| data.get_temp(id)).unwrap_or(SortOrder::ascending(0));
    let measures = table.defined();
    let rows = sorted(table, &measures, order);
    let width = if document.instance.plan_start().is_some() { DATED } else { FIGURE };
    let (mut picked, mut next) = (None, order);
    let builder = TableBuilder::new(ui)
        .id_salt("plans")
        .striped(true)
        .sense(Sense::click())
        .cell_layout(Layout::right_to_left(Align::Center))
        .auto_shrink(false)
        .column(Column::exact(NAME).clip(true))
        .columns(Column::exact(width).clip(true), measures.len())
        .column(Column::remainder());
    let table_below = builder.header(HEADING, |mut header| {
        let names = table.rows()[0].1.iter().map(|measure| (measure.label, measure.help)).collect::<Vec<_>>();
        let heads = std::iter::once(("Plan", "In the order of the list")).chain(measures.iter().map(|&at| names[at]));
        for (column, (name, help)) in heads.enumerate() {
            header.col(|ui| {
                if heading(ui, (column, name, help), order) {
                    next = order.clicked(column);
                }
            });
        }
        header.col(|_| {});
    });
    table_below.body(|body| {
        body.rows(2.0 * size::ROW - 8.0, rows.len(), |mut row| {
            let at = rows[row.index()];
            let plan = document.state.plans[at].shown;
            let is_shown = plan == document.shown;
            row.set_selected(is_shown);
            row.col(|ui| {
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let name = &table.rows()[at].0;
                    ui.add(Label::new(if is_shown { theme::bold(name) } else { RichText::new(name) }).truncate());
                });
            });
            for &measure in &measures {
                row.col(|ui| cell(ui, table, at, measure));
            }
            row.col(|_| {});
            label_row(&row, is_shown, || words(table, &measures, at));
            if row.response().clicked() {
                picked = Some(plan);
            }
        });
    });
    ui.data_mut(|data| data.insert_temp(id, next));
    picked
}

/// Indices of the plans in the order that a person chose.
fn sorted(table: &MeasureTable, measures: &[usize], order: SortOrder<usize>) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..table.rows().len()).collect();
    if let Some(&measure) = order.by.checked_sub(1).and_then(|at| measures.get(at)) {
        let value = |row: usize| table.rows()[row].1[measure].value.unwrap_or(f64::INFINITY);
        rows.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
    }
    if order.is_descending {
        rows.reverse();
    }
    rows
}

/// Draws a heading that wraps; returns `true` if it was clicked.
fn heading(ui: &mut Ui, (column, name, help): (usize, &str, &str), order: SortOrder<usize>) -> bool {
    let palette = palette(ui.visuals());
    let colour = if order.by == column { palette.accent } else { palette.weak };
    let words = theme::small(order.heading(&column, name)).family(theme::semi_bold()).color(colour);
    let layout = if column == 0 { Layout::left_to_right(Align::Center) } else { Layout::right_to_left(Align::Center) };
    let draw = |ui: &mut Ui| {
        let align = if column == 0 { Align::Min } else { Align::Max };
        let label = Label::new(words).wrap().halign(align).selectable(false).sense(Sense::click());
        let response = ui.add(label).on_hover_text(help);
        label_heading(&response, name);
        response.clicked()
    };
    ui.with_layout(layout, draw).inner
}

/// Draws a figure and, below it, its difference.
fn cell(ui: &mut Ui, table: &MeasureTable, row: usize, measure: usize) {
    let palette = palette(ui.visuals());
    ui.with_layout(Layout::top_down(Align::Max), |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.add_space(space::XS);
        ui.add(Label::new(&table.rows()[row].1[measure].text).truncate());
        let Some((change, order)) = table.change(row, measure) else { return };
        let colour = match order {
            Ordering::Less => palette.good,
            Ordering::Greater => palette.bad,
            Ordering::Equal => palette.weak,
        };
        let change = if order.is_eq() { "the same".to_owned() } else { change };
        ui.add(Label::new(theme::small(change).color(colour)).truncate());
    });
}

/// «Run 2: Makespan 128, +3 worse; Total tardiness 40».
fn words(table: &MeasureTable, measures: &[usize], row: usize) -> String {
    let (name, own) = &table.rows()[row];
    let of = |&measure: &usize| {
        let change = table.change(row, measure).filter(|(_, order)| order.is_ne());
        let change = change.map_or_else(String::new, |(words, order)| format!(", {words}{}", verdict(order)));
        format!("{} {}{change}", own[measure].label, own[measure].text)
    };
    format!("{name}: {}", measures.iter().map(of).collect::<Vec<_>>().join("; "))
}
