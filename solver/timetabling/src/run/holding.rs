//! Room for an exam that a person holds in a period: other exams move out of its way.
//!
//! The exam is pinned, and the timetable is the one to stay close to, at prices that no exam outweighs by its own cost. Repairs
//! by ejection chains compete, and the one with the least cost and price is the answer. It is a function of the question: no
//! clock takes part.

use std::sync::Arc;

use super::Task;
use crate::annealing::AnnealingParameters;
use crate::around::{price_of_a_move, price_of_a_room};
use crate::check::check;
use crate::run::Algorithm;
use crate::{Instance, Timetable, UNPLACED};
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

/// Nodes that the ejection chains of a repair visit, at most: enough for a chain of a few exams, and soon done.
const VISITS: u32 = 500;

/// Exam that is held in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    /// Index of the exam.
    pub exam: usize,
    /// Index of the period.
    pub period: usize,
}

/// Timetable in which a held exam is where it is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rearranged {
    /// The timetable.
    pub timetable: Timetable,
    /// Indices of the other exams that are in another period, ascending.
    pub moved: Vec<usize>,
    /// Indices of the other exams that are in their period and in other rooms, ascending.
    pub reseated: Vec<usize>,
    /// Change of the raw cost.
    pub change: i64,
}

impl Held {
    /// The exam and period of a text such as `MAT101=5`, whose period counts from 1.
    ///
    /// # Errors
    /// [`Error::Usage`] if the session has no such exam or period.
    pub(crate) fn of(instance: &Instance, text: &str) -> Result<Self> {
        let (code, period) = hold(text).map_err(Error::Usage)?;
        let exam = instance.exam_codes().get(code);
        let exam = exam.ok_or_else(|| Error::Usage(format!("{} has no exam {}", instance.name, quoted(code))))?;
        if period >= instance.period_count() {
            let count = instance.period_count();
            return Err(Error::Usage(format!("there is no period {}; periods are 1 to {count}", period + 1)));
        }
        Ok(Self { exam, period })
    }
}

/// The code of the exam and the index of the period in a text such as `MAT101=5`.
///
/// # Errors
/// A sentence that says what is expected.
pub(crate) fn hold(text: &str) -> std::result::Result<(&str, usize), String> {
    let expected =
        || format!("expected an exam and a period counted from 1, such as MAT101=5, instead of {}", quoted(text));
    let (code, period) = text.rsplit_once('=').ok_or_else(expected)?;
    let period = period.trim().parse::<usize>().ok().and_then(|period| period.checked_sub(1));
    Ok((code.trim(), period.ok_or_else(expected)?))
}

/// Looks for a timetable with the exam where it is held, in which nothing is broken that `timetable` keeps and other exams
/// are elsewhere only at the price of a move; the best of `attempts` repairs, of which each draws from `seed`. `None` if none was found, if the
/// instance has no such place, and if the search `is_over` before its first repair.
///
/// # Errors
/// [`Error::Usage`] if the session has no periods yet.
pub fn rearranged(
    instance: &Instance, timetable: &Timetable, held: Held, effort: (u32, u64), is_over: &dyn Fn() -> bool,
) -> Result<Option<Rearranged>> {
    if held.exam >= instance.exam_count() || held.period >= instance.period_count() {
        return Ok(None);
    }
    let mut wanted = instance.clone();
    wanted.rules.pins.insert(held.exam as u16, held.period as u16);
    let Some(found) = repaired(&wanted, timetable, effort, is_over)? else { return Ok(None) };
    let is_held = found.period_of(held.exam) == Some(held.period);
    if !is_held || found.unplaced_exams().len() > timetable.unplaced_exams().len() {
        return Ok(None);
    }
    let broken = check(instance, &found).violations;
    let is_whole = broken.is_empty() || {
        let before = check(instance, timetable).violations;
        broken.iter().all(|broken| before.contains(broken))
    };
    Ok(is_whole.then(|| Rearranged::of(instance, timetable, found, held)))
}

/// A timetable under the demands of an instance that is as close as possible to another one, with as few exams as possible without
/// a place; the best of `attempts` repairs, of which each draws from `seed`. `None` if the search `is_over` before its first repair.
///
/// # Errors
/// [`Error::Usage`] if the session has no periods yet.
pub(super) fn repaired(
    instance: &Instance, timetable: &Timetable, (attempts, seed): (u32, u64), is_over: &dyn Fn() -> bool,
) -> Result<Option<Timetable>> {
    let weight = price_of_a_move(instance, timetable);
    let wanted = instance.around(timetable.clone(), weight, price_of_a_room(instance, weight));
    let task = Task::unexamined(&wanted, Algorithm::Annealing(AnnealingParameters::default()))?;
    let mut best: Option<((usize, u64), Timetable)> = None;
    for number in 0..attempts {
        let nodes = task.attempt_within(seed, number, VISITS, is_over);
        if is_over() {
            break;
        }
        let found = task.expand(&Arc::new(nodes));
        let open = found.unplaced_exams().len();
        let value = (open, wanted.objective(&found, found.cost(instance).proximity));
        if best.as_ref().is_none_or(|(least, _)| value < *least) {
            best = Some((value, Timetable::clone(&found)));
        }
    }
    Ok(best.map(|(_, found)| found))
}

impl Rearranged {
    fn of(instance: &Instance, before: &Timetable, timetable: Timetable, held: Held) -> Self {
        let others = |exam: &usize| *exam != held.exam;
        let pairs = timetable.periods.iter().zip(&before.periods).enumerate();
        let moved: Vec<usize> = pairs
            .filter(|(_, (now, then))| now != then && **then != UNPLACED)
            .map(|(exam, _)| exam)
            .filter(others)
            .collect();
        let rooms = timetable.rooms.iter().zip(&before.rooms).zip(instance.sittings());
        let mut reseated: Vec<usize> =
            rooms.filter(|((now, then), _)| now != then).map(|(_, sitting)| sitting.exam).filter(others).collect();
        reseated.dedup();
        reseated.retain(|exam| moved.binary_search(exam).is_err());
        let change = timetable.cost(instance).proximity as i64 - before.cost(instance).proximity as i64;
        Self { timetable, moved, reseated, change }
    }
}

#[cfg(test)]
pub(crate) mod tests;
