//! All exams as a table: the same data as the pictures, for the keyboard, for screen readers and for sorting.

use std::sync::Arc;

use egui::{Label, RichText, Ui};
use egui_extras::Column;
use gridwright_core::numbers::grouped;
use gridwright_core::text::order::list_key;

use gridwright_timetabling::{Instance, rooms_of_exams};

use super::Document;
use super::analysis::Picture;
use super::describe::short_cost;
use super::search;
use super::view_state::exams::{By, State};
use super::views::{self, Sort};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::right;
use gridwright_window::widgets::table::{Table, TableColumn, label_row};

fn sorted(instance: &Instance, picture: &Picture, state: &State) -> Vec<usize> {
    let mut order = state.shown.exams.clone();
    let exam = |exam: usize| &instance.exams[exam];
    match state.order.by {
        By::Code => order.sort_by(|&a, &b| exam(a).code.cmp(&exam(b).code)),
        By::Title => order.sort_by(|&a, &b| exam(a).title.cmp(&exam(b).title)),
        By::Students => order.sort_by_key(|&e| exam(e).enrolment),
        By::Conflicts => order.sort_by_key(|&e| instance.conflicts.degree(e)),
        By::Rooms => order.sort_by_cached_key(|&e| state.rooms.get(e).map(|rooms| list_key(rooms))),
        By::Period => order.sort_by_key(|&e| picture.timetable.periods[e]),
        By::Share => order.sort_by_key(|&e| picture.shares[e]),
    }
    if state.order.is_descending {
        order.reverse();
    }
    order
}

/// Width in points of a date with its start, and with start and end.
const DATED: (f32, f32) = (112.0, 156.0);

/// Date and times of a period; without the end if there is little room.
fn when(instance: &Instance, period: usize, is_narrow: bool) -> String {
    let label = instance.period_label(period);
    if is_narrow { label.split('–').next().unwrap_or_default().to_owned() } else { label }
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
    let key = (state.shown.generation, state.order);
    if state.key != Some(key) {
        state.rooms = rooms_of_exams(&instance, &picture.timetable);
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
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette.surface);
    let is_narrow = ui.available_width() < 640.0;
    let (gap, width, code, dated) = if is_narrow { (10.0, 60.0, 88.0, DATED.0) } else { (16.0, 86.0, 104.0, DATED.1) };
    ui.spacing_mut().item_spacing = egui::vec2(gap, 0.0);
    let column = |by: By, name: &'static str, size: Column| {
        let column = match by {
            By::Code | By::Title | By::Rooms => TableColumn::text(name, size.clip(true)),
            _ => TableColumn::number(name, size),
        };
        column.sorted(by, format!("Sort by {}", name.to_lowercase()))
    };
    let number = |by: By, name: &'static str| column(by, name, Column::exact(width));
    let has_dates = (0..instance.period_count()).any(|period| instance.has_date(period));
    let has_rooms = !document.state.exams.rooms.is_empty();
    let mut columns = vec![
        column(By::Code, "Code", Column::exact(code)),
        column(By::Title, "Title", Column::remainder().at_least(60.0)),
        number(By::Students, "Students"),
        number(By::Conflicts, "Conflicts"),
        if has_dates {
            column(By::Period, "Date and time", Column::exact(dated))
        } else {
            number(By::Period, "Period")
        },
        number(By::Share, "Cost share"),
    ];
    if has_rooms {
        columns.insert(5, column(By::Rooms, "Rooms", Column::exact(width + 10.0)));
    }
    // In a narrow window rooms take the place of conflicts.
    let has_conflicts = !(is_narrow && has_rooms);
    if !has_conflicts {
        columns.remove(3);
    }
    let (state, selected) = (&mut document.state.exams, document.selected);
    let reveal = selected.filter(|_| selected != state.seen);
    let reveal = reveal.and_then(|exam| state.rows.iter().position(|&other| other == exam)).map(|row| (row, None));
    state.seen = selected;
    let table = Table { id: "exams", columns, order: state.order, is_striped: false, reveal };
    let outcome = table.show(ui, state.rows.len(), |row, index| {
        let exam = state.rows[index];
        let data = &instance.exams[exam];
        row.set_selected(selected == Some(exam));
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
            match period {
                Some(period) if has_dates => when(instance, period, is_narrow),
                Some(period) => (period + 1).to_string(),
                None => "none".to_owned(),
            },
            if clash { "clash".to_owned() } else { short_cost(instance, picture.shares[exam]) },
        ];
        for (index, cell) in cells.iter().enumerate() {
            if index == 1 && !has_conflicts {
                continue;
            }
            let bad = (index == 3 && clash) || (index == 2 && period.is_none());
            if index == 3 && has_rooms {
                row.col(|ui| {
                    ui.add(Label::new(RichText::new(&state.rooms[exam]).color(palette.text)).truncate());
                });
            }
            row.col(|ui| right(ui, cell, if bad { palette.bad } else { palette.text }));
        }
        label_row(row, selected == Some(exam), || {
            let period = if has_dates { "" } else { "period " };
            format!("Exam {}, {} students, {period}{}", data.code, cells[0], cells[2])
        });
    });
    state.order = outcome.order.unwrap_or(state.order);
    if let Some(&exam) = outcome.row.and_then(|row| state.rows.get(row)) {
        document.selected = if selected == Some(exam) { None } else { Some(exam) };
        document.state.exams.seen = document.selected;
    }
}
