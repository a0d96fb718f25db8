//! The Toronto format: `.crs` has one `exam enrolment` per line, `.stu` one student per line with the student's exams.
//!
//! Source: M. W. Carter, G. Laporte, S. Y. Lee, «Examination timetabling: algorithmic strategies and applications»,
//! Journal of the Operational Research Society 47(3), 1996, and the files of its collection.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::evidence;
use super::loaded::Loaded;
use super::names::find_beside;
use crate::published;
use crate::{Exam, Instance, InstanceParts, MAX_EXAMS};
use gridwright_core::data::NameIndex;
use gridwright_core::text::lines::{self, Problems, counted, file_name, listed, number, quoted};
use gridwright_core::text::{Source, ending, stem};
use gridwright_core::{Error, Result, files, recognition};

/// Identifier of the problem in the registry.
const PROBLEM: &str = "timetabling";

/// Continues the message about a file that lists no students.
const REMEDY: &str = "; each line of such a file holds the codes of the exams of one student, separated by blanks. If it is \
                      one, put its .crs beside it; otherwise give it the ending of its own format";

/// Loads a `.stu` or `.crs` and the other file beside it.
pub(super) fn load(path: &Path) -> Result<Loaded> {
    let stem = stem(path);
    let (courses, students) = if ending(path) == "crs" {
        let Some(students) = find_beside(path, &stem, "stu") else {
            let expected = path.with_extension("stu");
            let what = format!("this lists exams only; the students are expected in {}", expected.display());
            // Report a missing file as such, before asking for the other one.
            files::read(path)?;
            return Err(Error::file(path, what));
        };
        (Some(path.to_path_buf()), students)
    } else {
        (find_beside(path, &stem, "crs"), path.to_path_buf())
    };
    let read = |path: PathBuf| files::read(&path).map(|bytes| (path, bytes));
    let (students_path, students) = read(students)?;
    let courses = courses.map(read).transpose()?;
    let file_hash = match &courses {
        Some((_, courses)) => files::hash(&[courses, &students]),
        None => files::hash(&[&students]),
    };
    let courses = courses.map(|(path, bytes)| files::text(&path, bytes).map(|text| (path, text))).transpose()?;
    let students = files::text(&students_path, students)?;
    if courses.is_none() {
        check_content(Source { path: &students_path, text: &students })?;
    }
    let courses = courses.as_ref().map(|(path, text)| Source { path, text });
    let (mut parts, empty_lines) = parse(courses, Source { path: &students_path, text: &students })?;
    // The literature writes the names in lower case.
    let small = stem.to_lowercase();
    parts.name = if published::conditions(&small).is_some() { small } else { stem };
    parts.file_hash = file_hash;
    Ok(Loaded { parts, empty_lines })
}

/// Makes sure that a file without a `.crs` lists students; its ending alone is no evidence of that.
fn check_content(students: Source) -> Result<()> {
    let refusal = match evidence::stranger(students.text) {
        Some((line, what)) => Error::line(students.path, line, what + REMEDY),
        None if recognition::owner_of_content(students.path, PROBLEM).is_some() => {
            Error::file(students.path, format!("this is probably no list of students{REMEDY}"))
        }
        None => return Ok(()),
    };
    Err(recognition::with_content(refusal, students.path, PROBLEM))
}

