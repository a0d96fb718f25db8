//! Helpers shared by the tests of all problems.

use std::path::{Path, PathBuf};

/// A folder of published data, or `None` with a word on what is missing.
pub fn published_folder(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("GRIDWRIGHT_DATA").map(PathBuf::from);
    let root = root.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"));
    let folder = root.join(name);
    if !folder.is_dir() {
        eprintln!("not tested: the published data «{name}» are missing (set GRIDWRIGHT_DATA)");
        return None;
    }
    Some(folder)
}
