//! A project: an instance with everything that a person has made of it, as one file.
//!
//! It holds the data of the instance, the demands, the solution that is being edited, finished runs, and how all of it was
//! looked at, so that it opens wherever it is copied to ([`container`]). Version 0.2.0 wrote RON files that name the
//! instance's own file instead; they are read, and written anew with the data.

mod container;
mod data;
pub(crate) mod updating;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::data::import::SheetReading;
use crate::data::{Dataset, FormerNames, Tables};
use crate::files::{self, Stamp, Written};
use crate::letterhead::Letterhead;
use crate::result::{Encoded, InstanceReference, RunResult};
use crate::text::{Source, ron};
use crate::{Error, Result};

pub use data::{DataFiles, ProjectData};

/// Version of the file format: 2 with the data of the instance, 1 without.
pub const FORMAT: u32 = 2;

/// File name extension of project files.
pub const ENDING: &str = "gridwright";

/// A solution that a person is editing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredDraft {
    /// Display name of the solution that it was made from.
    pub name: String,
    /// As it is now.
    pub solution: Encoded,
    /// The solution that it was made from.
    pub base: Encoded,
}

/// A project. A part that is misspelt is refused: it would be lost when the project is saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// Version of the file format. It comes first: that is how such files are told from others.
    pub plan_project: u32,
    /// Identifier of the problem.
    pub problem: String,
    /// Program and version that made it.
    pub program: String,
    /// Name and options of the instance, and the file that its data were read from. Its hash is that of the data.
    pub instance: InstanceReference,
    /// Hash of the file that the data were read from; differs from the hash of the data once these were edited.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_hash: String,
    /// Data of the instance; `None` if it must be opened from its source.
    #[serde(skip)]
    pub data: Option<ProjectData>,
    /// Data as a person has edited them, if they hold values that make no sense; [`Self::data`] are the last usable ones.
    #[serde(skip)]
    pub edited: Option<ProjectData>,
    /// Demands on solutions beyond the instance's own file.
    #[serde(default)]
    pub demands: Option<Encoded>,
    /// The draft, if there is one.
    #[serde(default)]
    pub draft: Option<StoredDraft>,
    /// Finished runs, oldest first.
    #[serde(default)]
    pub runs: Vec<RunResult>,
    /// How the tables were read, so that a fresh version of the files needs no questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<SheetReading>,
    /// Names that the rows of the data had before, by table.
    #[serde(default, skip_serializing_if = "FormerNames::is_empty")]
    pub former_names: FormerNames,
    /// Institution and logo of printed documents. A logo is kept with the data only.
    #[serde(default, skip_serializing_if = "Letterhead::is_empty")]
    pub letterhead: Letterhead,
    /// View settings by name.
    #[serde(default)]
    pub view: BTreeMap<String, String>,
    /// Files that the views show, by name. They are kept with the data only.
    #[serde(skip)]
    pub attachments: Attachments,
}

/// Contents of files that belong to a project, by name.
pub type Attachments = BTreeMap<String, Arc<[u8]>>;

/// Key of the shown solution among the view settings: the place of a run, or [`SHOWN_DRAFT`]. Older files may lack it.
pub const SHOWN: &str = "shown";

/// Value of [`SHOWN`] where the draft is shown.
pub const SHOWN_DRAFT: &str = "draft";

