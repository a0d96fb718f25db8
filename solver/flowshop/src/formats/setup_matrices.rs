//! Files of numbers with set-up times, as published by R. Ruiz and others.
//!
//! * n, m, then a line of m processing times for each job, then for each machine n lines of n set-up times;
//! * `n m`, then a line of `machine time` pairs for each job, the word `SSD`, then for each machine a line such as `M0` and n lines of n
//!   set-up times.
//!
//! A line of set-up times belongs to the job before, a column to the job after; the first job of a machine needs none.
//!
//! Source: R. Ruiz, C. Maroto, J. Alcaraz, «Solving the flowshop scheduling problem with sequence dependent setup times using advanced
//! metaheuristics», European Journal of Operational Research 165(1), 2005.

use super::matrix::{self, Row, Shape, rows, write_pairs};
use super::time::time;
use super::{LoadOptions, Orientation, count};
use crate::{Instance, MAX_JOBS, MAX_MACHINES, Setups};
use gridwright_core::formats::Candidate;
use gridwright_core::problem::Detection;
use gridwright_core::text::Source;
use gridwright_core::text::lines::{Problems, counted};
use gridwright_core::{Error, Result};

/// Words on the line above the set-up times.
const WORDS: [&str; 4] = ["ssd", "sdst", "setup", "setups"];

/// Returns `true` for the line above the set-up times.
fn is_word(row: &Row<'_>) -> bool {
    matches!(row.1.as_slice(), [word] if WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

/// Returns `true` for a line with the name of a machine, such as `M0`.
fn is_machine(row: &Row<'_>) -> bool {
    let is_name = |word: &str| word.strip_prefix(['M', 'm']).is_some_and(|number| number.parse::<u32>().is_ok());
    matches!(row.1.as_slice(), [word] if is_name(word))
}

/// Sizes on the first two lines; `None` if they do not stand there.
fn sizes(rows: &[Row<'_>]) -> Option<(usize, usize)> {
    let number = |row: &Row<'_>| match row.1.as_slice() {
        [only] => only.parse::<usize>().ok().filter(|&number| number > 0),
        _ => None,
    };
    Some((number(rows.first()?)?, number(rows.get(1)?)?)).filter(|&(jobs, _)| jobs > 1)
}

/// Detects either arrangement.
pub(super) fn detect(file: &Candidate<'_>) -> Detection {
    let rows = rows(file.source.text);
    if rows.first().is_some_and(|(_, first)| first.len() == 2) {
        return Detection::certain(rows.iter().any(is_word));
    }
    let Some((jobs, machines)) = sizes(&rows) else { return Detection::No };
    let known = if file.is_whole { rows.len() } else { rows.len().saturating_sub(1) };
    let width = |at: usize| if at < jobs { machines } else { jobs };
    let body = rows.get(2..known).unwrap_or_default();
    let fits = body.iter().enumerate().all(|(at, (_, row))| row.len() == width(at));
    let is_enough = !file.is_whole || machines.checked_mul(jobs).is_some_and(|lines| body.len() == jobs + lines);
    Detection::certain(!body.is_empty() && fits && is_enough)
}

/// Parses either arrangement; the caller sets name and hash.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every bad line.
pub(super) fn parse(source: Source<'_>, _options: &LoadOptions) -> Result<Instance> {
    let all = rows(source.text);
    let Some((line, first)) = all.first() else {
        return Err(Error::file(source.path, "the file is empty; export it again from where it comes from"));
    };
    let wrong = |what: String| Error::line(source.path, *line, what);
    let (jobs, machines, body) = match first.as_slice() {
        [jobs, machines] => (*jobs, *machines, &all[1..]),
        [jobs] => (*jobs, all.get(1).map_or("", |row| row.1[0]), all.get(2..).unwrap_or_default()),
        _ => return Err(wrong("expected the number of jobs and the number of machines; write both here".to_owned())),
    };
    let jobs = count(jobs, "jobs", MAX_JOBS).map_err(wrong)?;
    let machines = count(machines, "machines", MAX_MACHINES).map_err(wrong)?;
    let times = body.iter().position(is_word).unwrap_or(jobs.min(body.len()));
    let (times, setups) = body.split_at(times);
    let shape = Shape { jobs, machines, line: *line };
    let mut instance = matrix::read(source, shape, times, Some(Orientation::Jobs))?;
    let setups: Vec<&Row<'_>> = setups.iter().filter(|row| !is_word(row) && !is_machine(row)).collect();
    instance.setups = Some(read_setups(source, shape, &setups)?.into());
    Ok(instance)
}

fn read_setups(source: Source<'_>, shape: Shape, rows: &[&Row<'_>]) -> Result<Setups> {
    let Shape { jobs, machines, line } = shape;
    let mut setups = Setups::of_jobs(jobs, machines).map_err(|what| Error::line(source.path, line, what))?;
    let mut problems = Problems::new(source.path);
    let expected = jobs * machines;
    if rows.len() != expected {
        let at = rows.get(expected).or(rows.last()).map_or(line, |row| row.0);
        let found = counted(rows.len(), "line");
        problems.line(
            at,
            format!("{found} of set-up times where {machines} machines need {jobs} lines each, one for each job; correct the file"),
        );
    }
    for (at, (line, row)) in rows.iter().take(expected).enumerate() {
        let (machine, before) = (at / jobs, at % jobs);
        if row.len() != jobs {
            let found = counted(row.len(), "number");
            let (machine, before) = (machine + 1, before + 1);
            problems.line(*line, format!("{found} in the set-up times of machine {machine} after job {before} where {jobs} jobs need one each"));
            continue;
        }
        for (after, token) in row.iter().enumerate() {
            match time(token) {
                Ok(time) => setups.between_families_mut(Some(before), after)[machine] = time,
                Err(why) => problems.value(
                    *line,
                    format!(
                        "the set-up time of machine {} between the jobs {} and {}: {why}",
                        machine + 1,
                        before + 1,
                        after + 1
                    ),
                ),
            }
        }
    }
    problems.finish()?;
    Ok(setups)
}

/// Renders pairs, `SSD` and the matrices; `None` without set-ups, and with what the format does not have: first set-ups and due dates.
pub(super) fn write(instance: &Instance) -> Option<String> {
    let setups = instance.setups.as_ref()?;
    let jobs = 0..instance.job_count() as u16;
    let has_first = jobs.clone().any(|job| setups.between(None, job).iter().any(|&time| time > 0));
    let has_dates = instance.jobs.iter().any(|job| job.due.is_some() || job.release > 0);
    if has_first || has_dates {
        return None;
    }
    let mut text = write_pairs(instance) + "SSD\n";
    for machine in 0..instance.machine_count() {
        text += &format!("M{machine}\n");
        for before in jobs.clone() {
            let row: Vec<String> =
                jobs.clone().map(|after| setups.between(Some(before), after)[machine].to_string()).collect();
            text += &(row.join(" ") + "\n");
        }
    }
    Some(text)
}
