//! Elements of sets of exams that are held as bits, 64 to a word.

use gridwright_core::lanes::lanes;

/// Calls `use_one` for the elements of a bit set, ascending.
#[inline(always)]
pub(super) fn each_of(set: &[u64], mut use_one: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            use_one(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Appends the elements of `adjacent ∩ members ∖ seen`, ascending, to a Kempe chain, and adds them to `seen`. The sets are bit
/// sets of equally many words.
///
/// Few elements are fresh, so that several words are tested at once. The last of these groups overlaps the one before it, whose
/// elements are no longer fresh.
#[inline(always)]
pub(super) fn append_fresh(adjacent: &[u64], members: &[u64], seen: &mut [u64], chain: &mut Vec<u16>) {
    match seen.len() {
        0..4 => append_fresh_of::<1>(adjacent, members, seen, chain),
        4..8 => append_fresh_of::<4>(adjacent, members, seen, chain),
        _ => append_fresh_of::<8>(adjacent, members, seen, chain),
    }
}

/// [`append_fresh`] with `SIDE` (at most 8) words at once; the sets have at least as many.
#[inline(always)]
fn append_fresh_of<const SIDE: usize>(adjacent: &[u64], members: &[u64], seen: &mut [u64], chain: &mut Vec<u16>) {
    let words = seen.len();
    let (adjacent, members) = (&adjacent[..words], &members[..words]);
    let mut first = 0;
    while first < words {
        let at = first.min(words - SIDE);
        let (adjacent, members, seen) = (&adjacent[at..][..SIDE], &members[at..][..SIDE], &mut seen[at..][..SIDE]);
        let fresh = lanes::<u64, SIDE>(|lane| adjacent[lane] & members[lane] & !seen[lane]);
        let mut filled = [0_u8; 8];
        for lane in 0..SIDE {
            filled[lane] = u8::from(fresh[lane] != 0);
            seen[lane] |= fresh[lane];
        }
        let mut filled = u64::from_le_bytes(filled);
        while filled != 0 {
            let lane = filled.trailing_zeros() as usize / 8;
            append_bits(fresh[lane], at + lane, chain);
            filled &= filled - 1;
        }
        first += SIDE;
    }
}

/// Appends the elements of one word of a bit set, ascending.
#[inline(always)]
pub(super) fn append_bits(mut bits: u64, word: usize, chain: &mut Vec<u16>) {
    while bits != 0 {
        chain.push((word * 64) as u16 + bits.trailing_zeros() as u16);
        bits &= bits - 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fresh_elements_are_appended_once_in_order(
            sets in proptest::collection::vec((any::<u64>(), any::<u64>(), any::<u64>(), any::<bool>()), 0..20),
        ) {
            // Words with many elements and words without any.
            let adjacent: Vec<u64> = sets.iter().map(|set| if set.3 { set.0 } else { 0 }).collect();
            let members: Vec<u64> = sets.iter().map(|set| set.1).collect();
            let seen: Vec<u64> = sets.iter().map(|set| set.2).collect();
            let has = |set: &[u64], element: usize| set[element / 64] >> (element % 64) & 1 == 1;
            let is_fresh = |&element: &usize| has(&adjacent, element) && has(&members, element) && !has(&seen, element);
            let expected: Vec<u16> = (0..64 * sets.len()).filter(is_fresh).map(|element| element as u16).collect();
            let (mut chain, mut after) = (vec![7], seen.clone());
            append_fresh(&adjacent, &members, &mut after, &mut chain);
            prop_assert_eq!(&chain[1..], &expected[..]);
            let union: Vec<u64> = (0..sets.len()).map(|word| seen[word] | adjacent[word] & members[word]).collect();
            prop_assert_eq!(after, union);
        }
    }
}
