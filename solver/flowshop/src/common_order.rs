//! Order of jobs that stated times follow on all machines, where jobs do not visit all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// All jobs in the order in which these name them first; the others follow by index.
pub(crate) fn as_named(jobs: usize, named: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut is_new = vec![true; jobs];
    let named = named.chain(0..jobs);
    named.filter(|&job| is_new.get_mut(job).is_some_and(std::mem::take)).collect()
}

/// Order of all jobs in which the jobs of each machine have ascending times; `None` if there is none. `times` has start and end of a job
/// on a machine. Among several orders, the one with the earliest first starts is returned.
///
/// Jobs without any times come last. Jobs that the times leave in any order, such as operations of length 0 at one time, are in
/// the order of `named`, which holds every job once.
pub(crate) fn common_order(
    named: &[usize], machines: usize, times: impl Fn(usize, usize) -> Option<(u32, u32)>,
) -> Option<Vec<usize>> {
    let jobs = named.len();
    let times = |place: usize, machine: usize| times(named[place], machine);
    let (mut followers, mut waits_for): (Vec<Vec<usize>>, Vec<usize>) = (vec![Vec::new(); jobs], vec![0; jobs]);
    for machine in 0..machines {
        let mut there: Vec<((u32, u32), usize)> =
            (0..jobs).filter_map(|job| Some((times(job, machine)?, job))).collect();
        there.sort_unstable();
        // Every job follows all those with the times before its own; the node between both keeps the number of pairs small.
        let groups: Vec<&[((u32, u32), usize)]> = there.chunk_by(|a, b| a.0 == b.0).collect();
        for pair in groups.windows(2) {
            let node = followers.len();
            followers.push(pair[1].iter().map(|(_, after)| *after).collect());
            waits_for.push(pair[0].len());
            pair[0].iter().for_each(|(_, before)| followers[*before].push(node));
            pair[1].iter().for_each(|(_, after)| waits_for[*after] += 1);
        }
    }
    let first = |job: usize| (0..machines).find_map(|machine| times(job, machine)).map_or(u32::MAX, |times| times.0);
    let mut free: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
    free.extend((0..jobs).filter(|&job| waits_for[job] == 0).map(|job| Reverse((first(job), job))));
    let mut order = Vec::with_capacity(jobs);
    while let Some(Reverse((_, job))) = free.pop() {
        order.push(job);
        let mut done = vec![job];
        while let Some(node) = done.pop() {
            for &after in &followers[node] {
                waits_for[after] -= 1;
                match waits_for[after] {
                    0 if after < jobs => free.push(Reverse((first(after), after))),
                    0 => done.push(after),
                    _ => {}
                }
            }
        }
    }
    (order.len() == jobs).then(|| order.into_iter().map(|place| named[place]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Job 0 is on machine 0 only, job 2 on machine 1 only.
    #[test]
    fn jobs_are_ordered_by_the_machines_that_they_share() {
        let order =
            |times: [[Option<(u32, u32)>; 2]; 3]| common_order(&[0, 1, 2], 2, |job, machine| times[job][machine]);
        let times = [[Some((4, 9)), None], [Some((0, 4)), Some((6, 8))], [None, Some((0, 6))]];
        assert_eq!(order(times), Some(vec![2, 1, 0]));
        let circle = [[Some((4, 9)), Some((0, 1))], [Some((0, 4)), Some((6, 8))], [None, None]];
        assert_eq!(order(circle), None);
        assert_eq!(order([[None; 2]; 3]), Some(vec![0, 1, 2]));
    }
}
