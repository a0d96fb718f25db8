//! Evaluation of all insertion positions of one job: the move shared by NEH and iterated greedy.
//!
//! For the makespan without release dates, heads e and tails q of the order without the job give all positions k in
//! O(n·m) together (E. Taillard, «Some efficient heuristic methods for the flow shop sequencing problem», European
//! Journal of Operational Research 47(1), 1990):
//!
//! ```text
//! f_{i,k} = max(f_{i−1,k}, e_{i,k−1}) + p_{i,job},      makespan(k) = max_i (f_{i,k} + q_{i,k}).
//! ```
//!
//! For the other objectives the schedule is recomputed from the insertion position on, for `FOLLOWED` positions side by
//! side: lane l inserts the job l positions later than lane 0 and then runs one position behind lane l − 1, so that all
//! lanes read neighbouring entries. A lower bound stops the sweep once no lane can beat a given cost.
//!
//! Set-up times between jobs, working times of machines and weights of jobs are evaluated by `setups`, rules for the order by `rules`.
//!
//! Positions of equal makespan are ranked by the idle time they add: V. Fernandez-Viagas, J. M. Framinan, «On insertion
//! tie-breaking rules in heuristics for the permutation flowshop scheduling problem», Computers & Operations Research
//! 45, 2014.

mod filling;
mod latest;
pub(crate) mod rules;
mod setups;
mod suffix;

use std::sync::Arc;

use super::frozen::{self, FrozenJobs};
use super::real_time::{MachineClocks, WorkingTime};
use super::{Instance, Objective, Setups};
pub use rules::moved_to_best;
use rules::{OrderRules, RuleTables};
use setups::{ClockTables, SetupTables, appended};
use suffix::{CostSum, FOLLOWED, SuffixTables, joined, lanes, most_of_a_sum};
pub(crate) use suffix::{LANES, TARDY};

/// One value per position of a block of [`LANES`] consecutive positions.
type Lanes = [u32; LANES];

/// One value per position that is followed; it lies within a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Followed([u32; FOLLOWED]);

/// An instance with one objective, laid out for the searches.
#[derive(Debug, Clone)]
pub struct FlowShopProblem {
    /// Number of machines.
    pub machines: usize,
    /// Objective to be minimised.
    pub objective: Objective,
    times: Vec<u32>,
    due: Vec<u32>,
    release: Vec<u32>,
    setups: Option<Arc<Setups>>,
    clocks: Option<Arc<MachineClocks>>,
    /// Working time that all machines share; then `clocks` is `None`, and release dates and schedules are in working time.
    worked: Option<Arc<WorkingTime>>,
    /// True for machines that a job does not visit, laid out like `times`; empty if every job visits all machines.
    skips: Arc<[bool]>,
    /// Jobs that stand first in every order.
    frozen: FrozenJobs,
    /// Job that each machine is set up for at the beginning.
    set_up_for: Vec<Option<u16>>,
    /// Rules for the order; `None` if there are none.
    rules: Option<Arc<OrderRules>>,
    /// Weights of the tardiness; empty if all are 1.
    weights: Arc<[u32]>,
    accelerated: bool,
    /// True if sums over the jobs of any order fit into 32 bits.
    narrow: bool,
}

impl FlowShopProblem {
    /// Copies the data of an instance; jobs without a due date are never late.
    pub fn new(instance: &Instance, objective: Objective) -> Self {
        let worked = shared_hours(instance);
        let in_working_time = |time| worked.as_ref().map_or(time, |hours| hours.worked_by(time));
        let release: Vec<u32> = instance.jobs.iter().map(|job| in_working_time(job.release)).collect();
        let clocks = instance.clocks.clone().filter(|_| worked.is_none());
        Self {
            machines: instance.machine_count(),
            objective,
            times: instance.times.clone(),
            narrow: objective != Objective::Tardy
                && most_of_a_sum(instance, worked.as_deref()) <= u128::from(u32::MAX / 4),
            due: instance.jobs.iter().map(|job| job.due.unwrap_or(u32::MAX)).collect(),
            accelerated: objective == Objective::Makespan
                && release.iter().all(|&release| release == 0)
                && instance.setups.is_none()
                && clocks.is_none()
                && instance.rules.is_empty(),
            rules: OrderRules::of(instance),
            setups: instance.setups.clone(),
            clocks,
            worked,
            skips: Arc::clone(&instance.skips),
            frozen: instance.frozen.clone(),
            set_up_for: frozen::set_up_for(instance),
            weights: Arc::clone(&instance.weights),
            release,
        }
    }

