//! Search for the jobs that follow a held one, and the places that they take.
//!
//! The *free* sequence is the order without the held job, and without pinned jobs where there are rules. Where there are none, the tables of
//! plain insertion serve: with the held job one position earlier they give the costs of the positions before it, and with the job in its
//! position those behind it.

use super::Held;
use crate::draws::Draws;
use crate::insertion::rules::BROKEN;
use crate::insertion::{FlowShopProblem, Place, Tables};
use crate::rules::Pin;
use crate::{Instance, Objective};
use gridwright_core::moves::displaced;
use gridwright_core::random::Philox;

/// Work of an answer in nanoseconds of [`work_of`].
const WORK: u64 = 50_000_000;

/// Largest number of insertions of an answer.
const INSERTIONS: u64 = 3_000;

/// Part of what holding the job costs that each other job must save which moves.
const SHARE: u64 = 16;

/// Largest number of other jobs that move, but for those that a rule makes move.
const MOST: usize = 10;

/// Largest number of jobs that are drawn and taken out together.
const DRAWN: usize = 3;

/// Purposes of the random words; see [`Philox::words`].
const CANDIDATES: u32 = 0x60;
const REMOVED: u32 = 0x61;

/// A free sequence with its search cost and the number of its jobs that have moved.
#[derive(Debug, Clone)]
struct Sequence {
    jobs: Vec<u16>,
    cost: u64,
    moved: usize,
}

/// Search around a held job.
pub(super) struct Repair {
    problem: FlowShopProblem,
    tables: Tables,
    held: u16,
    position: usize,
    /// Place of each job in the free sequence before.
    places: Vec<usize>,
    /// Search cost of the order before.
    target: u64,
    /// Price of a job that moves.
    price: u64,
    /// Work that is left.
    work: u64,
    /// Work of inserting a job.
    insertion: u64,
}

impl Repair {
    /// Prepares the search around a job in an order of all jobs.
    pub(super) fn new(instance: &Instance, order: &[u16], objective: Objective, held: Held) -> Self {
        let problem = FlowShopProblem::new(instance, objective);
        let target = problem.cost(order);
        let problem = if problem.rules().is_none() { problem } else { pinned(instance, objective, held) };
        let mut repair = Self {
            tables: Tables::new(&problem),
            held: held.job as u16,
            position: held.position,
            places: vec![0; order.len()],
            target,
            price: 1,
            work: WORK,
            insertion: work_of(instance, &problem).max(WORK / INSERTIONS),
            problem,
        };
        let free = repair.free(order);
        free.iter().enumerate().for_each(|(place, &job)| repair.places[usize::from(job)] = place);
        repair
    }

    /// The order in which others follow the held job; `dropped` has it in its position. `None` if the search `is_over`.
    pub(super) fn run(mut self, dropped: &[u16], seed: u64, is_over: &dyn Fn() -> bool) -> Option<Vec<u16>> {
        let mut best = self.sequence(self.free(dropped));
        self.price = (best.cost.saturating_sub(self.target) % BROKEN / SHARE).max(1);
        while !self.is_done(&best) && self.descend(&mut best, seed, is_over) {}
        let mut step = 0;
        while !self.is_done(&best) && !is_over() && best.jobs.len() > self.first() + 1 {
            self.draw_again(&mut best, seed, step);
            step += 1;
        }
        (!is_over()).then(|| self.whole(&best.jobs))
    }

    /// True if the order is no worse than before, or the work is done.
    fn is_done(&self, sequence: &Sequence) -> bool {
        sequence.cost <= self.target || self.work < self.insertion
    }

    /// Number of jobs that have started, which stay first.
    fn first(&self) -> usize {
        self.problem.frozen().len()
    }

    fn free(&self, order: &[u16]) -> Vec<u16> {
        self.problem.movable(order).into_iter().filter(|&job| job != self.held).collect()
    }

    fn whole(&self, free: &[u16]) -> Vec<u16> {
        match self.problem.rules() {
            Some(rules) => rules.merged(free),
            None => self.with_held(free, self.position),
        }
    }

    /// A sequence with the held job inserted.
    fn with_held(&self, jobs: &[u16], at: usize) -> Vec<u16> {
        let (before, behind) = jobs.split_at(at.min(jobs.len()));
        before.iter().copied().chain([self.held]).chain(behind.iter().copied()).collect()
    }

    fn sequence(&self, jobs: Vec<u16>) -> Sequence {
        let cost = self.problem.cost(&self.whole(&jobs));
        Sequence { moved: self.moved(&jobs), jobs, cost }
    }

    /// Number of free jobs that have another place among each other than before.
    fn moved(&self, jobs: &[u16]) -> usize {
        let places: Vec<usize> = jobs.iter().map(|&job| self.places[usize::from(job)]).collect();
        displaced(&places).len()
    }

    /// Search cost and prices.
    fn value(&self, sequence: &Sequence) -> u64 {
        sequence.cost + self.price * sequence.moved as u64
    }

    /// Takes a sequence over if it costs less, prices included, and does not move too many jobs.
    fn take(&self, best: &mut Sequence, next: Sequence) -> bool {
        let is_few = next.moved <= MOST || next.cost / BROKEN < best.cost / BROKEN;
        let is_better = is_few && self.value(&next) < self.value(best);
        if is_better {
            *best = next;
        }
        is_better
    }

