//! Evaluation of all insertion positions of a job where the user has rules for the order ([`crate::rules`]).
//!
//! Searches insert jobs into the *free sequence*, the order without pinned jobs. Its k-th job takes the k-th position that no pin takes,
//! so that pinned jobs keep their positions whatever is inserted before them; behind the end of a sequence that lacks jobs, pinned jobs
//! follow each other. Every position is evaluated from the unchanged beginning on, with the schedule of the whole order, for all
//! objectives, set-ups and working times. Pairs of jobs that stand against a rule cost more than any schedule; rules that follow from
//! others count, too, so that jobs that are still missing find a place.

use std::sync::Arc;

use super::setups::appended;
use super::{FlowShopProblem, Place, Tables};
use crate::Instance;

/// Search cost of a pair of jobs that stands against a rule.
pub(crate) const BROKEN: u64 = 1 << 57;

/// Largest number of such pairs that costs tell apart.
const MOST_BROKEN: usize = 63;

/// Position of a job that is not in the sequence.
const ABSENT: u32 = u32::MAX;

impl FlowShopProblem {
    /// Rules for the order; `None` if there are none.
    pub(crate) fn rules(&self) -> Option<&OrderRules> {
        self.rules.as_deref()
    }

    /// Jobs of an order that searches move, in their order, behind the jobs that have started: all but the pinned ones.
    pub(crate) fn movable(&self, order: &[u16]) -> Vec<u16> {
        let is_movable = |job: &u16| self.rules().is_none_or(|rules| !rules.is_pinned(*job));
        order.iter().copied().filter(is_movable).collect()
    }

    /// Whole order that jobs make which searches move ([`Self::movable`]): with the pinned ones in their positions.
    pub(crate) fn whole(&self, movable: Vec<u16>) -> Vec<u16> {
        self.rules().map(|rules| rules.merged(&movable)).unwrap_or(movable)
    }
}

/// The order of all jobs with a job that is not pinned where it costs least, and its search cost.
pub fn moved_to_best(problem: &FlowShopProblem, order: &[u16], job: u16) -> (Vec<u16>, u64) {
    let mut movable = problem.movable(order);
    movable.retain(|other| *other != job);
    let place = Tables::new(problem).insert(problem, &movable, job);
    movable.insert(place.position, job);
    (problem.whole(movable), place.cost)
}

/// Rules of an instance, laid out for the searches.
#[derive(Debug, Clone)]
pub(crate) struct OrderRules {
    /// Job that is pinned to each position; `None` for free positions.
    pinned: Vec<Option<u16>>,
    /// Positions without a pin, ascending.
    free: Vec<u32>,
    /// Position of each pinned job; [`ABSENT`] for the others.
    places: Vec<u32>,
    /// Jobs that must stand before each job, also by several rules together.
    before: Vec<Vec<u16>>,
    /// Jobs that must stand behind each job.
    behind: Vec<Vec<u16>>,
}

impl OrderRules {
    /// Rules of an instance; `None` if there are none.
    pub(super) fn of(instance: &Instance) -> Option<Arc<Self>> {
        let (rules, jobs) = (&instance.rules, instance.job_count());
        if rules.is_empty() {
            return None;
        }
        let (mut pinned, mut places) = (vec![None; jobs], vec![ABSENT; jobs]);
        // Jobs that have started keep their positions anyway.
        for pin in rules.pins.iter().filter(|pin| !instance.frozen.order.contains(&pin.job)) {
            let (job, position) = (usize::from(pin.job), usize::from(pin.position));
            if job < jobs && position < jobs {
                (pinned[position], places[job]) = (Some(pin.job), position as u32);
            }
        }
        let free = (0..jobs as u32).filter(|&position| pinned[position as usize].is_none()).collect();
        let pairs = rules.precedences.iter().map(|pair| [pair.first, pair.then]);
        let pairs: Vec<[u16; 2]> = pairs.filter(|pair| pair.iter().all(|&job| usize::from(job) < jobs)).collect();
        let mut before = vec![Vec::new(); jobs];
        for (job, before) in before.iter_mut().enumerate() {
            let mut reached = vec![job as u16];
            let mut at = 0;
            while let Some(&last) = reached.get(at) {
                let direct = pairs.iter().filter(|[_, then]| *then == last).map(|[first, _]| *first);
                let new: Vec<u16> = direct.filter(|first| !reached.contains(first)).collect();
                reached.extend(new);
                at += 1;
            }
            *before = reached.split_off(1);
        }
        let mut behind = vec![Vec::new(); jobs];
        for (job, before) in before.iter().enumerate() {
            before.iter().for_each(|&first: &u16| behind[usize::from(first)].push(job as u16));
        }
        Some(Self { pinned, free, places, before, behind }.into())
    }

