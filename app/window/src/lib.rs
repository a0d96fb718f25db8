//! The window: frame, documents, data, import, widgets, campaigns. Problems add their views through [`registry`].

mod campaign_view;
pub mod data_view;
mod device_memory;
pub mod document;
pub mod file_dialog;
pub mod glossary;
mod importing;
pub mod later;
pub mod lessons;
pub mod live;
pub mod loader;
pub mod problem;
mod projects;
pub mod recorder;
pub mod registry;
mod run_list;
pub mod runs;
mod screen_names;
pub mod services;
pub mod session;
pub mod settings;
pub mod testing;
pub mod theme;
mod updating;
pub mod widgets;
pub mod window;
pub mod work;

pub use window::{WindowError, run_window};
