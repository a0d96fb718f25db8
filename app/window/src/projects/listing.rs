//! The run list in a project: the shown run and the names of runs.

use std::collections::BTreeMap;

use gridwright_core::project::{SHOWN, SHOWN_DRAFT};
use gridwright_core::result::RunResult;

use crate::runs::{RunList, Shown};

/// The key of the name of a run, by its place among the runs.
fn name_key(index: usize) -> String {
    format!("name {index}")
}

/// The name of the run at this place; empty where it has none.
pub(crate) fn name_of(view: &BTreeMap<String, String>, index: usize) -> String {
    view.get(&name_key(index)).cloned().unwrap_or_default()
}

/// Stores the shown run and the names of the runs.
pub(crate) fn keep_runs<F>(view: &mut BTreeMap<String, String>, runs: &RunList<F>, shown: Shown) {
    let shown = match shown {
        Shown::Draft => Some(SHOWN_DRAFT.to_owned()),
        // Numbers are given anew when runs are read; places stay.
        Shown::Run(number) => runs.iter().position(|run| run.number == number).map(|index| index.to_string()),
        Shown::Live | Shown::Nothing => None,
    };
    view.extend(shown.map(|shown| (SHOWN.to_owned(), shown)));
    let named = runs.iter().enumerate().filter(|(_, run)| !run.name.is_empty());
    view.extend(named.map(|(index, run)| (name_key(index), run.name.clone())));
}

/// The item that a project shows, in a list that contains the project's runs.
pub(crate) fn shown_in<F>(view: &BTreeMap<String, String>, results: &[RunResult], runs: &RunList<F>) -> Option<Shown> {
    match view.get(SHOWN)?.as_str() {
        SHOWN_DRAFT => Some(Shown::Draft),
        index => runs.at(index.parse().ok()?, results).map(|run| Shown::Run(run.number)),
    }
}
