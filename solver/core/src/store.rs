//! Data that the program keeps between two starts: runs by document, recent files, preferences. [`documents`] says how a document is
//! named.
//!
//! ```text
//! <home>/state.ron                         recent files, theme, last settings
//! <home>/runs/<document>/<when>-….ron      one finished run each, with its name beside it in a .name file
//! <home>/trash/<document>/…                runs that were deleted
//! <home>/runs/<document>/running-….ron     the best so far of a run that goes on, with a lock file beside it
//! <home>/lessons/…                         runs of guided lessons, until the lesson ends
//! <home>/written                           hashes of the outputs that the program wrote elsewhere
//! ```
//!
//! A `running` file whose lock nobody holds belongs to a program that ended without saying goodbye: it is kept as a run
//! at the next start.

mod checkpoints;
pub mod documents;
mod lessons;
mod old_state;
pub mod outputs;
pub mod place;
mod slots;
mod stored_runs;
mod thumbnails;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::problem::Problem;
use crate::registry;
use crate::result::{Encoded, RunResult};
use crate::{Error, Result, files};
use serde::{Deserialize, Serialize};

pub use checkpoints::Checkpoints;
pub use documents::{OfEqualData, document_key};
pub use lessons::LessonStore;
pub use slots::{LeftCopy, ProjectSlot};

use crate::recognition;

/// Number of recent files that are remembered.
pub(crate) const RECENT: usize = 12;

/// Number of plans of campaigns that are remembered.
pub const CAMPAIGNS: usize = 6;

/// Light, dark or as the system says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// As the system says.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

/// A part of the window that can be hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// Samples and recent files.
    Library,
    /// Inspector and parameters.
    Inspector,
    /// Convergence and runs.
    Bottom,
}

/// A file that was opened before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Recent {
    /// Its path, or a name such as `sample:school`.
    pub source: String,
    /// The name of the instance.
    pub name: String,
    /// A line of facts.
    pub facts: String,
    /// Options that the person gave when the file was opened.
    pub options: BTreeMap<String, String>,
    /// Identifier of its problem.
    pub problem: String,
    /// True if the file stays at the top of the list.
    pub pinned: bool,
    /// Key under which the runs of the file are kept, as it was when the file was opened.
    pub key: String,
    /// The best result in words when the file was left last; empty if there was none.
    pub best: String,
    /// When the file was left last, in seconds since 1970; 0 if that is not known.
    pub left_at: i64,
}

/// Number of declined offers that are remembered.
const DECLINED: usize = 200;

/// Smallest and largest size of text, in percent of the usual one.
pub const TEXT_SIZES: (u16, u16) = (70, 200);

/// Everything beside runs. What a newer version adds has a default, so that old files stay readable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    /// Light or dark.
    pub theme: ThemeChoice,
    /// The last files, newest first.
    pub recent: Vec<Recent>,
    /// The last settings, by the identifier of the problem.
    pub settings: BTreeMap<String, Encoded>,
    /// The last settings of the views, by the identifier of the problem.
    pub looks: BTreeMap<String, Encoded>,
    /// Size of text and everything else in percent of the usual one.
    pub text_size: u16,
    /// The parts of the window that are hidden.
    pub hidden: Vec<Part>,
    /// True if the last instance is opened at the next start.
    pub reopen: bool,
    /// Identifiers of the problems that library and start page leave out.
    pub hidden_kinds: Vec<String>,
    /// Study mode by the identifier of the problem, where the person has switched it.
    pub study: BTreeMap<String, bool>,
    /// Paths of the plans of campaigns that were opened last, newest first.
    pub campaigns: Vec<String>,
    /// Identifiers of what the person did not want to use of other documents with equal data, oldest first.
    pub declined: Vec<String>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::default(),
            recent: Vec::new(),
            settings: BTreeMap::new(),
            looks: BTreeMap::new(),
            text_size: 100,
            hidden: Vec::new(),
            reopen: false,
            hidden_kinds: Vec::new(),
            study: BTreeMap::new(),
            campaigns: Vec::new(),
            declined: Vec::new(),
        }
    }
}

