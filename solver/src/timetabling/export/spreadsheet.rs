//! Workbook (XLSX) of a timetable: summary, exams, periods, students.

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Timelike, Utc};
use rust_xlsxwriter::{ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};

use crate::Result;
use crate::timetabling::check::Verdict;
use crate::timetabling::counts::{TimetableStatistics, grouped, placed};
use crate::timetabling::figures::{self, Value};
use crate::timetabling::{Exam, Instance, Timetable};
use crate::workbook::{self, MAX_ROWS, cell, write_heads};

use super::tables::{Sitting, sittings};

/// Maximum number of violations listed in the summary.
const LISTED: usize = 200;

/// Writes the workbook with the sheets `Summary`, `Exams`, `Periods` and `Students`; `now` is its time stamp.
///
/// # Errors
/// [`Error::Usage`] if the workbook cannot be written, for instance because a sheet would have too many rows.
pub fn workbook(instance: &Instance, timetable: &Timetable, verdict: &Verdict, now: DateTime<Utc>) -> Result<Vec<u8>> {
    write(instance, timetable, verdict, now, MAX_ROWS).map_err(workbook::refused)
}

/// As [`workbook`], with another limit on the rows of a sheet.
pub(super) fn write(
    instance: &Instance,
    timetable: &Timetable,
    verdict: &Verdict,
    now: DateTime<Utc>,
    max_rows: usize,
) -> std::result::Result<Vec<u8>, XlsxError> {
    let mut properties = workbook::properties(&instance.name);
    if let Some(now) = date_time(now) {
        properties = properties.set_creation_datetime(&now);
    }
    let mut book = Workbook::new();
    book.set_properties(&properties);
    let styles = Styles::new();
    let exam_clashes = clashing(instance, timetable);
    summary(book.add_worksheet(), &styles, instance, timetable, verdict, max_rows)?;
    let mut exams: Vec<usize> = (0..instance.exam_count()).collect();
    exam_sheet(book.add_worksheet(), &styles, instance, timetable, &exams, &exam_clashes, false)?;
    exams.sort_by_key(|&exam| (placed(instance, timetable, exam).unwrap_or(usize::MAX), exam));
    exam_sheet(book.add_worksheet(), &styles, instance, timetable, &exams, &exam_clashes, true)?;
    student_sheet(book.add_worksheet(), &styles, instance, timetable, max_rows)?;
    book.save_to_buffer()
}

struct Styles {
    shared: workbook::Styles,
    /// Numbers of periods, aligned like the dates beside them.
    period: Format,
    date: Format,
    time: Format,
}

impl std::ops::Deref for Styles {
    type Target = workbook::Styles;

    fn deref(&self) -> &workbook::Styles {
        &self.shared
    }
}

impl Styles {
    fn new() -> Self {
        let left = || Format::new().set_align(FormatAlign::Left);
        Self {
            shared: workbook::Styles::default(),
            period: left(),
            date: left().set_num_format("ddd d mmm yyyy"),
            time: left().set_num_format("hh:mm"),
        }
    }
}

/// `clashing[e]` = exams in the same period that share students with exam e.
fn clashing(instance: &Instance, timetable: &Timetable) -> Vec<Vec<usize>> {
    (0..instance.exam_count())
        .map(|exam| match placed(instance, timetable, exam) {
            None => Vec::new(),
            period => {
                let others = instance.conflicts.of(exam).map(|(other, _)| other);
                others.filter(|&other| placed(instance, timetable, other) == period).collect()
            }
        })
        .collect()
}

fn date_cell(date: NaiveDate) -> Option<ExcelDateTime> {
    let year = u16::try_from(date.year()).ok()?;
    ExcelDateTime::from_ymd(year, date.month() as u8, date.day() as u8).ok()
}

fn time_cell(time: NaiveTime) -> Option<ExcelDateTime> {
    ExcelDateTime::from_hms(time.hour() as u16, time.minute() as u8, time.second() as u8).ok()
}

fn date_time(now: DateTime<Utc>) -> Option<ExcelDateTime> {
    let time = now.time();
    date_cell(now.date_naive())?.and_hms(time.hour() as u16, time.minute() as u8, time.second() as u8).ok()
}

