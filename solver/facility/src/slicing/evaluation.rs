//! Evaluation of slicing trees.

use super::site::{Scratch, Site};
use super::tree::{VERTICAL, is_cut};
use crate::doors::DoorTerms;
use crate::evaluation::{Places, Problem, Score};
use crate::instance::TOLERANCE;
use crate::relocations::Relocations;
use crate::{Instance, Layout, Orientation, Placed, Rectangle};

/// Violation that each violated limit adds to its excess. It is small, so that trees pass through shapes that are just not allowed.
pub(super) const BROKEN: f64 = 0.1;

/// Slicing tree with its structure and the rectangles of its parts.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// Departments and cuts in postfix order.
    pub tokens: Vec<u16>,
    /// Place of the first token of the part that ends at each place.
    pub first: Vec<u32>,
    /// Place of the cut that joins the part that ends at each place to another one; the root has that of itself.
    pub parent: Vec<u32>,
    /// Places of the departments, in order.
    pub leaves: Vec<u32>,
    /// Places of the cuts, in order.
    pub cuts: Vec<u32>,
    /// Area of the part that ends at each place.
    pub area: Vec<f64>,
    /// Rectangle of the part that ends at each place.
    pub rectangles: Vec<Rectangle>,
    /// Scratch space for plants with obstacles.
    pub scratch: Scratch,
}

impl Tree {
    /// Tree without structure, for [`Slices::evaluate`].
    pub(super) fn of(tokens: Vec<u16>) -> Self {
        let count = tokens.len();
        Self {
            tokens,
            first: vec![0; count],
            parent: vec![0; count],
            leaves: Vec::with_capacity(count),
            cuts: Vec::with_capacity(count),
            area: vec![0.0; count],
            rectangles: vec![Rectangle::default(); count],
            scratch: Scratch::default(),
        }
    }
}

/// Instance prepared for slicing trees.
#[derive(Debug, Clone)]
pub(super) struct Slices {
    /// Limits and flows; across is along x, along is along y.
    pub problem: Problem,
    /// The plant.
    pub plant: Rectangle,
    /// Obstacles; `None` without any.
    pub site: Option<Site>,
    /// Priced places of today's layout.
    pub(super) relocations: Relocations,
}

impl Slices {
    /// Prepares an instance without locks.
    pub(super) fn new(instance: &Instance) -> Self {
        let plant = Rectangle { x: 0.0, y: 0.0, width: instance.width, height: instance.height };
        let relocations = Relocations::in_plant(instance);
        let doors = DoorTerms::in_plant(instance);
        let problem = Problem { doors, ..Problem::new(instance, Orientation::Vertical) };
        Self { problem, plant, site: Site::of(instance), relocations }
    }

    /// Number of departments in a tree: those that keep no rectangle.
    pub(super) fn len(&self) -> usize {
        self.site.as_ref().map_or(self.problem.len(), |site| site.movable.len())
    }

    /// Departments of a tree, ascending.
    pub(super) fn departments(&self) -> Vec<u16> {
        self.site.as_ref().map_or_else(|| (0..self.problem.len() as u16).collect(), |site| site.movable.clone())
    }

    /// Allocates the scratch space of [`Self::evaluate`].
    pub(super) fn places(&self) -> Places {
        self.problem.places()
    }

    /// Computes structure and rectangles of a tree from its tokens. A violated shape limit counts [`BROKEN`] and the
    /// relative excess, a shared wall of a forbidden pair 1.
    #[inline(always)]
    pub(super) fn evaluate(&self, tree: &mut Tree, places: &mut Places) -> Score {
        self.measure(tree);
        if let Some(site) = &self.site {
            return self.evaluate_on(site, tree, places);
        }
        self.cut(tree);
        let mut violation = 0.0;
        for &leaf in &tree.leaves {
            let (department, rectangle) = (usize::from(tree.tokens[leaf as usize]), tree.rectangles[leaf as usize]);
            (places.across[department], places.along[department]) = rectangle.centre();
            violation += self.excess(department, rectangle.width, rectangle.height);
        }
        if !self.problem.apart.is_empty() {
            violation += self.touching(tree);
        }
        let mut cost = self.problem.cost(places);
        if !self.relocations.is_empty() {
            cost += self.moving(tree);
        }
        Score { violation, cost }
    }

    /// Cost of moving away from today's layout, of a tree without obstacles.
    #[inline(never)]
    fn moving(&self, tree: &mut Tree) -> f64 {
        let mut rooms = std::mem::take(&mut tree.scratch.rooms);
        rooms.resize(self.problem.len(), Rectangle::default());
        for &leaf in &tree.leaves {
            rooms[usize::from(tree.tokens[leaf as usize])] = tree.rectangles[leaf as usize];
        }
        let cost = self.moving_of(&rooms);
        tree.scratch.rooms = rooms;
        cost
    }

