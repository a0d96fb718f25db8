//! Rules of the systolic grid that can be changed: rows, segment, mutation point and first solutions.
//!
//! The defaults are those of the paper. Every rule is data of the run (a table of cell operators, a first population), so
//! that all backends compute the same solutions under any of them.
//!
//! In the formulas l is the number of bits, τ the number of rows, i the row and j the column of a cell; rows, columns and
//! bits are counted from 0, and b = ⌊l/τ⌋·i is the first bit of the row's share of the bits.

use serde::{Deserialize, Serialize};

use super::grid::Grid;
use gridwright_core::search::parameters::parameters;

/// Largest number of rows of a grid, on every backend.
const MOST_ROWS: usize = 16;

/// Bits that a cell exchanges between its two solutions.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum SegmentRule {
    /// From the row's first point to a point that moves to the right with the column (equations 1 and 2).
    #[default]
    Published,
    /// From the published first point to the last bit: crossover at one point.
    OnePoint,
    /// The row's share of the bits, b … b + ⌊l/τ⌋ − 1.
    Share,
    /// The published first point alone, which almost switches crossover off.
    SingleBit,
}

impl SegmentRule {
    /// First and last bit of the segment of a cell, both inclusive.
    ///
    /// ```text
    /// p1 = 2 + ⌊l/τ⌋(i−1) + ⌊(j−1)/⌊l/2⌋⌋·⌊l/(2τ)⌋                                                (1)
    /// p2 = 1 + ((3 + ⌊l/τ⌋(i−1) + ⌊(j−1)/⌊l/2⌋⌋·⌊l/(2τ)⌋ + ((j−1) mod ⌊l/2⌋)) mod l)             (2)
    /// ```
    ///
    /// count rows, columns and bits from 1. The paper does not define p2 < p1; here the two are swapped. p1 is clamped to
    /// l, which it would exceed in the last column for an odd number of bits.
    pub(super) fn ends(self, grid: &Grid, row: usize, column: usize) -> [usize; 2] {
        let (l, half, share) = (grid.bits, grid.bits / 2, grid.bits / grid.rows);
        let begin = share * row + column / half * (l / (2 * grid.rows));
        let first = (begin + 1).min(l - 1);
        let other = match self {
            Self::Published => (begin + 3 + column % half) % l,
            Self::OnePoint => l - 1,
            Self::Share => {
                let first = (share * row).min(l - 1);
                return [first, (first + share.max(1) - 1).min(l - 1)];
            }
            Self::SingleBit => first,
        };
        [first.min(other), first.max(other)]
    }
}

/// Bit that a cell flips in both children.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum MutationRule {
    /// (b + j) mod l (equation 3): rows are ⌊l/τ⌋ bits apart.
    #[default]
    Published,
    /// As published, with rows apart by the next smaller multiple of six bits, the length of a deceptive block.
    MultiplesOfSix,
    /// (i + j) mod l: the cells of a column flip neighbouring bits.
    Neighbours,
    /// j: all cells of a column flip the same bit.
    Column,
}

impl MutationRule {
    /// The bit that a cell flips.
    pub(super) fn bit(self, grid: &Grid, row: usize, column: usize) -> usize {
        let share = grid.bits / grid.rows;
        let apart = match self {
            Self::Published => share,
            Self::MultiplesOfSix => share / 6 * 6,
            Self::Neighbours => 1,
            Self::Column => 0,
        };
        (row * apart + column) % grid.bits
    }
}

/// Solutions with which a run begins.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum FirstSolutions {
    /// Random bits, other ones in every solution.
    #[default]
    Random,
    /// One random solution, the same everywhere.
    Copies,
    /// Zeros everywhere.
    Zeros,
    /// Zeros in the horizontal solutions, ones in the vertical ones.
    Opposites,
    /// One and zero by turns, 1 0 1 0 …, in every solution.
    Alternating,
}

