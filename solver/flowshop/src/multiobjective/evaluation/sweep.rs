//! Sweeps over the positions of an order, [`LANES`] neighbours side by side; see [`super`].

use super::{LANES, Values};
use crate::Instance;
use crate::neighbourhood::Time;
use gridwright_core::lanes::lanes;
use gridwright_core::search::Control;

/// Positions swept between two questions whether the run is over: on the largest instances a tenth of a second.
const SWEPT: usize = 128 * LANES;

/// Lane arithmetic beyond that of times: sums over jobs and branch-free selection.
pub(super) trait Lane: Time {
    /// Type of sums over all jobs.
    type Sum: Copy + Default + Send + Sync + std::fmt::Debug + std::ops::AddAssign;

    fn sum(self) -> Self::Sum;
    fn total(sum: Self::Sum) -> u64;
    fn beyond(self, due: Self) -> Self;
    fn one_if(happens: bool) -> Self;

    /// All ones if `holds`, otherwise 0.
    fn mask(holds: bool) -> Self;

    /// Selects the value whose mask is all ones; at most one of the three masks is.
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

#[derive(Debug, Clone)]
pub(super) struct TimeRows<T> {
    machines: usize,
    times: Vec<T>,
    due: Vec<T>,
    release: Vec<T>,
}

impl<T: Lane> TimeRows<T> {
    pub(super) fn new(instance: &Instance) -> Self {
        // The largest lane value stands for «never due»: no completion time reaches it.
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

/// Objective values of a prefix of an order.
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

/// [`Sums`] of all lanes.
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
        let beyond: Lanes<T> = lanes(|lane| done[lane].beyond(due[lane]));
        for lane in 0..LANES {
            self.late[lane] += beyond[lane].sum();
        }
        for lane in 0..LANES {
            self.tardy[lane] = self.tardy[lane].plus(T::one_if(beyond[lane] > T::default()));
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct SweepBuffers<T: Lane> {
    /// Completion times by machine and lane.
    done: Vec<Lanes<T>>,
    /// Processing times of the inserted or exchanged job, by machine, in all lanes.
    own: Vec<Lanes<T>>,
    /// For each position in a block, the masks of the lanes behind it, at it and before it.
    masks: Vec<[Lanes<T>; 3]>,
    /// Completion times by machine of the prefix before the current block.
    head: Vec<T>,
    pub(super) sums: Sums<T>,
    /// Completion times of all prefixes of the prepared order, by machine, and their sums.
    heads: Vec<T>,
    head_sums: Vec<Sums<T>>,
}

impl<T: Lane> SweepBuffers<T> {
    pub(super) fn new(rows: &TimeRows<T>) -> Self {
        let machines = rows.machines;
        Self {
            done: vec![[T::default(); LANES]; machines],
            own: vec![[T::default(); LANES]; machines],
            masks: (0..LANES)
                .map(|here| {
                    [
                        lanes(|lane| T::mask(lane > here)),
                        lanes(|lane| T::mask(lane == here)),
                        lanes(|lane| T::mask(lane < here)),
                    ]
                })
                .collect(),
            head: vec![T::default(); machines],
            sums: Sums::default(),
            heads: Vec::new(),
            head_sums: Vec::new(),
        }
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, rows: &TimeRows<T>, job: u16) {
        let mut before = rows.release(job);
        for (head, &time) in self.head.iter_mut().zip(rows.row(job)) {
            before = before.max(*head).plus(time);
            *head = before;
        }
        self.sums.add(before, rows.due(job));
    }

    /// Appends the same job in all lanes.
    #[inline(always)]
    fn append(&mut self, rows: &TimeRows<T>, sums: &mut SumLanes<T>, job: u16) {
        let mut before = [rows.release(job); LANES];
        for (done, &time) in self.done.iter_mut().zip(rows.row(job)) {
            before = lanes(|lane| before[lane].max(done[lane]).plus(time));
            *done = before;
        }
        sums.add(before, [rows.due(job); LANES]);
    }

    /// Appends `own` in lane `here`, `early` in later lanes and `late` in earlier ones.
    ///
    /// `self.own` holds the times of `own`.
    #[inline(always)]
    fn append_by_lane(
        &mut self, rows: &TimeRows<T>, sums: &mut SumLanes<T>, here: usize, [early, own, late]: [u16; 3],
    ) {
        // Masks come from a table: the compiler would turn computed ones back into branches per lane.
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

    /// Broadcasts the times of a job to `self.own`.
    #[inline(always)]
    fn broadcast(&mut self, rows: &TimeRows<T>, job: u16) {
        for (own, &time) in self.own.iter_mut().zip(rows.row(job)) {
            *own = [time; LANES];
        }
    }

    #[inline(always)]
    fn append_different(&mut self, rows: &TimeRows<T>, sums: &mut SumLanes<T>, jobs: [u16; LANES]) {
        let mut before: Lanes<T> = lanes(|lane| rows.release(jobs[lane]));
        for (machine, done) in self.done.iter_mut().enumerate() {
            let time: Lanes<T> = lanes(|lane| rows.times[usize::from(jobs[lane]) * rows.machines + machine]);
            before = lanes(|lane| before[lane].max(done[lane]).plus(time[lane]));
            *done = before;
        }
        sums.add(before, lanes(|lane| rows.due(jobs[lane])));
    }

    /// Implements [`super::Evaluator::insert`].
    #[inline(always)]
    pub(super) fn insert(
        &mut self, rows: &TimeRows<T>, base: &[u16], job: u16, control: &Control, out: &mut Vec<Values>,
    ) {
        out.clear();
        self.head.fill(T::default());
        self.sums = Sums::default();
        self.broadcast(rows, job);
        let last = base.len();
        for first in (0..=last).step_by(LANES) {
            if first > 0 && first.is_multiple_of(SWEPT) && control.is_over() {
                out.resize(last + 1, out[first - 1]);
                return;
            }
            for (done, &head) in self.done.iter_mut().zip(&self.head) {
                *done = [head; LANES];
            }
            let mut sums = SumLanes::all(&self.sums);
            for here in 0..LANES.min(last - first + 1) {
                let position = first + here;
                if here == LANES - 1 && position < last {
                    // Until here this lane has processed the order without the job: the prefix of the next block.
                    for (head, done) in self.head.iter_mut().zip(&self.done) {
                        *head = done[LANES - 1];
                    }
                    self.sums = sums.lane(LANES - 1);
                    self.advance(rows, base[position]);
                }
                let early = base.get(position).copied().unwrap_or(job);
                let late = if here == 0 { job } else { base[position - 1] };
                self.append_by_lane(rows, &mut sums, here, [early, job, late]);
            }
            for &late in base.get(first + LANES - 1..).unwrap_or_default() {
                self.append(rows, &mut sums, late);
            }
            out.extend((0..LANES.min(last - first + 1)).map(|lane| sums.lane(lane).values()));
        }
    }

    /// Implements [`super::Evaluator::prepare`].
    #[inline(always)]
    pub(super) fn prepare(&mut self, rows: &TimeRows<T>, order: &[u16]) {
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

    /// Implements [`super::Evaluator::exchange`].
    #[inline(always)]
    pub(super) fn exchange(
        &mut self, rows: &TimeRows<T>, order: &[u16], position: usize, control: &Control, out: &mut Vec<Values>,
    ) {
        out.clear();
        let (moved, machines) = (order[position], rows.machines);
        self.broadcast(rows, moved);
        for first in (position + 1..order.len()).step_by(LANES) {
            if !out.is_empty() && out.len().is_multiple_of(SWEPT) && control.is_over() {
                out.resize(order.len() - position - 1, out[out.len() - 1]);
                return;
            }
            for (done, &head) in self.done.iter_mut().zip(&self.heads[position * machines..]) {
                *done = [head; LANES];
            }
            let mut sums = SumLanes::all(&self.head_sums[position]);
            // Unused lanes repeat the last position.
            self.append_different(rows, &mut sums, lanes(|lane| order[(first + lane).min(order.len() - 1)]));
            for &job in &order[position + 1..first] {
                self.append(rows, &mut sums, job);
            }
            let lanes = LANES.min(order.len() - first);
            for here in 0..lanes {
                let job = order[first + here];
                self.append_by_lane(rows, &mut sums, here, [job, moved, job]);
            }
            for &job in &order[first + lanes..] {
                self.append(rows, &mut sums, job);
            }
            out.extend((0..lanes).map(|lane| sums.lane(lane).values()));
        }
    }
}
