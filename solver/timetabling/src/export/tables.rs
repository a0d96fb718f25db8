//! CSV tables of a timetable by exam, by period, by student, and of its rooms.
//!
//! Periods are counted from 1; dates and times are ISO 8601, empty if unknown; an exam ends after its own duration if that
//! is known. Unplaced exams come last. Where the timetable has rooms, each sitting has a line. The tables are for people and begin with a byte order mark.

use crate::counts::placed;
use crate::occupancy::Occupancy;
use crate::{Instance, Period, Timetable};
use gridwright_core::text::table::for_people;

const EXAM: [&str; 3] = ["code", "title", "enrolment"];
const PERIOD: [&str; 4] = ["period", "date", "start", "end"];

/// Further columns of the tables by exam and by period where the timetable has rooms.
const ROOMS: [&str; 3] = ["students", "extra_minutes", "rooms"];

/// Head of the table of rooms.
fn rooms_head() -> Vec<&'static str> {
    [&PERIOD[..], &["room", "building", "code", "title", "students", "extra_minutes", "seats", "free"]].concat()
}

/// Heads of the tables by exam, by period and by student.
fn heads(has_rooms: bool) -> [Vec<&'static str>; 3] {
    let (rooms, room) = if has_rooms { (&ROOMS[..], &ROOMS[2..]) } else { (&[][..], &[][..]) };
    [
        [&EXAM[..], &PERIOD, rooms].concat(),
        [&PERIOD[..], &["seats"], &EXAM, rooms].concat(),
        [&["student", "code", "title"][..], &PERIOD, &["periods_since_exam_before"], room].concat(),
    ]
}

/// Returns `true` if `line` is the head of one of these tables.
pub(crate) fn is_head(line: &str) -> bool {
    let known = [false, true].into_iter().flat_map(heads).chain([rooms_head()]);
    known.into_iter().any(|head| head.join(",") == line.trim())
}

/// Sittings of an exam; one `None` if the timetable has no rooms.
pub(crate) fn sittings_of(occupancy: Option<&Occupancy<'_>>, exam: usize) -> Vec<Option<usize>> {
    occupancy.map_or_else(|| vec![None], |occupancy| occupancy.of_exam(exam).map(Some).collect())
}

/// Cells of [`ROOMS`]; none if the timetable has no rooms.
fn room_cells(occupancy: Option<&Occupancy<'_>>, sitting: Option<usize>) -> Vec<String> {
    let Some(occupancy) = occupancy else { return Vec::new() };
    let Some(at) = sitting else { return vec![String::new(); ROOMS.len()] };
    let sitting = occupancy.sitting(at);
    vec![sitting.students.to_string(), sitting.extra.to_string(), occupancy.words(at)]
}

/// Formats one line per exam, in the order of the instance.
pub(crate) fn by_exam(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let occupancy = Occupancy::of(instance, timetable);
    let occupancy = occupancy.as_ref();
    let lines = (0..instance.exam_count()).flat_map(|exam| {
        let period = placed(instance, timetable, exam);
        let line = move |sitting| {
            let times = period_cells(instance, end_of(instance, occupancy, Some(exam), sitting, period), period);
            exam_cells(instance, exam).into_iter().chain(times).chain(room_cells(occupancy, sitting)).collect()
        };
        sittings_of(occupancy, exam).into_iter().map(line)
    });
    let [head, ..] = heads(occupancy.is_some());
    for_people(&head, lines)
}

/// Formats one line per exam by period, the period in front; a period without exams has a line of its own.
pub(super) fn by_period(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let occupancy = Occupancy::of(instance, timetable);
    let occupancy = occupancy.as_ref();
    let seats = |period: Option<usize>| {
        let seats = period.and_then(|period| instance.periods.get(period)?.seats);
        seats.map(|seats| seats.to_string()).unwrap_or_default()
    };
    let line = |period: Option<usize>, exam: Option<usize>, sitting: Option<usize>| -> Vec<String> {
        let times = period_cells(instance, end_of(instance, occupancy, exam, sitting, period), period);
        let exam = exam.map_or_else(Default::default, |exam| exam_cells(instance, exam));
        times.into_iter().chain([seats(period)]).chain(exam).chain(room_cells(occupancy, sitting)).collect()
    };
    let mut lines = Vec::with_capacity(instance.exam_count());
    let of_exam = |period: Option<usize>, exam: usize| -> Vec<Vec<String>> {
        sittings_of(occupancy, exam).into_iter().map(|sitting| line(period, Some(exam), sitting)).collect()
    };
    for (period, exams) in timetable.by_period(instance.period_count()).iter().enumerate() {
        match exams.as_slice() {
            [] => lines.push(line(Some(period), None, None)),
            exams => exams.iter().for_each(|&exam| lines.extend(of_exam(Some(period), exam))),
        }
    }
    let missing = (0..instance.exam_count()).filter(|&exam| placed(instance, timetable, exam).is_none());
    lines.extend(missing.flat_map(|exam| of_exam(None, exam)));
    let [_, head, _] = heads(occupancy.is_some());
    for_people(&head, lines.into_iter())
}

