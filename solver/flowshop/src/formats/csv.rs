//! Tables with a header: one line per job with its name, optional dates, family, quantity and weight, and a column per machine. Below
//! it further tables may stand ([`super::sections`]).
//!
//! Every other column that holds numbers is a machine, named by its heading; columns of texts are carried along ([`super::columns`]).
//! Lines above the header are titles, a line of sums is no job. The delimiter (comma, semicolon or tab) is detected.

use std::collections::HashMap;

use super::columns::{self as job_columns, Columns, NamedColumn, OrderColumns};
use super::headings::{COLUMNS, JOB_MARK, MACHINE_MARK, TEXT_MARK, is_doubtful, is_no_machine, marked, unmarked};
use super::pieces::ProductColumn;
use super::time::{number_from, time};
use super::{real_time, sections, setups};
use crate::frozen::Progress;
use crate::orders::{self, CarriedColumns, MAX_WEIGHT, processing_time};
use crate::real_time::{PlanStart, is_date};
use crate::{Instance, Job, MAX_JOBS, MAX_TOTAL};
use gridwright_core::text::columns::{self, Column};
use gridwright_core::text::lines::{Problems, Read, quoted};
use gridwright_core::text::notation;
use gridwright_core::text::table::{self, Header, Numbers, Row, Table, write_table};
use gridwright_core::text::times::{self, InMinutes, TimeColumns};
use gridwright_core::text::values::{DateOrder, doubtful_order};
use gridwright_core::text::{Source, look_alikes};
use gridwright_core::{Error, Result};

pub(super) const JOB: usize = 0;
const DUE: usize = 1;
const RELEASE: usize = 2;
const FAMILY: usize = 3;
pub(super) const QUANTITY: usize = 4;
pub(super) const WEIGHT: usize = 5;
pub(super) const RANK: usize = 6;
pub(super) const PRIORITY: usize = 7;
pub(super) const CUSTOMER: usize = 8;
pub(super) const REMARK: usize = 9;
const STARTED: usize = 10;
const PROGRESS: usize = 11;
const REMAINING: usize = 12;

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
    let (texts, others) = (job_columns::texts(&table), table.other_columns().into_iter());
    let others = others.filter(|(at, name)| !name.is_empty() && !texts.contains(at) && !is_no_machine(name));
    let machines: Vec<usize> = others.map(|(at, _)| at).collect();
    let mut fits = None;
    table.rows(&mut Problems::up_to(source.path, 0), |_, row| {
        fits = fits.or_else(|| Some(has_times(machines.iter().map(|&at| row.at(at)))));
    });
    !machines.is_empty() && fits == Some(true)
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
    let Columns { machines, nameless, texts, mut remarks } = job_columns::of(&table)?;
    let pieces = job_columns::orders(&table, &machines)?;
    remarks.extend(pieces.remarks.iter().cloned());
    let numbers = table.numbers();
    let times = time_columns(&table, &numbers, &machines, start.is_some());
    for at in times.without_unit() {
        let heading = table.header.names.get(at).unwrap_or_default();
        problems.line(table.header.line, TimeColumns::lacks_unit(heading));
    }
    let in_minutes = times.in_minutes();
    let products = ProductColumn::all(&table, &numbers, in_minutes.as_ref(), &machines, pieces.quantity);
    let named = |(at, name): &NamedColumn| {
        let name = in_minutes.as_ref().map_or(name.clone(), |times| times.heading(*at, name));
        if products.iter().any(|column| column.at == *at) { times::heading_of_products(&name) } else { name }
    };
    let mut reading =
        Reading { in_minutes: in_minutes.clone(), start, products: products.clone(), ..Reading::default() };
    reading.instance.machines = machines.iter().map(named).collect();
    let count = table.rows(&mut problems, |problems, row| {
        if let Some((at, _)) = nameless.iter().find(|(at, _)| !row.at(*at).is_empty()) {
            let what =
                format!("{} stands in column {}, which has no name; name the machine", quoted(row.at(*at)), at + 1);
            problems.line(row.line, what);
        }
        reading.row(problems, &row, &numbers, &machines, &pieces);
        let texts = pieces.texts.iter().chain(&texts).map(|(at, _)| row.at(*at).to_owned());
        reading.texts.push(texts.collect());
    });
    let Reading { mut instance, undated, dates, skips, texts: rows, products, .. } = reading;
    remarks.extend(products.iter().map(ProductColumn::remark));
    remarks.extend(doubtful_order(dates.iter().map(String::as_str), DateOrder::DayFirst));
    for (at, machine) in machines.iter().enumerate() {
        if !skips.is_empty() && skips.iter().skip(at).step_by(machines.len()).all(|&skips| skips) {
            let name = quoted(&machine.1);
            problems.line(table.header.line, format!("no job has a time on {name}; write 0, or delete the column"));
        }
    }
    instance.skips = skips.into();
    let headings = job_columns::distinct(pieces.texts.into_iter().chain(texts));
    if rows.len() == instance.jobs.len() {
        instance.carried = CarriedColumns::of(headings, &rows);
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
    instance.warnings.extend(remarks.into_iter().map(|remark| format!("{}: {remark}", table.file_name())));
    table::leftovers(&table, &[], &count, &mut instance.warnings);
    Ok(instance)
}

