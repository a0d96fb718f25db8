//! Comparison of two layouts: costs, moved departments, and pairs whose transport cost changed.

use super::check::{Verdict, belongs};
use super::{Instance, Layout, Plan};
use gridwright_core::Result;

/// Distance in units of length below which two centroids count as equal.
const SAME: f64 = 1e-6;

/// Department whose centroid differs between the layouts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moved {
    /// Department index.
    pub department: u16,
    /// Centroid in the first layout.
    pub from: (f64, f64),
    /// Centroid in the second layout.
    pub to: (f64, f64),
    /// Distance between the centroids, in the measure of the instance.
    pub distance: f64,
    /// Bay index in the first and the second layout; `None` in a layout of rectangles.
    pub bays: [Option<u16>; 2],
}

/// Pair of departments, or of a department and a door, whose transport cost differs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Ends of the flow, ascending: departments, and behind all of them doors.
    pub ends: [usize; 2],
    /// Flow in both directions.
    pub flow: f64,
    /// Flow × distance in the first and the second layout.
    pub costs: [f64; 2],
}

impl Pair {
    /// Cost in the second layout minus cost in the first.
    pub fn change(&self) -> f64 {
        self.costs[1] - self.costs[0]
    }
}

/// Differences of two layouts.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Verdicts of the checker, in the order of the layouts.
    pub(crate) verdicts: [Verdict; 2],
    /// True if `moved` compares the first layout with a mirror image of the second.
    pub(crate) mirrored: bool,
    /// Moved departments, largest distance first.
    pub moved: Vec<Moved>,
    /// Pairs with a different cost, largest absolute change first.
    pub pairs: Vec<Pair>,
}

impl Comparison {
    /// Compares two layouts of all departments; `before` is the reference. Where nothing is locked, moving costs nothing and nothing flows through doors,
    /// mirror images are the same layout, so departments count as moved against the image of `after` that is nearest to `before`; a layout of
    /// rectangles is compared as it lies.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Usage`] if a layout belongs to another instance.
    pub fn of(instance: &Instance, before: &Layout, after: &Layout) -> Result<Self> {
        let verdicts = [belongs(instance, before)?, belongs(instance, after)?];
        let image = if instance.distinguishes_images() { after.clone() } else { after.image_like(before) };
        let layouts = [before, &image];
        let plans = layouts.map(|layout| Plan::new(instance, layout));
        let centre = |side: usize, at: usize| plans[side].departments[at].centre();
        let distance = |(x, y): (f64, f64), (u, v): (f64, f64)| instance.distance.between(x - u, y - v);
        let bays = layouts.map(|layout| bays_of(instance, layout));
        let mut moved: Vec<Moved> = (0..instance.len())
            .map(|at| {
                let (from, to) = (centre(0, at), centre(1, at));
                let bays = [bays[0][at], bays[1][at]];
                Moved { department: at as u16, from, to, distance: distance(from, to), bays }
            })
            .filter(|moved| moved.distance > SAME)
            .collect();
        moved.sort_by(|one, other| other.distance.total_cmp(&one.distance).then(one.department.cmp(&other.department)));
        let mut pairs = Vec::new();
        for (one, other, flow) in instance.flowing_pairs() {
            let costs = plans
                .each_ref()
                .map(|plan| flow * distance(instance.end_point(plan, one), instance.end_point(plan, other)));
            if (costs[1] - costs[0]).abs() > SAME * flow.max(1.0) {
                pairs.push(Pair { ends: [one, other], flow, costs });
            }
        }
        pairs.sort_by(|one, other| {
            let order = other.change().abs().total_cmp(&one.change().abs());
            order.then(one.ends.cmp(&other.ends))
        });
        Ok(Self { verdicts, mirrored: image != *after, moved, pairs })
    }

    /// Change of the cost in percent of the first layout; `None` if the first costs nothing.
    pub fn percent(&self) -> Option<f64> {
        let [before, after] = [self.verdicts[0].cost, self.verdicts[1].cost];
        (before > 0.0).then(|| 100.0 * (after - before) / before)
    }
}

/// Bay index of each department; `None` without bays.
fn bays_of(instance: &Instance, layout: &Layout) -> Vec<Option<u16>> {
    let mut bays = vec![None; instance.len()];
    for (bay, departments) in layout.bays.iter().enumerate() {
        for &department in departments {
            if let Some(place) = bays.get_mut(usize::from(department)) {
                *place = Some(bay as u16);
            }
        }
    }
    bays
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Department, Lock, Orientation};

    /// Four squares of 2 × 2 in a plant of 4 × 4; A and B exchange their places. A → C 3, B → C 1, C → D 9.
    #[test]
    fn what_moved_and_what_it_costs() {
        let square = |name: &str| Department { name: name.to_owned(), area: 4.0, ..Department::default() };
        let mut flows = vec![0.0; 16];
        (flows[2], flows[6], flows[11]) = (3.0, 1.0, 9.0);
        let instance = Instance {
            width: 4.0,
            height: 4.0,
            departments: ["A", "B", "C", "D"].map(square).to_vec(),
            flows,
            ..Instance::default()
        };
        let layout =
            |bays: [[u16; 2]; 2]| Layout::of_bays(Orientation::Vertical, bays.map(|bay| bay.to_vec()).to_vec());
        // A (1, 3), B (1, 1), C (3, 3), D (3, 1): A–C 3 · 2, B–C 1 · 4, C–D 9 · 2: 28. Exchanged: 3 · 4 + 1 · 2 + 18 = 32.
        let of = Comparison::of(&instance, &layout([[0, 1], [2, 3]]), &layout([[1, 0], [2, 3]])).unwrap();
        assert_eq!(of.verdicts.each_ref().map(|verdict| verdict.cost), [28.0, 32.0]);
        assert!((of.percent().unwrap() - 100.0 * 4.0 / 28.0).abs() < 1e-12);
        let moved: Vec<(u16, f64)> = of.moved.iter().map(|moved| (moved.department, moved.distance)).collect();
        assert_eq!(moved, [(0, 2.0), (1, 2.0)]);
        let pairs: Vec<([usize; 2], f64)> = of.pairs.iter().map(|pair| (pair.ends, pair.change())).collect();
        assert_eq!(pairs, [([0, 2], 6.0), ([1, 2], -2.0)]);
        let bays = Comparison::of(&instance, &layout([[0, 1], [2, 3]]), &layout([[2, 3], [0, 1]])).unwrap();
        // The bays exchanged are the mirror image, which is the same layout unless something is locked.
        assert_eq!((bays.moved.len(), bays.pairs.len(), bays.mirrored), (0, 0, true));
        let mut locked = instance.clone();
        locked.rules.locks = vec![Lock { department: 0, bay: 0, place: None }];
        let bays = Comparison::of(&locked, &layout([[0, 1], [2, 3]]), &layout([[2, 3], [0, 1]])).unwrap();
        assert_eq!((bays.moved.len(), bays.moved[0].bays, bays.mirrored), (4, [Some(0), Some(1)], false));
    }
}
