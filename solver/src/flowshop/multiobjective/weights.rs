//! Weighted sums of the objectives, in whole numbers, and where normalised values begin and end.

use crate::flowshop::bounds::lower_bound;
use crate::flowshop::insertion::Problem;
use crate::flowshop::neh::neh;
use crate::flowshop::{Instance, Objective};
use crate::search::pareto::{self, MAX_OBJECTIVES, NORMALISED_REFERENCE, Point};

use super::evaluation::{Shop, Values};
use super::objectives::Objectives;

/// Where the values of the objectives begin and end, roughly: by the instance alone, so that hypervolumes of all runs on it
/// can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Lower bounds: 1 when normalised.
    pub low: Point,
    /// The worst values of the orders that NEH finds for the single objectives: 2 when normalised.
    pub high: Point,
}

/// The cost of a front is what it lacks of the whole hypervolume, in this many parts.
pub const PARTS: u64 = 1_000_000_000;

/// Normalised values are rounded to this many bits before the volume is computed in whole numbers.
const BITS: u32 = 24;

impl Extent {
    /// Of an instance, with the orders that NEH finds for the objectives, one for each.
    pub fn new(instance: &Instance, shop: &Shop, objectives: &Objectives) -> (Self, Vec<Vec<u16>>) {
        let orders: Vec<Vec<u16>> =
            objectives.as_slice().iter().map(|&objective| neh(&Problem::new(instance, objective)).0).collect();
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

    /// The hypervolume with `low` at 1, `high` at 2 and the reference at 2.1.
    pub fn hypervolume(&self, points: &[Point], objectives: usize) -> f64 {
        let scaled = pareto::normalised(points, objectives, &self.low, &self.high);
        pareto::hypervolume(&scaled, objectives, &[NORMALISED_REFERENCE; MAX_OBJECTIVES])
    }

    /// What the points lack of the hypervolume of a point at `low`, in [`PARTS`], rounded up: 0 where nothing is lacking.
    ///
    /// With x_i = 10·(v_i − low_i) and the reference at 11·(high_i − low_i) it is (1.1^k − hypervolume) / 1.1^k, in whole
    /// numbers; they lose bits where a range has more than 24.
    pub fn missing(&self, points: &[Point], objectives: usize) -> u64 {
        let end = |axis: usize| 11 * u128::from(self.range(axis));
        let bits = |axis: usize| (128 - end(axis).leading_zeros()).saturating_sub(BITS);
        let scaled: Vec<[u128; MAX_OBJECTIVES]> = points
            .iter()
            .map(|point| {
                std::array::from_fn(|axis| {
                    if axis >= objectives {
                        return 0;
                    }
                    (10 * u128::from(point[axis].saturating_sub(self.low[axis]))) >> bits(axis)
                })
            })
            .collect();
        let reference: [u128; MAX_OBJECTIVES] =
            std::array::from_fn(|axis| if axis < objectives { end(axis) >> bits(axis) } else { 1 });
        let whole: u128 = reference[..objectives].iter().product();
        let lacking = whole - pareto::hypervolume(&scaled, objectives, &reference);
        (lacking * u128::from(PARTS)).div_ceil(whole) as u64
    }

    /// The additive ε of normalised points against the point of the lower bounds; infinite without points.
    pub fn epsilon(&self, points: &[Point], objectives: usize) -> f64 {
        let scaled = pareto::normalised(points, objectives, &self.low, &self.high);
        let ideal = [1.0; MAX_OBJECTIVES];
        pareto::additive_epsilon(&scaled, &[ideal], objectives).unwrap_or(f64::INFINITY)
    }

    /// The point whose worst objective is best, when normalised; of several the first.
    pub fn compromise(&self, points: &[Point], objectives: usize) -> Option<usize> {
        let worst = |point: &Point| {
            let share = |axis: usize| {
                (u128::from(point[axis].saturating_sub(self.low[axis])) << 20) / u128::from(self.range(axis).max(1))
            };
            (0..objectives).map(share).max()
        };
        (0..points.len()).min_by_key(|&number| (worst(&points[number]), number))
    }
}

/// All vectors of k whole numbers from 0 whose sum is `divisions`, the first number falling: the simplex lattice of Scheffé.
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

/// What a weighted sum makes of the values of an order: Σ a_i·v_i over all objectives, whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedSum {
    coefficients: Values,
}

