//! Best insertion makespans of sixteen removed jobs at once where machines have set-up times: one lane per removed job.
//!
//! The recurrences are those of [`crate::insertion`] with set-ups. Lanes hold jobs of consecutive indices, so that the set-up times
//! between one job and all of them are neighbours in memory. Where all lanes have the same two jobs in sequence, their set-up time is one
//! number; they differ only between the first and the last removed position.

use std::sync::Arc;

use super::{Lanes, SIDE_BY_SIDE, Time, later};
use crate::insertion::FlowShopProblem;
use crate::{Objective, Setups};
use gridwright_core::lanes::lanes;

/// Largest memory of the tables, in bytes.
const MOST_BYTES: usize = 1 << 28;

/// Set-up times in blocks of lanes, shared by all chains of a run.
#[derive(Debug, Clone)]
pub(crate) struct SetupLanes(Width);

#[derive(Debug, Clone)]
enum Width {
    Narrow(Arc<Blocks<u16>>),
    Wide(Arc<Blocks<u32>>),
}

/// Set-up times between one job and the jobs of a block.
#[derive(Debug)]
struct Blocks<T> {
    jobs: usize,
    machines: usize,
    /// Processing times, row-major, jobs × machines.
    times: Vec<T>,
    /// Processing times of the jobs of each block, blocks × machines.
    taken: Vec<Lanes<T>>,
    /// Times from a job (the last one: none) to the jobs of a block: blocks × (jobs + 1) × machines.
    into: Vec<Lanes<T>>,
    /// Times from the jobs of a block to a job (the last one: none): blocks × (jobs + 1) × machines.
    out_of: Vec<Lanes<T>>,
    /// Times between two jobs, rows by machine: (jobs + 1) × (jobs + 1), the last ones for none.
    between: Vec<T>,
}

impl SetupLanes {
    /// Builds the tables; `None` without set-ups, for other objectives than the makespan, with release dates or working times, or if they take too much
    /// memory.
    pub(crate) fn new(problem: &FlowShopProblem) -> Option<Self> {
        let setups = problem.setups()?;
        let has_releases = problem.releases().iter().any(|&release| release > 0);
        let jobs = problem.jobs();
        let entries = (jobs + 1).checked_mul(jobs + SIDE_BY_SIDE)?.checked_mul(problem.machines)?.checked_mul(3)?;
        if problem.objective != Objective::Makespan
            || has_releases
            || problem.has_clocks()
            || problem.rules().is_some()
            || entries > MOST_BYTES / size_of::<u32>()
        {
            return None;
        }
        let is_narrow = super::most(problem) + setups.most_in_total() < u64::from(u16::MAX);
        Some(Self(match is_narrow {
            true => Width::Narrow(Arc::new(Blocks::new(problem, setups))),
            false => Width::Wide(Arc::new(Blocks::new(problem, setups))),
        }))
    }
}

impl<T: Time> Blocks<T> {
    fn new(problem: &FlowShopProblem, setups: &Setups) -> Self {
        let (jobs, machines) = (problem.jobs(), problem.machines);
        let job = |index: usize| (index < jobs).then_some(index as u16);
        let setup = |before: Option<u16>, after: Option<u16>, machine: usize| {
            T::of(after.map_or(0, |after| setups.between(before, after)[machine]))
        };
        let blocks = || 0..jobs.div_ceil(SIDE_BY_SIDE);
        let lane_job = |block: usize, lane: usize| job(block * SIDE_BY_SIDE + lane);
        let each = |of: &dyn Fn(usize, Option<u16>, usize) -> Lanes<T>| -> Vec<Lanes<T>> {
            let of_block =
                |block: usize| (0..=jobs).flat_map(move |other| (0..machines).map(move |at| (block, job(other), at)));
            blocks().flat_map(of_block).map(|(block, other, machine)| of(block, other, machine)).collect()
        };
        let into = each(&|block, before, machine| lanes(|lane| setup(before, lane_job(block, lane), machine)));
        let out_of = each(&|block, after, machine| {
            lanes(|lane| lane_job(block, lane).map_or(T::default(), |before| setup(Some(before), after, machine)))
        });
        let taken = |block: usize| {
            move |machine: usize| {
                lanes(|lane| lane_job(block, lane).map_or(T::default(), |job| T::of(problem.row(job)[machine])))
            }
        };
        let pairs = (0..=jobs).flat_map(|before| (0..=jobs).map(move |after| (job(before), job(after))));
        Self {
            jobs,
            machines,
            times: problem.times().iter().map(|&time| T::of(time)).collect(),
            taken: blocks().flat_map(|block| (0..machines).map(taken(block))).collect(),
            into,
            out_of,
            between: pairs
                .flat_map(|(before, after)| (0..machines).map(move |at| (before, after, at)))
                .map(|(before, after, machine)| setup(before, after, machine))
                .collect(),
        }
    }

