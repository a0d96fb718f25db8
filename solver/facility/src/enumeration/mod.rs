//! Exact enumeration: proves the optimal flexible-bay layout of a small plant.
//!
//! With rectilinear distances the cost is the sum of two independent parts: across the bays it depends on the partition
//! of the departments into bays and the order of the bays, along the bays on the partition and the order within each
//! bay. Whether a bay satisfies the shape limits depends on the set of its departments only. For every feasible
//! partition,
//!
//! * the best order of the bays is computed exactly by dynamic programming over sets of bays ([`sets::Sets::across`]);
//! * the cost along the bays is bounded from below by pairs of bays ([`sets::Sets::pair`]);
//! * if the bound does not exceed the incumbent, the best orders within the bays are computed exactly ([`orders`]).
//!
//! Euclidean distances have no such parts. With them, all orders of the bays of a partition are looked at whose lower bound, by
//! Minkowski's inequality from the parts across and along the bays, does not exceed the incumbent; for each, the best orders within
//! the bays are computed exactly in the same way, with the distances of bays whose centre lines are known.
//!
//! Flows through doors have a part across and a part along the bays, too, each of one department. A layout and its mirror image
//! differ then, so both are looked at.
//!
//! The memetic algorithm provides the first incumbent. A step of the search is one choice of the first two bays.
//!
//! Sources: dynamic programming over sets, R. M. Karp, M. Held, «Finite-state processes and dynamic programming», SIAM
//! Journal on Applied Mathematics 15(3), 1967; exact solution of flexible bays, A. Konak, S. Kulturel-Konak, B. A.
//! Norman, A. E. Smith, «A new mixed integer programming formulation for facility layout design using flexible bays»,
//! Operations Research Letters 34(6), 2006.

mod orders;
mod search;
mod sets;
#[cfg(test)]
mod tests;

pub(crate) use search::Enumeration;

use super::{Distance, Instance};
use gridwright_core::search::parameters::parameters;
use gridwright_core::{Error, Result};

/// Largest number of departments that can be enumerated.
const MAX_ENUMERATED: usize = 13;

/// Largest number of departments that can be enumerated with Euclidean distances, whose bounds are weaker.
const MAX_STRAIGHT: usize = 10;

/// Relative difference below which two costs count as equal.
const PRECISION: f64 = 1e-9;

parameters! {
    /// Parameters of the enumeration.
    pub struct EnumerationParameters {
        /// Cycles of the memetic algorithm before the enumeration: a better first layout shortens the proof.
        before: u32 = 1, label: "Search before", unit: "cycles", range: 1..=5;
    }
}

/// Reason why bays cannot solve an instance with fixed things or kept rectangles, after its name.
pub(crate) const AROUND: &str = "has fixed things, an outline or kept rectangles, which bays cannot go around";

/// Reason why an instance cannot be enumerated; `None` for at most [`MAX_ENUMERATED`] departments, or
/// [`MAX_STRAIGHT`] with Euclidean distances, without user constraints.
pub fn obstacle(instance: &Instance) -> Option<String> {
    if instance.has_site() {
        Some(AROUND.to_owned())
    } else if instance.len() > MAX_ENUMERATED {
        Some(format!("has {} departments, and at most {MAX_ENUMERATED} can be enumerated", instance.len()))
    } else if instance.distance == Distance::Euclidean && instance.len() > MAX_STRAIGHT {
        let n = instance.len();
        Some(format!(
            "has Euclidean distances and {n} departments, of which at most {MAX_STRAIGHT} can be enumerated with them"
        ))
    } else if instance.distance == Distance::Euclidean && instance.has_door_flows() {
        Some("has Euclidean distances and flows through doors, which the enumeration does not know together".to_owned())
    } else if instance.has_moving_cost() {
        Some("has prices of moving away from today's layout, which the enumeration does not know".to_owned())
    } else if !instance.rules.is_empty() {
        Some("has locks or departments to be kept apart, which the enumeration does not know".to_owned())
    } else {
        None
    }
}

/// Checks that an instance can be enumerated.
///
/// # Errors
/// [`Error::Usage`] with the reason and the alternative.
pub fn check(instance: &Instance) -> Result<()> {
    let name = &instance.name;
    match obstacle(instance) {
        None => Ok(()),
        Some(why) if instance.has_site() || instance.has_moving_cost() => {
            Err(Error::Usage(format!("{name} {why}; use --algorithm slicing")))
        }
        Some(why) => Err(Error::Usage(format!("{name} {why}; use --algorithm memetic"))),
    }
}
