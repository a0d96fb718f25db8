//! Widgets that several problems share; none knows a problem.

pub mod bars;
pub mod candidates;
pub mod canvas;
pub mod chart;
pub mod child_choice;
pub mod controls;
pub mod convergence;
pub mod dialog;
pub mod entry;
pub mod explanation;
pub mod genes;
pub mod heatmap;
pub mod history;
pub mod icons;
pub mod incomplete_recording;
pub mod nodes;
pub mod notice;
pub mod painting;
pub mod parameters;
pub mod playback;
pub mod rule_change;
pub mod scene;
pub mod strips;
pub mod table;
pub mod texture;
pub mod viewport;
