//! How full every period is.

use egui::{Frame, Margin, ScrollArea, Ui};

use super::Desk;
use crate::theme::{palette, space};
use crate::widgets::bars::{self, Bars};
use crate::widgets::parameters::grouped;

/// Shows students and exams per period.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let Some(picture) = desk.picture() else { return };
    let palette = palette(ui.visuals());
    let instance = &desk.instance;
    let exams: Vec<u64> = picture.by_period.iter().map(|exams| exams.len() as u64).collect();
    let seats: Vec<Option<u64>> = instance.periods.iter().map(|period| period.seats.map(u64::from)).collect();
    let remark = |values: &[u64]| {
        let highest = values.iter().copied().max().unwrap_or(0);
        let mean = values.iter().sum::<u64>() as f64 / values.len().max(1) as f64;
        let at = values.iter().position(|&value| value == highest).map_or(0, |at| at + 1);
        format!("mean {mean:.1}, highest {} in period {at}", grouped(highest as i64))
    };
    Frame::new().fill(palette.surface).inner_margin(Margin::symmetric(8, 8)).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let height = ((ui.available_height() - 116.0) / 2.0).max(110.0);
            for (title, values, limits, noun) in [
                ("Students per period", &picture.students, seats.as_slice(), "students"),
                ("Exams per period", &exams, &[], "exams"),
            ] {
                let label = |period: usize| (period + 1).to_string();
                let bars = Bars { title, values, remark: remark(values), label: &label, limits, colour: palette.bar };
                let (response, hovered) = bars::show(ui, &bars, height);
                if let Some(period) = hovered {
                    let text = format!("{}\n{} {noun}", instance.period_label(period), grouped(values[period] as i64));
                    response.on_hover_text_at_pointer(text);
                }
                ui.add_space(space::L);
            }
        });
    });
}
