//! Card of the problem on the start page.

use egui::{Painter, Rect, vec2};

use gridwright_window::problem::Card;
use gridwright_window::theme::Palette;

pub const CARD: Card = Card {
    title: "Binary problems",
    purpose: "What to take and what to leave: knapsacks, releases, and test problems for courses on search.",
    picture,
};

/// Paints the cells of a grid, coloured by their value.
fn picture(painter: &Painter, rect: Rect, palette: &Palette) {
    const CELLS: [usize; 2] = [16, 7];
    let cell = vec2(rect.width() / CELLS[0] as f32, rect.height() / CELLS[1] as f32);
    for row in 0..CELLS[1] {
        for column in 0..CELLS[0] {
            let place = rect.min + vec2(column as f32 * cell.x, row as f32 * cell.y);
            // A pattern without meaning, the same every time.
            let share = ((row * 5 + column * 3) * (column + 2) % 17) as f32 / 16.0;
            painter.rect_filled(Rect::from_min_size(place, cell).shrink(0.75), 1.0, palette.cost(share));
        }
    }
}
