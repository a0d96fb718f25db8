//! The runs of an instance that ended, oldest first.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_core::Error;
use gridwright_core::result::RunResult;
use gridwright_core::store::{Store, Stored};

use super::Run;
use crate::widgets::notice::Notice;

/// Runs by number; as a slice, oldest first.
#[derive(Debug, Clone)]
pub struct RunList<F>(Vec<Run<F>>);

impl<F> Default for RunList<F> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<F> Deref for RunList<F> {
    type Target = [Run<F>];

    fn deref(&self) -> &[Run<F>] {
        &self.0
    }
}

impl<'a, F> IntoIterator for &'a RunList<F> {
    type Item = &'a Run<F>;
    type IntoIter = std::slice::Iter<'a, Run<F>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<F> RunList<F> {
    /// The runs that were kept of a document, oldest first, each judged by `validate`; what that leaves out is not listed. Notices
    /// name the files that could not be read.
    pub fn stored(
        (stored, errors): (Vec<Stored>, Vec<Error>), mut validate: impl FnMut(RunResult) -> Option<Run<F>>,
    ) -> (Self, Vec<Notice>) {
        let mut list = Self::default();
        for Stored { path, result } in stored {
            if let Some(run) = validate(result) {
                list.push(Run { name: Store::name_of(&path), path: Some(path), ..run });
            }
        }
        let unread = |error: &Error| Notice::warning("A kept run could not be read", error.to_string());
        (list, errors.iter().map(unread).collect())
    }

    /// Takes in results that are not listed yet, with the names that `name` knows by their places among them.
    pub fn take(
        &mut self, results: &[RunResult], name: impl Fn(usize) -> String,
        mut validate: impl FnMut(RunResult) -> Option<Run<F>>,
    ) {
        for (index, result) in results.iter().enumerate() {
            if self.of(result).is_none()
                && let Some(run) = validate(result.clone())
            {
                self.push(Run { name: name(index), ..run });
            }
        }
    }

    /// Numbers the runs anew in the order in which they ended.
    pub(crate) fn renumber(&mut self) {
        self.0.sort_by_key(|run| run.result.finished_at);
        for (number, run) in (1..).zip(&mut self.0) {
            run.number = number;
        }
    }

    /// Takes in a result from a file, unless it is listed already; its number.
    pub(crate) fn take_file(
        &mut self, path: &Path, result: RunResult, validate: impl FnOnce(RunResult) -> Option<Run<F>>,
    ) -> Option<usize> {
        match self.of(&result) {
            Some(listed) => Some(listed.number),
            None => validate(result).map(|run| self.push(Run { path: Some(path.to_path_buf()), ..run })),
        }
    }

    fn of(&self, result: &RunResult) -> Option<&Run<F>> {
        self.0.iter().find(|run| *run.result == *result)
    }

    /// The run at this position of the project's runs, or of the list if the project has none.
    pub fn at(&self, index: usize, results: &[RunResult]) -> Option<&Run<F>> {
        match results.get(index) {
            Some(result) => self.of(result),
            None => self.0.get(index),
        }
    }

    /// The run with this number; `None` if there is none.
    pub fn run(&self, number: usize) -> Option<&Run<F>> {
        self.0.iter().find(|run| run.number == number)
    }

    /// All of them, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Run<F>> {
        self.0.iter_mut()
    }

    /// Everything that is known of them.
    pub fn results(&self) -> Vec<Arc<RunResult>> {
        self.0.iter().map(|run| Arc::clone(&run.result)).collect()
    }

    /// The number that the next run will have.
    pub fn next_number(&self) -> usize {
        self.0.last().map_or(1, |last| last.number + 1)
    }

    /// Puts a run at the end of the list; returns its number.
    pub fn push(&mut self, run: Run<F>) -> usize {
        let number = self.next_number();
        self.0.push(Run { number, ..run });
        number
    }

    /// Takes a run from the list; `None` if no run has this number.
    pub fn remove(&mut self, number: usize) -> Option<Run<F>> {
        let index = self.0.iter().position(|run| run.number == number)?;
        Some(self.0.remove(index))
    }

    /// Puts a run back to where it was, with another number where its own is taken; returns its number.
    pub fn insert(&mut self, mut run: Run<F>) -> usize {
        if self.run(run.number).is_some() {
            run.number = self.next_number();
        }
        let number = run.number;
        self.0.insert(self.0.partition_point(|other| other.number < number), run);
        number
    }

    /// Names a run; where it is kept, or `None` where it has that name already or is not there.
    pub fn rename(&mut self, number: usize, name: &str) -> Option<Option<PathBuf>> {
        let run = self.0.iter_mut().find(|run| run.number == number && run.name != name)?;
        name.clone_into(&mut run.name);
        Some(run.path.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::RunStatus;
    use gridwright_core::testing::result;

    #[test]
    fn runs_are_numbered_in_the_order_in_which_they_ended() {
        let mut list = RunList::default();
        let run = |result: RunResult| Some(Run::new(result, RunStatus::Valid, ()));
        // A run that was interrupted is found before those that a project brings along.
        list.push(run(result(3, 300)).unwrap());
        list.take(&[result(1, 100), result(2, 200)], |_| String::new(), run);
        list.renumber();
        let order: Vec<(usize, u64)> = list.iter().map(|run| (run.number, run.result.seed)).collect();
        assert_eq!(order, [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(list.next_number(), 4);
    }
}
