//! Tables of plans in real time: start of the plan, working times, times of machines.

use std::collections::HashSet;

use gridwright_core::data::{
    ColumnSpec, DataTable, Dataset, ReadDate, Reader, Row, RowReader, TIME_UNITS, TableSpec, ValueKind,
};
use gridwright_core::numbers::counted_as;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::{counted, quoted};

use super::orders::{DUE, RELEASE, STARTED};
use super::{JOBS, TIME};
use crate::formats::{headings, machine_texts, machine_times};
use crate::real_time::{MachineTimes, PlanStart, RealTime, WorkingHours, is_date};
use crate::{Instance, MAX_TOTAL};

/// Indices of the tables.
pub(super) const PLAN: usize = 2;
const HOURS: usize = 3;
const MACHINES: usize = 4;

const MACHINE: usize = 0;
const READY: usize = 1;

const PLAN_COLUMNS: [ColumnSpec; 3] = [
    ColumnSpec::new(
        Column::required("plan start", headings::START_NAMES),
        "Start of the plan",
        ValueKind::Date,
        "Date of the time 0, from which all times count.",
    ),
    ColumnSpec::new(
        Column::optional("start time", headings::CLOCK_NAMES),
        "Time of day",
        ValueKind::Time,
        "Time of day at which the plan starts; empty for midnight.",
    ),
    ColumnSpec::new(
        Column::optional("time zone", headings::ZONE_NAMES),
        "Time zone",
        ValueKind::Text,
        "Name such as Europe/Berlin, whose clocks are changed in spring and autumn; empty for days of 24 hours.",
    ),
];

const HOURS_COLUMNS: [ColumnSpec; 5] = [
    ColumnSpec::new(
        Column::optional("machine", headings::MACHINE_NAMES),
        "Machine",
        ValueKind::Text,
        "Machine as in the table Jobs; empty for all machines. Weekly working times of its own replace those of all machines.",
    ),
    ColumnSpec::new(
        Column::required("day", headings::DAY_NAMES),
        "Days",
        ValueKind::Text,
        "Weekdays such as Mon–Fri or Sat, or a date or two such as 2026-12-24 – 2027-01-02.",
    ),
    ColumnSpec::new(
        Column::optional("from", headings::FROM_NAMES),
        "From",
        ValueKind::Text,
        "Time of day such as 6:00 on each of the days; empty for the beginning of the day.",
    ),
    ColumnSpec::new(
        Column::optional("to", headings::TO_NAMES),
        "To",
        ValueKind::Text,
        "Time of day such as 22:00; on the next day if it is not later than “From”; empty for the end of the day.",
    ),
    ColumnSpec::new(
        Column::optional("kind", headings::KIND_NAMES),
        "Kind",
        ValueKind::Text,
        "“work”, or “closed” for breaks, holidays and maintenance, which count before all working times.",
    )
    .with_default("work"),
];

const MACHINE_COLUMNS: [ColumnSpec; 4] = [
    ColumnSpec::new(
        Column::required("machine", headings::MACHINE_NAMES),
        "Machine",
        ValueKind::Text,
        "Machine as in the table Jobs.",
    ),
    ColumnSpec::new(
        Column::optional("ready", headings::READY_NAMES),
        "Ready",
        TIME,
        "Time from which the machine can be used, or a date; empty for the start of the schedule.",
    )
    .dated(date)
    .with_unit(TIME_UNITS),
    ColumnSpec::new(
        Column::optional("transport", headings::TRANSPORT_NAMES),
        "Transport",
        TIME,
        "Time that a job needs from this machine to the next one, at any time of day; the machine is free meanwhile.",
    )
    .with_unit(TIME_UNITS),
    ColumnSpec::new(
        Column::optional("uninterrupted", headings::UNINTERRUPTED_NAMES),
        "Uninterrupted",
        ValueKind::Mark,
        "Marked if an operation or a set-up that does not end before a break waits until after the break.",
    ),
];

