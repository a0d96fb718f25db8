//! Checks of a building against its plant, and what it leaves to the departments.

use std::collections::HashSet;

use super::{Building, MAX_PARTS};
use crate::instance::TOLERANCE;
use crate::{Instance, Limit, Placed, Rectangle};
use gridwright_core::numbers::rounded;
use gridwright_core::text::lines::quoted;

/// Explains that two named rectangles of a building overlap; `None` if they do not.
pub(crate) fn overlap([(one, here), (other, there)]: [(&str, &Rectangle); 2]) -> Option<String> {
    let (x, y) = here.overlap(there);
    (x > TOLERANCE && y > TOLERANCE).then(|| {
        let [x, y] = [x, y].map(rounded);
        format!(
            "{one} and {other} overlap by {x} × {y}; make one smaller, or cut one of them into rectangles that only touch"
        )
    })
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
    pub(crate) fn has_site(&self) -> bool {
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
                if let Some(why) = overlap([(other, there), (name, rectangle)]) {
                    return Err(why);
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
