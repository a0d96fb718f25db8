//! CSV tables of offices: enrolments, one line per student and exam, with optional tables of exams and periods.
//!
//! `enrolments.csv` (any name) has the columns `student,exam`; `exams.csv` in the same folder `code,title,duration` and
//! demands on rooms, `periods.csv` `date,start,end,seats,penalty`. `rooms.csv`, `people.csv`, `examiners.csv`,
//! `arrangements.csv`, `students.csv`, `invigilators.csv` and `invigilation.csv` may stand beside them, with the columns of the tables of these names. Columns may
//! have any order and their usual names; comma, semicolon and tab are recognised. Other tables can be imported by assigning
//! their columns: see [`super::import`].

use std::path::{Path, PathBuf};

use chrono::{NaiveTime, Timelike};

use super::columns::{ENROLMENTS, EXAMS, PERIODS};
use super::loaded::Loaded;
use super::names::{enrolments_in_folder_of, find_beside, name_of_table};
use super::tables::{self, Unknown};
use crate::export::heads::is_exported;
use crate::resources::RoomNeeds;
use crate::{Absent, Exam, Instance, InstanceParts, Objective, Period, Resources, bulk};
use gridwright_core::data::{self, Tables as _, import};
use gridwright_core::text::lines::{Problems, file_name, listed};
use gridwright_core::text::table::{Table, write_table};
use gridwright_core::text::{Source, decoding, stem};
use gridwright_core::{Error, Result, files};

/// Texts of the tables of one session.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'a> {
    /// Enrolments.
    pub enrolments: Source<'a>,
    /// Codes, titles and durations.
    pub exams: Option<Source<'a>>,
    /// Dates, times and seats.
    pub periods: Option<Source<'a>>,
}

/// Names of the files that may stand beside an enrolment table, and the tables that each may hold.
const BESIDE: [(&str, &[&str]); 9] = [
    ("exams", &["exams"]),
    ("periods", &["periods"]),
    ("rooms", &["rooms"]),
    ("people", &["people", "examiners"]),
    ("examiners", &["examiners"]),
    ("arrangements", &["arrangements"]),
    ("students", &["students"]),
    ("invigilators", &["invigilators"]),
    ("invigilation", &["invigilation"]),
];

/// Name of the table of rules for many exams.
const RULES: &str = "rules";

/// File names of the tables of a session, with the usual one of its enrolments.
pub(crate) fn file_names() -> impl Iterator<Item = String> {
    let beside = BESIDE.iter().map(|(name, _)| *name).chain([RULES]);
    std::iter::once("enrolments").chain(beside).map(|name| format!("{name}.csv"))
}

/// Loads the enrolment table `path` and the tables beside it.
pub(super) fn load(path: &Path) -> Result<Loaded> {
    let path = &enrolments_for(path);
    let bytes = files::read(path)?;
    let beside = |name: &str| -> Result<Option<(PathBuf, Vec<u8>)>> {
        let found = find_beside(path, name, "csv").filter(|found| found != path);
        found.map(|path| files::read(&path).map(|bytes| (path, bytes))).transpose()
    };
    let (exams, periods) = (beside("exams")?, beside("periods")?);
    let mut further = Vec::new();
    for (name, tables) in &BESIDE[2..] {
        // An exported table by student may have the name of the table of students.
        let found = beside(name)?.filter(|(_, bytes)| !is_exported(&String::from_utf8_lossy(bytes)));
        further.extend(found.map(|(path, bytes)| (path, bytes, *tables)));
    }
    let rules = beside(RULES)?;
    let mut pieces: Vec<&[u8]> = vec![&bytes];
    pieces.extend([&exams, &periods].into_iter().flatten().map(|(_, bytes)| bytes.as_slice()));
    pieces.extend(further.iter().map(|(_, bytes, _)| bytes.as_slice()));
    pieces.extend(rules.iter().map(|(_, bytes)| bytes.as_slice()));
    let file_hash = files::hash(&pieces);
    let mut warnings = Vec::new();
    let enrolments = decoding::text(path, bytes, &mut warnings)?;
    let mut text =
        |(path, bytes): (PathBuf, Vec<u8>)| decoding::text(&path, bytes, &mut warnings).map(|text| (path, text));
    let (exams, periods) = (exams.map(&mut text).transpose()?, periods.map(&mut text).transpose()?);
    let rules = rules.map(&mut text).transpose()?;
    let mut parts = parse(Tables {
        enrolments: Source { path, text: &enrolments },
        exams: exams.as_ref().map(|(path, text)| Source { path, text }),
        periods: periods.as_ref().map(|(path, text)| Source { path, text }),
    })?;
    let mut files: Vec<(PathBuf, &[&str])> = further.into_iter().map(|(path, _, tables)| (path, tables)).collect();
    for ((table, columns, basic), (_, tables)) in
        [(&exams, &EXAMS[..], BASIC_EXAMS), (&periods, &PERIODS, BASIC_PERIODS)].into_iter().zip(&BESIDE)
    {
        let Some((path, text)) = table else { continue };
        let table = Table::open(Source { path, text }, columns)?;
        if (basic..columns.len()).any(|column| table.has(column)) {
            files.push((path.clone(), tables));
        }
    }
    if !files.is_empty() {
        add_resources(path, &mut parts, &files)?;
    }
    if let Some((path, text)) = rules {
        add_rules(&mut parts, Source { path: &path, text: &text })?;
    }
    parts.warnings.splice(0..0, warnings.into_iter().chain(remark_beside(path)));
    parts.name = name_of_table(path);
    parts.file_hash = file_hash;
    parts.objective = Objective::usual(&parts.periods);
    Ok(Loaded { parts, empty_lines: 0 })
}

