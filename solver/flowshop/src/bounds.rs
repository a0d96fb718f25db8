//! Lower bounds of the objectives.
//!
//! Every bound relaxes the capacity of all machines but one, i: job j reaches machine i no earlier than its head h_j =
//! r_j + Σ_{l<i} p_lj and needs at least its tail q_j = Σ_{l>i} p_lj afterwards.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::insertion::shared_hours;
use super::{Instance, Objective};

/// Head, processing time and tail of one job on the machine under consideration.
#[derive(Debug, Clone, Copy)]
struct Visit {
    head: u64,
    time: u64,
    tail: u64,
    /// Due date of the job; used for tardiness and tardy jobs only.
    due: u64,
}

/// Lower bound of `objective`; 0 for tardiness and tardy jobs if the jobs have no due dates.
pub fn lower_bound(instance: &Instance, objective: Objective) -> u64 {
    match objective {
        Objective::Makespan => makespan(instance),
        Objective::FlowTime => flow_time(instance),
        Objective::Tardiness => tardiness(instance),
        Objective::Tardy => tardy(instance),
    }
}

/// Lower bound of the makespan: max(max_i (min_j h_j + Σ_j p_ij + min_j q_j), max_j (r_j + Σ_i p_ij)). Where all machines share their
/// working time, it is computed in that and converted to time.
///
/// Source: E. Taillard, «Benchmarks for basic scheduling problems», EJOR 64(2), 1993, section 3.
pub fn makespan(instance: &Instance) -> u64 {
    let Some(hours) = shared_hours(instance) else { return makespan_of_work(instance) };
    let mut worked = instance.clone();
    worked.jobs.iter_mut().for_each(|job| job.release = hours.worked_by(job.release));
    let bound = makespan_of_work(&worked);
    u32::try_from(bound).map_or(bound, |bound| hours.passed(bound).into())
}

fn makespan_of_work(instance: &Instance) -> u64 {
    let bound = |visits: &[Visit]| {
        let [head, tail] = [Visit::head, Visit::tail].map(|of| visits.iter().map(of).min().unwrap_or(0));
        head + visits.iter().map(|visit| visit.time).sum::<u64>() + tail
    };
    let longest = lengths(instance).max().unwrap_or(0);
    over_machines(instance, bound).max(longest)
}

/// Lower bound of the flow time: the larger of max_i (Σ_k S_(k) + Σ_j q_j) and Σ_j (r_j + Σ_i p_ij), where S_(k) is the
/// k-th completion time on machine i with preemption and shortest remaining processing time first (SRPT).
///
/// SRPT minimises Σ C_j on one machine with heads and preemption: L. Schrage, «A proof of the optimality of the
/// shortest remaining processing time discipline», Operations Research 16(3), 1968.
pub fn flow_time(instance: &Instance) -> u64 {
    let bound =
        |visits: &[Visit]| completions(visits).iter().sum::<u64>() + visits.iter().map(Visit::tail).sum::<u64>();
    over_machines(instance, bound).max(lengths(instance).sum())
}

/// Lower bound of the tardiness: the larger of max_i Σ_k max(0, S_(k) − (d − q)_(k)) and Σ_j max(0, r_j + Σ_i p_ij −
/// d_j), with S as in [`flow_time`] and d_j − q_j sorted in ascending order.
///
/// The k-th completion of any order is at least S_(k), and pairing ascending completions with ascending due dates
/// minimises the tardiness.
pub fn tardiness(instance: &Instance) -> u64 {
    let bound = |visits: &[Visit]| {
        let mut due: Vec<i64> = visits.iter().map(|visit| visit.due as i64 - visit.tail as i64).collect();
        due.sort_unstable();
        let late = completions(visits).into_iter().zip(due).map(|(end, due)| (end as i64 - due).max(0) as u64);
        late.sum()
    };
    dated(instance, bound, |length, due| length.saturating_sub(due))
}

