//! Examination sessions as tables: enrolments, exams, periods, rooms, people, examiners, arrangements,
//! students, invigilators and the rules for their number.
//!
//! Students are the names in the enrolments, in the order of their first rows; students without exams, the rules of the
//! file and the published divisor are kept beside the tables.

mod invigilators;
mod resources;
pub(super) mod specs;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

pub(crate) use self::resources::periods_of;
use self::specs::{OF_ENROLMENTS, OF_EXAMS, OF_PERIODS, TABLES};
use super::respelled::Respelled;
use super::{Exam, ExtraTimePlace, Instance, InstanceParts, Objective, Period, StoredRules};
use gridwright_core::data::{
    DataTable, Dataset, Issue, Reader, Row, RowReader, Rows, TableSpec, Tables, key, written_time,
};
use gridwright_core::encoded::Encoded;
use gridwright_core::text::lines::counted;

/// Data of a session that no table shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Rest {
    /// Divisor of the cost if it is not the number of students.
    divisor: Option<u32>,
    /// True if students have no codes and are numbered from 1.
    numbered: bool,
    /// Place of the students with extra time; sessions of former versions do not say it and had them apart.
    #[serde(default = "apart", skip_serializing_if = "is_apart")]
    extra_time: ExtraTimePlace,
    /// Position and code of each student without exams, ascending.
    idle: Vec<(usize, String)>,
    /// Rules of the file, without seats.
    rules: StoredRules,
    warnings: Vec<String>,
}

fn apart() -> ExtraTimePlace {
    ExtraTimePlace::Apart
}

fn is_apart(place: &ExtraTimePlace) -> bool {
    *place == apart()
}

/// Numbers of students by their codes in any spelling, in the order of their first rows.
#[derive(Default)]
struct StudentNumbers<'a> {
    exact: HashMap<&'a str, usize>,
    by_key: HashMap<String, usize>,
}

impl<'a> StudentNumbers<'a> {
    /// Number of a student; a new one has the next.
    fn of(&mut self, code: &'a str) -> usize {
        *self.exact.entry(code).or_insert_with(|| {
            let next = self.by_key.len();
            *self.by_key.entry(key(code)).or_insert(next)
        })
    }
}

impl Rest {
    /// Codes and exams of all students, those without exams at their places.
    fn with_idle(&self, codes: Vec<String>, lists: Vec<Vec<u16>>) -> (Vec<String>, Vec<Vec<u16>>) {
        if self.idle.is_empty() {
            return (codes, lists);
        }
        let known: HashSet<String> = codes.iter().map(|code| key(code)).collect();
        let mut idle = self.idle.iter().filter(|(_, code)| !known.contains(&key(code))).peekable();
        let mut all = (Vec::new(), Vec::new());
        let mut busy = codes.into_iter().zip(lists);
        loop {
            let student = match idle.next_if(|(position, _)| *position <= all.0.len()) {
                Some((_, code)) => (code.clone(), Vec::new()),
                None => match busy.next().or_else(|| idle.next().map(|(_, code)| (code.clone(), Vec::new()))) {
                    Some(student) => student,
                    None => return all,
                },
            };
            all.0.push(student.0);
            all.1.push(student.1);
        }
    }

    /// The instance with the rules of its file; rules about what it no longer has are left out with a warning.
    fn apply_rules(self, mut instance: Instance) -> gridwright_core::Result<Instance> {
        let objective = instance.objective.clone();
        let (rules, lost) = self.rules.fitted(&instance);
        if lost > 0 {
            let rules = counted(lost, "rule");
            instance.warnings.push(format!("{rules} about exams or periods that the session no longer has; left out"));
        }
        let mut instance = rules.apply(instance)?;
        instance.rules.ignore_durations = false;
        if self.rules.objective.is_none() {
            instance.objective = objective;
        }
        Ok(instance)
    }
}

fn mark(is_set: bool) -> String {
    if is_set { "yes".to_owned() } else { String::new() }
}