parameters! {
    /// Parameters of systolic genetic search.
    pub struct GridParameters {
        /// Iterations of the whole run; 0 takes as many as there are cells, bits times rows, as the paper does.
        iterations: u64 = 0, label: "Iterations", range: 0..=1_000_000_000, zero: "one per cell";
        /// Rows of the grid, τ in the paper; 0 takes the logarithm of the number of bits to base 2, rounded up. Two solutions
        /// stand in every cell, so that more rows also mean more solutions.
        rows: u32 = 0, label: "Rows", range: 0..=16, zero: "as published";
        /// Bits that the two solutions of a cell exchange: the published segment, which grows along a row; all bits behind
        /// one point; the row's share of the bits; or a single bit.
        segment: SegmentRule = SegmentRule::Published, label: "Segment";
        /// Bit that a cell flips: as published, rows are as many bits apart as there are bits per row; or a multiple of six bits apart, which suits
        /// the blocks of the deceptive problem; neighbouring bits in a column; or one bit for a whole column.
        mutation: MutationRule = MutationRule::Published, label: "Mutation points";
        /// First solutions: random; copies of one random solution; zeros; zeros against ones, the horizontal against the
        /// vertical solutions; or one and zero by turns.
        start: FirstSolutions = FirstSolutions::Random, label: "First solutions";
    }
}

impl GridParameters {
    /// Grid for `bits` bits under these rules.
    pub fn grid(&self, bits: usize) -> Grid {
        let published = Grid::new(bits);
        let rows = if self.rows == 0 { published.rows } else { (self.rows as usize).clamp(1, MOST_ROWS) };
        Grid { rows, segment: self.segment, mutation: self.mutation, ..published }
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;
    use gridwright_core::search::Parameters;

    /// l = 100 and τ = 5, so that a row's share is 20 bits; cell (2, 3) in the middle.
    #[test]
    fn rules_are_those_of_their_formulas() {
        let of = |segment, mutation| {
            let grid = GridParameters { rows: 5, segment, mutation, ..GridParameters::default() }.grid(100);
            let cell = grid.cell(2, 3);
            [cell.first, cell.last, cell.mutated]
        };
        let published = MutationRule::Published;
        assert_eq!(of(SegmentRule::Published, published), [41, 46, 43]);
        assert_eq!(of(SegmentRule::OnePoint, published), [41, 99, 43]);
        assert_eq!(of(SegmentRule::Share, published), [40, 59, 43]);
        assert_eq!(of(SegmentRule::SingleBit, MutationRule::MultiplesOfSix), [41, 41, 39]);
        assert_eq!(of(SegmentRule::SingleBit, MutationRule::Neighbours), [41, 41, 5]);
        assert_eq!(of(SegmentRule::SingleBit, MutationRule::Column), [41, 41, 3]);
    }

    #[test]
    fn the_default_is_the_published_grid() {
        for bits in [4, 5, 100, 999] {
            assert_eq!(GridParameters::default().grid(bits), Grid::new(bits));
        }
    }

    #[test]
    fn cells_stay_within_their_bits_under_every_rule() {
        for bits in (4..40).chain([99, 100, 127, 1_000]) {
            for rows in [1, 2, 3, 7, 16] {
                for (&segment, &mutation) in SegmentRule::VARIANTS.iter().zip(MutationRule::VARIANTS) {
                    let rules = GridParameters { rows, segment, mutation, ..GridParameters::default() };
                    for cell in rules.grid(bits).all_cells() {
                        let inside = (cell.last as usize) < bits && (cell.mutated as usize) < bits;
                        assert!(cell.first <= cell.last && inside, "{bits} bits, {rules:?}: {cell:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn values_out_of_range_are_refused_with_the_range() {
        let refused = |name: &str, value: &str| GridParameters::default().set(name, value).unwrap_err().to_string();
        assert!(refused("rows", "17").contains("a whole number from 0 to 16"), "{}", refused("rows", "17"));
        assert!(refused("segment", "circle").contains("one of published, one-point, share, single-bit"));
        assert!(refused("mutation", "2").contains("one of published, multiples-of-six, neighbours, column"));
        assert!(refused("start", "ones").contains("one of random, copies, zeros, opposites, alternating"));
    }
}
