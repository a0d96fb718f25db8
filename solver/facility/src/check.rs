//! Independent checker: computes cost and violations from the raw data and the bays of a layout, or from its rectangles.
//!
//! It shares no code with [`super::layout`] and the searches: departments are placed by shares of their bay instead of
//! added lengths, the cost is summed over ordered pairs with compensated summation, and shapes, locks and shared walls
//! are judged from the rectangles. Every result that is shown or exported has passed it.

mod building;
mod rectangles;
mod relocation;

use std::fmt::Write as _;

use super::closeness::Closeness;
use super::instance::TOLERANCE;
use super::{Distance, Instance, Layout, Limit, Orientation, Rectangle};
use gridwright_core::export::stamp::Noun;
use gridwright_core::numbers::rounded;
use gridwright_core::result;
use gridwright_core::{Error, Result};

/// Words for the kinds of violations that a layout may have and still be drawn.
pub(crate) const NOUNS: [Noun; 9] = [
    ("aspect", "department too narrow", "departments too narrow"),
    ("side", "side too short", "sides too short"),
    ("lock", "lock not kept", "locks not kept"),
    ("apart", "pair not apart", "pairs not apart"),
    ("outside", "department beyond the plant", "departments beyond the plant"),
    ("area", "other area than needed", "other areas than needed"),
    ("overlap", "overlap", "overlaps"),
    ("blocked", "department on a fixed thing", "departments on fixed things"),
    ("place", "department not at its place", "departments not at their places"),
];

/// Kind of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ViolationKind {
    /// A department that the instance lacks.
    Unknown,
    /// A department with two places.
    Twice,
    /// A department without a place.
    Missing,
    /// A bay without departments.
    Empty,
    /// Ratio of the sides beyond its limit.
    Aspect,
    /// A side shorter than its limit.
    Side,
    /// A department that is not where the user locked it.
    Lock,
    /// Departments that share a wall although the user keeps them apart.
    Apart,
    /// A department that reaches beyond the plant, or beyond its outline.
    Outside,
    /// A rectangle whose area is not that of its department.
    Area,
    /// Rectangles that overlap.
    Overlap,
    /// A department that covers a fixed thing.
    Blocked,
    /// A department that is not where the building fixes it.
    Place,
}

impl ViolationKind {
    /// Identifier in files and JSON.
    pub(crate) fn name(self) -> &'static str {
        self.into()
    }

    /// True if departments and places do not correspond one to one.
    pub(crate) const fn is_incomplete(self) -> bool {
        matches!(self, Self::Unknown | Self::Twice | Self::Missing | Self::Empty)
    }

    /// True if a layout can be drawn in spite of the violation.
    pub(crate) const fn is_drawable(self) -> bool {
        !self.is_incomplete()
    }

    /// True for rules that the user sets, as opposed to limits of the instance.
    pub const fn is_rule(self) -> bool {
        matches!(self, Self::Lock | Self::Apart)
    }
}

/// Violation of a limit or rule by a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Kind of the violation.
    pub kind: ViolationKind,
    /// Indices of the departments that it concerns.
    pub departments: Vec<u16>,
    /// Sentence for people.
    pub text: String,
}

/// The violation as results store it.
impl From<&Violation> for result::Violation {
    fn from(violation: &Violation) -> Self {
        Self::new(violation.kind.name().to_owned(), violation.text.as_str())
    }
}

/// Cost of moving away from today's layout.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Moving {
    /// Cost.
    pub cost: f64,
    /// Departments that have a price of moving and do not keep their place, with the cost of each.
    pub departments: Vec<(u16, f64)>,
}

/// Verdict of the checker.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// True if nothing is violated.
    pub feasible: bool,
    /// Transport and moving over the departments that have a place (a repeated department counts at its first place).
    pub cost: f64,
    /// Part of the cost that is transport: flow × distance.
    pub transport: f64,
    /// Part of the cost for moving away from today's layout.
    pub moving: Moving,
    /// Closeness of the departments that have a place.
    pub closeness: Closeness,
    /// Violations; of the kinds `Area`, `Overlap` and `Outside` only for layouts of rectangles.
    pub violations: Vec<Violation>,
    /// Indices of the departments that violations concern, ascending.
    pub concerned: Vec<u16>,
    /// Departments that cover fixed things or floor outside of the outline: number of such pairs, and their common area in
    /// square units of length.
    pub blocked: (usize, f64),
}

impl Verdict {
    /// The violations as results store them.
    pub fn stored_violations(&self) -> Vec<result::Violation> {
        self.violations.iter().map(Into::into).collect()
    }
}

