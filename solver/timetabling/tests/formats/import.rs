//! Import of sheets into the tables of examination sessions.

use std::path::Path;
use std::sync::Arc;

use gridwright_core::data::import::{
    self, BadLines, Layout, Mapped, Mapping, Outcome, Request, Sheet, UnknownNames, problem_line,
};
use gridwright_core::data::{DateOrder, Tables, open};
use gridwright_timetabling::Instance;
use gridwright_timetabling::formats::{LoadOptions, load};
use proptest::prelude::*;
use strum::VariantArray;

use super::{assert_says, sits};

const ENROLMENTS: usize = 0;
const EXAMS: usize = 1;
const PERIODS: usize = 2;

fn sheet(name: &str, text: &[u8]) -> Sheet {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    Sheet::read(&path, Instance::TABLES, None, None).unwrap().remove(0)
}

fn request(tables: &[(usize, &str, &str)]) -> Request {
    let mapped = |&(table, name, text): &(usize, &str, &str)| {
        let sheet = sheet(name, text.as_bytes());
        Mapped { mapping: Mapping::guess_for(&sheet, Instance::TABLES, table), sheet: Arc::new(sheet) }
    };
    Request {
        name: "test".to_owned(),
        sheets: tables.iter().map(mapped).collect(),
        base: Instance::empty_data("test"),
        bad_lines: BadLines::Stop,
        unknown: UnknownNames::AreWrong.into(),
    }
}

fn run(request: &Request) -> Outcome {
    import::run(Instance::TABLES, request)
}

fn listed(request: &Request, outcome: &Outcome) -> String {
    outcome.problems.iter().map(|problem| problem_line(request, problem) + "\n").collect()
}

#[test]
fn every_shape_of_enrolments_says_the_same() {
    let plain = run(&request(&[(ENROLMENTS, "a.csv", "student,exam\ns1,MAT\ns1,PHY\ns2,PHY\n")]));
    let plain: Instance = open(&plain.data).unwrap();
    for (text, layout) in [
        (
            "Registrations of summer 2026\n\nMatrikel-Nr.;Prüfung;Bezeichnung\ns1;MAT;Maths\ns1;PHY;\ns2;PHY;Physics\n\
             Summe;3;\n",
            Layout::Rows,
        ),
        ("sep=|\nκωδικός μαθήματος|αριθμός μητρώου\nMAT|s1\nphy |s1\nPHY|s2\n", Layout::Rows),
        ("Student number (SIS)\tName\tExam code of the board\ns1\tA\tMAT\ns1\tA\tPHY\ns2\tB\tPHY\n", Layout::Rows),
        ("Étudiant;Module 1;Module 2;Module 3\ns1;MAT;PHY\ns2;PHY\n", Layout::Lists),
        ("student,MAT,PHY,CHE\ns1,x,1,\ns2,0,yes,-\n", Layout::Matrix),
    ] {
        let request = request(&[(ENROLMENTS, "a.csv", text)]);
        assert_eq!(request.sheets[0].mapping.layout, layout, "{text}");
        let outcome = run(&request);
        assert_eq!(outcome.obstacle, None, "{text}: {}", listed(&request, &outcome));
        let instance: Instance = open(&outcome.data).unwrap();
        let upper = |pairs: Vec<(String, String)>| {
            pairs.into_iter().map(|(student, exam)| (student, exam.to_uppercase())).collect::<Vec<_>>()
        };
        assert_eq!(upper(sits(&instance)), upper(sits(&plain)), "{text}");
    }
}

#[test]
fn a_person_names_columns_that_nobody_could_guess() {
    let mut request = request(&[(ENROLMENTS, "a.csv", "s1,77,MAT\ns1,77,PHY\ns2,78,PHY\n")]);
    assert_eq!(request.sheets[0].mapping.header, None, "numbers are no header");
    assert_says(&run(&request).obstacle.unwrap(), &["Enrolments", "which column holds “Student”"]);
    request.sheets[0].mapping.columns = vec![Some(0), Some(2)];
    let outcome = run(&request);
    assert_eq!((outcome.obstacle.as_deref(), outcome.counts[0].lines), (None, 3));
    assert_eq!(open::<Instance>(&outcome.data).unwrap().enrolments(), 3);
}

