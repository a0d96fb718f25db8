//! The runs of an instance that ended, oldest first.

use super::Run;

/// Runs by number.
#[derive(Debug, Clone)]
pub struct Shelf<F>(Vec<Run<F>>);

impl<F> Default for Shelf<F> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<F> Shelf<F> {
    /// Runs that were kept, oldest first; they are numbered anew.
    pub fn of(runs: impl IntoIterator<Item = Run<F>>) -> Self {
        Self(runs.into_iter().zip(1..).map(|(run, number)| Run { number, ..run }).collect())
    }

    /// All of them, oldest first.
    pub fn all(&self) -> &[Run<F>] {
        &self.0
    }

    /// The run with this number.
    pub fn run(&self, number: usize) -> Option<&Run<F>> {
        self.0.iter().find(|run| run.number == number)
    }

    /// The same, to be changed.
    pub fn run_mut(&mut self, number: usize) -> Option<&mut Run<F>> {
        self.0.iter_mut().find(|run| run.number == number)
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

    /// Takes a run from the list.
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
}