    /// Number of jobs.
    pub fn jobs(&self) -> usize {
        self.due.len()
    }

    /// Processing times of a job, indexed by machine; length m.
    #[inline(always)]
    pub fn row(&self, job: u16) -> &[u32] {
        &self.times[usize::from(job) * self.machines..][..self.machines]
    }

    pub(crate) fn mean_time(&self) -> f64 {
        let sum: u64 = self.times.iter().map(|&time| u64::from(time)).sum();
        sum as f64 / self.times.len().max(1) as f64
    }

    /// Returns `true` if Taillard's acceleration without set-ups applies: makespan without release dates, set-ups and working times.
    pub fn is_accelerated(&self) -> bool {
        self.accelerated
    }

    /// Vector operations, roughly, of inserting a job into an order of `inserted` jobs: O(n·m) with acceleration, else
    /// the remaining jobs follow from every position.
    pub(crate) fn insertion_work(&self, inserted: usize) -> u64 {
        let (jobs, machines) = (inserted as u64 + 1, self.machines as u64);
        let swept = jobs * machines * 2;
        if self.clocks.is_some() || self.rules.is_some() {
            // Every operation is looked up in the working times, without SIMD.
            swept + jobs * jobs / 2 * machines * 4
        } else if self.accelerated || (self.has_setups() && self.objective == Objective::Makespan) {
            swept
        } else {
            swept + jobs * jobs / 2 * machines / FOLLOWED as u64
        }
    }

    /// Set-up times between jobs; `None` if there are none.
    pub fn setups(&self) -> Option<&Setups> {
        self.setups.as_deref()
    }

    /// Returns `true` if there are set-up times.
    pub(crate) fn has_setups(&self) -> bool {
        self.setups.is_some()
    }

    /// Returns `true` if machines have ready times, transport after them, or working times that they do not all share.
    pub(crate) fn has_clocks(&self) -> bool {
        self.clocks.is_some()
    }

    /// Returns `true` if the recurrence is that of an instance without set-ups, rules and working times, as devices compute it.
    pub(crate) fn fits_devices(&self) -> bool {
        let in_time = self.worked.is_none() || self.objective == Objective::Makespan;
        in_time && self.clocks.is_none() && self.rules.is_none() && self.setups.is_none()
    }

    /// Time at which a job completes whose completion the recurrence gives. The makespan stays in working time, which ranks schedules
    /// as time does.
    #[inline(always)]
    fn completion(&self, done: u32) -> u32 {
        match &self.worked {
            Some(hours) if self.objective != Objective::Makespan => hours.passed(done),
            _ => done,
        }
    }

    /// State of the machines before all jobs: times from which they can be used and, where jobs that do not visit all machines are set up
    /// for, the job that each machine is set up for (`MachineClocks::append_visits`).
    fn state(&self) -> Vec<u32> {
        let mut state = self.clocks.as_ref().map_or_else(|| vec![0; self.machines], |clocks| clocks.ready().collect());
        if self.state_len() > self.machines {
            state.extend(self.set_up_for.iter().map(|job| job.map_or(0, |job| u32::from(job) + 1)));
        }
        state
    }

    /// Length of [`Self::state`].
    fn state_len(&self) -> usize {
        if self.has_setups() && !self.skips.is_empty() { 2 * self.machines } else { self.machines }
    }

