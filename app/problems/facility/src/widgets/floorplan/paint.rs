//! Painting of floors, walls, flows and names.

use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use egui::epaint::TextShape;
use egui::{Color32, Galley, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::interaction::Carried;
use super::words::length;
use super::{Frame, Moved, Picture, Region, Room, Scene, Target, View, lines, site, underlay};
use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::truncated;

/// Rectangles that are emphasised.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attention {
    pub selected: Option<usize>,
    pub(crate) hovered: Option<usize>,
    pub held: Option<usize>,
}

/// Narrower or lower than this, a rectangle has no name.
const NAMED: f32 = 11.0;
/// Opacity of rectangles over an underlay.
const OVER_UNDERLAY: f32 = 0.5;
/// Widest line about others that follow.
const FOLLOWING: f32 = 360.0;
/// Between the wall and what stands inside.
const INSET: f32 = 5.0;

/// Paints everything that lies on the floor.
pub(super) fn paint(ui: &Ui, scene: &Scene<'_>, view: &mut View, frame: &Frame, attention: Attention) {
    let palette = palette(ui.visuals());
    let whole = ui.painter().with_clip_rect(frame.full.intersect(ui.clip_rect()));
    whole.rect_filled(frame.full, 0.0, palette.surface);
    let picture = scene.picture;
    // Walls at the edge are as thick as the others.
    let painter = whole.with_clip_rect(frame.area.expand(2.0).intersect(whole.clip_rect()));
    let [width, height] = picture.size;
    let floor = frame.rect(&Region { x: 0.0, y: 0.0, width, height });
    match scene.underlay {
        Some(underlay) => underlay::paint(ui, &painter, underlay, &mut view.underlay, frame, floor),
        None => {
            painter.rect_filled(floor, 0.0, palette.blocked);
            hatch(&painter, floor, frame.area, 9.0, Stroke::new(1.0, palette.border));
        }
    }
    let opacity = if scene.underlay.is_some() { OVER_UNDERLAY } else { 1.0 };
    site::obstacles(&painter, &picture.site, frame, palette);
    let seen = |rect: &Rect| rect.intersects(frame.area);
    let rects: Vec<Rect> = picture.rooms.iter().map(|room| frame.rect(&room.region)).collect();
    let mut mesh = Mesh::default();
    for (room, rect) in picture.rooms.iter().zip(&rects).filter(|(_, rect)| seen(rect)) {
        mesh.add_colored_rect(*rect, ground(room, palette).gamma_multiply(opacity));
    }
    painter.add(Shape::mesh(mesh));
    for (room, rect) in picture.rooms.iter().zip(&rects).filter(|(_, rect)| seen(rect)) {
        if room.wrong.is_some() {
            hatch(&painter, *rect, frame.area, 7.0, Stroke::new(1.0, palette.clash.gamma_multiply(0.55)));
        } else if room.free {
            hatch(&painter, *rect, frame.area, 9.0, Stroke::new(1.0, palette.border_strong.gamma_multiply(0.6)));
        }
    }
    if let Some(room) = attention.hovered {
        painter.rect_filled(rects[room], 0.0, palette.accent.gamma_multiply(0.12));
    }
    walls(&painter, picture, frame, &rects, palette);
    site::walls(&painter, &picture.site, frame, floor, palette);
    let outlines = painter.add(Shape::Noop);
    painter.add(Shape::mesh(lines::mesh(scene, view, frame, attention.selected, palette)));
    let mut taken = Vec::new();
    for (number, rect) in rects.iter().enumerate().filter(|(_, rect)| seen(rect)) {
        let faded = attention.held == Some(number);
        inscribe(&painter, &picture.rooms[number], *rect, frame, faded, palette, &mut taken);
    }
    site::doors(&painter, &picture.site, frame, floor, palette, &mut taken);
    painter.set(outlines, ghost(&painter, scene, frame, palette, &mut taken));
    volumes(&painter, scene, frame, attention, palette, taken);
    emphasis(&painter, picture, &rects, attention, palette);
}

