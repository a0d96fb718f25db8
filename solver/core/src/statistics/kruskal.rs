//! Tests of several independent samples by the ranks of all values.
//!
//! W. Kruskal, W. Wallis, «Use of ranks in one-criterion variance analysis», Journal of the American Statistical Association 47,
//! 1952; O. Dunn, «Multiple comparisons using rank sums», Technometrics 6, 1964.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

use super::pairs::holm;
use super::ranks::ranks;

/// Mean ranks of the samples among all values, number of values, and the correction term for ties.
fn mean_ranks(samples: &[Vec<f64>]) -> (Vec<f64>, f64, f64) {
    let values: Vec<f64> = samples.iter().flatten().copied().collect();
    let (ranks, ties) = ranks(&values);
    let mut from = 0;
    let means = samples.iter().map(|sample| {
        let sum: f64 = ranks[from..from + sample.len()].iter().sum();
        from += sample.len();
        sum / sample.len() as f64
    });
    (means.collect(), values.len() as f64, ties)
}

/// p-value of the Kruskal–Wallis test: H = 12 / (n(n + 1)) · Σ Rᵢ²/nᵢ − 3(n + 1), divided by 1 − Σ(t³ − t)/(n³ − n) for
/// ties.
pub fn kruskal_wallis(samples: &[Vec<f64>]) -> f64 {
    let (means, n, ties) = mean_ranks(samples);
    let correction = 1.0 - ties / (n * n * n - n);
    if correction <= 0.0 {
        return 1.0;
    }
    let sum: f64 = means.iter().zip(samples).map(|(mean, sample)| mean * mean * sample.len() as f64).sum();
    let h = (12.0 / (n * (n + 1.0)) * sum - 3.0 * (n + 1.0)) / correction;
    ChiSquared::new(samples.len() as f64 - 1.0).map_or(1.0, |law| law.sf(h.max(0.0)))
}

/// Two-sided p-values of Dunn's test for all pairs of samples, adjusted by Holm; `result[i][j]` for samples i and j, 1 on the
/// diagonal.
///
/// z = (R̄ᵢ − R̄ⱼ) / √((n(n + 1)/12 − Σ(t³ − t)/(12(n − 1))) · (1/nᵢ + 1/nⱼ))
pub fn dunn(samples: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (means, n, ties) = mean_ranks(samples);
    let variance = n * (n + 1.0) / 12.0 - ties / (12.0 * (n - 1.0));
    let p = |i: usize, j: usize| {
        let weight = 1.0 / samples[i].len() as f64 + 1.0 / samples[j].len() as f64;
        let z = (means[i] - means[j]).abs() / (variance * weight).sqrt();
        if variance > 0.0 { 2.0 * Normal::standard().sf(z) } else { 1.0 }
    };
    symmetric(samples.len(), p)
}

/// Square matrix of the p-values of all pairs, adjusted by Holm, 1 on the diagonal.
pub fn symmetric(count: usize, p: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    let pairs: Vec<(usize, usize)> = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))).collect();
    let adjusted = holm(&pairs.iter().map(|&(i, j)| p(i, j)).collect::<Vec<f64>>());
    let mut matrix = vec![vec![1.0; count]; count];
    for ((i, j), p) in pairs.into_iter().zip(adjusted) {
        matrix[i][j] = p;
        matrix[j][i] = p;
    }
    matrix
}