    /// Jobs that stand first in every order, in their order.
    pub(crate) fn frozen(&self) -> &[u16] {
        &self.frozen.order
    }

    /// Work of a job that is done, by machine; empty if no job has started.
    fn done(&self, job: u16) -> &[u32] {
        let first = usize::from(job) * self.machines;
        self.frozen.done.get(first..first + self.machines).unwrap_or_default()
    }

    /// True for machines that a job does not visit; empty if every job visits all machines.
    fn skips(&self, job: u16) -> &[bool] {
        let first = usize::from(job) * self.machines;
        self.skips.get(first..first + self.machines).unwrap_or_default()
    }

    /// Search cost of some jobs and one more for which the recurrence gives `done`, also where jobs have weights or overtake each other.
    #[inline(always)]
    fn cost_with(&self, cost: u64, job: u16, done: u32) -> u64 {
        let done = self.completion(done);
        match self.objective {
            Objective::Tardiness => {
                let weight = self.weights.get(usize::from(job)).copied().unwrap_or(1);
                cost + u64::from(weight) * u64::from(done.saturating_sub(self.due(job)))
            }
            Objective::Makespan => cost.max(done.into()),
            objective => cost.with(objective, done, self.due(job), u32::MAX),
        }
    }

    /// Due date of a job; `u32::MAX` if it has none.
    pub fn due(&self, job: u16) -> u32 {
        self.due[usize::from(job)]
    }

    /// Processing times, row-major, jobs × machines.
    pub fn times(&self) -> &[u32] {
        &self.times
    }

    /// Release date of every job.
    pub fn releases(&self) -> &[u32] {
        &self.release
    }

    /// Converts a search cost to the objective's value: the number of tardy jobs without the tardiness added to it, or the time that the
    /// working time of a schedule takes.
    pub fn shown(&self, cost: u64) -> u64 {
        match (self.objective, &self.worked) {
            (Objective::Tardy, _) => cost / TARDY,
            (Objective::Makespan, Some(hours)) => u32::try_from(cost).map_or(cost, |cost| hours.passed(cost).into()),
            _ => cost,
        }
    }

    /// Search cost of an order, computed job by job in O(n·m).
    pub fn cost(&self, order: &[u16]) -> u64 {
        let (mut row, mut last) = (self.state(), None);
        let broken = self.rules().map_or(0, |rules| rules.cost(order));
        let cost = order.iter().fold(0_u64, |cost, &job| {
            let done = appended(self, self.setups.as_deref(), &mut row, last.replace(job), job);
            self.cost_with(cost, job, done)
        });
        broken + cost
    }
}

/// Working time of all machines of an instance whose schedules can be computed in it alone.
pub(crate) fn shared_hours(instance: &Instance) -> Option<Arc<WorkingTime>> {
    let is_plain = instance.rules.is_empty()
        && instance.frozen.order.is_empty()
        && instance.skips.is_empty()
        && instance.weights.is_empty();
    // A job without work ends at its release date, in a break, too.
    let has_work = |job: usize| {
        instance.times[job * instance.machine_count()..][..instance.machine_count()].iter().any(|&time| time > 0)
    };
    let hours = instance.clocks.as_ref()?.common()?;
    (is_plain && (0..instance.job_count()).all(has_work)).then(|| Arc::clone(hours))
}

/// Best insertion position of a job, with the search cost it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Insertion position: number of jobs before the inserted one.
    pub position: usize,
    /// Search cost of the order with the job in that position.
    pub cost: u64,
}

