//! A schedule as a workbook: summary, jobs in their order, operations by machine.

use super::dispatch;
use crate::check::{Verdict, check};
use crate::orders::capitalised;
use crate::{Instance, Objective, Schedule, measures};
use gridwright_core::Result;
use gridwright_core::numbers::grouped;
use gridwright_core::workbook::{
    self, Book, MAX_COLUMNS, MAX_ROWS, Sheet, Style, Value, Written, count, text, width, words,
};

/// Columns of the sheet `Jobs` before those of the machines.
const FIRST: usize = 8;

/// Renders the workbook with the sheets `Summary`, `Jobs` and `Machines`.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if the workbook cannot be written.
pub(crate) fn workbook(instance: &Instance, schedule: &Schedule) -> Result<Vec<u8>> {
    write(instance, schedule, MAX_ROWS)
}

/// Implements [`workbook`] with a given row limit per sheet.
pub(super) fn write(instance: &Instance, schedule: &Schedule, max_rows: usize) -> Result<Vec<u8>> {
    let verdict = check(instance, &schedule.order);
    workbook::write(&instance.name, None, |book| {
        summary(book, instance, schedule, &verdict, max_rows)?;
        jobs(book, instance, schedule)?;
        machines(book, instance, schedule, max_rows)?;
        if instance.plan_start().is_some() { dispatch(book, instance, schedule, max_rows) } else { Ok(()) }
    })
}

/// Writes the dispatch lists of all machines.
fn dispatch(book: &mut Book, instance: &Instance, schedule: &Schedule, max_rows: usize) -> Written {
    let lines = dispatch::lines(instance, schedule);
    let orders: Vec<String> = instance.order_headings().into_iter().map(capitalised).collect();
    let times = ["Takes", "Late by"].map(|head| instance.time_heading(head));
    let mut heads = vec![
        ("Machine", width(instance.machines.iter().map(String::as_str))),
        ("Shift", 24.0),
        ("Place", 7.0),
        ("Job", width(instance.jobs.iter().map(|job| job.name.as_str()))),
        ("Start date", 11.0),
        ("Start", 8.0),
        ("End date", 11.0),
        ("End", 8.0),
        (times[0].as_str(), 10.0),
    ];
    heads.extend(orders.iter().map(|head| (head.as_str(), 14.0)));
    heads.extend([(times[1].as_str(), 10.0), ("Why late", 50.0)]);
    let rows = lines.len().min(max_rows);
    let mut sheet = book.table("Dispatch", &heads, rows)?;
    for (row, line) in (1..).zip(lines.iter().take(rows)) {
        let job = usize::from(schedule.order[line.position]);
        let named = [
            text(instance.machines[line.machine].clone()),
            text(line.shift.clone()),
            count(line.place as u64),
            text(instance.jobs[job].name.clone()),
        ];
        let clocks = [line.start, line.end].into_iter().filter_map(|time| instance.local_time(time));
        let clocks = clocks.flat_map(|local| [Value::Date(local.date()), Value::Time(local.time())]);
        let takes = count(instance.time(job, line.machine).into());
        let late = if line.late > 0 { Value::Number(line.late.into(), Style::Late) } else { Value::Blank };
        let reason = text(dispatch::reason(instance, schedule, line));
        let orders = order_values(instance, job);
        sheet.row(row, named.into_iter().chain(clocks).chain([takes]).chain(orders).chain([late, reason]))?;
    }
    Ok(())
}

fn name(instance: &Instance, schedule: &Schedule, position: usize) -> Value {
    text(instance.jobs[usize::from(schedule.order[position])].name.clone())
}

