//! What a solution is worth, and what a cell changes of it, with packed bits.
//!
//! Bits are packed into words of 64, or of 60 where six belong together: bit b is bit b mod P of word ⌊b / P⌋, P being
//! [`Evaluation::PER_WORD`]. A solution has two sums of which everything follows. A child is its parent but for the bits of the
//! exchanged segment in which its parents differ, and one flipped bit: its sums are those of the parent and what these bits change.

mod deceptive;
mod items;
mod one_max;

pub use deceptive::Deceptive;
pub use items::{Knapsack, NextRelease};
pub use one_max::OneMax;

use super::{Instance, Kind};
use crate::random::Philox;
use crate::{Error, Result};

/// Two sums over the bits of a solution: profit and weight, value and cost, or one of them.
pub type Sums = [i64; 2];

/// What a solution is worth, as numbers whose order is total: the least is the best.
///
/// The first is what is compared; the others break ties so that a solution that dominates another stands before it.
pub type Key = (i128, i64, i64);

/// A problem as searches see it; every implementation is compiled into its own inner loop.
pub trait Evaluation: Clone + Send + Sync + std::fmt::Debug + 'static {
    /// Bits in a word.
    const PER_WORD: usize;

    /// Sums that are used: 1 or 2.
    const NUMBERS: usize;

    /// A word of ones.
    const FULL: u64 = u64::MAX >> (64 - Self::PER_WORD);

    /// Number of bits, l.
    fn bits(&self) -> usize;

    /// What a word adds, up to a constant that is the same for all contents of this word.
    fn part(&self, word: usize, bits: u64) -> Sums;

    /// The sums of a solution, from scratch.
    fn sums(&self, words: &[u64]) -> Sums {
        let part = |(word, &bits): (usize, &u64)| self.part(word, bits);
        words.iter().enumerate().map(part).fold([0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]])
    }

    /// Adds to the sums of both parents what they gain if `one` and `other`, the words of this number, exchange the bits of
    /// `differing`, in which they differ.
    fn exchange(&self, word: usize, one: u64, other: u64, differing: u64, sums: &mut [Sums; 2]);

    /// What is gained if a bit is flipped, in a word of this content.
    fn flip(&self, bit: usize, word: u64) -> Sums;

    /// Whether a child is strictly better than its parent.
    fn better(&self, child: Sums, parent: Sums) -> bool;

    /// What the sums are worth; the least is the best.
    fn key(&self, sums: Sums) -> Key;

    /// The same as people and results count it: something that falls as solutions get better.
    fn cost(&self, sums: Sums) -> f64;

    /// Whether such a solution can be used.
    fn feasible(&self, _sums: Sums) -> bool {
        true
    }

    /// A random solution for random search, word by word from addressed numbers; the default takes them as they are.
    fn random(&self, philox: Philox, step: u32, individual: u32, purpose: u32, words: &mut [u64]) {
        random_words::<Self>(self.bits(), philox, step, individual, purpose, words);
    }

    /// Words of a solution.
    fn words(&self) -> usize {
        self.bits().div_ceil(Self::PER_WORD)
    }
}

/// Fills words with random bits; what is behind the last bit stays 0. Draw k gives words 2k and 2k + 1.
pub fn random_words<E: Evaluation>(
    bits: usize,
    philox: Philox,
    step: u32,
    individual: u32,
    purpose: u32,
    words: &mut [u64],
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

/// Packs bits into words of `per_word`.
pub fn pack(bits: &[bool], per_word: usize) -> Vec<u64> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(per_word).map(word).collect()
}

/// The bits of words of `per_word`.
pub fn unpack(words: &[u64], per_word: usize, bits: usize) -> Vec<bool> {
    (0..bits).map(|bit| words[bit / per_word] >> (bit % per_word) & 1 == 1).collect()
}

/// Bits in a word for problems of this kind.
pub fn per_word(kind: &Kind) -> usize {
    match kind {
        Kind::Deceptive { .. } => Deceptive::PER_WORD,
        _ => 64,
    }
}

/// What is done with a problem once its kind is known.
pub(crate) trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<E: Evaluation>(self, evaluation: E) -> Self::Output;
}

/// Calls a visitor with the problem of an instance.
///
/// # Errors
/// [`Error::Usage`] where there are too few bits, or numbers too large to be computed with.
pub(crate) fn with_evaluation<V: Visitor>(instance: &Instance, visitor: V) -> Result<V::Output> {
    let bits = instance.bits();
    if bits < super::grid::FEWEST_BITS {
        let what = format!(
            "{} has {bits} bits; a grid needs at least {}, and so few can be tried by hand",
            instance.name,
            super::grid::FEWEST_BITS
        );
        return Err(Error::Usage(what));
    }
    Ok(match &instance.kind {
        Kind::Knapsack { profits, weights, capacity } => {
            visitor.visit(Knapsack::new(profits, weights, *capacity).ok_or_else(|| {
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
