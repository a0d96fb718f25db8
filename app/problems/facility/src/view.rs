//! Views of a layout problem and their labels.

use gridwright_window::document::ViewKind;
use gridwright_window::window::command::ViewGroup;

/// A view of a layout problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
pub enum View {
    /// The floor plan to scale.
    #[default]
    Plan,
    /// Two layouts side by side.
    Compare,
    /// The from-to matrix.
    Flows,
    /// Cost of every pair of departments.
    Pairs,
    /// The bays and their departments.
    Bays,
    /// Distance and volume of every flow.
    Distances,
    /// The islands of a run.
    Islands,
}

impl ViewKind for View {
    fn name(self) -> &'static str {
        match self {
            Self::Plan => "Floor plan",
            Self::Compare => "Alternatives",
            Self::Flows => "From-to",
            Self::Pairs => "Cost by pair",
            Self::Distances => "Distances",
            Self::Bays => "Bays",
            Self::Islands => "Islands",
        }
    }

    fn group(self) -> ViewGroup {
        match self {
            Self::Plan => ViewGroup::Plan,
            Self::Islands => ViewGroup::Algorithm,
            _ => ViewGroup::Analyse,
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Plan => "Where every department lies, to scale, with the flows between them; drag one to move it",
            Self::Compare => "Two layouts side by side, and what changes from one to the other",
            Self::Flows => "How much goes from each department to each other one, and which wishes to be close",
            Self::Pairs => "What the flow between every two departments costs: flow × distance",
            Self::Distances => {
                "Distance–intensity chart: how far each flow goes and how much flows, with curves of equal cost"
            }
            Self::Bays => "The bays: how wide they are and which departments stand in them",
            Self::Islands => "The best cost of each island over time, and each migration with both populations",
        }
    }

    fn zooms(self) -> bool {
        matches!(self, Self::Plan | Self::Compare | Self::Flows)
    }
}