/// Writes number from 1, date, start and end of a period into four cells from `column`; leaves them empty without a
/// period.
fn write_period(
    sheet: &mut Worksheet,
    styles: &Styles,
    (row, column): (u32, u16),
    instance: &Instance,
    period: Option<usize>,
) -> std::result::Result<(), XlsxError> {
    let Some((number, period)) = period.and_then(|number| instance.periods.get(number).map(|period| (number, period)))
    else {
        return Ok(());
    };
    sheet.write_number_with_format(row, column, (number + 1) as f64, &styles.period)?;
    if let Some(date) = period.date {
        match date_cell(date) {
            Some(date) => sheet.write_datetime_with_format(row, column + 1, date, &styles.date)?,
            // Workbooks have no dates before 1900.
            None => sheet.write_string(row, column + 1, date.to_string())?,
        };
    }
    for (at, time) in [(2, period.start), (3, period.end)] {
        if let Some(time) = time.and_then(time_cell) {
            sheet.write_datetime_with_format(row, column + at, time, &styles.time)?;
        }
    }
    Ok(())
}

/// Widths of the columns with codes and titles of exams, in characters.
fn exam_widths(instance: &Instance) -> (f64, f64) {
    let longest = |text: fn(&Exam) -> &str| instance.exams.iter().map(|exam| text(exam).chars().count()).max();
    let (code, title) = (longest(|exam| &exam.code), longest(|exam| &exam.title));
    (code.unwrap_or(0).clamp(8, 30) as f64 + 2.0, title.unwrap_or(0).clamp(8, 48) as f64 + 2.0)
}

fn exam_sheet(
    sheet: &mut Worksheet,
    styles: &Styles,
    instance: &Instance,
    timetable: &Timetable,
    exams: &[usize],
    clashing: &[Vec<usize>],
    by_period: bool,
) -> std::result::Result<(), XlsxError> {
    let (codes, titles) = exam_widths(instance);
    let period = [("Period", 9.0), ("Date", 18.0), ("Start", 9.0), ("End", 9.0)];
    let exam = [("Code", codes), ("Title", titles), ("Students", 11.0)];
    let rest = [("Minutes", 10.0), ("Conflicting exams", 12.0), ("Remark", 44.0)];
    let heads: Vec<(&str, f64)> = match by_period {
        true => period.into_iter().chain(exam).chain(rest).collect(),
        false => exam.into_iter().chain(period).chain(rest).collect(),
    };
    let (exam_column, period_column) = if by_period { (4, 0) } else { (0, 3) };
    sheet.set_name(if by_period { "Periods" } else { "Exams" })?;
    write_heads(sheet, styles, &heads, exams.len())?;
    for (row, &exam) in (1..).zip(exams) {
        let data = &instance.exams[exam];
        sheet.write_string(row, exam_column, cell(&data.code))?;
        sheet.write_string(row, exam_column + 1, cell(&data.title))?;
        sheet.write_number_with_format(row, exam_column + 2, data.enrolment, &styles.count)?;
        write_period(sheet, styles, (row, period_column), instance, placed(instance, timetable, exam))?;
        if let Some(minutes) = data.duration {
            sheet.write_number(row, 7, minutes)?;
        }
        sheet.write_number(row, 8, instance.conflicts.degree(exam) as f64)?;
        let remark = if placed(instance, timetable, exam).is_none() {
            "no period".to_owned()
        } else if clashing[exam].is_empty() {
            continue;
        } else {
            let codes: Vec<&str> = clashing[exam].iter().map(|&other| instance.exams[other].code.as_str()).collect();
            format!("clashes with {}", codes.join(", "))
        };
        sheet.write_string_with_format(row, 9, cell(&remark), &styles.bad)?;
    }
    Ok(())
}