/// The colour of a floor: pale, so that lines and letters stand out.
fn ground(room: &Room, palette: &Palette) -> Color32 {
    if room.free {
        return palette.blocked;
    }
    palette.floor(room.tone)
}

/// Parallel strokes over a rectangle, from the lower left to the upper right.
fn hatch(painter: &Painter, rect: Rect, area: Rect, distance: f32, stroke: Stroke) {
    let rect = rect.intersect(area.expand(2.0));
    if !rect.is_positive() {
        return;
    }
    // Every stroke is a line x + y = c; where it enters and leaves the rectangle.
    let first = ((rect.left() + rect.top()) / distance).ceil() as i32;
    let last = ((rect.right() + rect.bottom()) / distance).floor() as i32;
    let mut shapes = Vec::with_capacity((last - first + 1).max(0) as usize);
    for number in first..=last {
        let c = number as f32 * distance;
        let x = |y: f32| c - y;
        let from_x = x(rect.bottom()).max(rect.left());
        let to_x = x(rect.top()).min(rect.right());
        shapes.push(Shape::line_segment([pos2(from_x, c - from_x), pos2(to_x, c - to_x)], stroke));
    }
    painter.extend(shapes);
}

/// Walls between rectangles, thicker ones between bays.
fn walls(painter: &Painter, picture: &Picture, frame: &Frame, rects: &[Rect], palette: &Palette) {
    let thin = Stroke::new(1.0, palette.text.gamma_multiply(0.55));
    for rect in rects.iter().filter(|rect| rect.intersects(frame.area)) {
        painter.rect_stroke(*rect, 0.0, thin, StrokeKind::Middle);
    }
    let thick = Stroke::new(2.5, palette.text.gamma_multiply(0.9));
    for bay in &picture.bays {
        let rect = frame.rect(&bay.region);
        if picture.upright {
            painter.vline(rect.right(), rect.y_range(), thick);
        } else {
            painter.hline(rect.x_range(), rect.top(), thick);
        }
    }
}

/// The other plan as dashed outlines, with names where no text of this plan stands; `taken` are the places of texts.
fn ghost(painter: &Painter, scene: &Scene<'_>, frame: &Frame, palette: &Palette, taken: &mut Vec<Rect>) -> Shape {
    let mut shapes = Vec::new();
    for room in scene.ghost.iter().flat_map(|(other, _)| &other.rooms) {
        let rect = frame.rect(&room.region).shrink(1.5);
        if !rect.intersects(frame.area) {
            continue;
        }
        let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
        shapes.extend(Shape::dashed_line(&corners, Stroke::new(1.5, palette.warn), 6.0, 4.0));
        let font = theme::font(text::TINY);
        let name = truncated(painter, room.name.as_str(), font, palette.warn, rect.width() - 2.0 * INSET);
        let place = Rect::from_min_size(rect.right_bottom() - name.size() - vec2(INSET, 3.0), name.size());
        if rect.height() >= 34.0 && rect.width() >= 24.0 && !is_taken(taken, place) {
            shapes.push(Shape::galley(place.min, name, palette.warn));
            taken.push(place);
        }
    }
    Shape::Vec(shapes)
}

fn is_taken(taken: &[Rect], place: Rect) -> bool {
    taken.iter().any(|other| other.intersects(place))
}

/// Largest standard size at which a name fits; vertical text only where horizontal text does not fit.
fn title(painter: &Painter, name: &str, room: Rect, ink: Color32) -> Option<(Arc<Galley>, bool)> {
    let lay = |size: f32| painter.layout_no_wrap(name.to_owned(), theme::bold_font(size), ink);
    let inside = room.size() - vec2(2.0 * INSET, 4.0);
    let sizes = [text::BODY, text::SMALL, text::TINY];
    for size in sizes {
        let galley = lay(size);
        if galley.size().x <= inside.x && galley.size().y <= inside.y {
            return Some((galley, false));
        }
    }
    let upright = room.height() > 1.4 * room.width();
    for size in sizes.into_iter().filter(|_| upright) {
        let galley = lay(size);
        if galley.size().x <= room.height() - 2.0 * INSET && galley.size().y <= room.width() - 2.0 {
            return Some((galley, true));
        }
    }
    // A name of which half is seen says more than none.
    let (long, upright) = if upright { (room.height(), true) } else { (room.width(), false) };
    let galley = lay(text::TINY);
    let wide = if upright { room.width() } else { room.height() };
    let fits = long - 2.0 * INSET >= 0.5 * galley.size().x && long >= 30.0 && wide >= NAMED;
    fits.then(|| {
        let font = theme::bold_font(text::TINY);
        (truncated(painter, name, font, ink, long - 2.0 * INSET), upright)
    })
}

