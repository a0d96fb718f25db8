//! The views of a flow shop and what they are called.

/// A view of a flow shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// The Gantt chart with the order of the jobs below it.
    #[default]
    Gantt,
    /// Plans that no other one beats, as points.
    Front,
    /// All jobs as a table.
    Jobs,
    /// How late each job is.
    Lateness,
    /// What p processors do for one order together.
    Efficiency,
    /// Algorithms step by step.
    Steps,
}

impl View {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Gantt, Self::Front, Self::Jobs, Self::Lateness, Self::Efficiency, Self::Steps];

    /// Whether there is something to be seen before anything is solved.
    pub fn needs_no_plan(self) -> bool {
        matches!(self, Self::Efficiency | Self::Steps)
    }

    /// Whether it can be enlarged.
    pub fn zooms(self) -> bool {
        self == Self::Gantt
    }

    /// The word on its tab.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gantt => "Gantt",
            Self::Front => "Front",
            Self::Jobs => "Jobs",
            Self::Lateness => "Lateness",
            Self::Efficiency => "Efficiency",
            Self::Steps => "Step by step",
        }
    }

    /// What it shows.
    pub fn help(self) -> &'static str {
        match self {
            Self::Gantt => "When each machine works on which job, and the order to change by hand",
            Self::Front => "Plans that no other one beats in all objectives: click one and the chart shows it",
            Self::Jobs => "All jobs as a table: position, start, end, due date, lateness",
            Self::Lateness => "How late or early every job is against its due date, and the chart of the same plan",
            Self::Efficiency => "What many processors gain that compute one order together: theory and this machine",
            Self::Steps => "The recurrence, NEH and one insertion step by step, for small instances",
        }
    }
}
