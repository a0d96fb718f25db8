//! Declaration of the tables of a session.

use super::super::formats::columns::{
    ARRANGEMENTS, ENROLMENTS, EXAMINERS, EXAMS, INVIGILATION, INVIGILATORS, PEOPLE, PERIODS, ROOMS, STUDENTS,
};
use crate::invigilators::{ChiefScope, Role};
use gridwright_core::data::{Carried, CarriedTo, ColumnSpec, TableSpec, ValueKind, Word};

/// Indices of the tables.
pub(crate) const OF_ENROLMENTS: usize = 0;
pub(crate) const OF_EXAMS: usize = 1;
pub(crate) const OF_PERIODS: usize = 2;
pub(crate) const OF_ROOMS: usize = 3;
pub(crate) const OF_PEOPLE: usize = 4;
pub(crate) const OF_EXAMINERS: usize = 5;
pub(crate) const OF_ARRANGEMENTS: usize = 6;
pub(crate) const OF_STUDENTS: usize = 7;
pub(crate) const OF_INVIGILATORS: usize = 8;
pub(crate) const OF_INVIGILATION: usize = 9;

const COUNT: ValueKind = ValueKind::Whole { least: 0, most: u32::MAX as u64 };
const MOST_ROOMS: ValueKind = ValueKind::Whole { least: 1, most: u16::MAX as u64 };
const DUTIES: ValueKind = ValueKind::Whole { least: 0, most: 10_000 };
const PER_CENT: ValueKind = ValueKind::Whole { least: 0, most: 1_000 };

const ENROLMENT_COLUMNS: [ColumnSpec; 2] = [
    ColumnSpec::new(ENROLMENTS[0], "Student", ValueKind::Text, "Code or number of the student."),
    ColumnSpec::new(ENROLMENTS[1], "Exam", ValueKind::Reference("exams"), "Code of an exam that the student sits."),
];

const EXAM_COLUMNS: [ColumnSpec; 8] = [
    ColumnSpec::new(EXAMS[0], "Code", ValueKind::Name, "Code of the exam."),
    ColumnSpec::new(EXAMS[1], "Title", ValueKind::Text, "Title of the exam for people."),
    ColumnSpec::new(
        EXAMS[2],
        "Duration",
        ValueKind::Minutes,
        "Length of the exam; it cannot be in a shorter period. Empty if it fits everywhere.",
    )
    .with_unit("min"),
    ColumnSpec::new(EXAMS[3], "Own room", ValueKind::Mark, "Marks an exam whose rooms no other exam may share."),
    ColumnSpec::new(EXAMS[4], "Most rooms", MOST_ROOMS, "Largest number of rooms for the exam; empty for one room."),
    ColumnSpec::new(
        EXAMS[5],
        "Features needed",
        ValueKind::Text,
        "Features that its rooms must have, such as computers; ramp.",
    ),
    ColumnSpec::new(
        EXAMS[6],
        "Allowed rooms",
        ValueKind::References("rooms"),
        "Codes of the rooms that may be used, such as H1; H2. Empty if all may.",
    ),
    ColumnSpec::new(
        EXAMS[7],
        "Seats needed",
        COUNT,
        "Seats to reserve in its rooms; empty for the number of students.",
    ),
];

const PERIOD_COLUMNS: [ColumnSpec; 5] = [
    ColumnSpec::new(PERIODS[1], "Date", ValueKind::Date, "Day of the period."),
    ColumnSpec::new(PERIODS[2], "Start", ValueKind::Time, "Time of day at which the period begins."),
    ColumnSpec::new(PERIODS[3], "End", ValueKind::Time, "Time of day at which the period ends."),
    ColumnSpec::new(PERIODS[4], "Seats", COUNT, "Seats of all rooms together; empty if they are not limited."),
    ColumnSpec::new(PERIODS[5], "Penalty", COUNT, "Penalty of each exam in the period; empty for none."),
];

const ROOM_COLUMNS: [ColumnSpec; 9] = [
    ColumnSpec::new(ROOMS[0], "Room", ValueKind::Name, "Code of the room."),
    ColumnSpec::new(ROOMS[1], "Exam seats", COUNT, "Seats for exams, which are fewer than those for lectures."),
    ColumnSpec::new(ROOMS[2], "Building", ValueKind::Text, "Building of the room."),
    ColumnSpec::new(ROOMS[3], "Features", ValueKind::Text, "What exams may ask for, such as computers; ramp."),
    ColumnSpec::new(ROOMS[4], "Penalty", COUNT, "Penalty of each exam in the room; empty for none."),
    ColumnSpec::new(ROOMS[5], "One exam at a time", ValueKind::Mark, "Marks a room that exams do not share."),
    ColumnSpec::new(
        ROOMS[6],
        "Closed",
        ValueKind::Moments,
        "Periods without the room: numbers from 1, dates, dates with a start, spans, open ranges and weekdays, such as 3; \
         2026-06-01 09:00; 2026-06-08 to 2026-06-12; from 2026-06-15; Fri.",
    )
    .decisive(),
    ColumnSpec::new(
        ROOMS[7],
        "Seat plan",
        ValueKind::Text,
        "Rows x seats of a row, such as 12 x 8; without A1, C4–C6, row D; every second seat; every second row; by columns. Then \
         every student has a seat. Empty if students sit where they like.",
    ),
    ColumnSpec::new(
        ROOMS[8],
        "Extra time room",
        ValueKind::Mark,
        "Marks a common room for students with extra time, whatever their exams. Nobody else is there where they sit in a common \
         room (menu Edit).",
    ),
];

