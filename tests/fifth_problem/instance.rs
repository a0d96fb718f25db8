//! Jobs of a single machine: the data, the table that holds them, a generated sample.

use std::collections::HashMap;
use std::path::Path;

use gridwright_core::Result;
use gridwright_core::data::Tables;
use gridwright_core::problem::SAMPLE;
use gridwright_core::random::{Philox, index};
use gridwright_core::text::columns::Column;
use gridwright_core::text::decoding::DecodedFile;
use gridwright_core::text::lines::{Problems, number, quoted};
use gridwright_core::text::table::Table;
use gridwright_core::text::{Source, stem};

/// Name of the sample.
pub const SAMPLE_NAME: &str = "forty-jobs";

/// Largest number in a table, and largest number of jobs: every cost is a whole number below 2⁵³.
const LARGEST: u32 = 65_535;
const MOST_JOBS: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Name, unique in the instance.
    pub name: String,
    /// Processing time pⱼ.
    pub time: u64,
    /// Cost wⱼ per unit of time that the job is late.
    pub weight: u64,
    /// Due date dⱼ.
    pub due: u64,
}

/// Jobs for one machine, which is free from time 0 on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instance {
    pub name: String,
    pub jobs: Vec<Job>,
    /// SHA-256 of the file; empty for the sample.
    pub hash: String,
}

impl Tables for Instance {}

const COLUMNS: [Column; 4] = [
    Column::required("job", "name"),
    Column::required("time", "duration processingtime"),
    Column::required("weight", "priority"),
    Column::required("due", "duedate deadline"),
];

/// Returns `true` if a file begins with a header of all four columns.
pub fn has_header(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    Table::open(Source { path: Path::new(""), text: &text }, &COLUMNS).is_ok()
}

/// Opens the sample or a file; fails if the file cannot be read, and as [`parse`].
pub fn open(source: &str) -> Result<Instance> {
    if source.strip_prefix(SAMPLE).is_some_and(|name| name.trim() == SAMPLE_NAME) {
        return Ok(generate(SAMPLE_NAME, 40, 1));
    }
    let path = Path::new(source);
    let DecodedFile { text, hash, .. } = DecodedFile::read(path)?;
    Ok(Instance { hash, ..parse(Source { path, text: &text })? })
}

/// Reads a table with the columns job, time, weight and due; fails with one error for each bad line, with its number.
pub fn parse(source: Source<'_>) -> Result<Instance> {
    let table = Table::open(source, &COLUMNS)?;
    let (mut problems, mut lines) = (Problems::new(source.path), HashMap::new());
    let mut instance = Instance { name: stem(source.path), ..Instance::default() };
    table.rows(&mut problems, |problems, row| {
        let name = row.get(0).to_owned();
        if name.is_empty() {
            return problems.line(row.line, "the name of the job is missing; give each job a name of its own");
        }
        if let Some(first) = lines.insert(name.clone(), row.line) {
            let what = format!("job {} stands in line {first} already; rename one of them", quoted(&name));
            return problems.line(row.line, what);
        }
        let mut value = |column: usize| match number(row.get(column), LARGEST) {
            Ok(value) => u64::from(value),
            Err(why) => {
                problems.line(row.line, format!("the {} of job {}: {why}", COLUMNS[column].name, quoted(&name)));
                0
            }
        };
        let [time, weight, due] = [1, 2, 3].map(&mut value);
        instance.jobs.push(Job { name, time, weight, due });
    });
    if problems.is_empty() && !(1..=MOST_JOBS).contains(&instance.jobs.len()) {
        problems.file(format!("there are {} jobs; a table has 1 to {MOST_JOBS}", instance.jobs.len()));
    }
    problems.finish()?;
    Ok(instance)
}

/// Generates jobs as Potts and Van Wassenhove (Operations Research 33, 1985) do: times 1 to 100, weights 1 to 10, due dates
/// from 20 % to 60 % of the total time.
pub fn generate(name: &str, jobs: usize, seed: u64) -> Instance {
    let words = |job: usize| Philox::new(seed).words(0, 0, job as u32, 0);
    let times: Vec<u64> = (0..jobs).map(|job| 1 + u64::from(index(words(job)[0], 100))).collect();
    let total = times.iter().sum::<u64>() as u32;
    let job = |(job, &time): (usize, &u64)| Job {
        name: format!("J{}", job + 1),
        time,
        weight: 1 + u64::from(index(words(job)[1], 10)),
        due: u64::from(total / 5 + index(words(job)[2], total * 2 / 5 + 1)),
    };
    Instance { name: name.to_owned(), jobs: times.iter().enumerate().map(job).collect(), ..Instance::default() }
}
