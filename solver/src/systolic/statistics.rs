//! Whether samples differ, as comparisons of metaheuristics are published.
//!
//! Every sample is tested for normality (Kolmogorov–Smirnov against the normal distribution of its own mean and deviation) and all of them
//! for equal variances (Levene). Where nothing speaks against either, the samples are compared by analysis of variance and pairs by
//! Student's t; otherwise all by Kruskal–Wallis and pairs by Wilcoxon–Mann–Whitney. Pairs count as different only where all samples together
//! do, and at a level that is divided by the number of pairs (Bonferroni–Dunn). Small values are good.
//!
//! Distribution functions are those of the crate statrs; everything is held to scipy in the tests.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, Normal, StudentsT};

/// The level of all tests.
pub const LEVEL: f64 = 0.05;

/// What a sample is against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Significantly smaller, which is better.
    Better,
    /// Significantly larger.
    Worse,
    /// No significant difference.
    Same,
}

impl Sign {
    /// ▲, ▽ or –, as the paper prints it.
    pub fn symbol(self) -> char {
        match self {
            Self::Better => '▲',
            Self::Worse => '▽',
            Self::Same => '–',
        }
    }
}

/// What the tests say of some samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Probability of as large a deviation from the normal distribution, sample by sample.
    pub normal: Vec<f64>,
    /// Probability of as different variances if they are equal.
    pub equal_variances: f64,
    /// Whether means were compared (analysis of variance and t), rather than ranks.
    pub by_means: bool,
    /// Probability of as different samples if they do not differ.
    pub overall: f64,
    /// Row by row, what each sample is against each.
    pub signs: Vec<Vec<Sign>>,
}

/// Compares samples of at least two values each; nothing can be said of fewer than two samples.
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

/// Σ (x − mean)²
fn squares(sample: &[f64]) -> f64 {
    let mean = mean(sample);
    sample.iter().map(|value| (value - mean) * (value - mean)).sum()
}

/// Probability of as large a distance between the distribution of a sample and the normal one of its mean and deviation, by
/// Kolmogorov's limit; 0 where all values are equal, which no normal distribution gives.
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
    // 2·Σ (−1)^(k − 1)·e^(−2k²x²), k = 1, 2, …, x = √n·D; it converges but where x is next to nothing.
    let x = n.sqrt() * distance;
    let term = |k: i32| (-2.0 * f64::from(k * k) * x * x).exp() * if k % 2 == 1 { 2.0 } else { -2.0 };
    if x < 0.2 { 1.0 } else { (1..=40).map(term).sum::<f64>().clamp(0.0, 1.0) }
}

/// F = (between / (k − 1)) / (within / (n − k)); probability of as large a value if all samples have one mean.
///
/// Without any variation within, samples differ for certain, or not at all.
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

/// Levene's test: the analysis of variance of the distances from the means.
pub fn levene(samples: &[Vec<f64>]) -> f64 {
    let distances = |sample: &Vec<f64>| {
        let mean = mean(sample);
        sample.iter().map(|value| (value - mean).abs()).collect()
    };
    anova(&samples.iter().map(distances).collect::<Vec<Vec<f64>>>())
}

/// Ranks from 1, equal values sharing the mean of theirs, and Σ (t³ − t) over groups of t equal values.
fn ranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut ranks, mut ties) = (vec![0.0; values.len()], 0.0);
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let first = order.partition_point(|&at| values[at] < values[group[0]]);
        let count = group.len() as f64;
        for &at in group {
            ranks[at] = first as f64 + (count + 1.0) / 2.0;
        }
        ties += count * count * count - count;
    }
    (ranks, ties)
}

/// H = 12 / (n(n + 1)) · Σ Rᵢ²/nᵢ − 3(n + 1), divided by 1 − Σ(t³ − t)/(n³ − n) for ties; probability of as large a value.
pub fn kruskal_wallis(samples: &[Vec<f64>]) -> f64 {
    let values: Vec<f64> = samples.iter().flatten().copied().collect();
    let (ranks, ties) = ranks(&values);
    let n = values.len() as f64;
    let correction = 1.0 - ties / (n * n * n - n);
    if correction <= 0.0 {
        return 1.0;
    }
    let (mut sum, mut from) = (0.0, 0);
    for sample in samples {
        let rank_sum: f64 = ranks[from..from + sample.len()].iter().sum();
        sum += rank_sum * rank_sum / sample.len() as f64;
        from += sample.len();
    }
    let h = (12.0 / (n * (n + 1.0)) * sum - 3.0 * (n + 1.0)) / correction;
    ChiSquared::new(samples.len() as f64 - 1.0).map_or(1.0, |law| law.sf(h.max(0.0)))
}

/// Student's t with common variance, two-sided.
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

/// Wilcoxon–Mann–Whitney, two-sided, by the normal distribution with corrections for ties and continuity; and whether the first sample
/// tends to be smaller.
pub fn mann_whitney(one: &[f64], other: &[f64]) -> (f64, bool) {
    let (ranks, ties) = ranks(&[one, other].concat());
    let (n, m) = (one.len() as f64, other.len() as f64);
    let all = n + m;
    let u = ranks[..one.len()].iter().sum::<f64>() - n * (n + 1.0) / 2.0;
    let (half, variance) = (n * m / 2.0, n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0))));
    if variance <= 0.0 {
        return (1.0, false);
    }
    let z = ((u - half).abs() - 0.5) / variance.sqrt();
    (Normal::standard().sf(z).min(0.5) * 2.0, u < half)
}

#[cfg(test)]
mod tests;
