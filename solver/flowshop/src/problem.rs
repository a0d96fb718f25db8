//! The permutation flow shop as the rest of the program sees it.

use super::formats::{self, Orientation};
use super::library;
use super::multiobjective::Goal;
use super::real_time::PlanStart;
use super::rule_options::{AROUND, HOLD, NOT_BEFORE, PIN, check_pairs, check_pins};
use super::run::holding::hold;
use super::stored::{Demands, StoredSolution};
use gridwright_core::problem::{
    Detection, Nouns, OptionScope, OptionSpec, Problem, Profile, any_text, number_where, parses,
};
use gridwright_core::result::Encoded;

/// The permutation flow shop.
pub struct FlowShop;
use crate::generators::GENERATORS;
use crate::suites::MEASUREMENTS;

/// Options of flow shops on the command line.
const OPTIONS: [OptionSpec; 8] = [
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
    OptionSpec {
        name: "plan-start",
        value_name: "TIME",
        help: "When the plan of a flow shop starts, from which dates in its table are counted, such as 2026-11-30T06:00, with a time \
               zone as in “2026-11-30 06:00 Europe/Berlin”",
        scope: OptionScope::Instance { changes_data: true, of_files: true, default: None },
        check: parses::<PlanStart>,
    },
    OptionSpec {
        name: PIN,
        value_name: "JOB=POSITION,…",
        help: "Jobs of a flow shop that stay in a position of the order, counted from 1, such as A=1,B=5",
        scope: OptionScope::Solve,
        check: check_pins,
    },
    OptionSpec {
        name: NOT_BEFORE,
        value_name: "JOB=JOB,…",
        help: "Jobs of a flow shop that must not be before another one, such as B=A,C=A where neither B nor C may be before A",
        scope: OptionScope::Solve,
        check: check_pairs,
    },
    OptionSpec {
        name: AROUND,
        value_name: "FILE",
        help: "begin with this order of the jobs of a flow shop: a result or an order file",
        scope: OptionScope::Solve,
        check: any_text,
    },
    OptionSpec {
        name: HOLD,
        value_name: "ITEM=PLACE",
        help: "JOB=POSITION, this job of a flow shop is in this position, counted from 1, and as few others as possible follow it; a search goes on \
               from there only with an algorithm or a limit",
        scope: OptionScope::Solve,
        check: |text| hold(text).map(drop),
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

    fn foreign(&self, text: &str, _is_whole: bool) -> Option<String> {
        formats::foreign(text)
    }

    fn is_solution(&self, start: &[u8]) -> bool {
        formats::solution::begins_schedule(start)
    }

    fn check_demands(&self, demands: &Encoded, _is_of_run: bool) -> std::result::Result<(), String> {
        demands.read::<Demands>().map(drop)
    }
}
