//! Rows of enrolment, exam and period tables, with recognised or assigned columns.

use std::collections::{BTreeMap, HashMap};

use crate::respelled::Respelled;
use crate::{Exam, InstanceParts, MAX_EXAMS, MAX_PERIODS, Period};
use gridwright_core::data::key;
use gridwright_core::text::lines::{Problems, Read, counted, listed, number, quoted};
use gridwright_core::text::look_alikes;
use gridwright_core::text::notation::Evidence;
use gridwright_core::text::table::{Row, RowCount, Table, leftovers};
use gridwright_core::text::values::{DateOrder, date, doubtful_order, duration, order_of, time, times};

/// Treatment of enrolments in exams that the table of exams lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown<'a> {
    /// The exam is added.
    Added,
    /// The enrolment is invalid; the exam should be in the named file.
    Refused(&'a str),
}

/// Columns of [`super::columns::ENROLMENTS`].
const STUDENT: usize = 0;
const EXAM: usize = 1;
const TITLE: usize = 2;

/// A way to write the code of an exam.
struct Spelling {
    code: String,
    /// Number of lines that write it so, and the first of them.
    lines: usize,
    first: usize,
}

/// Students and exams by code while enrolments are read.
struct Register<'a> {
    parts: &'a mut InstanceParts,
    /// Exams by the [`key`] of their code.
    exams: HashMap<String, u16>,
    /// Ways in which the lines write the code of each exam; the first is that of the exam.
    spellings: Vec<Vec<Spelling>>,
    /// Students by the [`key`] of their code.
    students: HashMap<String, usize>,
    /// Lines that write the code of a student otherwise.
    respelled: Respelled,
    /// (exam, line) of each enrolment by student.
    lists: Vec<Vec<(u16, usize)>>,
    /// First line with another title, and this title, of each exam with several.
    retitled: BTreeMap<u16, (usize, String)>,
    unknown: Unknown<'a>,
}

impl Register<'_> {
    fn exam(&mut self, line: usize, code: &str) -> Read<u16> {
        let key = key(code);
        if let Some(&exam) = self.exams.get(&key) {
            let spellings = &mut self.spellings[usize::from(exam)];
            match spellings.iter_mut().find(|spelling| spelling.code == code) {
                Some(spelling) => spelling.lines += 1,
                None => spellings.push(Spelling { code: code.to_owned(), lines: 1, first: line }),
            }
            return Ok(exam);
        }
        match self.unknown {
            Unknown::Refused(file) => return Err(format!("exam {} is not in {file}; add it there", quoted(code))),
            Unknown::Added if self.parts.exams.len() == MAX_EXAMS => {
                return Err(format!("more than {MAX_EXAMS} exams; that many cannot be handled"));
            }
            Unknown::Added => {}
        }
        let exam = self.parts.exams.len() as u16;
        self.exams.insert(key, exam);
        self.parts.exams.push(Exam { code: code.to_owned(), ..Exam::default() });
        self.spellings.push(vec![Spelling { code: code.to_owned(), lines: 1, first: line }]);
        Ok(exam)
    }

    /// Gives the exams from number `listed` on the code that most of their lines write, and describes lines that write
    /// the code of an exam otherwise.
    fn settle_spellings(&mut self, file: &str, listed: usize) -> Option<String> {
        let (mut lines, mut first): (usize, Option<(&Spelling, usize)>) = (0, None);
        for (exam, spellings) in self.spellings.iter_mut().enumerate() {
            if exam >= listed {
                // Of equally frequent ones the first is taken.
                spellings.sort_by_key(|spelling| (std::cmp::Reverse(spelling.lines), spelling.first));
                self.parts.exams[exam].code.clone_from(&spellings[0].code);
            }
            for other in &spellings[1..] {
                lines += other.lines;
                if first.is_none_or(|(earliest, _)| other.first < earliest.first) {
                    first = Some((other, exam));
                }
            }
        }
        let (other, exam) = first?;
        Some(format!(
            "{file}: {} with the code of an exam in another spelling: taken for that exam, first line {}, {} for {}",
            counted(lines, "line"),
            other.first,
            quoted(&other.code),
            quoted(&self.parts.exams[exam].code)
        ))
    }

    /// Describes exams whose lines have several titles.
    fn other_titles(&self, file: &str) -> Option<String> {
        let (exam, (line, title)) = self.retitled.iter().min_by_key(|(_, (line, _))| *line)?;
        let (exams, verb) =
            (counted(self.retitled.len(), "exam"), if self.retitled.len() == 1 { "has" } else { "have" });
        let Exam { code, title: kept, .. } = &self.parts.exams[usize::from(*exam)];
        Some(format!(
            "{file}: {exams} {verb} more than one title; the first counts: {} is {}, but {} in line {line}",
            quoted(code),
            quoted(kept),
            quoted(title)
        ))
    }

    fn student(&mut self, line: usize, code: &str) -> usize {
        let key = key(code);
        if let Some(&student) = self.students.get(&key) {
            self.respelled.note(|| format!("line {line}"), code, &self.parts.student_codes[student]);
            return student;
        }
        self.students.insert(key, self.lists.len());
        self.parts.student_codes.push(code.to_owned());
        self.lists.push(Vec::new());
        self.lists.len() - 1
    }

    /// Adds an enrolment; `title` becomes the exam's if it has none yet.
    fn enrol(&mut self, problems: &mut Problems, line: usize, student: &str, code: &str, title: &str) {
        match self.exam(line, code) {
            Ok(exam) => {
                let data = &mut self.parts.exams[usize::from(exam)];
                if data.title.is_empty() {
                    data.title = title.to_owned();
                } else if !title.is_empty() && key(title) != key(&data.title) {
                    self.retitled.entry(exam).or_insert_with(|| (line, title.to_owned()));
                }
                let student = self.student(line, student);
                self.lists[student].push((exam, line));
            }
            Err(why) => problems.line(line, why),
        }
    }
}

