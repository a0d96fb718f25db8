//! The folder of a campaign: `plan.ron`, `tasks.csv` (all runs of the plan, and which of them this folder performs), `runs.csv` (one row per finished run), `curve.csv`
//! (improvements of each run and its last state).
//!
//! A row is appended whole: what a killed program left of a line is cut off when the folder is opened, and readers ignore it.
//! The improvements of a run are written before its row; those without a row are removed when the folder is opened. A lock file
//! keeps a second program out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gridwright_core::recognition::PLAN;
use gridwright_core::search::Improvement;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::text::cells::bare;
use gridwright_core::text::table::write_table;
use gridwright_core::{Error, Result, files};

use super::RunSpec;
use super::plan::Campaign;
use super::published::PublishedTable;
use super::report::Progress;
use super::row::{self, Row};

const TASKS: &str = "tasks.csv";
const RUNS: &str = "runs.csv";
const CURVE: &str = "curve.csv";
const LOCK: &str = ".lock";

const TASK_COLUMNS: [&str; 7] = ["key", "problem", "instance", "label", "seed", "limit", "here"];
const CURVE_COLUMNS: [&str; 6] = ["key", "step", "evaluations", "seconds", "cost", "exact"];

/// Improvements of each run by its key.
pub type Curves = BTreeMap<String, Vec<Improvement>>;

/// The folder of a campaign, locked for this program until the value is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    columns: Vec<String>,
    done: BTreeSet<String>,
    failed: BTreeSet<String>,
    _lock: std::fs::File,
}

/// A table that was read: header and complete records.
struct Records {
    columns: Vec<String>,
    records: Vec<csv::StringRecord>,
}

impl Records {
    /// Reads a table; a last line without its end is ignored. `None` if there is no such file, or only a part of a line.
    fn read(path: &Path) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let mut bytes = files::read(path)?;
        bytes.truncate(whole(&bytes));
        if bytes.is_empty() {
            return Ok(None);
        }
        let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(&bytes[..]);
        let damaged = |error: csv::Error| {
            let line = error.position().map_or(1, |position| position.line() as usize);
            Error::line(
                path,
                line,
                "the line has another number of cells than the header; remove it and run the campaign again",
            )
        };
        let columns = reader.headers().map_err(damaged)?.iter().map(|name| bare(name).to_owned()).collect();
        let records = reader.records().collect::<std::result::Result<_, _>>().map_err(damaged)?;
        Ok(Some(Self { columns, records }))
    }

    /// The cell of a record by the name of its column; empty if there is no such column.
    fn cell<'a>(&self, record: &'a csv::StringRecord, column: &str) -> &'a str {
        let at = self.columns.iter().position(|name| name == column);
        at.and_then(|at| record.get(at)).map(bare).unwrap_or_default()
    }
}

