//! Examination sessions as tables: enrolments, exams and periods.
//!
//! Students are the names in the enrolments, in the order of their first rows; students without exams, the rules of the
//! file and the published divisor are kept beside the tables.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveTime, Timelike};
use serde::{Deserialize, Serialize};

use super::formats::columns::{ENROLMENTS, EXAMS, PERIODS};
use super::{Exam, Instance, InstanceParts, Period, StoredRules};
use crate::data::{
    Carried, ColumnSpec, DataTable, Dataset, Issue, Reader, Row, RowReader, Rows, TableSpec, Tables, ValueKind,
};
use crate::encoded::Encoded;
use crate::text::lines::counted;

/// Indices of the tables.
const OF_ENROLMENTS: usize = 0;
const OF_EXAMS: usize = 1;
const OF_PERIODS: usize = 2;

const ENROLMENT_COLUMNS: [ColumnSpec; 2] = [
    ColumnSpec::new(ENROLMENTS[0], "Student", ValueKind::Text, "Code or number of the student."),
    ColumnSpec::new(ENROLMENTS[1], "Exam", ValueKind::Reference("exams"), "Code of an exam that the student sits."),
];

const EXAM_COLUMNS: [ColumnSpec; 3] = [
    ColumnSpec::new(EXAMS[0], "Code", ValueKind::Name, "Code of the exam."),
    ColumnSpec::new(EXAMS[1], "Title", ValueKind::Text, "Title of the exam for people."),
    ColumnSpec::new(
        EXAMS[2],
        "Duration",
        ValueKind::Minutes,
        "Length of the exam; it cannot be in a shorter period. Empty if it fits everywhere.",
    )
    .with_unit("min"),
];

const PERIOD_COLUMNS: [ColumnSpec; 4] = [
    ColumnSpec::new(PERIODS[1], "Date", ValueKind::Date, "Day of the period."),
    ColumnSpec::new(PERIODS[2], "Start", ValueKind::Time, "Time of day at which the period begins."),
    ColumnSpec::new(PERIODS[3], "End", ValueKind::Time, "Time of day at which the period ends."),
    ColumnSpec::new(
        PERIODS[4],
        "Seats",
        ValueKind::Whole { least: 0, most: u32::MAX as u64 },
        "Seats of all rooms together; empty if they are not limited.",
    ),
];

const TABLES: [TableSpec; 3] = [
    TableSpec::new(
        "enrolments", "Enrolments", "enrolment", "One row for each exam of each student.", &ENROLMENT_COLUMNS,
    )
    .pairs(0, 1, None)
    .carrying(Carried { column: ENROLMENTS[2], title: "Title of the exam", reference: 1, target: 1 })
    .required(),
    TableSpec::new("exams", "Exams", "exam", "One row for each exam.", &EXAM_COLUMNS),
    TableSpec::new(
        "periods",
        "Periods",
        "period",
        "One row for each period, in the order of the session; nights and weekends have none.",
        &PERIOD_COLUMNS,
    ),
];

/// Data of a session that no table shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Rest {
    /// Divisor of the cost if it is not the number of students.
    divisor: Option<u32>,
    /// True if students have no codes and are numbered from 1.
    numbered: bool,
    /// Position and code of each student without exams, ascending.
    idle: Vec<(usize, String)>,
    /// Rules of the file, without seats.
    rules: StoredRules,
    warnings: Vec<String>,
}

impl Rest {
    /// Codes and exams of all students, those without exams at their places.
    fn with_idle(&self, codes: Vec<String>, lists: Vec<Vec<u16>>) -> (Vec<String>, Vec<Vec<u16>>) {
        if self.idle.is_empty() {
            return (codes, lists);
        }
        let known: HashSet<String> = codes.iter().cloned().collect();
        let mut idle = self.idle.iter().filter(|(_, code)| !known.contains(code)).peekable();
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
    fn apply_rules(self, mut instance: Instance) -> crate::Result<Instance> {
        let (rules, lost) = self.rules.fitted(&instance);
        if lost > 0 {
            let rules = counted(lost, "rule");
            instance.warnings.push(format!("{rules} about exams or periods that the session no longer has; left out"));
        }
        let mut instance = rules.apply(instance)?;
        instance.rules.ignore_durations = false;
        Ok(instance)
    }
}

fn written(time: Option<NaiveTime>) -> String {
    let format = |time: NaiveTime| time.format(if time.second() == 0 { "%H:%M" } else { "%H:%M:%S" }).to_string();
    time.map(format).unwrap_or_default()
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
    let seats = row.whole(3).and_then(|seats| u32::try_from(seats).ok());
    Period { date: row.date(0), start: row.time(1), end: row.time(2), seats, ..Period::default() }
}

impl Tables for Instance {
    const TABLES: &'static [TableSpec] = &TABLES;

