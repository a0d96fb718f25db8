//! Import of tables whose columns a person assigns, with a preview of all errors before anything is written.
//!
//! A file becomes a [`Sheet`]; a [`Mapping`], guessed and then corrected by the person, assigns its columns;
//! [`preview`] reads the tables and reports every invalid line, and [`write()`] writes the session into a folder in the
//! program's own format, with a report of what was left out. That folder opens like any other.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use super::columns::Column;
pub use super::decoding::Encoding;
pub use super::lines::Effect;
pub use super::sheet::{DELIMITERS, Mapping, Sheet, TableKind};
pub use super::tables::EnrolmentLayout;
pub use super::values::DateOrder;

use super::csv;
use super::lines::{Problems, counted, file_name};
use super::table::Table;
use super::tables::{self, Enrolments, Unknown};
use crate::text::Source;
use crate::timetabling::{Instance, InstanceParts};
use crate::{Error, Result, files};

/// Suffix of the folders that [`write()`] creates.
pub const FOLDER_SUFFIX: &str = ".gridwright-import";

/// File in such a folder that names the sources and what was left out.
pub const REPORT: &str = "import-report.txt";

/// First words of the report; a folder with such a report may be overwritten.
const REPORT_BEGINS: &str = "Imported by Gridwright from ";

/// Maximum number of problems kept per table; further ones are only counted.
const MOST_PROBLEMS: usize = 200_000;

/// Treatment of invalid lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BadLines {
    /// The import is refused while there are any.
    #[default]
    Stop,
    /// Invalid lines are left out and listed in the report.
    LeaveOut,
}

/// Treatment of enrolments whose exam the table of exams lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownExams {
    /// The line is invalid.
    #[default]
    AreWrong,
    /// The exam is added without title and duration.
    AreAdded,
}

/// Sheet with the meaning of its columns.
#[derive(Debug, Clone)]
pub struct Mapped {
    /// Table of text.
    pub sheet: Arc<Sheet>,
    /// Meaning of its columns.
    pub mapping: Mapping,
}

/// Tables to import and treatment of their errors.
#[derive(Debug, Clone)]
pub struct Request {
    /// Enrolments.
    pub enrolments: Mapped,
    /// Titles and durations.
    pub exams: Option<Mapped>,
    /// Dates, times and seats.
    pub periods: Option<Mapped>,
    /// Treatment of invalid lines.
    pub bad_lines: BadLines,
    /// Treatment of exams that are not listed.
    pub unknown_exams: UnknownExams,
}

impl Request {
    /// The table of a kind, if the request has one.
    pub fn table(&self, kind: TableKind) -> Option<&Mapped> {
        match kind {
            TableKind::Enrolments => Some(&self.enrolments),
            TableKind::Exams => self.exams.as_ref(),
            TableKind::Periods => self.periods.as_ref(),
        }
    }
}

/// Problem found in a line of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Kind of the table.
    pub table: TableKind,
    /// Line of the file, from 1; 0 if the problem concerns the whole file.
    pub line: usize,
    /// Description of the problem.
    pub what: String,
    /// Data that an import in spite of the problem would lose.
    pub effect: Effect,
}

/// Numbers of used and unused lines of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCount {
    /// Nonempty lines below the header.
    pub lines: usize,
    /// Unused lines; in wide tables, unused enrolments.
    pub left_out: usize,
    /// Unused values in lines that are used otherwise.
    pub values_left_out: usize,
    /// Lines that repeat an earlier one.
    pub repeats: usize,
}

/// Result of an import before it is written.
#[derive(Debug, Clone, Default)]
pub struct Preview {
    /// Line counts of each table, indexed as [`TableKind::ALL`].
    pub counts: [LineCount; 3],
    /// Problems, by table and line.
    pub problems: Vec<Problem>,
    /// Number of problems that were not kept.
    pub more_problems: usize,
    /// The session without the unused lines; `None` if nothing is left.
    pub instance: Option<Instance>,
    /// Size of a clique of the conflict graph: lower bound on the number of periods.
    pub least_periods: usize,
    /// Reason why the import is refused, with its remedy; `None` if it is possible.
    pub obstacle: Option<String>,
}

