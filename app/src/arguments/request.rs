//! A solve as a problem gets it from the command line.

use gridwright_solver::problem::Overrides;
use gridwright_solver::search::Budget;

/// The settings of a run; the problem chooses those that are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct SolveRequest {
    /// The name of the algorithm.
    pub algorithm: Option<String>,
    /// `auto`, `cpu` or `cuda:N`.
    pub backend: String,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Budget of the run.
    pub budget: Option<Budget>,
    /// Stop at this cost, as people read it.
    pub target: Option<f64>,
    /// Stop after this many generations or steps without improvement.
    pub stall: Option<u64>,
    /// Parameters of the algorithm by name.
    pub parameters: Vec<(String, String)>,
    /// Options of the problem.
    pub options: Overrides,
}