/// The tables, which projects of former versions lack.
pub(super) const TABLES: [TableSpec; 3] = [
    TableSpec::new(
        "plan",
        "Plan",
        "start",
        "Date and time at which the plan starts; needed by working times, and shown instead of numbers.",
        &PLAN_COLUMNS,
    )
    .identified_by(&[0])
    .read_first()
    .later(),
    TableSpec::new(
        "hours",
        "Working times",
        "working time",
        "Shifts, breaks, holidays and maintenance; a machine without any works around the clock.",
        &HOURS_COLUMNS,
    )
    .identified_by(&[0, 1, 2, 3, 4])
    .later(),
    TableSpec::new(
        "machines",
        "Machines",
        "machine",
        "Machines that are ready later, after which jobs are transported, or whose operations are not interrupted.",
        &MACHINE_COLUMNS,
    )
    .identified_by(&[MACHINE])
    .later(),
];

/// The tables of an instance.
pub(super) fn tables(instance: &Instance) -> [DataTable; 3] {
    let Some(real_time) = instance.real_time.as_deref() else { return Default::default() };
    let name = |machine: usize| instance.machines[machine].clone();
    let table = |rows: Vec<Row>| DataTable { further: Vec::new(), rows: rows.into_iter().collect() };
    let hours = real_time
        .hours
        .iter()
        .map(|hours| Row::of(std::iter::once(hours.machine.map(name).unwrap_or_default()).chain(hours.texts())));
    let machines = real_time.machines.iter().enumerate().filter(|(_, times)| **times != MachineTimes::default());
    let machines = machines.map(|(at, times)| Row::of(std::iter::once(name(at)).chain(machine_texts(times))));
    [
        table(real_time.start.iter().map(|start| Row::of(start.texts())).collect()),
        table(hours.collect()),
        table(machines.collect()),
    ]
}

/// Reads the tables; `None` if they are empty. What cannot be read becomes an issue.
pub(super) fn read(reader: &mut Reader<'_>, instance: &Instance) -> Option<RealTime> {
    let mut real_time = RealTime::default();
    for row in reader.rows(PLAN).collect::<Vec<_>>() {
        if real_time.start.is_some() {
            reader.issue(PLAN, Some(row.index), None, "there is another start in a row above; keep one of both");
        }
        match PlanStart::parse([0, 1, 2].map(|column| row.text(column))) {
            Ok(start) => real_time.start = Some(start),
            Err((column, why)) => reader.issue(PLAN, Some(row.index), Some(column), why),
        }
    }
    for row in reader.rows(HOURS).collect::<Vec<_>>() {
        let machine = match row.text(MACHINE) {
            "" => None,
            _ => match machine(reader, instance, HOURS, &row) {
                Some(machine) => Some(machine),
                None => continue,
            },
        };
        match WorkingHours::parse(machine, [1, 2, 3, 4].map(|column| row.text(column))) {
            Ok(hours) => real_time.hours.push(hours),
            Err((text, why)) => reader.issue(HOURS, Some(row.index), Some(text + 1), why),
        }
    }
    let mut seen = HashSet::new();
    real_time.machines = vec![MachineTimes::default(); instance.machine_count()];
    for row in reader.rows(MACHINES).collect::<Vec<_>>() {
        let Some(machine) = machine(reader, instance, MACHINES, &row) else { continue };
        if !seen.insert(machine) {
            reader.issue(MACHINES, Some(row.index), None, "the machine is there already; keep one of the rows");
        }
        match machine_times(instance, [1, 2, 3].map(|column| row.text(column))) {
            Ok(times) => real_time.machines[machine] = times,
            Err((text, why)) => reader.issue(MACHINES, Some(row.index), Some(text + 1), why),
        }
    }
    (!real_time.is_empty()).then_some(real_time)
}

/// Start of the plan that the tables state; `None` if there is none, or none that can be read.
fn start_of(data: &Dataset) -> Option<PlanStart> {
    let row = data.tables.get(PLAN)?.rows.get(0)?;
    PlanStart::parse([0, 1, 2].map(|column| row.cell(column))).ok()
}

