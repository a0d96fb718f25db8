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
}

impl View {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Gantt, Self::Front, Self::Jobs];

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
        }
    }

    /// What it shows.
    pub fn help(self) -> &'static str {
        match self {
            Self::Gantt => "When each machine works on which job, and the order to change by hand",
            Self::Front => "Plans that no other one beats in all objectives: click one and the chart shows it",
            Self::Jobs => "All jobs as a table: position, start, end, due date, lateness",
        }
    }
}