/// Lower bound of the number of tardy jobs: the larger of the optimum of each machine alone, started at the smallest
/// head with due dates d_j − q_j, and the number of jobs that are late even when processed alone.
///
/// The one-machine optimum is found by J. M. Moore, «An n job, one machine sequencing algorithm for minimizing the
/// number of late jobs», Management Science 15(1), 1968.
pub fn tardy(instance: &Instance) -> u64 {
    let bound = |visits: &[Visit]| {
        let mut by_due: Vec<(i64, u64)> =
            visits.iter().map(|visit| (visit.due as i64 - visit.tail as i64, visit.time)).collect();
        by_due.sort_unstable();
        let mut end = visits.iter().map(Visit::head).min().unwrap_or(0) as i64;
        let mut on_time = BinaryHeap::new();
        for (due, time) in by_due {
            on_time.push(time);
            end += time as i64;
            // Too late: the longest job so far is moved to the end, where it counts as tardy.
            if end > due
                && let Some(longest) = on_time.pop()
            {
                end -= longest as i64;
            }
        }
        (visits.len() - on_time.len()) as u64
    };
    dated(instance, bound, |length, due| u64::from(length > due))
}

impl Visit {
    fn head(&self) -> u64 {
        self.head
    }

    fn tail(&self) -> u64 {
        self.tail
    }
}

/// r_j + Σ_i p_ij of every job, in index order.
fn lengths(instance: &Instance) -> impl Iterator<Item = u64> + '_ {
    let time = |job: usize| instance.row(job).iter().map(|&time| u64::from(time)).sum::<u64>();
    instance.jobs.iter().enumerate().map(move |(job, data)| u64::from(data.release) + time(job))
}

/// Largest value of `bound` over all machines.
fn over_machines(instance: &Instance, bound: impl Fn(&[Visit]) -> u64) -> u64 {
    let mut visits: Vec<Visit> = lengths(instance)
        .zip(&instance.jobs)
        .map(|(length, job)| Visit {
            head: u64::from(job.release),
            time: 0,
            tail: length - u64::from(job.release),
            due: u64::from(job.due.unwrap_or(u32::MAX)),
        })
        .collect();
    let mut largest = 0;
    for machine in 0..instance.machine_count() {
        for (job, visit) in visits.iter_mut().enumerate() {
            visit.head += visit.time;
            visit.time = u64::from(instance.time(job, machine));
            visit.tail -= visit.time;
        }
        largest = largest.max(bound(&visits));
    }
    largest
}

/// Larger of the machine bounds and the sum of `alone(length, due date)` over the jobs; 0 without due dates.
fn dated(instance: &Instance, bound: impl Fn(&[Visit]) -> u64, alone: impl Fn(u64, u64) -> u64) -> u64 {
    if !instance.has_due_dates() {
        return 0;
    }
    let due = instance.jobs.iter().map(|job| u64::from(job.due.unwrap_or(u32::MAX)));
    let jobs = lengths(instance).zip(due).map(|(length, due)| alone(length, due)).sum();
    over_machines(instance, bound).max(jobs)
}

