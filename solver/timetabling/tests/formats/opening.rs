//! Detection of the kind of a file.

use gridwright_timetabling::formats::{self, LoadOptions};

use super::{assert_says, complaint, load};

#[test]
fn content_tells_what_the_ending_does_not() {
    assert_eq!(load(&[("a.txt", "0001 0002\n0001\n")], "a.txt").unwrap().students.len(), 2);
    assert_eq!(load(&[("a", "exam;student\nMAT;s1\n")], "a").unwrap().exam_count(), 1);
    assert_eq!(
        load(&[("a.dat", "\n[Exams:1]\n60, 1\n[Periods:1]\n15:04:2005, 09:30:00, 60, 0\n")], "a.dat")
            .unwrap()
            .period_count(),
        1
    );
}

#[test]
fn what_is_no_instance_is_refused_with_the_known_kinds() {
    assert_says(&complaint(&[("a.txt", "lorem ipsum\n")], "a.txt"), &["a.txt: ", ".stu", ".csv", ".exam"]);
    // A list of exams or a timetable has no students.
    assert_says(&complaint(&[("a.txt", "0001 12\n0002 7\n")], "a.txt"), &["a.txt: ", ".stu"]);
    assert_says(&complaint(&[("a.sol", "0001 12\n")], "a.sol"), &["a.sol: ", "this is a solution"]);
    assert_says(&complaint(&[], "a.xyz"), &["a.xyz: ", "no such file"]);
    assert_says(&complaint(&[("b.txt", "x")], "."), &["folder without an enrolments.csv"]);
}

#[test]
fn a_number_of_periods_given_outweighs_the_file_s() {
    let folder =
        super::folder(&[("a.csv", "student,exam\ns,MAT\n"), ("periods.csv", "date\n2026-06-01\n2026-06-02\n")]);
    let periods = |periods| formats::load(&folder.path().join("a.csv"), &LoadOptions { periods });
    assert_eq!(periods(None).unwrap().period_count(), 2);
    let [fewer, more] = [1, 3].map(|count| periods(Some(count)).unwrap());
    assert_eq!((fewer.period_count(), more.period_count()), (1, 3));
    assert!(more.periods[1].date.is_some() && more.periods[2].date.is_none());
    assert_says(&periods(Some(0)).unwrap_err().to_string(), &["0 periods"]);
    assert_says(&periods(Some(256)).unwrap_err().to_string(), &["256 periods"]);
}

#[test]
fn samples_are_opened_by_name() {
    let instance = formats::open("sample:school", &LoadOptions { periods: Some(20) }).unwrap();
    assert_eq!((instance.name.as_str(), instance.period_count()), ("school", 20));
    let error = formats::open("sample:castle", &LoadOptions::default()).unwrap_err().to_string();
    assert_says(&error, &["castle", "school, faculty, university"]);
}