/// Formats one line per student and exam: students in the order of the instance, the exams of each by period, with the
/// number of periods since the previous exam.
pub(crate) fn by_student(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let occupancy = Occupancy::of(instance, timetable);
    let occupancy = occupancy.as_ref();
    let mut lines = Vec::with_capacity(instance.enrolments());
    for student in 0..instance.students.len() {
        let code = instance.students.code(student);
        for Sitting { exam, period, gap } in sittings(instance, timetable, student) {
            let sitting = occupancy.map(|occupancy| occupancy.of_student(student, exam));
            let times = period_cells(instance, end_of(instance, occupancy, Some(exam), sitting, period), period);
            let [exam, title, _] = exam_cells(instance, exam);
            let gap = gap.map(|gap| gap.to_string()).unwrap_or_default();
            let room = occupancy.zip(sitting).map(|(occupancy, sitting)| occupancy.codes(sitting));
            let cells = [code.clone(), exam, title].into_iter().chain(times).chain([gap]).chain(room);
            lines.push(cells.collect());
        }
    }
    let [.., head] = heads(occupancy.is_some());
    for_people(&head, lines.into_iter())
}

/// Formats one line per period, room and sitting in it, with the seats that are free; no line if the timetable has no rooms.
pub(crate) fn by_room(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let occupancy = Occupancy::of(instance, timetable);
    let uses = occupancy.iter().flat_map(|occupancy| occupancy.uses().into_iter().map(move |of| (occupancy, of)));
    let lines = uses.map(|(occupancy, of)| {
        let (sitting, room) = (occupancy.sitting(of.sitting), &instance.resources.rooms[of.room]);
        let end = end_of(instance, Some(occupancy), Some(sitting.exam), Some(of.sitting), Some(of.period));
        let [code, title, _] = exam_cells(instance, sitting.exam);
        let numbers = [of.students.to_string(), sitting.extra.to_string(), room.seats.to_string(), of.free.to_string()];
        let texts = [room.code.clone(), room.building.clone(), code, title];
        period_cells(instance, end, Some(of.period)).into_iter().chain(texts).chain(numbers).collect()
    });
    for_people(&rooms_head(), lines)
}

/// End of a sitting or exam in its period or, without an exam, of the period.
pub(crate) fn end_of(
    instance: &Instance, occupancy: Option<&Occupancy<'_>>, exam: Option<usize>, sitting: Option<usize>,
    period: Option<usize>,
) -> Option<chrono::NaiveTime> {
    match (occupancy.zip(sitting), exam) {
        (Some((occupancy, sitting)), _) => occupancy.end(sitting, period?).map(|(end, _)| end),
        (None, Some(exam)) => instance.exam_end(exam, period?).map(|(end, _)| end),
        (None, None) => instance.periods.get(period?)?.end,
    }
}

/// Exam of a student.
pub(super) struct Sitting {
    /// Index of the exam.
    pub exam: usize,
    /// Period of the exam, from 0; `None` if unplaced.
    pub period: Option<usize>,
    /// Periods since the student's previous exam; 0 is a clash.
    pub gap: Option<usize>,
}

/// Exams of a student by period; unplaced ones last.
pub(super) fn sittings(instance: &Instance, timetable: &Timetable, student: usize) -> Vec<Sitting> {
    let sits = instance.students.exams_of(student).iter().map(|&exam| usize::from(exam));
    let mut sits: Vec<(usize, usize)> =
        sits.map(|exam| (placed(instance, timetable, exam).unwrap_or(usize::MAX), exam)).collect();
    sits.sort_unstable();
    let mut before = None;
    let sitting = |(period, exam)| {
        let period = Some(period).filter(|&period| period != usize::MAX);
        let gap = period.zip(before).map(|(now, before): (usize, usize)| now - before);
        before = period;
        Sitting { exam, period, gap }
    };
    sits.into_iter().map(sitting).collect()
}

fn exam_cells(instance: &Instance, exam: usize) -> [String; 3] {
    let data = &instance.exams[exam];
    [data.code.clone(), data.title.clone(), data.enrolment.to_string()]
}

/// Number from 1, date and start of a period, and this end.
fn period_cells(instance: &Instance, end: Option<chrono::NaiveTime>, period: Option<usize>) -> [String; 4] {
    let none = Period::default();
    let data = period.and_then(|period| instance.periods.get(period)).unwrap_or(&none);
    let time = |time: Option<chrono::NaiveTime>| time.map(|time| time.format("%H:%M").to_string()).unwrap_or_default();
    [
        period.map(|period| (period + 1).to_string()).unwrap_or_default(),
        data.date.map(|date| date.to_string()).unwrap_or_default(),
        time(data.start),
        time(end),
    ]
}
