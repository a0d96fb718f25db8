//! Summaries of samples.

/// Summary of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Smallest value.
    pub best: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Largest value.
    pub worst: f64,
    /// Sample standard deviation (n − 1), 0 for a single value.
    pub deviation: f64,
}

/// Summarises the sample `values`; `None` if it is empty.
pub fn summarise(values: &[f64]) -> Option<Summary> {
    if values.is_empty() {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some(Summary {
        best: values.iter().copied().fold(f64::INFINITY, f64::min),
        mean,
        worst: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        deviation: if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 },
    })
}

/// Quantile of ascending values at `share` 0…1, by linear interpolation between neighbours (type 7 of Hyndman and Fan, «Sample
/// quantiles in statistical packages», 1996); `None` for no values.
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share * (sorted.len().checked_sub(1)? as f64);
    let (below, part) = (position.floor() as usize, position.fract());
    let (low, high) = (sorted[below], sorted[(below + 1).min(sorted.len() - 1)]);
    Some(if part == 0.0 || low == high { low } else { low + (high - low) * part })
}

/// Quantile of values in any order; 0 without any.
pub fn quantile_of(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, share).unwrap_or(0.0)
}

/// Smallest value, lower quartile, median, upper quartile and largest value; `None` for no values.
pub fn five_numbers(values: &[f64]) -> Option<[f64; 5]> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let [a, b, c, d, e] = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&sorted, share));
    Some([a?, b?, c?, d?, e?])
}

/// Gap to a reference in per cent: 100 · (value − reference) / reference.
pub fn gap_percent(value: f64, reference: f64) -> f64 {
    100.0 * (value - reference) / reference
}

/// Gap between a displayed cost and the best one known in per cent, positive if it is worse; `factor` is negative where
/// larger figures are better. `None` if the best one is 0 and not reached.
pub fn directed_gap(shown: f64, best: f64, factor: f64) -> Option<f64> {
    if shown == best {
        return Some(0.0);
    }
    (best != 0.0).then(|| factor.signum() * best.signum() * gap_percent(shown, best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worse_figures_have_positive_gaps_in_both_directions() {
        assert_eq!((directed_gap(110.0, 100.0, 0.1), directed_gap(90.0, 100.0, -1.0)), (Some(10.0), Some(10.0)));
        assert_eq!((directed_gap(-90.0, -100.0, 1.0), directed_gap(110.0, 100.0, -1.0)), (Some(10.0), Some(-10.0)));
        assert_eq!((directed_gap(0.0, 0.0, 1.0), directed_gap(3.0, 0.0, 1.0)), (Some(0.0), None));
    }

    #[test]
    fn summarises_by_hand() {
        let summary = summarise(&[2.0, 4.0, 6.0]).unwrap();
        assert_eq!((summary.best, summary.mean, summary.worst, summary.deviation), (2.0, 4.0, 6.0, 2.0));
        assert_eq!(summarise(&[]), None);
        assert_eq!(summarise(&[3.0]).unwrap().deviation, 0.0);
        assert_eq!(gap_percent(11.0, 10.0), 10.0);
        assert_eq!(five_numbers(&[4.0, 1.0, 3.0, 2.0]), Some([1.0, 1.75, 2.5, 3.25, 4.0]));
        assert_eq!(five_numbers(&[]), None);
        assert_eq!(quantile(&[1.0, f64::INFINITY, f64::INFINITY], 0.75), Some(f64::INFINITY));
    }
}
