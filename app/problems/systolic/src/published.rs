//! Mean errors that the paper prints, shown beside those of this program; they are read from the plan of the paper's tables.
//!
//! Source: M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft
//! Computing 19, 2015: Tables 3 and 5. The paper prints no iterations of first hits.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use gridwright_campaign::plan;
use gridwright_campaign::published::{Measure, Ours};
use gridwright_systolic::{Instance, Kind, library};

/// The plan with the printed tables.
const PLAN: &str = include_str!("../../../../datasets/campaigns/papers/systolic-errors.ron");

/// Mean error and its standard deviation by source of the instance and label of the algorithm.
static ERRORS: LazyLock<BTreeMap<(String, String), (f64, f64)>> = LazyLock::new(|| {
    let tables = plan::published(Path::new("systolic-errors.ron"), PLAN).map(|(_, tables)| tables).unwrap_or_default();
    let cells = tables.into_iter().flat_map(|table| table.cells);
    let errors = cells.filter_map(|cell| match cell.ours {
        Ok(Ours::Runs(runs)) if runs.measure == Measure::Error => {
            Some(((runs.source, runs.label), (cell.figure.value, cell.figure.deviation?)))
        }
        _ => None,
    });
    errors.collect()
});

/// Source of the instance if it is one of the paper's.
fn source(instance: &Instance) -> Option<String> {
    match &instance.kind {
        Kind::Knapsack { profits, capacity, .. } => {
            library::published_optimum(instance)?;
            Some(format!("knapsack:{}-{}", profits.len(), capacity - 1))
        }
        Kind::Deceptive { blocks } => Some(format!("mmdp:{}", 6 * blocks)),
        _ => None,
    }
}

/// Published mean error of 50 runs and its standard deviation, of the algorithm that the paper calls `label`; `None` if it was
/// not published.
pub(crate) fn mean_error(instance: &Instance, label: &str) -> Option<(f64, f64)> {
    ERRORS.get(&(source(instance)?, label.to_owned())).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_instances_of_the_paper_have_its_errors() {
        let of = |source: &str, label: &str| mean_error(&library::named(source, 5).unwrap(), label);
        assert_eq!(ERRORS.len(), 7 * 13);
        assert_eq!(of("knapsack:200-1000", "SGS_T"), Some((923.0, 271.0)));
        assert_eq!(of("mmdp:1200", "SGS_T"), Some((1.20, 0.463)));
        assert_eq!(of("knapsack:1000-1000", "SGS_E"), Some((5.52, 17.1)), "it did not find the optimum in every run");
        assert_eq!(of("knapsack:200-10000", "SGS_E"), Some((0.20, 1.41)));
        assert_eq!(of("mmdp:300", "SGS_B"), Some((0.0, 0.0)));
        for other in ["knapsack:100-900", "mmdp:60", "onemax:100"] {
            assert_eq!(of(other, "SGS_B"), None, "{other}");
        }
    }
}
