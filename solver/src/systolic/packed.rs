//! The grid on the CPU, fast: solutions stay in their slots and are written only where a child is accepted.
//!
//! A cell looks at the words of its segment: where its parents differ is all that it has to add up (see [`super::evaluation`]). Words
//! are atomic so that threads may share them. In an iteration a slot belongs to one cell, which one thread works on: nothing is
//! read that another thread writes, and the join at the end of an iteration orders iterations. So `Relaxed` suffices, and any
//! number of threads gives the same numbers.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::Search;
use super::evaluation::{Evaluation, Sums};
use super::grid::{Cell, Flavour, Grid};
use super::state::{Found, State, best_of, snapshot};
use crate::Result;
use crate::search::{Epochs, Snapshot};

/// Cells that a thread takes at once; fewer would cost more to hand out than to compute.
const PART: usize = 320;

/// Cells below which one thread does everything.
const FEW: usize = 2_048;

/// The slots of a population.
#[derive(Debug)]
struct Slots {
    words: Vec<AtomicU64>,
    sums: Vec<[AtomicI64; 2]>,
    since: Vec<AtomicU32>,
}

/// The cells and their solutions.
#[derive(Debug)]
struct Cells<E> {
    evaluation: E,
    grid: Grid,
    cells: Vec<Cell>,
    flavour: Flavour,
    /// Words of a solution.
    each: usize,
    populations: [Slots; 2],
}

/// The grid on the CPU.
#[derive(Debug)]
pub struct PackedGrid<E> {
    cells: Cells<E>,
    iteration: u64,
    iterations: u64,
    threads: Option<Arc<rayon::ThreadPool>>,
}

impl<E: Evaluation> PackedGrid<E> {
    /// Before the first iteration of `iterations`. Without `threads` everything is done in the calling thread.
    pub fn new(
        evaluation: E,
        flavour: Flavour,
        iterations: u64,
        seed: u64,
        threads: Option<Arc<rayon::ThreadPool>>,
    ) -> Self {
        let count = 2 * Grid::new(evaluation.bits()).cells();
        let state = State::random(&evaluation, seed, count);
        Self::resume(evaluation, flavour, iterations, 0, &state, threads)
    }

    /// From a state after so many iterations on.
    pub fn resume(
        evaluation: E,
        flavour: Flavour,
        iterations: u64,
        iteration: u64,
        state: &State,
        threads: Option<Arc<rayon::ThreadPool>>,
    ) -> Self {
        let grid = Grid::new(evaluation.bits());
        let (each, half) = (evaluation.words(), grid.cells());
        let slots = |from: usize| {
            let range = from * half..(from + 1) * half;
            let words = &state.words[range.start * each..range.end * each];
            Slots {
                words: words.iter().map(|&word| AtomicU64::new(word)).collect(),
                sums: state.sums[range.clone()].iter().map(|sums| sums.map(AtomicI64::new)).collect(),
                since: state.since[range].iter().map(|&since| AtomicU32::new(since)).collect(),
            }
        };
        let populations = [slots(0), slots(1)];
        let threads = threads.filter(|threads| threads.current_num_threads() > 1 && half >= FEW);
        let cells = Cells { cells: grid.all_cells(), evaluation, grid, flavour, each, populations };
        Self { cells, iteration, iterations, threads }
    }

    /// All solutions as they are now.
    pub fn all(&self) -> State {
        let both = || self.cells.populations.iter();
        State {
            words: both().flat_map(|slots| slots.words.iter().map(|word| word.load(Relaxed))).collect(),
            sums: both().flat_map(|slots| slots.sums.iter().map(load)).collect(),
            since: both().flat_map(|slots| slots.since.iter().map(|since| since.load(Relaxed))).collect(),
        }
    }

    /// The cells that accepted a child in the last iteration, row by row: the cell's number, and for either stream whether.
    pub fn accepted(&self) -> Vec<(u32, [bool; 2])> {
        let Some(last) = self.iteration.checked_sub(1) else { return Vec::new() };
        let Cells { grid, flavour, populations, .. } = &self.cells;
        let mut accepted = Vec::new();
        for row in 0..grid.rows {
            let runs = grid.runs(*flavour, last, row);
            for column in 0..grid.bits {
                let now = runs.map(|run| {
                    let since = &populations[run.population].since[run.slot(column)];
                    u64::from(since.load(Relaxed)) == self.iteration
                });
                if now != [false; 2] {
                    accepted.push(((row * grid.bits + column) as u32, now));
                }
            }
        }
        accepted
    }

    /// The problem.
    pub fn evaluation(&self) -> &E {
        &self.cells.evaluation
    }
}

fn load(sums: &[AtomicI64; 2]) -> Sums {
    [sums[0].load(Relaxed), sums[1].load(Relaxed)]
}

impl Slots {
    #[inline(always)]
    fn accept(&self, slot: usize, sums: Sums, iteration: u64) {
        self.sums[slot][0].store(sums[0], Relaxed);
        self.sums[slot][1].store(sums[1], Relaxed);
        self.since[slot].store(iteration as u32 + 1, Relaxed);
    }
}