    /// Index of a job, or of none.
    #[inline(always)]
    fn index(&self, job: Option<&u16>) -> usize {
        job.map_or(self.jobs, |&job| usize::from(job))
    }

    /// Set-up times by machine between two jobs.
    #[inline(always)]
    fn between(&self, before: Option<&u16>, after: Option<&u16>) -> &[T] {
        let pair = self.index(before) * (self.jobs + 1) + self.index(after);
        &self.between[pair * self.machines..][..self.machines]
    }

    #[inline(always)]
    fn row(&self, job: u16) -> &[T] {
        &self.times[usize::from(job) * self.machines..][..self.machines]
    }

    /// Set-up times by machine between a job and those of a block, in the direction of `table`.
    #[inline(always)]
    fn of_block<'a>(&self, table: &'a [Lanes<T>], block: usize, job: Option<&u16>) -> &'a [Lanes<T>] {
        let first = (block * (self.jobs + 1) + self.index(job)) * self.machines;
        &table[first..first + self.machines]
    }
}

/// Heads and tails of sixteen orders; a buffer of one chain.
#[derive(Debug, Clone)]
pub(crate) struct SetupNeighbourhood(Buffer);

#[derive(Debug, Clone)]
enum Buffer {
    Narrow(Lanewise<u16>),
    Wide(Lanewise<u32>),
}

impl SetupNeighbourhood {
    pub(crate) fn new(tables: &SetupLanes) -> Self {
        Self(match &tables.0 {
            Width::Narrow(blocks) => Buffer::Narrow(Lanewise::new(blocks)),
            Width::Wide(blocks) => Buffer::Wide(Lanewise::new(blocks)),
        })
    }

    /// Least makespan over all insertion positions, for each job of a block, whose positions in `order` are `positions`. Entries of lanes
    /// whose job is not in the order are unspecified; their position is that of any job of the block which is.
    ///
    /// # Panics
    /// If the order is empty, a position is outside of it, or the tables are of another problem.
    #[inline(never)]
    pub(crate) fn best(
        &mut self, tables: &SetupLanes, order: &[u16], block: usize, positions: [usize; SIDE_BY_SIDE],
    ) -> [u32; SIDE_BY_SIDE] {
        let arch = pulp::Arch::new();
        match (&mut self.0, &tables.0) {
            (Buffer::Narrow(buffer), Width::Narrow(blocks)) => {
                arch.dispatch(Evaluation { buffer, blocks, order, block, positions })
            }
            (Buffer::Wide(buffer), Width::Wide(blocks)) => {
                arch.dispatch(Evaluation { buffer, blocks, order, block, positions })
            }
            _ => unreachable!("buffer and tables are made for the same problem"),
        }
    }
}

/// One call of [`SetupNeighbourhood::best`]; dispatched to the best SIMD instruction set here, so that it is compiled once for each.
struct Evaluation<'a, T> {
    buffer: &'a mut Lanewise<T>,
    blocks: &'a Blocks<T>,
    order: &'a [u16],
    block: usize,
    positions: [usize; SIDE_BY_SIDE],
}

