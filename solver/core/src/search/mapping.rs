//! Bijections between neighbour numbers and moves of permutations, so that a GPU thread derives its neighbour from its number.
//!
//! Source: T. V. Luong, N. Melab, E.-G. Talbi, «GPU-based approaches for multiobjective local search algorithms. A case
//! study: the flowshop scheduling problem», EvoCOP 2011, and «Neighborhood structures for GPU-based local search
//! algorithms», Parallel Processing Letters 20(4), 2010. The papers invert the exchange with a floating-point square
//! root; the integer root used here is exact for all sizes.

/// The `other`-th value different from `old`, in ascending order.
const fn other_value(old: u64, other: u64) -> u64 {
    other + (other >= old) as u64
}

/// Number of exchange neighbours of a permutation of `n`: n(n−1)/2.
pub const fn exchanges(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// Number of the neighbour that exchanges positions i < j: f(i, j) = i(n−1) + (j−1) − i(i+1)/2.
pub const fn exchange_id(i: u64, j: u64, n: u64) -> u64 {
    i * (n - 1) + (j - 1) - i * (i + 1) / 2
}

/// Positions i < j that neighbour `id` exchanges.
///
/// Counted from the last neighbour, r = n(n−1)/2 − 1 − id, the rows have 1, 2, 3, … neighbours, so that r lies in row
/// ⌊(√(8r + 1) − 1) / 2⌋.
pub const fn exchange(id: u64, n: u64) -> (u64, u64) {
    let from_last = exchanges(n) - 1 - id;
    let row = ((8 * from_last + 1).isqrt() - 1) / 2;
    let i = n - 2 - row;
    (i, id + 1 + i * (i + 1) / 2 - i * (n - 1))
}

/// Number of numbered insertion neighbours of a permutation of `n`: n(n−1).
///
/// Only (n−1)² are distinct: moving the element at i back by one equals moving the element at i + 1 forward by one.
/// Numbering both keeps the mapping a division.
pub const fn insertions(n: u64) -> u64 {
    n * n.saturating_sub(1)
}

/// Position i of the element that neighbour `id` moves, and its new position j ≠ i.
pub const fn insertion(id: u64, n: u64) -> (u64, u64) {
    let (i, other) = (id / (n - 1), id % (n - 1));
    (i, other_value(i, other))
}

/// Number of the neighbour that moves the element at position i to position j ≠ i.
#[cfg(test)]
const fn insertion_id(i: u64, j: u64, n: u64) -> u64 {
    i * (n - 1) + j - (j > i) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Row by row: (0,1), (0,2), … (0,n−1), (1,2), …
    #[test]
    fn every_exchange_is_numbered_once_in_order() {
        for n in 2..150 {
            let mut id = 0;
            for i in 0..n - 1 {
                for j in i + 1..n {
                    assert_eq!((exchange_id(i, j, n), exchange(id, n)), (id, (i, j)), "{i}, {j} of {n}");
                    id += 1;
                }
            }
            assert_eq!(id, exchanges(n));
        }
    }

    /// Where floating point would be wrong: the ends of the rows of very many.
    #[test]
    fn exchanges_of_very_many_are_exact() {
        for n in [65_535_u64, 1 << 20, (1 << 30) + 7] {
            for i in [0, 1, 2, n / 3, n / 2, n - 4, n - 3, n - 2] {
                for j in [i + 1, i + 2, (i + n) / 2, n - 2, n - 1] {
                    if i < j && j < n {
                        assert_eq!(exchange(exchange_id(i, j, n), n), (i, j), "of {n}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_insertion_is_numbered_once_and_all_but_n_minus_1_are_distinct() {
        for n in 2..60_u64 {
            let mut seen = BTreeSet::new();
            for id in 0..insertions(n) {
                let (i, j) = insertion(id, n);
                assert!(i < n && j < n && i != j);
                assert_eq!(insertion_id(i, j, n), id);
                if n < 12 {
                    let mut order: Vec<u64> = (0..n).collect();
                    let moved = order.remove(i as usize);
                    order.insert(j as usize, moved);
                    seen.insert(order);
                }
            }
            if n < 12 {
                assert_eq!(seen.len() as u64, (n - 1) * (n - 1));
            }
        }
    }
}
