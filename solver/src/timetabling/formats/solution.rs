//! Timetable files: `.sol` with `exam period` per line, or a table with a column for each.
//!
//! Published timetables of the Toronto instances count periods from 0, tables for people from 1. The reader detects the
//! convention where the numbers show it, and reports which one it used. `-` is the period of an unplaced exam.

use std::path::Path;

use super::carter::Index;
use super::columns::{Column, EXAM};
use super::lines::{self, Problems, counted, listed, number, quoted};
use super::table::Table;
use crate::text::Source;
use crate::timetabling::{Instance, Timetable, UNPLACED};
use crate::{Error, Result, files};

/// Options for reading a timetable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SolutionOptions {
    /// Number of the first period, 0 or 1; `None`: detect.
    pub counted_from: Option<u16>,
    /// True to treat exams missing in the file as unplaced instead of an error.
    pub allow_missing: bool,
}

/// Timetable read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionFile {
    /// The timetable, periods from 0 regardless of the file.
    pub timetable: Timetable,
    /// Number of the first period in the file: 0 or 1.
    pub counted_from: u16,
}

/// Reads a complete timetable.
///
/// # Errors
/// As [`read_solution_with`].
pub fn read_solution(path: &Path, instance: &Instance) -> Result<SolutionFile> {
    read_solution_with(path, instance, SolutionOptions::default())
}

/// Reads a complete timetable, counting periods from `counted_from` if given.
///
/// # Errors
/// As [`read_solution_with`].
pub fn read_solution_counting(path: &Path, instance: &Instance, counted_from: Option<u16>) -> Result<SolutionFile> {
    read_solution_with(path, instance, SolutionOptions { counted_from, allow_missing: false })
}

/// Reads a timetable file.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every unknown, repeated or missing exam and every period that is no number
/// or out of range; [`Error::Usage`] if the instance has no periods yet.
pub fn read_solution_with(path: &Path, instance: &Instance, options: SolutionOptions) -> Result<SolutionFile> {
    let text = files::read_text(path)?;
    parse(Source { path, text: &text }, instance, options)
}

const COLUMNS: [Column; 2] = [EXAM, Column::required("period", "slot timeslot periodnumber periodno session periode")];

/// Parses a timetable.
///
/// # Errors
/// As [`read_solution_with`].
pub fn parse(source: Source, instance: &Instance, options: SolutionOptions) -> Result<SolutionFile> {
    if instance.period_count() == 0 {
        let name = &instance.name;
        return Err(Error::Usage(format!("{name}: the number of periods is not known; say how many there are")));
    }
    let mut problems = Problems::new(source.path);
    let mut entries = Vec::new();
    let mut in_doubt = 0;
    match Table::open(source, &COLUMNS) {
        Ok(table) => {
            in_doubt = 1;
            table.rows(&mut problems, |_, row| {
                entries.push(Entry { line: row.line, exam: row.get(0).to_owned(), period: row.get(1).to_owned() });
            });
        }
        Err(error) if matches!(super::ending(source.path).as_str(), "csv" | "tsv") => return Err(error),
        Err(_) => read_pairs(source, &mut problems, &mut entries),
    }
    place(source, instance, options, problems, &entries, in_doubt)
}

/// Exam and period as written in the file.
struct Entry {
    line: usize,
    exam: String,
    period: String,
}

/// Parses the lines of a `.sol`.
fn read_pairs(source: Source, problems: &mut Problems, entries: &mut Vec<Entry>) {
    for (line, text) in lines::of(source.text).filter(|(_, text)| !text.is_empty()) {
        // Codes may contain blanks; the period is the last token.
        match text.rsplit_once(char::is_whitespace) {
            Some((exam, period)) => {
                entries.push(Entry { line, exam: exam.trim_end().to_owned(), period: period.to_owned() });
            }
            None => problems.line(line, format!("expected an exam and its period, found {}", quoted(text))),
        }
    }
}

/// Resolves exams and periods and collects the errors.
fn place(
    source: Source, instance: &Instance, options: SolutionOptions, mut problems: Problems, entries: &[Entry],
    in_doubt: u16,
) -> Result<SolutionFile> {
    let exams = Index::of(instance);
    let mut lines: Vec<Option<usize>> = vec![None; instance.exam_count()];
    let mut written: Vec<(usize, usize, u32)> = Vec::new();
    for Entry { line, exam: code, period } in entries {
        let Some(exam) = exams.find(code).map(usize::from) else {
            problems.line(*line, format!("exam {} is not in {}", quoted(code), instance.name));
            continue;
        };
        if let Some(first) = lines[exam] {
            problems.line(*line, format!("exam {} has a period already, in line {first}", quoted(code)));
            continue;
        }
        lines[exam] = Some(*line);
        if period.is_empty() || period == "-" {
            continue;
        }
        match number(period, u32::MAX) {
            Ok(period) => written.push((*line, exam, period)),
            Err(why) => problems.line(*line, format!("the period of exam {}: {why}", quoted(code))),
        }
    }
    let periods = instance.period_count();
    let counted_from = options.counted_from.unwrap_or_else(|| first_period(&written, periods).unwrap_or(in_doubt));
    let mut timetable = Timetable::unplaced(instance.exam_count());
    for (line, exam, period) in written {
        match (period as usize).checked_sub(usize::from(counted_from)).filter(|&period| period < periods) {
            Some(period) => timetable.periods[exam] = period as u16,
            None => {
                let last = usize::from(counted_from) + periods - 1;
                let name = &instance.name;
                let what =
                    format!("period {period} is out of range: {name} has {counted_from} to {last} as counted here");
                problems.line(line, what);
            }
        }
    }
    let missing: Vec<&str> =
        (0..lines.len()).filter(|&exam| lines[exam].is_none()).map(|exam| instance.exams[exam].code.as_str()).collect();
    if !missing.is_empty() && !options.allow_missing {
        let (exams, verb) = (counted(missing.len(), "exam"), if missing.len() == 1 { "has" } else { "have" });
        let what =
            format!("the file ends, and {exams} {verb} no line: {}; add `exam period` or `exam -`", listed(&missing));
        problems.line(lines::of(source.text).count().max(1), what);
    }
    problems.finish()?;
    Ok(SolutionFile { timetable, counted_from })
}

/// Number of the first period as the entries (line, exam, period) show it: a 0 decides, else the number of the last
/// period. `None` if they do not; then a shift changes dates, but no cost.
fn first_period(written: &[(usize, usize, u32)], periods: usize) -> Option<u16> {
    let numbers = || written.iter().map(|&(_, _, period)| period as usize);
    match (numbers().min()?, numbers().max()?) {
        (0, _) => Some(0),
        (_, last) if last == periods => Some(1),
        _ => None,
    }
}

/// Formats `exam period` per line, periods from 0, `-` for an unplaced exam.
pub fn write_solution(instance: &Instance, timetable: &Timetable) -> String {
    let periods = timetable.periods.iter().chain(std::iter::repeat(&UNPLACED));
    let lines = instance.exams.iter().zip(periods).map(|(exam, &period)| match period {
        UNPLACED => format!("{} -\n", exam.code),
        period => format!("{} {period}\n", exam.code),
    });
    lines.collect()
}
