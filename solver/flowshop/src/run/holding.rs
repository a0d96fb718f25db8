//! Others that follow a job which a person holds in a position.
//!
//! The held job is put into its position, and other jobs are taken out and inserted again, first the one that saves most, until the
//! objective is no worse than before, no job saves its price, or the work is done that an answer may take. Then several jobs at a time
//! are drawn, taken out and inserted. The price of a job that moves is a share of what holding the job costs, so that few move. The answer
//! is a function of the question: work is counted in operations, no clock takes part.

mod repair;

use std::collections::HashSet;

use gridwright_core::moves::others_move;
use gridwright_core::numbers::count_change;
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

use crate::check::check;
use crate::comparison::moves;
use crate::{Instance, Objective};
use repair::Repair;

/// Job that is held in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    /// Index of the job.
    pub job: usize,
    /// Position, counted from 0.
    pub position: usize,
}

/// Order in which a held job is where it is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rearranged {
    /// The order of all jobs.
    pub order: Vec<u16>,
    /// Indices of the other jobs that have another place among the others, by their former position. Pinned jobs keep their positions
    /// and are none of them.
    pub moved: Vec<u16>,
    /// Change of the objective.
    pub change: i64,
}

impl Held {
    /// The job and position of a text such as `FA-104=3`, whose position counts from 1.
    ///
    /// # Errors
    /// [`Error::Usage`] if the flow shop has no such job or position.
    pub(crate) fn of(instance: &Instance, text: &str) -> Result<Self> {
        let (name, position) = hold(text).map_err(Error::Usage)?;
        let unknown = || Error::Usage(format!("{} has no job {}", instance.name, quoted(name)));
        let job = instance.job_index(name).ok_or_else(unknown)?;
        let count = instance.job_count();
        if position >= count {
            return Err(Error::Usage(format!("there is no position {}; positions are 1 to {count}", position + 1)));
        }
        Ok(Self { job, position })
    }
}

/// The name of the job and the index of the position in a text such as `FA-104=3`.
///
/// # Errors
/// A sentence that says what is expected.
pub(crate) fn hold(text: &str) -> std::result::Result<(&str, usize), String> {
    let expected =
        || format!("expected a job and a position counted from 1, such as FA-104=3, instead of {}", quoted(text));
    let (name, position) = text.rsplit_once('=').ok_or_else(expected)?;
    let position = position.trim().parse::<usize>().ok().and_then(|position| position.checked_sub(1));
    Ok((name.trim(), position.ok_or_else(expected)?))
}

/// Looks for an order with the job where it is held, in which nothing is broken that `order` keeps and few other jobs have another
/// place; random words are drawn from `seed`. `None` if the job cannot be there, if `order` is not one of all jobs, if it would
/// break a rule, and if the search `is_over` before its end.
pub fn rearranged(
    instance: &Instance, order: &[u16], objective: Objective, held: Held, seed: u64, is_over: &dyn Fn() -> bool,
) -> Option<Rearranged> {
    let before = check(instance, order);
    let from = order.iter().position(|&job| usize::from(job) == held.job)?;
    let value = before.value(objective)?;
    if order.len() != instance.job_count() || held.position >= order.len() {
        return None;
    }
    let dropped = instance.rules.moved(order, [from, held.position]);
    if usize::from(dropped[held.position]) != held.job {
        return None;
    }
    let found = match from == held.position {
        true => order.to_vec(),
        false => Repair::new(instance, order, objective, held).run(&dropped, seed, is_over)?,
    };
    let after = check(instance, &found);
    let kept: HashSet<_> =
        before.violations.iter().map(|violation| (violation.kind.as_ref(), &violation.text)).collect();
    let is_whole = after.violations.iter().all(|broken| kept.contains(&(broken.kind.as_ref(), &broken.text)));
    let change = after.value(objective)? as i64 - value as i64;
    is_whole.then(|| Rearranged { moved: moved(instance, order, &found, held), order: found, change })
}

impl Rearranged {
    /// Sentence without a full stop: «2 other jobs move: FA-102 to position 7, FA-110 to position 3; makespan +12».
    pub fn words(&self, instance: &Instance, objective: Objective) -> String {
        let position = |job: u16| self.order.iter().position(|&other| other == job).map_or(0, |at| at + 1);
        let to = |job: &u16| format!("{} to position {}", instance.jobs[usize::from(*job)].name, position(*job));
        let label = objective.label_in(instance).to_lowercase();
        let change = match (self.change, objective) {
            (0, _) => format!("{label} unchanged"),
            (change, Objective::Tardy) => format!("{label} {}", count_change(change)),
            (more, _) if more > 0 => format!("{label} +{}", instance.span(more)),
            (less, _) => format!("{label} {}", instance.span(less)),
        };
        format!("{}; {change}", others_move("job", &self.moved, to))
    }
}

/// Other jobs that have another place among the jobs that are neither held nor pinned, by their former position.
fn moved(instance: &Instance, before: &[u16], after: &[u16], held: Held) -> Vec<u16> {
    let is_free = |job: &u16| usize::from(*job) != held.job && instance.rules.pinned((*job).into()).is_none();
    // The others stand behind the free jobs in an order of their own, so that none of them counts.
    let compared = |order: &[u16]| -> Vec<u16> {
        let rest = (0..order.len() as u16).filter(|job| !is_free(job));
        order.iter().copied().filter(is_free).chain(rest).collect()
    };
    moves(&compared(before), &compared(after)).into_iter().map(|moved| moved.job).collect()
}

#[cfg(test)]
mod tests;
