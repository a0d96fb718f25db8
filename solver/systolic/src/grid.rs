//! The systolic grid: crossover and mutation points of the cells, and the memory slots of the solutions that they meet.
//!
//! A grid has τ rows (as published ⌈log₂ l⌉) and l columns, l being the number of bits. In the published formulation every iteration
//! moves each solution to the next cell. Here solutions never move: each stays in its *slot*, and [`Grid::meeting`]
//! computes which slots a cell meets in an iteration. In each iteration a slot belongs to exactly one cell, so that all
//! cells can be computed in parallel without copies or races.
//!
//! Rows, columns, slots, bits and iterations are counted from 0; slot (row, column) has the number row·l + column. In
//! iteration t (t = 0: the initial positions) cell (i, j) meets
//!
//! ```text
//! horizontally   (i, (j − t) mod l)                                     T, V;   number (i·l + j − t) mod N   B
//! vertically     ((i − t) mod τ, j)                                     T;      column by column, (j·τ + i − t) mod N   V, B
//! ```
//!
//! E exchanges the streams after iterations τ, 2τ, …: in phase p = ⌊t/τ⌋, with r = t mod τ and d = ⌊p/2⌋·τ,
//!
//! ```text
//! p even   horizontally (i, j − r − d) of the first population,         vertically (i − r, j − d) of the second
//! p odd    horizontally (i + 1, j − r − 1 − d) of the second,           vertically (i − r − 1, j − τ + 1 − d) of the first
//! ```
//!
//! with rows modulo τ and columns modulo l.
//!
//! Invariants (tested below): two cells never meet the same slot in one iteration, and from one iteration to the next a
//! slot is met in the same column or in the next one, on which blocks of columns on a device rely.
//!
//! Source: Pedemonte, Luna, Alba (2015), equations 1 to 3 and section 3.

use serde::{Deserialize, Serialize};

use super::rules::{MutationRule, SegmentRule};

/// Data flow of the grid, named as in the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray)]
pub enum Flavour {
    /// T: a torus; a solution stays in its row or column.
    Torus,
    /// E: a torus whose streams are exchanged every τ iterations.
    Exchange,
    /// V: a solution that leaves the last row enters the first row of the next column.
    Vertical,
    /// B: as V, and a solution that leaves the last column enters the first column of the next row.
    Both,
}

impl Flavour {
    /// All variants, in the order of the paper.
    pub const ALL: [Self; 4] = gridwright_core::variants();

    /// The letter of the paper: SGS_T, SGS_E, SGS_V, SGS_B.
    pub fn letter(self) -> char {
        match self {
            Self::Torus => 'T',
            Self::Exchange => 'E',
            Self::Vertical => 'V',
            Self::Both => 'B',
        }
    }

    /// Description in one sentence.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Torus => "Both streams go round: what leaves a row or column enters it again.",
            Self::Exchange => "Both streams go round, and every τ iterations all cells exchange their two solutions.",
            Self::Vertical => "What leaves the last row enters the first row of the next column; rows go round.",
            Self::Both => {
                "What leaves the last row enters the next column, what leaves the last column enters the next row."
            }
        }
    }
}

/// Operators of a cell; bits are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// First bit of the exchanged segment.
    pub first: u32,
    /// Last bit of the exchanged segment, inclusive.
    pub last: u32,
    /// Bit that is flipped in both children.
    pub mutated: u32,
}

/// Memory place of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// 0: the initially horizontal population; 1: the initially vertical one.
    pub population: usize,
    /// Slot in the population, row·l + column.
    pub slot: usize,
}

/// Slots of a row of cells: column j has slot `start + j`, continued at `low` when it would reach `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Population, see [`Place::population`].
    pub population: usize,
    /// Slot of column 0.
    pub start: usize,
    /// First slot of the ring.
    pub low: usize,
    /// Slot after the last of the ring.
    pub high: usize,
}

impl Run {
    /// Slot of a column.
    #[inline(always)]
    pub fn slot(&self, column: usize) -> usize {
        let slot = self.start + column;
        if slot >= self.high { slot - (self.high - self.low) } else { slot }
    }
}

/// Dimensions of a grid, and the rules by which its cells get their operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// l: number of columns and of bits of a solution.
    pub bits: usize,
    /// τ: number of rows, ⌈log₂ l⌉ as published.
    pub rows: usize,
    /// Bits that a cell exchanges.
    pub segment: SegmentRule,
    /// Bit that a cell flips.
    pub mutation: MutationRule,
}

