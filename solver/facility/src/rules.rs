//! User constraints of a layout: departments that are locked to a bay or to a rectangle, and pairs that must not be adjacent.

use serde::{Deserialize, Serialize};

use super::{Instance, Layout, Orientation, Placed, Plan, Rectangle};
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

/// Lock: a department assigned to a bay, or to a place in a bay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Department index.
    pub department: u16,
    /// Bay index, counted from the left (vertical bays) or from the bottom (horizontal bays).
    pub bay: u16,
    /// Place in the bay, counted from 0 at its top or left end; `None` allows any place.
    pub place: Option<u16>,
}

/// Department that keeps its rectangle in the plant.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixed {
    /// Department index.
    pub department: u16,
    /// Position and size.
    pub rectangle: Rectangle,
    /// Orientation of the bays in which it lies.
    pub orientation: Orientation,
}

/// User constraints of a layout.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Locks to a bay, at most one per department.
    pub locks: Vec<Lock>,
    /// Departments that keep their rectangle; none of them is in `locks`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<Fixed>,
    /// Layout in which they have been locked. Searches rearrange the other departments of this layout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<Layout>,
    /// Departments that keep their rectangle in the building, whatever the bays; none of them is in `locks` or `fixed`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<Placed>,
    /// Pairs of department indices that must not share a wall.
    pub apart: Vec<(u16, u16)>,
}

impl Rules {
    /// Returns `true` if there are no constraints.
    pub fn is_empty(&self) -> bool {
        !self.has_locks() && self.apart.is_empty()
    }

    /// Returns `true` if a department is locked to a bay or a rectangle.
    pub fn has_locks(&self) -> bool {
        !self.locks.is_empty() || !self.fixed.is_empty() || !self.placed.is_empty()
    }

    /// Orientation of the bays with locked rectangles; `None` without any.
    pub fn orientation(&self) -> Option<Orientation> {
        self.fixed.first().map(|fixed| fixed.orientation)
    }

    /// Locks a department to its rectangle in a layout of all departments, instead of any former lock: in bays of their
    /// orientation, or, in a layout of rectangles and where something is locked so or fixed already, whatever the bays.
    pub fn fix(&mut self, instance: &Instance, layout: &Layout, department: u16) {
        self.release(department);
        if layout.is_free() || !self.placed.is_empty() || !instance.building.is_empty() {
            let plan = Plan::new(instance, layout);
            let place = plan.departments.get(usize::from(department));
            self.placed.extend(place.map(|&rectangle| Placed { department, rectangle }));
            self.placed.sort_by_key(|placed| placed.department);
            return;
        }
        let plan = Plan::new(instance, layout);
        if let Some(&rectangle) = plan.departments.get(usize::from(department)) {
            self.fixed.push(Fixed { department, rectangle, orientation: layout.orientation });
            self.fixed.sort_by_key(|fixed| fixed.department);
            self.around = Some(layout.clone());
        }
    }

    /// Removes the locks of a department.
    pub fn release(&mut self, department: u16) {
        self.locks.retain(|lock| lock.department != department);
        self.fixed.retain(|fixed| fixed.department != department);
        self.placed.retain(|placed| placed.department != department);
        if self.fixed.is_empty() {
            self.around = None;
        }
    }

    /// Checks that the constraints refer to existing departments, lock none twice and keep apart two different
    /// departments.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the inconsistent constraint.
    pub fn check(&self, instance: &Instance) -> Result<()> {
        let n = instance.len();
        let mut seen = vec![false; n];
        let ordinals = self.locks.iter().map(|lock| {
            let most = usize::from(lock.bay) + usize::from(lock.place.unwrap_or(0));
            (usize::from(lock.department), most < n)
        });
        let rectangles = self.fixed.iter().map(|fixed| (usize::from(fixed.department), fixed.rectangle.is_sound()));
        let placed = self.placed.iter().map(|placed| (usize::from(placed.department), placed.rectangle.is_sound()));
        for (department, is_sound) in ordinals.chain(rectangles).chain(placed) {
            if department >= n || !is_sound {
                return Err(Error::Usage(format!(
                    "{}: a lock names a department, bay or rectangle that there is not",
                    instance.name
                )));
            }
            if std::mem::replace(&mut seen[department], true) {
                let name = quoted(&instance.departments[department].name);
                return Err(Error::Usage(format!(
                    "{}: department {name} is locked twice; remove one lock",
                    instance.name
                )));
            }
        }
        if self.fixed.iter().any(|fixed| Some(fixed.orientation) != self.orientation()) {
            let what = "departments are locked in vertical and in horizontal bays, and no layout has both; unlock some";
            return Err(Error::Usage(format!("{}: {what}", instance.name)));
        }
        if self.around.as_ref().is_some_and(|around| around.is_free() || !around.is_whole(n)) {
            let what = "the layout around the locked departments is not one of all departments in bays; unlock and lock \
                        them again";
            return Err(Error::Usage(format!("{}: {what}", instance.name)));
        }
        for &(one, other) in &self.apart {
            if one == other || usize::from(one.max(other)) >= n {
                return Err(Error::Usage(format!("{}: two different departments can be kept apart", instance.name)));
            }
        }
        Ok(())
    }
}
