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
//! `shared` and `renewed`, threads repeat each other's comparisons; [`variation::Repeats`] counts them.
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

pub use search::{Genetic, GeneticBackend, first_individuals};
pub(crate) use search::{Individuals, Summary};
pub(crate) use variation::{Operators, repeats};

use gridwright_core::search::parameters::parameters;

/// Source of the random numbers of a parallel tournament: the three methods of the source.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Seeding {
    /// Method 1: all threads of an island read one sequence in each generation; thread k begins k draws into it, so that
    /// it draws second what thread k + 1 draws first.
    Shared,
    /// Method 2: as method 1, with another sequence in each round of the tournament.
    Renewed,
    /// Method 3: a sequence for each thread.
    #[default]
    Own,
}

impl Seeding {
    /// All variants.
    pub const ALL: [Self; 3] = gridwright_core::variants();

    /// Value of the parameter `seeding`.
    pub fn name(self) -> &'static str {
        gridwright_core::search::parameters::word(&self)
    }
}

parameters! {
    /// Parameters; the defaults are the recommended setting of the paper (section 4 and Table 4).
    pub struct GeneticParameters {
        /// Populations in a ring; the paper has 16 to 256.
        islands: u32 = 16, label: "Islands", range: 1..=4_096;
        /// Layouts of an island; the paper has 32 to 1024.
        individuals: u32 = 256, label: "Individuals", unit: "per island", range: 2..=1_024;
        /// Generations if no time limit is set; the paper has 64 to 8192.
        generations: u32 = 128, label: "Generations", range: 1..=10_000_000;
        /// Probability that a child is made of two parents instead of one.
        crossover: f64 = 0.7, label: "Crossover", range: 0.0..=1.0;
        /// Probability that a child is changed at random.
        mutation: f64 = 0.01, label: "Mutation", range: 0.0..=1.0;
        /// Number of best layouts of an island that replace the worst of the next island.
        rate: u32 = 5, label: "Migration rate", unit: "individuals", range: 0..=512;
        /// Generations between two migrations.
        interval: u32 = 15, label: "Migration interval", unit: "generations", range: 1..=1_000_000;
        /// Individuals that meet in a tournament; the best becomes a parent.
        tournament: u32 = 2, label: "Tournament", unit: "individuals", range: 1..=8;
        /// How the threads of an island get their random numbers: from one sequence with an offset, from another
        /// sequence in each round of a tournament, or each from its own.
        seeding: Seeding = Seeding::Own, label: "Seeding of tournaments";
    }
}
