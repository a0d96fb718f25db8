//! Card of the problem on the start page.

use egui::{Painter, Rect, Stroke, StrokeKind, pos2, vec2};

use gridwright_window::problem::Card;
use gridwright_window::theme::Palette;

pub const CARD: Card = Card {
    title: "Floor layouts",
    purpose: "Where departments stand in a plant: short ways between those that exchange much.",
    picture,
};

/// Paints departments in bays with the flows between them.
fn picture(painter: &Painter, rect: Rect, palette: &Palette) {
    /// Width of each bay, and the shares of its departments.
    const BAYS: [(f32, &[f32]); 3] = [(0.3, &[0.4, 0.6]), (0.42, &[0.3, 0.45, 0.25]), (0.28, &[0.55, 0.45])];
    let (mut left, mut middles) = (rect.left(), Vec::new());
    for (width, shares) in BAYS {
        let mut top = rect.top();
        for share in shares {
            let size = vec2(width * rect.width(), share * rect.height());
            let room = Rect::from_min_size(pos2(left, top), size);
            painter.rect_filled(room, 0.0, palette.floor(middles.len()));
            painter.rect_stroke(room, 0.0, Stroke::new(1.0, palette.text.gamma_multiply(0.6)), StrokeKind::Middle);
            middles.push(room.center());
            top += size.y;
        }
        left += width * rect.width();
    }
    for (from, to, weight) in [(0, 2, 5.0), (2, 3, 3.0), (3, 5, 4.0), (4, 6, 2.0), (1, 4, 1.5)] {
        painter.line_segment([middles[from], middles[to]], Stroke::new(weight, palette.accent.gamma_multiply(0.6)));
    }
}