/// Numbers of the columns of exams and periods that [`parse`] reads.
const BASIC_EXAMS: usize = 3;
const BASIC_PERIODS: usize = 5;

/// Adds rooms, people, arrangements, demands of exams and penalties of periods from these files.
fn add_resources(path: &Path, parts: &mut InstanceParts, files: &[(PathBuf, &[&str])]) -> Result<()> {
    // Parts that make no session are reported where they are built.
    let Ok(session) = Instance::build(parts.clone()) else { return Ok(()) };
    let (session, remarks): (Instance, _) = import::open_beside(path, session.to_data(), files)?;
    parts.resources = session.resources;
    for (exam, read) in parts.exams.iter_mut().zip(session.exams) {
        exam.needs = read.needs;
    }
    for (period, read) in parts.periods.iter_mut().zip(session.periods) {
        period.penalty = read.penalty;
    }
    parts.warnings = session.warnings;
    parts.warnings.extend(remarks);
    Ok(())
}

/// Adds the rules of a table for many exams.
fn add_rules(parts: &mut InstanceParts, source: Source) -> Result<()> {
    // Parts that make no session are reported where they are built.
    let Ok(session) = Instance::build(parts.clone()) else { return Ok(()) };
    match bulk::read(source, &session)? {
        Some(rules) => parts.rules = rules,
        None => {
            let name = file_name(source.path);
            parts.warnings.push(format!("{name} has no columns “exams” and “rule”; it was left aside"));
        }
    }
    Ok(())
}

/// First line of the report that imports of version 0.2.0 left beside the tables, if there is one.
fn remark_beside(path: &Path) -> Option<String> {
    const REPORT: &str = "import-report.txt";
    const BEGINS: &str = "Imported by Gridwright from ";
    let report = files::read_text(&path.with_file_name(REPORT)).ok()?;
    let first = report.lines().next().filter(|line| line.starts_with(BEGINS))?;
    Some(first.replacen(BEGINS, "imported from ", 1) + &format!(" (see {REPORT})"))
}

/// Path of the enrolment table that belongs to `path`, which may be a table that stands beside it.
fn enrolments_for(path: &Path) -> PathBuf {
    let own = stem(path).to_lowercase();
    let is_beside = BESIDE.iter().any(|(name, _)| *name == own);
    let enrolments = is_beside.then(|| enrolments_in_folder_of(path));
    enrolments.flatten().unwrap_or_else(|| path.to_path_buf())
}

/// Returns `true` if `text` begins with the header of an enrolment table.
pub(super) fn has_enrolment_header(text: &str) -> bool {
    Table::open(Source { path: Path::new(""), text }, &ENROLMENTS).is_ok()
}

/// Parses the tables of a session; name and hash are left to the caller.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every invalid line of every table.
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
    // Do not report exams that are missing because the table of exams has errors.
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

