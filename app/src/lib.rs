//! Gridwright, the program: a window and a command line over the same searches.

pub mod arguments;
pub mod command;
pub mod device_memory;
pub mod document;
pub mod exporting;
pub mod later;
pub mod problem;
pub mod problems;
pub mod projects;
pub mod recognition;
pub mod registry;
pub mod renderer;
pub mod run_list;
pub mod runs;
pub mod services;
pub mod session;
pub mod settings;
pub mod store;
pub mod theme;
pub mod widgets;
pub mod window;
pub mod work;

pub use renderer::Renderer;
pub use window::{WindowError, run_window};
