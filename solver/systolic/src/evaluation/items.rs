//! Problems that select items with two numbers each: knapsack and next release.

use super::{Evaluation, Key, Sums};
use gridwright_core::random::Philox;

/// Two numbers per bit; bits beyond the last one contribute nothing.
#[derive(Debug, Clone)]
struct Items {
    bits: usize,
    items: Vec<[Sums; 64]>,
    /// Sums for the 256 contents of each byte of a word.
    bytes: Vec<[[Sums; 256]; 8]>,
}

impl Items {
    fn new(first: &[u64], second: &[u64]) -> Option<Self> {
        let mut items = vec![[[0; 2]; 64]; first.len().div_ceil(64)];
        for (bit, (&one, &other)) in first.iter().zip(second).enumerate() {
            items[bit / 64][bit % 64] = [i64::try_from(one).ok()?, i64::try_from(other).ok()?];
        }
        let mut bytes = vec![[[[0; 2]; 256]; 8]; items.len()];
        for (byte, items) in bytes.as_flattened_mut().iter_mut().zip(items.as_flattened().chunks_exact(8)) {
            for content in 1..256_usize {
                let (item, rest) = (items[content.trailing_zeros() as usize], byte[content & (content - 1)]);
                byte[content] = [item[0] + rest[0], item[1] + rest[1]];
            }
        }
        Some(Self { bits: first.len(), items, bytes })
    }

    /// Sums over the bits of a word that are 1.
    #[inline(always)]
    fn sum(&self, word: usize, bits: u64) -> Sums {
        let mut sum = [0; 2];
        for (table, content) in self.bytes[word].iter().zip(bits.to_le_bytes()) {
            let part = table[usize::from(content)];
            sum = [sum[0] + part[0], sum[1] + part[1]];
        }
        sum
    }

    #[inline(always)]
    fn exchange(&self, word: usize, one: u64, other: u64, differing: u64, sums: &mut [Sums; 2]) {
        let (gained, lost) = (self.sum(word, other & differing), self.sum(word, one & differing));
        for number in 0..2 {
            let gain = gained[number] - lost[number];
            sums[0][number] += gain;
            sums[1][number] -= gain;
        }
    }

    #[inline(always)]
    fn flip(&self, bit: usize, word: u64) -> Sums {
        let item = self.items[bit / 64][bit % 64];
        if word >> (bit % 64) & 1 == 1 { [-item[0], -item[1]] } else { item }
    }
}

/// Sum of numbers; `None` if it exceeds 63 bits.
fn whole(numbers: &[u64]) -> Option<i64> {
    numbers.iter().try_fold(0_i64, |sum, &number| sum.checked_add(i64::try_from(number).ok()?))
}

/// Part of an [`Evaluation`] that two sums over [`Items`] determine.
macro_rules! sums_of_items {
    () => {
        const PER_WORD: usize = 64;
        const NUMBERS: usize = 2;

        fn bits(&self) -> usize {
            self.items.bits
        }

        #[inline(always)]
        fn part(&self, word: usize, bits: u64) -> Sums {
            self.items.sum(word, bits)
        }

        #[inline(always)]
        fn exchange(&self, word: usize, one: u64, other: u64, differing: u64, sums: &mut [Sums; 2]) {
            self.items.exchange(word, one, other, differing, sums);
        }

        #[inline(always)]
        fn flip(&self, bit: usize, word: u64) -> Sums {
            self.items.flip(bit, word)
        }
    };
}

/// Knapsack problem; the sums are profit and weight, with weights and capacity counted in
/// [parts](super::super::Kind::weight_parts) of a unit.
#[derive(Debug, Clone)]
pub struct Knapsack {
    items: Items,
    capacity: i64,
    /// Smallest weight among item b and all later ones.
    lightest: Vec<i64>,
}

impl Knapsack {
    /// Prepares a knapsack of items with `profits[i]` and `weights[i]`; `None` if Σp + Σw·W exceeds 63 bits.
    pub fn new(profits: &[u64], weights: &[u64], capacity: u64) -> Option<Self> {
        let (profit, weight, capacity) = (whole(profits)?, whole(weights)?, i64::try_from(capacity).ok()?);
        weight.checked_mul(capacity)?.checked_add(profit)?;
        let mut lightest: Vec<i64> = weights.iter().map(|&weight| weight as i64).collect();
        for item in (1..lightest.len()).rev() {
            lightest[item - 1] = lightest[item - 1].min(lightest[item]);
        }
        Some(Self { items: Items::new(profits, weights)?, capacity, lightest })
    }

    /// Fitness: profit P, or P − (w − W)·W if the weight w exceeds the capacity W (equation 5 of the paper), both in parts of a
    /// unit.
    #[inline(always)]
    pub fn fitness(&self, [profit, weight]: Sums) -> i64 {
        profit - (weight - self.capacity).max(0) * self.capacity
    }
}

impl Evaluation for Knapsack {
    sums_of_items!();

    #[inline(always)]
    fn better(&self, child: Sums, parent: Sums) -> bool {
        self.fitness(child) > self.fitness(parent)
    }

    fn key(&self, sums: Sums) -> Key {
        (-i128::from(self.fitness(sums)), 0, 0)
    }