/// Heads, tails and position costs of one order; a buffer that is reused for order after order.
#[derive(Debug, Clone)]
pub struct Tables {
    /// e_{i,k} in lane k % [`LANES`] of entry (k / LANES)·machines + i: completion of the k-th job on machine i; zeros
    /// for k = 0.
    heads: Vec<Lanes>,
    /// q_{i,k}, laid out like `heads`: time from the start of position k (from 0) on machine i to the end of the
    /// schedule.
    tails: Vec<Lanes>,
    /// sums[k]: search cost of the first k jobs.
    sums: Vec<u64>,
    /// costs[k]: search cost with the job in position k.
    costs: Vec<u64>,
    row: Vec<u32>,
    side_by_side: Vec<Followed>,
    behind: SuffixTables,
    /// Used instead of the other tables where there are set-ups.
    set_up: Option<Box<SetupTables>>,
    /// Used instead of all other tables where there are working times, ready times or transport.
    clocked: Option<Box<ClockTables>>,
    /// Used instead of all other tables where there are rules for the order.
    ruled: Option<Box<RuleTables>>,
}

impl Tables {
    /// Allocates tables for orders of up to n jobs.
    pub fn new(problem: &FlowShopProblem) -> Self {
        let machines = problem.machines;
        // An even number, because `FOLLOWED` is twice `LANES`.
        let blocks = (problem.jobs() / FOLLOWED + 1) * 2;
        let ruled = problem.rules().map(|_| Box::new(RuleTables::new(problem)));
        let clocked = (ruled.is_none() && problem.has_clocks()).then(|| Box::new(ClockTables::new(problem)));
        let set_up =
            (ruled.is_none() && clocked.is_none() && problem.has_setups()).then(|| Box::new(SetupTables::new(problem)));
        let rows = if set_up.is_some() || clocked.is_some() || ruled.is_some() { 0 } else { blocks * machines };
        Self {
            heads: vec![[0; LANES]; rows],
            tails: vec![[0; LANES]; rows],
            sums: vec![0; problem.jobs() + 1],
            costs: vec![0; blocks * LANES],
            row: vec![0; machines],
            side_by_side: vec![Followed([0; FOLLOWED]); machines],
            behind: SuffixTables::new(problem),
            set_up,
            clocked,
            ruled,
        }
    }

    /// Costs of all positions after [`Self::insert`]; entries 0..=length of the order are valid.
    pub fn costs(&self) -> &[u64] {
        &self.costs
    }

    /// Best position for `job`, which is not in `order`. Ties go to the position that adds least idle time (makespan
    /// with acceleration) or least set-up time, or else to the first one.
    #[inline(always)]
    pub fn insert(&mut self, problem: &FlowShopProblem, order: &[u16], job: u16) -> Place {
        self.insert_below(problem, order, job, u64::MAX)
    }

    /// Best position for `job` if it costs less than `bound`; otherwise an arbitrary position with a cost of at least
    /// `bound`. Where there are rules, `order` lacks the pinned jobs ([`FlowShopProblem::movable`]).
    #[inline(always)]
    pub(crate) fn insert_below(&mut self, problem: &FlowShopProblem, order: &[u16], job: u16, bound: u64) -> Place {
        if let (Some(tables), Some(rules)) = (&mut self.ruled, &problem.rules) {
            return tables.insert_below(problem, rules, order, job, bound, &mut self.costs);
        }
        if let Some(tables) = &mut self.clocked {
            return tables.insert_below(problem, order, job, bound, &mut self.costs);
        }
        if let (Some(tables), Some(setups)) = (&mut self.set_up, &problem.setups) {
            return tables.insert_below(problem, setups, order, job, bound, &mut self.costs);
        }
        self.prepare(problem, order);
        if problem.accelerated {
            self.makespans(problem, order.len(), job);
        } else {
            for first in (0..=order.len()).step_by(FOLLOWED) {
                if problem.narrow {
                    self.follow::<u32>(problem, order.len(), job, first, bound);
                } else {
                    self.follow::<u64>(problem, order.len(), job, first, bound);
                }
            }
        }
        let costs = &self.costs[..=order.len()];
        let cost = costs.iter().copied().min().unwrap_or(0);
        let mut ties = costs.iter().enumerate().filter(|(_, tied)| **tied == cost).map(|(position, _)| position);
        let first = ties.next().unwrap_or(0);
        let position = if problem.accelerated {
            let idle = |position| self.idle_time(problem, order, job, position);
            let mut best = None;
            // Ties are rare: the idle time of the first position is computed only when a second one occurs.
            for position in ties {
                let (idle_before, _) = *best.get_or_insert_with(|| (idle(first), first));
                let here = idle(position);
                if here < idle_before {
                    best = Some((here, position));
                }
            }
            best.map_or(first, |(_, position)| position)
        } else {
            first
        };
        Place { position, cost }
    }

