//! Drawing of the plan: walls, rooms with their labels, bays, flows, dimensions.

use super::facts::Facts;
use super::floor::Room;
use super::scale::Scale;
use crate::building::outline::outline;
use crate::{Door, Orientation, Part, PartKind, Rectangle};
use gridwright_core::numbers::figure;
use gridwright_core::scene::axis::round_step;
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::palette::pale_category;
use gridwright_core::scene::{Anchor, Area, Colour, Scene, Shape};

/// Margins in points: dimensions at the left and above, scale below.
const MARGIN_LEFT: f32 = 34.0;
const MARGIN_TOP: f32 = 26.0;
const MARGIN_BOTTOM: f32 = 26.0;
/// Font size of dimensions and scale.
const SIZE: f32 = 9.0;
/// Smallest font size of a label.
const LEAST_SIZE: f32 = 5.0;
/// Largest font size of a name.
const LARGEST_SIZE: f32 = 13.0;
/// Thinnest and thickest line of a flow, in points.
pub const THINNEST: f64 = 0.6;
pub const THICKEST: f64 = 7.0;
/// Opacity of flow lines, 0…255.
const FLOW_ALPHA: u8 = 120;
/// Opacity of departments over an underlay, 0…255.
const OVER_UNDERLAY: u8 = 130;

/// Plan on a sheet.
pub(crate) struct Paper<'p, 'f, 'a> {
    pub(super) facts: &'p Facts<'f, 'a>,
    /// Area of the plant on the sheet.
    plot: Area,
    /// Points per unit of length.
    scale: f64,
}

/// Room around the plant for dimensions and scale: left and right, above, below.
fn margins(facts: &Facts<'_, '_>) -> [f32; 3] {
    if facts.sizes { [MARGIN_LEFT, MARGIN_TOP, MARGIN_BOTTOM] } else { [0.0, 0.0, MARGIN_BOTTOM] }
}

/// Largest number of points per unit of length with which the plan fits into `area`.
fn largest_scale(facts: &Facts<'_, '_>, area: Area) -> f64 {
    let (width, height) = (facts.floor.instance.width, facts.floor.instance.height);
    let [left, top, bottom] = margins(facts);
    let room = ((area.width - 2.0 * left).max(1.0), (area.height - top - bottom).max(1.0));
    (f64::from(room.0) / width).min(f64::from(room.1) / height)
}

impl<'p, 'f, 'a> Paper<'p, 'f, 'a> {
    /// Fits the plan into `area`, centred horizontally.
    pub fn new(facts: &'p Facts<'f, 'a>, area: Area) -> Self {
        let scale = largest_scale(facts, area);
        let mut paper = Self::placed(facts, area, scale);
        paper.plot.y = area.y + margins(facts)[1];
        paper
    }

    /// Fits the plan into the middle of `area`, to a round scale.
    pub(crate) fn to_scale(facts: &'p Facts<'f, 'a>, area: Area) -> Self {
        let scale = Scale::below(facts.floor.instance, largest_scale(facts, area));
        Self::placed(facts, area, scale.points())
    }

    fn placed(facts: &'p Facts<'f, 'a>, area: Area, scale: f64) -> Self {
        let size = (facts.floor.instance.width, facts.floor.instance.height);
        let (wide, high) = ((size.0 * scale) as f32, (size.1 * scale) as f32);
        let [_, top, bottom] = margins(facts);
        let left = area.x + (area.width - wide) / 2.0;
        let plot = Area::new(left, area.y + top + (area.height - top - bottom - high).max(0.0) / 2.0, wide, high);
        Self { facts, plot, scale }
    }

    /// Scale of the drawing.
    pub fn scale(&self) -> Scale {
        Scale::below(self.facts.floor.instance, self.scale)
    }

    /// Lower end of plan and scale.
    pub fn bottom(&self) -> f32 {
        self.plot.bottom() + MARGIN_BOTTOM
    }

    pub fn draw(&self, scene: &mut Scene) {
        let (palette, floor) = (&self.facts.palette, self.facts.floor);
        scene.rectangle(self.plot.x, self.plot.y, self.plot.width, self.plot.height, palette.panel);
        if let Some(rest) = &floor.rest {
            let area = self.area(rest);
            scene.titled_rectangle(area, 0.0, palette.stripe, "left over");
        }
        if let Some(underlay) = self.facts.underlay {
            self.draw_underlay(scene, underlay);
        }
        for part in &floor.instance.building.parts {
            self.draw_part(scene, part);
        }
        for room in &floor.rooms {
            self.draw_room(scene, room);
        }
        self.draw_walls(scene);
        self.draw_flows(scene);
        for room in &floor.rooms {
            self.draw_words(scene, room);
        }
        for door in &floor.instance.doors {
            self.draw_door(scene, door);
        }
        if self.facts.sizes {
            self.draw_sizes(scene);
        }
        self.draw_scale(scene);
    }

