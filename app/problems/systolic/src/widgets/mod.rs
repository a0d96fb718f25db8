//! Widgets that only the views of binary problems use.

pub(crate) mod bitstrip;
pub(crate) mod blocks;
pub(crate) mod frontier;
pub mod grid_playback;
pub mod histogram;
pub mod raster;
