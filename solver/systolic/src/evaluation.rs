//! Differential evaluation of solutions with packed bits.
//!
//! Bits are packed into words of 64, or of 60 where six belong together: bit b is bit b mod P of word ⌊b / P⌋, P =
//! [`Evaluation::PER_WORD`]. Every objective is a function of two sums over the bits. A child differs from its parent
//! by the segment's bits in which the parents differ and by one flipped bit, so its sums are the parent's plus the
//! contribution of these bits.

mod deceptive;
mod items;
mod one_max;

pub(crate) use deceptive::Deceptive;
pub(crate) use items::{Knapsack, NextRelease};
pub(crate) use one_max::OneMax;

use super::instance::too_few;
use super::{Instance, Kind, MIN_BITS};
use gridwright_core::random::Philox;
use gridwright_core::{Error, Result};

/// Sums over the bits of a solution: (profit, weight), (value, cost), or one number and 0.
pub(crate) type Sums = [i64; 2];

/// Totally ordered quality of a solution; the smallest is the best.
///
/// The first component is the objective; the others break ties so that a dominating solution precedes a dominated one.
pub type Key = (i128, i64, i64);

/// Problem as the searches see it; each implementation is compiled into its own inner loop.
pub trait Evaluation: Clone + Send + Sync + std::fmt::Debug + 'static {
    /// Bits per word, P.
    const PER_WORD: usize;

    /// Number of sums in use: 1 or 2.
    const NUMBERS: usize;

    /// Word with all P bits set.
    const FULL: u64 = u64::MAX >> (64 - Self::PER_WORD);

    /// Number of bits, l.
    fn bits(&self) -> usize;

    /// Contribution of a word to the sums, up to a constant per word.
    fn part(&self, word: usize, bits: u64) -> Sums;

    /// Computes the sums of a solution from scratch.
    fn sums(&self, words: &[u64]) -> Sums {
        let part = |(word, &bits): (usize, &u64)| self.part(word, bits);
        words.iter().enumerate().map(part).fold([0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]])
    }

    /// Adds to the sums of both parents their change when words `one` and `other` (number `word`) exchange the bits
    /// `differing`, in which they differ.
    fn exchange(&self, word: usize, one: u64, other: u64, differing: u64, sums: &mut [Sums; 2]);

    /// Change of the sums when a bit is flipped in a word of this content.
    fn flip(&self, bit: usize, word: u64) -> Sums;

    /// Returns `true` if the child is strictly better than its parent; the default maximises the first sum.
    #[inline(always)]
    fn better(&self, child: Sums, parent: Sums) -> bool {
        child[0] > parent[0]
    }

    /// Quality of sums; the smallest is the best. The default maximises the first sum.
    fn key(&self, sums: Sums) -> Key {
        (-i128::from(sums[0]), 0, 0)
    }

    /// Cost of sums: falls as solutions improve, see [`Kind::fitness`]. The default is the first sum, negated.
    fn cost(&self, sums: Sums) -> f64 {
        -(sums[0] as f64)
    }

    /// Returns `true` if a solution with these sums is feasible.
    fn feasible(&self, _sums: Sums) -> bool {
        true
    }

    /// Draws a solution for random search from addressed random words; the default draws every bit independently.
    fn random(&self, philox: Philox, step: u32, individual: u32, purpose: u32, words: &mut [u64]) {
        random_words::<Self>(self.bits(), philox, step, individual, purpose, words);
    }

    /// Words per solution.
    fn words(&self) -> usize {
        self.bits().div_ceil(Self::PER_WORD)
    }
}

/// Fills words with random bits, 0 beyond the last bit. Draw k gives words 2k and 2k + 1.
pub(crate) fn random_words<E: Evaluation>(
    bits: usize, philox: Philox, step: u32, individual: u32, purpose: u32, words: &mut [u64],
) {
    for (draw, pair) in words.chunks_mut(2).enumerate() {
        let [a, b, c, d] = philox.words(draw as u32, step, individual, purpose);
        for (word, random) in
            pair.iter_mut().zip([u64::from(b) << 32 | u64::from(a), u64::from(d) << 32 | u64::from(c)])
        {
            *word = random & E::FULL;
        }
    }
    let beyond = words.len() * E::PER_WORD - bits;
    if let Some(last) = words.last_mut() {
        *last &= E::FULL >> beyond;
    }
}

/// Unpacks the first `bits` bits of words of `per_word` bits.
pub fn unpack(words: &[u64], per_word: usize, bits: usize) -> Vec<bool> {
    (0..bits).map(|bit| words[bit / per_word] >> (bit % per_word) & 1 == 1).collect()
}

/// Operation that is generic over the kind of problem.
pub(crate) trait Visitor {
    /// Result of the operation.
    type Output;

    /// Runs the operation.
    fn visit<E: Evaluation>(self, evaluation: E) -> Self::Output;
}

/// Runs a visitor on the problem of an instance.
///
/// # Errors
/// [`Error::Usage`] if there are too few bits or numbers too large for the arithmetic.
pub(crate) fn with_evaluation<V: Visitor>(instance: &Instance, visitor: V) -> Result<V::Output> {
    let bits = instance.bits();
    if bits < MIN_BITS {
        return Err(Error::Usage(too_few(&format!("{} has {bits} bits", instance.name))));
    }
    Ok(match &instance.kind {
        Kind::Knapsack { profits, .. } => {
            let (weights, capacity) = instance.kind.weights_in_parts();
            visitor.visit(Knapsack::new(profits, &weights, capacity).ok_or_else(|| {
                Error::Usage(format!(
                    "{}: weights times capacity are beyond 63 bits; measure weights and capacity in a larger unit",
                    instance.name
                ))
            })?)
        }
        Kind::Deceptive { blocks } => visitor.visit(Deceptive::new(*blocks)),
        Kind::NextRelease { costs, values, tenths, .. } => {
            visitor.visit(NextRelease::new(costs, values, *tenths).ok_or_else(|| {
                Error::Usage(format!(
                    "{}: all costs times all values are beyond 123 bits; measure them in larger units",
                    instance.name
                ))
            })?)
        }
        Kind::OneMax { bits } => visitor.visit(OneMax::new(*bits)),
    })
}

#[cfg(test)]
mod tests;
