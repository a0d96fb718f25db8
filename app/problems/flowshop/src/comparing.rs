//! All plans beside each other: a table of plans and objectives, with the differences to one of the plans.

use std::sync::Arc;

use egui::{ScrollArea, Ui};
use gridwright_core::planning::{Measure, MeasureTable};
use gridwright_flowshop::check::check;
use gridwright_flowshop::{Order, measures};

use super::Document;
use crate::methods::*;
use gridwright_window::document::frames;
use gridwright_window::runs::Shown;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{button, placeholder};
use gridwright_window::widgets::figures::{DATED, FIGURE, Figures};
use gridwright_window::widgets::icons::Icon;

/// Width in points of the column of names.
const NAME: f32 = 128.0;

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
    let width = if document.instance.plan_start().is_some() { DATED } else { FIGURE };
    let shown = document.state.plans.iter().position(|row| row.shown == document.shown);
    let figures =
        Figures { id: "plans", table: &table, name: ("Plan", "In the order of the list", NAME), width, shown };
    let picked = ScrollArea::horizontal().show(ui, |ui| figures.show(ui)).inner;
    match picked.map(|row| document.state.plans[row].shown) {
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
