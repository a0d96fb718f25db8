//! The values of all objectives for every insertion of a job, and for every exchange with a position: [`LANES`] neighbours
//! side by side.
//!
//! A sweep of neighbours begins where the first of them differs from the order (the prefix is common), looks at every
//! position once, and ends with
//!
//! ```text
//! C_{i,k} = max(C_{i−1,k}, C_{i,k−1}) + p_{i,π(k)},   makespan C_{m,n},   Σ C_{m,k},   Σ max(0, C_{m,k} − d),   |{C_{m,k} > d}|
//! ```
//!
//! in every lane. In a block of insertions the job stands in lane l at position first + l: behind it all lanes see the same
//! jobs. Lane [`LANES`] − 1 holds the order without the job until the block's last position, which is where the next block
//! begins: so no sweep is made for the prefixes alone. Times have 16 bits where every makespan fits, otherwise 32.

use crate::flowshop::neighbourhood::Time;
use crate::flowshop::{Instance, Objective};
use crate::search::pareto::Point;

/// Neighbours that are computed side by side.
pub const LANES: usize = 16;

/// The values of all objectives, in the order of [`Objective::ALL`]; 0 for lateness of jobs without due dates.
pub type Values = Point;

/// What sums of times need beside the times.
trait Lane: Time {
    /// Holds the sum over all jobs.
    type Sum: Copy + Default + Send + Sync + std::fmt::Debug + std::ops::AddAssign;

    fn sum(self) -> Self::Sum;
    fn total(sum: Self::Sum) -> u64;
    fn beyond(self, due: Self) -> Self;
    fn one_if(happens: bool) -> Self;

    /// All bits where it holds, none where not.
    fn mask(holds: bool) -> Self;

    /// Of the three that whose mask has bits; no two have.
    fn choose(of: [(Self, Self); 3]) -> Self;
}

macro_rules! lane {
    ($time:ty, $sum:ty) => {
        impl Lane for $time {
            type Sum = $sum;

            #[inline(always)]
            fn sum(self) -> $sum {
                <$sum>::from(self)
            }

            #[inline(always)]
            fn total(sum: $sum) -> u64 {
                u64::from(sum)
            }

            #[inline(always)]
            fn beyond(self, due: $time) -> $time {
                self.saturating_sub(due)
            }

            #[inline(always)]
            fn one_if(happens: bool) -> $time {
                <$time>::from(happens)
            }

            #[inline(always)]
            fn mask(holds: bool) -> $time {
                if holds { <$time>::MAX } else { 0 }
            }

            #[inline(always)]
            fn choose([(a, in_a), (b, in_b), (c, in_c)]: [($time, $time); 3]) -> $time {
                (a & in_a) | (b & in_b) | (c & in_c)
            }
        }
    };
}

// 65,535 jobs of less than 2¹⁶ each fit into 32 bits, and of less than 2³² each into 64.
lane!(u16, u32);
lane!(u32, u64);

type Lanes<T> = [T; LANES];

/// An instance as the lanes read it.
#[derive(Debug, Clone)]
struct Rows<T> {
    machines: usize,
    times: Vec<T>,
    due: Vec<T>,
    release: Vec<T>,
}

impl<T: Lane> Rows<T> {
    fn new(instance: &Instance) -> Self {
        // No completion time reaches the largest number of the lane.
        let due = |due: Option<u32>| due.unwrap_or(u32::MAX).min(T::MAX.wide());
        Self {
            machines: instance.machine_count(),
            times: instance.times.iter().map(|&time| T::of(time)).collect(),
            due: instance.jobs.iter().map(|job| T::of(due(job.due))).collect(),
            release: instance.jobs.iter().map(|job| T::of(job.release)).collect(),
        }
    }

    #[inline(always)]
    fn row(&self, job: u16) -> &[T] {
        &self.times[usize::from(job) * self.machines..][..self.machines]
    }

    #[inline(always)]
    fn due(&self, job: u16) -> T {
        self.due[usize::from(job)]
    }

    #[inline(always)]
    fn release(&self, job: u16) -> T {
        self.release[usize::from(job)]
    }
}

