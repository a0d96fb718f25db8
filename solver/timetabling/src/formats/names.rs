//! Names of the files of one session: the enrolment table of a folder and the files next to it.

use std::path::{Path, PathBuf};

use gridwright_core::text::stem;

/// Suffix of the folders that imports of version 0.2.0 made.
const IMPORTED: &str = ".gridwright-import";

/// File names of enrolment tables that do not identify the session, so that the name of the folder is used.
const NAMELESS: [&str; 6] = ["enrolments", "enrollments", "enrolment", "enrollment", "registrations", "students"];

/// Name of the session of an enrolment table: the file name or, if that is generic, the folder's.
pub(super) fn name_of_table(path: &Path) -> String {
    let own = stem(path);
    if !NAMELESS.contains(&own.to_lowercase().as_str()) {
        return own;
    }
    let whole = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = whole.parent().and_then(Path::file_name).map_or(own, |folder| folder.to_string_lossy().into_owned());
    match folder.strip_suffix(IMPORTED) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => folder,
    }
}

/// The enrolment table in the folder of `path`.
pub(super) fn enrolments_in_folder_of(path: &Path) -> Option<PathBuf> {
    NAMELESS.iter().find_map(|name| find_beside(path, name, "csv"))
}

/// The file beside `path` with the given stem and extension, ignoring case; exact names are preferred.
pub(super) fn find_beside(path: &Path, stem: &str, ending: &str) -> Option<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let exact = path.with_file_name(format!("{stem}.{ending}"));
    if exact.is_file() {
        return Some(exact);
    }
    let wanted = format!("{stem}.{ending}").to_lowercase();
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok().map(|entry| entry.file_name()))
        .filter(|name| name.to_string_lossy().to_lowercase() == wanted)
        .collect();
    names.sort();
    names.into_iter().map(|name| path.with_file_name(name)).find(|path| path.is_file())
}
