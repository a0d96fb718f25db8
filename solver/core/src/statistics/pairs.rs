//! Comparison of two samples, and the adjustment of several p-values.
//!
//! F. Wilcoxon, «Individual comparisons by ranking methods», Biometrics Bulletin 1, 1945; A. Vargha, H. Delaney, «A
//! critique and improvement of the CL common language effect size statistics», Journal of Educational and Behavioral Statistics
//! 25, 2000; S. Holm, «A simple sequentially rejective multiple test procedure», Scandinavian Journal of Statistics 6, 1979.

use statrs::distribution::{ContinuousCDF, Normal};

use super::ranks::ranks;

/// Largest number of differences for which the Wilcoxon test counts all signs.
const EXACT: usize = 50;

/// Two-sided p-value of the Wilcoxon signed-rank test for differences of pairs; differences of 0 are left out.
///
/// Without ties among at most 50 differences it is exact: twice the share of the 2ⁿ sign patterns with a rank sum that is at
/// most the smaller one. Otherwise W⁺ is approximated as normal with mean n(n + 1)/4, variance (n(n + 1)(2n + 1) −
/// Σ(t³ − t)/2) / 24 and the continuity correction ½.
pub fn wilcoxon(differences: &[f64]) -> f64 {
    let kept: Vec<f64> = differences.iter().copied().filter(|&difference| difference != 0.0).collect();
    let (ranks, ties) = ranks(&kept.iter().map(|difference| difference.abs()).collect::<Vec<f64>>());
    let n = kept.len() as f64;
    let positive: f64 =
        kept.iter().zip(&ranks).filter(|(difference, _)| **difference > 0.0).map(|(_, rank)| rank).sum();
    let total = n * (n + 1.0) / 2.0;
    if kept.len() <= EXACT && ties == 0.0 {
        return (2.0 * share_at_most(kept.len(), positive.min(total - positive))).min(1.0);
    }
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
    let z = ((positive - total / 2.0).abs() - 0.5).max(0.0) / variance.sqrt();
    2.0 * Normal::standard().sf(z)
}

/// Share of the subsets of {1, …, `count`} with a sum of at most `limit`, by counting the subsets of each sum.
fn share_at_most(count: usize, limit: f64) -> f64 {
    let limit = limit as usize;
    let mut subsets = vec![0.0; limit + 1];
    subsets[0] = 1.0;
    for rank in 1..=count {
        for sum in (rank..=limit).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    subsets.iter().sum::<f64>() / 2_f64.powi(count as i32)
}

/// Vargha and Delaney's A₁₂ for smaller values as better ones: probability that a value of `one` is smaller than a value of
/// `other`, ties counted by half. 0.5: no difference; 0.56, 0.64 and 0.71 are the limits of a small, medium and large one.
pub fn vargha_delaney(one: &[f64], other: &[f64]) -> f64 {
    let score = |a: f64, b: f64| if a < b { 1.0 } else { f64::from(a == b) / 2.0 };
    let sum: f64 = one.iter().map(|&a| other.iter().map(|&b| score(a, b)).sum::<f64>()).sum();
    sum / (one.len() as f64 * other.len() as f64)
}

/// p-values adjusted by Holm: of m values the i-th smallest becomes the largest of (m − j + 1) · p₍ⱼ₎ for j ≤ i, at most 1.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut adjusted, mut largest) = (vec![1.0; values.len()], 0.0_f64);
    for (done, &at) in order.iter().enumerate() {
        largest = largest.max((values.len() - done) as f64 * values[at]).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}
