//! Literal implementation of systolic genetic search, for tests: solutions move
//! from cell to cell, children are built bit by bit and evaluated from scratch.
//!
//! Source: Pedemonte, Luna, Alba (2015), section 3.

use super::grid::{Cell, Flavour, Grid};
use super::{Instance, Kind};

/// Solution that moves through the grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Traveller {
    pub bits: Vec<bool>,
    /// Iteration (from 1; 0: initial) in which it was created.
    pub since: u32,
}

/// Packs bits into words of `per_word` bits.
pub(crate) fn pack(bits: &[bool], per_word: usize) -> Vec<u64> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(per_word).map(word).collect()
}

/// Grid with its solutions, cell by cell in rows.
#[derive(Debug, Clone)]
pub(crate) struct Textbook<'a> {
    instance: &'a Instance,
    flavour: Flavour,
    grid: Grid,
    iteration: u32,
    /// Solution that each cell receives from its left in the next iteration.
    pub horizontal: Vec<Traveller>,
    /// Solution that each cell receives from above.
    pub vertical: Vec<Traveller>,
}

/// Children of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Children {
    /// Bits of the horizontal and the vertical child.
    pub bits: [Vec<bool>; 2],
    /// Per stream, true if the child is better than its parent and replaces it.
    pub accepted: [bool; 2],
}

/// Applies the operators of a cell to two solutions: exchanges the segment, flips the bit, compares each child with its
/// parent.
fn children(instance: &Instance, cell: Cell, horizontal: &[bool], vertical: &[bool]) -> Children {
    let mut bits = [horizontal.to_vec(), vertical.to_vec()];
    let segment = cell.first as usize..=cell.last as usize;
    bits[0][segment.clone()].copy_from_slice(&vertical[segment.clone()]);
    bits[1][segment.clone()].copy_from_slice(&horizontal[segment]);
    for child in &mut bits {
        child[cell.mutated as usize] ^= true;
    }
    let accepted = [better(instance, &bits[0], horizontal), better(instance, &bits[1], vertical)];
    Children { bits, accepted }
}

fn sum(numbers: &[u64], bits: &[bool]) -> i128 {
    numbers.iter().zip(bits).filter(|(_, bit)| **bit).map(|(&number, _)| i128::from(number)).sum()
}

/// Returns `true` if solution `one` is strictly better than `other`.
pub fn better(instance: &Instance, one: &[bool], other: &[bool]) -> bool {
    match &instance.kind {
        Kind::Knapsack { profits, weights, capacity } => {
            let (capacity, fitness) = (i128::from(*capacity), |bits: &[bool]| (sum(profits, bits), sum(weights, bits)));
            let parts = || i128::from(instance.kind.weight_parts());
            let worth = |(profit, weight): (i128, i128)| {
                if weight <= capacity { profit } else { profit - (weight - capacity) * capacity * parts() * parts() }
            };
            worth(fitness(one)) > worth(fitness(other))
        }
        Kind::Deceptive { .. } => {
            let value = |bits: &[bool]| {
                let worth = [1_000_000, 0, 360_384, 640_576, 360_384, 0, 1_000_000];
                bits.chunks(6).map(|block| worth[block.iter().filter(|&&bit| bit).count()]).sum::<u64>()
            };
            value(one) > value(other)
        }
        Kind::NextRelease { costs, values, tenths, .. } => {
            let all = vec![true; costs.len()];
            let (all_cost, all_value, tenths) = (sum(costs, &all), sum(values, &all), i128::from(*tenths));
            let of = |bits: &[bool]| {
                let (cost, value) = (sum(costs, bits), sum(values, bits));
                (((10 - tenths) * cost * all_value).max(tenths * (all_value - value) * all_cost), cost, value)
            };
            let (one, other) = (of(one), of(other));
            let dominates = one.1 <= other.1 && one.2 >= other.2 && one != other;
            one.0 < other.0 || (one.0 == other.0 && dominates)
        }
        Kind::OneMax { .. } => {
            let ones = |bits: &[bool]| bits.iter().filter(|&&bit| bit).count();
            ones(one) > ones(other)
        }
    }
}

impl<'a> Textbook<'a> {
    /// Grid before the first iteration; `first` holds the horizontal and the vertical solutions, row by row.
    pub fn new(instance: &'a Instance, flavour: Flavour, grid: Grid, first: [Vec<Vec<bool>>; 2]) -> Self {
        let travellers = |all: Vec<Vec<bool>>| all.into_iter().map(|bits| Traveller { bits, since: 0 }).collect();
        let [horizontal, vertical] = first.map(travellers);
        Self { instance, flavour, grid, iteration: 0, horizontal, vertical }
    }

    /// Computes one iteration: all cells, the exchange of streams where due, the movement.
    pub fn step(&mut self) {
        self.iteration += 1;
        let (l, rows) = (self.grid.bits, self.grid.rows);
        for (cell, (horizontal, vertical)) in self.horizontal.iter_mut().zip(&mut self.vertical).enumerate() {
            let what = self.grid.cell(cell / l, cell % l);
            let made = children(self.instance, what, &horizontal.bits, &vertical.bits);
            let parents = [horizontal, vertical];
            for ((parent, bits), accepted) in parents.into_iter().zip(made.bits).zip(made.accepted) {
                if accepted {
                    *parent = Traveller { bits, since: self.iteration };
                }
            }
        }
        if self.flavour == Flavour::Exchange && (self.iteration as usize).is_multiple_of(rows) {
            std::mem::swap(&mut self.horizontal, &mut self.vertical);
        }
        let (mut horizontal, mut vertical) = (self.horizontal.clone(), self.vertical.clone());
        for row in 0..rows {
            for column in 0..l {
                let here = row * l + column;
                let last_column = column + 1 == l;
                let right = match (self.flavour, last_column) {
                    (Flavour::Both, true) => (row + 1) % rows * l,
                    (_, true) => row * l,
                    _ => here + 1,
                };
                let down = match (self.flavour, row + 1 == rows) {
                    (Flavour::Vertical | Flavour::Both, true) => (column + 1) % l,
                    (_, true) => column,
                    _ => here + l,
                };
                horizontal[right] = self.horizontal[here].clone();
                vertical[down] = self.vertical[here].clone();
            }
        }
        (self.horizontal, self.vertical) = (horizontal, vertical);
    }
}
