//! The objectives of a permutation flow shop.

use serde::{Deserialize, Serialize};

use gridwright_core::{Error, Result};

use crate::Instance;

/// An objective to be minimised; values are non-negative integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::VariantArray)]
pub enum Objective {
    /// Makespan: max C_j.
    Makespan,
    /// Total flow time: Σ C_j.
    FlowTime,
    /// Total tardiness: Σ w_j · max(0, C_j − d_j).
    Tardiness,
    /// Number of tardy jobs: |{j : C_j > d_j}|.
    Tardy,
}

impl Objective {
    /// All of them.
    pub const ALL: [Self; 4] = gridwright_core::variants();

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Makespan => "makespan",
            Self::FlowTime => "flowtime",
            Self::Tardiness => "tardiness",
            Self::Tardy => "tardy",
        }
    }

    /// Display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Makespan => "Makespan",
            Self::FlowTime => "Total flow time",
            Self::Tardiness => "Total tardiness",
            Self::Tardy => "Tardy jobs",
        }
    }

    /// Display name for an instance: jobs may have weights.
    pub fn label_in(self, instance: &Instance) -> &'static str {
        match self {
            Self::Tardiness if instance.has_weights() => "Total weighted tardiness",
            other => other.label(),
        }
    }

    /// Tooltip text for an instance: jobs may have weights.
    pub fn help_in(self, instance: &Instance) -> &'static str {
        match self {
            Self::Tardiness if instance.has_weights() => {
                "Sum of how much later than due the jobs are done, each multiplied by the weight of the job"
            }
            other => other.help(),
        }
    }

    /// Tooltip text: one sentence that defines the objective.
    pub fn help(self) -> &'static str {
        match self {
            Self::Makespan => "When the last job is done",
            Self::FlowTime => "Sum of the times at which the jobs are done",
            Self::Tardiness => "Sum of how much later than due the jobs are done",
            Self::Tardy => "Number of jobs that are done later than due",
        }
    }

    /// Returns `true` if the objective is defined only for instances with due dates.
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
    /// [`Error::Usage`] for an unknown name; the message lists the known ones.
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
