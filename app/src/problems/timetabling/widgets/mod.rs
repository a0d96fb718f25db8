//! Widgets that only the views of timetables use.

pub mod bars;
pub mod columns;
pub mod genes;
pub mod matrix;
pub mod strips;
pub mod timeline;
