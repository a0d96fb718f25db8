//! Views of examination timetables: registration in the window.

use gridwright_window::problem::{ProblemUi, Sample, ShippedPlan};

use crate::state::TimetablingViews;

/// The sessions that ship: source, name, sizes.
const SAMPLES: [Sample; 4] = [
    ("sample:school", "School", "40 exams, 400 students"),
    ("sample:faculty", "Faculty", "200 exams, 3\u{2009}000 students"),
    ("sample:university", "University", "600 exams, 20\u{2009}000 students"),
    ("sample:campus", "Campus with rooms", "600 exams, 20\u{2009}000 students"),
];

/// Plans of campaigns.
const CAMPAIGNS: [ShippedPlan; 3] = [
    ShippedPlan {
        name: "exams-annealing",
        question: "Costs of annealing after a minute on the sets of Toronto",
        text: include_str!("../../../../datasets/campaigns/exams-annealing.ron"),
    },
    ShippedPlan {
        name: "exams-costs",
        question: "Costs of evolution, beside those of Kolonias and others, 2014",
        text: include_str!("../../../../datasets/campaigns/papers/exams-costs.ron"),
    },
    ShippedPlan {
        name: "exams-times",
        question: "Times of evolution, beside those of Kolonias and others, 2014",
        text: include_str!("../../../../datasets/campaigns/papers/exams-times.ron"),
    },
];

/// Examination timetables: registration in the window.
pub static UI: ProblemUi = ProblemUi {
    card: Some(crate::card::CARD),
    terms: &crate::terms::TERMS,
    lessons: &crate::guided::LESSONS,
    samples: &SAMPLES,
    endings: &["stu", "crs", "csv", "tsv", "exam", "sol"],
    campaigns: &CAMPAIGNS,
    ..ProblemUi::of::<TimetablingViews>()
};
