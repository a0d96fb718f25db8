//! Project files: the calendar, rules, edited timetable and finished runs of an instance, as RON.
//!
//! A project names the instance's own file (which it does not copy). Opening a project as an instance gives that
//! instance with the project's calendar and rules.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::formats::{self, LoadOptions};
use super::{Instance, Period, StoredRules, Timetable, UNPLACED};
pub use crate::project::{ENDING, is_project, with_ending};
use crate::result::{InstanceReference, RunResult};
use crate::{Result, project};

/// Current version of the file format.
pub const FORMAT: u32 = 1;

/// Edited timetable, with exam codes in place of indices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredDraft {
    /// Name of the draft.
    pub name: String,
    /// Exam codes and periods from 0.
    pub periods: Vec<(String, Option<u16>)>,
    /// The timetable from which the draft was made.
    pub base: Vec<(String, Option<u16>)>,
}

/// Contents of a project file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// Version of the file format that wrote the file.
    pub format: u32,
    /// Program and version that wrote the file.
    pub program: String,
    /// File, hash and options of the instance.
    pub instance: InstanceReference,
    /// Periods with their dates and seats.
    pub calendar: Vec<Period>,
    /// Rules of the instance.
    #[serde(default)]
    pub rules: StoredRules,
    /// Edited timetable, if there is one.
    #[serde(default)]
    pub draft: Option<StoredDraft>,
    /// Finished runs, oldest first.
    #[serde(default)]
    pub runs: Vec<RunResult>,
    /// Settings of the window, opaque to the solver.
    #[serde(default)]
    pub view: BTreeMap<String, String>,
}

impl Project {
    /// Creates the project of an instance without draft and runs; `source` is its file or `sample:NAME`.
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

    /// Writes the project atomically: an existing file is replaced only by a complete new one.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        project::write(self, path)
    }

    /// Reads a project without opening its instance.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Line`] if the file cannot be read, is no project or was written by a newer version.
    pub fn load(path: &Path) -> Result<Self> {
        project::read(path, |project: &Self| project.format <= FORMAT)
    }

    /// Opens the instance of the project and applies the project's calendar and rules. Returns the instance and its
    /// source.
    ///
    /// The file of the instance is searched at its stored path, then beside the project at `path`.
    ///
    /// # Errors
    /// [`Error::File`] if the instance cannot be opened or has changed since; [`Error::Usage`] if a rule names an
    /// unknown exam.
    pub fn open_instance(&self, path: &Path) -> Result<(Instance, String)> {
        let (instance, source) = self.open_source(path, formats::open)?;
        Ok((self.apply(instance)?, source))
    }

    /// Opens the instance of the project without the project's calendar and rules. Returns the instance and its source.
    ///
    /// # Errors
    /// [`Error::File`] if the instance cannot be opened by `open` or has changed since the project was saved.
    pub fn open_source(
        &self,
        path: &Path,
        open: impl FnOnce(&str, &LoadOptions) -> Result<Instance>,
    ) -> Result<(Instance, String)> {
        let options = LoadOptions { periods: Some(self.calendar.len()).filter(|&count| count > 0) };
        project::open_source(
            &self.instance,
            path,
            |source| open(source, &options),
            |instance| instance.file_hash.clone(),
        )
    }

    /// Applies the project's calendar and rules to `instance`.
    ///
    /// # Errors
    /// [`Error::Usage`] if a rule names an unknown exam, or there are too many periods.
    pub fn apply(&self, mut instance: Instance) -> Result<Instance> {
        if !self.calendar.is_empty() {
            instance = instance.with_periods(self.calendar.len())?;
            instance.periods.clone_from(&self.calendar);
        }
        let seats: Vec<Option<u32>> = instance.periods.iter().map(|period| period.seats).collect();
        StoredRules { seats, ..self.rules.clone() }.apply(instance)
    }
}

/// Converts a timetable into rows of exam code and period.
pub fn rows(instance: &Instance, timetable: &Timetable) -> Vec<(String, Option<u16>)> {
    let rows = instance.exams.iter().enumerate();
    rows.map(|(exam, data)| (data.code.clone(), timetable.period_of(exam).map(|period| period as u16))).collect()
}

/// Converts rows into a timetable of `instance`; exams without a row are unplaced, unknown codes and periods beyond the
/// last are ignored.
pub fn timetable(instance: &Instance, rows: &[(String, Option<u16>)]) -> Timetable {
    let periods: BTreeMap<&str, Option<u16>> = rows.iter().map(|(code, period)| (code.as_str(), *period)).collect();
    let count = instance.period_count();
    let period = |code: &str| periods.get(code).copied().flatten().filter(|&period| usize::from(period) < count);
    Timetable { periods: instance.exams.iter().map(|exam| period(&exam.code).unwrap_or(UNPLACED)).collect() }
}

/// Reads a project file and opens its instance with the project's calendar and rules. Returns project, instance and
/// source of the instance.
///
/// # Errors
/// As [`Project::load`] and [`Project::open_instance`].
pub fn open(path: &Path) -> Result<(Project, Instance, String)> {
    let project = Project::load(path)?;
    let (instance, source) = project.open_instance(path)?;
    Ok((project, instance, source))
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
