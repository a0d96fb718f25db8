//! Reading and writing of timetable files.

use std::path::Path;

use gridwright_solver::Result;
use gridwright_solver::timetabling::UNPLACED;
use gridwright_solver::timetabling::formats::Source;
use gridwright_solver::timetabling::formats::solution::{self, SolutionFile, SolutionOptions};

use super::{assert_says, instance};

fn read(name: &str, text: &str, options: SolutionOptions) -> Result<SolutionFile> {
    solution::parse(Source { path: Path::new(name), text }, &instance(3, 4), options)
}

fn strict(text: &str) -> Result<SolutionFile> {
    read("a.sol", text, SolutionOptions::default())
}

#[test]
fn periods_count_from_0_unless_the_file_shows_otherwise() {
    // A 0 decides, else the number of the last period (4 of 4); otherwise 0, as published.
    for (text, from, periods) in [
        ("0001 0\n0002 3\n0003 1\n", 0, [0, 3, 1]),
        ("0003 1\r\n\r\n1 4\r\n2 2", 1, [3, 1, 0]),
        ("0001 1\n0002 3\n0003 2\n", 0, [1, 3, 2]),
    ] {
        let read = strict(text).unwrap();
        assert_eq!((read.counted_from, read.timetable.periods), (from, periods.to_vec()), "{text:?}");
    }
}

#[test]
fn the_caller_may_say_where_counting_begins() {
    let folder = super::folder(&[("a.sol", "0001 1\n0002 3\n0003 2\n")]);
    let path = folder.path().join("a.sol");
    let periods = |from| solution::read_solution_counting(&path, &instance(3, 4), from).unwrap().timetable.periods;
    assert_eq!(periods(Some(1)), [0, 2, 1]);
    assert_eq!(periods(Some(0)), [1, 3, 2]);
    assert_eq!(solution::read_solution(&path, &instance(3, 4)).unwrap().counted_from, 0);
    let options = SolutionOptions { counted_from: Some(1), ..SolutionOptions::default() };
    assert_says(
        &read("a.sol", "0001 0\n0002 1\n0003 1\n", options).unwrap_err().to_string(),
        &["a.sol:1: ", "period 0", "1 to 4"],
    );
}

#[test]
fn each_bad_line_is_named() {
    let text = "0001 0\n0009 1\n0001 2\n0002 4\n0003 x\n0003\n";
    let message = strict(text).unwrap_err().to_string();
    assert_says(
        &message,
        &[
            "a.sol:6: expected", "a.sol:2: exam «0009» is not in test", "a.sol:3: ", "already, in line 1", "a.sol:5: ",
            "«x» is not a whole number", "a.sol:4: period 4 is out of range", "0 to 3",
        ],
    );
    assert_eq!(message.lines().count(), 5, "{message}");
    for (period, why) in [("65536", "out of range"), ("99999999999999999999", "too large"), ("-1", "negative")] {
        assert_says(&strict(&format!("0001 {period}\n2 0\n3 0\n")).unwrap_err().to_string(), &["a.sol:1: ", why]);
    }
}

#[test]
fn missing_exams_are_named_or_left_unplaced() {
    let text = "0002 0\n";
    assert_says(&strict(text).unwrap_err().to_string(), &["a.sol:1: ", "2 exams have no line: 0001, 0003"]);
    let options = SolutionOptions { allow_missing: true, ..SolutionOptions::default() };
    assert_eq!(read("a.sol", text, options).unwrap().timetable.periods, [UNPLACED, 0, UNPLACED]);
    // An exam listed as unplaced is not missing.
    assert_eq!(strict("0001 -\n0002 0\n0003 2\n").unwrap().timetable.periods, [UNPLACED, 0, 2]);
}

#[test]
fn tables_are_timetables_too() {
    let text = "Title;Period;Exam\nCalculus;1;0001\n\"Algebra; Linear\";4;2\nLogic;;0003\n";
    let solution = read("a.csv", text, SolutionOptions::default()).unwrap();
    assert_eq!((solution.counted_from, solution.timetable.periods), (1, vec![0, 3, UNPLACED]));
    // Tables for people count from 1 unless the numbers show otherwise.
    let solution = read("a.csv", "exam,period\n1,1\n2,3\n3,1\n", SolutionOptions::default()).unwrap();
    assert_eq!((solution.counted_from, solution.timetable.periods), (1, vec![0, 2, 0]));
    assert_says(
        &read("a.csv", "0001,2\n", SolutionOptions::default()).unwrap_err().to_string(),
        &["a.csv:1: ", "«period»"],
    );
    assert_says(
        &read("a.csv", "exam,period\n1,0\n2,7\n3,0\n", SolutionOptions::default()).unwrap_err().to_string(),
        &["a.csv:3: "],
    );
}

#[test]
fn without_periods_nothing_can_be_in_range() {
    let error =
        solution::parse(Source { path: Path::new("a.sol"), text: "1 0" }, &instance(1, 0), SolutionOptions::default());
    assert_says(&error.unwrap_err().to_string(), &["number of periods is not known"]);
}
