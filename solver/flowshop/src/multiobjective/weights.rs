//! Normalisation of objective values, and weighted sums in integer arithmetic.

use crate::bounds::lower_bound;
use crate::insertion::FlowShopProblem;
use crate::neh::neh_of_bounded_work;
use crate::{Instance, Objective};
use gridwright_core::search::pareto::{self, MAX_OBJECTIVES, NORMALISED_REFERENCE, Point};

use super::evaluation::{Shop, Values};
use super::objectives::Objectives;

/// Bounds of the objectives for normalisation. They depend on the instance alone, so that hypervolumes of all runs on
/// an instance are comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Lower bounds; normalised to 1.
    pub low: Point,
    /// Worst values among the NEH orders for the single objectives; normalised to 2.
    pub high: Point,
}

/// Unit of the missing hypervolume: the whole hypervolume has this many parts.
pub const PARTS: u64 = 1_000_000_000;

/// Bits to which normalised values are rounded before the exact hypervolume is computed.
const BITS: u32 = 24;

impl Extent {
    /// Computes the bounds of an instance; also returns the NEH orders, one per objective. Their work is bounded by the
    /// size of the instance instead of the clock, because the bounds have to be those of every other run.
    pub(crate) fn new(instance: &Instance, shop: &Shop, objectives: &Objectives) -> (Self, Vec<Vec<u16>>) {
        let neh = |&objective: &Objective| neh_of_bounded_work(&FlowShopProblem::new(instance, objective));
        let orders: Vec<Vec<u16>> = objectives.as_slice().iter().map(neh).collect();
        let mut extent = Self { low: [0; MAX_OBJECTIVES], high: [0; MAX_OBJECTIVES] };
        for (low, &objective) in extent.low.iter_mut().zip(objectives.as_slice()) {
            *low = lower_bound(instance, objective);
        }
        for order in &orders {
            let point = objectives.select(&shop.values(order));
            extent.high = std::array::from_fn(|axis| extent.high[axis].max(point[axis]));
        }
        for axis in 0..objectives.count() {
            extent.high[axis] = extent.high[axis].max(extent.low[axis] + 1);
        }
        (extent, orders)
    }

    fn range(&self, axis: usize) -> u64 {
        self.high[axis] - self.low[axis]
    }

    /// Hypervolume with `low` at 1, `high` at 2 and the reference point at 2.1.
    pub(crate) fn hypervolume(&self, points: &[Point], objectives: usize) -> f64 {
        let scaled = pareto::normalised(points, objectives, &self.low, &self.high);
        pareto::hypervolume(&scaled, objectives, &[NORMALISED_REFERENCE; MAX_OBJECTIVES])
    }

    /// Share of the hypervolume of the point `low` that the points leave uncovered, in [`PARTS`], rounded up; 0 if
    /// nothing is missing.
    ///
    /// With x_i = 10·(v_i − low_i) and the reference at 11·(high_i − low_i) it is (1.1^k − hypervolume) / 1.1^k in
    /// integer arithmetic; ranges of more than 24 bits are rounded.
    pub(crate) fn missing(&self, points: &[Point], objectives: usize) -> u64 {
        let scaled: Vec<[u128; MAX_OBJECTIVES]> = points.iter().map(|point| self.scaled(point, objectives)).collect();
        self.missing_beside(pareto::hypervolume(&scaled, objectives, &self.reference(objectives)), objectives)
    }

    /// Share that a hypervolume of [`Self::scaled`] points leaves uncovered, see [`Self::missing`].
    pub(crate) fn missing_beside(&self, hypervolume: u128, objectives: usize) -> u64 {
        let whole: u128 = self.reference(objectives)[..objectives].iter().product();
        ((whole - hypervolume) * u128::from(PARTS)).div_ceil(whole) as u64
    }

    /// Reference point and rounded bits of an axis, in the unit of [`Self::scaled`].
    fn end(&self, axis: usize) -> (u128, u32) {
        let end = 11 * u128::from(self.range(axis));
        let bits = (128 - end.leading_zeros()).saturating_sub(BITS);
        (end >> bits, bits)
    }

    /// Reference point of [`Self::scaled`] points; 1 beyond the objectives.
    pub(crate) fn reference(&self, objectives: usize) -> [u128; MAX_OBJECTIVES] {
        std::array::from_fn(|axis| if axis < objectives { self.end(axis).0 } else { 1 })
    }