/// Reads enrolments; unknown exams are added or are errors.
pub(super) fn enrolments(
    table: &Table, unknown: Unknown<'_>, problems: &mut Problems, parts: &mut InstanceParts,
) -> RowCount {
    let listed_exams = parts.exams.iter().enumerate().map(|(exam, data)| (key(&data.code), exam as u16));
    let exams: HashMap<String, u16> = listed_exams.collect();
    let spelled = |exam: &Exam| vec![Spelling { code: exam.code.clone(), lines: 0, first: 0 }];
    let (listed, spellings) = (parts.exams.len(), parts.exams.iter().map(spelled).collect());
    let (students, lists, retitled) = (HashMap::new(), Vec::new(), BTreeMap::new());
    let respelled = Respelled::default();
    let mut register = Register { parts, exams, spellings, students, respelled, lists, retitled, unknown };
    let count = table.rows(problems, |problems, row| {
        let student = row.get(STUDENT);
        if student.is_empty() {
            return problems
                .line(row.line, "the student is missing; enter the number, or delete the line if it is a total");
        }
        if row.get(EXAM).is_empty() {
            return problems.line(row.line, "the exam is missing; enter its code, or delete the line if it is a total");
        }
        register.enrol(problems, row.line, student, row.get(EXAM), row.get(TITLE));
    });
    let respelled = register.settle_spellings(&table.file_name(), listed);
    let retitled = register.other_titles(&table.file_name());
    let students = register.respelled.describe().map(|what| format!("{}: {what}", table.file_name()));
    let lists = register.lists;
    parts.warnings.extend(respelled.into_iter().chain(retitled).chain(students));
    let alike = look_alikes(parts.exams.iter().map(|exam| exam.code.as_str()), "exam code");
    parts.warnings.extend(alike.map(|what| format!("{what}; spell codes alike that mean one exam")));
    leftovers(table, &table.unused, &count, &mut parts.warnings);
    finish_enrolments(&table.file_name(), lists, problems, parts);
    count
}

/// Stores the enrolments, repeats counted once, and warns of exams that nobody sits.
fn finish_enrolments(
    file: &str, mut lists: Vec<Vec<(u16, usize)>>, problems: &mut Problems, parts: &mut InstanceParts,
) {
    remove_repeats(file, &mut lists, problems, parts);
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
}