    fn to_data(&self) -> Dataset {
        let exam = |exam: &Exam| Row::of([exam.code.clone(), exam.title.clone(), number(exam.duration)]);
        let period = |period: &Period| {
            let date = period.date.map(|date| date.format("%Y-%m-%d").to_string()).unwrap_or_default();
            Row::of([date, written(period.start), written(period.end), number(period.seats)])
        };
        let tables =
            [enrolments_of(self), self.exams.iter().map(exam).collect(), self.periods.iter().map(period).collect()];
        let is_idle = |&student: &usize| self.students.exams_of(student).is_empty();
        let idle = (0..self.students.len()).filter(is_idle).map(|student| (student, self.students.code(student)));
        let rest = Rest {
            divisor: Some(self.divisor).filter(|&divisor| divisor as usize != self.students.len().max(1)),
            numbered: self.students.codes.is_empty() && !self.students.is_empty(),
            idle: idle.collect(),
            rules: StoredRules { seats: Vec::new(), durations: false, ..StoredRules::of(self) },
            warnings: self.warnings.clone(),
        };
        Dataset {
            name: self.name.clone(),
            hash: self.file_hash.clone(),
            tables: tables.map(|rows| DataTable { rows, ..DataTable::default() }).into(),
            rest: Encoded::of(&rest),
        }
    }

