//! Tests of several algorithms on several instances, by ranks within each instance.
//!
//! M. Friedman, «The use of ranks to avoid the assumption of normality implicit in the analysis of variance», Journal of the
//! American Statistical Association 32, 1937; R. Iman, J. Davenport, «Approximations of the critical region of the Friedman
//! statistic», Communications in Statistics A 9, 1980; P. Nemenyi, «Distribution-free multiple comparisons», 1963.

use statrs::distribution::{ChiSquared, Continuous, ContinuousCDF, FisherSnedecor, Normal};

use super::ranks::ranks;

/// Results of the tests of Friedman and of Iman and Davenport.
#[derive(Debug, Clone, PartialEq)]
pub struct Friedman {
    /// Mean rank of each algorithm; 1 is the best.
    pub mean_ranks: Vec<f64>,
    /// Number of instances.
    pub blocks: usize,
    /// Friedman's χ² with k − 1 degrees of freedom.
    pub chi_squared: f64,
    /// p-value of `chi_squared`.
    pub chi_squared_p: f64,
    /// F of Iman and Davenport with k − 1 and (k − 1)(n − 1) degrees of freedom; infinite if all instances rank alike.
    pub f: f64,
    /// p-value of `f`.
    pub f_p: f64,
}

/// Tests the hypothesis that all algorithms are equal. `blocks[i][j]`: value of algorithm j on instance i.
///
/// χ² = (12 / (nk(k + 1)) · Σ Rⱼ² − 3n(k + 1)) / (1 − Σ(t³ − t) / (nk(k² − 1))), where Rⱼ are the rank sums of k algorithms on n
/// instances; F = (n − 1)χ² / (n(k − 1) − χ²). `None` for fewer than two instances or algorithms.
pub fn friedman(blocks: &[Vec<f64>]) -> Option<Friedman> {
    let algorithms = blocks.first().map_or(0, Vec::len);
    if blocks.len() < 2 || algorithms < 2 {
        return None;
    }
    let (mut sums, mut ties) = (vec![0.0; algorithms], 0.0);
    for block in blocks {
        let (ranks, tied) = ranks(block);
        sums.iter_mut().zip(ranks).for_each(|(sum, rank)| *sum += rank);
        ties += tied;
    }
    let (n, k) = (blocks.len() as f64, algorithms as f64);
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let correction = 1.0 - ties / (n * k * (k * k - 1.0));
    let spread = 12.0 / (n * k * (k + 1.0)) * squares - 3.0 * n * (k + 1.0);
    let chi_squared = if correction > 0.0 { (spread / correction).max(0.0) } else { 0.0 };
    let left = n * (k - 1.0) - chi_squared;
    let f = if left > 1e-9 { (n - 1.0) * chi_squared / left } else { f64::INFINITY };
    let f_p = match f.is_finite() {
        true => FisherSnedecor::new(k - 1.0, (k - 1.0) * (n - 1.0)).map_or(1.0, |law| law.sf(f)),
        false => 0.0,
    };
    Some(Friedman {
        mean_ranks: sums.into_iter().map(|sum| sum / n).collect(),
        blocks: blocks.len(),
        chi_squared,
        chi_squared_p: ChiSquared::new(k - 1.0).map_or(1.0, |law| law.sf(chi_squared)),
        f,
        f_p,
    })
}

/// Critical difference of mean ranks by Nemenyi: CD = q √(k(k + 1) / (6n)) with the quantile 1 − `level` of the studentized
/// range of k normal variables divided by √2.
pub fn critical_difference(algorithms: usize, blocks: usize, level: f64) -> f64 {
    let (k, n) = (algorithms as f64, blocks as f64);
    range_quantile(algorithms, 1.0 - level) / std::f64::consts::SQRT_2 * (k * (k + 1.0) / (6.0 * n)).sqrt()
}

/// Probability that the range of k standard normal variables is at most q: k ∫ φ(z) (Φ(z) − Φ(z − q))^(k − 1) dz.
fn range_probability(count: usize, q: f64) -> f64 {
    // The trapezoidal rule converges exponentially for a smooth integrand that vanishes at both ends.
    const STEP: f64 = 0.05;
    const ENDS: f64 = 9.0;
    let normal = Normal::standard();
    let term = |z: f64| normal.pdf(z) * (normal.cdf(z) - normal.cdf(z - q)).powi(count as i32 - 1);
    let steps = (2.0 * ENDS / STEP) as i32;
    count as f64 * STEP * (0..=steps).map(|step| term(f64::from(step) * STEP - ENDS)).sum::<f64>()
}

/// Quantile of the range of `count` standard normal variables, by bisection.
fn range_quantile(count: usize, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if range_probability(count, middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Groups of algorithms that do not differ, as the bars of a critical-difference diagram: ranges of positions in the ascending
/// `sorted` mean ranks that are less than `difference` apart; no range contains another one, and each has at least two members.
pub fn equal_groups(sorted: &[f64], difference: f64) -> Vec<(usize, usize)> {
    let last = |first: usize| sorted.iter().rposition(|rank| rank - sorted[first] < difference).unwrap_or(first);
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for first in 0..sorted.len() {
        let end = last(first);
        if end > first && groups.last().is_none_or(|group| group.1 < end) {
            groups.push((first, end));
        }
    }
    groups
}
