//! The memetic algorithm: an island model whose individuals are improved by annealing.
//!
//! A *cycle* begins with random layouts on every island. Each individual walks a *leg*: annealing from hot to cold, one proposal
//! ([`super::moves::Move`]) after the other, accepted if it is not worse by more than −T·ln u, u uniform, where worse counts the cost and
//! what is violated. Then, `generations` times, every individual sets out again, from a child of two parents (partially mapped crossover)
//! or from a copy, at a temperature that falls from generation to generation; what it finds takes its place if it is better and
//! nobody else on the island is the same. Every `interval` generations the best of an island replaces the worst of the next island
//! with bays of the same orientation, in a ring. The next cycle walks four times as far.
//!
//! What a unit of violation costs is adapted by each individual every [`STEP`] proposals: dearer where fewer than 40 % of the layouts that
//! it met were feasible, cheaper where more than 60 % were. The best is the best feasible layout, and where there is none the least
//! violated one.
//!
//! A step is [`STEP`] proposals of every individual. Temperatures are fractions of the mean cost of random layouts.

pub mod cpu;
pub mod cuda;
mod cycles;
mod search;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use cpu::{CHEAPER, DEARER, WEIGHTS};
pub use cycles::{Cycles, Limit};
pub use search::{Memetic, Prepared, WEIGHT, Walk, prepared};

use crate::search::{Kind, Parameter, Parameters, Value};

/// Proposals of a step.
pub const STEP: u32 = 256;

/// What a person may choose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemeticParameters {
    /// Islands; 0: at least 4, a multiple of 2 that gives every thread two individuals, or fills a device.
    pub islands: u32,
    /// Individuals of an island; 0: 4, and 2 for more than [`MANY`] departments.
    pub individuals: u32,
    /// Generations of a cycle.
    pub generations: u32,
    /// Steps of a leg in the first cycle.
    pub leg: u32,
    /// Temperature of the first leg of a cycle, in thousandths of the mean cost of random layouts.
    pub hot: f64,
    /// Temperature of the second leg; later ones begin cooler.
    pub warm: f64,
    /// Temperature at the end of every leg.
    pub cold: f64,
    /// Probability that an individual sets out from a child of two parents.
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

/// Of more departments fewer layouts walk farther: on Du62 two individuals that walk ten million proposals each end 0.3 % better than
/// eight with a quarter of that.
pub const MANY: usize = 50;

impl MemeticParameters {
    /// Decides what is automatic, for so many departments and so many layouts side by side.
    pub fn resolve(&mut self, departments: usize, side: usize) {
        if self.individuals == 0 {
            self.individuals = if departments > MANY { 2 } else { 4 };
        }
        if self.islands == 0 {
            self.islands = (side as u32).div_ceil(self.individuals).next_multiple_of(2).clamp(4, 4_096);
        }
    }
}

/// The largest temperature that can be asked for, in thousandths of the mean cost.
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
                help: "Populations that meet by migration only; half of them have vertical bays where both orientations are searched.",
                kind: Kind::Integer { min: 0, max: 4_096 },
                zero: "automatic",
            },
            Parameter {
                name: "individuals",
                label: "Individuals",
                unit: "per island",
                help: "Layouts of an island; few walk far, many differ. 0 takes 4, and 2 for large plants.",
                kind: Kind::Integer { min: 0, max: 1_024 },
                zero: "automatic",
            },
            Parameter {
                name: "generations",
                label: "Generations",
                unit: "per cycle",
                help: "How often every individual sets out again before the islands begin anew and walk four times as far.",
                kind: Kind::Integer { min: 1, max: 10_000 },
                zero: "",
            },
            Parameter {
                name: "leg",
                label: "First leg",
                unit: "steps",
                help: "How far every individual walks in a generation of the first cycle, in steps of 256 proposals.",
                kind: Kind::Integer { min: 1, max: 1_000_000 },
                zero: "",
            },
            Parameter {
                name: "hot",
                label: "Hot",
                unit: UNIT,
                help: "Temperature at which a cycle begins.",
                kind: TEMPERATURE,
                zero: "",
            },
            Parameter {
                name: "warm",
                label: "Warm",
                unit: UNIT,
                help: "Temperature at which the second generation sets out; later generations set out cooler.",
                kind: TEMPERATURE,
                zero: "",
            },
            Parameter {
                name: "cold",
                label: "Cold",
                unit: UNIT,
                help: "Temperature at which every leg ends.",
                kind: TEMPERATURE,
                zero: "",
            },
            Parameter {
                name: "crossover",
                label: "Crossover",
                unit: "",
                help: "Probability that an individual sets out from a child of two parents instead of from a copy.",
                kind: Kind::Real { min: 0.0, max: 1.0 },
                zero: "",
            },
            Parameter {
                name: "interval",
                label: "Migration",
                unit: "generations",
                help: "Every so many generations the best of an island moves to the next.",
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
