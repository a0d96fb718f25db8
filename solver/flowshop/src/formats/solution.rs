//! Files of orders and schedules.
//!
//! * An order: the jobs by name or number (from 0 or 1), on one line or one per line.
//! * A schedule as a table: job, machine, start, end.
//! * A schedule as RON, with its order.
//!
//! Schedules are read as stated; [`SolutionFile::verdict`] checks the stated times.

use std::collections::HashMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::lines;
use super::time::time;
use crate::check::{self, Operation, Verdict};
use crate::common_order::{as_named, common_order};
use crate::{Instance, Schedule};
use gridwright_core::formats::{self, FileFormat};
use gridwright_core::problem::Detection;
use gridwright_core::text::columns::{self, Column};
use gridwright_core::text::decoding::DecodedFile;
use gridwright_core::text::lines::{Problems, counted, is_number, listed, quoted};
use gridwright_core::text::table::{Header, Table};
use gridwright_core::text::{Source, ron};
use gridwright_core::{Error, Result};

/// Version of the RON format.
const FORMAT: u32 = 1;

/// Options of reading an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SolutionOptions {
    /// Number of the first job, 0 or 1; `None` to detect it: 0 if the file holds a 0, otherwise 1.
    pub counted_from: Option<u16>,
}

/// An order read from a file, with stated times if the file has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionFile {
    /// Permutation of all job indices.
    pub order: Vec<u16>,
    /// Number of the first job, if the file has numbers: 0 or 1.
    pub counted_from: Option<u16>,
    /// Stated times of every job on every machine; empty if the file holds an order only.
    pub operations: Vec<Operation>,
}

impl SolutionFile {
    /// Verdict of the independent checker on the stated times, or on the order if there are none.
    pub fn verdict(&self, instance: &Instance) -> Verdict {
        if self.operations.is_empty() {
            check::check(instance, &self.order)
        } else {
            check::check_operations(instance, &self.operations)
        }
    }
}

const JOB: usize = 0;
const MACHINE: usize = 1;
const START: usize = 2;
const END: usize = 3;

const COLUMNS: [Column; 4] = [
    super::headings::JOB,
    Column::required("machine", "maschine μηχανή"),
    Column::required("start", "begin beginn début έναρξη"),
    Column::required("end", "completion finish ende fin λήξη"),
];

/// A schedule as stored in RON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSchedule {
    /// Format version.
    schedule_format: u32,
    /// Name and hash of the instance.
    instance: (String, String),
    /// Job names in processing order.
    order: Vec<String>,
    /// Operations as (job, machine, start, end).
    operations: Vec<(String, String, u32, u32)>,
}

/// Reader of sequences.
type Reader = fn(Source<'_>, &Instance, SolutionOptions) -> Result<SolutionFile>;

/// Formats of orders and schedules.
static FORMATS: &[FileFormat<Reader>] = &[
    FileFormat::reading(
        &["ron"],
        |file| Detection::certain(ron::begins_with(file.source.text.as_bytes(), "schedule_format")),
        |source, instance, _| read_ron(source, instance),
    ),
    FileFormat::reading(
        &["csv", "tsv"],
        |file| {
            let mut headers = b",;\t".iter().filter_map(|&delimiter| Header::of(file.source.text, delimiter, &COLUMNS));
            let is_full = |header: Header| columns::find(header.names.iter(), &COLUMNS).iter().all(Option::is_some);
            Detection::certain(headers.any(is_full)).or_possible(|| Table::open(file.source, &COLUMNS).is_ok())
        },
        |source, instance, options| match Table::open(source, &COLUMNS) {
            Ok(table) => read_table(source, &table, instance),
            Err(error) if has_words(source.text, instance) => Err(error),
            Err(_) => read_order(source, instance, options),
        },
    ),
    FileFormat::reading(&[], |_| Detection::Possible, read_order),
];

/// Returns `true` if a file that begins with these bytes is a schedule: a RON document that is not the result of a run, or a
/// table of operations.
pub(crate) fn begins_schedule(start: &[u8]) -> bool {
    formats::detect(FORMATS, Path::new(""), start, usize::MAX) == Detection::Certain
}

/// Reads an order or schedule of all jobs from a file.
///
/// # Errors
/// See [`parse`].
pub fn read(path: &Path, instance: &Instance, options: SolutionOptions) -> Result<SolutionFile> {
    let file = DecodedFile::read(path)?;
    parse(Source { path, text: &file.text }, instance, options)
}

/// Parses an order or schedule of all jobs.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every unknown, repeated or missing job and every malformed time.
pub fn parse(source: Source, instance: &Instance, options: SolutionOptions) -> Result<SolutionFile> {
    let Some(format) = formats::of_text(FORMATS, source) else { return read_order(source, instance, options) };
    (format.read)(source, instance, options)
}

/// Returns `true` if the first line has a token that is neither a job nor a number, as a header has.
fn has_words(text: &str, instance: &Instance) -> bool {
    let first = lines::of(text).map(|(_, line)| line).find(|line| !line.is_empty()).unwrap_or_default();
    !pieces(first).all(|piece| is_number(piece) || instance.job_index(piece).is_some())
}

fn pieces(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';')).filter(|piece| !piece.is_empty())
}