    /// Cost of moving away from today's layout, by the rectangles of all departments.
    pub(super) fn moving_of(&self, rooms: &[Rectangle]) -> f64 {
        self.relocations.cost(|department| {
            let room = rooms[department];
            let (x, y) = room.centre();
            [x, y, room.width, room.height]
        })
    }

    /// Violation of the shape of a department: 0 within the limit, otherwise the relative excess and [`BROKEN`].
    #[inline(always)]
    pub(super) fn excess(&self, department: usize, width: f64, height: f64) -> f64 {
        let ratio = self.problem.violation(department, width, height);
        if ratio > 0.0 { ratio - 1.0 + BROKEN } else { 0.0 }
    }

    /// Areas and structure, from the first token to the last.
    #[inline(always)]
    pub(super) fn measure(&self, tree: &mut Tree) {
        tree.leaves.clear();
        tree.cuts.clear();
        for at in 0..tree.tokens.len() {
            let token = tree.tokens[at];
            if is_cut(token) {
                let (before, behind) = (tree.first[at - 1] as usize - 1, at - 1);
                tree.first[at] = tree.first[before];
                tree.area[at] = tree.area[before] + tree.area[behind];
                tree.parent[before] = at as u32;
                tree.parent[behind] = at as u32;
                tree.cuts.push(at as u32);
            } else {
                tree.first[at] = at as u32;
                tree.area[at] = self.problem.areas[usize::from(token)];
                tree.leaves.push(at as u32);
            }
        }
    }

    /// Rectangles, from the last token to the first.
    #[inline(always)]
    fn cut(&self, tree: &mut Tree) {
        let Some(root) = tree.tokens.len().checked_sub(1) else { return };
        tree.rectangles[root] = self.plant;
        tree.parent[root] = root as u32;
        if root == 0 {
            // As one department fills a vertical bay.
            tree.rectangles[0].width = tree.area[0] / self.plant.height;
        }
        for at in (1..=root).rev() {
            if !is_cut(tree.tokens[at]) {
                continue;
            }
            let (before, behind) = (tree.first[at - 1] as usize - 1, at - 1);
            let Rectangle { x, y, width, height } = tree.rectangles[at];
            let (first, second) = (tree.area[before], tree.area[behind]);
            if tree.tokens[at] == VERTICAL {
                let (left, right) = (first / height, second / height);
                tree.rectangles[before] = Rectangle { x, y, width: left, height };
                tree.rectangles[behind] = Rectangle { x: x + left, y, width: right, height };
            } else {
                let (low, high) = (first / width, second / width);
                tree.rectangles[before] = Rectangle { x, y, width, height: low };
                tree.rectangles[behind] = Rectangle { x, y: y + low, width, height: high };
            }
        }
    }

    /// Number of pairs that must not share a wall and do.
    #[inline(never)]
    fn touching(&self, tree: &Tree) -> f64 {
        let place = |department: u16| {
            let leaf = tree.leaves.iter().find(|&&leaf| tree.tokens[leaf as usize] == department);
            leaf.map_or_else(Rectangle::default, |&leaf| tree.rectangles[leaf as usize])
        };
        self.touching_at(place)
    }

    /// Number of pairs that must not share a wall and do, by the rectangles of all departments.
    pub(super) fn touching_rooms(&self, rooms: &[Rectangle]) -> f64 {
        self.touching_at(|department| rooms[usize::from(department)])
    }

    fn touching_at(&self, place: impl Fn(u16) -> Rectangle) -> f64 {
        let touch = |&&[one, other]: &&[u16; 2]| {
            let (x, y) = place(one).overlap(&place(other));
            (x.abs() <= TOLERANCE && y > TOLERANCE) || (y.abs() <= TOLERANCE && x > TOLERANCE)
        };
        self.problem.apart.iter().filter(touch).count() as f64
    }

    /// Layout of a tree: bays if its rectangles are bays, otherwise the rectangles.
    pub(super) fn layout(&self, instance: &Instance, tokens: &[u16]) -> Layout {
        /// Deviation that additions in another order explain, as a share of the plant's longer side.
        const ROUNDING: f64 = 1e-13;
        if let Some(site) = &self.site {
            return self.layout_around(site, tokens);
        }
        let mut tree = Tree::of(tokens.to_vec());
        self.evaluate(&mut tree, &mut self.places());
        let placed =
            |&leaf: &u32| Placed { department: tree.tokens[leaf as usize], rectangle: tree.rectangles[leaf as usize] };
        let free = Layout::of_rectangles(tree.leaves.iter().map(placed).collect());
        free.as_bays(instance, ROUNDING * self.plant.width.max(self.plant.height)).unwrap_or(free)
    }
}