/// Number of bytes up to the end of the last complete line.
fn whole(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

/// Files of a campaign in its folder.
pub fn files_of(folder: &Path) -> Vec<PathBuf> {
    [PLAN, TASKS, RUNS, CURVE].map(|name| folder.join(name)).to_vec()
}

/// Checks that a folder without runs has no files of others where those of the campaign with this plan go.
fn check_new(folder: &Path, plan: &str) -> Result<()> {
    if folder.join(RUNS).exists() {
        return Ok(());
    }
    let outputs = Outputs { remedy: "name another folder with --out", ..Outputs::of_user(Vec::new(), false) };
    let is_plan = |file: &Path| files::read(file).is_ok_and(|content| content == plan.as_bytes());
    files_of(folder).iter().filter(|file| !is_plan(file)).try_for_each(|file| outputs.check(file))
}

/// One line of a table, with its end.
fn line(cells: &[String]) -> String {
    write_table(cells, std::iter::empty())
}

impl Folder {
    /// Opens the folder of a campaign for writing and writes plan and list of runs.
    ///
    /// # Errors
    /// [`Error::File`] if another program has it open, or if it cannot be written.
    pub fn open(path: &Path, campaign: &Campaign, runs: &[&RunSpec]) -> Result<Self> {
        let lock = path.join(LOCK);
        let lock = match files::try_lock(&lock, true) {
            Ok(Some(file)) => file,
            Ok(None) => {
                let what = "another program runs a campaign in this folder; wait for its end or name another folder";
                return Err(Error::file(path, what));
            }
            Err(error) => {
                let what = format!("the folder cannot be locked ({error}); choose a folder on another disk");
                return Err(Error::file(path, what));
            }
        };
        check_new(path, &campaign.text)?;
        let wanted = runs.iter().flat_map(|run| run.parameters.keys().cloned()).collect();
        let (columns, rows) = Self::repair(path, wanted)?;
        let is_failed = |row: &&Row| !row.failure.is_empty();
        let failed = rows.iter().filter(is_failed).map(|row| row.key.clone()).collect();
        let done = rows.into_iter().map(|row| row.key).collect();
        let own: BTreeSet<String> = runs.iter().map(|run| run.key()).collect();
        let tasks = campaign.runs.iter().map(|run| {
            let RunSpec { problem, instance, label, seed, .. } = run;
            let (key, seed) = (run.key(), seed.to_string());
            let here = own.contains(&key).to_string();
            vec![key, problem.clone(), instance.clone(), label.clone(), seed, run.limit(), here]
        });
        files::write(&path.join(TASKS), write_table(&TASK_COLUMNS, tasks).as_bytes())?;
        files::write(&path.join(PLAN), campaign.text.as_bytes())?;
        Ok(Self { path: path.to_path_buf(), columns, done, failed, _lock: lock })
    }

    /// Cuts off incomplete lines, adds columns for new parameters, and removes improvements without a row.
    fn repair(path: &Path, mut parameters: BTreeSet<String>) -> Result<(Vec<String>, Vec<Row>)> {
        let rows = read_rows(path)?;
        let runs = path.join(RUNS);
        let known = Records::read(&runs)?.map(|records| records.columns);
        parameters.extend(known.iter().flat_map(|columns| row::parameters_of(columns)));
        let columns = row::columns(&parameters);
        if known.as_ref() != Some(&columns) || !is_whole(&runs)? {
            let text = write_table(&columns, rows.iter().map(|row| row.cells(&columns)));
            files::write(&runs, text.as_bytes())?;
        }
        let curve = path.join(CURVE);
        let mut curves = read_curves(path)?;
        let (all, keys) = (curves.len(), rows.iter().map(|row| &row.key).collect::<BTreeSet<_>>());
        curves.retain(|key, _| keys.contains(key));
        let is_present = Records::read(&curve)?.is_some_and(|table| table.columns == CURVE_COLUMNS);
        if !is_present || curves.len() < all || !is_whole(&curve)? {
            files::write(&curve, curve_text(&curves).as_bytes())?;
        }
        Ok((columns, rows))
    }

    /// True if a run has a row; with `retries`, a row of a failed run does not count.
    pub fn is_done(&self, key: &str, retries: bool) -> bool {
        self.done.contains(key) && !(retries && self.failed.contains(key))
    }

    /// Appends the improvements of a run, then its row.
    ///
    /// # Errors
    /// [`Error::File`] if the disk is full or the file cannot be written; no part of the row remains.
    pub fn append(&mut self, row: &Row, improvements: &[Improvement]) -> Result<()> {
        let lines: String = improvements.iter().map(|state| line(&curve_cells(&row.key, state))).collect();
        if !lines.is_empty() {
            files::append(&self.path.join(CURVE), lines.as_bytes())?;
        }
        files::append(&self.path.join(RUNS), line(&row.cells(&self.columns)).as_bytes())?;
        self.done.insert(row.key.clone());
        Ok(())
    }
}

fn is_whole(path: &Path) -> Result<bool> {
    let bytes = files::read(path)?;
    Ok(whole(&bytes) == bytes.len())
}

fn curve_cells(key: &str, state: &Improvement) -> Vec<String> {
    let Improvement { step, evaluations, seconds, cost, exact } = state;
    let numbers = [step.to_string(), evaluations.to_string(), seconds.to_string(), cost.to_string(), exact.to_string()];
    [vec![key.to_owned()], numbers.to_vec()].concat()
}

fn curve_text(curves: &Curves) -> String {
    let lines = curves.iter().flat_map(|(key, states)| states.iter().map(move |state| curve_cells(key, state)));
    write_table(&CURVE_COLUMNS, lines)
}

/// Rows of a campaign; of several with one key, the last one.
///
/// # Errors
/// [`Error::File`] if the table cannot be read, [`Error::Line`] if a line was changed and cannot be understood.
pub fn read_rows(folder: &Path) -> Result<Vec<Row>> {
    let path = folder.join(RUNS);
    let Some(table) = Records::read(&path)? else { return Ok(Vec::new()) };
    let parameters = row::parameters_of(&table.columns);
    let mut rows: Vec<Row> = Vec::new();
    let mut places = BTreeMap::new();
    for (number, record) in table.records.iter().enumerate() {
        let Some(row) = Row::of_cells(|column| table.cell(record, column), &parameters) else {
            let what = "this is no row of a campaign; remove the line and run the campaign again";
            return Err(Error::line(&path, number + 2, what));
        };
        match places.get(&row.key) {
            Some(&place) => rows[place] = row,
            None => {
                places.insert(row.key.clone(), rows.len());
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// Improvements of all runs of a campaign, in ascending order of their steps.
///
/// # Errors
/// As [`read_rows`].
pub fn read_curves(folder: &Path) -> Result<Curves> {
    let path = folder.join(CURVE);
    let Some(table) = Records::read(&path)? else { return Ok(Curves::new()) };
    let mut curves = Curves::new();
    for (number, record) in table.records.iter().enumerate() {
        let cell = |column| table.cell(record, column);
        let state = || {
            let (step, evaluations) = (cell("step").parse().ok()?, cell("evaluations").parse().ok()?);
            Some(Improvement {
                step,
                evaluations,
                seconds: cell("seconds").parse().ok()?,
                cost: cell("cost").parse().ok()?,
                // Earlier versions, which had no such column, knew the ends of epochs only.
                exact: cell("exact") == "true",
            })
        };
        let Some(state) = state() else {
            return Err(Error::line(&path, number + 2, "this is no improvement of a run; remove the line"));
        };
        let states = curves.entry(cell("key").to_owned()).or_default();
        // A run that was repeated begins again.
        if states.last().is_some_and(|last| last.step > state.step) {
            states.clear();
        }
        states.push(state);
    }
    Ok(curves)
}

/// Name and printed tables of the campaign in a folder: those of its plan.
///
/// # Errors
/// [`Error::File`] if the folder holds no plan, [`Error::Line`] if the plan cannot be read.
pub fn published(folder: &Path) -> Result<(String, Vec<PublishedTable>)> {
    let path = folder.join(PLAN);
    super::plan::published(&path, &files::read_text(&path)?)
}

/// Progress of a campaign.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Status {
    /// Runs of the campaign.
    pub total: usize,
    /// Runs with a row, failed ones included.
    pub done: usize,
    /// Failed runs by reason.
    pub failures: BTreeMap<String, usize>,
    /// Runs without a feasible solution.
    pub infeasible: usize,
    /// Expected seconds of the runs that are left, one after the other; `None` while nothing is known.
    pub seconds_left: Option<f64>,
}

/// Numbers of the runs of the plan in a folder, in whatever folder they are made.
///
/// # Errors
/// [`Error::File`] if the folder holds no campaign.
pub(crate) fn progress(folder: &Path) -> Result<Progress> {
    let rows = read_rows(folder)?;
    let made: BTreeSet<&str> = rows.iter().map(|row| row.key.as_str()).collect();
    let tasks = Records::read(&folder.join(TASKS))?;
    let planned = tasks.iter().flat_map(|tasks| tasks.records.iter().map(|record| tasks.cell(record, "key")));
    let planned: BTreeSet<&str> = planned.collect();
    Ok(Progress { total: planned.len(), done: planned.intersection(&made).count() })
}

/// Progress of the campaign in a folder.
///
/// # Errors
/// [`Error::File`] if the folder holds no campaign.
pub fn status(folder: &Path) -> Result<Status> {
    let Some(tasks) = Records::read(&folder.join(TASKS))? else {
        return Err(Error::file(
            folder,
            "there is no campaign in this folder; start one with “gridwright campaign run”",
        ));
    };
    let rows = read_rows(folder)?;
    // Earlier versions listed the runs of the folder only.
    let own = tasks.records.iter().filter(|record| tasks.cell(record, "here") != "false");
    let keys: BTreeSet<&str> = own.map(|record| tasks.cell(record, "key")).collect();
    let done: Vec<&Row> = rows.iter().filter(|row| keys.contains(row.key.as_str())).collect();
    let mut failures = BTreeMap::new();
    for row in done.iter().filter(|row| !row.failure.is_empty()) {
        *failures.entry(row.failure.clone()).or_default() += 1;
    }
    let seconds: f64 = done.iter().map(|row| row.seconds).sum();
    let left = keys.len().saturating_sub(done.len());
    Ok(Status {
        total: keys.len(),
        done: done.len(),
        failures,
        infeasible: done.iter().filter(|row| row.failure.is_empty() && !row.is_valid()).count(),
        seconds_left: (!done.is_empty()).then(|| seconds / done.len() as f64 * left as f64),
    })
}

/// Outcome of [`merge`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// Number of rows.
    pub rows: usize,
    /// Runs that several folders hold with different results, by key.
    pub differing: Vec<String>,
    /// True if the plans of the folders differ.
    pub plans_differ: bool,
}

/// Puts the rows of several folders into a new one. Of rows with one key, a successful one is kept before a failed one, then
/// the one of the first folder.
///
/// # Errors
/// [`Error::File`] if a folder holds no campaign, or if `into` holds one.
pub fn merge(folders: &[PathBuf], into: &Path) -> Result<Merged> {
    if into.join(RUNS).exists() {
        return Err(Error::file(into, "the folder holds a campaign already; name a new folder with --out"));
    }
    let (mut merged, mut rows, mut curves) = (Merged::default(), Vec::<Row>::new(), Curves::new());
    let (mut places, mut tasks, mut plan) = (BTreeMap::new(), BTreeMap::new(), None);
    for folder in folders {
        status(folder)?;
        let text = files::read_text(&folder.join(PLAN))?;
        merged.plans_differ |= plan.as_ref().is_some_and(|plan| *plan != text);
        plan.get_or_insert(text);
        if let Some(table) = Records::read(&folder.join(TASKS))? {
            // The new folder is that of all runs of the plan.
            let cells = |record: &csv::StringRecord| {
                TASK_COLUMNS.map(|column| if column == "here" { "true" } else { table.cell(record, column) }.to_owned())
            };
            tasks.extend(table.records.iter().map(cells).map(|cells| (cells[0].clone(), cells.to_vec())));
        }
        let own = read_curves(folder)?;
        for row in read_rows(folder)? {
            let known = places.get(&row.key).copied();
            if let Some(place) = known {
                let before: &Row = &rows[place];
                let are_results = before.failure.is_empty() && row.failure.is_empty();
                if are_results && (before.digest != row.digest || before.cost != row.cost) {
                    merged.differing.push(row.key.clone());
                }
                if before.failure.is_empty() || !row.failure.is_empty() {
                    continue;
                }
            }
            curves.insert(row.key.clone(), own.get(&row.key).cloned().unwrap_or_default());
            match known {
                Some(place) => rows[place] = row,
                None => {
                    places.insert(row.key.clone(), rows.len());
                    rows.push(row);
                }
            }
        }
    }
    let parameters = rows.iter().flat_map(|row| row.set.keys().cloned()).collect();
    let columns = row::columns(&parameters);
    check_new(into, plan.as_deref().unwrap_or_default())?;
    files::write(&into.join(PLAN), plan.unwrap_or_default().as_bytes())?;
    files::write(&into.join(TASKS), write_table(&TASK_COLUMNS, tasks.into_values()).as_bytes())?;
    files::write(&into.join(CURVE), curve_text(&curves).as_bytes())?;
    files::write(&into.join(RUNS), write_table(&columns, rows.iter().map(|row| row.cells(&columns))).as_bytes())?;
    merged.rows = rows.len();
    Ok(merged)
}
