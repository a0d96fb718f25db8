//! Heads of the exported tables, by which they are recognised.

const EXAM: [&str; 3] = ["code", "title", "enrolment"];
const PERIOD: [&str; 4] = ["period", "date", "start", "end"];

/// Further columns of the tables by exam and by period where the timetable has rooms.
pub(super) const ROOMS: [&str; 3] = ["students", "extra_minutes", "rooms"];

/// Last column of the tables by exam, by period and of rooms if the session has people.
const EXAMINERS: [&str; 1] = ["examiners"];

/// [`EXAMINERS`] if there are any.
fn examiners_head(has_people: bool) -> &'static [&'static str] {
    if has_people { &EXAMINERS } else { &[] }
}

/// Column of the table of rooms with the number of the sitting among those of its exam; tables of former versions lack it.
const SITTING: &str = "sitting";

/// Head of the table of rooms.
pub(super) fn rooms_head(has_people: bool) -> Vec<&'static str> {
    let own = &["room", "building", "code", "title", SITTING, "students", "extra_minutes", "seats", "free"];
    [&PERIOD[..], own, examiners_head(has_people)].concat()
}

/// Columns of the table by student with the names of students.
const NAMES: [&str; 4] = ["name", "first_name", "programme", "email"];

/// Heads of the tables by exam and by period.
pub(super) fn heads(has_rooms: bool, has_people: bool) -> [Vec<&'static str>; 2] {
    let rooms = if has_rooms { &ROOMS[..] } else { &[] };
    let people = examiners_head(has_people);
    [[&EXAM[..], &PERIOD, rooms, people].concat(), [&PERIOD[..], &["seats"], &EXAM, rooms, people].concat()]
}

/// Head of the table by student.
pub(super) fn students_head(has_names: bool, rooms: &'static [&'static str]) -> Vec<&'static str> {
    let names = if has_names { &NAMES[..] } else { &[] };
    [&["student"], names, &["code", "title"], &PERIOD, &["periods_since_exam_before"], rooms].concat()
}

/// Head of the table of changes since the published version.
pub(super) fn changes_head(has_names: bool) -> Vec<&'static str> {
    let names = if has_names { &NAMES[..] } else { &[] };
    let before = &["period_before", "date_before", "start_before", "end_before", "rooms_before"];
    [&["affected", "who"], names, &["code", "title", "change"], before, &PERIOD, &["rooms"]].concat()
}

/// Head of the table of duties.
pub(super) const DUTIES: [&str; 11] =
    ["invigilator", "name", "email", "duty", "period", "date", "start", "end", "room", "building", "exams"];

/// Columns of the table by student about rooms.
pub(super) const ROOM: [&str; 2] = ["extra_minutes", "room"];

/// As [`ROOM`] where rooms have plans of their seats.
pub(super) const ROOM_AND_SEAT: [&str; 3] = ["extra_minutes", "room", "seat"];

/// As [`ROOM`] in tables of former versions.
const FORMER_ROOM: [&str; 1] = ["rooms"];

/// Returns `true` if `line` is the head of one of these tables.
fn is_head(line: &str) -> bool {
    let by_student = [false, true].into_iter().flat_map(|has_names| {
        [&[][..], &ROOM, &ROOM_AND_SEAT, &FORMER_ROOM].map(|rooms| students_head(has_names, rooms))
    });
    let by_exam = [false, true].into_iter().flat_map(|has_people| {
        let heads = [false, true].into_iter().flat_map(move |has_rooms| heads(has_rooms, has_people));
        let rooms = rooms_head(has_people);
        let former = rooms.iter().copied().filter(|name| *name != SITTING).collect();
        heads.chain([rooms, former, changes_head(has_people)])
    });
    let mut known = by_exam.chain(by_student).chain([DUTIES.to_vec()]);
    known.any(|head| head.join(",") == line.trim())
}

/// Returns `true` if a text begins with the head of an exported table.
pub(crate) fn is_exported(text: &str) -> bool {
    is_head(text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default())
}
