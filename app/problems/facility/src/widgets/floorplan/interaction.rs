//! Input of a floor plan: wheel, drag and keys.

use egui::{Key, Modifiers, PointerButton, Pos2, Rect, Response, Ui, pos2};

use super::layout::neighbour;
use super::{Frame, Judgement, Moved, Scene, Side, View, edges};
use gridwright_window::widgets::painting;
use gridwright_window::widgets::viewport::wheel;

/// At most this much larger than fitted.
const CLOSEST: f64 = 60.0;

/// Input of the keyboard in this frame.
pub(super) struct Pressed {
    /// The rectangle to select next.
    pub(crate) stepped: Option<usize>,
    /// Side to which the selected rectangle shall be moved.
    pub nudged: Option<Side>,
}

/// Takes the keys of a plan that has the keyboard.
pub(super) fn keys(
    ui: &Ui, response: &Response, scene: &Scene<'_>, view: &mut View, selected: Option<usize>,
) -> Pressed {
    const ARROWS: [(Key, Side); 4] = [
        (Key::ArrowLeft, Side::Left),
        (Key::ArrowRight, Side::Right),
        (Key::ArrowUp, Side::Up),
        (Key::ArrowDown, Side::Down),
    ];
    if !response.has_focus() {
        return Pressed { stepped: None, nudged: None };
    }
    // A key without a modifier matches with one, too: those with Alt come first.
    let with = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let nudged = ARROWS.into_iter().find(|(key, _)| with(Modifiers::ALT, *key)).map(|(_, side)| side);
    let side = ARROWS.into_iter().find(|(key, _)| with(Modifiers::NONE, *key)).map(|(_, side)| side);
    let pressed = |key| with(Modifiers::NONE, key);
    if pressed(Key::Num0) {
        view.fit();
    }
    if pressed(Key::F) {
        view.fit_selection();
    }
    let order = || scene.picture.order().into_iter();
    let mut stepped = None;
    if pressed(Key::Home) {
        stepped = order().next();
    } else if pressed(Key::End) {
        stepped = order().last();
    } else if let Some(side) = side {
        stepped = match selected {
            Some(room) => neighbour(scene.picture, room, side),
            None => order().next(),
        };
    }
    let keys = painting::keys(ui, response);
    if keys.zoom != 1.0 {
        view.zoom(f64::from(keys.zoom));
    }
    stepped.inspect(|&room| view.reveal(room));
    let nudged = nudged.filter(|_| scene.movable && selected.is_some());
    Pressed { stepped, nudged }
}

/// Zooms around the pointer, moves, brings into view what was asked for, and keeps the floor in sight.
pub(super) fn navigate(
    ui: &Ui, response: &Response, scene: &Scene<'_>, view: &mut View, selected: Option<usize>,
) -> Frame {
    let full = response.rect;
    let margin = edges::margins(scene);
    let min = full.min + margin.left_top();
    // However small the window is, there is something to divide by.
    let max = (full.max - margin.right_bottom()).max(min + egui::vec2(16.0, 16.0));
    let area = Rect::from_min_max(min, max);
    let size = scene.picture.size.map(|side| side.max(1e-9));
    let fitted = (f64::from(area.width()) / size[0]).min(f64::from(area.height()) / size[1]) * 0.999;
    let (mut factor, mut centre) = view.zoomed.unwrap_or((1.0, [size[0] / 2.0, size[1] / 2.0]));
    let middle = |centre: [f64; 2], scale: f64| {
        let by = egui::vec2((centre[0] * scale) as f32, -(centre[1] * scale) as f32);
        area.center() - by
    };
    let frame = |factor: f64, centre: [f64; 2]| Frame {
        full,
        area,
        scale: fitted * factor,
        origin: middle(centre, fitted * factor),
        pixels: ui.pixels_per_point(),
    };
    let zoom = |by: f64, around: Pos2, factor: &mut f64, centre: &mut [f64; 2]| {
        let before = frame(*factor, *centre).floor(around);
        *factor = (*factor * by).clamp(1.0, CLOSEST);
        let after = frame(*factor, *centre).floor(around);
        *centre = [centre[0] + before[0] - after[0], centre[1] + before[1] - after[1]];
    };
    if let Some(wheel) = wheel(ui, response) {
        if wheel.zoom() != 1.0 {
            zoom(wheel.zoom().into(), wheel.at, &mut factor, &mut centre);
        }
        centre[0] -= f64::from(wheel.scroll.x) / (fitted * factor);
    }
    let pans = response.dragged_by(PointerButton::Middle)
        || response.dragged_by(PointerButton::Secondary)
        || (response.dragged() && view.held.is_none() && !starts_on_room(ui, response, scene, &frame(factor, centre)));
    if pans {
        let by = response.drag_delta();
        centre[0] -= f64::from(by.x) / (fitted * factor);
        centre[1] += f64::from(by.y) / (fitted * factor);
    }
    if response.double_clicked() {
        (factor, centre) = (1.0, size.map(|side| side / 2.0));
    }
    let region = |room: usize| scene.picture.rooms.get(room).map(|room| room.region);
    if let Some(by) = view.factor.take() {
        let around = selected.and_then(region).map(|region| frame(factor, centre).point(region.centre()));
        let around = around.filter(|at| area.contains(*at)).unwrap_or(area.center());
        zoom(by, around, &mut factor, &mut centre);
    }
    if std::mem::take(&mut view.focus) {
        if let Some(region) = selected.and_then(region) {
            let room = (f64::from(area.width()) / region.width).min(f64::from(area.height()) / region.height);
            (factor, centre) = ((0.4 * room / fitted).clamp(1.0, CLOSEST), region.centre());
        } else {
            (factor, centre) = (1.0, size.map(|side| side / 2.0));
        }
    }
    if let Some(region) = view.reveal.take().and_then(region)
        && !area.expand(1.0).contains_rect(frame(factor, centre).rect(&region))
    {
        centre = region.centre();
    }
    centre = kept(centre, size, area, fitted * factor);
    view.zoomed = (factor > 1.001).then_some((factor, centre));
    frame(factor, centre)
}

