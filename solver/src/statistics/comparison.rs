//! Statistical comparison of samples, in the way in which comparisons of metaheuristics are published.
//!
//! All samples are tested for normality (Kolmogorov–Smirnov against the normal distribution with the sample's mean and
//! deviation) and for equal variances (Levene). If neither is rejected, analysis of variance and pairwise Student's t
//! tests follow; otherwise Kruskal–Wallis and pairwise Wilcoxon–Mann–Whitney tests. A pair differs if the overall test
//! rejects and the pairwise test rejects at the level divided by the number of pairs (Bonferroni–Dunn). Smaller values
//! are better.
//!
//! Procedure: Pedemonte, Luna, Alba (2015), section 5.

use statrs::distribution::{ContinuousCDF, FisherSnedecor, Normal, StudentsT};

use super::kruskal::kruskal_wallis;
use super::pairs::mann_whitney;

/// Result of the comparison of two samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Significantly smaller, i.e. better.
    Better,
    /// Significantly larger.
    Worse,
    /// No significant difference.
    Same,
}

impl Sign {
    /// Symbol of the paper: ▲, ▽ or –.
    pub fn symbol(self) -> char {
        match self {
            Self::Better => '▲',
            Self::Worse => '▽',
            Self::Same => '–',
        }
    }
}

/// Result of the tests on several samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// p-value of the normality test of each sample.
    pub normal: Vec<f64>,
    /// p-value of the test for equal variances.
    pub equal_variances: f64,
    /// True if means were compared (analysis of variance, t), false for ranks.
    pub by_means: bool,
    /// p-value of the overall test.
    pub overall: f64,
    /// `signs[i][j]`: result of sample i against sample j.
    pub signs: Vec<Vec<Sign>>,
}

/// Compares at least two samples of at least two values each at significance level `level`.
pub fn compare(samples: &[Vec<f64>], level: f64) -> Comparison {
    let normal: Vec<f64> = samples.iter().map(|sample| kolmogorov_smirnov(sample)).collect();
    let equal_variances = levene(samples);
    let by_means = equal_variances >= level && normal.iter().all(|&p| p >= level);
    let overall = if by_means { anova(samples) } else { kruskal_wallis(samples) };
    let pairs = samples.len() * samples.len().saturating_sub(1) / 2;
    let sign = |one: &[f64], other: &[f64]| {
        let (p, less) = match by_means {
            true => (student_t(one, other), mean(one) < mean(other)),
            false => mann_whitney(one, other),
        };
        match (overall < level && p * (pairs as f64) < level, less) {
            (false, _) => Sign::Same,
            (true, true) => Sign::Better,
            (true, false) => Sign::Worse,
        }
    };
    let row = |number: usize| {
        let against = |other: usize| if number == other { Sign::Same } else { sign(&samples[number], &samples[other]) };
        (0..samples.len()).map(against).collect()
    };
    Comparison { normal, equal_variances, by_means, overall, signs: (0..samples.len()).map(row).collect() }
}

fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

/// Sum of squared deviations, Σ (x − mean)².
fn squares(sample: &[f64]) -> f64 {
    let mean = mean(sample);
    sample.iter().map(|value| (value - mean) * (value - mean)).sum()
}

/// p-value of the Kolmogorov–Smirnov test against the normal distribution with the sample's mean and deviation, by
/// Kolmogorov's limit distribution; 0 if all values are equal.
pub fn kolmogorov_smirnov(sample: &[f64]) -> f64 {
    let deviation = (squares(sample) / (sample.len() as f64 - 1.0)).sqrt();
    let Ok(normal) = Normal::new(mean(sample), deviation) else { return 0.0 };
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let distance = sorted.iter().enumerate().fold(0.0_f64, |most, (number, &value)| {
        let (expected, below) = (normal.cdf(value), number as f64);
        most.max(expected - below / n).max((below + 1.0) / n - expected)
    });
    // p = 2·Σ (−1)^(k − 1)·e^(−2k²x²), k = 1, 2, …, x = √n·D; the series converges unless x is close to 0.
    let x = n.sqrt() * distance;
    let term = |k: i32| (-2.0 * f64::from(k * k) * x * x).exp() * if k % 2 == 1 { 2.0 } else { -2.0 };
    if x < 0.2 { 1.0 } else { (1..=40).map(term).sum::<f64>().clamp(0.0, 1.0) }
}

/// p-value of the one-way analysis of variance: F = (between / (k − 1)) / (within / (n − k)).
///
/// Without variation within the samples it is 1 for equal means and 0 otherwise.
pub fn anova(samples: &[Vec<f64>]) -> f64 {
    let (k, n) = (samples.len() as f64, samples.iter().map(Vec::len).sum::<usize>() as f64);
    let all = samples.iter().flatten().sum::<f64>() / n;
    let between: f64 = samples.iter().map(|sample| sample.len() as f64 * (mean(sample) - all).powi(2)).sum();
    let within: f64 = samples.iter().map(|sample| squares(sample)).sum();
    if within == 0.0 {
        return if between == 0.0 { 1.0 } else { 0.0 };
    }
    let f = between / (k - 1.0) / (within / (n - k));
    FisherSnedecor::new(k - 1.0, n - k).map_or(1.0, |law| law.sf(f))
}

/// p-value of Levene's test for `samples`, one list of values each: analysis of variance of the distances from the
/// sample means.
pub fn levene(samples: &[Vec<f64>]) -> f64 {
    let distances = |sample: &Vec<f64>| {
        let mean = mean(sample);
        sample.iter().map(|value| (value - mean).abs()).collect()
    };
    anova(&samples.iter().map(distances).collect::<Vec<Vec<f64>>>())
}

/// Two-sided p-value of Student's t test with common variance for two samples of at least two values each.
pub fn student_t(one: &[f64], other: &[f64]) -> f64 {
    let [n, m] = [one, other].map(|sample| sample.len() as f64);
    let variance = (squares(one) + squares(other)) / (n + m - 2.0);
    let difference = (mean(one) - mean(other)).abs();
    if variance == 0.0 {
        return if difference == 0.0 { 1.0 } else { 0.0 };
    }
    let t = difference / (variance * (1.0 / n + 1.0 / m)).sqrt();
    StudentsT::new(0.0, 1.0, n + m - 2.0).map_or(1.0, |law| 2.0 * law.sf(t))
}

#[cfg(test)]
pub(in crate::statistics) mod tests;
