//! Options of the command line for a layout to begin with and a department that is held at a place.

use std::path::Path;

use gridwright_core::numbers::quantity;
use gridwright_core::planning::beginning::solution_of_file;
use gridwright_core::problem::Overrides;
use gridwright_core::search::Budget;
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

use crate::memetic::MemeticParameters;
use crate::problem::Facility;
use crate::run::holding::{Held, department, hold, rearranged};
use crate::run::{Algorithm, Settings};
use crate::{Instance, Layout, Lock};

/// Name of the option for a layout to begin with.
pub(crate) const AROUND: &str = "around";

/// Name of the option for a department that is held at a place.
pub(crate) const HOLD: &str = "hold";

/// Islands of the run whose result is the layout to begin with: two for each orientation.
const ISLANDS: u32 = 4;

/// The instance with the held department locked to its place; `None` without one.
///
/// # Errors
/// [`Error::Usage`] for an unknown department, or one without a layout to begin with.
pub(crate) fn demanded(instance: &Instance, options: &Overrides) -> Result<Option<Instance>> {
    let Some(text) = options.text(HOLD) else { return Ok(None) };
    if options.text(AROUND).is_none() {
        let what = "a held department belongs to a layout to begin with; name it with --around FILE";
        return Err(Error::Usage(what.to_owned()));
    }
    let (name, bay, place) = hold(text).map_err(Error::Usage)?;
    let department = department(instance, name)?;
    let mut held = instance.clone();
    held.rules.release(department);
    held.rules.locks.push(Lock { department, bay: bay as u16, place: Some(place as u16) });
    held.rules.check(&held)?;
    Ok(Some(held))
}

/// Algorithm that can begin with a layout: the usual one, or the memetic algorithm, with few islands where the layout with a held department
/// is the result as it is.
pub(crate) fn requested_algorithm(
    instance: &Instance, options: &Overrides, budget: Option<Budget>,
) -> Option<Algorithm> {
    options.text(AROUND)?;
    let is_held = options.text(HOLD).is_some();
    if !is_held && matches!(Algorithm::for_instance(instance), Algorithm::Slicing(_)) {
        return None;
    }
    let mut parameters = MemeticParameters::default();
    if is_held && budget == Some(Budget::Steps(0)) {
        (parameters.islands, parameters.individuals) = (ISLANDS, 1);
    }
    Some(Algorithm::Memetic(parameters))
}

/// The layout to begin with, in which others follow a held department, and a remark about them; `None` without such options.
///
/// # Errors
/// Faults of the file; [`Error::Usage`] if no layout has the held department at its place.
pub(crate) fn beginning(
    instance: &Instance, settings: &Settings, options: &Overrides,
) -> Result<Option<(Layout, Vec<String>)>> {
    let Some(file) = options.text(AROUND) else { return Ok(None) };
    let layout = solution_of_file::<Facility>(instance, &settings.goal, Path::new(file))?;
    let Some(text) = options.text(HOLD) else { return Ok(Some((layout, Vec::new()))) };
    let held = Held::of(instance, &layout, text)?;
    let Some(found) = rearranged(instance, &layout, &held, settings.seed, &|| false) else {
        let name = quoted(&instance.departments[usize::from(held.department)].name);
        let what = format!("no layout was found with department {name} there that keeps what the layout keeps");
        return Err(Error::Usage(what));
    };
    let [before, alone, now] = found.costs.map(quantity);
    let told =
        format!("With {text}, {}; cost {now} instead of {before}, and {alone} without them", found.words(instance));
    Ok(Some((found.layout, vec![told])))
}
