//! ITC-2007 `.exam` files.

use chrono::{NaiveDate, NaiveTime};

use std::path::Path;

use gridwright_timetabling::formats::Source;
use gridwright_timetabling::formats::itc2007::{self, Constraint, ConstraintKind};

use gridwright_timetabling::ObjectiveKind;

use super::{assert_says, complaint, load};

const VALID: &str = "[Exams:3]\n\
    120, 7, 8, 9\n\
    90, 8,\n\
    60, 9, 7\n\
    [Periods:2]\n\
    15:04:2005, 09:30:00, 100, 0\n\
    15:04:2005, 23:00:00, 210, 70\n\
    [Rooms:2]\n\
    260, 0\n\
    100, 50\n\
    [PeriodHardConstraints]\n\
    0, AFTER, 1\n\
    1, EXAM_COINCIDENCE, 2\n\
    2, AFTER, 1\n\
    [RoomHardConstraints]\n\
    2, ROOM_EXCLUSIVE\n\
    [InstitutionalWeightings]\n\
    TWOINAROW, 7\n\
    FRONTLOAD,100,30,5\n";

#[test]
fn everything_in_a_file_is_read() {
    let instance = load(&[("set.exam", VALID)], "set.exam").unwrap();
    assert_eq!((instance.name.as_str(), instance.exam_count(), instance.students.len()), ("set", 3, 3));
    let exams: Vec<_> = instance.exams.iter().map(|exam| (exam.code.as_str(), exam.duration, exam.enrolment)).collect();
    assert_eq!(exams, [("0", Some(120), 3), ("1", Some(90), 1), ("2", Some(60), 2)]);
    assert_eq!((instance.students.code(2).as_str(), instance.students.exams_of(2)), ("9", &[0, 2][..]));
    let time = |hour, minute| NaiveTime::from_hms_opt(hour, minute, 0);
    let first = &instance.periods[0];
    assert_eq!((first.date, first.start, first.end), (NaiveDate::from_ymd_opt(2005, 4, 15), time(9, 30), time(11, 10)));
    assert_eq!((first.penalty, instance.periods[1].penalty, instance.periods[1].end), (0, 70, None));
    let rooms: Vec<_> = instance.resources.rooms.iter().map(|room| (room.seats, room.penalty)).collect();
    assert_eq!(rooms, [(260, 0), (100, 50)]);
    let own_room: Vec<bool> = instance.exams.iter().map(|exam| exam.needs.own_room).collect();
    assert_eq!(own_room, [false, false, true]);
    let weights = &instance.objective.weights;
    assert_eq!((weights.in_a_row, weights.in_a_day, weights.spread), (7, 0, 0));
    assert_eq!((weights.large_exams, weights.late_periods, weights.late), (100, 30, 5));
    assert_eq!(instance.objective.kind, ObjectiveKind::Itc2007);
    assert_eq!(instance.warnings, [""; 0]);
}

#[test]
fn every_bad_line_is_named() {
    for (from, to, pieces) in [
        ("120, 7", "x, 7", &["a.exam:2: ", "«x»"][..]),
        ("7, 8, 9", "7, eight, 9", &["a.exam:2: ", "«eight»"]),
        ("15:04:2005, 09", "31:04:2005, 09", &["a.exam:6: ", "«31:04:2005» is no date"]),
        ("09:30:00", "09:61:00", &["a.exam:6: ", "no time"]),
        (", 210, 70", ", 210", &["a.exam:7: expected date, time, duration, penalty"]),
        ("260, 0", "99999999999, 0", &["a.exam:9: ", "too large"]),
        ("0, AFTER, 1", "0, BEFORE, 1", &["a.exam:12: ", "«BEFORE»", "AFTER"]),
        ("2, ROOM", "3, ROOM", &["a.exam:16: there is no exam 3"]),
        ("TWOINAROW, 7", "TWOINAROW", &["a.exam:18: "]),
        ("[Exams:3]", "[Exams:4000000000]", &["a.exam:1: ", "4000000000", "3 follow"]),
        ("[Exams:3]", "[Exams:99999999999999999999]", &["a.exam:1: ", "too large"]),
        ("[Rooms:2]", "[Halls:2]", &["a.exam:8: there is no section «Halls»"]),
        ("[Rooms:2]", "[Rooms:2", &["a.exam:8: ", "not closed"]),
        ("[Rooms:2]", "[Periods:2]", &["a.exam:8: [Periods] stands already in line 5"]),
    ] {
        let message = complaint(&[("a.exam", &VALID.replacen(from, to, 1))], "a.exam");
        assert_says(&message, pieces);
    }
    let cut = &VALID[..VALID.find("15:04").unwrap() + 4];
    assert_says(&complaint(&[("a.exam", cut)], "a.exam"), &["a.exam:6: ", "a.exam:5: [Periods] announces 2"]);
    assert_says(&complaint(&[("a.exam", "[Exams:0]\n")], "a.exam"), &["no section [Periods"]);
    assert_says(&complaint(&[("a.exam", "lorem\n")], "a.exam"), &["a.exam:1: expected [Exams:number], found «lorem»"]);
}

#[test]
fn a_student_twice_in_an_exam_counts_once() {
    let instance = load(&[("a.exam", &VALID.replace("7, 8, 9", "7, 8, 9, 08"))], "a.exam").unwrap();
    assert_eq!(instance.enrolments(), 6);
    assert_says(&instance.warnings.join("\n"), &["1 student listed more than once", "line 2"]);
}

#[test]
fn constraints_that_nothing_can_meet_are_ignored() {
    // Exams 0 and 1 share student 8; 1 and 2 share nobody.
    let text =
        VALID.replace("2, AFTER, 1\n", "2, AFTER, 1\n0, EXAM_COINCIDENCE, 1\n1, EXCLUSION, 2\n2, EXCLUSION, 2\n");
    let session = itc2007::read(Source { path: Path::new("a.exam"), text: &text }).unwrap();
    let of = |line, kind, first, second| Constraint { line, kind, first, second };
    use ConstraintKind::{After, Coincidence, Exclusion, RoomExclusive};
    assert_eq!(
        session.constraints,
        [
            of(12, After, 0, Some(1)),
            of(13, Coincidence, 1, Some(2)),
            of(14, After, 2, Some(1)),
            of(16, Exclusion, 1, Some(2)),
            of(19, RoomExclusive, 2, None),
        ]
    );
    assert_eq!(session.impossible, [of(15, Coincidence, 0, Some(1)), of(17, Exclusion, 2, Some(2))]);
    assert_eq!(session.period_minutes, [100, 210]);
    assert_says(&session.parts.warnings.join("\n"), &["2 constraints that nothing can meet ignored, in lines 15, 17"]);
}
