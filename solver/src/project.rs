//! A project: an instance with everything that a person has made of it, as one file. Of problems whose solutions are named by
//! [`Solution`]; examination sessions, which also have calendars and rules, have their own,
//! [`crate::timetabling::project`], with the same ending.
//!
//! It names the instance's own file, which it does not copy, and keeps what is demanded, the solution that is being edited,
//! finished runs, and how all of it was looked at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::result::{Demands, InstanceReference, RunResult, Solution};
pub use crate::timetabling::project::{ENDING, is_project, with_ending};
use crate::{Error, Result, files};

/// Version of the file format.
pub const FORMAT: u32 = 1;

/// A solution that a person is editing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredDraft {
    /// What it was made from, as people call it.
    pub name: String,
    /// As it is now.
    pub solution: Solution,
    /// What it was made from.
    pub base: Solution,
}

/// A project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// Version of the file format. It comes first: that is how such files are told from others.
    pub plan_project: u32,
    /// `flowshop`, `facility` or `systolic`.
    pub problem: String,
    /// Program and version that made it.
    pub program: String,
    /// Where the instance lies.
    pub instance: InstanceReference,
    /// What is demanded of solutions beyond the instance's own file.
    #[serde(default)]
    pub demands: Option<Demands>,
    /// What is being edited.
    #[serde(default)]
    pub draft: Option<StoredDraft>,
    /// Finished runs, oldest first.
    #[serde(default)]
    pub runs: Vec<RunResult>,
    /// How it is looked at, in the window's own words.
    #[serde(default)]
    pub view: BTreeMap<String, String>,
}

/// What stands at the beginning of every file.
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
            instance,
            demands: None,
            draft: None,
            runs: Vec::new(),
            view: BTreeMap::new(),
        }
    }

    /// Writes the project; a file that was there is replaced only when the new one is complete.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let style = ron::ser::PrettyConfig::new().depth_limit(3).compact_arrays(true);
        let text = ron::ser::to_string_pretty(self, style)
            .map_err(|error| Error::file(path, format!("the project cannot be written as RON ({error})")))?;
        files::write(path, text.as_bytes())
    }

    /// Reads a project, not yet its instance.
    ///
    /// # Errors
    /// Where it cannot be read, with the line, was made by a newer version, or holds solutions of another problem.
    pub fn load(path: &Path) -> Result<Self> {
        let text = files::read_text(path)?;
        let project: Self = ron::from_str(&text).map_err(|error| {
            let what = format!("this is not a project of gridwright ({}); open the instance's own file", error.code);
            Error::line(path, error.span.start.line, what)
        })?;
        if project.plan_project > FORMAT {
            return Err(Error::file(path, "the project was made by a newer version of gridwright; update the program"));
        }
        let drafts = project.draft.iter().flat_map(|draft| [&draft.solution, &draft.base]);
        let runs = project.runs.iter().map(|run| &run.solution);
        if let Some(other) = drafts.chain(runs).find(|solution| solution.problem() != project.problem) {
            let what = format!(
                "it is a project of the problem “{}” and holds {}; the file was changed by hand, use the original",
                project.problem,
                other.noun()
            );
            return Err(Error::file(path, what));
        }
        Ok(project)
    }

    /// Opens the instance that the project is about, where it was or else beside the project, and says where that is;
    /// `hash_of` says the hash of what was opened.
    ///
    /// # Errors
    /// Where the file is not there or has changed since.
    pub fn open_source<T>(
        &self,
        path: &Path,
        open: impl FnOnce(&str) -> Result<T>,
        hash_of: impl FnOnce(&T) -> String,
    ) -> Result<(T, String)> {
        let source = self.source(path);
        if is_project(Path::new(&source)) {
            return Err(Error::file(path, "the project names another project as its instance; open that one"));
        }
        let instance = open(&source).map_err(|error| {
            let what = format!("its instance cannot be opened: {error}. Put the file beside the project");
            Error::file(path, what)
        })?;
        if !self.instance.hash.is_empty() && self.instance.hash != hash_of(&instance) {
            let what =
                format!("the data in {source} have changed since the project was saved; bring back the original");
            return Err(Error::file(path, what));
        }
        Ok((instance, source))
    }

    fn source(&self, path: &Path) -> String {
        let stated = Path::new(&self.instance.source);
        let beside: Option<PathBuf> = path.parent().zip(stated.file_name()).map(|(folder, name)| folder.join(name));
        match beside {
            Some(beside) if !stated.exists() && beside.exists() => beside.display().to_string(),
            _ => self.instance.source.clone(),
        }
    }
}

/// The problem of a project of this kind; `None` where a file is something else or cannot be read, which whoever opens it
/// says.
pub fn problem_of(path: &Path, beginning: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(beginning);
    let start = start.trim_start_matches('\u{feff}').trim_start().strip_prefix('(')?;
    if !is_project(path) || !start.trim_start().starts_with("plan_project:") {
        return None;
    }
    // Damaged files still are projects: their reader says what is wrong with them.
    let stated = || Some(start.split("problem:").nth(1)?.split('"').nth(1)?.to_owned());
    let whole = files::read_text(path).ok()?;
    ron::from_str::<Header>(&whole).ok().map(|header| header.problem).or_else(stated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> Project {
        let instance = InstanceReference {
            name: "workshop".to_owned(),
            source: "sample:workshop".to_owned(),
            hash: "abc".to_owned(),
            options: BTreeMap::new(),
        };
        let order = |names: &[&str]| Solution::Order(names.iter().map(|name| (*name).to_owned()).collect());
        let draft = StoredDraft {
            name: "run 1".to_owned(),
            solution: order(&["Desk", "Chair"]),
            base: order(&["Chair", "Desk"]),
        };
        Project { draft: Some(draft), ..Project::of("flowshop", instance) }
    }

    #[test]
    fn a_project_comes_back_and_is_told_from_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.gridwright");
        project().save(&path).unwrap();
        assert_eq!(Project::load(&path).unwrap(), project());
        let start = std::fs::read(&path).unwrap();
        assert_eq!(problem_of(&path, &start).as_deref(), Some("flowshop"));
        assert_eq!(problem_of(&path, b"(\n    format: 1,\n"), None, "an examination session");
        assert_eq!(problem_of(&folder.path().join("shop.ron"), &start), None, "the ending says it");
        // One that breaks off still is one of its problem.
        let part = &start[..start.len() - 20];
        std::fs::write(&path, part).unwrap();
        assert_eq!(problem_of(&path, part).as_deref(), Some("flowshop"));
        assert!(Project::load(&path).unwrap_err().to_string().contains("not a project"));
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.gridwright");
        let other = Project { problem: "facility".to_owned(), ..project() };
        other.save(&path).unwrap();
        assert!(Project::load(&path).unwrap_err().to_string().contains("holds an order of jobs"));
        Project { plan_project: 99, ..project() }.save(&path).unwrap();
        assert!(Project::load(&path).unwrap_err().to_string().contains("newer version"));
        let opened = |hash: &str| {
            let hash = hash.to_owned();
            project().open_source(&path, |source| Ok(source.to_owned()), move |_| hash)
        };
        assert_eq!(opened("abc").unwrap().1, "sample:workshop");
        assert!(opened("other").unwrap_err().to_string().contains("have changed since"));
    }
}
