//! Tables over sets of departments; a set is a word with one bit per department.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::orders::{Line, permutations};
use crate::doors::DoorTerm;
use crate::evaluation::Problem;
use crate::instance::TOLERANCE;
use crate::{Distance, Instance};

/// Set of departments: bit i stands for department i.
pub(crate) type Set = u32;

/// Department with the centroid across and along the bays.
pub(crate) type Point = (usize, f64, f64);

/// Members of a set, ascending.
pub fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..Set::BITS as usize).filter(move |&one| set >> one & 1 == 1)
}

/// Tables over all sets of departments, for bays of one orientation.
#[derive(Debug)]
pub(crate) struct Sets {
    /// Length of the bays.
    pub length: f64,
    /// True for Euclidean distances, false for rectilinear ones.
    pub euclidean: bool,
    /// Area of each department.
    pub areas: Vec<f64>,
    /// Flows f_ij + f_ji, row-major: departments × departments.
    pub flows: Vec<f64>,
    /// Doors of each department: the place along the bays and the flow; empty without flows through doors.
    doors_along: Vec<Vec<(f64, f64)>>,
    /// Doors of each department across the bays, in the same form.
    doors_across: Vec<Vec<(f64, f64)>>,
    /// Total area of each set.
    pub area: Vec<f64>,
    /// True for each set whose departments satisfy their shape limits in one bay.
    pub fits: Vec<bool>,
    /// Flow from each department to each set, row-major: departments × sets.
    flow_to: Vec<f64>,
    /// Minimum cost along the bay within each feasible set.
    pub within: Vec<f64>,
    /// Lower bounds of [`Self::pair`]: by number of bays `k`, then by a ternary number that encodes the two sets; NaN
    /// marks an entry not computed yet.
    pairs: Vec<OnceLock<Box<[AtomicU64]>>>,
    /// Powers of three, 3^i.
    powers: Vec<usize>,
}

impl Sets {
    /// Computes the tables of an instance with at most [`super::MAX_ENUMERATED`] departments.
    pub fn new(instance: &Instance, problem: &Problem) -> Self {
        let n = instance.len();
        let count = 1 << n;
        let flows = (0..n * n).map(|at| instance.flow(at / n, at % n)).collect();
        let of_doors = |place: fn(&DoorTerm) -> f64| -> Vec<Vec<(f64, f64)>> {
            let terms = |one| problem.doors.of_department(one).map(|term| (place(term), term.flow)).collect();
            if problem.doors.is_empty() { Vec::new() } else { (0..n).map(terms).collect() }
        };
        let mut sets = Self {
            length: problem.length,
            euclidean: instance.distance == Distance::Euclidean,
            areas: problem.areas.clone(),
            flows,
            doors_along: of_doors(|term| term.along),
            doors_across: of_doors(|term| term.across),
            area: vec![0.0; count],
            fits: vec![false; count],
            flow_to: vec![0.0; n * count],
            within: vec![0.0; count],
            pairs: (0..=n).map(|_| OnceLock::new()).collect(),
            powers: (0..=n as u32).map(|exponent| 3_usize.pow(exponent)).collect(),
        };
        for set in 1..count {
            let lowest = set.trailing_zeros() as usize;
            let rest = set & (set - 1);
            sets.area[set] = sets.area[rest] + sets.areas[lowest];
            for one in 0..n {
                sets.flow_to[one * count + set] = sets.flow_to[one * count + rest] + sets.flows[one * n + lowest];
            }
            let across = sets.width(set as Set);
            sets.fits[set] = members(set as Set).all(|one| {
                let along = problem.areas[one] / across;
                along <= across * (problem.long[one] + TOLERANCE)
                    && across <= along * (problem.wide[one] + TOLERANCE)
                    && across.min(along) >= problem.side[one] - TOLERANCE
            });
        }
        for set in (1..count).filter(|&set| sets.fits[set]).collect::<Vec<_>>() {
            sets.within[set] = Line::new(&sets, set as Set).best(&sets, 1.0, |_, _| 0.0);
        }
        sets
    }

    /// Number of departments.
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// Width of a bay that holds a set.
    pub fn width(&self, set: Set) -> f64 {
        self.area[set as usize] / self.length
    }

    /// Flow from a department to a set.
    #[inline(always)]
    pub(crate) fn flow_to(&self, one: usize, set: Set) -> f64 {
        self.flow_to[one * self.area.len() + set as usize]
    }

