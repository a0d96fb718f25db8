//! Facility layout as the rest of the program sees it.

use std::path::PathBuf;

use super::check::NOUNS;
use super::formats::{self, PlantSize};
use super::hold_option::{AROUND, HOLD};
use super::run::holding::hold;
use super::stored::{Demands, StoredSolution};
use super::{Distance, library};
use gridwright_core::problem::{
    Detection, Nouns, OptionScope, OptionSpec, Problem, Profile, any_text, number_where, parses,
};
use gridwright_core::result::Encoded;

/// Facility layout with flexible bays.
pub struct Facility;
use crate::generators::GENERATORS;
use crate::suites::MEASUREMENTS;

/// Options of layout problems on the command line.
const OPTIONS: [OptionSpec; 7] = [
    OptionSpec {
        name: "plant",
        value_name: "WIDTHxHEIGHT",
        help: "The size of the plant of a layout problem, such as 20x30, instead of the file's",
        scope: OptionScope::Instance { changes_data: true, of_files: false, default: None },
        check: PlantSize::check,
    },
    OptionSpec {
        name: "aspect",
        value_name: "A",
        help: "How many times as long as wide departments of a layout may be, whatever limits the file has",
        scope: OptionScope::Instance { changes_data: true, of_files: false, default: None },
        check: |text| {
            let expected = || "expected 1 or more: the longer side divided by the shorter".to_owned();
            number_where(text, expected, |value: &f64| value.is_finite() && *value >= 1.0)
        },
    },
    OptionSpec {
        name: "distance",
        value_name: "DISTANCE",
        help: "How distances in a layout are measured, whatever the file says: rectilinear or euclidean",
        scope: OptionScope::Instance { changes_data: true, of_files: false, default: None },
        check: parses::<Distance>,
    },
    OptionSpec {
        name: "bays",
        value_name: "BAYS",
        help: "How the bays of a layout lie: vertical (strips of the full height), horizontal (rows of the full width) or \
               both (whichever gives the better layout, the default)",
        scope: OptionScope::Solve,
        check: |text| match text {
            "vertical" | "horizontal" | "both" => Ok(()),
            _ => Err("expected vertical, horizontal or both".to_owned()),
        },
    },
    OptionSpec {
        name: AROUND,
        value_name: "FILE",
        help: "begin with this layout of departments: a result or a layout file",
        scope: OptionScope::Solve,
        check: any_text,
    },
    OptionSpec {
        name: HOLD,
        value_name: "ITEM=PLACE",
        help: "DEPARTMENT=BAY:PLACE, this department of a layout lies in this bay at this place, counted from 1, and as few others as \
               possible follow it; a search goes on from there only with an algorithm or a limit",
        scope: OptionScope::Solve,
        check: |text| hold(text).map(drop),
    },
    OptionSpec {
        name: "least-flow",
        value_name: "FLOW",
        help: "Pictures of a layout draw what flows at least this much, “none” draws no flows; without it as many of the \
               largest as can be told apart",
        scope: OptionScope::Export { endings: &["pdf", "svg", "png"] },
        check: |text| {
            if text.eq_ignore_ascii_case("none") {
                return Ok(());
            }
            let expected = || "it is a flow, a number from 0 on, or “none”".to_owned();
            number_where(text, expected, |flow: &f64| flow.is_finite() && *flow >= 0.0)
        },
    },
];

/// Constants of facility layout.
static PROFILE: Profile = Profile {
    samples: &library::SAMPLES,
    prefixes: &["layout:"],
    violation_nouns: &NOUNS,
    options: &OPTIONS,
    generators: &GENERATORS,
    measurements: Some(&MEASUREMENTS),
    ..Profile::of::<Facility, StoredSolution>(
        "facility",
        Nouns {
            instance: "a layout problem",
            instances: "layout problems",
            heading: "Facility layouts",
            solution: "a layout",
            plan: "layout",
        },
        "a layout problem is a table with columns “department” and “area”",
    )
};

impl Problem for Facility {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn generated(&self) -> Vec<String> {
        library::GENERATED.iter().map(|name| format!("layout:{name}")).collect()
    }

    fn detect(&self, source: &str, start: &[u8]) -> Detection {
        match formats::is_folder(&gridwright_core::source::path(source)) {
            true => Detection::Exclusive,
            false => formats::detection(source, start),
        }
    }

    fn input_files(&self, source: &str) -> Vec<PathBuf> {
        formats::files_of(source)
    }

    fn is_solution(&self, start: &[u8]) -> bool {
        formats::solution::begins(start)
    }

    fn check_demands(&self, demands: &Encoded, _is_of_run: bool) -> std::result::Result<(), String> {
        demands.read::<Demands>().map(drop)
    }
}
