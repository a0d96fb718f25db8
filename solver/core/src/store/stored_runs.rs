//! Changes to stored runs: naming, deleting, restoring.

use std::path::{Path, PathBuf};

use crate::{Error, Result, files};

use super::{Store, is_run, paths_in};

/// Where the name of a run stands: beside it.
fn name_path(run: &Path) -> PathBuf {
    run.with_extension("name")
}

impl Store {
    /// Where runs are kept.
    pub fn runs_folder(&self) -> PathBuf {
        self.home.join("runs")
    }

    /// Returns `true` if a file belongs to this store; other files are the person's own and are never moved.
    pub fn owns(&self, run: &Path) -> bool {
        run.starts_with(self.runs_folder())
    }

    /// The name that a person gave a run; empty where there is none.
    pub fn name_of(run: &Path) -> String {
        files::read_text(&name_path(run)).map(|name| name.trim().to_owned()).unwrap_or_default()
    }

    /// Gives a run a name; an empty one takes it away.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn set_name(run: &Path, name: &str) -> Result<()> {
        let path = name_path(run);
        if name.trim().is_empty() {
            let failed = |error| Error::file(&path, format!("the name could not be taken away ({error}); try again"));
            return files::remove(&path).map_err(failed);
        }
        files::write(&path, name.trim().as_bytes())
    }

    /// Moves a run and its name to the trash; returns where the run lies now.
    ///
    /// # Errors
    /// Where the file does not belong to this store or cannot be moved; it then lies where it lay.
    pub fn discard(&self, run: &Path) -> Result<PathBuf> {
        let Ok(inside) = run.strip_prefix(self.runs_folder()) else {
            return Err(Error::file(run, "this file is not one of the kept runs; delete it in a file manager"));
        };
        let trash = self.home.join("trash").join(inside);
        let stem = trash.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut names = std::iter::once(trash.clone())
            .chain((2..1000).map(|number| trash.with_file_name(format!("{stem}-{number}.ron"))));
        let target = names.find(|path| !path.exists()).unwrap_or(trash);
        files::rename(run, &target).map_err(|error| {
            Error::file(run, format!("the run could not be moved to the trash ({error}); is the folder writable?"))
        })?;
        // The run without its name is better than no run: what cannot be moved is left behind.
        let _ = files::rename(&name_path(run), &name_path(&target));
        Ok(target)
    }

    /// Moves all runs of a document to the trash; runs that go on stay. What cannot be moved stays, too.
    pub fn discard_runs(&self, key: &str) {
        for path in paths_in(&self.folder(key), &is_run) {
            let _ = self.discard(&path);
        }
    }

    /// Moves a run back from the trash to where it was.
    ///
    /// # Errors
    /// Where it cannot be moved or the place is taken.
    pub fn restore(trashed: &Path, run: &Path) -> Result<()> {
        if run.exists() {
            return Err(Error::file(run, "another run lies here now; rename that file first"));
        }
        files::rename(trashed, run)
            .map_err(|error| Error::file(trashed, format!("the run could not be brought back ({error})")))?;
        let _ = files::rename(&name_path(trashed), &name_path(run));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deleted_run_lies_in_the_trash_with_its_name_and_comes_back() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::at(home.path());
        let run = store.runs_folder().join("abc").join("10-annealing-1.ron");
        files::write(&run, b"(run)").unwrap();
        Store::set_name(&run, " the best of May ").unwrap();
        assert_eq!(Store::name_of(&run), "the best of May");

        let trashed = store.discard(&run).unwrap();
        assert!(trashed.starts_with(home.path().join("trash").join("abc")) && trashed.is_file() && !run.exists());
        assert_eq!((Store::name_of(&run).as_str(), Store::name_of(&trashed).as_str()), ("", "the best of May"));

        Store::restore(&trashed, &run).unwrap();
        assert_eq!(std::fs::read(&run).unwrap(), b"(run)");
        assert_eq!(Store::name_of(&run), "the best of May");
        Store::set_name(&run, "").unwrap();
        Store::set_name(&run, "").unwrap();
        assert_eq!(Store::name_of(&run), "");
    }

    #[test]
    fn two_of_the_same_name_do_not_overwrite_each_other_in_the_trash() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::at(home.path());
        let run = store.runs_folder().join("abc").join("10-annealing-1.ron");
        files::write(&run, b"first").unwrap();
        let first = store.discard(&run).unwrap();
        files::write(&run, b"second").unwrap();
        let second = store.discard(&run).unwrap();
        assert_eq!(std::fs::read(first).unwrap(), b"first");
        assert_eq!(std::fs::read(&second).unwrap(), b"second");
        files::write(&run, b"third").unwrap();
        assert!(Store::restore(&second, &run).is_err(), "nothing is overwritten");
    }

    #[test]
    fn a_file_of_the_person_is_never_moved() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::at(home.path().join("store"));
        let own = home.path().join("mine.ron");
        std::fs::write(&own, "(run)").unwrap();
        assert!(!store.owns(&own) && store.discard(&own).is_err() && own.exists());
    }
}
