//! Improvements of a run: the steps after which the best cost was lower than before.
//!
//! A search notes each improvement where it happens ([`ImprovementLog`], [`ChainTraces`] for chains that advance side by side);
//! the run driver collects the notes after every epoch. Steps, evaluations and costs therefore do not depend on epochs, on
//! the kind of limit or on the number of threads. A search that learns of its best solution only at the end of an epoch,
//! because a device computes it, notes nothing: the driver then records the end of the epoch and marks the improvement as
//! not exact.

use std::time::Instant;

use serde::{Deserialize, Serialize};

/// State of a search after a step that lowered the best cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Improvement {
    /// Generations or steps done.
    pub step: u64,
    /// Solutions or moves evaluated.
    pub evaluations: u64,
    /// Seconds since the run began, pauses left out.
    pub seconds: f64,
    /// Best cost so far; smaller is better.
    pub cost: f64,
    /// True if no earlier step reached a cost below that of the improvement before. False if only the end of an epoch is
    /// known, or if improvements in between were dropped because there were too many.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub exact: bool,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde demands")]
fn is_true(value: &bool) -> bool {
    *value
}

/// An improvement as a search notes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NotedImprovement {
    /// Generations or steps done.
    pub step: u64,
    /// Solutions or moves evaluated.
    pub evaluations: u64,
    /// Best cost so far.
    pub cost: f64,
    /// Time at which the solution was found.
    pub at: Instant,
    /// See [`Improvement::exact`].
    pub exact: bool,
}

/// Improvements that a search has noted since the driver asked last.
#[derive(Debug, Clone, Default)]
pub struct ImprovementLog {
    noted: Vec<NotedImprovement>,
    last: Option<f64>,
}

impl ImprovementLog {
    /// Notes the best cost after a step if it has changed.
    pub fn note(&mut self, step: u64, evaluations: u64, cost: f64) {
        if self.last != Some(cost) {
            self.push(NotedImprovement { step, evaluations, cost, at: Instant::now(), exact: true });
        }
    }

    /// Adds an improvement; steps ascend.
    pub fn push(&mut self, noted: NotedImprovement) {
        self.last = Some(noted.cost);
        self.noted.push(noted);
    }

    /// Returns the notes since the last call.
    pub fn take(&mut self) -> Vec<NotedImprovement> {
        std::mem::take(&mut self.noted)
    }
}

/// A run keeps at most this many improvements.
pub(crate) const MOST_IMPROVEMENTS: usize = 10_000;

/// Improvements of a run, with descending costs.
#[derive(Debug, Default)]
pub(super) struct Improvements {
    list: Vec<Improvement>,
}

impl Improvements {
    /// Adds the state of a search with a new best solution; a state with the same cost as the last one is no improvement.
    ///
    /// A search that prefers a feasible solution may report a higher cost than before: the lower ones were no solutions and
    /// are removed.
    pub(super) fn add(&mut self, state: Improvement) {
        while self.list.last().is_some_and(|last| last.cost < state.cost) {
            self.list.pop();
        }
        let Some(last) = self.list.last() else { return self.list.push(state) };
        if last.cost == state.cost || state.cost.is_nan() {
            return;
        }
        let (step, seconds) = (state.step.max(last.step), state.seconds.max(last.seconds));
        self.list.push(Improvement { step, seconds, ..state });
        if self.list.len() > MOST_IMPROVEMENTS {
            self.thin();
        }
    }

    /// Drops every second one of the older half; the following ones are no longer exact.
    fn thin(&mut self) {
        let (half, mut number) = ((self.list.len() / 2) & !1, 0);
        self.list.retain_mut(|improvement| {
            let is_kept = number > half || number % 2 == 0;
            improvement.exact &= number == 0 || number > half;
            number += 1;
            is_kept
        });
    }

    /// The improvements in the order of their steps.
    pub(super) fn into_list(self) -> Vec<Improvement> {
        self.list
    }
}

/// Evaluations and improvements of one chain, step by step, since the traces were merged last.
#[derive(Debug, Clone, Default)]
pub struct ChainTrace {
    /// Evaluations of the chain before the first step.
    before: u64,
    /// Evaluations of the chain after each step.
    evaluations: Vec<u64>,
    /// Costs below `limit`: number of steps completed before the step that found it, cost, and time.
    found: Vec<(usize, i64, Instant)>,
    /// Least cost known.
    limit: i64,
}

impl ChainTrace {
    /// Notes the end of a step: cost of the present solution and evaluations of the chain so far.
    #[inline(always)]
    pub fn end_step(&mut self, cost: i64, evaluations: u64) {
        if cost < self.limit {
            self.limit = cost;
            self.found.push((self.evaluations.len(), cost, Instant::now()));
        }
        self.evaluations.push(evaluations);
    }

    /// Evaluations of the chain after `steps` steps.
    fn evaluations_after(&self, steps: usize) -> u64 {
        let last = steps.min(self.evaluations.len());
        last.checked_sub(1).map_or(self.before, |at| self.evaluations[at])
    }
}

/// Entries of all traces together between two merges; bounds the memory.
const TRACED: usize = 1 << 17;

/// Improvements of a search whose chains advance side by side; the best cost is the sum over the components of the least
/// cost among the component's chains.
#[derive(Debug, Clone, Default)]
pub struct ChainTraces {
    /// Least cost of each component so far.
    best: Vec<i64>,
    log: ImprovementLog,
}

impl ChainTraces {
    /// Largest number of steps after which the traces of `chains` chains have to be merged.
    pub fn most_steps(chains: usize) -> u32 {
        (TRACED / chains.max(1)).max(1) as u32
    }

