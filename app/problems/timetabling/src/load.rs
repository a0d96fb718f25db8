//! View of the load of every period.

use std::sync::Arc;

use egui::{Frame, Margin, ScrollArea, Ui};

use gridwright_core::numbers::grouped;

use super::Document;
use super::analysis::days;
use super::describe::counted;
use super::state::View;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::bars::{self, Bars};

/// Shows students and exams per period; a click goes to the exams of a period.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
    let exams: Vec<u64> = picture.by_period.iter().map(|exams| exams.len() as u64).collect();
    let seats: Vec<Option<u64>> = instance.periods.iter().map(|period| period.seats.map(u64::from)).collect();
    let overfull =
        picture.students.iter().zip(&seats).filter(|(students, seats)| seats.is_some_and(|s| **students > s));
    let overfull = overfull.count() as u64;
    let days = days(&instance);
    let chosen = document.selected.and_then(|exam| picture.timetable.period_of(exam));
    let remark = |values: &[u64]| {
        let highest = values.iter().copied().max().unwrap_or(0);
        let mean = values.iter().sum::<u64>() as f64 / values.len().max(1) as f64;
        let at = values.iter().position(|&value| value == highest).map_or(0, |at| at + 1);
        format!("mean {mean:.1}, highest {} in period {at}", grouped(highest as i64))
    };
    let mut go = None;
    Frame::new().fill(palette.surface).inner_margin(Margin::symmetric(8, 8)).show(ui, |ui| {
        if overfull > 0 {
            let text = format!("{}: more students than seats", counted(overfull, "overfull period"));
            ui.label(theme::bold(text).color(palette.bad));
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let height = ((ui.available_height() - 132.0) / 2.0).max(96.0);
            for (title, values, limits, noun) in [
                ("Students per period", &picture.students, seats.as_slice(), "student"),
                ("Exams per period", &exams, &[], "exam"),
            ] {
                let label = |period: usize| (period + 1).to_string();
                let (remark, colour, groups) = (remark(values), palette.bar, days.as_slice());
                let bars = Bars { title, values, remark, label: &label, limits, groups, chosen, colour };
                let (response, hovered) = bars::show(ui, &bars, height);
                if let Some(period) = hovered {
                    if response.clicked() {
                        go = Some(period);
                    }
                    let seats = limits.get(period).copied().flatten();
                    let seats = seats.map(|seats| format!(" for {}", counted(seats, "seat"))).unwrap_or_default();
                    let what = counted(values[period], noun);
                    let place = match (instance.period_label(period), instance.has_date(period)) {
                        (label, true) => format!("Period {}, {label}", period + 1),
                        (label, false) => label,
                    };
                    response.on_hover_text_at_pointer(format!("{place}\n{what}{seats}\nClick to see its exams"));
                }
                ui.add_space(space::L);
            }
        });
    });
    if let Some(exam) = go.and_then(|period: usize| picture.by_period.get(period)?.first().copied()) {
        document.periods.view.reveal(exam);
        document.view = View::Periods;
    }
}
