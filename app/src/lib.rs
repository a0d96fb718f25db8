//! Gridwright, the program: a window and a command line over the same searches.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use gridwright_core::{crash, files};
use gridwright_terminal::command::{self, Exit};
use gridwright_terminal::{Renderer, arguments};
use gridwright_window::problem::ProblemUi;
use gridwright_window::{WindowError, registry, run_window};

/// The problems that ship, in the order in which lists show them. The first one opens sources that no problem recognises.
pub const PROBLEMS: [&ProblemUi; 4] = [
    &gridwright_timetabling_views::UI,
    &gridwright_flowshop_views::UI,
    &gridwright_facility_views::UI,
    &gridwright_systolic_views::UI,
];

/// Environment variable that is set where nobody reads the standard error: errors of the window are shown in a dialog.
const DIALOGS: &str = "GRIDWRIGHT_DIALOGS";

/// States the problems that ship to the registries; the program does so first of all, and so do tests.
pub fn register() {
    registry::register(&PROBLEMS);
}

/// Runs the program with these arguments, the first of which is its name, for the problems that ship.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_with(&PROBLEMS, arguments)
}

/// Runs the program for these problems: a command without a window, or the window.
///
/// The environment variable `GRIDWRIGHT_MAX_FILE_MIB` sets the largest size of a file that is read.
pub fn run_with(problems: &[&'static ProblemUi], arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    registry::register(problems);
    crash::report_panics(command::text::error);
    let limit = std::env::var("GRIDWRIGHT_MAX_FILE_MIB").ok().and_then(|text| text.parse::<u64>().ok());
    if let Some(limit) = limit {
        files::set_size_limit(limit.saturating_mul(1 << 20));
    }
    match arguments::parse(arguments) {
        Ok(command) => command::run(&command, &window).into(),
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

/// Renderers to try, in this order.
fn attempts(renderer: Renderer) -> &'static [eframe::Renderer] {
    match renderer {
        #[cfg(feature = "wgpu")]
        Renderer::Auto => &[eframe::Renderer::Glow, eframe::Renderer::Wgpu],
        #[cfg(feature = "wgpu")]
        Renderer::Wgpu => &[eframe::Renderer::Wgpu],
        _ => &[eframe::Renderer::Glow],
    }
}

/// The window; without a display the sample is solved, unless a certain file was to be shown.
fn window(open: Option<&PathBuf>, renderer: Renderer) -> anyhow::Result<Exit> {
    let reason = match run_window(open.cloned(), attempts(renderer)) {
        Ok(()) => return Ok(Exit::Done),
        // A window that was open and broke is no reason to solve something else.
        Err(broken @ WindowError::Broken(_)) => return Err(broken.into()),
        Err(error @ WindowError::NoDisplay(_)) if open.is_none() => {
            command::text::note(&format!("{error}, so the shipped sample is solved without the window"));
            return command::sample::run();
        }
        Err(error) => error.to_string(),
    };
    let file = open.map_or_else(|| "FILE".into(), |file| file.display().to_string());
    let text = format!("{reason}; “gridwright info {file}” and “gridwright solve {file}” work without a window");
    command::text::error(&text);
    if std::env::var_os(DIALOGS).is_some() {
        let dialog = rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error);
        dialog.set_title("Gridwright cannot open its window").set_description(text).show();
    }
    Ok(Exit::Device)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glow_is_tried_first() {
        assert_eq!(attempts(Renderer::Auto).first(), Some(&eframe::Renderer::Glow));
        assert_eq!(attempts(Renderer::Glow), [eframe::Renderer::Glow]);
    }
}