impl State {
    /// Puts the plan of a campaign at the head of the recent ones.
    pub fn remember_campaign(&mut self, plan: String) {
        self.campaigns.retain(|other| *other != plan);
        self.campaigns.insert(0, plan);
        self.campaigns.truncate(CAMPAIGNS);
    }

    /// Remembers that what has this identifier is not to be offered again.
    pub fn decline(&mut self, offer: String) {
        self.declined.retain(|other| *other != offer);
        self.declined.push(offer);
        let surplus = self.declined.len().saturating_sub(DECLINED);
        self.declined.drain(..surplus);
    }

    /// Puts a file at the head of the recent ones; one that is pinned stays so and is never dropped.
    pub fn remember(&mut self, mut recent: Recent) {
        if let Some(before) = self.recent.iter().find(|other| other.source == recent.source) {
            recent.pinned |= before.pinned;
            (recent.best, recent.left_at) = (before.best.clone(), before.left_at);
        }
        self.recent.retain(|other| other.source != recent.source);
        self.recent.insert(0, recent);
        while self.recent.len() > RECENT {
            match self.recent.iter().rposition(|recent| !recent.pinned) {
                Some(oldest) => self.recent.remove(oldest),
                None => break,
            };
        }
    }

    /// Returns `true` if a part of the window is hidden.
    pub fn hides(&self, part: Part) -> bool {
        self.hidden.contains(&part)
    }

    /// Shows a part of the window that is hidden, or hides it.
    pub fn toggle(&mut self, part: Part) {
        if self.hides(part) {
            self.hidden.retain(|other| *other != part);
        } else {
            self.hidden.push(part);
        }
    }

    /// Returns `true` if library and start page show a problem.
    pub fn shows_kind(&self, problem: &str) -> bool {
        !self.hidden_kinds.iter().any(|hidden| hidden == problem)
    }

    /// Returns `true` if documents of a problem show algorithms and their views; `usual` holds until the person switches it.
    pub fn studies(&self, problem: &str, usual: bool) -> bool {
        self.study.get(problem).copied().unwrap_or(usual)
    }

    /// The size of text as a factor.
    pub fn text_factor(&self) -> f32 {
        f32::from(self.text_size.clamp(TEXT_SIZES.0, TEXT_SIZES.1)) / 100.0
    }
}

/// A finished run on disk.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Where it lies.
    pub path: PathBuf,
    /// Its contents.
    pub result: RunResult,
}

/// The folder in which everything is kept.
#[derive(Debug, Clone)]
pub struct Store {
    home: PathBuf,
}

impl Store {
    /// A store in this folder, which need not be there yet.
    pub fn at(home: impl Into<PathBuf>) -> Self {
        Self { home: home.into() }
    }

    /// The store of the person who runs the program; [`place`] says where it is.
    pub fn of_user() -> Self {
        Self::at(place::home())
    }

    /// The folder itself.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Removes what programs that died while writing have left in this store.
    pub fn sweep(&self) {
        let mut folders = vec![self.home.clone()];
        while let Some(folder) = folders.pop() {
            files::sweep(&folder);
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            // Links lead elsewhere: they are not followed.
            let inside = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            folders.extend(inside.map(|entry| entry.path()));
        }
    }

    /// Folder of instances that a person has begun and not yet saved elsewhere.
    pub fn new_projects(&self) -> PathBuf {
        self.home.join("new")
    }

    /// Folder of the program's own copies of projects.
    fn projects_folder(&self) -> PathBuf {
        self.home.join("projects")
    }

    fn folder(&self, key: &str) -> PathBuf {
        let name: Vec<String> = key.split('-').map(short).collect();
        self.runs_folder().join(name.join("-"))
    }

