//! The grid: where each cell crosses and mutates, and where the solutions of a cell lie in memory.
//!
//! A grid has τ = ⌈log₂ l⌉ rows and l columns, l being the number of bits. Every iteration each cell takes a solution from its left
//! and one from above, and passes what it keeps on to the right and down. A solution never moves here: it stays in its *slot*, and
//! [`Grid::meeting`] says which slots a cell meets in which iteration. Two slots belong to exactly one cell in an iteration, so all
//! cells can work side by side.
//!
//! Rows, columns, slots, bits and iterations are counted from 0; slot (row, column) has the number row·l + column. In iteration t
//! (what a solution meets before anything has moved being t = 0) cell (i, j) meets
//!
//! ```text
//! horizontally   (i, (j − t) mod l)                                     T, V;   number (i·l + j − t) mod N   B
//! vertically     ((i − t) mod τ, j)                                     T;      column by column, (j·τ + i − t) mod N   V, B
//! ```
//!
//! E exchanges the streams after iterations τ, 2τ, …: in its phase p = ⌊t/τ⌋, with r = t mod τ and d = ⌊p/2⌋·τ,
//!
//! ```text
//! p even   horizontally (i, j − r − d) of the first population,         vertically (i − r, j − d) of the second
//! p odd    horizontally (i + 1, j − r − 1 − d) of the second,           vertically (i − r − 1, j − τ + 1 − d) of the first
//! ```
//!
//! with rows modulo τ and columns modulo l, which follows from what a cell passes on after the exchange.

use serde::{Deserialize, Serialize};

/// How solutions flow through the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Flavour {
    /// A torus: a solution stays in its row or column.
    Torus,
    /// A torus whose streams are exchanged every τ iterations.
    Exchange,
    /// What leaves the last row enters the first row of the next column.
    Vertical,
    /// As V, and what leaves the last column enters the first column of the next row.
    Both,
}

impl Flavour {
    /// All of them, as the paper lists them.
    pub const ALL: [Self; 4] = [Self::Torus, Self::Exchange, Self::Vertical, Self::Both];

    /// The letter of the paper: SGS_T, SGS_E, SGS_V, SGS_B.
    pub fn letter(self) -> char {
        match self {
            Self::Torus => 'T',
            Self::Exchange => 'E',
            Self::Vertical => 'V',
            Self::Both => 'B',
        }
    }

    /// What it is, in one sentence.
    pub fn help(self) -> &'static str {
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

/// What a cell does; bits counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The first bit of the segment that is exchanged.
    pub first: u32,
    /// The last one; it is exchanged, too.
    pub last: u32,
    /// The bit that is flipped in both children.
    pub mutated: u32,
}

/// A solution's place in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// 0: what was horizontal at first; 1: what was vertical.
    pub population: usize,
    /// Its number there, row·l + column.
    pub slot: usize,
}

/// The places of a whole row of cells: the slot of column j is `start + j`, going on at `low` where it would reach `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// 0 or 1, see [`Place::population`].
    pub population: usize,
    /// The slot of column 0.
    pub start: usize,
    /// Where it goes on.
    pub low: usize,
    /// One behind the last slot.
    pub high: usize,
}

impl Run {
    /// The slot of a column.
    #[inline(always)]
    pub fn slot(&self, column: usize) -> usize {
        let slot = self.start + column;
        if slot >= self.high { slot - (self.high - self.low) } else { slot }
    }
}

/// A grid for a number of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// l: columns, and bits of a solution.
    pub bits: usize,
    /// τ = ⌈log₂ l⌉.
    pub rows: usize,
}

/// Fewest bits that a grid is made for.
pub const FEWEST_BITS: usize = 4;

impl Grid {
    /// The grid for as many bits, at least [`FEWEST_BITS`].
    pub fn new(bits: usize) -> Self {
        let bits = bits.max(FEWEST_BITS);
        Self { bits, rows: bits.next_power_of_two().trailing_zeros() as usize }
    }

