//! `gridwright compare`: how two solutions of one instance differ.

use gridwright_core::planning::opening;
use serde_json::Value;

use super::{Exit, text};
use crate::arguments::Compare;

/// Compares two solutions, the first as the one before.
///
/// # Errors
/// Faults of one of the files, or a file that belongs to another instance.
pub(super) fn run(arguments: &Compare) -> anyhow::Result<Exit> {
    let pair = opening::open_pair(&arguments.pair.instance, &arguments.pair.solution, arguments.pair.counted_from)?;
    let (first, second) = (&arguments.pair.solution, &arguments.other);
    let other = opening::read_another(&*pair.instance, second, arguments.pair.counted_from)?;
    let compared = opening::compare(&*pair.instance, [&pair.solution, &other], [first, second])?;
    if arguments.json {
        let mut object = serde_json::Map::new();
        object.insert("problem".to_owned(), pair.instance.problem().id().into());
        object.insert("name".to_owned(), pair.instance.name().into());
        object.insert("file_hash".to_owned(), pair.instance.identity().file_hash.into());
        object.extend(compared.json);
        text::answer(&text::json(&Value::Object(object)));
        return Ok(Exit::Done);
    }
    for remark in pair.solution.remarks.iter().chain(&other.remarks) {
        text::note(&remark.text);
    }
    text::answer(&compared.text);
    Ok(Exit::Done)
}