    fn of_data(data: &Dataset) -> Result<Self, Vec<Issue>> {
        let reader = Reader::new(data, &TABLES);
        let rest: Rest = data.rest.decode().unwrap_or_default();
        let exam = |row: RowReader| Exam {
            code: row.text(0).to_owned(),
            title: row.text(1).to_owned(),
            duration: row.minutes(2),
            ..Exam::default()
        };
        let exams: Vec<Exam> = reader.rows(OF_EXAMS).map(exam).collect();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let (mut codes, mut lists): (Vec<String>, Vec<Vec<u16>>) = (Vec::new(), Vec::new());
        for row in reader.rows(OF_ENROLMENTS) {
            let student = *numbers.entry(row.text(0)).or_insert_with(|| {
                codes.push(row.text(0).to_owned());
                lists.push(Vec::new());
                lists.len() - 1
            });
            let exam = reader.index_of(OF_EXAMS, row.text(1)).and_then(|exam| u16::try_from(exam).ok());
            lists[student].extend(exam);
        }
        let periods = reader.rows(OF_PERIODS).map(period_of).collect();
        let (codes, students) = rest.with_idle(codes, lists);
        let are_numbers =
            rest.numbered && codes.iter().zip(1_usize..).all(|(code, number)| *code == number.to_string());
        let parts = InstanceParts {
            name: data.name.clone(),
            exams,
            students,
            student_codes: if are_numbers { Vec::new() } else { codes },
            periods,
            divisor: rest.divisor,
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
        let Rest { idle, rules, .. } = rest.decode().unwrap_or_default();
        Encoded::of(&Rest { idle, rules, ..Rest::default() })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Instant;

    use chrono::NaiveDate;
    use proptest::prelude::*;

    use super::*;
    use crate::timetabling::{Relation, RelationKind, Rules};

    type Drawn = (Vec<(String, Option<u32>)>, Vec<(bool, BTreeSet<u16>)>, Vec<(bool, Option<u32>)>, bool, Option<u32>);

    fn drawn() -> impl Strategy<Value = Drawn> {
        let exam = ("[A-Za-zÄ=é ]{0,6}", proptest::option::of(0_u32..=1440));
        let student = (any::<bool>(), proptest::collection::btree_set(0_u16..8, 0..4));
        let period = (any::<bool>(), proptest::option::of(0_u32..5000));
        (
            proptest::collection::vec(exam, 8..=8),
            proptest::collection::vec(student, 0..12),
            proptest::collection::vec(period, 0..6),
            any::<bool>(),
            proptest::option::of(1_u32..50),
        )
    }

    fn instance((exams, students, periods, numbered, divisor): Drawn) -> Instance {
        let exam = |(number, (title, duration)): (usize, (String, Option<u32>))| Exam {
            code: format!("E{number}"),
            title: title.trim().to_owned(),
            duration,
            ..Exam::default()
        };
        let time = |hour, second| NaiveTime::from_hms_opt(hour, 0, second);
        let period = |(number, (dated, seats)): (usize, (bool, Option<u32>))| Period {
            date: NaiveDate::from_ymd_opt(2026, 6, 1 + number as u32).filter(|_| dated),
            start: time(9, number as u32).filter(|_| dated),
            end: time(12, 0),
            seats,
            ..Period::default()
        };
        let mut rules = Rules::default();
        if periods.len() > 3 {
            rules.pins.insert(1, 0);
            rules.forbid(2, 3, true);
        }
        rules.relations.insert(Relation::new(RelationKind::Before, 3, 4));
        Instance::build(InstanceParts {
            name: "drawn".to_owned(),
            exams: exams.into_iter().enumerate().map(exam).collect(),
            student_codes: if numbered {
                Vec::new()
            } else {
                (0..students.len()).map(|number| format!("s{number}")).collect()
            },
            students: students.into_iter().map(|(_, exams)| exams.into_iter().collect()).collect(),
            periods: periods.into_iter().enumerate().map(period).collect(),
            divisor,
            rules,
            warnings: vec!["a remark".to_owned()],
            file_hash: "c0ffee".to_owned(),
            ..InstanceParts::default()
        })
        .unwrap()
    }

    proptest! {
        #[test]
        fn every_instance_comes_back_from_its_tables(drawn in drawn()) {
            let instance = instance(drawn);
            prop_assert_eq!(&Instance::of_data(&instance.to_data()).unwrap(), &instance);
            crate::data::import::tests::assert_imported_again(&instance);
        }
    }

    #[test]
    fn wrong_cells_are_named_by_table_row_and_column() {
        let session = crate::timetabling::generator::sample("school").unwrap();
        let mut data = session.to_data();
        let set = |data: &mut Dataset, table: usize, row: usize, column: usize, value: &str| {
            let rows = &mut data.tables[table].rows;
            rows.set(row, rows.get(row).unwrap().with(column, value));
        };
        set(&mut data, OF_ENROLMENTS, 4, 1, "NOPE");
        set(&mut data, OF_ENROLMENTS, 7, 0, "");
        set(&mut data, OF_EXAMS, 2, 2, "long");
        let first = data.tables[OF_EXAMS].rows.get(0).unwrap().cell(0).to_owned();
        set(&mut data, OF_EXAMS, 3, 0, &first);
        set(&mut data, OF_PERIODS, 1, 0, "31.02.2026");
        set(&mut data, OF_PERIODS, 1, 3, "many");
        let issues = Instance::of_data(&data).unwrap_err();
        let texts: Vec<String> = issues.iter().map(|issue| issue.text(&TABLES)).collect();
        for expected in [
            "Enrolments, row 5, Exam: «NOPE» is not in the table “Exams”",
            "Enrolments, row 8, Student: the value is missing",
            "Exams, row 3, Duration: «long» is not a whole number",
            "Exams, row 4, Code: ",
            "Periods, row 2, Date: «31.02.2026» is no date",
            "Periods, row 2, Seats: «many» is not a whole number",
        ] {
            assert!(texts.iter().any(|text| text.starts_with(expected)), "{expected}: {texts:?}");
        }
        // What refers to the exam whose code was changed is wrong, too, and is named.
        assert!(texts.iter().all(|text| text.contains(": ") && text.contains(", row ")), "{texts:?}");
    }

    #[test]
    fn rules_about_exams_that_are_gone_are_left_out_with_a_warning() {
        let mut session = crate::timetabling::generator::sample("school").unwrap();
        session.rules.relations.insert(Relation::new(RelationKind::Before, 0, 1));
        session.rules.pins.insert(2, 3);
        let mut data = session.to_data();
        let code = session.exams[0].code.clone();
        for (table, column) in [(OF_ENROLMENTS, 1), (OF_EXAMS, 0)] {
            let rows = data.tables[table].rows.clone();
            data.tables[table].rows = rows.iter().filter(|row| row.cell(column) != code).cloned().collect();
        }
        data.rest = Instance::rest_of_changed(&data.rest);
        let fewer = Instance::of_data(&data).unwrap();
        assert_eq!((fewer.rules.relations.len(), fewer.rules.pins.get(&1)), (0, Some(&3)));
        assert!(fewer.warnings.iter().any(|warning| warning.starts_with("1 rule about exams")), "{:?}", fewer.warnings);
    }

    /// A session of a very large university takes a second or two; the limit leaves room for a busy machine, and none for work that
    /// grows with the square of the rows.
    #[test]
    fn a_million_enrolments_are_converted_in_seconds() {
        let exams = (0..4_000).map(|exam| Exam { code: format!("EXAM{exam:05}"), ..Exam::default() }).collect();
        let sits = |student: u32| (0..5).map(|at| ((student / 97 * 7 + at * 3) % 4_000) as u16).collect();
        let parts = InstanceParts { exams, students: (0..200_000).map(sits).collect(), ..InstanceParts::default() };
        let instance = Instance::build(parts).unwrap();
        assert_eq!(instance.enrolments(), 1_000_000);
        let began = Instant::now();
        let data = instance.to_data();
        let back = Instance::of_data(&data).unwrap();
        let seconds = began.elapsed().as_secs_f64();
        println!("{seconds:.2} s");
        assert!(back == instance && seconds < 60.0, "{seconds} s");
    }
}
