//! Slicing trees around fixed things: cuts by usable floor, and departments beside what lies in their part.
//!
//! A part of the plant is cut so that each side has usable floor, that without obstacles, for its departments: the cut can lie
//! anywhere between the first place where the side before has enough of it and the last place where the side behind has. The
//! mode of a cut chooses the place: an end or a fraction of that stretch, or an edge of an obstacle in it. A department gets
//! the free rectangle of its part with the best shape, as near to the middle of the plant as possible; where none has room for
//! it, it covers obstacles, which counts as a violation.

use super::evaluation::{BROKEN, Slices, Tree};
use super::tree::{MODES, is_cut, is_vertical, mode_of};
use crate::check::check;
use crate::evaluation::{Places, Score};
use crate::instance::TOLERANCE;
use crate::{Instance, Layout, Placed, Rectangle};

/// Part of an area that rounding explains.
const ROUNDING: f64 = 1e-12;

/// Largest number of free rectangles that are looked at for a department.
const MOST_FREE: usize = 16;

/// Place of a cut in the stretch where it can lie.
const FRACTIONS: [f64; 6] = [0.0, 1.0, 0.5, 0.25, 0.75, 0.125];

/// Obstacles of a plant.
#[derive(Debug, Clone)]
pub(super) struct Site {
    /// Fixed things, floor outside of the outline, and kept departments.
    obstacles: Vec<Rectangle>,
    /// Departments that keep their rectangle.
    pub kept: Vec<Placed>,
    /// The other departments, ascending.
    pub movable: Vec<u16>,
    /// Violation of the kept departments among themselves.
    violation: f64,
}

/// Scratch space of an evaluation.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// Obstacles in the part that is cut.
    local: Vec<Rectangle>,
    /// Edges of these obstacles across the cut, ascending.
    edges: Vec<f64>,
    /// Free rectangles of a part.
    free: Vec<Rectangle>,
    /// Free parts that a further obstacle leaves, while they are cut.
    remaining: Vec<Rectangle>,
    /// Rectangles of all departments.
    pub(super) rooms: Vec<Rectangle>,
}

impl Site {
    /// Obstacles of an instance; `None` without fixed things and kept departments.
    pub(super) fn of(instance: &Instance) -> Option<Self> {
        let kept = instance.kept_places();
        let is_open = kept.is_empty() && instance.building.parts.is_empty();
        (!is_open).then(|| Self::around(instance, kept))
    }

    /// Obstacles of an instance of which these departments keep their rectangle.
    pub(super) fn around(instance: &Instance, kept: Vec<Placed>) -> Self {
        let parts = instance.building.parts.iter().map(|part| part.rectangle);
        let obstacles = parts.chain(kept.iter().map(|placed| placed.rectangle)).collect();
        let is_kept = |department: &u16| kept.iter().any(|placed| placed.department == *department);
        let movable = (0..instance.len() as u16).filter(|department| !is_kept(department)).collect();
        let verdict = check(instance, &Layout::of_rectangles(kept.clone()));
        let violation = verdict.violations.iter().filter(|one| !one.kind.is_incomplete()).count() as f64;
        Self { obstacles, kept, movable, violation }
    }
}

impl Slices {
    /// Evaluates a tree of the departments that keep no rectangle on a site.
    pub(super) fn evaluate_around(&self, site: &Site, tree: &mut Tree, places: &mut Places) -> Score {
        self.measure(tree);
        self.evaluate_on(site, tree, places)
    }

    /// Layout of a tree on a site.
    pub(super) fn layout_around(&self, site: &Site, tokens: &[u16]) -> Layout {
        let mut tree = Tree::of(tokens.to_vec());
        self.evaluate_around(site, &mut tree, &mut self.places());
        let placed =
            |&leaf: &u32| Placed { department: tree.tokens[leaf as usize], rectangle: tree.rectangles[leaf as usize] };
        Layout::of_rectangles(tree.leaves.iter().map(placed).chain(site.kept.iter().copied()).collect())
    }