/// Completion times on one machine with preemption and shortest remaining processing time first, ascending.
fn completions(visits: &[Visit]) -> Vec<u64> {
    let mut coming: Vec<(u64, u64)> = visits.iter().map(|visit| (visit.head, visit.time)).collect();
    coming.sort_unstable();
    let mut coming = coming.into_iter().peekable();
    let mut waiting = BinaryHeap::new();
    let mut ends = Vec::with_capacity(visits.len());
    let mut now = 0;
    loop {
        while let Some((_, time)) = coming.next_if(|&(head, _)| head <= now) {
            waiting.push(Reverse(time));
        }
        let next = coming.peek().map(|&(head, _)| head);
        match (waiting.pop(), next) {
            (Some(Reverse(rest)), Some(next)) if now + rest > next => {
                waiting.push(Reverse(now + rest - next));
                now = next;
            }
            (Some(Reverse(rest)), _) => {
                now += rest;
                ends.push(now);
            }
            (None, Some(next)) => now = next,
            (None, None) => return ends,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Schedule;
    use crate::tests::with_shared_hours;

    /// Jobs 3, 2 and 1, 4. Machine 1: 0 + (3 + 1) + min(2, 4) = 6; machine 2: min(3, 1) + (2 + 4) + 0 = 7; the longest
    /// job takes 5. Order 2, 1 needs 7.
    ///
    /// Flow time: machine 1 completes jobs at 1 and 4, tails 4 and 2: 11. Machine 2: job 2 arrives at 1 and would end
    /// at 5; job 1 arrives at 3 and needs 2 while 2 remain of job 2: completions 5 and 7: 12. Order 2, 1 needs 12.
    #[test]
    fn bounds_are_what_the_hand_computes() {
        let mut instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        assert_eq!((makespan(&instance), flow_time(&instance)), (7, 12));
        assert_eq!((tardiness(&instance), tardy(&instance)), (0, 0), "no due dates");
        // Machine 2 is done with jobs at 5 and 7: due at 4 and 6 they are 1 + 1 late, and the first is late alone (5 > 4).
        (instance.jobs[0].due, instance.jobs[1].due) = (Some(4), Some(6));
        assert_eq!((tardiness(&instance), tardy(&instance)), (2, 1));
    }

    fn orders(jobs: usize) -> Vec<Vec<u16>> {
        let mut all = vec![Vec::new()];
        for job in 0..jobs as u16 {
            let inserted = |order: Vec<u16>| {
                (0..=order.len()).map(move |at| [&order[..at], &[job], &order[at..]].concat()).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(inserted).collect();
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

        /// In shifts that all machines share, no order is better than the bound, and a job alone meets it.
        #[test]
        fn no_makespan_in_shared_shifts_is_below_the_bound(
            machines in 1..=3_usize,
            jobs in 1..=5_usize,
            numbers in proptest::collection::vec(1..400_u32, 30),
            released in any::<bool>(),
        ) {
            let times = numbers[..jobs * machines].to_vec();
            let mut instance = Instance::of_times("test", machines, times).unwrap();
            let releases = instance.jobs.iter_mut().zip(&numbers[15..]).filter(|_| released);
            releases.for_each(|(job, &release)| job.release = 7 * release);
            let instance = with_shared_hours(instance, &numbers);
            let values = orders(jobs).into_iter().map(|order| Schedule::new(&instance, &order).value(&instance, Objective::Makespan));
            let (best, bound) = (values.min().unwrap(), makespan(&instance));
            prop_assert!(bound <= best, "{bound} > {best}");
            prop_assert!(bound == best || jobs > 1);
            prop_assert!(bound >= makespan_of_work(&instance));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        /// All orders of up to six jobs: none is better than a bound; a single job meets all of them.
        #[test]
        fn no_order_is_better(
            machines in 1..=4_usize,
            jobs in proptest::collection::vec((proptest::collection::vec(0..15_u32, 4), 0..60_u32, 0..12_u32), 1..=6),
            released in any::<bool>(),
        ) {
            let times = jobs.iter().flat_map(|job| job.0[..machines].to_vec()).collect();
            let mut instance = Instance::of_times("test", machines, times).unwrap();
            for (job, (_, due, release)) in instance.jobs.iter_mut().zip(&jobs) {
                (job.due, job.release) = (Some(*due), if released { *release } else { 0 });
            }
            for objective in Objective::ALL {
                let values = orders(jobs.len()).into_iter().map(|order| Schedule::new(&instance, &order).value(&instance, objective));
                let (best, bound) = (values.min().unwrap(), lower_bound(&instance, objective));
                prop_assert!(bound <= best, "{objective}: {bound} > {best}");
                if jobs.len() == 1 || (machines == 1 && !released) {
                    // One machine without release dates is solved exactly, but for tardiness, which is hard.
                    prop_assert!(bound == best || objective == Objective::Tardiness, "{objective}: {bound} < {best}");
                }
            }
        }
    }
}
