//! State of every run of a campaign while it is performed, and the rows that tables and figures are made of.

use std::collections::HashMap;
use std::sync::Arc;

use gridwright_campaign::execution::Event;
use gridwright_campaign::folder::Curves;
use gridwright_campaign::plan::Campaign;
use gridwright_campaign::row::Row;
use gridwright_campaign::{RunSpec, execution::Finished};
use gridwright_core::numbers::{duration, quantity, rounded};

use super::layout::{Layout, instance_name};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::VariantArray)]
pub(crate) enum RunState {
    /// The run has no row yet.
    Waiting,
    /// The run goes on.
    Running,
    /// The run found a feasible solution, which the checker confirmed.
    Done,
    /// The run ended without a feasible solution.
    Infeasible,
    Failed,
}

impl RunState {
    fn of(row: &Row) -> Self {
        match () {
            () if !row.failure.is_empty() => Self::Failed,
            () if row.is_valid() => Self::Done,
            () => Self::Infeasible,
        }
    }

    /// Word for legend and tooltip.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Infeasible => "infeasible",
            Self::Failed => "failed",
        }
    }

    /// True if the run has a row.
    pub(crate) fn has_ended(self) -> bool {
        matches!(self, Self::Done | Self::Infeasible | Self::Failed)
    }
}

/// All runs of a campaign with their states and rows.
#[derive(Debug)]
pub(crate) struct Board {
    /// The plan.
    pub campaign: Arc<Campaign>,
    /// Places of the runs in the grid.
    pub layout: Arc<Layout>,
    /// Index of a run by its key.
    places: HashMap<String, usize>,
    states: Vec<RunState>,
    counts: HashMap<RunState, usize>,
    /// Rows of the folder, also those of runs that are no longer in the plan.
    rows: Vec<Row>,
    /// Index of a row by its key.
    row_places: HashMap<String, usize>,
    row_of: Vec<Option<usize>>,
    /// Best displayed cost so far of the runs that go on, by their indices.
    best: HashMap<usize, f64>,
    curves: Curves,
    revision: u64,
}

impl Board {
    /// The board of a plan whose folder holds these rows and improvements.
    pub(super) fn new(campaign: Campaign, rows: Vec<Row>, curves: Curves) -> Self {
        let count = campaign.runs.len();
        let places = campaign.runs.iter().map(RunSpec::key).zip(0..).collect();
        let layout = Arc::new(Layout::new(&campaign.runs));
        let mut board = Self {
            campaign: Arc::new(campaign),
            layout,
            places,
            states: vec![RunState::Waiting; count],
            counts: HashMap::from([(RunState::Waiting, count)]),
            rows: Vec::new(),
            row_places: HashMap::new(),
            row_of: vec![None; count],
            best: HashMap::new(),
            curves: Curves::new(),
            revision: 1,
        };
        board.reload(rows, curves);
        board
    }

    /// Replaces rows and improvements by those that the folder holds now.
    pub(crate) fn reload(&mut self, rows: Vec<Row>, curves: Curves) {
        (self.rows, self.row_places, self.curves) = (Vec::new(), HashMap::new(), curves);
        for run in 0..self.states.len() {
            self.row_of[run] = None;
            self.set(run, RunState::Waiting);
        }
        rows.into_iter().for_each(|row| self.keep(row));
    }

    fn set(&mut self, run: usize, state: RunState) {
        let former = std::mem::replace(&mut self.states[run], state);
        if let Some(count) = self.counts.get_mut(&former) {
            *count -= 1;
        }
        *self.counts.entry(state).or_default() += 1;
        self.revision += 1;
    }

    /// Takes a row in the place of a former one of the same run.
    fn keep(&mut self, row: Row) {
        let (run, state) = (self.places.get(&row.key).copied(), RunState::of(&row));
        let place = match self.row_places.get(&row.key) {
            Some(&place) => {
                self.rows[place] = row;
                place
            }
            None => {
                self.row_places.insert(row.key.clone(), self.rows.len());
                self.rows.push(row);
                self.rows.len() - 1
            }
        };
        if let Some(run) = run {
            self.row_of[run] = Some(place);
            self.set(run, state);
        }
    }

