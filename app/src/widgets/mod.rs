//! Parts of the window that know no problem.

pub mod bars;
pub mod beating;
pub mod bitstrip;
pub mod columns;
pub mod controls;
pub mod convergence;
pub mod curves;
pub mod floorplan;
pub mod frontier;
pub mod fuzzy;
pub mod gantt;
pub mod heatmap;
pub mod histogram;
pub mod history;
pub mod icons;
pub mod matrix;
pub mod nodes;
pub mod notice;
pub mod painting;
pub mod parameters;
pub mod playback;
pub mod raster;
pub mod scatter;
pub mod sequence;
pub mod span;
pub mod timeline;