#[test]
fn every_bad_line_is_named_before_anything_is_taken() {
    let enrolments = "student,exam\ns1,MAT\n,PHY\ns2,\n\ns3\ns4,BIO\ns1,mat\ns5,PHY,,7\ns6,M-AT\n";
    let exams = "code,title,duration\nMAT,Maths,two hours\nPHY,Physics,1h30\nphy,,60\n,,\n";
    let periods = "date,start,end,seats\n01/06/2026,9:00,11:00,100\n32/06/2026,2 pm,4 pm,many\n";
    let tables = [(ENROLMENTS, "a.csv", enrolments), (EXAMS, "exams.csv", exams), (PERIODS, "periods.csv", periods)];
    let mut request = request(&tables);
    let outcome = run(&request);
    assert_says(
        &listed(&request, &outcome),
        &[
            "a.csv, line 3: “Student” is missing",
            "a.csv, line 4: “Exam” is missing",
            "a.csv, line 6: “Exam” is missing",
            "a.csv, line 7, exam: «BIO» is not in the table “Exams”",
            "a.csv, line 8, exam: «mat» is taken for «MAT»",
            "a.csv, line 8: this repeats an earlier line; counted once",
            "a.csv, line 9: 4 cells where the header has 2",
            "a.csv, line 10, exam: «M-AT» is not in the table “Exams”; is «MAT» meant?",
            "exams.csv, line 2, duration: «two hours»",
            "exams.csv, line 4, code: «PHY» stands already in line 3",
            "periods.csv, line 3, date: «32/06/2026»",
            "periods.csv, line 3, seats: «many» is not a whole number",
        ],
    );
    let count = outcome.counts[0];
    assert_eq!((count.lines, count.left_out, count.repeats, count.respelled), (8, 6, 1, 1));
    assert_says(&outcome.obstacle.clone().unwrap(), &["10 lines or values", "leave them out"]);
    request.bad_lines = BadLines::LeaveOut;
    request.unknown = UnknownNames::AreAdded.into();
    let outcome = run(&request);
    assert_eq!(outcome.obstacle, None);
    let instance: Instance = open(&outcome.data).unwrap();
    let pair = |student: &str, exam: &str| (student.to_owned(), exam.to_owned());
    assert_eq!(sits(&instance), [pair("s1", "MAT"), pair("s4", "BIO"), pair("s6", "M-AT")]);
    assert_eq!((instance.exams[1].title.as_str(), instance.exams[1].duration), ("Physics", Some(90)));
    assert_eq!((instance.periods.len(), instance.periods[1].date), (2, None));
    // Similar names are meant, others are wrong.
    request.unknown = UnknownNames::AreMeant.into();
    let outcome = run(&request);
    let instance: Instance = open(&outcome.data).unwrap();
    assert_eq!(sits(&instance), [pair("s1", "MAT"), pair("s6", "MAT")]);
    assert_says(&listed(&request, &outcome), &["«BIO» is not in", "line 10, exam: «M-AT» is taken for «MAT»"]);
    // Names that look alike are told apart by their characters.
    let alike = [(EXAMS, "exams.csv", "code\nINF-101\n"), (ENROLMENTS, "a.csv", "student,exam\ns,INF\u{2011}101\n")];
    let alike = self::request(&alike);
    assert_says(&listed(&alike, &run(&alike)), &["is taken for «INF-101» (the cell has a non-breaking hyphen)"]);
    // Of two similar ones none is meant.
    let two = [(EXAMS, "exams.csv", "code\nM.AT\nMA-T\n"), (ENROLMENTS, "a.csv", "student,exam\ns,MAT\ns,M.AT\n")];
    let mut two = self::request(&two);
    two.unknown = UnknownNames::AreMeant.into();
    assert_says(&listed(&two, &run(&two)), &["a.csv, line 2, exam: «MAT» is not in the table “Exams”"]);
}

