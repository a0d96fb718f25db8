//! Import of tables with guessed or assigned columns.

use std::path::Path;
use std::sync::Arc;

use gridwright_solver::timetabling::formats::import::{
    self, BadLines, DateOrder, Effect, Encoding, EnrolmentLayout, Importable, Mapped, Preview, Request, Sheet,
    TableKind, UnknownExams,
};
use gridwright_solver::timetabling::formats::{LoadOptions, load};
use gridwright_solver::timetabling::{Exam, Instance, InstanceParts};
use proptest::prelude::*;

use super::{assert_says, sits};

fn mapped(name: &str, text: &str, kind: TableKind) -> Mapped {
    let sheet = Sheet::of_text(Path::new(name), text.to_owned(), Encoding::Utf8, None).unwrap();
    let mapping = sheet.guess(kind);
    Mapped { sheet: Arc::new(sheet), mapping }
}

fn request(enrolments: &str, exams: Option<&str>, periods: Option<&str>) -> Request {
    Request {
        enrolments: mapped("a.csv", enrolments, TableKind::Enrolments),
        exams: exams.map(|text| mapped("exams.csv", text, TableKind::Exams)),
        periods: periods.map(|text| mapped("periods.csv", text, TableKind::Periods)),
        bad_lines: BadLines::Stop,
        unknown_exams: UnknownExams::AreWrong,
    }
}

fn listed(request: &Request, preview: &Preview) -> String {
    preview.problems.iter().map(|problem| import::problem_line(request, problem) + "\n").collect()
}

#[test]
fn every_shape_of_enrolments_says_the_same() {
    let plain = request("student,exam\ns1,MAT\ns1,PHY\ns2,PHY\n", None, None);
    let plain = import::preview(&plain).instance.unwrap();
    for (text, layout) in [
        (
            "Registrations of summer 2026\n\nMatrikel-Nr.;Prüfung;Bezeichnung\ns1;MAT;Maths\ns1;PHY;\ns2;PHY;Physics\n",
            EnrolmentLayout::Pairs,
        ),
        ("sep=|\nκωδικός μαθήματος|αριθμός μητρώου\nMAT|s1\nPHY|s1\nPHY|s2\n", EnrolmentLayout::Pairs),
        (
            "Student number (SIS)\tName\tExam code of the board\ns1\tA\tMAT\ns1\tA\tPHY\ns2\tB\tPHY\n",
            EnrolmentLayout::Pairs,
        ),
        ("Étudiant;Module 1;Module 2;Module 3\ns1;MAT;PHY\ns2;PHY\n", EnrolmentLayout::Lists),
        ("student,MAT,PHY,CHE\ns1,x,1,\ns2,0,yes,-\n", EnrolmentLayout::Marks),
    ] {
        let request = request(text, None, None);
        assert_eq!(request.enrolments.mapping.layout, layout, "{text}");
        let preview = import::preview(&request);
        assert_eq!(preview.obstacle, None, "{text}: {}", listed(&request, &preview));
        assert_eq!(sits(preview.instance.as_ref().unwrap()), sits(&plain), "{text}");
    }
}

#[test]
fn a_person_names_columns_that_nobody_could_guess() {
    let mut request = request("s1,77,MAT\ns1,77,PHY\ns2,78,PHY\n", None, None);
    assert_eq!(request.enrolments.mapping.header, None, "numbers are no header");
    assert_says(&import::preview(&request).obstacle.unwrap(), &["Enrolments", "which column holds the student"]);
    request.enrolments.mapping.columns = vec![Some(0), Some(2), None];
    let preview = import::preview(&request);
    assert_eq!((preview.obstacle.as_deref(), preview.counts[0].lines, preview.least_periods), (None, 3, 2));
    assert_eq!(preview.instance.unwrap().enrolments(), 3);
}

