//! The searches for flow shops by name.

use serde::{Deserialize, Serialize};

use crate::greedy::IteratedGreedyParameters;
use crate::multiobjective::{Goal, ParetoParameters, TabuParameters};
use gridwright_core::search::run::algorithms::algorithms;
use gridwright_core::search::{AlgorithmDescriptor, Algorithms, Budget};
use gridwright_core::{Error, Result};

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

algorithms! {
    Algorithm for "flow shops";
    IteratedGreedy(IteratedGreedyParameters) = AlgorithmDescriptor {
        name: "greedy",
        label: "Iterated greedy",
        short_label: "Greedy",
        help: "Takes jobs out and puts them back where they cost least: the best results for one objective",
        steps: "steps",
        budget: Some(Budget::Seconds(30.0)),
        cpu_only: None,
        evaluations_refused: None,
    };
    ParetoLocalSearch(ParetoParameters) = AlgorithmDescriptor {
        name: "pls",
        label: "Pareto local search",
        short_label: "Pareto",
        help: "Iterated greedy along the front, then Pareto local search: the best results for the time",
        steps: "steps",
        budget: Some(Budget::Seconds(30.0)),
        cpu_only: None,
        evaluations_refused: None,
    };
    Tabu(TabuParameters) = AlgorithmDescriptor {
        name: "tabu",
        label: "Tabu search",
        short_label: "Tabu",
        help: "The published aggregated tabu search: one walk for each weighting of the objectives",
        steps: "steps",
        budget: Some(Budget::Seconds(30.0)),
        cpu_only: None,
        evaluations_refused: None,
    };
}

impl Algorithm {
    /// Returns the default algorithm for a goal.
    pub fn for_goal(goal: Goal) -> Self {
        match goal {
            Goal::One(_) => Self::default(),
            Goal::Front(_) => Self::ParetoLocalSearch(ParetoParameters::default()),
        }
    }

    /// Checks that the algorithm can pursue the goal.
    ///
    /// # Errors
    /// [`Error::Usage`] if the algorithm minimises one objective and the goal has several, or the other way round.
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
}
