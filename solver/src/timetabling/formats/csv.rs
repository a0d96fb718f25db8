//! Tables as offices have them: who sits what, a line per student and exam, with tables of exams and periods beside it.
//!
//! `enrolments.csv` (any name) has the columns `student,exam`; `exams.csv` in the same folder `code,title,duration` and
//! `periods.csv` `date,start,end,seats`. Columns come in any order and under their usual names; comma, semicolon and
//! tab are recognised.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use chrono::{NaiveDate, NaiveTime};

use super::lines::{Problems, Read, counted, file_name, listed, number, quoted};
use super::table::{Column, Table, leftovers};
use super::{Loaded, Source};
use crate::timetabling::{Exam, Instance, InstanceParts, MAX_EXAMS, MAX_PERIODS, Period};
use crate::{Error, Result, files};

const STUDENT: Column = Column {
    name: "student",
    synonyms: &[
        "studentid",
        "studentcode",
        "studentnumber",
        "studentno",
        "students",
        "matriculation",
        "matriculationnumber",
        "matriculationno",
        "matrikelnummer",
        "matrikel",
        "registration",
        "registrationnumber",
        "candidate",
        "candidatenumber",
        "candidateid",
        "person",
        "personid",
    ],
    required: true,
};

pub(super) const EXAM: Column = Column {
    name: "exam",
    synonyms: &[
        "examcode",
        "examid",
        "examnumber",
        "exams",
        "examination",
        "examinationcode",
        "prüfung",
        "prüfungsnummer",
        "course",
        "coursecode",
        "courseid",
        "module",
        "modulecode",
        "moduleid",
        "modul",
        "subject",
        "subjectcode",
        "unit",
        "unitcode",
        "paper",
        "code",
    ],
    required: true,
};

const ENROLMENTS: [Column; 2] = [STUDENT, EXAM];

const EXAMS: [Column; 3] = [
    Column { name: "code", synonyms: EXAM_CODES, required: true },
    Column {
        name: "title",
        synonyms: &[
            "examtitle",
            "coursetitle",
            "moduletitle",
            "name",
            "examname",
            "coursename",
            "description",
            "titel",
        ],
        required: false,
    },
    Column {
        name: "duration",
        synonyms: &["minutes", "durationminutes", "durationmin", "examduration", "length", "dauer"],
        required: false,
    },
];

/// As in [`EXAM`]; in a table of exams «code» says it best.
const EXAM_CODES: &[&str] = &[
    "examcode",
    "coursecode",
    "modulecode",
    "subjectcode",
    "unitcode",
    "exam",
    "examid",
    "examnumber",
    "examination",
    "course",
    "courseid",
    "module",
    "moduleid",
    "modul",
    "subject",
    "unit",
    "paper",
    "prüfung",
    "prüfungsnummer",
    "id",
];

const PERIODS: [Column; 5] = [
    Column { name: "period", synonyms: &["number", "no", "slot", "timeslot", "periode"], required: false },
    Column { name: "date", synonyms: &["day", "datum", "examdate"], required: false },
    Column { name: "start", synonyms: &["starttime", "begin", "begins", "from", "time", "beginn"], required: false },
    Column { name: "end", synonyms: &["endtime", "ends", "until", "to", "ende"], required: false },
    Column { name: "seats", synonyms: &["capacity", "places", "seatcount", "plätze"], required: false },
];

/// The tables of one session.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'a> {
    /// Who sits what.
    pub enrolments: Source<'a>,
    /// Codes, titles and durations.
    pub exams: Option<Source<'a>>,
    /// Dates, times and seats.
    pub periods: Option<Source<'a>>,
}

