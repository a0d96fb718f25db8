//! Format of ParadisEO-MOEO, with due dates: one line each for the number of jobs, the number of machines and the seed;
//! then for each job one line each for its index (from 0), its due date and its times.
//!
//! Source: A. Liefooghe, L. Jourdan, E.-G. Talbi, «A software framework based on a conceptual unified model for
//! evolutionary multiobjective optimization: ParadisEO-MOEO», EJOR 209(2), 2011, and the instances that go with it.

use super::count;
use super::matrix::rows;
use super::time::time;
use crate::{Instance, Job, MAX_JOBS, MAX_MACHINES};
use gridwright_core::text::Source;
use gridwright_core::text::lines::{Problems, Read, counted, number, quoted};
use gridwright_core::{Error, Result};

/// Parses an instance.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every bad line.
pub fn parse(source: Source) -> Result<Instance> {
    let rows = rows(source.text);
    let wrong = |line: usize, what: String| Error::line(source.path, line, what);
    let head = |at: usize, what: &str| match rows.get(at) {
        Some((line, row)) => {
            single(row).map(|value| (*line, value)).map_err(|why| wrong(*line, format!("{what}: {why}")))
        }
        None => Err(wrong(at.max(1), format!("the file ends where the {what} is expected; export it again"))),
    };
    let (line, jobs) = head(0, "number of jobs")?;
    let jobs = count(jobs, "jobs", MAX_JOBS).map_err(|why| wrong(line, why))?;
    let (line, machines) = head(1, "number of machines")?;
    let machines = count(machines, "machines", MAX_MACHINES).map_err(|why| wrong(line, why))?;
    let (line, seed) = head(2, "seed")?;
    number(seed, u32::MAX).map_err(|why| wrong(line, format!("the seed: {why}")))?;
    let body = rows.get(3..).unwrap_or_default();
    let mut problems = Problems::new(source.path);
    let mut instance = Instance { machines: vec![String::new(); machines], ..Instance::default() };
    for (at, lines) in body.chunks(3).take(jobs).enumerate() {
        if let &[(index_line, ref index), (due_line, ref due), (row_line, ref row)] = lines {
            if let Err(why) = single(index).and_then(|index| expect_index(index, at)) {
                // The following lines are misplaced, so that further complaints would mislead.
                problems.line(index_line, why);
                break;
            }
            match single(due).and_then(time) {
                Ok(due) => instance.jobs.push(Job { due: Some(due), ..Job::default() }),
                Err(why) => problems.line(due_line, format!("the due date of job {at}: {why}")),
            }
            times(at, row_line, row, machines, &mut problems, &mut instance.times);
        }
    }
    let (last, expected) = (rows.last().map_or(1, |(line, _)| *line), 3 * jobs);
    if body.len() < expected && problems.is_empty() {
        let done = body.len() / 3;
        problems.line(
            last,
            format!("the file ends after {} where {jobs} were announced; export it again", counted(done, "job")),
        );
    }
    if let Some((line, _)) = body.get(expected).filter(|_| problems.is_empty()) {
        problems.line(
            *line,
            format!("{jobs} jobs were announced, but the file goes on; remove the rest or correct the number"),
        );
    }
    problems.finish()?;
    Ok(instance)
}

/// Returns the only token of a line.
fn single<'a>(row: &[&'a str]) -> Read<&'a str> {
    match row {
        &[value] => Ok(value),
        _ => Err(format!("one number was expected, found {}; each stands on a line of its own", row.len())),
    }
}

fn expect_index(found: &str, expected: usize) -> Read<()> {
    if found.parse() == Ok(expected) {
        return Ok(());
    }
    Err(format!(
        "{} where job {expected} begins (its index, its due date, its times); put the lines in order",
        quoted(found)
    ))
}

fn times(job: usize, line: usize, row: &[&str], machines: usize, problems: &mut Problems, times: &mut Vec<u32>) {
    if row.len() != machines {
        let found = counted(row.len(), "number");
        return problems.line(line, format!("{found} in the row of job {job} where {machines} machines need one each"));
    }
    for (machine, token) in row.iter().enumerate() {
        match time(token) {
            Ok(time) => times.push(time),
            Err(why) => problems.value(line, format!("the time of job {job} on machine {}: {why}", machine + 1)),
        }
    }
}

/// Renders an instance in the published format, byte by byte; a missing due date is replaced by the sum of all times.
pub fn write(instance: &Instance, seed: u32) -> String {
    let mut text = format!("{}\n{}\n{seed}\n", instance.job_count(), instance.machine_count());
    let latest: u64 = instance.times.iter().map(|&time| u64::from(time)).sum();
    for (at, job) in instance.jobs.iter().enumerate() {
        let due = job.due.map_or(latest, u64::from);
        text.push_str(&format!("{at}\n{due}\n"));
        instance.row(at).iter().for_each(|time| text.push_str(&format!("{time} ")));
        text.push('\n');
    }
    text
}