/// The name of a rectangle, and below it its area and its sides where there is room; adds their places to `taken`.
fn inscribe(
    painter: &Painter, room: &Room, rect: Rect, frame: &Frame, faded: bool, palette: &Palette, taken: &mut Vec<Rect>,
) {
    // What is zoomed in keeps its name in sight.
    let seen = rect.intersect(frame.area);
    if seen.width() < NAMED || seen.height() < NAMED {
        return;
    }
    let ink = if faded { palette.faint } else { palette.text };
    let mut marks = 0.0;
    let mut mark = |icon: Icon, colour: Color32| {
        let side = 12.0_f32.min(seen.width() - 4.0).min(seen.height() - 4.0);
        let at = pos2(seen.right() - 4.0 - side / 2.0 - marks, seen.top() + 4.0 + side / 2.0);
        let place = Rect::from_center_size(at, vec2(side, side));
        painter.rect_filled(place.expand(2.0), 3.0, ground(room, palette));
        icon.paint(painter, place, colour);
        marks += side + 4.0;
    };
    if room.wrong.is_some() {
        mark(Icon::Warning, palette.bad);
    }
    if room.held.is_some() {
        mark(Icon::Pin, palette.accent);
    }
    let free = seen.with_max_x(seen.right() - if seen.width() > 60.0 { marks } else { 0.0 });
    let Some((galley, upright)) = title(painter, &room.name, free, ink) else { return };
    let back = ground(room, palette).gamma_multiply(0.82);
    if upright {
        let size = vec2(galley.size().y, galley.size().x);
        let at = pos2(seen.center().x - size.x / 2.0, seen.center().y - size.y / 2.0);
        taken.push(Rect::from_min_size(at, size));
        painter.rect_filled(Rect::from_min_size(at, size).expand(1.0), 2.0, back);
        let text = TextShape::new(pos2(at.x, at.y + size.y), galley, ink).with_angle(-FRAC_PI_2);
        painter.add(text);
        return;
    }
    let mut y = seen.top() + 3.0;
    let mut line = |galley: Arc<Galley>, ink: Color32| {
        let size = galley.size();
        let at = pos2(seen.left() + INSET, y);
        let fits = size.x <= seen.width() - 2.0 * INSET + 1.0 && y + size.y <= seen.bottom() - 2.0;
        if fits {
            taken.push(Rect::from_min_size(at, size));
            painter.rect_filled(Rect::from_min_size(at, size).expand2(vec2(2.0, 0.0)), 2.0, back);
            painter.galley(at, galley, ink);
            y += size.y + 1.0;
        }
        fits
    };
    if !line(galley, ink) {
        return;
    }
    let weak = if faded { palette.faint } else { palette.weak };
    let lay = |words: String| painter.layout_no_wrap(words, theme::font(text::SMALL), weak);
    let Region { width, height, .. } = room.region;
    if let Some(wrong) = &room.wrong {
        let words = painter.layout_no_wrap(wrong.short.clone(), theme::bold_font(text::SMALL), palette.bad);
        line(words, palette.bad);
    }
    if line(lay(length(width * height)), weak) && rect.height() >= 72.0 {
        line(lay(format!("{} × {}", length(width), length(height))), weak);
    }
}