const PERSON_COLUMNS: [ColumnSpec; 2] = [
    ColumnSpec::new(PEOPLE[0], "Name", ValueKind::Name, "Name of the person."),
    ColumnSpec::new(
        PEOPLE[1],
        "Absent",
        ValueKind::Moments,
        "Periods without the person: numbers from 1, dates, dates with a start, spans, open ranges and weekdays, such as 3; \
         2026-06-01 09:00; 2026-06-08 to 2026-06-12; from 2026-06-15; Fri.",
    )
    .decisive(),
];

const EXAMINER_COLUMNS: [ColumnSpec; 2] = [
    ColumnSpec::new(EXAMINERS[0], "Examiner", ValueKind::Reference("people"), "Person who must be at the exam."),
    ColumnSpec::new(EXAMINERS[1], "Exam", ValueKind::Reference("exams"), "Code of the exam."),
];

const ARRANGEMENT_COLUMNS: [ColumnSpec; 4] = [
    ColumnSpec::new(ARRANGEMENTS[0], "Student", ValueKind::Text, "Code or number of the student."),
    ColumnSpec::new(ARRANGEMENTS[1], "Extra time", ValueKind::Minutes, "Extra time in each exam.").with_unit("min"),
    ColumnSpec::new(ARRANGEMENTS[2], "Extra time", PER_CENT, "Extra time as a share of each exam's duration.")
        .with_unit("%"),
    ColumnSpec::new(ARRANGEMENTS[3], "Own room", ValueKind::Mark, "Marks a student who is alone in a room."),
];

const STUDENT_COLUMNS: [ColumnSpec; 6] = [
    ColumnSpec::new(STUDENTS[0], "Student", ValueKind::Name, "Code or number of the student."),
    ColumnSpec::new(STUDENTS[1], "Name", ValueKind::Text, "Surname, or the whole name with the surname first."),
    ColumnSpec::new(STUDENTS[2], "First name", ValueKind::Text, "First names, if they have a column of their own."),
    ColumnSpec::new(STUDENTS[3], "Programme", ValueKind::Text, "Programme of studies."),
    ColumnSpec::new(STUDENTS[4], "E-mail", ValueKind::Text, "Address for personal letters."),
    ColumnSpec::new(
        STUDENTS[5],
        "Personal code",
        ValueKind::Text,
        "Opens the student's exams on the page for students; without one the code or number does.",
    ),
];

const ROLES: [Word; 3] = [
    Word::of(Role::Reserve.word()).or(
        "standby substitute backup ersatz ersatzaufsicht vertretung springer réserve remplaçant remplaçante αναπληρωτής αναπληρώτρια εφεδρικός riserva",
    ),
    Word::of(Role::Invigilator.word()).or(
        "proctor supervisor aufsicht aufsichtsperson aufsichtführend aufsichtsführend prüfungsaufsicht surveillant surveillante επιτηρητής επιτηρήτρια sorvegliante",
    ),
    Word::of(Role::Chief.word()).or(
        "lead leader head senior leitung leiter leiterin hauptaufsicht aufsichtsleitung prüfungsleitung chef responsable υπεύθυνος υπεύθυνη επικεφαλής responsabile",
    ),
];

const SCOPES: [Word; 3] = [
    Word::of(ChiefScope::Nobody.word()).or("nobody no keine niemand kein aucun καμία κανένας nessuno"),
    Word::of(ChiefScope::Period.word())
        .or("session slot periode termin zeitraum prüfungstermin période περίοδος periodo"),
    Word::of(ChiefScope::Building.word()).or("gebäude haus bâtiment κτίριο κτήριο edificio"),
];

