//! Warning above the views of a layout that violates limits or rules.

use egui::{Frame, Margin, Ui, vec2};
use gridwright_core::result::Violation;

use super::Document;
use super::plan::Plan;
use gridwright_window::theme::{self, palette};
use gridwright_window::widgets::icons::Icon;

/// Departments that are named; the inspector names all of them.
const NAMED: usize = 4;

/// Draws the warning that the shown layout violates limits or rules.
pub fn broken(ui: &mut Ui, document: &Document, plan: &Plan) {
    let palette = palette(ui.visuals());
    let names = plan.concerned(&document.instance);
    let more = names.len().saturating_sub(NAMED);
    let mut listed = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if more > 0 {
        listed.push_str(&format!(" and {more} more"));
    }
    // Rules are newer than the layout, perhaps; shapes are not.
    let by_rules = plan.verdict.violations.iter().all(|one| one.kind.is_rule());
    let words = match by_rules {
        true => format!("This layout does not meet the rules: {listed}"),
        false => format!("This layout breaks limits: {listed}"),
    };
    Frame::new().fill(palette.bad_soft).inner_margin(Margin::symmetric(16, 6)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), egui::Sense::hover());
            Icon::Warning.paint(ui.painter(), rect, palette.bad);
            let label = ui.add(egui::Label::new(theme::bold(words).color(palette.text)).truncate());
            label.on_hover_text(Violation::lines(&plan.verdict.stored_violations(), 12).join("\n"));
        });
    });
}
