//! Views of facility layouts: registration in the window.

use gridwright_window::problem::{ProblemUi, Sample, ShippedPlan};

use crate::state::FacilityViews;

/// The layout problems that ship, and those that are generated.
const SAMPLES: [Sample; 7] = [
    ("sample:layout-workshop", "Joinery", "12 departments, 24 × 16 m"),
    ("sample:layout-plant", "Plant", "30 departments, 60 × 39 m"),
    ("layout:F40", "F40", "40 departments, 45 × 45"),
    ("layout:F60", "F60", "60 departments, 45 × 45"),
    ("layout:F80", "F80", "80 departments, 45 × 45"),
    ("layout:F100", "F100", "100 departments, 45 × 45"),
    ("layout:F120", "F120", "120 departments, 45 × 45"),
];

const CAMPAIGNS: [ShippedPlan; 1] = [ShippedPlan {
    name: "layouts",
    question: "Island searches with three kinds of seeding, beside Sun and others, 2019",
    text: include_str!("../../../../datasets/campaigns/papers/layouts.ron"),
}];

/// Facility layouts: registration in the window.
pub static UI: ProblemUi = ProblemUi {
    card: Some(crate::card::CARD),
    terms: &crate::terms::TERMS,
    samples: &SAMPLES,
    endings: &["csv", "tsv", "json", "ron"],
    campaigns: &CAMPAIGNS,
    ..ProblemUi::of::<FacilityViews>()
};
