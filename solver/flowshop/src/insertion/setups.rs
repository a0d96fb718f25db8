//! Evaluation of all insertion positions of a job where machines have set-up times, or in real time ([`crate::real_time`]).
//!
//! For the makespan, heads e and tails q of the order without the job give all positions k in O(n·m) together. With s⁻ the set-up
//! times between the job before position k and the inserted one, and s⁺ those between the inserted one and the job behind it,
//!
//! ```text
//! f_{i,k} = max(f_{i−1,k}, e_{i,k−1} + s⁻_i) + p_{i,job},
//! makespan(k) = max(max_i (f_{i,k} + s⁺_i + q_{i,k}), max_{l ≥ k} (r_{π(l)} + q_{1,l})).
//! ```
//!
//! For the other objectives the schedule is recomputed from the insertion position on, until its cost exceeds a given one. Positions of
//! equal cost are ranked by the set-up time that they add.
//!
//! In real time breaks keep ends of schedules from being sums of heads and tails, so that this is done for the makespan, too, for the
//! positions that latest starts allow (`latest`). Without
//! set-ups no job is complete earlier for an insertion before it, and the cost of the rest without the insertion bounds what follows.
//!
//! Source: R. Ruiz, T. Stützle, «An Iterated Greedy heuristic for the sequence dependent setup times flowshop problem with makespan and
//! weighted tardiness objectives», European Journal of Operational Research 187(3), 2008.

use super::suffix::CostSum;
use super::{FlowShopProblem, Place};
use crate::real_time::Visits;
use crate::{Objective, Setups};

/// Latest times of one order as `latest` computes them; a buffer that is reused for order after order.
#[derive(Debug, Clone)]
pub(super) struct LatestStarts {
    /// S: latest time at which each machine must be ready for the job in each position, row-major, jobs × machines.
    pub(super) starts: Vec<u32>,
    /// D: latest ends of the position that is computed, by machine.
    pub(super) ends: Vec<u32>,
    /// First position from which all jobs behind it can keep the makespan below the bound.
    pub(super) first: usize,
    /// Largest makespan wanted.
    pub(super) most: u32,
}

/// Heads and tails of one order; a buffer that is reused for order after order.
#[derive(Debug, Clone)]
pub(super) struct SetupTables {
    /// e: completion of the k-th job on each machine, row-major, (jobs + 1) × machines; zeros for k = 0.
    heads: Vec<u32>,
    /// q: time from the start of position k (from 0) on each machine to the end, row-major, (jobs + 1) × machines.
    tails: Vec<u32>,
    /// Latest end that release dates force upon the jobs from position k on.
    released: Vec<u32>,
    /// Search cost of the first k jobs.
    sums: Vec<u64>,
    row: Vec<u32>,
    nothing: Vec<u32>,
}

/// Job at a position; `None` outside of the order.
fn at(order: &[u16], position: Option<usize>) -> Option<u16> {
    order.get(position?).copied()
}

impl SetupTables {
    pub(super) fn new(problem: &FlowShopProblem) -> Self {
        let (jobs, machines) = (problem.jobs(), problem.machines);
        Self {
            heads: vec![0; (jobs + 1) * machines],
            tails: vec![0; (jobs + 1) * machines],
            released: vec![0; jobs + 1],
            sums: vec![0; jobs + 1],
            row: vec![0; machines],
            nothing: vec![0; machines],
        }
    }

    /// Implements [`super::Tables::insert_below`]; `costs` takes the costs of all positions.
    ///
    /// Compiled once: the recurrence runs along the machines, so that SIMD instructions would not help.
    #[inline(never)]
    pub(super) fn insert_below(
        &mut self, problem: &FlowShopProblem, setups: &Setups, order: &[u16], job: u16, bound: u64, costs: &mut [u64],
    ) -> Place {
        let costs = &mut costs[..=order.len()];
        self.prepare(problem, setups, order);
        if problem.objective == Objective::Makespan {
            self.makespans(problem, setups, order, job, costs);
        } else {
            let positions = costs.iter_mut().enumerate();
            positions.for_each(|(position, cost)| *cost = self.follow(problem, setups, order, job, position, bound));
        }
        let cost = costs.iter().copied().min().unwrap_or(0);
        let ties = costs.iter().enumerate().filter(|(_, tied)| **tied == cost).map(|(position, _)| position);
        let position = ties.min_by_key(|&position| added(setups, order, job, position)).unwrap_or(0);
        Place { position, cost }
    }

