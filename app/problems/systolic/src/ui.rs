//! Views of binary problems on a systolic grid: registration in the window.

use gridwright_systolic::library;
use gridwright_window::problem::{Collection, Line, ProblemUi, Sample, ShippedPlan};

use crate::state::SystolicViews;

/// The binary problems that ship, and those of the paper that are made from their names.
const SAMPLES: [Sample; 6] = [
    ("sample:backpack", "Backpack", "8 items, to learn with"),
    ("sample:release", "Release", "requirements of a program for libraries"),
    ("onemax:100", "OneMax 100", "100 bits, to learn with"),
    ("knapsack:100-1000", "Knapsack 100-1000", "100 items, of the paper"),
    ("mmdp:300", "Deceptive 300", "300 bits, of the paper"),
    ("knapsack:1000-1000", "Knapsack 1000-1000", "1000 items, of the paper"),
];

/// The instances of the paper, made from their names when they are opened.
fn of_paper() -> Vec<Line> {
    let line = |source: String| {
        let (kind, rest) = source.split_once(':')?;
        let (name, facts) = match (kind, rest.split_once('-')) {
            ("knapsack", Some((items, range))) => {
                (format!("Knapsack {rest}"), format!("{items} items, profits and weights up to {range}"))
            }
            ("mmdp", _) => (format!("Deceptive {rest}"), format!("{rest} bits in blocks of six")),
            _ => return None,
        };
        Some(Line { source: source.clone(), name, facts })
    };
    library::paper_names().filter_map(line).collect()
}

const CAMPAIGNS: [ShippedPlan; 2] = [
    ShippedPlan {
        name: "systolic-errors",
        question: "Errors of seven searches, beside Pedemonte and others, 2015",
        text: include_str!("../../../../datasets/campaigns/papers/systolic-errors.ron"),
    },
    ShippedPlan {
        name: "systolic-times",
        question: "Times of six searches, beside Pedemonte and others, 2015",
        text: include_str!("../../../../datasets/campaigns/papers/systolic-times.ron"),
    },
];

/// Binary problems: registration in the window.
pub static UI: ProblemUi = ProblemUi {
    is_of_algorithms: true,
    card: Some(crate::card::CARD),
    terms: &crate::terms::TERMS,
    lessons: &crate::guided::LESSONS,
    samples: &SAMPLES,
    endings: &["csv", "tsv", "txt", "kp", "nrp", "ron"],
    collection: Some(Collection { heading: "All of the paper", lines: of_paper }),
    campaigns: &CAMPAIGNS,
    ..ProblemUi::of::<SystolicViews>()
};
