//! A project: an instance with everything that a person has said and made of it, as one file.
//!
//! It names the instance's own file (which it does not copy) and keeps the calendar, the rules, the timetable that is
//! being edited and finished runs. Opened as an instance it is that instance with calendar and rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::formats::{self, LoadOptions};
use super::{Instance, Period, StoredRules, Timetable, UNPLACED};
use crate::result::{InstanceReference, RunResult};
use crate::{Error, Result, files};

/// Version of the file format.
pub const FORMAT: u32 = 1;

/// The ending of project files.
pub const ENDING: &str = "gridwright";

/// A timetable that a person is editing, in terms of exam codes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredDraft {
    /// What it is called.
    pub name: String,
    /// Exam and its period, counted from 0.
    pub periods: Vec<(String, Option<u16>)>,
    /// The timetable that it was made from, likewise.
    pub base: Vec<(String, Option<u16>)>,
}

/// A project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// Version of the file format.
    pub format: u32,
    /// Program and version that made it.
    pub program: String,
    /// Where the instance lies.
    pub instance: InstanceReference,
    /// The periods with their dates and seats.
    pub calendar: Vec<Period>,
    /// What is demanded.
    #[serde(default)]
    pub rules: StoredRules,
    /// The timetable that is being edited.
    #[serde(default)]
    pub draft: Option<StoredDraft>,
    /// Finished runs, oldest first.
    #[serde(default)]
    pub runs: Vec<RunResult>,
    /// How it is looked at, in the window's own words.
    #[serde(default)]
    pub view: BTreeMap<String, String>,
}

impl Project {
    /// The project of an instance as it is, without draft and runs; `source` is the file or `sample:NAME` it came from.
    pub fn of(instance: &Instance, source: &str) -> Self {
        Self {
            format: FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            instance: InstanceReference {
                name: instance.name.clone(),
                source: source.to_owned(),
                hash: instance.file_hash.clone(),
                options: BTreeMap::from([("periods".to_owned(), instance.period_count().to_string())]),
            },
            calendar: instance.periods.clone(),
            rules: StoredRules::of(instance),
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
    /// Where it cannot be read, with the line, or was made by a newer version.
    pub fn load(path: &Path) -> Result<Self> {
        let text = files::read_text(path)?;
        let project: Self = ron::from_str(&text).map_err(|error| {
            let what = format!("this is not a project of gridwright ({}); open the instance's own file", error.code);
            Error::line(path, error.span.start.line, what)
        })?;
        if project.format > FORMAT {
            return Err(Error::file(path, "the project was made by a newer version of gridwright; update the program"));
        }
        Ok(project)
    }

    /// Opens the instance that the project is about, with the project's calendar and rules.
    ///
    /// The instance's file is looked for where it was, then beside the project.
    ///
    /// # Errors
    /// Where the file is not there or has changed since, or a rule names an exam that it does not have.
    pub fn open_instance(&self, path: &Path) -> Result<(Instance, String)> {
        let (instance, source) = self.open_source(path, formats::open)?;
        Ok((self.apply(instance)?, source))
    }

    /// Opens the instance that the project is about as its own file has it, and says where that lies.
    ///
    /// # Errors
    /// Where the file is not there or has changed since.
    pub fn open_source(
        &self,
        path: &Path,
        open: impl FnOnce(&str, &LoadOptions) -> Result<Instance>,
    ) -> Result<(Instance, String)> {
        let source = self.source(path);
        if source.ends_with(&format!(".{ENDING}")) {
            return Err(Error::file(path, "the project names another project as its instance; open that one"));
        }
        let options = LoadOptions { periods: Some(self.calendar.len()).filter(|&count| count > 0) };
        let instance = open(&source, &options).map_err(|error| {
            let what = format!("its instance cannot be opened: {error}. Put the file beside the project");
            Error::file(path, what)
        })?;
        if !self.instance.hash.is_empty() && self.instance.hash != instance.file_hash {
            let what =
                format!("the data in {source} have changed since the project was saved; bring back the original");
            return Err(Error::file(path, what));
        }
        Ok((instance, source))
    }

    /// Puts calendar and rules into an instance.
    ///
    /// # Errors
    /// Where a rule names an exam that the instance does not have, or there are too many periods.
    pub fn apply(&self, mut instance: Instance) -> Result<Instance> {
        if !self.calendar.is_empty() {
            instance = instance.with_periods(self.calendar.len())?;
            instance.periods.clone_from(&self.calendar);
        }
        let seats: Vec<Option<u32>> = instance.periods.iter().map(|period| period.seats).collect();
        StoredRules { seats, ..self.rules.clone() }.apply(instance)
    }

    fn source(&self, path: &Path) -> String {
        let stated = &self.instance.source;
        let beside = path.parent().zip(Path::new(stated).file_name()).map(|(folder, name)| folder.join(name));
        match beside {
            Some(beside) if !stated.starts_with("sample:") && !Path::new(stated).exists() && beside.exists() => {
                beside.display().to_string()
            }
            _ => stated.clone(),
        }
    }
}

/// Exam codes and periods of a timetable.
pub fn rows(instance: &Instance, timetable: &Timetable) -> Vec<(String, Option<u16>)> {
    let rows = instance.exams.iter().enumerate();
    rows.map(|(exam, data)| (data.code.clone(), timetable.period_of(exam).map(|period| period as u16))).collect()
}

/// The timetable of such rows; exams that they do not name have no period, and what the instance does not have is left
/// out.
pub fn timetable(instance: &Instance, rows: &[(String, Option<u16>)]) -> Timetable {
    let periods: BTreeMap<&str, Option<u16>> = rows.iter().map(|(code, period)| (code.as_str(), *period)).collect();
    let count = instance.period_count();
    let period = |code: &str| periods.get(code).copied().flatten().filter(|&period| usize::from(period) < count);
    Timetable { periods: instance.exams.iter().map(|exam| period(&exam.code).unwrap_or(UNPLACED)).collect() }
}

/// Opens the instance of a project file, with calendar and rules.
///
/// # Errors
/// As [`Project::load`] and [`Project::open_instance`].
pub fn open(path: &Path) -> Result<(Project, Instance, String)> {
    let project = Project::load(path)?;
    let (instance, source) = project.open_instance(path)?;
    Ok((project, instance, source))
}

/// Whether a path names a project by its ending.
pub fn is_project(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING))
}