impl<T: Time> pulp::NullaryFnOnce for Evaluation<'_, T> {
    type Output = [u32; SIDE_BY_SIDE];

    #[inline(always)]
    fn call(self) -> Self::Output {
        self.buffer.best(self.blocks, self.order, self.block, self.positions)
    }
}

#[derive(Debug, Clone)]
struct Lanewise<T> {
    /// Completion of the first k jobs of each lane's order, positions × machines.
    heads: Vec<Lanes<T>>,
    /// Tails behind the current position, by machine.
    tails: Vec<Lanes<T>>,
}

/// Choice of the lanes at a position of the shortened orders: which of them have their removed job further behind, and which exactly here.
#[derive(Clone, Copy)]
struct Choice {
    is_early: [bool; SIDE_BY_SIDE],
    is_here: [bool; SIDE_BY_SIDE],
}

impl Choice {
    #[inline(always)]
    fn at(position: usize, out: &[usize; SIDE_BY_SIDE]) -> Self {
        Self { is_early: lanes(|lane| position < out[lane]), is_here: lanes(|lane| position == out[lane]) }
    }

    #[inline(always)]
    fn of<T: Time>(&self, early: T, here: T, late: T) -> Lanes<T> {
        lanes(|lane| {
            if self.is_early[lane] {
                early
            } else if self.is_here[lane] {
                here
            } else {
                late
            }
        })
    }

    #[inline(always)]
    fn either<T: Time>(flags: &[bool; SIDE_BY_SIDE], yes: &Lanes<T>, no: &Lanes<T>) -> Lanes<T> {
        lanes(|lane| if flags[lane] { yes[lane] } else { no[lane] })
    }
}

impl<T: Time> Lanewise<T> {
    fn new(blocks: &Blocks<T>) -> Self {
        let nothing = [T::default(); SIDE_BY_SIDE];
        Self { heads: vec![nothing; blocks.jobs.max(1) * blocks.machines], tails: vec![nothing; blocks.machines] }
    }

    /// Implements [`SetupNeighbourhood::best`].
    #[inline(always)]
    fn best(
        &mut self, blocks: &Blocks<T>, order: &[u16], block: usize, out: [usize; SIDE_BY_SIDE],
    ) -> [u32; SIDE_BY_SIDE] {
        let machines = blocks.machines;
        let (first, last) = (out.iter().copied().min().unwrap_or(0), out.iter().copied().max().unwrap_or(0));
        // Number of jobs without the removed one.
        let length = order.len() - 1;
        self.heads[..machines].fill([T::default(); SIDE_BY_SIDE]);
        for number in 0..length {
            self.step_forwards(blocks, order, number, (first, last), &out);
        }
        self.tails.fill([T::default(); SIDE_BY_SIDE]);
        let mut best = [T::MAX; SIDE_BY_SIDE];
        for number in (0..=length).rev() {
            if number < length {
                self.step_backwards(blocks, order, number, (first, last), &out);
            }
            let longest = self.insert(blocks, order, block, number, (first, last), &out);
            best = lanes(|lane| best[lane].min(longest[lane]));
        }
        lanes(|lane| best[lane].wide())
    }