/// Job indices by name.
fn names(instance: &Instance) -> HashMap<&str, u16> {
    instance.jobs.iter().enumerate().map(|(job, data)| (data.name.as_str(), job as u16)).collect()
}

fn read_order(source: Source, instance: &Instance, options: SolutionOptions) -> Result<SolutionFile> {
    let names = names(instance);
    let filled = || lines::of(source.text).filter(|(_, line)| !line.is_empty());
    // Names may contain spaces if each stands on its own line.
    let tokens: Vec<(usize, &str)> = if filled().all(|(_, line)| names.contains_key(line)) {
        filled().collect()
    } else {
        filled().flat_map(|(number, line)| pieces(line).map(move |piece| (number, piece))).collect()
    };
    // Names take precedence over numbers unless the numbering was given.
    let all_named = options.counted_from.is_none() && tokens.iter().all(|(_, token)| names.contains_key(token));
    let by_name = all_named || tokens.iter().any(|(_, token)| !is_number(token));
    let smallest = tokens.iter().filter_map(|(_, token)| token.parse::<u64>().ok()).min();
    let counted_from = options.counted_from.unwrap_or(u16::from(smallest != Some(0)));
    let mut problems = Problems::new(source.path);
    let mut lines_of: Vec<Option<usize>> = vec![None; instance.job_count()];
    let mut order = Vec::with_capacity(instance.job_count());
    for (line, token) in tokens {
        let job = if by_name { names.get(token).copied() } else { by_number(token, counted_from, lines_of.len()) };
        let Some(job) = job else {
            let jobs = instance.job_count();
            let (last, name) = (jobs + usize::from(counted_from) - 1, &instance.name);
            let what = format!(
                "{} is no job of {name}; name its {jobs} jobs, or number them {counted_from} to {last}",
                quoted(token)
            );
            problems.line(line, what);
            continue;
        };
        match lines_of[usize::from(job)].replace(line) {
            Some(first) => {
                problems.line(line, format!("job {} is in the order already, in line {first}", quoted(token)))
            }
            None => order.push(job),
        }
    }
    complete(source, instance, &lines_of, "in the order", &mut problems);
    problems.finish()?;
    Ok(SolutionFile { order, counted_from: (!by_name).then_some(counted_from), operations: Vec::new() })
}

fn by_number(token: &str, counted_from: u16, jobs: usize) -> Option<u16> {
    let number = token.parse::<usize>().ok().filter(|_| is_number(token))?;
    number.checked_sub(usize::from(counted_from)).filter(|&job| job < jobs).map(|job| job as u16)
}

/// Reports jobs without an entry in `lines_of`, which holds a line number per job.
fn complete(source: Source, instance: &Instance, lines_of: &[Option<usize>], place: &str, problems: &mut Problems) {
    let without = instance.jobs.iter().zip(lines_of).filter(|(_, line)| line.is_none());
    let missing: Vec<String> = without.map(|(job, _)| quoted(&job.name)).collect();
    if !missing.is_empty() {
        let (jobs, verb) = (counted(missing.len(), "job"), if missing.len() == 1 { "is" } else { "are" });
        let what = format!("the file ends, and {jobs} {verb} not {place}: {}; add what is missing", listed(&missing));
        problems.line(lines::of(source.text).count().max(1), what);
    }
}

