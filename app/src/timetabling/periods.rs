//! The twin of the grid: periods as columns, exams as chips.

use egui::Ui;
use gridwright_solver::timetabling::Instance;

use super::Desk;
use super::analysis::Picture;
use super::grid::tooltip;
use crate::theme::{Palette, palette};
use crate::widgets::columns::{self, Chip, Column};
use crate::widgets::parameters::grouped;

/// The columns of the picture that was shown last.
#[derive(Debug, Default)]
pub struct Cache {
    key: Option<(u64, bool)>,
    columns: Vec<Column>,
}

fn exam_count(count: usize) -> String {
    format!("{count} exam{}", if count == 1 { "" } else { "s" })
}

fn build(instance: &Instance, picture: &Picture, largest: u32, palette: &Palette) -> Vec<Column> {
    let chip = |exam: usize| {
        let data = &instance.exams[exam];
        let (strength, alarm) = (picture.strength(exam), picture.clashes[exam] > 0);
        Chip {
            key: exam,
            name: data.code.clone(),
            number: grouped(i64::from(data.enrolment)),
            weight: data.enrolment as f32 / largest.max(1) as f32,
            fill: if alarm { palette.clash } else { palette.cost(strength) },
            ink: if alarm { palette.on_clash() } else { palette.on_cost(strength) },
            alarm,
        }
    };
    let column = |(period, exams): (usize, &Vec<usize>)| {
        let mut exams = exams.clone();
        exams.sort_by_key(|&exam| (std::cmp::Reverse(instance.exams[exam].enrolment), exam));
        let label = instance.period_label(period);
        let (title, subtitle) = label.split_once(", ").unwrap_or((&label, ""));
        Column {
            title: title.to_owned(),
            subtitle: subtitle.to_owned(),
            count: exam_count(exams.len()),
            total: grouped(picture.students[period] as i64),
            chips: exams.into_iter().map(chip).collect(),
        }
    };
    let mut columns: Vec<Column> = picture.by_period.iter().enumerate().map(column).collect();
    let unplaced = picture.timetable.unplaced_exams();
    if !unplaced.is_empty() {
        let chips = unplaced.iter().map(|&exam| Chip { alarm: true, ..chip(exam) }).collect();
        let (title, count) = ("No period".to_owned(), exam_count(unplaced.len()));
        columns.push(Column { title, count, chips, ..Column::default() });
    }
    columns
}

/// Shows the columns.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let Some(picture) = desk.picture() else { return };
    let palette = palette(ui.visuals());
    let key = (desk.revision(), ui.visuals().dark_mode);
    if desk.periods.key != Some(key) {
        let columns = build(&desk.instance, picture, desk.facts.largest_exam, palette);
        desk.periods = Cache { key: Some(key), columns };
    }
    let instance = std::sync::Arc::clone(&desk.instance);
    let summary = format!("Periods as columns, {} periods, {} exams", instance.period_count(), instance.exam_count());
    let outcome = columns::show(ui, &desk.periods.columns, desk.selected, &summary);
    if let Some(clicked) = outcome.clicked {
        desk.selected = if clicked == desk.selected { None } else { clicked };
    }
    if let (Some(exam), Some(picture)) = (outcome.hovered, desk.picture()) {
        outcome.response.on_hover_ui_at_pointer(|ui| tooltip(ui, &instance, picture, exam, None));
    }
}