/// Reads students and their exams; without a table of exams, the exams are those that occur, in the order of the lines.
fn read_enrolments(source: Source, known: Option<Source>, parts: &mut InstanceParts) -> Result<()> {
    let table = Table::open(source, &ENROLMENTS)?;
    let mut problems = Problems::new(source.path);
    let known = known.map(|source| file_name(source.path));
    let unknown = known.as_deref().map_or(Unknown::Added, Unknown::Refused);
    tables::enrolments(&table, unknown, &mut problems, parts);
    problems.finish()
}

fn read_exams(source: Source, warnings: &mut Vec<String>) -> Result<Vec<Exam>> {
    let table = Table::open(source, &EXAMS)?;
    let mut problems = Problems::new(source.path);
    let (exams, _) = tables::exams(&table, &mut problems, warnings);
    problems.finish()?;
    Ok(exams)
}

fn read_periods(source: Source, warnings: &mut Vec<String>) -> Result<Vec<Period>> {
    let table = Table::open(source, &PERIODS)?;
    let mut problems = Problems::new(source.path);
    if !(0..PERIODS.len()).any(|column| table.has(column)) {
        let found = listed(&table.unused);
        problems.file(format!("the header names no date, start, end or seats (it has {found}); rename its columns"));
        problems.finish()?;
        return Ok(Vec::new());
    }
    let (periods, _) = tables::periods(table, &mut problems, warnings);
    problems.finish()?;
    Ok(periods)
}

/// Formats `student,exam`: one line per enrolment; a student without exams has none.
pub fn write_enrolments(instance: &Instance) -> String {
    let pairs = (0..instance.students.len()).flat_map(|student| {
        let code = instance.students.code(student);
        let exams = instance.students.exams_of(student).iter();
        exams.map(move |&exam| vec![code.clone(), instance.exams[usize::from(exam)].code.clone()])
    });
    write_table(&["student", "exam"], pairs)
}

/// Formats `code,title,duration`: one line per exam.
pub fn write_exams(instance: &Instance) -> String {
    let duration = |exam: &Exam| exam.duration.map(|minutes| minutes.to_string()).unwrap_or_default();
    let rows = instance.exams.iter().map(|exam| vec![exam.code.clone(), exam.title.clone(), duration(exam)]);
    write_table(&["code", "title", "duration"], rows)
}

/// Formats `period,date,start,end,seats`: one line per period, numbered from 1.
pub fn write_periods(instance: &Instance) -> String {
    let written = |time: NaiveTime| time.format(if time.second() == 0 { "%H:%M" } else { "%H:%M:%S" }).to_string();
    let time = |time: Option<NaiveTime>| time.map(written).unwrap_or_default();
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

/// Writes `enrolments.csv`, `exams.csv` and, if there are any, periods, rooms, people, examiners and arrangements into
/// `folder`; returns their paths.
///
/// # Errors
/// [`Error::File`] if a file cannot be written.
pub fn write_folder(instance: &Instance, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut tables = vec![("enrolments", write_enrolments(instance)), ("exams", write_exams(instance))];
    if instance.period_count() > 0 {
        tables.push(("periods", write_periods(instance)));
    }
    let has_needs = instance.exams.iter().any(|exam| exam.needs != RoomNeeds::default());
    let has_penalties = instance.periods.iter().any(|period| period.penalty > 0);
    let Resources { contacts, absent, invigilators, invigilation, .. } = &instance.resources;
    let has_invigilators = !invigilators.is_empty() || invigilation.is_some();
    let has_people = !contacts.is_empty() || *absent != Absent::default() || has_invigilators;
    let has_resources = !instance.resources.is_empty() || has_people;
    if has_needs || has_penalties || has_resources {
        let data = instance.to_data();
        for (spec, table) in
            Instance::TABLES.iter().zip(&data.tables).skip(1).filter(|(_, table)| !table.rows.is_empty())
        {
            tables.retain(|(name, _)| *name != spec.id);
            tables.push((spec.id, data::to_csv(spec, table)));
        }
    }
    tables
        .into_iter()
        .map(|(name, text)| {
            let path = folder.join(name).with_extension("csv");
            files::write(&path, text.as_bytes()).map(|()| path)
        })
        .collect()
}
