//! CPU implementation of the systolic grid with packed bits and differential evaluation.
//!
//! Solutions stay in their slots (see [`super::grid`]) and are written only when a child is accepted. A child's sums
//! are those of its parent plus the change by the exchanged segment and the flipped bit. Only the first and the last
//! word of a segment are examined, where the parents differ; the words between contribute a difference of prefix sums
//! ([`slots`]), and the same gain with opposite signs serves both children.
//!
//! No slot ever gets worse, so the best solution present is the best so far, and the iteration kept with each slot says
//! when it was found. The least cost of all accepted children is kept as one number, so that each improvement is noted with
//! its iteration.
//!
//! Concurrency: words are atomic because threads share them. In an iteration a slot belongs to one cell and thereby to
//! one thread, and the join at its end orders iterations; `Relaxed` suffices, and results do not depend on the number
//! of threads.

mod cells;
mod slots;

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use self::cells::Cells;
use self::slots::Slots;
use super::Search;
use super::evaluation::{Evaluation, Sums};
use super::grid::{Flavour, Grid};
use super::rules::GridParameters;
use super::state::{BestBits, State, best_of, snapshot};
use gridwright_core::search::{Control, Epochs, ImprovementLog, NotedImprovement, Snapshot};
use gridwright_core::{Error, Result};

/// Cells per task; smaller tasks cost more to schedule than to compute.
const PART: usize = 320;

/// Number of cells below which one thread computes the grid.
const FEW: usize = 2_048;

/// Systolic grid on the CPU.
#[derive(Debug)]
pub(crate) struct PackedGrid<E> {
    cells: Cells<E>,
    iteration: u64,
    iterations: u64,
    threads: Option<Arc<rayon::ThreadPool>>,
    control: Control,
    improvements: ImprovementLog,
}

impl<E: Evaluation> PackedGrid<E> {
    /// Starts a run from its first solutions. Without `threads` the calling thread computes everything.
    pub fn new(
        evaluation: E, flavour: Flavour, parameters: &GridParameters, seed: u64,
        threads: Option<Arc<rayon::ThreadPool>>,
    ) -> Self {
        let grid = parameters.grid(evaluation.bits());
        let half = grid.cells();
        // One population after the other: on large instances the solutions take hundreds of MiB.
        let populations = [0, half].map(|from| {
            let numbers = from..from + half;
            let state = State::first(&evaluation, parameters.start, half, seed, numbers, threads.as_deref());
            Slots::new(&evaluation, &state, 0, half)
        });
        Self::of(Cells::new(evaluation, flavour, grid, populations), parameters.iterations, 0, threads)
    }

    /// Continues from the state after `iteration` iterations.
    pub fn resume(
        evaluation: E, flavour: Flavour, parameters: &GridParameters, iteration: u64, state: &State,
        threads: Option<Arc<rayon::ThreadPool>>,
    ) -> Self {
        let grid = parameters.grid(evaluation.bits());
        let half = grid.cells();
        let populations = [0, half].map(|from| Slots::new(&evaluation, state, from, half));
        Self::of(Cells::new(evaluation, flavour, grid, populations), parameters.iterations, iteration, threads)
    }

    fn of(cells: Cells<E>, iterations: u64, iteration: u64, threads: Option<Arc<rayon::ThreadPool>>) -> Self {
        let threads = threads.filter(|threads| threads.current_num_threads() > 1 && cells.grid.cells() >= FEW);
        let (control, improvements) = (Control::new(), ImprovementLog::default());
        Self { cells, iteration, iterations, threads, control, improvements }
    }

    /// Copies all solutions.
    pub fn all(&self) -> State {
        let mut state = State { words: Vec::new(), sums: Vec::new(), since: Vec::new() };
        self.cells.populations.iter().for_each(|slots| slots.append_to(&mut state));
        state
    }

    /// Cells that accepted a child in the last iteration, row by row: number of the cell and, per stream, whether it
    /// accepted.
    pub fn accepted(&self) -> Vec<(u32, [bool; 2])> {
        let Some(last) = self.iteration.checked_sub(1) else { return Vec::new() };
        let Cells { grid, flavour, populations, .. } = &self.cells;
        let mut accepted = Vec::new();
        for row in 0..grid.rows {
            let runs = grid.runs(*flavour, last, row);
            for column in 0..grid.bits {
                let now =
                    runs.map(|run| u64::from(populations[run.population].since(run.slot(column))) == self.iteration);
                if now != [false; 2] {
                    accepted.push(((row * grid.bits + column) as u32, now));
                }
            }
        }
        accepted
    }
}

/// Several iterations in one thread, compiled for the vector unit of the processor. They are incomplete if the run is
/// cancelled meanwhile.
struct Alone<'a, E> {
    cells: &'a Cells<E>,
    iterations: Range<u64>,
    control: &'a Control,
    improvements: &'a mut ImprovementLog,
}

impl<E: Evaluation> pulp::NullaryFnOnce for Alone<'_, E> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { cells, iterations, control, improvements } = self;
        for iteration in iterations {
            for row in 0..cells.grid.rows {
                if control.is_interrupted() {
                    return;
                }
                cells.work(iteration, row, 0..cells.grid.bits);
            }
            cells.note_improvement(iteration, improvements);
        }
    }
}

/// Cells of a row in one iteration, compiled for the vector unit of the processor.
struct Part<'a, E> {
    cells: &'a Cells<E>,
    iteration: u64,
    row: usize,
    columns: Range<usize>,
}

impl<E: Evaluation> pulp::NullaryFnOnce for Part<'_, E> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.cells.work(self.iteration, self.row, self.columns);
    }
}

impl<E: Evaluation> Epochs for PackedGrid<E> {
    type Solution = BestBits;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let Self { cells, control, improvements, .. } = self;
        let (arch, cells, control) = (pulp::Arch::new(), &*cells, &*control);
        let iterations = self.iteration..self.iteration + u64::from(steps);
        match &self.threads {
            None => arch.dispatch(Alone { cells, iterations: iterations.clone(), control, improvements }),
            Some(threads) => threads.install(|| {
                let Grid { bits, rows, .. } = cells.grid;
                let parts = bits.div_ceil(PART);
                for iteration in iterations.clone() {
                    if control.is_interrupted() {
                        return;
                    }
                    (0..rows * parts).into_par_iter().for_each(|number| {
                        let (row, begin) = (number / parts, number % parts * PART);
                        let columns = begin..(begin + PART).min(bits);
                        arch.dispatch(Part { cells, iteration, row, columns });
                    });
                    cells.note_improvement(iteration, improvements);
                }
            }),
        }
        if control.is_over() {
            return Err(Error::Cancelled);
        }
        self.iteration = iterations.end;
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestBits>> {
        let Cells { evaluation, flavour, grid, .. } = &self.cells;
        let counts = [self.iteration, self.iterations, self.cells.evaluations(self.iteration)];
        Ok(snapshot(evaluation, &self.cells.populations, None, counts, (*grid, Some(*flavour))))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }
}

impl<E: Evaluation> Search for PackedGrid<E> {
    fn reached(&mut self) -> Result<(f64, u64)> {
        let sums: Vec<Sums> = self.cells.populations.iter().flat_map(Slots::all_sums).collect();
        let since: Vec<u32> = self.cells.populations.iter().flat_map(Slots::all_since).collect();
        let (number, _, since) = best_of(&self.cells.evaluation, &sums, &since);
        Ok((self.cells.evaluation.cost(sums[number]), since.into()))
    }

    fn state(&mut self) -> Result<State> {
        Ok(self.all())
    }

    fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
    }
}

#[cfg(test)]
mod tests;
