//! Places of the runs of a campaign in a grid: instances and algorithms below each other, backends and seeds side by side.

use std::collections::{BTreeMap, HashMap};

use gridwright_campaign::RunSpec;
use gridwright_core::problem::SAMPLE;
use gridwright_core::registry;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Name of the instance; its source if it is made from a name.
    pub instance: String,
    /// Label of the algorithm, with limit and options where several lines would be called alike.
    pub label: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Column {
    /// Index of the backend among [`Layout::backends`].
    pub backend: usize,
    /// Seed of the runs.
    pub seed: u64,
}

/// Lines, columns and the run at each place.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Layout {
    /// Lines in the order of the plan.
    pub lines: Vec<Line>,
    /// Columns by backend, then by seed.
    pub columns: Vec<Column>,
    /// Names of the backends with their threads, in the order of the plan.
    pub(crate) backends: Vec<String>,
    /// Index of the run by line and column.
    cells: HashMap<(usize, usize), usize>,
}

impl Layout {
    /// Lays out the runs of a plan.
    pub(super) fn new(runs: &[RunSpec]) -> Self {
        let (mut lines, mut names) = (HashMap::new(), Vec::new());
        let (mut backends, mut columns) = (Vec::new(), BTreeMap::new());
        let mut places = Vec::with_capacity(runs.len());
        for run in runs {
            let options = format!("{:?}", run.options.values());
            let line = *lines.entry((&run.source, &run.label, run.limit(), options)).or_insert_with(|| {
                names.push(run);
                names.len() - 1
            });
            let backend = run.backend_name();
            let backend = backends.iter().position(|known| *known == backend).unwrap_or_else(|| {
                backends.push(backend);
                backends.len() - 1
            });
            columns.insert((backend, run.seed), 0);
            places.push((line, (backend, run.seed)));
        }
        columns.values_mut().zip(0..).for_each(|(place, number)| *place = number);
        let cells = places.iter().zip(0..).map(|((line, column), run)| ((*line, columns[column]), run)).collect();
        let columns = columns.into_keys().map(|(backend, seed)| Column { backend, seed }).collect();
        Self { lines: line_names(&names), columns, backends, cells }
    }

    /// Index of the run in a line and column; `None` where the plan has none.
    pub(super) fn run(&self, line: usize, column: usize) -> Option<usize> {
        self.cells.get(&(line, column)).copied()
    }
}

/// Name of the instance of a run: its source if it is made from a name, such as «taillard:ta001».
pub(crate) fn instance_name(run: &RunSpec) -> &str {
    let is_made = registry::is_generated(&run.source) && !run.source.starts_with(SAMPLE);
    if is_made { &run.source } else { &run.instance }
}

fn line_names(runs: &[&RunSpec]) -> Vec<Line> {
    let mut alike: HashMap<(&str, &str), usize> = HashMap::new();
    for run in runs {
        *alike.entry((instance_name(run), &run.label)).or_default() += 1;
    }
    let line = |run: &&RunSpec| {
        let instance = instance_name(run);
        let mut label = run.label.clone();
        if alike[&(instance, run.label.as_str())] > 1 {
            label.push_str(&format!(", {}", run.limit()));
            label.extend(run.options.values().iter().map(|(name, value)| format!(", {name} {value}")));
        }
        Line { instance: instance.to_owned(), label }
    };
    runs.iter().map(line).collect()
}
