//! Reading and writing of timetable files.

use std::path::Path;

use chrono::{NaiveDate, NaiveTime};
use gridwright_core::Result;
use gridwright_timetabling::UNPLACED;
use gridwright_timetabling::formats::Source;
use gridwright_timetabling::formats::solution::{self, SolutionFile, SolutionOptions};

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
    let options = |counted_from| SolutionOptions { counted_from };
    let periods = |from| solution::read_solution_with(&path, &instance(3, 4), options(from)).unwrap().timetable.periods;
    assert_eq!(periods(Some(1)), [0, 2, 1]);
    assert_eq!(periods(Some(0)), [1, 3, 2]);
    assert_eq!(solution::read_solution(&path, &instance(3, 4)).unwrap().counted_from, 0);
    let shifted = read("a.sol", "0001 0\n0002 1\n0003 1\n", options(Some(1))).unwrap();
    assert_eq!(shifted.timetable.periods, [UNPLACED, 0, 0]);
    assert_says(&shifted.mismatches.join("\n"), &["1 exam was in a period that test does not have", ": 0001"]);
}

#[test]
fn each_bad_line_is_named() {
    let text = "0001 0\n0001 2\n0003 x\n0003\n";
    let message = strict(text).unwrap_err().to_string();
    assert_says(
        &message,
        &[
            "a.sol:4: expected", "a.sol:2: ", "another period already, in line 1", "a.sol:3: ",
            "«x» is not a whole number",
        ],
    );
    assert_eq!(message.lines().count(), 3, "{message}");
    for (period, why) in [("99999999999999999999", "too large"), ("-1", "negative")] {
        assert_says(&strict(&format!("0001 {period}\n2 0\n3 0\n")).unwrap_err().to_string(), &["a.sol:1: ", why]);
    }
}

#[test]
fn a_timetable_of_an_earlier_state_of_the_session_is_taken_as_far_as_it_fits() {
    let read = strict("0002 0\n0009 1\n0003 65536\n1 3\n").unwrap();
    assert_eq!((read.counted_from, read.timetable.periods), (0, vec![3, 0, UNPLACED]));
    assert_eq!(
        read.mismatches,
        [
            "1 exam of the file is not in test: 0009",
            "1 exam was in a period that test does not have and has none now: 0003"
        ]
    );
    let read = strict("0002 0\n0001 1\n0009 0\n0009 0\n").unwrap();
    assert_eq!(read.mismatches[0], "1 exam of the file is not in test: 0009", "a line for each room");
    let read = strict("0002 0\n").unwrap();
    assert_eq!(read.timetable.periods, [UNPLACED, 0, UNPLACED]);
    assert_eq!(read.mismatches, ["2 exams are not in the file and have no period: 0001, 0003"]);
    // An exam listed as unplaced is not missing.
    let read = strict("0001 -\n0002 0\n0003 2\n").unwrap();
    assert_eq!((read.timetable.periods, read.mismatches), (vec![UNPLACED, 0, 2], Vec::<String>::new()));
    // Nothing in common is another session.
    for text in ["A 0\nB 1\n0001 2\n", "", "0001 70\n0002 80\n0003 0\n"] {
        assert_says(&strict(text).unwrap_err().to_string(), &["a.sol", "less than half of its lines fit test"]);
    }
}

/// The day of periods 2 and 3 was taken out: numbers shift, dates do not.
#[test]
fn a_table_with_dates_is_read_by_them() {
    let mut session = instance(3, 4);
    let days = [1, 1, 3, 3];
    for (at, period) in session.periods.iter_mut().enumerate() {
        period.date = NaiveDate::from_ymd_opt(2026, 6, days[at]);
        period.start = NaiveTime::from_hms_opt(9 + 5 * (at as u32 % 2), 0, 0);
    }
    let text = "code,title,enrolment,period,date,start,end\n0001,,1,6,2026-06-03,14:00,16:00\n\
                0002,,1,3,2026-06-02,09:00,11:00\n0003,,1,1,2026-06-01,09:00,10:30\n";
    let read =
        solution::parse(Source { path: Path::new("a.csv"), text }, &session, SolutionOptions::default()).unwrap();
    assert_eq!(read.timetable.periods, [3, UNPLACED, 0]);
    assert_says(&read.mismatches.join("\n"), &["1 exam was in a period", ": 0002"]);
    // Codes are found in any capitals, and a period without exams has a line of its own.
    let text =
        "period,date,start,end,seats,code,title,enrolment\n1,2026-06-01,09:00,11:00,,0003,,\n2,2026-06-01,14:00,,,,,\n";
    let read =
        solution::parse(Source { path: Path::new("a.csv"), text }, &session, SolutionOptions::default()).unwrap();
    assert_eq!(read.timetable.periods, [UNPLACED, UNPLACED, 0]);
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
    let read = read("a.csv", "exam,period\n1,0\n2,7\n3,0\n", SolutionOptions::default()).unwrap();
    assert_eq!(read.timetable.periods, [0, UNPLACED, 0]);
}

#[test]
fn without_periods_nothing_can_be_in_range() {
    let error =
        solution::parse(Source { path: Path::new("a.sol"), text: "1 0" }, &instance(1, 0), SolutionOptions::default());
    assert_says(&error.unwrap_err().to_string(), &["number of periods is not known"]);
}
