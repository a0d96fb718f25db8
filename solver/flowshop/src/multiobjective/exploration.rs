//! Exploration of an order's neighbourhood against an archive.
//!
//! Neighbours are numbered as in [`gridwright_core::search::mapping`]. The survivors of a part of the neighbourhood are the
//! neighbours that the admission rule accepts, that no neighbour of the part with a smaller number covers, and that no
//! point of the archive covers. Dominance is transitive, so that offering the survivors in order of number produces the
//! same archive as offering all neighbours, however the neighbourhood is divided into parts.

use std::ops::Range;
use std::time::{Duration, Instant};

use gridwright_core::search::Control;
use gridwright_core::search::mapping;
use gridwright_core::search::pareto::{Archive, Point, covers, dominates, is_covered};

use super::evaluation::{Evaluator, Shop};
use super::objectives::Objectives;

/// Neighbourhood of a job permutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbourhood {
    /// Insertion: one job moves to another position.
    Insertion,
    /// Exchange: two jobs swap positions.
    Exchange,
}

impl Neighbourhood {
    /// Names of the variants as parameter values.
    pub const NAMES: [&str; 2] = ["insertion", "exchange"];

    /// Variant by name; insertion for unknown names.
    pub fn named(name: &str) -> Self {
        if name == Self::NAMES[1] { Self::Exchange } else { Self::Insertion }
    }

    /// Number of neighbours of an order of `jobs` jobs.
    pub fn size(self, jobs: usize) -> u64 {
        match self {
            Self::Insertion => mapping::insertions(jobs as u64),
            Self::Exchange => mapping::exchanges(jobs as u64),
        }
    }

    /// The two positions of neighbour `id` of an order of `jobs` jobs: from where to where a job moves, or whose jobs
    /// swap.
    pub fn positions(self, id: u64, jobs: usize) -> (usize, usize) {
        let (first, second) = match self {
            Self::Insertion => mapping::insertion(id, jobs as u64),
            Self::Exchange => mapping::exchange(id, jobs as u64),
        };
        (first as usize, second as usize)
    }

    /// Neighbour of `order`, a permutation of job indices, with number `id` < [`Self::size`].
    pub fn apply(self, order: &[u16], id: u64) -> Vec<u16> {
        let mut neighbour = order.to_vec();
        let (first, second) = self.positions(id, order.len());
        match self {
            Self::Insertion => {
                let moved = neighbour.remove(first);
                neighbour.insert(second, moved);
            }
            Self::Exchange => neighbour.swap(first, second),
        }
        neighbour
    }

    /// Evaluates the neighbours that move the job in `position` into `evaluator.values`, indexed as in [`Self::for_each`].
    ///
    /// `base` is a buffer for the order without the job. Exchanges require [`Evaluator::prepare`]; insertions also
    /// evaluate the order itself, at index `position`.
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

    /// Calls `take(number, index in the values)` for every neighbour that moves the job in `position`, by ascending
    /// number.
    #[inline(always)]
    pub fn for_each(self, jobs: usize, position: usize, mut take: impl FnMut(u64, usize)) {
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

/// Rule by which a neighbour may enter the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// PLS⊁: not dominated by the explored order.
    NonDominated,
    /// PLS≻: dominates the explored order.
    Dominating,
}

impl Admission {
    /// Names of the variants as parameter values.
    pub const NAMES: [&str; 2] = ["non-dominated", "dominating"];

    /// Variant by name; non-dominated for unknown names.
    pub fn named(name: &str) -> Self {
        if name == Self::NAMES[1] { Self::Dominating } else { Self::NonDominated }
    }

    /// Returns `true` if `neighbour` may enter when the order at `current` is explored.
    #[inline(always)]
    pub(crate) fn admits(self, current: &Point, neighbour: &Point) -> bool {
        match self {
            // An equal point would be refused: the archive holds the explored order or did so before.
            Self::NonDominated => !covers(current, neighbour),
            Self::Dominating => dominates(neighbour, current),
        }
    }
}

/// Result of exploring a part of a neighbourhood.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    /// Surviving points with their neighbour numbers, ascending.
    pub survivors: Archive<u64>,
    /// Time for evaluating neighbours.
    pub(crate) evaluating: Duration,
    /// Time for comparing points.
    pub comparing: Duration,
}

/// A part of a neighbourhood to be explored; dispatched to the best SIMD instruction set at run time.
pub(crate) struct ExplorationTask<'a> {
    /// Instance.
    pub shop: &'a Shop,
    /// Objectives of the points.
    pub objectives: &'a Objectives,
    /// Kind of neighbourhood.
    pub neighbourhood: Neighbourhood,
    /// Admission rule.
    pub admission: Admission,
    /// Order to be explored.
    pub order: &'a [u16],
    /// Point of `order`.
    pub current: &'a Point,
    /// Positions whose jobs are moved.
    pub positions: Range<usize>,
    /// Points of the archive.
    pub known: &'a [Point],
    /// Pauses and cancels the run between positions; the survivors are incomplete if it is cancelled.
    pub control: &'a Control,
}

impl pulp::NullaryFnOnce for ExplorationTask<'_> {
    type Output = Explored;

    #[inline(always)]
    fn call(self) -> Explored {
        let Self { shop, objectives, neighbourhood, admission, order, current, positions, known, control } = self;
        let mut explored = Explored::default();
        let mut evaluator = Evaluator::new(shop);
        evaluator.set_control(control);
        let mut base = Vec::with_capacity(order.len());
        let began = Instant::now();
        if neighbourhood == Neighbourhood::Exchange {
            evaluator.prepare(shop, order);
        }
        let mut at = Instant::now();
        explored.evaluating += at - began;
        for position in positions {
            if control.is_interrupted() {
                break;
            }
            neighbourhood.evaluate(shop, &mut evaluator, &mut base, order, position);
            let evaluated = Instant::now();
            explored.evaluating += evaluated - at;
            let survivors = &mut explored.survivors;
            neighbourhood.for_each(order.len(), position, |id, place| {
                let point = objectives.select(&evaluator.values[place]);
                if admission.admits(current, &point) && !survivors.covers(&point) && !is_covered(known, &point) {
                    survivors.insert(point, id);
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
                    neighbourhood.for_each(jobs, position, |id, place| {
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