    /// Computes heads, tails (or the suffix tables) and prefix costs of an order.
    #[inline(always)]
    fn prepare(&mut self, problem: &FlowShopProblem, order: &[u16]) {
        let machines = problem.machines;
        self.row.fill(0);
        for (number, &job) in order.iter().enumerate() {
            let (block, lane) = ((number + 1) / LANES * machines, (number + 1) % LANES);
            let heads = &mut self.heads[block..block + machines];
            let mut done = problem.release[usize::from(job)];
            for ((head, before), time) in heads.iter_mut().zip(&mut self.row).zip(problem.row(job)) {
                done = done.max(*before) + time;
                *before = done;
                head[lane] = done;
            }
            self.sums[number + 1] = self.sums[number].with(
                problem.objective,
                problem.completion(done),
                problem.due[usize::from(job)],
                u32::MAX,
            );
        }
        if !problem.accelerated {
            self.behind.fill(problem, order);
            return;
        }
        self.row.fill(0);
        let last = order.len();
        for tail in &mut self.tails[last / LANES * machines..][..machines] {
            tail[last % LANES] = 0;
        }
        for (number, &job) in order.iter().enumerate().rev() {
            let (block, lane) = (number / LANES * machines, number % LANES);
            let tails = &mut self.tails[block..block + machines];
            let mut left = 0;
            for ((tail, behind), time) in tails.iter_mut().zip(&mut self.row).zip(problem.row(job)).rev() {
                left = left.max(*behind) + time;
                *behind = left;
                tail[lane] = left;
            }
        }
    }

    /// Computes the makespans of all positions among `length` jobs with Taillard's acceleration.
    #[inline(always)]
    fn makespans(&mut self, problem: &FlowShopProblem, length: usize, job: u16) {
        let (machines, times) = (problem.machines, problem.row(job));
        for block in 0..=length / LANES {
            let heads = &self.heads[block * machines..][..machines];
            let tails = &self.tails[block * machines..][..machines];
            let (mut done, mut longest) = ([0_u32; LANES], [0_u32; LANES]);
            for ((head, tail), &time) in heads.iter().zip(tails).zip(times) {
                for lane in 0..LANES {
                    done[lane] = done[lane].max(head[lane]) + time;
                    // Lanes behind the last position hold stale values.
                    longest[lane] = longest[lane].max(done[lane].wrapping_add(tail[lane]));
                }
            }
            for (cost, longest) in self.costs[block * LANES..][..LANES].iter_mut().zip(longest) {
                *cost = u64::from(longest);
            }
        }
    }

    /// Prefix costs sums[first..], [`CostSum::MOST`] behind the last position.
    ///
    /// Kept out of line: a lane index chosen at run time would force all lanes out of registers.
    #[inline(never)]
    fn sums_from<S: CostSum>(&self, first: usize, length: usize) -> [S; FOLLOWED] {
        let of = |lane| if first + lane <= length { S::of(self.sums[first + lane]) } else { S::MOST };
        std::array::from_fn(of)
    }