    /// [`Self::evaluate`] for a plant with obstacles, from the measured tree.
    #[inline(never)]
    pub(super) fn evaluate_on(&self, site: &Site, tree: &mut Tree, places: &mut Places) -> Score {
        let mut scratch = std::mem::take(&mut tree.scratch);
        scratch.rooms.resize(self.problem.len(), Rectangle::default());
        let mut violation = site.violation;
        for placed in &site.kept {
            scratch.rooms[usize::from(placed.department)] = placed.rectangle;
        }
        if let Some(root) = tree.tokens.len().checked_sub(1) {
            tree.rectangles[root] = self.plant;
            tree.parent[root] = root as u32;
        }
        for at in (0..tree.tokens.len()).rev() {
            let (token, part) = (tree.tokens[at], tree.rectangles[at]);
            let is_inside = |obstacle: &&Rectangle| {
                let (x, y) = obstacle.overlap(&part);
                x > 0.0 && y > 0.0
            };
            scratch.local.clear();
            scratch.local.extend(site.obstacles.iter().filter(is_inside));
            if !is_cut(token) {
                let (room, violated) = self.room(usize::from(token), &part, &mut scratch);
                violation += violated;
                tree.rectangles[at] = room;
                scratch.rooms[usize::from(token)] = room;
                continue;
            }
            let (before, behind) = (tree.first[at - 1] as usize - 1, at - 1);
            let demands = [tree.area[before], tree.area[behind]];
            (tree.rectangles[before], tree.rectangles[behind]) = cut(token, &part, demands, &mut scratch);
        }
        for (department, room) in scratch.rooms.iter().enumerate() {
            (places.across[department], places.along[department]) = room.centre();
        }
        violation += self.touching_rooms(&scratch.rooms);
        let mut cost = self.problem.cost(places);
        if !self.relocations.is_empty() {
            cost += self.moving_of(&scratch.rooms);
        }
        tree.scratch = scratch;
        Score { violation, cost }
    }

    /// Rectangle of a department in its part, and its violation.
    fn room(&self, department: usize, part: &Rectangle, scratch: &mut Scratch) -> (Rectangle, f64) {
        let area = self.problem.areas[department];
        let least = area * (1.0 - ROUNDING);
        free_rectangles(part, least, scratch);
        let mut best: Option<(f64, Rectangle)> = None;
        for free in &scratch.free {
            for (width, height) in shapes(free, area) {
                let violation = self.excess(department, width, height);
                if best.is_none_or(|(least, _)| violation < least) {
                    best = Some((violation, self.towards_middle(free, width, height)));
                }
            }
        }
        if let Some((violation, room)) = best {
            return (room, violation);
        }
        let [_, _, (width, height)] = shapes(part, area);
        let room = self.towards_middle(part, width, height);
        let mut violation = self.excess(department, width, height);
        for obstacle in &scratch.local {
            let (x, y) = room.overlap(obstacle);
            violation += if x > TOLERANCE && y > TOLERANCE { BROKEN + x * y / area } else { 0.0 };
        }
        // A part without usable floor for the department, which only overlapping obstacles cause.
        violation += if part.area() < least { BROKEN + 1.0 } else { 0.0 };
        (room, violation)
    }

    /// Rectangle of this size in a free one, as near to the middle of the plant as possible.
    fn towards_middle(&self, free: &Rectangle, width: f64, height: f64) -> Rectangle {
        let near = |middle: f64, size: f64, low: f64, room: f64| (middle - size / 2.0).min(low + room - size).max(low);
        let (x, y) = self.plant.centre();
        let (x, y) = (near(x, width, free.x, free.width), near(y, height, free.y, free.height));
        Rectangle { x, y, width, height }
    }
}

/// Shapes of an area in a free rectangle: of its full height, of its full width, and as square as possible.
fn shapes(free: &Rectangle, area: f64) -> [(f64, f64); 3] {
    let width = area.sqrt().min(free.width).max(area / free.height);
    [(area / free.height, free.height), (free.width, area / free.width), (width, area / width)]
}

