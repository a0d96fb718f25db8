//! Copied layouts as small floor plans, each beside the one whose place it takes.

use std::sync::Arc;

use egui::{Rect, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::numbers::grouped;
use gridwright_facility::Instance;
use gridwright_facility::journal::MigrationDetail;

use crate::islands::best_words;
use crate::plan::Plan;
use crate::widgets::floorplan::{Link, miniature};
use gridwright_window::theme::{self, palette, size, space, text};
use gridwright_window::widgets::painting::truncated;

/// Greatest number of copies that are drawn; further ones are counted.
pub(crate) const MOST: usize = 12;
/// Size of a floor plan in points.
const PLAN: egui::Vec2 = vec2(136.0, 52.0);
/// Room between the two plans of a copy, for the arrow.
const ARROW: f32 = 26.0;
/// Height of a copy with its lines of text.
pub(crate) const HEIGHT: f32 = PLAN.y + 2.0 * space::S + 32.0;

/// Computes the plans of the copies: of the migrant and of the layout whose place it takes.
pub(crate) fn plans(instance: &Instance, links: &Arc<[Link]>, detail: &MigrationDetail) -> Vec<[Plan; 2]> {
    let copies = detail.copies.iter().take(MOST);
    let plan = |layout: &gridwright_facility::Layout| Plan::of(instance, Arc::new(layout.clone()), Arc::clone(links));
    copies.map(|copied| [&copied.migrant.0, &copied.replaced.0].map(plan)).collect()
}

/// Draws the copies in one row that scrolls.
pub fn show(ui: &mut Ui, detail: &MigrationDetail, plans: &[[Plan; 2]]) {
    let area = ScrollArea::horizontal().id_salt("copied layouts").auto_shrink([false, true]);
    area.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::M;
            plans.iter().enumerate().for_each(|(index, plans)| card(ui, detail, index, plans));
            let more = detail.copies.len().saturating_sub(plans.len());
            if more > 0 {
                ui.label(theme::small(format!("and {} more", grouped(more as i64))));
            }
        });
    });
}

/// Draws a copy: the migrant, an arrow, and the layout whose place it takes.
fn card(ui: &mut Ui, detail: &MigrationDetail, index: usize, plans: &[Plan; 2]) {
    let palette = palette(ui.visuals());
    let side = vec2(2.0 * PLAN.x + ARROW + 2.0 * space::S, HEIGHT);
    let (rect, response) = ui.allocate_exact_size(side, Sense::hover());
    let which = if index == 0 { "Best layout".to_owned() } else { format!("Layout {}", index + 1) };
    let name = format!("{which} of island {}", detail.source.island + 1);
    let costs = [0, 1].map(|which| costs(detail, index, which));
    response.widget_info(|| {
        let words = format!(
            "{name}, cost {}, takes the place of one of island {}, cost {}",
            costs[0],
            detail.target.island + 1,
            costs[1]
        );
        WidgetInfo::labeled(egui::Role::Label, true, words)
    });
    if !ui.is_rect_visible(rect) {
        return;
    }
    let painter = ui.painter();
    let stroke = egui::Stroke::new(1.0, palette.border);
    painter.rect(rect, f32::from(size::RADIUS), palette.panel, stroke, egui::StrokeKind::Inside);
    let top = rect.top() + space::S;
    let places = [rect.left() + space::S, rect.right() - space::S - PLAN.x];
    let words = [(name, palette.accent), (format!("replaced on island {}", detail.target.island + 1), palette.clash)];
    for (which, (words, colour)) in words.into_iter().enumerate() {
        let place = Rect::from_min_size(pos2(places[which], top), PLAN);
        miniature(painter, place, &plans[which].picture, palette);
        let room = if which == 0 { PLAN.x + ARROW - space::XS } else { PLAN.x };
        let line = truncated(painter, words, theme::bold_font(text::SMALL), colour, room);
        painter.galley(pos2(place.left(), place.bottom() + 3.0), line, colour);
        let cost = truncated(painter, costs[which].clone(), theme::font(text::SMALL), palette.text, room);
        painter.galley(pos2(place.left(), place.bottom() + 17.0), cost, palette.text);
    }
    let middle = pos2(rect.center().x - 8.0, top + PLAN.y / 2.0);
    painter.arrow(middle, vec2(16.0, 0.0), egui::Stroke::new(2.0, palette.accent));
    response.on_hover_ui_at_pointer(|ui| {
        ui.set_max_width(560.0);
        ui.label(format!(
            "The layout at the left (cost {}) takes the place of the one at the right ({}).",
            costs[0], costs[1]
        ));
        ui.horizontal(|ui| {
            for plan in plans {
                let (rect, _) = ui.allocate_exact_size(vec2(270.0, 180.0), Sense::hover());
                miniature(ui.painter(), rect, &plan.picture, palette);
            }
        });
    });
}

/// Cost of the migrant (0) or of the layout whose place it takes (1).
fn costs(detail: &MigrationDetail, index: usize, which: usize) -> String {
    let copied = &detail.copies[index];
    let score = [copied.migrant.1, copied.replaced.1][which];
    best_words([score.cost, score.violation])
}