    /// Computes the heads behind position `number` of the shortened orders.
    #[inline(always)]
    fn step_forwards(
        &mut self, blocks: &Blocks<T>, order: &[u16], number: usize, (first, last): (usize, usize),
        out: &[usize; SIDE_BY_SIDE],
    ) {
        let machines = blocks.machines;
        let (done, next) = self.heads[number * machines..][..2 * machines].split_at_mut(machines);
        let before = |at: usize| at.checked_sub(1).and_then(|at| order.get(at));
        let mut arrival = [T::default(); SIDE_BY_SIDE];
        if number < first || number > last {
            let at = if number < first { number } else { number + 1 };
            let times = blocks.row(order[at]).iter().zip(blocks.between(before(at), order.get(at)));
            for ((done, next), (&time, &setup)) in done.iter().zip(next).zip(times) {
                let ready = lanes(|lane| done[lane].plus(setup));
                arrival = later(arrival, ready, [time; SIDE_BY_SIDE]);
                *next = arrival;
            }
            return;
        }
        let choice = Choice::at(number, out);
        let (own, behind) = (blocks.row(order[number]), blocks.row(order[number + 1]));
        let early = blocks.between(before(number), order.get(number));
        let here = blocks.between(before(number), order.get(number + 1));
        let late = blocks.between(order.get(number), order.get(number + 1));
        for machine in 0..machines {
            let setup = choice.of(early[machine], here[machine], late[machine]);
            let time = choice.of(own[machine], behind[machine], behind[machine]);
            let ready = lanes(|lane| done[machine][lane].plus(setup[lane]));
            arrival = later(arrival, ready, time);
            next[machine] = arrival;
        }
    }

    /// Replaces the tails behind position `number` of the shortened orders by those from it on.
    #[inline(always)]
    fn step_backwards(
        &mut self, blocks: &Blocks<T>, order: &[u16], number: usize, (first, last): (usize, usize),
        out: &[usize; SIDE_BY_SIDE],
    ) {
        let machines = blocks.machines;
        let mut left = [T::default(); SIDE_BY_SIDE];
        // The job behind is another one for the lane whose removed job stood between both.
        if number + 1 < first || number >= last {
            let at = if number + 1 < first { number } else { number + 1 };
            let (times, setups) = (blocks.row(order[at]), blocks.between(order.get(at), order.get(at + 1)));
            for machine in (0..machines).rev() {
                let setup = setups[machine];
                let behind = lanes(|lane| self.tails[machine][lane].plus(setup));
                left = later(left, behind, [times[machine]; SIDE_BY_SIDE]);
                self.tails[machine] = left;
            }
            return;
        }
        // Early lanes have the job `number` here; the one behind is `number + 1`, or `number + 2` where that is removed.
        let choice = Choice::at(number + 1, out);
        let is_early: [bool; SIDE_BY_SIDE] = lanes(|lane| number < out[lane]);
        let (own, next) = (blocks.row(order[number]), blocks.row(order[number + 1]));
        let early = blocks.between(order.get(number), order.get(number + 1));
        let here = blocks.between(order.get(number), order.get(number + 2));
        let late = blocks.between(order.get(number + 1), order.get(number + 2));
        for machine in (0..machines).rev() {
            let setup = choice.of(early[machine], here[machine], late[machine]);
            let time: Lanes<T> = lanes(|lane| if is_early[lane] { own[machine] } else { next[machine] });
            let behind = lanes(|lane| self.tails[machine][lane].plus(setup[lane]));
            left = later(left, behind, time);
            self.tails[machine] = left;
        }
    }

