//! What a person demands of a layout beyond the data.

use serde::{Deserialize, Serialize};

use super::Instance;
use crate::text::lines::quoted;
use crate::{Error, Result};

/// A department that has to stay in a bay, or at a place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// The department, counted from 0.
    pub department: u16,
    /// The bay, counted from 0: from the left, or from the bottom where bays are horizontal.
    pub bay: u16,
    /// The place in the bay, counted from 0 from its top or its left end; `None`: anywhere in it.
    pub place: Option<u16>,
}

/// What a person demands of a layout beyond the data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Departments that have to stay where they are; one lock per department.
    pub locks: Vec<Lock>,
    /// Pairs of departments that must not share a wall.
    pub apart: Vec<(u16, u16)>,
}

impl Rules {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        self.locks.is_empty() && self.apart.is_empty()
    }

    /// Whether these rules speak of departments that there are, of none twice, and of two different ones where of a pair.
    ///
    /// # Errors
    /// [`Error::Usage`] that says what of them makes no sense.
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