    /// Returns `true` if a job is pinned.
    pub(crate) fn is_pinned(&self, job: u16) -> bool {
        self.places[usize::from(job)] != ABSENT
    }

    /// Job at a position of the whole order, where `rest` of the free sequence follows: the pinned one, or the first of the rest, which is
    /// taken out of it.
    fn next(&self, position: usize, rest: &mut &[u16]) -> Option<u16> {
        if let Some(job) = self.pinned.get(position).copied().flatten() {
            return Some(job);
        }
        let (&job, others) = rest.split_first()?;
        *rest = others;
        Some(job)
    }

    /// Whole order that a free sequence makes, with all pinned jobs.
    pub(crate) fn merged(&self, sequence: &[u16]) -> Vec<u16> {
        let mut rest = sequence;
        (0..self.pinned.len()).filter_map(|position| self.next(position, &mut rest)).collect()
    }

    /// Number of pairs of jobs with these positions that stand against a rule, of which one is `job`; pairs with `without` do not count.
    fn broken_of(&self, job: u16, without: Option<u16>, places: &[u32]) -> usize {
        let own = places[usize::from(job)];
        let counts = |other: &&u16| Some(**other) != without && places[usize::from(**other)] != ABSENT;
        let of = |jobs: &[u16], is_broken: &dyn Fn(u32) -> bool| {
            jobs.iter().filter(counts).filter(|other| is_broken(places[usize::from(**other)])).count()
        };
        let at = usize::from(job);
        of(&self.before[at], &|place| place > own) + of(&self.behind[at], &|place| place < own)
    }

    /// Number of pairs of jobs with these positions that stand against a rule.
    fn broken(&self, places: &[u32]) -> usize {
        let of = |(job, before): (usize, &Vec<u16>)| {
            let own = places[job];
            let is_broken = |first: &&u16| {
                let place = places[usize::from(**first)];
                own != ABSENT && place != ABSENT && place > own
            };
            before.iter().filter(is_broken).count()
        };
        self.before.iter().enumerate().map(of).sum()
    }

    /// Search cost of rules that an order of jobs does not meet.
    pub(super) fn cost(&self, order: &[u16]) -> u64 {
        let mut places = vec![ABSENT; self.places.len()];
        order.iter().enumerate().for_each(|(place, &job)| places[usize::from(job)] = place as u32);
        let is_elsewhere = |(own, place): (&u32, &u32)| *place != ABSENT && *own != ABSENT && own != place;
        let elsewhere = places.iter().zip(&self.places).filter(|&(own, place)| is_elsewhere((own, place))).count();
        penalty(self.broken(&places) + elsewhere)
    }
}

/// Search cost of pairs that stand against a rule.
fn penalty(broken: usize) -> u64 {
    broken.min(MOST_BROKEN) as u64 * BROKEN
}

/// Heads of one order; a buffer that is reused for order after order.
#[derive(Debug, Clone)]
pub(super) struct RuleTables {
    /// State of the machines behind the first k jobs of the whole order, row-major, (jobs + 1) × length of a state.
    heads: Vec<u32>,
    /// Search cost of the first k jobs of the whole order.
    sums: Vec<u64>,
    row: Vec<u32>,
    /// Position of each job in the whole order.
    places: Vec<u32>,
    /// Number of pairs that stand against a rule, by insertion position.
    broken: Vec<usize>,
}

