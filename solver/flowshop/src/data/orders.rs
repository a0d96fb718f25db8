//! Tables of jobs and of their texts.

use std::collections::HashMap;

use gridwright_core::data::{
    ColumnSpec, DataTable, FurtherColumns, Reader, Row, RowReader, TIME_UNITS, TableSpec, ValueKind,
};
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::quoted;

use super::{JOBS, TIME, real_time};
use crate::formats::headings;
use crate::frozen::Progress;
use crate::orders::{self, CUSTOMER, CarriedColumns, MAX_WEIGHT, REMARK};
use crate::{Instance, Job, MAX_TOTAL};

/// Columns of the jobs.
pub(super) const DUE: usize = 1;
pub(super) const RELEASE: usize = 2;
pub(super) const FAMILY: usize = 3;
const QUANTITY: usize = 4;
const WEIGHT: usize = 5;
const RANK: usize = 6;
const TEXTS: [(usize, &str); 2] = [(7, CUSTOMER), (8, REMARK)];
pub(super) const STARTED: usize = 9;
const PROGRESS: usize = 10;
const REMAINING: usize = 11;

/// Index of the table of texts.
const DETAILS: usize = 5;

const WEIGHTS: ValueKind = ValueKind::Whole { least: 1, most: MAX_WEIGHT };

pub(super) const COLUMNS: [ColumnSpec; 12] = [
    ColumnSpec::new(Column::required("job", headings::JOB_NAMES), "Job", ValueKind::Name, "Name of the job."),
    ColumnSpec::new(
        Column::optional("due", headings::DUE_NAMES),
        "Due date",
        TIME,
        "Time by which the job should be complete, counted from the start of the schedule, or a date; all jobs have one, or none.",
    )
    .dated(real_time::due_date)
    .with_unit(TIME_UNITS),
    ColumnSpec::new(
        Column::optional("release", headings::RELEASE_NAMES),
        "Release date",
        TIME,
        "Earliest start of the job on the first machine, or a date; an empty cell is 0.",
    )
    .dated(real_time::date)
    .with_unit(TIME_UNITS),
    ColumnSpec::new(
        Column::optional("family", headings::FAMILY_NAMES),
        "Family",
        ValueKind::Text,
        "Jobs of one family share their set-up times; empty where a job has no set-ups, or where every job has its own.",
    ),
    ColumnSpec::new(
        Column::optional("quantity", headings::QUANTITY_NAMES),
        "Quantity",
        ValueKind::Whole { least: 1, most: MAX_TOTAL },
        "Number of pieces, by which times of machines in units such as min/piece are multiplied; other times are those of the whole job.",
    ),
    ColumnSpec::new(
        Column::optional("weight", headings::WEIGHT_NAMES),
        "Weight",
        WEIGHTS,
        "How much the tardiness of the job counts, 1 if empty: a job of weight 3 that is late by an hour counts as three hours.",
    ),
    ColumnSpec::new(
        Column::optional("rank", headings::RANK_NAMES),
        "Rank",
        WEIGHTS,
        "Urgency instead of weights: 1 is the most urgent. The last rank has weight 1, the rank before it 2, and so on.",
    ),
    ColumnSpec::new(
        Column::optional("customer", headings::CUSTOMER_NAMES),
        "Customer",
        ValueKind::Text,
        "Text that stands in all exports.",
    ),
    ColumnSpec::new(
        Column::optional("remark", headings::REMARK_NAMES),
        "Remark",
        ValueKind::Text,
        "Text that stands in all exports.",
    ),
    ColumnSpec::new(
        Column::optional("started", headings::STARTED_NAMES),
        "Started",
        TIME,
        "Time at which the job started; it stays before all jobs that have not. 0 with a progress for a start before the plan.",
    )
    .dated(real_time::date)
    .with_unit(TIME_UNITS),
    ColumnSpec::new(
        Column::optional("progress", headings::PROGRESS_NAMES),
        "Progress",
        ValueKind::Whole { least: 0, most: 100 },
        "Per cent of the job's work that are done when the plan starts; above 0 the job stays before all jobs that have not started.",
    ),
    ColumnSpec::new(
        Column::optional("remaining", headings::REMAINING_NAMES),
        "Remaining",
        TIME,
        "Work that remains on all machines together when the plan starts, instead of the progress.",
    )
    .with_unit(TIME_UNITS),
];

pub(super) const JOB_TABLE: TableSpec = TableSpec::new(
    "jobs",
    "Jobs",
    "job",
    "One row per job; every job passes the machines in the order of their columns.",
    &COLUMNS,
)
.with_further(FurtherColumns {
    noun: "machine",
    kind: TIME,
    unit: TIME_UNITS,
    help: "Processing time of the job on this machine; empty if the job does not visit it. With a unit such as min/piece the time of one piece.",
    default: "0",
    absence: "the job does not visit the machine",
})
.leading_with(DUE + 1)
.with_texts("details")
.multiplied_by(QUANTITY)
.required();

const DETAIL_COLUMNS: [ColumnSpec; 1] =
    [ColumnSpec::new(Column::required("of job", ""), "Job", ValueKind::Reference("jobs"), "Job as in the table Jobs.")];