/// Operations collected by a schedule reader.
struct Operations<'a> {
    instance: &'a Instance,
    jobs: HashMap<&'a str, u16>,
    machines: HashMap<&'a str, u16>,
    /// Line number of each operation, row-major, jobs × machines; `None` if it is missing.
    lines: Vec<Option<usize>>,
    list: Vec<Operation>,
}

impl<'a> Operations<'a> {
    fn new(instance: &'a Instance) -> Self {
        let machines = instance.machines.iter().enumerate();
        Self {
            jobs: names(instance),
            machines: machines.map(|(machine, name)| (name.as_str(), machine as u16)).collect(),
            lines: vec![None; instance.times.len()],
            list: Vec::with_capacity(instance.times.len()),
            instance,
        }
    }

    /// Adds an operation from a line; 0 if the format has no meaningful line numbers.
    fn add(&mut self, problems: &mut Problems, line: usize, job: &str, machine: &str, times: (u32, u32)) {
        let mut complain = |what: String| if line == 0 { problems.file(what) } else { problems.line(line, what) };
        let name = &self.instance.name;
        let (Some(&at), Some(&on)) = (self.jobs.get(job), self.machines.get(machine)) else {
            let (what, which) = if self.jobs.contains_key(job) { ("machine", machine) } else { ("job", job) };
            return complain(format!("{what} {} is not in {name}; correct the name", quoted(which)));
        };
        let cell = usize::from(at) * self.instance.machine_count() + usize::from(on);
        if let Some(first) = self.lines[cell].replace(line) {
            let what = format!("job {} is on machine {} already", quoted(job), quoted(machine));
            let place = if first == 0 { String::new() } else { format!(", in line {first}") };
            return complain(format!("{what}{place}; each passes it once"));
        }
        self.list.push(Operation { job: at, machine: on, start: times.0, end: times.1 });
    }

    /// Checks completeness and derives the order in which jobs reach the first machine. Operations of length 0 are
    /// ranked by the later machines and, if these tie as well, by the order in `stated`.
    fn finish(self, source: Source, mut problems: Problems, stated: Option<Vec<u16>>) -> Result<SolutionFile> {
        let (jobs, machines) = (self.instance.job_count(), self.instance.machine_count());
        let rows = self.lines.chunks(machines.max(1)).enumerate();
        let is_needed = |job: usize, machine: usize| self.instance.visits(job, machine);
        let line = |(job, row): (usize, &[Option<usize>])| {
            let needed = (0..row.len()).filter(|&machine| is_needed(job, machine));
            needed.map(|machine| row[machine]).min().flatten()
        };
        let whole: Vec<Option<usize>> = rows.map(line).collect();
        if problems.is_empty() {
            complete(source, self.instance, &whole, "on every machine", &mut problems);
        }
        problems.finish()?;
        if !self.instance.skips.is_empty() {
            return self.finish_visits(source, stated);
        }
        let mut times = vec![(0, 0); self.lines.len()];
        for operation in &self.list {
            let cell = usize::from(operation.job) * machines + usize::from(operation.machine);
            times[cell] = (operation.start, operation.end);
        }
        let named = as_named(jobs, self.list.iter().map(|operation| operation.job.into()));
        let mut order = stated.unwrap_or_else(|| named.into_iter().map(|job| job as u16).collect());
        order.sort_by_key(|&job| &times[usize::from(job) * machines..(usize::from(job) + 1) * machines]);
        Ok(SolutionFile { order, counted_from: None, operations: self.list })
    }
}

impl Operations<'_> {
    /// Derives the order in which jobs pass the machines where they do not visit all of them.
    fn finish_visits(self, source: Source, stated: Option<Vec<u16>>) -> Result<SolutionFile> {
        let (jobs, machines) = (self.instance.job_count(), self.instance.machine_count());
        let mut times = vec![None; self.lines.len()];
        for operation in &self.list {
            let cell = usize::from(operation.job) * machines + usize::from(operation.machine);
            times[cell] = Some((operation.start, operation.end));
        }
        let named = as_named(jobs, self.list.iter().map(|operation| operation.job.into()));
        let Some(order) = common_order(&named, machines, |job, machine| times[job * machines + machine]) else {
            return Err(Error::file(source.path, "no order of the jobs is that of all machines; correct the times"));
        };
        let order = stated.unwrap_or_else(|| order.into_iter().map(|job| job as u16).collect());
        Ok(SolutionFile { order, counted_from: None, operations: self.list })
    }
}