#[test]
fn every_bad_line_is_named_before_anything_is_taken() {
    let enrolments = "student,exam\ns1,MAT\n,PHY\ns2,\n\ns3\ns4,BIO\ns1,MAT\ns5,PHY,,7\n";
    let exams = "code,title,duration\nMAT,Maths,two hours\nPHY,Physics,1h30\nPHY,,60\n,,\n";
    let periods = "date,start,end,seats\n01/06/2026,9:00,11:00,100\n32/06/2026,2 pm,1 pm,many\n";
    let mut request = request(enrolments, Some(exams), Some(periods));
    let preview = import::preview(&request);
    assert_says(
        &listed(&request, &preview),
        &[
            "a.csv:3: the student is missing",
            "a.csv:4: the exam is missing",
            "a.csv:6: 1 column where the header has 2",
            "a.csv:7: exam «BIO» is not in exams.csv",
            "a.csv:8: student «s1» is enrolled in exam «MAT» already in line 2",
            "a.csv:9: 4 columns",
            "exams.csv:2: the duration in minutes: «two hours»",
            "exams.csv:4: exam «PHY» is listed already, in line 3",
            "periods.csv:3: the date: «32/06/2026»",
            "periods.csv:3: the seats",
            "periods.csv:3: the end: «1 pm» is not after the start",
        ],
    );
    let count = preview.counts[0];
    assert_eq!((count.lines, count.left_out, count.repeats), (7, 5, 1));
    assert_eq!(preview.problems.iter().filter(|problem| problem.effect == Effect::Value).count(), 4);
    assert_says(&preview.obstacle.clone().unwrap(), &["10 lines or values", "leave them out"]);
    let folder = tempfile::tempdir().unwrap();
    assert!(import::write(&request, &preview, &folder.path().join("x")).is_err(), "nothing is taken over");
    assert!(!folder.path().join("x").exists());

    request.bad_lines = BadLines::LeaveOut;
    request.unknown_exams = UnknownExams::AreAdded;
    let preview = import::preview(&request);
    assert_eq!(preview.obstacle, None);
    let instance = preview.instance.as_ref().unwrap();
    let of_s4 = ("s4".to_owned(), "BIO".to_owned());
    assert_eq!(sits(instance), [("s1".to_owned(), "MAT".to_owned()), of_s4]);
    assert_eq!(
        instance.exams[1],
        Exam { code: "PHY".into(), title: "Physics".into(), duration: Some(90), enrolment: 0 }
    );
    assert_eq!((instance.periods.len(), instance.periods[1].date), (2, None));
}

#[test]
fn an_import_opens_again_and_says_what_was_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut request =
        request("Student;Modul\ns1;MAT\ns1;\ns2;\"PHY; part 2\"\n", None, Some("Datum;von\n1.6.26;9:00\n"));
    request.bad_lines = BadLines::LeaveOut;
    let preview = import::preview(&request);
    let target = folder.path().join("summer.gridwright-import");
    let path = import::write(&request, &preview, &target).unwrap();
    let again = load(&path, &LoadOptions::default()).unwrap();
    let instance = preview.instance.as_ref().unwrap();
    assert_eq!(
        (&again.exams, &again.students, &again.periods),
        (&instance.exams, &instance.students, &instance.periods)
    );
    assert_eq!(again.name, "summer");
    assert_says(&again.warnings.join("\n"), &["imported from a.csv: 1 left out", "import-report.txt"]);
    let report = std::fs::read_to_string(target.join(import::REPORT)).unwrap();
    assert_says(
        &report,
        &["student from column «Student»", "exam from column «Modul»", "a.csv:3: the exam is missing"],
    );

    // Importing again without periods removes the periods of the first import, and never another person's file.
    request.periods = None;
    let path = import::write(&request, &import::preview(&request), &target).unwrap();
    assert_eq!(load(&path, &LoadOptions::default()).unwrap().period_count(), 0);
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("enrolments.csv"), "precious").unwrap();
    for place in [&other, &other.join("enrolments.csv")] {
        let error = import::write(&request, &import::preview(&request), place).unwrap_err().to_string();
        assert_says(&error, &["does not exist yet"]);
    }
    assert_eq!(std::fs::read_to_string(other.join("enrolments.csv")).unwrap(), "precious");
}

/// Every file operation of an import fails in turn: it is told, and the import can be made again in the same folder.
#[test]
fn a_failing_import_can_be_made_again() {
    use gridwright_solver::files::fault::{Fault, arm};
    let folder = tempfile::tempdir().unwrap();
    let request = request("student,exam\ns1,MAT\ns2,PHY\n", None, Some("date,start\n2026-06-01,09:00\n"));
    let preview = import::preview(&request);
    for call in 0.. {
        let target = folder.path().join(call.to_string());
        let kind = std::io::ErrorKind::StorageFull;
        let guard = arm(Fault { folder: target.clone(), call, lasting: false, kind });
        let ended = import::write(&request, &preview, &target);
        let is_done = guard.calls() <= call;
        drop(guard);
        if is_done {
            ended.unwrap();
            assert!(call > 15, "only {call} operations failed");
            println!("{call} operations failed");
            break;
        }
        let error = ended.unwrap_err().to_string();
        assert!(error.contains("the disk is full") || error.contains("the file was written"), "{call}: {error}");
        let path = import::write(&request, &preview, &target).unwrap();
        assert_eq!(sits(&load(&path, &LoadOptions::default()).unwrap()), sits(preview.instance.as_ref().unwrap()));
    }
}

#[test]
fn dates_with_the_month_first_are_seen() {
    let periods = mapped("p.csv", "date,start\n06/01/2026,09:00\n06/15/2026,09:00\n", TableKind::Periods);
    assert_eq!(periods.mapping.dates, DateOrder::MonthFirst);
    let together = request("student,exam\ns,E\n", None, Some("date,seats\n2026-06-01 09:00,7\n"));
    let instance = import::preview(&together).instance.unwrap();
    assert_eq!(instance.period_label(0), "Mon 1 Jun, 09:00");
}

