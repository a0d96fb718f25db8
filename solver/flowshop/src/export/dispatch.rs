//! Dispatch lists: the operations of each machine in their order, shift by shift, with what a person at the machine needs to know.

use chrono::NaiveDateTime;

use crate::real_time::{HoursKind, day_text, midnight, next_day};
use crate::waiting::TimeInShop;
use crate::{Instance, Schedule};
use gridwright_core::text::table;

/// Line of a dispatch list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub machine: usize,
    /// Shift in which the operation begins, such as «Mon 30 Nov 06:00–22:00», or its day; empty without a start of the plan.
    pub shift: String,
    /// Place in the shift, from 1.
    pub place: usize,
    pub position: usize,
    /// Start of the set-up, if there is one.
    pub setup: Option<u32>,
    pub start: u32,
    pub end: u32,
    /// Time by which the job is late; 0 if it is not.
    pub late: u32,
}

/// Lines of all machines, by machine and start. Machines that a job does not visit have no line for it.
pub(super) fn lines(instance: &Instance, schedule: &Schedule) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for machine in 0..instance.machine_count() {
        for position in (0..schedule.order.len()).filter(|&position| schedule.visits(position, machine)) {
            let start = schedule.start(position, machine);
            let shift = shift(instance, machine, start);
            let before = lines.last().filter(|line| line.machine == machine && line.shift == shift);
            let place = before.map_or(1, |line| line.place + 1);
            let due = instance.jobs[usize::from(schedule.order[position])].due;
            lines.push(Line {
                machine,
                shift,
                place,
                position,
                setup: schedule.setup_span(position, machine).map(|(from, _)| from),
                start,
                end: schedule.completion(position, machine),
                late: due.map_or(0, |due| schedule.done(position).saturating_sub(due)),
            });
        }
    }
    lines
}

/// Shift of a machine at a time: the stated working time that holds it, otherwise the day. Empty without a start of the plan.
fn shift(instance: &Instance, machine: usize, time: u32) -> String {
    let Some(now) = instance.local_time(time) else { return String::new() };
    let text = |from: NaiveDateTime, to: NaiveDateTime| {
        format!("{} {}–{}", day_text(from.date()), from.format("%H:%M"), to.format("%H:%M"))
    };
    let days = [now.date().pred_opt().unwrap_or(now.date()), now.date()];
    let of_line = |line: usize| {
        let hours = instance.real_time.as_ref()?.hours.get(line)?;
        let mut spans = days.iter().filter_map(|&day| hours.on(day)).filter(|_| hours.kind == HoursKind::Work);
        spans.rfind(|(from, to)| (*from..*to).contains(&now))
    };
    let lines = instance.real_time.as_ref().map(|real_time| real_time.hours_of(machine)).unwrap_or_default();
    let shift = lines.into_iter().find_map(of_line);
    let whole_day = |(from, to): &(NaiveDateTime, NaiveDateTime)| {
        *from == midnight(from.date()) && *to == midnight(next_day(from.date()))
    };
    shift.filter(|shift| !whole_day(shift)).map_or_else(|| day_text(now.date()), |(from, to)| text(from, to))
}

/// Reason why the job of a line is late, in words; empty if it is not.
pub(super) fn reason(instance: &Instance, schedule: &Schedule, line: &Line) -> String {
    match line.late {
        0 => String::new(),
        _ => TimeInShop::of(instance, schedule, line.position).words(instance),
    }
}

/// Renders the dispatch lists of all machines as one table.
pub(super) fn table(instance: &Instance, schedule: &Schedule) -> String {
    let time = |time: u32| match instance.local_time(time) {
        Some(local) => local.format("%Y-%m-%d %H:%M").to_string(),
        None => time.to_string(),
    };
    let heads = ["machine", "shift", "place", "job", "set-up from", "start", "end"].map(str::to_owned).into_iter();
    let heads = heads.chain([instance.time_heading("takes")]);
    let heads = heads.chain(instance.order_headings().into_iter().map(str::to_owned));
    let heads: Vec<String> = heads.chain([instance.time_heading("late by"), "why late".to_owned()]).collect();
    let rows = lines(instance, schedule).into_iter().map(|line| {
        let job = usize::from(schedule.order[line.position]);
        let own = [
            instance.machines[line.machine].clone(),
            line.shift.clone(),
            line.place.to_string(),
            instance.jobs[job].name.clone(),
            line.setup.map(time).unwrap_or_default(),
            time(line.start),
            time(line.end),
            instance.time(job, line.machine).to_string(),
        ];
        let late = if line.late > 0 { line.late.to_string() } else { String::new() };
        let reason = reason(instance, schedule, &line);
        own.into_iter().chain(instance.order_cells(job)).chain([late, reason]).collect()
    });
    table::write_table(&heads, rows)
}
