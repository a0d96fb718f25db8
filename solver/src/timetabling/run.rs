//! One solve from settings to result: plan, search, check.

use serde::{Deserialize, Serialize};

use super::annealing::AnnealingParameters;
use super::evolution::EvolutionParameters;
use super::{Instance, Timetable};
use crate::result::RunResult;
use crate::search::{Control, Progress, Stop};
use crate::{Error, Result};

/// An algorithm with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    /// Simulated annealing with Kempe chains.
    Annealing(AnnealingParameters),
    /// The hybrid evolutionary algorithm.
    Evolution(EvolutionParameters),
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::Annealing(AnnealingParameters::default())
    }
}

impl Algorithm {
    /// The names for `--algorithm`.
    pub const NAMES: [&str; 2] = ["annealing", "evolution"];

    /// The name for `--algorithm` and result files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Annealing(_) => "annealing",
            Self::Evolution(_) => "evolution",
        }
    }

    /// The algorithm of this name with its default parameters.
    ///
    /// # Errors
    /// [`Error::Usage`] that lists the names.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "annealing" => Ok(Self::Annealing(AnnealingParameters::default())),
            "evolution" => Ok(Self::Evolution(EvolutionParameters::default())),
            _ => Err(Error::Usage(format!(
                "there is no algorithm “{name}” for timetables; there are {}",
                Self::NAMES.join(" and ")
            ))),
        }
    }
}

/// Everything that a run depends on beside the instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What searches, and how.
    pub algorithm: Algorithm,
    /// `auto`, `cpu` or `cuda:N`.
    pub backend: String,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// When to stop.
    pub stop: Stop,
}

/// Solves an instance.
///
/// The observer is told after every epoch, in the calling thread. A failure inside the search does not lose what was
/// found: it ends the run with [`crate::search::StopReason::Failed`].
///
/// # Errors
/// [`Error::Usage`] where the instance has no number of periods or the settings cannot be used,
/// [`Error::Device`] where the backend is not there.
pub fn solve(
    instance: &Instance,
    settings: &Settings,
    control: &Control,
    observer: &mut dyn FnMut(&Progress<Timetable>),
) -> Result<RunResult> {
    let _ = (instance, settings, control, observer);
    Err(Error::Search("not built yet".to_owned()))
}