const INVIGILATOR_COLUMNS: [ColumnSpec; 9] = [
    ColumnSpec::new(INVIGILATORS[0], "Invigilator", ValueKind::Name, "Code of the person, such as a staff number."),
    ColumnSpec::new(INVIGILATORS[1], "Name", ValueKind::Text, "Name for lists and calendars."),
    ColumnSpec::new(INVIGILATORS[2], "E-mail", ValueKind::Text, "Address for the person's own list."),
    ColumnSpec::new(
        INVIGILATORS[3],
        "Role",
        ValueKind::Choice(&ROLES),
        "chief, invigilator or reserve; empty for invigilator. A reserve has no duty in a room, a chief may have every duty.",
    ),
    ColumnSpec::new(INVIGILATORS[4], "Least duties", DUTIES, "Fewest duties of the person; empty for none."),
    ColumnSpec::new(INVIGILATORS[5], "Most duties", DUTIES, "Most duties of the person; empty if they are not limited."),
    ColumnSpec::new(
        INVIGILATORS[6],
        "Absent",
        ValueKind::Moments,
        "Periods without the person: numbers from 1, dates, dates with a start, spans, open ranges and weekdays, such as 3; \
         2026-06-01 09:00; 2026-06-08 to 2026-06-12; from 2026-06-15; Fri.",
    )
    .decisive(),
    ColumnSpec::new(
        INVIGILATORS[7],
        "Not at",
        ValueKind::References("exams"),
        "Codes of exams in whose rooms the person has no duty, such as the own ones.",
    ),
    ColumnSpec::new(
        INVIGILATORS[8],
        "Not with",
        ValueKind::Text,
        "Codes of invigilators with whom the person does not share a room.",
    )
    .mentioning("invigilators", None),
];

const INVIGILATION_COLUMNS: [ColumnSpec; 5] = [
    ColumnSpec::new(
        INVIGILATION[0],
        "Students per invigilator",
        ValueKind::Whole { least: 1, most: u32::MAX as u64 },
        "One invigilator is needed for each so many students of a room or fewer, usually 30.",
    )
    .with_default("30"),
    ColumnSpec::new(INVIGILATION[1], "Least per room", DUTIES, "Fewest invigilators of a room; empty for 1."),
    ColumnSpec::new(
        INVIGILATION[2],
        "Chief per",
        ValueKind::Choice(&SCOPES),
        "building, period or none; empty for one per building if there are chiefs.",
    ),
    ColumnSpec::new(
        INVIGILATION[3],
        "Reserves per period",
        DUTIES,
        "Reserves of each period; empty for 1 if there are people with this role.",
    ),
    ColumnSpec::new(INVIGILATION[4], "Most in a row", DUTIES, "Most duties in a row on one day; empty for 2."),
];

/// Heading of the wishes of a department in a check sheet.
pub(crate) const WISHES: &str = "wishes";

/// Tables of a session.
pub(crate) const TABLES: [TableSpec; 10] = [
    TableSpec::new(
        "enrolments", "Enrolments", "enrolment", "One row for each exam of each student.", &ENROLMENT_COLUMNS,
    )
    .pairs(0, 1, None)
    .carrying(Carried { column: ENROLMENTS[2], title: "Title of the exam", reference: 1, target: CarriedTo::Cell(1) })
    .required(),
    TableSpec::new("exams", "Exams", "exam", "One row for each exam.", &EXAM_COLUMNS)
        .carrying(Carried { column: EXAMS[8], title: "Examiners", reference: 0, target: CarriedTo::Pairs("examiners") })
        .excerpted_by(WISHES),
    TableSpec::new(
        "periods",
        "Periods",
        "period",
        "One row for each period, in the order of the session; nights and weekends have none.",
        &PERIOD_COLUMNS,
    )
    .identified_by(&[0, 1]),
    TableSpec::new(
        "rooms",
        "Rooms",
        "room",
        "One row for each room; without any, the seats of the periods count.",
        &ROOM_COLUMNS,
    ),
    TableSpec::new("people", "People", "person", "One row for each person who is needed at exams.", &PERSON_COLUMNS),
    TableSpec::new(
        "examiners",
        "Examiners",
        "examiner",
        "One row for each person at each exam; nobody can be at two exams in one period.",
        &EXAMINER_COLUMNS,
    )
    .pairs(0, 1, None)
    .carrying(Carried {
        column: EXAMINERS[2],
        title: "Absences of the examiner",
        reference: 0,
        target: CarriedTo::Cell(1),
    }),
    TableSpec::new(
        "arrangements",
        "Arrangements",
        "arrangement",
        "One row for each student with extra time or a room of his or her own.",
        &ARRANGEMENT_COLUMNS,
    )
    .identified_by(&[0]),
    TableSpec::new(
        "students",
        "Students",
        "student",
        "Names of students for lists, registers and letters; no timetable needs them.",
        &STUDENT_COLUMNS,
    )
    .later(),
    TableSpec::new(
        "invigilators",
        "Invigilators",
        "invigilator",
        "One row for each person who may have duties in rooms; no timetable needs them.",
        &INVIGILATOR_COLUMNS,
    )
    .later(),
    TableSpec::new(
        "invigilation",
        "Invigilation",
        "rule",
        "One row with the rules for the number of invigilators; without it the usual ones hold.",
        &INVIGILATION_COLUMNS,
    )
    .later(),
];