    pub(super) fn x(&self, x: f64) -> f32 {
        self.plot.x + (x * self.scale) as f32
    }

    /// The y axis of scenes points downwards, that of plans upwards.
    pub(super) fn y(&self, y: f64) -> f32 {
        self.plot.bottom() - (y * self.scale) as f32
    }

    pub(super) fn area(&self, rectangle: &Rectangle) -> Area {
        let (width, height) = ((rectangle.width * self.scale) as f32, (rectangle.height * self.scale) as f32);
        Area::new(self.x(rectangle.x), self.y(rectangle.y + rectangle.height), width, height)
    }

    fn fill(&self, room: &Room) -> Colour {
        let at = usize::from(room.department);
        let is_free = self.facts.floor.instance.departments[at].dummy;
        let fill = if is_free { self.facts.palette.stripe } else { pale_category(at, &self.facts.palette) };
        if self.facts.underlay.is_some() { fill.with_alpha(OVER_UNDERLAY) } else { fill }
    }

    /// Draws floor outside of the outline as paper, and a fixed thing as a grey rectangle with its diagonals.
    fn draw_part(&self, scene: &mut Scene, part: &Part) {
        let palette = &self.facts.palette;
        let area = self.area(&part.rectangle);
        let Area { x, y, width, height } = area;
        let title = part.label();
        if part.kind == PartKind::Outside {
            scene.titled_rectangle(area, 0.0, palette.background, &title);
            return;
        }
        let stroke = Some((0.8, palette.ink));
        scene.shapes.push(Shape::Rectangle { x, y, width, height, radius: 0.0, fill: palette.bar, stroke, title });
        for [from, to] in [[(x, y), (x + width, y + height)], [(x, y + height), (x + width, y)]] {
            scene.line(from, to, 0.6, palette.ink);
        }
        let size = LARGEST_SIZE.min(0.7 * height).min(0.9 * width / text_width(&part.name, 1.0, false).max(0.1));
        if size >= LEAST_SIZE {
            let half = text_width(&part.name, size, false) / 2.0 + 2.0;
            let middle = (x + width / 2.0, y + height / 2.0);
            scene.rectangle(middle.0 - half, middle.1 - 0.6 * size, 2.0 * half, 1.2 * size, palette.bar);
            scene.text((middle.0, middle.1 + 0.36 * size), size, palette.ink, Anchor::Middle, part.name.clone());
        }
    }

    fn draw_room(&self, scene: &mut Scene, room: &Room) {
        let Area { x, y, width, height } = self.area(&room.rectangle);
        let title = self.facts.floor.describe(room);
        let stroke = Some((0.8, self.facts.palette.muted));
        scene.shapes.push(Shape::Rectangle { x, y, width, height, radius: 0.0, fill: self.fill(room), stroke, title });
    }

    /// Draws the borders of bays, the walls of the plant and red borders around departments with violations.
    fn draw_walls(&self, scene: &mut Scene) {
        let (palette, floor) = (&self.facts.palette, self.facts.floor);
        for bay in &floor.bays {
            let end = match floor.layout.orientation {
                Orientation::Vertical => [(bay.x + bay.width, bay.y), (bay.x + bay.width, bay.y + bay.height)],
                Orientation::Horizontal => [(bay.x, bay.y + bay.height), (bay.x + bay.width, bay.y + bay.height)],
            };
            let [from, to] = end.map(|(x, y)| (self.x(x), self.y(y)));
            scene.line(from, to, 1.8, palette.ink);
        }
        self.draw_outline(scene);
        for room in floor.rooms.iter().filter(|room| room.is_at_fault) {
            let area = self.area(&room.rectangle);
            let inset = 1.6_f32.min(area.width / 3.0).min(area.height / 3.0);
            let inner = Area::new(area.x + inset, area.y + inset, area.width - 2.0 * inset, area.height - 2.0 * inset);
            self.draw_border(scene, inner, 2.2, palette.alarm);
        }
    }

