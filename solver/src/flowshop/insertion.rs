//! What every position for a job would cost: the neighbourhood of all searches here.
//!
//! For the makespan by the acceleration of É. Taillard, «Some efficient heuristic methods for the flow shop sequencing
//! problem», European Journal of Operational Research 47(1), 1990: with heads e, tails q of the order without the job,
//!
//! ```text
//! f_{i,k} = max(f_{i−1,k}, e_{i,k−1}) + p_{i,job},      makespan(k) = max_i (f_{i,k} + q_{i,k}),
//! ```
//!
//! all positions k cost O(n·m) together. The other objectives have no such trick: the order is computed again from the
//! position on, for [`LANES`] positions side by side.
//!
//! Positions with the same makespan are told apart by the idle time that they leave: V. Fernandez-Viagas, J. M. Framinan,
//! «On insertion tie-breaking rules in heuristics for the permutation flowshop scheduling problem», Computers & Operations
//! Research 45, 2014.

mod following;

use super::{Instance, Objective};
use following::{Behind, FOLLOWED, Sum, joined, lanes, most_of_a_sum};

/// Positions that are computed side by side.
pub const LANES: usize = 8;

/// Tardy jobs count this much in the cost of a search: among orders with as many the total tardiness decides.
pub const TARDY: u64 = 1 << 40;

/// A number for each of some positions.
type Lanes = [u32; LANES];

/// An instance as the searches read it.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Number of machines.
    pub machines: usize,
    /// What is to be minimised.
    pub objective: Objective,
    times: Vec<u32>,
    due: Vec<u32>,
    release: Vec<u32>,
    accelerated: bool,
    /// Whether sums over the jobs of any order fit into 32 bits.
    narrow: bool,
}

impl Problem {
    /// Of an instance; jobs without a due date are never late.
    pub fn new(instance: &Instance, objective: Objective) -> Self {
        let release: Vec<u32> = instance.jobs.iter().map(|job| job.release).collect();
        Self {
            machines: instance.machine_count(),
            objective,
            times: instance.times.clone(),
            narrow: objective != Objective::Tardy && most_of_a_sum(instance) <= u128::from(u32::MAX / 4),
            due: instance.jobs.iter().map(|job| job.due.unwrap_or(u32::MAX)).collect(),
            accelerated: objective == Objective::Makespan && release.iter().all(|&release| release == 0),
            release,
        }
    }

    /// Number of jobs.
    pub fn jobs(&self) -> usize {
        self.due.len()
    }

    /// Processing times of a job by machine.
    #[inline(always)]
    pub fn row(&self, job: u16) -> &[u32] {
        &self.times[usize::from(job) * self.machines..][..self.machines]
    }

    /// Mean processing time.
    pub fn mean_time(&self) -> f64 {
        let sum: u64 = self.times.iter().map(|&time| u64::from(time)).sum();
        sum as f64 / self.times.len().max(1) as f64
    }

    /// Whether all positions of a job cost O(n·m) together.
    pub fn is_accelerated(&self) -> bool {
        self.accelerated
    }

    /// When a job is due; `u32::MAX`: never.
    pub fn due(&self, job: u16) -> u32 {
        self.due[usize::from(job)]
    }

    /// Processing times of all jobs, jobs × machines.
    pub fn times(&self) -> &[u32] {
        &self.times
    }

    /// When each job can start.
    pub fn releases(&self) -> &[u32] {
        &self.release
    }

    /// What a search minimises, from what people read: tardy jobs and their tardiness are one number.
    pub fn shown(&self, cost: u64) -> u64 {
        if self.objective == Objective::Tardy { cost / TARDY } else { cost }
    }

    /// The cost of an order, job by job.
    pub fn cost(&self, order: &[u16]) -> u64 {
        let mut done = vec![0_u32; self.machines];
        order.iter().fold(0_u64, |cost, &job| {
            let mut before = self.release[usize::from(job)];
            for (done, time) in done.iter_mut().zip(self.row(job)) {
                *done = before.max(*done) + time;
                before = *done;
            }
            cost.with(self.objective, before, self.due(job), u32::MAX)
        })
    }
}

/// Where a job goes best, and what the order costs then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Jobs before it.
    pub position: usize,
    /// What the search minimises.
    pub cost: u64,
}

/// Tables of an order into which jobs are inserted, and room for the costs of all positions.
#[derive(Debug, Clone)]
pub struct Tables {
    /// e_{i,k}: number k % LANES of entry (k / LANES)·machines + i is when the k-th job is done on machine i; zeros for k = 0.
    heads: Vec<Lanes>,
    /// q_{i,k}: what follows on machine i from the start of position k on, counted from 0; likewise.
    tails: Vec<Lanes>,
    /// The cost of the first k jobs.
    sums: Vec<u64>,
    /// The cost with the job in each position.
    costs: Vec<u64>,
    row: Vec<u32>,
    side_by_side: Vec<[u32; FOLLOWED]>,
    behind: Behind,
}

