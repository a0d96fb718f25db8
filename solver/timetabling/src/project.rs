//! Examination sessions in projects: calendar and rules are the demands of a project.
//!
//! A project names the instance's own file (which it does not copy). Opening a project as an instance gives that
//! instance with the project's calendar and rules. Version 0.2.0 wrote projects of sessions in a format of their own,
//! which [`load`] still reads.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::calendar::correspondence;
use super::formats::{self, LoadOptions};
use super::invigilators::Duty;
use super::publication::Publication;
use super::{Instance, Period, Rules, StoredRules, TimeZone, stored};
use gridwright_core::data::FormerNames;
use gridwright_core::numbers::counted;
use gridwright_core::project::{self, Project, StoredDraft};
use gridwright_core::result::{Encoded, InstanceReference, RunResult};
use gridwright_core::text::lines::{listed, quoted};
use gridwright_core::{Error, Result};

/// Calendar and rules of a session in a project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionDemands {
    /// Periods with their dates and seats.
    pub calendar: Vec<Period>,
    /// Time zone of the periods, if stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<TimeZone>,
    /// Rules by the codes of exams.
    #[serde(default)]
    pub rules: StoredRules,
    /// Published versions of the timetable, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<Publication>,
    /// Duties of invigilators that were assigned last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub duties: Vec<Duty>,
}

impl SessionDemands {
    /// Calendar and rules of an instance.
    pub fn of(instance: &Instance) -> Self {
        let Instance { periods, time_zone, publications, duties, .. } = instance;
        Self {
            calendar: periods.clone(),
            time_zone: *time_zone,
            rules: StoredRules::of(instance),
            published: publications.to_vec(),
            duties: duties.to_vec(),
        }
    }

    /// Calendar and rules that a project stores; the default if it stores none.
    ///
    /// # Errors
    /// The part that cannot be read, and why.
    pub fn in_project(project: &Project) -> std::result::Result<Self, String> {
        project.demands.as_ref().map_or_else(|| Ok(Self::default()), Encoded::read)
    }

    /// Applies calendar and rules to `instance`.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Usage`] if a rule names an unknown exam, or there are too many periods.
    pub fn apply(&self, mut instance: Instance) -> Result<Instance> {
        if !self.calendar.is_empty() {
            super::instance::check_period_count(self.calendar.len())?;
            instance = instance.with_calendar(&self.calendar);
        }
        let seats: Vec<Option<u32>> = instance.periods.iter().map(|period| period.seats).collect();
        let mut instance = StoredRules { seats, ..self.rules.clone() }.apply(instance)?;
        instance.time_zone = self.time_zone;
        instance.rules.ignore_durations = false;
        instance.publications = Arc::new(self.published.clone());
        instance.duties = Arc::new(self.duties.clone());
        Ok(instance)
    }
}

/// Calendar and rules of a session whose data change from `from` to `to`, where exams and rooms may have other codes, without time zone, publications and duties, and remarks that name
/// what rules are lost with. Periods of the calendar stay unless the data have others.
pub fn carry(
    from: &Instance, to: &Instance, calendar: &[Period], rules: &Rules, names: &FormerNames,
) -> (SessionDemands, Vec<String>) {
    let periods = if from.periods == to.periods { calendar.to_vec() } else { to.periods.clone() };
    let rules = rules.with_periods(&correspondence(calendar, &periods));
    let before = StoredRules::of(&Instance { periods: periods.clone(), rules, ..stored::with_names(from, names) });
    let (rules, lost) = before.fitted(&Instance { periods: periods.clone(), ..to.clone() });
    let mut remark = format!("{} about exams or periods that are gone", counted(lost, "rule"));
    let gone: Vec<String> = before.exams_beyond(to).into_iter().map(quoted).collect();
    if !gone.is_empty() {
        remark.push_str(&format!(": {}", listed(&gone)));
    }
    let carried = SessionDemands { calendar: periods, rules, ..SessionDemands::default() };
    (carried, (lost > 0).then_some(remark).into_iter().collect())
}

