//! Taillard's own files: several instances of one size, each with a header in words.
//!
//! ```text
//! number of jobs, number of machines, initial seed, upper bound and lower bound :
//!           20           5   873654221        1278        1232
//! processing times :
//!  54 83 15 …            a row for each machine
//! ```
//!
//! Source: E. Taillard, «Benchmarks for basic scheduling problems», EJOR 64(2), 1993, and his page as of 2015.

use super::matrix::{self, Row, Shape};
use super::{LoadOptions, count, stem};
use crate::{BestKnown, Instance, MAX_JOBS, MAX_MACHINES, library};
use gridwright_core::text::Source;
use gridwright_core::text::lines::{self, counted, number};
use gridwright_core::{Error, Result};

/// Words by which the fields of the header are recognised.
const FIELDS: [&str; 5] = ["jobs", "machines", "seed", "upper", "lower"];

/// Returns `true` if a text begins with the header of an instance.
pub(super) fn begins(text: &str) -> bool {
    lines::of(text).find(|(_, line)| !line.is_empty()).is_some_and(|(_, line)| is_header(line))
}

/// Returns `true` if a line is the header of an instance.
fn is_header(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    line.contains("number of jobs") && line.contains("number of machines")
}

/// Parses one instance of the file.
///
/// # Errors
/// [`Error::File`] if there are several instances and none is chosen; [`Error::Line`] or [`Error::Lines`] for every bad
/// line of the chosen one.
pub(crate) fn parse(source: Source, options: &LoadOptions) -> Result<Instance> {
    let rows = matrix::rows(source.text);
    let is_start = |row: &Row| is_header(&row.1.join(" "));
    let starts: Vec<usize> = (0..rows.len()).filter(|&at| is_start(&rows[at])).collect();
    let instances = starts.len();
    let chosen = match options.number {
        Some(number) if (1..=instances).contains(&number) => number,
        None if instances == 1 => 1,
        Some(number) => {
            let what = format!("there is no instance number {number}; choose one from 1 to {instances}");
            return Err(Error::file(source.path, what));
        }
        None => {
            let what = format!(
                "there are {instances} instances in this file; choose one by its number, 1 to {instances} (--number)"
            );
            return Err(Error::file(source.path, what));
        }
    };
    let end = starts.get(chosen).copied().unwrap_or(rows.len());
    let block = starts.get(chosen - 1).and_then(|&start| rows.get(start..end)).unwrap_or_default();
    let mut instance = read(source, block, options)?;
    let name = stem(source.path);
    instance.name = match library::recognise(&instance) {
        Some(entry) => entry.name.clone(),
        None if instances == 1 => name,
        None => format!("{name}-{chosen}"),
    };
    Ok(instance)
}

/// Parses header, sizes and rows of one instance.
fn read(source: Source, block: &[Row], options: &LoadOptions) -> Result<Instance> {
    let Some(((line, header), rest)) = block.split_first() else {
        return Err(Error::file(source.path, "there is no instance in this file; open another one"));
    };
    let header = header.join(" ").to_ascii_lowercase();
    let mut named: Vec<(usize, &str)> =
        FIELDS.iter().filter_map(|field| header.find(field).map(|at| (at, *field))).collect();
    named.sort_unstable();
    let Some(((line, values), mut rest)) = rest.split_first() else {
        return Err(Error::line(source.path, *line, "the file ends after this header; export it again"));
    };
    let wrong = |what: String| Error::line(source.path, *line, what);
    if values.len() != named.len() {
        let fields: Vec<&str> = named.iter().map(|(_, field)| *field).collect();
        let (found, fields) = (counted(values.len(), "number"), fields.join(", "));
        return Err(wrong(format!(
            "{found} where the header above names {}: {fields}; write each of them",
            named.len()
        )));
    }
    let value = |wanted: &str| {
        named.iter().zip(values).find(|((_, field), _)| *field == wanted).map_or("", |(_, value)| *value)
    };
    let jobs = count(value("jobs"), "jobs", MAX_JOBS).map_err(wrong)?;
    let machines = count(value("machines"), "machines", MAX_MACHINES).map_err(wrong)?;
    // «processing times :»
    if let Some((_, after)) = rest.split_first().filter(|((_, row), _)| row.iter().all(|word| !super::is_numeral(word)))
    {
        rest = after;
    }
    let mut instance = matrix::read(source, Shape { jobs, machines, line: *line }, rest, options.orientation)?;
    // The format defines the rows, so the warning about their orientation does not apply.
    instance.warnings.clear();
    let bound = |field: &str| number(value(field), u32::MAX).ok().filter(|&bound| bound > 0).map(u64::from);
    let (makespan, makespan_lower) = (bound("upper"), bound("lower"));
    instance.best_known = BestKnown { makespan, makespan_lower, of_file: true, ..BestKnown::default() };
    Ok(instance)
}
