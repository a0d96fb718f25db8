//! Algorithms for binary problems.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::evaluation::{Evaluation, Visitor, with_evaluation};
use crate::genetic::{Genetic, GeneticParameters};
use crate::packed::PackedGrid;
use crate::random::RandomSearch;
use crate::rules::GridParameters;
use crate::{Flavour, Grid, Instance, Search};
use gridwright_core::Result;
use gridwright_core::search::AlgorithmDescriptor;
use gridwright_core::search::parameters::parameters;
use gridwright_core::search::run::algorithms::algorithms;

parameters! {
    /// Parameters of random search.
    pub struct RandomParameters {
        /// Iterations of the whole run; 0 takes as many as there are cells, bits times rows, as the paper does.
        iterations: u64 = 0, label: "Iterations", range: 0..=1_000_000_000, zero: "one per cell";
    }
}

/// An algorithm with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    /// Systolic genetic search.
    Grid(Flavour, GridParameters),
    /// The generational genetic algorithm (SGA).
    Generational(GeneticParameters),
    /// The genetic algorithm in which a child has to be better than whom it replaces (EGA).
    Elitist(GeneticParameters),
    /// Random search.
    Random(RandomParameters),
}

/// Descriptor of an algorithm; all of them run as many iterations as the instance has cells, unless the user chooses.
const fn describe(
    name: &'static str, label: &'static str, short_label: &'static str, help: &'static str,
) -> AlgorithmDescriptor {
    let (steps, budget, cpu_only, evaluations_refused) = ("iterations", None, None, None);
    AlgorithmDescriptor { name, label, short_label, help, steps, budget, cpu_only, evaluations_refused }
}

algorithms! {
    Algorithm for "binary problems";
    Grid(GridParameters) of Flavour::Both =
        describe("sgs-b", "Systolic, both (B)", "SGS B", Flavour::Both.help());
    Grid(GridParameters) of Flavour::Vertical =
        describe("sgs-v", "Systolic, vertical (V)", "SGS V", Flavour::Vertical.help());
    Grid(GridParameters) of Flavour::Exchange =
        describe("sgs-e", "Systolic, exchange (E)", "SGS E", Flavour::Exchange.help());
    Grid(GridParameters) of Flavour::Torus =
        describe("sgs-t", "Systolic, torus (T)", "SGS T", Flavour::Torus.help());
    Generational(GeneticParameters) =
        describe("sga", "Genetic, generational", "SGA", "A genetic algorithm whose children replace all individuals.");
    Elitist(GeneticParameters) = describe(
        "ega",
        "Genetic, elitist",
        "EGA",
        "A genetic algorithm in which a child replaces the individual in its place if it is better.",
    );
    Random(RandomParameters) =
        describe("random", "Random search", "Random", "Random solutions, as many as the grid evaluates.");
}

impl Algorithm {
    /// Abbreviation in the paper.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Grid(Flavour::Both, _) => "SGS_B",
            Self::Grid(Flavour::Vertical, _) => "SGS_V",
            Self::Grid(Flavour::Exchange, _) => "SGS_E",
            Self::Grid(Flavour::Torus, _) => "SGS_T",
            Self::Generational(_) => "SGA",
            Self::Elitist(_) => "EGA",
            Self::Random(_) => "RS",
        }
    }

    /// Flow of the solutions through the grid; `None` for algorithms without one.
    pub fn flavour(&self) -> Option<Flavour> {
        match self {
            Self::Grid(flavour, _) => Some(*flavour),
            _ => None,
        }
    }

    /// Grid for `bits` bits under the rules of the algorithm; for algorithms without a grid the published one, which says
    /// how many solutions they have.
    pub fn grid(&self, bits: usize) -> Grid {
        match self {
            Self::Grid(_, parameters) => parameters.grid(bits),
            _ => Grid::new(bits),
        }
    }

    /// Solutions evaluated up to an iteration, the initial ones included.
    pub(crate) fn evaluations(&self, bits: usize, iteration: u64) -> u64 {
        let population = 2 * self.grid(bits).cells() as u64;
        match self {
            // The first solution is a single one.
            Self::Random(_) => 1 + population * iteration,
            _ => population * (iteration + 1),
        }
    }

    /// Iterations; 0: one per cell.
    pub fn iterations(&self) -> u64 {
        match self {
            Self::Grid(_, parameters) => parameters.iterations,
            Self::Random(parameters) => parameters.iterations,
            Self::Generational(parameters) | Self::Elitist(parameters) => parameters.iterations,
        }
    }

    /// Sets the number of iterations to one per cell of the grid for `bits` bits unless the parameters hold one.
    pub(crate) fn resolved_for(self, bits: usize) -> Self {
        let cells = self.grid(bits).cells() as u64;
        self.resolved(cells)
    }

    /// Sets the number of iterations unless the parameters hold one.
    pub fn resolved(mut self, iterations: u64) -> Self {
        let own = match &mut self {
            Self::Grid(_, parameters) => &mut parameters.iterations,
            Self::Random(parameters) => &mut parameters.iterations,
            Self::Generational(parameters) | Self::Elitist(parameters) => &mut parameters.iterations,
        };
        if *own == 0 {
            *own = iterations;
        }
        self
    }

    /// The search on the CPU, before its first iteration; without `threads` everything is done in the calling thread.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Usage`] where the instance has too few bits, or numbers too large.
    pub fn search(
        &self, instance: &Instance, seed: u64, threads: Option<Arc<rayon::ThreadPool>>,
    ) -> Result<Box<dyn Search>> {
        let algorithm = self.clone().resolved_for(instance.bits());
        with_evaluation(instance, Start { algorithm, seed, threads })
    }
}

/// Starts a search once the kind of problem is known.
struct Start {
    algorithm: Algorithm,
    seed: u64,
    threads: Option<Arc<rayon::ThreadPool>>,
}

impl Visitor for Start {
    type Output = Box<dyn Search>;

    fn visit<E: Evaluation>(self, evaluation: E) -> Box<dyn Search> {
        let Self { algorithm, seed, threads } = self;
        match algorithm {
            Algorithm::Grid(flavour, parameters) => {
                Box::new(PackedGrid::new(evaluation, flavour, &parameters, seed, threads))
            }
            Algorithm::Generational(parameters) => {
                Box::new(Genetic::new(evaluation, false, &parameters, seed, threads))
            }
            Algorithm::Elitist(parameters) => Box::new(Genetic::new(evaluation, true, &parameters, seed, threads)),
            Algorithm::Random(parameters) => {
                Box::new(RandomSearch::new(evaluation, parameters.iterations, seed, threads))
            }
        }
    }
}
