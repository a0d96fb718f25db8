//! Tables with a header: one line per job with its name, optional due and release dates and family, and a column per machine. Below it
//! further tables may stand ([`super::sections`]).
//!
//! Every other column that holds numbers is a machine, named by its heading; a heading that hardly names a machine
//! ([`super::headings`]) is refused. Columns of texts, such as remarks and customers, are left out. Lines above the header
//! are titles, a line of sums is no job. The delimiter (comma, semicolon or tab) is detected.

use std::collections::{HashMap, HashSet};

use super::headings::{COLUMNS, JOB_MARK, MACHINE_MARK, is_doubtful, is_no_machine, marked, unmarked};
use super::time::time;
use super::{real_time, sections, setups};
use crate::real_time::{PlanStart, is_date};
use crate::{Instance, Job, MAX_JOBS, MAX_TOTAL};
use gridwright_core::text::columns::{self, Column};
use gridwright_core::text::lines::{Problems, counted, listed, quoted};
use gridwright_core::text::notation;
use gridwright_core::text::table::{self, Header, Numbers, Row, Table, write_table};
use gridwright_core::text::times::{InMinutes, TimeColumns};
use gridwright_core::text::{Source, look_alikes};
use gridwright_core::{Error, Result};

const JOB: usize = 0;
const DUE: usize = 1;
const RELEASE: usize = 2;
const FAMILY: usize = 3;

/// Headings that reveal a schedule, or a table with one line per machine.
const MACHINE: [Column; 3] = [
    Column::required("machine", "machines maschine μηχανή"),
    Column::optional("start", ""),
    Column::optional("end", ""),
];

/// Explains a header that does not belong to a table of jobs; `None` if it might.
fn misfit(header: &Header) -> Option<&'static str> {
    let job = columns::find(header.names.iter(), &COLUMNS)[JOB].is_some();
    match columns::find(header.names.iter(), &MACHINE).as_slice() {
        [Some(_), Some(_), Some(_)] if job => {
            Some("this is a schedule, not an instance; open the instance that it belongs to")
        }
        [Some(0), ..] if !job => Some(
            "the table has a line for each machine: transposed. Exchange rows and columns, so that each line is a job \
             and each machine a column",
        ),
        _ => None,
    }
}

fn headers(text: &str) -> impl Iterator<Item = Header> + '_ {
    b",;\t".iter().filter_map(|&delimiter| Header::of(text, delimiter, &COLUMNS))
}

/// Returns `true` if a text begins with the header of a table of jobs, or of one that was meant to be.
pub(super) fn has_header(source: Source) -> bool {
    headers(source.text).any(|header| {
        let found = columns::find(header.names.iter(), &COLUMNS);
        header.names.len() > 1 && (found[JOB].is_some() || misfit(&header).is_some())
    })
}

/// Returns `true` if a text begins with the header of a table of jobs whose first line has numbers for all machines. Columns
/// that hardly are machines do not count; the reader refuses them.
pub(super) fn begins_table(source: Source) -> bool {
    let source = Source { text: sections::divided(source.text).0, ..source };
    if headers(source.text).any(|header| misfit(&header).is_some()) {
        return false;
    }
    let Ok(table) = Table::open(source, &COLUMNS) else { return false };
    let (texts, others) = (text_columns(&table), table.other_columns().into_iter());
    let others = others.filter(|(at, name)| !name.is_empty() && !texts.contains(at) && !is_no_machine(name));
    let machines: Vec<usize> = others.map(|(at, _)| at).collect();
    let mut fits = None;
    table.rows(&mut Problems::up_to(source.path, 0), |_, row| {
        fits = fits.or_else(|| Some(machines.iter().all(|&at| notation::is_number(row.at(at)))));
    });
    !machines.is_empty() && fits == Some(true)
}

/// Position and name of a column.
type NamedColumn = (usize, String);

/// Columns of a table of jobs besides those of names and dates.
struct Columns {
    machines: Vec<NamedColumn>,
    /// Columns without a heading that hold no texts.
    nameless: Vec<NamedColumn>,
    /// Headings of columns that hold texts and are left out; the position where there is none.
    texts: Vec<String>,
}

