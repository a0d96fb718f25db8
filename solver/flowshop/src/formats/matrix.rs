//! Files of numbers: the numbers of jobs and machines, then rows of processing times.
//!
//! A row holds the times of one machine, job by job, or on request of one job, machine by machine. Alternatively it
//! holds `machine time` pairs of one job, recognised by twice as many numbers and by the machine numbers among them.

use super::time::time;
use super::{LoadOptions, Orientation, count, lines};
use crate::{Instance, Job, MAX_JOBS, MAX_MACHINES};
use gridwright_core::text::Source;
use gridwright_core::text::lines::{Problems, counted, quoted};
use gridwright_core::{Error, Result};

/// A non-empty line: its number, from 1, and its tokens.
pub(super) type Row<'a> = (usize, Vec<&'a str>);

/// Declared sizes of an instance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) jobs: usize,
    pub(super) machines: usize,
    /// Number of the line that declares the sizes.
    pub(super) line: usize,
}

pub(super) fn rows(text: &str) -> Vec<Row<'_>> {
    let filled = lines::of(text).filter(|(_, line)| !line.is_empty());
    filled.map(|(number, line)| (number, line.split_whitespace().collect())).collect()
}

/// Parses `n m` and the rows.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every bad line.
pub fn parse(source: Source, options: &LoadOptions) -> Result<Instance> {
    let rows = rows(source.text);
    let Some(((line, first), body)) = rows.split_first() else {
        return Err(Error::file(source.path, "the file is empty; export it again from where it comes from"));
    };
    let wrong = |what: String| Error::line(source.path, *line, what);
    let &[jobs, machines] = first.as_slice() else {
        let found = counted(first.len(), "number");
        let what = format!("expected the number of jobs and the number of machines, found {found}; write both here");
        return Err(wrong(what));
    };
    let jobs = count(jobs, "jobs", MAX_JOBS).map_err(wrong)?;
    let machines = count(machines, "machines", MAX_MACHINES).map_err(wrong)?;
    let shape = Shape { jobs, machines, line: *line };
    read(source, shape, body, options.orientation)
}

/// Parses rows of numbers into an instance without a name.
pub(super) fn read(source: Source, shape: Shape, body: &[Row], orientation: Option<Orientation>) -> Result<Instance> {
    let mut problems = Problems::new(source.path);
    let mut instance = Instance::default();
    let Shape { jobs, machines, .. } = shape;
    let times = if orientation != Some(Orientation::Machines) && has_pairs(shape, body) {
        pairs(shape, body, &mut problems)
    } else {
        let rows = orientation.unwrap_or(Orientation::Machines);
        if orientation.is_none() && jobs == machines && jobs > 1 {
            instance.warnings.push(format!(
                "as many jobs as machines ({jobs}): each row is taken as a machine; if it is a job, open the file with \
                 orientation {} (--orientation)",
                Orientation::Jobs.name()
            ));
        }
        grid(source, shape, body, rows, &mut problems)?
    };
    problems.finish()?;
    instance.jobs = vec![Job::default(); jobs];
    instance.machines = vec![String::new(); machines];
    instance.times = times;
    Ok(instance)
}

/// Returns `true` if the rows hold `machine time` pairs. If a row of a machine would have the same length, the first
/// row must also number the machines, and there must be more rows than machines.
fn has_pairs(shape: Shape, body: &[Row]) -> bool {
    let Some((_, first)) = body.first().filter(|(_, first)| first.len() == 2 * shape.machines) else { return false };
    let numbered =
        |from: usize| first.iter().step_by(2).enumerate().all(|(at, &token)| token == (at + from).to_string());
    2 * shape.machines != shape.jobs || (body.len() > shape.machines && (numbered(0) || numbered(1)))
}