impl<E: Evaluation> Cells<E> {
    /// What some cells of a row do in an iteration.
    #[inline(always)]
    fn work(&self, iteration: u64, row: usize, columns: Range<usize>) {
        let runs = self.grid.runs(self.flavour, iteration, row);
        let [one, other] = runs.map(|run| &self.populations[run.population]);
        let cells = &self.cells[row * self.grid.bits..][columns.clone()];
        for (column, &cell) in columns.zip(cells) {
            let slots = runs.map(|run| run.slot(column));
            let words = |slots: &'_ Slots, slot: usize| -> Range<usize> {
                debug_assert!(slot < slots.since.len());
                slot * self.each..(slot + 1) * self.each
            };
            let (a, b) = (&one.words[words(one, slots[0])], &other.words[words(other, slots[1])]);
            let parents = [load(&one.sums[slots[0]]), load(&other.sums[slots[1]])];
            let accepts = self.children(cell, a, b, parents);
            if let Some(sums) = accepts[0] {
                one.accept(slots[0], sums, iteration);
            }
            if let Some(sums) = accepts[1] {
                other.accept(slots[1], sums, iteration);
            }
        }
    }

    /// What one cell does: makes both children and writes those that are better than their parents; the sums of these.
    #[inline(always)]
    fn children(&self, cell: Cell, a: &[AtomicU64], b: &[AtomicU64], parents: [Sums; 2]) -> [Option<Sums>; 2] {
        let per_word = E::PER_WORD as u32;
        let (begin, end) = ((cell.first / per_word) as usize, (cell.last / per_word) as usize);
        let from_first = E::FULL << (cell.first % per_word);
        let to_last = E::FULL >> (per_word - 1 - cell.last % per_word);
        let mask = |word: usize| {
            let mask = if word == begin { from_first } else { u64::MAX };
            mask & if word == end { to_last } else { u64::MAX }
        };
        let mut gains = [[0; 2]; 2];
        for word in begin..=end {
            let (one, other) = (a[word].load(Relaxed), b[word].load(Relaxed));
            let differing = (one ^ other) & mask(word);
            if differing != 0 {
                self.evaluation.exchange(word, one, other, differing, &mut gains);
            }
        }
        let (at, bit) = ((cell.mutated / per_word) as usize, 1 << (cell.mutated % per_word));
        let (one, other) = (a[at].load(Relaxed), b[at].load(Relaxed));
        let exchanged = if (begin..=end).contains(&at) { (one ^ other) & mask(at) } else { 0 };
        let flips = [one, other].map(|word| self.evaluation.flip(cell.mutated as usize, word ^ exchanged));
        let mut accepts = [None; 2];
        for stream in 0..2 {
            let sum = |number: usize| parents[stream][number] + gains[stream][number] + flips[stream][number];
            let child = [sum(0), sum(1)];
            if self.evaluation.better(child, parents[stream]) {
                accepts[stream] = Some(child);
            }
        }
        if accepts != [None; 2] {
            for word in begin..=end {
                let (one, other) = (a[word].load(Relaxed), b[word].load(Relaxed));
                let differing = (one ^ other) & mask(word);
                for (words, accepts) in [(a, accepts[0]), (b, accepts[1])] {
                    if accepts.is_some() {
                        words[word].store(words[word].load(Relaxed) ^ differing, Relaxed);
                    }
                }
            }
            for (words, accepts) in [(a, accepts[0]), (b, accepts[1])] {
                if accepts.is_some() {
                    words[at].store(words[at].load(Relaxed) ^ bit, Relaxed);
                }
            }
        }
        accepts
    }
}

/// Some iterations in one thread, compiled for the vector unit that is there.
struct Alone<'a, E> {
    cells: &'a Cells<E>,
    iterations: Range<u64>,
}

impl<E: Evaluation> pulp::NullaryFnOnce for Alone<'_, E> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { cells, iterations } = self;
        for iteration in iterations {
            for row in 0..cells.grid.rows {
                cells.work(iteration, row, 0..cells.grid.bits);
            }
        }
    }
}

/// Some cells of a row in one iteration, likewise.
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
    type Solution = Found;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let (arch, cells) = (pulp::Arch::new(), &self.cells);
        let iterations = self.iteration..self.iteration + u64::from(steps);
        match &self.threads {
            None => arch.dispatch(Alone { cells, iterations: iterations.clone() }),
            Some(threads) => threads.install(|| {
                let Grid { bits, rows } = cells.grid;
                let parts = bits.div_ceil(PART);
                for iteration in iterations.clone() {
                    (0..rows * parts).into_par_iter().for_each(|number| {
                        let (row, begin) = (number / parts, number % parts * PART);
                        let columns = begin..(begin + PART).min(bits);
                        arch.dispatch(Part { cells, iteration, row, columns });
                    });
                }
            }),
        }
        self.iteration = iterations.end;
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Found>> {
        let Cells { evaluation, flavour, grid, .. } = &self.cells;
        // The first solutions are evaluated, too.
        let evaluations = 2 * grid.cells() as u64 * (self.iteration + 1);
        let counts = [self.iteration, self.iterations, evaluations];
        Ok(snapshot(evaluation, self.all(), None, counts, Some(*flavour)))
    }
}

impl<E: Evaluation> Search for PackedGrid<E> {
    fn reached(&mut self) -> Result<(f64, u64)> {
        let both = || self.cells.populations.iter();
        let sums: Vec<Sums> = both().flat_map(|slots| slots.sums.iter().map(load)).collect();
        let since: Vec<u32> = both().flat_map(|slots| slots.since.iter().map(|since| since.load(Relaxed))).collect();
        let (number, _, since) = best_of(&self.cells.evaluation, &sums, &since);
        Ok((self.cells.evaluation.cost(sums[number]), since.into()))
    }

    fn state(&mut self) -> Result<State> {
        Ok(self.all())
    }
}

#[cfg(test)]
mod tests;
