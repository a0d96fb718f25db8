//! Table of solutions and their figures, with the differences to one of them, sorted by a click on a heading.

use std::cmp::Ordering;

use egui::{Align, Label, Layout, RichText, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use gridwright_core::planning::MeasureTable;
use gridwright_core::planning::measures::verdict;

use super::table::{SortOrder, label_heading, label_row};
use crate::theme::{self, palette, size, space};

/// Width in points of the column of a figure.
pub const FIGURE: f32 = 96.0;

/// Width in points of the column of a date with a time of day.
pub const DATED: f32 = 124.0;

/// Heights in points of headings of two and of four lines.
const HEADINGS: [f32; 2] = [36.0, 66.0];

/// Number of letters of a heading that has its place in two lines.
const TWO_LINES: usize = 26;

/// Table of figures to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Figures<'a> {
    /// Name of the table within its view.
    pub id: &'static str,
    /// Solutions and figures.
    pub table: &'a MeasureTable,
    /// Heading of the column of names, its tooltip, and its width in points.
    pub name: (&'static str, &'static str, f32),
    /// Width in points of the columns of figures.
    pub width: f32,
    /// Index of the solution that is marked.
    pub shown: Option<usize>,
}

impl Figures<'_> {
    /// Draws the table and returns the index of the solution that was clicked.
    pub fn show(self, ui: &mut Ui) -> Option<usize> {
        let Self { id, table, name: (caption, meaning, name_width), width, shown } = self;
        let sorted_by = ui.scope_id().with((id, "sorted by"));
        // Column 0 is that of the names, in their own order.
        let order: SortOrder<usize> = ui.data(|data| data.get_temp(sorted_by)).unwrap_or(SortOrder::ascending(0));
        let measures = table.defined();
        let rows = sorted(table, &measures, order);
        let (mut picked, mut next) = (None, order);
        let names = table.rows().first().map_or(&[][..], |row| &row.1);
        let is_short = measures.iter().all(|&at| names[at].label.chars().count() <= TWO_LINES);
        let height = HEADINGS[usize::from(!is_short)];
        let builder = TableBuilder::new(ui)
            .id_salt(id)
            .striped(true)
            .sense(Sense::click())
            .cell_layout(Layout::right_to_left(Align::Center))
            .auto_shrink(false)
            .min_scrolled_height(0.0)
            .column(Column::exact(name_width).clip(true))
            .columns(Column::exact(width).clip(true), measures.len())
            .column(Column::remainder());
        let table_below = builder.header(height, |mut header| {
            let of = |&at: &usize| (names[at].label, names[at].help);
            let heads = std::iter::once((caption, meaning)).chain(measures.iter().map(of));
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
                let is_shown = shown == Some(at);
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
                    picked = Some(at);
                }
            });
        });
        ui.data_mut(|data| data.insert_temp(sorted_by, next));
        picked
    }
}

/// Indices of the solutions in the order that a person chose.
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
