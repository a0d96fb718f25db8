//! A schedule as a workbook: summary, jobs in their order, operations by machine.

use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::Result;
use crate::flowshop::check::{Verdict, check};
use crate::flowshop::{Instance, Objective, Schedule};
use crate::numbers::grouped;
use crate::workbook::{self, Figure, MAX_COLUMNS, MAX_ROWS, Styles, cell, width, write_figure, write_heads};

/// Columns of the sheet `Jobs` before those of the machines.
const FIRST: usize = 8;

/// Renders the workbook with the sheets `Summary`, `Jobs` and `Machines`.
///
/// # Errors
/// [`crate::Error::Usage`] if the workbook cannot be written.
pub fn workbook(instance: &Instance, schedule: &Schedule) -> Result<Vec<u8>> {
    write(instance, schedule, MAX_ROWS)
}

/// Implements [`workbook`] with a given row limit per sheet.
pub(super) fn write(instance: &Instance, schedule: &Schedule, max_rows: usize) -> Result<Vec<u8>> {
    let verdict = check(instance, &schedule.order);
    workbook::write(&instance.name, |book, styles| {
        summary(book.add_worksheet(), styles, instance, schedule, &verdict, max_rows)?;
        jobs(book.add_worksheet(), styles, instance, schedule)?;
        machines(book.add_worksheet(), styles, instance, schedule, max_rows)
    })
}

type Written = std::result::Result<(), XlsxError>;

fn name(instance: &Instance, schedule: &Schedule, position: usize) -> String {
    cell(&instance.jobs[usize::from(schedule.order[position])].name)
}

fn summary(
    sheet: &mut Worksheet,
    styles: &Styles,
    instance: &Instance,
    schedule: &Schedule,
    verdict: &Verdict,
    max_rows: usize,
) -> Written {
    workbook::write_title(sheet, styles, &instance.name, "Complete and in order, as checked")?;
    let mut row = 3;
    let mut figure = |sheet: &mut Worksheet, label: &str, figure: Figure<'_>| {
        row += 1;
        write_figure(sheet, styles, row - 1, label, figure)
    };
    for objective in Objective::ALL {
        if let Some(value) = verdict.value(objective) {
            figure(sheet, objective.label(), Figure::Count(value))?;
        }
    }
    if instance.has_due_dates() {
        let worst = (0..schedule.order.len()).map(|position| late(instance, schedule, position).unwrap_or(0)).max();
        figure(sheet, "Latest job is late by", Figure::Count(u64::try_from(worst.unwrap_or(0)).unwrap_or(0)))?;
    }
    figure(sheet, "Jobs", Figure::Count(instance.job_count() as u64))?;
    figure(sheet, "Machines", Figure::Count(instance.machine_count() as u64))?;
    let work: u64 = instance.times.iter().map(|&time| u64::from(time)).sum();
    figure(sheet, "Total processing time", Figure::Count(work))?;
    let blocks = schedule.critical_path().blocks.len();
    figure(sheet, "Blocks of the critical path", Figure::Count(blocks as u64))?;
    let operations = instance.times.len();
    if operations > max_rows {
        let text = format!(
            "The sheet “Machines” ends after {} of {} operations, because a sheet cannot hold more",
            grouped(max_rows as u64),
            grouped(operations as u64)
        );
        sheet.write_string_with_format(row, 0, text, &styles.bad)?;
        row += 1;
    }
    utilisation(sheet, styles, instance, schedule, row + 1)
}

/// Writes start, end, processing time, idle time and utilisation of every machine.
fn utilisation(
    sheet: &mut Worksheet,
    styles: &Styles,
    instance: &Instance,
    schedule: &Schedule,
    first: u32,
) -> Written {
    for (column, head) in (0..).zip(["Machine", "Starts", "Done", "Works", "Waits between", "Utilisation"]) {
        sheet.write_string_with_format(first, column, head, &styles.head)?;
        if column > 1 {
            sheet.set_column_width(column, 14)?;
        }
    }
    let last = schedule.order.len().checked_sub(1);
    for (row, (machine, title)) in (first + 1..).zip(instance.machines.iter().enumerate()) {
        sheet.write_string(row, 0, cell(title))?;
        let Some(last) = last else { continue };
        let (start, done) = (schedule.start(0, machine), schedule.completion(last, machine));
        let work: u64 = (0..instance.job_count()).map(|job| u64::from(instance.time(job, machine))).sum();
        let there = u64::from(done - start);
        for (column, value) in (1..).zip([u64::from(start), u64::from(done), work, there - work.min(there)]) {
            sheet.write_number_with_format(row, column, value as f64, &styles.count)?;
        }
        let share = work as f64 / f64::from(schedule.makespan().max(1));
        sheet.write_number_with_format(row, 5, share, &styles.share)?;
    }
    Ok(())
}

