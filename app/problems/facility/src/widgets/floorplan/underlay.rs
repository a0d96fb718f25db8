//! Picture or drawing of the building below a floor plan.

use std::sync::Arc;

use egui::{Color32, ColorImage, CursorIcon, Mesh, Painter, Pos2, Rect, Response, Shape, Stroke, Ui, vec2};
use gridwright_core::scene::raster::Raster;
use gridwright_facility::underlay::{Content, Drawing, Placement, Underlay};

use super::{Frame, Region, lines};
use gridwright_window::theme::palette;
use gridwright_window::widgets::texture::{CachedTexture, WHOLE_TEXTURE};

/// Corners of lines that are closer than this, in points, are painted as one.
const CLOSEST: f32 = 0.6;
/// Width of the lines of a drawing in points.
const LINE: f32 = 1.0;
/// Half of the length of the strokes of a mark in points.
const MARK: f32 = 8.0;

/// Inputs of the mesh of a drawing; the drawing itself is known by its address.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    drawing: usize,
    placement: Placement,
    frame: Frame,
    colour: Color32,
}

/// Underlay as it was painted in the frame before.
#[derive(Debug, Clone, Default)]
pub(super) struct Painted {
    texture: CachedTexture<usize>,
    mesh: Option<(Key, Arc<Mesh>)>,
}

/// Paints the floor with an underlay.
pub(super) fn paint(
    ui: &Ui, painter: &Painter, underlay: &Underlay, painted: &mut Painted, frame: &Frame, floor: Rect,
) {
    let palette = palette(ui.visuals());
    painter.rect_filled(floor, 0.0, palette.surface);
    let opacity = underlay.placement.opacity as f32;
    match &underlay.content {
        Content::Picture(raster) => {
            let place = underlay.extent();
            let region = Region { x: place.x, y: place.y, width: place.width, height: place.height };
            picture(ui, raster, painted);
            if let Some(texture) = painted.texture.id() {
                painter.image(texture, frame.rect(&region), WHOLE_TEXTURE, Color32::WHITE.gamma_multiply(opacity));
            }
        }
        Content::Drawing(drawing) => {
            let colour = palette.text.gamma_multiply(opacity);
            painter.add(Shape::mesh(mesh(underlay, drawing, painted, frame, colour)));
        }
    }
}

/// Makes the texture of a picture unless it is there.
fn picture(ui: &Ui, raster: &Arc<Raster>, painted: &mut Painted) {
    let key = Arc::as_ptr(raster) as usize;
    let side = ui.input(|input| input.max_texture_side);
    let size = [raster.width as usize, raster.height as usize];
    if painted.texture.key() == Some(&key) || size.iter().any(|length| *length > side) {
        return;
    }
    let colour = |[red, green, blue, alpha]: [u8; 4]| Color32::from_rgba_premultiplied(red, green, blue, alpha);
    let pixels: Vec<Color32> = raster.pixels().into_iter().map(colour).collect();
    if pixels.len() == size[0] * size[1] {
        painted.texture.set_smooth(ui, "underlay", key, ColorImage::new(size, pixels));
    }
}

/// The mesh of the lines of a drawing; the one of the frame before where nothing has changed.
fn mesh(
    underlay: &Underlay, drawing: &Arc<Drawing>, painted: &mut Painted, frame: &Frame, colour: Color32,
) -> Arc<Mesh> {
    let placement = underlay.placement.clone();
    let key = Key { drawing: Arc::as_ptr(drawing) as usize, placement, frame: *frame, colour };
    if let Some((_, mesh)) = painted.mesh.as_ref().filter(|(known, _)| *known == key) {
        return Arc::clone(mesh);
    }
    let mut mesh = Mesh::default();
    for line in &drawing.lines {
        add_line(&mut mesh, line.iter().map(|point| frame.point(underlay.place(*point))), frame, colour);
    }
    let mesh = Arc::new(mesh);
    painted.mesh = Some((key, Arc::clone(&mesh)));
    mesh
}

/// Adds the parts of a line that are seen, without corners that are too close to be told apart.
fn add_line(mesh: &mut Mesh, points: impl Iterator<Item = Pos2>, frame: &Frame, colour: Color32) {
    let mut points = points.peekable();
    let Some(mut from) = points.next() else { return };
    while let Some(to) = points.next() {
        if from.distance(to) < CLOSEST && points.peek().is_some() {
            continue;
        }
        if Rect::from_two_pos(from, to).expand(LINE).intersects(frame.area) {
            lines::add(mesh, [from, to], LINE, colour, frame.pixels);
        }
        from = to;
    }
}

/// Paints the marked points and the line to the pointer, and shows that a click marks a point.
pub(super) fn mark(ui: &Ui, response: &Response, frame: &Frame, marks: &[[f64; 2]]) {
    let stroke = Stroke::new(2.0, palette(ui.visuals()).accent);
    let painter = ui.painter().with_clip_rect(frame.area.expand(MARK).intersect(ui.clip_rect()));
    let points: Vec<Pos2> = marks.iter().map(|mark| frame.point(*mark)).collect();
    for at in &points {
        for by in [vec2(MARK, 0.0), vec2(0.0, MARK)] {
            painter.line_segment([*at - by, *at + by], stroke);
        }
    }
    let pointer = response.hover_pos().filter(|_| points.len() < 2);
    if let (Some(from), Some(to)) = (points.first(), points.get(1).copied().or(pointer)) {
        painter.line_segment([*from, to], stroke);
    }
    if response.hovered() {
        ui.set_cursor_icon(CursorIcon::Crosshair);
    }
}
