//! `.crs` and `.stu`: every kind of error in the two files.

use std::path::Path;
use std::time::Instant;

use gridwright_timetabling::formats::{self, LoadOptions, Source, carter};

use super::{assert_says, complaint, folder, load};

const CRS: &str = "0001 2\n0002 2\n0003 1\n";
const STU: &str = "0001 0002\n0002 0003\n0001\n";

#[test]
fn a_session_is_read_from_both_files_whichever_is_named() {
    for name in ["a.stu", "a.crs"] {
        let instance = load(&[("a.crs", CRS), ("a.stu", STU)], name).unwrap();
        assert_eq!(instance.name, "a");
        assert_eq!(instance.students.iter().collect::<Vec<_>>(), [&[0, 1][..], &[1, 2], &[0]]);
        assert_eq!(instance.exams.iter().map(|exam| exam.enrolment).collect::<Vec<_>>(), [2, 2, 1]);
        assert_eq!((instance.period_count(), instance.divisor), (0, 3));
        assert_eq!(instance.warnings, [""; 0]);
        assert_eq!(instance.file_hash.len(), 64);
    }
    let [one, other] = ["a.stu", "a.crs"].map(|name| load(&[("a.crs", CRS), ("a.stu", STU)], name).unwrap().file_hash);
    assert_eq!(one, other);
}

#[test]
fn line_ends_blanks_marks_and_capital_letters_change_nothing() {
    let plain = load(&[("a.crs", CRS), ("a.stu", STU)], "a.stu").unwrap();
    let crs = format!("\u{feff}\r\n{}\r\n", CRS.replace('\n', " \r\n\r\n"));
    let stu = format!("\u{feff}{}", STU.replace('\n', " \t\r\n").replace("1 0", "1\t  0"));
    let other = load(&[("A.CRS", &crs), ("a.Stu", &stu)], "a.Stu").unwrap();
    assert_eq!((&other.students, &other.exams, &other.warnings), (&plain.students, &plain.exams, &plain.warnings));
    let old = load(&[("a.crs", &CRS.replace('\n', "\r")), ("a.stu", &STU.replace('\n', "\r"))], "a.stu").unwrap();
    assert_eq!(old.students, plain.students);
}

#[test]
fn empty_lines_are_no_students() {
    let instance = load(&[("a.crs", CRS), ("a.stu", "0001 0002\n\n \n0002 0003\n0001\n\n")], "a.stu").unwrap();
    assert_eq!(instance.students.len(), 3);
    assert_says(&instance.warnings.join("\n"), &["a.stu: 2 empty lines skipped"]);
}

#[test]
fn a_published_name_brings_its_periods_and_only_fitting_students_its_divisor() {
    let files = [("pur-s-93.crs", CRS), ("pur-s-93.stu", STU)];
    let instance = load(&files, "pur-s-93.stu").unwrap();
    assert_eq!((instance.period_count(), instance.divisor), (42, 3));
    let folder = folder(&[("HEC-S-92.CRS", CRS), ("HEC-S-92.STU", STU)]);
    let path = folder.path().join("HEC-S-92.STU");
    let instance = formats::load(&path, &LoadOptions::default()).unwrap();
    assert_eq!((instance.name.as_str(), instance.period_count()), ("hec-s-92", 18));
    assert_eq!(formats::load(&path, &LoadOptions { periods: Some(5) }).unwrap().period_count(), 5);
}

#[test]
fn students_alone_make_exams_in_order_and_a_warning() {
    let instance = load(&[("a.stu", "10 9\n9 MAT1\n")], "a.stu").unwrap();
    assert_eq!(instance.exams.iter().map(|exam| exam.code.as_str()).collect::<Vec<_>>(), ["9", "10", "MAT1"]);
    assert_eq!(instance.students.iter().collect::<Vec<_>>(), [&[0, 1][..], &[0, 2]]);
    assert_says(&instance.warnings.join("\n"), &["a.crs is not there"]);
    assert_says(
        &complaint(&[("a.stu", "10 9\n<html> 9\n")], "a.stu"),
        &["a.stu:2: ", "«<html>»", "not the code of an exam"],
    );
}

#[test]
fn numbers_without_their_zeros_are_the_same_exams() {
    let instance = load(&[("a.crs", CRS), ("a.stu", "1 2\n002 3\n00001\n")], "a.stu").unwrap();
    assert_eq!(instance.students.iter().collect::<Vec<_>>(), [&[0, 1][..], &[1, 2], &[0]]);
}

#[test]
fn missing_empty_and_binary_files_are_named() {
    assert_says(&complaint(&[], "a.stu"), &["a.stu: ", "no such file"]);
    assert_says(&complaint(&[], "a.crs"), &["a.crs: ", "no such file"]);
    assert_says(&complaint(&[("a.crs", CRS)], "a.crs"), &["a.crs: ", "a.stu"]);
    assert_says(&complaint(&[("a.crs", CRS), ("a.stu", " \r\n\n")], "a.stu"), &["a.stu: ", "empty"]);
    assert_says(&complaint(&[("a.crs", ""), ("a.stu", STU)], "a.stu"), &["a.crs: ", "empty"]);
    assert_says(&complaint(&[("a.crs", CRS), ("a.stu", "0001\n\0\u{1}")], "a.stu"), &["a.stu:2: ", "not a text file"]);
}

