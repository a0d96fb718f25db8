//! Decisions about a flow shop that may be worth a look: faster machines, longer working times, no set-ups, no rules.

use std::sync::Arc;

use chrono::TimeDelta;
use gridwright_core::numbers::counted_as;
use gridwright_core::planning::{Decision, DecisionName};

use crate::Instance;
use crate::real_time::{DayRange, HoursKind, RealTime, WorkingHours};
use crate::rules::Rules;

/// Share of the processing times, in per cent, that a faster machine takes.
const FASTER: u64 = 90;

/// Number of machines, by their load, and of closures that are proposed.
const PROPOSED: usize = 3;

/// Days, counted from Monday as 0.
const FRIDAY: u8 = 4;
const SATURDAY: u8 = 5;

/// All decisions about a flow shop: machines by their load, working times, set-ups and release dates, rules.
pub(crate) fn of(instance: &Instance) -> Vec<Decision<Instance>> {
    [of_machines(instance), of_real_time(instance), of_waits(instance), of_rules(instance)].concat()
}

/// A decision whose instance can be used; `None` if the change leaves none.
fn decision(name: DecisionName, changed: Instance) -> Option<Decision<Instance>> {
    Some(Decision { name, instance: changed.validated().ok()?, is_of_weights: false })
}

/// Name that is proposed if it is among the first of its kind.
fn ranked(rank: usize, key: String, words: String) -> DecisionName {
    let is_proposed = rank < PROPOSED;
    DecisionName { is_proposed, ..DecisionName::possible(key, words) }
}

/// Indices in descending order of a value.
fn descending(count: usize, value: impl Fn(usize) -> u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(value(index)));
    order
}

/// Each machine faster, in the order of their loads.
fn of_machines(instance: &Instance) -> Vec<Decision<Instance>> {
    let machines = instance.machines.len();
    let load = |machine: usize| (0..instance.jobs.len()).map(|job| u64::from(instance.time(job, machine))).sum();
    let one = |(rank, machine): (usize, usize)| {
        let mut changed = instance.clone();
        for time in changed.times.iter_mut().skip(machine).step_by(machines) {
            *time = (u64::from(*time) * FASTER).div_ceil(100) as u32;
        }
        let name = &instance.machines[machine];
        let words = format!("{name} needs {} % less time", 100 - FASTER);
        decision(ranked(rank, format!("faster-{name}"), words), changed)
    };
    descending(machines, load).into_iter().enumerate().filter_map(one).collect()
}

/// Working days an hour longer, Saturday as well, each closure dropped, and no breaks at all.
fn of_real_time(instance: &Instance) -> Vec<Decision<Instance>> {
    let Some(real_time) = instance.real_time.as_ref().filter(|real_time| !real_time.hours.is_empty()) else {
        return Vec::new();
    };
    let with = |name: DecisionName, hours: Vec<WorkingHours>| {
        let real_time = Some(Arc::new(RealTime { hours, ..RealTime::clone(real_time) }));
        decision(name, Instance { real_time, ..instance.clone() })
    };
    let hours = &real_time.hours;
    let works = |line: &&WorkingHours| line.kind == HoursKind::Work;
    let mut all = Vec::new();
    if hours.iter().any(|line| works(&line)) {
        let longer = |line: &WorkingHours| match line.kind {
            HoursKind::Work => WorkingHours { to: line.to.overflowing_add_signed(TimeDelta::hours(1)).0, ..*line },
            HoursKind::Closed => *line,
        };
        let name = DecisionName::proposed("longer-days", "All working times end an hour later");
        all.extend(with(name, hours.iter().map(longer).collect()));
    }
    let has = |line: &WorkingHours, day: u8| matches!(line.days, DayRange::Weekdays(days) if days >> day & 1 == 1);
    let is_free = !hours.iter().filter(works).any(|line| has(line, SATURDAY));
    if is_free && hours.iter().filter(works).any(|line| has(line, FRIDAY)) {
        let saturday = |line: &WorkingHours| match line.days {
            DayRange::Weekdays(days) if works(&line) && has(line, FRIDAY) => {
                WorkingHours { days: DayRange::Weekdays(days | 1 << SATURDAY), ..*line }
            }
            _ => *line,
        };
        let name = DecisionName::proposed("saturdays", "Saturdays as well, with the working times of Fridays");
        all.extend(with(name, hours.iter().map(saturday).collect()));
    }
    for (at, line) in hours.iter().enumerate().filter(|(_, line)| line.kind == HoursKind::Closed) {
        let machine = line.machine.map_or("all machines", |machine| instance.machines[machine].as_str());
        let (from, to) = (line.from.format("%H:%M"), line.to.format("%H:%M"));
        let words = format!("Without the closure of {machine} ({}, {from}–{to})", line.days);
        let others = hours.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, line)| *line);
        all.extend(with(ranked(all.len(), format!("without-closure-{}", at + 1), words), others.collect()));
    }
    let name = DecisionName::possible("around-the-clock", "All machines work around the clock");
    all.extend(with(name, Vec::new()));
    all
}

/// No set-up times, and no release dates.
fn of_waits(instance: &Instance) -> Vec<Decision<Instance>> {
    let setups = instance.setups.as_ref().and_then(|_| {
        let name = DecisionName::proposed("without-setups", "Without set-up times");
        decision(name, Instance { setups: None, ..instance.clone() })
    });
    let is_released = instance.jobs.iter().any(|job| job.release > 0);
    let releases = is_released.then(|| {
        let mut changed = instance.clone();
        changed.jobs.iter_mut().for_each(|job| job.release = 0);
        decision(DecisionName::proposed("without-releases", "All jobs are there when the plan starts"), changed)
    });
    setups.into_iter().chain(releases.flatten()).collect()
}

/// All pins and all precedences dropped.
fn of_rules(instance: &Instance) -> Vec<Decision<Instance>> {
    let rules = &instance.rules;
    let (pins, precedences) = (rules.pins.len(), rules.precedences.len());
    let with = |key: &str, words: String, rules: Rules| {
        decision(DecisionName::proposed(key, words), Instance { rules, ..instance.clone() })
    };
    let mut all = Vec::new();
    if pins > 0 {
        let words = format!("Without {}", counted_as(pins, "the pin of a job", "pins of jobs"));
        all.extend(with("without-pins", words, Rules { pins: Vec::new(), ..rules.clone() }));
    }
    if precedences > 0 {
        let words = format!("Without {}", counted_as(precedences, "rule «not before»", "rules «not before»"));
        all.extend(with("without-precedences", words, Rules { precedences: Vec::new(), ..rules.clone() }));
    }
    all
}
