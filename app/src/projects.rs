//! Saving as a project, for all problems: time and file of a project, and the interface of an open instance that
//! is kept as one.

mod document;
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

pub use document::Document;
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

/// An open instance that is kept as a project: in the program's own folder always, and in a file where the person has named
/// one. Every [`Projected`] one is.
pub trait Keeping {
    /// Where it is saved beside the program's own folder.
    fn project_file(&self) -> Option<&Path>;
    /// Saves it there from now on.
    fn set_project_file(&mut self, path: PathBuf);
    /// Returns `true` if anything has changed since the last save.
    fn has_changed(&self) -> bool;
    /// When changes were made that are newer than the project's file and that nobody has decided about: «18:03».
    fn newer(&self) -> Option<String>;
    /// Takes the newer changes, or leaves them and keeps what the file says. Taking them is a change that can be undone.
    ///
    /// # Errors
    /// Why they do not fit, in words; the file's state stays.
    fn decide_newer(&mut self, take: bool) -> std::result::Result<(), String>;
    /// The data to be written, which count as saved from now on; `None` if there is nothing to write. `always`: also if nothing has
    /// changed, because the person asked for it or leaves.
    fn saving(&mut self, always: bool) -> Option<Saving>;
    /// Contents of the file, for the dialog that asks for its name.
    fn contents(&self) -> &'static str;
    /// Where the instance comes from.
    fn source(&self) -> &str;
    /// Its name.
    fn title(&self) -> &str;
}

/// Interface that an open instance implements to be saved as a project.
pub trait Projected {
    /// The file that holds it.
    type Project: Document;

    /// State of saving.
    fn keeper(&self) -> &Keeper<Self::Project>;
    /// Mutable state of saving.
    fn keeper_mut(&mut self) -> &mut Keeper<Self::Project>;
    /// The name under which it is kept in the program's own folder.
    fn key(&self) -> String;
    /// Everything as a project keeps it, but for the runs.
    fn to_project(&self) -> Self::Project;
    /// The runs that belong into the project.
    fn results(&self) -> Vec<Arc<RunResult>>;
    /// Returns `true` while a draft exists.
    fn is_edited(&self) -> bool;
    /// Goes on from what a newer project says, as a change that can be undone.
    ///
    /// # Errors
    /// Why it does not fit, in words; nothing changes.
    fn use_newer(&mut self, project: Self::Project) -> std::result::Result<(), String>;
    /// Contents of the file, for the dialog that asks for its name.
    fn contents(&self) -> &'static str;
    /// Where the instance comes from.
    fn source(&self) -> &str;
    /// Its name.
    fn title(&self) -> &str;
}

impl<D: Projected> Keeping for D {
    fn project_file(&self) -> Option<&Path> {
        self.keeper().file()
    }

    fn set_project_file(&mut self, path: PathBuf) {
        self.keeper_mut().set_file(path);
    }

    fn has_changed(&self) -> bool {
        self.keeper().has_changed()
    }

    fn newer(&self) -> Option<String> {
        self.keeper().newer()
    }

    fn decide_newer(&mut self, take: bool) -> std::result::Result<(), String> {
        match self.keeper_mut().take_newer().filter(|_| take) {
            Some(project) => self.use_newer(project),
            None => Ok(()),
        }
    }

    fn saving(&mut self, always: bool) -> Option<Saving> {
        let wanted = self.keeper().is_wanted(always, self.is_edited());
        let project = wanted.then(|| self.to_project())?;
        // Runs lie in the program's own folder already.
        let runs = if self.keeper().writes_file(always) { self.results() } else { Vec::new() };
        let key = self.key();
        Some(self.keeper_mut().saving(always, key, project, runs))
    }

    fn contents(&self) -> &'static str {
        Projected::contents(self)
    }

    fn source(&self) -> &str {
        Projected::source(self)
    }

    fn title(&self) -> &str {
        Projected::title(self)
    }
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
#[derive(Debug)]
pub struct Keeper<P = Project> {
    /// Where it is saved beside the program's own folder.
    file: Option<PathBuf>,
    unkept: Unkept,
    /// Changes that are newer than the project's file, until it is decided about them.
    newer: Option<(P, SystemTime)>,
    saves: Arc<AtomicU64>,
}

impl<P> Default for Keeper<P> {
    fn default() -> Self {
        Self { file: None, unkept: Unkept::Nothing, newer: None, saves: Arc::default() }
    }
}

impl<P: Document> Keeper<P> {
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

    /// The person's file.
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

    /// When newer changes were made that nobody has decided about.
    pub fn newer(&self) -> Option<String> {
        self.newer.as_ref().map(|(_, at)| when(*at))
    }

    /// It is decided about them.
    fn take_newer(&mut self) -> Option<P> {
        let (project, _) = self.newer.take()?;
        self.unkept = Unkept::Work;
        Some(project)
    }

    /// A project's file was opened: what the program kept of the same data, by its key, may be newer. Until it is decided
    /// about that nothing is saved.
    pub fn opened_as(&mut self, store: &Store, key: &str, path: &Path, project: &P) {
        self.file = Some(path.to_path_buf());
        self.newer = newer_copy(store, key, path, project);
        // The program's own copy may be of another state; the file itself is left as it is: it may lie where one can only
        // read.
        self.unkept = if self.newer.is_none() { Unkept::Copy } else { Unkept::Nothing };
    }

    /// Returns `true` if there is something to write; `edited` is true while a draft exists.
    fn is_wanted(&self, always: bool, edited: bool) -> bool {
        // Nothing is written over changes that nobody has decided about.
        self.newer.is_none() && (self.has_changed() || always && (self.file.is_some() || edited))
    }

    /// Returns `true` if the person's file is written, too.
    fn writes_file(&self, always: bool) -> bool {
        self.file.is_some() && (always || self.unkept == Unkept::Work)
    }

    /// The data to be written under this key, as for [`Keeping::saving`].
    fn saving(&mut self, always: bool, key: String, mut project: P, runs: Vec<Arc<RunResult>>) -> Saving {
        let file = self.file.clone().filter(|_| self.writes_file(always));
        self.unkept = Unkept::Nothing;
        stamp(project.view_mut(), self.file.as_deref());
        let target = file.clone();
        let write = move |store: &Store| -> Result<()> {
            project.keep(store, &key)?;
            match target {
                Some(path) => project.write(runs.iter().map(|run| (**run).clone()).collect(), &path),
                None => Ok(()),
            }
        };
        Saving { file, write: Box::new(write), saves: Arc::clone(&self.saves) }
    }
}

/// The program's own copy under this key, if it is newer than the project file and differs from it.
fn newer_copy<P: Document>(store: &Store, key: &str, path: &Path, project: &P) -> Option<(P, SystemTime)> {
    let own_time = store.project_time(key)?;
    // What cannot be read is put aside and offers nothing.
    let own = P::kept(store, key).ok()??;
    let at = newer_than(own.view(), own_time, path, project.view())?;
    (!own.says_the_same(project)).then_some((own, at))
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
    own: &BTreeMap<String, String>,
    own_time: SystemTime,
    path: &Path,
    file: &BTreeMap<String, String>,
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