/// Solution in a project.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ShownSolution<'a> {
    /// The edits of a person.
    Draft(&'a StoredDraft),
    /// A finished run.
    Run(&'a RunResult),
}

/// First fields of every file.
#[derive(Deserialize)]
struct Header {
    problem: String,
}

impl Project {
    /// The project of an instance, without draft and runs.
    pub fn of(problem: &str, instance: InstanceReference) -> Self {
        Self {
            plan_project: FORMAT,
            problem: problem.to_owned(),
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            source_hash: instance.hash.clone(),
            instance,
            data: None,
            edited: None,
            demands: None,
            draft: None,
            runs: Vec::new(),
            readings: Vec::new(),
            former_names: FormerNames::default(),
            letterhead: Letterhead::default(),
            view: BTreeMap::new(),
            attachments: Attachments::new(),
        }
    }

    /// The solution that the window shows: the draft or the run that its person looked at last. Where none is named, the draft, or else
    /// the last run.
    pub fn shown(&self) -> Option<ShownSolution<'_>> {
        let draft = || self.draft.as_ref().map(ShownSolution::Draft);
        let named = self.view.get(SHOWN).and_then(|shown| self.runs.get(shown.parse::<usize>().ok()?));
        named.map(ShownSolution::Run).or_else(draft).or_else(|| self.runs.last().map(ShownSolution::Run))
    }

    /// Writes the project; a file that was there is replaced only when the new one is complete.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        files::write(path, &self.to_bytes(path)?)
    }

    /// The content of the project's file at `path`.
    ///
    /// # Errors
    /// [`Error::File`] if a part cannot be written.
    pub fn to_bytes(&self, path: &Path) -> Result<Vec<u8>> {
        to_bytes(self, path)
    }

    /// Writes the project unless another program has changed the file since it had the stamp `known`, which is renewed.
    ///
    /// # Errors
    /// As [`Self::save`].
    pub fn save_if_unchanged(&self, path: &Path, known: &mut Option<Stamp>, locks: &Path) -> Result<Written> {
        files::write_if_unchanged(path, &to_bytes(self, path)?, known, locks)
    }

    /// Reads a project, not yet its instance.
    ///
    /// # Errors
    /// Where it cannot be read, with the line, was made by a newer version, or holds solutions of another problem.
    pub fn load(path: &Path) -> Result<Self> {
        let bytes = files::read(path)?;
        match bytes.starts_with(container::MAGIC) {
            true => container::read(&bytes, path),
            false => of_ron(&files::text(path, bytes)?, path, "", FORMAT),
        }
    }

    /// The data of the project at `path` as tables; `None` if they must be read from the source.
    ///
    /// # Errors
    /// [`Error::File`] if a table cannot be read.
    pub fn dataset<T: Tables>(&self, path: &Path) -> Result<Option<Arc<Dataset>>> {
        let data = self.data.as_ref().map(|data| data.dataset(T::TABLES));
        data.transpose().map_err(|what| Error::file(path, what))
    }

    /// Opens the instance of the project at `path`: from its data or, if it holds none, from its source, which `open` reads.
    /// Returns the instance and its source. Data that were read from the source may have changed since the project was saved.
    ///
    /// # Errors
    /// [`Error::File`] if the data cannot be used, or if the source cannot be opened.
    pub fn open_source<T: Tables>(&self, path: &Path, open: impl FnOnce(&str) -> Result<T>) -> Result<(T, String)> {
        match self.dataset::<T>(path)? {
            Some(data) => {
                let instance = crate::data::open(&data).map_err(|error| Error::file(path, error.to_string()))?;
                Ok((instance, self.instance.source.clone()))
            }
            None => open_source(&self.instance, path, open),
        }
    }
}

/// Opens the project at `path`, which must be one of this problem, with its instance: from the project's data or, if it holds
/// none, from its source, which `open` reads.
///
/// # Errors
/// [`Error::File`] if the project or its instance cannot be opened.
pub fn open_instance<T: Tables>(
    path: &Path, problem: &str, open: impl FnOnce(&str) -> Result<T>,
) -> Result<(Project, T)> {
    let project = Project::load(path)?;
    if project.problem != problem {
        return Err(Error::file(path, "this is a project of another problem; leave the options of this problem out"));
    }
    let (instance, _) = project.open_source(path, open)?;
    Ok((project, instance))
}

/// Warning that the data of a project, which were read from their source, are no longer those of its runs.
pub fn warning_of_change(project: &Project, hash: &str) -> Option<String> {
    let is_changed = !project.instance.hash.is_empty() && project.instance.hash != hash;
    is_changed.then(|| {
        "the data have changed since the project was saved; its runs were found for the former data".to_owned()
    })
}

/// The content of the project's file at `path`: an archive if the project has data, otherwise RON.
fn to_bytes(project: &Project, path: &Path) -> Result<Vec<u8>> {
    match &project.data {
        Some(data) => container::write(project, data, path),
        None => Ok(to_ron(project, path)?.into_bytes()),
    }
}

/// A part of the project at `path` as RON.
fn to_ron<T: Serialize>(part: &T, path: &Path) -> Result<String> {
    let style = ::ron::ser::PrettyConfig::new().depth_limit(3).compact_arrays(true);
    ::ron::ser::to_string_pretty(part, style)
        .map_err(|error| Error::file(path, format!("the project cannot be written as RON ({error})")))
}

