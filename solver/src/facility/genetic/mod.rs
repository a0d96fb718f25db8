//! The island genetic algorithm as published.
//!
//! N islands in a ring, n individuals each. In every generation each individual is replaced by a child: two tournaments choose its
//! parents, crossover (partially mapped on the sequence, the breaks between the same cut points) happens with probability `crossover`,
//! mutation with probability `mutation`: half of the mutations exchange two departments, the others flip a break or exchange two breaks.
//! Every `interval` generations the best `rate` individuals of an island replace the worst of the next.
//!
//! The paper leaves operators and penalties open; these are the usual ones. What a unit of violation costs is adapted island by island as
//! in [`super::memetic`], once a generation.
//!
//! # Three ways to seed the parallel tournament
//!
//! The subject of the paper is how the threads of a block get their random numbers:
//!
//! 1. `shared`: one seed; thread k begins k draws into the *same* sequence, in every generation again;
//! 2. `renewed`: the same with a new seed for every generation;
//! 3. `own`: a sequence for every thread, seeded with the clock + block · population + thread.
//!
//! Addressed random words reproduce all three; the clock is replaced by the seed of the run and the generation. In the first two
//! ways threads repeat each other's comparisons, which [`Repeats`] counts.
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

pub use search::{Breed, Genetic, Individuals, Summary, first_individuals};
pub use variation::{Draw, Repeats, Rules, repeats};

use crate::search::{Kind, Parameter, Parameters, Value};

/// How the threads of a parallel tournament get their random numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The words for `--set seeding=`.
    pub const NAMES: [&str; 3] = ["shared", "renewed", "own"];

    /// All three.
    pub const ALL: [Self; 3] = [Self::Shared, Self::Renewed, Self::Own];

    /// Its word.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// What a person may choose; the defaults are those that the paper recommends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneticParameters {
    /// Islands, N.
    pub islands: u32,
    /// Individuals of an island, n.
    pub individuals: u32,
    /// Generations.
    pub generations: u32,
    /// Probability of crossover.
    pub crossover: f64,
    /// Probability of mutation.
    pub mutation: f64,
    /// Individuals that migrate.
    pub rate: u32,
    /// Generations between two migrations.
    pub interval: u32,
    /// Individuals that meet in a tournament.
    pub tournament: u32,
    /// How threads get their random numbers.
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
                "Where no time limit is set; the paper has 64 to 8192.",
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
                "The best so many of an island replace the worst of the next.",
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
