//! Sweeps over the positions of orders, [`LANES`] orders side by side: see [`super`].

use super::{LANES, Values};
use crate::flowshop::Instance;
use crate::flowshop::neighbourhood::Time;

/// What sums of times need beside the times.
pub(super) trait Lane: Time {
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
pub(super) struct Rows<T> {
    machines: usize,
    times: Vec<T>,
    due: Vec<T>,
    release: Vec<T>,
}

impl<T: Lane> Rows<T> {
    pub(super) fn new(instance: &Instance) -> Self {
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
pub(super) struct Sums<T: Lane> {
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

    pub(super) fn values(&self) -> Values {
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
pub(super) struct Room<T: Lane> {
    /// When the lanes are done with each machine.
    done: Vec<Lanes<T>>,
    /// The times of the job that the lanes put into different places.
    own: Vec<Lanes<T>>,
    /// For each place in a block which lanes are behind it, at it and before it.
    masks: Vec<[Lanes<T>; 3]>,
    /// When the prefix before a block is done with each machine.
    head: Vec<T>,
    pub(super) sums: Sums<T>,
    /// Prefixes of an order, machine by machine for each, and their sums.
    heads: Vec<T>,
    head_sums: Vec<Sums<T>>,
}

impl<T: Lane> Room<T> {
    pub(super) fn new(rows: &Rows<T>) -> Self {
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
    pub(super) fn advance(&mut self, rows: &Rows<T>, job: u16) {
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

    /// As [`super::Evaluator::insert`].
    #[inline(always)]
    pub(super) fn insert(&mut self, rows: &Rows<T>, base: &[u16], job: u16, out: &mut Vec<Values>) {
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

    /// As [`super::Evaluator::prepare`].
    #[inline(always)]
    pub(super) fn prepare(&mut self, rows: &Rows<T>, order: &[u16]) {
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

    /// As [`super::Evaluator::exchange`].
    #[inline(always)]
    pub(super) fn exchange(&mut self, rows: &Rows<T>, order: &[u16], position: usize, out: &mut Vec<Values>) {
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
