//! Memetic algorithm: an island model whose individuals are improved by simulated annealing.
//!
//! * **Stage** (parameter `leg`: its length). Every individual is annealed from a first temperature down to `cold`. A
//!   proposal ([`super::moves::Move`]) is accepted if cost + weight · violation grows by at most −T·ln u, u uniform
//!   (the Metropolis rule).
//! * **Generation.** After a stage, the best layout found replaces the individual's kept layout if it is better and new
//!   to the island. The next stage begins with a child of two tournament winners (partially mapped crossover) or a
//!   copy, at a lower first temperature. Every `interval` generations the best member of each island replaces the worst
//!   of the next island of the same orientation, in a ring.
//! * **Cycle.** A cycle begins with random layouts and has `generations` + 1 stages; stages of the next cycle are four
//!   times as long.
//!
//! The penalty weight of an individual is adapted after every [`STEP`] proposals: raised if fewer than 40 % of the
//! visited layouts were feasible, lowered above 60 %. Temperatures are fractions of the mean cost of random layouts.
//! One step of the search is [`STEP`] proposals of every individual.
//!
//! Sources: P. Moscato, «On evolution, search, optimization, genetic algorithms and martial arts: towards memetic
//! algorithms», Caltech C3P report 826, 1989; S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, «Optimization by simulated
//! annealing», Science 220, 1983.

pub mod cpu;
pub mod cuda;
mod cycles;
mod search;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use cpu::{CHEAPER, DEARER, WEIGHTS};
pub use cycles::{Cycles, Limit};
pub use search::{AnnealingBackend, Memetic, Prepared, WEIGHT, prepared};

use crate::search::{Kind, Parameter, Parameters, Value};

/// Proposals of an individual per step.
pub const STEP: u32 = 256;

/// Parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemeticParameters {
    /// Number of islands; 0 chooses it in [`Self::resolve`].
    pub islands: u32,
    /// Individuals per island; 0 chooses 4, or 2 for more than [`MANY`] departments.
    pub individuals: u32,
    /// Generations per cycle.
    pub generations: u32,
    /// Steps per stage in the first cycle.
    pub leg: u32,
    /// First temperature of a cycle's first stage, in thousandths of the mean cost of random layouts.
    pub hot: f64,
    /// First temperature of the second stage; later stages begin cooler.
    pub warm: f64,
    /// Last temperature of every stage.
    pub cold: f64,
    /// Probability that a stage begins with a child of two parents.
    pub crossover: f64,
    /// Generations between two migrations.
    pub interval: u32,
}

impl Default for MemeticParameters {
    fn default() -> Self {
        Self {
            islands: 0,
            individuals: 0,
            generations: 20,
            leg: 8,
            hot: 5.0,
            warm: 1.5,
            cold: 0.1,
            crossover: 0.7,
            interval: 5,
        }
    }
}

/// Number of departments above which islands have two individuals: long stages of few individuals then end better.
pub const MANY: usize = 50;

impl MemeticParameters {
    /// Replaces automatic values: `departments` of the instance, `side` individuals that the backend anneals in
    /// parallel. The number of islands becomes even and at least 4.
    pub fn resolve(&mut self, departments: usize, side: usize) {
        if self.individuals == 0 {
            self.individuals = if departments > MANY { 2 } else { 4 };
        }
        if self.islands == 0 {
            self.islands = (side as u32).div_ceil(self.individuals).next_multiple_of(2).clamp(4, 4_096);
        }
    }
}

/// Upper bound of temperature parameters, in thousandths of the mean cost.
const MOST: f64 = 1_000.0;

impl Parameters for MemeticParameters {
    fn list() -> &'static [Parameter] {
        const TEMPERATURE: Kind = Kind::Real { min: 1e-6, max: MOST };
        const UNIT: &str = "‰ of a random layout's cost";
        &[
            Parameter {
                name: "islands",
                label: "Islands",
                unit: "",
                help: "Populations that exchange layouts by migration only; if both orientations are searched, half of the islands have vertical bays.",
                kind: Kind::Integer { min: 0, max: 4_096 },
                zero: "automatic",
            },
            Parameter {
                name: "individuals",
                label: "Individuals",
                unit: "per island",
                help: "Layouts per island: fewer are improved longer, more are more diverse. Automatic: 4, or 2 for large plants.",
                kind: Kind::Integer { min: 0, max: 1_024 },
                zero: "automatic",
            },
            Parameter {
                name: "generations",
                label: "Generations",
                unit: "per cycle",
                help: "Stages of improvement before the islands start again from random layouts, with stages four times as long.",
                kind: Kind::Integer { min: 1, max: 10_000 },
                zero: "",
            },
            Parameter {
                name: "leg",
                label: "Stage length",
                unit: "steps",
                help: "Length of a stage in the first cycle, in steps of 256 proposed changes per layout.",
                kind: Kind::Integer { min: 1, max: 1_000_000 },
                zero: "",
            },
            Parameter {
                name: "hot",
                label: "Hot",
                unit: UNIT,
                help: "First temperature of a cycle.",
                kind: TEMPERATURE,
                zero: "",
            },
            Parameter {
                name: "warm",
                label: "Warm",
                unit: UNIT,
                help: "First temperature of the second stage; later stages start cooler.",
                kind: TEMPERATURE,
                zero: "",
            },
            Parameter {
                name: "cold",
                label: "Cold",
                unit: UNIT,
                help: "Last temperature of every stage.",
                kind: TEMPERATURE,
                zero: "",
            },
            Parameter {
                name: "crossover",
                label: "Crossover",
                unit: "",
                help: "Probability that a stage starts from a child of two layouts instead of a copy of one.",
                kind: Kind::Real { min: 0.0, max: 1.0 },
                zero: "",
            },
            Parameter {
                name: "interval",
                label: "Migration",
                unit: "generations",
                help: "Number of stages after which the best layout of each island is copied to the next island.",
                kind: Kind::Integer { min: 1, max: 10_000 },
                zero: "",
            },
        ]
    }

    fn get(&self, name: &str) -> Value {
        match name {
            "islands" => Value::Integer(self.islands.into()),
            "individuals" => Value::Integer(self.individuals.into()),
            "generations" => Value::Integer(self.generations.into()),
            "leg" => Value::Integer(self.leg.into()),
            "hot" => Value::Real(self.hot),
            "warm" => Value::Real(self.warm),
            "cold" => Value::Real(self.cold),
            "crossover" => Value::Real(self.crossover),
            _ => Value::Integer(self.interval.into()),
        }
    }

    fn put(&mut self, name: &str, value: &Value) {
        match name {
            "islands" => self.islands = value.integer() as u32,
            "individuals" => self.individuals = value.integer() as u32,
            "generations" => self.generations = value.integer() as u32,
            "leg" => self.leg = value.integer() as u32,
            "hot" => self.hot = value.real(),
            "warm" => self.warm = value.real(),
            "cold" => self.cold = value.real(),
            "crossover" => self.crossover = value.real(),
            _ => self.interval = value.integer() as u32,
        }
    }
}
