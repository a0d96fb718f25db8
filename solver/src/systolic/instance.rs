//! The data of a binary problem: what a string of bits is worth.

/// What is to be solved. Bits are counted from 0; all sums fit into 63 bits, which whoever makes an instance has made sure of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Which items to take: the profit is maximised.
    ///
    /// ```text
    /// P = Σ p_i·x_i,   w = Σ w_i·x_i,   fitness = P if w ≤ W, else P − (w − W)·W        (equation 5)
    /// ```
    Knapsack {
        /// p_i.
        profits: Vec<u64>,
        /// w_i.
        weights: Vec<u64>,
        /// W.
        capacity: u64,
    },
    /// The massively multimodal deceptive problem: the sum over blocks of 6 bits is maximised, in millionths.
    Deceptive {
        /// Number of blocks; a sixth of the bits.
        blocks: usize,
    },
    /// Which requirements to put into the next release: minimised is
    ///
    /// ```text
    /// max((1 − w)·C/C_total, w·(1 − V/V_total)),   w = tenths/10
    /// ```
    ///
    /// compared as max((10 − tenths)·C·V_total, tenths·(V_total − V)·C_total) in 128 bits; ties go to whoever dominates.
    NextRelease {
        /// r_j.
        costs: Vec<u64>,
        /// Σ_i c_i·v_ij, in units of `1 / value_scale`.
        values: Vec<u64>,
        /// What a value is divided by to be shown: 1, or 100 where customers' weights have two decimals.
        value_scale: u64,
        /// The weight of what is left out, in tenths: 0…10.
        tenths: u8,
    },
    /// The number of ones is maximised.
    OneMax {
        /// Number of bits.
        bits: usize,
    },
}

/// A binary problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Short name, such as `1000-1000`.
    pub name: String,
    /// What a string of bits is worth.
    pub kind: Kind,
    /// What the items or requirements are called, where they have names; empty otherwise.
    pub names: Vec<String>,
    /// What the reader noticed and the person should know.
    pub warnings: Vec<String>,
    /// SHA-256 of the file, or of the text that stands for what was generated.
    pub hash: String,
}

impl Instance {
    /// Number of bits, l.
    pub fn bits(&self) -> usize {
        match &self.kind {
            Kind::Knapsack { profits, .. } => profits.len(),
            Kind::Deceptive { blocks } => 6 * blocks,
            Kind::NextRelease { costs, .. } => costs.len(),
            Kind::OneMax { bits } => *bits,
        }
    }

    /// Rows of the grid, τ = ⌈log₂ l⌉.
    pub fn rows(&self) -> usize {
        self.bits().next_power_of_two().trailing_zeros() as usize
    }

    /// Cells of the grid, N = l·τ, which is also the number of iterations.
    pub fn cells(&self) -> usize {
        self.bits() * self.rows()
    }
}