/// The sums over the jobs so far.
#[derive(Debug, Clone, Copy, Default)]
struct Sums<T: Lane> {
    done: T,
    flow: T::Sum,
    late: T::Sum,
    tardy: T,
}

impl<T: Lane> Sums<T> {
    #[inline(always)]
    fn add(&mut self, done: T, due: T) {
        let beyond = done.beyond(due);
        self.done = done;
        self.flow += done.sum();
        self.late += beyond.sum();
        self.tardy = self.tardy.plus(T::one_if(beyond > T::default()));
    }

    fn values(&self) -> Values {
        [u64::from(self.done.wide()), T::total(self.flow), T::total(self.late), u64::from(self.tardy.wide())]
    }
}

/// The same in lanes.
#[derive(Debug, Clone, Copy)]
struct SumLanes<T: Lane> {
    done: Lanes<T>,
    flow: Lanes<T::Sum>,
    late: Lanes<T::Sum>,
    tardy: Lanes<T>,
}

impl<T: Lane> SumLanes<T> {
    #[inline(always)]
    fn all(sums: &Sums<T>) -> Self {
        Self {
            done: [sums.done; LANES],
            flow: [sums.flow; LANES],
            late: [sums.late; LANES],
            tardy: [sums.tardy; LANES],
        }
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> Sums<T> {
        Sums { done: self.done[lane], flow: self.flow[lane], late: self.late[lane], tardy: self.tardy[lane] }
    }

    #[inline(always)]
    fn add(&mut self, done: Lanes<T>, due: Lanes<T>) {
        self.done = done;
        for lane in 0..LANES {
            self.flow[lane] += done[lane].sum();
        }
        let beyond: Lanes<T> = std::array::from_fn(|lane| done[lane].beyond(due[lane]));
        for lane in 0..LANES {
            self.late[lane] += beyond[lane].sum();
        }
        for lane in 0..LANES {
            self.tardy[lane] = self.tardy[lane].plus(T::one_if(beyond[lane] > T::default()));
        }
    }
}

/// Room for a sweep.
#[derive(Debug, Clone)]
struct Room<T: Lane> {
    /// When the lanes are done with each machine.
    done: Vec<Lanes<T>>,
    /// The times of the job that the lanes put into different places.
    own: Vec<Lanes<T>>,
    /// For each place in a block which lanes are behind it, at it and before it.
    masks: Vec<[Lanes<T>; 3]>,
    /// When the prefix before a block is done with each machine.
    head: Vec<T>,
    sums: Sums<T>,
    /// Prefixes of an order, machine by machine for each, and their sums.
    heads: Vec<T>,
    head_sums: Vec<Sums<T>>,
}

impl<T: Lane> Room<T> {
    fn new(rows: &Rows<T>) -> Self {
        let machines = rows.machines;
        Self {
            done: vec![[T::default(); LANES]; machines],
            own: vec![[T::default(); LANES]; machines],
            masks: (0..LANES)
                .map(|here| {
                    [
                        std::array::from_fn(|lane| T::mask(lane > here)),
                        std::array::from_fn(|lane| T::mask(lane == here)),
                        std::array::from_fn(|lane| T::mask(lane < here)),
                    ]
                })
                .collect(),
            head: vec![T::default(); machines],
            sums: Sums::default(),
            heads: Vec::new(),
            head_sums: Vec::new(),
        }
    }

    /// One further job behind the prefix.
    #[inline(always)]
    fn advance(&mut self, rows: &Rows<T>, job: u16) {
        let mut before = rows.release(job);
        for (head, &time) in self.head.iter_mut().zip(rows.row(job)) {
            before = before.max(*head).plus(time);
            *head = before;
        }
        self.sums.add(before, rows.due(job));
    }

    /// All lanes go on with the same job.
    #[inline(always)]
    fn together(&mut self, rows: &Rows<T>, sums: &mut SumLanes<T>, job: u16) {
        let mut before = [rows.release(job); LANES];
        for (done, &time) in self.done.iter_mut().zip(rows.row(job)) {
            before = std::array::from_fn(|lane| before[lane].max(done[lane]).plus(time));
            *done = before;
        }
        sums.add(before, [rows.due(job); LANES]);
    }

