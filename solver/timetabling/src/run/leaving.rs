//! Runs on sessions that cannot hold all exams: which are left out, and the search for the others.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use super::Task;
use super::annealing::ejections;
use crate::annealing::board::Cell;
use crate::seating::cores::{core_around, lightest_hitting};
use crate::seating::leaving::{GoesOn, Remaining, weight};
use crate::seating::{SeatingModel, construct};
use crate::{Instance, Timetable};
use gridwright_core::random::Philox;
use gridwright_core::search::run::Run;

/// Share of a time limit after which no further exams are placed; the cost of the others needs the rest.
const SHARE: f64 = 0.6;

/// Largest number of exams without a place whose rules are left out on trial.
const ASKED: usize = 8;

/// Largest number of attempts to place as many students as possible.
const ATTEMPTS: u32 = 4_000;

/// Largest number of rounds, of 64 steps each, where steps instead of seconds limit a run.
const ROUNDS_OF_STEPS: u64 = 2_000;

/// Rounds of the search for a place without the rules of one exam.
const ROUNDS: usize = 32;

/// Largest number of exams of a session in which sets of exams that do not fit together are looked for.
const MOST_WITH_CORES: usize = 1_000;

/// Number of such sets from which on no further one is looked for.
const CORES: usize = 64;

/// Largest number of exams without a place around which sets are looked for at a time.
const ASKED_FOR_CORES: usize = 12;

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

    /// Places as many students as possible, in as many rounds as a result has recorded, while the time lasts, or, where steps
    /// limit the run, in at most [`ROUNDS_OF_STEPS`] rounds.
    pub(super) fn place_most(&self, run: &Run<'_>) -> Placed {
        let recorded = run.recorded().and_then(|plan| plan.rounds);
        let most = recorded.or(run.time_limit().is_none().then_some(ROUNDS_OF_STEPS));
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
            let goes_on = most.map_or(is_in_time, |most| rounds < most && !run.control.is_cancelled());
            rounds += u64::from(goes_on);
            goes_on
        };
        let again = recorded.is_some() || run.time_limit().is_some();
        let placed = self.placed_most(run.seed, again, &mut goes_on);
        Placed { rounds, ..placed }
    }

    /// As [`Self::place_most`], for as many rounds as `goes_on` allows; the caller counts these. With `again`, attempts follow
    /// each other until a bound proves that no exam more has a place; without, there is one.
    pub(super) fn placed_most(&self, seed: u64, again: bool, goes_on: &mut GoesOn<'_>) -> Placed {
        let instance = self.instance;
        let weight = weight(instance);
        let whole = Remaining::of(instance, &weight, goes_on);
        let weights = whole.weights(&weight);
        let least = least_weight(instance, |exam| whole.left_out.contains(&(exam as u16)));
        let open = |placed: &Placed| self.of_all(placed).unplaced_exams().into_iter().map(&weight).sum::<u64>();
        let never: u64 = whole.left_out.iter().map(|&exam| weight(exam.into())).sum();
        let attempt = |number: u32, goes_on: &mut GoesOn<'_>| {
            let timetable = match whole.model.fits::<i16>() {
                true => self.placed::<i16>(&whole, (&weights, least), (seed, number), goes_on),
                false => self.placed::<i32>(&whole, (&weights, least), (seed, number), goes_on),
            };
            let mut placed = Placed { timetable, whole: whole.clone(), rounds: 0 };
            while let Some(better) = self.without_rules_of_one(&placed, goes_on) {
                placed = better;
            }
            placed
        };
        let mut best = attempt(0, goes_on);
        if instance.rules.reference.is_some() {
            return best;
        }
        let proven = self.improve_by_cores(&mut best, goes_on).max(never + least);
        for number in 1..ATTEMPTS {
            let least_open = open(&best);
            if !again || least_open <= proven || !goes_on(false) {
                break;
            }
            let other = attempt(number, goes_on);
            if open(&other) < least_open {
                best = other;
            }
        }
        best
    }

    /// Looks for smallest sets of exams that do not fit together, leaves out the lightest exams that hit all of them, and goes on
    /// with the exams that then have no place. Keeps the best timetable, and returns a lower bound on the weight of the exams
    /// that no timetable has a place for.
    fn improve_by_cores(&self, best: &mut Placed, goes_on: &mut GoesOn<'_>) -> u64 {
        let instance = self.instance;
        let weight = weight(instance);
        let open = |all: &Timetable| all.unplaced_exams().into_iter().map(&weight).sum::<u64>();
        let mut candidate = self.of_all(best);
        let (mut sets, mut bound): (Vec<Vec<usize>>, u64) = (Vec::new(), 0);
        let (mut known, is_small) = (sets.len(), instance.exam_count() <= MOST_WITH_CORES);
        while is_small && sets.len() < CORES && open(&self.of_all(best)) > bound {
            let is_placed = |exam: usize| candidate.period_of(exam).is_some();
            for exam in candidate.unplaced_exams().into_iter().take(ASKED_FOR_CORES) {
                if !goes_on(false) {
                    return bound;
                }
                sets.extend(core_around(instance, exam, &is_placed).filter(|set| !sets.contains(set)));
            }
            let Some((least, left_out)) = lightest_hitting(&sets, &weight).filter(|_| sets.len() > known) else {
                break;
            };
            (known, bound) = (sets.len(), bound.max(least));
            let whole = Remaining::without(instance, left_out.into_iter().map(|exam| exam as u16).collect());
            let timetable = whole.place_more(&whole.weights(&weight), &candidate, ROUNDS, goes_on);
            let found = Placed { timetable, whole, rounds: 0 };
            candidate = self.of_all(&found);
            if open(&candidate) < open(&self.of_all(best)) {
                *best = found;
            }
        }
        bound
    }

    /// A timetable with more exams, or students, than `placed` in which an exam without a place is left out together with its
    /// rules: these keep other exams out of periods, or together with it. `None` if there is none for the first few such exams.
    fn without_rules_of_one(&self, placed: &Placed, goes_on: &mut GoesOn<'_>) -> Option<Placed> {
        let instance = self.instance;
        let weight = weight(instance);
        let open = |all: &Timetable| all.unplaced_exams().into_iter().map(&weight).sum::<u64>();
        let all = self.of_all(placed);
        let is_asked = |&exam: &usize| {
            let is_in_model = !placed.whole.left_out.contains(&(exam as u16));
            is_in_model && instance.rules.relations_of(exam).next().is_some()
        };
        let mut asked: Vec<usize> = all.unplaced_exams().into_iter().filter(is_asked).collect();
        if instance.rules.reference.is_some() || all.unplaced_exams().len() < 2 {
            return None;
        }
        asked.sort_by_key(|&exam| (weight(exam), exam));
        asked.truncate(ASKED);
        asked.into_iter().find_map(|exam| {
            let left_out = placed.whole.left_out.iter().copied().chain([exam as u16]).collect();
            let whole = Remaining::without(instance, left_out);
            let timetable = whole.place_more(&whole.weights(&weight), &all, ROUNDS, goes_on);
            let found = Placed { timetable, whole, rounds: 0 };
            (open(&self.of_all(&found)) < open(&all)).then_some(found)
        })
    }

    /// Timetable of the nodes of `whole`; one that is to stay close to a reference timetable is a repair of that one.
    fn placed<C: Cell>(
        &self, whole: &Remaining, (weights, least): (&[u64], u64), (seed, attempt): (u64, u32),
        goes_on: &mut GoesOn<'_>,
    ) -> Timetable {
        let Some(reference) = &self.instance.rules.reference else {
            return whole.place_most::<C>(weights, least, (seed, attempt), goes_on);
        };
        let reference = whole.model.reduce(&reference.timetable);
        let goes_on = RefCell::new(goes_on);
        let is_over = || !goes_on.borrow_mut()(true);
        construct::<C>(&whole.model, Some(&reference), Philox::new(seed), 0, ejections(self.instance), &is_over)
    }

    /// Timetable of all exams after [`Self::place_most`].
    pub(super) fn of_all(&self, placed: &Placed) -> Arc<Timetable> {
        placed.whole.model.expand(&Arc::new(placed.timetable.clone()))
    }

    /// The exams that have a place, to be searched for, and their timetable; `None` if there are fewer than two, or one period only.
    pub(super) fn part_of(&self, placed: Placed) -> Option<(Part, Timetable)> {
        let all = self.of_all(&placed);
        let left_out = all.unplaced_exams();
        if !self.is_searchable(&all) {
            return None;
        }
        let model = Remaining::without(self.instance, left_out.into_iter().map(|exam| exam as u16).collect()).model;
        let first = model.reduce(&all);
        Some((Part { model, whole: placed.whole }, first))
    }

    /// Timetable of all exams in which no exam is left over that has a place.
    pub(super) fn completed(&self, part: &Part, timetable: &Timetable) -> Arc<Timetable> {
        self.complete(&part.whole, timetable)
    }

    /// Returns `true` if these exams with a place can be searched for: at least two, in more than one period.
    fn is_searchable(&self, all: &Timetable) -> bool {
        all.unplaced_exams().len() + 2 <= self.instance.exam_count() && self.instance.period_count() > 1
    }

    /// Timetable of all exams after [`Self::place_most`], completed if it is the result.
    pub(super) fn result_of(&self, placed: &Placed) -> Arc<Timetable> {
        let all = self.of_all(placed);
        if self.is_searchable(&all) { all } else { self.complete(&placed.whole, &all) }
    }

    fn complete(&self, whole: &Remaining, timetable: &Timetable) -> Arc<Timetable> {
        let weight = weight(self.instance);
        let mut nodes = whole.model.reduce(timetable);
        whole.complete(&mut nodes, &whole.weights(&weight), &|_| true);
        let mut completed = Timetable::clone(&whole.model.expand(&Arc::new(nodes)));
        whole.complete_related(self.instance, &mut completed, &weight);
        Arc::new(completed)
    }
}
