//! Expansion of working times into intervals, as far as any order of the jobs needs them.
//!
//! Every critical path goes through the machines in their order, and ends of work never decrease with its beginning and its length.
//! Therefore no order is complete after T_m, with T_0 the latest release date, W_i all work and set-ups of machine i together and
//!
//! ```text
//! T_i = c_i(max(T_{i−1}, ready_i), W_i) + lag_i.
//! ```
//!
//! Where work is not interrupted, every operation and its set-up are as long as the longest ones instead, one after the other. Intervals
//! are computed for a number of days that is doubled until they reach T_m, at most [`MOST_DAYS`].

use std::collections::HashMap;
use std::sync::Arc;

use gridwright_core::text::lines::quoted;

use super::clocks::MachineClock;
use super::{HoursKind, MachineClocks, PlanStart, RealTime, WorkingTime, midnight, next_day};
use crate::{Instance, MAX_TOTAL};

/// Days of the first attempt.
const FIRST_DAYS: u32 = 28;

/// Most days after the start of the plan for which working times are computed: a hundred years.
const MOST_DAYS: u32 = 36_525;

/// Working times of machines by the lines that count for them and whether work is interrupted.
type Known = HashMap<(Vec<usize>, bool), Arc<WorkingTime>>;

/// Clocks of the machines of an instance; `None` if its machines work around the clock, are ready at once and transport takes no time,
/// no job has a weight, and every job visits all machines.
///
/// # Errors
/// A sentence about working times that are too short for the jobs.
pub(crate) fn clocks(instance: &Instance) -> Result<Option<MachineClocks>, String> {
    let nothing = RealTime::default();
    let real_time = instance.real_time.as_deref().unwrap_or(&nothing);
    let has_times = real_time.machines.iter().any(|times| times.ready > 0 || times.transport > 0);
    if real_time.hours.is_empty() && !has_times && instance.weights.is_empty() && instance.skips.is_empty() {
        return Ok(None);
    }
    let start = real_time.start.as_ref();
    if start.is_none() && !real_time.hours.is_empty() {
        return Err("working times count from the start of the plan, which is missing; add a table with the column “plan start”, \
                    such as 2026-11-30 06:00"
            .to_owned());
    }
    let unit = instance.seconds_per_unit();
    let most = MOST_DAYS.min((MAX_TOTAL * u64::from(unit) / 86_400) as u32);
    let mut days = FIRST_DAYS.min(most);
    loop {
        let clocks = expanded(instance, real_time, start, days);
        match (end_of_all(instance, &clocks), days >= most) {
            (Ok(end), _) if u64::from(end) <= MAX_TOTAL => return Ok(Some(clocks)),
            (Ok(_), _) => return Err(too_long(instance)),
            (Err(machine), true) => return Err(reason(instance, &clocks, machine)),
            (Err(_), false) => days = days.saturating_mul(2).min(most),
        }
    }
}

fn too_long(instance: &Instance) -> String {
    let unit = instance.clock_unit();
    format!("the plan may take longer than {MAX_TOTAL} {unit}; use a coarser unit of time, or plan in parts")
}

/// Clocks with intervals for so many days.
fn expanded(instance: &Instance, real_time: &RealTime, start: Option<&PlanStart>, days: u32) -> MachineClocks {
    let mut known = Known::new();
    let clocks = (0..instance.machine_count()).map(|machine| {
        let times = real_time.of_machine(machine);
        let lines = real_time.hours_of(machine);
        let hours = start.filter(|_| !lines.is_empty()).map(|start| {
            let new = || {
                let intervals = intervals(real_time, &lines, start, instance.seconds_per_unit(), days);
                WorkingTime::new(&intervals, times.is_uninterrupted).into()
            };
            Arc::clone(known.entry((lines.clone(), times.is_uninterrupted)).or_insert_with(new))
        });
        MachineClock { ready: times.ready, transport: times.transport, hours }
    });
    MachineClocks(clocks.collect())
}

/// Time by which every order of the jobs is complete.
///
/// # Errors
/// Index of the machine whose intervals do not reach so far.
fn end_of_all(instance: &Instance, clocks: &MachineClocks) -> Result<u32, usize> {
    let mut end = instance.jobs.iter().map(|job| job.release).max().unwrap_or(0);
    let setups = instance.setups.as_ref().map_or(0, |setups| setups.most_in_total()) as u32;
    for (machine, clock) in clocks.0.iter().enumerate() {
        let works = |time: u32, takes: u32| match &clock.hours {
            Some(hours) => hours.end_within(time, takes),
            None => time.checked_add(takes),
        };
        let mut times = (0..instance.job_count()).map(|job| instance.time(job, machine));
        let begin = end.max(clock.ready);
        let done = match instance.is_uninterrupted(machine) {
            false => works(begin, times.sum::<u32>() + setups),
            true => {
                let (longest, setup) = longest(instance, machine);
                times.try_fold(begin, |end, _| works(works(end, setup)?, longest))
            }
        };
        end = done.and_then(|done| done.checked_add(clock.transport)).ok_or(machine)?;
    }
    Ok(end)
}

