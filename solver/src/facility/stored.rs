//! Layouts and demands as result and project files name them: by the names of departments.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Instance, Layout, Orientation, Rules};
use crate::result::Encoded;

/// A layout in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredSolution {
    /// Orientation of the bays, and the names of the departments bay by bay.
    Layout(Orientation, Vec<Vec<String>>),
}

/// The demands under which a run searched, in a file; departments are counted as in the instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// Names of the departments bay by bay; an index beyond the instance has an empty name.
pub fn names(instance: &Instance, layout: &Layout) -> Vec<Vec<String>> {
    let name = |&index: &u16| {
        instance.departments.get(usize::from(index)).map_or_else(String::new, |known| known.name.clone())
    };
    layout.bays.iter().map(|bay| bay.iter().map(name).collect()).collect()
}

/// Names every department of a layout.
pub fn encode(instance: &Instance, layout: &Layout) -> Encoded {
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
