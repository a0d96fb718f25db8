//! Prices of moving a department.

use serde::{Deserialize, Serialize};

/// Prices of moving a department, in the unit of the transport cost (flow × length).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelocationPrice {
    /// Price of moving at all.
    #[serde(default)]
    pub fixed: f64,
    /// Price of each unit of length between the centroids.
    #[serde(default)]
    pub per_length: f64,
}

impl RelocationPrice {
    /// Returns `true` if the department moves for nothing.
    pub fn is_free(&self) -> bool {
        self.fixed == 0.0 && self.per_length == 0.0
    }
}
