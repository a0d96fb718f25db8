//! A small floor plan: rectangles in their colours, names where they have room, doors.

use egui::{Mesh, Painter, Rect, Shape, Stroke, StrokeKind, pos2, vec2};

use super::{Picture, Region, site};
use gridwright_window::theme::{self, Palette, text};
use gridwright_window::widgets::painting::truncated;

/// Least width and height of a rectangle with a name in points.
const NAMED: [f32; 2] = [30.0, 14.0];

/// Side of a door in points.
const DOOR: f32 = 5.0;

/// Paints a plan to scale in the middle of `room`; rectangles that violate a rule have a red outline.
pub(crate) fn miniature(painter: &Painter, room: Rect, picture: &Picture, palette: &Palette) {
    let [width, height] = picture.size.map(|size| size as f32);
    let scale = (room.width() / width).min(room.height() / height);
    let floor = Rect::from_center_size(room.center(), vec2(width, height) * scale);
    painter.rect_filled(floor, 0.0, palette.blocked);
    let part = |region: &Region| {
        let [x, y, width, height] = [region.x, region.y, region.width, region.height].map(|size| size as f32 * scale);
        Rect::from_min_size(pos2(floor.left() + x, floor.bottom() - y - height), vec2(width, height))
    };
    let place = |index: usize| part(&picture.rooms[index].region);
    picture.site.obstacles.iter().for_each(|one| site::paint(painter, one, part(&one.region), palette));
    let mut mesh = Mesh::default();
    for (index, room) in picture.rooms.iter().enumerate().filter(|(_, room)| !room.free) {
        mesh.add_colored_rect(place(index), palette.floor(room.tone));
    }
    painter.add(Shape::mesh(mesh));
    for (index, room) in picture.rooms.iter().enumerate() {
        let rect = place(index);
        painter.rect_stroke(rect, 0.0, Stroke::new(0.5, palette.text.gamma_multiply(0.5)), StrokeKind::Middle);
        if room.wrong.is_some() {
            painter.rect_stroke(rect, 0.0, Stroke::new(1.5, palette.clash), StrokeKind::Inside);
        }
        if rect.width() >= NAMED[0] && rect.height() >= NAMED[1] {
            let font = theme::font(text::TINY);
            let name = truncated(painter, room.name.as_str(), font, palette.text, rect.width() - 4.0);
            painter.galley(rect.center() - name.size() / 2.0, name, palette.text);
        }
    }
    for door in &picture.site.doors {
        let [x, y] = door.at.map(|side| side as f32 * scale);
        let at = pos2(floor.left() + x, floor.bottom() - y);
        painter.rect_filled(Rect::from_center_size(at, vec2(DOOR, DOOR)), 1.0, palette.text);
    }
    for bay in &picture.bays {
        let region = &bay.region;
        let [x, y, width, height] = [region.x, region.y, region.width, region.height].map(|size| size as f32 * scale);
        let rect = Rect::from_min_size(pos2(floor.left() + x, floor.bottom() - y - height), vec2(width, height));
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, palette.text.gamma_multiply(0.8)), StrokeKind::Middle);
    }
}