/// Loads the enrolments in `path` and the tables beside it.
pub(super) fn load(path: &Path) -> Result<Loaded> {
    let path = &enrolments_for(path);
    let bytes = files::read(path)?;
    let beside = |name: &str| -> Result<Option<(PathBuf, Vec<u8>)>> {
        let found = super::find_beside(path, name, "csv").filter(|found| found != path);
        found.map(|path| files::read(&path).map(|bytes| (path, bytes))).transpose()
    };
    let (exams, periods) = (beside("exams")?, beside("periods")?);
    let mut pieces: Vec<&[u8]> = vec![&bytes];
    pieces.extend([&exams, &periods].into_iter().flatten().map(|(_, bytes)| bytes.as_slice()));
    let file_hash = files::hash(&pieces);
    let text = |(path, bytes): (PathBuf, Vec<u8>)| files::text(&path, bytes).map(|text| (path, text));
    let enrolments = files::text(path, bytes)?;
    let (exams, periods) = (exams.map(text).transpose()?, periods.map(text).transpose()?);
    let mut parts = parse(Tables {
        enrolments: Source { path, text: &enrolments },
        exams: exams.as_ref().map(|(path, text)| Source { path, text }),
        periods: periods.as_ref().map(|(path, text)| Source { path, text }),
    })?;
    parts.name = super::name_of_table(path);
    parts.file_hash = file_hash;
    Ok(Loaded { parts, empty_lines: 0 })
}

/// A table of exams or periods is opened as the session that it belongs to.
fn enrolments_for(path: &Path) -> PathBuf {
    let own = super::stem(path).to_lowercase();
    let enrolments = ["exams", "periods"].contains(&own.as_str()).then(|| super::enrolments_in_folder_of(path));
    enrolments.flatten().unwrap_or_else(|| path.to_path_buf())
}

/// Whether a text begins with the header of an enrolment table.
pub(super) fn has_enrolment_header(text: &str) -> bool {
    Table::open(Source { path: Path::new(""), text }, &ENROLMENTS).is_ok()
}

/// Reads a session from the text of its tables; name and hash are the caller's.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every line of every table that cannot be used.
pub fn parse(tables: Tables) -> Result<InstanceParts> {
    let mut parts = InstanceParts::default();
    let mut errors = Vec::new();
    if let Some(source) = tables.exams {
        match read_exams(source, &mut parts.warnings) {
            Ok(exams) => parts.exams = exams,
            Err(error) => push(&mut errors, error),
        }
    }
    if let Some(source) = tables.periods {
        match read_periods(source, &mut parts.warnings) {
            Ok(periods) => parts.periods = periods,
            Err(error) => push(&mut errors, error),
        }
    }
    // Exams that a bad table of exams lacks are no news.
    let exams_are_known = tables.exams.is_some() && !parts.exams.is_empty();
    if let Err(error) = read_enrolments(tables.enrolments, tables.exams.filter(|_| exams_are_known), &mut parts) {
        push(&mut errors, error);
    }
    Error::from_lines(errors)?;
    Ok(parts)
}

fn push(errors: &mut Vec<Error>, error: Error) {
    match error {
        Error::Lines(lines) => errors.extend(lines),
        other => errors.push(other),
    }
}