    /// Draws the walls of the plant along its outline.
    fn draw_outline(&self, scene: &mut Scene) {
        let (colour, width) = (self.facts.palette.ink, 2.6);
        let instance = self.facts.floor.instance;
        if instance.building.parts.iter().all(|part| part.kind == PartKind::Fixed) {
            return self.draw_border(scene, self.plot, width, colour);
        }
        for corners in outline(instance) {
            let closed = corners.iter().chain(corners.first());
            let points = closed.map(|&(x, y)| (self.x(x), self.y(y))).collect();
            scene.shapes.push(Shape::Line { points, width, colour });
        }
    }

    /// Draws a door as a square on its point with its name beside it, within the plan.
    fn draw_door(&self, scene: &mut Scene, door: &Door) {
        const HALF: f32 = 4.0;
        let palette = &self.facts.palette;
        let (x, y, side) = (self.x(door.x), self.y(door.y), 2.0 * HALF);
        scene.titled_rectangle(
            Area::new(x - HALF, y - HALF, side, side),
            0.0,
            palette.ink,
            format!("door {}", door.name),
        );
        let name = elide(&door.name, SIZE, true, self.plot.width / 2.0);
        let wide = text_width(&name, SIZE, true) + 4.0;
        let left = if x > self.plot.x + self.plot.width / 2.0 { x - HALF - 1.0 - wide } else { x + HALF + 1.0 };
        let top = (y - 0.6 * SIZE).clamp(self.plot.y, (self.plot.bottom() - 1.2 * SIZE).max(self.plot.y));
        scene.rectangle(left, top, wide, 1.2 * SIZE, palette.background.with_alpha(200));
        scene.bold_text((left + 2.0, top + 0.95 * SIZE), SIZE, palette.ink, Anchor::Start, name);
    }

    fn draw_border(&self, scene: &mut Scene, area: Area, width: f32, colour: Colour) {
        let Area { x, y, .. } = area;
        let points = vec![(x, y), (area.right(), y), (area.right(), area.bottom()), (x, area.bottom()), (x, y)];
        scene.shapes.push(Shape::Line { points, width, colour });
    }

    fn draw_flows(&self, scene: &mut Scene) {
        let colour = self.facts.palette.ink.with_alpha(FLOW_ALPHA);
        for flow in self.facts.flows {
            let points = flow.path().into_iter().map(|(x, y)| (self.x(x), self.y(y))).collect();
            let width = flow.thickness(THINNEST, THICKEST) as f32;
            scene.shapes.push(Shape::Line { points, width, colour });
        }
    }

    /// Draws the name and below it area and shape, as large as they fit; rotated in narrow rooms.
    fn draw_words(&self, scene: &mut Scene, room: &Room) {
        const PAD: f32 = 3.0;
        let (palette, floor) = (&self.facts.palette, self.facts.floor);
        let area = self.area(&room.rectangle);
        let department = &floor.instance.departments[usize::from(room.department)];
        let upright =
            area.height > 1.4 * area.width && text_width(&department.name, 8.0, true) > area.width - 2.0 * PAD;
        let (along, across) = if upright { (area.height, area.width) } else { (area.width, area.height) };
        let (along, across) = (along - 2.0 * PAD, across - 2.0 * PAD);
        let name_size = (along / text_width(&department.name, 1.0, true).max(0.1)).min(across * 0.7).min(LARGEST_SIZE);
        let (name, size) = if name_size >= LEAST_SIZE + 1.0 {
            (department.name.clone(), name_size)
        } else {
            let size = (LEAST_SIZE + 1.0).min(across * 0.8);
            (elide(&department.name, size, true, along), size)
        };
        if size < LEAST_SIZE || name.is_empty() {
            return;
        }
        let words = if department.dummy {
            "free floor".to_owned()
        } else {
            let (aspect, amount) = (figure(room.rectangle.aspect(), 2), figure(department.area, 2));
            format!("{amount} · {aspect}:1")
        };
        let small = (size * 0.75).clamp(LEAST_SIZE, 9.0);
        let has_words = text_width(&words, small, false) <= along && size + small * 1.5 <= across;
        let ground = self.fill(room).with_alpha(200);
        let high = if has_words { size + small * 1.45 } else { size * 1.25 };
        let wide = text_width(&name, size, true).max(if has_words { text_width(&words, small, false) } else { 0.0 });
        let middle = (area.x + area.width / 2.0, area.y + area.height / 2.0);
        // A background keeps names legible on top of flow lines and of an underlay.
        let (ground_width, ground_height) = if upright { (high, wide + 4.0) } else { (wide + 4.0, high) };
        if !self.facts.flows.is_empty() || self.facts.underlay.is_some() {
            scene.rectangle(
                middle.0 - ground_width / 2.0,
                middle.1 - ground_height / 2.0,
                ground_width,
                ground_height,
                ground,
            );
        }
        // Offsets of the base lines from the middle, across the lines of text.
        let first = if has_words { -high / 2.0 + size * 0.95 } else { size * 0.36 };
        let at = |offset: f32| if upright { (middle.0 + offset, middle.1) } else { (middle.0, middle.1 + offset) };
        let mut write = |offset: f32, size: f32, bold: bool, colour: Colour, text: String| {
            let (x, y) = at(offset);
            scene.shapes.push(Shape::Text { x, y, size, colour, anchor: Anchor::Middle, bold, upright, text });
        };
        let ink = if department.dummy { palette.muted } else { palette.ink };
        write(first, size, true, ink, name);
        if has_words {
            let colour = if room.is_at_fault { palette.alarm } else { palette.ink };
            write(first + small * 1.3, small, room.is_at_fault, colour, words);
        }
    }