/// Returns `true` if the cells of machines are numbers, or empty but for one.
fn has_times<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let mut visits = cells.filter(|cell| !is_no_visit(cell)).peekable();
    visits.peek().is_some() && visits.all(notation::is_number)
}

/// The columns of times.
fn time_columns(table: &Table, numbers: &Numbers, machines: &[NamedColumn], has_start: bool) -> TimeColumns {
    let dates = [DUE, RELEASE, STARTED, REMAINING].into_iter().filter_map(|column| table.position(column));
    let positions: Vec<usize> = dates.chain(machines.iter().map(|(at, _)| *at)).collect();
    let mut columns = TimeColumns::new(positions.iter().map(|&at| (at, numbers.unit_at(at))));
    table.rows(&mut Problems::up_to(table.path(), 0), |_, row| {
        let times = positions.iter().filter(|&&at| !(has_start && is_date(row.at(at))));
        let times = times.filter(|&&at| !is_no_visit(row.at(at)));
        times.for_each(|&at| columns.look(at, row.at(at)));
    });
    columns
}

/// Returns `true` for the cell of a machine that a job does not visit: nothing, or a dash.
pub(super) fn is_no_visit(cell: &str) -> bool {
    matches!(cell, "" | "-" | "–" | "—")
}

/// Name of the job in a row, without the mark of names that would be totals; empty if there is none.
pub(super) fn job_name<'r>(row: &'r Row<'_>) -> &'r str {
    unmarked(row.get(JOB), JOB_MARK).unwrap_or(row.get(JOB))
}

/// Why a date cannot be used where the start of the plan is not stated.
const UNDATED: &str = "is a date and no number; dates are counted from the start of the plan: state it with --plan-start, or in a table with the \
                       column “plan start” below the jobs";

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
    /// Dates as they stand in the table.
    dates: Vec<String>,
    /// True for empty times, row-major, jobs × machines.
    skips: Vec<bool>,
    /// Texts of each job that are carried along.
    texts: Vec<Vec<String>>,
    /// Columns of times of one piece with decimals.
    products: Vec<ProductColumn>,
}

impl Reading {
    /// Name of the job in a row; `None` if there is none, if it is not new, or if there are too many jobs.
    fn new_name(&mut self, problems: &mut Problems, row: &Row) -> Option<String> {
        let name = job_name(row);
        if name.is_empty() {
            problems.line(row.line, "the job's name is missing; give each job a name or number of its own");
            return None;
        }
        if let Some(first) = self.lines.insert(name.to_owned(), row.line) {
            let what =
                format!("job {} is there already, in line {first}; give each job a name of its own", quoted(name));
            problems.line(row.line, what);
            return None;
        }
        if self.instance.jobs.len() == MAX_JOBS {
            problems.line(row.line, format!("more than {MAX_JOBS} jobs; that many cannot be handled"));
            return None;
        }
        Some(name.to_owned())
    }

