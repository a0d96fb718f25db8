//! Building of a plant: fixed things that departments must avoid, floor that is outside of its outline, and departments with
//! a fixed rectangle.
//!
//! The outline is the rectangle of the plant without its parts of the kind [`PartKind::Outside`], so that every outline of
//! axis-parallel edges is a list of rectangles: an L has one of them, a U one, a T two. No two rectangles of a building overlap.

mod checking;
pub mod outline;

use serde::{Deserialize, Serialize};

pub(crate) use self::checking::overlap;
use super::rectangle::{Placed, Rectangle};
use gridwright_core::numbers::rounded;

/// Largest number of rectangles of a building.
pub(crate) const MAX_PARTS: usize = 256;

/// Kind of a part of a building.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PartKind {
    /// Stairs, column, yard: floor within the outline that no department may cover.
    #[default]
    Fixed,
    /// Floor of the plant's rectangle that lies outside of its outline.
    Outside,
}

impl PartKind {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Outside => "outside",
        }
    }
}

/// Part of a building that departments must avoid.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Part {
    /// Name, such as «Stairs»; may be empty.
    pub name: String,
    /// Kind.
    pub kind: PartKind,
    /// Position and size.
    pub rectangle: Rectangle,
}

impl Part {
    /// Name for people: that of the part, or its kind and position.
    pub fn label(&self) -> String {
        if !self.name.is_empty() {
            return self.name.clone();
        }
        let at = format!("at {}, {}", rounded(self.rectangle.x), rounded(self.rectangle.y));
        match self.kind {
            PartKind::Fixed => format!("the fixed area {at}"),
            PartKind::Outside => format!("the outside {at}"),
        }
    }
}

/// Fixed things, outline and fixed departments of a plant.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Building {
    /// Rectangles that departments must avoid.
    pub parts: Vec<Part>,
    /// Departments with a fixed rectangle, at most one for each department.
    pub places: Vec<Placed>,
}

impl Building {
    /// Returns `true` if there are neither parts nor fixed departments.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.places.is_empty()
    }

    /// Floor of the parts, which no department can use.
    pub(crate) fn blocked_area(&self) -> f64 {
        // Negative zero would be written with its sign.
        self.parts.iter().map(|part| part.rectangle.area()).sum::<f64>() + 0.0
    }
}

#[cfg(test)]
mod tests;
