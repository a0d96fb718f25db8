//! `gridwright whatif`: what decisions about an instance would cost, from a plan.

use std::path::Path;

use gridwright_core::planning::{Consequences, DecisionName, OpenInstance, opening};
use gridwright_core::result::Encoded;
use gridwright_core::search::Control;
use gridwright_core::store::outputs::Outputs;
use gridwright_core::text::aligned;
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
    let plan = (pair.solution.exact(&arguments.pair.solution)?, arguments.pair.solution.as_path());
    if arguments.list {
        list(instance, plan, arguments.json)?;
        return Ok(Exit::Done);
    }
    opening::check_request(instance, &arguments.request)?;
    let mut inputs = registry::input_files(&source.source);
    inputs.push(arguments.pair.solution.clone());
    let targets = Outputs::of_user(inputs, arguments.overwrites);
    outputs::check_targets(&arguments.to, &targets)?;
    let control = Control::new();
    interrupt::cancels(&control, !arguments.json);
    let told = |done: usize, all: usize| {
        if !arguments.json {
            text::note(&format!("{done} of {all} decisions"));
        }
    };
    let found = instance.consequences(plan, &arguments.only, &arguments.request, &control, &told)?;
    outputs::write_table(&found.table(), instance.name(), &arguments.to, &targets)?;
    if arguments.json {
        let mut object = json!({ "problem": instance.problem().id(), "name": instance.name() });
        if let (Some(object), Value::Object(found)) = (object.as_object_mut(), found.json()) {
            object.extend(found);
        }
        text::answer(&text::json(&object));
    } else {
        text::answer(&told_of(&found));
    }
    Ok(if control.is_cancelled() { Exit::Interrupted } else { Exit::Done })
}

/// Prints all decisions about a plan: the proposed ones first.
fn list(instance: &dyn OpenInstance, (plan, path): (&Encoded, &Path), as_json: bool) -> Result<()> {
    let mut all = instance.decisions(plan, path)?;
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
