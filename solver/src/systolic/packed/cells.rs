//! Computation of the cells in one iteration: evaluation of both children, acceptance.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use super::slots::{SlotView, Slots};
use crate::systolic::evaluation::{Evaluation, Sums};
use crate::systolic::grid::{Cell, Flavour, Grid};

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
        Self {
            populations,
            stretches: cells.chunks(grid.bits).map(stretches::<E>).collect(),
            evaluation,
            grid,
            flavour,
            cells,
        }
    }

    /// Computes the cells of some columns of a row.
    #[inline(always)]
    pub fn work(&self, iteration: u64, row: usize, columns: Range<usize>) {
        let runs = self.grid.runs(self.flavour, iteration, row);
        let cells = &self.cells[row * self.grid.bits..][..self.grid.bits];
        for stretch in &self.stretches[row] {
            let (mut from, to) = (stretch.columns.start.max(columns.start), stretch.columns.end.min(columns.end));
            while from < to {
                // Up to the column where the slots of a stream wrap around.
                let turns = runs.map(|run| run.high - run.start).into_iter();
                let until = turns.filter(|&turn| turn > from).fold(to, usize::min);
                let slots = runs.map(|run| (&self.populations[run.population], run.slot(from)));
                self.side_by_side(iteration, stretch, &cells[from..until], slots);
                from = until;
            }
        }
    }

    /// Computes consecutive cells whose slots are consecutive, too.
    #[inline(always)]
    fn side_by_side(&self, iteration: u64, stretch: &Stretch, cells: &[Cell], slots: [(&Slots, usize); 2]) {
        let &Stretch { begin, end, at, .. } = stretch;
        let views = slots.map(|(slots, from)| slots.view::<E>([begin, end, at], from, cells.len()));
        for (place, &cell) in cells.iter().enumerate() {
            let children = self.children(stretch, cell, &views, place);
            let parents = views.map(|view| view.sums::<E>(place));
            let accepts = [0, 1].map(|stream| self.evaluation.better(children[stream], parents[stream]));
            if accepts != [false; 2] {
                let slots = slots.map(|(slots, from)| (slots, from + place));
                self.accept(iteration, cell, slots, accepts, children);
            }
        }
    }

    /// Sums of both children of a cell.
    #[inline(always)]
    fn children(&self, stretch: &Stretch, cell: Cell, [a, b]: &[SlotView<'_>; 2], place: usize) -> [Sums; 2] {
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
                let (one, other) = (a.between(&self.evaluation, place), b.between(&self.evaluation, place));
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
        for (sums, word) in sums.iter_mut().zip([one, other]) {
            let gain = self.evaluation.flip(cell.mutated as usize, word ^ exchanged);
            *sums = [sums[0] + gain[0], sums[1] + gain[1]];
        }
        sums
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
                let [one, other] = slots.map(|(slots, slot)| slots.word(word, slot));
                let exchanged = (one ^ other) & mask;
                if exchanged != 0 {
                    self.evaluation.exchange(word, one, other, exchanged, &mut gains);
                }
                let mut changed = exchanged;
                if word == at {
                    changed ^= 1 << (cell.mutated as usize % E::PER_WORD);
                    for (gains, parent) in gains.iter_mut().zip([one, other]) {
                        let gain = self.evaluation.flip(cell.mutated as usize, parent ^ exchanged);
                        *gains = [gains[0] + gain[0], gains[1] + gain[1]];
                    }
                }
                if changed != 0 {
                    for ((slots, slot), _) in slots.into_iter().zip(accepts).filter(|(_, accepts)| *accepts) {
                        slots.change(word, slot, changed);
                    }
                }
            }
            for (((slots, slot), gain), accepts) in slots.into_iter().zip(gains).zip(accepts) {
                if accepts && word + 1 < each && gain != [0; 2] {
                    slots.add_before::<E>(word + 1, slot, gain);
                }
            }
        }
        for (((slots, slot), sums), accepts) in slots.into_iter().zip(children).zip(accepts) {
            if accepts {
                slots.accept::<E>(slot, sums, iteration as u32 + 1);
            }
        }
    }
}