    /// Returns `true` if a layout and its mirror images cost the same.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.doors_along.is_empty()
    }

    /// Cost along the bays of the flows of a department at `at` through doors.
    #[inline(always)]
    pub(crate) fn to_doors(&self, one: usize, at: f64) -> f64 {
        self.doors_along.get(one).map_or(0.0, |doors| through(doors, at))
    }

    /// Flow between two disjoint sets.
    pub(crate) fn flow_between(&self, one: Set, other: Set) -> f64 {
        members(one).map(|department| self.flow_to(department, other)).sum()
    }

    /// Minimum cost across the bays and the order of bays that attains it.
    ///
    /// With c_b the centre of bay b, S the set of bays left of it and F the flow, the cost is Σ_b c_b·(F(b, S) − F(b,
    /// rest)), and c_b depends on S only: dynamic programming over S in O(2^k · k²).
    pub fn across(&self, bays: &[Set]) -> (f64, Vec<usize>) {
        let count = bays.len();
        let widths: Vec<f64> = bays.iter().map(|&bay| self.width(bay)).collect();
        let mut flow = vec![0.0; count * count];
        for one in 0..count {
            for other in 0..one {
                let between = self.flow_between(bays[one], bays[other]);
                (flow[one * count + other], flow[other * count + one]) = (between, between);
            }
        }
        let mut best = vec![(f64::INFINITY, usize::MAX); 1 << count];
        best[0].0 = 0.0;
        for left in 0..(1_usize << count) - 1 {
            let begin: f64 = (0..count).filter(|bay| left >> bay & 1 == 1).map(|bay| widths[bay]).sum();
            for bay in (0..count).filter(|bay| left >> bay & 1 == 0) {
                let balance: f64 =
                    (0..count)
                        .map(|other| {
                            if left >> other & 1 == 1 { flow[bay * count + other] } else { -flow[bay * count + other] }
                        })
                        .sum();
                let centre = begin + widths[bay] / 2.0;
                let mut cost = best[left].0 + centre * balance;
                if !self.is_symmetric() {
                    cost += members(bays[bay]).map(|one| through(&self.doors_across[one], centre)).sum::<f64>();
                }
                let with = &mut best[left | 1 << bay];
                if cost < with.0 {
                    *with = (cost, bay);
                }
            }
        }
        let mut order = Vec::with_capacity(count);
        let mut left = (1 << count) - 1;
        while left != 0 {
            order.push(best[left].1);
            left &= !(1 << best[left].1);
        }
        order.reverse();
        (best[(1 << count) - 1].0, order)
    }

    /// Lower bound of the cost along the bays that two of `k` bays cause: their mutual cost and 1/(k − 1) of the cost
    /// within each. Summed over all pairs it bounds the whole cost along the bays.
    pub fn pair(&self, one: Set, other: Set, k: usize) -> f64 {
        self.bound(one, other, k, 1.0 / (k - 1) as f64)
    }

    /// Lower bound of the mutual cost of two bays along them.
    pub fn mutual(&self, one: Set, other: Set) -> f64 {
        self.bound(one, other, 0, 0.0)
    }

    /// Least mutual cost of two bays along them, and `share` of the cost within each; `table` keeps the bounds of this share.
    fn bound(&self, one: Set, other: Set, table: usize, share: f64) -> f64 {
        let (small, large) =
            if (one.count_ones(), one) <= (other.count_ones(), other) { (one, other) } else { (other, one) };
        let table = self.pairs[table].get_or_init(|| {
            let unknown = f64::NAN.to_bits();
            (0..self.powers[self.len()]).map(|_| AtomicU64::new(unknown)).collect()
        });
        let ternary = |set: Set, digit: usize| members(set).map(|one| self.powers[one] * digit).sum::<usize>();
        // Threads may compute an entry concurrently; all obtain the same number.
        let entry = &table[ternary(small, 1) + ternary(large, 2)];
        let known = f64::from_bits(entry.load(Ordering::Relaxed));
        if !known.is_nan() {
            return known;
        }
        let line = Line::new(self, large);
        let mut best = f64::INFINITY;
        let mut order: Vec<usize> = members(small).collect();
        permutations(&mut order, &mut |order| {
            // Without doors a layout and its mirror image cost the same.
            if self.is_symmetric() && order.len() > 1 && order[0] > order[order.len() - 1] {
                return;
            }
            // Along the bays distances are those of bays above each other.
            let (placed, within) = self.placed(order, small, 0.0);
            best = best.min(within * share + line.best(self, share, |one, at| self.to_placed((one, 0.0, at), &placed)));
        });
        entry.store(best.to_bits(), Ordering::Relaxed);
        best
    }

    /// Points of `order` in the bay of `set`, whose centre line is at `across`, and the cost among them and to doors.
    pub fn placed(&self, order: &[usize], set: Set, across: f64) -> (Vec<Point>, f64) {
        let width = self.width(set);
        let (mut top, mut cost) = (0.0, 0.0);
        let mut placed: Vec<Point> = Vec::with_capacity(order.len());
        for &one in order {
            let along = self.areas[one] / width;
            let at = top + along / 2.0;
            cost += self.to_placed((one, across, at), &placed) + self.to_doors(one, at);
            placed.push((one, across, at));
            top += along;
        }
        (placed, cost)
    }

    /// Cost between a department and the departments in `placed`; with rectilinear distances that along the bays.
    #[inline(always)]
    pub(crate) fn to_placed(&self, (one, across, along): Point, placed: &[Point]) -> f64 {
        let flows = &self.flows[one * self.len()..(one + 1) * self.len()];
        if self.euclidean {
            return placed.iter().map(|&(other, x, y)| flows[other] * straight(across - x, along - y)).sum();
        }
        placed.iter().map(|&(other, _, y)| flows[other] * (along - y).abs()).sum()
    }
}

/// Σ flow · distance of a point to doors (place, flow).
fn through(doors: &[(f64, f64)], at: f64) -> f64 {
    doors.iter().map(|(door, flow)| flow * (at - door).abs()).sum()
}

/// Euclidean distance.
#[inline(always)]
pub(crate) fn straight(across: f64, along: f64) -> f64 {
    (across * across + along * along).sqrt()
}
