//! State of saving of an open instance as a project: file, time, changes that are not on disk yet.

mod listing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike, Local, Utc};
use gridwright_core::Result;
use gridwright_core::files::{self, Stamp, Written};
use gridwright_core::project::Project;
use gridwright_core::result::RunResult;
use gridwright_core::store::documents::FILE;
use gridwright_core::store::{LeftCopy, ProjectSlot, Store};

pub(crate) use listing::{keep_runs, name_of, shown_in};

/// When a project was put together, in milliseconds since 1970; copying the file does not change it.
const SAVED: &str = "saved";
/// Marks the program's own copy while it is undecided whose changes stay in the user's file.
const UNDECIDED: &str = "undecided";

/// Part of the work that is not on disk yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Unkept {
    #[default]
    Nothing,
    /// The program's own copy; the project's file says what is open.
    Copy,
    Work,
}

/// Writes a project into a store, and perhaps into a file of the person, if no other program has changed that; for a thread.
pub(crate) type Writing = Box<dyn FnOnce(&Store) -> Result<Written> + Send>;

/// Data to be written by a thread.
pub struct Saving {
    /// The person's file, where it is written, too.
    pub file: Option<PathBuf>,
    /// Writes it.
    pub write: Writing,
    /// Counter of save requests; a writer that is no longer the newest need not write.
    pub saves: Arc<AtomicU64>,
}

/// Outcome of writing, which the writing thread leaves for the window.
#[derive(Debug, Default)]
struct SaveStatus {
    /// Stamp of the person's file when it was last read or written here.
    known: Option<Stamp>,
    /// True if the newest attempt failed, so that the work is not on disk.
    has_failed: bool,
    /// True if another program changed the person's file, until it is decided whose changes stay.
    is_contested: bool,
}

/// Changes that are newer than the project's file or than the program's copy.
#[derive(Debug)]
struct Newer {
    project: Project,
    at: SystemTime,
    /// Copy of a window that ended, to be removed once it is decided about its changes.
    left: Option<PathBuf>,
    /// True if another program has written the person's file since the changes began.
    is_beside_others: bool,
}

/// State of saving of an open instance.
#[derive(Debug, Default)]
pub struct Keeper {
    /// File in which the project is saved in addition to the program's own folder.
    file: Option<PathBuf>,
    unkept: Unkept,
    newer: Option<Newer>,
    saves: Arc<AtomicU64>,
    status: Arc<Mutex<SaveStatus>>,
    /// The program's copy that this window writes to; held as long as the instance is open.
    slot: Option<Arc<ProjectSlot>>,
}

impl Keeper {
    fn status(&self) -> MutexGuard<'_, SaveStatus> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that draft or demands have changed.
    pub(crate) fn touch(&mut self) {
        self.unkept = Unkept::Work;
    }

    /// The runs have changed; those lie in the program's own folder already, but not in the person's file. The program's own
    /// copy holds the data that they were found for.
    pub(crate) fn touch_runs(&mut self) {
        if self.file.is_some() {
            self.unkept = Unkept::Work;
        } else if self.unkept == Unkept::Nothing {
            self.unkept = Unkept::Copy;
        }
    }

    /// The person's file; `None` before the project is saved for the first time.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Saves it there from now on; a file that exists there is replaced.
    pub(crate) fn set_file(&mut self, path: PathBuf) {
        *self.status() = SaveStatus { known: Stamp::of(&path), ..SaveStatus::default() };
        self.file = Some(path);
        self.unkept = Unkept::Work;
    }

    /// Returns `true` if anything has changed since the last save, or if that failed.
    pub fn has_changed(&self) -> bool {
        self.unkept != Unkept::Nothing || self.has_failed()
    }