    /// N = l·τ.
    pub fn cells(&self) -> usize {
        self.bits * self.rows
    }

    /// What the cell in this row and column does (equations 1 to 3 of the paper, where positions are counted from 1):
    ///
    /// ```text
    /// p1 = 2 + ⌊l/τ⌋(i−1) + ⌊(j−1)/⌊l/2⌋⌋·⌊l/(2τ)⌋
    /// p2 = 1 + ((3 + ⌊l/τ⌋(i−1) + ⌊(j−1)/⌊l/2⌋⌋·⌊l/(2τ)⌋ + ((j−1) mod ⌊l/2⌋)) mod l)
    /// m  = 1 + ((i−1)⌊l/τ⌋ + j − 1) mod l
    /// ```
    ///
    /// The paper leaves open what p2 < p1 means: here they swap, and both ends are exchanged. p1 is at most l, which it would exceed in
    /// the last column of an odd number of bits.
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        let (l, half) = (self.bits, self.bits / 2);
        let begin = l / self.rows * row + column / half * (l / (2 * self.rows));
        let one = (begin + 1).min(l - 1);
        let other = (begin + 3 + column % half) % l;
        Cell {
            first: one.min(other) as u32,
            last: one.max(other) as u32,
            mutated: ((row * (l / self.rows) + column) % l) as u32,
        }
    }

    /// All cells, row by row.
    pub fn all_cells(&self) -> Vec<Cell> {
        (0..self.cells()).map(|number| self.cell(number / self.bits, number % self.bits)).collect()
    }

    /// Where the horizontal and the vertical solutions of a row of cells lie in an iteration.
    pub fn runs(&self, flavour: Flavour, iteration: u64, row: usize) -> [Run; 2] {
        let (l, rows, n) = (self.bits as i64, self.rows as i64, self.cells() as i64);
        // Beyond, everything repeats: both streams have gone round.
        let t = (iteration % (2 * self.cells() as u64 * self.rows as u64)) as i64;
        let i = row as i64;
        let ring = |population: usize, row: i64, shift: i64| {
            let low = row.rem_euclid(rows) * l;
            let start = low + shift.rem_euclid(l);
            Run { population, start: start as usize, low: low as usize, high: (low + l) as usize }
        };
        // Column by column, number j·τ + i − t is column j + ⌊(i − t)/τ⌋ in row (i − t) mod τ.
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

    /// Where the horizontal and the vertical solution of a cell lie in an iteration.
    pub fn meeting(&self, flavour: Flavour, iteration: u64, row: usize, column: usize) -> [Place; 2] {
        self.runs(flavour, iteration, row)
            .map(|run| Place { population: run.population, slot: run.slot(column % self.bits) })
    }

    /// The cell that meets a solution in an iteration, row and column, and whether it is its vertical one.
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

    /// The vectors of the specification: l = 100, τ = 7; here bits are counted from 0.
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

    /// What blocks of columns on a device rely on: in every flavour a solution is met by exactly one cell in an iteration, and in the next
    /// one in the same column or in the one on its right, the first being on the right of the last. So a block that has some columns and
    /// waits, before every iteration, until the block on its left has done the one before, finds every solution as its last cell left it;
    /// and nobody reads any more what it writes.
    #[test]
    fn solutions_stay_in_their_column_or_go_to_the_next_one() {
        for bits in [4, 5, 6, 7, 9, 16, 17, 33, 100] {
            let grid = Grid::new(bits);
            let n = grid.cells();
            for flavour in Flavour::ALL {
                // Beyond the exchanges of all phases, and until everything has gone round.
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

    /// What is told by slots is what happens where solutions really move.
    #[test]
    fn slots_say_where_moving_solutions_are() {
        for bits in [4, 5, 6, 7, 9, 16, 17, 33] {
            let grid = Grid::new(bits);
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
                            "{bits} bits, {flavour:?}, iteration {iteration}, cell {cell}"
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