/// Reads a part of the project at `path`, whose name in the archive is `part`; empty for a project that is one text. `newest`
/// is the newest known version of its format.
fn of_ron<T: DeserializeOwned>(text: &str, path: &Path, part: &str, newest: u32) -> Result<T> {
    ron::read(Source { path, text }, "project", newest, |why| match part {
        "" | container::FIRST => format!("this is not a project of gridwright ({why}); open the instance's own file"),
        part => format!("{part} in this project cannot be read ({why}); use a copy of the file"),
    })
}

/// Reads a project of any kind that is one text; `newest` is the newest known version of its format.
///
/// # Errors
/// [`Error::File`] or [`Error::Line`] if the file cannot be read, is no project or was written by a newer version.
pub fn read<T: DeserializeOwned>(path: &Path, newest: u32) -> Result<T> {
    of_ron(&files::read_text(path)?, path, "", newest)
}

/// Opens the instance `reference` of the project at `path`: beside the project or, if it is not there, at its stored path.
/// Returns the instance and its source, whose content may have changed since the project was saved.
///
/// # Errors
/// [`Error::File`] if the instance cannot be opened.
pub fn open_source<T: Tables>(
    reference: &InstanceReference, path: &Path, open: impl FnOnce(&str) -> Result<T>,
) -> Result<(T, String)> {
    let source = source(reference, path);
    if is_project(&crate::source::path(&source)) {
        return Err(Error::file(path, "the project names another project as its instance; open that one"));
    }
    let instance = open(&source).map_err(|error| {
        let what = format!("its instance cannot be opened: {error}. Put the file beside the project");
        Error::file(path, what)
    })?;
    Ok((named(instance, &reference.name), source))
}

/// The instance under the name that its project states: tables are called after the folder that they lie in.
pub fn named<T: Tables>(instance: T, name: &str) -> T {
    let data = instance.to_data();
    if T::TABLES.is_empty() || name.is_empty() || data.name == name {
        return instance;
    }
    T::of_data(&Dataset { name: name.to_owned(), ..data }).unwrap_or(instance)
}

/// Source of the instance of the project at `path`: the file of that name beside the project or in a folder of that name
/// beside it, or the stored path if there is none: a copied project belongs to the tables that were copied with it.
pub fn source(reference: &InstanceReference, path: &Path) -> String {
    let stated = crate::source::path(&reference.source);
    let folder = stated.parent().and_then(Path::file_name).map(Path::new);
    let beside = path.parent().zip(stated.file_name()).and_then(|(own, name)| {
        let mut places = std::iter::once(own.join(name)).chain(folder.map(|folder| own.join(folder).join(name)));
        places.find(|place| place.exists())
    });
    let beside = beside.filter(|_| !reference.source.starts_with("sample:"));
    beside.as_deref().and_then(crate::source::of).unwrap_or_else(|| reference.source.clone())
}

/// Returns `true` if `path` has the extension of project files.
pub fn is_project(path: &Path) -> bool {
    crate::text::ending(path) == ENDING
}

/// Appends the extension of project files unless `path` has it.
pub fn with_ending(path: &Path) -> PathBuf {
    if is_project(path) { path.to_path_buf() } else { PathBuf::from(format!("{}.{ENDING}", path.display())) }
}

/// The problem of a project of this kind; `None` where a file is something else or cannot be read, which whoever opens it
/// says.
pub fn problem_of(path: &Path, beginning: &[u8]) -> Option<String> {
    if is_project(path) && beginning.starts_with(container::MAGIC) {
        // An archive that another program packed may begin with another part.
        let stated = stated_problem(&String::from_utf8_lossy(beginning));
        return stated.or_else(|| Project::load(path).ok().map(|project| project.problem));
    }
    let start = String::from_utf8_lossy(beginning);
    let start = start.trim_start_matches('\u{feff}').trim_start().strip_prefix('(')?;
    if !is_project(path) || !start.trim_start().starts_with("plan_project:") {
        return None;
    }
    // Damaged files still are projects: their reader says what is wrong with them.
    let whole = files::read_text(path).ok()?;
    ron::parse::<Header>(&whole).ok().map(|header| header.problem).or_else(|| stated_problem(start))
}

/// The problem that stands in the beginning of a damaged project.
fn stated_problem(start: &str) -> Option<String> {
    Some(start.split("problem:").nth(1)?.split('"').nth(1)?.to_owned())
}
