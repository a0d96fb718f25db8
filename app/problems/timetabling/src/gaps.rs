//! View of the gaps between the exams of a student, in periods, and their cost.

use std::sync::Arc;

use egui::{Frame, Grid, Margin, RichText, ScrollArea, Ui};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::{Instance, PROXIMITY_WEIGHTS};

use super::Document;
use super::analysis::{Picture, Sitting};
use super::describe::{counted, per_student, short_cost};
use crate::methods::*;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::bars::{self, Bars};

/// Gaps around one exam: distances, in periods, to its students' exams before and after it.
fn around(instance: &Instance, picture: &Picture, sitting: &Sitting, exam: usize) -> Vec<u64> {
    let mut gaps = vec![0; instance.period_count()];
    let Some(here) = picture.timetable.period_of(exam) else { return gaps };
    for &student in sitting.students_of(exam) {
        let others = instance.students.exams_of(student as usize).iter().map(|&other| usize::from(other));
        let (mut before, mut after): (Option<usize>, Option<usize>) = (None, None);
        for period in others.filter(|&other| other != exam).filter_map(|other| picture.timetable.period_of(other)) {
            if period <= here {
                before = before.max(Some(period));
            } else {
                after = Some(after.map_or(period, |nearest| nearest.min(period)));
            }
        }
        for gap in [before, after].into_iter().flatten().map(|period| period.abs_diff(here)) {
            if let Some(slot) = gaps.get_mut(gap) {
                *slot += 1;
            }
        }
    }
    gaps
}

/// Gaps between the consecutive exams of one student.
fn of_student(instance: &Instance, picture: &Picture, student: usize) -> Vec<u64> {
    let mut gaps = vec![0; instance.period_count()];
    let exams = instance.students.exams_of(student).iter();
    let mut periods: Vec<usize> = exams.filter_map(|&exam| picture.timetable.period_of(usize::from(exam))).collect();
    periods.sort_unstable();
    for pair in periods.windows(2) {
        if let Some(slot) = gaps.get_mut(pair[1] - pair[0]) {
            *slot += 1;
        }
    }
    gaps
}

/// Shows the distribution of gaps and the cost by distance.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
    let Some(people) = document.people(ui.ctx()) else { return };
    let all = &people.counts.gaps;
    let mut parts: Vec<(String, Vec<u64>, &str)> = vec![(
        "All students: periods from one exam to the next".to_owned(),
        all.clone(),
        "times a student's next exam is",
    )];
    if let Some(exam) = document.selected {
        let title = format!("Exam {}: periods to the exams before and after it", instance.exams[exam].code);
        parts.push((title, around(&instance, &picture, &document.facts.sitting, exam), "exams before or after it are"));
    }
    if let Some(student) = document.views.students.selected() {
        let title = format!("Student {}: periods from one exam to the next", instance.students.code(student));
        parts.push((title, of_student(&instance, &picture, student), "next exams are"));
    }
    Frame::new().fill(palette.surface).inner_margin(Margin::symmetric(8, 8)).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let height = ((ui.available_height() - 226.0) / parts.len() as f32 - 44.0).clamp(84.0, 360.0);
            for (title, gaps, what) in &parts {
                distribution(ui, title, gaps, what, height);
                ui.add_space(space::M);
            }
            cost_table(ui, &instance, &picture);
        });
    });
}

fn distribution(ui: &mut Ui, title: &str, gaps: &[u64], what: &str, height: f32) {
    let palette = palette(ui.visuals());
    let last = gaps.iter().rposition(|&count| count > 0).map_or(1, |last| last + 1);
    let values = &gaps[..last.max(6).min(gaps.len())];
    let total: u64 = gaps.iter().sum();
    let sum: u64 = gaps.iter().enumerate().map(|(gap, &count)| gap as u64 * count).sum();
    let remark = match total {
        0 => "nobody has another exam".to_owned(),
        total => format!("mean {:.1}", sum as f64 / total as f64),
    };
    // None at all may lie in the same period.
    let limits = [Some(0)];
    let label = |gap: usize| gap.to_string();
    let (limits, colour) = (&limits[..], palette.bar);
    let bars = Bars { title, values, remark, label: &label, limits, groups: &[], chosen: None, colour };
    let (response, hovered) = bars::show(ui, &bars, height);
    if let Some(gap) = hovered {
        let distance = match gap {
            0 => "in the same period: a clash".to_owned(),
            gap => format!("{} away", counted(gap as u64, "period")),
        };
        let count = grouped(values[gap] as i64);
        response.on_hover_text_at_pointer(format!("{count} {what} {distance}"));
    }
}

