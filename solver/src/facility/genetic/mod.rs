//! Island genetic algorithm as published by Sun et al. (2019).
//!
//! N islands in a ring, n individuals each. Every generation replaces each individual by a child: two tournaments
//! select the parents, partially mapped crossover (sequence and breaks between the same cut points) happens with
//! probability `crossover`, mutation with probability `mutation`: half of the mutations exchange two departments, a
//! quarter flip a break, a quarter exchange two breaks. Every `interval` generations the best `rate` individuals of an
//! island replace the worst of the next.
//!
//! The paper specifies neither operators nor penalties; those above are common choices. The penalty weight of an island
//! is adapted once a generation as in [`super::memetic`].
//!
//! # Three ways to seed the parallel tournament
//!
//! The paper compares three ways in which the threads of a block obtain random numbers:
//!
//! 1. `shared`: one seed; thread k starts k draws into the *same* sequence, in every generation;
//! 2. `renewed`: as `shared`, with a new seed in every generation;
//! 3. `own`: one sequence per thread, seeded with clock + block · population + thread.
//!
//! Addressed random words reproduce all three; the clock is replaced by the seed of the run and the generation. With
//! `shared` and `renewed`, threads repeat each other's comparisons; [`Repeats`] counts them.
//!
//! Source: X. Sun, P. Chou, C.-C. Wu, L.-R. Chen, «Quality-oriented study on mapping island model genetic algorithm onto CUDA
//! GPU», Symmetry 11(3):318, 2019.

pub mod cpu;
pub mod cuda;
mod search;
#[cfg(test)]
mod tests;
mod variation;

use serde::{Deserialize, Serialize};

pub use search::{Genetic, GeneticBackend, Individuals, Summary, first_individuals};
pub use variation::{Draw, Operators, Repeats, repeats};

use crate::search::{Kind, Parameter, Parameters, Value};

/// Source of the random numbers of a parallel tournament.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray)]
pub enum Seeding {
    /// One sequence for all threads and generations.
    Shared,
    /// One sequence for all threads, a new one for every generation.
    Renewed,
    /// A sequence for every thread and generation.
    #[default]
    Own,
}

impl Seeding {
    /// Values of the parameter `seeding`.
    pub const NAMES: [&str; 3] = ["shared", "renewed", "own"];

    /// All variants.
    pub const ALL: [Self; 3] = crate::variants();

    /// Value of the parameter `seeding`.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Parameters; the defaults are the recommended setting of the paper (section 4 and Table 4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneticParameters {
    /// Number of islands, N.
    pub islands: u32,
    /// Individuals per island, n.
    pub individuals: u32,
    /// Number of generations.
    pub generations: u32,
    /// Probability of crossover.
    pub crossover: f64,
    /// Probability of mutation.
    pub mutation: f64,
    /// Number of individuals that migrate from each island.
    pub rate: u32,
    /// Generations between two migrations.
    pub interval: u32,
    /// Tournament size.
    pub tournament: u32,
    /// Source of the random numbers of tournaments.
    pub seeding: Seeding,
}

impl Default for GeneticParameters {
    fn default() -> Self {
        Self {
            islands: 16,
            individuals: 256,
            generations: 128,
            crossover: 0.7,
            mutation: 0.01,
            rate: 5,
            interval: 15,
            tournament: 2,
            seeding: Seeding::Own,
        }
    }
}

impl Parameters for GeneticParameters {
    fn list() -> &'static [Parameter] {
        const PROBABILITY: Kind = Kind::Real { min: 0.0, max: 1.0 };
        const fn count(
            name: &'static str,
            label: &'static str,
            unit: &'static str,
            help: &'static str,
            min: i64,
            max: i64,
        ) -> Parameter {
            Parameter { name, label, unit, help, kind: Kind::Integer { min, max }, zero: "" }
        }
        const ALL: &[Parameter] = &[
            count("islands", "Islands", "", "Populations in a ring; the paper has 16 to 256.", 1, 4_096),
            count(
                "individuals",
                "Individuals",
                "per island",
                "Layouts of an island; the paper has 32 to 1024.",
                2,
                1_024,
            ),
            count(
                "generations",
                "Generations",
                "",
                "Generations if no time limit is set; the paper has 64 to 8192.",
                1,
                10_000_000,
            ),
            Parameter {
                name: "crossover",
                label: "Crossover",
                unit: "",
                help: "Probability that a child is made of two parents instead of one.",
                kind: PROBABILITY,
                zero: "",
            },
            Parameter {
                name: "mutation",
                label: "Mutation",
                unit: "",
                help: "Probability that a child is changed at random.",
                kind: PROBABILITY,
                zero: "",
            },
            count(
                "rate",
                "Migration rate",
                "individuals",
                "Number of best layouts of an island that replace the worst of the next island.",
                0,
                512,
            ),
            count("interval", "Migration interval", "generations", "Generations between two migrations.", 1, 1_000_000),
            count(
                "tournament",
                "Tournament",
                "individuals",
                "Individuals that meet in a tournament; the best becomes a parent.",
                1,
                8,
            ),
            Parameter {
                name: "seeding",
                label: "Seeding of tournaments",
                unit: "",
                help: "How the threads of an island get their random numbers: from one sequence, from a new one every generation, or each from its own.",
                kind: Kind::Choice(&Seeding::NAMES),
                zero: "",
            },
        ];
        ALL
    }

    fn get(&self, name: &str) -> Value {
        match name {
            "islands" => Value::Integer(self.islands.into()),
            "individuals" => Value::Integer(self.individuals.into()),
            "generations" => Value::Integer(self.generations.into()),
            "crossover" => Value::Real(self.crossover),
            "mutation" => Value::Real(self.mutation),
            "rate" => Value::Integer(self.rate.into()),
            "interval" => Value::Integer(self.interval.into()),
            "tournament" => Value::Integer(self.tournament.into()),
            _ => Value::Choice(self.seeding.name().to_owned()),
        }
    }

    fn put(&mut self, name: &str, value: &Value) {
        match name {
            "islands" => self.islands = value.integer() as u32,
            "individuals" => self.individuals = value.integer() as u32,
            "generations" => self.generations = value.integer() as u32,
            "crossover" => self.crossover = value.real(),
            "mutation" => self.mutation = value.real(),
            "rate" => self.rate = value.integer() as u32,
            "interval" => self.interval = value.integer() as u32,
            "tournament" => self.tournament = value.integer() as u32,
            _ => self.seeding = Seeding::ALL.into_iter().find(|one| one.name() == value.choice()).unwrap_or_default(),
        }
    }
}
