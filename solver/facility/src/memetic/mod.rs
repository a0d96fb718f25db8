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

mod brief;
pub mod cpu;
pub mod cuda;
mod cycles;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use brief::{Brief, brief};
pub(crate) use cpu::{CHEAPER, DEARER, WEIGHTS};
pub use cycles::Cycles;
pub(crate) use cycles::{Ends, Limit};
pub use search::{AnnealingBackend, Memetic, WalkerImprovement, prepared};
pub(crate) use search::{WEIGHT, priced};

use gridwright_core::search::parameters::parameters;

/// Proposals of an individual per step.
pub(crate) const STEP: u32 = 256;

parameters! {
    /// Parameters of the memetic algorithm; 0 islands or individuals are replaced by [`Self::resolve`].
    pub struct MemeticParameters {
        /// Populations that exchange layouts by migration only; if both orientations are searched, half of the islands
        /// have vertical bays.
        islands: u32 = 0, label: "Islands", range: 0..=4_096, zero: "automatic";
        /// Layouts per island: fewer are improved longer, more are more diverse. Automatic: 4, or 2 for large plants.
        individuals: u32 = 0, label: "Individuals", unit: "per island", range: 0..=1_024, zero: "automatic";
        /// Stages of improvement before the islands start again from random layouts, with stages four times as long.
        generations: u32 = 20, label: "Generations", unit: "per cycle", range: 1..=10_000;
        /// Length of a stage in the first cycle, in steps of 256 proposed changes per layout.
        leg: u32 = 8, label: "Stage length", unit: "steps", range: 1..=1_000_000;
        /// First temperature of a cycle.
        hot: f64 = 5.0, label: "Hot", unit: "‰ of a random layout's cost", range: 1e-6..=1_000.0;
        /// First temperature of the second stage; later stages start cooler.
        warm: f64 = 1.5, label: "Warm", unit: "‰ of a random layout's cost", range: 1e-6..=1_000.0;
        /// Last temperature of every stage.
        cold: f64 = 0.1, label: "Cold", unit: "‰ of a random layout's cost", range: 1e-6..=1_000.0;
        /// Probability that a stage starts from a child of two layouts instead of a copy of one.
        crossover: f64 = 0.7, label: "Crossover", range: 0.0..=1.0;
        /// Number of stages after which the best layout of each island is copied to the next island.
        interval: u32 = 5, label: "Migration", unit: "generations", range: 1..=10_000;
        /// What each point that a layout lacks of the best closeness score counts beside its cost; 0 minimises the cost
        /// alone. Searches that count closeness run on the CPU.
        closeness: f64 = 0.0, label: "Closeness", unit: "cost per point", range: 0.0..=1e9;
    }
}

/// Number of departments above which islands have two individuals: long stages of few individuals then end better.
pub(crate) const MANY: usize = 50;

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
