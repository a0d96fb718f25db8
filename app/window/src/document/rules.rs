//! Runs that differ in a rule of their algorithm: which runs can be compared, and a run again with changed rules.

use gridwright_core::search::{Algorithms, Budget, Stop};

use super::kind::CheckedRun as _;
use super::kind::DocumentKind;
use super::{Document, Run};
use crate::document::kind::Algorithm;
use crate::runs::RunStatus;
use crate::widgets::rule_change::Side;

impl<K: DocumentKind> Document<K> {
    /// Runs of the same algorithm as a run, oldest first, without itself: number and title.
    pub fn runs_beside(&self, number: usize) -> Vec<(usize, String)> {
        let Some(run) = self.run(number) else { return Vec::new() };
        let is_comparable = |other: &&Run<K>| {
            other.number != number
                && other.result.algorithm == run.result.algorithm
                && other.earlier.is_none()
                && !matches!(other.status, RunStatus::Wrong(_))
        };
        self.listed().rev().filter(is_comparable).map(|other| (other.number, other.title())).collect()
    }

    /// Number of the run to compare with: the wanted one, otherwise the last before it, otherwise the next one.
    pub fn run_beside(&self, number: usize, wanted: Option<usize>) -> Option<usize> {
        let others = self.runs_beside(number);
        let numbers = || others.iter().map(|(other, _)| *other);
        numbers()
            .find(|other| Some(*other) == wanted)
            .or_else(|| numbers().rfind(|other| *other < number))
            .or_else(|| numbers().next())
    }

    /// Algorithm of a run with its parameters; `None` if it is no longer known.
    pub fn algorithm_of(&self, number: usize) -> Option<Algorithm<K>> {
        let result = &self.run(number)?.result;
        <Algorithm<K>>::of_result(&result.algorithm, &result.parameters).ok()
    }

    /// Sets algorithm, seed and steps for a run that differs from a run in its rules only, and is shown when it ends.
    pub fn settle_rules(&mut self, number: usize, algorithm: Algorithm<K>) {
        let Some(run) = self.run(number) else { return };
        let (seed, steps) = (run.result.seed, run.result.generations);
        self.awaited = Some(self.next_number());
        self.settings.algorithm = algorithm;
        self.settings.seed = seed;
        self.settings.stop = Stop::after(Budget::Steps(steps));
    }

    /// A run as one side of a comparison; `figure` is its cost in words, `reached` the step in which its best solution was
    /// found.
    pub fn rule_side(&self, run: &Run<K>, figure: String, reached: u64) -> Side {
        Side {
            number: run.number,
            title: run.title(),
            cost: run.checked.cost(),
            figure,
            reached,
            steps: run.result.generations,
            evaluations: run.result.evaluations,
            measured: None,
        }
    }
}
