//! Widgets that only the views of timetables use.

pub mod columns;
pub mod matrix;
pub mod timeline;