/// One per cent more of a normalised objective with all the weight costs this much, about: 2³² for its whole range.
pub const RANGE_BITS: u32 = 32;

/// No term of a sum exceeds this, so that four of them fit.
const MOST: u64 = 1 << 61;

impl WeightedSum {
    /// Weights λ over their sum, of objectives that are normalised by an extent: a_i = ⌊λ_i · 2³² / (Σλ · range_i)⌋, and 1 at
    /// least where λ_i > 0; less where the sum of all times is so large that it would not fit.
    ///
    /// Tardy jobs bring the tardiness along, with the least weight that there is: among equal numbers it leads the way.
    pub fn new(instance: &Instance, objectives: &Objectives, extent: &Extent, weights: &[u32]) -> Self {
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

    /// One objective alone, as it is; among equally many tardy jobs the tardiness decides.
    pub fn single(objective: Objective) -> Self {
        let mut coefficients = [0; MAX_OBJECTIVES];
        coefficients[objective as usize] = 1;
        if objective == Objective::Tardy {
            coefficients[Objective::Tardy as usize] = 1 << 40;
            coefficients[Objective::Tardiness as usize] = 1;
        }
        Self { coefficients }
    }

    /// What the values of all objectives are multiplied with, in the order of [`Objective::ALL`].
    pub fn factors(&self) -> Values {
        self.coefficients
    }

    /// The weighted sum.
    #[inline(always)]
    pub fn cost(&self, values: &Values) -> u64 {
        // Four factors of which most are 0: cheaper than asking which.
        values
            .iter()
            .zip(&self.coefficients)
            .fold(0_u64, |sum, (value, factor)| sum.wrapping_add(value.wrapping_mul(*factor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowshop::library;

    #[test]
    fn a_lattice_has_all_vectors_of_its_sum() {
        assert_eq!(lattice(2, 2), [[2, 0], [1, 1], [0, 2]]);
        assert_eq!(lattice(3, 1), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        for (objectives, divisions, count) in [(2, 12, 13), (3, 5, 21), (4, 3, 20)] {
            let all = lattice(objectives, divisions);
            assert_eq!(all.len(), count);
            assert!(all.iter().all(|one| one.iter().sum::<u32>() == divisions));
        }
    }

    /// low (10, 100), high (20, 200): the point (15, 150) is at (1.5, 1.5), so 0.6² = 0.36 of 1.1² = 1.21 is covered, and
    /// 0.85 / 1.21 = 0.702479338… is lacking. A point at the lower bounds lacks nothing.
    #[test]
    fn what_is_lacking_by_hand() {
        let extent = Extent { low: [10, 100, 0, 0], high: [20, 200, 0, 0] };
        let point = [15, 150, 0, 0];
        assert_eq!(extent.missing(&[point], 2), 702_479_339);
        assert!((extent.hypervolume(&[point], 2) - 0.36).abs() < 1e-12);
        assert_eq!((extent.missing(&[extent.low], 2), extent.missing(&[], 2)), (0, PARTS));
        assert!((extent.epsilon(&[point, [19, 110, 0, 0]], 2) - 0.5).abs() < 1e-12);
        assert_eq!(extent.compromise(&[[19, 110, 0, 0], point], 2), Some(1));
        // Worse than the reference, and better than the bound: both are no reason to fail.
        assert_eq!(extent.missing(&[[99, 150, 0, 0]], 2), PARTS);
        assert_eq!(extent.missing(&[[1, 1, 0, 0]], 2), 0);
    }

    /// Ranges of 2⁴⁰ lose bits and nothing else.
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
