//! Stores of guided lessons: what is saved there is no work of the person and is removed when the lesson ends.
//!
//! ```text
//! <home>/lessons/<process>-<number>/        store of a lesson
//! <home>/lessons/<process>-<number>.lock    locked while the lesson goes on
//! ```
//!
//! A store whose lock nobody holds was left by a program that was killed; the next lesson removes it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::files;

use super::{Store, paths_in};

/// Store of a lesson that goes on.
#[derive(Debug)]
pub struct LessonStore {
    store: Store,
    lock_path: PathBuf,
    /// `None` where no lock can be had, such as in a folder that cannot be written to.
    lock: Option<File>,
}

impl Store {
    /// Creates the store of a lesson; no other lesson has had its folder.
    pub fn lesson(&self) -> LessonStore {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = self.lessons().join(name);
        let lock_path = folder.with_extension("lock");
        let lock = files::try_lock(&lock_path, true).ok().flatten();
        LessonStore { store: Self::at(folder), lock_path, lock }
    }

    /// Removes the stores of lessons that were left by programs that were killed.
    pub fn remove_left_lessons(&self) {
        for lock_path in paths_in(&self.lessons(), &|name| name.ends_with(".lock")) {
            if let Ok(Some(lock)) = files::try_lock(&lock_path, false) {
                remove(&lock_path, Some(lock));
            }
        }
    }

    fn lessons(&self) -> PathBuf {
        self.home.join("lessons")
    }
}

impl LessonStore {
    /// The store in which the lesson's runs are saved.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Removes the store with everything in it.
    pub fn remove(self) {
        remove(&self.lock_path, self.lock);
    }
}

/// Removes the folder of a lesson and its lock. What cannot be removed now is removed when the next lesson begins.
fn remove(lock_path: &Path, lock: Option<File>) {
    if files::remove_folder(&lock_path.with_extension("")).is_ok() {
        drop(lock);
        let _ = files::remove(lock_path);
    }
}
