//! Widgets that only the views of layouts use.

pub mod floorplan;
