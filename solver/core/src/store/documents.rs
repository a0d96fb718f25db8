//! Keys of documents, and what was kept of other documents with equal data.
//!
//! Runs and edits belong to the file or name that was opened, not to its data: the key of a document is
//! `<digest of the data>-<digest of its source>`, that of a project `project-<digest of its path>`. Versions up to 0.2.0 used the
//! digest of the data alone; of what lies there, a document lists what names the document as its source.

use std::path::Path;

use crate::problem::Problem;
use crate::project::{self, Project};
use crate::registry;
use crate::result::RunResult;
use crate::{Error, files};

use super::slots::is_numbered;
use super::{LeftCopy, Store, Stored, instance_key, paths_in, short};

/// Beginning of the keys of projects.
const PROJECT: &str = "project";

/// Entry of a project's view settings: the person's file that the program's own copy belongs to.
pub const FILE: &str = "file";

/// Key under which runs and edits of a document are kept. `source` is the absolute path or the name that was opened.
pub fn document_key(name: &str, hash: &str, source: &str) -> String {
    let document = files::hash(&[source.as_bytes()]);
    match project::is_project(&crate::source::path(source)) {
        true => format!("{PROJECT}-{}", short(&document)),
        false => format!("{}-{}", short(&instance_key(name, hash)), short(&document)),
    }
}

/// Runs and edits of other documents with equal data. They are offered, and taken over only if the person asks for them.
#[derive(Debug, Default)]
pub struct OfEqualData {
    /// Runs, oldest first.
    pub runs: Vec<Stored>,
    /// The newest copy with demands or edits.
    pub copy: Option<LeftCopy>,
}

impl OfEqualData {
    /// True if there is nothing to offer.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.copy.is_none()
    }
}

impl Store {
    /// Runs of a document, oldest first, with the errors of files that could not be read; `data` is the key of its data.
    pub fn document_runs(
        &self, key: &str, data: &str, source: &str, problem: &dyn Problem,
    ) -> (Vec<Stored>, Vec<Error>) {
        let (mut runs, mut errors) = self.runs(key, problem);
        let (former, unread) = self.runs(data, problem);
        runs.extend(former.into_iter().filter(|run| run.result.instance.source == source));
        errors.extend(unread);
        sort(&mut runs);
        (runs, errors)
    }

    /// Runs and the newest copy of other documents with data of the key `data`, without projects and without runs that `is_known`
    /// names.
    pub fn of_equal_data(
        &self, key: &str, data: &str, problem: &dyn Problem, is_known: impl Fn(&RunResult) -> bool,
    ) -> OfEqualData {
        let data = short(data);
        let is_other = |name: &str| {
            name != key && name.strip_prefix(&data).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let mut found = OfEqualData::default();
        for folder in paths_in(&self.runs_folder(), &is_other) {
            let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { continue };
            let is_new =
                |run: &RunResult| !project::is_project(&crate::source::path(&run.instance.source)) && !is_known(run);
            for run in self.runs(name, problem).0 {
                if is_new(&run.result) && !found.runs.iter().any(|other| other.result == run.result) {
                    found.runs.push(run);
                }
            }
        }
        sort(&mut found.runs);
        let is_copy = |name: &str| name.strip_suffix(&format!(".{}", project::ENDING)).is_some_and(is_other);
        let copies = self.copies(&is_copy).filter(|copy| {
            let project = &copy.project;
            !project.view.contains_key(FILE)
                && project.problem == problem.id()
                && (project.demands.is_some() || project.draft.is_some())
        });
        found.copy = copies.max_by_key(|copy| copy.at);
        found
    }

    /// Copies in the program's own folder with these file names that can be read, without those of further windows.
    fn copies(&self, is_wanted: &dyn Fn(&str) -> bool) -> impl Iterator<Item = LeftCopy> + use<> {
        let paths = paths_in(&self.projects_folder(), &|name| is_wanted(name) && !is_numbered(name));
        paths.into_iter().filter_map(|path| {
            let at = std::fs::metadata(&path).and_then(|data| data.modified()).ok()?;
            registry::load_project(&path).ok().map(|project| LeftCopy { path, project, at })
        })
    }

    /// The copy of a document that a version up to 0.2.0 kept under the key of its data.
    pub(super) fn former_copy(&self, data: &str, source: &str) -> Option<LeftCopy> {
        let name = format!("{}.{}", short(data), project::ENDING);
        // That version used one copy for a project and the data that it was made from.
        self.copies(&|other| other == name).find(|copy| {
            copy.project.instance.source == source || copy.project.view.get(FILE).is_some_and(|file| file == source)
        })
    }

    /// The newest copy of a project that was moved or renamed since: of the same origin as `project`, with a file that is no
    /// longer there.
    pub(super) fn moved_copy(&self, project: &Project) -> Option<LeftCopy> {
        let is_moved = |copy: &LeftCopy| {
            let is_of =
                |other: &Project| (&other.problem, &other.source_hash) == (&project.problem, &project.source_hash);
            is_of(&copy.project) && copy.project.view.get(FILE).is_some_and(|file| !Path::new(file).exists())
        };
        self.copies(&|_| true).filter(is_moved).max_by_key(|copy| copy.at)
    }
}

/// Sorts runs by the time of their end; of those of the same second the later ones have a number behind their name.
pub(super) fn sort(runs: &mut [Stored]) {
    runs.sort_by_cached_key(|run| (run.result.finished_at, run.path.as_os_str().len(), run.path.clone()));
}
