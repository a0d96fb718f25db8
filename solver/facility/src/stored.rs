//! Layouts and demands as result and project files name them: by the names of departments.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::names::Names;
use super::{Fixed, Instance, Layout, Lock, Orientation, Rectangle, Rules};
use gridwright_core::data::FormerNames;
use gridwright_core::result::Encoded;

/// A layout in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredSolution {
    /// Orientation of the bays, and the names of the departments bay by bay.
    Layout(Orientation, Vec<Vec<String>>),
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
    /// Pairs that must not share a wall.
    pub apart: Vec<(String, String)>,
}

/// A stored layout with the present names of departments; `None` if the value is no layout.
pub fn renamed(solution: &Encoded, names: &FormerNames) -> Option<Encoded> {
    let StoredSolution::Layout(orientation, mut bays) = solution.decode()?;
    bays.iter_mut().flatten().for_each(|name| names.update("departments", name));
    Some(Encoded::of(&StoredSolution::Layout(orientation, bays)))
}

impl NamedRules {
    /// The rules with the present names of departments.
    pub fn renamed(mut self, names: &FormerNames) -> Self {
        let single = self.locks.iter_mut().map(|(name, ..)| name).chain(self.fixed.iter_mut().map(|(name, ..)| name));
        let of_pairs = self.apart.iter_mut().flat_map(|(one, other)| [one, other]);
        let around = self.around.iter_mut().flat_map(|StoredSolution::Layout(_, bays)| bays.iter_mut().flatten());
        single.chain(of_pairs).chain(around).for_each(|name| names.update("departments", name));
        self
    }

    /// Names the departments of rules of an instance.
    pub fn of(instance: &Instance, rules: &Rules) -> Self {
        let name = |at: u16| instance.departments.get(usize::from(at)).map_or_else(String::new, |one| one.name.clone());
        let around = |layout: &Layout| StoredSolution::Layout(layout.orientation, names(instance, layout));
        Self {
            locks: rules.locks.iter().map(|lock| (name(lock.department), lock.bay, lock.place)).collect(),
            fixed: rules.fixed.iter().map(|one| (name(one.department), one.rectangle, one.orientation)).collect(),
            around: rules.around.as_ref().map(around),
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
        let around = |StoredSolution::Layout(orientation, bays): &StoredSolution| {
            let bays = bays.iter().map(|bay| bay.iter().map(find).collect()).collect::<Option<Vec<Vec<u16>>>>()?;
            Some(Layout { orientation: *orientation, bays }).filter(|layout| layout.is_whole(instance.len()))
        };
        Rules {
            locks: self.locks.iter().filter_map(lock).collect(),
            fixed: self.fixed.iter().filter_map(fixed).collect(),
            around: self.around.as_ref().and_then(around),
            apart: self.apart.iter().filter_map(|(one, other)| Some((find(one)?, find(other)?))).collect(),
        }
    }
}

/// Names of the departments bay by bay; an index beyond the instance has an empty name.
pub fn names(instance: &Instance, layout: &Layout) -> Vec<Vec<String>> {
    let name = |&index: &u16| {
        instance.departments.get(usize::from(index)).map_or_else(String::new, |known| known.name.clone())
    };
    layout.bays.iter().map(|bay| bay.iter().map(name).collect()).collect()
}

/// Names every department of a layout.
pub(crate) fn encode(instance: &Instance, layout: &Layout) -> Encoded {
    Encoded::of(&StoredSolution::Layout(layout.orientation, names(instance, layout)))
}

/// A stored layout with department indices; departments may be missing or named twice: the checker reports that.
///
/// # Errors
/// A sentence that names the instance, if the value is no layout or names an unknown department.
pub fn decode(instance: &Instance, solution: &Encoded) -> Result<Layout, String> {
    let name = &instance.name;
    let Some(StoredSolution::Layout(orientation, bays)) = solution.decode() else {
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
    let bays = bays.iter().map(|bay| bay.iter().map(index).collect::<Result<Vec<u16>, String>>());
    Ok(Layout { orientation, bays: bays.collect::<Result<_, _>>()? })
}
