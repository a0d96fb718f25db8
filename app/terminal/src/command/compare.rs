//! `gridwright compare`: how solutions of one instance differ.

use std::path::{Path, PathBuf};

use gridwright_core::Result;
use gridwright_core::planning::opening::Pair;
use gridwright_core::planning::{MeasureTable, ReadSolution, opening};
use gridwright_core::store::outputs::Outputs;
use serde_json::{Map, Value};

use super::{Exit, outputs, text};
use crate::arguments::Compare;

/// Compares two solutions, the first as the one before, or the figures of several.
///
/// # Errors
/// Faults of one of the files, or a file that belongs to another instance.
pub(super) fn run(arguments: &Compare) -> anyhow::Result<Exit> {
    let pair = opening::open_pair(&arguments.pair.instance, &arguments.pair.solution, arguments.pair.counted_from)?;
    let read = |path: &PathBuf| opening::read_another(&*pair.instance, path, arguments.pair.counted_from);
    let others = arguments.others.iter().map(read).collect::<Result<Vec<_>>>()?;
    let solutions: Vec<&ReadSolution> = std::iter::once(&pair.solution).chain(&others).collect();
    let paths: Vec<&Path> =
        std::iter::once(&arguments.pair.solution).chain(&arguments.others).map(|path| path.as_path()).collect();
    let table = || opening::measures(&*pair.instance, &solutions, &paths);
    if !arguments.to.is_empty() {
        write(arguments, &pair, &table()?)?;
    }
    let (told, json) = match (&solutions[..], &paths[..]) {
        ([before, after], [first, second]) => {
            let compared = opening::compare(&*pair.instance, [before, after], [first, second])?;
            (compared.text, compared.json)
        }
        _ => {
            let table = table()?;
            (table.text(), table.json())
        }
    };
    if arguments.json {
        let mut object = Map::new();
        object.insert("problem".to_owned(), pair.instance.problem().id().into());
        object.insert("name".to_owned(), pair.instance.name().into());
        object.insert("file_hash".to_owned(), pair.instance.identity().file_hash.into());
        object.extend(json);
        text::answer(&text::json(&Value::Object(object)));
        return Ok(Exit::Done);
    }
    for remark in solutions.iter().flat_map(|solution| &solution.remarks) {
        text::note(&remark.text);
    }
    text::answer(&told);
    Ok(Exit::Done)
}

/// Writes the table of all figures, once every target can be written.
fn write(arguments: &Compare, pair: &Pair, table: &MeasureTable) -> Result<()> {
    let mut inputs = gridwright_core::registry::input_files(&arguments.pair.instance.source);
    inputs.extend(std::iter::once(&arguments.pair.solution).chain(&arguments.others).cloned());
    let targets = Outputs::of_user(inputs, arguments.overwrites);
    outputs::check_targets(&arguments.to, &targets)?;
    outputs::write_table(table, pair.instance.name(), &arguments.to, &targets)
}
