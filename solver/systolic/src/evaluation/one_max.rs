//! OneMax: maximise the number of ones (teaching example).

use super::{Evaluation, Sums};

/// OneMax; the first sum is the number of ones, the second is unused.
#[derive(Debug, Clone)]
pub struct OneMax {
    bits: usize,
}

impl OneMax {
    /// OneMax of `bits` bits.
    pub fn new(bits: usize) -> Self {
        Self { bits }
    }
}

impl Evaluation for OneMax {
    const PER_WORD: usize = 64;
    const NUMBERS: usize = 1;

    fn bits(&self) -> usize {
        self.bits
    }

    #[inline(always)]
    fn part(&self, _: usize, bits: u64) -> Sums {
        [i64::from(bits.count_ones()), 0]
    }

    #[inline(always)]
    fn exchange(&self, _: usize, one: u64, other: u64, differing: u64, sums: &mut [Sums; 2]) {
        let gain = i64::from((other & differing).count_ones()) - i64::from((one & differing).count_ones());
        sums[0][0] += gain;
        sums[1][0] -= gain;
    }

    #[inline(always)]
    fn flip(&self, bit: usize, word: u64) -> Sums {
        [if word >> (bit % 64) & 1 == 1 { -1 } else { 1 }, 0]
    }
}