/// Writes the volumes between the selected rectangle and others on its thickest lines, where no other text stands.
fn volumes(
    painter: &Painter, scene: &Scene<'_>, frame: &Frame, attention: Attention, palette: &Palette, mut taken: Vec<Rect>,
) {
    const MOST: usize = 10;
    let Some(selected) = attention.selected else { return };
    let picture = scene.picture;
    for link in lines::drawn(scene, Some(selected)).take(MOST) {
        let other = if link.from == selected { link.to } else { link.from };
        let [from, to] = [selected, other].map(|room| lines::end(picture, frame, room));
        let words = length(link.weight);
        let galley = painter.layout_no_wrap(words, theme::bold_font(text::TINY), palette.on_accent);
        let size = galley.size() + vec2(8.0, 2.0);
        let shares = [0.62, 0.5, 0.74, 0.38, 0.86, 0.26];
        let places = shares.map(|share| Rect::from_center_size(from + (to - from) * share, size));
        let free = |rect: &Rect| frame.area.contains_rect(*rect) && !is_taken(&taken, *rect);
        if let Some(rect) = places.into_iter().find(free) {
            painter.rect_filled(rect, 4.0, palette.accent);
            painter.galley(rect.center() - galley.size() / 2.0, galley, palette.on_accent);
            taken.push(rect.expand(2.0));
        }
    }
}