    /// A time of a job in a declared column, which may be a date where the start of the plan is stated; `None` if the cell is empty or
    /// cannot be read.
    fn time(
        &mut self, problems: &mut Problems, row: &Row, numbers: &Numbers, column: usize, what: &str,
    ) -> Option<u32> {
        match (row.get(column), &self.start) {
            ("", _) => None,
            (text, Some(start)) if is_date(text) => {
                let time = start.units_to_date(text, self.instance.seconds_per_unit(), column == DUE);
                self.dates.push(text.to_owned());
                Some(time.clamp(0, MAX_TOTAL as i64) as u32)
            }
            (text, None) if is_date(text) => {
                let (job, text) = (quoted(job_name(row)), quoted(text));
                problems.value(row.line, format!("the {what} of job {job}: {text} {UNDATED}"));
                None
            }
            _ => row
                .position(column)
                .map_or_else(|| Err("the column is missing".to_owned()), |at| self.number(row, numbers, at))
                .map_err(|why| problems.value(row.line, format!("the {what} of job {}: {why}", quoted(job_name(row)))))
                .ok(),
        }
    }

    /// A time in a column, without dates.
    fn number(&self, row: &Row, numbers: &Numbers, at: usize) -> Read<u32> {
        let in_minutes = self.in_minutes.as_ref();
        match in_minutes.and_then(|times| times.read(at, row.at(at), numbers.evidence_at(at))) {
            Some(minutes) => minutes.and_then(|minutes| time(&minutes.to_string())),
            None => numbers.plain_at(row, at).and_then(|text| time(&text)),
        }
    }

    /// Start, per cent and remaining work of a job that may have started.
    fn progress(&mut self, problems: &mut Problems, row: &Row, numbers: &Numbers) -> Progress {
        let started = self.time(problems, row, numbers, STARTED, "start");
        let remaining = self.time(problems, row, numbers, REMAINING, "remaining work");
        let name = job_name(row);
        let percent = match row.get(PROGRESS).trim_end_matches([' ', '%']) {
            "" => None,
            cell => number_from(cell, 0, 100)
                .map_err(|why| {
                    problems.value(row.line, format!("the progress of job {} in per cent: {why}", quoted(name)))
                })
                .ok(),
        };
        let unit = self.instance.seconds_per_unit();
        let is_before =
            |start: &PlanStart| is_date(row.get(STARTED)) && start.units_to_date(row.get(STARTED), unit, false) < 0;
        if percent.or(remaining).is_none() && self.start.as_ref().is_some_and(is_before) {
            let what = format!(
                "job {} started before the start of the plan; state how much is done in a column «progress» or «remaining»",
                quoted(name)
            );
            problems.value(row.line, what);
        }
        Progress { started, percent, remaining }
    }

    fn row(
        &mut self, problems: &mut Problems, row: &Row, numbers: &Numbers, machines: &[NamedColumn],
        orders: &OrderColumns,
    ) {
        let Some(name) = self.new_name(problems, row) else { return };
        let name = name.as_str();
        let (due, release) = (
            self.time(problems, row, numbers, DUE, "due date"),
            self.time(problems, row, numbers, RELEASE, "release date"),
        );
        let progress = self.progress(problems, row, numbers);
        if row.get(DUE).is_empty() {
            self.undated.push((row.line, name.to_owned()));
        }
        let mut number = |at: Option<usize>, most: u64, what: &str| {
            let cell = at.map(|at| (at, row.at(at))).filter(|(_, cell)| !cell.is_empty())?;
            let value = numbers.plain_at(row, cell.0).and_then(|text| number_from(&text, 1, most));
            value.map_err(|why| problems.value(row.line, format!("the {what} of job {}: {why}", quoted(name)))).ok()
        };
        let quantity = number(orders.quantity, MAX_TOTAL, "quantity");
        self.instance.jobs.push(Job {
            name: name.to_owned(),
            due,
            release: release.unwrap_or(0),
            family: row.get(FAMILY).to_owned(),
            quantity,
            weight: number(orders.weight, MAX_WEIGHT, "weight"),
            rank: number(orders.rank, MAX_WEIGHT, "rank"),
            progress,
        });
        for (at, machine) in machines {
            self.machine_time(problems, row, numbers, (*at, machine), quantity);
        }
    }