/// The project of an instance without draft and runs; `source` is its file or `sample:NAME`.
pub fn project_of(instance: &Instance, source: &str) -> Project {
    let reference = InstanceReference {
        name: instance.name.clone(),
        source: source.to_owned(),
        hash: instance.file_hash.clone(),
        options: BTreeMap::from([("periods".to_owned(), instance.period_count().to_string())]),
    };
    let demands = Some(Encoded::of(&SessionDemands::of(instance)));
    Project { demands, ..Project::of("timetabling", reference) }
}

/// Edited timetable in a project of version 0.2.0.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldDraft {
    name: String,
    periods: Vec<(String, Option<u16>)>,
    base: Vec<(String, Option<u16>)>,
}

/// Project of a session as version 0.2.0 wrote it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldProject {
    #[serde(rename = "format")]
    _format: u32,
    program: String,
    instance: InstanceReference,
    calendar: Vec<Period>,
    #[serde(default)]
    rules: StoredRules,
    #[serde(default)]
    draft: Option<OldDraft>,
    #[serde(default)]
    runs: Vec<RunResult>,
    #[serde(default)]
    view: BTreeMap<String, String>,
}

impl From<OldProject> for Project {
    fn from(old: OldProject) -> Self {
        let OldProject { program, instance, calendar, rules, draft, runs, view, .. } = old;
        let timetable = |rows| Encoded::of(&stored::StoredSolution::Timetable(rows));
        let draft = draft.map(|OldDraft { name, periods, base }| StoredDraft {
            name,
            solution: timetable(periods),
            base: timetable(base),
        });
        let demands = Some(Encoded::of(&SessionDemands { calendar, rules, ..SessionDemands::default() }));
        Self { program, demands, draft, runs, view, ..Self::of("timetabling", instance) }
    }
}

/// Reads a project of version 0.2.0; `None` if the file does not begin as one.
pub(crate) fn load_old(path: &Path) -> Option<Result<Project>> {
    let text = gridwright_core::files::read_text(path).ok()?;
    let start = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('(')?;
    let is_old = project::is_project(path) && start.trim_start().starts_with("format:");
    is_old.then(|| project::read::<OldProject>(path, 1).map(Project::from))
}

/// Reads a project without opening its instance.
///
/// # Errors
/// [`gridwright_core::Error::File`] or [`gridwright_core::Error::Line`] if the file cannot be read, is no project or was written by a newer
/// version.
pub fn load(path: &Path) -> Result<Project> {
    load_old(path).unwrap_or_else(|| Project::load(path))
}