#[test]
fn dates_are_understood_as_they_stand() {
    let periods = request(&[(PERIODS, "p.csv", "date,start\n06/01/2026,09:00\n06/15/2026,09:00\n")]);
    assert_eq!(periods.sheets[0].mapping.dates, DateOrder::MonthFirst);
    let tables =
        [(ENROLMENTS, "a.csv", "student,exam\ns,E\n"), (PERIODS, "p.csv", "date,start,seats\n46174,0.375,7\n")];
    let instance: Instance = open(&run(&request(&tables)).data).unwrap();
    assert_eq!(instance.period_label(0), "Mon 1 Jun, 09:00", "dates of workbooks are numbers of days");
}

/// A date with two readings is told by the import and the command line, and the order that a column shows counts for both.
#[test]
fn dates_with_two_readings_are_told() {
    let tables = |dates: &[&str]| {
        let rows: String = dates.iter().map(|date| format!("{date},09:00,11:00\n")).collect();
        (format!("date,start,end\n{rows}"), "room,seats,closed\nH,9,06/02/2026\n")
    };
    let read = |dates: &[&str]| {
        let (periods, rooms) = tables(dates);
        let files =
            [("enrolments.csv", "student,exam\ns,E\n"), ("periods.csv", periods.as_str()), ("rooms.csv", rooms)];
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
        load(&folder.path().join("enrolments.csv"), &LoadOptions::default()).unwrap()
    };
    let doubtful = read(&["06/01/2026", "07/01/2026"]);
    assert_eq!(doubtful.period_label(0), "Tue 6 Jan, 09:00–11:00");
    let told = doubtful.warnings.join("\n");
    assert_says(
        &told,
        &[
            "periods.csv: «06/01/2026» is read as 2026-01-06, with the day first",
            "write 2026-06-01 if that is meant",
            "rooms.csv, Closed: «06/02/2026» is read as 2026-02-06",
        ],
    );
    let shown = read(&["06/01/2026", "06/13/2026"]);
    assert_eq!(shown.period_label(1), "Sat 13 Jun, 09:00–11:00");
    assert!(!shown.warnings.iter().any(|told| told.contains("periods.csv")), "{:?}", shown.warnings);
    let (periods, _) = tables(&["06/01/2026"]);
    let mut alone = request(&[(ENROLMENTS, "a.csv", "student,exam\ns,E\n"), (PERIODS, "p.csv", &periods)]);
    assert_says(&listed(&alone, &run(&alone)), &["p.csv, Date: «06/01/2026» is read as 2026-01-06"]);
    alone.sheets[1].mapping.dates = DateOrder::MonthFirst;
    assert_says(&listed(&alone, &run(&alone)), &["«06/01/2026» is read as 2026-06-01, with the month first"]);
}

/// Examiners and exams in two columns are a table of examiners if exams repeat or the sheet is called so, and a table of exams with
/// their examiners otherwise.
#[test]
fn a_table_of_examiners_is_none_of_exams() {
    const EXAMINERS: usize = 5;
    let table = |name: &str, text: &str| Mapping::guess(&sheet(name, text.as_bytes()), Instance::TABLES).table;
    assert_eq!(table("examiners.csv", "examiner,exam\nRoth,A\n"), Some(EXAMINERS));
    assert_eq!(table("Prüfer.csv", "Prüfer;Prüfung\nRoth;A\n"), Some(EXAMINERS));
    assert_eq!(table("x.csv", "exam,examiner\nA,Roth\nA,Wu\nB,Wu\n"), Some(EXAMINERS));
    assert_eq!(table("x.csv", "exam,examiner\nA,Roth; Wu\nB,Wu\n"), Some(EXAMS));
    assert_eq!(table("Prüfungen.csv", "Prüfung;Prüfer\nA;Roth\n"), Some(EXAMS));
    assert_eq!(table("people.csv", "name;absent\nWu;\n"), Some(4));
}

