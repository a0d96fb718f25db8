//! A solve as command line and campaigns ask for it.

use crate::Result;
use crate::problem::Overrides;
use crate::search::{Algorithms, Budget, Settings, Stop};

/// The settings of a run; the problem chooses those that are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct SolveRequest {
    /// The name of the algorithm.
    pub algorithm: Option<String>,
    /// Name of the backend, such as `auto`, `cpu` or `cuda:0,1`.
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

impl SolveRequest {
    /// Settings of the run: the named algorithm, or `default`, with the given parameters, and the given budget, or `budget` of
    /// the algorithm. The target is the number that was typed.
    ///
    /// # Errors
    /// [`crate::Error::Usage`] if there is no such algorithm or parameter, a value is out of range, or evaluations
    /// cannot limit the algorithm.
    pub fn settings<A: Algorithms, G>(
        &self, default: A, goal: G, budget: impl FnOnce(&A) -> Budget,
    ) -> Result<Settings<A, G>> {
        let mut algorithm = self.algorithm.as_deref().map_or(Ok(default), A::named)?;
        for (name, value) in &self.parameters {
            algorithm.set(name, value)?;
        }
        let budget = self.budget.unwrap_or_else(|| budget(&algorithm));
        let settings = Settings {
            algorithm,
            goal,
            backend: self.backend.clone(),
            threads: self.threads,
            seed: self.seed,
            stop: Stop { budget, target: self.target, stall: self.stall },
        };
        settings.check()?;
        Ok(settings)
    }
}
