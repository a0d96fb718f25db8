//! The twin of the grid: periods as columns, exams as chips.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_timetabling::Instance;
use gridwright_timetabling::run::holding::Held;

use super::analysis::{Picture, days};
use super::describe::{counted, exam_line, tooltip};
use super::grid::legend;
use super::search;
use super::views;
use super::{Document, adjusting, without_place};
use crate::methods::*;
use crate::widgets::columns::{self, Chip, Column, Content, Plan};
use gridwright_window::theme::{Palette, palette, space};
use gridwright_window::widgets::controls;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::Overlay;

/// The columns; chips of exams that are not `admitted` are dimmed, for the columns would say wrong sums without them.
fn build(instance: &Instance, picture: &Picture, largest: u32, admitted: &[bool], palette: &Palette) -> Vec<Column> {
    let fullest = picture.students.iter().copied().max().unwrap_or(0).max(1);
    let chip = |exam: usize| {
        let data = &instance.exams[exam];
        let (strength, alarm) = (picture.strength(exam), picture.clashes[exam] > 0);
        let seen = admitted.get(exam).copied().unwrap_or(true);
        let fill = if alarm { palette.clash } else { palette.cost(strength) };
        let ink = if alarm { palette.on_clash() } else { palette.on_cost(strength) };
        Chip {
            key: exam,
            name: data.code.clone(),
            number: grouped(i64::from(data.enrolment)),
            weight: data.enrolment as f32 / largest.max(1) as f32,
            fill: if seen { fill } else { fill.lerp_to_gamma(palette.surface, 0.85) },
            ink: if seen { ink } else { palette.faint },
            alarm: alarm && seen,
        }
    };
    let column = |(period, exams): (usize, &Vec<usize>)| {
        let mut exams = exams.clone();
        exams.sort_by_key(|&exam| (std::cmp::Reverse(instance.exams[exam].enrolment), exam));
        let (title, subtitle) = title(instance, period);
        let students = picture.students[period];
        let seats = instance.periods.get(period).and_then(|period| period.seats).map(u64::from);
        let total = match seats {
            Some(seats) => format!("{} / {}", grouped(students as i64), grouped(seats as i64)),
            None => grouped(students as i64),
        };
        Column {
            title,
            subtitle,
            count: counted(exams.len() as u64, "exam"),
            total,
            load: students as f32 / seats.unwrap_or(fullest).max(1) as f32,
            overfull: seats.is_some_and(|seats| students > seats),
            chips: exams.into_iter().map(chip).collect(),
        }
    };
    let mut columns: Vec<Column> = picture.by_period.iter().enumerate().map(column).collect();
    let unplaced = picture.timetable.unplaced_exams();
    if !unplaced.is_empty() {
        let chips = unplaced.iter().map(|&exam| Chip { alarm: true, ..chip(exam) }).collect();
        let (title, count) = ("No period".to_owned(), counted(unplaced.len() as u64, "exam"));
        columns.push(Column { title, count, chips, ..Column::default() });
    }
    columns
}

/// The number of a period, and its time where the days stand above.
fn title(instance: &Instance, period: usize) -> (String, String) {
    let number = format!("Period {}", period + 1);
    let time = instance.periods.get(period).and_then(|data| {
        let start = data.start?.format("%H:%M");
        Some(data.end.map_or_else(|| start.to_string(), |end| format!("{start}–{}", end.format("%H:%M"))))
    });
    let label = instance.period_label(period);
    let day = if label == number { String::new() } else { label };
    (number, time.unwrap_or(day))
}

