//! User constraints of a layout: locked departments and pairs that must not be adjacent.

use serde::{Deserialize, Serialize};

use super::Instance;
use crate::text::lines::quoted;
use crate::{Error, Result};

/// Lock: a department assigned to a bay, or to a place in a bay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// Department index.
    pub department: u16,
    /// Bay index, counted from the left (vertical bays) or from the bottom (horizontal bays).
    pub bay: u16,
    /// Place in the bay, counted from 0 at its top or left end; `None` allows any place.
    pub place: Option<u16>,
}

/// User constraints of a layout.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Locks, at most one per department.
    pub locks: Vec<Lock>,
    /// Pairs of department indices that must not share a wall.
    pub apart: Vec<(u16, u16)>,
}

impl Rules {
    /// Returns `true` if there are no constraints.
    pub fn is_empty(&self) -> bool {
        self.locks.is_empty() && self.apart.is_empty()
    }

    /// Checks that the constraints refer to existing departments, lock none twice and keep apart two different
    /// departments.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the inconsistent constraint.
    pub fn check(&self, instance: &Instance) -> Result<()> {
        let n = instance.len();
        let mut seen = vec![false; n];
        for lock in &self.locks {
            let department = usize::from(lock.department);
            let most = usize::from(lock.bay) + usize::from(lock.place.unwrap_or(0));
            if department >= n || most >= n {
                return Err(Error::Usage(format!(
                    "{}: a lock names a department or bay that there is not",
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
        for &(one, other) in &self.apart {
            if one == other || usize::from(one.max(other)) >= n {
                return Err(Error::Usage(format!("{}: two different departments can be kept apart", instance.name)));
            }
        }
        Ok(())
    }
}
