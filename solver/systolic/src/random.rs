//! Random search, a baseline: 2·l²·τ² random solutions in all, as many as the grid evaluates.
//!
//! An iteration draws 2·N solutions and keeps only the best so far. Random knapsacks are filled item by item, skipping
//! what does not fit.
//!
//! Source: Pedemonte, Luna, Alba (2015), section 5 (algorithm RS).

use std::sync::Arc;

use rayon::prelude::*;

use super::Search;
use super::evaluation::{Evaluation, Key};
use super::grid::Grid;
use super::state::{BestBits, Record, State, purpose, snapshot};
use gridwright_core::random::Philox;
use gridwright_core::search::{Control, Epochs, ImprovementLog, NotedImprovement, Snapshot};
use gridwright_core::{Error, Result};

/// Solutions per task.
const PART: usize = 512;

/// Random search on the CPU.
#[derive(Debug)]
pub(crate) struct RandomSearch<E> {
    evaluation: E,
    philox: Philox,
    /// Solutions per iteration.
    count: usize,
    iteration: u64,
    iterations: u64,
    record: Record,
    threads: Option<Arc<rayon::ThreadPool>>,
    control: Control,
    improvements: ImprovementLog,
}

impl<E: Evaluation> RandomSearch<E> {
    /// Starts a run of `iterations` iterations with one random solution. Without `threads` the calling thread computes
    /// everything.
    pub fn new(evaluation: E, iterations: u64, seed: u64, threads: Option<Arc<rayon::ThreadPool>>) -> Self {
        let (philox, mut words) = (Philox::new(seed), vec![0; evaluation.words()]);
        evaluation.random(philox, 0, 0, purpose::RANDOM, &mut words);
        let sums = evaluation.sums(&words);
        let record = Record { key: evaluation.key(sums), sums, since: 0, words };
        let count = 2 * Grid::new(evaluation.bits()).cells();
        let (control, improvements) = (Control::new(), ImprovementLog::default());
        Self { evaluation, philox, count, iteration: 0, iterations, record, threads, control, improvements }
    }

    /// Continues after `iteration` iterations with this best solution.
    pub fn after(self, iteration: u64, record: Record) -> Self {
        Self { iteration, record, ..self }
    }

    /// Number of solutions evaluated so far.
    fn evaluations(&self) -> u64 {
        1 + self.count as u64 * self.iteration
    }

    /// Best of some solutions of an iteration, incomplete if the run is interrupted: quality and number.
    fn best(&self, iteration: u32, numbers: std::ops::Range<usize>) -> (Key, usize) {
        let mut words = vec![0; self.evaluation.words()];
        let worth = |number: usize| {
            self.evaluation.random(self.philox, iteration, number as u32, purpose::RANDOM, &mut words);
            (self.evaluation.key(self.evaluation.sums(&words)), number)
        };
        let goes_on = |number: &usize| !number.is_multiple_of(PART) || !self.control.is_interrupted();
        numbers.take_while(goes_on).map(worth).min().unwrap_or(((i128::MAX, 0, 0), 0))
    }
}

impl<E: Evaluation> Epochs for RandomSearch<E> {
    type Solution = BestBits;

    fn advance(&mut self, steps: u32) -> Result<()> {
        for _ in 0..steps {
            let iteration = self.iteration as u32 + 1;
            let part = |part: usize| self.best(iteration, part * PART..((part + 1) * PART).min(self.count));
            let (key, number) = match &self.threads {
                None => self.best(iteration, 0..self.count),
                Some(threads) => threads.install(|| {
                    let parts = (0..self.count.div_ceil(PART)).into_par_iter().map(part);
                    parts.min().unwrap_or(((i128::MAX, 0, 0), 0))
                }),
            };
            if self.control.is_over() {
                return Err(Error::Cancelled);
            }
            self.iteration += 1;
            if key < self.record.key {
                let mut words = vec![0; self.evaluation.words()];
                self.evaluation.random(self.philox, iteration, number as u32, purpose::RANDOM, &mut words);
                self.record = Record { key, sums: self.evaluation.sums(&words), since: iteration, words };
                self.improvements.note(self.iteration, self.evaluations(), self.evaluation.cost(self.record.sums));
            }
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestBits>> {
        let counts = [self.iteration, self.iterations, self.evaluations()];
        let state = self.state()?;
        let grid = Grid::new(self.evaluation.bits());
        Ok(snapshot(&self.evaluation, &state, Some(&self.record), counts, (grid, None)))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }
}

impl<E: Evaluation> Search for RandomSearch<E> {
    fn reached(&mut self) -> Result<(f64, u64)> {
        Ok((self.evaluation.cost(self.record.sums), self.record.since.into()))
    }

    fn state(&mut self) -> Result<State> {
        Ok(self.record.as_state())
    }

    fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
    }
}