pub(super) const DETAIL_TABLE: TableSpec = TableSpec::new(
    "details",
    "Details",
    "job with details",
    "Further texts of jobs, a column for each kind, which stand in all exports.",
    &DETAIL_COLUMNS,
)
.with_further(FurtherColumns {
    noun: "column",
    kind: ValueKind::Text,
    unit: "",
    help: "Text that stands in all exports.",
    default: "",
    absence: "",
})
.identified_by(&[0])
.later();

/// Cell of a number; empty if there is none.
fn number(value: Option<u32>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The jobs of an instance.
pub(super) fn job_table(instance: &Instance) -> DataTable {
    let row = |(index, job): (usize, &Job)| {
        let release = Some(job.release).filter(|&release| release > 0);
        let texts = TEXTS.map(|(_, heading)| instance.carried.text(index, heading).to_owned());
        let times = (0..instance.machine_count()).map(|machine| instance.stated_time(index, machine));
        let declared = [job.name.clone(), number(job.due), number(release), job.family.clone()];
        let numbers = [job.quantity, job.weight, job.rank].map(number);
        let progress = [job.progress.started, job.progress.percent, job.progress.remaining].map(number);
        Row::of(declared.into_iter().chain(numbers).chain(texts).chain(progress).chain(times))
    };
    DataTable { further: instance.machines.clone(), rows: instance.jobs.iter().enumerate().map(row).collect() }
}

/// Returns `true` for headings that the table of jobs does not declare.
fn is_detail(heading: &str) -> bool {
    TEXTS.iter().all(|(_, own)| *own != heading)
}

/// The texts of jobs that the table of jobs does not hold.
pub(super) fn detail_table(instance: &Instance) -> DataTable {
    let carried = &instance.carried;
    let columns: Vec<usize> = (0..carried.headings.len()).filter(|&at| is_detail(&carried.headings[at])).collect();
    let rows = instance.jobs.iter().enumerate().filter_map(|(job, data)| {
        let texts: Vec<String> = columns.iter().map(|&at| carried.row(job)[at].clone()).collect();
        let has_text = texts.iter().any(|text| !text.is_empty());
        has_text.then(|| Row::of(std::iter::once(data.name.clone()).chain(texts)))
    });
    DataTable { rows: rows.collect(), further: columns.iter().map(|&at| carried.headings[at].clone()).collect() }
}

/// Reads jobs with their processing times and texts into an instance with machines.
pub(super) fn read(reader: &mut Reader<'_>, instance: &mut Instance) {
    let mut skips = Vec::new();
    for row in reader.rows(JOBS).collect::<Vec<_>>() {
        let job = job(&row);
        for (at, cell) in row.further().enumerate() {
            let stated = cell.parse::<u32>().unwrap_or(0);
            let time = instance.machines.get(at).map(|machine| orders::processing_time(machine, job.quantity, stated));
            if let Some(Err(why)) = &time {
                reader.issue(JOBS, Some(row.index), Some(QUANTITY), why.clone());
            }
            instance.times.push(time.and_then(Result::ok).unwrap_or(stated));
            skips.push(cell.is_empty());
        }
        instance.jobs.push(job);
    }
    instance.skips = skips.into();
    instance.carried = texts(reader, instance);
}

fn job(row: &RowReader<'_>) -> Job {
    let whole = |column| row.whole(column).map(|value| value as u32);
    Job {
        name: row.text(0).to_owned(),
        due: whole(DUE),
        release: whole(RELEASE).unwrap_or(0),
        family: row.text(FAMILY).to_owned(),
        quantity: whole(QUANTITY),
        weight: whole(WEIGHT),
        rank: whole(RANK),
        progress: Progress { started: whole(STARTED), percent: whole(PROGRESS), remaining: whole(REMAINING) },
    }
}

/// Customers, remarks and the table of texts.
fn texts(reader: &mut Reader<'_>, instance: &Instance) -> CarriedColumns {
    let details = reader.further(DETAILS).to_vec();
    let mut rows: Vec<Vec<String>> = Vec::with_capacity(instance.jobs.len());
    for row in reader.rows(JOBS) {
        let own = TEXTS.map(|(column, _)| row.text(column).to_owned());
        rows.push(own.into_iter().chain(details.iter().map(|_| String::new())).collect());
    }
    let jobs: HashMap<&str, usize> =
        instance.jobs.iter().enumerate().map(|(at, job)| (job.name.as_str(), at)).collect();
    let mut seen = vec![false; rows.len()];
    for row in reader.rows(DETAILS).collect::<Vec<_>>() {
        let Some(&job) = jobs.get(row.text(0)) else { continue };
        if std::mem::replace(&mut seen[job], true) {
            let what = format!("{} is there already; keep one of the rows", quoted(row.text(0)));
            reader.issue(DETAILS, Some(row.index), None, what);
        }
        for (to, text) in rows[job][TEXTS.len()..].iter_mut().zip(row.further()) {
            text.clone_into(to);
        }
    }
    let headings = TEXTS.iter().map(|(_, heading)| (*heading).to_owned()).chain(details).collect();
    CarriedColumns::of(headings, &rows)
}
