//! Flows between rectangles as one mesh of lines, as thick as their volume.

use std::sync::Arc;

use egui::epaint::{Vertex, WHITE_UV};
use egui::{Color32, Mesh, Pos2, Rect};

use super::{Frame, Link, Picture, Scene, View};
use gridwright_window::theme::Palette;

/// The thickest line, in points, at most.
const THICKEST: f32 = 11.0;
/// The thinnest that is drawn at its full strength.
const THINNEST: f32 = 1.0;

/// Inputs of a mesh; an equal key allows the mesh to be used again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    revision: u64,
    frame: Frame,
    threshold: f64,
    selected: Option<usize>,
    colour: Color32,
}

/// The weight of the last of so many strongest links: a threshold that leaves about that many.
pub fn strongest(links: &[Link], count: usize) -> f64 {
    match links.get(count.saturating_sub(1)) {
        Some(link) => link.weight,
        None => 0.0,
    }
}

/// Links to draw: all of the selected rectangle, or without selection all from the threshold on.
pub(super) fn drawn<'a>(scene: &Scene<'a>, selected: Option<usize>) -> impl Iterator<Item = &'a Link> {
    let threshold = scene.threshold;
    let links: &[Link] = if threshold.is_some() { &scene.picture.links } else { &[] };
    let wanted = move |link: &&Link| match selected {
        Some(room) => link.from == room || link.to == room,
        None => link.weight >= threshold.unwrap_or(f64::INFINITY),
    };
    links.iter().filter(wanted)
}

/// Thickness of the line of a link in points.
pub(super) fn thickness(picture: &Picture, frame: &Frame, weight: f64) -> f32 {
    let most = picture.links.first().map_or(1.0, |link| link.weight).max(1e-12);
    let side = (frame.scale * picture.size[0].min(picture.size[1])) as f32;
    (side * 0.02).clamp(4.0, THICKEST) * (weight / most) as f32
}

/// An end of lines on the screen: the middle of a rectangle, or a door.
pub(super) fn end(picture: &Picture, frame: &Frame, end: usize) -> Pos2 {
    frame.point(picture.end_point(end))
}

/// The mesh of the lines that are drawn; the one of the frame before where nothing has changed.
pub(super) fn mesh(
    scene: &Scene<'_>, view: &mut View, frame: &Frame, selected: Option<usize>, palette: &Palette,
) -> Arc<Mesh> {
    let key = Key {
        revision: scene.picture.revision,
        frame: *frame,
        threshold: scene.threshold.unwrap_or(f64::INFINITY),
        selected,
        colour: palette.accent,
    };
    if let Some((_, mesh)) = view.mesh.as_ref().filter(|(known, _)| *known == key) {
        return Arc::clone(mesh);
    }
    let mut mesh = Mesh::default();
    let most = scene.picture.links.first().map_or(1.0, |link| link.weight).max(1e-12);
    // The strongest come last, over the others.
    let links: Vec<&Link> = drawn(scene, selected).collect();
    for link in links.into_iter().rev() {
        let ends = [link.from, link.to].map(|room| end(scene.picture, frame, room));
        if !Rect::from_two_pos(ends[0], ends[1]).expand(THICKEST).intersects(frame.area) {
            continue;
        }
        let share = (link.weight / most) as f32;
        let strength = if selected.is_some() { 0.55 + 0.35 * share } else { 0.22 + 0.55 * share };
        let width = thickness(scene.picture, frame, link.weight);
        // What would be thinner than a pixel is fainter instead.
        let (width, strength) = (width.max(THINNEST), strength * (width / THINNEST).clamp(0.45, 1.0));
        add(&mut mesh, ends, width, palette.accent.gamma_multiply(strength), frame.pixels);
    }
    let mesh = Arc::new(mesh);
    view.mesh = Some((key, Arc::clone(&mesh)));
    mesh
}

/// A line with soft edges.
pub(super) fn add(mesh: &mut Mesh, [from, to]: [Pos2; 2], width: f32, colour: Color32, pixels: f32) {
    let direction = (to - from).normalized();
    if !direction.is_finite() || direction == egui::Vec2::ZERO {
        return;
    }
    let normal = direction.rot90();
    let soft = 0.5 / pixels;
    let base = mesh.vertices.len() as u32;
    let across = [
        (-width / 2.0 - soft, Color32::TRANSPARENT),
        (soft - width / 2.0, colour),
        (width / 2.0 - soft, colour),
        (width / 2.0 + soft, Color32::TRANSPARENT),
    ];
    for end in [from, to] {
        mesh.vertices.extend(across.map(|(by, color)| Vertex { pos: end + normal * by, uv: WHITE_UV, color }));
    }
    for strip in 0..3 {
        let [a, b, c, d] = [0, 1, 4, 5].map(|corner| base + strip + corner);
        mesh.indices.extend([a, b, c, c, b, d]);
    }
}