impl Preview {
    /// Number of lines and values that an import would lose.
    pub fn losses(&self) -> usize {
        self.counts.iter().map(|count| count.left_out + count.values_left_out).sum::<usize>()
            + self.problems.iter().filter(|problem| problem.effect == Effect::File).count()
    }
}

/// Sentence that names the required columns missing in `mapping`; `None` if there are none.
pub fn lacking(kind: TableKind, mapping: &Mapping) -> Option<String> {
    let wide = kind == TableKind::Enrolments && mapping.layout != EnrolmentLayout::Pairs;
    for (field, column) in kind.columns().iter().enumerate() {
        let found = mapping.columns.get(field).copied().flatten().is_some();
        // In wide tables the exams have columns of their own.
        if column.required && !found && !(wide && field == 1) {
            return Some(format!("{}: say which column holds the {}", kind.name(), column.name));
        }
    }
    if wide && mapping.exams.is_empty() {
        return Some(format!("{}: say which columns hold the exams", kind.name()));
    }
    if kind == TableKind::Periods && mapping.columns.iter().all(Option::is_none) {
        return Some(format!("{}: say which column holds the date", kind.name()));
    }
    None
}

/// Reads all tables of a request and collects their problems; writes nothing.
pub fn preview(request: &Request) -> Preview {
    let mut preview = Preview::default();
    for kind in TableKind::ALL {
        let why = request.table(kind).and_then(|table| lacking(kind, &table.mapping));
        preview.obstacle = preview.obstacle.or(why);
    }
    if preview.obstacle.is_some() {
        return preview;
    }
    let parts = read(request, &mut preview);
    preview.problems.sort_by_key(|problem| (problem.table, problem.line));
    match Instance::build(parts) {
        Ok(mut instance) => {
            instance.warnings = instance.remarks();
            preview.least_periods = instance.conflicts.greedy_clique().len();
            preview.instance = Some(instance);
        }
        Err(error) => preview.obstacle = Some(error.to_string()),
    }
    let losses = preview.losses();
    if preview.obstacle.is_none() && losses > 0 && request.bad_lines == BadLines::Stop {
        let what = format!("{} that cannot be used; correct the files, or choose to leave them out", problems(losses));
        preview.obstacle = Some(what);
    }
    if preview.obstacle.is_none() && preview.instance.as_ref().is_none_or(|instance| instance.students.is_empty()) {
        preview.obstacle = Some("No line holds an enrolment; check the columns".to_owned());
    }
    preview
}

fn problems(count: usize) -> String {
    if count == 1 { "There is 1 line or value".to_owned() } else { format!("There are {count} lines or values") }
}

/// Reads exams and periods, then the enrolments, which refer to the exams.
fn read(request: &Request, preview: &mut Preview) -> InstanceParts {
    let mut parts = InstanceParts { name: name_of(request), ..InstanceParts::default() };
    if let Some(table) = &request.exams {
        let mut problems = Problems::up_to(table.sheet.path(), MOST_PROBLEMS);
        let (exams, count) = tables::exams(&table_of(TableKind::Exams, table), &mut problems, &mut parts.warnings);
        parts.exams = exams;
        collect_problems(preview, TableKind::Exams, count.lines, problems);
    }
    if let Some(table) = &request.periods {
        let mut problems = Problems::up_to(table.sheet.path(), MOST_PROBLEMS);
        let order = table.mapping.dates;
        let mapped = table_of(TableKind::Periods, table);
        let (periods, count) = tables::periods(mapped, order, &mut problems, &mut parts.warnings);
        parts.periods = periods;
        collect_problems(preview, TableKind::Periods, count.lines, problems);
    }
    let table = &request.enrolments;
    let mut problems = Problems::up_to(table.sheet.path(), MOST_PROBLEMS);
    let exams_file = request.exams.as_ref().map(|table| file_name(table.sheet.path()));
    // Do not report exams that are missing because the table of exams has errors.
    let known = exams_file.filter(|_| request.unknown_exams == UnknownExams::AreWrong && !parts.exams.is_empty());
    let unknown = known.as_deref().map_or(Unknown::Added, Unknown::Refused);
    let names = table.sheet.names(table.mapping.header);
    let exams: Vec<(usize, String)> =
        table.mapping.exams.iter().filter_map(|&at| Some((at, names.get(at)?.trim().to_owned()))).collect();
    let how = Enrolments { layout: table.mapping.layout, exams: &exams, unknown };
    let count = tables::enrolments(&table_of(TableKind::Enrolments, table), how, &mut problems, &mut parts);
    collect_problems(preview, TableKind::Enrolments, count.lines, problems);
    parts
}

