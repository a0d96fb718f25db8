//! Candidates of a tournament as cards in the order of the draws; the winner has a frame and a mark.

use egui::{Color32, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::numbers::grouped;

use super::icons::Icon;
use super::painting::truncated;
use super::strips;
use crate::theme::{self, palette, space};

/// Fate of a candidate in its tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CandidateOutcome {
    /// The candidate becomes a parent.
    Wins,
    /// Another one is better.
    Loses,
    /// The candidate is the first parent already and does not count.
    Ignored,
}

/// A candidate.
pub struct Card {
    /// Name, such as «Individual 17».
    pub name: String,
    /// Its cost in words.
    pub cost: String,
    /// Text of the card below the name.
    pub short: String,
    /// Colour of the text.
    pub colour: Color32,
    /// Fate of the candidate.
    pub outcome: CandidateOutcome,
}

const SIZE: egui::Vec2 = vec2(118.0, 40.0);
/// Greatest number of cards; further candidates are counted.
const MOST: usize = 200;

/// Shows `count` candidates, and leaves room for a strip of genes below.
pub fn show(ui: &mut Ui, count: usize, candidate: impl Fn(usize) -> Card) {
    let least = strips::height(1).min(ui.available_height() * 0.5);
    let most = (ui.available_height() - least).max(SIZE.y + space::S);
    ScrollArea::vertical().id_salt("candidates").max_height(most).auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(space::S, space::S);
            (0..count.min(MOST)).for_each(|index| draw(ui, &candidate(index)));
            let more = count.saturating_sub(MOST);
            if more > 0 {
                ui.label(theme::small(format!("and {} more", grouped(more as i64))));
            }
        });
    });
}

fn draw(ui: &mut Ui, card: &Card) {
    let palette = palette(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(SIZE, Sense::hover());
    let Card { name, cost, short, outcome, .. } = card;
    let remark = match outcome {
        CandidateOutcome::Wins => "wins",
        CandidateOutcome::Ignored => "is the first parent and does not count",
        CandidateOutcome::Loses => "loses",
    };
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("{name}, {cost}, {remark}")));
    let wins = *outcome == CandidateOutcome::Wins;
    let (fill, stroke) = match wins {
        true => (palette.accent_soft, Stroke::new(2.0, palette.accent)),
        false => (palette.surface, Stroke::new(1.0, palette.border_strong)),
    };
    let is_ignored = *outcome == CandidateOutcome::Ignored;
    let (ink, colour) = if is_ignored { (palette.faint, palette.faint) } else { (palette.text, card.colour) };
    ui.painter().rect(rect, 5.0, fill, stroke, StrokeKind::Inside);
    let left = rect.left() + space::S;
    let side = rect.width() - 2.0 * space::S;
    let title = truncated(ui.painter(), name.clone(), theme::bold_font(theme::text::SMALL), ink, side);
    ui.painter().galley(pos2(left, rect.top() + 5.0), title, ink);
    let words = truncated(ui.painter(), short.clone(), theme::font(theme::text::SMALL), colour, side);
    ui.painter().galley(pos2(left, rect.bottom() - 5.0 - words.size().y), words, colour);
    if wins {
        let mark = Rect::from_center_size(pos2(rect.right() - 12.0, rect.top() + 12.0), vec2(11.0, 11.0));
        Icon::Check.paint(ui.painter(), mark, palette.accent);
    }
    response.on_hover_text(format!("Cost {cost}; it {remark}"));
}
