//! Data that the program keeps between two starts: runs by instance, recent files, preferences.
//!
//! ```text
//! <home>/state.ron                         recent files, theme, last settings
//! <home>/runs/<instance>/<when>-….ron      one finished run each, with its name beside it in a .name file
//! <home>/trash/<instance>/…                runs that were deleted
//! <home>/runs/<instance>/running-….ron     the best so far of a run that goes on, with a lock file beside it
//! ```
//!
//! A `running` file whose lock nobody holds belongs to a program that ended without saying goodbye: it is kept as a run
//! at the next start.

mod old_state;
mod stored_runs;

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use gridwright_solver::problem::Problem;
use gridwright_solver::project::{self, Project};
use gridwright_solver::registry;
use gridwright_solver::result::{Encoded, RunResult};
use gridwright_solver::{Error, Result, files};
use serde::{Deserialize, Serialize};

use crate::recognition;

/// Number of recent files that are remembered.
pub const RECENT: usize = 12;

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
}

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
        }
    }
}

impl State {
    /// Puts a file at the head of the recent ones; one that is pinned stays so and is never dropped.
    pub fn remember(&mut self, mut recent: Recent) {
        recent.pinned |= self.recent.iter().any(|other| other.source == recent.source && other.pinned);
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

    /// The store of the person who runs the program: `GRIDWRIGHT_HOME`, or where the system keeps a program's data.
    pub fn of_user() -> Self {
        let home = match std::env::var_os("GRIDWRIGHT_HOME") {
            Some(home) if !home.is_empty() => PathBuf::from(home),
            _ => match directories::ProjectDirs::from("", "", "gridwright") {
                Some(directories) => directories.data_dir().to_path_buf(),
                None => std::env::temp_dir().join("gridwright"),
            },
        };
        Self::at(home)
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

    fn folder(&self, instance: &str) -> PathBuf {
        let short: String = instance.chars().filter(char::is_ascii_alphanumeric).take(16).collect();
        self.home.join("runs").join(if short.is_empty() { "unnamed".to_owned() } else { short })
    }

    /// Recent files and preferences; defaults where there are none.
    ///
    /// # Errors
    /// Where the file is there and cannot be understood; it is left as it is until something is saved.
    pub fn load_state(&self) -> Result<State> {
        let path = self.home.join("state.ron");
        if !path.exists() {
            return Ok(State::default());
        }
        let text = files::read_text(&path)?;
        ron::from_str(&text).map_err(|error| {
            let what = format!("the preferences cannot be read ({}); they start anew", error.code);
            Error::line(&path, error.span.start.line, what)
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

    /// Where demands and edits of an instance are kept.
    fn project_path(&self, instance: &str) -> PathBuf {
        let name = self.folder(instance);
        let name = name.file_name().map_or_else(|| "unnamed".into(), |name| name.to_string_lossy());
        self.home.join("projects").join(format!("{name}.{}", project::ENDING))
    }

    /// Keeps demands and edits of an instance.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn save_project(&self, instance: &str, project: &Project) -> Result<()> {
        project.save(&self.project_path(instance))
    }

    /// When what is kept of an instance was written, if anything was.
    pub fn project_time(&self, instance: &str) -> Option<SystemTime> {
        std::fs::metadata(self.project_path(instance)).and_then(|data| data.modified()).ok()
    }

    /// Demands and edits that were kept of an instance, if there are any.
    ///
    /// # Errors
    /// Where they are there and cannot be read; they are put aside, so that they are not overwritten.
    pub fn load_project(&self, instance: &str) -> Result<Option<Project>> {
        let path = self.project_path(instance);
        if !path.exists() {
            return Ok(None);
        }
        registry::load_project(&path).map(Some).inspect_err(|_| put_aside(&path))
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
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let lock = File::create(&lock_path).map_err(failed)?;
        lock.try_lock().map_err(|error| failed(error.into()))?;
        Ok(Running { path: folder.join(format!("{stem}.ron")), lock_path: lock_path.clone(), lock })
    }

    /// All runs of an instance of this problem, oldest first, those recovered whose program ended early, and the errors
    /// of files that could not be read.
    pub fn runs(&self, instance: &str, problem: &dyn Problem) -> (Vec<Stored>, Vec<Error>) {
        let folder = self.folder(instance);
        let mut problems = Vec::new();
        let paths = |wanted: &dyn Fn(&str) -> bool| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            let mut paths: Vec<PathBuf> = entries
                .map(|entry| entry.path())
                .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(wanted))
                .collect();
            paths.sort();
            paths
        };
        for path in paths(&|name| name.starts_with("running-") && name.ends_with(".lock")) {
            if let Err(error) = recover(&path) {
                problems.push(error);
            }
        }
        let mut runs = Vec::new();
        for path in paths(&|name| !name.starts_with("running-") && !name.starts_with('.') && name.ends_with(".ron")) {
            let shown = |result: RunResult| recognition::result_is_of(&result, &path, problem).map(|()| result);
            match registry::load_result(&path).and_then(shown) {
                Ok(result) => runs.push(Stored { path, result }),
                Err(error) => problems.push(error),
            }
        }
        // Of those that ended in the same second the later ones have a number behind their name.
        let order = |run: &Stored| (run.result.finished_at, run.path.as_os_str().len(), run.path.clone());
        runs.sort_by_cached_key(order);
        (runs, problems)
    }
}

/// Renames an unreadable file, so that it is not overwritten by the next save.
fn put_aside(path: &Path) {
    // Where it cannot be renamed either, there is nothing better to do than to say that it cannot be read.
    let _ = std::fs::rename(path, path.with_extension("unreadable"));
}

/// Turns the rest of a run whose program ended early into a finished run; leaves those that go on.
fn recover(lock_path: &Path) -> Result<()> {
    let failed =
        |error: std::io::Error| Error::file(lock_path, format!("an interrupted run could not be kept ({error})"));
    let lock = match File::open(lock_path) {
        Ok(lock) => lock,
        // Another window was faster.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(()),
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    let path = lock_path.with_extension("ron");
    if path.exists() {
        let result = registry::load_result(&path)?;
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        std::fs::rename(&path, free_name(folder, &result)).map_err(failed)?;
    }
    std::fs::remove_file(lock_path).map_err(failed)
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

    /// The run is finished and kept elsewhere.
    pub fn discard(self) {
        // What cannot be removed now is recovered as one more run at the next start: too much rather than too little.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.lock.unlock();
        let _ = std::fs::remove_file(&self.lock_path);
    }
}

#[cfg(test)]
mod tests;
