//! Solving again around changes, so that what was published is disturbed as little as possible.

use egui::{Context, Ui};

use crate::theme::{self, palette, space};
use crate::timetabling::desk::{Desk, Shown};
use crate::widgets::controls::{button, primary};
use crate::widgets::icons::Icon;

/// What is asked before a run that stays close to a timetable.
#[derive(Debug, Clone, PartialEq)]
pub struct Dialog {
    /// Raw cost that moving one more exam must save.
    pub weight: u32,
    /// Whether exams that were moved by hand stay where they were put.
    pub keep: bool,
}

/// A price of a moved exam to begin with, in raw cost: what an exam costs on average.
pub fn price_of_a_move(desk: &Desk) -> u32 {
    let exams = desk.instance.exam_count().max(1) as u64;
    let raw = desk.picture().map_or(0, |picture| picture.cost.proximity);
    (raw / exams).clamp(1, 1_000_000) as u32
}

impl Dialog {
    /// With a price that suits the timetable that is shown.
    pub fn new(desk: &Desk) -> Self {
        Self { weight: price_of_a_move(desk), keep: true }
    }

    /// Shows it; `Some(true)`: solve now, `Some(false)`: do not.
    pub fn show(&mut self, ctx: &Context, desk: &Desk) -> Option<bool> {
        let mut decided = None;
        let response = super::question(ctx, "solve again").show(ctx, |ui| {
            ui.set_width(440.0);
            self.contents(ui, desk);
            ui.add_space(space::M);
            ui.horizontal(|ui| {
                if primary(ui, Icon::Play, "Solve around the changes", desk.ready().is_ok()).clicked() {
                    decided = Some(true);
                }
                if button(ui, Icon::Cross, "Cancel", true).clicked() {
                    decided = Some(false);
                }
            });
        });
        if decided.is_none() && response.should_close() {
            decided = Some(false);
        }
        decided
    }

    fn contents(&mut self, ui: &mut Ui, desk: &Desk) {
        let palette = palette(ui.visuals());
        ui.label(theme::title("Solve around the changes"));
        ui.add_space(space::XS);
        let text = match (desk.shown, desk.draft()) {
            (Shown::Draft, Some(draft)) => {
                let moved = draft.moved().len();
                let noun = if moved == 1 { "exam" } else { "exams" };
                format!(
                    "{} was changed by hand: {moved} {noun} moved. The search mends clashes and leaves as many exams as possible where {} has them.",
                    draft.from, draft.from
                )
            }
            _ => "The search improves this timetable and leaves as many exams as possible where they are.".to_owned(),
        };
        ui.label(text);
        ui.add_space(space::S);
        let moved = desk.draft().filter(|_| desk.shown == Shown::Draft).map_or(0, |draft| draft.moved().len());
        if moved > 0 {
            ui.checkbox(&mut self.keep, format!("Keep the {moved} exams that I moved where I put them"))
                .on_hover_text("They are pinned; the pins are listed under Rules and can be taken away");
        }
        ui.add_space(space::XS);
        let mut shown = desk.instance.shown(u64::from(self.weight));
        let most = desk.instance.shown(u64::from(super::price_of_a_move(desk)) * 20).max(shown);
        let slider =
            egui::Slider::new(&mut shown, 0.0..=most).logarithmic(true).fixed_decimals(4).smallest_positive(1e-4);
        let response = ui.add(slider.text("cost per student for each moved exam"));
        if response.changed() {
            self.weight = (shown * f64::from(desk.instance.divisor)).round().clamp(0.0, f64::from(u32::MAX)) as u32;
        }
        let help = "An exam that you did not move leaves its period only where that saves more than this. Higher disturbs fewer \
                    students, lower finds a better timetable.";
        ui.label(theme::small(help).color(palette.weak));
    }
}
