//! Exams and moves in words.

use egui::{RichText, Ui};
use gridwright_solver::timetabling::Instance;

use super::analysis::{Effect, Picture, effects};
use crate::theme::{self, Palette, palette, space};
use crate::widgets::convergence::number;
use crate::widgets::parameters::grouped;

/// «1 exam», «22 exams».
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count as i64), if count == 1 { "" } else { "s" })
}

/// An exam in one line, as screen readers say it: «Exam 0042, period 7, 120 students, cost share 3.0 %».
pub fn exam_line(instance: &Instance, picture: &Picture, exam: usize) -> String {
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

/// What there is to say of an exam, and of moving it to the period under the pointer.
pub fn tooltip(ui: &mut Ui, instance: &Instance, picture: &Picture, exam: usize, period: Option<usize>) {
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
    let share = instance.shown(picture.shares[exam]);
    ui.label(
        RichText::new(format!("Cost share {} ({:.1} %)", number(share), picture.percent(exam))).color(palette.weak),
    );
    if picture.clashes[exam] > 0 {
        let text = format!("Clashes: {} students have another exam in this period", picture.clashes[exam]);
        ui.label(theme::bold(text).color(palette.bad));
    }
    let Some(period) = period.filter(|&period| picture.timetable.period_of(exam) != Some(period)) else { return };
    let Some(&effect) = effects(instance, &picture.timetable, exam).get(period) else { return };
    ui.separator();
    let label = instance.period_label(period);
    let (text, colour) = effect_words(instance, effect);
    ui.label(theme::small(format!("To {label}")).color(palette.weak));
    ui.label(RichText::new(text).color(colour.of(palette)));
}

/// Whether something is good, bad or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// The cost falls.
    Better,
    /// The cost rises.
    Worse,
    /// Not allowed.
    Forbidden,
    /// No change.
    Same,
}

impl Mood {
    /// Its colour in text.
    pub fn of(self, palette: &Palette) -> egui::Color32 {
        match self {
            Self::Better => palette.good,
            Self::Worse => palette.warn,
            Self::Forbidden => palette.bad,
            Self::Same => palette.weak,
        }
    }
}

/// What a move would do, in words.
pub fn effect_words(instance: &Instance, effect: Effect) -> (String, Mood) {
    match effect {
        Effect::Here => ("It is here".to_owned(), Mood::Same),
        Effect::Forbidden { with, others, students } => {
            let plural = if students == 1 { "" } else { "s" };
            let who = match others {
                0 => format!("{} is", instance.exams[with].code),
                1 => format!("{} and one more exam are", instance.exams[with].code),
                _ => format!("{} and {others} more exams are", instance.exams[with].code),
            };
            (format!("Forbidden: {who} there; {students} student{plural} would clash"), Mood::Forbidden)
        }
        Effect::Change(0) => ("No change of the cost".to_owned(), Mood::Same),
        Effect::Change(change) if change < 0 => {
            (format!("Better by {}", number(instance.shown(change.unsigned_abs()))), Mood::Better)
        }
        Effect::Change(change) => (format!("Worse by {}", number(instance.shown(change.unsigned_abs()))), Mood::Worse),
    }
}
