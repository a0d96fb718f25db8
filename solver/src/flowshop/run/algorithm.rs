//! The searches for flow shops by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::flowshop::greedy::IteratedGreedyParameters;
use crate::flowshop::multiobjective::{Goal, ParetoParameters, TabuParameters};
use crate::search::{Parameters, Value};
use crate::{Error, Result};

/// An algorithm with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    /// Iterated greedy, for one objective.
    IteratedGreedy(IteratedGreedyParameters),
    /// Pareto local search, for several.
    ParetoLocalSearch(ParetoParameters),
    /// Aggregated tabu search, for several.
    Tabu(TabuParameters),
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::IteratedGreedy(IteratedGreedyParameters::default())
    }
}

impl Algorithm {
    /// The names for `--algorithm`.
    pub const NAMES: [&str; 3] = ["greedy", "pls", "tabu"];

    /// The name for `--algorithm` and result files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::IteratedGreedy(_) => "greedy",
            Self::ParetoLocalSearch(_) => "pls",
            Self::Tabu(_) => "tabu",
        }
    }

    /// The algorithm of this name with its default parameters.
    ///
    /// # Errors
    /// [`Error::Usage`] that lists the names.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "greedy" => Ok(Self::default()),
            "pls" => Ok(Self::ParetoLocalSearch(ParetoParameters::default())),
            "tabu" => Ok(Self::Tabu(TabuParameters::default())),
            _ => Err(Error::Usage(format!(
                "there is no algorithm “{name}” for flow shops; there are {} (iterated greedy for one objective; Pareto \
                 local search and aggregated tabu search for several)",
                Self::NAMES.join(", ")
            ))),
        }
    }

    /// What is used where nobody names one.
    pub fn for_goal(goal: Goal) -> Self {
        match goal {
            Goal::One(_) => Self::default(),
            Goal::Front(_) => Self::ParetoLocalSearch(ParetoParameters::default()),
        }
    }

    /// Makes sure that it looks for what is wanted.
    ///
    /// # Errors
    /// [`Error::Usage`] where it minimises one objective and several are wanted, or the other way round.
    pub fn check(&self, goal: Goal) -> Result<()> {
        match (self, goal) {
            (Self::IteratedGreedy(_), Goal::Front(_)) => Err(Error::Usage(
                "greedy minimises one objective; choose --algorithm pls or tabu for a front, or name one objective"
                    .to_owned(),
            )),
            (Self::ParetoLocalSearch(_) | Self::Tabu(_), Goal::One(objective)) => Err(Error::Usage(format!(
                "{} looks for a front of several objectives, and {objective} is one; choose --objective pareto (or \
                 several, as in makespan,flowtime), or --algorithm greedy",
                self.name()
            ))),
            _ => Ok(()),
        }
    }

    /// Takes parameters by name, as a result file holds them.
    pub(super) fn take_values(&mut self, values: &BTreeMap<String, Value>) -> Result<()> {
        match self {
            Self::IteratedGreedy(parameters) => *parameters = IteratedGreedyParameters::from_values(values)?,
            Self::ParetoLocalSearch(parameters) => *parameters = ParetoParameters::from_values(values)?,
            Self::Tabu(parameters) => *parameters = TabuParameters::from_values(values)?,
        }
        Ok(())
    }

    /// Sets one parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no such parameter or the value is out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match self {
            Self::IteratedGreedy(parameters) => parameters.set(name, value),
            Self::ParetoLocalSearch(parameters) => parameters.set(name, value),
            Self::Tabu(parameters) => parameters.set(name, value),
        }
    }

    /// All parameters by name, as a result file holds them.
    pub fn values(&self) -> BTreeMap<String, Value> {
        match self {
            Self::IteratedGreedy(parameters) => parameters.values(),
            Self::ParetoLocalSearch(parameters) => parameters.values(),
            Self::Tabu(parameters) => parameters.values(),
        }
    }
}