/// Shows the columns.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let palette = palette(ui.visuals());
    toolbar(ui, document, palette);
    let instance = Arc::clone(&document.instance);
    let key = (document.revision(), ui.visuals().dark_mode, document.state.views.filter.clone());
    let moves = document.selected.filter(|&exam| exam < instance.exam_count()).map(|exam| document.effects(exam));
    let state = &mut document.state.periods;
    if state.key.as_ref() != Some(&key) {
        state.admitted = document.state.views.filter.admitted(&instance, &picture);
        state.columns = build(&instance, &picture, document.state.facts.largest_exam, &state.admitted, palette);
        state.plan = Plan::of(&state.columns);
        (state.days, state.key) = (days(&instance), Some(key));
    }
    if document.selected != state.seen {
        state.seen = document.selected;
        document.selected.inspect(|&exam| state.view.reveal(exam));
    }
    let summary = format!("Periods as columns, {} periods, {} exams", instance.period_count(), instance.exam_count());
    let here = document.selected.and_then(|exam| picture.timetable.period_of(exam));
    let largest = moves.as_ref().map_or(0, |moves| adjusting::largest_change(moves));
    let admitted = |exam: usize| state.admitted.get(exam).copied().unwrap_or(true);
    let describe = |exam: usize| match exam_line(&instance, &picture, exam) {
        line if admitted(exam) => line,
        line => format!("{line}, left out by the filter"),
    };
    let pinned = |exam: usize| {
        instance.rules.pin_of(exam)?;
        let clashes = picture.clashes.get(exam).is_some_and(|&clashes| clashes > 0);
        let ink = match () {
            () if !admitted(exam) => palette.faint,
            () if clashes => palette.on_clash(),
            () => palette.on_cost(picture.strength(exam)),
        };
        Some(Overlay { icon: Some((Icon::Pin, ink)), ..Overlay::default() })
    };
    let effect = |column: usize| {
        let one = moves.as_ref()?.get(column).filter(|one| here != Some(one.period))?;
        let fill = match adjusting::shade(palette, one, largest) {
            Some(colour) => colour.gamma_multiply(0.6),
            None if one.broken.is_empty() => palette.blocked,
            None => palette.bad.gamma_multiply(0.08),
        };
        Some(Overlay { fill: Some(fill), ..Overlay::default() })
    };
    let content = Content {
        columns: &state.columns,
        plan: &state.plan,
        groups: &state.days,
        selected: document.selected,
        describe: &describe,
        chip_overlay: &pinned,
        column_overlay: &effect,
        summary: &summary,
    };
    let outcome = columns::show(ui, &content, &mut state.view);
    follow(ui, document, outcome, &picture);
}

/// Applies the user's clicks, drags and keys on the columns.
fn follow(ui: &Ui, document: &mut Document, outcome: columns::Outcome, picture: &Picture) {
    let instance = Arc::clone(&document.instance);
    document.canvas_focused = outcome.response.has_focus();
    if let Some(clicked) = outcome.clicked {
        document.selected = if clicked == document.selected { None } else { clicked };
        document.state.periods.seen = document.selected;
    }
    if let Some(exam) = outcome.stepped {
        document.selected = Some(exam);
    }
    let from_list = without_place::dragged(&outcome.response, outcome.over);
    if let Some((exam, over)) = outcome.dragged.or(from_list.over) {
        document.selected = Some(exam);
        document.state.periods.seen = document.selected;
        if let Some(period) = over.filter(|_| outcome.dropped.is_none() && from_list.dropped.is_none()) {
            adjusting::drag_hint(ui, document, exam, period);
        }
    }
    if let Some((exam, period)) =
        outcome.dropped.or(from_list.dropped).filter(|&(_, period)| period < instance.period_count())
    {
        document.selected = Some(exam);
        adjusting::drop_or_say(ui, document, Held { exam, period });
    }
    if let Some(exam) = outcome.hovered {
        outcome.response.on_hover_ui_at_pointer(|ui| tooltip(ui, &instance, picture, exam, None));
    } else if let Some(column) = outcome.hovered_head.and_then(|index| document.state.periods.columns.get(index)) {
        let text = format!("{} {}\n{}, {} students", column.title, column.subtitle, column.count, column.total);
        outcome.response.on_hover_text_at_pointer(text);
    }
}

fn toolbar(ui: &mut Ui, document: &mut Document, palette: &Palette) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        let shown = document.state.periods.admitted.iter().filter(|&&admitted| admitted).count();
        views::filter_menu(ui, document, shown);
        search::field(ui, document, 168.0);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let view = &mut document.state.periods.view;
            let fitted = view.is_fitted();
            if controls::icon_button(ui, Icon::Fit, "Fit all periods into the view", !fitted).clicked() {
                view.fit();
            }
            let actual = egui::Button::new("Actual size").min_size(egui::vec2(0.0, 26.0));
            if ui.add(actual).on_hover_text("Chips at the size at which they are read best").clicked() {
                view.actual_size();
            }
            if ui.available_width() > 250.0 {
                legend(ui, palette);
            }
        });
    });
}
