//! Doors as ends of flows.
//!
//! ```text
//! transport = Σ_{i<j} (f_ij + f_ji) · d_ij + Σ_{i, p} g_ip · d_ip
//! ```
//!
//! g_ip is the flow between department i and door p in both directions, and d_ip the distance between the centroid of the
//! department and the door, in the measure of the instance. Doors lie where they are, so a mirror image of a layout is another
//! layout as soon as something flows through a door.

use std::collections::BTreeMap;

use super::instance::{MOST_FLOW, TOLERANCE};
use super::{Distance, Door, DoorFlow, Instance, Orientation, Plan, Rectangle};
use gridwright_core::data::is_same_name;
use gridwright_core::numbers::rounded;
use gridwright_core::text::lines::quoted;

/// Largest number of doors.
pub(crate) const MAX_DOORS: usize = 1_024;

impl Instance {
    /// Returns `true` if something flows through a door.
    pub fn has_door_flows(&self) -> bool {
        self.door_flows.iter().any(|flow| flow.amount > 0.0)
    }

    /// Departments and doors with the sum of the flows between them, more than 0, ascending.
    pub fn door_pairs(&self) -> Vec<(u16, u16, f64)> {
        let mut sums = BTreeMap::new();
        for flow in &self.door_flows {
            *sums.entry((flow.department, flow.door)).or_insert(0.0) += flow.amount;
        }
        let pairs = sums.into_iter().map(|((department, door), sum)| (department, door, sum));
        pairs.filter(|pair| pair.2 > 0.0).collect()
    }

    /// Flows through doors without the trips of products.
    pub(crate) fn stated_door_flows(&self) -> &[DoorFlow] {
        let of_products: usize = self.products.iter().map(|product| product.door_moves().count()).sum();
        &self.door_flows[..self.door_flows.len().saturating_sub(of_products)]
    }

    /// Ends of flows with the flow between them in both directions, more than 0. The ends 0…n − 1 are the departments, those
    /// from n on the doors.
    pub fn flowing_pairs(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let n = self.len();
        let pairs = (0..n).flat_map(move |one| (one + 1..n).map(move |other| (one, other)));
        let between = pairs.map(|(one, other)| (one, other, self.flow(one, other))).filter(|pair| pair.2 > 0.0);
        let door = move |(department, door, flow): (u16, u16, f64)| (department.into(), n + usize::from(door), flow);
        between.chain(self.door_pairs().into_iter().map(door))
    }

    /// Name of an end of flows; empty if there is none.
    pub fn end_name(&self, end: usize) -> &str {
        match end.checked_sub(self.len()) {
            None => &self.departments[end].name,
            Some(door) => self.doors.get(door).map_or("", |door| door.name.as_str()),
        }
    }

    /// Point of an end of flows in a plan: the centroid of a department, or a door.
    pub fn end_point(&self, plan: &Plan, end: usize) -> (f64, f64) {
        match end.checked_sub(self.len()).and_then(|door| self.doors.get(door)) {
            Some(door) => (door.x, door.y),
            None => plan.departments.get(end).map_or((0.0, 0.0), |place| place.centre()),
        }
    }

    /// Says why a door cannot be where it is: beyond the plant or its outline, or in a fixed thing. A door on a wall has floor on
    /// one side.
    pub(crate) fn door_fault(&self, door: &Door) -> Option<String> {
        let near = 2.0 * TOLERANCE * self.width.max(self.height);
        let (x, y) = (door.x, door.y);
        let lies_in = |one: &Rectangle, x: f64, y: f64| {
            (one.x..=one.x + one.width).contains(&x) && (one.y..=one.y + one.height).contains(&y)
        };
        let plant = Rectangle { x: 0.0, y: 0.0, width: self.width, height: self.height };
        let at = [x, y].map(rounded);
        if !lies_in(&plant, x, y) {
            let [x, y, wide, high] = [at[0], at[1], rounded(self.width), rounded(self.height)];
            return Some(format!(
                "{x}, {y} lies beyond the plant of {wide} × {high}; correct x and y, or enlarge the plant"
            ));
        }
        let around = [(x - near, y - near), (x + near, y - near), (x - near, y + near), (x + near, y + near)];
        let part_at = |&(x, y): &(f64, f64)| self.building.parts.iter().find(|part| lies_in(&part.rectangle, x, y));
        let inside: Vec<_> = around.iter().filter(|(x, y)| lies_in(&plant, *x, *y)).map(part_at).collect();
        let part = inside.iter().all(Option::is_some).then(|| inside.into_iter().flatten().next()).flatten()?;
        let ([x, y], name) = (at, quoted(&part.label()));
        Some(format!("{x}, {y} lies inside of {name}; put it on a wall or on free floor, or correct the building"))
    }