/// The middle of the picture, moved so that the floor fills the area as far as it can.
fn kept(centre: [f64; 2], size: [f64; 2], area: Rect, scale: f64) -> [f64; 2] {
    let room = [f64::from(area.width()) / scale, f64::from(area.height()) / scale];
    let side = |at: f64, size: f64, room: f64| {
        if room >= size { size / 2.0 } else { at.clamp(room / 2.0, size - room / 2.0) }
    };
    [side(centre[0], size[0], room[0]), side(centre[1], size[1], room[1])]
}

/// Returns `true` if the present drag began on a rectangle that can be moved.
fn starts_on_room(ui: &Ui, response: &Response, scene: &Scene<'_>, frame: &Frame) -> bool {
    let origin = ui.input(|input| input.pointer.press_origin()).or(response.interact_pointer_pos());
    response.drag_started() && scene.movable && origin.is_some_and(|at| frame.hit(scene.picture, at).is_some())
}

/// A rectangle under way.
pub(super) struct Carried {
    /// The rectangle.
    pub room: usize,
    /// Where the pointer is.
    pub at: Pos2,
    /// Move and effect of a drop here, if a drop would change anything.
    pub to: Option<(Moved, Judgement)>,
}

/// Result of a drag in this frame.
#[derive(Default)]
pub(super) struct Drag {
    pub held: Option<usize>,
    pub carried: Option<Carried>,
    pub dropped: Option<Moved>,
}

/// Carries a rectangle.
pub(super) fn drag(ui: &Ui, response: &Response, scene: &Scene<'_>, view: &mut View, frame: &Frame) -> Drag {
    if response.drag_started_by(PointerButton::Primary) && scene.movable {
        let origin = ui.input(|input| input.pointer.press_origin()).or(response.interact_pointer_pos());
        view.held = origin.and_then(|position| frame.hit(scene.picture, position));
    }
    let pointer = response.interact_pointer_pos().filter(|_| response.dragged() || response.drag_stopped());
    let held = view.held.filter(|room| *room < scene.picture.rooms.len() && scene.movable);
    let Some((room, at)) = held.zip(pointer) else {
        (view.held, view.judged) = (None, None);
        return Drag::default();
    };
    let moved = frame.target(scene.picture, room, at);
    if response.drag_stopped() {
        (view.held, view.judged) = (None, None);
        // Escape ends a drag as well, and means: not at all.
        let let_go = ui.input(|input| input.pointer.any_released());
        return Drag { dropped: moved.filter(|_| let_go), ..Drag::default() };
    }
    if view.judged.as_ref().map(|judged| judged.0) != moved {
        let judge = |moved: Moved| scene.judge.map_or_else(Judgement::default, |judge| judge(moved));
        view.judged = moved.map(|moved| (moved, judge(moved)));
    }
    let carried = Carried { room, at: pos2(at.x, at.y), to: view.judged.clone() };
    Drag { held: Some(room), carried: Some(carried), dropped: None }
}
