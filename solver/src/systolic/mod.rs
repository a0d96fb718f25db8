//! Binary problems on a systolic grid.
//!
//! Source: M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft
//! Computing 19, 2015 (online 2014).

pub mod check;
pub mod drawing;
pub mod exact;
pub mod export;
pub mod formats;
pub mod generator;
pub mod instance;
pub mod library;

pub use instance::{Instance, Kind, MAX_BITS, MAX_SUM, MIN_BITS};