#[test]
fn a_truncated_file_is_told_from_wrong_exams() {
    let files = [("a.crs", CRS), ("a.stu", "0001 0002\n0002 0003\n00")];
    let message = complaint(&files, "a.stu");
    assert_says(&message, &["a.stu:3: ", "truncated", "«00»", "4 digits"]);
    assert_eq!(message.lines().count(), 1, "{message}");
    // Truncation between two exams shows in the counts.
    let files = [("a.crs", CRS), ("a.stu", "0001 0002\n0002")];
    let pieces = [
        "a.stu:2: the file is truncated here: by a.crs, 2 exams",
        "a.crs:1: exam 0001 has 2 students here but 1 in a.stu",
        "a.crs:3: ",
    ];
    assert_says(&complaint(&files, "a.stu"), &pieces);
    // Without leading zeros, lengths give no hint.
    load(&[("a.crs", "1 1\n10 1\n"), ("a.stu", "10 1")], "a.stu").unwrap();
}

#[test]
fn exams_that_the_list_lacks_are_named_line_by_line() {
    let files = [("a.crs", CRS), ("a.stu", "0001 0007\n0002 0003\n99999999999999999999999 0008\n")];
    let message = complaint(&files, "a.stu");
    assert_says(
        &message,
        &["a.stu:1: exam «0007» is not in a.crs", "a.stu:3: exams «99999999999999999999999», «0008»"],
    );
    assert_eq!(message.lines().count(), 2, "{message}");
}

#[test]
fn counts_that_disagree_are_named_with_both() {
    let files = [("a.crs", "0001 2\n\n0002 5\n0003 1\n"), ("a.stu", STU)];
    assert_says(&complaint(&files, "a.stu"), &["a.crs:3: exam 0002 has 5 students here but 2 in a.stu"]);
    assert!(complaint(&files, "a.stu").starts_with("a.crs:3: "), "one wrong count is no truncated file");
}

#[test]
fn every_bad_line_of_the_list_is_named() {
    let crs = "0001 2\n0002 two\n0003 4294967296\n0004 -1\n0001 3\n1 3\n0005\n0006 1 1\n";
    let message = complaint(&[("a.crs", crs), ("a.stu", STU)], "a.stu");
    assert_says(
        &message,
        &[
            "a.crs:2: ",
            "«two» is not a whole number",
            "a.crs:3: ",
            "«4294967296» is too large",
            "a.crs:4: ",
            "negative",
            "a.crs:5: exam 0001 is listed already, in line 1",
            "a.crs:6: exam 1 is listed already",
            "a.crs:7: expected",
            "«0005»",
            "a.crs:8: expected",
            "«0006 1 1»",
        ],
    );
    assert_eq!(message.lines().count(), 7, "{message}");
}

#[test]
fn an_exam_twice_in_a_line_counts_once_and_is_said() {
    let stu = "0001 0002\n0002 0003 0002\n0001 1 0001\n";
    for crs in [CRS, "0001 4\n0002 3\n0003 1\n"] {
        let instance = load(&[("a.crs", crs), ("a.stu", stu)], "a.stu").unwrap();
        assert_eq!(instance.exams.iter().map(|exam| exam.enrolment).collect::<Vec<_>>(), [2, 2, 1]);
        assert_says(&instance.warnings.join("\n"), &["2 students list an exam more than once", "line 2", "0002"]);
    }
}

#[test]
fn a_wrong_file_of_any_size_gives_a_short_message() {
    let stu = "lorem ipsum dolor\n".repeat(50_000);
    let message = complaint(&[("a.crs", CRS), ("a.stu", &stu)], "a.stu");
    assert!(message.len() < 4_000, "{} bytes", message.len());
    assert_says(&message, &["a.stu:1: ", "more lines"]);
}

#[test]
fn a_million_students_take_seconds() {
    const STUDENTS: usize = 1_000_000;
    const EXAMS: usize = 3_000;
    let (mut stu, mut counts) = (String::with_capacity(STUDENTS * 20), [0; EXAMS]);
    for student in 0..STUDENTS {
        for exam in 0..4 {
            let exam = (student * 7 + exam * 11 + student / 5_000) % EXAMS;
            counts[exam] += 1;
            stu.push_str(&format!("{:04} ", exam + 1));
        }
        stu.push('\n');
    }
    let crs: String = counts.iter().enumerate().map(|(exam, count)| format!("{:04} {count}\n", exam + 1)).collect();
    let start = Instant::now();
    let instance = load(&[("a.crs", &crs), ("a.stu", &stu)], "a.stu").unwrap();
    assert_eq!((instance.students.len(), instance.enrolments()), (STUDENTS, 4 * STUDENTS));
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 20.0, "{seconds} s");
    eprintln!("{STUDENTS} students in {seconds:.2} s");
}

#[test]
fn a_single_endless_line_is_read_in_linear_time() {
    let text = (0..400_000).map(|exam| (exam % 30_000).to_string()).collect::<Vec<_>>().join(" ");
    let (parts, _) = carter::parse(None, Source { path: Path::new("a.stu"), text: &text }).unwrap();
    assert_eq!((parts.exams.len(), parts.students[0].len()), (30_000, 30_000));
    let too_many = (0..70_000).map(|exam| exam.to_string()).collect::<Vec<_>>().join("\n");
    let error = carter::parse(None, Source { path: Path::new("a.stu"), text: &too_many }).unwrap_err();
    assert_says(&error.to_string(), &["a.stu:32001: more than 32000 exams"]);
}
