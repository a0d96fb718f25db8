//! The makespans of all insertions of some jobs, side by side: a lane per job that is taken out.
//!
//! Every lane walks over its own order, which lacks its own job, with the recurrences of [`super::insertion`]: forward for
//! the heads, which are kept, and backward for the tails, which meet the heads at once. Before the job that a lane has
//! taken out its order is that of all, behind it the next one: so only the positions between the first and the last job taken
//! out need a choice.

use super::insertion::Problem;

/// Jobs that are taken out side by side.
pub const SIDE_BY_SIDE: usize = 16;

/// Times in lanes: 16 bits where every makespan fits, otherwise 32.
pub trait Time: Copy + Ord + Default + Send + Sync + std::fmt::Debug {
    /// The largest.
    const MAX: Self;

    /// From a processing time, which fits.
    fn of(time: u32) -> Self;

    /// The same as a number.
    fn wide(self) -> u32;

    /// The sum, which fits where lanes are in use; what is in the others does not matter.
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

/// The largest of two, plus a time, lane by lane.
#[inline(always)]
fn later<T: Time>(one: Lanes<T>, other: Lanes<T>, time: Lanes<T>) -> Lanes<T> {
    std::array::from_fn(|lane| one[lane].max(other[lane]).plus(time[lane]))
}

/// Room for the tables of [`SIDE_BY_SIDE`] orders.
#[derive(Debug, Clone)]
struct Lanewise<T> {
    /// Times of all jobs, machine by machine.
    times: Vec<T>,
    /// When the first k jobs of every lane are done: machine by machine for each k.
    heads: Vec<Lanes<T>>,
    /// What follows behind the present position, machine by machine.
    tails: Vec<Lanes<T>>,
    /// Times of the jobs that were taken out.
    taken: Vec<Lanes<T>>,
}

impl<T: Time> Lanewise<T> {
    fn new(problem: &Problem) -> Self {
        let machines = problem.machines;
        let times = (0..problem.jobs()).flat_map(|job| problem.row(job as u16)).map(|&time| T::of(time)).collect();
        Self {
            times,
            heads: vec![[T::default(); SIDE_BY_SIDE]; problem.jobs().max(1) * machines],
            tails: vec![[T::default(); SIDE_BY_SIDE]; machines],
            taken: vec![[T::default(); SIDE_BY_SIDE]; machines],
        }
    }

