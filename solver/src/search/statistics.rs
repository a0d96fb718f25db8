//! Summary statistics of costs.

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

/// Gap to a reference in per cent: 100 · (value − reference) / reference.
pub fn gap_percent(value: f64, reference: f64) -> f64 {
    100.0 * (value - reference) / reference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summarises_by_hand() {
        let summary = summarise(&[2.0, 4.0, 6.0]).unwrap();
        assert_eq!((summary.best, summary.mean, summary.worst, summary.deviation), (2.0, 4.0, 6.0, 2.0));
        assert_eq!(summarise(&[]), None);
        assert_eq!(summarise(&[3.0]).unwrap().deviation, 0.0);
        assert_eq!(gap_percent(11.0, 10.0), 10.0);
    }
}
