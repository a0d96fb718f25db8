//! Pictures of the solver in the window: what is exported is painted as it is, so that a problem draws once.

use egui::{Color32, CornerRadius, FontId, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::scene::{Anchor, Colour, Scene, Shape};

use super::canvas::{Canvas, Outcome};
use super::nodes::Part;
use crate::theme::{self, palette};

/// Shows a scene in all the room there is; `draw` makes it for a width and a height in points and for the dark theme or the
/// light one. Its items are the rectangles with a title, in their order: the title is the tooltip of an item.
pub fn show(ui: &mut Ui, selected: Option<usize>, draw: impl FnOnce(f32, f32, bool) -> Scene) -> Outcome {
    let size = ui.available_size_before_wrap();
    let scene = draw(size.x, size.y, ui.visuals().dark_mode);
    let canvas = Canvas::new(ui, Sense::click(), || scene.title.clone());
    let items = items(&scene, canvas.full.min);
    let at = |position: Pos2| items.iter().rposition(|(rect, _)| rect.contains(position));
    let (hovered, mut picked) = canvas.pointed(at);
    let painter = canvas.painter(ui);
    paint(&painter, canvas.full.min, &scene);
    if let Some((rect, _)) = selected.and_then(|index| items.get(index)) {
        let stroke = Stroke::new(2.0, palette(ui.visuals()).accent);
        painter.rect_stroke(*rect, 2.0, stroke, StrokeKind::Outside);
    }
    let cursor = || selected.and_then(|index| items.get(index)).map(|(_, title)| (*title).to_owned());
    let parts = || {
        let part = |(index, (rect, title)): (usize, &(Rect, &str))| Part {
            key: index as u64,
            rect: *rect,
            name: (*title).to_owned(),
            selected: selected == Some(index),
        };
        items.iter().enumerate().map(part).collect()
    };
    if let Some(key) = canvas.finish(ui, cursor, parts) {
        picked = Some(Some(key as usize));
    }
    if let Some((_, title)) = hovered.and_then(|index| items.get(index)) {
        canvas.tooltip(*title);
    }
    Outcome { response: canvas.response, hovered, picked }
}

/// Shows a scene at its own size; the title of an item is its tooltip.
pub(crate) fn picture(ui: &mut Ui, scene: &Scene) {
    let (rect, response) = ui.allocate_exact_size(vec2(scene.width, scene.height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, scene.title.as_str()));
    if !ui.is_rect_visible(rect) {
        return;
    }
    paint(&ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())), rect.min, scene);
    let hovered = response.hover_pos();
    let items = if hovered.is_some() { items(scene, rect.min) } else { Vec::new() };
    let pointed = hovered.and_then(|at| items.iter().rfind(|(place, _)| place.expand(2.0).contains(at)));
    if let Some((_, title)) = pointed {
        response.on_hover_text_at_pointer(*title);
    }
}

/// Places and titles of the rectangles with a title, in the order of the scene.
fn items(scene: &Scene, origin: Pos2) -> Vec<(Rect, &str)> {
    let item = |shape| match shape {
        &Shape::Rectangle { x, y, width, height, ref title, .. } if !title.is_empty() => {
            Some((Rect::from_min_size(origin + vec2(x, y), vec2(width, height)), title.as_str()))
        }
        _ => None,
    };
    scene.shapes.iter().filter_map(item).collect()
}

fn colour(colour: Colour) -> Color32 {
    Color32::from_rgba_unmultiplied(colour.red, colour.green, colour.blue, colour.alpha)
}

/// Paints a scene whose upper left corner is `origin`.
pub(crate) fn paint(painter: &Painter, origin: Pos2, scene: &Scene) {
    let size = vec2(scene.width, scene.height);
    painter.rect_filled(Rect::from_min_size(origin, size), 0.0, colour(scene.background));
    for shape in &scene.shapes {
        match shape {
            Shape::Rectangle { x, y, width, height, radius, fill, stroke, .. } => {
                let rect = Rect::from_min_size(origin + vec2(*x, *y), vec2(*width, *height));
                let radius = CornerRadius::from(*radius);
                painter.rect_filled(rect, radius, colour(*fill));
                if let Some((width, edge)) = stroke {
                    painter.rect_stroke(rect, radius, Stroke::new(*width, colour(*edge)), StrokeKind::Middle);
                }
            }
            Shape::Line { points, width, colour: ink } => {
                let points: Vec<Pos2> = points.iter().map(|(x, y)| origin + vec2(*x, *y)).collect();
                painter.line(points, Stroke::new(*width, colour(*ink)));
            }
            // Only printed documents contain bitmaps.
            Shape::Picture { .. } => {}
            Shape::Text { x, y, size, colour: ink, anchor, bold, upright, text } => {
                let font = if *bold { theme::bold_font(*size) } else { theme::font(*size) };
                write(painter, origin + vec2(*x, *y), font, colour(*ink), *anchor, *upright, text);
            }
        }
    }
}

fn write(painter: &Painter, at: Pos2, font: FontId, ink: Color32, anchor: Anchor, upright: bool, text: &str) {
    let galley = painter.layout_no_wrap(text.to_owned(), font, ink);
    let base = galley.rows.first().and_then(|row| row.glyphs.first()).map_or(0.0, |glyph| glyph.pos.y);
    let left = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => galley.size().x / 2.0,
        Anchor::End => galley.size().x,
    };
    let corner = pos2(at.x - left, at.y - base);
    let mut shape = egui::epaint::TextShape::new(corner, galley, ink);
    if upright {
        // The corner, turned around the anchor.
        shape.pos = at + vec2(-base, left);
        shape.angle = -std::f32::consts::FRAC_PI_2;
    }
    painter.add(shape);
}
