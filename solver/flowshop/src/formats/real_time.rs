//! Start of the plan, working times and times of machines in tables ([`super::sections`]).

use std::sync::Arc;

use gridwright_core::Result;
use gridwright_core::data::{ValueKind, canonical};
use gridwright_core::text::Source;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::{Problems, quoted};
use gridwright_core::text::table::{self, Row, Table, write_table};
use gridwright_core::text::values::DateOrder;

use super::headings::{HOURS_COLUMNS, MACHINE_COLUMNS, MACHINE_MARK, PLAN_COLUMNS, marked, unmarked};
use crate::Instance;
use crate::orders::unit_of_times;
use crate::real_time::{MachineTimes, PlanStart, RealTime, WorkingHours};

const MACHINE: usize = 0;

/// Data in real time of an instance, to be changed.
fn changed(instance: &mut Instance) -> &mut RealTime {
    Arc::make_mut(instance.real_time.get_or_insert_default())
}

/// Reads every line of a table by `read`, which returns the column and the reason of a problem.
///
/// # Errors
/// [`gridwright_core::Error::Line`] or [`gridwright_core::Error::Lines`] for every line with a problem.
fn lines(
    source: Source<'_>, columns: &[Column], mut read: impl FnMut(&Row<'_>) -> std::result::Result<(), (usize, String)>,
) -> Result<()> {
    let table = Table::open(source, columns)?;
    let mut problems = Problems::new(source.path);
    table.rows(&mut problems, |problems, row| {
        if let Err((column, why)) = read(&row) {
            problems.line(row.line, format!("{}: {why}", columns[column].name));
        }
    });
    problems.finish()
}

/// Reads the start of the plan.
///
/// # Errors
/// As [`lines`].
pub(super) fn read_plan(source: Source<'_>, instance: &mut Instance) -> Result<()> {
    lines(source, &PLAN_COLUMNS, |row| {
        let start = PlanStart::parse([0, 1, 2].map(|column| row.get(column)))?;
        match changed(instance).start.replace(start) {
            None => Ok(()),
            Some(_) => Err((0, "there is another start in a line above; keep one of both".to_owned())),
        }
    })
}

/// Reads working times.
///
/// # Errors
/// As [`lines`].
pub(super) fn read_hours(source: Source<'_>, instance: &mut Instance) -> Result<()> {
    lines(source, &HOURS_COLUMNS, |row| {
        let machine = match row.get(MACHINE) {
            "" => None,
            name => Some(machine(instance, name)?),
        };
        let hours = WorkingHours::parse(machine, [1, 2, 3, 4].map(|column| row.get(column)));
        let hours = hours.map_err(|(text, why)| (text + 1, why))?;
        changed(instance).hours.push(hours);
        Ok(())
    })
}

/// Reads ready times, transport and interruptions of machines.
///
/// # Errors
/// As [`lines`].
pub(super) fn read_machines(source: Source<'_>, instance: &mut Instance) -> Result<()> {
    let mut is_there = vec![false; instance.machine_count()];
    lines(source, &MACHINE_COLUMNS, |row| {
        let machine = machine(instance, row.get(MACHINE))?;
        let (stated, name) = (row.get(MACHINE), &instance.machines[machine]);
        // Times of jobs may have become minutes, and numbers beside «Saw (h)» are none. A unit may stand in one of the two tables only.
        let units = [stated, name.as_str()].map(unit_of_times);
        if units[0] != units[1] && units.iter().all(|unit| !unit.is_empty()) {
            let (stated, name) = (quoted(stated), quoted(name));
            let what =
                format!("{stated} is {name} in the table of jobs; write all times in one unit, and the unit alike");
            return Err((MACHINE, what));
        }
        if std::mem::replace(&mut is_there[machine], true) {
            return Err((MACHINE, "the machine is there already; delete one of the lines".to_owned()));
        }
        let times =
            machine_times(instance, [1, 2, 3].map(|column| row.get(column))).map_err(|(at, why)| (at + 1, why))?;
        let count = instance.machine_count();
        let machines = &mut changed(instance).machines;
        machines.resize(count, MachineTimes::default());
        machines[machine] = times;
        Ok(())
    })
}

/// Index of the machine that a line names.
///
/// # Errors
/// The column and the problem with its remedy.
fn machine(instance: &Instance, name: &str) -> std::result::Result<usize, (usize, String)> {
    let name = unmarked(name, MACHINE_MARK).unwrap_or(name);
    let unknown = || format!("{} is no machine of the table of jobs; call it as there", quoted(name));
    instance.machine_index(name).ok_or_else(|| (MACHINE, unknown()))
}

/// Reads ready time, transport and the mark of a machine whose work is not interrupted.
///
/// # Errors
/// Index of the text and the problem with its remedy.
pub(crate) fn machine_times(
    instance: &Instance, [ready, transport, mark]: [&str; 3],
) -> std::result::Result<MachineTimes, (usize, String)> {
    let amount = |text: &str| if text.is_empty() { Ok(0) } else { super::time::amount(instance, text) };
    let is_uninterrupted = match canonical(ValueKind::Mark, mark, DateOrder::DayFirst).as_str() {
        "" => false,
        "yes" => true,
        _ => return Err((2, format!("{} is neither “yes” nor “no”; write one of both", quoted(mark)))),
    };
    Ok(MachineTimes {
        ready: amount(ready).map_err(|why| (0, why))?,
        transport: amount(transport).map_err(|why| (1, why))?,
        is_uninterrupted,
    })
}

/// Texts of the times of a machine as [`machine_times`] reads them; nothing for 0.
pub(crate) fn machine_texts(times: &MachineTimes) -> [String; 3] {
    let amount = |time: u32| if time == 0 { String::new() } else { time.to_string() };
    let mark = if times.is_uninterrupted { "yes" } else { "" };
    [amount(times.ready), amount(times.transport), mark.to_owned()]
}

/// Renders the tables of an instance, each behind an empty line. Empty without any.
pub(super) fn write(instance: &Instance) -> String {
    let Some(real_time) = &instance.real_time else { return String::new() };
    let name = |machine: usize| {
        let name = &instance.machines[machine];
        marked(name, MACHINE_MARK, table::names_total(name))
    };
    let render = |columns: &[Column], rows: Vec<Vec<String>>| match rows.is_empty() {
        true => String::new(),
        false => format!(
            "\n{}",
            write_table(&columns.iter().map(|column| column.name).collect::<Vec<_>>(), rows.into_iter())
        ),
    };
    let hours = real_time
        .hours
        .iter()
        .map(|hours| std::iter::once(hours.machine.map(name).unwrap_or_default()).chain(hours.texts()).collect());
    let machines = real_time.machines.iter().enumerate().filter(|(_, times)| **times != MachineTimes::default());
    let machines = machines.map(|(at, times)| std::iter::once(name(at)).chain(machine_texts(times)).collect());
    [
        render(&PLAN_COLUMNS, real_time.start.iter().map(|start| start.texts().into()).collect()),
        render(&HOURS_COLUMNS, hours.collect()),
        render(&MACHINE_COLUMNS, machines.collect()),
    ]
    .concat()
}