    /// Recent files and preferences; defaults where there are none.
    ///
    /// # Errors
    /// Where the file is there and cannot be understood; it is put aside, so that it is not overwritten, and the error
    /// names its new place.
    pub fn load_state(&self) -> Result<State> {
        let path = self.home.join("state.ron");
        if !path.exists() {
            return Ok(State::default());
        }
        let text = files::read_text(&path);
        let state = text.and_then(|text| {
            crate::text::ron::parse(&text).map_err(|fault| {
                Error::line(&path, fault.line, format!("the preferences cannot be read: {}", fault.what))
            })
        });
        state.map_err(|error| match put_aside(&path) {
            Ok(aside) => {
                let what = format!(
                    "{error}. They start anew; the old file is kept as {}, correct it there and rename it to use it again",
                    aside.display()
                );
                Error::Usage(what)
            }
            Err(failure) => Error::Usage(format!(
                "{error}. It could not be put aside ({failure}) and will be overwritten: copy it before you change \
                 anything here"
            )),
        })
    }

    /// Writes recent files and preferences.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn save_state(&self, state: &State) -> Result<()> {
        let path = self.home.join("state.ron");
        let text = ron::ser::to_string_pretty(state, ron::ser::PrettyConfig::new())
            .map_err(|error| Error::file(&path, format!("the preferences cannot be written as RON ({error})")))?;
        files::write(&path, text.as_bytes())
    }

    /// Keeps a finished run; returns where.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn keep(&self, instance: &str, result: &RunResult) -> Result<PathBuf> {
        let path = free_name(&self.folder(instance), result);
        result.save(&path)?;
        Ok(path)
    }

    /// Keeps a finished run, in a new folder among the system's temporary files that only this user can read if the store cannot be written to.
    ///
    /// Returns the path and, if that is not in the store, why.
    ///
    /// # Errors
    /// If neither place can be written to.
    pub fn keep_somewhere(&self, instance: &str, result: &RunResult) -> Result<(PathBuf, Option<Error>)> {
        self.keep(instance, result).map(|path| (path, None)).or_else(|error| {
            let folder = files::create_private_folder();
            let failed = |error| Error::file(&std::env::temp_dir(), format!("no folder can be created here ({error})"));
            let path = free_name(&folder.map_err(failed)?, result);
            result.save(&path).map(|()| (path, Some(error)))
        })
    }

    /// Begins to keep the best so far of a run that goes on.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn begin(&self, instance: &str) -> Result<Running> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let folder = self.folder(instance);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let stem = format!("running-{}-{number}", std::process::id());
        let lock_path = folder.join(format!("{stem}.lock"));
        let failed = |error: std::io::Error| {
            Error::file(&lock_path, format!("runs cannot be kept here ({error}); free space or set GRIDWRIGHT_HOME"))
        };
        // The name holds the number of this process, so that nobody else holds the lock.
        let taken = || std::io::Error::from(std::io::ErrorKind::WouldBlock);
        let lock = match files::try_lock(&lock_path, true) {
            // Another run has just removed the folder, which was empty until now.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => files::try_lock(&lock_path, true),
            lock => lock,
        };
        let lock = lock.and_then(|lock| lock.ok_or_else(taken)).map_err(failed)?;
        Ok(Running { path: folder.join(format!("{stem}.ron")), lock_path: lock_path.clone(), lock })
    }

    /// Keeps runs of an instance whose program ended early as finished ones; returns their paths.
    pub fn recover(&self, instance: &str) -> Vec<PathBuf> {
        recover_all(&self.folder(instance)).0
    }

    /// All runs of an instance of this problem, oldest first, those recovered whose program ended early, and the errors
    /// of files that could not be read.
    pub fn runs(&self, instance: &str, problem: &dyn Problem) -> (Vec<Stored>, Vec<Error>) {
        let folder = self.folder(instance);
        let (_, mut problems) = recover_all(&folder);
        let mut runs = Vec::new();
        for path in paths_in(&folder, &is_run) {
            let shown = |result: RunResult| recognition::result_is_of(&result, &path, problem).map(|()| result);
            match registry::load_result(&path).and_then(shown) {
                Ok(result) => runs.push(Stored { path, result }),
                Err(error) => problems.push(error),
            }
        }
        documents::sort(&mut runs);
        (runs, problems)
    }
}