#[test]
fn a_file_shows_which_table_it_is() {
    let table = |text: &str| Mapping::guess(&sheet("x.csv", text.as_bytes()), Instance::TABLES).table;
    assert_eq!(table("Matrikel;Modul;Bezeichnung\n1;A;b\n"), Some(ENROLMENTS));
    assert_eq!(table("code,title,duration\nA,b,90\n"), Some(EXAMS));
    assert_eq!(table("Datum;Beginn;Ende\n1.6.2026;9:00;11:00\n"), Some(PERIODS));
    assert_eq!(table("a,b\n1,2\n"), None);
}

#[test]
fn a_western_table_with_a_known_header_opens_without_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, b"Student;Pr\xfcfung;Titel\ns1;M\xc4T;Gr\xf6\xdfen\n").unwrap();
    let instance = load(&path, &LoadOptions::default()).unwrap();
    assert_eq!((instance.exams[0].code.as_str(), instance.exams[0].title.as_str()), ("MÄT", "Größen"));
    assert_says(&instance.warnings.join("\n"), &["a.csv: read as Western (Windows-1252) text"]);
}

#[test]
fn rows_are_found_again_whatever_ends_lines() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["", "a,b", "", "1,\"2,3\"", "4,5"].join(end);
        let sheet = sheet("x.csv", text.as_bytes());
        assert_eq!(sheet.row(1), (4, vec!["1".to_owned(), "2,3".to_owned()]), "{end:?}");
        assert_eq!(sheet.row(2), (5, vec!["4".to_owned(), "5".to_owned()]));
        assert_eq!((sheet.row(3), sheet.row_of_line(4), sheet.row_of_line(1)), ((0, Vec::new()), Some(1), None));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every line is used, reported or a repeat.
    #[test]
    fn no_line_vanishes(rows in proptest::collection::vec(("[a-c]{0,2}", "[A-C;\" ]{0,3}"), 1..40)) {
        let mut text = "student,exam\n".to_owned();
        rows.iter().for_each(|(student, exam)| text.push_str(&format!("{student},{exam}\n")));
        let request = request(&[(ENROLMENTS, "a.csv", &text)]);
        let outcome = run(&request);
        let count = outcome.counts[0];
        let taken = outcome.data.tables[ENROLMENTS].rows.len();
        prop_assert_eq!(taken + count.left_out + count.repeats, count.lines);
        prop_assert_eq!(outcome.problems.len(), count.left_out + count.repeats + count.respelled);
    }

    /// No bytes cause a panic, for any assignment of columns.
    #[test]
    fn no_bytes_break_it(
        bytes in proptest::collection::vec(any::<u8>(), 1..200),
        columns in proptest::collection::vec(proptest::option::of(0..5_usize), 9),
        name in proptest::sample::select(vec!["a.csv", "a.xlsx", "a.ods", "a.txt"]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let Ok(sheets) = Sheet::read(Path::new(&path), Instance::TABLES, None, None) else { return Ok(()) };
        for (table, spec) in Instance::TABLES.iter().enumerate() {
            for layout in Layout::VARIANTS {
                let mapped = |sheet: &Sheet| Mapped {
                    mapping: Mapping {
                        table: Some(table),
                        header: columns[0].filter(|&row| row < sheet.len()),
                        columns: columns[..spec.columns.len()].to_vec(),
                        listed: columns.iter().flatten().copied().collect(),
                        layout: if spec.wide.is_some() { *layout } else { Layout::Rows },
                        dates: DateOrder::DayFirst,
                    },
                    sheet: Arc::new(sheet.clone()),
                };
                let request = Request { sheets: sheets.iter().map(mapped).collect(), ..request(&[]) };
                let outcome = run(&request);
                prop_assert!(outcome.obstacle.is_some() || open::<Instance>(&outcome.data).is_ok() || outcome.losses() == 0);
            }
        }
    }
}
