//! File formats of binary problems, read and written.

mod numbers;
pub mod table;
pub mod vectors;
