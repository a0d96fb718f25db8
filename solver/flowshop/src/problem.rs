//! The permutation flow shop as the rest of the program sees it.

use super::formats::{self, Orientation};
use super::library;
use super::multiobjective::Goal;
use super::stored::{Demands, StoredSolution};
use gridwright_core::problem::{Detection, Nouns, OptionScope, OptionSpec, Problem, Profile, number_where, parses};
use gridwright_core::result::Encoded;

/// The permutation flow shop.
pub struct FlowShop;
use crate::generators::GENERATORS;
use crate::suites::MEASUREMENTS;

/// Options of flow shops on the command line.
const OPTIONS: [OptionSpec; 3] = [
    OptionSpec {
        name: "objective",
        value_name: "OBJECTIVE",
        help: "What is to be minimised in a flow shop: makespan (the default), flowtime, tardiness or tardy; several at \
               once with commas, as in makespan,flowtime; pareto is makespan,flowtime,tardiness",
        scope: OptionScope::Instance { changes_data: false, of_files: false, default: None },
        check: parses::<Goal>,
    },
    OptionSpec {
        name: "number",
        value_name: "N",
        help: "Which flow shop of a file that holds several, counted from 1",
        scope: OptionScope::Instance { changes_data: true, of_files: true, default: Some("1") },
        check: |text| {
            let expected = || "expected a whole number from 1, the place of the flow shop in its file".to_owned();
            number_where(text, expected, |&number: &usize| number > 0)
        },
    },
    OptionSpec {
        name: "orientation",
        value_name: "ORIENTATION",
        help: "What a row of numbers is in the file of a flow shop: machine-rows (the default) or job-rows",
        scope: OptionScope::Instance { changes_data: true, of_files: true, default: None },
        check: parses::<Orientation>,
    },
];

/// Constants of the flow shop.
static PROFILE: Profile = Profile {
    samples: &library::SAMPLES,
    prefixes: &["taillard:"],
    options: &OPTIONS,
    generators: &GENERATORS,
    measurements: Some(&MEASUREMENTS),
    ..Profile::of::<FlowShop, StoredSolution>(
        "flowshop",
        Nouns {
            instance: "a flow shop",
            instances: "flow shops",
            heading: "Flow shops",
            solution: "an order of jobs",
            plan: "schedule",
        },
        "a flow shop begins with its numbers of jobs and machines, or is a table with a column “job”",
    )
};

impl Problem for FlowShop {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn generated(&self) -> Vec<String> {
        library::entries().iter().map(|entry| format!("taillard:{}", entry.name)).collect()
    }

    fn detect(&self, source: &str, start: &[u8]) -> Detection {
        if formats::is_stranger(source, start) {
            Detection::Likely
        } else if formats::looks_like(source, start) {
            Detection::Certain
        } else if formats::resembles(source, start) {
            Detection::Possible
        } else {
            Detection::No
        }
    }

    fn is_solution(&self, start: &[u8]) -> bool {
        formats::solution::begins_schedule(start)
    }

    fn check_demands(&self, demands: &Encoded, _is_of_run: bool) -> std::result::Result<(), String> {
        demands.read::<Demands>().map(drop)
    }
}
