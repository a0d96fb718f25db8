//! Binary problems on a systolic grid as the rest of the program sees them.

use super::check::NOUNS;
use super::stored::StoredSolution;
use super::{MAX_SUM, Weight, formats, library};
use gridwright_core::problem::{Detection, Nouns, OptionScope, OptionSpec, Problem, Profile, number_where, parses};

/// Binary problems on a systolic grid.
pub struct Systolic;
use crate::generators::GENERATORS;
use crate::suites::MEASUREMENTS;

/// Options of binary problems on the command line.
const OPTIONS: [OptionSpec; 2] = [
    OptionSpec {
        name: "capacity",
        value_name: "W",
        help: "How much fits into a knapsack, instead of what its file says",
        scope: OptionScope::Instance { changes_data: true, of_files: false, default: None },
        check: |text| {
            let expected = || format!("expected a whole number from 1 to {MAX_SUM}");
            number_where(text, expected, |capacity: &u64| (1..=MAX_SUM).contains(capacity))
        },
    },
    OptionSpec {
        name: "weight",
        value_name: "W",
        help: "Weight of what a release leaves out against what it costs: 0, 0.1 and so on to 1 (0.5 by default)",
        scope: OptionScope::Instance { changes_data: true, of_files: false, default: None },
        check: parses::<Weight>,
    },
];

/// Constants of binary problems.
static PROFILE: Profile = Profile {
    samples: &library::SAMPLES,
    prefixes: &library::NAMED,
    violation_nouns: &NOUNS,
    options: &OPTIONS,
    generators: &GENERATORS,
    measurements: Some(&MEASUREMENTS),
    has_side_by_side_runs: true,
    ..Profile::of::<Systolic, StoredSolution>(
        "systolic",
        Nouns {
            instance: "a binary problem",
            instances: "binary problems",
            heading: "Binary problems",
            solution: "a string of bits",
            plan: "solution",
        },
        "a binary problem is a table with the columns “profit” and “weight”, or “value” and “cost”",
    )
};

impl Problem for Systolic {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn detect(&self, source: &str, start: &[u8]) -> Detection {
        if formats::looks_like(source, start) { Detection::Certain } else { Detection::No }
    }

    fn foreign(&self, text: &str, is_whole: bool) -> Option<String> {
        formats::foreign(text, is_whole)
    }

    fn is_solution(&self, start: &[u8]) -> bool {
        formats::solution::begins(start)
    }
}
