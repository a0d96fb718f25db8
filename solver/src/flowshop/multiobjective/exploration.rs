//! The whole neighbourhood of an order against an archive: what is worth showing to it.
//!
//! Neighbours are numbered as in [`crate::search::mapping`]. Of a part of them those are left that the rule admits, that no
//! neighbour of the part with a smaller number covers, and that the archive does not cover. Dominance is transitive, so
//! offering what is left, in order of number, makes the same archive as offering all: that is how blocks of a GPU filter
//! before anything meets the archive, and why the size of the parts does not matter.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::search::mapping;
use crate::search::pareto::{Archive, Point, covers, dominates, is_covered};

use super::evaluation::{Evaluator, Shop};
use super::objectives::Objectives;

/// Which orders are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbourhood {
    /// One job is moved to another position.
    Insertion,
    /// Two jobs change places.
    Exchange,
}

impl Neighbourhood {
    /// The names of parameters.
    pub const NAMES: [&str; 2] = ["insertion", "exchange"];

    /// By name; anything unknown is the first.
    pub fn named(name: &str) -> Self {
        if name == Self::NAMES[1] { Self::Exchange } else { Self::Insertion }
    }

    /// Neighbours of an order of so many jobs.
    pub fn size(self, jobs: usize) -> u64 {
        match self {
            Self::Insertion => mapping::insertions(jobs as u64),
            Self::Exchange => mapping::exchanges(jobs as u64),
        }
    }

    /// The neighbour with this number.
    pub fn apply(self, order: &[u16], id: u64) -> Vec<u16> {
        let mut neighbour = order.to_vec();
        let jobs = order.len() as u64;
        match self {
            Self::Insertion => {
                let (from, to) = mapping::insertion(id, jobs);
                let moved = neighbour.remove(from as usize);
                neighbour.insert(to as usize, moved);
            }
            Self::Exchange => {
                let (one, other) = mapping::exchange(id, jobs);
                neighbour.swap(one as usize, other as usize);
            }
        }
        neighbour
    }

    /// Computes the neighbours that move the job in `position`; the number of the first of them. The order was prepared where
    /// exchanges are asked for.
    ///
    /// `base` is room for the order without a job. The values of insertions hold the order itself at `position`, see
    /// [`Self::each`].
    #[inline(always)]
    pub fn evaluate(self, shop: &Shop, evaluator: &mut Evaluator, base: &mut Vec<u16>, order: &[u16], position: usize) {
        match self {
            Self::Insertion => {
                base.clear();
                base.extend_from_slice(&order[..position]);
                base.extend_from_slice(&order[position + 1..]);
                evaluator.insert(shop, base, order[position]);
            }
            Self::Exchange => evaluator.exchange(shop, order, position),
        }
    }

    /// Number and place in the values of every neighbour that moves the job in `position`, in order of number.
    #[inline(always)]
    pub fn each(self, jobs: usize, position: usize, mut take: impl FnMut(u64, usize)) {
        let (n, i) = (jobs as u64, position as u64);
        match self {
            Self::Insertion => {
                let first = i * n.saturating_sub(1);
                (0..position).for_each(|target| take(first + target as u64, target));
                (position + 1..jobs).for_each(|target| take(first + target as u64 - 1, target));
            }
            Self::Exchange => {
                let others = jobs - 1 - position;
                if others > 0 {
                    let first = mapping::exchange_id(i, i + 1, n);
                    (0..others).for_each(|number| take(first + number as u64, number));
                }
            }
        }
    }
}

/// Which neighbours may enter an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Those that the order itself does not dominate (PLS⊁).
    NonDominated,
    /// Those that dominate the order itself (PLS≻).
    Dominating,
}

impl Admission {
    /// The names of parameters.
    pub const NAMES: [&str; 2] = ["non-dominated", "dominating"];

    /// By name; anything unknown is the first.
    pub fn named(name: &str) -> Self {
        if name == Self::NAMES[1] { Self::Dominating } else { Self::NonDominated }
    }

    /// Whether a neighbour may enter.
    #[inline(always)]
    pub fn admits(self, current: &Point, neighbour: &Point) -> bool {
        match self {
            // An equal one would be refused by the archive that holds the order itself, or held it once.
            Self::NonDominated => !covers(current, neighbour),
            Self::Dominating => dominates(neighbour, current),
        }
    }
}

/// What exploring a part of a neighbourhood left.
#[derive(Debug, Default)]
pub struct Explored {
    /// Points with the numbers of their neighbours, in ascending order.
    pub left: Archive<u64>,
    /// How long it took to compute the values of neighbours.
    pub evaluating: Duration,
    /// How long it took to compare them.
    pub comparing: Duration,
}

/// What to explore.
pub struct Task<'a> {
    /// The instance.
    pub shop: &'a Shop,
    /// What counts.
    pub objectives: &'a Objectives,
    /// Which neighbours there are.
    pub neighbourhood: Neighbourhood,
    /// Which of them may enter.
    pub admission: Admission,
    /// The order and its point.
    pub order: &'a [u16],
    /// Its point.
    pub current: &'a Point,
    /// The part: positions of the jobs that are moved.
    pub positions: Range<usize>,
    /// What the neighbours have to stand up to: the points of an archive.
    pub known: &'a [Point],
}

impl pulp::NullaryFnOnce for Task<'_> {
    type Output = Explored;

    #[inline(always)]
    fn call(self) -> Explored {
        let Self { shop, objectives, neighbourhood, admission, order, current, positions, known } = self;
        let mut explored = Explored::default();
        let mut evaluator = Evaluator::new(shop);
        let mut base = Vec::with_capacity(order.len());
        let began = Instant::now();
        if neighbourhood == Neighbourhood::Exchange {
            evaluator.prepare(shop, order);
        }
        let mut at = Instant::now();
        explored.evaluating += at - began;
        for position in positions {
            neighbourhood.evaluate(shop, &mut evaluator, &mut base, order, position);
            let evaluated = Instant::now();
            explored.evaluating += evaluated - at;
            let left = &mut explored.left;
            neighbourhood.each(order.len(), position, |id, place| {
                let point = objectives.select(&evaluator.values[place]);
                if admission.admits(current, &point) && !left.covers(&point) && !is_covered(known, &point) {
                    left.insert(point, id);
                }
            });
            at = Instant::now();
            explored.comparing += at - evaluated;
        }
        explored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_places_and_moves_belong_together() {
        for neighbourhood in [Neighbourhood::Insertion, Neighbourhood::Exchange] {
            for jobs in 1..9_usize {
                let order: Vec<u16> = (0..jobs as u16).collect();
                let mut expected = 0;
                for position in 0..jobs {
                    neighbourhood.each(jobs, position, |id, place| {
                        assert_eq!(id, expected);
                        expected += 1;
                        let target =
                            if neighbourhood == Neighbourhood::Insertion { place } else { position + 1 + place };
                        let mut by_hand = order.clone();
                        if neighbourhood == Neighbourhood::Insertion {
                            let job = by_hand.remove(position);
                            by_hand.insert(target, job);
                        } else {
                            by_hand.swap(position, target);
                        }
                        assert_eq!(neighbourhood.apply(&order, id), by_hand);
                    });
                }
                assert_eq!(expected, neighbourhood.size(jobs));
            }
        }
    }
}