    /// Computes heads, costs of beginnings and, for the makespan, tails of an order.
    fn prepare(&mut self, problem: &FlowShopProblem, setups: &Setups, order: &[u16]) {
        let machines = problem.machines;
        let mut last = None;
        for (number, &job) in order.iter().enumerate() {
            let (before, after) = self.heads[number * machines..].split_at_mut(machines);
            let mut done = problem.release[usize::from(job)];
            let between = setups.between(last.replace(job), job);
            for (((head, before), setup), time) in after.iter_mut().zip(before).zip(between).zip(problem.row(job)) {
                done = done.max(*before + setup) + time;
                *head = done;
            }
            let done = problem.completion(done);
            self.sums[number + 1] = self.sums[number].with(problem.objective, done, problem.due(job), u32::MAX);
        }
        if problem.objective != Objective::Makespan {
            return;
        }
        let length = order.len();
        self.tails[length * machines..][..machines].fill(0);
        self.released[length] = 0;
        for (number, &job) in order.iter().enumerate().rev() {
            let (tails, behind) = self.tails[number * machines..].split_at_mut(machines);
            let between = order.get(number + 1).map_or(&self.nothing[..], |&next| setups.between(Some(job), next));
            let mut left = 0;
            for (((tail, behind), setup), time) in tails.iter_mut().zip(behind).zip(between).zip(problem.row(job)).rev()
            {
                left = left.max(*behind + setup) + time;
                *tail = left;
            }
            let release = problem.release[usize::from(job)];
            let forced = if release == 0 { 0 } else { release + left };
            self.released[number] = self.released[number + 1].max(forced);
        }
    }

    fn makespans(&self, problem: &FlowShopProblem, setups: &Setups, order: &[u16], job: u16, costs: &mut [u64]) {
        let (machines, times) = (problem.machines, problem.row(job));
        for (position, cost) in costs.iter_mut().enumerate() {
            let arriving = setups.between(at(order, position.checked_sub(1)), job);
            let leaving = order.get(position).map_or(&self.nothing[..], |&next| setups.between(Some(job), next));
            let (heads, tails) = (&self.heads[position * machines..], &self.tails[position * machines..]);
            let (mut done, mut longest) = (problem.release[usize::from(job)], self.released[position]);
            let set_up = arriving.iter().zip(leaving);
            for (((&time, (&arriving, &leaving)), head), tail) in times.iter().zip(set_up).zip(heads).zip(tails) {
                done = done.max(head + arriving) + time;
                longest = longest.max(done + leaving + tail);
            }
            *cost = u64::from(longest);
        }
    }

    /// Search cost with the job in a position; any cost of at least `bound` if it is not below.
    fn follow(
        &mut self, problem: &FlowShopProblem, setups: &Setups, order: &[u16], job: u16, position: usize, bound: u64,
    ) -> u64 {
        let machines = problem.machines;
        self.row.copy_from_slice(&self.heads[position * machines..][..machines]);
        let (mut cost, mut last) = (self.sums[position], at(order, position.checked_sub(1)));
        for &next in std::iter::once(&job).chain(&order[position..]) {
            let done = appended(problem, Some(setups), &mut self.row, last.replace(next), next);
            cost = cost.with(problem.objective, problem.completion(done), problem.due(next), u32::MAX);
            if cost >= bound {
                return cost;
            }
        }
        cost
    }
}

/// Set-up time of all machines together that a job adds in a position, or saves if it is negative.
fn added(setups: &Setups, order: &[u16], job: u16, position: usize) -> i64 {
    let sum = |times: &[u32]| times.iter().map(|&time| i64::from(time)).sum::<i64>();
    let (before, after) = (at(order, position.checked_sub(1)), at(order, Some(position)));
    let with = sum(setups.between(before, job)) + after.map_or(0, |after| sum(setups.between(Some(job), after)));
    with - after.map_or(0, |after| sum(setups.between(before, after)))
}

/// Completion time of a job that follows `before` on all machines, whose state in `row` is replaced by the one behind it.
#[inline(always)]
pub(super) fn appended(
    problem: &FlowShopProblem, setups: Option<&Setups>, row: &mut [u32], before: Option<u16>, job: u16,
) -> u32 {
    if let Some(clocks) = &problem.clocks {
        let skips = problem.skips(job);
        if !skips.is_empty() {
            let visits = Visits { job, times: problem.row(job), skips, done: problem.done(job), setups };
            return clocks.append_visits(row, problem.release[usize::from(job)], visits);
        }
        let between = setups.map_or(&[][..], |setups| setups.between(before, job));
        return clocks.append(row, problem.release[usize::from(job)], problem.row(job), between);
    }
    if let Some(setups) = setups {
        row.iter_mut().zip(setups.between(before, job)).for_each(|(free, setup)| *free += setup);
    }
    let mut done = problem.release[usize::from(job)];
    for (free, time) in row.iter_mut().zip(problem.row(job)) {
        done = done.max(*free) + time;
        *free = done;
    }
    done
}