fn collect_problems(preview: &mut Preview, table: TableKind, lines: usize, problems: Problems) {
    preview.counts[table as usize] = LineCount {
        lines,
        left_out: problems.count(Effect::Line),
        values_left_out: problems.count(Effect::Value),
        repeats: problems.count(Effect::Nothing),
    };
    preview.more_problems += problems.beyond();
    let list = problems.into_list().into_iter();
    preview.problems.extend(list.map(|found| Problem {
        table,
        line: found.line,
        what: found.what,
        effect: found.effect,
    }));
}

fn table_of(kind: TableKind, table: &Mapped) -> Table<'_> {
    let Mapped { sheet, mapping } = table;
    let source = Source { path: sheet.path(), text: sheet.text() };
    let mut columns = mapping.columns.clone();
    if kind == TableKind::Enrolments && mapping.layout != EnrolmentLayout::Pairs {
        columns.truncate(1);
    }
    let required = kind.columns().iter().zip(&columns).filter(|(column, _)| column.required);
    let needed = required.filter_map(|(_, at)| *at).max().map_or(1, |last| last + 1);
    let skipped = mapping.header.map_or(0, |row| row + 1);
    Table::mapped(source, sheet.delimiter(), columns, skipped, sheet.data_width(mapping.header).max(needed), needed)
}

/// Name of the session: the file name of the enrolments.
fn name_of(request: &Request) -> String {
    super::name_of_table(request.enrolments.sheet.path())
}

/// Default folder of an import: beside the enrolments, with a name that does not exist yet.
pub fn default_folder(enrolments: &Path) -> PathBuf {
    let name = super::name_of_table(enrolments);
    let parent = enrolments.parent().unwrap_or_else(|| Path::new("."));
    let names = std::iter::once(format!("{name}{FOLDER_SUFFIX}"))
        .chain((2..100).map(|number| format!("{name}-{number}{FOLDER_SUFFIX}")));
    let mut folders = names.map(|name| parent.join(name));
    folders.find(|folder| !folder.exists()).unwrap_or_else(|| parent.join(format!("{name}{FOLDER_SUFFIX}")))
}

/// Writes an import and its report into `folder` in the program's own format; returns the file to open.
///
/// # Errors
/// [`Error::Usage`] if the preview has an obstacle or the folder holds other files; [`Error::File`] if it cannot be
/// written.
pub fn write(request: &Request, preview: &Preview, folder: &Path) -> Result<PathBuf> {
    if let Some(obstacle) = &preview.obstacle {
        return Err(Error::Usage(obstacle.clone()));
    }
    let Some(instance) = &preview.instance else {
        return Err(Error::Usage("nothing was read that could be taken over".to_owned()));
    };
    check_folder(folder)?;
    // Write the report first, so that a half-written folder is recognised as ours.
    files::write(&folder.join(REPORT), report(request, preview, instance).as_bytes())?;
    let written = csv::write_folder(instance, folder)?;
    let periods = folder.join("periods.csv");
    if instance.period_count() == 0 && periods.exists() {
        // Periods of an earlier import into the same folder.
        files::remove(&periods)
            .map_err(|error| Error::file(&periods, format!("the old table could not be removed ({error})")))?;
    }
    let enrolments = written.into_iter().next().unwrap_or_else(|| folder.join("enrolments.csv"));
    Ok(std::path::absolute(&enrolments).unwrap_or(enrolments))
}

