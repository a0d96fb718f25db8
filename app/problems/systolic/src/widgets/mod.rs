//! Widgets that only the views of binary problems use.

pub mod bitstrip;
pub mod blocks;
pub mod frontier;
pub mod grid_playback;
pub mod histogram;
pub mod raster;