fn summary(book: &mut Book, instance: &Instance, schedule: &Schedule, verdict: &Verdict, max_rows: usize) -> Written {
    let mut sheet = book.summary(&instance.name, "Complete and in order, as checked", true)?;
    let measures = measures::of_verdict(instance, Objective::Makespan, verdict).into_iter();
    let defined = measures.filter_map(|measure| {
        let value = match measure.unit_seconds {
            Some(_) => words(measure.text),
            None => Value::Number(measure.value?, Style::Count),
        };
        Some((measure.label, value)).filter(|_| measure.value.is_some())
    });
    let mut figures: Vec<(&str, Value)> = defined.collect();
    figures.extend([
        ("Jobs", count(instance.job_count() as u64)),
        ("Machines", count(instance.machine_count() as u64)),
        ("Total processing time", count(instance.times.iter().map(|&time| u64::from(time)).sum())),
        ("Blocks of the critical path", count(schedule.critical_path().blocks.len() as u64)),
    ]);
    let mut row = sheet.figures(3, figures)?;
    let operations = instance.times.len() - instance.skips.iter().filter(|&&skips| skips).count();
    if operations > max_rows {
        let text = format!(
            "The sheet “Machines” ends after {} of {} operations, because a sheet cannot hold more",
            grouped(max_rows as u64),
            grouped(operations as u64)
        );
        sheet.put(row, 0, Value::Text(text, Style::Bad))?;
        row += 1;
    }
    utilisation(&mut sheet, instance, schedule, row + 1)
}

/// Writes start, end, processing time, idle time and utilisation of every machine.
fn utilisation(sheet: &mut Sheet<'_>, instance: &Instance, schedule: &Schedule, first: u32) -> Written {
    let times = ["Starts", "Done", "Works", "Waits between"].map(|head| instance.time_heading(head));
    let [starts, done, works, waits] = times.each_ref().map(String::as_str);
    sheet.heads(first, ["Machine", starts, done, works, waits, "Utilisation"])?;
    (2..6).try_for_each(|column| sheet.set_width(column, 14.0))?;
    for (row, (machine, title)) in (first + 1..).zip(instance.machines.iter().enumerate()) {
        sheet.put(row, 0, text(title))?;
        let last = schedule.position_before(schedule.order.len(), machine);
        let first = (0..schedule.order.len()).find(|&position| schedule.visits(position, machine));
        let Some((first, last)) = first.zip(last) else { continue };
        let (start, done) = (schedule.start(first, machine), schedule.completion(last, machine));
        let work: u64 = (0..instance.job_count()).map(|job| u64::from(instance.time(job, machine))).sum();
        let there = u64::from(done - start);
        let counts = [u64::from(start), u64::from(done), work, there - work.min(there)].map(count);
        let share = Value::Number(work as f64 / f64::from(schedule.makespan().max(1)), Style::Share);
        sheet.row(row, [text(title)].into_iter().chain(counts).chain([share]))?;
    }
    Ok(())
}

/// Lateness C_j − d_j, negative for an early job; `None` without a due date.
pub(super) fn late(instance: &Instance, schedule: &Schedule, position: usize) -> Option<i64> {
    let due = instance.jobs[usize::from(schedule.order[position])].due?;
    Some(i64::from(schedule.done(position)) - i64::from(due))
}