/// Width in points below which the bars of the cost table are short.
const NARROW: f32 = 580.0;

/// Draws the table of the cost of exams 1 … 5 periods apart.
fn cost_table(ui: &mut Ui, instance: &Instance, picture: &Picture) {
    let palette = palette(ui.visuals());
    // Only the published objective weighs pairs by their distance alone.
    let priced = instance.objective.is_toronto();
    ui.label(theme::bold(if priced { "Cost by distance" } else { "Pairs of exams by distance" }));
    let costs: Vec<u64> =
        picture.pairs.iter().zip(PROXIMITY_WEIGHTS).map(|(&pairs, weight)| pairs * u64::from(weight)).collect();
    let total = costs.iter().sum::<u64>().max(1);
    let heading = |ui: &mut Ui, text: &str| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(theme::small(text).color(palette.weak));
        });
    };
    let value = |ui: &mut Ui, text: String| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(text));
        });
    };
    let (column, bar) = if ui.available_width() < NARROW { (48.0, 56.0) } else { (72.0, 110.0) };
    Grid::new("cost by distance").num_columns(6).min_col_width(column).spacing([space::M, space::XS]).show(ui, |ui| {
        let cost = format!("Cost{}", per_student(instance));
        let headings = ["Periods apart", "Exam pairs", "Weight", &cost, "Share"];
        for text in headings.into_iter().take(if priced { 5 } else { 2 }) {
            heading(ui, text);
        }
        ui.end_row();
        for distance in 1..picture.pairs.len() {
            let share = costs[distance] as f64 / total as f64;
            value(ui, distance.to_string());
            value(ui, grouped(picture.pairs[distance] as i64));
            if !priced {
                ui.end_row();
                continue;
            }
            value(ui, PROXIMITY_WEIGHTS[distance].to_string());
            value(ui, short_cost(instance, costs[distance]));
            value(ui, format!("{:.1} %", share * 100.0));
            let (rect, _) = ui.allocate_exact_size(egui::vec2(bar, 10.0), egui::Sense::hover());
            let filled = rect.with_max_x(rect.left() + rect.width() * share as f32);
            ui.painter().rect_filled(rect, 2.0, palette.blocked);
            ui.painter().rect_filled(filled, 2.0, palette.bar);
            ui.end_row();
        }
    });
    if picture.pairs[0] > 0 {
        let text = format!("{} of a student in the same period", counted(picture.pairs[0], "pair"));
        ui.label(theme::bold(text).color(palette.bad));
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::Facts;
    use super::*;
    use gridwright_timetabling::{Exam, InstanceParts, Period, Timetable};

    #[test]
    fn gaps_around_an_exam_and_of_a_student_by_hand() {
        let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
        let instance = Instance::build(InstanceParts {
            exams: ["a", "b", "c", "d"].map(exam).to_vec(),
            students: vec![vec![0, 1, 2], vec![1, 3], vec![1]],
            periods: vec![Period::default(); 6],
            ..InstanceParts::default()
        })
        .unwrap();
        let picture = Picture::of(&instance, Arc::new(Timetable::of(vec![0, 2, 5, 2])));
        let facts = Facts::of(&instance);
        // b is in 2: a lies 2 before, c 3 after; the second student has d in the same period.
        assert_eq!(around(&instance, &picture, &facts.sitting, 1), [1, 0, 1, 1, 0, 0]);
        assert_eq!(of_student(&instance, &picture, 0), [0, 0, 1, 1, 0, 0]);
        assert_eq!(picture.people(&instance).counts.gaps, [1, 0, 1, 1, 0, 0]);
    }
}