/// Students and what they sit; without a table of exams the exams are those that occur, in the order of the lines.
fn read_enrolments(source: Source, known: Option<Source>, parts: &mut InstanceParts) -> Result<()> {
    let table = Table::open(source, &ENROLMENTS)?;
    let mut problems = Problems::new(source.path);
    let listed_exams = parts.exams.iter().enumerate().map(|(exam, data)| (data.code.clone(), exam as u16));
    let mut exams: HashMap<String, u16> = listed_exams.collect();
    let mut students: HashMap<String, usize> = HashMap::new();
    let mut lists: Vec<Vec<(u16, usize)>> = Vec::new();
    let hollow = table.rows(&mut problems, |problems, row| {
        let (student, code) = (row.get(0), row.get(1));
        if student.is_empty() || code.is_empty() {
            let lacking = if student.is_empty() { "student" } else { "exam" };
            problems.line(row.line, format!("the {lacking} is missing"));
            return;
        }
        let exam = match (exams.get(code), known) {
            (Some(&exam), _) => exam,
            (None, Some(known)) => {
                let what = format!("exam {} is not in {}; add it there", quoted(code), file_name(known.path));
                return problems.line(row.line, what);
            }
            (None, None) if parts.exams.len() == MAX_EXAMS => {
                return problems.line(row.line, format!("more than {MAX_EXAMS} exams; that many cannot be handled"));
            }
            (None, None) => {
                let exam = parts.exams.len() as u16;
                exams.insert(code.to_owned(), exam);
                parts.exams.push(Exam { code: code.to_owned(), ..Exam::default() });
                exam
            }
        };
        let student = match students.get(student) {
            Some(&student) => student,
            None => {
                students.insert(student.to_owned(), lists.len());
                parts.student_codes.push(student.to_owned());
                lists.push(Vec::new());
                lists.len() - 1
            }
        };
        lists[student].push((exam, row.line));
    });
    problems.finish()?;
    let file = file_name(source.path);
    leftovers(&file, &table.unused, hollow, &mut parts.warnings);
    remove_repeats(&file, &mut lists, parts);
    let mut sat = vec![false; parts.exams.len()];
    for &(exam, _) in lists.iter().flatten() {
        sat[usize::from(exam)] = true;
    }
    let idle: Vec<&str> =
        parts.exams.iter().zip(sat).filter(|(_, sat)| !sat).map(|(exam, _)| exam.code.as_str()).collect();
    if !idle.is_empty() {
        let (exams, verb) = (counted(idle.len(), "exam"), if idle.len() == 1 { "is" } else { "are" });
        parts.warnings.push(format!("{exams} {verb} sat by nobody: {}", listed(&idle)));
    }
    parts.students = lists.into_iter().map(|list| list.into_iter().map(|(exam, _)| exam).collect()).collect();
    Ok(())
}

/// Keeps one of the lines that say the same, and says how many did.
fn remove_repeats(file: &str, lists: &mut [Vec<(u16, usize)>], parts: &mut InstanceParts) {
    let mut repeats = 0;
    let mut first: Option<(usize, usize, u16)> = None;
    for (student, list) in lists.iter_mut().enumerate() {
        list.sort_unstable();
        list.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                repeats += 1;
                let this = (later.1, student, later.0);
                first = Some(first.map_or(this, |first| first.min(this)));
            }
            same
        });
    }
    if let Some((line, student, exam)) = first {
        let (student, exam) = (&parts.student_codes[student], &parts.exams[usize::from(exam)].code);
        let verb = if repeats == 1 { "repeats" } else { "repeat" };
        let what = format!("first line {line} (student {}, exam {})", quoted(student), quoted(exam));
        parts
            .warnings
            .push(format!("{file}: {} {verb} an earlier one, {what}; counted once", counted(repeats, "line")));
    }
}

fn read_exams(source: Source, warnings: &mut Vec<String>) -> Result<Vec<Exam>> {
    let table = Table::open(source, &EXAMS)?;
    let mut problems = Problems::new(source.path);
    let mut exams: Vec<Exam> = Vec::new();
    let mut lines: HashMap<String, usize> = HashMap::new();
    let hollow = table.rows(&mut problems, |problems, row| {
        let code = row.get(0);
        if code.is_empty() {
            return problems.line(row.line, "the code is missing");
        }
        if let Some(first) = lines.insert(code.to_owned(), row.line) {
            return problems.line(row.line, format!("exam {} is listed already, in line {first}", quoted(code)));
        }
        if exams.len() == MAX_EXAMS {
            return problems.line(row.line, format!("more than {MAX_EXAMS} exams; that many cannot be handled"));
        }
        let duration = optional(row.get(2), |text| number(text, 24 * 60)).unwrap_or_else(|why| {
            problems.line(row.line, format!("the duration in minutes: {why}"));
            None
        });
        exams.push(Exam { code: code.to_owned(), title: row.get(1).to_owned(), duration, enrolment: 0 });
    });
    if exams.is_empty() && problems.is_empty() {
        problems.file("there is no exam below the header; add exams or remove the file");
    }
    problems.finish()?;
    leftovers(&file_name(source.path), &table.unused, hollow, warnings);
    Ok(exams)
}

