//! All exams as a table: the same data as the pictures, for the keyboard, for screen readers and for sorting.

use std::sync::Arc;

use egui::{Align, Label, Layout, RichText, Sense, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder};
use gridwright_core::numbers::grouped;

use gridwright_timetabling::Instance;

use super::Document;
use super::analysis::Picture;
use super::describe::short_cost;
use super::search;
use super::view_state::exams::{By, State};
use super::views::{self, Sort};
use gridwright_window::theme::{self, palette, size, space, text};
use gridwright_window::widgets::controls::right;

const HEADINGS: [(By, &str, bool); 6] = [
    (By::Code, "Code", false),
    (By::Title, "Title", false),
    (By::Students, "Students", true),
    (By::Conflicts, "Conflicts", true),
    (By::Period, "Period", true),
    (By::Share, "Cost share", true),
];

fn sorted(instance: &Instance, picture: &Picture, state: &State) -> Vec<usize> {
    let mut order = state.shown.exams.clone();
    let exam = |exam: usize| &instance.exams[exam];
    match state.by {
        By::Code => order.sort_by(|&a, &b| exam(a).code.cmp(&exam(b).code)),
        By::Title => order.sort_by(|&a, &b| exam(a).title.cmp(&exam(b).title)),
        By::Students => order.sort_by_key(|&e| exam(e).enrolment),
        By::Conflicts => order.sort_by_key(|&e| instance.conflicts.degree(e)),
        By::Period => order.sort_by_key(|&e| picture.timetable.periods[e]),
        By::Share => order.sort_by_key(|&e| picture.shares[e]),
    }
    if state.falling {
        order.reverse();
    }
    order
}

/// Shows the table.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let instance = Arc::clone(&document.instance);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        let shown = document.state.exams.rows.len();
        views::filter_menu(ui, document, shown);
        search::field(ui, document, 168.0);
    });
    let revision = document.revision();
    let state = &mut document.state.exams;
    state.shown.update(&instance, &picture, revision, Sort::Name, &document.state.views.filter);
    let key = (state.shown.generation, state.by, state.falling);
    if state.key != Some(key) {
        (state.rows, state.key) = (sorted(&instance, &picture, state), Some(key));
    }
    if state.rows.is_empty() {
        views::nothing_left(ui, document);
        return;
    }
    table(ui, document, &instance, &picture);
}

fn table(ui: &mut Ui, document: &mut Document, instance: &Instance, picture: &Picture) {
    let palette = palette(ui.visuals());
    let (mut clicked, mut sorted) = (None, None);
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette.surface);
    let (gap, width) = if ui.available_width() < 640.0 { (10.0, 66.0) } else { (16.0, 86.0) };
    ui.spacing_mut().item_spacing = egui::vec2(gap, 0.0);
    let number_column = Column::exact(width);
    let mut table = TableBuilder::new(ui)
        .sense(Sense::click())
        .cell_layout(Layout::left_to_right(Align::Center))
        .auto_shrink(false)
        .column(Column::exact(104.0).clip(true))
        .column(Column::remainder().at_least(60.0).clip(true))
        .columns(number_column, 4)
        // Room for the scroll bar.
        .column(Column::exact(1.0));
    if document.selected != document.state.exams.seen {
        document.state.exams.seen = document.selected;
        let row = document.selected.and_then(|exam| document.state.exams.rows.iter().position(|&other| other == exam));
        if let Some(row) = row {
            table = table.scroll_to_row(row, None);
        }
    }
    let table = table.header(size::ROW, |mut row| {
        for (by, name, right) in HEADINGS {
            row.col(|ui| {
                let layout =
                    if right { Layout::right_to_left(Align::Center) } else { Layout::left_to_right(Align::Center) };
                ui.with_layout(layout, |ui| {
                    let on = document.state.exams.by == by;
                    let words = RichText::new(name).size(text::SMALL).family(theme::semi_bold());
                    let words = words.color(if on { palette.accent } else { palette.weak });
                    let button = egui::Button::new(words).frame(false);
                    if ui.add(button).on_hover_text(format!("Sort by {}", name.to_lowercase())).clicked() {
                        sorted = Some(by);
                    }
                });
            });
        }
    });
    table.body(|body| {
        body.rows(size::ROW, document.state.exams.rows.len(), |mut row| {
            let exam = document.state.exams.rows[row.index()];
            let data = &instance.exams[exam];
            row.set_selected(document.selected == Some(exam));
            row.col(|ui| {
                ui.add(Label::new(theme::bold(&data.code).color(palette.text)).truncate());
            });
            row.col(|ui| {
                ui.add(Label::new(RichText::new(&data.title).color(palette.text)).truncate());
            });
            let period = picture.timetable.period_of(exam);
            let clash = picture.clashes[exam] > 0;
            let cells = [
                grouped(i64::from(data.enrolment)),
                instance.conflicts.degree(exam).to_string(),
                period.map_or_else(|| "none".to_owned(), |period| (period + 1).to_string()),
                if clash { "clash".to_owned() } else { short_cost(instance, picture.shares[exam]) },
            ];
            for (index, cell) in cells.iter().enumerate() {
                let bad = (index == 3 && clash) || (index == 2 && period.is_none());
                let colour = if bad { palette.bad } else { palette.text };
                row.col(|ui| right(ui, cell, colour));
            }
            let response = row.response();
            let label = format!("Exam {}, {} students, period {}", data.code, cells[0], cells[2]);
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Row, true, &label));
            if response.clicked() {
                clicked = Some(exam);
            }
        });
    });
    if let Some(by) = sorted {
        let falling = if document.state.exams.by == by {
            !document.state.exams.falling
        } else {
            !matches!(by, By::Code | By::Title | By::Period)
        };
        (document.state.exams.by, document.state.exams.falling) = (by, falling);
    }
    if let Some(exam) = clicked {
        document.selected = if document.selected == Some(exam) { None } else { Some(exam) };
        document.state.exams.seen = document.selected;
    }
}
