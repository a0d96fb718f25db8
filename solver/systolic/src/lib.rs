//! Binary problems, solved by systolic genetic search (SGS) and its baselines.
//!
//! SGS places two streams of solutions on a grid of l columns (bits) and τ = ⌈log₂ l⌉ rows. In every iteration each
//! cell crosses the solution from its left with the one from above, flips one bit, keeps the better of child and parent
//! per stream, and passes the results right and down.
//!
//! [`grid`] holds the data flow, [`rules`] the operators and what can be changed of them, [`packed`] the fast implementation, `textbook` the literal one for tests, [`genetic`] and [`random`] the baselines, [`cuda`] all of them on a device,
//! [`check`] the independent checker.
//!
//! Source: M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft
//! Computing 19, 2015 (online 2014).

mod bench;
pub mod check;
mod comparison_text;
pub mod cuda;
mod data;
mod drawing;
mod evaluation;
pub mod exact;
pub mod export;
pub mod facts;
pub mod formats;
mod generator;
mod generators;
pub mod genetic;
pub mod grid;
mod instance;
pub mod journal;
pub mod library;
mod packed;
mod planning;
pub mod problem;
mod random;
mod rules;
pub mod run;
mod state;
pub mod stored;
mod suites;
#[cfg(test)]
mod textbook;

pub use grid::{Flavour, Grid};
pub use instance::{Instance, Kind, Weight};
pub(crate) use instance::{MAX_BITS, MAX_SUM, MIN_BITS};
pub(crate) use state::State;
pub use state::{BestBits, Frame};

use gridwright_core::Result;
use gridwright_core::search::{Control, Epochs};

/// Search for a string of bits.
pub trait Search: Epochs<Solution = BestBits> {
    /// Returns the cost of the best solution so far and the iteration (from 1; 0: initial) in which that cost was first
    /// reached.
    ///
    /// # Errors
    /// As [`Epochs::snapshot`].
    fn reached(&mut self) -> Result<(f64, u64)>;

    /// Returns all solutions; for random search only the best.
    ///
    /// # Errors
    /// As [`Epochs::snapshot`].
    fn state(&mut self) -> Result<State>;

    /// Sets the handle that pauses and interrupts an epoch on the CPU.
    fn set_control(&mut self, _control: &Control) {}
}