    pub(super) fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Started(run) => {
                if let Some(&run) = self.places.get(&run.key()) {
                    self.best.remove(&run);
                    self.set(run, RunState::Running);
                }
            }
            Event::Improved(run, cost) => {
                if let Some(&run) = self.places.get(&run.key()) {
                    self.best.insert(run, cost);
                }
            }
            Event::Finished(Finished { row, improvements }) => {
                self.curves.insert(row.key.clone(), improvements.clone());
                self.keep(row.clone());
            }
        }
    }

    /// Puts runs that were cancelled back to the state before they began.
    pub(super) fn end(&mut self) {
        for run in 0..self.states.len() {
            if self.states[run] == RunState::Running {
                let state = self.row(run).map_or(RunState::Waiting, RunState::of);
                self.set(run, state);
            }
        }
    }

    pub(super) fn state(&self, run: usize) -> RunState {
        self.states[run]
    }

    /// Best displayed cost so far of a run that goes on; `None` before its first solution.
    pub(crate) fn best_so_far(&self, run: usize) -> Option<f64> {
        self.best.get(&run).copied().filter(|_| self.state(run) == RunState::Running)
    }

    /// True if the clock matters to a run that goes on or waits.
    pub(crate) fn has_timed(&self) -> bool {
        self.left().any(RunSpec::is_timed)
    }

    /// Row of a run; `None` before its end.
    pub(super) fn row(&self, run: usize) -> Option<&Row> {
        self.row_of[run].and_then(|place| self.rows.get(place))
    }

    pub(super) fn count(&self, state: RunState) -> usize {
        self.counts.get(&state).copied().unwrap_or_default()
    }

    pub(super) fn total(&self) -> usize {
        self.states.len()
    }

    /// Number of runs with a row.
    pub(super) fn ended(&self) -> usize {
        [RunState::Done, RunState::Infeasible, RunState::Failed].into_iter().map(|state| self.count(state)).sum()
    }

    /// Runs without a row, those that go on included.
    pub(super) fn left(&self) -> impl Iterator<Item = &RunSpec> {
        let runs = self.campaign.runs.iter().zip(&self.states);
        runs.filter(|(_, state)| !state.has_ended()).map(|(run, _)| run)
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Improvements of the runs.
    pub(super) fn curves(&self) -> &Curves {
        &self.curves
    }

    /// Number that changes with every state and row.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Failed runs of the plan: the run and its reason.
    pub(super) fn failures(&self) -> Vec<(&RunSpec, &str)> {
        let failed = (0..self.total()).filter(|&run| self.states[run] == RunState::Failed);
        failed.filter_map(|run| Some((&self.campaign.runs[run], self.row(run)?.failure.as_str()))).collect()
    }

    /// A run in words: instance, algorithm, seed and backend, then state, cost, gap, time and reason as far as they are known.
    pub(super) fn describe(&self, run: usize) -> String {
        let spec = &self.campaign.runs[run];
        let backend = spec.backend_name();
        let mut lines = vec![format!("{}, {}, seed {}, {backend}", instance_name(spec), spec.label, spec.seed)];
        match self.row(run).filter(|_| self.state(run).has_ended()) {
            None => {
                let best = self.best_so_far(run).map(|cost| format!(", best cost so far {}", quantity(rounded(cost))));
                lines.push(format!("{}{}, limit {}", self.state(run).word(), best.unwrap_or_default(), spec.limit()));
            }
            Some(row) => lines.push(result_words(row, self.state(run))),
        }
        lines.join("\n")
    }
}

fn result_words(row: &Row, state: RunState) -> String {
    if !row.failure.is_empty() {
        return format!("failed after {}: {}", duration(row.seconds), row.failure);
    }
    let gap = row.gap.map(|gap| format!(", gap {} %", quantity(rounded(gap))));
    let words = match (state, row.cost_display) {
        (RunState::Done, Some(cost)) => {
            let quantity_name = if row.is_maximised() { "value" } else { "cost" };
            format!("{quantity_name} {}{}", quantity(rounded(cost)), gap.unwrap_or_default())
        }
        _ => "no feasible solution".to_owned(),
    };
    let reason = row.stop_reason.replace('_', " ");
    format!("{words}\n{} on {}; stopped by: {reason}", duration(row.seconds), row.device)
}
