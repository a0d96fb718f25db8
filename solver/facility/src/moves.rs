//! Moves of local search on encoded layouts. Every new gene is a function of its place and the old genes, so that a
//! device computes all places in parallel.

use super::genes::{END, ends};
use gridwright_core::random::index;

/// Move on a layout; the operands are places of the sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Exchanges two departments; breaks keep their places.
    Swap(usize, usize),
    /// Moves the department at the first place to the second and shifts those between; breaks keep their places.
    Insert(usize, usize),
    /// Moves the department at the first place into the bay of the department at the second place: behind it if the
    /// flag is set, else before it.
    Join(usize, usize, bool),
    /// Toggles the break after this place.
    Flip(usize),
    /// Exchanges the break flags of this place and the next.
    Shift(usize),
    /// Reverses the departments from the first to the second place; breaks keep their places.
    Reverse(usize, usize),
    /// Exchanges the bays that contain the two places.
    SwapBays(usize, usize),
}

/// Number of equally likely draws of a move kind: four each for swap, insert and join, one for each of the other four.
const KINDS: u32 = 16;

/// Largest number of departments that a reversal covers.
const STRETCH: u32 = 6;

impl Move {
    /// Maps three random words to a move among `n` ≥ 2 places.
    #[inline(always)]
    pub fn drawn(words: [u32; 3], n: usize) -> Self {
        let count = n as u32;
        let one = index(words[1], count) as usize;
        let other = index(words[2], count - 1) as usize;
        let other = other + usize::from(other >= one);
        let inner = index(words[1], count - 1) as usize;
        match index(words[0], KINDS) {
            0..4 => Self::Swap(one, other),
            4..8 => Self::Insert(one, other),
            8..12 => Self::Join(one, other, words[1] & 1 == 1),
            12 => Self::Flip(inner),
            13 => Self::Shift(index(words[1], if count > 2 { count - 2 } else { 1 }) as usize),
            14 => {
                let last = one + 1 + index(words[2], STRETCH - 1) as usize;
                Self::Reverse(one, if last < n { last } else { n - 1 })
            }
            _ => Self::SwapBays(one, other),
        }
    }

    /// Writes the genes after the move into `changed`, which has the length of `genes`.
    #[inline(always)]
    pub fn apply(self, genes: &[u16], changed: &mut [u16]) {
        let last = genes.len() - 1;
        changed.copy_from_slice(genes);
        match self {
            Self::Swap(one, other) => {
                changed[one] = genes[other] & !END | genes[one] & END;
                changed[other] = genes[one] & !END | genes[other] & END;
            }
            Self::Insert(from, to) => {
                let mut at = from;
                while at != to {
                    let next = if from < to { at + 1 } else { at - 1 };
                    changed[at] = genes[next] & !END | genes[at] & END;
                    at = next;
                }
                changed[to] = genes[from] & !END | genes[to] & END;
            }
            Self::Join(from, to, behind) => join(genes, changed, from, to, behind),
            Self::Flip(at) => changed[at] ^= END,
            Self::Shift(at) => {
                changed[at] = genes[at] & !END | genes[at + 1] & END;
                changed[at + 1] = genes[at + 1] & !END | genes[at] & END;
            }
            Self::Reverse(first, until) => {
                for at in first..=until {
                    changed[at] = genes[first + until - at] & !END | genes[at] & END;
                }
            }
            Self::SwapBays(one, other) => swap_bays(genes, changed, one.min(other), one.max(other)),
        }
        changed[last] |= END;
    }
}

/// Applies [`Move::Join`]. A department that ends its bay passes the break to its predecessor; one that is inserted
/// behind the last of a bay takes the break over.
#[inline(always)]
fn join(genes: &[u16], changed: &mut [u16], from: usize, to: usize, behind: bool) {
    let n = genes.len();
    let leaves = ends(genes[from]) && from > 0;
    // The gene at this place once `from` is out.
    let left = |at: usize| if leaves && at + 1 == from { genes[at] | END } else { genes[at] };
    let host = left(to);
    let target = if from < to { to - 1 } else { to } + usize::from(behind);
    for at in 0..n {
        changed[at] = if at == target {
            let end = if behind { host & END } else { 0 };
            genes[from] & !END | end
        } else {
            let rest = if at < target { at } else { at - 1 };
            let source = if rest < from { rest } else { rest + 1 };
            let gene = left(source);
            if behind && source == to { gene & !END } else { gene }
        };
    }
}

