//! What projects of all problems share: when they were put together, for which file, and what the window asks of a desk that
//! is kept as one.

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

/// When a project was put together, in milliseconds since 1970; copying the file does not change it.
const SAVED: &str = "saved";
/// The file of the person that it was also written to.
const FILE: &str = "file";

/// What of the work is on no disk yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unkept {
    /// Nothing.
    #[default]
    Nothing,
    /// The program's own copy; the project's file says what is open.
    Copy,
    /// All of it.
    Work,
}

/// An open instance that is kept as a project: in the program's own folder always, and in a file where the person has named
/// one.
pub trait Keeping {
    /// Where it is saved beside the program's own folder.
    fn project_file(&self) -> Option<&Path>;
    /// Saves it there from now on.
    fn set_project_file(&mut self, path: PathBuf);
    /// Whether anything has changed since it was last kept.
    fn has_changed(&self) -> bool;
    /// When changes were made that are newer than the project's file and that nobody has decided about.
    fn newer(&self) -> Option<String>;
    /// Takes the newer changes, or leaves them and keeps what the file says.
    ///
    /// # Errors
    /// Why they do not fit, in words; the file's state stays.
    fn decide_newer(&mut self, take: bool) -> std::result::Result<(), String>;
    /// What is to be written, which counts as kept from now on; `None` where nothing is. `always`: also where nothing has
    /// changed, because the person asked for it or leaves.
    fn saving(&mut self, always: bool) -> Option<Saving>;
    /// What the file holds, for the dialog that asks for its name.
    fn contents(&self) -> &'static str;
    /// Where the instance comes from.
    fn source(&self) -> &str;
    /// Its name.
    fn title(&self) -> &str;
}

/// Writes a project into a store, and perhaps into a file of the person; for a thread.
pub type Writing = Box<dyn FnOnce(&Store) -> Result<()> + Send>;

/// What is to be written, for a thread.
pub struct Saving {
    /// The person's file, where it is written, too.
    pub file: Option<PathBuf>,
    /// Writes it.
    pub write: Writing,
    /// How many times it was asked to be saved; a writer that is no longer the newest need not write.
    pub saves: Arc<AtomicU64>,
}

/// How an open instance of a problem with a [`Project`] is kept.
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
    /// What is edited or demanded has changed.
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

    /// Whether anything has changed since it was last kept.
    pub fn has_changed(&self) -> bool {
        self.unkept != Unkept::Nothing
    }

    /// When newer changes were made that nobody has decided about.
    pub fn newer(&self) -> Option<String> {
        self.newer.as_ref().map(|(_, at)| when(*at))
    }

    /// It is decided about them.
    pub fn take_newer(&mut self) -> Option<Project> {
        let (project, _) = self.newer.take()?;
        self.unkept = Unkept::Work;
        Some(project)
    }

    /// A project's file was opened: what the program kept of the same data, by its key, may be newer.
    pub fn opened_as(&mut self, store: &Store, key: &str, path: &Path, project: &Project) {
        self.file = Some(path.to_path_buf());
        self.newer = newer_copy(store, key, path, project);
        // The program's own copy may be of another state; the file itself is left as it is: it may lie where one can only
        // read.
        self.unkept = if self.newer.is_none() { Unkept::Copy } else { Unkept::Nothing };
    }

    /// What is to be written under this key, as for [`Keeping::saving`]; `edited`: whether something is being edited.
    pub fn saving(
        &mut self,
        (always, edited): (bool, bool),
        key: String,
        project: impl FnOnce() -> Project,
        runs: impl FnOnce() -> Vec<Arc<RunResult>>,
    ) -> Option<Saving> {
        // Nothing is written over changes that nobody has decided about.
        let wanted = self.has_changed() || always && (self.file.is_some() || edited);
        if self.newer.is_some() || !wanted {
            return None;
        }
        let file = self.file.clone().filter(|_| always || self.unkept == Unkept::Work);
        self.unkept = Unkept::Nothing;
        let mut project = project();
        stamp(&mut project.view, self.file.as_deref());
        // Runs lie in the program's own folder already.
        let runs = if file.is_some() { runs() } else { Vec::new() };
        let target = file.clone();
        let write = move |store: &Store| -> Result<()> {
            store.save_plan_project(&key, &project)?;
            match target {
                Some(path) => {
                    let runs = runs.iter().map(|run| (**run).clone()).collect();
                    Project { runs, ..project }.save(&path)
                }
                None => Ok(()),
            }
        };
        Some(Saving { file, write: Box::new(write), saves: Arc::clone(&self.saves) })
    }
}

/// What the program kept under this key, where that is newer than the project of a file and says something else.
fn newer_copy(store: &Store, key: &str, path: &Path, project: &Project) -> Option<(Project, SystemTime)> {
    let own_time = store.project_time(key)?;
    // What cannot be read is put aside and offers nothing.
    let own = store.load_plan_project(key).ok()??;
    let at = newer_than(&own.view, own_time, path, &project.view)?;
    let same = own.draft == project.draft && own.demands == project.demands;
    (!same).then_some((own, at))
}

/// The key of the name of a run in what a project says of the window, by its place among the runs.
pub fn name_key(index: usize) -> String {
    format!("name {index}")
}

/// Says in a project when it is put together, and for which file of the person.
pub fn stamp(view: &mut BTreeMap<String, String>, file: Option<&Path>) {
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
pub fn newer_than(
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
pub fn when(at: SystemTime) -> String {
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
