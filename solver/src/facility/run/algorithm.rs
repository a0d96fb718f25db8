//! The searches for layouts by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::facility::Instance;
use crate::facility::enumeration::{self, EnumerationParameters};
use crate::facility::genetic::GeneticParameters;
use crate::facility::memetic::MemeticParameters;
use crate::search::{Parameter, Parameters, Value};
use crate::{Error, Result};

/// An algorithm with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    /// Islands whose individuals anneal.
    Memetic(MemeticParameters),
    /// The published island genetic algorithm.
    Genetic(GeneticParameters),
    /// All partitions into bays, which proves the best one.
    Enumeration(EnumerationParameters),
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::Memetic(MemeticParameters::default())
    }
}

/// Asks the same of whichever parameters there are.
macro_rules! of_parameters {
    ($algorithm:expr, $parameters:ident => $asked:expr) => {
        match $algorithm {
            Self::Memetic($parameters) => $asked,
            Self::Genetic($parameters) => $asked,
            Self::Enumeration($parameters) => $asked,
        }
    };
}

impl Algorithm {
    /// The names for `--algorithm`.
    pub const NAMES: [&str; 3] = ["memetic", "genetic", "enumeration"];

    /// The name for `--algorithm` and result files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Memetic(_) => "memetic",
            Self::Genetic(_) => "genetic",
            Self::Enumeration(_) => "enumeration",
        }
    }

    /// The algorithm of this name with its default parameters.
    ///
    /// # Errors
    /// [`Error::Usage`] that lists the names.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "memetic" => Ok(Self::default()),
            "genetic" => Ok(Self::Genetic(GeneticParameters::default())),
            "enumeration" => Ok(Self::Enumeration(EnumerationParameters::default())),
            _ => Err(Error::Usage(format!(
                "there is no algorithm “{name}” for layouts; there are {} (islands with annealing; the published island genetic \
                 algorithm; proof of the best layout of a small plant)",
                Self::NAMES.join(", ")
            ))),
        }
    }

    /// What is used where nobody names one: where the best can be proven, it is.
    pub fn for_instance(instance: &Instance) -> Self {
        match enumeration::check(instance) {
            Ok(()) if instance.len() <= 12 => Self::Enumeration(EnumerationParameters::default()),
            _ => Self::default(),
        }
    }

    /// Makes sure that it can be used for an instance.
    ///
    /// # Errors
    /// As [`enumeration::check`].
    pub fn check(&self, instance: &Instance) -> Result<()> {
        match self {
            Self::Enumeration(_) => enumeration::check(instance),
            Self::Memetic(_) | Self::Genetic(_) => Ok(()),
        }
    }

    /// Takes parameters by name, as a result file holds them.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no such parameter or a value is out of range.
    pub fn take_values(&mut self, values: &BTreeMap<String, Value>) -> Result<()> {
        match self {
            Self::Memetic(parameters) => *parameters = MemeticParameters::from_values(values)?,
            Self::Genetic(parameters) => *parameters = GeneticParameters::from_values(values)?,
            Self::Enumeration(parameters) => *parameters = EnumerationParameters::from_values(values)?,
        }
        Ok(())
    }

    /// Sets one parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no such parameter or the value is out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        of_parameters!(self, parameters => parameters.set(name, value))
    }

    /// All parameters by name, as a result file holds them.
    pub fn values(&self) -> BTreeMap<String, Value> {
        of_parameters!(self, parameters => parameters.values())
    }

    /// What its parameters are.
    pub fn list(&self) -> &'static [Parameter] {
        match self {
            Self::Memetic(_) => MemeticParameters::list(),
            Self::Genetic(_) => GeneticParameters::list(),
            Self::Enumeration(_) => EnumerationParameters::list(),
        }
    }
}
