//! Comparison of two layouts of one plant as text and as JSON.

use gridwright_core::numbers::{counted, grouped, quantity};
use gridwright_core::text::aligned::columns;
use std::fmt::Write as _;
use std::path::Path;

use crate::check::Verdict;
use crate::comparison::{Comparison, Moved, Pair};
use crate::{Instance, Layout};
use gridwright_core::numbers;
use serde_json::{Map, Value, json};

use gridwright_core::planning::Compared;

/// Departments and pairs that are spelled out on a terminal; JSON has them all.
const LISTED: usize = 20;

/// Says how two layouts differ.
pub fn compared(instance: &Instance, layouts: [&Layout; 2], comparison: &Comparison, paths: [&Path; 2]) -> Compared {
    Compared { text: listing(instance, layouts, comparison, paths), json: object(instance, layouts, comparison, paths) }
}

/// «+12.5000 (+3.21 %) worse»
fn change(comparison: &Comparison) -> String {
    let by = comparison.verdicts[1].cost - comparison.verdicts[0].cost;
    let text = numbers::cost_change(by);
    let percent =
        comparison.percent().map(|percent| format!(" ({percent:+.2} %)").replace('-', "−")).unwrap_or_default();
    let word = match numbers::rounded(by) {
        by if by < 0.0 => " better",
        by if by > 0.0 => " worse",
        _ => "",
    };
    format!("{text}{percent}{word}")
}

fn listing(instance: &Instance, layouts: [&Layout; 2], comparison: &Comparison, paths: [&Path; 2]) -> String {
    let mut out = format!("A  {}\nB  {}\n\n", paths[0].display(), paths[1].display());
    let costs = comparison.verdicts.each_ref().map(|verdict| quantity(verdict.cost));
    let bays = layouts.map(|layout| match layout.is_free() {
        true => "rectangles".to_owned(),
        false => format!("{} {}", layout.bays.len(), layout.orientation.name()),
    });
    let faults = comparison.verdicts.each_ref().map(|verdict| verdict.violations.len().to_string());
    let row = |label: &str, values: [String; 2], change: String| {
        let [before, after] = values;
        [label.to_owned(), before, after, change]
    };
    let mut rows = vec![["", "A", "B", "change"].map(str::to_owned), row("Cost", costs, change(comparison))];
    if instance.has_moving_cost() {
        let parts =
            [("Transport", |verdict: &Verdict| verdict.transport), ("Moving", |verdict: &Verdict| verdict.moving.cost)]
                as [(&str, fn(&Verdict) -> f64); 2];
        rows.extend(parts.map(|(label, part)| {
            let [before, after] = comparison.verdicts.each_ref().map(part);
            row(label, [before, after].map(quantity), numbers::cost_change(after - before))
        }));
    }
    rows.push(row("Bays", bays, String::new()));
    rows.push(row("Violations", faults, String::new()));
    let closeness = comparison.verdicts.each_ref().map(|verdict| verdict.closeness);
    if closeness[0].is_rated() {
        rows.push(row("Closeness score", closeness.map(|one| one.score_words()), String::new()));
        rows.push(row("Wishes met", closeness.map(|one| one.met_words()), String::new()));
    }
    out.push_str(&columns(&rows));
    let _ = writeln!(out, "\nMoved: {} of {}", counted(comparison.moved.len(), "department"), instance.len());
    if comparison.mirrored {
        out.push_str("B is compared as its mirror image, which is the same layout where nothing is locked.\n");
    }
    let moved = |moved: &Moved| {
        let place = |(x, y): (f64, f64), bay: Option<u16>| {
            let bay = bay.map_or_else(String::new, |bay| format!("bay {} ", bay + 1));
            format!("{bay}at {}, {}", quantity(x), quantity(y))
        };
        let distance = format!("{} away", quantity(moved.distance));
        let (from, to) = (place(moved.from, moved.bays[0]), place(moved.to, moved.bays[1]));
        [name(instance, moved.department).to_owned(), from, format!("→ {to}"), distance]
    };
    out.push_str(&columns(&comparison.moved.iter().take(LISTED).map(moved).collect::<Vec<_>>()));
    rest(&mut out, comparison.moved.len());
    let _ = writeln!(out, "\nFlows whose cost changed: {}", grouped(comparison.pairs.len() as u64));
    let pair = |pair: &Pair| {
        let [one, other] = pair.ends.map(|end| instance.end_name(end));
        let [before, after] = pair.costs.map(quantity);
        [format!("{one} – {other}"), before, format!("→ {after}"), numbers::cost_change(pair.change())]
    };
    out.push_str(&columns(&comparison.pairs.iter().take(LISTED).map(pair).collect::<Vec<_>>()));
    rest(&mut out, comparison.pairs.len());
    out
}

fn rest(out: &mut String, count: usize) {
    if count > LISTED {
        let _ = writeln!(out, "… and {} more; --json lists them all", grouped((count - LISTED) as u64));
    }
}

fn name(instance: &Instance, department: u16) -> &str {
    instance.departments.get(usize::from(department)).map_or("", |department| department.name.as_str())
}

/// Bays are counted from 1.
fn object(
    instance: &Instance, layouts: [&Layout; 2], comparison: &Comparison, paths: [&Path; 2],
) -> Map<String, Value> {
    let mut object = Map::new();
    for (side, key) in ["a", "b"].into_iter().enumerate() {
        let verdict = &comparison.verdicts[side];
        let value = json!({
            "file": paths[side].to_string_lossy(),
            "feasible": verdict.feasible,
            "cost": verdict.cost,
            "transport": verdict.transport,
            "moving": verdict.moving.cost,
            "orientation": (!layouts[side].is_free()).then(|| layouts[side].orientation.name()),
            "bays": layouts[side].bays.len(),
            "closeness_score": verdict.closeness.is_rated().then_some(verdict.closeness.score),
        });
        object.insert(key.to_owned(), value);
    }
    let by = comparison.verdicts[1].cost - comparison.verdicts[0].cost;
    object.insert("change".to_owned(), json!(by));
    object.insert("change_percent".to_owned(), json!(comparison.percent()));
    object.insert("mirrored".to_owned(), comparison.mirrored.into());
    let moved = |moved: &Moved| {
        json!({
            "department": name(instance, moved.department),
            "from": moved.from,
            "to": moved.to,
            "distance": moved.distance,
            "bays": moved.bays.map(|bay| bay.map(|bay| bay + 1)),
        })
    };
    object.insert("moved".to_owned(), comparison.moved.iter().map(moved).collect());
    let pair = |pair: &Pair| {
        let departments = pair.ends.map(|end| instance.end_name(end));
        json!({ "departments": departments, "flow": pair.flow, "before": pair.costs[0], "after": pair.costs[1] })
    };
    object.insert("flows".to_owned(), comparison.pairs.iter().map(pair).collect());
    object
}