/// Removes repeated enrolments of a student and reports their number.
fn remove_repeats(file: &str, lists: &mut [Vec<(u16, usize)>], problems: &mut Problems, parts: &mut InstanceParts) {
    let mut repeats = 0_usize;
    let mut first: Option<(usize, usize, u16)> = None;
    for (student, list) in lists.iter_mut().enumerate() {
        list.sort_unstable();
        list.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                repeats += 1;
                let (code, exam) = (&parts.student_codes[student], &parts.exams[usize::from(later.0)].code);
                let what = format!("student {} is enrolled in exam {}", quoted(code), quoted(exam));
                problems.note(later.1, format!("{what} already in line {}; counted once", earlier.1));
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

/// Notation of the numbers in a column. Other columns show nothing: 9.30 may be a time of day.
fn evidence(table: &Table, column: usize) -> Evidence {
    let mut evidence = Evidence::default();
    table.rows(&mut Problems::up_to(table.path(), 0), |_, row| evidence.look(row.get(column)));
    evidence
}

/// Column of the durations in [`super::columns::EXAMS`].
const DURATION: usize = 2;

/// Reads codes, titles and durations of exams.
pub(super) fn exams(table: &Table, problems: &mut Problems, warnings: &mut Vec<String>) -> (Vec<Exam>, RowCount) {
    let mut exams: Vec<Exam> = Vec::new();
    let mut lines: HashMap<String, usize> = HashMap::new();
    let durations = evidence(table, DURATION);
    let count = table.rows(problems, |problems, row| {
        let code = row.get(0);
        if code.is_empty() {
            return problems.line(row.line, "the code is missing");
        }
        if let Some(&first) = lines.get(&key(code)) {
            return problems.line(row.line, format!("exam {} is listed already, in line {first}", quoted(code)));
        }
        if exams.len() == MAX_EXAMS {
            return problems.line(row.line, format!("more than {MAX_EXAMS} exams; that many cannot be handled"));
        }
        lines.insert(key(code), row.line);
        let minutes = optional(row.get(DURATION), |text| duration(&durations.plain(text)?)).unwrap_or_else(|why| {
            problems.value(row.line, format!("the duration in minutes: {why}"));
            None
        });
        exams.push(Exam { code: code.to_owned(), title: row.get(1).to_owned(), duration: minutes, ..Exam::default() });
    });
    if exams.is_empty() && problems.is_empty() {
        problems.file("there is no exam below the header; add exams or remove the file");
    }
    leftovers(table, &table.unused, &count, warnings);
    (exams, count)
}

/// Columns of [`super::columns::PERIODS`].
const NUMBER: usize = 0;
const DATE: usize = 1;
const START: usize = 2;
const END: usize = 3;
const SEATS: usize = 4;

/// Reads dates, times and seats of periods, in the order of the lines.
pub(super) fn periods(
    mut table: Table, problems: &mut Problems, warnings: &mut Vec<String>,
) -> (Vec<Period>, RowCount) {
    let mut periods: Vec<Period> = Vec::new();
    let (mut first_number, mut labels, mut backwards) = (None, false, None);
    let (start_is_apart, seats) = (table.has(START), evidence(&table, SEATS));
    let mut dates = Vec::new();
    table.rows(&mut Problems::up_to(table.path(), 0), |_, row| dates.push(row.get(DATE).to_owned()));
    let order = order_of(dates.iter().map(String::as_str)).unwrap_or_default();
    let count = table.rows(problems, |problems, row| {
        if periods.len() == MAX_PERIODS {
            return problems.line(row.line, format!("more than {MAX_PERIODS} periods; that many cannot be handled"));
        }
        match number(row.get(NUMBER), u32::MAX) {
            Ok(found) => {
                let expected = *first_number.get_or_insert(found.min(1)) + periods.len() as u32;
                if found != expected {
                    problems.value(row.line, format!("period {found} where {expected} follows; list periods in order"));
                }
            }
            Err(_) => labels |= !row.get(NUMBER).is_empty(),
        }
        let period = period(&row, order, start_is_apart, seats, problems);
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
    if labels {
        table.unused.push("period".to_owned());
    }
    let file = table.file_name();
    leftovers(&table, &table.unused, &count, warnings);
    warnings.extend(doubtful_order(dates.iter().map(String::as_str), order).map(|doubt| format!("{file}: {doubt}")));
    if let Some(line) = backwards {
        warnings.push(format!(
            "{file}: the period in line {line} does not begin after the one before it; the order of the lines counts"
        ));
    }
    (periods, count)
}

fn period(row: &Row, order: DateOrder, start_is_apart: bool, written: Evidence, problems: &mut Problems) -> Period {
    let mut complain = |what: &str, why: String| problems.value(row.line, format!("the {what}: {why}"));
    let mut period = Period::default();
    let text = row.get(DATE);
    optional(text, |text| date(text, order)).map(|date| period.date = date).unwrap_or_else(|why| complain("date", why));
    if period.date.is_some() && !start_is_apart {
        // «2026-06-01 09:00» in one column.
        period.start = text.split_once(['T', ' ']).and_then(|(_, rest)| time(rest).ok());
    }
    match optional(row.get(START), times) {
        Ok(Some((start, end))) => (period.start, period.end) = (Some(start), end),
        Ok(None) => {}
        Err(why) => complain("start", why),
    }
    match optional(row.get(END), time) {
        Ok(end) => period.end = end.or(period.end),
        Err(why) => complain("end", why),
    }
    let seats = optional(row.get(SEATS), |text| number(&written.plain(text)?, u32::MAX));
    seats.map(|seats| period.seats = seats).unwrap_or_else(|why| complain("seats", why));
    if let (Some(start), Some(end)) = (period.start, period.end)
        && end <= start
    {
        let shown = if row.get(END).is_empty() { row.get(START) } else { row.get(END) };
        complain("end", format!("{} is not after the start", quoted(shown)));
        period.end = None;
    }
    period
}

/// `None` for an empty field, otherwise the result of `read`.
fn optional<T>(text: &str, read: impl FnOnce(&str) -> Read<T>) -> Read<Option<T>> {
    if text.is_empty() { Ok(None) } else { read(text).map(Some) }
}
