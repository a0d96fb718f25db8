//! Layouts and demands as result and project files name them: by the names of departments.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::names::Names;
use super::{Fixed, Instance, Layout, Lock, Orientation, Placed, Rectangle, Rules};
use gridwright_core::data::FormerNames;
use gridwright_core::result::Encoded;

/// A layout in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StoredSolution {
    /// Orientation of the bays, and the names of the departments bay by bay.
    Layout(Orientation, Vec<Vec<String>>),
    /// Names and rectangles of the departments of a layout without bays.
    Rectangles(Vec<(String, Rectangle)>),
}

impl StoredSolution {
    /// Names the departments of a layout.
    fn of(instance: &Instance, layout: &Layout) -> Self {
        if layout.is_free() {
            let placed = layout.rectangles.iter();
            return Self::Rectangles(placed.map(|one| (name(instance, one.department), one.rectangle)).collect());
        }
        Self::Layout(layout.orientation, layout.bays.iter().map(|bay| names(instance, bay)).collect())
    }

    /// All names of departments.
    fn names_mut(&mut self) -> Box<dyn Iterator<Item = &mut String> + '_> {
        match self {
            Self::Layout(_, bays) => Box::new(bays.iter_mut().flatten()),
            Self::Rectangles(placed) => Box::new(placed.iter_mut().map(|(name, _)| name)),
        }
    }

    /// The layout with department indices; rectangles beyond reason are refused.
    ///
    /// # Errors
    /// The error of `index` for an unknown name; `unsound` of the name of a department without a usable rectangle.
    fn resolved<E>(
        &self, index: impl Fn(&String) -> Result<u16, E>, unsound: impl Fn(&String) -> E,
    ) -> Result<Layout, E> {
        match self {
            Self::Layout(orientation, bays) => {
                let bays = bays.iter().map(|bay| bay.iter().map(&index).collect::<Result<Vec<u16>, E>>());
                Ok(Layout::of_bays(*orientation, bays.collect::<Result<_, E>>()?))
            }
            Self::Rectangles(placed) => {
                let placed = placed.iter().map(|(name, rectangle)| {
                    let (department, rectangle) = (index(name)?, *rectangle);
                    if rectangle.is_sound() { Ok(Placed { department, rectangle }) } else { Err(unsound(name)) }
                });
                Ok(Layout::of_rectangles(placed.collect::<Result<_, E>>()?))
            }
        }
    }
}

/// The demands under which a run searched, in a file; departments are counted as in the instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Demands {
    /// Rules and a starting layout.
    Facility {
        /// Locks and forbidden neighbours.
        rules: Rules,
        /// The layout from which the search started, if one was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Layout>,
    },
}

/// Rules in a file, with the names of departments.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedRules {
    /// Department, bay and place of each lock, counted from 0.
    pub locks: Vec<(String, u16, Option<u16>)>,
    /// Departments that keep their rectangle.
    #[serde(default)]
    pub fixed: Vec<(String, Rectangle, Orientation)>,
    /// Layout in which they have been locked.
    #[serde(default)]
    pub around: Option<StoredSolution>,
    /// Departments that keep their rectangle whatever the bays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<(String, Rectangle)>,
    /// Pairs that must not share a wall.
    pub apart: Vec<(String, String)>,
}

/// A stored layout with the present names of departments; `None` if the value is no layout.
pub fn renamed(solution: &Encoded, names: &FormerNames) -> Option<Encoded> {
    let mut stored: StoredSolution = solution.decode()?;
    stored.names_mut().for_each(|name| names.update("departments", name));
    Some(Encoded::of(&stored))
}

impl NamedRules {
    /// The rules with the present names of departments.
    pub fn renamed(mut self, names: &FormerNames) -> Self {
        let single = self.locks.iter_mut().map(|(name, ..)| name).chain(self.fixed.iter_mut().map(|(name, ..)| name));
        let single = single.chain(self.placed.iter_mut().map(|(name, _)| name));
        let of_pairs = self.apart.iter_mut().flat_map(|(one, other)| [one, other]);
        let around = self.around.iter_mut().flat_map(StoredSolution::names_mut);
        single.chain(of_pairs).chain(around).for_each(|name| names.update("departments", name));
        self
    }