    /// Lane `here` goes on with `own`, lanes behind it with `early` and lanes before it with `late`.
    ///
    /// `self.own` holds the times of `own`.
    #[inline(always)]
    fn apart(&mut self, rows: &Rows<T>, sums: &mut SumLanes<T>, here: usize, [early, own, late]: [u16; 3]) {
        // From a table: what the compiler knows of masks it turns back into conditions, lane by lane.
        let [in_early, in_own, in_late] = self.masks[here];
        let choose = |early: T, own: T, late: T| -> Lanes<T> {
            let mut chosen = [T::default(); LANES];
            for lane in 0..LANES {
                chosen[lane] = T::choose([(early, in_early[lane]), (own, in_own[lane]), (late, in_late[lane])]);
            }
            chosen
        };
        let mut before = choose(rows.release(early), rows.release(own), rows.release(late));
        let times = self.own.iter().zip(rows.row(early)).zip(rows.row(late));
        for (done, ((own, &early), &late)) in self.done.iter_mut().zip(times) {
            for lane in 0..LANES {
                let time = T::choose([(early, in_early[lane]), (own[lane], in_own[lane]), (late, in_late[lane])]);
                before[lane] = before[lane].max(done[lane]).plus(time);
            }
            *done = before;
        }
        sums.add(before, choose(rows.due(early), rows.due(own), rows.due(late)));
    }

    /// Spreads the times of the job that lanes put into different places.
    #[inline(always)]
    fn spread(&mut self, rows: &Rows<T>, job: u16) {
        for (own, &time) in self.own.iter_mut().zip(rows.row(job)) {
            *own = [time; LANES];
        }
    }

    /// Every lane goes on with its own job.
    #[inline(always)]
    fn each(&mut self, rows: &Rows<T>, sums: &mut SumLanes<T>, jobs: [u16; LANES]) {
        let mut before: Lanes<T> = jobs.map(|job| rows.release(job));
        for (machine, done) in self.done.iter_mut().enumerate() {
            let time: Lanes<T> = jobs.map(|job| rows.times[usize::from(job) * rows.machines + machine]);
            before = std::array::from_fn(|lane| before[lane].max(done[lane]).plus(time[lane]));
            *done = before;
        }
        sums.add(before, jobs.map(|job| rows.due(job)));
    }

    /// As [`Evaluator::insert`].
    #[inline(always)]
    fn insert(&mut self, rows: &Rows<T>, base: &[u16], job: u16, out: &mut Vec<Values>) {
        out.clear();
        self.head.fill(T::default());
        self.sums = Sums::default();
        self.spread(rows, job);
        let last = base.len();
        for first in (0..=last).step_by(LANES) {
            for (done, &head) in self.done.iter_mut().zip(&self.head) {
                *done = [head; LANES];
            }
            let mut sums = SumLanes::all(&self.sums);
            for here in 0..LANES.min(last - first + 1) {
                let position = first + here;
                if here == LANES - 1 && position < last {
                    // This lane has seen no other job than the order's yet: the next block begins behind it.
                    for (head, done) in self.head.iter_mut().zip(&self.done) {
                        *head = done[LANES - 1];
                    }
                    self.sums = sums.lane(LANES - 1);
                    self.advance(rows, base[position]);
                }
                let early = base.get(position).copied().unwrap_or(job);
                let late = if here == 0 { job } else { base[position - 1] };
                self.apart(rows, &mut sums, here, [early, job, late]);
            }
            for &late in base.get(first + LANES - 1..).unwrap_or_default() {
                self.together(rows, &mut sums, late);
            }
            out.extend((0..LANES.min(last - first + 1)).map(|lane| sums.lane(lane).values()));
        }
    }

    /// As [`Evaluator::prepare`].
    #[inline(always)]
    fn prepare(&mut self, rows: &Rows<T>, order: &[u16]) {
        self.head.fill(T::default());
        self.sums = Sums::default();
        self.heads.clear();
        self.head_sums.clear();
        for &job in order {
            self.heads.extend_from_slice(&self.head);
            self.head_sums.push(self.sums);
            self.advance(rows, job);
        }
    }

