//! Widgets that several problems share; none knows a problem.

pub mod canvas;
pub mod chart;
pub mod controls;
pub mod convergence;
pub mod dialog;
pub mod explanation;
pub mod heatmap;
pub mod history;
pub mod icons;
pub mod nodes;
pub mod notice;
pub mod painting;
pub mod parameters;
pub mod playback;
pub mod rule_change;
pub mod scene;
pub mod texture;
pub mod viewport;