fn number(value: Option<u32>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn enrolments_of(instance: &Instance) -> Rows {
    let students = (0..instance.students.len()).flat_map(|student| {
        let code = instance.students.code(student);
        let exams = instance.students.exams_of(student).iter();
        exams.map(move |&exam| Row::of([code.as_str(), instance.exams[usize::from(exam)].code.as_str()]))
    });
    students.collect()
}

fn period_of(row: RowReader) -> Period {
    let count = |column| row.whole(column).and_then(|count| u32::try_from(count).ok());
    let penalty = count(4).unwrap_or(0);
    Period { date: row.date(0), start: row.time(1), end: row.time(2), seats: count(3), penalty }
}

impl Tables for Instance {
    const TABLES: &'static [TableSpec] = &TABLES;

    fn to_data(&self) -> Dataset {
        let exam = |exam: &Exam| {
            let cells = [exam.code.clone(), exam.title.clone(), number(exam.duration)];
            Row::of(cells.into_iter().chain(resources::needs_cells(exam)))
        };
        let period = |period: &Period| {
            let date = period.date.map(|date| date.format("%Y-%m-%d").to_string()).unwrap_or_default();
            let [start, end] = [period.start, period.end].map(|time| time.map(written_time).unwrap_or_default());
            let penalty = number(Some(period.penalty).filter(|&penalty| penalty > 0));
            Row::of([date, start, end, number(period.seats), penalty])
        };
        let exams = self.exams.iter().map(exam).collect();
        let [rooms, people, examiners, arrangements, contacts] = resources::rows_of(self);
        let [invigilators, invigilation] = invigilators::rows_of(self);
        let periods = self.periods.iter().map(period).collect();
        let of_people = [people, examiners, arrangements, contacts, invigilators, invigilation];
        let tables = [enrolments_of(self), exams, periods, rooms].into_iter().chain(of_people);
        let is_idle = |&student: &usize| self.students.exams_of(student).is_empty();
        let idle = (0..self.students.len()).filter(is_idle).map(|student| (student, self.students.code(student)));
        let rest = Rest {
            divisor: Some(self.divisor).filter(|&divisor| divisor as usize != self.students.len().max(1)),
            numbered: self.students.codes.is_empty() && !self.students.is_empty(),
            extra_time: self.resources.extra_time,
            idle: idle.collect(),
            rules: StoredRules { seats: Vec::new(), durations: false, extra_time: None, ..StoredRules::of(self) },
            warnings: self.warnings.clone(),
        };
        Dataset {
            name: self.name.clone(),
            hash: self.file_hash.clone(),
            tables: tables.map(|rows| DataTable { rows, ..DataTable::default() }).collect(),
            rest: Encoded::of(&rest),
        }
    }

    fn of_data(data: &Dataset) -> Result<Self, Vec<Issue>> {
        let mut reader = Reader::new(data, &TABLES);
        // Tables that were never a session have nothing beside them.
        let is_imported = data.rest == Encoded::of(&());
        let mut rest: Rest = data.decoded_rest()?;
        let exam = |row: RowReader| Exam {
            code: row.text(0).to_owned(),
            title: row.text(1).to_owned(),
            duration: row.minutes(2),
            needs: resources::needs_of(&reader, row),
            ..Exam::default()
        };
        let exams: Vec<Exam> = reader.rows(OF_EXAMS).map(exam).collect();
        let mut students = StudentNumbers::default();
        let (mut codes, mut lists): (Vec<String>, Vec<Vec<u16>>) = (Vec::new(), Vec::new());
        let mut respelled = Respelled::default();
        for (row, number) in reader.rows(OF_ENROLMENTS).zip(1_usize..) {
            let student = students.of(row.text(0));
            if student == lists.len() {
                codes.push(row.text(0).to_owned());
                lists.push(Vec::new());
            }
            respelled.note(|| format!("row {number} of the enrolments"), row.text(0), &codes[student]);
            let exam = reader.index_of(OF_EXAMS, row.text(1)).and_then(|exam| u16::try_from(exam).ok());
            lists[student].extend(exam);
        }
        let periods: Vec<Period> = reader.rows(OF_PERIODS).map(period_of).collect();
        let objective = if is_imported { Objective::usual(&periods) } else { Objective::default() };
        rest.warnings.extend(respelled.describe());
        let (codes, students) = rest.with_idle(codes, lists);
        let mut resources = resources::resources_of(&mut reader, &periods, &codes, &mut rest.warnings);
        resources.extra_time = if is_imported { ExtraTimePlace::default() } else { rest.extra_time };
        let are_numbers =
            rest.numbered && codes.iter().zip(1_usize..).all(|(code, number)| *code == number.to_string());
        let parts = InstanceParts {
            name: data.name.clone(),
            exams,
            students,
            student_codes: if are_numbers { Vec::new() } else { codes },
            periods,
            divisor: rest.divisor,
            resources,
            objective,
            warnings: rest.warnings.clone(),
            file_hash: data.hash.clone(),
            ..InstanceParts::default()
        };
        reader.finish(|| rest.apply_rules(Self::build(parts)?))
    }

    fn template() -> Option<Dataset> {
        let exam = |code: &str| Exam { code: code.to_owned(), duration: Some(120), ..Exam::default() };
        let parts = InstanceParts {
            name: "New session".to_owned(),
            exams: ["EXAM1", "EXAM2", "EXAM3"].map(exam).into(),
            students: vec![vec![0, 1], vec![1, 2]],
            student_codes: vec!["student 1".to_owned(), "student 2".to_owned()],
            periods: vec![Period::default(); 3],
            ..InstanceParts::default()
        };
        Some(Self::build(parts).ok()?.to_data())
    }

    fn rest_of_changed(rest: &Encoded) -> Encoded {
        let Rest { extra_time, idle, rules, .. } = rest.decode().unwrap_or_default();
        Encoded::of(&Rest { extra_time, idle, rules, ..Rest::default() })
    }
}

/// The data with another place of the students with extra time.
///
/// # Errors
/// Why the data cannot be read.
pub fn with_extra_time(data: &Dataset, place: ExtraTimePlace) -> Result<Dataset, Vec<Issue>> {
    let rest: Rest = data.decoded_rest()?;
    Ok(Dataset { rest: Encoded::of(&Rest { extra_time: place, ..rest }), ..data.clone() })
}

#[cfg(test)]
mod tests;
