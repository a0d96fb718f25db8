//! Decisions about a flow shop that may be worth a look: faster machines, longer working times, no set-ups, no rules.

use std::sync::Arc;

use chrono::TimeDelta;
use gridwright_core::numbers::counted_as;
use gridwright_core::planning::{Decision, DecisionName};

use crate::Instance;
use crate::orders::is_per_piece;
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
        let is_per_piece = is_per_piece(&instance.machines[machine]);
        for (job, time) in changed.times.iter_mut().skip(machine).step_by(machines).enumerate() {
            // Tables state whole times of a piece.
            let pieces = instance.jobs[job].quantity.filter(|&count| is_per_piece && count > 0).unwrap_or(1);
            *time = (u64::from(*time / pieces) * FASTER).div_ceil(100) as u32 * pieces;
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
        let times = format!(", {}–{}", line.from.format("%H:%M"), line.to.format("%H:%M"));
        let times = if line.from == line.to { String::new() } else { times };
        let words = format!("Without the closure of {machine} ({}{times})", line.days);
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
        let words = format!("Without {}", counted_as(pins, "pin of a job", "pins of jobs"));
        all.extend(with("without-pins", words, Rules { pins: Vec::new(), ..rules.clone() }));
    }
    if precedences > 0 {
        let words = format!("Without {}", counted_as(precedences, "rule «not before»", "rules «not before»"));
        all.extend(with("without-precedences", words, Rules { precedences: Vec::new(), ..rules.clone() }));
    }
    all
}

#[cfg(test)]
mod tests {
    use gridwright_core::data::Tables as _;

    use super::*;
    use crate::Job;

    /// Three jobs with quantities on a machine with times of a piece and on one with times of the whole job; two shifts and a closure.
    fn shop() -> Instance {
        let job = |name: &str, quantity| Job { name: name.to_owned(), quantity: Some(quantity), ..Job::default() };
        let hours = |days, [from, to]: [u32; 2], kind| WorkingHours {
            machine: None,
            days: DayRange::Weekdays(days),
            from: chrono::NaiveTime::from_hms_opt(from, 0, 0).unwrap(),
            to: chrono::NaiveTime::from_hms_opt(to, 0, 0).unwrap(),
            kind,
        };
        let start = crate::real_time::PlanStart {
            local: chrono::NaiveDate::from_ymd_opt(2026, 11, 30).unwrap().and_hms_opt(6, 0, 0).unwrap(),
            zone: None,
        };
        let hours = vec![hours(0x1f, [6, 14], HoursKind::Work), hours(0x1f, [9, 10], HoursKind::Closed)];
        let real_time = Some(Arc::new(RealTime { start: Some(start), hours, machines: Vec::new() }));
        Instance {
            name: "shop".to_owned(),
            jobs: vec![job("A", 7), job("B", 3), job("C", 11)],
            machines: vec!["Saw (min/piece)".to_owned(), "Paint (min)".to_owned()],
            times: vec![7 * 12, 55, 3 * 15, 40, 11 * 8, 61],
            real_time,
            ..Instance::default()
        }
        .validated()
        .unwrap()
    }

    /// Tables of a decision that is taken over hold the data that were computed with.
    #[test]
    fn tables_hold_what_is_computed() {
        let all = of(&shop());
        let keys: Vec<&str> = all.iter().map(|decision| decision.name.key.as_str()).collect();
        for key in ["faster-Saw-(min/piece)", "longer-days", "saturdays", "without-closure-2", "around-the-clock"] {
            assert!(keys.contains(&key), "{key}: {keys:?}");
        }
        for decision in &all {
            let key = &decision.name.key;
            let back = Instance::of_data(&decision.instance.to_data()).unwrap_or_else(|_| panic!("{key}"));
            assert_eq!(back.times, decision.instance.times, "{key}");
            assert_eq!(back.real_time, decision.instance.real_time, "{key}");
            for order in [[0, 1, 2], [2, 1, 0]] {
                let value = |instance: &Instance| crate::check::check(instance, &order).makespan;
                assert_eq!(value(&back), value(&decision.instance), "{key}");
            }
        }
        let saw = all.iter().find(|decision| decision.name.key.starts_with("faster-Saw")).unwrap();
        assert_eq!(saw.instance.times, [7 * 11, 55, 3 * 14, 40, 11 * 8, 61], "whole minutes of a piece, rounded up");
    }
}
