//! Cost of moving departments away from their places in today's layout.
//!
//! ```text
//! moving cost = Σ_i (p_i + q_i · d_i)   over all departments i that do not keep their rectangle of today
//! ```
//!
//! p_i is the fixed price of department i, q_i its price per unit of length, and d_i the distance between its centroids today and
//! in the layout, in the measure of the instance. The cost of a layout is that of its transport and the moving cost. Departments
//! without a place today, such as new ones, and departments without prices move for nothing.

use std::collections::HashSet;

use super::frame::tolerance;
use super::instance::{MOST_FLOW, TOLERANCE};
use super::{Distance, Instance, Layout, Orientation, Placed, RelocationPrice};
use gridwright_core::numbers::{counted, rounded};
use gridwright_core::text::lines::quoted;

impl Instance {
    /// Departments that have a place today and a price of moving, ascending by department.
    pub(crate) fn priced_places(&self) -> Vec<(Placed, RelocationPrice)> {
        let price = |placed: &Placed| {
            let price = self.departments.get(usize::from(placed.department))?.relocation;
            (!price.is_free()).then_some((*placed, price))
        };
        let mut all: Vec<_> = self.today.iter().filter_map(price).collect();
        all.sort_by_key(|(placed, _)| placed.department);
        all
    }

    /// Returns `true` if moving a department costs something.
    pub fn has_moving_cost(&self) -> bool {
        !self.priced_places().is_empty()
    }

    /// Returns `true` if a mirror image of a layout is another layout: where something is locked, where it costs something
    /// to move away from today's layout, and where something flows through doors.
    pub fn distinguishes_images(&self) -> bool {
        self.rules.has_locks() || self.has_moving_cost() || self.has_door_flows()
    }

    /// Today's layout; `None` unless every department has a place in it.
    pub fn todays_layout(&self) -> Option<Layout> {
        let layout = Layout::of_rectangles(self.today.clone());
        (!self.today.is_empty() && layout.is_whole(self.len())).then_some(layout)
    }

    /// Checks prices and places of today.
    ///
    /// # Errors
    /// A sentence that names a department with a price that is negative or no number, with two places, or with a place without
    /// size.
    pub(crate) fn check_relocation(&self) -> Result<(), String> {
        for department in &self.departments {
            let RelocationPrice { fixed, per_length } = department.relocation;
            if let Some(wrong) = [fixed, per_length].into_iter().find(|price| !(0.0..=MOST_FLOW).contains(price)) {
                let name = quoted(&department.name);
                return Err(format!(
                    "department {name} has {wrong} as a price of moving; prices are numbers from 0 to 10¹⁵"
                ));
            }
        }
        let mut known = HashSet::new();
        for placed in &self.today {
            let Some(department) = self.departments.get(usize::from(placed.department)) else {
                return Err("today's layout names a department that there is not".to_owned());
            };
            let name = quoted(&department.name);
            if !placed.rectangle.is_sound() {
                return Err(format!("the place of department {name} today {NO_SIZE}"));
            }
            if !known.insert(placed.department) {
                return Err(format!("department {name} has two places today; keep one of them"));
            }
        }
        Ok(())
    }

    fn warn_of_areas(&mut self) {
        let areas = |(placed, _): (Placed, RelocationPrice)| {
            let department = &self.departments[usize::from(placed.department)];
            let (is, needed) = (placed.rectangle.area(), department.area);
            let differs = (is - needed).abs() > TOLERANCE * needed.max(1.0);
            differs.then(|| (quoted(&department.name), rounded(is), rounded(needed)))
        };
        let other: Vec<_> = self.priced_places().into_iter().filter_map(areas).collect();
        if let Some((name, is, needed)) = other.first() {
            let count = counted(other.len(), "department");
            self.warnings.push(format!(
                "the place today of {count} has another area than needed, such as that of {name} with {is} instead of {needed}; a \
                 layout that keeps it breaks a limit, so correct the places or the areas"
            ));
        }
    }

    /// Warns about prices that cannot count, because the departments have no place today, and about priced places whose area is
    /// not that of the department, so that no layout that keeps them is feasible.
    pub(crate) fn warn_of_prices(&mut self) {
        self.warn_of_areas();
        let has_place = |at: usize| self.today.iter().any(|placed| usize::from(placed.department) == at);
        let priced = |&at: &usize| !self.departments[at].relocation.is_free() && !has_place(at);
        let without: Vec<usize> = (0..self.len()).filter(priced).collect();
        let Some(name) = without.first().map(|&at| quoted(&self.departments[at].name)) else { return };
        let what = match without.len() {
            1 => format!("department {name} has a price of moving and no place today, so it moves for nothing"),
            count => format!(
                "{count} departments, such as {name}, have a price of moving and no place today, so they move for nothing"
            ),
        };
        self.warnings.push(format!("{what}; add their places to the table Today"));
    }
}

/// Fault of a place without size, and the remedy.
pub(crate) const NO_SIZE: &str = "has no width or no height, or is too far away; correct its numbers";

/// Place of today with its prices, in the coordinates of an evaluation.
#[derive(Debug, Clone, Copy)]
struct Relocation {
    department: usize,
    /// Centroid and sides today.
    place: Place,
    price: RelocationPrice,
}

/// Centroid (first two numbers) and sides (last two numbers) of a department across and along bays, or along x and y.
pub(crate) type Place = [f64; 4];

/// Priced places of today of an instance, as searches evaluate them; empty where moving costs nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Relocations {
    all: Vec<Relocation>,
    euclidean: bool,
    /// Largest deviation of a side that does not count as moved.
    reach: f64,
}

impl Relocations {
    /// Places across and along bays of an orientation.
    pub(crate) fn in_bays(instance: &Instance, orientation: Orientation) -> Self {
        Self::of(instance, |[x, y, width, height]| match orientation {
            // Departments follow each other from the top.
            Orientation::Vertical => [x, instance.height - y, width, height],
            Orientation::Horizontal => [y, x, height, width],
        })
    }

    /// Places along x and y.
    pub(crate) fn in_plant(instance: &Instance) -> Self {
        Self::of(instance, |place| place)
    }

    fn of(instance: &Instance, turned: impl Fn(Place) -> Place) -> Self {
        let all = instance.priced_places().into_iter().map(|(Placed { department, rectangle }, price)| {
            let (x, y) = rectangle.centre();
            let place = turned([x, y, rectangle.width, rectangle.height]);
            Relocation { department: usize::from(department), place, price }
        });
        let euclidean = instance.distance == Distance::Euclidean;
        Self { all: all.collect(), euclidean, reach: tolerance(instance) }
    }

    /// Returns `true` if moving costs nothing.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Moving cost of a layout whose departments lie at `place`, in ascending order of the departments.
    #[inline(never)]
    pub(crate) fn cost(&self, place: impl Fn(usize) -> Place) -> f64 {
        let mut sum = 0.0;
        for one in &self.all {
            let now = place(one.department);
            let [across, along, wide, high] = [0, 1, 2, 3].map(|at| (now[at] - one.place[at]).abs());
            // Deviation of the sides furthest away.
            if across + wide / 2.0 <= self.reach && along + high / 2.0 <= self.reach {
                continue;
            }
            let distance = if self.euclidean { (across * across + along * along).sqrt() } else { across + along };
            sum += one.price.fixed + one.price.per_length * distance;
        }
        sum
    }
}

#[cfg(test)]
mod tests;