fn read_table(source: Source, table: &Table, instance: &Instance) -> Result<SolutionFile> {
    let mut problems = Problems::new(source.path);
    let mut operations = Operations::new(instance);
    table.rows(&mut problems, |problems, row| {
        let mut date = |column: usize, what: &str| {
            time(row.get(column)).map_err(|why| problems.line(row.line, format!("the {what}: {why}"))).ok()
        };
        if let (Some(start), Some(end)) = (date(START, "start"), date(END, "end")) {
            operations.add(problems, row.line, row.get(JOB), row.get(MACHINE), (start, end));
        }
    });
    operations.finish(source, problems, None)
}

fn read_ron(source: Source, instance: &Instance) -> Result<SolutionFile> {
    let stored: StoredSchedule = ron::read(source, "schedule", FORMAT, |why| {
        format!("this is not a schedule of a flow shop ({why}); a result is opened as a result")
    })?;
    let changed = "the order in it is not that of its operations; the file was changed by hand, use the original";
    let mut seen = vec![false; instance.job_count()];
    let mut fresh = |job: &u16| seen.get_mut(usize::from(*job)).is_some_and(|seen| !std::mem::replace(seen, true));
    let mut operations = Operations::new(instance);
    let stated: Vec<u16> = stored.order.iter().filter_map(|name| operations.jobs.get(name.as_str()).copied()).collect();
    let is_whole = stated.len() == instance.job_count() && stated.iter().all(&mut fresh);
    let mut problems = Problems::new(source.path);
    for (job, machine, start, end) in &stored.operations {
        operations.add(&mut problems, 0, job, machine, (*start, *end));
    }
    let read = operations.finish(source, problems, is_whole.then(|| stated.clone()))?;
    if read.order != stated || stored.order.len() != stated.len() {
        return Err(Error::file(source.path, changed));
    }
    Ok(read)
}

/// Renders an order, one job name per line.
pub(crate) fn write_order(instance: &Instance, order: &[u16]) -> String {
    let named = order.iter().filter_map(|&job| instance.jobs.get(usize::from(job)));
    named.map(|job| format!("{}\n", job.name)).collect()
}

/// Renders `job,machine,start,end` with one line per operation, behind them `from,to` as dates with times of day where the start of the
/// plan is stated, and the columns of orders.
pub(crate) fn write_table(instance: &Instance, operations: &[Operation]) -> String {
    let clock = |time: u32| Some(instance.local_time(time)?.format("%Y-%m-%d %H:%M").to_string());
    let rows = operations.iter().zip(named(instance, operations)).map(|(operation, (job, machine, start, end))| {
        let clocks = [start, end].into_iter().filter_map(clock);
        let times = [job, machine, start.to_string(), end.to_string()].into_iter().chain(clocks);
        times.chain(instance.order_cells(operation.job.into())).collect()
    });
    let heads = ["job", "machine", "start", "end", "from", "to"];
    let count = if instance.plan_start().is_some() { heads.len() } else { 4 };
    let heads: Vec<&str> = heads[..count].iter().copied().chain(instance.order_headings()).collect();
    gridwright_core::text::table::write_table(&heads, rows)
}

fn named(instance: &Instance, operations: &[Operation]) -> impl Iterator<Item = (String, String, u32, u32)> {
    operations.iter().filter_map(|operation| {
        let job = instance.jobs.get(usize::from(operation.job))?.name.clone();
        Some((job, instance.machines.get(usize::from(operation.machine))?.clone(), operation.start, operation.end))
    })
}

/// Renders a schedule as RON.
///
/// # Errors
/// [`Error::Usage`] if serialisation fails.
pub(crate) fn write_ron(instance: &Instance, schedule: &Schedule, operations: &[Operation]) -> Result<String> {
    let order = schedule.order.iter().filter_map(|&job| instance.jobs.get(usize::from(job)));
    let stored = StoredSchedule {
        schedule_format: FORMAT,
        instance: (instance.name.clone(), instance.hash.clone()),
        order: order.map(|job| job.name.clone()).collect(),
        operations: named(instance, operations).collect(),
    };
    ron::write(&stored, "schedule", 2)
}