/// Parses the two files; without `courses` the exams are those that students name.
///
/// Returns the parts, without name and hash, and the number of empty lines in front of the last student.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every invalid line and every enrolment that disagrees with the students.
pub fn parse(courses: Option<Source>, students: Source) -> Result<(InstanceParts, usize)> {
    let listed = courses.map(read_courses).transpose()?;
    let mut reading = Reading::new(courses, students, listed.as_ref());
    for (line, text) in lines::of(students.text) {
        reading.student(line, text);
    }
    let Reading { problems, exams, students: lists, repeated, empty, .. } = reading;
    problems.finish()?;
    let mut warnings = Vec::new();
    let exams = match (courses, listed) {
        (Some(source), Some(listed)) => {
            compare_counts(source, &listed, students, &exams)?;
            listed.exams.into_iter().map(|course| Exam { code: course.code.to_owned(), ..Exam::default() }).collect()
        }
        _ => {
            let expected = students.path.with_extension("crs");
            warnings.push(format!("{} is not there; the exams are those that students sit", file_name(&expected)));
            exams.codes.iter().map(|&code| Exam { code: code.to_owned(), ..Exam::default() }).collect()
        }
    };
    if let Some((count, line, exam)) = repeated {
        let name = file_name(students.path);
        let (whose, verb) = (counted(count, "student"), if count == 1 { "lists" } else { "list" });
        warnings.push(format!(
            "{name}: {whose} {verb} an exam more than once, first in line {line} (exam {exam}); counted once each"
        ));
    }
    if empty.within > 0 {
        let name = file_name(students.path);
        warnings.push(format!("{name}: {} skipped, not students", counted(empty.within, "empty line")));
    }
    let empty_lines = empty.within + empty.pending;
    let (exams, lists) = if courses.is_none() { in_order(exams, lists) } else { (exams, lists) };
    Ok((InstanceParts { exams, students: lists, warnings, ..InstanceParts::default() }, empty_lines))
}

/// Line of a `.crs`.
struct Course<'a> {
    line: usize,
    code: &'a str,
    enrolment: u32,
}

/// Contents of a `.crs` with an index by code.
struct Courses<'a> {
    exams: Vec<Course<'a>>,
    index: Index<'a>,
}

/// Index of exams by code: as written or, failing that, by numeric value, so that `1` finds `0001`.
#[derive(Default)]
pub(super) struct Index<'a> {
    written: HashMap<&'a str, u16>,
    numeric: HashMap<u64, u16>,
    /// Exams of an instance by codes in any spelling.
    spelled: NameIndex<'a>,
}

impl<'a> Index<'a> {
    /// Index of the exams of an instance.
    pub(super) fn of(instance: &'a Instance) -> Self {
        let mut index = Self::default();
        for (exam, data) in (0..).zip(&instance.exams) {
            index.insert(&data.code, exam);
            index.spelled.insert(&data.code, exam.into());
        }
        index
    }

    pub(super) fn find(&self, code: &str) -> Option<u16> {
        let written = self.written.get(code).or_else(|| self.numeric.get(&as_number(code)?));
        written.copied().or_else(|| self.spelled.get(code).map(|exam| exam as u16))
    }

    fn insert(&mut self, code: &'a str, exam: u16) {
        self.written.insert(code, exam);
        if let Some(value) = as_number(code) {
            self.numeric.insert(value, exam);
        }
    }
}

fn as_number(code: &str) -> Option<u64> {
    lines::is_number(code).then(|| code.parse().ok())?
}

/// Returns `true` if a token can be the code of an exam; rejects the punctuation of prose and HTML.
pub(super) fn is_code(token: &str) -> bool {
    const LONGEST: usize = 40;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    token.len() <= LONGEST && token.bytes().all(fits) && token.bytes().any(|byte| byte.is_ascii_digit())
}

fn read_courses(source: Source) -> Result<Courses> {
    let mut problems = Problems::new(source.path);
    let mut courses = Courses { exams: Vec::new(), index: Index::default() };
    for (line, text) in lines::of(source.text).filter(|(_, text)| !text.is_empty()) {
        let mut tokens = text.split_whitespace();
        let (Some(code), Some(enrolment), None) = (tokens.next(), tokens.next(), tokens.next()) else {
            problems.line(line, format!("expected an exam and its number of students, found {}", quoted(text)));
            continue;
        };
        let enrolment = match number(enrolment, u32::MAX) {
            Ok(enrolment) => enrolment,
            Err(why) => {
                problems.line(line, format!("the number of students of exam {code}: {why}"));
                continue;
            }
        };
        if let Some(first) = courses.index.find(code) {
            let first = courses.exams[usize::from(first)].line;
            problems.line(line, format!("exam {code} is listed already, in line {first}; remove one of the two"));
        } else if courses.exams.len() == MAX_EXAMS {
            problems.line(line, format!("more than {MAX_EXAMS} exams; that many cannot be handled"));
            break;
        } else {
            courses.index.insert(code, courses.exams.len() as u16);
            courses.exams.push(Course { line, code, enrolment });
        }
    }
    problems.finish()?;
    Ok(courses)
}

