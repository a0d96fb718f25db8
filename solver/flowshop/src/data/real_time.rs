//! Tables of plans in real time: start of the plan, working times, times of machines.

use std::collections::HashSet;

use gridwright_core::data::{ColumnSpec, DataTable, Reader, Row, RowReader, TIME_UNITS, TableSpec, ValueKind};
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::quoted;

use super::TIME;
use crate::Instance;
use crate::formats::{headings, machine_texts, machine_times};
use crate::real_time::{MachineTimes, PlanStart, RealTime, WorkingHours};

/// Indices of the tables.
const PLAN: usize = 2;
const HOURS: usize = 3;
const MACHINES: usize = 4;

const MACHINE: usize = 0;

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
        "Time from which the machine can be used; empty for the start of the schedule.",
    )
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
