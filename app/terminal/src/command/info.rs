//! `gridwright info`: what an instance holds.

use gridwright_core::planning::{OpenInstance, opening};
use serde_json::{Map, Value};

use super::{Exit, text};
use crate::arguments::Info;

/// Prints sizes, bounds and warnings of an instance.
///
/// # Errors
/// Faults of its files.
pub(super) fn run(arguments: &Info) -> anyhow::Result<Exit> {
    let problem = opening::open(&arguments.instance)?;
    text::answer(&if arguments.json { text::json(&object(&*problem)) } else { listing(&*problem) });
    Ok(Exit::Done)
}

fn object(problem: &dyn OpenInstance) -> Value {
    let mut object = Map::new();
    object.insert("problem".to_owned(), problem.problem().id().into());
    object.insert("name".to_owned(), problem.name().into());
    object.insert("file_hash".to_owned(), problem.identity().file_hash.into());
    object.insert("warnings".to_owned(), problem.identity().warnings.into());
    for fact in problem.facts().into_iter().filter(|fact| !fact.key.is_empty()) {
        object.insert(fact.key.to_owned(), fact.value);
    }
    Value::Object(object)
}

fn listing(problem: &dyn OpenInstance) -> String {
    let mut rows = vec![("Problem", problem.problem().id().to_owned()), ("Name", problem.name().to_owned())];
    rows.extend(problem.facts().into_iter().filter(|fact| !fact.label.is_empty()).map(|fact| (fact.label, fact.text)));
    for (index, warning) in problem.identity().warnings.iter().enumerate() {
        rows.push((if index == 0 { "Warnings" } else { "" }, warning.clone()));
    }
    text::table(&rows)
}