fn student_sheet(
    sheet: &mut Worksheet,
    styles: &Styles,
    instance: &Instance,
    timetable: &Timetable,
    max_rows: usize,
) -> std::result::Result<(), XlsxError> {
    let rows = instance.enrolments().min(max_rows);
    let (codes, titles) = exam_widths(instance);
    let heads = [
        ("Student", 14.0),
        ("Code", codes),
        ("Title", titles),
        ("Period", 9.0),
        ("Date", 18.0),
        ("Start", 9.0),
        ("End", 9.0),
        ("Periods since the exam before", 17.0),
    ];
    sheet.set_name("Students")?;
    write_heads(sheet, styles, &heads, rows)?;
    let mut row = 0;
    for student in 0..instance.students.len() {
        let code = cell(&instance.students.code(student));
        for Sitting { exam, period, gap } in sittings(instance, timetable, student) {
            if row as usize == rows {
                return Ok(());
            }
            row += 1;
            sheet.write_string(row, 0, &code)?;
            sheet.write_string(row, 1, cell(&instance.exams[exam].code))?;
            sheet.write_string(row, 2, cell(&instance.exams[exam].title))?;
            write_period(sheet, styles, (row, 3), instance, period)?;
            match gap {
                Some(0) => sheet.write_number_with_format(row, 7, 0, &styles.bad)?,
                Some(gap) => sheet.write_number(row, 7, gap as f64)?,
                None => continue,
            };
        }
    }
    Ok(())
}

fn summary(
    sheet: &mut Worksheet,
    styles: &Styles,
    instance: &Instance,
    timetable: &Timetable,
    verdict: &Verdict,
    max_rows: usize,
) -> std::result::Result<(), XlsxError> {
    let counts = TimetableStatistics::of(instance, timetable);
    sheet.set_name("Summary")?;
    sheet.set_column_width(0, 44)?.set_column_width(1, 26)?;
    sheet.write_string_with_format(0, 0, cell(&instance.name), &styles.title)?;
    match counts.warning() {
        None => sheet.write_string_with_format(1, 0, "Clash-free and complete, as checked", &styles.good)?,
        Some(warning) => sheet.write_string_with_format(1, 0, warning, &styles.bad)?,
    };
    let mut row = 3;
    let figures = figures::of_timetable(instance, &counts, verdict.raw).into_iter();
    for figure in figures.chain(figures::of_instance(instance)) {
        sheet.write_string_with_format(row, 0, figure.label, &styles.label)?;
        match figure.value {
            Value::Text(text) => sheet.write_string_with_format(row, 1, cell(&text), &styles.words)?,
            Value::Count(count) => sheet.write_number_with_format(row, 1, count as f64, &styles.count)?,
            Value::Cost(cost) => sheet.write_number_with_format(row, 1, cost, &styles.cost)?,
        };
        row += 1;
    }
    if instance.enrolments() > max_rows {
        let text = format!(
            "The sheet “Students” ends after {} of {} rows, because a sheet cannot hold more; the students of the last rows are missing there",
            grouped(max_rows as u64),
            grouped(instance.enrolments() as u64)
        );
        sheet.write_string_with_format(row + 1, 0, text, &styles.bad)?;
        row += 2;
    }
    row = loads(sheet, styles, instance, &counts, row + 1)?;
    if !verdict.violations.is_empty() {
        sheet.write_string_with_format(row + 1, 0, "What the checker found", &styles.head)?;
        row += 2;
        for violation in verdict.violations.iter().take(LISTED) {
            sheet.write_string(row, 0, cell(&violation.text))?;
            row += 1;
        }
        if verdict.violations.len() > LISTED {
            let rest = (verdict.violations.len() - LISTED) as u64;
            sheet.write_string(row, 0, format!("… and {} more", grouped(rest)))?;
        }
    }
    Ok(())
}

/// Writes exams, students and seats of each period; returns the next row.
fn loads(
    sheet: &mut Worksheet,
    styles: &Styles,
    instance: &Instance,
    counts: &TimetableStatistics,
    first: u32,
) -> std::result::Result<u32, XlsxError> {
    for (column, head) in (0..).zip(["Period", "When", "Exams", "Students", "Seats"]) {
        sheet.write_string_with_format(first, column, head, &styles.head)?;
    }
    let mut row = first + 1;
    for (number, (load, period)) in counts.loads.iter().zip(&instance.periods).enumerate() {
        sheet.write_number_with_format(row, 0, (number + 1) as f64, &styles.period)?;
        sheet.write_string(row, 1, instance.period_label(number))?;
        sheet.write_number_with_format(row, 2, load.exams, &styles.count)?;
        let students =
            if period.seats.is_some_and(|seats| load.students > seats) { &styles.bad } else { &styles.count };
        sheet.write_number_with_format(row, 3, load.students, students)?;
        if let Some(seats) = period.seats {
            sheet.write_number_with_format(row, 4, seats, &styles.count)?;
        }
        row += 1;
    }
    Ok(row)
}