    /// Checks doors and the flows through them.
    ///
    /// # Errors
    /// A sentence that names a door without a name of its own or at an impossible place, or a flow that is negative, no number, or
    /// of a department or door that there is not.
    pub(crate) fn check_doors(&self) -> Result<(), String> {
        if self.doors.len() > MAX_DOORS {
            return Err(format!("{} doors; at most {MAX_DOORS} can be handled", self.doors.len()));
        }
        for (at, door) in self.doors.iter().enumerate() {
            let name = quoted(&door.name);
            if door.name.is_empty() {
                return Err(format!("door {} has no name; give each door a name of its own", at + 1));
            }
            if let Some(first) = self.doors[..at].iter().position(|other| is_same_name(&other.name, &door.name)) {
                return Err(format!("doors {} and {} are both called {name}; rename one", first + 1, at + 1));
            }
            if let Some(why) = self.door_fault(door) {
                return Err(format!("door {name} at {why}"));
            }
        }
        for flow in &self.door_flows {
            let (department, door) = (usize::from(flow.department), usize::from(flow.door));
            if department >= self.len() || door >= self.doors.len() {
                return Err("a flow to a door names a department or a door that there is not".to_owned());
            }
            if !(0.0..=MOST_FLOW).contains(&flow.amount) {
                let [department, door] = [department, self.len() + door].map(|end| quoted(self.end_name(end)));
                let amount = flow.amount;
                return Err(format!(
                    "the flow between {department} and door {door} is {amount}; flows are numbers from 0 to 10¹⁵"
                ));
            }
        }
        Ok(())
    }
}

/// Flow between a department and a door, in the coordinates of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DoorTerm {
    pub department: usize,
    /// Door across and along bays, or along x and y.
    pub across: f64,
    pub along: f64,
    pub flow: f64,
}

/// Flows through doors of an instance as searches evaluate them, ascending by department and door; empty without any.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DoorTerms(Vec<DoorTerm>);

impl DoorTerms {
    /// Doors across and along bays of an orientation.
    pub(crate) fn in_bays(instance: &Instance, orientation: Orientation) -> Self {
        Self::of(instance, |x, y| match orientation {
            // Departments follow each other from the top.
            Orientation::Vertical => (x, instance.height - y),
            Orientation::Horizontal => (y, x),
        })
    }

    /// Doors along x and y.
    pub(crate) fn in_plant(instance: &Instance) -> Self {
        Self::of(instance, |x, y| (x, y))
    }

    fn of(instance: &Instance, turned: impl Fn(f64, f64) -> (f64, f64)) -> Self {
        let term = |(department, door, flow): (u16, u16, f64)| {
            let door = instance.doors.get(usize::from(door))?;
            let (across, along) = turned(door.x, door.y);
            Some(DoorTerm { department: department.into(), across, along, flow })
        };
        Self(instance.door_pairs().into_iter().filter_map(term).collect())
    }

    /// Returns `true` if nothing flows through doors.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Terms of a department.
    pub(crate) fn of_department(&self, department: usize) -> impl Iterator<Item = &DoorTerm> {
        self.0.iter().filter(move |term| term.department == department)
    }

    /// Σ flow · distance for departments with these centroids.
    #[inline(never)]
    pub(crate) fn cost(&self, distance: Distance, across: &[f64], along: &[f64]) -> f64 {
        let mut sum = 0.0;
        for term in &self.0 {
            let (x, y) = (across[term.department] - term.across, along[term.department] - term.along);
            sum += term.flow * distance.between(x, y);
        }
        sum
    }
}

#[cfg(test)]
mod tests;
