//! The files that projects are: of an examination session, and of the other problems.

use std::collections::BTreeMap;
use std::path::Path;

use gridwright_solver::Result;
use gridwright_solver::project::Project;
use gridwright_solver::result::RunResult;
use gridwright_solver::timetabling::project::Project as Session;

use crate::store::Store;

/// A file that holds an open instance with everything that was made of it.
pub trait Document: Sized + Send + 'static {
    /// View settings by name.
    fn view(&self) -> &BTreeMap<String, String>;
    /// Mutable view settings.
    fn view_mut(&mut self) -> &mut BTreeMap<String, String>;
    /// Returns `true` if draft and demands are equal.
    fn says_the_same(&self, other: &Self) -> bool;
    /// Loads the program's own copy under this key.
    ///
    /// # Errors
    /// The copy exists and cannot be read.
    fn kept(store: &Store, key: &str) -> Result<Option<Self>>;
    /// Keeps it under this key.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn keep(&self, store: &Store, key: &str) -> Result<()>;
    /// Writes it with these runs to a file of the person.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn write(self, runs: Vec<RunResult>, path: &Path) -> Result<()>;
}

impl Document for Project {
    fn view(&self) -> &BTreeMap<String, String> {
        &self.view
    }

    fn view_mut(&mut self) -> &mut BTreeMap<String, String> {
        &mut self.view
    }

    fn says_the_same(&self, other: &Self) -> bool {
        self.draft == other.draft && self.demands == other.demands
    }

    fn kept(store: &Store, key: &str) -> Result<Option<Self>> {
        store.load_plan_project(key)
    }

    fn keep(&self, store: &Store, key: &str) -> Result<()> {
        store.save_plan_project(key, self)
    }

    fn write(self, runs: Vec<RunResult>, path: &Path) -> Result<()> {
        Self { runs, ..self }.save(path)
    }
}

impl Document for Session {
    fn view(&self) -> &BTreeMap<String, String> {
        &self.view
    }

    fn view_mut(&mut self) -> &mut BTreeMap<String, String> {
        &mut self.view
    }

    fn says_the_same(&self, other: &Self) -> bool {
        self.calendar == other.calendar && self.rules == other.rules && self.draft == other.draft
    }

    fn kept(store: &Store, key: &str) -> Result<Option<Self>> {
        store.load_project(key)
    }

    fn keep(&self, store: &Store, key: &str) -> Result<()> {
        store.save_project(key, self)
    }

    fn write(self, runs: Vec<RunResult>, path: &Path) -> Result<()> {
        Self { runs, ..self }.save(path)
    }
}