fn read_periods(source: Source, warnings: &mut Vec<String>) -> Result<Vec<Period>> {
    let mut table = Table::open(source, &PERIODS)?;
    let mut problems = Problems::new(source.path);
    if !(0..PERIODS.len()).any(|column| table.has(column)) {
        let found = listed(&table.unused);
        problems.file(format!("the header names no date, start, end or seats (it has {found}); rename its columns"));
        problems.finish()?;
        return Ok(Vec::new());
    }
    let mut periods: Vec<Period> = Vec::new();
    let (mut first_number, mut labels, mut backwards) = (None, false, None);
    let hollow = table.rows(&mut problems, |problems, row| {
        if periods.len() == MAX_PERIODS {
            return problems.line(row.line, format!("more than {MAX_PERIODS} periods; that many cannot be handled"));
        }
        match number(row.get(0), u32::MAX) {
            Ok(found) => {
                let expected = *first_number.get_or_insert(found.min(1)) + periods.len() as u32;
                if found != expected {
                    problems.line(row.line, format!("period {found} where {expected} follows; list periods in order"));
                }
            }
            Err(_) => labels |= !row.get(0).is_empty(),
        }
        let mut complain = |what: &str, why: String| problems.line(row.line, format!("the {what}: {why}"));
        let mut period = Period::default();
        optional(row.get(1), date).map(|date| period.date = date).unwrap_or_else(|why| complain("date", why));
        optional(row.get(2), time).map(|time| period.start = time).unwrap_or_else(|why| complain("start", why));
        optional(row.get(3), time).map(|time| period.end = time).unwrap_or_else(|why| complain("end", why));
        let seats = optional(row.get(4), |text| number(text, u32::MAX));
        seats.map(|seats| period.seats = seats).unwrap_or_else(|why| complain("seats", why));
        if let (Some(start), Some(end)) = (period.start, period.end)
            && end <= start
        {
            complain("end", format!("{} is not after the start", quoted(row.get(3))));
        }
        let begins = |period: &Period| period.date.zip(period.start);
        if let Some((before, now)) = periods.last().and_then(begins).zip(begins(&period))
            && now <= before
        {
            backwards = backwards.or(Some(row.line));
        }
        periods.push(period);
    });
    if periods.is_empty() && problems.is_empty() {
        problems.file("there is no period below the header; add periods or remove the file");
    }
    problems.finish()?;
    if labels {
        table.unused.push("period".to_owned());
    }
    let file = file_name(source.path);
    leftovers(&file, &table.unused, hollow, warnings);
    if let Some(line) = backwards {
        warnings.push(format!(
            "{file}: the period in line {line} does not begin after the one before it; the order of the lines counts"
        ));
    }
    Ok(periods)
}

/// Nothing for an empty field, else what `read` makes of it.
fn optional<T>(text: &str, read: impl FnOnce(&str) -> Read<T>) -> Read<Option<T>> {
    if text.is_empty() { Ok(None) } else { read(text).map(Some) }
}

/// The numbers between separators, where there are as many as asked for and none is longer than it may be.
fn parts_of<const N: usize>(text: &str, separator: char, longest: [usize; N]) -> Option<[u32; N]> {
    let mut values = [0; N];
    let mut pieces = text.split(separator);
    for (value, longest) in values.iter_mut().zip(longest) {
        let piece = pieces.next()?;
        *value = Some(piece).filter(|piece| piece.len() <= longest).and_then(|piece| number(piece, 9999).ok())?;
    }
    pieces.next().is_none().then_some(values)
}

