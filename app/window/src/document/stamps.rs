//! The files that an instance was opened from, and their states.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_core::files::Stamp;
use gridwright_core::text::ending;
use gridwright_core::{Result, project, source};

use super::tables::Data;
use crate::later::Later;

/// Largest number of files of a folder that are watched.
const MOST_FILES: usize = 200;

/// Files of a source, and what they hold since they changed.
pub(super) struct Watch<I> {
    /// State of each file when it was last looked at.
    pub(super) stamps: Vec<(PathBuf, Option<Stamp>)>,
    /// Data of the changed file while a thread reads them.
    pub(super) reading: Later<Result<Arc<Data<I>>>>,
    /// Data of the changed file that have not been taken over.
    pub(super) found: Option<Arc<Data<I>>>,
    /// True if the changed file could not be read.
    pub(super) is_unreadable: bool,
}

impl<I> Watch<I> {
    /// The files of a source as they are now.
    pub(super) fn of(source: &str) -> Self {
        Self { stamps: stamps_of(source), reading: Later::default(), found: None, is_unreadable: false }
    }

    /// True if the files no longer hold what is open.
    pub(super) fn differs(&self) -> bool {
        self.found.is_some() || self.is_unreadable
    }
}

/// The files that a source consists of: itself and, for tables and folders, the tables beside it. Empty for a name,
/// and for a project, which the program writes itself.
pub(super) fn stamps_of(source: &str) -> Vec<(PathBuf, Option<Stamp>)> {
    let path = source::path(source);
    if project::is_project(&path) {
        return Vec::new();
    }
    let is_table = |path: &Path| matches!(ending(path).as_str(), "csv" | "tsv");
    let folder = match path.parent() {
        _ if path.is_dir() => Some(path.as_path()),
        Some(folder) if path.is_file() && is_table(&path) => Some(folder),
        _ => None,
    };
    let beside = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
    let mut files: Vec<PathBuf> =
        beside.flatten().map(|entry| entry.path()).filter(|path| is_table(path)).take(MOST_FILES).collect();
    files.push(path);
    files.sort();
    files.dedup();
    files.into_iter().filter(|file| file.is_file()).map(|file| (file.clone(), Stamp::of(&file))).collect()
}
