//! Readers never panic on damaged files, and read back what was written.

use std::path::Path;

use gridwright_core::files;
use gridwright_timetabling::formats::{Source, carter, csv, itc2007, solution};
use gridwright_timetabling::{Exam, Instance, InstanceParts, Period, Timetable, UNPLACED};
use proptest::prelude::*;

use crate::support::changed;

/// Passes a text to every reader, each of which must return an instance or an error.
fn read_by_all(bytes: &[u8]) {
    let path = Path::new("a.file");
    let Ok(text) = files::text(path, bytes.to_vec()) else { return };
    let source = Source { path, text: &text };
    let crs = Source { path: Path::new("a.crs"), text: "0001 2\n0002 1\n" };
    let stu = Source { path: Path::new("a.stu"), text: "0001 0002\n0001\n" };
    let enrolments = Source { path: Path::new("a.csv"), text: "student,exam\n1,A\n" };
    let tables = csv::Tables { enrolments, exams: None, periods: None };
    let carter = [carter::parse(None, source), carter::parse(Some(crs), source), carter::parse(Some(source), stu)];
    let read = carter.into_iter().map(|read| read.map(|(parts, _)| parts)).chain([
        itc2007::parse(source),
        csv::parse(csv::Tables { enrolments: source, ..tables }),
        csv::parse(csv::Tables { exams: Some(source), ..tables }),
        csv::parse(csv::Tables { periods: Some(source), ..tables }),
    ]);
    for parts in read {
        match parts {
            // A text without exams is rejected by [`Instance::build`].
            Ok(parts) => drop(Instance::build(parts)),
            Err(error) => assert!(error.to_string().contains("a."), "{error}"),
        }
    }
    let _ = solution::parse(source, &super::instance(3, 5), solution::SolutionOptions::default());
}

/// Valid files of every kind.
const VALID: [&str; 8] = [
    "0001 2\n0002 1\n0003 14\n",
    "0001 0002 0003\n0002\n\n0001 0003\n",
    "0001 0\n0002 4\n0003 -\n",
    "student,exam\ns1,MAT101\ns2,\"PHY, 1\"\n",
    "code;title;duration\nMAT101;Calculus;120\nPHY;;\n",
    "period,date,start,end,seats\n1,2026-06-01,09:00,12:00,100\n2,01.06.2026,14:00,,\n",
    "exam\tperiod\n0001\t1\n0002\t5\n0003\t2\n",
    "[Exams:2]\n120, 7, 8\n90, 8\n[Periods:1]\n15:04:2005, 09:30:00, 180, 0\n[Rooms:1]\n9, 0\n\
     [PeriodHardConstraints]\n0, AFTER, 1\n[RoomHardConstraints]\n0, ROOM_EXCLUSIVE\n[InstitutionalWeightings]\nTWOINAROW, 7\n",
];

/// Pieces that are put into valid files.
const PIECES: &[&str] = &["\n", "\r", "\r\n", ",", ";", "\t", "\"", "-", "["];

