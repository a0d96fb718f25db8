//! The tables of a report in the window: one at a time, chosen by section and name.

use egui::{Align, Label, Layout, RichText, ScrollArea, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder};
use gridwright_campaign::report::tables::{Cell, Table};

use super::summary::Summary;
use crate::theme::{self, palette, size, space};
use crate::widgets::choices::Choices;
use crate::widgets::controls::{placeholder, right, segmented};
use crate::widgets::icons::Icon;

/// Smallest and largest width of a column in points.
const WIDTHS: (f32, f32) = (36.0, 420.0);

/// Rows that are measured for the widths of columns.
const MEASURED: usize = 200;

const FIRST: &str = "summary";

pub(crate) fn show(ui: &mut Ui, summary: Option<&Summary>) {
    let sections = summary.map_or(&[][..], |summary| &summary.report.sections);
    let with_tables: Vec<_> = sections.iter().filter(|part| !part.tables.is_empty()).collect();
    if with_tables.is_empty() {
        let text = "Best, mean, median, deviation, gap and hits of each algorithm on each instance stand here once the first run has \
                    ended.";
        placeholder(ui, Icon::Grid, "No finished runs yet", text, |_| {});
        return;
    }
    let id = ui.scope_id().with("chosen table");
    let (mut section, mut name): (usize, String) =
        ui.data(|data| data.get_temp(id)).unwrap_or_else(|| (0, FIRST.to_owned()));
    section = section.min(with_tables.len() - 1);
    ui.horizontal_wrapped(|ui| {
        if with_tables.len() > 1 {
            let help = "Runs of one problem, one limit and one set of options are compared with each other";
            Choices::new("Section", with_tables[section].title.as_str()).width(300.0).help(help).show(ui, |ui| {
                for (index, part) in with_tables.iter().enumerate() {
                    ui.selectable_value(&mut section, index, part.title.as_str());
                }
            });
        }
        let tables = &with_tables[section].tables;
        let choices: Vec<_> = tables.iter().map(|table| (table.title.as_str(), table.reading.as_str(), true)).collect();
        let chosen = tables.iter().position(|table| table.name == name).unwrap_or(0);
        if let Some(table) = segmented(ui, &choices, Some(chosen)).and_then(|index| tables.get(index)) {
            name = table.name.to_string();
        }
    });
    let tables = &with_tables[section].tables;
    let table = tables.iter().find(|table| table.name == name.as_str()).unwrap_or(&tables[0]);
    ui.add(Label::new(theme::small(table.reading.as_str()).color(palette(ui.visuals()).weak)).wrap());
    ui.add_space(space::XS);
    if !table.rows.is_empty() {
        body(ui, table, (section, name.as_str()));
    }
    ui.data_mut(|data| data.insert_temp(id, (section, name)));
}

/// Widths of the columns for their heads and the first rows.
fn widths(ui: &Ui, table: &Table) -> Vec<f32> {
    let measure = |text: &str, size: f32| {
        ui.painter().layout_no_wrap(text.to_owned(), theme::font(size), egui::Color32::PLACEHOLDER).size().x
    };
    let width = |column: usize| {
        let head = measure(table.columns[column], theme::text::SMALL);
        let cells = table.rows.iter().take(MEASURED).filter_map(|row| row.get(column));
        let widest = cells.map(|cell| measure(&cell.shown(), theme::text::BODY)).fold(head, f32::max);
        (widest + space::S).clamp(WIDTHS.0, WIDTHS.1).ceil()
    };
    (0..table.columns.len()).map(width).collect()
}

/// True if the column holds numbers, which are right-aligned.
fn is_number(table: &Table, column: usize) -> bool {
    table.rows.iter().filter_map(|row| row.get(column)).all(|cell| cell.is_number() || *cell == Cell::Empty)
}

/// Shows the rows of a table below its heads; what is wider than the window scrolls.
fn body(ui: &mut Ui, table: &Table, salt: (usize, &str)) {
    let palette = palette(ui.visuals());
    let numbers: Vec<bool> = (0..table.columns.len()).map(|column| is_number(table, column)).collect();
    let widths = widths(ui, table);
    ScrollArea::horizontal().id_salt(("table", salt)).auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(space::M, 0.0);
        let mut builder = TableBuilder::new(ui)
            .id_salt(("rows", salt))
            .striped(true)
            .auto_shrink(false)
            .cell_layout(Layout::left_to_right(Align::Center));
        for &width in &widths {
            builder = builder.column(Column::exact(width).clip(true));
        }
        let builder = builder.column(Column::remainder()).header(size::ROW, |mut header| {
            for (&name, &is_number) in table.columns.iter().zip(&numbers) {
                header.col(|ui| {
                    let words = RichText::new(name).size(theme::text::SMALL).color(palette.weak);
                    let align = if is_number { Align::Max } else { Align::Min };
                    ui.with_layout(Layout::top_down(align), |ui| ui.add(Label::new(words).extend()));
                });
            }
            header.col(|_| {});
        });
        builder.body(|body| {
            body.rows(size::ROW, table.rows.len(), |mut row| {
                let cells = &table.rows[row.index()];
                for (cell, &is_number) in cells.iter().zip(&numbers) {
                    row.col(|ui| show_cell(ui, cell, is_number));
                }
                row.col(|_| {});
                let words = || cells.iter().zip(&table.columns).map(|(cell, head)| format!("{head} {}", cell.shown()));
                let label = || words().collect::<Vec<_>>().join(", ");
                row.response().widget_info(|| WidgetInfo::labeled(egui::Role::Row, true, label()));
            });
        });
    });
}

fn show_cell(ui: &mut Ui, cell: &Cell, is_number: bool) {
    let palette = palette(ui.visuals());
    if is_number {
        let colour = if *cell == Cell::Empty { palette.faint } else { palette.text };
        right(ui, &cell.shown(), colour);
    } else {
        ui.add(Label::new(cell.shown()).truncate());
    }
}
