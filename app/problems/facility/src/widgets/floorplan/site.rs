//! Fixed things, the outline and the doors of a floor plan.

use egui::{Align2, Painter, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};

use super::{Frame, Region};
use gridwright_window::theme::{self, Palette, text};
use gridwright_window::widgets::painting::truncated;

/// A part of the floor that rectangles avoid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Obstacle {
    /// Name for people; may be empty.
    pub name: String,
    /// Place on the floor in units of length.
    pub region: Region,
    /// True for a part that lies outside of the outline.
    pub outside: bool,
}

/// A point at which lines begin or end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Door {
    /// Name for people.
    pub name: String,
    /// Place on the floor in units of length.
    pub at: [f64; 2],
}

/// Fixed things, walls and doors of a floor.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Site {
    /// Parts that rectangles avoid.
    pub obstacles: Vec<Obstacle>,
    /// Corners of the walls, closed lines; empty for a rectangle without parts that are outside.
    pub outline: Vec<Vec<[f64; 2]>>,
    /// Doors.
    pub doors: Vec<Door>,
}

/// Half of the side of a door in points.
const DOOR: f32 = 5.0;

/// Narrower or lower than this, in points, a fixed thing has no name.
const NAMED: [f32; 2] = [28.0, 14.0];

/// Paints the obstacles: what is outside as the surroundings of the floor, fixed things with their diagonals.
pub(super) fn obstacles(painter: &Painter, site: &Site, frame: &Frame, palette: &Palette) {
    for obstacle in &site.obstacles {
        paint(painter, obstacle, frame.rect(&obstacle.region), palette);
    }
}

/// Paints one obstacle in a rectangle of the screen.
pub(super) fn paint(painter: &Painter, obstacle: &Obstacle, rect: Rect, palette: &Palette) {
    if obstacle.outside {
        painter.rect_filled(rect, 0.0, palette.surface);
        return;
    }
    painter.rect_filled(rect, 0.0, palette.border_strong);
    let thin = Stroke::new(1.0, palette.text.gamma_multiply(0.6));
    painter.line_segment([rect.left_top(), rect.right_bottom()], thin);
    painter.line_segment([rect.left_bottom(), rect.right_top()], thin);
    painter.rect_stroke(rect, 0.0, thin, StrokeKind::Middle);
    if !obstacle.name.is_empty() && rect.width() >= NAMED[0] && rect.height() >= NAMED[1] {
        let font = theme::font(text::TINY);
        let name = truncated(painter, obstacle.name.as_str(), font, palette.text, rect.width() - 4.0);
        let place = Align2::CENTER_CENTER.anchor_size(rect.center(), name.size());
        painter.rect_filled(place.expand(1.0), 2.0, palette.border_strong);
        painter.galley(place.min, name, palette.text);
    }
}

/// Paints the walls of the floor: its outline, or the rectangle `floor`.
pub(super) fn walls(painter: &Painter, site: &Site, frame: &Frame, floor: Rect, palette: &Palette) {
    let stroke = Stroke::new(2.0, palette.text);
    if site.outline.is_empty() {
        painter.rect_stroke(floor, 0.0, stroke, StrokeKind::Middle);
    }
    for corners in &site.outline {
        // A point as an edge of a rectangle, so that walls fall on the same pixels.
        let corner = |[x, y]: &[f64; 2]| {
            let rect = frame.rect(&Region { x: *x, y: *y, width: 0.0, height: 0.0 });
            pos2(rect.left(), rect.top())
        };
        painter.add(Shape::closed_line(corners.iter().map(corner).collect(), stroke));
    }
}

/// Paints the doors as squares with their names beside them, within the floor; adds the places of the names to `taken`.
pub(super) fn doors(
    painter: &Painter, site: &Site, frame: &Frame, floor: Rect, palette: &Palette, taken: &mut Vec<Rect>,
) {
    for door in &site.doors {
        let at = frame.point(door.at);
        painter.rect_filled(Rect::from_center_size(at, Vec2::splat(2.0 * DOOR)), 1.0, palette.text);
        let name = painter.layout_no_wrap(door.name.clone(), theme::bold_font(text::SMALL), palette.text);
        let (right, middle) =
            (at.x > floor.center().x, at.y.clamp(floor.top() + 8.0, (floor.bottom() - 8.0).max(floor.top() + 8.0)));
        let (anchor, left) =
            if right { (Align2::RIGHT_CENTER, at.x - DOOR - 4.0) } else { (Align2::LEFT_CENTER, at.x + DOOR + 4.0) };
        let place = anchor.anchor_size(pos2(left, middle), name.size());
        painter.rect_filled(place.expand2(vec2(2.0, 0.0)), 2.0, palette.surface.gamma_multiply(0.82));
        painter.galley(place.min, name, palette.text);
        taken.push(place);
    }
}