/// Heads of one order; a buffer that is reused for order after order.
#[derive(Debug, Clone)]
pub(super) struct ClockTables {
    /// State of the machines behind the first k jobs, row-major, (jobs + 1) × length of a state.
    heads: Vec<u32>,
    /// Search cost of the first k jobs.
    sums: Vec<u64>,
    row: Vec<u32>,
    latest: LatestStarts,
}

impl ClockTables {
    pub(super) fn new(problem: &FlowShopProblem) -> Self {
        let (jobs, mut heads) = (problem.jobs(), problem.state());
        let width = heads.len();
        heads.resize((jobs + 1) * width, 0);
        Self { heads, sums: vec![0; jobs + 1], row: vec![0; width], latest: LatestStarts::new(problem) }
    }

    /// Implements [`super::Tables::insert_below`]; `costs` takes the costs of all positions, exact ones without a bound.
    #[inline(never)]
    pub(super) fn insert_below(
        &mut self, problem: &FlowShopProblem, order: &[u16], job: u16, bound: u64, costs: &mut [u64],
    ) -> Place {
        let costs = &mut costs[..=order.len()];
        self.prepare(problem, order);
        let mut least = u64::MAX;
        let first = problem.frozen().len().min(order.len());
        costs[..first].fill(u64::MAX);
        let tells = bound != u64::MAX && self.latest.prepare(problem, order, bound);
        for (position, cost) in costs.iter_mut().enumerate().skip(first) {
            if tells && !self.is_allowed(problem, order, job, position) {
                *cost = bound;
                continue;
            }
            let limit = if bound == u64::MAX { bound } else { bound.min(least.saturating_add(1)) };
            *cost = self.follow(problem, order, job, position, limit);
            least = least.min(*cost);
        }
        if least == u64::MAX {
            return Place { position: first, cost: bound };
        }
        let ties = costs.iter().enumerate().filter(|(_, cost)| **cost == least).map(|(position, _)| position);
        let position = match problem.setups() {
            Some(setups) => ties.min_by_key(|&position| added(setups, order, job, position)),
            None => ties.min(),
        };
        Place { position: position.unwrap_or(0), cost: least }
    }

    /// Returns `true` if the latest starts allow a job in a position.
    fn is_allowed(&self, problem: &FlowShopProblem, order: &[u16], job: u16, position: usize) -> bool {
        let free = &self.heads[position * problem.state_len()..][..problem.machines];
        problem.clocks.as_ref().is_none_or(|clocks| self.latest.allows(problem, clocks, order, job, position, free))
    }

    /// Computes heads and costs of beginnings of an order.
    fn prepare(&mut self, problem: &FlowShopProblem, order: &[u16]) {
        let width = problem.state_len();
        for (number, &job) in order.iter().enumerate() {
            let (before, after) = self.heads[number * width..].split_at_mut(width);
            let row = &mut after[..width];
            row.copy_from_slice(before);
            let done = appended(problem, problem.setups(), row, at(order, number.checked_sub(1)), job);
            self.sums[number + 1] = problem.cost_with(self.sums[number], job, done);
        }
    }

    /// Search cost with the job in a position; any cost of at least `bound` if it is not below.
    fn follow(&mut self, problem: &FlowShopProblem, order: &[u16], job: u16, position: usize, bound: u64) -> u64 {
        let width = problem.state_len();
        self.row.copy_from_slice(&self.heads[position * width..][..width]);
        let (mut cost, mut last) = (self.sums[position], at(order, position.checked_sub(1)));
        let whole = self.sums[order.len()];
        let (is_sum, grows) = (problem.objective != Objective::Makespan, !problem.has_setups());
        for (number, &next) in std::iter::once(&job).chain(&order[position..]).enumerate() {
            let done = appended(problem, problem.setups(), &mut self.row, last.replace(next), next);
            cost = problem.cost_with(cost, next, done);
            let rest = if is_sum && grows { whole - self.sums[position + number] } else { 0 };
            if cost >= bound || cost + rest >= bound {
                return cost + rest;
            }
        }
        cost
    }
}