/// Lateness C_j − d_j, negative for an early job; `None` without a due date.
fn late(instance: &Instance, schedule: &Schedule, position: usize) -> Option<i64> {
    let due = instance.jobs[usize::from(schedule.order[position])].due?;
    Some(i64::from(schedule.done(position)) - i64::from(due))
}

fn jobs(sheet: &mut Worksheet, styles: &Styles, instance: &Instance, schedule: &Schedule) -> Written {
    sheet.set_name("Jobs")?;
    // If the columns do not fit, start and end by machine stand in the sheet `Machines` only.
    let shown = if FIRST + 2 * instance.machine_count() <= MAX_COLUMNS { instance.machine_count() } else { 0 };
    let times: Vec<[String; 2]> =
        instance.machines.iter().take(shown).map(|name| [format!("{name}: start"), format!("{name}: end")]).collect();
    let names = width(instance.jobs.iter().map(|job| job.name.as_str()));
    let mut heads = vec![("Position", 10.0), ("Job", names), ("Work", 10.0), ("Start", 10.0), ("Done", 10.0)];
    heads.extend([("Waits", 10.0), ("Due", 10.0), ("Late by", 10.0)]);
    heads.extend(times.iter().flatten().map(|head| (head.as_str(), 11.0)));
    write_heads(sheet, styles, &heads, schedule.order.len())?;
    for (row, position) in (1..).zip(0..schedule.order.len()) {
        let job = usize::from(schedule.order[position]);
        let work: u64 = instance.row(job).iter().map(|&time| u64::from(time)).sum();
        let (start, done) = (schedule.start(position, 0), schedule.done(position));
        let count = |sheet: &mut Worksheet, column: u16, value: f64| {
            sheet.write_number_with_format(row, column, value, &styles.count).map(|_| ())
        };
        count(sheet, 0, (position + 1) as f64)?;
        sheet.write_string(row, 1, name(instance, schedule, position))?;
        count(sheet, 2, work as f64)?;
        count(sheet, 3, f64::from(start))?;
        count(sheet, 4, f64::from(done))?;
        count(sheet, 5, (u64::from(done - start) - work) as f64)?;
        if let Some((due, late)) = instance.jobs[job].due.zip(late(instance, schedule, position)) {
            count(sheet, 6, f64::from(due))?;
            let style = if late > 0 { &styles.late } else { &styles.count };
            sheet.write_number_with_format(row, 7, late.max(0) as f64, style)?;
        }
        for machine in 0..shown {
            let column = (FIRST + 2 * machine) as u16;
            count(sheet, column, f64::from(schedule.start(position, machine)))?;
            count(sheet, column + 1, f64::from(schedule.completion(position, machine)))?;
        }
    }
    Ok(())
}

fn machines(
    sheet: &mut Worksheet,
    styles: &Styles,
    instance: &Instance,
    schedule: &Schedule,
    max_rows: usize,
) -> Written {
    sheet.set_name("Machines")?;
    let heads = [
        ("Machine", width(instance.machines.iter().map(String::as_str))),
        ("Position", 10.0),
        ("Job", width(instance.jobs.iter().map(|job| job.name.as_str()))),
        ("Start", 10.0),
        ("End", 10.0),
        ("Duration", 10.0),
        ("Machine waits before", 12.0),
    ];
    let rows = instance.times.len().min(max_rows);
    write_heads(sheet, styles, &heads, rows)?;
    let all = instance.machines.iter().enumerate();
    let all = all.flat_map(|(machine, title)| (0..schedule.order.len()).map(move |at| (machine, title, at)));
    for (row, (machine, title, position)) in (1..).zip(all.take(rows)) {
        let (start, end) = (schedule.start(position, machine), schedule.completion(position, machine));
        let before = if position == 0 { 0 } else { schedule.completion(position - 1, machine) };
        sheet.write_string(row, 0, cell(title))?;
        sheet.write_number_with_format(row, 1, (position + 1) as f64, &styles.count)?;
        sheet.write_string(row, 2, name(instance, schedule, position))?;
        for (column, value) in (3..).zip([start, end, end - start, start - before]) {
            sheet.write_number_with_format(row, column, f64::from(value), &styles.count)?;
        }
    }
    Ok(())
}