    /// Draws the dimensions of the plant (below and left) and of the bays (above or right).
    fn draw_sizes(&self, scene: &mut Scene) {
        let floor = self.facts.floor;
        let (width, height) = (floor.instance.width, floor.instance.height);
        self.draw_size(scene, true, (0.0, height), self.plot.x - 12.0, &figure(height, 2), true);
        let whole_below = floor.layout.orientation == Orientation::Horizontal;
        if whole_below {
            self.draw_size(scene, false, (0.0, width), self.plot.y - 10.0, &figure(width, 2), true);
        }
        for bay in &floor.bays {
            match floor.layout.orientation {
                Orientation::Vertical => {
                    let span = (bay.x, bay.x + bay.width);
                    self.draw_size(scene, false, span, self.plot.y - 10.0, &figure(bay.width, 2), false);
                }
                Orientation::Horizontal => {
                    let span = (bay.y, bay.y + bay.height);
                    self.draw_size(scene, true, span, self.plot.right() + 12.0, &figure(bay.height, 2), false);
                }
            }
        }
    }

    /// Draws a dimension line with ticks and its length in the middle.
    fn draw_size(&self, scene: &mut Scene, is_upright: bool, span: (f64, f64), at: f32, text: &str, bold: bool) {
        const TICK: f32 = 3.0;
        let palette = &self.facts.palette;
        let (from, to) = if is_upright { (self.y(span.1), self.y(span.0)) } else { (self.x(span.0), self.x(span.1)) };
        let wide = text_width(text, SIZE, bold) + 6.0;
        let fits = to - from > wide + 2.0;
        let point = |along: f32, across: f32| if is_upright { (across, along) } else { (along, across) };
        let middle = (from + to) / 2.0;
        if fits {
            scene.line(point(from, at), point(middle - wide / 2.0, at), 0.7, palette.muted);
            scene.line(point(middle + wide / 2.0, at), point(to, at), 0.7, palette.muted);
        } else {
            scene.line(point(from, at), point(to, at), 0.7, palette.muted);
        }
        for end in [from, to] {
            scene.line(point(end, at - TICK), point(end, at + TICK), 0.7, palette.muted);
        }
        if fits {
            let (x, y) = point(middle, at + SIZE * 0.36);
            let (size, colour, anchor) = (SIZE, if bold { palette.ink } else { palette.muted }, Anchor::Middle);
            let text = text.to_owned();
            scene.shapes.push(Shape::Text { x, y, size, colour, anchor, bold, upright: is_upright, text });
        }
    }

    /// Draws a scale bar of a round length and the width of the plant.
    fn draw_scale(&self, scene: &mut Scene) {
        let palette = &self.facts.palette;
        let width = self.facts.floor.instance.width;
        let length = round_step(70.0 / self.scale);
        let (top, wide) = (self.plot.bottom() + 12.0, (length * self.scale) as f32);
        let left = self.plot.x;
        for (part, fill) in [palette.ink, palette.bar].into_iter().enumerate() {
            scene.rectangle(left + wide / 2.0 * part as f32, top, wide / 2.0, 3.0, fill);
        }
        let text = format!("{} {}", figure(length, 4), self.facts.floor.instance.unit_words());
        scene.text((left + wide + 6.0, top + 5.0), SIZE, palette.muted, Anchor::Start, text.clone());
        let is_shown = self.facts.floor.layout.orientation == Orientation::Horizontal && self.facts.sizes;
        let end = left + wide + 12.0 + text_width(&text, SIZE, false);
        let size = format!("{} wide", figure(width, 2));
        if !is_shown && self.plot.right() - text_width(&size, SIZE, true) > end {
            scene.bold_text((self.plot.right(), top + 5.0), SIZE, palette.ink, Anchor::End, size);
        }
    }
}
