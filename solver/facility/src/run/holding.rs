//! Others that follow a department which a person holds at a place of a layout with bays.
//!
//! The search begins with the layout in which the department was dropped. Other departments go to other places, first those that save
//! most, until no limit is exceeded and the cost is no greater than before, no department saves its price, or the work is done that an
//! answer may take; then pairs of departments are drawn. Limits and rules come before the cost. The answer is a function of the
//! question: work is counted in evaluations, no clock takes part.

mod kept;
mod repair;

use gridwright_core::moves::others_move;
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

use crate::check::{Verdict, Violation, check};
use crate::{Instance, Layout};
use repair::Repair;

/// Department that is held at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Index of the department.
    pub department: u16,
    /// Layout before with the department, and nothing else, where it is held; the department that it exchanges places with may lie
    /// elsewhere, too.
    pub dropped: Layout,
}

/// Layout in which a held department is where it is held.
#[derive(Debug, Clone, PartialEq)]
pub struct Rearranged {
    /// The layout.
    pub layout: Layout,
    /// Indices of the other departments that lie in another bay, or at another place among the departments of theirs, ascending.
    pub moved: Vec<u16>,
    /// Cost before, with the held department alone, and with others that follow.
    pub costs: [f64; 3],
}

impl Held {
    /// The department of a text such as `Saw=2:1` in its bay and place, which count from 1, of a layout with bays.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such department, bay or place.
    pub(crate) fn of(instance: &Instance, layout: &Layout, text: &str) -> Result<Self> {
        let (name, bay, place) = hold(text).map_err(Error::Usage)?;
        let department = department(instance, name)?;
        let mut bays = without(layout, department);
        let count = bays.len();
        if bay == count {
            bays.push(Vec::new());
        }
        let Some(target) = bays.get_mut(bay).filter(|target| place <= target.len()) else {
            let places = bays.get(bay).map_or(0, Vec::len) + 1;
            let what = match bay < count {
                true => format!("bay {} has places 1 to {places} for {}", bay + 1, quoted(name)),
                false => format!("there is no bay {}; bays are 1 to {}, the last one new", bay + 1, count + 1),
            };
            return Err(Error::Usage(what));
        };
        target.insert(place, department);
        Ok(Self { department, dropped: Layout::of_bays(layout.orientation, bays) })
    }
}

/// Index of the department of this name.
///
/// # Errors
/// [`Error::Usage`] if there is none.
pub(crate) fn department(instance: &Instance, name: &str) -> Result<u16> {
    let unknown = || Error::Usage(format!("{} has no department {}", instance.name, quoted(name)));
    instance.department_index(name).map(|department| department as u16).ok_or_else(unknown)
}

/// Bays without a department; a bay of its own is gone.
pub(crate) fn without(layout: &Layout, department: u16) -> Vec<Vec<u16>> {
    let others = |bay: &Vec<u16>| bay.iter().copied().filter(|&other| other != department).collect();
    let bays = layout.bays.iter().map(others);
    bays.filter(|bay: &Vec<u16>| !bay.is_empty()).collect()
}

/// The name of the department and the indices of bay and place in a text such as `Saw=2:1`.
///
/// # Errors
/// A sentence that says what is expected.
pub(crate) fn hold(text: &str) -> std::result::Result<(&str, usize, usize), String> {
    let expected = || {
        let what = "expected a department with its bay and its place there, counted from 1, such as Saw=2:1";
        format!("{what}, instead of {}", quoted(text))
    };
    let (name, place) = text.rsplit_once('=').ok_or_else(expected)?;
    let (bay, place) = place.split_once(':').ok_or_else(expected)?;
    let index = |text: &str| text.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    Ok((name.trim(), index(bay).ok_or_else(expected)?, index(place).ok_or_else(expected)?))
}

/// Looks for a layout with the department where it is held, in which nothing is broken that `layout` keeps and few other departments
/// lie elsewhere; random words are drawn from `seed`. `None` if there are no bays, if no such layout was found, and if the search `is_over`
/// before its end.
pub fn rearranged(
    instance: &Instance, layout: &Layout, held: &Held, seed: u64, is_over: &dyn Fn() -> bool,
) -> Option<Rearranged> {
    let count = instance.len();
    let is_sound = |layout: &Layout| !layout.is_free() && layout.is_whole(count);
    if ![layout, &held.dropped].into_iter().all(is_sound) || usize::from(held.department) >= count {
        return None;
    }
    let (before, alone) = (check(instance, layout), check(instance, &held.dropped));
    let found = match layout == &held.dropped {
        true => layout.clone(),
        false => Repair::new(instance, layout, held, &before)?.run(seed, is_over)?,
    };
    let after = check(instance, &found);
    breaks_nothing(&before, &after).then(|| Rearranged {
        moved: kept::moved(layout, &found, held.department),
        costs: [before.cost, alone.cost, after.cost],
        layout: found,
    })
}

/// True if every violation of a layout is one of the layout before.
fn breaks_nothing(before: &Verdict, after: &Verdict) -> bool {
    let is_alike =
        |one: &Violation, other: &Violation| (one.kind, &one.departments) == (other.kind, &other.departments);
    after.violations.iter().all(|broken| before.violations.iter().any(|former| is_alike(broken, former)))
}

impl Rearranged {
    /// Sentence without a full stop about the others: «2 other departments move: Saw to bay 3, Paint to bay 1».
    pub fn words(&self, instance: &Instance) -> String {
        let bay = |department: u16| {
            self.layout.bays.iter().position(|bay| bay.contains(&department)).map_or(0, |bay| bay + 1)
        };
        let to = |department: &u16| {
            format!("{} to bay {}", instance.departments[usize::from(*department)].name, bay(*department))
        };
        others_move("department", &self.moved, to)
    }
}

#[cfg(test)]
mod tests;