/// Parses rows of times; the result is row-major, jobs × machines, for either orientation.
fn grid(
    source: Source, shape: Shape, body: &[Row], orientation: Orientation, problems: &mut Problems,
) -> Result<Vec<u32>> {
    let Shape { jobs, machines, .. } = shape;
    let (height, width, row_is, column_is) = match orientation {
        Orientation::Machines => (machines, jobs, "machine", "job"),
        Orientation::Jobs => (jobs, machines, "job", "machine"),
    };
    if height != width && body.len() == width && body.iter().all(|(_, row)| row.len() == height) {
        let other = Orientation::ALL.into_iter().find(|&other| other != orientation).unwrap_or(orientation);
        let what = format!(
            "line {} says {jobs} jobs and {machines} machines, so {} of {width} numbers were expected, one for each \
             {row_is}, but here are {} of {height}: transposed. Open the file with orientation {} (--orientation), or exchange the \
             two numbers if they stand the wrong way round",
            shape.line,
            counted(height, "row"),
            counted(width, "row"),
            other.name(),
        );
        return Err(Error::line(source.path, body.first().map_or(shape.line, |(line, _)| *line), what));
    }
    let rows: Vec<Vec<u32>> = body
        .iter()
        .take(height)
        .enumerate()
        .map(|(at, (line, row))| {
            if row.len() != width {
                let found = counted(row.len(), "number");
                let what =
                    format!("{found} in the row of {row_is} {} where {width} {column_is}s need one each", at + 1);
                problems.line(*line, what);
                return Vec::new();
            }
            let value = |(column, token): (usize, &&str)| {
                time(token).unwrap_or_else(|why| {
                    problems
                        .value(*line, format!("the time of {row_is} {} and {column_is} {}: {why}", at + 1, column + 1));
                    0
                })
            };
            row.iter().enumerate().map(value).collect()
        })
        .collect();
    height_fits(shape, body, height, row_is, problems);
    if !problems.is_empty() {
        return Ok(Vec::new());
    }
    Ok(match orientation {
        Orientation::Jobs => rows.concat(),
        Orientation::Machines => (0..jobs).flat_map(|job| rows.iter().map(move |row| row[job])).collect(),
    })
}

/// Reports missing and surplus rows.
fn height_fits(shape: Shape, body: &[Row], height: usize, row_is: &str, problems: &mut Problems) {
    let says =
        format!("line {} says {} and {}", shape.line, counted(shape.jobs, "job"), counted(shape.machines, "machine"));
    if let Some((line, _)) = body.get(height) {
        let more = counted(body.len() - height, "row");
        problems.line(*line, format!("{says}, so {height} rows were expected; remove {more} from here, or correct it"));
    } else if body.len() < height {
        let line = body.last().map_or(shape.line, |(line, _)| *line);
        let found = counted(body.len(), "row");
        let what = format!(
            "{says}, so a row for each {row_is} was expected, but there {} {found}; add the others",
            if body.len() == 1 { "is" } else { "are" }
        );
        problems.line(line, what);
    }
}

/// Parses rows of `machine time` pairs with the machines in order, numbered from 0 or 1.
fn pairs(shape: Shape, body: &[Row], problems: &mut Problems) -> Vec<u32> {
    let Shape { jobs, machines, .. } = shape;
    let from = usize::from(body.first().is_some_and(|(_, first)| first.first() != Some(&"0")));
    let mut times = Vec::new();
    for (job, (line, row)) in body.iter().take(jobs).enumerate() {
        if row.len() != 2 * machines {
            let found = counted(row.len(), "number");
            let what =
                format!("{found} in the row of job {} where {machines} pairs of machine and time stand", job + 1);
            problems.line(*line, what);
            continue;
        }
        for (machine, pair) in row.chunks_exact(2).enumerate() {
            let expected = machine + from;
            if pair[0].parse() != Ok(expected) {
                let found = quoted(pair[0]);
                let what = format!(
                    "machine {found} where {expected} was expected; in a flow shop all jobs pass the machines in \
                     the same order, and each row names them all"
                );
                problems.line(*line, what);
                break;
            }
            match time(pair[1]) {
                Ok(time) => times.push(time),
                Err(why) => problems.value(*line, format!("the time of job {} on machine {expected}: {why}", job + 1)),
            }
        }
    }
    height_fits(shape, body, jobs, "job", problems);
    times
}

/// Renders `n m` and a row per machine; names and due dates are lost.
pub fn write(instance: &Instance) -> String {
    let mut text = format!("{} {}\n", instance.job_count(), instance.machine_count());
    for machine in 0..instance.machine_count() {
        let row: Vec<String> = (0..instance.job_count()).map(|job| instance.time(job, machine).to_string()).collect();
        text.push_str(&row.join(" "));
        text.push('\n');
    }
    text
}

/// Renders `n m` and a row of `machine time` pairs per job, machines numbered from 0.
pub fn write_pairs(instance: &Instance) -> String {
    let mut text = format!("{} {}\n", instance.job_count(), instance.machine_count());
    for job in 0..instance.job_count() {
        let pairs: Vec<String> =
            instance.row(job).iter().enumerate().map(|(machine, time)| format!("{machine} {time}")).collect();
        text.push_str(&pairs.join(" "));
        text.push('\n');
    }
    text
}