    /// As [`Evaluator::exchange`].
    #[inline(always)]
    fn exchange(&mut self, rows: &Rows<T>, order: &[u16], position: usize, out: &mut Vec<Values>) {
        out.clear();
        let (moved, machines) = (order[position], rows.machines);
        self.spread(rows, moved);
        for first in (position + 1..order.len()).step_by(LANES) {
            for (done, &head) in self.done.iter_mut().zip(&self.heads[position * machines..]) {
                *done = [head; LANES];
            }
            let mut sums = SumLanes::all(&self.head_sums[position]);
            // Lanes behind the last position do what the last one does, as far as that goes.
            self.each(rows, &mut sums, std::array::from_fn(|lane| order[(first + lane).min(order.len() - 1)]));
            for &job in &order[position + 1..first] {
                self.together(rows, &mut sums, job);
            }
            let lanes = LANES.min(order.len() - first);
            for here in 0..lanes {
                let job = order[first + here];
                self.apart(rows, &mut sums, here, [job, moved, job]);
            }
            for &job in &order[first + lanes..] {
                self.together(rows, &mut sums, job);
            }
            out.extend((0..lanes).map(|lane| sums.lane(lane).values()));
        }
    }
}

/// An instance as the searches for fronts read it.
#[derive(Debug, Clone)]
pub struct Shop {
    /// Number of jobs.
    pub jobs: usize,
    /// Number of machines.
    pub machines: usize,
    width: Width,
}

#[derive(Debug, Clone)]
enum Width {
    Narrow(Rows<u16>),
    Wide(Rows<u32>),
}

impl Shop {
    /// Of an instance.
    pub fn new(instance: &Instance) -> Self {
        // No order takes longer: its critical path goes through every job, and to the next machine once for each.
        let longest = |job: usize| u64::from(instance.row(job).iter().copied().max().unwrap_or(0));
        let each = || (0..instance.job_count()).map(longest);
        let release = instance.jobs.iter().map(|job| u64::from(job.release)).max().unwrap_or(0);
        let most = release + each().sum::<u64>() + each().max().unwrap_or(0) * instance.machine_count() as u64;
        let narrow = most < u64::from(u16::MAX);
        Self {
            jobs: instance.job_count(),
            machines: instance.machine_count(),
            width: if narrow { Width::Narrow(Rows::new(instance)) } else { Width::Wide(Rows::new(instance)) },
        }
    }

    /// The values of an order.
    pub fn values(&self, order: &[u16]) -> Values {
        fn of<T: Lane>(rows: &Rows<T>, order: &[u16]) -> Values {
            let mut room = Room::new(rows);
            order.iter().for_each(|&job| room.advance(rows, job));
            room.sums.values()
        }
        match &self.width {
            Width::Narrow(rows) => of(rows, order),
            Width::Wide(rows) => of(rows, order),
        }
    }
}

/// Computes neighbours of orders of a [`Shop`].
#[derive(Debug, Clone)]
pub struct Evaluator {
    room: RoomWidth,
    /// The values of the neighbours, as [`Self::insert`] or [`Self::exchange`] left them.
    pub values: Vec<Values>,
}

#[derive(Debug, Clone)]
enum RoomWidth {
    Narrow(Room<u16>),
    Wide(Room<u32>),
}

impl Evaluator {
    /// Room for the neighbours of orders.
    pub fn new(shop: &Shop) -> Self {
        let room = match &shop.width {
            Width::Narrow(rows) => RoomWidth::Narrow(Room::new(rows)),
            Width::Wide(rows) => RoomWidth::Wide(Room::new(rows)),
        };
        Self { room, values: Vec::with_capacity(shop.jobs + 1) }
    }