    /// A point as [`Self::missing`] counts with it; 0 beyond the objectives.
    pub(crate) fn scaled(&self, point: &Point, objectives: usize) -> [u128; MAX_OBJECTIVES] {
        std::array::from_fn(|axis| {
            if axis >= objectives {
                return 0;
            }
            (10 * u128::from(point[axis].saturating_sub(self.low[axis]))) >> self.end(axis).1
        })
    }

    /// Additive ε of the normalised points against the point of the lower bounds; infinite without points.
    pub(crate) fn epsilon(&self, points: &[Point], objectives: usize) -> f64 {
        let scaled = pareto::normalised(points, objectives, &self.low, &self.high);
        let ideal = [1.0; MAX_OBJECTIVES];
        pareto::additive_epsilon(&scaled, &[ideal], objectives).unwrap_or(f64::INFINITY)
    }

    /// Index of the point whose worst normalised objective is best; the first among equals; `None` without points.
    pub(crate) fn compromise(&self, points: &[Point], objectives: usize) -> Option<usize> {
        let worst = |point: &Point| {
            let share = |axis: usize| {
                (u128::from(point[axis].saturating_sub(self.low[axis])) << 20) / u128::from(self.range(axis).max(1))
            };
            (0..objectives).map(share).max()
        };
        (0..points.len()).min_by_key(|&number| (worst(&points[number]), number))
    }
}