/// The verdict as results store it.
impl From<Verdict> for result::Verdict {
    fn from(verdict: Verdict) -> Self {
        Self::of(verdict.cost, verdict.stored_violations())
    }
}

/// Coordinates of the four sides of a department.
#[derive(Debug, Clone, Copy)]
struct Room {
    left: f64,
    right: f64,
    bottom: f64,
    top: f64,
}

impl Room {
    fn size(&self) -> (f64, f64) {
        (self.right - self.left, self.top - self.bottom)
    }

    fn centre(&self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.bottom + self.top) / 2.0)
    }

    /// Overlap of the projections of two rooms on x and y; negative where there is a gap.
    fn overlap(&self, other: &Self) -> (f64, f64) {
        let along = |low: f64, high: f64, other_low: f64, other_high: f64| high.min(other_high) - low.max(other_low);
        (along(self.left, self.right, other.left, other.right), along(self.bottom, self.top, other.bottom, other.top))
    }

    /// Length of the wall between two rooms; 0 if they do not touch or only at a corner.
    fn shared_wall(&self, other: &Self) -> f64 {
        let (x, y) = self.overlap(other);
        let touches = |gap: f64| gap.abs() <= TOLERANCE;
        let wall = match (touches(x), touches(y)) {
            (true, false) => y,
            (false, true) => x,
            // A corner only.
            _ => 0.0,
        };
        if wall > TOLERANCE { wall } else { 0.0 }
    }
}

/// State of a check.
struct Checking<'a> {
    instance: &'a Instance,
    rooms: Vec<Option<Room>>,
    violations: Vec<Violation>,
    blocked: (usize, f64),
}

/// Checks a layout against the raw data of the instance.
pub fn check(instance: &Instance, layout: &Layout) -> Verdict {
    if layout.is_free() { rectangles::check(instance, &layout.rectangles) } else { check_bays(instance, layout) }
}

/// Checks a layout with bays.
fn check_bays(instance: &Instance, layout: &Layout) -> Verdict {
    let mut checking = Checking::new(instance);
    let mut places: Vec<Option<(usize, usize)>> = vec![None; instance.departments.len()];
    // Bays without unknown and repeated departments.
    let mut bays: Vec<Vec<usize>> = Vec::with_capacity(layout.bays.len());
    for (at, bay) in layout.bays.iter().enumerate() {
        let mut kept = Vec::with_capacity(bay.len());
        for &department in bay {
            let department = usize::from(department);
            match places.get(department).copied() {
                None => {
                    let (number, all, bay) = (department + 1, places.len(), at + 1);
                    checking.complain(
                        ViolationKind::Unknown,
                        &[],
                        format!("bay {bay} holds department number {number}, but there are only {all}"),
                    );
                }
                Some(Some((first, _))) => {
                    let name = checking.name(department);
                    let text = format!("department {name} lies in bay {} and again in bay {}", first + 1, at + 1);
                    checking.complain(ViolationKind::Twice, &[department], text);
                }
                Some(None) => {
                    places[department] = Some((at, kept.len()));
                    kept.push(department);
                }
            }
        }
        if bay.is_empty() {
            checking.complain(ViolationKind::Empty, &[], format!("bay {} holds no department; leave it out", at + 1));
        }
        bays.push(kept);
    }
    checking.place(layout.orientation, &bays);
    checking.locks(&places);
    checking.fixed(Some(layout.orientation));
    checking.judge()
}

/// Checks a layout and rejects one that names departments outside of the instance.
///
/// # Errors
/// [`Error::Usage`] naming the unknown department.
pub fn belongs(instance: &Instance, layout: &Layout) -> Result<Verdict> {
    let verdict = check(instance, layout);
    match verdict.violations.iter().find(|violation| violation.kind == ViolationKind::Unknown) {
        None => Ok(verdict),
        Some(violation) => Err(Error::Usage(format!(
            "the layout does not belong to {}: {}; choose the instance that it was made for",
            instance.name, violation.text
        ))),
    }
}

impl<'a> Checking<'a> {
    fn new(instance: &'a Instance) -> Self {
        let rooms = vec![None; instance.departments.len()];
        Self { instance, rooms, violations: Vec::new(), blocked: (0, 0.0) }
    }

    fn name(&self, department: usize) -> String {
        self.instance.departments[department].name.clone()
    }

    fn complain(&mut self, kind: ViolationKind, departments: &[usize], text: String) {
        let departments = departments.iter().map(|&department| department as u16).collect();
        self.violations.push(Violation { kind, departments, text });
    }

