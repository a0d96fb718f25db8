//! Computation of the cells in one iteration: evaluation of both children, acceptance.

use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::slots::{SlotView, Slots};
use crate::evaluation::{Evaluation, Sums};
use crate::grid::{Cell, Flavour, Grid};
use gridwright_core::lanes::both;
use gridwright_core::search::ImprovementLog;

/// Consecutive cells of a row whose segments begin, end and are mutated in the same words.
#[derive(Debug)]
struct Stretch {
    columns: Range<usize>,
    begin: usize,
    end: usize,
    /// Word of the flipped bit.
    at: usize,
}

/// Cells with their solutions.
#[derive(Debug)]
pub(super) struct Cells<E> {
    pub evaluation: E,
    pub grid: Grid,
    pub flavour: Flavour,
    pub populations: [Slots; 2],
    cells: Vec<Cell>,
    /// Stretches of each row.
    stretches: Vec<Vec<Stretch>>,
    /// Least cost of all solutions so far, see [`ordered`].
    least: AtomicU64,
}

/// A number whose order is that of costs.
#[inline(always)]
fn ordered(cost: f64) -> u64 {
    let bits = cost.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// The cost of an [`ordered`] number.
fn cost_of(ordered: u64) -> f64 {
    f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
}

/// Masks of the segment in its first and in its last word.
#[inline(always)]
fn masks<E: Evaluation>(cell: Cell, begin: usize, end: usize) -> [u64; 2] {
    let first = cell.first - (begin * E::PER_WORD) as u32;
    let last = cell.last - (end * E::PER_WORD) as u32;
    [E::FULL << first & E::FULL, E::FULL >> (E::PER_WORD as u32 - 1 - last)]
}

fn stretches<E: Evaluation>(cells: &[Cell]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for (column, cell) in cells.iter().enumerate() {
        let [begin, end, at] = [cell.first, cell.last, cell.mutated].map(|bit| bit as usize / E::PER_WORD);
        match stretches.last_mut() {
            Some(last) if (last.begin, last.end, last.at) == (begin, end, at) => last.columns.end = column + 1,
            _ => stretches.push(Stretch { columns: column..column + 1, begin, end, at }),
        }
    }
    stretches
}

impl<E: Evaluation> Cells<E> {
    /// Cells with the solutions of both populations.
    pub fn new(evaluation: E, flavour: Flavour, grid: Grid, populations: [Slots; 2]) -> Self {
        let cells = grid.all_cells();
        let initial = populations.iter().flat_map(Slots::all_sums).map(|sums| ordered(evaluation.cost(sums)));
        Self {
            least: AtomicU64::new(initial.min().unwrap_or(u64::MAX)),
            populations,
            stretches: cells.chunks(grid.bits).map(stretches::<E>).collect(),
            evaluation,
            grid,
            flavour,
            cells,
        }
    }

    /// Number of solutions evaluated up to an iteration, the initial ones included.
    pub fn evaluations(&self, iteration: u64) -> u64 {
        2 * self.grid.cells() as u64 * (iteration + 1)
    }

    /// Notes the least cost up to the end of an iteration, numbered from 0, if it is lower than before.
    pub fn note_improvement(&self, iteration: u64, improvements: &mut ImprovementLog) {
        let least = cost_of(self.least.load(Relaxed));
        improvements.note(iteration + 1, self.evaluations(iteration + 1), least);
    }

    /// Computes the cells of some columns of a row.
    #[inline(always)]
    pub fn work(&self, iteration: u64, row: usize, columns: Range<usize>) {
        if self.populations[0].is_spaced() {
            self.work_of::<true>(iteration, row, columns);
        } else {
            self.work_of::<false>(iteration, row, columns);
        }
    }

    /// [`Self::work`]; `SPACED` is [`Slots::is_spaced`] of both populations.
    #[inline(always)]
    fn work_of<const SPACED: bool>(&self, iteration: u64, row: usize, columns: Range<usize>) {
        let runs = self.grid.runs(self.flavour, iteration, row);
        let cells = &self.cells[row * self.grid.bits..][..self.grid.bits];
        for stretch in &self.stretches[row] {
            let (mut from, to) = (stretch.columns.start.max(columns.start), stretch.columns.end.min(columns.end));
            while from < to {
                // Up to the column where the slots of a stream wrap around.
                let mut until = to;
                for run in &runs {
                    let turn = run.high - run.start;
                    until = if turn > from { until.min(turn) } else { until };
                }
                let slots = both(|stream| (&self.populations[runs[stream].population], runs[stream].slot(from)));
                self.side_by_side::<SPACED>(iteration, stretch, &cells[from..until], slots);
                from = until;
            }
        }
    }

    /// Computes consecutive cells whose slots are consecutive, too.
    #[inline(always)]
    fn side_by_side<const SPACED: bool>(
        &self, iteration: u64, stretch: &Stretch, cells: &[Cell], slots: [(&Slots, usize); 2],
    ) {
        let &Stretch { begin, end, at, .. } = stretch;
        let views = both(|stream| slots[stream].0.view::<E, SPACED>([begin, end, at], slots[stream].1, cells.len()));
        for (place, &cell) in cells.iter().enumerate() {
            let children = self.children::<SPACED>(stretch, cell, &views, place);
            let accepts = both(|stream| self.evaluation.better(children[stream], views[stream].sums::<E>(place)));
            if accepts[0] || accepts[1] {
                let slots = both(|stream| (slots[stream].0, slots[stream].1 + place));
                self.accept(iteration, cell, slots, accepts, children);
            }
        }
    }

    /// Sums of both children of a cell.
    #[inline(always)]
    fn children<const SPACED: bool>(
        &self, stretch: &Stretch, cell: Cell, [a, b]: &[SlotView<'_>; 2], place: usize,
    ) -> [Sums; 2] {
        let &Stretch { begin, end, at, .. } = stretch;
        let [first, last] = masks::<E>(cell, begin, end);
        let mut sums = [a.sums::<E>(place), b.sums::<E>(place)];
        let mut edge = |word: usize, one: u64, other: u64, mask: u64| {
            let differing = (one ^ other) & mask;
            if differing != 0 {
                self.evaluation.exchange(word, one, other, differing, &mut sums);
            }
        };
        let (one, other) = (a.begin[place].load(Relaxed), b.begin[place].load(Relaxed));
        if begin == end {
            edge(begin, one, other, first & last);
        } else {
            edge(begin, one, other, first);
            edge(end, a.end[place].load(Relaxed), b.end[place].load(Relaxed), last);
            if begin + 1 < end {
                let of = |view: &SlotView<'_>| view.between::<E, SPACED>(&self.evaluation, place);
                let (one, other) = (of(a), of(b));
                for number in 0..E::NUMBERS {
                    let gain = other[number] - one[number];
                    sums[0][number] += gain;
                    sums[1][number] -= gain;
                }
            }
        }
        let (one, other) = (a.at[place].load(Relaxed), b.at[place].load(Relaxed));
        let mut mask = if (begin..=end).contains(&at) { u64::MAX } else { 0 };
        if at == begin {
            mask &= first;
        }
        if at == end {
            mask &= last;
        }
        let exchanged = (one ^ other) & mask;
        both(|stream| {
            let word = if stream == 0 { one } else { other };
            let gain = self.evaluation.flip(cell.mutated as usize, word ^ exchanged);
            [sums[stream][0] + gain[0], sums[stream][1] + gain[1]]
        })
    }

    /// Stores the accepted children; only words that change are written.
    #[inline(never)]
    fn accept(&self, iteration: u64, cell: Cell, slots: [(&Slots, usize); 2], accepts: [bool; 2], children: [Sums; 2]) {
        let [begin, end, at] = [cell.first, cell.last, cell.mutated].map(|bit| bit as usize / E::PER_WORD);
        let [first, last] = masks::<E>(cell, begin, end);
        let each = self.evaluation.words();
        let mut gains = [[0; 2]; 2];
        for word in begin.min(at)..each {
            let mut mask = if (begin..=end).contains(&word) { u64::MAX } else { 0 };
            if word == begin {
                mask &= first;
            }
            if word == end {
                mask &= last;
            }
            if mask != 0 || word == at {
                let [one, other] = both(|stream| slots[stream].0.word(word, slots[stream].1));
                let exchanged = (one ^ other) & mask;
                if exchanged != 0 {
                    self.evaluation.exchange(word, one, other, exchanged, &mut gains);
                }
                let mut changed = exchanged;
                if word == at {
                    changed ^= 1 << (cell.mutated as usize % E::PER_WORD);
                    gains = both(|stream| {
                        let parent = if stream == 0 { one } else { other };
                        let gain = self.evaluation.flip(cell.mutated as usize, parent ^ exchanged);
                        [gains[stream][0] + gain[0], gains[stream][1] + gain[1]]
                    });
                }
                if changed != 0 {
                    for stream in 0..2 {
                        if accepts[stream] {
                            slots[stream].0.change(word, slots[stream].1, changed);
                        }
                    }
                }
            }
            for stream in 0..2 {
                if accepts[stream] && word + 1 < each && gains[stream] != [0; 2] {
                    slots[stream].0.add_before::<E>(word + 1, slots[stream].1, gains[stream]);
                }
            }
        }
        for stream in 0..2 {
            if accepts[stream] {
                slots[stream].0.accept::<E>(slots[stream].1, children[stream], iteration as u32 + 1);
                let cost = ordered(self.evaluation.cost(children[stream]));
                if cost < self.least.load(Relaxed) {
                    self.least.fetch_min(cost, Relaxed);
                }
            }
        }
    }
}
