//! The window: frame, documents, data, import, widgets, campaigns. Problems add their views through [`registry`].

pub mod campaign_view;
pub mod data_view;
pub mod device_memory;
pub mod document;
pub mod file_dialog;
pub mod glossary;
pub mod importing;
pub mod later;
pub mod lessons;
pub mod loader;
pub mod problem;
pub mod projects;
pub mod registry;
pub mod run_list;
pub mod runs;
pub mod screen_names;
pub mod services;
pub mod session;
pub mod settings;
pub mod testing;
pub mod theme;
pub mod widgets;
pub mod window;
pub mod work;

pub use window::{WindowError, run_window};