/// Seconds of the time unit that the machines of the tables state.
fn seconds_per_unit(data: &Dataset) -> u32 {
    let machines = data.tables.get(JOBS).map_or_else(Vec::new, |jobs| jobs.further.clone());
    Instance { machines, ..Instance::default() }.seconds_per_unit()
}

/// Reads a date in a column of times that begin at the start of the plan.
pub(super) fn date(data: &Dataset, text: &str) -> Option<ReadDate> {
    read_date(data, text, false)
}

/// Reads a date in the column of due dates, which without a time of day are the end of the day.
pub(super) fn due_date(data: &Dataset, text: &str) -> Option<ReadDate> {
    read_date(data, text, true)
}

fn read_date(data: &Dataset, text: &str, is_due: bool) -> Option<ReadDate> {
    if !is_date(text) {
        return None;
    }
    let Some(start) = start_of(data) else {
        let text = quoted(text);
        return Some(Err(format!(
            "{text} is a date and no number; state the start of the plan in the table “Plan”, or write numbers"
        )));
    };
    let time = start.units_to_date(text, seconds_per_unit(data), is_due);
    let early = if is_due && time < 0 {
        "the date lies before the start of the plan; lateness counts from the start"
    } else {
        ""
    };
    Some(Ok((time.clamp(0, MAX_TOTAL as i64).to_string(), early.to_owned())))
}

/// Columns of dates by table, with true for due dates.
const DATES: [(usize, usize, bool); 4] =
    [(JOBS, DUE, true), (JOBS, RELEASE, false), (JOBS, STARTED, false), (MACHINES, READY, false)];

/// Data with another start of the plan in which all dates are those of before: numbers that count from the start change. `before` has
/// the tables before the change, and `instance` is the last sound one.
pub(super) fn with_dates_kept(instance: &Instance, before: &Dataset, mut after: Dataset) -> (Dataset, Vec<String>) {
    let starts = start_of(before).or(instance.plan_start().copied()).zip(start_of(&after));
    let Some((former, start)) = starts.filter(|(former, start)| former != start) else { return (after, Vec::new()) };
    let unit = i64::from(seconds_per_unit(&after));
    let (mut moved, mut early, mut unknown) = (0, 0, 0);
    for (table, column, is_due) in DATES {
        for index in 0..after.tables[table].rows.len() {
            let Some(row) = after.tables[table].rows.get(index) else { continue };
            let Ok(time) = row.cell(column).parse::<i64>() else { continue };
            let seconds = start.seconds_to(former.local_after(time * unit));
            let now = if is_due { seconds.div_euclid(unit) } else { (seconds + unit - 1).div_euclid(unit) };
            early += usize::from(is_due && now < 0);
            // A due date at the former start may have been any time before it.
            unknown += usize::from(is_due && time == 0 && now > 0);
            moved += usize::from(now != time);
            let row = row.with(column, &now.clamp(0, MAX_TOTAL as i64).to_string());
            after.tables[table].rows.set(index, row);
        }
    }
    let mut remarks = Vec::new();
    if moved > 0 {
        remarks.push(format!(
            "{} of jobs and machines stay; their numbers count from the new start",
            counted(moved, "date")
        ));
    }
    if early > 0 {
        remarks.push(format!(
            "{} before the new start; lateness counts from the start",
            counted_as(early as u64, "due date lies", "due dates lie")
        ));
    }
    if unknown > 0 {
        remarks.push(format!(
            "{} the former start or before it and counts as that start; enter earlier dates again",
            counted_as(unknown, "due date was at", "due dates were at")
        ));
    }
    (after, remarks)
}

/// Index of the machine that a row names; `None` with an issue if there is none.
fn machine(reader: &mut Reader<'_>, instance: &Instance, table: usize, row: &RowReader<'_>) -> Option<usize> {
    let name = row.text(MACHINE);
    let found = instance.machine_index(name);
    if found.is_none() && !name.is_empty() {
        let what = format!("{} is no machine of the table “Jobs”; call it as there", quoted(name));
        reader.issue(table, Some(row.index), Some(MACHINE), what);
    }
    found
}
