//! The runs that failed, by their reasons.

use std::collections::BTreeMap;

use egui::{Label, Rect, RichText, ScrollArea, Sense, Ui, vec2};
use gridwright_campaign::RunSpec;
use gridwright_core::numbers::counted;

use super::board::Board;
use super::layout::instance_name;
use crate::theme::{self, palette, space};
use crate::widgets::controls::placeholder;
use crate::widgets::icons::Icon;

/// Runs that are listed for a reason; the others are counted.
const LISTED: usize = 200;

/// Shows every reason with the runs that failed for it.
pub(crate) fn show(ui: &mut Ui, board: &Board) {
    let mut reasons: BTreeMap<&str, Vec<&RunSpec>> = BTreeMap::new();
    for (run, reason) in board.failures() {
        reasons.entry(reason).or_default().push(run);
    }
    if reasons.is_empty() {
        let text = "A run that fails stands here with its reason; the others go on.";
        placeholder(ui, Icon::Check, "No run has failed", text, |_| {});
        return;
    }
    ScrollArea::vertical().id_salt("failed").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::XS;
        for (reason, runs) in reasons {
            one_reason(ui, reason, &runs);
            ui.add_space(space::M);
        }
    });
}

fn one_reason(ui: &mut Ui, reason: &str, runs: &[&RunSpec]) {
    let palette = palette(ui.visuals());
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::hover());
        Icon::Warning.paint(ui.painter(), Rect::from_center_size(rect.center(), vec2(13.0, 13.0)), palette.bad);
        let words = format!("{}: {reason}", counted(runs.len() as u64, "run"));
        ui.add(Label::new(RichText::new(words).color(palette.text)).wrap().selectable(true));
    });
    for run in runs.iter().take(LISTED) {
        let words = format!("{}, {}, seed {}, {}", instance_name(run), run.label, run.seed, run.backend_name());
        ui.horizontal(|ui| {
            ui.add_space(space::XL);
            ui.add(Label::new(RichText::new(words).color(palette.weak)).truncate());
        });
    }
    if runs.len() > LISTED {
        let rest = format!("and {}", counted((runs.len() - LISTED) as u64, "more run"));
        ui.label(theme::small(rest).color(palette.weak));
    }
}
