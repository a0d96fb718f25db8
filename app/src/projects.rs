//! State of saving of an open instance as a project: file, time, changes that are not on disk yet.

mod listing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Local};
use gridwright_solver::Result;
use gridwright_solver::project::Project;
use gridwright_solver::result::RunResult;

use crate::store::Store;

pub use listing::{keep_runs, name_of, shown_in};

/// When a project was put together, in milliseconds since 1970; copying the file does not change it.
const SAVED: &str = "saved";
/// The file of the person that it was also written to.
const FILE: &str = "file";

/// Part of the work that is not on disk yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Unkept {
    /// Nothing.
    #[default]
    Nothing,
    /// The program's own copy; the project's file says what is open.
    Copy,
    /// All of it.
    Work,
}

/// Writes a project into a store, and perhaps into a file of the person; for a thread.
pub type Writing = Box<dyn FnOnce(&Store) -> Result<()> + Send>;

/// Data to be written by a thread.
pub struct Saving {
    /// The person's file, where it is written, too.
    pub file: Option<PathBuf>,
    /// Writes it.
    pub write: Writing,
    /// Counter of save requests; a writer that is no longer the newest need not write.
    pub saves: Arc<AtomicU64>,
}

/// State of saving of an open instance.
#[derive(Debug, Default)]
pub struct Keeper {
    /// Where it is saved beside the program's own folder.
    file: Option<PathBuf>,
    unkept: Unkept,
    /// Changes that are newer than the project's file, until it is decided about them.
    newer: Option<(Project, SystemTime)>,
    saves: Arc<AtomicU64>,
}

impl Keeper {
    /// Records that draft or demands have changed.
    pub fn touch(&mut self) {
        self.unkept = Unkept::Work;
    }

    /// The runs have changed; those lie in the program's own folder already, but not in the person's file.
    pub fn touch_runs(&mut self) {
        if self.file.is_some() {
            self.unkept = Unkept::Work;
        }
    }

    /// The person's file; `None` before the project is saved for the first time.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Saves it there from now on.
    pub fn set_file(&mut self, path: PathBuf) {
        self.file = Some(path);
        self.unkept = Unkept::Work;
    }

    /// Returns `true` if anything has changed since the last save.
    pub fn has_changed(&self) -> bool {
        self.unkept != Unkept::Nothing
    }

    /// When newer changes were made that nobody has decided about; `None` without such changes.
    pub fn newer(&self) -> Option<String> {
        self.newer.as_ref().map(|(_, at)| when(*at))
    }

    /// Takes the newer changes, which count as decided about; `None` without such changes.
    pub fn take_newer(&mut self) -> Option<Project> {
        let (project, _) = self.newer.take()?;
        self.unkept = Unkept::Work;
        Some(project)
    }

    /// A project's file was opened: what the program kept of the same data, by its key, may be newer. Until it is decided
    /// about that nothing is saved.
    pub fn opened_as(&mut self, store: &Store, key: &str, path: &Path, project: &Project) {
        self.file = Some(path.to_path_buf());
        self.newer = newer_copy(store, key, path, project);
        // The program's own copy may be of another state; the file itself is left as it is: it may lie where one can only
        // read.
        self.unkept = if self.newer.is_none() { Unkept::Copy } else { Unkept::Nothing };
    }

    /// Returns `true` if there is something to write; `edited` is true while a draft exists, `always` asks for a write
    /// without changes.
    pub fn is_wanted(&self, always: bool, edited: bool) -> bool {
        // Nothing is written over changes that nobody has decided about.
        self.newer.is_none() && (self.has_changed() || always && (self.file.is_some() || edited))
    }

    /// Returns `true` if the person's file is written, too; `always` asks for that without changes.
    pub fn writes_file(&self, always: bool) -> bool {
        self.file.is_some() && (always || self.unkept == Unkept::Work)
    }

