//! Binary problems on a systolic grid.
//!
//! Source: M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft
//! Computing 19, 2015 (online 2014).

pub mod bench;
pub mod check;
pub mod cuda;
pub mod drawing;
pub mod evaluation;
pub mod exact;
pub mod export;
pub mod formats;
pub mod generator;
pub mod genetic;
pub mod grid;
pub mod instance;
pub mod journal;
pub mod library;
pub mod packed;
pub mod random;
pub mod run;
pub mod state;
pub mod statistics;
pub mod textbook;

pub use grid::{Flavour, Grid};
pub use instance::{Instance, Kind, MAX_BITS, MAX_SUM, MIN_BITS, Weight};
pub use state::{Found, Frame, State};

use crate::Result;
use crate::search::Epochs;

/// A search for a string of bits.
pub trait Search: Epochs<Solution = Found> {
    /// What the best solution so far costs, and the iteration, counted from 1, in which so good a one was first found.
    ///
    /// # Errors
    /// As [`Epochs::snapshot`].
    fn reached(&mut self) -> Result<(f64, u64)>;

    /// All solutions as they are now; of random search, the best.
    ///
    /// # Errors
    /// As [`Epochs::snapshot`].
    fn state(&mut self) -> Result<State>;

    /// What happened that a person should know.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
