//! The program's own copies of projects. Windows that have the same document open write to separate copies.
//!
//! ```text
//! <home>/projects/<document>.gridwright      copy of the first window
//! <home>/projects/<document>-2.gridwright    copy of the second one, and so on
//! <home>/locks/…                             a lock for each copy that a window writes to
//! ```
//!
//! A copy with a number whose lock nobody holds was left by a window that ended; whoever opens the instance next is asked
//! about it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use crate::project::{self, Project};
use crate::{Result, files, registry};

use super::{Store, put_aside};

/// Largest number of windows with copies of their own; further ones share the first copy.
const SLOTS: usize = 16;

/// A copy of a project that this process alone writes to.
#[derive(Debug)]
pub struct ProjectSlot {
    path: PathBuf,
    /// Number of the copy, from 1.
    pub number: usize,
    /// Held as long as the slot; `None` where the file system knows no locks.
    _lock: Option<File>,
}

/// A copy that was kept, for instance one that a window left when it ended.
#[derive(Debug)]
pub struct LeftCopy {
    /// Path of the copy.
    pub path: PathBuf,
    /// Its content.
    pub project: Project,
    /// Time of its last change.
    pub at: SystemTime,
}

/// True for the file name of a copy with a number, which belongs to a further window.
pub(super) fn is_numbered(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let number = stem.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
    number.is_some_and(|number: usize| number <= SLOTS)
}

/// Slots of this process by the path of the first copy: documents of one instance in one process share a slot.
static HELD: Mutex<BTreeMap<PathBuf, Weak<ProjectSlot>>> = Mutex::new(BTreeMap::new());

impl Store {
    /// Folder of the locks by which windows and programs keep out of each other's way.
    pub fn locks(&self) -> PathBuf {
        self.home.join("locks")
    }

    fn project_path(&self, instance: &str, number: usize) -> PathBuf {
        let name = self.folder(instance);
        let name = name.file_name().map_or_else(|| "unnamed".into(), |name| name.to_string_lossy());
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        self.projects_folder().join(format!("{name}{number}.{}", project::ENDING))
    }

    /// Locks the copy at `path`; `None` if another window holds it. The inner value is `None` where locks are unknown.
    fn lock_copy(&self, path: &Path) -> Option<Option<File>> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match files::try_lock(&self.locks().join(format!("copy-{name}.lock")), true) {
            Ok(lock) => lock.map(Some),
            Err(_) => Some(None),
        }
    }

    /// The copy of an instance's project that this process writes to: the first one that no other process holds.
    pub fn claim_project(&self, instance: &str) -> Arc<ProjectSlot> {
        let first = self.project_path(instance, 1);
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = held.get(&first).and_then(Weak::upgrade) {
            return slot;
        }
        let free = (1..=SLOTS).find_map(|number| {
            let path = self.project_path(instance, number);
            self.lock_copy(&path).map(|lock| ProjectSlot { path, number, _lock: lock })
        });
        let slot = Arc::new(free.unwrap_or_else(|| ProjectSlot { path: first.clone(), number: 1, _lock: None }));
        held.insert(first, Arc::downgrade(&slot));
        slot
    }

    /// Keeps demands and edits of an instance in this process's copy.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn save_project(&self, instance: &str, project: &Project) -> Result<()> {
        project.save(&self.claim_project(instance).path)
    }

    /// Demands and edits that were kept of the document with this key, if there are any; a window without a copy of its own begins
    /// with those of the first window. `data` is the key of the data, `source` is where they lie: a version up to 0.2.0 may
    /// have kept the copy under the former.
    ///
    /// # Errors
    /// If the copy exists and cannot be read; it is put aside, so that it is not overwritten.
    pub fn load_copy(&self, key: &str, data: &str, source: &str) -> Result<Option<LeftCopy>> {
        let slot = self.claim_project(key);
        let own = [slot.path.clone(), self.project_path(key, 1)].into_iter().find(|path| path.exists());
        let Some(path) = own else { return Ok(self.former_copy(data, source)) };
        // A file that cannot be renamed stays; the error about its content is the one to report.
        let set_aside = |_: &crate::Error| {
            if path == slot.path {
                drop(put_aside(&path))
            }
        };
        let project = registry::load_project(&path).inspect_err(set_aside)?;
        let at = std::fs::metadata(&path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        Ok(Some(LeftCopy { path, project, at }))
    }

    /// The copy of a project, whose file may have been moved to where it is.
    ///
    /// # Errors
    /// As [`Self::load_copy`].
    pub fn load_copy_of_project(
        &self, key: &str, data: &str, source: &str, project: &Project,
    ) -> Result<Option<LeftCopy>> {
        Ok(self.load_copy(key, data, source)?.or_else(|| self.moved_copy(project)))
    }

    /// The first copy that a window left when it ended, if it differs from `known` in demands or edits. Equal ones are
    /// removed.
    pub fn left_copy(&self, instance: &str, known: Option<&Project>) -> Option<LeftCopy> {
        let slot = self.claim_project(instance);
        for number in (2..=SLOTS).filter(|number| *number != slot.number) {
            let path = self.project_path(instance, number);
            if !path.exists() {
                continue;
            }
            // The lock is held until it is known what to do with the copy.
            let Some(_lock) = self.lock_copy(&path) else { continue };
            let Ok(project) = registry::load_project(&path).inspect_err(|_| drop(put_aside(&path))) else { continue };
            let is_empty = project.draft.is_none() && project.demands.is_none();
            let is_known = known.is_some_and(|known| known.draft == project.draft && known.demands == project.demands);
            if is_empty || is_known {
                let _ = files::remove(&path);
                continue;
            }
            let at = std::fs::metadata(&path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            return Some(LeftCopy { path, project, at });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Encoded, InstanceReference};

    fn project(demand: &str) -> Project {
        let instance = InstanceReference {
            name: "a".to_owned(),
            source: "a.csv".to_owned(),
            hash: "a1".to_owned(),
            options: BTreeMap::new(),
        };
        Project { demands: Some(Encoded::of(&demand)), ..Project::of("unknown", instance) }
    }

    fn kept(store: &Store) -> Option<Project> {
        store.load_copy("a1", "a1", "").unwrap().map(|copy| copy.project)
    }

    #[test]
    fn two_processes_write_to_separate_copies_and_what_one_leaves_is_offered() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::at(home.path());
        let first = store.claim_project("a1");
        assert_eq!(first.number, 1);
        assert!(Arc::ptr_eq(&first, &store.claim_project("a1")), "one process has one copy");
        store.save_project("a1", &project("first")).unwrap();
        // Another process: the lock of the first copy is held by a file that this process's slots know nothing of.
        drop(first);
        let foreign = store.lock_copy(&store.project_path("a1", 1)).unwrap();
        let second = store.claim_project("a1");
        assert_eq!(second.number, 2);
        assert_eq!(kept(&store), Some(project("first")), "begins with the first window's work");
        store.save_project("a1", &project("second")).unwrap();
        assert!(store.left_copy("a1", None).is_none(), "its own copy was left by nobody");
        drop((second, foreign));
        let again = store.claim_project("a1");
        assert_eq!(again.number, 1);
        assert_eq!(kept(&store), Some(project("first")));
        let left = store.left_copy("a1", Some(&project("first"))).unwrap();
        assert_eq!(left.project, project("second"));
        assert!(store.left_copy("a1", Some(&project("second"))).is_none() && !left.path.exists(), "equal ones go");
    }
}
