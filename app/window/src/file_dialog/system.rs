//! The file dialog of the system: on Linux through the desktop portal or zenity, elsewhere the one that is always there.

use std::path::PathBuf;

use super::{FileRequest, Mode};

/// Returns `true` if the system has a file dialog. Waits for the portal at most some seconds; for a thread.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_available() -> bool {
    true
}

/// Returns `true` if the system has a file dialog. Waits for the portal at most some seconds; for a thread.
#[cfg(target_os = "linux")]
pub(super) fn is_available() -> bool {
    portal_chooses_files().unwrap_or(false) || is_installed("zenity")
}

/// Asks the desktop portal for its version of `org.freedesktop.portal.FileChooser`, which it has only where one of its backends
/// shows file dialogs.
#[cfg(target_os = "linux")]
fn portal_chooses_files() -> zbus::Result<bool> {
    use std::time::Duration;
    use zbus::zvariant::OwnedValue;

    const PATIENCE: Duration = Duration::from_secs(5);
    let (service, path) = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop");
    zbus::block_on(async {
        let connection = zbus::connection::Builder::session()?.method_timeout(PATIENCE).build().await?;
        let properties = zbus::Proxy::new(&connection, service, path, "org.freedesktop.DBus.Properties").await?;
        let version: OwnedValue = properties.call("Get", &("org.freedesktop.portal.FileChooser", "version")).await?;
        Ok(u32::try_from(version).is_ok_and(|version| version > 0))
    })
}

/// Returns `true` if a program of this name is in a folder of PATH.
#[cfg(target_os = "linux")]
fn is_installed(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// Shows the dialog and waits for its end; returns the chosen paths.
pub(super) fn show(request: &FileRequest) -> Vec<PathBuf> {
    let mut dialog = rfd::FileDialog::new().set_title(&request.title);
    for filter in &request.filters {
        let endings: Vec<&str> = filter.endings.iter().map(String::as_str).collect();
        dialog = dialog.add_filter(&filter.name, if endings.is_empty() { &["*"] } else { &endings });
    }
    if let Some(folder) = &request.folder {
        dialog = dialog.set_directory(folder);
    }
    if !request.name.is_empty() {
        dialog = dialog.set_file_name(&request.name);
    }
    match request.mode {
        Mode::OpenFile => dialog.pick_file().into_iter().collect(),
        Mode::OpenFiles => dialog.pick_files().unwrap_or_default(),
        Mode::SaveFile => dialog.save_file().into_iter().collect(),
        Mode::OpenFolder => dialog.pick_folder().into_iter().collect(),
    }
}
