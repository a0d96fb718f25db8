//! CSV tables of a timetable by exam, by period, and by student.
//!
//! Periods are counted from 1; dates and times are ISO 8601, empty if unknown; an exam ends after its own duration if that
//! is known. Unplaced exams come last. The tables are for people and begin with a byte order mark.

use crate::text::table::for_people;
use crate::timetabling::counts::placed;
use crate::timetabling::{Instance, Period, Timetable};

const EXAM: [&str; 3] = ["code", "title", "enrolment"];
const PERIOD: [&str; 4] = ["period", "date", "start", "end"];

/// Heads of the tables by exam, by period and by student.
fn heads() -> [Vec<&'static str>; 3] {
    [
        [&EXAM[..], &PERIOD].concat(),
        [&PERIOD[..], &["seats"], &EXAM].concat(),
        [&["student", "code", "title"][..], &PERIOD, &["periods_since_exam_before"]].concat(),
    ]
}

/// Returns `true` if `line` is the head of one of these tables.
pub fn is_head(line: &str) -> bool {
    heads().iter().any(|head| head.join(",") == line.trim())
}

/// Formats one line per exam, in the order of the instance.
pub fn by_exam(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let lines = (0..instance.exam_count()).map(|exam| {
        let period = placed(instance, timetable, exam);
        exam_cells(instance, exam).into_iter().chain(period_cells(instance, Some(exam), period)).collect()
    });
    let [head, ..] = heads();
    for_people(&head, lines)
}

/// Formats one line per exam by period, the period in front; a period without exams has a line of its own.
pub fn by_period(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let seats = |period: Option<usize>| {
        let seats = period.and_then(|period| instance.periods.get(period)?.seats);
        seats.map(|seats| seats.to_string()).unwrap_or_default()
    };
    let line = |period: Option<usize>, exam: Option<usize>| -> Vec<String> {
        let times = period_cells(instance, exam, period);
        let exam = exam.map_or_else(Default::default, |exam| exam_cells(instance, exam));
        times.into_iter().chain([seats(period)]).chain(exam).collect()
    };
    let mut lines = Vec::with_capacity(instance.exam_count());
    for (period, exams) in timetable.by_period(instance.period_count()).iter().enumerate() {
        match exams.as_slice() {
            [] => lines.push(line(Some(period), None)),
            exams => lines.extend(exams.iter().map(|&exam| line(Some(period), Some(exam)))),
        }
    }
    let missing = (0..instance.exam_count()).filter(|&exam| placed(instance, timetable, exam).is_none());
    lines.extend(missing.map(|exam| line(None, Some(exam))));
    let [_, head, _] = heads();
    for_people(&head, lines.into_iter())
}

/// Formats one line per student and exam: students in the order of the instance, the exams of each by period, with the
/// number of periods since the previous exam.
pub fn by_student(instance: &Instance, timetable: &Timetable) -> Vec<u8> {
    let mut lines = Vec::with_capacity(instance.enrolments());
    for student in 0..instance.students.len() {
        let code = instance.students.code(student);
        for Sitting { exam, period, gap } in sittings(instance, timetable, student) {
            let times = period_cells(instance, Some(exam), period);
            let [exam, title, _] = exam_cells(instance, exam);
            let gap = gap.map(|gap| gap.to_string()).unwrap_or_default();
            let cells = [code.clone(), exam, title].into_iter().chain(times).chain([gap]);
            lines.push(cells.collect());
        }
    }
    let [.., head] = heads();
    for_people(&head, lines.into_iter())
}

/// End of an exam in its period or, without an exam, of the period.
pub fn end_of(instance: &Instance, exam: Option<usize>, period: Option<usize>) -> Option<chrono::NaiveTime> {
    match exam {
        Some(exam) => instance.exam_end(exam, period?).map(|(end, _)| end),
        None => instance.periods.get(period?)?.end,
    }
}

/// Exam of a student.
pub struct Sitting {
    /// Index of the exam.
    pub exam: usize,
    /// Period of the exam, from 0; `None` if unplaced.
    pub period: Option<usize>,
    /// Periods since the student's previous exam; 0 is a clash.
    pub gap: Option<usize>,
}

/// Exams of a student by period; unplaced ones last.
pub fn sittings(instance: &Instance, timetable: &Timetable, student: usize) -> Vec<Sitting> {
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

/// Number from 1, date and start of a period, and the end of the exam or, without one, of the period.
fn period_cells(instance: &Instance, exam: Option<usize>, period: Option<usize>) -> [String; 4] {
    let none = Period::default();
    let data = period.and_then(|period| instance.periods.get(period)).unwrap_or(&none);
    let time = |time: Option<chrono::NaiveTime>| time.map(|time| time.format("%H:%M").to_string()).unwrap_or_default();
    [
        period.map(|period| (period + 1).to_string()).unwrap_or_default(),
        data.date.map(|date| date.to_string()).unwrap_or_default(),
        time(data.start),
        time(end_of(instance, exam, period)),
    ]
}