    /// Computes the rooms: bays are strips of the full length, departments take their shares of the bay's area.
    fn place(&mut self, orientation: Orientation, bays: &[Vec<usize>]) {
        let (width, height) = (self.instance.width, self.instance.height);
        let areas = |bay: &[usize]| -> f64 { bay.iter().map(|&one| self.instance.departments[one].area).sum() };
        let mut rooms = vec![None; self.rooms.len()];
        let mut before = 0.0;
        for bay in bays {
            let whole = areas(bay);
            for (place, &department) in bay.iter().enumerate() {
                let above = areas(&bay[..place]);
                let (from, to) = (above / whole, (above + self.instance.departments[department].area) / whole);
                rooms[department] = Some(match orientation {
                    Orientation::Vertical => Room {
                        left: before / height,
                        right: (before + whole) / height,
                        bottom: height - height * to,
                        top: height - height * from,
                    },
                    Orientation::Horizontal => Room {
                        left: width * from,
                        right: width * to,
                        bottom: before / width,
                        top: (before + whole) / width,
                    },
                });
            }
            before += whole;
        }
        self.rooms = rooms;
    }

    fn locks(&mut self, places: &[Option<(usize, usize)>]) {
        let instance = self.instance;
        for lock in &instance.rules.locks {
            let department = usize::from(lock.department);
            let Some(&Some((bay, place))) = places.get(department) else { continue };
            let wanted = (usize::from(lock.bay), lock.place.map(usize::from));
            if bay == wanted.0 && wanted.1.is_none_or(|wanted| wanted == place) {
                continue;
            }
            let name = self.name(department);
            let at = |bay: usize, place: Option<usize>| {
                let place = place.map(|place| format!("place {} of ", place + 1)).unwrap_or_default();
                format!("{place}bay {}", bay + 1)
            };
            let (wants, lies) = (at(wanted.0, wanted.1), at(bay, wanted.1.map(|_| place)));
            self.complain(
                ViolationKind::Lock,
                &[department],
                format!("department {name} is locked to {wants} and lies in {lies}"),
            );
        }
    }

    /// Reports departments that are not in the rectangle to which they are locked; `orientation` is that of the bays, and
    /// `None` for a layout of rectangles, where the rectangle alone counts.
    fn fixed(&mut self, orientation: Option<Orientation>) {
        let instance = self.instance;
        let most = TOLERANCE * instance.width.max(instance.height);
        for fixed in &instance.rules.fixed {
            let department = usize::from(fixed.department);
            let Some(&Some(room)) = self.rooms.get(department) else { continue };
            let Rectangle { x, y, width, height } = fixed.rectangle;
            let sides = [(room.left, x), (room.right, x + width), (room.bottom, y), (room.top, y + height)];
            let is_there = sides.into_iter().all(|(is, wanted)| (is - wanted).abs() <= most);
            let turned = orientation.filter(|orientation| *orientation != fixed.orientation);
            if is_there && turned.is_none() {
                continue;
            }
            let (wide, high) = room.size();
            let at = |width, height, x, y| format!("{} at x {}, y {}", size(width, height), rounded(x), rounded(y));
            let mut text = format!("department {} is locked to {}", self.name(department), at(width, height, x, y));
            if let Some(turned) = turned {
                let _ = write!(text, " in {} bays, and bays are {}", fixed.orientation.name(), turned.name());
            } else {
                let _ = write!(text, " and is {}", at(wide, high, room.left, room.bottom));
            }
            let across = orientation.filter(|_| turned.is_none()).map(|orientation| match orientation {
                Orientation::Vertical => (wide, width, instance.height, "wide"),
                Orientation::Horizontal => (high, height, instance.width, "high"),
            });
            if let Some((across, wanted, length, side)) = across.filter(|(is, wanted, ..)| (is - wanted).abs() > most) {
                let [sum, needed] = [across * length, wanted * length].map(rounded);
                let _ = write!(
                    text,
                    "; the areas in its bay add up to {sum}, and it is as {side} as locked only with {needed}"
                );
            }
            self.complain(ViolationKind::Lock, &[department], text);
        }
    }

    /// Checks shapes, plant boundary and forbidden walls, and computes the cost.
    fn judge(mut self) -> Verdict {
        for department in 0..self.rooms.len() {
            match self.rooms[department] {
                None => {
                    let text = format!("department {} has no place", self.name(department));
                    self.complain(ViolationKind::Missing, &[department], text);
                }
                Some(room) => {
                    self.shape(department, &room);
                    self.inside(department, &room);
                }
            }
        }
        self.apart();
        building::places(&mut self);
        building::parts(&mut self);
        let moving = relocation::moving(&self);
        let (transport, closeness) = (
            self.transport(),
            Closeness::of(&self.instance.closeness, &self.instance.weights, |one, other| self.wall(one, other) > 0.0),
        );
        let violations = self.violations;
        let mut concerned: Vec<u16> =
            violations.iter().flat_map(|violation| violation.departments.iter().copied()).collect();
        concerned.sort_unstable();
        concerned.dedup();
        Verdict {
            feasible: violations.is_empty(),
            cost: if moving.departments.is_empty() { transport } else { transport + moving.cost },
            transport,
            moving,
            closeness,
            violations,
            concerned,
            blocked: self.blocked,
        }
    }