    /// Computes costs[first..first + `FOLLOWED`]; if all of them are at least `bound`, possibly only values of at least
    /// `bound`.
    ///
    /// Lane l inserts the job at position first + l, where the heads give its completion; then every lane continues
    /// with the next job of its own order, one position behind lane l − 1, until the last lane has reached the end.
    /// Later jobs complete no earlier than without the inserted job, so the cost so far plus the cost of the remaining
    /// jobs without the insertion is a lower bound.
    #[inline(always)]
    fn follow<S: CostSum>(&mut self, problem: &FlowShopProblem, length: usize, job: u16, first: usize, bound: u64) {
        let (machines, objective) = (problem.machines, problem.objective);
        let done = &mut self.side_by_side[..machines];
        let mut before = [problem.release[usize::from(job)]; FOLLOWED];
        let blocks = self.heads[first / LANES * machines..][..2 * machines].split_at(machines);
        for (((done, near), far), &time) in done.iter_mut().zip(blocks.0).zip(blocks.1).zip(problem.row(job)) {
            let heads = joined(near, far);
            for lane in 0..FOLLOWED {
                before[lane] = before[lane].max(heads[lane]).wrapping_add(time);
            }
            done.0 = before;
        }
        let due = problem.due[usize::from(job)];
        let sums = self.sums_from::<S>(first, length);
        let mut costs = [S::MOST; FOLLOWED];
        for lane in 0..FOLLOWED {
            let done = problem.completion(before[lane]);
            costs[lane] = if sums[lane] < S::MOST { sums[lane].with(objective, done, due, u32::MAX) } else { S::MOST };
        }
        let done = &mut self.side_by_side[..machines];
        for (step, position) in (first..length).enumerate() {
            if step % LANES == LANES - 1 && objective != Objective::Makespan {
                let without = self.sums[length];
                let mut open = false;
                for lane in 0..FOLLOWED {
                    open |= costs[lane].value() + (without - self.sums[(position + lane).min(length)]) < bound;
                }
                if !open {
                    self.costs[first..first + FOLLOWED].fill(bound);
                    return;
                }
            }
            let mut before = lanes(&self.behind.release, position);
            for (done, times) in done.iter_mut().zip(self.behind.times.chunks_exact(self.behind.stride)) {
                let times = lanes(times, position);
                for lane in 0..FOLLOWED {
                    before[lane] = before[lane].max(done.0[lane]).wrapping_add(times[lane]);
                }
                done.0 = before;
            }
            let (due, counts) = (lanes(&self.behind.due, position), lanes(&self.behind.counts, position));
            if problem.worked.is_some() {
                before = before.map(|done| problem.completion(done));
            }
            for lane in 0..FOLLOWED {
                costs[lane] = costs[lane].with(objective, before[lane], due[lane], counts[lane]);
            }
        }
        for (to, cost) in self.costs[first..first + FOLLOWED].iter_mut().zip(costs) {
            *to = cost.value();
        }
    }

    /// Idle time that the job adds in a position, estimated from its two neighbours.
    ///
    /// With l the job that follows: f'_{i} = max(f'_{i−1}, f_i) + p_{i,l} and Σ_{i ≥ 2} f_i − e_i(l) + p_{i,l} −
    /// p_{i,job} + max(0, f'_{i−1} − f_i); in the last position Σ max(0, f_{i−1} − e_i).
    #[inline(always)]
    fn idle_time(&self, problem: &FlowShopProblem, order: &[u16], job: u16, position: usize) -> i64 {
        let machines = problem.machines;
        let head = |number: usize, machine: usize| self.heads[number / LANES * machines + machine][number % LANES];
        let next = order.get(position).map(|&next| problem.row(next));
        let (mut done, mut follower, mut idle) = (0_u32, 0_u32, 0_i64);
        for (machine, &time) in problem.row(job).iter().enumerate() {
            let before = if position == 0 { 0 } else { head(position, machine) };
            if machine > 0 && next.is_none() {
                idle += i64::from(done.saturating_sub(before));
            }
            done = done.max(before) + time;
            if let Some(next) = next {
                if machine > 0 {
                    idle += i64::from(done) - i64::from(head(position + 1, machine)) + i64::from(next[machine]);
                    idle += i64::from(follower.saturating_sub(done)) - i64::from(time);
                }
                follower = follower.max(done) + next[machine];
            }
        }
        idle
    }
}

#[cfg(test)]
mod tests;