/// Smallest number of bits of a grid.
pub(crate) const FEWEST_BITS: usize = 4;

impl Grid {
    /// The published grid for `bits` bits, at least [`FEWEST_BITS`].
    pub fn new(bits: usize) -> Self {
        let bits = bits.max(FEWEST_BITS);
        let rows = bits.next_power_of_two().trailing_zeros() as usize;
        Self { bits, rows, segment: SegmentRule::Published, mutation: MutationRule::Published }
    }

    /// Number of cells, N = l·τ.
    pub fn cells(&self) -> usize {
        self.bits * self.rows
    }

    /// Operators of the cell in a row and column, by default those of equations 1 to 3 of the paper.
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        let [first, last] = self.segment.ends(self, row, column);
        let mutated = self.mutation.bit(self, row, column);
        Cell { first: first as u32, last: last as u32, mutated: mutated as u32 }
    }

    /// Operators of all cells, row by row.
    pub fn all_cells(&self) -> Vec<Cell> {
        (0..self.cells()).map(|number| self.cell(number / self.bits, number % self.bits)).collect()
    }

    /// Slots of the horizontal and the vertical solutions that a row of cells meets in an iteration.
    pub fn runs(&self, flavour: Flavour, iteration: u64, row: usize) -> [Run; 2] {
        let (l, rows, n) = (self.bits as i64, self.rows as i64, self.cells() as i64);
        // The flow is periodic: by then both streams have completed their cycles.
        let t = (iteration % (2 * self.cells() as u64 * self.rows as u64)) as i64;
        let i = row as i64;
        let ring = |population: usize, row: i64, shift: i64| {
            let low = row.rem_euclid(rows) * l;
            let start = low + shift.rem_euclid(l);
            Run { population, start: start as usize, low: low as usize, high: (low + l) as usize }
        };
        // Number j·τ + i − t, column by column, is column j + ⌊(i − t)/τ⌋ in row (i − t) mod τ.
        let winding = || ring(1, i - t, (i - t).div_euclid(rows));
        match flavour {
            Flavour::Torus => [ring(0, i, -t), ring(1, i - t, 0)],
            Flavour::Vertical => [ring(0, i, -t), winding()],
            Flavour::Both => {
                let start = (i * l - t).rem_euclid(n) as usize;
                [Run { population: 0, start, low: 0, high: n as usize }, winding()]
            }
            Flavour::Exchange => {
                let (phase, r) = (t / rows, t % rows);
                let d = phase / 2 * rows;
                match phase % 2 {
                    0 => [ring(0, i, -r - d), ring(1, i - r, -d)],
                    _ => [ring(1, i + 1, -r - 1 - d), ring(0, i - r - 1, -rows + 1 - d)],
                }
            }
        }
    }

    /// Places of the horizontal and the vertical solution that a cell meets in an iteration.
    pub fn meeting(&self, flavour: Flavour, iteration: u64, row: usize, column: usize) -> [Place; 2] {
        self.runs(flavour, iteration, row)
            .map(|run| Place { population: run.population, slot: run.slot(column % self.bits) })
    }

    /// Cell (row, column) that meets the solution at a place in an iteration, and whether as its vertical one.
    pub fn cell_of(&self, flavour: Flavour, iteration: u64, place: Place) -> Option<(usize, usize, bool)> {
        (0..self.rows).find_map(|row| {
            let runs = self.runs(flavour, iteration, row);
            runs.iter().enumerate().find_map(|(stream, run)| {
                let inside = run.population == place.population && (run.low..run.high).contains(&place.slot);
                let length = run.high - run.low;
                let column = (place.slot + length).checked_sub(run.start)? % length;
                (inside && column < self.bits).then_some((row, column, stream == 1))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors for l = 100, τ = 7; here bits are counted from 0.
    #[test]
    fn cells_are_those_of_the_paper() {
        let grid = Grid::new(100);
        assert_eq!((grid.rows, grid.cells()), (7, 700));
        let cell = |row: usize, column: usize| {
            let Cell { first, last, mutated } = grid.cell(row - 1, column - 1);
            (first + 1, last + 1, mutated + 1)
        };
        assert_eq!(cell(1, 1), (2, 4, 1));
        assert_eq!(cell(1, 50), (2, 53, 50));
        assert_eq!(cell(1, 51), (9, 11, 51));
        assert_eq!(cell(7, 100), (44, 93, 84));
    }

    #[test]
    fn cells_stay_within_their_bits() {
        for bits in (4..70).chain([99, 100, 101, 127, 128, 129, 999, 1_000]) {
            let grid = Grid::new(bits);
            for cell in grid.all_cells() {
                assert!(cell.first <= cell.last && (cell.last as usize) < bits && (cell.mutated as usize) < bits);
            }
        }
    }

    /// Invariant for blocks of columns on a device: in every flavour a slot is met by exactly one cell per iteration,
    /// and in the next iteration in the same column or the one on its right (cyclically). A block that waits before
    /// each iteration until its left neighbour has finished the previous one therefore finds every solution in its
    /// final state.
    #[test]
    fn solutions_stay_in_their_column_or_go_to_the_next_one() {
        let other_rows = [(5, 1), (7, 16), (9, 2), (33, 4)].map(|(bits, rows)| Grid { rows, ..Grid::new(bits) });
        for grid in [4, 5, 6, 7, 9, 16, 17, 33, 100].map(Grid::new).into_iter().chain(other_rows) {
            let (bits, n) = (grid.bits, grid.cells());
            for flavour in Flavour::ALL {
                // Long enough for the exchanges of all phases and a complete cycle.
                let last = (2 * grid.rows * grid.rows).max(2 * bits) + 2 * grid.rows + 3;
                let mut before = vec![None; 2 * n];
                for iteration in (0..last as u64).chain((2 * n * grid.rows) as u64 - 2..(2 * n * grid.rows) as u64 + 2)
                {
                    let mut columns = vec![None; 2 * n];
                    for cell in 0..n {
                        for place in grid.meeting(flavour, iteration, cell / bits, cell % bits) {
                            let met = columns[place.population * n + place.slot].replace(cell % bits);
                            assert_eq!(met, None, "two cells meet one solution");
                        }
                    }
                    for (now, then) in columns.iter().zip(&before) {
                        let (Some(now), Some(then)) = (*now, *then) else {
                            assert!(now.is_some() && (iteration == 0 || iteration as usize + 2 == 2 * n * grid.rows));
                            continue;
                        };
                        let what =
                            format!("{bits} bits, {flavour:?}, iteration {iteration}: from column {then} to {now}");
                        assert!(now == then || now == (then + 1) % bits, "{what}");
                    }
                    before = columns;
                    if iteration + 1 == last as u64 {
                        before = vec![None; 2 * n];
                    }
                }
            }
        }
    }

    /// The slot formulas agree with solutions that really move.
    #[test]
    fn slots_say_where_moving_solutions_are() {
        let other_rows = [(5, 1), (7, 16), (9, 2), (33, 4)].map(|(bits, rows)| Grid { rows, ..Grid::new(bits) });
        for grid in [4, 5, 6, 7, 9, 16, 17, 33].map(Grid::new).into_iter().chain(other_rows) {
            let (l, rows) = (grid.bits, grid.rows);
            for flavour in Flavour::ALL {
                let start = |population| (0..grid.cells()).map(|slot| Place { population, slot }).collect::<Vec<_>>();
                let [mut horizontal, mut vertical] = [0, 1].map(start);
                for iteration in 0..(2 * rows * l + 3 * rows) as u64 {
                    for cell in 0..grid.cells() {
                        let meets = grid.meeting(flavour, iteration, cell / l, cell % l);
                        assert_eq!(
                            meets,
                            [horizontal[cell], vertical[cell]],
                            "{l} bits, {flavour:?}, iteration {iteration}, cell {cell}"
                        );
                        for (place, is_vertical) in meets.into_iter().zip([false, true]) {
                            let found = grid.cell_of(flavour, iteration, place);
                            assert_eq!(found, Some((cell / l, cell % l, is_vertical)));
                        }
                    }
                    if flavour == Flavour::Exchange && (iteration as usize + 1).is_multiple_of(rows) {
                        std::mem::swap(&mut horizontal, &mut vertical);
                    }
                    let from = (horizontal.clone(), vertical.clone());
                    for (row, column) in (0..rows).flat_map(|row| (0..l).map(move |column| (row, column))) {
                        let here = row * l + column;
                        let right = match flavour {
                            Flavour::Both => (here + 1) % (rows * l),
                            _ => row * l + (column + 1) % l,
                        };
                        let down = match (flavour, row + 1 == rows) {
                            (Flavour::Vertical | Flavour::Both, true) => (column + 1) % l,
                            (_, true) => column,
                            _ => here + l,
                        };
                        horizontal[right] = from.0[here];
                        vertical[down] = from.1[here];
                    }
                }
            }
        }
    }
}