    fn shape(&mut self, department: usize, room: &Room) {
        let (width, height) = room.size();
        let (longer, shorter) = (width.max(height), width.min(height));
        let mut text = format!("department {} is {}", self.name(department), size(width, height));
        let kind = match self.instance.departments[department].limit {
            Limit::Aspect(most) if longer / shorter > most + TOLERANCE => {
                let _ = write!(text, ", {} to 1; at most {} to 1 is allowed", rounded(longer / shorter), rounded(most));
                ViolationKind::Aspect
            }
            Limit::Range(low, high) if !(height / width >= low - TOLERANCE && height / width <= high + TOLERANCE) => {
                let ratio = rounded(height / width);
                let _ =
                    write!(text, ", {ratio} times as high as wide; {} to {} is allowed", rounded(low), rounded(high));
                ViolationKind::Aspect
            }
            Limit::MinSide(least) if shorter < least - TOLERANCE => {
                let _ = write!(text, "; no side may be shorter than {}", rounded(least));
                ViolationKind::Side
            }
            _ => return,
        };
        self.complain(kind, &[department], text);
    }

    fn inside(&mut self, department: usize, room: &Room) {
        let (width, height) = (self.instance.width, self.instance.height);
        let beyond = [-room.left, room.right - width, -room.bottom, room.top - height];
        let most = beyond.into_iter().fold(0.0, f64::max);
        if most > TOLERANCE {
            let (name, plant) = (self.name(department), size(width, height));
            let text = format!("department {name} reaches {} beyond the plant of {plant}", rounded(most));
            self.complain(ViolationKind::Outside, &[department], text);
        }
    }

    /// Length of the wall that two departments share; 0 where one of them has no place.
    fn wall(&self, one: usize, other: usize) -> f64 {
        match (self.rooms.get(one), self.rooms.get(other)) {
            (Some(Some(here)), Some(Some(there))) => here.shared_wall(there),
            _ => 0.0,
        }
    }

    fn apart(&mut self) {
        let instance = self.instance;
        for &(one, other) in &instance.rules.apart {
            let (one, other) = (usize::from(one), usize::from(other));
            let wall = self.wall(one, other);
            if wall > 0.0 {
                let [first, second] = [one, other].map(|department| self.name(department));
                let length = rounded(wall);
                let text = format!("departments {first} and {second} must not share a wall, and share {length} of one");
                self.complain(ViolationKind::Apart, &[one, other], text);
            }
        }
    }

    /// Σ f_ij · d_ij over all ordered pairs, and the flows through doors, with Neumaier's compensated summation (A. Neumaier, «Rundungsfehleranalyse
    /// einiger Verfahren zur Summation endlicher Summen», ZAMM 54, 1974).
    fn transport(&self) -> f64 {
        let n = self.rooms.len();
        let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
        let mut add = |term: f64| {
            let total = sum + term;
            lost += if sum.abs() >= term.abs() { (sum - total) + term } else { (term - total) + sum };
            sum = total;
        };
        let distance = |across: f64, along: f64| match self.instance.distance {
            Distance::Rectilinear => across.abs() + along.abs(),
            Distance::Euclidean => (across * across + along * along).sqrt(),
        };
        for (from, here) in self.rooms.iter().enumerate() {
            let Some((x, y)) = here.as_ref().map(Room::centre) else { continue };
            for (to, there) in self.rooms.iter().enumerate() {
                let Some((other_x, other_y)) = there.as_ref().map(Room::centre) else { continue };
                add(self.instance.flows[from * n + to] * distance(x - other_x, y - other_y));
            }
        }
        for flow in &self.instance.door_flows {
            let room = self.rooms.get(usize::from(flow.department)).and_then(Option::as_ref);
            let Some(((x, y), door)) = room.map(Room::centre).zip(self.instance.doors.get(usize::from(flow.door)))
            else {
                continue;
            };
            add(flow.amount * distance(x - door.x, y - door.y));
        }
        sum + lost
    }
}

/// «4 × 2.5»
fn size(width: f64, height: f64) -> String {
    format!("{} × {}", rounded(width), rounded(height))
}

#[cfg(test)]
mod tests;
