//! `gridwright verify`: the independent check of a solution.

use gridwright_core::planning::opening::{self, Pair};
use gridwright_core::planning::{Judged, whole};
use gridwright_core::result::Violation;
use serde_json::{Map, Value, json};

use super::{Exit, text};
use crate::arguments::Verify;

/// Checks a solution.
///
/// # Errors
/// Faults of either file.
pub(super) fn run(arguments: &Verify) -> anyhow::Result<Exit> {
    let pair = opening::open_pair(&arguments.pair.instance, &arguments.pair.solution, arguments.pair.counted_from)?;
    let judged = pair.judge(&arguments.pair.solution)?;
    text::answer(&if arguments.json { text::json(&object(&pair, &judged)) } else { listing(&pair, &judged) });
    Ok(if judged.verdict.feasible { Exit::Done } else { Exit::Infeasible })
}

fn object(pair: &Pair, Judged { verdict, figures }: &Judged) -> Value {
    let violations: Vec<Value> =
        verdict.violations.iter().map(|violation| json!({ "kind": violation.kind, "text": violation.text })).collect();
    let mut object = Map::new();
    object.insert("problem".to_owned(), pair.instance.problem().id().into());
    object.insert("name".to_owned(), pair.instance.name().into());
    object.insert("file_hash".to_owned(), pair.instance.identity().file_hash.into());
    object.insert("feasible".to_owned(), verdict.feasible.into());
    object.insert("cost".to_owned(), whole(verdict.cost));
    object.insert("cost_display".to_owned(), whole(text::rounded(pair.instance.shown(verdict.cost))));
    object.insert("violations".to_owned(), violations.into());
    let keyed = figures.iter().filter(|figure| !figure.key.is_empty());
    object.extend(keyed.map(|figure| (figure.key.to_owned(), figure.value.clone())));
    for remark in &pair.solution.remarks {
        object.insert(remark.key.to_owned(), remark.value.clone());
    }
    Value::Object(object)
}

fn listing(pair: &Pair, Judged { verdict, figures }: &Judged) -> String {
    let feasible = match verdict.violations.len() {
        0 => "yes".to_owned(),
        count => format!("no, {}", text::counted(count, "violation")),
    };
    let mut rows = vec![
        ("Instance", format!("{}: {}", pair.instance.name(), pair.instance.summary())),
        ("Feasible", feasible),
        ("Cost", pair.instance.cost_line(verdict.cost)),
    ];
    let named = figures.iter().filter(|figure| !figure.label.is_empty());
    rows.extend(named.map(|figure| (figure.label, figure.text.clone())));
    let remarks = pair.solution.remarks.iter().enumerate();
    rows.extend(remarks.map(|(index, remark)| (if index == 0 { "Remarks" } else { "" }, remark.text.clone())));
    let violations = verdict.violations.iter().enumerate();
    let line = |item: &Violation| format!("{}: {}", item.kind, item.text);
    rows.extend(violations.map(|(index, item)| (if index == 0 { "Violations" } else { "" }, line(item))));
    text::table(&rows)
}