    /// Names the departments of rules of an instance.
    pub fn of(instance: &Instance, rules: &Rules) -> Self {
        let name = |at: u16| name(instance, at);
        Self {
            locks: rules.locks.iter().map(|lock| (name(lock.department), lock.bay, lock.place)).collect(),
            fixed: rules.fixed.iter().map(|one| (name(one.department), one.rectangle, one.orientation)).collect(),
            around: rules.around.as_ref().map(|layout| StoredSolution::of(instance, layout)),
            placed: rules.placed.iter().map(|one| (name(one.department), one.rectangle)).collect(),
            apart: rules.apart.iter().map(|&(one, other)| (name(one), name(other))).collect(),
        }
    }

    /// The rules for an instance, without those about departments that it does not have.
    pub fn resolved(&self, instance: &Instance) -> Rules {
        let names = Names::of(&instance.departments);
        let find = |name: &String| names.find(name).map(|at| at as u16);
        let lock = |(name, bay, place): &(String, u16, Option<u16>)| {
            Some(Lock { department: find(name)?, bay: *bay, place: *place })
        };
        let fixed = |(name, rectangle, orientation): &(String, Rectangle, Orientation)| {
            Some(Fixed { department: find(name)?, rectangle: *rectangle, orientation: *orientation })
        };
        let placed =
            |(name, rectangle): &(String, Rectangle)| Some(Placed { department: find(name)?, rectangle: *rectangle });
        let around = |stored: &StoredSolution| {
            let layout = stored.resolved(|name| find(name).ok_or(()), |_| ()).ok()?;
            Some(layout).filter(|layout| layout.is_whole(instance.len()) && !layout.is_free())
        };
        Rules {
            locks: self.locks.iter().filter_map(lock).collect(),
            fixed: self.fixed.iter().filter_map(fixed).collect(),
            around: self.around.as_ref().and_then(around),
            placed: self.placed.iter().filter_map(placed).collect(),
            apart: self.apart.iter().filter_map(|(one, other)| Some((find(one)?, find(other)?))).collect(),
        }
    }
}

/// Name of a department; empty for an index beyond the instance.
fn name(instance: &Instance, department: u16) -> String {
    instance.departments.get(usize::from(department)).map_or_else(String::new, |known| known.name.clone())
}

/// Names of the departments of a bay; an index beyond the instance has an empty name.
pub(crate) fn names(instance: &Instance, bay: &[u16]) -> Vec<String> {
    bay.iter().map(|&department| name(instance, department)).collect()
}

/// Names every department of a layout.
pub(crate) fn encode(instance: &Instance, layout: &Layout) -> Encoded {
    Encoded::of(&StoredSolution::of(instance, layout))
}

/// A stored layout with department indices; departments may be missing or named twice: the checker reports that.
///
/// # Errors
/// A sentence that names the instance, if the value is no layout or names an unknown department.
pub fn decode(instance: &Instance, solution: &Encoded) -> Result<Layout, String> {
    let name = &instance.name;
    let Some(stored) = solution.decode::<StoredSolution>() else {
        return Err(format!("it holds no layout of {name}; name the instance that it was made for"));
    };
    let known = instance.departments.iter().zip(0..).map(|(department, index)| (department.name.as_str(), index));
    let known: HashMap<&str, u16> = known.collect();
    let index = |department: &String| {
        known.get(department.as_str()).copied().ok_or_else(|| {
            format!(
                "it holds an unknown department “{}”, so it is no layout of {name}; name the instance that it was made for",
                department.escape_debug()
            )
        })
    };
    let unsound = |department: &String| {
        format!(
            "the rectangle of “{}” has no size, or is further away than 10⁹ units of length; correct it",
            department.escape_debug()
        )
    };
    stored.resolved(index, unsound)
}
