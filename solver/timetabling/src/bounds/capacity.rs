//! Largest numbers of students whom the periods can hold.
//!
//! Exams in one period share no student, so that its students are at most the largest sum of enrolments of exams without a
//! conflict: a maximum-weight independent set, found by branch and bound. The bound of a branch is a weighted clique cover: the
//! exam with the smallest remaining weight and a clique around it lose that weight, until none is left; each clique has at most
//! one exam in the period, so that the weights that were taken add up to an upper bound (E. Balas, J. Xue, «Weighted and
//! unweighted maximum clique algorithms with upper bounds from fractional coloring», Algorithmica 15, 1996). Seats limit a
//! period as well.

use std::cmp::Reverse;

use crate::Instance;

/// Largest number of exams whose conflicts are searched.
const MOST_EXAMS: usize = 1_000;
/// Work of the branch and bound: nodes times exams.
const WORK: usize = 300_000;

/// Largest number of students of each period; `None` if these students, who are free to choose, keep to all of them.
pub(super) fn limits(instance: &Instance, loads: &[i64]) -> Option<Vec<i64>> {
    let mut limits: Vec<u64> = (0..instance.period_count()).map(|period| seats(instance, period)).collect();
    if loads.iter().any(|&load| load > 0) && instance.exam_count() <= MOST_EXAMS {
        let most = without_conflict(instance);
        limits.iter_mut().for_each(|limit| *limit = most.min(*limit));
    }
    let limits: Vec<i64> = limits.into_iter().map(|limit| limit as i64).collect();
    loads.iter().zip(&limits).any(|(load, limit)| load > limit).then_some(limits)
}

/// Seats of a period for the students of exams; all students of the session if they are not limited.
fn seats(instance: &Instance, period: usize) -> u64 {
    let all = instance.students.len() as u64;
    // An exam may reserve fewer seats than it has students.
    let reserves_fewer = instance.exams.iter().any(|exam| exam.needs.seats.is_some_and(|seats| seats < exam.enrolment));
    if instance.has_rooms() && !reserves_fewer {
        let is_open = |room: &&crate::Room| !room.unavailable.contains(&(period as u16));
        let seats = instance.resources.rooms.iter().filter(is_open).map(|room| u64::from(room.seats)).sum::<u64>();
        return seats.min(all);
    }
    instance.seat_limit(period).map_or(all, |seats| u64::from(seats).min(all))
}

/// Upper bound of the students of exams of which no two share any: exact if the search ends within its work.
fn without_conflict(instance: &Instance) -> u64 {
    let exams = instance.exam_count();
    let adjacent = (0..exams).map(|exam| {
        let mut row = vec![false; exams];
        instance.conflicts.of(exam).for_each(|(other, _)| row[other] = true);
        row
    });
    let weights = instance.exams.iter().map(|exam| u64::from(exam.enrolment)).collect();
    let mut graph = Graph { adjacent: adjacent.collect(), weights, best: 0, nodes: WORK / exams };
    let all: Vec<usize> = (0..exams).filter(|&exam| graph.weights[exam] > 0).collect();
    let cover = graph.cover(&all);
    if graph.search(all, 0) { graph.best } else { cover }
}

/// Conflict graph with enrolments, and the state of the search.
struct Graph {
    adjacent: Vec<Vec<bool>>,
    weights: Vec<u64>,
    /// Largest weight found.
    best: u64,
    /// Nodes of the search that are left.
    nodes: usize,
}

impl Graph {
    /// Weight of a clique cover of these exams.
    fn cover(&self, exams: &[usize]) -> u64 {
        let mut open: Vec<(usize, u64)> = exams.iter().map(|&exam| (exam, self.weights[exam])).collect();
        let mut cover = 0;
        while let Some(&(first, weight)) = open.iter().min_by_key(|(_, weight)| *weight) {
            cover += weight;
            open.sort_by_key(|&(exam, weight)| (Reverse(weight), exam));
            let mut clique = vec![first];
            for (exam, rest) in &mut open {
                if *exam == first || clique.iter().all(|&member| self.adjacent[member][*exam]) {
                    *rest -= weight;
                    clique.push(*exam);
                }
            }
            open.retain(|(_, weight)| *weight > 0);
        }
        cover
    }

    /// Searches the independent sets among `exams` beside those of weight `weight`; returns `false` if the nodes are used up.
    fn search(&mut self, exams: Vec<usize>, weight: u64) -> bool {
        self.best = self.best.max(weight);
        if exams.is_empty() || weight + self.cover(&exams) <= self.best {
            return true;
        }
        let Some(nodes) = self.nodes.checked_sub(1) else { return false };
        self.nodes = nodes;
        let degree = |exam: usize| exams.iter().filter(|&&other| self.adjacent[exam][other]).count() as u64;
        let first = exams.iter().copied().max_by_key(|&exam| (self.weights[exam] * (degree(exam) + 1), exam));
        let Some(first) = first else { return true };
        let others = || exams.iter().copied().filter(|&exam| exam != first);
        let beside = others().filter(|&exam| !self.adjacent[first][exam]).collect();
        let without = others().collect();
        self.search(beside, weight + self.weights[first]) && self.search(without, weight)
    }
}