/// Returns `true` if a cell begins with a number: `3`, `-2,5`, `.5 h`.
fn begins_with_number(cell: &str) -> bool {
    cell.trim_start_matches(['+', '-', '−', '.', ',']).starts_with(|first: char| first.is_ascii_digit())
}

/// Positions of the columns that hold texts. Below a heading that hardly names a machine no entry begins with a number; below
/// others there are entries and none has a digit, so that `ca. 3` is reported and no machine is lost. A column that is marked
/// as a machine holds none.
fn text_columns(table: &Table) -> HashSet<usize> {
    let others = table.other_columns();
    let is_unlikely: HashMap<usize, bool> = others.iter().map(|(at, name)| (*at, is_no_machine(name))).collect();
    let is_number = |at: usize, cell: &str| {
        if is_unlikely[&at] { begins_with_number(cell) } else { cell.contains(|letter: char| letter.is_numeric()) }
    };
    let (mut with_entry, mut with_number) = (HashSet::new(), HashSet::new());
    table.rows(&mut Problems::up_to(table.path(), 0), |_, row| {
        for (at, cell) in others.iter().map(|&(at, _)| (at, row.at(at))).filter(|(_, cell)| !cell.is_empty()) {
            with_entry.insert(at);
            if is_number(at, cell) {
                with_number.insert(at);
            }
        }
    });
    let holds_text = |(at, name): &&NamedColumn| {
        !with_number.contains(at)
            && (with_entry.contains(at) || is_unlikely[at])
            && unmarked(name, MACHINE_MARK).is_none()
    };
    others.iter().filter(holds_text).map(|&(at, _)| at).collect()
}

/// The columns of machines, without heading, and of texts. Where no column holds numbers, all with a heading are machines, so
/// that their entries are reported.
///
/// # Errors
/// [`Error::Line`] if there is no machine, or if one hardly is a machine.
fn columns_of(table: &Table) -> Result<Columns> {
    let error = |what: String| Err(Error::line(table.path(), table.header.line, what));
    let with_text = text_columns(table);
    let (named, nameless): (Vec<_>, Vec<_>) = table.other_columns().into_iter().partition(|(_, name)| !name.is_empty());
    if named.is_empty() {
        return error("the header names no machine; give each machine a column with its name".to_owned());
    }
    let (mut texts, mut machines): (Vec<_>, Vec<_>) = named.into_iter().partition(|(at, _)| with_text.contains(at));
    if machines.is_empty() {
        std::mem::swap(&mut texts, &mut machines);
    }
    let (nameless_texts, nameless): (Vec<_>, Vec<_>) = nameless.into_iter().partition(|(at, _)| with_text.contains(at));
    texts.extend(nameless_texts.into_iter().map(|(at, _)| (at, format!("column {}", at + 1))));
    let doubtful: Vec<&str> =
        machines.iter().map(|(_, name)| name.as_str()).filter(|name| is_no_machine(name)).collect();
    if let Some(first) = doubtful.first() {
        let names = listed(&doubtful.iter().map(|name| quoted(name)).collect::<Vec<_>>());
        let verb = if doubtful.len() == 1 { "is no machine" } else { "are no machines" };
        return error(format!(
            "it seems that {names} {verb}, and nothing else can be used here. Delete such columns; if one is a machine, call it \
             «{MACHINE_MARK} {}»",
            first.escape_debug()
        ));
    }
    for (_, name) in &mut machines {
        if let Some(bare) = unmarked(name, MACHINE_MARK) {
            *name = bare.to_owned();
        }
    }
    let texts = texts.into_iter().map(|(_, name)| name).collect();
    Ok(Columns { machines, nameless, texts })
}

/// Parses a table; the caller sets name and hash.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every bad line.
pub(crate) fn parse(source: Source) -> Result<Instance> {
    parse_from(source, None)
}

/// As [`parse`], with the start of the plan that another table states, from which dates of jobs count.
///
/// # Errors
/// As [`parse`].
pub(super) fn parse_from(source: Source, start: Option<PlanStart>) -> Result<Instance> {
    let (jobs, parts) = sections::divided(source.text);
    let parts: Vec<_> = parts.iter().map(|(section, text)| (*section, Source { text, ..source })).collect();
    let start = match start {
        Some(start) => Some(start),
        None => sections::plan_start(&parts)?,
    };
    let mut instance = parse_jobs(Source { text: jobs, ..source }, start)?;
    sections::read(parts, &mut instance)?;
    Ok(instance)
}

