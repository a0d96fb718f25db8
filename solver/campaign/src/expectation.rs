//! Expected time of the runs of a campaign that are left.

use std::collections::BTreeMap;

use gridwright_core::search::Budget;

use super::RunSpec;
use super::row::Row;

/// Sum and number of seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Mean(f64, usize);

impl Mean {
    fn add(&mut self, seconds: f64) {
        *self = Self(self.0 + seconds, self.1 + 1);
    }

    fn value(self) -> Option<f64> {
        (self.1 > 0).then(|| self.0 / self.1 as f64)
    }
}

/// Expected seconds of the runs `left`, of which those with a limit of steps go `jobs` at a time and the others one by one;
/// `None` while nothing is known of one of them.
///
/// A run with a limit of seconds takes these. Another one takes the mean of the finished runs of its instance with its label
/// and limit, then that of all finished runs with this limit.
pub fn expected_seconds(left: &[&RunSpec], rows: &[Row], jobs: usize) -> Option<f64> {
    let mut close: BTreeMap<(&str, &str, &str), Mean> = BTreeMap::new();
    let mut wide: BTreeMap<&str, Mean> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.failure.is_empty()) {
        close.entry((&row.source, &row.label, &row.limit)).or_default().add(row.seconds);
        wide.entry(&row.limit).or_default().add(row.seconds);
    }
    let (mut shared, mut alone) = (0.0, 0.0);
    for run in left {
        let limit = run.limit();
        let known =
            || close.get(&(run.source.as_str(), run.label.as_str(), limit.as_str())).and_then(|mean| mean.value());
        let seconds = match run.budget {
            Some(Budget::Seconds(seconds)) => seconds,
            _ => known().or_else(|| wide.get(limit.as_str()).and_then(|mean| mean.value()))?,
        };
        *(if run.is_timed() { &mut alone } else { &mut shared }) += seconds;
    }
    Some(alone + shared / jobs.max(1) as f64)
}