    /// Returns `true` if the newest attempt to save failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.status().has_failed
    }

    /// Returns `true` if another program changed the user's file and it is undecided whose changes stay.
    pub fn is_contested(&self) -> bool {
        self.status().is_contested
    }

    /// The changes of the other program are overwritten by the next save.
    pub fn overwrite(&mut self) {
        let known = self.file.as_deref().and_then(Stamp::of);
        *self.status() = SaveStatus { known, ..SaveStatus::default() };
        self.unkept = Unkept::Work;
    }

    /// Time of newer changes that are still undecided; `None` without such changes.
    pub fn newer(&self) -> Option<String> {
        self.newer.as_ref().map(|newer| when(newer.at))
    }

    /// Returns `true` if newer changes are undecided and another program has written the person's file since they began.
    pub fn has_changes_beside_others(&self) -> bool {
        self.newer.as_ref().is_some_and(|newer| newer.is_beside_others)
    }

    /// Takes the newer changes, which count as decided about; `None` without such changes.
    pub(crate) fn take_newer(&mut self) -> Option<Project> {
        let newer = self.newer.take()?;
        if let Some(left) = newer.left {
            // A copy that cannot be removed is asked about once more.
            let _ = files::remove(&left);
        }
        self.unkept = Unkept::Work;
        Some(newer.project)
    }

    /// An instance was opened under this key: this window writes to a copy of its own from now on. Returns `true` if another
    /// window has the instance open, too. `known` is what was read from the own copy; what a window that ended has left is
    /// asked about.
    pub fn opened(&mut self, store: &Store, key: &str, known: Option<&Project>) -> bool {
        let slot = self.slot.insert(store.claim_project(key));
        let is_shared = slot.number > 1;
        if self.newer.is_none() {
            let left = store.left_copy(key, known);
            self.newer = left.map(|left| Newer {
                is_beside_others: left.project.view.contains_key(UNDECIDED),
                project: left.project,
                at: left.at,
                left: Some(left.path),
            });
        }
        is_shared
    }

    /// A project's file was opened when it had this stamp: the `copy` that the program kept of it may be newer. Until it is
    /// decided about that nothing is saved.
    pub(crate) fn opened_as(
        &mut self, store: &Store, key: &str, path: &Path, project: &Project, stamp: Option<Stamp>,
        copy: Option<LeftCopy>,
    ) -> bool {
        self.file = Some(path.to_path_buf());
        self.status().known = stamp;
        self.newer = copy.and_then(|copy| newer_copy(copy, path, project));
        // The program's own copy may be of another state; the file itself is left as it is: it may lie where one can only
        // read.
        self.unkept = if self.newer.is_none() { Unkept::Copy } else { Unkept::Nothing };
        self.opened(store, key, Some(project))
    }

    /// The document is kept under this key from now on, in a copy that this window alone writes to.
    pub(crate) fn claim(&mut self, store: &Store, key: &str) {
        self.slot = Some(store.claim_project(key));
    }

    /// Returns `true` if there is something to write; `edited` is true while a draft exists, `always` asks for a write
    /// without changes.
    pub(crate) fn is_wanted(&self, always: bool, edited: bool) -> bool {
        // Undecided changes are never overwritten.
        self.newer.is_none() && (self.has_changed() || always && (self.file.is_some() || edited))
    }

    /// Returns `true` if the person's file is written, too; `always` asks for that without changes.
    pub(crate) fn writes_file(&self, always: bool) -> bool {
        let status = self.status();
        let is_due = always || self.unkept == Unkept::Work || status.has_failed;
        self.file.is_some() && is_due && !status.is_contested
    }

    /// Data to be written under this key; they count as saved once [`Saving::write`] has succeeded. `always` writes the person's
    /// file without changes, too.
    pub fn saving(&mut self, always: bool, key: String, mut project: Project, runs: Vec<Arc<RunResult>>) -> Saving {
        let file = self.file.clone().filter(|_| self.writes_file(always));
        self.unkept = Unkept::Nothing;
        stamp(&mut project.view, self.file.as_deref());
        let (target, status, is_only_copy) = (file.clone(), Arc::clone(&self.status), self.file.is_none());
        let write = move |store: &Store| -> Result<Written> {
            // The person's file comes first: it may lie on another disk than a folder of the program that is full.
            let of_file = match &target {
                Some(path) => {
                    let runs = runs.iter().map(|run| (**run).clone()).collect();
                    write_file(&Project { runs, ..project.clone() }, path, store, &status)
                }
                None => Ok(()),
            };
            let status = || status.lock().unwrap_or_else(PoisonError::into_inner);
            // Of changes by another program the person is told by a question of its own, which may be answered before the copy
            // is written.
            let is_contested = status().is_contested;
            if is_contested {
                project.view.insert(UNDECIDED.to_owned(), "yes".to_owned());
            }
            let of_copy = store.save_project(&key, &project);
            // Beside a file of the person the copy is a convenience.
            let ended = if is_only_copy || is_contested { of_copy } else { of_file };
            status().has_failed = ended.is_err();
            ended.map(|()| if is_contested { Written::ChangedElsewhere } else { Written::Replaced })
        };
        Saving { file, write: Box::new(write), saves: Arc::clone(&self.saves) }
    }
}

/// Writes the person's file, or records that another program has changed it.
fn write_file(project: &Project, path: &Path, store: &Store, status: &Mutex<SaveStatus>) -> Result<()> {
    let status = || status.lock().unwrap_or_else(PoisonError::into_inner);
    let mut known = status().known;
    let written = project.save_if_unchanged(path, &mut known, &store.locks());
    let mut status = status();
    status.known = known;
    status.is_contested = written? == Written::ChangedElsewhere;
    Ok(())
}