    /// Makespans with each lane's job before position `number` of the shortened orders.
    #[inline(always)]
    fn insert(
        &self, blocks: &Blocks<T>, order: &[u16], block: usize, number: usize, (first, last): (usize, usize),
        out: &[usize; SIDE_BY_SIDE],
    ) -> Lanes<T> {
        let machines = blocks.machines;
        let before = |at: usize| at.checked_sub(1).and_then(|at| order.get(at));
        let taken = &blocks.taken[block * machines..][..machines];
        let heads = &self.heads[number * machines..][..machines];
        let (mut done, mut longest) = ([T::default(); SIDE_BY_SIDE], [T::default(); SIDE_BY_SIDE]);
        let mut step = |machine: usize, arriving: &Lanes<T>, leaving: &Lanes<T>| {
            let ready = lanes(|lane| heads[machine][lane].plus(arriving[lane]));
            done = later(done, ready, taken[machine]);
            let tail = &self.tails[machine];
            longest = lanes(|lane| longest[lane].max(done[lane].plus(leaving[lane]).plus(tail[lane])));
        };
        if number < first || number > last {
            let at = if number < first { number } else { number + 1 };
            let arriving = blocks.of_block(&blocks.into, block, before(at));
            let leaving = blocks.of_block(&blocks.out_of, block, order.get(at));
            for machine in 0..machines {
                step(machine, &arriving[machine], &leaving[machine]);
            }
            return longest;
        }
        let is_early: [bool; SIDE_BY_SIDE] = lanes(|lane| number < out[lane]);
        let is_not_late: [bool; SIDE_BY_SIDE] = lanes(|lane| number <= out[lane]);
        let (near, far) = (
            blocks.of_block(&blocks.into, block, before(number)),
            blocks.of_block(&blocks.into, block, order.get(number)),
        );
        let (own, next) = (
            blocks.of_block(&blocks.out_of, block, order.get(number)),
            blocks.of_block(&blocks.out_of, block, order.get(number + 1)),
        );
        for machine in 0..machines {
            let arriving = Choice::either(&is_not_late, &near[machine], &far[machine]);
            let leaving = Choice::either(&is_early, &own[machine], &next[machine]);
            step(machine, &arriving, &leaving);
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::insertion::Tables;
    use crate::tests::{instance_of, with_setups};

    proptest! {
        /// Every lane agrees with inserting its job into the order without it, with 16 and with 32 bits, in orders of all jobs and of some.
        #[test]
        fn every_lane_finds_what_insertion_finds(
            jobs in 1_usize..40,
            machines in 1_usize..6,
            numbers in proptest::collection::vec(0_u32..100, 300),
            long: bool,
            order in Just((0_u16..40).collect::<Vec<_>>()).prop_shuffle(),
            left_out in 0_usize..5,
        ) {
            let scale = if long { 1_000 } else { 1 };
            let instance = with_setups(instance_of(jobs, machines, &numbers, scale, false), true, &numbers);
            let problem = FlowShopProblem::new(&instance, Objective::Makespan);
            let mut order: Vec<u16> = order.into_iter().filter(|&job| usize::from(job) < jobs).collect();
            order.truncate((jobs - left_out.min(jobs - 1)).max(1));
            let lanes = SetupLanes::new(&problem).unwrap();
            let mut neighbourhood = SetupNeighbourhood::new(&lanes);
            let mut tables = Tables::new(&problem);
            for block in 0..jobs.div_ceil(SIDE_BY_SIDE) {
                let position = |lane: usize| order.iter().position(|&job| usize::from(job) == block * SIDE_BY_SIDE + lane);
                let Some(any) = (0..SIDE_BY_SIDE).find_map(position) else { continue };
                let positions = std::array::from_fn(|lane| position(lane).unwrap_or(any));
                let best = neighbourhood.best(&lanes, &order, block, positions);
                for (lane, position) in (0..SIDE_BY_SIDE).filter_map(|lane| Some((lane, position(lane)?))) {
                    let mut rest = order.clone();
                    let job = rest.remove(position);
                    prop_assert_eq!(u64::from(best[lane]), tables.insert(&problem, &rest, job).cost, "lane {}", lane);
                }
            }
        }
    }

    #[test]
    fn plain_flow_shops_other_objectives_and_release_dates_have_none() {
        let plain = crate::library::taillard("ta001").unwrap();
        assert!(SetupLanes::new(&FlowShopProblem::new(&plain, Objective::Makespan)).is_none());
        let instance = with_setups(plain, true, &[2, 3, 5]);
        assert!(SetupLanes::new(&FlowShopProblem::new(&instance, Objective::Makespan)).is_some());
        assert!(SetupLanes::new(&FlowShopProblem::new(&instance, Objective::FlowTime)).is_none());
        let mut released = instance;
        released.jobs[3].release = 1;
        assert!(SetupLanes::new(&FlowShopProblem::new(&released, Objective::Makespan)).is_none());
    }
}