impl Tables {
    /// Room for the orders of a problem.
    pub fn new(problem: &Problem) -> Self {
        let machines = problem.machines;
        // Even, because twice as many positions are followed at once.
        let blocks = (problem.jobs() / FOLLOWED + 1) * 2;
        Self {
            heads: vec![[0; LANES]; blocks * machines],
            tails: vec![[0; LANES]; blocks * machines],
            sums: vec![0; problem.jobs() + 1],
            costs: vec![0; blocks * LANES],
            row: vec![0; machines],
            side_by_side: vec![[0; FOLLOWED]; machines],
            behind: Behind::new(problem),
        }
    }

    /// The costs of all positions, as [`Self::insert`] left them.
    pub fn costs(&self) -> &[u64] {
        &self.costs
    }

    /// Where `job`, which is not in `order`, goes best: of positions with equal cost the one that leaves least idle time
    /// (makespan) or is first.
    #[inline(always)]
    pub fn insert(&mut self, problem: &Problem, order: &[u16], job: u16) -> Place {
        self.insert_below(problem, order, job, u64::MAX)
    }

    /// The same where only a place that costs less than `bound` is of use: without one, any place, and a cost of at least `bound`.
    #[inline(always)]
    pub fn insert_below(&mut self, problem: &Problem, order: &[u16], job: u16, bound: u64) -> Place {
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
        let mut ties = costs.iter().enumerate().filter(|(_, other)| **other == cost).map(|(position, _)| position);
        let first = ties.next().unwrap_or(0);
        let position = if problem.accelerated {
            let idle = |position| self.idle_time(problem, order, job, position);
            let mut best = None;
            // Most often there is only one, and nothing to compare.
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

    /// Computes the tables of an order.
    #[inline(always)]
    fn prepare(&mut self, problem: &Problem, order: &[u16]) {
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
            self.sums[number + 1] =
                self.sums[number].with(problem.objective, done, problem.due[usize::from(job)], u32::MAX);
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

    /// The makespans of all positions among `length` jobs.
    #[inline(always)]
    fn makespans(&mut self, problem: &Problem, length: usize, job: u16) {
        let (machines, times) = (problem.machines, problem.row(job));
        for block in 0..=length / LANES {
            let heads = &self.heads[block * machines..][..machines];
            let tails = &self.tails[block * machines..][..machines];
            let (mut done, mut longest) = ([0_u32; LANES], [0_u32; LANES]);
            for ((head, tail), &time) in heads.iter().zip(tails).zip(times) {
                for lane in 0..LANES {
                    done[lane] = done[lane].max(head[lane]) + time;
                    // Lanes behind the last position hold what an order before left there.
                    longest[lane] = longest[lane].max(done[lane].wrapping_add(tail[lane]));
                }
            }
            for (cost, longest) in self.costs[block * LANES..][..LANES].iter_mut().zip(longest) {
                *cost = u64::from(longest);
            }
        }
    }

    /// The costs of the jobs before the positions from `first` on; [`Sum::MOST`] behind the last one.
    ///
    /// Apart, because a lane that is chosen at run time would keep all of them out of registers.
    #[inline(never)]
    fn sums_from<S: Sum>(&self, first: usize, length: usize) -> [S; FOLLOWED] {
        let of = |lane| if first + lane <= length { S::of(self.sums[first + lane]) } else { S::MOST };
        std::array::from_fn(of)
    }

    /// The costs of the positions from `first` on, as many as are computed side by side; or, where all of them cost `bound` or more,
    /// numbers from `bound` on.
    ///
    /// In lane l the job stands l positions behind the first one. Heads tell when it is done there; then every lane goes on with the job
    /// that follows in its order, one position behind that of the lane before, until the last one has come to the end. Whatever follows
    /// ends no earlier than without the job, so that the cost so far and that of what follows without the job are a lower bound.
    #[inline(always)]
    fn follow<S: Sum>(&mut self, problem: &Problem, length: usize, job: u16, first: usize, bound: u64) {
        let (machines, objective) = (problem.machines, problem.objective);
        let done = &mut self.side_by_side[..machines];
        let mut before = [problem.release[usize::from(job)]; FOLLOWED];
        let blocks = self.heads[first / LANES * machines..][..2 * machines].split_at(machines);
        for (((done, near), far), &time) in done.iter_mut().zip(blocks.0).zip(blocks.1).zip(problem.row(job)) {
            let heads = joined(near, far);
            for lane in 0..FOLLOWED {
                before[lane] = before[lane].max(heads[lane]).wrapping_add(time);
            }
            *done = before;
        }
        let due = problem.due[usize::from(job)];
        let sums = self.sums_from::<S>(first, length);
        let mut costs = [S::MOST; FOLLOWED];
        for lane in 0..FOLLOWED {
            costs[lane] =
                if sums[lane] < S::MOST { sums[lane].with(objective, before[lane], due, u32::MAX) } else { S::MOST };
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
                    before[lane] = before[lane].max(done[lane]).wrapping_add(times[lane]);
                }
                *done = before;
            }
            let (due, counts) = (lanes(&self.behind.due, position), lanes(&self.behind.counts, position));
            for lane in 0..FOLLOWED {
                costs[lane] = costs[lane].with(objective, before[lane], due[lane], counts[lane]);
            }
        }
        for (to, cost) in self.costs[first..first + FOLLOWED].iter_mut().zip(costs) {
            *to = cost.value();
        }
    }

    /// How much idle time the job in a position adds, as far as its neighbours tell.
    ///
    /// With the job l that stands there now, which comes next: f'_{i} = max(f'_{i−1}, f_i) + p_{i,l},
    /// Σ_{i ≥ 2} f_i − e_i(l) + p_{i,l} − p_{i,job} + max(0, f'_{i−1} − f_i); at the end Σ max(0, f_{i−1} − e_i).
    #[inline(always)]
    fn idle_time(&self, problem: &Problem, order: &[u16], job: u16, position: usize) -> i64 {
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn instance(jobs: usize, machines: usize, numbers: &[u32], release: bool) -> Instance {
        let times: Vec<u32> = (0..jobs * machines).map(|number| numbers[number % numbers.len()]).collect();
        let mut instance = Instance::of_times("random", machines, times).unwrap();
        for (number, job) in instance.jobs.iter_mut().enumerate() {
            job.due = Some(numbers[number % numbers.len()] * (1 + number as u32 % 7));
            job.release = if release { numbers[(number + 3) % numbers.len()] } else { 0 };
        }
        instance
    }

    proptest! {
        /// Every position costs what the order with the job there costs, counted from the beginning.
        #[test]
        fn every_position_costs_what_a_recount_says(
            jobs in 1_usize..40,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 300),
            objective in 0_usize..4,
            release: bool,
            taken in 0_usize..40,
        ) {
            let instance = instance(jobs, machines, &numbers, release);
            let problem = Problem::new(&instance, Objective::ALL[objective]);
            let mut order: Vec<u16> = (0..jobs as u16).collect();
            order.rotate_left(taken % jobs);
            let job = order.remove(taken % jobs);
            let mut tables = Tables::new(&problem);
            // What an order before left in the tables does not matter.
            tables.insert(&problem, &order[..order.len() / 2], job);
            let place = tables.insert(&problem, &order, job);
            let mut best = u64::MAX;
            for position in 0..jobs {
                let mut whole = order.clone();
                whole.insert(position, job);
                prop_assert_eq!(tables.costs()[position], problem.cost(&whole));
                best = best.min(problem.cost(&whole));
            }
            prop_assert_eq!(place.cost, best);
            prop_assert_eq!(tables.costs()[place.position], best);
        }

        /// Whoever asks for a place below a bound learns as much as he needs.
        #[test]
        fn a_bound_hides_no_better_place(
            jobs in 1_usize..60,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 400),
            objective in 0_usize..4,
            release: bool,
            taken in 0_usize..60,
            share in 80_u64..130,
        ) {
            let instance = instance(jobs, machines, &numbers, release);
            let problem = Problem::new(&instance, Objective::ALL[objective]);
            let mut order: Vec<u16> = (0..jobs as u16).collect();
            order.rotate_left(taken % jobs);
            let job = order.remove(taken % jobs);
            let place = Tables::new(&problem).insert(&problem, &order, job);
            let bound = place.cost * share / 100;
            let below = Tables::new(&problem).insert_below(&problem, &order, job, bound);
            if place.cost < bound {
                prop_assert_eq!(below, place);
            } else {
                prop_assert!(below.cost >= bound);
            }
        }

        /// The cost of a search is what the reference says.
        #[test]
        fn costs_are_those_of_the_schedule(
            jobs in 1_usize..30,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 300),
            objective in 0_usize..4,
            release: bool,
        ) {
            let instance = instance(jobs, machines, &numbers, release);
            let problem = Problem::new(&instance, Objective::ALL[objective]);
            let order: Vec<u16> = (0..jobs as u16).rev().collect();
            let schedule = crate::flowshop::Schedule::new(&instance, &order);
            prop_assert_eq!(problem.shown(problem.cost(&order)), schedule.value(&instance, Objective::ALL[objective]));
        }
    }

    /// Two jobs on two machines: in a tie the position that leaves less idle time is taken.
    #[test]
    fn ties_go_to_the_position_with_less_idle_time() {
        // Jobs (3, 2) and (1, 4): behind the second the first ends at 7, before it at 9; no tie there.
        let instance = Instance::of_times("by hand", 2, vec![3, 2, 1, 4]).unwrap();
        let problem = Problem::new(&instance, Objective::Makespan);
        let mut tables = Tables::new(&problem);
        assert_eq!(tables.insert(&problem, &[1], 0), Place { position: 1, cost: 7 });
        // Jobs (2, 2) and (2, 2) and (2, 2): every position ends at 8. At the end the second machine waits for nobody:
        // f_1 = 6 is e_2 = 6. Before a job: f_2 − e_2 + p − p + max(0, f'_1 − f_2) = 6 − 6 + max(0, 6 − 6) = 0 likewise, so
        // the first stays.
        let same = Instance::of_times("the same", 2, vec![2; 6]).unwrap();
        let problem = Problem::new(&same, Objective::Makespan);
        assert_eq!(Tables::new(&problem).insert(&problem, &[0, 1], 2).cost, 8);
    }
}