/// Simplex lattice: all vectors of k non-negative integers with sum `divisions`, the first component descending (H.
/// Scheffé, «Experiments with mixtures», Journal of the Royal Statistical Society B 20(2), 1958).
pub fn lattice(objectives: usize, divisions: u32) -> Vec<Vec<u32>> {
    if objectives <= 1 {
        return vec![vec![divisions; objectives]];
    }
    let mut all = Vec::new();
    for first in (0..=divisions).rev() {
        for mut rest in lattice(objectives - 1, divisions - first) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

/// Number of vectors in [`lattice`]: C(divisions + k − 1, k − 1).
pub(crate) fn lattice_size(objectives: usize, divisions: u32) -> usize {
    // Each factor of the product is a binomial coefficient, so that every division is exact.
    (1..objectives).fold(1, |size, axis| size * (divisions as usize + axis) / axis)
}

/// Integer weighted sum of all objective values: Σ a_i·v_i.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedSum {
    coefficients: Values,
}

/// Binary logarithm of the cost of an objective's whole normalised range if it has all the weight.
pub(crate) const RANGE_BITS: u32 = 32;

/// Largest value of one term, so that the sum of four terms fits.
const MOST: u64 = 1 << 61;

impl WeightedSum {
    /// Coefficients for weights λ: a_i = ⌊λ_i · 2³² / (Σλ · range_i)⌋, at least 1 if λ_i > 0, and capped so that the
    /// sum fits.
    ///
    /// If tardy jobs have a weight, the tardiness gets at least coefficient 1, which guides the search among equal
    /// numbers of tardy jobs.
    pub(crate) fn new(instance: &Instance, objectives: &Objectives, extent: &Extent, weights: &[u32]) -> Self {
        let total: u64 = instance.times.iter().map(|&time| u64::from(time)).sum();
        let release = instance.jobs.iter().map(|job| u64::from(job.release)).max().unwrap_or(0);
        let jobs = instance.job_count() as u64;
        let sum: u64 = weights.iter().map(|&weight| u64::from(weight)).sum::<u64>().max(1);
        let mut coefficients = [0; MAX_OBJECTIVES];
        for (axis, &objective) in objectives.as_slice().iter().enumerate() {
            let most = match objective {
                Objective::Makespan => total + release,
                Objective::FlowTime | Objective::Tardiness => jobs * (total + release),
                Objective::Tardy => jobs,
            };
            let weight = u64::from(weights.get(axis).copied().unwrap_or(0));
            let wanted = (weight << RANGE_BITS) / (sum * extent.range(axis).max(1));
            coefficients[objective as usize] = wanted.max(u64::from(weight > 0)).min(MOST / most.max(1));
        }
        if coefficients[Objective::Tardy as usize] > 0 {
            let tardiness = &mut coefficients[Objective::Tardiness as usize];
            *tardiness = (*tardiness).max(1);
        }
        Self { coefficients }
    }

    /// A single objective with coefficient 1; among equal numbers of tardy jobs the tardiness decides.
    pub(crate) fn single(objective: Objective) -> Self {
        let mut coefficients = [0; MAX_OBJECTIVES];
        coefficients[objective as usize] = 1;
        if objective == Objective::Tardy {
            coefficients[Objective::Tardy as usize] = 1 << 40;
            coefficients[Objective::Tardiness as usize] = 1;
        }
        Self { coefficients }
    }

    /// Coefficients in the order of [`Objective::ALL`].
    pub(crate) fn factors(&self) -> Values {
        self.coefficients
    }

    #[inline(always)]
    pub(crate) fn cost(&self, values: &Values) -> u64 {
        // Four multiplications, most by 0, are cheaper than branches.
        values
            .iter()
            .zip(&self.coefficients)
            .fold(0_u64, |sum, (value, factor)| sum.wrapping_add(value.wrapping_mul(*factor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn a_lattice_has_all_vectors_of_its_sum() {
        assert_eq!(lattice(2, 2), [[2, 0], [1, 1], [0, 2]]);
        assert_eq!(lattice(3, 1), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        for (objectives, divisions, count) in [(2, 12, 13), (3, 5, 21), (4, 3, 20)] {
            let all = lattice(objectives, divisions);
            assert_eq!(all.len(), count);
            assert!(all.iter().all(|weights| weights.iter().sum::<u32>() == divisions));
        }
    }

    /// low (10, 100), high (20, 200): the point (15, 150) is at (1.5, 1.5), so 0.6² = 0.36 of 1.1² = 1.21 is covered
    /// and 0.85 / 1.21 = 0.702479338… is missing. A point at the lower bounds leaves nothing missing.
    #[test]
    fn what_is_lacking_by_hand() {
        let extent = Extent { low: [10, 100, 0, 0], high: [20, 200, 0, 0] };
        let point = [15, 150, 0, 0];
        assert_eq!(extent.missing(&[point], 2), 702_479_339);
        assert!((extent.hypervolume(&[point], 2) - 0.36).abs() < 1e-12);
        assert_eq!((extent.missing(&[extent.low], 2), extent.missing(&[], 2)), (0, PARTS));
        assert!((extent.epsilon(&[point, [19, 110, 0, 0]], 2) - 0.5).abs() < 1e-12);
        assert_eq!(extent.compromise(&[[19, 110, 0, 0], point], 2), Some(1));
        // Points worse than the reference or better than the bound are accepted.
        assert_eq!(extent.missing(&[[99, 150, 0, 0]], 2), PARTS);
        assert_eq!(extent.missing(&[[1, 1, 0, 0]], 2), 0);
    }

    /// Ranges of 2⁴⁰ lose bits only.
    #[test]
    fn large_ranges_are_rounded() {
        let extent = Extent { low: [0; 4], high: [1 << 40; 4] };
        let missing = extent.missing(&[[1 << 39; 4]], 4);
        let exact = 1.0 - (0.6_f64 / 1.1).powi(4);
        assert!((missing as f64 / PARTS as f64 - exact).abs() < 1e-6, "{missing}");
    }

    #[test]
    fn weights_make_ranges_equal() {
        let instance = library::taillard("ta011").unwrap();
        let objectives = Objectives::default();
        let extent = Extent { low: [1_000, 20_000, 0, 0], high: [1_500, 30_000, 5_000, 0] };
        let sum = WeightedSum::new(&instance, &objectives, &extent, &[1, 1, 2]);
        let cost = |makespan, flow, late| sum.cost(&[makespan, flow, late, 7]) as f64 / f64::from(1 << 16) / 65_536.0;
        let base = cost(1_000, 20_000, 0);
        assert!((cost(1_500, 20_000, 0) - base - 0.25).abs() < 1e-3);
        assert!((cost(1_000, 30_000, 0) - base - 0.25).abs() < 1e-3);
        assert!((cost(1_000, 20_000, 5_000) - base - 0.5).abs() < 1e-3);
        let single = WeightedSum::single(Objective::Tardy);
        assert!(single.cost(&[9, 9, 5_000, 3]) < single.cost(&[1, 1, 0, 4]));
        assert!(single.cost(&[9, 9, 4_999, 3]) < single.cost(&[1, 1, 5_000, 3]));
    }
}