    /// The values with `job`, which is not in `base`, in every position: `base.len() + 1` of them.
    #[inline(always)]
    pub fn insert(&mut self, shop: &Shop, base: &[u16], job: u16) {
        match (&shop.width, &mut self.room) {
            (Width::Narrow(rows), RoomWidth::Narrow(room)) => room.insert(rows, base, job, &mut self.values),
            (Width::Wide(rows), RoomWidth::Wide(room)) => room.insert(rows, base, job, &mut self.values),
            // An evaluator is used with the shop that it was made for.
            _ => self.values.clear(),
        }
    }

    /// Computes the prefixes of an order, for [`Self::exchange`].
    #[inline(always)]
    pub fn prepare(&mut self, shop: &Shop, order: &[u16]) {
        match (&shop.width, &mut self.room) {
            (Width::Narrow(rows), RoomWidth::Narrow(room)) => room.prepare(rows, order),
            (Width::Wide(rows), RoomWidth::Wide(room)) => room.prepare(rows, order),
            _ => {}
        }
    }

    /// The values with the job in `position` exchanged with each one behind it, of the order that was prepared.
    #[inline(always)]
    pub fn exchange(&mut self, shop: &Shop, order: &[u16], position: usize) {
        match (&shop.width, &mut self.room) {
            (Width::Narrow(rows), RoomWidth::Narrow(room)) => room.exchange(rows, order, position, &mut self.values),
            (Width::Wide(rows), RoomWidth::Wide(room)) => room.exchange(rows, order, position, &mut self.values),
            _ => self.values.clear(),
        }
    }
}

// The place of an objective in a list of values is its number.
const _: () = assert!(Objective::Makespan as usize == 0 && Objective::FlowTime as usize == 1);
const _: () = assert!(Objective::Tardiness as usize == 2 && Objective::Tardy as usize == 3);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::flowshop::Schedule;

    fn instance(jobs: usize, machines: usize, numbers: &[u32], scale: u32, release: bool) -> Instance {
        let times = (0..jobs * machines).map(|number| scale * numbers[number % numbers.len()]).collect();
        let mut instance = Instance::of_times("random", machines, times).unwrap();
        for (number, job) in instance.jobs.iter_mut().enumerate() {
            job.due = Some(scale * numbers[number % numbers.len()] * (1 + number as u32 % 7));
            job.release = if release { scale * numbers[(number + 3) % numbers.len()] } else { 0 };
        }
        instance
    }

    fn reference(instance: &Instance, order: &[u16]) -> Values {
        let schedule = Schedule::new(instance, order);
        Objective::ALL.map(|objective| schedule.value(instance, objective))
    }

    proptest! {
        /// Every neighbour has the values that its order has when it is counted from the beginning, with 16 and 32 bits.
        #[test]
        fn every_neighbour_has_the_values_of_a_recount(
            jobs in 1_usize..55,
            machines in 1_usize..7,
            numbers in proptest::collection::vec(0_u32..100, 300),
            long: bool,
            release: bool,
            position in 0_usize..55,
        ) {
            let instance = instance(jobs, machines, &numbers, if long { 1_000 } else { 1 }, release);
            let shop = Shop::new(&instance);
            let mut evaluator = Evaluator::new(&shop);
            let order: Vec<u16> = (0..jobs as u16).rev().collect();
            let position = position % jobs;
            prop_assert_eq!(shop.values(&order), reference(&instance, &order));
            let mut base = order.clone();
            let job = base.remove(position);
            // What an earlier sweep left does not matter.
            evaluator.insert(&shop, &order[1..], order[0]);
            evaluator.insert(&shop, &base, job);
            prop_assert_eq!(evaluator.values.len(), jobs);
            for target in 0..jobs {
                let mut neighbour = base.clone();
                neighbour.insert(target, job);
                prop_assert_eq!(evaluator.values[target], reference(&instance, &neighbour), "to {}", target);
            }
            evaluator.prepare(&shop, &order);
            evaluator.exchange(&shop, &order, position);
            prop_assert_eq!(evaluator.values.len(), jobs - 1 - position);
            for (number, values) in evaluator.values.iter().enumerate() {
                let mut neighbour = order.clone();
                neighbour.swap(position, position + 1 + number);
                prop_assert_eq!(*values, reference(&instance, &neighbour), "with {}", position + 1 + number);
            }
        }
    }
}
