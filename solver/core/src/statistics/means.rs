//! Tests of means of which only value, deviation and number of runs are known.
//!
//! Student, «The probable error of a mean», Biometrika 6, 1908; B. Welch, «The generalization of “Student's” problem when several
//! different population variances are involved», Biometrika 34, 1947.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Mean of several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Standard deviation of the runs.
    pub deviation: f64,
    /// Number of runs.
    pub runs: usize,
}

impl Mean {
    /// Square of the error of the mean, s²/n.
    fn squared_error(self) -> f64 {
        self.deviation * self.deviation / self.runs as f64
    }

    fn freedom(self) -> f64 {
        self.runs as f64 - 1.0
    }
}

/// Two-sided p-value of the one-sample t-test of a mean against a value that is known up to `tolerance`. `None` for fewer than
/// two runs, or runs that are all equal.
pub fn one_sample(mean: Mean, value: f64, tolerance: f64) -> Option<f64> {
    p_value(mean.value - value, tolerance, mean.squared_error(), mean.freedom())
}

/// Two-sided p-value of Welch's t-test of two means, the second of which is known up to `tolerance`; `None` as [`one_sample`].
///
/// ν = (s₁²/n₁ + s₂²/n₂)² / ((s₁²/n₁)² / (n₁ − 1) + (s₂²/n₂)² / (n₂ − 1))
pub fn welch(one: Mean, other: Mean, tolerance: f64) -> Option<f64> {
    let (a, b) = (one.squared_error(), other.squared_error());
    let freedom = (a + b).powi(2) / (a * a / one.freedom() + b * b / other.freedom());
    p_value(one.value - other.value, tolerance, a + b, freedom).filter(|_| one.runs > 1 && other.runs > 1)
}

fn p_value(difference: f64, tolerance: f64, squared_error: f64, freedom: f64) -> Option<f64> {
    let is_known = difference.is_finite() && squared_error > 0.0 && freedom > 0.0;
    let law = StudentsT::new(0.0, 1.0, freedom).ok().filter(|_| is_known)?;
    Some(2.0 * law.sf((difference.abs() - tolerance).max(0.0) / squared_error.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(value: f64, deviation: f64, runs: usize) -> Mean {
        Mean { value, deviation, runs }
    }

    /// Values of scipy: `ttest_ind_from_stats(10, 2, 5, 12, 3, 10, equal_var=False)` and `2 * t.sf(0.5 / (0.8 / sqrt(6)), 5)`.
    #[test]
    fn p_values_are_those_of_scipy() {
        let p = welch(mean(10.0, 2.0, 5), mean(12.0, 3.0, 10), 0.0).unwrap();
        assert!((p - 0.151948692104).abs() < 1e-9, "{p}");
        let p = one_sample(mean(7.5, 0.8, 6), 7.0, 0.0).unwrap();
        assert!((p - 0.186347145604).abs() < 1e-9, "{p}");
        assert_eq!(one_sample(mean(7.5, 0.8, 6), 7.0, 0.5), Some(1.0));
        assert!([one_sample(mean(1.0, 0.0, 9), 2.0, 0.0), one_sample(mean(1.0, 0.5, 1), 2.0, 0.0)] == [None; 2]);
        assert_eq!(welch(mean(1.0, 0.5, 1), mean(2.0, 0.5, 9), 0.0), None);
    }
}
