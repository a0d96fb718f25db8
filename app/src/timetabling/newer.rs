//! Changes that reached the program's own folder and not the project's file: a program that is killed between the two, or
//! work on the same data without the project, leaves them there. Opening the file offers them.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use gridwright_solver::timetabling::project::Project;

use super::Desk;
use super::editing::{Draft, Work};
use super::solving::instance_key;
use crate::projects::{self, Unkept};
use crate::store::Store;

/// Newer changes that were found.
#[derive(Debug, Clone)]
pub struct Newer {
    project: Project,
    at: SystemTime,
}

/// What the program kept of the instance of a project's file, where that is newer and says something else.
pub fn find(store: &Store, key: &str, path: &Path, project: &Project) -> Option<Newer> {
    let own_time = store.project_time(key)?;
    // What cannot be read is put aside and offers nothing.
    let own = store.load_project(key).ok()??;
    let at = projects::newer_than(&own.view, own_time, path, &project.view)?;
    let same = own.calendar == project.calendar && own.rules == project.rules && own.draft == project.draft;
    (!same).then_some(Newer { project: own, at })
}

impl Newer {
    /// When they were made: «18:03», with the date where that is not today's.
    pub fn when(&self) -> String {
        projects::when(self.at)
    }
}

impl Desk {
    /// Looks for changes that are newer than the project's file; until it is decided about them nothing is saved.
    pub(super) fn look_for_newer(&mut self, store: &Store, path: &Path, project: &Project) {
        self.bench.newer = find(store, &instance_key(&self.instance), path, project);
        // The program's own copy may be of another state.
        // The file itself is left as it is: it may lie where one can only read.
        self.bench.unkept = if self.bench.newer.is_none() { Unkept::Copy } else { Unkept::Nothing };
    }

    /// Changes that are newer than the project's file and that nobody has decided about.
    pub fn newer(&self) -> Option<&Newer> {
        self.bench.newer.as_ref()
    }

    /// Takes the newer changes, or leaves them and keeps what the file says. Taking them is a change that can be undone.
    ///
    /// # Errors
    /// Why they do not fit, in words; the file's state stays.
    pub fn decide_newer(&mut self, take: bool) -> Result<(), String> {
        let Some(newer) = self.bench.newer.take() else { return Ok(()) };
        self.bench.unkept = Unkept::Work;
        if !take {
            return Ok(());
        }
        let opened = Arc::clone(&self.bench.opened);
        let fitted = newer.project.apply((*opened).clone()).map_err(|error| error.to_string())?;
        let mut work = Work::of(&fitted);
        work.draft = newer.project.draft.as_ref().map(|stored| Draft::of(&fitted, stored));
        self.go_on_from(work, "use the newer changes");
        Ok(())
    }
}
