//! The searches for layouts by name.

use serde::{Deserialize, Serialize};

use crate::Instance;
use crate::enumeration::{self, EnumerationParameters};
use crate::genetic::GeneticParameters;
use crate::memetic::MemeticParameters;
use crate::slicing::{self, SlicingParameters};
use gridwright_core::search::run::algorithms::algorithms;
use gridwright_core::search::{AlgorithmDescriptor, Budget};
use gridwright_core::{Error, Result};

/// Largest number of departments for which the enumeration is the default.
pub(crate) const MOST_PROVEN: usize = 12;

/// An algorithm with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    /// Islands whose individuals anneal.
    Memetic(MemeticParameters),
    /// The published island genetic algorithm.
    Genetic(GeneticParameters),
    /// All partitions into bays, which proves the best one.
    Enumeration(EnumerationParameters),
    /// Annealing on slicing trees, whose layouts need no bays.
    Slicing(SlicingParameters),
}

algorithms! {
    Algorithm for "layouts";
    Memetic(MemeticParameters) = AlgorithmDescriptor {
        name: "memetic",
        label: "Memetic",
        short_label: "Memetic",
        help: "Islands whose individuals are improved by annealing: the best results for the time",
        steps: "steps",
        budget: Some(Budget::Seconds(30.0)),
        cpu_only: None,
        evaluations_refused: None,
    };
    Genetic(GeneticParameters) = AlgorithmDescriptor {
        name: "genetic",
        label: "Island genetic",
        short_label: "Genetic",
        help: "The published island genetic algorithm, every variant selectable",
        steps: "generations",
        // Its parameters say how many generations it has.
        budget: None,
        cpu_only: None,
        evaluations_refused: None,
    };
    Enumeration(EnumerationParameters) = AlgorithmDescriptor {
        name: "enumeration",
        label: "Enumeration",
        short_label: "Enumerate",
        help: "Looks at every way to put the departments into bays and proves the best: for small plants, up to about 12",
        steps: "steps",
        budget: Some(Budget::Seconds(600.0)),
        cpu_only: Some("the enumeration runs on the CPU; choose the CPU (--backend cpu), or --algorithm memetic"),
        evaluations_refused: None,
    };
    Slicing(SlicingParameters) = AlgorithmDescriptor {
        name: "slicing",
        label: "Slicing trees",
        short_label: "Slicing",
        help: "Cuts the plant from wall to wall, again and again: layouts without bays, which cost less and have no straight aisles",
        steps: "steps",
        budget: Some(Budget::Seconds(30.0)),
        cpu_only: Some("slicing trees run on the CPU; choose the CPU (--backend cpu), or --algorithm memetic"),
        evaluations_refused: None,
    };
}

impl Algorithm {
    /// Returns the default algorithm for an instance: slicing trees where layouts have to go around something or moving costs
    /// something, and the
    /// enumeration where it can prove the best layout.
    pub fn for_instance(instance: &Instance) -> Self {
        // Bays rarely keep a rectangle of today's layout.
        if instance.has_site() || instance.has_moving_cost() {
            return Self::Slicing(SlicingParameters::default());
        }
        match enumeration::check(instance) {
            Ok(()) if instance.len() <= MOST_PROVEN => Self::Enumeration(EnumerationParameters::default()),
            _ => Self::default(),
        }
    }

    /// Number of islands and of individuals per island, 0 where they are automatic; `None` for a search without islands.
    pub fn islands(&self) -> Option<(u32, u32)> {
        match self {
            Self::Memetic(parameters) => Some((parameters.islands, parameters.individuals)),
            Self::Genetic(parameters) => Some((parameters.islands, parameters.individuals)),
            Self::Enumeration(_) | Self::Slicing(_) => None,
        }
    }

    /// Cost that each point of closeness counts that a layout lacks.
    pub fn price(&self) -> f64 {
        match self {
            Self::Memetic(parameters) => parameters.closeness,
            Self::Genetic(_) | Self::Enumeration(_) | Self::Slicing(_) => 0.0,
        }
    }

    /// Checks that the algorithm can solve an instance.
    ///
    /// # Errors
    /// As [`enumeration::check`], and [`Error::Usage`](gridwright_core::Error::Usage) where slicing trees do not keep the
    /// rules, or bays would have to go around something.
    pub fn check(&self, instance: &Instance) -> Result<()> {
        match self {
            Self::Enumeration(_) => enumeration::check(instance),
            Self::Slicing(_) => slicing::check(instance),
            Self::Memetic(_) | Self::Genetic(_) if instance.has_site() => {
                let name = &instance.name;
                Err(Error::Usage(format!("{name} {}; use --algorithm slicing", enumeration::AROUND)))
            }
            Self::Memetic(_) | Self::Genetic(_) => Ok(()),
        }
    }
}