/// Checks that `folder` is new, empty or of an earlier import, so that no file of the person's is replaced.
fn check_folder(folder: &Path) -> Result<()> {
    if folder.as_os_str().is_empty() {
        return Err(Error::Usage("no folder is given; give one that does not exist yet".to_owned()));
    }
    if folder.is_file() {
        return Err(Error::file(folder, "this is a file; give a folder that does not exist yet"));
    }
    let empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    let ours = || files::beginning(&folder.join(REPORT), REPORT_BEGINS.len()) == REPORT_BEGINS.as_bytes();
    if empty || ours() {
        return Ok(());
    }
    Err(Error::file(folder, "there are other files in this folder; give one that does not exist yet"))
}

/// Text of the report: sources and every line that was left out.
fn report(request: &Request, preview: &Preview, instance: &Instance) -> String {
    let path = |table: &Mapped| table.sheet.path().display().to_string();
    let losses = preview.losses();
    let left_out = if losses == 0 { "nothing left out".to_owned() } else { format!("{losses} left out") };
    let mut text = format!("{REPORT_BEGINS}{}: {left_out}\n", path(&request.enrolments));
    let mut line = |words: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{words}");
    };
    line(String::new());
    let counts = [counted(instance.exam_count(), "exam"), counted(instance.students.len(), "student")].join(", ");
    line(format!("{counts}, {}", counted(instance.enrolments(), "enrolment")));
    for kind in TableKind::ALL {
        let Some(table) = request.table(kind) else { continue };
        let count = preview.counts[kind as usize];
        line(String::new());
        line(format!("{}: {}", kind.name(), path(table)));
        let names = table.sheet.names(table.mapping.header);
        for (column, at) in kind.columns().iter().zip(&table.mapping.columns) {
            if let Some(name) = at.and_then(|at| names.get(at)) {
                line(format!("  {} from column «{name}»", column.name));
            }
        }
        let LineCount { lines, left_out, values_left_out, repeats } = count;
        line(format!("  {lines} lines, {left_out} left out, {values_left_out} values left out, {repeats} repeats"));
    }
    line(String::new());
    for problem in &preview.problems {
        line(problem_line(request, problem));
    }
    if preview.more_problems > 0 {
        line(format!("… and {} more", preview.more_problems));
    }
    text
}

/// Formats a problem as `enrolments.csv:17: the exam is missing`.
pub fn problem_line(request: &Request, problem: &Problem) -> String {
    let file = request.table(problem.table).map(|table| file_name(table.sheet.path())).unwrap_or_default();
    let line = if problem.line > 0 { format!(":{}", problem.line) } else { String::new() };
    format!("{file}{line}: {}", problem.what)
}

/// First line of the import report beside `path`, if there is one.
pub(super) fn remark_beside(path: &Path) -> Option<String> {
    let report = files::read_text(&path.with_file_name(REPORT)).ok()?;
    let first = report.lines().next().filter(|line| line.starts_with(REPORT_BEGINS))?;
    Some(first.replacen(REPORT_BEGINS, "imported from ", 1) + &format!(" (see {REPORT})"))
}

/// Suitability for an import of a file that could not be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Importable {
    /// Not a table of text.
    No,
    /// A table whose columns a person has to assign.
    UnknownHeader,
    /// A table with a known header, with errors in its lines or in the tables beside it.
    BadLines,
}

/// Classifies a file that could not be opened: a person may import a table of text by assigning its columns.
pub fn importable(path: &Path) -> Importable {
    let ending = super::ending(path);
    let named = matches!(ending.as_str(), "csv" | "tsv" | "tab");
    if !(named || matches!(ending.as_str(), "txt" | "dat" | "")) || !path.is_file() {
        return Importable::No;
    }
    match Sheet::read(path, None, None) {
        // A table without lines below its header has nothing to leave out.
        Ok(sheet) if csv::has_enrolment_header(sheet.text()) && sheet.len() < 2 => Importable::No,
        Ok(sheet) if csv::has_enrolment_header(sheet.text()) => Importable::BadLines,
        Ok(sheet) if named || sheet.width() > 1 => Importable::UnknownHeader,
        _ => Importable::No,
    }
}
