//! Comparison of two orders of jobs as text and as JSON.

use gridwright_core::numbers::{counted, grouped};
use gridwright_core::text::aligned::columns;
use std::fmt::Write as _;
use std::path::Path;

use crate::comparison::{Comparison, Move};
use crate::{Instance, Objective, measures};
use serde_json::{Map, Value, json};

use gridwright_core::planning::{self, Compared, MeasureTable};

/// Jobs that are spelled out on a terminal; JSON has them all.
const LISTED: usize = 30;

/// Formats the differences of two orders, whose files are `paths`, as text and as JSON; `objective` comes first.
pub(crate) fn compared(
    instance: &Instance, objective: Objective, comparison: &Comparison, paths: [&Path; 2],
) -> Compared {
    let mut json = Map::new();
    json.insert("objective".to_owned(), objective.name().into());
    json.extend(object(instance, objective, comparison, paths));
    Compared { text: listing(instance, objective, comparison, paths), json }
}

/// The figures of both orders, with differences to the first one.
fn measures(instance: &Instance, objective: Objective, comparison: &Comparison, paths: [&Path; 2]) -> MeasureTable {
    let row = |side: usize| {
        let measures = measures::of_verdict(instance, objective, &comparison.verdicts[side]);
        (paths[side].display().to_string(), measures)
    };
    MeasureTable::new([0, 1].map(row).into(), 0)
}

fn listing(instance: &Instance, objective: Objective, comparison: &Comparison, paths: [&Path; 2]) -> String {
    let mut out = measures(instance, objective, comparison, paths).text();
    let [earlier, later] = comparison.earlier_later;
    let equal = instance.job_count() - earlier - later;
    let [earlier, later, equal] = [earlier, later, equal].map(|count| grouped(count as u64));
    let _ = writeln!(out, "\nJobs: {earlier} done earlier with B, {later} later, {equal} as before");
    for (what, jobs) in [("Late only with B", &comparison.late_now), ("No longer late", &comparison.in_time_now)] {
        if !jobs.is_empty() {
            let _ = writeln!(out, "{what}: {}", listed(instance, jobs));
        }
    }
    let (count, positions) = (comparison.moved.len(), counted(comparison.positions, "position"));
    let verb = if comparison.positions == 1 { "holds" } else { "hold" };
    let _ = writeln!(out, "\nMoved: {}; {positions} {verb} another job", counted(count, "job"));
    let row = |one: &Move| {
        let name = instance.jobs[usize::from(one.job)].name.clone();
        [name, format!("position {}", one.from + 1), "→".to_owned(), (one.to + 1).to_string()]
    };
    out.push_str(&columns(&comparison.moved.iter().take(LISTED).map(row).collect::<Vec<_>>()));
    if count > LISTED {
        let _ = writeln!(out, "… and {} more; --json lists them all", grouped((count - LISTED) as u64));
    }
    out
}

fn names<'a>(instance: &'a Instance, jobs: &'a [u16]) -> impl Iterator<Item = &'a str> {
    jobs.iter().map(|&job| instance.jobs[usize::from(job)].name.as_str())
}

fn listed(instance: &Instance, jobs: &[u16]) -> String {
    let shown: Vec<&str> = names(instance, jobs).take(LISTED).collect();
    let more = jobs.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {} more", grouped(more as u64)) } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// Positions are counted from 1.
fn object(instance: &Instance, objective: Objective, comparison: &Comparison, paths: [&Path; 2]) -> Map<String, Value> {
    let mut object = Map::new();
    let table = measures(instance, objective, comparison, paths);
    for (side, key) in ["a", "b"].into_iter().enumerate() {
        let mut values = Map::new();
        values.insert("file".to_owned(), paths[side].to_string_lossy().into());
        values.insert("feasible".to_owned(), comparison.verdicts[side].feasible.into());
        values.extend(planning::measures::values(&table.rows()[side].1));
        object.insert(key.to_owned(), Value::Object(values));
    }
    object.insert("changes".to_owned(), Value::Object(table.changes(1)));
    let moved = |one: &Move| {
        let name = &instance.jobs[usize::from(one.job)].name;
        json!({ "job": name, "from": one.from + 1, "to": one.to + 1 })
    };
    object.insert("moved".to_owned(), comparison.moved.iter().map(moved).collect());
    object.insert("positions_changed".to_owned(), comparison.positions.into());
    let [earlier, later] = comparison.earlier_later;
    let jobs = json!({
        "earlier": earlier,
        "later": later,
        "late_now": names(instance, &comparison.late_now).collect::<Vec<_>>(),
        "in_time_now": names(instance, &comparison.in_time_now).collect::<Vec<_>>(),
    });
    object.insert("jobs".to_owned(), jobs);
    object
}
