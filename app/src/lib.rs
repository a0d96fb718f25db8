//! Gridwright, the program: a window and a command line over the same searches.

pub mod arguments;
pub mod campaign;
pub mod campaign_view;
pub mod command;
pub mod crash;
pub mod data_view;
pub mod device_memory;
pub mod document;
pub mod exporting;
pub mod file_dialog;
pub mod glossary;
pub mod importing;
pub mod later;
pub mod lessons;
pub mod loader;
pub mod problem;
pub mod problems;
pub mod projects;
pub mod recognition;
pub mod registry;
pub mod renderer;
pub mod run_list;
pub mod runs;
pub mod screen_names;
pub mod services;
pub mod session;
pub mod settings;
pub mod store;
pub mod theme;
pub mod widgets;
pub mod window;
pub mod work;

use std::ffi::OsString;
use std::process::ExitCode;

pub use renderer::Renderer;
pub use window::{WindowError, run_window};

/// Runs the program with these arguments, the first of which is its name: a command without a window, or the window.
///
/// The environment variable `GRIDWRIGHT_MAX_FILE_MIB` sets the largest size of a file that is read.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    registry::register();
    crash::report_panics(command::text::error);
    let limit = std::env::var("GRIDWRIGHT_MAX_FILE_MIB").ok().and_then(|text| text.parse::<u64>().ok());
    if let Some(limit) = limit {
        gridwright_core::files::set_size_limit(limit.saturating_mul(1 << 20));
    }
    match arguments::parse(arguments) {
        Ok(command) => command::run(&command).into(),
        Err(answer) => {
            let plain = answer.render().to_string();
            match command::text::visible(&plain) {
                // Nothing is left to do where even this cannot be printed.
                std::borrow::Cow::Borrowed(_) => drop(answer.print()),
                std::borrow::Cow::Owned(shown) => command::text::note(&shown),
            }
            ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2))
        }
    }
}