    fn cost(&self, sums: Sums) -> f64 {
        -(self.fitness(sums) as f64)
    }

    fn feasible(&self, [_, weight]: Sums) -> bool {
        weight <= self.capacity
    }

    /// Takes random items in order, skipping those that do not fit.
    fn random(&self, philox: Philox, step: u32, individual: u32, purpose: u32, words: &mut [u64]) {
        words.fill(0);
        let mut left = self.capacity;
        for (pair, words) in words.chunks_mut(2).enumerate() {
            let begin = pair * 128;
            // No later item fits, so the remaining draws are irrelevant.
            if self.lightest[begin] > left {
                return;
            }
            let mut drawn = [0; 2];
            let [a, b, c, d] = philox.words(pair as u32, step, individual, purpose);
            drawn[0] = u64::from(b) << 32 | u64::from(a);
            drawn[1] = u64::from(d) << 32 | u64::from(c);
            for (number, (word, mut bits)) in words.iter_mut().zip(drawn).enumerate() {
                while bits != 0 {
                    let bit = bits.trailing_zeros() as usize & 63;
                    bits &= bits - 1;
                    let at = begin + number * 64 + bit;
                    if at >= self.items.bits {
                        break;
                    }
                    let weight = self.items.items[at / 64][bit][1];
                    if weight <= left {
                        left -= weight;
                        *word |= 1 << bit;
                    }
                }
            }
        }
    }
}

/// Next release problem; the sums are value and cost.
#[derive(Debug, Clone)]
pub struct NextRelease {
    items: Items,
    all_value: i64,
    all_cost: i64,
    tenths: i128,
}

impl NextRelease {
    /// Prepares a problem of requirements with `costs[i]` and `values[i]`, where `tenths` weighs what is left out;
    /// `None` if 10·C_total·V_total exceeds 127 bits or a sum 63 bits.
    pub fn new(costs: &[u64], values: &[u64], tenths: u8) -> Option<Self> {
        let (all_cost, all_value) = (whole(costs)?, whole(values)?);
        i128::from(all_cost).checked_mul(i128::from(all_value))?.checked_mul(10)?;
        let items = Items::new(values, costs)?;
        Some(Self { items, all_value, all_cost, tenths: i128::from(tenths.min(10)) })
    }

    /// Objective as an integer: max((10 − tenths)·C·V_total, tenths·(V_total − V)·C_total).
    #[inline(always)]
    fn worth(&self, [value, cost]: Sums) -> i128 {
        let expensive = (10 - self.tenths) * (i128::from(cost) * i128::from(self.all_value));
        let left_out = self.tenths * (i128::from(self.all_value - value) * i128::from(self.all_cost));
        expensive.max(left_out)
    }
}

impl Evaluation for NextRelease {
    sums_of_items!();

    /// On a tie of the objective the child wins if it dominates: cost not higher, value not lower, one of them better.
    #[inline(always)]
    fn better(&self, child: Sums, parent: Sums) -> bool {
        let (of_child, of_parent) = (self.worth(child), self.worth(parent));
        let dominates = child[0] >= parent[0] && child[1] <= parent[1] && child != parent;
        of_child < of_parent || (of_child == of_parent && dominates)
    }

    fn key(&self, sums: Sums) -> Key {
        (self.worth(sums), sums[1], -sums[0])
    }

    fn cost(&self, sums: Sums) -> f64 {
        let whole = 10 * i128::from(self.all_cost) * i128::from(self.all_value);
        self.worth(sums) as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::random_words;

    #[test]
    fn numbers_that_are_too_large_are_refused() {
        assert!(Knapsack::new(&[1], &[u64::MAX], 1).is_none());
        assert!(Knapsack::new(&[1], &[1 << 40], 1 << 40).is_none());
        assert!(Knapsack::new(&[1], &[1 << 30], 1 << 30).is_some());
        assert!(NextRelease::new(&[1 << 62], &[1 << 62], 5).is_none());
        assert!(NextRelease::new(&[1 << 60], &[1 << 60], 5).is_some());
        assert_eq!(Items::new(&[1, 2], &[3, 4]).unwrap().sum(0, u64::MAX), [3, 7]);
    }

    /// A random solution for random search takes what fits, in the order of the bits, of the same bits that are drawn otherwise.
    #[test]
    fn random_knapsacks_skip_what_does_not_fit() {
        let weights: Vec<u64> = (0..300).map(|item| 1 + item * 7 % 50).collect();
        let knapsack = Knapsack::new(&weights, &weights, 700).unwrap();
        for individual in 0..50 {
            let (mut drawn, mut words) = ([0; 5], [u64::MAX; 5]);
            random_words::<Knapsack>(300, Philox::new(3), 4, individual, 5, &mut drawn);
            knapsack.random(Philox::new(3), 4, individual, 5, &mut words);
            let (mut left, mut expected) = (700, [0_u64; 5]);
            for item in (0..300).filter(|item| drawn[item / 64] >> (item % 64) & 1 == 1) {
                if weights[item] <= left {
                    left -= weights[item];
                    expected[item / 64] |= 1 << (item % 64);
                }
            }
            assert_eq!(words, expected);
        }
    }
}
