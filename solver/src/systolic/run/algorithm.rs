//! The searches for binary problems by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::search::{Kind, Parameter, Parameters, Value};
use crate::systolic::evaluation::{Evaluation, Visitor, with_evaluation};
use crate::systolic::genetic::{Genetic, GeneticParameters};
use crate::systolic::packed::PackedGrid;
use crate::systolic::random::RandomSearch;
use crate::systolic::{Flavour, Instance, Search};
use crate::{Error, Result};

/// How long a search goes on.
pub const ITERATIONS: Parameter = Parameter {
    name: "iterations",
    label: "Iterations",
    unit: "",
    help: "Iterations of the whole run; 0 takes as many as there are cells, bits times rows, as the paper does.",
    kind: Kind::Integer { min: 0, max: 1_000_000_000 },
    zero: "one per cell",
};

/// What a person may choose of the grid, and of random search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GridParameters {
    /// Iterations; 0: N = l·τ.
    pub iterations: u64,
}

impl Parameters for GridParameters {
    fn list() -> &'static [Parameter] {
        &[ITERATIONS]
    }

    fn get(&self, _: &str) -> Value {
        Value::Integer(self.iterations as i64)
    }

    fn put(&mut self, _: &str, value: &Value) {
        self.iterations = value.integer() as u64;
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
    Random(GridParameters),
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::Grid(Flavour::Both, GridParameters::default())
    }
}

impl Algorithm {
    /// The names for `--algorithm`, the default first.
    pub const NAMES: [&str; 7] = ["sgs-b", "sgs-v", "sgs-e", "sgs-t", "sga", "ega", "random"];

    /// The name for `--algorithm` and result files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Grid(Flavour::Both, _) => "sgs-b",
            Self::Grid(Flavour::Vertical, _) => "sgs-v",
            Self::Grid(Flavour::Exchange, _) => "sgs-e",
            Self::Grid(Flavour::Torus, _) => "sgs-t",
            Self::Generational(_) => "sga",
            Self::Elitist(_) => "ega",
            Self::Random(_) => "random",
        }
    }

    /// What people call it: the abbreviation of the paper.
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

    /// What it does, in one sentence.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Grid(flavour, _) => flavour.help(),
            Self::Generational(_) => "A genetic algorithm whose children replace all individuals.",
            Self::Elitist(_) => {
                "A genetic algorithm in which a child replaces the individual in its place if it is better."
            }
            Self::Random(_) => "Random solutions, as many as the grid evaluates.",
        }
    }

    /// How solutions flow, where there is a grid.
    pub fn flavour(&self) -> Option<Flavour> {
        match self {
            Self::Grid(flavour, _) => Some(*flavour),
            _ => None,
        }
    }

    /// The algorithm of this name with its default parameters.
    ///
    /// # Errors
    /// [`Error::Usage`] that lists the names.
    pub fn named(name: &str) -> Result<Self> {
        let grid = |flavour| Self::Grid(flavour, GridParameters::default());
        Ok(match name {
            "sgs-b" => grid(Flavour::Both),
            "sgs-v" => grid(Flavour::Vertical),
            "sgs-e" => grid(Flavour::Exchange),
            "sgs-t" => grid(Flavour::Torus),
            "sga" => Self::Generational(GeneticParameters::default()),
            "ega" => Self::Elitist(GeneticParameters::default()),
            "random" => Self::Random(GridParameters::default()),
            _ => {
                return Err(Error::Usage(format!(
                    "there is no algorithm “{name}” for binary problems; there are {} (four flavours of systolic genetic \
                     search, two genetic algorithms, random search)",
                    Self::NAMES.join(", ")
                )));
            }
        })
    }

    /// Takes parameters by name, as a result file holds them.
    pub(super) fn take_values(&mut self, values: &BTreeMap<String, Value>) -> Result<()> {
        match self {
            Self::Grid(_, parameters) | Self::Random(parameters) => *parameters = GridParameters::from_values(values)?,
            Self::Generational(parameters) | Self::Elitist(parameters) => {
                *parameters = GeneticParameters::from_values(values)?;
            }
        }
        Ok(())
    }

    /// Sets one parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no such parameter or the value is out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match self {
            Self::Grid(_, parameters) | Self::Random(parameters) => parameters.set(name, value),
            Self::Generational(parameters) | Self::Elitist(parameters) => parameters.set(name, value),
        }
    }

    /// All parameters by name, as a result file holds them.
    pub fn values(&self) -> BTreeMap<String, Value> {
        match self {
            Self::Grid(_, parameters) | Self::Random(parameters) => parameters.values(),
            Self::Generational(parameters) | Self::Elitist(parameters) => parameters.values(),
        }
    }

    /// Iterations; 0: one per cell.
    pub fn iterations(&self) -> u64 {
        match self {
            Self::Grid(_, parameters) | Self::Random(parameters) => parameters.iterations,
            Self::Generational(parameters) | Self::Elitist(parameters) => parameters.iterations,
        }
    }

    /// The same with so many iterations, where it did not say.
    pub fn resolved(mut self, iterations: u64) -> Self {
        let own = match &mut self {
            Self::Grid(_, parameters) | Self::Random(parameters) => &mut parameters.iterations,
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
    /// [`Error::Usage`] where the instance has too few bits, or numbers too large.
    pub fn search(
        &self,
        instance: &Instance,
        seed: u64,
        threads: Option<Arc<rayon::ThreadPool>>,
    ) -> Result<Box<dyn Search>> {
        let algorithm = self.clone().resolved(instance.cells() as u64);
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
                Box::new(PackedGrid::new(evaluation, flavour, parameters.iterations, seed, threads))
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
