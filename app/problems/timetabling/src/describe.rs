//! Exams and moves in words.

use egui::{RichText, Ui};
pub use gridwright_core::numbers::counted;
use gridwright_core::numbers::{grouped, significant};
use gridwright_timetabling::Instance;
use gridwright_timetabling::moves::Consequence;

use super::adjusting;
use super::analysis::Picture;
use gridwright_window::theme::{self, palette, space};

/// A cost with few digits, as lists and facts show it: for each student under the published objective, whole otherwise.
pub(crate) fn short_cost(instance: &Instance, raw: u64) -> String {
    if instance.objective.is_per_student() { significant(instance.shown(raw)) } else { grouped(raw) }
}

/// «per student» after a space where the shown cost is divided by the number of students; otherwise nothing.
pub fn per_student(instance: &Instance) -> &'static str {
    if instance.objective.is_per_student() { " per student" } else { "" }
}

/// An exam in one line, as screen readers say it: «Exam 0042, period 7, 120 students, cost share 3.0 %».
pub(crate) fn exam_line(instance: &Instance, picture: &Picture, exam: usize) -> String {
    let data = &instance.exams[exam];
    let period = picture.timetable.period_of(exam);
    let period = period.map_or_else(|| "no period".to_owned(), |period| format!("period {}", period + 1));
    let students = counted(u64::from(data.enrolment), "student");
    let clash = match picture.clashes[exam] {
        0 => String::new(),
        clashes => format!(", {} with a clash", counted(clashes, "student")),
    };
    format!("Exam {}, {period}, {students}, cost share {:.1} %{clash}", data.code, picture.percent(exam))
}

/// Draws the tooltip of an exam, with the consequence of moving it to the period under the pointer.
pub fn tooltip(ui: &mut Ui, instance: &Instance, picture: &Picture, exam: usize, period: Option<&Consequence>) {
    let palette = palette(ui.visuals());
    let data = &instance.exams[exam];
    ui.spacing_mut().item_spacing.y = space::XS;
    ui.horizontal(|ui| {
        ui.label(theme::bold(&data.code));
        ui.label(&data.title);
    });
    let place = picture.timetable.period_of(exam);
    let place = place.map_or_else(|| "no period".to_owned(), |period| instance.period_label(period));
    ui.label(RichText::new(format!("{place} · {} students", grouped(i64::from(data.enrolment)))).color(palette.weak));
    let share = short_cost(instance, picture.shares[exam]);
    ui.label(RichText::new(format!("Cost share {share} ({:.1} %)", picture.percent(exam))).color(palette.weak));
    if let Some(pin) = instance.rules.pin_of(exam) {
        ui.label(RichText::new(format!("Pinned to {}", instance.period_label(pin))).color(palette.weak));
    }
    if picture.clashes[exam] > 0 {
        let text = format!("Clashes: {} students have another exam in this period", picture.clashes[exam]);
        ui.label(theme::bold(text).color(palette.bad));
    }
    let Some(consequence) = period.filter(|one| picture.timetable.period_of(exam) != Some(one.period)) else { return };
    ui.separator();
    ui.label(theme::small(format!("To {}", instance.period_label(consequence.period))).color(palette.weak));
    let colour = match consequence.change {
        _ if !consequence.is_free() => palette.bad,
        0 => palette.weak,
        change if change < 0 => palette.good,
        _ => palette.warn,
    };
    ui.label(RichText::new(adjusting::words(instance, consequence)).color(colour));
}