/// Outlines of what is wrong, of what is selected and of what is under the pointer.
fn emphasis(painter: &Painter, picture: &Picture, rects: &[Rect], attention: Attention, palette: &Palette) {
    for (_, rect) in picture.rooms.iter().zip(rects).filter(|(room, _)| room.wrong.is_some()) {
        painter.rect_stroke(rect.shrink(1.0), 0.0, Stroke::new(2.5, palette.clash), StrokeKind::Inside);
    }
    if let Some(room) = attention.hovered {
        painter.rect_stroke(rects[room], 0.0, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
    }
    if let Some(room) = attention.selected {
        let outer = Stroke::new(5.0, palette.surface);
        painter.rect_stroke(rects[room], 1.0, outer, StrokeKind::Middle);
        painter.rect_stroke(rects[room], 1.0, Stroke::new(3.0, palette.accent), StrokeKind::Middle);
    }
}

/// Paints the carried rectangle, its target and the effect of the move.
pub(super) fn carried(ui: &Ui, canvas: egui::Id, scene: &Scene<'_>, frame: &Frame, carried: &Carried) {
    let palette = palette(ui.visuals());
    let painter = ui.painter().with_clip_rect(frame.full.intersect(ui.clip_rect()));
    let picture = scene.picture;
    if let Some((moved, _)) = &carried.to {
        place(&painter, picture, frame, *moved, palette);
    }
    let layer = egui::LayerId::new(egui::Order::Foreground, canvas.with("carried"));
    let over = ui.ctx().layer_painter(layer);
    let name = &picture.rooms[carried.room].name;
    let title = over.layout_no_wrap(name.clone(), theme::bold_font(text::BODY), palette.text);
    let (words, colour) = match &carried.to {
        None => ("stays where it is".to_owned(), palette.weak),
        Some((moved, judgement)) => {
            let target = meaning(picture, *moved);
            let joined = if judgement.words.is_empty() { target } else { format!("{target}: {}", judgement.words) };
            let colour = match judgement.better {
                Some(true) => palette.good,
                Some(false) => palette.bad,
                None => palette.weak,
            };
            (joined, colour)
        }
    };
    let words = over.layout_no_wrap(words, theme::font(text::SMALL), colour);
    let here = carried.to.as_ref().map(|(moved, _)| *moved);
    let following = scene.following.filter(|(moved, _)| here == Some(*moved));
    let lay_out = |line: &str| over.layout(line.to_owned(), theme::font(text::SMALL), palette.text, FOLLOWING);
    let following = following.map(|(_, line)| lay_out(line));
    let extent = following.as_ref().map_or(Vec2::ZERO, |line| line.size() + vec2(0.0, 2.0));
    let widest = title.size().x.max(words.size().x).max(extent.x);
    let size = vec2(widest, title.size().y + words.size().y + 2.0 + extent.y) + vec2(16.0, 10.0);
    let mut rect = Rect::from_min_size(carried.at + vec2(14.0, 12.0), size);
    // Beside the pointer, and never out of the window.
    let window = ui.ctx().content_rect();
    if rect.right() > window.right() {
        rect = rect.translate(vec2(-size.x - 28.0, 0.0));
    }
    if rect.bottom() > window.bottom() {
        rect = rect.translate(vec2(0.0, -size.y - 24.0));
    }
    over.rect_filled(rect.translate(vec2(0.0, 2.0)).expand(1.0), 6.0, palette.shadow);
    over.rect_filled(rect, 6.0, palette.raised);
    over.rect_stroke(rect, 6.0, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    over.galley(rect.min + vec2(space::S, 4.0), Arc::clone(&title), palette.text);
    let line = rect.min + vec2(space::S, 6.0 + title.size().y);
    let next = line + vec2(0.0, words.size().y + 2.0);
    over.galley(line, words, colour);
    if let Some(following) = following {
        over.galley(next, following, palette.text);
    }
}

/// Where something is to go, in words.
fn meaning(picture: &Picture, moved: Moved) -> String {
    match moved.to {
        Target::Swap(other) => format!("change places with {}", picture.rooms[other].name),
        Target::NewBay(_) => "a bay of its own".to_owned(),
        Target::Into { bay, place } => {
            let rooms = &picture.bays[bay].rooms;
            match (rooms.get(place), place.checked_sub(1).and_then(|before| rooms.get(before))) {
                (Some(&next), _) if next != moved.room => format!("before {}", picture.rooms[next].name),
                (_, Some(&last)) => format!("after {}", picture.rooms[last].name),
                _ => format!("into bay {}", bay + 1),
            }
        }
    }
}

/// Marks the place where something would go.
fn place(painter: &Painter, picture: &Picture, frame: &Frame, moved: Moved, palette: &Palette) {
    let stroke = Stroke::new(4.0, palette.accent);
    let knob = |at: Pos2| {
        painter.circle_filled(at, 5.0, palette.accent);
    };
    let line = |from: Pos2, to: Pos2| {
        painter.line_segment([from, to], Stroke::new(7.0, palette.surface));
        painter.line_segment([from, to], stroke);
        knob(from);
        knob(to);
    };
    match moved.to {
        Target::Swap(other) => {
            let rect = frame.rect(&picture.rooms[other].region);
            painter.rect_filled(rect, 0.0, palette.accent.gamma_multiply(0.3));
            painter.rect_stroke(rect, 0.0, stroke, StrokeKind::Inside);
        }
        Target::Into { bay, place } => {
            let strip = frame.rect(&picture.bays[bay].region);
            let rooms = &picture.bays[bay].rooms;
            let before = rooms.get(place).map(|&room| frame.rect(&picture.rooms[room].region));
            let last = rooms.last().map(|&room| frame.rect(&picture.rooms[room].region));
            if picture.upright {
                let y = before.map_or(last.map_or(strip.bottom(), |rect| rect.bottom()), |rect| rect.top());
                line(pos2(strip.left() + 4.0, y), pos2(strip.right() - 4.0, y));
            } else {
                let x = before.map_or(last.map_or(strip.right(), |rect| rect.right()), |rect| rect.left());
                line(pos2(x, strip.top() + 4.0), pos2(x, strip.bottom() - 4.0));
            }
        }
        Target::NewBay(before) => {
            let next = picture.bays.get(before).map(|bay| frame.rect(&bay.region));
            let last = picture.bays.last().map(|bay| frame.rect(&bay.region));
            let Some(strip) = next.or(last) else { return };
            if picture.upright {
                let x = if next.is_some() { strip.left() } else { strip.right() };
                line(pos2(x, strip.top() - 4.0), pos2(x, strip.bottom() + 4.0));
            } else {
                let y = if next.is_some() { strip.bottom() } else { strip.top() };
                line(pos2(strip.left() - 4.0, y), pos2(strip.right() + 4.0, y));
            }
        }
    }
}