/// Beginning of a digest, which names a file.
fn short(digest: &str) -> String {
    let short: String = digest.chars().filter(char::is_ascii_alphanumeric).take(16).collect();
    if short.is_empty() { "unnamed".to_owned() } else { short }
}

/// True for the file name of a run that ended.
fn is_run(name: &str) -> bool {
    !name.starts_with("running-") && !name.starts_with('.') && name.ends_with(".ron")
}

/// Files of a folder whose names are wanted, in the order of their names.
fn paths_in(folder: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_wanted))
        .collect();
    paths.sort();
    paths
}

/// Recovers all runs in a folder whose program ended early; returns their paths and what could not be read.
fn recover_all(folder: &Path) -> (Vec<PathBuf>, Vec<Error>) {
    let (mut recovered, mut problems) = (Vec::new(), Vec::new());
    for path in paths_in(folder, &|name| name.starts_with("running-") && name.ends_with(".lock")) {
        match recover(&path) {
            Ok(run) => recovered.extend(run),
            Err(error) => problems.push(error),
        }
    }
    (recovered, problems)
}

/// Renames an unreadable file to a free name, so that the next save does not overwrite it; returns the new path.
///
/// # Errors
/// The error of the file system, or [`std::io::ErrorKind::AlreadyExists`] if no name is free.
fn put_aside(path: &Path) -> std::io::Result<PathBuf> {
    let endings =
        std::iter::once("unreadable".to_owned()).chain((2..1000).map(|number| format!("unreadable-{number}")));
    let free = endings.map(|ending| path.with_extension(ending)).find(|aside| !aside.exists());
    let aside = free.ok_or(std::io::ErrorKind::AlreadyExists)?;
    files::rename(path, &aside)?;
    Ok(aside)
}

/// Turns the rest of a run whose program ended early into a finished run and returns its path; leaves those that go on.
fn recover(lock_path: &Path) -> Result<Option<PathBuf>> {
    let failed =
        |error: std::io::Error| Error::file(lock_path, format!("an interrupted run could not be kept ({error})"));
    let _lock = match files::try_lock(lock_path, false) {
        Ok(Some(lock)) => lock,
        Ok(None) => return Ok(None),
        // Another window was faster.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let path = lock_path.with_extension("ron");
    let mut recovered = None;
    if path.exists() {
        let result = registry::load_result(&path)?;
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        let run = free_name(folder, &result);
        files::rename(&path, &run).map_err(failed)?;
        recovered = Some(run);
    }
    files::remove(lock_path).map_err(failed)?;
    Ok(recovered)
}

fn free_name(folder: &Path, result: &RunResult) -> PathBuf {
    let stem = format!("{}-{}-{}", result.finished_at, result.algorithm, result.seed);
    let names = std::iter::once(format!("{stem}.ron")).chain((2..).map(|number| format!("{stem}-{number}.ron")));
    let mut paths = names.map(|name| folder.join(name));
    // The iterator does not end, so there is always a first free name.
    paths.find(|path| !path.exists()).unwrap_or_else(|| folder.join(format!("{stem}.ron")))
}

/// The best so far of a run that goes on.
#[derive(Debug)]
pub struct Running {
    path: PathBuf,
    lock_path: PathBuf,
    lock: File,
}

impl Running {
    /// Overwrites it.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn save(&self, result: &RunResult) -> Result<()> {
        result.save(&self.path)
    }

    /// Deletes the best so far and its lock file, once the finished run is saved; the folder, too, if no run is left in it.
    pub fn discard(self) {
        // What cannot be removed now is recovered as one more run at the next start: too much rather than too little.
        let _ = files::remove(&self.path);
        let _ = self.lock.unlock();
        let _ = files::remove(&self.lock_path);
        if let Some(folder) = self.path.parent() {
            files::remove_if_empty(folder);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;

/// Key of the data of an instance: the hash of its files, or that of its name where it has no files.
pub fn instance_key(name: &str, hash: &str) -> String {
    match hash {
        "" => files::hash(&[name.as_bytes()]),
        hash => hash.to_owned(),
    }
}
