//! Proof of optimality: all ways to divide the departments among bays.
//!
//! With rectilinear distances the cost of a layout is a sum of two parts. Across the bays it depends on which departments share a bay and on
//! the order of the bays; along them on which share a bay and on the order in each bay. So for every partition of the departments into
//! bays that fit (whether a bay fits is a property of the set of its departments)
//!
//! * the best order of the bays is found exactly, by dynamic programming over sets of bays ([`sets::Sets::across`]);
//! * the part along the bays is bounded from below by what any two bays cost each other ([`sets::Sets::pair`]), and
//! * where that does not exceed what is known, the best orders in the bays are found exactly ([`orders`]).
//!
//! The memetic algorithm runs first, so that there is something to prove. A step is one choice of the first two bays.
//!
//! Sources: the bound of orders on a line by sets, R. M. Karp, M. Held, «Finite-state processes and dynamic programming», SIAM Journal on
//! Applied Mathematics 15(3), 1967; for flexible bays exact solutions are due to A. Konak, S. Kulturel-Konak, B. A. Norman, A. E. Smith, «A new
//! mixed integer programming formulation for facility layout design using flexible bays», Operations Research Letters 34(6), 2006.

mod orders;
mod search;
mod sets;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use search::Enumeration;

use super::{Distance, Instance};
use crate::search::{Kind, Parameter, Parameters, Value};
use crate::{Error, Result};

/// More departments than this are not enumerated.
pub const MAX_ENUMERATED: usize = 13;

/// Costs that differ by less than this fraction are not told apart.
pub const PRECISION: f64 = 1e-9;

/// What a person may choose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnumerationParameters {
    /// Cycles of the memetic algorithm before the enumeration.
    pub before: u32,
}

impl Default for EnumerationParameters {
    fn default() -> Self {
        Self { before: 1 }
    }
}

impl Parameters for EnumerationParameters {
    fn list() -> &'static [Parameter] {
        &[Parameter {
            name: "before",
            label: "Search before",
            unit: "cycles",
            help: "Cycles of the memetic algorithm before the enumeration: the better what is known, the less is left to look at.",
            kind: Kind::Integer { min: 1, max: 5 },
            zero: "",
        }]
    }

    fn get(&self, _name: &str) -> Value {
        Value::Integer(self.before.into())
    }

    fn put(&mut self, _name: &str, value: &Value) {
        self.before = value.integer() as u32;
    }
}

/// Whether an instance can be enumerated.
///
/// # Errors
/// [`Error::Usage`] that says why not, and what to use instead.
pub fn check(instance: &Instance) -> Result<()> {
    let name = &instance.name;
    let why = if instance.len() > MAX_ENUMERATED {
        format!("has {} departments, and at most {MAX_ENUMERATED} can be enumerated", instance.len())
    } else if instance.distance != Distance::Rectilinear {
        "has Euclidean distances, which cannot be enumerated".to_owned()
    } else if !instance.rules.is_empty() {
        "has locks or departments to be kept apart, which the enumeration does not know".to_owned()
    } else {
        return Ok(());
    };
    Err(Error::Usage(format!("{name} {why}; use --algorithm memetic")))
}
