//! Smallest sets of exams that no timetable has places for together, and the exams that such sets oblige to leave out.
//!
//! A set around an exam is proven by a clique that is larger than the number of periods, or by trying everything
//! ([`is_impossible`]), and is made smaller by taking out one exam after the other. Every timetable leaves out an exam of each set,
//! so that the lightest exams that hit all known sets are a lower bound on the exams that are left out; where the others fit, the
//! bound is met.
//!
//! Source: J. Davies, F. Bacchus, «Solving MAXSAT by solving a sequence of simpler SAT instances», Principles and Practice of
//! Constraint Programming, 2011.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::leaving::Remaining;
use super::proof::is_impossible;
use crate::Instance;

/// Numbers of exams, around one that has no place, of which a proof is tried.
const SIZES: [usize; 3] = [8, 16, 28];

/// Trials of one proof.
const TRIALS: u32 = 20_000;

/// Branches of the search for the lightest exams that hit all sets.
const BRANCHES: u32 = 20_000;

/// A smallest set that contains an exam and otherwise only exams that `is_among` admits: it does not fit even without all
/// others, while it does so without any one of its own, as far as proofs tell. Ascending; `None` where nothing is proven.
pub(crate) fn core_around(instance: &Instance, exam: usize, is_among: &dyn Fn(usize) -> bool) -> Option<Vec<usize>> {
    let around = around(instance, exam, is_among);
    let mut sizes: Vec<usize> = SIZES.iter().map(|&size| size.min(around.len())).collect();
    sizes.dedup();
    let proven = |size: usize| fits_never(instance, &around[..size]).then(|| smallest(instance, &around[..size]));
    // A large clique is no case for trials.
    proven(sizes[0])
        .or_else(|| clique(instance, exam, is_among))
        .or_else(|| sizes[1..].iter().find_map(|&size| proven(size)))
}

/// A set without the exams that it does not need to be impossible; ascending.
fn smallest(instance: &Instance, set: &[usize]) -> Vec<usize> {
    let mut set = set.to_vec();
    for exam in set.clone().into_iter().rev() {
        let fewer: Vec<usize> = set.iter().copied().filter(|&other| other != exam).collect();
        if fits_never(instance, &fewer) {
            set = fewer;
        }
    }
    set.sort_unstable();
    set
}

/// Returns `true` if it is proven that no timetable has places for all exams of a set.
pub(crate) fn fits_never(instance: &Instance, set: &[usize]) -> bool {
    let others: BTreeSet<u16> = (0..instance.exam_count() as u16).filter(|&exam| !set.contains(&exam.into())).collect();
    !set.is_empty() && is_impossible(&Remaining::without(instance, others).model, TRIALS)
}

/// Exams that share students with each other, one more than there are periods, found greedily from one of them; `None` if fewer
/// are found.
fn clique(instance: &Instance, exam: usize, is_among: &dyn Fn(usize) -> bool) -> Option<Vec<usize>> {
    let conflicts = &instance.conflicts;
    let mut others: Vec<usize> = conflicts.of(exam).map(|(other, _)| other).filter(|&other| is_among(other)).collect();
    others.sort_by_key(|&other| Reverse(conflicts.degree(other)));
    let mut members = vec![exam];
    for other in others {
        if members.len() <= instance.period_count() && members.iter().all(|&member| conflicts.shared(member, other) > 0)
        {
            members.push(other);
        }
    }
    members.sort_unstable();
    (members.len() > instance.period_count()).then_some(members)
}

/// The exam, then those that have the most ties to it and to each other: common students, rules and people; of equal ones the
/// largest.
fn around(instance: &Instance, exam: usize, is_among: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut ties: Vec<u32> = vec![0; instance.exam_count()];
    let mut order = vec![exam];
    while let Some(&last) = order.last().filter(|_| order.len() < SIZES[SIZES.len() - 1]) {
        let number = last as u16;
        instance.conflicts.of(last).for_each(|(other, _)| ties[other] += 1);
        for relation in instance.rules.relations_of(last) {
            ties[usize::from(if relation.first == number { relation.second } else { relation.first })] += 1;
        }
        for person in instance.resources.people.iter().filter(|person| person.exams.contains(&number)) {
            person.exams.iter().for_each(|&other| ties[usize::from(other)] += 1);
        }
        let others = (0..ties.len()).filter(|&other| is_among(other) && !order.contains(&other));
        let rank = |&other: &usize| (ties[other], instance.exams[other].enrolment, Reverse(other));
        let Some(next) = others.max_by_key(rank) else { break };
        order.push(next);
    }
    order
}

/// Exams of the least weight of which every set has one; `None` if that takes too long.
pub(crate) fn lightest_hitting(sets: &[Vec<usize>], weight: &dyn Fn(usize) -> u64) -> Option<(u64, Vec<usize>)> {
    let mut search = Hitting { sets, weight, chosen: Vec::new(), best: (u64::MAX, Vec::new()), branches: BRANCHES };
    search.branch(0).then_some(search.best)
}

struct Hitting<'a> {
    sets: &'a [Vec<usize>],
    weight: &'a dyn Fn(usize) -> u64,
    chosen: Vec<usize>,
    best: (u64, Vec<usize>),
    branches: u32,
}

impl Hitting<'_> {
    /// Tries every exam of the smallest set that is not hit; returns `false` once there were too many branches.
    fn branch(&mut self, total: u64) -> bool {
        if total >= self.best.0 {
            return true;
        }
        let is_open = |set: &&Vec<usize>| set.iter().all(|exam| !self.chosen.contains(exam));
        let Some(set) = self.sets.iter().filter(is_open).min_by_key(|set| set.len()) else {
            self.best = (total, self.chosen.clone());
            return true;
        };
        let mut exams = set.clone();
        exams.sort_by_key(|&exam| ((self.weight)(exam), exam));
        for exam in exams {
            let Some(left) = self.branches.checked_sub(1) else { return false };
            self.branches = left;
            self.chosen.push(exam);
            let is_complete = self.branch(total + (self.weight)(exam));
            self.chosen.pop();
            if !is_complete {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_core::random::{Philox, index};

    /// As light as the best of all choices, which is tried one by one.
    #[test]
    fn the_lightest_exams_hit_every_set() {
        for seed in 0..200 {
            let words = Philox::new(seed);
            let draw = |number: u32, below: u32| index(words.words(number, 0, 0, 0)[0], below) as usize;
            let weights: Vec<u64> = (0..8).map(|exam| 1 + draw(exam, 5) as u64).collect();
            let set = |number: u32| (0..1 + draw(number, 3) as u32).map(|at| draw(number * 7 + at, 8)).collect();
            let sets: Vec<Vec<usize>> = (20..20 + draw(9, 6) as u32).map(set).collect();
            let weigh =
                |choice: u32| (0..8).filter(|exam| choice >> exam & 1 == 1).map(|exam| weights[exam]).sum::<u64>();
            let hits = |choice: &u32| sets.iter().all(|set| set.iter().any(|exam| choice >> exam & 1 == 1));
            let least = (0..256).filter(hits).map(weigh).min().unwrap();
            let (found, exams) = lightest_hitting(&sets, &|exam| weights[exam]).unwrap();
            assert_eq!(found, least, "{sets:?}");
            assert_eq!(exams.iter().map(|&exam| weights[exam]).sum::<u64>(), found);
            assert!(sets.iter().all(|set| set.iter().any(|exam| exams.contains(exam))), "{sets:?} {exams:?}");
        }
    }
}
