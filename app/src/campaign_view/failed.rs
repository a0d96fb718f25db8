//! The runs that failed, with their reasons.

use egui::{Label, RichText, ScrollArea, Ui};
use gridwright_solver::numbers::counted;

use super::board::Board;
use super::layout::instance_name;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::placeholder;
use crate::widgets::icons::Icon;

/// Runs that are listed; the others are counted.
const LISTED: usize = 1_000;

/// Shows the reasons with their numbers, then every failed run.
pub fn show(ui: &mut Ui, board: &Board) {
    let palette = palette(ui.visuals());
    let failures = board.failures();
    if failures.is_empty() {
        placeholder(
            ui,
            Icon::Check,
            "No run has failed",
            "A run that fails stands here with its reason; the others go on.",
            |_| {},
        );
        return;
    }
    ScrollArea::vertical().id_salt("failed").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::XS;
        for (reason, count) in board.reasons() {
            ui.horizontal_top(|ui| {
                let (rect, _) = ui.allocate_exact_size(egui::vec2(16.0, 18.0), egui::Sense::hover());
                Icon::Warning.paint(
                    ui.painter(),
                    egui::Rect::from_center_size(rect.center(), egui::vec2(13.0, 13.0)),
                    palette.bad,
                );
                let words = format!("{}: {reason}", counted(count as u64, "run"));
                ui.add(Label::new(RichText::new(words).color(palette.text)).wrap().selectable(true));
            });
        }
        ui.add_space(space::S);
        ui.separator();
        for (run, reason) in failures.iter().take(LISTED) {
            let words = format!("{}, {}, seed {}, {}", instance_name(run), run.label, run.seed, run.backend);
            ui.horizontal(|ui| {
                ui.set_min_height(size::ROW);
                ui.add(Label::new(words).truncate()).on_hover_text(*reason);
            });
        }
        if failures.len() > LISTED {
            let rest = counted((failures.len() - LISTED) as u64, "more run");
            ui.label(theme::small(rest).color(palette.weak));
        }
    });
}