/// The path with the ending of projects.
pub fn with_ending(path: &Path) -> PathBuf {
    if is_project(path) { path.to_path_buf() } else { PathBuf::from(format!("{}.{ENDING}", path.display())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timetabling::{Relation, RelationKind, generator};

    #[test]
    fn a_project_comes_back_with_calendar_and_rules() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let mut instance = generator::sample("school").unwrap();
        instance.periods[2].seats = Some(300);
        instance.rules.pins.insert(3, 2);
        instance.rules.relations.insert(Relation::new(RelationKind::Before, 7, 1));
        let mut project = Project::of(&instance, "sample:school");
        let placed = Timetable { periods: (0..instance.exam_count()).map(|exam| exam as u16 % 5).collect() };
        project.draft = Some(StoredDraft {
            name: "Edited".to_owned(),
            periods: rows(&instance, &placed),
            base: rows(&instance, &placed),
        });
        project.save(&path).unwrap();
        let (read, opened, source) = open(&path).unwrap();
        assert_eq!((read, source.as_str()), (project.clone(), "sample:school"));
        assert_eq!(opened, instance);
        assert_eq!(timetable(&opened, &project.draft.unwrap().periods), placed);
        // Opening it as an instance is the same.
        assert_eq!(formats::open(&path.display().to_string(), &LoadOptions::default()).unwrap(), instance);
    }

    #[test]
    fn changed_data_and_damaged_files_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let instance = generator::sample("school").unwrap();
        let mut project = Project::of(&instance, "sample:school");
        project.instance.hash = "other".to_owned();
        project.save(&path).unwrap();
        assert!(open(&path).unwrap_err().to_string().contains("have changed since"));
        project.instance.source = "missing.stu".to_owned();
        project.save(&path).unwrap();
        assert!(open(&path).unwrap_err().to_string().contains("beside the project"));
        std::fs::write(&path, "(format: 1").unwrap();
        assert!(open(&path).unwrap_err().to_string().contains("not a project"));
    }
}
