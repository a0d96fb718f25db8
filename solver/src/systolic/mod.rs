//! Binary problems on a systolic grid.
//!
//! Source: M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft
//! Computing 19, 2015 (online 2014).

pub mod instance;

pub use instance::{Instance, Kind};