fn parse_jobs(source: Source, start: Option<PlanStart>) -> Result<Instance> {
    if let Some(what) = headers(source.text).find_map(|header| misfit(&header)) {
        return Err(Error::line(source.path, 1, what));
    }
    let table = Table::open(source, &COLUMNS)?;
    let mut problems = Problems::new(source.path);
    let Columns { machines, nameless, texts } = columns_of(&table)?;
    let numbers = table.numbers();
    let in_minutes = times_in_minutes(&table, &numbers, &machines, start.is_some());
    let named = |(at, name): &NamedColumn| in_minutes.as_ref().map_or(name.clone(), |times| times.heading(*at, name));
    let mut reading = Reading { in_minutes: in_minutes.clone(), start, ..Reading::default() };
    reading.instance.machines = machines.iter().map(named).collect();
    let count = table.rows(&mut problems, |problems, row| {
        if let Some((at, _)) = nameless.iter().find(|(at, _)| !row.at(*at).is_empty()) {
            let what =
                format!("{} stands in column {}, which has no name; name the machine", quoted(row.at(*at)), at + 1);
            problems.line(row.line, what);
        }
        reading.row(problems, &row, &numbers, &machines);
    });
    let Reading { mut instance, undated, early, .. } = reading;
    if early > 0 {
        let (dates, verb) = (counted(early, "due date"), if early == 1 { "lies" } else { "lie" });
        instance.warnings.push(format!("{dates} {verb} before the start of the plan; lateness counts from the start"));
    }
    // A due date column without any entry is ignored.
    if table.has(DUE) && undated.len() < instance.jobs.len() {
        for (line, job) in undated {
            problems.line(
                line,
                format!("the due date of job {} is missing; add it, or remove all due dates", quoted(&job)),
            );
        }
    }
    if instance.jobs.is_empty() && problems.is_empty() {
        problems.file("there is no job below the header; add a line for each");
    }
    problems.finish()?;
    instance.warnings.extend(in_minutes.map(|_| format!("{}: {}", table.file_name(), InMinutes::REMARK)));
    let alike = [
        look_alikes(instance.jobs.iter().map(|job| job.name.as_str()), "job name")
            .map(|what| format!("{what}; delete a line if two mean one job")),
        look_alikes(instance.machines.iter().map(String::as_str), "machine name")
            .map(|what| format!("{what}; leave out a column if two mean one machine")),
    ];
    let alike = alike.into_iter().flatten().map(|what| format!("{}: {what}", table.file_name()));
    instance.warnings.extend(alike);
    table::leftovers(&table, &texts, &count, &mut instance.warnings);
    Ok(instance)
}

/// Conversion of all times to minutes, if some are written as `1:30` or in several units.
fn times_in_minutes(table: &Table, numbers: &Numbers, machines: &[NamedColumn], has_start: bool) -> Option<InMinutes> {
    let dates = [DUE, RELEASE].into_iter().filter_map(|column| table.position(column));
    let positions: Vec<usize> = dates.chain(machines.iter().map(|(at, _)| *at)).collect();
    let mut columns = TimeColumns::new(positions.iter().map(|&at| (at, numbers.unit_at(at))));
    table.rows(&mut Problems::up_to(table.path(), 0), |_, row| {
        let times = positions.iter().filter(|&&at| !(has_start && is_date(row.at(at))));
        times.for_each(|&at| columns.look(at, row.at(at)));
    });
    columns.in_minutes()
}

/// State of the table reader.
#[derive(Default)]
struct Reading {
    /// Conversion of times, where one is needed.
    in_minutes: Option<InMinutes>,
    instance: Instance,
    /// Line number of each job.
    lines: HashMap<String, usize>,
    /// Line number and name of each job without a due date.
    undated: Vec<(usize, String)>,
    /// Start of the plan, from which dates count.
    start: Option<PlanStart>,
    /// Number of due dates before the start of the plan.
    early: usize,
}