    /// As [`Neighbourhood::best`].
    #[inline(always)]
    fn best(&mut self, machines: usize, order: &[u16], positions: &[usize]) -> [u32; SIDE_BY_SIDE] {
        let Self { times, heads, tails, taken } = self;
        let row = |job: u16| &times[usize::from(job) * machines..][..machines];
        // Lanes that are not in use do what the first one does.
        let out: [usize; SIDE_BY_SIDE] =
            std::array::from_fn(|lane| positions.get(lane).or(positions.first()).copied().unwrap_or(0));
        let (first, last) = (out.iter().copied().min().unwrap_or(0), out.iter().copied().max().unwrap_or(0));
        for (machine, taken) in taken.iter_mut().enumerate() {
            *taken = std::array::from_fn(|lane| row(order[out[lane]])[machine]);
        }
        let length = order.len() - 1;
        heads[..machines].fill([T::default(); SIDE_BY_SIDE]);
        for number in 0..length.saturating_sub(1) {
            let (done, next) = heads[number * machines..].split_at_mut(machines);
            let next = &mut next[..machines];
            let mut before = [T::default(); SIDE_BY_SIDE];
            if number >= first && number < last {
                let (own, behind) = (row(order[number]), row(order[number + 1]));
                let early: [bool; SIDE_BY_SIDE] = std::array::from_fn(|lane| number < out[lane]);
                for (((done, next), &own), &behind) in done.iter().zip(next).zip(own).zip(behind) {
                    let time = std::array::from_fn(|lane| if early[lane] { own } else { behind });
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
        // Heads of all jobs are met by no tails: the last row is computed where it is used.
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
                let early: [bool; SIDE_BY_SIDE] = std::array::from_fn(|lane| number < out[lane]);
                for ((tail, &own), &next) in tails.iter_mut().zip(own).zip(next).rev() {
                    let time = std::array::from_fn(|lane| if early[lane] { own } else { next });
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
                longest = std::array::from_fn(|lane| longest[lane].max(done[lane].plus(tail[lane])));
            }
            best = std::array::from_fn(|lane| best[lane].min(longest[lane]));
        }
        if length == 0 {
            let zero = [T::default(); SIDE_BY_SIDE];
            best = taken.iter().fold(zero, |done, time| later(done, zero, *time));
        }
        best.map(Time::wide)
    }

    /// The makespans with the jobs at the end of their orders.
    #[inline(always)]
    fn at_the_end(
        machines: usize,
        heads: &[Lanes<T>],
        taken: &[Lanes<T>],
        length: usize,
        order: &[u16],
        out: &[usize; SIDE_BY_SIDE],
        times: &[T],
    ) -> Lanes<T> {
        let before: [u16; SIDE_BY_SIDE] = std::array::from_fn(|lane| order[length - usize::from(length <= out[lane])]);
        let (mut done, mut own) = ([T::default(); SIDE_BY_SIDE], [T::default(); SIDE_BY_SIDE]);
        for machine in 0..machines {
            let time = std::array::from_fn(|lane| times[usize::from(before[lane]) * machines + machine]);
            done = later(done, heads[(length - 1) * machines + machine], time);
            own = later(own, done, taken[machine]);
        }
        own
    }
}

/// Whether 16 bits hold the makespan of every order.
pub fn is_narrow(problem: &Problem) -> bool {
    // No order takes longer: its critical path goes through every job, and to the next machine once for each.
    let longest = |row: &[u32]| u64::from(row.iter().copied().max().unwrap_or(0));
    let each = (0..problem.jobs()).map(|job| longest(problem.row(job as u16)));
    let most = each.clone().sum::<u64>() + each.max().unwrap_or(0) * problem.machines as u64;
    most < u64::from(u16::MAX)
}

/// The whole insertion neighbourhood, for the makespan of jobs that are all there from the beginning.
#[derive(Debug, Clone)]
pub struct Neighbourhood(Width);

#[derive(Debug, Clone)]
enum Width {
    Narrow(Lanewise<u16>),
    Wide(Lanewise<u32>),
}

impl Neighbourhood {
    /// Room for the orders of a problem; `None` where its objective has no such trick.
    pub fn new(problem: &Problem) -> Option<Self> {
        if !problem.is_accelerated() {
            return None;
        }
        let narrow = is_narrow(problem);
        Some(Self(if narrow { Width::Narrow(Lanewise::new(problem)) } else { Width::Wide(Lanewise::new(problem)) }))
    }

    /// The least makespan with each of at most [`SIDE_BY_SIDE`] jobs, given by their positions in `order`, put anywhere, the
    /// other jobs as they stand; one makespan per position that was given.
    ///
    /// # Panics
    /// Where the order is empty or a position is not in it.
    #[inline(always)]
    pub fn best(&mut self, problem: &Problem, order: &[u16], positions: &[usize]) -> [u32; SIDE_BY_SIDE] {
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
    use crate::flowshop::insertion::Tables;
    use crate::flowshop::{Instance, Objective};

    proptest! {
        /// Every lane finds what inserting its job into the order without it finds, with 16 and with 32 bits.
        #[test]
        fn every_lane_finds_what_insertion_finds(
            jobs in 1_usize..40,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 300),
            long: bool,
            taken in proptest::collection::vec(0_usize..40, 1..=SIDE_BY_SIDE),
        ) {
            let scale = if long { 1_000 } else { 1 };
            let times = (0..jobs * machines).map(|number| scale * numbers[number % numbers.len()]).collect();
            let instance = Instance::of_times("random", machines, times).unwrap();
            let problem = Problem::new(&instance, Objective::Makespan);
            let order: Vec<u16> = (0..jobs as u16).rev().collect();
            let positions: Vec<usize> = taken.iter().map(|position| position % jobs).collect();
            let mut neighbourhood = Neighbourhood::new(&problem).unwrap();
            // What is left in the tables does not matter.
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
        let instance = crate::flowshop::library::taillard("ta001").unwrap();
        assert!(Neighbourhood::new(&Problem::new(&instance, Objective::FlowTime)).is_none());
    }
}