#[test]
fn a_dropped_file_shows_what_it_is() {
    let kind = |text: &str| Sheet::of_text(Path::new("x.csv"), text.to_owned(), Encoding::Utf8, None).unwrap().kind();
    assert_eq!(kind("Matrikel;Modul;Bezeichnung\n1;A;b\n"), TableKind::Enrolments);
    assert_eq!(kind("code,title,duration\nA,b,90\n"), TableKind::Exams);
    assert_eq!(kind("Datum;Beginn;Ende\n1.6.2026;9:00;11:00\n"), TableKind::Periods);
    assert_eq!(kind("a,b\n1,2\n"), TableKind::Enrolments);
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
        let sheet = Sheet::of_text(Path::new("x.csv"), text, Encoding::Utf8, None).unwrap();
        assert_eq!(sheet.row(1), (4, vec!["1".to_owned(), "2,3".to_owned()]), "{end:?}");
        assert_eq!(sheet.row(2), (5, vec!["4".to_owned(), "5".to_owned()]));
        assert_eq!((sheet.row(3), sheet.row_of_line(4), sheet.row_of_line(1)), ((0, Vec::new()), Some(1), None));
    }
}

#[test]
fn which_files_can_be_imported() {
    let files = [
        ("a.csv", "x;y\n1;2\n"),
        ("b.csv", "\0"),
        ("c.txt", "1 2\n"),
        ("d.stu", "1,2\n"),
        ("e.csv", "exam,student\n,\n"),
    ];
    let folder = super::folder(&files);
    let importable = |name: &str| import::importable(&folder.path().join(name));
    use Importable::{BadLines, No, UnknownHeader};
    let found = ["a.csv", "b.csv", "c.txt", "d.stu", "e.csv", "f.csv"].map(importable);
    assert_eq!(found, [UnknownHeader, No, No, No, BadLines, No]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A file is read or refused, and every line is used, reported or a repeat.
    #[test]
    fn no_line_vanishes(rows in proptest::collection::vec(("[a-c]{0,2}", "[A-C;\" ]{0,3}"), 0..40)) {
        let mut text = "student,exam\n".to_owned();
        rows.iter().for_each(|(student, exam)| text.push_str(&format!("{student},{exam}\n")));
        let request = request(&text, None, None);
        let preview = import::preview(&request);
        let count = preview.counts[0];
        if let Some(instance) = &preview.instance {
            prop_assert_eq!(instance.enrolments() + count.left_out + count.repeats, count.lines);
        } else {
            prop_assert_eq!(count.left_out, count.lines);
        }
        prop_assert_eq!(preview.problems.len(), count.left_out + count.repeats);
    }

    /// No bytes cause a panic, for any assignment of columns.
    #[test]
    fn no_bytes_break_it(bytes in proptest::collection::vec(any::<u8>(), 1..200), columns in proptest::collection::vec(proptest::option::of(0..5_usize), 5)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, &bytes).unwrap();
        let Ok(sheet) = Sheet::read(&path, None, None) else { return Ok(()) };
        let sheet = Arc::new(sheet);
        for kind in TableKind::ALL {
            let mut mapping = sheet.guess(kind);
            mapping.columns = columns[..kind.columns().len()].to_vec();
            mapping.exams = columns.iter().flatten().copied().collect();
            mapping.header = columns[0].filter(|&row| row < sheet.len());
            for layout in EnrolmentLayout::ALL {
                mapping.layout = layout;
                let table = Mapped { sheet: Arc::clone(&sheet), mapping: mapping.clone() };
                let mut request = request("student,exam\ns,E\n", None, None);
                match kind {
                    TableKind::Enrolments => request.enrolments = table,
                    TableKind::Exams => request.exams = Some(table),
                    TableKind::Periods => request.periods = Some(table),
                }
                let preview = import::preview(&request);
                prop_assert!(preview.instance.is_some() || preview.obstacle.is_some());
            }
        }
    }

    /// A written import opens as the same instance.
    #[test]
    fn written_is_read(students in proptest::collection::vec(proptest::collection::btree_set(0..6_u16, 1..4), 1..12), codes in proptest::collection::hash_set("[ -~é]{1,8}", 6)) {
        let codes: Vec<String> = codes.into_iter().collect();
        prop_assume!(codes.iter().all(|code| code.trim() == code && !code.is_empty()));
        let exam = |code: &String| Exam { code: code.clone(), title: format!("«{code}», \"x\""), ..Exam::default() };
        let instance = Instance::build(InstanceParts {
            name: "p".to_owned(),
            exams: codes.iter().map(exam).collect(),
            students: students.iter().map(|exams| exams.iter().copied().collect()).collect(),
            student_codes: (0..students.len()).map(|student| format!("s{student}")).collect(),
            ..InstanceParts::default()
        }).unwrap();
        let request = request("student,exam\ns,E\n", None, None);
        let preview = Preview { instance: Some(instance.clone()), ..Preview::default() };
        let folder = tempfile::tempdir().unwrap();
        let path = import::write(&request, &preview, &folder.path().join("x")).unwrap();
        let again = load(&path, &LoadOptions::default()).unwrap();
        prop_assert_eq!((&again.exams, &again.students), (&instance.exams, &instance.students));
    }
}
