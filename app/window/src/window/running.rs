//! Opens the real window, or says why there can be none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use gridwright_core::search::driver::panic_text;
use gridwright_core::store::Store;

use super::App;
use crate::services::Services;
use crate::theme;
use crate::widgets::icons::window_icon;

/// Why the window could not be opened or was lost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WindowError {
    /// There is nowhere to show it.
    #[error("there is no display for the window here ({0})")]
    NoDisplay(String),
    /// A library of the system is missing.
    #[error("the window needs a library that is not installed here ({0}){remedy}", remedy = LIBRARIES)]
    NoLibrary(String),
    /// There is a display, but nothing that paints on it.
    #[error("the window cannot be painted here ({0}); install or update the graphics driver{remedy}", remedy = REMEDY)]
    NoRenderer(String),
    /// The open window failed, in words.
    #[error("the window broke off ({0}); finished runs are kept, start the program again")]
    Broken(String),
}

#[cfg(target_os = "linux")]
const REMEDY: &str = " (libgl1 and libgl1-mesa-dri, or mesa-vulkan-drivers), or try LIBGL_ALWAYS_SOFTWARE=1";
#[cfg(not(target_os = "linux"))]
const REMEDY: &str = "";

#[cfg(target_os = "linux")]
const LIBRARIES: &str = "; install libx11-6, libx11-xcb1, libxcursor1, libxi6 and libxkbcommon-x11-0";
#[cfg(not(target_os = "linux"))]
const LIBRARIES: &str = "; update the system";

/// Name of the program's desktop file and icon, by which a desktop knows the window.
const APP_ID: &str = "org.gridwright.Gridwright";

fn name_of(renderer: eframe::Renderer) -> &'static str {
    match renderer {
        eframe::Renderer::Glow => "OpenGL (glow)",
        #[cfg(feature = "wgpu")]
        eframe::Renderer::Wgpu => "wgpu",
    }
}

/// Opens the window and stays until it is closed; `open` is a path or `sample:NAME`.
///
/// # Errors
/// Where there is no display, nothing can paint on it, or its driver breaks off.
pub fn run_window(open: Option<PathBuf>, renderers: &[eframe::Renderer]) -> Result<(), WindowError> {
    let unset = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
    if cfg!(all(unix, not(target_os = "macos")))
        && ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().all(unset)
    {
        return Err(WindowError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned()));
    }
    let open = open.map(|path| gridwright_core::source::of(&path).unwrap_or_else(|| path.display().to_string()));
    let mut failures = Vec::new();
    for &renderer in renderers {
        match attempt(open.clone(), renderer) {
            Err(WindowError::NoRenderer(why)) => failures.push(format!("{}: {why}", name_of(renderer))),
            ended => return ended,
        }
    }
    Err(WindowError::NoRenderer(failures.join("; ")))
}

fn options(store: &Store, renderer: eframe::Renderer) -> eframe::NativeOptions {
    eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Gridwright")
            .with_app_id(APP_ID)
            .with_inner_size([1440.0, 900.0])
            .with_min_inner_size([1024.0, 640.0])
            .with_icon(Arc::new(window_icon()))
            .with_drag_and_drop(true),
        renderer,
        // Size and place of the window, widths and heights of its parts.
        persist_window: true,
        persistence_path: Some(store.home().join("window.ron")),
        ..Default::default()
    }
}

fn attempt(open: Option<String>, renderer: eframe::Renderer) -> Result<(), WindowError> {
    let store = Store::of_user();
    let options = options(&store, renderer);
    // Libraries that are missing are a panic in winit, not an error: until the window stands, it is reported by the
    // caller in a sentence instead of by a trace on the terminal.
    let hook = Arc::new(Mutex::new(Some(std::panic::take_hook())));
    std::panic::set_hook(Box::new(|_| {}));
    let restore = {
        let hook = Arc::clone(&hook);
        move || {
            if let Some(hook) = hook.lock().unwrap_or_else(PoisonError::into_inner).take() {
                std::panic::set_hook(hook);
            }
        }
    };
    let restore_later = restore.clone();
    let stands = Arc::clone(&hook);
    let result = catch_unwind(AssertUnwindSafe(|| {
        eframe::run_native(
            "gridwright",
            options,
            Box::new(move |creation| {
                theme::install(&creation.egui_ctx);
                #[cfg(target_os = "linux")]
                super::desktop::follow_theme(&creation.egui_ctx);
                let services = Services { renderer: name_of(renderer), ..Services::default() };
                let mut app = App::new(services, store, open);
                app.close_on_signals(&creation.egui_ctx);
                restore();
                Ok(Box::new(app))
            }),
        )
    }));
    let stood = stands.lock().unwrap_or_else(PoisonError::into_inner).is_none();
    restore_later();
    match result {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) if stood => Err(WindowError::Broken(error.to_string())),
        Ok(Err(error)) => {
            let why = plain(&error.to_string());
            match error {
                eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) if lacks_library(&why) => {
                    Err(WindowError::NoLibrary(why))
                }
                eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => Err(WindowError::NoDisplay(why)),
                _ => Err(WindowError::NoRenderer(why)),
            }
        }
        Err(panic) => {
            let text = panic_text(&*panic).unwrap_or_else(|| "the graphics driver broke off".to_owned());
            Err(if stood { WindowError::Broken(text) } else { WindowError::NoLibrary(plain(&text)) })
        }
    }
}

/// Returns `true` if an error of winit, which has no kinds of errors, is about a library of the system.
fn lacks_library(text: &str) -> bool {
    text.to_lowercase().contains("librar")
}

/// Error text without the position in a library's source and without the values that it lists in braces.
fn plain(text: &str) -> String {
    let text = match text.rsplit_once(".rs:") {
        Some((_, rest)) => rest.split_once(": ").map_or(text, |(_, what)| what),
        None => text,
    };
    let Some((before, _)) = text.split_once(" {") else { return text.to_owned() };
    let value = before.rsplit_once(": ").map_or(before, |(what, _)| what);
    before.strip_suffix(':').unwrap_or(value).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_libraries_lose_their_source_lines() {
        let text = "winit EventLoopError: os error at winit-0.30.13/src/linux/mod.rs:788: Failed to open connection";
        assert_eq!(plain(text), "Failed to open connection");
        assert_eq!(plain("no OpenGL"), "no OpenGL");
        let configs = "Found no glutin configs matching the template: ConfigTemplate { size: 8 }. Error: not found";
        assert_eq!(plain(configs), "Found no glutin configs matching the template");
        assert_eq!(plain("Failed to create surface for any backend: {}"), "Failed to create surface for any backend");
    }

    #[test]
    fn a_missing_library_is_no_missing_display() {
        assert!(lacks_library("Failed to load one of xlib's shared libraries"));
        assert!(!lacks_library("Failed to open connection to X server"));
        let text = WindowError::NoLibrary("no libX11".to_owned()).to_string();
        assert!(text.contains("no libX11") && !text.contains("no display"), "{text}");
    }

    #[test]
    fn the_window_can_be_as_small_as_a_projector() {
        let smallest = options(&Store::at("home"), eframe::Renderer::Glow).viewport.min_inner_size;
        assert_eq!(smallest, Some(egui::vec2(1024.0, 640.0)));
    }

    #[test]
    fn a_window_that_cannot_be_painted_says_what_to_do() {
        let text = WindowError::NoRenderer("OpenGL (glow): no context; wgpu: no adapter".to_owned()).to_string();
        assert!(
            text.contains("no context") && text.contains("no adapter") && text.contains("graphics driver"),
            "{text}"
        );
    }
}