/// Applies [`Move::SwapBays`]; `one` < `other`.
#[inline(always)]
fn swap_bays(genes: &[u16], changed: &mut [u16], one: usize, other: usize) {
    let bounds = |place: usize| {
        let (mut first, mut last) = (place, place);
        while first > 0 && !ends(genes[first - 1]) {
            first -= 1;
        }
        while last + 1 < genes.len() && !ends(genes[last]) {
            last += 1;
        }
        (first, last)
    };
    let ((first, first_end), (second, second_end)) = (bounds(one), bounds(other));
    if first == second {
        return;
    }
    let (first_size, second_size) = (first_end - first + 1, second_end - second + 1);
    for at in first..=second_end {
        let within = at - first;
        changed[at] = genes[if within < second_size {
            second + within
        } else if at > second_end - first_size {
            first + (at - (second_end + 1 - first_size))
        } else {
            first_end + 1 + (within - second_size)
        }];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::genes::{of_layout, to_layout};
    use crate::{Layout, Orientation};

    fn after(bays: &[&[u16]], change: Move) -> Vec<Vec<u16>> {
        let bays = bays.iter().map(|bay| bay.to_vec()).collect();
        let genes = of_layout(&Layout::of_bays(Orientation::Vertical, bays));
        let mut changed = vec![0; genes.len()];
        change.apply(&genes, &mut changed);
        to_layout(&changed, Orientation::Vertical).bays
    }

    #[test]
    fn every_move_does_what_it_says() {
        let bays: &[&[u16]] = &[&[0, 1], &[2], &[3, 4, 5]];
        assert_eq!(after(bays, Move::Swap(1, 3)), [vec![0, 3], vec![2], vec![1, 4, 5]]);
        assert_eq!(after(bays, Move::Insert(0, 3)), [vec![1, 2], vec![3], vec![0, 4, 5]]);
        assert_eq!(after(bays, Move::Insert(4, 1)), [vec![0, 4], vec![1], vec![2, 3, 5]]);
        assert_eq!(after(bays, Move::Join(1, 4, false)), [vec![0], vec![2], vec![3, 1, 4, 5]]);
        assert_eq!(after(bays, Move::Join(1, 5, true)), [vec![0], vec![2], vec![3, 4, 5, 1]]);
        assert_eq!(after(bays, Move::Join(2, 0, true)), [vec![0, 2, 1], vec![3, 4, 5]], "a bay of one is gone");
        assert_eq!(after(bays, Move::Join(1, 2, true)), [vec![0], vec![2, 1], vec![3, 4, 5]]);
        assert_eq!(after(bays, Move::Join(0, 1, true)), [vec![1, 0], vec![2], vec![3, 4, 5]]);
        assert_eq!(after(bays, Move::Join(5, 0, false)), [vec![5, 0, 1], vec![2], vec![3, 4]]);
        assert_eq!(after(bays, Move::Flip(0)), [vec![0], vec![1], vec![2], vec![3, 4, 5]]);
        assert_eq!(after(bays, Move::Flip(1)), [vec![0, 1, 2], vec![3, 4, 5]]);
        assert_eq!(after(bays, Move::Shift(0)), [vec![0], vec![1, 2], vec![3, 4, 5]]);
        assert_eq!(after(bays, Move::Reverse(1, 4)), [vec![0, 4], vec![3], vec![2, 1, 5]]);
        assert_eq!(after(bays, Move::SwapBays(0, 4)), [vec![3, 4, 5], vec![2], vec![0, 1]]);
        assert_eq!(after(bays, Move::SwapBays(2, 3)), [vec![0, 1], vec![3, 4, 5], vec![2]]);
        assert_eq!(after(bays, Move::SwapBays(3, 5)), bays, "a bay with itself");
    }

    proptest! {
        #[test]
        fn every_move_leaves_a_layout_of_all_departments(
            breaks in proptest::collection::vec(any::<bool>(), 2..20), words in any::<[u32; 3]>()
        ) {
            let n = breaks.len();
            let mut genes: Vec<u16> = (0..n as u16).map(|at| at | if breaks[usize::from(at)] { END } else { 0 }).collect();
            genes[n - 1] |= END;
            let mut changed = vec![0; n];
            Move::drawn(words, n).apply(&genes, &mut changed);
            let mut departments: Vec<u16> = changed.iter().map(|gene| gene & !END).collect();
            departments.sort_unstable();
            prop_assert_eq!(departments, (0..n as u16).collect::<Vec<_>>());
            prop_assert!(ends(changed[n - 1]));
        }
    }
}
