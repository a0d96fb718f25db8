//! Views of a flow shop and their labels.

use gridwright_window::document::ViewKind;
use gridwright_window::window::command::ViewGroup;

/// A view of a flow shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
pub enum View {
    /// The Gantt chart with the order of the jobs below it.
    #[default]
    Gantt,
    /// Plans that no other one beats, as points.
    Front,
    /// All jobs as a table.
    Jobs,
    /// Lateness of each job.
    Lateness,
    /// Efficiency of p processors that evaluate one order together.
    Efficiency,
    /// Algorithms step by step.
    Steps,
    /// All plans beside each other.
    Compare,
}

impl View {
    /// Returns `true` if the view shows something without a solution.
    pub(crate) fn needs_no_plan(self) -> bool {
        matches!(self, Self::Efficiency | Self::Steps)
    }
}

impl ViewKind for View {
    fn name(self) -> &'static str {
        match self {
            Self::Gantt => "Gantt",
            Self::Front => "Front",
            Self::Jobs => "Jobs",
            Self::Lateness => "Lateness",
            Self::Efficiency => "Parallel efficiency",
            Self::Steps => "Step by step",
            Self::Compare => "Compare",
        }
    }

    fn group(self) -> ViewGroup {
        match self {
            Self::Gantt => ViewGroup::Plan,
            Self::Efficiency | Self::Steps => ViewGroup::Algorithm,
            _ => ViewGroup::Analyse,
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Gantt => "When each machine works on which job, and the order to change by hand",
            Self::Front => "Plans that no other one beats in all objectives: click one and the chart shows it",
            Self::Jobs => "All jobs as a table: position, start, end, due date, lateness",
            Self::Lateness => "How late or early every job is against its due date, and the chart of the same plan",
            Self::Efficiency => {
                "What many processors gain that compute the times of one order together, in theory and on this computer; nothing \
             about the workshop"
            }
            Self::Steps => {
                "The recurrence, NEH, one insertion, tabu search and its archive step by step, for small instances"
            }
            Self::Compare => "All plans beside each other: every objective, and the differences to one of the plans",
        }
    }

    fn zooms(self) -> bool {
        self == Self::Gantt
    }
}
