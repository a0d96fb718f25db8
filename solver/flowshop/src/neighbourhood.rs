//! Best insertion makespans of several removed jobs at once: one lane per removed job.
//!
//! Each lane evaluates the order without its own job by the recurrences of [`super::insertion`]: a forward pass stores
//! the heads, a backward pass computes the tails and combines them with the heads position by position. A lane's order
//! agrees with the full order before its removed job and is shifted by one behind it, so lanes differ only between the
//! first and the last removed position; everywhere else all lanes read the same job.

pub(crate) mod setups;

use super::insertion::FlowShopProblem;
use gridwright_core::lanes::lanes;

/// Jobs removed side by side, one per lane.
pub(crate) const SIDE_BY_SIDE: usize = 16;

/// Lane type of times: 16 bits if every makespan fits, otherwise 32.
pub(crate) trait Time: Copy + Ord + Default + Send + Sync + std::fmt::Debug {
    /// Largest value of the type.
    const MAX: Self;

    /// Converts a processing time that fits.
    fn of(time: u32) -> Self;

    /// Widens to 32 bits.
    fn wide(self) -> u32;

    /// Wrapping sum; it cannot overflow in used lanes, and the value of unused lanes is irrelevant.
    fn plus(self, other: Self) -> Self;
}

macro_rules! time {
    ($type:ty) => {
        impl Time for $type {
            const MAX: Self = <$type>::MAX;

            #[inline(always)]
            fn of(time: u32) -> Self {
                time as $type
            }

            #[inline(always)]
            fn wide(self) -> u32 {
                u32::from(self)
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    };
}

time!(u16);
time!(u32);

type Lanes<T> = [T; SIDE_BY_SIDE];

/// max(a, b) + time, lane by lane.
#[inline(always)]
fn later<T: Time>(a: Lanes<T>, b: Lanes<T>, time: Lanes<T>) -> Lanes<T> {
    lanes(|lane| a[lane].max(b[lane]).plus(time[lane]))
}

/// Tables of [`SIDE_BY_SIDE`] orders, one per lane.
#[derive(Debug, Clone)]
struct Lanewise<T> {
    /// Processing times, row-major, jobs × machines.
    times: Vec<T>,
    /// Heads: completion of the first k jobs of each lane's order, entry k · machines + machine.
    heads: Vec<Lanes<T>>,
    /// Tails behind the current position, by machine.
    tails: Vec<Lanes<T>>,
    /// Processing times of the removed jobs, by machine.
    taken: Vec<Lanes<T>>,
}

impl<T: Time> Lanewise<T> {
    fn new(problem: &FlowShopProblem) -> Self {
        let machines = problem.machines;
        let times = (0..problem.jobs()).flat_map(|job| problem.row(job as u16)).map(|&time| T::of(time)).collect();
        Self {
            times,
            heads: vec![[T::default(); SIDE_BY_SIDE]; problem.jobs().max(1) * machines],
            tails: vec![[T::default(); SIDE_BY_SIDE]; machines],
            taken: vec![[T::default(); SIDE_BY_SIDE]; machines],
        }
    }

    /// Implements [`MakespanNeighbourhood::best`].
    #[inline(always)]
    fn best(&mut self, machines: usize, order: &[u16], positions: &[usize]) -> [u32; SIDE_BY_SIDE] {
        let Self { times, heads, tails, taken } = self;
        let row = |job: u16| &times[usize::from(job) * machines..][..machines];
        // Unused lanes repeat the first one.
        let out: [usize; SIDE_BY_SIDE] = lanes(|lane| positions.get(lane).or(positions.first()).copied().unwrap_or(0));
        let (first, last) = (out.iter().copied().min().unwrap_or(0), out.iter().copied().max().unwrap_or(0));
        for (machine, taken) in taken.iter_mut().enumerate() {
            *taken = lanes(|lane| row(order[out[lane]])[machine]);
        }
        let length = order.len() - 1;
        heads[..machines].fill([T::default(); SIDE_BY_SIDE]);
        for number in 0..length.saturating_sub(1) {
            let (done, next) = heads[number * machines..].split_at_mut(machines);
            let next = &mut next[..machines];
            let mut before = [T::default(); SIDE_BY_SIDE];
            if number >= first && number < last {
                let (own, behind) = (row(order[number]), row(order[number + 1]));
                let early: [bool; SIDE_BY_SIDE] = lanes(|lane| number < out[lane]);
                for (((done, next), &own), &behind) in done.iter().zip(next).zip(own).zip(behind) {
                    let time = lanes(|lane| if early[lane] { own } else { behind });
                    before = later(before, *done, time);
                    *next = before;
                }
            } else {
                let job = order[if number < first { number } else { number + 1 }];
                for ((done, next), &time) in done.iter().zip(next).zip(row(job)) {
                    before = later(before, *done, [time; SIDE_BY_SIDE]);
                    *next = before;
                }
            }
        }
        // The last position has no tail and is computed separately.
        tails.fill([T::default(); SIDE_BY_SIDE]);
        let mut best = [T::MAX; SIDE_BY_SIDE];
        if length > 0 {
            best = Self::at_the_end(machines, heads, taken, length, order, &out, times);
        }
        for number in (0..length).rev() {
            let mut behind = [T::default(); SIDE_BY_SIDE];
            let choice = number >= first && number < last;
            let (own, next) = if choice {
                (row(order[number]), row(order[number + 1]))
            } else {
                let job = order[if number < first { number } else { number + 1 }];
                (row(job), row(job))
            };
            if choice {
                let early: [bool; SIDE_BY_SIDE] = lanes(|lane| number < out[lane]);
                for ((tail, &own), &next) in tails.iter_mut().zip(own).zip(next).rev() {
                    let time = lanes(|lane| if early[lane] { own } else { next });
                    behind = later(behind, *tail, time);
                    *tail = behind;
                }
            } else {
                for (tail, &time) in tails.iter_mut().zip(own).rev() {
                    behind = later(behind, *tail, [time; SIDE_BY_SIDE]);
                    *tail = behind;
                }
            }
            let (mut done, mut longest) = ([T::default(); SIDE_BY_SIDE], [T::default(); SIDE_BY_SIDE]);
            for ((head, taken), tail) in
                heads[number * machines..][..machines].iter().zip(taken.iter()).zip(tails.iter())
            {
                done = later(done, *head, *taken);
                longest = lanes(|lane| longest[lane].max(done[lane].plus(tail[lane])));
            }
            best = lanes(|lane| best[lane].min(longest[lane]));
        }
        if length == 0 {
            let zero = [T::default(); SIDE_BY_SIDE];
            best = taken.iter().fold(zero, |done, time| later(done, zero, *time));
        }
        lanes(|lane| best[lane].wide())
    }

    /// Makespans with each removed job in the last position.
    #[inline(always)]
    fn at_the_end(
        machines: usize, heads: &[Lanes<T>], taken: &[Lanes<T>], length: usize, order: &[u16],
        out: &[usize; SIDE_BY_SIDE], times: &[T],
    ) -> Lanes<T> {
        let before: [u16; SIDE_BY_SIDE] = lanes(|lane| order[length - usize::from(length <= out[lane])]);
        let (mut done, mut own) = ([T::default(); SIDE_BY_SIDE], [T::default(); SIDE_BY_SIDE]);
        for machine in 0..machines {
            let time = lanes(|lane| times[usize::from(before[lane]) * machines + machine]);
            done = later(done, heads[(length - 1) * machines + machine], time);
            own = later(own, done, taken[machine]);
        }
        own
    }
}

/// Returns `true` if 16 bits hold the makespan of every order without set-ups.
pub(crate) fn is_narrow(problem: &FlowShopProblem) -> bool {
    most(problem) < u64::from(u16::MAX)
}

/// Upper bound of the makespan of every order without set-ups.
fn most(problem: &FlowShopProblem) -> u64 {
    // The critical path visits every job once and moves to the next machine m − 1 times, each time within one job.
    let longest = |row: &[u32]| u64::from(row.iter().copied().max().unwrap_or(0));
    let longest_operations = (0..problem.jobs()).map(|job| longest(problem.row(job as u16)));
    longest_operations.clone().sum::<u64>() + longest_operations.max().unwrap_or(0) * problem.machines as u64
}

/// Evaluator of the whole insertion neighbourhood for the makespan without release dates.
#[derive(Debug, Clone)]
pub(crate) struct MakespanNeighbourhood(Width);

#[derive(Debug, Clone)]
enum Width {
    Narrow(Lanewise<u16>),
    Wide(Lanewise<u32>),
}

impl MakespanNeighbourhood {
    /// Allocates the tables; `None` if the objective has no acceleration.
    pub(crate) fn new(problem: &FlowShopProblem) -> Option<Self> {
        if !problem.is_accelerated() {
            return None;
        }
        let narrow = is_narrow(problem);
        Some(Self(if narrow { Width::Narrow(Lanewise::new(problem)) } else { Width::Wide(Lanewise::new(problem)) }))
    }

    /// Least makespan over all insertion positions, for each of at most [`SIDE_BY_SIDE`] removed jobs given by their
    /// `positions` in `order`. Entry l of the result belongs to `positions[l]`; the rest is unspecified.
    ///
    /// # Panics
    /// If the order is empty or a position is outside of it.
    #[inline(always)]
    pub(crate) fn best(
        &mut self, problem: &FlowShopProblem, order: &[u16], positions: &[usize],
    ) -> [u32; SIDE_BY_SIDE] {
        match &mut self.0 {
            Width::Narrow(lanes) => lanes.best(problem.machines, order, positions),
            Width::Wide(lanes) => lanes.best(problem.machines, order, positions),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Objective;
    use crate::insertion::Tables;
    use crate::tests::instance_of;

    proptest! {
        /// Every lane agrees with inserting its job into the order without it, with 16 and with 32 bits.
        #[test]
        fn every_lane_finds_what_insertion_finds(
            jobs in 1_usize..40,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 300),
            long: bool,
            taken in proptest::collection::vec(0_usize..40, 1..=SIDE_BY_SIDE),
        ) {
            let instance = instance_of(jobs, machines, &numbers, if long { 1_000 } else { 1 }, false);
            let problem = FlowShopProblem::new(&instance, Objective::Makespan);
            let order: Vec<u16> = (0..jobs as u16).rev().collect();
            let positions: Vec<usize> = taken.iter().map(|position| position % jobs).collect();
            let mut neighbourhood = MakespanNeighbourhood::new(&problem).unwrap();
            // Stale tables must not matter.
            neighbourhood.best(&problem, &order, &[0]);
            let best = neighbourhood.best(&problem, &order, &positions);
            let mut tables = Tables::new(&problem);
            for (lane, &position) in positions.iter().enumerate() {
                let mut rest = order.clone();
                let job = rest.remove(position);
                prop_assert_eq!(u64::from(best[lane]), tables.insert(&problem, &rest, job).cost, "lane {}", lane);
            }
        }
    }

    #[test]
    fn other_objectives_have_none() {
        let instance = crate::library::taillard("ta001").unwrap();
        assert!(MakespanNeighbourhood::new(&FlowShopProblem::new(&instance, Objective::FlowTime)).is_none());
    }
}
