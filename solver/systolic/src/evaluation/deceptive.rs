//! Massively multimodal deceptive problem (MMDP): blocks of six bits, ten blocks per word.

use super::{Evaluation, Sums};

/// Bits per block.
const BLOCK: usize = 6;

/// Lowest bit of each block of a word.
const LOWEST: u64 = 0x0041_0410_4104_1041;

/// Values in millionths of blocks with 0 or 6, with 2 or 4, and with 3 ones; other blocks are worth 0 (Table 2 of the
/// paper).
const WHOLE: i64 = 1_000_000;
const NEARLY: i64 = 360_384;
const HALF: i64 = 640_576;

/// Value of a block in millionths.
#[inline(always)]
fn block_value(block: u64) -> i64 {
    const VALUES: [i64; 8] = [WHOLE, 0, NEARLY, HALF, NEARLY, 0, WHOLE, 0];
    VALUES[block.count_ones() as usize & 7]
}

/// MMDP: the first sum is the value in millionths, the second is unused.
#[derive(Debug, Clone)]
pub struct Deceptive {
    blocks: usize,
}

/// Value of the ten blocks of a word, in millionths.
///
/// Counts the ones of all blocks in parallel: in pairs, then three pairs. With the count of a block as b₂b₁b₀: b₀ = 0
/// and b₂ ⊕ b₁ = 1 means 2 or 4, b₀ = 0 and b₂ ⊕ b₁ = 0 means 0 or 6, b₀ = b₁ = 1 means 3 (7 is impossible).
#[inline(always)]
pub(crate) fn value(word: u64) -> i64 {
    const PAIRS: u64 = LOWEST * 0b01_0101;
    let pairs = (word & PAIRS) + (word >> 1 & PAIRS);
    let counts = (pairs & (LOWEST * 3)) + (pairs >> 2 & (LOWEST * 3)) + (pairs >> 4 & (LOWEST * 3));
    let (b0, b1, b2) = (counts, counts >> 1, counts >> 2);
    let half = b0 & b1 & LOWEST;
    let nearly = !b0 & (b1 ^ b2) & LOWEST;
    let whole = !b0 & !(b1 ^ b2) & LOWEST;
    let times = |blocks: u64, each: i64| i64::from(blocks.count_ones()) * each;
    times(half, HALF) + times(nearly, NEARLY) + times(whole, WHOLE)
}

impl Deceptive {
    /// MMDP of `blocks` blocks.
    pub fn new(blocks: usize) -> Self {
        Self { blocks }
    }
}

impl Evaluation for Deceptive {
    const PER_WORD: usize = 60;
    const NUMBERS: usize = 1;

    fn bits(&self) -> usize {
        BLOCK * self.blocks
    }

    #[inline(always)]
    fn part(&self, _: usize, bits: u64) -> Sums {
        [value(bits), 0]
    }

    fn sums(&self, words: &[u64]) -> Sums {
        // The zero blocks beyond the last one would count as solved.
        let beyond = words.len() * (Self::PER_WORD / BLOCK) - self.blocks;
        [words.iter().map(|&word| value(word)).sum::<i64>() - beyond as i64 * WHOLE, 0]
    }

    #[inline(always)]
    fn exchange(&self, _: usize, one: u64, other: u64, differing: u64, sums: &mut [Sums; 2]) {
        sums[0][0] += value(one ^ differing) - value(one);
        sums[1][0] += value(other ^ differing) - value(other);
    }

    #[inline(always)]
    fn flip(&self, bit: usize, word: u64) -> Sums {
        let at = bit % Self::PER_WORD;
        let block = word >> (at - at % BLOCK) & 63;
        [block_value(block ^ 1 << (at % BLOCK)) - block_value(block), 0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_has_its_value_wherever_it_stands() {
        let values = [WHOLE, 0, NEARLY, HALF, NEARLY, 0, WHOLE];
        for block in 0..64_u64 {
            for place in 0..10 {
                let expected = values[block.count_ones() as usize] + 9 * WHOLE;
                assert_eq!(value(block << (6 * place)), expected, "{block:06b} at {place}");
                assert_eq!(block_value(block), values[block.count_ones() as usize]);
            }
        }
        assert_eq!(LOWEST.count_ones(), 10);
        assert_eq!(Deceptive::new(11).sums(&[0, 0]), [11_000_000, 0]);
    }
}
