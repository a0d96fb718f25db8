//! What is to be minimised.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// One objective; all are whole numbers, smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Objective {
    /// max C_j: when the last job is done.
    Makespan,
    /// Σ C_j: over all jobs, when each is done.
    FlowTime,
    /// Σ max(0, C_j − d_j): over all jobs, how much later than due each is done.
    Tardiness,
    /// |{j : C_j > d_j}|: how many jobs are done later than due.
    Tardy,
}

impl Objective {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Makespan, Self::FlowTime, Self::Tardiness, Self::Tardy];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Makespan => "makespan",
            Self::FlowTime => "flowtime",
            Self::Tardiness => "tardiness",
            Self::Tardy => "tardy",
        }
    }

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Makespan => "Makespan",
            Self::FlowTime => "Total flow time",
            Self::Tardiness => "Total tardiness",
            Self::Tardy => "Tardy jobs",
        }
    }

    /// One sentence: what it measures.
    pub fn help(self) -> &'static str {
        match self {
            Self::Makespan => "When the last job is done",
            Self::FlowTime => "Sum of the times at which the jobs are done",
            Self::Tardiness => "Sum of how much later than due the jobs are done",
            Self::Tardy => "Number of jobs that are done later than due",
        }
    }

    /// Whether it says nothing without due dates.
    pub fn needs_due_dates(self) -> bool {
        matches!(self, Self::Tardiness | Self::Tardy)
    }
}

impl std::fmt::Display for Objective {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Objective {
    type Err = Error;

    /// # Errors
    /// [`Error::Usage`] that names the objectives.
    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|objective| objective.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            Error::Usage(format!("there is no objective «{}»; known are {known}", name.escape_debug()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for objective in Objective::ALL {
            assert_eq!(objective.to_string().parse::<Objective>().unwrap(), objective);
        }
        let error = "Cmax".parse::<Objective>().unwrap_err().to_string();
        assert!(error.contains("«Cmax»") && error.contains("makespan, flowtime, tardiness, tardy"), "{error}");
        assert_eq!(Objective::ALL.map(Objective::needs_due_dates), [false, false, true, true]);
    }
}