/// Reads a project file and opens its instance with the project's calendar and rules. Returns project, instance and
/// source of the instance.
///
/// # Errors
/// As [`load`]; [`gridwright_core::Error::File`] if the instance cannot be opened or has changed since the project was saved;
/// [`gridwright_core::Error::Usage`] if a rule names an unknown exam.
pub fn open(path: &Path) -> Result<(Project, Instance, String)> {
    let project = load(path)?;
    let unreadable = |what| Error::file(path, format!("its rules cannot be read: {what}; use the original"));
    let demands = SessionDemands::in_project(&project).map_err(unreadable)?;
    let options = LoadOptions { periods: Some(demands.calendar.len()).filter(|&count| count > 0) };
    let open = |source: &str| formats::open(source, &options);
    let (instance, source) = project.open_source(path, open)?;
    // A project in which nothing was demanded yet has what its data have.
    let mut instance = if project.demands.is_some() { demands.apply(instance)? } else { instance };
    instance.warnings.extend(project::warning_of_change(&project, &instance.file_hash));
    Ok((project, instance, source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Arrangement, ExtraTime, Objective, ObjectiveKind, Person, Relation, RelationKind, Room, RoomNeeds, Seats,
        Sitting, Timetable, generator,
    };
    use gridwright_core::data::{Dataset, Tables};
    use gridwright_core::project::ProjectData;

    fn session() -> Instance {
        let mut instance = generator::sample("school").unwrap();
        instance.periods[2].seats = Some(300);
        instance.time_zone = Some("Europe/Berlin".parse().unwrap());
        instance.rules.pins.insert(3, 2);
        instance.rules.relations.insert(Relation::new(RelationKind::Before, 7, 1));
        instance
    }

    #[test]
    fn a_project_comes_back_with_calendar_and_rules() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let instance = session();
        let placed = Timetable::of((0..instance.exam_count()).map(|exam| exam as u16 % 5).collect());
        let placed = stored::encode(&instance, &placed);
        let draft = StoredDraft { name: "Edited".to_owned(), solution: placed.clone(), base: placed };
        let project = Project { draft: Some(draft), ..project_of(&instance, "sample:school") };
        project.save(&path).unwrap();
        let (read, opened, source) = open(&path).unwrap();
        assert_eq!((read, source.as_str()), (project, "sample:school"));
        assert_eq!(opened, instance);
        // Opening it as an instance is the same.
        assert_eq!(formats::open(&path.display().to_string(), &LoadOptions::default()).unwrap(), instance);
    }

    #[test]
    fn a_project_with_rooms_comes_back_from_its_tables() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let mut instance = session();
        let room = |number: u16| Room {
            code: format!("H{number}"),
            seats: 120,
            penalty: number.into(),
            single: number == 1,
            unavailable: [number, 7].into(),
            ..Room::default()
        };
        instance.resources.rooms = (0..3).map(room).collect();
        let person = Person { name: "Roth, Jan".to_owned(), exams: [2, 5].into(), unavailable: [3].into() };
        instance.resources.people = vec![person];
        let arrangement = Arrangement { student: 4, extra: ExtraTime::Percent(25), own_room: false };
        instance.resources.arrangements = vec![arrangement];
        instance.exams[2].needs = RoomNeeds { most_rooms: 2, rooms: ["H1".to_owned()].into(), ..RoomNeeds::default() };
        instance.periods[4].penalty = 9;
        instance.objective = Objective::of(ObjectiveKind::Office);
        instance.objective.weights.part = 33;
        let placed = Timetable::of((0..instance.exam_count()).map(|exam| exam as u16 % 5).collect());
        let seats = |sitting: &Sitting| vec![Seats { room: 2, students: sitting.students }];
        let placed = Timetable { rooms: instance.sittings().iter().map(seats).collect(), ..placed };
        let solution = stored::encode(&instance, &placed);
        let draft = StoredDraft { name: "Edited".to_owned(), solution: solution.clone(), base: solution };
        let tables = Arc::new(instance.to_data());
        let data = ProjectData::Tables { specs: Instance::TABLES, data: tables };
        let project = Project { draft: Some(draft), data: Some(data), ..project_of(&instance, "school") };
        project.save(&path).unwrap();
        let (read, opened, _) = open(&path).unwrap();
        assert_eq!(opened, instance);
        let draft = read.draft.unwrap().solution;
        assert_eq!(stored::decode(&opened, &draft).unwrap(), placed);
    }

    /// As an import leaves it before anything else is stated.
    #[test]
    fn a_project_without_demands_has_the_objective_of_its_data() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let instance = session();
        let imported = Dataset { rest: Encoded::of(&()), ..instance.to_data() };
        let data = ProjectData::Tables { specs: Instance::TABLES, data: Arc::new(imported) };
        let project = Project { demands: None, data: Some(data), ..project_of(&instance, "school") };
        project.save(&path).unwrap();
        let opened = open(&path).unwrap().1;
        assert_eq!(opened.objective, Objective::usual(&instance.periods));
        assert_eq!((opened.objective.kind, opened.periods[2].seats), (ObjectiveKind::Office, Some(300)));
    }

    #[test]
    fn a_project_of_version_0_2_0_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let instance = Instance { time_zone: None, ..session() };
        let SessionDemands { calendar, rules, .. } = SessionDemands::of(&instance);
        let [calendar, rules] = [ron::to_string(&calendar).unwrap(), ron::to_string(&rules).unwrap()];
        let text = format!(
            "(\n    format: 1,\n    program: \"gridwright 0.2.0\",\n    instance: (name: \"school\", source: \
             \"sample:school\", hash: \"\", options: {{}}),\n    calendar: {calendar},\n    rules: {rules},\n    draft: \
             Some((name: \"Run 1\", periods: [(\"E001\", Some(4))], base: [(\"E001\", None)])),\n    view: {{\"view\": \
             \"Grid\"}},\n)"
        );
        std::fs::write(&path, text).unwrap();
        let (project, opened, _) = open(&path).unwrap();
        assert_eq!(opened, instance);
        assert_eq!((project.problem.as_str(), project.view["view"].as_str()), ("timetabling", "Grid"));
        let Some(stored::StoredSolution::Timetable(rows)) = project.draft.unwrap().solution.decode() else {
            panic!("no rooms")
        };
        assert_eq!(rows, [("E001".to_owned(), Some(4))]);
        gridwright_core::registry::register(&[&crate::problem::Timetabling]);
        assert_eq!(gridwright_core::registry::owner(path.to_str().unwrap()).id(), "timetabling");
    }

    /// Damages every word of the text in turn: what can no longer be read is refused, what changes nothing is the same.
    #[test]
    fn every_damaged_word_of_the_demands_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let mut instance = session();
        instance.rules.forbidden.insert(5, [1, 2].into());
        instance.periods[0].date = chrono::NaiveDate::from_ymd_opt(2026, 6, 1);
        instance.objective = Objective::of(ObjectiveKind::Office);
        let text = ron::to_string(&SessionDemands::of(&instance)).unwrap();
        let is_letter = |letter: char| letter.is_alphanumeric() || "_-:".contains(letter) && letter != ':';
        let mut words = Vec::new();
        let mut rest = 0;
        while let Some(at) = text[rest..].find(is_letter) {
            let begin = rest + at;
            let end = text[begin..].find(|letter| !is_letter(letter)).map_or(text.len(), |length| begin + length);
            words.push(begin..end);
            rest = end;
        }
        assert!(words.len() > 100, "{text}");
        gridwright_core::registry::register(&[&crate::problem::Timetabling]);
        // Calendars repeat themselves: of each word and its predecessor, the first place is tried.
        let mut tried = std::collections::HashSet::new();
        for (at, word) in words.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |before| &text[words[before].clone()]);
            if !tried.insert((before, &text[word.clone()])) {
                continue;
            }
            let word_itself = &text[word.clone()];
            // A date of a year before Christ is none of a session, but −0 is 0.
            let negative = Some(format!("-{word_itself}")).filter(|_| word_itself.len() > 1);
            for damaged in [Some("Zx".to_owned()), Some("-5".to_owned()), negative].into_iter().flatten() {
                let text = format!("{}{damaged}{}", &text[..word.start], &text[word.end..]);
                let mut project = project_of(&instance, "sample:school");
                let head = ron::to_string(&Project { demands: None, ..project.clone() }).unwrap();
                let file = head.replacen("demands:None", &format!("demands:Some({text})"), 1);
                assert!(file.contains("demands:Some"), "{head}");
                std::fs::write(&path, file).unwrap();
                let opened = open(&path);
                let loaded = gridwright_core::registry::load_project(&path);
                match opened {
                    Err(error) => {
                        let told = error.to_string();
                        assert!(told.contains("school.gridwright") || told.contains(&damaged), "{text}: {told}");
                    }
                    Ok((_, opened, _)) => {
                        panic!("{text}: {:?} is opened without «{}»", opened.rules, &text[word.start..])
                    }
                }
                project.demands = None;
                if let Ok(loaded) = loaded {
                    assert_ne!(loaded.demands, None, "{text}: nothing is dropped");
                }
            }
        }
    }

    /// A misspelt part is refused with its name; a newer version may have parts that this one does not know.
    #[test]
    fn misspelt_parts_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let project = project_of(&session(), "sample:school");
        let file = ron::to_string(&project).unwrap();
        for part in ["demands", "draft", "runs"] {
            let misspelt = file.replacen(&format!("{part}:"), &format!("{part}z:"), 1);
            assert_ne!(misspelt, file, "{part}");
            std::fs::write(&path, &misspelt).unwrap();
            let refused = open(&path).map(drop).unwrap_err().to_string();
            assert!(refused.contains(&format!("{part}z")), "{refused}");
            let newer = misspelt.replacen(&format!("plan_project:{}", project.plan_project), "plan_project:99", 1);
            std::fs::write(&path, newer).unwrap();
            assert!(open(&path).map(drop).unwrap_err().to_string().contains("newer version"));
        }
    }

    /// A project whose container lacks a table, or has two parts of one name, is refused.
    #[test]
    fn missing_and_repeated_parts_are_refused() {
        use std::io::{Cursor, Read as _, Write as _};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let instance = session();
        let data = ProjectData::Tables { specs: Instance::TABLES, data: Arc::new(instance.to_data()) };
        Project { data: Some(data), ..project_of(&instance, "school") }.save(&path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(open(&path).unwrap().1, instance);
        // The archive with other names for its parts; an empty name leaves one out.
        let renamed = |rename: &dyn Fn(&str) -> String| {
            let mut parts = zip::ZipArchive::new(Cursor::new(&whole)).unwrap();
            let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
            for index in 0..parts.len() {
                let mut part = parts.by_index(index).unwrap();
                let name = rename(&part.name().unwrap());
                let mut content = Vec::new();
                part.read_to_end(&mut content).unwrap();
                if !name.is_empty() {
                    archive.start_file(name, zip::write::SimpleFileOptions::DEFAULT).unwrap();
                    archive.write_all(&content).unwrap();
                }
            }
            archive.finish().unwrap().into_inner()
        };
        let refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let registered = gridwright_core::registry::load_project(&path).map(drop);
            let opened = open(&path).map(drop).unwrap_err().to_string();
            (opened, registered)
        };
        gridwright_core::registry::register(&[&crate::problem::Timetabling]);
        for table in ["enrolments", "exams", "periods", "rooms", "people", "examiners", "arrangements"] {
            let part = format!("data/{table}.csv");
            let without = renamed(&|name| if name == part { String::new() } else { name.to_owned() });
            let (error, registered) = refused(&without);
            assert!(error.contains(&format!("the table “{table}” is missing")) && registered.is_err(), "{error}");
        }
        let mut twice = renamed(&|name| name.replace("data/people", "data/roomz"));
        assert!(refused(&twice).0.contains("roomz"), "an unknown table");
        // The name of one part becomes that of another, in the archive's directory, too.
        for at in 0..twice.len() {
            if twice[at..].starts_with(b"data/roomz.csv") {
                twice[at + 9] = b's';
            }
        }
        let (error, registered) = refused(&twice);
        assert!(error.contains("not a whole project") && registered.is_err(), "{error}");
    }

    #[test]
    fn changed_data_and_damaged_files_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.gridwright");
        let mut project = project_of(&generator::sample("school").unwrap(), "sample:school");
        project.instance.hash = "other".to_owned();
        project.save(&path).unwrap();
        let (_, instance, _) = open(&path).unwrap();
        assert!(
            instance.warnings.iter().any(|warning| warning.contains("have changed since")),
            "{:?}",
            instance.warnings
        );
        project.instance.source = "missing.stu".to_owned();
        project.save(&path).unwrap();
        assert!(open(&path).unwrap_err().to_string().contains("beside the project"));
        for text in ["(format: 1", "(plan_project: 1"] {
            std::fs::write(&path, text).unwrap();
            assert!(open(&path).unwrap_err().to_string().contains("not a project"));
        }
    }
}