    /// Best place in the free sequence for a job that `rest` lacks; `None` if no place costs less than `bound`.
    fn insert(&mut self, rest: &[u16], job: u16, bound: u64) -> Option<Place> {
        self.work = self.work.saturating_sub(self.insertion);
        if self.problem.rules().is_some() {
            let place = self.tables.insert_below(&self.problem, rest, job, bound);
            return Some(place).filter(|place| place.cost < bound);
        }
        let (first, position) = (self.first(), self.position);
        // A sequence from which several jobs are taken out may end before the position.
        let before = first..position.min(rest.len() + 1);
        let before = self.insert_around((rest, job, bound), (position.saturating_sub(1), 0), before);
        let behind = self.insert_around((rest, job, bound), (position, 1), position.max(first)..rest.len() + 1);
        before
            .into_iter()
            .chain(behind)
            .min_by_key(|place| (place.cost, place.position))
            .filter(|place| place.cost < bound)
    }

    /// Best of some places in the free sequence with the held job at a position of `rest`, which is `shift` before these places.
    fn insert_around(
        &mut self, (rest, job, bound): (&[u16], u16, u64), (at, shift): (usize, usize), places: std::ops::Range<usize>,
    ) -> Option<Place> {
        if places.is_empty() {
            return None;
        }
        // In real time a bound leaves out what is no better than another place, which may be none of these.
        let bound = if self.problem.has_clocks() { u64::MAX } else { bound };
        self.tables.insert_below(&self.problem, &self.with_held(rest, at), job, bound);
        let costs = self.tables.costs();
        let places = places.map(|position| Place { position, cost: costs[position + shift] });
        places.min_by_key(|place| place.cost)
    }

    /// The sequence with a job where it costs least; `None` if that is no better than `bound`.
    fn moved_to_best(&mut self, jobs: &[u16], job: u16, bound: u64) -> Option<Sequence> {
        let mut rest: Vec<u16> = jobs.iter().copied().filter(|&other| other != job).collect();
        let place = self.insert(&rest, job, bound)?;
        rest.insert(place.position, job);
        Some(Sequence { moved: self.moved(&rest), jobs: rest, cost: place.cost })
    }

    /// Moves the jobs that save most, one after the other; returns `false` if none saves its price.
    fn descend(&mut self, best: &mut Sequence, seed: u64, is_over: &dyn Fn() -> bool) -> bool {
        let mut gains = Vec::new();
        for job in self.candidates(best, seed) {
            if is_over() || self.work < self.insertion {
                break;
            }
            let next = self.moved_to_best(&best.jobs, job, best.cost);
            gains.extend(next.map(|next| (self.value(&next), job)).filter(|(value, _)| *value < self.value(best)));
        }
        gains.sort_unstable();
        let mut is_better = false;
        for (_, job) in gains {
            if self.is_done(best) {
                break;
            }
            if let Some(next) = self.moved_to_best(&best.jobs, job, best.cost) {
                is_better |= self.take(best, next);
            }
        }
        is_better
    }

    /// Jobs that may move: all, or as many as half of the work that is left allows, the nearest to the held job first.
    fn candidates(&self, sequence: &Sequence, seed: u64) -> Vec<u16> {
        let first = self.first().min(sequence.jobs.len());
        let mut jobs = sequence.jobs[first..].to_vec();
        let most = (self.work / 2 / self.insertion) as usize;
        if jobs.len() > most {
            let near = most / 2;
            let centre = self.position.saturating_sub(first + near / 2).min(jobs.len() - near);
            jobs.rotate_left(centre);
            Draws::new(Philox::new(seed), 0, 0, CANDIDATES).shuffle(&mut jobs[near..]);
            jobs.truncate(most);
        }
        jobs
    }

    /// Takes some jobs out that are drawn, inserts them where they cost least, and keeps the sequence if it is better.
    fn draw_again(&mut self, best: &mut Sequence, seed: u64, step: u64) {
        let mut drawn = Draws::new(Philox::new(seed), step, 0, REMOVED);
        let (first, mut rest) = (self.first(), best.jobs.clone());
        let count = (2 + drawn.below(DRAWN - 1)).min(rest.len() - first);
        let out: Vec<u16> = (0..count).map(|_| rest.remove(first + drawn.below(rest.len() - first))).collect();
        let mut cost = best.cost;
        for &job in &out {
            let Some(place) = self.insert(&rest, job, u64::MAX) else { return };
            rest.insert(place.position, job);
            cost = place.cost;
        }
        let next = Sequence { moved: self.moved(&rest), jobs: rest, cost };
        self.take(best, next);
    }
}

/// Work of inserting a job: nanoseconds of a thread, roughly, by the way in which places are evaluated.
fn work_of(instance: &Instance, problem: &FlowShopProblem) -> u64 {
    let (jobs, machines) = (problem.jobs() as u64, problem.machines as u64);
    let (swept, followed) = (2 * jobs * machines, jobs * jobs / 2 * machines);
    if problem.rules().is_some() {
        return 2 * followed;
    }
    let in_hours = if instance.has_clocks() { 3 } else { 1 };
    let table = match (problem.has_clocks(), problem.has_setups(), problem.objective) {
        (true, ..) => 8 * followed,
        (false, true, Objective::Makespan) => 5 * swept,
        (false, true, _) => 2 * followed,
        _ if problem.is_accelerated() => 2 * swept,
        _ => in_hours * (3 * swept + followed / 4),
    };
    // One table for the places before the held job, one for those behind it.
    2 * table.max(1)
}

/// Instance and objective with the held job pinned beside the rules of the instance.
fn pinned(instance: &Instance, objective: Objective, held: Held) -> FlowShopProblem {
    let mut wanted = instance.clone();
    wanted.rules.pins.retain(|pin| usize::from(pin.job) != held.job);
    wanted.rules.pins.push(Pin { job: held.job as u16, position: held.position as u16 });
    FlowShopProblem::new(&wanted, objective)
}
