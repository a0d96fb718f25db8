//! Folder that is proposed for a new file.

use std::path::{Path, PathBuf};

use gridwright_core::export::formats::documents_folder;
use gridwright_core::store::Recent;
use gridwright_core::{registry, source};

use super::App;
use super::library::Missing;
use crate::document::ProblemView;

/// Folder of a file; `None` for the root of a file system, in which nobody keeps files.
fn folder_of(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.parent().filter(|folder| folder.parent().is_some()).map(Path::to_path_buf)
}

/// Folder of the file that a source names; `None` for samples, generated instances and files that are gone.
fn folder_of_source(named: &str) -> Option<PathBuf> {
    let path = Some(source::path(named)).filter(|path| !registry::is_generated(named) && path.exists());
    path.and_then(|path| folder_of(&path))
}

/// Folder for a new file: that of the document, else the one that was used `last`, else that of the most recent file that is
/// still there, else the person's documents.
pub(super) fn proposed(
    open: Option<&dyn ProblemView>, last: Option<&Path>, recent: &[Recent], missing: &Missing,
) -> PathBuf {
    let of_document = |open: &dyn ProblemView| match open.project_file() {
        Some(project) => folder_of(project),
        None => folder_of_source(open.source()),
    };
    let is_there = |folder: &PathBuf| folder.is_dir();
    let document = open.and_then(of_document).filter(is_there);
    let last = || last.map(Path::to_path_buf).filter(is_there);
    let of_recent = || {
        let sources = recent.iter().map(|recent| &recent.source).filter(|source| !missing.contains(*source));
        sources.filter_map(|source| folder_of_source(source)).find(is_there)
    };
    let documents = || std::path::absolute(documents_folder()).unwrap_or_default();
    document.or_else(last).or_else(of_recent).unwrap_or_else(documents)
}

impl App {
    /// Folder that is proposed for a new file now.
    pub(super) fn proposed_folder(&self) -> PathBuf {
        proposed(self.open.as_deref(), self.file_dialogs.last_folder(), &self.state.recent, &self.missing)
    }
}
