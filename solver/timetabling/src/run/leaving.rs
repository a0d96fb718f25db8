//! Runs on sessions that cannot hold all exams: which are left out, and the search for the others.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use super::Task;
use super::annealing::ejections;
use crate::annealing::board::Cell;
use crate::seating::leaving::{GoesOn, Remaining, weight};
use crate::seating::{SeatingModel, construct};
use crate::{Instance, Timetable};
use gridwright_core::random::Philox;
use gridwright_core::search::run::Run;

/// Share of a time limit after which no further exams are placed; the cost of the others needs the rest.
const SHARE: f64 = 0.6;

/// Exams of a session that are searched for, where others are left out.
pub(super) struct Part {
    /// Model of the exams that have a place.
    pub(super) model: SeatingModel,
    /// Model of all exams that have a period at all.
    whole: Remaining,
}

/// Result of the search for the exams that are left out.
pub(super) struct Placed {
    /// Timetable of the nodes of `whole`.
    timetable: Timetable,
    whole: Remaining,
    /// Rounds of the search.
    pub(super) rounds: u64,
}

/// Least weight of the exams that have no place: of a set of exams that all share students, each period holds one.
fn least_weight(instance: &Instance, left_out: impl Fn(usize) -> bool) -> u64 {
    let clique = instance.conflicts.greedy_clique();
    let mut weights: Vec<u64> = clique.into_iter().filter(|&exam| !left_out(exam)).map(weight(instance)).collect();
    weights.sort_unstable();
    let surplus = weights.len().saturating_sub(instance.period_count());
    weights[..surplus].iter().sum()
}

impl Task<'_> {
    /// Returns `true` if no timetable has a place for all exams: demands contradict each other, an exam has no period even in an
    /// empty timetable, or more exams exclude each other than there are periods.
    pub(super) fn is_impossible(&self) -> bool {
        let leaves_out = self.seating.as_ref().is_some_and(SeatingModel::leaves_out);
        self.impossible || leaves_out || self.instance.conflicts.greedy_clique().len() > self.instance.period_count()
    }

    /// Returns `true` if the time limit leaves time to find out which exams to leave out.
    pub(super) fn has_time_to_leave_out(&self, run: &Run<'_>) -> bool {
        run.time_limit().is_none_or(|limit| run.began.elapsed().as_secs_f64() < limit * SHARE)
    }

    /// Places as many students as possible, in as many rounds as a result has recorded, or while the time lasts.
    pub(super) fn place_most(&self, run: &Run<'_>) -> Placed {
        let instance = self.instance;
        let weight = weight(instance);
        let recorded = run.recorded().and_then(|plan| plan.rounds);
        let within = |share: f64| {
            let limit =
                run.time_limit().map(|limit| Duration::try_from_secs_f64(limit * share).unwrap_or(Duration::MAX));
            limit.map_or_else(
                || run.control.clone(),
                |limit| run.control.within(limit.saturating_sub(run.began.elapsed())),
            )
        };
        let controls = [within(SHARE), within(1.0)];
        let mut rounds = 0;
        let mut goes_on = |is_first: bool| {
            let is_in_time = !controls[usize::from(is_first)].is_interrupted();
            let goes_on = recorded.map_or(is_in_time, |most| rounds < most && !run.control.is_cancelled());
            rounds += u64::from(goes_on);
            goes_on
        };
        let whole = Remaining::of(instance, &weight, &mut goes_on);
        let weights = whole.weights(&weight);
        let least = least_weight(instance, |exam| whole.left_out.contains(&(exam as u16)));
        let timetable = match whole.model.fits::<i16>() {
            true => self.placed::<i16>(&whole, (&weights, least), run.seed, &mut goes_on),
            false => self.placed::<i32>(&whole, (&weights, least), run.seed, &mut goes_on),
        };
        Placed { timetable, whole, rounds }
    }

    /// Timetable of the nodes of `whole`; one that is to stay close to a reference timetable is a repair of that one.
    fn placed<C: Cell>(
        &self, whole: &Remaining, (weights, least): (&[u64], u64), seed: u64, goes_on: &mut GoesOn<'_>,
    ) -> Timetable {
        let philox = Philox::new(seed);
        let Some(reference) = &self.instance.rules.reference else {
            return whole.place_most::<C>(weights, least, philox, goes_on);
        };
        let reference = whole.model.reduce(&reference.timetable);
        let goes_on = RefCell::new(goes_on);
        let is_over = || !goes_on.borrow_mut()(true);
        construct::<C>(&whole.model, Some(&reference), philox, 0, ejections(self.instance), &is_over)
    }

    /// Timetable of all exams after [`Self::place_most`].
    pub(super) fn of_all(&self, placed: &Placed) -> Arc<Timetable> {
        placed.whole.model.expand(&Arc::new(placed.timetable.clone()))
    }

    /// The exams that have a place, to be searched for, and their timetable; `None` if there are fewer than two.
    pub(super) fn part_of(&self, placed: Placed) -> Option<(Part, Timetable)> {
        let all = self.of_all(&placed);
        let left_out = all.unplaced_exams();
        if left_out.len() + 2 > self.instance.exam_count() {
            return None;
        }
        let model = Remaining::without(self.instance, left_out.into_iter().map(|exam| exam as u16).collect()).model;
        let first = model.reduce(&all);
        Some((Part { model, whole: placed.whole }, first))
    }

    /// Timetable of all exams in which no exam is left over that has a place.
    pub(super) fn completed(&self, part: &Part, timetable: &Timetable) -> Arc<Timetable> {
        let weight = weight(self.instance);
        let mut nodes = part.whole.model.reduce(timetable);
        part.whole.complete(&mut nodes, &part.whole.weights(&weight), &|_| true);
        let mut completed = Timetable::clone(&part.whole.model.expand(&Arc::new(nodes)));
        part.whole.complete_related(self.instance, &mut completed, &weight);
        Arc::new(completed)
    }
}
