//! `gridwright whatif`: what decisions about an instance would cost, from a plan.

use std::sync::atomic::{AtomicUsize, Ordering};

use gridwright_core::planning::{Consequences, DecisionName, MeasureTable, OpenInstance, PresentSolution, opening};
use gridwright_core::search::Control;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::text::{aligned, ending};
use gridwright_core::{Result, registry};
use serde_json::{Value, json};

use super::{Exit, interrupt, outputs, text};
use crate::arguments::WhatIf;

/// Solves the instance of each decision from the plan and prints what it would cost.
///
/// # Errors
/// Faults of the files or of the request; a decision that is not known.
pub(super) fn run(arguments: &WhatIf) -> anyhow::Result<Exit> {
    let source = &arguments.pair.instance;
    let pair = opening::open_pair(source, &arguments.pair.solution, arguments.pair.counted_from)?;
    let instance = &*pair.instance;
    let path = arguments.pair.solution.as_path();
    let present = PresentSolution { solution: pair.solution.exact(path)?, path, result: pair.result.as_ref() };
    if arguments.list {
        list(instance, &present, arguments.json)?;
        return Ok(Exit::Done);
    }
    opening::check_request(instance, &arguments.request)?;
    let mut inputs = registry::input_files(&source.source);
    inputs.push(arguments.pair.solution.clone());
    let targets = Outputs::of_user(inputs, arguments.overwrites);
    outputs::check_targets(&arguments.to, &targets)?;
    arguments.to.iter().try_for_each(|target| MeasureTable::check_ending(&ending(target)))?;
    let control = Control::new();
    interrupt::cancels(&control, !arguments.json);
    let wanted = AtomicUsize::new(0);
    let told = |done: usize, all: usize| {
        wanted.store(all, Ordering::Relaxed);
        if !arguments.json {
            text::note(&format!("{done} of {all} decisions"));
        }
    };
    let found = instance.consequences(&present, &arguments.only, &arguments.request, &control, &told)?;
    outputs::write_table(&found.table(), instance.name(), &arguments.to, &targets)?;
    if arguments.json {
        let mut object = json!({ "problem": instance.problem().id(), "name": instance.name() });
        if let (Some(object), Value::Object(found)) = (object.as_object_mut(), found.json()) {
            object.extend(found);
        }
        text::answer(&text::json(&object));
    } else {
        text::answer(&told_of(&found));
        let left = wanted.into_inner().saturating_sub(found.all.len());
        if left > 0 {
            text::note(&format!("{} not computed", text::counted(left, "decision")));
        }
    }
    Ok(if control.is_cancelled() { Exit::Interrupted } else { Exit::Done })
}

/// Prints all decisions about a plan: the proposed ones first.
fn list(instance: &dyn OpenInstance, present: &PresentSolution<'_>, as_json: bool) -> Result<()> {
    let mut all = instance.decisions(present)?;
    all.sort_by_key(|name| !name.is_proposed);
    if as_json {
        let object =
            |name: &DecisionName| json!({ "decision": name.key, "words": name.words, "is_proposed": name.is_proposed });
        text::answer(&text::json(&Value::Array(all.iter().map(object).collect())));
        return Ok(());
    }
    let proposed = |is: bool| if is { "proposed" } else { "" };
    let rows: Vec<_> =
        all.into_iter().map(|name| vec![name.key, proposed(name.is_proposed).to_owned(), name.words]).collect();
    text::answer(&aligned::columns(&rows));
    Ok(())
}

fn told_of(found: &Consequences) -> String {
    let seconds: f64 = found.all.iter().map(|one| one.result.seconds).sum();
    let each = seconds / found.all.len().max(1) as f64;
    format!("{}\nChanges are those from no change. Each run took {} on average.\n", found.text(), text::duration(each))
}