/// Collects the largest rectangles of a part that are beside all local obstacles and have this area at least.
fn free_rectangles(part: &Rectangle, least: f64, scratch: &mut Scratch) {
    let Scratch { local, free, remaining, .. } = scratch;
    free.clear();
    free.extend((part.area() >= least).then_some(*part));
    for obstacle in local {
        remaining.clear();
        for whole in free.iter() {
            let (x, y) = whole.overlap(obstacle);
            if x <= 0.0 || y <= 0.0 {
                remaining.push(*whole);
                continue;
            }
            let (right, top) = (obstacle.x + obstacle.width, obstacle.y + obstacle.height);
            let beside = [
                Rectangle { width: obstacle.x - whole.x, ..*whole },
                Rectangle { x: right, width: whole.x + whole.width - right, ..*whole },
                Rectangle { height: obstacle.y - whole.y, ..*whole },
                Rectangle { y: top, height: whole.y + whole.height - top, ..*whole },
            ];
            remaining
                .extend(beside.into_iter().filter(|one| one.width > 0.0 && one.height > 0.0 && one.area() >= least));
        }
        remaining.truncate(MOST_FREE);
        std::mem::swap(free, remaining);
    }
}

/// Both sides of a cut of a part whose sides need these areas.
fn cut(token: u16, part: &Rectangle, [before, behind]: [f64; 2], scratch: &mut Scratch) -> (Rectangle, Rectangle) {
    // A horizontal cut is a vertical one of the transposed part.
    let is_vertical = is_vertical(token);
    let turned = |one: &Rectangle| match is_vertical {
        true => *one,
        false => Rectangle { x: one.y, y: one.x, width: one.height, height: one.width },
    };
    let part = turned(part);
    let Scratch { local, edges, .. } = scratch;
    let end = part.x + part.width;
    edges.clear();
    for obstacle in local.iter_mut() {
        *obstacle = turned(obstacle);
        edges
            .extend([obstacle.x, obstacle.x + obstacle.width].into_iter().filter(|edge| *edge > part.x && *edge < end));
    }
    edges.sort_by(f64::total_cmp);
    let usable = |from: f64, to: f64| {
        let stretch = Rectangle { x: from, width: to - from, ..part };
        let covered = |obstacle: &Rectangle| {
            let (x, y) = obstacle.overlap(&stretch);
            x.max(0.0) * y.max(0.0)
        };
        stretch.area() - local.iter().map(covered).sum::<f64>()
    };
    let first = part.x
        + reach(edges.iter().map(|edge| edge - part.x), part.width, before, |from, to| {
            usable(part.x + from, part.x + to)
        });
    let last = end
        - reach(edges.iter().rev().map(|edge| end - edge), part.width, behind, |from, to| usable(end - to, end - from));
    let last = last.max(first);
    let at = match usize::from(mode_of(token)) {
        mode if mode < FRACTIONS.len() => first + FRACTIONS[mode] * (last - first),
        mode if mode + 1 == MODES => {
            edges.iter().rev().copied().find(|edge| *edge <= last).filter(|edge| *edge >= first).unwrap_or(last)
        }
        _ => edges.iter().copied().find(|edge| *edge >= first).filter(|edge| *edge <= last).unwrap_or(first),
    };
    let sides = (Rectangle { width: at - part.x, ..part }, Rectangle { x: at, width: end - at, ..part });
    (turned(&sides.0), turned(&sides.1))
}

/// Shortest distance from the begin of a part of this length within which it has `demand` of usable floor; `edges` are the
/// distances at which the usable floor per length changes, ascending, and `usable` is that between two distances.
fn reach(edges: impl Iterator<Item = f64>, length: f64, demand: f64, usable: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut from, mut missing) = (0.0, demand);
    for to in edges.chain(std::iter::once(length)) {
        let floor = usable(from, to);
        if floor >= missing && floor > 0.0 {
            return from + (to - from) * (missing / floor);
        }
        (from, missing) = (to, missing - floor.max(0.0));
    }
    length
}
