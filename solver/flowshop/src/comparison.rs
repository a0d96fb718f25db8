//! Comparison of two orders of one instance: moved jobs and changed objectives.
//!
//! Reinserting one job shifts all jobs between its two positions by one. A job therefore counts as moved only if it is
//! not on a longest common subsequence of the two orders.

use super::check::{self, Verdict};
use super::{Instance, Schedule};
use gridwright_core::{Error, Result, moves};

/// A job that has to be reinserted to turn one order into the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Job index.
    pub job: u16,
    /// Position in the first order, from 0.
    pub from: usize,
    /// Position in the second order, from 0.
    pub to: usize,
}

/// Differences between a first order («before») and a second one («after»).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// Verdicts of the checker: before, after.
    pub verdicts: [Verdict; 2],
    /// A minimum set of jobs whose reinsertion turns the first order into the second, by position before.
    pub moved: Vec<Move>,
    /// Number of positions that hold different jobs.
    pub positions: usize,
    /// Number of jobs that complete earlier and number that complete later than before.
    pub(crate) earlier_later: [usize; 2],
    /// Jobs that are late after but not before, in the second order.
    pub late_now: Vec<u16>,
    /// Jobs that are late before but not after, in the second order.
    pub in_time_now: Vec<u16>,
}

impl Comparison {
    /// Compares two orders, `before` and `after`, each a permutation of all job indices.
    ///
    /// # Errors
    /// [`Error::Usage`] if one of them is not a permutation of all jobs of the instance.
    pub(crate) fn of(instance: &Instance, before: &[u16], after: &[u16]) -> Result<Self> {
        let verdicts = [before, after].map(|order| check::check(instance, order));
        if let Some(wrong) = verdicts.iter().flat_map(|verdict| &verdict.violations).next() {
            return Err(Error::Usage(format!(
                "only whole orders can be compared, and {}; choose an order of all jobs of {}",
                wrong.text, instance.name
            )));
        }
        let done = [before, after].map(|order| done(instance, order));
        let late = |side: usize, job: u16| {
            instance.jobs[usize::from(job)].due.is_some_and(|due| done[side][usize::from(job)] > due)
        };
        let changed = |was: bool| {
            let jobs = after.iter().copied().filter(|&job| late(0, job) == was && late(1, job) != was);
            jobs.collect()
        };
        let count =
            |wanted: std::cmp::Ordering| done[1].iter().zip(&done[0]).filter(|(b, a)| b.cmp(a) == wanted).count();
        Ok(Self {
            verdicts,
            moved: moves(before, after),
            positions: before.iter().zip(after).filter(|(a, b)| a != b).count(),
            earlier_later: [count(std::cmp::Ordering::Less), count(std::cmp::Ordering::Greater)],
            late_now: changed(false),
            in_time_now: changed(true),
        })
    }
}

/// A minimum set of jobs whose reinsertion turns `before` into `after`, by position before; both are permutations of the same
/// job indices.
pub fn moves(before: &[u16], after: &[u16]) -> Vec<Move> {
    let mut places = vec![0; before.len()];
    before.iter().enumerate().for_each(|(place, &job)| places[usize::from(job)] = place);
    let former: Vec<usize> = after.iter().map(|&job| places[usize::from(job)]).collect();
    let displaced = moves::displaced(&former).into_iter();
    let mut moved: Vec<Move> = displaced.map(|at| Move { job: after[at], from: former[at], to: at }).collect();
    moved.sort_unstable_by_key(|moved| moved.from);
    moved
}

/// C_j of every job, by job index.
fn done(instance: &Instance, order: &[u16]) -> Vec<u32> {
    let schedule = Schedule::new(instance, order);
    let mut done = vec![0; order.len()];
    order.iter().enumerate().for_each(|(position, &job)| done[usize::from(job)] = schedule.done(position));
    done
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Five unit jobs on one machine: each completes at its position.
    fn five() -> Instance {
        let mut instance = Instance::of_times("five", 1, vec![1; 5]).unwrap();
        instance.jobs.iter_mut().for_each(|job| job.due = Some(3));
        instance
    }

    /// Job 1 goes from the front to the end: it alone is moved, though every position holds another job. The others are
    /// done one earlier; with due dates of 3 job 4 (done at 3 instead of 4) gets in time and job 1 late.
    #[test]
    fn one_job_that_was_moved_counts_once() {
        let compared = Comparison::of(&five(), &[0, 1, 2, 3, 4], &[1, 2, 3, 4, 0]).unwrap();
        assert_eq!(compared.moved, [Move { job: 0, from: 0, to: 4 }]);
        assert_eq!((compared.positions, compared.earlier_later), (5, [4, 1]));
        assert_eq!((compared.late_now.as_slice(), compared.in_time_now.as_slice()), (&[0_u16][..], &[3_u16][..]));
        assert_eq!(compared.verdicts.each_ref().map(|verdict| verdict.makespan), [5, 5]);
    }

    #[test]
    fn equal_orders_do_not_differ_and_others_are_refused() {
        let same = Comparison::of(&five(), &[4, 3, 2, 1, 0], &[4, 3, 2, 1, 0]).unwrap();
        assert_eq!((same.moved.len(), same.positions, same.earlier_later), (0, 0, [0, 0]));
        let error = Comparison::of(&five(), &[0, 1, 2, 3, 4], &[0, 1, 2, 3]).unwrap_err().to_string();
        assert!(error.contains("J5 has no position") && error.contains("choose"), "{error}");
        let mut plain = five();
        plain.jobs.iter_mut().for_each(|job| job.due = None);
        let plain = Comparison::of(&plain, &[0, 1, 2, 3, 4], &[1, 2, 3, 4, 0]).unwrap();
        assert_eq!((plain.verdicts[1].tardy, plain.late_now.len()), (None, 0));
    }

    proptest! {
        /// Without the moved jobs both orders are equal, and after k insertions at most k jobs are moved.
        #[test]
        fn the_jobs_that_stay_keep_their_order(
            order in Just((0..12_u16).collect::<Vec<_>>()).prop_shuffle(),
            moves in proptest::collection::vec((0..12_usize, 0..12_usize), 0..5),
        ) {
            let mut after = order.clone();
            for &(from, to) in &moves {
                let job = after.remove(from);
                after.insert(to, job);
            }
            let instance = Instance::of_times("twelve", 1, vec![1; 12]).unwrap();
            let compared = Comparison::of(&instance, &order, &after).unwrap();
            prop_assert!(compared.moved.len() <= moves.len());
            let rest = |order: &[u16]| -> Vec<u16> {
                let stays = |job: &u16| compared.moved.iter().all(|moved| moved.job != *job);
                order.iter().copied().filter(stays).collect()
            };
            prop_assert_eq!(rest(&order), rest(&after));
            prop_assert!(compared.moved.iter().all(|moved| order[moved.from] == moved.job && after[moved.to] == moved.job));
        }
    }
}