/// `2026-06-01`, `01.06.2026` or `01/06/2026`.
fn date(text: &str) -> Read<NaiveDate> {
    let named = parts_of(text, '-', [4, 2, 2]).map(|[year, month, day]| (year, month, day));
    let named = named.or_else(|| {
        let day_first = parts_of(text, '.', [2, 2, 4]).or_else(|| parts_of(text, '/', [2, 2, 4]));
        day_first.map(|[day, month, year]| (year, month, day))
    });
    named
        .filter(|&(year, ..)| year >= 1900)
        .and_then(|(year, month, day)| NaiveDate::from_ymd_opt(year as i32, month, day))
        .ok_or_else(|| format!("{} is no date; write 2026-06-01, or day, month, year as 01.06.2026", quoted(text)))
}

/// `09:00`, or with seconds `09:00:00`.
fn time(text: &str) -> Read<NaiveTime> {
    let named = parts_of(text, ':', [2, 2]).map(|[hour, minute]| [hour, minute, 0]);
    named
        .or_else(|| parts_of(text, ':', [2, 2, 2]))
        .and_then(|[hour, minute, second]| NaiveTime::from_hms_opt(hour, minute, second))
        .ok_or_else(|| format!("{} is no time; write 09:00", quoted(text)))
}

/// Lines of a table; fields that hold separators are put in quotation marks.
fn write_table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory fails for nothing but rows of different lengths, which there are none of here.
    let mut written = writer.write_record(header);
    for row in rows {
        written = written.and_then(|()| writer.write_record(&row));
    }
    debug_assert!(written.is_ok());
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// `student,exam`: a line for each exam of each student. A student without exams has none.
pub fn write_enrolments(instance: &Instance) -> String {
    let pairs = (0..instance.students.len()).flat_map(|student| {
        let code = instance.students.code(student);
        let exams = instance.students.exams_of(student).iter();
        exams.map(move |&exam| vec![code.clone(), instance.exams[usize::from(exam)].code.clone()])
    });
    write_table(&["student", "exam"], pairs)
}

/// `code,title,duration`: a line for each exam.
pub fn write_exams(instance: &Instance) -> String {
    let duration = |exam: &Exam| exam.duration.map(|minutes| minutes.to_string()).unwrap_or_default();
    let rows = instance.exams.iter().map(|exam| vec![exam.code.clone(), exam.title.clone(), duration(exam)]);
    write_table(&["code", "title", "duration"], rows)
}

/// `period,date,start,end,seats`: a line for each period, numbered from 1.
pub fn write_periods(instance: &Instance) -> String {
    let time = |time: Option<NaiveTime>| time.map(|time| time.format("%H:%M").to_string()).unwrap_or_default();
    let rows = instance.periods.iter().enumerate().map(|(at, period)| {
        vec![
            (at + 1).to_string(),
            period.date.map(|date| date.format("%Y-%m-%d").to_string()).unwrap_or_default(),
            time(period.start),
            time(period.end),
            period.seats.map(|seats| seats.to_string()).unwrap_or_default(),
        ]
    });
    write_table(&["period", "date", "start", "end", "seats"], rows)
}

/// Writes `enrolments.csv`, `exams.csv` and, where there are periods, `periods.csv` into a folder.
///
/// # Errors
/// [`Error::File`] where a file cannot be written.
pub fn write_folder(instance: &Instance, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut tables = vec![("enrolments.csv", write_enrolments(instance)), ("exams.csv", write_exams(instance))];
    if instance.period_count() > 0 {
        tables.push(("periods.csv", write_periods(instance)));
    }
    tables
        .into_iter()
        .map(|(name, text)| {
            let path = folder.join(name);
            files::write(&path, text.as_bytes()).map(|()| path)
        })
        .collect()
}