    /// Begins with the least cost of each component.
    pub fn begin(&mut self, best: Vec<i64>) {
        self.best = best;
    }

    /// Empties the trace of a chain of `component` that has made `evaluations` evaluations.
    pub fn prepare(&self, trace: &mut ChainTrace, component: usize, evaluations: u64) {
        trace.before = evaluations;
        trace.evaluations.clear();
        trace.found.clear();
        trace.limit = self.best.get(component).copied().unwrap_or(i64::MAX);
    }

    /// Merges the traces of all chains, component by component with equally many chains. `steps` are the steps of the search
    /// that the traces cover, `done(component, step)` is the number of steps of a component's chains up to a step of the
    /// search, and `shown` converts a cost into that of snapshots.
    pub fn merge(
        &mut self, traces: &[&ChainTrace], steps: std::ops::RangeInclusive<u64>, done: impl Fn(usize, u64) -> usize,
        shown: impl Fn(i64) -> f64,
    ) {
        let per = (traces.len() / self.best.len().max(1)).max(1);
        let (first, last) = (*steps.start(), *steps.end());
        let mut found: Vec<(u64, usize, i64, Instant)> = Vec::new();
        for (number, trace) in traces.iter().enumerate() {
            let component = number / per;
            found.extend(trace.found.iter().map(|&(before, cost, at)| {
                let (mut low, mut high) = (first, last);
                while low < high {
                    let middle = low + (high - low) / 2;
                    if done(component, middle) > before { high = middle } else { low = middle + 1 }
                }
                (low, component, cost, at)
            }));
        }
        found.sort_by_key(|&(step, ..)| step);
        let mut improvements: Vec<NotedImprovement> = Vec::new();
        for found in found.chunk_by(|one, other| one.0 == other.0) {
            let before: i64 = self.best.iter().sum();
            for &(_, component, cost, _) in found {
                self.best[component] = self.best[component].min(cost);
            }
            let cost: i64 = self.best.iter().sum();
            if cost < before {
                let step = found[0].0;
                let evaluations =
                    |(number, trace): (usize, &&ChainTrace)| trace.evaluations_after(done(number / per, step));
                let evaluations = traces.iter().enumerate().map(evaluations).sum();
                let at = found.iter().map(|found| found.3).max().unwrap_or_else(Instant::now);
                improvements.push(NotedImprovement { step, evaluations, cost: shown(cost), at, exact: true });
            }
        }
        // Threads reach a step at different times: a cost counts as reached once a lower one is.
        let mut earliest = None;
        for improvement in improvements.iter_mut().rev() {
            improvement.at = earliest.map_or(improvement.at, |earliest| improvement.at.min(earliest));
            earliest = Some(improvement.at);
        }
        improvements.into_iter().for_each(|improvement| self.log.push(improvement));
    }

    /// Returns the improvements since the last call.
    pub fn take(&mut self) -> Vec<NotedImprovement> {
        self.log.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn improvement(step: u64, cost: f64) -> Improvement {
        Improvement { step, evaluations: step, seconds: step as f64, cost, exact: true }
    }

    #[test]
    fn costs_descend_and_what_was_no_solution_goes() {
        let mut improvements = Improvements::default();
        for (step, cost) in [(0, 9.0), (3, 5.0), (4, 5.0), (6, 2.0), (7, 6.0), (9, 1.0)] {
            improvements.add(improvement(step, cost));
        }
        assert_eq!(
            improvements.into_list(),
            [(0, 9.0), (7, 6.0), (9, 1.0)].map(|(step, cost)| improvement(step, cost))
        );
    }

    #[test]
    fn many_improvements_are_thinned_and_say_so() {
        let mut improvements = Improvements::default();
        for step in 0..=50_000_u64 {
            improvements.add(improvement(step, -(step as f64)));
        }
        let list = improvements.into_list();
        assert!(list.len() <= MOST_IMPROVEMENTS && list.len() > MOST_IMPROVEMENTS / 2, "{}", list.len());
        assert_eq!((list[0].step, list[list.len() - 1].step), (0, 50_000));
        for pair in list.windows(2) {
            assert_eq!(pair[1].exact, pair[0].step + 1 == pair[1].step, "{pair:?}");
        }
    }

    /// Two components with one chain each; the second makes one step to two of the search.
    #[test]
    fn traces_of_several_components_are_merged_by_steps_of_the_search() {
        let mut traces = ChainTraces::default();
        traces.begin(vec![100, 50]);
        let (mut large, mut small) = (ChainTrace::default(), ChainTrace::default());
        traces.prepare(&mut large, 0, 1_000);
        traces.prepare(&mut small, 1, 10);
        for (step, cost) in [100, 90, 95, 80].into_iter().enumerate() {
            large.end_step(cost, 1_000 + 5 * (step as u64 + 1));
        }
        for (step, cost) in [45, 60].into_iter().enumerate() {
            small.end_step(cost, 10 + step as u64 + 1);
        }
        let done = |component: usize, step: u64| (step - 7) as usize / (component + 1);
        traces.merge(&[&large, &small], 8..=11, done, |cost| cost as f64);
        let noted: Vec<_> = traces.take().iter().map(|noted| (noted.step, noted.evaluations, noted.cost)).collect();
        // Step 9 ends the second step of the first component and the first one of the second.
        assert_eq!(noted, [(9, 1_010 + 11, 135.0), (11, 1_020 + 12, 125.0)]);
        assert!(traces.take().is_empty());
    }
}