    /// Reads the processing time of the last job on a machine, whose column stands at `at`.
    fn machine_time(
        &mut self, problems: &mut Problems, row: &Row, numbers: &Numbers, (at, machine): (usize, &str),
        quantity: Option<u32>,
    ) {
        let is_visit = !is_no_visit(row.at(at));
        self.skips.push(!is_visit);
        if !is_visit {
            return self.instance.times.push(0);
        }
        let product = self.products.iter_mut().find(|column| column.at == at);
        let time = match product {
            Some(column) => column.time(row, numbers, self.in_minutes.as_ref(), quantity),
            None => self.number(row, numbers, at).and_then(|time| processing_time(machine, quantity, time)),
        };
        match time {
            Ok(time) => self.instance.times.push(time),
            Err(why) => {
                let name = quoted(job_name(row));
                problems.value(row.line, format!("the time of job {name} on {}: {why}", quoted(machine)));
            }
        }
    }
}

/// Cells of a column by index and data of the job.
type Cells<'a> = Box<dyn Fn(usize, &Job) -> String + 'a>;

/// Headings and cells of the columns behind the name of the job that have any entry.
fn written_columns(instance: &Instance) -> Vec<(String, Cells<'_>)> {
    let cell = |value: Option<u32>| value.map_or_else(String::new, |value| value.to_string());
    let mut columns: Vec<(String, Cells<'_>)> = Vec::new();
    let mut add = |name: &str, of: Cells<'static>, is_there: &dyn Fn(&Job) -> bool| {
        if instance.jobs.iter().any(is_there) {
            columns.push((name.to_owned(), of));
        }
    };
    add("due date", Box::new(move |_, job| cell(job.due)), &|job| job.due.is_some());
    add("release date", Box::new(|_, job| job.release.to_string()), &|job| job.release > 0);
    add("family", Box::new(|_, job| job.family.clone()), &|job| !job.family.is_empty());
    add("quantity", Box::new(move |_, job| cell(job.quantity)), &|job| job.quantity.is_some());
    add("weight", Box::new(move |_, job| cell(job.weight)), &|job| job.weight.is_some());
    add("rank", Box::new(move |_, job| cell(job.rank)), &|job| job.rank.is_some());
    add("started", Box::new(move |_, job| cell(job.progress.started)), &|job| job.progress.started.is_some());
    add("progress", Box::new(move |_, job| cell(job.progress.percent)), &|job| job.progress.percent.is_some());
    add("remaining", Box::new(move |_, job| cell(job.progress.remaining)), &|job| job.progress.remaining.is_some());
    for (at, heading) in instance.carried.headings.iter().enumerate() {
        let heading = match heading.as_str() {
            orders::CUSTOMER | orders::REMARK => heading.to_lowercase(),
            _ => format!("{TEXT_MARK} {heading}"),
        };
        columns.push((heading, Box::new(move |job, _| instance.carried.row(job)[at].clone())));
    }
    for (machine, name) in instance.machines.iter().enumerate() {
        let time = move |job: usize, _: &Job| instance.stated_time(job, machine);
        columns.push((marked(name, MACHINE_MARK, is_doubtful(name)), Box::new(time)));
    }
    columns
}

/// Renders `job,due date,release date,family,quantity,weight,rank,TEXTS…,MACHINE…` with one line per job; columns without any entry are
/// omitted, and times are stated per piece where they were read so. Names that would not be read as such are marked. Set-ups, start of the
/// plan, working times and times of machines follow, each behind an empty line.
pub fn write(instance: &Instance) -> String {
    let columns = written_columns(instance);
    let header: Vec<String> =
        std::iter::once("job".to_owned()).chain(columns.iter().map(|(name, _)| name.clone())).collect();
    let rows = instance.jobs.iter().enumerate().map(|(at, job)| {
        let name = marked(&job.name, JOB_MARK, table::names_total(&job.name));
        std::iter::once(name).chain(columns.iter().map(|(_, of)| of(at, job))).collect()
    });
    write_table(&header, rows) + &setups::write(instance) + &real_time::write(instance)
}
