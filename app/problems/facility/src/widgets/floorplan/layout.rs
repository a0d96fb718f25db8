//! Geometry of a floor plan: places on the screen, hit tests, and the move that follows from a drop.

use egui::emath::GuiRounding;
use egui::{Pos2, Rect, pos2};

use super::{Picture, Region};

/// A direction on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// Target of a moved rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// To change places with this one.
    Swap(usize),
    /// Into a bay, before the rectangle at this place, or at the end.
    Into {
        /// The bay.
        bay: usize,
        /// The place.
        place: usize,
    },
    /// Into a bay of its own, before the one that has this number now.
    NewBay(usize),
}

/// A move of a rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// The rectangle.
    pub room: usize,
    /// Target.
    pub to: Target,
}

/// This part of a rectangle in its middle means: change places.
const MIDDLE: f32 = 0.44;
/// This near to the border of a bay, in points, a bay of its own is meant.
const BORDER: f32 = 9.0;

/// Where things lie on the screen: a unit of length is as long along x as along y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Everything.
    pub full: Rect,
    /// The floor without its surroundings.
    pub area: Rect,
    /// Points per unit of length.
    pub(crate) scale: f64,
    /// Where the lower left corner of the floor lies.
    pub(crate) origin: Pos2,
    pub(super) pixels: f32,
}

impl Frame {
    /// The point of the screen for a point of the floor.
    pub fn point(&self, [x, y]: [f64; 2]) -> Pos2 {
        self.origin + egui::vec2((x * self.scale) as f32, -(y * self.scale) as f32)
    }

    /// The point of the floor for one of the screen.
    pub fn floor(&self, at: Pos2) -> [f64; 2] {
        let by = at - self.origin;
        [f64::from(by.x) / self.scale, -f64::from(by.y) / self.scale]
    }

    /// A part of the floor on the screen, snapped to pixels so that neighbours share their wall.
    pub fn rect(&self, region: &Region) -> Rect {
        let low = self.point([region.x, region.y]);
        let high = self.point([region.x + region.width, region.y + region.height]);
        Rect::from_min_max(pos2(low.x, high.y), pos2(high.x, low.y)).round_to_pixels(self.pixels)
    }

    /// The rectangle under a point; `None` beside the plant.
    pub(crate) fn hit(&self, picture: &Picture, at: Pos2) -> Option<usize> {
        self.area.contains(at).then(|| picture.rooms.iter().position(|room| self.rect(&room.region).contains(at)))?
    }

    /// The move that follows from dropping a rectangle at a point; `None` where the plan would stay as it is.
    pub fn target(&self, picture: &Picture, room: usize, at: Pos2) -> Option<Moved> {
        if !self.full.contains(at) {
            return None;
        }
        let to = self.meant(picture, at)?;
        let (bay, place) = picture.place(room)?;
        let alone = picture.bays[bay].rooms.len() == 1;
        let same = match to {
            Target::Swap(other) => other == room,
            Target::Into { bay: into, place: before } => into == bay && (before == place || before == place + 1),
            Target::NewBay(before) => alone && (before == bay || before == bay + 1),
        };
        (!same).then_some(Moved { room, to })
    }

    /// The target at a point, whichever rectangle is carried.
    fn meant(&self, picture: &Picture, at: Pos2) -> Option<Target> {
        let along = |region: &Region| {
            let rect = self.rect(region);
            if picture.upright { (rect.top(), rect.bottom()) } else { (rect.left(), rect.right()) }
        };
        let across = |region: &Region| {
            let rect = self.rect(region);
            // Rows are numbered from the bottom.
            if picture.upright { (rect.left(), rect.right()) } else { (-rect.bottom(), -rect.top()) }
        };
        let (here, there) = if picture.upright { (at.x, at.y) } else { (-at.y, at.x) };
        let first = across(&picture.bays.first()?.region).0;
        if here < first {
            return Some(Target::NewBay(0));
        }
        let bay = picture.bays.iter().position(|bay| here < across(&bay.region).1);
        let Some(bay) = bay else { return Some(Target::NewBay(picture.bays.len())) };
        let (low, high) = across(&picture.bays[bay].region);
        let near = BORDER.min((high - low) / 5.0);
        if here < low + near {
            return Some(Target::NewBay(bay));
        }
        if here > high - near {
            return Some(Target::NewBay(bay + 1));
        }
        let rooms = &picture.bays[bay].rooms;
        for (place, &room) in rooms.iter().enumerate() {
            let (from, to) = along(&picture.rooms[room].region);
            let share = (there - from) / (to - from).max(1e-3);
            if share < 0.5 - MIDDLE / 2.0 {
                return Some(Target::Into { bay, place });
            }
            if share < 0.5 + MIDDLE / 2.0 {
                return Some(Target::Swap(room));
            }
            if share < 1.0 {
                return Some(Target::Into { bay, place: place + 1 });
            }
        }
        Some(Target::Into { bay, place: rooms.len() })
    }
}

/// The nearest rectangle in a direction on the screen; `None` at the border.
pub(super) fn neighbour(picture: &Picture, from: usize, side: Side) -> Option<usize> {
    let here = picture.rooms.get(from)?.region;
    // Everything is turned so that the direction is towards greater numbers: from, to, and across from, to.
    let turned = |region: &Region| {
        let (left, right) = (region.x, region.x + region.width);
        let (low, high) = (region.y, region.y + region.height);
        match side {
            Side::Right => [left, right, low, high],
            Side::Left => [-right, -left, low, high],
            Side::Up => [low, high, left, right],
            Side::Down => [-high, -low, left, right],
        }
    };
    let [_, end, low, high] = turned(&here);
    let slack = 1e-6 * (picture.size[0] + picture.size[1]);
    let rate = |region: &Region| {
        let [start, _, from, to] = turned(region);
        let beside = (from - high).max(low - to).max(0.0);
        let off = ((from + to) / 2.0 - (low + high) / 2.0).abs();
        (start >= end - slack).then_some((start - end).max(0.0) + 4.0 * beside + 0.01 * off)
    };
    let rated = picture.rooms.iter().enumerate().filter(|(other, _)| *other != from);
    let rated = rated.filter_map(|(other, room)| Some((other, rate(&room.region)?)));
    rated.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(other, _)| other)
}
