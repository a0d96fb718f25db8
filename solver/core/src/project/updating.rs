//! Update of the data of a project, with its rules and edits.

use super::{Project, ProjectData};
use crate::data::{self, Dataset, Tables};
use crate::encoded::Encoded;
use crate::{Error, Result};

/// Demands for other data and remarks about what they are lost with, or why they cannot be read.
type Carried = std::result::Result<(Encoded, Vec<String>), String>;

/// Gives a project other data, to which rules and draft are carried over; returns remarks about what does not fit. `carry_demands`
/// gets the former and the new instance; `carry` finds the items of a solution in the new instance, which has them all as they are if it
/// returns `None` and `fits` is true.
///
/// # Errors
/// [`Error::Usage`] if the data are none of the problem, or if the present data or the rules cannot be read.
pub(crate) fn update<T: Tables>(
    project: &mut Project, data: &Dataset, carry_demands: impl Fn(&T, &T, &Encoded) -> Carried,
    carry: impl Fn(&T, &Encoded) -> Option<(Encoded, Vec<String>)>, fits: impl Fn(&T, &Encoded) -> bool,
) -> Result<Vec<String>> {
    let specs = T::TABLES;
    let stored = project.data.as_ref().map(|data| data.dataset(specs)).transpose().map_err(Error::Usage)?;
    let Some(present) = stored else {
        return Err(Error::Usage("it does not hold its data; open and save it in the window first".to_owned()));
    };
    let data = data::identified::<T>(data.clone(), &[&present]);
    let (from, to) = (data::open::<T>(&present)?, data::open::<T>(&data)?);
    let mut remarks = Vec::new();
    if let Some(demands) = &mut project.demands {
        let (carried, lost) = carry_demands(&from, &to, demands).map_err(Error::Usage)?;
        *demands = carried;
        remarks.extend(lost);
    }
    if let Some(draft) = &mut project.draft {
        let mut is_fitting = true;
        for solution in [&mut draft.base, &mut draft.solution] {
            if let Some((carried, lacks)) = carry(&to, solution) {
                *solution = carried;
                remarks.extend((!lacks.is_empty()).then(|| format!("the edits: {}", lacks.join(", "))));
            } else {
                is_fitting &= fits(&to, solution);
            }
        }
        remarks.dedup();
        if !is_fitting {
            remarks.push("the edits do not fit the new data and are left out".to_owned());
            project.draft = None;
        }
    }
    project.data = Some(ProjectData::Tables { data, specs });
    Ok(remarks)
}
