//! Views of permutation flow shops: registration in the window.

use gridwright_flowshop::library;
use gridwright_window::problem::{Collection, Line, ProblemUi, Sample, ShippedPlan};

use crate::state::FlowShopViews;

/// The flow shops that ship.
const SAMPLES: [Sample; 1] = [("sample:workshop", "Workshop", "8 jobs, 4 machines, due dates")];

/// Taillard's instances, made from their seeds when they are opened.
fn taillard() -> Vec<Line> {
    let line = |entry: &library::Entry| Line {
        source: format!("taillard:{}", entry.name),
        name: entry.name.clone(),
        facts: format!("{} jobs, {} machines", entry.jobs, entry.machines),
    };
    library::entries().iter().map(line).collect()
}

const CAMPAIGNS: [ShippedPlan; 4] = [
    ShippedPlan {
        name: "makespan",
        question: "Gaps of iterated greedy on the instances of Taillard",
        text: include_str!("../../../../datasets/campaigns/makespan.ron"),
    },
    ShippedPlan {
        name: "shops-60s",
        question: "Makespan and flow time after a minute of iterated greedy, on one instance of each size",
        text: include_str!("../../../../datasets/campaigns/shops-60s.ron"),
    },
    ShippedPlan {
        name: "makespan-sizes",
        question: "Iterated greedy on one instance of each size, beside Bożejko and others, 2009",
        text: include_str!("../../../../datasets/campaigns/papers/makespan.ron"),
    },
    ShippedPlan {
        name: "multiobjective",
        question: "Fronts of makespan, tardiness and tardy jobs, beside Luong and others, 2011",
        text: include_str!("../../../../datasets/campaigns/papers/multiobjective.ron"),
    },
];

/// Flow shops: registration in the window.
pub static UI: ProblemUi = ProblemUi {
    card: Some(crate::card::CARD),
    terms: &crate::terms::TERMS,
    lessons: &crate::guided::LESSONS,
    samples: &SAMPLES,
    endings: &["csv", "tsv", "txt", "fsp"],
    collection: Some(Collection { heading: "Taillard’s 120", lines: taillard }),
    campaigns: &CAMPAIGNS,
    ..ProblemUi::of::<FlowShopViews>()
};