/// Instance whose codes and titles need quotation marks, with gaps in all optional data.
fn session() -> impl Strategy<Value = Instance> {
    let code = "[A-Z]{2,3}[0-9]{1,4}|[A-Z]{2}[ ;,\"'][0-9]{2}";
    let exams =
        proptest::collection::btree_map(code, ("[A-Za-zäöü,;\" ]{0,12}", proptest::option::of(0..600_u32)), 1..12);
    let hole = |range| proptest::option::of(range);
    let period = (hole(0..3_000_u32), hole(0..600_u32), hole(600..1_440_u32), hole(0..u32::MAX));
    let students = proptest::collection::vec(proptest::collection::vec(any::<proptest::sample::Index>(), 1..5), 1..20);
    (exams, proptest::collection::vec(period, 0..9), students).prop_map(|(exams, periods, students)| {
        let time = |minutes: u32| chrono::NaiveTime::from_hms_opt(minutes / 60, minutes % 60, 0).unwrap();
        let first_day = chrono::NaiveDate::from_ymd_opt(2020, 2, 27).unwrap();
        let count = exams.len();
        let periods = periods.into_iter().map(|(day, start, end, seats)| Period {
            date: day.map(|day| first_day + chrono::Days::new(u64::from(day))),
            start: start.map(time),
            end: end.map(time),
            seats,
            ..Period::default()
        });
        let exams = exams.into_iter().map(|(code, (title, duration))| Exam {
            code,
            title: title.trim().to_owned(),
            duration,
            ..Exam::default()
        });
        let students: Vec<Vec<u16>> =
            students.iter().map(|list| list.iter().map(|exam| exam.index(count) as u16).collect()).collect();
        Instance::build(InstanceParts {
            name: "test".to_owned(),
            exams: exams.collect(),
            student_codes: (0..students.len()).map(|student| format!("s;{student}")).collect(),
            students,
            periods: periods.collect(),
            ..InstanceParts::default()
        })
        .unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_by_all(&bytes);
    }

    #[test]
    fn arbitrary_text_of_the_right_letters_never_panics(text in "[0-9 ,;:\"\\[\\]\\-A-Za-z\r\n\t.]{0,200}") {
        read_by_all(text.as_bytes());
    }

    #[test]
    fn changed_files_never_panic(bytes in changed(&VALID, PIECES)) {
        read_by_all(&bytes);
    }

    #[test]
    fn a_written_timetable_is_read_back(
        periods in proptest::collection::vec(proptest::option::of(0..9_u16), 1..40),
    ) {
        let instance = super::instance(periods.len(), 9);
        let timetable = Timetable::of(periods.into_iter().map(|period| period.unwrap_or(UNPLACED)).collect());
        let text = solution::write_solution(&instance, &timetable);
        let source = Source { path: Path::new("a.sol"), text: &text };
        let read = solution::parse(source, &instance, solution::SolutionOptions::default()).unwrap();
        prop_assert_eq!(read.timetable, timetable);
        prop_assert_eq!(read.counted_from, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_tables_are_read_back(instance in session()) {
        let [enrolments, exams, periods] =
            [csv::write_enrolments(&instance), csv::write_exams(&instance), csv::write_periods(&instance)];
        let source = |name, text| Source { path: Path::new(name), text };
        let tables = csv::Tables {
            enrolments: source("a.csv", enrolments.as_str()),
            exams: Some(source("exams.csv", exams.as_str())),
            periods: (instance.period_count() > 0).then_some(source("periods.csv", periods.as_str())),
        };
        let parts = csv::parse(tables).unwrap();
        let read = Instance::build(InstanceParts { name: "test".to_owned(), warnings: Vec::new(), ..parts }).unwrap();
        prop_assert_eq!(read, instance);
    }

    #[test]
    fn written_toronto_files_are_read_back(instance in session()) {
        let (courses, students) = (carter::write_courses(&instance), carter::write_students(&instance));
        let source = |name, text| Source { path: Path::new(name), text };
        let (parts, _) = carter::parse(Some(source("a.crs", courses.as_str())), source("a.stu", students.as_str())).unwrap();
        prop_assert_eq!(parts.warnings.len(), 0);
        let read = Instance::build(parts).unwrap();
        prop_assert_eq!(&read.students.exams, &instance.students.exams);
        prop_assert_eq!(read.conflicts, instance.conflicts);
    }

    #[test]
    fn a_timetable_of_codes_with_blanks_is_read_back(instance in session()) {
        prop_assume!(instance.period_count() > 0);
        let periods = (0..instance.exam_count()).map(|exam| (exam % instance.period_count()) as u16).collect();
        let timetable = Timetable::of(periods);
        let text = solution::write_solution(&instance, &timetable);
        let read = solution::parse(Source { path: Path::new("a.sol"), text: &text }, &instance, solution::SolutionOptions::default());
        prop_assert_eq!(read.unwrap().timetable, timetable);
    }
}