/// Longest operation and longest set-up of a machine.
fn longest(instance: &Instance, machine: usize) -> (u32, u32) {
    let time = (0..instance.job_count()).map(|job| instance.time(job, machine)).max().unwrap_or(0);
    let setups = instance.setups.iter().flat_map(|setups| setups.pairs());
    (time, setups.map(|(_, _, times)| times[machine]).max().unwrap_or(0))
}

/// Explains why the working times of a machine do not suffice.
fn reason(instance: &Instance, clocks: &MachineClocks, machine: usize) -> String {
    let name = quoted(&instance.machines[machine]);
    let longest_interval = clocks.0[machine].hours.as_ref().map_or(u32::MAX, |hours| hours.longest());
    if longest_interval == 0 {
        return format!("{name} has no working time from the start of the plan on; add lines to the working times");
    }
    let (time, setup) = longest(instance, machine);
    let (unit, uninterrupted) = (instance.clock_unit(), instance.is_uninterrupted(machine));
    if uninterrupted && time.max(setup) > longest_interval {
        let job = (0..instance.job_count()).find(|&job| instance.time(job, machine) > longest_interval);
        let (what, takes) = match job {
            Some(job) => (format!("job {}", quoted(&instance.jobs[job].name)), instance.time(job, machine)),
            None => ("a set-up".to_owned(), setup),
        };
        return format!(
            "{what} takes {takes} {unit} on {name}, whose longest working time without a break is {longest_interval} {unit}; allow \
             interruptions there, or divide the job"
        );
    }
    let end = clocks.0[machine].hours.as_ref().and_then(|hours| hours.last());
    let end = end.map_or_else(String::new, |end| format!(" on {}", instance.moment(end)));
    format!(
        "the working times of {name} end{end}, when the last jobs may not be complete; add weekly working times, or plan fewer jobs"
    )
}

/// Working intervals of the lines that count for a machine, in time units, for so many days. Parts of units are no working time.
fn intervals(real_time: &RealTime, lines: &[usize], start: &PlanStart, unit: u32, days: u32) -> Vec<(u32, u32)> {
    let first = start.local.date().pred_opt().unwrap_or(start.local.date());
    let dates = || std::iter::successors(Some(first), |&date| Some(next_day(date))).take(days as usize + 2);
    let end = start.seconds_to(midnight(start.local.date()) + chrono::TimeDelta::days(i64::from(days)));
    let of = |kind: HoursKind| {
        let lines = lines.iter().map(|&line| &real_time.hours[line]).filter(move |hours| hours.kind == kind);
        let spans = lines.flat_map(|hours| dates().filter_map(|date| hours.on(date)));
        joined(spans.map(|(from, to)| (start.seconds_to(from), start.seconds_to(to).min(end))).collect())
    };
    let has_work = lines.iter().any(|&line| real_time.hours[line].kind == HoursKind::Work);
    let work = if has_work { of(HoursKind::Work) } else { vec![(0, end)] };
    let unit = i64::from(unit);
    let open = without(&work, &of(HoursKind::Closed)).into_iter().map(|(from, to)| (from.max(0), to));
    let whole = open.map(|(from, to)| ((from + unit - 1).div_euclid(unit), to.div_euclid(unit)));
    let most = MAX_TOTAL as i64;
    whole.filter(|(from, to)| from < to && *to <= most).map(|(from, to)| (from as u32, to as u32)).collect()
}

/// Union of spans, ascending and without contact.
fn joined(mut spans: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    spans.sort_unstable();
    let mut union: Vec<(i64, i64)> = Vec::with_capacity(spans.len());
    for (from, to) in spans.into_iter().filter(|(from, to)| from < to) {
        match union.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => union.push((from, to)),
        }
    }
    union
}

/// Parts of the first spans that are in none of the second ones; both ascending and without contact.
fn without(spans: &[(i64, i64)], taken: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let (mut parts, mut next) = (Vec::with_capacity(spans.len()), 0);
    for &(mut from, to) in spans {
        while taken.get(next).is_some_and(|span| span.1 <= from) {
            next += 1;
        }
        let mut at = next;
        while let Some(&(closed, open)) = taken.get(at).filter(|span| span.0 < to) {
            if from < closed {
                parts.push((from, closed));
            }
            from = from.max(open);
            at += 1;
        }
        if from < to {
            parts.push((from, to));
        }
    }
    parts
}