impl RuleTables {
    pub(super) fn new(problem: &FlowShopProblem) -> Self {
        let (jobs, mut heads) = (problem.jobs(), problem.state());
        let width = heads.len();
        heads.resize((jobs + 1) * width, 0);
        let (places, broken) = (vec![ABSENT; jobs], vec![0; jobs + 1]);
        Self { heads, sums: vec![0; jobs + 1], row: vec![0; width], places, broken }
    }

    /// Implements [`super::Tables::insert_below`] for a free sequence; `costs` takes the costs of all positions, exact ones without a
    /// bound.
    #[inline(never)]
    pub(super) fn insert_below(
        &mut self, problem: &FlowShopProblem, rules: &OrderRules, sequence: &[u16], job: u16, bound: u64,
        costs: &mut [u64],
    ) -> Place {
        let costs = &mut costs[..=sequence.len()];
        let order = rules.merged(sequence);
        self.prepare(problem, &order);
        let first = problem.frozen().len().min(sequence.len());
        self.count_broken(rules, sequence, job, first);
        let mut least = u64::MAX;
        costs[..first].fill(u64::MAX);
        for position in first..=sequence.len() {
            let limit = if bound == u64::MAX { bound } else { bound.min(least.saturating_add(1)) };
            costs[position] = self.follow(problem, rules, (&order, &sequence[position..]), job, position, limit);
            least = least.min(costs[position]);
        }
        let position = costs.iter().position(|&cost| cost == least).unwrap_or(0);
        Place { position, cost: least }
    }

    /// Computes heads and costs of beginnings of a whole order.
    fn prepare(&mut self, problem: &FlowShopProblem, order: &[u16]) {
        let (width, mut last) = (problem.state_len(), None);
        for (number, &job) in order.iter().enumerate() {
            let (before, after) = self.heads[number * width..].split_at_mut(width);
            let row = &mut after[..width];
            row.copy_from_slice(before);
            let done = appended(problem, problem.setups(), row, last.replace(job), job);
            self.sums[number + 1] = problem.cost_with(self.sums[number], job, done);
        }
    }

    /// Counts the pairs that stand against a rule with the job in each position from `first` on. From one position to the next, the job
    /// and the one behind it change places.
    fn count_broken(&mut self, rules: &OrderRules, sequence: &[u16], job: u16, first: usize) {
        self.places.copy_from_slice(&rules.places);
        for (at, &other) in sequence.iter().enumerate() {
            self.places[usize::from(other)] = rules.free[at + usize::from(at >= first)];
        }
        self.places[usize::from(job)] = rules.free[first];
        self.broken[first] = rules.broken(&self.places);
        for (at, &other) in sequence.iter().enumerate().skip(first) {
            let both = |places: &[u32]| rules.broken_of(job, None, places) + rules.broken_of(other, Some(job), places);
            let before = both(&self.places);
            self.places.swap(usize::from(job), usize::from(other));
            self.broken[at + 1] = self.broken[at] + both(&self.places) - before;
        }
    }

    /// Search cost with the job before `rest` of the free sequence; any cost of at least `bound` if it is not below.
    fn follow(
        &mut self, problem: &FlowShopProblem, rules: &OrderRules, (order, mut rest): (&[u16], &[u16]), job: u16,
        position: usize, bound: u64,
    ) -> u64 {
        let (width, place) = (problem.state_len(), rules.free[position] as usize);
        self.row.copy_from_slice(&self.heads[place * width..][..width]);
        let (mut cost, mut last) = (self.sums[place], place.checked_sub(1).and_then(|at| order.get(at)).copied());
        let broken = penalty(self.broken[position]);
        let followers = (place + 1..rules.pinned.len()).filter_map(|position| rules.next(position, &mut rest));
        for next in std::iter::once(job).chain(followers) {
            let done = appended(problem, problem.setups(), &mut self.row, last.replace(next), next);
            cost = problem.cost_with(cost, next, done);
            if broken + cost >= bound {
                return broken + cost;
            }
        }
        broken + cost
    }
}