/// The program's own copy of a project at `path`, if it differs from that and is newer or waits for a decision.
fn newer_copy(copy: LeftCopy, path: &Path, project: &Project) -> Option<Newer> {
    let LeftCopy { project: own, at, .. } = copy;
    let at = newer_than(&own.view, at, path, &project.view)?;
    let is_same = own.draft == project.draft && own.demands == project.demands;
    let is_beside_others = own.view.contains_key(UNDECIDED);
    (!is_same).then_some(Newer { project: own, at, left: None, is_beside_others })
}

/// Stores in a project the time of its assembly and the path of the user's file.
fn stamp(view: &mut BTreeMap<String, String>, file: Option<&Path>) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    view.insert(SAVED.to_owned(), now.as_millis().to_string());
    if let Some(file) = file {
        view.insert(FILE.to_owned(), file.display().to_string());
    }
}

/// Time at which a project was put together. The modification time of its file stands in where the project states no time
/// (older versions do not) or one that no calendar has.
fn time_of(view: &BTreeMap<String, String>, file: Option<SystemTime>) -> Option<SystemTime> {
    let saved = view.get(SAVED).and_then(|text| text.parse().ok());
    let saved = saved.and_then(|millis| UNIX_EPOCH.checked_add(Duration::from_millis(millis)));
    saved.filter(|saved| local(*saved).is_some()).or(file)
}

/// Local date and time; `None` before 1970 and after the year 9999.
fn local(at: SystemTime) -> Option<DateTime<Local>> {
    let since = at.duration_since(UNIX_EPOCH).ok()?;
    let at = DateTime::<Utc>::from_timestamp(i64::try_from(since.as_secs()).ok()?, since.subsec_nanos())?;
    (at.year() <= 9999).then(|| at.with_timezone(&Local))
}

/// When the program's own copy was put together, if that was after the person's file at `path` or the copy waits for a decision,
/// and the copy does not belong to another file; `own_time` is when it was written.
fn newer_than(
    own: &BTreeMap<String, String>, own_time: SystemTime, path: &Path, file: &BTreeMap<String, String>,
) -> Option<SystemTime> {
    let written = std::fs::metadata(path).and_then(|data| data.modified()).ok();
    let (at, file) = (time_of(own, Some(own_time))?, time_of(file, written)?);
    // What was done in another project is kept there.
    let elsewhere = own.get(FILE).map(Path::new).is_some_and(|other| other != path && other.exists());
    ((at > file || own.contains_key(UNDECIDED)) && !elsewhere).then_some(at)
}

/// Formats a time: «18:03», with the date unless it is today's; a time that no calendar has is called unknown.
fn when(at: SystemTime) -> String {
    let (Some(at), now) = (local(at), Local::now()) else { return "an unknown time".to_owned() };
    let form = if at.date_naive() == now.date_naive() { "%H:%M" } else { "%-d %B %Y, %H:%M" };
    at.format(form).to_string()
}

/// Absolute path of a file.
pub(crate) fn absolute(source: &str) -> String {
    let path = &gridwright_core::source::path(source);
    match std::path::absolute(path) {
        Ok(absolute) if path.exists() => gridwright_core::source::of(&absolute).unwrap_or_else(|| source.to_owned()),
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
        let mut undecided = said(1_000, Some(&path));
        undecided.insert(UNDECIDED.to_owned(), "yes".to_owned());
        assert!(
            newer_than(&undecided, now, &path, &said(2_000, None)).is_some(),
            "the file was written again meanwhile"
        );
        assert!(newer_than(&BTreeMap::new(), now + Duration::from_secs(60), &path, &BTreeMap::new()).is_some());
        // A time stamp that no calendar has counts as none.
        for absurd in [u64::MAX, u64::MAX / 1000, 253_402_300_800_000, 9_000_000_000_000_000] {
            assert_eq!(newer_than(&said(absurd, None), UNIX_EPOCH, &path, &said(2_000, None)), None, "{absurd}");
            let at = newer_than(&said(absurd, None), now + Duration::from_secs(60), &path, &said(2_000, None));
            assert_eq!(at, Some(now + Duration::from_secs(60)), "{absurd}");
            let at = UNIX_EPOCH.checked_add(Duration::from_millis(absurd));
            assert!(at.is_none_or(|at| when(at) == "an unknown time"), "{absurd}");
        }
        assert_eq!(when(UNIX_EPOCH - Duration::from_secs(1)), "an unknown time");
        let mut stamped = BTreeMap::new();
        stamp(&mut stamped, Some(&path));
        assert!(newer_than(&stamped, now, &path, &said(1, None)).is_some_and(|at| at <= SystemTime::now()));
    }
}