/// Exams named by students, in order of appearance, with their frequencies.
#[derive(Default)]
struct Named<'a> {
    codes: Vec<&'a str>,
    index: Index<'a>,
    /// Number of students of each exam.
    enrolment: Vec<u32>,
    /// Number of mentions of each exam: a student who lists it twice counts twice.
    mentions: Vec<u32>,
    /// Last line that named each exam, 0 for none.
    line: Vec<usize>,
}

impl Named<'_> {
    fn grow(&mut self, exams: usize) {
        self.enrolment.resize(exams, 0);
        self.mentions.resize(exams, 0);
        self.line.resize(exams, 0);
    }

    /// Counts an exam of the student in `line`; returns `false` if that student named it before.
    fn count(&mut self, exam: u16, line: usize) -> bool {
        let exam = usize::from(exam);
        self.mentions[exam] += 1;
        let fresh = std::mem::replace(&mut self.line[exam], line) != line;
        self.enrolment[exam] += u32::from(fresh);
        fresh
    }
}

#[derive(Default)]
struct EmptyLines {
    /// Empty lines before the last student.
    within: usize,
    /// Empty lines since the last student so far.
    pending: usize,
}

/// State of parsing a `.stu`.
struct Reading<'a, 'c> {
    courses: Option<(&'a Path, &'c Courses<'c>)>,
    problems: Problems<'a>,
    exams: Named<'a>,
    students: Vec<Vec<u16>>,
    /// Number of students who list an exam twice, and line and exam of the first of them.
    repeated: Option<(usize, usize, &'a str)>,
    empty: EmptyLines,
    /// The last line if it looks truncated: its number and the common width of all exams but its last.
    cut: Option<(usize, usize)>,
}

impl<'a, 'c> Reading<'a, 'c> {
    fn new(courses: Option<Source<'a>>, students: Source<'a>, listed: Option<&'c Courses<'c>>) -> Self {
        let mut exams = Named::default();
        exams.grow(listed.map_or(0, |listed| listed.exams.len()));
        Self {
            courses: courses.map(|source| source.path).zip(listed),
            problems: Problems::new(students.path),
            exams,
            students: Vec::new(),
            repeated: None,
            empty: EmptyLines::default(),
            cut: cut_line(students.text),
        }
    }

    fn student(&mut self, line: usize, text: &'a str) {
        if text.is_empty() {
            self.empty.pending += 1;
            return;
        }
        self.empty.within += std::mem::take(&mut self.empty.pending);
        if let Some((_, width)) = self.cut.filter(|&(cut, _)| cut == line) {
            let token = quoted(text.split_whitespace().next_back().unwrap_or(text));
            let what = format!(
                "the file is truncated: its last exam is {token} where all others have {width} digits; get it again"
            );
            self.problems.line(line, what);
            return;
        }
        let (mut list, mut unknown, mut repeats) = (Vec::new(), Vec::new(), None);
        for token in text.split_whitespace() {
            let Some(exam) = self.find(token) else {
                unknown.push(quoted(token));
                continue;
            };
            if self.exams.count(exam, line) {
                list.push(exam);
            } else {
                repeats = repeats.or(Some(token));
            }
        }
        if !unknown.is_empty() {
            let what = self.complaint(&unknown);
            self.problems.line(line, what);
        }
        if let Some(exam) = repeats {
            let (count, ..) = self.repeated.get_or_insert((0, line, exam));
            *count += 1;
        }
        self.students.push(list);
    }

    /// Index of an exam; without a `.crs` a new code creates an exam.
    fn find(&mut self, token: &'a str) -> Option<u16> {
        match self.courses {
            Some((_, courses)) => courses.index.find(token),
            None => self.exams.index.find(token).or_else(|| {
                if !is_code(token) || self.exams.codes.len() == MAX_EXAMS {
                    return None;
                }
                let exam = self.exams.codes.len() as u16;
                self.exams.index.insert(token, exam);
                self.exams.codes.push(token);
                self.exams.grow(self.exams.codes.len());
                Some(exam)
            }),
        }
    }

    fn complaint(&self, unknown: &[String]) -> String {
        let (exams, verb) = if unknown.len() == 1 { ("exam", "is") } else { ("exams", "are") };
        let list = listed(unknown);
        match self.courses {
            Some((path, _)) => {
                format!("{exams} {list} {verb} not in {}; add to that file or correct here", file_name(path))
            }
            None if self.exams.codes.len() == MAX_EXAMS => {
                format!("more than {MAX_EXAMS} exams; that many cannot be handled")
            }
            None => format!("{list} {verb} not the code of an exam; each line lists the exams of one student"),
        }
    }
}

/// Detects a truncated file: no line end, and the last exam is shorter than all others, which have one width. Returns
/// the number of the last line and that width.
fn cut_line(text: &str) -> Option<(usize, usize)> {
    if text.ends_with(char::is_whitespace) {
        return None;
    }
    let last = text.split_whitespace().next_back()?;
    let width = text.split_whitespace().next()?.len();
    let others = text[..text.len() - last.len()].split_whitespace();
    let cut = last.len() < width && others.clone().count() > 1 && others.clone().all(|token| token.len() == width);
    cut.then(|| (lines::of(text).count(), width))
}

/// Compares the enrolments of the `.crs` with the students.
fn compare_counts(source: Source, courses: &Courses, students: Source, found: &Named) -> Result<()> {
    let mut problems = Problems::new(source.path);
    let (mut fewer, mut more) = (0, 0);
    let name = file_name(students.path);
    for (exam, course) in courses.exams.iter().enumerate() {
        let (enrolment, mentions) = (found.enrolment[exam], found.mentions[exam]);
        // A collection that counts repeated lines counts them twice; repeats have a warning of their own.
        if course.enrolment != enrolment && course.enrolment != mentions {
            *(if enrolment < course.enrolment { &mut fewer } else { &mut more }) += 1;
            let what = format!(
                "exam {} has {} here but {enrolment} in {name}; one of the two files is incomplete or of another session",
                course.code,
                counted(course.enrolment as usize, "student"),
            );
            problems.line(course.line, what);
        }
    }
    // Truncation is likely if most exams lack students, or the last line has no end.
    let cut = fewer > 0 && more == 0 && (2 * fewer > courses.exams.len() || !students.text.ends_with(['\n', '\r']));
    let what = format!(
        "the file is truncated here: by {}, {} should have more students",
        file_name(source.path),
        counted(fewer, "exam")
    );
    let cut = cut.then(|| Error::line(students.path, lines::of(students.text).count(), what));
    Error::from_lines(cut.into_iter().chain(problems.into_errors()).collect())
}

/// Sorts exams by code, numerically where codes are numbers, for files without an order of their own.
fn in_order(exams: Vec<Exam>, mut students: Vec<Vec<u16>>) -> (Vec<Exam>, Vec<Vec<u16>>) {
    let mut order: Vec<usize> = (0..exams.len()).collect();
    order.sort_by_key(|&exam| {
        let code = &exams[exam].code;
        (as_number(code).is_none(), as_number(code), code.clone())
    });
    let mut place = vec![0; exams.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new as u16;
    }
    for exam in students.iter_mut().flatten() {
        *exam = place[usize::from(*exam)];
    }
    (order.iter().map(|&exam| exams[exam].clone()).collect(), students)
}

/// Formats the `.crs` of an instance: one `exam enrolment` per line.
pub fn write_courses(instance: &Instance) -> String {
    instance.exams.iter().map(|exam| format!("{} {}\n", unbroken(&exam.code), exam.enrolment)).collect()
}

/// Formats the `.stu` of an instance: the exams of one student per line; a student without exams has no line.
pub fn write_students(instance: &Instance) -> String {
    let mut text = String::new();
    for list in instance.students.iter().filter(|list| !list.is_empty()) {
        for (at, &exam) in list.iter().enumerate() {
            if at > 0 {
                text.push(' ');
            }
            text.push_str(&unbroken(&instance.exams[usize::from(exam)].code));
        }
        text.push('\n');
    }
    text
}

/// Replaces the blanks of a code, which would separate codes in these files.
fn unbroken(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join("_")
}