impl Reading {
    fn row(&mut self, problems: &mut Problems, row: &Row, numbers: &Numbers, machines: &[NamedColumn]) {
        let marked = unmarked(row.get(JOB), JOB_MARK);
        let name = marked.unwrap_or(row.get(JOB));
        if name.is_empty() {
            return problems.line(row.line, "the job's name is missing; give each job a name or number of its own");
        }
        if let Some(first) = self.lines.insert(name.to_owned(), row.line) {
            let what =
                format!("job {} is there already, in line {first}; give each job a name of its own", quoted(name));
            return problems.line(row.line, what);
        }
        if self.instance.jobs.len() == MAX_JOBS {
            return problems.line(row.line, format!("more than {MAX_JOBS} jobs; that many cannot be handled"));
        }
        let in_minutes = self.in_minutes.as_ref();
        let read = |at: usize| match in_minutes.and_then(|times| times.read(at, row.at(at), numbers.evidence_at(at))) {
            Some(minutes) => minutes.and_then(|minutes| time(&minutes.to_string())),
            None => numbers.plain_at(row, at).and_then(|text| time(&text)),
        };
        let unit = self.instance.seconds_per_unit();
        let early = &mut self.early;
        let mut date = |column: usize, what: &str| match (row.get(column), &self.start) {
            ("", _) => None,
            (text, Some(start)) if is_date(text) => {
                let time = start.units_to_date(text, unit, column == DUE);
                *early += usize::from(column == DUE && time < 0);
                Some(time.clamp(0, MAX_TOTAL as i64) as u32)
            }
            _ => row
                .position(column)
                .map_or_else(|| Err("the column is missing".to_owned()), read)
                .map_err(|why| problems.value(row.line, format!("the {what} of job {}: {why}", quoted(name))))
                .ok(),
        };
        let (due, release) = (date(DUE, "due date"), date(RELEASE, "release date"));
        if row.get(DUE).is_empty() {
            self.undated.push((row.line, name.to_owned()));
        }
        self.instance.jobs.push(Job {
            name: name.to_owned(),
            due,
            release: release.unwrap_or(0),
            family: row.get(FAMILY).to_owned(),
        });
        let mut missing = Vec::new();
        for (at, machine) in machines {
            match row.at(*at) {
                "" => missing.push(quoted(machine)),
                _ => match read(*at) {
                    Ok(time) => self.instance.times.push(time),
                    Err(why) => problems
                        .value(row.line, format!("the time of job {} on {}: {why}", quoted(name), quoted(machine))),
                },
            }
        }
        if !missing.is_empty() {
            let (what, where_to) = (counted(missing.len(), "time"), listed(&missing));
            problems
                .value(row.line, format!("job {} lacks {what}: {where_to}; write 0 where it needs none", quoted(name)));
        }
    }
}

/// Renders `job,due date,release date,family,MACHINE…` with one line per job; the columns of dates and families are omitted if there are
/// none. Names that would not be read as such are marked. Set-ups, start of the plan, working times and
/// times of machines follow, each behind an empty line.
pub fn write(instance: &Instance) -> String {
    let dated = instance.jobs.iter().any(|job| job.due.is_some());
    let released = instance.jobs.iter().any(|job| job.release > 0);
    let grouped = instance.jobs.iter().any(|job| !job.family.is_empty());
    let dates = dated.then_some("due date").into_iter().chain(released.then_some("release date"));
    let head = ["job"].into_iter().chain(dates).chain(grouped.then_some("family")).map(str::to_owned);
    let machines = instance.machines.iter().map(|name| marked(name, MACHINE_MARK, is_doubtful(name)));
    let header: Vec<String> = head.chain(machines).collect();
    let rows = instance.jobs.iter().enumerate().map(|(at, job)| {
        let due = dated.then(|| job.due.map(|due| due.to_string()).unwrap_or_default());
        let release = released.then(|| job.release.to_string());
        let times = instance.row(at).iter().map(ToString::to_string);
        std::iter::once(marked(&job.name, JOB_MARK, table::names_total(&job.name)))
            .chain(due)
            .chain(release)
            .chain(grouped.then(|| job.family.clone()))
            .chain(times)
            .collect()
    });
    write_table(&header, rows) + &setups::write(instance) + &real_time::write(instance)
}