    /// Data to be written under this key, which count as saved from now on; `always` writes the person's file without
    /// changes, too.
    pub fn saving(&mut self, always: bool, key: String, mut project: Project, runs: Vec<Arc<RunResult>>) -> Saving {
        let file = self.file.clone().filter(|_| self.writes_file(always));
        self.unkept = Unkept::Nothing;
        stamp(&mut project.view, self.file.as_deref());
        let target = file.clone();
        let write = move |store: &Store| -> Result<()> {
            store.save_project(&key, &project)?;
            let Some(path) = target else { return Ok(()) };
            Project { runs: runs.iter().map(|run| (**run).clone()).collect(), ..project }.save(&path)
        };
        Saving { file, write: Box::new(write), saves: Arc::clone(&self.saves) }
    }
}

/// The program's own copy under this key, if it is newer than the project file and differs from it.
fn newer_copy(store: &Store, key: &str, path: &Path, project: &Project) -> Option<(Project, SystemTime)> {
    let own_time = store.project_time(key)?;
    // What cannot be read is put aside and offers nothing.
    let own = store.load_project(key).ok()??;
    let at = newer_than(&own.view, own_time, path, &project.view)?;
    let is_same = own.draft == project.draft && own.demands == project.demands;
    (!is_same).then_some((own, at))
}

/// Says in a project when it is put together, and for which file of the person.
fn stamp(view: &mut BTreeMap<String, String>, file: Option<&Path>) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    view.insert(SAVED.to_owned(), now.as_millis().to_string());
    if let Some(file) = file {
        view.insert(FILE.to_owned(), file.display().to_string());
    }
}

/// When a project was put together; older versions do not say it, and the file's own time has to do.
fn time_of(view: &BTreeMap<String, String>, file: Option<SystemTime>) -> Option<SystemTime> {
    let saved = view.get(SAVED).and_then(|text| text.parse().ok());
    saved.and_then(|millis| UNIX_EPOCH.checked_add(Duration::from_millis(millis))).or(file)
}

/// When the program's own copy was put together, if that was after the person's file at `path` and the copy does not belong to
/// another file; `own_time` is when it was written.
fn newer_than(
    own: &BTreeMap<String, String>, own_time: SystemTime, path: &Path, file: &BTreeMap<String, String>,
) -> Option<SystemTime> {
    let written = std::fs::metadata(path).and_then(|data| data.modified()).ok();
    let (at, file) = (time_of(own, Some(own_time))?, time_of(file, written)?);
    // What was done in another project is kept there.
    let elsewhere = own.get(FILE).map(Path::new).is_some_and(|other| other != path && other.exists());
    (at > file && !elsewhere).then_some(at)
}

/// A moment as people say it: «18:03», with the date where that is not today's.
fn when(at: SystemTime) -> String {
    let (at, now) = (DateTime::<Local>::from(at), Local::now());
    let form = if at.date_naive() == now.date_naive() { "%H:%M" } else { "%-d %B %Y, %H:%M" };
    at.format(form).to_string()
}

/// Where a file lies, whatever the present folder is.
pub fn absolute(source: &str) -> String {
    let path = Path::new(source);
    match std::path::absolute(path) {
        Ok(absolute) if path.exists() => absolute.display().to_string(),
        _ => source.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newer_of_two_is_known_by_what_they_say() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.gridwright"), folder.path().join("b.gridwright"));
        std::fs::write(&path, "").unwrap();
        std::fs::write(&other, "").unwrap();
        let said = |millis: u64, file: Option<&Path>| {
            let mut view = BTreeMap::from([(SAVED.to_owned(), millis.to_string())]);
            view.extend(file.map(|file| (FILE.to_owned(), file.display().to_string())));
            view
        };
        let now = SystemTime::now();
        assert!(newer_than(&said(2_000, Some(&path)), now, &path, &said(1_000, None)).is_some());
        assert_eq!(newer_than(&said(1_000, None), now, &path, &said(2_000, None)), None);
        assert_eq!(newer_than(&said(2_000, Some(&other)), now, &path, &said(1_000, None)), None, "kept elsewhere");
        assert!(newer_than(&BTreeMap::new(), now + Duration::from_secs(60), &path, &BTreeMap::new()).is_some());
        let mut stamped = BTreeMap::new();
        stamp(&mut stamped, Some(&path));
        assert!(newer_than(&stamped, now, &path, &said(1, None)).is_some_and(|at| at <= SystemTime::now()));
    }
}
