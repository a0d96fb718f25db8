//! Parts of the window that know no problem.

pub mod bars;
pub mod columns;
pub mod controls;
pub mod convergence;
pub mod fuzzy;
pub mod icons;
pub mod matrix;
pub mod notice;
pub mod parameters;
