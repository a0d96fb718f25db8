//! Building of a plant: fixed things that departments must avoid, floor that is outside of its outline, and departments with
//! a fixed rectangle.
//!
//! The outline is the rectangle of the plant without its parts of the kind [`PartKind::Outside`], so that every outline of
//! axis-parallel edges is a list of rectangles: an L has one of them, a U one, a T two. No two rectangles of a building overlap.

mod outline;

use std::collections::HashSet;

pub use outline::outline;
use serde::{Deserialize, Serialize};

use super::instance::TOLERANCE;
use super::{Instance, Limit, Placed, Rectangle};
use gridwright_core::numbers::rounded;
use gridwright_core::text::lines::quoted;

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
    pub fn blocked_area(&self) -> f64 {
        // Negative zero would be written with its sign.
        self.parts.iter().map(|part| part.rectangle.area()).sum::<f64>() + 0.0
    }
}

impl Instance {
    /// Floor of the plant within its outline and without fixed things, in square units of length.
    pub fn usable_area(&self) -> f64 {
        self.width * self.height - self.building.blocked_area()
    }

    /// Departments that keep their rectangle whatever the bays, ascending: those that are locked and those that the building
    /// fixes. A lock replaces the place in the building.
    pub fn kept_places(&self) -> Vec<Placed> {
        let rules = &self.rules;
        let fixed = rules.fixed.iter().map(|fixed| Placed { department: fixed.department, rectangle: fixed.rectangle });
        let locked = rules.placed.iter().copied().chain(fixed);
        let mut known = HashSet::new();
        let mut kept: Vec<Placed> =
            locked.chain(self.building.places.iter().copied()).filter(|one| known.insert(one.department)).collect();
        kept.sort_by_key(|placed| placed.department);
        kept
    }

    /// Returns `true` if layouts have to go around fixed things or places, which bays cannot.
    pub fn has_site(&self) -> bool {
        !self.building.is_empty() || !self.rules.placed.is_empty()
    }

    /// Checks the rectangles of the building.
    ///
    /// # Errors
    /// A sentence that names a rectangle without size or outside of the plant, two rectangles that overlap, a department that
    /// does not fit into its place, or one with two places.
    pub(crate) fn check_building(&self) -> Result<(), String> {
        let Building { parts, places } = &self.building;
        let count = parts.len() + places.len();
        if count > MAX_PARTS {
            return Err(format!("the building has {count} rectangles; at most {MAX_PARTS} can be handled"));
        }
        let mut known = HashSet::new();
        for placed in places {
            self.check_place(placed)?;
            if !known.insert(placed.department) {
                let name = quoted(&self.departments[usize::from(placed.department)].name);
                return Err(format!("department {name} has two places in the building; keep one of them"));
            }
        }
        let of_parts = parts.iter().map(|part| (quoted(&part.label()), part.rectangle));
        let department = |placed: &Placed| quoted(&self.departments[usize::from(placed.department)].name);
        let of_places = places.iter().map(|placed| (format!("department {}", department(placed)), placed.rectangle));
        let all: Vec<(String, Rectangle)> = of_parts.chain(of_places).collect();
        for (at, (name, rectangle)) in all.iter().enumerate() {
            self.check_within(name, rectangle)?;
            for (other, there) in &all[..at] {
                let (x, y) = rectangle.overlap(there);
                if x > TOLERANCE && y > TOLERANCE {
                    let [x, y] = [x, y].map(rounded);
                    return Err(format!(
                        "{other} and {name} overlap by {x} × {y}; make one smaller, or cut one of them into rectangles that \
                         only touch"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks that a rectangle has a size and lies in the rectangle of the plant.
    fn check_within(&self, name: &str, rectangle: &Rectangle) -> Result<(), String> {
        if !rectangle.is_sound() {
            return Err(format!("{name} has no width or no height, or is too far away; correct its numbers"));
        }
        let Rectangle { x, y, width, height } = *rectangle;
        let beyond = [-x, -y, x + width - self.width, y + height - self.height].into_iter().fold(0.0, f64::max);
        if beyond > TOLERANCE {
            let [by, wide, high] = [beyond, self.width, self.height].map(rounded);
            return Err(format!(
                "{name} reaches {by} beyond the plant of {wide} × {high}; correct its place, or enlarge the plant"
            ));
        }
        Ok(())
    }

    /// Checks area and shape of the place of a department.
    fn check_place(&self, placed: &Placed) -> Result<(), String> {
        let Some(department) = self.departments.get(usize::from(placed.department)) else {
            return Err("the building names a department that there is not".to_owned());
        };
        let (name, Rectangle { width, height, .. }) = (quoted(&department.name), placed.rectangle);
        let (area, needed) = (width * height, department.area);
        let [wide, high] = [width, height].map(rounded);
        if (area - needed).abs() > TOLERANCE * needed.max(1.0) {
            let [area, needed] = [area, needed].map(rounded);
            return Err(format!(
                "department {name} needs {needed}, and its place in the building of {wide} × {high} has {area}; correct one of them"
            ));
        }
        let aspect = placed.rectangle.aspect();
        let is_kept = match department.limit {
            Limit::None => true,
            Limit::Aspect(most) => aspect <= most + TOLERANCE,
            Limit::MinSide(least) => width.min(height) >= least - TOLERANCE,
            Limit::Range(low, high) => (low - TOLERANCE..=high + TOLERANCE).contains(&(height / width)),
        };
        if !is_kept {
            return Err(format!(
                "the place of department {name} in the building is {wide} × {high}, which its limit of shape does not allow; \
                 correct the place, or leave the limit out"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
