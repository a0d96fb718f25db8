//! Export of a schedule as files for people and for other programs.
//!
//! Only checked schedules are written: an incomplete order, or times that do not follow from the order, are refused.

mod calendar;
mod dispatch;
mod document;
mod spreadsheet;

use chrono::Utc;

use calendar::ShopCalendar;

use super::check::{Operation, Verdict, check, check_operations};
use super::drawing::{self, GanttRows};
use super::formats::solution;
use super::multiobjective::stored;
use super::{Instance, Objective, Schedule};
use gridwright_core::Result;
use gridwright_core::export::{self, Format};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::planning::MissingData;
use gridwright_core::result::StoredFront;

/// All formats, the commonest first.
pub const FORMATS: [Format; 11] = [
    Format { name: "PDF document", ending: "pdf", help: "The Gantt chart and the table of jobs to print" },
    Format { name: "SVG picture", ending: "svg", help: "The Gantt chart, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The Gantt chart as pixels" },
    Format { name: "CSV table", ending: "csv", help: "One line per operation: job, machine, start, end" },
    Format {
        name: "Dispatch lists",
        ending: DISPATCH,
        help: "What each machine does, shift by shift, and why jobs are late",
    },
    Format { name: "Calendar", ending: "ics", help: "One event per operation and set-up; needs the start of the plan" },
    Format {
        name: "Calendars of machines",
        ending: MACHINES,
        help: "One calendar per machine; needs the start of the plan",
    },
    Format { name: "Excel workbook", ending: "xlsx", help: "Sheets by job and by machine, and a summary" },
    Format { name: "Schedule", ending: "ron", help: "Order and all operations, for gridwright" },
    Format { name: "Order of jobs", ending: "sol", help: "The names of the jobs, one a line" },
    Format { name: "CSV of the front", ending: FRONT, help: "Values and order of every plan of the front" },
];

/// Ending of the table of dispatch lists.
const DISPATCH: &str = "dispatch.csv";

/// Ending of the archive of calendars.
const MACHINES: &str = "machines.zip";

/// Ending of the table of a front, which needs the result of a run.
pub const FRONT: &str = "front.csv";

/// Checks that there are a front and dates where a format needs them; `objective` is the objective of a run without front.
///
/// # Errors
/// Front or dates are missing.
pub fn check_format(
    instance: &Instance, has_front: bool, objective: Objective, ending: &str,
) -> std::result::Result<(), MissingData> {
    if matches!(ending, "ics" | MACHINES) && instance.plan_start().is_none() {
        let on_command_line = format!("{}: {}", instance.name, calendar::NEEDS_START);
        return Err(MissingData { in_window: "State when the plan starts (Data, Plan) first", on_command_line });
    }
    if ending != FRONT || has_front {
        return Ok(());
    }
    let on_command_line = format!(
        "front.csv is the table of a front, and {objective} is one objective; solve with --objective pareto, or give the \
         table of operations another name, such as plan.csv"
    );
    Err(MissingData { in_window: "No front is shown; minimise several objectives first", on_command_line })
}

/// Encodes the table of a front.
///
/// # Errors
/// [`Usage`](gridwright_core::Error::Usage) if a member does not pass the checker.
pub fn front_bytes(instance: &Instance, front: &StoredFront) -> Result<Vec<u8>> {
    if let Some(violation) = stored::judge(instance, front)?.violations.first() {
        return Err(export::rejected("front", &instance.name, &violation.text));
    }
    Ok(stored::table(front).into_bytes())
}

/// Options of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Meaning of the rows of a chart.
    pub rows: GanttRows,
    /// Institution and logo of printed documents.
    pub letterhead: Letterhead,
}

/// Encodes a schedule in the format that a file's ending names.
///
/// # Errors
/// [`Usage`](gridwright_core::Error::Usage) if the ending is unknown or the schedule does not fit the instance.
pub fn bytes_with(instance: &Instance, schedule: &Schedule, ending: &str, options: &ExportOptions) -> Result<Vec<u8>> {
    let operations = checked(instance, schedule)?;
    let letterhead = &options.letterhead;
    let options = drawing::GanttOptions { rows: options.rows, ..drawing::GanttOptions::default() };
    let text = match ending {
        "pdf" => return document::document(instance, schedule, &options, letterhead),
        "xlsx" => return spreadsheet::workbook(instance, schedule),
        "png" | "svg" => return export::picture(&drawing::gantt(instance, schedule, &options), ending),
        "ics" => ShopCalendar::of(instance, schedule, Utc::now())?.shop(),
        MACHINES => return ShopCalendar::of(instance, schedule, Utc::now())?.machines(),
        DISPATCH => dispatch::table(instance, schedule),
        "csv" => solution::write_table(instance, &operations),
        "ron" => solution::write_ron(instance, schedule, &operations)?,
        "sol" => solution::write_order(instance, &schedule.order),
        other => return Err(export::unknown("schedules", &FORMATS, other)),
    };
    Ok(text.into_bytes())
}

/// Operations of a schedule, position by position, if the checker finds no violation.
fn checked(instance: &Instance, schedule: &Schedule) -> Result<Vec<Operation>> {
    let refused = |why: &str| export::rejected("schedule", &instance.name, why);
    let verdict = check(instance, &schedule.order);
    if let Some(violation) = verdict.violations.first() {
        return Err(refused(&violation.text));
    }
    if schedule.completions.len() != instance.times.len() {
        return Err(refused("it has another number of machines"));
    }
    let operations: Vec<Operation> = (0..schedule.order.len())
        .flat_map(|position| (0..instance.machine_count()).map(move |machine| (position, machine)))
        .filter(|&(position, machine)| schedule.visits(position, machine))
        .map(|(position, machine)| Operation {
            job: schedule.order[position],
            machine: machine as u16,
            start: schedule.start(position, machine),
            end: schedule.completion(position, machine),
        })
        .collect();
    // Operations without length at one time may be in another order, with other set-ups, and be as well stated.
    let stated = check_operations(instance, &operations);
    let stated = Verdict { setup_time: verdict.setup_time, ..stated };
    match stated.violations.first() {
        Some(violation) => Err(refused(&violation.text)),
        None if stated != verdict => Err(refused("its times do not follow from its order")),
        None => Ok(operations),
    }
}

#[cfg(test)]
mod tests;
