//! All exams as a table: the same data as the pictures, for the keyboard, for screen readers and for sorting.

use egui::{Align, Label, Layout, RichText, Sense, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder};
use gridwright_solver::timetabling::Instance;

use super::Desk;
use super::analysis::Picture;
use crate::theme::{self, palette, size, text};
use crate::widgets::convergence::number;
use crate::widgets::parameters::grouped;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum By {
    #[default]
    Code,
    Title,
    Students,
    Conflicts,
    Period,
    Share,
}

const HEADINGS: [(By, &str, bool); 6] = [
    (By::Code, "Code", false),
    (By::Title, "Title", false),
    (By::Students, "Students", true),
    (By::Conflicts, "Conflicts", true),
    (By::Period, "Period", true),
    (By::Share, "Cost share", true),
];

/// How the table is sorted.
#[derive(Debug, Default)]
pub struct State {
    by: By,
    falling: bool,
}

fn order(instance: &Instance, picture: &Picture, state: &State) -> Vec<usize> {
    let mut order: Vec<usize> = (0..instance.exam_count()).collect();
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
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let Some(picture) = desk.picture() else { return };
    let palette = palette(ui.visuals());
    let instance = std::sync::Arc::clone(&desk.instance);
    let order = order(&instance, picture, &desk.exams);
    let (mut clicked, mut sorted) = (None, None);
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette.surface);
    ui.spacing_mut().item_spacing = egui::vec2(16.0, 0.0);
    let number_column = Column::exact(86.0);
    let table = TableBuilder::new(ui)
        .sense(Sense::click())
        .cell_layout(Layout::left_to_right(Align::Center))
        .auto_shrink(false)
        .column(Column::exact(104.0).clip(true))
        .column(Column::remainder().at_least(80.0).clip(true))
        .columns(number_column, 4)
        // Room for the scroll bar.
        .column(Column::exact(1.0));
    let table = table.header(size::ROW, |mut row| {
        for (by, name, right) in HEADINGS {
            row.col(|ui| {
                let layout =
                    if right { Layout::right_to_left(Align::Center) } else { Layout::left_to_right(Align::Center) };
                ui.with_layout(layout, |ui| {
                    let on = desk.exams.by == by;
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
        body.rows(size::ROW, order.len(), |mut row| {
            let exam = order[row.index()];
            let data = &instance.exams[exam];
            row.set_selected(desk.selected == Some(exam));
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
                if clash { "clash".to_owned() } else { number(instance.shown(picture.shares[exam])) },
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
        let falling =
            if desk.exams.by == by { !desk.exams.falling } else { !matches!(by, By::Code | By::Title | By::Period) };
        desk.exams = State { by, falling };
    }
    if let Some(exam) = clicked {
        desk.selected = if desk.selected == Some(exam) { None } else { Some(exam) };
    }
}

/// A number at the right edge of its cell.
pub fn right(ui: &mut Ui, words: &str, colour: egui::Color32) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add(Label::new(RichText::new(words).color(colour)));
    });
}
