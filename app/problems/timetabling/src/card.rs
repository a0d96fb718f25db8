//! Card of the problem on the start page.

use egui::{Painter, Rect, pos2, vec2};

use gridwright_window::problem::Card;
use gridwright_window::theme::Palette;

/// The card.
pub const CARD: Card = Card {
    title: "Examinations",
    purpose: "When each exam takes place: no student in two rooms at once, and few with exams close together.",
    picture,
};

/// Paints exams by periods, as the grid shows them.
fn picture(painter: &Painter, rect: Rect, palette: &Palette) {
    const PERIODS: [usize; 8] = [3, 0, 5, 1, 4, 2, 5, 0];
    let cell = vec2(rect.width() / 6.0, rect.height() / PERIODS.len() as f32);
    for (row, period) in PERIODS.into_iter().enumerate() {
        let at = |column: usize| rect.min + vec2(column as f32 * cell.x, row as f32 * cell.y);
        let blocked = Rect::from_min_size(at((period + 2) % 6), cell).shrink(1.0);
        painter.rect_filled(blocked, 2.0, palette.border);
        let share = row as f32 / PERIODS.len() as f32;
        painter.rect_filled(Rect::from_min_size(at(period), cell).shrink(1.0), 2.0, palette.cost(1.0 - share));
    }
    for column in 0..=6 {
        let x = rect.left() + column as f32 * cell.x;
        painter.line_segment([pos2(x, rect.top()), pos2(x, rect.bottom())], (1.0, palette.border));
    }
}