fn jobs(book: &mut Book, instance: &Instance, schedule: &Schedule) -> Written {
    // If the columns do not fit, start and end by machine stand in the sheet `Machines` only.
    let orders: Vec<String> = instance.order_headings().into_iter().map(capitalised).collect();
    let width_of_all = FIRST + 2 * instance.machine_count() + orders.len();
    let shown = if width_of_all <= MAX_COLUMNS { instance.machine_count() } else { 0 };
    let times: Vec<[String; 2]> =
        instance.machines.iter().take(shown).map(|name| [format!("{name}: start"), format!("{name}: end")]).collect();
    let names = width(instance.jobs.iter().map(|job| job.name.as_str()));
    let mut heads = vec![("Position", 10.0), ("Job", names)];
    let own = ["Work", "Start", "Done", "Waits", "Due", "Late by"].map(|head| instance.time_heading(head));
    heads.extend(own.iter().map(|head| (head.as_str(), 10.0)));
    heads.extend(times.iter().flatten().map(|head| (head.as_str(), 11.0)));
    heads.extend(orders.iter().map(|head| (head.as_str(), 14.0)));
    let mut sheet = book.table("Jobs", &heads, schedule.order.len())?;
    for (row, position) in (1..).zip(0..schedule.order.len()) {
        let job = usize::from(schedule.order[position]);
        let work: u64 = instance.row(job).iter().map(|&time| u64::from(time)).sum();
        let (start, done) = (schedule.begin(position), schedule.done(position));
        let counts = [work, u64::from(start), u64::from(done), u64::from(done - start) - work].map(count);
        let due = match instance.jobs[job].due.zip(late(instance, schedule, position)) {
            None => [Value::Blank, Value::Blank],
            Some((due, late)) => {
                let style = if late > 0 { Style::Late } else { Style::Count };
                [count(due.into()), Value::Number(late.max(0) as f64, style)]
            }
        };
        let on = |machine| match schedule.visits(position, machine) {
            true => [schedule.start(position, machine), schedule.completion(position, machine)]
                .map(|time| count(time.into())),
            false => [Value::Blank, Value::Blank],
        };
        let times = (0..shown).flat_map(on);
        let named = [count(position as u64 + 1), name(instance, schedule, position)];
        sheet.row(row, named.into_iter().chain(counts).chain(due).chain(times).chain(order_values(instance, job)))?;
    }
    Ok(())
}

/// Cells of the columns of orders; whole numbers as numbers.
fn order_values(instance: &Instance, job: usize) -> impl Iterator<Item = Value> {
    let value = |cell: String| match cell.parse::<u32>() {
        Ok(number) if number.to_string() == cell => count(number.into()),
        _ => text(cell),
    };
    instance.order_cells(job).into_iter().map(value)
}

fn machines(book: &mut Book, instance: &Instance, schedule: &Schedule, max_rows: usize) -> Written {
    let times = ["Start", "End", "Duration", "Machine waits before"].map(|head| instance.time_heading(head));
    let [start, end, duration, waits] = times.each_ref().map(String::as_str);
    let mut heads = vec![
        ("Machine", width(instance.machines.iter().map(String::as_str))),
        ("Position", 10.0),
        ("Job", width(instance.jobs.iter().map(|job| job.name.as_str()))),
        (start, 10.0),
        (end, 10.0),
        (duration, 10.0),
        (waits, 12.0),
    ];
    if instance.plan_start().is_some() {
        heads.extend([("Start date", 11.0), ("From", 8.0), ("End date", 11.0), ("To", 8.0)]);
    }
    let orders: Vec<String> = instance.order_headings().into_iter().map(capitalised).collect();
    heads.extend(orders.iter().map(|head| (head.as_str(), 14.0)));
    let visits = instance.times.len() - instance.skips.iter().filter(|&&skips| skips).count();
    let rows = visits.min(max_rows);
    let mut sheet = book.table("Machines", &heads, rows)?;
    let all = instance.machines.iter().enumerate();
    let all = all.flat_map(|(machine, title)| (0..schedule.order.len()).map(move |at| (machine, title, at)));
    let all = all.filter(|&(machine, _, position)| schedule.visits(position, machine));
    for (row, (machine, title, position)) in (1..).zip(all.take(rows)) {
        let (start, end) = (schedule.start(position, machine), schedule.completion(position, machine));
        let before =
            schedule.position_before(position, machine).map_or(0, |before| schedule.completion(before, machine));
        let named = [text(title), count(position as u64 + 1), name(instance, schedule, position)];
        let takes = instance.time(usize::from(schedule.order[position]), machine);
        let times = [start, end, takes, start.saturating_sub(before)].map(|time| count(time.into()));
        let clocks = [start, end].into_iter().filter_map(|time| instance.local_time(time));
        let clocks = clocks.flat_map(|local| [Value::Date(local.date()), Value::Time(local.time())]);
        let orders = order_values(instance, schedule.order[position].into());
        sheet.row(row, named.into_iter().chain(times).chain(clocks).chain(orders))?;
    }
    Ok(())
}
